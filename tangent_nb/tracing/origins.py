"""Where a line of generated code stands, and the user's line that it belongs to: what the error of `watch` says."""
from __future__ import annotations

import linecache
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from ..capture.find import label
from ..syntax.program import Derivation, Emitted, Origin
from .finite import Found, found, summary
from .stepper import Activation, Step
from .trips import counted, loops_around
from .values import Operand

BACKWARD = ("backward", "inserted")
MOST_TRIPS = 4                 # that are told, of a recursion


@dataclass(frozen=True)
class Where:
    """A place in the text of a derivative. helper: the line of the user's own function that runs there, where one does;
    users: the user's line that the generated one belongs to; both with file, number and text, and empty where there is
    none. trips: of each loop around that counts, also around the calls that have led there, the innermost first, what
    its targets are, and its line."""

    sweep: str
    filename: str
    line: int
    text: str
    users: tuple[str, ...] = ()
    helper: tuple[str, ...] = ()
    trips: tuple[tuple[str, ...], ...] = ()


class Origins:
    """The source maps of the texts of a derivative; of a derivative of a derivative down to what the user wrote."""

    def __init__(self, derivation: Derivation, filename: str) -> None:
        self.derivation = derivation
        self.texts = {filename: derivation.emitted}
        self.inner: dict[str, Emitted] = {}
        known: Derivation | None = derivation
        while known is not None and known.primal is not None:
            primal = known.primal
            known = getattr(primal.fn, "__tangent_nb__", None)
            if known is not None:
                self.inner[primal.source.filename] = known.emitted

    def text(self, filename: str) -> Emitted | None:
        """The text of the derivative that is in a file: that for all arguments, or one that is made for some; None
        where there is none."""
        for versions in (self.derivation.beside, self.derivation.later) if filename not in self.texts else ():
            for function in [one.function for one in getattr(versions, "made", ()) if one.function is not None]:
                self.texts[function.__code__.co_filename] = function.__tangent_nb__.emitted
        return self.texts.get(filename)

    def place(self, step: Step) -> Where:
        """Where a step is; of one in a function of the user's, where that is called."""
        helper: tuple[str, ...] = ()
        one: Activation | None = step.activation
        number = step.statement.first
        if one is not None and self.text(one.frame.f_code.co_filename) is None:
            filename = one.frame.f_code.co_filename
            helper = (label(filename), str(number), linecache.getline(filename, number, one.frame.f_globals).strip())
        while one is not None and self.text(one.frame.f_code.co_filename) is None:
            one = one.caller
            number = one.step.statement.first if one is not None and one.step is not None else 0
        filename = "" if one is None else one.frame.f_code.co_filename
        emitted = self.text(filename) or self.derivation.emitted
        text = emitted.text.split("\n")[number - 1].strip() if number else ""
        return Where(_sweep(emitted, number), filename, number, text, self._users(emitted, number), helper,
                     tuple(islice(self._trips(one, number), MOST_TRIPS)))

    def _trips(self, one: Activation | None, number: int) -> Iterator[tuple[str, ...]]:
        while one is not None:
            emitted = self.text(one.frame.f_code.co_filename)
            for loop in loops_around(emitted.text, number) if emitted is not None else ():
                if known := counted(loop, one.frame.f_locals):
                    yield known, *self._users(emitted or self.derivation.emitted, loop.lineno)
            one = one.caller
            number = one.step.statement.first if one is not None and one.step is not None else 0

    def _users(self, emitted: Emitted, number: int) -> tuple[str, ...]:
        origin = next(iter(self._written(emitted, number)), None)
        if origin is None:
            return ()
        return origin.span.source.label, str(origin.span.line), origin.text

    def users(self, filename: str, number: int) -> tuple[Origin, ...]:
        """All places in what the user wrote that a generated line belongs to."""
        emitted = self.text(filename)
        return () if emitted is None else self._written(emitted, number)

    def sweep(self, filename: str, number: int) -> str:
        """The sweep that a generated line belongs to."""
        emitted = self.text(filename)
        return "" if emitted is None else _sweep(emitted, number)

    def _written(self, emitted: Emitted, number: int) -> tuple[Origin, ...]:
        """The user's places of a line; those of a derivative of a derivative through the texts between."""
        found: dict[Origin, None] = {}
        for origin in emitted.lines[number - 1].origins if 0 < number <= len(emitted.lines) else ():
            inner = self.inner.get(origin.span.source.filename) if origin is not None else None
            found.update(dict.fromkeys(self._written(inner, origin.span.line)) if inner is not None
                         else {origin: None} if origin is not None else {})
        return tuple(found)


def _sweep(emitted: Emitted, number: int) -> str:
    """The sweep that a line belongs to; a line without a role of its own goes on with that above it. Empty where
    nothing is known of the lines, as after pickling."""
    if not emitted.lines:
        return ""
    roles = [line.role for line in emitted.lines[:number]]
    while roles and roles[-1] not in ("forward", "tangent", "signature", *BACKWARD):
        roles.pop()
    return "backward" if roles and roles[-1] in BACKWARD else "forward"


def message(where: Where, bad: Found, name: str, inputs: Sequence[Operand], elementwise: bool) -> str:
    """What NonFiniteError says."""
    kind = "NaN" if np.isnan(np.asarray(bad.value)[bad.index]) else "Inf"
    lines = [f"{name} became {kind}" + (f" in the {where.sweep} sweep" if where.sweep else "")]
    if where.helper:
        source, number, text = where.helper
        lines += [f"  your function, {source}, line {number}:", f"    {text}"]
    if where.text:
        lines += [(f"  {'called from ' if where.helper else ''}generated line {where.line} "
                   f"({os.path.basename(where.filename)}):"), f"    {where.text}"]
    if where.users:
        source, number, text = where.users
        lines += [f"  which belongs to {source}, line {number}:", f"    {text}"]
    for known, *user in where.trips:
        lines += [f"  in the trip with {known}" + (f" of {user[0]}, line {user[1]}:" if user else "")]
        lines += [f"    {user[2]}"] if user else []
    lines += [f"  found: {bad.text()}", "  made from:"]
    shown = {one.text: summary(one.value, bad.index, np.shape(bad.value), elementwise)
             for one in inputs if _is_shown(one)}
    width = max(map(len, shown), default=0)
    lines += [f"    {text:<{width}}  {value}" for text, value in shown.items()] or ["    nothing that has a name"]
    return "\n".join(lines)


def _is_shown(operand: Operand) -> bool:
    """What has a name and is a number or holds numbers; what is not finite, in any case."""
    if not operand.text[:1].isidentifier():
        return found(operand.value) is not None
    return isinstance(operand.value, (int, float, complex, np.ndarray, np.generic, list, tuple, dict))
