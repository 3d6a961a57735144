"""The corpus on JAX, against NumPy: right or refused, none wrong, none a crash."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pytest
import test_corpus
from on_numpy import compared
from test_corpus import corpus

pytestmark = pytest.mark.sampled(64)
# refused, see tests/test_try.py
ACCEPTED, PASSED = ([entry for entry in entries if entry.group not in ("try", "with") and entry.jax]
                    for entries in (test_corpus.ACCEPTED, test_corpus.PASSED))


def turn(entry: Any, of: int) -> int:
    """Which of several tests an entry is for: the same one whatever the other entries are."""
    return crc32(entry.id.encode()) % of


def judged(entry: Any, mode: str, **options: Any) -> None:
    outcome = compared(entry, mode, **options)
    assert outcome.kind not in ("wrong", "crash"), outcome.why
    if outcome.kind.startswith("refused"):
        assert outcome.why
        assert options.get("compile"), f"refused without compile: {outcome.why}"


@corpus([entry for entry in ACCEPTED if entry in PASSED or turn(entry, 2)])
def test_reverse_is_right(entry: Any) -> None:
    judged(entry, "reverse")


@corpus([entry for entry in ACCEPTED if turn(entry, 2) == 0])
def test_forward_is_right(entry: Any) -> None:
    judged(entry, "forward")


@corpus([entry for entry in ACCEPTED if turn(entry, 3) == 0])
def test_compiled_reverse_is_right_or_refused(entry: Any) -> None:
    judged(entry, "reverse", compile="jit")


@corpus([entry for entry in ACCEPTED if turn(entry, 6) == 1])
def test_compiled_forward_is_right_or_refused(entry: Any) -> None:
    judged(entry, "forward", compile="jit")


@corpus([entry for entry in PASSED if turn(entry, 6) == 2])
def test_right_without_passes(entry: Any) -> None:
    outcome = compared(entry, "reverse", optimized=False)
    assert outcome.kind in ("right", "not on NumPy"), outcome


@corpus([entry for entry in test_corpus.ACCEPTED if not entry.jax])
def test_refused(entry: Any) -> None:
    assert compared(entry, "reverse").kind.startswith("refused")
