"""Where cells run: what runs something of the user's is done there, between cells.

A front end may send messages to a thread beside that one (a subshell), which answers while a cell runs. What redirects
output, or changes what the user's functions hold, would meet the cell there.
"""
from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTED = "interrupted"


class Home:
    """The thread and the loop in which it was made."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

    def do(self, act: Callable[[], None]) -> None:
        """Do something here, as soon as no cell runs; at once where this is the place, or there is none."""
        if threading.get_ident() == self._thread or self._loop is None or self._loop.is_closed():
            _run(act)
        else:
            self._loop.call_soon_threadsafe(_run, act)


def _run(act: Callable[[], None]) -> None:
    try:
        with interruptible():
            act()
    except KeyboardInterrupt:                      # too late to be answered; a loop, and the kernel, would end by it
        pass


@contextmanager
def interruptible() -> Iterator[None]:
    """Between cells a kernel takes no notice of an interrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
