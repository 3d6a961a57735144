"""Calls that start a generator: a function that yields, whose text is there.

Needs a call, or an object that is gone over. Promises the generator, with its text in a form that can stand in the
place of a loop over it (`turns.py`): each `yield` is a statement of its own, `return` gives nothing, and
`yield from xs` is a loop.

    def steps(x, n):                          def steps(x, n):
        yield from f(x)                           for item in f(x):
        return n                     →                yield item
                                                  return
"""
from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from ..analyse.leaving import escapes_block
from ..capture import generator_text
from ..errors import RefusedError
from ..syntax.blocks import blocks, rebuild, statements
from ..syntax.building import constant, load, store
from ..syntax.names import Names
from ..syntax.nodes import body_without_docstring, is_atom, names_in, nodes_in
from . import objects
from .scopes import own
from .state import State
from .texts import Texts, Unit
from .values import member_of

MOST = 4000            # nodes of a loop's body, all copies together
YIELDS = (gast.Yield, gast.YieldFrom)


@dataclass(frozen=True)
class Started:
    """A generator that a call starts: first, keywords: what it is given besides the arguments of the call; owner,
    method: the object, and the name by which it has it; around: it is nested in the function that is written."""

    fn: types.FunctionType
    unit: Unit
    first: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()
    owner: Any = None
    method: str = ""
    around: bool = False


def is_generator(fn: Any) -> bool:
    """A function whose calls are iterators.

    >>> is_generator(lambda: (yield)), is_generator(len)
    (True, False)
    """
    return isinstance(fn, types.FunctionType) and bool(fn.__code__.co_flags & inspect.CO_GENERATOR)


def started(desugar: State, node: Any) -> Started | None:
    """The generator that an expression is known to start."""
    if isinstance(node, (gast.Name, gast.Attribute)):
        found = _of_object(desugar, node, "__iter__")
        return None if found is None or attributes_shown(found.fn) is not None else found
    func = node.func if isinstance(node, gast.Call) else None
    if not isinstance(func, (gast.Name, gast.Attribute)):
        return None
    known = desugar.functions.get(func.id) if isinstance(func, gast.Name) else None
    fn = desugar.object(func) if known is None else known.fn
    if isinstance(func, gast.Attribute) and not isinstance(fn, types.FunctionType):
        return _of_object(desugar, func.value, func.attr)
    unit = text(desugar, fn)
    if unit is None or known is None:
        return None if unit is None else Started(fn, unit)
    return Started(fn, unit, known.first, known.keywords, around=known.in_place)


def attributes_shown(fn: Any) -> list[str] | None:
    """The attributes of its object that a generator yields one after the other, where it does nothing else."""
    try:
        tree = generator_text(fn).tree
    except RefusedError:
        return None
    parameters, body = [*tree.args.posonlyargs, *tree.args.args], body_without_docstring(tree)
    yielded: list[Any] = [stmt.value.value for stmt in body
                          if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Yield)]
    me = parameters[0].id if len(parameters) == 1 and len(yielded) == len(body) else ""
    return [one.attr for one in yielded] if yielded and all(
        isinstance(one, gast.Attribute) and getattr(one.value, "id", None) == me for one in yielded) else None


def _of_object(desugar: State, base: Any, name: str) -> Started | None:
    """A generator that is a method of an object which is known."""
    value = objects.value_at(desugar, base) or objects.outside(desugar, base)
    if value is None or name in value.attributes or name in getattr(desugar.object(base), "__dict__", {}):
        return None
    found = member_of(value.kind, name)
    unit = None if found is None or found[0] == "property" else text(desugar, found[1])
    if found is None or unit is None:
        return None
    first = {"method": (base,), "class": (desugar.cell(value.kind, value.kind.__name__),)}.get(found[0], ())
    return Started(found[1], unit, first, (), base, name)


def text(desugar: State, fn: Any) -> Unit | None:
    """The text of a generator that can stand in the place of a loop over it."""
    made = fn in desugar.texts.made if isinstance(fn, types.FunctionType) else False
    if not made and not is_generator(fn) or desugar.stack.count(fn):
        return None
    unit = generated(desugar.texts, fn)
    return unit if unit is not None and desugar.can_stand(fn, unit.captured.tree) else None


def generated(texts: Texts, fn: Any) -> Unit | None:
    """The text of a generator in the form in which it can stand there."""
    if fn not in texts.generators:
        texts.generators[fn] = _text(texts, fn)
    return texts.generators[fn]


def _text(texts: Texts, fn: Any) -> Unit | None:
    try:
        unit = texts.made[fn] if fn in texts.made else texts.unit_of(generator_text(fn))
    except RefusedError:
        return None
    tree = unit.captured.tree
    if not any(isinstance(one, YIELDS) for one in own(tree.body)):
        return None
    stood = [stmt.value for stmt in statements(tree.body) if isinstance(stmt, gast.Expr)]
    if not all(any(one is other for other in stood) for one in own(tree.body) if isinstance(one, YIELDS)):
        return None
    if any(escapes_block(stmt.finalbody) or _yields(stmt.finalbody) for stmt in statements(tree.body)
           if isinstance(stmt, gast.Try)):
        return None
    names = Names(names_in(tree))
    made = gast.FunctionDef(tree.name, tree.args, rebuild(list(tree.body), lambda stmt: _plain(stmt, names)), [], None,
                            None, [])
    made.__dict__.update({key: value for key, value in tree.__dict__.items() if key not in made._fields})
    return replace(unit, captured=replace(unit.captured, tree=made))


def _plain(stmt: Any, names: Names) -> list[gast.stmt] | None:
    made: list[gast.stmt]
    if isinstance(stmt, gast.Return) and stmt.value is not None:
        made = [*([] if is_atom(stmt.value) else [gast.Expr(stmt.value)]), gast.Return(None)]
    elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.YieldFrom):
        item = names.new("item")
        made = [gast.For(store(item), stmt.value.value, [gast.Expr(gast.Yield(load(item)))], [], None)]
    else:
        return None
    return [_placed(one, stmt) for one in made]


def _placed(made: Any, like: Any) -> Any:
    for node in nodes_in(made):
        if isinstance(node, (gast.stmt, gast.expr)) and not hasattr(node, "lineno"):
            gast.copy_location(node, like)
    for stmt in [made, *(one for block in blocks(made) for one in block)]:
        stmt.origin = like.origin
    return made


# ---------------------------------------------------------------------- where a text yields
def _yields(body: list[gast.stmt]) -> bool:
    return any(is_turn(stmt) for stmt in statements(body))


def is_turn(stmt: Any) -> bool:
    """`yield v`, in a form as `started` gives it."""
    return isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Yield)


def turns(body: list[gast.stmt]) -> Iterator[Any]:
    """The places where a text yields."""
    return (stmt for stmt in statements(body) if is_turn(stmt))


def watched(body: list[gast.stmt]) -> bool:
    """A text yields where it would see an error that is none of its own: in a `try` with handlers, or a `with`."""
    return any(_yields([stmt]) for stmt in statements(body)
               if isinstance(stmt, gast.With) or isinstance(stmt, gast.Try) and stmt.handlers)


def finishes(body: list[gast.stmt]) -> bool:
    """A text does something when it is left at a `yield`."""
    return any(_yields([stmt]) for stmt in statements(body) if isinstance(stmt, gast.Try) and stmt.finalbody)


def yielded(stmt: Any) -> gast.expr:
    """What a place yields."""
    return stmt.value.value or constant(None)

