"""The kernels: each a plain function on small data, as an entry of `corpus.py` that is judged by
tests/test_kernels.py."""
from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from corpus import Entry

HERE = Path(__file__).resolve().parent
KERNELS: list[Entry] = []


def kernel(function: Callable[..., Any], *args: Any, **details: Any) -> None:
    """Add a kernel; it is differentiated by its floats and arrays of floats."""
    wrt = tuple(i for i, a in enumerate(args)
                if isinstance(a, float) or isinstance(a, np.ndarray) and a.dtype.kind == "f")
    KERNELS.append(Entry(function, args, group="kernels", **{"wrt": wrt, "orders": 1} | details))


def load() -> list[Entry]:
    """All kernels, in the order of the names of their files."""
    for path in sorted(HERE.glob("*.py")):
        if path.stem not in ("collect", "conftest"):
            importlib.import_module(f"kernels.{path.stem}")
    return KERNELS
