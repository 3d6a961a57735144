"""What the names of a function are to it: which it binds itself, which functions nested in it read and bind.

Comprehensions, lambdas and nested functions have scopes of their own; the target of a walrus belongs to the function
around (PEP 572). A nested function reads the variables of the function around it when it is called, not when it is
made.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import gast

from ..rules import may_change
from ..syntax.building import clone
from ..syntax.nodes import (
    LEAVES,
    children,
    name_nodes,
    names_in,
    nodes_in,
    nodes_of,
    parameter_names,
    root_name,
    walk,
    writes,
)

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
SCOPES = frozenset([*FUNCTIONS, gast.ClassDef])
BLOCKS = ("body", "orelse", "finalbody")
OPERATIONS = frozenset({gast.BinOp, gast.Call, gast.Attribute, gast.Constant})      # these bind nothing themselves
APART = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef, gast.Nonlocal, gast.comprehension)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def own(body: Any, whole: Collection[int] = frozenset()) -> list[Any]:
    """The nodes of a scope, in the order of the text: not what is inside of functions and classes, nor the targets
    of comprehensions. whole: the ids of nodes that are not looked into."""
    found = []
    todo: list[Any] = body[::-1] if isinstance(body, list) else [body]
    while todo:
        node = todo.pop()
        found.append(node)
        kind = node.__class__
        if kind not in LEAVES and id(node) not in whole:
            parts = _inside(node) if kind in SCOPES else children(node)
            todo += parts[:0:-1] if kind is gast.comprehension else parts[::-1]     # its target comes first
    return found


def _inside(node: Any) -> list[Any]:
    if node.__class__ not in SCOPES:
        return children(node)
    args = getattr(node, "args", None)
    defaults = [*args.defaults, *[d for d in args.kw_defaults if d is not None]] if args else []
    return [*getattr(node, "decorator_list", []), *defaults, *getattr(node, "bases", [])]


def targets(comprehension: Any) -> set[str]:
    """The names that a comprehension binds for itself."""
    return writes([one.target for one in comprehension.generators])


def located(node: Any, like: Any) -> Any:
    """The node, what is new in it at the place of another one."""
    for part in nodes_in(node):
        if isinstance(part, (gast.stmt, gast.expr)) and getattr(part, "lineno", None) is None:
            gast.copy_location(part, like)
    return node


def stand(node: Any, place: Any) -> None:
    """Give a node the place of another one where it has none, and its text where it stands in that."""
    known = node.__dict__
    if known.get("lineno") is None:
        gast.copy_location(node, place)
    if "source" not in known and hasattr(place, "source") \
            and place.lineno <= known.get("lineno", 0) <= (place.end_lineno or 0):
        node.source = place.source


def put_at(made: Any, stmt: Any) -> Any:
    """A statement with the place of another one."""
    for node in nodes_in(made):
        if isinstance(node, (gast.stmt, gast.expr)):
            stand(node, stmt)
        if isinstance(node, gast.stmt):
            node.origin = stmt.origin
    return made


def captured(pattern: Any) -> set[str]:
    """The names that a pattern binds where it fits."""
    return {name for part in nodes_in(pattern)
            for name in (getattr(part, "name", None), getattr(part, "rest", None)) if isinstance(name, str)}


def parameters(tree: gast.FunctionDef | gast.Lambda) -> list[Any]:
    args = tree.args
    return [a for a in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg] if a is not None]


def _binders(tree: gast.FunctionDef | gast.Lambda) -> Iterator[tuple[str, Any]]:
    """Each name that the body of a function binds, with the node that binds it: the assignment `name = value`,
    a nested def, else whatever it is."""
    elsewhere: set[int] = set()
    for node in own(tree.body):
        if node.__class__ in OPERATIONS:
            continue
        if isinstance(node, gast.Name):
            if not isinstance(node.ctx, gast.Load) and id(node) not in elsewhere:
                yield node.id, node
        elif isinstance(node, gast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name):
            elsewhere.add(id(node.targets[0]))
            yield node.targets[0].id, node
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            for alias in node.names:
                yield (alias.asname or alias.name).partition(".")[0], node
        elif isinstance(node, (gast.MatchAs, gast.MatchStar, gast.MatchMapping)):
            yield from ((name, node) for name in (getattr(node, "name", None), getattr(node, "rest", None)) if name)


def bound(tree: gast.FunctionDef | gast.Lambda) -> set[str]:
    """The local names of a function: its parameters and what it binds itself."""
    around = {name for node in own(tree.body) if isinstance(node, (gast.Global, gast.Nonlocal))
              for name in node.names} if nodes_of(tree.body, gast.Global, gast.Nonlocal) else set()
    return ({one.id for one in parameters(tree)} | {name for name, _ in _binders(tree)}) - around


def binds(stmt: gast.stmt, known: Mapping[int, tuple[gast.stmt, set[str]]]) -> set[str]:
    """The names that a statement binds in the scope it stands in: not those of lambdas and comprehensions in it. known:
    those of statements in its blocks, by their ids."""
    found: set[str] = set()
    for node in own([stmt], known):
        if id(node) in known:
            found |= known[id(node)][1]
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.add(node.id)
    return found


def bindings(tree: gast.FunctionDef) -> dict[str, list[Any]]:
    """The nodes that bind each local name, in the text, as parameters, and in functions nested in it."""
    found: dict[str, list[Any]] = {}
    for name, node in [*_binders(tree), *((one.id, one) for one in parameters(tree))]:
        found.setdefault(name, []).append(node)
    for node in own(tree.body):
        if isinstance(node, FUNCTIONS):
            for name in _rebound_inside(node):
                if name in found:
                    found[name].append(node)
    return found


def loop_only(tree: gast.FunctionDef) -> set[str]:
    """The local names that nothing but loops bind, and nothing outside of the bodies of these loops reads."""
    loops: dict[str, list[gast.For]] = {}                  # by the names in their targets
    for node in own(tree.body):
        if isinstance(node, gast.For):
            for name in names_in(node.target):
                loops.setdefault(name, []).append(node)
    named: dict[str, list[gast.Name]] = {}
    for node in name_nodes(tree.body) if loops else ():
        named.setdefault(node.id, []).append(node)
    found = set()
    for name, mine in loops.items():
        inside = {id(n) for one in mine for n in name_nodes([one.target, *one.body])}
        stores = [node for node in named[name] if not isinstance(node.ctx, gast.Load)]
        nested = any(n is not one and n in mine for one in mine for n in walk(one))
        if all(id(node) in inside for node in named[name]) and len(stores) == len(mine) and not nested:
            found.add(name)
    return found.difference(parameter_names(tree))


def block_only(tree: gast.FunctionDef) -> set[str]:
    """The local names that a statement of a block binds before anything reads them,
    and nothing outside of the rest of this block reads."""
    everywhere = _names(tree.body)
    inner = names_in([node for node in walk(tree.body) if node.__class__ in SCOPES])
    found: set[str] = set()
    _bound_first(tree.body, everywhere, inner, found)
    return found.difference(parameter_names(tree))


def _bound_first(body: Sequence[Any], everywhere: Counter[str], inner: set[str], found: set[str]) -> Counter[str]:
    """How many times names stand in a block. everywhere: how many times they stand in the text; inner: the names of
    functions in it; found: gets the names that a statement binds first."""
    rest: Counter[str] = Counter()                         # of the statement and those behind it
    for stmt in reversed(body):
        parts = [] if stmt.__class__ in SCOPES else [getattr(stmt, field, None) or [] for field in BLOCKS]
        below = {id(one) for block in parts for one in block}
        rest.update(_names([part for part in children(stmt) if id(part) not in below]))
        for block in parts:
            rest.update(_bound_first(block, everywhere, inner, found))
        target, value = stmt, None
        if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1:
            target, value = stmt.targets[0], stmt.value
        elif isinstance(stmt, gast.With) and len(stmt.items) == 1:
            target, value = stmt.items[0].optional_vars, stmt.items[0].context_expr
        if isinstance(target, gast.Name) and target.id not in inner and rest[target.id] == everywhere[target.id] \
                and target.id not in names_in(value):
            found.add(target.id)
    return rest


def _names(body: list[Any]) -> Counter[str]:
    """How many times names stand in statements."""
    return Counter(node.id for node in name_nodes(body))


def bound_inside(tree: gast.FunctionDef) -> set[str]:
    """The names that scopes inside of a function bind for themselves."""
    found: set[str] = set()
    for node in walk(tree.body):
        if isinstance(node, COMPREHENSIONS):
            found |= targets(node)
        elif isinstance(node, FUNCTIONS):
            found |= bound(node)
    return found


def free(tree: Any) -> set[str]:
    """The names that a function reads, or binds by `nonlocal`, and that are not its own."""
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    if not nodes_of(body, *APART):
        return names_in(body) - bound(tree)
    return set().union(*map(_named, body)) - bound(tree)


def _named(node: Any) -> set[str]:
    """The names in a node that belong to the scope it stands in, or to one around that."""
    if isinstance(node, gast.Name):
        return {node.id}
    if isinstance(node, gast.Nonlocal):
        return set(node.names)
    found = {name for part in _inside(node) for name in _named(part)}
    if isinstance(node, FUNCTIONS):
        return found | free(node)
    if isinstance(node, COMPREHENSIONS):
        return found - targets(node) | _named(node.generators[0].iter)
    return found


def changed_name(node: Any) -> str | None:
    """The name whose object a node may change: `a[i] = v`, `a.append(v)`."""
    if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
        return root_name(node)
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and may_change(node.func.attr):
        return root_name(node.func)
    return None


def changed(body: Sequence[gast.stmt]) -> set[str]:
    """The names whose items a body changes."""
    found = set(map(changed_name, walk(list(body))))
    found |= {getattr(part.target, "id", None) for part in nodes_of(list(body), gast.AugAssign)}
    return {name for name in found if name is not None}


def shares(node: Any, modules: Collection[str] = ()) -> bool:
    """A nested function changes variables of the function around it, or what they hold. modules: names that stand for
    modules, whose functions may be called as methods of lists are: np.append."""
    outer = free(node).difference(modules)
    for part in walk(node.body):
        if isinstance(part, gast.Nonlocal):
            return True
        by_name = not isinstance(part, gast.Call) or isinstance(getattr(part.func, "value", None), gast.Name)
        if by_name and changed_name(part) in outer:
            return True
    return False


def _rebound_inside(tree: Any) -> set[str]:
    """The names around it that a nested function binds by `nonlocal`."""
    found: set[str] = set()
    for node in own(tree.body):
        if isinstance(node, gast.Nonlocal):
            found.update(node.names)
        elif isinstance(node, FUNCTIONS):
            found |= _rebound_inside(node)
    return found


def is_read(node: Any) -> bool:
    """A name that is read, and not by a call that is written here."""
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and not getattr(node, "made", False)


class Visible(gast.NodeTransformer):
    """Changes what names of a scope mean, in it and in the scopes inside that do not bind them for themselves."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def inside(self, own: set[str]) -> Visible:
        return type(self)({name: value for name, value in self.names.items() if name not in own})

    def visit_FunctionDef(self, node: Any) -> Any:
        own = self.inside(bound(node))
        args = node.args
        args.defaults, args.kw_defaults = [self.visit(one) for one in args.defaults], \
            [one and self.visit(one) for one in args.kw_defaults]
        if isinstance(node, gast.Lambda):
            node.body = own.visit(node.body)
        else:
            node.name = self.named(node.name)
            node.decorator_list = [self.visit(one) for one in node.decorator_list]
            node.body = [own.visit(one) for one in node.body]
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_ListComp(self, node: Any) -> Any:
        first = node.generators[0]
        goes, first.iter = self.visit(first.iter), gast.Constant(None, None)
        self.inside(targets(node)).generic_visit(node)
        first.iter = goes
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def named(self, name: str) -> str:
        return name


class _Substitution(Visible):
    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id in self.names and isinstance(node.ctx, gast.Load):
            return gast.copy_location(clone(self.names[node.id]), node)
        return node


class _Renaming(Visible):
    def named(self, name: str) -> str:
        return self.names.get(name, name)  # type: ignore[no-any-return]

    def visit_Name(self, node: gast.Name) -> gast.Name:
        node.id = self.named(node.id)
        return node

    def visit_MatchAs(self, node: Any) -> Any:
        for field in ("name", "rest"):
            if getattr(node, field, None) is not None:
                setattr(node, field, self.named(getattr(node, field)))
        return self.generic_visit(node)

    visit_MatchStar = visit_MatchMapping = visit_ClassDef = visit_MatchAs

    def visit_Nonlocal(self, node: Any) -> Any:
        node.names = [self.named(name) for name in node.names]
        return node

    visit_Global = visit_Nonlocal


def visible(body: list[gast.stmt], name: str) -> list[gast.Name]:
    """Where a variable of a scope is named in its body, and in the scopes inside."""
    found = _Finding({name: None})
    for stmt in body:
        found.visit(stmt)
    return found.found


class _Finding(Visible):
    def __init__(self, names: Mapping[str, Any], found: list[gast.Name] | None = None) -> None:
        super().__init__(names)
        self.found: list[gast.Name] = [] if found is None else found

    def inside(self, own: set[str]) -> _Finding:
        return _Finding({name: value for name, value in self.names.items() if name not in own}, self.found)

    def visit_Name(self, node: gast.Name) -> gast.Name:
        if node.id in self.names:
            self.found.append(node)
        return node


def substituted(body: list[gast.stmt], names: Mapping[str, gast.expr]) -> list[gast.stmt]:
    """Expressions in the places of names that are read, in place."""
    return [_Substitution(names).visit(stmt) for stmt in body]


def renamed(scope: Any, names: Mapping[str, str]) -> None:
    """New names for variables of a function or a comprehension, in place, parameters and patterns too."""
    _Renaming(names).generic_visit(scope)


TEXTS = frozenset({"name", "asname", "rest"})
WRITTEN = [one for one in vars(gast).values() if isinstance(one, type) and not TEXTS.isdisjoint(
    getattr(one, "_fields", ()))]


def everything(tree: gast.AST) -> set[str]:
    """Names that stand as text in nodes: of functions, imports and patterns."""
    return {value for node in nodes_of(tree, *WRITTEN) for field in TEXTS
            if isinstance(value := getattr(node, field, None), str)}
