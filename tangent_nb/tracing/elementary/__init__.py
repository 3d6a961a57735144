"""The elementary operations of a run, and their derivatives: as a table of traces."""
from __future__ import annotations

from .table import TraceTable, trace_table, traced

__all__ = ["TraceTable", "trace_table", "traced"]
