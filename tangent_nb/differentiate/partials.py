"""From the texts of a row to trees: the contribution of one operation to the cotangent or tangent of one operand."""
from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..analyse.resolve import Operation, given
from ..rules import LIBRARIES, Choice, Rule, lookup
from ..rules.arithmetic import power_texts
from ..rules.cuts import is_slope
from ..syntax.building import clone, constant, index_value, library
from ..syntax.nodes import is_literal, key, literal, nodes_of, reads, root_name, walk
from ..syntax.spec import Spec

_DECIDES = re.compile(r" if |\b\w+ [-+] 1\b")            # in which something may be known


def text_of(choices: Sequence[Choice], specs: Mapping[str, Spec]) -> Choice:
    """The first text whose condition holds."""
    for choice in choices:
        if choice.when is None:
            return choice
        try:
            if choice.when(specs):
                return choice
        except (KeyError, TypeError, AttributeError):
            continue
    raise AssertionError("the last text of a partial holds without a condition")


def partial(operation: Operation, side: str, parameter: str, g: gast.expr, result: gast.expr,
            specs: Mapping[str, Spec]) -> tuple[gast.expr, bool] | None:
    """The `pull` or `push` of one argument, and whether it reads the result; None where it is zero."""
    rule = operation.rule
    assert rule is not None
    if literal_power(operation, parameter):
        text = power_texts(literal(operation.args["y"]))
        return None if text is None else (library(text, g=g, x=operation.args["x"]), False)
    choice = text_of((rule.pull if side == "pull" else rule.push)[parameter], specs)
    trees = {**given(rule, operation.args), rule.result: result, "g": g}
    if "index" in trees:
        trees["index"] = index_value(trees["index"])
    for name in choice.reads & specs.keys():
        if specs[name].kind in ("list", "tuple") and name != parameter and rule.computes_with(name):
            trees[name] = library("np.asarray(v)", v=trees[name])
    called = {name: "%" + name for name in choice.reads - set(trees) if name in LIBRARIES}
    tree = library(choice.text, **called, **{name: trees[name] for name in choice.reads if name in trees})
    tree = trimmed(_Decided().visit(tree) if _DECIDES.search(choice.text) else tree)
    return _unwrapped(tree), rule.result in choice.reads


def text_for(operation: Operation, side: str, parameter: str, specs: Mapping[str, Spec]) -> str | None:
    """The text that `partial` makes the contribution of; None where it is zero."""
    rule = operation.rule
    assert rule is not None
    if literal_power(operation, parameter):
        return power_texts(literal(operation.args["y"]))
    return text_of((rule.pull if side == "pull" else rule.push)[parameter], specs).text


def literal_power(operation: Operation, parameter: str) -> bool:
    """`x ** 2`, by x."""
    if operation.rule is None or operation.rule.fn not in (operator.pow, pow) or parameter != "x":
        return False
    exponent = operation.args["y"]
    return is_literal(exponent) and isinstance(literal(exponent), (int, float))


class _Decided(gast.NodeTransformer):
    """`a if 1.0 is None else b` is b, and `a if True else b` is a: what is known of an argument that is written down.
    So is an order that is one higher, `1 + 1`."""

    def visit_BinOp(self, node: Any) -> Any:
        self.generic_visit(node)
        left, right = (literal(side) if is_literal(side) else None for side in (node.left, node.right))
        if not isinstance(node.op, (gast.Add, gast.Sub)) or type(left) is not int or type(right) is not int:
            return node
        return constant(left + right if isinstance(node.op, gast.Add) else left - right)

    def visit_IfExp(self, node: Any) -> Any:
        self.generic_visit(node)
        known = _truth(node.test)
        return node if known is None else node.body if known else node.orelse


def _truth(test: Any) -> bool | None:
    """Whether a condition of literals holds; None where it is not one."""
    if isinstance(test, gast.BoolOp):
        found = {_truth(part) for part in test.values}
        decisive = isinstance(test.op, gast.Or)
        return decisive if decisive in found else None if None in found else not decisive
    if not isinstance(test, gast.Compare):
        return bool(literal(test)) if is_literal(test) else None
    left, right, op = test.left, test.comparators[0], test.ops[0]
    denied = isinstance(op, (gast.IsNot, gast.NotIn, gast.NotEq))
    if isinstance(op, (gast.Is, gast.IsNot)):
        return (key(left) == key(right)) is not denied \
            if is_literal(left) or isinstance(left, (gast.List, gast.Tuple)) else None
    if len(test.ops) > 1 or not is_literal(left) or not is_literal(right):
        return None
    if isinstance(op, (gast.In, gast.NotIn)):
        return (literal(left) in literal(right)) is not denied
    return (literal(left) == literal(right)) is not denied if isinstance(op, (gast.Eq, gast.NotEq)) else None


def _unwrapped(tree: gast.expr) -> gast.expr:
    """`g[np.s_[1:]]` is `g[1:]`."""
    for node in nodes_of(tree, gast.Subscript):
        if isinstance(node.slice, gast.Subscript) and isinstance(node.slice.value, gast.Attribute) \
                and node.slice.value.attr == "s_":
            node.slice = node.slice.slice
    return tree


def trimmed(tree: gast.expr) -> gast.expr:
    """Calls of ours without the arguments that say what their defaults say."""
    for node in nodes_of(tree, gast.Call):
        rule = lookup(_meant(node.func)) if isinstance(node.func, gast.Attribute) else None
        if rule is not None:
            _trim(node, rule)
    return tree


def _meant(node: gast.expr) -> Any:
    """What a dotted name in one of the libraries means, `np.linalg.inv`; None for anything else."""
    if isinstance(node, gast.Attribute):
        return getattr(_meant(node.value), node.attr, None)
    return LIBRARIES.get(node.id[1:]) if isinstance(node, gast.Name) and node.id.startswith("%") else None


def _trim(node: gast.Call, rule: Rule) -> None:
    defaults = {name: p.default
                for name, p in rule.signature.parameters.items() if p.default is not inspect.Parameter.empty}
    node.keywords = [k for k in node.keywords if not _says(k.value, defaults.get(k.arg, inspect.Parameter.empty))]
    if node.keywords:
        return
    names = list(rule.signature.parameters)
    while node.args and len(node.args) <= len(names) and _says(node.args[-1], defaults.get(names[len(node.args) - 1],
                                                                                            inspect.Parameter.empty)):
        node.args.pop()


def _says(node: gast.expr, default: Any) -> bool:
    return default is not inspect.Parameter.empty and is_literal(node) and key(node) == key(constant(default))


class Slopes(gast.NodeTransformer):
    """`rt.cut(g * rt.greater(x, y), rt.greater(x, y))`: 0 where the slope is."""

    def __init__(self, scope: Any) -> None:
        self.scope = scope

    def of(self, tree: gast.expr) -> Any:
        """The text, which most are as they stand."""
        return self.visit(tree) if any(map(self._is_slope, walk(tree))) else tree

    def _is_slope(self, node: Any) -> bool:
        return isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult) and isinstance(node.right, gast.Call) \
            and is_slope(self.scope.value(node.right.func))

    def visit_BinOp(self, node: Any) -> Any:
        self.generic_visit(node)
        return library("rt.cut(v, s)", v=node, s=clone(node.right)) if self._is_slope(node) else node


class Products(gast.NodeTransformer):
    """`rt.cut(a * slope, a)` for each product of a text in which `a` alone reads `g`."""

    def __init__(self, g: gast.expr) -> None:
        self.name = root_name(g)

    def visit_BinOp(self, node: Any) -> Any:
        factor = self._factor(node)
        self.generic_visit(factor)
        return node if factor is node else library("rt.cut(v, g)", v=node, g=clone(factor))

    def _factor(self, node: Any) -> Any:
        """The innermost part of a product, or quotient, that alone reads `g`."""
        while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
            inside = [one for one in (node.left, node.right) if self.name in reads(one)]
            if len(inside) != 1:
                break
            node = inside[0]
        return node


__all__ = ["Products", "Slopes", "literal_power", "partial", "text_for", "trimmed"]
