"""From trees to text, and from text to functions."""
from __future__ import annotations

from .folder import is_generated, passing
from .link import derivation_at, forget, function_at, link
from .places import running_place
from .text import emit, parsed

__all__ = ["derivation_at", "emit", "forget", "function_at", "is_generated", "link", "parsed", "passing",
           "running_place"]
