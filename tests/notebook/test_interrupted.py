"""What the page has asked for is interrupted: it learns that, and goes on."""
from __future__ import annotations

import _thread
import asyncio
import signal
import threading
import time
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.home import Home
from tangent_nb.notebook.session import Take
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.state import Choice
from tangent_nb.notebook.widget import BEHIND, DerivativeWidget

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


def test_an_interrupted_glance_ends_what_the_same_click_has_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    widget = DerivativeWidget(show(loss, at=AT)._shown)                            # type: ignore[arg-type]
    shown = widget.session.take
    asks = {"wrt": ["w"], "mode": "reverse", "backend": "numpy", "passes": [], "tape": ""}
    other = Take.other

    def slow(take: Take, choice: Choice, **more: bool) -> Take:
        for _ in range(400):                               # a longer function's takes so long
            time.sleep(0.01)
        return other(take, choice, **more)

    with monkeypatch.context() as patched:
        patched.setattr(Take, "other", slow)
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        assert asked(widget, {"kind": "prepare", "id": 1, **asks, "whole": False}) == [
            {"kind": "failed", "id": 1, "text": "interrupted"}]
        timer.join()
        assert asked(widget, {"kind": "derive", "id": 2, **asks}) == [
            {"kind": "failed", "id": 2, "text": "interrupted"}]
    assert widget.session.take is shown
    time.sleep(BEHIND)
    assert asked(widget, {"kind": "derive", "id": 3, **asks}) == [{"kind": "done", "id": 3}]
    assert widget.session.take.choice.passes == ()


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
