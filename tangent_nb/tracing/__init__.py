"""Tracing: generated code run statement by statement, with an eye on the values; `watch`, `step`."""
from __future__ import annotations

from .record import step
from .recording import Call, Change, Flaw, Moment, Recording
from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .watch import watch

__all__ = ["Activation", "Call", "Change", "Flaw", "Listener", "Moment", "Recording", "Statement", "Step", "run",
           "step", "watch"]
