"""Jacobians and Hessians, column by column, and products with them; numerical checks."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import runtime
from .api import derivation, grad, jvp, jvp_of_units
from .asked import place_of
from .at_kinks import curvature_differs, slope_jumps
from .emit.link import link
from .errors import TangentError
from .every import EVERY, unfit
from .runtime.changes_outside import changes_noted
from .runtime.containers import kind_of
from .runtime.parts import part
from .runtime.remembered import OPERATORS
from .runtime.structure import copy
from .same_draws import SameDraws
from .syntax.names import Names
from .syntax.program import Emitted, Environment


def jacobian(f: Callable[..., Any], wrt: int | str = 0) -> Callable[..., Any]:
    """The Jacobian by one parameter, by forward mode: an array of shape
    `(*shape of the result, *shape of the argument)`.

    f: a function that returns a number or an array. The function returned has the signature of `f`. What `f` tells
    (by `print`) is told once for each entry of the argument, and once more where it draws from a generator that it was
    not given; what it stores in objects outside is stored once.

    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    return _columns(jvp_of_units(f, _single(wrt)), f, wrt)


def hessian(f: Callable[..., Any], wrt: int | str = 0) -> Callable[..., Any]:
    """The Hessian of a scalar-valued function by one parameter, forward over reverse: of shape `(*shape, *shape)`.

    What `f` tells (by `print`) is told once for each entry of the argument, and once more where it draws from a
    generator that it was not given; what it stores in objects outside is stored once.

    >>> hessian(lambda x: np.sum(x ** 3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    return _columns(jvp_of_units(grad(f, _single(wrt)), place_of(f, wrt)[0]), f, wrt)


def hvp(f: Callable[..., Any], wrt: int | str = 0) -> Callable[..., Any]:
    """Products with the Hessian, forward over reverse: `hvp(f)(*args, v)`, with `v` of the shape of the argument.

    >>> hvp(lambda x: np.sum(x ** 3))(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([ 6., 12.])
    """
    return jvp(grad(f, _single(wrt)), place_of(f, wrt)[0])


OPERATORS.update({jacobian: "", hessian: "", hvp: "tangents"})


def _single(wrt: int | str) -> int | str:
    if isinstance(wrt, str) and wrt == EVERY or not isinstance(wrt, (int, str, np.integer)):
        raise TangentError(f"a Jacobian, and a Hessian, is by one parameter, and wrt is {wrt!r}: its index or its name")
    return wrt


def _columns(push: Callable[..., Any], f: Callable[..., Any], wrt: int | str) -> Callable[..., Any]:
    path, whole = place_of(f, wrt)
    signature = inspect.signature(f)
    tangent = _fixed(push)[-1]

    def matrix(*args: Any, **keywords: Any) -> Any:
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        x = whole(bound.arguments)
        x = x if path.isidentifier() else part(x, path)
        if kind_of(x) is not None:
            raise TangentError(f"{path} is a container, which has no Jacobian or Hessian in one array: "
                               "name a part of it that is an array")
        draws, basis = SameDraws(f, args, keywords), list(_basis(x))
        twice = draws.hidden and len(basis) > 1            # the first column, to see that it is the same again
        columns: list[Any] = []
        take_back: Callable[[], None] | None = None
        for v, (given, named) in zip(basis[:1] * twice + basis, _arguments(args, keywords, push), strict=False):
            if take_back is not None:
                draws.rewind()
                take_back()
            with changes_noted() as take_back:
                columns.append(np.asarray(push(*given, **named, **{tangent: v})))
        if twice:
            draws.check(columns.pop(0), columns[0])
        if np.shape(x) == ():
            return columns[0][()]
        stacked = np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(f(*args, **keywords)), 0))
        return stacked.reshape(*stacked.shape[:-1], *np.shape(x))

    matrix.__name__ = matrix.__qualname__ = push.__name__
    matrix.__signature__ = signature  # type: ignore[attr-defined]
    draws = SameDraws(getattr(f, "__tangent_general__", f)).hidden
    if path.isidentifier() and (text := _by_columns(push, signature, path, tangent, draws)) is not None:
        matrix.__tangent_general__ = text  # type: ignore[attr-defined]
    return matrix


def _by_columns(push: Callable[..., Any], signature: inspect.Signature, name: str, tangent: str, draws: bool) -> Any:
    """The matrix as a function that is differentiated: each column a tangent; None where there are stars.
    draws: the function draws random numbers, and the check, which comes first, refuses."""
    parameters = signature.parameters
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters.values()):
        return None
    names = Names([*parameters, tangent])
    np_, rt, push_, columns, v = (names.new(one) for one in ("np", "rt", "push", "columns", "v"))
    given = [f"{one}={one}" if p.kind is p.KEYWORD_ONLY else one for one, p in parameters.items()]
    plain = signature.replace(parameters=[p.replace(annotation=p.empty, default=p.empty) for p in parameters.values()],
                              return_annotation=signature.empty)
    called, others = push.__name__, "".join(f"{one}, " for one in parameters if one != name)
    text = f"def {called}{plain}:\n" \
        f"    {rt}.check_columns({name}, ({others.strip()}))\n" \
        f"    {columns} = [{push_}({', '.join(given)}, {tangent}={np_}.reshape({v}, {np_}.shape({name}))[()])\n" \
        f"               for {v} in {np_}.eye({np_}.size({name}))]\n" \
        f"    return {np_}.reshape({np_}.stack({columns}, axis=-1),\n" \
        f"                      {np_}.shape({columns}[0]) + {np_}.shape({name}))[()]\n"
    if draws:
        text = f"def {called}{plain}:\n    {rt}.check_columns({name}, (), draws=True)\n    return {name}\n"
    defaults = {one: p.default for one, p in parameters.items() if p.default is not p.empty}
    keywords = {one: value for one, value in defaults.items() if parameters[one].kind is inspect.Parameter.KEYWORD_ONLY}
    made = Environment({np_: np, rt: runtime, push_: push}, kwdefaults=keywords,
                       defaults=tuple(value for one, value in defaults.items() if one not in keywords))
    return link(Emitted(text, (), (called,)), {called: made}, name=called)[called]


def _arguments(args: tuple[Any, ...], keywords: dict[str, Any], push: Callable[..., Any]) -> Iterator[tuple[Any, Any]]:
    """The arguments for each call: the first may change them, the others are given what they were."""
    before = copy((args, keywords)) if derivation(push).changes else (args, keywords)
    yield args, keywords
    while True:
        yield copy(before) if derivation(push).changes else before


def _fixed(f: Callable[..., Any]) -> list[str]:
    """The names of the parameters without stars, in order."""
    return [p.name for p in inspect.signature(f).parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _basis(x: Any) -> Iterator[Any]:
    if np.shape(x) == ():
        yield np.ones((), getattr(x, "dtype", float))[()] if not isinstance(x, (int, float)) else 1.0
        return
    for i in range(x.size):
        v = np.zeros(x.shape, x.dtype)
        v.flat[i] = 1.0
        yield v


def check_grads(f: Callable[..., Any], *args: Any, wrt: int | str | tuple[int | str, ...] = 0,
                tol: float = 1e-6) -> None:
    """Compare reverse mode with forward mode and with central differences along one direction; AssertionError where
    they differ, and where the point is a kink along that direction, of `f` or of its slope: there a convention holds,
    which differences do not confirm.

    args: where to check; tol: relative. The direction is drawn from a fixed seed.

    >>> check_grads(lambda x: np.sum(np.sin(x) * x), np.array([0.3, 1.2]))
    """
    names = _fixed(f)
    if wrt == EVERY:
        wrt = tuple(name for name, reason in unfit(f, dict(zip(names, args, strict=False))).items() if not reason)
    places = wrt if isinstance(wrt, tuple) else (wrt,)
    if unknown := [p for p in places if isinstance(p, str) and p not in names]:
        raise TangentError(f"check_grads is for parameters, and {unknown[0]!r} is none: they are {', '.join(names)}")
    # beyond them: items of *rest
    indices = [names.index(p) if isinstance(p, str) else p if p >= 0 else p % len(names) for p in places]
    if any(kind_of(args[i]) is not None for i in indices):
        raise TangentError("check_grads is for numbers and arrays: check a function of what the container holds")
    draws, rng = SameDraws(f, args), np.random.default_rng(0)
    direction = [rng.standard_normal(np.shape(args[i]))[()] for i in indices]
    gradient = grad(f, tuple(places))(*copy(args))
    reverse = sum(float(np.sum(g * v)) for g, v in zip(gradient, direction, strict=True))
    push = jvp(f, tuple(places))
    draws.rewind()
    tangents = _fixed(push)[-len(indices):]
    forward = float(push(*copy(args), **dict(zip(tangents, direction, strict=True))))

    def beside(t: float) -> list[Any]:
        new = list(copy(args))
        for i, v in zip(indices, direction, strict=True):
            new[i] = args[i] + t * v
        draws.rewind()
        return new

    def moved(t: float) -> float:
        return float(f(*beside(t)))

    step = 1e-5
    differences = (8.0 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12.0 * step)
    scale = 1.0 + abs(reverse)
    agree = abs(reverse - forward) <= 1e-10 * scale
    if agree and (found := slope_jumps(moved) or _curvature(push, beside, dict(zip(tangents, direction, strict=True)))):
        raise AssertionError("the point is a kink, where the derivative follows a convention: "
                             f"along one direction {found}")
    if not agree or abs(reverse - differences) > tol * scale:
        raise AssertionError(f"along one direction reverse mode gives {reverse!r}, forward mode {forward!r}, "
                             f"differences {differences!r}")


def _curvature(push: Callable[..., Any], beside: Callable[[float], list[Any]], direction: dict[str, Any]) -> str:
    """How the second derivative along a direction differs from differences; nothing where there is none."""
    places = derivation(push).wrt
    try:
        second = jvp(push, places)
    except TangentError:
        return ""
    twice = dict(zip([p for p in _fixed(second) if p not in _fixed(push)], direction.values(), strict=True))
    try:
        return curvature_differs(lambda t: float(push(*beside(t), **direction)),
                                 float(second(*beside(0.0), **direction, **twice)))
    except TangentError:
        return ""
