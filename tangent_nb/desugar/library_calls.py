"""Calls of NumPy, SciPy and `math` that are other calls, put together.

Needs a call that carries a derivative, and has no row. Promises the functions that it is made of,
its arguments evaluated once.

    divmod(x, y)                                  →      x // y, x % y
    math.log(x, b)                                →      math.log(x) / math.log(b)
    np.select([a, b], [x, y], z)                  →      np.where(a, x, np.where(b, y, z))
    np.piecewise(x, [x < 0.0], [f, 1.0])          →      y = np.zeros_like(x); y[c] = f(x[c]); y[~c] = 1.0        y
    np.einsum(x, [0, 1], y, [1, 2], [0, 2])       →      np.einsum("AB,BC->AC", x, y)
    cho_solve((L, True), b)          →      y = scipy.linalg.solve_triangular(L, b, lower=True)
                                            scipy.linalg.solve_triangular(L, y, 1, True)
    cho_solve(cho_factor(A), b)      →      scipy.linalg.solve(A, b, assume_a="pos")
    lu_solve(lu_factor(A), b)        →      scipy.linalg.solve(A, b)
    cho_factor(A)                    →      (scipy.linalg.cholesky(A) + np.tril(A, -1), False)
"""
from __future__ import annotations

import math
import string
from collections.abc import Callable
from functools import reduce
from typing import Any

import gast
import numpy as np

from ..rules import lookup
from ..syntax.building import clone, constant, library, load, mark, subscript, tuple_of
from ..syntax.nodes import is_literal, literal, nodes_in, unparse
from . import functions, iterators, mapped
from .in_place_calls import steady
from .state import State
from .templates import template

LETTERS = string.ascii_uppercase + string.ascii_lowercase          # in the order in which einsum sorts them


def called(desugar: State, node: gast.Call) -> Any:
    """What to write for a call that is made of others."""
    if any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return None
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "item" and node.args and not node.keywords \
            and desugar.carries(func.value):
        return _item(desugar, node)
    fn = desugar.object(node.func)
    made = next((made for one, fits, made in MADE if one is fn and fits(desugar, node)), None)
    if made is not None:
        return desugar.placed(made(desugar, node)) \
            if any(map(desugar.carries, [*node.args, *(k.value for k in node.keywords)])) else None
    return _solved(desugar, node)


def attribute(desugar: State, node: gast.Attribute) -> Any:
    """`m.flat`, whose items are those of `np.ravel(m)`."""
    if node.attr != "flat" or not isinstance(node.value, gast.Name) or not desugar.carries(node.value) \
            or _is_written(desugar, node) or _is_object(desugar, node.value.id):
        return None
    return desugar.placed(library("np.ravel(x)", x=node.value))


def _is_written(desugar: State, node: gast.Attribute) -> bool:
    """It is the target of an assignment, or of one to an item of it."""
    name = node.value.id
    return any(isinstance(part, (gast.Subscript, gast.Attribute)) and not isinstance(part.ctx, gast.Load)
               and any(isinstance(inner, gast.Attribute) and inner.attr == "flat" and getattr(inner.value, "id", "")
                       == name for inner in nodes_in(part)) for part in nodes_in(desugar.tree))


def _is_object(desugar: State, name: str) -> bool:
    """The variable holds something that has other attributes than an array."""
    return name in desugar.objects \
        or any(isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name) and part.value.id == name
               and not hasattr(np.ndarray, part.attr) for part in nodes_in(desugar.tree))


# ---------------------------------------------------------------------- numbers
def _template(text: str) -> Callable[[State, gast.Call], gast.expr]:
    """A call of x and y as an expression in which each may be read twice."""
    return lambda desugar, node: template(desugar, text, **dict(zip("xy", steady(desugar, node.args), strict=True)))


def _hypot(desugar: State, node: gast.Call) -> gast.expr:
    first, *rest = desugar.operands(node.args)
    return reduce(lambda x, y: library("math.hypot(x, y)", x=x, y=y), rest, first) if rest \
        else library("math.fabs(x)", x=first)


def _prod(desugar: State, node: gast.Call) -> gast.expr:
    """`math.prod(xs, start=v)`."""
    source = iterators.sequence(desugar, node.args[0])
    return template(desugar, """
        value = start
        for item in xs:
            value = value * item
        value""", xs=source, start=node.keywords[0].value if node.keywords else constant(1))


# ---------------------------------------------------------------------- arrays
def _select(desugar: State, node: gast.Call) -> gast.expr:
    given: list[Any] = [*node.args, *(k.value for k in node.keywords)]
    tests, values, *default = given
    count = len(tests.elts)
    *parts, made = desugar.operands([*tests.elts, *values.elts, *(default or [constant(0)])])
    for test, value in reversed(list(zip(parts[:count], parts[count:], strict=True))):
        made = library("np.where(c, x, y)", c=test, x=value, y=made)
    return made


def _selects(desugar: State, node: gast.Call) -> bool:
    """The conditions and choices are written out, as many of one as of the other."""
    if not 2 <= len(node.args) <= 3 or [k.arg for k in node.keywords] not in ([], ["default"]) \
            or len(node.args) + len(node.keywords) > 3:
        return False
    tests, values = node.args[:2]
    written = isinstance(tests, (gast.List, gast.Tuple)) and isinstance(values, (gast.List, gast.Tuple))
    return written and len(tests.elts) == len(values.elts) > 0 \
        and not any(isinstance(one, gast.Starred) for one in [*tests.elts, *values.elts])


def _item(desugar: State, node: gast.Call) -> gast.expr:
    """`x.item(i)` counts in the whole array; `x.item(i, j)` is an element of a matrix."""
    base, *where = desugar.operands([node.func.value, *node.args])
    single = where[0] if len(where) == 1 else None
    if single is not None and not isinstance(single, gast.Tuple):
        if type(literal(single, None)) is not int:
            shown, at = desugar.text(node.func.value, "x"), desugar.text(node.args[0], "i")
            raise desugar.refused(node, f".item({at}) means different things for a number and for a tuple, "
                                  f"and {at} is not known beforehand",
                                  f"{shown}.ravel()[{at}] for a number, {shown}[{at}] for a tuple")
        part = subscript(library("np.ravel(x)", x=base), single)
    else:
        part = subscript(base, tuple_of(where) if single is None else single)
    return gast.copy_location(gast.Call(gast.Attribute(part, "item", gast.Load()), [], []), node)


# ---------------------------------------------------------------------- lists of axes, and of functions
def _has_lists(desugar: State, node: gast.Call) -> bool:
    """`np.einsum(x, [0, 1], ...)`, the lists of small numbers and `...`."""
    lists: Any = [*node.args[1::2], *(node.args[-1:] if len(node.args) % 2 else [])]
    return len(node.args) > 1 and not node.keywords and all(isinstance(one, (gast.List, gast.Tuple)) and all(
        is_literal(n) and (literal(n) is ... or type(literal(n)) is int and 0 <= literal(n) < len(LETTERS))
        for n in one.elts) for one in lists)


def _subscripts(desugar: State, node: gast.Call) -> gast.expr:
    def text(axes: Any) -> str:
        return "".join("..." if literal(n) is ... else LETTERS[literal(n)] for n in axes.elts)

    count = len(node.args) // 2 * 2
    subscripts = ",".join(map(text, node.args[1:count:2])) \
        + ("->" + text(node.args[-1]) if len(node.args) > count else "")
    made: Any = library("np.einsum(s)", s=constant(subscripts))
    made.args += desugar.operands(node.args[:count:2])
    return gast.copy_location(made, node)


def _has_pieces(desugar: State, node: gast.Call) -> bool:
    """The conditions and the functions, or numbers, are written out; there may be one more of these."""
    if len(node.args) != 3 or node.keywords \
            or not all(isinstance(one, (gast.List, gast.Tuple)) for one in node.args[1:]):
        return False
    tests, values = node.args[1].elts, node.args[2].elts
    return len(tests) > 0 and len(values) - len(tests) in (0, 1) \
        and all(functions.is_value(desugar, one) or is_literal(one) for one in values)


def _pieces(desugar: State, node: gast.Call) -> gast.expr:
    tests, values = node.args[1].elts, node.args[2].elts
    x = load(desugar.kept(library("np.asarray(x)", x=desugar.expr(node.args[0])), "points"))
    shown = unparse(node.args[0])
    desugar.emit(mark(gast.Expr(library("rt.check_pieces(x, n)", x=clone(x), n=constant(shown))), role="guard",
                      note="guard"))
    masks = [load(desugar.kept(desugar.expr(test), "mask")) for test in tests]
    y = load(desugar.kept(library("np.zeros_like(x)", x=clone(x)), "pieces"))
    if len(values) > len(tests):
        either = clone(masks[0])
        for mask in masks[1:]:
            either = library("np.logical_or(c, d)", c=either, d=clone(mask))
        masks.append(load(desugar.kept(library("np.logical_not(c)", c=either), "mask")))
    for mask, value in zip(masks, values, strict=True):
        piece = gast.Call(value, [subscript(clone(x), clone(mask))], []) \
            if functions.is_value(desugar, value) else value
        target = gast.Subscript(clone(y), clone(mask), gast.Store())
        desugar.statement(desugar.placed(gast.Assign([target], piece, None)))
    return y


# ---------------------------------------------------------------------- equations solved by factors
def _solved(desugar: State, node: gast.Call) -> gast.expr | None:
    """`cho_solve` and `lu_solve` of factors that are differentiated, and `cho_factor`."""
    if _is(desugar, node, "cho_factor") and desugar.carries(node):
        return _factored(desugar, node)
    if len(node.args) != 2 or node.keywords or not desugar.carries(node.args[0]):
        return None
    factors = node.args[0]
    if _is(desugar, node, "lu_solve") and _is(desugar, factors, "lu_factor") and len(factors.args) == 1 \
            and not factors.keywords:
        return _by_matrix(desugar, node, factors, "None")
    if not _is(desugar, node, "cho_solve"):
        return None
    if isinstance(factors, gast.Tuple) and len(factors.elts) == 2 and is_literal(factors.elts[1]) \
            and type(literal(factors.elts[1])) is bool:
        return _by_triangles(desugar, node, factors.elts[0], literal(factors.elts[1]))
    if _is(desugar, factors, "cho_factor") and len(factors.args) == 1 \
            and all(k.arg == "lower" for k in factors.keywords):
        return _by_matrix(desugar, node, factors, "'pos'")
    f, b = steady(desugar, [factors, node.args[1]], "factors")
    return template(desugar, """
        lower = bool(f[1])
        scipy.linalg.solve_triangular(f[0], scipy.linalg.solve_triangular(f[0], b, int(not lower), lower), int(lower),
                                      lower)""", f=f, b=b)


def _factored(desugar: State, node: gast.Call) -> gast.expr | None:
    """`cho_factor(a)` leaves in the other triangle what was there before."""
    given = [*node.args[1:], *(k.value for k in node.keywords)]
    if len(node.args) > 2 or len(given) > 1 or any(k.arg != "lower" for k in node.keywords) \
            or not all(is_literal(one) and type(literal(one)) is bool for one in given):
        return None
    (a,) = steady(desugar, node.args[:1], "matrix")
    if given and literal(given[0]):
        return desugar.placed(library("(scipy.linalg.cholesky(a, True) + np.triu(a, 1), True)", a=a))
    return desugar.placed(library("(scipy.linalg.cholesky(a) + np.tril(a, -1), False)", a=a))


def _is(desugar: State, node: Any, name: str) -> bool:
    """A call of a function of `scipy.linalg`."""
    fn = desugar.object(node.func) if isinstance(node, gast.Call) else None
    row = lookup(fn) if getattr(fn, "__name__", "") == name else None
    return row is not None and row.name == f"scipy.linalg.{name}"


def _by_triangles(desugar: State, node: gast.Call, factor: gast.expr, lower: bool) -> gast.expr:
    c, b = steady(desugar, [factor, node.args[1]], "factor")
    inner, outer = ("lower=True", "1, True") if lower else ("1", "")
    first = library(f"scipy.linalg.solve_triangular(c, b, {inner})", c=c, b=b)
    return desugar.placed(library(f"scipy.linalg.solve_triangular(c, b, {outer})", c=clone(c), b=first))


def _by_matrix(desugar: State, node: gast.Call, factors: Any, assumed: str) -> gast.expr:
    a, b = desugar.operands([factors.args[0], node.args[1]])
    solved: Any = library(f"scipy.linalg.solve(a, b, assume_a={assumed})", a=a, b=b)
    solved.keywords = [*factors.keywords, *solved.keywords] if assumed != "None" else []
    return desugar.placed(solved)


def _given(*counts: int) -> Callable[[State, gast.Call], bool]:
    return lambda desugar, node: len(node.args) in counts and not node.keywords


def _with_start(desugar: State, node: gast.Call) -> bool:
    return len(node.args) == 1 and [k.arg for k in node.keywords] in ([], ["start"])


def _gives(fits: Callable[[gast.Call], bool]) -> Callable[[State, gast.Call], bool]:
    """The first argument is a function whose text is known."""
    return lambda desugar, node: fits(node) and functions.is_value(desugar, node.args[0])


MADE: tuple[tuple[Any, Callable[[State, gast.Call], bool], Callable[[State, gast.Call], gast.expr]], ...] = (
    (divmod, _given(2), _template("(x // y, x % y)")),
    (np.divmod, _given(2), _template("(np.floor_divide(x, y), np.mod(x, y))")),
    (math.log, _given(2), _template("math.log(x) / math.log(y)")), (math.hypot, _given(1, 3, 4, 5, 6), _hypot),
    (math.prod, _with_start, _prod),
    (np.select, _selects, _select), (np.einsum, _has_lists, _subscripts), (np.piecewise, _has_pieces, _pieces),
    (np.fromfunction, _gives(mapped.has_places), mapped.of_places),
    (np.apply_along_axis, _gives(mapped.has_rows), mapped.of_rows))
