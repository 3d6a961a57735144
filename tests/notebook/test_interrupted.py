"""What the page has asked for is interrupted: it learns that, and goes on."""
from __future__ import annotations

import _thread
import asyncio
import signal
import threading
from contextlib import closing
from typing import Any

import numpy as np

from tangent_nb.notebook.home import Home
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.widget import DerivativeWidget

RNG = np.random.default_rng(0)
AT = {"w": RNG.normal(size=(500, 500)) / 20, "x": RNG.normal(size=(500, 500))}


def loss(w: Any, x: Any) -> Any:
    return np.mean(np.maximum(x @ w, 0.0))


def asked(widget: Any, content: dict[str, Any]) -> list[Any]:
    answers: list[Any] = []
    widget.send = lambda content, buffers=None: answers.append(content)
    widget._asked(None, content, [])
    return answers


def test_an_interrupt_is_answered_and_the_next_question_too() -> None:
    widget = DerivativeWidget(show(loss, at=AT, tape="sampled:0.5")._shown)        # type: ignore[arg-type]
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.4, _thread.interrupt_main)               # of draws that go on for a second and a half
    timer.start()
    assert asked(widget, {"kind": "spread", "id": 1, "tape": "sampled:0.5"}) == [
        {"kind": "failed", "id": 1, "text": "interrupted"}]
    timer.join()
    assert signal.getsignal(signal.SIGINT) is before
    [answer] = asked(widget, {"kind": "spread", "id": 2, "tape": "sampled:0.5"})
    assert answer["kind"] == "spread" and answer["found"]["points"][0]["draws"] >= 2


def test_a_late_interrupt_does_not_end_the_loop() -> None:
    """As where a front end sends messages to a thread beside that of the cells."""
    done: list[str] = []

    async def cells() -> None:
        home = Home()
        other = threading.Thread(target=lambda: home.do(lambda: signal.raise_signal(signal.SIGINT)))
        other.start()
        other.join()
        await asyncio.sleep(0.05)
        done.append("goes on")

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)              # as a kernel has it between cells
    try:
        with closing(asyncio.new_event_loop()) as loop:
            loop.run_until_complete(cells())
        assert done == ["goes on"] and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
