"""Rows of SciPy's modules are filled when something of these is met, and no other."""
import subprocess
import sys
from pathlib import Path

import pytest

from tangent_nb.rules import table
from tangent_nb.rules.libraries import ROWS_OF
from tangent_nb.runtime.containers import kind_of

for module in ROWS_OF:
    pytest.importorskip(module)
table.fill(*ROWS_OF)
ROOT = Path(__file__).resolve().parents[2]
DERIVE = """
import sys
from benchmarks.deriving import function, tnb
for lines in {programs}:
    tnb.grad(function(lines))
    print(*[name.rpartition(".")[2] for name in sys.modules if name.startswith("tangent_nb.rules.scipy_")])
print(*[name for name in sys.modules if name in {modules}])
"""


def loaded_by(modules, *programs):
    """The files of rows that are loaded after each derivation in one process, and in the end SciPy's modules."""
    program = f"import {modules}" + DERIVE.format(programs=programs, modules=tuple(ROWS_OF))
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return [set(line.split()) for line in run.stdout.splitlines()]


def test_rows_of_what_is_met():
    found = loaded_by(
        ", ".join(ROWS_OF), ["def f(x):", "    return np.sum(np.tanh(x) * x)"],
        ["import scipy", "def f(x):", "    return scipy.special.expit(x)"],
        ["from scipy.stats import norm", "log = norm.logpdf", "def f(x):", "    return log(x)"],
        ["from tangent_nb.runtime import unconvolve", "def f(x):", "    return np.sum(unconvolve(x, x, x))"])
    special = {"scipy_special", "scipy_special_families"}
    assert found[:3] == [set(), special, special | {"scipy_stats"}] and "scipy_signal" in found[3]


def test_no_other_module_is_imported():
    program = ["from scipy.linalg import inv", "def f(x):", "    return np.sum(inv(x))"]
    assert loaded_by("scipy.linalg", program) == [{"scipy_linalg"}, {"scipy.linalg"}]


def test_every_row_is_met():
    """Each function of these rows is held by the module, or by a helper of ours."""
    alive = {id(fn): fn for fn in table._KEEP}
    for module in set(ROWS_OF.values()):
        homes = [name for name, file in ROWS_OF.items() if file == module]
        for i, row in table._ROWS.items():
            if row.name.startswith(tuple(f"{home}." for home in homes)) and not row.by_user and not row.receiver:
                assert any(table._is_held(alive[i], home) for home in homes), row.name


def test_what_solvers_give_is_known_without_rows():
    from scipy import optimize
    assert kind_of(optimize.OptimizeResult(x=1.0)).by_name and not kind_of({"x": 1.0}).by_name
