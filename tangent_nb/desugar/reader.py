"""The texts of one derivation, each function once, in the core language.

Needs functions. Promises a `Captured` for each in which only the statements and expressions of docs/language.md's core
are left, as far as they are known; what is left over is for the fence to refuse. Where an object turns out to be used
as a value, the text is written again with the objects of its class left as they are.

    reader = Reader(capture)
    reader.main(capture(f), ("x",))        the text of f
    reader(g)                              the text of a function that it calls
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..analyse.receivers import mark_receivers
from ..analyse.resolve import Scope
from ..errors import Refusal, RefusedError
from ..runtime.alike import Structure
from ..runtime.remembered import OPERATORS
from ..syntax.nodes import name_nodes, parameter_names
from ..syntax.program import Captured
from . import regions
from .scopes import bound, bound_inside, free
from .statements import Desugar
from .structures import Known, bound_once
from .texts import Texts, Unit
from .unbound import asked

EMPTY: Mapping[str, Structure] = {}
MOST = 300             # texts that one def is given: more are made without an end


@dataclass
class Reader(Texts):
    """Gives the text of each function of one derivation in the core language. refusals: of the function that is
    derived, for the fence to report with its own; failed: why others are refused; lost: the names that the refused
    statements bind; uses: why the objects of a class stay objects in the text of a function; made_of: how many texts
    each def was given; relies_on: how arguments have to be made; changes_outside: some text changes what lies outside,
    which functions that are known only when they run may read; changed: the names of what it changes there;
    memory_changed: the names of arrays and containers there that functions change in place; recomputes: what
    `tnb.checkpoint` names becomes functions of its own, else it stays where it is."""

    known: dict[Any, Captured] = field(default_factory=dict)
    failed: dict[Any, RefusedError] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    uses: dict[tuple[Any, type], Refusal] = field(default_factory=dict)
    made_of: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    relies_on: Known = field(default_factory=Known)
    changes_outside: bool = False
    changed: frozenset[str] = frozenset()
    memory_changed: Sequence[tuple[Any, set[str]]] = ()
    recomputes: bool = False

    def __call__(self, fn: Any) -> Captured:
        """The text of a function in the core language."""
        if fn in self.failed:
            raise self.failed[fn].with_traceback(None)
        if fn not in self.known:
            try:
                self.known[fn] = self.desugared(self.unit(fn))
            except RefusedError as error:
                self.failed[fn] = error
                raise
        if fn in self.caching and not self.known[fn].caches:
            self.known[fn] = replace(self.known[fn], caches=True)
        return self.known[fn]

    def as_run(self, fn: Any) -> Captured:
        """The same as it runs where it is called as it is: facts are asked of that. What makes derivatives is not read:
        it changes nothing of the user's, and what it gives is asked when it runs."""
        if isinstance(fn, Hashable) and fn in OPERATORS:
            raise RefusedError(fn.__name__, [])
        return self(fn) if not isinstance(self.whole, Reader) or fn in self.made else self.whole(fn)

    def main(self, captured: Captured, wrt: tuple[str, ...], structures: Mapping[str, Structure] = EMPTY) -> Captured:
        """The same for the function that is derived, of which it is known what is differentiated.
        structures: how arguments are made."""
        one, done = self._desugar(self.unit_of(captured, wrt), wrt, structures)
        self.relies_on = one.structures
        self.refusals.extend(one.refusals)
        self.lost.update(one.lost)
        return done

    def desugared(self, unit: Unit) -> Captured:
        """A text in the core language; RefusedError with all places where that is not known."""
        one, done = self._desugar(unit, None)
        if one.refusals:
            raise RefusedError(unit.captured.name, one.refusals)
        return done

    def _desugar(self, unit: Unit, wrt: tuple[str, ...] | None,
                 structures: Mapping[str, Structure] = EMPTY) -> tuple[Desugar, Captured]:
        """The text, the objects of classes that are used as values left as they are."""
        tree = unit.captured.tree
        if hasattr(tree, "lineno"):
            written = unit.captured.source.filename, tree.lineno, tree.col_offset
            self.made_of[written] += 1
            if self.made_of[written] > MOST:
                raise RecursionError
        kept: frozenset[Any] = frozenset()
        while True:                                        # a class more stays whole each time
            one, self.sharing = Desugar(self, unit, wrt, kept), 0
            once = bound_once(tree) if structures else set()
            one.structures.names.update((name, (made, (name,))) for name, made in structures.items() if name in once)
            done = one.run()
            if one.escape is None:
                break
            kept |= {one.escape.kind}
            if isinstance(one.escape.kind, type):
                self.uses[unit.captured.fn, one.escape.kind] = one.escape.refusals[0]
        self._check_kept(unit, one, done)
        mark_receivers(done.tree.body, parameter_names(done.tree), Scope.of(done))
        done = asked(done, one.unsure_inside) if one.doubtful else done
        return one, done if one.refusals else regions.apart(done, self, one.refusals)

    def _check_kept(self, unit: Unit, one: Desugar, done: Captured) -> None:
        """A local name that nothing binds any more would be read outside of the function."""
        known, tree, read = one.functions.keys() | one.cells.keys() | one.lost, unit.captured.tree, free(done.tree)
        lost = read & bound(tree)
        if inside := (read & bound_inside(tree)) - free(tree) - lost:          # or one of a comprehension
            there = {_place(node) for node in name_nodes(tree)}
            lost |= {node.id for node in name_nodes(done.tree) if node.id in inside and _place(node) in there}
        if not one.refusals and (left := sorted(lost - known)):
            one.refusals.append(Refusal(unit.captured.tree.origin.span,
                                        f"the variable {left[0]} is left out where it is read",
                                        f"another name for it in {unit.captured.name}"))


def _place(node: Any) -> tuple[Any, ...]:
    return node.id, getattr(node, "lineno", None), getattr(node, "col_offset", None)
