"""Methods that change dicts and sets which nothing else holds, as new dicts and sets.

    item = d.pop(key, v)     →      if key in d:
                                        item = d[key]
                                        d = rt.without(d, key)
                                    else:
                                        item = v
    seen.add(k)              →      seen = seen | {k}

One that has another name, or stands in another container, is left for the fence: the other would have to change with it.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from ..rules import may_change
from ..syntax.nodes import assign, call, clone, constant, library, load, nodes_in, statement, store, subscript, tuple_of
from . import lists
from .scopes import bindings
from .state import State


def kind_of(desugar: State, name: str) -> str:
    """`"dict"` or `"set"` for a local name that holds nothing but one that the function makes; of parameters nothing is known."""
    return "" if desugar.stack else _found(desugar).get(name, ("", False))[0]


def _found(desugar: State) -> dict[str, tuple[str, bool]]:
    """The dicts and sets of the text as it was written, and whether nothing else holds them."""
    if desugar.containers is None:
        desugar.containers = {}
        bound = bindings(desugar.tree)
        joined = {id(one.target) for one in nodes_in(desugar.tree) if isinstance(one, gast.AugAssign) and isinstance(one.op, gast.BitOr)}
        kinds = {name: _kind(desugar, name, bound, joined) for name in sorted(desugar.local)}
        desugar.containers = {name: (kind, _unshared(desugar, name)) for name, kind in kinds.items() if kind}
    return desugar.containers


def _kind(desugar: State, name: str, bound: Mapping[str, list[Any]], joined: set[int], copies: tuple[str, ...] = ()) -> str:
    """bound: what binds each name; joined: the targets of `d |= e`, which stay what they are; copies: those asked about whose copy it is."""
    kinds = {_made(desugar, node.value, (*copies, name), bound, joined) if isinstance(node, gast.Assign) else ""
             for node in bound.get(name, []) if id(node) not in joined}
    return kinds.pop() if len(kinds) == 1 else ""


def _made(desugar: State, node: Any, names: tuple[str, ...], bound: Mapping[str, list[Any]], joined: set[int]) -> str:
    if isinstance(node, (gast.Dict, gast.DictComp)):
        return "dict"
    if isinstance(node, (gast.Set, gast.SetComp)):
        return "set"
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.BitOr):
        left, right = (_made(desugar, side, names, bound, joined) for side in (node.left, node.right))
        return left if left == right else ""
    if not isinstance(node, gast.Call):
        return ""
    fn = desugar.object(node.func)
    copied = node.func.value if isinstance(node.func, gast.Attribute) and node.func.attr == "copy" else None
    if isinstance(copied, gast.Name) and copied.id not in names:
        return _kind(desugar, copied.id, bound, joined, names)
    return "dict" if fn is dict or fn == dict.fromkeys else "set" if fn is set else ""


def _unshared(desugar: State, name: str) -> bool:
    """Nothing else holds it, and no loop goes over it while it changes."""
    return lists.unshared(desugar, _without_reads(desugar, name), name) and not _gone_over(desugar, name)


def _without_reads(desugar: State, name: str) -> gast.FunctionDef:
    """The text without the places that only read the items of a dict: `dict(d)`, `{**d}`."""
    tree: Any = clone(desugar.tree)
    for node in nodes_in(tree):
        if isinstance(node, gast.Call) and desugar.object(node.func) is dict:
            node.args = [constant(0) if isinstance(arg, gast.Name) and arg.id == name else arg for arg in node.args]
        elif isinstance(node, gast.Dict):
            node.values = [constant(0) if key is None and isinstance(value, gast.Name) and value.id == name else value
                           for key, value in zip(node.keys, node.values, strict=True)]
    return tree


def _gone_over(desugar: State, name: str) -> bool:
    """A loop goes over it, and changes it: Python raises then. One over a list of it may."""
    for stmt in nodes_in(desugar.tree):
        if isinstance(stmt, gast.For) and any(isinstance(part, gast.Name) and part.id == name for part in nodes_in(stmt.iter)):
            if not desugar.scope.effects(stmt.iter).copies and any(_changes(part, name) for part in nodes_in(gast.Module(stmt.body, []))):
                return True
    return False


def _changes(node: Any, name: str) -> bool:
    if isinstance(node, gast.Attribute):
        return isinstance(node.value, gast.Name) and node.value.id == name and may_change(node.attr)
    if isinstance(node, gast.Delete):
        return any(isinstance(one, gast.Subscript) and isinstance(one.value, gast.Name) and one.value.id == name for one in node.targets)
    return isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) and node.target.id == name


def _receiver(desugar: State, node: Any) -> tuple[str, str] | None:
    """The name and the kind of what is changed by a method."""
    func = node.func if isinstance(node, gast.Call) else None
    if not isinstance(func, gast.Attribute) or not isinstance(func.value, gast.Name) or node.keywords \
            or any(isinstance(arg, gast.Starred) for arg in node.args):
        return None
    return (func.value.id, kind_of(desugar, func.value.id)) if _is_own(desugar, func.value.id) else None


def _is_own(desugar: State, name: str) -> bool:
    return not desugar.stack and _found(desugar).get(name, ("", False))[1]


def changed(desugar: State, node: gast.Call) -> Any:
    """What to write for a method that changes a dict or a set."""
    attr = node.func.attr if isinstance(node.func, gast.Attribute) else ""
    if not any(getattr(kind, attr, None) in METHODS for kind in KINDS.values()):
        return None
    if attr == "setdefault" and len(node.args) == 2 and not isinstance(node.args[1], (gast.Constant, gast.Name, gast.BinOp, gast.UnaryOp)):
        return None                                        # a container that is changed where it stands
    receiver = _receiver(desugar, node)
    known = METHODS.get(getattr(KINDS.get(receiver[1]), attr, None)) if receiver is not None else None
    if receiver is None or known is None or len(node.args) not in known[0]:
        return None
    return known[1](desugar, receiver[0], *node.args)


def from_keys(desugar: State, node: Any) -> gast.expr | None:
    """`dict.fromkeys(keys, v)` as a comprehension; v is evaluated after the keys, once."""
    if not isinstance(node, gast.Call) or desugar.object(node.func) != dict.fromkeys or len(node.args) != 2 or node.keywords \
            or any(isinstance(arg, gast.Starred) for arg in node.args) or not desugar.carries(node.args[1]):
        return None
    keys, value = (load(desugar.kept(desugar.expr(arg), name)) for arg, name in zip(node.args, ("keys", "value"), strict=True))
    desugar.varied.add(value.id)
    key = desugar.names.new("key")
    return gast.DictComp(load(key), value, [gast.comprehension(store(key), keys, [], 0)])


def copied(desugar: State, node: gast.Call) -> Any:
    """`d.copy()` of a dict."""
    func = node.func
    if isinstance(func, gast.Attribute) and func.attr == "copy" and not node.args and not node.keywords and isinstance(func.value, gast.Name) \
            and kind_of(desugar, func.value.id) == "dict":
        return call("%dict", func.value)
    return None


def merged(desugar: State, stmt: gast.AugAssign) -> bool:
    """`d |= q`, as a statement."""
    if not isinstance(stmt.target, gast.Name) or not isinstance(stmt.op, gast.BitOr):
        return False
    name = stmt.target.id
    kind = kind_of(desugar, name)
    if not _is_own(desugar, name):
        return False
    value = library("rt.merged(x, y)", x=name, y=stmt.value) if kind == "dict" and name in desugar.varied else \
        gast.BinOp(load(name), gast.BitOr(), stmt.value)
    desugar.statement(desugar.placed(assign(name, value)))
    return True


def deleted(desugar: State, target: Any) -> bool:
    """`del d[key]`, as a statement."""
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return False
    name = target.value.id
    if kind_of(desugar, name) != "dict" or not _is_own(desugar, name):
        return False
    _drop(desugar, name, desugar.expr(target.slice))
    return True


def _drop(desugar: State, name: str, key: gast.expr) -> None:
    desugar.emit(assign(name, library("rt.without(d, k)", d=name, k=key)))


def _pop(desugar: State, name: str, key: Any, default: Any = None) -> gast.expr:
    key = desugar.named(key, "key")
    if default is None:
        item = desugar.kept(subscript(name, key), "item")
        _drop(desugar, name, clone(key))
        return load(item)
    item = desugar.temporary("item")
    other = desugar.expr(default)
    other = other if isinstance(other, gast.Constant) else load(desugar.kept(other, "default"))
    there: list[gast.stmt] = [assign(item, subscript(name, clone(key))), assign(name, library("rt.without(d, k)", d=name, k=clone(key)))]
    desugar.emit(gast.If(gast.Compare(key, [gast.In()], [load(name)]), there, [assign(item, other)]))
    return load(item)


def _pop_item(desugar: State, name: str) -> gast.expr:
    empty = gast.UnaryOp(gast.Not(), load(name))
    desugar.emit(gast.If(empty, [statement("raise KeyError('popitem(): dictionary is empty')")], []))
    key = desugar.kept(subscript(call("%list", library("d.keys()", d=name)), constant(-1)), "key")
    item = desugar.kept(subscript(name, load(key)), "item")
    _drop(desugar, name, load(key))
    return tuple_of([load(key), load(item)])


def _set_default(desugar: State, name: str, key: Any, default: Any) -> gast.expr:
    key = desugar.named(key, "key")
    other = desugar.named(default, "key")
    missing = gast.Compare(clone(key), [gast.NotIn()], [load(name)])
    desugar.emit(gast.If(missing, [gast.Assign([subscript(name, clone(key), write=True)], other, None)], []))
    return load(desugar.kept(subscript(name, key), "item"))


def _clear(desugar: State, name: str) -> gast.expr:
    desugar.emit(assign(name, gast.Dict([], [])))
    return constant(None)


def _add(desugar: State, name: str, key: Any) -> gast.expr:
    desugar.emit(assign(name, gast.BinOp(load(name), gast.BitOr(), gast.Set([desugar.expr(key)]))))
    return constant(None)


def _discard(desugar: State, name: str, key: Any) -> gast.expr:
    desugar.emit(assign(name, gast.BinOp(load(name), gast.Sub(), gast.Set([desugar.expr(key)]))))
    return constant(None)


def _remove(desugar: State, name: str, key: Any) -> gast.expr:
    key = desugar.named(key, "key")
    desugar.emit(gast.If(gast.Compare(clone(key), [gast.NotIn()], [load(name)]), [statement("raise KeyError(KEY)", KEY=clone(key))], []))
    return _discard(desugar, name, key)


Write = Callable[..., gast.expr]
KINDS = {"dict": dict, "set": set}
METHODS: dict[object, tuple[tuple[int, ...], Write]] = {
    dict.pop: ((1, 2), _pop), dict.popitem: ((0,), _pop_item), dict.setdefault: ((2,), _set_default), dict.clear: ((0,), _clear),
    set.add: ((1,), _add), set.discard: ((1,), _discard), set.remove: ((1,), _remove)}
