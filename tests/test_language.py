"""The corpus of the language: every program in both modes, optimized and raw, against its oracles.

`tests/language/refused.txt` names the programs that are refused today: they may be, and nothing else is accepted of
them. A program that is right in every way is taken out of it.
"""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import test_corpus as judge
from corpus import CORPUS, Entry
from language import collect

from tangent_nb.errors import RefusedError, TangentError

_before = len(CORPUS)
collect.load()
PROGRAMS = CORPUS[_before:]
del CORPUS[_before:]                               # the tests of tests/test_corpus.py are its own

from language import status  # noqa: E402 -- it loads the programs too

REFUSED = frozenset((Path(__file__).parent / "language" / "refused.txt").read_text(encoding="utf-8").split())
AT_CALLS = frozenset(("names_imports-numpy_given_as_a_default",))      # has no text for all arguments
RIGHT = [entry for entry in PROGRAMS if entry.id not in REFUSED]


def ident(entry: Entry) -> str:
    return entry.id


def test_the_list_of_refused_programs_has_no_others() -> None:
    assert {entry.id for entry in PROGRAMS} >= REFUSED


def test_most_programs_are_differentiated() -> None:
    assert len(RIGHT) >= 870


@pytest.mark.sampled(12)
@pytest.mark.parametrize("entry", PROGRAMS, ids=ident)
def test_right_or_refused(entry: Entry) -> None:
    """Reverse and forward, optimized and raw."""
    found = dict(zip(status.WAYS, status.verdicts(entry), strict=True))
    bad = {way: verdict for way, verdict in found.items() if verdict.kind not in ("right", "refused")}
    assert not bad
    refused = [way for way, verdict in found.items() if verdict.kind == "refused"]
    assert bool(refused) == (entry.id in REFUSED), found


@pytest.mark.sampled(24)
@pytest.mark.parametrize("entry", RIGHT[::5], ids=ident)
def test_second_order_is_right_or_refused(entry: Entry) -> None:
    if entry.orders < 2 or not entry.smooth:
        return
    try:
        judge.test_second_order(entry)
    except TangentError:
        return


@pytest.mark.sampled(24)
@pytest.mark.parametrize("entry", RIGHT[1::3], ids=ident)
def test_split_is_joint(entry: Entry) -> None:
    if entry.id in AT_CALLS:                               # split motion has the text for all arguments alone
        with pytest.raises(RefusedError):
            judge.test_split_is_joint(entry)
    else:
        judge.test_split_is_joint(entry)
