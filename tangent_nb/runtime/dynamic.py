"""Calls of functions that are known only when they are called: differentiated then,
once for each function and activity.

The adjoint of a call with open residuals is what the callee's split motion gives: B. Pearlmutter and J. Siskind,
"Reverse-mode AD in a functional framework: lambda the ultimate backpropagator" (2008), section 3.
"""
from __future__ import annotations

import contextlib
import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from ..errors import TangentError
from .computed import check_getters, computed
from .containers import depth_of, kind_of
from .opened import Active, Opened, method, opened
from .remembered import DERIVE, carries, derived, function_of, name_of, parameters_of
from .stored_outside import check_later, settle
from .structure import copy, zeros_like
from .sweeps import gathered_now, gathering

ARRAYS = ("numpy", "jax", "jaxlib", "tangent_nb")      # whose methods are those that the rows are for
_FOLLOWED: ContextVar[str] = ContextVar("followed", default="")


def clean(fn: Any) -> Any:
    """A function whose call stays as it is, `fn`, if it is known to change nothing;
    refused else: what it changes could hold a derivative.

    >>> import tangent_nb
    >>> clean(abs)(-1.0)
    1.0
    """
    if isinstance(fn, method):
        return lambda *args, **keywords: _clean_method(args[0], fn.name)(*args[1:], **keywords)
    if isinstance(getattr(fn, "func", None), method) and fn.args:
        _clean_method(fn.args[0], fn.func.name)
        return fn
    if isinstance(fn, computed):
        return lambda obj: fn.checked(obj, clean)(obj)
    if not callable(fn):
        return fn                                          # the call says so
    text = function_of(fn)
    if not (DERIVE["clean"](fn, ()) if text is None else derived(text, "clean", ())):
        owner = getattr(fn, "__self__", None)
        kind, name = type(owner).__name__, getattr(fn, "__name__", "it")
        if owner is not None and not isinstance(fn, types.MethodType) \
                and not isinstance(owner, (type, types.ModuleType)):
            raise TangentError(f"{kind}.{name} is held as a value, and may change its {kind} where the derivative does "
                               f"not see it: call it as a method of a variable, name.{name}(...)")
        called = f"{kind}.{name}" if isinstance(fn, types.MethodType) else name_of(fn)
        raise TangentError(f"{called} is known only when the function runs, and it may change what it is given, "
                           "or what others read: "
                           "let it return the new value, and use that, or call it outside of the function")
    return fn


def _clean_method(obj: Any, name: str) -> Any:
    """A method of an object, which changes nothing, nor do the properties that it may read."""
    found = getattr(obj, name)
    check_getters(obj, getattr(found, "__func__", found), clean)
    return clean(found)


def check_method(value: Any, name: str) -> None:
    """Refuses an object whose class has a method of its own of this name,
    where the text takes it for that of an array, list or dict.

    >>> import numpy as np
    >>> check_method(np.ones(2), "dot")
    """
    kind = type(value)
    found = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    if found is not None and kind.__module__.partition(".")[0] not in ("builtins", "collections", *ARRAYS) \
            and hasattr(found, "__code__"):
        raise TangentError(f"the method .{name} of a {kind.__name__} is taken for that of an array, a list or a dict: "
                           "give the method another name, or call a function of your own")


def pullback(fn: Any, *args: Any, active: Active, closure: bool = False,
             **keywords: Any) -> tuple[Any, Callable[[Any], Any]]:
    """`(value, back)` of a call: `back(seed)` gives the cotangents of the arguments named in `active`,
    a tuple where there are several.

    closure: what is called carries a derivative too, in what a `functools.partial` binds; its cotangent comes first.

    >>> import tangent_nb
    >>> value, back = pullback(lambda x, n: x ** n, 3.0, 2, active=(0,))
    >>> value, back(1.0)
    (9.0, 6.0)
    """
    _check_followed(fn, args, active, closure, keywords)
    return pull(fn, *args, active=active, closure=closure, **keywords)


def own_pullback(fn: Any, *args: Any, active: Active, closure: bool = False,
                 **keywords: Any) -> tuple[Any, Callable[[Any], Any]]:
    """`pullback` that owns its data: what `back` reads does not change when the arguments, or variables outside, do.

    >>> import numpy as np
    >>> import tangent_nb
    >>> x = np.ones(2)
    >>> value, back = own_pullback(lambda x: x * x, x, active=(0,))
    >>> x[:] = 5.0; back(np.ones(2))
    array([2., 2.])
    """
    _check_followed(fn, args, active, closure, keywords)
    return _pulled(opened(copy(fn) if closure else fn, args, keywords, active, closure), "owned")


def pull(fn: Any, *args: Any, active: Active, closure: bool = False,
         **keywords: Any) -> tuple[Any, Callable[[Any], Any]]:
    """`pullback` of what is checked already."""
    return _pulled(opened(fn, args, keywords, active, closure), "split")


def _pulled(call: Opened, motion: str) -> tuple[Any, Callable[[Any], Any]]:
    """motion: `"split"`, or `"owned"` where what is kept is to be its own."""
    if not call.places:
        own = _given(call.gathered(()))
        return call.fn(*call.args, **call.keywords), lambda seed: own
    forward, backward = derived(call.fn, motion, names_at(call.fn, call.places))
    _check(call.fn, forward, call.args, call.keywords)
    with gathering() as stored:
        value, residuals = forward(*call.args, **call.keywords)
    if not (carries(value) or kind_of(value) is not None):
        backward = functools.partial(_constant_back, zeros_of(call))
    if stored is None or not stored.found:
        return value, lambda seed: _given(call.gathered(backward(residuals, seed)))

    def back(seed: Any) -> Any:
        settle(stored)                                     # when this is called, the forward sweep has ended
        return _given(call.gathered(backward(residuals, seed)))

    return value, back


def zeros_of(call: Opened) -> tuple[Any, ...]:
    """Zero cotangents for what carries a derivative in a call, where what it gives carries none.

    >>> zeros_of(Opened(round, (2.5, 1), {}, (0,)))
    (0.0,)
    """
    return tuple(zeros_like(call.keywords[at] if isinstance(at, str) else call.args[at]) for at in call.places)


def _constant_back(zeros: tuple[Any, ...], residuals: Any, seed: Any) -> tuple[Any, ...]:
    return zeros


def _given(cotangents: Sequence[Any]) -> Any:
    return cotangents[0] if len(cotangents) == 1 else tuple(cotangents)


def pushforward(fn: Any, *args: Any, active: Active, tangents: Sequence[Any], closure: bool = False,
                **keywords: Any) -> tuple[Any, Any]:
    """`(value, tangent)` of a call, from the tangents of the arguments named in `active`;
    closure: that of what is called comes first.

    >>> import tangent_nb
    >>> pushforward(lambda x, n: x * x * n, 3.0, 2, active=(0,), tangents=(1.0,))
    (18.0, 12.0)
    """
    _check_followed(fn, args, active, closure, keywords)
    return push(fn, *args, active=active, tangents=tangents, closure=closure, **keywords)


def push(fn: Any, *args: Any, active: Active, tangents: Sequence[Any], closure: bool = False,
         **keywords: Any) -> tuple[Any, Any]:
    """`pushforward` of what is checked already."""
    call = opened(fn, args, keywords, active, closure)
    if not call.places:
        value = call.fn(*call.args, **call.keywords)
        return value, zeros_like(value)
    names = names_at(call.fn, call.places)
    made = derived(call.fn, "push", names)
    code = made.__code__
    last = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount][-len(names):]    # dx, or dx_1 of what has a dx
    _check(call.fn, made, call.args, {**call.keywords, **dict.fromkeys(last)})
    along = call.spread(tangents)
    value, tangent = made(*call.args, **call.keywords, **dict(zip(last, along, strict=True)))
    if (stored := gathered_now()) is not None and stored.found:
        for at, one in zip(call.places, along, strict=True):
            check_later(call.keywords[at] if isinstance(at, str) else call.args[at], one)
    return value, tangent


def pullback_along(fn: Any, *args: Any, active: Active, seed: Any, tangents: Sequence[Any], seed_tangent: Any,
                   closure: bool = False, **keywords: Any) -> tuple[Any, Any]:
    """The cotangents of a call, and their tangents where the active arguments and the seed change: the second
    derivative, along.

    closure: what is called carries a derivative too; what belongs to it comes first, as in `pullback` and
    `pushforward`. What is solved is checked already.

    >>> import tangent_nb
    >>> pullback_along(lambda x, n: x ** n, 3.0, 2, active=(0,), seed=1.0, tangents=(1.0,), seed_tangent=0.0)
    ((6.0,), (2.0,))
    """
    call = opened(fn, args, keywords, active, closure)
    if not call.places:
        return tuple(call.gathered(())), tuple(call.gathered(()))
    names = names_at(call.fn, call.places)
    made = derived(call.fn, "vjp", names)
    own_names = inspect.signature(call.fn).parameters
    (of_seed,) = [name for name in inspect.signature(made).parameters if name not in own_names]
    value, tangent = push(made, *call.args, **call.keywords, **{of_seed: seed}, active=[*names, of_seed],
                          tangents=[*call.spread(tangents), seed_tangent])
    return tuple(call.gathered(value)), tuple(call.gathered(tangent))


def check_steady(fn: Any, args: Sequence[Any], active: Active, steady: str, closure: bool = False,
                 **keywords: Any) -> None:
    """Refuses what a solver follows, if it may jump where the active arguments move it;
    if `steady` is "twice", what may have a kink too.

    args: that it is called with, of which it is asked how deep numbers lie in them;
    a number for each that the solver gives.
    """
    call = opened(fn, tuple(args), keywords, active, closure)
    if call.places:
        depths = {**dict(zip(parameters_of(call.fn), call.args)), **call.keywords}
        derived(call.fn, f"steady_{steady}", (names_at(call.fn, call.places),
                                              tuple((name, depth_of(value)) for name, value in sorted(depths.items()))))


def _check_followed(fn: Any, args: Sequence[Any], active: Active, closure: bool, keywords: dict[str, Any]) -> None:
    if steady := _FOLLOWED.get():
        check_steady(fn, args, active, steady, closure, **keywords)


@contextlib.contextmanager
def followed(steady: str) -> Iterator[None]:
    """What runs in it is followed by a solver: what it calls may not jump either,
    also where that is known only when it runs."""
    outer = _FOLLOWED.set(max(steady, _FOLLOWED.get()))     # "twice" is more than "once"
    try:
        yield
    finally:
        _FOLLOWED.reset(outer)


def gradient(fn: Any, place: int = 0) -> Any:
    """The gradient of a function by one of its arguments, as a function of the same arguments,
    which has derivatives of its own.

    >>> import tangent_nb
    >>> gradient(lambda x, n: x ** n)(3.0, 2)
    6.0
    """
    if type(fn) is functools.partial:
        return functools.partial(gradient(fn.func, place + len(fn.args)), *fn.args, **fn.keywords)
    return derived(fn, "grad", names_at(fn, [place]))


def names_at(fn: Any, places: Active) -> tuple[str, ...]:
    """The names of the parameters that arguments are given for."""
    parameters = parameters_of(fn)
    if any(isinstance(one, int) and one >= len(parameters) for one in places):
        raise TangentError(f"{name_of(fn)} takes a differentiated argument through a star (*): "
                           "give its parameters names")
    return tuple(one if isinstance(one, str) else parameters[one] for one in places)


def _check(fn: Any, made: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Refuse a call that the derivative does not take as the function does."""
    code = made.__code__
    if not (keywords or made.__defaults__ or code.co_kwonlyargcount) and len(args) == code.co_argcount:
        return                                             # as most are: a signature takes longer than a call
    try:
        inspect.signature(made).bind(*args, **keywords)
    except TypeError as error:
        raise TangentError(f"{name_of(fn)} does not take these arguments: {error}") from None
