"""The live view: an anywidget that shows a session, and does what its page asks.

The page gets the state as data. Raw and optimized text and all stages are in it, so that it shows them without asking.
"""
from __future__ import annotations

import weakref
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

import anywidget
import traitlets
from IPython.core.getipython import get_ipython

from ..errors import TangentError
from ..every import unfit
from ..optimise import PASSES
from . import graphs
from .editor import cell_of
from .export import exported
from .helpers import explained
from .home import INTERRUPTED, Home
from .messages import Ask, MessageError, number_of, parse, reads
from .options import OptionError
from .session import NO_EDITOR, Session
from .stepping import overview, piece
from .tokens import visible_lines
from .wire import packed

STATIC = Path(__file__).parent.parent / "static"
BEHIND = 0.25                                      # seconds after which what comes was asked after an interrupt


class DerivativeWidget(anywidget.AnyWidget):
    """state: see js/src/state.ts; only the kernel writes it."""

    _esm = STATIC / "widget.js"
    _css = STATIC / "widget.css"
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, session: Session) -> None:
        self.session = session
        self._home = Home()
        self._interrupted = -inf                           # when
        super().__init__(state=packed(session.state()))
        session.forgotten = lambda: self.send({"kind": "forgotten"})
        self.on_msg(self._asked)
        watch(self)

    def refresh(self) -> None:
        """Tell the page what is so now."""
        self.state = packed(self.session.state())

    def check(self) -> None:
        """A cell has run: tell the page if the derivative has become stale, is not bound any more, or has been served
        by another text."""
        session, state = self.session, self.state
        session.ran(stale := session.stale())
        if (stale, session.name_now(), session.texts()) != (state["stale"], state["bound"], state["texts"]):
            self.refresh()

    def _asked(self, _: Any, content: Any, buffers: Any) -> None:
        if reads(content):
            self._answer(content)
        else:
            self._home.do(lambda: self._answer(content))

    def _answer(self, content: Any) -> None:
        try:
            self._do(content)
        except (MessageError, OptionError, TangentError) as error:
            self.send({"kind": "failed", "id": number_of(content), "text": visible_lines(str(error))})
        except KeyboardInterrupt:
            self._interrupted = perf_counter()
            self.send({"kind": "failed", "id": number_of(content), "text": INTERRUPTED})
        except Exception as error:                 # the page waits for an answer, whatever happens
            self.send({"kind": "failed", "id": number_of(content),
                       "text": visible_lines(f"{type(error).__name__}: {error}"[:2000])})

    def _do(self, content: Any) -> None:
        session = self.session
        fit = [name for name, reason in unfit(session.take.f, session.take.given).items() if not reason]
        ask = parse(content, fit, PASSES)
        if ask.kind == "export":
            self.send({"kind": "exported", "id": ask.id, "html": exported(session)})
            return
        if ask.kind == "take":
            self.send({"kind": "taken", "id": ask.id, "text": session.taken()})
            return
        if ask.kind == "helper":
            self.send({"kind": "helper", "id": ask.id, "helper": explained(ask.name)})
            return
        if ask.line is not None:
            self.send({"kind": "card", "id": ask.id, "card": session.card(*ask.line)})
            return
        if ask.kind == "step":
            self.send({"kind": "stepped", "id": ask.id, "overview": overview(session.recording(), session.keys)})
            return
        if ask.kind == "moments":
            self.send({"kind": "moments", "id": ask.id, "moments": piece(session.recording(), ask.piece)})
            return
        if ask.kind in ("text", "other"):
            other = session.put_beside(ask.choice if ask.choice is not None else ask.piece)
            self.send({"kind": "beside", "id": ask.id, "state": packed(other)})
            return
        if ask.kind == "measure":
            self.send({"kind": "measured", "id": ask.id, "figures": session.figures()})
            return
        if ask.kind in ("edit", "draft", "apply"):
            self._edit(ask)
            return
        if ask.kind in ("costs", "graph", "tape"):
            self.send({"kind": ask.kind, "id": ask.id, "found": session.measured(ask.kind)})
            return
        if ask.kind == "fold":
            self.send({"kind": "graph", "id": ask.id, "found": graphs.partly(session.measured("graph"), ask.calls)})
            return
        if ask.kind == "spread":
            self.send({"kind": "spread", "id": ask.id, "found": session.spread(ask.text)})
            return
        if ask.kind == "prepare" and ask.choice is not None:
            state = session.prepare(ask.choice, whole=ask.whole)
            self.send({"kind": "done", "id": ask.id} if state is None else
                      {"kind": "prepared", "id": ask.id, "state": packed(state)})
            return
        if perf_counter() - self._interrupted < BEHIND:    # a click asks for a glance first, and this stood behind it
            raise KeyboardInterrupt
        if ask.choice is not None:
            session.choose(ask.choice)
        elif ask.kind == "again":
            session.again()
        else:
            session.use()
        self.refresh()
        self.send({"kind": "done", "id": ask.id})

    def _edit(self, ask: Ask) -> None:
        editor = self.session.editor
        if editor is None or editor.reason:
            raise OptionError(NO_EDITOR if editor is None else editor.reason)
        if ask.kind == "edit":
            self.send({"kind": "editor", "id": ask.id, **editor.opened()}, [(STATIC / "editor.js").read_bytes()])
        elif ask.kind == "draft":
            self.send({"kind": "draft", "id": ask.id, "draft": editor.draft(self.session, ask.text)})
        else:
            answer = editor.apply(self.session, ask.text)
            self.refresh()
            _check_all(None)
            self.send({"kind": "applied", "id": ask.id, **answer})


_LIVE: weakref.WeakSet[Any] = weakref.WeakSet()
_BY_CELL: dict[str, list[Any]] = {}
_WATCHED: weakref.WeakSet[Any] = weakref.WeakSet()


def watch(widget: Any) -> None:
    """Look after each cell whether the widget is still true; close those of a cell that runs again."""
    _LIVE.add(widget)
    shell = get_ipython()
    if shell is None:
        return
    if shell not in _WATCHED:
        _WATCHED.add(shell)
        shell.events.register("pre_run_cell", _close_those_of)
        shell.events.register("post_run_cell", _check_all)
    _BY_CELL.setdefault(cell_of(shell), []).append(widget)


def _close_those_of(info: Any) -> None:
    for widget in _BY_CELL.pop(str(getattr(info, "cell_id", None) or ""), []):
        widget.close()
        _LIVE.discard(widget)


def _check_all(result: Any) -> None:
    for widget in list(_LIVE):
        widget.check()
