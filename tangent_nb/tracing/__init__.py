"""Tracing: generated code run statement by statement, with an eye on the values; `watch`, `step`, `trace_table`,
`graph`."""
from __future__ import annotations

from .elementary import Graph, TraceTable, graph, trace_table
from .record import step
from .recording import Call, Change, Flaw, Moment, Recording
from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .watch import watch

__all__ = ["Activation", "Call", "Change", "Flaw", "Graph", "Listener", "Moment", "Recording", "Statement", "Step",
           "TraceTable", "graph", "run", "step", "trace_table", "watch"]
