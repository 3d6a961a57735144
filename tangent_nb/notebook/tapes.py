"""What a derivative keeps for its backward sweep, for the column of the page and for `--tape-report`.

Needs a derivative in reverse mode and example arguments. Promises runs that nobody sees: nothing is printed, no random
number is used up. js/src/tape.ts checks what it is told.
"""
from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import TangentError
from ..tracing.tape import TapeReport, measured
from ..tracing.tape.report import HEADS
from . import costs
from .derive import Derived
from .lines import Place
from .options import OptionError, Options
from .rerun import Calls
from .tokens import visible
from .view import Table

if TYPE_CHECKING:
    from .session import Take

MOST = 60                                          # rows of the table
LONGEST = 120                                      # characters of a text of the column


def unfit(options: Options, has_arguments: bool) -> str:
    """Why it cannot be measured what a derivative keeps; "" where it can."""
    if options.mode == "forward":
        return "forward mode goes along with the function, and keeps nothing: choose reverse"
    return costs.unfit(options, has_arguments)


def report(f: types.FunctionType, derived: Derived, at: inspect.BoundArguments) -> TapeReport:
    """The tape at some arguments."""
    def run(*args: Any, **kwargs: Any) -> TapeReport:
        return measured(inspect.unwrap(derived.function), args, kwargs, shown=False)

    return Calls(f, at.args, at.kwargs)(run)       # type: ignore[no-any-return]


def told(take: Take, keys: Mapping[Place, int]) -> dict[str, Any]:
    """bytes, alive, peak, kept: of the run; times: how many values are kept; before: bytes and peak without passes,
    none where there is no such text; rows: `[row, user's rows, name, kind, times, bytes, what, who holds it]`, the row
    -1 where it is of a text that is not shown."""
    if reason := unfit(take.options, take.at is not None):
        raise OptionError(reason)
    assert take.at is not None
    found = report(take.f, take.derived, take.at)
    shown = inspect.unwrap(take.derived.function).__code__.co_filename
    now, before = found.totals, found.before
    return {"bytes": now.bytes, "alive": now.alive, "peak": now.peak, "kept": now.kept,
            "times": sum(one.count for one in found if one.counts),
            "before": [] if before is None else [before.bytes, before.peak],
            "rows": [[one.site.line - 1 if one.site.filename == shown else -1,
                      [keys[user.filename, user.line] for user in one.users if (user.filename, user.line) in keys],
                      visible(one.name[:LONGEST]), one.kind, one.count, one.bytes, visible(one.what[:LONGEST]),
                      visible(one.held[:LONGEST])] for one in found if one.bytes or one.held]}


def table(f: types.FunctionType, derived: Derived, at: inspect.BoundArguments) -> tuple[list[Table], list[str]]:
    """The report as a table, and what is said of it; of a derivative that has none, why."""
    try:
        found = report(f, derived, at)
    except TangentError as error:
        return [], [f"no tape: {' '.join(str(error).split())}"]
    rows = found.cells()
    more = [f"{len(rows) - MOST} more rows: tnb.tape_report has all"] if len(rows) > MOST else []
    return [Table(found.title, HEADS, tuple(rows[:MOST]))], [*found.notes(), *more]
