"""The live view of a quiz: points, verdicts, and buttons that ask for a hint or a solution.

Nothing of the derivative is in its state but what was asked for: hints and solutions are made by the kernel then.
"""
from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from ..errors import TangentError
from .home import INTERRUPTED
from .messages import LONGEST, MessageError, number_of
from .options import OptionError
from .quiz_report import words
from .quiz_sheet import Sheet
from .state import table_state
from .tokens import visible, visible_lines
from .widget import STATIC, watch

VERSION = 1
KINDS = ("hint", "show")


class QuizWidget(anywidget.AnyWidget):
    """state: see js/src/quiz_state.ts; only the kernel writes it. Below an answer it is that of this answer: when a
    newer one is given, it stays as it is, and says so."""

    _esm = STATIC / "quiz.js"
    _css = STATIC / "widget.css"
    state = traitlets.Dict().tag(sync=True)

    def __init__(self, sheet: Sheet, posed: bool = False) -> None:
        self.sheet, self.posed, self.answer = sheet, posed, sheet.answers
        super().__init__(state=state_of(sheet, posed))
        sheet.widgets.add(self)
        self.on_msg(self._asked)
        watch(self)

    def refresh(self) -> None:
        """Tell the page what is so now."""
        self.state = {**self.state, "newer": self.newer} if self.newer else state_of(self.sheet, self.posed)

    @property
    def newer(self) -> str:
        """What is said below an answer that does not count any more; empty while it does."""
        if self.posed or self.answer == self.sheet.answers:
            return ""
        return visible(f"a newer answer, {self.sheet.attempt}, has been given: that one counts")

    def check(self) -> None:
        """A cell has run; what it may have changed the quiz tells itself."""

    def _asked(self, _: Any, content: Any, buffers: Any) -> None:
        try:
            if self.newer:
                raise OptionError(self.newer)
            kind, name = _parsed(content, [*self.sheet.marks])
            said = self.sheet.hint(name) if kind == "hint" else self.sheet.show(name)
            self.sheet.refresh()
            self.send({"kind": "done", "id": number_of(content), "text": visible_lines(said)})
        except (MessageError, OptionError, TangentError) as error:
            self.send({"kind": "failed", "id": number_of(content), "text": visible_lines(str(error))})
        except KeyboardInterrupt:
            self.send({"kind": "failed", "id": number_of(content), "text": INTERRUPTED})
        except Exception as error:                 # the page waits for an answer, whatever happens
            self.send({"kind": "failed", "id": number_of(content),
                       "text": visible_lines(f"{type(error).__name__}: {error}"[:2000])})


def _parsed(content: Any, names: list[str]) -> tuple[str, str]:
    """What is asked, and of which blank; MessageError for anything else.

    >>> _parsed({"kind": "hint", "id": 3, "name": "bx"}, ["bx"])
    ('hint', 'bx')
    """
    if type(content) is not dict or set(content) != {"kind", "id", "name"} or number_of(content) is None:
        raise MessageError("a message has a kind, a number and a name")
    kind, name = content["kind"], content["name"]
    if type(kind) is not str or kind not in KINDS:
        raise MessageError("no such kind of message")
    if type(name) is not str or len(name) > LONGEST or name not in names:
        raise MessageError("no such blank")
    return kind, name


def state_of(sheet: Sheet, posed: bool = False) -> dict[str, Any]:
    """What the page draws. Hints and solutions that were not asked for are not in it. posed: where the quiz is posed,
    without what is wrong with an answer."""
    report, view = sheet.report, None if posed else sheet.view
    problem = "" if view is None or any(one.says == view.problem for one in report) else view.problem
    return {
        "version": VERSION,
        "kind": "quiz",
        "newer": "",
        "name": visible(report.quiz if posed else report.attempt),
        "title": visible("quiz on its backward pass" if posed else f"backward pass of {sheet.f.__name__}"),
        "points": report.points,
        "possible": report.possible,
        "cost": report.hint_cost,
        "solutions": report.solutions,
        "places": report.places,
        "blanks": [{"name": visible(one.name), "of": visible(one.of), "line": one.line, "verdict": one.verdict,
                    "words": visible(words(one)), "says": visible_lines("" if posed else one.says),
                    "points": one.points, "possible": one.possible, "tries": one.tries, "right": one.is_right,
                    "spent": one.name in sheet.spent,
                    "hints": [visible_lines(hint) for hint in sheet.hints.get(one.name, ())],
                    "solution": visible_lines(sheet.shown.get(one.name, ""))} for one in report],
        "tables": [] if view is None else [table_state(table) for table in view.tables],
        "notes": [visible(note) for note in ([sheet.costs] if posed else [] if view is None else view.notes)],
        "problem": visible_lines(problem),
    }
