"""Zeros, sums and copies of containers."""
from collections import namedtuple

import numpy as np

import tangent_nb.runtime as rt

Point = namedtuple("Point", "x y")


def test_zeros_like():
    assert rt.zeros_like(2) == 0.0 and type(rt.zeros_like(2)) is float
    assert rt.zeros_like(None) == 0.0 and rt.zeros_like("text") == 0.0
    assert rt.zeros_like(np.ones(2, int)).dtype == float
    assert rt.zeros_like(np.ones(2, np.float32)).dtype == np.float32
    assert isinstance(rt.zeros_like(np.array(1.0)), np.ndarray)
    assert rt.zeros_like(np.float32(1)).dtype == np.float32
    got = rt.zeros_like({"w": [np.ones(2), (1, 2.0)]})
    assert got["w"][0].tolist() == [0, 0] and got["w"][1] == (0.0, 0.0)
    assert rt.zeros_like(Point(1.0, 2)) == Point(0.0, 0.0)


def test_ones_like():
    assert rt.ones_like(np.ones((2, 0))).shape == (2, 0)
    assert rt.ones_like((1.0, 2)) == (1.0, 1.0)


def test_add_grad_changes_neither():
    a, b = [np.ones(2), (1.0, {"k": 2.0})], [np.ones(2), (3.0, {"k": 4.0})]
    total = rt.add_grad(a, b)
    assert total[0].tolist() == [2, 2] and total[1] == (4.0, {"k": 6.0})
    assert a[0].tolist() == [1, 1] and a[1] == (1.0, {"k": 2.0})


def test_copy_shares_nothing():
    a = {"w": [np.ones(2), 1.0]}
    b = rt.copy(a)
    b["w"][0][:] = 5.0
    b["w"].append(1)
    assert a["w"][0].tolist() == [1, 1] and len(a["w"]) == 2
    assert type(rt.copy(Point(1, 2))) is Point
