"""Dressing: guards, the names of our libraries, and comments: the last that a tree gets before it becomes text."""
from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import gast

from ..syntax.blocks import blocks as blocks_of
from ..syntax.blocks import change_blocks, statements
from ..syntax.building import (
    assign,
    call,
    clone,
    dotted_load,
    expr,
    library,
    load,
    mark,
    origin_of,
    rename,
    store,
    tuple_of,
)
from ..syntax.names import Names
from ..syntax.nodes import key, names_in, read_and_bound, walk
from ..syntax.program import Captured
from ..syntax.sizes import Axis, Size, Symbol
from ..syntax.spec import Spec
from .request import Beside, Function, Request


def dispatch(function: Function, general: str, request: Request) -> gast.stmt:
    """Other arguments than those that a text is specialized for go to the general text."""
    tree = function.tree
    tests: list[gast.expr] = []
    for name, structure in request.structures:
        known = function.names.new(f"{name}_structure")
        function.structures[known] = structure
        tests.append(gast.UnaryOp(gast.Not(), library("rt.alike(x, structure)", x=name, structure=known)))
    if request.like:
        known = gast.Constant(", ".join(made_as([spec for _, spec in request.like])), None)
        fits: Any = library("rt.fits(made)", made=known)
        fits.args += [load(name) for name, _ in request.like]
        tests.append(gast.UnaryOp(gast.Not(), fits))
    again = passed_on(load(general), tree.args)
    test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.Or(), tests)
    leave = mark(gast.Return(again), role="guard", origin=None)
    return mark(gast.If(test, [leave], []), role="guard", origin=None, note="guard")


LETTERS = "nkmpqrstuvw"


def made_as(specs: Sequence[Spec]) -> list[str]:
    """How numbers and arrays are made, in words: a letter is a size of at least 2, the same wherever it stands.

    >>> import numpy as np
    >>> x, w = Spec.of(np.ones((4, 3))).sized("x"), Spec.of(np.ones((1, 3))).sized("w")
    >>> made_as([x, w, Spec("float")])
    ['f8[n, k]', 'f8[1, m]', 'float']
    """
    letters: dict[Symbol, str] = {}
    names = Names(LETTERS)
    for spec in specs:
        for one in spec.shape if isinstance(spec.shape, tuple) else ():
            for symbol, _ in one.terms if isinstance(one, Size) else ():
                if symbol not in letters:
                    free = [letter for letter in LETTERS if letter not in letters.values()]
                    letters[symbol] = free[0] if free else names.new("n")

    def written(axis: Axis) -> str:
        return axis.written(letters) if isinstance(axis, Size) else str(axis)

    return [f"{spec.dtype}[{', '.join(map(written, spec.shape))}]"
            if isinstance(spec.shape, tuple) and spec.kind == "array" else spec.kind for spec in specs]


def asking(function: Function, parameters: Sequence[str], request: Request) -> list[gast.stmt]:
    """There is no text for all arguments: that for those of a call is asked for when it comes."""
    known = function.names.new("versions")
    function.structures[known] = request.versions
    guards: list[gast.stmt] = []
    if request.compiled:
        guards = [guard([name for name in parameters if name in request.wrt]), guard(parameters, "python_numbers")]
        found = call("%rt.made_for", known, *map(load, parameters))
    else:
        found = library("rt.version(versions)", versions=known)
        found.keywords += [gast.keyword(name, load(name)) for name in parameters]
    stmt = mark(gast.Return(passed_on(found, function.tree.args)), role="return", origin=None)
    stmt.comment = "; ".join(dict.fromkeys(one.innermost.why for one in request.lacks)) \
        or "compiled for classes, dtypes and ranks of arguments, when they first come"
    return [*guards, stmt]


def passed_on(fn: gast.expr, args: gast.arguments) -> gast.Call:
    """A call with the arguments of the function around it."""
    again = gast.Call(fn, [load(a.id) for a in [*args.posonlyargs, *args.args]],
                      [gast.keyword(a.id, load(a.id)) for a in args.kwonlyargs])
    if args.vararg is not None:
        again.args.append(gast.Starred(load(args.vararg.id), gast.Load()))
    if args.kwarg is not None:
        again.keywords.append(gast.keyword(None, load(args.kwarg.id)))
    return again


def guard_of(check: gast.expr, like: gast.stmt | None = None) -> gast.stmt:
    """A check as a statement: of arguments, or in the body, beside the statement that is like it."""
    return mark(gast.Expr(check), role="guard" if like is None else "forward",
                origin=None if like is None else origin_of(like), note="guard")


def guard(names: Sequence[str], check: str = "differentiable") -> gast.stmt:
    """`x, y = rt.differentiable(x, y)`, or another check that gives what it is given."""
    target = store(names[0]) if len(names) == 1 else tuple_of(map(store, names), write=True)
    return mark(gast.Assign([target], call(f"%rt.{check}", *names), None), role="guard", note="guard", origin=None)


def beside_guard(check: str, name: str, others: Sequence[str], like: gast.stmt | None = None,
                 shown: Mapping[str, str] = MappingProxyType({})) -> gast.stmt:
    """`rt.check_apart`: nothing else holds the memory of an argument that is changed in place; `rt.check_growing`: it
    is a list which nothing else holds. shown: what the user calls those that he does not call so."""
    names = tuple_of([gast.Constant(shown.get(one, one), None) for one in (name, *others)])
    check_of = library(f"rt.{check}(x, others, names)", x=name, others=tuple_of(map(expr, others)), names=names)
    return guard_of(check_of, like)


def index_guard(name: str) -> gast.stmt:
    """The check that an argument is an int, so that a part by it is a view."""
    return guard_of(library("rt.check_index(i, n)", i=name, n=gast.Constant(name, None)))


def record_guard(name: str, kind: str) -> gast.stmt:
    """The check of an argument that may be a container, or a persistent array. kind: of its spec."""
    check = {"items": "rt.items", "versions": "rt.versioned"}.get(kind, "rt.record")
    value = library(f"{check}(x, n)", x=name, n=gast.Constant(name, None))
    return mark(assign(name, value), role="guard", note="guard", origin=None)


def check_helpers(function: Function) -> None:
    """The check that the helpers are those of now, as the first statement; or in the place of an earlier one."""
    if not function.helpers:
        return
    place = drop_check(function)
    function.checked_as = function.checked_as or function.names.new("helpers")
    named_here = [name for name, fn in function.helpers if not isinstance(fn, Beside)]
    check = call("%rt.check_helpers", function.checked_as, *map(dotted_load, named_here))
    function.tree.body.insert(place, mark(guard_of(check), of_helpers=True))


def drop_check(function: Function) -> int:
    """Leave out the check of the helpers; where it stood, or is to stand. What asks for another text may be before."""
    body = function.tree.body
    place = next((at for at, stmt in enumerate(body) if hasattr(stmt, "of_helpers")), None)
    if place is not None:
        del body[place]
    return place or 0


def plain(captured: Captured, name: str) -> Function:
    """A function as it is, under another name."""
    tree: gast.FunctionDef = clone(captured.tree)
    tree.name, tree.decorator_list, tree.returns = name, [], None
    for arg in [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]:
        arg.annotation = None
    for stmt in statements(tree.body):
        mark(stmt, role="forward")
    return Function(tree, captured, Names(names_in(tree)), [])


def named(function: Function) -> dict[str, Any]:
    """Rename our libraries to what the function's own names allow; what has to be put into cells."""
    tree, namespace = function.tree, function.captured.namespace
    read, bound = read_and_bound(tree)
    if "%scipy" in read:
        _as_the_user_calls(function, read - bound)
        read, bound = read_and_bound(tree)
    own = read | bound
    cells: dict[str, Any] = {}
    renamed: dict[str, str] = {}
    for short in function.libraries:
        if "%" + short not in own:
            continue
        module = function.libraries[short]
        if short not in bound and namespace.lookup(short) is module:
            renamed["%" + short] = short
            if short in namespace.cells:
                cells[short] = module
            continue
        alias = next((one for one in sorted(own - bound) if namespace.lookup(one) is module), None)
        if alias is not None:     # as the user's text calls it: sc of `import scipy.special as sc`
            renamed["%" + short] = alias
            continue
        free = short not in own and short not in namespace.cells and not hasattr(builtins, short)
        name = short if free else Names(own | function.names.used).new(short)
        renamed["%" + short] = name
        cells[name] = module
    rename(tree, renamed)
    return cells


def _as_the_user_calls(function: Function, known: set[str]) -> None:
    """`scipy.linalg` in our text as `linalg`, where the user's text knows it so. known: names that it reads."""
    tree, namespace = function.tree, function.captured.namespace
    for node in walk(tree):
        part = node.value if isinstance(node, gast.Attribute) else None
        if isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name) and part.value.id == "%scipy":
            module = getattr(function.libraries["scipy"], part.attr)
            node.value = next((load(name) for name in sorted(known) if namespace.lookup(name) is module), part)


def fold_finally(body: list[gast.stmt]) -> list[gast.stmt]:
    """`finally:` again, where what is done after an exception is what is done without one."""
    out: list[gast.stmt] = []
    rest = list(body)
    while rest:
        stmt = rest.pop(0)
        change_blocks(stmt, fold_finally)
        if isinstance(stmt, gast.Try) and getattr(stmt, "final", False) and not stmt.orelse:
            done = stmt.handlers[0].body[:-1]
            if done and [key(one) for one in rest[:len(done)]] == [key(one) for one in done]:
                while len(stmt.body) > 1 and (hasattr(stmt.body[0], "status") or hasattr(stmt.body[0], "tape")):
                    out.append(stmt.body.pop(0))
                stmt.handlers, stmt.finalbody, rest = [], rest[:len(done)], rest[len(done):]
                inner = stmt.body[0]
                if len(stmt.body) == 1 and isinstance(inner, gast.Try) and not inner.finalbody:
                    stmt.body, stmt.handlers, stmt.orelse = inner.body, inner.handlers, inner.orelse
        out.append(stmt)
    return out


def comment(tree: gast.FunctionDef) -> None:
    """Section titles and, above each group of the backward pass, the user's statement that it differentiates."""
    tree.body = fold_finally(tree.body)
    word = "Grad of: "
    roles = {getattr(s, "role", "") for s in tree.body}
    sections = {"forward", "backward"} <= roles
    last = None
    for stmt in tree.body:
        role = getattr(stmt, "role", "")
        if sections and role in ("forward", "backward") and role != last:
            stmt.section = role
            last = role

    def visit(body: Sequence[gast.stmt], last: Any) -> None:
        for stmt in body:
            role = getattr(stmt, "role", "")
            blocks = blocks_of(stmt)
            if role == "inserted" and last != "inserted":
                stmt.comment = "Inserted code"
                last = "inserted"
            elif role in ("backward", "tangent") and not blocks and not hasattr(stmt, "restore") \
                    and not hasattr(stmt, "tape") and not hasattr(stmt, "zero"):
                origin = origin_of(stmt)
                one = origin[0] if isinstance(origin, tuple) and origin else origin
                if one is not None and one != last:
                    stmt.comment = ("Tangent of: " if role == "tangent" else word) + one.text
                    last = one
            if blocks:
                for block in blocks:
                    visit(block, None)
                last = None

    visit(tree.body, None)
