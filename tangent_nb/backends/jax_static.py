"""What compiled code has to know when it is made: control flow, shapes, indices, and the parameters that decide them.

Needs the functions of one text on JAX, the main one first. Promises the names of parameters that have to be static
arguments of `jax.jit`, and refusals where such a thing depends on what is traced: the parameters that a derivative is
taken for, and whatever `jax.numpy` computes. Shapes, dtypes and lengths are known while tracing.

With def(v) the expressions that v is bound to, and val(e) the names whose values e reads (not those whose shape alone),

    demanded = ∪ {val(e) : e decides control flow, a shape or an index}
    closed under  v ∈ demanded ⇒ val(def(v)) ⊆ demanded

over all functions of the text at once: what a function demands of a parameter, its callers demand of the argument.
"""
from __future__ import annotations

import builtins
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from .. import runtime
from ..analyse.flow import mutation
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..rules import Rule, lookup, lookup_method, of_jax_arrays, on_jax, on_jax_by_call
from ..rules.cuts import is_shape
from ..syntax.blocks import statements
from ..syntax.building import origin_of
from ..syntax.nodes import dotted, parameter_names, target_names, walk, writes
from ..syntax.program import MISSING
from .jax_table import ARRAY, HELPERS, Helper
from .outside import is_value, own_nodes, read_outside, value_of

HAZARDS = (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)
PRINTS, GROWS, COUNTS = "print", "growing list", "counter"
NEVER = {PRINTS: ("compiled code would print once, when it is made", "leave print out, or compile=None"),
         GROWS: ("a list that is given is changed, and compiled code would change a copy", "a list of its own"),
         COUNTS: ("compiled code would set this attribute once, when it is made", "a count outside, or compile=None")}
REMEDY = "np.where for a choice between values; a Python int as argument for counts and indices; or compile=None"


@dataclass(frozen=True)
class Site:
    """A place that has to be known while tracing: the expression, the statement it stands in, and what it decides."""

    node: gast.expr
    stmt: gast.stmt
    what: str


@dataclass
class Part:
    """One function of the text. defs: what its names are bound to; demanded: where each parameter is demanded."""

    tree: gast.FunctionDef
    scope: Scope
    defs: dict[str, list[gast.expr]] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    calls: list[gast.Call] = field(default_factory=list)
    demanded: dict[str, Site] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    integers: set[str] = field(default_factory=set)

    @property
    def parameters(self) -> list[str]:
        return parameter_names(self.tree)


@dataclass(frozen=True)
class Found:
    """static: the parameters of the main function that have to be static; numbers, integers: those that may not be
    numbers of Python, or integers; outside: the names of values that it reads beside its parameters."""

    static: tuple[str, ...]
    numbers: tuple[str, ...]
    integers: tuple[str, ...]
    outside: tuple[str, ...]


class Static:
    """The question for one text. traced: the parameters of the main function that are arrays for certain."""

    def __init__(self, functions: Sequence[tuple[gast.FunctionDef, Scope]], traced: Sequence[str]) -> None:
        self.parts = {tree.name: _collected(Part(tree, scope)) for tree, scope in functions}
        self.main = next(iter(self.parts.values()))
        self.traced = set(traced)
        self.refusals: list[Refusal] = []

    def run(self) -> Found:
        """Refusals are left in `refusals`."""
        outside, refusals = read_outside([(part.tree, part.scope) for part in self.parts.values()])
        self.refusals += refusals
        before = -1
        while (now := sum(len(p.demanded) + len(p.numbers) + len(p.integers) for p in self.parts.values())) != before:
            before = now
            for part in self.parts.values():
                self._part(part)
        for name, site in self.main.demanded.items():
            if name in self.traced:
                self._refuse(site, name)
        static = [name for name in [*self.main.parameters, *outside] if name in self.main.demanded]
        free = [name for name in [*self.main.parameters, *outside] if name not in static]
        return Found(tuple(static), tuple(n for n in free if n in self.main.numbers),
                     tuple(n for n in free if n in self.main.integers - self.traced), outside)

    # ------------------------------------------------------------------ demands
    def _part(self, part: Part) -> None:
        for site in part.sites:
            self._demand(part, site)
        for call in part.calls:
            callee = self.parts[call.func.id]
            given = _given(callee, call)
            for name, site in list(callee.demanded.items()):
                if name in given:
                    self._demand(part, Site(given[name], site.stmt, site.what))
            for name, arg in given.items():
                if name in callee.numbers:
                    part.numbers |= self._names(part, arg)
                if name in callee.integers:
                    part.integers |= self._names(part, arg)
        for node in walk(part.tree.body):
            self._arithmetic(part, node)

    def _demand(self, part: Part, site: Site) -> None:
        if site.what in NEVER or any(self._is_traced(part, value, set()) for value in self._values(part, site.node)):
            self._refuse(site, "what is computed from arrays")
            return
        # the forward half demands the same
        residuals = part.parameters[:1] if part.tree.name.endswith(("_bwd", "_backward")) else []
        for name in self._names(part, site.node) - set(residuals):
            part.demanded.setdefault(name, site)

    def _refuse(self, site: Site, what: str) -> None:
        origin = origin_of(site.stmt)
        one = origin[0] if isinstance(origin, tuple) and origin else origin
        refusal = Refusal(getattr(one, "span", None), *NEVER.get(site.what, (
            f"{site.what} depends on {what}, and compiled code is made before values are known", REMEDY)))
        if not any(one == refusal or one.span == refusal.span and one.why.startswith(f"{site.what} of ")
                   for one in self.refusals):
            self.refusals.append(refusal)

    def _values(self, part: Part, node: gast.expr) -> Iterator[gast.expr]:
        """The expression, and those that the names in it are bound to, again and again."""
        seen: set[str] = set()
        todo = [node]
        while todo:
            one = todo.pop()
            yield one
            for name in _read(one, part.scope):
                if name not in seen:
                    seen.add(name)
                    todo += part.defs.get(name, [])

    def _names(self, part: Part, node: gast.expr) -> set[str]:
        """The parameters, and names from outside, that the value of an expression depends on."""
        return {name for value in self._values(part, node) for name in _read(value, part.scope)
                if name in part.parameters or part is self.main and name not in part.defs and not name.startswith("%")
                and is_value(part.scope, name)}

    def _is_traced(self, part: Part, node: gast.expr, busy: set[str]) -> bool:
        """The expression computes with arrays, whatever its arguments."""
        for inner in _evaluated(node, part.scope):
            if not isinstance(inner, gast.Call):
                continue
            name = dotted(inner.func) or ""
            if name.startswith("%jnp.") \
                    or name.startswith("%rt.") and not _helper(inner).of_numbers:
                return True
            if name in self.parts:
                callee = self.parts[name]
                returned = [s.value for s in statements(callee.tree.body) if isinstance(s, gast.Return) and s.value]
                if name in busy or any(self._is_traced(callee, value, busy | {name})
                                       for one in returned for value in self._values(callee, one)):
                    return True
        return False

    # ------------------------------------------------------------------ numbers of Python
    def _arithmetic(self, part: Part, node: Any) -> None:
        """Where two numbers of Python may meet an operator that raises in Python, or integers one that wraps on JAX."""
        if isinstance(node, gast.BinOp):
            sides, hazard = [node.left, node.right], isinstance(node.op, HAZARDS)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            sides, hazard = [gast.Name(node.target.id, gast.Load(), None, None), node.value], \
                isinstance(node.op, HAZARDS)
        elif isinstance(node, gast.Call) and _helper(node).raises and len(node.args) == 2:
            sides, hazard = node.args, True
        else:
            return
        if not all(self._may_be_number(part, side, frozenset()) for side in sides):
            return
        names = self._names(part, sides[0]) | self._names(part, sides[1])
        op = getattr(node, "op", None)
        divisor = sides[1].value if isinstance(sides[1], gast.Constant) else None
        if hazard and not (isinstance(divisor, (int, float)) and divisor and not isinstance(op, gast.Pow)):
            part.numbers |= names
        part.integers |= names

    def _may_be_number(self, part: Part, node: Any, seen: frozenset[str]) -> bool:
        if isinstance(node, gast.Name):
            if node.id in seen:
                return False
            defs = part.defs.get(node.id, [])
            return node.id not in part.defs or node.id in part.parameters \
                or any(self._may_be_number(part, value, seen | {node.id}) for value in defs)
        if isinstance(node, gast.BinOp):
            return self._may_be_number(part, node.left, seen) and self._may_be_number(part, node.right, seen)
        if isinstance(node, gast.UnaryOp):
            return self._may_be_number(part, node.operand, seen)
        if isinstance(node, gast.Subscript):               # what a derivative is taken for is no list
            taken = isinstance(node.value, gast.Name) and part is self.main and node.value.id in self.traced
            return not taken and self._may_be_number(part, node.value, seen)
        if isinstance(node, gast.Call):
            name = dotted(node.func) or ""
            return not name.startswith(("%jnp.", "%rt.")) or _helper(node).of_numbers and any(
                self._may_be_number(part, arg, seen) for arg in node.args)
        return not isinstance(node, gast.Attribute) or is_shape(node.attr)


def _meant(node: gast.Call, scope: Scope) -> Any:
    """What a call calls; of a function on JAX what it was on NumPy."""
    root, _, rest = (dotted(node.func) or "").partition(".")
    if root in ("%jnp", "%jax", "%rt"):
        return on_jax_by_call(f"{root[1:]}.{rest}").fn or getattr(runtime, rest, MISSING)
    return getattr(builtins, root[1:], MISSING) if root.startswith("%") and not rest else value_of(scope, node.func)


def _helper(node: gast.Call) -> Helper:
    """What a helper of `rt` is to compiled code."""
    name = dotted(node.func) or ""
    return HELPERS.get(name.removeprefix("%rt."), ARRAY) if name.startswith("%rt.") else ARRAY


def _collected(part: Part) -> Part:
    """What the names of a function are bound to, and where it needs values."""
    for stmt in statements(part.tree.body):
        _bind(part, stmt)
        changed = mutation(stmt)
        if changed is not None and changed[0] != "add_at" and changed[1] in part.parameters:
            part.sites.append(Site(stmt.value, stmt, GROWS))
        for node in own_nodes(stmt):
            if isinstance(node, gast.Call):
                if isinstance(node.func, gast.Name) and not node.func.id.startswith("%") \
                        and value_of(part.scope, node.func) is MISSING:
                    part.calls.append(node)
                part.sites += [Site(arg, stmt, what) for arg, what in _demanded_by_call(node, part.scope)]
            elif isinstance(node, gast.Subscript) and (dotted(node.value) or "") != "%jnp.s_":
                part.sites += [Site(index, stmt, "an index") for index in _index_parts(node)]
            elif isinstance(node, (gast.comprehension, gast.Lambda)):
                _bind(part, node)
            elif isinstance(node, gast.IfExp):
                part.sites.append(Site(node.test, stmt, "a condition"))
            elif isinstance(node, gast.BoolOp):
                part.sites += [Site(value, stmt, f"a side of this '{type(node.op).__name__.lower()}'")
                               for value in node.values]
            elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
                part.sites.append(Site(node.operand, stmt, "the value behind this 'not'"))
        if isinstance(stmt, (gast.If, gast.While, gast.Assert)):
            word = type(stmt).__name__.lower()
            part.sites.append(Site(stmt.test, stmt, f"the test of this {word}"))
    return part


def _bind(part: Part, stmt: Any) -> None:
    pairs: list[tuple[Any, Any]] = []
    if isinstance(stmt, gast.Assign):
        pairs = [(target, stmt.value) for target in stmt.targets]
    elif isinstance(stmt, gast.AugAssign):
        pairs = [(stmt.target, stmt.value)]
    elif isinstance(stmt, gast.For) and hasattr(stmt.iter, "reruns"):      # of the items the numbers are known
        item, *parts = stmt.target.elts
        pairs = [(item, stmt.iter.func.value), *((part, stmt.iter) for part in parts)]
    elif isinstance(stmt, (gast.For, gast.comprehension)):
        pairs = [(stmt.target, stmt.iter)]
    elif isinstance(stmt, gast.Lambda):
        part.defs |= {name: part.defs.get(name, []) for name in writes(stmt.args)}
    elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) \
            and getattr(stmt.value.func, "attr", "") == "append" and isinstance(stmt.value.func.value, gast.Name):
        part.defs.setdefault(stmt.value.func.value.id, []).extend(stmt.value.args)
    for target, value in pairs:
        apart = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts)
        for one, item in zip(target.elts, value.elts, strict=True) if apart else [(target, value)]:
            for name in target_names(one):
                part.defs.setdefault(name, []).append(item)


def _demanded_by_call(node: gast.Call, scope: Scope) -> Iterator[tuple[gast.expr, str]]:
    """The arguments that a call needs the values of."""
    fn, helper, rule, shift = _meant(node, scope), _helper(node), None, 0
    if fn is print or (dotted(node.func) or "").startswith(("%rt.check_counter", "%rt.check_settable", "%rt.later",
                                                                      "%rt.append_later", "%rt.set_later")):
        yield node, PRINTS if fn is print else COUNTS
    elif helper.index is not None:
        yield from ((arg, "an index") for arg in node.args[helper.index:helper.index + 1])
    elif fn is not MISSING:
        of_math = any(fn is one for one in vars(math).values())
        demands = f"math.{fn.__name__}(...), a number of Python," if of_math else on_jax(fn).demands
        yield from ((arg, demands) for arg in node.args if demands)
    if (dotted(node.func) or "").startswith("%"):
        rule = lookup(fn)
    elif isinstance(node.func, gast.Attribute):
        rule, shift = lookup_method(node.func.attr), 1
        if demands := of_jax_arrays(node.func.attr).demands:
            yield node.func.value, demands
    if rule is None:
        return
    for place, arg in enumerate(node.args):
        if place + shift < len(rule.params) and rule.params[place + shift] in rule.settings:
            yield arg, _argument(rule.params[place + shift], rule)
    for keyword in node.keywords:
        if keyword.arg in rule.settings:
            yield keyword.value, _argument(keyword.arg, rule)


def _argument(name: str, rule: Rule) -> str:
    """What an argument is called in messages: helpers of ours, which the user has not written, are not named."""
    return f"the argument {name}" if rule.name.startswith("rt.") else f"the argument {name} of {rule.name}"


def _index_parts(node: Any) -> Iterator[gast.expr]:
    """What an index needs the values of; a mask that chooses where to write does not."""
    stores = isinstance(node.value, gast.Attribute) and node.value.attr == "at"
    for part in node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]:
        if isinstance(part, gast.Slice):
            yield from (bound for bound in (part.lower, part.upper, part.step) if bound is not None)
        elif not (stores and isinstance(part, gast.Compare)):
            yield part


def _given(callee: Part, call: gast.Call) -> dict[str, gast.expr]:
    named = {k.arg: k.value for k in call.keywords if k.arg is not None}
    return {**dict(zip(callee.parameters, call.args, strict=False)), **named}


def _evaluated(node: Any, scope: Scope) -> Iterator[Any]:
    """The nodes of an expression whose values it reads: of others it reads the shape, or whether they are None."""
    if isinstance(node, gast.Attribute) and is_shape(node.attr):
        return
    if isinstance(node, gast.Call) and on_jax(_meant(node, scope)).known:
        return
    if isinstance(node, gast.Compare) and all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
        return
    yield node
    if isinstance(node, gast.Call) and (dotted(node.func) or "") == "%rt.within":
        yield from _evaluated(node.args[1], scope)
        return
    for child in gast.iter_child_nodes(node):
        if not (isinstance(node, gast.Call) and child is node.func and isinstance(child, gast.Name)):
            yield from _evaluated(child, scope)


def _read(node: Any, scope: Scope) -> set[str]:
    return {one.id for one in _evaluated(node, scope) if isinstance(one, gast.Name) and isinstance(one.ctx, gast.Load)}
