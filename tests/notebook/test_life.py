"""The life of a notebook: cells run again, helpers and constants that change, modules that are reloaded,
a thousand derivations."""
from __future__ import annotations

import gc
import linecache
import os
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import tangent_nb as tnb
from tangent_nb.emit import folder
from tangent_nb.errors import TangentError
from tangent_nb.runtime import remembered

SQUARE = "def h(t):\n    return t * t\n"
CUBE = "def h(t):\n    return t * t * t\n"
F = "def f(x):\n    return 2.0 * h(x)\n"


def new_or_refused(df: Any, argument: float, due: float) -> None:
    """A derivative never gives the number of what was there before."""
    try:
        assert df(argument) == due
    except TangentError:
        pass


# ------------------------------------------------------------------ cells
def test_a_helper_is_defined_anew_in_a_later_cell(shell: Any) -> None:
    shell.run(SQUARE)
    shell.run("%%grad\n" + F)
    old = shell["df_dx"]
    assert old(3.0) == 12.0
    shell.run(CUBE)
    new_or_refused(old, 3.0, 54.0)
    shell.run("%grad f")
    assert shell["df_dx"](3.0) == 54.0


def test_a_helper_that_a_closure_or_an_object_calls(shell: Any) -> None:
    shell.run(SQUARE + "class Model:\n    def loss(self, x):\n        return h(x) * self.w\nm = Model()\nm.w = 2.0\n"
              "def make(w):\n    def inner(x):\n        g = lambda t: h(t) * w\n"
              "        return g(x)\n    return inner\n")
    shell.run("import tangent_nb as tnb\nd1, d2 = tnb.grad(make(2.0)), tnb.grad(m.loss)")
    assert shell["d1"](3.0) == shell["d2"](3.0) == 12.0
    shell.run(CUBE)
    for name in ("d1", "d2"):
        new_or_refused(shell[name], 3.0, 54.0)
    shell.run("d1, d2 = tnb.grad(make(2.0)), tnb.grad(m.loss)")
    assert shell["d1"](3.0) == shell["d2"](3.0) == 54.0


def test_what_is_in_a_list_is_defined_anew(shell: Any) -> None:
    """Functions that are known only when they are called."""
    shell.run(SQUARE + "def f(x, hs):\n    for g in hs:\n        x = g(x)\n    return x\n")
    shell.run("import tangent_nb as tnb\ndf = tnb.grad(f)\na = df(3.0, [h])")
    shell.run(CUBE + "b = df(3.0, [h])")
    assert (shell["a"], shell["b"]) == (6.0, 27.0)


def test_equal_objects_have_their_own_derivatives(shell: Any) -> None:
    shell.run("class Layer:\n    def __init__(self, w):\n        self.w = w\n    def __eq__(self, other):\n"
              "        return True\n"
              "    def __hash__(self):\n        return 0\n    def __call__(self, x):\n        return x * self.w\n"
              "def f(x, hs):\n    for g in hs:\n        x = g(x)\n    return x\n"
              "import tangent_nb as tnb\ndf = tnb.grad(f)\n"
              "found = [df(2.0, [Layer(w)]) for w in (3.0, 5.0)]")
    assert shell["found"] == [3.0, 5.0]


def test_constants_change_after_grad(shell: Any) -> None:
    shell.run("k = 2.0\nclass settings:\n    rate = 1.0\n")
    shell.run("%%grad\ndef f(x):\n    return k * settings.rate * x * x\n")
    assert shell["df_dx"](3.0) == 12.0
    shell.run("k = 5.0")
    assert shell["df_dx"](3.0) == 30.0
    shell.run("settings.rate = 2.0")
    assert shell["df_dx"](3.0) == 60.0


def test_a_cell_that_is_run_twice(shell: Any) -> None:
    cell = "%%grad\ndef f(x):\n    return sum([x * i for i in range(4)]) * x\n"
    shell.run(cell)
    first = shell["df_dx"]
    assert first(2.0) == 24.0                      # which makes the text for such arguments
    files = _files()
    for _ in range(3):
        shell.run(cell)
    assert shell["df_dx"] is not first and tnb.source(shell["df_dx"]) == tnb.source(first)
    assert shell["df_dx"](2.0) == first(2.0) == 24.0 and _files() == files


def test_two_notebooks_with_functions_of_one_name() -> None:
    """Cells of the same name and lines in two namespaces, derived in turn, called in turn."""
    made = []
    for power in ("t * t", "t * t * t"):
        text = f"def h(t):\n    return {power}\ndef f(x):\n    g = lambda t: h(t) * 2.0\n    return g(x)\n"
        name = "<ipython-input-1-0123456789ab>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(text, name, "exec"), scope)
        made.append((tnb.grad(scope["f"]), scope))
    assert [df(3.0) for df, _ in made] == [12.0, 54.0] == [df(3.0) for df, _ in made]
    assert all(set(scope) == {"__name__", "__builtins__", "h", "f"} for _, scope in made)


def test_autoreload(shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`%autoreload 2` exchanges the code of functions and methods in place: never the number of before."""
    module = tmp_path / "helpers_of_test_life.py"
    text = "class Model:\n    def loss(self, t):\n        return {0}\ndef h(t):\n    return {0}\n"

    def write(power: str, second: int) -> None:
        module.write_text(text.format(power), encoding="utf-8")
        os.utime(module, (second, second))

    write("t * t", 1_000_000_000)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    shell.run("%load_ext autoreload")
    shell.run("%autoreload 2")
    shell.run("import helpers_of_test_life as helpers, tangent_nb as tnb\nm = helpers.Model()")
    shell.run("def f(x):\n    g = lambda t: helpers.h(t) * 1.0\n    return g(x)\ndef e(x, gs):\n    return gs[0](x)")
    derive = "ds = [tnb.grad(f), tnb.grad(helpers.h), tnb.grad(m.loss)]\nlate = tnb.grad(e)\n"
    shell.run(derive + "values = [d(3.0) for d in ds] + [late(3.0, [helpers.h]), late(3.0, [m.loss])]")
    assert shell["values"] == [6.0] * 5
    write("t * t * t", 1_000_000_100)
    shell.run("pass")                                           # a cell reloads before it runs
    assert shell["helpers"].h(2.0) == 8.0
    new_or_refused(shell["ds"][0], 3.0, 27.0)
    seen = shell.run("values = [late(3.0, [helpers.h]), late(3.0, [m.loss])]")
    assert seen.ok, seen.text + seen.stderr
    assert shell["values"] == [27.0, 27.0]
    shell.run(derive + "values = [d(3.0) for d in ds]")
    assert shell["values"] == [27.0] * 3
    sys.modules.pop("helpers_of_test_life", None)


# ------------------------------------------------------------------ a thousand derivations
def _files() -> int:
    return 0 if folder._FOLDER is None else len(list(folder._FOLDER.path.iterdir()))


def _objects() -> int:
    gc.collect()
    return len(gc.get_objects())


SMALL = """
def plain(x):
    return x * x

def closing(x):
    g = lambda t: t * x
    return g(x)

def counting(x):
    return sum([x * i for i in range(3)])

def make(w):
    def inner(x):
        return x * w
    return inner

def late(x, gs):
    return gs[0](x)
"""


def _derive(scope: Any) -> None:
    """Five derivations and more, of functions old and new."""
    assert tnb.grad(scope["plain"])(3.0) == 6.0
    assert tnb.jvp(scope["closing"])(3.0, 1.0) == 6.0
    assert tnb.grad(scope["counting"])(3.0) == 3.0
    assert tnb.grad(scope["make"](2.0))(3.0) == 2.0
    assert tnb.grad(scope["late"])(3.0, [scope["make"](5.0)]) == 5.0


@pytest.mark.full
def test_a_thousand_derivations_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither files, nor lines that are kept for tracebacks, nor objects;
    of functions known late a fixed number is remembered."""
    monkeypatch.setattr(remembered, "KEPT", 8)
    scope = types.ModuleType("cells").__dict__
    linecache.cache["<cells>"] = (len(SMALL), None, SMALL.splitlines(True), "<cells>")
    exec(compile(SMALL, "<cells>", "exec"), scope)
    for _ in range(10):
        _derive(scope)
    before = _files(), len(linecache.cache), _objects()
    for _ in range(200):
        _derive(scope)
    after = _files(), len(linecache.cache), _objects()
    assert after[:2] == before[:2]
    assert after[2] - before[2] < 200, "less than one object for each round"


def test_redefined_functions_are_let_go(shell: Any) -> None:
    """Of cells that are run again only the last definition lives on."""
    cell = "def f(x):\n    g = lambda t: t * x\n    return g(x)\ndf = tnb.grad(f)\n"
    shell.run("import tangent_nb as tnb, weakref\nseen = []")
    for _ in range(5):
        shell.run(cell + "seen.append((weakref.ref(f), weakref.ref(df)))")
    gc.collect()
    alive = [(f() is not None, df() is not None) for f, df in shell["seen"]]
    assert alive[-1] == (True, True) and not any(one for pair in alive[:-1] for one in pair)
