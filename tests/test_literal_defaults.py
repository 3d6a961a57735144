"""What a text writes as a literal has exactly the class that the literal has.

A number of NumPy, or of an enumeration, is a float or an int too, and stays what it is."""
from __future__ import annotations

import enum
from functools import partial
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb


class Level(enum.IntEnum):
    LOW = 2
    HIGH = 3


def item(t: Any, k: Any = np.float64(-0.3)) -> Any:
    return t * t * k.item()


def level(t: Any, k: Any = Level.LOW) -> Any:
    return t ** k.value * len(k.name)


def of_defaults(t: Any) -> Any:
    return item(t) + level(t)


def divided(t: Any, k: Any) -> Any:
    return t / k if np.isfinite(1.0 / k) else t * 3.0


def growth(t: Any, k: Any = 0.6) -> Any:
    return t * t * k


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize(("f", "slope"), [
    (of_defaults, 2 * 0.5 * -0.3 + 3.0), (partial(item, k=np.float64(-2.0)), -2.0), (partial(level, k=Level.HIGH), 3.0),
    (partial(growth, k=np.float64(-2.0)), -2.0), (partial(growth, k=np.float32(-0.5)), -0.5),
    (partial(growth, k=-2), -2.0), (partial(growth, k=True), 1.0), (partial(divided, k=np.float64(0.0)), 3.0)])
def test_what_is_no_literal_is_not_written_as_one(f: Any, slope: float, optimized: bool) -> None:
    with np.errstate(all="ignore"):
        assert tnb.grad(f, optimized=optimized)(0.5) == pytest.approx(slope)
        assert tnb.jvp(lambda t: f(t))(0.5, 1.0) == pytest.approx(slope)
