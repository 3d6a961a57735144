"""Poles behind what the text cuts off contribute 0, in every mode: each function beside one that computes with the rest
alone."""
import warnings

import numpy as np
import pytest

import tangent_nb as tnb

V = np.array([0.0, 1.0, 4.0, 0.0, 2.25])                   # zeros at 0 and 3
W = np.array([-1.0, 1.0, 4.0, -2.0, 2.25])                 # roots and logarithms are NaN there
K = [1, 2, 4]
M = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
P = np.array([[0.1, 0.2], [1.0, -0.3], [0.4, 2.0]])
DATA = np.array([1.0, np.nan, 2.0, np.nan, 3.0])
UPPER = np.triu_indices(3, 1)
CASES = []


def case(x, expected):
    def keep(f):
        CASES.append(pytest.param(f, expected, x, id=f.__name__))
        return f
    return keep


def off_diagonal(x):
    return x[~np.eye(3, dtype=bool)]


def distances(x):
    i, j = UPPER
    return np.sqrt(np.sum((x[i] - x[j]) ** 2, axis=1))


@case(V, lambda x: np.sum(np.sqrt(x[K])) + np.sum(x[K] ** 1.5) + np.sum(x[K] ** 0.3)
      + np.sum(np.tanh(1.0 / np.sqrt(x[K]))))
def masks(x):
    r = np.sqrt(x)
    s = np.sqrt(x)
    q = np.tanh(1.0 / np.sqrt(x))
    return np.sum(r[r > 0]) + np.sum(s[x > 0] ** 3) + np.sum((x ** 0.3)[x > 0]) + np.sum(q[x > 0])


@case(V, lambda x: np.sum(1.0 / x[K]) + np.sum(np.log(x[K]) ** 2) + np.sum(x[2] / x[K]) + np.sum(x[K] ** -2.0)
      + np.sum(np.sqrt(x[K])) + 3.0)
def overwritten(x):
    a = 1.0 / x
    a[np.isinf(a)] = 0.0
    b = np.log(x)
    b[x <= 0] = 0.0
    c = x[2] * (1.0 / x)
    c[x == 0] = 0.0
    d = x ** -2.0
    np.putmask(d, x == 0, 0.0)
    e = np.sqrt(x)
    e[0], e[3] = 1.0, 2.0
    return np.sum(a) + np.sum(b * b) + np.sum(c) + np.sum(d) + np.sum(e)


@case(V, lambda x: np.sum(1.0 / x[K]) + 1.0 / x[1] + np.sum(np.minimum(1.0 / x[K], 2.0)))
def reciprocals(x):
    y = np.reciprocal(x)
    return np.sum(y[x > 0]) + y[1] + np.sum(np.minimum(y[K], 2.0))


@case(V, lambda x: 6.0 * np.sum(np.sqrt(x[K])) + np.sqrt(x[1]) * np.sqrt(x[2]) + np.sum(np.sqrt(x[1:3])))
def selections(x):
    r = np.sqrt(x)
    s = np.sqrt(x)
    return np.sum(np.take(np.sqrt(x), K)) + np.sum(np.compress(x > 0, np.sqrt(x))) \
        + np.sum(np.delete(np.sqrt(x), [0, 3])) + np.sum(np.select([x > 0], [np.sqrt(x)], 0.0)) \
        + np.sum(np.sqrt(x), where=x > 0) + np.sum(np.sort(np.sqrt(x))[2:]) + r[1] * r[2] + np.sum(s[1:3])


@case(V, lambda x: np.sum(np.sqrt(x[K])) + np.sum(1.0 / np.sqrt(x[K])) + np.sum(x[2] * np.sqrt(x[K]))
      + np.max(np.sqrt(x[K])))
def choices(x):
    w = x[2] * np.sqrt(x)
    return np.sum(np.sqrt(x) * (x > 0)) + np.sum(np.where(x > 0, 1.0 / np.sqrt(x), 0.0)) + np.sum(w[x > 0]) \
        + np.max(np.sqrt(x))


@case(W, lambda x: np.sum(np.sqrt(x[K])) + np.sum(np.sqrt(x[K])) + np.sum(np.sqrt(x[K]))
      + np.sum(np.clip(np.sqrt(x[K]), 0.5, 1.2)) + 1.0)
def bounds(x):
    y = x.copy()
    y[y < 0] = 0.0
    return np.sum(np.sqrt(np.maximum(x, 0.0))) + np.sum(np.sqrt(np.where(x > 0, x, 0.0))) + np.sum(np.sqrt(y)) \
        + np.sum(np.clip(np.sqrt(np.clip(x, 0.0, None)), 0.5, 1.2))


@case(W, lambda x: np.sum(np.sqrt(x[K]) * x[K]) + np.mean(np.sqrt(x[K])) + np.var(np.sqrt(x[K])) + np.std(np.sqrt(x[K]))
      + np.prod(np.sqrt(x[K])) + np.max(np.sqrt(x[K])))
def without_nan(x):
    r = np.sqrt(x)
    return np.nansum(r * x) + np.nanmean(r) + np.nanvar(r) + np.nanstd(r) + np.nanprod(r) + np.nanmax(r)


@case(W, lambda x: np.sum(np.sqrt(x[K])) + np.sum(np.sqrt(x[K]) ** 3) + np.sum(np.log(x[K]))
      + np.sum((x[1] * DATA[[0, 2, 4]] - x[2]) ** 2))
def where_nan(x):
    r, s, t = np.sqrt(x), np.sqrt(x) ** 3, np.log(x)
    t[np.isnan(t)] = 0.0
    missing = x[1] * DATA - x[2]
    return np.sum(np.nan_to_num(r)) + np.sum(s[~np.isnan(s)]) + np.sum(t) + np.nansum(missing * missing)


@case(M, lambda x: 2.0 * np.sum(np.sqrt(x[UPPER])) + np.sum(x[np.tril_indices(3, -1)] ** 1.5)
      + np.sum(1.0 / off_diagonal(x)) + np.sum(np.sqrt(off_diagonal(x))))
def triangles(x):
    r = 1.0 / x
    np.fill_diagonal(r, 0.0)
    return np.sum(np.triu(np.sqrt(x), 1)) + np.sum(np.sqrt(np.triu(x, 1))) + np.sum(np.tril(np.sqrt(x), -1) ** 3) \
        + np.sum(r) + np.sum(np.sqrt(x)[~np.eye(3, dtype=bool)])


@case(np.array([[1.0, 0.0], [0.0, 4.0]]),
      lambda x: 3.0 * (np.sqrt(x[0, 0]) + np.sqrt(x[1, 1])) + np.sqrt(x[0, 0]) * np.sqrt(x[1, 1]))
def diagonals(x):
    return np.sum(np.diag(np.sqrt(x))) + np.trace(np.sqrt(x)) + np.sum(np.sqrt(np.diag(np.diag(x)))) \
        + np.prod(np.einsum("ii->i", np.sqrt(x)))


@case(P, lambda x: np.sum(1.0 / distances(x)) + np.sum(distances(x) * np.exp(-distances(x)))
      + np.sum(distances(x) ** -3.0) + np.sum(distances(x) ** -12.0))
def many_bodies(x):
    d = x[:, None, :] - x[None, :, :]
    r2 = np.sum(d ** 2, axis=-1)
    r = np.sqrt(r2)
    s = np.sqrt(r2)
    r[r > 0] = 1 / r[r > 0]
    cubes = r2 ** -1.5
    np.fill_diagonal(cubes, 0.0)
    inverse = 1.0 / r2
    inverse[r2 == 0] = 0.0
    return np.sum(np.triu(r, 1)) + np.sum(np.triu(s * np.exp(-s), 1)) + 0.5 * np.sum(cubes) + 0.5 * np.sum(inverse ** 6)


@case(V, lambda x: 3.0 * np.sum(np.sqrt(x[K])) + np.sum(1.0 / x[K]))
def loops(x):
    y = np.zeros(5)
    s = 0.0
    for i in range(5):
        y[i] = 1.0 / x[i]
        if not np.isfinite(y[i]):
            y[i] = 0.0
        r = np.sqrt(x[i])
        if r > 0:
            s = s + r
        q = np.sqrt(x[i])
        s = s + (q if q > 0 else 0.0)
    items = [np.sqrt(v) for v in x]
    return s + np.sum(y) + items[1] + items[2] + items[4]


def upper(r, n):
    total = 0.0
    for k in range(n):
        if k > 100:
            return total
        total = total + np.sum(np.triu(r, 1)) * (k + 1)
    return total


def rooted(x, n):
    for k in range(n):
        if k > 100:
            return x
        x = np.sqrt(x)
    return x


@case(M, lambda x: np.sum(np.sqrt(x[UPPER])) + np.sum(np.sqrt(off_diagonal(x))))
def calls(x):
    r = rooted(x, 1)
    return upper(np.sqrt(x), 1) + np.sum(r[x > 0])


@case(np.array([1.0, 4.0]), lambda x: 3.0 * np.sum(np.sqrt(x)))
def filled_in(x):
    return np.sum(np.sqrt(np.pad(x, 2))) + np.sum(np.sqrt(np.concatenate([np.zeros(2), x]))) \
        + np.sum(np.sqrt(np.array([x[0], 0.0, x[1]])))


@case(np.array([1.0, 0.5, -1.0, 0.2]),
      lambda x: np.sum(np.arccos(x[1::2])) + np.sum(np.arcsin(x[1::2]) ** 2) + np.sum(np.arctanh(x[1::2])))
def ends(x):
    y = np.arctanh(x)
    y[~np.isfinite(y)] = 0.0
    return np.sum(np.arccos(x)[np.abs(x) < 1]) + np.sum(np.where(np.abs(x) < 1, np.arcsin(x) ** 2, 0.0)) + np.sum(y)


@case(np.array([1.0, 0.0, 2.0]), lambda x: np.log(x[0] * x[2]) + np.sqrt(x[2]) + np.sum(np.sqrt(x[::2])))
def every_other(x):
    return np.sum(np.log(x)[::2]) + np.sum(np.sqrt(x)[::-2][0]) + np.sum(np.sqrt(x)[::-1][::2])


@case(V, lambda x: 8.0 * np.sum(np.sqrt(x[K])) + np.dot(np.sqrt(x[K]) ** 2, [1.0, 2.0, 4.0]) + np.mean(np.sqrt(x[K])))
def products_with_masks(x):
    r, m = np.sqrt(x), x > 0
    return np.dot(r, m) + m @ r + np.vdot(r, m) + np.inner(m, r) + np.tensordot(r, m, 1) + np.trace(np.outer(r, m)) \
        + np.einsum("i,i", r, m) + np.einsum("i,i,j->", m, r, np.ones(1)) \
        + np.einsum("i,i,i,i", r, m, r, [0.0, 1.0, 2.0, 0.0, 4.0]) + np.average(r, weights=m)


@case(V, lambda x: 10.0 * np.sum(np.sqrt(x[K])))
def made_masks(x):
    r, w, v, z = np.sqrt(x), np.ones(5), np.ones(5), np.ones(5)
    w[x == 0] = 0
    np.putmask(v, x == 0, 0.0)
    for i in range(5):
        if x[i] <= 0:
            z[i] = 0.0
    return np.sum(w * r) + np.dot(r, v) + z @ r + np.sum(r * np.heaviside(x, 0.0)) + np.dot(np.heaviside(x, 0.0), r) \
        + np.dot(r, (x > 0).astype(float)) + np.dot(r, np.where(x > 0, 1.0, 0.0)) + np.dot(r, 1.0 * (x > 0)) \
        + np.dot(r * w, w) + np.matmul(r[None], (x > 0)[:, None])[0, 0]


@case(V, lambda x: 2.0 * np.sum(np.sqrt(x[K])) + np.sum(np.sqrt(x[K])))
def numbers_that_are_masks(x):
    total = 0.0
    for i in range(5):
        if x[i] > 0:
            weight = 1.0
        else:
            weight = 0.0
        total = total + weight * np.sqrt(x[i]) + np.sqrt(x[i]) * (0.0 if x[i] == 0 else 1.0) + float(x[i] > 0) \
            * np.sqrt(x[i])
    return total


@case(V, lambda x: 3.0 * np.sum(np.sqrt(x[K])))
def masks_one_by_one(x):
    total = 0.0
    for m in [x > 0, x < 0, x >= 1]:
        total = total + np.dot(np.sqrt(x), m)
    return total + np.dot(np.sqrt(x), np.isclose(x, x[2])) + np.dot(np.sqrt(x), np.logical_or(x == x[1], x == x[4]))


@case(M, lambda x: 3.0 * np.sum(np.sqrt(x[UPPER])) + np.sum(np.log(np.sum(x[UPPER]) + x[UPPER])))
def products_of_matrices(x):
    upper = np.triu(np.ones((3, 3)), 1)
    log = np.log(np.sum(np.triu(x, 1)) + x)
    return np.trace(np.sqrt(x) @ upper.T) + np.trace(np.matmul(upper.T, np.sqrt(x))) + np.tensordot(np.sqrt(x), upper) \
        + np.einsum("ij,ij", log, np.triu(np.ones((3, 3), bool), 1))


SINGULAR = np.stack([np.eye(2), np.ones((2, 2)), np.diag([2.0, 3.0])])


@case(SINGULAR, lambda x: 3.0 * np.sum(np.linalg.slogdet(x[[0, 2]])[1]) + np.linalg.slogdet(x[0])[1])
def singular_matrices(x):
    y = np.linalg.slogdet(x)[1]
    total = np.linalg.slogdet(x).logabsdet[0]
    for i in range(3):
        z = np.linalg.slogdet(x[i]).logabsdet
        if z > -9.0:
            total = total + z
    return total + np.sum(np.where(np.isfinite(y), y, 0.0)) + y[0] + y[2]


@case(np.sin(np.arange(24.0) ** 1.5).reshape(3, 2, 4) * np.array([1.0, 0.0, 1.0])[:, None, None],
      lambda x: np.corrcoef(x[0])[0, 1] + np.corrcoef(x[2])[0, 1])
def constant_rows(x):
    total = 0.0
    for i in range(3):
        y = np.corrcoef(x[i])
        if i != 1:
            total = total + y[0, 1]
    return total


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("f", "expected", "x"), CASES)
def test_first_order(f, expected, x):
    slope = tnb.grad(expected)(x)
    v = np.cos(np.arange(x.size)).reshape(x.shape)
    for found in (tnb.grad(f)(x.copy()), tnb.grad(f, optimized=False)(x.copy()), tnb.jacobian(f)(x.copy())):
        np.testing.assert_allclose(found, slope, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tnb.jvp(f)(x.copy(), v), np.sum(slope * v), rtol=1e-12)


@pytest.mark.sampled(12)
@pytest.mark.parametrize(("f", "expected", "x"), CASES)
def test_second_order(f, expected, x):
    second = tnb.hessian(expected)(x)
    v = np.cos(np.arange(x.size)).reshape(x.shape)
    np.testing.assert_allclose(tnb.hessian(f)(x.copy()), second, rtol=1e-11, atol=1e-11)
    for found in (tnb.hvp(f)(x.copy(), v), tnb.vjp(tnb.grad(f))(x.copy(), v)):
        np.testing.assert_allclose(found, np.tensordot(second, v, v.ndim), rtol=1e-11, atol=1e-11)


def test_other_zeros_follow_ieee():
    """Those that the user gives, as seeds and tangents; and the slope of a root at 0 is infinite."""
    def root(x):
        return np.sqrt(x)

    x = np.array([0.0, 4.0])
    np.testing.assert_array_equal(tnb.vjp(root)(x, np.array([1.0, 1.0])), [np.inf, 0.25])
    np.testing.assert_array_equal(tnb.vjp(root)(x, np.array([0.0, 1.0])), [np.nan, 0.25])
    np.testing.assert_array_equal(tnb.jvp(root)(x, np.array([0.0, 1.0])), [np.nan, 0.25])
    np.testing.assert_array_equal(tnb.jacobian(root)(x), [[np.inf, 0.0], [0.0, 0.25]])


def test_a_singular_matrix_has_a_pole():
    """What is not cut off is infinite, or NaN, as at other poles;
    the sign, which is left out, is no cut, and the product is no 0."""
    def logarithm(x):
        return np.linalg.slogdet(x)[1]

    def product(x):
        sign, log = np.linalg.slogdet(x)
        return sign * np.exp(log)

    def signs(x):
        return np.sum(np.linalg.slogdet(x)[0] * x[:, 0, 0])

    x = np.ones((2, 2))
    np.testing.assert_array_equal(tnb.grad(logarithm)(x), [[np.inf, -np.inf], [-np.inf, np.inf]])
    for optimized in (True, False):
        assert np.isnan(tnb.jvp(logarithm, optimized=optimized)(x, np.ones((2, 2))))
        assert np.isnan(tnb.grad(product, optimized=optimized)(x)).all()
        np.testing.assert_array_equal(tnb.grad(signs, optimized=optimized)(SINGULAR)[:, 0, 0], [1.0, 0.0, 1.0])
    assert not np.isfinite(tnb.hessian(logarithm)(x)).any()


@pytest.mark.parametrize("mode", ["reduced", "r"])
def test_what_is_decomposed_and_left_out_may_be_singular(mode):
    def left_out(x):
        r = np.linalg.qr(x, mode="r")
        q = np.linalg.qr(x)[0] if mode == "reduced" else r
        return np.sum(r[0]) + np.sum(q[2] ** 3)

    def alone(x):
        q = np.linalg.qr(x[2])[0] if mode == "reduced" else np.linalg.qr(x[2], mode="r")
        return np.sum(np.linalg.qr(x[0], mode="r")) + np.sum(q ** 3)

    x = np.stack([np.diag([2.0, 3.0]) + 0.5, np.zeros((2, 2)), np.diag([1.0, 3.0]) + 0.2])
    for found in (tnb.grad(left_out)(x), tnb.grad(left_out, optimized=False)(x)):
        np.testing.assert_allclose(found, tnb.grad(alone)(x), rtol=1e-12, atol=1e-12)


def test_an_accidental_zero_has_its_derivative():
    """Where a cotangent is 0 by chance, and the partial is finite, the second derivative is what it is."""
    def f(x):
        return np.sum(np.triu(np.sqrt(x) * (x - 1.0) ** 2, 1))

    x = np.full((2, 2), 1.0)
    assert tnb.hessian(f)(x)[0, 1, 0, 1] == 2.0
    assert tnb.vjp(tnb.grad(f))(x, np.ones((2, 2)))[0, 1] == 2.0


def test_a_mask_hides_no_other_pole():
    """Where a slope that is infinite meets a 1 of the mask, nothing is finite;
    where none does, what is left out does not matter."""
    def f(x, m):
        return np.dot(np.sqrt(x), m > 0)

    def table(x, m):
        return np.sqrt(x) @ (m > 0)

    x, m = np.array([0.0, 0.0, 4.0]), np.array([0.0, 1.0, 1.0])
    np.testing.assert_array_equal(tnb.grad(f)(x, m), [0.0, np.inf, 0.25])
    np.testing.assert_array_equal(tnb.jacobian(f)(x, m), [0.0, np.inf, 0.25])
    assert not np.isfinite(tnb.jvp(f)(x, m, np.ones(3)))
    masks = np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    np.testing.assert_array_equal(np.isfinite(tnb.jvp(table)(x, masks, np.ones(3))), [True, False])
    assert tnb.jvp(table)(x, masks, np.ones(3))[0] == 0.25
    np.testing.assert_array_equal(tnb.jacobian(table)(x, masks), [[0.0, 0.0, 0.25], [np.inf, 0.0, 0.25]])


def test_zeros_of_data_and_of_signs_follow_ieee():
    """A weight is a number like others, and so is the sign of one."""
    def weighted(x, w):
        return np.sum(w * np.sqrt(x))

    def contracted(x, w):
        return np.dot(np.sqrt(x), w)

    def signed(x):
        return np.sum(np.sign(x) * np.sqrt(x))

    x, w = np.array([0.0, 4.0]), np.array([0.0, 1.0])
    for f, rest in ((weighted, [w]), (contracted, [w]), (signed, [])):
        for found in (tnb.grad(f)(x, *rest), tnb.grad(f, optimized=False)(x, *rest), tnb.jacobian(f)(x, *rest)):
            np.testing.assert_array_equal(found, [np.nan, 0.25])
        assert np.isnan(tnb.jvp(f)(x, *rest, np.ones(2)))


def straight(x, y):
    r = np.sqrt(np.sum(x * x) / y)
    for i in range(3):
        r = r + np.log(r) / (i + 1)
    return np.arctan2(r, y) / r ** 0.5


def stored(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[i] * np.sin(x[i])
    return np.sum(y[1:] * y[:-1])


def weighted_roots(x, w):
    total, w = 0.0, w / np.sum(w)
    for _ in range(2):
        total = total + np.dot(np.sqrt(x), w) * np.sum(w)
    return total


@pytest.mark.parametrize("make", [tnb.grad, tnb.jvp, lambda f: tnb.vjp(tnb.grad(f))])
@pytest.mark.parametrize("f", [straight, stored, weighted_roots], ids=lambda f: f.__name__)
def test_text_without_both_stays(f, make):
    """Where nothing is cut, or nothing has a pole."""
    assert "rt.cut" not in tnb.source(make(f))
