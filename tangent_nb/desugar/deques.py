"""Deques that nothing else holds, as lists that are made anew.

    window = deque(maxlen=3)             →      window = []
    window.append(v)                            window = rt.joined(window, [v])[-3:]
    first = window.popleft()                    first = window[0]
                                                window = window[1:]
"""
from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import gast

from ..syntax.building import assign, call, constant, library, load, subscript
from ..syntax.nodes import names_in, nodes_in
from . import containers
from .state import State
from .templates import template


def find(desugar: State, tree: gast.FunctionDef) -> None:
    """Which names of deques can hold lists: nothing else holds them, of their methods those are called that are written
    here, and a loop over one does not change it. The others hold what is not known."""
    for name in sorted(name for name, made in desugar.holds.items() if made.kind is deque):
        if name in desugar.shared or not _is_known(desugar, tree, name):
            del desugar.holds[name]
        elif desugar.holds[name].length == containers.ANY and name not in desugar.lengths:
            desugar.lengths[name] = desugar.temporary(f"{name}_maxlen")


def _is_known(desugar: State, tree: gast.FunctionDef, name: str) -> bool:
    fine: set[int] = set()
    shown: set[int] = set()
    for node in nodes_in(tree):
        if isinstance(node, gast.Call) and containers.method(desugar, node, METHODS) is not None:
            fine.add(id(node.func.value))
        elif isinstance(node, (gast.Return, gast.BinOp, gast.AugAssign)) \
                or isinstance(node, gast.Call) and desugar.object(node.func) is print:
            shown.update(id(part) for part in gast.iter_child_nodes(node))
        elif isinstance(node, gast.Subscript) \
                and (isinstance(node.slice, gast.Slice) or not isinstance(node.ctx, gast.Load)):
            shown.add(id(node.value))
        elif isinstance(node, gast.For) and name in names_in(node.iter) and any(
                isinstance(part, gast.Attribute) and getattr(part.value, "id", "") == name for part in nodes_in(node)):
            return False
    attributes = {id(node.value) for node in nodes_in(tree) if isinstance(node, gast.Attribute)
                  and (node.attr != "maxlen" or not isinstance(node.ctx, gast.Load))}
    return not any(id(node) in shown or id(node) in attributes and id(node) not in fine for node in nodes_in(tree)
                   if isinstance(node, gast.Name) and node.id == name)


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
