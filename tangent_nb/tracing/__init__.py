"""Tracing: generated code run statement by statement, with an eye on the values; `watch`, `step`, `tape_report`,
`trace_table`, `graph`."""
from __future__ import annotations

from .elementary import Graph, TraceTable, graph, trace_table
from .record import step
from .recording import Call, Change, Flaw, Moment, Recording
from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .tape import SavedValue, TapeReport, tape_report
from .watch import watch

__all__ = ["Activation", "Call", "Change", "Flaw", "Graph", "Listener", "Moment", "Recording", "SavedValue",
           "Statement", "Step", "TapeReport", "TraceTable", "graph", "run", "step", "tape_report",
           "trace_table", "watch"]
