"""Attributes of objects from outside that are assigned, and items of dicts: what is stored there, and read again.

Needs a text in the core language. Promises a variable for each attribute that it assigns and reads by one path
(`syntax/paths.py`), and for each item of a dict, and the mark `counts` on the assignments that are left: where the
fence lets them pass (`analyse/fence/stored_outside.py`), they change nothing that the text reads.

    self.h = np.tanh(self.h + x)     →      rt.check_taken(self, 'h', 'self.h')
    return self.h * x                       self_h = self.h
                                            self_h = np.tanh(self_h + x)
                                            self.h = rt.later(self, 'h', self_h, 'self.h')
                                            return self_h * x

    self.c["z"] = x                  c_z = x
                                     rt.set_later(self.c, 'z', c_z, "self.c['z']")
    losses.append(x)                 rt.append_later(losses, x)
    self.calls += 1                  marked
    box = Box(); box.size = x        not marked: the function makes the object
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..analyse.activity import Varied, varied_names
from ..analyse.flow import liveness
from ..analyse.graph import Graph
from ..analyse.records import made_names
from ..analyse.resolve import Scope
from ..syntax.blocks import blocks, statements
from ..syntax.building import assign, clone, constant, exchanged, library, load, store
from ..syntax.names import Names
from ..syntax.nodes import is_atom, name_nodes, nodes_of, parameter_names, root_name, walk, writes
from ..syntax.paths import is_below, is_entry, path_of, place_of, read_whole, root_of
from . import lists_outside, missing
from .columns_outside import items_of, mark_columns
from .scopes import put_at


def mark(tree: gast.FunctionDef, scope: Scope, names: Names, wrt: Iterable[str]) -> None:
    """Let variables hold what is read again; mark the assignments of objects that the text does not make. wrt: the
    parameters that may have a derivative."""
    _spell_out(tree)
    if lists_outside.changed(tree, scope):
        lists_outside.own(tree, scope, names, {*made_names(tree, scope), *wrt},
                          Varied(varied_names(tree, wrt, scope), scope))
    _grow_outside(tree, scope, frozenset(wrt), items_of(tree, scope, made_names(tree, scope)))
    if all(next(found(tree, set()), None) is None for found in (_stores, _entries, _parts)):
        return
    made = made_names(tree, scope)
    mark_columns(tree, scope, names, made)
    varied = Varied(varied_names(tree, wrt, scope), scope)
    targets: list[Any] = [target for _, target in _stores(tree, made)]
    targets += [target for stmt, target in _entries(tree, made)
                if _is_outside(tree, stmt, target, frozenset(wrt), varied, scope)]
    for path in sorted(_alone(tree, targets, set(_parts(tree, made)), varied, scope)):
        _as_variable(tree, path, names, varied, scope)
    for stmt, _ in _stores(tree, made):
        stmt.counts = True


def _spell_out(tree: gast.FunctionDef) -> None:
    """Write the path for a name that is bound to it, once, and by which something is stored: `c = self.cache`."""
    stored = {root_name(target) for stmt in walk(tree.body) for target in _targets(stmt)
              if any(isinstance(part, gast.Attribute) or is_entry(part) for part in walk(target))}
    stored |= {root_of(path) for stmt in statements(tree.body) for path, _ in lists_outside.changes(stmt)}
    if not stored:
        return
    bound = Counter(node.id for node in name_nodes(tree.body) if not isinstance(node.ctx, gast.Load))
    inner = {node.id for one in nodes_of(tree.body, gast.FunctionDef, gast.Lambda) for node in name_nodes(one)}
    assigned = {path_of(target) for stmt in walk(tree.body) for target in _targets(stmt)
                if not (isinstance(stmt, gast.AugAssign) and isinstance(stmt.value, gast.List))}
    for stmt in list(tree.body):
        target: Any = stmt.targets[0] if isinstance(stmt, gast.Assign) and not stmt.targets[1:] else None
        path = path_of(stmt.value) if isinstance(target, gast.Name) else None
        if path is None or isinstance(stmt.value, gast.Name) or target.id not in stored or bound[target.id] != 1 \
                or target.id in inner or bound[root_of(path)] or target.id in parameter_names(tree) \
                or any(one is not None and (one == path or is_below(path, one)) for one in assigned):
            continue
        read = {id(node): gast.copy_location(clone(stmt.value), node) for node in name_nodes(tree.body)
                if node.id == target.id and isinstance(node.ctx, gast.Load)}
        tree.body = exchanged([one for one in tree.body if one is not stmt], read)


def _is_outside(tree: gast.FunctionDef, stmt: Any, target: gast.Subscript, wrt: frozenset[str], varied: Varied,
                scope: Scope) -> bool:
    """An item that is assigned is one of a dict from outside: of a path, of a variable outside, or of a parameter where
    it may get a derivative."""
    if not isinstance(target.value, gast.Name):
        return root_name(target) not in wrt
    if target.value.id in parameter_names(tree):
        return target.value.id not in wrt and varied.of(stmt.value)
    return isinstance(scope.value(target.value), dict)


def _grow_outside(tree: gast.FunctionDef, scope: Scope, wrt: frozenset[str], items: set[str]) -> None:
    """Let what is put into lists and dicts from outside be there later. items: names of objects in lists from
    outside."""
    grown = [*_grown(tree)]
    varied = Varied(varied_names(tree, wrt, scope), scope) if grown else None
    made: dict[int, Any] = {}
    for stmt, of, arguments in grown:
        path, value = path_of(of), arguments[-1]
        root = root_of(path or "")
        given = isinstance(of, gast.Name) and root in parameter_names(tree) and root not in wrt and not arguments[1:] \
            and varied is not None and varied.of(value)
        outside = isinstance(scope.value(of), list | dict) if isinstance(of, gast.Name) \
            else path is not None and not isinstance(scope.value(of), np.ndarray)
        if root in writes(tree.body) - items or not (given or outside) or _read_again(tree, of, grown, root in items):
            continue                                       # it is a variable of the text, or read again
        fresh = ", fresh=True" * isinstance(value, (gast.List, gast.Dict))
        key = {"key": arguments[0]} if arguments[1:] else {}
        call = library(f"rt.set_later(x, key, value{fresh})" if key else f"rt.append_later(x, value{fresh})",
                       x=of, value=value, **key)
        made[id(stmt)] = put_at(gast.Expr(call), stmt)
    tree.body = exchanged(tree.body, made) if made else tree.body


def _read_again(tree: gast.FunctionDef, of: Any, grown: list[Any], of_item: bool) -> bool:
    """A list or dict is read otherwise than where it grows, by its path; an attribute of an item of a list by
    its name."""
    def same(node: Any) -> bool:
        return path_of(node) == path_of(of) or of_item and isinstance(node, gast.Attribute) \
            and node.attr == getattr(of, "attr", "")

    return sum(map(same, walk(tree.body))) > sum(same(one) for _, one, _ in grown)


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


def _entries(tree: gast.FunctionDef, made: set[str]) -> Iterator[tuple[Any, gast.Subscript]]:
    """The assignments of items of dicts by paths, with the items."""
    for stmt in walk(tree.body):
        for target in _targets(stmt):
            if is_entry(target) and (path := path_of(target)) is not None and root_of(path) not in made:
                yield stmt, target


def _parts(tree: gast.FunctionDef, made: set[str]) -> Iterator[str]:
    """The paths of the attributes, and items of dicts, of which parts are stored, which may be arrays."""
    for stmt in walk(tree.body):
        for target in _targets(stmt):
            while isinstance(target, gast.Subscript) and not is_entry(target):
                target = target.value
                if (isinstance(target, gast.Attribute) or is_entry(target)) and (path := path_of(target)) is not None \
                        and root_of(path) not in made and path != root_of(path):
                    yield path


def _targets(stmt: Any) -> list[gast.expr]:
    return list(stmt.targets) if isinstance(stmt, gast.Assign) else \
        [stmt.target] if isinstance(stmt, gast.AugAssign) else []


def _alone(tree: gast.FunctionDef, targets: list[Any], parts: set[str], varied: Varied, scope: Scope) -> set[str]:
    """The paths by which attributes are read that are assigned, perhaps by another path, and those of the items that
    are: of objects and dicts that stay the same; and those of which parts are stored."""
    nodes: Any = nodes_of(tree.body, gast.Attribute, gast.Subscript)
    targeted, assigned = {id(target) for target in targets}, {getattr(target, "attr", None) for target in targets}
    entries = [target for target in targets if is_entry(target)]
    paths = {path for target in targets if (path := path_of(target)) is not None}
    apart = {path_of(node) for stmt in nodes_of(tree.body, gast.FunctionDef, gast.Lambda)
             for node in walk(stmt)} | \
            {path_of(node) for node in nodes if id(node) not in targeted and not isinstance(node.ctx, gast.Load)}
    called = {path_of(node.func) for node in nodes_of(tree.body, gast.Call)}
    read = {path_of(node) for node in nodes if isinstance(node.ctx, gast.Load) and isinstance(node, gast.Attribute)
            and node.attr in assigned} - called | {path_of(target) for target in entries} | \
           {path for _, path, _ in missing.asks(tree, scope) if path in paths} | \
           {path_of(stmt.target) for stmt in nodes_of(tree.body, gast.AugAssign)
            if varied.of(stmt.value) and stmt.target in targets}
    bound = writes([stmt for stmt in tree.body if not (isinstance(stmt, gast.Assign) and isinstance(
        stmt.value, gast.Call) and scope.value(stmt.value.func) is runtime.with_part)])
    again = {path_of(stmt.targets[0]) for stmt in nodes_of(tree.body, gast.Assign)
             if isinstance(stmt.value, gast.Call) and scope.value(stmt.value.func) is runtime.later}
    whole = {path_of(node) for node in read_whole(tree.body)} if entries else set()
    apart |= {path_of(target) for target in entries if path_of(target.value) in whole}
    alone = {path for path in (read | parts) - apart - again if path is not None and root_of(path) not in bound}
    return {path for path in alone if not any(is_below(path, other) for other in paths | alone)}


def _as_variable(tree: gast.FunctionDef, path: str, names: Names, varied: Varied, scope: Scope) -> None:
    """Let a variable hold what the attribute, or the item, of a path holds; another one say whether it is there, where
    the text asks."""
    name = names.new(re.sub(r"\W+", "_", path).strip("_"))
    found = [node for node in walk(tree.body) if path_of(node) == path]
    asking = [one for one in missing.asks(tree, scope) if one[1] == path]
    there = names.new(f"{name}_there") if asking or missing.attempts(tree, path, scope) else ""
    first = next(i for i, stmt in enumerate(tree.body) if any(
        node is one for node in walk(stmt) for one in [*found, *(node for node, *_ in asking)]))
    item, stmt, place = is_entry(found[0]), tree.body[first], place_of(found[0])
    how = ", item=True" * item
    del place["path"]
    given = [one for one in nodes_of(tree.body, gast.Assign, gast.AugAssign) if path in map(path_of, _targets(one))]
    unvaried = item and not any(varied.of(one.value) for one in given)
    tree.body = exchanged(tree.body, {
        **{id(node): gast.copy_location(load(name) if isinstance(node.ctx, gast.Load) else store(name), node)
           for node in found},
        **{id(node): missing.answer(node, there, name, default) for node, _, default in asking}})
    begun = _taken(found[0], name) if _is_read_first(tree, name, first) else []
    fresh = _is_fresh([(one, target) for one in nodes_of(tree.body, gast.Assign, gast.AugAssign)
                       for target in _targets(one) if root_name(target) == name], bool(begun))
    if there:
        missing.Reads(name, there, place, how).check(tree.body)
    _after_each(tree.body, name, lambda: [kept_later(found[0], name, fresh=fresh, constant=unvaried),
                                          *([assign(there, constant(True))] if there else [])], parts=fresh)
    if there:
        known = library(f"rt.is_there(x, name{how})", **clone(place))
        counted = library("rt.is_there(x, name, item=True, counted=True)", **clone(place)) if item else load(there)
        begun = [assign(there, known), *([gast.If(counted, begun, [])] if begun else [])]
    tree.body[first:first] = [put_at(one, stmt) for one in begun]


def _is_fresh(given: list[tuple[Any, Any]], begun: bool) -> bool:
    """A variable holds lists and dicts that are written down, whatever is put into them. begun: or what was there."""
    parts = [target for _, target in given if not isinstance(target, gast.Name)]
    return all(isinstance(stmt.value, (gast.List, gast.Dict)) for stmt, target in given
               if not parts or begun or target not in parts)


def _taken(node: Any, name: str) -> list[gast.stmt]:
    """The statements that let a variable begin with what an attribute, or an item, holds."""
    read = clone(node)
    read.ctx = gast.Load()
    held: Any = assign(name, read)
    held.taken = True
    how = ", item=True" * is_entry(node)
    return [gast.Expr(library(f"rt.check_taken(x, name, path{how})", **clone(place_of(node)))), held]


def kept_later(node: Any, name: str, *, fresh: bool = False, constant: bool = False, begun: bool = False) -> Any:
    """The statement by which the object, or the dict, gets what the variable of a path holds. begun: it holds that."""
    how = ", fresh=True" * fresh + ", constant=True" * constant
    if is_entry(node):
        return gast.Expr(library(f"rt.set_later(x, name, value, path{how})", value=load(name), **clone(place_of(node))))
    target = gast.Attribute(clone(node.value), node.attr, gast.Store())
    how += ", begun=True" * begun
    return assign(target, library(f"rt.later(x, name, value, path{how})", value=load(name), **place_of(node)))


def _is_read_first(tree: gast.FunctionDef, name: str, first: int) -> bool:
    """A variable may be read, from a statement of the function on, before it is assigned."""
    if any(isinstance(stmt, gast.Try) and stmt.finalbody or isinstance(stmt, (gast.For, gast.While)) and stmt.orelse
           for stmt in statements(tree.body)):
        return True                                        # the flow graph is that of the normal form, which has none
    return name in liveness(Graph(tree.body)).before(tree.body[first])


def _after_each(body: list[gast.stmt], name: str, made: Callable[[], list[gast.stmt]], *, parts: bool) -> None:
    """Put statements behind each that assigns a variable. parts: or a part of it."""
    for i in range(len(body) - 1, -1, -1):
        for block in blocks(body[i]):
            _after_each(block, name, made, parts=parts)
        if isinstance(body[i], (gast.Assign, gast.AugAssign)) and name in writes(body[i]) \
                or parts and _is_put_into(body[i], name):
            body[i + 1:i + 1] = [put_at(one, body[i]) for one in made()]


def _is_put_into(stmt: Any, name: str) -> bool:
    """An item of a container gets another value, or another item, which makes it another one under this name."""
    call = stmt.value if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) else None
    return name in map(root_name, _targets(stmt)) or call is not None and isinstance(call.func, gast.Attribute) \
        and not isinstance(call.func.value, gast.Name) and root_name(call.func.value) == name
