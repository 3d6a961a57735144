"""Steps: each statement once each time that it runs, whatever its lines."""
from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from typing import Any

import pytest

from tangent_nb.tracing import Listener, run
from tangent_nb.tracing.statements import of_function


class Events(Listener):
    """Writes down what it is told, by the line within the function."""

    def __init__(self, f: Any) -> None:
        self.first = f.__code__.co_firstlineno
        self.seen: list[Any] = []

    def entered(self, activation: Any) -> None:
        self.seen.append("enter")

    def ended(self, step: Any, returned: Any) -> None:
        if step.statement.reads:                   # `try:` runs at a line of its own in some versions of Python
            self.seen.append(step.statement.first - self.first)

    def left(self, activation: Any, returned: Any) -> None:
        self.seen.append(("leave", returned))


def stepped(f: Any, *args: Any, listener: Any = None) -> list[Any]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    ast.increment_lineno(tree, f.__code__.co_firstlineno - 1)
    lines = of_function(tree.body[0])              # type: ignore[arg-type]
    events = listener or Events(f)
    run(lambda: f(*args), lambda frame, caller: lines if frame.f_code is f.__code__ else None, events)
    return list(events.seen)


def test_statements_of_several_lines_and_loops() -> None:
    def f(n: int) -> int:
        x = max(
            0,
            1)
        while x < n + 1:
            x = x + 1
            x = x * 1
        for _ in []:
            x = 0
        return x

    assert stepped(f, 2) == ["enter", 1, 4, 5, 6, 4, 5, 6, 4, 7, 9, ("leave", 3)]


def test_a_loop_of_one_line_ends_a_step_each_time() -> None:
    def f(n: int) -> int:
        x = 0
        while True:
            x = 1 // (n - x) * 0 + x + 1

    with pytest.raises(ZeroDivisionError):
        stepped(f, 3)
    events = Events(f)
    with pytest.raises(ZeroDivisionError):
        stepped(f, 3, listener=events)
    assert events.seen.count(3) == 3               # the fourth raised


def test_recursion() -> None:
    def f(n: int) -> int:
        if n == 0:
            return 0
        return 1 + f(n - 1)

    assert stepped(f, 1) == ["enter", 1, "enter", 1, 2, ("leave", 0), 3, ("leave", 1)]


def test_exceptions() -> None:
    def f(x: float) -> float:
        try:
            y = 1.0 / x
        except ZeroDivisionError:
            y = 2.0
        return y

    assert stepped(f, 0.0) == ["enter", 4, 5, ("leave", 2.0)]


def test_generators_are_passed_over() -> None:
    def f(n: int) -> Any:
        yield n

    events = Events(f)
    run(lambda: list(f(1)), lambda frame, caller: {} if frame.f_code is f.__code__ else None, events)
    assert events.seen == []


def test_what_a_listener_raises_ends_the_run() -> None:
    class Stop(Listener):
        seen: list[Any] = []

        def ended(self, step: Any, returned: Any) -> None:
            raise KeyError("stop")

    def g() -> Any:
        x = 1
        x = undefined                              # type: ignore[name-defined]  # noqa: F821
        return x

    before = sys.gettrace()
    with pytest.raises(KeyError):
        stepped(g, listener=Stop())
    assert sys.gettrace() is before
