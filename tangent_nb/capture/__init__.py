"""From a function to its text: capture and parse."""
from __future__ import annotations

from .source import capture, generator_text, own_text

__all__ = ["capture", "generator_text", "own_text"]
