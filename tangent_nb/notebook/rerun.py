"""Calling the user's function more often than the user did, without trace: no output, no random number used up."""
from __future__ import annotations

import copy
import random
import types
import warnings
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from IPython.utils.capture import capture_output

from ..same_draws import SameDraws
from .noting import unnoted


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
        draws = self.draws
        try:
            with unnoted():
                if shown:
                    return on_host(function(*args, **kwargs, **more))
                with capture_output(), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return on_host(function(*args, **kwargs, **more))
        finally:
            draws.rewind()

    @cached_property
    def draws(self) -> SameDraws:
        """What the function, and what it calls, draws by. It is looked for before the first call, and put back after
        each: a check calls often, and what a function sees may be large."""
        return SameDraws(self.fn, np.random.mtrand._rand, random._inst)


def on_host(value: Any) -> Any:
    """A result with the arrays of another library as NumPy's, to be compared and printed."""
    if type(value) in (tuple, list):
        return type(value)(map(on_host, value))
    is_other = hasattr(value, "__array__") and hasattr(value, "devices") \
        and not isinstance(value, (np.ndarray, np.generic))
    return np.asarray(value)[()] if is_other else value


def copied(value: Any) -> Any:
    """A deep copy, so that a function that writes into its arguments can be called again; else the value itself."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value
