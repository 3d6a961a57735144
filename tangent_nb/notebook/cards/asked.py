"""The cards of what is shown, with the values of a run where one is asked for, or costs nothing that is noticed."""
from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...pipeline import is_clean
from ...tracing.glance import Glance, glance
from ..at import directions
from ..derive import added
from ..lines import Place
from ..options import OptionError
from ..rerun import Calls
from ..stepping import unfit
from .card import Cards

if TYPE_CHECKING:
    from ..session import Take

QUICK = 0.2                                        # seconds of the calls that were made at the example arguments
SLOWER = 20                                        # times that a run takes that is looked at line by line, about


class TakeCards:
    """Of one take. The derivative runs once more for the values that its lines have, at the example arguments: when the
    reader asks for it, or by itself where it is quick and a call of the function changes nothing."""

    def __init__(self, take: Take, keys: Mapping[Place, int]) -> None:
        self.take = take
        function = inspect.unwrap(take.derived.function)
        self.cards = Cards(take.derived.derivation, function.__code__.co_filename, keys)
        self._glance: Glance | None = None

    def card(self, side: str, stage: int, row: int, run: bool) -> dict[str, Any]:
        """The card of a row. run: the reader asks for values. OptionError: there is no such row."""
        stages = max(1, len(self.take.derived.derivation.stages))
        rows = len(self.cards.places) if side == "primal" else \
            len(self.cards.text(stage).emitted.lines) if stage < stages else 0
        if row >= rows:
            raise OptionError("there is no such row")
        found = self._run(run)
        made = self.cards.primal(row, found) if side == "primal" else self.cards.derived(stage, row, found)
        if found is None and made["names"] and not unfit(self.take.options, self.take.at is not None):
            made["offer"] = self.offer
        if found is not None and found.error is not None:
            made["note"] = f"the run ended with {type(found.error).__name__}"
        return made

    def _run(self, asked: bool) -> Glance | None:
        take = self.take
        if self._glance is None and not unfit(take.options, take.at is not None) and (asked or self.is_free):
            assert take.at is not None
            function = inspect.unwrap(take.derived.function)
            names = added(take.f, take.derived.function)
            given = directions(take.derived.derivation.wrt, names, take.at)[0][1] if names else {}
            calls = Calls(take.f, take.at.args, take.at.kwargs)
            self._glance = calls(lambda *args, **kwargs: glance(function, *args, **{**kwargs, **given}))
        return self._glance

    @cached_property
    def is_free(self) -> bool:
        """A run costs nothing that anybody notices."""
        _ = self.take.view                                 # the calls that tell how long one takes
        return self.take.seconds < QUICK and not self.take.view.problem and is_clean(self.take.f)

    @cached_property
    def offer(self) -> str:
        """What is offered where a run costs something."""
        seconds = self.take.seconds * SLOWER
        how_long = f", for some {seconds:.0f} s" if seconds > 1 else ""
        return f"the derivative runs once more at these arguments{how_long}"
