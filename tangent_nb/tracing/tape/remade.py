"""Which values are made again in the backward sweep, and not saved: found by comparing a text with that without passes.

Needs the values that the text without passes keeps, and the text at hand. Promises those of them of which no value is
kept, and whose expression stands in the backward sweep, in a line that belongs to the same line of the user's.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

import gast

from ...syntax.building import clone, substitute
from ...syntax.nodes import reads
from ..sites import UserLine
from .plan import Plan

NUMBERED = re.compile(r"_\d+$")
Users = Callable[[int], "tuple[UserLine, ...]"]


def expression(plan: Plan, name: str, line: int, users: Users) -> Any:
    """What a line gives to a variable, with the temporaries of the same line of the user's written out; None where that
    is no operation."""
    own, wanted = _given(plan), users(line)
    value = own.get((name, line))
    if value is None:
        return None
    value = clone(value)
    for _ in range(len(own)):
        inner = {one: own[one, at] for one in reads(value) if one != name for at in _once(plan, one)
                 if (one, at) in own and users(at) == wanted}
        if not inner:
            break
        value = substitute(value, {one: clone(made) for one, made in inner.items()})
    return None if isinstance(value, (gast.Name, gast.Constant, gast.Tuple, gast.List, gast.Dict)) else value


def _once(plan: Plan, name: str) -> list[int]:
    """The line of the forward sweep that binds a name, if there is one alone."""
    found = [line for line in plan.binds.get(name, ()) if not plan.is_backward(line)]
    return found if len(found) == 1 else []


def _given(plan: Plan) -> dict[tuple[str, int], Any]:
    return {(stmt.targets[0].id, stmt.lineno): stmt.value for stmt in gast.walk(plan.tree)
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)}


def made_again(value: Any, plans: Sequence[Plan], users: Users, wanted: tuple[UserLine, ...], free: Collection[str]
               ) -> tuple[Plan | None, int]:
    """The function and the line of the backward sweep that makes a value again; None and 0 where none does. wanted: the
    user's lines that it comes from; free: names in it that others may stand for in lines that come from these too, the
    parameters of a function that is called."""
    there = [(plan, stmt) for plan in plans for stmt in gast.walk(plan.tree)
             if isinstance(stmt, gast.stmt) and plan.is_backward(stmt.lineno) and not hasattr(stmt, "body")]
    there.sort(key=lambda one: not set(users(one[1].lineno)) & set(wanted))
    for plan, stmt in there:
        open_names = free if set(users(stmt.lineno)) & set(wanted) else ()
        if any(_makes(value, node, plan, open_names) for node in gast.walk(stmt) if isinstance(node, gast.expr)):
            return plan, stmt.lineno
    return None, 0


def _makes(value: Any, node: Any, plan: Plan, free: Collection[str]) -> bool:
    """An expression of the backward sweep is that of a value, of what the forward sweep has made."""
    names: dict[str, str] = {}
    return _alike(value, node, names) and all(
        other == one or other in plan.restored and (one in free or plain(other) == plain(one))
        for one, other in names.items())


def plain(name: str) -> str:
    """A name without the number that tells it from others: passes number anew."""
    return NUMBERED.sub("", name)


def _alike(one: Any, other: Any, names: dict[str, str]) -> bool:
    """Two expressions are the same but for the names in them, which stand for one another."""
    if type(one) is not type(other):
        return False
    if isinstance(one, gast.Name):
        return bool(names.setdefault(one.id, other.id) == other.id)
    if isinstance(one, gast.Constant):
        return type(one.value) is type(other.value) and bool(one.value == other.value)
    if isinstance(one, gast.Call) and gast.dump(one.func) != gast.dump(other.func):
        return False
    for field in one._fields:
        mine: Any = getattr(one, field, None)
        its: Any = getattr(other, field, None)
        if isinstance(mine, list):
            if len(mine) != len(its) or not all(map(_alike, mine, its, [names] * len(mine))):
                return False
        elif isinstance(mine, gast.AST):
            if not isinstance(mine, gast.expr_context) and not _alike(mine, its, names):
                return False
        elif bool(mine != its):                            # the name of an attribute
            return False
    return True

