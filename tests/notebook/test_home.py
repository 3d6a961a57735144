"""What is done where cells run, and when."""
from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from tangent_nb.notebook.home import Home
from tangent_nb.notebook.messages import KINDS, reads


def test_here_it_is_done_at_once() -> None:
    done: list[int] = []
    Home().do(lambda: done.append(1))
    assert done == [1]


def test_from_another_thread_it_is_done_when_nothing_runs_here() -> None:
    done: list[Any] = []

    async def cells() -> None:
        home = Home()
        other = threading.Thread(target=lambda: home.do(lambda: done.append(threading.get_ident())))
        other.start()
        other.join()
        done.append("the cell")                    # it runs to its end first
        await asyncio.sleep(0.01)

    asyncio.run(cells())
    assert done == ["the cell", threading.get_ident()]


def test_where_the_loop_has_ended_it_is_done_at_once() -> None:
    homes: list[Home] = []

    async def cell() -> None:
        homes.append(Home())

    asyncio.run(cell())
    done: list[int] = []
    other = threading.Thread(target=lambda: homes[0].do(lambda: done.append(1)))
    other.start()
    other.join()
    assert done == [1]


@pytest.mark.parametrize("kind", KINDS)
def test_what_runs_something_of_the_users_is_no_reading(kind: str) -> None:
    assert reads({"kind": kind}) == (kind in "take helper moments text edit draft".split())


def test_what_is_no_message_is_answered_at_once() -> None:
    for content in (None, [], {}, {"kind": 3}, {"kind": "gone"}):
        assert reads(content)
