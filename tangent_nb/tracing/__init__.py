"""Tracing: generated code run statement by statement, with an eye on the values; `watch`,
`trace_table`, `graph`."""
from __future__ import annotations

from .elementary import Graph, TraceTable, graph, trace_table
from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .watch import watch

__all__ = ["Activation", "Graph", "Listener", "Statement", "Step", "TraceTable", "graph", "run", "trace_table", "watch"]
