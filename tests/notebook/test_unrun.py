"""The functions of a text of which nothing runs."""
from __future__ import annotations

import ast
import math
import types
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.unrun import Unrun
from tangent_nb.syntax.program import MISSING


def unrun(text: str, **live: Any) -> Unrun:
    return Unrun(ast.parse(text), "<text>", live)


def test_the_code_is_that_of_the_text() -> None:
    found = unrun("def f(x, n=2, *, k=-1.5):\n    return x ** n + k\n")
    f = found.function("f")
    assert (f(3.0), f.__defaults__, f.__kwdefaults__) == (7.5, (2,), {"k": -1.5})


def test_nothing_of_the_text_runs() -> None:
    ran: list[str] = []

    def loud(what: Any) -> Any:
        ran.append(str(what))
        return what

    text = ("import this_module_is_nowhere\n"
            "loud('statement')\n"
            "@loud\n@loud('decorator')\n"
            "def f(x: loud('annotation'), w=loud('default'), *, k=loud('keyword')) -> loud('result'):\n"
            "    return x * w\n"
            "class C(loud('base'), metaclass=loud('meta')):\n    loud('body')\n    def f(self): pass\n"
            "a = b = loud('value')\n"
            "for i in loud('items'):\n    def g(x): return f(x, i)\n"
            "with loud('manager') as m:\n    pass\n"
            "if loud('condition'):\n    def h(x): return g(x)\n"
            "try:\n    loud('try')\nexcept loud('what'):\n    pass\n"
            "k = lambda x, y=loud('in lambda'): x\n"
            "assert loud('assert')\n"
            "match loud('subject'):\n    case str() as s:\n        loud('case')\n"
            "[loud(i) for i in range(3)]\n"
            "(walrus := loud('walrus'))\n"
            "del a\n")
    found = unrun(text, loud=loud)
    for name in ("f", "g", "h", "k"):
        assert isinstance(found.function(name), types.FunctionType)
        found.notes(name)
        found.unknown(name)
    assert ran == []
    assert found.function("a") is MISSING and found.function("C") is MISSING


def test_notes_stand_in_the_order_of_the_text() -> None:
    found = unrun("@deco\ndef g(x, n=made()):\n    return x\n\nk = made()\n\n@deco\ndef f(x):\n    return g(x) * k\n")
    assert [note.partition(":")[0] for note in found.notes("f")] == ["line 1", "line 2", "line 5", "line 7"]


def test_what_has_not_run_is_named() -> None:
    found = unrun("@jit\ndef f(x, w=make(), n=W):\n    return x * w * scale\nscale = 2.0 * u\n", W=3.0, scale=1.0)
    assert found.notes("f") == [
        "line 1: @jit has not run: f is shown without it",
        "line 2: the default of w has not run: it is not known",
        "line 4: what gives scale has not run: it is what it is in the notebook"]
    assert found.function("f").__defaults__ == (3.0,), "what stands left of an unknown default has none"


def test_what_nothing_binds() -> None:
    found = unrun("def f(x):\n    return abs(x) * nope + g(x)\ndef g(x):\n    return x.nope * missing\n")
    assert [(node.id, node.lineno) for node in found.unknown("f")] == [("nope", 2), ("missing", 4)]


def test_the_text_hides_what_is_in_the_notebook() -> None:
    live: dict[str, Any] = {"k": 1.0}
    exec("def half(t):\n    return t / 2\ndef outside(t):\n    return half(t) * k\n", live)
    before = dict(live)
    text = "def half(t):\n    return t * 100\nk = 3.0\ndef f(x):\n    return outside(x) + half(x)\n"
    found = Unrun(ast.parse(text), "<t>", live)
    assert found.function("f")(2.0) == 2.0 * 100 * 3.0 + 200.0, "what the notebook calls is what the text says, too"
    assert live == before and live["outside"](2.0) == 1.0


def test_the_namespace_is_the_notebooks_where_the_text_adds_nothing() -> None:
    live: dict[str, Any] = {"np": np, "k": 3.0}
    found = Unrun(ast.parse("import numpy as np\nk = 3.0\ndef f(x):\n    return np.sin(x) * k\n"), "<t>", live)
    assert found.function("f").__globals__ is live and "f" not in live
    assert Unrun(ast.parse("k = 4.0\ndef f(x):\n    return x * k\n"), "<t>", live).function("f")(1.0) == 4.0
    recursive = Unrun(ast.parse("def f(x):\n    return f(x - 1) if x > 0 else 5\n"), "<t>", live)
    assert recursive.function("f")(3) == 5 and "f" not in live


def test_imports_of_what_is_loaded() -> None:
    found = unrun("import math as m, numpy.linalg\nfrom math import pi, tau as t\nfrom numpy import linalg\n"
                  "import nowhere.at as n\n"
                  "from .here import a\nfrom math import no_such\nnumpy_ = numpy.linalg\n"
                  "def f(x):\n    return m.sin(x) * pi * t\n")
    assert found.function("f")(1.0) == math.sin(1.0) * math.pi * math.tau
    assert found.bound["linalg"] is found.bound["numpy_"] is np.linalg and found.bound["numpy"] is np
    assert all(found.bound[name] is MISSING for name in ("n", "a", "no_such"))


def test_a_module_that_answers_by_code_is_not_asked() -> None:
    import sys
    lazy = types.ModuleType("lazy_for_the_test")
    lazy.__getattr__ = lambda name: pytest.fail("it ran")  # type: ignore[method-assign]
    sys.modules["lazy_for_the_test"] = lazy
    try:
        assert unrun("from lazy_for_the_test import thing\n").bound["thing"] is MISSING
    finally:
        del sys.modules["lazy_for_the_test"]


@pytest.mark.parametrize("text", [
    "x = 1\ndef x(t): return t\n", "def x(t): return t\nx = lambda t: t * 1\n",
    "if 1:\n    def x(t): return t\nelse:\n    def x(t): return 2\n"])
def test_the_last_definition_counts(text: str) -> None:
    assert isinstance(unrun(text).function("x"), types.FunctionType)
    assert unrun(text + "x = print()\n").function("x") is MISSING


def test_lambdas_beside_each_other() -> None:
    found = unrun("a = lambda x, k=(lambda: 7): x; b = lambda x: 2 * x\n"
                  "def f(x, g=lambda f: 1):\n    f = lambda: x\n    return f\n")
    assert (found.function("a")(1, None), found.function("b")(1)) == (1, 2)
    assert found.function("f").__code__.co_varnames[:2] == ("x", "g")
