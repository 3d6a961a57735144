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
from functools import cache
from pathlib import Path
from typing import Any

OFTEN = Path(__file__).parent.parent / "static" / "often.json"


def packed(state: Mapping[str, Any]) -> dict[str, Any]:
    """What travels; js/src/unpack.ts makes the state of it again."""
    places: dict[tuple[Any, ...], int] = {}

    def place(row: Sequence[Any]) -> int:
        line, group, arrow, origins, terms = row
        return places.setdefault((line, group, arrow, tuple(origins), *terms), len(places))

    stages = [{**stage, "rows": list(map(place, stage["rows"]))} for stage in state["stages"]]
    rows = [[line, group, arrow, list(origins), *terms] for line, group, arrow, origins, *terms in places]
    return {**state, "lines": list(map(_line, state["lines"])), "rows": rows, "stages": stages}


def deflated(state: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored with an output: a seventh of the bytes. js/src/stored.ts makes the state of it again.

    often: which text is taken for known beforehand: a state as there are many. One that was used stays as it is.

    >>> stored = deflated({"version": 1})
    >>> sorted(stored), stored["often"], inflated(stored)
    (['deflated', 'often'], 1, {'version': 1})
    """
    text = json.dumps(_by_steps(state), ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_DEFAULT_STRATEGY, _often())
    return {"deflated": base64.b85encode(packer.compress(text.encode("utf-8")) + packer.flush()).decode("ascii"),
            "often": 1}


def inflated(stored: Mapping[str, Any]) -> dict[str, Any]:
    """What was stored, rows by steps as they lie there."""
    unpacker = zlib.decompressobj(zdict=_often())
    found: dict[str, Any] = json.loads(unpacker.decompress(base64.b85decode(stored["deflated"])))
    return found


@cache
def _often() -> bytes:
    text: str = json.loads(OFTEN.read_text(encoding="utf-8"))
    return text.encode("utf-8")


def _by_steps(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Numbers that mostly follow on one another as what they are more than the one before: of each row the line, of
    each stage the rows; and of stretches the length instead of the end."""
    if "rows" not in state:
        return state
    lines = [row[0] for row in state["rows"]]
    rows = [[line - before, *row[1:4],
             *(one - row[at - 1] if at % 3 == 2 else one for at, one in enumerate(row) if at > 3)]
            for line, before, row in zip(lines, [-1, *lines], state["rows"])]
    stages = [{**stage, "rows": [one - before - 1 for one, before in zip(stage["rows"], [-1, *stage["rows"]])]}
              for stage in state["stages"]]
    return {**state, "rows": rows, "stages": stages}


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
