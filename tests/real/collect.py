"""Imports every file of programs beside this one: their entries join the corpus."""
from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = {"collect", "conftest"}


def load() -> None:
    """Import the programs in the order of the names of their files; a second call does nothing.

    They are modules of the namespace package `real`, so that a file may have the name of a library's module.
    """
    tests = str(HERE.parent)
    if tests not in sys.path:
        sys.path.insert(0, tests)
    for path in sorted(HERE.glob("*.py")):
        if path.stem not in TOOLS:
            importlib.import_module(f"real.{path.stem}")
