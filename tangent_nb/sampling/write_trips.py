"""Drawn trips, written into the two sweeps of a function: what is saved of them alone, and how much their parts count.

Needs a loop with its reversed one, and what may be left out of a trip. Promises the same statements, of which those for
drawn trips stand under `if way:`. Where the loop is in another one the draws of each time that it runs are on the tape.

    ways = rt.paths(rt.trips(xs), stream, k=2)
    ways_saved.append(ways)
    for x, way in zip(xs, ways):
        …
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from ..analyse.graph import Graph
from ..analyse.kinds import Env, Kinds, spec_of
from ..analyse.resolve import Scope
from ..runtime.sampled import Sampled
from ..syntax.blocks import blocks, is_compound, own_targets, statements, surroundings
from ..syntax.building import (
    assign,
    call,
    clone,
    constant,
    expr,
    library,
    load,
    mark,
    origin_of,
    statement,
    store,
    tuple_of,
)
from ..syntax.nodes import key, names_in
from ..syntax.program import Drawing
from .sweeps import Sweeps, all_blocks
from .trip_parts import Added, Parts, added, breaks, opens, together


def written_in(sweeps: Sweeps, forward: Any, back: Any, its: Parts, options: Sampled) -> None:
    """Draw trips of a loop."""
    if not sweeps.stream:
        sweeps.stream = sweeps.names.new("stream")
    ways, way = sweeps.names.new("ways"), sweeps.names.new("way")
    how = {name: constant(value) for name, value in options.settings().items() if name in ("fraction", "k")}
    # before anything moves: the two halves of split motion do not know from each other what their names stand for
    kinds = None if sweeps.halves else Kinds(Graph([*sweeps.forward, *sweeps.backward]), sweeps.scope, sweeps.specs)
    trips = Drawing(", ".join(own_targets(forward)), True, options)
    drawn = assign(ways, gast.Call(library("rt.paths"), [_number(clone(forward.iter)), load(sweeps.stream)], [
        gast.keyword(name, value) for name, value in how.items()]))
    block, place = _place(sweeps.forward, forward)
    block.insert(place, mark(drawn, role="forward", origin=origin_of(forward), drawn=(trips,)))
    _kept(sweeps, ways, forward, back)
    back.iter = call("%zip", back.iter, call("%reversed", _made(forward, back, ways)))     # the trips end the loop
    forward.iter = call("%zip", forward.iter, ways)
    for one in (forward, back):
        one.target = tuple_of([one.target, store(way)], write=True)
    mark(back, drawn=(replace(trips, kept=False),))
    _guard_saves(forward.body, its.sites, way)
    _guard_parts(sweeps, back, its, way, kinds)


def _made(forward: Any, back: Any, ways: str) -> gast.expr:
    """The draws of the trips that the loop has made."""
    trips = back.iter.args[0]
    if isinstance(trips, gast.Subscript) and key(trips) != key(forward.iter):            # xs[:trips]
        return gast.Subscript(load(ways), clone(trips.slice), gast.Load())
    return library("rt.made(x)", x=ways) if breaks(forward.body) else load(ways)


def _kept(sweeps: Sweeps, ways: str, forward: Any, back: Any) -> None:
    """Keep the draws until the reversed loop comes."""
    around = [stmt for stmt, _ in surroundings(sweeps.forward)[id(forward)]]
    if any(isinstance(stmt, (gast.For, gast.While)) for stmt in around):
        _on_the_tape(sweeps, ways, forward, back)
        return
    if not sweeps.halves:
        return
    if around:                                             # a branch, which may not be gone through
        start = mark(assign(ways, constant(None)), role="forward", origin=None)
        sweeps.forward.insert(_start(sweeps.forward), start)
    _give(sweeps, ways)


def _on_the_tape(sweeps: Sweeps, ways: str, forward: Any, back: Any) -> None:
    stack = sweeps.names.new(f"{ways}_saved")
    site = 1 + max(stmt.tape[1] for stmt in statements([*sweeps.forward, *sweeps.backward])
                   if isinstance(getattr(stmt, "tape", (0, None))[1], int))
    save = statement("STACK.append(VALUE)", STACK=stack, VALUE=ways)
    take = gast.Assign([store(ways)], expr("STACK.pop()", STACK=stack), None)
    block, place = _place(sweeps.forward, forward)
    block.insert(place, mark(save, tape=(stack, site), role="forward", origin=origin_of(forward)))
    block, place = _place(sweeps.backward, back)
    block.insert(place, mark(take, restore=ways, tape=(stack, site), role="backward", origin=origin_of(back)))
    begin = mark(assign(stack, gast.List([], gast.Load())), tape=(stack, None), role="forward", origin=None)
    sweeps.forward.insert(_start(sweeps.forward), begin)
    if sweeps.halves:
        _give(sweeps, stack)
        again = assign(stack, expr("list(x)", list="%list", x=stack))
        place = next(i for i, stmt in enumerate(sweeps.backward) if stmt is sweeps.taken) + 1
        sweeps.backward.insert(place, mark(again, tape=(stack, "copy"), role="backward", origin=None))


def _start(forward: list[gast.stmt]) -> int:
    """Behind the guards."""
    return next((i for i, stmt in enumerate(forward) if getattr(stmt, "role", "") != "guard"), len(forward))


def _give(sweeps: Sweeps, name: str) -> None:
    """The first half gives the second something more."""
    sweeps.given.elts.append(load(name))
    sweeps.taken.targets[0].elts.append(store(name))


def _place(body: list[gast.stmt], stmt: Any) -> tuple[list[gast.stmt], int]:
    """The block that a statement stands in, and where."""
    return next((block, i) for block in all_blocks(body) for i, one in enumerate(block) if one is stmt)


def _number(trips: Any) -> gast.expr:
    """How many trips there are."""
    if not isinstance(trips, gast.Call):
        return library("rt.trips(x)", x=trips)
    return trips.args[0] if len(trips.args) == 1 else call("%len", trips)


def _guard_saves(body: list[gast.stmt], sites: set[Any], way: str) -> None:
    for stmt in list(body):
        for name in ("body", "orelse", "finalbody"):
            if is_compound(stmt) and getattr(stmt, name, None):
                _guard_saves(getattr(stmt, name), sites, way)
    body[:] = _guarded(body, {id(stmt) for stmt in body if getattr(stmt, "tape", None) in sites}, way)


def _guard_parts(sweeps: Sweeps, back: Any, its: Parts, way: str, kinds: Kinds | None) -> None:
    units = {id(unit) for unit in its.units}
    for unit in its.units:
        for stmt in statements([unit]):
            for name in its.sums if not is_compound(stmt) else ():
                if name in names_in(stmt):
                    for one in added(stmt, name, sweeps.scope) or ():
                        _weighed(one, way, kinds.before(stmt) if kinds is not None else {}, sweeps.scope)
    _guard_units(back.body, units, way)


def _guard_units(body: list[gast.stmt], units: set[int], way: str) -> None:
    for stmt in body:
        if id(stmt) not in units and opens(stmt):
            for block in blocks(stmt):
                _guard_units(block, units, way)
    body[:] = _guarded(together(body, units), units, way)


def _guarded(body: Sequence[gast.stmt], some: set[int], way: str) -> list[gast.stmt]:
    """A body, in which some statements are for drawn trips alone."""
    new: list[Any] = []
    inside: Any = None
    for stmt in body:
        if id(stmt) not in some:
            new.append(stmt)
            inside = None
            continue
        if inside is None:
            inside = mark(gast.If(load(way), [], []), role=getattr(stmt, "role", ""), origin=origin_of(stmt))
            new.append(inside)
        inside.body.append(stmt)
    return new


def _weighed(one: Added, way: str, env: Env, scope: Scope) -> None:
    """Weigh what is added to a sum."""
    value = one.value
    one.put(gast.BinOp(load(way), gast.Mult(), value) if one.numbers or spec_of(value, env, scope).is_number
            else library("rt.weighed(g, w)", g=value, w=way))
