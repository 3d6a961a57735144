"""Containers that the function makes: what a name holds, whether anything else holds it too,
and methods that change it.

Needs a text as it was written. Promises the kind of each name that holds one whenever it is bound: the least fixed
point of what the text gives it. A container that nothing else holds may be made anew under its name, as long as no loop
goes over it (`State.over`).

    values = [x]                          values: a list, which nothing else holds
    values.insert(0, y)          →        values = rt.joined([y], values)

One that has another name, or stands in another container, is left for the fence: the other would have to change with
it.
"""
from __future__ import annotations

import inspect
import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast
import numpy as np

from ..rules import lookup, method_row
from ..syntax.building import call, subscript
from ..syntax.nodes import children, is_literal, literal, name_nodes, names_in, nodes_in
from .scopes import FUNCTIONS
from .state import State
from .templates import template
from .values import Container

TOLIST = lookup(np.ndarray.tolist)
DISPLAYS = {gast.List: list, gast.ListComp: list, gast.Tuple: tuple, gast.Dict: dict, gast.DictComp: dict,
            gast.Set: set, gast.SetComp: set}
UNDECIDED = Container(object)                              # of a name that nothing has been given yet
ANY = -1               # a deque keeps as many items as a variable says


def find(desugar: State, tree: gast.FunctionDef, binders: Mapping[str, list[Any]]) -> None:
    """What the names of a text hold, and which of them share what they hold; the text of a body too that stands in the
    place of a call. binders: the nodes that bind each name."""
    nodes = list(nodes_in(tree))
    paired = {id(one): value for node in nodes for one, value in pairs(node)}
    augmented = {id(node.target) for node in nodes if isinstance(node, gast.AugAssign)}      # that stay what they are
    given = {name: [one.value if isinstance(one, gast.Assign) else paired.get(id(one))
                    for one in at if id(one) not in augmented] for name, at in binders.items()}
    # by nonlocal
    desugar.holds.update((name, UNDECIDED) for name, values in given.items() if name not in desugar.shared
                         and not any(value is None or isinstance(value, (gast.Name, gast.IfExp)) for value in values))
    rising = True
    while rising:
        rising = False
        for name, before in [(name, desugar.holds[name]) for name in given if name in desugar.holds]:
            made: Container | None = before
            for value in given[name]:
                made = made and _either(made, of(desugar, value))
            rising |= made != before
            if made is None:
                del desugar.holds[name]
            else:
                desugar.holds[name] = made
    desugar.holds = {name: made for name, made in desugar.holds.items() if made is not UNDECIDED}
    last = _last(tree.body)
    desugar.shared |= {part.id for node in nodes for part in children(node) if isinstance(part, gast.Name)
                       and isinstance(part.ctx, gast.Load) and part is not last.get(part.id)
                       and not _leaves(desugar, node, part)}
    for node in nodes:
        if isinstance(node, FUNCTIONS) and node is not tree:
            desugar.shared |= names_in(node)
        elif isinstance(node, gast.Assign) and desugar.scope.value(getattr(node.value, "func", node)) is reversed:
            desugar.shared |= names_in(node.value)         # it begins at what is the last place now


def _last(body: Sequence[gast.stmt]) -> dict[str, Any]:
    """Where names are read for the last time, by a statement of its own: what is changed has been changed."""
    found: dict[str, Any] = {}
    for stmt in body:
        here: dict[str, list[gast.Name]] = {}
        for node in name_nodes(stmt):
            here.setdefault(node.id, []).append(node)
        simple = isinstance(stmt, (gast.Assign, gast.Expr))
        found.update((name, nodes[0] if simple and len(nodes) == 1 else None) for name, nodes in here.items())
    return found


def pairs(node: Any) -> Iterator[tuple[gast.Name, Any]]:
    """`(a, v)` and `(b, w)` for `a, b = v, w`, where the values do not read what is bound."""
    target, value = (node.targets[0], node.value) if isinstance(node, gast.Assign) and len(node.targets) == 1 \
        else (None, None)
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)) \
            and len(target.elts) == len(value.elts) and all(isinstance(one, gast.Name) for one in target.elts) \
            and not any(isinstance(one, gast.Starred) for one in value.elts) \
            and not {one.id for one in target.elts} & names_in(value):
        yield from zip(target.elts, value.elts, strict=True)


# ---------------------------------------------------------------------- kinds
def of(desugar: State, node: Any) -> Container | None:
    """The container that an expression is, whatever the numbers are."""
    if isinstance(node, gast.Name):
        return desugar.holds.get(node.id)
    if type(node) in DISPLAYS:
        return Container(DISPLAYS[type(node)])
    if hasattr(node, "holds"):                             # it is evaluated
        return node.holds  # type: ignore[no-any-return]
    if isinstance(node, gast.Call):
        return _called(desugar, node)
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice):
        made = of(desugar, node.value)
        return None if made is None or made.kind is deque else made
    return operated(node.op, of(desugar, node.left), of(desugar, node.right)) if isinstance(node, gast.BinOp) else None


def kind(desugar: State, node: Any) -> type | None:
    """The same as a class; None where it may be a number as well."""
    made = of(desugar, node)
    return None if made is None or made.or_number else made.kind


def changes_by_methods(desugar: State, node: Any) -> bool:
    """A list, a dict or a deque for certain."""
    made = kind(desugar, node)
    return made is dict or made in (list, deque)


def operated(op: gast.operator, left: Container | None, right: Container | None) -> Container | None:
    """What an operator makes of two operands; of deques that is not known."""
    sides = [side for side in (left, right) if side is not None and side.kind is not deque]
    decided = [side for side in sides if side is not UNDECIDED]
    if isinstance(op, gast.Mult):
        made = next((side for side in decided if hasattr(side.kind, "__mul__")), None)
        return UNDECIDED if made is None and len(decided) < len(sides) else made
    if len(sides) < 2 or not isinstance(op, (gast.Add, gast.BitOr)):
        return None
    if len(decided) < 2:
        return (decided or sides)[0]
    first, second = decided
    joins = hasattr(first.kind, "__add__" if isinstance(op, gast.Add) else "__or__")
    return None if first.kind is not second.kind or not joins else second if first.or_number else first


def _either(one: Container, other: Container | None) -> Container | None:
    """What holds one or the other."""
    if one is UNDECIDED or other is UNDECIDED or other is None or one == other:
        return other if one is UNDECIDED or other is None else one
    return Container(list, or_number=True) if one.kind is other.kind is list else None


def _called(desugar: State, node: gast.Call) -> Container | None:
    fn = desugar.object(node.func)
    if fn is deque:
        length = _length(node)
        return None if length is None else Container(deque, length=length)
    if fn is sorted or fn == dict.fromkeys:
        return Container(list if fn is sorted else dict)
    if isinstance(fn, type) and fn in DISPLAYS.values():
        return Container(fn)
    if isinstance(node.func, gast.Attribute) and node.func.attr == "copy" and not node.args and not node.keywords:
        made = of(desugar, node.func.value)
        return None if made is None or made.kind is deque else made
    return Container(list, or_number=True) if desugar.scope.operation(node).rule is TOLIST else None


def _length(node: gast.Call) -> int | None:
    """How many items a deque keeps, 0 for all, ANY for what is known when it is made; None where it is not made so."""
    given = maxlen(node)
    if len(node.args) > 2 or any(isinstance(arg, gast.Starred) for arg in node.args) \
            or any(k.arg != "maxlen" for k in node.keywords) or len(given) > 1:
        return None
    if not given or isinstance(given[0], gast.Constant) and given[0].value is None:
        return 0
    length = literal(given[0], None)
    return length if type(length) is int and length > 0 else ANY


def maxlen(node: gast.Call) -> list[gast.expr]:
    """What a deque is given as the number of items that it keeps."""
    return [*node.args[1:], *(k.value for k in node.keywords)]


# ---------------------------------------------------------------------- what nothing else holds
def _leaves(desugar: State, node: Any, part: gast.Name) -> bool:
    """What stands around a name goes over what it holds, asks something of it, or makes another one of it,
    and keeps it nowhere."""
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return node.value is part
    if isinstance(node, (gast.IfExp, gast.If, gast.While)):
        return node.test is part
    if isinstance(node, gast.keyword):
        return node.arg is None                            # what is called gets a new dict
    if isinstance(node, gast.Assign):
        return isinstance(node.targets[0], (gast.Tuple, gast.List))
    if isinstance(node, gast.Dict):
        return any(key is None and value is part for key, value in zip(node.keys, node.values, strict=True))
    if isinstance(node, gast.Call):
        return any(arg is part for arg in node.args) \
            and (_only_reads(desugar, node) or isinstance(node.func, gast.Attribute)
                 and any(desugar.scope.value(node.func.value) is module for module in (np, math)))
    return isinstance(node,
                      (gast.For, gast.comprehension, gast.BinOp, gast.Compare, gast.UnaryOp, gast.Starred, gast.Return))


def _only_reads(desugar: State, node: gast.Call) -> bool:
    """A call that goes over what it is given, asks for its length, or shows it, and does not keep it."""
    row, func = desugar.scope.effects(node), node.func
    if isinstance(func, gast.Attribute) and is_literal(func.value):        # ", ".join(xs)
        of_text = method_row(type(literal(func.value)), func.attr)
        return of_text is not None and bool(of_text.iterates) and not of_text.holds
    return bool(row.iterates or row.shape_only or row.outside == "text") and row.owner is None and not row.changes \
        and not row.holds


def is_own(desugar: State, node: Any, *kinds: type) -> bool:
    """A name of a container that nothing else holds, and that no loop goes over here: it may be made anew."""
    return isinstance(node, gast.Name) and node.id in desugar.local and node.id in desugar.holds \
        and node.id not in desugar.shared \
        and desugar.holds[node.id].kind in kinds and not any(node.id in names for names in desugar.over)


def gone_over(desugar: State, node: Any) -> set[str]:
    """The names of what a loop over an evaluated expression goes over itself, and not over a copy."""
    return set() if desugar.scope.effects(node).copies or desugar.scope.builtin(node) == "range" else names_in(node)


# ---------------------------------------------------------------------- methods
def method(desugar: State, node: gast.Call, methods: Mapping[object, Any]) -> Any:
    """The one of `methods` that is called, as it can be, of what a name holds."""
    func = node.func
    made = of(desugar, func.value) if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name) else None
    write = None if made is None else methods.get(getattr(made.kind, func.attr, None))
    if write is None or any(isinstance(arg, gast.Starred) for arg in node.args):
        return None
    try:
        inspect.signature(write).bind(desugar, func.value.id, *node.args,
                                      **{str(k.arg): k.value for k in node.keywords})
    except TypeError:
        return None
    return write


def changed(desugar: State, node: gast.Call, methods: Mapping[object, Any]) -> Any:
    """What a method gives that changes such a container, which is made anew; None where it is left as it is."""
    write = method(desugar, node, methods)
    if write is None or not is_own(desugar, node.func.value, list, dict, set, deque):
        return None
    return write(desugar, node.func.value.id, *node.args, **{str(k.arg): k.value for k in node.keywords})


def anew(desugar: State, name: str, value: gast.expr) -> gast.expr:
    """Bind the name of a container that is changed to a new one, which is read by who has it already, and has not read
    it yet; what the method gives that changes it."""
    return template(desugar, "name = value\nNone", name=name, value=value)


def rebound(stmts: Sequence[gast.stmt]) -> set[str]:
    """The names that get another value in statements, and not only another container in the place of one that is
    changed."""
    return {node.id
            for node in name_nodes(stmts) if not isinstance(node.ctx, gast.Load) and not hasattr(node, "renewed")}


def copied(desugar: State, node: gast.Call) -> Any:
    """`d.copy()` of a dict, and of a list that carries a derivative."""
    made = kind(desugar, node) if isinstance(node.func, gast.Attribute) and node.func.attr == "copy" else None
    if made is dict:
        return call("%dict", node.func.value)
    if made is not list or not desugar.carries(node.func.value):
        return None
    return desugar.expr(desugar.placed(subscript(node.func.value, gast.Slice(None, None, None))))
