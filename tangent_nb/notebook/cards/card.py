"""The card of a line: what its names are, which rules made it, why it saves what it saves."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from ...differentiate import Problem
from ...syntax.partners import NONE
from ...syntax.program import Derivation, Emitted, Line, SourceFile, Span
from ...tracing.glance import Glance
from ..helpers import explained
from ..helpers import known as known_helpers
from ..lines import Place, functions_of, links_of
from ..terms import Expressions, margins
from ..tokens import visible
from .facts import ACTIVE, Facts, Used
from .inlined import Given, calls_of, given, of_call, said
from .saved import Saved
from .standing import SEVERAL, is_in_place, only_bound_in, standing
from .values import Found, Values, shape_of

MOST_RULES, MOST_NAMES = 12, 12
LONGEST = 160
WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
ZEROING = re.compile(r"\s*\w+ = \w+\.zeros\w*\([\w., ]*\)")           # `bx = np.zeros_like(x)`: of no rule
OUTLINE = "no number of it is read from here on"
SWEEPS = {"forward": "forward sweep", "backward": "backward sweep", "inserted": "backward sweep, inserted",
          "tangent": "with its tangent", "guard": "guard", "return": "return", "signature": ""}


class Cards:
    """Of one derivation. keys: the rows of the page's left pane by the user's lines."""

    def __init__(self, derivation: Derivation, filename: str, keys: Mapping[Place, int]) -> None:
        self.derivation, self.filename, self.keys = derivation, filename, keys
        self.facts = Facts(derivation)
        self.places = {key: place for place, key in keys.items()}
        self._texts: dict[int, _Text] = {}
        self._values: tuple[Glance, Values] | None = None

    def primal(self, key: int, run: Glance | None) -> dict[str, Any]:
        """The card of a row of the user's text. run: where there is one."""
        place = self.places[key]
        source, _ = self.sources[place]
        function = self._function_of(place, run)
        problem = self.facts.problem(function)
        line = source.line(place[1])
        known = set() if problem is None else self._known(place, function, problem)
        whole = self.final.functions.get(function, next(iter(self.final.functions.values()), range(0)))
        stands = {} if problem is None else self._stands(place, function, problem, known)
        names = [self._name(name, place, function, self.final) for name in _names(line, known | set(stands))
                 if name not in stands]
        if run is not None:
            values, text = self.values(run), self.final
            lines = [number for number, places in text.links.items() if place in places]
            forward = [number for number in lines if text.role(number) not in ("backward", "inserted", "comment")]
            for one in names:
                name = one["name"]
                found = values.given(name, whole) if place not in self.facts.by_place else \
                    values.of_user(place, forward, name) or values.last(name, whole, backward=False) or (
                        values.given(name, whole) if problem is not None and name in problem.parameters else None)
                self._with_values(one, found, " of the derivative")
                self._with_call(one, place, found)
                if place not in run.visits:                # else the value may be of a call that no derivative made
                    self._with_cotangent(one, function, found, " of the derivative")
        names += [self._given(name, stands[name], function, run) for name in _names(line, set(stands))]
        spans = sorted((span for span in self.facts.spans() if span.source.filename == place[0]
                        and span.line <= place[1] <= span.end_line), key=lambda span: (-_size(span), span.column))
        return self._card(f"line {place[1]}", "", names, [(span, True) for span in spans], function, "", [])

    def derived(self, stage: int, row: int, run: Glance | None) -> dict[str, Any]:
        """The card of a row of a stage."""
        text = self.text(stage)
        line = text.emitted.lines[row]
        function, within, bound = text.function(line.number)
        written = text.lines[row]
        place = next(iter(text.links.get(line.number, [])), ("", 0))
        names = [self._name(name, place, function, text) for name in _names(written, bound)]
        if run is not None and text is self.final and (values := self.values(run)).ran(within):
            backward = line.role in ("backward", "inserted", "return")
            for one in names:
                name = one["name"]
                found = values.given(name, within) if line.role == "signature" else values.at_line(line.number, name)
                self._with_values(one, found, "")
                if not backward:
                    self._with_cotangent(one, function, found, "")
        outlined = text.saved.outlined(line.number) if line.role in ("backward", "inserted") else set()
        for one in names:
            if one["name"] in outlined:
                one["says"], one["value"] = f"only its outline is here, shape and dtype: {OUTLINE}", None
        spans = [] if ZEROING.fullmatch(written) and line.role != "forward" else \
            [(span, line.role not in ("forward", "guard")) for span in text.spans(line.number)]
        saved = text.saved.why(line.number)
        helpers = [name for name in dict.fromkeys(re.findall(r"\brt\.(\w+)", written)) if name in known_helpers()]
        said = [[f"rt.{name}", explained(name)["says"]] for name in helpers]
        head = f"line {line.number}"
        sweep = SWEEPS.get(line.role, "")
        return self._card(head + (f" · {sweep}" if sweep else ""), _from(line), names, spans, function, saved, said)

    # ------------------------------------------------------------------ parts
    def _card(self, head: str, origin: str, names: list[dict[str, Any]], spans: list[tuple[Span, bool]], function: str,
              saved: str, said: list[list[str]]) -> dict[str, Any]:
        rules: list[dict[str, Any]] = []
        for span, flows in spans:
            used = self.facts.rule(span, function)
            if used is not None and len(rules) < MOST_RULES:
                rules.append(self._rule(used, flows))
        return {"head": visible(head), "from": visible(origin), "names": names[:MOST_NAMES], "rules": rules,
                "saved": visible(saved), "helpers": said, "offer": "", "note": ""}

    def _rule(self, used: Used, flows: bool) -> dict[str, Any]:
        lines = self._expressions.lines(used.span)
        shown = used.flows if flows else ()
        text = " ".join(used.span.text.split())
        code = text if len(text) <= LONGEST else text[:LONGEST] + "…"
        return {"at": lines[0] if lines else [], "code": visible(code), "name": visible(used.name), "formulas": [
                    one.sent() for one in (*([used.head] if used.head is not None else []), *shown)],
                "where": [[visible(name), visible(text)] for name, text in used.where], "note": visible(used.note)}

    def _name(self, name: str, place: Place, function: str, text: _Text) -> dict[str, Any]:
        made = function if function in text.functions else next(iter(text.functions), "")
        owner, saved = text.owners(made).get(name, ""), text.saves(made).get(name, "")
        word = "tangent" if self.derivation.mode == "forward" else "cotangent"
        kind = "" if saved else self.facts.kind(place, owner or name, function)
        active = "" if owner or saved else self.facts.activity(place, name, function)
        says = f"{word} of {self.facts.written(owner, function)}" if owner else \
            f"{saved} that are saved, a list" if saved else ""
        own = self.derivation.partners.get(made, NONE).made.get(name, "")
        if active.startswith(ACTIVE) and own and made and own not in text.bound(made):
            active += f"; its {word} {own} has no line of its own in this text"
        return {"name": visible(name), "says": visible(says), "kind": visible(kind),
                "activity": visible(active), "value": None, "partner": "", "cotangent": None}

    def _with_values(self, one: dict[str, Any], found: Found | None, whose: str) -> None:
        if found is not None:
            one["value"] = found.sent(whose)

    def _with_cotangent(self, one: dict[str, Any], function: str, found: Found | None, whose: str) -> None:
        """The cotangent of the value that is shown, where it is certain; where a name has several values, that so have
        several cotangents. function: the generated one; where motion is split, another has the backward sweep."""
        name, problem, text, partners = one["name"], self.facts.problem(function), self.final, self.derivation.partners
        halves = text.halves(function)
        partner = partners.get(function, NONE).pairs(text.bound(function)).get(name)
        if found is None or problem is None or partner is None or self._values is None:
            return
        within = {number for half in halves for number in text.functions[half]}
        other = self._values[1].cotangent(name, partner, problem, within)
        if other is not None and shape_of(other.kept) == shape_of(found.kept):
            one["partner"], one["cotangent"] = visible(partner), other.sent(whose)
        elif one["activity"].startswith(ACTIVE) and standing(problem, name) == SEVERAL:
            one["activity"] += f"; its cotangent changes with each value of {visible(name)}: step shows them"

    def _stands(self, place: Place, function: str, problem: Problem, known: set[str]) -> Mapping[str, list[Given]]:
        """What the parameters of a function are given that stands in the place of its calls."""
        source, numbers = self.sources[place]
        calls = calls_of(problem, {(source.filename, number) for number in numbers})
        if place in self._main or not calls:
            return {}
        return {name: found for name, found in given(source, numbers, calls).items()
                if name not in known and len(found) == len(calls)}

    def _given(self, name: str, found: list[Given], function: str, run: Glance | None) -> dict[str, Any]:
        """A parameter of such a function; what it is, where there is one call, which gives it a variable."""
        one = found[0]
        place = one.call.source.filename, one.call.line
        known = self._name(one.text, place, function, self.final) if len(found) == 1 and one.is_name else \
            {"kind": "", "activity": "", "value": None, "partner": "", "cotangent": None}
        if run is not None and len(found) == 1 and one.is_name:
            forward = [number for number, places in self.final.links.items() if place in places
                       and self.final.role(number) not in ("backward", "inserted", "comment")]
            value = self.values(run).of_user(place, forward, one.text)
            self._with_values(known, value if value is not None and not value.after else None, " of the derivative")
        return {**known, "name": visible(name), "says": visible(said(found))}

    def _with_call(self, one: dict[str, Any], place: Place, found: Found | None) -> None:
        """Of which call a value is, in a function that stands in the place of several."""
        if found is None or not found.line or place in self._main:
            return
        source, numbers = self.sources[place]
        lines = {(source.filename, number) for number in numbers}
        parts = {term.part[1:] for term in self.final.emitted.terms if len(term.part) > 1
                 and (term.part[0].source.filename, term.part[0].line) in lines}
        here = {term.part[1:] for term in self.final.emitted.terms if len(term.part) > 1
                and term.line <= found.line <= term.end_line
                and (term.part[0].source.filename, term.part[0].line) in lines}
        if len(parts) > 1 and len(here) == 1:
            one["says"] = one["says"] or visible(of_call(next(iter(here))[0], len(parts)))

    def _known(self, place: Place, function: str, problem: Problem) -> set[str]:
        """The names of a generated function that mean, in a line of the user's, what they mean there; of a function
        that stands in place of its calls those that it alone binds, for another may have one of that name."""
        source, numbers = self.sources[place]
        lines = {(source.filename, number) for number in numbers}
        main = next(iter(self.derivation.emitted.functions), "")
        if is_in_place(problem, lines, fallback=function == main and place not in self._main):
            return only_bound_in(problem, lines)
        return {*problem.scope.local, *problem.parameters}

    # ------------------------------------------------------------------ texts
    def values(self, run: Glance) -> Values:
        """The values of a run."""
        if self._values is None or self._values[0] is not run:
            self._values = run, Values(run, self.filename, self.derivation.emitted)
        return self._values[1]

    def text(self, stage: int) -> _Text:
        """The text of a stage."""
        if stage not in self._texts:
            stages = self.derivation.stages
            emitted = stages[stage].emitted if stages else self.derivation.emitted
            renamed = not any(one.name == "renumber" for one in stages[stage + 1:])
            self._texts[stage] = _Text(emitted, self.derivation, self.facts, renamed)
        return self._texts[stage]

    @property
    def final(self) -> _Text:
        """The text that runs."""
        return self.text(max(0, len(self.derivation.stages) - 1))

    @cached_property
    def sources(self) -> Mapping[Place, tuple[SourceFile, range]]:
        """The user's functions, by their lines."""
        texts = [stage.emitted for stage in self.derivation.stages] or [self.derivation.emitted]
        return {(one[0].filename, number): one
                for one in functions_of(self.derivation.primal, texts) for number in one[1]}

    @cached_property
    def _main(self) -> frozenset[Place]:
        """The lines of the function that is differentiated."""
        source, numbers = functions_of(self.derivation.primal, [])[0]
        return frozenset((source.filename, number) for number in numbers)

    @cached_property
    def _expressions(self) -> Expressions:
        return Expressions(self.keys, margins(list({id(one): one for one in self.sources.values()}.values())))

    def _function_of(self, place: Place, run: Glance | None) -> str:
        """The generated function that a line of the user's went into; of several the function itself, or one that
        ran."""
        _, numbers = self.sources[place]
        main = next(iter(self.derivation.emitted.functions), "")
        for number in (place[1], *numbers):
            found = self.facts.functions_at((place[0], number))
            if found:
                whole = self.final.functions
                ran = [one for one in found if run is not None and self.values(run).ran(whole.get(one, ()))]
                return main if main in found else (ran or found)[0]
        return main


class _Text:
    """One stage, with what is asked of its lines. renamed: names have been numbered anew."""

    def __init__(self, emitted: Emitted, derivation: Derivation, facts: Facts, renamed: bool) -> None:
        self.emitted, self.derivation, self.facts, self.renamed = emitted, derivation, facts, renamed
        self.lines = emitted.text.split("\n")
        self.links = links_of(emitted)
        self._names: dict[str, frozenset[str]] = {}
        self._owners: dict[str, dict[str, str]] = {}

    def role(self, number: int) -> str:
        """What a line does."""
        return self.emitted.lines[number - 1].role

    def spans(self, number: int) -> list[Span]:
        """The user's expressions that have a term in a line."""
        return list(dict.fromkeys(term.part[0] for term in self.emitted.terms
                                  if term.part and term.line <= number <= term.end_line))

    @cached_property
    def functions(self) -> dict[str, range]:
        """The functions, each with its lines."""
        starts = [line.number for line, text in zip(self.emitted.lines, self.lines)
                  if line.role == "signature" and text.startswith("def ")]
        ends = [*starts[1:], len(self.emitted.lines) + 1]
        return {name: range(start, end) for name, start, end in zip(self.emitted.functions, starts, ends)}

    def function(self, number: int) -> tuple[str, range, frozenset[str]]:
        """The function that a line is of, its lines, and the names that it binds."""
        for name, lines in self.functions.items():
            if number in lines:
                return name, lines, self.names(name)
        return "", range(0), frozenset()

    def names(self, function: str) -> frozenset[str]:
        """The names that a function binds."""
        if function not in self._names:
            lines = self.functions[function]
            text = "\n".join(self.lines[lines.start - 1:lines.stop - 1])
            nodes = [node for one in _parsed(text) for node in ast.walk(one)]
            stored = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            self._names[function] = frozenset(stored | {one.arg for one in nodes if isinstance(one, ast.arg)})
        return self._names[function]

    def halves(self, function: str) -> list[str]:
        """A function, and where motion is split the one that has its other sweep."""
        partners = self.derivation.partners
        return [one for one in self.functions if one == function or partners.get(one) is partners.get(function, NONE)]

    def bound(self, function: str) -> frozenset[str]:
        """The names that a function binds, in both sweeps."""
        return frozenset().union(*map(self.names, self.halves(function)))

    def owners(self, function: str) -> Mapping[str, str]:
        """The variable that each cotangent in a function is of; one may be in no text any more."""
        if function not in self._owners:
            bound, partners = self.names(function) if function else (), self.derivation.partners.get(function, NONE)
            self._owners[function] = partners.owners(bound, renamed=self.renamed)
        return self._owners[function]

    @cached_property
    def saved(self) -> Saved:
        """Why it saves what it saves."""
        return Saved(self.emitted, self.functions, self.facts.problem)

    def saves(self, function: str) -> Mapping[str, str]:
        """The lists of saved values, with what is in them."""
        return {save.list: f"the {'outlines' if save.outline else 'values'} of {save.name}"
                for save in self.saved.saves(function)} if function else {}


def _parsed(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except SyntaxError:                                    # a stage of a function whose own text is not Python's
        return []


def _names(line: str, known: frozenset[str] | set[str]) -> Iterator[str]:
    """The variables in a line, each once; none in a comment."""
    if not line.lstrip().startswith("#"):
        line = re.sub(r"^\s*(?:async\s+)?def\s+\w+", "", line)
        yield from (name for name in dict.fromkeys(WORD.findall(line)) if name in known)


def _from(line: Line) -> str:
    """The user's statements that a line comes from."""
    found = dict.fromkeys((one.span.line, one.text) for one in line.origins if one is not None)
    texts = [f"line {number}: {text if len(text) <= LONGEST else text[:LONGEST] + '…'}" for number, text in found]
    return "; ".join(texts[:2]) + (f"; and {len(texts) - 2} more" if len(texts) > 2 else "")


def _size(span: Span) -> int:
    return len(span.text)
