"""Calls that give back what they are given, and lists with items that have no derivative: right or refused."""
from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced
from test_memory import POINT, judge

import tangent_nb as tnb

GIVEN_BACK = ["sum([], {0})", "sum([], start={0})", "next(iter([{0}]))", "max([{0}], key=np.sum)", "np.squeeze({0})",
              "[{0}][0]", "(lambda v: sum([], v))({0})", "np.polyder({0}, 0)", "np.diff({0}, 0)", "np.real({0})",
              "np.einsum('i->i', {0})", "{0}.conj()", "np.asarray({0})", "np.atleast_1d({0})", "np.ravel({0})"]
CHANGES = ["r[0] = 5.0", "a[0] = 5.0", "r += 1.0", "a *= 2.0"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("call", "change", "made"), list(itertools.product(
    GIVEN_BACK, CHANGES, ["x * w", "np.ones(3) * w"])))
def test_what_is_given_back_changes_with_it(call: str, change: str, made: str) -> None:
    body = f"    a = {made}\n    r = {call.format('a')}\n    {change}\n    return np.sum(r * x + a * a)\n"
    judge(f"def f(x, w):\n{body}", POINT, 1.7, refused=True)
    helper = f"def h(a):\n    return {call.format('a')}\n"
    judge(f"{helper}def f(x, w):\n{body.replace(call.format('a'), 'h(a)')}", POINT, 1.7, refused=True)


@pytest.mark.parametrize("text", [
    "    L = [x[0]]\n    y = sum([[v * x[1] for v in r] for r in rows], L)\n    y.append(x[2])\n"
    "    return sum(L) * sum(y)\n"])
@pytest.mark.parametrize("rows", [[], [[1.0], [2.0]]])
def test_lists_are_joined_to_the_start_or_it_is_given_back(text: str, rows: list[list[float]]) -> None:
    assert judge(f"def f(x, rows):\n{text}", POINT, rows)


def test_a_sum_that_does_not_change_is_what_it_was() -> None:
    for call in ("sum(xs)", "sum(xs, 0.0)", "sum(xs, np.zeros(3))"):
        text = f"def f(x, w):\n    xs = [x * w, x]\n    y = {call}\n    y[0] = 1.0\n    return np.sum(y * y * xs[0])\n"
        assert judge(text, POINT, 1.7)


def test_edges_that_are_given_to_a_histogram_are_its_edges() -> None:
    for change in ("c[1] = 5.0", "e[1] = 5.0"):
        judge(f"def f(x, b):\n    c = b * 1.0\n    h, e = np.histogram([0.5, 1.5, 2.5], c, weights=x)\n    {change}\n"
              "    return np.sum(h * h * e[:3] * c[1:])\n", POINT, np.arange(4.0), refused=True)


def test_places_that_change_after_they_were_written_to() -> None:
    text = ("def f(x, w):\n    A, m = x * w, np.array([0, 1, 2])\n    np.put_along_axis(A, m, x * x, 0)\n    m[:] = 2\n"
            "    return np.sum(A * A)\n")
    assert judge(text, POINT, 1.7)


def test_one_number_of_an_array_is_a_view_where_its_shape_is_known() -> None:
    f = sourced("def f(x):\n    v = np.ones(1) * x\n    s = np.squeeze(v)\n    s += 5.0\n    return v[0] * v[0]\n")["f"]
    assert tnb.grad(f)(2.0) == tnb.grad(f, like=(2.0,))(2.0) == 14.0


# ------------------------------------------------------------------ lists whose items have no derivative, some of them
CONSTANTS = ["1.0", "2", "None", "'s'", "(1.0, 2.0)"]
STEPS = ["L.pop()", "L.pop(0)", "L.pop(1)", "q = L.pop(0)", "L.insert(0, {0})", "L.insert(1, u)", "L.extend([{0}, u])",
         "del L[0]", "del L[1:2]", "L[0:1] = [{0}, u]", "L.reverse()", "L = L.copy()", "L *= 2", "L += [{0}, u]",
         "L = [{0}] + L", "L = L[1:]", "L[1] = {0}", "L.append({0})", "L.remove({0})", "L.clear()\n    L.append(u)"]
ITEMS = "[{0}, u, {0}, x[1], u * x]"


def of_list(form: str, constant: str, steps: list[str]) -> str:
    body = "\n    ".join([f"L = {ITEMS}", *steps]).format(constant)
    place = _place(body)
    if form == "an item of a helper":
        return f"def h(x, u):\n    {body}\n    return L[{place}]\ndef f(x, w):\n    return np.sum(h(x, x * w) * x)\n"
    if form == "a list of a helper":
        return (f"def h(x, u):\n    {body}\n    return L\ndef f(x, w):\n    M = h(x, x * w)\n"
                f"    return np.sum(M[{place}] * x)\n")
    body = body.replace("L", "d['k']") if form == "a list in a dict" else body
    start = "    d = {'k': None}\n" if form == "a list in a dict" else ""
    read = f"d['k'][{place}]" if form == "a list in a dict" else f"L[{place}]"
    return f"def f(x, w):\n    u = x * w\n{start}    {body}\n    return np.sum({read} * x)\n"


def _place(body: str) -> int:
    """Where an item with a derivative is, after all."""
    known = {"np": np, "x": POINT, "u": 2.5 * POINT}
    exec(body.replace("\n    ", "\n"), known)
    held: list[object] = known["L"]  # type: ignore[assignment]
    return max(k for k, v in enumerate(held) if isinstance(v, (np.ndarray, np.floating)))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("form", ["one text", "an item of a helper", "a list of a helper", "a list in a dict"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("constant", CONSTANTS)
def test_the_tangent_of_a_list_keeps_step(constant: str, step: str, form: str) -> None:
    judge(of_list(form, constant, [step]), POINT, 1.7, refused=True)
    judge(of_list(form, constant, [step, "L.pop(0)" if "clear" not in step else "L.append({0})"]), POINT, 1.7,
          refused=True)


def test_an_item_behind_one_that_is_popped() -> None:
    text = ("def h(a, b, c):\n    L = [1.0, a, b, c, b * c]\n    L.pop(0)\n    return L[0]\n"
            "def f(x, w):\n    return h(x[0] * w, x[1], x[2]) * x[1]\n")
    assert judge(text, POINT, 1.7)


@pytest.mark.parametrize("made", ["np.copy(x)", "np.float64(x)"])
@pytest.mark.parametrize("read", ["B[x > 1.0]", "B[None]", "B[()]"])
def test_the_tangent_of_an_array_of_a_number_is_one(made: str, read: str) -> None:
    judge(f"def f(x):\n    B = {made}\n    return np.sum({read} * x)\n", 1.3, refused=True)
