"""What the analyses found of the names and expressions of a derivative: which rule, what kind, whether active.

Needs the problems that the functions posed. Promises answers by the user's lines and by the spans of his expressions.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import gast

from ...differentiate import Problem
from ...differentiate.partials import literal_power
from ...pipeline.dress import made_as
from ...syntax.blocks import statements
from ...syntax.nodes import is_literal, reads, unparse
from ...syntax.program import Derivation, Span
from ...syntax.spec import UNKNOWN, Spec
from ..lines import Place
from ..tokens import visible
from .formulas import Formula, of_operation, specs_at
from .standing import bound_by, spans_of

LONGEST = 120
ACTIVE = "has a derivative"
KINDS = {"numeric": "a number or an array", "array": "an array", "scalar": "a number",
         "items": "a container or an array", "versions": "an array, or a persistent one"}
WHOLE = {"int": "an integer", "bool": "a truth value", "str": "a text", "none": "None", "range": "a range"}


@dataclass(frozen=True)
class Used:
    """A rule where it is used. span: the expression that it is of; name: the row's; head: the operation; flows: what
    goes through it; where: what the names of the formula are here; note: what else is said of it."""

    span: Span
    name: str
    head: Formula | None
    flows: tuple[Formula, ...]
    where: tuple[tuple[str, str], ...]
    note: str


class Facts:
    """Of one derivation."""

    def __init__(self, derivation: Derivation) -> None:
        self.derivation = derivation
        self.side = "push" if derivation.mode == "forward" else "pull"
        self.problems: dict[str, Problem] = dict(derivation.problems)

    @cached_property
    def _by_span(self) -> Mapping[Span, list[tuple[str, Problem, Any]]]:
        found: dict[Span, list[tuple[str, Problem, Any]]] = defaultdict(list)
        for name, problem in self._distinct():
            for stmt in statements(problem.body):
                for span in getattr(stmt, "part", ())[:1]:
                    found[span].append((name, problem, stmt))
        return found

    @cached_property
    def by_place(self) -> Mapping[Place, list[tuple[str, Problem, Any]]]:
        """The statements of the normal form by the user's lines that they come from."""
        found: dict[Place, list[tuple[str, Problem, Any]]] = defaultdict(list)
        for name, problem in self._distinct():
            for stmt in statements(problem.body):
                for span in spans_of(stmt):
                    for number in range(span.line, span.end_line + 1):
                        found[span.source.filename, number].append((name, problem, stmt))
        return found

    def _distinct(self) -> Iterator[tuple[str, Problem]]:
        seen: set[int] = set()
        for name, problem in self.problems.items():
            if id(problem) not in seen:
                seen.add(id(problem))
                yield name, problem

    def spans(self) -> Iterator[Span]:
        """The expressions that something is known of."""
        return iter(self._by_span)

    def functions_at(self, place: Place) -> list[str]:
        """The generated functions that a line of the user's went into."""
        return list(dict.fromkeys(name for name, _, _ in self.by_place.get(place, [])))

    def problem(self, function: str) -> Problem | None:
        """What a generated function was made of; of one that nobody knows, what the derivative itself was made of."""
        return self.problems.get(function) or next(iter(self.problems.values()), None)

    def rule(self, span: Span, function: str = "") -> Used | None:
        """The rule of an expression of the user's; None where it has none. function: the generated one it stands in."""
        found = self._by_span.get(span, [])
        own = [one for one in found if self.problems.get(function) is one[1]] or found
        for _, problem, stmt in own:
            used = self._used(span, problem, stmt)
            if used is not None:
                return used
        return None

    def _used(self, span: Span, problem: Problem, stmt: Any) -> Used | None:
        value, targets = getattr(stmt, "value", None), getattr(stmt, "targets", [getattr(stmt, "target", None)])
        if isinstance(stmt, gast.AugAssign):
            value = gast.BinOp(_load(stmt.target), stmt.op, stmt.value)
        if value is None:
            return None
        pair = getattr(stmt, "pair", None)
        if pair is not None:
            made = pair.backward or pair.forward
            note = "derived when it is called" if pair.dynamic else \
                f"a function of its own: its derivative is {made}" if made else "a function of its own"
            return Used(span, _called(value), None, (), (), note)
        operation = problem.scope.operation(value)
        rule = operation.rule
        if operation.kind != "rule" or rule is None:
            return None
        y = targets[0].id if isinstance(targets[0], gast.Name) else ""
        specs = specs_at(operation, problem.kinds.before(stmt), problem.kinds.after(stmt), y, problem.scope)
        varied = problem.activity.varied.before(stmt)
        active = y in problem.activity.useful.after(stmt)
        moving = [name for name, node in operation.args.items() if active and reads(node) & set(varied)]
        head, flows = of_operation(operation, value, self.side, specs, moving)
        where = [(name, self._text(node, problem)) for name, node in operation.args.items() if not is_literal(node)]
        where.append((rule.result, y if y and y not in problem.temporaries else _line_of(span)))
        notes = [one for one in ("" if literal_power(operation, "x") else rule.note,
                                 "" if rule.pull or rule.push else _constant(rule),
                                 "for each element" if rule.diagonal and flows else "") if one]
        return Used(span, rule.name, head, tuple(flows),
                    tuple((name, text) for name, text in where if name != text and text), "; ".join(notes))

    def written(self, name: str, function: str) -> str:
        """A variable, or where it is a temporary the expression of the user's that it stands for."""
        problem = self.problem(function)
        return name if problem is None or name not in problem.temporaries else self._made(problem).get(name, name)

    def _text(self, node: Any, problem: Problem) -> str:
        """An argument as the user wrote it."""
        if not isinstance(node, gast.Name):
            return _line_of(node.at) if hasattr(node, "at") else visible(unparse(node).replace("%", ""))[:LONGEST]
        if node.id not in problem.temporaries:
            return str(node.id)
        made = self._made(problem).get(node.id)
        return node.id if made is None else made

    def _made(self, problem: Problem) -> Mapping[str, str]:
        known = self.__dict__.setdefault("_texts", {})
        if id(problem) not in known:
            known[id(problem)] = {
                stmt.targets[0].id: _line_of(part[0]) for stmt in statements(problem.body)
                if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)
                and (part := getattr(stmt, "part", ())) and part[0] not in spans_of(stmt)}
        return known[id(problem)]                          # type: ignore[no-any-return]

    # ------------------------------------------------------------------ names
    def at(self, place: Place, name: str, function: str = "") -> list[tuple[Problem, Any]]:
        """The statements of the normal form that a line became, and that bind or read a name; where none does, all
        that bind it."""
        here = [(problem, stmt) for _, problem, stmt in self.by_place.get(place, []) if _mentions(stmt, name)]
        own = self.problem(function)
        if here:
            return [one for one in here if one[0] is own] or here
        return [] if own is None else [(own, stmt) for stmt in statements(own.body) if name in bound_by(stmt)]

    def kind(self, place: Place, name: str, function: str = "") -> str:
        """What is known of a value without a call, in words; empty where nothing is."""
        problem = self.problem(function)
        if place not in self.by_place and problem is not None and name in problem.parameters:
            return described(problem.specs.get(name, UNKNOWN), problem)
        found = [(one, _spec(one, stmt, name)) for one, stmt in self.at(place, name, function)]
        if not found and problem is not None and name in problem.specs:
            found = [(problem, problem.specs[name])]
        texts = dict.fromkeys(described(spec, one) for one, spec in found)
        return " or ".join(texts) if 0 < len(texts) < 3 and "" not in texts else ""

    def activity(self, place: Place, name: str, function: str = "") -> str:
        """Whether a derivative goes through a name here, and why not."""
        problem = self.problem(function)
        if problem is None:
            return ""
        if place not in self.by_place and name in problem.parameters:
            return self._of_parameter(problem, name)
        found = self.at(place, name, function)
        if not found:
            return self._of_parameter(problem, name) if name in problem.parameters else ""
        problem = found[0][0]
        varied = [one for one in found if _holds(one[0].activity.varied, one[1], name)]
        if any(_holds(one.activity, stmt, name) for one, stmt in varied):
            return f"{ACTIVE}: it depends on {_listed(problem.wrt)} and reaches the result"
        if varied:
            return "does not reach the result: no derivative"
        if name in problem.parameters and not any(name in bound_by(stmt) for stmt in statements(problem.body)):
            return self._of_parameter(problem, name)
        whole = {_spec(one, stmt, name).kind for one, stmt in found}
        if len(whole) == 1 and (only := next(iter(whole))) in WHOLE:
            return f"{WHOLE[only]}: no derivative"
        for one, stmt in found:
            if name in bound_by(stmt) and (why := _stops(one, stmt)):
                return why
        return f"does not depend on {_listed(problem.wrt)}: no derivative"

    def _of_parameter(self, problem: Problem, name: str) -> str:
        if name not in problem.wrt:
            kind = problem.specs.get(name, UNKNOWN).kind
            return f"{WHOLE[kind]}: no derivative" if kind in WHOLE else \
                f"constant: the derivative is with respect to {_listed(problem.wrt)}"
        start = problem.body[0] if problem.body else None
        reached = start is not None and name in problem.activity.useful.before(start)
        return "differentiated: it reaches the result" if reached or name == problem.result else \
            "differentiated, but does not reach the result: its derivative is zero"


def described(spec: Spec, problem: Problem | None = None) -> str:
    """What is known of a value, in words.

    >>> import numpy as np
    >>> described(Spec.of(np.ones((2, 3)))), described(Spec("float")), described(Spec.symbol("x")), described(Spec())
    ('f8[2, 3]', 'float', 'a number or an array, shape and dtype of x', '')
    """
    if spec.kind == "unknown":
        return ""
    if spec.kind == "array" and isinstance(spec.shape, tuple):
        others = [] if problem is None else [one for one in problem.specs.values() if isinstance(one.shape, tuple)]
        dtype = spec if isinstance(spec.dtype, str) else spec.like(dtype="array")
        return made_as([*others, dtype])[-1]
    words = KINDS.get(spec.kind, spec.kind)
    if spec.items is not None and spec.kind in ("tuple", "list"):
        return f"{spec.kind} of {len(spec.items)}"
    same = [what for what, of in (("shape", spec.shape), ("dtype", spec.dtype))
            if isinstance(of, frozenset) and len(of) == 1 and all(isinstance(one, str) for one in of)]
    names = {one for of in (spec.shape, spec.dtype) if isinstance(of, frozenset) for one in of if isinstance(one, str)}
    if same and len(names) == 1:
        words += f", {' and '.join(same)} of {next(iter(names))}"
    dims = spec.dims
    return f"{words} of {dims} {'dimension' if dims == 1 else 'dimensions'}" if spec.kind == "array" and dims else words


def _spec(problem: Problem, stmt: Any, name: str) -> Spec:
    kinds = problem.kinds
    env = kinds.after(stmt) if name in bound_by(stmt) else kinds.before(stmt)
    return env.get(name, UNKNOWN)


def _holds(facts: Any, stmt: Any, name: str) -> bool:
    return name in facts.after(stmt) if name in bound_by(stmt) else name in facts.before(stmt)


def _mentions(stmt: Any, name: str) -> bool:
    found = [getattr(stmt, key, None) for key in ("value", "test", "iter", "target")]
    parts = [one for one in found if one is not None]
    return name in bound_by(stmt) or name in reads([*parts, *getattr(stmt, "targets", [])])


def _stops(problem: Problem, stmt: Any) -> str:
    """The row through which no derivative flows."""
    value = getattr(stmt, "value", None)
    if value is None:
        return ""
    for node in gast.walk(value):
        if isinstance(node, (gast.Call, gast.BinOp, gast.UnaryOp)):
            rule = problem.scope.operation(node).rule
            if rule is not None and rule.because and reads(node) & set(problem.activity.varied.before(stmt)):
                return f"no derivative goes through {rule.name}: {rule.because}"
    return ""


def _constant(rule: Any) -> str:
    return f"no derivative: {rule.because}" if rule.because else "no derivative"


def _line_of(span: Span) -> str:
    text = " ".join(span.text.split())
    return visible(text if len(text) <= LONGEST else text[:LONGEST] + "…")


def _called(value: Any) -> str:
    return unparse(value.func).replace("%", "") if isinstance(value, gast.Call) else "a call"


def _load(target: Any) -> Any:
    return gast.Name(target.id, gast.Load(), None, None) if isinstance(target, gast.Name) else \
        gast.Subscript(target.value, target.slice, gast.Load()) if isinstance(target, gast.Subscript) else target


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nothing"
