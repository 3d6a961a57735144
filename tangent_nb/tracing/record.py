"""`step`: a run of a derivative, recorded line by line, with what each line has changed."""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from ..api import derivation
from ..errors import TangentError
from .flaws import Inputs, flaws_of
from .origins import Origins
from .reach import Reach, reach
from .recording import CALL, LINE, RAISED, RETURN, Call, Columns, Noted, Recording
from .sites import Sites
from .snapshots import UNBOUND
from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .texts import Texts, make_text
from .tracked import Node, Tracker
from .values import names

STEPS, BYTES = 100_000, 200_000_000
MOST_FLAWS, MOST_LOOKS = 50, 1000
ENTRY = 40                                         # bytes of a step itself, about
FLAGGED = ("warn", "ignore")                       # ways to treat an error in NumPy that stepping may replace


def step(df: Callable[..., Any], *args: Any, steps: int = STEPS, bytes: int = BYTES, **kwargs: Any) -> Recording:
    """Run a derivative once, and record each line that runs: where it is, and what it has changed.

    df: a derivative on NumPy, as `grad` gives it; args, kwargs: its arguments. steps, bytes: at most so many steps, and
    about so many bytes of values, are recorded; the run goes on to its end. What is left out the recording says.

    A variable has changed where it is bound to a new value, and where what it holds is changed in place, by whatever
    name. Arrays of at most 64 elements are kept whole; of larger ones shape, dtype, the range of the finite numbers,
    and how many are NaN or Inf. Lines of the user's own functions that the derivative calls are recorded, too.

    An error that `df` raises ends the recording, which keeps it as `error`. TangentError: `df` is no derivative, is
    compiled, or runs on JAX; a limit is not positive. An argument of `df` that is called `steps` or `bytes` is given by
    its position.

    The execution of a program as a list of states that can be gone through forwards and backwards is that of Python
    Tutor (Guo 2013, Online Python Tutor, section 3).

    >>> import tangent_nb as tnb
    >>> def f(x):
    ...     y = x * x
    ...     return y * x
    >>> recorded = tnb.step(tnb.grad(f), 3.0)
    >>> recorded.result
    27.0
    >>> recorded.changes("bx")[-1].value
    27.0
    """
    known = derivation(df)
    df = inspect.unwrap(df)
    name = df.__name__
    if known.compiled:
        raise TangentError(f"{name} is compiled, and runs no lines that could be followed: step through a derivative "
                           "with compile=None")
    if known.backend != "numpy":
        raise TangentError(f"{name} runs on {known.backend}, whose values are not recorded: step through the "
                           "derivative with backend='numpy'")
    for what, limit in (("steps", steps), ("bytes", bytes)):
        if type(limit) is not int or limit < 1:
            raise TangentError(f"{what}={limit!r} is no limit: give a positive int")
    return record(make_text(known, df, args, kwargs) or df, args, kwargs, steps, bytes)


def record(df: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], steps: int = STEPS,
           bytes: int = BYTES) -> Recording:
    """The recording of a call of a function with a text."""
    df = cast(types.FunctionType, inspect.unwrap(df))
    known = derivation(df)
    origins = Origins(known, df.__code__.co_filename)
    recorder = Recorder(Sites(origins), steps, bytes)
    result, error = None, None
    try:
        with recorder.flags():
            result = run(lambda: df(*args, **kwargs), Texts(origins).follow, recorder)
    except Exception as raised:
        error = raised
    recorder.finish(error)
    return Recording(df, known, recorder.columns, result, error)


@dataclass
class Running:
    """A call that runs. pending: the statement that it is at; entered: calls that this has made so far; ran: the last
    statement that has run, with the floating-point errors in it."""

    activation: Activation
    call: Call
    own: dict[str, None]
    pending: Statement | None = None
    entered: int = 0
    reach: Reach = field(default_factory=Reach)
    ran: tuple[Step, frozenset[str]] | None = None


class Recorder(Listener):
    """Fills the columns of a recording."""

    def __init__(self, sites: Sites, steps: int, bytes: int) -> None:
        self.sites = sites
        self.columns = Columns(sites.known)
        self.steps, self.bytes = steps, bytes
        self.tracker = Tracker()
        self.stack: list[Running] = []
        self.raised: set[str] = set()              # floating-point errors in the step that runs
        self.looks = 0
        self.full = False

    @contextmanager
    def flags(self) -> Iterator[None]:
        """Notice floating-point errors, where the user does not want something else of them; no warnings are shown."""
        mine: Any = {kind: "call" for kind, way in np.geterr().items() if way in FLAGGED and kind != "under"}
        if not mine or np.geterrcall() is not None:
            yield
            return
        with np.errstate(**mine, call=lambda kind, flag: self.raised.add(kind)):
            yield

    def entered(self, activation: Activation) -> None:
        if self._passes():
            return
        self._back_to(activation.caller)
        code = activation.frame.f_code
        caller = self.stack[-1] if self.stack else None
        site = self.sites.number(code, code.co_firstlineno, activation.frame.f_globals)
        sweep = self.sites.known[site].sweep
        if caller is not None:
            caller.entered += 1
            sweep = sweep if self.sites.known[site].generated else self._sweep(caller)
        calling = caller.pending.first if caller is not None and caller.pending is not None else 0
        call = Call(len(self.columns.calls), None if caller is None else caller.call, code.co_name, site,
                    0 if caller is None or not calling else self.sites.number(
                        caller.activation.frame.f_code, calling, caller.activation.frame.f_globals),
                    len(self.stack), sweep, len(self.columns.kinds))
        self.columns.calls.append(call)
        running = Running(activation, call, dict.fromkeys((*code.co_varnames, *code.co_cellvars)))
        self.stack.append(running)
        self._begin()
        self._bind(running)
        self._end(CALL, running, site)

    def began(self, step: Step) -> None:
        if self._passes():
            return
        self._back_to(step.activation)
        running = self.stack[-1]
        if running.pending is not None:            # what it raised was handled
            self._raise(running)
        if self.full:
            return
        running.pending, running.entered = step.statement, 0
        running.reach = reach(step.statement, names(step.activation.frame), running.own)
        self.raised.clear()

    def ended(self, step: Step, returned: Any) -> None:
        if self.full or not self.stack:
            return
        self._back_to(step.activation)
        running = self.stack[-1]
        if running.pending is not step.statement:
            return                                 # it began before there was an error in the middle of it
        self._begin()
        self._bind(running)
        found = running.reach
        if found.anything or found.calls != running.entered or not self.tracker.arrays(found.arrays):
            self._everything()
        else:
            self.tracker.containers(found.containers)
            self.tracker.tails(found.tails)
        frame = step.activation.frame
        running.pending = None
        self._end(LINE, running, self.sites.number(frame.f_code, step.statement.first, frame.f_globals), step)

    def left(self, activation: Activation, returned: Any) -> None:
        if self.full or not self.stack:
            return
        self._back_to(activation)
        running = self.stack.pop()
        self.tracker.step = len(self.columns.kinds) - 1
        self.tracker.changed.clear()
        self.tracker.bind(self._node(running, RETURN), returned)
        self.columns.more(tuple(self.tracker.changed.values()))
        if running.ran is not None:
            self._look(running, *running.ran)
        self._close(running)

    def finish(self, error: Exception | None) -> None:
        """The run has ended."""
        if not self.full:
            while self.stack:
                running = self.stack[-1]
                if error is not None and running.pending is not None:
                    self._raise(running)
                if self.stack:
                    self._close(self.stack.pop())
        for call in self.columns.calls:
            call.end = len(self.columns.kinds) if call.end is None else call.end
        self._release()

    def _passes(self) -> bool:
        self.columns.left_out += self.full
        return self.full

    def _back_to(self, activation: Activation | None) -> None:
        """An error has ended the calls that this one has made."""
        while self.stack and self.stack[-1].activation is not activation:
            self._raise(self.stack[-1])
            if self.full:
                return
            self._close(self.stack.pop())

    def _raise(self, running: Running) -> None:
        code, statement = running.activation.frame.f_code, running.pending
        line = code.co_firstlineno if statement is None else statement.first
        running.pending = None
        self._begin()
        self._everything()
        self._end(RAISED, running, self.sites.number(code, line, running.activation.frame.f_globals))

    def _close(self, running: Running) -> None:
        running.call.end = len(self.columns.kinds)
        self.tracker.release(running.call.nodes.values())

    def _sweep(self, running: Running) -> str:
        frame, statement = running.activation.frame, running.pending
        if statement is None:
            return running.call.sweep
        site = self.sites.known[self.sites.number(frame.f_code, statement.first, frame.f_globals)]
        return site.sweep or running.call.sweep

    def _begin(self) -> None:
        self.tracker.step = len(self.columns.kinds)
        self.tracker.changed.clear()

    def _node(self, running: Running, name: str) -> Node:
        nodes = running.call.nodes
        if name not in nodes:
            nodes[name] = Node(name, running.call.number)
            self.tracker.bytes += 300
        return nodes[name]

    def _bind(self, running: Running) -> None:
        """Take up what the variables of a call are bound to."""
        local, nodes = running.activation.frame.f_locals, running.call.nodes
        for name in running.own:
            value = local.get(name, UNBOUND)
            if value is not UNBOUND:
                node = nodes.get(name)
                if node is None or node.obj is not value:
                    self.tracker.bind(self._node(running, name), value)
            elif name in nodes:
                self.tracker.unbind(nodes[name])

    def _everything(self) -> None:
        """Look at all values of all calls that run."""
        for running in self.stack:
            self._bind(running)
            for node in running.call.nodes.values():
                self.tracker.again(node)

    def _end(self, kind: int, running: Running, site: int, step: Step | None = None) -> None:
        changed = tuple(self.tracker.changed.values())
        number = len(self.columns.kinds)
        self.columns.add(kind, running.call.number, site, changed)
        self.tracker.bytes += ENTRY + 8 * len(changed)
        if step is not None:
            running.ran = step, frozenset(self.raised)
            self._look(running, *running.ran)
        self.raised.clear()
        if number + 1 >= self.steps or self.tracker.bytes > self.bytes:
            self.full = True
            self.columns.full = "steps" if number + 1 >= self.steps else "bytes"
            self._release()

    def _look(self, running: Running, step: Step, raised: Collection[str]) -> None:
        """Note a NaN or an Inf that the last line has made, and an overflow in it."""
        if len(self.columns.noted) < MOST_FLAWS and self.looks < MOST_LOOKS:
            number = self.tracker.step
            inputs = Inputs(step.statement, names(step.activation.frame), running.call.nodes, number)
            found, looked = flaws_of(self.tracker.changed.values(), number, inputs, raised)
            self.looks += looked
            known = {(one.step, one.kind) for one in self.columns.noted}
            self.columns.noted += [Noted(number, *one) for one in found if (number, one[0]) not in known]

    def _release(self) -> None:
        """Hold nothing of the run's any longer."""
        for call in self.columns.calls:
            self.tracker.release(call.nodes.values())
        self.stack.clear()
        self.tracker = Tracker()


