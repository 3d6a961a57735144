"""`--tape sampled:0.1`: a sampled tape as it is written on a magic's line, and as the page writes it."""
from __future__ import annotations

import ast
from dataclasses import fields
from typing import Any

from ..errors import TangentError
from ..runtime.sampled import Sampled

EXAMPLE = "--tape sampled:0.1, or --tape sampled:k=30,method=rademacher,seed=0"
WHERE = "a sampled tape is for reverse mode on NumPy or JAX"


def parse_tape(text: str | None) -> Sampled | None:
    """The tape that a text asks for; ValueError where it is none.

    >>> parse_tape("sampled:0.1,share=none") == Sampled(0.1, share="none")
    True
    """
    if text is None:
        return None
    kind, _, rest = text.partition(":")
    if kind.strip() != "sampled":
        raise ValueError(f"the tape is sampled, not {kind.strip()!r}: {EXAMPLE}")
    given: dict[str, Any] = {}
    known = [one.name for one in fields(Sampled)]
    for part in filter(None, (one.strip() for one in rest.split(","))):
        name, equal, value = (one.strip() for one in part.partition("="))
        name, value = (name, value) if equal else ("fraction", name)
        if name not in known or name in given:
            raise ValueError(f"a sampled tape has {', '.join(known)}, each once, not {part!r}: {EXAMPLE}")
        given[name] = _value(value)
    try:
        return Sampled(**given)
    except TangentError as error:
        raise ValueError(str(error)) from None


def written(tape: Sampled | None) -> str:
    """The text that asks for a tape, the same for the same tape; "" for an exact one.

    >>> written(Sampled(0.10, method="rademacher", seed=0)), written(Sampled(k=3)), written(None)
    ('sampled:0.1,method=rademacher,seed=0', 'sampled:k=3', '')
    """
    if tape is None:
        return ""
    usual = {one.name: one.default for one in fields(Sampled)}
    given = [(one.name, getattr(tape, one.name)) for one in fields(Sampled)]
    parts = [f"{value:.12g}" if name == "fraction" else f"{name}={value[0] if name == 'at' else value}"
             for name, value in given if value != usual[name]]
    return "sampled:" + ",".join(parts)


def same_tape(text: str) -> str:
    """The text in the form of `written`, "" as it is; ValueError where it asks for no tape.

    >>> same_tape("sampled: fraction=0.50, share=batch")
    'sampled:0.5'
    """
    return written(parse_tape(text)) if text else ""


def _value(text: str) -> Any:
    """A number or truth value; else the text, whatever it is."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
