"""Functions that move values without changing them."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer, layout, when
from .computed import as_computed
from .sharing import as_it_lies
from .table import Template, elementwise, linear, nondifferentiable, rule

fn: Any
nondifferentiable(rt.order_of_axes, "y = rt.order_of_axes(order, x=None)", because="a choice",
                  spec=infer.anything, breaks="")
RESHAPED: Template = [(when.is_array("x", "y"), "g.reshape(x.shape)"), "rt.reshape_like(g, x)"]


def _reshape(x: Any, shape: Any, order: Any) -> Any:
    return np.reshape(x, shape)


rule(np.reshape, "y = np.reshape(x, shape, order='C')", method="reshape", pull={"x": [
    (lambda s: "order" not in s and when.is_array("x", "y")(s), "g.reshape(x.shape)"),
    (lambda s: "order" not in s, "rt.reshape_like(g, x)"), "rt.reshape_like(g, x, rt.order_of_axes(order, x))"]},
     push={"x": [(lambda s: "order" not in s, "np.reshape(g, shape)"),
                 "np.reshape(g, shape, rt.order_of_axes(order, x))"]}, nondiff=["shape"], memory="view",
     shares=as_it_lies, part=True, spec=layout.by_shape(_reshape, "shape", "order", order="C"), spreads=True)
for fn, method in ((np.ravel, "ravel"), (np.ndarray.flatten, "flatten")):
    rule(fn, "y = np.ravel(x, order='C')", method=method, spec=layout.by_shape(np.ravel), nondiff=["order"],
         memory="view" if fn is np.ravel else "fresh", shares=as_it_lies if fn is np.ravel else None,
         part=fn is np.ravel, spreads=True,
         pull={"x": [(lambda s: "order" not in s and when.is_array("x", "y")(s), "g.reshape(x.shape)"),
                     (when.left_out("order"), "rt.reshape_like(g, x)"),
                     "rt.reshape_like(g, x, rt.order_of_axes(order))"]},
         push={"x": [(when.left_out("order"), "np.ravel(g)"), "np.ravel(g, rt.order_of_axes(order))"]})
linear(np.squeeze, "y = np.squeeze(x, axis=None)", method="squeeze", pull={"x": RESHAPED}, memory="view", part=True,
       spec=layout.by_shape(np.squeeze, "axis", kind="numeric"), spreads=True)
linear(np.expand_dims, "y = np.expand_dims(x, axis)", pull={"x": RESHAPED}, nondiff=["axis"], memory="view", part=True,
       spec=layout.by_shape(np.expand_dims, "axis"), spreads=True)
for fn in (np.atleast_1d, np.atleast_2d, np.atleast_3d):
    linear(fn, f"y = np.{fn.__name__}(x)", pull={"x": "rt.reshape_like(g, x)"}, memory="view", spec=layout.by_shape(fn))

linear(np.transpose, "y = np.transpose(x, axes=None)", method="transpose", memory="view",
       part=True, spreads=True, pull={"x": [(when.both(when.is_none("axes"), when.is_array("x")), "g.T"),
                                            (when.is_none("axes"), "np.transpose(g)"), "rt.untranspose(g, axes)"]},
       spec=layout.by_shape(np.transpose, "axes"))
linear(np.ndarray.T, "y = np.transpose(x)", method="T", memory="view",
       pull={"x": [(when.is_array("x"), "g.T"), "np.transpose(g)"]}, spec=layout.by_shape(np.transpose))
rule(np.matrix_transpose, "y = np.matrix_transpose(x)", memory="view", push={"x": "np.swapaxes(g, -1, -2)"}, pull={
    "x": "np.swapaxes(g, -1, -2)"}, spec=infer.arrays, spreads=True)
linear(np.ndarray.mT, "y = np.matrix_transpose(x)", method="mT", memory="view", pull={"x": "np.matrix_transpose(g)"},
       spec=infer.arrays)
linear(np.swapaxes, "y = np.swapaxes(x, axis1, axis2)", method="swapaxes", memory="view", part=True,
       nondiff=["axis1", "axis2"],
       pull={"x": "np.swapaxes(g, axis1, axis2)"}, spec=layout.by_shape(np.swapaxes, "axis1", "axis2"), spreads=True)
linear(np.moveaxis, "y = np.moveaxis(x, source, destination)", memory="view", part=True,
       nondiff=["source", "destination"], pull={"x": "np.moveaxis(g, destination, source)"},
       spec=layout.by_shape(np.moveaxis, "source", "destination"), spreads=True)
linear(np.flip, "y = np.flip(x, axis=None)", memory="view", pull={"x": "np.flip(g, axis)"},
       spec=infer.like("x", "array"), spreads=True)
linear(np.flipud, "y = np.flipud(x)", memory="view", pull={"x": "np.flipud(g)"}, spec=infer.like("x", "array"))
linear(np.fliplr, "y = np.fliplr(x)", memory="view", pull={"x": "np.fliplr(g)"}, spec=infer.like("x", "array"))
linear(np.roll, "y = np.roll(x, shift, axis=None)", nondiff=["shift"], spec=infer.like("x", "array"), pull={
    "x": [(when.is_int("shift"), "np.roll(g, -shift, axis)"), "rt.unroll(g, shift, axis)"]}, spreads=True)

elementwise(np.broadcast_to, "y = np.broadcast_to(x, shape)", x="g", nondiff=["shape"], memory="view", part=True,
            spec=layout.by_shape(np.broadcast_to, "shape"))
linear(np.lib.stride_tricks.sliding_window_view,
       "y = np.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None)",
       nondiff=["window_shape"], memory="view", part=True, spec=infer.arrays,
       pull={"x": "rt.unwindow(g, x, window_shape, axis)"})
linear(np.tile, "y = np.tile(x, reps)", nondiff=["reps"], pull={"x": "rt.untile(g, x, reps)"},
       spec=layout.by_shape(np.tile, "reps"))
linear(np.repeat, "y = np.repeat(x, repeats, axis=None)", method="repeat", nondiff=["repeats"],
       pull={"x": "rt.unrepeat(g, x, repeats, axis)"}, spec=layout.by_shape(np.repeat, "repeats", "axis"))

linear(np.stack, "y = np.stack(arrays, axis=0)", pull={"arrays": "rt.unstack(g, arrays, axis)"}, spec=layout.stacked,
       spreads=True)
linear(np.concatenate, "y = np.concatenate(arrays, axis=0)", pull={"arrays": "rt.unconcatenate(g, arrays, axis)"},
       spec=layout.concatenated, spreads=True)
for fn, back in ((np.vstack, "unvstack"), (np.hstack, "unhstack"), (np.column_stack, "uncolumn_stack")):
    rule(fn, f"y = np.{fn.__name__}(arrays)", also=[getattr(np, "row_stack", None)] if fn is np.vstack else [],
         pull={"arrays": f"rt.{back}(g, arrays)"}, push={"arrays": f"np.{fn.__name__}(g)"}, spec=layout.joined)
rule(np.append, "y = np.append(x, values, axis=None)", spec=infer.arrays,
     pull={"x": "rt.unappend(g, x, values, axis)[0]", "values": "rt.unappend(g, x, values, axis)[1]"},
     push={"x": "np.append(g, rt.zeros_like(values), axis=axis)",
           "values": "np.append(rt.zeros_like(x), g, axis=axis)"})

linear(np.diag, "y = np.diag(x, k=0)", memory="view", pull={"x": "rt.undiag(g, x, k)"},
       spec=layout.by_shape(np.diag, "k", k=0), zeros=True)
linear(np.diagonal, "y = np.diagonal(x, offset=0, axis1=0, axis2=1)", method="diagonal", memory="view", part=True,
       pull={"x": "rt.undiagonal(g, x, offset, axis1, axis2)"}, spec=infer.arrays)
linear(np.trace, "y = np.trace(x, offset=0, axis1=0, axis2=1)", method="trace",
     spec=as_computed(np.trace, "x", offset=0, axis1=0, axis2=1),
       pull={"x": "rt.untrace(g, x, offset, axis1, axis2)"})


def _matrix(x: Any, k: int) -> Any:
    return np.broadcast_to(x, (x.size, x.size)) if x.ndim == 1 else x


linear(np.tril, "y = np.tril(x, k=0)", pull={"x": "rt.unbroadcast(np.tril(g, k), x)"},
       spec=layout.by_shape(_matrix, "k", k=0), note="a vector is taken for each row", zeros=True)
linear(np.triu, "y = np.triu(x, k=0)", pull={"x": "rt.unbroadcast(np.triu(g, k), x)"},
       spec=layout.by_shape(_matrix, "k", k=0), note="a vector is taken for each row", zeros=True)

INTEGER = "integer valued"
nondifferentiable(np.shape, "y = np.shape(x)", because=INTEGER, spec=infer.anything, breaks="", spreads=True)
nondifferentiable(np.ndarray.shape, "y = np.shape(x)", method="shape", because=INTEGER, spec=infer.shape, breaks="")
nondifferentiable(np.size, "y = np.size(x, axis=None)", because=INTEGER, spec=infer.integer, breaks="")
nondifferentiable(np.ndarray.size, "y = np.size(x)", method="size", because=INTEGER, spec=infer.cells, breaks="")
nondifferentiable(np.ndim, "y = np.ndim(x)", because=INTEGER, spec=infer.integer, breaks="", spreads=True)
nondifferentiable(np.ndarray.ndim, "y = np.ndim(x)", method="ndim", because=INTEGER, spec=infer.integer, breaks="")
for name in ("itemsize", "nbytes", "strides", "flags"):
    nondifferentiable(getattr(np.ndarray, name), f"y = np.ndarray.{name}(x)", method=name, breaks="",
                      because="it says how an array is kept", spec=infer.anything,
                      memory="view" if name == "flags" else "fresh")
nondifferentiable(np.ndarray.dtype, "y = np.dtype(x)", method="dtype", because="a dtype",
                  spec=infer.some("other"), breaks="")
