"""The table of rules: one row for each function, holding reverse and forward mode together.

A row is written as text that reads as mathematics. In it `g` is what comes in (the cotangent of the result
in reverse mode, the tangent of the argument in forward mode), the result and the arguments go by the names of
the row's own signature:

    elementwise(np.sin, "y = np.sin(x)", x="g * np.cos(x)")
    linear(np.transpose, "y = np.transpose(x, axes=None)", pull={"x": "rt.untranspose(g, axes)"})

An elementwise partial is diagonal, so that one text serves both modes; reverse mode adds the unbroadcast. A linear
row's tangent is the function itself applied to the tangent. Everything else (`rule`) writes both.

A text may be a list of `(condition, text)` pairs, tried in order, the last one a bare text: a condition is a function
of the specs of the arguments, by name, with the result's under the result's name.

At load time a row is checked: every name in it is an argument, the result, `g`, or one of `np`, `rt`, `math`, SciPy's
`special` and `stats`, `scipy` and builtins; every differentiable argument has a partial in both modes.
"""
from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import re
import sys
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from .. import runtime
from ..syntax import spec as sp
from ..syntax.nodes import VIEWS
from ..syntax.program import same_each_time
from ..syntax.spec import Spec
from .libraries import ROWS_OF
from .row import Breaks, Choice, Condition, Rule

Template: TypeAlias = "str | Sequence[tuple[Condition, str] | str]"

RUNTIME = runtime.__name__
_ROWS: dict[int, Rule] = {}
_KEEP: list[object] = []          # rows are found by identity: keep what is identified alive
_METHODS: dict[str, Rule] = {}
_OPERATORS: dict[str, Rule] = {}
_OF_OBJECTS: dict[tuple[type, str, bool], Rule] = {}
_CLOSED: dict[type, tuple[frozenset[str], frozenset[str]]] = {}
_WAITING = dict(ROWS_OF)
CALL = "__call__"
_HELD: dict[str, tuple[int, frozenset[int]]] = {}


def lookup(fn: object) -> Rule | None:
    """The row of a function, by identity. Rows of an optional module are filled when something that it holds is met."""
    fn = same_each_time(fn)
    found = _ROWS.get(id(fn))
    if found is None:
        homes = [module for module in _WAITING if module in sys.modules and _is_held(fn, module)]
        if homes:
            fill(*homes)
            found = _ROWS.get(id(fn))
    return found if found is not None else call_row(type(fn))


def with_row(fn: object) -> Any:
    """A function that has a row, as it is each time; None for others, and for an object that is called by one."""
    return same_each_time(fn) if (row := lookup(fn)) is not None and (not row.receiver or row.fn is fn) else None


def call_row(kind: type) -> Rule | None:
    """The row of a call of an object of a class: `spline(x)`."""
    found = _ROWS.get(id(getattr(kind, CALL, None)))
    return found if found is not None and found.receiver else None


def register_operator(kind: type, node: str, rule: Rule, *, left: bool = True) -> None:
    """Add the row of an operator, by the name of its AST class, with an object of a class on its left, or right."""
    _OF_OBJECTS[kind, node, left] = rule


def operator_row(kind: type, node: str, left: bool) -> Rule | None:
    """The row of an operator with such an object; a class of the user that is derived from one may have its own."""
    return next((row for base in kind.__mro__ if (row := _OF_OBJECTS.get((base, node, left))) is not None
                 and kind.__module__.partition(".")[0] == base.__module__.partition(".")[0]), None)


def register_closed(kind: type, own: str, number: str) -> None:
    """Say which operators of two objects of a class, and of one and a number, give one of the class again."""
    _CLOSED[kind] = frozenset(own.split()), frozenset(number.split())


def closed_under(kind: type, node: str, number: bool) -> bool:
    """An operator with such an object, and another one or a number, gives one of its class."""
    return next((node in _CLOSED[base][number] for base in kind.__mro__ if base in _CLOSED), False)


def has_rows(kind: type) -> bool:
    """Calls of the objects of a class, or operators with them, have rows."""
    return call_row(kind) is not None or any(one in kind.__mro__ for one, _, _ in _OF_OBJECTS)


def _is_held(fn: Any, module: str) -> bool:
    """A module has this object, or the one whose method it is. Helpers of ours may be in rows of any module; another
    function is in one of the library that it is from."""
    if isinstance(fn, types.FunctionType):
        home = fn.__module__ or ""
        if home.startswith(RUNTIME) or home.partition(".")[0] != module.partition(".")[0]:
            return home.startswith(RUNTIME)
    values = vars(sys.modules[module])
    if module not in _HELD or _HELD[module][0] != len(values):
        _HELD[module] = len(values), frozenset(map(id, values.values()))
    owner = fn.__self__ if isinstance(fn, (types.MethodType, types.BuiltinMethodType)) else fn
    return any(id(one) in _HELD[module][1] for one in (fn, owner, *type(fn).__mro__[:-1]))


def fill(*modules: str) -> None:
    """Fill the rows of optional modules, which are imported."""
    for module in modules:
        if module in _WAITING:
            importlib.import_module("." + _WAITING.pop(module), __package__)


def lookup_method(name: str) -> Rule | None:
    """The row of an ndarray method or attribute; its first argument is the array."""
    return _METHODS.get(name)


def lookup_operator(node: str) -> Rule | None:
    """The row of an operator, by the name of its AST class (`"Add"`, `"USub"`)."""
    return _OPERATORS.get(node)


def operator_of(fn: object) -> str:
    """The name of the AST class of the operator that a function is: `"Add"` of `operator.add`; empty for others."""
    rule = lookup(fn)
    return next((node for node, one in _OPERATORS.items() if one is rule and rule.fn is fn), "") \
        if rule is not None else ""


def rows() -> tuple[Rule, ...]:
    """All rows, in the order they were written."""
    seen: dict[int, Rule] = {}
    for rule in [*_OPERATORS.values(), *_ROWS.values(), *_METHODS.values()]:
        seen.setdefault(id(rule), rule)
    return tuple(seen.values())


def register(rule: Rule, *, also: Iterable[object] = (), method: str | None = None,
             operator: str | None = None) -> Rule:
    """Add a row, for `rule.fn`, other functions that are the same, a method name and an operator."""
    for fn in map(same_each_time, (rule.fn, *also)):
        if fn is not None:
            _ROWS[id(fn)] = rule
            _KEEP.append(fn)
    if method is not None:
        _METHODS[method] = rule
        VIEWS.update([method] if rule.part else [])
    if operator is not None:
        _OPERATORS[operator] = rule
    return rule


@functools.cache
def parse_signature(text: str) -> tuple[str, str, inspect.Signature]:
    """Split `"y = np.sum(x, axis=None, *, keepdims=False)"` into result, function name and signature.

    Arguments that a row does not name are refused by binding a call to it. So are positions that it gives to others:
    what follows in NumPy after an argument that is left out stands behind `*`.

    >>> parse_signature("y = np.sum(x, axis=None, *, keepdims=False)")
    ('y', 'np.sum', <Signature (x, axis=None, *, keepdims=False)>)
    """
    match = re.fullmatch(r"(\w+) = ([\w.]+)\((.*)\)", text)
    if match is None:
        raise ValueError(f"a row's signature reads 'y = f(x, axis=None)', not {text!r}")
    result, name, written = match.groups()
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = []
    for one in re.findall(r"(?:[^,(]|\([^)]*\))+", written):
        parameter, _, default = one.strip().partition("=")
        if parameter.startswith("*"):                      # what stands behind is given by name
            kind = inspect.Parameter.KEYWORD_ONLY
        else:
            parameters.append(inspect.Parameter(
                parameter, kind, default=_value(default) if default else inspect.Parameter.empty))
    return result, name, inspect.Signature(parameters)


@functools.cache
def _value(text: str) -> Any:
    """The value of a default, which nobody changes."""
    return ast.literal_eval(text)


def choices(template: Template) -> tuple[Choice, ...]:
    """The texts of a partial."""
    found = tuple([Choice(None, item) if isinstance(item, str) else Choice(*item)
                   for item in ([template] if isinstance(template, str) else template)])
    if found[-1].when is not None:
        raise ValueError("the last text of a partial holds without a condition")
    return found


def check_names(found: Iterable[Choice], allowed: Iterable[str]) -> None:
    """Texts name nothing but what they may."""
    for choice in found:
        if unknown := sorted(choice.reads - {*allowed, *dir(builtins)}):
            raise ValueError(f"{choice.text!r} names {', '.join(unknown)}, which the row's signature does not")


def _build(fn: object, signature: str, *, pull: Mapping[str, Template], push: Mapping[str, Template],
           nondiff: Iterable[str] = (), refused: Iterable[str] = (), **details: Any) -> Rule:
    result, name, sig = parse_signature(signature)
    for side in (pull, push):
        if unknown := sorted(set(side) - set(sig.parameters)):
            raise ValueError(f"{signature!r} has no argument {', '.join(unknown)}")
    if set(pull) != set(push):
        raise ValueError(f"{signature!r}: reverse and forward mode differ in what they differentiate")
    rest = frozenset(sig.parameters) - set(pull)
    required = {p.name for p in sig.parameters.values() if p.default is p.empty}
    if missing := sorted((rest & required) - set(nondiff)):
        raise ValueError(f"{signature!r}: no partial for {', '.join(missing)} (or name it in nondiff)")
    return Rule(fn, name, result, sig,
                pull={p: choices(t) for p, t in pull.items()}, push={p: choices(t) for p, t in push.items()},
                nondiff=rest, refused=frozenset(refused), **details)


def rule(fn: object, signature: str, *, pull: Mapping[str, Template], push: Mapping[str, Template],
         also: Iterable[object] = (), method: str | None = None, operator: str | None = None, **details: Any) -> Rule:
    """A function whose two modes are written apart. `g` in a pull has the result's shape, in a push the argument's."""
    return register(_build(fn, signature, pull=pull, push=push, **details), also=also, method=method, operator=operator)


def elementwise(fn: object, signature: str, *, spec: Any = None, **texts: Any) -> Rule:
    """A function whose Jacobian is diagonal after broadcasting: one text per argument serves both modes.
    texts: and other columns."""
    arguments = parse_signature(signature)[2].parameters
    partials = {name: text for name, text in texts.items() if name in arguments}
    details = {name: value for name, value in texts.items() if name not in arguments}
    return rule(fn, signature, pull=partials, push=partials, diagonal=True, spec=spec or _elementwise_spec, **details)


def _elementwise_spec(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    return sp.floating(sp.broadcast(*args.values()))


def linear(fn: object, signature: str, *, pull: Mapping[str, Template], **details: Any) -> Rule:
    """A function linear in each differentiable argument: only the transpose is written.
    Helpers of ours are called by position."""
    _, called, sig = parse_signature(signature)
    push = {}
    for name in pull:
        args = [(name_ if p.default is p.empty or called.startswith("rt.") else f"{p.name}={name_}")
                for p in sig.parameters.values() for name_ in ["g" if p.name == name else p.name]]
        push[name] = f"{called}({', '.join(args)})"
    return rule(fn, signature, pull=pull, push=push, **details)


def nondifferentiable(fn: object, signature: str, *, because: str, also: Iterable[object] = (),
                      method: str | None = None, operator: str | None = None, refused: Iterable[str] = (),
                      breaks: Breaks = "jump", **details: Any) -> Rule:
    """A function through which no derivative flows: integer results, or (`zero`) zero almost everywhere.

    breaks: `""` where the result depends on no values, but on shapes and dtypes."""
    result, name, sig = parse_signature(signature)
    return register(Rule(fn, name, result, sig, nondiff=frozenset(sig.parameters), because=because,
                         refused=frozenset(refused), breaks=breaks, **details), also=also, method=method,
                    operator=operator)


def check(fn: Any, arguments: str, **details: Any) -> Rule:
    """A helper that is there for the errors that it raises."""
    return nondifferentiable(fn, f"y = rt.{fn.__name__}({arguments})", because="it returns nothing", breaks="",
                             refuses=True, **details)


def unsupported(fn: object, name: str, *, because: str, instead: str = "", memory: str = "alias",
                pure: bool = True) -> Rule:
    """A function that is known and refused where it is differentiated, with the reason and the remedy;
    constants it may be called with."""
    return register(Rule(fn, name, "y", inspect.Signature(), supported=False, because=because, instead=instead,
                         memory=memory, pure=pure))
