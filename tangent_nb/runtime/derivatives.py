"""Derivatives of functions that are known only when the derivative is taken, bound to what these are bound to.

Needs a function: a `functools.partial`, which is what a closure becomes that reads something differentiated, an object
with a `__call__`, or any other. Promises the derivative of the function without its environment, bound to the same, so
that it carries what the function carries: the derivative of a derivative is one by what its function is bound to, too,
and each has parameters of its own, which no other derivative can take for its own. J. Siskind and B. Pearlmutter,
"Perturbation confusion and referential transparency" (2005).

    derivative_of(partial(g, w=w), tnb.grad)      →      partial(tnb.grad(g), w=w)
"""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import TangentError
from .attributes import own_dict
from .computed import computed
from .containers import OBJECT, PARTIAL, described, kind_of
from .opened import check_alone, making, method
from .records import add_field
from .remembered import carries, derived
from .structure import zeros_like


def derivative_of(fn: Any, operator: Callable[..., Any], wrt: Any = 0, optimized: Any = True,
                  has_aux: bool = False) -> Any:
    """What an operator, as `tnb.grad`, gives for a function, bound to what that is bound to.

    >>> import tangent_nb
    >>> slope = derivative_of(functools.partial(lambda t, w: t * t * w, w=3.0), tangent_nb.grad)
    >>> slope(5.0), slope.keywords
    (30.0, {'w': 3.0})
    """
    plain, first, keywords = _opened(fn)
    asked = tuple(wrt) if isinstance(wrt, list) else wrt, optimized if isinstance(optimized, bool) \
        else tuple(optimized), has_aux
    made = derived(plain, "inside", (operator, len(first), tuple(keywords), *asked))
    return functools.partial(made, *first, **keywords) if first or keywords else made


def _opened(fn: Any) -> tuple[Any, tuple[Any, ...], Mapping[str, Any]]:
    """A function, and what it is bound to: first arguments, and keywords."""
    kind = kind_of(fn)
    if kind is PARTIAL:
        return fn.func, fn.args, fn.keywords
    if kind is None:
        return fn, (), {}
    found = inspect.getattr_static(type(fn), "__call__", None)
    if not inspect.isfunction(found):
        raise TangentError(f"a derivative is taken of {described(fn)}, which cannot be called: "
                           "take it of a function, or of an object with a method, def __call__(self, ...)")
    return found, (fn,), {}


def bound_as(v: Any, x: Any) -> Any:
    """The tangent or cotangent of a function for that of its derivative, and the other way round: `x` has the form.

    >>> import tangent_nb
    >>> bound_as(functools.partial(abs, 2.0), functools.partial(max, 5.0)).args
    (2.0,)
    """
    kind, own = kind_of(x), kind_of(v)
    if kind is None or own is None:
        return zeros_like(x)
    if kind is PARTIAL:
        return PARTIAL.build(x, PARTIAL.parts(v) if own is PARTIAL else {0: v})
    return v.args[0] if own is PARTIAL else v


def method_of(x: Any, name: str) -> Any:
    """`x.name`, where it is a function to take a derivative of: a method of its class, bound to the object.

    >>> class Line:
    ...     slope = 2.0
    ...     def at(self, t): return self.slope * t
    >>> method_of(Line(), "at")(3.0)
    6.0
    """
    found = inspect.getattr_static(x, name, None)
    if kind_of(x) is OBJECT and inspect.isfunction(found) and name not in own_dict(x):
        return functools.partial(found, x)
    return getattr(x, name)


def owner_of(v: Any, x: Any, name: str) -> Any:
    """The cotangent of an object from that of `method_of(x, name)`.

    >>> import types
    >>> owner_of(functools.partial(abs, 2.0), types.SimpleNamespace(f=functools.partial(abs, 5.0)), "f").f.args
    (2.0,)
    """
    if kind_of(v) is None:
        return zeros_like(x)
    if name in own_dict(x):
        return add_field(zeros_like(x), name, v)
    return v.args[0]


# ------------------------------------------------------------------ derivatives of calls that are differentiated then
def halves(fn: Any, shape: tuple[Any, ...], active: tuple[int | str, ...], closure: bool = False, first: bool = False,
           owned: bool = False, owner: Any = None) -> Any:
    """The two functions that `rt.pullback` calls, with texts of their own: the first takes what the call is given, and
    gives the value and residuals; the second the cotangents from those.

    shape: how many arguments are given by position, and the names of the others; closure: the cotangent of what is
    called comes first; first: it is given first, since it carries a derivative; owner: the object of `rt.method`.

    >>> import tangent_nb
    >>> forward, backward = halves(lambda x, n: x ** n, (2, ()), (0,))
    >>> value, residuals = forward(3.0, 2)
    >>> value, backward(residuals, 1.0)
    (9.0, 6.0)
    """
    plain, how = _called(fn, shape, first or closure, owner)
    return derived(plain, "halves", ("owned" if owned else "split", *shape, active, how, closure))


def along_call(fn: Any, shape: tuple[Any, ...], active: tuple[int | str, ...], closure: bool = False,
               first: bool = False, owner: Any = None) -> Any:
    """The function that `rt.pushforward` calls, with a text of its own: it takes what the call is given, then the
    tangents, and gives the value and its tangent.

    >>> import tangent_nb
    >>> value, tangent = along_call(lambda x, n: x ** n, (2, ()), (0,))(3.0, 2, 1.0)
    >>> value, float(tangent)
    (9.0, 6.0)
    """
    plain, how = _called(fn, shape, first or closure, owner)
    return derived(plain, "along", (*shape, active, how, closure))


def _called(fn: Any, shape: tuple[Any, ...], given: bool, owner: Any) -> tuple[Any, Any]:
    """The function with a text that a call runs, and how it is bound to what is called: None where it is that.
    given: what is called is an argument too."""
    if isinstance(fn, computed):
        return fn.function_of(owner), None
    if isinstance(fn, method):
        found = inspect.getattr_static(owner, fn.name, None)
        if not inspect.isfunction(found) or fn.name in own_dict(owner):
            raise TangentError(f"{type(owner).__name__}.{fn.name} is known only when the derivative runs, and its "
                               f"second derivative is not taken: write it as a method, def {fn.name}(self, ...)")
        return found, None
    if not given:
        return making(fn, *shape), None
    plain, first, keywords = _opened(fn)
    if plain is fn:
        check_alone(fn)
        return fn, "alone"
    if kind_of(fn) is not PARTIAL:
        return plain, "object"
    parts = {key: one for key, one in PARTIAL.parts(fn).items() if key not in shape[1]}
    return plain, (len(first), tuple(key for key in keywords if key not in shape[1]),
                   tuple(key for key, one in parts.items() if carries(one)))


def applied(fn: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
    """A call of the first of `halves`, of what carries no derivative.

    >>> applied(max, (2.0, 3.0), {"key": abs})
    3.0
    """
    return fn(*args, **keywords)


def with_residuals(backward: Any, residuals: Any) -> Any:
    """The second of `halves`, as a function of the seed.

    >>> with_residuals(max, 2.0)(3.0)
    3.0
    """
    return functools.partial(backward, residuals)


def parts_of(v: Any, keys: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a partial is bound to, at these places, `v.args[i]`, and by these names, `v.keywords[name]`.

    >>> parts_of(functools.partial(max, 5.0, key=abs), (0,))
    (5.0,)
    """
    parts = PARTIAL.parts(v)
    return tuple(parts[key] for key in keys)


def with_parts_of(v: tuple[Any, ...], x: Any, keys: tuple[Any, ...]) -> Any:
    """The cotangent of a partial, which is a partial of the cotangents of what it is bound to, `v` at these places and
    by these names.

    >>> import functools
    >>> with_parts_of((2.0,), functools.partial(pow, 5.0, 3.0), (1,)).args
    (0.0, 2.0)
    """
    return PARTIAL.build(x, {**PARTIAL.parts(zeros_like(x)), **dict(zip(keys, v, strict=True))})
