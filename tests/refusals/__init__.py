"""Programs that are refused, with the whole of each message: a module for each subject, its cases in `CASES`."""
from __future__ import annotations

from importlib import import_module
from pathlib import Path

from .case import Case


def cases() -> list[Case]:
    """Those of all modules, in the order of their names."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py")
                   if not path.stem.startswith(("_", "test_")) and path.stem != "case")
    return [case for name in names for case in import_module(f"{__name__}.{name}").CASES]
