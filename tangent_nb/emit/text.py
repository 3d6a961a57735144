"""Emit: from trees to the text that runs.

Needs gast FunctionDefs, their statements marked with `origin`, `role`, `comment`, `note`, `section`, `tape` and `drawn`
(docs/internals.md). Promises text that parses back to the same trees, checked each time, and a record for each line.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import gast

from ..errors import Refusal, RefusedError
from ..syntax.deep import deep
from ..syntax.program import Emitted
from .generator import Generator
from .literals import printable, same
from .terms import terms_of

MARKS = ("origin", "role", "comment", "note", "section", "tape", "drawn")
LIMITS = ("too many levels of indentation", "too many nested parentheses")             # in Python's words
SHORTER = "several functions; or fewer returns, each of which nests what follows it"
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
COMMON = frozenset("""FunctionDef Assign AugAssign Expr Return If For While BinOp UnaryOp BoolOp Compare Call keyword
Attribute Subscript Slice Tuple List IfExp Constant""".split())
# the classes of gast whose fields are Python's
ALIKE: dict[Any, Any] = {kind: getattr(ast, name) for name, kind in vars(gast).items()
                         if hasattr(ast, name)
                         and (name in COMMON or isinstance(kind, type) and not getattr(kind, "_fields", True))}
ALONE: dict[Any, ast.AST] = {kind: kind() for kind in ALIKE.values()      # operators and contexts: one of each will do
                             if not kind._fields and not issubclass(kind, ast.stmt)}


def emit(functions: Sequence[gast.FunctionDef]) -> Emitted:
    """The text of generated functions, two blank lines between them.

    >>> tree = gast.parse("def df(x, y):\\n    bx = (-(y)) * x ** 2\\n    return (bx, x[1:, 0])").body[0]
    >>> tree.body[0].section, tree.body[0].comment, tree.body[0].note = "backward", "Grad of: y = f(x)", "same shape"
    >>> print(emit([tree]).text, end="")
    def df(x, y):
        # backward
        # Grad of: y = f(x)
        bx = -y * x ** 2  # same shape
        return bx, x[1:, 0]
    """
    return parsed(functions)[0]


def parsed(functions: Sequence[gast.FunctionDef]) -> tuple[Emitted, ast.Module]:
    """The same, with the text parsed again, as it was checked."""
    generator = Generator()
    with deep(list(functions)):
        trees = [_printed(function, generator) for function in functions]
        text = "\n".join([*generator.lines, ""])
        generator.owner, generator.noted, generator.told = None, set(), set()     # so that nothing holds the trees
        again = _check(trees, text)
        terms = terms_of(functions, again, text)
    return Emitted(text, tuple(generator.records), tuple(function.name for function in functions), terms), again


def _printed(function: gast.FunctionDef, generator: Generator) -> ast.stmt:
    tree: ast.stmt = _python_tree(function)
    _copy_marks(function, tree)
    printable(tree)
    generator.function(tree)
    return tree


def _python_tree(node: Any) -> Any:
    """Python's tree for one of gast's, which goes over each in a dozen calls."""
    if node.__class__ is list:
        return [_python_tree(one) for one in node]
    if node.__class__ is gast.Name:
        return ast.Name(node.id, _python_tree(node.ctx))
    if node.__class__ is gast.Attribute:                   # the commonest are written out
        return ast.Attribute(_python_tree(node.value), node.attr, _python_tree(node.ctx))
    if node.__class__ is gast.BinOp:
        return ast.BinOp(_python_tree(node.left), _python_tree(node.op), _python_tree(node.right))
    kind = ALIKE.get(node.__class__)
    if kind in ALONE:
        return ALONE[kind]
    if kind is not None:
        return kind(*[_python_tree(getattr(node, name, None)) for name in kind._fields])
    return gast.gast_to_ast(node) if isinstance(node, gast.AST) else node


def _copy_marks(source: gast.AST, target: ast.AST) -> None:
    """Put the marks of gast's statements on the same statements of Python's tree."""
    todo = [(source, target)]
    while todo:
        old, new = todo.pop()
        marks = vars(old)
        for name in MARKS:
            if name in marks:
                setattr(new, name, marks[name])
        for block in BLOCKS:
            if isinstance(marks.get(block), list):
                todo.extend(zip(marks[block], getattr(new, block), strict=True))


def _check(trees: Sequence[Any], text: str) -> ast.Module:
    """The text, parsed again; raises where it does not mean the trees: an error of ours, never of the user's."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        if any(limit in str(error) for limit in LIMITS):
            why = f"its derivative nests deeper than Python can read: {error.msg}"
            raise RefusedError(trees[0].name, [Refusal(None, why, SHORTER)]) from None
        raise RuntimeError(f"generated text does not parse: {error}\n{text}") from error
    again = module.body
    if len(again) != len(trees):
        raise RuntimeError(f"generated text holds {len(again)} functions instead of {len(trees)}\n{text}")
    for wanted, found in zip(trees, again, strict=True):
        if not same(wanted, found):
            wanted, found = _difference(wanted, found)
            raise RuntimeError("generated text does not say what it should: "
                               f"{ast.unparse(found)!r} for {ast.dump(wanted)}")
    return module


def _difference(a: ast.stmt, b: ast.stmt) -> tuple[ast.stmt, ast.stmt]:
    """The innermost statements that differ."""
    for block in BLOCKS:
        for one, other in zip(getattr(a, block, []), getattr(b, block, []), strict=False):
            if isinstance(one, ast.stmt) and isinstance(other, ast.stmt) and not same(one, other):
                return _difference(one, other)
    return a, b
