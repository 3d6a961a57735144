"""The sampled tape in the widget: what is chosen, the marks beside the lines, and how far gradients are spread."""
from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook import spread
from tangent_nb.notebook.export import exported
from tangent_nb.notebook.options import OptionError, make
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.tape import same_tape

RNG = np.random.default_rng(0)
W1, W2, X, Y = RNG.normal(size=(8, 6)), RNG.normal(size=(6, 2)), RNG.normal(size=(5, 8)), RNG.normal(size=(5, 2))


def loss(w1, w2, x, y):
    h = np.maximum(x @ w1, 0.0)
    r = h @ w2 - y
    return np.mean(r * r)


def recurrent(w, u, x, h):
    for t in range(len(x)):
        h = np.maximum(x[t] @ u + h @ w, 0.0)
    return np.sum(h * h)


def powers(w, x):
    return np.sum(np.exp(w)) + np.sum(x)


def tangents(x):
    t = np.tanh(x)
    return np.sum(t @ t.T)


def model(p, x):
    return np.sum(np.maximum(x @ p["w"] + p["b"], 0.0))


def noisy(w, x):
    print("called")
    return np.sum((x * np.random.normal(size=x.shape)) @ w)


def poles(w, x):
    return np.sum(np.log(x @ w))


def nowhere(w, x):
    return np.sum(0.0 * (x @ w))


def session(f: Any, tape: str | None = None, wrt: Any = 0, **at: Any) -> Any:
    return show(f, wrt=wrt, at=at or None, tape=tape)._shown


def two(tape: str = "sampled:0.25,seed=0") -> Any:
    return session(loss, tape, (0, 1), w1=W1, w2=W2, x=X, y=Y)


def choose(one: Any, **part: Any) -> str:
    one.choose(replace(one.take.choice, **part))
    return one.refusal                                                     # type: ignore[no-any-return]


def marked(one: Any, stage: int = -1) -> dict[str, set[tuple[str, bool]]]:
    """The text of each row with marks: the arrays, and whether they are kept there."""
    state = one.state()
    place = stage % len(state["stages"])
    [marks] = [marks for at, marks in state["samples"]["stages"] if at == place]
    found: dict[str, set[tuple[str, bool]]] = {}
    for row, site, kept in marks:
        line = state["lines"][state["stages"][place]["rows"][row][0]]
        text = "".join(part for _, part in line).strip()
        found.setdefault(text, set()).add((state["samples"]["sites"][site][0], kept))
    return found


def test_marks_stand_where_samples_are_kept_and_read() -> None:
    found = marked(two("sampled:0.25,method=rademacher"))
    assert found["h_sampled = rt.sample(h, stream, fraction=0.25, method='rademacher')"] == {("h", True)}
    assert ("h", False) in found["bw2 = rt.drawn(h_sampled).T @ br"]
    assert found["greater_bits = rt.pack_bits(rt.greater(product, 0.0))"] == {("rt.greater(product, 0.0)", True)}
    assert sorted(name for name, _ in found["bw1 = rt.drawn(x_sampled).T @ (bh * rt.unpack_bits(greater_bits))"]) \
        == ["rt.greater(product, 0.0)", "x"]
    samples = two("sampled:0.25,method=rademacher,share=batch,seed=3").state()["samples"]
    assert ["h", "sampled", 0.25, "0.25 of the last axis, projected on random signs, the same for all rows"] \
        in samples["sites"]
    assert samples["tape"] == "sampled:0.25,method=rademacher,seed=3" and samples["rest"] == ",seed=3"


def test_only_stages_with_samples_have_marks() -> None:
    state = two().state()
    names = [state["stages"][at]["name"] for at, _ in state["samples"]["stages"]]
    assert names == ["sample", "emit"]
    assert session(loss, w1=W1, w2=W2, x=X, y=Y).state()["samples"]["stages"] == []


def test_what_a_loop_keeps_on_a_list_is_known_where_it_is_read() -> None:
    w, u, x, h = RNG.normal(size=(6, 6)) / 4, RNG.normal(size=(3, 6)), RNG.normal(size=(4, 5, 3)), np.ones((5, 6))
    found = marked(session(recurrent, "sampled:0.5", (0, 1), w=w, u=u, x=x, h=h))
    assert found["h_saved.append(rt.sample(h, stream, fraction=0.5))"] == {("h", True)}
    reads = [marks for text, marks in found.items() if "rt.drawn(h)" in text]
    assert reads and all(("h", False) in marks for marks in reads)


@pytest.mark.parametrize("text, form", [
    ("sampled: 0.10", "sampled:0.1"), ("sampled:fraction=1,share=batch", "sampled:1"), ("", ""),
    ("sampled:k=30,seed=0,relu_bits=False", "sampled:k=30,relu_bits=False,seed=0"),
    ("sampled:0.1,at=matmul,inputs=False", "sampled:0.1,at=matmul,inputs=False"),
])
def test_a_tape_has_one_form(text: str, form: str) -> None:
    assert same_tape(text) == form == same_tape(form)


def test_the_tape_is_chosen_as_the_rest_is_and_what_was_derived_is_there_yet() -> None:
    one = two()
    first = one.take
    assert choose(one, tape="sampled: 0.50") == "" and one.take.choice.tape == "sampled:0.5"
    assert "fraction=0.5" in one.take.derived.derivation.emitted.text
    assert choose(one, tape="") == "" and "rt.sample(" not in one.take.derived.derivation.emitted.text
    assert choose(one, tape="sampled:0.250,seed=0") == "" and one.take is first
    exact = session(loss, w1=W1, w2=W2, x=X, y=Y)
    assert choose(exact, tape="sampled:0.1,share=none") == "" and exact.state()["samples"]["share"] == "none"


@pytest.mark.parametrize("part, says", [
    ({"tape": "sampled:2"}, "fraction is a number above 0 and at most 1, not 2"),
    ({"tape": "sampled:0"}, "at most 1, not 0"), ({"tape": "sampled:nan"}, "at most 1, not 'nan'"),
    ({"tape": "sampled:k=0"}, "k is a whole number from 1 on"), ({"tape": "checkpointed"}, "the tape is sampled"),
    ({"tape": "sampled:0.1,method=paths"}, "no loop adds up a gradient of what it saves in its trips"),
    ({"tape": "sampled:0.1,method=rademacher,share=none"}, "more memory than the tape"),
    ({"backend": "numba"}, "Numba draws no samples: choose the exact tape first"),
    ({"mode": "forward"}, "forward mode keeps nothing"),
    ({"wrt": ("x",), "tape": "sampled:0.1,inputs=False"}, "Sampled"),
])
def test_what_is_refused_is_said_and_what_was_shown_stays(part: dict[str, Any], says: str) -> None:
    one = two()
    shown = one.take
    assert says in choose(one, **part) and one.take is shown
    assert one.state()["refusal"] == one.refusal and one.state()["samples"]["fraction"] == 0.25


def test_where_nothing_can_be_sampled_it_is_refused() -> None:
    one = session(powers, w=W1, x=X)
    assert "samples nothing here: no array is saved" in choose(one, tape="sampled:0.1") and one.take.choice.tape == ""
    assert "needs the sign alone" in choose(session(tangents, x=X), tape="sampled:0.1")


def test_a_check_is_of_an_exact_tape() -> None:
    one = show(loss, at={"w1": W1, "w2": W2, "x": X, "y": Y}, check=True)._shown
    assert "right on average alone" in choose(one, tape="sampled:0.5")     # type: ignore[arg-type]


def test_the_spread_is_the_variance_of_the_gradient_and_the_mean_is_right() -> None:
    one = two()
    [point] = one.spread("sampled:0.25")["points"]
    exact = tnb.grad(loss, wrt=(0, 1))(W1, W2, X, Y)
    expected = tnb.variance(tnb.grad(loss, wrt=(0, 1), tape=tnb.Sampled(0.25, seed=5)), W1, W2, X, Y, n=2000)
    for (name, size, length, deviation, off, mean, error, along), whole, spread_ in zip(
            point["parameters"], exact, expected, strict=True):
        assert size == whole.size and length == pytest.approx(np.linalg.norm(whole), rel=1e-5)
        assert deviation == pytest.approx(np.sqrt(np.sum(spread_)), rel=0.25)
        assert off < 3.0 * deviation / np.sqrt(point["draws"]) and abs(mean - 1.0) < 4.5 * error
        assert 2 <= len(along) <= spread.SHOWN_DRAWS
    assert [row[0] for row in point["parameters"]] == ["w1", "w2"] and point["fraction"] == 0.25


def test_draws_are_the_same_each_time_and_each_point_is_measured_once() -> None:
    one, other = two(), two("sampled:0.5")
    first = one.spread("sampled:0.25")
    assert one.spread("sampled: 0.250")["points"] == first["points"] and len(one.spread("sampled:0.5")["points"]) == 2
    again = other.spread("sampled:0.25")["points"][0]["parameters"]
    assert again[0][7][:2] == first["points"][0]["parameters"][0][7][:2]


def test_the_bytes_are_those_of_the_tape() -> None:
    one = two()
    found = one.spread("sampled:0.25")
    [point] = found["points"]
    args = (W1, W2, X, Y)
    sampled = tnb.grad(loss, wrt=(0, 1), tape=tnb.Sampled(0.25), like=args)
    assert point["bytes"] == tnb.tape_report(sampled, *args).bytes
    assert found["bytes"] == tnb.tape_report(tnb.grad(loss, wrt=(0, 1), like=args), *args).bytes
    kept = {(row[1], row[2]) for row in point["sites"]}
    assert (2 * 5 * 8, X.nbytes) in kept and (2 * 5 * 8, 5 * 6 * 8) in kept
    assert [one.whole for one in tnb.tape_report(sampled, *args).of("signs")] == [5 * 6 * 8]


def test_without_replacement_all_of_it_is_exact() -> None:
    [point] = two().spread("sampled:1,method=without_replacement")["points"]
    assert [(row[3], row[4], row[5]) for row in point["parameters"]] == [(0.0, 0.0, 1.0)] * 2


def test_the_stream_that_is_shown_and_random_numbers_of_the_user_are_left_alone(
        capsys: pytest.CaptureFixture[str]) -> None:
    one, other = two(), two()
    one.spread("sampled:0.25")
    a, b = (each.take.derived.function(W1, W2, X, Y) for each in (one, other))
    assert np.array_equal(a[0], b[0])
    quiet = session(noisy, "sampled:0.5", w=W1, x=X)
    capsys.readouterr()
    np.random.seed(3)
    found = quiet.spread("sampled:0.5")["points"][0]["parameters"][0]
    assert np.random.normal() == np.random.RandomState(3).normal() and capsys.readouterr().out == ""
    assert found[3] > 0.0


def test_gradients_in_containers_are_one_row_of_numbers() -> None:
    p = {"w": W1, "b": np.zeros(6)}
    [point] = session(model, "sampled:0.5", p=p, x=X).spread("sampled:0.5")["points"]
    assert point["parameters"][0][:2] == ["p", W1.size + 6]


def test_what_is_not_finite_or_zero_or_empty_is_told_and_can_be_sent() -> None:
    with np.errstate(all="ignore"):
        [point] = session(poles, "sampled:0.5", w=W1 * 0.0, x=X).spread("sampled:0.5")["points"]
    assert point["parameters"][0][2:7] == [None] * 5 and point["parameters"][0][7] == []
    [point] = session(nowhere, "sampled:0.5", w=W1, x=X).spread("sampled:0.5")["points"]
    assert point["parameters"][0][2:7] == [0.0, 0.0, 0.0, None, None]
    [point] = session(loss, "sampled:0.5", w1=np.zeros((8, 0)), w2=np.zeros((0, 2)), x=X, y=Y).spread(
        "sampled:0.5")["points"]
    assert point["parameters"][0][1] == 0
    json.dumps(point, allow_nan=False)


def test_it_needs_arguments_and_a_sampled_tape() -> None:
    one = session(loss, "sampled:0.5")
    assert "--at" in one.state()["tools"]["spread"]
    with pytest.raises(OptionError, match="--at"):
        one.spread("sampled:0.5")
    for tape, says in (("", "exact gradient has no spread"), ("sampled:7", "at most 1, not 7")):
        with pytest.raises(OptionError, match=says):
            two().spread(tape)


def test_another_choice_or_a_cell_begins_anew() -> None:
    one = two()
    one.spread("sampled:0.25")
    choose(one, tape="sampled:0.5,seed=0")
    assert len(one.spread("sampled:0.5")["points"]) == 2
    choose(one, wrt=("w1",))
    assert "spread" not in one.measures() and len(one.spread("sampled:0.5")["points"]) == 1
    one.forget()
    assert "spread" not in one.measures()


def test_an_error_of_the_function_is_passed_on() -> None:
    one = session(loss, "sampled:0.5", w1=W1, w2=W2, x=X, y=Y)
    one.take.at.arguments["x"] = X[:, :3]
    with pytest.raises(ValueError, match="matmul"):
        one.spread("sampled:0.5")
    assert one.measures() == {"spread": {"bytes": None, "points": []}}


def test_an_exported_page_has_what_was_measured_and_the_exact_tape() -> None:
    one = two()
    one.spread("sampled:0.25,seed=0")
    page = exported(one)
    assert '"spread":{"bytes":' in page and '"tape":"sampled:0.25,seed=0"' in page
    keys = [(mode, tape) for mode, _, _, _, tape in one.variants()]
    assert ("reverse", "") in keys and ("forward", "") in keys and ("reverse", "sampled:0.25,seed=0") in keys


def test_it_is_told_of_a_stored_output_that_the_cell_must_run() -> None:
    from tangent_nb.notebook.shown import GONE
    assert "run the cell" in GONE["tools"]["spread"]                       # type: ignore[index]
    assert make(tape="sampled:0.1").tape == "sampled:0.1"


def curve(w, v, xs):
    total = 0.0
    for x in xs:
        h = np.tanh(w * x)
        total += h * np.sin(h * v)
    return np.sqrt(total)


def test_marks_of_paths_and_on_jax() -> None:
    xs = np.linspace(0.1, 1.0, 20)
    one = session(curve, "sampled:k=3,method=paths", (0, 1), w=0.5, v=1.5, xs=xs)
    found = marked(one)
    assert found["ways = rt.paths(rt.trips(xs), stream, k=3)"] == {("x", True)}
    assert found["for x, way in zip(reversed(xs), reversed(ways)):"] == {("x", False)}
    assert ["x", "sampled", 0.0, "3 of the trips, drawn with replacement"] in one.state()["samples"]["sites"]
    pytest.importorskip("jax")
    jax = two()
    assert choose(jax, backend="jax") == ""
    found = marked(jax)
    assert found["h_sampled = rt.sample(h, stream, fraction=0.25)"] == {("h", True)}
    assert any(("h", False) in marks for text, marks in found.items() if "rt.drawn(h_sampled)" in text)
    assert any(not kept for text, marks in found.items() if "rt.unpack_bits(" in text for _, kept in marks)
