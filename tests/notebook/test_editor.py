"""The text of the editor is run when it is applied, as its cell would be."""
from __future__ import annotations

import inspect
import linecache
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.messages import MessageError, parse

from .test_draft import Open

F = "%%grad -w x --at 'x=2.0'\ndef f(x):\n    return x * x\n"


@pytest.fixture
def opened(shell: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda cell: Open(shell, cell, monkeypatch)


def test_function_and_derivative_are_defined(opened: Any, shell: Any) -> None:
    one = opened(F)
    found = one.editor.apply(one.session, "import math\nk = 4.0\ndef f(x):\n    print('at', x)\n"
                             "    return x * math.e * k\nprint('ran')\n'value'\n")
    assert found["failed"] is False and found["text"].splitlines()[0] == "ran" and "at 2.0" in found["text"]
    assert "'value'" in found["text"] or "value" in found["text"]
    assert shell["df_dx"](1.0) == pytest.approx(4.0 * 2.718281828) and shell["k"] == 4.0
    assert found["lines"] == [3, 4, 5]
    assert one.session.state()["bound"] == "df_dx" and one.session.stale() == ""
    assert one.editor.opened()["text"].startswith("import math")


def test_the_text_is_found_where_it_stands(opened: Any, shell: Any) -> None:
    one = opened("\n\n%%grad -w x\n" + "def f(x):\n    return x * x\n")
    one.editor.apply(one.session, "k = 1\n\ndef f(x):\n    y = x\n    return y\n")
    assert inspect.getsource(shell["f"]) == "def f(x):\n    y = x\n    return y\n"
    assert shell["f"].__code__.co_firstlineno == one.editor.source.first + 2
    linecache.checkcache()
    assert inspect.getsource(shell["f"]).startswith("def f(x)")
    assert one.session.take.derived.derivation.primal.source.label == "cell In[1]"


def test_another_name(opened: Any, shell: Any) -> None:
    one = opened(F)
    one.editor.apply(one.session, "def g(x):\n    return 3.0 * x\n")
    assert shell["dg_dx"](1.0) == 3.0 and one.session.state()["bound"] == "dg_dx" and "df_dx" in shell
    shell.run("def g(x):\n    return x")
    assert one.session.stale() == "g has been defined anew"


@pytest.mark.parametrize("text, words", [
    ("def f(x):\n    return x\n1 / 0\n", "ZeroDivisionError: division by zero"),
    ("def f(x)\n", "SyntaxError"), ("", "the cell defines no function"), ("raise SystemExit(3)\n", "SystemExit"),
    ("raise KeyboardInterrupt\n", "KeyboardInterrupt"), ("def f(x):\n    return eval('x')\n", ""),
    ("class E(Exception):\n    def __str__(self): return 1 / 0\nraise E\n", "E")])
def test_what_fails_is_said_and_the_editor_goes_on(opened: Any, shell: Any, text: str, words: str) -> None:
    one = opened(F)
    found = one.editor.apply(one.session, text)
    assert words in found["text"] and found["failed"] is bool(words)
    if not words:
        assert "eval runs code" in one.session.refusal and "df_dx" not in shell, "the derivative of before is gone"
    assert one.editor.apply(one.session, "def f(x):\n    return 5.0 * x\n")["failed"] is False
    assert shell["df_dx"](1.0) == 5.0 and one.session.refusal == ""


def test_a_function_without_its_derivative_is_said_once(opened: Any, shell: Any) -> None:
    shell.run("W = np.ones(3)")
    one = opened("%%grad --at 'x=W'\ndef f4(x):\n    return np.sum(x * x)\n")
    found = one.editor.apply(one.session, "def renamed(q):\n    return np.sum(q ** 2)\n")
    assert found == {"failed": False, "text": "", "lines": []}
    assert one.session.refusal == ("renamed is defined, its derivative is not: --at: missing a required argument: 'q'\n"
                                   "instead: give renamed the parameters of before (x), or run the cell with another "
                                   "--at")
    assert one.session.stale() == "" and one.session.state()["bound"] == "df4_dx" and "renamed" in shell
    shell.run("def f4(x):\n    return 3.0 * np.sum(x)")
    assert one.session.stale() == "f4 has been defined anew"
    one.session.again()
    assert one.session.refusal == "" and shell["df4_dx"](np.ones(2)).tolist() == [3.0, 3.0]
    assert one.editor.apply(one.session, "def renamed(x):\n    return np.sum(x ** 2)\n")["lines"] == [1, 2]
    assert one.session.refusal == "" and shell["drenamed_dx"](np.ones(2)).tolist() == [2.0, 2.0]


def test_what_a_decorator_made_of_it_is_refused_as_in_a_cell(opened: Any, shell: Any) -> None:
    one = opened(F)
    found = one.editor.apply(one.session, "@print\ndef f(x):\n    return x * x\n")
    assert found["failed"] and "cannot differentiate NoneType\n  why: it is not a function" in found["text"]
    assert "editor.py" not in found["text"] and "Traceback" not in found["text"] and found["lines"] == []
    assert one.session.stale() == "f is not defined any more"
    assert one.editor.apply(one.session, "def f(x):\n    return 5.0 * x\n")["failed"] is False


def test_debug_finds_the_error(opened: Any, shell: Any) -> None:
    one = opened(F)
    one.editor.apply(one.session, "def broken(n):\n    return 1 / n\nbroken(0)\n")
    trace = sys.last_traceback
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    assert trace.tb_frame.f_code.co_name == "broken"
    assert linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno).strip() == "return 1 / n"


def test_a_name_of_the_users_is_not_taken(opened: Any, shell: Any) -> None:
    one = opened(F)
    found = one.editor.apply(one.session, "dg_dx = 'mine'\ndef g(x):\n    return x\n")
    assert found["failed"] and "dg_dx is a name of yours" in found["text"] and shell["dg_dx"] == "mine"


def test_a_function_that_is_there_is_edited_alone(opened: Any, shell: Any) -> None:
    shell.run("a = 1\n\ndef f(x):\n    return x * a\n\nb = [a]\n")
    one = opened("%grad f")
    assert one.editor.opened() == {"text": "def f(x):\n    return x * a", "first": 3, "head": [], "cell": ""}
    shell.run("b.append(2)")
    one.editor.apply(one.session, "def f(x):\n    return x * a * 7.0")
    assert shell["df_dx"](1.0) == 7.0 and shell["b"] == [1, 2] and inspect.getsource(shell["f"]).endswith("7.0\n")


@pytest.mark.parametrize("before, line, words", [
    ("from colorsys import _v", "%grad _v", "not of a cell of this notebook"),
    ("def make(k):\n    def inner(x):\n        return x * k\n    return inner\ng = make(2.0)", "%grad g",
     "not a def at the margin"),
    ("h = lambda x: x * x", "%grad h", "not a def at the margin"),
    ("class A:\n    def m(self, x): return x * 2\na = A()", "%grad A.m -w x", "not a def at the margin")])
def test_what_cannot_be_edited_says_why(opened: Any, shell: Any, before: str, line: str, words: str) -> None:
    shell.run(before)
    one = opened(line)
    reason = one.session.state()["edit"]["reason"]
    assert words in reason


def test_show_cannot_edit(tmp_path: Path) -> None:
    from tangent_nb.notebook import show

    def area(x: Any) -> Any:
        return x * x

    assert "%%grad" in show(area)._shown.state()["edit"]["reason"]


def test_messages() -> None:
    assert parse({"kind": "draft", "id": 1, "text": "def"}, [], []).text == "def"
    for text in (1, None, "x" * 1_000_001, ["x"]):
        with pytest.raises(MessageError):
            parse({"kind": "apply", "id": 1, "text": text}, [], [])
    with pytest.raises(MessageError):
        parse({"kind": "edit", "id": 1, "text": "x"}, [], [])


def test_the_option_opens_the_editor(opened: Any, shell: Any) -> None:
    assert opened("%%grad --edit\ndef f(x):\n    return x\n").session.state()["edit"] == \
        {"reason": "", "open": True, "cell": ""}
    assert "leave one of them out" in shell.run("%%grad --edit --static\ndef f(x):\n    return x\n").stderr
