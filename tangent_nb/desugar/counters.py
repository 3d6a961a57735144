"""Attributes that are assigned of objects from outside: what is stored there, and read again.

Needs a text in the core language. Promises a variable for each attribute that it assigns and reads by one path of
names, and the mark `counts` on the assignments that are left: where the fence lets them pass
(`analyse/fence/counters.py`), they change nothing that the text reads.

    self.h = np.tanh(self.h + x)     →      self_h = rt.earlier(self, 'h', 'self.h')
    return self.h * x                       self_h = np.tanh(self_h + x)
                                            self.h = rt.later(self, 'h', self_h, 'self.h')
                                            return self_h * x

    self.calls += 1                  marked
    box = Box(); box.size = x        not marked: the function makes the object
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from ..analyse.records import made_names
from ..analyse.resolve import Scope
from ..syntax.blocks import blocks
from ..syntax.building import assign, clone, constant, exchanged, library, load, store
from ..syntax.names import Names
from ..syntax.nodes import dotted, nodes_in, reads, walk, writes
from .scopes import stand


def mark(tree: gast.FunctionDef, scope: Scope, names: Names) -> None:
    """Let variables hold what is read again; mark the assignments of objects that the text does not make."""
    made = made_names(tree, scope) if next(_stores(tree, set()), None) else set()
    for path in sorted(_alone(tree, [target for _, target in _stores(tree, made)])):
        _as_variable(tree, path, names.new(path.replace(".", "_")))
    for stmt, _ in _stores(tree, made):
        stmt.counts = True


def stores_later(body: Any) -> bool:
    """A text stores in objects outside what may have a derivative."""
    return any(hasattr(stmt, "counts") and isinstance(stmt, gast.Assign) and not isinstance(stmt.value, gast.Constant)
               for stmt in walk(body))


def _stores(tree: gast.FunctionDef, made: set[str]) -> Iterator[tuple[Any, gast.Attribute]]:
    """The assignments, with the attributes that they assign. made: the containers that the text makes."""
    for stmt in walk(tree.body):
        for target in [*getattr(stmt, "targets", ()), getattr(stmt, "target", None)]:
            if isinstance(target, gast.Attribute) \
                    and not (isinstance(target.value, gast.Name) and target.value.id in made):
                yield stmt, target


def _alone(tree: gast.FunctionDef, targets: list[gast.Attribute]) -> set[str]:
    """The paths by which attributes are assigned and read, of objects that stay the same."""
    bound, assigned = writes(tree.body), {id(target) for target in targets}
    paths = {path for target in targets if (path := dotted(target)) is not None and path.partition(".")[0] not in bound}
    apart = {dotted(node) for stmt in walk(tree.body) if isinstance(stmt, (gast.FunctionDef, gast.Lambda))
             for node in walk(stmt)} | \
            {dotted(node) for node in walk(tree.body) if isinstance(node, gast.Attribute) and id(node) not in assigned
             and not isinstance(node.ctx, gast.Load)}
    read = {dotted(node) for node in walk(tree.body) if isinstance(node, gast.Attribute)
            and isinstance(node.ctx, gast.Load)} | \
           {dotted(stmt.target) for stmt in walk(tree.body) if isinstance(stmt, gast.AugAssign) and reads(stmt.value)}
    return {path for path in paths & read - apart if not any(path.startswith(f"{other}.") for other in paths)}


def _as_variable(tree: gast.FunctionDef, path: str, name: str) -> None:
    """Let a variable hold what the attribute of a path holds."""
    first = next(i for i, stmt in enumerate(tree.body) if any(dotted(node) == path for node in walk(stmt)))
    stmt, found = tree.body[first], [node for node in walk(tree.body) if dotted(node) == path]
    begins = isinstance(stmt, gast.Assign) and stmt.targets[0] in found and not set(found) & {*walk(stmt.value)}
    counted = any(isinstance(one, gast.AugAssign) and one.target in found for one in walk(tree.body))
    taken: Any = library(f"rt.earlier(x, name, path{', number=True' * counted})", x=clone(found[0].value),
                         name=constant(found[0].attr), path=constant(path))
    tree.body = exchanged(tree.body, {id(node): gast.copy_location(load(name) if isinstance(node.ctx, gast.Load)
                                                                   else store(name), node) for node in found})
    kept: Any = library("rt.later(x, name, value, path)", x=clone(found[0].value), name=constant(found[0].attr),
                        value=name, path=constant(path))
    target = gast.Attribute(clone(found[0].value), found[0].attr, gast.Store())
    _after_each(tree.body, name, lambda: assign(clone(target), clone(kept)))
    if not begins:
        tree.body.insert(first, _placed(assign(name, taken), stmt))


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
