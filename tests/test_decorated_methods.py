"""Methods behind decorators, and those whose first parameter has no name: held as values, called through objects that
are there or made here, and with keywords."""
from __future__ import annotations

import functools
import linecache

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import RefusedError


def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2.0
    return wrapper


def doubled_of(f):
    @functools.wraps(f)
    def wrapper(self, *args, **kwargs):
        return f(self, *args, **kwargs) * 2.0
    return wrapper


def unnamed(f):
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2.0
    return wrapper


def given_twice(f):
    @functools.wraps(f)
    def wrapper(self, x, *args, **kwargs):
        x = np.asarray(x) * 2
        return f(self, x, *args, **kwargs)
    return wrapper


class Model:
    def __init__(self, k):
        self.k = k

    @doubled
    def plain(self, x):
        return np.sum(x * x) * self.k

    @doubled_of
    def scaled(self, x, p=2.0):
        return np.sum(x * x) * self.k * p

    @unnamed
    def hidden(self, x):
        return np.sum(x * x) * self.k

    @given_twice
    def product(self, x, y, c=1.0):
        return np.sum(x * y * c) * self.k

    def starred(*args):
        return args[0].k * np.sum(args[1] ** 2)

    def passing(self, x, *args, **kw):
        return self.scaled(x, **kw) * args[0]

    @doubled
    @doubled
    def __call__(self, x):
        return np.sum(x * x) * self.k


MODEL = Model(3.0)


def of_a_model(x):
    return MODEL.plain(x) + MODEL.scaled(x, p=x[0]) + MODEL.hidden(x) + MODEL.starred(x) + MODEL(x)


def of_a_model_made_here(x):
    model = Model(x[1])
    return model.plain(x) + model.scaled(x, 3.0) + model.hidden(x) + model.starred(x) + model(x)


def with_keywords(x):
    return MODEL.product(x, y=x) + MODEL.product(x, x * x, c=x) + MODEL.passing(x, x[0], p=x[1]) \
        + MODEL.passing(x, 2.0, **{"p": x[2]})  # noqa: PIE804


def held_as_values(x):
    total = 0.0
    for method in (MODEL.plain, MODEL.scaled, MODEL):
        total = total + method(x)
    return total


X = np.array([0.7, -1.2, 0.4])


METHODS = [of_a_model, of_a_model_made_here, with_keywords, held_as_values, MODEL.plain, MODEL.scaled, MODEL]


@pytest.mark.parametrize("f", METHODS, ids=lambda f: getattr(f, "__name__", "object"))
@pytest.mark.parametrize("optimized", [True, False])
def test_a_decorated_method_is_right(f, optimized):
    expected = [(f(X + step) - f(X - step)) / 2e-6 for step in np.eye(3) * 1e-6]
    np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(X), expected, rtol=1e-6, atol=1e-7)
    tangent = expected[0] + 2.0 * expected[1] - expected[2]
    assert tnb.jvp(f, optimized=optimized)(X, dx=np.array([1.0, 2.0, -1.0])) == pytest.approx(tangent, rel=1e-6)


@pytest.mark.parametrize("method", [MODEL.hidden, MODEL.starred], ids=["behind a decorator", "with a star alone"])
def test_a_method_without_a_named_parameter_is_refused(method):
    with pytest.raises(RefusedError, match="bound method"):
        tnb.grad(method)(X)


def test_the_same_method_behind_a_function_is_right():
    np.testing.assert_allclose(tnb.grad(lambda x: MODEL.hidden(x))(X), 12.0 * X)
    np.testing.assert_allclose(tnb.grad(lambda x: MODEL.starred(x))(X), 6.0 * X)


class Equal:
    """Its objects are equal where their numbers are, and have no hash."""

    def __init__(self, k):
        self.k = k

    def __eq__(self, other):
        return self.k == other.k

    def value(self, x):
        return np.sum(x * x) * self.k


def test_a_method_of_an_object_without_a_hash_is_right():
    np.testing.assert_allclose(tnb.grad(Equal(3.0).value)(X), 6.0 * X)


def test_what_is_refused_in_a_decorator_of_another_file_is_shown_there():
    text = "\n" * 40 + """\
def doubled(f):
    def wrapper(*args, **kwargs):
        return memoryview(f(*args, **kwargs))
    wrapper.__wrapped__ = f
    return wrapper
"""
    linecache.cache["<decorators>"] = len(text), None, text.splitlines(True), "<decorators>"
    scope = {"__name__": "decorators"}
    exec(compile(text, "<decorators>", "exec"), scope)

    class Other:
        value = scope["doubled"](lambda self, x, p=1.0: np.sum(x) * p)

    other = Other()

    def f(x):
        return other.value(x)

    with pytest.raises(RefusedError) as caught:
        tnb.grad(f)(X)
    places = [refusal.span for refusal in caught.value.refusals]
    assert places
    assert all(span.source.filename == "<decorators>" for span in places)
    assert all("return memoryview(f(*args, **kwargs))" in span.source.line(span.line) for span in places)
