"""Make a failing program small: greedy, on the data.

Each candidate has one statement or one subexpression less; the first that still fails in the same way is taken, until
none does.
"""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from grammar import Block, Expr, Program, Stmt, without_unused

LEAVES = {"s": ("0.7", "1.0"), "v": ("np.array([1.1, -0.6, 0.8])", "np.ones(3)"), "m": ("np.eye(3)",),
          "p": ("np.array([0.9, -0.4])",), "r": ("np.ones((2, 3))",), "k": ("1", "range(1)")}


def smaller_expr(expr: Expr) -> Iterator[Expr]:
    """Expressions with less in them: a descendant of the same type, a constant, or one child made smaller."""
    kind, template, *children = expr
    stack = list(children)
    while stack:
        node = stack.pop(0)
        if node[0] == kind:
            yield node
        else:
            stack += node[2:]
    if children:
        for text in LEAVES.get(kind, ()):
            yield (kind, text)
    for i, child in enumerate(children):
        for less in smaller_expr(child):
            yield (kind, template, *children[:i], less, *children[i + 1:])


def smaller_statement(statement: Stmt) -> Iterator[Block]:
    """What may stand in a statement's place: nothing, its blocks, or itself with less in it."""
    yield ()
    match statement:
        case ("if", test, then, other):
            yield then
            yield other
            if other:
                yield (("if", test, then, ()),)
            for block in smaller_block(then):
                if block:
                    yield (("if", test, block, other),)
            for block in smaller_block(other):
                yield (("if", test, then, block),)
            for less in smaller_expr(test):
                yield (("if", less, then, other),)
            yield (("if", ("b", "True"), then, other),)
        case ("for", target, iterable, block):
            yield block
            for less in smaller_block(block):
                if less:
                    yield (("for", target, iterable, less),)
            for less in smaller_expr(iterable):
                yield (("for", target, less, block),)
            if "range" in iterable[1] and iterable[1] not in ("range(1)", "range(2)"):
                yield (("for", target, ("k", "range(1)"), block),)
                yield (("for", target, ("k", "range(2)"), block),)
        case ("while", counter, trips, test, block):
            yield block
            if test is not None:
                yield (("while", counter, trips, None, block),)
            if trips > 1:
                yield (("while", counter, trips - 1, test, block),)
            for less in smaller_block(block):
                yield (("while", counter, trips, test, less),)
        case ("let", names, exprs):
            if len(names) > 1:
                for i in range(len(names)):
                    yield (("let", names[:i] + names[i + 1:], exprs[:i] + exprs[i + 1:]),)
            for i, expr in enumerate(exprs):
                for less in smaller_expr(expr):
                    yield (("let", names, (*exprs[:i], less, *exprs[i + 1:])),)
        case ("chain", names, expr):
            for name in names:
                yield (("let", (name,), (expr,)),)
            for less in smaller_expr(expr):
                yield (("chain", names, less),)
        case ("unpack", names, expr):
            for less in smaller_expr(expr):
                yield (("unpack", names, less),)
        case ("aug", name, operator, expr):
            for less in smaller_expr(expr):
                yield (("aug", name, operator, less),)
        case ("store", name, index, operator, expr):
            for less in smaller_expr(expr):
                yield (("store", name, index, operator, less),)
            if operator:
                yield (("store", name, index, "", expr),)
        case ("return" | "call" as word, expr):
            for less in smaller_expr(expr):
                yield ((word, less),)


def smaller_block(block: Block) -> Iterator[Block]:
    """Blocks with less in them; large pieces first."""
    if len(block) > 3:
        half = len(block) // 2
        yield block[half:]
        yield block[:half] + block[-1:]
    for i, statement in enumerate(block):
        for less in smaller_statement(statement):
            if less != (statement,):
                yield (*block[:i], *less, *block[i + 1:])


def smaller(program: Program) -> Iterator[Program]:
    """Programs with less in them."""
    for block in smaller_block(program.body):
        if block and block[-1][0] == "return":
            yield without_unused(replace(program, body=block))
    for i, helper in enumerate(program.helpers):
        for block in smaller_block(helper.body):
            if block and block[-1][0] == "return":
                helpers = (*program.helpers[:i], replace(helper, body=block), *program.helpers[i + 1:])
                yield without_unused(replace(program, helpers=helpers))
        if helper.default is not None:
            helpers = (*program.helpers[:i], replace(helper, default=None), *program.helpers[i + 1:])
            yield replace(program, helpers=helpers)
    for i in range(len(program.prelude)):
        yield replace(program, prelude=program.prelude[:i] + program.prelude[i + 1:])
    for i in range(len(program.params)):
        if len(program.params) > 1:
            yield replace(program, params=program.params[:i] + program.params[i + 1:],
                          args=program.args[:i] + program.args[i + 1:])
    simple: Any = {"s": 0.5, "v": [0.5, 1.5, -0.7], "m": [[0.5, 1.5, -0.7], [0.3, 0.9, 1.1], [-0.4, 0.6, 0.8]], "k": 1}
    for i, (_, kind) in enumerate(program.params):
        if program.args[i] != simple[kind]:
            yield replace(program, args=(*program.args[:i], simple[kind], *program.args[i + 1:]))


def shrink(program: Program, fails: Callable[[Program], bool], budget: int = 600) -> Program:
    """The smallest program found that `fails`, in at most `budget` trials.

    >>> from grammar import generate
    >>> makes = next(p for p in map(generate, range(100)) if "np.zeros" in p.text)
    >>> shrink(makes, lambda p: "np.zeros" in p.text).text.count("\\n") < min(6, makes.text.count("\\n"))
    True
    """
    tried: set[str] = set()
    again = True
    while again and budget > 0:
        again = False
        for candidate in smaller(program):
            key = candidate.text + repr(candidate.args)
            if key in tried or not any(kind != "k" for _, kind in candidate.params):
                continue
            tried.add(key)
            budget -= 1
            if fails(candidate):
                program, again = candidate, True
                break
            if budget <= 0:
                break
    return program
