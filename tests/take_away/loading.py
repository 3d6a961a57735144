"""Files that were taken away, loaded where tangent_nb cannot be imported."""
from __future__ import annotations

import importlib.util
import itertools
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

COUNT = itertools.count()


class Blocked:
    """Finds no tangent_nb."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] == "tangent_nb":
            raise ImportError("a file that was taken away imports tangent_nb")


@contextmanager
def absent() -> Iterator[None]:
    """In this block tangent_nb cannot be imported."""
    held = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "tangent_nb"}
    blocked = Blocked()
    sys.meta_path.insert(0, blocked)                       # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.meta_path.remove(blocked)                      # type: ignore[arg-type]
        sys.modules.update(held)


def loaded(text: str) -> types.ModuleType:
    """The module that a text is, made where there is no tangent_nb."""
    name = f"taken_away_{next(COUNT)}"
    module = types.ModuleType(name)
    with absent():
        sys.modules[name] = module
        exec(compile(text, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    assert not {value.__name__ for value in vars(module).values() if isinstance(value, types.ModuleType)
                and value.__name__.startswith("tangent_nb")}
    return module


def imported(path: Path) -> types.ModuleType:
    """The module that a file is, likewise."""
    name = f"taken_away_{next(COUNT)}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with absent():
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module


def same(a: Any, b: Any) -> bool:
    """Both are one value to the last bit; a class of a file stands for that of its name."""
    if type(a) is not type(b) and type(a).__name__ != type(b).__name__:
        return False
    if isinstance(a, np.ndarray) and not a.dtype.hasobject:
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, (float, complex, np.generic)):
        return np.asarray(a).tobytes() == np.asarray(b).tobytes()
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return same(vars(a), vars(b)) if hasattr(a, "__dict__") else a == b
