"""Path sampling in loops: of the ways from a weight through the trips of a loop, some are drawn, and the tape has those
trips alone.

Needs the sweeps of a derivative's own functions. Promises the same statements, in which the gradients that add up over
the trips of a loop get the parts of drawn trips, each weighed so that the sum is right on average, and nothing is saved
of other trips that only these parts read; or a refusal. Each edge from a weight to a trip is an edge of the linearized
graph (Algorithm 1 of Oktay et al., "Randomized Automatic Differentiation", appendix C); behind it all edges are kept,
so that a way has one draw on it.

    ways = rt.paths(rt.trips(xs), stream, k=2)
    for x, way in zip(xs, ways):
        h = np.tanh(w * x)
        if way:
            h_saved.append(h)
    …
    for x, way in zip(reversed(xs), reversed(ways)):
        if way:
            h = h_saved.pop()
            bw = bw + way * (bh * (1.0 - h * h) * x)
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.flow import bound_in
from ..errors import Refusal
from ..runtime.sampled import Sampled
from ..syntax.blocks import is_compound, own_expressions, own_targets, statements
from ..syntax.building import assign, call, clone, constant, library, load, mark, origin_of, store, tuple_of
from ..syntax.nodes import dotted, key, name_nodes, names_in, reads
from ..syntax.program import Drawing
from .chains import INSERTED, UNKNOWN, statement_is_linear
from .described import told
from .plan import origins
from .sweeps import Sweeps
from .trip_parts import Parts, parts, plain

NO_LOOP = "no loop adds up a gradient of what it saves in its trips"
NOT_ALONE = "its backward sweep needs what is saved in every trip"
ASKED, OPTED = "what a line asks for is that of all its loop", "as it was asked for"
REMEDIES = {
    NO_LOOP: "tnb.graph(f, …).sampled(k), which draws on the graph of a run; or method='with_replacement', for arrays "
             "in products",
    NOT_ALONE: "like=(…), for whose arguments less is saved; or leave tape out"}


@dataclass
class Loop:
    """A loop with its reversed one. exact: why its trips are all kept, "" where some are drawn; parts: what they add
    up."""

    sweeps: Sweeps
    forward: Any
    back: Any
    parts: Parts
    names: list[str]
    exact: str = ""
    options: Any = None


@dataclass
class Drawn:
    """What is drawn in all texts; refusals: what cannot be as it was asked for."""

    loops: list[Loop] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    def described(self, first: Sweeps, texts: int) -> Mapping[str, str]:
        """What `explain` says of the tape. first: of the function that the user calls; texts: of how many."""
        def listed(loops: Sequence[Loop]) -> tuple[str, str]:
            drawn = [_head(loop) for loop in loops if not loop.exact]
            exact = [f"{_head(loop)}: {loop.exact}" for loop in loops if loop.exact]
            return ", ".join(dict.fromkeys(drawn)), "; ".join(dict.fromkeys(exact))

        own = [loop for loop in self.loops if loop.sweeps is first]
        return told(listed(own), listed([loop for loop in self.loops if loop.sweeps is not first]), texts)


def draw(sweeps: Sequence[Sweeps], options: Sampled, written: Any) -> Drawn:
    """Draw trips in all loops where that can be. written: what stands for the whole, in refusals."""
    found = Drawn()
    for one in sweeps:
        found.loops += _of(one, options, found.refusals)
    if not found.refusals and all(loop.exact for loop in found.loops):
        first = next(iter(found.loops), None)
        why = NO_LOOP if first is None else first.exact
        found.refusals.append(Refusal.at(written if first is None else first.forward,
                                         f"tape=Sampled(…, method='paths') draws nothing here: {why}",
                                         REMEDIES.get(why, "leave tape out")))
    for loop in found.loops:
        if not loop.exact and not found.refusals:
            _write(loop)
    return found


def _of(sweeps: Sweeps, options: Sampled, refusals: list[Refusal]) -> list[Loop]:
    """The loops of a function with their reversed ones, in the order of the backward sweep."""
    found: list[Loop] = []
    drawn: set[str] = set()                                # the names of what is drawn, so far
    for at, stmt in enumerate(sweeps.backward):
        loop = _loop(sweeps, at)
        if loop is not None:
            _choose(loop, options, drawn, refusals)
            if not loop.exact:
                loop.exact = _what_becomes(sweeps, at, drawn | loop.parts.sums)
            found.append(loop)
        drawn = drawn | loop.parts.sums if loop is not None and not loop.exact else _onward(stmt, drawn)
    done = {id(one) for loop in found for one in _asked([*statements([loop.forward, loop.back])])}
    for stmt in statements(sweeps.forward):
        if any(one.own and id(one) not in done for one in _asked([stmt])):
            refusals.append(_refused(stmt, NO_LOOP))
            break
    return found


def _loop(sweeps: Sweeps, at: int) -> Loop | None:
    """The reversed loop that stands here, with that of the forward sweep whose trips it goes over."""
    back: Any = sweeps.backward[at]
    if not isinstance(back, gast.For) or back.orelse or not isinstance(back.iter, gast.Call) \
            or (dotted(back.iter.func) or "").strip("%") != "reversed" or len(back.iter.args) != 1:
        return None
    again: Any = back.iter.args[0]
    if isinstance(again, gast.Call) and (dotted(again.func) or "").strip("%") != "range":
        return None                                        # it may have no length
    trips = key(again)
    pairs: list[Any] = [one for one in sweeps.forward if isinstance(one, gast.For) and not one.orelse
                        and key(one.iter) == trips and key(one.target) == key(back.target)]
    pairs = [one for one in pairs if not any(isinstance(inner, (gast.Break, gast.Continue))
                                             for inner in statements(one.body))]
    after = set().union(*(names_in(stmt) for stmt in sweeps.backward[at + 1:]))
    for one in pairs:
        if (found := parts(one, back, after)) is not None:
            return Loop(sweeps, one, back, found, own_targets(one), "" if found.units else NOT_ALONE)
    return None


def _choose(loop: Loop, options: Sampled, drawn: set[str], refusals: list[Refusal]) -> None:
    """How many of its trips are drawn, or why none is."""
    asked = _asked([*statements([loop.forward]), *statements([loop.back])])
    if any(getattr(stmt, "role", "") == "inserted" for stmt in statements([loop.back])):
        loop.exact = INSERTED
    if drawn & loop.parts.given:
        loop.exact = loop.exact or "its paths would meet those of another loop, and their variances would multiply"
    if any(one.exact for one in asked):
        loop.exact = f"sampled(exact=True) is in it, {OPTED}"
    own = {tuple(sorted(one.own.items())): one for one in asked if one.own}
    if not own:
        loop.options = options
        return
    first = next(iter(own.values()))
    if loop.exact:
        refusals.append(_refused(loop.forward, loop.exact))
    elif len(own) > 1 or set(first.own) - {"fraction", "k"}:
        refusals.append(Refusal.at(loop.forward, f"{ASKED}, and of paths that is how many",
                                   "one sampled(fraction=…), or sampled(k=…), around the loop"))
    loop.options = options.with_own({name: one for name, one in first.own.items() if name in ("fraction", "k")})


def _refused(stmt: Any, why: str) -> Refusal:
    return Refusal.at(stmt, f"sampled(…) around this cannot sample: {why}", "leave sampled(…) out")


def _asked(stmts: Sequence[Any]) -> list[Any]:
    """What `with sampled(…)` asks for around statements, or in them."""
    return [one.sampled for stmt in stmts for one in origins(stmt) if one.sampled is not None]


def _what_becomes(sweeps: Sweeps, at: int, drawn: set[str]) -> str:
    """Why something behind a loop would not be right on average; "" where all is linear in what is drawn."""
    for stmt in sweeps.backward[at + 1:]:
        now = _onward(stmt, drawn) | drawn
        for one in statements([stmt]):
            if is_compound(one):
                if any(reads(part) & now for part in own_expressions(one)):
                    return UNKNOWN
            elif names_in(one) & now and getattr(one, "role", "") == "inserted":
                return INSERTED
            elif not statement_is_linear(one, now, set(), sweeps.scope) and not hasattr(one, "tape") \
                    and names_in(one) & now:
                return UNKNOWN
        drawn = _onward(stmt, drawn)
    return ""


def _onward(stmt: Any, drawn: set[str]) -> set[str]:
    """The names of what is drawn behind a statement."""
    if isinstance(stmt, gast.Assign) and not reads(stmt) & drawn:
        return drawn - {one.id for target in stmt.targets for one in plain(target)}
    found: set[str] = set()
    now = set(drawn)
    while now != found:
        found = set(now)
        for one in statements([stmt]):
            if not is_compound(one) and names_in(one) & now:
                now |= bound_in(one)
    return now


# ---------------------------------------------------------------------- the statements
def _write(loop: Loop) -> None:
    sweeps, forward, back = loop.sweeps, loop.forward, loop.back
    if not sweeps.stream:
        sweeps.stream = sweeps.names.new("stream")
    ways, way = sweeps.names.new("ways"), sweeps.names.new("way")
    how = {name: constant(value) for name, value in loop.options.settings().items() if name in ("fraction", "k")}
    trips = Drawing(", ".join(loop.names), True, loop.options)
    drawn = assign(ways, gast.Call(library("rt.paths"), [_number(clone(forward.iter)), load(sweeps.stream)], [
        gast.keyword(name, value) for name, value in how.items()]))
    place = next(i for i, stmt in enumerate(sweeps.forward) if stmt is forward)
    sweeps.forward.insert(place, mark(drawn, role="forward", origin=origin_of(forward), drawn=(trips,)))
    if sweeps.halves:
        sweeps.given.elts.append(load(ways))
        sweeps.taken.targets[0].elts.append(store(ways))
    back.iter = call("%zip", back.iter, call("%reversed", ways))       # the trips first: it is theirs to end the loop
    forward.iter = call("%zip", forward.iter, ways)
    for one in (forward, back):
        one.target = tuple_of([one.target, store(way)], write=True)
    mark(back, drawn=(replace(trips, kept=False),))
    _guard_saves(forward.body, loop.parts.sites, way)
    _guard_parts(loop, way)


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


def _guard_parts(loop: Loop, way: str) -> None:
    units = {id(unit) for unit in loop.parts.units}
    for unit in loop.parts.units:
        for stmt in statements([unit]):
            for name in loop.parts.sums if not is_compound(stmt) else ():
                if name in names_in(stmt):
                    weighed(stmt, name, way)
    loop.back.body[:] = _guarded(loop.parts.ordered, units, way)


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


def weighed(stmt: Any, name: str, way: str) -> None:
    """Weigh what a statement adds to a sum."""
    if isinstance(stmt, gast.AugAssign):
        stmt.value = gast.BinOp(load(way), gast.Mult(), stmt.value)
        return
    node: Any = stmt.value
    if isinstance(stmt, gast.Expr):                        # rt.add_at(b, i, v)
        node.args[-1] = gast.BinOp(load(way), gast.Mult(), node.args[-1])
    while isinstance(node, gast.BinOp):
        inner, other = ("left", "right") if name in {one.id for one in name_nodes(node.left)} else ("right", "left")
        setattr(node, other, gast.BinOp(load(way), gast.Mult(), getattr(node, other)))
        node = getattr(node, inner)


def _head(loop: Loop) -> str:
    first = next(iter(origins(loop.forward)), None)
    return f"the loop over {', '.join(loop.names)}" + (
        f" (line {first.span.line})" if first is not None else "")
