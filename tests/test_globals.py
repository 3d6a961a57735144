"""Global variables of a module that functions assign: they are left as the function leaves them, once, and read again
with their derivative, or refused."""
from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.analyse.fence import outside
from tangent_nb.analyse.fence.places import held
from tangent_nb.errors import TangentError

STEPS: int = 0
LAST: Any = None
TABLE: Any = None
POINT = np.array([0.7, 1.3, 0.4])
DIRECTION = np.array([0.3, -0.5, 0.8])
MODULE = sys.modules[__name__]


def step(x, rate):
    global STEPS
    STEPS += 1
    return x + rate * (1 - x)


def counted(v):
    x = v[0]
    for _ in range(3):
        x = step(x, v[1])
    return x * x


def steps():
    return STEPS


def counted_and_read(v):
    return step(v[0], v[1]) * steps()


def counted_in_a_loop(v):
    global STEPS
    while STEPS < 4:
        STEPS += 1
        if STEPS % 2:
            v = v * 1.5
    return np.sum(v)


def kept(v):
    global LAST
    LAST = v[0] * 2
    return v[0] * v[1]


def kept_and_read(v):
    global LAST
    LAST = v[0] * 2
    return LAST * v[1]


def table():
    global TABLE
    if TABLE is None:
        TABLE = np.arange(3.0)
    return TABLE


def made_once(v):
    return np.sum(table() * v)


def last():
    return LAST


TABLED = [last]


def doubled():
    global STEPS
    STEPS = STEPS * 2 + 1
    return 3.0


def doubled_by_another():
    return doubled()


class Doubling:
    def __init__(self): self.one = doubled()
    def __len__(self): return int(doubled())
    @property
    def two(self): return doubled()
    def three(self): return doubled()


DOUBLING = Doubling()
DOUBLERS = [doubled]


def by_the_first():
    return DOUBLERS[0]()


@functools.lru_cache
def counted_once(k):
    return doubled() * k


def behind_a_cache(v):
    return v[0] * counted_once(2.0) * counted_once(2.0) * v[1]


def product(a, b, x):
    return a * b * x


@contextlib.contextmanager
def steps_set(n):
    global STEPS
    old, STEPS = STEPS, n
    try:
        yield
    finally:
        STEPS = old


def with_steps(v):
    with steps_set(3):
        y = v[0] * STEPS * v[1]
    return y * (STEPS + 1)


def with_a_manager_under_a_name(v):
    manager = steps_set(3)
    with manager:
        y = v[0] * STEPS * v[1]
    return y * (STEPS + 1)


def in_a_branch(v):
    y = v[0]
    if STEPS == 0:
        y = y * y * v[2]
    doubled()
    return y * v[1]


def in_a_loop(v):
    y = 0.0
    for i in range(3):
        y = y + v[i] * STEPS
        doubled()
    return y * v[1]


def in_a_comprehension(v):
    y = v[0] * STEPS
    [doubled() for _ in range(2)]
    return y * v[1]


def by_way_of_a_helper(v):
    y = v[0] * steps()
    doubled()
    return y * v[1]


SEEN_TO_CHANGE = [                                         # the helpers stand in the place of their calls
    with_steps, in_a_branch, in_a_loop, by_way_of_a_helper,
    lambda v: v[0] * STEPS * doubled() * v[1] * STEPS,
    lambda v: v[0] * STEPS * doubled_by_another() * v[1] * STEPS,
    lambda v: v[0] * STEPS * Doubling().one * v[1] * STEPS,
    lambda v: v[0] * STEPS * len(DOUBLING) * v[1] * STEPS,
    lambda v: v[0] * STEPS * DOUBLING.two * v[1] * STEPS,
    lambda v: v[0] * STEPS * DOUBLING.three() * v[1] * STEPS,
    lambda v: product(STEPS, doubled(), v[0]),
    ]
CHANGED_BY_HELPERS = [
    with_a_manager_under_a_name, in_a_comprehension,
    lambda v: v[0] * STEPS * max([1, 2], key=lambda _: doubled()) * v[1] * STEPS,
    ]


def by_globals():
    globals()["STEPS"] = 3


def by_a_variable():
    held = {"here": globals()}
    held["here"].update(STEPS=3)


def by_the_module():
    setattr(sys.modules[__name__], "STEPS", 3)


def by_an_import():
    module = importlib.import_module(__name__)
    module.STEPS = 3


def by_its_dict():
    vars(sys.modules.get(__name__) or sys)["STEPS"] = 3


def by_code():
    exec("STEPS = 3", globals())


def by_a_function():
    steps.__globals__["STEPS"] = 3


def by_a_frame():
    sys._getframe(1).f_globals["STEPS"] = 3


def put(space, value=3):
    space["STEPS"] = value


def set_in(module):
    module.STEPS = 3


def by_what_is_handed_on():
    put(globals())


def by_a_keyword():
    put(value=3, space=globals())


def by_a_module_that_is_handed_on():
    set_in(sys.modules[__name__])


def by_a_default(module=sys.modules[__name__]):
    module.STEPS = 3


HOLDER = types.SimpleNamespace(module=sys.modules[__name__])
MODULES = [sys.modules[__name__]]


def by_what_an_object_holds():
    HOLDER.module.STEPS = 3


def by_what_a_list_holds():
    MODULES[0].STEPS = 3


BY_NAME = [by_what_is_handed_on, by_a_keyword, by_a_module_that_is_handed_on, by_a_default, by_what_an_object_holds,
           by_what_a_list_holds, by_globals, by_a_variable, by_the_module, by_an_import, by_its_dict, by_code,
           by_a_function, by_a_frame]


def looked_up():
    return globals().get("STEPS", 0), len(sys.modules) > 0, getattr(MODULE, "STEPS")


def with_what_is_looked_up(v):
    y = v[0] * (STEPS + 1)
    found = looked_up()
    return y * v[1] * (found[0] + 2)


def read_by_another(v):
    global LAST
    LAST = v[0] * 2
    return last() * v[1]


def read_by_one_of_a_table(v):
    global LAST
    LAST = v[0] * 2
    return TABLED[int(v[0] > 5)]() * v[1]


@pytest.fixture(autouse=True)
def _reset() -> Iterator[None]:
    reset()
    yield
    reset()


def reset() -> None:
    counted_once.cache_clear()
    vars(MODULE).update(STEPS=0, LAST=None, TABLE=None)


def state() -> list[Any]:
    return [np.asarray(value).tolist() for value in (STEPS, LAST, TABLE)]


def derivatives() -> list[Callable[..., Any]]:
    return [lambda f: np.sum(tnb.grad(f)(POINT) * DIRECTION),
            lambda f: np.sum(tnb.grad(f, optimized=False)(POINT) * DIRECTION),
            lambda f: tnb.jvp(f)(POINT, dv=DIRECTION)]


@pytest.mark.parametrize("f", [counted, counted_and_read, counted_in_a_loop, kept, kept_and_read, made_once,
                               behind_a_cache, with_what_is_looked_up, read_by_another, *SEEN_TO_CHANGE])
def test_they_are_left_as_the_function_leaves_them(f: Callable[..., Any]) -> None:
    values = []
    for sign in (1, -1):
        reset()
        values.append(f(POINT + sign * 1e-6 * DIRECTION))
    reset()
    f(POINT)
    after = state()
    for derive in derivatives():
        for _ in range(2):
            reset()
            assert derive(f) == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-6)
            assert state() == after


def test_what_the_derivative_does_not_see_is_refused() -> None:
    for derive in derivatives():
        with pytest.raises(TangentError, match="read again where the derivative does not see it"):
            derive(read_by_one_of_a_table)


def test_a_function_of_a_list_that_changes_what_is_read_is_refused() -> None:
    for derive in derivatives():
        with pytest.raises(TangentError, match="doubled is known only when the function runs, and it may change what"):
            derive(lambda v: v[0] * STEPS * by_the_first() * v[1] * STEPS)


@pytest.mark.parametrize("f", CHANGED_BY_HELPERS)
def test_what_a_helper_assigns_and_the_backward_pass_would_read_again_is_refused(f: Callable[..., Any]) -> None:
    for derive in derivatives():
        with pytest.raises(TangentError, match="may change STEPS, which is read here too"):
            derive(f)


@pytest.mark.parametrize("changing", BY_NAME)
def test_a_variable_that_a_helper_reaches_by_its_name(changing: Callable[[], None]) -> None:
    """In no text does it stand beside an assignment."""
    def f(v):
        y = v[0] * STEPS * v[1]
        changing()
        return y * STEPS
    for kind in (tnb.grad, lambda f: tnb.grad(f, optimized=False)):
        with pytest.raises(TangentError, match=r"may change \w+, which is read here too"):
            kind(f)(POINT)
    with pytest.raises(TangentError):
        tnb.jvp(f)(POINT, dv=DIRECTION)


def unread() -> None:
    global TABLE
    TABLE = quietly(2)


def quietly(n: int) -> int:
    return n + loudly(n)


def loudly(n: int) -> int:
    return n * n


THERE: Any = None


def is_there() -> bool:
    global THERE
    if THERE is None:
        try:
            import nowhere_to_be_found  # noqa: F401
            THERE = True
        except ImportError:
            THERE = False
    return THERE


def chosen(method: Any) -> str:
    if method == "one" or (method is None and is_there()):
        return "one"
    return "other"


def test_a_helper_that_remembers_what_is_there_changes_nothing_else() -> None:
    def f(v, method=None):
        method = chosen(method)
        return np.sum(v * v) * len(DIRECTION) if method == "other" else v[0]
    for derive in derivatives():
        MODULE.THERE = None
        assert derive(f) is not None
    assert np.allclose(tnb.grad(f)(POINT), 6.0 * POINT)


def test_a_call_that_reaches_more_than_is_read_may_change_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(v):
        unread()
        return v[0] * STEPS * v[1] * STEPS
    tnb.grad(f)
    monkeypatch.setattr(outside, "MOST", 3)
    with pytest.raises(TangentError, match=r"may change \w+, which is read here too"):
        tnb.grad(f)


def test_a_proxy_of_what_is_gone_is_not_looked_through() -> None:
    """A module may hold one; it raised a ReferenceError when a derivative was made."""
    class Gone:
        pass
    space = {"gone": weakref.proxy(Gone()), "array": np.zeros(2)}
    assert list(held(space)) == [("memory", id(space), ""), ("memory", id(space["array"]), "")]
