"""What is recorded is what was so: each value of each variable after each step, whatever way it changed."""
from __future__ import annotations

import copy
import gc
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.tracing import Recording
from tangent_nb.tracing import record as record_module
from tangent_nb.tracing.record import Recorder
from tangent_nb.tracing.snapshots import (
    UNBOUND,
    Other,
    Parts,
    Summary,
    is_array,
    is_still,
    of_leaf,
    parts_of,
    same_leaf,
)


class Watched(Recorder):
    """Keeps a copy of all variables of all calls that run, after each step."""

    seen: list[list[tuple[int, dict[str, Any]]]] = []

    def _end(self, *args: Any, **kwargs: Any) -> None:
        state = []
        for running in self.stack:
            local = running.activation.frame.f_locals
            state.append((running.call.number, {name: _copied(local[name]) for name in running.own if name in local}))
        self.seen.append(state)
        super()._end(*args, **kwargs)


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(df: Any, *args: Any, **kwargs: Any) -> Recording:
        monkeypatch.setattr(Watched, "seen", [])
        monkeypatch.setattr(record_module, "Recorder", Watched)
        recording = tnb.step(df, *args, **kwargs)
        assert len(Watched.seen) == len(recording) > 0
        for step, state in enumerate(Watched.seen):
            for number, variables in state:
                call = recording.calls[number]
                found = recording.variables(call, step)
                found.pop("return", None)
                assert set(found) == set(variables), (step, recording[step])
                for name, value in variables.items():
                    assert holds(found[name], value), (step, name, found[name], value, recording[step])
        return recording

    return run


def holds(kept: Any, value: Any) -> bool:
    """What is kept is true of a value."""
    if isinstance(kept, Other):
        return is_array(value) is False
    if is_array(value):
        if isinstance(kept, Summary):
            finite = value[np.isfinite(value)]
            ends = (finite.min(), finite.max()) if finite.size else (None, None)
            assert value.size > 64 and (kept.low, kept.high) == ends
            assert kept.nans == np.isnan(value).sum() and kept.infs == np.isinf(value).sum()
        return is_still(kept, value)
    parts = parts_of(value)
    if parts is None:
        return same_leaf(kept, of_leaf(value))
    values = parts if isinstance(parts, list) else list(parts.values())
    return isinstance(kept, Parts) and kept.length == len(values) and all(map(holds, kept.values, values))


def loop(x: Any, n: int) -> Any:
    for _ in range(n):
        x = x - 0.5 * np.sin(x)
    return np.sum(x)


def half(t: Any) -> Any:
    if t > 1.0:
        t = t / 2.0
    return t


def recursive(x: Any, n: int) -> Any:
    if n == 0:
        return half(x) * x
    return np.sin(recursive(x, n - 1))


def in_place(x: Any) -> Any:
    a = np.zeros((len(x), 2))
    view = a[:, 0]
    for i in range(len(x)):
        a[i] = x[i] * np.arange(1.0, 3.0)
        a[i, 1] += 1.0
    a *= 2.0
    return np.sum(a * a) + np.sum(view)


def containers(p: dict, x: Any) -> Any:
    h = x
    kept = []
    for w, b in zip(p["w"], p["b"]):
        h = np.tanh(h @ w + b)
        kept.append(h)
    return sum(np.sum(one) for one in kept)


def branches(x: Any) -> Any:
    y = 0.0
    while y < 3.0:
        y = y + x * x
        if y > 2.0:
            break
    return y * x


def parameters() -> dict[str, Any]:
    draw = np.random.default_rng(0).normal
    return {"w": [draw(size=(4, 4)) for _ in range(3)], "b": [draw(size=4) for _ in range(3)]}


@pytest.mark.parametrize("f, args", [
    (loop, (1.0, 5)), (loop, (np.linspace(0.0, 1.0, 100), 3)), (recursive, (1.5, 3)), (in_place, (np.ones(3),)),
    (containers, (parameters(), np.ones((2, 4)))), (branches, (0.7,)), (loop, (np.zeros(0), 2))])
@pytest.mark.parametrize("optimized", [True, False])
def test_each_value_at_each_step(watched: Any, f: Any, args: Any, optimized: bool) -> None:
    df = tnb.grad(f, optimized=optimized)
    recording = watched(df, *args)
    expected = df(*args)
    assert repr(recording.result) == repr(expected)
    backward = [one.step for one in recording if one.sweep == "backward"]
    assert backward and recording[0].sweep == "forward" and recording[-1].sweep == "backward"


def test_values_that_helpers_of_the_users_change(watched: Any) -> None:
    recording = watched(tnb.grad(uses_helpers), 2.0)
    names = {call.function for call in recording.calls}
    assert {"stores", "through_a_view", "raises"} <= names
    assert any(one.kind == "raised" and one.function == "raises" for one in recording)
    noted = recording.changes("noted")
    assert any(isinstance(one.value, Parts) and one.value.length == 3 for one in noted)
    grid = [one for one in recording.changes("grid") if isinstance(one.value, np.ndarray)]
    assert len({one.value.tobytes() for one in grid}) >= 3


def stores(noted: list, value: float) -> int:
    noted.append(float(value))
    noted += [1.0]
    noted.insert(0, len(noted))
    return len(noted)


def through_a_view(grid: Any, at: int) -> int:
    part = grid[at:]
    part[0] = 5.0
    np.copyto(part[1:], 7.0)
    part.sort()
    np.add(part, 1.0, out=part)
    np.add.at(part, [0, 0], 1.0)
    return at


class Held:
    def __init__(self) -> None:
        self.items = {"a": [1.0]}

    def __iadd__(self, other: Any) -> Any:
        self.items["a"][0] += 1.0
        return self

    def change(self) -> None:
        self.items["b"] = [2.0]


def raises(noted: list, grid: Any) -> int:
    held = Held()
    held += 1
    held.change()
    box = {"grid": grid, "deep": [[grid]]}
    alias = noted
    alias[0] = 17
    del alias[1]
    del alias
    try:
        box["deep"][0][0][1] = -1.0
        noted[99] = 0
    except IndexError:
        noted.append(3.0)
    return [grid.fill(4.0), len(noted)][1]


def counts(k: Any) -> int:
    noted: list = []
    grid = np.zeros(4)
    total = stores(noted, 1.0) + through_a_view(grid, 1)
    for item in (one * 2 for one in range(2)):
        total += item
    total += raises(noted, grid)
    return total


def uses_helpers(x: Any) -> Any:
    return x * x * counts(3)


def test_the_result_and_what_runs_are_those_of_the_derivative(watched: Any) -> None:
    df = tnb.grad(loop)
    recording = watched(df, 1.0, 3)
    assert recording.result == df(1.0, 3)
    again = tnb.step(df, x=1.0, n=3)
    assert str(again) == str(recording)


def test_pairs_are_those_of_the_derivation() -> None:
    def f(x: Any, w: Any) -> Any:
        h = np.tanh(x * w)
        bh = 2.0 * h                               # a name of the user's
        return np.sum(h * bh)

    df = tnb.grad(f, "w", optimized=False)
    recording = tnb.step(df, np.ones(2), np.ones(2))
    pairs = recording[-1].pairs
    known = tnb.api.derivation(df).cotangents
    assert {name: pairs[name] for name in known if name in pairs} == {
        name: held for name, held in known.items() if name in recording[-1].variables or name == "f"}
    assert pairs["h"] != "bh" and pairs["bh"] not in ("bh", pairs["h"])
    bh = recording[-1][pairs["bh"]]
    assert np.allclose(bh, np.tanh(np.ones(2)))


def test_saved_lists_fill_and_empty() -> None:
    recording = tnb.step(tnb.grad(loop), 1.0, 3)
    lengths = [one.value.length for one in recording.changes("x_saved")]
    assert lengths == [0, 1, 2, 3, 2, 1, 0]
    pushed = [one for one in recording if "x_saved.append" in one.text]
    assert "x_saved = list of 1, got 1.0" in repr(pushed[0])
    popped = [one for one in recording if "x_saved.pop" in one.text]
    assert "x_saved = list of 0, gave 1.0" in repr(popped[-1])
    assert popped[-1]["x"] == 1.0 and popped[0]["x_saved"].length == 2


def test_where_a_step_is() -> None:
    df = tnb.grad(recursive)
    recording = tnb.step(df, 1.5, 2)
    inner = [one for one in recording if one.function == "half"]
    assert inner == [] or {one.site.generated for one in inner} == {False}
    deep = max(recording, key=lambda one: one.depth)
    assert deep.depth >= 2 and deep.call.caller is not None and deep.sweep in ("forward", "backward")
    line = next(one for one in recording if one.users)
    assert line.users[0].text in Path(__file__).read_text(encoding="utf-8") and line.users[0].line > 0
    assert all(one.text == line.text for one in recording.at_line(line.line)
               if one.site.filename == line.site.filename)
    assert recording.at_line(10 ** 6) == []


def test_limits_say_what_they_leave_out() -> None:
    df = tnb.grad(loop)
    whole = tnb.step(df, 1.0, 50)
    short = tnb.step(df, 1.0, 50, steps=20)
    assert len(short) == 20 and len(short) + short.left_out == len(whole) and short.result == whole.result
    assert f"the first 20 steps are recorded: then the limit of steps was reached, and {short.left_out} more ran" \
        in str(short)
    assert [repr(one).split() for one in short] == [repr(one).split() for one in whole[:20]]
    small = tnb.step(df, np.zeros(1000), 50, bytes=20_000)
    assert small.columns.full == "bytes" and 0 < len(small) < len(whole)
    assert np.array_equal(small.result, df(np.zeros(1000), 50))
    for limits in ({"steps": 0}, {"steps": 2.0}, {"bytes": -1}):
        with pytest.raises(TangentError, match="is no limit"):
            tnb.step(df, 1.0, 5, **limits)         # type: ignore[arg-type]


def test_an_error_in_the_middle_ends_the_recording() -> None:
    def f(x: Any, table: Any) -> Any:
        y = x * x
        return y * table["k"]

    recording = tnb.step(tnb.grad(f), 2.0, {})
    assert isinstance(recording.error, KeyError) and recording[-1].kind == "raised" and "table" in recording[-1].text
    assert "the run ended with KeyError: 'k'" in str(recording)
    with pytest.raises(KeyError):
        _ = recording.result
    assert recording[-1]["x"] == 2.0


def test_what_is_refused() -> None:
    with pytest.raises(TangentError):
        tnb.step(loop, 1.0, 2)
    pytest.importorskip("jax")
    with pytest.raises(TangentError, match="backend='numpy'"):
        tnb.step(tnb.grad(half, backend="jax"), 2.0)


def test_second_derivatives_and_forward_mode(watched: Any) -> None:
    second = tnb.grad(tnb.grad(cube))
    recording = watched(second, 2.0)
    assert recording.result == 12.0
    assert any("return x * x * x" in user.text for one in recording for user in one.users)
    forward = watched(tnb.jvp(cube), 2.0, dx=1.0)
    assert forward.result == 12.0 and forward[-1].pairs["x"] == "dx"
    both = watched(tnb.value_and_grad(cube), 2.0)
    assert both.result == (8.0, 12.0)


def cube(x: Any) -> Any:
    return x * x * x


def test_warnings_and_settings_are_as_they_were() -> None:
    before = np.geterr()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recording = tnb.step(tnb.grad(logs), np.array([0.0, 1.0]))
    assert np.geterr() == before and recording.first_bad() is not None
    with np.errstate(divide="raise"):
        assert isinstance(tnb.step(tnb.grad(logs), np.array([0.0, 1.0])).error, FloatingPointError)


def logs(x: Any) -> Any:
    y = np.log(x)
    return np.sum(y * y)


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    __hash__ = None                                # type: ignore[assignment]


def test_hostile_objects_are_not_asked() -> None:
    recording = tnb.step(tnb.grad(takes), 2.0, Hostile(), "<b>\u202e" * 1000, 10 ** 3000, [[]])
    text = str(recording)
    assert recording.result == 4.0 and recording.error is None and len(recording[0]["text"]) < 300
    assert "Hostile" in text and "int of" in text


def takes(x: Any, thing: Any, text: str, big: int, deep: Any) -> Any:
    return x * x


def test_100_000_steps_take_less_than_200_megabytes() -> None:
    df = tnb.grad(loop)
    df(1.0, 2)
    gc.collect()
    tracemalloc.start()
    try:
        recording = tnb.step(df, 1.0, 17_000, steps=200_000)
        gc.collect()
        now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(recording) > 100_000 and not recording.columns.full and recording.result == df(1.0, 17_000)
    assert peak < 200e6, peak
    assert recording[len(recording) // 2].variables and UNBOUND not in recording[-1].variables.values()
