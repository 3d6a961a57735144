"""Higher derivatives at special points, complex numbers inside, counts."""
import numpy as np
import pytest

import tangent_nb.runtime as rt
from tangent_nb.errors import ArgumentError


def test_products_of_others_are_symmetric_derivatives():
    rng = np.random.default_rng(0)
    x, u, v, w = rng.normal(size=(4, 5))
    x[1] = x[3] = 0.0
    h = 1e-5
    np.testing.assert_allclose(rt.others_along(v, x),
                               (rt.others(x + h * v) - rt.others(x - h * v)) / (2 * h), atol=1e-8)
    np.testing.assert_allclose(rt.others_along2(u, v, x),
                               (rt.others_along(v, x + h * u) - rt.others_along(v, x - h * u)) / (2 * h), atol=1e-8)
    assert rt.others_along2(u, v, x) @ w == pytest.approx(rt.others_along2(w, v, x) @ u)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), ()])
def test_others_along_axes(axis):
    x = np.random.default_rng(0).normal(size=(2, 3, 2))
    np.testing.assert_allclose(rt.others(x, axis) * x, np.broadcast_to(np.prod(x, axis=axis, keepdims=True), x.shape))


def test_power_partials_at_zero():
    assert rt.power_dx(1.0, 0.0, 0) == 0.0 and rt.power_dx(1.0, 0.0, 1) == 1.0
    assert rt.power_dx(rt.power_dx(1.0, 0.0, 2.0), 0.0, 1.0) == 0.0
    assert rt.power_dy(1.0, 0.0, 3.0, 0.0) == 0.0
    np.testing.assert_array_equal(rt.power_dx(np.ones(3), np.zeros(3), np.array([0.0, 1.0, 2.0])), [0.0, 1.0, 0.0])


def test_count():
    assert rt.count(np.zeros((2, 3))) == 6 and rt.count(np.zeros((2, 3)), -1) == 3 \
        and rt.count(np.zeros((2, 3)), (0, 1), 1) == 5
    assert rt.count(np.zeros(0)) == 1 and np.isnan(rt.count(np.zeros(1), None, 1)) and rt.count(2.0) == 1


def test_complex_inside():
    """d/dx |x + i x^2|^2 = 2 x + 4 x^3, as the rows chain it."""
    x = 2.0
    z = x + 1j * x ** 2
    bz = 2.0 * np.abs(z) * rt.sign(z)
    assert rt.unbroadcast(bz, x) + rt.unbroadcast(1j * bz, x) * 2 * x == pytest.approx(2 * x + 4 * x ** 3)


@pytest.mark.parametrize("call", [lambda z: rt.centered(z), lambda z: rt.norm_slope(z), lambda z: rt.share(z, z[0]),
                                  lambda z: rt.sign_dx2(1.0, 1.0, z)])
def test_functions_of_complex_numbers_without_a_rule_are_refused(call):
    with pytest.raises(ArgumentError, match="complex"):
        call(np.array([1j, 2.0]))


def test_pad_modes_are_refused():
    with pytest.raises(ArgumentError, match="empty"):
        rt.unpad(np.ones(3), np.ones(1), 1, "empty")


def test_unreduce_is_fresh_and_keeps_the_dtype():
    x = np.zeros((2, 3), np.float32)
    got = rt.unreduce(np.float64(2.0), x)
    assert got.dtype == np.float32 and got.flags.writeable and got.flags.owndata
    assert type(rt.unreduce(np.float64(2.0), 0.5)) is float
    assert rt.unreduce(np.ones((2, 1)), x, 1, True).shape == (2, 3)
    assert rt.unreduce(np.ones(3), np.zeros((2, 3, 4)), (0, -1)).shape == (2, 3, 4)
    assert rt.unreduce(1.0, [1.0, [2.0, 3.0]][1]) == [1.0, 1.0]


@pytest.mark.parametrize("subscripts, shapes", [
    ("ii", [(3, 3)]), ("ij->", [(2, 3)]), ("ij->j", [(2, 3)]), ("iij->j", [(2, 2, 3)]), ("i,i", [(3,), (3,)]),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]), ("...i,...i->...", [(5, 3), (5, 3)]), ("ij,k->", [(2, 3), (4,)]),
    ("i...,i->...", [(3, 2, 2), (3,)]), ("ij,ij->ij", [(2, 3), (1, 3)]), (",i->i", [(), (3,)]), ("ba", [(2, 3)]),
    ("b...a", [(2, 4, 3)]),
])
def test_einsum_is_multilinear(subscripts, shapes):
    rng = np.random.default_rng(0)
    operands = [rng.normal(size=shape) for shape in shapes]
    y = np.einsum(subscripts, *operands)
    g = rng.normal(size=y.shape)
    for i, fn in zip(range(len(shapes)), (rt.einsum_dx, rt.einsum_dy, rt.einsum_dz)):
        back = fn(g, subscripts, *operands)
        assert np.shape(back) == shapes[i]
        np.testing.assert_allclose(np.sum(back * operands[i]), np.sum(g * y), rtol=1e-10)
        v = rng.normal(size=shapes[i])
        moved = np.einsum(subscripts, *operands[:i], v, *operands[i + 1:])
        np.testing.assert_allclose(np.sum(back * v), np.sum(g * moved), rtol=1e-10)
