"""Every error that tangent_nb raises: what, where, why, and what to write instead."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .syntax.program import Span

MOST = 20


class TangentError(Exception):
    """The root of every error raised by tangent_nb."""


@dataclass(frozen=True)
class Refusal:
    """One place that is not differentiated: where (None for the whole function), why, and the remedy."""

    span: Span | None
    why: str
    remedy: str = ""


class RefusedError(TangentError):
    """A function, or a call of its derivative, that tangent_nb refuses rather than risk a wrong number.

    `refusals` holds every place, in the order of the text.
    """

    def __init__(self, name: str, refusals: Sequence[Refusal]) -> None:
        self.name = name
        self.refusals = tuple(refusals)
        super().__init__(render(name, self.refusals))


class ArgumentError(TangentError, TypeError):
    """An argument or a result that a derivative cannot take: found when it is called, before any number is returned."""


def render(name: str, refusals: Sequence[Refusal]) -> str:
    """The whole message: each place with its line, a caret, the reason and the remedy."""
    raise NotImplementedError
