"""The kernel's side of the editor: what is written is derived while it is written, and runs when it is applied, not
before."""
from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from IPython.utils.capture import capture_output

from .draft import Drafts, Source, lines_of
from .options import OptionError
from .session import Session
from .target import defined
from .tokens import visible_lines

LONGEST = 20_000                                   # characters that are shown of what a cell puts out
ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


class Editor:
    """The editor of one widget. source: what it edits, or why it cannot."""

    def __init__(self, shell: Any, source: Source | str) -> None:
        self.shell = shell
        self.reason = source if isinstance(source, str) else ""
        self._source = None if isinstance(source, str) else source
        self._cell = cell_of(shell)
        self._drafts = Drafts(shell)

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
                "cell": "" if source.place.raw is None else self._cell}

    def draft(self, session: Session, text: str) -> dict[str, Any]:
        """The derivative of a text of which nothing runs, or why there is none."""
        return self._drafts.derive(self.source.edited(text), session.take.options, session.take.at)

    def apply(self, session: Session, text: str) -> dict[str, Any]:
        """Run the text as its cell would, and derive the function that it defines. What it has put out, and whether it
        has failed."""
        source = self.source.edited(text)
        failed = ""
        with capture_output() as seen, _interruptible():
            try:
                f = defined(self.shell, text, source.function, source.place)
                name = f.__name__
                self._source = source
                session.follow(lambda: self.shell.user_ns.get(name))
                _ = session.take.view              # it runs where there are arguments
            except BaseException as error:         # also the user's exit(), and an interrupt
                failed = _traceback(self.shell, error).lstrip("-\n")
        shown = [str(output.data.get("text/plain", "")) for output in seen.outputs]
        put_out = "\n".join(part.rstrip("\n") for part in [seen.stdout, seen.stderr, *shown, failed] if part.strip())
        derivation = session.take.derived.derivation
        lines = [] if failed else lines_of(derivation, derivation.primal.source.filename, source)
        return {"failed": bool(failed), "text": visible_lines(ANSI.sub("", put_out)[-LONGEST:]), "lines": lines}


@contextmanager
def _interruptible() -> Iterator[None]:
    """Between cells a kernel takes no notice of an interrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
