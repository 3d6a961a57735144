"""The original beside the residual program: result, exception and its text, what is printed,
what arguments and the world outside hold.

Verdicts: `same`; `refused`, by the derivation; `stopped`, refused when it runs; `differs`;
`false`, a claim does not hold; `crash`.
"""
from __future__ import annotations

import contextlib
import io
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import facts
from check import Checker
from machine import Machine
from values import World, difference, frozen

from tangent_nb.errors import TangentError

KINDS = ("same", "refused", "stopped", "differs", "false", "crash")


@dataclass(frozen=True)
class Verdict:
    """What became of a program. asserted: how many claims were asked of values."""

    kind: str
    message: str = ""
    asserted: int = 0


@dataclass
class Outcome:
    """All that is seen of a call."""

    value: Any = None
    error: tuple[str, str] | None = None
    printed: str = ""
    given: Any = None
    outside: dict[str, Any] = field(default_factory=dict)
    drawn: str = ""
    raised: BaseException | None = None


def outcome(fn: Callable[..., Any], args: Sequence[Any], world: World) -> Outcome:
    """Call a function, and look at everything."""
    found, printed = Outcome(), io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            found.value = frozen(fn(*args))
    except Exception as error:
        found.error, found.raised = (type(error).__name__, str(error)), error
    found.printed, found.given, found.outside, found.drawn = printed.getvalue(), frozen(list(args)), world.now(), \
        world.drawn()
    return found


def unlike(original: Outcome, other: Outcome) -> str:
    """What differs, in words; empty where nothing does."""
    if original.error != other.error:
        return f"raises {original.error}, and {other.error}"
    for what in ("value", "printed", "given", "outside", "drawn"):
        one, two = getattr(original, what), getattr(other, what)
        if isinstance(one, dict):
            one, two = [list(map(list, side.items())) for side in (one, two)]
        if found := difference(one, two):
            return f"{what}: {found}"
    return ""


def judge(fn: Any, given: Callable[[], Sequence[Any]], wrt: Sequence[int], mode: str = "reverse",
          like: Sequence[Any] | None = None) -> Verdict:
    """Derive a function as far as its normal form, run that, compare, and assert what is claimed.
    given: fresh arguments; like: those that it is derived for."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            derived = facts.derived(fn, wrt, mode, like)
        except TangentError as error:
            return Verdict("refused", str(error))
        except Exception:
            return Verdict("crash", "deriving: " + "".join(traceback.format_exc().splitlines(True)[-5:]))
        return compared(fn, derived, lambda: floated(given(), wrt))


def compared(fn: Any, derived: Any, given: Callable[[], Sequence[Any]]) -> Verdict:
    """The verdict on what a function was turned into."""
    world = World(fn)
    try:
        original = outcome(fn, given(), world)
        world.restore()
        checker = Checker(derived)
        other = outcome(Machine(derived, checker.observer, checker.watcher), given(), world)
        world.restore()
        if isinstance(other.raised, TangentError) and not isinstance(original.raised, TangentError):
            return Verdict("stopped", str(other.raised), checker.asserted)
        if found := unlike(original, other):
            return Verdict("differs", found + _trace(other), checker.asserted)
        if checker.false:
            return Verdict("false", "; ".join(checker.false[:4]), checker.asserted)
        if original.error is None:
            checker.perturbed(given, world)
        return Verdict("false" if checker.false else "same", "; ".join(checker.false[:4]), checker.asserted)
    finally:
        world.restore()


def _trace(other: Outcome) -> str:
    if other.raised is None:
        return ""
    return "\n" + "".join(traceback.format_exception(other.raised)[-4:])


def floated(args: Sequence[Any], wrt: Sequence[int]) -> list[Any]:
    """What is differentiated is a floating number."""
    return [float(one) if i in wrt and type(one) is int else one for i, one in enumerate(args)]
