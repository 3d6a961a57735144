"""SciPy's convolutions and filters: linear in the signal, and in most of the rest."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from .. import runtime as rt
from . import infer
from .infer import cotangent
from .table import linear, rule

ANY: dict[str, Any] = {"spec": infer.anything}
MODES = {"x": [(4,), (4,), (4,), (2,), (2, 3), (4, 3), (4, 3), (3, 2, 2), (2,), (2, 2)],
         "y": [(3,), (2,), (2,), (5,), (3, 2), (2, 2), (2, 3), (2, 2, 1), (4,), (3, 4)],
         "mode": ["full", "same", "valid", "same", "full", "same", "valid", "same", "valid", "valid"]}
PLANES = {"x": [(2, 3), (4, 3), (4, 3), (2, 2)], "y": [(3, 2), (2, 2), (2, 3), (3, 4)], "mode": ["full", "same", "valid", "valid"]}

# ------------------------------------------------------------------ convolution
for name, rest, domain in (("convolve", "mode, method", MODES), ("fftconvolve", "mode", MODES), ("oaconvolve", "mode", MODES),
                           ("convolve2d", "mode", PLANES)):
    method = ", method='auto'" if "method" in rest else ""
    rule(getattr(signal, name), f"z = scipy.signal.{name}(in1, in2, mode='full'{method})", nondiff=rest.split(", "), **ANY,
         domain={"in1": domain["x"], "in2": domain["y"], "mode": domain["mode"]},
         pull={"in1": "rt.unconvolve(g, in1, in2)", "in2": "rt.unconvolve(g, in2, in1)"},
         push={"in1": f"scipy.signal.{name}(g, in2, {rest})", "in2": f"scipy.signal.{name}(in1, g, {rest})"},
         **({} if method else {"note": "without axes=" if domain is MODES else "with zeros around"}))
rule(signal.correlate, "z = scipy.signal.correlate(in1, in2, mode='full', method='auto')", nondiff=["mode", "method"], **ANY,
     domain={"in1": MODES["x"], "in2": MODES["y"], "mode": MODES["mode"]},
     pull={"in1": "rt.unconvolve(g, in1, np.flip(in2))", "in2": "np.flip(rt.unconvolve(g, in2, in1))"},
     push={"in1": "scipy.signal.correlate(g, in2, mode, method)", "in2": "scipy.signal.correlate(in1, g, mode, method)"})
WHOLE = {"v": [(6,), (4,), (2, 2), ()], "y": [(3,), (3,), (3, 2), ()], "x": [(4,), (4,), (4, 3), ()]}
FIXED = {"v": [np.zeros(6), np.zeros(4), np.zeros((2, 2))], "y": WHOLE["y"][:3], "x": WHOLE["x"][:3]}
linear(rt.unconvolve, "r = rt.unconvolve(v, x, y)", nondiff=["x"], spec=cotangent("x"), domain=WHOLE,
       pull={"v": "rt.convolution_like(g, y, v)", "y": "rt.unconvolve(v, y, g)"})
linear(rt.convolution_like, "r = rt.convolution_like(x, y, v)", nondiff=["v"], spec=cotangent("v"), domain=FIXED,
       pull={"x": "rt.unconvolve(g, x, y)", "y": "rt.unconvolve(g, y, x)"})

# ------------------------------------------------------------------ filters: y = (B / A) x
BACK = "np.flip(scipy.signal.lfilter({}, np.flip({}, axis), axis), axis)"
rule(signal.lfilter, "y = scipy.signal.lfilter(b, a, x, axis=-1)", nondiff=["axis"], note="without zi=", **ANY,
     domain={"b": [(3,), (1,), (2,), (5,)], "a": [np.array([1.5, 0.3]), np.array([1.0, -0.4, 0.2]), np.array([2.0]), np.array([1.0, 0.5])],
             "x": [(6,), (4, 3), (4, 3), (4,)], "axis": [-1, 0, -1, 0]},
     pull={"b": "rt.lagged(g, scipy.signal.lfilter(np.ones(1), a, x, axis), b, axis)",
           "a": "rt.lagged(-g, scipy.signal.lfilter(np.ones(1), a, y, axis), a, axis)",
           "x": f"rt.unbroadcast({BACK.format('b, a', 'g')}, x)"},
     push={"b": "scipy.signal.lfilter(g, a, x, axis)", "a": "-scipy.signal.lfilter(g, a, y, axis)", "x": "scipy.signal.lfilter(b, a, g, axis)"})
linear(rt.lagged, "r = rt.lagged(v, u, b, axis=-1)", nondiff=["b"], spec=cotangent("b"),
       domain={"v": [(4,), (4, 3)], "u": [(4,), (4, 3)], "b": [np.zeros(2), np.zeros(5)], "axis": [-1, 0]},
       pull={"v": "rt.unbroadcast(scipy.signal.lfilter(g, np.ones(1), u, axis), v)",
             "u": f"rt.unbroadcast({BACK.format('g, np.ones(1)', 'v')}, u)"})
linear(signal.detrend, "y = scipy.signal.detrend(data, axis=-1, type='linear')", nondiff=["axis", "type"], **ANY,
       pull={"data": "rt.unbroadcast(scipy.signal.detrend(g, axis, type), data)"},
       domain={"data": [(5,), (4, 3), (4, 3)], "axis": [-1, 0, -1], "type": ["linear", "linear", "constant"]})
