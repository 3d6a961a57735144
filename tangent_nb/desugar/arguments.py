"""The arguments of a call: in the core language, stars among them one by one, by the parameters that they are bound to.

Needs a call. Promises its arguments evaluated in Python's order; functions among them stay as they are.

    f(*pair, g(x))        →        rt.check_call("f(a, b, c)", 1 + len(pair))
                                   argument, argument_1 = pair
                                   f(argument, argument_1, g(x))
"""
from __future__ import annotations

import ast
import collections
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from keyword import iskeyword
from typing import Any

import gast

from .. import runtime
from ..analyse.arguments import defaults_of
from ..errors import KEYS, RefusedError
from ..rules import lookup
from ..syntax.building import call, clone, constant, expr, load, mark, store, tuple_of
from ..syntax.program import Captured
from . import derivatives, functions, purity, yielding
from .objects import held, items, sequence, value_of
from .stars import BY_PLACE, Callee, when_run
from .state import State
from .texts import Unit
from .values import FunctionValue, has_row

STARRED = "an argument has a star (* or **), and what it holds is not known beforehand"
ONE_BY_ONE = "the arguments one by one"


def starred(node: gast.Call) -> bool:
    """The number of arguments of a call is not in its text."""
    return any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)


def evaluated(desugar: State, node: gast.Call, *, lazily: bool = False) -> tuple[list[Any], list[Any]]:
    """The arguments of a call in the core language; functions among them stay as they are. lazily: and generators,
    which are given to one."""
    named: list[Any] = []                                  # the keywords, with numbers of where they stand in the call
    with desugar.before() as nodes:
        for place, keyword in enumerate([*(gast.keyword("", arg) for arg in node.args), *node.keywords]):
            one = keyword.value
            if isinstance(one, gast.Starred):
                star: Any = one.value
                if isinstance(star, gast.GeneratorExp):    # all that it gives is taken here
                    star = gast.copy_location(gast.ListComp(star.elt, star.generators), star)
                elif isinstance(star, gast.Call) and yielding.started(desugar, star) is not None:
                    star = gast.copy_location(gast.List([gast.Starred(star, gast.Load())], gast.Load()), star)
                nodes.append(gast.Starred(desugar.next(star), gast.Load()))
            elif functions.given(desugar, one) or lazily and isinstance(one, gast.Call) \
                    and yielding.started(desugar, one) is not None:
                one.args, one.keywords = evaluated(desugar, one, lazily=lazily)
                nodes.append(one)
            elif keyword.arg is None:                      # what it holds is taken before the next one is evaluated
                parts = _by_name(desugar, gast.keyword(None, desugar.next(_merged(desugar, one))))
                named += [(part.arg, place) for part in parts]
                nodes += [part.value if part.arg is not None
                          else mark(gast.Starred(part.value, gast.Load()), copy="%dict") for part in parts]
            else:
                waits = isinstance(one, gast.Lambda) or derivatives.derives(desugar, one)
                nodes.append(one if waits else desugar.next(one))
            named += [(keyword.arg, place)] if keyword.arg else []
    count = len(node.args)
    keywords = [(place, gast.keyword(name, value if name is not None else value.value))
                for (name, place), value in zip(named, nodes[count:], strict=True)]
    return flat(desugar, nodes[:count]), _once(node.keywords, count, keywords)


def _once(written: Sequence[gast.keyword], first: int, keywords: list[tuple[int, gast.keyword]]) -> list[gast.keyword]:
    """Keywords by name; where one is given twice, which Python does not accept, those behind two stars in a dict."""
    names = [k.arg for _, k in keywords if k.arg is not None]
    if len(set(names)) == len(names):
        return [k for _, k in keywords]
    done: list[gast.keyword] = []
    for place, keyword in enumerate(written, first):
        parts = [part for at, part in keywords if at == place]
        whole = keyword.arg is not None or len(parts) == 1 and parts[0].arg is None
        done += parts if whole else [gast.keyword(None, gast.Dict([constant(k.arg) for k in parts],
                                                                  [k.value for k in parts]))]
    return done


def one_by_one(desugar: State, node: gast.Call, callee: Callee | FunctionValue | None = None, *,
               lazily: bool = False) -> tuple[list[Any], dict[Any, Any]]:
    """The same with no star among them, but one that `*rest` takes, and what `**options` takes, by None; RefusedError
    where there is one over what is not known, and nothing says what it is bound to. callee: what is called."""
    args, keywords = evaluated(desugar, node, lazily=lazily)
    if any(k.arg is None for k in keywords) or any(isinstance(arg, gast.Starred) for arg in args):
        callee = callee_of(desugar, callee) if isinstance(callee, FunctionValue) else callee
        if callee is None:
            raise desugar.refused(node, STARRED, ONE_BY_ONE, unknown=KEYS)
        args, keywords = by_place(desugar, callee, args, keywords)
    return args, {k.arg: k.value for k in keywords}


def by_place(desugar: State, callee: Callee, args: list[Any],
             keywords: list[gast.keyword]) -> tuple[list[Any], list[gast.keyword]]:
    """Evaluated arguments, those behind stars by the parameters: where all have to be given, a star is as many."""
    needs = all(p.default is inspect.Parameter.empty for p in callee.of_kind(*BY_PLACE)) \
        and not callee.of_kind(inspect.Parameter.VAR_POSITIONAL) and all(k.arg is not None for k in keywords)
    names = {p.name for p in callee.of_kind(*BY_PLACE)} - {k.arg for k in keywords}
    args = spread_over(desugar, args, lambda given: max(len(names) - given, 0) if needs else None,
                       lambda count: desugar.emit(callee.check(desugar, count, [k.arg for k in keywords if k.arg])))
    return when_run(desugar, callee, args, keywords)


def callee_of(desugar: State, value: FunctionValue) -> Callee | None:
    """What is called by a function value with a text: what it is bound to is not given any more."""
    try:
        captured = desugar.texts.unit(value.fn).captured
    except RefusedError:
        return None
    bound, defaults = dict(value.keywords), defaults_of(captured)
    around = {a.id for a in captured.tree.args.kwonlyargs if hasattr(a, "around")}
    written = list(signature(captured).parameters.values())
    taken = sum(p.kind in BY_PLACE for p in written[:len(value.first)])        # `*rest` takes any number
    parameters = [p.replace(default=None) if p.name in bound else p for p in written[taken:] if p.name not in around]
    def default(name: str) -> gast.expr:
        return clone(bound[name]) if name in bound else desugar.known(defaults[name], name)

    shown = captured.fn.__qualname__.rpartition(".<locals>.")[2]
    return None if value.more else Callee(shown, parameters, default)


def raises(desugar: State, value: FunctionValue, args: Sequence[Any], keywords: Sequence[gast.keyword]) -> bool:
    """Emit what Python raises where evaluated arguments, without stars, do not fit to the parameters of a function.
    True where that is so: nothing after it is reached."""
    names = [str(k.arg) for k in keywords]
    callee = callee_of(desugar, value)
    if callee is None or any(isinstance(arg, gast.Starred) for arg in args) or any(k.arg is None for k in keywords):
        return False
    check: Any = callee.check(desugar, constant(len(args)), names)
    try:
        runtime.check_call(check.value.args[0].value, len(args), tuple(names))
    except TypeError:
        for one in [*args, *(k.value for k in keywords)]:
            if not purity.is_function(desugar, one) and (purity.may_raise(desugar, one)
                                                         or not purity.computes(desugar, one, ())):
                desugar.kept(one, "argument")
        desugar.emit(check)
        return True
    return False


def _merged(desugar: State, node: Any) -> Any:
    """`{**second, **first}` for `ChainMap(first, second)`, of which all is taken at once."""
    if not isinstance(node, gast.Call) or desugar.object(node.func) is not collections.ChainMap or starred(node) \
            or not all(purity.computes(desugar, one, ()) for one in node.args):
        return node
    return gast.copy_location(gast.Dict([None for _ in node.args], node.args[::-1]), node)


def _by_name(desugar: State, keyword: gast.keyword) -> list[gast.keyword]:
    """An evaluated keyword; what a dict behind two stars holds one by one, where that is known."""
    value: Any = keyword.value
    if keyword.arg is not None:
        return [keyword]
    if isinstance(value, gast.Dict) \
            and all(isinstance(key, gast.Constant) and _is_name(key.value) for key in value.keys):
        return [gast.keyword(key.value, item) for key, item in zip(value.keys, value.values, strict=True)]
    made = value_of(desugar, value)
    if made is None or made.kind is not dict or made.path is not None:
        return [keyword]
    known = {ast.literal_eval(key): variable for key, variable in made.attributes.items()}       # written as in a text
    return [gast.keyword(key, held(desugar, variable)) for key, variable in known.items()] \
        if all(map(_is_name, known)) else [keyword]


def _is_name(key: Any) -> bool:
    return isinstance(key, str) and key.isidentifier() and not iskeyword(key)


def flat(desugar: State, args: list[Any]) -> list[Any]:
    """Evaluated arguments, what stands behind a star one by one where that is known."""
    done: list[Any] = []
    for arg in args:
        value = sequence(desugar, arg.value) if isinstance(arg, gast.Starred) else None
        if value is not None:
            done += items(desugar, value)
        else:
            done += arg.value.elts \
                if isinstance(arg, gast.Starred) and isinstance(arg.value, (gast.Tuple, gast.List)) else [arg]
    return done


def spread(desugar: State, value: FunctionValue, args: list[Any],
           keywords: list[gast.keyword]) -> tuple[list[Any], list[gast.keyword]]:
    """Evaluated arguments of a function, those with stars one by one where it is known what they are bound to."""
    if not any(isinstance(arg, gast.Starred) for arg in args) and all(k.arg is not None for k in keywords):
        return args, keywords
    if has_row(value.fn):
        return spread_over(desugar, args, lambda given: _missing(value, given),
                           lambda count: _check_row(desugar, value, count)), keywords
    callee = callee_of(desugar, value)
    return (args, keywords) if callee is None else by_place(desugar, callee, args, keywords)


def spread_over(desugar: State, args: list[Any], missing: Callable[[int], int | None],
                check: Callable[[gast.expr], None]) -> list[Any]:
    """The same. missing: how many a star has to stand for beside so many others; None where that is not certain.
    check: emits what Python raises where there are not so many in all."""
    stars = [arg for arg in args if isinstance(arg, gast.Starred)]
    place = args.index(stars[0]) if stars else 0
    count = missing(len(args) - 1) if len(stars) == 1 else None
    if count is None:
        return args
    before = [one if purity.is_function(desugar, one) or purity.computes(desugar, one, ())
              else load(desugar.kept(one, "argument")) for one in args[:place]]
    items, later = stars[0].value, args[place + 1:]
    acts = [not purity.is_function(desugar, one) and (
        purity.may_raise(desugar, one) or not purity.computes(desugar, one, ())) for one in later]
    items = call("%tuple", items) if any(acts) else items
    items = items if isinstance(items, gast.Name) else load(desugar.kept(items, "arguments"))
    after = [load(desugar.kept(one, "argument")) if first else one for one, first in zip(later, acts, strict=True)]
    length: gast.expr = call("%len", items)
    check(expr("n + m", n=constant(len(args) - 1), m=length) if len(args) > 1 else length)
    names = [desugar.temporary("argument") for _ in range(count)]
    desugar.emit(gast.Assign([tuple_of(map(store, names), write=True)], items, None))
    return [*before, *map(load, names), *after]


def _missing(value: FunctionValue, given: int) -> int | None:
    """How many positional arguments a star has to stand for in a call of a function with a row; None where that is not
    certain."""
    rule = lookup(value.fn)
    if rule is None or rule.takes_more:
        return None
    required = [p for p in rule.signature.parameters.values() if p.default is inspect.Parameter.empty]
    return len(required) - given - len(value.first) \
        if len(required) == len(rule.signature.parameters) or rule.fn is not None else None


def _check_row(desugar: State, value: FunctionValue, count: gast.expr) -> None:
    """Emit what is raised where a function with a row is not given what it needs, no more and no less."""
    rule = lookup(value.fn)
    parameters = list(rule.signature.parameters.values())[len(value.first):] if rule is not None else []
    if parameters and all(one.default is inspect.Parameter.empty for one in parameters):
        callee = Callee(getattr(value.fn, "__name__", "function"), parameters, constant)
        desugar.emit(callee.check(desugar, count))


def by_parameter(desugar: State, unit: Unit, args: list[Any], keywords: Mapping[Any, Any]) -> dict[str, Any]:
    """Arguments by parameter, as Python binds them; RefusedError where it would not."""
    parameters = signature(unit.captured)
    whole = keywords.get(None)                             # what `**options` takes besides
    if None in keywords and unit.captured.tree.args.kwarg is None:
        raise desugar.refused(desugar.here, STARRED, ONE_BY_ONE, unknown=KEYS)
    try:
        given = parameters.bind(*args, **{k: v for k, v in keywords.items() if k is not None}).arguments
    except TypeError as error:
        if any(isinstance(arg, gast.Starred) for arg in args):
            raise desugar.refused(desugar.here, STARRED, ONE_BY_ONE, unknown=KEYS) from None
        names = [p.name for p in parameters.parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        name, written = unit.captured.tree.name, unit.captured.fn.__qualname__.rpartition("<locals>.")[2]
        if written.endswith(f".{name}"):
            name, names = written, names[1:]               # a method, whose first argument is the object
        raise wrong_call(desugar, name, error, names) from None
    defaults = defaults_of(unit.captured)
    for name, parameter in parameters.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            given[name] = tuple_of(given.get(name, ()))
        elif parameter.kind is parameter.VAR_KEYWORD:
            more = given.get(name, {})
            given[name] = together(more, whole)
        elif name not in given:
            given[name] = desugar.known(defaults[name], name)
        elif isinstance(given[name], gast.Starred):
            raise desugar.refused(desugar.here, STARRED, ONE_BY_ONE, unknown=KEYS)
    return given


def together(more: Mapping[str, Any], whole: Any) -> gast.expr:
    """What `**options` takes: keywords, and a dict of others."""
    if whole is not None and not more:
        return whole
    return gast.Dict([*map(constant, more), *([] if whole is None else [None])],
                     [*more.values(), *([] if whole is None else [whole])])


def as_called(order: Iterable[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by parameter, in the order in which the call evaluates them; defaults are there already."""
    places = {id(one): i for i, one in enumerate(order)}

    def place(value: Any) -> int:
        parts = [value, *getattr(value, "elts", ())]       # a star takes several
        return min(places.get(id(one), len(places)) for one in parts)

    return dict(sorted(given.items(), key=lambda pair: place(pair[1])))


def signature(captured: Captured) -> inspect.Signature:
    """The parameters of a function as it is written, with its defaults of now."""
    a, defaults = captured.tree.args, defaults_of(captured)
    kinds = ((a.posonlyargs, inspect.Parameter.POSITIONAL_ONLY), (a.args, inspect.Parameter.POSITIONAL_OR_KEYWORD),
             (filter(None, [a.vararg]), inspect.Parameter.VAR_POSITIONAL),
             (a.kwonlyargs, inspect.Parameter.KEYWORD_ONLY), (filter(None, [a.kwarg]), inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature([inspect.Parameter(p.id, kind, default=defaults.get(p.id, inspect.Parameter.empty))
                              for parameters, kind in kinds for p in parameters])


def wrong_call(desugar: State, name: str, error: Exception, names: Sequence[str]) -> RefusedError:
    """The refusal of a call that Python does not accept, in Python's words. names: of the parameters."""
    instead = f"an argument for each of its parameters: {', '.join(names)}" if names else "a call without arguments"
    return desugar.refused(desugar.here, f"Python does not accept this call of {name}: {error}", instead)
