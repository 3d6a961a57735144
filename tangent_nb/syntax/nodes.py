"""Building, reading and rewriting gast trees."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import gast

from .program import Origin

MARKS = ("origin", "role", "comment", "note", "section", "tape", "fits", "sums", "spec", "pair", "masks", "helper", "listed")


def load(name: str) -> gast.Name:
    return gast.Name(name, gast.Load(), None, None)


def store(name: str) -> gast.Name:
    return gast.Name(name, gast.Store(), None, None)


def parameter(name: str) -> gast.Name:
    return gast.Name(name, gast.Param(), None, None)


def constant(value: Any) -> gast.expr:
    """A literal; a negative number is the negation of a positive one, as the parser has it."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and (value < 0 or str(value).startswith("-")):
        return gast.UnaryOp(gast.USub(), gast.Constant(-value, None))
    return gast.Constant(value, None)


def clone(node: Any) -> Any:
    """A deep copy with the marks that stages add, which are shared, as contexts and operators are: they say nothing but what they are."""
    return substitute(node, {})


def substitute(node: Any, names: Mapping[str, gast.expr]) -> Any:
    """A copy, as `clone` makes it, in which every read of a name in `names` is replaced by its tree."""
    if isinstance(node, list):
        return [substitute(item, names) for item in node]
    if not isinstance(node, gast.AST) or not node._fields and not isinstance(node, gast.stmt):
        return node
    kind = node.__class__
    if kind is gast.Name and node.id in names and isinstance(node.ctx, gast.Load):
        return substitute(names[node.id], {})
    new = kind.__new__(kind)
    made = new.__dict__
    made.update(node.__dict__)
    if kind is gast.Constant or kind is gast.Name and node.annotation is None:
        return new
    for field in _copied_fields(kind):
        value = made.get(field)
        if value.__class__ is list or isinstance(value, gast.AST):
            made[field] = substitute(value, names)
    return new


@lru_cache(maxsize=4096)
def _parsed(text: str) -> gast.expr:
    return gast.parse(text, mode="eval").body


def expr(text: str, **names: gast.expr | str) -> gast.expr:
    """Parse an expression and put trees in the place of names.

    >>> import ast
    >>> ast.unparse(gast.gast_to_ast(expr("g * np.cos(x)", g="bz", x=expr("a + b"))))
    'bz * np.cos(a + b)'
    """
    return substitute(_parsed(text), {k: load(v) if isinstance(v, str) else v for k, v in names.items()})


INTERNAL = ("np", "rt", "math", "functools", "special", "stats", "scipy")


def library(text: str, **names: gast.expr | str) -> gast.expr:
    """An expression of ours: `np`, `rt`, `math` and the others in it are the libraries, under names that are settled last, when those of the
    user are known."""
    return expr(text, **{name: "%" + name for name in INTERNAL}, **names)


def rename(node: Any, names: Mapping[str, str]) -> Any:
    """Rename variables, in place, wherever they are read or written."""
    for child in walk(node):
        if isinstance(child, gast.Name) and child.id in names:
            child.id = names[child.id]
    return node


def rename_stores(stmt: Any, names: Mapping[str, str]) -> None:
    """Rename what a simple statement binds, in place."""
    for node in walk(stmt):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and node.id in names:
            node.id = names[node.id]


def mark(stmt: Any, **marks: Any) -> Any:
    """Set marks (origin, role, comment, …) on a statement and return it."""
    for key, value in marks.items():
        setattr(stmt, key, value)
    return stmt


def assign(target: str | gast.expr, value: gast.expr | str, **marks: Any) -> gast.Assign:
    target = store(target) if isinstance(target, str) else target
    return mark(gast.Assign([target], expr(value) if isinstance(value, str) else value, None), **marks)


def augment(target: str | gast.expr, op: gast.operator, value: gast.expr, **marks: Any) -> gast.AugAssign:
    return mark(gast.AugAssign(store(target) if isinstance(target, str) else target, op, value), **marks)


@lru_cache(maxsize=4096)
def _parsed_statement(text: str) -> gast.stmt:
    return gast.parse(text).body[0]


def statement(text: str, **names: gast.expr | str) -> gast.stmt:
    """Parse one statement and put trees in the place of the names it reads (a string renames writes too)."""
    tree = clone(_parsed_statement(text))
    renames = {k: v for k, v in names.items() if isinstance(v, str)}
    rename(tree, renames)
    return substitute(tree, {k: v for k, v in names.items() if not isinstance(v, str)})


def call(function: str, *args: gast.expr | str, **keywords: gast.expr) -> gast.Call:
    """`call("rt.copy", "x")` is the tree of `rt.copy(x)`; `%len` is the builtin, whatever `len` means to the user."""
    return gast.Call(dotted_load(function), [load(a) if isinstance(a, str) else a for a in args],
                     [gast.keyword(k, v) for k, v in keywords.items()])


def dotted_load(name: str) -> gast.expr:
    """The tree of a dotted name."""
    first, *rest = name.split(".")
    node: gast.expr = load(first)
    for part in rest:
        node = gast.Attribute(node, part, gast.Load())
    return node


def subscript(base: gast.expr | str, index: gast.expr, *, write: bool = False) -> gast.Subscript:
    base = load(base) if isinstance(base, str) else base
    return gast.Subscript(base, clone(index), gast.Store() if write else gast.Load())


def tuple_of(items: Iterable[gast.expr], *, write: bool = False) -> gast.Tuple:
    return gast.Tuple(list(items), gast.Store() if write else gast.Load())


def negative(node: gast.AST) -> Any:
    """`c` of `-c`; None of anything else."""
    return node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else None


def add(a: gast.expr, b: gast.expr) -> gast.BinOp:
    """`a + b`, or `a - c` where b is `-c`."""
    subtracted = negative(b)
    return gast.BinOp(a, gast.Add(), b) if subtracted is None else gast.BinOp(a, gast.Sub(), subtracted)


_NO_CHILDREN = frozenset({"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment"})


@cache
def child_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold nodes, operators and contexts left out."""
    if kind is gast.Constant:
        return ()
    return tuple(field for field in kind._fields if field not in _NO_CHILDREN)  # type: ignore[attr-defined]


@cache
def _copied_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold what a copy has of its own."""
    return (*child_fields(kind), *(["ops"] if kind is gast.Compare else []))


# `_children` written out for the classes that most nodes have: most of the time of a derivation is spent in going over trees
_BELOW: Mapping[type, Callable[[Any], list[Any]]] = {
    gast.Constant: lambda node: [],
    gast.Name: lambda node: [] if node.annotation is None else [node.annotation],
    gast.Attribute: lambda node: [node.value],
    gast.Subscript: lambda node: [node.value, node.slice],
    gast.Call: lambda node: [node.func, *node.args, *node.keywords],
    gast.keyword: lambda node: [node.value],
    gast.BinOp: lambda node: [node.left, node.right],
    gast.UnaryOp: lambda node: [node.operand],
    gast.BoolOp: lambda node: [*node.values],
    gast.Compare: lambda node: [node.left, *node.comparators],
    gast.IfExp: lambda node: [node.test, node.body, node.orelse],
    gast.Tuple: lambda node: [*node.elts],
    gast.List: lambda node: [*node.elts],
    gast.Expr: lambda node: [node.value],
    gast.Return: lambda node: [node.value] if node.value is not None else [],
    gast.Slice: lambda node: [part for part in (node.lower, node.upper, node.step) if part is not None],
    gast.Assign: lambda node: [*node.targets, node.value],
    gast.AugAssign: lambda node: [node.target, node.value],
    gast.If: lambda node: [node.test, *node.body, *node.orelse],
    gast.While: lambda node: [node.test, *node.body, *node.orelse],
    gast.For: lambda node: [node.target, node.iter, *node.body, *node.orelse],
}


def children(node: Any) -> list[Any]:
    """The nodes right below, operators and contexts left out, in the order of the text."""
    below = _BELOW.get(node.__class__, _children)
    return below(node)


def _children(node: Any) -> list[Any]:
    found: list[Any] = []
    values = node.__dict__
    for field in child_fields(node.__class__):
        value = values.get(field)
        if isinstance(value, gast.AST):
            found.append(value)
        elif value.__class__ is list:
            found += [item for item in value if isinstance(item, gast.AST)]
    return found


def walk(node: Any) -> Iterator[gast.AST]:
    """All nodes but operators and contexts, parents first, in the order of the text."""
    stack: list[Any] = node[::-1] if isinstance(node, list) else [node]
    while stack:
        top = stack.pop()
        yield top
        kind = top.__class__
        if kind not in _LEAVES:
            stack += _BELOW.get(kind, _children)(top)[::-1]


def nodes_in(node: gast.AST) -> Iterator[Any]:
    """All nodes but operators and contexts, in the order of `gast.walk`, which takes twice as long."""
    found = [node]
    for one in found:                                      # grows while it is gone over
        found += children(one)
        yield one


_LEAVES = frozenset({gast.Name, gast.Constant})


def name_nodes(node: Any) -> list[gast.Name]:
    """The names in a tree, in no order: asked for more often than anything else."""
    found = []
    stack: list[Any] = list(node) if isinstance(node, (list, tuple)) else [node]
    while stack:
        top = stack.pop()
        kind = top.__class__
        if kind is gast.Name:
            found.append(top)
        elif kind is gast.Attribute:                       # the commonest are written out once more
            stack.append(top.value)
        elif kind is gast.Call:
            stack.append(top.func)
            stack += top.args
            stack += top.keywords
        elif kind is gast.BinOp:
            stack.append(top.left)
            stack.append(top.right)
        elif kind is not gast.Constant:
            stack += _BELOW.get(kind, _children)(top)
    return found


def reads(node: Any) -> set[str]:
    """The names read anywhere in a tree."""
    return {n.id for n in name_nodes(node) if isinstance(n.ctx, gast.Load)}


def writes(node: Any) -> set[str]:
    """The names bound anywhere in a tree (parameters among them)."""
    return {n.id for n in name_nodes(node) if not isinstance(n.ctx, gast.Load)}


def names_in(node: Any) -> set[str]:
    """The names read or bound anywhere in a tree."""
    return {n.id for n in name_nodes(node)}


def target_names(target: gast.expr) -> list[str]:
    """The names that an assignment to `target` rebinds, in order (none for a subscript or attribute)."""
    if isinstance(target, gast.Name):
        return [target.id]
    if isinstance(target, (gast.Tuple, gast.List)):
        return [name for item in target.elts for name in target_names(item)]
    return []


def flat(targets: Iterable[Any]) -> Iterator[Any]:
    """The targets, those in tuples and lists one by one."""
    for target in targets:
        yield from flat(target.elts) if isinstance(target, (gast.Tuple, gast.List)) else [target]


def given_by(node: Any) -> list[Any]:
    """The expressions of which the value of another may be one, or a part, or which it holds."""
    if isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)):
        return [node.value]
    if isinstance(node, gast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, (gast.BoolOp, gast.Dict)):
        return list(node.values)
    return list(node.elts) if isinstance(node, (gast.Tuple, gast.List, gast.Set)) else []


VIEWS: set[str] = set()            # methods of arrays whose result is the array under other indices: the table of rules fills it


def taken_of(node: Any) -> Any:
    """What a part is taken of: `A` for `A[i]`, `A.T` and `A.reshape(-1)`; None where it is the call of anything else, or no part."""
    if isinstance(node, gast.Call):
        return node.func.value if isinstance(node.func, gast.Attribute) and node.func.attr in VIEWS else None
    return node.value if isinstance(node, (gast.Subscript, gast.Attribute)) else None


def root_name(node: gast.AST) -> str | None:
    """`A` for `A[i]`, `A[i][j]`, `A.T[i]` and `A.reshape(-1)[i]`."""
    while (inner := taken_of(node)) is not None:
        node = inner
    return node.id if isinstance(node, gast.Name) else None


def rooted(node: Any, name: str) -> Any:
    """The same part of another array: `B.T[i]` for `A.T[i]`."""
    new = clone(node)
    base = new
    while not isinstance(base, gast.Name):
        base = taken_of(base)
    base.id = name
    return new


def dotted(node: gast.AST) -> str | None:
    """`np.linalg.norm`; None for what is not a name."""
    if isinstance(node, gast.Name):
        return str(node.id)
    base = dotted(node.value) if isinstance(node, gast.Attribute) else None
    return None if base is None else f"{base}.{node.attr}"


def is_break(stmt: gast.stmt) -> bool:
    """`if test: break`."""
    return isinstance(stmt, gast.If) and not stmt.orelse and len(stmt.body) == 1 and isinstance(stmt.body[0], gast.Break)


def negated(test: gast.expr) -> gast.expr:
    """`not test`, without a double negation."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(gast.Not(), test)


def inserts(stmt: gast.AST) -> bool:
    """`with insert_grad_of(y) as by:`, whose block belongs to the backward pass; who knows what the name means has marked it."""
    if not isinstance(stmt, gast.With):
        return False
    called = stmt.items[0].context_expr
    by_name = isinstance(called, gast.Call) and (dotted(called.func) or "").rpartition(".")[2] == "insert_grad_of"
    return bool(getattr(stmt, "inserts", by_name))


_SIMPLE = frozenset({gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.Pass})


def is_compound(stmt: gast.AST) -> bool:
    """The statement holds others that run where it stands."""
    if stmt.__class__ in _SIMPLE:                          # nearly all are
        return False
    return isinstance(stmt, (gast.If, gast.For, gast.While, gast.Try)) or isinstance(stmt, gast.With) and not inserts(stmt)


def blocks(stmt: gast.AST) -> list[list[gast.stmt]]:
    """The statement lists directly inside a statement; what `insert_grad_of` holds belongs to the backward pass."""
    if stmt.__class__ in _SIMPLE:
        return []
    if isinstance(stmt, (gast.If, gast.For, gast.While)):
        return [stmt.body, stmt.orelse]
    if isinstance(stmt, gast.Try):
        return [stmt.body, *(handler.body for handler in stmt.handlers), stmt.orelse, stmt.finalbody]
    if isinstance(stmt, gast.Match):
        return [case.body for case in stmt.cases]
    return [stmt.body] if isinstance(stmt, gast.With) and not inserts(stmt) else []


def change_blocks(stmt: Any, change: Callable[[list[gast.stmt]], list[gast.stmt]]) -> None:
    """Replace each block of a statement by what `change` makes of it; a block that has to hold something holds `pass`."""
    for case in getattr(stmt, "cases", ()):
        case.body = change(case.body) or [mark(gast.Pass(), origin=origin_of(stmt))]
    if not is_compound(stmt):
        return
    stmt.body = change(stmt.body) or [mark(gast.Pass(), origin=origin_of(stmt))]
    for handler in getattr(stmt, "handlers", ()):
        handler.body = change(handler.body) or [mark(gast.Pass(), origin=origin_of(stmt))]
    for name in ("orelse", "finalbody"):
        if hasattr(stmt, name):
            setattr(stmt, name, change(getattr(stmt, name)))


def attempted(body: Sequence[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements in the bodies of `try`, and of managers that may swallow: whether they raise decides what comes next."""
    for stmt in statements(body):
        if isinstance(stmt, gast.Try) or hasattr(stmt, "checked"):
            yield from statements(stmt.body)


def own_expressions(stmt: Any) -> list[gast.expr]:
    """What a compound statement itself reads, its blocks left out: a test, an iterable, managers, the types of handlers."""
    found = [getattr(stmt, name, None) for name in ("test", "iter")]
    found += [item.context_expr for item in getattr(stmt, "items", ())]
    found += [handler.type for handler in getattr(stmt, "handlers", ())]
    return [node for node in found if node is not None]


def head_targets(stmt: Any) -> list[gast.expr]:
    """What the head of a compound statement assigns to: of a loop, of managers, of handlers."""
    found = [getattr(stmt, "target", None), *(item.optional_vars for item in getattr(stmt, "items", ()))]
    found += [handler.name for handler in getattr(stmt, "handlers", ())]
    return [target for target in found if isinstance(target, gast.AST)]


def own_targets(stmt: Any) -> list[str]:
    """The names that the head of a compound statement binds."""
    return [name for target in head_targets(stmt) for name in target_names(target)]


def statements(body: Sequence[gast.stmt]) -> Iterator[gast.stmt]:
    """All statements, nested ones after the one that holds them."""
    stack = list(reversed(body))
    while stack:
        stmt = stack.pop()
        yield stmt
        if stmt.__class__ not in _SIMPLE:
            for block in reversed(blocks(stmt)):
                stack.extend(reversed(block))


def surroundings(body: Sequence[gast.stmt]) -> dict[int, list[tuple[Any, list[gast.stmt]]]]:
    """Of each statement, by its id, those around it, outermost first, each with its block that holds the statement."""
    found: dict[int, list[tuple[Any, list[gast.stmt]]]] = {}

    def visit(block: Sequence[gast.stmt], around: list[tuple[Any, list[gast.stmt]]]) -> None:
        for stmt in block:
            found[id(stmt)] = around
            for inner in blocks(stmt):
                visit(inner, [*around, (stmt, inner)])

    visit(body, [])
    return found


def with_writes(body: Sequence[gast.stmt]) -> list[tuple[gast.stmt, set[str]]]:
    """All statements, nested ones before the one that holds them, with the names that are bound anywhere in them."""
    found: list[tuple[gast.stmt, set[str]]] = []

    def visit(stmt: gast.stmt) -> set[str]:
        inner = [one for block in blocks(stmt) for one in block]
        below = set(map(id, inner))
        names = writes([part for part in children(stmt) if id(part) not in below] if below else stmt).union(*map(visit, inner))
        found.append((stmt, names))
        return names

    for stmt in body:
        visit(stmt)
    return found


def rebuild(body: list[gast.stmt], change: Callable[[gast.stmt], list[gast.stmt] | None]) -> list[gast.stmt]:
    """A list of statements with each one, innermost first, replaced by what `change` gives (None keeps it)."""
    new: list[gast.stmt] = []
    for stmt in body:
        if isinstance(stmt, gast.With):
            stmt.body = rebuild(stmt.body, change)
        else:
            change_blocks(stmt, lambda block: rebuild(block, change))
        changed = change(stmt)
        new.extend([stmt] if changed is None else changed)
    return new


def is_atom(node: gast.AST) -> bool:
    """A name, a literal or the negation of a literal."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, (gast.USub, gast.UAdd)):
        node = node.operand
        return isinstance(node, gast.Constant)
    return isinstance(node, (gast.Name, gast.Constant))


_NO_VALUE = object()


def _number_or_text(node: gast.AST) -> Any:
    """The value of what most literals are, without a text in between; None for others."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) and isinstance(node.operand, gast.Constant):
        value = node.operand.value
        return -value if type(value) in (int, float) and value == value else None
    if isinstance(node, gast.Constant) and type(node.value) in (int, float, bool, str) and node.value == node.value:
        return node.value
    return None


def literal(node: gast.AST, default: Any = _NO_VALUE) -> Any:
    """The value of a literal expression, or `default` (ValueError without one)."""
    value = _number_or_text(node)
    if value is not None:
        return value
    if isinstance(node, gast.Tuple) and is_literal(node):
        return tuple(literal(item) for item in node.elts)
    try:
        return ast.literal_eval(unparse(node))
    except (ValueError, SyntaxError, TypeError):
        if default is _NO_VALUE:
            raise ValueError("not a literal") from None
        return default


def is_literal(node: gast.AST) -> bool:
    if isinstance(node, gast.Constant):
        return True
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, (gast.USub, gast.UAdd)) and isinstance(node.operand, gast.Constant) \
            and type(node.operand.value) in (int, float, complex)
    if isinstance(node, (gast.Tuple, gast.List)):
        return all(is_literal(item) for item in node.elts)
    return False


def unparse(node: gast.AST) -> str:
    """Text of a tree for comparing and for messages; `emit` makes the text that users read."""
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(node)))


def key(node: Any) -> Any:
    """A hashable that is equal for equal trees (positions, contexts and marks left out)."""
    kind = node.__class__
    if kind is gast.Name and node.annotation is None:
        return ("Name", node.id)
    if kind is list:
        return tuple([key(item) for item in node])
    if kind is gast.Constant:
        return (type(node.value).__name__, repr(node.value))
    if kind in _CONTEXTS:
        return None
    if isinstance(node, gast.AST):
        values = node.__dict__
        return (kind.__name__, *[key(values.get(field)) for field in kind._fields])
    return node


_CONTEXTS = frozenset({gast.Load, gast.Store, gast.Param})


def parameter_names(tree: gast.FunctionDef) -> list[str]:
    """The names of the parameters, in order: positional ones, keyword-only ones, those with stars."""
    args = tree.args
    return [*(a.id for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]), *starred_parameters(tree)]


def starred_parameters(tree: gast.FunctionDef) -> list[str]:
    """The names of `*rest` and `**options`, as far as there are such parameters."""
    return [a.id for a in (tree.args.vararg, tree.args.kwarg) if a is not None]


def body_without_docstring(tree: gast.FunctionDef) -> list[gast.stmt]:
    first = tree.body[0] if tree.body else None
    if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant) and isinstance(first.value.value, str):
        return list(tree.body[1:])
    return list(tree.body)


def origin_of(stmt: gast.AST) -> Origin | None:
    return getattr(stmt, "origin", None)


def exchanged(node: Any, nodes: Mapping[int, gast.expr]) -> Any:
    """A copy of a tree with some of its nodes, by their id, exchanged."""
    if isinstance(node, list):
        return [exchanged(item, nodes) for item in node]
    if not isinstance(node, gast.AST) or not node._fields and not isinstance(node, gast.stmt):
        return node
    if id(node) in nodes:
        return nodes[id(node)]
    new = node.__class__.__new__(node.__class__)
    new.__dict__.update({key: value if key in MARKS else exchanged(value, nodes) for key, value in node.__dict__.items()})
    return new

