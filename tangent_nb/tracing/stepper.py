"""Run a call statement by statement, by `sys.settrace`, in this thread alone.

The trace function that was set before (a debugger's, that of coverage) is set again afterwards.
"""
from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from .statements import Lines, Statement

T = TypeVar("T")
Follow: TypeAlias = "Callable[[types.FrameType, Activation | None], Lines | None]"
SUSPENDABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass
class Step:
    """One execution of a statement. start: where its bytecode begins; before: what the listener noted when it began."""

    activation: Activation
    statement: Statement
    start: int
    before: Any = None


@dataclass
class Activation:
    """One call of a function that is followed, from the followed call `caller`. step: what it is at."""

    frame: types.FrameType
    lines: Lines
    caller: Activation | None
    step: Step | None = None
    raised: bool = False


class Listener:
    """What is told of each step. What it raises ends the run, at the line that is told of."""

    def entered(self, activation: Activation) -> None:
        """A call begins."""

    def began(self, step: Step) -> None:
        """A statement is about to run."""

    def ended(self, step: Step, returned: Any) -> None:
        """A statement has run; `returned` is what it returned, or None."""

    def left(self, activation: Activation, returned: Any) -> None:
        """A call has returned."""


def run(call: Callable[[], T], follow: Follow, listener: Listener) -> T:
    """What `call()` returns. `follow(frame, caller)` gives the statements of a frame by line, or None to pass over it.

    >>> def f(x):
    ...     x = x + 1
    ...     return x
    >>> statement = Statement(1, 1)
    >>> class Show(Listener):
    ...     def ended(self, step, returned):
    ...         print(step.activation.frame.f_locals, returned)
    >>> of_f = {2: statement, 3: Statement(3, 3)}
    >>> run(lambda: f(1), lambda frame, caller: of_f if frame.f_code is f.__code__ else None, Show())
    {'x': 2} None
    {'x': 2} 2
    2
    """
    previous = sys.gettrace()
    sys.settrace(_Stepper(follow, listener).enter)
    try:
        return call()
    finally:
        sys.settrace(previous)


class _Stepper:
    """The trace functions: `enter` is the thread's, `trace` that of each frame that is followed."""

    def __init__(self, follow: Follow, listener: Listener) -> None:
        self.follow = follow
        self.listener = listener
        self.running: list[Activation] = []

    def enter(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        if event != "call" or frame.f_code.co_flags & SUSPENDABLE:
            return None
        caller = self.running[-1] if self.running else None
        lines = self.follow(frame, caller)
        if lines is None:
            return None
        activation = Activation(frame, lines, caller)
        self.listener.entered(activation)
        self.running.append(activation)
        return self.trace

    def trace(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        activation = self.running[-1]
        if event == "line":
            self._line(activation)
        elif event == "exception":
            activation.raised = True
        elif event == "return":
            self._end(activation, arg)
            if not activation.raised:
                self.listener.left(activation, arg)
            self.running.pop()
        return self.trace

    def _line(self, activation: Activation) -> None:
        frame, step = activation.frame, activation.step
        statement = activation.lines.get(frame.f_lineno)
        if step is not None and step.statement is statement and frame.f_lasti > step.start:
            return                                 # a further line of the statement; one that runs again jumps back
        self._end(activation, None)
        activation.raised = False                  # what was raised was handled
        if statement is not None:
            activation.step = Step(activation, statement, frame.f_lasti)
            self.listener.began(activation.step)

    def _end(self, activation: Activation, returned: Any) -> None:
        step, activation.step = activation.step, None
        if step is not None and not activation.raised:
            self.listener.ended(step, returned)
