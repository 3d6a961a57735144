"""Helpers without what cannot happen in a file of its own: shorter, with the same values.

Needs a statement of a module of ours, and the names that nobody in the file reads but to ask: classes of which no
object is ever made there, and dicts in which nothing is ever put. Promises the statement in which these questions are
answered, and what then is never done is left out. (The classes of which there are objects are those that are named
where one may be made: rapid type analysis, D. Bacon and P. Sweeney, "Fast static analysis of C++ virtual function
calls", 1996.) Docstrings are cut to what comes before their examples, annotations are left out, comments stay.
"""
from __future__ import annotations

import ast
import copy
import functools
import io
import tokenize
from collections.abc import Collection, Sequence
from typing import Any

from .ours import Place, Text, means, text_of

ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@functools.lru_cache(64)
def pruner(absent: frozenset[Place]) -> Pruner:
    """That for what is absent, which remembers what it has shortened."""
    return Pruner(absent)


class Pruner:
    """absent: classes without objects, and dicts without items, by where they stand."""

    def __init__(self, absent: Collection[Place]) -> None:
        self.absent = absent
        self.codes: dict[ast.stmt, Any] = {}               # what was written of them, which does not change
        self._found: dict[tuple[str, ast.stmt], ast.stmt] = {}
        self._asked: set[Place] = set()

    def statement(self, module: str, stmt: ast.stmt) -> ast.stmt:
        """The statement of a module, shortened."""
        key = module, stmt
        if key not in self._found:
            text = text_of(module)
            new = copy.deepcopy(stmt)
            _comment(new, text)
            self._found[key] = _Fold(self, module, _names_bound(new)).visit(_bare(new))
        return self._found[key]

    def answer(self, place: Place) -> ast.Constant | None:
        """What a function gives that always gives one constant."""
        stmt = text_of(place.module).bound.get(place.name)
        if not isinstance(stmt, ast.FunctionDef) or place in self._asked or stmt.decorator_list:
            return None
        self._asked.add(place)                             # a function that calls itself gives nobody an answer
        pruned: Any = self.statement(place.module, stmt)
        self._asked.discard(place)
        body = pruned.body[1:] if ast.get_docstring(pruned) is not None else pruned.body
        given = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
        return given if isinstance(given, ast.Constant) else None


def can_be_absent(place: Place) -> bool:
    """A class, or an empty dict: what may turn out to be without objects, or items."""
    stmt = text_of(place.module).bound.get(place.name)
    value = getattr(stmt, "value", None)
    return isinstance(stmt, ast.ClassDef) or isinstance(value, ast.Dict) and not value.keys


class _Fold(ast.NodeTransformer):
    """Answers questions, and leaves out what then is not done."""

    def __init__(self, pruner: Pruner, module: str, local: set[str]) -> None:
        self.pruner, self.module, self.local = pruner, module, local

    def is_absent(self, node: Any) -> bool:
        found = self.place(node)
        return found is not None and found in self.pruner.absent

    def place(self, node: Any) -> Place | None:
        text = text_of(self.module)
        if not isinstance(node, ast.Name) or node.id in self.local \
                or node.id not in text.bound and node.id not in text.imported:
            return None
        found = means(self.module, node.id)
        return found if isinstance(found, Place) else None

    def visit_Call(self, node: ast.Call) -> Any:
        asked = self.answered(node)
        if asked is not None:
            return asked
        self.generic_visit(node)
        place = self.place(node.func)
        if place is not None and all(isinstance(one, (ast.Name, ast.Constant)) for one in node.args) \
                and not node.keywords:
            answer = self.pruner.answer(place)
            if answer is not None:
                return ast.Constant(answer.value)
        return node

    def answered(self, node: ast.Call) -> ast.expr | None:
        """`isinstance(x, …)` without the classes that have no objects; None for another call."""
        if not isinstance(node.func, ast.Name) or node.func.id not in (isinstance.__name__, issubclass.__name__) \
                or len(node.args) != 2:
            return None
        asked = node.args[1]
        items = asked.elts if isinstance(asked, ast.Tuple) else [asked]
        left = [one for one in items if not self.is_absent(one)]
        if not left:
            return ast.Constant(False)
        second = left[0] if len(left) == 1 and not isinstance(left[0], ast.Starred) else \
            ast.Tuple([self.visit(one) for one in left], ast.Load())
        return ast.Call(node.func, [self.visit(node.args[0]), second], [])

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) == 1:
            sides = (node.left, node.comparators[0])
            if isinstance(node.ops[0], (ast.Is, ast.Eq)) and any(map(self.is_absent, sides)):
                return ast.Constant(False)
            if isinstance(node.ops[0], (ast.IsNot, ast.NotEq)) and any(map(self.is_absent, sides)):
                return ast.Constant(True)
            if isinstance(node.ops[0], (ast.In, ast.NotIn)) and self.is_absent(sides[1]):
                return ast.Constant(isinstance(node.ops[0], ast.NotIn))
        self.generic_visit(node)
        return node

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return self.display(node)

    def visit_List(self, node: ast.List) -> Any:
        return self.display(node)

    def display(self, node: Any) -> Any:
        """Items of a list or a tuple."""
        node.elts = [one for one in node.elts if not self.is_absent(one)]
        self.generic_visit(node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        self.generic_visit(node)
        stops = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for one in node.values:
            if isinstance(one, ast.Constant) and isinstance(one.value, bool):
                if one.value is not stops:
                    continue
                values.append(one)
                break
            values.append(one)
        if not values:
            return ast.Constant(not stops)
        node.values = values
        return values[0] if len(values) == 1 else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        return node if not isinstance(node.test, ast.Constant) else node.body if node.test.value else node.orelse

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and not isinstance(node, ast.Lambda):
                setattr(node, name, _done(block) or ([ast.Pass()] if name == "body" else []))
        return node


def _done(block: Sequence[Any]) -> list[Any]:
    """The statements that are run, with those of a branch that always is in its place."""
    out: list[Any] = []
    for stmt in block:
        if isinstance(stmt, ast.If) and isinstance(stmt.test, ast.Constant):
            out += _done(stmt.body if stmt.test.value else stmt.orelse)
        elif not isinstance(stmt, ast.Pass):
            out.append(stmt)
        if out and isinstance(out[-1], ENDS):
            break
    return out


def _names_bound(stmt: ast.stmt) -> set[str]:
    """What functions in a statement bind of their own."""
    return {node.id for function in ast.walk(stmt) if isinstance(function, (ast.FunctionDef, ast.Lambda))
            for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} \
        | {node.arg for node in ast.walk(stmt) if isinstance(node, ast.arg)}


def _bare(stmt: Any) -> Any:
    """A statement without annotations (but for the fields of a class), its docstrings cut before their examples."""
    for node in ast.walk(stmt):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for one in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs,
                        *filter(None, [node.args.vararg, node.args.kwarg])]:
                one.annotation = None
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (text := ast.get_docstring(node)) is not None:
            first: Any = node.body[0]
            indent = " " * (first.col_offset)
            first.value.value = text.split("\n\n")[0].replace("\n", "\n" + indent)
        if isinstance(node, ast.ClassDef):
            for field in node.body:
                if isinstance(field, ast.AnnAssign):
                    field.annotation = ast.Name(object.__name__, ast.Load())
        else:
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    setattr(node, name, [new for one in block if (new := _unannotated(one)) is not None])
    return _unannotated(stmt) or stmt


def _unannotated(stmt: Any) -> Any:
    if not isinstance(stmt, ast.AnnAssign):
        return stmt
    return None if stmt.value is None else ast.copy_location(
        _marked(ast.Assign([stmt.target], stmt.value), stmt), stmt)


def _marked(new: Any, old: Any) -> Any:
    for mark in ("comment", "note"):
        if hasattr(old, mark):
            setattr(new, mark, getattr(old, mark))
    return new


def _comment(stmt: ast.stmt, text: Text) -> None:
    """Put the comments of a text on the statements that they stand at, as `emit` writes them."""
    start, end = stmt.lineno, stmt.end_lineno or stmt.lineno
    source = "\n".join([""] * (start - 1) + list(text.lines[start - 1:end]) + [""])
    own: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and "noqa" not in token.string and "type:" not in token.string \
                and not token.string.startswith("# --"):
            own[token.start[0]] = token.string[1:].strip()
    nodes = sorted((node for node in ast.walk(stmt) if isinstance(node, ast.stmt)),
                   key=lambda node: (node.lineno, -(node.end_lineno or 0)))
    for line, words in own.items():
        alone = text.lines[line - 1].lstrip().startswith("#")
        if alone:
            found: Any = next((node for node in nodes if node.lineno > line), None)
            if found is not None:
                found.comment = "\n".join(filter(None, [getattr(found, "comment", ""), words]))
        else:
            found = next((node for node in reversed(nodes) if node.lineno <= line <= (node.end_lineno or 0)), None)
            if found is not None and not hasattr(found, "note"):
                found.note = words
