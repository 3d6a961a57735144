"""The helpers of `runtime/`, over another array library.

Most of them are written in functions that `jax.numpy` has too. They are not written again: their code is bound to
globals, for each module its own, in which `np` is the other library, and the few helpers that have to differ are those
of the backend.
"""
from __future__ import annotations

import math
import types
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import runtime


class Shapes:
    """An array library; `shape`, `ndim` and `size` are answered as NumPy does, also for numbers and lists,
    without computing.

    >>> import numpy as np
    >>> Shapes(np).shape([[1.0, 2.0]]), Shapes(np).ndim(2.0)
    ((1, 2), 0)
    """

    def __init__(self, library: types.ModuleType) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._library, name)
        setattr(self, name, value)                         # found faster the next time
        return value

    def shape(self, x: Any) -> tuple[int, ...]:
        if isinstance(x, (list, tuple)):
            return (len(x), *(self.shape(x[0]) if x else ()))
        return x.shape if hasattr(x, "shape") else ()

    def ndim(self, x: Any) -> int:
        return len(self.shape(x))

    def size(self, x: Any) -> int:
        return math.prod(self.shape(x))


class Rebound:
    """The functions of `runtime/` with `library` for NumPy; `replace` puts others in the place of some.

    >>> import numpy as np
    >>> helpers = Rebound(np)
    >>> helpers.replace({"cast": lambda g, x: "cast"})
    >>> helpers.unbroadcast(1.0, np.zeros(2))
    'cast'
    """

    def __init__(self, library: types.ModuleType) -> None:
        self.names: dict[str, Any] = {}
        self.spaces = [dict(vars(module)) for module in runtime.MODULES]       # what is global in each module
        made: dict[int, Any] = {id(np): Shapes(library)}
        for module, space in zip(runtime.MODULES, self.spaces):
            for name, value in vars(module).items():
                if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
                    assert name not in self.names, f"two functions are called {name}: which one is rt.{name}?"
                    made[id(value)] = self.names[name] = _over(value, space)
        for space in self.spaces:
            space.update({name: made[id(value)] for name, value in space.items() if id(value) in made})
            for name, value in space.items():
                self.names.setdefault(name, value)

    def replace(self, functions: Mapping[str, Any]) -> None:
        for name, new in functions.items():
            old = self.names.get(name)
            self.names[name] = new
            for space in self.spaces if old is not None else ():
                space.update({key: new for key, value in space.items() if value is old})

    def __getattr__(self, name: str) -> Any:
        try:
            return self.names[name]
        except KeyError:
            raise AttributeError(f"runtime has no helper {name!r}") from None


def _over(function: types.FunctionType, namespace: dict[str, Any]) -> types.FunctionType:
    """The function with other globals."""
    new = types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__,
                             function.__closure__)
    new.__kwdefaults__, new.__doc__, new.__module__ = function.__kwdefaults__, function.__doc__, function.__module__
    return new
