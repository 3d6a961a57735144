"""A quiz in an output: the widget where it lives, a table and text everywhere."""
from __future__ import annotations

from typing import Any

from .page import html
from .quiz_sheet import Sheet
from .shown import STORED, WIDGET, in_kernel
from .text import plain


class QuizShown:
    """A quiz as it stands, to be displayed. posed: where it is posed, so that an answer is not judged there."""

    def __init__(self, sheet: Sheet, *, posed: bool = False) -> None:
        self._sheet, self._posed = sheet, posed
        self._view = sheet.shown_view()

    def __repr__(self) -> str:
        return plain(self._view)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self), "text/html": str(html(self._view))}
        if in_kernel():
            from .quiz_widget import QuizWidget
            widget = QuizWidget(self._sheet, self._posed)
            bundle[WIDGET] = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
            bundle[STORED] = dict(widget.state)
        return bundle
