"""SciPy's convolutions and filters: linear in the signal, and in most of the rest."""
from __future__ import annotations

from typing import Any

from scipy import signal

from .. import runtime as rt
from . import infer
from .infer import cotangent
from .table import linear, nondifferentiable, rule

ANY: dict[str, Any] = {"spec": infer.anything}
# ------------------------------------------------------------------ convolution
for name, rest in (("convolve", "mode, method"), ("fftconvolve", "mode"), ("oaconvolve", "mode"),
                   ("convolve2d", "mode")):
    method = ", method='auto'" if "method" in rest else ""
    rule(getattr(signal, name), f"z = scipy.signal.{name}(in1, in2, mode='full'{method})", nondiff=rest.split(", "),
         **ANY, pull={"in1": "rt.unconvolve(g, in1, in2)", "in2": "rt.unconvolve(g, in2, in1)"},
         push={"in1": f"scipy.signal.{name}(g, in2, {rest})", "in2": f"scipy.signal.{name}(in1, g, {rest})"},
         **({} if method else {"note": "with zeros around" if name == "convolve2d" else "without axes="}))
rule(signal.correlate, "z = scipy.signal.correlate(in1, in2, mode='full', method='auto')", nondiff=["mode", "method"],
     **ANY, pull={"in1": "rt.unconvolve(g, in1, np.flip(in2))", "in2": "np.flip(rt.unconvolve(g, in2, in1))"}, push={
         "in1": "scipy.signal.correlate(g, in2, mode, method)", "in2": "scipy.signal.correlate(in1, g, mode, method)"})
linear(rt.unconvolve, "r = rt.unconvolve(v, x, y)", nondiff=["x"], spec=cotangent("x"),
       pull={"v": "rt.convolution_like(g, y, v)", "y": "rt.unconvolve(v, y, g)"})
linear(rt.convolution_like, "r = rt.convolution_like(x, y, v)", nondiff=["v"], spec=cotangent("v"),
       pull={"x": "rt.unconvolve(g, x, y)", "y": "rt.unconvolve(g, y, x)"})

# ------------------------------------------------------------------ filters: y = (B / A) x
BACK = "np.flip(scipy.signal.lfilter({}, np.flip({}, axis), axis), axis)"
rule(signal.lfilter, "y = scipy.signal.lfilter(b, a, x, axis=-1)", nondiff=["axis"], note="without zi=", **ANY,
     pull={"b": "rt.lagged(g, scipy.signal.lfilter(np.ones(1), a, x, axis), b, axis)",
           "a": "rt.lagged(-g, scipy.signal.lfilter(np.ones(1), a, y, axis), a, axis)",
           "x": f"rt.unbroadcast({BACK.format('b, a', 'g')}, x)"},
     push={"b": "scipy.signal.lfilter(g, a, x, axis)", "a": "-scipy.signal.lfilter(g, a, y, axis)",
           "x": "scipy.signal.lfilter(b, a, g, axis)"})
linear(rt.lagged, "r = rt.lagged(v, u, b, axis=-1)", nondiff=["b"], spec=cotangent("b"),
       pull={"v": "rt.unbroadcast(scipy.signal.lfilter(g, np.ones(1), u, axis), v)",
             "u": f"rt.unbroadcast({BACK.format('g, np.ones(1)', 'v')}, u)"})
linear(signal.detrend, "y = scipy.signal.detrend(data, axis=-1, type='linear')", nondiff=["axis", "type"], **ANY,
       pull={"data": "rt.unbroadcast(scipy.signal.detrend(g, axis, type), data)"})

# ------------------------------------------------------------------ designs, of constants
for name, signature in (("butter", "N, Wn, btype='low', analog=False, output='ba', fs=None"),
                        ("cheby1", "N, rp, Wn, btype='low', analog=False, output='ba', fs=None"),
                        ("cheby2", "N, rs, Wn, btype='low', analog=False, output='ba', fs=None"),
                        ("bessel", "N, Wn, btype='low', analog=False, output='ba', norm='phase', fs=None"),
                        ("ellip", "N, rp, rs, Wn, btype='low', analog=False, output='ba', fs=None"),
                        ("firwin", "numtaps, cutoff, *, width=None, window='hamming', pass_zero=True, scale=True, "
                                   "fs=None"),
                        ("savgol_coeffs", "window_length, polyorder, deriv=0, delta=1.0, pos=None, use='conv'"),
                        ("get_window", "window, Nx, fftbins=True"),
                        ("iirnotch", "w0, Q, fs=2.0"), ("iirpeak", "w0, Q, fs=2.0")):
    nondifferentiable(getattr(signal, name), f"y = scipy.signal.{name}({signature})", because="it designs a filter",
                      breaks="",
                      refused=[part.partition("=")[0] for part in signature.replace("*, ", "").split(", ")], **ANY)
