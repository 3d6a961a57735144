"""What the page is told."""
from __future__ import annotations

import json
from typing import Any

import pytest

import tangent_nb as tnb
from tangent_nb.every import unfit
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.state import Choice, Status, state, texts_of
from tangent_nb.notebook.view import view
from tangent_nb.notebook.wire import packed

from .handmade import defined
from .hostile import TEXTS, program

LOSS = """
def half(t):
    return 0.5 * t


def loss(x, w, b, y):
    h = np.tanh(np.dot(x, w) + b)
    r = half(h - y)
    return np.mean(r * r)
"""

LSTM = '''
def lstm(x, h, c, wi, ui, bi, wf, uf, bf, wo, uo, bo, wg, ug, bg, v, target):
    """An LSTM over a sequence, with a squared loss."""
    loss = 0.0
    n = x.shape[0]
    for t in range(n):
        step = x[t]
        # input gate
        zi = np.dot(step, wi) + np.dot(h, ui) + bi
        i = 1.0 / (1.0 + np.exp(-zi))
        # forget gate
        zf = np.dot(step, wf) + np.dot(h, uf) + bf
        f = 1.0 / (1.0 + np.exp(-zf))
        # output gate
        zo = np.dot(step, wo) + np.dot(h, uo) + bo
        o = 1.0 / (1.0 + np.exp(-zo))
        # candidate
        zg = np.dot(step, wg) + np.dot(h, ug) + bg
        g = np.tanh(zg)
        # state
        c = f * c + i * g
        h = o * np.tanh(c)
        # output
        y = np.dot(h, v)
        r = y - target[t]
        if t > 0:
            loss = loss + np.sum(r * r)
        else:
            loss = loss + 0.5 * np.sum(r * r)
    mean = loss / n
    penalty = 0.0
    penalty = penalty + np.sum(wi * wi) + np.sum(ui * ui)
    penalty = penalty + np.sum(wf * wf) + np.sum(uf * uf)
    penalty = penalty + np.sum(wo * wo) + np.sum(uo * uo)
    penalty = penalty + np.sum(wg * wg) + np.sum(ug * ug)
    total = mean + 0.001 * penalty
    if total > 100.0:
        total = 100.0 * np.log(total / 100.0) + 100.0
    scaled = 2.0 * total
    return scaled
'''


def told(f: Any, wrt: Any = 0, like: Any = None, **more: Any) -> dict[str, Any]:
    df = tnb.grad(f, wrt=wrt, like=like)
    derivation = df.__tangent_nb__  # type: ignore[attr-defined]
    return state(view(df.__name__, derivation, every_pass=True), derivation, texts_of(derivation),
                 Choice.of(derivation), unfit(f), {"jax": "no"}, **more)


def text(found: dict[str, Any], place: int) -> str:
    return "".join(part for _, part in found["lines"][place])


def test_the_stages_are_those_of_the_derivation_and_survive_json() -> None:
    f = defined(LOSS, "loss")
    found = told(f, ("w", "b"), bound="dloss", status=Status(1.5, "checked", True), stale="s", refusal="r")
    assert json.loads(json.dumps(found)) == found
    stages = tnb.stages(tnb.grad(f, wrt=("w", "b")))
    assert [stage["name"] for stage in found["stages"]] == list(stages)
    for stage in found["stages"]:
        assert "\n".join(text(found, row[0]) for row in stage["rows"]) == stages[stage["name"]].rstrip("\n")
    assert found["stages"][found["raw"]]["name"] == "differentiate" and found["final"] == len(stages) - 1
    assert [one["name"] for one in found["options"]["wrt"] if one["on"]] == ["w", "b"]
    assert found["options"]["backends"] == [{"name": "numpy", "reason": ""}, {"name": "numba", "reason": ""},
                                            {"name": "jax", "reason": "no"}, {"name": "jit", "reason": ""}]
    assert [stage["part"] for stage in found["stages"]] == ["yours", "normal form", "derivative"] \
        + ["passes"] * (len(stages) - 4) + ["text"]
    seen = [line for line in stages["emit"].split("\n") if line.strip() and "# " not in line
            and "return other(" not in line]
    assert found["stages"][-1]["count"] == len(seen) and len(seen) < len(found["stages"][-1]["rows"])
    assert found["status"] == {"lines": len(seen), "passes": len(tnb.PASSES), "ms": 1.5,
                               "check": "checked", "good": True}


def test_links_lead_to_the_users_lines() -> None:
    """Helpers that were put in place included; lines of one statement have one colour."""
    found = told(defined(LOSS, "loss"), "w")
    primal = [(number, text(found, line), group) for section in found["primal"]
              for number, line, group in section["rows"]]
    assert [line for _, line, _ in primal][-4:] == LOSS.strip("\n").split("\n")[-4:] \
        and primal[0][1].startswith("def half")
    seen = set()
    for line, group, arrow, origins, _ in found["stages"][found["final"]]["rows"]:
        for key in origins:
            assert primal[key][2] == group or len(origins) > 1
            seen.add((text(found, line).strip(), arrow, primal[key][1].strip()))
    assert any(arrow == "→" and origin == "h = np.tanh(np.dot(x, w) + b)" for _, arrow, origin in seen)
    assert any(arrow == "→" and origin == "return 0.5 * t" for _, arrow, origin in seen)


def test_it_travels_small_and_comes_whole() -> None:
    """A function of forty lines, with all of its stages. (js/test/unpack.test.ts makes the state of it again.)"""
    found = told(defined(LSTM, "lstm"), tuple("wi ui bi wf uf bf wo uo bo wg ug bg v".split()))
    small = packed(found)
    assert len(json.dumps(small, ensure_ascii=False, separators=(",", ":"))) < 68_000
    assert ["".join(part for _, part in line) for line in found["lines"]] == [line[0] for line in small["lines"]]
    for stage, short in zip(found["stages"], small["stages"], strict=True):
        rows = [small["rows"][place] for place in short["rows"]]
        assert [[line, group, arrow, origins, terms] for line, group, arrow, origins, *terms in rows] == stage["rows"]


def test_a_widget_adds_little_to_a_notebook() -> None:
    """What the outputs of a function of forty lines weigh in the file."""
    shown = show(defined(LSTM, "lstm"), wrt=tuple("wi ui bi wf uf bf wo uo bo wg ug bg v".split()))
    assert len(json.dumps(shown._repr_mimebundle_(), ensure_ascii=False)) < 72_000


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_stay_texts(name: str) -> None:
    found = told(defined(program(TEXTS[name]), "f"))
    every = json.dumps(found)
    assert all(kind in ("", "k", "f", "b", "m", "s", "c") for line in found["lines"] for kind, _ in line)
    assert not any(ord(c) < 32 or c in "\u2028\u2029\u202e\u2066" for line in found["lines"] for _, part in line
                   for c in part)
    assert json.loads(every) == found


def test_it_says_whether_it_is_to_be_presented() -> None:
    f = defined(LOSS, "loss")
    assert [show(f, present=present)._shown.state()["present"] for present in (True, False)] == [True, False]


def test_a_derivation_without_stages_has_its_text() -> None:
    from .handmade import DLOSS, derived
    from .handmade import LOSS as PRIMAL

    df = derived(defined(PRIMAL, "loss"), DLOSS, ("w", "b"))
    derivation = df.__tangent_nb__
    found = state(view("d", derivation, every_pass=True), derivation, texts_of(derivation), Choice.of(derivation), {},
                  {})
    assert [stage["name"] for stage in found["stages"]] == ["emit"] and found["raw"] == found["final"] == 0
    assert [text(found, row[0]) for row in found["stages"][0]["rows"]] \
        == derivation.emitted.text.rstrip("\n").split("\n")
