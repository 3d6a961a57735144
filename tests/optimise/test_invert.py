"""Updates that are undone in the loop back: the same gradient without a tape, and what is not undone."""
from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, TangentError

X, V = np.array([0.3, 0.7, 1.1]), np.array([-0.2, 0.4, 0.1])
WITH = "+invert_updates"


def pendulum(x, v, n):
    for _ in range(n):
        v = v - 0.1 * np.sin(x)
        x = x + 0.1 * v
    return np.sum(x * x + v)


def in_place(x, v, n):
    x, v = x.copy(), v.copy()
    for _ in range(n):
        v -= 0.1 * np.sin(x)
        x += 0.1 * v
    return np.sum(x * x + v)


def of_the_target(x, v, n):
    y = x * 0.5
    for i in range(n):
        x = np.sin(y) * v[i % 3] + x
        y = y - np.cos(x) / (i + 1.0)
    return np.sum(x * x * y)


def while_loop(x, v, n):
    k = 0
    while k < n:
        x = x + 0.1 * np.sin(v)
        v = v - 0.1 * np.cos(x)
        k += 1
    return np.sum(x * v)


def three(x, v, n):
    a = v * 2.0
    for _ in range(n):
        x = x + 0.1 * np.sin(a)
        v = v + 0.1 * np.tanh(x)
        a = a - 0.1 * v
    return np.sum(x * v * a)


def beside_a_tape(x, v, n):
    for _ in range(n):
        v = v * 0.9 + np.sin(x)
        x = x + 0.1 * np.tanh(v)
    return np.sum(x * v)


def two_loops(x, v, n):
    for _ in range(n):
        x = x + 0.1 * np.sin(v)
        v = v - 0.1 * np.cos(x)
    for _ in range(n):
        v = v + 0.1 * np.sin(x)
        x = x - 0.1 * v
    return np.sum(x * v)


def the_result(x, v, n):
    for _ in range(n):
        v = v - 0.1 * np.sin(x)
        x = x + 0.1 * v
    return x


UNDONE = [pendulum, in_place, of_the_target, while_loop, three, beside_a_tape, two_loops]


def text(f, like=(X, V, 4), **keywords):
    return tnb.stages(tnb.grad(f, ("x", "v"), optimized=WITH, like=like, **keywords))["invert_updates"]


@pytest.mark.parametrize("f", UNDONE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 7, 200])
def test_the_gradient_is_the_same(f, n):
    plain, undoing = tnb.value_and_grad(f, ("x", "v")), tnb.value_and_grad(f, ("x", "v"), optimized=WITH)
    for _ in range(2):
        x, v = X.copy(), V.copy()
        (value, expected), (other, found) = plain(X, V, n), undoing(x, v, n)
        assert value == other
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)
        np.testing.assert_array_equal([x, v], [X, V])


@pytest.mark.parametrize("f", UNDONE, ids=lambda f: f.__name__)
def test_there_is_no_tape_for_what_is_undone(f):
    found = text(f)
    assert "check_undone" in found and "x_saved" not in found
    assert f is beside_a_tape or "_saved" not in found


def test_of_numbers_and_of_what_is_given_for_all_arguments():
    for x, v in ((0.3, -0.2), (np.float32(0.3), np.float32(-0.2))):
        expected, found = (tnb.grad(the_result, "x", optimized=one)(x, v, 5) for one in (True, WITH))
        np.testing.assert_allclose(found, expected, rtol=1e-5 if isinstance(x, np.float32) else 1e-11)


def test_what_comes_out_is_what_came_out():
    """The result is what is undone: it is returned as it was."""
    plain = tnb.value_and_grad(lambda x, v: np.sum(the_result(x, v, 6)), (0, 1))(X, V)
    undoing = tnb.value_and_grad(lambda x, v: np.sum(the_result(x, v, 6)), (0, 1), optimized=WITH)(X, V)
    assert plain[0] == undoing[0]
    np.testing.assert_allclose(undoing[1], plain[1], rtol=1e-11)


def reads_itself(x, v, n):
    for _ in range(n):
        x = x + 0.1 * np.sin(x)
    return np.sum(x * v)


def scales(x, v, n):
    for _ in range(n):
        x = x * np.sin(v)
        v = v * 0.5 + x
    return np.sum(x * x)


def chosen(x, v, n):
    for i in range(n):
        if i % 2:
            x = x + np.sin(v)
        v = v - np.cos(x)
    return np.sum(x * v)


def leaves(x, v, n):
    for i in range(n):
        v = v - 0.1 * np.sin(x)
        if np.sum(v) > 5.0:
            break
        x = x + 0.1 * v
    return np.sum(x * x)


def of_a_temporary(x, v, n):
    t = v
    for _ in range(n):
        x = x + np.sin(t) * t
        t = np.tanh(x) * x
    return np.sum(x * x)


def twice(x, v, n):
    for _ in range(n):
        x = x + np.sin(v)
        v = v + np.sin(x)
        x = x + np.cos(v)
    return np.sum(x * v)


def later(x, v, n):
    for _ in range(n):
        v = v - 0.1 * np.sin(x)
        x = x + 0.1 * v
    return np.sum(x * x) * np.sum(np.exp(v))


def nested(x, v, n):
    for _ in range(n):
        for _ in range(2):
            v = v - 0.1 * np.sin(x)
            x = x + 0.1 * v
    return np.sum(x * x)


def part(x, v, n):
    x = x.copy()
    for i in range(n):
        x[1:] += np.sin(x[:-1])
    return np.sum(x * v)


@pytest.mark.parametrize("f", [reads_itself, scales, chosen, leaves, twice, nested, part], ids=lambda f: f.__name__)
def test_what_cannot_be_undone_is_saved(f):
    assert "check_undone" not in text(f)


@pytest.mark.parametrize("f", [reads_itself, scales, chosen, leaves, of_a_temporary, twice, later, nested, part],
                         ids=lambda f: f.__name__)
def test_and_the_gradient_is_the_same(f):
    plain, undoing = (tnb.grad(f, ("x", "v"), optimized=one) for one in (True, WITH))
    for n in (0, 1, 5):
        np.testing.assert_allclose(undoing(X.copy(), V.copy(), n), plain(X.copy(), V.copy(), n), rtol=1e-11, atol=1e-11)


def grows(x, v, n):
    for _ in range(n):
        x = x + np.exp(30.0 * v)
        v = v + np.sin(x) * 0.0 + 1.0
    return np.sum(x * np.sin(x))


def test_digits_that_are_lost_are_no_gradient():
    """x is 1e10 after a trip, 1e50 after four: what it was first cannot be brought back."""
    with pytest.raises(ArgumentError, match=r"x cannot be brought back by undoing .* without the pass invert_updates"):
        tnb.grad(grows, "x", optimized=WITH)(X, V, 4)
    tnb.grad(grows, "x")(X, V, 4)


def far(x, v, n):
    t = x * 0.0
    for _ in range(n):
        t = t + np.sin(x)
        x = x + v
    return np.sum(t)


@pytest.mark.parametrize("dtype, step", [(np.float64, 1e17), (np.float32, 1e12)], ids=["float64", "float32"])
def test_a_large_element_does_not_excuse_a_small_one(dtype, step):
    """0.3 comes back as 0, beside an element of which no digit is lost: the sine of 0.3 would be that of 0."""
    x, v = np.array([0.3, step / 100.0], dtype), np.array([step, 0.0], dtype)
    with pytest.raises(ArgumentError, match="x cannot be brought back by undoing"):
        tnb.grad(far, "x", optimized=WITH)(x, v, 1)
    near = np.array([0.3, 0.7], dtype)
    found = tnb.grad(far, "x", optimized=WITH)(near, near, 5)
    np.testing.assert_allclose(found, tnb.grad(far, "x")(near, near, 5), rtol=1e-4 if dtype is np.float32 else 1e-11)


def broadcast(x, v, n):
    for _ in range(n):
        x = x + np.sin(v)
        v = v - np.cos(x)
    return np.sum(x * v)


def test_what_a_trip_makes_larger_is_no_gradient():
    wide = np.ones((2, 3))
    expected = tnb.grad(broadcast, "x")(X, wide, 3)
    try:
        np.testing.assert_allclose(tnb.grad(broadcast, "x", optimized=WITH)(X, wide, 3), expected)
    except ArgumentError as error:
        assert "it would be off by inf" in str(error)


@pytest.mark.parametrize("more", [{"backend": "jax"}, {"backend": "jax", "compile": "jit"}, {"compile": "numba"}],
                         ids=str)
def test_it_is_for_numpy(more):
    with pytest.raises(TangentError, match="invert_updates is for NumPy's arrays: leave it out with"):
        tnb.grad(pendulum, "x", optimized=WITH, **more)


def test_split_motion_saves():
    _, backward = tnb.autodiff(pendulum, "x", motion="split", optimized=WITH)
    assert "check_undone" not in tnb.source(backward)


def test_second_derivatives():
    def slope(x, v):
        return np.sum(tnb.grad(pendulum, "x", optimized=WITH)(x, v, 5) * v)

    expected = tnb.grad(lambda x, v: np.sum(tnb.grad(pendulum, "x")(x, v, 5) * v), "x")(X, V)
    np.testing.assert_allclose(tnb.grad(slope, "x")(X, V), expected, rtol=1e-10)


def test_the_memory_does_not_grow_with_the_trips():
    def peak(df, n):
        x, v = np.linspace(0.0, 1.0, 10_000), np.zeros(10_000) + 0.1
        df(x, v, n)
        tracemalloc.start()
        df(x, v, n)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    undoing, plain = (tnb.grad(pendulum, "x", optimized=one) for one in (WITH, True))
    assert peak(undoing, 200) < 1.1 * peak(undoing, 20)
    assert peak(plain, 200) > 8.0 * peak(undoing, 200)
