"""What is said of a random program, and how long that may take."""
from __future__ import annotations

import resource  # noqa: TID251 -- random programs are judged where there are signals
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

LARGE = 1e6
LONGEST = 300           # seconds of the processor: most take a tenth of one
MOST = 8 << 30          # bytes


@dataclass(frozen=True)
class Verdict:
    """What became of a program. where: the mode that failed; error: of a crash or refusal, the exception's type."""

    kind: str
    message: str = ""
    where: str = ""
    error: str = ""


@contextmanager
def ending() -> Iterator[None]:
    """Raise TimeoutError in what takes longer than any program does; MemoryError in what takes more memory: a loop over
    a list that it extends has no end, and takes all there is before its time is over."""
    def late(*_: Any) -> None:
        raise TimeoutError(f"no end within {LONGEST} seconds of the processor")
    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    allowed = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST, allowed[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, allowed)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
