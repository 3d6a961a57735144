"""Ownership of what derivatives hand out and change: the last step, which no switch leaves out.

Needs a generated function. Promises that variables changed in place hold memory of their own, and that what is returned
is neither an argument, nor a seed, nor part of one another:

>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x):
...     y = x * 1.0
...     y[0] = 2.0
...     return y
>>> df = tnb.vjp(f, optimized=["unbroadcast", "first_write"])
>>> print(difference(tnb.stages(df)["first_write"], tnb.source(df)))
-     by = rt.check_seed(seed, y)
+     by = rt.copy(rt.check_seed(seed, y))
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..analyse.flow import all_bound, memory_changed, mutation
from ..analyse.name_sets import Numbering
from ..analyse.resolve import Scope
from ..rules import methods_named
from ..syntax.blocks import change_blocks, is_compound, own_targets, rebuild, statements
from ..syntax.building import assign, expr, library, load, mark, origin_of
from ..syntax.nodes import dotted, nodes_of, parameter_names, reads, root_name, taken_of, target_names
from .fresh import is_fresh
from .taken_over import taken_over

RT = load("%rt")


def own(tree: gast.FunctionDef, scope: Scope, part: Sequence[int], number: Callable[[str], bool],
        given: Sequence[str] = (), floats: Sequence[bool] = ()) -> None:
    """Put copies where memory would be shared, and Python's numbers where they are handed out.

    part: where in the value returned stand the derivatives, `()` for all of it; number: names that hold a number for
    certain; given: the parameters that are derivatives; floats: for each derivative that is handed out, whether it is
    for a number of Python.
    """
    is_reverse = any(getattr(stmt, "role", "") == "backward" for stmt in statements(tree.body))
    changed = changed_in_place(tree.body, backward=is_reverse)     # what the forward pass changes is changed before
    taken, still = taken_over(tree, scope)
    tree.body = _once(rebuild(tree.body, functools.partial(_apart, changed, taken | still, scope)))
    reshaped = _reshaped(tree.body)
    if reshaped:
        tree.body = rebuild(tree.body, functools.partial(_in_order, reshaped, _bound_once(tree)))
    place = next((i for i, stmt in enumerate(tree.body) if getattr(stmt, "role", "") != "guard"), len(tree.body))
    for name in reversed(given):
        if name in changed:
            new = copied(load(name))
            tree.body.insert(place,
                             mark(assign(name, ordered(new) if name in reshaped else new), role="tangent", origin=None))
    fresh: dict[str, bool] = {}
    for stmt in statements(tree.body):
        if isinstance(stmt, gast.Assign):
            whole = isinstance(stmt.targets[0], gast.Name)
            for name in target_names(stmt.targets[0]):
                fresh[name] = fresh.get(name, True) and whole \
                    and (is_fresh(stmt.value, scope) or _keeps(stmt.value, name) or id(stmt) in taken)
    final = tree.body[-1]
    if isinstance(final, gast.Return):
        final.value = _owned(final.value, tuple(part), _Owner(fresh, scope, number))
        if is_reverse and any(floats):
            final.value = _as_floats(final.value, tuple(part), floats, number)


def _apart(changed: set[str], taken: set[int], scope: Scope, stmt: Any) -> list[gast.stmt] | None:
    """A statement of ours, with copies of what is changed in place, or made from it and read after the change."""
    if getattr(stmt, "role", "forward") in ("forward", "guard") or hasattr(stmt, "tape"):
        return None
    grown = mutation(stmt)
    if grown is not None and grown[0] == "append" and not is_fresh(stmt.value.args[0], scope) \
            and reads(stmt.value.args[0]) & changed:
        stmt.value.args[0] = copied(stmt.value.args[0])
    target = stmt.targets[0] if isinstance(stmt, gast.Assign) else None
    if isinstance(target, gast.Name) and not (is_fresh(stmt.value, scope) or _storable(stmt.value) == target.id) \
            and id(stmt) not in taken \
            and getattr(getattr(stmt.value, "spec", None), "kind", "") != "scalar" \
            and (target.id in changed or reads(stmt.value) & changed):
        stmt.value = copied(stmt.value)
    if isinstance(target, gast.Tuple) and hasattr(stmt, "pair") and stmt.role == "tangent":
        # What the function itself gives comes first, and shares memory with what the function says.
        changed = changed - {target.elts[0].id}
    return _each(stmt, changed, copied) if isinstance(target, gast.Tuple) else None


def _each(stmt: Any, names: set[str], made: Callable[[gast.expr], gast.expr]) -> list[gast.stmt]:
    """A statement that binds several names, and behind it what is made of those among them that have these names."""
    return [stmt, *(mark(assign(n, made(load(n))), role=stmt.role, origin=origin_of(stmt))
                    for n in target_names(stmt.targets[0]) if n in names)]


def _reshaped(body: Sequence[gast.stmt]) -> set[str]:
    """The derivatives of which a reshaped part is changed: `bA.reshape(-1)[0] = 0.0`."""
    targets: list[Any] = [target for stmt in statements(body) if getattr(stmt, "role", "forward")
                          not in ("forward", "guard") and not hasattr(stmt, "restore")
                          for target in [*getattr(stmt, "targets", []), getattr(stmt, "target", None)]
                          if isinstance(target, gast.Subscript)]
    return {root_name(target) or "" for target in targets
            if any(row.gives == "shares" for node in nodes_of(target.value, gast.Call)
                   if taken_of(node) is not None for row in methods_named(node.func.attr))}


def _bound_once(tree: gast.FunctionDef) -> set[str]:
    """The names that stand for one array."""
    counts = Counter(name for stmt in statements(tree.body) for name in own_targets(stmt)) \
        + Counter(parameter_names(tree))
    return {name for name, count in counts.items() if count == 1}


def _in_order(reshaped: set[str], once: set[str], stmt: Any) -> list[gast.stmt] | None:
    """What is reshaped gets memory in the order of C, in which a reshaped part is a view,
    as its array has (`rt.check_view`)."""
    if not isinstance(stmt, gast.Assign) or getattr(stmt, "role", "forward") in ("forward", "guard"):
        return None
    target, value = stmt.targets[0], stmt.value
    if isinstance(target, gast.Name) and target.id in reshaped:
        zeros = isinstance(value, gast.Call) and getattr(value.func, "attr", "") == "zeros_like"
        if not (zeros and isinstance(value.args[0], gast.Name) and value.args[0].id in once):
            stmt.value = ordered(value)
    return _each(stmt, reshaped, ordered) if isinstance(target, gast.Tuple) else None


def _keeps(node: gast.expr, name: str) -> bool:
    """`b = rt.add_item(b, i, g)`: the sum is new, the other parts are those of b itself; `b = rt.storable(b)`."""
    return _storable(node) == name or isinstance(node, gast.Call) \
        and dotted(node.func) in ("%rt.add_item", "%rt.add_field") \
        and isinstance(node.args[0], gast.Name) and node.args[0].id == name


def _storable(node: Any) -> str:
    """`b` of `rt.storable(b)`, which is b where that is an array; empty for anything else."""
    made = isinstance(node, gast.Call) and dotted(node.func) == "%rt.storable"
    return root_name(node.args[0]) or "" if made else ""


def _once(body: list[gast.stmt]) -> list[gast.stmt]:
    """A body in whose blocks `b = rt.storable(b)` stands once, where b is not bound in between."""
    if not any(isinstance(stmt, gast.Assign) and _storable(stmt.value) for stmt in statements(body)):
        return body
    numbering = Numbering()
    bound = all_bound(body, numbering)

    def block(stmts: Sequence[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        storable = 0                                       # names as bits
        for stmt in stmts:
            change_blocks(stmt, block)
            name = _storable(stmt.value) if isinstance(stmt, gast.Assign) else ""
            bit = 1 << numbering.of(name) if name else 0
            if bit & storable:
                continue
            storable = storable & ~bound[id(stmt)] | bit
            done.append(stmt)
        return done

    return block(body)


class _Owner:
    """Which names hold memory of their own; each is handed out once."""

    def __init__(self, fresh: dict[str, bool], scope: Scope, number: Callable[[str], bool]) -> None:
        self.fresh, self.scope, self.number = fresh, scope, number
        self.gone: set[str] = set()

    def __call__(self, node: gast.expr) -> gast.expr:
        if isinstance(node, (gast.Tuple, gast.List)):
            return type(node)([self(item) for item in node.elts], gast.Load())
        if isinstance(node, gast.Name):
            if self.fresh.get(node.id, False) and node.id not in self.gone:
                self.gone.add(node.id)
                return node
            return node if self.number(node.id) else copied(node)
        return node if is_fresh(node, self.scope) else copied(node)


def _owned(node: gast.expr, part: tuple[int, ...], owner: _Owner) -> gast.expr:
    if not part:
        return owner(node)
    if isinstance(node, gast.Tuple):
        return gast.Tuple([_owned(item, part[1:], owner) if i == part[0] else item for i, item in enumerate(node.elts)],
                          gast.Load())
    return owner(node)


def _as_floats(node: Any, part: tuple[int, ...], floats: Sequence[bool], number: Callable[[str], bool]) -> gast.expr:
    """Derivatives for numbers of Python are such numbers: `float(bx)`."""
    def made(one: gast.expr, is_float: bool) -> gast.expr:
        known = isinstance(one, gast.Constant) or isinstance(one, gast.Name) and number(one.id)
        if is_float and isinstance(one, gast.Call) and dotted(one.func) == "%rt.copy":         # a number is no memory
            one = one.args[0]
        return library("float(x)", float="%float", x=one) if is_float and not known else one

    if part:
        elts = [_as_floats(one, part[1:], floats, number) if place == part[0] else one
                for place, one in enumerate(node.elts)]
        return gast.Tuple(elts, gast.Load())
    if isinstance(node, gast.Tuple):
        return gast.Tuple(list(map(made, node.elts, floats)), gast.Load())
    return made(node, floats[0])


def changed_in_place(body: Sequence[gast.stmt], *, backward: bool = False) -> set[str]:
    """The names whose memory some statement changes, in blocks too; what a list holds stays as it is when it grows.

    backward: only what the backward pass changes.
    """
    found: set[str] = set()
    for stmt in statements(body):
        if hasattr(stmt, "in_place"):
            found.add(stmt.in_place)
        if not is_compound(stmt) and not (backward and getattr(stmt, "role", "") == "forward"):
            found |= memory_changed(stmt)
    return found


def copied(node: gast.expr) -> gast.expr:
    return expr("rt.copy(x)", x=node, rt=RT)


def ordered(node: gast.expr) -> gast.expr:
    return library("np.ascontiguousarray(x)", x=node)
