"""Which functions are followed when a derivative runs: those of its text, and those of the user's that they call."""
from __future__ import annotations

import ast
import inspect
import os
import sysconfig
import types
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ..capture.find import NoTextError
from ..capture.find import find as text_of
from ..runtime.for_calls import made_for
from ..syntax.program import Derivation, Emitted
from .origins import Origins
from .statements import Lines, of_function
from .stepper import Activation

OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = tuple(sysconfig.get_paths()[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))


def make_text(known: Derivation, df: Callable[..., Any], args: Sequence[Any],
              kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    """Let the text be made that serves a call, where it is not there: what makes it is not followed. The function that
    has it; None where the derivative's own text serves the call."""
    if known.beside is None or not known.beside.asked:
        return None
    with suppress(TypeError):                              # the call raises it
        bound = inspect.signature(df).bind(*args, **kwargs)
        bound.apply_defaults()
        return made_for(known.beside, *[bound.arguments[name] for name in known.beside.parameters])
    return None


class Texts:
    """Which functions are followed: those of the derivative's text, and those of the user's that they call."""

    def __init__(self, origins: Origins) -> None:
        self.origins = origins
        self.known: dict[types.CodeType, Lines | None] = {}

    def follow(self, frame: types.FrameType, caller: Activation | None) -> Lines | None:
        """The statements of a frame by line, None where it is passed over."""
        code = frame.f_code
        if _is_comprehension(code):
            return None
        if self.origins.text(code.co_filename) is None and (
                caller is None or _calling(frame) is not caller.frame or _is_library(code.co_filename)):
            return None
        if code not in self.known:
            self.known[code] = self._lines(code, frame.f_globals)
        return self.known[code]

    def _lines(self, code: types.CodeType, scope: dict[str, Any]) -> Lines | None:
        if (emitted := self.origins.text(code.co_filename)) is not None:
            return statements_of(emitted, code)
        try:
            _, definition = text_of(code, scope)
        except NoTextError:
            return None
        return of_function(definition.node) if isinstance(definition.node, (ast.FunctionDef, ast.Lambda)) else None


def statements_of(emitted: Emitted, code: types.CodeType) -> Lines | None:
    """The statements, by line, of the function of a text that has this code."""
    return next((of_function(node) for node in ast.parse(emitted.text).body
                 if isinstance(node, ast.FunctionDef) and node.lineno == code.co_firstlineno), None)


def _is_comprehension(code: types.CodeType) -> bool:
    """Code that is a part of a line of other code (until Python 3.12 inlines it there)."""
    return code.co_name.startswith("<") and code.co_name != "<lambda>"


def _calling(frame: types.FrameType) -> types.FrameType | None:
    """The frame of the function whose line calls."""
    back = frame.f_back
    while back is not None and _is_comprehension(back.f_code):
        back = back.f_back
    return back


def _is_library(filename: str) -> bool:
    """Code that is not the user's: the standard library, what was installed, and this package."""
    return filename.startswith(("<frozen", *(path + os.sep for path in (*LIBRARIES, OURS))))
