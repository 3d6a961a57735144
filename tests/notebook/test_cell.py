"""A cell's body runs as the cell would run without the magic."""
from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
from typing import Any

import pytest

from tangent_nb.notebook.cell import FailedError, functions, lines_above, run


@pytest.fixture
def cells(shell: Any) -> Any:
    """A shell with a magic that does nothing but run its body."""
    def plain(line: str, cell: str) -> None:
        try:
            shell.ip.user_ns["defined"] = run(shell.ip, cell)
        except FailedError:
            pass

    shell.ip.register_magic_function(plain, "cell", "plain")
    return shell


def test_the_last_expression_is_shown_and_kept(cells: Any) -> None:
    seen = cells.run("%%plain\nx = 20\nx + 1")
    assert seen.value == 21 and seen.ok and "21" in seen.text
    assert cells.run("_").value == 21
    assert cells.run("%%plain\n22;").value is None
    assert cells.run("_").value == 21
    assert cells.run("%%plain\nx = 1\nif x:\n    23").value is None


@pytest.mark.parametrize("setting, value", [("all", 7), ("last", 7), ("last_expr_or_assign", 7), ("none", None)])
def test_interactivity(cells: Any, setting: str, value: Any) -> None:
    cells.ip.ast_node_interactivity = setting
    last = "y = 7" if setting == "last_expr_or_assign" else "7"
    seen = cells.run(f"%%plain\n6\n{last}")
    assert seen.value == value and ("6" in seen.text) == (setting == "all")


def test_magics_and_shell_commands_inside(cells: Any) -> None:
    seen = cells.run("%%plain\nfound = %who_ls int\n!echo from the shell\nlen?")
    assert seen.ok and "found" in cells
    assert cells.run("%%plain\n%%time\nx = 5").ok and cells["x"] == 5


def test_transformers_of_the_tree_apply(cells: Any) -> None:
    class Twice(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.Constant:
            return ast.copy_location(ast.Constant(node.value * 2 if node.value == 21 else node.value), node)

    cells.ip.ast_transformers.append(Twice())
    cells.run("%%plain\nx = 21")
    assert cells["x"] == 42


def test_lines_are_those_of_the_whole_cell(cells: Any) -> None:
    cells.ip.get_parent = lambda: {"content": {"code": cells.raw}}
    for above in ("%%plain\n", "\n\n%%plain\n", "%%time\n%%plain\n", "%%plain\n\n  \n", "\n%%plain\n\n"):
        cells.raw = above + "def f(x):\n    return 1 / x\n"
        assert cells.run(cells.raw).ok
        f = cells["f"]
        assert f.__code__.co_firstlineno == above.count("\n") + 1
        assert inspect.getsource(f) == "def f(x):\n    return 1 / x\n"


def test_without_a_front_end_too(cells: Any) -> None:
    cells.run("\n%%plain\n\ndef f(x):\n    return 1 / x\n")
    assert inspect.getsource(cells["f"]) == "def f(x):\n    return 1 / x\n"
    cells.ip.run_cell_magic("plain", "", "def f(x):\n    return 2 / x\n")
    assert inspect.getsource(cells["f"]) == "def f(x):\n    return 2 / x\n"


def test_characters_at_which_ipython_breaks_lines_do_not_move_them(cells: Any) -> None:
    cells.run("%%plain\ns = 'a\x0cb\u2028c\x85d'\ndef f(x):\n    return x\n")
    assert inspect.getsource(cells["f"]) == "def f(x):\n    return x\n"


def test_a_traceback_is_that_of_the_cell(cells: Any) -> None:
    seen = cells.run("%%plain\nimport numpy\ndef f(x):\n    return 1 / x\n\nf(0)\n")
    assert isinstance(seen.error, ZeroDivisionError) and not seen.ok
    assert "----> 6 f(0)" in seen.text and "----> 4     return 1 / x" in seen.text and "Cell In[" in seen.text
    assert "tangent_nb" not in seen.text and "run_cell_magic" not in seen.text and "hidden" not in seen.text


def cell_number(line: str) -> str:
    return (re.findall(r"In\[\d+\]", line) or [""])[0] or "no cell"


def test_a_traceback_is_the_one_without_the_magic(cells: Any) -> None:
    body = """
def f(x):
    try:
        return 1 / x
    except ZeroDivisionError as error:
        raise ValueError("v") from error
f(0)"""
    with_magic, without = cells.run("%%plain" + body).text, cells.run("# plain" + body).text
    first, second = (text.split("\n") for text in (with_magic, without))
    assert len(first) == len(second)
    changed = [(a, b) for a, b in zip(first, second) if a.replace(cell_number(a), cell_number(b)) != b]
    assert [pair for pair in changed if "plain" not in pair[1]] == []


def test_what_was_run_before_an_error_stays(cells: Any) -> None:
    seen = cells.run("%%plain\nx = 1\nraise KeyError('x')\ny = 2")
    assert cells["x"] == 1 and "y" not in cells and not seen.ok


@pytest.mark.parametrize("body", ["def f(x)\n    return x", "x = 1\n  y = 2", "'abc", "x = 3\nreturn 5"])
def test_syntax_errors_are_shown_as_ipython_shows_them(cells: Any, body: str) -> None:
    seen, plain = cells.run("%%plain\n" + body), cells.run("# plain\n" + body)
    assert not seen.ok and isinstance(seen.error, SyntaxError)
    assert seen.text.split("\n")[1:] == plain.text.split("\n")[1:]
    assert "line 3" in seen.text or "line 2" in seen.text


def test_interrupts_and_exits_pass(cells: Any) -> None:
    seen = cells.run("%%plain\nraise KeyboardInterrupt")
    assert isinstance(seen.error, KeyboardInterrupt) and "tangent_nb" not in seen.text
    assert isinstance(cells.run("%%plain\nraise SystemExit").error, SystemExit)


def test_a_debugger_gets_the_users_frames(cells: Any) -> None:
    cells.run("%%plain\ndef f(x):\n    return 1 / x\nf(0)")
    trace = sys.last_value.__traceback__ if hasattr(sys, "last_value") else sys.last_traceback
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    assert frames[-1].f_code.co_name == "f" and frames[-2].f_code.co_name == "<module>"
    assert linecache.getline(frames[-1].f_code.co_filename, frames[-1].f_lineno) == "    return 1 / x\n"


def test_top_level_await(cells: Any) -> None:
    seen = cells.run("%%plain\nimport asyncio\nawait asyncio.sleep(0)\nx = 3\nawait asyncio.sleep(0, 4)")
    assert seen.ok and cells["x"] == 3 and seen.value == 4
    seen = cells.run("%%plain\nimport asyncio\nasync def g():\n    raise KeyError('k')\nawait g()")
    assert isinstance(seen.error, KeyError) and "tangent_nb" not in seen.text and "asyncio/" not in seen.text


def test_future_imports_hold(cells: Any) -> None:
    cells.run("%%plain\nfrom __future__ import annotations\ndef f(x: undefined): return x")
    assert cells["f"].__annotations__ == {"x": "undefined"}
    assert cells.run("def g(x: undefined): return x").ok


def test_which_functions_a_cell_defines() -> None:
    text = ("f = lambda x: x\ndef g(): pass\nclass C:\n    def m(self): pass\n"
            "try:\n    def h(): pass\nexcept E:\n    def k(): pass")
    assert functions(ast.parse(text)) == ["f", "g", "h", "k"]
    assert functions(ast.parse("async def f(): pass\nx = y = lambda: 0")) == ["x", "y", "f"]


def test_lines_above() -> None:
    body = "def f(x):\n    return x\n"
    assert lines_above("%%grad\n" + body, body) == lines_above("%%grad\n" + body.rstrip(), body) == 1
    assert lines_above("    %%grad\n    def f(x):\n        return x", body) == 1
    assert lines_above("%%grad -w x\ndef f(y):\n    return y\n", body) == 0
    assert lines_above(body, body) == lines_above("", body) == 0
