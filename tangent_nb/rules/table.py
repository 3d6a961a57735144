"""The table of rules: one row for each function, holding reverse and forward mode together.

A row is written as text that reads as mathematics. In it `g` is what comes in (the cotangent of the result
in reverse mode, the tangent of the argument in forward mode), the result and the arguments go by the names of
the row's own signature:

    elementwise(np.sin, "y = np.sin(x)", x="g * np.cos(x)")
    linear(np.transpose, "y = np.transpose(x, axes=None)", pull={"x": "rt.untranspose(g, axes)"})

An elementwise partial is diagonal, so that one text serves both modes; reverse mode adds the unbroadcast. A linear
row's tangent is the function itself applied to the tangent. Everything else (`rule`) writes both.

A text may be a list of `(condition, text)` pairs, tried in order, the last one a bare text: a condition is a function of the
specs of the arguments, by name, with the result's under the result's name.

At load time a row is checked: every name in it is an argument, the result, `g`, or one of `np`, `rt`, `math`, SciPy's
`special` and `stats`, `scipy` and builtins; every differentiable argument has a partial in both modes.
"""
from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from .. import runtime
from ..syntax import spec as sp
from ..syntax.nodes import VIEWS
from ..syntax.program import same_each_time
from ..syntax.spec import Spec
from .breaking import is_floating
from .libraries import IN_ROWS, ROWS_OF

Condition: TypeAlias = Callable[[Mapping[str, Spec]], bool]
Breaks: TypeAlias = str | Mapping[str, str] | Mapping[int, str]
Infinite: TypeAlias = str | Mapping[str, str]
Breaking: TypeAlias = Callable[[Mapping[str, Any], Collection[str]], Breaks]
Template: TypeAlias = "str | Sequence[tuple[Condition, str] | str]"

ARRAYS = ("np.", "scipy.linalg.", "scipy.signal.", "scipy.special.", "scipy.stats.")           # libraries whose functions take arrays
COMPUTING = ("scipy.stats.", "scipy.special.", "np.arctan2", "np.average", "rt.power_d")                   # whose texts take no list
RUNTIME = runtime.__name__
SEVERAL = frozenset(["arrays", "blocks", "choices", "choicelist", "condlist"])     # arguments that take several arrays: a list there stays one
SETTINGS = frozenset("""                                   # arguments that say how, not of what; sequences among them are no arrays
    M N UPLO axes axis axis1 axis2 bias correction ddof decimals deg destination dtype edge_order endpoint include_initial increasing indexing
    indices_or_sections k keepdims kind kth m method mode n new_shape norm num obj offset ord order pad_width period repeats reps rowvar s
    shape shift source sparse start stat_length subscripts""".split())
SIZES = frozenset(["M", "N", "new_shape", "num", "repeats", "reps", "shape", "start", "stop"])


@dataclass(frozen=True)
class Choice:
    """One text of a partial, with the condition under which it holds."""

    when: Condition | None
    text: str
    expr: ast.expr
    reads: frozenset[str]


@dataclass(frozen=True)
class Rule:
    """One row.

    name: as users write it (`"np.sin"`); result: the result's name in the texts; signature: of the arguments;
    pull / push: by argument name the choices for reverse / forward mode; nondiff: arguments without a derivative (only
    their shape, or an integer, is used); refused: those of them on which the result does depend, refused where active;
    joint: linear in all of them at once, so that the tangent is the function of the tangents;
    diagonal: the Jacobian is elementwise (the pull is unbroadcast to the argument by the caller);
    spec: from the specs of the bound arguments and, for constants, their values, the spec of the result;
    memory: whether the result is `"fresh"`, a `"view"` of its first argument or may `"alias"` any of them; shares: which calls give what
    `memory` says, by the nodes of their arguments, where the others give something fresh; of_lists: the texts hold of lists of numbers too;
    exact: whatever it is given, the result is an ndarray, of no class derived from it;
    shape_only: arguments of which nothing but shapes, dtypes and places in memory is read; numeric: the result is a number or an array,
    whatever the operands are, as it is for elementwise functions of NumPy;
    refuses: a call may be there for the error that it raises, and stays where it stands; fills: it takes no more time than memory to fill;
    unset: its numbers are what the memory holds; part: the result is the first argument under other indices;
    because / instead: for a row without a derivative, why, and what to use; remedies: the same by refused argument; also_named: second names
    of arguments, as `min` of `a_min`; zero: the derivative is zero
    by convention (floor, sign) rather than absent; breaks: what happens somewhere inside of the domain, as an argument moves: `"jump"`, or
    `"kink"` where only the slope jumps; by argument, if not each moves the place; by part of the result; or from the nodes of the arguments
    and the names of those that move; domain: the intervals that the tests draw its arguments from; by_user: written with `adjoint` or
    `tangent`, perhaps for one mode only; takes_more: the function takes more arguments than the row, which stands for each two of them;
    infinite: where its value is so
    for finite arguments: at a `"pole"`, or where they are `"large"`, and its slope with it; by argument, if not each leads there;
    spreads: each element of the result is made of some of what is given, none is left out (without it, that is so of
    smooth functions of elements); multiplies: it computes sums of products of elements,
    with no other weights (`"elements"`) or with some, or of one argument (`"mixed"`); zeros: it puts exact zeros beside what it is given.
    """

    fn: object
    name: str
    result: str
    signature: inspect.Signature
    pull: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    push: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    nondiff: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    joint: bool = False
    diagonal: bool = False
    spec: Callable[[Mapping[str, Spec], Mapping[str, Any]], Spec] | None = None
    memory: str = "fresh"
    shares: Callable[[Mapping[str, Any]], bool] | None = None
    of_lists: bool = False
    exact: bool = False
    shape_only: frozenset[str] = frozenset()
    numeric: bool = False
    pure: bool = True
    refuses: bool = False
    fills: bool = False
    unset: bool = False
    part: bool = False
    zero: bool = False
    breaks: Breaks | Breaking = ""
    supported: bool = True
    because: str = ""
    instead: str = ""
    remedies: Mapping[str, str] = field(default_factory=dict)
    also_named: Mapping[str, str] = field(default_factory=dict)
    domain: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    note: str = ""
    by_user: bool = False
    takes_more: bool = False
    infinite: Infinite = ""
    spreads: bool | None = None
    multiplies: str = ""
    zeros: bool = False

    @cached_property
    def params(self) -> tuple[str, ...]:
        return tuple(self.signature.parameters)

    @cached_property
    def by_position(self) -> range:
        """How many arguments a call may give that gives them by position alone; an empty range where only `signature.bind` can say."""
        parameters = self.signature.parameters.values()
        plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if any(p.kind is not p.KEYWORD_ONLY or p.default is p.empty for p in parameters if p not in plain):
            return range(0)
        return range(sum(p.default is p.empty for p in plain), len(plain) + 1)

    @cached_property
    def original(self) -> inspect.Signature | None:
        """The signature that the function itself has, where Python knows it."""
        try:
            return inspect.signature(self.fn)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return None

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The row's names of arguments by those that the function itself gives them: `x` by `a`."""
        own, theirs = self.signature.parameters, self.original.parameters if self.original else {}
        found = dict(self.also_named)
        for mine, parameter in zip(own, theirs.values()):
            if mine != parameter.name and parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.name not in own:
                if mine in theirs:
                    break
                found.setdefault(parameter.name, mine)
        return found

    @cached_property
    def active_params(self) -> tuple[str, ...]:
        """The arguments through which a derivative flows."""
        return tuple(self.pull) + tuple(name for name in self.push if name not in self.pull)

    def takes_array(self, name: str | None) -> bool:
        """An argument that is an array: what is written as a list is made one."""
        return name in self.active_params and name not in SEVERAL and self.name.startswith(ARRAYS) or self.computes_with(name)

    def computes_with(self, name: str | None) -> bool:
        """The texts may compute with this argument as with an array: a list in a variable is made one too. (Other texts take lists.)"""
        return (name in self.active_params or name in self.refused) and (self.name.startswith(COMPUTING) or self.name.endswith(".outer"))

    @property
    def converts(self) -> bool:
        """The result is the first argument as an array, which may be a list: np.asarray."""
        return self.of_lists and self.memory == "view"

    @cached_property
    def reads_result(self) -> bool:
        """An adjoint or a tangent reads the result: that of np.tanh, which is g * (1.0 - y * y)."""
        return any(self.result in choice.reads for side in (self.pull, self.push) for choices in side.values() for choice in choices)

    @cached_property
    def adds(self) -> bool:
        """The sum or the difference of two arguments."""
        texts = [choice.text for choices in self.pull.values() for choice in choices]
        return self.diagonal and len(self.pull) == 2 and set(texts) <= {"g", "-g"}

    @cached_property
    def sizes(self) -> frozenset[str]:
        """The arguments that say how large the result is."""
        return SIZES & self.signature.parameters.keys() - self.pull.keys()

    @cached_property
    def settings(self) -> frozenset[str]:
        """The arguments that are no arrays: axes, shapes, dtypes, orders, counts, modes."""
        return SETTINGS & self.signature.parameters.keys() - self.pull.keys()

    def reads_numbers(self, name: str) -> bool:
        """A partial may read the numbers of this argument: a tangent, which needs no shapes, reads it."""
        return any(name in choice.reads for choices in (self.push or self.pull).values() for choice in choices)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """The arguments that are functions, which an adjoint calls again: their cotangent is that of what they are bound to."""
        return tuple(name for name, choices in self.pull.items() if any("rt.closure_of" in choice.text for choice in choices))

    def broken(self, args: Mapping[str, Any], moving: Iterable[str], parts: Iterable[int] | None = None) -> str:
        """`"jump"`, `"kink"` or neither: what may happen in a call, of which these arguments move. parts: those of the result that are read."""
        moving = set(moving)
        breaks: Any = self.breaks(args, moving) if callable(self.breaks) else self.breaks
        if isinstance(breaks, str):
            found = {breaks}
        else:
            by_part = any(isinstance(one, int) for one in breaks)
            found = {breaks.get(one, "") for one in ((breaks if parts is None else parts) if by_part else moving)}
        if self.active_params and self.name.startswith((*ARRAYS, "x.")):
            choosing = self.nondiff & moving - (set() if isinstance(breaks, str) else breaks.keys())
            if choosing or not is_floating(args.get("dtype")):             # a number chooses, or is cut to an integer
                found.add("jump")
        return "jump" if "jump" in found else "kink" if "kink" in found else ""

    def result_spec(self, args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
        """The spec of the result; UNKNOWN where the row does not say. Never raises."""
        if self.spec is None:
            return sp.UNKNOWN
        try:
            return self.spec(args, constants)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            return sp.UNKNOWN


_ROWS: dict[int, Rule] = {}
_KEEP: list[object] = []          # rows are found by identity: keep what is identified alive
_METHODS: dict[str, Rule] = {}
_OPERATORS: dict[str, Rule] = {}
_WAITING = dict(ROWS_OF)
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
    return found


def _is_held(fn: Any, module: str) -> bool:
    """A module has this object, or the one whose method it is. Helpers of ours may be in rows of any module."""
    if isinstance(fn, types.FunctionType) and (fn.__module__ or "").startswith(RUNTIME):
        return True
    values = vars(sys.modules[module])
    if module not in _HELD or _HELD[module][0] != len(values):
        _HELD[module] = len(values), frozenset(map(id, values.values()))
    owner = fn.__self__ if isinstance(fn, (types.MethodType, types.BuiltinMethodType)) else fn
    return id(fn) in _HELD[module][1] or id(owner) in _HELD[module][1]


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
    return next((node for node, one in _OPERATORS.items() if one is rule and rule.fn is fn), "") if rule is not None else ""


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


def parse_signature(text: str) -> tuple[str, str, inspect.Signature]:
    """Split `"y = np.sum(x, axis=None, *, keepdims=False)"` into result, function name and signature.

    Arguments that a row does not name are refused by binding a call to it. So are positions that it gives to others: what
    follows in NumPy after an argument that is left out stands behind `*`.

    >>> parse_signature("y = np.sum(x, axis=None, *, keepdims=False)")
    ('y', 'np.sum', <Signature (x, axis=None, *, keepdims=False)>)
    """
    match = re.fullmatch(r"(\w+) = ([\w.]+)\((.*)\)", text)
    if match is None:
        raise ValueError(f"a row's signature reads 'y = f(x, axis=None)', not {text!r}")
    result, name, written = match.groups()
    function = ast.parse(f"def f({written}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    parameters = [inspect.Parameter(arg.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD) for arg in given.args]
    for i, node in enumerate(reversed(given.defaults), 1):
        parameters[-i] = parameters[-i].replace(default=ast.literal_eval(node))
    for arg, value in zip(given.kwonlyargs, given.kw_defaults):
        default: Any = inspect.Parameter.empty if value is None else ast.literal_eval(value)
        parameters.append(inspect.Parameter(arg.arg, inspect.Parameter.KEYWORD_ONLY, default=default))
    return result, name, inspect.Signature(parameters)


def choices(template: Template, allowed: Iterable[str]) -> tuple[Choice, ...]:
    """Parse a partial, and check that it names nothing but what it may."""
    pairs: list[tuple[Condition | None, str]] = []
    for item in [template] if isinstance(template, str) else template:
        pairs.append((None, item) if isinstance(item, str) else item)
    if pairs[-1][0] is not None:
        raise ValueError("the last text of a partial holds without a condition")
    allowed = {*allowed, *IN_ROWS, *dir(builtins)}
    parsed = []
    for when, text in pairs:
        expr = ast.parse(text, mode="eval").body
        names = {node.id for node in ast.walk(expr) if isinstance(node, ast.Name)}
        if unknown := sorted(names - allowed):
            raise ValueError(f"{text!r} names {', '.join(unknown)}, which the row's signature does not")
        parsed.append(Choice(when, text, expr, frozenset(names - set(IN_ROWS))))
    return tuple(parsed)


def _build(fn: object, signature: str, *, pull: Mapping[str, Template], push: Mapping[str, Template],
           nondiff: Iterable[str] = (), refused: Iterable[str] = (), **details: Any) -> Rule:
    result, name, sig = parse_signature(signature)
    allowed = {result, "g", *sig.parameters}
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
                pull={p: choices(t, allowed) for p, t in pull.items()},
                push={p: choices(t, allowed) for p, t in push.items()},
                nondiff=rest, refused=frozenset(refused), **details)


def rule(fn: object, signature: str, *, pull: Mapping[str, Template], push: Mapping[str, Template],
         also: Iterable[object] = (), method: str | None = None, operator: str | None = None, **details: Any) -> Rule:
    """A function whose two modes are written apart. `g` in a pull has the result's shape, in a push the argument's."""
    return register(_build(fn, signature, pull=pull, push=push, **details), also=also, method=method, operator=operator)


def elementwise(fn: object, signature: str, *, spec: Any = None, **texts: Any) -> Rule:
    """A function whose Jacobian is diagonal after broadcasting: one text per argument serves both modes. texts: and other columns."""
    arguments = parse_signature(signature)[2].parameters
    partials = {name: text for name, text in texts.items() if name in arguments}
    details = {name: value for name, value in texts.items() if name not in arguments}
    return rule(fn, signature, pull=partials, push=partials, diagonal=True, spec=spec or _elementwise_spec, **details)


def _elementwise_spec(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    return sp.floating(sp.broadcast(*args.values()))


def linear(fn: object, signature: str, *, pull: Mapping[str, Template], **details: Any) -> Rule:
    """A function linear in each differentiable argument: only the transpose is written. Helpers of ours are called by position."""
    _, called, sig = parse_signature(signature)
    push = {}
    for name in pull:
        args = [(name_ if p.default is p.empty or called.startswith("rt.") else f"{p.name}={name_}")
                for p in sig.parameters.values() for name_ in ["g" if p.name == name else p.name]]
        push[name] = f"{called}({', '.join(args)})"
    return rule(fn, signature, pull=pull, push=push, **details)


def nondifferentiable(fn: object, signature: str, *, because: str, also: Iterable[object] = (), method: str | None = None,
                      operator: str | None = None, refused: Iterable[str] = (), breaks: Breaks = "jump", **details: Any) -> Rule:
    """A function through which no derivative flows: integer results, or (`zero`) zero almost everywhere.

    breaks: `""` where the result depends on no values, but on shapes and dtypes."""
    result, name, sig = parse_signature(signature)
    return register(Rule(fn, name, result, sig, nondiff=frozenset(sig.parameters), because=because, refused=frozenset(refused), breaks=breaks,
                         **details), also=also, method=method, operator=operator)


def check(fn: Any, arguments: str, **details: Any) -> Rule:
    """A helper that is there for the errors that it raises."""
    return nondifferentiable(fn, f"y = rt.{fn.__name__}({arguments})", because="it returns nothing", breaks="", refuses=True, **details)


def unsupported(fn: object, name: str, *, because: str, instead: str = "", memory: str = "alias", pure: bool = True) -> Rule:
    """A function that is known and refused where it is differentiated, with the reason and the remedy; constants it may be called with."""
    return register(Rule(fn, name, "y", inspect.Signature(), supported=False, because=because, instead=instead, memory=memory, pure=pure))
