"""Which lines belong together, in both panes."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from handmade import defined, derived, loss

from tangent_nb.notebook.lines import COLOURS, panes, ranges


def rows(section: Any) -> list[tuple[int, str, str]]:
    return [(row.number, row.links, row.text) for row in section.rows]


def test_the_loss() -> None:
    _, df = loss()
    [left], [right] = panes(df.__tangent_nb__)
    assert rows(left) == [
        (1, "", "def loss(x, w, b, y):"), (2, "→3 ←9–11", "    h = np.tanh(np.dot(x, w) + b)"),
        (3, "→4", "    r = h - y"), (4, "←7", "    return np.mean(r * r)")]
    assert [row.text for row in right.rows] == df.__tangent_nb__.emitted.text.split("\n")[:-1]
    assert [(row.number, row.links) for row in right.rows if row.links] == [
        (3, "→2"), (4, "→3"), (7, "←4"), (9, "←2"), (10, "←2"), (11, "←2")]
    assert left.behind and not right.behind and left.title.startswith("handmade")


def test_colours_go_by_the_users_lines() -> None:
    _, df = loss()
    [left], [right] = panes(df.__tangent_nb__)
    assert [row.group for row in left.rows] == [None, 0, 1, 2]
    assert [row.group for row in right.rows] == [None, None, 0, 1, None, 2, 2, 0, 0, 0, 0, None]


def test_colours_come_again_when_there_are_no_more() -> None:
    count = COLOURS + 2
    f = defined("def f(x):\n" + "".join(f"    x = x * {i}.0\n" for i in range(count)) + "    return x\n", "f")
    df = derived(f,
                 "def df_dx(x):\n" + "".join(f"    x = x * {i}.0  # {i + 2} forward\n" for i in range(count)), ("x",))
    [left], _ = panes(df.__tangent_nb__)
    assert [row.group for row in left.rows if row.group is not None] == [i % COLOURS for i in range(count)]


def test_statements_of_several_lines_share_a_colour() -> None:
    f = defined("def f(x):\n    y = (x +\n         1.0)\n    return y\n", "f")
    [left], [right] = panes(
        derived(f, "def df_dx(x):\n    bx = 1.0  # 2 backward\n    return bx\n", ("x",)).__tangent_nb__)
    assert [row.group for row in left.rows] == [None, 0, 0, None]
    assert [row.links for row in right.rows if row.links] == ["←2–3"]


def test_other_functions_are_shown_too() -> None:
    text = "def g(x):\n    return x * x\n\n\nclass C:\n    pass\n\n\ndef f(x):\n    return g(x) + 1.0\n"
    f = defined(text, "f")
    df = derived(f, """
def df_dx(x):
    bx = _g_bwd(x, 1.0)     # 2 backward
    return bx


def _g_bwd(x, bg):
    bx = bg * x + bg * x    # g:2 backward
    return bx
""", ("x",))
    [helper, own], [right] = panes(df.__tangent_nb__)
    assert [row.number for row in own.rows] == [9, 10] and [row.number for row in helper.rows] == [1, 2]
    assert [row.links for row in helper.rows] == ["", "←11"] and helper.title and not own.title
    assert [row.links for row in right.rows if row.links] == ["←10", "←2"]


def test_functions_of_several_files_are_named() -> None:
    g = defined("\n\ndef g(x):\n    return x * x\n", "g")
    f = defined("def f(x):\n    return g(x)\n", "f", g=g)
    df = derived(f, "def df_dx(x):\n    y = x  # 2 forward\n    return x + y  # g:2 backward\n", ("x",))
    sections, [right] = panes(df.__tangent_nb__)
    assert len(sections) == 2 and sections[0].title != sections[1].title
    assert [row.links for row in right.rows if row.links] == [f"→{sections[0].title}:2", f"←{sections[1].title}:2"]


@pytest.mark.parametrize("text, name, shown", [
    ("f = lambda x: x * x\n", "f", ["f = lambda x: x * x"]),
    ("if True:\n    def f(x):\n\n        return x\n", "f", ["def f(x):", "", "    return x"]),
    ("def f(x):\n    '''doc\nless\n    '''\n    return x\n", "f",
     ["def f(x):", "    '''doc", "less", "    '''", "    return x"]),
])
def test_the_users_text_as_it_stands(text: str, name: str, shown: list[str]) -> None:
    f = defined(text, name)
    [left], _ = panes(derived(f, "def df_dx(x):\n    return 1.0\n", ("x",)).__tangent_nb__)
    assert [row.text for row in left.rows] == shown


def test_the_text_for_other_arguments_is_folded() -> None:
    f = defined("def f(x):\n    return x * x\n", "f")
    df = derived(f, """
def df_dx(x):
    if x.__class__ is not float:
        return _df_dx_general(x)
    bx = _f_bwd(x)          # 2 backward
    return bx


def _f_bwd(x):
    return x + x            # 2 backward


def _df_dx_general(x):
    bx = x + x              # 2 backward
    return bx
""", ("x",))
    [left], [first, folded] = panes(df.__tangent_nb__)
    assert (first.title, first.folded, folded.title, folded.folded) \
        == ("derivative", False, "for other arguments", True)
    assert [row.text for row in first.rows if row.text.startswith("def")] == ["def df_dx(x):", "def _f_bwd(x):"]
    assert folded.rows[0].text == "def _df_dx_general(x):" \
        and folded.rows[-1].text == "    return bx" == first.rows[6].text
    assert left.rows[1].links == "←6,13" and [row.links for row in folded.rows if row.links] == ["←2"]
    every = [row.text for row in (*first.rows, *folded.rows)]
    assert [line for line in df.__tangent_nb__.emitted.text.split("\n") if line] == [line for line in every if line]


def test_a_function_that_was_derived_says_so() -> None:
    _, df = loss()
    again = derived(df, "def ddf(x):\n    return 1.0  # 4 backward\n", ("x",))
    [left], _ = panes(again.__tangent_nb__)
    assert left.title == "derivative of loss" and [row.number for row in left.rows if row.links] == [4]


def test_ranges() -> None:
    assert ranges([]) == "" and ranges([7]) == "7" and ranges([2, 1, 2]) == "1–2" and ranges([1, 3, 4]) == "1,3–4"
