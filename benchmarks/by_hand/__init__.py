"""Programs with gradients that are written by hand: `python -m benchmarks.by_hand` measures ours beside them."""
from . import control, estimates, motion, networks, stencils
from .program import Program, leaves, same

__all__ = ["PROGRAMS", "Program", "leaves", "same"]

PROGRAMS: tuple[Program, ...] = (*networks.PROGRAMS, *control.PROGRAMS, *stencils.PROGRAMS, *estimates.PROGRAMS,
                                 *motion.PROGRAMS)
