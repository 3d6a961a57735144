"""Arguments of other sizes, as a text for examples says that it takes them."""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from corpus import Entry
from oracles import fresh


def resized(made: str, entry: Entry, seed: int) -> list[Any] | None:
    """Arguments of other sizes that are made so; None where no size may be another."""
    kinds = dict(re.findall(r"(\w+): (\w+\[[^]]*\])", made))
    letters = sorted({letter for kind in kinds.values() for letter in re.findall(r"[a-z_]\w*", kind.partition("[")[2])})
    rng = np.random.default_rng(seed)
    numbers = {letter: int(rng.integers(2, 7)) for letter in letters}
    arguments = []
    for name, argument in zip(parameters(entry), entry.args, strict=False):
        if name in kinds and isinstance(argument, np.ndarray):
            axes = kinds[name].partition("[")[2][:-1]
            shape = tuple(int(eval(axis, {}, dict(numbers))) for axis in axes.split(", ") if axis)
            if min(shape, default=0) < 0:
                return None
            argument = np.asarray(np.resize(argument, shape))
            if argument.dtype.kind == "f":
                argument = np.asarray(argument * rng.uniform(0.95, 1.05, shape), argument.dtype)
        arguments.append(argument)
    return arguments if letters else None


def parameters(entry: Entry) -> list[str]:
    code = entry.function.__code__
    return list(code.co_varnames[:code.co_argcount])


def called(function: Callable[..., Any], arguments: Any) -> Any:
    """What a function gives; the exception's class where it raises."""
    try:
        return function(*map(fresh, arguments))
    except Exception as error:
        return type(error)
