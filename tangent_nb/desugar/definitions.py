"""The statements that bind names to functions that are known.

Needs the functions of a text. Promises that a definition stays where its name is still read as a value, and is gone
otherwise; where a name that nothing defines any more is read as a value, that is refused.

    def g(t): return t * w            →       return g(x, w=w)
    return g(x)
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from ..syntax.blocks import rebuild
from ..syntax.building import assign, mark
from ..syntax.nodes import nodes_in
from .functions import holds_copy, value_of
from .objects import escaped
from .scopes import is_read
from .state import State


def define(desugar: State, stmt: Any) -> bool:
    """The statement defines a function that is known; it stays as long as its name is read as a value."""
    name = stmt.name if isinstance(stmt, gast.FunctionDef) \
        else stmt.targets[0].id if isinstance(stmt.targets[0], gast.Name) else ""
    if len(getattr(stmt, "targets", [1])) != 1 or desugar.defined.get(name) is not stmt:
        return False
    for temporary, default in desugar.defaults.get(name, []):
        desugar.statement(desugar.placed(assign(temporary, default)))
    desugar.emit(mark(stmt, defines=name))
    return True


def bind(desugar: State, stmt: gast.Assign) -> bool:
    """A name that is only called or returned is bound to a function, evaluated."""
    name: Any = stmt.targets[0].id
    made = value_of(desugar, stmt.value) if len(stmt.targets) == 1 else None
    if made is None:
        return False
    held = [one for one in made.bound if isinstance(one, gast.Name) and one.id in desugar.objects]
    if held and (desugar.nested() or holds_copy(desugar, made)):       # the object may be of an earlier trip of a loop
        raise escaped(desugar, stmt, desugar.objects[held[0].id])
    desugar.functions[name] = made
    desugar.local.discard(name)
    return True


def drop_unused(desugar: State, body: list[gast.stmt]) -> None:
    """Leave out the definitions whose names are read no more; refuse a function of ours that is read as a value."""
    nodes: Any = nodes_in(gast.Module(body, []))
    definitions: dict[str, Any] = {stmt.defines: stmt for stmt in nodes if getattr(stmt, "defines", "")}
    if definitions:
        _without_unread(body, definitions)
    for part in nodes_in(gast.Module(body, [])) if desugar.objects else ():
        name = part.value if isinstance(part, gast.Attribute) else part
        if is_read(name) and name.id in desugar.objects and not getattr(name, "plain", False):
            raise escaped(desugar, part, desugar.objects[name.id])


def _without_unread(body: list[gast.stmt], definitions: Mapping[str, Any]) -> None:
    """Leave out definitions that nothing reads but such definitions."""
    inside = {id(part) for stmt in definitions.values() for part in nodes_in(stmt)}
    read = {part.id for part in nodes_in(gast.Module(body, [])) if is_read(part) and id(part) not in inside}
    todo = [name for name in definitions if name in read]
    while todo:
        more = {part.id for part in nodes_in(definitions[todo.pop()]) if is_read(part)} - read
        read |= more
        todo += [name for name in definitions if name in more]
    body[:] = rebuild(body, lambda stmt: [] if getattr(stmt, "defines", "") and stmt.defines not in read else None)


def check_known(desugar: State, body: list[gast.stmt]) -> None:
    """Refuse a function of ours that is read as a value, and has no value."""
    read = {part.id for part in nodes_in(gast.Module(body, [])) if is_read(part)} if desugar.functions else set()
    for name, value in desugar.functions.items():
        if value.fn in desugar.texts.made and name in read and name not in desugar.local \
                and (value.bound or name not in desugar.cells):
            place = next((part for part in nodes_in(gast.Module(body, [])) if is_read(part) and part.id == name), None)
            raise desugar.refused(place,
                                  f"the function {name} is used as a value in a way that is not known beforehand",
                                  "call it here, or pass it to a function of your own")
