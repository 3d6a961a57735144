"""Arguments as vectors."""
from __future__ import annotations

from collections import namedtuple

import numpy as np

from tangent_nb.notebook.numbers import basis, directions, dot, is_real, leaves, mapped, size

Pair = namedtuple("Pair", "a b")


def test_what_can_have_a_derivative() -> None:
    assert all(map(is_real, (1, 1.0, np.float32(1), np.zeros(2), np.zeros((), np.float32))))
    assert not any(map(is_real,
                       (True, np.True_, np.arange(2), 1j, np.zeros(2, complex), "1", None, [1.0], np.array([None]))))


def test_structure_is_kept() -> None:
    value = {"a": [1.0, (np.ones(2), "s")], "b": Pair(2.0, None)}
    doubled = mapped(lambda leaf: 2 * leaf, value)
    assert doubled["a"][0] == 2.0 and doubled["a"][1][1] == "s" and doubled["b"] == Pair(4.0, None)
    assert np.array_equal(doubled["a"][1][0], [2.0, 2.0]) and len(leaves(value)) == 3 and size(value) == 4
    assert dot(value, value) == 1 + 2 + 4


def test_directions() -> None:
    value = [1.0, np.zeros((2, 2), np.float32)]
    each = directions(value, 5)
    assert len(each) == 5 and [dot(one, one) for one in each] == [1.0] * 5
    assert each[1][1].dtype == np.float32 and each[1][1].shape == (2, 2)
    some, again = directions(value, 4), directions(value, 4)
    assert 3 <= len(some) < 5 and dot(some[0], again[0]) > 0.99 and abs(dot(some[0], some[0]) - 1.0) < 1e-6
    assert directions([], 3) == [] and basis([1, np.ones(2)], 0.0)[0] == 0.0
