"""What may come in and go out of a derivative: found when it is called, before any number is returned."""
from __future__ import annotations

import functools
import random
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ArgumentError, TangentError
from .containers import MAPPING, NAMED, NUMBERS, SEQUENCE, described, held_by, holds_number, kind_of
from .persistent import PersistentArray
from .relinking import forget


def differentiable(*values: Any, names: Sequence[str] = ()) -> Any:
    """The arguments that a derivative is taken for: a Python int becomes a float; refused what has no derivative.

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


def _no_number(value: Any, called: str) -> str:
    """What an argument is that has no derivative, and what to pass."""
    kind, name = type(value), "x" if " " in called else called
    if isinstance(value, np.ndarray):
        if kind is np.ndarray:
            return f"an array of {value.dtype}, which has no derivative: {_remedy(value.dtype, name)}"
        return f"a {kind.__name__}, which does not compute like an array: pass np.asarray({name})"
    if isinstance(value, PersistentArray):
        return f"a PersistentArray, and is used as an array: pass np.array({name}), or annotate the parameter, {name}: tnb.PersistentArray"
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
    tangent_nb.errors.ArgumentError: the function returned an int, which is not differentiable: return a float or an array of floats
    """
    if isinstance(y, (np.ndarray, np.generic)) and y.dtype.kind == "c" or kind_of(y) is not None:
        return
    _check_output(y)


def check_floating(a: Any, name: str) -> None:
    """Refuses a list, for which the code would be another, and what `check_stored` refuses.

    >>> check_floating(np.zeros(2, int), "a")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a is an array of int64, and a value with a derivative is stored in it: make it an array of floats
    """
    if isinstance(a, list):
        raise ArgumentError(f"{name} is a list, and a value with a derivative is stored in it as in an array: make it an array, np.array(...)")
    check_stored(a, name)


def check_stored(a: Any, name: str) -> None:
    """Refuses an array without dimensions, or of integers or truth values, for a value with a derivative to be stored in.

    >>> check_stored([2, 1], "a")
    """
    if isinstance(a, np.ndarray) and a.ndim == 0:
        raise ArgumentError(f"{name} is an array without dimensions, and is changed in place: write {name} = ...")
    if isinstance(a, np.ndarray) and a.dtype.kind not in "fc":
        raise ArgumentError(f"{name} is an array of {a.dtype}, and a value with a derivative is stored in it: make it an array of floats")


def check_tangent(dx: Any, x: Any) -> Any:
    """The tangent of `jvp`, if it has the shape and the kind of the argument `x`, in the dtype of `x`.

    >>> check_tangent(1, 0.5)
    1.0
    """
    return _match(dx, x, "tangent", "argument")


def _match(v: Any, y: Any, what: str, of: str) -> Any:
    if v.__class__ is y.__class__ is float:
        return v
    if kind_of(y) is not None:
        return _match_container(v, y, what, of)
    if not isinstance(y, (float, np.inexact)) and not (isinstance(y, (np.ndarray, PersistentArray)) and y.dtype.kind in "fc"):
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
            raise ArgumentError(f"the {of} is {described(y)} of {len(y)}: pass a {what} for each, as a {type(y).__name__}")
        items = dict(zip(parts, v, strict=True))
    else:
        items = {} if given is None else given.parts(v)
        if (given is MAPPING) != (kind is MAPPING) or items.keys() != parts.keys():
            names = f"the {'keys' if kind is MAPPING else 'parts'} of the {of}: pass {described(y) if kind is not MAPPING else 'a dict'}"
            raise ArgumentError(f"the {what} has not {names} with {sorted(map(str, parts))}")
    return kind.build(y, {key: _match_part(items[key], part, what, of) for key, part in parts.items()})


def _match_part(v: Any, y: Any, what: str, of: str) -> Any:
    """The seed or tangent of what a container holds: of an int that is an argument, a float; of what holds no number, None."""
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
    """`x` itself; refused where it is complex, as its norm, variance or order is not differentiated.

    >>> real_only(2.0)
    2.0
    """
    if np.iscomplexobj(x):
        raise ArgumentError("this function of complex numbers is not differentiated: use z.real, z.imag and np.abs(z)")
    return x


def check_number(x: Any, name: str) -> None:
    """Refuses an array, or a container, under a name whose memory is, or may be, changed in place while others hold it.

    >>> check_number(np.ones(2), "y")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: y is an array which another variable, or the caller, holds too, and is changed in place: ...
    """
    if isinstance(x, (np.ndarray, list, tuple, dict, set)):
        raise ArgumentError(f"{name} is {described(x)} which another variable, or the caller, holds too, and is changed in place: "
                            f"write {name} = {name} {'|' if isinstance(x, dict) else '+'} ..., or take a fresh copy first")


def check_apart(x: Any, others: Sequence[Any], names: Sequence[str]) -> None:
    """Refuses an argument that is changed in place where another argument, or a variable outside, shares its memory. names: of all.

    >>> x = np.ones(3)
    >>> check_apart(x, (2.0, np.ones(3)), ("x", "n", "y"))
    >>> check_apart(x, (x[1:],), ("x", "y"))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: x is changed in place, and y shares its memory: pass a copy of one of them
    """
    if not isinstance(x, np.ndarray):
        if kind_of(x) is not None or not isinstance(x, NUMBERS):
            raise ArgumentError(f"{names[0]} is changed in place, which is done for arrays, and it is {described(x)}: pass an array")
        return
    for other, name in zip(others, names[1:], strict=True):
        if _may_hold(other, x, ()):
            raise ArgumentError(f"{names[0]} is changed in place, and {name} shares its memory: pass a copy of one of them")


def check_kept(v: Any, x: Any, name: str) -> None:
    """Refuses to change `x` where `v`, which stands for itself in the derivative, would change with it. name: of v.

    >>> A = np.eye(2)
    >>> check_kept(A[1], A[0], "A[1]")
    >>> check_kept(A[0], A[0], "A[0]")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: A[0] is, or holds, a view of what is changed in place, and would change too: copy it first
    """
    if _may_hold(v, x, ()) if isinstance(x, np.ndarray) else isinstance(v, np.ndarray) and _may_hold(x, v, ()):
        raise ArgumentError(f"{name} is, or holds, a view of what is changed in place, and would change too: copy it first")


def check_generator(g: Any, name: str) -> None:
    """Refuses what draws no random numbers, where the draws of `g` are constants; None, in whose place one may be made, is let through.

    >>> check_generator(np.random.default_rng(0), "rng")
    """
    if g is not None and not isinstance(g, (np.random.Generator, np.random.RandomState, random.Random)):
        raise ArgumentError(f"{name} is taken for a generator of random numbers, and is a {type(g).__name__}: pass what "
                            "it gives as an argument")


def check_overlap(x: Any, v: Any, text: str, index: Any = None) -> None:
    """Refuses to store `v` in a part `x` of the same array, of one axis, with another stride, or where a mask says, or as an item of a list:
    NumPy stores some of the numbers before it has read them. text: of the statement; index: into x, where the part may be none that is a view.

    >>> A = np.eye(3)
    >>> check_overlap(A[:, 0], A[:, 1], "A[:, 0] = A[:, 1]")
    >>> check_overlap(A[:, 2], A[1], "A[:, 2] = A[1]")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: A[:, 2] = A[1] stores in numbers that it has yet to read, and NumPy does not copy them first: ...
    """
    if index is not None and all(isinstance(one, (int, np.integer, slice, types.EllipsisType, types.NoneType)) and not isinstance(one, bool)
                                 for one in (index if isinstance(index, tuple) else (index,))):
        x, index = x[index], None
    if isinstance(v, (list, tuple)):
        for item in v if index is None else ():
            if isinstance(item, (list, tuple)):
                check_overlap(x, item, text)
            elif isinstance(item, np.ndarray) and np.shares_memory(x, item):
                raise ArgumentError(f"{text} stores in numbers that it has yet to read, and NumPy does not copy them first: make an array of "
                                    "the list, np.array(...)")
        return
    if not isinstance(x, np.ndarray) or not isinstance(v, np.ndarray) or not v.ndim or not np.may_share_memory(x, v):
        return
    masked = index is not None and any(np.asarray(one).dtype == bool for one in (index if isinstance(index, tuple) else (index,))
                                       if isinstance(one, (np.ndarray, list)))
    if masked and np.shares_memory(x, v) or index is None and _stored_too_early(x, v):
        raise ArgumentError(f"{text} stores in numbers that it has yet to read, and NumPy does not copy them first: take a copy, "
                            f"{text}.copy()")


def _stored_too_early(x: Any, v: Any) -> bool:
    """Some number of v is stored in before it is read, in the order in which NumPy copies along one axis (numpy/_core/src/multiarray,
    raw_array_assign_array): from the front, or from the back where v begins before x and reaches into it. Parts of several axes, and those
    of opposite strides, it copies first; equal strides are right in that order."""
    if x.ndim != 1 or min(x.size, v.shape[-1]) < 2 or x.strides[0] * v.strides[-1] <= 0 or x.strides[0] == v.strides[-1]:
        return False
    if x.strides[0] < 0:
        x, v = x[::-1], v[..., ::-1]
    n, step, other = x.size, x.strides[0], v.strides[-1]
    ahead = x.__array_interface__["data"][0] - v.__array_interface__["data"][0]
    at, rest = np.divmod(ahead + step * np.arange(n), other)       # the number of v that lies where each number of x does
    later = at < np.arange(n) if 0 < ahead < n * other else at > np.arange(n)
    return bool(np.any((rest == 0) & later & (0 <= at) & (at < n)))


def check_view(v: Any, name: str, x: Any = None) -> None:
    """Refuses a number where the text has taken a part for an array, which is changed where it stands. x: the array that is reshaped for the
    part, which must be none of a copy, as it is with its cotangent, whose memory is in the order of C.

    >>> check_view(np.ones((2, 2))[0], "row")
    >>> check_view(np.ones(2)[0], "row")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: row is taken for a part of an array that is changed in place, and it is a float64: write row = row + ...
    >>> A = np.ones((2, 2))
    >>> check_view(A.reshape(-1), "v", A)
    """
    if not isinstance(v, np.ndarray):
        raise ArgumentError(f"{name} is taken for a part of an array that is changed in place, and it is {described(v)}: "
                            f"write {name} = {name} + ...")
    if x is not None and not (isinstance(x, np.ndarray) and x.ndim and x.flags.c_contiguous and (x.size == 0 or np.may_share_memory(v, x))):
        raise ArgumentError(f"{name} may be a copy: the numbers of the array that it is made of do not lie one behind the other in memory. "
                            "Make that array with .copy(), or take a copy of it, .reshape(...).copy(), and store that")


def check_growing(x: Any, others: Sequence[Any], names: Sequence[str]) -> None:
    """Refuses an argument to which numbers are appended, unless it is a list that no other argument, and no variable outside, is or holds.

    >>> log = []
    >>> check_growing(log, (2.0, []), ("log", "x", "y"))
    >>> check_growing(log, ({"log": log},), ("log", "p"))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: log grows, and p is, or holds, the same list: pass another list
    """
    if type(x) is not list:
        raise ArgumentError(f"{names[0]} grows by .append, which is done for lists, and it is {described(x)}: pass a list")
    for other, name in zip(others, names[1:], strict=True):
        if _holds(other, x, ()):
            raise ArgumentError(f"{names[0]} grows, and {name} is, or holds, the same list: pass another list")


def _holds(value: Any, x: Any, around: tuple[int, ...]) -> bool:
    kind = None if id(value) in around else kind_of(value)
    return value is x or kind is not None and any(_holds(part, x, (*around, id(value))) for part in kind.parts(value).values())


def _may_hold(value: Any, x: Any, around: tuple[int, ...]) -> bool:
    """A value shares memory with an array, or holds something that does, or that cannot be looked into."""
    if isinstance(value, np.ndarray):
        return value.dtype.hasobject or np.shares_memory(value, x)
    plain = (*NUMBERS, str, bytes, range, slice, type, types.ModuleType, Helper, set, frozenset)       # arrays have no hash
    if value is None or isinstance(value, plain) or id(value) in around:
        return False
    kind = kind_of(value)
    if kind is not None:
        parts = list(kind.parts(value).values())
    elif callable(value):
        parts = _behind(value)
    else:
        return True
    return any(_may_hold(part, x, (*around, id(value))) for part in parts)


def _behind(function: Any) -> list[Any]:
    """What a function or a method was made with."""
    defaults = [*(getattr(function, "__defaults__", None) or ()), *(getattr(function, "__kwdefaults__", None) or {}).values()]
    return [*held_by(function).values(), *defaults, getattr(function, "__self__", None), getattr(function, "__wrapped__", None)]


def check_completed(done: bool) -> None:
    """Refuses to go on where a context manager has swallowed an exception.

    >>> check_completed(False)
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: a context manager (with) has swallowed an exception: what was done before it is not known; write ...
    """
    if not done:
        raise TangentError("a context manager (with) has swallowed an exception: what was done before it is not known; "
                           "write try and except, or contextlib.suppress")


def check_errstate() -> None:
    """Refuses `np.errstate(all="raise")` and the like where a handler would see an array that is changed half.

    >>> with np.errstate(over="raise"):
    ...     check_errstate()
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: np.errstate makes NumPy raise errors, and an array is changed in place inside of a try: write ...
    """
    if "raise" in np.geterr().values() or "call" in np.geterr().values():
        raise TangentError("np.errstate makes NumPy raise errors, and an array is changed in place inside of a try: write y = y + ..., "
                           "or change it outside of the try")


@contextmanager
def uncaught() -> Iterator[None]:
    """Around tangents in a `try`: what arithmetic raises in them is no exception of the function, and its handlers do not take it.

    >>> with uncaught():
    ...     dy = 1.0 / 0.0
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: the tangent raises ZeroDivisionError (float division by zero) in a try, where the function does not...
    """
    try:
        yield
    except ArithmeticError as error:
        raise TangentError(f"the tangent raises {type(error).__name__} ({error}) in a try, where the function does not: "
                           "there is no derivative there, or write the operation outside of the try") from error


@dataclass(frozen=True)
class Helper:
    """A function, a class or a partial whose text a derivative was made from, as it was then. members: what the class, or the partial, is
    made of."""

    name: str
    function: Any
    code: types.CodeType | None
    defaults: Any
    cells: tuple[Any, ...]
    members: tuple[tuple[Any, ...], ...] = ()


def snapshot(name: str, function: Any) -> Helper:
    """A function as it is now: its code, defaults and what its cells hold."""
    code = getattr(function, "__code__", None)
    of_scipy = type(function) is types.MethodType and type(function.__self__).__module__.startswith("scipy.")       # whose code is one for all
    if not isinstance(code, types.CodeType) or of_scipy:
        return Helper(name, function, None, None, (), _members(function))
    return Helper(name, function, code, _defaults(function), tuple(held_by(function).values()))


def _defaults(function: Any) -> tuple[Any, Any]:
    return function.__defaults__, dict(function.__kwdefaults__ or {})


def _members(value: Any) -> tuple[tuple[Any, ...], ...]:
    """What a class computes with, the classes above it too; what a partial is bound to. Plain attributes are read when they are needed."""
    if isinstance(value, functools.partial):
        code, defaults = getattr(value.func, "__code__", None), getattr(value.func, "__defaults__", None)
        return (value.func, code, defaults, *value.args), tuple(item for pair in value.keywords.items() for item in pair)
    if not isinstance(value, type):
        return ()
    found: list[tuple[Any, ...]] = [(*value.__mro__, getattr(value, "__match_args__", None))]
    for owner in value.__mro__[:-1]:
        for name, member in vars(owner).items():
            if hasattr(type(member), "__get__"):
                inner = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
                found.append((owner, name, member, getattr(inner, "__code__", None), getattr(inner, "__defaults__", None)))
    return tuple(found)


def _same_members(a: tuple[tuple[Any, ...], ...], b: tuple[tuple[Any, ...], ...]) -> bool:
    return len(a) == len(b) and all(len(p) == len(q) and all(x is y or _equal(x, y) for x, y in zip(p, q)) for p, q in zip(a, b))


def check_helpers(helpers: Sequence[Helper], *functions: Any) -> None:
    """Refuses to go on where a function called by the primal is not the one that the derivative was made from.

    >>> def h(x): return x * x
    >>> check_helpers((snapshot("h", h),), h)
    """
    for helper, function in zip(helpers, functions):
        function = getattr(function, "__func__", function) if helper.code is not None else function        # of a method
        if function is helper.function and (helper.code is None and _same_members(helper.members, _members(function)) or helper.code is not None
                                            and function.__code__ is helper.code and _same(helper, function)):
            continue
        if helper.code is None or getattr(function, "__code__", None) != helper.code or not _same(helper, function):
            forget()
            raise TangentError(f"{helper.name} has been defined anew since this derivative was made: derive again")


def _same(helper: Helper, function: Any) -> bool:
    defaults, cells = _defaults(function), held_by(function).values()
    if helper.defaults is not defaults and not _equal(helper.defaults, defaults):
        return False
    return len(cells) == len(helper.cells) and all(a is b or _equal(a, b) for a, b in zip(helper.cells, cells))


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:                             # arrays, and whatever else compares in its own way
        return False
