"""What `step` gives: a run that can be gone through, forwards and backwards."""
from __future__ import annotations

import types
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, overload

from ..syntax.partners import NONE
from ..syntax.program import Derivation
from .sites import Site, UserLine
from .snapshots import UNBOUND, Parts, Shown, described
from .tracked import Node, path_of

CALL, LINE, RAISED = range(3)
RETURN = "return"                                  # what a call returns stands among its variables by this name
KINDS = ("call", "line", "raised")
HEAD, TAIL = 40, 20                                # lines of a long recording that are written
WIDE = 64                                          # characters of code in a line of text


@dataclass
class Call:
    """One call. site: of its head; at: of the line that calls; begin, end: its first step, and the one after its last;
    nodes: its variables; sweep: that of the line that calls, where the function has none of its own."""

    number: int
    caller: Call | None
    function: str
    site: int
    at: int
    depth: int
    sweep: str
    begin: int
    end: int | None = None
    nodes: dict[str, Node] = field(default_factory=dict)


@dataclass(frozen=True)
class Noted:
    """A NaN, an Inf or an overflow that a step has made."""

    step: int
    kind: str
    name: str
    value: Shown
    inputs: tuple[tuple[str, Shown], ...]


class Columns:
    """What is kept of each step, in columns; left_out: steps that ran and are not among them; full: which limit was
    reached."""

    def __init__(self, sites: list[Site]) -> None:
        self.sites = sites
        self.kinds = bytearray()
        self.call_of = array("i")
        self.site_of = array("i")
        self.changed: list[tuple[Node, ...]] = []
        self.calls: list[Call] = []
        self.noted: list[Noted] = []
        self.left_out = 0
        self.full = ""

    def add(self, kind: int, call: int, site: int, changed: tuple[Node, ...]) -> None:
        """One more step."""
        self.kinds.append(kind)
        self.call_of.append(call)
        self.site_of.append(site)
        self.changed.append(changed)

    def more(self, changed: tuple[Node, ...]) -> None:
        """The last step has changed more."""
        if self.changed and changed:
            self.changed[-1] += changed


@dataclass(frozen=True)
class Change:
    """A value that a step has given to a variable, or to a part of it. name: `h`, `h_saved[2]`."""

    step: int
    name: str
    value: Shown


class Moment:
    """What is so after a step. Mapping from the variables of the function that runs to their values, as they were
    kept."""

    def __init__(self, recording: Recording, step: int) -> None:
        self._recording, self.step = recording, step

    @property
    def _columns(self) -> Columns:
        return self._recording.columns

    @property
    def call(self) -> Call:
        """The call that it is in."""
        return self._columns.calls[self._columns.call_of[self.step]]

    @property
    def site(self) -> Site:
        """The line that has run."""
        return self._columns.sites[self._columns.site_of[self.step]]

    @property
    def kind(self) -> str:
        """`"line"`; `"call"` where a function has been entered; `"raised"` where a line has raised an error."""
        return KINDS[self._columns.kinds[self.step]]

    @property
    def line(self) -> int:
        """The number of the line in its text."""
        return self.site.line

    @property
    def text(self) -> str:
        """The line."""
        return self.site.text

    @property
    def function(self) -> str:
        """The function that it is in."""
        return self.call.function

    @property
    def depth(self) -> int:
        """How many calls around it there are."""
        return self.call.depth

    @property
    def sweep(self) -> str:
        """`"forward"` or `"backward"`; "" where it is not known."""
        return self.site.sweep or self.call.sweep

    @property
    def users(self) -> tuple[UserLine, ...]:
        """The user's lines that the line belongs to."""
        return self.site.users

    @property
    def variables(self) -> dict[str, Shown]:
        """The values of the variables that have one."""
        return self._recording.variables(self.call, self.step)

    @property
    def changed(self) -> tuple[Change, ...]:
        """What the step has changed: variables, and parts of lists and dicts."""
        nodes = dict.fromkeys(self._columns.changed[self.step])
        return tuple(Change(self.step, path_of(node), node.at(self.step)) for node in nodes)

    @property
    def pairs(self) -> dict[str, str]:
        """The variable that holds the cotangent (in forward mode the tangent) of each variable that has one."""
        return self._recording.pairs(self.call)

    def __getitem__(self, name: str) -> Shown:
        value = self.call.nodes[name].at(self.step) if name in self.call.nodes else UNBOUND
        if value is UNBOUND:
            raise KeyError(name)
        return value

    def __repr__(self) -> str:
        return self._recording.line(self.step)


class Recording:
    """A run of a derivative, step by step. result: what it returned; error: what ended it, or None.

    `len` counts the steps, `recording[i]` is what is so after one of them. `print` writes the run as text; a notebook
    shows it with the derivative.
    """

    def __init__(self, function: types.FunctionType, derivation: Derivation, columns: Columns, result: Any,
                 error: Exception | None) -> None:
        self.function, self.derivation, self.columns = function, derivation, columns
        self.filename = function.__code__.co_filename
        self._result, self.error = result, error
        self._pairs: dict[str, dict[str, str]] = {}

    @property
    def result(self) -> Any:
        """What the derivative has returned; the error where it has raised one."""
        if self.error is not None:
            raise self.error
        return self._result

    def __len__(self) -> int:
        return len(self.columns.kinds)

    @overload
    def __getitem__(self, step: int) -> Moment: ...

    @overload
    def __getitem__(self, step: slice) -> list[Moment]: ...

    def __getitem__(self, step: int | slice) -> Moment | list[Moment]:
        if isinstance(step, slice):
            return [Moment(self, one) for one in range(*step.indices(len(self)))]
        if not -len(self) <= step < len(self):
            raise IndexError(f"there are {len(self)} steps, and none is number {step}")
        return Moment(self, step % len(self))

    def __iter__(self) -> Iterator[Moment]:
        return (Moment(self, step) for step in range(len(self)))

    @property
    def calls(self) -> list[Call]:
        """All calls, in the order in which they began."""
        return self.columns.calls

    @property
    def left_out(self) -> int:
        """How many steps ran after the recording was full."""
        return self.columns.left_out

    def variables(self, call: Call, step: int, most: int = 10 ** 9) -> dict[str, Shown]:
        """The values that the variables of a call have after a step. most: parts of a container."""
        found = {name: node.at(step, most) for name, node in call.nodes.items()}
        return {name: value for name, value in found.items() if value is not UNBOUND}

    def pairs(self, call: Call) -> dict[str, str]:
        """The variable that holds the cotangent of each variable of a call."""
        own = self.columns.sites[call.site]
        if not own.generated:
            return {}
        if call.function not in self._pairs:
            bound = dict.fromkeys(name for one in self.calls if one.function == call.function for name in one.nodes)
            self._pairs[call.function] = self.derivation.partners.get(call.function, NONE).pairs(bound)
        return self._pairs[call.function]

    def at_line(self, number: int) -> list[Moment]:
        """The steps at which a line of the derivative's text has run."""
        wanted = {place for place, site in enumerate(self.columns.sites)
                  if site.line == number and site.filename == self.filename}
        return [Moment(self, step) for step, site in enumerate(self.columns.site_of) if site in wanted]

    def changes(self, name: str) -> list[Change]:
        """The values of a variable, in all calls that have one of that name, in the order of the steps.

        A list is there with what it holds after each step. KeyError where no call has such a variable.
        """
        nodes = [call.nodes[name] for call in self.calls if name in call.nodes]
        if not nodes:
            known = ", ".join(dict.fromkeys(one for call in self.calls for one in call.nodes))
            raise KeyError(f"no variable {name!r} was recorded; there are {known}")
        found = {(step, id(node)): node for node in nodes for step in _times(node)}
        return [Change(step, name, node.at(step)) for (step, _), node in sorted(found.items(), key=lambda one: one[0])]

    def flaws(self) -> list[Flaw]:
        """The lines that made a NaN, an Inf or an overflow, in the order in which they ran (the first 50)."""
        return [Flaw(Moment(self, one.step), one.kind, one.name, one.value, one.inputs) for one in self.columns.noted]

    def first_bad(self) -> Flaw | None:
        """The first line that made a NaN or an Inf of something that had none; where there is none the first that
        overflowed within; None where all is well.

        >>> import numpy as np
        >>> import tangent_nb as tnb
        >>> print(tnb.step(tnb.grad(lambda x: np.sqrt(x)), 0.0).first_bad().kind)
        Inf
        """
        found = self.flaws()
        return next((one for one in found if one.value is not UNBOUND), found[0] if found else None)

    def first_vanishing(self, tiny: float = 1e-12) -> Flaw | None:
        """The first line of the backward sweep that made a cotangent of zeros, or of numbers smaller than `tiny`, of
        cotangents that are not so; None where there is none."""
        from .sizes import vanishing
        return vanishing(self, tiny)

    def first_exploding(self, huge: float = 1e12) -> Flaw | None:
        """The first line of the backward sweep that made a cotangent with numbers larger than `huge` of cotangents that
        have none; None where there is none."""
        from .sizes import exploding
        return exploding(self, huge)

    def line(self, step: int) -> str:
        """A step in a line: its number, the line that ran, and what it changed."""
        moment = Moment(self, step)
        indent = "  " * min(moment.depth, 10)
        code = {"call": f"call {moment.text or moment.function}", "raised": f"raised in: {moment.text}"}.get(
            moment.kind, moment.text)
        code = indent + (code if len(code) <= WIDE else code[:WIDE - 1] + "…")
        shown = dict.fromkeys(node.variable for node in self.columns.changed[step])
        changes = "; ".join(f"{node.name} = {_told(node, step)}" if node.owner == moment.call.number
                            else f"{node.name} of {self.calls[node.owner].function} = {_told(node, step)}"
                            for node in shown)
        return f"{step:>{len(str(len(self)))}}  {moment.sweep[:8]:<8}  {code:<{WIDE}}  {changes}".rstrip()

    def __str__(self) -> str:
        steps = range(len(self))
        lines = [self.line(step) for step in steps[:HEAD]]
        if len(self) > HEAD + TAIL:
            lines.append(f"… {len(self) - HEAD - TAIL} more steps …")
        lines += [self.line(step) for step in steps[max(HEAD, len(self) - TAIL):]]
        return "\n".join([self._head(), *lines, *self.notes()])

    def __repr__(self) -> str:
        return str(self)

    def notes(self) -> list[str]:
        """What is said of a recording that is not whole."""
        found = []
        if self.columns.full:
            found.append(f"the first {len(self)} steps are recorded: then the limit of {self.columns.full} was "
                         f"reached, and {self.left_out} more ran")
        if self.error is not None:
            found.append(f"the run ended with {type(self.error).__name__}: {self.error}")
        return found

    def _head(self) -> str:
        backward = next((one.step for one in self if one.sweep == "backward"), None)
        return f"{self.derivation.kind} of {getattr(self.derivation.primal, 'name', '')}: {len(self)} steps" \
            + (f", the backward sweep from step {backward} on" if backward is not None else "")


def _told(node: Node, step: int) -> str:
    """The value of a variable; of a list that has grown or shrunk, what was put on it or taken off."""
    own, children = node.own_at(step), node.children or {}
    if (grown := node.grown(step)) and isinstance(own, Parts):
        item = children.get(own.length - 1 if grown > 0 else own.length)
        if item is not None:
            what = f"got {described(item.at(step))}" if grown > 0 else f"gave {described(item.at(step - 1))}"
            return f"list of {own.length}, {what}"
    return described(node.at(step, 4))


def _times(node: Node) -> Iterator[int]:
    yield from node.times
    for child in (node.children or {}).values():
        yield from _times(child)


@dataclass(frozen=True)
class Flaw:
    """A line whose values are not as they should be. kind: `"NaN"`, `"Inf"`, `"overflow"`, `"vanishing"` or
    `"exploding"`; inputs: what it was made from."""

    moment: Moment
    kind: str
    name: str
    value: Shown
    inputs: tuple[tuple[str, Shown], ...]

    @property
    def step(self) -> int:
        """The number of the step."""
        return self.moment.step

    def __str__(self) -> str:
        moment = self.moment
        lines = [f"{self.name or 'a value'}: {self.kind}" + (f" in the {moment.sweep} sweep" if moment.sweep else "")
                 + f", step {self.step}"]
        if moment.site.generated:
            lines += [f"  generated line {moment.line}:", f"    {moment.text}"]
        for user in moment.users:
            lines += [f"  {'which belongs to ' if moment.site.generated else ''}{user.label}, line {user.line}:",
                      f"    {user.text}"]
        lines += [f"  found: {described(self.value)}"] if self.value is not UNBOUND else []
        width = max((len(name) for name, _ in self.inputs), default=0)
        return "\n".join([*lines, "  made from:", *(f"    {name:<{width}}  {described(value)}"
                                                   for name, value in self.inputs)])

    __repr__ = __str__


