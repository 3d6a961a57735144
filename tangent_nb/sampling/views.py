"""Views that the backward sweep makes again, so that what is sampled is the array that they are views of.

    windows = sliding_window_view(x, (5, 5))                  x_sampled = rt.sample(x, …)
                                                    →         …
    …                                                         bw = rt.einsum_dy(by, …, sliding_window_view(
    bw = rt.einsum_dy(by, …, windows, w)                          rt.unsample(x_sampled), (5, 5)), w)

A view of a large array that repeats its numbers, as windows do, would have a sample larger than the array; and zeros
around an array take no memory when they are put there again.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from ..analyse.flow import bound_in, memory_changed
from ..analyse.one_memory import one_memory, with_others
from ..analyse.resolve import Scope
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.building import clone, exchanged, load, store
from ..syntax.nodes import name_nodes, names_in, reads
from .sweeps import Sweeps, defining
from .uses import passed_on

FIELDS = ("value", "test", "iter")


def rebuilt(sweeps: Sweeps) -> None:
    """Put views into the backward sweep in the places of their names."""
    forward = sweeps.forward
    changed = {name for stmt in statements(forward) if not is_compound(stmt) and not hasattr(stmt, "tape")
               for name in memory_changed(stmt)}
    changed = with_others(changed, one_memory(forward, sweeps.scope, views=True))
    again = bound_in(*sweeps.backward) - _taken(sweeps)
    views: dict[str, Any] = {}
    for stmt in forward:
        if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Name) \
                and getattr(stmt, "role", "") != "guard":
            name = stmt.targets[0].id
            base = _base(stmt.value, sweeps.scope)
            lasting = None if base is None else _lasting(sweeps, base, stmt)
            if base is not None and lasting is not None and not {base, lasting, name} & changed \
                    and len(defining(forward, name)) == 1 and not {name, lasting} & again:
                views[name] = exchanged(stmt.value, {id(one): clone(views.get(lasting, load(lasting)))
                                                     for one in name_nodes(stmt.value) if one.id == base})
    wanted = {name for name in views if any(name in reads(own_expressions(stmt) if is_compound(stmt) else stmt)
                                            for stmt in statements(sweeps.backward) if stmt is not sweeps.taken)}
    if sweeps.halves:
        wanted = {name for name in wanted if name in _taken(sweeps) and _give(sweeps, name, views[name])}
    if wanted:
        _written(sweeps, {name: views[name] for name in wanted})


def _base(value: Any, scope: Scope) -> str | None:
    """The one variable that a view is of, which nothing but constants say how to take."""
    base = value
    while base is not None and not isinstance(base, gast.Name):
        if isinstance(base, gast.Subscript):               # a part is smaller than the whole
            return None
        base = passed_on(base, scope.operation(base))
    local = {name for name in names_in(value) if name in scope.local}
    return base.id if base is not None and base is not value and local == {base.id} else None


def _lasting(sweeps: Sweeps, name: str, at: Any) -> str | None:
    """What stands for a variable all along: itself, or the name that its value has for the backward sweep."""
    if _bound_once(sweeps, name):
        return name
    body = sweeps.forward
    behind = body[next(i for i, stmt in enumerate(body) if stmt is at) + 1:]
    for stmt in behind:
        if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Name) and stmt.value.id == name \
                and isinstance(stmt.targets[0], gast.Name) and _bound_once(sweeps, stmt.targets[0].id):
            return str(stmt.targets[0].id)
        if name in bound_in(stmt):
            return None
    return None


def _bound_once(sweeps: Sweeps, name: str) -> bool:
    binds = [stmt for stmt in defining(sweeps.forward, name) if getattr(stmt, "role", "") != "guard"]
    return len(binds) == (0 if name in sweeps.parameters else 1)


def _taken(sweeps: Sweeps) -> set[str]:
    return set(sweeps.kept())


def _give(sweeps: Sweeps, name: str, view: Any) -> bool:
    """Let the first half give the second what a view is of, in the place of the view."""
    base = next(one.id for one in name_nodes(view) if one.id in sweeps.scope.local)
    targets, elts = sweeps.taken.targets[0].elts, sweeps.given.elts
    place = next(i for i, target in enumerate(targets) if target.id == name)
    if base in sweeps.kept():
        del targets[place], elts[place]
    elif base in {one for stmt in sweeps.backward for one in names_in(stmt)} | set(sweeps.seeds):
        return False
    else:
        targets[place], elts[place] = store(base), load(base)
    return True


def _written(sweeps: Sweeps, views: Mapping[str, Any]) -> None:
    for stmt in statements(sweeps.backward):
        if stmt is sweeps.taken:
            continue
        nodes = {id(one): clone(views[one.id]) for part in (own_expressions(stmt) if is_compound(stmt) else [stmt])
                 for one in name_nodes(part) if one.id in views and isinstance(one.ctx, gast.Load)}
        if nodes:
            for field in FIELDS:
                if (value := getattr(stmt, field, None)) is not None:
                    setattr(stmt, field, exchanged(value, nodes))

