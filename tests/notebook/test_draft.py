"""The derivative of what is being written, and where there is none."""
from __future__ import annotations

import gc
import linecache
import os
import weakref
from typing import Any

import pytest

from tangent_nb.emit import folder
from tangent_nb.notebook import magic

CELL = '''%%grad -w w --at "x=2.0, w=3.0"
K = 2.0

def half(t):
    """Half of it: "é" ∂."""
    return t / 2

@noisy
def loss(x, w=[1.0, 2][0], *, k=3):
    total = 0.0
    for i in range(k):
        total = total + half(x * w) * f"{i}".count("1") + K
    if total > 1e9:
        return total * (lambda t: t)(w)
    return np.tanh(total) * w
'''


class Open:
    """A cell with `%%grad`, and the editor of what it shows."""

    def __init__(self, shell: Any, cell: str, monkeypatch: pytest.MonkeyPatch) -> None:
        shown: list[Any] = []
        monkeypatch.setattr(magic, "display", shown.append)
        self.ran = shell.run(cell)
        [one] = shown
        self.shell, self.session = shell, one._shown
        self.editor = self.session.editor

    def draft(self, text: str) -> dict[str, Any]:
        return self.editor.draft(self.session, text)  # type: ignore[no-any-return]

    def text(self, text: str) -> str:
        """The derivative of a text."""
        found = self.draft(text)
        assert found["state"] is not None, found["faults"]
        return written(found)


def written(found: dict[str, Any]) -> str:
    state = found["state"]
    return "\n".join(state["lines"][state["rows"][row][0]][0] for row in state["stages"][state["final"]]["rows"])


@pytest.fixture
def opened(shell: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda cell: Open(shell, cell, monkeypatch)


F = "%%grad\ndef f(x):\n    return x * x\n"


def test_the_text_of_the_cell_is_what_is_edited(opened: Any) -> None:
    one = opened(F)
    assert one.editor.opened() == {"text": "def f(x):\n    return x * x\n", "first": 2, "head": ["%%grad"], "cell": ""}


def test_the_derivative_is_that_of_the_text_once_it_has_run(opened: Any) -> None:
    one = opened(F)
    text = "def f(x, n):\n    y = np.sin(x)\n    for i in range(n):\n        y = y * x\n    return y\n"
    draft = one.text(text)
    assert one.editor.apply(one.session, text)["failed"] is False
    assert one.session.take.derived.derivation.emitted.text.rstrip("\n") == draft.rstrip("\n")


def test_nothing_runs_and_nothing_is_bound(opened: Any, shell: Any) -> None:
    shell.run("ran = []\ndef noisy(what='x'):\n    ran.append(what)\n    return what")
    one = opened("%%grad -w x --at 'x=2.0'\ndef f(x, w=1.0):\n    ran.append('f')\n    return x * w\n")
    shell["ran"].clear()
    before = dict(shell.ip.user_ns)
    for text in ("noisy()\n", "@noisy\n", "def g(x=noisy()): pass\n", "class A:\n    noisy()\n",
                 "import antigravity_of_the_test\n",
                 "%matplotlib inline\n!touch /tmp/ran\nx = noisy()\n"):
        found = one.draft(text + "def f(x, w=2.0):\n    return np.sin(x) * w\n")
        assert found["state"] is not None and "np.cos(x)" in written(found)
    nested = one.draft("def f(x, w=1.0):\n    @noisy\n    def g(t, k=noisy('d')):\n        return t\n"
                       "    class B:\n        noisy()\n"
                       "    return g(x) * w\n")
    assert nested["state"] is not None or nested["faults"]
    assert shell["ran"] == []
    after = dict(shell.ip.user_ns)
    assert before == after


def test_a_property_of_an_object_in_the_notebook_is_not_asked(opened: Any, shell: Any) -> None:
    shell.run("ran = []\nclass Lazy:\n    @property\n    def w(self):\n        ran.append(1)\n        return 2.0\n"
              "    def __getattr__(self, name):\n        ran.append(name)\n        raise AttributeError(name)\n"
              "o = Lazy()")
    one = opened(F)
    one.draft("def f(x):\n    return x * o.w * o.other\n")
    one.draft("def f(x, w=o.w):\n    return x * w\n")
    assert shell["ran"] == []


@pytest.mark.parametrize("text, line, column, end, words", [
    ("def f(x)\n    return x", 1, 8, 9, "expected ':'"),
    ("def f(x):\n    return (x", 2, 11, 12, "'(' was never closed"),
    ("def f(x):\nreturn x", 2, 0, 6, "expected an indented block after function definition on line 2"),
    ("k = 1\ndef f(x):\n    y = '𝒳'; return x +* 2", 3, 24, 25, "invalid syntax"),
    ("def f(x):\n    '𝒳'; return eval('x')", 2, 17, 26, "eval runs code"),
    ("def f(x):\n    '𝒳'; return x * nope", 2, 21, 25, "nope is not known"),
    ("async def f(x):\n    return x", 1, 0, 15, "it is a coroutine"),
    ("def f(x):\n    yield x", 1, 0, 9, "it is a generator"),
    ("", 1, 0, 0, "there is no function in it yet"),
    ("x = \0 1", 1, 0, 7, "null bytes"),
    ("class A:\n    def f(self, x): return x", 2, 4, 28, "there is no function in it yet"),
    ("%%time\ndef f(x): return x", 2, 0, 18, "what %%time makes of it is not known"),
    ("x" * 1_000_001, 1, 0, 1_000_001, "too long"),
    ("def f(x):\n    return " + "(" * 500 + "x" + ")" * 500, 2, 11, 12, ""),
    ("def f(x):\n    return " + "-" * 100_000 + "x", 1, 0, 9, "nested too deeply"),
])
def test_why_there_is_none_stands_at_its_place(opened: Any, text: str, line: int, column: int, end: int,
                                               words: str) -> None:
    one = opened(F)
    found = one.draft(text)
    first = found["faults"][0]
    assert words in first["text"] and "no derivative:" not in first["text"]
    if words:
        assert (first["line"], first["column"]) == (line, column)
        assert first["end"] == end or first["end"] > first["column"]


def test_a_parameter_that_is_gone(opened: Any) -> None:
    one = opened("%%grad -w w\ndef f(x, w):\n    return x * w\n")
    [fault] = one.draft("def f(x, v):\n    return x * v\n")["faults"]
    assert "no parameter 'w'" in fault["text"] and fault["line"] == 1


def test_a_refusal_in_a_function_that_is_called(opened: Any, shell: Any) -> None:
    shell.run("def bad(t):\n    return eval('t')\n")
    one = opened(F)
    found = one.draft("def f(x):\n    return bad(x)\n")
    assert found["state"] is None and found["faults"] and found["faults"][0]["line"] in (1, 2)


NET = """%%grad
class Net:
    def __init__(self, w):
        self.w = w
def f(x):
    net = Net(x)
    while x > 1:
        x -= net.w
    with np.errstate(all='ignore'):
        try:
            return x[0] * 1
        except (TypeError, ValueError) as e:
            return x
"""
NAMED = "%%grad\nf = lambda x, y=1: (x * y) ** 2 if x else [x, {'a': y}['a']][0]\n"


@pytest.mark.parametrize("cell", [CELL, NAMED, NET])
def test_every_beginning_of_a_cell(opened: Any, shell: Any, cell: str) -> None:
    """What is half written is an error of the user's at most."""
    shell.run("ran = []\ndef noisy(f):\n    ran.append(f)\n    return f")
    one = opened(cell)
    shell["ran"].clear()
    whole = one.editor.source.text
    for end in range(len(whole) + 1):
        found = one.draft(whole[:end])
        lines = whole[:end].split("\n")
        assert found["state"] is not None or found["faults"], whole[:end]
        for fault in found["faults"]:
            assert "no derivative:" not in fault["text"], (whole[:end], fault)
            assert 1 <= fault["line"] <= len(lines) and fault["text"]
    assert found["state"] is not None and shell["ran"] == []


def test_notes_say_what_has_not_run(opened: Any) -> None:
    one = opened(F)
    found = one.draft("W = np.ones(3)\n@jit\ndef f(x, k=make()):\n    return x * W\n")
    assert found["state"]["notes"] == ["line 2: what gives W has not run: it is not known",
                                       "line 3: @jit has not run: f is shown without it",
                                       "line 4: the default of k has not run: it is not known"]


def test_arguments_of_before_serve_where_they_fit(opened: Any) -> None:
    one = opened('%%grad --at "x=np.ones(3)"\ndef f(x):\n    return np.sum(x)\n')
    assert "f8[n]" in str(one.draft("def f(x):\n    return np.sum(x * x)\n")["state"])
    lost = one.draft("def f(x, y):\n    return np.sum(x * y)\n")["state"]
    assert any("--at" in note for note in lost["notes"])


def test_the_rows_of_the_left_pane_are_lines_of_the_text(opened: Any) -> None:
    one = opened(F)
    found = one.draft("k = 2.0\n\ndef f(x):\n    y = x * k\n    return y\n")
    assert found["lines"] == [3, 4, 5]


def test_drafts_leave_nothing_behind(opened: Any, shell: Any) -> None:
    one = opened(F)
    one.draft("def f(x):\n    return x\n")
    files = set(os.listdir(folder._FOLDER.path))
    cached = set(linecache.cache)
    kept = [weakref.ref(one.shell.ip.user_ns["f"])]
    for k in range(20):
        assert one.draft(f"def f(x):\n    return x * {k}.5\n")["state"] is not None
    one.draft("def f(x):\n    return x\n")
    gc.collect()
    assert set(os.listdir(folder._FOLDER.path)) == files and set(linecache.cache) == cached
    assert kept[0]() is not None
