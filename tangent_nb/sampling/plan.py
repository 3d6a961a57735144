"""What is sampled: the activations that are read for the cotangent of a weight alone, once along any path.

Needs the sweeps of all functions of a derivative. Promises a `Plan`: which saved values are sampled, which slopes are
bits, and why other values that are read in products stay as they are. Refused is what cannot be as the text asks, and a
derivative in which there is nothing to sample.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from ..analyse.flow import mutation
from ..analyse.kinds import is_basic
from ..analyse.one_memory import roots
from ..errors import Refusal
from ..runtime.sampled import Sampled
from ..syntax.blocks import own_targets, statements
from ..syntax.nodes import is_literal, name_nodes, target_names
from ..syntax.program import Origin, Span
from .chains import Chains, Place, chosen
from .lives import one_name, renamed_early
from .places import MANY, Mask, Places
from .sweeps import Key, Keys, Sweeps, keys_of
from .uses import Use, is_convolution, uses_of
from .views import rebuilt

WEIGHT, INPUT = "weight", "input"
ONLY = "sampled is what a product reads for the gradient of a weight, and nothing else reads"
HELD, OPTED = "a weight", "as it was asked for"
AS_ASKED = (HELD, OPTED)
NOTHING = "no array is saved for the gradient of a weight alone"


@dataclass
class Text:
    """One function. uses: by value."""

    sweeps: Sweeps
    keys: Keys
    uses: dict[Key, list[Use]]
    places: Places
    masks: list[Mask]


@dataclass
class Plan:
    """samples: the values to sample, with how; exact: of others that products read, why they stay; refusals: what
    cannot be as it was asked for."""

    texts: list[Text]
    held: Mapping[tuple[int, str], set[str]]
    samples: dict[Place, Sampled] = field(default_factory=dict)
    exact: dict[Place, tuple[str, Any]] = field(default_factory=dict)
    sites: dict[Place, list[Use]] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)

    def is_held(self, place: Place) -> bool:
        """The caller holds it anyway."""
        return bool(self.held.get((place[0], self.name(place)), set()))

    def name(self, place: Place) -> str:
        """The variable of the forward sweep that a value is saved of."""
        i, key = place
        return key[1] if key[0] == "cut" else self.texts[i].places.saved_name(key)


def plan(sweeps: Sequence[Sweeps], texts: int, options: Sampled, wrt: Sequence[str], written: Any) -> Plan:
    """texts: how many of the functions the user calls, for other arguments each; they come first; wrt: the names of
    what is differentiated in these; written: what stands for the whole, in refusals."""
    for one in sweeps:
        rebuilt(one)
        one_name(one)
        renamed_early(one)
    every = [_text(one, options) for one in sweeps]
    found = Plan(every, _held(every, texts, wrt))
    _mark_asked(found.texts)
    for i, text in enumerate(found.texts):
        text.masks = [mask for mask in text.masks if isinstance(mask.node, gast.Name) or not all(
            found.is_held((i, key)) or _is_read(text, key, text.masks) for key in mask.keys)]
        for mask in text.masks:
            for use in mask.uses:
                use.kind = "bits"
        for key, uses in text.uses.items():
            sites = [use for use in uses if use.kind == "operand"]
            if sites:
                found.sites[i, key] = sites
    _choose(found, options)
    if not found.samples and not found.refusals:
        found.refusals.append(_nothing(found, written))
    return found


def _text(sweeps: Sweeps, options: Sampled) -> Text:
    keys = keys_of(sweeps)
    uses: dict[Key, list[Use]] = {}
    for use in uses_of(sweeps, keys):
        uses.setdefault(use.key, []).append(use)
    places, every = Places(sweeps, keys), [one for several in uses.values() for one in several]
    return Text(sweeps, keys, uses, places,
                places.masks(every) + places.conditions(every) if options.relu_bits else [])


def _is_read(text: Text, key: Key, masks: Sequence[Mask]) -> bool:
    """All of a value is read somewhere."""
    bits = {id(use) for mask in masks for use in mask.uses}
    return any(use.kind == "read" or use.kind == "few" and id(use) not in bits for use in text.uses[key])


def _choose(found: Plan, options: Sampled) -> None:
    candidates: dict[Place, list[Use]] = {}
    for place, sites in found.sites.items():
        why = _why_not(found, place, sites, options)
        if why is None:
            candidates[place] = sites
        else:
            found.exact[place] = why
    chains = Chains([text.sweeps for text in found.texts], candidates)
    edges: dict[Place, set[Place]] = {}
    for place in list(candidates):
        reached = chains.reached(place)
        if reached.failed is not None:
            found.exact[place] = reached.failed
            del candidates[place]
        else:
            edges[place] = reached.places
    edges = {place: {one for one in more if one in candidates} for place, more in edges.items()}
    kept, left = chosen(edges)
    for place, other in left.items():
        found.exact[place] = (
            f"its sample would meet that of {found.name(other)}, and their variances would multiply",
            found.sites[place][0].stmt)
    for place in candidates:
        if place in kept:
            _settings(found, place, options)
    if not found.refusals:
        _check_asked(found)


def _why_not(found: Plan, place: Place, sites: Sequence[Use], options: Sampled) -> tuple[str, Any] | None:
    """Why a value that products read is not sampled, and where."""
    i, key = place
    text, name, stmt = found.texts[i], found.name(place), sites[0].stmt
    kinds = {"convolve" if _is_convolution(text, use) else "matmul" for use in sites}
    held = found.held.get((i, name), set())
    if WEIGHT in held:
        return HELD, stmt                                  # the caller holds it anyway
    if INPUT in held and not options.inputs:
        return f"{name} is the caller's, and inputs=False, {OPTED}", stmt
    if any((own := asked(use)) is not None and own.exact for use in sites):
        return f"{name} stands in sampled(exact=True), {OPTED}", stmt
    if not kinds <= set(options.at):
        return f"at={tuple(options.at)!r} leaves {name} out, {OPTED}", stmt
    for use in text.uses[key]:
        if use.kind in ("read", "few"):
            if use.kind == "few":
                return f"the sign of {name} is read too, and a sign of a sample is biased", use.stmt
            return f"all of {name} is read too: {_shown(use)}", use.stmt
    if text.places.can_keep(key) and text.places.spec(key).kind not in MANY:
        return f"{name} is no array", stmt
    if not text.places.can_keep(key):
        return f"{name} is not bound on every path, or it changes in place, or a try is around", stmt
    return None


def _is_convolution(text: Text, use: Use) -> bool:
    rule = text.sweeps.scope.operation(use.product).rule
    return rule is not None and is_convolution(rule)


def _shown(use: Use) -> str:
    one, part = _first(use.stmt), getattr(use.node, "part", ())
    return f"by the derivative of {part[0].text if part else one.text if one is not None else 'the text'}"


def _settings(found: Plan, place: Place, options: Sampled) -> None:
    """How a value is sampled: as the lines that read it ask for, which agree."""
    own = {tuple(sorted(one.own.items())): one for use in found.sites[place]
           if (one := asked(use)) is not None and one.own}
    if len(own) > 1:
        found.refusals.append(Refusal.at(
            found.sites[place][0].stmt, f"{found.name(place)} is saved once, and two lines that read it ask for "
            "different samples", "one sampled(…) around both lines"))
        return
    found.samples[place] = options.with_own(next(iter(own.values())).own) if own else options


def _check_asked(found: Plan) -> None:
    """What a `with sampled(…)` asks for is done, or refused."""
    done = {id(one) for place in found.samples for use in found.sites[place] if (one := asked(use)) is not None}
    done -= {id(asked(use)) for place, (why, _) in found.exact.items() if not why.endswith(AS_ASKED)
             for use in found.sites[place]}
    for text in found.texts:
        for stmt in [*statements(text.sweeps.backward), *statements(text.sweeps.forward)]:
            one = _written_around(stmt)
            if one is None or one.exact or id(one) in done:
                continue
            done.add(id(one))
            reasons = [(why, use.stmt) for place, (why, _) in found.exact.items() for use in found.sites[place]
                       if asked(use) is one and not why.endswith(AS_ASKED)]
            why, where = reasons[0] if reasons else (NOTHING, stmt)
            found.refusals.append(Refusal.at(where, f"sampled(…) around this cannot sample: {why}", _remedy(why)))


def _remedy(why: str) -> str:
    if "meet" in why:
        return "leave sampled(…) out here; or sampled(exact=True) around the other line"
    if "sign" in why:
        return "relu_bits=True, which keeps signs as bits"
    return f"leave sampled(…) out; {ONLY}"


def _nothing(found: Plan, written: Any) -> Refusal:
    """The refusal of a derivative in which nothing is sampled."""
    reasons = [(place, why, stmt) for place, (why, stmt) in found.exact.items() if not why.endswith(HELD)]
    if not reasons and found.exact:
        why = "what products read is a part of what is differentiated"
        return Refusal.at(found.sites[next(iter(found.exact))][0].stmt, f"tape=Sampled(…) samples nothing here: {why}",
                          f"leave tape out; {ONLY}")
    if not reasons:
        return Refusal.at(written, f"tape=Sampled(…) samples nothing here: {NOTHING}",
                          f"leave tape out; {ONLY}")
    _, why, stmt = reasons[0]
    return Refusal.at(stmt, f"tape=Sampled(…) samples nothing here: {why}", _instead(why))


def _instead(why: str) -> str:
    if "all of" in why:
        return "a nonlinearity whose derivative needs the sign alone, np.maximum(x, 0.0); or leave tape out"
    return _remedy(why) if "sign" in why else f"leave tape out; {ONLY}"


def asked(use: Use) -> Any:
    """What `with sampled(…)` around the user's expression asks for, of which this is an adjoint."""
    return use.asked if use.asked is not None else _written_around(use.stmt)


def _mark_asked(texts: Sequence[Text]) -> None:
    """Say of each product what the lines ask for that it comes from: passes put several into one statement."""
    around = [(one.span, one.sampled) for text in texts
              for stmt in [*statements(text.sweeps.forward), *statements(text.sweeps.backward)]
              for one in origins(stmt) if one.sampled is not None]
    for text in texts:
        for use in (one for several in text.uses.values() for one in several if one.kind == "operand"):
            for span in getattr(use.whole, "part", ()):
                use.asked = use.asked or next((own for other, own in around if _holds(other, span)), None)


def _holds(span: Span, other: Span) -> bool:
    return span.source == other.source and (span.line, span.column) <= (other.line, other.column) \
        and (other.end_line, other.end_column) <= (span.end_line, span.end_column)


def _written_around(stmt: Any) -> Any:
    one = _first(stmt)
    return one.sampled if one is not None else None


def origins(stmt: Any) -> tuple[Origin, ...]:
    """Where a statement comes from, of which passes may have put several together."""
    origin = getattr(stmt, "origin", None)
    return tuple(one for one in (origin if isinstance(origin, tuple) else (origin,)) if one is not None)


def _first(stmt: Any) -> Origin | None:
    return next(iter(origins(stmt)), None)


# ---------------------------------------------------------------------- what the caller holds
def _held(texts: Sequence[Text], called: int, wrt: Sequence[str]) -> dict[tuple[int, str], set[str]]:
    """The names of the forward sweeps that stand for an argument of the user, or a part of one. called: how many of the
    functions the user calls."""
    sweeps = [text.sweeps for text in texts]
    found: dict[tuple[int, str], set[str]] = {
        (i, name): {WEIGHT if name in wrt else INPUT} for i in range(called) for name in sweeps[i].parameters}
    by_name = {one.name: i for i, one in enumerate(sweeps) if one.halves}
    bindings = list(_bindings(texts))
    changed = True
    while changed:
        changed = False
        for i, name, value, parts in bindings:
            callee = by_name.get(value.func.id) if isinstance(value, gast.Call) and isinstance(
                value.func, gast.Name) else None
            if callee is not None:
                changed |= _given(found, i, value, callee, sweeps[callee])
                continue
            known = set().union(*(found.get((i, root), set()) for root in parts))
            if not known <= found.get((i, name), set()):
                found.setdefault((i, name), set()).update(known)
                changed = True
    made = {(i, name) for i, name, _, parts in bindings if not any((i, root) in found for root in parts)}
    once = {(i, name) for i, one in enumerate(sweeps) for name in one.parameters}
    return {place: kinds for place, kinds in found.items() if place in once or place not in made}


def _bindings(texts: Sequence[Text]) -> Iterator[tuple[int, str, Any, set[str]]]:
    """What is bound in the forward sweeps: the function, the name, the value, and the names whose memory that may
    share; what an array chooses of another has memory of its own."""
    for i, text in enumerate(texts):
        scope = text.sweeps.scope
        for stmt in statements(text.sweeps.forward):
            if getattr(stmt, "role", "") == "guard":
                continue
            if isinstance(stmt, gast.Assign) and mutation(stmt) is None:
                value: Any = stmt.value
                chosen_of = isinstance(value, gast.Subscript) and not is_literal(value.slice) \
                    and not is_basic(value.slice, text.places.kinds.before(stmt), scope)
                for target in stmt.targets:
                    for name in target_names(target):
                        yield i, name, value, set() if chosen_of else roots(value, scope)
            elif isinstance(stmt, gast.For):
                for name in own_targets(stmt):
                    yield i, name, stmt.iter, roots(stmt.iter, scope)


def _given(found: dict[tuple[int, str], set[str]], i: int, call: gast.Call, callee: int, one: Sweeps) -> bool:
    """What a call gives the parameters of a function."""
    given = [*zip(one.parameters, call.args), *((k.arg, k.value) for k in call.keywords)]
    changed = False
    for name, arg in given:
        known = set().union(*(found.get((i, root.id), set()) for root in name_nodes(arg)))
        if not known <= found.get((callee, name), set()):
            found.setdefault((callee, name), set()).update(known)
            changed = True
    return changed

