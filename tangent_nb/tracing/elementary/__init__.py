"""The elementary operations of a run, and their derivatives: as a table of traces, and as a graph."""
from __future__ import annotations

from .graph import Graph, graph, graphed
from .table import TraceTable, trace_table, traced

__all__ = ["Graph", "TraceTable", "graph", "graphed", "trace_table", "traced"]
