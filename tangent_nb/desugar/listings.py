"""Generators: functions that yield, as functions that give a list of all that they yield.

Needs a generator whose text is there. Promises a function for the list, where the text says what is yielded, in
statements of its own, and that it ends.

    def steps(x, n):                          def steps(x, n):
        for i in range(n):                        items = []
            x = np.sin(x)             →           for i in range(n):
            yield x                                   x = np.sin(x)
                                                      items.append(x)
                                                  return items
"""
from __future__ import annotations

import inspect
import types
from dataclasses import replace
from typing import Any

import gast

from ..capture import generator_text
from ..errors import RefusedError
from ..syntax.blocks import blocks, rebuild, statements
from ..syntax.building import constant, load, store
from ..syntax.names import Names
from ..syntax.nodes import is_atom, names_in, nodes_in, walk
from .scopes import own as own_nodes
from .texts import Texts


def is_generator(fn: Any) -> bool:
    """A function whose calls are iterators.

    >>> is_generator(lambda: (yield)), is_generator(len)
    (True, False)
    """
    return isinstance(fn, types.FunctionType) and bool(fn.__code__.co_flags & inspect.CO_GENERATOR)


def listing(texts: Texts, fn: Any) -> types.FunctionType | None:
    """The function that gives as a list what a generator yields; None where its text does not say what that is, or that
    it ends."""
    if fn not in texts.listings:
        try:
            captured = generator_text(fn)
        except RefusedError:
            captured = None
        tree = None if captured is None else _as_list(captured.tree)
        made = None
        if captured is not None and tree is not None:
            made = texts.make(replace(captured, tree=tree), {})
            texts.made[made] = texts.unit_of(texts.made[made].captured)
        texts.listings[fn] = made
    return texts.listings[fn]


def _as_list(tree: gast.FunctionDef) -> gast.FunctionDef | None:
    """The text with a list of what it yields, which it returns."""
    yielded = [one for one in own_nodes(tree.body) if isinstance(one, (gast.Yield, gast.YieldFrom))]
    stood = [stmt.value for stmt in statements(tree.body) if isinstance(stmt, gast.Expr)]
    if any(map(_is_endless, statements(tree.body))) or not all(any(one is other for other in stood) for one in yielded):
        return None
    names = Names(names_in(tree))
    items, item = names.new("items"), names.new("item")

    def kept(value: gast.expr) -> gast.stmt:
        return gast.Expr(gast.Call(gast.Attribute(load(items), "append", gast.Load()), [value], []))

    def written(stmt: Any) -> list[gast.stmt] | None:
        if isinstance(stmt, gast.Return):
            effect = [] if stmt.value is None or is_atom(stmt.value) else [gast.Expr(stmt.value)]
            made = [*effect, gast.Return(load(items))]
        elif not isinstance(stmt, gast.Expr):
            return None
        elif isinstance(stmt.value, gast.Yield):
            made = [kept(stmt.value.value or constant(None))]
        elif isinstance(stmt.value, gast.YieldFrom):
            made = [gast.For(store(item), stmt.value.value, [kept(load(item))], [], None)]
        else:
            return None
        return [_placed(one, stmt) for one in made]

    body = rebuild(list(tree.body), written)
    first, last = tree.body[0], tree.body[-1]
    begin = _placed(gast.Assign([store(items)], gast.List([], gast.Load()), None), first)
    body = [begin, *body, _placed(gast.Return(load(items)), last)]
    new = gast.FunctionDef(tree.name, tree.args, body, [], None, None, [])
    new.__dict__.update({key: value for key, value in tree.__dict__.items() if key not in new._fields})
    return new


def _is_endless(stmt: gast.stmt) -> bool:
    """`while True:` with no way out."""
    return isinstance(stmt, gast.While) and isinstance(stmt.test, gast.Constant) and bool(stmt.test.value) \
        and not any(isinstance(part, (gast.Break, gast.Return, gast.Raise)) for part in walk(stmt.body))


def _placed(made: Any, like: Any) -> Any:
    for node in nodes_in(made):
        if isinstance(node, (gast.stmt, gast.expr)) and not hasattr(node, "lineno"):
            gast.copy_location(node, like)
    for stmt in [made, *(one for block in blocks(made) for one in block)]:
        stmt.origin = like.origin
    return made
