"""Where else an answer to a quiz is tried."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from tangent_nb.notebook.other_places import other_places
from tangent_nb.notebook.truth import Truth


def power(x: Any, n: int) -> Any:
    y = 1.0
    for _ in range(n):
        y = y * x
    return y


def picked(x: Any, k: int) -> Any:
    if k != 3:
        raise IndexError(k)
    return x[k] * x[0]


def scored(x: Any, labels: Any, size: int) -> Any:
    h = np.reshape(x, (size, 2))
    return np.sum(h[np.arange(size), labels] ** 2)


def places(f: Any, *args: Any, count: int = 3) -> list[dict[str, Any]]:
    bound = inspect.signature(f).bind(*args)
    truth = Truth.of(f, bound)
    before = repr(bound.arguments)
    found = other_places(f, bound, truth, count)
    assert repr(bound.arguments) == before and len(found) == count
    again = other_places(f, bound, truth, count)
    assert [repr(one.arguments) for one, _ in found] == [repr(one.arguments) for one, _ in again]
    for one, there in found:
        assert there.is_finite and repr(there.gradients) == repr(Truth.of(f, one).gradients)
    return [dict(one.arguments) for one, _ in found]


def test_whole_numbers_change_and_stay_whole_and_positive() -> None:
    found = places(power, 1.5, 2)
    assert {one["n"] for one in found} <= {1, 3} and all(type(one["n"]) is int for one in found)
    assert all(one["x"] != 1.5 for one in found)
    assert {one["n"] for one in places(power, 1.5, 1)} == {2}
    assert {type(one["n"]) for one in places(power, 1.5, np.int64(4))} == {np.int64}


def test_what_the_function_does_not_take_stays() -> None:
    assert [one["k"] for one in places(picked, np.arange(1.0, 6.0), 3)] == [3, 3, 3]


def test_labels_come_in_another_order_and_a_size_stays() -> None:
    labels = np.array([0, 1, 1, 0, 0, 1])
    found = places(scored, np.arange(1.0, 13.0), labels, 6)
    assert all(one["size"] == 6 and sorted(one["labels"]) == sorted(labels) for one in found)
    assert any(not np.array_equal(one["labels"], labels) for one in found)


def test_a_flag_is_no_number() -> None:
    def chosen(x: Any, up: bool) -> Any:
        return x * x if up else -x

    assert [one["up"] for one in places(chosen, 2.0, True)] == [True, True, True]


def test_whole_numbers_alone_are_moved_as_before() -> None:
    def squared(x: Any) -> Any:
        return x * x

    assert all(isinstance(one["x"], float) for one in places(squared, 3))


def test_an_answer_for_one_exponent_is_not_right(shell: Any) -> None:
    shell.run("def cube(x, n):\n    y = x ** n\n    return np.sum(y)")
    shell.run('%quiz cube --at "x=np.array([1.0, 2.0]), n=3" -w x')
    body = ("%%quiz cube\ndef dcube_dx(x, n):\n    y = x ** n\n    by = np.ones_like(y)\n"
            "    bx = by * {}\n    return bx\n")
    wrong = shell.run(body.format("3 * x ** 2"))
    right = shell.run(body.format("n * x ** (n - 1)"))
    shown = [one.displays[-1]["text/plain"] for one in (wrong, right)]
    assert "not right at other arguments" in shown[0], shown[0]
    assert "not right" not in shown[1], shown[1]
