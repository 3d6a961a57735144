"""What the names of a function are to it: which it binds itself, which functions nested in it read and bind.

Comprehensions, lambdas and nested functions have scopes of their own; the target of a walrus belongs to the function around
(PEP 572). A nested function reads the variables of the function around it when it is called, not when it is made.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def own(body: Any) -> Iterator[gast.AST]:
    """The nodes of a scope, in the order of the text: not what is inside of functions and classes, nor the targets and
    names that belong to a comprehension alone."""
    todo: list[Any] = list(reversed(body)) if isinstance(body, list) else [body]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(list(_inside(node))))


def _inside(node: gast.AST) -> Iterable[gast.AST]:
    if isinstance(node, (*FUNCTIONS, gast.ClassDef)):
        args = getattr(node, "args", None)
        defaults = [*args.defaults, *[d for d in args.kw_defaults if d is not None]] if args else []
        return [*getattr(node, "decorator_list", []), *defaults, *getattr(node, "bases", [])]
    return list(gast.iter_child_nodes(node))


def targets(comprehension: Any) -> set[str]:
    """The names that a comprehension binds for itself."""
    return {node.id for one in comprehension.generators for node in gast.walk(one.target)
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}


def bound(tree: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The local names of a function: its parameters and what it binds itself."""
    args = tree.args
    found = {a.id for a in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg] if a is not None}
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    elsewhere: set[str] = set()
    hidden: set[int] = set()
    for node in own(body):
        if isinstance(node, COMPREHENSIONS):
            hidden.update(id(n) for one in node.generators for n in gast.walk(one.target))
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            elsewhere.update(node.names)
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name:
            found.add(node.name)
        elif isinstance(node, gast.MatchMapping) and node.rest:
            found.add(node.rest)
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and id(node) not in hidden:
            found.add(node.id)
    return found - elsewhere


def free(tree: Any) -> set[str]:
    """The names that a function reads, or binds by `nonlocal`, and that are not its own."""
    local = bound(tree)
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    found: set[str] = set()
    for node in own(body):
        if isinstance(node, gast.Nonlocal):
            found.update(node.names)
        elif isinstance(node, FUNCTIONS):
            found |= free(node)
        elif isinstance(node, gast.Name):
            found.add(node.id)
    return found - local


def bindings(tree: gast.FunctionDef) -> dict[str, list[Any]]:
    """The nodes that bind each local name: the assignment `name = value`, a nested def, else whatever it is."""
    found: dict[str, list[Any]] = {name: [] for name in bound(tree)}
    simple: set[int] = set()
    hidden: set[int] = set()
    for node in own(tree.body):
        if isinstance(node, COMPREHENSIONS):
            hidden.update(id(n) for one in node.generators for n in gast.walk(one.target))
        if isinstance(node, gast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name):
            simple.add(id(node.targets[0]))
            found.setdefault(node.targets[0].id, []).append(node)
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            found.setdefault(node.name, []).append(node)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            for alias in node.names:
                found.setdefault((alias.asname or alias.name).partition(".")[0], []).append(node)
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and id(node) not in simple | hidden:
            found.setdefault(node.id, []).append(node)
        elif isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name:
            found.setdefault(node.name, []).append(node)
    args = tree.args
    for one in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]:
        if one is not None:
            found.setdefault(one.id, []).append(one)
    for node in own(tree.body):
        if isinstance(node, FUNCTIONS):
            for name in _rebound_inside(node):
                if name in found:
                    found[name].append(node)
    return found


def _rebound_inside(tree: Any) -> set[str]:
    """The names around it that a nested function binds by `nonlocal`."""
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    found: set[str] = set()
    for node in own(body):
        if isinstance(node, gast.Nonlocal):
            found.update(node.names)
        elif isinstance(node, FUNCTIONS):
            found |= _rebound_inside(node)
    return found


def renamed(node: Any, names: dict[str, str]) -> Any:
    """Rename names, in place, wherever they stand, parameters and patterns too."""
    for part in gast.walk(node):
        if isinstance(part, gast.Name) and part.id in names:
            part.id = names[part.id]
        elif isinstance(part, (gast.MatchAs, gast.MatchStar)) and part.name in names:
            part.name = names[part.name]
        elif isinstance(part, (gast.FunctionDef, gast.ClassDef)) and part.name in names:
            part.name = names[part.name]
        elif isinstance(part, (gast.Global, gast.Nonlocal)):
            part.names = [names.get(name, name) for name in part.names]
    return node
