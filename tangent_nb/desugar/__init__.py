"""Desugar: Python as people write it, in the words of the core language that is differentiated."""
from __future__ import annotations

from .entry import entry
from .reader import Reader

__all__ = ["Reader", "entry"]
