"""The cards of what is shown, with the values of a run where one is asked for, or costs nothing that is noticed."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...pipeline import is_clean
from ...runtime.for_calls import for_all
from ...tracing.glance import Glance, glance
from ..at import directions
from ..derive import added
from ..lines import Place
from ..options import OptionError
from ..rerun import Calls
from ..stepping import unfit
from ..tokens import visible
from .card import Cards
from .last_call import LastCall

if TYPE_CHECKING:
    from ..session import Take

QUICK = 0.2                                        # seconds of the calls that were made at the example arguments
SLOWER = 20                                        # times that a run takes that is looked at line by line, about


class TakeCards:
    """Of one take. The derivative runs once more for the values that its lines have: at the example arguments, when the
    reader asks for it, or by itself where it is quick and a call of the function changes nothing; where there are none
    at the arguments of the last call in a cell, when the reader asks for it. called: gives that call."""

    def __init__(self, take: Take, keys: Mapping[Place, int], called: Callable[[], LastCall | None]) -> None:
        self.take, self.called = take, called
        function = inspect.unwrap(take.derived.function)
        self.cards = Cards(take.derived.derivation, function.__code__.co_filename, keys)
        self._glance: Glance | None = None
        self._of = ""                              # the call that it is of

    def card(self, side: str, stage: int, row: int, run: bool) -> dict[str, Any]:
        """The card of a row. run: the reader asks for values. OptionError: there is no such row."""
        stages = max(1, len(self.take.derived.derivation.stages))
        rows = len(self.cards.places) if side == "primal" else \
            len(self.cards.text(stage).emitted.lines) if stage < stages else 0
        if row >= rows:
            raise OptionError("there is no such row")
        if not unfit(self.take.options, True) and (run or self._glance is None and self.is_free):
            self._run()
        found = self._glance
        made = self.cards.primal(row, found) if side == "primal" else self.cards.derived(stage, row, found)
        if made["names"]:
            made["offer"] = self._offer()
        if found is not None and self._of:
            made["note"] = f"values of {self._of}"
        if found is not None and found.error is not None:
            made["note"] = visible(f"the run ended with {type(found.error).__name__}: {str(found.error)[:200]}")
        return made

    def _run(self) -> None:
        take, given = self.take, {}
        if take.at is not None:
            args, kwargs = take.at.args, take.at.kwargs
            names = added(take.f, take.derived.function)
            given = directions(take.derived.derivation.wrt, names, take.at)[0][1] if names else {}
        else:
            call = self.called()
            if call is None:
                return
            args, kwargs, self._of = call.args, call.kwargs, _told(call)
        function = for_all(inspect.unwrap(take.derived.function))      # it is what is shown
        calls = Calls(take.f, args, kwargs)
        self._glance = calls(lambda *args, **kwargs: glance(function, *args, **{**kwargs, **given}))

    @cached_property
    def is_free(self) -> bool:
        """A run at the example arguments costs nothing that is noticed."""
        if self.take.at is None:
            return False
        _ = self.take.view                                 # the calls that tell how long one takes
        return self.take.seconds < QUICK and not self.take.view.problem and is_clean(self.take.f)

    def _offer(self) -> str:
        """What is offered where a run costs something; empty where there is nothing to run, or it has run."""
        if unfit(self.take.options, True):
            return ""
        if self.take.at is None:
            call = self.called()
            return "" if call is None or self._glance is not None and _told(call) == self._of else \
                f"the derivative runs once more, as in {_told(call)}"
        if self._glance is not None:
            return ""
        seconds = self.take.seconds * SLOWER
        how_long = f", for some {seconds:.0f} s" if seconds > 1 else ""
        return f"the derivative runs once more at these arguments{how_long}"


def _told(call: LastCall) -> str:
    """A call, and whether a later one was passed over."""
    return call.text if call.last else f"{call.text}, an earlier call: the last one cannot be made again from here"
