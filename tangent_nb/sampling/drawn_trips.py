"""Path sampling in loops: of the ways from a weight through the trips of a loop, some are drawn, and the tape has those
trips alone.

Needs the sweeps of all functions of a derivative. Promises the same statements, in which the gradients that add up over
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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from ..analyse.flow import liveness
from ..analyse.graph import Graph
from ..errors import Refusal
from ..runtime.sampled import Sampled
from ..syntax.blocks import blocks, own_targets, statements
from ..syntax.nodes import dotted, key
from .chains import INSERTED
from .described import told
from .meeting import Meeting
from .plan import origins
from .sweeps import Sweeps
from .trip_parts import Parts, breaks, opens, parts
from .write_trips import written_in

NO_LOOP = "no loop adds up a gradient of what it saves in its trips"
SHAPES = "its backward sweep needs a shape that is saved in every trip"
GOING_ON = "its backward sweep needs what is saved in every trip, to go back through"
OTHERS = "its paths would meet those of another loop, and their variances would multiply"
ITS_OWN = "its paths would meet those of the next time that it runs, and their variances would multiply"
NOTHING = "nothing is saved in its trips"
WHILE = "how many trips it will make has to be known before some are drawn, and of a while loop it is not"
NOT_BACK = "its backward sweep does not go over the same trips"
ASKED, OPTED = "what a line asks for is that of all its loop", "as it was asked for"
LEFT_OUT = "leave tape out"
REMEDIES = {
    NO_LOOP: "tnb.graph(f, …).sampled(k), which draws on the graph of a run; or method='with_replacement', for arrays "
             "in products",
    WHILE: "a loop over range(…), long enough, that break leaves",
    SHAPES: "like=(…), for whose arguments the shapes are known; or leave tape out",
    GOING_ON: "a loop that adds something up, of which no trip needs another; or leave tape out"}


@dataclass
class Loop:
    """A loop with its reversed one, None where that is not known. exact: why its trips are all kept, "" where some are
    drawn; parts: what they add up."""

    sweeps: Sweeps
    forward: Any
    back: Any
    parts: Parts
    names: list[str]
    exact: str = ""
    options: Any = None

    def all(self) -> list[Any]:
        """The statements in both."""
        return [*statements([one for one in (self.forward, self.back) if one is not None])]


@dataclass
class Drawn:
    """What is drawn in all texts; refusals: what cannot be as it was asked for."""

    loops: list[Loop] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    def described(self, sweeps: Sequence[Sweeps], texts: int) -> Mapping[str, str]:
        """What `explain` says of the tape. texts: how many of the functions the user calls, for other arguments each;
        they come first."""
        def listed(left_out: Sequence[Sweeps]) -> tuple[str, str]:
            loops = [loop for loop in self.loops if all(loop.sweeps is not one for one in left_out)]
            drawn = [_head(loop) for loop in loops if not loop.exact]
            exact = [f"{_head(loop)}: {loop.exact}" for loop in loops if loop.exact]
            return ", ".join(dict.fromkeys(drawn)), "; ".join(dict.fromkeys(exact))

        return told(listed(sweeps[1:texts]), listed(sweeps[:1]), texts)


def draw(sweeps: Sequence[Sweeps], texts: int, options: Sampled, written: Any) -> Drawn:
    """Draw trips in all loops where that can be. texts: how many of the functions the user calls, for other arguments
    each; they come first; written: what stands for the whole, in refusals."""
    found = Drawn([loop for one in sweeps for loop in _of(one)])
    _choose(found.loops, sweeps)
    _settings(found, options)
    _check_asked(sweeps, found)
    if not found.refusals and all(loop.exact for loop in found.loops):
        own = [loop for loop in found.loops if all(loop.sweeps is not other for other in sweeps[1:texts])]
        found.refusals.append(_nothing(own, written))
    for loop in found.loops:
        if not loop.exact and not found.refusals:
            written_in(loop.sweeps, loop.forward, loop.back, loop.parts, loop.options)
    return found


def _nothing(loops: Sequence[Loop], written: Any) -> Refusal:
    """The refusal of a derivative in which nothing is drawn: a loop that saves something says why."""
    first = next((loop for loop in loops if loop.exact != NOTHING), next(iter(loops), None))
    why = NO_LOOP if first is None else first.exact
    remedy = next((one for known, one in REMEDIES.items() if why.startswith(known)), LEFT_OUT)
    return Refusal.at(written if first is None else first.forward,
                      f"tape=Sampled(…, method='paths') draws nothing here: {why}", remedy)


# ---------------------------------------------------------------------- the loops
def _of(sweeps: Sweeps) -> list[Loop]:
    """The loops of a function with their reversed ones, in the order of the backward sweep, outer ones first; then
    those without, which stay exact."""
    live = liveness(Graph(sweeps.backward))
    forward = [one for one in statements(sweeps.forward) if isinstance(one, gast.For)]
    found = [loop for back in _fors(sweeps.backward)
             if (loop := _loop(sweeps, forward, back, set(live.after(back)))) is not None]
    known = {id(loop.forward) for loop in found} | {id(loop.back) for loop in found}
    return [*found, *(Loop(sweeps, one, None, Parts(set()), own_targets(one), why)
                      for body in (sweeps.forward, sweeps.backward) for one, why in _others(body, known))]


def _others(body: Sequence[Any], known: set[int]) -> Iterator[tuple[Any, str]]:
    """The outermost of other loops that have to do with gradients, and why no trips of theirs are drawn."""
    for stmt in body:
        if id(stmt) in known:
            continue
        if not isinstance(stmt, (gast.For, gast.While)):
            for block in blocks(stmt):
                yield from _others(block, known)
        elif any(hasattr(one, "tape") for one in statements([stmt])):
            if getattr(stmt, "role", "") != "backward":
                yield stmt, WHILE if isinstance(stmt, gast.While) else NOT_BACK
        elif any(getattr(one, "role", "") == "backward" for one in statements([stmt])):
            yield stmt, NOTHING


def _fors(body: Sequence[Any]) -> Iterator[Any]:
    """The loops that are run whenever what is around them is."""
    for stmt in body:
        if isinstance(stmt, gast.For):
            yield stmt
        if opens(stmt) or isinstance(stmt, (gast.For, gast.While)):
            for block in blocks(stmt):
                yield from _fors(block)


def _loop(sweeps: Sweeps, forward: Sequence[Any], back: Any, after: set[str]) -> Loop | None:
    """A reversed loop, with that of the forward sweep whose trips it goes over. after: what is read behind it."""
    if back.orelse or not isinstance(back.iter, gast.Call) \
            or (dotted(back.iter.func) or "").strip("%") != "reversed" or len(back.iter.args) != 1:
        return None
    again: Any = back.iter.args[0]
    if isinstance(again, gast.Call) and (dotted(again.func) or "").strip("%") != "range":
        return None                                        # it may have no length
    made = again.value if isinstance(again, gast.Subscript) and isinstance(again.slice, gast.Slice) else again
    pairs: list[Any] = [one for one in forward if not one.orelse and key(one.target) == key(back.target)
                        and key(one.iter) in (key(again), key(made) if breaks(one.body) else key(again))]
    pairs = [one for one in pairs if not any(isinstance(inner, gast.Continue) for inner in statements(one.body))]
    for one in pairs:
        if (found := parts(one, back, after, sweeps.scope)) is not None:
            return Loop(sweeps, one, back, found, own_targets(one), _why_not(found, back, one))
    return None


def _why_not(found: Parts, back: Any, forward: Any) -> str:
    """Why no trips of a loop are drawn, whatever the others do; "" where they may be."""
    if any(one.exact for one in _asked([*statements([forward, back])])):
        return f"sampled(exact=True) is in it, {OPTED}"
    if any(getattr(stmt, "role", "") == "inserted" for stmt in statements([back])):
        return INSERTED
    if found.units:
        return ""
    lines = origins(found.needed) if found.needed is not None else ()
    return f"{GOING_ON} {lines[0].text}" if lines else SHAPES


def _choose(loops: Sequence[Loop], sweeps: Sequence[Sweeps]) -> None:
    """Of loops whose paths would meet the first is drawn."""
    known = Meeting(sweeps, {id(loop.back): (i, loop.parts) for i, loop in enumerate(loops) if not loop.exact})
    drawn: set[int] = set()
    for i, loop in enumerate(loops):
        if loop.exact:
            continue
        met = {other for one, other in known.met if one == i} | {one for one, other in known.met if other == i}
        loop.exact = known.failed.get(i, "") or (ITS_OWN if i in met else OTHERS if met & drawn else "")
        drawn |= set() if loop.exact else {i}


def _settings(found: Drawn, options: Sampled) -> None:
    """How many trips are drawn: as `with sampled(…)` asks for in lines of a loop, but for those of a loop in it that
    is drawn itself."""
    drawn = [loop for loop in found.loops if not loop.exact]
    for loop in drawn:
        inner = {id(stmt) for other in drawn if other is not loop and other.sweeps is loop.sweeps
                 and any(stmt is other.forward for stmt in statements(loop.forward.body)) for stmt in other.all()}
        own = {tuple(sorted(one.own.items())): one
               for one in _asked([stmt for stmt in loop.all() if id(stmt) not in inner]) if one.own}
        loop.options = options
        if own:
            first = next(iter(own.values()))
            if len(own) > 1 or set(first.own) - {"fraction", "k"}:
                found.refusals.append(Refusal.at(loop.forward, f"{ASKED}, and of paths that is how many",
                                                 "one sampled(fraction=…), or sampled(k=…), around the loop"))
            own_number = {name: one for name, one in first.own.items() if name in ("fraction", "k")}
            loop.options = options.with_own(own_number)


def _check_asked(sweeps: Sequence[Sweeps], found: Drawn) -> None:
    """What a `with sampled(…)` asks for is done, or refused: by the innermost loop around it."""
    done = {id(one) for loop in found.loops if not loop.exact for one in _asked(loop.all())}
    for loop in reversed(found.loops):
        if loop.exact and (more := {id(one) for one in _asked(loop.all()) if one.own} - done):
            found.refusals.append(_refused(loop.forward, loop.exact))
            done |= more
    for one in sweeps:
        stmt = next((stmt for stmt in statements(one.forward)
                     if any(asked.own and id(asked) not in done for asked in _asked([stmt]))), None)
        if stmt is not None:
            found.refusals.append(_refused(stmt, NO_LOOP))


def _refused(stmt: Any, why: str) -> Refusal:
    return Refusal.at(stmt, f"sampled(…) around this cannot sample: {why}", "leave sampled(…) out")


def _asked(stmts: Sequence[Any]) -> list[Any]:
    """What `with sampled(…)` asks for around statements, or in them."""
    return [one.sampled for stmt in stmts for one in origins(stmt) if one.sampled is not None]


def _head(loop: Loop) -> str:
    first = next(iter(origins(loop.forward)), None)
    what = f"the loop over {', '.join(loop.names)}" if isinstance(loop.forward, gast.For) else "the while loop"
    return what + (f" (line {first.span.line})" if first is not None else "")
