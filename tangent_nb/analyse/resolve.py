"""What an expression computes: which row of the table, which function of the user, which arguments.

Needs an expression, the namespace of its function and the names that are local to it. Promises an `Operation`;
resolving reads the namespace as it is now, and never calls user code.
"""
from __future__ import annotations

import builtins
import dataclasses
import difflib
import functools
import inspect
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import gast
import numpy as np

from .. import runtime
from ..rules import (
    FIELD,
    LIBRARIES,
    LOGISTIC,
    MAX_OF,
    MIN_OF,
    SIGMOID,
    SQUARED_HYPOT,
    SQUARED_NORM,
    Effects,
    Rule,
    effects_of,
    lookup,
    lookup_method,
    lookup_operator,
    method_row,
)
from ..runtime.containers import article
from ..syntax.building import constant, tuple_of
from ..syntax.nodes import dotted, is_literal, literal, writes
from ..syntax.program import MISSING, Captured, Namespace, member
from .displays import fields, is_made_of, is_partial
from .libraries import full_name, unsettled
from .receivers import called_object, method_of, of_operator

_MODULES = {name: one for name, one in LIBRARIES.known.items() if isinstance(one, types.ModuleType)}
UNTOLD = Effects(None, "", None)
STARRED = "an argument has a star (* or **), and what it holds is not known beforehand"
DEVIATIONS: dict[object, object] = {np.std: np.var, np.nanstd: np.nanvar}
NORMS = ("np.linalg.norm", "scipy.linalg.norm", "np.linalg.vector_norm")
PACKED = (np.ndarray.reshape, np.ndarray.transpose)     # methods that take a tuple's items one by one


class Operation(NamedTuple):
    """One operation.

    kind: `"rule"` (a row, with its arguments by name), `"function"` (a Python function, `fn`), `"container"` (a
    display: a tuple, list or dict, or a call of a class, `fn`, that keeps its arguments), `"replaced"`
    (`p._replace(w=v)`: p, and what is exchanged in it), `"each"` (`rt.differentiable(x, y)`: its arguments, one by
    one), `"name"`, `"select"` (`a if c else b`, `a or b`), `"plain"` (nothing differentiable: constants, comparisons,
    text), `"dynamic"` (a call of a variable), or `"unknown"` (a call of something without a row, with why).
    """

    kind: str
    rule: Rule | None = None
    args: Mapping[str, gast.expr] = types.MappingProxyType({})
    fn: Any = None
    why: str = ""

    @property
    def memory(self) -> str:
        """Of a row: whether the value is fresh, a view of the first argument, or may be any of them."""
        assert self.rule is not None
        fresh = self.rule.shares is not None and self.args and not self.rule.shares(self.args)
        return "fresh" if fresh else self.rule.memory


PLAIN, NAME, CONTAINER, SELECT, DYNAMIC = map(Operation, ("plain", "name", "container", "select", "dynamic"))


@dataclass(frozen=True)
class Scope:
    """Where names are looked up: the function, else its namespace. objects: the names of objects that may run code of
    their own; untold: those of unknown class; stops: what has no rule, and is refused, passes no derivative on."""

    namespace: Namespace
    local: set[str]
    objects: frozenset[str] = frozenset()
    untold: frozenset[str] = frozenset()
    stops: bool = False

    @staticmethod
    def of(captured: Captured) -> Scope:
        """That of the text of a function."""
        return Scope(captured.namespace, writes(captured.tree))

    def value(self, node: gast.AST) -> Any:
        """The object that a name or dotted name outside the function means, or MISSING.

        `%np`, `%rt` and `%math` are our libraries, whatever these names mean to the user.
        """
        kind: Any = node.__class__
        if kind is gast.Name:
            name = node.id
            if name[:1] == "%":
                return LIBRARIES[name[1:]]
            return MISSING if name in self.local else self.namespace.lookup(name)
        if kind is not gast.Attribute:
            return MISSING
        base = node.value
        if base.__class__ is gast.Name and base.id[:1] == "%" and base.id[1:] in _MODULES:      # nearly all of ours
            return getattr(_MODULES[base.id[1:]], node.attr)
        return member(self.value(node.value), node.attr) if _is_ours(node) else self.namespace.resolve(node, self.local)

    def settled(self, node: gast.AST) -> Any:
        """The same, where it means that whenever the derivative runs: what an import, or a library, says."""
        value = self.value(node)
        open_ = value is not MISSING and not _is_ours(node) and unsettled(node, self.namespace) is not None
        return MISSING if open_ else value

    def builtin(self, node: gast.AST) -> str:
        """The name of the builtin that an expression calls, by whatever name;
        empty where it calls something else, `zip` of the user's own."""
        fn = self.value(node.func) if isinstance(node, gast.Call) else MISSING
        name = fn.__name__ if isinstance(fn, (type, types.BuiltinFunctionType)) else ""
        return name if name and getattr(builtins, name, MISSING) is fn else ""

    def effects(self, node: gast.AST) -> Effects:
        """What the function that an expression calls does to its arguments; nothing where that is not known."""
        fn = self.value(node.func) if isinstance(node, gast.Call) else MISSING
        return effects_of(fn) or UNTOLD if fn is not MISSING else UNTOLD

    def shapes_read(self, node: gast.Call) -> list[gast.expr]:
        """The arguments of a call of which nothing but shapes, dtypes and places in memory is read."""
        operation = self.operation(node)
        return [operation.args[name] for name in operation.rule.shape_only if name in operation.args] \
            if operation.rule is not None else []

    def operation(self, node: Any) -> Operation:
        """What `node` computes from its direct operands."""
        kind: Any = node.__class__
        if kind is gast.Name:
            return NAME
        if kind is gast.Constant:
            return PLAIN
        if kind is gast.Call:
            return PLAIN if is_formatted(node) else self._call(node)
        if kind is gast.BinOp:
            special = SPECIAL.get(node.op.__class__)      # for most operators there is nothing of the kind
            found = special(node, self) if special is not None else None
            if found is not None:
                return found
            rule = lookup_operator(node.op.__class__.__name__)
            if rule is None:
                return PLAIN
            first, second = rule.params
            return _by_row(rule, {first: node.left, second: node.right})
        if kind is gast.UnaryOp:
            rule = lookup_operator(node.op.__class__.__name__)
            return PLAIN if rule is None else _by_row(rule, {rule.params[0]: node.operand})
        if kind is gast.Subscript:
            rule = lookup_operator("Subscript")
            assert rule is not None
            return _by_row(rule, {"x": node.value, "index": node.slice})
        if isinstance(node, gast.Attribute):
            return self._attribute(node)
        if isinstance(node, (gast.Tuple, gast.List, gast.Dict)):
            return CONTAINER
        if isinstance(node, (gast.IfExp, gast.BoolOp)):
            return SELECT
        return PLAIN

    def _attribute(self, node: gast.Attribute) -> Operation:
        if self.value(node) is not MISSING or self.value(node.value) is not MISSING \
                and isinstance(self.value(node.value), (types.ModuleType, type)):
            return PLAIN
        rule = lookup_method(node.attr)
        if not hasattr(np.ndarray, node.attr):
            return Operation("rule", FIELD, {"x": node.value, "name": constant(node.attr)})
        if rule is None or callable(getattr(np.ndarray, node.attr, None)):
            return Operation("unknown", why=f"the attribute .{node.attr} has no derivative rule")
        return Operation("rule", rule, {rule.params[0]: node.value})

    def _call(self, node: gast.Call) -> Operation:
        fn = self.value(node.func)
        positional, keywords = list(node.args), {k.arg: k.value for k in node.keywords} if node.keywords else {}
        if None in keywords or gast.Starred in map(type, positional):
            return Operation("unknown", why=STARRED)
        if fn is MISSING and (row := called_object(node.func, self)) is not None:
            return _bound(row, [node.func, *positional], keywords, None)
        if fn is MISSING and isinstance(node.func, gast.Attribute):
            return self._method(node.func, positional, keywords)
        if fn is MISSING:
            return DYNAMIC
        if fn is dataclasses.replace and len(positional) == 1 and keywords:
            return Operation("replaced", args={"": positional[0], **keywords})
        if fn is getattr and len(positional) == 2 and is_literal(positional[1]) \
                and isinstance(literal(positional[1]), str):
            return self._attribute(gast.Attribute(positional[0], literal(positional[1]), gast.Load()))
        rule = lookup(fn)
        if fn is runtime.differentiable and len(positional) > 1:
            return Operation("each", rule)
        if rule is not None and rule.receiver and rule.fn is not fn:
            return _bound(rule, [node.func, *positional], keywords, None)
        if rule is not None and not (fn is dict and keywords):
            return _bound(rule, positional, keywords, fn)
        if is_made_of(node):
            return Operation("container", fn=self.value(positional[0]))
        if isinstance(fn, types.FunctionType):
            return Operation("function", fn=fn)
        if fields(fn, node) is not None and (fn is not functools.partial or is_partial(node)):
            return Operation("container", fn=fn)
        return Operation("unknown", fn=fn, why=f"{full_name(fn)} has no derivative rule")

    def _method(self, func: gast.Attribute, positional: list[Any], keywords: dict[Any, Any]) -> Operation:
        base = self.value(func.value)
        if (known := method_of(func, self)) is not None:
            return _bound(known, [func.value, *positional], keywords, None)
        if base is not MISSING and isinstance(base, (types.ModuleType, type)):
            near = sorted(difflib.get_close_matches(func.attr, dir(base)),
                          key=lambda one: sorted(one) != sorted(func.attr))
            name = dotted(func) or "it"
            why = f"{name} does not exist: is {dotted(func.value)}.{near[0]} meant?" if near \
                else f"{name} does not exist"
            return Operation("unknown", why=why)
        if base is not MISSING \
                and (not isinstance(base, (np.ndarray, np.generic, float, int)) or _has_its_own(base, func.attr)):
            row = method_row(type(base), func.attr)
            if row is not None and row.changes_first:
                what = f"{dotted(func.value) or 'it'}, {article(type(base).__name__)} from outside of the function"
                return Operation("unknown", why=f".{func.attr} changes {what}")
            return Operation("unknown",
                             why=f"the method .{func.attr} of {article(type(base).__name__)} has no derivative rule")
        if func.attr == "_replace" and not positional and keywords:
            return Operation("replaced", args={"": func.value, **keywords})
        rule = lookup_method(func.attr)
        if rule is None or (hasattr(np.ndarray, func.attr) and not callable(getattr(np.ndarray, func.attr))):
            return Operation("unknown", why=f"the method .{func.attr} has no derivative rule")
        if getattr(np.ndarray, func.attr, None) in PACKED and len(positional) > 1:
            positional = [tuple_of(positional)]
        return _bound(rule, [func.value, *positional], keywords, None)


def _has_its_own(base: Any, name: str) -> bool:
    """An array of a class derived from NumPy's, with a method of its own by a name of an array's."""
    return isinstance(base, np.ndarray) and getattr(type(base), name, None) is not getattr(np.ndarray, name, None)


def _is_ours(node: Any) -> bool:
    """A dotted name of one of our libraries: `%np.linalg.norm`."""
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name) and node.id.startswith("%")


def is_formatted(node: Any) -> bool:
    """`"…".format(x)`, and `"…" % x`: a text."""
    if node.__class__ is gast.BinOp:
        text = node.left if node.op.__class__ is gast.Mod else None
    else:
        text = node.func.value if isinstance(node, gast.Call) and getattr(node.func, "attr", "") == "format" else None
    return text is not None and isinstance(text, gast.Constant) and isinstance(text.value, str)


def sigmoid(node: gast.expr, scope: Scope) -> Operation | None:
    """`1 / (1 + np.exp(-z))` and `a / (1 + np.exp(z))`: one operation each,
    since their parts overflow where they do not."""
    if node.__class__ is not gast.BinOp or node.op.__class__ is not gast.Div:
        return None
    below = node.right
    if not (isinstance(below, gast.BinOp) and isinstance(below.op, gast.Add)):
        return None
    exp = below.right if _is_one(below.left) else below.left if _is_one(below.right) else None
    if not (isinstance(exp, gast.Call) and len(exp.args) == 1 and not exp.keywords and scope.value(exp.func) is np.exp):
        return None
    inner = exp.args[0]
    if _is_one(node.left) and isinstance(inner, gast.UnaryOp) and isinstance(inner.op, gast.USub):
        return Operation("rule", SIGMOID, {"x": inner.operand})
    return Operation("rule", LOGISTIC, {"a": node.left, "x": inner})


def squared(node: gast.expr, scope: Scope) -> Operation | None:
    """`np.linalg.norm(x) ** 2`, `np.hypot(x, y) ** 2` and `np.std(x) ** 2`: one operation each,
    smooth where its parts are not."""
    if not (node.__class__ is gast.BinOp and node.op.__class__ is gast.Pow and isinstance(node.right, gast.Constant)
            and type(node.right.value) in (int, float) and node.right.value == 2):
        return None
    return square_of(node.left, scope)


def _text(node: gast.expr, scope: Scope) -> Operation | None:
    return PLAIN if is_formatted(node) else None


def _of_object(node: Any, scope: Scope) -> Operation | None:
    return None if (found := of_operator(node, scope)) is None else Operation("rule", *found)


SPECIAL: dict[type, Callable[[gast.expr, Scope], Operation | None]] = {
    gast.Mod: _text, gast.Div: sigmoid, gast.Pow: squared, gast.MatMult: _of_object, gast.Mult: _of_object}


def square_of(node: gast.expr, scope: Scope) -> Operation | None:
    """The square of a call, if it is one operation."""
    inner = scope.operation(node) if isinstance(node, gast.Call) else PLAIN
    if inner.kind != "rule" or inner.rule is None or not inner.args:
        return None
    name, args = inner.rule.name, dict(inner.args)
    if inner.rule.fn in DEVIATIONS:
        return Operation("rule", lookup(DEVIATIONS[inner.rule.fn]), args)
    if inner.rule.fn is np.hypot or inner.rule.fn is math.hypot:
        return Operation("rule", SQUARED_HYPOT, args)
    order = literal(args.pop("ord", constant(None)), ())
    of_vectors = name == "np.linalg.vector_norm" or type(literal(args.get("axis", constant(None)), None)) is int
    euclidean = order is None or order == (2 if of_vectors else "fro")
    if name in NORMS and euclidean and args.keys() <= SQUARED_NORM.signature.parameters.keys():
        return Operation("rule", SQUARED_NORM, args)
    return None


def _is_one(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) in (int, float) and node.value == 1


def _by_row(rule: Rule, args: Mapping[str, gast.expr], fn: Any = None) -> Operation:
    """That of a row with its arguments; a named tuple's own way takes twice as long."""
    return tuple.__new__(Operation, ("rule", rule, args, fn, ""))


def _bound(rule: Rule, positional: list[Any], keywords: dict[Any, Any], fn: Any) -> Operation:
    if not rule.supported:
        return Operation("rule", rule, {}, fn)
    if keywords:
        keywords = _without_nothing(rule, {rule.names.get(k, k): v for k, v in keywords.items()})
    if rule.fn in (max, min) and len(positional) > 2 and not keywords:
        first = gast.Call(gast.Name(rule.name, gast.Load(), None, None), positional[:-1], [])
        return Operation("rule", rule, {"x": first, "y": positional[-1]}, fn)
    if rule.fn in (max, min) and len(positional) == 1:
        rule = MAX_OF if rule.fn is max else MIN_OF
    if not keywords and len(positional) in rule.by_position:
        return _by_row(rule, dict(zip(rule.params, positional)), fn)
    try:
        bound = rule.signature.bind(*positional, **keywords)
    except TypeError as error:
        try:
            bound = rule.signature.bind(**_without_defaults(rule, positional, keywords))
        except (TypeError, ValueError):
            return Operation("unknown", rule, fn=fn, why=_unbound(rule, error))
    args = {name: value for name, value in bound.arguments.items() if isinstance(value, gast.AST)}
    return Operation("rule", rule, args, fn)


def _without_defaults(rule: Rule, positional: list[Any], keywords: dict[Any, Any]) -> dict[str, Any]:
    """The arguments by their names in the row, less those that say what they are where they are left out."""
    if rule.original is None:
        raise ValueError("Python does not know the signature")
    own = rule.signature.parameters
    theirs = {rule.names.get(name, name): parameter for name, parameter in rule.original.parameters.items()}
    places = [name for name, parameter in theirs.items()
              if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)]
    given = dict(zip(places, positional, strict=False))
    if len(positional) > len(places) or given.keys() & keywords.keys():
        raise ValueError("Python would raise a TypeError here")
    return {name: value for name, value in {**given, **keywords}.items() if name in own or name not in theirs
                  or not is_literal(value) or repr(literal(value)) != repr(theirs[name].default)}


def _unbound(rule: Rule, error: TypeError) -> str:
    return f"{rule.name} is differentiated as {rule.name}({', '.join(rule.params)}), and not called so: {error}"


def _without_nothing(rule: Rule, keywords: dict[Any, Any]) -> dict[Any, Any]:
    """Keywords with the value that leaves them out in NumPy (`out=None`) need not be named by a row; `copy=None` is no
    copy where one can be done without."""
    return {k: v for k, v in keywords.items() if k in rule.signature.parameters
               or k == "copy" and rule.memory == "fresh" or not (isinstance(v, gast.Constant) and v.value is None)}


def given(rule: Rule, args: Mapping[str, gast.expr]) -> dict[str, gast.expr]:
    """The arguments of a row, those left out as their default."""
    full = dict(args)
    for name, parameter in rule.signature.parameters.items():
        if name not in full and parameter.default is not inspect.Parameter.empty:
            full[name] = constant(parameter.default)
    return full


def constants(args: Mapping[str, gast.expr]) -> dict[str, Any]:
    """The values of the arguments that are literals."""
    return {name: literal(node) for name, node in args.items() if is_literal(node)}
