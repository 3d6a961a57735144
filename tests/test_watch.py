"""`watch`: the first guilty line is named, and lines that only pass something on are not."""
from __future__ import annotations

import bdb
import contextlib
import io
import math
import pickle
import sys
import threading
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from corpus import CORPUS, Entry

import tangent_nb as tnb
from tangent_nb.errors import NonFiniteError, TangentError

ZERO = np.array([1.0, 0.0, 2.0])
FINE = np.array([1.0, 3.0, 2.0])
BIG = np.inf


class Limits:
    """Something with attributes."""

    low = -np.inf

    @property
    def high(self) -> float:
        return np.inf


LIMITS = Limits()


def guilty(f: Any, *args: Any, derive: Any = tnb.grad, **options: Any) -> NonFiniteError:
    with pytest.raises(NonFiniteError) as caught:
        tnb.watch(derive(f, **options))(*args)
    return caught.value


def text_of_line(error: NonFiniteError) -> str:
    return Path(error.filename).read_text(encoding="utf-8").split("\n")[error.line - 1].strip()


def logs(x: Any) -> Any:
    y = np.log(x)
    return np.sum(y)


def roots(x: Any) -> Any:
    y = np.sqrt(x)
    return np.sum(y * 2.0)


def test_forward() -> None:
    error = guilty(logs, ZERO, optimized=False)
    assert error.name == "y" and error.sweep == "forward" and text_of_line(error) == "y = np.log(x)"
    label = tnb.grad(logs).__tangent_nb__.primal.source.label
    first = logs.__code__.co_firstlineno
    assert str(error) == f"""\
y became Inf in the forward sweep
  generated line {error.line} ({error.filename.rpartition('/')[2]}):
    y = np.log(x)
  which belongs to {label}, line {first + 1}:
    y = np.log(x)
  found: 1 Inf in 3 elements, the first at [1]: -inf
  made from:
    x  0.0 at [1]; shape (3,), float64, 0.0 to 2.0"""
    assert isinstance(error, FloatingPointError) and isinstance(error, TangentError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.line == error.line


def test_backward() -> None:
    for optimized in (True, False):
        error = guilty(roots, ZERO, optimized=optimized)
        assert error.name == "bx" and error.sweep == "backward" and "bx" in text_of_line(error)
        assert "y = np.sqrt(x)" in str(error)
    assert guilty(roots, ZERO, np.ones(3), derive=tnb.jvp).sweep == "forward"


def layer(h: Any, w: Any, k: int) -> Any:
    s = np.dot(h, w)
    if k == 7:
        s = np.sqrt(s * s * 0.0) + s
    return np.tanh(s)


def deep(x: Any, ws: Any) -> Any:
    h = x
    for k, w in enumerate(ws):
        h = layer(h, w, k)
    return np.sum(h * h)


def by_name(x: Any, ks: Any) -> Any:
    total = 0.0
    for k in ks:
        for i in range(3):
            total = total + np.sum(np.sqrt(x[i]) * len(k))
    return total


def test_the_trip_of_a_loop() -> None:
    """Of the loop that has called the function where it is, too: the eighth of twelve layers."""
    label, first = tnb.grad(deep).__tangent_nb__.primal.source.label, deep.__code__.co_firstlineno
    weights = [np.eye(3) * 0.5 for _ in range(12)]
    for optimized in (True, False):
        error = guilty(deep, np.ones((2, 3)), weights, optimized=optimized)
        assert f"  in the trip with k = 7 of {label}, line {first + 2}:\n    for k, w in enumerate(ws)\n" in str(error)
    found = str(guilty(by_name, FINE * 0.0, ["a", "b" * 99, "c"]))
    trips = [line for line in found.split("\n") if "in the trip" in line]
    assert [line.split(" of ")[0] for line in trips] == ["  in the trip with i = 2", "  in the trip with k = 'c'"]
    assert "in the trip" not in str(guilty(logs, ZERO))


def test_values_are_those_of_the_derivative() -> None:
    df = tnb.grad(roots)
    watched = tnb.watch(df)
    assert np.array_equal(watched(FINE), df(FINE))
    assert watched.__name__ == df.__name__ and tnb.source(watched) == tnb.source(df)
    value, gradient = tnb.watch(tnb.value_and_grad(roots))(FINE)
    assert np.isfinite(value) and np.array_equal(gradient, df(FINE))
    assert np.array_equal(tnb.watch(watched)(FINE), df(FINE))
    with pytest.raises(TypeError, match="missing"):
        watched()
    with pytest.raises(TangentError, match="not a derivative"):
        tnb.watch(roots)


def test_the_traceback_ends_in_the_guilty_line() -> None:
    error = guilty(logs, ZERO)
    last = traceback.extract_tb(error.__traceback__)[-1]
    assert (last.filename, last.lineno) == (error.filename, error.line)
    assert not any("stepper" in frame.filename for frame in traceback.extract_tb(error.__traceback__))


def test_arguments() -> None:
    for bad in (np.nan, np.inf):
        error = guilty(logs, np.array([1.0, bad]))
        assert str(error).startswith("the argument x of dlogs_dx is not finite: 1 ") and "[1]" in str(error)
        assert error.name == "x" and error.line == 0
    assert "argument ws[1]" in str(guilty(lambda ws: ws[0] * ws[1], [1.0, math.nan]))

    def masked(x: Any, mask: Any, low: float = -np.inf) -> Any:
        return np.sum(np.exp(np.maximum(x + mask, low)))

    mask = np.array([0.0, -np.inf, 0.0])
    df = tnb.grad(masked)
    with pytest.raises(NonFiniteError, match=r"allow=\('mask',\)"):
        tnb.watch(df)(FINE, mask)
    assert np.array_equal(tnb.watch(df, allow="mask")(FINE, mask), df(FINE, mask))
    with pytest.raises(TangentError, match="no parameter musk"):
        tnb.watch(df, allow=("musk",))


# ---------------------------------------------------------------- what is meant is no fault
def smallest(x: Any, n: Any) -> Any:
    best = np.inf
    for i in range(n):
        if x[i] < best:
            best = x[i]
    return best * 2.0


def masked_softmax(x: Any) -> Any:
    s = np.where(np.array([True, False, True]), x, -np.inf)
    s = s - np.max(s)
    e = np.exp(s)
    return np.sum(e / np.sum(e) * x)


def written(x: Any) -> Any:
    low = float("-inf")
    lower = -np.inf
    least = np.full(3, math.inf)
    high = LIMITS.high
    bounds = [lower, BIG, LIMITS.low, high]
    return np.sum(np.minimum(np.maximum(x, low), least)) + np.sum(np.maximum(x, bounds[0])) * min(1.0, bounds[1])


def minimum(values: Any, start: Any = np.inf) -> Any:
    best = start
    for i in range(3):
        best = np.minimum(best, values[i])
    return best


def in_helper(x: Any) -> Any:
    return minimum(x) * np.sum(x)


def unfilled(n: Any) -> Any:
    return np.full(n, np.inf)


def from_helper(x: Any) -> Any:
    start = unfilled(3)
    return np.sum(np.minimum(x, start))


def infinite_elsewhere(x: Any) -> Any:
    a = np.zeros(3)
    a[0] = -np.inf
    a[1] = np.sum(x)
    a[2] += 1.0
    b = a[1:]
    return np.sum(b) + np.exp(a[0])


def empty(x: Any) -> Any:
    a = np.empty(3)
    for i in range(3):
        a[i] = x[i] * 2.0
    return np.sum(a)


def unused_poles(x: Any) -> Any:
    return np.sum(np.where(x > 0.0, np.log(np.where(x > 0.0, x, 1.0)), 0.0))


def loops_on(x: Any) -> Any:
    for v in [1.0, 2.0]:
        x = x * v
        v = np.inf
    return np.sum(x)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("f", [smallest, masked_softmax, written, in_helper, from_helper, infinite_elsewhere, empty,
                               unused_poles, loops_on], ids=lambda f: f.__name__)
def test_no_false_alarm(f: Any, optimized: bool) -> None:
    df = tnb.grad(f, optimized=optimized)
    args = (FINE, 3) if f is smallest else (FINE,)
    assert np.array_equal(tnb.watch(df)(*args), df(*args))


# ---------------------------------------------------------------- what is a fault
def nan_of_infs(x: Any) -> Any:
    a = BIG
    b = a - a
    return np.sum(x) * b


def log_of_zero(x: Any) -> Any:
    worst = np.log(0.0)
    return np.sum(np.maximum(x, worst))


def one_more_element(x: Any) -> Any:
    mask = np.array([-np.inf, 0.0, 0.0])
    s = np.log(x) + mask
    return np.sum(np.exp(s))


def appended(x: Any) -> Any:
    xs = []
    for i in range(3):
        xs.append(np.log(x[i]))
    return xs[0] + xs[2]


def updated_part(x: Any) -> Any:
    a = np.ones(3)
    a[1] = 1.0 / x[1]
    return np.sum(a * x)


def updated_in_place(x: Any) -> Any:
    a = np.array([np.inf, 1.0, 1.0])
    a /= x
    return np.sum(a[2] * x)


def returned(x: Any) -> Any:
    return np.sum(np.log(x))


def passed(x: Any) -> Any:
    return halved(np.log(x[1])) + x[0]


def halved(t: Any) -> Any:
    if t < 0.0:
        t = t / 2.0
    return t


def looped(x: Any) -> Any:
    s = 1.0
    for i in range(3):
        s = s / x[i]
    return s * x[0]


@pytest.mark.parametrize("f, line, kind", [
    (nan_of_infs, 2, "NaN"), (log_of_zero, 1, "Inf"), (one_more_element, 2, "Inf"), (appended, 3, "Inf"),
    (updated_part, 2, "Inf"), (updated_in_place, 2, "Inf"), (returned, 1, "Inf"), (passed, 1, "Inf"),
    (looped, 3, "Inf")], ids=lambda p: getattr(p, "__name__", ""))
@pytest.mark.parametrize("optimized", [True, False])
def test_faults(f: Any, line: int, kind: str, optimized: bool) -> None:
    message = str(guilty(f, ZERO, derive=tnb.value_and_grad, optimized=optimized))
    assert f"became {kind} in the forward sweep" in message
    assert f"line {f.__code__.co_firstlineno + line}:" in message, message


def test_expressions_without_a_name() -> None:
    error = guilty(lambda x: np.log(x), 0.0, derive=tnb.value_and_grad)
    assert "Inf" in str(error) and error.sweep == "forward"
    error = guilty(passed, ZERO)
    assert error.name in ("the argument t of _halved_fwd", "log")


def damped(t: Any) -> Any:
    for _ in range(2):
        t = np.sqrt(t)
    return t


def uses_damped(x: Any) -> Any:
    return np.sum(damped(x) * 3.0)


def test_inside_of_a_called_pair() -> None:
    error = guilty(uses_damped, ZERO)
    assert error.sweep == "backward" and error.name == "bt"
    assert f"line {damped.__code__.co_firstlineno + 2}:" in str(error) and "t = np.sqrt(t)" in str(error)
    error = guilty(uses_damped, -FINE)
    assert error.sweep == "forward" and error.name == "t" and "_damped_fwd" in [
        frame.name for frame in traceback.extract_tb(error.__traceback__)]


def scale(n: Any) -> Any:
    c = np.log(n)
    return c * 2.0


def scaled(x: Any, n: Any) -> Any:
    return np.sum(x) * scale(n)


def test_inside_of_a_function_without_a_derivative() -> None:
    error = guilty(scaled, FINE, 0.0)
    assert error.name == "c" and error.filename == __file__ and error.line == scale.__code__.co_firstlineno + 1
    assert "your function" in str(error) and "called from generated line" in str(error)
    assert traceback.extract_tb(error.__traceback__)[-1].name == "scale"


def scales(ns: Any) -> Any:
    return sum([scale(n) for n in ns])


def scaled_often(x: Any, ns: Any) -> Any:
    return np.sum(x) * scales(ns)


def test_inside_of_a_comprehension() -> None:
    assert guilty(scaled_often, FINE, [1.0, 0.0]).name == "c"


def power(x: Any, n: Any) -> Any:
    if n == 0:
        return np.log(x)
    return power(x, n - 1) * x


def test_recursion() -> None:
    df = tnb.grad(power)
    assert tnb.watch(df)(2.0, 3) == df(2.0, 3)
    error = guilty(power, 0.0, 3)
    assert error.sweep == "forward" and "np.log(x)" in str(error)


def test_derivatives_of_derivatives() -> None:
    ddf = tnb.grad(tnb.grad(lambda x: x ** 1.5))
    assert tnb.watch(ddf)(4.0) == ddf(4.0)
    error = guilty(tnb.grad(lambda x: x ** 1.5), 0.0)
    assert "x ** 1.5" in str(error)                # the user's own text, not that of the first derivative


def test_specialized_texts() -> None:
    df = tnb.watch(tnb.grad(logs, like=(FINE,)))
    for x in (ZERO, np.array([1.0, 0.0])):
        with pytest.raises(NonFiniteError, match=r"bx|y"):
            df(x)


def test_split_motion() -> None:
    forward, backward = tnb.autodiff(roots, motion="split")
    _, residuals = tnb.watch(forward)(ZERO)
    with pytest.raises(NonFiniteError, match="backward sweep"):
        tnb.watch(backward)(residuals, 1.0)


# ---------------------------------------------------------------- the world around
def test_warnings_do_not_stop_it() -> None:
    def tiny(x: Any) -> Any:
        return np.sum(np.exp(-1e3 * x) * x)

    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        with pytest.raises(FloatingPointError, match="underflow"):
            tnb.grad(tiny)(FINE)
        assert np.array_equal(tnb.watch(tnb.grad(tiny))(FINE), np.zeros(3))
        with pytest.raises(NonFiniteError):
            tnb.watch(tnb.grad(logs))(ZERO)
        assert np.geterr()["divide"] == "raise"


def test_other_errors_are_passed_on() -> None:
    df = tnb.watch(tnb.grad(lambda x: x / (x - x)))
    before = sys.gettrace()
    with pytest.raises(ZeroDivisionError):
        df(2.0)
    assert sys.gettrace() is before


def test_the_trace_function_is_put_back() -> None:
    seen: list[str] = []

    def tracer(frame: Any, event: str, arg: Any) -> Any:
        seen.append(frame.f_code.co_name)
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        tnb.watch(tnb.grad(logs))(FINE)
        kept = [sys.gettrace()]
        with pytest.raises(NonFiniteError):
            tnb.watch(tnb.grad(logs))(ZERO)
        kept.append(sys.gettrace())
        scale(1.0)
    finally:
        sys.settrace(before)
    assert kept == [tracer, tracer] and "scale" in seen and "dlogs_dx" not in seen


def test_under_a_debugger() -> None:
    class Debugger(bdb.Bdb):
        lines: list[int] = []

        def user_line(self, frame: Any) -> None:
            self.lines.append(frame.f_lineno)

    def session() -> Any:
        try:
            tnb.watch(tnb.grad(logs))(ZERO)
        except NonFiniteError as error:
            name = error.name
        return name

    before = sys.gettrace()
    debugger = Debugger()
    try:
        assert debugger.runcall(session) in ("y", "bx")
    finally:
        sys.settrace(before)
    start = session.__code__.co_firstlineno
    assert {start + 2, start + 4, start + 5} <= set(debugger.lines)


def test_threads() -> None:
    df = tnb.watch(tnb.grad(logs))
    results: dict[int, Any] = {}

    def work(number: int) -> None:
        for _ in range(20):
            try:
                results[number] = df(FINE if number % 2 else ZERO)
            except NonFiniteError as error:
                results[number] = error.name

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] == results[2] and isinstance(results[0], str)
    assert np.array_equal(results[1], tnb.grad(logs)(FINE)) and np.array_equal(results[3], results[1])


def test_long_loops_stay_fast_enough() -> None:
    def long(x: Any, n: Any) -> Any:
        xs = []
        for _ in range(n):
            x = np.sin(x)
            xs.append(x)
        return xs[n - 1]

    df = tnb.grad(long)
    assert tnb.watch(df)(0.5, 3000) == df(0.5, 3000)


POLES = {"kink_sqrt_zero", "kink_where_sqrt", "kink_where_pole"}  # which do make one, though np.where may throw it away


WATCHED = [e for e in CORPUS if not e.refused and e.group in ("control", "models", "kinks")]


@pytest.mark.parametrize("entry", [pytest.param(e, id=e.id, marks=pytest.mark.sampled(4)) for e in WATCHED])
def test_the_corpus(entry: Entry) -> None:
    """A watched derivative gives what the derivative gives; nothing is blamed where nothing is wrong."""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            df = tnb.grad(entry.function, entry.wrt)
            expected = df(*entry.fresh())
        except (TangentError, ArithmeticError, ValueError):
            return
        if (entry.name or entry.function.__name__) in POLES:
            for_all = tnb.grad(entry.function, entry.wrt, optimized=tnb.PASSES)      # others may do it within a line
            with pytest.raises(NonFiniteError):
                tnb.watch(for_all)(*entry.fresh())
        else:
            assert repr(tnb.watch(df)(*entry.fresh())) == repr(expected)
