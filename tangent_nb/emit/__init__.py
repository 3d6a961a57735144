"""From trees to text, and from text to functions."""
from __future__ import annotations

from .folder import is_generated
from .link import derivation_at, function_at, link
from .places import running_place
from .text import emit, parsed

__all__ = ["derivation_at", "emit", "function_at", "is_generated", "link", "parsed", "running_place"]
