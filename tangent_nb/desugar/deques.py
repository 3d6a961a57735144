"""Deques that nothing else holds, as lists that are made anew.

    window = deque(maxlen=3)             →      window = []
    window.append(v)                            window = rt.joined(window, [v])[-3:]
    first = window.popleft()                    first = window[0]
                                                window = window[1:]
"""
from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from ..syntax.building import assign, call, constant, library, load, subscript
from ..syntax.nodes import children, names_in, nodes_in
from . import containers
from .state import State
from .templates import template


def find(desugar: State, tree: gast.FunctionDef) -> None:
    """Which names of deques can hold lists: nothing else holds them, of their methods those are called that are written
    here, a loop over one does not change it, and what is asked of one a list answers as a deque does. The others hold
    what is not known."""
    while unknown := [name for name, made in sorted(desugar.holds.items()) if made.kind is deque
                      and (name in desugar.shared or not _is_known(desugar, tree, name))]:
        for name in unknown:                               # others may be compared with these
            del desugar.holds[name]
    for name, made in sorted(desugar.holds.items()):
        if made.kind is deque and made.length == containers.ANY and name not in desugar.lengths:
            desugar.lengths[name] = desugar.temporary(f"{name}_maxlen")


def _is_known(desugar: State, tree: gast.FunctionDef, name: str) -> bool:
    called = {id(node.func) for node in nodes_in(tree) if isinstance(node, gast.Call)
              and containers.method(desugar, node, METHODS) is not None}
    for node in nodes_in(tree):
        if isinstance(node, gast.For) and name in names_in(node.iter) and any(
                isinstance(part, gast.Attribute) and getattr(part.value, "id", "") == name for part in nodes_in(node)):
            return False
        if any(isinstance(part, gast.Name) and part.id == name and isinstance(part.ctx, gast.Load)
               and id(node) not in called and not _as_list(desugar, node, part) for part in children(node)):
            return False
    return True


def _as_list(desugar: State, node: Any, part: gast.Name) -> bool:
    """What stands around a deque asks of it what a list answers in the same way."""
    if isinstance(node, gast.Attribute):
        return node.attr == "maxlen" and isinstance(node.ctx, gast.Load)
    if isinstance(node, gast.Subscript):
        return node.value is part and isinstance(node.ctx, gast.Load) and not isinstance(node.slice, gast.Slice)
    if isinstance(node, gast.Call):
        return _goes_over(desugar, node, part)
    if isinstance(node, gast.Compare):
        sides = [node.left, *node.comparators]
        pairs = [(op, *pair) for op, *pair in zip(node.ops, sides, node.comparators, strict=False) if part in pair]
        return all(left is not part if isinstance(op, (gast.In, gast.NotIn)) else isinstance(op, (gast.Is, gast.IsNot))
                   or all(containers.kind(desugar, side) is deque for side in (left, right))
                   for op, left, right in pairs)
    return isinstance(node, (gast.For, gast.comprehension, gast.Starred, gast.If, gast.IfExp, gast.While, gast.UnaryOp,
                             gast.Assign, gast.BoolOp))


def _goes_over(desugar: State, node: gast.Call, part: gast.Name) -> bool:
    """A call takes the items of an argument, or asks how many there are, or makes an array of them."""
    fn, row = desugar.object(node.func), desugar.scope.effects(node)
    if isinstance(node.func, gast.Attribute) and any(desugar.scope.value(node.func.value) is one for one in (np, math)):
        return True
    if fn is len or fn is bool or containers.method(desugar, node, METHODS) is not None:
        return True
    return bool(row.iterates) and (row.owner is None or row.owner is str)


def made(desugar: State, stmt: gast.Assign) -> bool:
    """`line = deque(xs)`, as a statement."""
    target: Any = stmt.targets[0]
    if len(stmt.targets) != 1 or containers.kind(desugar, target) is not deque \
            or containers.kind(desugar, stmt.value) is not deque:
        return False
    value: gast.expr = gast.List([], gast.Load())
    if stmt.value.args:
        first = stmt.value.args[0]
        value = gast.copy_location(gast.ListComp(first.elt, first.generators), first) \
            if isinstance(first, gast.GeneratorExp) \
            else first if isinstance(first, (gast.List, gast.ListComp)) else call("%list", first)
    length = desugar.holds[target.id].length
    if length == containers.ANY:
        value = desugar.expr(desugar.placed(value))
        if not isinstance(value, gast.List):
            value = load(desugar.kept(value, "items"))
        desugar.statement(desugar.placed(assign(desugar.lengths[target.id], containers.maxlen(stmt.value)[0])))
        desugar.statement(desugar.placed(gast.copy_location(assign(target.id, value), stmt)))
        value = _cut(desugar, target.id, load(target.id))
    elif length and not (isinstance(value, gast.List) and len(value.elts) <= length
                         and not any(isinstance(one, gast.Starred) for one in value.elts)):
        value = _cut(desugar, target.id, value)
    desugar.statement(desugar.placed(gast.copy_location(assign(target.id, value), stmt)))
    return True


def attribute(desugar: State, node: gast.Attribute) -> gast.expr | None:
    """`line.maxlen`."""
    if node.attr != "maxlen" or containers.kind(desugar, node.value) is not deque:
        return None
    length = _length(desugar, node.value.id)
    return constant(None) if length is None else length


def _length(desugar: State, name: str) -> Any:
    """How many items a deque keeps; None where it keeps all."""
    length = desugar.holds[name].length
    return load(desugar.lengths[name]) if length == containers.ANY else constant(length) if length else None


def _cut(desugar: State, name: str, value: Any) -> gast.expr:
    """The last items of a list, as many as a deque keeps."""
    length = _length(desugar, name)
    start = library("rt.surplus(xs, n)", xs=value, n=length) if isinstance(length, gast.Name) \
        else constant(-length.value)
    return subscript(value, gast.Slice(start, None, None))


def _joined(desugar: State, name: str, left: gast.expr, right: gast.expr) -> gast.expr:
    return library("rt.joined(x, y)", x=left, y=right) if name in desugar.varied \
        else gast.BinOp(left, gast.Add(), right)


def _append_left(desugar: State, name: str, item: Any) -> gast.expr:
    value = _joined(desugar, name, gast.List([item], gast.Load()), load(name))
    length = _length(desugar, name)
    return containers.anew(desugar, name, subscript(value, gast.Slice(None, length, None)) if length else value)


def _put(desugar: State, name: str, items: gast.expr) -> gast.expr:
    value = _joined(desugar, name, load(name), items)
    if desugar.holds[name].length == containers.ANY:
        containers.anew(desugar, name, value)
        value = load(name)
    return containers.anew(desugar, name, _cut(desugar, name, value) if desugar.holds[name].length else value)


def _popped(place: str, rest: str) -> Callable[..., gast.expr]:
    return lambda desugar, name: template(desugar, f"""
        if not line:
            raise IndexError('pop from an empty deque')
        item = line[{place}]
        line = line[{rest}]
        item""", line=name)


def _rotate(desugar: State, name: str, steps: Any = None) -> gast.expr:
    """The last ones come first; the place of the cut is counted from the front, for no step leaves all as it is."""
    place = template(desugar, """
        place = -steps % max(len(line), 1)
        place""", line=name, steps=constant(1) if steps is None else steps).id
    tail, head = subscript(name, gast.Slice(load(place), None, None)), \
        subscript(name, gast.Slice(None, load(place), None))
    return containers.anew(desugar, name, _joined(desugar, name, tail, head))


def _asked(desugar: State, name: str, item: Any) -> None:
    """It is that of a list."""


METHODS: dict[object, Any] = {
    deque.append: lambda desugar, name, item: _put(desugar, name, gast.List([item], gast.Load())),
    deque.extend: lambda desugar, name, items: _put(desugar, name, call("%list", items)),
    deque.appendleft: _append_left, deque.rotate: _rotate,
    deque.pop: _popped("-1", ":-1"), deque.popleft: _popped("0", "1:"), deque.index: _asked, deque.count: _asked,
    deque.clear: lambda desugar, name: template(desugar, "line = []\nNone", line=name)}
