"""Records: the parameters that a text reads as containers, and the containers that a function makes itself.

Needs the text as the user wrote it. A parameter is taken for an array, or a number, unless the text says otherwise:
that makes the better code, and a container that comes all the same is refused when it is called. What the text says:

    p["w"], p.w, p.items(), {**p}, p | q, p: list     a container, for certain
    w, b = p; for v in p; list(p); p[0]["w"]          a container, if nothing else takes it for an array
    p[0] * p[1]                                       a container of numbers or arrays, or an array
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..rules import lookup, lookup_method, method_row
from ..runtime.containers import is_record
from ..syntax.blocks import statements
from ..syntax.closure import closure
from ..syntax.nodes import (
    flat,
    given_by,
    is_literal,
    literal,
    nodes_of,
    parameter_names,
    reads,
    root_name,
    target_names,
    walk,
)
from ..syntax.program import Captured
from ..syntax.spec import Spec
from .activity import Varied, gone_over, over_own_keys
from .arguments import bind
from .derived import derived_from
from .displays import items as operands_of
from .displays import names_made
from .flow import inner_append
from .resolve import Scope

VERSIONED = (runtime.append, runtime.setitem, runtime.pop, runtime.PersistentArray, runtime.versioned,
             runtime.shortened, runtime.lengthened, runtime.zeroed, runtime.added)
ARITHMETIC = (gast.Sub, gast.Div, gast.Pow, gast.FloorDiv, gast.Mod, gast.MatMult)   # which lists and dicts do not have
TOLIST = lookup(np.ndarray.tolist)
NEUTRAL = (len, isinstance, print, type, id, repr, str, zip, enumerate, reversed, range)


def record_parameters(captured: Captured, names: Iterable[str],
                      capture: Callable[[Any], Captured | None]) -> dict[str, Spec]:
    """The parameters among `names` that may be containers, with what is known of them.
    capture: the text of a function that is called."""
    found = {name: _judged(captured, name, capture, frozenset()) for name in names}
    return {name: _spec(name, said) for name, said in found.items() if said in ("record", "places", "versions")}


def version_parameters(captured: Captured, names: Iterable[str],
                       capture: Callable[[Any], Captured | None]) -> dict[str, Spec]:
    """The parameters among `names` that may be persistent arrays, whether they are differentiated or not."""
    scope = Scope(captured.namespace, set())
    called = [scope.value(node.func) for node in nodes_of(captured.tree, gast.Call)]
    if not any(isinstance(fn, types.FunctionType) and (lookup(fn) is None or fn in VERSIONED) for fn in called):
        return {}
    return {name: spec for name, spec in record_parameters(captured, names, capture).items() if spec.kind == "versions"}


def _spec(name: str, said: str) -> Spec:
    """What is known of a parameter that may be a container, or a persistent array."""
    if said == "versions":
        row = Spec("numeric", frozenset([("row of", name)]), frozenset([name]))
        return Spec("versions", None, row.dtype, (row,))
    return Spec("items", frozenset([name])) if said == "places" else Spec()


def _judged(captured: Captured, name: str, capture: Callable[[Any], Captured | None], seen: frozenset[Any]) -> str:
    """`"record"`, `"versions"` (an array that may be persistent), `"array"`, `"places"` (of numbers and arrays, read
    one by one), or `""` where the text does not say."""
    key = (captured.fn, name)
    if key in seen:
        return ""
    found = set(_says(captured, name, capture, seen | {key}))
    for sure in ("record", "versions", "array", "parts", "places"):
        if sure in found:
            return sure if sure != "parts" else "record"
    return ""


def _says(captured: Captured, name: str, capture: Callable[[Any], Captured | None],
          seen: frozenset[Any]) -> Iterator[str]:
    tree = captured.tree
    scope = Scope.of(captured)
    names = _same(tree, name)
    items, texts = _items(tree, names, scope), _texts(tree)
    annotated = _annotation(tree, name, scope)
    if annotated is runtime.PersistentArray:
        yield "versions"
    elif name not in reads(tree.body) or isinstance(annotated, type) and (
            issubclass(annotated, (list, tuple, dict)) or is_record(annotated)):
        yield "record"
    if _only_places(tree, names):
        yield "places"

    def whole(node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id in names

    def part(node: Any) -> bool:
        return isinstance(node, gast.Subscript) and whole(node.value) and not isinstance(node.slice, gast.Slice) \
            or isinstance(node, gast.Name) and node.id in items

    for node in walk(tree):
        if _has_key(node, texts):
            yield "record" if whole(node.value) else "parts" if part(node.value) else ""
        elif isinstance(node, gast.Attribute):
            known = lookup_method(node.attr) is not None and method_row(dict, node.attr) is None \
                or hasattr(np.ndarray, node.attr)
            if whole(node.value):
                yield "array" if known else "record"
            elif part(node.value) and (not known or node.attr == "T" and _is_place(node.value)):
                yield "parts"
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], (gast.Tuple, gast.List)):
            yield "parts" if whole(node.value) or part(node.value) else ""
        elif isinstance(node, gast.For):
            if over_own_keys(node) and whole(node.iter):
                yield "record"
            yield from ("array" if whole(over) and _is_filled(node, one) else "parts"
                        for one, over in _pairs(node.target, node.iter, scope) if whole(over) or part(over))
        elif isinstance(node, gast.Dict):
            yield from ("record" for key, value in zip(node.keys, node.values) if key is None and whole(value))
        elif isinstance(node, gast.BinOp):
            operands = (node.left, node.right)
            if any(map(whole, operands)):
                yield "record" if isinstance(node.op, gast.BitOr) else "array"
            if isinstance(node.op, gast.MatMult) and any(part(one) and _is_place(one) for one in operands):
                yield "parts"
        elif isinstance(node, gast.AugAssign):
            numbers = isinstance(node.op, ARITHMETIC) \
                or isinstance(node.op, gast.Mult) and isinstance(literal(node.value, None), float)
            yield "array" if whole(node.value) or numbers and whole(node.target) else ""
        elif isinstance(node, gast.UnaryOp):
            yield "array" if whole(node.operand) else ""
        elif isinstance(node, gast.Call) and (whole(node.func) or part(node.func)):
            yield "record" if whole(node.func) else "parts"            # a function: a partial holds what it is bound to
        elif isinstance(node, gast.Call):
            yield from _call(node, tree, scope, whole, part, capture, seen)


def _has_key(node: Any, texts: set[str]) -> bool:
    """`p["w"]`, or `p[key]` where the key may be a text: of `texts`, or one that is put together."""
    key = node.slice if isinstance(node, gast.Subscript) else None
    return isinstance(key, gast.Constant) and isinstance(key.value, str) \
        or isinstance(key, (gast.Name, gast.JoinedStr)) and getattr(key, "id", "") in {"", *texts}


def _call(node: Any, tree: gast.FunctionDef, scope: Scope, whole: Callable[[Any], bool], part: Callable[[Any], bool],
          capture: Callable[[Any], Captured | None], seen: frozenset[Any]) -> Iterator[str]:
    """What the call of a function says of its arguments: a function of the user is asked itself."""
    fn = scope.value(node.func)
    given = [arg for arg in [*node.args, *(k.value for k in node.keywords)] if whole(arg) or part(arg)]
    if not given:
        return
    derived = derived_from(tree, node.func, scope)
    if getattr(node, "of_object", False) or derived is runtime.method or derived is runtime.computed \
            or any(map(whole, node.args)) and _takes_container(node, tree, scope):
        yield from ("record" for arg in node.args[:1] if whole(arg))
    elif isinstance(derived, types.FunctionType):
        yield from _of_derivative(node, derived, whole, capture, seen)
    elif any(fn is one for one in VERSIONED):
        row = lookup(fn)
        first = scope.operation(node).args.get(row.params[0]) if row is not None else None
        yield from ("versions" if arg is first else "array" for arg in given if whole(arg))
    elif fn is dict or fn is getattr or fn is runtime.record or fn is runtime.items or fn is runtime.keys \
            or fn is runtime.method_of or fn is runtime.derivative_of or fn is runtime.method_above \
            or fn is runtime.property_above or fn is runtime.field \
            or getattr(fn, "__module__", "") == "dataclasses":
        yield from ("record" for arg in given if whole(arg))
    elif isinstance(fn, types.FunctionType) and lookup(fn) is None:
        called = capture(fn)
        for parameter, arg in (bind(called, node) or {}).items() if called is not None else ():
            if called is not None and (whole(arg) or part(arg)):
                said = _judged(called, parameter, capture, seen)
                yield said if whole(arg) else "parts" if said == "record" else ""
    elif fn is list or fn is tuple:
        yield from ("parts" for arg in given if whole(arg))
    elif not any(fn is one for one in (*NEUTRAL, runtime.zeros_like, runtime.zero_gradient, runtime.differentiable,
                                       runtime.copy)):
        yield from ("array" for arg in given if whole(arg))
        if (fn is np.dot or fn is np.matmul) and any(part(arg) and _is_place(arg) for arg in given):
            yield "parts"


def _of_derivative(node: gast.Call, fn: Any, whole: Callable[[Any], bool], capture: Callable[[Any], Captured | None],
                   seen: frozenset[Any]) -> Iterator[str]:
    """What the call of a derivative says of its arguments, which the function takes too."""
    called = capture(fn)
    if called is None:
        return
    names = [one.id for one in [*called.tree.args.posonlyargs, *called.tree.args.args]]
    given = [*zip(names, node.args), *((k.arg, k.value) for k in node.keywords)]
    yield from (_judged(called, name, capture, seen) for name, arg in given
                if whole(arg) and name in parameter_names(called.tree))


def _takes_container(node: gast.Call, tree: gast.FunctionDef, scope: Scope) -> bool:
    """The seed of a display; `d.update(q)`, of a dict that the function makes."""
    if scope.value(node.func) is runtime.check_seed:
        return _is_display(tree, node.args[1])
    return isinstance(node.func, gast.Attribute) and method_row(dict, node.func.attr) is not None \
        and updated_dict(gast.Expr(node), made_names(tree, scope)) is not None


def _is_display(tree: gast.AST, result: Any) -> bool:
    """A list, a tuple or a dict that is written out has this name: of its structure is the seed too."""
    return any(isinstance(node, gast.Assign) and isinstance(node.value, (gast.List, gast.Tuple, gast.Dict))
               and any(isinstance(target, gast.Name) and target.id == getattr(result, "id", None)
                       for target in node.targets) for node in walk(tree))


def _annotation(tree: gast.FunctionDef, name: str, scope: Scope) -> Any:
    """What a parameter is said to be: `params: list`, `p: Layer`, `p: dict[str, float]`."""
    for arg in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]:
        if arg.id == name and arg.annotation is not None:
            return scope.value(arg.annotation.value if isinstance(arg.annotation, gast.Subscript) else arg.annotation)
    return None


def _only_places(tree: gast.FunctionDef, names: set[str]) -> bool:
    """All that is read of a parameter are single items, by numbers that are written down."""
    read = [node for node in nodes_of(tree, gast.Name)
            if isinstance(node.ctx, gast.Load) and node.id in names]
    taken = [node.value for node in nodes_of(tree, gast.Subscript)
             if isinstance(node.ctx, gast.Load) and _is_place(node)]
    return bool(read) and len(names) == 1 and {id(node) for node in read} <= {id(node) for node in taken}


def _is_place(node: Any) -> bool:
    """`p[0]`, by a number that is written down."""
    return isinstance(node, gast.Subscript) and is_literal(node.slice) and isinstance(literal(node.slice), int)


def _same(tree: gast.AST, name: str) -> set[str]:
    """The names that are copies of a name somewhere."""
    given = nodes_of(tree, gast.Assign)
    return closure({name}, lambda found: {
        target.id for node in given for target in node.targets if isinstance(target, gast.Name)
        and any(isinstance(one, gast.Name) and one.id in found for one in _choices(node.value))})


def _choices(node: Any) -> list[Any]:
    """The expressions one of which is the value of an expression."""
    if isinstance(node, (gast.IfExp, gast.BoolOp)):
        return [one for value in given_by(node) for one in _choices(value)]
    return [node]


def _texts(tree: gast.AST) -> set[str]:
    """The variables of loops over texts that are written down: `for key in ("w", "b")`, `[p[key] for key in keys]`."""
    listed = {target.id for node in nodes_of(tree, gast.Assign) if _are_texts(node.value)
              for target in node.targets if isinstance(target, gast.Name)}
    return {node.target.id for node in nodes_of(tree, gast.For, gast.comprehension)
            if isinstance(node.target, gast.Name)
            and (_are_texts(node.iter) or getattr(node.iter, "id", None) in listed)}


def _are_texts(node: Any) -> bool:
    return isinstance(node, (gast.Tuple, gast.List)) and any(
        isinstance(item, gast.Constant) and isinstance(item.value, str) for item in node.elts)


def _items(tree: gast.AST, names: set[str], scope: Scope) -> set[str]:
    """The variables that hold an item of one of these names: `layer = p[0]`, `for layer in p`."""
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, gast.Assign) and isinstance(node.value, gast.Subscript) \
                and isinstance(node.value.value, gast.Name) \
                and node.value.value.id in names and not isinstance(node.value.slice, gast.Slice):
            found.update(target.id for target in node.targets if isinstance(target, gast.Name))
        elif isinstance(node, gast.For):
            found.update(target.id for target, iterable in _pairs(node.target, node.iter, scope)
                         if isinstance(target, gast.Name) and isinstance(iterable, gast.Name) and iterable.id in names)
    return found - names


def _is_filled(loop: Any, target: Any) -> bool:
    """The body stores in what the loop binds, by place: that is the row of an array,
    since lists of the caller may not change."""
    return isinstance(target, gast.Name) and any(
        isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load) and root_name(node) == target.id
        and not (isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str))
        for node in walk(loop.body))


def _pairs(target: Any, iterable: Any, scope: Scope) -> Iterator[tuple[Any, Any]]:
    """What a loop binds to the items of what, or of a slice of what."""
    for one, source, item in gone_over(target, iterable, scope):
        if item:
            yield one, source.value \
                if isinstance(source, gast.Subscript) and isinstance(source.slice, gast.Slice) else source


def made_names(tree: gast.FunctionDef, scope: Scope) -> set[str]:
    """The variables that never hold anything but containers that the function makes: displays, copies,
    objects of plain classes."""
    return names_made(tree.body, parameter_names(tree), lambda value, found: _makes(value, scope, found))


def _makes(node: Any, scope: Scope, made: set[str]) -> bool:
    """A new container. made: names that are thought to hold nothing else."""
    if isinstance(node, (gast.List, gast.Dict, gast.ListComp, gast.DictComp)):
        return True
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, gast.Mult) and any(isinstance(one, gast.List) for one in (node.left, node.right))
    if isinstance(node, gast.Subscript):
        return isinstance(node.slice, gast.Slice) and isinstance(node.value, gast.Name) and node.value.id in made
    if not isinstance(node, gast.Call):
        return False
    fn = scope.value(node.func)
    if any(fn is one for one in (dict, list, sorted, types.SimpleNamespace, runtime.with_item, runtime.with_field,
                                 runtime.with_slice, runtime.merged)):
        return True
    if fn is runtime.joined or fn is runtime.repeated or fn is runtime.without:
        return all(_makes(arg, scope, made) or isinstance(arg, gast.Name) and arg.id in made for arg in node.args[:1])
    operation = scope.operation(node)
    return operation.rule is TOLIST or operation.kind == "container" and not issubclass(operation.fn, tuple)


def updated_dict(stmt: Any, made: set[str]) -> tuple[str, Any] | None:
    """`("d", q)` for the statement `d.update(q)`, of a dict that the function makes;
    a dict display for `d.update(w=v)`."""
    call = stmt.value if isinstance(stmt, gast.Expr) else None
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute) or call.func.attr != "update" \
            or not isinstance(call.func.value, gast.Name) or call.func.value.id not in made:
        return None
    if len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], gast.Starred):
        return call.func.value.id, call.args[0]
    if call.args or not call.keywords or any(k.arg is None for k in call.keywords):
        return None
    keys = [gast.Constant(k.arg, None) for k in call.keywords]
    return call.func.value.id, gast.Dict(keys, [k.value for k in call.keywords])


def stored_containers(tree: gast.FunctionDef, scope: Scope, varied: set[str]) -> set[str]:
    """The containers that the function makes, stores in, and differentiates or reads beside what it differentiates."""
    made = made_names(tree, scope)
    targets = [target for node in nodes_of(tree, gast.Assign, gast.AugAssign)
               for target in flat(node.targets if isinstance(node, gast.Assign) else [node.target])]
    targets += [grown for node in walk(tree) if (grown := inner_append(node)) is not None]
    stored = {root_name(one) or "" for one in targets if isinstance(one, (gast.Subscript, gast.Attribute))} & made
    stored |= {found[0] for node in walk(tree) if (found := updated_dict(node, made)) is not None}
    if stored <= varied:
        return stored
    is_varied = Varied(varied, scope)
    beside = {name for node in walk(tree) if isinstance(node, gast.expr) and is_varied.of(node) for name in reads(node)}
    while more := {name for node in nodes_of(tree, gast.For) if not beside.isdisjoint(target_names(node.target))
                   for name in reads(node.iter)} - beside:                       # of what its items are
        beside |= more
    return stored & (varied | beside)


def lists_by_place(tree: gast.FunctionDef, scope: Scope, containers: set[str]) -> set[str]:
    """Of the containers in which a function stores, the lists that get nothing but single items in the place of others,
    and of which no part of a part changes: what is stored can be taken back by the same index."""
    lists = names_made(tree.body, parameter_names(tree), lambda value, found: _makes_list(value, scope, found))
    if not (lists := lists & containers):
        return lists
    inside = {id(stmt) for one in nodes_of(tree, gast.Try) for stmt in walk(one)}
    for node in walk(tree):
        stores = isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load)
        if stores and (id(node) in inside or not isinstance(node, gast.Subscript) or isinstance(node.slice, gast.Slice)
                       or not isinstance(node.value, gast.Name)):
            lists.discard(root_name(node) or "")
        if (grown := inner_append(node)) is not None:
            lists.discard(root_name(grown) or "")
    return lists


def _makes_list(node: Any, scope: Scope, made: set[str]) -> bool:
    """A new list. made: names that are thought to hold nothing else."""
    if isinstance(node, gast.Call):
        fn = scope.value(node.func)
        return fn is list or fn is sorted or (fn is runtime.zeros_like or fn is runtime.copy) and len(node.args) == 1 \
            and isinstance(node.args[0], gast.Name) and node.args[0].id in made
    return not isinstance(node, (gast.Dict, gast.DictComp)) and _makes(node, scope, made)


def reached(body: Sequence[gast.stmt], scope: Scope, records: set[str]) -> set[str]:
    """The variables that may hold a container, or what was in one."""
    given = [(stmt.value, stmt.targets) if isinstance(stmt, gast.Assign) else (stmt.iter, [stmt.target])
             for stmt in statements(body) if isinstance(stmt, (gast.Assign, gast.For))]
    return closure(records,
                   lambda found: {name for value, targets in given if reads(value) & found or _holds(value, scope)
                                  for target in targets for name in target_names(target)})


def _holds(node: gast.expr, scope: Scope) -> bool:
    operation = scope.operation(node)
    return operation.kind == "container" and not isinstance(node, (gast.Tuple, gast.List)) and bool(operands_of(node))
