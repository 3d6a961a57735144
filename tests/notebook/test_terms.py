"""What each of the user's expressions caused: the columns of generated lines, through all passes."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook.lines import links_of
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.terms import shown

from .handmade import defined
from .test_state import told

TEXT = '''
def half(t):
    return 0.5 * t


def loss(x, w, b, y):
    """A docstring."""
    h = np.tanh(np.dot(x, w) + b)
    r = half(h - y)
    return np.mean(r * r)


def loop(x):
    total = 0.0
    for i in range(3):
        total = total + np.sin(
            x[i] * x[i])
    return total


def wide(x):
    ä = "é"
    größe = x * x; return np.sum(größe * x)
'''
X, W, B, Y = np.ones((4, 3)), np.ones((3, 2)), np.ones(2), np.ones((4, 2))


def caused(state: dict[str, Any], stage: int = -1) -> set[tuple[str, str]]:
    """The user's expressions, each with a stretch of the derivative."""
    rows = [row for section in state["primal"] for row in section["rows"]]

    def line(place: int) -> str:
        return "".join(part for _, part in state["lines"][place])

    def user(span: int) -> str:
        return "|".join(line(rows[key][1])[start:end] for key, start, end in state["spans"][span])

    found = set()
    for row in state["stages"][stage]["rows"]:
        stretches = row[4]
        for start, end, part in zip(stretches[::3], stretches[1::3], stretches[2::3], strict=True):
            found |= {(user(span), line(row[0])[start:end]) for span in state["parts"][part]}
    return found


def test_of_a_loss_after_all_passes() -> None:
    state = show(defined(TEXT, "loss"), wrt="w,b", at={"x": X, "w": W, "b": B, "y": Y})._shown.state()
    state["stages"][-1]["rows"] = state["stages"][-1]["rows"][:state["stages"][-1]["folds"][-1][0]]
    assert {one for one in caused(state) if "np.dot(x, w)" == one[0]} == {
        ("np.dot(x, w)", "np.dot(x, w)"), ("np.dot(x, w)", "bw = np.dot(x.T, btotal)")}
    assert {one for _, one in caused(state) if _ == "np.dot(x, w) + b"} == {
        "np.dot(x, w) + b", "bb = btotal.sum(axis=0)"}
    tanh = {one for _, one in caused(state) if _ == "np.tanh(np.dot(x, w) + b)"}
    assert tanh == {"h = np.tanh(np.dot(x, w) + b)", "btotal = br * 0.5 * (1.0 - h * h)"}


def test_what_a_callee_does_is_the_callers_too() -> None:
    """Also where passes have put it into the line of another."""
    state = show(defined(TEXT, "loss"), wrt="w,b", at={"x": X, "w": W, "b": B, "y": Y})._shown.state()
    found = caused(state)
    for who in ("0.5 * t", "half(h - y)"):
        assert (who, "br * 0.5") in found and (who, "r = 0.5 * (h - y)") in found
    keys = {line: key for key, line in enumerate(
        "".join(part for _, part in state["lines"][row[1]]).strip()
        for section in state["primal"] for row in section["rows"])}
    row = next(row for row in state["stages"][-1]["rows"]
               if "btotal = br * 0.5" in "".join(part for _, part in state["lines"][row[0]]))
    assert {keys["return 0.5 * t"], keys["r = half(h - y)"], keys["h = np.tanh(np.dot(x, w) + b)"]} == set(row[3])
    assert [section["name"] for section in state["primal"]] == ["half", ""]
    colours = [row[2] for section in state["primal"] for row in section["rows"] if row[2] != -1]
    assert len(colours) == len(set(colours)), "each statement has its own"


def test_docstrings_have_no_partner() -> None:
    state = told(defined(TEXT, "loss"), "w")
    group, = [row[2] for section in state["primal"] for row in section["rows"]
              if '"""' in "".join(part for _, part in state["lines"][row[1]])]
    assert group == -1


def test_expressions_of_several_lines_and_letters_of_several_bytes() -> None:
    found = caused(told(defined(TEXT, "loop")))
    assert any(user == "np.sin(|x[i] * x[i])" for user, _ in found)
    assert ("x[i] * x[i]", "x[i] * x[i]") in {(user, text) for user, text in found} or \
        any(user == "x[i] * x[i]" and "x" in text for user, text in found)
    wide = caused(told(defined(TEXT, "wide")), 1)
    assert ("x * x", "größe = x * x") in wide and any(user == "größe * x" for user, _ in wide)


@pytest.mark.parametrize(("line", "column", "at"), [
    ("abc", 2, 2), ("\tx", 1, 8), ("é\x1bx", 2, 5), ("\U0001f600x", 1, 2)])
def test_columns_as_they_are_shown(line: str, column: int, at: int) -> None:
    assert shown(line, column) == at


@pytest.mark.parametrize("passes", [(), ("copy_propagation",), tuple(tnb.PASSES)])
@pytest.mark.parametrize("mode", [tnb.grad, tnb.jvp])
def test_terms_lie_in_the_text_and_in_each_other(passes: tuple[str, ...], mode: Any) -> None:
    for name in ("loss", "loop", "wide"):
        emitted = mode(defined(TEXT, name), optimized=passes or False).__tangent_nb__.emitted
        lines = emitted.text.split("\n")
        around: list[tuple[tuple[int, int], tuple[int, int]]] = []
        assert emitted.terms
        for term in emitted.terms:
            start, end = (term.line, term.column), (term.end_line, term.end_column)
            assert start < end <= (len(lines), len(lines[term.end_line - 1])) and term.part
            assert lines[term.line - 1][term.column:].strip() and not lines[term.line - 1][term.column].isspace()
            while around and around[-1][1] <= start:
                around.pop()
            assert not around or around[-1][0] <= start and end <= around[-1][1]
            around.append((start, end))
        assert set(links_of(emitted)) == {line.number for line in emitted.lines}


PENALTY = '''
def loss(w, h, y):
    z = np.dot(h, w)
    size = np.sum(w * w)
    return np.sum(z * y) + size
'''


def test_of_a_term_that_passes_put_into_the_line_of_another() -> None:
    """What a pass has made anew is credited to what it was made of, wherever another puts it then."""
    state = show(defined(PENALTY, "loss"), wrt="w", at={"w": np.ones((3, 2)), "h": X, "y": Y})._shown.state()
    state["stages"][-1]["rows"] = state["stages"][-1]["rows"][:state["stages"][-1]["folds"][-1][0]]
    assert [line for line in caused(state) if line[0] == "w * w"] == [("w * w", "2.0 * w")]
