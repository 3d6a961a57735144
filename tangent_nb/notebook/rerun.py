"""Calling the user's function more often than the user did, without trace: no output, no random number used up."""
from __future__ import annotations

import copy
import random
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from IPython.utils.capture import capture_output


class Calls:
    """Calls with the same arguments and the same random state each time; only those with `shown` print.

    fn: the function whose globals are searched for random generators.
    """

    def __init__(self, fn: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self.fn = fn
        self.args = args
        self.kwargs = dict(kwargs)

    def __call__(self, function: Callable[..., Any], replaced: Mapping[str, Any] | None = None, *, shown: bool = False,
                 **more: Any) -> Any:
        """The result of `function` on copies of the arguments. replaced: other values for some of the parameters."""
        args, kwargs = copied((self.args, self.kwargs))
        if replaced:
            names = self.fn.__code__.co_varnames[:self.fn.__code__.co_argcount]
            args = tuple(replaced.get(name, value) for name, value in zip(names, args)) + args[len(names):]
            kwargs = {name: replaced.get(name, value) for name, value in kwargs.items()}
        with same_random(self.fn):
            if shown:
                return on_host(function(*args, **kwargs, **more))
            with capture_output(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return on_host(function(*args, **kwargs, **more))


def on_host(value: Any) -> Any:
    """A result with the arrays of another library as NumPy's, to be compared and printed."""
    if type(value) in (tuple, list):
        return type(value)(map(on_host, value))
    is_other = hasattr(value, "__array__") and hasattr(value, "devices") and not isinstance(value, (np.ndarray, np.generic))
    return np.asarray(value)[()] if is_other else value


def copied(value: Any) -> Any:
    """A deep copy, so that a function that writes into its arguments can be called again; else the value itself."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


@contextmanager
def same_random(fn: types.FunctionType) -> Iterator[None]:
    """Put back afterwards the state of `random`, `numpy.random` and the generators among the function's globals."""
    generators = _generators(fn)
    states = [generator.bit_generator.state for generator in generators]
    python, numpy = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)
        for generator, state in zip(generators, states):
            generator.bit_generator.state = state


def _generators(fn: types.FunctionType) -> list[np.random.Generator]:
    """Those that the function, or a function it calls, can reach by a global name or a closure cell."""
    found: dict[int, np.random.Generator] = {}
    seen: set[int] = set()
    todo: list[Any] = [fn]
    while todo:
        value = todo.pop()
        if isinstance(value, np.random.Generator):
            found[id(value)] = value
        elif isinstance(value, types.FunctionType) and id(value) not in seen:
            seen.add(id(value))
            codes = [value.__code__]
            while codes:
                code = codes.pop()
                codes += [const for const in code.co_consts if isinstance(const, types.CodeType)]
                todo += [value.__globals__[name] for name in code.co_names if name in value.__globals__]
            for cell in value.__closure__ or ():
                with suppress(ValueError):         # a cell that is still empty
                    todo.append(cell.cell_contents)
            todo += value.__defaults__ or ()
    return list(found.values())

