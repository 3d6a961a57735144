"""Hints: from the general to the particular, made from the rules; the solution only when it is asked for."""
from __future__ import annotations

import contextlib
import inspect
import io
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from corpus import CORPUS, Entry

from tangent_nb.errors import TangentError
from tangent_nb.notebook.other_places import other_places
from tangent_nb.notebook.quiz import quiz_report
from tangent_nb.notebook.quiz_hints import Hints
from tangent_nb.notebook.quiz_options import QuizOptions
from tangent_nb.notebook.truth import Truth

LESSON = """
def layer(x, w, b):
    h = np.tanh(x @ w + b)
    return np.sum(h ** 2)
def walk(x, n):
    s = 0.0
    for i in range(n):
        y = np.sin(x) * i
        s = s + y * x
    return s
def parts(x):
    out = np.zeros(3)
    out[0] = x.mean()
    out[1] = out[0] * x[0]
    return np.sum(out)
"""
POSED = {
    "layer": '%quiz layer --at "x=np.ones((4, 2)), w=np.eye(2), b=np.zeros(2)" --points bh,dz,bw=2,bb,return '
             '-w w,b --names "dz=x @ w + b"',
    "walk": '%quiz walk --at "x=0.5, n=3" --points by,bx',
    "parts": '%quiz parts --at "x=np.array([1.0, 2.0])" --points bout,bx',
}


@pytest.fixture
def hints(shell: Any) -> Any:
    """Hints on a blank, one after the other."""
    shell.run(LESSON)
    for line in POSED.values():
        assert not shell.run(line).stderr

    def taken(quiz: str, name: str, count: int) -> list[str]:
        return [shell.run(f"%quiz {quiz} --hint {name}").text.rstrip("\n") for _ in range(count)]

    return taken


def test_the_ladder_of_a_chain(hints: Any) -> None:
    calculus, formula, names, shape, form = hints("layer", "dz", 5)
    assert calculus == "x @ w + b is read in line 2, the chain rule, through np.tanh, element by element"
    assert formula == ("y = np.tanh(x): where g comes back to y, g * (1.0 - y * y) comes back to x "
                       "(the letters are those of the rule)")
    assert names == "what stands in the answer: bh, h"
    assert shape == "dz is an array of shape (4, 2), float64 here"
    assert form == "the form of the answer:\ndz = □ * (□ - □ * □)"


@pytest.mark.parametrize("quiz, name, formula", [
    ("layer", "bh", "y = x ** 2: where g comes back to y, g * (2.0 * x) comes back to x"),
    ("layer", "bw", "z = x @ y: where g comes back to z, x.T @ g comes back to y"),
    ("layer", "bb", "z = x + y: where g comes back to z, g comes back to y"),
    ("walk", "by", "z = x * y: where g comes back to z, g * y comes back to x"),
])
def test_formulas_of_rows(hints: Any, quiz: str, name: str, formula: str) -> None:
    found = hints(quiz, name, 2)[1]
    letter = formula.partition(" ")[0]
    assert found.startswith(formula if letter == "z" else formula.replace("y = x", f"{found[0]} = x")
                            .replace("to y,", f"to {found[0]},"))


def test_several_uses(hints: Any) -> None:
    first = hints("walk", "bx", 1)[0]
    assert first == ("x is read in line 7, the chain rule, through np.sin, element by element; in line 8, the product "
                     "rule. Add up what comes back from these 2")
    assert "a part of it is read: what comes back belongs to that part" in hints("parts", "bout", 1)[0]
    assert "through np.mean" in hints("parts", "bx", 1)[0]


def test_what_is_returned(hints: Any) -> None:
    assert hints("layer", "return", 4) == [
        "return the gradients of w, b, in this order", "what stands in the answer: bw, bb",
        "shapes: w an array of shape (2, 2), float64, b an array of shape (2,), float64",
        "the form of the answer:\nreturn (□, □)"]


def test_no_hint_is_the_solution(hints: Any, shell: Any) -> None:
    for quiz, name in [("layer", "dz"), ("layer", "bh"), ("layer", "bw"), ("walk", "by"), ("walk", "bx")]:
        said = "\n".join(hints(quiz, name, 5))
        solution = shell.run(f"%quiz {quiz} --show {name}").text.rstrip("\n")
        assert solution and not any(line in said for line in solution.split("\n"))
    assert shell.run("%quiz layer --show dz").text == "dz = bh * (1.0 - h * h)\n"
    assert shell.run("%quiz layer --show bh").text == "bh = 2.0 * h\n"


def test_the_solution_is_right(hints: Any, shell: Any) -> None:
    lines = [shell.run(f"%quiz layer --show {name}").text for name in ("bh", "dz", "bw", "bb", "return")]
    cell = "def d(x, w, b):\n    h = np.tanh(x @ w + b)\n" + "".join(f"    {line}" for line in lines)
    assert shell.run(f"%%quiz layer\n{cell}").ok
    assert [one.verdict for one in quiz_report("layer")] == ["right"] * 5 and quiz_report("layer").points == 0.0


def test_hints_cost_and_are_recorded(hints: Any, shell: Any) -> None:
    hints("layer", "bw", 2)
    hints("layer", "bh", 5)
    cell = ("%%quiz layer\ndef d(x, w, b):\n    h = np.tanh(x @ w + b)\n    bh = 2.0 * h\n    dz = bh * (1.0 - h * h)\n"
            "    bw = x.T @ dz\n    bb = dz.sum(axis=0)\n    return bw, bb\n")
    assert shell.run(cell).ok
    report = quiz_report("layer")
    assert (report["bw"].hints, report["bw"].points, report["bh"].points, report.points) == (2, 1.2, 0.0, 4.2)
    seen = shell.run("%quiz layer --hint bw")
    assert "bw is right: it needs no hint" in seen.stderr
    assert "2 hints" in shell.run(cell).displays[0]["text/plain"] and quiz_report("layer").points == 4.2
    shell.run(POSED["layer"])
    assert quiz_report("layer").points == 4.2, "posing it again takes nothing back"
    shell.run(POSED["layer"] + " --hint-cost 0.1")
    assert quiz_report("layer").points == 0.0 and quiz_report("layer")["bw"].hints == 0, "it is another quiz"


def test_there_are_no_more(hints: Any, shell: Any) -> None:
    hints("layer", "dz", 5)
    assert "there are no more hints for dz" in shell.run("%quiz layer --hint dz").stderr
    assert "no blank q; there are bh, dz, bw, bb, return" in shell.run("%quiz layer --hint q").stderr
    assert "there is no quiz on nothing yet" in shell.run("%quiz nothing --hint q").stderr


@pytest.mark.parametrize("entry", [one for one in CORPUS if not one.refused][::40], ids=lambda entry: entry.id)
def test_there_are_hints_and_other_arguments_for_every_program(entry: Entry) -> None:
    bound = inspect.signature(entry.function).bind(*entry.fresh())
    bound.apply_defaults()
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            truth = Truth.of(entry.function, bound)
        except (TangentError, ArithmeticError, ValueError, TypeError) as error:
            pytest.skip(f"no gradient: {error}")
        before = repr(bound.arguments)
        assert other_places(entry.function, bound, truth, 2) and repr(bound.arguments) == before
    hints = Hints(entry.function, bound, truth, QuizOptions("f", "x"), ())
    for name in ("return", *(f"b{variable}" for variable in truth.cotangents)):
        said = "\n".join(hints.ladder(name))
        assert said and hints.solution(name) not in said
