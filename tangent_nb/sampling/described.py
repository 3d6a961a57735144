"""What `explain` says of a sampled tape: what is sampled, and what is kept exactly, and why."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..syntax.building import origin_of
from .plan import HELD, Plan


def described(plan: Plan, texts: int) -> Mapping[str, str]:
    """What `explain` says of the tape. texts: how many functions the user calls: the first, and for other arguments
    than its own the others."""
    def line(place: Any, stmt: Any) -> str:
        origin = origin_of(stmt)
        one: Any = next(iter(origin), None) if isinstance(origin, tuple) else origin
        return plan.name(place) + (f" (line {one.span.line})" if one is not None else "")

    def listed(others: bool) -> tuple[str, str]:
        sampled = [line(place, plan.sites[place][0].stmt) for place in plan.samples if (0 < place[0] < texts) is others]
        exact = [f"{line(place, stmt)}: {why}" for place, (why, stmt) in plan.exact.items()
                 if not why.endswith(HELD) and (0 < place[0] < texts) is others]
        return ", ".join(dict.fromkeys(sampled)), "; ".join(dict.fromkeys(exact))

    return told(listed(False), listed(True), texts)


def told(own: tuple[str, str], others: tuple[str, str], texts: int) -> dict[str, str]:
    """What is sampled and what is kept exactly, in the text for the arguments, and in that for others where that has
    something else."""
    found = {"sampled": own[0] or ("nothing" if texts > 1 else ""), "kept exactly": own[1]}
    if texts > 1 and others != own:
        found.update({"sampled for other arguments": others[0], "kept exactly for these": others[1]})
    return found
