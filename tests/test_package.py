"""The package as others meet it: what importing it costs, what it asks for, what its files give away."""
import ast
import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

import pytest

import tangent_nb

ROOT = Path(__file__).parent.parent
# Warnings are errors, but for those that astor's use of old node classes draws from Python 3.12 and later.
STRICT = ["-W", "error", "-W", "ignore::DeprecationWarning:astor.op_util"]
LAZY = ["IPython", "anywidget", "ipywidgets", "jax", "matplotlib", "numba", "scipy"]
OURS = ["tangent_nb", "js", "examples", "tests", "docs", "benchmarks", ".ci"]
MADE = {"__pycache__", "node_modules", ".ipynb_checkpoints"}


def loaded_by(statement: str) -> set[str]:
    """The top-level modules of a fresh interpreter after one statement."""
    program = f"import sys; {statement}; print(*sys.modules)"
    run = subprocess.run([sys.executable, *STRICT, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return {name.partition(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize("statement", ["import tangent_nb", "from tangent_nb import *"])
def test_import_loads_no_optional_library(statement):
    loaded = loaded_by(statement)
    assert "tangent_nb" in loaded
    assert not loaded & set(LAZY)


def test_everything_exported_is_there():
    assert [name for name in tangent_nb.__all__ if not hasattr(tangent_nb, name)] == []


def test_metadata():
    meta = importlib.metadata.metadata("tangent_nb")
    assert meta["Requires-Python"] == ">=3.11"
    assert {"jax", "numba", "scipy", "examples", "test", "all"} <= set(meta.get_all("Provides-Extra"))
    js = json.loads((ROOT / "js" / "package.json").read_text(encoding="utf-8"))
    assert js["private"] and js["version"] == meta["Version"]


def test_jupyter_finds_the_extension_where_the_package_is_installed(tmp_path):
    run = subprocess.run([sys.executable, "setup.py", "-q", "install_data", "-d", str(tmp_path)], capture_output=True,
                         text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    folder = tmp_path / "share" / "jupyter" / "labextensions" / "tangent_nb"
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == importlib.metadata.version("tangent_nb") and package["name"] == folder.name
    assert (folder / package["jupyterlab"]["_build"]["load"]).is_file() and (folder / "static" / "widget.css").is_file()


def our_files():
    yield from (path for path in ROOT.iterdir() if path.is_file())
    for folder in OURS:
        yield from (path for path in (ROOT / folder).rglob("*") if path.is_file() and not MADE & set(path.parts))


def modules():
    return [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
            for path in sorted((ROOT / "tangent_nb").rglob("*.py"))]


def test_no_module_is_longer_than_400_lines():
    assert {name: lines for name, text in modules() if (lines := text.count("\n")) > 400} == {}


def test_no_function_is_longer_than_60_lines():
    found = {f"{name}:{node.name}": node.end_lineno - node.lineno + 1 for name, text in modules()
             for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    assert {name: lines for name, lines in found.items() if lines > 60} == {}


def test_no_file_names_a_place_of_the_machine_it_was_written_on():
    places = [f"/{home}/".encode() for home in ("work", "root", "home", "Users")]
    found = [str(path.relative_to(ROOT)) for path in our_files() if any(place in path.read_bytes() for place in places)]
    assert found == []
