"""From trees to text, and from text to functions."""
from __future__ import annotations

from .link import link
from .text import emit

__all__ = ["emit", "link"]
