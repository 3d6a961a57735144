"""Whether a point is a kink, by differences: there the derivative follows a convention,
which differences cannot confirm."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

STEPS = (1e-5, 2.5e-6)
JUMP = 1e-3                                                # smaller ones are curvature, or rounding


def slope_jumps(value: Callable[[float], float], unit: float = 1.0) -> str:
    """How the slopes of `value` at 0 differ on the two sides; an empty text where they do not.

    >>> slope_jumps(abs), slope_jumps(lambda t: t * t)
    ('the slope is -1 on one side and 1 on the other', '')
    """
    found = []
    for step in STEPS:
        with np.errstate(all="ignore"):
            here, left, right = (value(t * step * unit) for t in (0.0, -1.0, 1.0))
        found.append(((here - left) / (step * unit), (right - here) / (step * unit)))
    (left, right), (finer_left, finer_right) = found
    jump, finer = right - left, finer_right - finer_left
    if not np.isfinite([jump, finer]).all() or abs(jump) <= JUMP * (1.0 + abs(left) + abs(right)) \
            or abs(finer) < 0.7 * abs(jump):
        return ""
    return f"the slope is {finer_left:.3g} on one side and {finer_right:.3g} on the other"


def curvature_differs(slope: Callable[[float], float], second: float, unit: float = 1.0) -> str:
    """How the second derivative at 0 differs from differences of `slope`, which holds beside 0;
    an empty text where it does not.

    >>> curvature_differs(lambda t: 2.0 * t, 0.0), curvature_differs(lambda t: 2.0 * t, 2.0)
    ('the second derivative is 0 by convention, and 2 by differences', '')
    """
    found = []
    for step in STEPS:
        with np.errstate(all="ignore"):
            found.append((slope(step * unit) - slope(-step * unit)) / (2.0 * step * unit))
    scale = 1.0 + abs(second) + abs(found[1])
    if not np.isfinite([*found, second]).all() or abs(found[0] - found[1]) > 0.01 * scale \
            or abs(found[1] - second) <= JUMP * scale:
        return ""
    return f"the second derivative is {second:.3g} by convention, and {found[1]:.3g} by differences"
