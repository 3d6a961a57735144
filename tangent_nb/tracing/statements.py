"""Statements as a tracer meets them: by line, with the expressions they read and the places they store to."""
from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

LAST = ast.UnaryOp(ast.USub(), ast.Constant(1))


@dataclass(frozen=True, eq=False)
class Statement:
    """What runs at some lines: a simple statement, the header of a compound one, or several that share a line.

    reads: expressions that are evaluated. stores: targets, `xs[-1]` for `xs.append(v)`. value: the expression that the
    one target gets, or that is returned; of `x += v` it is `x + v`. None where there is no such expression.
    repeats: the header of a loop, which stores its target again each time.
    is_effect: an expression whose value is not wanted. shares: it is several statements on shared lines.
    """

    first: int
    last: int
    reads: tuple[ast.expr, ...] = ()
    stores: tuple[ast.expr, ...] = ()
    value: ast.expr | None = None
    repeats: bool = False
    is_effect: bool = False
    shares: bool = False


def of_function(function: ast.FunctionDef | ast.Lambda) -> dict[int, Statement]:
    """The statements of a function by their lines.

    >>> text = "def f(x, xs):\\n    x = np.sin(\\n        x)\\n    xs.append(x)\\n    xs[0] += 1\\n"
    >>> for line, one in of_function(ast.parse(text).body[0]).items():
    ...     print(line, *map(ast.unparse, one.stores), "<-", *map(ast.unparse, one.reads))
    2 x <- np.sin(x)
    3 x <- np.sin(x)
    4 xs[-1] <- x
    5 xs[0] <- xs[0] + 1
    """
    body: list[ast.stmt] = ([ast.copy_location(ast.Return(function.body), function.body)]
                            if isinstance(function, ast.Lambda) else function.body)
    lines: dict[int, Statement] = {}
    for node in _statements(body):
        one = _statement(node)
        for shared in {id(lines[line]): lines[line]
                       for line in range(one.first, one.last + 1) if line in lines}.values():
            one = Statement(min(one.first, shared.first), max(one.last, shared.last), shared.reads + one.reads,
                            shared.stores + one.stores, None, False, shared.is_effect or one.is_effect, True)
        lines.update(dict.fromkeys(range(one.first, one.last + 1), one))
    return lines


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements in the order of the text, without those of functions and classes defined there."""
    for node in body:
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for block in ("body", "handlers", "cases", "orelse", "finalbody"):
            for one in getattr(node, block, []):
                yield from _statements([one] if isinstance(one, ast.stmt) else one.body)


def _statement(node: ast.stmt) -> Statement:
    blocks = getattr(node, "body", None) or getattr(node, "cases", None)
    last = node.end_lineno or node.lineno
    if blocks:                                     # the header alone; a body on the same line shares it
        first = blocks[0].pattern.lineno if isinstance(blocks[0], ast.match_case) else blocks[0].lineno
        last = max(node.lineno, first - 1)
    here = Statement(node.lineno, last)
    match node:
        case ast.Assign(targets=targets, value=value):
            stores = tuple(part for target in targets for part in _parts(target))
            whole = value if len(targets) == 1 and stores == (targets[0],) else None
            one = replace(here, reads=(value, *_indices(stores)), stores=stores, value=whole)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            one = replace(here, reads=(value, *_indices((target,))), stores=(target,), value=value)
        case ast.AugAssign(target=target, op=op, value=value):
            updated = ast.copy_location(ast.BinOp(target, op, value), node)
            one = replace(here, reads=(updated,), stores=(target,), value=updated)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr="append"), args=[value], keywords=[])):
            one = replace(here, reads=(value,), stores=(ast.Subscript(base, LAST, ast.Load()),), value=value)
        case ast.Return(value=ast.expr() as value):
            one = replace(here, reads=(value,), value=value)
        case ast.For(target=target, iter=iterable):
            one = replace(here, reads=(iterable,), stores=tuple(_parts(target)), repeats=True)
        case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test):
            one = replace(here, reads=(test,))
        case ast.With(items=items):
            one = replace(here, reads=tuple(item.context_expr for item in items), stores=tuple(
                part for item in items if item.optional_vars is not None for part in _parts(item.optional_vars)))
        case ast.Expr(value=value):
            one = replace(here, reads=(value,), is_effect=True)
        case _:
            one = here
    named = tuple(part.target for expr in one.reads for part in ast.walk(expr) if isinstance(part, ast.NamedExpr))
    return replace(one, stores=one.stores + named, value=None) if named else one


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    """The single targets in a target."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _parts(part)
    elif isinstance(target, ast.Starred):
        yield from _parts(target.value)
    else:
        yield target


def _indices(targets: tuple[ast.expr, ...]) -> Iterator[ast.expr]:
    for target in targets:
        if isinstance(target, ast.Subscript):
            yield target.slice


def same(a: ast.expr, b: ast.expr) -> bool:
    """Two expressions of one text, be they read or stored to."""
    return ast.unparse(a) == ast.unparse(b)


def base(target: ast.expr) -> str:
    """The name of the variable that a target is a part of; empty where there is none.

    >>> base(ast.parse("a.b[0]", mode="eval").body)
    'a'
    """
    while isinstance(target, (ast.Subscript, ast.Attribute)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


Lines = Mapping[int, Statement]
