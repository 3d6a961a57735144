"""What the names of a function are that stands in the place of its calls: its parameters, and of which call a value is.

Needs the problem in which it stands, and its lines. Promises for a parameter what is written at each call, and nothing
where that cannot be told: stars, methods, a call that was not found.
"""
from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...differentiate import Problem
from ...syntax.blocks import statements
from ...syntax.program import SourceFile, Span
from ..lines import Place

MOST = 3                                                   # calls that are named


@dataclass(frozen=True)
class Given:
    """What a parameter is at a call. text: as it is written there; call: the call itself; within: the calls in whose
    place this one stands, the innermost first."""

    text: str
    call: Span
    within: tuple[Span, ...] = ()

    @property
    def is_name(self) -> bool:
        """A variable of the function that is differentiated."""
        return self.text.isidentifier() and not self.within


def calls_of(problem: Problem, lines: Collection[Place]) -> list[tuple[Span, ...]]:
    """The calls in whose place a function of these lines stands, each with those around it, the innermost first."""
    parts: Iterator[tuple[Span, ...]] = (getattr(stmt, "part", ()) for stmt in statements(problem.body))
    return list(dict.fromkeys(part[1:] for part in parts
                              if len(part) > 1 and (part[0].source.filename, part[0].line) in lines))


def parameters_of(source: SourceFile, numbers: Iterable[int]) -> list[ast.arg] | None:
    """The parameters of a function by its lines; None where it has stars, or is none.

    >>> file = SourceFile("f.py", "f.py", ("  def f(a, b=1):", "    return a"))
    >>> [one.arg for one in parameters_of(file, [1, 2])]
    ['a', 'b']
    """
    text = textwrap.dedent("\n".join(source.line(number) for number in numbers))
    try:
        found = ast.parse(text).body
    except SyntaxError:
        return None
    if len(found) != 1 or not isinstance(found[0], ast.FunctionDef) or found[0].args.vararg or found[0].args.kwarg:
        return None
    return [*found[0].args.posonlyargs, *found[0].args.args, *found[0].args.kwonlyargs]


def given(source: SourceFile, numbers: Iterable[int], calls: Iterable[tuple[Span, ...]]) -> Mapping[str, list[Given]]:
    """What each parameter is given, call by call; what is left to a default is not there."""
    parameters = parameters_of(source, numbers) or []
    names = [one.arg for one in parameters]
    found: dict[str, list[Given]] = {name: [] for name in names}
    for call, *within in calls:
        for name, text in _bound(call.text, names).items():
            found[name].append(Given(text, call, tuple(within)))
    return {name: all_of for name, all_of in found.items() if all_of}


def _bound(text: str, names: list[str]) -> Mapping[str, str]:
    """The arguments of a call by the parameters.

    >>> _bound("f(x, b=2 * y)", ["a", "b"]), _bound("layer.f(x)", ["self", "x"]), _bound("f(*x)", ["a"])
    ({'a': 'x', 'b': '2 * y'}, {}, {})
    """
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return {}
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or len(node.args) > len(names) \
            or any(isinstance(one, ast.Starred) for one in node.args):
        return {}
    named = {one.arg: one.value for one in node.keywords if one.arg is not None}
    if len(named) < len(node.keywords) or not set(named) <= set(names[len(node.args):]):
        return {}
    return {name: ast.unparse(value) for name, value in {**dict(zip(names, node.args)), **named}.items()}


def said(found: list[Given]) -> str:
    """What a parameter is, in words."""
    texts = [f"{one.text} in {' '.join(one.call.text.split())}, line {one.call.line}" for one in found]
    more = f"; and {len(texts) - MOST} more" if len(texts) > MOST else ""
    return "parameter: " + "; ".join(texts[:MOST]) + more


def of_call(call: Span, count: int) -> str:
    """Of which of several calls a value is, in words."""
    return f"in {' '.join(call.text.split())}, line {call.line}, one of {count} calls"
