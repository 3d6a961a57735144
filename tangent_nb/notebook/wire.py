"""A state in fewer bytes: rows that stages share are sent once,
and of a line its text with the spans that have a colour.

    {"lines": [[["k", "return"], ["", " x"]]], "stages": [{"rows": [[0, 1, "←", [2], [7, 8, 0]]], …}], …}
 →  {"lines": [["return x", 0, 6, "k"]], "rows": [[0, 1, "←", [2], 7, 8, 0]], "stages": [{"rows": [0], …}], …}
"""
from __future__ import annotations

import base64
import json
import zlib
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


def deflated(state: Mapping[str, Any]) -> dict[str, str]:
    """What is stored with an output: a third of the bytes. js/src/stored.ts makes the state of it again.

    >>> list(deflated({"version": 1}))
    ['deflated']
    """
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    return {"deflated": base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")}


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
