"""The functions and classes that a derivative was made from, as they were then: it is not run with others.

Needs what a text calls by name. Promises that a call of the derivative finds it as it was, or is refused.
"""
from __future__ import annotations

import builtins
import functools
import inspect
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..compiled import uncompiled
from ..errors import TangentError
from .containers import held_by
from .remembered import forget

FunctionType = types.FunctionType             # a name of the module is found sooner


@dataclass(frozen=True)
class Helper:
    """A function, a class or a partial whose text a derivative was made from, as it was then. members: what the class,
    or the partial, is made of; caller: the function that calls it by its name, where that is not the one around the
    check; glance: what tells soonest that a class is as it was, once it was found so."""

    name: str
    function: Any
    code: types.CodeType | None
    defaults: Any
    cells: tuple[Any, ...]
    members: tuple[tuple[Any, ...], ...] = ()
    caller: Any = None
    glance: Any = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "glance": None}           # it is found anew in another process

    def same_as(self, other: Helper) -> bool:
        """Both are one function, as it was then."""
        return self.function is other.function and self.code is other.code and _equal(self.defaults, other.defaults) \
            and len(self.cells) == len(other.cells) and all(a is b for a, b in zip(self.cells, other.cells)) \
            and _same_members(self.members, other.members)


def snapshot(name: str, function: Any, caller: Any = None) -> Helper:
    """A function as it is now: its code, defaults and what its cells hold."""
    code = getattr(function, "__code__", None)
    # whose code is one for all
    of_scipy = type(function) is types.MethodType and type(function.__self__).__module__.startswith("scipy.")
    if not isinstance(code, types.CodeType) or of_scipy:
        return Helper(name, function, None, None, (), _members(function), caller)
    return Helper(name, function, code, _defaults(function), tuple(held_by(function).values()), (), caller)


def _defaults(function: Any) -> tuple[Any, Any]:
    return function.__defaults__, dict(function.__kwdefaults__ or {})


def _members(value: Any) -> tuple[tuple[Any, ...], ...]:
    """What a class computes with, the classes above it too; what a partial is bound to.
    Plain attributes are read when they are needed."""
    if isinstance(value, functools.partial):
        code, defaults = getattr(value.func, "__code__", None), getattr(value.func, "__defaults__", None)
        return (value.func, code, defaults, *value.args), tuple(item for pair in value.keywords.items()
                                                                for item in pair)
    if not isinstance(value, type):
        return ()
    found: list[tuple[Any, ...]] = [(*value.__mro__, getattr(value, "__match_args__", None))]
    for owner in value.__mro__[:-1]:
        for name, member in vars(owner).items():
            if hasattr(type(member), "__get__") and not isinstance(member, types.GetSetDescriptorType):
                whole = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
                parts = (whole.fget, whole.fset, whole.fdel) if type(whole) is property else (whole,)
                found.append((owner, name, type(member), *(item for part in parts for item in _made_of(part))))
    return tuple(found)


def _made_of(value: Any) -> tuple[Any, ...]:
    """What a function computes with; another value itself. That of a property is made anew where it is sent to another
    process."""
    if not isinstance(value, types.FunctionType):
        return (value,)
    return value.__code__, value.__defaults__, value.__kwdefaults__, *held_by(value).values()


def _same_members(a: tuple[tuple[Any, ...], ...], b: tuple[tuple[Any, ...], ...]) -> bool:
    return len(a) == len(b) \
        and all(len(p) == len(q) and all(x is y or _equal(x, y) for x, y in zip(p, q)) for p, q in zip(a, b))


def check_helpers(helpers: Sequence[Helper], *functions: Any) -> None:
    """Refuses to go on where a function called by the primal is not the one that the derivative was made from.
    functions: the first of the helpers, as they are now; the others are called by functions that the primal calls.

    >>> def h(x): return x * x
    >>> check_helpers((snapshot("h", h),), h)
    """
    if len(helpers) > len(functions):
        functions = (*functions, *[called_by(one.caller, one.name) for one in helpers[len(functions):]])
    for helper, function in zip(helpers, functions):
        if function is helper.function and (                # nearly all, at each call
                function.__code__ is helper.code and function.__closure__ is None
                and function.__defaults__ is helper.defaults[0] and function.__kwdefaults__ is None
                and not helper.defaults[1] if function.__class__ is FunctionType
                else helper.glance is not None and _as_it_was(*helper.glance)
                or helper.code is None and not helper.members):
            continue
        function = uncompiled(getattr(function, "__func__", function) if helper.code is not None else function)
        if function is helper.function and helper.code is None and _same_members(helper.members, _members(function)):
            if isinstance(function, type):
                object.__setattr__(helper, "glance", _seen_at_a_glance(function))
            continue
        if function is helper.function and helper.code is not None and function.__code__ is helper.code \
                and _same(helper, function):
            continue
        if helper.code is None or getattr(function, "__code__", None) != helper.code or not _same(helper, function):
            forget()
            before, now = (getattr(one, "__qualname__", "") for one in (helper.function, function))
            what = f"is {now} now, and was {before} when" if "." in helper.name and before and now and before != now \
                else "has been defined anew since"
            raise TangentError(f"{helper.name} {what} this derivative was made: derive again")


def _seen_at_a_glance(cls: type) -> tuple[Any, ...]:
    """What tells at a glance that a class is as it was: what its classes hold, and the code of its functions."""
    owners = [(vars(owner), len(vars(owner)), tuple(vars(owner).items())) for owner in cls.__mro__[:-1]]
    functions = [function for _, _, items in owners for _, member in items for function in _functions_of_member(member)]
    return cls, cls.__mro__, owners, [(one, one.__code__, one.__defaults__, one.__kwdefaults__, _held_in_cells(one))
                                      for one in functions]


def _functions_of_member(member: Any) -> list[types.FunctionType]:
    whole = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
    parts = (whole.fget, whole.fset, whole.fdel) if type(whole) is property else (whole,)
    return [part for part in parts if isinstance(part, FunctionType)]


def _held_in_cells(function: types.FunctionType) -> tuple[Any, ...]:
    return tuple(held_by(function).values())


def _as_it_was(cls: type, mro: Any, owners: Any, functions: Any) -> bool:
    if cls.__mro__ is not mro:
        return False
    for space, count, items in owners:
        if len(space) != count:
            return False
        for name, member in items:
            if space.get(name) is not member:
                return False
    for one, code, defaults, more, cells in functions:
        if one.__code__ is not code or one.__defaults__ is not defaults or one.__kwdefaults__ is not more:
            return False
        if cells and any(a is not b for a, b in zip(_held_in_cells(one), cells)):
            return False
    return True


def taken_by(derivative: types.FunctionType) -> Iterator[tuple[Helper, types.FunctionType]]:
    """The functions that the text of a derivative takes for granted, as they were, each with the function of that text
    that calls it."""
    first = inspect.unwrap(derivative)
    waiting, seen = [first], {first}
    while waiting:
        function = waiting.pop()
        for value in held_by(function).values():
            if isinstance(value, types.FunctionType) and value.__code__.co_filename == first.__code__.co_filename \
                    and value not in seen:
                seen.add(value)
                waiting.append(value)
            elif isinstance(value, tuple):
                yield from ((one, function) for one in value if isinstance(one, Helper))


def called_by(caller: Any, path: str) -> Any:
    """What a function calls by a path now; None where that is nothing."""
    first, *names = path.split(".")
    cells = dict(zip(caller.__code__.co_freevars, caller.__closure__ or ()))
    try:
        value = cells[first].cell_contents if first in cells \
            else caller.__globals__.get(first, getattr(builtins, first, None))
    except ValueError:                                     # it is not bound now
        return None
    for name in names:
        value = getattr(value, name, None)
    return value


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
