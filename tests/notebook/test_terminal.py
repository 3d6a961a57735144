"""`%%grad` in a terminal's IPython, which knows no messages and shows no HTML."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SESSION = r"""
%load_ext tangent_nb
%%grad --at "x=2.0"
def f(x):
    return x * x


print("slope", df_dx(3.0))
%%grad -q
import asyncio
await asyncio.sleep(0)
def g(x):
    return 1 / x


print("after await", dg_dx(1.0))
g(0)
%%grad
def h(x):
    return eval('x')


%%grad -q
import math
import numpy as np
def root(x):
    y = math.sqrt(x)
    return 3.0 * y


with np.errstate(divide="raise"): droot_dx(0.0)

%debug
p "here", y
up
q
exit
"""


def test_a_session(tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--simple-prompt", "--colors=nocolor", "--no-banner"], input=SESSION.lstrip(),
        env={**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        capture_output=True, encoding="utf-8", timeout=120)
    text = done.stdout
    assert "df_dx: gradient of f" in text and "  3 │     return x * x" in text and "  f      4.0" in text, text
    assert "slope 6.0" in text and "after await -1.0" in text
    assert "----> 5     return 1 / x" in text
    assert "# Grad of: y = math.sqrt(x)" in text and "('here', 0.0)" in text, "%debug stands in the derivative"
    assert "is backward code of" in done.stderr and "line 5: y = math.sqrt(x)" in done.stderr
    assert "cannot differentiate h" in text and "tangent_nb/" not in text
