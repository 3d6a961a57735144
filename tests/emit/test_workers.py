"""No folder stays behind the processes of a pool, or behind those that end without a word."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import tangent_nb

SCRIPT = """\
import inspect, multiprocessing, os, sys, traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
import tangent_nb as tnb

def f(x):
    return x * x

def g(x, y):
    return x ** y

def work(x):
    dg = tnb.grad(g)
    try:
        dg("text", 1)
    except tnb.errors.TangentError as error:
        shown = "".join(traceback.format_exception(error))
    assert "rt.differentiable(x)" in shown and "script.py, line 9, column 7" in shown
    assert inspect.getsource(dg).startswith("def dg_dx(x, y):")
    assert tnb.grad(tnb.grad(f))(x) == 2.0
    return dg(x, 2.0)

def leave(x):
    tnb.grad(g)
    os._exit(3)

def pools(method):
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:                           # its workers are terminated
        assert pool.map(work, [1.0, 2.0]) == [2.0, 4.0]
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert list(pool.map(work, [1.0, 2.0])) == [2.0, 4.0]
    process = context.Process(target=leave, args=(1.0,))
    process.start()
    process.join()
    assert process.exitcode == 3
    context.Process(target=work, args=(1.0,), daemon=True).start()       # ended by the end of this process

if __name__ == "__main__":
    how, first = sys.argv[1], sys.argv[2] == "first"
    if first:
        assert Path(inspect.getsourcefile(tnb.grad(f))).is_file()
    if how == "fork by hand":
        if (child := os.fork()) == 0:
            leave(1.0)
        os.waitpid(child, 0)
    elif how == "joblib":
        import joblib
        assert joblib.Parallel(2)(joblib.delayed(work)(x) for x in (1.0, 2.0)) == [2.0, 4.0]
    else:
        pools(how)
    if not first:
        assert tnb.grad(f)(1.0) == 2.0
    print("done")
"""
WAYS = ["fork", "spawn", "forkserver", "fork by hand", "joblib"]


@pytest.mark.sampled(3)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize(("how", "first"), [(way, "first") for way in WAYS] + [("fork", "last")])
def test_none_stays(how: str, first: str, tmp_path: Path) -> None:
    if how == "joblib":
        pytest.importorskip("joblib")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    path = os.pathsep.join([str(Path(tangent_nb.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    with tempfile.TemporaryDirectory() as temporary:       # its name is short: the server of forks has a socket there
        done = subprocess.run([sys.executable, "-W", "ignore", "script.py", how, first], cwd=tmp_path,
                              capture_output=True, text=True,
                              timeout=300, env={**os.environ, "TMPDIR": temporary, "PYTHONPATH": path})
        assert done.returncode == 0 and done.stdout == "done\n", done.stderr
        assert [one for root in Path(temporary).glob("tangent_nb-*") for one in root.iterdir()] == []
