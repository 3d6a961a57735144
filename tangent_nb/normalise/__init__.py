"""Normalise: one way out of every function, and every differentiable operation on its own."""
from __future__ import annotations

from .attempts import all_or_nothing
from .exits import single_exit
from .lower import Lowering
from .managers import single_managers
from .views import over_keys

__all__ = ["Lowering", "all_or_nothing", "over_keys", "single_exit", "single_managers"]
