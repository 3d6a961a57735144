"""The notebook: `%%grad`, `%grad`, `%grad_break`, `%%quiz`, `quiz_report`, `show`. All that imports IPython."""
from __future__ import annotations

import weakref
from typing import Any

from ..tracing import Recording
from . import breaks, complete, magic, quiz, whereabouts
from .quiz import quiz_report
from .shown import Shown, bundle_of, show

__all__ = ["Shown", "load_ipython_extension", "quiz_report", "show"]

_LOADED: weakref.WeakSet[Any] = weakref.WeakSet()


def load_ipython_extension(ip: Any) -> None:
    """What `%load_ext tangent_nb` does."""
    if ip in _LOADED:
        return
    _LOADED.add(ip)
    magic.register(ip)
    quiz.register(ip)
    complete.register(ip)
    breaks.register(ip)
    whereabouts.register(ip)
    ip.display_formatter.mimebundle_formatter.for_type(Recording, bundle_of)
