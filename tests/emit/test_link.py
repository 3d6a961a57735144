"""Generated functions are plain Python functions in real files, bound to their own globals and cells."""
from __future__ import annotations

import importlib
import inspect
import io
import linecache
import os
import pdb
import pickle
import subprocess
import sys
import threading
import traceback
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangent_nb.capture import capture
from tangent_nb.emit import folder
from tangent_nb.emit.link import link
from tangent_nb.syntax.program import Emitted, Environment

TEXT = '''def df(x, n=2, *, k=3):
    """Doc."""
    y = helper(x) * rt.double(n)
    if y < 0:
        raise FloatingPointError("negative")
    return y + offset


def helper(x):
    return x * offset
'''
rt = types.SimpleNamespace(double=lambda x: 2 * x)


def made(text: str = TEXT, **scopes: Any) -> dict[str, types.FunctionType]:
    import ast
    names = tuple(node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    environments = {name: scopes.get(name, Environment({})) for name in names}
    return link(Emitted(text, (), names), environments, name=names[0])


@pytest.fixture
def df() -> types.FunctionType:
    return made(df=Environment({"offset": 1, "__name__": "users"}, {"rt": types.CellType(rt)}),
                helper=Environment({"offset": 10}))["df"]


def test_each_function_has_its_own_globals_and_cells(df: types.FunctionType) -> None:
    assert df(3) == 3 * 10 * 4 + 1
    df.__globals__["offset"] = 2
    assert df(3, 1) == 3 * 10 * 2 + 2
    assert set(df.__globals__) <= {"offset", "__name__", "__builtins__"}
    assert df.__code__.co_freevars == ("helper", "rt")


def test_it_looks_like_a_function_of_the_users_module(df: types.FunctionType) -> None:
    assert type(df) is types.FunctionType
    assert (df.__name__, df.__qualname__, df.__module__, df.__doc__) == ("df", "df", "users", "Doc.")
    assert str(inspect.signature(df)) == "(x, n=2, *, k=3)"
    assert inspect.getsource(df) == TEXT.split("\n\n\n")[0] + "\n"
    linecache.checkcache()
    assert inspect.getsourcelines(df)[1] == 1 and Path(inspect.getfile(df)).is_file()
    assert getattr(df.__code__, "co_qualname", "df") == "df"


def test_a_name_may_be_a_cell_here_and_a_global_there() -> None:
    functions = made("def f():\n    return k\n\n\ndef g():\n    return k, f()\n",
                     f=Environment({}, {"k": types.CellType(1)}), g=Environment({"k": 2}))
    assert functions["g"]() == (2, 1)


def test_cells_are_live_and_may_be_empty() -> None:
    cell = types.CellType()
    f = made("def f():\n    return k\n", f=Environment({}, {"k": cell}))["f"]
    with pytest.raises(NameError):
        f()
    cell.cell_contents = 5
    assert f() == 5 and f.__closure__ == (cell,)


def test_recursion_and_inner_functions() -> None:
    functions = made("def f(n):\n    g = lambda m: f(m - 1)\n    return g(n) if n else k\n", f=Environment({"k": 7}))
    assert functions["f"](5) == 7


def test_defaults_are_the_objects_given() -> None:
    box: list[int] = []
    environment = Environment({}, defaults=(box,), kwdefaults={"y": box}, doc="D.")
    f = made("def f(x=None, *, y=None):\n    return x, y\n", f=environment)["f"]
    assert f()[0] is box and f()[1] is box and f.__doc__ == "D."
    with pytest.raises(RuntimeError, match="no literal"):
        made("def f(x=g()):\n    return x\n")


def test_annotations_are_not_evaluated() -> None:
    assert made("def f(x: nowhere) -> nothing:\n    return x\n")["f"](1) == 1


def test_tracebacks_show_the_lines(df: types.FunctionType) -> None:
    with pytest.raises(FloatingPointError) as error:
        df(-1)
    assert 'raise FloatingPointError("negative")' in "".join(traceback.format_exception(error.value))


def test_breakpoints_by_file_and_line(df: types.FunctionType) -> None:
    out = io.StringIO()
    commands = io.StringIO(f"b {df.__code__.co_filename}:6\nc\np y\nlist\nc\n")
    debugger = pdb.Pdb(stdin=commands, stdout=out, nosigint=True, readrc=False)
    debugger.use_rawinput = False
    try:
        assert debugger.runcall(df, 3) == 121
    finally:
        debugger.clear_all_breaks()
        sys.settrace(None)
    assert "Breakpoint 1 at" in out.getvalue() and "120" in out.getvalue() and "return y + offset" in out.getvalue()


def test_cloudpickle_goes_round(df: types.FunctionType) -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    f = made("def f(x):\n    return g(x) + np.sin(k)\n\n\ndef g(x):\n    return f(x - 1) if x > 0 else x\n",
             f=Environment({"np": np, "k": 0}), g=Environment({}))["f"]
    assert pickle.loads(cloudpickle.dumps(f))(3) == f(3)


def test_it_can_be_captured_again(df: types.FunctionType) -> None:
    captured = capture(df)
    assert captured.name == "df" and captured.namespace.lookup("rt") is rt and captured.defaults == (2,)
    assert captured.tree.body[-1].origin.text == "return y + offset"
    helper = captured.namespace.lookup("helper")
    assert capture(helper).namespace.lookup("offset") == 10


def test_the_same_text_is_the_same_file() -> None:
    names = {made()["df"].__code__.co_filename for _ in range(1000)}
    assert len(names) == 1
    directory = Path(names.pop()).parent
    assert not [path for path in directory.iterdir() if path.suffix != ".py" and path.name != folder.LOCK]
    other = made(TEXT.replace("offset", "shift"))["df"].__code__.co_filename
    assert Path(other).parent == directory and not directory.samefile(other)
    if os.name == "posix":
        assert directory.stat().st_mode & 0o777 == 0o700 == directory.parent.stat().st_mode & 0o777


def test_a_removed_directory_is_made_again() -> None:
    path = Path(made("def f():\n    return 1234\n")["f"].__code__.co_filename)
    path.unlink()
    assert Path(made("def f():\n    return 1234\n")["f"].__code__.co_filename) == path and path.is_file()


def test_names_of_files_are_safe() -> None:
    path = Path(folder.write("../../é" * 50, "x"))
    assert path.is_file() and path.parent == Path(folder.write("a", "x")).parent


def test_many_threads_make_one_directory() -> None:
    found = set()

    def work(i: int) -> None:
        found.add(Path(made(f"def f():\n    return {i % 3}\n")["f"].__code__.co_filename).parent)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 1


PROGRAM = '''
import sys
from tangent_nb.emit.folder import write
print(write("f", "x = 1"), flush=True)
{then}
'''


def start(then: str) -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM.format(then=then)], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert process.stdout
    return process, Path(process.stdout.readline().strip())


def test_directories_of_the_dead_are_swept_and_of_the_living_kept() -> None:
    live, live_path = start("sys.stdin.read()")
    dead, dead_path = start("import os; os._exit(0)")
    gone, gone_path = start("")
    dead.communicate()
    gone.communicate()
    try:
        assert live_path.is_file() and dead_path.is_file() and not gone_path.exists()
        for path in (live_path, dead_path):
            os.utime(path.parent, (1, 1))
        folder._sweep(live_path.parent.parent)
        assert live_path.is_file() and not dead_path.parent.exists()
    finally:
        live.communicate()
    assert not live_path.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_goes_on_after_its_parent() -> None:
    then = '''
import linecache, os
from pathlib import Path
before = write("f", "x = 1")
if os.fork():
    sys.exit()
sys.stdin.read()
after = write("g", "x = 2")
print(Path(before).read_text() + "|" + linecache.getline(after, 1), Path(before).parent != Path(after).parent, \
flush=True)
'''
    process, path = start(then)
    process.wait()
    os.utime(path.parent, (1, 1))
    folder._sweep(path.parent.parent)
    output, _ = process.communicate("go")
    assert output.split("\n")[0] == "x = 1|x = 2 True"
    assert not path.parent.exists()


def test_the_users_module_is_untouched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "users_module.py").write_text("k = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("users_module")
    before = set(vars(module))
    assert made("def f(x):\n    return g(x)\n\n\ndef g(x):\n    return x * k\n", f=Environment(vars(module)),
                g=Environment(vars(module)))["f"](3) == 6
    assert set(vars(module)) == before


def test_no_warning_is_given_for_a_literal_that_stands_for_a_name() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made("def f(x):\n    return 3 is not None and x\n", f=Environment({}))["f"](2.0) == 2.0
