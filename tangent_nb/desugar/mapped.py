"""Functions that NumPy calls for items, rows and places, as calls that are seen.

Needs a call of NumPy that is given a function whose text is known. Promises one that calls this function itself.

    np.vectorize(f)                       →      lambda x: np.reshape(np.array([rt.of_floats(f(x_item))
                                                            for x_item in np.ravel(x).tolist()]), np.shape(x))
    np.fromfunction(f, (2, 3))            →      places = np.indices((2, 3), float)        f(places[0], places[1])
    np.apply_along_axis(f, -1, x)         →      turned = np.moveaxis(x, -1, -1)
                                                 made = np.array([f(row) for row in np.reshape(turned, (-1, …))])
                                                 np.reshape(made, np.shape(turned)[:-1] + np.shape(made)[1:])
"""
from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import Any

import gast
import numpy as np

from ..syntax.building import call, clone, constant, library, load, parameter, store, subscript, tuple_of
from ..syntax.nodes import is_literal, literal, reads
from .purity import computes
from .scopes import located
from .state import State
from .templates import template


def vectorized(desugar: State, node: Any) -> gast.Lambda | None:
    """`np.vectorize(f)`, or a name of what that gave, as a lambda of as many parameters as f needs."""
    if isinstance(node, gast.Call) and desugar.object(node.func) is np.vectorize:
        if len(node.args) != 1 or any(k.arg != "otypes" for k in node.keywords):
            return None
        func: Any = node.args[0]
        floats = bool(node.keywords)
        if floats and not _is_float(desugar, node.keywords[0].value):
            return None
        given = _taken(desugar, func)
    else:
        held = desugar.object(node) if isinstance(node, (gast.Name, gast.Attribute)) else None
        if type(held) is not np.vectorize or held.excluded or held.signature is not None:
            return None
        floats = held.otypes is not None
        if held.otypes is not None and [np.dtype(one) for one in held.otypes] != [np.dtype(float)]:
            return None
        func = desugar.cell(held.pyfunc, getattr(held.pyfunc, "__name__", "pyfunc"))
        given = _parameters(held.pyfunc)
    names = [name for name, _ in given]
    if not names or not isinstance(func, gast.Lambda) and {*names} & reads(func) \
            or not floats and not computes(desugar, func, ()):             # it is called once more
        return None
    defaults = [default for _, default in given if default is not None]
    args = gast.arguments(list(map(parameter, names)), [], None, [], [], None, defaults)
    return located(gast.Lambda(args, _mapped(desugar, func, names, floats)), node)


def _mapped(desugar: State, func: Any, names: list[str], floats: bool) -> gast.expr:
    """What f gives for each of the items, in their shape. floats: it is asked for that; else its first result says
    what the others become."""
    items = [desugar.names.new(f"{name}_item") for name in names]
    value: gast.expr = gast.Call(func, list(map(load, items)), [])
    shape: Any = library("np.shape(x)", x=names[0])
    over: gast.expr = library("np.ravel(x).tolist()", x=names[0])              # Python's numbers, as NumPy gives them
    if len(names) > 1:
        shape = library("np.broadcast_shapes()")
        shape.args = [library("np.shape(x)", x=name) for name in names]
        over = call("%zip", *(library("np.ravel(np.broadcast_to(x, s)).tolist()", x=name, s=clone(shape))
                              for name in names))
    target = store(items[0]) if len(items) == 1 else tuple_of(map(store, items), write=True)
    found = gast.ListComp(value if floats else library("rt.of_floats(v)", v=value),
                          [gast.comprehension(target, over, [], 0)])
    return library(f"np.reshape(np.array(items{', dtype=float' * floats}), s)", items=found, s=shape)


def _is_float(desugar: State, otypes: Any) -> bool:
    """`[float]`, or `"d"`."""
    one = otypes.elts[0] if isinstance(otypes, (gast.List, gast.Tuple)) and len(otypes.elts) == 1 else otypes
    kind = literal(one) if is_literal(one) else desugar.object(one)
    return kind == "d" or kind is float or kind is np.float64


def _taken(desugar: State, func: Any) -> list[tuple[str, gast.expr | None]]:
    """The parameters of a function that is given, with their defaults: numbers; none where its text does not say."""
    if isinstance(func, gast.Lambda):
        return _written(func.args)
    known = desugar.functions.get(func.id) if isinstance(func, gast.Name) else None
    if known is None or known.fn not in desugar.texts.made:
        return _parameters(desugar.object(func) if known is None else known.fn)[len(known.bound) if known else 0:]
    bound = {name for name, _ in known.keywords}               # what it is bound to
    found = _written(desugar.texts.unit(known.fn).captured.tree.args, bound)
    return [one for one in found if one[0] not in bound][len(known.first):]


def _written(args: Any, bound: Collection[str] = ()) -> list[tuple[str, gast.expr | None]]:
    names = [one.id for one in (*args.posonlyargs, *args.args)]
    defaults = [*[None] * (len(names) - len(args.defaults)), *args.defaults]
    plain = not (args.vararg or args.kwarg) and all(one.id in bound for one in args.kwonlyargs) \
        and all(one is None or is_literal(one) and isinstance(literal(one), (int, float)) for one in defaults)
    return list(zip(names, map(clone, defaults), strict=True)) if plain else []


def _parameters(fn: Any) -> list[tuple[str, gast.expr | None]]:
    try:
        found = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return []
    plain = all(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
                and (one.default is one.empty or isinstance(one.default, (int, float))) for one in found)
    return [(one.name, None if one.default is one.empty else constant(one.default)) for one in found] if plain else []


def has_places(node: gast.Call) -> bool:
    """`np.fromfunction(f, (n, m))`, with its lengths one by one."""
    return len(node.args) == 2 and isinstance(node.args[1], (gast.Tuple, gast.List)) and bool(node.args[1].elts) \
        and not any(isinstance(one, gast.Starred) for one in node.args[1].elts) \
        and all(k.arg == "dtype" for k in node.keywords)


def of_places(desugar: State, node: gast.Call) -> gast.expr:
    """The call for the places of all items at once."""
    lengths: Any = node.args[1]
    dtype = node.keywords[0].value if node.keywords else load("%float")
    places = desugar.kept(library("np.indices(s, dtype)", s=lengths, dtype=dtype), "places")
    return desugar.expr(gast.Call(node.args[0], [subscript(load(places), constant(i))
                                                 for i in range(len(lengths.elts))], []))


def has_rows(node: gast.Call) -> bool:
    """`np.apply_along_axis(f, axis, x)`, with an axis that is written down."""
    return len(node.args) >= 3 and type(literal(node.args[1], None)) is int


def of_rows(desugar: State, node: gast.Call) -> gast.expr:
    """The calls for the rows, with their results along the axis."""
    func, axis, x, *more = node.args
    row = desugar.names.new("row")
    one = library("rt.of_floats(v)", v=gast.Call(func, [load(row), *more], node.keywords))
    turned, made = desugar.temporary("turned"), desugar.temporary("made")
    shaped = template(desugar, """
        turned = np.moveaxis(x, axis, -1)
        made = np.array(rows)
        np.reshape(made, np.shape(turned)[:-1] + np.shape(made)[1:])""", x=x, axis=axis, turned=turned, made=made,
                      rows=gast.ListComp(one, [gast.comprehension(store(row), library(
                          "np.reshape(x, (-1, np.shape(x)[-1]))", x=turned), [], 0)]))
    if literal(axis) == -1:
        return shaped
    why = "np.apply_along_axis of a function that gives matrices is differentiated along the last axis: axis=-1"
    refused = gast.Raise(library("rt.TangentError(x)", x=constant(why)), None)
    desugar.emit(gast.If(library("np.ndim(x) > 2", x=made), [refused], []))
    name = desugar.kept(desugar.expr(shaped), "shaped")
    return template(desugar, "np.moveaxis(x, -1, axis) if np.ndim(made) > 1 else x", x=name, axis=clone(axis),
                    made=made)
