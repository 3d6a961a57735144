"""What is shown of one derivative, whatever draws it: a page (`page`), plain text (`text`)."""
from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..emit import derivation_at
from ..syntax.program import Derivation
from .lines import Guilty, Section, panes


@dataclass(frozen=True)
class Table:
    """Rows of cells under a row of heads. marks: for each row True (fine), False (not), None (neither)."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marks: tuple[bool | None, ...] = ()

    def mark(self, row: int) -> bool | None:
        """The mark of a row."""
        return self.marks[row] if row < len(self.marks) else None


@dataclass(frozen=True)
class View:
    """A derivative to be shown, or (without a derivation) what was found about one. name: the derivative's; facts: what
    it is, label and value; notes: sentences; problem: what its call refused, where it was called, or what is wrong with
    it; checked: whether it stood the check, None where there was none; guilty: the line that made a NaN or an Inf, or
    that raised."""

    name: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""
    checked: bool | None = None
    guilty: Guilty | None = None
    derivation: Derivation | None = None

    @cached_property
    def _panes(self) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
        return ((), ()) if self.derivation is None else panes(self.derivation, self.guilty)

    @property
    def left(self) -> tuple[Section, ...]:
        """The user's text, where it is drawn without a script."""
        return self._panes[0]

    @property
    def right(self) -> tuple[Section, ...]:
        """The derivative's text, where it is drawn without a script."""
        return self._panes[1]


@dataclass(frozen=True)
class Message:
    """A refusal to be shown in place of a derivative."""

    text: str
    notes: tuple[str, ...] = ()


KINDS = {"grad": "gradient of", "value_and_grad": "value and gradient of", "jvp": "tangent of", "vjp": "pullback of",
         "forward": "forward sweep of", "backward": "backward sweep of"}


def view(name: str, derivation: Derivation, *, every_pass: bool, tables: Sequence[Table] = (),
         notes: Sequence[str] = (), problem: str = "", checked: bool | None = None,
         guilty: Guilty | None = None) -> View:
    """The view of a derived function. every_pass: no pass was left out."""
    passes = "all" if every_pass else ", ".join(derivation.passes) or "none"
    facts = ((KINDS.get(derivation.kind, "derivative of"), derivation.primal.name),
             ("with respect to", ", ".join(derivation.wrt)),
             ("mode", derivation.mode),
             *([("on", "JAX")] if derivation.backend == "jax" else []),
             ("passes", passes))
    return View(name, facts, tuple(tables), tuple(notes), problem, checked, guilty, derivation)


def failed(shown: View, derivation: Derivation, error: Exception) -> View:
    """The view of a derivative whose call raised: the line that did is marked, if it is one of its text."""
    lines = [number for frame, number in traceback.walk_tb(error.__traceback__)
             if (known := derivation_at(frame.f_code)) is not None and known.emitted is derivation.emitted]
    guilty = Guilty(lines[-1], type(error).__name__) if lines else None
    return replace(shown, guilty=guilty, problem=f"{type(error).__name__}: {error}")
