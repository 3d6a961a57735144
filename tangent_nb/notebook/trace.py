"""`--trace`: the elementary operations at some arguments, beside their adjoints or tangents."""
from __future__ import annotations

import inspect
import types
from typing import Any

from ..errors import TangentError
from ..tracing.elementary import TraceTable, traced
from .derive import Derived
from .rerun import Calls
from .view import Table

MOST = 60                                          # operations that a page shows


def table(f: types.FunctionType, derived: Derived, bound: inspect.BoundArguments) -> tuple[list[Table], list[str]]:
    """The table, and what is said where there is none. The function runs once more, without its output."""
    call, wrt, mode = Calls(f, bound.args, bound.kwargs), derived.derivation.wrt, derived.derivation.mode

    def made(*args: Any, **keywords: Any) -> TraceTable:
        return traced(f, args, keywords, wrt=wrt, mode=mode, rows=MOST)

    try:
        found: TraceTable = call(made)
    except TangentError as error:
        return [], [f"no trace: {' '.join(str(error).split())}"]
    heads = ("", found.heads[0], "", "", "", found.heads[1], "", "")
    return [Table(found.title, heads, tuple(found.cells()))], []
