"""Differentiate: reverse and forward mode on normal forms, by the rules of the table."""
from __future__ import annotations

from .forward import forward
from .problem import Pair, Problem, Start
from .reverse import Adjoint, reverse
from .zeros import Zeros

__all__ = ["Adjoint", "Pair", "Problem", "Start", "Zeros", "forward", "reverse"]
