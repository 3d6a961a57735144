"""Paths apart: a branch decides which array a name is, and what is returned is one of these."""
from __future__ import annotations

import numpy as np
import pytest

import tangent_nb as tnb


def turned(x, side):
    if side < 0:
        out = np.array((x, x * 2)).T
    elif side == 0:
        rows = np.array((x, x * 3)) * x
        out = rows.T
    else:
        out = np.zeros((3, 2))
    if side >= 0:
        out[0] = (1.0, 2.0)
        out[0] /= x[1] - x[0]
    else:
        out[0] = (0, 0)
    out[-1] *= x[0]
    return out


def one_of_two(x, side):
    first, second = x * x, np.sin(x)
    out = first if side > 0 else second
    out[0] = x[1]
    return out


def what_is_read_too(x, side):
    rows = np.array((x, x * 3))
    if side > 0:
        out = rows[0]
    else:
        out = x * 2.0
    out[1] = x[0] * x[2]
    total = np.sum(rows * rows)
    out[0] = total
    return out


@pytest.mark.parametrize("f", [turned, one_of_two, what_is_read_too])
@pytest.mark.parametrize("side", [-1, 0, 1])
@pytest.mark.parametrize("optimized", [True, False])
def test_it_is_right(f, side, optimized):
    x, h = np.array([0.3, 0.7, 0.9]), 1e-6
    y = f(x.copy(), side)
    seed = np.cos(np.arange(y.size)).reshape(y.shape)
    want = [np.sum(seed * (f(x + h * e, side) - f(x - h * e, side))) / (2 * h) for e in np.eye(3)]
    assert np.allclose(tnb.vjp(f, 0, optimized=optimized)(x, side, seed=seed), want, atol=1e-6)
    got = [np.sum(seed * tnb.jvp(f, 0, optimized=optimized)(x, side, dx=e)) for e in np.eye(3)]
    assert np.allclose(got, want, atol=1e-6)
