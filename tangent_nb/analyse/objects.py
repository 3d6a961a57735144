"""Objects whose operations may do more than compute: what their operators,
properties and items do is Python code of somebody.

    c = env == 1        # may change env
    y = x * env.scale   # so does a property

A name may hold one if it is bound to a call of a class of the user, or to such an object outside, or if the text asks
for an attribute, or a method, that arrays, lists, texts and dicts do not have; and what shares objects with such a name
may. What carries a derivative, and what was checked to be a number or an array (`rt.check_constants`), is none.
"""
from __future__ import annotations

import inspect
import types
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..rules import DRAWING, lookup_method, method_row
from ..runtime.attributes import own_dict
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.closure import Groups, closure
from ..syntax.nodes import (
    LEAVES,
    children,
    given_by,
    name_nodes,
    names_in,
    nodes_of,
    reads,
    root_name,
    target_names,
    walk,
    writes,
)
from ..syntax.program import MISSING
from .draws import DRAWS, makes_generator
from .flow import mutation
from .libraries import is_user_class
from .resolve import Scope

ORDINARY = {name for kind in (np.ndarray, np.generic, list, dict, str, set, tuple, float, *DRAWING)
            for name in dir(kind)} | DRAWS
PLAIN = (np.ndarray, np.generic, float, int, complex, str, bytes, type(None), types.FunctionType, types.ModuleType,
         type, range, slice, *DRAWING)


def is_shape(name: str) -> bool:
    """`x.shape`, `x.ndim`: an attribute of arrays that tells nothing of their numbers."""
    row = method_row(np.ndarray, name)
    return row is not None and row.attribute and bool(row.shape_only) and lookup_method(name) is not None


def with_objects(scope: Scope, body: Sequence[gast.stmt], known: Collection[str], parameters: Collection[str], *,
                 iterators: bool = False) -> Scope:
    """The scope, with the names that may hold objects. known: those that hold none, since they carry a derivative;
    iterators: with the names of what may be one, and is gone over more than once."""
    own = [stmt for stmt in statements(body) if is_compound(stmt)
           or getattr(stmt, "role", "") not in ("backward", "tangent") and not hasattr(stmt, "gathers")]
    found = _objects(own, scope, known)
    untold = _untold(own, scope, parameters) - {*known}
    return replace(scope, objects=found | (_spent(own, scope) - {*known}) if iterators else found, untold=untold)


def _untold(own: Sequence[gast.stmt], scope: Scope, parameters: Collection[str]) -> frozenset[str]:
    """Parameters, what functions give, and what is made of these, but by NumPy."""
    given = [(name, set() if _is_told(value, scope) else reads(value) & scope.local, _asks_function(value, scope))
             for stmt in own for name, value in _bound(stmt)]
    found = {*parameters, *(name for name, _, asked in given if asked)}
    return frozenset(closure(found, lambda known: {name for name, read, _ in given if read & known}))


def _is_told(value: gast.expr, scope: Scope) -> bool:
    """A call of NumPy, which makes arrays and numbers."""
    fn = scope.value(value.func) if isinstance(value, gast.Call) else None
    return isinstance(fn, np.ufunc) or (getattr(fn, "__module__", None) or "").partition(".")[0] == "numpy"


def _asks_function(value: gast.expr, scope: Scope) -> bool:
    """There is a call of a function of the user in it, or of what is not known."""
    return any(scope.operation(node).kind in ("function", "dynamic", "unknown") for node in nodes_of(value, gast.Call))


def _nodes(stmts: Iterable[gast.stmt], *kinds: type) -> list[Any]:
    """The nodes of some classes in statements themselves, their blocks left out."""
    return [node for stmt in stmts for node in nodes_of(own_expressions(stmt) if is_compound(stmt) else stmt, *kinds)]


def _spent(own: Sequence[gast.stmt], scope: Scope) -> frozenset[str]:
    times: Counter[str] = Counter()
    given: set[str] = set()
    lists: set[str] = set()
    for stmt in own:
        if isinstance(stmt, gast.For):
            times.update(name for name in [getattr(stmt.iter, "id", None)] if name is not None)
        found: list[Any] = [stmt.value] \
            if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], (gast.Tuple, gast.List)) else []
        found += [arg for node in _nodes([stmt], gast.Call) if scope.effects(node).advances
                  for arg in node.args]
        names = [node.id for node in found if isinstance(node, gast.Name) and node.id in scope.local]
        times.update(names)
        given.update(names)
        lists.update(name for name, value in _bound(stmt)
                     if not isinstance(value, gast.GeneratorExp) and scope.effects(value).gives != "iterator")
    return frozenset(name for name in given - lists if times[name] > 1)


def _objects(own: Sequence[gast.stmt], scope: Scope, known: Collection[str]) -> frozenset[str]:
    links: list[set[str]] = []
    found = _evidence(own, scope)
    searched = {one.id for node in _nodes(own, gast.Compare)                # it takes items
                for op, one in zip(node.ops, node.comparators, strict=True)
                if isinstance(op, (gast.In, gast.NotIn)) and isinstance(one, gast.Name) and one.id in scope.local}
    checked = set(known)
    for stmt in own:
        called = isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call)
        check = scope.value(stmt.value.func) if called else None
        if check is runtime.check_constants or check is runtime.check_matrices:
            checked.update(arg.id for arg in stmt.value.args if isinstance(arg, gast.Name))
        links += _links(stmt, scope)
        for name, value in _bound(stmt):
            made = scope.value(value.func) if isinstance(value, gast.Call) else None
            if isinstance(made, type) and (is_user_class(made) or issubclass(made, defaultdict)):
                found.add(name)
            elif made is runtime.recorded:                 # going over it takes items
                searched.add(name)
    found = found - checked | searched - {*known}
    if not found:
        return frozenset()
    return frozenset(closure(found, lambda known: {
        name for link in links if not known.isdisjoint(link) for name in link - checked}))


def looked_into(body: Sequence[gast.stmt], scope: Scope, varied: Collection[str]) -> list[tuple[set[str], str, str]]:
    """The names of objects of which an attribute is read, with that, or which a function is given, with `""`; before
    each the names that may share the object. Not where it is gone over, nor where something new is made of it there and
    then, as `np.array(env.state)` is."""
    same = Groups(link for stmt in statements(body) if not isinstance(stmt, gast.For)
                  for link in _links(stmt, scope)).members()
    nodes = _nodes(statements(body), gast.Call, gast.Attribute)
    passed = {id(stmt.iter) for stmt in statements(body) if isinstance(stmt, gast.For)}
    found: list[tuple[Any, str]] = []
    for node in nodes:
        if isinstance(node, gast.Call):
            operation, given = scope.operation(node), [*node.args, *(k.value for k in node.keywords)]
            passed.add(id(node.func))
            if operation.kind == "rule" and operation.memory == "fresh" and not reads(node) & {*varied}:
                passed.update(map(id, given))
            elif operation.kind in ("function", "dynamic"):
                found += [(arg, "") for arg in given]
    found += [(node.value, node.attr) for node in nodes
              if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load) and id(node) not in passed]
    inner = {id(part) for node in _nodes(statements(body), gast.ListComp, gast.SetComp, gast.DictComp,
                                         gast.GeneratorExp, gast.Lambda)
             for names in [writes(node)] for part in name_nodes(node) if part.id in names}
    return [(same.get(base.id, {base.id}), base.id, name)
            for base, name in found if isinstance(base, gast.Name) and base.id not in varied and id(base) not in inner
            and not isinstance(scope.value(base), (type, types.ModuleType, types.FunctionType))]


def _bound(stmt: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(stmt, gast.Assign):
        return [(name, stmt.value) for target in stmt.targets for name in target_names(target)]
    if isinstance(stmt, gast.For):
        return [(name, stmt.iter) for name in target_names(stmt.target)]
    if isinstance(stmt, gast.With):
        return [(name, item.context_expr) for item in stmt.items if item.optional_vars is not None
                for name in target_names(item.optional_vars)]
    return []


def _links(stmt: Any, scope: Scope) -> list[set[str]]:
    """Names that may hold one object."""
    found = [{name, *_roots(value, scope)} for name, value in _bound(stmt)]
    if isinstance(stmt, gast.Expr) and mutation(stmt) is not None:
        found.append({root_name(stmt.value.func) or "",
                      *(name for arg in stmt.value.args for name in _roots(arg, scope))} - {""})
    return found


def _roots(node: Any, scope: Scope) -> set[str]:
    """The names whose objects, or parts of them, an expression may give."""
    if isinstance(node, gast.Name):
        return {node.id} if node.id in scope.local or _is_object(scope.value(node)) else set()
    if isinstance(node, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
        return {name for one in node.generators for name in _roots(one.iter, scope)} | reads(node) & scope.local
    if isinstance(node, gast.Call):
        operation, fn = scope.operation(node), scope.value(node.func)
        computes = operation.rule is not None \
            and operation.rule.name.startswith(("np.", "math.", "operator.", "scipy."))
        if computes or operation.kind == "plain" or scope.effects(node).gives == "plain" or makes_generator(fn):
            return set()
        base = [node.func.value] if isinstance(node.func, gast.Attribute) and fn is MISSING else []
        return {name for part in [*base, *node.args, *(k.value for k in node.keywords)] for name in _roots(part, scope)}
    shape = isinstance(node, gast.Attribute) and is_shape(node.attr)
    return set() if shape else {name for part in given_by(node) for name in _roots(part, scope)}


def _evidence(own: Sequence[gast.stmt], scope: Scope) -> set[str]:
    """The names that the text shows to hold objects."""
    found: set[str] = set()
    stored: set[int] = set()
    for node in _nodes(own, gast.Attribute, gast.Name):
        if isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
            name = root_name(node.value)
            if isinstance(node.value, gast.Name) and node.value.id not in scope.local \
                    and _is_stored(scope.value(node.value), node.attr):
                stored.add(id(node.value))
            elif name is not None and name in scope.local and node.attr not in ORDINARY and not name.startswith("%"):
                found.add(name)
        elif isinstance(node, gast.Name) and node.id not in scope.local and id(node) not in stored \
                and _is_object(scope.value(node)):
            found.add(node.id)
    return found


def _is_stored(value: Any, name: str) -> bool:
    """An attribute of an object outside that it stores itself: reading it runs no code."""
    kind = type(value)
    return name in own_dict(value) and inspect.getattr_static(kind, name, None) is None \
        and inspect.getattr_static(kind, "__getattribute__") is object.__getattribute__


def _is_object(value: Any, depth: int = 0) -> bool:
    """An object of a class of the user, or what holds one."""
    # whose reading adds; with a metaclass
    if isinstance(value, defaultdict) or isinstance(value, type) and is_user_class(type(value)):
        return True
    if value is MISSING or isinstance(value, PLAIN):
        return False
    if isinstance(value, (list, tuple, set, frozenset)) or isinstance(value, Mapping):
        items = list(value.values() if isinstance(value, Mapping) else value)[:100]
        return depth < 3 and any(_is_object(item, depth + 1) for item in items)
    return is_user_class(type(value))


def may_do_more(node: gast.AST, scope: Scope) -> bool:
    """Evaluating an expression asks an object for something that Python code of its class may answer."""
    if not scope.objects and not scope.untold:
        return False
    named = names_in(node)
    return not (named.isdisjoint(scope.objects) and named.isdisjoint(scope.untold)) \
        and any(_asks(part, scope) for part in walk(node))


def _asks(node: Any, scope: Scope) -> bool:
    """Code of a class of one of its operands may run."""
    if node.__class__ in LEAVES:
        return False
    asked: list[Any] = []
    if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Set, gast.FormattedValue, gast.Starred)) \
            or isinstance(node, gast.Compare) and not all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
        asked = children(node)
    elif isinstance(node, gast.Attribute):
        asked = [node.value] if isinstance(node.ctx, gast.Load) and scope.value(node) is MISSING else []
    elif isinstance(node, gast.Subscript):
        asked = [node.value, node.slice] if isinstance(node.ctx, gast.Load) else [node.slice]
    elif isinstance(node, gast.IfExp):
        asked = [node.test]
    elif isinstance(node, gast.comprehension):
        asked = [node.iter]
    elif isinstance(node, gast.Dict):
        asked = [key for key in node.keys if key is not None]
    elif isinstance(node, gast.Call):
        asked = [*node.args, *(k.value for k in node.keywords)]
        if isinstance(node.func, gast.Attribute) and root_name(node.func.value) in scope.untold:
            return True
    return any(may_be_object(one, scope) for one in asked)


# what gives none of the objects that stand in it: a result, or a container that is new
COMPUTED = frozenset({gast.Constant, gast.BinOp, gast.UnaryOp, gast.Call, gast.Compare, gast.Dict, gast.Set})


def may_be_object(node: Any, scope: Scope) -> bool:
    """The value may be an object that answers with code of its own."""
    if node.__class__ is gast.Name:
        return node.id in scope.objects
    if node.__class__ in COMPUTED or isinstance(node, gast.Attribute) and is_shape(node.attr):
        return False
    return any(may_be_object(one, scope) for one in given_by(node))

