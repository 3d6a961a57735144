"""Functions bound to what they are given: cotangents and tangents of the parts, and what is refused."""
from __future__ import annotations

import functools
import types
from typing import Any

import pytest

import tangent_nb as tnb
from tangent_nb import runtime as rt
from tangent_nb.runtime.containers import PARTIAL, kind_of


class Line:
    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __call__(self, t: float, shift: float = 0.0) -> float:
        return self.slope * t + shift

    def at(self, t: float, shift: float = 0.0) -> float:
        return self.slope * t * t + shift


def scaled(a: float, b: float = 2.0, *, c: float = 3.0) -> float:
    return a * b * c


CASES: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (scaled, (0.3,), {"c": 0.7}), (functools.partial(scaled, 0.5, c=0.2), (0.3,), {"c": 0.7}),
    (functools.partial(scaled, c=0.2), (), {"a": 0.7}), (Line(0.4), (0.3,), {"shift": 0.1}),
    (rt.method("at"), (Line(0.4), 0.3), {"shift": 0.1}), (scaled, (), {"a": 0.3})]


@pytest.mark.parametrize(("fn", "args", "keywords"), CASES)
def test_parts_and_their_transposes(fn: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Of the call itself, and the dot-product test of the pulls with the pushes."""
    y = rt.bind(fn, args, keywords)
    assert y() == fn(*args, **keywords) and type(y) is functools.partial
    g = PARTIAL.build(y, {key: _numbered(part, i + 1.0) for i, (key, part) in enumerate(PARTIAL.parts(y).items())})
    zeros = rt.zeros_like(fn), rt.zeros_like(args), rt.zeros_like(keywords)
    pulled = (rt.bound_function(g, fn, args, keywords), rt.bound_arguments(g, fn, args), rt.bound_keywords(g, keywords))
    total = 0.0
    for i, one in enumerate(pulled):
        given = [*zeros[:i], one, *zeros[i + 1:]]
        total += _dot(rt.bound_along(y, *given), g)
        assert _dot(rt.bound_along(y, *given), g) == pytest.approx(_dot(one, one))
    assert total == pytest.approx(_dot(g, g))


def _numbered(part: Any, value: float) -> Any:
    return Line(value) if isinstance(part, Line) else value


def _dot(a: Any, b: Any) -> float:
    kind = kind_of(a)
    if kind is None:
        return a * b if isinstance(a, float) else 0.0
    other = kind.parts(b)
    return sum(_dot(part, other[key]) for key, part in kind.parts(a).items() if part is not None)


def test_a_keyword_that_is_given_twice_is_told_in_the_words_of_python() -> None:
    rt.check_twice(scaled, ("b",), [{"c": 1.0}])
    with pytest.raises(TypeError, match=r"^scaled\(\) got multiple values for keyword argument 'c'$"):
        rt.check_twice(scaled, (), [{"c": 1.0}, {"c": 2.0}])
    with pytest.raises(TypeError, match="must be a mapping"):
        rt.check_twice(scaled, ("b",), [3.0])  # type: ignore[list-item]


def test_a_partial_of_an_object_would_show_another_function() -> None:
    with pytest.raises(tnb.errors.TangentError, match=r"functools\.partial is given a Line, which is called as an"):
        rt.bind(Line(2.0), (), {"shift": 1.0}, True)
    assert rt.bind(scaled, (), {"b": 1.0}, True)(2.0) == 6.0


def test_a_namespace_has_the_parts_of_the_dict() -> None:
    x = {"a": 2.0, "b": [1.0, 3.0]}
    y = rt.namespace(x)
    assert isinstance(y, types.SimpleNamespace) and (y.a, y.b) == (2.0, [1.0, 3.0])
    assert rt.named_items(rt.namespace({"a": 5.0, "b": [7.0, 8.0]}), x) == {"a": 5.0, "b": [7.0, 8.0]}
