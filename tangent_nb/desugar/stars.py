"""Arguments with stars over what is known only when the function runs: they are bound to the parameters then.

Needs the evaluated arguments of a call, and the parameters of what is called. Promises arguments without stars, each
read by its key or its place, after a check which raises what Python raises. What no parameter takes is left together,
for `*rest` and `**options` of the function that is called. What nobody knows beforehand is bound to its arguments as a
whole, and called then.

    def rate(T, A=1.0, *, n): …             rt.check_call('rate(T, A=0, *, n)', 1, (), (options,))
    rate(T, **options)               →      rate(T, options['A'] if 'A' in options else 1.0, n=options['n'])

    model.rate(T, **options)         →      bound = rt.bind(rt.method('rate'), (model, T), options)
                                            bound()
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

import gast

from ..syntax.building import call, clone, constant, expr, library, load, mark, subscript, tuple_of
from . import purity
from .state import State
from .templates import template

BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class Callee:
    """What is called: its name, its parameters that are not bound yet, and what those are that are not given."""

    name: str
    parameters: Sequence[Parameter]
    default: Callable[[str], gast.expr]

    def of_kind(self, *kinds: Any) -> list[Parameter]:
        """The parameters of these kinds."""
        return [one for one in self.parameters if one.kind in kinds]

    def check(self, desugar: State, count: gast.expr, named: Iterable[str] = (),
              given: Sequence[str] = ()) -> gast.stmt:
        """What Python says of a call that does not fit. count, named: of its arguments, given: names of mappings."""
        shown = [one.replace(default=_Zero() if one.default is not Parameter.empty else one.default,
                             annotation=Parameter.empty) for one in self.parameters]
        check = library("rt.check_call(t, count)", t=constant(f"{self.name}{inspect.Signature(shown)}"), count=count)
        names = list(map(constant, named))
        if names or given:
            check.args += [tuple_of(names), tuple_of(map(load, given))]
        return desugar.placed(mark(gast.Expr(check), role="guard", note="guard"))


def when_run(desugar: State, callee: Callee, args: Sequence[Any],
             keywords: Sequence[gast.keyword]) -> tuple[list[Any], list[gast.keyword]]:
    """Arguments and keywords without stars, but for what goes to `*rest` and `**options`: the last ones."""
    stars = any(isinstance(arg, gast.Starred) for arg in args)
    if not stars and all(keyword.arg is not None for keyword in keywords):
        return list(args), list(keywords)
    return _Binding(desugar, callee, args, keywords).bound()


class _Binding:
    """One call. fixed: the arguments before the first star; items: the name of a list of the others, if there are some;
    mappings: the names of what stands behind two stars."""

    def __init__(self, desugar: State, callee: Callee, args: Sequence[Any], keywords: Sequence[gast.keyword]) -> None:
        self.desugar, self.callee = desugar, callee
        first = next((i for i, arg in enumerate(args) if isinstance(arg, gast.Starred)), len(args))
        self.fixed = [self._kept(arg) for arg in args[:first]]
        self.items = "" if first == len(args) else desugar.kept(
            desugar.expr(desugar.placed(gast.List(list(args[first:]), gast.Load()))), "arguments")
        self.named: dict[str, Any] = {}
        self.mappings: list[str] = []
        self.order: list[str] = []                         # the keys, and "" for the next of the mappings
        for i, keyword in enumerate(keywords):
            self.order.append(keyword.arg or "")
            if keyword.arg is not None:
                self.named[keyword.arg] = self._kept(keyword.value)
            else:
                self.mappings.append(self._mapping(keyword.value, [k.value for k in keywords[i + 1:]]))
        self._check()

    def _kept(self, value: Any) -> Any:
        """An argument, which is evaluated before what stands behind stars is read."""
        waits = purity.is_function(self.desugar, value) or isinstance(value, (gast.Name, gast.Constant)) \
            or getattr(value, "once", None) is not None
        return value if waits else load(self.desugar.kept(value, "argument"))

    def _mapping(self, value: Any, later: Iterable[Any]) -> str:
        """A name for a mapping that holds what it holds now, whatever the arguments after it change."""
        if all(purity.computes(self.desugar, one, ()) for one in later):
            return value.id if isinstance(value, gast.Name) else self.desugar.kept(value, "keywords")
        return self.desugar.kept(self.desugar.expr(self.desugar.placed(call("%dict", value))), "keywords")

    def _check(self) -> None:
        count: Any = constant(len(self.fixed))
        if self.items:
            length = call("%len", self.items)
            count = expr("n + m", n=count, m=length) if self.fixed else length
        self.desugar.emit(self.callee.check(self.desugar, count, self.named, self.mappings))

    def bound(self) -> tuple[list[Any], list[gast.keyword]]:
        by_place = self.callee.of_kind(*BY_PLACE)
        args: list[Any] = []
        keywords: list[gast.keyword] = []
        for i, parameter in enumerate(by_place):
            value = self._value(parameter, i)
            if value is not None and len(args) == i and (i < len(self.fixed) or self.items):
                args.append(value)
            elif value is not None:
                keywords.append(gast.keyword(parameter.name, value))
        for parameter in self.callee.of_kind(Parameter.KEYWORD_ONLY):
            value = self._value(parameter, None)
            keywords += [] if value is None else [gast.keyword(parameter.name, value)]
        if self.callee.of_kind(Parameter.VAR_POSITIONAL):
            args += self._more(len(by_place))
        known = {one.name for one in self.callee.of_kind(*BY_NAME)}
        if self.callee.of_kind(Parameter.VAR_KEYWORD):
            more = {name: value for name, value in self.named.items() if name not in known}
            after = self.order[self.order.index(""):] if self.mappings else []
            first = [] if more.keys() & set(after) else [*more]            # what comes before all that mappings hold
            keywords += [gast.keyword(name, more.pop(name)) for name in first]
            keywords += [gast.keyword(None, self._rest(known, more))] if self.mappings else []
        return args, keywords

    def _value(self, parameter: Parameter, place: int | None) -> Any:
        """What a parameter is bound to; None where it is not given for certain, and Python says so, or takes its
        default."""
        if place is not None and place < len(self.fixed):
            return self.fixed[place]
        if parameter.kind in BY_NAME and parameter.name in self.named:
            return self.named[parameter.name]
        ways: list[tuple[gast.expr, gast.expr]] = []
        if place is not None and self.items:
            index = constant(place - len(self.fixed))
            ways.append((expr("n > i", n=call("%len", self.items), i=index), subscript(self.items, index)))
        for name in self.mappings if parameter.kind in BY_NAME else ():
            key = constant(parameter.name)
            ways.append((expr("k in d", k=key, d=name), subscript(name, key)))
        if not ways:
            return None
        value = ways.pop()[1] if parameter.default is Parameter.empty else self.callee.default(parameter.name)
        for test, taken in reversed(ways):
            value = gast.IfExp(test, taken, value)
        value = self.desugar.expr(self.desugar.placed(value))
        return load(self.desugar.kept(value, parameter.name)) if isinstance(value, gast.IfExp) else value

    def _more(self, places: int) -> Iterable[Any]:
        """What `*rest` takes."""
        yield from self.fixed[places:]
        if self.items:
            start = max(places - len(self.fixed), 0)
            yield gast.Starred(subscript(self.items, gast.Slice(constant(start), None, None)) if start
                               else load(self.items), gast.Load())

    def _rest(self, known: set[str], more: dict[str, Any]) -> gast.expr:
        """What `**options` takes of what stands behind two stars, and more by name, in the order of the call."""
        mappings = iter(self.mappings)
        items = [(constant(one), more[one]) if one else (None, load(next(mappings)))
                 for one in self.order if not one or one in more]
        merged: Any = gast.Dict([key for key, _ in items], [value for _, value in items])
        if known:
            merged = template(self.desugar, "{key: value for key, value in d.items() if key not in names}",
                              names=tuple_of(map(constant, sorted(known))),
                              d=self.mappings[0] if len(items) == 1 else merged)
        return load(self.desugar.kept(self.desugar.expr(self.desugar.placed(merged)), "options"))


def of_unknown(desugar: State, func: Any, args: Sequence[Any], keywords: Sequence[gast.keyword]) -> gast.expr:
    """A call with evaluated arguments of a name that stands for what is known only when it runs."""
    mappings = [k for k in keywords if k.arg is None]
    if mappings and len(keywords) > 1:
        for one in mappings:
            one.value = desugar.named(one.value, "keywords")
        check = library("rt.check_twice(f, names, given)", f=clone(func),
                        names=tuple_of([constant(k.arg) for k in keywords if k.arg is not None]),
                        given=tuple_of([clone(one.value) for one in mappings]))
        desugar.emit(mark(gast.Expr(check), role="guard", note="guard"))
    whole = mapping(keywords) or gast.Dict([constant(k.arg) for k in keywords], [k.value for k in keywords])
    given = [desugar.placed(one) for one in (tuple_of(args), whole)]
    bound = desugar.kept(library("rt.bind(f, a, k)", **dict(zip("fak", desugar.operands([func, *given]), strict=True))),
                         "bound")
    return gast.Call(load(bound), [], [])


def mapping(keywords: Sequence[gast.keyword]) -> gast.expr | None:
    """A dict of the keywords, where not all of them are known by their names."""
    if all(k.arg is not None for k in keywords):
        return None
    return keywords[0].value if len(keywords) == 1 else gast.Dict(
        [None if k.arg is None else constant(k.arg) for k in keywords], [k.value for k in keywords])


class _Zero:
    """What stands for a default in the text of a signature."""

    def __repr__(self) -> str:
        return "0"
