"""Each verdict on the blanks of a quiz: errors carried forward, other arguments, loops, blanks, lines that raise."""
from __future__ import annotations

import re
from typing import Any

import pytest

from tangent_nb.notebook.quiz import quiz_report

CHAIN = """
def chain(x, w):
    a = x * w
    h = np.tanh(a)
    q = h * h
    return np.sum(q)
"""
RIGHT = {"fwd": "a, h = x * w, np.tanh(x * w)", "bq": "bq = np.ones_like(x)", "bh": "bh = bq * 2.0 * h",
         "ba": "ba = bh * (1.0 - h * h)", "bx": "bx = ba * w", "bw": "bw = ba * x", "return": "return bx, bw"}
POINTS = "--points bq=1,bh=1,ba=2,bx=1,bw=1,return=2 -w x,w"
AT = '--at "x=np.array([0.3, -0.5, 1.2]), w=np.array([1.0, 2.0, 3.0])"'
R, A, W, E, X = "right", "right after an error", "wrong", "empty", "raised"


def dchain(**changed: str) -> str:
    lines = [line for line in {**RIGHT, **changed}.values() if line]
    return "\n    ".join(["def dchain(x, w):", *lines]) + "\n"


def verdicts(report: Any) -> list[str]:
    return [one.verdict for one in report]


@pytest.fixture
def marked(shell: Any) -> Any:
    """The report on an attempt at `chain`."""
    shell.run(CHAIN)

    def mark(cell: str, options: str = POINTS) -> Any:
        seen = shell.run(f"%%quiz chain {AT} {options}\n{cell}")
        assert not seen.stderr, seen.stderr
        return quiz_report("chain")

    return mark


def test_all_right(marked: Any) -> None:
    report = marked(dchain())
    assert verdicts(report) == [R] * 6 and (report.points, report.possible, report.places) == (8.0, 8.0, 4)
    assert report["ba"].answer == RIGHT["ba"] and report["ba"].of == "a" and report["ba"].line == 6
    assert report["return"].answer == "return (bx, bw)" and report["return"].of == "x, w"


def test_one_slip_costs_one_blank(marked: Any) -> None:
    report = marked(dchain(bh="bh = bq * h"))
    assert verdicts(report) == [R, W, A, A, A, A] and report.points == 7.0
    assert report["bh"].says.startswith("line 5, bh: found") and report["bw"].after == (5,)
    assert report["return"].after == (5,)


def test_in_a_chain_of_three_each_mistake_counts_once(marked: Any) -> None:
    report = marked(dchain(bh="bh = bq * h", ba="ba = bh * (1.0 + h * h)", bx="bx = ba"))
    assert verdicts(report) == [R, W, W, W, A, A]
    assert report["bw"].after == (6,) and report["return"].after == (6, 7)


def test_two_errors_that_cancel_are_an_error_and_a_right_answer(marked: Any) -> None:
    report = marked(dchain(bh="bh = bq * h", ba="ba = 2.0 * bh * (1.0 - h * h)"))
    assert verdicts(report) == [R, W, W, R, R, R], "what is wrong given the right bh is wrong; what is true, is right"


@pytest.mark.parametrize("wrong", ["bh = np.ones(7)", "bh = bq * np.nan", "bh = None", "bh = [bq]", "bh = 'bh'",
                                   "bh = bq * 2.0 * h; bh[0] = 7.0", "bh = np.zeros(0)", "bh = bq * np.inf",
                                   "bh = object()"])
def test_a_wrong_value_of_any_kind_is_replaced(marked: Any, wrong: str) -> None:
    report = marked(dchain(bh=wrong))
    assert verdicts(report) == [R, W, A, A, A, A] and report.points == 7.0


def test_what_raises_is_replaced_too(marked: Any) -> None:
    report = marked(dchain(bh="bh = bq @ np.ones((7, 2))"))
    assert verdicts(report) == [R, X, A, A, A, A] and report.points == 7.0
    assert re.match("line 5, bh: ValueError: ", report["bh"].says) and report.error.startswith("ValueError")
    report = marked(dchain(bh="bh = bq @ np.ones((7, 2))", bx="bx = 1 / 0"))
    assert verdicts(report) == [R, X, A, X, A, A]


def test_where_a_line_without_points_raises_the_run_ends(marked: Any) -> None:
    report = marked(dchain(fwd="h = np.tanh(x * w); 1 / 0"))
    assert verdicts(report) == [X] * 6 and report.points == 0.0
    assert report["ba"].says == "the run stopped in line 3: ZeroDivisionError: division by zero"


@pytest.mark.parametrize("blank", ["...", "____"])
def test_blanks_that_are_empty(marked: Any, shell: Any, blank: str) -> None:
    report = marked(dchain(bh=f"bh = {blank}", bw=f"bw = {blank}"))
    assert verdicts(report) == [R, E, A, A, E, A] and report.points == 6.0
    assert report["bh"].tries == 0 and report["ba"].tries == 1
    report = marked(dchain(**{"bh": "", "ba": "ba = 2.0 * bq * h * (1.0 - h * h)", "return": "return ..."}))
    assert verdicts(report) == [R, E, R, R, R, E]


def test_an_empty_template_raises_nothing(shell: Any) -> None:
    shell.run(CHAIN)
    cell = dchain(**{name: f"{name} = ..." for name in ("bq", "bh", "ba", "bx", "bw")})
    seen = shell.run(f"%%quiz chain {AT} {POINTS}\n{cell}")
    assert seen.ok and verdicts(quiz_report()) == [E] * 5 + [A]


@pytest.mark.parametrize("name, accident", [
    ("bq", "bq = w ** 0.0 * np.array([1.0, 1.0, x[2] / 1.2])"), ("bh", "bh = 2.0 * np.tanh([0.3, -1.0, 3.6])"),
    ("ba", "ba = bh * (1.0 - np.tanh(np.array([0.3, -1.0, 3.6])) ** 2)"),
    ("bx", "bx = ba * [1.0, 2.0, 3.0]"), ("bw", "bw = ba * np.array([0.3, -0.5, 1.2])")])
def test_right_by_accident_is_wrong(marked: Any, shell: Any, name: str, accident: str) -> None:
    report = marked(dchain(**{name: accident}))
    assert report[name].verdict == W and report[name].points == 0.0 and "not at x=" in report[name].says
    assert [one.verdict for one in report].count(W) == 1
    seen = shell.run(f"%%quiz chain {AT} {POINTS}\n{dchain(**{name: accident})}")
    shown = seen.displays[0]["text/plain"]
    assert "not right at other arguments ✗" in shown and "right at the arguments of the quiz, but not at" in shown


def test_an_argument_that_is_the_truth_at_the_example_alone(shell: Any) -> None:
    shell.run("def square(x):\n    y = x * x\n    return y\n")
    cell = '%%quiz square --at "x=2.0" --points bx\ndef d(x):\n    bx = {}\n    return bx\n'
    for wrong in ("x * x", "x + x ** 2 / 2.0", "x * x * 1.0", "4.0", "2.0 ** x", "x + 2"):
        shell.run(cell.format(wrong))
        assert quiz_report()["bx"].verdict == W, wrong
    shell.run(cell.format("x + x"))
    assert quiz_report()["bx"].verdict == R
    shell.run(cell.replace("x=2.0", "x=2").format("x * x"))          # a whole number, which is all there is to change
    assert quiz_report()["bx"].verdict == W


def test_zeros_and_symmetric_matrices_hide_nothing(shell: Any) -> None:
    shell.run("def form(x, w):\n    y = np.dot(w, x)\n    return np.sum(y * y)\n")
    line = '%%quiz form --at "x=np.zeros(3), w=np.eye(3)" --points by,bx,bw -w x,w\n'
    shell.run(line + "def d(x, w):\n    by = np.zeros(3)\n    bx = np.dot(w, by)\n    bw = np.zeros((3, 3))\n"
                     "    return bx, bw\n")
    assert verdicts(quiz_report()) == [W, W, W]
    shell.run(line + "def d(x, w):\n    by = 2.0 * np.dot(w, x)\n    bx = np.dot(w.T, by)\n    bw = np.outer(by, x)\n"
                     "    return bx, bw\n")
    assert verdicts(quiz_report()) == [R, R, R]


LOOP = """
def power(x, n):
    y = 1.0
    for i in range(n):
        y = y * np.sin(x)
    return y * x
"""
DLOOP = """def d(x, n):
    kept = []
    y = 1.0
    for i in range(n):
        kept.append(y)
        y = y * np.sin(x)
    by = x
    bx = y
    for i in reversed(range(n)):
        y = kept.pop()
        bx = bx + by * y * np.cos(x)
        by = by * np.sin(x)
    return bx
"""
OF_LOOP = '%%quiz power --at "x=0.7, n=4" --points by,bx,return\n'


@pytest.mark.parametrize("right, wrong, expected", [
    ("", "", [R, R, R]),
    ("by = by * np.sin(x)", "by = by * np.cos(x)", [W, A, A]),
    ("by = x\n", "by = 1.0\n", [W, A, A]),
    ("by = by * np.sin(x)", "by = by * np.sin(x) if i != 2 else by", [W, A, A]),     # one trip alone
    ("bx = bx + by", "bx = bx - by", [R, W, A]),
    ("bx = bx + by", "bx = by", [R, W, A]),
    ("reversed(range(n))", "reversed(range(n - 1))", [W, W, A]),                     # a trip too few
    ("by = x\n", "by = ...\n", [E, A, A]),
    ("by = by * np.sin(x)", "by = by * np.sin(x) / (i - 2)", [X, A, A]),             # right, then raises
    ("return bx", "return by", [R, R, W]),
])
def test_loops(shell: Any, right: str, wrong: str, expected: list[str]) -> None:
    shell.run(LOOP)
    assert right in DLOOP
    shell.run(OF_LOOP + (DLOOP.replace(right, wrong, 1) if right else DLOOP))
    assert verdicts(quiz_report()) == expected


def test_guessing_is_no_answer(shell: Any) -> None:
    """A variable with several values: those that are true among others that are not."""
    shell.run(LOOP)
    guess = DLOOP.replace("by = by * np.sin(x)", "by = by * np.cos(x); by = by / np.cos(x) * np.sin(x)")
    shell.run(OF_LOOP + guess.replace("    by = x\n", "    by = 2.0 * x\n    by = 3.0 * x\n    by = x\n"))
    assert quiz_report()["bx"].verdict in (R, A)
    shell.run(OF_LOOP + DLOOP.replace("return bx", "bx = 2.0 * bx\n    return bx"))
    assert quiz_report()["bx"].verdict == W and quiz_report()["return"].verdict in (W, A)


def test_pieces_that_add_up(marked: Any, shell: Any) -> None:
    shell.run("def two(x):\n    y = np.sin(x)\n    return np.sum(x * y)\n")
    line = ('%%quiz two --at "x=np.array([0.2, 0.5])" --points by,bx\n'
            "def d(x):\n    y = np.sin(x)\n    by = {}\n    bx = {}\n    bx += {}\n")
    for by, first, second, expected in [("x", "y", "by * np.cos(x)", [R, R]), ("-x", "y", "by * np.cos(x)", [W, A]),
                                        ("-x", "y", "by * np.sin(x)", [W, W]), ("x", "-y", "by * np.cos(x)", [R, W]),
                                        ("-x", "-y", "by * np.cos(x)", [W, W]), ("x", "y[:1]", "by", [R, X]),
                                        ("x", "...", "by * np.cos(x)", [R, E]), ("...", "y", "by * np.cos(x)", [E, A])]:
        shell.run(line.format(by, first, second))
        assert verdicts(quiz_report()) == expected, (by, first, second)


STORE = "def store(x, k):\n    out = np.zeros(2)\n    out[0] = x * k\n    out[1] = out[0] * x\n    return np.sum(out)\n"
DSTORE = """def d(x, k):
    out = np.array([x * k, x * k * x])
    bout = np.ones(2)
    bx = bout[1] * out[0]
    bout[0] += bout[1] * x
    bx += bout[0] * k
    bk = bout[0] * x
    return bx, bk
"""


def test_stores_in_place(shell: Any) -> None:
    shell.run(STORE)
    line = '%%quiz store --at "x=1.5, k=0.7" --points bx,bk,return -w x,k\n'
    shell.run(line + DSTORE)
    assert verdicts(quiz_report()) == [R, R, R]
    shell.run(line + DSTORE.replace("bx += bout[0] * k", "bx += bout[0]"))
    assert verdicts(quiz_report()) == [W, R, A]
    shell.run(line + DSTORE.replace("bout[0] += bout[1] * x", "pass"))
    assert verdicts(quiz_report()) == [W, W, A], "bout has no points: its mistake costs where it comes out"


def test_what_is_changed_in_place_through_another_name(marked: Any) -> None:
    report = marked(dchain(ba="ba = bh\n    ba *= 1.0 - h * h"))
    assert verdicts(report) == [R] * 6, "bh was right when it was made"
    report = marked(dchain(bq="bq = np.ones_like(x)", bh="bh = bq\n    bh *= 2.0 * h", ba="ba = bq * (1.0 - h * h)"))
    assert report["ba"].verdict == R
    report = marked(dchain(bh="bh = bq * 2.0 * h\n    h *= 0.0"))
    assert report["bh"].verdict == R and report["ba"].verdict == W


def test_arguments_that_are_changed_are_copies(marked: Any, shell: Any) -> None:
    shell.run("X = np.array([0.3, -0.5, 1.2])")
    report = marked(dchain(bw="bw = ba * x\n    x *= 0.0"), POINTS)
    assert verdicts(report) == [R] * 6
    assert shell.run(f"%%quiz chain --at 'x=X, w=X' {POINTS}\n{dchain(bw='bw = ba * x; x[:] = 0.0')}").ok
    assert shell["X"].tolist() == [0.3, -0.5, 1.2]


def test_what_is_never_assigned(marked: Any) -> None:
    report = marked("def dchain(x, w):\n    bq = np.ones_like(x)\n")
    assert verdicts(report) == [R, E, E, E, E, E] and report.points == 1.0
    report = marked("def dchain(x, w):\n    if x[0] == 0.3:\n        bq = np.ones_like(x)\n    return 0.0\n")
    assert report["bq"].verdict == W and "it is not assigned" in report["bq"].says


def test_globals_in_the_place_of_parameters(marked: Any, shell: Any) -> None:
    shell.run("w = np.array([1.0, 2.0, 3.0])")
    report = marked(dchain().replace("(x, w):", "(x):"))
    assert report["bx"].verdict == W and "w it has no parameter for" in report["bx"].says


def test_functions_that_are_there_at_these_arguments_alone(shell: Any) -> None:
    shell.run("def only(x):\n    assert x == 2.0\n    return x * x\n")
    shell.run('%%quiz only --at "x=2.0" --points bx\ndef d(x):\n    bx = 2.0 * x\n    return bx\n')
    assert quiz_report()["bx"].verdict == R and quiz_report().places == 1


def test_a_loop_that_ends_nowhere_else(shell: Any) -> None:
    shell.run("def newton(x):\n    y = 1.0\n    while abs(y * y - x) > 1e-9:\n        y = 0.5 * (y + x / y)\n"
              "    return y * x\n")
    shell.run('%%quiz newton --at "x=2.0" --points bx\ndef d(x):\n    bx = 1.5 * np.sqrt(x)\n    return bx\n')
    assert quiz_report()["bx"].verdict == R and quiz_report().places == 4


def test_what_is_not_finite_is_not_judged(shell: Any) -> None:
    shell.run("def pole(x):\n    return x / (x - x)\n")
    shell.run('%%quiz pole --at "x=np.float64(1.0)" --points bx\ndef d(x):\n    bx = np.nan\n    return bx\n')
    assert quiz_report()["bx"].verdict == W and "not finite" in quiz_report()["bx"].says


def test_without_points_each_cotangent_counts_one(marked: Any) -> None:
    report = marked(dchain(ba="ba = bh * (1.0 + h * h)"), "")
    assert [one.name for one in report] == ["bq", "bh", "ba", "bx", "bw", "return"] and report.points == 5.0
    report = marked(dchain(ba="bz = bh * (1.0 + h * h)", bx="bx = bz * w", bw="bw = bz * x"), "")
    assert [one.name for one in report] == ["bq", "bh", "bx", "bw", "return"]
    assert verdicts(report) == [R, R, W, W, A], "bz has no points: nothing excuses what comes of it"


def test_steps_are_named(shell: Any) -> None:
    shell.run("def layer(x, w, b):\n    h = np.tanh(np.dot(x, w) + b)\n    return np.sum(h * h)\n")
    names = '--names "bz=np.dot(x, w) + b"'
    line = f'%%quiz layer --at "x=np.ones((4, 2)), w=np.eye(2), b=np.zeros(2)" --points bh,bz,bw,bb {names}\n'
    cell = ("def d(x, w, b):\n    h = np.tanh(np.dot(x, w) + b)\n    bh = 2.0 * h\n    bz = {}\n"
            "    bw = np.dot(x.T, bz)\n    bb = {}\n    return bw, bb\n")
    for bz, bb, expected in [("bh * (1.0 - h * h)", "bz.sum(axis=0)", [R, R, R, R]),
                             ("bh", "bz.sum(axis=0)", [R, W, A, A]),
                             ("bh * (1.0 - h * h)", "bz", [R, R, R, W]), ("...", "bz.sum(axis=0)", [R, E, A, A]),
                             ("bh", "bz.sum(axis=1)", [R, W, A, W])]:
        shell.run(line + cell.format(bz, bb))
        assert verdicts(quiz_report()) == expected, (bz, bb)
