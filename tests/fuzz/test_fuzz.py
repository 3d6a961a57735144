"""Random programs of three grammars with fixed seeds, and planted bugs that must be found."""
from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine
import habits
import mutating
import real_programs
import tally as counted
from bugs import BUGS, planted
from engine import ALL, GRAMMARS
from grammar import FEATURES, features, generate
from run import describe

PROGRAMS, CHUNKS = 120, 4            # `make fuzz` is for more
SIZE = 7


@pytest.mark.sampled(16)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs(chunk: int) -> None:
    """None wrong, none crashed, fewer than 10 % of those that are not wild refused."""
    each = PROGRAMS // CHUNKS
    tally = engine.run(range(chunk * each, (chunk + 1) * each), SIZE, stop=3)
    assert not tally.failures, "\n".join(describe(seed, program) for seed, program, _ in tally.failures[:2])
    assert tally.verdicts["refused"] - tally.wild_refused < 0.1 * each, tally.refusals.most_common(5)
    assert tally.judged >= 0.9 * each, tally.verdicts


@pytest.mark.sampled(16)
@pytest.mark.parametrize("chunk", range(4))
def test_programs_that_change_arrays(chunk: int) -> None:
    """None wrong, none crashed."""
    tally = engine.run(range(chunk * 10, (chunk + 1) * 10), SIZE, stop=3, grammar="mutating")
    assert not tally.failures, "\n".join(describe(seed, program) for seed, program, _ in tally.failures[:2])
    assert tally.verdicts["refused"] < 0.4 * 10, tally.refusals.most_common(5)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("chunk", range(8))
def test_programs_as_people_write_them(chunk: int) -> None:
    """None wrong, none crashed."""
    tally = engine.run(range(chunk * 10, (chunk + 1) * 10), real_programs.LENGTH, stop=3, grammar="real")
    assert not tally.failures, "\n".join(describe(seed, program) for seed, program, _ in tally.failures[:2])
    assert tally.verdicts["refused"] <= 4, tally.refusals.most_common(5)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", BUGS)
def test_planted_bug_is_found(name: str) -> None:
    """Within 50 programs; and the same programs are right, or refused, without it."""
    draw = ALL[BUGS[name].grammar].generate
    with planted(name):
        verdicts = ((seed, engine.judge(draw(seed, SIZE), seed).kind) for seed in range(50))
        found = next((seed for seed, kind in verdicts if kind in ("wrong", "crash")), None)
    assert found is not None, f"not found: {BUGS[name].what}"
    assert engine.judge(draw(found, SIZE), found).kind in ("right", "refused")


def test_programs_are_a_function_of_the_seed() -> None:
    assert [generate(seed).text for seed in range(30)] == [generate(seed).text for seed in range(30)]
    assert len({generate(seed).text for seed in range(300)}) == 300


def test_every_feature_occurs() -> None:
    seen = [name for seed in range(400) for name in features(generate(seed, SIZE))]
    assert {name for name in FEATURES if seen.count(name) < 8} == set()


def test_every_feature_of_changes_occurs() -> None:
    """Each in 2 % of the programs, at least."""
    seen = Counter(name for seed in range(1000) for name in mutating.features(mutating.generate(seed)))
    assert {name for name in mutating.FEATURES if seen[name] < 20} == set()


def test_every_feature_of_programs_as_people_write_them_occurs() -> None:
    """Each in 1 % of the programs, at least; the programs are a function of the seed."""
    drawn = [real_programs.generate(seed) for seed in range(600)]
    seen = Counter(name for program in drawn for name in real_programs.features(program))
    assert {name for name in real_programs.FEATURES if seen[name] < 6} == set()
    assert [real_programs.generate(seed) for seed in range(30)] == drawn[:30] and len(set(drawn)) == 600


def test_every_habit_occurs() -> None:
    """Each in 2 % of the programs of both grammars, at least."""
    for grammar in GRAMMARS.values():
        seen = Counter(name for seed in range(500) for name in grammar.features(grammar.generate(seed, SIZE)))
        assert {name for name in habits.FEATURES if seen[name] < 10} == set()


def test_the_tally_is_of_these_programs() -> None:
    """What stands in tally.json was counted of the programs that the grammars draw now, nothing of it wrong,
    and without a gap."""
    counts = counted.load()
    assert set(counts) == set(ALL)
    for name, count in counts.items():
        assert count.meaning == counted.meaning(ALL[name])
        assert not any(one.failures for one in count.sittings)
        assert all(one.programs == sum(one.verdicts.values()) for one in count.sittings)
        assert all(before.next == after.first
                   for before, after in zip(count.sittings, count.sittings[1:], strict=False))
