"""Which loops may not both have their trips drawn: where the draws of one go in the backward sweeps of all functions.

Needs the sweeps of all functions of a derivative, and the loops of which trips may be drawn. Promises the pairs of
loops whose draws would meet on a way, a loop with itself where those of one run would meet those of another; and the
loops whose draws come to what is not known to be linear. Names are followed in the order of the statements. What is
drawn in a function that is called comes out of each of its calls; what it is given comes from all of them.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..syntax.blocks import blocks, is_compound, own_expressions, own_targets
from ..syntax.nodes import reads, walk
from .chains import INSERTED, UNKNOWN, expression_is_linear, statement_is_linear
from .sweeps import Sweeps
from .trip_parts import Parts, changed, plain

GIVEN = -1                                                 # what has come with the cotangent that a function is given
Drawn = frozenset[int]                                     # the loops whose draws a value depends on, by number
Known = dict[str, Drawn]
NONE: Drawn = frozenset()


class Meeting:
    """parts: of each loop that may be drawn, by the id of the reversed one: its number, and what it adds up. met: pairs
    of numbers; failed: why not, by number."""

    def __init__(self, texts: Sequence[Sweeps], loops: Mapping[int, tuple[int, Parts]]) -> None:
        self.texts, self.loops = texts, loops
        self.units = {id(unit): (number, its.sums) for number, its in loops.values() for unit in its.units}
        self.callees = {text.back: i for i, text in enumerate(texts) if text.halves}
        self.entered: list[Drawn] = [NONE for _ in texts]  # what comes with the cotangents that each is given
        self.returned: list[list[Drawn]] = [[] for _ in texts]
        self.met: set[tuple[int, int]] = set()
        self.failed: dict[int, str] = {}
        self.around: tuple[int, ...] = ()                  # the loops of whose drawn trips the statements here are
        self.sums: set[str] = set()                        # what these add to
        before: Any = None
        while before != (now := ([*self.entered], [[*one] for one in self.returned], len(self.met), {*self.failed})):
            before = now
            for self.i, text in enumerate(texts):
                self.scope, self.around, self.sums = text.scope, (), set[str]()
                self._block(text.backward, dict.fromkeys(text.seeds, frozenset([GIVEN])), text.taken)

    def _whole(self, drawn: Drawn) -> Drawn:
        """With what comes from where a function is called."""
        return (drawn - {GIVEN}) | self.entered[self.i] if GIVEN in drawn else drawn

    def _meet(self, drawn: Drawn) -> None:
        self.met |= {(one, other) for one in self.around for other in self._whole(drawn)}

    def _fail(self, drawn: Drawn, why: str) -> None:
        for one in self._whole(drawn):
            self.failed.setdefault(one, why)

    # ------------------------------------------------------------------ statements with blocks
    def _block(self, block: Sequence[Any], known: Known, left_out: Any = None) -> None:
        outside = self.around, self.sums
        for stmt in block:
            if id(stmt) in self.units:
                number, sums = self.units[id(stmt)]
                self.around, self.sums = (*outside[0], number), outside[1] | sums
            if stmt is not left_out:
                self._compound(stmt, known) if is_compound(stmt) else self._simple(stmt, known)
            self.around, self.sums = outside

    def _compound(self, stmt: Any, known: Known) -> None:
        read = _of(known, reads(own_expressions(stmt)))
        self._fail(read, UNKNOWN)
        self._meet(read)
        loop = self.loops.get(id(stmt))
        drawn = frozenset([loop[0]]) if loop is not None else NONE
        self._meet(drawn)
        added = dict.fromkeys(loop[1].sums, drawn) if loop is not None else {}
        if isinstance(stmt, gast.If):
            _join(known, self._ends(stmt, known, added), replace=True)
            return
        before: Known = {}
        while before != known:                             # none of the blocks may run, each may run again
            before = dict(known)
            _join(known, self._ends(stmt, known, added))

    def _ends(self, stmt: Any, start: Known, added: Mapping[str, Drawn]) -> list[Known]:
        """What is known behind each block. added: by a loop that may be drawn."""
        found = []
        for block in blocks(stmt):
            known = {**start, **dict.fromkeys(own_targets(stmt), NONE)}
            self._block(block, known)
            _join(known, [added])
            found.append(known)
        return found

    # ------------------------------------------------------------------ simple statements
    def _simple(self, stmt: Any, known: Known) -> None:
        value: Any = getattr(stmt, "value", None)
        callee = self._callee(value)
        if callee is not None and isinstance(stmt, gast.Assign):
            self._call(stmt, callee, known)
            return
        if isinstance(stmt, gast.Return):
            self._return(stmt, known)
            return
        names = reads(stmt) | changed(stmt)
        drawn, called = _of(known, names), self._called(stmt, known)
        self._meet(_of(known, names - self.sums) | called)
        self._fail(called, UNKNOWN)
        if drawn and getattr(stmt, "role", "") == "inserted":
            self._fail(drawn, INSERTED)
        elif drawn and not hasattr(stmt, "tape") and not statement_is_linear(
                stmt, {name for name in names if known.get(name)}, set(), self.scope):
            self._fail(drawn, UNKNOWN)
        bound = {one.id for target in stmt.targets for one in plain(target)} if isinstance(stmt, gast.Assign) else set()
        if not hasattr(stmt, "tape"):
            _join(known, [dict.fromkeys(bound, drawn | called)], replace=True)
            _join(known, [dict.fromkeys(changed(stmt), drawn | called)])

    def _return(self, stmt: Any, known: Known) -> None:
        value: Any = stmt.value
        found = [_of(known, reads(one)) | self._called(one, known)
                 for one in (value.elts if isinstance(value, gast.Tuple) else [value])]
        before = self.returned[self.i]
        self.returned[self.i] = [one | other for one, other in zip(found, before, strict=True)] \
            if len(before) == len(found) else found
        if self._callee(value) is None and not statement_is_linear(
                stmt, {name for name in reads(stmt) if known.get(name)}, set(), self.scope):
            self._fail(NONE.union(*found), UNKNOWN)

    def _callee(self, node: Any) -> int | None:
        return self.callees.get(node.func.id) if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
            else None

    def _call(self, stmt: Any, callee: int, known: Known) -> None:
        """A function that goes backward: what it is given goes in, and what its own loops draw comes out."""
        found = self._given(stmt.value, callee, known)
        for parts in found:
            self._meet(parts)
        target: Any = stmt.targets[0]
        elts = target.elts if isinstance(target, (gast.Tuple, gast.List)) else [target]
        if len(elts) != len(found):
            found = [NONE.union(*found)] * len(elts)
        for one, parts in zip(elts, found, strict=True):
            names = {node.id for node in plain(one)}
            _join(known, [dict.fromkeys(names, parts)], replace=True)
            _join(known, [dict.fromkeys({node.id for node in walk(one) if isinstance(node, gast.Name)} - names, parts)])

    def _given(self, call: gast.Call, callee: int, known: Known) -> list[Drawn]:
        """What comes out of a call, one by one."""
        kept, seeds = call.args[0], [*call.args[1:], *(one.value for one in call.keywords)]
        self._fail(_of(known, reads(kept)), UNKNOWN)
        seed = _of(known, set().union(*map(reads, seeds)))
        inside = NONE.union(*(self._called(one, known) for one in (kept, *seeds)))
        self._fail(inside, UNKNOWN)
        if not all(expression_is_linear(one, {name for name in reads(one) if known.get(name)}, self.scope)
                   for one in seeds):
            self._fail(seed, UNKNOWN)
        self._meet(seed)
        self.entered[callee] |= self._whole(seed | inside)
        return [(one - {GIVEN}) | (seed | inside if GIVEN in one else NONE) for one in self.returned[callee]]

    def _called(self, node: Any, known: Known) -> Drawn:
        """What comes out of the calls that stand in an expression."""
        found = NONE
        for one in walk(node):
            callee = self._callee(one)
            if callee is not None:
                found = found.union(*self._given(one, callee, known))
        return found


def _of(known: Known, names: set[str]) -> Drawn:
    return NONE.union(*(known.get(name, NONE) for name in names))


def _join(known: Known, ends: Sequence[Mapping[str, Drawn]], *, replace: bool = False) -> None:
    """What is known where paths meet; replace: there is no other path."""
    for name in set().union(*ends) if ends else ():
        found = NONE.union(*(end.get(name, NONE) for end in ends))
        known[name] = found if replace else known.get(name, NONE) | found
