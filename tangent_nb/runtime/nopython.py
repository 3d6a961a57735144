"""The entry of code that Numba compiles: what it can be given, and where it cannot be compiled.

Needs what Numba has made of a function of generated text. Promises what that gives; what cannot be compiled is refused
at the user's line that it is of.
"""
from __future__ import annotations

import builtins
import operator
import re
import sys
import types
from typing import Any

import numpy as np

from ..errors import ArgumentError, Refusal, RefusedError, TangentError

LARGEST = 2 ** 31              # compiled code multiplies two smaller ones in 64 bits
SHOWN = 150                    # characters of what Numba says
PYTHONS = "f8 i8 b1"            # the dtypes of numbers that Python has too
ARRAYS = frozenset(np.dtype(code).str for code in PYTHONS.split())
NUMBERS = frozenset(type(one) for one in (0.0, 0, False, np.float64(0.0), np.int64(0), np.False_))


def python_numbers(*values: Any) -> Any:
    """The arguments, numbers of NumPy that are Python's as such: of both is the same compiled.

    >>> python_numbers(np.float64(2.0), np.int64(3), 1.0)
    (2.0, 3, 1.0)
    """
    for value in values:
        if isinstance(value, np.generic):
            values = tuple([one.item() if isinstance(one, np.generic) and one.dtype.str[1:] in PYTHONS else one
                            for one in values])
            break
    return values if len(values) > 1 else values[0]


def integer(n: Any) -> int:
    """A bound of a range or slice, which is an int: `operator.index(n)`.

    >>> integer(3)
    3
    """
    return operator.index(n)


Meant = tuple[dict[str, Any], str, Any]


def outside_of(function: Any) -> tuple[Meant, ...]:
    """The modules that a compiled function names, and those that it calls, and the builtins: the globals where they are
    looked up, the name, and what it means; None for a builtin."""
    waiting, seen = [function], {id(function)}
    found: list[Meant] = []
    while waiting:
        one = waiting.pop().py_func
        space = one.__globals__
        for name in one.__code__.co_names:
            if isinstance(value := space.get(name), types.ModuleType) or name not in space and hasattr(builtins, name):
                found.append((space, name, value))
        for other in [cell.cell_contents for cell in one.__closure__ or () if cell != types.CellType()]:
            if hasattr(other, "py_func") and id(other) not in seen:
                seen.add(id(other))
                waiting.append(other)
    return tuple(found)


def nopython(function: Any, /, *arguments: Any) -> Any:
    """What a compiled function gives. Each int that it is given has at most 31 bits, so that products of two do not
    wrap around."""
    for one in arguments:
        kind = one.__class__
        if kind is int and not -LARGEST < one < LARGEST:
            raise ArgumentError(f"compiled code takes ints of 31 bits, and is given {one}: "
                                "give a float, or compile=None")
        if kind is np.ndarray and one.dtype.str not in ARRAYS or kind is not np.ndarray and kind not in NUMBERS:
            made = f"an array of {one.dtype}" if kind is np.ndarray else f"an object of class {kind.__name__}"
            raise ArgumentError(f"compiled code takes numbers and arrays of 64 bits, and is given {made}: "
                                "convert it, or compile=None")
    meanings = getattr(function, "outside", None)
    if meanings is None:                                   # it came from another process
        meanings = function.outside = outside_of(function)
    for space, name, meant in meanings:
        if space.get(name) is not meant:
            raise TangentError(f"{name} means something else now than when this derivative was made: derive again")
    try:
        return function(*arguments)
    except Exception as error:
        if tuple(map(sys.modules["numba"].typeof, arguments)) in function.overloads:
            raise
        refusal = not_compiled(function, error)
    raise refusal


def not_compiled(function: Any, error: Exception) -> RefusedError:
    """Why a function is not compiled, at the line of the user's that Numba's error says."""
    code = function.py_func.__code__
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    if said and said[0].startswith("Failed in"):
        said = said[1:]
    if not said or not isinstance(error, sys.modules["numba"].core.errors.NumbaError):
        said = ["it does not say why"]                     # an error of its own code
    why = re.sub(r"<(?:built-in )?function (\w+)[^>]*>", r"\1", said[0])[:SHOWN]
    line = getattr(getattr(error, "loc", None), "line", None)
    known = [int(number) for name, number in re.findall(r'File "([^"]*)", line (\d+)', str(error))
             if code.co_filename.endswith(name.rpartition("/")[2])]
    number = known[-1] if known else line if line is not None else code.co_firstlineno
    step: Any = types.SimpleNamespace(f_code=code)
    refusal = Refusal(None, f"Numba does not compile this: {why}", "the same in loops and numbers, or compile=None")
    return RefusedError("this call in nopython mode", [refusal], [(step, number)])
