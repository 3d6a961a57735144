"""Take away: a derivative as a file of its own, which needs NumPy and not tangent_nb."""
from __future__ import annotations

from .files import export, exported

__all__ = ["export", "exported"]
