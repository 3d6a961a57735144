"""Loops whose trips need nothing of each other: one loop in place of two, and no tape.

Needs a forward loop, and the backward loop over the same. Promises the same values, summed in the order of the trips:
each trip of the backward loop runs behind its trip of the forward loop, where it reads nothing but what is made there,
or stays as it is all along, and what it makes is only added up.

>>> import math
>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(w, x):
...     s = 0.0
...     for v in x:
...         e = math.exp(w * v)
...         s = s + e * e
...     return s
>>> df = tnb.grad(f, like=(0.5, np.ones(3)))
>>> print(tnb.stages(df)["dead_code"], end="")
def df_dw(w, x):
    # forward
    e_saved = []
    for v in x:
        e = math.exp(w * v)
        e_saved.append(e)
    # backward
    bw = 0.0
    for v in reversed(x):
        e = e_saved.pop()
        # Grad of: s = s + e * e
        be = 2.0 * e
        # Grad of: e = math.exp(w * v)
        bw = bw + be * e * v
    return bw
>>> print(tnb.stages(df)["loop_fusion"], end="")
def df_dw(w, x):
    bw = 0.0
    for v in x:
        e = math.exp(w * v)
        # Grad of: s = s + e * e
        be = 2.0 * e
        # Grad of: e = math.exp(w * v)
        bw = bw + be * e * v
    return bw
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import gast

from ..analyse.flow import Access, bound_in, mutation, statement_access
from ..syntax.blocks import is_compound
from ..syntax.nodes import key, names_in, nodes_of, reads
from .facts import Facts


class Loops(NamedTuple):
    """A forward loop and its backward loop, by their places in a body. kept: the names of what is saved."""

    forward: int
    backward: int
    kept: frozenset[str]
    stacks: frozenset[str]


def loop_fusion(tree: gast.FunctionDef, facts: Facts) -> None:
    """Fuse the last forward loop with its backward loop, where that can be."""
    found = _loops(tree.body)
    if found is None or not _alone(tree.body[found.forward], tree.body[found.backward], found, facts):
        return
    first: Any = tree.body[found.forward]
    before, between, behind = tree.body[:found.forward], tree.body[found.forward + 1:found.backward], \
        tree.body[found.backward + 1:]
    made = bound_in(first)
    needed = _names(tree.body[found.backward].body)
    early: list[gast.stmt] = []
    late: list[gast.stmt] = []
    for stmt in between:                                   # what depends on the loop stays behind it
        if not isinstance(stmt, gast.Assign) or not facts.pure(stmt.value) or statement_access(stmt).update:
            return                                         # and nothing changes what another statement reads
        mentioned = names_in(stmt)
        if mentioned & (made | bound_in(*late)):
            late.append(stmt)
        elif bound_in(stmt) & _names(late):
            return
        else:
            early.append(stmt)
    if bound_in(*late) & needed or bound_in(*early) & (names_in(first) | made):
        return
    second: Any = tree.body[found.backward]
    first.body = [*(s for s in first.body if not _saves(s, found.stacks)),
                  *(s for s in second.body if not hasattr(s, "restore"))]
    first.role = "backward"
    tree.body = [*(s for s in before if not _saves(s, found.stacks)), *early, first, *late, *behind]


def _loops(body: Sequence[Any]) -> Loops | None:
    """The backward loop, and the last forward loop, if they go over the same, and what is saved is read once."""
    forward = [place for place, stmt in enumerate(body) if isinstance(stmt, gast.For) and _role(stmt) == "forward"]
    backward = [place for place, stmt in enumerate(body) if isinstance(stmt, gast.For) and _role(stmt) == "backward"]
    if not forward or not backward or forward[-1] > backward[0]:
        return None
    one, other = body[forward[-1]], body[backward[0]]
    if one.orelse or other.orelse or key(one.target) != key(other.target) or not _reversed(other, one.iter):
        return None
    if any(hasattr(stmt, "restore") and not hasattr(stmt, "tape") for stmt in other.body):
        return None
    saved = {stmt.tape: stmt.value.args[0] for stmt in one.body if hasattr(stmt, "tape") and mutation(stmt)}
    popped = {stmt.tape: stmt.targets[0] for stmt in other.body if hasattr(stmt, "restore") and hasattr(stmt, "tape")}
    names = {getattr(node, "id", "") for node in (*saved.values(), *popped.values())}
    stacks = {tape[0] for tape in saved}
    mentions = sum(node.id in stacks for stmt in body for node in nodes_of(stmt, gast.Name))
    if saved.keys() != popped.keys() or len(stacks) != len(saved) or "" in names or mentions != 3 * len(stacks) \
            or any(load.id != popped[tape].id for tape, load in saved.items()):
        return None
    return Loops(forward[-1], backward[0], frozenset(names), frozenset(stacks))


def _role(stmt: gast.stmt) -> str:
    return str(getattr(stmt, "role", ""))


def _reversed(loop: Any, of: gast.expr) -> bool:
    """A loop over `reversed(range(n))`, or over the same range where no trip is told from another."""
    node = loop.iter
    if key(node) == key(of):
        return {one.id for one in nodes_of(loop.target, gast.Name)}.isdisjoint(_names(loop.body))
    return reversed_of(node, of)


def reversed_of(node: Any, of: gast.expr) -> bool:
    """`reversed(range(n))`, of `range(n)`."""
    return isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords \
        and getattr(node.func, "id", "").lstrip("%") == reversed.__name__ and key(node.args[0]) == key(of)


def _saves(stmt: Any, stacks: Collection[str]) -> bool:
    return hasattr(stmt, "tape") and stmt.tape[0] in stacks


def _names(body: Sequence[gast.stmt]) -> set[str]:
    return {name for stmt in body for name in names_in(stmt)}


def _alone(first: Any, second: Any, found: Loops, facts: Facts) -> bool:
    """A trip of the backward loop may run behind its trip of the forward loop."""
    forward = [stmt for stmt in first.body if not _saves(stmt, found.stacks)]
    backward = [stmt for stmt in second.body if not hasattr(stmt, "restore")]
    if any(is_compound(stmt) or not isinstance(stmt, (gast.Assign, gast.AugAssign)) for stmt in (*forward, *backward)) \
            or not all(facts.pure(stmt.value) for stmt in (*forward, *backward)):
        return False
    done = [statement_access(stmt) for stmt in forward]
    makes = frozenset().union(*(one.define for one in done))
    if any(one.update for one in done) or not _stay(first.body, found):
        return False
    target = {node.id for node in nodes_of(first.target, gast.Name)}
    read = {name for stmt in backward for name in reads(stmt)}
    bound = {name for stmt in backward for name in bound_in(stmt)}
    if bound & (makes | target | _names(forward)) or read & makes - found.kept or makes & target:
        return False
    return _only_added(backward)


def _stay(body: Sequence[Any], found: Loops) -> bool:
    """What is saved in a trip is the same when it ends."""
    for place, stmt in enumerate(body):
        if _saves(stmt, found.stacks):
            later: list[Access] = [statement_access(one) for one in body[place + 1:] if not _saves(one, found.stacks)]
            if any(stmt.value.args[0].id in one.define for one in later):
                return False
    return True


def _only_added(body: Sequence[Any]) -> bool:
    """What a trip hands to the next one is summed up, and not read."""
    made: set[str] = set()                                 # in this trip
    summed: set[str] = set()
    read: set[str] = set()
    bound = {name for stmt in body for name in bound_in(stmt)}
    for stmt in body:
        one, name = statement_access(stmt), _sum(stmt)
        if name and name not in made:
            others = _beside(stmt, name)
            if name in others:
                return False
            summed.add(name)
        elif one.update - made:
            return False
        else:
            others = set(one.use)
        if others & bound - made:                          # of the trip before
            return False
        read |= others
        if name not in summed:
            made |= one.define
    return summed.isdisjoint(made | read)


def _beside(stmt: Any, name: str) -> set[str]:
    """The names that `b = b + v`, or `b[i] += v`, reads beside the sum itself."""
    if isinstance(stmt, gast.AugAssign):
        return reads(stmt.value) | reads(getattr(stmt.target, "slice", []))
    counted = sum(node.id == name for node in nodes_of(stmt.value, gast.Name))
    return reads(stmt.value) - {name} if counted == 1 else reads(stmt.value)


def _sum(stmt: Any) -> str:
    """`b` of `b = b + v`, `b += v` and `b[i] += v`."""
    if isinstance(stmt, gast.AugAssign):
        plus = isinstance(stmt.op, (gast.Add, gast.Sub))
        base = stmt.target.value if isinstance(stmt.target, gast.Subscript) else stmt.target
        return base.id if plus and isinstance(base, gast.Name) else ""
    node, target = stmt.value, stmt.targets[0]
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
        node = node.left
    return target.id if isinstance(target, gast.Name) and isinstance(node, gast.Name) and node.id == target.id \
        and node is not stmt.value else ""
