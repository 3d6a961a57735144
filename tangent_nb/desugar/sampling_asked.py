"""`with sampled(…)` around lines: what it asks for is written onto the places of the lines, and the `with` is gone.

Needs a `with` of `tnb.sampled`, whose arguments are literals, or variables outside that are known. Promises the
statements of its block where it stands; the stage `sample` reads what their places say.

    with tnb.sampled(fraction=0.5):
        h = x @ w                          →      h = x @ w
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from ..errors import Refusal, RefusedError, TangentError
from ..runtime.sampled import sampled
from ..syntax.blocks import statements
from ..syntax.nodes import is_literal, literal
from ..syntax.program import MISSING
from .state import State


def statement(desugar: State, stmt: Any) -> bool:
    """Emit the block of a `with sampled(…)`; False where it is another one."""
    place = next((i for i, item in enumerate(stmt.items) if _is_sampled(desugar, item.context_expr)), None)
    if place is None:
        return False
    item, asked, body = stmt.items[place], None, stmt.body
    try:
        if item.optional_vars is not None:
            raise _refused(stmt, "sampled(…) gives nothing that as could name", "with tnb.sampled(fraction=0.5):")
        asked = _asked(desugar, stmt, item.context_expr)
    except RefusedError as error:                          # what is in the block is read all the same
        desugar.refusals.extend(error.refusals)
    for one in statements(body):
        origin = getattr(one, "origin", None)
        if origin is not None and origin.sampled is None:  # the one inside is nearer
            one.origin = replace(origin, sampled=asked)
    others = stmt.items[:place] + stmt.items[place + 1:]
    if others:
        rest: Any = gast.copy_location(gast.With(others, body, None), stmt)
        rest.origin, body = stmt.origin, [rest]
    for one in body:
        desugar.statement(one)
    return True


def _is_sampled(desugar: State, node: Any) -> bool:
    return isinstance(node, gast.Call) and desugar.object(node.func) is sampled


def _asked(desugar: State, stmt: Any, call: gast.Call) -> sampled:
    """What it asks for, found when the derivative is made."""
    def value(node: Any) -> Any:
        if is_literal(node):
            return literal(node)
        known = desugar.object(node)
        if known is MISSING or not isinstance(known, (int, float, str, tuple)):
            raise _refused(stmt, "what sampled(…) is given has to be known when the derivative is made",
                           "a number there: with tnb.sampled(fraction=0.5)")
        return known

    if any(isinstance(arg, gast.Starred) for arg in call.args) or any(one.arg is None for one in call.keywords):
        raise _refused(stmt, "what sampled(…) is given has to be known when the derivative is made",
                       "a number there: with tnb.sampled(fraction=0.5)")
    args, keywords = [value(arg) for arg in call.args], {one.arg: value(one.value) for one in call.keywords}
    try:
        return sampled(*args, **keywords)
    except (TangentError, TypeError) as error:
        raise _refused(stmt, str(error), "with tnb.sampled(fraction=0.5)") from None


def _refused(stmt: Any, why: str, instead: str) -> RefusedError:
    return RefusedError("", [Refusal.at(stmt, why, instead)])
