"""What the page may ask: everything else is refused, whatever it is."""
from __future__ import annotations

from typing import Any

import pytest

from tangent_nb.notebook.messages import Ask, MessageError, number_of, parse
from tangent_nb.notebook.state import Choice

GOOD: dict[str, Any] = {"kind": "derive", "id": 7, "wrt": ["w", "x"], "mode": "forward", "backend": "numpy",
                        "passes": ["b"], "tape": ""}
BAD: dict[str, Any] = {
    "no object": None, "a list": [GOOD], "a text": "derive", "empty": {}, "no kind": {"id": 1},
    "unknown kind": {"kind": "eval", "id": 1}, "kind of another type": {"kind": ["derive"], "id": 1},
    "no number": {"kind": "use"}, "number as text": {"kind": "use", "id": "1"},
    "truth as number": {"kind": "use", "id": True}, "negative": {"kind": "use", "id": -1},
    "a path to save to": {"kind": "take", "id": 1, "path": "/etc/passwd"},
    "huge": {"kind": "use", "id": 10 ** 30}, "fraction": {"kind": "use", "id": 1.5},
    "unknown field": {"kind": "use", "id": 1, "code": "1"}, "prototype": {"kind": "use", "id": 1, "__proto__": {}},
    "missing field": {k: v for k, v in GOOD.items() if k != "mode"}, "unknown mode": {**GOOD, "mode": "sideways"},
    "mode of another type": {**GOOD, "mode": {"a": 1}}, "unknown backend": {**GOOD, "backend": "torch; import os"},
    "unknown parameter": {**GOOD, "wrt": ["x", "__class__"]}, "nothing chosen": {**GOOD, "wrt": []},
    "parameters as text": {**GOOD, "wrt": "x"}, "a list in a list": {**GOOD, "wrt": [["x"]]},
    "unknown pass": {**GOOD, "passes": ["a", "../../etc"]}, "very many": {**GOOD, "passes": ["a"] * 100_000},
    "fifty megabytes": {**GOOD, "mode": "r" * 50_000_000},
    "fifty megabytes of names": {**GOOD, "wrt": ["x" * 50_000_000]},
    "no helper": {"kind": "helper", "id": 1}, "unknown helper": {"kind": "helper", "id": 1, "name": "eval"},
    "a private helper": {"kind": "helper", "id": 1, "name": "_dtype"},
    "a path for a helper": {"kind": "helper", "id": 1, "name": "../api"},
    "helper of another type": {"kind": "helper", "id": 1, "name": ["cut"]},
    "no steps": {"kind": "moments", "id": 1, "piece": -1}, "steps as text": {"kind": "moments", "id": 1, "piece": "0"},
    "no calls": {"kind": "fold", "id": 1, "calls": None}, "a call below": {"kind": "fold", "id": 1, "calls": [-1]},
    "truth as a call": {"kind": "fold", "id": 1, "calls": [True]},
    "a call as text": {"kind": "fold", "id": 1, "calls": ["0"]},
    "truth as steps": {"kind": "moments", "id": 1, "piece": True},
    "steps far away": {"kind": "moments", "id": 1, "piece": 10 ** 9},
    "a step with a field": {"kind": "step", "id": 1, "at": "x=1"},
    "a tape of another type": {**GOOD, "tape": None}, "a long tape": {**GOOD, "tape": "s" * 257},
    "no tape": {"kind": "spread", "id": 1}, "a spread at arguments": {"kind": "spread", "id": 1, "tape": "", "at": "x"},
    "many fields": {**GOOD, **{f"k{i}": i for i in range(1000)}},
}


def test_a_good_one_is_read_in_the_order_of_the_known_names() -> None:
    assert parse(GOOD, ["x", "w"], ["a", "b"]) == Ask("derive", 7, Choice(("x", "w"), "forward", "numpy", ("b",)))
    assert parse({"kind": "again", "id": 0}, [], []) == Ask("again", 0)
    assert parse({"kind": "moments", "id": 4, "piece": 12}, [], []) == Ask("moments", 4, piece=12)
    assert parse({"kind": "fold", "id": 4, "calls": [2, 0, 2]}, [], []) == Ask("fold", 4, calls=frozenset((0, 2)))
    assert parse({"kind": "take", "id": 1}, [], []) == Ask("take", 1)
    assert parse({**GOOD, "tape": "sampled:9"}, ["x", "w"], ["a", "b"]).choice.tape == "sampled:9"   # type: ignore
    assert parse({"kind": "spread", "id": 2, "tape": "sampled:0.1"}, [], []) == Ask("spread", 2, text="sampled:0.1")


def test_a_helper_is_asked_for_by_a_name_that_is_known() -> None:
    assert parse({"kind": "helper", "id": 1, "name": "cut"}, [], []) == Ask("helper", 1, name="cut")


@pytest.mark.parametrize("name", BAD)
def test_all_others_are_refused(name: str) -> None:
    with pytest.raises(MessageError) as refused:
        parse(BAD[name], ["x", "w"], ["a", "b"])
    assert len(str(refused.value)) < 100 and "import os" not in str(refused.value)
    assert number_of(BAD[name]) in (None, 1, 7)
