"""How control leaves a block: whether it can reach the end, and by which statements it goes elsewhere."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..errors import Refusal
from ..syntax.blocks import blocks, statements

Known = dict[int, tuple[gast.stmt, set[str]]]
KINDS = {gast.Return: "return", gast.Break: "break", gast.Continue: "continue"}


def always_leaves(body: Sequence[gast.stmt]) -> bool:
    """No path through the body reaches its end."""
    for stmt in body:
        if isinstance(stmt, (gast.Return, gast.Raise, gast.Break, gast.Continue)):
            return True
        if isinstance(stmt, gast.If) and always_leaves(stmt.body) and always_leaves(stmt.orelse):
            return True
        if isinstance(stmt, gast.Try) and _try_leaves(stmt):
            return True
        if isinstance(stmt, gast.With) and not getattr(stmt, "swallows", False) and always_leaves(stmt.body):
            return True
        if isinstance(stmt, gast.While) and isinstance(stmt.test, gast.Constant) and stmt.test.value \
                and "break" not in escapes_block(stmt.body):
            return True
        if isinstance(stmt, (gast.For, gast.While)) and stmt.orelse and "break" not in escapes_block(stmt.body) \
                and always_leaves(stmt.orelse):
            return True
    return False


def always_raises(body: Sequence[gast.stmt]) -> bool:
    """Every path through the body raises."""
    return always_leaves(body) and not escapes_block(body)


def _try_leaves(stmt: gast.Try) -> bool:
    done = always_leaves([*stmt.body, *stmt.orelse])
    return always_leaves(stmt.finalbody) or done and all(always_leaves(handler.body) for handler in stmt.handlers)


def ends(body: Sequence[gast.stmt], known: dict[int, set[str]] | None = None) -> set[str]:
    """How paths through a body end, its loops taken once: by `"return"`, `"break"`, `"continue"`, or at its end
    (`"next"`). known: what was found of statements that do not change meanwhile, by their ids."""
    found: set[str] = set()
    for stmt in body:
        here = known[id(stmt)] if known is not None and id(stmt) in known else _ends_of(stmt, known)
        if known is not None:
            known[id(stmt)] = here
        found |= here - {"next"}
        if "next" not in here:
            return found
    return found | {"next"}


def refused_always(body: Sequence[gast.stmt]) -> Refusal | None:
    """The first place of a body that is refused when it is reached, where no path goes on to the end."""
    places = [stmt.reached for stmt in statements(body) if hasattr(stmt, "reached")]
    return places[0] if places and not ends(body) & {"return", "next"} else None


def _ends_of(stmt: Any, known: dict[int, set[str]] | None) -> set[str]:
    if type(stmt) in KINDS:
        return {KINDS[type(stmt)]}
    if isinstance(stmt, gast.Raise):
        return set()
    if isinstance(stmt, gast.If):
        return ends(stmt.body, known) | ends(stmt.orelse, known)
    if isinstance(stmt, (gast.For, gast.While)):
        inner = ends(stmt.body, known)
        forever = isinstance(stmt, gast.While) and isinstance(stmt.test, gast.Constant) and stmt.test.value
        last = ends(stmt.orelse, known) if inner & {"next", "continue"} and not forever else set()
        return inner & {"return"} | last | ({"next"} if "break" in inner else set())
    if isinstance(stmt, (gast.Try, gast.TryStar)):
        return _ends_of_try(stmt, known)
    if isinstance(stmt, gast.Match):
        return {"next"}.union(*(ends(case.body, known) for case in stmt.cases))
    return ends(stmt.body, known) if isinstance(stmt, gast.With) else {"next"}


def _ends_of_try(stmt: Any, known: dict[int, set[str]] | None) -> set[str]:
    found = ends(stmt.body, known)
    if "next" in found:
        found = found - {"next"} | ends(stmt.orelse, known)
    if not hasattr(stmt.body[0], "reached"):               # what is refused is not caught
        found = found.union(*(ends(handler.body, known) for handler in stmt.handlers))
    last = ends(stmt.finalbody, known)
    return found | last - {"next"} if "next" in last else last


def escapes(stmt: gast.stmt, known: Known | None = None) -> set[str]:
    """How control may leave a statement other than to the next one: `"return"`, `"break"`, `"continue"`. known: what
    was found of statements that have not changed since, by their ids; what is found of this one, and of those in its
    blocks, is added."""
    if type(stmt) in KINDS:
        return {KINDS[type(stmt)]}
    if known is not None and id(stmt) in known:
        return known[id(stmt)][1]
    if isinstance(stmt, (gast.For, gast.While)):
        found = (escapes_block(stmt.body, known) & {"return"}) | escapes_block(stmt.orelse, known)
    else:
        found = {kind for block in blocks(stmt) for kind in escapes_block(block, known)}
    if known is not None:
        known[id(stmt)] = stmt, found
    return found


def escapes_block(body: Sequence[gast.stmt], known: Known | None = None) -> set[str]:
    return {kind for stmt in body for kind in escapes(stmt, known)}
