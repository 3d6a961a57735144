"""`%grad_break f 4`: the debugger opens in the backward pass of a line of the user's.

Needs a shell and a line of a function. Promises that every derivative which runs backward code of that line in a cell
stops there, whichever text serves the call: those of `f`, and of functions that call it. Nothing is traced in cells
before a place is given, and none is after all are cleared.
"""
from __future__ import annotations

import argparse
import ast
import bdb
import inspect
import sys
import textwrap
import types
from collections.abc import Sequence
from typing import Any

from ..emit import derivation_at
from ..syntax.program import Derivation
from . import target as target_
from .lines import Place, links_of
from .options import OptionError, empty_parser, read
from .tokens import visible

HELP = """\
Open the debugger in the backward pass of a line, wherever a derivative runs it.

    %grad_break f 4           stops before the adjoint of line 4 of f; its number as %%grad shows it
    %grad_break               lists the places
    %grad_break --clear       forgets them

At the debugger's prompt `n` goes to the next line, `c` to the next stop, `p bh` prints, `q` ends.

"""
BACKWARD = ("backward", "inserted")


class Breaks:
    """The places of one shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.places: dict[Place, str] = {}
        self.debugger: Any = None                          # while a cell runs
        self.lines: dict[types.CodeType, frozenset[int]] = {}

    def __call__(self, line: str, cell: str | None) -> None:
        """Run the magic."""
        given = read(line, _parser())
        if given.clear:
            self.places.clear()
        elif given.f is not None:
            if given.line is None:
                raise OptionError("give a line of the function: %grad_break f 4")
            place, text = _place(target_.existing(self.shell, given.f, "%grad_break f 4"), given.line)
            self.places[place] = text
        self.lines.clear()
        print("\n".join(f"stops in the backward pass of {text}" for text in self.places.values()) or "stops nowhere")

    def begin(self, *_: Any) -> None:
        """Before a cell: trace what it calls, unless something else does so already."""
        self.lines.clear()
        self.debugger = None
        if self.places and sys.gettrace() is not None:
            print("%grad_break: another debugger, or a profiler, traces this cell. Switch it off, or set a breakpoint "
                  "there", file=sys.stderr)
        elif self.places:
            self.debugger = _debugger(self.shell.debugger_cls, self)
            sys.settrace(self._follow)

    def end(self, *_: Any) -> None:
        """After a cell."""
        if self.debugger is not None:
            sys.settrace(None)
            self.debugger = None

    def _follow(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """A call of what has no stops costs a look into a table."""
        return self.debugger.trace_dispatch(frame, event, arg) if self.lines_of(frame.f_code) else None

    def lines_of(self, code: types.CodeType) -> frozenset[int]:
        """The lines of a generated function at which it stops: the first of each run of lines of one place."""
        if code not in self.lines:
            derivation = derivation_at(code)
            self.lines[code] = frozenset() if derivation is None else self._stops(derivation)
        return self.lines[code]

    def _stops(self, derivation: Derivation) -> frozenset[int]:
        links = links_of(derivation.emitted)
        code = [line for line in derivation.emitted.lines if line.role not in ("comment", "blank")]
        meant = [line.role in BACKWARD and not self.places.keys().isdisjoint(links[line.number]) for line in code]
        return frozenset(line.number for line, one, before in zip(code, meant, [False, *meant]) if one and not before)


def _debugger(base: Any, breaks: Breaks) -> Any:
    """A debugger of the shell's own class that stops at the places."""
    class Debugger(base):
        """Asks for each frame, since texts for arguments are made when they are called."""

        def break_anywhere(self, frame: types.FrameType) -> bool:
            return bool(breaks.lines_of(frame.f_code)) or bool(bdb.Bdb.break_anywhere(self, frame))

        def break_here(self, frame: types.FrameType) -> bool:
            return frame.f_lineno in breaks.lines_of(frame.f_code) or bool(bdb.Bdb.break_here(self, frame))

        def set_continue(self) -> None:
            self._set_stopinfo(self.botframe, None, -1)    # and goes on tracing: there are places yet

    made = Debugger()
    made.reset()
    made.botframe = sys._getframe(2)
    made.set_continue()
    return made


def _place(f: Any, number: int) -> tuple[Place, str]:
    """A line of a function, or of the one that a derivative is of, as it is shown."""
    derivation = getattr(f, "__tangent_nb__", None)
    f = derivation.primal.fn if isinstance(derivation, Derivation) else inspect.unwrap(getattr(f, "__func__", f))
    if not isinstance(f, types.FunctionType):
        raise OptionError(f"%grad_break takes a function of yours, or a derivative of one, not {visible(repr(f))[:60]}")
    try:
        lines, first = inspect.getsourcelines(f)
    except (OSError, TypeError) as error:
        raise OptionError(f"%grad_break takes a function whose text is known: {error}") from error
    name = f.__name__
    if not first <= number < first + len(lines):
        raise OptionError(f"{name} is lines {first} to {first + len(lines) - 1}: there is no line {number} in it")
    if number not in _code(lines, first):
        raise OptionError(f"line {number} of {name} computes nothing: {visible(lines[number - first].strip())}")
    return (f.__code__.co_filename, number), f"line {number} of {name}: {visible(lines[number - first].strip())}"


def _code(lines: Sequence[str], first: int) -> set[int]:
    """The lines of a function's text that belong to statements in it, but for its docstring."""
    try:
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except SyntaxError:                                    # a lambda in an expression
        return set(range(first, first + len(lines)))
    top = next((node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))), None)
    body = top.body if isinstance(top, ast.FunctionDef) else tree.body
    said = [isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in body]
    return {number + first - 1 for one, constant in zip(body, said) if not constant
            for number in range(one.lineno, (one.end_lineno or one.lineno) + 1)
            if not lines[number - 1].lstrip().startswith("#")}


def _parser() -> argparse.ArgumentParser:
    result = empty_parser("%grad_break")
    result.add_argument("f", nargs="?", metavar="f", help="a function, or a derivative of it")
    result.add_argument("line", nargs="?", type=int, metavar="line", help="the number of a line, as it is shown")
    result.add_argument("--clear", action="store_true", help="forget all places")
    return result


def register(shell: Any) -> None:
    """Give a shell the magic."""
    breaks = Breaks(shell)
    target_.register(shell, "grad_break", "line", breaks, HELP, _parser())
    shell.events.register("pre_run_cell", breaks.begin)
    shell.events.register("post_run_cell", breaks.end)
