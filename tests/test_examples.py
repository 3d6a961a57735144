"""Every notebook of examples/ runs from its first cell to its last."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def run_headless(notebook, home):
    own = {name: str(home) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    return subprocess.run(
        [sys.executable, str(EXAMPLES / "run_headless.py"), str(notebook)],
        env={**os.environ, **own}, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )


@pytest.mark.full                                          # tests/test_quickstart.py runs its cells too
@pytest.mark.parametrize("name", sorted({"quickstart.ipynb"} | {path.name for path in EXAMPLES.glob("*.ipynb")}))
def test_runs(name, tmp_path):
    done = run_headless(EXAMPLES / name, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def notebook_of(path, *cells):
    import nbformat.v4 as nb
    path.write_text(nb.writes(nb.new_notebook(cells=[nb.new_code_cell(cell) for cell in cells])), encoding="utf-8")
    return path


def test_prints_in_order_what_cells_show(tmp_path):
    done = run_headless(notebook_of(tmp_path / "a.ipynb", "print('one', end='')\n2", "[3]"), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[1:-1] == ["one", "2", "[3]"]


def test_a_failing_cell_is_an_error(tmp_path):
    done = run_headless(notebook_of(tmp_path / "a.ipynb", "print('one')", "1/0", "print('two')"), tmp_path)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stdout
    assert "two" not in done.stdout
