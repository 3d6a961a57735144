"""A state in fewer bytes: rows that stages share are sent once,
and of a line its text with the spans that have a colour.

    {"lines": [[["k", "return"], ["", " x"]]], "stages": [{"rows": [[0, 1, "←", [2], [7, 8, 0]]], …}], …}
 →  {"lines": [["return x", 0, 6, "k"]], "rows": [[0, 1, "←", [2], 7, 8, 0]], "stages": [{"rows": [0], …}], …}
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def packed(state: Mapping[str, Any]) -> dict[str, Any]:
    """What travels; js/src/unpack.ts makes the state of it again."""
    places: dict[tuple[Any, ...], int] = {}

    def place(row: Sequence[Any]) -> int:
        line, group, arrow, origins, terms = row
        return places.setdefault((line, group, arrow, tuple(origins), *terms), len(places))

    stages = [{**stage, "rows": list(map(place, stage["rows"]))} for stage in state["stages"]]
    rows = [[line, group, arrow, list(origins), *terms] for line, group, arrow, origins, *terms in places]
    return {**state, "lines": list(map(_line, state["lines"])), "rows": rows, "stages": stages}


def _line(tokens: Sequence[Sequence[str]]) -> list[Any]:
    """The text, then start, length (in UTF-16 units, as JavaScript counts) and class of each span with a class."""
    spans: list[Any] = []
    start = 0
    for kind, text in tokens:
        length = len(text.encode("utf-16-le", "surrogatepass")) // 2
        if kind:
            spans += [start, length, kind]
        start += length
    return ["".join(text for _, text in tokens), *spans]
