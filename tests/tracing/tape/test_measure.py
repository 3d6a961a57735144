"""The tape of a derivative, measured: against what is known of the program, and against tracemalloc."""
from __future__ import annotations

import dataclasses
import gc
import math
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.tracing.tape import Kind, TapeReport, register_kind
from tangent_nb.tracing.tape.kinds import KINDS

N = 1000
X = np.linspace(0.5, 2.0, N)


@pytest.fixture(autouse=True, scope="module")
def _nothing_of_others_is_looked_through() -> Iterator[None]:
    """A report collects garbage first, which takes seconds where other tests of this process have left much."""
    gc.freeze()
    yield
    gc.unfreeze()


def layer(h, w, b):
    return np.maximum(h @ w + b, 0.0)


def mlp(params, x, y):
    h = x
    for w, b in params[:-1]:
        h = layer(h, w, b)
    w, b = params[-1]
    logits = h @ w + b
    r = logits - y
    return np.sum(r * r)


def powers(x, n):
    for _ in range(n):
        x = x * np.sin(x)
    return np.sum(x)


def scalar(x, n):
    for _ in range(n):
        x = x * math.sin(x) + 1.0
    return x


def stencil(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += k * (u[2:] + u[:-2] - 2.0 * u[1:-1])
    return np.sum(u * u)


def straight(x, w):
    h = np.tanh(x @ w)
    x = h * 2.0
    x = x * np.exp(x)
    return np.sum(x)


def half(t):
    for _ in range(3):
        if t[0] > 0.0:
            t = np.tanh(t)
        else:
            t = t * 2.0
    return t


def chain(x, n):
    y = x
    for _ in range(n):
        y = half(y) * x
    return np.sum(y)


def descends(x, n):
    if n == 0:
        return np.sum(x)
    y = np.sin(x)
    return descends(y * y, n - 1)


def applied(x, fs):
    for f in fs:
        x = f(x)
    return np.sum(x)


def views(x):
    y = x * 2.0
    a, b = y[:10], y[10:]
    return np.sum(np.sin(a)) * np.sum(np.sin(b)) + np.sum(np.exp(y))


def fused(x):
    s = 0.0
    for i in range(len(x)):
        e = np.exp(x[i])
        s = s + e * e
    return s


@dataclasses.dataclass
class Model:
    ws: Any
    seen: int = 0

    def loss(self, x):
        h = x
        for w in self.ws:
            h = np.tanh(h @ w)
        return np.sum(h)


def whole(report: TapeReport) -> int:
    """The sum of the rows that count; of the text without passes too."""
    assert sum(one.bytes for one in report.before_saved if one.counts) == (report.before or report.totals).bytes \
        or not report.before_saved
    return sum(one.bytes for one in report if one.counts)


def test_activations_of_a_network() -> None:
    """Three layers of ReLU and a linear one: each product before its ReLU and each activation, no argument."""
    rng, batch, sizes = np.random.default_rng(0), 64, (50, 40, 30, 20, 5)
    params = [(rng.normal(size=(a, b)), np.zeros(b)) for a, b in zip(sizes, sizes[1:])]
    x, y = rng.normal(size=(batch, 50)), np.zeros((batch, 5))
    report = tnb.tape_report(tnb.grad(mlp), params, x, y)
    hidden = 8 * batch * sum(sizes[1:-1])
    activations = [one for one in report if one.counts and one.line == mlp_line("return np.maximum")]
    by_name = {one.name: 0 for one in activations}
    for one in activations:
        by_name[one.name] += one.bytes
    assert by_name["h"] == hidden
    assert whole(report) == report.bytes
    assert all(size in {8 * batch * width for width in sizes} for one in activations for size in one.each)
    r = [one for one in report.named("r") if one.counts]
    assert [one.bytes for one in r] == [8 * batch * 5] or not r
    assert all(one.held for one in report if one.name == "w")


def mlp_line(text: str) -> int:
    lines = Path(__file__).read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


def test_a_thousand_steps() -> None:
    report = tnb.tape_report(tnb.grad(powers), X, 1000)
    assert report.bytes == whole(report) == 1000 * 8 * N
    x = [one for one in report.named("x") if one.counts]
    assert sum(one.count for one in x) == 1000 and {one.each for one in x} == {(8 * N,)}
    assert [one.held for one in report.named("x") if not one.counts] == ["argument x"]
    assert {one.users[0].text for one in report} == {"x = x * np.sin(x)"}
    [sin] = report.of("recomputed")
    assert (sin.name, sin.count, sin.bytes) == ("sin", 1000, 1000 * 8 * N)
    assert report.before is not None and report.before.bytes == 2 * report.bytes
    assert report.text == "x: f8[n], n: int"


def test_numbers_in_a_loop() -> None:
    report = tnb.tape_report(tnb.grad(scalar), 0.5, 1000)
    assert report.bytes == whole(report) and abs(report.bytes - 8000) <= 8
    assert 1000 * (8 + 24) * 0.9 < report.totals.alive < 1000 * (8 + 24) * 1.3      # a float of Python, and its place


def test_a_stencil_in_place() -> None:
    """Linear in u: nothing; the differences for k, and the last u."""
    u = np.random.default_rng(0).normal(size=N)
    alone = tnb.tape_report(tnb.grad(stencil, wrt="u"), u, 0.1, 200)
    assert alone.bytes == whole(alone) == 8 * N
    both = tnb.tape_report(tnb.grad(stencil, wrt=("u", "k")), u, 0.1, 200)
    assert both.bytes == whole(both) == 8 * N + 200 * 8 * (N - 2)
    assert both.before is not None and both.before.bytes > both.bytes
    parts = [one for one in tnb.tape_report(tnb.grad(stencil, wrt="u", optimized=False), u, 0.1, 200).named("u")
             if one.count == 200]
    assert all(one.users[0].text.startswith("u[1:-1] +=") and one.bytes == 200 * 8 * (N - 2) for one in parts)


def test_straight_code_keeps_names() -> None:
    report = tnb.tape_report(tnb.grad(straight, wrt="w"), np.ones((40, 30)), np.ones((30, 20)))
    assert {one.name: (one.bytes, one.users[0].text) for one in report if one.counts} == {
        "h": (6400, "h = np.tanh(x @ w)"), "exp": (6400, "x = x * np.exp(x)"), "x_2": (6400, "x = x * np.exp(x)")}
    assert [(one.name, one.held, one.bytes) for one in report if one.held] == [("x_1", "argument x", 0)]
    reads = {one.name: [site.text for site in one.reads] for one in report}
    assert reads["x_1"] == reads["h"] == ["bw = x_1.T @ (bh * (1.0 - h * h))"]


@pytest.mark.parametrize(("f", "wrt", "args"), [
    (powers, 0, (np.linspace(0.5, 2.0, 100_000), 40)), (straight, "w", (np.ones((400, 300)), np.ones((300, 500)))),
    (stencil, ("u", "k"), (np.ones(50_000), 0.1, 50)), (chain, 0, (np.linspace(0.5, 2.0, 100_000), 5)),
    (descends, 0, (np.linspace(0.5, 2.0, 100_000), 9)),
    (applied, 0, (np.linspace(0.5, 2.0, 100_000), [np.sin, np.exp, half]))],
    ids=lambda one: getattr(one, "__name__", ""))
@pytest.mark.parametrize("optimized", [True, False])
def test_tracemalloc_agrees(f: Any, wrt: Any, args: Any, optimized: bool) -> None:
    """What is saved is most of what is there when the backward sweep begins; the peak is that of a plain run."""
    df = tnb.grad(f, wrt=wrt, optimized=optimized)
    df(*args)
    report = tnb.tape_report(df, *args)
    assert whole(report) == report.bytes <= report.totals.alive
    tracemalloc.start()
    try:
        df(*args)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert report.peak == pytest.approx(peak, rel=0.03)
    assert 0 < report.totals.kept <= report.bytes < report.peak
    if f in (powers, stencil, descends):
        assert report.totals.alive == pytest.approx(report.bytes, rel=0.03)


def test_one_memory_is_counted_once() -> None:
    report = tnb.tape_report(tnb.grad(views), X)
    assert whole(report) == report.bytes
    assert any(one.held.startswith("in the memory of") for one in report)
    names = [one.name for one in report if one.counts]
    assert report.bytes <= 8 * N * len(names)


def test_functions_that_are_called() -> None:
    report = tnb.tape_report(tnb.grad(chain), X, 4)
    assert whole(report) == report.bytes
    tanh = [one for one in report if one.site.function == "_half_fwd" and one.counts]
    assert {one.users[0].text for one in tanh} <= {"t = np.tanh(t)", "if t[0] > 0.0"}
    conditions = report.named("condition")
    assert sum(one.count for one in conditions) == 12 and all(one.bytes == one.count for one in conditions)
    assert all(one.reads and one.reads[0].function == "_half_bwd" for one in conditions)


def test_recursion() -> None:
    report = tnb.tape_report(tnb.grad(descends), X, 5)
    assert whole(report) == report.bytes
    assert sum(one.bytes for one in report.named("y")) == 5 * 8 * N


def test_functions_that_are_known_when_it_runs() -> None:
    report = tnb.tape_report(tnb.grad(applied), X, [np.sin, half])
    assert whole(report) == report.bytes
    assert sum(one.count for one in report.named("f_back")) > 1
    assert report.peak < 40 * 8 * N                        # what deriving takes is none of it


def test_objects_and_what_is_outside() -> None:
    model = Model([np.eye(30) for _ in range(3)])
    report = tnb.tape_report(tnb.grad(lambda m, x: m.loss(x), wrt="m.ws"), model, np.ones((20, 30)))
    assert whole(report) == report.bytes and model.seen == 0
    bound = tnb.tape_report(tnb.grad(model.loss), np.ones((20, 30)))
    assert whole(bound) == bound.bytes and any(one.held.startswith("outside") for one in bound)


def test_both_sweeps_in_one_loop() -> None:
    report = tnb.tape_report(tnb.grad(fused), X)
    assert report.bytes == whole(report) <= 64             # e of one trip
    assert report.before is not None and report.before.bytes >= 8 * N


@pytest.mark.parametrize("kind", ["value_and_grad", "vjp", "split", "second", "like"])
def test_every_kind(kind: str) -> None:
    if kind == "split":
        forward, backward = tnb.autodiff(powers, motion="split")
        report = tnb.tape_report(forward, X, 10)
        _, residuals = forward(X, 10)
        assert report.bytes == 8 * N * 11 + 8              # they own their data: x too, and the number n
        with pytest.raises(TangentError, match="give dpowers_dx_forward"):
            tnb.tape_report(backward, residuals, 1.0)
        return
    if kind == "second":
        report = tnb.tape_report(tnb.vjp(tnb.grad(powers)), X, 3, seed=X)
        assert {one.users[0].text for one in report if one.users} <= {
            "x = x * np.sin(x)", "for _ in range(n)", "return np.sum(x)"}
    elif kind == "vjp":
        report = tnb.tape_report(tnb.vjp(half), X, X)
    elif kind == "like":
        report = tnb.tape_report(tnb.grad(powers, like=(X, 3)), X, 10)
        assert report.text == "x: f8[n], n: int"
        assert tnb.tape_report(tnb.grad(powers, like=(X, 3)), np.ones((3, 4)), 10).text == "general"
    else:
        report = tnb.tape_report(tnb.value_and_grad(powers), X, n=10)
        assert report.bytes == 10 * 8 * N
    assert whole(report) == report.bytes > 0


def test_nothing_is_changed(capsys: pytest.CaptureFixture[str]) -> None:
    calls = []

    def noisy(x, rng, a):
        print("called")
        a[0] = a[0] * 2.0
        m = rng.normal(size=x.shape) + np.random.normal()
        return np.sum(np.sin(x) * m * a[0])

    rng, a = np.random.default_rng(0), np.ones(3)
    before, state = rng.bit_generator.state, np.random.get_state()[1].tolist()
    report = tnb.tape_report(tnb.grad(noisy), X, rng, a)
    assert capsys.readouterr().out.count("called") == 1
    assert rng.bit_generator.state == before and np.random.get_state()[1].tolist() == state and a.tolist() == [1, 1, 1]
    assert whole(report) == report.bytes and calls == []


def test_an_error_in_the_middle_is_passed_on() -> None:
    def fails(x, n):
        for k in range(n):
            x = x * x
            assert k < 3, "far enough"
        return np.sum(x)

    with pytest.raises(AssertionError, match="far enough"):
        tnb.tape_report(tnb.grad(fails), X, 10)
    assert not tracemalloc.is_tracing()
    assert tnb.tape_report(tnb.grad(fails), X, 3).bytes > 0


def test_tracemalloc_that_runs_already_goes_on() -> None:
    tracemalloc.start()
    try:
        assert tnb.tape_report(tnb.grad(powers), X, 100).totals.alive == pytest.approx(800_000, rel=0.05)
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_edges() -> None:
    empty = tnb.tape_report(tnb.grad(powers), np.zeros(0), 3)
    assert empty.bytes == 0 == whole(empty)
    none = tnb.tape_report(tnb.grad(powers), X, 0)
    assert whole(none) == none.bytes
    nan = tnb.tape_report(tnb.grad(powers), np.full(3, np.nan), 3)
    assert nan.bytes == 72
    single = tnb.tape_report(tnb.grad(powers), X.astype(np.float32), 10)
    assert single.bytes == 40 * N + 4                      # the value too, which the seed is made of


def test_what_can_be_gone_over_once_alone() -> None:
    """The run without passes would find nothing any more: there is no figure of it."""
    def summed(x, items):
        for k in items:
            x = x * np.sin(x) * k
        return np.sum(x)

    report = tnb.tape_report(tnb.grad(summed), X, (k for k in (1.0, 2.0)))
    assert whole(report) == report.bytes >= 2 * 8 * N


def test_a_list_that_holds_itself_and_objects_that_refuse_to_be_shown() -> None:
    class Odd:
        w = 2.0

        def __repr__(self):
            raise RuntimeError("never asked")

    items: list[Any] = [X.copy()]
    items.append(items)

    def f(x, odd, items):
        return np.sum(np.sin(x) * items[0])

    report = tnb.tape_report(tnb.grad(f), X, [Odd()], items)
    assert whole(report) == report.bytes and [one.held for one in report.named("item")] == ["argument items"]


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    report = tnb.tape_report(tnb.grad(powers), X, 10)
    lines = str(report).split("\n")
    assert lines[0] == "the tape of dpowers_dx, text for x: f8[n], n: int"
    assert lines[1].split("  ")[0].strip() == "line" and len(lines) == 2 + len(report) + 3
    assert "saved when the backward sweep begins: 80 kB in 10 values; without passes 160 kB" in lines
    page = report._repr_html_()
    assert page.count("<tr>") == len(report) + 1 and "np.sin(x)" in page
    user = dataclasses.replace(report.saved[0].users[0], text="<script>alert(1)</script>\x1b[31m")
    hostile = dataclasses.replace(report, saved=(dataclasses.replace(report.saved[0], users=(user,)),))
    assert "<script>" not in hostile._repr_html_() and "\x1b" not in str(hostile)


def test_other_kinds_register() -> None:
    register_kind(Kind("copied", "a copy", lambda value, call: call == "rt.copy"))
    try:
        report = tnb.tape_report(tnb.grad(stencil, wrt=("u", "k"), optimized=False), np.ones(10), 0.1, 3)
        assert {one.kind for one in report} >= {"copied", "exact"}
        assert "copied: a copy" in report.notes() and whole(report) == report.bytes
    finally:
        KINDS.pop()


def test_what_is_refused() -> None:
    with pytest.raises(TangentError, match="keeps nothing"):
        tnb.tape_report(tnb.jvp(powers), X, 3, dx=X)
    with pytest.raises(TangentError, match="not a derivative"):
        tnb.tape_report(powers, X, 3)


def bent(u, k):
    for _ in range(2):
        u = u * k
    return u * np.exp(-u * u)


def called_in_a_loop(u, k, n):
    total = 0.0
    for _ in range(n):
        u = bent(u, k)
        total = total + np.sum(u * u)
    return total


def test_what_a_call_keeps_is_of_the_line_of_the_call() -> None:
    """And not of the last line of the trip, where it is put on the list."""
    report = tnb.tape_report(tnb.grad(called_in_a_loop, "k"), X, 0.3, 4)
    assert [one.users[0].text for one in report.named("k")] == ["u = bent(u, k)"]
    assert whole(report) == report.bytes
