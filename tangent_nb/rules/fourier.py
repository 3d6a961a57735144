"""Discrete Fourier transforms. Their matrices are symmetric: a transform is its own transpose.

Complex cotangents are of holomorphic functions, and are not conjugated: so no transform turns into its inverse here.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer, when
from .table import linear, nondifferentiable

fn: Any
REAL = when.both(when.is_none("n"), when.is_real("x"))
NOTE = "a real argument gets the real part"
for name in ("fft", "ifft"):
    linear(getattr(np.fft, name), f"y = np.fft.{name}(x, n=None, axis=-1, norm=None)", nondiff=["n", "norm"],
           spec=infer.arrays, note=NOTE, pull={"x": [(REAL, f"np.real(np.fft.{name}(g, axis=axis, norm=norm))"),
                                                     f"rt.resized(np.fft.{name}(g, axis=axis, norm=norm), x)"]})
for name, back in (("rfft", "fft"), ("ihfft", "ifft")):
    linear(getattr(np.fft, name), f"y = np.fft.{name}(x, n=None, axis=-1, norm=None)", nondiff=["n", "norm"],
           spec=infer.arrays,
           pull={"x": [(when.is_none("n"), f"np.real(np.fft.{back}(g, np.shape(x)[axis], axis=axis, norm=norm))"),
                       f"rt.resized(np.fft.{back}(g, rt.fft_length(x, n, axis), axis=axis, norm=norm), x)"]},
           note="the frequencies that are left out have no cotangent")
for name, back in (("irfft", "ifft"), ("hfft", "fft")):
    linear(getattr(np.fft, name), f"y = np.fft.{name}(x, n=None, axis=-1, norm=None)", nondiff=["n", "norm"],
           spec=infer.arrays, pull={"x": f"rt.resized(rt.halved(np.fft.{back}(g, axis=axis, norm=norm), axis), x)"},
           note="each frequency but the first and the last stands for its negative too")

for name in ("fft2", "ifft2", "fftn", "ifftn"):
    default, axes = ("(-2, -1)", "axes") if name.endswith("2") else ("None", "rt.fft_axes(s, axes)")
    linear(getattr(np.fft, name), f"y = np.fft.{name}(x, s=None, axes={default}, norm=None)", nondiff=["s", "norm"],
           spec=infer.arrays, note=NOTE, pull={"x": [
               (when.both(when.is_none("s"), when.is_real("x")), f"np.real(np.fft.{name}(g, axes=axes, norm=norm))"),
               f"rt.resized(np.fft.{name}(g, axes={axes}, norm=norm), x)"]})
for name in ("rfft2", "rfftn"):
    default = "(-2, -1)" if name.endswith("2") else "None"
    linear(getattr(np.fft, name), f"y = np.fft.{name}(x, s=None, axes={default}, norm=None)", nondiff=["s", "norm"],
           spec=infer.arrays, pull={"x": "rt.rfftn_dx(g, x, s, axes, norm)"})
for name in ("irfft2", "irfftn"):
    default, axes = ("(-2, -1)", "axes") if name.endswith("2") else ("None", "rt.fft_axes(s, axes)")
    linear(getattr(np.fft, name), f"y = np.fft.{name}(x, s=None, axes={default}, norm=None)", nondiff=["s", "norm"],
           spec=infer.arrays,
           pull={"x": f"rt.resized(rt.halved(np.fft.ifftn(g, axes={axes}, norm=norm), rt.last_axis(axes)), x)"})
for fn, back in ((np.fft.fftshift, "ifftshift"), (np.fft.ifftshift, "fftshift")):
    linear(fn, f"y = np.fft.{fn.__name__}(x, axes=None)", pull={"x": f"np.fft.{back}(g, axes)"},
           spec=infer.like("x", "array"))
for fn in (np.fft.fftfreq, np.fft.rfftfreq):
    nondifferentiable(fn, f"y = np.fft.{fn.__name__}(n, d=1.0)",
                      because="frequencies of a transform are integers, divided by its length",
                      refused=["d"], spec=infer.arrays)

# --- their transposes
linear(rt.resized, "y = rt.resized(v, x)", pull={"v": "rt.resized(g, v)"}, nondiff=["x"], spec=infer.anything,
       memory="view")
linear(rt.halved, "y = rt.halved(v, axis=-1)", pull={"v": "rt.unhalved(g, v, axis)"}, spec=infer.arrays)
linear(rt.unhalved, "y = rt.unhalved(v, x, axis=-1)", pull={"v": "rt.halved(g, axis)"}, nondiff=["x"],
       spec=infer.arrays)
linear(rt.rfftn_dx, "y = rt.rfftn_dx(v, x, s=None, axes=None, norm=None)",
       pull={"v": "rt.cast(np.fft.rfftn(g, s, axes, norm), v)"}, nondiff=["x"], spec=infer.anything)
nondifferentiable(rt.fft_axes, "y = rt.fft_axes(s, axes)", because="places", spec=infer.anything, breaks="",
                  memory="alias")
nondifferentiable(rt.fft_length, "y = rt.fft_length(x, n, axis)", because="a length",
                  spec=infer.some("int", "weak"), breaks="")
nondifferentiable(rt.last_axis, "y = rt.last_axis(axes)", because="a place", spec=infer.some("int", "weak"), breaks="",
                  memory="alias")
