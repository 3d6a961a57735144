"""What a call runs that is known only when it is made: a function with a text, and the arguments that it is given.

Needs what is called, its arguments, and which of them carry a derivative. Promises the function, its arguments, the
places of those that carry one, and how their cotangents are those of what the call was written with.

    model.act(x)               act, where the class defines it, of (model, x); else what model holds as act, of (x,)
    partial(f, w)(x)           f of (w, x): the cotangent of the partial is one that binds that of w
    layer(x)                   the __call__ of its class, of (layer, x)
    kinds[name](w)             a function that makes an object of the class, of (w,)
"""
from __future__ import annotations

import functools
import inspect
import linecache
import types
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ..errors import TangentError
from .attributes import own_dict
from .computed import computed, found_above
from .containers import described, is_record, kind_of, names_outside
from .records import add_field, field
from .remembered import DERIVE, carries, name_of, parameters_of
from .structure import _parts, zeros_like

Active: TypeAlias = "Sequence[int | str]"
_CALLING: dict[int, dict[Any, Any]] = {}        # of functions with rows, which live as long as these
_MADE: weakref.WeakKeyDictionary[type, dict[tuple[int, tuple[str, ...]], Any]] = weakref.WeakKeyDictionary()


class method:
    """`method(name)(obj, *args)` is `obj.name(*args)`: the method of an object that is known when it is called.

    >>> method("upper")("a")
    'A'
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return getattr(args[0], self.name)(*args[1:], **keywords)


def dispatched(fn: Any, value: Any) -> Any:
    """What a function behind `functools.singledispatch` calls for its first argument.

    >>> import functools
    >>> dispatched(functools.singledispatch(len), "abc")("abc")
    3
    """
    return fn.dispatch(value.__class__)


def method_above(cls: type, x: Any, name: str) -> Any:
    """What `super().name` finds in a method of a class, as a function of the object.

    >>> class Line:
    ...     def at(self, t): return self.slope * t
    >>> class Steep(Line):
    ...     def at(self, t): return 2.0 * super().at(t)
    >>> method_above(Steep, Steep(), "at") is Line.at
    True
    """
    found = found_above(cls, x, name)
    if not isinstance(found, types.FunctionType):
        raise TangentError(f"super().{name} of {described(x)} is no method that is written as a function: "
                           f"call it by the name of its class, Base.{name}(...)")
    return found


@dataclass(frozen=True)
class Opened:
    """A call of a function with a text. places: of the arguments that carry a derivative; gathered: the cotangents of
    what the call was written with, from those of the places; spread: the tangents of the places, from those of what the
    call was written with."""

    fn: Any
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    places: tuple[int | str, ...]
    gathered: Callable[[Sequence[Any]], Sequence[Any]] = tuple
    spread: Callable[[Sequence[Any]], Sequence[Any]] = tuple


def opened(fn: Any, args: tuple[Any, ...], keywords: Mapping[str, Any], active: Active,
           closure: bool = False) -> Opened:
    """What a call runs. closure: what is called carries a derivative too, which comes first."""
    if isinstance(fn, method):
        return _of_object(fn.name, args, keywords, active)
    if isinstance(fn, computed):
        fn = fn.function_of(args[0])
    fn = making(fn, len(args), tuple(keywords))
    if type(fn) is functools.partial and isinstance(fn.func, method) and not closure:
        return opened(fn.func, (*fn.args, *args), {**fn.keywords, **keywords}, _moved(active, len(fn.args)))
    if not closure:
        return Opened(fn, args, dict(keywords), tuple(active))
    if type(fn) is functools.partial:
        return _of_partial(fn, args, keywords, active)
    if kind_of(fn) is not None:
        found = inspect.getattr_static(type(fn), "__call__", None)
        if not inspect.isfunction(found):
            raise TangentError(f"{described(fn)} is called, and the object is differentiated: "
                               "write it as a method, def __call__(self, ...)")
        return Opened(found, (fn, *args), dict(keywords), (0, *_moved(active, 1)))
    check_alone(fn)
    return Opened(fn, args, dict(keywords), tuple(active), lambda found: (zeros_like(fn), *found),
                  lambda given: given[1:])


def check_alone(fn: Any) -> None:
    """Refuses a function that is held by something differentiated, which may hold what the function reads too.

    >>> check_alone(abs)
    """
    if next(_read_alone(fn, set()), None) is not None:
        raise TangentError(f"{name_of(fn)} is called, which is held by something that is differentiated and reads "
                           "arrays or objects of its own: whether what is differentiated holds these too is not "
                           "known. Hold a functools.partial, which binds them")


def making(fn: Any, count: int, names: tuple[str, ...]) -> Any:
    """A function that calls a class, or a function with a row that has no text for so many arguments and keywords of
    these names: the text of it is derived. Whatever else is called is given back.

    >>> class Line:
    ...     def __init__(self, slope): self.slope = slope
    >>> making(Line, 1, ())(2.0).slope, making(abs, 1, ())
    (2.0, <built-in function abs>)
    """
    if type(fn) is type and is_record(fn):
        return _making(fn, count, names, _MADE.setdefault(fn, {}))
    row = DERIVE["row"](fn)
    if row is not None and (names or count > len(parameters_of(fn))):
        return _making(row, count, names, _CALLING.setdefault(id(row), {}))
    return fn


def _making(cls: Any, count: int, names: tuple[str, ...], known: dict[Any, Any]) -> Any:
    """A function that calls a class, or a function with a row, with so many arguments, and keywords of these names: the
    text of it is derived. It sees what the methods of the class see. known: those that were made."""
    if (count, names) not in known:
        own = [name for name in _written_parameters(cls) if name not in names]
        given = [own[i] if i < len(own) else f"value_{i}" for i in range(count)]
        called = cls.__name__ if cls.__name__ not in {*given, *names} else f"{cls.__name__}_called"
        taken = ", ".join([*given, *(f"{name}={name}" for name in names)])
        text = f"def outer({called}):\n" \
               f"    def {cls.__name__}_made({', '.join([*given, *names])}):\n" \
               f"        return {called}({taken})\n" \
               f"    return {cls.__name__}_made\n"
        place = f"<{cls.__module__}.{getattr(cls, '__qualname__', called)} of {taken}>"
        scope: dict[str, Any] = {}
        linecache.cache[place] = len(text), None, text.splitlines(True), place
        exec(compile(text, place, "exec"), scope)
        seen = next((one.__globals__ for kind in getattr(cls, "__mro__", ()) for one in vars(kind).values()
                     if isinstance(one, types.FunctionType)), scope)
        known[count, names] = types.FunctionType(scope["outer"].__code__, seen)(cls)
    return known[count, names]


def _written_parameters(fn: Any) -> list[str]:
    try:
        return list(inspect.signature(fn).parameters)
    except ValueError:                                     # a function written in C does not say
        return []


def _moved(active: Active, by: int) -> list[int | str]:
    return [one + by if isinstance(one, int) else one for one in active]


def _of_partial(fn: Any, args: tuple[Any, ...], keywords: Mapping[str, Any], active: Active) -> Opened:
    """What a `partial` calls: what it binds, and carries a derivative, comes first."""
    bound = [key for key, value in _parts(fn).items() if key not in keywords and carries(value)]
    given = set(parameters_of(fn.func)[len(fn.args):len(fn.args) + len(args)]) if fn.keywords and args else set()
    if both := sorted(given & set(fn.keywords)):
        raise TangentError(f"{name_of(fn.func)} is given {both[0]} by position, and {both[0]} has a value already: "
                           f"give it by its name, {both[0]}=...")

    def gathered(found: Sequence[Any]) -> Sequence[Any]:
        kind = kind_of(fn)
        own = kind.build(fn, {**kind.parts(zeros_like(fn)), **dict(zip(bound, found))}) if kind is not None \
            else zeros_like(fn)
        return own, *found[len(bound):]

    inner = opened(fn.func, (*fn.args, *args), {**fn.keywords, **keywords}, (*bound, *_moved(active, len(fn.args))))
    return Opened(inner.fn, inner.args, inner.keywords, inner.places, lambda found: gathered(inner.gathered(found)),
                  lambda given: inner.spread([*(_parts(given[0])[key] for key in bound), *given[1:]]))


def _of_object(name: str, args: tuple[Any, ...], keywords: Mapping[str, Any], active: Active) -> Opened:
    """What `args[0].name` calls."""
    owner, rest = args[0], args[1:]
    if type(owner).__module__ == "numpy":
        raise TangentError(f"the method .{name} of an array has no rule: write it as a function of NumPy")
    found = inspect.getattr_static(owner, name, None)
    own = own_dict(owner)
    holds = name in own and found is own[name] or isinstance(found, types.MemberDescriptorType)
    if 0 in active and not holds \
            and not isinstance(found, (types.FunctionType, staticmethod, classmethod, functools.partialmethod)):
        raise TangentError(f"{type(owner).__name__}.{name} is called, and the object is differentiated: "
                           f"write it as a method, def {name}(self, ...)")
    value = getattr(owner, name)                           # whatever Python finds: Base.f is not given the class
    of, first, named = (value.func, value.args, value.keywords) \
        if type(value) is functools.partial and not holds else (value, (), {})
    has_row = DERIVE["alone"](of)                          # a distribution, which is no argument of it
    if not has_row and isinstance(of, types.MethodType) and of.__self__ is owner and inspect.isfunction(of.__func__):
        return Opened(of.__func__, (owner, *first, *rest), {**named, **keywords},     # self.act = self.relu too
                      tuple(0 if one == 0 else at for one, at in zip(active, _moved(active, len(first)))))
    if 0 not in active:
        return opened(value, rest, keywords, _moved(active, -1))
    at = list(active).index(0)
    others = _moved([one for one in active if one != 0], -1)
    if holds and kind_of(value) is not None and not has_row:
        inner = opened(value, rest, keywords, others, True)
        return Opened(inner.fn, inner.args, inner.keywords, inner.places, lambda found:
                      _with(inner.gathered(found), at, lambda own: add_field(zeros_like(owner), name, own)),
                      lambda given: inner.spread([field(given[at], name), *given[:at], *given[at + 1:]]))
    if not has_row and next(_read_alone(value, set()), None) is not None:
        raise TangentError(f"{type(owner).__name__}.{name} is called, and the object is differentiated, which may hold "
                           "the arrays or objects that the function reads as its own: write it as a method, "
                           f"def {name}(self, ...), or hold a functools.partial, which binds them")
    inner = opened(value, rest, keywords, others)
    return Opened(inner.fn, inner.args, inner.keywords, inner.places, lambda found:
                  _with((None, *inner.gathered(found)), at, lambda _: zeros_like(owner)),
                  lambda given: inner.spread([*given[:at], *given[at + 1:]]))


def _with(found: Sequence[Any], at: int, made: Callable[[Any], Any]) -> Sequence[Any]:
    """The cotangents in their order, that of the object made of the first."""
    own, *others = found
    return *others[:at], made(own), *others[at:]


def _read_alone(value: Any, seen: set[int]) -> Iterator[Any]:
    """What a function reads as its own, and what may be a part of the object that holds it too: arrays and containers
    with floating numbers, but for arrays that it finds among its globals."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, types.MethodType):
        yield from _read_alone_in([value.__self__, value.__func__], seen)
    elif isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
        yield from _read_alone_in([*cells, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()], seen)
        outside = [value.__globals__.get(name) for name in names_outside(value.__code__)]
        yield from _read_alone_in([one for one in outside if not isinstance(one, np.ndarray)], seen)


def _read_alone_in(values: Sequence[Any], seen: set[int]) -> Iterator[Any]:
    for one in values:
        if isinstance(one, (tuple, functools.partial)):
            yield from _read_alone_in(list(_parts(one).values()), seen)
        elif carries(one) and not isinstance(one, (float, np.generic)):
            yield one
        yield from _read_alone(one, seen)
