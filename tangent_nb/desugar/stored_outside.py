"""Attributes that are assigned of objects from outside: what is stored there, and read again.

Needs a text in the core language. Promises a variable for each attribute that it assigns and reads by one path of
names, and the mark `counts` on the assignments that are left: where the fence lets them pass
(`analyse/fence/stored_outside.py`), they change nothing that the text reads.

    self.h = np.tanh(self.h + x)     →      rt.check_taken(self, 'h', 'self.h')
    return self.h * x                       self_h = self.h
                                            self_h = np.tanh(self_h + x)
                                            self.h = rt.later(self, 'h', self_h, 'self.h')
                                            return self_h * x

    losses.append(x)                 rt.append_later(losses, x)
    self.calls += 1                  marked
    box = Box(); box.size = x        not marked: the function makes the object
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from .. import runtime
from ..analyse.activity import Varied, varied_names
from ..analyse.flow import liveness
from ..analyse.graph import Graph
from ..analyse.records import made_names
from ..analyse.resolve import Scope
from ..syntax.blocks import blocks, statements
from ..syntax.building import assign, clone, constant, exchanged, library, load, store
from ..syntax.names import Names
from ..syntax.nodes import dotted, is_atom, nodes_in, nodes_of, parameter_names, root_name, walk, writes
from .scopes import stand


def mark(tree: gast.FunctionDef, scope: Scope, names: Names, wrt: Iterable[str]) -> None:
    """Let variables hold what is read again; mark the assignments of objects that the text does not make. wrt: the
    parameters that may have a derivative."""
    _grow_outside(tree, scope, frozenset(wrt))
    if next(_stores(tree, set()), None) is None and next(_parts(tree, set()), None) is None:
        return
    made, varied = made_names(tree, scope), Varied(varied_names(tree, wrt, scope), scope)
    targets = [target for _, target in _stores(tree, made)]
    for path in sorted(_alone(tree, targets, set(_parts(tree, made)), varied, scope)):
        _as_variable(tree, path, names.new(path.replace(".", "_")), scope)
    for stmt, _ in _stores(tree, made):
        stmt.counts = True


def _grow_outside(tree: gast.FunctionDef, scope: Scope, wrt: frozenset[str]) -> None:
    """Let what is put into lists and dicts from outside be there later."""
    grown = [*_grown(tree)]
    varied = Varied(varied_names(tree, wrt, scope), scope) if grown else None
    made: dict[int, Any] = {}
    for stmt, of, arguments in grown:
        path, value = dotted(of), arguments[-1]
        root = (path or "").partition(".")[0]
        given = isinstance(of, gast.Name) and root in parameter_names(tree) and root not in wrt and not arguments[1:] \
            and varied is not None and varied.of(value)
        outside = isinstance(scope.value(of), list | dict) if isinstance(of, gast.Name) else path is not None
        changed = sum(dotted(one) == path for _, one, _ in grown)
        if root in writes(tree.body) or not given and not outside \
                or sum(dotted(node) == path for node in walk(tree.body)) > changed:
            continue                                       # it is a variable of the text, or read again
        fresh = ", fresh=True" * isinstance(value, (gast.List, gast.Dict))
        key = {"key": arguments[0]} if arguments[1:] else {}
        call = library(f"rt.set_later(x, key, value{fresh})" if key else f"rt.append_later(x, value{fresh})",
                       x=of, value=value, **key)
        made[id(stmt)] = _placed(gast.Expr(call), stmt)
    tree.body = exchanged(tree.body, made) if made else tree.body


def _grown(tree: gast.FunctionDef) -> list[tuple[Any, gast.expr, list[gast.expr]]]:
    """The statements that may append to a list, or assign an item of a dict: of what, the key, and the value."""
    found: list[tuple[Any, gast.expr, list[gast.expr]]] = []
    for stmt in statements(tree.body):
        if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) and len(stmt.value.args) == 1 \
                and isinstance(stmt.value.func, gast.Attribute) and stmt.value.func.attr == "append":
            found.append((stmt, stmt.value.func.value, stmt.value.args))
        elif isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Subscript) and not stmt.targets[1:] \
                and is_atom(stmt.targets[0].slice):
            found.append((stmt, stmt.targets[0].value, [stmt.targets[0].slice, stmt.value]))
    return found


def stores_later(body: Any) -> bool:
    """A text that the fence has let pass stores in objects outside."""
    return any(hasattr(stmt, "outside") for stmt in walk(body))


def _stores(tree: gast.FunctionDef, made: set[str]) -> Iterator[tuple[Any, gast.Attribute]]:
    """The assignments, with the attributes that they assign. made: the containers that the text makes."""
    for stmt in walk(tree.body):
        for target in _targets(stmt):
            if isinstance(target, gast.Attribute) \
                    and not (isinstance(target.value, gast.Name) and target.value.id in made):
                yield stmt, target


def _parts(tree: gast.FunctionDef, made: set[str]) -> Iterator[str]:
    """The paths of the attributes of which parts are stored, which may be arrays."""
    for stmt in walk(tree.body):
        for target in _targets(stmt):
            named = False
            while isinstance(target, gast.Subscript):
                named = named or isinstance(target.slice, gast.Constant) and isinstance(target.slice.value, str)
                target = target.value
                if isinstance(target, gast.Attribute) and not named and (path := dotted(target)) is not None \
                        and path.partition(".")[0] not in made:
                    yield path


def _targets(stmt: Any) -> list[gast.expr]:
    return list(stmt.targets) if isinstance(stmt, gast.Assign) else \
        [stmt.target] if isinstance(stmt, gast.AugAssign) else []


def _alone(tree: gast.FunctionDef, targets: list[gast.Attribute], parts: set[str], varied: Varied,
           scope: Scope) -> set[str]:
    """The paths of names by which attributes are read that are assigned, perhaps by another path: of objects that stay
    the same; and those of which parts are stored."""
    nodes: Any = nodes_of(tree.body, gast.Attribute)
    targeted, assigned = {id(target) for target in targets}, {target.attr for target in targets}
    paths = {path for target in targets if (path := dotted(target)) is not None}
    apart = {dotted(node) for stmt in nodes_of(tree.body, gast.FunctionDef, gast.Lambda)
             for node in walk(stmt)} | \
            {dotted(node) for node in nodes if id(node) not in targeted and not isinstance(node.ctx, gast.Load)}
    called = {dotted(node.func) for node in nodes_of(tree.body, gast.Call)}
    read = {dotted(node) for node in nodes if isinstance(node.ctx, gast.Load) and node.attr in assigned} - called | \
           {dotted(stmt.target) for stmt in nodes_of(tree.body, gast.AugAssign)
            if varied.of(stmt.value) and stmt.target in targets}
    bound = writes([stmt for stmt in tree.body if not (isinstance(stmt, gast.Assign) and isinstance(
        stmt.value, gast.Call) and scope.value(stmt.value.func) is runtime.with_part)])
    again = {dotted(stmt.targets[0]) for stmt in nodes_of(tree.body, gast.Assign)
             if isinstance(stmt.value, gast.Call) and scope.value(stmt.value.func) is runtime.later}
    return {path for path in (read | parts) - apart - again if path is not None and path.partition(".")[0] not in bound
            and not any(path.startswith(f"{other}.") for other in paths)}


def _as_variable(tree: gast.FunctionDef, path: str, name: str, scope: Scope) -> None:
    """Let a variable hold what the attribute of a path holds."""
    first = next(i for i, stmt in enumerate(tree.body) if any(dotted(node) == path for node in walk(stmt)))
    stmt, found = tree.body[first], [node for node in walk(tree.body) if dotted(node) == path]
    names: dict[str, Any] = {"x": found[0].value, "name": constant(found[0].attr), "path": constant(path)}
    taken = gast.Expr(library("rt.check_taken(x, name, path)", **names))
    tree.body = exchanged(tree.body, {id(node): gast.copy_location(load(name) if isinstance(node.ctx, gast.Load)
                                                                   else store(name), node) for node in found})
    fresh = all(isinstance(getattr(one, "value", None), (gast.List, gast.Dict))
                for one in nodes_of(tree.body, gast.Assign, gast.AugAssign)
                if name in {root_name(t) for t in _targets(one)})
    kept = library(f"rt.later(x, name, value, path{', fresh=True' * fresh})", value=load(name), **names)
    target = gast.Attribute(names["x"], found[0].attr, gast.Store())
    _after_each(tree.body, name, lambda: assign(clone(target), clone(kept)))
    if _is_read_first(tree, name, first):
        held: Any = assign(name, gast.Attribute(names["x"], found[0].attr, gast.Load()))
        held.taken = True
        tree.body[first:first] = [_placed(clone(taken), stmt), _placed(clone(held), stmt)]


def _is_read_first(tree: gast.FunctionDef, name: str, first: int) -> bool:
    """A variable may be read, from a statement of the function on, before it is assigned."""
    if any(isinstance(stmt, gast.Try) and stmt.finalbody or isinstance(stmt, (gast.For, gast.While)) and stmt.orelse
           for stmt in statements(tree.body)):
        return True                                        # the flow graph is that of the normal form, which has none
    return name in liveness(Graph(tree.body)).before(tree.body[first])


def _after_each(body: list[gast.stmt], name: str, made: Callable[[], gast.stmt]) -> None:
    """Put a statement behind each that assigns a variable."""
    for i in range(len(body) - 1, -1, -1):
        for block in blocks(body[i]):
            _after_each(block, name, made)
        if isinstance(body[i], (gast.Assign, gast.AugAssign)) and name in writes(body[i]):
            body.insert(i + 1, _placed(made(), body[i]))


def _placed(made: Any, stmt: Any) -> Any:
    """A statement with the place of another one."""
    for node in nodes_in(made):
        if isinstance(node, (gast.stmt, gast.expr)):
            stand(node, stmt)
    made.origin = stmt.origin
    return made
