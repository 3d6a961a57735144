"""The texts of one derivation, each function once, in the core language.

Needs functions. Promises a `Captured` for each in which only the statements and expressions of docs/language.md's core are left, as far
as they are known; what is left over is for the fence to refuse. Functions that are made here (nested ones that are lifted out, and those
specialized for the functions that they are given) have no text of their own: they are known here alone.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import Refusal, RefusedError
from ..syntax.program import Captured
from .values import FunctionValue

if TYPE_CHECKING:
    from .statements import Desugar


@dataclass(frozen=True)
class Unit:
    """A text before it is desugared, with the names in it that are functions for certain."""

    captured: Captured
    functions: Mapping[str, FunctionValue] = field(default_factory=dict)


@dataclass
class Reader:
    """Gives the text of each function of one derivation. capture: finds the text of a function of the user; refusals: of the function that
    is derived, for the fence to report with its own; lost: the names that the refused statements bind; uses: why the objects of a class stay
    objects in the text of a function."""

    capture: Callable[[Any], Captured]
    made: dict[Any, Unit] = field(default_factory=dict)
    known: dict[Any, Captured] = field(default_factory=dict)
    specialized: dict[Any, Any] = field(default_factory=dict)
    counts: dict[Any, int] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    uses: dict[tuple[Any, type], Refusal] = field(default_factory=dict)

    def __call__(self, fn: Any) -> Captured:
        """The text of a function in the core language."""
        if fn not in self.known:
            self.known[fn] = self.desugared(self.unit(fn))
        return self.known[fn]

    def main(self, captured: Captured, wrt: tuple[str, ...]) -> Captured:
        """The same for the function that is derived, of which it is known what is differentiated."""
        one, done = self._desugar(Unit(captured), wrt)
        self.refusals.extend(one.refusals)
        self.lost.update(one.lost)
        return done

    def unit(self, fn: Any) -> Unit:
        """The text of a function as it was written."""
        return self.made[fn] if fn in self.made else Unit(self.capture(fn))

    def make(self, captured: Captured, functions: Mapping[str, FunctionValue]) -> types.FunctionType:
        """A function that stands for a text of ours."""
        fn = types.FunctionType(_stub.__code__.replace(co_name=captured.name), captured.namespace.globals, captured.name)
        self.made[fn] = Unit(replace(captured, fn=fn), functions)
        return fn

    def desugared(self, unit: Unit) -> Captured:
        """A text in the core language; RefusedError with all places where that is not known."""
        one, done = self._desugar(unit, None)
        if one.refusals:
            raise RefusedError(unit.captured.name, one.refusals)
        return done

    def _desugar(self, unit: Unit, wrt: tuple[str, ...] | None) -> tuple[Desugar, Captured]:
        """The text, the objects of classes that are used as values left as they are."""
        from .objects import EscapeError
        from .statements import Desugar
        kept: frozenset[type] = frozenset()
        while True:
            one = Desugar(self, unit, wrt, kept)
            try:
                return one, one.run()
            except EscapeError as error:
                if error.kind is None or error.kind in kept:
                    raise
                kept |= {error.kind}
                self.uses[unit.captured.fn, error.kind] = error.refusals[0]


def _stub(*args: Any, **keywords: Any) -> Any:
    raise AssertionError("a function of a derivation stands in its text")
