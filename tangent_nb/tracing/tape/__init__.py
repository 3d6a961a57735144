"""The tape: what a derivative keeps for its backward sweep, measured in a run."""
from __future__ import annotations

from .kinds import EXACT, RECOMPUTED, Kind, register_kind
from .measure import measured, tape_report
from .report import SavedValue, TapeReport, Totals

__all__ = ["EXACT", "RECOMPUTED", "Kind", "SavedValue", "TapeReport", "Totals", "measured", "register_kind",
           "tape_report"]
