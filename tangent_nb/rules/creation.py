"""New arrays, copies and casts, and the parts of complex numbers."""
from __future__ import annotations

import copy
from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer, layout, when
from .breaking import by_memory
from .sharing import unless_array_copies, unless_copied
from .table import Template, elementwise, linear, nondifferentiable, rule, unsupported

fn: Any
SHAPE_ONLY = "it depends on a shape only"
for fn in (np.zeros, np.ones, np.empty):
    nondifferentiable(fn, f"y = np.{fn.__name__}(shape, dtype=None, order='C')", because=SHAPE_ONLY,
                      spec=layout.created(), breaks="", fills=True, unset=fn is np.empty, zeros=fn is np.zeros)
nondifferentiable(np.ndarray, "y = np.ndarray(shape, dtype=None, *, order='C')", because=SHAPE_ONLY,
                  spec=layout.created(), breaks="", unset=True)
nondifferentiable(np.eye, "y = np.eye(N, M=None, k=0, dtype=None, order='C')", because=SHAPE_ONLY, spec=layout.square,
                  breaks="", zeros=True)
nondifferentiable(np.identity, "y = np.identity(n, dtype=None)", because=SHAPE_ONLY, spec=layout.square,
                  breaks="", zeros=True)
nondifferentiable(np.tri, "y = np.tri(N, M=None, k=0, dtype=None)", because=SHAPE_ONLY, spec=infer.arrays,
                  breaks="", zeros=True)
for fn in (np.zeros_like, np.ones_like, np.empty_like):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x, dtype=None, order='K', subok=True, shape=None)", zero=True,
                      because=SHAPE_ONLY, spec=layout.resized(layout.converted), breaks="", fills=True,
                      unset=fn is np.empty_like, shape_only=frozenset("x"), zeros=fn is np.zeros_like)
nondifferentiable(np.arange, "y = np.arange(start, stop=None, step=None, *, dtype=None)", because="integer steps",
                  spec=infer.some("array"),
                  refused=["start", "stop", "step"])
nondifferentiable(np.indices, "y = np.indices(shape, dtype=None)", because=SHAPE_ONLY, spec=infer.arrays, breaks="")

elementwise(np.full, "y = np.full(shape, fill_value, dtype=None, order='C')", nondiff=["shape"], spec=layout.filled,
            fills=True, fill_value=[(when.is_none("dtype"), "g"), "rt.only_floating(g, y)"])
elementwise(np.full_like, "y = np.full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None)",
            fill_value="rt.only_floating(g, y)",
            nondiff=["a"], breaks=by_memory, spec=layout.resized(infer.like("a", "array")), fills=True)
EVEN, FIRST_AXIS = "np.linspace(0.0, 1.0, num, endpoint)", when.left_out("axis", "dtype", "retstep")


def spaced(name: str, of: str, after: str = "", **details: Any) -> None:
    """np.logspace and np.geomspace: numbers whose logarithms, but for a factor, are evenly spaced.
    of: the slope of these; after: the factor."""
    texts: dict[str, Any] = {"pull": {}, "push": {}}
    for end, weights in (("start", f"1.0 - {EVEN}"), ("stop", EVEN)):
        slopes = of.format("g", end)
        ends = f"{slopes}, rt.zeros_like(stop)" if end == "start" else f"rt.zeros_like(start), {slopes}"
        first, any_axis = (f"rt.unbroadcast({of.format(f'np.tensordot({weights}, {moved}, 1)', end)}{after}, {end})"
                           for moved in ("g * y", "np.moveaxis(rt.through(g, dtype) * y, axis, 0)"))
        texts["pull"][end] = [(FIRST_AXIS, first), any_axis]
        texts["push"][end] = [(FIRST_AXIS, f"np.linspace({ends}, num, endpoint) * y{after}"),
                              f"rt.through(np.linspace({ends}, num, endpoint, axis=axis) * y{after}, dtype)"]
    rule(getattr(np, name), spec=infer.arrays, nondiff=["num"], **texts, **details)


STEP = "rt.ratio(rt.samples(g, y)[1], num - bool(endpoint))"
rule(np.linspace, "y = np.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0)",
     spec=layout.spaced, nondiff=["num"],
     pull={name: [(FIRST_AXIS, f"rt.unbroadcast(np.tensordot({weights}, g, 1), {name})"),
                  (f"rt.unbroadcast(np.tensordot({weights}, np.moveaxis(rt.through(rt.samples(g, y)[0], dtype), axis, "
                   f"0), 1) {sign} {STEP}, {name})")]
           for name, weights, sign in (("start", f"1.0 - {EVEN}", "-"), ("stop", EVEN, "+"))},
     push={name: [(FIRST_AXIS, f"np.linspace({ends}, num, endpoint)"),
                  f"rt.through(np.linspace({ends}, num, endpoint, retstep, axis=axis), dtype)"]
           for name, ends in (("start", "g, rt.zeros_like(stop)"), ("stop", "rt.zeros_like(start), g"))})
for given in ("samples", "with_samples"):
    back = "rt.with_samples(g, like)" if given == "samples" else "rt.samples(g, like)"
    rule(getattr(rt, given), f"z = rt.{given}(v, like)", nondiff=["like"], pull={"v": back},
         push={"v": f"rt.{given}(g, like)"}, spec=infer.anything, memory="alias")
spaced("logspace", "{0}", " * np.log(base)", refused=["base"],
       signature="y = np.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)")
spaced("geomspace", "{0} / {1}", note="start ** (1 - t) * stop ** t",
       signature="y = np.geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)")

NUMERIC, AS_IT_IS = when.fits(("x", "y")), when.left_out("dtype")                # where integers are numbers too
ARRAY: dict[str, Any] = {
    "spec": layout.converted, "nondiff": ["dtype"], "of_lists": True,
    "pull": {"x": [(lambda s: s["x"].kind == "array" and NUMERIC(s), "g"), (AS_IT_IS, "rt.unarray(g, x)"),
                   "rt.uncast(g, x, y)"]}}
ORDERED, COPIED = "x, dtype=None, order=None", "x, dtype=None, order=None, *, copy=None"
for fn, form, shares in ((np.asarray, COPIED, unless_copied), (np.ascontiguousarray, "x, dtype=None", None),
                         (np.asanyarray, COPIED, unless_copied), (np.asfortranarray, "x, dtype=None", None),
                         (np.require, "x, dtype=None, requirements=None", None),
                         (np.asarray_chkfinite, ORDERED, None)):
    ARRAY["spec"] = infer.arrays if fn in (np.ascontiguousarray, np.asfortranarray, np.require, np.asarray_chkfinite) \
        else layout.converted
    along = "np.atleast_1d(g)" if fn in (np.ascontiguousarray, np.asfortranarray) else "np.asarray(g)"
    rule(fn, f"y = np.{fn.__name__}({form})", memory="view", itself=True, shares=shares,
         push={"x": [(AS_IT_IS, along), f"rt.recast({along}, y)"]}, spreads=fn is np.asarray,
         exact=fn not in (np.asanyarray, np.require), **ARRAY)
rule(rt.array_of_list, "y = rt.array_of_list(x)", spec=layout.of_list, pull={"x": "rt.unarray(g, x)"},
     push={"x": "rt.array_of_list(g)"}, memory="alias", of_lists=True, spreads=True)
GROWN, LIKE_IT = when.left_out("ndmin"), when.left_out("ndmin", "dtype")
rule(np.array, "y = np.array(x, dtype=None, *, copy=True, order='K', ndmin=0)", memory="view",
     shares=unless_array_copies, exact=True, **{
         **ARRAY, "spec": layout.grown,
         "push": {"x": [(LIKE_IT, "np.asarray(g)"), (GROWN, "rt.recast(np.asarray(g), y)"),
                        "rt.recast(np.array(g, ndmin=ndmin), y)"]},
         "pull": {"x": [*ARRAY["pull"]["x"][:1], (LIKE_IT, "rt.unarray(g, x)"), (GROWN, "rt.uncast(g, x, y)"),
                        "rt.uncast(np.reshape(g, np.shape(x)), x, y)"]}}, spreads=True)
COPY: dict[str, Any] = {"diagonal": True, "spec": infer.like("x", "array"), "fills": True, "pull": {"x": "g"}}
rule(np.copy, "y = np.copy(x, order='K', subok=False)", push={"x": "np.copy(g)"}, **COPY)      # of a number an array
rule(None, "y = np.copy(x, order='K', subok=False)", method="copy", push={"x": "g"}, joins="all", **COPY)
COPIED_AS_IT_IS: dict[str, Any] = {"spec": infer.like("x"), "fills": True, "push": {"x": "g"},
                                   "pull": {"x": "g"}}
rule(copy.deepcopy, "y = copy.deepcopy(x)", **COPIED_AS_IT_IS | {    # of a container: with the arrays in it
    "push": {"x": [(when.is_numeric("x"), "g"), "rt.copy(g)"]}})
rule(copy.copy, "y = copy.copy(x)", memory="alias", **COPIED_AS_IT_IS)       # of a container: the same items
CAST: Template = [(when.fits(("x", "y")), "g"), "rt.uncast(g, x, y)"]
rule(np.ndarray.astype, "y = x.astype(x, dtype, order='K', casting='unsafe', subok=True, copy=True)", method="astype",
     nondiff=["dtype"], memory="view", shares=unless_array_copies, spec=layout.casted,
     pull={"x": CAST}, push={"x": "rt.recast(g, y)"})
rule(np.astype, "y = np.astype(x, dtype, *, copy=True)", nondiff=["dtype"], memory="view", shares=unless_array_copies,
     spec=infer.arrays, pull={"x": CAST}, push={"x": "rt.recast(g, y)"})
for cast in (np.float64, np.float32, np.float16):
    rule(cast, f"y = np.{cast.__name__}(x)", pull={"x": CAST}, push={"x": "rt.recast(g, y)"}, spec=infer.anything,
         memory="view")

linear(np.real, "y = np.real(x)", method="real", memory="view", pull={"x": [(NUMERIC, "g"), "rt.unbroadcast(g, x)"]},
       spec=infer.anything, note="complex cotangents are of holomorphic functions: not conjugated", spreads=True)
linear(np.imag, "y = np.imag(x)", method="imag", memory="view", pull={"x": "rt.unbroadcast(-1j * g, x)"},
       spec=infer.anything)
CONJUGATE: dict[str, Any] = {"pull": {"x": "np.conj(g)"}, "push": {"x": "np.conj(g)"}}
rule(np.conj, "y = np.conj(x)", also=[np.conjugate], **CONJUGATE, spec=infer.ufunc, spreads=True)
for fn in (np.ndarray.conj, np.ndarray.conjugate):         # of real numbers the array itself
    rule(fn, "y = np.conj(x)", method=fn.__name__, memory="alias", **CONJUGATE, spec=infer.like("x"))
nondifferentiable(np.iscomplexobj, "y = np.iscomplexobj(x)", because="a truth value",
                  spec=infer.some("bool", "b1"), breaks="")

for name in ("int8", "int16", "int32", "int64", "uint8", "intp", "bool_"):
    nondifferentiable(getattr(np, name), f"y = np.{name}(x)", because="integer valued", spec=infer.anything,
                      memory="view")
unsupported(np.fromfunction, "np.fromfunction", because="it calls a function that cannot be seen",
            instead="the function itself, of np.indices(shape)", memory="alias")
unsupported(np.vectorize, "np.vectorize", because="it calls a function that cannot be seen", instead="a loop")
