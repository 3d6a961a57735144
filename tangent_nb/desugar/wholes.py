"""Calls that take all items of lists, in other words: pairs, what is flat, the best or a default; and lengths that have to be the same.

    list(zip(xs, ys))            →      [(x, y) for x, y in zip(xs, ys)]
    sum(rows, [])                →      the items of all rows, appended to a new list
    max(xs, default=v)           →      max(items) if items else v
"""
from __future__ import annotations

from typing import Any

import gast

from ..syntax.nodes import call, library, load, nodes_in, store, subscript
from . import parts
from .state import State


def pairs_of(desugar: State, node: gast.Call) -> Any:
    """`list(zip(xs, ys))`, `list(enumerate(xs))`: the pairs one by one."""
    count = 2 if desugar.object(node.func) is enumerate else len(node.args)
    names = [desugar.names.new("item") for _ in range(count)]
    target = gast.Tuple([store(name) for name in names], gast.Store())
    made = gast.ListComp(gast.Tuple([load(name) for name in names], gast.Load()), [gast.comprehension(target, node, [], 0)])
    return desugar.expr(desugar.placed(made))


def flat(desugar: State, node: gast.Call) -> Any:
    """`sum(rows, [])`: the items of all rows, one after the other."""
    rows = desugar.kept(desugar.expr(node.args[0]), "rows")
    result = desugar.kept(desugar.expr(desugar.placed(subscript(node.args[1], gast.Slice(None, None, None)))), "items")
    row, item = desugar.temporary("row"), desugar.temporary("item")
    inside = gast.For(store(item), load(row), [parts.append(result, load(item))], [], None)
    desugar.statement(desugar.placed(gast.For(store(row), load(rows), [inside], [], None)))
    return load(result)


def or_default(desugar: State, node: gast.Call) -> Any:
    """`max(xs, default=v)`: v only where there is nothing to choose from, but evaluated in any case."""
    name = desugar.kept(desugar.expr(desugar.placed(call("%list", node.args[0]))), "items")
    default = desugar.expr(node.keywords[0].value)
    if not isinstance(default, (gast.Name, gast.Constant)):
        default = load(desugar.kept(default, "default"))
    best = gast.Call(node.func, [load(name)], [])
    return desugar.expr(desugar.placed(gast.IfExp(load(name), best, default)))


def strict(desugar: State, stmt: gast.For) -> None:
    """`for a, b in zip(xs, ys, strict=True):` compares the lengths when the items are at an end, which a loop left by `break` never asks."""
    node = stmt.iter
    if not (isinstance(node, gast.Call) and desugar.object(node.func) is zip and desugar.carries(node) and node.args) \
            or [(k.arg, getattr(k.value, "value", None)) for k in node.keywords] != [("strict", True)] \
            or not all(isinstance(arg, gast.Name) for arg in node.args):
        return
    bound = {part.id for one in (stmt.target, *stmt.body) for part in nodes_in(one)
             if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Load)}
    if bound & {arg.id for arg in node.args}:
        return
    check = gast.Expr(library("rt.check_lengths(x)", x=gast.Tuple([load(arg.id) for arg in node.args], gast.Load())))
    stmt.iter = gast.copy_location(gast.Call(node.func, node.args, []), node)
    stmt.orelse = [desugar.placed(check), *stmt.orelse]
