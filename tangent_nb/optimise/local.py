"""Passes on single statements and their neighbours: first writes, unbroadcasts that do nothing, constants."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..analyse.graph import Graph
from ..analyse.kinds import Env, Kinds, spec_of
from ..analyse.resolve import Scope
from ..syntax.nodes import add, blocks, constant, is_literal, literal, names_in, statements
from ..syntax.spec import Spec


def unbroadcast(tree: gast.FunctionDef) -> None:
    """Leave out unbroadcasts whose argument has, for certain, the shape and dtype that is asked for.

        bx = bx + rt.unbroadcast(by * y, x)      →      bx = bx + by * y
    """
    for stmt in statements(tree.body):
        for field in ("value", "test", "iter"):
            node = getattr(stmt, field, None)
            if isinstance(node, gast.AST):
                setattr(stmt, field, rewritten(node, lambda n: n.args[0] if getattr(n, "fits", False) else n))


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with each expression, innermost first, replaced by what `change` makes of it."""
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, gast.AST):
            setattr(node, name, rewritten(value, change))
        elif isinstance(value, list):
            setattr(node, name, [rewritten(v, change) if isinstance(v, gast.AST) else v for v in value])
    return change(node)


def first_write(tree: gast.FunctionDef) -> None:
    """The first contribution to a cotangent is its value.

        bx = rt.zeros_like(x)
        bx = bx + by * y              →      bx = by * y
    """
    tree.body = _first_write(tree.body)


def _first_write(body: list[gast.stmt]) -> list[gast.stmt]:
    for stmt in body:
        if isinstance(stmt, (gast.If, gast.For, gast.While)):
            stmt.body, stmt.orelse = _first_write(stmt.body), _first_write(stmt.orelse)
    dropped: set[int] = set()
    for place, stmt in enumerate(body):
        name = getattr(stmt, "zero", None)
        if name is None:
            continue
        user = next((s for s in body[place + 1:] if name in names_in(s)), None)
        if user is not None and getattr(user, "adds", None) == name:
            rest = _without(user.value, name)
            if rest is not None:
                user.value = rest
                dropped.add(id(stmt))
    return [stmt for stmt in body if id(stmt) not in dropped]


def _without(node: Any, name: str) -> gast.expr | None:
    """What is added to the name: `c + d` of `name + c + d`."""
    if isinstance(node, gast.Call):                       # rt.add_grad(name, c)
        first, second = node.args
        if isinstance(first, gast.Name) and first.id == name and name not in names_in(second):
            return second  # type: ignore[no-any-return]
        return None
    terms: list[tuple[type, gast.expr]] = []
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
        terms.insert(0, (type(node.op), node.right))
        node = node.left
        if isinstance(node, gast.Name) and node.id == name:
            break
    else:
        return None
    if any(name in names_in(term) for _, term in terms):
        return None
    kind, total = terms[0]
    total = gast.UnaryOp(gast.USub(), total) if kind is gast.Sub else total
    for kind, term in terms[1:]:
        total = gast.BinOp(total, kind(), term)
    return total


def constants(tree: gast.FunctionDef, scope: Scope, specs: Env, floats: Sequence[str]) -> None:
    """Fold literals, and factors of one where the other factor is floating for certain; shapes stay as they are.

        bx = 1.0 * x * 2.0 * 3.0      →      bx = x * 6.0
    """
    kinds = Kinds(Graph(tree.body), scope, specs)
    fold = _Fold(scope, set(floats))

    def visit(body: list[gast.stmt]) -> None:
        for stmt in body:
            fold.env = kinds.before(stmt)
            if getattr(stmt, "role", "forward") != "forward":
                for field in ("value", "iter"):
                    node = getattr(stmt, field, None)
                    if isinstance(node, gast.AST):
                        setattr(stmt, field, rewritten(node, fold))
            for block in blocks(stmt):
                visit(block)

    visit(tree.body)


class _Fold:
    def __init__(self, scope: Scope, floats: set[str]) -> None:
        self.scope, self.floats, self.env = scope, floats, {}

    env: Env

    def floating(self, node: gast.expr) -> bool:
        spec: Spec = spec_of(node, self.env, self.scope)
        if spec.kind == "float":
            return True
        if isinstance(spec.dtype, frozenset):
            return bool(spec.dtype) and bool(spec.dtype & self.floats) and all(
                leaf in self.floats or leaf in ("f2", "f4", "f8") for leaf in spec.dtype)
        return isinstance(spec.dtype, str) and spec.dtype[0] == "f"

    def __call__(self, node: Any) -> Any:
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            inner = node.operand
            if isinstance(inner, gast.UnaryOp) and isinstance(inner.op, gast.USub):
                return inner.operand
            return node
        if not isinstance(node, gast.BinOp):
            return node
        left, right = _value(node.left), _value(node.right)
        if left is not None and right is not None:
            return self._literals(node, left, right)
        if isinstance(node.op, gast.Mult):
            for value, other in ((left, node.right), (right, node.left)):
                if value == 1.0 and self.floating(other):
                    return other
                if value == -1.0 and self.floating(other):
                    return gast.UnaryOp(gast.USub(), other)
            if right is not None and isinstance(node.left, gast.BinOp) and isinstance(node.left.op, gast.Mult):
                inner = _value(node.left.right)
                if inner is not None and self.floating(node.left.left):
                    return self(gast.BinOp(node.left.left, gast.Mult(), constant(inner * right)))
            if isinstance(node.left, gast.UnaryOp) and isinstance(node.left.op, gast.USub) and right is None and left is None:
                return gast.UnaryOp(gast.USub(), gast.BinOp(node.left.operand, gast.Mult(), node.right))
        if isinstance(node.op, gast.Div) and right == 1.0 and self.floating(node.left):
            return node.left
        if isinstance(node.op, gast.Add) and isinstance(node.right, gast.UnaryOp) and isinstance(node.right.op, gast.USub) \
                and right is None:
            return add(node.left, node.right)
        if isinstance(node.op, gast.Sub) and isinstance(node.right, gast.UnaryOp) and isinstance(node.right.op, gast.USub) \
                and right is None:
            return gast.BinOp(node.left, gast.Add(), node.right.operand)
        return node

    @staticmethod
    def _literals(node: gast.BinOp, left: float, right: float) -> gast.expr:
        if isinstance(node.op, gast.Mult):
            return constant(left * right)
        if isinstance(node.op, gast.Add):
            return constant(left + right)
        if isinstance(node.op, gast.Sub):
            return constant(left - right)
        return node


def _value(node: gast.expr) -> float | None:
    """The value of a float literal."""
    if is_literal(node) and not isinstance(node, (gast.Tuple, gast.List)):
        value = literal(node)
        if isinstance(value, float):
            return value
    return None
