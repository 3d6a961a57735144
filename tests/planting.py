"""Programs with a place that cannot be differentiated, which they reach or not: `planted(f, k)`.

    def f(x, n):                          def f(x, n):
        y = x * n              →              if REACHED[0]:
        return y                                  y = eval("y")
                                              y = x * n
                                              return y
"""
from __future__ import annotations

import ast
import inspect
import random
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

from oracles import sourced

REACHED = [False]
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef)


def places(tree: ast.FunctionDef) -> list[tuple[list[ast.stmt], int, ast.FunctionDef]]:
    """Every block in a function and in those inside of it, a place in it, and the function that it is of."""
    found: list[tuple[list[ast.stmt], int, ast.FunctionDef]] = []

    def visit(node: ast.AST, owner: ast.FunctionDef) -> None:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt) \
                    and not isinstance(node, ast.ClassDef):
                first = isinstance(node, ast.FunctionDef) and isinstance(block[0], ast.Expr) \
                    and isinstance(block[0].value, ast.Constant)
                found.extend((block, i, owner) for i in range(int(first), len(block)))
        for child in ast.iter_child_nodes(node):
            visit(child, child if isinstance(child, ast.FunctionDef) else owner)

    visit(tree, tree)
    return found


def own_names(tree: ast.FunctionDef) -> list[str]:
    """What a function binds, without what is not its own."""
    around = {name for node in _own(tree) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    bound = {node.id for node in _own(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return sorted((bound | {one.arg for one in tree.args.args}) - around)


def _own(tree: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(tree):
        yield child
        if not isinstance(child, (*SCOPES, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            yield from _own(child)


def planted(f: Callable[..., Any], k: int) -> Callable[..., Any] | None:
    """The function with such a place, another one for each k; None where it has no text of its own."""
    if not isinstance(f, types.FunctionType) or f.__closure__ or f.__name__ == "<lambda>":
        return None
    chance = random.Random(f"{f.__module__}.{f.__qualname__} {k}")
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(f))).body
    if not isinstance(tree, ast.FunctionDef) or tree.decorator_list or any(
            isinstance(node, (ast.Yield, ast.YieldFrom, ast.Nonlocal, ast.Global)) for node in ast.walk(tree)):
        return None
    block, i, owner = chance.choice(places(tree))
    name = chance.choice(own_names(owner) or ["unheard_of"])
    made = chance.choice([f"{name} = eval('{name}')", f"{name} = eval('{name}')", f"unheard_of = eval('{name}')",
                          "return eval('None')", f"{name} = (lambda t: eval('t'))({name})", "print(eval('1.0'))"])
    test = chance.choice(["REACHED[0]", "REACHED[0] is True", "not not REACHED[0]"])
    block.insert(i, ast.parse(f"if {test}:\n    {made}").body[0])
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    scope = sourced(text, {**f.__globals__, "REACHED": REACHED})
    made_function: types.FunctionType = scope[f.__name__]
    made_function.__defaults__, made_function.__kwdefaults__ = f.__defaults__, f.__kwdefaults__
    return made_function
