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

from ..syntax.nodes import assign, call, constant, library, literal, load, nodes_in, statement, subscript
from . import lists
from .scopes import bindings
from .state import State


def length_of(desugar: State, name: str) -> int | None:
    """How many items a deque keeps, 0 for all; None for a name that is no deque which can be a list."""
    known: int | None = desugar.deques.get(name, -1)
    if known == -1:
        known = desugar.deques[name] = _length(desugar, name)
    return known


def _length(desugar: State, name: str) -> int | None:
    if desugar.stack or name not in desugar.local:
        return None
    nodes = bindings(desugar.tree).get(name, [])
    one = nodes[0] if len(nodes) == 1 else None
    length = maxlen(desugar, one.value) if isinstance(one, gast.Assign) else None
    if length is None or not _all_known(desugar, name):
        return None
    return length


def maxlen(desugar: State, node: Any) -> int | None:
    """The same for a call that makes one."""
    if not isinstance(node, gast.Call) or desugar.object(node.func) is not deque or len(node.args) > 2 \
            or any(isinstance(arg, gast.Starred) for arg in node.args) or any(k.arg != "maxlen" for k in node.keywords):
        return None
    given = [*node.args[1:], *(k.value for k in node.keywords)]
    if not given or isinstance(given[0], gast.Constant) and given[0].value is None:
        return 0
    length = literal(given[0], None)
    return length if len(given) == 1 and type(length) is int and length > 0 else None


def _all_known(desugar: State, name: str) -> bool:
    """Nothing else holds it, and of its methods those are called that are written here; a loop over it does not change it."""
    fine: set[int] = set()
    shown: set[int] = set()
    for node in nodes_in(desugar.tree):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name) \
                and len(node.args) in METHODS.get(getattr(deque, node.func.attr, None), ((), None))[0] and not node.keywords \
                and not any(isinstance(arg, gast.Starred) for arg in node.args):
            fine.add(id(node.func.value))
        elif isinstance(node, (gast.Return, gast.BinOp)) or isinstance(node, gast.Call) and desugar.object(node.func) is print:
            shown.update(id(part) for part in gast.iter_child_nodes(node))
        elif isinstance(node, gast.Subscript) and (isinstance(node.slice, gast.Slice) or not isinstance(node.ctx, gast.Load)):
            shown.add(id(node.value))
        elif isinstance(node, gast.For) and any(isinstance(part, gast.Name) and part.id == name for part in nodes_in(node.iter)):
            if any(isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name) and part.value.id == name for part in nodes_in(node)):
                return False
    attributes = {id(node.value) for node in nodes_in(desugar.tree) if isinstance(node, gast.Attribute)}
    return lists.unshared(desugar, desugar.tree, name) and not any(
        id(node) in shown or id(node) in attributes and id(node) not in fine for node in nodes_in(desugar.tree)
        if isinstance(node, gast.Name) and node.id == name)


def made(desugar: State, stmt: gast.Assign) -> bool:
    """`line = deque(xs)`, as a statement."""
    target: Any = stmt.targets[0]
    if len(stmt.targets) != 1 or not isinstance(target, gast.Name) or not isinstance(stmt.value, gast.Call):
        return False
    length = length_of(desugar, target.id) if maxlen(desugar, stmt.value) is not None else None
    if length is None:
        return False
    value: gast.expr = gast.List([], gast.Load())
    if stmt.value.args:
        first = stmt.value.args[0]
        value = first if isinstance(first, (gast.List, gast.ListComp)) else call("%list", first)
    desugar.statement(desugar.placed(gast.copy_location(assign(target.id, _cut(value, length)), stmt)))
    return True


def _cut(value: gast.expr, length: int) -> gast.expr:
    if not length or isinstance(value, gast.List) and len(value.elts) <= length and not any(isinstance(one, gast.Starred) for one in value.elts):
        return value
    return subscript(value, gast.Slice(constant(-length), None, None))


def method(desugar: State, node: gast.Call) -> Any:
    """What to write for a method of a deque."""
    func = node.func
    if not isinstance(func, gast.Attribute) or not isinstance(func.value, gast.Name):
        return None
    found = METHODS.get(getattr(deque, func.attr, None))
    length = length_of(desugar, func.value.id) if found is not None and found[1] is not None else None
    if found is None or found[1] is None or length is None:
        return None
    return found[1](desugar, func.value.id, length, *node.args)


def _joined(desugar: State, name: str, left: gast.expr, right: gast.expr) -> gast.expr:
    return library("rt.joined(x, y)", x=left, y=right) if name in desugar.varied else gast.BinOp(left, gast.Add(), right)


def _append(desugar: State, name: str, length: int, item: Any) -> gast.expr:
    desugar.emit(assign(name, _cut(_joined(desugar, name, load(name), gast.List([desugar.expr(item)], gast.Load())), length)))
    return constant(None)


def _append_left(desugar: State, name: str, length: int, item: Any) -> gast.expr:
    value = _joined(desugar, name, gast.List([desugar.expr(item)], gast.Load()), load(name))
    desugar.emit(assign(name, subscript(value, gast.Slice(None, constant(length), None)) if length else value))
    return constant(None)


def _extend(desugar: State, name: str, length: int, items: Any) -> gast.expr:
    desugar.emit(assign(name, _cut(_joined(desugar, name, load(name), desugar.expr(call("%list", items))), length)))
    return constant(None)


def _taken(desugar: State, name: str, place: int, rest: gast.Slice) -> gast.expr:
    desugar.emit(gast.If(gast.UnaryOp(gast.Not(), load(name)), [statement("raise IndexError('pop from an empty deque')")], []))
    item = desugar.kept(subscript(name, constant(place)), "item")
    desugar.emit(assign(name, subscript(name, rest)))
    return load(item)


def _pop(desugar: State, name: str, length: int) -> gast.expr:
    return _taken(desugar, name, -1, gast.Slice(None, constant(-1), None))


def _pop_left(desugar: State, name: str, length: int) -> gast.expr:
    return _taken(desugar, name, 0, gast.Slice(constant(1), None, None))


def _rotate(desugar: State, name: str, length: int, steps: Any = None) -> gast.expr:
    """The last ones come first; the place of the cut is counted from the front, for no step leaves all as it is."""
    by = constant(1) if steps is None else desugar.expr(steps)
    count = gast.BinOp(gast.UnaryOp(gast.USub(), by), gast.Mod(), call("%max", call("%len", name), constant(1)))
    place = desugar.kept(count, "place")
    tail, head = subscript(name, gast.Slice(load(place), None, None)), subscript(name, gast.Slice(None, load(place), None))
    desugar.emit(assign(name, _joined(desugar, name, tail, head)))
    return constant(None)


def _clear(desugar: State, name: str, length: int) -> gast.expr:
    desugar.emit(assign(name, gast.List([], gast.Load())))
    return constant(None)


Write = Callable[..., gast.expr]
METHODS: dict[object, tuple[tuple[int, ...], Write | None]] = {
    deque.append: ((1,), _append), deque.appendleft: ((1,), _append_left), deque.extend: ((1,), _extend), deque.pop: ((0,), _pop),
    deque.popleft: ((0,), _pop_left), deque.rotate: ((0, 1), _rotate), deque.clear: ((0,), _clear), deque.index: ((1,), None),
    deque.count: ((1,), None)}
