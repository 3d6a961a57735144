"""Activity: which variables carry a derivative.

L. Hascoët and V. Pascual, "The Tapenade automatic differentiation tool" (2013), section 3. With `flow(n)` the pairs
(x, y) such that node n computes y from x differentiably:

    varied_after(n)  = (varied_before(n) − def(n)) ∪ {y : (x, y) ∈ flow(n), x ∈ varied_before(n)}
    useful_before(n) = (useful_after(n) − def(n)) ∪ {x : (x, y) ∈ flow(n), y ∈ useful_after(n)}

A name is active at a point where it is both; only there has it a cotangent. Updates in place define nothing as a whole.
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from ..rules import lookup_operator, may_fill, method_row
from ..syntax.closure import closure
from ..syntax.nodes import children, given_by, is_literal, literal, parameter_names, reads, taken_of, walk, writes
from ..syntax.program import Captured
from .displays import items
from .flow import Facts, mutation, spread
from .graph import Graph, Node
from .libraries import is_library
from .objects import is_shape
from .resolve import SPECIAL, Operation, Scope, constants

COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
ALWAYS = -2


@dataclass(frozen=True)
class Activity(Facts):
    """The active names: they depend on the independent variables (`varied`), and the result on them (`useful`)."""

    varied: Facts
    useful: Facts


def carriers(node: gast.expr, scope: Scope) -> list[gast.expr]:
    """The operands of an operation through which a derivative flows, as they are written."""
    if node.__class__ is gast.BinOp and through_both(node.op.__class__):
        return [node.left, node.right]
    return operands(scope.operation(node), node, scope)


@functools.cache
def through_both(kind: type) -> bool:
    """A derivative flows through both operands of an operator, whatever they are."""
    rule = lookup_operator(kind.__name__)
    return kind not in SPECIAL and rule is not None and rule.supported and rule.active_params == rule.params


# without a rule of their own: what is made of them is judged where it is used
PASSED_ON = (zip, enumerate, reversed, list, tuple)


def operands(operation: Operation, node: gast.expr, scope: Scope) -> list[gast.expr]:
    if scope.stops and (operation.kind == "unknown" and not any(operation.fn is one for one in PASSED_ON)
                        or operation.kind == "function" and is_library(operation.fn)):
        return []
    if operation.kind == "name":
        return [node]
    if operation.kind == "container":
        return items(node)
    if operation.kind == "replaced":
        return list(operation.args.values())
    if operation.kind == "each":
        return list(node.args)
    if operation.kind == "select":
        return given_by(node)
    if operation.kind == "rule" and operation.rule is not None:
        rule = operation.rule
        if not rule.supported and isinstance(node, gast.Call):
            return [*node.args, *(k.value for k in node.keywords)]
        if rule.fn is operator.pow and constants(operation.args).get("y") == 0 \
                or is_whole(operation.args, scope):
            return []
        return [operation.args[name] for name in rule.active_params if name in operation.args]
    if operation.kind == "dynamic":
        return [node.func, *node.args, *(k.value for k in node.keywords)]
    if hasattr(node, "inert"):     # a call of a function of which nothing depends on what it is given
        return []
    if operation.kind in ("function", "unknown") and isinstance(node, gast.Call):
        base = [node.func.value] if operation.kind == "unknown" and isinstance(node.func, gast.Attribute) else []
        return [*base, *node.args, *(k.value for k in node.keywords)]
    if operation.kind == "unknown" and isinstance(node, gast.Attribute):
        return [node.value]
    return []


def is_whole(args: Mapping[str, gast.expr], scope: Scope) -> bool:
    """The result is asked to be of integers or truth values: it moves in steps, as `np.floor` does."""
    if "dtype" not in args:
        return False
    dtype = literal(args["dtype"]) if is_literal(args["dtype"]) else scope.settled(args["dtype"])
    try:
        return isinstance(dtype, (str, type, np.dtype)) and np.dtype(dtype).kind in "iub"
    except TypeError:
        return False


def is_hidden(node: gast.expr | None, varied: AbstractSet[str], scope: Scope) -> bool:
    """An operand that carries a derivative and is not a variable: normal form has none."""
    return node is not None and not isinstance(node, gast.Name) and Varied(varied, scope).of(node)


class Varied:
    """Whether the values of expressions depend differentiably on names that are varied.

    varied: the names, which may only become more. Remembers its answers: the parts of an expression are asked for after
    it.
    """

    def __init__(self, varied: AbstractSet[str], scope: Scope) -> None:
        self.varied, self.scope = varied, scope
        self._known: dict[int, tuple[gast.expr, int]] = {}     # with how many names there were, if it is not varied

    def of(self, node: gast.expr) -> bool:
        """The value depends on one of them."""
        if isinstance(node, gast.Name):
            return node.id in self.varied
        _, names = self._known.get(id(node), (node, -1))
        if names == len(self.varied):
            return False
        if names == ALWAYS:
            return True
        found = self._found(node)
        self._known[id(node)] = node, ALWAYS if found else len(self.varied)   # kept alive, so that its id stays its own
        return found

    def _found(self, node: Any) -> bool:
        if isinstance(node, (gast.Lambda, *COMPREHENSIONS)):
            return not self.varied.isdisjoint(sources(node, self.scope))
        for part in [node.value] if isinstance(node, (gast.Starred, gast.NamedExpr)) else carriers(node, self.scope):
            if self.of(part):
                return True
        return False


def varied_names(tree: gast.FunctionDef | gast.Module, start: Iterable[str], scope: Scope) -> set[str]:
    """All names that are varied anywhere: the coarse answer, for any statements, in no order."""
    found = set(start)
    made: dict[str, list[str]] = {}                        # of a name: those that are made from it
    for names, value in bindings(tree, scope):
        for source in sources(value, scope):
            made.setdefault(source, []).extend(names)
    todo = [name for name in made if name in found]
    while todo:
        new = set(made.pop(todo.pop(), ())) - found
        found |= new
        todo += new
    return found


def gives_no_derivative(captured: Captured) -> bool:
    """What a function returns tells nothing of the numbers that it is given but counts, flags, shapes and places;
    no text or key either."""
    tree, scope = captured.tree, Scope.of(captured)
    nodes = list(walk(tree.body))
    start = {*parameter_names(tree),
             *(node.name.id for node in nodes if isinstance(node, gast.ExceptHandler) and node.name is not None)}
    given = [*bindings(tree, scope), *((names_given(node), node.slice) for node in nodes
                                       if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load))]
    told = closure(start,
                   lambda found: {name for names, value in given if _tells(value, found, scope) for name in names})
    return not any(isinstance(node, (gast.Yield, gast.YieldFrom)) or isinstance(node, gast.Return)
                   and node.value is not None and _tells(node.value, told, scope) for node in nodes)


def _tells(node: Any, told: AbstractSet[str], scope: Scope) -> bool:
    """The value of an expression may tell the numbers behind some names."""
    if isinstance(node, gast.Name):
        return node.id in told
    if isinstance(node, gast.Compare) or isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not) \
            or isinstance(node, gast.Attribute) and is_shape(node.attr):
        return False
    if isinstance(node, COMPREHENSIONS):
        of_told = [one.target for one in node.generators if _tells(one.iter, told, scope)]
        told = {*told, *writes(of_told)}
        return any(_tells(part, told, scope) for part in children(node) if not isinstance(part, gast.comprehension))
    parts: Sequence[Any] = [node.body, node.orelse] if isinstance(node, gast.IfExp) else children(node)
    if isinstance(node, gast.Call):
        operation, row = scope.operation(node), scope.effects(node)
        if row.outside in ("names", "code"):
            return True
        if hasattr(node, "inert") or row.gives == "plain" and not row.text and operation.rule is None:
            return False
        if operation.rule is not None and operation.rule.supported and not row.text:
            parts = [*operands(operation, node, scope),
                     *(operation.args[name] for name in operation.rule.refused & operation.args.keys())]
    return any(_tells(part, told, scope) for part in parts)


def sources(node: gast.expr, scope: Scope, inner: Mapping[str, set[str]] | None = None) -> set[str]:
    """The names on which the value of an expression depends differentiably.
    inner: what the variables of comprehensions depend on."""
    known = inner or {}
    found: set[str] = set()
    todo = [node]
    while todo:
        one: Any = todo.pop()
        if isinstance(one, gast.Name):
            found |= known.get(one.id, {one.id})
        elif isinstance(one, gast.Lambda):                 # a function carries what it reads
            for name in seen_by(one):
                found |= known.get(name, {name})
        elif isinstance(one, COMPREHENSIONS):
            found |= _made_from(one, scope, known)
        else:
            todo += [one.value] if isinstance(one, (gast.Starred, gast.NamedExpr)) else carriers(one, scope)
    return found


def seen_by(node: Any) -> set[str]:
    """What a function that is defined in a text reads of what is around it: when it is called, and for its defaults."""
    defaults = [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
    return reads(node.body) - writes(node) | reads(defaults)


def _made_from(node: Any, scope: Scope, outer: Mapping[str, set[str]]) -> set[str]:
    """The names on which the items of a comprehension depend, perhaps through what it goes over."""
    own: dict[str, set[str]] = {}
    for one in node.generators:
        for names, source in loop_bindings(one.target, one.iter, scope):
            found = sources(source, scope, {**outer, **own})
            own.update({name: found | own.get(name, set()) for name in names})
        hashed = set[str]().union(*(sources(part, scope, {**outer, **own}) for part in _hashed(one.iter, scope)))
        own.update({name: own.get(name, set()) | hashed for name in writes(one.target)})
    made = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
    return set().union(*(sources(part, scope, {**outer, **own}) for part in made))


def _hashed(iterable: gast.expr, scope: Scope) -> Iterator[gast.expr]:
    """The keys of dicts, and the items of sets, that are written down in what a comprehension goes over: no derivative
    flows through them, and they may be among the items."""
    for node in walk(iterable):
        if isinstance(node, gast.Dict):
            yield from (key for key in node.keys if key is not None)
        elif isinstance(node, gast.Set):
            yield from node.elts
        elif isinstance(node, gast.Call) and node.args and isinstance(node.args[0], (gast.List, gast.Tuple)):
            made, items = scope.value(node.func), node.args[0].elts
            if isinstance(made, type) and issubclass(made, dict):
                yield from (one.elts[0] for one in items if isinstance(one, (gast.List, gast.Tuple)) and one.elts)
            elif isinstance(made, type) and issubclass(made, set | frozenset):
                yield from items


_OPERATIONS = frozenset({gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Name, gast.Constant})


def bindings(tree: gast.AST, scope: Scope) -> Iterable[tuple[list[str], gast.expr]]:
    """The names that statements bind, or change a part of, with what they are given."""
    todo: list[gast.AST] = [tree]
    while todo:
        node = todo.pop()
        if node.__class__ in _OPERATIONS:                  # these bind nothing themselves
            todo += children(node)
            continue
        changed = mutation(node)
        if changed is not None and isinstance(node, gast.Expr):
            for arg in node.value.args:
                yield [changed[1]], arg
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and may_fill(node.func.attr):
            for arg in [*node.args, *(k.value for k in node.keywords)]:
                yield _filled(node.func.value), arg
        if hasattr(node, "counts"):                        # what an object outside holds is not read again
            todo += children(node)
            continue
        if isinstance(node, gast.Assign):
            for target in node.targets:
                yield from _taken_apart(target, node.value)
            if changed is not None:
                yield names_given(node.targets[0]), gast.Name(changed[1], gast.Load(), None, None)
        elif isinstance(node, (gast.AugAssign, gast.AnnAssign, gast.NamedExpr)) and node.value is not None:
            yield names_given(node.target), node.value
        elif isinstance(node, gast.For) and not over_own_keys(node):
            yield from loop_bindings(node.target, node.iter, scope)
        elif isinstance(node, gast.With):
            for item in node.items:
                if item.optional_vars is not None and isinstance(item.context_expr, gast.Call):
                    for arg in item.context_expr.args:
                        yield names_given(item.optional_vars), arg
        elif isinstance(node, gast.FunctionDef) and node is not tree:
            for name in sorted(seen_by(node)):
                yield [node.name], gast.Name(name, gast.Load(), None, None)
        todo += children(node)


def _filled(node: Any) -> list[str]:
    """The variable that holds the container `d`, `d[k]` or `d.setdefault(k, [])`."""
    while isinstance(node, (gast.Subscript, gast.Attribute, gast.Call)):
        node = node.func if isinstance(node, gast.Call) else node.value
    return [node.id] if isinstance(node, gast.Name) else []


def names_given(target: gast.expr) -> list[str]:
    """The names that an assignment binds, or changes a part of."""
    if isinstance(target, (gast.Tuple, gast.List)):
        return [name for item in target.elts for name in names_given(item)]
    while isinstance(target, (gast.Subscript, gast.Attribute, gast.Starred)) or taken_of(target) is not None:
        target = target.value if isinstance(target, gast.Starred) else taken_of(target)
    if isinstance(target, gast.Call):
        return sorted(reads(target.args))
    return [target.id] if isinstance(target, gast.Name) else sorted(writes(target))


def loop_bindings(target: gast.expr, iterable: gast.expr, scope: Scope) -> Iterable[tuple[list[str], gast.expr]]:
    """What a loop binds to what; a count and a key carry nothing."""
    for one, source, _ in gone_over(target, iterable, scope):
        items = one.elts if isinstance(one, (gast.Tuple, gast.List)) else None
        if view := dict_view(source):
            value = items[1] if view == "items" and items and len(items) == 2 else one
            yield from [(names_given(value), source.func.value)] if view != "keys" else []
        elif items and isinstance(source, (gast.Tuple, gast.List)) and all(as_many(row, items) for row in source.elts):
            for row in source.elts:                        # pairs that are written out, such as a name and a value
                yield from _taken_apart(one, row)
        else:
            yield names_given(one), source


def gone_over(target: Any, iterable: Any, scope: Scope) -> Iterator[tuple[Any, Any, bool]]:
    """What a loop binds to the items of what: of `zip` and `enumerate` one by one, as far as the target is written so;
    the last says whether it is the item itself, or holds it."""
    called, inside = scope.builtin(iterable), target.elts if isinstance(target, (gast.Tuple, gast.List)) else []
    if scope.effects(iterable).passes_first and iterable.args:
        yield from gone_over(target, iterable.args[0], scope)
    elif called == "zip" or called == "enumerate" and iterable.args:
        sources, places = (iterable.args, inside) if called == "zip" else (iterable.args[:1], inside[1:])
        apart = len(places) == len(sources) and len(inside) == len(places) + (called != "zip")
        for i, source in enumerate(sources):
            for one, leaf, item in gone_over(places[i] if apart else target, source, scope):
                yield one, leaf, item and apart
    else:
        yield target, iterable, True


def _taken_apart(target: Any, value: gast.expr) -> Iterable[tuple[list[str], gast.expr]]:
    """`a, b = p, q` binds one by one."""
    if isinstance(target, (gast.Tuple, gast.List)) and as_many(value, target.elts):
        for item, source in zip(target.elts, value.elts, strict=True):
            yield from _taken_apart(item, source)
    else:
        yield names_given(target), value


def as_many(row: Any, items: Sequence[Any]) -> bool:
    """A tuple or list has as many items as there are targets, none of them starred."""
    return isinstance(row, (gast.Tuple, gast.List)) and len(row.elts) == len(items) \
        and not any(isinstance(one, gast.Starred) for one in [*row.elts, *items])


def over_own_keys(stmt: Any) -> bool:
    """`for key in p`, with `p[key]` in the body: a loop over the keys of a dict."""
    return reads_items(stmt.target, stmt.iter, stmt.body)


def reads_items(target: Any, iterable: Any, within: Any) -> bool:
    """`p[key]` is read, where `key` goes over `p`."""
    return isinstance(iterable, gast.Name) and isinstance(target, gast.Name) and any(
        isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == iterable.id
        and isinstance(node.slice, gast.Name) and node.slice.id == target.id for node in walk(within))


def dict_view(node: Any) -> str:
    """`"items"` for `p.items()`, and so on."""
    known = isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
        and (row := method_row(dict, node.func.attr)) is not None and row.gives == "view"
    return str(node.func.attr) if known and not node.args and not node.keywords else ""


def views(target: gast.expr, iterable: gast.expr, scope: Scope) -> Iterator[tuple[gast.expr, gast.expr]]:
    """The `p.items()` and `p.values()` that a loop goes over, each with what is bound to its items."""
    ordered = {id(part) for node in walk(iterable) if scope.builtin(node) == "sorted"
               and (node.keywords or [dict_view(arg) for arg in node.args] != ["items"])
               for part in walk(node)}                     # by its values: other keys
    for one, source, item in gone_over(target, iterable, scope):
        if item and id(source) not in ordered and dict_view(source) not in ("", "keys"):
            yield one, source


def activity(graph: Graph, flow: Callable[[Node], list[tuple[str, str]]], independent: Iterable[str],
             dependent: Iterable[str]) -> Activity:
    """Activity both ways. flow: the pairs (x, y) of a node."""
    flows = {node.index: flow(node) for node in graph.nodes}
    varied = spread(graph, independent, lambda node: (), lambda node: [((x,), y) for x, y in flows[node.index]],
                    forward=True)
    useful = spread(graph, dependent, lambda node: (), lambda node: [((y,), x) for x, y in flows[node.index]],
                    forward=False)
    before, after = (
        {place: names & other.get(place, 0) for place, names in one.items()}
        for one, other in ((varied.bits_before, useful.bits_before), (varied.bits_after, useful.bits_after)))
    return Activity(graph, before, after, varied, useful)
