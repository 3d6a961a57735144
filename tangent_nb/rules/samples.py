"""What a sampled tape calls: it is not differentiated, since it draws something else each time."""
from __future__ import annotations

from .. import runtime as rt
from .table import unsupported

for fn in (rt.sample, rt.unsample, rt.drawn, rt.pack_bits, rt.unpack_bits, rt.sampled_outline, rt.paths, rt.trips,
           rt.weighed):
    unsupported(fn, f"rt.{fn.__name__}", because="a sampled gradient is another one at each call",
                instead="the derivative without tape=, tnb.grad(f), which has further derivatives", pure=False)
