"""What the helpers of `rt` on JAX are to code that is compiled."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Helper:
    """index: the place of the argument that is an index, and known when code is compiled; of_numbers: of numbers of
    Python it gives one; raises: of two numbers of Python it raises where compiled code cannot."""

    index: int | None = None
    of_numbers: bool = False
    raises: bool = False


ARRAY = Helper()
HELPERS: Mapping[str, Helper] = {
    "within": Helper(1, of_numbers=True), "pick": Helper(1), "updated": Helper(1), "add_at": Helper(1),
    "take": Helper(1), "index_like": Helper(2), "written": Helper(2), "untake": Helper(2),
    **{name: Helper(of_numbers=True) for name in ("array", "copy", "recorded", "steady")},
    "iadd": Helper(of_numbers=True), "isub": Helper(of_numbers=True), "imul": Helper(of_numbers=True),
    "itruediv": Helper(raises=True), **{name: Helper(of_numbers=True, raises=True) for name in (
        "floor_divide", "remainder", "power", "ifloordiv", "imod", "ipow")}}
