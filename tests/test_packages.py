"""What the tally of published packages counts as lost, and the tally that is kept."""
import json

from benchmarks import packages


def test_less_known_is_lost_and_more_is_gained():
    before = {"a": "right", "b": "refused", "c": "right", "d": "refused", "e": "wrong", "f": "right", "h": "right"}
    now = {"a": "refused", "b": "crash", "c": "right", "d": "right", "e": "refused", "g": "wrong", "h": "undecided"}
    lost, gained = packages.compared(before, now)
    assert lost == ["a: right, now refused", "b: refused, now crash", "f: right, now not called",
                    "h: right, now undecided"]
    assert gained == ["d: refused, now right", "e: wrong, now refused"]


def test_the_tally_that_is_kept_is_of_the_packages():
    kept = json.loads(packages.KEPT.read_text(encoding="utf-8"))
    assert set(kept) <= set(packages.PACKAGES) and list(kept) == sorted(kept)
    for one in kept.values():
        assert 0 < len(one["functions"]) <= packages.MOST and set(one["functions"].values()) <= set(packages.KINDS)
