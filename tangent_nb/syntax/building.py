"""Building gast trees, and copying them with other parts.

Needs names, values, texts and trees. Promises copies that share nothing with what they are made of but contexts,
operators and the marks that stages add; what is built holds the trees that it is given.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import gast

from .nodes import child_fields, name_nodes, taken_of, walk
from .program import Origin

MARKS = ("origin", "role", "comment", "note", "section", "tape", "fits", "sums", "spec", "pair", "masks",
         "helper", "listed")


_LOAD, _STORE = gast.Load(), gast.Store()


def load(name: str) -> gast.Name:
    return _name(name, _LOAD)


def store(name: str) -> gast.Name:
    return _name(name, _STORE)


def _name(name: str, context: gast.expr_context) -> gast.Name:
    """A name; gast's own way to make a node takes three times as long."""
    node = gast.Name.__new__(gast.Name)
    node.__dict__.update(id=name, ctx=context, annotation=None, type_comment=None)
    return node


def parameter(name: str) -> gast.Name:
    return gast.Name(name, gast.Param(), None, None)


def has_literal(value: Any) -> bool:
    """A literal of a text gives just this: a number of NumPy, or of an enumeration, is of another class."""
    return value is None or isinstance(value, (int, float, str, bool)) and type(value).__module__ == "builtins"


def constant(value: Any) -> gast.expr:
    """A literal; a negative number is the negation of a positive one, as the parser has it."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and (value < 0 or str(value).startswith("-")):
        return gast.UnaryOp(gast.USub(), gast.Constant(-value, None))
    return gast.Constant(value, None)


def clone(node: Any) -> Any:
    """A deep copy with the marks that stages add, which are shared,
    as contexts and operators are: they say nothing but what they are."""
    return substitute(node, {})


def same_trees(stmt: Any) -> Any:
    """A statement of its own with the trees, and the marks, of another."""
    new = stmt.__class__.__new__(stmt.__class__)
    new.__dict__.update(stmt.__dict__)
    return new


def substitute(node: Any, names: Mapping[str, gast.expr]) -> Any:
    """A copy, as `clone` makes it, in which every read of a name in `names` is replaced by its tree."""
    kind = node.__class__
    if kind is list:
        return [substitute(item, names) for item in node]
    fields = _copied_fields(kind)
    if fields is None:
        return node
    if kind is gast.Name and node.id in names and isinstance(node.ctx, gast.Load):
        return substitute(names[node.id], {})
    new = kind.__new__(kind)
    made = new.__dict__
    made.update(node.__dict__)
    if kind is gast.BinOp:                                 # the commonest are written out
        made["left"], made["right"] = substitute(node.left, names), substitute(node.right, names)
        return new
    for field in fields:
        value = made.get(field)
        if value is not None:
            made[field] = substitute(value, names)
    return new


@lru_cache(maxsize=4096)
def _parsed(text: str) -> gast.expr:
    return gast.parse(text, mode="eval").body


def expr(text: str, /, **names: gast.expr | str) -> gast.expr:
    """Parse an expression and put trees in the place of names.

    >>> import ast
    >>> ast.unparse(gast.gast_to_ast(expr("g * np.cos(x)", g="bz", x=expr("a + b"))))
    'bz * np.cos(a + b)'
    """
    return substitute(_parsed(text), {k: load(v) if isinstance(v, str) else v for k, v in names.items()})


INTERNAL = ("np", "rt", "math", "functools", "special", "stats", "scipy")


def library(text: str, /, **names: gast.expr | str) -> gast.expr:
    """An expression of ours: `np`, `rt`, `math` and the others in it are the libraries, under names that are settled
    last, when those of the user are known."""
    return substitute(_parsed_of_libraries(text), {k: load(v) if v.__class__ is str else v for k, v in names.items()})


@lru_cache(maxsize=4096)
def _parsed_of_libraries(text: str) -> gast.expr:
    return expr(text, **{name: "%" + name for name in INTERNAL})


def rename(node: Any, names: Mapping[str, str]) -> Any:
    """Rename variables, in place, wherever they are read or written."""
    for child in name_nodes(node) if names else ():
        if child.id in names:
            child.id = names[child.id]
    return node


def rename_stores(stmt: Any, names: Mapping[str, str]) -> None:
    """Rename what a simple statement binds, in place."""
    for node in name_nodes(stmt):
        if not isinstance(node.ctx, gast.Load) and node.id in names:
            node.id = names[node.id]


def mark(stmt: Any, **marks: Any) -> Any:
    """Set marks (origin, role, comment, …) on a statement and return it."""
    stmt.__dict__.update(marks)
    return stmt


def assign(target: str | gast.expr, value: gast.expr | str, **marks: Any) -> gast.Assign:
    target = store(target) if isinstance(target, str) else target
    return mark(gast.Assign([target], expr(value) if isinstance(value, str) else value, None), **marks)


def augment(target: str | gast.expr, op: gast.operator, value: gast.expr, **marks: Any) -> gast.AugAssign:
    return mark(gast.AugAssign(store(target) if isinstance(target, str) else target, op, value), **marks)


@lru_cache(maxsize=4096)
def _parsed_statement(text: str) -> gast.stmt:
    return gast.parse(text).body[0]


def statement(text: str, /, **names: gast.expr | str) -> gast.stmt:
    """Parse one statement and put trees in the place of the names it reads (a string renames writes too)."""
    tree = clone(_parsed_statement(text))
    renames = {k: v for k, v in names.items() if isinstance(v, str)}
    rename(tree, renames)
    return substitute(tree, {k: v for k, v in names.items() if not isinstance(v, str)})


def call(function: str, /, *args: gast.expr | str, **keywords: gast.expr) -> gast.Call:
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


def index_value(index: gast.expr) -> gast.expr:
    """An index as a value: `np.s_[1:, i]` where it has slices."""
    if any(isinstance(node, gast.Slice) for node in walk(index)):
        return gast.Subscript(library("np.s_"), clone(index), gast.Load())
    return clone(index)


def definition(name: str, args: gast.arguments, body: list[gast.stmt]) -> gast.FunctionDef:
    """`def name(args): body`"""
    return gast.FunctionDef(name, args, body, [], None, None, [])


def tuple_of(items: Iterable[gast.expr], *, write: bool = False) -> gast.Tuple:
    return gast.Tuple(list(items), gast.Store() if write else gast.Load())


def negative(node: gast.AST) -> Any:
    """`c` of `-c`; None of anything else."""
    return node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else None


def add(a: gast.expr, b: gast.expr) -> gast.BinOp:
    """`a + b`, or `a - c` where b is `-c`."""
    subtracted = negative(b)
    return gast.BinOp(a, gast.Add(), b) if subtracted is None else gast.BinOp(a, gast.Sub(), subtracted)


@cache
def _copied_fields(kind: Any) -> tuple[str, ...] | None:
    """The fields of a class of nodes that may hold what a copy has of its own;
    None of what is no node, or an operator."""
    if not issubclass(kind, gast.AST) or not kind._fields and not issubclass(kind, gast.stmt):
        return None
    return (*child_fields(kind), *(["ops"] if kind is gast.Compare else []))


def rooted(node: Any, name: str) -> Any:
    """The same part of another array: `B.T[i]` for `A.T[i]`."""
    new = clone(node)
    base = new
    while not isinstance(base, gast.Name):
        base = taken_of(base)
    base.id = name
    return new


def negated(test: gast.expr) -> gast.expr:
    """`not test`, without a double negation."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(gast.Not(), test)


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
    new.__dict__.update({key: value if key in MARKS else exchanged(value, nodes)
                         for key, value in node.__dict__.items()})
    return new
