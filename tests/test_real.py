"""Programs as people publish them: every one in both modes, optimized and raw, against its oracles.

`tests/real/refused.txt` names the programs that are refused today, each with the reason after it: they may be, and
nothing else is accepted of them. A program that is right in every way is taken out of it.
"""
from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("scipy")
sys.path.insert(0, str(Path(__file__).resolve().parent))
from corpus import CORPUS, Entry

_kept = len(CORPUS)
from real import collect  # noqa: E402 -- what the corpus holds before is not of this file

collect.load()
PROGRAMS = CORPUS[_kept:]
del CORPUS[_kept:]                                 # the tests of tests/test_corpus.py are its own

from language import status  # noqa: E402 -- it judges

LISTED = (Path(__file__).parent / "real" / "refused.txt").read_text(encoding="utf-8").splitlines()
REFUSED = dict(line.split(maxsplit=1) for line in LISTED)
LINES = ("objects", "unreached", "constants", "library", "stars", "values", "control", "lists", "ownership", "inner",
         "rules")


def test_there_are_many_of_each_kind() -> None:
    found = Counter(word for entry in PROGRAMS for word in entry.notes.split())
    assert set(found) == set(LINES)
    assert {word: n for word, n in found.items() if n < 10} == {}
    assert len({entry.id for entry in PROGRAMS}) == len(PROGRAMS) >= 300


def test_the_list_of_refused_programs_has_no_others() -> None:
    assert {entry.id for entry in PROGRAMS} >= set(REFUSED)


@pytest.mark.parametrize("entry", [pytest.param(entry, id=entry.id, marks=pytest.mark.sampled(
    24 if "inner" in entry.notes else 12)) for entry in PROGRAMS])
def test_right_or_refused(entry: Entry) -> None:
    """Reverse and forward, optimized and raw."""
    found = dict(zip(status.WAYS, status.verdicts(entry), strict=True))
    bad = {way: verdict for way, verdict in found.items() if verdict.kind not in ("right", "refused")}
    assert not bad
    refused = [way for way, verdict in found.items() if verdict.kind == "refused"]
    assert bool(refused) == (entry.id in REFUSED), found
