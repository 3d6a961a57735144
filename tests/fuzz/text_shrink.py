"""Make a failing program small that is a text: greedy, on its syntax tree.

Each candidate has a definition, a statement, an argument or a subexpression less; the first that still fails alike is
taken.
"""
from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[Any, ...]                          # of fields and indices, from the module to a node


def paths(node: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """All nodes and lists of nodes, from the outside to the inside."""
    yield path, node
    if isinstance(node, ast.AST):
        for name, value in ast.iter_fields(node):
            if isinstance(value, (ast.AST, list)):
                yield from paths(value, (*path, name))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            if isinstance(value, (ast.AST, list)):
                yield from paths(value, (*path, i))


def changed(tree: ast.Module, path: Path, change: Callable[[Any, Any], None]) -> str | None:
    """The text of a copy in which the holder of a path was changed, if it is Python."""
    made = copy.deepcopy(tree)
    holder: Any = made
    for step in path[:-1]:
        holder = holder[step] if isinstance(step, int) else getattr(holder, step)
    change(holder, path[-1])
    try:
        text = ast.unparse(ast.fix_missing_locations(made)) + "\n"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<candidate>", "exec")
    except (SyntaxError, ValueError, AttributeError, TypeError):
        return None
    return text


def put(value: Any) -> Callable[[Any, Any], None]:
    """A change that puts a node, or several, into a place."""
    def change(holder: Any, at: Any) -> None:
        if isinstance(at, int):
            holder[at:at + 1] = value if isinstance(value, list) else [value]
        else:
            setattr(holder, at, value)
    return change


def statements(tree: ast.Module) -> Iterator[tuple[Path, Callable[[Any, Any], None]]]:
    """Changes that take statements away, the large ones first."""
    found = [(path, node) for path, node in paths(tree) if isinstance(node, ast.stmt) and isinstance(path[-1], int)]
    blocks = [(path, node) for path, node in paths(tree) if isinstance(node, list) and len(node) > 3
              and isinstance(node[0], ast.stmt)]
    for path, block in blocks:
        half = len(block) // 2
        yield path, put([*block[half:]])
        yield path, put([*block[:half], block[-1]])
    for path, node in sorted(found, key=lambda one: -sum(1 for _ in ast.walk(one[1]))):
        alone = isinstance(node, ast.Pass)
        if not alone and not (isinstance(node, ast.FunctionDef) and node.name in ("f", "given") and len(path) == 2):
            yield path, lambda holder, at: holder.__delitem__(at) if len(holder) > 1 else put(ast.Pass())(holder, at)
        for name in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try)) and getattr(node, name, None):
                yield path, put(getattr(node, name))
        for name in ("orelse", "finalbody"):
            if getattr(node, name, None) and not isinstance(node, ast.expr):
                yield (*path, name), put([])


def parts(tree: ast.Module) -> Iterator[tuple[Path, Callable[[Any, Any], None]]]:
    """Changes that take something out of statements."""
    for path, node in paths(tree):
        if isinstance(node, (ast.keyword, ast.comprehension)) and isinstance(path[-1], int) or path[-2:-1] in (
                ("decorator_list",), ("bases",), ("ifs",), ("elts",), ("args",), ("targets",)) and isinstance(node,
                                                                                                              ast.expr):
            yield path, lambda holder, at: holder.__delitem__(at)
        if isinstance(node, ast.arguments) and node.args and len(node.defaults) < len(node.args):
            for i in range(len(node.args) - len(node.defaults)):
                yield (*path, "args", i), lambda holder, at: holder.__delitem__(at)
        if isinstance(node, ast.arguments):
            for name in ("vararg", "kwarg"):
                if getattr(node, name):
                    yield (*path, name), put(None)
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            continue
        for _, child in sorted(paths(node), key=lambda one: len(one[0])):
            if child is not node and isinstance(child, ast.expr) and not isinstance(child,
                                                                                    (ast.Constant, ast.Starred)) \
                    and isinstance(getattr(child, "ctx", None), (ast.Load, type(None))):
                yield path, put(child)
        if not isinstance(node, (ast.Constant, ast.Name)) and path[-1] != "func":
            yield path, put(ast.Constant(0.7))


def smaller(text: str) -> Iterator[str]:
    """Texts with less in them."""
    tree = ast.parse(text)
    for changes in (statements, parts):
        for path, change in changes(tree):
            if path and (made := changed(tree, path, change)) is not None and len(made) < len(text):
                yield made


def shrink(text: str, fails: Callable[[str], bool], budget: int = 500) -> str:
    """The smallest text found that `fails`, in at most `budget` trials.

    >>> print(shrink("y = 3\\nfor i in range(3):\\n    x = np.sin(1.0 + y)\\n", lambda text: "sin" in text), end="")
    np.sin
    """
    tried: set[str] = set()
    again = True
    while again and budget > 0:
        again = False
        for candidate in smaller(text):
            if candidate in tried:
                continue
            tried.add(candidate)
            budget -= 1
            if fails(candidate):
                text, again = candidate, True
                break
            if budget <= 0:
                break
    return text
