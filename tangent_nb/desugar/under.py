"""Which displays arrays change under: these are written as variables (`held.py`).

Needs a text in the core language, with the bodies that stand in the places of calls. Promises that the text is written
again where there are such displays, with their places.

    state = [u, x * y]
    state[0][1:] += v                     the array in state changes
    rows = [u[1:], v]
    u[0] = x[0]                           so does one that rows may hold a view of
    values = [u, v]
    values[0] = x                         nothing but the list
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from ..analyse.effects import written_to
from ..rules import method_row, methods_named
from ..syntax.nodes import given_by, is_literal, nodes_in, nodes_of, root_name, target_names
from . import changing, objects
from .held import by_keywords, counts
from .objects import escaped
from .state import State
from .values import Held, ObjectValue

DISPLAYS = (gast.List, gast.Tuple, gast.Dict)


@dataclass
class _Found:
    """What a text does with names: groups of those that may hold one another, how deep the containers are that they
    hold, the displays in each group, and the names that change, with the number of indices that are taken of them."""

    groups: dict[str, set[str]] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    displays: list[tuple[set[str], Any, str]] = field(default_factory=list)
    changes: list[tuple[str, int, bool]] = field(default_factory=list)
    values: list[tuple[set[str], Any]] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)

    def join(self, names: set[str]) -> None:
        joined = set().union(names, *(self.groups.get(name, ()) for name in names))
        self.groups.update(dict.fromkeys(joined, joined))


def find(desugar: State, body: list[gast.stmt]) -> None:
    """Begin again where arrays change under displays that are written down here."""
    if not any(not isinstance(node, gast.Call) or by_keywords(desugar, node)
               for node in nodes_of(body, *DISPLAYS, gast.ListComp, gast.Call)):
        return
    nodes: Any = list(nodes_in(gast.Module(body, [])))
    found = _Found()
    for stmt in nodes:
        _note(desugar, found, stmt)
    for _ in range(2):                                     # lists of lists that have names
        for stmt in nodes:
            if isinstance(stmt, gast.Assign):
                depth = _depth(desugar, found, stmt.value)
                for target in stmt.targets if depth else []:
                    if isinstance(target, gast.Name):
                        found.depths[target.id] = max(depth, found.depths.get(target.id, 0))
    found.shared = {name for names, value in found.values if _repeats(found, value) for name in names}
    changing_groups = {id(found.groups.get(name))
                       for name, taken, added in found.changes if _changes_an_array(found, name, taken, added)}
    places = {key: base for names, node, base in found.displays if names and id(found.groups[min(names)])
              in changing_groups for key, base in _places(desugar, node, base) if key not in desugar.whole}
    if not places.keys() <= desugar.places.keys():
        raise objects.EscapeError(escaped(desugar, body[0], ObjectValue(list, "")),
                                  ObjectValue(Held, "", place=Held(tuple(places.items()))))


def _note(desugar: State, found: _Found, stmt: Any) -> None:
    """What one statement says of names."""
    if isinstance(stmt, gast.Assign):
        first: Any = stmt.targets[0]
        if isinstance(first, (gast.Tuple, gast.List)) and isinstance(stmt.value, (gast.Tuple, gast.List)) \
                and len(first.elts) == len(stmt.value.elts) \
                and not any(isinstance(one, gast.Starred) for one in [*first.elts, *stmt.value.elts]):
            for target, value in zip(first.elts, stmt.value.elts, strict=True):
                _note(desugar, found, gast.Assign([target], value, None))
            return
        names = {name for target in stmt.targets for name in target_names(target)}
        base = stmt.targets[0].id if isinstance(stmt.targets[0], gast.Name) else ""
        _gathered(desugar, found, names, stmt.value, base)
        for target in stmt.targets:
            parts = target.elts if isinstance(target, (gast.Tuple, gast.List)) else [target]
            found.changes += [(root_name(part) or "", _taken(part), False)
                              for part in parts if isinstance(part, gast.Subscript)]
            found_in = {root_name(part) or "" for part in parts if isinstance(part, gast.Subscript)} - {""}
            if found_in:
                found.join(found_in | _held(desugar, stmt.value) if _taken(parts[0]) == 1 else found_in)
    elif isinstance(stmt, gast.For):
        _gathered(desugar, found, set(target_names(stmt.target)), stmt.iter, "items")
    elif isinstance(stmt, gast.AugAssign):
        found.changes.append((root_name(stmt.target) or "", _taken(stmt.target), _is_known(stmt.target)))
    elif isinstance(stmt, gast.Call):
        if isinstance(stmt.func, gast.Attribute) and (row := method_row(list, stmt.func.attr)) is not None \
                and row.fills:
            found.join(
                {root_name(stmt.func.value) or "", *(name for arg in stmt.args for name in _held(desugar, arg))} - {""})
        for one in _changed_by(desugar, stmt):
            found.changes.append((root_name(one) or "", _taken(one) + 1, True))


def _gathered(desugar: State, found: _Found, names: set[str], value: Any, base: str) -> None:
    names = names | _held(desugar, value)
    if names:
        found.join(names)
    for one in _outermost(desugar, value):
        found.displays.append((names, one, base or "items"))
    found.values.append((names, value))


def _held(desugar: State, node: Any) -> set[str]:
    """The names whose objects the value of an expression may be, or hold."""
    if isinstance(node, gast.Name):
        return {node.id}
    if isinstance(node, gast.ListComp):
        return _held(desugar, node.elt) | {name for one in node.generators for name in _held(desugar, one.iter)}
    if isinstance(node, gast.BinOp) \
            and any(isinstance(side, (gast.List, gast.Tuple, gast.BinOp)) for side in (node.left, node.right)):
        return _held(desugar, node.left) | _held(desugar, node.right)
    if isinstance(node, gast.Call):
        if isinstance(node.func, gast.Attribute) and any(row.reaches_first for row in methods_named(node.func.attr)):
            return _held(desugar, node.func.value)
        if desugar.scope.effects(node).keeps:
            return {name for arg in [*node.args, *(k.value for k in node.keywords)] for name in _held(desugar, arg)}
    if isinstance(node, gast.Attribute) and node.attr != "T":
        return set()
    return {name for part in given_by(node) for name in _held(desugar, part)}


def _outermost(desugar: State, node: Any) -> Iterator[Any]:
    """The displays that a value is made of, not those in them."""
    if isinstance(node, (*DISPLAYS, gast.ListComp)) or by_keywords(desugar, node):
        yield node
    elif isinstance(node, gast.BinOp):
        yield from _outermost(desugar, node.left)
        yield from _outermost(desugar, node.right)
    elif desugar.scope.effects(node).keeps:
        for arg in node.args:
            yield from _outermost(desugar, arg)


def _depth(desugar: State, found: _Found, node: Any) -> int:
    """How many indices a container has: 2 for a list of lists."""
    if isinstance(node, gast.Name):
        return found.depths.get(node.id, 0)
    if isinstance(node, gast.ListComp):
        return 1 + _depth(desugar, found, node.elt)
    if by_keywords(desugar, node):
        return 1 + max(_depth(desugar, found, k.value) for k in node.keywords)
    if desugar.scope.effects(node).keeps:
        return max((_depth(desugar, found, arg) for arg in node.args), default=0)
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Add)):
        sides = [_depth(desugar, found, side)
                 for side in (node.left, node.right) if isinstance(side, (gast.List, gast.Tuple, gast.BinOp))]
        return max(sides, default=0)
    if isinstance(node, DISPLAYS):
        return 1 + max((_depth(desugar, found, item)
                        for item in (node.values if isinstance(node, gast.Dict) else node.elts)), default=0)
    return 0


def _repeats(found: _Found, node: Any) -> bool:
    """Two places may hold the same list."""
    for part in nodes_in(node):
        if isinstance(part, gast.BinOp) and isinstance(part.op, gast.Mult) or getattr(part, "attr", "") == "repeated":
            return True
        items = part.values if isinstance(part, gast.Dict) \
            else getattr(part, "elts", []) if isinstance(part, DISPLAYS) else []
        if any(isinstance(item, gast.Name) and found.depths.get(item.id) for item in items):
            return True
    return False


def _changes_an_array(found: _Found, name: str, taken: int, added: bool) -> bool:
    """More than an item of a container is changed, or what it is added to may be an array;
    an item of a list that has two places."""
    depth = found.depths.get(name, 0)
    if name not in found.groups:
        return False
    if not depth:
        return True
    return taken > depth or taken == depth and (added or depth > 1 and name in found.shared)


def _taken(node: Any) -> int:
    """2 for `d[i][j]`."""
    return 1 + _taken(node.value) if isinstance(node, gast.Subscript) else 0


def _is_known(node: Any) -> bool:
    return not isinstance(node, gast.Subscript) or is_literal(node.slice) and _is_known(node.value)


def _changed_by(desugar: State, node: gast.Call) -> Iterator[Any]:
    """The parts of containers that a call changes in place."""
    func = node.func
    if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Subscript) \
            and (row := method_row(np.ndarray, func.attr)) is not None and row.changes_first:
        yield func.value
    if changing.changes_first(node, desugar.object(func)) and isinstance(node.args[0], gast.Subscript):
        yield node.args[0]
    out = written_to(node, desugar.object(func))
    if isinstance(out, gast.Subscript):
        yield out


def _places(desugar: State, node: Any, base: str) -> Iterator[tuple[Any, str]]:
    """Where the displays in an expression stand, and what their items are to be called."""
    if isinstance(node, gast.BinOp):
        yield from _places(desugar, node.left, base)
        yield from _places(desugar, node.right, base)
    if isinstance(node, gast.List) and hasattr(node, "comprehension"):
        node = node.comprehension
    if isinstance(node, gast.ListComp):
        if counts(desugar, node) or isinstance(node.generators[0].iter, gast.Name):
            yield desugar.key(node), base
            yield from _places(desugar, node.elt, f"{base}_0")
    if by_keywords(desugar, node):
        yield desugar.key(node), base
        for k in node.keywords:
            yield from _places(desugar, k.value, f"{base}_{k.arg}")
    if not isinstance(node, DISPLAYS) or not hasattr(node, "lineno"):
        return
    items = list(node.values) if isinstance(node, gast.Dict) else list(node.elts)
    keyed = isinstance(node, gast.Dict)
    if keyed and not all(isinstance(key, gast.Constant) and type(key.value) in (str, int) for key in node.keys) \
            or any(isinstance(item, gast.Starred) for item in items):
        return
    if items or isinstance(node, gast.List):
        yield desugar.key(node), base
    keys = [str(key.value) for key in node.keys] if keyed else [str(i) for i in range(len(items))]
    for key, item in zip(keys, items, strict=True):
        yield from _places(desugar, item, f"{base}_{key}")


