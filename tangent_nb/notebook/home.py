"""Where cells run: what runs something of the user's is done there, between cells.

A front end may send messages to a thread beside that one (a subshell), which answers while a cell runs. What redirects
output, or changes what the user's functions hold, would meet the cell there.
"""
from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable


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
            act()
        else:
            self._loop.call_soon_threadsafe(act)
