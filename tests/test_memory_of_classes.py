"""Memory that the objects of a class share, and what static methods read, beside what an attribute outside holds and a
function changes in place: the backward pass would read it as it is later."""
from __future__ import annotations

import abc
import logging
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError

W = np.ones(3)


class Shared:
    w = W
    table = {"k": W}

    @staticmethod
    def get() -> Any:
        return W


class Below(Shared):
    pass


class Holder:
    def __init__(self) -> None:
        self.w = W


SHARED, BELOW, HOLDER = Shared(), Below(), Holder()


def by_an_object(x: Any) -> Any:
    y = x * SHARED.w
    HOLDER.w[0] += 1
    return np.sum(y * SHARED.w)


def by_an_object_below(x: Any) -> Any:
    y = x * BELOW.w
    HOLDER.w[0] += 1
    return np.sum(y * BELOW.w)


def in_a_table(x: Any) -> Any:
    y = x * SHARED.table["k"]
    HOLDER.w[0] += 1
    return np.sum(y * SHARED.table["k"])


def by_the_class(x: Any) -> Any:
    y = x * Shared.w
    HOLDER.w[0] += 1
    return np.sum(y * Shared.w)


def by_a_static_method(x: Any) -> Any:
    y = x * Shared.get()
    HOLDER.w[0] += 1
    return np.sum(y * Shared.get())


def a_variable_of_the_module(x: Any) -> Any:
    y = x * SHARED.w
    W[0] += 1
    return np.sum(y * SHARED.w)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("f", [by_an_object, by_an_object_below, in_a_table, by_the_class, by_a_static_method,
                               a_variable_of_the_module])
def test_it_is_refused(f: Any, optimized: bool) -> None:
    with pytest.raises(ArgumentError, match="shares its memory|does not see it|in two ways"):
        tnb.grad(f, optimized=optimized)(0.5)


def argument(x: Any, v: Any) -> Any:
    y = x * SHARED.w
    v[0] += 1
    return np.sum(y * SHARED.w)


def test_an_argument_that_is_changed() -> None:
    with pytest.raises(ArgumentError, match="SHARED shares its memory"):
        tnb.grad(argument)(0.5, W)
    assert tnb.grad(argument)(0.5, np.ones(3)) == pytest.approx(np.sum(W * W))


class Abstract(abc.ABC):
    lock, log = threading.Lock(), logging.getLogger("abstract")
    rate: np.ndarray[Any, Any]

    def __init__(self) -> None:
        self.w = np.ones(3)


GUARDED = Abstract()


def beside_locks(x: Any) -> Any:
    y = x * GUARDED.w
    HOLDER.w[0] += 1
    return np.sum(y * GUARDED.w)


def test_what_cannot_be_looked_into_in_a_class_is_no_memory() -> None:
    assert tnb.grad(beside_locks)(0.5) == pytest.approx(3.0)


OTHER = sourced("import numpy as np\nK = np.ones(3)\ndef get():\n    return K\ndef times(v):\n    return v * get()\n",
                {"__name__": "elsewhere"})
ELSEWHERE = types.ModuleType("elsewhere")
vars(ELSEWHERE).update(OTHER)
get, times = OTHER["get"], OTHER["times"]


def by_a_function_elsewhere(x: Any) -> Any:
    y = x * get()
    HOLDER.w[0] += 1
    return np.sum(y * get())


def by_one_that_calls_it(x: Any) -> Any:
    y = times(x)
    HOLDER.w[0] += 1
    return np.sum(times(y))


def by_the_name_of_its_module(x: Any) -> Any:
    y = x * ELSEWHERE.get()
    HOLDER.w[0] += 1
    return np.sum(y * ELSEWHERE.get())


@pytest.mark.parametrize("f", [by_a_function_elsewhere, by_one_that_calls_it, by_the_name_of_its_module])
def test_functions_of_other_modules_are_asked_what_they_read(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HOLDER, "w", np.ones(3))
    assert tnb.grad(f)(0.5) == pytest.approx(3.0)
    monkeypatch.setattr(HOLDER, "w", OTHER["K"])
    with pytest.raises(ArgumentError, match="shares its memory"):
        tnb.grad(f)(0.5)
