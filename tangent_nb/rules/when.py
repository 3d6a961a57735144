"""Conditions under which a shorter text of a partial holds: functions from the specs of the arguments,
and of the result, to a truth value.

True holds for certain; where nothing certain can be said the answer is False, and the general text is taken.
"""
from __future__ import annotations

from collections.abc import Mapping

from ..syntax import spec as sp
from ..syntax.sizes import least
from ..syntax.spec import Spec
from .row import Condition


def ranks(**wanted: int) -> Condition:
    """The arguments are arrays of these ranks, all of one dtype with the result (named `z` or `y`)."""
    def holds(s: Mapping[str, Spec]) -> bool:
        dtypes = {"f8" if s[name].dtype == "weak" else s[name].dtype for name in wanted}
        return all(s[name].kind == "array" and s[name].dims == n for name, n in wanted.items()) and len(dtypes) == 1 \
            and None not in dtypes
    return holds


def whole(name: str = "x") -> Condition:
    """A reduction of all of a proper array, not empty, to one number."""
    def holds(s: Mapping[str, Spec]) -> bool:
        x = s[name]
        axis = s.get("axis")
        return x.kind == "array" and bool(x.rank) and all(
            least(one) > 0 for one in tuple(x.shape or ())) \
            and (axis is None or axis.kind == "none")
    return holds


def is_none(name: str) -> Condition:
    """The argument is None, or left out."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return name not in s or s[name].kind == "none"
    return holds


def is_sequence(name: str) -> Condition:
    """The argument is a tuple or a list, or left out."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return name not in s or s[name].kind in ("none", "tuple", "list")
    return holds


def left_out(*names: str) -> Condition:
    """None of the arguments is given."""
    return lambda s: not any(name in s for name in names)


def is_int(name: str) -> Condition:
    """The argument is a Python int."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return name in s and s[name].kind == "int"
    return holds


def is_array(*names: str) -> Condition:
    """The arguments are ndarrays with dimensions."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return all(s[name].kind == "array" and bool(s[name].rank) for name in names)
    return holds


def is_numeric(name: str) -> Condition:
    """The argument is a number or an array, for certain."""
    return lambda s: s[name].is_number


def is_real(*names: str) -> Condition:
    """The arguments are real for certain."""
    def holds(s: Mapping[str, Spec]) -> bool:
        return all(name in s and s[name].is_real for name in names)
    return holds


def both(*conditions: Condition) -> Condition:
    """All of them."""
    return lambda s: all(condition(s) for condition in conditions)


def fits(*pairs: tuple[str, str]) -> Condition:
    """Each first has the shape and dtype of each second."""
    return lambda s: all(sp.fits(s[a], s[b]) for a, b in pairs)
