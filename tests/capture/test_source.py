"""A function's text is found, or refused with the reason."""
from __future__ import annotations

import ast
import asyncio
import functools
import importlib.util
import linecache
import math
import operator
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest

from tangent_nb.capture import capture
from tangent_nb.capture.find import _TEXTS, KEPT
from tangent_nb.capture.tree import statements
from tangent_nb.errors import RefusedError, TangentError
from tangent_nb.rules import table

Load = Callable[[str], Any]
count = 0


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Import a text as a module."""
    def load(text: str) -> Any:
        global count
        count += 1
        path = tmp_path / f"module_{count}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    return load


def why(f: object) -> str:
    with pytest.raises(RefusedError) as error:
        capture(f)
    message = str(error.value)
    assert "why: " in message and "instead: " in message
    return message


def origins(f: Any) -> list[str]:
    found = sorted(statements(capture(f).tree), key=lambda s: (s.lineno, s.col_offset))
    return [statement.origin.text for statement in found]


def test_a_def_in_a_file(load: Load) -> None:
    module = load("import numpy as np\n\n\ndef f(x, n=3, *, k=2):\n    y = np.sin(x)\n    return y\n")
    captured = capture(module.f)
    assert captured.name == captured.tree.name == "f"
    assert isinstance(captured.tree, gast.FunctionDef) and captured.fn is module.f
    assert captured.defaults == (3,) and captured.kwdefaults == {"k": 2}
    assert captured.namespace.globals is vars(module) and captured.namespace.lookup("np") is np
    assert captured.source.label.endswith(".py") and captured.source.line(5) == "    y = np.sin(x)"
    span = captured.tree.body[0].origin.span
    assert (span.line, span.column, span.end_column) == (5, 4, 17)


def test_headers_of_compound_statements(load: Load) -> None:
    module = load('''
def f(x, n: int = len("a:b"),
      k=lambda: 0) -> "a:b":  # why: not
    if (x > 0  # a: b
            ):
        y = 1
    elif x < {1: 2}[1]:
        y = 2
    else:
        y = 3
    for i in range(n) :
        pass
    while x[1:2]: break
    with open("a:b") as g, open("c"):
        pass
    try:
        y = 3
    except ValueError:
        y = 4
    def h():
        return 1
    return y
''')
    assert origins(module.f) == [
        'def f(x, n: int = len("a:b"), k=lambda: 0) -> "a:b"', "if (x > 0  # a: b )", "y = 1",
        "elif x < {1: 2}[1]", "y = 2", "y = 3", "for i in range(n)", "pass", "while x[1:2]", "break",
        'with open("a:b") as g, open("c")', "pass", "try", "y = 3", "y = 4", "def h()", "return 1", "return y"]


def test_columns_count_characters(load: Load) -> None:
    module = load("def f(x):\n    é = '漢字'; y = x * 2\n    return y\n")
    assert origins(module.f)[1:] == ["é = '漢字'", "y = x * 2", "return y"]
    product = capture(module.f).tree.body[1].value
    assert (product.col_offset, product.end_col_offset) == (18, 23)


def test_lambdas_on_one_line_are_told_apart(load: Load) -> None:
    module = load("f, g, h = lambda x: x * 2, lambda x: x * 3, lambda x: x * 2\nk = lambda x: x + 1\n")
    texts = [capture(one).tree.body[0].origin.text for one in (module.f, module.g, module.h, module.k)]
    assert texts == ["x * 2", "x * 3", "x * 2", "x + 1"]
    assert capture(module.k).name == "k" and capture(module.f).name == "function"
    assert isinstance(capture(module.k).tree.body[0], gast.Return)
    assert capture(module.h).tree.body[0].value.col_offset > capture(module.g).tree.body[0].value.col_offset


def test_closures_methods_and_inner_functions(load: Load) -> None:
    module = load('''
def make(a):
    b = 2
    def inner(x):
        return a * x + b
    return inner
class C:
    def __init__(self): self.__p = 1
    def f(self, x): return x * 2
    def g(self, x): return x * self.__p
''')
    captured = capture(module.make(5))
    assert captured.namespace.lookup("a") == 5 and captured.namespace.lookup("b") == 2
    assert capture(module.C.f).tree.name == "f"
    private = capture(module.C.g).tree.body[0]
    assert gast.dump(private.value.right.value) == gast.dump(capture(module.C.f).tree.body[0].value.left).replace(
        "'x'", "'self'") and private.value.right.attr == "_C__p" and private.origin.text == "return x * self.__p"
    assert "bound method" in why(module.C().f)
    module.late = types.FunctionType(module.make(1).__code__, {}, "late", None, (types.CellType(), types.CellType(1)))
    assert capture(module.late).namespace.lookup("b") == 1


def test_a_changed_file_is_refused(load: Load) -> None:
    module = load("\ndef f(x):\n    return x * 2.0\n")
    capture(module.f)
    path = Path(module.__file__)
    for text in ("\ndef f(x):\n    return x * 3.0\n", "\n\ndef f(x):\n    return x * 2.0\n", "def f(", "", "x = 1\n",
                 "\ndef f(x):\n    return x * 2\n", "\ndef f(x):\n    return x * -2.0\n",
                 "\ndef f(y):\n    return y * 2.0\n"):
        path.write_text(text)
        os.utime(path, (1, 1 + len(text)))
        assert "changed" in why(module.f) or not text
    path.write_text("\ndef f(x):\n    return x*2.0  # the same\n")
    assert capture(module.f).tree.body[0].origin.text == "return x*2.0"
    path.unlink()
    assert "no source text" in why(module.f)


def test_what_autoreload_compiles_by_itself(load: Load) -> None:
    """Its first line is 1, wherever it stands in the file; its code tells."""
    module = load("def g(x):\n    return x\ndef f(x):\n    return x * 2.0\n")
    code = compile("def f(x):\n    return x * 2.0\n", module.__file__, "exec").co_consts[0]
    module.f.__code__ = code
    assert capture(module.f).tree.lineno == 3
    module.g.__code__ = code.replace(co_name="g", co_qualname="g")
    assert "changed" in why(module.g)


def test_text_that_python_does_not_keep() -> None:
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x", scope)
    assert "exec or eval" in why(scope["f"])
    text = "def f(x):\n    return x\n"
    linecache.cache["<made up>"] = (len(text), None, text.splitlines(True), "<made up>")
    exec(compile(text, "<made up>", "exec"), scope)
    assert capture(scope["f"]).source.label == "made up"


def test_code_that_names_no_file(load: Load) -> None:
    """As cloudpickle brings it to another process: the text is that of the module, if it gives this code."""
    module = load("k = 2.0\ndef f(x):\n    return x * k\n")
    code = module.f.__code__.replace(co_filename="<dynamic-code>")
    assert capture(types.FunctionType(code, vars(module))).source.filename == module.__file__
    assert "exec or eval" in why(types.FunctionType(code, {"k": 2.0}))
    assert "exec or eval" in why(types.FunctionType(code, {"k": 2.0, "__file__": "gone.py"}))
    assert "exec or eval" in why(types.FunctionType(code.replace(co_firstlineno=3), vars(module)))


def test_functions_with_asserts_in_test_modules() -> None:
    def f(x: Any, n: int = 2) -> Any:
        assert x > 0, "positive"
        for i in range(n):
            assert x != i
            x = x * 3.0 + (lambda y: y + i)(x)
        return x
    assert f.__code__.co_varnames != ("x", "n", "i"), "pytest rewrites asserts"
    assert capture(f).tree.body[0].origin.text == 'assert x > 0, "positive"'
    edited = f.__code__.replace(co_consts=tuple(4.0 if const == 3.0 else const for const in f.__code__.co_consts))
    assert "changed" in why(types.FunctionType(edited, {}, "f"))


def test_kinds_of_functions_that_are_refused(load: Load) -> None:
    module = load('''
import functools
def deco(f):
    @functools.wraps(f)
    def g(*a): return f(*a)
    return g
def plain(f): return f
def ours(f): return f
ours.__tangent_nb__ = True
async def coro(x): return x
async def agen(x): yield x
def gen(x): yield x
@deco
def wrapped(x): return x
@plain
def decorated(x): return x
@ours
def allowed(x): return x
class K:
    def __call__(self, x): return x
''')
    assert "coroutine" in why(module.coro) and "coroutine" in why(module.agen) and "generator" in why(module.gen)
    assert "line 10" in why(module.coro)
    # what the name means is read
    assert capture(module.wrapped).tree.name == "g" and capture(module.decorated).tree.name == "decorated"
    assert capture(module.allowed).tree.origin.text == "def allowed(x)"
    assert "class, not a function" in why(module.K) and "object of class K" in why(module.K())
    assert "partial" in why(functools.partial(module.plain, 1))
    assert "not a function" in why(3.0)
    assert "decorator" in why(functools.lru_cache(module.plain))


def test_weird_callables_never_raise_anything_else() -> None:
    class Hostile:
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError(name)

        def __call__(self) -> None: ...

        def __eq__(self, other: object) -> bool:
            raise RuntimeError

        __hash__ = None  # type: ignore[assignment]

    for value in (Hostile(), Hostile, None, 1, len, print, str.upper, [].append, np.ndarray.sum, np.add.at,
                  math.gcd, np.vectorize(abs), type, object(), operator.itemgetter(1), asyncio, "f", ..., property(),
                  staticmethod(len)):
        with pytest.raises(TangentError):
            capture(value)


def test_library_functions_by_their_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_ROWS", dict(table._ROWS))
    table.register(table.Rule(np.tanh, "np.tanh", "y", table.parse_signature("y = np.tanh(x, out=None)")[2]))
    table.register(table.Rule(math.hypot, "hypot", "y", table.parse_signature("y = hypot(x, y)")[2]))
    table.register(table.Rule(math.perm, "math.perm", "y", table.parse_signature("y = perm(x)")[2], supported=False,
                              because="integers.", instead="nothing."))
    captured = capture(np.tanh)
    assert [p.id for p in captured.tree.args.args] == ["x"]
    assert gast.unparse(captured.tree).strip() == "def tanh(x):\n    return np.tanh(x)"
    assert captured.fn(0.5) == np.tanh(0.5)
    assert capture(captured.fn).tree.name == "tanh"
    assert capture(math.hypot).fn(3, 4) == 5.0
    assert "integers." in why(math.perm)
    assert "no derivative rule" in why(math.nextafter) and "nextafter" in why(math.nextafter)
    assert "no derivative" in why(math.gcd)


def test_deep_and_long_texts(load: Load) -> None:
    module = load("def f(x):\n    return " + " + ".join(["x"] * 900) + "\n")
    assert capture(module.f).tree.name == "f"


def test_few_texts_are_kept(load: Load) -> None:
    for _ in range(KEPT + 5):
        capture(load("def f(x):\n    return x\n").f)
    assert len(_TEXTS) <= KEPT


def test_cells_and_prompt() -> None:
    program = '''
from IPython.core.interactiveshell import InteractiveShell
from tangent_nb.capture import capture
shell = InteractiveShell.instance()
for cell in ["def f(x):\\n    return x * 2", "g = lambda x: x",
             "import asyncio\\nawait asyncio.sleep(0)\\ndef h(x): return x"]:
    shell.run_cell(cell, store_history=True).raise_error()
for name in "fgh":
    captured = capture(shell.user_ns[name])
    print(captured.source.label, captured.name, captured.tree.body[0].origin.text, sep=" | ")
'''
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-3:] == [
        "cell In[1] | f | return x * 2", "cell In[2] | g | x", "cell In[3] | h | return x"], done.stderr


def test_the_tree_is_the_callers_own(load: Load) -> None:
    module = load("def f(x):\n    return x\n")
    capture(module.f).tree.body.clear()
    assert len(capture(module.f).tree.body) == 1
    assert ast.unparse(gast.gast_to_ast(capture(module.f).tree)) == "def f(x):\n    return x"
