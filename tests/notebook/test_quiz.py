"""`%%quiz` in a real shell: a right backward pass, and wrong ones of every kind."""
from __future__ import annotations

import contextlib
import inspect
import io
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from corpus import CORPUS, Entry

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.notebook.answer import answer
from tangent_nb.notebook.cotangents import recorded
from tangent_nb.notebook.quiz import HELP
from tangent_nb.notebook.quiz_options import QuizOptions
from tangent_nb.notebook.rerun import Calls
from tangent_nb.notebook.truth import Truth

LOSS = """
rng = np.random.default_rng(0)
X, W, B, Y = rng.normal(size=(5, 2)), rng.normal(size=(2, 3)), rng.normal(size=3), rng.normal(size=(5, 3))
def loss(x, w, b, y):
    h = np.tanh(np.dot(x, w) + b)
    r = h - y
    return np.mean(r * r)
"""
DLOSS = """def dloss(x, w, b, y):
    h = np.tanh(np.dot(x, w) + b)
    r = h - y
    br = 2.0 * r / r.size
    bh = br
    bz = bh * (1.0 - h * h)
    bw = np.dot(x.T, bz)
    bb = bz.sum(axis=0)
    return bw, bb
"""
AT = '%%quiz loss --at "x=X, w=W, b=B, y=Y" '
CHAIN = """
def chain(x, n):
    s = 0.0
    for i in range(n):
        y = np.sin(x) * i
        s = s + y * x
        x = x - y
    return s * x
"""
DCHAIN = """def dchain(x, n):
    kept = []
    s = 0.0
    for i in range(n):
        y = np.sin(x) * i
        kept.append((x, y))
        s = s + y * x
        x = x - y
    bs = x
    bx = s
    for i in reversed(range(n)):
        x, y = kept.pop()
        by = -bx
        by += bs * x
        bx = bx + bs * y
        bx += by * np.cos(x) * i
    return bx
"""


def text(seen: Any) -> str:
    return "\n".join(display["text/plain"] for display in seen.displays)


def marks(shown: str) -> dict[str, str]:
    """For each row of the table its mark, `-` where it is not judged."""
    rows = re.findall(r"^  (\d+) +((?:return )?\S+) .*?(✓|✗|not judged|$)", shown, re.M)
    return {f"{line} {name}": {"not judged": "-"}.get(mark, mark) for line, name, mark in rows}


@pytest.fixture
def quiz(shell: Any) -> Any:
    shell.run(LOSS)
    shell.run(CHAIN)
    return lambda line, cell: text(shell.run(line + "\n" + cell))


def test_a_right_one(quiz: Any) -> None:
    shown = quiz(AT, DLOSS)
    assert marks(shown) == {"5 br": "✓", "6 bh": "✓", "7 bz": "✓", "8 bw": "✓", "9 bb": "✓", "10 return bw": "✓",
                            "10 return bb": "✓"}
    assert shown.startswith("dloss: backward pass of loss\n\nat x=array (5, 2), w=array (2, 3), b=[")
    assert "the cotangent of np.dot(x, w) + b" in shown \
        and shown.endswith("all right: 7 of 7 lines were judged, and agree")


@pytest.mark.parametrize("right, wrong, sentence", [
    ("br = 2.0 * r", "br = r",
     r"line 5, br: found \S+ at \[2, 2\], expected \S+ \(shape \(5, 3\), .*\); it is 0.5 times what is expected"),
    ("bh = br", "bh = -br", r"line 6, bh: .*; the sign is wrong"),
    ("bz.sum(axis=0)", "bz",
     r"line 9, bb: found shape \(5, 3\), expected shape \(3,\); the sum over axis 0, along which .* is missing"),
    ("np.dot(x.T, bz)", "np.dot(x.T, bz).T",
     r"line 8, bw: found shape \(3, 2\), expected shape \(2, 3\); it is transposed"),
    ("bw = np.dot(x.T, bz)", "bw = None", r"line 8, bw: found None, expected an array of shape \(2, 3\)"),
    ("bw = np.dot(x.T, bz)", "bw = np.zeros(W.shape)", r"line 8, bw: .*; it is zero"),
    ("bw = np.dot(x.T, bz)", "bw = np.full(W.shape, np.nan)", r"line 8, bw: found nan .*; it is not finite"),
    ("bb = bz.sum(axis=0)", "bb = [1.0]",
     r"line 9, bb: found shape \(\), expected shape \(3,\); a cotangent has the shape of .*"),
])
def test_wrong_ones(quiz: Any, right: str, wrong: str, sentence: str) -> None:
    assert right in DLOSS
    assert re.search(sentence + "$", quiz(AT, DLOSS.replace(right, wrong)), re.M)


ENERGY = """
def energy(x, w):
    h = np.tanh(np.dot(x, w))
    return np.sum(h * h)
"""
OF_ENERGY = '%%quiz energy --at "x=X, w=W"'


def denergy(*lines: str) -> str:
    body = ["h = np.tanh(np.dot(x, w))", *lines]
    return "\n    ".join(["def denergy(x, w):", *body]) + "\n"


RIGHT = ("bh = 2.0 * h", "bz = bh * (1.0 - h * h)", "bw = np.dot(x.T, bz)", "return bw")


def test_its_own_example_is_right(quiz: Any, shell: Any) -> None:
    shell.run(ENERGY.replace("energy", "loss"))
    lines = [line.removeprefix("    ") for line in HELP.split("\n")]
    first = lines.index('%%quiz loss --at "x=X, w=W"')
    shown = quiz(lines[first], "\n".join(lines[first + 1:]))
    assert set(marks(shown).values()) == {"✓"} and "all right: 4 of 4 lines" in shown


def test_a_value_without_a_name_is_judged_by_the_step_that_it_belongs_to(quiz: Any, shell: Any) -> None:
    shell.run(ENERGY)
    shown = quiz(OF_ENERGY, denergy(*RIGHT))
    assert marks(shown) == {"4 bh": "✓", "5 bz": "✓", "6 bw": "✓", "7 return bw": "✓"} \
        and "the cotangent of np.dot(x, w) ✓" in shown


@pytest.mark.parametrize("wrong", ["bz = bh", "bz = bh * (1.0 + h * h)", "bz = bh * 1.0; bz *= 1.0 + h"])
def test_what_cannot_be_judged_is_named_and_the_next_line_is_not_blamed(quiz: Any, shell: Any, wrong: str) -> None:
    shell.run(ENERGY)
    shown = quiz(OF_ENERGY, denergy(RIGHT[0], wrong, *RIGHT[2:]))
    assert marks(shown) == {"4 bh": "✓", "5 bz": "-", "6 bw": "✗", "7 return bw": "✗"}
    assert "\nline 5, bz, or line 6, bw: the mistake is in one of them, and of these only bw can be judged: found" \
        in shown
    assert "no step of it has this cotangent" in shown and "or line 5, bz, which cannot be judged" in shown


def test_what_follows_from_an_earlier_mistake_says_so(quiz: Any, shell: Any) -> None:
    shell.run(ENERGY)
    shown = quiz(OF_ENERGY, denergy("bh = h", *RIGHT[1:]))
    assert [line[-1] for line in shown.split("\n") if "follows from line 4" in line] == ["✗"] * 3
    assert "\nline 4, bh: found" in shown
    shown = quiz(OF_ENERGY, denergy("bh = h", RIGHT[1], "bw = -np.dot(x.T, bz)", "return bw"))
    rows = [line for line in shown.split("\n") if line.endswith("✗")]
    parts = "it is 0.5 times", "follows from line 4", "the sign is wrong", "follows from line 6"
    assert [part in row for part, row in zip(parts, rows)] == [True] * 4
    shown = quiz(AT, DLOSS.replace("br = 2.0 * r", "br = r").replace("bz.sum(axis=0)", "-bz.sum(axis=0)"))
    assert re.search("8 +bw .*follows from line 5 +✗", shown) and re.search("9 +bb .*the sign is wrong +✗", shown)
    assert re.search("10 +return bw .*follows from line 5 +✗", shown) \
        and re.search("10 +return bb .*follows from line 9 +✗", shown)
    shown = quiz('%%quiz chain --at "x=0.5, n=3"', DCHAIN.replace("bs = x\n", "bs = s\n"))
    assert re.search("15 +by .*follows from line 10 +✗", shown)


def test_what_was_judged_before_an_error_is_kept(quiz: Any, shell: Any) -> None:
    shell.run(ENERGY)
    seen = shell.run(OF_ENERGY + "\n" + denergy(RIGHT[0], RIGHT[1], "bw = np.dot(x, bz)", "return bw"))
    assert isinstance(seen.error, ValueError) and "bw = np.dot(x, bz)" in seen.text and "tangent_nb" not in seen.text
    assert marks(text(seen)) == {"4 bh": "✓", "5 bz": "✓"} and "right so far: 2 of 2 lines" in text(seen)
    assert "denergy stopped there: ValueError: shapes" in text(seen)
    shown = quiz(OF_ENERGY, denergy("bh = h", RIGHT[1], "bw = np.dot(x, bz)", "return bw"))
    assert marks(shown) == {"4 bh": "✗", "5 bz": "✗"} and "line 4, bh: found" in shown
    shown = quiz(OF_ENERGY, denergy("bh = h", "bh += h / 0 if h is None else None", "return bh"))
    assert marks(shown) == {"4 bh": "-"} and "the run stopped before it was complete" in shown


def test_what_is_returned(quiz: Any) -> None:
    assert "all right" in quiz(AT + "-w w,b", DLOSS)
    shown = quiz(AT + "-w b,w", DLOSS)
    assert marks(shown)["10 return bw"] == "✗" \
        and "line 10, return bw: found shape (2, 3), expected shape (3,)" in shown
    shown = quiz(AT + "-w w", DLOSS)
    assert "line 10, return: found 2 values, expected the gradient of w" in shown
    shown = quiz(AT, DLOSS.replace("return bw, bb", "return bw * 1.0, bb"))
    assert "which gradient it is can be said with -w" in shown and "all right" in shown
    shown = quiz(AT + "-w 1", DLOSS.replace("return bw, bb", "return bw * 1.0"))
    assert re.search(r"10 +return bw \* 1.0 +array \(2, 3\) +array \(2, 3\) .*✓", shown) and "all right" in shown


def test_loops(quiz: Any) -> None:
    line = '%%quiz chain --at "x=0.5, n=3"'
    assert "all right" in quiz(line, DCHAIN)
    shown = quiz(line, DCHAIN.replace("by = -bx", "by = 0.0"))
    assert "line 15, by: found" in shown and shown.endswith("what comes back through line 6 is missing")
    shown = quiz(line, DCHAIN.replace("bs = x\n", "bs = s\n"))
    assert "\nline 10, bs: found" in shown
    shown = quiz(line, DCHAIN.replace("bx += by * np.cos(x) * i", "bx -= by * np.cos(x) * i"))
    assert "✗" in shown and "all right" not in shown


def test_parts_are_judged_when_they_are_complete(quiz: Any, shell: Any) -> None:
    shell.run("def twice(x):\n    return np.sum(x * x) + np.sum(np.sin(x))\n")
    line = '%%quiz twice --at "x=np.ones(2)"'
    shown = quiz(line, "def d(x):\n    bx = 2.0 * x\n    bx += np.cos(x)\n    return bx\n")
    assert marks(shown) == {"3 bx": "-", "4 bx": "✓", "5 return bx": "✓"} and "added to in line 4" in shown
    shown = quiz(line, "def d(x):\n    bx = 2.0 * x + np.cos(x)\n    bx += np.cos(x)\n    return bx\n")
    assert "line 4, bx:" in shown and "it was right before, in line 3" in shown
    shown = quiz(line, "def d(x):\n    bx = 2.0 * np.ones(3)\n    bx = bx[:2] + np.cos(x)\n    return bx\n")
    assert marks(shown)["3 bx"] == "-"             # assigned again: it was something else
    shown = quiz(line, "def d(x):\n    bx = np.ones((3, 2))\n    bx += np.cos(x)\n    return bx[0]\n")
    assert "line 3, bx: found shape (3, 2), which cannot be a part of the expected shape (2,)" in shown
    shown = quiz(line, "def d(x):\n    bx = np.zeros_like(x)\n    for i in range(2):\n"
                 "        bx[i] += 2.0 * x[i] + np.cos(x[i])\n"
                 "    return bx\n")
    assert "all right" in shown
    shown = quiz(line, "def d(x):\n    bx = np.zeros_like(x)\n"
                 "    np.add.at(bx, [0, 1], 2.0 * x + np.cos(x))\n    return bx\n")
    assert "all right" in shown


def test_variables_that_are_overwritten(quiz: Any, shell: Any) -> None:
    shell.run("def over(x):\n    x = x * 2.0\n    y = x * x + x\n    return y\n")
    line = '%%quiz over --at "x=3.0"'
    assert "all right" in quiz(line, "def d(x):\n    x = x * 2.0\n    by = 1.0\n    bx = 2.0 * x * by\n    bx += by\n"
                                     "    bx = bx * 2.0\n    return bx\n")
    assert "all right" in quiz(line, "def d(x):\n    bx = 4.0 * x + 1.0\n    return bx * 2.0\n")
    shown = quiz(line, "def d(x):\n    bx = 4.0 * x + 1.0\n    return bx\n")
    assert marks(shown) == {"3 bx": "✓", "4 return bx": "✗"}


def test_names(quiz: Any) -> None:
    named = re.sub(r"\bb(?=[hwbr]\b)", "d", DLOSS)
    assert "dh" in named and "all right" in quiz(AT + "--prefix d", named)
    shown = quiz(AT + "--names dh=h,dr=q", named)
    assert marks(shown)["6 dh"] == "✓" and "loss has no variable q" in shown
    assert "nothing was judged: the cotangent of a variable x of loss is called bx" \
        in quiz(AT, "def dloss(x):\n    return x\n")


def test_prints_are_shown_once_and_randomness_is_the_same(quiz: Any, shell: Any) -> None:
    shell.run("def noisy(x):\n    print('noise')\n    k = rng.random()\n    return np.sum(x * k)\n")
    before = shell["rng"].bit_generator.state
    seen = shell.run('%%quiz noisy --at "x=np.ones(2)"\ndef d(x):\n    print("mine")\n'
                     '    bx = np.full(2, rng.random())\n    return bx\n')
    assert "all right" in text(seen) and seen.text == "mine\n" and shell["rng"].bit_generator.state == before


def test_errors(quiz: Any, shell: Any) -> None:
    seen = shell.run('%%quiz chain --at "x=0.5, n=3"\ndef d(x):\n    bx = 1.0\n    return bx / 0\n')
    assert isinstance(seen.error, ZeroDivisionError) and "----> 4     return bx / 0" in seen.text \
        and "tangent_nb" not in seen.text
    shell.run("def refused(x):\n    return eval('x')\n")
    assert quiz('%%quiz refused --at "x=1.0"', "def d(x):\n    return x\n").startswith("cannot differentiate refused")
    shell.run("def wide(x):\n    return x * 2.0\n")
    assert "gradient" in quiz('%%quiz wide --at "x=np.ones(2)"', "def d(x):\n    return x\n")
    shell.run("def strict(x):\n    assert x > 1\n    return x\n")
    shown = quiz('%%quiz strict --at "x=0.0"', "def d(x):\n    return x\n")
    assert shown.startswith("strict or its derivative fails at these arguments: AssertionError")
    assert isinstance(shell.run('%%quiz chain --at "x=1.0, n=1"\ndef d(x:\n').error, SyntaxError)


@pytest.mark.parametrize("line, message", [
    ("%%quiz", "give the function"), ("%%quiz loss", "needs arguments to run at: --at \"x=…, w=…, b=…, y=…\""),
    ("%%quiz nothing --at x=1", "'nothing': NameError"), ('%%quiz chain --at "x=1.0"', "missing a required argument"),
    ("%%quiz loss --at x=1 --nonsense", "%%quiz? lists the options"),
    ("%%quiz loss --at x=1 --prefix 1", "no name begins with that"), ("%%quiz loss --at x=1 --names d", "--names dz=z"),
    ('%%quiz chain --at "x=1.0, n=2" -w n', "no gradient with respect to it"),
    ('%%quiz d --at "x=1.0"', "a function of its own"),
    ('%%quiz chain --at "x=1.0, n=2" -f e', "there is no such function")])
def test_usage(quiz: Any, shell: Any, line: str, message: str) -> None:
    seen = shell.run(line + "\ndef d(x):\n    return x\n")
    assert seen.stderr.startswith("UsageError: ") and message in seen.stderr and not seen.displays


def test_parameters_of_the_attempt(quiz: Any, shell: Any) -> None:
    seen = shell.run('%%quiz chain --at "x=1.0, n=2"\ndef d(z):\n    return z\n')
    assert "UsageError: d has a parameter z, which chain has not" in seen.stderr
    assert "✗" in quiz('%%quiz chain --at "x=1.0, n=2"', "def d(x, *, seed=1.0):\n    bx = seed\n    return bx\n")


def test_the_solution_is_shown_only_when_asked_for(quiz: Any, shell: Any) -> None:
    wrong = DLOSS.replace("br = 2.0 * r", "br = r")
    assert "def dloss_dx" not in quiz(AT, wrong) and "rt." not in quiz(AT, wrong)
    shown = quiz(AT + "--solution", wrong)
    assert "def dloss_dx_dw_db_dy" in shown and "line 5, br" in shown


def test_markup_is_escaped(quiz: Any, shell: Any) -> None:
    cell = '%%quiz chain --at "x=1.0, n=2"\ndef d(x):\n    bx = "<script>"\n    return bx\n'
    html = shell.run(cell).displays[0]["text/html"]
    assert "<script" not in html and "&lt;script&gt;" in html and "✗ differs" in html


def test_help(shell: Any) -> None:
    info = shell.ip.inspector.info(shell.ip.find_cell_magic("quiz"))
    for words in ("by hand", "--at", "--prefix", "--names", "--solution"):
        assert words in info["docstring"]
    assert shell.run("%%quiz?").ok


@pytest.mark.sampled(12)
@pytest.mark.parametrize("entry", [e for e in CORPUS if not e.refused and e.group in ("mutation", "models")],
                         ids=lambda entry: entry.id)
def test_a_derivative_passes_its_own_quiz(entry: Entry) -> None:
    """The optimized derivatives of the corpus, taken for somebody's own backward passes, have no wrong line."""
    bound = inspect.signature(entry.function).bind(*entry.fresh())
    bound.apply_defaults()
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            df: Any = tnb.grad(entry.function, entry.wrt, optimized=tnb.PASSES)
            truth = Truth.of(entry.function, bound)
            record = recorded(df, lambda: Calls(df, bound.args, bound.kwargs)(df))
            if record.error is not None:
                raise record.error
        except (TangentError, ArithmeticError, ValueError) as error:
            pytest.skip(f"no gradient: {error}")
        shown = answer("d", truth, record, QuizOptions("f", "x"), [list(bound.arguments)[place] for place in entry.wrt])
    assert not shown.problem
    assert any(mark is not None for table in shown.tables for mark in table.marks)
