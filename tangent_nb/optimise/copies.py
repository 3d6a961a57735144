"""Copy propagation: a copy is read as what it is a copy of, and a temporary that is read once stands where it is read.

Needs names of ours (`temporary`); the user's own variables keep their statements. Promises the same values: nothing
between definition and use binds or changes what the definition reads.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, y):
...     x = np.sin(x) * y
...     return x * y
>>> stages = tnb.stages(tnb.grad(f, like=(1.0, 2.0)))
>>> print(difference(stages["constant_folding"], stages["copy_propagation"]))
-     sin = np.sin(x)
-     x = sin * y
+     x = np.sin(x) * y
-     bx = bf * y
+     bx = 1.0 * y
-     bsin = bx * y
-     bx = bsin * np.cos(x)
+     bx = bx * y * np.cos(x_1)
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import gast

from ..syntax.blocks import blocks, change_blocks, is_compound, rebuild, statements
from ..syntax.building import clone, substitute
from ..syntax.nodes import is_literal, name_nodes, reads, walk
from .facts import Facts
from .fold import fold, gather
from .inner import inner_parts
from .own import changed_in_place
from .places import Blocks, Places, Uses, after
from .sharing import with_sharers


def copies(tree: gast.FunctionDef, facts: Facts, temporary: Callable[[str], bool], *, attempted: bool = False) -> None:
    """Propagate copies, then put temporaries that are read once where they are read.
    attempted: what raises first counts everywhere."""
    uses = facts.uses
    of_block = Blocks(uses)
    changed = with_sharers(changed_in_place(tree.body), tree.body, facts.scope)
    _propagate(tree.body, changed, temporary, of_block)
    while True:
        updated = set().union(*(uses(stmt).updated for stmt in tree.body))
        if not fold(tree, facts, updated, temporary, of_block, attempted=attempted):
            break
    gather(tree.body, facts, changed, of_block)
    body = rebuild(tree.body, _without_self)
    tree.body = _bound_at_once(body, cache(lambda: _mentions(body)), temporary)
    tree.body = inner_parts(tree.body, cache(lambda: _mentions(tree.body)))


def _propagate(body: list[gast.stmt], changed: set[str], temporary: Callable[[str], bool], of_block: Blocks) -> None:
    places = of_block(body)
    for place, stmt in enumerate(body):
        for block in blocks(stmt):
            _propagate(block, changed, temporary, of_block)
            places.uses.forget(stmt)
        if not (isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)) or hasattr(stmt, "zero"):
            continue
        name, value = stmt.targets[0].id, stmt.value
        if isinstance(value, gast.Subscript) and name not in reads(value) and temporary(name) \
                and getattr(stmt, "role", "") in ("backward", "tangent") \
                and isinstance(value.value, gast.Name) and not any(isinstance(n, gast.Call) for n in walk(value)):
            _replace(places, place, name, value, memory=True)
            continue
        if isinstance(value, gast.Name) and value.id != name and temporary(name) and {name, value.id} & changed \
                and getattr(stmt, "role", "") in ("backward", "tangent"):
            _replace(places, place, name, value, memory=True)          # each is an array of its own, until one changes
            continue
        if name in changed or not (isinstance(value, gast.Name) and value.id not in changed or is_literal(value)
                                   and not isinstance(value, (gast.List, gast.Tuple))):
            continue
        if getattr(stmt, "role", "") not in ("backward", "tangent") and not temporary(name) or name in reads(value):
            continue                                       # of dL = dL[1:] nothing else is what dL was
        _replace(places, place, name, value)


def _replace(places: Places, place: int, name: str, value: gast.expr, *, memory: bool = False) -> None:
    """Read `value` for `name` behind a place, until one of them is bound anew, or changed.
    memory: the value is part of an array."""
    stop = places.bound({name} | reads(value), place)
    last = min(stop, after(places.compound, place) - 1, places.updated(name, place) - 1) if memory else stop
    for here in places.mentions(name, place, last):
        stmt: Any = places.stmts[here]
        if here < stop or not is_compound(stmt):
            _read_as(stmt, name, value, places.uses)
        elif isinstance(stmt, gast.If):
            stmt.test = _substituted(stmt.test, name, value)
            for block in (stmt.body, stmt.orelse):
                _replace(Places(block, places.uses), -1, name, value)
        elif isinstance(stmt, gast.For):
            stmt.iter = _substituted(stmt.iter, name, value)
        places.refresh(here)


def _read_as(stmt: gast.stmt, name: str, value: gast.expr, uses: Uses) -> None:
    """Replace the reads in a statement, in its blocks too."""
    for one in [one for one in statements([stmt]) if name in uses(one).mentions]:
        uses.forget(one)
        if isinstance(one, gast.AugAssign) and isinstance(one.target, gast.Name) and one.target.id == name:
            one.value = _substituted(one.value, name, value)
            continue
        for field in ("value", "test", "iter", "msg", "exc"):
            node = getattr(one, field, None)
            if isinstance(node, gast.AST):
                setattr(one, field, _substituted(node, name, value))
        if any(isinstance(part, gast.Subscript) for target in _targets(one) for part in walk(target)):
            for target in _own_targets(one):
                for part in walk(target):
                    if isinstance(part, gast.Subscript):
                        part.slice = substitute(part.slice, {name: value})


def _substituted(node: gast.expr, name: str, value: gast.expr) -> gast.expr:
    """The expression with a value for a name that it reads; else the same."""
    return substitute(node, {name: value}) if name in reads(node) else node


def _targets(stmt: Any) -> list[Any]:
    """What a statement assigns to."""
    return [target for target in getattr(stmt, "targets", [getattr(stmt, "target", None)]) if target is not None]


def _own_targets(stmt: Any) -> list[Any]:
    """Copies of what a statement assigns to, in their place."""
    if hasattr(stmt, "targets"):
        stmt.targets = clone(stmt.targets)
    else:
        stmt.target = clone(stmt.target)
    return _targets(stmt)


def _without_self(stmt: Any) -> list[gast.stmt] | None:
    """Leave out `x = x`."""
    return [] if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
        and isinstance(stmt.value, gast.Name) and stmt.targets[0].id == stmt.value.id else None


def _mentions(body: Sequence[gast.stmt]) -> Counter[str]:
    return Counter([node.id for node in name_nodes(body)])


def _bound_at_once(body: Sequence[gast.stmt], mentions: Callable[[], Counter[str]],
                   temporary: Callable[[str], bool]) -> list[gast.stmt]:
    """`h_1, h_back = h(x)` and `x = h_1`, which alone reads it, are `x, h_back = h(x)`."""
    out: list[Any] = []
    for stmt in body:
        change_blocks(stmt, lambda block: _bound_at_once(block, mentions, temporary))
        made = out[-1].targets[0] if out and isinstance(out[-1], gast.Assign) and len(out[-1].targets) == 1 else None
        items: list[Any] = made.elts if isinstance(made, gast.Tuple) else [made]
        names = [item.id for item in items if isinstance(item, gast.Name)]
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                and isinstance(stmt.value, gast.Name) and not hasattr(stmt, "zero") and stmt.value.id in names \
                and len(names) == len(items) and stmt.targets[0].id not in names and mentions()[stmt.value.id] == 2 \
                and (temporary(stmt.value.id) or getattr(out[-1], "role", "") == "backward"):
            bound: Any = _own_targets(out[-1])[0]
            items = bound.elts if isinstance(bound, gast.Tuple) else [bound]
            items[names.index(stmt.value.id)].id = stmt.targets[0].id
        else:
            out.append(stmt)
    return out
