"""Names that are bound anew, as names of their own: what is known of the new value is not what is known of the old one.

Needs a text in the core language. Promises one that computes the same, in which no assignment binds a name that was
bound before, where what is read afterwards is the new value on every path.

    a = np.array(a)      a_1 = np.array(a)
    a *= 2.0             a_1 *= 2.0          # not what the caller holds
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import gast

from ..syntax.building import clone, rename
from ..syntax.names import Names
from ..syntax.nodes import names_in, nodes_of, parameter_names, starred_parameters, writes
from ..syntax.program import Captured
from .leaving import always_leaves


def bound_once(captured: Captured) -> Captured:
    """The text with a new name for each value that another name of it has been bound to before."""
    tree = captured.tree
    seen = {*parameter_names(tree), *starred_parameters(tree)}
    later = {name for node in nodes_of(tree.body, gast.Lambda, gast.FunctionDef, gast.GeneratorExp)
             for name in names_in(node)}                   # they read what the name stands for when they run
    bound = [name for stmt in nodes_of(tree.body, gast.Assign) for target in stmt.targets for name in writes(target)]
    if len({*bound} - seen) == len(bound):
        return captured
    new: Any = clone(tree)
    _Values(Names(names_in(new)), later).block(new.body, {}, seen)
    return replace(captured, tree=new)


def _again(stmt: Any, names: Iterable[str]) -> set[str]:
    """The names among some that a statement binds as a whole."""
    return {target.id for target in stmt.targets if isinstance(target, gast.Name)} & {*names} \
        if isinstance(stmt, gast.Assign) else set()


class _Values:
    """names: makes new ones; later: the names that are left alone."""

    def __init__(self, names: Names, later: set[str]) -> None:
        self.names, self.later = names, later

    def block(self, body: Sequence[Any], now: dict[str, str], seen: set[str]) -> None:
        """Rename in statements. now: what names are called here, changed to what they are called behind them; seen: the
        names that may be bound, in the same way."""
        for stmt in body:
            if isinstance(stmt, gast.Assign):
                rename([stmt.value, *(target for target in stmt.targets if not isinstance(target, gast.Name))], now)
                for name in sorted(_again(stmt, seen - self.later)):
                    now[name] = self.names.new(name)
                rename([target for target in stmt.targets if isinstance(target, gast.Name)], now)
                seen |= {name for target in stmt.targets for name in writes(target)}
            elif isinstance(stmt, gast.If):
                rename([stmt.test], now)
                self._together([stmt.body, stmt.orelse], [], now, seen)
            elif isinstance(stmt, gast.Try) and not stmt.orelse and not stmt.finalbody \
                    and all(always_leaves(handler.body) for handler in stmt.handlers):
                rename(stmt.handlers, now)
                self._together([stmt.body], stmt.handlers, now, seen)
            else:
                rename([stmt], now)
                seen |= writes(stmt)

    def _together(self, blocks: Sequence[Sequence[Any]], beside: Sequence[Any], now: dict[str, str],
                  seen: set[str]) -> None:
        """Blocks of which one runs: a name that has another value behind each has one name there. beside: what may read
        the names of the block in the middle of it."""
        ends = []
        for block in blocks:
            inner, bound = dict(now), set(seen)
            self.block(block, inner, bound)
            ends.append((block, inner, bound))
        reached = [end for end in ends if not always_leaves([*end[0]])]
        for name in sorted({name for _, inner, _ in reached for name in inner if inner[name] != now.get(name, name)}):
            old, read = now.get(name, name), any(name in names_in(node) for node in beside)
            every = all(inner.get(name, name) != old for _, inner, _ in reached) and not read
            one = next(inner[name] for _, inner, _ in reached if inner.get(name, name) != old) if every else old
            for block, inner, _ in reached:
                if inner.get(name, name) not in (one, old):
                    rename([*block], {inner[name]: one})
            if every:
                now[name] = one
        for _, _, bound in ends:
            seen |= bound
