"""Arrays that one name hands over to another: a copy where nobody can tell, the check where the caller could."""
import numpy as np
import pytest

import tangent_nb as tnb


def in_turn(x):
    p = np.array([x, 2.0])
    for _ in range(2):
        q = p
        q -= p * x
        p = q
    return np.sum(p)


def seen_again(x):
    p = np.array([x, 2.0])
    for _ in range(2):
        q = p
        q -= p * x
    return np.sum(p) * q[0]


def of_the_caller(x):
    for _ in range(2):
        q = x
        q -= 0.5 * x
        x = q
    return np.sum(x * x)


def slope(f, x):
    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6


@pytest.mark.parametrize("optimized", [True, False])
def test_slopes(optimized):
    assert np.isclose(tnb.grad(in_turn, optimized=optimized)(0.3), slope(in_turn, 0.3), rtol=1e-6)
    assert np.isclose(tnb.jvp(in_turn, optimized=optimized)(0.3, 1.0), slope(in_turn, 0.3), rtol=1e-6)


def test_a_copy_stands_where_nobody_reads_the_other_name():
    assert "q = rt.copy(p)" in tnb.source(tnb.grad(in_turn))
    assert "rt.check_number" not in tnb.source(tnb.grad(in_turn))


def test_no_copy_where_both_are_read_afterwards():
    with pytest.raises(tnb.errors.RefusedError, match="q is changed in place"):
        tnb.grad(seen_again)


def test_what_the_caller_holds_is_no_copy():
    with pytest.raises(tnb.errors.ArgumentError, match="is changed in place"):
        tnb.grad(of_the_caller)(np.array([1.0, 2.0]))
    assert np.isclose(tnb.grad(of_the_caller)(3.0), slope(of_the_caller, 3.0))
