"""`show(f)`: a function and its derivative, as an object that a notebook, a terminal and a file can show."""
from __future__ import annotations

import inspect
import os
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import TangentError
from . import at as at_
from . import check as check_
from .derive import Derived, derive
from .options import OptionError, Options, Wrt, make
from .page import html, standalone
from .text import plain
from .view import Message, Table, View, view


class Shown:
    """A derivative beside its source. A notebook shows it; `print` writes it as text; `export_html` keeps it.

    derivative: the derived function, None where it was refused.
    """

    def __init__(self, shown: View | Message, derivative: types.FunctionType | None = None) -> None:
        self._view = shown
        self.derivative = derivative

    def __repr__(self) -> str:
        return plain(self._view)

    def _repr_html_(self) -> str:
        return str(html(self._view))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def export_html(self, path: str | os.PathLike[str]) -> Path:
        """Write a page of its own that needs nothing else and runs nothing. The path written to."""
        target = Path(path)
        target.write_text(standalone(self._view), encoding="utf-8")
        return target


def show(f: Any, *, wrt: Wrt = 0, mode: str = "reverse", raw: bool = False, passes: str | Iterable[str] | None = None,
         at: str | Mapping[str, Any] | None = None, check: bool = False) -> Shown:
    """`f` and its derivative side by side; the options are those of `%%grad`.

    wrt: names or positions, `"*"` for all that can have a derivative; mode: `"reverse"` or `"forward"`; raw: without
    passes; passes: with these alone; at: arguments, as a dict, or as text that is evaluated among `f`'s globals, to
    specialize for and to show the values at; check: compare with finite differences and the other mode there.
    """
    text = at if isinstance(at, str) or at is None else ""
    options = make(wrt=wrt, mode=mode, raw=raw, passes=passes, at=text, check=check)
    try:
        bound = arguments(f, at, getattr(f, "__globals__", {}))
        derived = derive(f, options, bound)
    except TangentError as error:
        return Shown(Message(str(error)))
    return Shown(seen(f, derived, options, bound), derived.function)


def arguments(f: Any, at: str | Mapping[str, Any] | None, namespace: Mapping[str, Any]) -> inspect.BoundArguments | None:
    """The arguments to specialize for, None where none are given."""
    if at is None:
        return None
    if isinstance(at, str):
        return at_.evaluate(at, f, namespace)
    try:
        bound = inspect.signature(f).bind(**at)
    except TypeError as error:
        raise OptionError(f"at: {error}") from error
    bound.apply_defaults()
    return bound


def seen(f: types.FunctionType, derived: Derived, options: Options, bound: inspect.BoundArguments | None,
         notes: Iterable[str] = ()) -> View:
    """The view of a derived function, with its values where arguments are given."""
    tables: list[Table] = []
    problem = ""
    if bound is not None:
        try:
            tables.append(at_.values(f, derived, bound))
            if options.check:
                tables.append(check_.table(f, derived, bound))
        except TangentError as error:
            problem = str(error)
    return view(derived.function.__name__, derived.derivation, every_pass=options.passes is None, tables=tables,
                notes=(*derived.notes, *notes), problem=problem)
