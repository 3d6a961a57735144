"""Which calls pass on the memory of an argument, where only some do: the `shares` of rows."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from ..syntax.nodes import is_literal, literal
from .breaking import _is


def not_summed(args: Mapping[str, Any]) -> bool:
    """np.einsum of one operand, of which no index is summed: `"ij->ji"` and `"ii->i"` are views.

    >>> from tangent_nb.syntax.building import constant
    >>> [not_summed({"subscripts": constant(text)}) for text in ("ij->ji", "ii->i", "ij->i", "ii", "ji")]
    [True, True, False, False, True]
    """
    if any(name in args and not _is(args[name], None) for name in "yzabc"):
        return False
    if not is_literal(args["subscripts"]) or not isinstance(text := literal(args["subscripts"]), str):
        return True
    before, arrow, after = text.partition("->")
    return {*before} <= {*after, " "} if arrow else all(before.count(one) == 1 for one in before if one.isalpha())


def not_once(args: Mapping[str, Any]) -> bool:
    """np.diff of order 0 is the array itself."""
    return "n" in args and (not is_literal(args["n"]) or _is(args["n"], 0))


def unless_copied(args: Mapping[str, Any]) -> bool:
    """np.asarray, unless `copy=True` is written down."""
    return "copy" not in args or not _is(args["copy"], True)


def unless_array_copies(args: Mapping[str, Any]) -> bool:
    """np.array and x.astype copy, unless `copy=` says something else than True."""
    return "copy" in args and unless_copied(args)


def started(args: Mapping[str, Any]) -> bool:
    """`sum(xs, start)` of nothing is the start itself, and lists are joined to it; no number changes."""
    return "start" in args and not isinstance(args["start"], gast.Constant)


def as_it_lies(args: Mapping[str, Any]) -> bool:
    """np.reshape: perhaps, as the array lies in memory."""
    return True
