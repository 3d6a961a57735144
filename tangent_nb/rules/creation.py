"""New arrays, copies and casts, and the parts of complex numbers."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import infer, layout, when
from .breaking import by_memory
from .table import Template, elementwise, nondifferentiable, rule, unsupported

fn: Any
SHAPE_ONLY = "it depends on a shape only"
nondifferentiable(np.zeros, "y = np.zeros(shape, dtype=None)", because=SHAPE_ONLY, spec=layout.created(), breaks="")
nondifferentiable(np.ones, "y = np.ones(shape, dtype=None)", because=SHAPE_ONLY, spec=layout.created(), breaks="")
nondifferentiable(np.empty, "y = np.empty(shape, dtype=None)", because=SHAPE_ONLY, spec=layout.created(), breaks="")
nondifferentiable(np.eye, "y = np.eye(N, M=None, k=0, dtype=None)", because=SHAPE_ONLY, spec=layout.square, breaks="")
nondifferentiable(np.identity, "y = np.identity(n, dtype=None)", because=SHAPE_ONLY, spec=layout.square, breaks="")
nondifferentiable(np.tri, "y = np.tri(N, M=None, k=0, dtype=None)", because=SHAPE_ONLY, spec=infer.arrays, breaks="")
for fn in (np.zeros_like, np.ones_like, np.empty_like):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x, dtype=None)", zero=True, because=SHAPE_ONLY, spec=layout.converted, breaks="")
nondifferentiable(np.arange, "y = np.arange(start, stop=None, step=None)", because="integer steps",
                  spec=infer.some("array"),
                  refused=["start", "stop", "step"])
nondifferentiable(np.indices, "y = np.indices(shape)", because=SHAPE_ONLY, spec=infer.arrays, breaks="")

elementwise(np.full, "y = np.full(shape, fill_value, dtype=None)", nondiff=["shape"], spec=layout.filled,
            fill_value=[(when.is_none("dtype"), "g"), "rt.only_floating(g, y)"],
            domain={"shape": [(2, 3), 3, ()], "fill_value": [(), (), ()]})
elementwise(np.full_like, "y = np.full_like(a, fill_value)", fill_value="rt.only_floating(g, y)", nondiff=["a"], breaks=by_memory,
            spec=lambda args, constants: infer.like("a", "array")(args, constants),
            domain={"a": [(2, 3), (3,), (2, 3)], "fill_value": [(), (), (3,)]})
EVEN = "np.linspace(0.0, 1.0, num, endpoint)"
rule(np.linspace, "y = np.linspace(start, stop, num=50, endpoint=True)", spec=infer.arrays,
     domain={"start": [(), (2,), (2, 1)], "stop": [(), (), (3,)], "num": [4, 3, 1], "endpoint": [True, False, True]},
     pull={"start": f"rt.unbroadcast(np.tensordot(1.0 - {EVEN}, g, 1), start)", "stop": f"rt.unbroadcast(np.tensordot({EVEN}, g, 1), stop)"},
     push={"start": "np.linspace(g, rt.zeros_like(stop), num, endpoint)",
           "stop": "np.linspace(rt.zeros_like(start), g, num, endpoint)"})
rule(np.logspace, "y = np.logspace(start, stop, num=50, endpoint=True, base=10.0)", spec=infer.arrays, refused=["base"],
     domain={"start": [(), (2,), ()], "stop": [(), (), ()], "num": [4, 3, 1], "endpoint": [True, False, True], "base": [10.0, 2.0, 10.0]},
     pull={"start": f"rt.unbroadcast(np.tensordot(1.0 - {EVEN}, g * y, 1) * np.log(base), start)",
           "stop": f"rt.unbroadcast(np.tensordot({EVEN}, g * y, 1) * np.log(base), stop)"},
     push={"start": "np.linspace(g, rt.zeros_like(stop), num, endpoint) * y * np.log(base)",
           "stop": "np.linspace(rt.zeros_like(start), g, num, endpoint) * y * np.log(base)"})
rule(np.geomspace, "y = np.geomspace(start, stop, num=50, endpoint=True)", spec=infer.arrays,
     domain={"start": [np.float64(0.7), np.array([0.5, 1.2])], "stop": [np.float64(2.0), np.float64(1.5)], "num": [4, 3],
             "endpoint": [True, False]},
     pull={"start": f"rt.unbroadcast(np.tensordot(1.0 - {EVEN}, g * y, 1) / start, start)",
           "stop": f"rt.unbroadcast(np.tensordot({EVEN}, g * y, 1) / stop, stop)"},
     push={"start": "np.linspace(g / start, rt.zeros_like(stop), num, endpoint) * y",
           "stop": "np.linspace(rt.zeros_like(start), g / stop, num, endpoint) * y"}, note="start ** (1 - t) * stop ** t")

NUMERIC = when.fits(("x", "y"))
ARRAY: dict[str, object] = {
    "spec": layout.converted, "nondiff": ["dtype"], "of_lists": True,
    "pull": {"x": [(lambda s: s["x"].kind == "array" and NUMERIC(s), "g"), "rt.uncast(g, x, y)"]},
    "domain": {"x": [(2, 3), (), [(2,), (2,)], [(), [(), ()]][:1]]}}
for fn, memory in ((np.array, "fresh"), (np.asarray, "view"), (np.ascontiguousarray, "view"), (np.asanyarray, "view"),
                   (np.asfortranarray, "view"), (np.require, "view"), (np.asarray_chkfinite, "view")):
    ARRAY["spec"] = infer.arrays if fn in (np.ascontiguousarray, np.asfortranarray, np.require, np.asarray_chkfinite) else layout.converted
    push = "rt.recast(np.atleast_1d(g), y)" if fn in (np.ascontiguousarray, np.asfortranarray) else "rt.recast(np.asarray(g), y)"
    form = "x, dtype=None, requirements=None" if fn is np.require else "x, dtype=None"
    rule(fn, f"y = np.{fn.__name__}({form})", memory=memory, push={"x": push}, **ARRAY)  # type: ignore[arg-type]
elementwise(np.copy, "y = np.copy(x)", method="copy", x="g", spec=infer.like("x", "array"))
CAST: Template = [(when.fits(("x", "y")), "g"), "rt.uncast(g, x, y)"]
rule(np.ndarray.astype, "y = x.astype(x, dtype)", method="astype", nondiff=["dtype"], spec=layout.casted,
     pull={"x": CAST}, push={"x": "rt.recast(g, y)"}, domain={"x": [(2, 3), (3,), (2, 1, 3)], "dtype": [float, np.float64, float]})
rule(np.astype, "y = np.astype(x, dtype)", nondiff=["dtype"], spec=infer.arrays, pull={"x": CAST}, push={"x": "rt.recast(g, y)"},
     domain={"x": [(2, 3), (3,), (2, 1, 3)], "dtype": [float, np.float64, float]})
for cast in (np.float64, np.float32, np.float16):
    rule(cast, f"y = np.{cast.__name__}(x)", pull={"x": CAST}, push={"x": "rt.recast(g, y)"}, spec=infer.anything,
         memory="view")

rule(np.real, "y = np.real(x)", method="real", memory="view", pull={"x": [(NUMERIC, "g"), "rt.unbroadcast(g, x)"]},
     push={"x": "np.real(g)"}, spec=infer.anything, note="complex cotangents are of holomorphic functions: not conjugated")
rule(np.imag, "y = np.imag(x)", method="imag", memory="view", pull={"x": "rt.unbroadcast(-1j * g, x)"}, push={"x": "np.imag(g)"},
     spec=infer.anything)
CONJUGATE: dict[str, Any] = {"pull": {"x": "np.conj(g)"}, "push": {"x": "np.conj(g)"}, "spec": infer.ufunc}
rule(np.conj, "y = np.conj(x)", also=[np.conjugate], **CONJUGATE)
for fn in (np.ndarray.conj, np.ndarray.conjugate):         # of real numbers the array itself
    rule(fn, "y = np.conj(x)", method=fn.__name__, memory="alias", **CONJUGATE)
nondifferentiable(np.iscomplexobj, "y = np.iscomplexobj(x)", because="a truth value", spec=infer.some("bool", "b1"), breaks="")

for name in ("int8", "int16", "int32", "int64", "uint8", "intp", "bool_"):
    nondifferentiable(getattr(np, name), f"y = np.{name}(x)", because="integer valued", spec=infer.anything)
unsupported(np.fromfunction, "np.fromfunction", because="it calls a function that cannot be seen",
            instead="the function itself, of np.indices(shape)", memory="alias")
unsupported(np.vectorize, "np.vectorize", because="it calls a function that cannot be seen", instead="a loop")
