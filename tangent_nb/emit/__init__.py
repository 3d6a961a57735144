"""From trees to text, and from text to functions."""
from __future__ import annotations

from .folder import is_generated
from .link import link
from .text import emit

__all__ = ["emit", "is_generated", "link"]
