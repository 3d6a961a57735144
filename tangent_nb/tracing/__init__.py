"""Tracing: generated code run statement by statement, with an eye on the values; `watch`, `trace_table`."""
from __future__ import annotations

from .elementary import TraceTable, trace_table
from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .watch import watch

__all__ = ["Activation", "Listener", "Statement", "Step", "TraceTable", "run", "trace_table", "watch"]
