"""What operators make is taken for an array, with memory of its own, and where the operands are lists or dicts it is a
container of the same items: these change with it. Of neither is anything known before the function runs.

    M = L + K                  M = L + K
    M[0][0] = 5.0       →      rt.check_joined(M, "M")        # L[0][0] too, where L is a list of arrays
                               M[0, 0] = 5.0
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import gast

from ..syntax.blocks import is_compound, own_targets, statements
from ..syntax.closure import closure
from ..syntax.nodes import given_by
from ..syntax.spec import Spec
from .flow import defined, mutation, updated
from .kinds import Env, Kinds, spec_of
from .one_memory import one_memory, with_others
from .resolve import Scope
from .sharing import is_leaf


def joined(body: Sequence[gast.stmt], kinds: Kinds, scope: Scope, parameters: Iterable[str]) -> dict[int, Any]:
    """By statement, the expressions that may be containers of the items of others, where these items may change."""
    stored, added = _changed(body)
    if not stored | added:
        return {}
    containers = _Containers(body, kinds, scope, parameters)
    found: dict[int, list[gast.expr]] = {}
    shared = one_memory(body, scope, views=True)
    for stmt in statements(body):
        made = list(containers.made(stmt, kinds.before(stmt)))
        for name in _held_by(stmt) if made else ():
            whole = isinstance(stmt, gast.Assign) and made[0] is stmt.value and isinstance(stmt.targets[0], gast.Name)
            others = with_others([name], shared)
            if not others.isdisjoint(stored) or not (others - {name} if whole else others).isdisjoint(added):
                found[id(stmt)] = made
    return found


def _held_by(stmt: Any) -> Iterable[str]:
    """The names that get what a statement makes."""
    return own_targets(stmt) if is_compound(stmt) else defined(stmt) | updated(stmt)


def _changed(body: Sequence[gast.stmt]) -> tuple[set[str], set[str]]:
    """The names of which a part changes, and those that change where they stand."""
    simple = [stmt for stmt in statements(body) if not is_compound(stmt)]
    return {name for stmt in simple if (mutation(stmt) or ("add_at",))[0] == "add_at"
            for name in updated(stmt)}, \
        {stmt.target.id for stmt in simple if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name)}


class _Containers:
    """The names that may stand for containers: parameters of which nothing is known, and what is made of such."""

    def __init__(self, body: Sequence[gast.stmt], kinds: Kinds, scope: Scope, parameters: Iterable[str]) -> None:
        self.scope, self.names = scope, set(parameters)
        given = [(stmt, name) for stmt in statements(body) if isinstance(stmt, (gast.Assign, gast.For, gast.With))
                 for name in _held_by(stmt)]

        def more(names: set[str]) -> set[str]:
            self.names = names
            return {name for stmt, name in given if name not in names and (
                isinstance(stmt, gast.With)
                or self.may_be(stmt.iter if isinstance(stmt, gast.For) else stmt.value, kinds.before(stmt)))}

        self.names = closure(self.names, more)

    def made(self, stmt: Any, env: Env) -> Iterator[gast.expr]:
        """The operations of a statement whose values may be containers."""
        stack = [stmt.iter if isinstance(stmt, gast.For) else getattr(stmt, "value", None)]
        while stack:
            node = stack.pop()
            if isinstance(node, gast.AST) and self._operands(node) and self.may_be(node, env):
                yield node
            stack += [*node.args, *(one.value for one in node.keywords)] \
                if isinstance(node, gast.Call) and self.may_be(node, env) else given_by(node)

    def may_be(self, node: Any, env: Env) -> bool:
        """No number and no array for certain."""
        operands = self._operands(node)                    # of which the spec says what it is taken for
        if not operands and (is_leaf(spec := spec_of(node, env, self.scope)) or spec.is_immutable):
            return False
        if isinstance(node, gast.Name):
            return node.id in self.names or node.id not in self.scope.local
        if isinstance(node, (gast.Subscript, gast.Attribute, gast.IfExp, gast.BoolOp)) and given_by(node):
            return any(self.may_be(one, env) for one in given_by(node))
        rule = self.scope.operation(node).rule
        if not operands or rule is None:
            return rule is None or not (rule.numeric or self.scope.operation(node).memory == "fresh")
        if rule.joins == "one":
            return any(self.may_be(one, env) and not _is_float(spec_of(other, env, self.scope))
                       for one, other in (operands, operands[::-1]))
        return all(self.may_be(one, env) for one in operands)

    def _operands(self, node: Any) -> list[gast.expr]:
        """Of a sum, a product, `|` or `.copy()`, which lists or dicts have too."""
        operation = self.scope.operation(node)
        joins = operation.kind == "rule" and operation.rule is not None and operation.rule.joins
        return list(operation.args.values()) if joins else []


def _is_float(spec: Spec) -> bool:
    return spec.kind in ("float", "array") or isinstance(spec.dtype, str) and spec.dtype[0] in "fc"
