"""Which of its two texts served the last call of a derivative that was made for example arguments.

Such a derivative leaves for its general text by a guard, `rt.fits` or `rt.alike`, and nobody else hears of it. Where a
notebook shows it, the `rt` of that one function has guards that note what they find; its code stays what it is.

Needs a derivative. Promises a function of the same code and of the same cells but this one.
"""
from __future__ import annotations

import importlib
import types
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .. import runtime

GUARDS = ("fits", "alike")
_UNNOTED: ContextVar[bool] = ContextVar("_UNNOTED", default=False)


@contextmanager
def unnoted() -> Iterator[None]:
    """Calls here are not the user's."""
    token = _UNNOTED.set(True)
    try:
        yield
    finally:
        _UNNOTED.reset(token)


class Noting(types.ModuleType):
    """`rt`, with guards that note. of: the function that they guard, which is the text for the example arguments;
    general: its other text; ran: the one that served the last call, None before the first."""

    def __init__(self, of: types.FunctionType, general: Any) -> None:
        super().__init__(runtime.__name__)
        vars(self).update(vars(runtime))
        self.of, self.general = of, general
        self.ran: Any = None
        for name in GUARDS:
            setattr(self, name, self._noting(getattr(runtime, name)))

    def _noting(self, guard: Any) -> Any:
        def noted(*given: Any) -> Any:
            found = guard(*given)
            if not _UNNOTED.get():
                self.ran = self.of if found else self.general
            return found

        return noted

    def __reduce__(self) -> tuple[Any, ...]:
        return importlib.import_module, (runtime.__name__,)


def noting(df: types.FunctionType) -> types.FunctionType:
    """A derivative of which `noted` knows what served its last call; itself where it has one text, or asks for others.

    >>> import numpy as np
    >>> import tangent_nb as tnb
    >>> df = noting(tnb.grad(lambda x: np.sum(x * x), like=(np.ones(2),)))
    >>> df(np.ones(5)), noted(df).ran is noted(df).of
    (array([2., 2., 2., 2., 2.]), True)
    >>> float(df(np.ones(()))), noted(df).ran.__name__
    (2.0, '_dfunction_dx_general')
    """
    general = getattr(df, "__tangent_general__", None)
    names, cells = df.__code__.co_freevars, df.__closure__ or ()
    if general is None or "rt" not in names or not set(GUARDS) & set(df.__code__.co_names):
        return df
    rt = types.CellType(Noting(df, general))
    made = types.FunctionType(df.__code__, df.__globals__, df.__name__, df.__defaults__,
                              tuple(rt if name == "rt" else cell for name, cell in zip(names, cells)))
    made.__kwdefaults__, made.__doc__, made.__qualname__ = df.__kwdefaults__, df.__doc__, df.__qualname__
    made.__module__ = df.__module__
    made.__dict__.update(df.__dict__)
    vars(made)["__tangent_unnoted__"] = df         # which is what is exported
    return made


def noted(df: Any) -> Noting | None:
    """What the guards of a function have noted; None where they note nothing."""
    code = getattr(df, "__code__", None)
    if code is None or "rt" not in code.co_freevars:
        return None
    rt = df.__closure__[code.co_freevars.index("rt")].cell_contents
    return rt if isinstance(rt, Noting) else None
