"""What functions tell people, by `print`, `logging` and `warnings`: once, with the values, in every mode."""
from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

PROGRAMS = {
    "of the module": "logging.warning('x is %s', x); return x * x",
    "of a logger": "log.warning('x is %s', x); return x * x",
    "formatted": "log.error(f'x is {x}'); return x * x",
    "a level": "log.log(logging.WARNING, 'x is %s', x); return x * x",
    "asked first": "if log.isEnabledFor(logging.WARNING):\n        log.warning('x is %s', x)\n    return x * x",
    "of an object": "return task.run(x)",
    "with a time": "start = time.perf_counter(); y = x * x; log.warning('x is %s', x, extra={'took': "
                   "time.perf_counter() - start}); return y",
    "in a function": "return told(x) * x",
}
SPACE = """
import logging
import time
log = logging.getLogger("told")

class Task:
    def __init__(self):
        self.logger = log

    def run(self, x):
        self.logger.warning('x is %s', x)
        return x * x

task = Task()

def told(x):
    log.warning('x is %s', x)
    return x

def f(x):
    {}
"""
WAYS: dict[str, Callable[[Any], Any]] = {
    "grad": lambda f: tnb.grad(f)(3.0), "raw": lambda f: tnb.grad(f, optimized=False)(3.0),
    "jvp": lambda f: tnb.jvp(f)(3.0, dx=1.0), "value_and_grad": lambda f: tnb.value_and_grad(f)(3.0)[1],
    "second": lambda f: 3.0 * tnb.jvp(tnb.grad(f))(3.0, dx=1.0)}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_told_once(name: str, way: str, caplog: pytest.LogCaptureFixture) -> None:
    f = sourced(SPACE.replace("{}", PROGRAMS[name]), {"__name__": "told"}, f"<told {name} {way}>")["f"]
    with caplog.at_level(logging.WARNING):
        assert WAYS[way](f) == pytest.approx(6.0)
    assert [one.getMessage() for one in caplog.records] == ["x is 3.0"]


def test_what_tells_gives_nothing() -> None:
    f = sourced(SPACE.replace("{}", "y = log.warning('x is %s', x); return x * y"), {}, "<told, used>")["f"]
    with pytest.raises(TangentError, match="warning returns None, and its result is used"):
        tnb.grad(f)


def test_a_logger_of_ones_own_is_no_logger() -> None:
    space = sourced(SPACE.replace("{}", "log.warning(x); return x * log.last"), {}, "<told, own>")

    class Own(logging.Logger):
        last: Any = None

        def warning(self, msg: Any, *args: Any, **options: Any) -> None:     # type: ignore[override]
            self.last = msg

    space["log"] = Own("own")
    try:
        assert tnb.grad(space["f"])(3.0) == pytest.approx(6.0)
    except TangentError:
        pass
