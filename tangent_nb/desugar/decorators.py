"""Nested functions without their decorators.

Needs a text as it was written. Promises that no definition in it has a decorator that can be written as a call; those
that copy names and docstrings, or keep results of what always gives the same, change no value.

    @doubled                          def g_1(t):
    def g(t):              →              return t * w
        return t * w                  g = doubled(g_1)

    @functools.cache       →          def g(k):
    def g(k):                             …
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import gast

from ..analyse.caches import may_run_again, tells_apart
from ..analyse.resolve import Scope
from ..errors import RefusedError
from ..syntax.building import assign, clone, load
from ..syntax.names import Names
from ..syntax.nodes import is_literal, names_in, nodes_in, nodes_of
from ..syntax.program import Captured, Namespace
from .scopes import bound, changed_name, free, located, own, shares
from .values import object_of

KEEPING = (functools.cache, functools.lru_cache)


def undecorated(tree: gast.FunctionDef, captured: Captured, text: Callable[[Any], Captured]) -> gast.FunctionDef:
    """The text of a function; the same one where no nested function has a decorator. text: of functions outside."""
    if not any(node.decorator_list for node in nodes_of(tree.body, gast.FunctionDef)):
        return tree
    new: gast.FunctionDef = clone(tree)
    names = {node.name for node in nodes_in(new) if isinstance(node, (gast.FunctionDef, gast.ClassDef))}
    writer = _Undecorated(new, text, captured.namespace, Names(names_in(new) | names | set(captured.namespace.cells)))
    writer.generic_visit(new)
    return new


class _Undecorated(gast.NodeTransformer):
    def __init__(self, tree: gast.FunctionDef, text: Callable[[Any], Captured], namespace: Namespace,
                 names: Names) -> None:
        self.tree, self.text, self.namespace, self.local, self.names = tree, text, namespace, bound(tree), names
        self.defined = {node.name: node for stmt in tree.body
                        for node in nodes_in(stmt) if isinstance(node, gast.FunctionDef)}

    def visit_ClassDef(self, node: gast.ClassDef) -> gast.ClassDef:
        return node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        self.generic_visit(node)
        if any(isinstance(part, (gast.Yield, gast.YieldFrom, gast.Await)) for part in nodes_in(node)):
            return node
        decorators = [one for one in node.decorator_list if not self._changes_nothing(one, node)]
        if any(self._function(one) is not functools.wraps for one in node.decorator_list if one not in decorators):
            node.caches = True
        if decorators \
                and not all(is_literal(d) for d in [*node.args.defaults, *node.args.kw_defaults] if d is not None):
            return node                                    # they are evaluated after the decorators
        node.decorator_list = []
        if not decorators:
            return node
        name = node.name
        node.name = self.names.new(name)
        value: gast.expr = load(node.name)
        for decorator in reversed(decorators):
            value = gast.Call(decorator, [value], [])
        after = located(assign(name, value), decorators[0])
        after.origin = getattr(node, "origin", None)
        return [node, after]

    def _function(self, decorator: Any) -> Any:
        return object_of(decorator.func if isinstance(decorator, gast.Call) else decorator, self.namespace, self.local)

    def _changes_nothing(self, decorator: Any, node: gast.FunctionDef) -> bool:
        """The decorator keeps results of what always gives the same, or names and docstrings."""
        fn = self._function(decorator)
        if fn is functools.wraps:
            return isinstance(decorator, gast.Call)
        return any(fn is one for one in KEEPING) and self._is_steady(node) \
            and not tells_apart(self.tree, Scope(self.namespace, self.local))

    def _text(self, fn: Any) -> Captured | None:
        try:
            return self.text(fn)
        except RefusedError:
            return None

    def _is_steady(self, node: gast.FunctionDef) -> bool:
        """A function only computes, from variables that are bound once, and not in a loop."""
        read, todo = set[str](), [node]
        while todo:
            one = todo.pop()
            if shares(one) or any(isinstance(part, (gast.Expr, gast.Global)) for part in own(one.body)) \
                    or not may_run_again(one.body, Scope(self.namespace, self.local | bound(one)), self._text,
                                         list(self.defined)):
                return False
            new = free(one) - read
            read |= new
            todo += [self.defined[name] for name in sorted(new) if name in self.defined]
        inside = [part for loop in nodes_in(self.tree) if isinstance(loop, (gast.For, gast.While))
                  for part in nodes_in(loop)]
        again = [name for part in inside for name in _binds(part)]
        places = [name for part in nodes_in(self.tree) for name in _binds(part)]
        return not any(name in again or places.count(name) > 1 for name in read)


def _binds(node: Any) -> list[str]:
    """The name that a node binds, or whose object it changes."""
    if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
        return [node.name]
    if isinstance(node, gast.Name):
        return [] if isinstance(node.ctx, gast.Load) else [node.id]
    name = changed_name(node)
    return [] if name is None else [name] * 2
