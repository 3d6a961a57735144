"""Rules as formulas: `y = tanh(x)`, and what goes back through it, `x̄ += ȳ (1 − y²)`.

A row's texts are what formulas are made of; which of them holds is asked as reverse and forward mode ask it.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import gast

from ...analyse.kinds import spec_of
from ...analyse.resolve import Operation, Scope
from ...differentiate.partials import partial
from ...rules import Rule
from ...syntax.building import expr, load
from ...syntax.nodes import is_literal
from ...syntax.spec import UNKNOWN, Spec
from .typeset import Math, over, plain, row, symbol, typeset

BAR, DOT = "¯", "˙"
EQUALS: Math = ["mo", " = "]
ADDS: Math = ["mo", " += "]


@dataclass(frozen=True)
class Formula:
    """A formula as a tree, and as text."""

    math: Math

    @property
    def text(self) -> str:
        """The formula where there is no MathML."""
        return " ".join(plain(self.math).split())

    def sent(self) -> dict[str, Any]:
        """For the page."""
        return {"math": self.math, "text": self.text}


def of_row(rule: Rule, side: str = "pull") -> list[Formula]:
    """The formulas of a row where nothing is known of its arguments: the operation, and one for each of them that has a
    derivative. side: `"pull"`, or `"push"` for forward mode.

    >>> import numpy as np
    >>> from tangent_nb.rules import lookup
    >>> [one.text for one in of_row(lookup(np.tanh))]
    ['y = tanh(x)', 'x̄ += ȳ (1 − y²)']
    """
    choices = rule.pull if side == "pull" else rule.push
    called = f"{rule.name}({', '.join(rule.params)})" if _is_name(rule.name) else ""
    head = row(symbol(rule.result), EQUALS, typeset(expr(called), {}) if called else
               row(["mi", rule.name], ["mo", "("], *_listed(rule.params), ["mo", ")"]))
    return [Formula(head), *(Formula(flow(rule, name, side, several[-1].expr)) for name, several in choices.items())]


def flow(rule: Rule, name: str, side: str, tree: Any) -> Math:
    """What goes through an operation from its result to an argument, or in forward mode from there."""
    backward = side == "pull"
    given = over(rule.result, BAR) if backward else over(name, DOT)
    made = over(name, BAR) if backward else over(rule.result, DOT)
    return row(made, ADDS, typeset(tree, {"g": given}))


def of_operation(operation: Operation, value: Any, side: str, specs: Mapping[str, Spec],
                 moving: Iterable[str]) -> tuple[Formula, list[Formula]]:
    """The formulas of an operation as it is written: the operation itself, and what goes through those of its arguments
    that move. value: the expression; specs: of the arguments and the result, by the names of the row."""
    rule = operation.rule
    assert rule is not None
    named = {name: gast.Name(name, gast.Load(), None, None) for name, node in operation.args.items()
             if not is_literal(node) and not isinstance(node, gast.Slice)}
    names = {id(operation.args[name]): name for name in named}
    written = _named(value, names)
    if isinstance(written, gast.Call) and _is_name(rule.name) \
            and rule.name.split(".")[0] not in rule.params:                # whatever the user calls the library
        if isinstance(value.func, gast.Attribute) and id(value.func.value) in {
                id(one) for one in operation.args.values()}:               # `x.sum()` is `np.sum(x)`
            written.args = [written.func.value, *written.args]
        written.func = expr(rule.name)
    head = Formula(row(symbol(rule.result), EQUALS, typeset(written, {})))
    asked, g = operation._replace(args={**operation.args, **named}), load("g")
    flows = []
    for name in moving:
        got = partial(asked, side, name, g, load(rule.result), specs) \
            if name in (rule.pull if side == "pull" else rule.push) else None
        if got is not None:
            flows.append(Formula(flow(rule, name, side, got[0])))
    return head, flows


def specs_at(operation: Operation, env: Mapping[str, Spec], after: Mapping[str, Spec], y: str,
             scope: Scope) -> dict[str, Spec]:
    """What is known of the arguments and of the result, by the names of the row."""
    assert operation.rule is not None
    specs = {name: spec_of(node, env, scope) for name, node in operation.args.items()
             if not isinstance(node, gast.Slice)}
    specs[operation.rule.result] = after.get(y, UNKNOWN)
    return specs


def _is_name(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _listed(names: Iterable[str]) -> list[Math]:
    return [one for place, name in enumerate(names) for one in ([["mo", ", "]] if place else []) + [symbol(name)]]


def _named(node: Any, names: Mapping[int, str]) -> Any:
    """A copy of an expression, arguments by the names that the row gives them. names: by the ids of nodes."""
    if isinstance(node, list):
        return [_named(one, names) for one in node]
    if not isinstance(node, gast.AST):
        return node
    if id(node) in names:
        return gast.Name(names[id(node)], gast.Load(), None, None)
    return type(node)(**{name: _named(getattr(node, name, None), names) for name in node._fields})
