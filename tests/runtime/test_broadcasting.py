"""Undoing broadcasting: shapes, dtypes, identity, empty axes."""
import numpy as np
import pytest

import tangent_nb.runtime as rt
from tangent_nb.errors import ArgumentError


@pytest.mark.parametrize("shape", [(), (3,), (1,), (2, 1), (1, 3), (2, 3), (1, 1)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_unbroadcast_has_the_shape_and_dtype_of_the_argument(shape, dtype):
    got = rt.unbroadcast(np.ones((2, 3)), np.zeros(shape, dtype))
    assert np.shape(got) == shape and got.dtype == dtype
    assert np.sum(got) == 6


def test_unbroadcast_returns_what_fits_itself():
    g = np.ones((2, 3))
    assert rt.unbroadcast(g, np.zeros((2, 3))) is g
    assert rt.unbroadcast(g, np.zeros((2, 3), int)) is g


def test_unbroadcast_to_python_numbers():
    for g in (np.ones((2, 3)), np.float32(6.0), np.array(6.0), 6.0, 6):
        got = rt.unbroadcast(g, 0.5)
        assert type(got) is float and got == 6.0


@pytest.mark.parametrize("wide, narrow", [((0, 3), (3,)), ((0,), ()), ((2, 0), (2, 1)), ((0,), (1,)), ((0,), (0,))])
def test_unbroadcast_of_empty_axes(wide, narrow):
    got = rt.unbroadcast(np.ones(wide), np.zeros(narrow))
    assert np.shape(got) == narrow and not np.any(got)


def test_unbroadcast_takes_the_real_part_for_a_real_argument():
    assert rt.unbroadcast(np.array([1 + 2j, 3j]), np.zeros(2)).tolist() == [1.0, 0.0]
    assert rt.unbroadcast(1 + 2j, 0.5) == 1.0
    assert rt.unbroadcast(1j, 1j) == 1j


def test_unbroadcast_spreads_a_scalar():
    got = rt.unbroadcast(2.0, np.zeros(3))
    assert got.tolist() == [2.0] * 3 and got.flags.writeable and got.flags.owndata


@pytest.mark.parametrize("container", [[1.0], (1.0,), {"a": 1.0}, "text", None])
def test_arithmetic_on_containers_is_refused(container):
    with pytest.raises(ArgumentError, match="not differentiated"):
        rt.unbroadcast(1.0, container)


def test_broadcast_to_like():
    got = rt.broadcast_to_like(np.float32(2.0), np.zeros((2, 2), np.float32))
    assert got.dtype == np.float32 and got.tolist() == [[2, 2], [2, 2]] and got.flags.writeable
    g = np.ones(3)
    assert rt.broadcast_to_like(g, np.zeros(3)) is g
    assert rt.broadcast_to_like(2.0, 1.0) == 2.0


def test_mask_is_exactly_zero():
    bad = np.array([np.inf, np.nan, 1.0])
    assert rt.mask(bad, np.array([False, False, True])).tolist() == [0, 0, 1]
    assert rt.mask(np.inf, False) == 0.0 and rt.mask(np.float64("nan"), np.False_) == 0.0
    assert rt.mask(bad, False).tolist() == [0, 0, 0]
    assert rt.mask(np.ones(3), np.array([[True, False, False], [False, False, True]])).tolist() == [1, 0, 1]
    assert rt.mask(np.ones(2, np.float32), np.array([True, False])).dtype == np.float32


@pytest.mark.parametrize("condition", [True, np.bool_(True), np.array(True), np.array([True, True])])
def test_what_is_masked_is_memory_of_its_own(condition):
    g = np.ones(4)[::2]
    assert not np.shares_memory(rt.mask(g, condition), g)
