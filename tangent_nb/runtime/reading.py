"""What functions read outside of them: a snapshot, for those that an adjoint calls again when the forward sweep has
long returned."""
from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..errors import TangentError
from .containers import held_by, is_of, kind_of, names_outside
from .remembered import name_of
from .structure import copy

LIBRARIES = ("numpy", "scipy", "jax", "jaxlib", "tangent_nb")


class Reading(NamedTuple):
    """found: what the functions read, by the function and the name there, as it was."""

    functions: tuple[Any, ...]
    found: dict[tuple[int, str], Any]


def reading(*functions: Any) -> Reading:
    """What functions read outside of them (`fn.__globals__`, `fn.__closure__`), and what those read that they call, as
    it is now.

    >>> integrand = eval("lambda x: x * rate[0]", {"rate": [1.0]})
    >>> list(reading(integrand).found.values())
    [[1.0]]
    """
    return Reading(functions, {place: copy(value) for place, _, value in _reached(functions)})


def check_reading(before: Reading) -> None:
    """Refuses to go on where a function would read something else now than it did.

    >>> rate = [1.0]; integrand = eval("lambda x: x * rate[0]", {"rate": rate})
    >>> before = reading(integrand); rate[0] = 2.0
    >>> check_reading(before)
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: rate, which a lambda reads, has changed since the forward sweep, and the ...
    """
    for place, reader, value in _reached(before.functions):
        if place not in before.found or not _unchanged(before.found[place], value):
            raise TangentError(f"{place[1]}, which {reader} reads, has changed since the forward sweep, "
                               "and the backward sweep calls that again: give it as an argument, args=(...)")


def read_by(function: Any) -> list[Any]:
    """What a function, and those that it calls, read outside of them, but for what runs.

    >>> rate = [1.0]
    >>> read_by(eval("lambda x: x * rate[0] + abs(x)", {"rate": rate}))
    [[1.0]]
    """
    return [value for _, value in named_by(function)]


def named_by(function: Any) -> list[tuple[str, Any]]:
    """The same, with the names there."""
    return [(name, value) for (_, name), _, value in _reached([function])
            if not isinstance(value, type) and not inspect.isroutine(value)]


def looked_into(function: Any) -> list[Any]:
    """All that a function may reach outside of it, with what that is made of."""
    return [*_looked_into([function])]


def check_unread(fn: Any, *changed: str) -> None:
    """Refuses a function that an adjoint calls again, and that reads one of the variables, or of the attributes, which
    the function that is differentiated changes.

    >>> check_unread(eval("lambda x: x * rate", {"rate": 1.0}), "rate")
    Traceback (most recent call last):
    tangent_nb.errors.TangentError: rate, which a lambda reads, is changed here, and the backward sweep calls that ...
    >>> check_unread(eval("lambda x: x * rate", {"rate": 1.0}), "mode")
    """
    for one in _looked_into([fn]):
        if isinstance(one, types.FunctionType):
            known = dict(meanings(one))
            data = {name for name, value in known.items() if not callable(value)} if "" in changed else set()
            for name in sorted(data | {*names_outside(one.__code__), *known}.intersection(changed)):
                raise TangentError(f"{name}, which {name_of(one)} reads, is changed here, and the backward sweep calls "
                                   "that again: give it as an argument, args=(...)")


def _reached(values: Any) -> Iterator[tuple[tuple[int, str], str, Any]]:
    """Places and values of what is read, with the names of the functions."""
    for one in _looked_into(values):
        if isinstance(one, types.MethodType):
            yield (id(one.__func__), "self"), name_of(one), one.__self__
        elif isinstance(one, types.FunctionType):
            yield from (((id(one), name), name_of(one), value) for name, value in meanings(one)
                        if not isinstance(value, types.ModuleType))


def _looked_into(values: Any) -> Iterator[Any]:
    """What runs where these are called, or may be read by that: functions of the user, with what they name, and of the
    classes of the objects among it the methods that are named, and those that run by themselves."""
    todo, names = list(values), set[str]()
    seen: dict[int, Any] = {}                              # which keeps them, and their ids
    methods: dict[str, list[Any]] = {}
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, types.FunctionType) and is_of(one.__module__, LIBRARIES):
            continue
        seen[id(one)] = one
        yield one
        if isinstance(one, types.MethodType):
            todo += [one.__func__, one.__self__]
        elif isinstance(one, types.BuiltinMethodType):
            todo.append(one.__self__)
        elif isinstance(one, types.FunctionType):
            names.update(names_outside(one.__code__))
            todo += [value for _, value in meanings(one) if not isinstance(value, types.ModuleType)]
            todo += vars(one).values()
        elif not isinstance(one, types.ModuleType):
            kind = kind_of(one)
            todo += [one.func] if isinstance(one, functools.partial) else []
            todo += [one.__wrapped__] if isinstance(one, functools._lru_cache_wrapper) else []
            todo += [vars(one).get("__init__")] if isinstance(one, type) else []
            todo += kind.parts(one).values() if kind is not None else []
            for name, method in _methods(one if isinstance(one, type) else type(one)):
                methods.setdefault(name, []).append(method)
        for name in [name for name in methods if name in names or name.startswith("__") and name != "__init__"]:
            todo += methods.pop(name)


def _methods(kind: type) -> Iterator[tuple[str, Any]]:
    """The functions of a class of the user, by the names by which its objects run them."""
    for base in kind.__mro__:
        if not is_of(base.__module__, LIBRARIES):
            for name, one in vars(base).items():
                found = [one, *(getattr(one, how, None) for how in ("__func__", "fget", "func")),
                         *(vars(type(one)).get(how) for how in ("__get__", "__set__"))]
                yield from ((name, fn) for fn in found if isinstance(fn, types.FunctionType))


def meanings(fn: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """What the names in a function stand for: globals, parts of modules and classes,
    variables of closures, defaults."""
    read = set(names_outside(fn.__code__))
    for name in sorted(read & fn.__globals__.keys()):
        value = fn.__globals__[name]
        yield name, value
        is_module = isinstance(value, types.ModuleType)
        home = value.__name__ if is_module else value.__module__ if isinstance(value, type) else None
        if home is not None and not is_of(home, LIBRARIES):
            yield from ((f"{name}.{part}", vars(value)[part]) for part in sorted(read & vars(value).keys()))
    yield from held_by(fn).items()
    yield from zip(fn.__code__.co_varnames[fn.__code__.co_argcount - len(fn.__defaults__ or ()):],
                   fn.__defaults__ or ())
    yield from sorted((fn.__kwdefaults__ or {}).items())


def _unchanged(a: Any, b: Any) -> bool:
    """A value is what it was, number by number; of what cannot be looked into, the same object."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    kind = kind_of(a)
    if kind is not None:
        first, second = kind.parts(a), kind.parts(b)
        return first.keys() == second.keys() and all(_unchanged(part, second[key]) for key, part in first.items())
    return isinstance(a, (int, float, complex, str, bytes, np.generic)) and bool(a == b or a != a and b != b)
