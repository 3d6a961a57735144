"""The corpus on JAX, against NumPy: right or refused, none wrong, none a crash. The figures are printed with `-s`."""
from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import test_corpus
from on_numpy import Outcome, compared
from test_corpus import corpus

ACCEPTED, PASSED = ([entry for entry in entries if entry.group not in ("try", "with") and entry.jax]        # refused, see tests/test_try.py
                    for entries in (test_corpus.ACCEPTED, test_corpus.PASSED))

OUTCOMES: dict[str, list[Outcome]] = {}
RIGHT = {"reverse": 560}      # at least so many; the rest is refused


def judged(entry: Any, mode: str, **options: Any) -> None:
    outcome = compared(entry, mode, **options)
    OUTCOMES.setdefault(" ".join([mode, *filter(None, [options.get("compile")])]), []).append(outcome)
    assert outcome.kind not in ("wrong", "crash"), outcome.why
    if outcome.kind.startswith("refused"):
        assert outcome.why
        assert options.get("compile"), f"refused without compile: {outcome.why}"


@corpus([*PASSED, *(entry for entry in ACCEPTED[::2] if entry not in PASSED)])
def test_reverse_is_right(entry: Any) -> None:
    judged(entry, "reverse")


@corpus(ACCEPTED[::2])
def test_forward_is_right(entry: Any) -> None:
    judged(entry, "forward")


@corpus(ACCEPTED[::3])
def test_compiled_reverse_is_right_or_refused(entry: Any) -> None:
    judged(entry, "reverse", compile="jit")


@corpus(ACCEPTED[1::6])
def test_compiled_forward_is_right_or_refused(entry: Any) -> None:
    judged(entry, "forward", compile="jit")


@corpus(PASSED[2::6])
def test_right_without_passes(entry: Any) -> None:
    outcome = compared(entry, "reverse", optimized=False)
    assert outcome.kind in ("right", "not on NumPy"), outcome


def test_figures() -> None:
    """How many entries are right, and the reasons for the others; only where this process ran them all."""
    for mode, outcomes in OUTCOMES.items():
        counts = Counter(outcome.kind for outcome in outcomes)
        reasons = Counter(outcome.why for outcome in outcomes if outcome.kind.startswith("refused"))
        print(f"\n{mode}: {dict(counts)}", *(f"\n  {count:3} {why}" for why, count in reasons.most_common()))
        assert len(outcomes) < len(PASSED) + len(ACCEPTED) // 2 or mode not in RIGHT or counts["right"] >= RIGHT[mode]


@corpus([entry for entry in test_corpus.ACCEPTED if not entry.jax])
def test_refused(entry: Any) -> None:
    assert compared(entry, "reverse").kind.startswith("refused")
