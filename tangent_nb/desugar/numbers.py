"""Functions of numbers and arrays that are others, put together.

Needs a call of `math`, NumPy or a builtin that carries a derivative, and has no row. Promises the functions that it is made of, its arguments
evaluated once.

    divmod(x, y)                        →      x // y, x % y
    math.log(x, b)                      →      math.log(x) / math.log(b)
    np.select([a, b], [x, y], z)        →      np.where(a, x, np.where(b, y, z))
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from ..syntax.nodes import assign, clone, constant, library, literal, load, nodes_in, store, subscript, tuple_of
from . import iterators
from .state import State


def called(desugar: State, node: gast.Call) -> Any:
    """What to write for a call of numbers, where it is made of others."""
    if any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return None
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "item" and node.args and not node.keywords and desugar.carries(func.value):
        return _item(desugar, node)
    fn = desugar.object(node.func)
    made = next((made for one, fits, made in MADE if one is fn and fits(node)), None)
    if made is None or not any(desugar.carries(arg) for arg in [*node.args, *(k.value for k in node.keywords)]):
        return None
    return desugar.placed(made(desugar, node))


def attribute(desugar: State, node: gast.Attribute) -> Any:
    """`m.flat`, whose items are those of `np.ravel(m)`."""
    if node.attr != "flat" or not isinstance(node.value, gast.Name) or not desugar.carries(node.value) or _is_written(desugar, node) \
            or _is_object(desugar, node.value.id):
        return None
    return desugar.placed(library("np.ravel(x)", x=node.value))


def _is_written(desugar: State, node: gast.Attribute) -> bool:
    """It is the target of an assignment, or of one to an item of it."""
    name = node.value.id
    return any(isinstance(part, (gast.Subscript, gast.Attribute)) and not isinstance(part.ctx, gast.Load) and any(
        isinstance(inner, gast.Attribute) and inner.attr == "flat" and getattr(inner.value, "id", "") == name for inner in nodes_in(part))
        for part in nodes_in(desugar.tree))


def _is_object(desugar: State, name: str) -> bool:
    """The variable holds something that has other attributes than an array."""
    return name in desugar.objects or any(isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name) and part.value.id == name
                                          and not hasattr(np.ndarray, part.attr) for part in nodes_in(desugar.tree))


def _steady(desugar: State, node: Any, name: str) -> gast.expr:
    """An operand that may be read twice: a name that is bound once, a literal, or a name of ours."""
    new = desugar.expr(node)
    if isinstance(new, gast.Constant) or isinstance(new, gast.Name) and (new.id in desugar.once or new.id not in desugar.local):
        return new
    return load(desugar.kept(new, name))


def _pair(desugar: State, node: gast.Call) -> gast.expr:
    left, right = (_steady(desugar, arg, "value") for arg in node.args)
    return tuple_of([gast.BinOp(left, gast.FloorDiv(), right), gast.BinOp(clone(left), gast.Mod(), clone(right))])


def _pair_of_arrays(desugar: State, node: gast.Call) -> gast.expr:
    left, right = (_steady(desugar, arg, "value") for arg in node.args)
    return tuple_of([library("np.floor_divide(x, y)", x=left, y=right), library("np.mod(x, y)", x=clone(left), y=clone(right))])


def _log(desugar: State, node: gast.Call) -> gast.expr:
    x, base = desugar.operands(node.args)
    return library("math.log(x) / math.log(b)", x=x, b=base)


def _hypot(desugar: State, node: gast.Call) -> gast.expr:
    first, *rest = desugar.operands(node.args)
    if not rest:
        return library("math.fabs(x)", x=first)
    for one in rest:
        first = library("math.hypot(x, y)", x=first, y=one)
    return first


def _prod(desugar: State, node: gast.Call) -> gast.expr:
    """`math.prod(xs, start=v)`."""
    source = iterators.sequence(desugar, node.args[0])
    start = node.keywords[0].value if node.keywords else constant(1)
    name, item = desugar.temporary("value"), desugar.temporary("item")
    desugar.statement(desugar.placed(assign(name, start)))
    step = assign(name, gast.BinOp(load(name), gast.Mult(), load(item)))
    desugar.statement(desugar.placed(gast.For(store(item), load(source), [step], [], None)))
    return load(name)


def _select(desugar: State, node: gast.Call) -> gast.expr:
    tests, values, default = node.args[0], node.args[1], node.args[2] if len(node.args) > 2 else None
    if default is None:
        default = node.keywords[0].value if node.keywords else constant(0)
    count = len(tests.elts)
    parts = desugar.operands([*tests.elts, *values.elts, default])
    made = parts[-1]
    for test, value in reversed(list(zip(parts[:count], parts[count:-1], strict=True))):
        made = library("np.where(c, x, y)", c=test, x=value, y=made)
    return made


def _selects(node: gast.Call) -> bool:
    """The conditions and choices are written out, as many of one as of the other."""
    if not 2 <= len(node.args) <= 3 or [k.arg for k in node.keywords] not in ([], ["default"]) or len(node.args) + len(node.keywords) > 3:
        return False
    tests, values = node.args[:2]
    written = isinstance(tests, (gast.List, gast.Tuple)) and isinstance(values, (gast.List, gast.Tuple))
    return written and len(tests.elts) == len(values.elts) > 0 and not any(isinstance(one, gast.Starred) for one in [*tests.elts, *values.elts])


def _item(desugar: State, node: gast.Call) -> gast.expr:
    """`x.item(i)` counts in the whole array; `x.item(i, j)` is an element of a matrix."""
    base, *where = desugar.operands([node.func.value, *node.args])
    single = where[0] if len(where) == 1 else None
    if single is not None and not isinstance(single, gast.Tuple):
        if type(literal(single, None)) is not int:
            shown, at = desugar.text(node.func.value, "x"), desugar.text(node.args[0], "i")
            raise desugar.refused(node, f".item({at}) means different things for a number and for a tuple, and {at} is not known beforehand",
                                  f"{shown}.ravel()[{at}] for a number, {shown}[{at}] for a tuple")
        part = subscript(library("np.ravel(x)", x=base), single)
    else:
        part = subscript(base, tuple_of(where) if single is None else single)
    return gast.copy_location(gast.Call(gast.Attribute(part, "item", gast.Load()), [], []), node)


def _given(*counts: int) -> Callable[[gast.Call], bool]:
    return lambda node: len(node.args) in counts and not node.keywords


def _product_given(node: gast.Call) -> bool:
    return len(node.args) == 1 and [k.arg for k in node.keywords] in ([], ["start"])


MADE: tuple[tuple[Any, Callable[[gast.Call], bool], Callable[[State, gast.Call], gast.expr]], ...] = (
    (divmod, _given(2), _pair), (np.divmod, _given(2), _pair_of_arrays), (math.log, _given(2), _log),
    (math.hypot, _given(1, 3, 4, 5, 6), _hypot), (math.prod, _product_given, _prod),
    (np.select, _selects, _select))
