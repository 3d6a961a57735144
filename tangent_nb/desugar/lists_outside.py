"""Lists from outside that are changed, and read again: the text has a list of its own, which changes with them.

Needs a text in the core language. Promises a variable for each list that methods change by one path, and that is read
again, or changed otherwise than by appending, and for each list of a module whose items are assigned; after each change
the list outside changes too.

    self.log.append(x)               rt.check_taken_items(self.log, 'self.log')
    return self.log[-1] * x     →    self_log = list(self.log)
                                     self_log.append(x)
                                     rt.append_later(self.log, x, 'self.log')
                                     return self_log[-1] * x
"""
from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import gast

from ..analyse.activity import Varied
from ..analyse.effects import is_pure
from ..analyse.resolve import Scope
from ..rules import may_change
from ..syntax.blocks import blocks, own_expressions, statements
from ..syntax.building import assign, call, clone, constant, exchanged, library, load, store, subscript
from ..syntax.names import Names
from ..syntax.nodes import children, is_atom, literal, nodes_of, parameter_names, walk, writes
from ..syntax.paths import is_below, path_of, root_of
from .scopes import COMPREHENSIONS, put_at


class UnknownError(Exception):
    """Something is done to the list that is not known here."""


def own(tree: gast.FunctionDef, scope: Scope, names: Names, others: Collection[str], varied: Varied) -> None:
    """Let the text have lists of its own. others: the names of containers that it makes, and of what has a
    derivative."""
    for path in changed(tree, scope):
        if root_of(path) not in writes(tree.body) and root_of(path) not in others \
                and _is_apart(tree, path, scope, varied):
            try:
                tree.body = _Own(path, names, scope).text(tree.body)
            except UnknownError:
                continue


def changed(tree: gast.FunctionDef, scope: Scope) -> list[str]:
    """The paths of what may be lists, and changes."""
    return sorted({path for stmt in statements(tree.body) for path, _ in changes(stmt)} | set(_stored(tree, scope)))


def changes(stmt: Any) -> Iterator[tuple[str, Any]]:
    """What may change a list in a statement, its blocks left out, with the path of the list."""
    for node in walk([stmt] if next(iter(blocks(stmt)), None) is None else own_expressions(stmt)):
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and hasattr(list, node.func.attr) \
                and may_change(node.func.attr) and (path := path_of(node.func.value)) is not None:
            yield path, node
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.op, gast.Add) and isinstance(stmt.value, gast.List) \
            and (path := path_of(stmt.target)) is not None:
        yield path, stmt


def _stored(tree: gast.FunctionDef, scope: Scope) -> Iterator[str]:
    """The paths of lists whose items are assigned, or deleted."""
    for stmt in statements(tree.body):
        for target in getattr(stmt, "targets", [getattr(stmt, "target", None)]):
            if isinstance(target, gast.Subscript) and not isinstance(target.ctx, gast.Load) \
                    and isinstance(scope.value(target.value), list) and (path := path_of(target.value)) is not None:
                yield path


def _is_apart(tree: gast.FunctionDef, path: str, scope: Scope, varied: Varied) -> bool:
    """Whatever is done to the list is done by this path, and it is not only appended to."""
    nodes = [node for node in walk(tree.body) if path_of(node) == path]
    every = [(one, node) for stmt in statements(tree.body) for one, node in changes(stmt)]
    changed = [node for one, node in every if one == path]
    if not nodes or any(is_below(one, path) for one, _ in every):      # a list in it changes, or it is another's item
        return False
    if isinstance(nodes[0], gast.Name) and not isinstance(scope.value(nodes[0]), list) and not (
            path in parameter_names(tree) and any(varied.of(part) for one in changed for part in _given(one))):
        return False
    if len(nodes) == len(changed) and all(getattr(getattr(one, "func", None), "attr", "") == "append"
                                          for one in changed):
        return False
    inner = {id(node) for one in nodes_of(tree.body, gast.FunctionDef, gast.Lambda) for node in walk(one)}
    known = {id(target) for one in [*changed, *walk(tree.body)] for target in _places(one, path)}
    stored = [path_of(node) for node in nodes_of(tree.body, gast.Attribute, gast.Subscript)
              if not isinstance(node.ctx, gast.Load) and id(node) not in known]
    return not any(id(node) in inner for node in nodes) \
        and all(_is_read(node, scope) for node in walk(tree.body) if any(path_of(one) == path for one in children(node))
                ) and not any(one is not None and (one == path or is_below(one, path) or is_below(path, one))
                              for one in stored)


def _given(change: Any) -> list[gast.expr]:
    """What a list is given."""
    return change.args if isinstance(change, gast.Call) else [change.value]


def _places(node: Any, path: str) -> list[Any]:
    """What is assigned, or deleted, of a list."""
    if isinstance(node, gast.AugAssign):
        one = node.target
        return [one] if path_of(one) == path or isinstance(one, gast.Subscript) and path_of(one.value) == path else []
    targets = node.targets if isinstance(node, gast.Assign | gast.Delete) and not node.targets[1:] else []
    return [one for one in targets if isinstance(one, gast.Subscript) and path_of(one.value) == path]


def _is_read(node: Any, scope: Scope) -> bool:
    """What stands around a list reads it, and gives it no other name."""
    if isinstance(node, gast.Call):
        return scope.builtin(node) != "" or scope.operation(node).rule is not None
    if isinstance(node, gast.Compare):
        return not any(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops)
    return not isinstance(node, (gast.Assign, gast.Tuple, gast.List, gast.Dict, gast.IfExp, gast.BoolOp, gast.keyword))


class _Own:
    """Writes a text with a list of its own for that of a path."""

    def __init__(self, path: str, names: Names, scope: Scope) -> None:
        self.path, self.names, self.scope = path, names, scope
        self.name = names.new(re.sub(r"\W+", "_", path).strip("_"))
        self.of: Any = None
        self.popped: dict[int, gast.expr] = {}
        self.out: list[gast.stmt] = []

    def text(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The body, which begins with a list of its own."""
        first = next(i for i, stmt in enumerate(body) if any(path_of(node) == self.path for node in walk(stmt)))
        node: Any = next(node for node in walk(body) if path_of(node) == self.path)
        self.of = clone(node)
        self.of.ctx = gast.Load()
        taken = gast.Expr(library("rt.check_taken_items(x, path)", x=clone(self.of), path=constant(self.path)))
        begun = [taken, assign(self.name, call("%list", clone(self.of)))]
        return [*body[:first], *(put_at(one, body[first]) for one in begun), *self._block(body[first:])]

    def _block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        before, self.out = self.out, []
        for stmt in body:
            start = len(self.out)
            self._statement(stmt)
            self.out[start:] = [put_at(one, stmt) if not hasattr(one, "origin") else one for one in self.out[start:]]
        done, self.out = self.out, before
        return done

    def _statement(self, stmt: Any) -> None:
        changed = [node for path, node in changes(stmt) if path == self.path]
        if any(True for _ in blocks(stmt)):
            if changed and not isinstance(stmt, gast.If):
                raise UnknownError
            new = stmt.__class__.__new__(stmt.__class__)
            new.__dict__.update(stmt.__dict__)
            self._hoist(changed, own_expressions(stmt))
            for field, value in stmt.__dict__.items():
                if isinstance(value, list) and value and isinstance(value[0], (gast.stmt, gast.ExceptHandler)):
                    setattr(new, field, [self._handler(one) for one in value]
                            if isinstance(value[0], gast.ExceptHandler) else self._block(value))
                elif isinstance(value, gast.AST | list):
                    setattr(new, field, self._read(value))
            self.out.append(new)
            return
        places = [one for one in _places(stmt, self.path) if path_of(one) != self.path]
        whole = stmt if isinstance(stmt, gast.AugAssign) and stmt in changed else \
            stmt.value if isinstance(stmt, gast.Expr) and stmt.value in changed else None
        parts = [stmt] if whole is None else [whole.value] if isinstance(whole, gast.AugAssign) else whole.args
        self._hoist([one for one in changed if one is not whole], parts)
        if places:
            self._item_of(stmt, places[0])
        elif whole is None:
            self.out.append(self._read(stmt))
        elif isinstance(whole, gast.AugAssign):
            self._extend(self._read(whole.value))
        else:
            self._method(whole)

    def _method(self, change: gast.Call) -> None:
        """A method that is called for its effect."""
        write: Callable[..., None] | None = getattr(self, f"_{change.func.attr}", None)
        args = [self._read(one) for one in change.args]
        options = {one.arg: self._read(one.value) for one in change.keywords}
        if write is None or None in options or any(isinstance(one, gast.Starred) for one in args):
            raise UnknownError
        try:
            inspect.signature(write).bind(*args, **options)
        except TypeError:                                  # of something else, as dict.pop with a default
            raise UnknownError from None
        write(*args, **options)

    def _handler(self, handler: Any) -> Any:
        new = handler.__class__.__new__(handler.__class__)
        new.__dict__.update(handler.__dict__)
        new.body = self._block(handler.body)
        return new

    def _read(self, node: Any) -> Any:
        """The same, which reads the list of the text."""
        return exchanged(node, {id(one): gast.copy_location(load(self.name), one) for one in walk(node)
                                if path_of(one) == self.path} | self.popped)

    # ------------------------------------------------------------------ what is popped in an expression
    def _hoist(self, pops: list[Any], parts: list[Any]) -> None:
        """Pop in front of a statement what expressions of it pop: nothing else that they do can tell."""
        self.popped = {}
        if not pops:
            return
        perhaps = [part for one in nodes_of(parts, gast.IfExp, gast.BoolOp, gast.Lambda, *COMPREHENSIONS)
                   for part in walk(one)]
        inside = {id(part) for one in pops for part in walk(one)}
        rest = exchanged(parts, {id(one): load(self.name) for one in pops})
        if any(getattr(getattr(one, "func", None), "attr", "") != "pop" or any(one is part for part in perhaps)
               or one.args[1:] or one.keywords for one in pops) \
                or not all(is_pure(one, self.scope) for one in rest) \
                or any(path_of(node) == self.path and id(node) not in inside for node in walk(parts)):
            raise UnknownError
        for one in [node for node in walk(parts) if any(node is one for one in pops)]:
            self.popped[id(one)] = load(self._pop(*one.args))

    # ------------------------------------------------------------------ methods
    def _pop(self, index: Any = None, /) -> str:
        item, place = self.names.new("item"), -1 if index is None else literal(index, None)
        if type(place) is not int:
            raise UnknownError
        if place == -1:
            self.out.append(assign(item, gast.Call(gast.Attribute(load(self.name), "pop", gast.Load()), [], [])))
        else:
            self.out.append(assign(item, subscript(self.name, constant(place))))
            self.out.append(assign(self.name, library("rt.without(x, i)", x=self.name, i=constant(place))))
        self._outside("rt.pop_later(x, i, path)", i=constant(place))
        return item

    def _append(self, value: Any, /) -> None:
        self._append_item(*self._item(value))

    def _item(self, value: Any) -> tuple[Any, str]:
        """A name or a literal for what is put into the list, and how it is."""
        if is_atom(value):
            return value, ""
        name = self.names.new("item")
        self.out.append(assign(name, value))
        return load(name), ", fresh=True" * isinstance(value, (gast.List, gast.Dict))

    def _extend(self, items: Any, /) -> None:
        if isinstance(items, (gast.List, gast.Tuple)):
            for value in [self._item(one) for one in items.elts]:
                self._append_item(*value)
            return
        if any(getattr(node, "id", "") == self.name for node in walk(items)):
            items = call("%list", items)
        before, self.out = self.out, []
        item = self.names.new("item")
        self._append_item(load(item), "")
        loop, self.out = gast.For(store(item), items, self.out, [], None), before
        self.out.append(loop)

    def _append_item(self, value: Any, fresh: str) -> None:
        self.out.append(gast.Expr(gast.Call(gast.Attribute(load(self.name), "append", gast.Load()), [value], [])))
        self._outside(f"rt.append_later(x, v, path{fresh})", v=clone(value))

    def _insert(self, index: Any, value: Any, /) -> None:
        place = literal(index, None)
        if type(place) is not int:
            raise UnknownError
        value, fresh = self._item(value)
        text = "rt.joined([v], x)" if place == 0 else "rt.joined(rt.joined(x[:i], [v]), x[i:])"
        self.out.append(assign(self.name, library(text, x=self.name, v=value, i=constant(place))))
        self._outside(f"rt.insert_later(x, i, v, path{fresh})", i=constant(place), v=clone(value))

    def _item_of(self, stmt: Any, place: gast.Subscript) -> None:
        """`L[i] = v` and `del L[i]`."""
        if isinstance(stmt, gast.Delete):
            self._pop(place.slice)
            return
        if isinstance(place.slice, (gast.Slice, gast.Tuple)):
            raise UnknownError
        value, number = self._read(stmt.value), ", number=True" * isinstance(stmt, gast.AugAssign)
        fresh = ""
        if not number:                                     # what is assigned comes before its place
            value, fresh = self._item(value)
        index = self._item(self._read(place.slice))[0]
        if number:
            value, fresh = self._item(gast.BinOp(subscript(self.name, clone(index)), stmt.op, value))
        self.out.append(gast.Assign([subscript(self.name, clone(index), write=True)], value, None))
        self._outside(f"rt.put_later(x, i, v, path{fresh}{number})", i=clone(index), v=clone(value))

    def _clear(self) -> None:
        self.out.append(assign(self.name, gast.List([], gast.Load())))
        self._outside("rt.clear_later(x, path)")

    def _sort(self, *, key: Any = None, reverse: Any = None) -> None:
        given = {name: one for name, one in (("key", key), ("reverse", reverse)) if one is not None}
        self._reordered(call("%sorted", load(self.name), **given))

    def _reverse(self) -> None:
        self._reordered(library("x[::-1]", x=self.name))

    def _reordered(self, items: gast.expr) -> None:
        self.out.append(assign(self.name, items))
        self._outside("rt.refill_later(x, v, path)", v=load(self.name))

    def _outside(self, text: str, **given: gast.expr) -> None:
        """The same with the list outside."""
        self.out.append(gast.Expr(library(text, x=clone(self.of), path=constant(self.path), **given)))
