"""Pairs of names that share memory, against sets of triples that are gone through whole."""
from __future__ import annotations

import random

import pytest

from tangent_nb.analyse.pairs import TURNED, Pairs

NAMES = "abcde"
HOW = ("whole", "view", "holds", "of", "share", "keeps", "given", "mixed")


def both_ways(triples):
    return frozenset(triples) | {(b, a, TURNED.get(how, how)) for a, b, how in triples if a != b}


def triples_of(pairs):
    return {(name, other, how) for name, partners in pairs.by_name.items() for other, how in partners}


@pytest.mark.parametrize("seed", range(40))
def test_they_are_what_sets_of_triples_are(seed):
    draw = random.Random(seed)
    kept = [(Pairs(), frozenset())]
    for _ in range(30):
        pairs, triples = draw.choice(kept)
        step = draw.choice(("adding", "without", "joined"))
        if step == "adding":
            new = [(draw.choice(NAMES), draw.choice(NAMES), draw.choice(HOW)) for _ in range(draw.randrange(4))]
            pairs, triples = pairs.adding(new), triples | both_ways(new)
        elif step == "without":
            gone = set(draw.sample(NAMES, draw.randrange(3)))
            pairs, triples = pairs.without(gone), frozenset(one for one in triples if not gone & set(one[:2]))
        else:
            other, others = draw.choice(kept)
            pairs, triples = pairs.joined(other), triples | others
        assert triples_of(pairs) == triples
        for name in NAMES:
            assert pairs.partners(name) == {(b, how) for a, b, how in triples if a == name}
            assert set(pairs.in_common(name)) == {how for a, b, how in triples if a == b == name}
        kept.append((pairs, triples))
    for pairs, triples in kept:                            # none was changed by what was made of it later
        assert triples_of(pairs) == triples
        assert all((pairs == other) == (triples == others) for other, others in kept)
