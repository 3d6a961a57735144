"""Persistent arrays: against plain copies, what is freed, long chains, and derivatives by them and of them."""
import copy
import gc
import pickle
import tracemalloc
import weakref

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb import PersistentArray
from tangent_nb.errors import TangentError
from tangent_nb.runtime.persistent import changed_at


def index_of(rng, n, ndim):
    """An index into an array of n rows, one of each kind."""
    return [int(rng.integers(-n, n)), slice(None, None, 2), slice(None, None, -1),
            list(map(int, rng.integers(-n, n, 4))), rng.integers(n, size=(2, 2)), rng.random(n) > 0.5, None, ...,
            (slice(None), *[0] * (ndim - 1)), (int(rng.integers(n)), ...), [], np.int64(-1)][rng.integers(12)]


@pytest.mark.parametrize("seed", range(60))
def test_random_versions_are_plain_copies(seed):
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(0, 4)), *rng.integers(1, 3, size=rng.integers(0, 3)))
    start = rng.normal(size=shape).astype(rng.choice([np.float64, np.float32]))
    versions = [(PersistentArray(start), start.copy())]
    for _ in range(80):
        x, plain = versions[int(rng.integers(len(versions))) if rng.random() < 0.3 else -1]
        op = rng.integers(4)
        if op == 0 or not len(plain):
            row = rng.normal(size=plain.shape[1:])
            new = tnb.append(x, row), np.concatenate((plain, row[np.newaxis].astype(plain.dtype)))
        elif op == 1:
            new = tnb.pop(x), plain[:-1].copy()
        else:
            index = index_of(rng, len(plain), plain.ndim)
            value = rng.normal(size=np.shape(plain[index]))
            new = tnb.setitem(x, index, value), plain.copy()
            new[1][index] = value
            if isinstance(index, np.ndarray):
                index[...] = 0                                 # the index was kept
        versions.append(new)
        while len(versions) > 1 and rng.random() < 0.4:
            del versions[int(rng.integers(len(versions) - 1))]
        for i in rng.integers(len(versions), size=2):
            x, plain = versions[i]
            np.testing.assert_array_equal(x, plain)
            assert (x.shape, x.dtype, x.ndim, x.size, len(x)) \
                == (plain.shape, plain.dtype, plain.ndim, plain.size, len(plain))
    for x, plain in versions:
        np.testing.assert_array_equal(np.array(x), plain)


def test_what_is_handed_out_never_changes():
    x = PersistentArray(np.arange(6.0).reshape(3, 2))
    parts = [x[0], x[1:], x[[0, 1]], x[:, 0], np.asarray(x), x.T, *x]
    before = [part.copy() for part in parts]
    y = tnb.pop(tnb.setitem(tnb.append(x, [9.0, 9.0]), slice(None), -1.0))
    assert np.all(y == -1.0)
    for part, old in zip(parts, before, strict=True):
        np.testing.assert_array_equal(part, old)
        assert not part.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            part[...] = 0.0
    mine = np.array(x)
    mine[0] = 7.0
    assert x[0, 0] == 0.0


def test_what_is_given_may_change():
    start, row, value = np.ones((2, 2)), np.ones(2), np.ones(2)
    x = tnb.setitem(tnb.append(PersistentArray(start), row), 0, value)
    start[...], row[...], value[...] = 5.0, 6.0, 7.0
    assert np.all(x == 1.0)


def test_like_an_array():
    x = PersistentArray(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert repr(x) == "PersistentArray([[1., 2.],\n                 [3., 4.]])"
    assert np.sum(x) == 10.0 and np.mean(x, axis=0).tolist() == [2.0, 3.0] and x.max() == 4.0 and x.T.shape == (2, 2)
    np.testing.assert_array_equal((2.0 * x + x) @ x, 3.0 * np.array(x) @ np.array(x))
    assert (x == np.array(x)).all() and type(x == x) is np.ndarray and (x > 1.5).sum() == 3
    assert copy.deepcopy(x) is x and PersistentArray(x) is x
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(tnb.append(x, [5.0, 6.0]))),
                                  [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert [row.tolist() for row in x] == [[1.0, 2.0], [3.0, 4.0]]
    with pytest.raises(TypeError):
        hash(x)


def test_of_an_array_copies():
    x = np.ones((2, 2))
    y, z, last = tnb.append(x, [2.0, 2.0]), tnb.setitem(x, 0, 3.0), tnb.pop(x)
    assert y.shape == (3, 2) and z[0, 0] == 3.0 and last.shape == (1, 2) and np.all(x == 1.0)
    assert not any(np.shares_memory(x, new) for new in (y, z, last))


@pytest.mark.parametrize(("change", "error", "said"), [
    (lambda x: tnb.append(x, [1.0]), ValueError, "rows of shape \\(2,\\)"),
    (lambda x: tnb.append(x, [1j, 2.0]), TypeError, "complex128 is stored in an array of float64"),
    (lambda x: tnb.setitem(x, 5, 1.0), IndexError, "out of bounds"),
    (lambda x: tnb.setitem(x, 0, [1.0, 2.0, 3.0]), ValueError, "broadcast"),
    (lambda x: tnb.pop(tnb.pop(tnb.pop(x))), IndexError, "without rows"),
    (lambda x: tnb.append(1.0, x), TypeError, "a PersistentArray or an array with rows"),
])
@pytest.mark.parametrize("made", [PersistentArray, np.array])
def test_errors_leave_it_as_it_is(change, error, said, made):
    x = made([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(error, match=said):
        change(x)
    np.testing.assert_array_equal(x, [[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(tnb.append(x, [5.0, 6.0])[-1], [5.0, 6.0])


def test_it_never_changes():
    x = PersistentArray([1.0, 2.0])
    with pytest.raises(TypeError, match="tnb.setitem"):
        x[0] = 2.0
    with pytest.raises(TypeError, match="x = x \\+ y"):
        x += 1.0
    with pytest.raises(AttributeError, match="x = tnb.append"):
        x.append(3.0)
    for a in (2.0, [object()]):
        with pytest.raises(TypeError, match="numbers with rows"):
            PersistentArray(a)


# ---------------------------------------------------------------- memory and time
def allocated(make):
    """The bytes that stay, and the most at once."""
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    kept = make()
    gc.collect()
    found = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return found


def overwritten(x, times):
    for i in range(times):
        x = tnb.setitem(x, i % 10, float(i))
    return x


def test_the_last_version_keeps_no_differences():
    row = 8 * 1000
    stay, peak = allocated(lambda: overwritten(PersistentArray(np.zeros((10, 1000))), 2000))
    assert stay < 12 * row and peak < 40 * row


def test_versions_on_the_way_are_freed():
    """The first version is held, as an argument of a gradient is: what was put on top of it,
    and changed there, goes."""
    x = PersistentArray(np.zeros((1, 1000)))

    def grown():
        y = x
        for i in range(100):
            y = tnb.append(y, np.zeros(1000))
            for _ in range(10):
                y = tnb.setitem(y, -1, y[-1] + 1.0)
            if i % 2:
                y = tnb.pop(y)
        return y
    stay, _ = allocated(grown)
    assert stay < 300 * 8000
    np.testing.assert_array_equal(x, np.zeros((1, 1000)))


def test_a_dead_branch_is_freed():
    x = PersistentArray(np.zeros((10, 1000)))
    stay, _ = allocated(lambda: [overwritten(x, 100), overwritten(x, 100), np.asarray(x)][:0])
    assert stay < 40 * 8000
    y = tnb.setitem(x, 0, 1.0)
    there = weakref.ref(y)
    del y
    assert there() is None and np.all(x == 0.0)


def test_forward_and_backward_holds_one_row_for_each_version():
    def there_and_back():
        versions = [PersistentArray(np.zeros((1, 100)))]
        for i in range(300):
            versions.append(tnb.setitem(tnb.append(versions[-1], np.zeros(100)), i, float(i)))
        while len(versions) > 1:
            assert versions.pop()[-2, 0] == len(versions) - 1
    _, peak = allocated(there_and_back)
    assert peak < 8 * 300 * 800


def test_long_chains():
    x = first = PersistentArray(np.zeros((3, 1)))
    versions = [x]
    for i in range(100_000):
        x = tnb.setitem(x, i % 3, float(i))
        versions.append(x)
    assert versions[50_000][49_999 % 3, 0] == 49_999.0 and np.all(first == 0.0) and x[99_999 % 3, 0] == 99_999.0
    del versions[1:-1], versions[-1]
    assert np.all(first == 0.0)
    del first, versions
    assert x[99_999 % 3, 0] == 99_999.0


def test_an_interrupted_change_is_found():
    x = PersistentArray([1.0, 2.0])

    def interrupt(rows, index):
        rows[index] = 3.0
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        changed_at(x, 0, interrupt)
    with pytest.raises(RuntimeError, match="interrupted"):
        x[0]


# ---------------------------------------------------------------- derivatives
def lattice(x, n):
    r = np.zeros(x.shape[1])
    for _ in range(n):
        x = tnb.append(x, r)
        for _ in range(3):
            y = np.sin(x[-1]) + x[0]
            x = tnb.setitem(x, -1, y)
    return np.mean(x * x)


def tree(x, w):
    left, right = tnb.append(x, w * x[0]), tnb.setitem(x, [0, 0, 1], w * x[[1, 2, 2]])
    for i in range(3):
        right = tnb.setitem(tnb.append(right, left[0] * left[i % 2]), i, right[i - 1] * w)
        left = tnb.pop(left) if len(left) > 2 else left
    return np.sum(left * left) + np.sum(right[:, 0] * right[:, 1])


def machine(x):
    while len(x) > 1:
        x = tnb.setitem(tnb.pop(x), -1, x[-1] * x[-2])
    return np.sum(x)


def reduced(x: tnb.PersistentArray):
    return np.mean(x) * np.sum(np.tanh(x)) + np.linalg.norm(x) + np.sum(np.dot(x, x.T)) + x[0, 1]


X, W = np.random.default_rng(0).uniform(0.3, 1.2, (3, 2)), np.array([0.7, -1.3])
PROGRAMS = [(lattice, (X, 3)), (tree, (X, W)), (machine, (X,)), (reduced, (X,))]


def differences(f, args):
    found = np.zeros_like(args[0])
    for i in np.ndindex(found.shape):
        h = np.zeros_like(found)
        h[i] = 1e-6
        found[i] = (f(args[0] + h, *args[1:]) - f(args[0] - h, *args[1:])) / 2e-6
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("made", [PersistentArray, np.array])
@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize(("f", "args"), PROGRAMS)
def test_derivatives(f, args, optimized, made):
    x, rest = made(args[0]), args[1:]
    expected, v = differences(f, args), np.random.default_rng(1).normal(size=X.shape)
    value, gradient = tnb.value_and_grad(f, optimized=optimized)(x, *rest)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6)
    assert type(gradient) is np.ndarray and gradient.flags.writeable and np.isclose(value, f(*args))
    forward, backward = tnb.autodiff(f, motion="split", optimized=optimized)
    _, residuals = forward(x, *rest)
    for _ in range(2):
        np.testing.assert_allclose(backward(residuals, 2.0), 2.0 * expected, rtol=1e-6)
    given = (x, *rest, v) if len(rest) < 2 else None
    push = tnb.jvp(f, optimized=optimized)
    np.testing.assert_allclose(push(*given), np.sum(expected * v), rtol=1e-6)
    np.testing.assert_allclose(push(x, *rest, PersistentArray(v)), np.sum(expected * v), rtol=1e-6)
    np.testing.assert_allclose(tnb.pullback(f, x, *rest)[1](1.0), expected, rtol=1e-6)
    np.testing.assert_array_equal(x, args[0])


@pytest.mark.parametrize(("f", "args"), PROGRAMS)
def test_second_derivatives(f, args):
    gradient = tnb.grad(f)
    v = np.random.default_rng(1).normal(size=X.shape)
    expected = differences(lambda *given: np.sum(gradient(*given) * v), args)
    np.testing.assert_allclose(tnb.hvp(f)(PersistentArray(args[0]), *args[1:], v), expected, rtol=1e-5, atol=1e-6)
    along_x = {1: lambda x: np.sum(gradient(x) * v), 2: lambda x, a: np.sum(gradient(x, a) * v)}[len(args)]
    np.testing.assert_allclose(tnb.grad(along_x)(*args), expected, rtol=1e-5, atol=1e-6)


def test_versions_in_containers():
    def f(p):
        h = tnb.setitem(tnb.append(p["h"], p["w"] * p["h"][0]), 1, p["h"][2])
        return np.sum(h * h) + np.sum(p["h"][1])
    found, expected = (tnb.grad(f)({"h": made(X), "w": 2.0}) for made in (PersistentArray, np.array))
    assert type(found["h"]) is np.ndarray and found["w"] == expected["w"]
    np.testing.assert_array_equal(found["h"], expected["h"])


def test_results_and_seeds():
    def f(x):
        return tnb.append(x, x[0] ** 2)
    x = PersistentArray(X)
    np.testing.assert_allclose(tnb.vjp(f)(x, np.ones((4, 2)))[0], 1.0 + 2.0 * X[0])
    assert tnb.jacobian(f)(x).shape == (4, 2, 3, 2)
    for wrong in (np.ones((3, 2)), 1.0, None):
        with pytest.raises(TangentError, match="the seed"):
            tnb.vjp(f)(x, wrong)
    with pytest.raises(TangentError, match="an array of shape \\(4, 2\\)"):
        tnb.grad(f)(x)


def test_the_gradient_costs_what_is_changed():
    """Listing 8: memory in proportion to the trips, and nothing of the size of the array for each of them."""
    def listing8(x, n):
        r = np.zeros(x.shape[1])
        for _ in range(n):
            x = tnb.append(x, r)
            for _ in range(5):
                y = np.add(x[-1], 1.0)
                x = tnb.setitem(x, -1, y)
        return np.mean(x)
    df, x = tnb.grad(listing8), PersistentArray(np.ones((1, 200)))
    df(x, 2)
    small, large = (allocated(lambda n=n: df(x, n))[1] for n in (100, 400))
    assert large < 5 * small and large < 8 * 400 * 1600
