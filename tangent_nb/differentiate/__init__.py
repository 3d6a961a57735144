"""Differentiate: reverse and forward mode on normal forms, by the rules of the table."""
from __future__ import annotations

from .forward import forward
from .problem import Pair, Problem
from .reverse import Adjoint, reverse
from .statement_adjoints import unhandled

__all__ = ["Adjoint", "Pair", "Problem", "forward", "reverse", "unhandled"]
