"""What each line of a derivative takes, for the column of the page.

Needs a derivative and example arguments. Promises calls that nobody sees: nothing is printed, no random number is used
up. js/src/costs.ts checks what it is told.
"""
from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..tracing.costs import Cost, costs
from .lines import Place
from .options import OptionError, Options
from .rerun import Calls
from .stepping import along_first

if TYPE_CHECKING:
    from .session import Take

REPEATS = 5


def unfit(options: Options, has_arguments: bool) -> str:
    """Why the lines of a derivative cannot be measured; "" where they can."""
    if not has_arguments:
        return "what lines take is measured at arguments: %%grad --at \"x=…\""
    if options.compile:
        return "what is compiled runs as a whole, and has no lines to be timed: choose NumPy"
    if options.backend != "numpy":
        return "lines on JAX only say what is to be computed, and return before it is: choose NumPy"
    return ""


def told(take: Take, keys: Mapping[Place, int]) -> dict[str, Any]:
    """seconds: of a whole run; repeats: of how many the medians are; rows: `[row, seconds, runs, bytes]` of each line
    of the last stage that ran."""
    if reason := unfit(take.options, take.at is not None):
        raise OptionError(reason)
    assert take.at is not None
    df = inspect.unwrap(take.derived.function)
    given = along_first(take)

    def run(*args: Any, **kwargs: Any) -> list[Cost]:
        return costs(df, *args, repeats=REPEATS, **kwargs, **given)

    found = Calls(take.f, take.at.args, take.at.kwargs)(run)
    shown = inspect.unwrap(df).__code__.co_filename
    return {"seconds": sum(cost.own for cost in found), "repeats": REPEATS,
            "rows": [[cost.site.line - 1, cost.seconds, cost.runs, cost.bytes] for cost in found
                     if cost.site.filename == shown]}
