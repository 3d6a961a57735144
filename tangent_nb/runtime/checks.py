"""What may come in and go out of a derivative: found when it is called, before any number is returned."""
from __future__ import annotations

import inspect
import random
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import ArgumentError, TangentError
from .changes_outside import note_attribute
from .containers import MAPPING, NAMED, SEQUENCE, article, described, holds_number, in_class, kind_of, own_way, unknown
from .persistent import PersistentArray
from .structure import without_values
from .waiting import waits


def differentiable(*values: Any, names: Sequence[str] = ()) -> Any:
    """The arguments that a derivative is taken for: an int of Python becomes a float, `float(x)`; refused what has no
    derivative.

    >>> differentiable(2)
    2.0
    >>> differentiable(2.0, np.arange(3))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the argument is an array of int64...: pass x.astype(float)
    """
    if len(values) == 1:
        value = values[0]
        return value if value.__class__ is float else _differentiable(value, names[0] if names else "")
    return tuple([
        value if value.__class__ is float
        else _differentiable(value, names[i] if names else "")
        for i, value in enumerate(values)])


def _differentiable(value: Any, name: str) -> Any:
    kind = type(value)
    if kind is np.ndarray and value.dtype.kind == "f":
        return value
    if not isinstance(value, np.ndarray):
        if isinstance(value, (float, np.floating)):
            return value
        if kind is int:
            return float(value)
    called = name or parameter(value)
    raise ArgumentError(f"{called} is {_no_number(value, called)}")


def of_floats(x: Any) -> Any:
    """The result of a function that `np.vectorize` or `np.apply_along_axis` calls, where it is of floats: what it gives
    for the first item says what the others become.

    >>> of_floats(2.0)
    2.0
    >>> of_floats(0)
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: NumPy rounds all results where the first one is an int, and here one is an int: ...
    """
    if isinstance(x, (float, np.floating)) or isinstance(x, np.ndarray) and x.dtype.kind == "f":
        return x
    raise ArgumentError(f"NumPy rounds all results where the first one is an int, and here one is {described(x)}: give "
                        "floats, or otypes=[float]")


def _no_number(value: Any, called: str) -> str:
    """What an argument is that has no derivative, and what to pass."""
    kind, name = type(value), "x" if " " in called else called
    if isinstance(value, np.ndarray):
        if kind is np.ndarray:
            return f"an array of {value.dtype}, which has no derivative: {_remedy(value.dtype, name)}"
        return f"a {kind.__name__}, which does not compute like an array: pass np.asarray({name})"
    if isinstance(value, PersistentArray):
        return ("a PersistentArray, and is used as an array: "
                f"pass np.array({name}), or annotate the parameter, {name}: tnb.PersistentArray")
    if isinstance(value, complex):
        return f"complex: {_remedy(np.dtype(complex), name)}"
    if isinstance(value, np.generic):
        remedy = _remedy(value.dtype, name) if value.dtype.kind == "c" else f"pass a float, float({name})"
        return f"a number of {value.dtype}, which has no derivative: {remedy}"
    if isinstance(value, bool):
        return f"a bool, which has no derivative: pass a float, float({name})"
    if kind_of(value) is not None:
        return f"{described(value)}, and is used as an array, or as a number: pass np.array({name}, float), " \
            f"unpack it (a, b = {name}), or annotate the parameter as a container"
    if own_way(value):
        return unknown(value)
    return f"{described(value)}, not a number: pass a float or an array of floats"


def parameter(value: Any, other: str = "the argument") -> str:
    """The name of the parameter that holds a value, in the derivative that is called."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("tangent_nb."):
        frame = frame.f_back
    code = frame.f_code
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    return next((name for name in names if frame.f_locals.get(name) is value), other)


def _remedy(dtype: np.dtype[Any], name: str) -> str:
    if dtype.kind == "c":
        return f"pass its real and imaginary part, {name}.real and {name}.imag"
    return f"pass {name}.astype(float)"


def seed(y: Any) -> Any:
    """The seed 1 of a gradient, in the dtype of the result `y`; refused unless `y` is one real floating number.

    >>> seed(2.5)
    1.0
    >>> seed(np.ones(3))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the function returned an array of shape (3,); a gradient needs a single number...
    """
    if y.__class__ is float:
        return 1.0
    if isinstance(y, (np.ndarray, PersistentArray)) and y.ndim:
        raise ArgumentError(f"the function returned an array of shape {y.shape}; a gradient needs a single number "
                            "(a scalar): use vjp with a seed, or jacobian; or return its sum")
    _check_output(y)
    return y.dtype.type(1) if isinstance(y, (np.ndarray, np.generic)) else 1.0


def _check_output(y: Any) -> None:
    if isinstance(y, (np.ndarray, np.generic, PersistentArray)):
        if y.dtype.kind == "f":
            return
        what = f"{'an array' if np.ndim(y) else 'a number'} of {y.dtype}"
    elif isinstance(y, float):
        return
    elif kind_of(y) is not None:
        raise ArgumentError(f"the function returned {described(y)}; a gradient needs a single number (a scalar): "
                            "use vjp with a seed of its structure")
    else:
        what = described(y)
    raise ArgumentError(f"the function returned {what}, which is not differentiable: "
                        "return a float or an array of floats")


def check_seed(seed: Any, y: Any) -> Any:
    """The seed of `vjp`, if it has the structure, the shapes and the kind of the result `y`, in the dtypes of `y`.

    >>> check_seed((1, 2.0), (0.5, 0.5))
    (1.0, 2.0)
    >>> check_seed(np.ones(2), np.ones(3))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the seed has shape (2,), the result has shape (3,)...
    """
    if kind_of(y) is None:
        check_result(y)
    return _match(seed, y, "seed", "result")


def check_result(y: Any) -> None:
    """Refuses a result that holds no derivative at all: integers, truth values, text.

    >>> check_result(3)
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the function returned an int, which is not differentiable: return a float or an ...
    """
    if isinstance(y, (np.ndarray, np.generic)) and y.dtype.kind == "c" or kind_of(y) is not None:
        return
    _check_output(y)


def check_floating(a: Any, name: str) -> None:
    """Refuses a list, for which the code would be another, and what `check_stored` refuses.

    >>> check_floating(np.zeros(2, int), "a")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a is an array of int64, and a value with a derivative is stored in it: make it ...
    """
    if isinstance(a, list):
        raise ArgumentError(f"{name} is a list, and a value with a derivative is stored in it as in an array: "
                            "make it an array, np.array(...)")
    check_stored(a, name)


def check_stored(a: Any, name: str) -> None:
    """Refuses an array of integers or truth values for a value with a derivative to be stored in.

    >>> check_stored([2, 1], "a")
    """
    if isinstance(a, np.ndarray) and a.dtype.kind not in "fc":
        raise ArgumentError(f"{name} is an array of {a.dtype}, and a value with a derivative is stored in it: "
                            "make it an array of floats")


def check_copies(a: Any, name: str) -> None:
    """Refuses an array of objects that an array is stored in: it holds that itself, and no copy.

    >>> check_copies(np.zeros(2), "a")
    >>> check_copies(np.array([None, None]), "a")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a is an array of objects, which holds what is stored in it, and no copy: make ...
    """
    if isinstance(a, np.ndarray) and a.dtype.kind == "O":
        raise ArgumentError(f"{name} is an array of objects, which holds what is stored in it, and no copy: "
                            "make it a list, or an array of floats")


def check_counter(x: Any, name: str) -> None:
    """Refuses `x.name += v` of an object that others may hold, where more happens by that than that it holds another
    number: of a list, or an array, which change; by a property, or a `__setattr__`.

    >>> class Problem:
    ...     calls = 0
    >>> check_counter(Problem(), "calls")
    """
    check_settable(x, name)
    if not waits(value := getattr(x, name, 0)):            # what the text has put there, which it has a variable for
        check_settable(x, name, value)


def check_settable(x: Any, name: str, value: Any = None) -> None:
    """Refuses that an attribute is assigned of an object that others may hold, where its class runs code then, and
    where what is assigned is no number, text or None: it might change in place, under whatever name.

    >>> class Layer:
    ...     pass
    >>> check_settable(Layer(), "last", 1.0)
    >>> check_settable(Layer(), "last", [1.0])
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: last of an object that others may hold is a list: only numbers, texts and None ...
    """
    kind = type(x)
    found = inspect.getattr_static(x, name, None) if isinstance(x, type) else in_class(kind, name)
    runs_code = hasattr(type(found), "__set__") and not isinstance(found, types.MemberDescriptorType)
    reads, writes = in_class(kind, "__getattribute__"), in_class(kind, "__setattr__")
    written = isinstance(reads, types.FunctionType) or isinstance(writes, types.FunctionType)
    if runs_code or written or in_class(kind, "__getattr__") is not None:
        raise ArgumentError(f"{name} of {article(kind.__name__)} is assigned, and its class runs code then: "
                            "keep the value in a variable, and return it")
    if not unchanging(value):
        raise ArgumentError(f"{name} of an object that others may hold is {described(value)}: only numbers, texts and "
                            "None are assigned there; keep it in a variable, and return it")
    note_attribute(x, name)


def unchanging(value: Any) -> bool:
    """A number, a text or None.

    >>> unchanging(2.0), unchanging(np.zeros(2))
    (True, False)
    """
    return isinstance(value, (int, float, complex, str, bytes, np.generic, type(None)))


def check_tangent(dx: Any, x: Any) -> Any:
    """The tangent of `jvp`, if it has the shape and the kind of the argument `x`, in the dtype of `x`.

    >>> check_tangent(1, 0.5)
    1.0
    """
    return _match(dx, x, "tangent", "argument")


def check_inserted(g: Any, y: Any) -> None:
    """Refuses what code under `insert_grad_of` makes of a cotangent, if it is none of the variable `y`.

    >>> check_inserted(np.ones(2), np.zeros(3))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: the cotangent under insert_grad_of has shape (2,), the variable has shape (3,)...
    """
    _match(g, y, "cotangent under insert_grad_of", "variable")


def _match(v: Any, y: Any, what: str, of: str) -> Any:
    if v.__class__ is y.__class__ is float:
        return v
    if kind_of(y) is not None:
        return _match_container(v, y, what, of)
    if not isinstance(y, (float, np.inexact)) \
            and not (isinstance(y, (np.ndarray, PersistentArray)) and y.dtype.kind in "fc"):
        return 0.0                                # a part of the result that holds no derivative: any seed will do
    if isinstance(v, str) or v is None or kind_of(v) is not None:
        raise ArgumentError(f"the {what} is {described(v)}, the {of} is {_describe(y)}: pass a {what} of its shape")
    dtype = getattr(y, "dtype", np.dtype(float))
    array = np.asarray(v)
    if array.dtype.kind not in "biuf" and array.dtype.kind != dtype.kind:
        raise ArgumentError(f"the {what} is of {array.dtype}, the {of} of {dtype}: pass a {what} of floats")
    if array.shape != np.shape(y):
        raise ArgumentError(f"the {what} has shape {array.shape}, the {of} has shape {np.shape(y)}: "
                            "they must be the same")
    if isinstance(y, PersistentArray):
        return PersistentArray(array.astype(dtype))
    if isinstance(y, np.ndarray) and y.ndim:
        return array.astype(dtype, copy=False)
    return dtype.type(array[()]) if hasattr(y, "dtype") else float(array)


def _match_container(v: Any, y: Any, what: str, of: str) -> Any:
    kind, given = kind_of(y), kind_of(v)
    assert kind is not None
    parts = kind.parts(y)
    if kind in (SEQUENCE, NAMED):
        if given not in (SEQUENCE, NAMED) or len(v) != len(y):
            raise ArgumentError(f"the {of} is {described(y)} of {len(y)}: "
                                f"pass a {what} for each, as a {type(y).__name__}")
        items = dict(zip(parts, v, strict=True))
    else:
        items = {} if given is None else given.parts(v)
        if (given is MAPPING) != (kind is MAPPING) or items.keys() != parts.keys():
            names = (f"the {'keys' if kind is MAPPING else 'parts'} of the {of}: "
                     f"pass {described(y) if kind is not MAPPING else 'a dict'}")
            raise ArgumentError(f"the {what} has not {names} with {sorted(map(str, parts))}")
    return without_values(kind.build(y, {key: _match_part(items[key], part, what, of) for key, part in parts.items()}))


def _match_part(v: Any, y: Any, what: str, of: str) -> Any:
    """The seed or tangent of what a container holds: of an int that is an argument, a float;
    of what holds no number, None."""
    if isinstance(y, (bool, np.bool_)):
        return 0.0
    if kind_of(y) is None and not holds_number(y):
        return None
    if of == "argument" and isinstance(y, (int, np.integer)):
        return 0.0 if v is None else _match(v, 0.0, what, of)
    return _match(v, y, what, of)


def _describe(y: Any) -> str:
    return f"an array of shape {y.shape}" if np.ndim(y) else "a number"


def real_only(x: Any) -> Any:
    """`x` itself, as an array if it is a list; refused where it is complex, as its norm, variance or order is not
    differentiated.

    >>> real_only(2.0)
    2.0
    """
    if np.iscomplexobj(x):
        raise ArgumentError("this function of complex numbers is not differentiated: use z.real, z.imag and np.abs(z)")
    return np.asarray(x) if isinstance(x, (list, tuple)) else x


def check_generator(g: Any, name: str) -> None:
    """Refuses what draws no random numbers, where the draws of `g` are constants;
    None, in whose place one may be made, is let through.

    >>> check_generator(np.random.default_rng(0), "rng")
    """
    if g is not None and not isinstance(g, (np.random.Generator, np.random.RandomState, random.Random)):
        raise ArgumentError(f"{name} is taken for a generator of random numbers, and is a {type(g).__name__}: "
                            "pass what it gives as an argument")


def check_completed(done: bool) -> None:
    """Refuses to go on where a context manager has swallowed an exception.

    >>> check_completed(False)
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: a context manager (with) has swallowed an exception: what was done before it is ...
    """
    if not done:
        raise TangentError("a context manager (with) has swallowed an exception: what was done before it is not known; "
                           "write try and except, or contextlib.suppress")


def check_errstate() -> None:
    """Refuses `np.errstate(all="raise")` and the like where a handler would see an array that is changed half.

    >>> with np.errstate(over="raise"):
    ...     check_errstate()
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: np.errstate makes NumPy raise errors, and an array is changed in place inside of ...
    """
    if "raise" in np.geterr().values() or "call" in np.geterr().values():
        raise TangentError("np.errstate makes NumPy raise errors, and an array is changed in place inside of a try: "
                           "write y = y + ..., or change it outside of the try")


@contextmanager
def uncaught() -> Iterator[None]:
    """Around tangents in a `try`: what arithmetic raises in them is no exception of the function,
    and its handlers do not take it.

    >>> with uncaught():
    ...     dy = 1.0 / 0.0
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: the tangent raises ZeroDivisionError (float division by zero) in a try, where ...
    """
    try:
        yield
    except ArithmeticError as error:
        raise TangentError(f"the tangent raises {type(error).__name__} ({error}) in a try, where the function does "
                           "not: there is no derivative there, or write the operation outside of the try") from error
