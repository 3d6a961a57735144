"""After an error in generated code: which of the user's lines the generated line belongs to."""
from __future__ import annotations

import sys
import traceback
from typing import Any

from ..emit import derivation_at
from ..syntax.program import Derivation, Origin
from .tokens import visible

SWEEPS = {"forward": "forward code", "backward": "backward code", "inserted": "inserted code", "guard": "a check",
          "return": "the return", "signature": "the head"}


def whereabouts(error: BaseException) -> str:
    """For an error that came through a derivative, the innermost of its lines and the user's line;
    empty for all others."""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        derivation = derivation_at(frame.f_code)
        if derivation is not None:
            return _told(derivation, frame.f_code.co_name, number)
    return ""


def _told(derivation: Derivation, name: str, number: int) -> str:
    emitted = derivation.emitted
    line = next((line for line in emitted.lines if line.number == number), None)
    text = emitted.text.split("\n")[number - 1].strip()
    said = \
        f"line {number} of {name}, {visible(text)}, is {SWEEPS.get(line.role, 'code') if line is not None else 'code'}"
    origins = [origin for origin in line.origins if origin is not None] if line is not None else []
    return "\n".join([said + (" of" if origins else ""), *map(_place, origins)])


def _place(origin: Origin) -> str:
    return f"  {visible(origin.span.source.label)}, line {origin.span.line}: {visible(origin.text)}"


def register(shell: Any) -> None:
    """Say it after the traceback of every cell that fails so."""
    def tell(result: Any) -> None:
        error = getattr(result, "error_in_exec", None)
        told = whereabouts(error) if isinstance(error, BaseException) else ""
        if told:
            print(told, file=sys.stderr)

    shell.events.register("post_run_cell", tell)
