"""The texts of a derivative, each with what it is for: a specialized one,
and the general one that it passes other arguments to.

Needs the text of all functions. Promises of each text the functions that it calls too.

    def df_dx(x): …        →      {"x: float": "def df_dx(x): …", "general": "def _df_dx_general(x): …"}
    def _df_dx_general(x): …
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..runtime.fits import each_of
from ..runtime.for_calls import Made
from ..syntax.closure import closure
from ..syntax.program import Emitted
from .dress import made_as
from .request import Request

WORDS = re.compile(r"\w+")


def versions(emitted: Emitted, special: str, general: str, request: Request) -> dict[str, str]:
    """The texts, by what they are for."""
    blocks = emitted.text.rstrip("\n").split("\n\n\n")
    texts = dict(zip(emitted.functions, blocks, strict=True))
    words = {name: set(WORDS.findall(text)) & texts.keys() for name, text in texts.items()}

    def text(first: str, other: str) -> str:
        called = closure({first}, lambda found: set().union(*(words[name] - {other} for name in found)))
        return "\n\n\n".join(texts[name] for name in texts if name in called) + "\n"

    return {signature(request): text(special, general), "general": text(general, special)}


def signature(request: Request) -> str:
    """What a specialized text is for, in words: `x: f8[n, 3], m: Model`."""
    kinds = made_as([spec for _, spec in request.like])
    return _described((*request.structures, *zip([name for name, _ in request.like], kinds, strict=True)))


def described(made: Made) -> str:
    """What a text is for, in words."""
    return _described((*made.structures, *zip(made.numbers, each_of(made.sizes), strict=True)))


def _described(made: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}: {kind}" for name, kind in dict(made).items()) or "any arguments"
