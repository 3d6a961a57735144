"""Checks of constants that meet a derivative: where the text takes a value for a number or an array,
and only the run can tell.

Needs a body in normal form in which no variable outside is known to compute in a way of its own. Promises the body with
checks (`rt.check_constants`) behind the statements that bind what meets a derivative.

    scale = table.scale     →     scale = table.scale
    y = x * scale                 rt.check_constants(scale)
                                  y = x * scale
"""
from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import gast

from ..analyse.constants import Found
from ..syntax.blocks import blocks, rebuild
from ..syntax.building import call, clone, load
from .dress import guard_of

CONSTANTS, MATRICES, PLACES = "%rt.check_constants", "%rt.check_matrices", "%rt.check_places"


def with_constant_checks(body: list[gast.stmt], found: Found, check: str = CONSTANTS) -> list[gast.stmt]:
    """The body with its checks."""

    def checked(stmt: gast.stmt) -> list[gast.stmt] | None:
        names, read = found.made.get(id(stmt), []), found.read.get(id(stmt), [])
        if not names and not read:
            return None
        before = [constant_check(list(map(clone, read)), stmt, check)] if read else []
        after = constant_checks(list(map(load, names)), found.matrices, stmt, check)
        inner = blocks(stmt)
        if inner and after:                                # of a loop, or a manager
            inner[0][:0] = after
            after = []
        return [*before, stmt, *after]

    return rebuild(body, checked) if found.made or found.read else body


def constant_checks(nodes: Sequence[gast.expr], matrices: AbstractSet[str], like: gast.stmt | None = None,
                    check: str = CONSTANTS) -> list[gast.stmt]:
    """The checks of what may be a sparse matrix, and of all else."""
    apart = [one for one in nodes if isinstance(one, gast.Name) and one.id in matrices]
    others = [one for one in nodes if not any(one is other for other in apart)]
    return [constant_check(given, like, how) for given, how in ((others, check), (apart, MATRICES)) if given]


def constant_check(nodes: Sequence[gast.expr], like: gast.stmt | None = None, check: str = CONSTANTS) -> gast.stmt:
    return guard_of(call(check, *nodes), like)
