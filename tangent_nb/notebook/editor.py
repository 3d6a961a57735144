"""The kernel's side of the editor: what is written is derived while it is written, and runs when it is applied, not
before."""
from __future__ import annotations

import re
import sys
import types
from inspect import signature
from typing import Any

from IPython.utils.capture import capture_output

from ..errors import TangentError
from .derive import derive
from .draft import Drafts, Source, lines_of
from .home import interruptible
from .options import OptionError
from .session import Session
from .target import defined
from .tokens import visible_lines

LONGEST = 20_000                                   # characters that are shown of what a cell puts out
ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


class Editor:
    """The editor of one widget. source: what it edits, or why it cannot. cell: that shows the widget, as the front
    end names it."""

    def __init__(self, shell: Any, source: Source | str) -> None:
        self.shell = shell
        self.reason = source if isinstance(source, str) else ""
        self._source = None if isinstance(source, str) else source
        self.cell = cell_of(shell)
        self._drafts = Drafts(shell)
        self._follows = ""                         # the name of what is derived

    @property
    def source(self) -> Source:
        """The text that was run last."""
        if self._source is None:
            raise OptionError(self.reason)
        return self._source

    def opened(self) -> dict[str, Any]:
        """What the page begins with: the text, the number of its first line, what stands above it in its cell, and the
        front end's name for that ("" where the text is not the rest of the cell)."""
        source = self.source
        return {"text": source.text, "first": source.first,
                "head": [] if source.place.raw is None else list(source.place.above),
                "cell": "" if source.place.raw is None else self.cell}

    def draft(self, session: Session, text: str) -> dict[str, Any]:
        """The derivative of a text of which nothing runs, or why there is none."""
        return self._drafts.derive(self.source.edited(text), session.take.options, session.take.at)

    def apply(self, session: Session, text: str) -> dict[str, Any]:
        """Run the text as its cell would, and derive the function that it defines. What it has put out, and whether it
        has failed. Where the function is defined and its derivative is refused, `session.refusal` says so."""
        source = self.source.edited(text)
        failed = ""
        with capture_output() as seen, interruptible():
            try:
                f = defined(self.shell, text, source.function, source.place)
                _fits(f, session)
                self._source, self._follows = source, f.__name__
                session.follow(lambda: self.shell.user_ns.get(self._follows))
                if session.refusal:
                    self._refused(session)
                else:
                    _ = session.take.view          # it runs where there are arguments
            except BaseException as error:         # also the user's exit(), and an interrupt
                failed = _traceback(self.shell, error).lstrip("-\n")
        shown = [str(output.data.get("text/plain", "")) for output in seen.outputs]
        put_out = "\n".join(part.rstrip("\n") for part in [seen.stdout, seen.stderr, *shown, failed] if part.strip())
        derivation = session.take.derived.derivation
        lines = [] if failed or session.refusal else lines_of(derivation, derivation.primal.source.filename, source)
        return {"failed": bool(failed), "text": visible_lines(ANSI.sub("", put_out)[-LONGEST:]), "lines": lines}

    def _refused(self, session: Session) -> None:
        """The function is defined, and the derivative that is shown is that of before."""
        name, known = self._follows, session.take.f.__name__
        remedy = ""
        if session.refusal.startswith("--at: "):
            wanted = ", ".join(signature(session.take.f).parameters)
            remedy = f"\ninstead: give {name} the parameters of before ({wanted}), or run the cell with another --at"
        session.refusal = f"{name} is defined, its derivative is not: {session.refusal}{remedy}"
        self._follows = known                      # of which the derivative still may be true


def _fits(f: Any, session: Session) -> None:
    """OptionError for what a decorator has made of a function, if it cannot be derived."""
    if isinstance(f, types.FunctionType):
        return
    try:
        derive(f, session.take.options)
    except TangentError as error:
        raise OptionError(str(error)) from error
    if not hasattr(f, "__name__"):
        raise OptionError(f"it is no function, but a value of type {type(f).__name__}")


def _traceback(shell: Any, error: BaseException) -> str:
    """The traceback as the shell would show it; `%debug` finds it."""
    if isinstance(error, OptionError):
        return str(error)
    try:
        if isinstance(error, SyntaxError):
            return ANSI.sub("", "\n".join(shell.SyntaxTB.structured_traceback(type(error), error, [])))
        sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
        render = getattr(error, "_render_traceback_", None)
        return ANSI.sub("", "\n".join(render() if callable(render) else shell.InteractiveTB.structured_traceback(
            type(error), error, error.__traceback__, tb_offset=0)))
    except Exception:                              # a traceback that cannot be written
        return f"{type(error).__name__}: {error}"


def cell_of(shell: Any) -> str:
    """The front end's name for the cell that runs; empty where it gives none."""
    try:
        return str(shell.get_parent()["metadata"]["cellId"])
    except (AttributeError, KeyError, TypeError):
        return ""
