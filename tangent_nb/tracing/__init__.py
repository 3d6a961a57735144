"""Tracing: generated code run statement by statement, with an eye on the values; `watch`."""
from __future__ import annotations

from .statements import Statement
from .stepper import Activation, Listener, Step, run
from .watch import watch

__all__ = ["Activation", "Listener", "Statement", "Step", "run", "watch"]
