"""Methods and operators of lists that nothing else holds, as new lists.

    values.insert(1, x)      →      values = rt.joined(rt.joined(values[:1], [x]), values[1:])
    a + b                    →      rt.joined(a, b)
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import gast

from ..syntax.building import call, clone, constant, library, load, mark, subscript
from ..syntax.nodes import is_atom, unparse
from . import consumers, containers, in_place_calls, parts
from .state import State
from .templates import template


def operator(desugar: State, node: gast.BinOp) -> Any:
    """`a + b` of lists or tuples, and `[v] * 3`, evaluated."""
    left, right = node.left, node.right
    sides = containers.of(desugar, left), containers.of(desugar, right)
    node.holds = containers.operated(node.op, *sides)
    if isinstance(node.op, gast.Add) and node.holds is None and desugar.carries(node):
        known = next((one for one in sides if one is not None and (one.kind is list or one.kind is tuple)), None)
        if known is not None and not known.or_number and (_is_given(desugar, left) or _is_given(desugar, right)):
            node.holds = known                             # or it is refused when it runs
    if node.holds is None or node.holds.or_number or not isinstance(node.op, (gast.Add, gast.Mult)) \
            or not desugar.carries(node):
        return node
    first = containers.kind(desugar, left) is not None
    if isinstance(node.op, gast.Add):
        new = library("rt.joined(x, y)", x=left, y=right)
    elif desugar.carries(right if first else left) and not _one_again(desugar, left if first else right):
        return _multiplied(desugar, node, first)           # by no whole number: NumPy multiplies the items
    else:
        if not first and not isinstance(left, gast.Constant):
            left = load(desugar.kept(left, "count"))
        new = library("rt.repeated(x, n)", x=left if first else right, n=right if first else left)
    new.holds = node.holds
    return new


def _is_given(desugar: State, node: Any) -> bool:
    """What a function of the user gives, or one that is known only when it runs."""
    return isinstance(node, gast.Call) and desugar.scope.operation(node).kind in ("dynamic", "function")


def _one_again(desugar: State, listed: Any) -> bool:
    """`[v] * n`, `(v,) * n` where nobody says that n is no whole number: the value n times, or refused when it runs."""
    return desugar.wrt is None and isinstance(listed, (gast.List, gast.Tuple)) and len(listed.elts) == 1


def _multiplied(desugar: State, node: gast.BinOp, first: bool) -> gast.BinOp:
    """A list times an array, which is an array: `np.asarray([u, v]) * x`."""
    listed, other = (node.left, node.right) if first else (node.right, node.left)
    listed = library("np.asarray(x)", x=listed)
    if not is_atom(other):
        listed = load(desugar.kept(listed, "items")) if first else listed
        other = load(desugar.kept(other, "value"))
    check = library("rt.check_factor(x, n)", x=clone(other), n=constant(unparse(node)))
    desugar.emit(desugar.placed(mark(gast.Expr(check), role="guard", note="guard")))
    node.left, node.right = (listed, other) if first else (other, listed)
    node.holds = None
    return node


def meaning(desugar: State, node: gast.Call) -> Any:
    """A method of a list or dict that gives something."""
    return load(desugar.kept(node, "item")) if pops(desugar, node) \
        else parts.setdefault(desugar, node) or containers.copied(desugar, node)


def _delete(desugar: State, name: str, index: Any) -> gast.expr:
    """`del L[i]`, and of a slice."""
    return containers.anew(desugar, name, library("rt.without(x, cut)", x=name, cut=_cut(desugar, index)))


def _set(desugar: State, name: str, index: Any, items: Any) -> gast.expr | None:
    """`L[a:b] = xs`."""
    if not isinstance(index, gast.Slice):
        return None
    value = desugar.expr(items)
    if not isinstance(value, gast.List):
        value = load(desugar.kept(desugar.expr(desugar.placed(call("%list", value))), "items"))
    elif index.lower is not None or index.upper is not None or index.step is not None:
        value = load(desugar.kept(value, "items"))           # before the bounds, as Python does
    return containers.anew(desugar, name,
                           library("rt.with_slice(x, cut, v)", x=name, cut=_cut(desugar, index), v=value))


def _cut(desugar: State, index: Any) -> gast.expr:
    """An index, or a slice as a value."""
    if isinstance(index, gast.Slice):
        bounds = [constant(None) if one is None else desugar.expr(one)
                  for one in (index.lower, index.upper, index.step)]
        return gast.Call(load("%slice"), bounds, [])
    return desugar.named(index, "place")


def augmented(desugar: State, stmt: gast.AugAssign) -> bool:
    """`L += xs`, `t += u`, `t *= n`."""
    made = containers.of(desugar, stmt.target) if isinstance(stmt.target, gast.Name) else None
    if made is None or not isinstance(stmt.op, (gast.Add, gast.Mult)):
        return False
    name = stmt.target.id
    if isinstance(stmt.op, gast.Add) and made.kind is list \
            and (not made.or_number or containers.kind(desugar, stmt.value) is not None):
        source = stmt.value
        if not _is_iterable(desugar, source):
            source = load(desugar.kept(desugar.expr(source), "items"))
            in_place_calls.guard(desugar, library("rt.check_items(x, n)", x=source, n=constant(unparse(stmt.value))))
        parts.extend(desugar, load(name), source)
        return True
    if made.kind is tuple:
        new = gast.copy_location(gast.Assign([stmt.target], gast.BinOp(load(name), stmt.op, stmt.value), None), stmt)
        desugar.statement(desugar.placed(new))
        return True
    return False


def _is_iterable(desugar: State, node: Any) -> bool:
    """No array for certain, which would not be joined to a list, but added to it."""
    if isinstance(node, gast.Name):
        return containers.kind(desugar, node) is not None or node.id in desugar.iterators
    if isinstance(node, gast.Call):
        fn = desugar.object(node.func)
        return containers.kind(desugar, node) is not None or isinstance(fn, type) or inspect.isgeneratorfunction(fn)
    return not isinstance(node, (gast.Subscript, gast.Attribute, gast.BinOp, gast.UnaryOp, gast.IfExp))


def pops(desugar: State, node: Any) -> bool:
    """`L.pop()`."""
    func = getattr(node, "func", None)
    return isinstance(func, gast.Attribute) and func.attr == "pop" and isinstance(func.value, gast.Name) \
        and not node.args and not node.keywords and func.value.id in desugar.local


def _repeat(desugar: State, name: str, count: Any) -> gast.expr | None:
    """`L *= n`."""
    if desugar.holds[name].or_number:
        return None
    return template(desugar, "items = items * count\nNone", items=name, count=count)


def _pop(desugar: State, name: str, index: Any) -> gast.expr:
    where: Any = desugar.named(index, "place")
    item = desugar.kept(subscript(name, where), "item")
    if isinstance(where, gast.Constant) and type(where.value) is int and where.value >= 0:
        rest = "items[1:]" if where.value == 0 else "rt.joined(items[:place], items[after:])"
        return template(desugar, f"items = {rest}\nitem", items=name, item=item, place=where,
                        after=constant(where.value + 1))
    return template(desugar, """
        place = rt.place(items, where)
        items = rt.joined(items[:place], items[place + 1:])
        item""", items=name, item=item, where=where)


def _insert(desugar: State, name: str, place: Any, item: Any) -> gast.expr:
    place, item = desugar.operands([place, item])
    place = desugar.named(place, "place")
    if isinstance(place, gast.Constant) and place.value == 0:
        return template(desugar, "items = rt.joined([item], items)\nNone", items=name, item=item)
    return template(desugar, "items = rt.joined(rt.joined(items[:place], [item]), items[place:])\nNone", items=name,
                    item=item, place=place)


def _sort(desugar: State, name: str, **how: gast.expr) -> gast.expr:
    keywords = [gast.keyword(key, value) for key, value in how.items()]
    if name in desugar.varied and consumers.unsteady(desugar, keywords, {name}):
        return containers.anew(desugar, name, consumers.ordered(desugar, name, keywords))
    return containers.anew(desugar, name, gast.Call(load("%sorted"), [load(name)], keywords))


def _remove(desugar: State, name: str, item: Any) -> gast.expr:
    return template(desugar, """
        place = items.index(item)
        items = rt.joined(items[:place], items[place + 1:])
        None""", items=name, item=item)


def _carrying(write: Callable[..., gast.expr | None]) -> Callable[..., gast.expr | None]:
    """The same for lists that carry a derivative; others are changed as Python does."""
    @wraps(write)
    def carried(desugar: State, name: str, *args: Any, **keywords: Any) -> gast.expr | None:
        return write(desugar, name, *args, **keywords) if name in desugar.varied else None
    return carried


METHODS: dict[object, Callable[..., gast.expr | None]] = {
    list.reverse: lambda desugar, name: template(desugar, "items = items[::-1]\nNone", items=name), list.sort: _sort,
    list.clear: _carrying(lambda desugar, name: template(desugar, "items = []\nNone", items=name)),
    list.insert: _carrying(_insert), list.pop: _carrying(_pop), list.remove: _carrying(_remove),
    list.__delitem__: _carrying(_delete), list.__setitem__: _carrying(_set), list.__imul__: _carrying(_repeat)}
