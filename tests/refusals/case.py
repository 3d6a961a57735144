"""What a case is: a program, the whole message that refuses it, and the program as the message says it should be."""
from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

REVERSE, FORWARD = "reverse", "forward"
# the texts for all arguments: those for the arguments of a call may be right where these refuse
DERIVE: Mapping[str, Callable[..., Any]] = {REVERSE: partial(tnb.grad, optimized=tnb.PASSES),
                                            FORWARD: partial(tnb.jvp, optimized=tnb.PASSES)}


@dataclass(frozen=True)
class Case:
    """A program that defines `f` (`np` and `tnb` are there), and the message that refuses it;
    "cell 1" stands for where the text is.

    By itself it is refused when `tnb.grad(f)` and `tnb.jvp(f)` are asked for, with the same words.

    typed: the program as the remedy says it; none where there is little to type.
    It is derived, and compared with differences.
    modes: those in which the message is raised.
    wrt, keywords: of the call of grad or jvp, as `keywords={"backend": "jax"}`.
    derive: what is done with `f` instead of grad and jvp.
    at: the arguments (in forward mode followed by tangents of ones) at which the derivative raises the message when it
    is called;
        None where it is raised before.
    typed_at: the arguments at which the program that was typed is judged, by its first one.
    after: what is run between deriving and calling, in the program's own namespace.
    kink: what was typed is constant on one side of the point (`int(x)`): compared with a difference to the other side.
    """

    name: str
    program: str
    message: str
    typed: str = ""
    modes: tuple[str, ...] = (REVERSE, FORWARD)
    wrt: Any = 0
    keywords: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    derive: Callable[[Any], Any] | None = None
    at: tuple[Any, ...] | None = None
    typed_at: tuple[Any, ...] = (2.0,)
    after: str = ""
    kink: bool = False


def run(program: str) -> dict[str, Any]:
    """The namespace of a program that has run, with its text in reach."""
    return sourced(program, {"np": np, "tnb": tnb, "__name__": "case"})


def shown(error: TangentError) -> str:
    """The message, without the numbers that pytest's own texts get."""
    return re.sub(r"\btext \d+\b", "cell 1", str(error))
