"""NaN and Inf in values, and which of them were made."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangent_nb.tracing.finite import found, made, summary
from tangent_nb.tracing.values import Operand

NAN, INF = np.nan, np.inf


def judged(value: Any, *inputs: Any, elementwise: bool = False, before: Any = None) -> Any:
    bad = made(value, [Operand(str(place), one) for place, one in enumerate(inputs)], elementwise=elementwise,
               before=before)
    return None if bad is None else bad.index


@pytest.mark.parametrize("value, inputs, index", [
    (INF, [1.0], ()), (NAN, [1.0], ()), (NAN, [INF], ()), (INF, [INF], None), (INF, [NAN], None), (NAN, [NAN], None),
    (1.0, [INF], None), (np.array([1.0, NAN]), [np.array([INF])], (1,)), ([1.0, (NAN,)], [], ()),
    ({"a": np.float32(INF)}, [3], ()), (complex(0, NAN), [], ()),
    (np.array([1, 2]), [], None), ("nan", [], None), (None, [], None)])
def test_rule(value: Any, inputs: list[Any], index: Any) -> None:
    assert judged(value, *inputs) == index


def test_by_element() -> None:
    mask = np.array([[-INF, 0.0]])
    value = np.array([[-INF, 0.0], [-INF, -INF]])
    assert judged(value, mask) is None and judged(value, mask, elementwise=True) == (1, 1)
    assert judged(value, mask, np.zeros((3, 5)), elementwise=True) == (1, 1)      # of another shape, and finite
    assert judged(value, np.full((3, 5), INF), elementwise=True) is None


def test_what_was_there_before() -> None:
    assert judged(np.array([INF, 1.0]), before=np.array([INF, 2.0])) is None
    assert judged(np.array([INF, INF]), before=np.array([INF, 2.0])) == (1,)
    assert judged(np.array([NAN, 1.0]), before=np.array([INF, 2.0])) == (0,)
    assert judged([INF, INF], before=[INF]) == ()


def test_texts() -> None:
    bad = found([np.zeros(1), np.array([[0.0, NAN], [-INF, NAN]])])
    assert bad is not None and bad.part == "[1]" \
        and bad.text() == "2 NaN and 1 Inf in 4 elements, the first at [0, 1]: nan"
    assert found(NAN).text() == "nan"              # type: ignore[union-attr]
    loop: list[Any] = []
    loop.append(loop)
    assert found(loop) is None


@pytest.mark.parametrize("value, text", [
    (np.arange(6).reshape(2, 3), "1 at [0, 1]; shape (2, 3), int64, 0 to 5"),
    (np.array([1.0, NAN]), "shape (2,), float64, 1.0 to 1.0, 1 NaN in 2 elements, the first at [1]: nan"),
    (np.array([[7.0], [8.0]]), "7.0 at [0, 0]; shape (2, 1), float64, 7.0 to 8.0"),
    (np.zeros((0, 3)), "shape (0, 3), float64"), (np.array(2.0), "2.0 (float64)"), (np.float32(2.0), "2.0 (float32)"),
    (3, "3"), ([1.0, INF], "list of 2; [1]: inf"), (object(), "object"), (np.array(["a"]), "a at [0]; shape (1,), <U1"),
])
def test_summaries(value: Any, text: str) -> None:
    assert summary(value, (0, 1), (2, 3), True).replace("int32", "int64") == text


def test_elements_correspond_in_elementwise_lines_alone() -> None:
    norms = np.array([0.0, 2.0])
    assert summary(norms, (0, 1), (2, 2), True).startswith("2.0 at [1]; ")
    assert summary(norms, (0, 1), (2, 2), False) == "shape (2,), float64, 0.0 to 2.0"
    assert summary(np.eye(2), (0, 1), (2, 2), False).startswith("0.0 at [0, 1]; ")
