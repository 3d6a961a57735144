"""NumPy's list in the place of ours gives numbers of NumPy's classes: a gradient by a float is a float all the same."""
from __future__ import annotations

import numpy as np
import pytest

import tangent_nb as tnb


def of_scalars(x, y):
    z = np.array([x, x * y, 2.0, y])
    return np.sum(z * z)


def of_coefficients(a, b, x):
    y = np.polyval([a, 2.0, a * b], x)
    return np.sum(y * y)


def of_a_tuple(x, y):
    z = np.asarray((x, y))
    return np.sum(np.sin(z))


@pytest.mark.parametrize("f", [of_scalars, of_coefficients, of_a_tuple])
def test_gradients_by_floats_are_floats(f):
    args = (0.7, 1.3, np.linspace(0.0, 1.0, 4))[:f.__code__.co_argcount]
    for optimized in (False, True, *tnb.PASSES):
        for like in (None, args):
            gradient = tnb.grad(f, (0, 1), like=like, optimized=optimized)(*args)
            assert [type(one) for one in gradient] == [float, float], (optimized, like)
            assert gradient == pytest.approx(tnb.grad(f, (0, 1), optimized=False)(*args), rel=1e-12)
