"""Which names a text reads from outside of itself, and when: while it is defined, or later, when it is called.

Needs a statement of a module. Promises each place where it reads a name that it does not bind, with the attributes that
are read of it there, so that `helpers.half(x)` is known to need `half` alone.

    >>> def f(x): return x
    >>> [(one.name, one.path, one.early) for one in reads(ast.parse("def df(x, k=K): return rt.cut(x) * k").body[0])]
    [('K', (), True), ('rt', ('cut',), False)]
"""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Read:
    """A place where a name is read. path: the attributes that are read of it; node: the name itself; early: it is read
    while the text is defined; noted: it is read in an annotation alone, which computes nothing."""

    name: str
    path: tuple[str, ...]
    node: Any
    early: bool
    noted: bool = False


@dataclass
class _Scope:
    """What one scope binds. outside: the names that it says are global; is_class: what is inside does not see it."""

    bound: set[str]
    outside: set[str] = field(default_factory=set)
    is_class: bool = False


def reads(stmt: ast.AST) -> list[Read]:
    """Each read of a name from outside, in the order of the text."""
    found: list[Read] = []
    _Walk(found).visit(stmt, [], True)
    return found


def bound_by(body: Iterable[ast.AST]) -> set[str]:
    """The names that statements bind where they stand.

    >>> sorted(bound_by(ast.parse("a, b = 1, 2; c = a").body))
    ['a', 'b', 'c']
    """
    return _bound(body)


@dataclass
class _Walk:
    found: list[Read]
    noted: bool = False

    def visit(self, node: Any, scopes: Sequence[_Scope], early: bool) -> None:
        if isinstance(node, ast.Name):
            self.name(node, (), scopes, early)
        elif isinstance(node, ast.Attribute) and (chain := _chain(node)) is not None:
            self.name(chain[0], chain[1], scopes, early)
        elif isinstance(node, FUNCTIONS):
            self.function(node, scopes, early)
        elif isinstance(node, ast.ClassDef):
            self.all([*node.decorator_list, *node.bases, *node.keywords], scopes, early)
            inner = _Scope(_bound(node.body), is_class=True)
            self.all(node.body, [*scopes, inner], early)
        elif isinstance(node, LOOPS):
            self.loop(node, scopes, early)
        elif isinstance(node, ast.AnnAssign):
            self.all([node.target, node.value], scopes, early)
            self.annotations([node.annotation], scopes, early)
        else:
            self.all(ast.iter_child_nodes(node), scopes, early)

    def all(self, nodes: Iterable[Any], scopes: Sequence[_Scope], early: bool) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node, scopes, early)

    def annotations(self, nodes: Iterable[Any], scopes: Sequence[_Scope], early: bool) -> None:
        before, self.noted = self.noted, True
        self.all(nodes, scopes, early)
        self.noted = before

    def function(self, node: Any, scopes: Sequence[_Scope], early: bool) -> None:
        args = node.args
        self.all([*getattr(node, "decorator_list", []), *args.defaults, *args.kw_defaults], scopes, early)
        params = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, [args.vararg, args.kwarg])]
        self.annotations([*(one.annotation for one in params), getattr(node, "returns", None)], scopes, early)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        outside = {name for one in _own(body) if isinstance(one, ast.Global) for name in one.names}
        inner = _Scope({one.arg for one in params} | _bound(body) - outside, outside)
        self.all(body, [*scopes, inner], False)

    def loop(self, node: Any, scopes: Sequence[_Scope], early: bool) -> None:
        first, *others = node.generators
        self.visit(first.iter, scopes, early)
        inner = [*scopes, _Scope({name for one in node.generators for name in _targets(one.target)})]
        self.all([first.target, *first.ifs, *(part for one in others for part in (one.target, one.iter, *one.ifs))],
                 inner, early)
        self.all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt], inner, early)

    def name(self, node: ast.Name, path: tuple[str, ...], scopes: Sequence[_Scope], early: bool) -> None:
        for place, scope in enumerate(reversed(scopes)):
            if node.id in scope.outside:
                break
            if node.id in scope.bound and not (scope.is_class and place):
                return
        self.found.append(Read(node.id, path, node, early, self.noted))


def _chain(node: ast.Attribute) -> tuple[ast.Name, tuple[str, ...]] | None:
    """The name that begins a path of attributes, and these; None where something else begins it."""
    path: list[str] = []
    one: Any = node
    while isinstance(one, ast.Attribute):
        path.append(one.attr)
        one = one.value
    return (one, tuple(reversed(path))) if isinstance(one, ast.Name) else None


def _own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of one scope: what is inside of functions, classes and loops that make containers is another's, but
    for what `:=` binds there."""
    for node in body:
        yield node
        if isinstance(node, LOOPS):
            yield from (one for one in ast.walk(node) if isinstance(one, ast.NamedExpr))
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield from _own(ast.iter_child_nodes(node))


def _bound(body: Iterable[ast.AST]) -> set[str]:
    """The names that the statements of a scope bind."""
    names: set[str] = set()
    for node in _own(body):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.NamedExpr):
            names.add(node.target.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
        elif isinstance(node, ast.Nonlocal):
            names.difference_update(node.names)
    return names


def _targets(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
