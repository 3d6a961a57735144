"""Interpolators of values that carry a derivative, of which they are linear.

Needs a call of a class or function whose row says so (`linear_in`), with values that carry a derivative, and options
with which it is linear, not only affine. Promises an object of a class with a text: the interpolators of unit vectors,
which are constant, and the values.

    spline = CubicSpline(nodes, y)      →      values = np.asarray_chkfinite(np.array(y))
                                               spline = Interpolated(CubicSpline(nodes, np.eye(len(values))), values)
"""
from __future__ import annotations

import gast

from ..rules import Rule, lookup
from ..runtime.interpolated import Interpolated, InterpolatedLast
from ..syntax.building import library
from ..syntax.nodes import literal
from .state import State

UNKNOWN = object()


def made(desugar: State, node: gast.Call) -> None:
    """Write a call that makes such an interpolator in other words."""
    row = lookup(desugar.object(node.func)) if isinstance(node.func, (gast.Name, gast.Attribute)) else None
    if row is None or not row.linear_in or not _is_linear(desugar, node, row):
        return
    place = row.params.index(row.linear_in)
    held = {one.arg: one for one in node.keywords}
    node.args = [desugar.named(one, "nodes") if i < place else one for i, one in enumerate(node.args)]
    y = node.args[place] if len(node.args) > place else held[row.linear_in].value
    last = row.signature.parameters["axis"].default == -1
    # interp1d gives numbers between finite values, where others are not finite; CubicSpline refuses them itself
    values = desugar.named(library("np.array(y)" if last else "np.asarray_chkfinite(np.array(y))", y=y), "values")
    if last:
        desugar.emit(gast.Expr(library("rt.check_finite(y)", y=values)))
    units = library("np.eye(np.shape(y)[-1])" if last else "np.eye(len(y))", y=values)
    if len(node.args) > place:
        node.args[place] = units
    else:
        held[row.linear_in].value = units
    basis = gast.copy_location(gast.Call(node.func, node.args, node.keywords), node)
    made_of = InterpolatedLast if last else Interpolated
    node.func, node.args, node.keywords = desugar.cell(made_of, made_of.__name__), [basis, values], []


def _is_linear(desugar: State, node: gast.Call, row: Rule) -> bool:
    """The values carry a derivative, the nodes do not, and with these options the interpolator is linear."""
    if any(isinstance(one, gast.Starred) for one in node.args) or len(node.args) > len(row.params):
        return False
    given = {**dict(zip(row.params, node.args)), **{one.arg: one.value for one in node.keywords}}
    if row.linear_in not in given or not given.keys() <= {*row.params}:
        return False
    nodes = row.params[:row.params.index(row.linear_in)]
    options = {name: literal(value, UNKNOWN) for name, value in given.items() if name not in (*nodes, row.linear_in)}
    return desugar.carries(given[row.linear_in]) and not any(desugar.carries(given[name]) for name in nodes) \
        and all(any(type(value) is type(one) and value == one
                    for one in (row.signature.parameters[name].default, *row.linear_with.get(name, ())))
                for name, value in options.items())
