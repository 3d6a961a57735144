"""Normalise: one way out of every function, and every differentiable operation on its own."""
from __future__ import annotations

from .exits import single_exit
from .lower import Lowering

__all__ = ["Lowering", "single_exit"]
