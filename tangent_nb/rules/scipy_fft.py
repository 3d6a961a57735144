"""SciPy's Fourier transforms, as those of NumPy (`fourier.py`), and cosine transforms.

The transposes of the cosine transforms: the second turns into the third and back, with weights at the first element;
the fourth is symmetric. G. Strang, "The discrete cosine transform" (1999), has the matrices. What overwrites its
argument (`overwrite_x`), and sine transforms, are not here.
"""
from __future__ import annotations

import scipy.fft
from scipy import fftpack

from .. import runtime as rt
from . import infer, when
from .fourier import NOTE, REAL
from .table import linear, lookup, nondifferentiable

PLAIN = when.both(when.is_none("s"), when.is_sequence("axes"))     # a number is one axis to SciPy, none to NumPy
for name in ("fft", "ifft"):
    for module, norm in (("scipy.fft", ", norm=None"), ("scipy.fftpack", "")):
        given = "axis=axis, norm=norm" if norm else "axis=axis"
        linear(getattr(scipy.fft if norm else fftpack, name), f"y = {module}.{name}(x, n=None, axis=-1{norm})",
               nondiff=["n", "norm"] if norm else ["n"], spec=infer.arrays, note=NOTE, pull={
                   "x": [(REAL, f"np.real(np.fft.{name}(g, {given}))"), f"rt.resized(np.fft.{name}(g, {given}), x)"]})
linear(scipy.fft.rfft, "y = scipy.fft.rfft(x, n=None, axis=-1, norm=None)", nondiff=["n", "norm"], spec=infer.arrays,
       pull={"x": "rt.resized(np.fft.fft(g, rt.fft_length(x, n, axis), axis=axis, norm=norm), x)"},
       note="the frequencies that are left out have no cotangent")
linear(scipy.fft.irfft, "y = scipy.fft.irfft(x, n=None, axis=-1, norm=None)", nondiff=["n", "norm"],
       spec=infer.arrays, pull={"x": "rt.resized(rt.halved(np.fft.ifft(g, axis=axis, norm=norm), axis), x)"},
       note="each frequency but the first and the last stands for its negative too")
for name in ("fft2", "ifft2", "fftn", "ifftn"):
    linear(getattr(scipy.fft, name),
           f"y = scipy.fft.{name}(x, s=None, axes={'(-2, -1)' if name.endswith('2') else None}, norm=None)",
           nondiff=["s", "norm"], spec=infer.arrays, note=NOTE, pull={"x": [
               (when.both(PLAIN, when.is_real("x")), f"np.real(np.fft.{name}(g, axes=axes, norm=norm))"),
               f"rt.resized(np.fft.{name}(g, axes=rt.fft_axes(s, axes), norm=norm), x)"]})
for name, back in (("fftshift", "ifftshift"), ("ifftshift", "fftshift")):
    for module in (scipy.fft, fftpack):
        if lookup(getattr(module, name)) is None:          # or it is NumPy's
            linear(getattr(module, name), f"y = {module.__name__}.{name}(x, axes=None)",
                   pull={"x": f"np.fft.{back}(g, axes)"}, spec=infer.like("x", "array"))
for name in ("fftfreq", "rfftfreq"):
    for module in (scipy.fft, fftpack):
        if lookup(getattr(module, name)) is None:
            nondifferentiable(getattr(module, name), f"y = {module.__name__}.{name}(n, d=1.0)",
                              because="frequencies of a transform are integers, divided by its length",
                              refused=["d"], spec=infer.arrays)

# --- cosine transforms
for name in ("dct", "idct"):
    for module in (scipy.fft, fftpack):
        plain = name == "idct" and module is fftpack       # by default it divides by nothing
        norm = "norm if norm is not None else 'forward'" if plain else "norm"
        linear(getattr(module, name), f"y = {module.__name__}.{name}(x, type=2, n=None, axis=-1, norm=None)",
               nondiff=["type", "n", "norm"], spec=infer.arrays,
               pull={"x": f"rt.{name}_dx(g, x, type, axis, {norm})"})
    linear(getattr(rt, f"{name}_dx"), f"y = rt.{name}_dx(v, x, type=2, axis=-1, norm=None)",
           nondiff=["x", "type", "norm"], spec=infer.anything,
           pull={"v": f"scipy.fft.{name}(g, type, np.shape(v)[axis], axis, norm)"})
