"""Normalise: one way out of every function, and every differentiable operation on its own."""
from __future__ import annotations

from .apart import paths_apart
from .attempts import all_or_nothing
from .evidence import is_array
from .exchanges import in_one_statement
from .exits import single_exit
from .lower import Lowering
from .managers import single_managers
from .parts import changed_names, is_path, part_targets
from .paths import through_paths
from .squares import squares_together
from .views import over_keys, with_checked_keys

__all__ = ["Lowering", "all_or_nothing", "changed_names", "in_one_statement", "is_array", "is_path", "over_keys",
           "part_targets", "paths_apart", "single_exit", "single_managers", "squares_together", "through_paths",
           "with_checked_keys"]
