"""Derivatives of functions that are bound to something, taken while a derivative runs (`runtime/derivatives.py`).

Needs a function without its environment, and what is asked of it with one. Promises the derivative of the function with
its parameters, those that it is bound to among them: what `wrt` counts are the others, as for a `functools.partial`.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import runtime
from .asked import positional
from .emit.link import link
from .errors import TangentError
from .every import EVERY
from .pipeline import captured_of
from .runtime.dynamic import names_at
from .runtime.remembered import DERIVE, OPERATORS
from .syntax.names import Names
from .syntax.nodes import parameter_names, starred_parameters
from .syntax.program import Emitted, Environment


def _inside(fn: Any, asked: tuple[Any, ...]) -> Any:
    """The derivative of a function that is bound to its first `count` arguments, and to those of these names."""
    operator, count, bound, wrt, optimized, has_aux = asked
    settings = {name: value for name, value, usual in (("optimized", optimized, True), ("has_aux", has_aux, False))
                if value is not usual}
    if not count and not bound:
        return operator(fn, wrt, **settings)
    captured = captured_of(fn)
    stars = starred_parameters(captured.tree)
    free = [one for one in parameter_names(captured.tree)[count:] if one not in bound and one not in stars]
    several = isinstance(wrt, tuple)
    places = [_place(one, free, [*parameter_names(captured.tree)[:count], *bound], captured.name)
              for one in (wrt if several else (wrt,))]
    made = operator(fn, tuple(places) if several else places[0], **settings)
    plain = positional(captured)
    if not OPERATORS[operator]:
        return made
    return _in_order(made, fn, plain, [one for one in plain[count:] if one not in bound])


def _place(place: Any, free: Sequence[str], bound: Sequence[str], name: str) -> str:
    """The parameter, or the part of something, that `wrt` names, where the function is bound to others."""
    if isinstance(place, (int, np.integer)) and not isinstance(place, bool) and -len(free) <= place < len(free):
        return free[int(place)]
    if isinstance(place, str) and place != EVERY and place.partition(".")[0].partition("[")[0] not in bound:
        return place
    raise TangentError(f"a derivative of {name} is taken inside of a function, by wrt={place!r}: "
                       f"name one of {', '.join(free)}")


def _in_order(made: Callable[..., Any], fn: Any, plain: Sequence[str], free: Sequence[str]) -> Callable[..., Any]:
    """The derivative with the seed, or the tangents, after the parameters that are free, where all of these are plain
    ones, as they stand where a function has no others."""
    own = inspect.signature(fn).parameters
    if any(own[one].default is not inspect.Parameter.empty for one in free):
        return made
    more = [one for one in inspect.signature(made).parameters if one not in own]
    others = [one for one in own if one not in plain[:len(plain) - len(free)] and one not in free and one not in plain]
    before = [one for one in plain if one not in free]
    first = before if list(plain) == [*before, *free] else []
    others += [one for one in before if one not in first]
    called = made.__name__
    inner = Names([*own, *more, called]).new("derivative")
    by_name = ", ".join(f"{one}={one}" for one in [*more, *others])
    shown = ", ".join([*first, *free, *more, *(["*", *others] if others else [])])
    text = f"def {called}({shown}):\n    return {inner}({', '.join([*first, *free, by_name])})\n"
    found: Callable[..., Any] = link(Emitted(text, (), (called,)), {called: Environment({inner: made})},
                                     name=called)[called]
    return found


class _Call:
    """A call of a function, as functions of what is called, and of what that is given. Any of these may be a container,
    which an annotation says.

    count, keywords: how many arguments are given by position, and the names of the others; active: which of them carry
    a derivative; how: None where what is called is no argument; else it comes first, as an `"object"`, as a partial,
    with how many first arguments, which keywords, and where it carries one, or `"alone"`, with nothing that does; own:
    its cotangent is asked for, or its tangent given. names: the parameters of the function that carry a derivative,
    those of what is called first.
    """

    def __init__(self, fn: Any, count: int, keywords: tuple[str, ...], active: tuple[int | str, ...], how: Any,
                 own: bool) -> None:
        self.taken = Names(keywords)
        self.called, self.keywords, self.whole = self.taken.new("called"), keywords, how is not None
        self.args = [self.taken.new(f"x_{i}") for i in range(count)]
        self.keys: tuple[int | str, ...] = ()
        given, moved = list(self.args), 0
        if how == "object":
            given, moved, self.keys = [self.called, *given], 1, (0,)
        elif isinstance(how, tuple):
            moved, named, self.keys = how
            given = [*(f"{self.called}.args[{i}]" for i in range(moved)), *given,
                     *(f"{one}={self.called}.keywords[{one!r}]" for one in named)]
        self.given = ", ".join([*given, *(f"{one}={one}" for one in keywords)])
        self.how, self.own = how, own
        self.keys = self.keys if own else ()
        places = [*self.keys, *(one + moved if isinstance(one, int) else one for one in active)]
        self.names = names_at(fn, places)

    def own_cotangent(self, found: Sequence[str]) -> str:
        """That of what is called, from those of what it is bound to."""
        if not self.keys:
            return f"rt.zeros_like({self.called})"
        return found[0] if self.how == "object" else f"rt.with_parts_of(({found[0]},), {self.called}, {self.keys})" \
            if len(found) == 1 else f"rt.with_parts_of(({', '.join(found)}), {self.called}, {self.keys})"

    def link(self, texts: str, **seen: Any) -> Any:
        """The functions of a text, in its order."""
        names = tuple(line[4:].partition("(")[0] for line in texts.splitlines() if line.startswith("def "))
        environment = Environment({"rt": runtime, **seen})
        made = link(Emitted(texts, (), names), dict.fromkeys(names, environment), name=names[0], main=names)
        return tuple(made[name] for name in names) if len(names) > 1 else made[names[0]]

    @property
    def named(self) -> list[str]:
        """The parameters that are given by name."""
        return ["*", *(f"{one}: dict" for one in self.keywords)] if self.keywords else []

    @property
    def parameters(self) -> str:
        """What is called, where it comes first, and what is given to it."""
        return ", ".join(f"{one}: dict" for one in [*([self.called] if self.whole else []), *self.args])


def _halves(fn: Any, asked: tuple[Any, ...]) -> Any:
    """The two functions of a call in split motion."""
    motion, *call = asked
    one = _Call(fn, *call)
    value, residuals = one.taken.new("value"), one.taken.new("residuals")
    seed, inner = one.taken.new("seed"), one.taken.new("inner")
    head = f"def forward_half({', '.join(filter(None, [one.parameters, *one.named]))}):\n    "
    if not one.names:
        return one.link(f"{head}return primal({one.given}), {one.called}\n\n\n"
                        f"def backward_half({one.called}: dict, {seed}: dict):\n"
                        f"    return {one.own_cotangent(())}\n", primal=fn)
    forward, backward = DERIVE[motion](fn, one.names)
    kept = f"({residuals}, {one.called})" if one.whole else residuals
    cotangents = [one.taken.new(f"b_{i}") for i in range(len(one.names))]
    count = len(one.keys)
    given = [*([one.own_cotangent(cotangents[:count])] if one.own else []), *cotangents[count:]]
    opened = f"{inner}, {one.called} = {residuals}" if one.whole else f"{inner} = {residuals}"
    return one.link(f"{head}{value}, {residuals} = forward({one.given})\n    return {value}, {kept}\n\n\n"
                    f"def backward_half({residuals}: dict, {seed}: dict):\n    {opened}\n"
                    f"    {', '.join(cotangents)}, = backward({inner}, {seed})\n    return {', '.join(given)}\n",
                    forward=forward, backward=backward)


def _along(fn: Any, asked: tuple[Any, ...]) -> Any:
    """The function of a call in forward mode."""
    one = _Call(fn, *asked)
    active = len(one.names) - len(one.keys)
    value, own = one.taken.new("value"), one.taken.new("dcalled")
    tangents = [one.taken.new(f"d_{i}") for i in range(active)]
    parameters = ", ".join(filter(None, [one.parameters, *(f"{name}: dict" for name in [own] * one.own + tangents),
                                         *one.named]))
    if not one.names:
        return one.link(f"def tangent_half({parameters}):\n    {value} = primal({one.given})\n"
                        f"    return {value}, rt.zeros_like({value})\n", primal=fn)
    made = DERIVE["push"](fn, one.names)
    last = made.__code__.co_varnames[:made.__code__.co_argcount + made.__code__.co_kwonlyargcount][-len(one.names):]
    found = [one.taken.new(f"own_{i}") for i in range(len(one.keys))]
    opened = "" if not found else f"    {found[0]} = {own}\n" if one.how == "object" \
        else f"    {', '.join(found)}, = rt.parts_of({own}, {one.keys})\n"
    given = ", ".join([one.given, *(f"{name}={text}" for name, text in zip(last, [*found, *tangents], strict=True))])
    return one.link(f"def tangent_half({parameters}):\n{opened}    return push({given})\n", push=made)


DERIVE.update(inside=_inside, halves=_halves, along=_along)
