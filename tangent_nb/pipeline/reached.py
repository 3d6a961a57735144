"""What is refused when it is reached: a place that not every path passes is left out of the text,
and the rest is differentiated.

Needs the refusals of an attempt. Promises a text that is the same on every path that does not reach one of these
places, and raises there; or that there is none, where no path would be left that returns.

    if mode == "plot":                    if mode == "plot":
        y = draw(x)             →             raise rt.refused("draw writes a file", "…")
    else:                                 else:
        y = x * x                             y = x * x
    return y                              return y
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.leaving import ends
from ..desugar.scopes import bound, located, own
from ..errors import Refusal
from ..optimise import changed_in_place
from ..syntax.blocks import blocks, change_blocks, statements, surroundings
from ..syntax.building import assign, clone, constant, library, load, mark, origin_of
from ..syntax.nodes import body_without_docstring, reads
from ..syntax.program import Captured, Origin, Span

STAYS = (gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom, gast.Await)  # what says of a whole function what it is
FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


@dataclass
class Reached:
    """The places of one derivation that are refused when they are reached.
    capture: finds the text of a function as it was written."""

    capture: Callable[[Any], Captured]
    places: dict[Span, Refusal] = field(default_factory=dict)
    texts: dict[Any, Captured] = field(default_factory=dict)

    def __call__(self, fn: Any) -> Captured:
        """The text of a function without these places."""
        if fn not in self.texts:
            self.texts[fn] = self.without(self.capture(fn))
        return self.texts[fn]

    def takes(self, refusals: Iterable[Refusal]) -> bool:
        """Take these places too; False where that would be none that is new, or one of them has no place."""
        new = {one.span: one for one in refusals if one.span is not None and one.span not in self.places}
        self.places.update(new)
        self.texts.clear()
        return bool(new)

    def without(self, captured: Captured) -> Captured:
        """A text without these places."""
        here = [one for span, one in self.places.items() if span.source.filename == captured.source.filename]
        if not any(_within(one, captured.tree) for one in here):
            return captured
        tree = clone(captured.tree)
        _cut(tree, here)
        return replace(captured, tree=tree)


def returns(captured: Captured) -> bool:
    """Some path through the text, its loops taken once, ends by return."""
    return "return" in ends(captured.tree.body)


def is_certain(refusal: Refusal, captured: Captured) -> bool:
    """Every path through the text that returns passes the place, or it stands in another text."""
    alone = Reached(lambda fn: captured)
    return refusal.span is None or refusal.span.source.filename != captured.source.filename \
        or not alone.takes([refusal]) or not returns(alone.without(captured)) or alone.without(captured) is captured


def words(refusal: Refusal) -> set[str]:
    """The names where a refusal is."""
    return set() if refusal.span is None else set(re.findall(r"\w+", refusal.span.text))


def tell_changed(body: Sequence[gast.stmt], names: Sequence[str]) -> None:
    """Say at each place which arrays of the caller may have been changed before it is reached.
    names: of those that the body changes."""
    around = surroundings(body)
    order = list(statements(body))
    loops = {id(stmt): {id(one) for one, _ in around.get(id(stmt), []) if isinstance(one, (gast.For, gast.While))}
             for stmt in order}
    for i, stmt in enumerate(order):
        if hasattr(stmt, "reached") and any(
                changed_in_place([one]) for k, one in enumerate(order) if k < i or loops[id(one)] & loops[id(stmt)]):
            made: Any = stmt
            made.exc = clone(made.exc)
            text = made.exc.args[0]
            made.exc.args[0] = constant(f"{text.value}; {' and '.join(names)} may have been changed by then")


def _within(refusal: Refusal, node: Any) -> bool:
    span = refusal.span
    return span is not None and hasattr(node, "lineno") and (node.lineno, node.col_offset) <= (span.line, span.column) \
        and (span.end_line, span.end_column) <= (node.end_lineno, node.end_col_offset)


def _is_end(refusal: Refusal, tree: Any) -> bool:
    """The place is the end of this function."""
    return refusal.end and isinstance(tree, FUNCTIONS) and refusal.span == tree.origin.span


def _cut(tree: Any, refusals: Sequence[Refusal]) -> None:
    """Leave the places out of a function. A name that it still reads, and binds nowhere else,
    stays its own: it is bound where nothing runs."""
    before = bound(tree)
    tree.body = _block(tree.body, refusals)
    tree.body += [_raised(tree.body[-1], one) for one in refusals if _is_end(one, tree)]
    if lost := sorted((before - bound(tree)) & reads(tree.body)):
        place = len(tree.body) if "next" in ends(tree.body) else len(tree.body) - len(body_without_docstring(tree))
        near = tree.body[min(place, len(tree.body) - 1)]
        made = gast.If(constant(False), [mark(assign(name, load(name)), origin=near.origin) for name in lost], [])
        tree.body.insert(place, mark(located(made, near), origin=near.origin))


def _block(body: Sequence[gast.stmt], refusals: Sequence[Refusal]) -> list[gast.stmt]:
    done: list[gast.stmt] = []
    for stmt in body:
        inside = [one for one in refusals if _within(one, stmt)]
        done += _statement(stmt, inside) if inside else [stmt]
        if hasattr(done[-1], "reached") and not any(isinstance(node, STAYS) for node in own(body)):
            break                                          # what follows does not run
    return done


def _statement(stmt: Any, inside: Sequence[Refusal]) -> list[gast.stmt]:
    parts = [*blocks(stmt), *([stmt.body] if isinstance(stmt, FUNCTIONS) else [])]
    if all(_is_end(one, stmt) or any(_within(one, part) for block in parts for part in block) for one in inside):
        if isinstance(stmt, FUNCTIONS):
            _cut(stmt, inside)
        else:
            change_blocks(stmt, lambda block: _block(block, inside))
        return [stmt]
    arms = _arms(stmt)
    if arms is not None and not any(_within(one, arms.test) for one in inside):
        return _statement(arms, inside)
    if any(isinstance(node, STAYS) for node in own([stmt])):
        return [stmt]
    first = min(inside, key=lambda one: (one.span.line, one.span.column) if one.span is not None else (0, 0))
    return [_raised(stmt, first)]


def _arms(stmt: Any) -> gast.If | None:
    """`y = a if c else b` as a branch."""
    if not isinstance(stmt, (gast.Assign, gast.Return, gast.Expr)) or not isinstance(stmt.value, gast.IfExp):
        return None
    whole, arms = stmt.value, []
    for value in (whole.body, whole.orelse):
        arm = clone(stmt)
        arm.value = value
        arm.lineno, arm.col_offset, arm.end_lineno, arm.end_col_offset = value.lineno, value.col_offset, \
            value.end_lineno, value.end_col_offset
        arms.append(arm)
    return mark(gast.copy_location(gast.If(whole.test, arms[:1], arms[1:]), stmt), origin=stmt.origin)


def _raised(stmt: gast.stmt, refusal: Refusal) -> gast.stmt:
    text = "rt.refused(why, instead)" if refusal.remedy else "rt.refused(why)"
    made = library(text, why=constant(refusal.why), instead=constant(refusal.remedy))
    raised = gast.copy_location(gast.Raise(made, None), stmt)
    origin = origin_of(stmt)
    assert refusal.span is not None
    return mark(raised, origin=Origin(refusal.span, None if origin is None else origin.span), reached=refusal)
