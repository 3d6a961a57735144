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
from typing import Any

import gast
import numpy as np

from ..syntax.building import call, clone, constant, library, load, parameter, store, subscript, tuple_of
from ..syntax.nodes import is_literal, literal
from .purity import computes
from .scopes import located
from .state import State
from .templates import template

NAMES = "xyzuvw"               # of the parameters: a function of more of them is left alone


def vectorized(desugar: State, node: Any) -> gast.Lambda | None:
    """`np.vectorize(f)`, or a name of what that gave, as a lambda of as many parameters as f needs."""
    if isinstance(node, gast.Call) and desugar.object(node.func) is np.vectorize:
        if len(node.args) != 1 or any(k.arg != "otypes" for k in node.keywords):
            return None
        func: Any = node.args[0]
        floats = bool(node.keywords)
        if floats and not _is_float(desugar, node.keywords[0].value):
            return None
        count = _needed(desugar, func)
    else:
        held = desugar.object(node) if isinstance(node, (gast.Name, gast.Attribute)) else None
        if type(held) is not np.vectorize or held.excluded or held.signature is not None:
            return None
        floats = held.otypes is not None
        if held.otypes is not None and [np.dtype(one) for one in held.otypes] != [np.dtype(float)]:
            return None
        func = desugar.cell(held.pyfunc, getattr(held.pyfunc, "__name__", "pyfunc"))
        count = _parameters(held.pyfunc)
    if not 0 < count <= len(NAMES) or not floats and not computes(desugar, func, ()):      # it is called once more
        return None
    names = [desugar.names.new(name) for name in NAMES[:count]]
    made = _mapped(desugar, func, names, floats)
    args = gast.arguments(list(map(parameter, names)), [], None, [], [], None, [])
    return located(gast.Lambda(args, made), node)


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


def _needed(desugar: State, func: Any) -> int:
    """How many arguments a function that is given needs; 0 where its text does not say."""
    if isinstance(func, gast.Lambda):
        plain = not (func.args.vararg or func.args.kwonlyargs or func.args.kwarg)
        return len(func.args.args) - len(func.args.defaults) if plain else 0
    known = desugar.functions.get(func.id) if isinstance(func, gast.Name) else None
    if known is None or known.fn not in desugar.texts.made:
        return _parameters(desugar.object(func) if known is None else known.fn) - len(known.bound if known else ())
    args = desugar.texts.unit(known.fn).captured.tree.args     # with what it is bound to
    bound = {name for name, _ in known.keywords}
    return 0 if args.vararg else sum(
        one.id not in bound for one in [*args.posonlyargs, *args.args]) - len(args.defaults) - len(known.first)


def _parameters(fn: Any) -> int:
    """How many arguments must be given by place; 0 where others may be."""
    try:
        found = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return 0
    plain = all(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in found)
    return sum(one.default is one.empty for one in found) if plain else 0


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
