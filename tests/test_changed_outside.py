"""Arrays and lists in variables of modules, and lists in attributes, that a function changes: counters, buffers, logs.

Each program is derived in every way, compared with differences, and what it leaves outside with what the function
itself leaves there."""
from __future__ import annotations

import copy
import sys
import types
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, TangentError

pytestmark = pytest.mark.sampled(4)


class Store:
    calls: list[Any]


HELD = types.ModuleType("held")
HELD.K, HELD.box = np.ones(3), Store()                     # type: ignore[attr-defined]
COUNTS, CALLS, LOG, BUFFER, BOX = [1.0, 2.0], Counter(), [], np.ones(3), Store()
OTHER = COUNTS
NESTED, ARRAYS = [1.0, [2.0]], [BUFFER, 2.0]
PART = BUFFER[:1]


@pytest.fixture(autouse=True)
def _anew() -> None:
    COUNTS[:], BUFFER[:], BOX.calls = [1.0, 2.0], 1.0, [3.0, 1.0]
    CALLS.clear()
    LOG.clear()
    NESTED[:], ARRAYS[:] = [1.0, [2.0]], [BUFFER, 2.0]


def held() -> str:
    return repr((COUNTS, CALLS, LOG, BUFFER, BOX.calls, NESTED))


def counted(x: Any) -> Any:
    COUNTS[0] += 1
    return x * x


def counted_and_read(x: Any) -> Any:
    y = x * COUNTS[0]
    COUNTS[0] += 1
    return y * COUNTS[0]


def counted_in_a_loop(x: Any) -> Any:
    s = 0.0
    for i in range(2):
        COUNTS[i] = COUNTS[i] + 1
        s += x * COUNTS[i] * x
    return s


def under_a_condition(x: Any) -> Any:
    if x > 0.0:
        COUNTS[1] = COUNTS[0]
    COUNTS[-2] = 5
    return x * COUNTS[1] * x


def with_a_derivative(x: Any) -> Any:
    COUNTS[0] = x
    COUNTS[1] *= x
    return x * COUNTS[0] * COUNTS[1]


def by_another_name(x: Any) -> Any:
    COUNTS[0] += 1
    return x * OTHER[0]


def before_an_array(x: Any) -> Any:
    w = np.asarray(COUNTS)
    COUNTS[0] = 7.0
    return np.sum(x * x * w)


def a_list_before(x: Any) -> Any:
    y = [x * w for w in COUNTS]
    COUNTS[0] = 9.0
    return y[0] * y[1]


def changed_and_longer(x: Any) -> Any:
    COUNTS[0] += 1
    COUNTS.append(3.0)
    return x * x * COUNTS[0] * len(COUNTS)


def sorted_and_reversed(x: Any) -> Any:
    LOG.append(x * x)
    LOG.append(x)
    LOG.sort()
    LOG.reverse()
    return x * LOG[0]


def sorted_by_a_key(x: Any) -> Any:
    COUNTS.append(x)
    COUNTS.sort(key=lambda v: -v, reverse=True)
    return x * COUNTS[0] * COUNTS[1]


def of_a_counter(x: Any) -> Any:
    if x > 0.0:
        CALLS["positive"] += 1
    CALLS["all"] += 2
    return x * x * CALLS["all"]


def of_an_attribute(x: Any) -> Any:
    BOX.calls.append(2.0)
    BOX.calls[0] += 1
    return x * x * BOX.calls[0] * BOX.calls[2]


def of_an_attribute_in_a_loop(x: Any) -> Any:
    for i in range(2):
        BOX.calls[i] *= x
        BOX.calls.append(x * i)
    return x * x * BOX.calls[0] * BOX.calls[3]


def of_an_attribute_sorted(x: Any) -> Any:
    BOX.calls.sort()
    BOX.calls.append(x)
    return x * x * BOX.calls[0]


def of_an_attribute_unread(x: Any) -> Any:
    BOX.calls[1] = x
    return x * x


def counted_and_asked_for(x: Any) -> Any:
    if "z" not in CALLS:
        CALLS["y"] += 3
    CALLS["y"] += 1
    return x * x * (CALLS["y"] + CALLS.get("z", 7))


def counted_in_an_attempt(x: Any) -> Any:
    try:
        CALLS["y"] += 1
    except KeyError:                                       # which no counter raises
        CALLS["y"] = 5
    return x * x * CALLS["y"]


def a_list_in_it_grows(x: Any) -> Any:
    NESTED[1] += [x]
    return NESTED[1][-1] * x


def an_array(x: Any) -> Any:
    BUFFER[0] += 1
    return x * x * BUFFER[0]


def an_array_with_a_derivative(x: Any) -> Any:
    BUFFER[0] += x
    BUFFER[1:] = x * x
    return x * np.sum(BUFFER)


def an_array_by_a_mask(x: Any) -> Any:
    BUFFER[BUFFER > 0] = 2.0
    return x * x * np.sum(BUFFER)


def a_view_of_an_array(x: Any) -> Any:
    BUFFER[0] += 1
    return x * np.sum(PART)


def an_array_unread(x: Any) -> Any:
    for i in range(3):
        x = x * x
        BUFFER[i] = x
    return x


def an_array_and_a_list(x: Any) -> Any:
    COUNTS[0] += 1
    for i in range(3):
        x = x * x
        BUFFER[i] = x
        COUNTS[1] += 1
    return x * COUNTS[1]


def a_part_of_an_array_and_a_list(x: Any) -> Any:
    COUNTS[0] += 1
    BUFFER[1:] += 1.0
    LOG.append(COUNTS[0])
    return x * x * np.sum(BUFFER) * COUNTS[0]


def a_counter_and_an_array(x: Any) -> Any:
    CALLS["calls"] += 1
    BUFFER[0] = CALLS["calls"]
    return x * x


RIGHT = [counted, counted_and_read, counted_in_a_loop, under_a_condition, with_a_derivative, before_an_array,
         a_list_before, changed_and_longer, sorted_and_reversed, sorted_by_a_key, of_a_counter, counted_and_asked_for,
         counted_in_an_attempt, a_list_in_it_grows, of_an_attribute,
         of_an_attribute_in_a_loop, of_an_attribute_sorted, of_an_attribute_unread, an_array,
         an_array_with_a_derivative, an_array_by_a_mask, an_array_unread, an_array_and_a_list,
         a_part_of_an_array_and_a_list, a_counter_and_an_array]
HOW = {"reverse": tnb.grad, "raw": lambda f: tnb.grad(f, optimized=False),
       "forward": lambda f: lambda x: tnb.jvp(f)(x, dx=1.0), "value": lambda f: lambda x: tnb.value_and_grad(f)(x)[1],
       "pull": lambda f: lambda x: tnb.vjp(f)(x, 1.0)}


def run(f: Callable[[Any], Any], x: float) -> tuple[Any, str]:
    """What a function gives, and leaves outside, from the same start."""
    kept = copy.deepcopy((COUNTS, CALLS, LOG, BUFFER, BOX.calls, NESTED))
    given = f(x), held()
    COUNTS[:], LOG[:], BUFFER[:], NESTED[:] = kept[0], kept[2], kept[3], kept[5]
    CALLS.clear()
    CALLS.update(kept[1])
    BOX.calls = kept[4]
    return given


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("f", RIGHT)
def test_it_is_right_and_leaves_the_same(f: Any, how: str) -> None:
    slope = (run(f, 0.63 + 1e-6)[0] - run(f, 0.63 - 1e-6)[0]) / 2e-6
    left = run(f, 0.63)[1]
    given, now = run(HOW[how](f), 0.63)
    assert given == pytest.approx(slope, rel=1e-6)
    assert now == left


def pop_with_a_default(x: Any) -> Any:
    BOX.calls.pop(0, None)
    return x * x


def items_of_items(x: Any) -> Any:
    BOX.calls[0:1] = [x]
    BOX.calls.append(x)
    return x * BOX.calls[0]


def another_name(x: Any) -> Any:
    v = COUNTS
    v[0] += 1
    return x * COUNTS[0]


def an_array_in_a_list(x: Any) -> Any:
    ARRAYS[0] += x
    return np.sum(BUFFER) * x


def an_array_that_was_put_there(x: Any) -> Any:
    own = x * np.ones(2)
    ARRAYS[1] = own
    ARRAYS[1] *= 2.0
    return np.sum(own) * x


def helper() -> None:
    COUNTS[0] += 1


def changed_by_a_helper(x: Any) -> Any:
    y = x * COUNTS[0]
    helper()
    return y * COUNTS[0] * x


def test_what_python_refuses_is_its_error() -> None:
    with pytest.raises(TypeError):
        tnb.grad(pop_with_a_default)(0.63)


@pytest.mark.parametrize("f", [items_of_items, another_name, changed_by_a_helper, by_another_name,
                               a_view_of_an_array, an_array_in_a_list, an_array_that_was_put_there])
def test_what_is_not_seen_is_refused(f: Any) -> None:
    with pytest.raises(TangentError):
        tnb.grad(f)(0.63)


def test_nobody_else_reads_it_before_the_end() -> None:
    def reads() -> Any:
        return COUNTS[0]

    BOX.read = reads                                       # type: ignore[attr-defined]

    def f(x: Any) -> Any:
        COUNTS[0] = x
        return x * BOX.read() * COUNTS[0]                  # type: ignore[attr-defined]

    with pytest.raises(TangentError):
        tnb.grad(f)(0.63)


def add_to_it() -> None:
    HELD.K[0] += 1.0


def add_by_a_name() -> None:
    k = HELD.K
    k[0] += 1.0


def add_by_a_call() -> None:
    np.add(HELD.K, 1.0, out=HELD.K)


def add_by_a_method() -> None:
    HELD.K.fill(3.0)


def add_to_an_attribute() -> None:
    HELD.box.k[0] += 2.0


def add_to_a_global() -> None:
    global BUFFER
    BUFFER[0] = 3.0


def add_through_another() -> None:
    add_to_it()


@pytest.mark.parametrize("change", [add_to_it, add_by_a_name, add_by_a_call, add_by_a_method, add_to_an_attribute,
                                    add_to_a_global, add_through_another])
def test_what_a_call_changes_in_variables_of_modules_is_asked(change: Any) -> None:
    """The backward pass would read it as it is later."""
    HELD.K[:], HELD.box.k = 1.0, np.ones(3)

    def f(x: Any) -> Any:
        y = x * HELD.K + HELD.box.k * x + BUFFER * x
        change()
        return np.sum(y * HELD.K) + np.sum(HELD.box.k * x * y * BUFFER)

    with pytest.raises(TangentError, match=r"may change (K|box|BUFFER|its)"):
        tnb.grad(f)(0.63)


SHARED = np.ones(3)
OWNER = Store()
OWNER.k, TABLE, ROWS = SHARED, {"k": SHARED}, [SHARED]     # type: ignore[attr-defined]


def in_an_object() -> None:
    OWNER.k[0] += 1.0                                      # type: ignore[attr-defined]


def in_a_dict() -> None:
    TABLE["k"] *= 2.0


def in_a_list() -> None:
    for row in ROWS:
        row[0] = 3.0


def by_a_function_of_numpy() -> None:
    np.copyto(ROWS[0], 2.0)


@pytest.mark.parametrize("read", ["SHARED", "TABLE['k']", "OWNER.k", "ROWS[0]", "SHARED[:2]", "OWNER.k.reshape(3)",
                                  "TABLE['k'].ravel()", "ROWS[0].dot(np.eye(3))"])
@pytest.mark.parametrize("change", [in_an_object, in_a_dict, in_a_list, by_a_function_of_numpy])
def test_what_a_call_changes_by_another_way_to_it_is_asked(change: Any, read: str) -> None:
    names = {"SHARED": SHARED, "TABLE": TABLE, "OWNER": OWNER, "ROWS": ROWS, "change": change, "np": np}
    f = sourced(f"def f(x):\n    y = x * {read}\n    change()\n    return np.sum(y * {read})\n", names)["f"]
    with pytest.raises(TangentError, match="may change|, or the caller, holds too|or holds, the same dict"):
        tnb.grad(f)(0.63)


def in_a_method() -> None:
    ROWS[0].fill(3.0)


def through_a_call() -> None:
    in_a_dict()


def and_differentiated(x: Any) -> Any:
    in_an_object()
    return 2.0 * x


@pytest.mark.parametrize("given", [SHARED, SHARED[:2], [1.0, SHARED], ROWS, {"k": SHARED}, OWNER], ids=range(6))
@pytest.mark.parametrize("change", [in_an_object, in_a_dict, in_a_list, by_a_function_of_numpy, in_a_method,
                                    through_a_call])
@pytest.mark.parametrize("how", ["grad", "vjp", "jvp"])
def test_an_argument_is_not_what_a_call_changes(change: Any, given: Any, how: str) -> None:
    """Nobody sees in the text that the two are one memory: it is asked when the derivative is called."""
    names = {"change": change, "np": np, "first": first}
    f = sourced("def f(x, k):\n    y = x * first(k)\n    change()\n    return np.sum(y * first(k))\n", names)["f"]
    SHARED[:], OWNER.k, TABLE["k"] = 1.0, SHARED, SHARED   # type: ignore[attr-defined]
    before, apart = first(given).copy(), copy.deepcopy(given)
    if how == "jvp":                                       # reads it in the same sweep
        assert tnb.jvp(f)(2.0, given, 1.0) == pytest.approx(np.sum(before * first(given)))
        return
    derivative, more = (tnb.grad(f), ()) if how == "grad" else (tnb.vjp(f), (1.0,))
    with pytest.raises(ArgumentError, match="shares its memory: pass a copy of k"):
        derivative(2.0, given, *more)
    assert derivative(2.0, apart, *more) == pytest.approx(np.sum(before * before))


def first(k: Any) -> Any:
    return k if isinstance(k, np.ndarray) else k.k if isinstance(k, Store) else k["k"] if isinstance(k, dict) else k[-1]


@pytest.mark.parametrize("change", [and_differentiated, lambda x: and_differentiated(x)])
def test_the_call_that_changes_it_is_differentiated(change: Any) -> None:
    names = {"change": change, "np": np}
    f = sourced("def f(x, k):\n    y = x * k\n    z = change(x)\n    return z * np.sum(y * k)\n", names)["f"]
    SHARED[:] = 1.0
    with pytest.raises(ArgumentError, match="shares its memory: pass a copy of k"):
        tnb.grad(f)(2.0, SHARED)
    assert tnb.grad(f)(2.0, SHARED.copy()) == pytest.approx(4.0 * 2.0 * 3.0)


def test_what_grows_outside_is_no_argument() -> None:
    """A history, which a list of the caller may be, or hold."""
    f = sourced("def f(x, k):\n    y = x * k[0]\n    rec()\n    return y * len(k)\n",
                {"rec": lambda: LOG.append(1.0)})["f"]
    LOG[:] = [1.0]
    with pytest.raises(ArgumentError, match="shares its memory: pass a copy of k"):
        tnb.grad(f)(2.0, LOG)
    assert tnb.grad(f)(2.0, [3.0]) == 3.0


def counted_so_far() -> int:
    LOG.append(0.0)
    return len(LOG)


def the_place_after_the_value(x: Any) -> Any:
    COUNTS[counted_so_far() - 1] = x * counted_so_far()
    return x * COUNTS[0] + COUNTS[1] * x * x


@pytest.mark.parametrize("how", HOW)
def test_the_value_is_computed_before_its_place(how: str) -> None:
    assert run(HOW[how](the_place_after_the_value), 0.7)[0] == pytest.approx(1.0 + 3.0 * 0.7 ** 2)
