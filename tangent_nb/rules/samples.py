"""What a sampled tape calls: it is not differentiated, since it draws something else each time."""
from __future__ import annotations

from .. import runtime as rt
from . import infer
from .table import nondifferentiable, unsupported

nondifferentiable(rt.made, "y = rt.made(x)", because="how much trips count is constant", spec=infer.anything, breaks="")
for fn in (rt.sample, rt.unsample, rt.drawn, rt.pack_bits, rt.unpack_bits, rt.sampled_outline, rt.paths, rt.trips,
           rt.weighed):
    unsupported(fn, f"rt.{fn.__name__}", because="a sampled gradient is another one at each call",
                instead="the derivative without tape=, tnb.grad(f), which has further derivatives", pure=False)
