"""The one subclass of astor's generator: statements line by line, and the expressions that astor gets wrong or lacks.

astor writes tokens; here they are gathered statement by statement, so that what is known of a statement (its origin,
role and comments, as attributes of its node) is known of its lines.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from astor.code_gen import SourceGenerator, set_precedence
from astor.op_util import Precedence, get_op_symbol

from ..syntax.program import Line, Origin
from .literals import fstring, number
from .wrap import wrap

INDENT = "    "


class Generator(SourceGenerator):
    """Writes functions into `lines`, with a record for each in `records`."""

    def __init__(self) -> None:
        super().__init__(INDENT)
        self.lines: list[str] = []
        self.records: list[Line] = []
        self.owner: ast.AST | None = None          # the statement that is written
        self.noted: set[ast.AST] = set()           # those whose note has been written
        self.told: set[ast.AST] = set()            # those whose samples have been said
        self.level = 0
        self.starred = False

    # Lines

    def visit(self, node: ast.AST) -> None:
        method: Callable[[ast.AST], None] | None = getattr(self, "visit_" + type(node).__name__, None)
        if method is not None:
            method(node)
        elif isinstance(node, ast.stmt):
            self.statement(node, ast.unparse(node))
        else:
            self.write(ast.unparse(node))

    def newline(self, node: ast.AST | None = None, extra: int = 0) -> None:
        self.flush()
        self.level = self.indentation
        if isinstance(node, ast.stmt):
            self.owner = node

    def flush(self) -> None:
        """Make lines of the tokens written so far."""
        if not self.result:
            return
        lines = wrap(self.result, INDENT * self.level)
        self.result.clear()
        note = getattr(self.owner, "note", "")
        if note and self.owner not in self.noted and self.owner is not None:
            lines[-1] += f"  # {one_line(note)}"
            self.noted.add(self.owner)
        self.add(lines, self.role())

    def add(self, lines: Sequence[str], role: str) -> None:
        origin = getattr(self.owner, "origin", None)
        origins = () if origin is None else (origin,) if isinstance(origin, Origin) else tuple(origin)
        site = getattr(self.owner, "tape", ("", None))[1]
        tape = site if isinstance(site, int) and role != "comment" else None
        drawn = getattr(self.owner, "drawn", ()) if role != "comment" and self.owner not in self.told else ()
        if drawn and self.owner is not None:
            self.told.add(self.owner)
        for i, line in enumerate(lines):
            self.lines.append(line)
            self.records.append(Line(len(self.lines), role, origins, tape, drawn if not i else ()))

    def role(self) -> str:
        if isinstance(self.owner, ast.FunctionDef) and self.level == 0:
            return "signature"
        return getattr(self.owner, "role", "") or ("return" if isinstance(self.owner, ast.Return) else "forward")

    def function(self, node: ast.stmt) -> None:
        """Write one function, two blank lines after the last."""
        if self.lines:
            self.owner = None
            self.add(["", ""], "blank")
        self.one(node)

    def one(self, node: ast.stmt) -> None:
        """Write a statement, its comments above it."""
        self.flush()
        self.owner = node
        comments = [text for text in (getattr(node, "section", ""), *getattr(node, "comment", "").split("\n")) if text]
        indent = INDENT * self.indentation
        self.add([safe_cookie(f"{indent}# {one_line(text)}", len(self.lines)) for text in comments], "comment")
        self.visit(node)
        self.flush()

    def body(self, statements: Sequence[ast.stmt]) -> None:
        self.flush()
        owner = self.owner
        self.indentation += 1
        for statement in statements:
            self.one(statement)
        self.indentation -= 1
        self.owner = owner

    # Statements

    def visit_FunctionDef(self, node: Any, is_async: bool = False) -> None:
        for decorator in node.decorator_list:
            set_precedence(Precedence.Comma, decorator)
            self.statement(node, "@", decorator)
        self.statement(node, f"{'async ' if is_async else ''}def {node.name}")
        self.type_params(node)
        self.write("(")
        self.visit_arguments(node.args)
        self.write(")")
        if node.returns is not None:
            set_precedence(Precedence.Comma, node.returns)
            self.write(" -> ", node.returns)
        self.write(":")
        self.described(node)

    def visit_ClassDef(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self.statement(node, "@", decorator)
        around = ", ".join([*map(ast.unparse, node.bases), *map(ast.unparse, node.keywords)])
        self.statement(node, f"class {node.name}" + (f"({around})" if around else "") + ":")
        self.described(node)

    def described(self, node: Any) -> None:
        """A body with the docstring that it may begin with."""
        body = list(node.body)
        if ast.get_docstring(node, clean=False) is not None:
            self.flush()
            self.docstring(body.pop(0))
        if body:
            self.body(body)

    def type_params(self, node: Any) -> None:
        params = getattr(node, "type_params", [])
        if params:
            self.write("[", ", ".join(map(ast.unparse, params)), "]")

    def docstring(self, node: Any) -> None:
        """A docstring in triple quotes, its lines as they are; where it holds what cannot be seen, in escapes."""
        text = node.value.value
        owner, self.owner = self.owner, node
        if all(character.isprintable() or character in "\n\t\xa0\u3000" for character in text):
            text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
            text = f'"""{text[:-1]}\\""""' if text.endswith('"') else f'"""{text}"""'
        else:
            text = repr(text)
        self.add((INDENT * (self.indentation + 1) + text).split("\n"), "comment")
        self.owner = owner

    def visit_If(self, node: Any, word: str = "if ") -> None:
        set_precedence(node, node.test)
        self.statement(node, word, node.test, ":")
        self.body(node.body)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and not any(
                getattr(node.orelse[0], name, "") for name in ("section", "comment")):
            self.visit_If(node.orelse[0], "elif ")
        else:
            self.else_body(node.orelse)

    def visit_For(self, node: Any, is_async: bool = False) -> None:
        set_precedence(node, node.target)
        set_precedence(Precedence.Comma, node.iter)
        self.statement(node, f"{'async ' if is_async else ''}for ", node.target, " in ", node.iter, ":")
        self.body_or_else(node)

    def visit_withitem(self, node: Any) -> None:
        set_precedence(Precedence.Comma, node.context_expr)
        super().visit_withitem(node)

    def visit_Try(self, node: Any) -> None:
        before, self.starred = self.starred, isinstance(node, ast.TryStar)
        self.statement(node, "try:")
        self.body(node.body)
        self.write(*node.handlers)
        self.starred = before
        self.else_body(node.orelse)
        if node.finalbody:
            self.newline()
            self.write("finally:")
            self.body(node.finalbody)

    visit_TryStar = visit_Try

    def visit_ExceptHandler(self, node: Any) -> None:
        self.newline()
        self.write("except*" if self.starred else "except")
        if node.type is not None:
            self.write(" ", node.type)
        if node.name is not None:
            self.write(" as ", node.name)
        self.write(":")
        before, self.starred = self.starred, False
        self.body(node.body)
        self.starred = before

    def visit_Match(self, node: Any) -> None:
        self.statement(node, "match ", node.subject, ":")
        self.indentation += 1
        for case in node.cases:
            self.newline()
            self.owner = node
            self.write("case ", ast.unparse(case.pattern))
            if case.guard is not None:
                set_precedence(Precedence.Comma, case.guard)
                self.write(" if ", case.guard)
            self.write(":")
            self.body(case.body)
        self.flush()
        self.indentation -= 1

    def visit_Raise(self, node: Any) -> None:
        set_precedence(Precedence.Comma, node.exc, node.cause)
        super().visit_Raise(node)

    def visit_ImportFrom(self, node: Any) -> None:
        self.statement(node, "from ", "." * (node.level or 0), node.module or "", " import ")
        self.comma_list(node.names)

    # Expressions

    def visit_arguments(self, node: Any) -> None:
        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
        parts: list[tuple[Any, ...]] = []
        for place, (arg, default) in enumerate(zip(positional, defaults, strict=True), 1):
            parts.append(self.parameter(arg, default))
            if place == len(node.posonlyargs):
                parts.append(("/",))
        if node.vararg is not None or node.kwonlyargs:
            parts.append(("*",) if node.vararg is None else ("*", node.vararg))
        parts += [self.parameter(arg, default) for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
        if node.kwarg is not None:
            parts.append(("**", node.kwarg))
        for place, part in enumerate(parts):
            self.write(", " if place else "", *part)

    def parameter(self, arg: Any, default: ast.expr | None) -> tuple[Any, ...]:
        if default is None:
            return (arg,)
        set_precedence(Precedence.Comma, default)
        return arg, "=" if arg.annotation is None else " = ", default

    def visit_arg(self, node: Any) -> None:
        set_precedence(Precedence.Comma, node.annotation)
        super().visit_arg(node)

    def visit_Lambda(self, node: Any) -> None:
        with self.delimit(node) as delimiters:
            set_precedence(delimiters.p, node.body)
            empty = not (node.args.posonlyargs or node.args.args or node.args.vararg or node.args.kwonlyargs
                         or node.args.kwarg)
            self.write("lambda" if empty else "lambda ")
            self.visit_arguments(node.args)
            self.write(": ", node.body)

    def visit_Constant(self, node: Any) -> None:
        value = node.value
        if isinstance(value, (int, float, complex)) and not isinstance(value, bool):
            with self.delimit(node):
                self.write(number(value))
        else:
            self.write("..." if value is Ellipsis else repr(value))

    def visit_JoinedStr(self, node: Any) -> None:
        self.write(fstring(node) or ast.unparse(node))

    def visit_UnaryOp(self, node: Any) -> None:
        with self.delimit(node, node.op) as delimiters:
            twice = isinstance(node.operand, ast.UnaryOp) and not isinstance(node.op, ast.Not)
            set_precedence(delimiters.p + twice, node.operand)
            self.write(get_op_symbol(node.op), " " if isinstance(node.op, ast.Not) else "", node.operand)

    def visit_Subscript(self, node: Any) -> None:
        index = node.slice
        self.write(node.value, "[")
        items = index.elts if isinstance(index, ast.Tuple) else []
        if items and not any(isinstance(item, ast.Starred) for item in items):
            for place, item in enumerate(items):
                self.index(item)
                self.write(", " if place < len(items) - 1 else "," if len(items) == 1 else "")
        else:
            self.index(index)
        self.write("]")

    def index(self, node: ast.expr) -> None:
        if isinstance(node, ast.Slice):
            bounds: list[ast.expr | None] = [node.lower, node.upper]
            if node.step is not None:
                bounds.append(node.step)
            for place, bound in enumerate(bounds):
                self.write(":" if place else "")
                if bound is not None:
                    set_precedence(Precedence.comprehension, bound)
                    self.write(bound)
        else:
            set_precedence(Precedence.Comma, node)
            self.write(node)

    def visit_Slice(self, node: Any) -> None:
        self.index(node)

    def visit_Dict(self, node: Any) -> None:
        with self.delimit("{}"):
            for place, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
                set_precedence(Precedence.Comma, key)
                set_precedence(Precedence.Comma if key is not None else Precedence.highest, value)
                self.write(", " if place else "", *((key, ": ") if key is not None else ("**",)), value)

    def visit_ListComp(self, node: Any) -> None:
        set_precedence(Precedence.Comma, node.elt)
        super().visit_ListComp(node)

    def visit_SetComp(self, node: Any) -> None:
        set_precedence(Precedence.Comma, node.elt)
        super().visit_SetComp(node)

    def visit_DictComp(self, node: Any) -> None:
        set_precedence(Precedence.Comma, node.key, node.value)
        super().visit_DictComp(node)


def one_line(text: str) -> str:
    """A text that can stand in a comment: whatever might end the line, or not be seen, is a space.

    >>> one_line("a\\u2028b\\r\\n\\x0cc")
    'a b   c'
    """
    return "".join(character if character.isprintable() else " " for character in text).rstrip()


def safe_cookie(comment: str, above: int) -> str:
    """A comment in the first two lines of a file must not look like a declaration of its encoding."""
    if above < 2:
        comment = comment.replace("coding:", "coding :").replace("coding=", "coding =")
    return comment
