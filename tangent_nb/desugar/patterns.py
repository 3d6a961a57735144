"""`match` as branches.

    match s:                          if isinstance(s, (list, tuple)) and len(s) == 2:
        case [a, b]:           →          a, b = s[0], s[1]
            …                             …
        case _:                       else:
            …                             …
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import gast

from ..syntax.building import assign, call, clone, constant, library, load, subscript, substitute
from ..syntax.nodes import nodes_in
from ..syntax.program import MISSING
from .scopes import captured
from .state import State

ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


Parts: TypeAlias = "tuple[list[gast.expr], list[tuple[str, gast.expr]]]"


class UnknownPatternError(Exception):
    """A pattern that is left for the fence to refuse."""


def branches(desugar: State, stmt: Any) -> list[gast.stmt]:
    """The statements of a match; the match itself where a pattern is not known."""
    subject = stmt.subject
    before: list[gast.stmt] = []
    rebinds = {name for case in stmt.cases for name in captured(case.pattern)} \
        | {part.target.id for case in stmt.cases for part in nodes_in(case) if isinstance(part, gast.NamedExpr)}
    if _read_elsewhere(desugar, stmt):
        desugar.emit(stmt)
        return []
    if not isinstance(subject, gast.Name) or subject.id in rebinds:
        name = desugar.temporary("subject")
        before.append(assign(name, subject))
        subject = load(name)
    try:
        cases = [(*_pattern(desugar, one, subject), case.guard, body) for case in stmt.cases
                 for one, body in _alternatives(case)]
    except UnknownPatternError:
        desugar.emit(stmt)
        return []
    return [desugar.placed(one) for one in [*before, *_chain(desugar, cases)]]


def _alternatives(case: Any) -> list[tuple[Any, list[gast.stmt]]]:
    """The patterns of a case; those of an or-pattern that binds names one by one, each with the body."""
    pattern = case.pattern
    # a guard is asked once
    if not isinstance(pattern, gast.MatchOr) or not captured(pattern) or case.guard is not None:
        return [(pattern, case.body)]
    return [(one, case.body if i == 0 else clone(case.body)) for i, one in enumerate(pattern.patterns)]


def _read_elsewhere(desugar: State, stmt: Any) -> bool:
    """A name that a case with a guard binds is read outside of the case: Python binds it before it asks the guard."""
    for case in stmt.cases:
        names = captured(case.pattern)
        if case.guard is None or not names:
            continue
        inside = {id(part) for other in stmt.cases for part in nodes_in(other)}
        if any(isinstance(part, gast.Name) and part.id in names and isinstance(part.ctx, gast.Load)
               and id(part) not in inside for part in nodes_in(desugar.tree)):
            return True
    return any(_shares_unbound(stmt.cases, i) for i in range(len(stmt.cases)))


def _shares_unbound(cases: list[Any], i: int) -> bool:
    """A case reads a name that an earlier one with a guard binds, and that it does not bind itself."""
    earlier = {name for case in cases[:i] if case.guard is not None for name in captured(case.pattern)}
    own = captured(cases[i].pattern)
    return any(isinstance(part, gast.Name) and part.id in earlier - own for part in nodes_in(cases[i]))


def _chain(desugar: State, cases: list[Any]) -> list[gast.stmt]:
    if not cases:
        return []
    (tests, binds, guard, body), rest = cases[0], cases[1:]
    bindings: list[gast.stmt] = [assign(name, value) for name, value in binds]
    if guard is not None and not binds:
        tests, guard = [*tests, guard], None
    if guard is None:
        if not tests:
            return [*bindings, *body]
        return [gast.If(_all(tests), [*bindings, *body], _chain(desugar, rest))]
    guard = substitute(guard, dict(binds))             # a name is bound where the case is taken
    return [gast.If(_all([*tests, guard]), [*bindings, *body], _chain(desugar, rest))]


def _all(tests: list[gast.expr]) -> gast.expr:
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)


def _pattern(desugar: State, pattern: Any, subject: gast.expr) -> Parts:
    """The tests that a pattern puts to a subject, in order, and what it binds."""
    if isinstance(pattern, gast.MatchValue):
        return [gast.Compare(clone(subject), [gast.Eq()], [pattern.value])], []
    if isinstance(pattern, gast.MatchSingleton):
        return [gast.Compare(clone(subject), [gast.Is()], [constant(pattern.value)])], []
    if isinstance(pattern, gast.MatchAs):
        tests, binds = _pattern(desugar, pattern.pattern, subject) if pattern.pattern is not None else ([], [])
        return tests, [*binds, (pattern.name, clone(subject))] if pattern.name else binds
    if isinstance(pattern, gast.MatchOr):
        parts = [_pattern(desugar, one, subject) for one in pattern.patterns]
        if any(binds for _, binds in parts) or any(not tests for tests, _ in parts):
            raise UnknownPatternError                      # of several, that bind names, each is a case of its own
        return [gast.BoolOp(gast.Or(), [_all(tests) for tests, _ in parts])], []
    if isinstance(pattern, gast.MatchStar):
        return [], [(pattern.name, call("%list", subject))] if pattern.name else []
    if isinstance(pattern, gast.MatchSequence):
        return _sequence(desugar, pattern, subject)
    if isinstance(pattern, gast.MatchMapping):
        return _mapping(desugar, pattern, subject)
    if isinstance(pattern, gast.MatchClass):
        return _class(desugar, pattern, subject)
    raise UnknownPatternError


def _mapping(desugar: State, pattern: Any, subject: gast.expr) -> Parts:
    tests: list[gast.expr] = [library("rt.is_mapping(x)", x=clone(subject))]
    binds: list[tuple[str, gast.expr]] = []
    for key, one in zip(pattern.keys, pattern.patterns, strict=True):
        tests.append(gast.Compare(clone(key), [gast.In()], [clone(subject)]))
        more, bound = _pattern(desugar, one, subscript(clone(subject), key))
        tests, binds = tests + more, binds + bound
    if pattern.rest:
        rest: gast.expr = call("%dict", clone(subject))
        for key in pattern.keys:
            rest = library("rt.without(d, k)", d=rest, k=clone(key))
        binds.append((pattern.rest, rest))
    return tests, binds


def _sequence(desugar: State, pattern: Any, subject: gast.expr) -> Parts:
    parts = pattern.patterns
    stars = [i for i, one in enumerate(parts) if isinstance(one, gast.MatchStar)]
    star = stars[0] if stars else len(parts)
    after = len(parts) - star - 1 if stars else 0
    compared = gast.GtE() if stars else gast.Eq()
    tests: list[gast.expr] = [library("rt.is_sequence(x)", x=clone(subject)), gast.Compare(
        call("%len", clone(subject)), [compared], [constant(len(parts) - len(stars))])]
    places: list[gast.expr] = [constant(i if i < star else i - len(parts)) for i in range(len(parts))]
    if stars:
        places[star] = gast.Slice(constant(star) if star else None, constant(-after) if after else None, None)
    items = [subscript(clone(subject), place) for place in places]
    return _of_parts(desugar, tests, zip(parts, items, strict=True))


def _of_parts(desugar: State, tests: list[gast.expr], parts: Iterable[tuple[Any, gast.expr]]) -> Parts:
    """The same of patterns for parts of what has passed these tests."""
    binds: list[tuple[str, gast.expr]] = []
    for one, part in parts:
        more, bound = _pattern(desugar, one, part)
        tests, binds = tests + more, binds + bound
    return tests, binds


def _class(desugar: State, pattern: Any, subject: gast.expr) -> Parts:
    kind = desugar.object(pattern.cls)
    if kind is MISSING or not isinstance(kind, type):
        raise UnknownPatternError
    asks = "isinstance" if desugar.object(load("isinstance")) is isinstance else "%isinstance"
    tests: list[gast.expr] = [call(asks, clone(subject), pattern.cls)]
    if kind in ITSELF and len(pattern.patterns) == 1:
        return _of_parts(desugar, tests, [(pattern.patterns[0], subject)])
    if kind.__module__ != "builtins":
        desugar.assume(pattern.cls, kind)
    names = [*getattr(kind, "__match_args__", ())[:len(pattern.patterns)], *pattern.kwd_attrs]
    if len(names) != len(pattern.patterns) + len(pattern.kwd_attrs):
        raise UnknownPatternError
    parts = [gast.Attribute(clone(subject), name, gast.Load()) for name in names]
    return _of_parts(desugar, tests, zip([*pattern.patterns, *pattern.kwd_patterns], parts, strict=True))
