"""What the backward sweep does with each saved value: reads its shape, its sign, all of it, or all of it in a product.

    bw = h.T @ by                          h: an operand of a product with a cotangent, which is linear in it
    bt = bh * rt.greater(total, 0.0)       total: a slope, of which there are few
    bb = rt.unbroadcast(bt, b)             b: its outline
    bz = by * (1.0 - z * z)                z: exactly

A product is a row that computes sums of products of elements, and whose tangent in the operand does not read the
operand: it is linear in it. What is only there as a shape does not stand in the adjoint of the product.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from ..analyse.kinds import index_parts
from ..analyse.objects import is_shape
from ..analyse.outlines import PLAIN
from ..analyse.resolve import Operation, Scope
from ..rules import Rule
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.nodes import children, flat, name_nodes, walk
from .sweeps import Key, Keys, Sweeps


@dataclass
class Use:
    """One place that reads a saved value. kind: `"outline"`, `"operand"`, `"few"` (a slope is made of it), `"bits"` (it
    is kept as bits) or `"read"`; whole: the product that it is an operand of, or that slope; asked: what lines ask
    for."""

    key: Key
    node: Any
    stmt: Any
    kind: str
    whole: Any = None
    asked: Any = None

    @property
    def product(self) -> Any:
        assert self.kind == "operand"
        return self.whole


def uses_of(sweeps: Sweeps, keys: Keys) -> list[Use]:
    """All that the backward sweep reads of saved values."""
    one = _Uses(sweeps.scope, keys)
    for stmt in statements(sweeps.backward):
        whole = isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)       # no part is brought back
        if stmt is not sweeps.taken and id(stmt) not in keys.aliases and not (hasattr(stmt, "tape") and whole):
            one.statement(stmt)
    return one.found


class _Uses:
    def __init__(self, scope: Scope, keys: Keys) -> None:
        self.scope, self.keys = scope, keys
        self.found: list[Use] = []
        self.stmt: Any = None

    def statement(self, stmt: Any) -> None:
        self.stmt = stmt
        if is_compound(stmt):
            for part in own_expressions(stmt):
                self.read(part)
            return
        if not isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Expr, gast.Return)) \
                or getattr(stmt, "role", "") == "inserted":
            self.all(stmt)
            return
        for target in flat(getattr(stmt, "targets", [stmt.target] if isinstance(stmt, gast.AugAssign) else [])):
            if isinstance(target, gast.Name) and isinstance(stmt, gast.AugAssign):
                self.use(target, "read")
            elif not isinstance(target, gast.Name):        # what is stored in is read
                self.all(target)
        if stmt.value is not None:
            self.read(stmt.value)

    def use(self, node: Any, kind: str, whole: Any = None) -> None:
        key = self.keys.of.get(id(node))
        for one in [key] if key is not None else self.keys.mixed.get(id(node), ()):
            kind = kind if key is not None or kind == "outline" else "read"
            self.found.append(Use(one, node, self.stmt, kind, whole))

    def all(self, node: Any) -> None:
        for name in name_nodes(node):
            self.use(name, "read")

    def read(self, node: Any, product: Any = None) -> None:
        """product: what this is linear in, and an operand of."""
        if isinstance(node, gast.Name):
            self.use(node, "operand" if product is not None else "read", product)
            return
        if product is None and is_few(node, self.scope) and self._of_saved(node):
            for name in name_nodes(node):
                self.use(name, "few", node)
            return
        operation = self.scope.operation(node)
        if isinstance(node, gast.Attribute) and is_shape(node.attr):
            self.outline(node.value)
            return
        outlined = {id(arg) for arg in outlines(node, operation, self.scope)}
        linear = {id(arg): node for arg in self._operands(node, operation)} if product is None else {}
        if product is not None and (base := passed_on(node, operation)) is not None:
            linear = {id(base): product}
        for child in children(node):
            if id(child) in outlined:
                self.outline(child)
            else:
                self.read(child, linear.get(id(child)))

    def outline(self, node: Any) -> None:
        """Of a value of which the shape and dtype count."""
        if isinstance(node, gast.Name):
            self.use(node, "outline")
        elif isinstance(node, gast.Subscript) and any(isinstance(one, gast.Slice) for one in index_parts(node.slice)):
            self.outline(node.value)
            self.read(node.slice)
        elif isinstance(node, (gast.Tuple, gast.List)) or isinstance(node, gast.Attribute) and node.attr == "T" \
                or isinstance(node, (gast.BinOp, gast.UnaryOp)) and isinstance(node.op, PLAIN):
            for child in children(node):
                self.outline(child)
        elif isinstance(node, gast.Call) and (base := passed_on(node, self.scope.operation(node))) is not None:
            for child in children(node):
                (self.outline if child is base else self.read)(child)
        else:
            self.read(node)

    def _operands(self, node: Any, operation: Operation) -> Iterator[Any]:
        """The operands of a product that are saved, beside a cotangent."""
        if not is_product(operation.rule):
            return
        for name, arg in operation.args.items():
            others = [one for other, one in operation.args.items() if other != name]
            roots = {self.keys.of.get(id(one)) for one in name_nodes(arg)} - {None}
            if is_linear(operation, [name]) and self._has_cotangent(others) and self._is_of_one(arg) \
                    and not any(self.keys.of.get(id(one)) in roots for other in others for one in name_nodes(other)
                                if not any(one in walk(shape) for shape in outlines(node, operation, self.scope))):
                yield arg

    def _is_of_one(self, node: Any) -> bool:
        """One variable is read in it, and that once."""
        return len([name for name in name_nodes(node) if name.id in self.scope.local]) == 1

    def _has_cotangent(self, nodes: Sequence[Any]) -> bool:
        """Something that the backward sweep makes."""
        return any(self.keys.of.get(id(name)) is None and id(name) not in self.keys.mixed
                   and not name.id.startswith("%") and name.id in self.scope.local
                   for node in nodes for name in name_nodes(node))

    def _of_saved(self, node: Any) -> bool:
        names = [name for name in name_nodes(node) if name.id in self.scope.local]
        return bool(names) and all(self.keys.of.get(id(name)) is not None for name in names)


def is_product(rule: Rule | None) -> bool:
    return rule is not None and (rule.multiplies == "elements" and not rule.diagonal or is_convolution(rule))


def is_convolution(rule: Rule) -> bool:
    """By its name: rows do not say which sums of products go over neighbours."""
    return "convol" in rule.name


def is_linear(operation: Operation, names: Sequence[str]) -> bool:
    """A row is affine in these arguments together: of each the tangent, or the adjoint, reads none of them, and not the
    result; and nothing jumps where they move."""
    rule = operation.rule
    return rule is not None and not rule.broken(operation.args, names) and all(any(
        name in side and all(choice.reads.isdisjoint({*names, rule.result}) for choice in side[name])
        for side in (rule.push, rule.pull)) for name in names)


def outlines(node: Any, operation: Operation, scope: Scope) -> list[Any]:
    """The arguments of a call of which only the outline is read: by its row, or as it is linear, and its adjoint does
    without them; or as nothing happens to what it gives when they move."""
    if not isinstance(node, gast.Call) or operation.rule is None:
        return []
    rule, args = operation.rule, operation.args
    like = args.get(rule.params[0]) if rule.params and rule.params[0] in rule.nondiff and (
        rule.fills or scope.effects(node).measures) else None
    return scope.shapes_read(node) + ([like] if like is not None else []) + [
        arg for name, arg in args.items() if name in rule.nondiff - rule.settings - rule.refused and any(
            _is_of_itself(rule, own, name) and (all(name not in choice.reads for choice in choices)
                                                or callable(rule.breaks) and not rule.broken(args, {name}))
            for own, choices in rule.pull.items())]


def _is_of_itself(rule: Rule, name: str, other: str) -> bool:
    """The tangent of a helper of ours in an argument is the helper of the tangent, and of the other: it is linear in
    it, and 0 of 0. One that only passes on what it is given may be there for what it asks."""
    if rule.refuses or not rule.name.startswith("rt.") or any(choice.text == "g" for choice in rule.pull[name]):
        return False
    for choice in rule.push.get(name, ()):
        node = choice.expr
        if not isinstance(node, ast.Call) or ast.unparse(node.func) != rule.name or other not in choice.reads:
            return False
        given = [*zip(rule.params, node.args, strict=False), *((one.arg, one.value) for one in node.keywords)]
        if any(not isinstance(arg, ast.Name) or arg.id != ("g" if one == name else one) for one, arg in given):
            return False
    return name in rule.push


def passed_on(node: Any, operation: Operation) -> Any:
    """What an expression is another look at, or has exact zeros around, and is linear in."""
    rule = operation.rule
    if operation.kind != "rule" or rule is None or not rule.push:
        return None
    first = rule.params[0]
    if isinstance(node, gast.Subscript):
        return node.value
    around = "pad_width" in rule.params and callable(rule.breaks) and not rule.broken(operation.args, {first})
    return operation.args.get(first) if around or operation.memory == "view" and is_linear(operation, [first]) else None


def is_few(node: Any, scope: Scope) -> bool:
    """Truth values, or slopes that jump: what `rt.pack_bits` makes bits of, or leaves as it is."""
    if isinstance(node, gast.Compare):
        return True
    rule = scope.operation(node).rule if isinstance(node, gast.Call) else None
    return rule is not None and not rule.push and rule.zero and rule.breaks == "jump" and rule.supported
