"""Whether a derivative is still that of what the notebook defines."""
from __future__ import annotations

import builtins
import types
from collections import ChainMap
from collections.abc import Mapping
from typing import Any

from ..errors import TangentError
from ..runtime.containers import held_by
from ..runtime.helpers import Helper, called_by, check_helpers, taken_by
from .names import same


def stale(f: types.FunctionType, now: Any, derivative: types.FunctionType) -> str:
    """Why the derivative of `f` is not that of the notebook's functions any more; empty while it is. now: what the
    name of `f` means."""
    if not isinstance(now, types.FunctionType):
        return f"{f.__name__} is not defined any more"
    if not same(f, now):
        return f"{f.__name__} has been defined anew"
    return next((f"{helper.name} has been defined anew" for helper, function in taken_by(derivative)
                 if not _unchanged(helper, _meant_now(helper, function))), "")


def _meant_now(helper: Helper, function: types.FunctionType) -> Any:
    """What a function of the text of a derivative finds where that takes a helper for granted."""
    return _meant(helper.name, function, held_by(function)) if helper.caller is None \
        else called_by(helper.caller, helper.name)


def _meant(name: str, function: types.FunctionType, cells: Mapping[str, Any]) -> Any:
    """What a dotted name means in a function: a cell, a global, or a builtin; None where it means nothing any more."""
    first, *rest = name.split(".")
    value = ChainMap(dict(cells), function.__globals__, vars(builtins)).get(first)
    for part in rest:
        value = getattr(value, part, None)
    return value


def _unchanged(helper: Helper, value: Any) -> bool:
    try:
        check_helpers((helper,), value)
    except TangentError:
        return False
    return True
