"""Transposes of reading and writing parts."""
import numpy as np
import pytest

import tangent_nb.runtime as rt

INDICES = [1, slice(0, 2), (slice(None), 1), [0, 0, 1], np.array([1, 1]), (np.array([0, 0]), np.array([2, 2])),
           (0, [1, 1, 0]), np.array([True, False]), ..., (None, 0), (slice(None), np.array([True, False, True])),
           (slice(None, None, -1), -1)]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_reading_and_adding_are_transposes(index):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3))
    g = rng.normal(size=np.shape(x[index]))
    b = rt.index_like(g, x, index)
    v = rng.normal(size=(2, 3))
    assert b.shape == x.shape
    np.testing.assert_allclose(np.sum(b * v), np.sum(g * v[index]), rtol=1e-13)


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_writing_and_its_transpose(index):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 3))
    v = rng.normal(size=np.shape(x[index]))
    g = rng.normal(size=x.shape)
    dv = rng.normal(size=np.shape(v))
    bv = rt.written(g, v, index)
    moved = (rt.updated(x, index, v + dv) - rt.updated(x, index, v))
    np.testing.assert_allclose(np.sum(bv * dv), np.sum(g * moved), rtol=1e-12)
    assert not np.shares_memory(bv, g)


def test_a_scalar_written_to_many_gets_the_sum():
    assert rt.written(np.ones((2, 3)), 0.5, slice(None)) == 6.0
    assert rt.written(np.ones(3), 0.5, [0, 0, 1]) == 2.0


def test_add_at_in_containers():
    b = [np.zeros(2), (1.0, 2.0)]
    rt.add_at(b, 1, (1.0, 1.0))
    rt.add_at(b, 0, np.ones(2))
    assert b[0].tolist() == [1, 1] and b[1] == (2.0, 3.0)
    d = {"k": 1.0}
    rt.add_at(d, "k", 2.0)
    assert d == {"k": 3.0}


def test_index_like_keeps_containers_and_dtypes():
    got = rt.index_like(1.0, {"a": np.ones(2), "b": 2.0}, "b")
    assert got["a"].tolist() == [0, 0] and got["b"] == 1.0
    assert rt.index_like(1.0, np.ones(3, np.float32), 0).dtype == np.float32
    assert rt.index_like([1.0, 2.0], [0.0, 0.0, 0.0], slice(1, 3)) == [0.0, 1.0, 2.0]


def test_unsort_takes_what_broadcasts():
    assert rt.unsort(1.0, np.array([3.0, 1.0, 2.0])).tolist() == [1, 1, 1]
    assert rt.unsort(np.array([[1.0, 2.0]]), np.array([[3.0, 1.0], [4.0, 5.0]]), 1).tolist() == [[2, 1], [1, 2]]
    assert rt.unsort(2.0, np.ones((2, 2)), None).tolist() == [[2, 2], [2, 2]]
