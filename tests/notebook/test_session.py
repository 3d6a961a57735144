"""One derivative on a page: what can be chosen, what is bound, when it is stale."""
from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook import session as session_module
from tangent_nb.notebook.names import Names
from tangent_nb.notebook.options import OptionError, make
from tangent_nb.notebook.session import Session, Take
from tangent_nb.notebook.shown import arguments, seen
from tangent_nb.notebook.state import Choice
from tangent_nb.optimise import PASSES
from tangent_nb.pipeline.build import Build

from .handmade import defined

TEXT = """
def half(t):
    return t / 2.0


def f(x, w, n):
    y = half(x) * w
    return np.sum(y * y) * n
"""


def session(text: str = TEXT, **options: Any) -> tuple[Session, dict[str, Any]]:
    f = defined(text, "f")
    namespace = f.__globals__
    chosen = make(**options)
    take = Take(f, chosen, arguments(f, chosen.at, namespace), seen)
    return Session(take, namespace, Names(), lambda: namespace.get("f"),
                   lambda g: arguments(g, chosen.at, namespace)), namespace


def test_another_choice_is_another_derivative() -> None:
    one, namespace = session(wrt="x")
    one.use()
    first = namespace["df_dx"]
    one.choose(Choice(("x", "w"), "forward", "numpy", ()))
    assert one.take.choice == Choice(("x", "w"), "forward", "numpy", ()) and one.refusal == ""
    assert namespace["df_dx"] is first and one.name_now() == "", "the choice changes the view alone"
    assert one.state()["name"] == "tf_dx_dw" and one.state()["options"]["mode"] == "forward"
    one.use()
    assert one.name_now() == "tf_dx_dw" and namespace["tf_dx_dw"](1.0, 2.0, 1, 1.0, 0.0) == pytest.approx(2.0)


def test_a_choice_made_before_is_there_until_a_cell_has_run() -> None:
    one, _ = session(wrt="x")
    first, raw = one.take, Choice(("x",), "reverse", "numpy", ())
    one.choose(raw)
    second = one.take
    one.choose(first.choice)
    assert one.take is first
    one.choose(raw)
    assert one.take is second
    one.forget()
    one.choose(first.choice)
    assert one.take is not first and one.take.choice == first.choice


def test_a_choice_that_was_prepared_is_there_until_a_cell_has_run() -> None:
    one, _ = session(wrt="x")
    shown, raw = one.take, Choice(("x",), "reverse", "numpy", ())
    one.prepare(raw)
    assert one.take is shown and one.refusal == ""
    ready = one._seen[raw]
    one.choose(raw)
    assert one.take is ready
    one.forget()
    one.prepare(Choice(("x", "s"), "reverse", "numpy", ()))
    assert one._seen == {} and one.refusal == "", "what is refused is said when it is chosen"


def test_of_a_glance_the_last_text_is_there_and_is_forgotten_when_a_cell_has_run() -> None:
    one, _ = session(wrt="x", at="x=np.ones(3), w=2.0, n=1")
    choice, forgotten = replace(one.take.choice, passes=tuple(PASSES)[:5]), []
    one.forgotten = lambda: forgotten.append(1)
    glance, whole = one.prepare(choice, whole=False), one.prepare(choice)
    assert glance is not None and whole is not None
    names = [stage["name"] for stage in glance["stages"]]
    assert names == [stage["name"] for stage in whole["stages"]]
    primal = [[[row[0], state["lines"][row[1]], row[2]] for part in state["primal"] for row in part["rows"]]
              for state in (glance, whole)]
    assert primal[0] == primal[1]
    assert glance["status"]["lines"] == whole["status"]["lines"] and glance["status"]["ms"] is None
    assert {stage["part"] for stage in glance["stages"][:-1] if stage["count"] >= 0} == set()
    lines = [[[state["lines"][row[0]], *row[1:4]] for row in state["stages"][-1]["rows"]] for state in (glance, whole)]
    assert lines[0] == lines[1][:len(lines[0])] and len(lines[0]) < len(lines[1])
    assert [title for *_, title, _ in whole["stages"][-1]["folds"]][-1] == "for other arguments"
    one.forget()
    one.forget()
    assert forgotten == [1]
    assert one.prepare(choice, whole=False) == glance and one._seen == {}
    one.forget()
    assert forgotten == [1, 1]
    one.choose(choice)
    assert one.take.whole and one.state()["stages"] == whole["stages"]


def test_a_glance_at_a_sampled_tape_says_where_samples_are() -> None:
    text = "\ndef f(x, w):\n    return np.sum(np.maximum(x @ w, 0.0) @ w)\n"
    one, _ = session(text, wrt="w", at="x=np.ones((4, 3)), w=np.ones((3, 3))", tape="sampled:0.5")
    choice = replace(one.take.choice, passes=tuple(PASSES)[:6])
    glance, whole = one.prepare(choice, whole=False), one.prepare(choice)
    assert glance is not None and whole is not None and len(glance["samples"]["stages"]) == 1
    assert {*dict(whole["samples"]["stages"])} > {glance["final"]}
    [[place, marks]] = glance["samples"]["stages"]
    assert place == glance["final"] and marks and glance["samples"]["sites"] == whole["samples"]["sites"]
    assert marks == dict(whole["samples"]["stages"])[place]


def test_what_the_page_was_told_is_forgotten_when_a_cell_has_run_though_nothing_was_chosen() -> None:
    one, _ = session(wrt="x")
    forgotten: list[int] = []
    one.forgotten = lambda: forgotten.append(1)
    one.state()
    one.forget()
    one.forget()
    assert forgotten == [1]
    one.state()
    one.forget()
    assert forgotten == [1, 1]


def test_what_comes_back_is_there_however_long_the_other_is(monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = session(wrt="x")
    first = one.take
    monkeypatch.setattr(session_module, "MOST_ROWS", 0)
    one.choose(replace(first.choice, passes=()))
    one.choose(first.choice)
    assert one.take is first


def test_of_long_texts_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = session(wrt="x")
    first, *others = [replace(one.take.choice, passes=passes) for passes in ((), tnb.PASSES[:2], tnb.PASSES[:3])]
    one.prepare(first)
    monkeypatch.setattr(session_module, "MOST_ROWS", 2 * one._seen[first].texts.rows)
    for other in others:
        one.prepare(other)
    assert first not in one._seen and others[-1] in one._seen
    monkeypatch.setattr(session_module, "MOST_ROWS", 0)
    one.prepare(first)
    assert [*one._seen] == [first], "the last one is, however long"


def test_nothing_runs_for_what_was_not_chosen() -> None:
    """Neither the function, where each derivative is checked, nor a compiler."""
    text = "calls = []\ndef f(x):\n    calls.append(1)\n    return x * x\n"
    one, namespace = session(text, wrt="x", at="x=1.0", check=True)
    before = len(namespace["calls"])
    one.prepare(Choice(("x",), "reverse", "numpy", ()))
    one.prepare(Choice(("x",), "reverse", "numba", tuple(tnb.PASSES)))
    assert len(namespace["calls"]) == before and one._seen == {}


def test_nothing_runs_for_what_was_not_chosen_at_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor at example arguments, for which the view calls the function when it is chosen."""
    text = "def told(x):\n    print('ran')\n    return x * x\ndef f(x):\n    return told(x) * x\n"
    one, _ = session(text, wrt="x", at="x=2.0")
    one.state()
    capsys.readouterr()
    raw = Choice(("x",), "reverse", "numpy", ())
    one.prepare(raw)
    assert capsys.readouterr().out == "" and raw in one._seen
    one.choose(raw)
    one.state()
    assert capsys.readouterr().out == "ran\n"


def test_what_is_refused_is_said_and_the_rest_stays() -> None:
    one, _ = session("def f(x, s):\n    return x * np.real_if_close(s)\n", wrt="x")
    before = one.take
    one.choose(Choice(("x", "s"), "reverse", "numpy", tuple(tnb.PASSES)))
    assert one.take is before and "cannot differentiate" in one.state()["refusal"]
    one.choose(Choice(("x",), "reverse", "numpy", ()))
    assert one.state()["refusal"] == "" and one.take.choice.passes == ()


def test_a_function_or_a_helper_defined_anew_makes_it_stale() -> None:
    one, namespace = session(wrt="x", at="x=1.0, w=2.0, n=3")
    one.use()
    assert one.stale() == "" and one.state()["stale"] == ""
    exec(compile(TEXT.lstrip(), namespace["f"].__code__.co_filename, "exec", dont_inherit=True), namespace)
    assert one.stale() == "", "the same text again is the same function"
    namespace["half"] = defined("def half(t):\n    return t / 4.0\n", "half")
    assert one.stale() == "half has been defined anew"
    namespace["f"] = defined("def f(x, w, n):\n    return x * x * w * n\n", "f")
    assert one.stale() == "f has been defined anew"
    one.again()
    assert one.stale() == "" and one.refusal == "" and one.name_now() == "df_dx"
    assert namespace["df_dx"](1.0, 2.0, 3) == 12.0 and one.take.view.tables
    del namespace["f"]
    assert one.stale() == "f is not defined any more"
    one.again()
    assert one.refusal == "f is not defined any more" and one.take.f is not None


BUILTINS = """
def size(t):
    return abs(t) * 2.0


def f(x):
    total = max(abs(x), 2.0) * min(x, 3.0) + float(x) + pow(x, 2) + sum([x, x]) + len([x, x]) * round(2.5)
    for i, v in enumerate(sorted([1.0, 2.0])):
        total = total + v * x * i
    return total * size(x)
"""
IMPORTED = """
import helpers_of_a_session as other
thing = other.Thing()
def f(x):
    return other.outer(x) + thing.method(x) + max(x, 2.0)
"""


@pytest.mark.parametrize("text", [
    BUILTINS,
    "def f(x):\n    def inner(t):\n        return abs(t)\n    return inner(x) * x\n",
    "class A:\n    @staticmethod\n    def m(t):\n        return max(t, 2.0)\ndef f(x):\n    return A.m(x) + A().m(x)\n",
    ("import functools\ndef h(k, t):\n    return abs(t) * k\ng = functools.partial(h, 2.0)\n"
     "def f(x):\n    return g(x)\n"),
])
def test_what_is_found_among_the_builtins_is_not_stale(text: str) -> None:
    one, namespace = session(text, wrt="x", at="x=1.5")
    one.use()
    assert one.stale() == "" and namespace["df_dx"](1.5) == one.take.derived.function(1.5)
    one.again()
    assert one.stale() == "" and one.refusal == ""


def test_a_builtin_that_is_shadowed_later_makes_it_stale() -> None:
    one, namespace = session(BUILTINS, wrt="x")
    namespace["abs"] = defined("def abs(t):\n    return t * t\n", "abs")
    assert one.stale() == "abs has been defined anew"
    del namespace["abs"]
    assert one.stale() == ""


def test_names_are_those_of_the_text_that_uses_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a helper in another module calls is looked up there."""
    (tmp_path / "helpers_of_a_session.py").write_text(
        "def inner(t):\n    return abs(t) * 2.0\ndef outer(t):\n    return inner(t) + 1.0\n"
        "class Thing:\n    def method(self, t):\n        return inner(t)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    one, namespace = session(IMPORTED, wrt="x", at="x=1.5")
    other = namespace["other"]
    monkeypatch.delitem(sys.modules, "helpers_of_a_session")
    assert one.stale() == ""
    monkeypatch.setattr(other, "inner", lambda t: t)
    assert one.stale().endswith("inner has been defined anew")


def test_a_name_of_the_users_is_kept() -> None:
    one, namespace = session(wrt="x")
    namespace["df_dx"] = 7
    with pytest.raises(OptionError, match="df_dx is a name of yours"):
        one.use()
    assert namespace["df_dx"] == 7 and one.state()["bound"] == ""


def test_variants_are_the_states_of_what_can_be_chosen_without_a_notebook() -> None:
    one, _ = session(wrt="w", at="x=1.0, w=2.0, n=3", check=True)
    found = one.variants()
    assert {key[0] for key in found} == {"reverse", "forward"} and len(found) == 2 * (2 + len(PASSES))
    assert all(state["options"]["mode"] == key[0] and [p["name"] for p in state["options"]["passes"]
                                                       if p["on"]] == list(key[2]) for key, state in found.items())
    assert one.state()["status"]["check"] == "checked" and one.state()["status"]["good"] is True


def test_an_error_at_the_arguments_is_shown_beside_both_panes() -> None:
    one, _ = session("def f(x, n):\n    return x[n] * 2.0\n", wrt="x", at="x=np.ones(3), n=5")
    assert isinstance(one.take.error, IndexError) and one.state()["problem"].startswith("IndexError")
    assert one.state()["stages"][-1]["rows"]


def test_jax_is_one_of_the_choices() -> None:
    pytest.importorskip("jax")
    one, _ = session(wrt="x", at="x=np.float32(1.0), w=np.float32(2.0), n=3", check=True)
    one.choose(Choice(("x",), "reverse", "jax", tuple(tnb.PASSES)))
    found = one.state()
    assert found["refusal"] == "" and found["options"]["backend"] == "jax" and one.take.choice.backend == "jax"
    assert any("jnp.sum" in "".join(part for _, part in line) for line in found["lines"]) \
        and found["status"]["good"] is True
    assert [stage["name"] for stage in found["stages"]][-2:] == ["jax", "emit"]


def test_numbers_of_64_bits_are_shown_as_jax_has_them() -> None:
    """Of NumPy's arrays and Python's floats; the derivative itself says what to do."""
    jax = pytest.importorskip("jax")
    assert not jax.config.jax_enable_x64
    one, _ = session(wrt="x", at="x=np.ones(3), w=np.float64(2.0), n=3", check=True)
    one.choose(Choice(("x",), "reverse", "jax", tuple(tnb.PASSES)))
    found = one.state()
    assert found["problem"] == found["refusal"] == "" and found["status"]["good"] is True
    assert 'x, w were cut to 32 for the values shown' in found["notes"][0] \
        and 'jax.config.update("jax_enable_x64", True)' in found["notes"][0]
    assert "float32" in found["tables"][0]["rows"][1][1]
    one, _ = session("def f(x, k):\n    return x * x * k[0]\n", wrt="x", at="x=3.0, k=[2.0, np.arange(3)]")
    for mode in ("reverse", "forward"):
        one.choose(Choice(("x",), mode, "jit", tuple(tnb.PASSES)))
        assert one.state()["problem"] == "" and "x, k were cut" in " ".join(one.state()["notes"])
    jax.config.update("jax_enable_x64", True)
    try:
        one, _ = session(wrt="x", at="x=np.ones(3), w=2.0, n=3")
        one.choose(Choice(("x",), "reverse", "jax", tuple(tnb.PASSES)))
        assert one.state()["notes"] == [] and "float64" in one.state()["tables"][0]["rows"][1][1]
    finally:
        jax.config.update("jax_enable_x64", False)


def test_jit_is_one_of_the_choices() -> None:
    jax = pytest.importorskip("jax")
    one, namespace = session("def f(x):\n    return np.sum(np.sin(x))\n", wrt="x", at="x=np.ones(3, np.float32)")
    one.choose(Choice(("x",), "reverse", "jit", tuple(tnb.PASSES)))
    found = one.state()
    assert found["options"]["backend"] == "jit" \
        and [b["name"] for b in found["options"]["backends"]] == ["numpy", "numba", "jax", "jit"]
    assert any("@jax.jit" in "".join(part for _, part in line) for line in found["lines"])
    one.use()
    assert isinstance(namespace["df_dx"](jax.numpy.ones(3)), jax.Array) and one.stale() == ""
    one.choose(Choice(("x",), "reverse", "jax", tuple(tnb.PASSES)))
    assert one.state()["options"]["backend"] == "jax" and one.take.options.compile is None
    watched, _ = session("def f(x):\n    return np.sum(np.sin(x))\n", wrt="x", nan=True)
    watched.choose(Choice(("x",), "reverse", "jit", tuple(tnb.PASSES)))
    assert "leave -c out" in watched.refusal


def test_numba_is_one_of_the_choices() -> None:
    pytest.importorskip("numba")
    one, namespace = session("def f(x):\n    return np.sum(np.sin(x))\n", wrt="x", at="x=np.ones(3)")
    one.choose(Choice(("x",), "reverse", "numba", tuple(tnb.PASSES)))
    found = one.state()
    assert found["options"]["backend"] == "numba" and found["stages"][-2]["name"] == "numba"
    assert any("@numba.njit" in "".join(part for _, part in line) for line in found["lines"])
    one.use()
    assert np.allclose(namespace["df_dx"](np.zeros(2)), 1.0) and one.stale() == ""
    bare, _ = session("def f(x):\n    return np.sum(np.sin(x))\n", wrt="x")
    bare.choose(Choice(("x",), "reverse", "numba", tuple(tnb.PASSES)))
    assert any("compiled for the arguments of each call" in note for note in bare.state()["notes"])
    narrow, _ = session("def f(x):\n    return np.sum(np.sin(x))\n", wrt="x", at="x=np.ones(3, np.float32)")
    narrow.choose(Choice(("x",), "reverse", "numba", tuple(tnb.PASSES)))
    assert "x is an array of f4" in narrow.refusal and narrow.state()["options"]["backend"] == "numpy"


FAILS = """
def f(x):
    y = x * 2.0
    z = y @ np.ones((7, 7))
    return np.sum(z)
"""


def test_the_line_that_raised_is_marked() -> None:
    one, _ = session(FAILS, at="x=np.ones((4, 3))")
    take = one.take
    assert isinstance(take.error, ValueError) and take.view.problem.startswith("ValueError: ")
    state = take.state()
    assert state["guilty"]["text"] == "ValueError" and state["guilty"]["primal"] == [2]
    [row] = state["guilty"]["rows"]
    line = state["lines"][state["stages"][-1]["rows"][row][0]]
    assert "".join(text for _, text in line).strip().startswith("z = y @ ")
    marked = [row.mark for section in (*take.view.left, *take.view.right) for row in section.rows if row.mark]
    assert marked == ["ValueError", "ValueError"]


def in_a_notebook(shell: Any, monkeypatch: pytest.MonkeyPatch, cell: str) -> Session:
    """The session of a cell that shows a widget."""
    made: list[Session] = []
    begin = Session.__init__
    monkeypatch.setattr(Session, "__init__", lambda self, *args: made.append(self) or begin(self, *args))
    monkeypatch.setattr("tangent_nb.notebook.shown.in_kernel", lambda: True)
    monkeypatch.setattr("tangent_nb.notebook.cell.raw_cell", lambda shell: cell)            # as a kernel knows it
    assert shell.ip.run_cell(cell, cell_id="first").success
    return made[-1]


def test_what_was_found_before_the_passes_is_there_until_a_cell_changes_it(
        shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.run("def half(t):\n    return t / 2.0\n")
    one = in_a_notebook(shell, monkeypatch, "%%grad -w x\ndef f(x, w):\n    return np.sum(half(x) * w)\n")
    fewer, forward = replace(one.take.choice, passes=tuple(PASSES)[:3]), replace(one.take.choice, mode="forward")
    begun: list[int] = []
    begin = Build.begin
    monkeypatch.setattr(Build, "begin", lambda self: begun.append(1) or begin(self))
    for before in (0, 1):
        assert one.prepare(fewer, whole=False) is not None and len(begun) == before
        assert one.prepare(forward, whole=False) is not None and len(begun) == before + 1
        shell.ip.run_cell("pass", cell_id="second")                # of the other mode nobody has looked
        assert len(one.take.fronts.known) == 1
    shell.ip.run_cell("def half(t):\n    return t * 7.0\n", cell_id="third")
    assert one.take.fronts.known == [] and one.stale() == "half has been defined anew"
    assert one.prepare(fewer, whole=False) is not None and len(begun) == 3
    assert "7.0" in str(one.take.other(fewer).texts.lines)


@pytest.mark.parametrize(("before", "change"), [
    ("K = 3.0", "K = 2.0"), ("K = 3.0", "del K"), ("K = np", "import math as K"),
    ("K = 3.0", "f.__code__ = (lambda x: np.sum(x)).__code__"), ("K = lambda t: t", "K = np.sin"),
    ("K = 3.0", "f.__defaults__ = (3.0,)")])
def test_what_was_found_holds_only_while_names_mean_the_same(
        before: str, change: str, shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.run(before)
    one = in_a_notebook(shell, monkeypatch, "%%grad -w x\ndef f(x, k=2.0):\n    def g(t):\n        return t * K\n"
                                            "    return np.sum(x * x)\n")
    for number, (cell, kept) in enumerate([("pass", 1), ("L = 2.0", 1), (change, 0)]):
        assert shell.ip.run_cell(cell, cell_id=f"later {number}").success
        assert len(one.take.fronts.known) == kept
