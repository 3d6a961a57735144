"""Variables of modules, and attributes of objects there, that one function assigns and another reads: modes that are
set for a while, counters, what was seen last. The derivative reads them as they were, and leaves them as the function
does."""
from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(4)

integrate = pytest.importorskip("scipy.integrate")

MODE: str = "Divide"
COUNT: int = 0
SCALE: Any = 2.0
TABLE = {"n": 2.0, "m": 1.0}
SAME = TABLE
NOTED: list[float] = []
OPTIONS = types.SimpleNamespace(power=2.0, calls=0)


class Settings:
    def __init__(self):
        self.gain, self.seen = 1.5, 0


SETTINGS = Settings()
MODULE = sys.modules[__name__]


@functools.cache
def validated(mode, valid, message='"{0}" is none of {1}'):
    valid = tuple(str(one) for one in valid)
    if mode.lower() not in [one.lower() for one in valid]:
        raise ValueError(message.format(mode, valid))
    return mode.lower()


def get_mode():
    return MODE


def set_mode(mode):
    global MODE
    MODE = validated(mode, ("Divide", "Multiply"))


class Mode:
    """Sets the mode in a block, or in a function that it decorates."""

    def __init__(self, mode=None):
        self._mode = mode if mode is not None else get_mode()
        self._before = get_mode()

    def __enter__(self):
        set_mode(self._mode)
        return self

    def __exit__(self, *args):
        set_mode(self._before)


@contextlib.contextmanager
def mode_of(mode):
    before = get_mode()
    set_mode(mode)
    try:
        yield
    finally:
        set_mode(before)


def combined(a, b):
    if validated(MODE, ("Divide", "Multiply")) == "divide":
        return a / b
    return a * b


def combined_by_a_helper(a, b):
    return a / b if get_mode().lower() == "divide" else a * b


def as_it_is(x):
    return combined(x, 2.0 + x) * x


def set_and_reset(x):
    set_mode("multiply")
    y = combined(x, 2.0 + x)
    set_mode("divide")
    return y * combined(x, 3.0)


def in_a_block(x):
    with Mode("Multiply"):
        y = combined(x, 2.0 + x)
    return y * combined_by_a_helper(x, 3.0)


def in_a_block_as_it_is(x):
    with Mode():
        y = combined_by_a_helper(x, 2.0 + x)
    return y * x


def in_two_blocks(x):
    with Mode("Multiply"):
        y = combined(x, 2.0 + x)
        with Mode("Divide"):
            y = combined(y, x)
        y = combined(y, x)
    return y


def in_a_block_of_a_generator(x):
    with mode_of("Multiply"):
        y = combined(x, 2.0 + x)
    return y * x


def in_a_loop(x):
    y = x
    for i in range(4):
        set_mode("multiply" if i % 2 else "divide")
        y = combined(y, 1.0 + x) + x
    return y


def bump():
    global COUNT
    COUNT += 1


def count():
    return COUNT


def counted(x):
    y = x * COUNT + x
    bump()
    return y * x * COUNT


def counted_in_a_loop(x):
    y = x
    for _ in range(3):
        bump()
        y = y * x * count()
    return y


def counted_by_itself(x):
    global COUNT
    COUNT += 1
    y = x * count()
    COUNT += 1
    return y * x * count()


def scaled(v):
    return v * SCALE * v


def set_scale(value):
    global SCALE
    SCALE = value


def scaled_twice(x):
    y = scaled(x)
    set_scale(3.0)
    return y * scaled(x)


def set_to_what_is_differentiated(x):
    set_scale(x * x)
    y = scaled(x)
    set_scale(y)
    return y * scaled(x)


def set_power(value):
    OPTIONS.power = value
    OPTIONS.calls += 1


def power(x):
    return x ** OPTIONS.power


def of_an_object(x):
    y = power(x)
    set_power(3.0)
    return y * power(x)


def of_an_object_in_a_loop(x):
    y = 1.0
    for i in range(3):
        set_power(1.0 + i)
        y = y * power(x) + x
    return y


def amplified(x):
    SETTINGS.seen += 1
    return x * SETTINGS.gain


def set_gain(gain):
    SETTINGS.gain = gain


def of_an_object_of_a_class(x):
    y = amplified(x)
    set_gain(0.5)
    return y * amplified(x)


SCALING = {"scaled": scaled}


def by_a_function_of_a_table(x):
    y = SCALING["scaled"](x)
    set_scale(3.0)
    return y * SCALING["scaled"](x)


def by_a_function_that_is_chosen(x, name="scaled"):
    y = SCALING[name](x)
    set_scale(3.0)
    return y * SCALING[name](x)


def by_a_nested_function(x):
    def inner(v):
        return scaled(v) * SCALE
    y = inner(x)
    set_scale(3.0)
    return y * inner(x)


def in_a_comprehension(x):
    y = sum([scaled(v) for v in [x, 2.0 * x]])
    set_scale(3.0)
    return y * sum(map(scaled, [x, x * x]))


def set_by_a_decorator(f):
    @functools.wraps(f)
    def inner(*args):
        set_scale(SCALE + 1.0)
        return f(*args)
    return inner


@set_by_a_decorator
def decorated(v):
    return v * v * SCALE


def of_a_decorated_function(x):
    return decorated(x) * decorated(x)


def set_by_a_generator():
    for i in range(3):
        set_scale(1.0 + i)
        yield i


def over_a_generator(x):
    y = 0.0
    for i in set_by_a_generator():
        y = y + scaled(x) * i
    return y


def as_arguments(x):
    return product(scaled(x), set_scale(4.0), scaled(x))


def product(a, _, b):
    return a * b


def in_a_branch(x):
    if x > 0.5:
        set_mode("multiply")
    return combined(x, 2.0) * x


def where_it_raises(x):
    set_mode("multiply")
    y = combined(x, 2.0)
    set_mode("none")
    return y


def caught(x):
    y = x
    try:
        set_mode("none")
    except ValueError:
        y = combined(x, 3.0)
    return y * combined(x, 2.0)


def bump_item():
    TABLE["n"] += 1.0


def set_item(value):
    TABLE["n"] = value


def get_item():
    return TABLE.get("n", 1.0)


def of_a_dict(x):
    y = x * TABLE["n"]
    bump_item()
    return y * TABLE["n"] * get_item()


def of_a_dict_that_gets_a_derivative(x):
    y = x * get_item()
    set_item(x * x)
    return y * get_item()


def note(value):
    NOTED.append(value)


def of_a_list(x):
    note(x)
    note(2.0 * x)
    return x * NOTED[-1] * NOTED[0]


class Switch:
    power = 2.0

    @classmethod
    def turn(cls, power):
        cls.power = power

    @classmethod
    def turned(cls):
        return cls.power


class Narrow(Switch):
    pass


def of_a_class(x):
    y = x ** Switch.power
    Switch.turn(3.0)
    return y * x ** Switch.turned()


def of_a_class_below(x):
    y = x ** Narrow.power
    Narrow.turn(3.0)
    return y * x ** Narrow.turned() * Switch.turned()


PROGRAMS = [of_a_dict, of_a_dict_that_gets_a_derivative, of_a_list, of_a_class, of_a_class_below, as_it_is,
            set_and_reset, in_a_block, in_a_block_as_it_is, in_two_blocks, in_a_block_of_a_generator,
            in_a_loop, counted, counted_in_a_loop, counted_by_itself, scaled_twice, set_to_what_is_differentiated,
            of_an_object, of_an_object_in_a_loop, of_an_object_of_a_class, by_a_function_of_a_table,
            by_a_nested_function, in_a_comprehension, of_a_decorated_function, over_a_generator, as_arguments,
            in_a_branch, caught]
STATE = {"MODE": "Divide", "COUNT": 1, "SCALE": 2.0}


@pytest.fixture(autouse=True)
def _reset() -> Iterator[None]:
    reset()
    yield
    reset()


def reset() -> None:
    for name, value in STATE.items():
        setattr(MODULE, name, value)
    vars(OPTIONS).update(power=2.0, calls=0)
    vars(SETTINGS).update(gain=1.5, seen=0)
    TABLE.clear()
    TABLE.update(n=2.0, m=1.0)
    NOTED.clear()
    Switch.power = 2.0
    if "power" in vars(Narrow):
        del Narrow.power


def state() -> dict[str, Any]:
    return copy.deepcopy({**{name: getattr(MODULE, name) for name in STATE}, **vars(OPTIONS), **vars(SETTINGS),
                          "table": TABLE, "noted": [*NOTED], "powers": (Switch.power, vars(Narrow).get("power"))})


def run(f: Callable[..., Any], *args: Any) -> tuple[Any, dict[str, Any]]:
    reset()
    value = f(*args)
    return value, state()


def slope(f: Callable[..., Any], x: float, h: float = 1e-5) -> float:
    return float((run(f, x + h)[0] - run(f, x - h)[0]) / (2.0 * h))


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_a_variable_is_read_as_it_was(f: Callable[..., Any], optimized: bool) -> None:
    x = 0.7
    value, left = run(f, x)
    df, both, push = tnb.grad(f, optimized=optimized), tnb.value_and_grad(f, optimized=optimized), \
        tnb.jvp(f, optimized=optimized)
    assert state() == left, "to derive changes nothing"
    got, after = run(df, x)
    np.testing.assert_allclose(got, slope(f, x), rtol=1e-7)
    assert after == left
    (again, got), after = run(both, x)
    np.testing.assert_allclose([again, got], [value, slope(f, x)], rtol=1e-7)
    assert after == left
    got, after = run(push, x, 1.0)
    np.testing.assert_allclose(got, slope(f, x), rtol=1e-7)
    assert after == left


def test_a_function_that_is_chosen_reads_it_as_it_was() -> None:
    df = tnb.grad(by_a_function_that_is_chosen)
    np.testing.assert_allclose(run(df, 0.7)[0], slope(by_a_function_that_is_chosen, 0.7), rtol=1e-7)


def recursive(v, n):
    return v * SCALE if n == 0 else recursive(v * SCALE, n - 1)


def by_recursion(x):
    y = recursive(x, 2)
    set_scale(3.0)
    return y * recursive(x, 1)


def by_what_a_solver_calls(x):
    y = integrate.quad(lambda t: t * SCALE * x, 0.0, 1.0)[0]
    set_scale(3.0)
    return y * x


def by_another_name(x):
    y = x * SAME["n"]
    set_item(x * x)
    return y * SAME["n"]


def of_an_object_of_the_class(x):
    y = x * Switch().power
    Switch.turn(3.0)
    return y * Switch().power


def of_a_dict_that_is_gone_over(x):
    y = x * sum(TABLE[name] for name in ("n", "m"))
    set_item(3.0)
    return y * sum(TABLE.values())


@pytest.mark.parametrize("f", [by_recursion, by_what_a_solver_calls, by_another_name, of_an_object_of_the_class,
                               of_a_dict_that_is_gone_over], ids=lambda f: f.__name__)
def test_what_would_be_read_later_is_refused(f: Callable[..., Any]) -> None:
    for derive, more in ((tnb.grad, ()), (tnb.jvp, (1.0,))):
        with pytest.raises(TangentError):
            run(derive(f), 0.7, *more)


def scaled_line(t, x):
    return t * SCALE * x


def powered_line(t, x):
    return t ** OPTIONS.power * x


class Line:
    def __call__(self, t, x):
        return t ** OPTIONS.power * x


class Powered:
    def __init__(self):
        self.power = 2.0

    def __call__(self, t, x):
        return t ** OPTIONS.power * x

    def line(self, t, x):
        return t ** self.power * x


class Below(Powered):
    pass


@dataclasses.dataclass
class WithoutHash:
    factor: float = 1.0

    def __call__(self, t, x):
        return t * SCALE * self.factor * x


POWERED = Below()


def by_a_method(t, x):
    return POWERED.line(t, x)


class Scaling:
    def scaled(self, t, x):
        return t * SCALE * x


SCALING_OBJECT = Scaling()


def by_a_method_that_reads(t, x):
    return SCALING_OBJECT.scaled(t, x)


def by_a_solver_and_a_method(x):
    return integrate.quad(by_a_method_that_reads, 0.0, 1.0, args=(x,))[0]


def test_what_a_method_reads_may_not_change_between_the_sweeps() -> None:
    reset()
    value, pull = tnb.pullback(by_a_solver_and_a_method, 0.7)
    np.testing.assert_allclose([value, pull(1.0)], [0.7, 1.0], rtol=1e-7)
    set_scale(3.0)
    with pytest.raises(TangentError, match="SCALE, which scaled reads, has changed since the forward sweep"):
        pull(1.0)


def by_what_it_is_given(x, line, change=None):
    y = integrate.quad(line, 0.0, 1.0, args=(x,))[0]
    set_scale(3.0)
    OPTIONS.power = 3.0
    return y * x


@pytest.mark.parametrize("line", [scaled_line, powered_line, Line(), Line().__call__, functools.partial(scaled_line),
                                  Below(), WithoutHash(), functools.partial(WithoutHash()), by_a_method])
def test_what_a_solver_is_given_and_would_read_later_is_refused(line: Callable[..., Any]) -> None:
    df = tnb.grad(by_what_it_is_given)
    with pytest.raises(TangentError, match="is changed here, and the backward sweep calls that again"):
        run(df, 0.7, line)


def test_what_a_solver_is_given_and_reads_nothing_of_it() -> None:
    df = tnb.grad(by_what_it_is_given)
    np.testing.assert_allclose(run(df, 0.7, lambda t, x: t * x)[0], 0.7, rtol=1e-7)


@pytest.mark.parametrize("f", [in_a_block, counted, scaled_twice, of_an_object], ids=lambda f: f.__name__)
def test_twice(f: Callable[..., Any]) -> None:
    df = tnb.grad(f)
    try:
        second = tnb.grad(df)
    except TangentError:
        return                                             # refused, and no wrong number
    np.testing.assert_allclose(run(second, 0.7)[0], slope(df, 0.7), rtol=1e-6)


def test_what_is_left_where_it_raises() -> None:
    with pytest.raises(ValueError, match="none"):
        run(where_it_raises, 0.7)
    left = state()
    for derive in (tnb.grad, tnb.value_and_grad):
        df = derive(where_it_raises)
        with pytest.raises(ValueError, match="none"):
            run(df, 0.7)
        assert state() == left
