"""300 random programs with fixed seeds, and four planted bugs that must be found."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine
from bugs import BUGS, planted
from grammar import FEATURES, features, generate
from run import describe

PROGRAMS, CHUNKS = 300, 6            # `make fuzz` is for more
SIZE = 7


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs(chunk: int) -> None:
    """None wrong, none crashed, fewer than 10 % refused."""
    each = PROGRAMS // CHUNKS
    tally = engine.run(range(chunk * each, (chunk + 1) * each), SIZE, stop=3)
    assert not tally.failures, "\n".join(describe(seed, program) for seed, program, _ in tally.failures[:2])
    assert tally.verdicts["refused"] < 0.1 * each, tally.refusals.most_common(5)
    assert tally.judged > 0.9 * each, tally.verdicts


@pytest.mark.parametrize("name", BUGS)
def test_planted_bug_is_found(name: str) -> None:
    """Within 50 programs; and the same programs are right without it."""
    with planted(name):
        verdicts = ((seed, engine.judge(generate(seed, SIZE), seed).kind) for seed in range(50))
        found = next((seed for seed, kind in verdicts if kind in ("wrong", "crash")), None)
    assert found is not None, f"not found: {BUGS[name].what}"
    assert engine.judge(generate(found, SIZE), found).kind == "right"


def test_programs_are_a_function_of_the_seed() -> None:
    assert [generate(seed).text for seed in range(30)] == [generate(seed).text for seed in range(30)]
    assert len({generate(seed).text for seed in range(300)}) == 300


def test_every_feature_occurs() -> None:
    seen = [name for seed in range(400) for name in features(generate(seed, SIZE))]
    assert {name for name in FEATURES if seen.count(name) < 8} == set()
