"""Calls of functions that are known only when they are called: differentiated then, once for each function and activity.

The adjoint of a call with open residuals is what the callee's split motion gives: B. Pearlmutter and J. Siskind, "Reverse-mode AD in a
functional framework: lambda the ultimate backpropagator" (2008), section 3.
"""
from __future__ import annotations

import contextlib
import functools
import inspect
import types
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias

import numpy as np

from ..errors import TangentError
from .containers import depth_of, described, kind_of
from .persistent import PersistentArray
from .relinking import environment_of, known_environment, relinked
from .structure import _parts, copy, zeros_like

Active: TypeAlias = "Sequence[int | str]"
DERIVE: dict[str, Callable[..., Any]] = {}        # how functions are derived: filled by who can
OPERATORS: set[Callable[..., Any]] = set()        # what gives a function with the parameters of the one that it is given: filled likewise
ARRAYS = ("numpy", "jax", "jaxlib", "tangent_nb")  # whose methods are those that the rows are for
KEPT = 256                                        # functions whose derivatives are remembered: the ones derived last
_FOLLOWED: ContextVar[str] = ContextVar("followed", default="")
_DERIVED: OrderedDict[tuple[int, ...], tuple[Any, dict[Any, tuple[Any, Any]]]] = OrderedDict()


class method:
    """`method(name)(obj, *args)` is `obj.name(*args)`: the method of an object that is known when it is called.

    >>> method("upper")("a")
    'A'
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return getattr(args[0], self.name)(*args[1:], **keywords)


def clean(fn: Any) -> Any:
    """A function whose call stays as it is, if it is known to change nothing; refused else: what it changes could hold a derivative.

    >>> import tangent_nb
    >>> clean(abs)(-1.0)
    1.0
    """
    if isinstance(fn, method):
        return lambda *args, **keywords: clean(getattr(args[0], fn.name))(*args[1:], **keywords)
    if not callable(fn):
        return fn                                          # the call says so
    text = _function_of(fn)
    if not (DERIVE["clean"](fn, ()) if text is None else _derived(text, "clean", ())):
        owner = getattr(fn, "__self__", None)
        kind, name = type(owner).__name__, getattr(fn, "__name__", "it")
        if owner is not None and not isinstance(fn, types.MethodType) and not isinstance(owner, (type, types.ModuleType)):
            raise TangentError(f"{kind}.{name} is held as a value, and may change its {kind} where the derivative does not see it: "
                               f"call it as a method of a variable, name.{name}(...)")
        called = f"{kind}.{name}" if isinstance(fn, types.MethodType) else name_of(fn)
        raise TangentError(f"{called} is known only when the function runs, and it may change what it is given, or what others read: "
                           "let it return the new value, and use that, or call it outside of the function")
    return fn


def check_method(value: Any, name: str) -> None:
    """Refuses an object whose class has a method of its own of this name, where the text takes it for that of an array, list or dict.

    >>> check_method(np.ones(2), "dot")
    """
    kind = type(value)
    found = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    if found is not None and kind.__module__.partition(".")[0] not in ("builtins", "collections", *ARRAYS) and hasattr(found, "__code__"):
        raise TangentError(f"the method .{name} of a {kind.__name__} is taken for that of an array, a list or a dict: "
                           "give the method another name, or call a function of your own")


def _function_of(fn: Any) -> Any:
    """The function with a text that a call runs, if it is one; other objects are made anew each time, and not remembered."""
    while isinstance(fn, (functools.partial, types.MethodType)):
        fn = fn.func if isinstance(fn, functools.partial) else fn.__func__
    return fn if isinstance(fn, types.FunctionType) else None


def pullback(fn: Any, *args: Any, active: Active, closure: bool = False, **keywords: Any) -> tuple[Any, Callable[[Any], Any]]:
    """`(value, back)` of a call: `back(seed)` gives the cotangents of the arguments named in `active`, a tuple where there are several.

    closure: what is called carries a derivative too, in what a `functools.partial` binds; its cotangent comes first.

    >>> import tangent_nb
    >>> value, back = pullback(lambda x, n: x ** n, 3.0, 2, active=(0,))
    >>> value, back(1.0)
    (9.0, 6.0)
    """
    _check_followed(fn, args, active, closure, keywords)
    return pull(fn, *args, active=active, closure=closure, **keywords)


def own_pullback(fn: Any, *args: Any, active: Active, closure: bool = False, **keywords: Any) -> tuple[Any, Callable[[Any], Any]]:
    """`pullback` that owns its data: what `back` reads does not change when the arguments, or variables outside, do.

    >>> import tangent_nb
    >>> x = np.ones(2)
    >>> value, back = own_pullback(lambda x: x * x, x, active=(0,))
    >>> x[:] = 5.0; back(np.ones(2))
    array([2., 2.])
    """
    _check_followed(fn, args, active, closure, keywords)
    if not closure:
        return _pulled(fn, args, keywords, active, "owned")
    return _pullback_of_closure(copy(fn), args, keywords, active, "owned")


def pull(fn: Any, *args: Any, active: Active, closure: bool = False, **keywords: Any) -> tuple[Any, Callable[[Any], Any]]:
    """`pullback` of what is checked already."""
    return (_pullback_of_closure if closure else _pulled)(fn, args, keywords, active, "split")


def _pulled(fn: Any, args: tuple[Any, ...], keywords: dict[str, Any], active: Active, motion: str) -> tuple[Any, Callable[[Any], Any]]:
    """motion: `"split"`, or `"owned"` where what is kept is to be its own."""
    fn, args, names = _named(fn, args, keywords, active)
    forward, backward = _derived(fn, motion, names)
    _check(fn, forward, args, keywords)
    value, residuals = forward(*args, **keywords)
    if len(names) == 1:
        return value, lambda seed: backward(residuals, seed)[0]
    return value, lambda seed: backward(residuals, seed)


def pushforward(fn: Any, *args: Any, active: Active, tangents: Sequence[Any], closure: bool = False,
                **keywords: Any) -> tuple[Any, Any]:
    """`(value, tangent)` of a call, from the tangents of the arguments named in `active`; closure: that of what is called comes first.

    >>> import tangent_nb
    >>> pushforward(lambda x, n: x * x * n, 3.0, 2, active=(0,), tangents=(1.0,))
    (18.0, 12.0)
    """
    _check_followed(fn, args, active, closure, keywords)
    return push(fn, *args, active=active, tangents=tangents, closure=closure, **keywords)


def push(fn: Any, *args: Any, active: Active, tangents: Sequence[Any], closure: bool = False, **keywords: Any) -> tuple[Any, Any]:
    """`pushforward` of what is checked already."""
    if closure:
        own, *rest = tangents
        fn, args, keywords, bound, active = _unbound(fn, args, keywords, active)
        given = _parts(own)
        tangents = [*(given[key] for key in bound), *rest]
        active = [*bound, *active]
        if not active:
            value = fn(*args, **keywords)
            return value, zeros_like(value)
    fn, args, names = _named(fn, args, keywords, active)
    made = _derived(fn, "push", names)
    _check(fn, made, args, {**keywords, **{f"d{name}": None for name in names}})
    value, tangent = made(*args, **keywords, **dict(zip((f"d{name}" for name in names), tangents, strict=True)))
    return value, tangent


def pullback_along(fn: Any, *args: Any, active: Active, seed: Any, tangents: Sequence[Any], seed_tangent: Any, closure: bool = False,
                   **keywords: Any) -> tuple[Any, Any]:
    """The cotangents of a call, and their tangents where the active arguments and the seed change: the second derivative, along.

    closure: what is called carries a derivative too; what belongs to it comes first, as in `pullback` and `pushforward`.
    What is solved is checked already.

    >>> import tangent_nb
    >>> pullback_along(lambda x, n: x ** n, 3.0, 2, active=(0,), seed=1.0, tangents=(1.0,), seed_tangent=0.0)
    ((6.0,), (2.0,))
    """
    whole, places = None, [*active]
    if closure:
        whole, own = fn, tangents[0]
        fn, args, keywords, bound, active = _unbound(fn, args, keywords, active)
        given, places = _parts(own), [*bound, *active]
        tangents = [*(given[key] for key in bound), *tangents[1:]]
    if not places:
        return ((zeros_like(whole),), (zeros_like(whole),)) if closure else ((), ())
    fn, args, names = _named(fn, args, keywords, places)
    made = _derived(fn, "vjp", names)
    own_names = inspect.signature(fn).parameters
    (of_seed,) = [name for name in inspect.signature(made).parameters if name not in own_names]
    found = push(made, *args, **keywords, **{of_seed: seed}, active=[*names, of_seed], tangents=[*tangents, seed_tangent])
    if whole is None:
        return found
    return tuple((_closure_with(whole, bound, parts), *parts[len(bound):]) for parts in found)  # type: ignore[return-value]


def check_steady(fn: Any, args: Sequence[Any], active: Active, steady: str, closure: bool = False, **keywords: Any) -> None:
    """Refuses what a solver follows, if it may jump where the active arguments move it; if `steady` is "twice", what may have a kink too.

    args: that it is called with, of which it is asked how deep numbers lie in them; a number for each that the solver gives.
    """
    if closure:
        fn, args, keywords, bound, active = _unbound(fn, tuple(args), keywords, active)
        active = [*bound, *active]
    if active:
        fn, args, names = _named(fn, tuple(args), keywords, active)
        depths = {**dict(zip(_parameters(fn), args)), **keywords}
        _derived(fn, f"steady_{steady}", (names, tuple((name, depth_of(value)) for name, value in sorted(depths.items()))))


def _check_followed(fn: Any, args: Sequence[Any], active: Active, closure: bool, keywords: dict[str, Any]) -> None:
    if steady := _FOLLOWED.get():
        check_steady(fn, args, active, steady, closure, **keywords)


@contextlib.contextmanager
def followed(steady: str) -> Iterator[None]:
    """What runs in it is followed by a solver: what it calls may not jump either, also where that is known only when it runs."""
    outer = _FOLLOWED.set(max(steady, _FOLLOWED.get()))     # "twice" is more than "once"
    try:
        yield
    finally:
        _FOLLOWED.reset(outer)


def gradient(fn: Any, place: int = 0) -> Any:
    """The gradient of a function by one of its arguments, as a function of the same arguments, which has derivatives of its own.

    >>> import tangent_nb
    >>> gradient(lambda x, n: x ** n)(3.0, 2)
    6.0
    """
    if type(fn) is functools.partial:
        return functools.partial(gradient(fn.func, place + len(fn.args)), *fn.args, **fn.keywords)
    return _derived(fn, "grad", (_named(fn, (), {}, [place])[2]))


def _pullback_of_closure(fn: Any, args: tuple[Any, ...], keywords: dict[str, Any], active: Active,
                         motion: str) -> tuple[Any, Callable[[Any], Any]]:
    """The cotangent of a `partial` has its structure: what it is bound to has a cotangent each."""
    inner, args, keywords, bound, active = _unbound(fn, args, keywords, active)
    places = [*bound, *active]
    if not places:
        return inner(*args, **keywords), lambda seed: zeros_like(fn)
    value, back = _pulled(inner, args, keywords, places, motion)

    def whole(seed: Any) -> Any:
        found = (back(seed),) if len(places) == 1 else back(seed)
        own = _closure_with(fn, bound, found)
        return (own, *found[len(bound):]) if active else own

    return value, whole


def _closure_with(fn: Any, bound: Sequence[Any], found: Sequence[Any]) -> Any:
    """The cotangent, or the tangent, of a `partial` from those of what it binds."""
    kind = kind_of(fn)
    return zeros_like(fn) if kind is None else kind.build(fn, {**kind.parts(zeros_like(fn)), **dict(zip(bound, found))})


def _unbound(fn: Any, args: tuple[Any, ...], keywords: Mapping[str, Any],
             active: Active) -> tuple[Any, tuple[Any, ...], dict[str, Any], list[int | str], list[int | str]]:
    """What a `partial` calls, and with which arguments: those that it binds and that carry a derivative, and the active ones."""
    if type(fn) is not functools.partial:
        if kind_of(fn) is not None:
            raise TangentError(f"{described(fn)} is called, and the object is differentiated: call a method of it that has a name, "
                               "in place of __call__")
        return fn, args, dict(keywords), [], list(active)
    bound = [key for key, value in _parts(fn).items() if key not in keywords and carries(value)]
    count = len(fn.args)
    given = set(_parameters(fn.func)[count:count + len(args)]) if fn.keywords else set()
    if both := sorted(given & set(fn.keywords)):
        raise TangentError(f"{name_of(fn.func)} is given {both[0]} by position, and {both[0]} has a value already: "
                           f"give it by its name, {both[0]}=...")
    return (fn.func, (*fn.args, *args), {**fn.keywords, **keywords}, bound,
            [one + count if isinstance(one, int) else one for one in active])


def name_of(fn: Any) -> str:
    """The name of a function as the user knows it."""
    name = getattr(fn, "__name__", "")
    return "a function" if not name else "a lambda" if name == "<lambda>" or name.startswith("_function") else name


def carries(value: Any) -> bool:
    """A value holds floating numbers, which have a derivative."""
    if isinstance(value, (float, np.ndarray, np.generic, PersistentArray)):
        return isinstance(value, float) or value.dtype.kind in "fc"
    kind = kind_of(value)
    return kind is not None and any(map(carries, kind.parts(value).values()))


def _of_object(name: str, args: tuple[Any, ...], active: Active) -> tuple[Any, tuple[Any, ...], Active]:
    """What `args[0].name` calls, with the arguments that it is given."""
    owner = args[0]
    if type(owner).__module__ == "numpy":
        raise TangentError(f"the method .{name} of an array has no rule: write it as a function of NumPy")
    found = inspect.getattr_static(owner, name, None)
    if inspect.isfunction(found) and name not in getattr(owner, "__dict__", {}):
        return found, args, active
    if 0 in active:
        raise TangentError(f"{type(owner).__name__}.{name} is called, and the object is differentiated: write it as a method, "
                           f"def {name}(self, ...)")
    return getattr(owner, name), args[1:], tuple(one - 1 if isinstance(one, int) else one for one in active)


def _named(fn: Any, args: tuple[Any, ...], keywords: Mapping[str, Any], active: Active) -> tuple[Any, tuple[Any, ...], tuple[str, ...]]:
    """What is called, its arguments, and the names of the parameters that the active ones are given for."""
    if isinstance(fn, method):
        fn, args, active = _of_object(fn.name, args, active)
    places = _parameters(fn)
    names: list[str] = []
    for one in active:
        if isinstance(one, str):
            names.append(one)
        elif one < len(places):
            names.append(places[one])
        else:
            raise TangentError(f"{name_of(fn)} takes a differentiated argument through a star (*): "
                               "give its parameters names")
    return fn, args, tuple(names)


def _check(fn: Any, made: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Refuse a call that the derivative does not take as the function does."""
    try:
        inspect.signature(made).bind(*args, **keywords)
    except TypeError as error:
        raise TangentError(f"{name_of(fn)} does not take these arguments: {error}") from None


def _parameters(fn: Any) -> Any:
    """The parameters that may be given by position."""
    return _derived(fn, "parameters", ())


def _derived(fn: Any, kind: str, names: tuple[Any, ...]) -> Any:
    """The derivative of this very function: one that is equal to it may have other cells. It refers to its function, so that weak
    references would keep both."""
    place = (id(fn.__self__), id(fn.__func__)) if isinstance(fn, types.MethodType) else (id(fn),)
    known = _DERIVED.setdefault(place, (fn, {}))[1]
    while len(_DERIVED) > KEPT:
        _DERIVED.popitem(last=False)
    now = _text(fn)
    found = known.get((kind, names))
    if found is None or any(a is not b for a, b in zip(found[0], now, strict=True)):
        found = known[kind, names] = now, _for_all_alike(fn, kind, names)
    return found[1]


def _for_all_alike(fn: Any, kind: str, names: tuple[Any, ...]) -> Any:
    """The derivative of a function, derived once for all of its code in environments that are alike."""
    alike = known_environment(fn)
    if alike is None:
        return DERIVE[kind](fn, names)
    if (kind, names) not in alike.derived:
        made, here = DERIVE[kind](fn, names), environment_of(fn)
        if here is None:
            return made
        alike.derived[kind, names] = here, made
    known, made = alike.derived[kind, names]
    return relinked(made, known, fn)


def _text(fn: Any) -> tuple[Any, ...]:
    """What a function is made of, and what `%autoreload` exchanges in place."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    plain = fn if hasattr(fn, "__code__") else inspect.getattr_static(type(fn), "__call__", None)
    return tuple(getattr(plain, name, None) for name in ("__code__", "__defaults__", "__kwdefaults__"))
