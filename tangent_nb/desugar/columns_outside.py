"""Attributes that are assigned of the objects in a list from outside, and read again, as a list of what they hold.

Needs a text in the core language. Promises a list for each such attribute, where the text reaches the objects by loops
over the list, or by an index; and a loop that counts, where it does so by a loop. `rt.check_each` asks that each object
is in the list once.

    for layer in layers:                        rt.check_each(layers, 'h', 'layers[].h')
        layer.h = np.tanh(layer.w * x)          layers_h = []
        x = layer.h                       →     for layer in layers:
                                                    layers_h.append(layer.h)
                                                for i, layer in enumerate(layers):
                                                    layers_h[i] = np.tanh(layer.w * x)
                                                    layer.h = rt.later(layer, 'h', layers_h[i], 'layers[].h')
                                                    x = layers_h[i]
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from ..analyse.activity import gone_over
from ..analyse.resolve import Scope
from ..syntax.blocks import change_blocks, rebuild, statements
from ..syntax.building import (
    assign,
    call,
    clone,
    constant,
    dotted_load,
    exchanged,
    library,
    load,
    store,
    subscript,
    tuple_of,
)
from ..syntax.names import Names
from ..syntax.nodes import dotted, is_atom, names_in, nodes_of, walk, writes
from .scopes import FUNCTIONS, put_at


@dataclass
class Listed:
    """A list from outside, of objects: its path, and the names that loops over it bind to an item."""

    path: str
    names: set[str] = field(default_factory=set)

    def index(self, node: gast.expr, places: dict[str, str]) -> gast.expr | None:
        """The index of the object that an expression means. places: of what the names of items mean."""
        if isinstance(node, gast.Name):
            return load(places.get(node.id, "")) if node.id in self.names else None
        return clone(node.slice) if isinstance(node, gast.Subscript) and dotted(node.value) == self.path \
            and (is_atom(node.slice) and not isinstance(node.slice, gast.Slice)) else None


def mark_columns(tree: gast.FunctionDef, scope: Scope, names: Names, made: set[str]) -> None:
    """Let lists hold what is read again of objects in lists. made: the containers that the text makes."""
    if not any(isinstance(target, gast.Attribute) for target, _ in _assigned(tree)):
        return
    for listed in _lists(tree, scope, made):
        attributes = sorted(_attributes(tree, listed))
        places = {name: names.new("i") for name in sorted(listed.names)} if attributes else {}
        for attribute in attributes:
            _as_list(tree, listed, attribute, names, places)
        _count(tree, places)


def items_of(tree: gast.FunctionDef, scope: Scope, made: set[str]) -> set[str]:
    """The names of the objects in lists from outside that loops go over."""
    return {name for listed in _lists(tree, scope, made) for name in listed.names}


def _lists(tree: gast.FunctionDef, scope: Scope, made: set[str]) -> list[Listed]:
    """The lists from outside whose items are objects that are bound by loops, or taken by an index."""
    found: dict[str, Listed] = {}
    bound = writes(tree.body)
    for name, paths in _by_item(tree, scope).items():
        if len(paths) == 1:
            only = paths.pop()
            found.setdefault(only, Listed(only)).names.add(name)
    for target, _ in _assigned(tree):
        base = target.value if isinstance(target, gast.Attribute) else None
        if isinstance(base, gast.Subscript) and (path := dotted(base.value)) is not None \
                and not isinstance(base.slice, gast.Constant):               # `xs[0].a` alone is a path of its own
            found.setdefault(path, Listed(path))
    return [one for path, one in found.items()
            if path.partition(".")[0] not in bound | made and not _changed(tree, path)]


def _by_item(tree: gast.FunctionDef, scope: Scope) -> dict[str, set[str]]:
    """The names that nothing but loops, or an index, bind to items of lists, with the paths of these."""
    found: dict[str, set[str]] = {}
    targets: set[int] = set()
    for loop in nodes_of(tree.body, gast.For, gast.comprehension):
        for target, source, item in gone_over(loop.target, loop.iter, scope):
            if isinstance(target, gast.Name):
                path = dotted(source) if item and _in_order(loop.iter, scope) else None
                found.setdefault(target.id, set()).add(path or "")
                targets.add(id(target))
    for stmt in nodes_of(tree.body, gast.Assign):
        target, value = stmt.targets[0], stmt.value
        if isinstance(target, gast.Name) and not stmt.targets[1:] and isinstance(value, gast.Subscript) \
                and is_atom(value.slice) and (path := dotted(value.value)) is not None:
            found.setdefault(target.id, set()).add(path)
            targets.add(id(target))
    again = {node.id for node in nodes_of(tree.body, gast.Name)
             if not isinstance(node.ctx, gast.Load) and id(node) not in targets}
    again |= {name for node in nodes_of(tree.body, *FUNCTIONS) for name in writes(node)}
    return {name: paths for name, paths in found.items() if name not in again and all(paths)}


def _in_order(node: Any, scope: Scope) -> bool:
    """A loop takes the items of what it goes over from the first on, one at each trip."""
    called = scope.builtin(node)
    if called == "enumerate" or called == "zip":
        return all(_in_order(arg, scope) for arg in (node.args if called == "zip" else node.args[:1]))
    return not isinstance(node, (gast.Call, gast.Starred))


def _assigned(tree: gast.FunctionDef) -> Iterator[tuple[Any, Any]]:
    """The targets of assignments, with their statements."""
    for stmt in statements(tree.body):
        if isinstance(stmt, gast.Assign):
            yield from ((target, stmt) for target in stmt.targets)
        elif isinstance(stmt, gast.AugAssign):
            yield stmt.target, stmt


def _changed(tree: gast.FunctionDef, path: str) -> bool:
    """The list itself may be another one, or hold other things, later: it is assigned, or a method of it is called."""
    stored = [target.value if isinstance(target, gast.Subscript) else target for target, _ in _assigned(tree)]
    called = [node.func.value for node in nodes_of(tree.body, gast.Call) if isinstance(node.func, gast.Attribute)]
    return any(dotted(one) == path for one in [*stored, *called]) \
        or any(path.startswith(f"{dotted(one)}.") for one in stored)


def _attributes(tree: gast.FunctionDef, listed: Listed) -> set[str]:
    """The attributes of the objects in a list that are assigned and read again, and stay what they are otherwise."""
    assigned = {target.attr: id(target) for target, _ in _assigned(tree)
                if isinstance(target, gast.Attribute) and _is_item(target.value, listed)}
    if not assigned:
        return set()
    whole = {id(target) for target, _ in _assigned(tree)}
    inside = {id(node) for stmt in nodes_of(tree.body, *FUNCTIONS) for node in walk(stmt)}
    called = {id(node.func) for node in nodes_of(tree.body, gast.Call)}
    read: set[str] = set()
    other: set[str] = set()
    for node in nodes_of(tree.body, gast.Attribute):
        if node.attr not in assigned or not _is_item(node.value, listed):
            continue
        if id(node) in inside | called or not isinstance(node.ctx, gast.Load) and id(node) not in whole \
                or listed.index(node.value, dict.fromkeys(listed.names, "i")) is None:
            other.add(node.attr)
        elif isinstance(node.ctx, gast.Load):
            read.add(node.attr)
    for target, stmt in _assigned(tree):
        while isinstance(target, gast.Subscript):
            target = target.value
            if isinstance(target, gast.Attribute) and _is_item(target.value, listed):
                other.add(target.attr)                     # a part of it changes
        if isinstance(stmt, gast.AugAssign) and isinstance(target, gast.Attribute) and _is_item(target.value, listed):
            read.add(target.attr)
    return read - other


def _is_item(node: Any, listed: Listed) -> bool:
    return isinstance(node, gast.Name) and node.id in listed.names \
        or isinstance(node, gast.Subscript) and dotted(node.value) == listed.path


def _as_list(tree: gast.FunctionDef, listed: Listed, attribute: str, names: Names, places: dict[str, str]) -> None:
    """Let a list hold what an attribute of each object holds."""
    column = names.new(f"{listed.path.replace('.', '_')}_{attribute}")
    item = min(listed.names, default="") or names.new("item")
    shown = {"name": constant(attribute), "path": constant(f"{listed.path}[].{attribute}")}
    nodes = [node for node in nodes_of(tree.body, gast.Attribute)
             if node.attr == attribute and _is_item(node.value, listed)]
    new: dict[int, Any] = {}
    for node in nodes:
        part: Any = subscript(column, listed.index(node.value, places))
        part.ctx = node.ctx
        new[id(node)] = gast.copy_location(part, node)
    stored = {id(new[id(node)]): node.value for node in nodes if not isinstance(node.ctx, gast.Load)}
    added = [stmt for _, stmt in _assigned(tree) if isinstance(stmt, gast.AugAssign) and id(stmt.target) in new]
    first = next(i for i, stmt in enumerate(tree.body) if any(_is_item(node, listed) or dotted(node) == listed.path
                                                              for node in walk(stmt)))
    tree.body = exchanged(tree.body, new)
    numbers = ", number=True" * bool(added)

    def kept(block: list[gast.stmt]) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for stmt in block:
            change_blocks(stmt, kept)
            if isinstance(stmt, gast.AugAssign) and id(stmt.target) in stored:       # of a number, as is asked
                sum_of = gast.BinOp(_read(stmt.target), stmt.op, stmt.value)
                stmt = put_at(gast.Assign([stmt.target], sum_of, None), stmt)
            made.append(stmt)
            for target in getattr(stmt, "targets", ()):
                if id(target) in stored:
                    value = library(f"rt.later(x, name, value, path{numbers})", x=clone(stored[id(target)]),
                                    value=_read(target), **shown)
                    made.append(put_at(assign(gast.Attribute(clone(stored[id(target)]), attribute, gast.Store()),
                                               value), stmt))
        return made

    tree.body = kept(tree.body)
    asked = library(f"rt.check_each(xs, name, path{numbers})", xs=dotted_load(listed.path), **shown)
    held = gast.Attribute(load(item), attribute, gast.Load())
    held.taken = True
    put = gast.Expr(gast.Call(gast.Attribute(load(column), "append", gast.Load()), [held], []))
    begin = [gast.Expr(asked), assign(column, gast.List([], gast.Load())),
             gast.For(store(item), dotted_load(listed.path), [put], [], None)]
    tree.body[first:first] = [put_at(one, tree.body[first]) for one in begin]


def _read(target: Any) -> Any:
    node: Any = clone(target)
    node.ctx = gast.Load()
    return node


def _count(tree: gast.FunctionDef, places: dict[str, str]) -> None:
    """Let each place that binds a name to an item bind its index too, where that is read."""
    read = {node.id for node in nodes_of(tree.body, gast.Name) if isinstance(node.ctx, gast.Load)}
    places = {name: place for name, place in places.items() if place in read}
    if not places:
        return

    def indexed(stmt: Any) -> list[gast.stmt] | None:
        name = getattr(stmt.targets[0], "id", "") if isinstance(stmt, gast.Assign) else ""
        return [put_at(assign(places[name], clone(stmt.value.slice)), stmt), stmt] if name in places else None

    tree.body = rebuild(tree.body, indexed)
    for loop in nodes_of(tree.body, gast.For, gast.comprehension):
        for name in sorted(names_in(loop.target) & places.keys()):
            if isinstance(loop, gast.comprehension) or places[name] in names_in(gast.Module(loop.body, [])):
                _say_place(loop, places[name])


def _say_place(loop: Any, place: str) -> None:
    """Let a loop, or a comprehension, bind the place of an item too: by an index, where that is all it goes over."""
    index, path = gast.copy_location(store(place), loop.target), loop.iter
    if isinstance(loop, gast.For) and dotted(path) is not None:
        taken = gast.Assign([loop.target], subscript(clone(path), load(place)), None)
        loop.target, loop.iter = index, gast.copy_location(call("%range", call("%len", path)), path)
        loop.body.insert(0, put_at(taken, loop))
        return
    loop.target = gast.copy_location(tuple_of([index, loop.target], write=True), loop.target)
    loop.iter = gast.copy_location(call("%enumerate", path), path)
