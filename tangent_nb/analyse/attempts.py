"""What may raise, and what was done by then: the facts about the bodies of `try`.

Needs a body without exits. Promises to err on one side only: what is said not to raise does not; where a value may be
seen after an exception, that is said.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gast

from ..syntax.blocks import is_compound, statements, surroundings
from ..syntax.building import load
from ..syntax.closure import closure
from ..syntax.program import MISSING
from ..syntax.spec import Spec
from .collected import collected
from .flow import Names, access, definite, liveness, possible, statement_access
from .graph import Graph, Node
from .kinds import Env, Kinds, spec_of
from .leaving import always_leaves
from .resolve import Scope


def _decided(test: gast.expr, flags: Mapping[str, Any]) -> bool | None:
    """What a test of a flag says, where its value is known."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        inner = _decided(test.operand, flags)
        return None if inner is None else not inner
    if isinstance(test, gast.Name) and test.id in flags:
        return bool(flags[test.id])
    if isinstance(test, gast.Compare) and isinstance(test.left, gast.Name) and test.left.id in flags \
            and isinstance(test.ops[0], gast.Eq) \
            and len(test.ops) == 1 and isinstance(test.comparators[0], gast.Constant):
        return bool(flags[test.left.id] == test.comparators[0].value)
    return None


EXACT = (gast.Add, gast.Sub, gast.Mult)


def goes_on(stmt: gast.Try) -> list[gast.ExceptHandler]:
    """The handlers after which the function goes on; the others raise again."""
    return [handler for handler in stmt.handlers if not always_leaves(handler.body)]


def catches(handler: Any, kinds: Sequence[type[BaseException]], scope: Scope) -> bool:
    """The handler may catch an exception of one of these kinds."""
    types = handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type]
    for node in types:
        value = scope.value(node) if node is not None else BaseException
        if value is MISSING or not isinstance(value, type) or any(issubclass(kind, value) for kind in kinds):
            return True
    return False


class Surroundings:
    """The facts about a body, as it is now, that decide what a `try` in it has to keep to itself."""

    def __init__(self, body: list[gast.stmt], scope: Scope, parameters: Sequence[str], specs: Env) -> None:
        self.body, self.scope, self.graph = body, scope, Graph(body)
        self.live, self.kinds = liveness(self.graph), Kinds(self.graph, scope, specs)
        self.definite, self.possible = definite(self.graph, parameters), possible(self.graph, parameters)
        self.collected = collected(body, parameters, scope)

    def seen_by_handlers(self, stmt: gast.Try) -> Names:
        """The names that are read, before they are bound again, after an exception was caught."""
        return frozenset().union(*(self._read_from(self.graph.first[id(handler)], handler.body)
                                   for handler in goes_on(stmt)))

    def _read_from(self, start: Node, body: Sequence[gast.stmt]) -> Names:
        """The names that are read after a node before they are bound again;
        the tests of flags that `body` sets are known."""
        flags = {one.targets[0].id: one.value.value for one in body if isinstance(one, gast.Assign)
                 and isinstance(one.targets[0], gast.Name) and isinstance(one.value, gast.Constant)}
        bound = Counter(name for node in self._reached(start, {}) for name in access(node).define)
        nodes = self._reached(start, {name: value for name, value in flags.items() if bound[name] == 1})
        live: dict[int, Names] = {}
        changed = True
        while changed:
            changed = False
            for node in reversed(nodes):
                one = access(node)
                after = frozenset[str]().union(*(live.get(other.index, frozenset()) for other in nodes[node]))
                now = one.use | (after - one.define)
                changed |= now != live.get(node.index)
                live[node.index] = now
        return live[start.index]

    def _reached(self, start: Node, flags: Mapping[str, Any]) -> dict[Node, list[Node]]:
        """The nodes that may come after one, each with those that may follow it."""
        found: dict[Node, list[Node]] = {}
        todo = [start]
        while todo:
            node = todo.pop()
            if node in found:
                continue
            known = _decided(node.stmt.test, flags) if node.kind == "test" and isinstance(node.stmt, gast.If) else None
            after = self.graph.after(node)
            found[node] = after if known is None or len(after) != 2 else [after[0 if known else 1]]
            todo += found[node]
        return found

    def path(self, wanted: gast.stmt) -> list[tuple[Any, list[gast.stmt]]]:
        """The statements around one, outermost first, each with its block that holds it."""
        return surroundings(self.body).get(id(wanted), [])

    def raised_after(self, piece: Sequence[gast.stmt], name: str) -> bool:
        """In a piece of a body, something may raise after `name` was bound or changed."""
        nodes = self._nodes(piece)
        made = [node for node in nodes if name in access(node).define | access(node).update]
        return any(map(self._may_raise, closure(self._after(made) & nodes, lambda found: self._after(found) & nodes)))

    def _after(self, nodes: Iterable[Node]) -> set[Node]:
        return {after for node in nodes for after in self.graph.after(node)}

    def may_raise(self, piece: Sequence[gast.stmt]) -> bool:
        """Something in a piece of a body may raise."""
        return any(map(self._may_raise, self._nodes(piece)))

    def changed(self, stmt: gast.stmt) -> set[str]:
        """The names whose objects a statement may change in place,
        in its blocks too: `x += v` does not where x is a number."""
        found: set[str] = set()
        for one in statements([stmt]):
            if not is_compound(one):
                found |= statement_access(one).update
            if isinstance(one, gast.AugAssign) and isinstance(one.target, gast.Name) \
                    and not self.kinds.before(one).get(one.target.id, Spec()).is_immutable:
                found.add(one.target.id)
        return found

    def _nodes(self, piece: Sequence[gast.stmt]) -> set[Node]:
        inside = {id(part) for stmt in statements(piece) for part in (stmt, *getattr(stmt, "handlers", ()))}
        return {node for node in self.graph.nodes if id(node.stmt) in inside}

    def _may_raise(self, node: Node) -> bool:
        env = self.kinds.at(node)
        if node.kind == "stmt":
            return not self._is_safe(node.stmt, env)
        if node.kind == "test":
            return not (self._computes(node.stmt.test, env) and spec_of(node.stmt.test, env, self.scope).is_scalar)
        if node.kind in ("head", "bind"):
            return not (isinstance(node.stmt, gast.While) or isinstance(node.stmt.target, gast.Name)
                        and spec_of(node.stmt.iter, env, self.scope).kind == "range")
        return node.kind in ("iter", "with")

    def _is_safe(self, stmt: Any, env: Env) -> bool:
        if isinstance(stmt, gast.Assign):
            flat = all(isinstance(target, gast.Name) or isinstance(target, gast.Tuple)
                       and isinstance(stmt.value, gast.Tuple) and len(target.elts) == len(stmt.value.elts)
                       and all(isinstance(part, gast.Name) for part in target.elts) for target in stmt.targets)
            return flat and self._computes(stmt.value, env)
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            return self._computes(gast.BinOp(load(stmt.target.id), stmt.op, stmt.value), env)
        return isinstance(stmt, (gast.Pass, gast.Break, gast.Continue))

    def _computes(self, node: Any, env: Env) -> bool:
        """The value of an expression is there for certain."""
        if isinstance(node, (gast.Constant, gast.Name)):
            return True
        if isinstance(node, (gast.Tuple, gast.List)):
            return all(self._computes(item, env) for item in node.elts)
        if isinstance(node, gast.BoolOp) or isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            values = node.values if isinstance(node, gast.BoolOp) else [node.operand]
            return all(self._computes(value, env) and spec_of(value, env, self.scope).is_scalar for value in values)
        parts = [node.left, *node.comparators] if isinstance(node, gast.Compare) else [node.left, node.right] \
            if isinstance(node, gast.BinOp) and isinstance(node.op, EXACT) else []
        if len(parts) < 2 or not all(self._computes(part, env) for part in parts):
            return False
        kinds = {spec_of(part, env, self.scope).kind for part in parts}
        return kinds <= {"int", "bool"} or kinds == {"float"}
