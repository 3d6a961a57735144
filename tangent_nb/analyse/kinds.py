"""What is known of each value before it is computed: kind, shape and dtype.

A forward may analysis over the lattice of `Spec`s:

    env_after(n) = env_before(n)[v ↦ spec(e)]      for n: v = e
    env_before(n) = pointwise join over the predecessors

Facts come from literals, from what the rows of known functions say, and from example arguments (`like=`).
"""
from __future__ import annotations

import functools
import operator
import types
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from ..rules import Rule, infer, layout
from ..rules.table import call_row
from ..runtime.unbound import UNBOUND
from ..syntax import spec as sp
from ..syntax.building import load, subscript
from ..syntax.nodes import given_by, is_literal, literal, nodes_in, target_names
from ..syntax.program import MISSING
from ..syntax.sizes import Axis, Size, sliced, total
from ..syntax.spec import Spec
from .flow import access, mutation
from .graph import Graph, Node
from .known_results import known_result
from .name_sets import NameMap
from .resolve import Scope, constants
from .solver import solve
from .stacks import popped_behind, stacks

Env = Mapping[str, Spec]
Known = NameMap[Spec]


def spec_of(node: gast.expr, env: Env, scope: Scope) -> Spec:
    """The spec of an expression, in which names have the specs of `env`."""
    kind: Any = node.__class__
    if kind is gast.Name:
        return env[node.id] if node.id in env else _outside(node, scope)
    if kind is not gast.BinOp and kind is not gast.Call and (known := _other_spec(node, env, scope)) is not None:
        return known
    operation = scope.operation(node)
    if operation.kind == "function" and (of_call := known_result()) is not None:
        return of_call(operation.fn, node, env, scope)
    if operation.kind != "rule" or operation.rule is None or not operation.rule.supported:
        return getattr(node, "spec", sp.UNKNOWN)
    args = {name: spec_of(arg, env, scope) for name, arg in operation.args.items() if not isinstance(arg, gast.Slice)}
    if operation.rule.name == "np.copy" and not node.args and not args["x"].is_number:     # `x.copy()` of a list
        return args["x"] if args["x"].kind in ("list", "tuple") else sp.UNKNOWN
    spec = operation.rule.result_spec(args, _constants(operation.args, scope))
    if spec.kind == "int" and kind is gast.BinOp and (value := axis_of(node, env, scope)) is not None:
        return spec.like(value=value)
    return Spec("numeric") if spec.kind == "unknown" and _makes_numbers(operation.rule, args) else spec


def _other_spec(node: gast.expr, env: Env, scope: Scope) -> Spec | None:
    """That of what is no call and no operation with a row; None where it is one."""
    if isinstance(node, gast.Constant):
        return sp.INT.like(value=node.value) if type(node.value) is int else Spec.of(node.value)
    if isinstance(node, (gast.Tuple, gast.List)):
        kind = "tuple" if isinstance(node, gast.Tuple) else "list"
        if any(isinstance(item, gast.Starred) for item in node.elts):
            return Spec(kind)
        found = Spec(kind, items=tuple(spec_of(item, env, scope) for item in node.elts))
        return found.without_values() if kind == "list" else found         # whose items may be others later
    if isinstance(node, gast.Compare):
        if len(node.ops) == 1 and not isinstance(node.ops[0], (gast.In, gast.NotIn, gast.Is, gast.IsNot)):
            return infer.comparison({"x": spec_of(node.left, env, scope),
                                     "y": spec_of(node.comparators[0], env, scope)}, {})
        return sp.BOOL if len(node.ops) == 1 else sp.UNKNOWN
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
        return sp.BOOL
    if isinstance(node, (gast.IfExp, gast.BoolOp)):
        return functools.reduce(sp.join, [spec_of(value, env, scope) for value in given_by(node)])
    if isinstance(node, gast.JoinedStr):
        return sp.STR
    if isinstance(node, (gast.Set, gast.SetComp)):
        return Spec("other")
    if isinstance(node, gast.Subscript):
        return _subscript(node, env, scope)
    if isinstance(node, gast.Attribute) and isinstance(scope.settled(node), (float, int)):
        return Spec.of(scope.settled(node))            # np.pi, math.e
    return sp.NONE if isinstance(node, gast.Attribute) and scope.value(node) is UNBOUND else None


def _makes_numbers(rule: Rule, args: Env) -> bool:
    """The result is a number or an array, whatever the operands are: what is added to a list, or multiplied by an int,
    may be a list. What is no number has operators of its own: a set."""
    if any(arg.kind == "other" for arg in args.values()):
        return False
    if rule.fn is operator.add or rule.fn is operator.iadd:
        return any(arg.is_number for arg in args.values())
    if rule.fn is operator.mul or rule.fn is operator.imul:
        return any(arg.kind in ("float", "array") for arg in args.values())
    return rule.numeric or rule.name.startswith("np.") and rule.diagonal


def _constants(args: Mapping[str, gast.expr], scope: Scope) -> dict[str, Any]:
    """Literals, and dtypes such as `float` and `np.float32`."""
    dtype = scope.settled(args["dtype"]) if "dtype" in args else None
    return {**constants(args), **({"dtype": dtype} if isinstance(dtype, type) else {})}


def _subscript(node: gast.Subscript, env: Env, scope: Scope) -> Spec:
    base = spec_of(node.value, env, scope)
    if base.kind in ("tuple", "list"):
        return _item(base, node.slice, env, scope)
    if base.kind == "items" and is_literal(node.slice) and base.shape is not None \
            and not any(isinstance(part, gast.List) for part in nodes_in(node.slice)):             # of several places
        place = (*base.shape, literal(node.slice))
        return Spec("numeric", frozenset([("shape of", *place)]), frozenset([("dtype of", *place)]))
    parts = index_parts(node.slice)
    if base.kind == "versions":
        is_row = base.items and spec_of(node.slice, env, scope).kind == "int"
        return base.items[0] if is_row and base.items else Spec("numeric", None, base.dtype)
    if base.kind not in ("array", "numeric"):
        return sp.UNKNOWN
    if all(_is_constant(part) for part in parts):
        index = tuple(map(_index, parts)) if isinstance(node.slice, gast.Tuple) else _index(parts[0])
        try:
            spec = layout.subscript({"x": base}, {"index": index})
        except (IndexError, TypeError, ValueError):        # in a branch that is not taken for such a value
            return sp.UNKNOWN
        return spec.like(kind="array") if spec.kind == "numeric" and isinstance(index, slice) else spec
    if isinstance(base.shape, frozenset) \
            and all(_is_constant(part) or spec_of(part, env, scope).kind == "int" for part in parts):
        places = tuple(part if _is_constant(part) else gast.Constant(0, None) for part in parts)      # whichever row
        found = _subscript(subscript(node.value, gast.Tuple(list(places), gast.Load())), env, scope)
        if found.dims == 0 and base.dims:
            return Spec("scalar", (), base.dtype)
        return found.like(kind="array") if any(isinstance(part, gast.Slice) for part in parts) else found
    axes = _axes(base, parts, env, scope)
    if any(isinstance(part, gast.Slice) for part in parts):
        return _part(base, parts, env, scope) or Spec("array", None, base.dtype, axes=axes)
    if axes is not None:
        rest = base.shape[len(parts):] if isinstance(base.shape, tuple) else None
        return Spec("array", rest, base.dtype, axes=axes if rest is None else None) if axes \
            else Spec("scalar", (), base.dtype)
    return Spec("numeric", None, base.dtype)


def axis_of(node: Any, env: Env, scope: Scope) -> Axis | None:
    """The int that an expression is, as a size; None where that is not known."""
    if isinstance(node, gast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, gast.UnaryOp):
        inner = axis_of(node.operand, env, scope) if isinstance(node.op, gast.USub) else None
        return None if inner is None else total([inner], -1)
    if not isinstance(node, gast.BinOp):
        return spec_of(node, env, scope).value
    a, b = axis_of(node.left, env, scope), axis_of(node.right, env, scope)
    if a is None or b is None:
        return None
    if isinstance(node.op, (gast.Add, gast.Sub)):
        return total([a, total([b], 1 if isinstance(node.op, gast.Add) else -1)])
    number, other = (a, b) if isinstance(a, int) else (b, a)
    return total([other], number) if isinstance(node.op, gast.Mult) and isinstance(number, int) else None


def _part(base: Spec, parts: Sequence[Any], env: Env, scope: Scope) -> Spec | None:
    """The spec of `x[i, :n]`, of an array of known rank; None where it is not known how long some axis is."""
    if not isinstance(base.shape, tuple) or len(parts) > len(base.shape):
        return None
    axes: list[Axis] = []
    for axis, part in zip(base.shape, parts, strict=False):
        if isinstance(part, gast.Slice):
            lower = 0 if part.lower is None else axis_of(part.lower, env, scope)
            upper = axis if part.upper is None else axis_of(part.upper, env, scope)
            if lower is None or upper is None or part.step is not None and literal(part.step, None) != 1:
                return None
            lower, upper = (total([axis, one]) if isinstance(one, int) and one < 0 else one for one in (lower, upper))
            if any(isinstance(one, int) and one < 0 or isinstance(one, Size) and (one.lowest is None or one.lowest < 0)
                   for one in (lower, upper)):
                return None
            axes.append(sliced(axis, lower, upper))
        elif spec_of(part, env, scope).kind != "int":
            return None
    return Spec("array", (*axes, *base.shape[len(parts):]), base.dtype)


def _axes(base: Spec, parts: Sequence[Any], env: Env, scope: Scope) -> int | None:
    """How many axes such a part has, however long they are."""
    taken = [spec_of(part, env, scope).kind for part in parts if not isinstance(part, gast.Slice)]
    return None if base.dims is None or len(parts) > base.dims or {*taken} - {"int"} else base.dims - len(taken)


def index_parts(index: gast.expr) -> list[gast.expr]:
    """`[i, j]` of `A[i, j]`, `[i]` of `A[i]`."""
    return list(index.elts) if isinstance(index, gast.Tuple) else [index]


def _is_constant(part: gast.expr | None) -> bool:
    if part is None:
        return True
    if isinstance(part, gast.Slice):
        return all(_is_constant(bound) for bound in (part.lower, part.upper, part.step))
    return is_literal(part) and (isinstance(literal(part), int) or literal(part) in (None, ...))


def _index(part: Any) -> Any:
    """The constant itself."""
    if isinstance(part, gast.Slice):
        return slice(*(None if bound is None else literal(bound) for bound in (part.lower, part.upper, part.step)))
    return literal(part)


def is_basic(index: gast.expr, env: Env, scope: Scope) -> bool:
    """The index is made of ints, slices, None and `...` for certain: it names no element twice."""
    for part in index_parts(index):
        if isinstance(part, gast.Slice):
            continue
        if is_literal(part) and type(literal(part)) is int or is_whole(part, scope):
            continue
        if spec_of(part, env, scope).kind != "int":
            return False
    return True


def is_whole(part: gast.expr, scope: Scope) -> bool:
    """A part of an index that numbers take, too: None, or `...`."""
    return scope.settled(part) is None or is_literal(part) and literal(part) in (None, ...)


def _item(base: Spec, index: gast.expr, env: Env, scope: Scope) -> Spec:
    """An item, or all of some sort; what an index is that may be a slice gives, nobody knows."""
    if isinstance(index, gast.Slice):
        return Spec(base.kind)
    if base.items is None:
        return sp.UNKNOWN
    if is_literal(index):
        place = literal(index)
        if isinstance(place, int) and -len(base.items) <= place < len(base.items):
            return base.items[place]
    known = base.items and spec_of(index, env, scope).is_number
    return functools.reduce(sp.join, base.items) if known else sp.UNKNOWN


def _outside(node: gast.Name, scope: Scope) -> Spec:
    value = scope.value(node)
    if value is MISSING:
        return sp.UNKNOWN
    if isinstance(value, types.ModuleType):
        return Spec("module")
    if isinstance(value, (float, int, np.ndarray, np.generic)):
        return Spec.symbol(f"global {node.id}", floating=False)     # it may be another number when the derivative runs
    row = call_row(type(value))
    if row is not None and row.valued is not None:         # the very object, which the derivative checks
        return row.valued(value)
    return Spec("function") if callable(value) else sp.UNKNOWN


class Kinds:
    """The specs of names before and after each node."""

    def __init__(self, graph: Graph, scope: Scope, parameters: Env) -> None:
        self.graph, self.scope = graph, scope
        defined = Counter(name for node in graph.nodes for name in access(node).define)
        self.once = {n for node in graph.nodes if not node.in_loop and node.kind == "stmt" for n in access(node).define
                     if defined[n] == 1} - set(parameters)
        start = NameMap.of(parameters, graph.numbering)
        self._last: dict[int, tuple[list[Spec | None], Spec]] = {}
        self._stacks = stacks(graph)
        self._before: dict[int, Known] = {}
        at_once = not self._stacks or popped_behind(graph, self._stacks)
        # of stacks, what is popped: found when the first of them is, or by another round
        self._items: dict[str, Spec] | None = None if at_once else {}
        self._after = solve(graph, self._transfer, _join, start, forward=True, into=self._before)[1]
        if not at_once and (found := self._appended_to_stacks()):
            self._items = found
            self._before, self._after = solve(graph, self._transfer, _join, start, forward=True)
        self._nothing: Known = NameMap((), graph.numbering)

    def before(self, stmt: gast.stmt) -> Known:
        return self._before.get(self.graph.first[id(stmt)].index, self._nothing)

    def after(self, stmt: gast.stmt) -> Known:
        return self._after.get(self.graph.last[id(stmt)].index, self._nothing)

    def head(self, stmt: gast.stmt) -> Known:
        return self._before.get(self.graph.head[id(stmt)].index, self._nothing)

    def at(self, node: Node) -> Known:
        return self._before.get(node.index, self._nothing)

    def _transfer(self, node: Node, env: Known) -> Known:
        stmt = node.stmt
        if node.kind == "bind":
            return env.updated(self._targets(stmt.target, self._element(stmt.iter, env)))
        if node.kind in ("with", "handler"):
            return env.updated(dict.fromkeys(access(node).define, sp.UNKNOWN))
        if node.kind != "stmt":
            return env
        changed = mutation(stmt)
        stack = sp.UNKNOWN if changed is None else env.get(changed[1], sp.UNKNOWN)
        if changed is not None and changed[0] == "append":
            return env.updated({changed[1]: Spec("list") if stack.kind == "list" else stack})
        if changed is not None and changed[0] == "pop" and stack.kind == "list" and stack.items:
            env = env.updated({changed[1]: Spec("list", items=stack.items[:-1])})
        if isinstance(stmt, gast.Assign) and self.scope.value(stmt.value) is UNBOUND:
            return env                                     # reading it raises
        if isinstance(stmt, gast.Assign):
            counts = hasattr(stmt, "steps") and self._element(stmt.value, env) == sp.INT    # `list(reversed(range(n)))`
            spec = self._popped(changed[1]) if changed else Spec("range") if counts \
                else Spec("numeric") if hasattr(stmt, "numbers") else self._made(node, env)
            new: dict[str, Spec] = {}
            for target in stmt.targets:
                new.update({name: self._named(name, one, stmt.value)
                            for name, one in self._targets(target, spec).items()})
            return env.updated(new)
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) \
                and not env.get(stmt.target.id, sp.UNKNOWN).is_made:           # which stays as it is
            value = gast.BinOp(load(stmt.target.id), stmt.op, stmt.value)
            return env.updated({stmt.target.id: spec_of(value, env, self.scope)})
        return env

    def _named(self, name: str, spec: Spec, value: gast.expr) -> Spec:
        """A shape or dtype of which nothing is known, but perhaps the number of lengths, is that of this variable,
        where it is bound once: it can be compared with itself. value: what it gets."""
        if spec.kind not in ("numeric", "array") or name not in self.once:
            return spec
        given: Any = self.scope.operation(value).args.get("shape") if isinstance(value, gast.Call) else None
        lengths = given.elts if isinstance(given, (gast.Tuple, gast.List)) else [gast.Starred()]
        own = ("shape of", name) if any(isinstance(one, gast.Starred) for one in lengths) \
            else ("ranked", name, len(lengths))
        return spec.like(shape=frozenset([own]) if spec.shape is None else spec.shape,
                         dtype=frozenset([("dtype of", name)]) if spec.dtype is None else spec.dtype)

    def _made(self, node: Node, env: Known) -> Spec:
        """What holds of the value that is assigned: in a loop found again where something is known of what it reads
        that was not known the last time."""
        if not node.in_loop:
            return spec_of(node.stmt.value, env, self.scope)
        read = [env.get(name) for name in access(node).use]
        last = self._last.get(node.index)
        if last is None or last[0] != read:
            last = self._last[node.index] = read, spec_of(node.stmt.value, env, self.scope)
        return last[1]

    def _popped(self, name: str) -> Spec:
        """What holds of what is popped from a stack."""
        if self._items is None:
            self._items = self._appended_to_stacks()
        return self._items.get(name, sp.UNKNOWN)

    def _appended_to_stacks(self) -> dict[str, Spec]:
        """What holds of all that is appended to a stack, and so of what is popped.
        It was found without knowing what is popped."""
        found: dict[str, Spec] = {}
        for name, appended in self._stacks.items():
            specs = [spec_of(arg, self._before[node.index], self.scope)
                     for node, arg in appended if node.index in self._before]
            if specs and (spec := functools.reduce(sp.join, specs)) != sp.UNKNOWN:
                found[name] = spec
        return found

    def _targets(self, target: gast.expr, spec: Spec) -> dict[str, Spec]:
        if isinstance(target, gast.Name):
            return {target.id: spec}
        if isinstance(target, (gast.Tuple, gast.List)):
            known = spec.items is not None and len(spec.items) == len(target.elts)
            item = Spec("scalar", (), spec.dtype) if spec.is_number and spec.dims == 1 else sp.UNKNOWN
            given = spec.items if known and spec.items else [item] * len(target.elts)
            return {name: one for item, part in zip(target.elts, given, strict=True)
                    for name, one in self._targets(item, part).items()}
        return dict.fromkeys(target_names(target), sp.UNKNOWN)

    def _element(self, iterable: gast.expr, env: Env) -> Spec:
        """What a loop over `iterable` binds its target to."""
        while isinstance(iterable, gast.Call) and len(iterable.args) == 1 and self.scope.effects(iterable).passes_first:
            iterable = iterable.args[0]
        spec = spec_of(iterable, env, self.scope)
        if spec.kind == "range":
            return sp.INT
        if spec.kind == "list" and spec.items:
            return functools.reduce(sp.join, spec.items)
        if isinstance(iterable, gast.Call) and iterable.args and not iterable.keywords:
            inner = [self._element(arg, env) for arg in iterable.args[:1]]
            fn = self.scope.value(iterable.func)
            if fn is enumerate:
                return Spec("tuple", items=(sp.INT, *inner))
            if fn is zip:
                return Spec("tuple", items=tuple(self._element(arg, env) for arg in iterable.args))
        if spec.kind == "array" and spec.dims == 1:
            return Spec("scalar", (), spec.dtype)
        if spec.kind == "array" and isinstance(spec.shape, tuple) and spec.shape:
            return spec.like(shape=spec.shape[1:])
        return sp.UNKNOWN


def _join(a: Known, b: Known) -> Known:
    """Names that only one path binds keep its spec: reading them on the other raises."""
    return a.joined(b, sp.join)
