"""A run of a derivative, in which it is measured what is kept when the backward sweep takes over, and the peak.

Needs the plans of a text. Promises of the moment at which the derivative keeps most what each line has kept; of the
whole run the most that was allocated at once, by tracemalloc, where that was, and how much of it were values that are
kept. The memory that measuring takes is left out.
"""
from __future__ import annotations

import gc
import sys
import tracemalloc
import types
import weakref
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .kinds import kind_of_save, parts_of, whole_of
from .memory import Leaf, held_in, leaf_of, leaves_of, outside_of
from .plan import Plan, Push


class Key(NamedTuple):
    """What becomes one row: the function, the variable, the line that saves, the one that made the value, the kind."""

    function: str
    name: str
    saved: int
    made: int
    kind: str


@dataclass
class Row:
    """values: how many were saved; bytes: of memory that no other row has; each: the bytes of the values; forms: how
    many of a dtype and shape; held: who else holds the memory; shared: whose row has it; whole: bytes if exact."""

    values: int = 0
    bytes: int = 0
    each: dict[int, int] = field(default_factory=dict)
    forms: dict[tuple[str, tuple[int, ...]], int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    shared: dict[Key, int] = field(default_factory=dict)
    whole: int = 0


class Saved(NamedTuple):
    """A number or an array that is kept. birth: the step that has kept it; whole: bytes that would be kept exactly."""

    key: Key
    leaf: Leaf
    birth: int
    whole: int = 0


@dataclass
class Found:
    """What a run has shown. rows: at the moment at which most is kept; alive: all that the run had allocated then;
    peak, peak_kept: the most at once, and what of it is kept; peak_at: the function and line of that; steps: lines that
    ran; function: whose backward sweep was reached; outer: it is the derivative itself."""

    rows: dict[Key, Row] = field(default_factory=dict)
    bytes: int = -1
    alive: int = 0
    peak: int = 0
    peak_kept: int = 0
    peak_function: str = ""
    peak_line: int = 0
    function: str = ""
    outer: bool = False


class Log:
    """What was put on a list: by place the line, the one that made the value, the step."""

    def __init__(self) -> None:
        self.lines, self.made, self.steps = array("i"), array("i"), array("q")

    def put(self, place: int, line: int, made: int, step: int) -> int:
        """A value stands at a place now, and nothing behind it. How many bytes more that takes here."""
        size = self.steps.__sizeof__()
        for column in (self.lines, self.made, self.steps) if len(self.lines) != place else ():
            del column[place:]
        self.lines.append(line)
        self.made.append(made)
        self.steps.append(step)
        return 2 * (self.steps.__sizeof__() - size)        # the other two are half as wide


@dataclass
class Running:
    """A call. line: where it is; ran: when the lines that bind what may be kept ran last; outer: it is the one that was
    measured; read: its variables, as they were read last: until Python 3.13 a dict that would keep them alive."""

    plan: Plan
    outer: bool
    line: int
    ran: dict[int, int] = field(default_factory=dict)
    read: Any = None

    def variables(self, frame: types.FrameType) -> Mapping[str, Any]:
        """The variables now."""
        self.read = frame.f_locals
        return self.read                                   # type: ignore[no-any-return]

    def forget(self) -> None:
        """Let go of what was read: not in the call of a trace function that has read it, which would write that
        back."""
        read, self.read = self.read, None
        if type(read) is dict:
            read.clear()


class Meter:
    """Measures. plans: of the functions of the text, which is in a file; given: the arguments by name; noted: code of
    which it is noted that it ran. Time is counted in lines that bind or save something."""

    def __init__(self, plans: Mapping[str, Plan], filename: str, given: Mapping[str, Any],
                 noted: types.CodeType) -> None:
        self.plans, self.filename, self.noted, self.found = plans, filename, noted, Found()
        self.held = held_in(given, "argument")
        self.seen: set[types.CodeType] = set()
        self.depth = self.time = 0
        self.met = False                                   # what is noted has run
        self.logs: dict[tuple[str, str, int], Log] = {}
        self.births, self.sizes = array("q"), array("q")
        self.watched: list[Any] = []
        self.kept = 0                                      # bytes of what is kept and is there still
        self.turned = self.risen = -1                      # when most was kept, and when the peak was
        self.lengths: tuple[int, ...] | None = None
        self.base = self.now = self.spare = 0              # what was there before, and what is ours
        self.top = 0                                       # the peak, with that

    # ------------------------------------------------------------------ the run
    def run(self, call: Callable[[], Any]) -> Found:
        """What a call shows. The trace function that was set before is set again."""
        counting, previous = tracemalloc.is_tracing(), sys.gettrace()
        gc.collect()
        if not counting:
            tracemalloc.start()
        self._end(self._begin())
        self.spare, self.base = self.base, tracemalloc.get_traced_memory()[0]
        self.top = self.base
        try:
            sys.settrace(self._enter)
            call()
        finally:
            sys.settrace(previous)
            if not counting:
                tracemalloc.stop()
            self.watched.clear()
            self.logs.clear()
        self.found.peak = self.top - self.base
        if 0 <= self.risen <= self.turned:                 # before the backward sweep: what was kept by then
            self.found.peak_kept = sum(size for birth, size in zip(self.births, self.sizes) if birth <= self.risen)
        return self.found

    def _enter(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self.filename or event != "call":
            self.met |= code is self.noted
            return None
        plan = self.plans.get(code.co_name)
        if plan is None or plan.first != code.co_firstlineno:
            return None
        before = self._begin()
        if code not in self.seen:
            self.seen.add(code)
            for memory, owner in held_in(outside_of(frame), "outside:").items():
                self.held.setdefault(memory, owner)
        running = Running(plan, not self.depth, plan.first, {plan.first: self.time})
        running.read = frame.f_locals if code.co_freevars else None
        trace = self._tracer(running)
        self.depth += 1
        self._end(before)
        return trace

    def _tracer(self, running: Running) -> Callable[[types.FrameType, str, Any], Any]:
        """The trace function of a call: for most lines it does nearly nothing."""
        measure, plan = tracemalloc.get_traced_memory, running.plan
        noted, starts = plan.noted, plan.starts

        def trace(frame: types.FrameType, event: str, arg: Any) -> Any:
            if running.read is not None:
                running.forget()
            if event == "line":
                if (peak := measure()[1]) > self.top:
                    self._rises(running, peak)
                line, last = frame.f_lineno, running.line
                if line in starts:
                    line = starts[line]
                if line != last and (last in noted or line in noted):
                    self._between(running, frame, last, line)
                running.line = line
            elif event == "return":
                if (peak := measure()[1]) > self.top:
                    self._rises(running, peak)
                self.depth -= 1
                if running.outer and plan.residuals is not None:
                    before = self._begin()
                    self._returned(running, frame.f_locals, arg)
                    self._end(before)
            return trace

        return trace

    def _between(self, running: Running, frame: types.FrameType, last: int, line: int) -> None:
        """A line has run, another one is about to."""
        plan = running.plan
        if last in plan.binding:
            self.time += 1
            running.ran[last] = self.time
        elif last in plan.pushes:
            self._pushed(running, plan.pushes[last], running.variables(frame))
        if line in plan.turns and not plan.is_backward(last):
            before = self._begin()
            self._turn(running, running.variables(frame), plan.turns[line])
            self._end(before)

    def _rises(self, running: Running, peak: int) -> None:
        self.top, self.risen, self.found.peak_kept = peak, self.time, self.kept
        self.found.peak_function, self.found.peak_line = running.plan.name, running.line

    def _begin(self) -> int:
        """What is allocated from here on is none of the run's."""
        before = tracemalloc.get_traced_memory()[0]
        self.now = before - self.base
        return before

    def _end(self, before: int) -> None:
        self._ours(tracemalloc.get_traced_memory()[0] - before - self.spare)       # of which `before` itself is a part
        tracemalloc.reset_peak()

    def _ours(self, size: int) -> None:
        self.base += size
        self.top += size

    def _pushed(self, running: Running, push: Push, local: Mapping[str, Any]) -> None:
        stack = local.get(push.list)
        if type(stack) is list:
            self.time += 1
            key = running.plan.name, push.list, id(stack)
            log = self.logs.get(key)
            if log is None:
                before = self._begin()
                log = self.logs[key] = Log()
                self._end(before)
            made = push.line if push.part else self._made(running, push.value)
            if grown := log.put(len(stack) - 1, push.line, made, self.time):
                self._ours(grown)

    def _made(self, running: Running, name: str) -> int:
        """The line that has bound a name last."""
        lines = running.plan.binds.get(name, ())
        if len(lines) < 2:
            return lines[0] if lines else 0
        return max(lines, key=lambda line: running.ran.get(line, -1))

    # ------------------------------------------------------------------ what is kept
    def _turn(self, running: Running, local: Mapping[str, Any], names: frozenset[str]) -> None:
        there = {name: local[name] for name in sorted(names) if name in local}
        lengths = tuple(len(value) for value in there.values() if type(value) is list)
        if lengths and lengths == self.lengths:            # a loop in which both sweeps run: as it was before
            return
        self.lengths = lengths
        self._take(running, list(self._kept(running, there)))

    def _returned(self, running: Running, local: Mapping[str, Any], returned: Any) -> None:
        """Of split motion: what the first half gives to the second."""
        parts = returned[1] if type(returned) is tuple and len(returned) == 2 else ()
        names = running.plan.residuals or ()
        if type(parts) is tuple and len(parts) == len(names):
            self._take(running, list(self._kept(running, dict(zip(names, parts)), local)))

    def _kept(self, running: Running, there: Mapping[str, Any], local: Mapping[str, Any] | None = None
              ) -> Iterator[Saved]:
        """All numbers and arrays that some names hold. local: what the names were, where these are copies of it."""
        for name, value in there.items():
            made = self._made(running, name)
            birth = running.ran.get(made, 0)
            yield from self._of_name(running.plan, name, value, made, birth, (local or there).get(name))

    def _of_name(self, first: Plan, name: str, value: Any, made: int, birth: int, original: Any) -> Iterator[Saved]:
        """What a name holds: the parts of residuals by their names, of a list each value by the line that has put it
        there. original: the list of which this is perhaps a copy."""
        todo = [(first, name, value, made, birth, original)]
        while todo:
            plan, name, value, line, birth, original = todo.pop()
            callee = self.plans.get(plan.callees.get(name, ""))
            if callee is not None and type(value) is tuple and len(value) == len(callee.residuals or ()):
                todo += reversed(list(_parts(callee, value, line, birth)))
            elif type(value) is list and (pushed := [one for one in plan.pushes.values() if one.list == name]):
                log = self.logs.get((plan.name, name, id(original)))
                if log is None or len(log.lines) != len(value):
                    log = _unlogged(plan, pushed, birth, len(value))
                keys: dict[tuple[int, int, str], Key] = {}
                for one, at, by, when in zip(value, log.lines, log.made, log.steps):
                    push = plan.pushes[at]
                    if push.ours and push.value in plan.callees:
                        todo.append((plan, push.value, one, by, when, one))
                        continue
                    kind = kind_of_save(one, push.call)
                    key = keys.get((at, by, kind))
                    if key is None:
                        key = keys[at, by, kind] = Key(plan.name, push.value if push.ours else name, at, by, kind)
                    leaf = leaf_of(one)
                    if leaf is not None:
                        yield Saved(key, leaf, when)
                    else:
                        yield from _saved(key, one, when)
            else:
                key = Key(plan.name, name, line, line, kind_of_save(value, plan.called.get(line, "")))
                yield from _saved(key, value, birth)

    def _take(self, running: Running, saved: list[Saved]) -> None:
        """Keep what is kept now, if that is the most until now; before all what the function itself keeps, since within
        its backward sweep others may have both of theirs, of what is computed again."""
        counts: list[Saved] = []
        owners: dict[int, Key] = {}
        for one in sorted(saved, key=lambda one: not one.leaf.whole):
            if one.leaf.owner is not None and one.leaf.memory not in self.held:
                owners.setdefault(one.leaf.memory, one.key)
        rows, counted, total = dict[Key, Row](), set[int](), 0
        for one in saved:
            key, leaf = one.key, one.leaf
            row = rows.setdefault(key, Row())
            row.values += 1
            form = leaf.dtype, leaf.shape
            row.forms[form] = row.forms.get(form, 0) + 1
            size = self._size(row, key, leaf, owners, counted)
            row.each[size] = row.each.get(size, 0) + 1
            row.bytes += size
            row.whole += one.whole
            total += size
            if size:
                counts.append(one)
        if (running.outer, total) < (self.found.outer, self.found.bytes):
            return
        self.found.outer, self.found.rows, self.found.bytes = running.outer, rows, total
        self.found.alive, self.found.function = self.now, running.plan.name
        self.turned = self.time
        self._watch(counts)

    def _size(self, row: Row, key: Key, leaf: Leaf, owners: Mapping[int, Key], counted: set[int]) -> int:
        """The bytes that a value adds: none where the memory is another's, or was counted."""
        if leaf.owner is None:
            plan = self.plans[key.function]
            if key.name in plan.parameters and plan.roles.get(key.made) in ("signature", "guard"):
                row.held[f"argument {key.name}"] = row.held.get(f"argument {key.name}", 0) + 1
                return 0
            return leaf.bytes
        if leaf.memory in self.held:
            says = self.held[leaf.memory][1]
            row.held[says] = row.held.get(says, 0) + 1
            return 0
        if owners[leaf.memory] != key or leaf.memory in counted:
            owner = owners[leaf.memory]
            row.shared[owner] = row.shared.get(owner, 0) + 1
            return 0
        counted.add(leaf.memory)
        return leaf.bytes

    def _watch(self, counts: list[Saved]) -> None:
        """Know from now on what of it is there still."""
        self.watched, self.kept = [], 0
        self.births, self.sizes = array("q"), array("q")
        for _, leaf, birth, _ in counts:
            self.births.append(birth)
            self.sizes.append(leaf.bytes)
            self.kept += leaf.bytes
            if leaf.owner is not None:
                self.watched.append(weakref.ref(leaf.owner, self._gone(leaf.bytes)))

    def _gone(self, size: int) -> Callable[[Any], None]:
        def gone(_: Any) -> None:
            self.kept -= size
        return gone


def _saved(key: Key, value: Any, birth: int) -> Iterator[Saved]:
    """The leaves of a value; the first one has what the whole of it would take."""
    for place, leaf in enumerate(leaves_of(parts_of(value, key.kind))):
        yield Saved(key, leaf, birth, 0 if place else whole_of(value, key.kind))


def _parts(callee: Plan, value: tuple[Any, ...], line: int, birth: int) -> Iterator[tuple[Any, ...]]:
    """The residuals of a call, by name. line: that of the call, or that keeps them."""
    for name, one in zip(callee.residuals or (), value):
        at = callee.binds.get(name, [callee.first])[-1]
        yield callee, name, one, line if at == callee.first else at, birth, one      # a parameter: the call gives it


def _unlogged(plan: Plan, pushed: Sequence[Push], birth: int, count: int) -> Log:
    """What is known without a log: the copy of a list."""
    push, log = pushed[0], Log()
    made = push.line if push.part else plan.binds.get(push.value, [push.line])[-1]
    for place in range(count):
        log.put(place, push.line, made, birth)
    return log
