"""The sampled tape: a stage behind the passes, which writes samples of what the backward sweep reads into the text.

Needs the generated functions of a derivative, `tape=Sampled(…)`. Promises that what it samples is read for the
cotangent of a weight alone, once along any path, so that the gradient is right on average (D. Oktay et al., "Randomized
Automatic Differentiation", ICLR 2021); or a refusal.

    h = np.maximum(total, 0.0)                    h = np.maximum(total, 0.0)
    z = h @ w                                     z = h @ w
                                          →       h_sampled = rt.sample(h, stream, fraction=0.1)
    bw = h.T @ bz                                 bw = rt.unsample(h_sampled).T @ bz
"""
from .described import described
from .drawn_trips import Drawn, draw
from .plan import Plan, plan
from .sweeps import Sweeps, halves, joint
from .write import write

__all__ = ["Drawn", "Plan", "Sweeps", "described", "draw", "halves", "joint", "plan", "write"]
