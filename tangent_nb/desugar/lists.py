"""Methods and operators of lists that nothing else holds, as new lists.

    values.insert(1, x)      →      values = rt.joined(rt.joined(values[:1], [x]), values[1:])
    a + b                    →      rt.joined(a, b)

A list that has another name, or stands in another container, is left for the fence: the other would have to change with it.
"""
from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from ..rules import lookup, may_change
from ..syntax.nodes import assign, call, clone, constant, library, load, names_in, nodes_in, store, subscript, unparse
from . import in_place_calls, keys, parts
from .scopes import bindings
from .state import State

TOLIST = lookup(np.ndarray.tolist)


def unshared(desugar: State, tree: gast.FunctionDef, name: str) -> bool:
    """A local list is never given another name, put into a container, or given to a function that may keep it."""
    fine: set[int] = set()
    for node in nodes_in(tree):
        if isinstance(node, (gast.Subscript, gast.Attribute)):
            fine.add(id(node.value))
        elif isinstance(node, (gast.For, gast.comprehension)):
            fine.add(id(node.iter))
        elif isinstance(node, gast.BinOp):
            fine.update((id(node.left), id(node.right)))
        elif isinstance(node, (gast.If, gast.While, gast.IfExp)):
            fine.add(id(node.test))
        elif isinstance(node, gast.Compare):
            fine.update(map(id, [node.left, *node.comparators]))
        elif isinstance(node, (gast.UnaryOp, gast.Starred)):
            fine.add(id(getattr(node, "operand", None) or getattr(node, "value", None)))
        elif isinstance(node, gast.Return):
            fine.add(id(node.value))
        elif isinstance(node, gast.Call) and (_leaves(desugar, node) or isinstance(node.func, gast.Attribute) and any(
                desugar.scope.value(node.func.value) is module for module in (np, math))):
            fine.update(map(id, node.args))
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], (gast.Tuple, gast.List)):
            fine.add(id(node.value))
    nested = {part.id for node in nodes_in(tree) if isinstance(node, (gast.FunctionDef, gast.Lambda)) and node is not tree
              for part in nodes_in(node) if isinstance(part, gast.Name)}
    return name not in nested and all(id(node) in fine for node in nodes_in(tree)
                                      if isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Load))


def gone_over(tree: gast.FunctionDef, name: str) -> bool:
    """A loop goes over a list, and changes it: Python's loop would see that."""
    for loop in nodes_in(tree):
        if isinstance(loop, gast.For) and _mentions(loop.iter, name):
            for part in nodes_in(gast.Module(loop.body, [])):
                if isinstance(part, gast.Attribute) and _mentions(part.value, name) and may_change(part.attr) \
                        or isinstance(part, gast.Subscript) and not isinstance(part.ctx, gast.Load) and _mentions(part.value, name) \
                        or isinstance(part, gast.AugAssign) and _mentions(part.target, name):
                    return True
    return False


def _mentions(node: gast.AST, name: str) -> bool:
    return any(isinstance(part, gast.Name) and part.id == name for part in nodes_in(node))


def _leaves(desugar: State, node: gast.Call) -> bool:
    """A call that goes over what it is given, asks for its length, or shows it, and does not keep it."""
    row = desugar.scope.effects(node)
    return bool(row.iterates or row.shape_only or row.outside == "text") and row.owner is None and not row.changes and not row.holds


def find(desugar: State) -> None:
    """Which names are bound to new lists, or new tuples, wherever they are bound."""
    paired = {id(one): value for node in nodes_in(desugar.tree) for one, value in pairs(node)}
    augmented = {id(node.target) for node in nodes_in(desugar.tree) if isinstance(node, gast.AugAssign)}
    values: dict[str, list[Any]] = {}
    for name, nodes in bindings(desugar.tree).items():
        found = [node.value if isinstance(node, gast.Assign) else paired.get(id(node)) for node in nodes if id(node) not in augmented]
        if found and all(value is not None and not isinstance(value, (gast.Name, gast.IfExp)) for value in found):
            values[name] = found
    desugar.lists = desugar.lists_or_numbers = desugar.tuples = set(values)
    while wrong := {name for name in desugar.lists_or_numbers if not all(is_list(desugar, value, numbers=True) for value in values[name])}:
        desugar.lists_or_numbers = desugar.lists_or_numbers - wrong
        desugar.sums.clear()
    while wrong := {name for name in desugar.lists if not all(is_list(desugar, value) for value in values[name])}:
        desugar.lists = desugar.lists - wrong
        desugar.sums.clear()
    while wrong := {name for name in desugar.tuples if not all(_is(desugar, value, tuple) for value in values[name])}:
        desugar.tuples = desugar.tuples - wrong
        desugar.sums.clear()


def pairs(node: Any) -> Iterator[tuple[gast.Name, Any]]:
    """`(a, v)` and `(b, w)` for `a, b = v, w`, where the values do not read what is bound."""
    target, value = (node.targets[0], node.value) if isinstance(node, gast.Assign) and len(node.targets) == 1 else (None, None)
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)) and len(target.elts) == len(value.elts) \
            and all(isinstance(one, gast.Name) for one in target.elts) and not any(isinstance(one, gast.Starred) for one in value.elts) \
            and not {one.id for one in target.elts} & names_in(value):
        yield from zip(target.elts, value.elts, strict=True)


def is_list(desugar: State, node: Any, *, numbers: bool = False) -> bool:
    """An expression is a list for certain; numbers: or may be a number, as `x.tolist()` of an array without dimensions is."""
    return _is(desugar, node, list, numbers)


def _is(desugar: State, node: Any, kind: type, numbers: bool = False) -> bool:
    """An expression is a list, or a tuple, for certain; of sums and products it is found once."""
    if isinstance(node, (gast.List, gast.ListComp) if kind is list else gast.Tuple):
        return True
    if isinstance(node, gast.Name):
        return node.id in (desugar.tuples if kind is tuple else desugar.lists_or_numbers if numbers else desugar.lists)
    if isinstance(node, gast.Call):
        fn = desugar.object(node.func)
        return fn is kind or getattr(node, "joins", "") == kind.__name__ or kind is list and (
            fn is sorted or is_copy(desugar, node, numbers=numbers) or numbers and desugar.scope.operation(node).rule is TOLIST)
    if isinstance(node, gast.Subscript):
        return isinstance(node.slice, gast.Slice) and _is(desugar, node.value, kind, numbers)
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, (gast.Add, gast.Mult)):
        return False
    known = desugar.sums.get((id(node), kind, numbers))
    if known is None or known[0] is not node:
        sides = (node.left, node.right)
        made = any(_is(desugar, side, kind, numbers) for side in sides) and (
            isinstance(node.op, gast.Mult) or all(_is(desugar, side, kind, True) for side in sides))
        known = desugar.sums[id(node), kind, numbers] = node, made
    return known[1]


def is_copy(desugar: State, node: Any, *, numbers: bool = False) -> bool:
    """`xs.copy()` of a list."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "copy" and not node.args \
        and not node.keywords and is_list(desugar, node.func.value, numbers=numbers)


def kind(desugar: State, node: Any) -> str:
    """`"list"`, `"tuple"`, or `""` where it is not certain."""
    return "list" if is_list(desugar, node) else "tuple" if _is(desugar, node, tuple) else ""


def joins(desugar: State, node: gast.BinOp) -> tuple[str, bool]:
    """What `a + b` or `a * n` makes of lists or tuples, `""` where it is none; whether the first operand is one."""
    made = kind(desugar, node) if isinstance(node.op, (gast.Add, gast.Mult)) else ""
    return made if made and desugar.carries(node) else "", bool(made and kind(desugar, node.left))


def operator(desugar: State, node: gast.BinOp, joins: tuple[str, bool]) -> Any:
    """`a + b` of lists or tuples, and `[v] * 3`, evaluated."""
    made, first = joins
    left, right = node.left, node.right
    if not made:
        return None
    if isinstance(node.op, gast.Add):
        new = library("rt.joined(x, y)", x=left, y=right)
    else:
        if not first and not isinstance(left, gast.Constant):
            left = load(desugar.kept(left, "count"))
        new = library("rt.repeated(x, n)", x=left if first else right, n=right if first else left)
    new.joins = made
    return new


def append(name: str, item: gast.expr) -> gast.stmt:
    """`L.append(item)`."""
    return gast.Expr(gast.Call(gast.Attribute(load(name), "append", gast.Load()), [item], []))


def extend(desugar: State, name: str, source: Any) -> None:
    """`L.extend(xs)`."""
    if isinstance(source, (gast.List, gast.Tuple)) and not any(isinstance(item, gast.Starred) for item in source.elts):
        own_items = name in names_in(source)
        items = [load(desugar.kept(desugar.expr(i), "item")) for i in source.elts] if own_items else desugar.operands(source.elts)
        for part in items:
            desugar.statement(desugar.placed(append(name, part)))
        return
    if name in names_in(source):
        source = load(desugar.kept(desugar.expr(desugar.placed(call("%list", source))), "items"))
    item = desugar.temporary("item")
    desugar.statement(desugar.placed(gast.For(store(item), source, [append(name, load(item))], [], None)))


def extends(desugar: State, stmt: gast.Expr) -> bool:
    """`L.extend(xs)` as a statement, and that of a part of a container."""
    node = stmt.value
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "extend") \
            or len(node.args) != 1 or node.keywords:
        return False
    if isinstance(node.func.value, gast.Subscript):
        return parts.extends(desugar, node.func.value, node.args[0])
    if not isinstance(node.func.value, gast.Name):
        return False
    name = node.func.value.id
    if name in desugar.local and name not in desugar.functions and (name in desugar.varied or name in desugar.lists):
        extend(desugar, name, node.args[0])
        return True
    return False


def meaning(desugar: State, node: gast.Call) -> Any:
    """A method of a list or dict that gives something."""
    return pop(desugar, node) or parts.setdefault(desugar, node) or copied(desugar, node)


def deleted(desugar: State, target: Any) -> bool:
    """`del L[i]`, and of a slice, as a new list without it."""
    if not (isinstance(target, gast.Subscript) and _is_receiver(desugar, target.value)):
        return False
    cut = _cut(desugar, target.slice)
    desugar.emit(assign(target.value.id, library("rt.without(x, cut)", x=target.value.id, cut=cut)))
    return True


def slice_set(desugar: State, stmt: gast.Assign) -> bool:
    """`L[a:b] = xs` as a new list."""
    target = stmt.targets[0]
    if not (len(stmt.targets) == 1 and isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Slice)
            and _is_receiver(desugar, target.value)):
        return False
    value = desugar.expr(stmt.value)
    if not isinstance(value, gast.List):
        value = load(desugar.kept(desugar.expr(desugar.placed(call("%list", value))), "items"))
    elif target.slice.lower is not None or target.slice.upper is not None or target.slice.step is not None:
        value = load(desugar.kept(value, "items"))           # before the bounds, as Python does
    new = library("rt.with_slice(x, cut, v)", x=target.value.id, cut=_cut(desugar, target.slice), v=value)
    desugar.emit(assign(target.value.id, new))
    return True


def _cut(desugar: State, index: Any) -> gast.expr:
    """An index, or a slice as a value."""
    if isinstance(index, gast.Slice):
        bounds = [constant(None) if one is None else desugar.expr(one) for one in (index.lower, index.upper, index.step)]
        return gast.Call(load("%slice"), bounds, [])
    return desugar.named(index, "place")


def augmented(desugar: State, stmt: gast.AugAssign) -> bool:
    """`L += xs`, `L *= n`, `t += u`."""
    if not isinstance(stmt.target, gast.Name) or not isinstance(stmt.op, (gast.Add, gast.Mult)):
        return False
    name = stmt.target.id
    if isinstance(stmt.op, gast.Add) and (name in desugar.lists or name in desugar.lists_or_numbers and kind(desugar, stmt.value)):
        source = stmt.value
        if not _is_iterable(desugar, source):
            source = load(desugar.kept(desugar.expr(source), "items"))
            in_place_calls.guard(desugar, library("rt.check_items(x, n)", x=source, n=constant(unparse(stmt.value))))
        extend(desugar, name, source)
        return True
    if name in desugar.tuples or name in desugar.lists and _is_receiver(desugar, load(name)):
        new = gast.copy_location(gast.Assign([stmt.target], gast.BinOp(load(name), stmt.op, stmt.value), None), stmt)
        desugar.statement(desugar.placed(new))
        return True
    return False


def _is_iterable(desugar: State, node: Any) -> bool:
    """No array for certain, which would not be joined to a list, but added to it."""
    if isinstance(node, gast.Name):
        return bool(kind(desugar, node)) or node.id in desugar.iterators
    if isinstance(node, gast.Call):
        fn = desugar.object(node.func)
        return bool(kind(desugar, node)) or isinstance(fn, type) or inspect.isgeneratorfunction(fn)
    return not isinstance(node, (gast.Subscript, gast.Attribute, gast.BinOp, gast.UnaryOp, gast.IfExp))


def copied(desugar: State, node: gast.Call) -> Any:
    """`L.copy()`."""
    if not is_copy(desugar, node) or not desugar.carries(node.func.value):
        return None
    return desugar.expr(desugar.placed(subscript(node.func.value, gast.Slice(None, None, None))))


def statement(desugar: State, stmt: gast.Expr) -> bool:
    """`L.insert(i, v)`, `L.reverse()`, `L.sort()`, `L.clear()`, `L.remove(v)`, and `L.pop(i)`, as statements."""
    node: Any = stmt.value
    name = _receiver(desugar, node) or _ordered(desugar, node)
    if name is None:
        return False
    if node.func.attr == "pop" and len(node.args) == 1:
        _taken_out(desugar, name, node.args[0])
        return True
    made = NEW.get(getattr(list, node.func.attr, None))
    if made is None:
        return False
    value = made(desugar, name, node)
    if value is None:
        return False
    desugar.statement(desugar.placed(assign(name, value)))
    return True


def pop(desugar: State, node: gast.Call) -> Any:
    """`L.pop()` in an expression, and `L.pop(i)`, which take an item out before what follows."""
    if not pops(desugar, node):
        return None
    if not node.args:
        return load(desugar.kept(node, "item"))
    name = _receiver(desugar, node) if len(node.args) == 1 else None
    return _taken_out(desugar, name, node.args[0]) if name is not None and name in desugar.lists_or_numbers else None


def pops(desugar: State, node: Any) -> bool:
    """`L.pop()`, and of other items than the last."""
    func = getattr(node, "func", None)
    return isinstance(func, gast.Attribute) and func.attr == "pop" and isinstance(func.value, gast.Name) and not node.keywords \
        and func.value.id in desugar.local


def _receiver(desugar: State, node: Any) -> str | None:
    """The list whose method is called, where it may be made anew."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and _is_receiver(desugar, node.func.value)):
        return None
    return str(node.func.value.id)


def _ordered(desugar: State, node: Any) -> str | None:
    """The list of constants that is sorted, or turned round."""
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)
            and NEW.get(getattr(list, node.func.attr, None)) in (_sort, _reverse)):
        return None
    return str(node.func.value.id) if _is_own(desugar, node.func.value) else None


def _is_receiver(desugar: State, node: Any) -> bool:
    """A list with a derivative that has one name, and that no loop goes over while it changes."""
    return isinstance(node, gast.Name) and node.id in desugar.varied and _is_own(desugar, node)


def _is_own(desugar: State, node: Any) -> bool:
    return isinstance(node, gast.Name) and node.id in desugar.lists_or_numbers and node.id in desugar.local \
        and unshared(desugar, desugar.tree, node.id) and not gone_over(desugar.tree, node.id)


def _taken_out(desugar: State, name: str, index: Any) -> gast.expr:
    where: Any = desugar.named(index, "place")
    item = desugar.kept(subscript(name, where), "item")
    if not (isinstance(index, gast.Constant) and type(index.value) is int and index.value >= 0):
        at = desugar.kept(library("rt.place(x, i)", x=name, i=where), "place")
        where = load(at)
    after = gast.BinOp(clone(where), gast.Add(), constant(1)) if not isinstance(where, gast.Constant) else constant(where.value + 1)
    head, tail = subscript(name, gast.Slice(None, clone(where), None)), subscript(name, gast.Slice(after, None, None))
    rest = tail if isinstance(where, gast.Constant) and where.value == 0 else _join(head, tail)
    desugar.emit(assign(name, rest))
    return load(item)


def _join(left: gast.expr, right: gast.expr) -> gast.expr:
    return library("rt.joined(x, y)", x=left, y=right)


def _insert(desugar: State, name: str, node: gast.Call) -> gast.expr | None:
    if len(node.args) != 2 or node.keywords:
        return None
    place = desugar.named(node.args[0], "place")
    item = gast.List([node.args[1]], gast.Load())
    if isinstance(place, gast.Constant) and place.value == 0:
        return _join(item, load(name))
    head, tail = subscript(name, gast.Slice(None, clone(place), None)), subscript(name, gast.Slice(clone(place), None, None))
    return _join(_join(head, item), tail)


def _reverse(desugar: State, name: str, node: gast.Call) -> gast.expr | None:
    return subscript(name, gast.Slice(None, None, constant(-1)))


def _sort(desugar: State, name: str, node: gast.Call) -> gast.expr | None:
    if not node.args and name in desugar.varied and keys.unsteady(desugar, node.keywords, {name}):
        return keys.ordered(desugar, name, node.keywords)
    return gast.Call(load("%sorted"), [load(name)], node.keywords) if not node.args else None


def _clear(desugar: State, name: str, node: gast.Call) -> gast.expr | None:
    return gast.List([], gast.Load())


def _remove(desugar: State, name: str, node: gast.Call) -> gast.expr | None:
    if len(node.args) != 1:
        return None
    found = gast.Call(gast.Attribute(load(name), "index", gast.Load()), [node.args[0]], [])
    place = desugar.kept(desugar.expr(desugar.placed(found)), "place")
    after = gast.BinOp(load(place), gast.Add(), constant(1))
    return _join(subscript(name, gast.Slice(None, load(place), None)), subscript(name, gast.Slice(after, None, None)))


NEW: dict[object, Callable[[State, str, gast.Call], gast.expr | None]] = {
    list.insert: _insert, list.reverse: _reverse, list.sort: _sort, list.clear: _clear, list.remove: _remove}
