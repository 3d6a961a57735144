"""`with` of managers that are known, in other words: those that a function makes, and those that a generator is.

Needs a `with` of an object that is made here, or of a call of a function behind `contextlib.contextmanager` that is
given something of what is differentiated, or such an object, or that assigns what others read. Promises what its
methods do, or the body of the generator with that of the `with` where it yields: what is raised there the generator
sees, as it does in Python.

    with scaled(x) as y:              y = 2.0 * x
        z = y * y              →      try:
                                          z = y * y
                                      finally:
                                          …
"""
from __future__ import annotations

import contextlib
import inspect
import types
from typing import Any

import gast

from ..analyse.leaving import always_leaves, escapes_block
from ..normalise.exits import one_turn
from ..syntax.blocks import blocks, rebuild, statements
from ..syntax.building import assign, clone, constant, load, mark, store
from ..syntax.nodes import body_without_docstring, is_atom, names_in
from . import arguments, functions, inlining, objects, yielding
from .objects import escaped
from .state import State
from .values import ObjectValue, member_of
from .yielding import Started, is_turn

HELPER = contextlib.contextmanager(lambda: iter(())).__code__


def statement(desugar: State, stmt: gast.With) -> bool:
    """Emit a `with` of one manager in other words; False where it stays one. Its manager is evaluated then."""
    if len(stmt.items) > 1 and any(_is_known(desugar, item.context_expr) for item in stmt.items):
        inner: gast.stmt = gast.With(stmt.items[1:], stmt.body, None)
        inner.origin = stmt.origin = desugar.origin
        stmt.items, stmt.body = stmt.items[:1], [gast.copy_location(inner, stmt)]
    if len(stmt.items) > 1:
        return False
    node = stmt.items[0].context_expr
    begun = _begun(desugar, node)
    if begun is not None:
        _generated(desugar, stmt, begun, *_with_exits(desugar, stmt, begun))
        return True
    if not _is_known(desugar, node):
        return False
    node = stmt.items[0].context_expr = desugar.expr(node)
    value = objects.value_of(desugar, node)
    if value is None or value.path is not None:
        return False
    _by_methods(desugar, stmt, load(value.prefix), value)
    return True


def _is_known(desugar: State, node: Any) -> bool:
    """A manager is made here, by its class or a generator."""
    return objects.value_at(desugar, node) is not None or objects.made_by(desugar, node) is not None \
        or _begun(desugar, node) is not None


def _stmt(desugar: State, stmt: Any, like: Any) -> None:
    """Write a statement in the place of another one."""
    stmt.origin = desugar.origin
    desugar.statement(desugar.placed(gast.copy_location(stmt, like)))


# ---------------------------------------------------------------------- objects
def _by_methods(desugar: State, stmt: gast.With, base: Any, value: ObjectValue) -> None:
    """`with obj as name:` as what `__enter__` and `__exit__` of its class do."""
    found = [member_of(value.kind, name) for name in ("__enter__", "__exit__")]
    if any(one is None or one[0] != "method" or not desugar.inlines(one[1]) for one in found):
        raise escaped(desugar, stmt, value)
    leaving: Any = found[1]
    quiet = _asks_nothing(desugar, leaving[1])
    if not quiet and escapes_block(stmt.body):
        raise escaped(desugar, stmt, value)
    target, entered = stmt.items[0].optional_vars, _call(base, "__enter__", [])
    _stmt(desugar, gast.Expr(entered) if target is None else gast.Assign([target], entered, None), stmt)
    plain = gast.Expr(_call(base, "__exit__", [constant(None)] * 3))
    if quiet and _does_nothing(desugar, leaving[1]):
        for one in stmt.body:
            desugar.statement(one)
        return
    if quiet:
        done: Any = gast.Try(stmt.body, [], [], [plain])
    else:
        error = desugar.temporary("error")
        asked = _call(base, "__exit__", [gast.Attribute(load(error), "__class__", gast.Load()), load(error),
                                         gast.Attribute(load(error), "__traceback__", gast.Load())])
        again = gast.If(gast.UnaryOp(gast.Not(), asked), [gast.Raise(None, None)], [])
        handler = gast.ExceptHandler(desugar.cell(BaseException, "BaseException"), store(error), [again])
        done = gast.Try(stmt.body, [handler], [plain], [])
    for one in (part for block in blocks(done) for part in block):
        one.origin = getattr(one, "origin", desugar.origin)
    _stmt(desugar, done, stmt)


def _call(base: Any, name: str, args: list[Any]) -> gast.Call:
    return gast.Call(gast.Attribute(clone(base), name, gast.Load()), list(map(clone, args)), [])


def _asks_nothing(desugar: State, fn: Any) -> bool:
    """An `__exit__` does the same whatever was raised, and lets it through."""
    tree = desugar.texts.unit(fn).captured.tree
    args = tree.args
    given = {one.id for one in [*args.posonlyargs, *args.args, args.vararg] if one is not None} \
        - {one.id for one in [*args.posonlyargs, *args.args][:1]}
    body = body_without_docstring(tree)
    return given.isdisjoint(names_in(body)) and all(
        one.value is None or isinstance(one.value, gast.Constant) and not one.value.value
        for one in statements(body) if isinstance(one, gast.Return))


def _does_nothing(desugar: State, fn: Any) -> bool:
    return all(isinstance(one, (gast.Pass, gast.Return))
               for one in body_without_docstring(desugar.texts.unit(fn).captured.tree))


# ---------------------------------------------------------------------- generators
def _begun(desugar: State, node: Any) -> Started | None:
    """The generator behind a manager, which yields once, whatever happens."""
    func = node.func if isinstance(node, gast.Call) else None
    if not isinstance(func, (gast.Name, gast.Attribute)) or arguments.starred(node):
        return None
    fn: Any = desugar.object(func)
    first: tuple[Any, ...] = ()
    owner = None
    if isinstance(func, gast.Attribute) and not isinstance(fn, types.FunctionType):
        owner = objects.value_at(desugar, func.value)
        found = None if owner is None or func.attr in owner.attributes else member_of(owner.kind, func.attr)
        if found is None or found[0] != "method":
            return None
        fn, first = found[1], (func.value,)
    if not isinstance(fn, types.FunctionType) or fn.__code__ is not HELPER:
        return None
    inner: Any = inspect.unwrap(fn, stop=lambda one: one.__code__ is not HELPER)
    unit = yielding.text(desugar, inner)
    given = [*first, *node.args, *(k.value for k in node.keywords)]
    if unit is None or not _yields_once(unit.captured.tree.body) or not desugar.texts.shares(inner) and not any(
            desugar.carries(one) or objects.value_at(desugar, one) is not None or functions.is_value(desugar, one)
            for one in given):
        return None
    return Started(inner, unit, first, (), owner, func.attr if owner is not None else "")


def _yields_once(body: list[gast.stmt]) -> bool:
    """One `yield`, which every path reaches."""
    if sum(map(is_turn, statements(body))) != 1 or any(isinstance(one, gast.Return) for one in statements(body)):
        return False
    for stmt in body:
        if any(map(is_turn, statements([stmt]))):
            return is_turn(stmt) or isinstance(stmt, (gast.Try, gast.With)) and _yields_once(stmt.body) \
                and (not getattr(stmt, "handlers", True) or _at_once(stmt.body[0]))
    return False


def _at_once(stmt: gast.stmt) -> bool:
    """Nothing is raised in a `try` before it yields."""
    return is_turn(stmt) and is_atom(yielding.yielded(stmt))


def _goes_on(body: list[gast.stmt]) -> bool:
    """A generator does more after it has yielded than to finish, or asks what was raised."""
    for i, stmt in enumerate(body):
        if any(map(is_turn, statements([stmt]))):
            return i + 1 < len(body) or isinstance(stmt, gast.Try) \
                and (bool(stmt.orelse or stmt.handlers) or _goes_on(stmt.body)) \
                or isinstance(stmt, gast.With) and _goes_on(stmt.body)
    return False


def _with_exits(desugar: State, stmt: gast.With, begun: Started) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The body of the `with`, and what comes after it."""
    kinds = escapes_block(stmt.body)
    if not kinds or not _goes_on(begun.unit.captured.tree.body):
        return stmt.body, []
    if kinds != {"return"}:
        why = f"this with leaves a loop, and {begun.fn.__name__} goes on after its yield"
        raise desugar.refused(stmt.items[0].context_expr, why, "an if in place of break and continue")
    turn = one_turn(stmt.body, desugar.names, desugar.scope)
    desugar.local.update({*turn.leave, turn.result} - {""})
    ends: Any = gast.Return(load(turn.result))
    swallows = any(isinstance(one, gast.Try) and one.handlers for one in statements(begun.unit.captured.tree.body))
    if not always_leaves(stmt.body) or swallows:
        for flag in turn.leave:
            _stmt(desugar, assign(flag, constant(False), flag=flag), stmt)
        ends = gast.If(load(turn.returned), [mark(ends, origin=desugar.origin)], [])
    return turn.body, [ends]


def _generated(desugar: State, stmt: gast.With, begun: Started, body: list[gast.stmt], after: list[gast.stmt]) -> None:
    """The body of the generator, with that of the `with` where it yields."""
    item = stmt.items[0]
    node: Any = item.context_expr
    first = list(map(desugar.expr, begun.first))
    args, named = arguments.one_by_one(desugar, node)
    if begun.owner is None:
        desugar.assume(node.func, desugar.object(node.func))
    around, origin = (desugar.stack, desugar.selves), desugar.origin

    def change(one: gast.stmt) -> list[gast.stmt] | None:
        if not is_turn(one):
            return None
        given = yielding.yielded(one)
        before = [] if item.optional_vars is None and is_atom(given) else \
            [gast.Expr(given) if item.optional_vars is None else gast.Assign([item.optional_vars], given, None)]
        for part in before:
            gast.copy_location(part, one).origin = getattr(one, "origin", origin)
        made = gast.If(constant(True), [*before, *body], [])
        return [mark(gast.copy_location(made, one), turn=around, given=len(before), origin=origin)]

    bound: list[gast.stmt] = [] if item.optional_vars is None \
        else [gast.Assign([item.optional_vars], constant(None), None)]
    with inlining.standing(desugar, begun.fn, begun.unit, [*first, *args], named, lambda shell: shell.body,
                           meanwhile=[*bound, *body]) as (exits, called), desugar.before():
        for one in rebuild(exits, change):
            desugar.statement(one)
        inlining.bind_stored(desugar, called, constant(None))
    for one in after:
        _stmt(desugar, one, stmt)
