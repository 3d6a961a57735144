"""The report of a quiz, as data and without a page: posed by one cell, answered by another, graded by a third."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import tangent_nb as tnb
from tangent_nb.notebook.quiz_report import Blank, QuizReport

SETUP = """import numpy as np
import tangent_nb as tnb
%load_ext tangent_nb
X, W, B = np.arange(6.0).reshape(3, 2) / 4.0, np.eye(2), np.zeros(2)
def layer(x, w, b):
    h = np.tanh(x @ w + b)
    return np.sum(h * h)"""
POSE = ('%quiz layer --at "x=X, w=W, b=B" -w w,b --points bh=1,bz=2,bw=1,bb=1,return=1 '
        '--names "bz=x @ w + b" --no-solutions')
ANSWER = """%%quiz layer
def dlayer(x, w, b):
    h = np.tanh(x @ w + b)
    bh = {bh}
    bz = {bz}
    bw = {bw}
    bb = {bb}
    return {back}"""
RIGHT = {"bh": "2.0 * h", "bz": "bh * (1.0 - h * h)", "bw": "x.T @ bz", "bb": "bz.sum(axis=0)", "back": "bw, bb"}
GRADE = ("report = tnb.quiz_report('layer')\nassert report.points == {points}, str(report)\n"
         "assert report.possible == 6\nprint(report.to_json())")


def executed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *cells: str, allow_errors: bool = False) -> Any:
    """A notebook run by nbclient, as papermill, nbgrader and otter-grader do."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="python3", timeout=300, allow_errors=allow_errors).execute()
    return notebook


def answer(**changed: str) -> str:
    return ANSWER.format(**{**RIGHT, **changed})


def test_a_notebook_is_graded_without_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [SETUP, POSE]
    for points, changed in [(0.0, None), (6.0, {}), (5.0, {"bh": "h"}), (3.0, {"bz": "...", "bb": "bz"})]:
        cells += [answer(**changed)] if changed is not None else []
        cells += [GRADE.format(points=points)]
    notebook = executed(tmp_path, monkeypatch, *cells)
    last = json.loads(notebook.cells[-1].outputs[-1]["text"])
    assert [one["verdict"] for one in last["blanks"]] == ["right", "empty", "right after an error", "wrong",
                                                          "right after an error"]
    assert last["blanks"][2]["after"] == [5] and last["blanks"][0]["tries"] == 2
    text = json.dumps(notebook)
    assert "bh * (1.0 - h" in text, "the answers are there"
    notebook.cells = [notebook.cells[1]]
    assert "1.0 - h" not in json.dumps(notebook)


def test_an_answer_that_raises_is_graded_where_errors_are_allowed(tmp_path: Path,
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = executed(tmp_path, monkeypatch, SETUP, POSE, answer(bw="x @ bz"), GRADE.format(points=5.0),
                        allow_errors=True)
    assert notebook.cells[2].outputs[-1]["ename"] == "ValueError"
    assert json.loads(notebook.cells[3].outputs[-1]["text"])["blanks"][2]["verdict"] == "raised"


SOLUTION = ("2.0 * h", "1.0 - h * h", "x.T @", ".sum(axis=0)", "Grad of", "dlayer_dw", "rt.", "stages")


def test_nothing_that_is_saved_holds_the_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = "%quiz layer --hint bz"
    for pose in (POSE, POSE.replace(" --no-solutions", "")):
        notebook = executed(tmp_path, monkeypatch, SETUP, pose, cell, "%%quiz layer\ndef d(x, w, b):\n    bh = ...\n")
        kept = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
        for one in kept.values():
            one["state"] = {name: value for name, value in one["state"].items() if name not in ("_esm", "_css")}
        saved = json.dumps({"cells": [dict(one, source="") for one in notebook.cells], "widgets": kept})
        assert "the chain rule, through np.tanh" in saved and '"kind": "quiz"' in saved, "hints are, once taken"
        for text in SOLUTION:
            assert text not in saved, text


def test_a_report() -> None:
    report = QuizReport("f", "df", (Blank("bx", 3, "x", "bx = 1", "right", 0.6, 1.0, 2, 1),
                                    Blank("by", 4, "y", "by = ...", "empty", 0.0, 2.0)), 4)
    assert (report.points, report.possible, report["by"].verdict) == (0.6, 3.0, "empty")
    with pytest.raises(KeyError, match="no blank bz; there are bx, by"):
        report["bz"]
    with pytest.raises(AttributeError):
        report.places = 5  # type: ignore[misc]
    assert json.loads(report.to_json()) == report.to_dict()
    assert list(json.loads(report.to_json())) == ["attempt", "blanks", "error", "hint_cost", "places", "points",
                                                  "possible", "quiz", "solutions", "version"]
    assert sorted(report.to_dict()["blanks"][0]) == ["after", "answer", "hints", "line", "name", "of", "points",
                                                     "possible", "says", "shown", "tries", "verdict"]
    assert str(report).split("\n")[1] == "  bx  0.6 of 1  right, 2 hints"


def test_there_is_no_report_where_there_is_no_quiz(shell: Any) -> None:
    with pytest.raises(tnb.errors.TangentError, match="no quiz on anything in this notebook; there is none"):
        tnb.quiz_report()
    shell.run("def f(x):\n    y = x * x\n    return y\n%quiz f --at x=2.0 --points by,bx\n")
    assert tnb.quiz_report().points == 0.0 and [one.verdict for one in tnb.quiz_report()] == ["empty", "empty"]
    with pytest.raises(tnb.errors.TangentError, match="no quiz on g in this notebook; there is f"):
        tnb.quiz_report("g")


RULES = [
    ("%quiz f --at x=2.0 --points q", "--points q: it is the cotangent of no variable of f; there are by, bx"),
    ("%quiz f --at x=2.0 --points bx=0", "points are more than 0"),
    ("%quiz f --at x=2.0 --points bx=a", "is no number"),
    ("%quiz f --at x=2.0 --points bx,bx", "each cotangent once"), ("%quiz f --at x=2.0 --points bx=nan", "no number"),
    ("%quiz f --at x=2.0 --hint-cost 2", "from 0"), ("%quiz f --at x=2.0 --places -1", "write how many"),
    ("%quiz f --at x=2.0 --places 1000", "write how many"), ("%quiz f", "needs arguments"),
    ("%quiz f --at x=2.0 --solution --no-solutions", "leave one of them out"),
    ('%quiz f --at x=2.0 --points bz --names "bz=x + 1"', "no such variable or step with a derivative; its steps are"),
    ('%quiz g --at "x=2.0, w=1.0" --points return', "say whose gradients are to be returned, in order: -w x,w"),
    ('%quiz g --at "x=2.0, w=1.0" --points return -w q', "no gradient with respect to it"),
]


@pytest.mark.parametrize("line, message", RULES)
def test_rules_that_cannot_be_kept_are_refused_when_the_quiz_is_posed(shell: Any, line: str, message: str) -> None:
    shell.run("def f(x):\n    y = x * x\n    return y\ndef g(x, w):\n    return x * w\n")
    seen = shell.run(line)
    assert seen.stderr.startswith("UsageError: ") and message in seen.stderr and not seen.displays


def test_a_cell_that_answers_cannot_change_the_rules(shell: Any) -> None:
    shell.run("def f(x):\n    y = x * x\n    return y\nX = 2.0\n%quiz f --at x=X --points bx=3 --no-solutions\n")
    cell = "\ndef d(x):\n    bx = {}\n    return bx\n"
    for more in ("--at x=0.0", "--points bx=30", "--hint-cost 0", "--solution"):
        seen = shell.run(f"%%quiz f {more}" + cell.format("2.0 * x"))
        assert "UsageError" in seen.stderr and tnb.quiz_report("f").points == 0.0, more
    assert "no solutions" in shell.run("%quiz f --show bx").stderr
    shell.run("X = 0.0\ndef f(x):\n    return 0.0 * x\n")             # it is the function and the arguments of then
    shell.run("%%quiz f" + cell.format("0.0"))
    assert tnb.quiz_report("f")["bx"].verdict == "wrong"
    shell.run("%%quiz f -f d" + cell.format("2.0 * x"))
    assert tnb.quiz_report("f").points == 3.0


def test_expected_numbers_are_hidden_with_the_solutions(shell: Any) -> None:
    shell.run("def f(x):\n    y = x * x\n    return np.sum(y * y)\n")
    cell = "\ndef d(x):\n    y = x * x\n    by = 3.0 * y\n    bx = by * 2.0 * x\n    return bx\n"
    shown = shell.run('%%quiz f --at "x=np.array([1.25])" --no-solutions' + cell).displays[0]
    for one in shown.values():
        assert "3.125" not in str(one) and "expected" not in str(one) and "4.6875" in str(one)
    assert "line 4, by: 4.6875 at [0] is not right" in tnb.quiz_report()["by"].says
    shown = shell.run('%%quiz f --at "x=np.array([1.25])"' + cell).displays[0]["text/plain"]
    assert "3.125" in shown


def test_the_solution_costs_all_where_it_is_shown_before_the_answer_is_right(shell: Any) -> None:
    shell.run("def f(x):\n    y = x * x\n    return y\n")
    cell = '%%quiz f --at "x=2.0" --points bx=2,return=1{}\ndef d(x):\n    bx = {} * x\n    return {}\n'
    shell.run(cell.format(" --solution", 3.0, "2.0 * x"))
    shell.run(cell.format("", 2.0, "bx"))
    report = tnb.quiz_report()
    assert (report["bx"].points, report["bx"].shown, report["return"].points) == (0.0, True, 1.0)
    assert not report["return"].shown


def test_tries_are_different_answers(shell: Any) -> None:
    shell.run("def f(x):\n    y = x * x\n    return y\n")
    for given, tries in (("...", 0), ("x", 1), ("x", 1), ("3.0 * x", 2), ("2.0 * x", 3), ("2.0 * x", 3)):
        shell.run(f'%%quiz f --at "x=2.0" --points bx\ndef d(x):\n    bx = {given}\n    return bx\n')
        assert tnb.quiz_report()["bx"].tries == tries


@pytest.mark.parametrize("text", ["'</script><script>window.HIT=1</script>'", "'\\u202e'", "'" + "z" * 100_000 + "'"])
def test_hostile_answers_are_text(shell: Any, text: str) -> None:
    shell.run("def f(x):\n    y = x * x\n    return y\n")
    seen = shell.run(f'%%quiz f --at "x=2.0" --points bx\ndef d(x):\n    bx = {text}\n    return bx\n')
    assert "<script" not in seen.displays[0]["text/html"] and tnb.quiz_report()["bx"].verdict == "wrong"
    assert len(seen.displays[0]["text/html"]) < 50_000


def test_functions_with_defaults_stars_and_closures(shell: Any) -> None:
    shell.run("def f(x, *, k=2.0):\n    y = x * k\n    return y * y\n")
    line = '%%quiz f --at "x=1.5" --points by,bx\n'
    shell.run(line + "def d(x, *, k=2.0):\n    by = 2.0 * x * k\n    bx = by * k\n    return bx\n")
    assert tnb.quiz_report().points == 2.0
    shell.run(line + "def make():\n    two = 2.0\n    def d(x, *, k):\n        by = two * x * k\n        bx = by / 0\n"
                     "        return bx\n    return d\nd = make()\n")
    assert [one.verdict for one in tnb.quiz_report()] in (["right", "raised"], ["empty", "empty"])
    shell.run(line + "def d(x, **more):\n    by = 2.0 * x * more['k']\n    bx = ...\n    return bx\n")


def test_blanks_are_named_and_hints_are_formulas(shell: Any) -> None:
    shell.run("def loss(x):\n    y = -x\n    return y * y")
    shell.run('%quiz loss --at "x=2.0" --points by,bx,return -w x')
    assert "the chain rule, through the operator -, element by element" in shell.run("%quiz loss --hint bx").text
    assert shell.run("%quiz loss --hint bx").text.startswith("y = -x: where g comes back to y, -g comes back to x")

    def shown(by: str, back: str) -> str:
        [display] = shell.run(f"%%quiz loss\ndef dloss(x):\n    y = -x\n    by = {by}\n    bx = -by\n    return {back}"
                              ).displays
        return str(display["text/plain"])

    assert "by is empty: fill in what stands for ____" in shown("____", "bx") and "NameError" not in shown("____", "bx")
    assert "return is empty: fill in what stands for ____" in shown("2 * y", "____")
    assert "dloss stopped there: fill in what stands for ____" in shown("____ * 2", "bx")
    found = shown("2 * y", "5.05")
    assert "return: found 5.05, expected 4" in found and "return 5.05: found" not in found
