"""A recorded run as the page is told of it: in pieces that fit together, of the derivative that is shown."""
from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook import show
from tangent_nb.notebook.export import exported
from tangent_nb.notebook.options import OptionError, parse
from tangent_nb.notebook.shown import bundle_of, played
from tangent_nb.notebook.stepping import PIECE, overview, piece, sent
from tangent_nb.notebook.widget import DerivativeWidget
from tangent_nb.tracing.snapshots import of_array


def mlp(x: Any, w: Any, b: Any) -> Any:
    h = np.tanh(x @ w + b)
    return np.sum(h * h)


def loop(x: Any, n: int) -> Any:
    for _ in range(n):
        x = x - 0.5 * np.sin(x)
    return x


AT = {"x": np.arange(6.0).reshape(2, 3) / 7.0, "w": np.eye(3)[:, :2], "b": np.zeros(2)}


def session(f: Any = mlp, at: Any = None, **options: Any) -> Any:
    return show(f, at=AT if at is None else at, **options)._shown


def test_an_overview_and_pieces() -> None:
    one = session(loop, {"x": 1.0, "n": 60})
    recording = one.recording()
    whole = overview(recording, one.keys)
    steps = whole["steps"]
    assert steps == len(recording) > 2 * PIECE
    assert all(len(whole[name]) == steps for name in ("site", "call", "kind", "sweep"))
    assert json.loads(json.dumps(whole, allow_nan=False)) == whole
    rows = one.state()["stages"][-1]["rows"]
    assert all(row < len(rows) for row, *_ in whole["sites"])
    pieces = [piece(recording, number) for number in range((steps - 1) // PIECE + 1)]
    assert sum(len(one["moments"]) for one in pieces) == steps
    for at in (0, 1, PIECE - 1, PIECE, steps - 1):
        part = pieces[at // PIECE]
        variables, stacks = part["moments"][at % PIECE]
        values = {name: part["values"][place][0] for name, _, place, *_ in variables if place >= 0}
        assert values["x"] == repr(float(recording[at]["x"]))
        if "x_saved" in recording[at].variables:
            assert stacks[0][:2] == ["x_saved", recording[at]["x_saved"].length]


def test_where_a_variable_changes_next_is_where_it_changes() -> None:
    one = session(loop, {"x": 1.0, "n": 5})
    recording = one.recording()
    part = piece(recording, 0)
    for at, (variables, _) in enumerate(part["moments"]):
        for name, partner, _, _, marks, following in variables:
            changes = [change.step for own in (name, partner) if own for change in recording.changes(own)]
            assert following == min((step for step in changes if step > at), default=-1)
            assert (marks > 0) == (at in changes)


def test_values_are_numbers_that_json_knows() -> None:
    text, shape, cells = sent(of_array(np.array([[1.0, np.nan], [np.inf, -np.inf]])))
    assert shape == [2, 2] and cells == [1.0, "NaN", "Inf", "-Inf"] and "float64" in text
    assert sent(of_array(np.zeros(65)))[2] == [] and sent(of_array(np.ones(2, complex)))[2] == []
    assert "\u202e" not in sent("a\u202eb")[0]


def test_the_page_asks_and_is_answered() -> None:
    one = session()
    widget = DerivativeWidget(one)
    answers: list[Any] = []
    widget.send = lambda content, buffers=None: answers.append(content)     # type: ignore[method-assign]
    before = json.dumps(widget.state)
    widget._asked(None, {"kind": "step", "id": 1}, [])
    widget._asked(None, {"kind": "moments", "id": 2, "piece": 0}, [])
    widget._asked(None, {"kind": "moments", "id": 3, "piece": 77}, [])
    assert [answer["kind"] for answer in answers] == ["stepped", "moments", "moments"]
    assert answers[1]["moments"]["moments"] and answers[2]["moments"]["moments"] == []
    assert json.dumps(widget.state) == before, "a saved notebook does not grow"


def test_another_choice_is_another_run() -> None:
    one = session()
    first = one.recording()
    assert one.recording() is first and one.has_recording
    one.choose(one.take.choice.__class__(("w", "b"), "reverse", "numpy", ()))
    assert not one.has_recording
    second = one.recording()
    assert second is not first and len(second) > len(first)
    assert np.allclose(second.result[0], tnb.grad(mlp, "w")(*AT.values()))


def test_forward_mode_and_arguments_that_change() -> None:
    def doubles(x: Any) -> Any:
        x[0] = x[0] * 2.0
        return np.sum(x)

    x = np.ones(2)
    one = session(doubles, {"x": x}, mode="forward")
    assert float(one.recording().result) == 3.0 and np.array_equal(x, [1.0, 1.0])


def test_what_cannot_be_stepped_through_says_why() -> None:
    one = show(mlp)._shown
    assert "--at" in one.state()["step"]["reason"]                         # type: ignore[union-attr]
    with pytest.raises(OptionError, match="--at"):
        one.recording()                                                    # type: ignore[union-attr]
    for line in ("--step", '--step --at "x=1" -b jax', '--step --at "x=1" -c numba'):
        with pytest.raises(OptionError, match="--step"):
            parse(line)
    assert parse('--step --at "x=1"')[0].step
    assert session(step=True).state()["step"] == {"reason": "", "open": True}


def test_an_exported_page_carries_a_short_run() -> None:
    one = session()
    assert '"recording"' not in exported(one)
    one.recording()
    assert '"recording":{"overview":' in exported(one)
    long = session(loop, {"x": 1.0, "n": 5000})
    long.recording()
    assert '"recording":null' in exported(long)


def test_a_recording_is_shown_by_itself() -> None:
    recording = tnb.step(tnb.grad(mlp, "w"), *AT.values())
    one = played(recording)._shown
    assert one.recording() is recording and one.state()["step"] == {"reason": "", "open": True}      # type: ignore
    assert "dmlp_dw" in bundle_of(recording)["text/plain"]


def test_the_magic_opens_it_at_once(shell: Any) -> None:
    seen = shell.run('%%grad --step --at "x=2.0"\ndef f(x):\n    return x * x\n')
    assert seen.ok and "df/dx  4.0" in seen.displays[0]["text/plain"]
    refused = shell.run("%%grad --step\ndef f(x):\n    return x * x\n")
    assert "--step needs arguments" in refused.text + refused.stderr + str(refused.error)
