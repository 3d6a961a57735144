"""The lesson runs with its blanks empty; filled in, each answer gets its points, and a slip costs its line alone."""
import re
import sys
from pathlib import Path

import nbformat
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from notebook_sections import in_order, sections_of

pytestmark = pytest.mark.xdist_group("quiz_lesson")        # one worker runs it, once
LESSON = Path(__file__).parent.parent / "examples" / "quiz_lesson.ipynb"

ANSWERS = {
    "energy": ["2.0 * p", "bp * w", "bp * x"],
    "chain": ["a", "h + bh * (1.0 - h * h)", "ba * 2.0 * x"],
    "layer": ["2.0 * h", "bh * (1.0 - h * h)", "bz @ w.T", "x.T @ bz", "bz.sum(axis=0)", "bx, bw, bb"],
    "iterate": ["2.0 * y", "by * (np.sin(y) + y * np.cos(y))", "by"],
    "store": ["g * out[0]", "g * x", "bout[0] * k", "bout[0] * x"],
}
POSSIBLE = {"energy": 3, "chain": 4, "layer": 6, "iterate": 4, "store": 5}
SLIPS = {"energy": (0, "p", 2), "chain": (0, "h", 3), "layer": (1, "bh", 5), "iterate": (1, "by * np.sin(y)", 1),
         "store": (1, "g", 3)}
HEADINGS = ["1. A product", "2. A chain", "3. A layer", "4. A loop, and its tape", "5. A store in place"]


def filled(path, answers):
    """The lesson with its blanks filled in."""
    notebook = nbformat.read(LESSON, as_version=4)
    for cell in notebook.cells:
        name = re.match(r"%%quiz (\w+)", cell.source)
        for answer in answers[name[1]] if name else ():
            cell.source = cell.source.replace("...", answer, 1)
    nbformat.write(notebook, path)
    return path


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return sections_of(LESSON, tmp_path_factory)


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    return sections_of(filled(tmp_path_factory.mktemp("right") / "l.ipynb", ANSWERS), tmp_path_factory)


@pytest.fixture(scope="module")
def slipped(tmp_path_factory):
    answers = {name: [SLIPS[name][1] if at == SLIPS[name][0] else one for at, one in enumerate(ones)]
               for name, ones in ANSWERS.items()}
    return sections_of(filled(tmp_path_factory.mktemp("slipped") / "l.ipynb", answers), tmp_path_factory)


def test_every_heading_is_a_quiz(empty):
    assert list(empty) == ["Backward passes by hand: a lesson with five quizzes", *HEADINGS, "Points"]


@pytest.mark.parametrize("heading, name", list(zip(HEADINGS, POSSIBLE)))
def test_it_runs_with_empty_blanks(empty, heading, name):
    in_order([f"^points: 0 of {POSSIBLE[name]}$", rf"empty: fill in|^points: 0 of {POSSIBLE[name]}$"], empty[heading],
             heading)
    assert "Error" not in empty[heading]


def test_empty_blanks_get_no_points(empty):
    in_order([*(rf"^{name}: 0 of {most} points" for name, most in POSSIBLE.items()), r"^together: 0.* of 22"],
             empty["Points"], "Points")


def test_right_answers_get_all(right):
    in_order([*(rf"^{name}: {most} of {most} points" for name, most in POSSIBLE.items()), r"^together: 22.0 of 22"],
             right["Points"], "Points")
    assert "right after an error" not in right["Points"] and "wrong" not in right["Points"]


def test_a_slip_costs_its_line(slipped):
    in_order([rf"^{name}: {SLIPS[name][2]} of {most} points" for name, most in POSSIBLE.items()], slipped["Points"],
             "Points")
    assert slipped["Points"].count("wrong") == len(SLIPS)
    for heading in HEADINGS:
        assert "right after an error" in slipped[heading]
