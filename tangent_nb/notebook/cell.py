"""Run the body of a cell magic as IPython would run the cell.

The body keeps the place it has on the screen: line numbers count from the cell's first line, and the file name is the
one the front end knows the cell by, so that breakpoints, tracebacks and the text of functions are right.
"""
from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
import re
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from IPython.core.error import UsageError

from .tokens import visible

ASSIGNMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign)
BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


class FailedError(Exception):
    """The body could not be compiled; IPython has already shown why."""


@dataclass(frozen=True)
class Place:
    """Where a body stands: the lines above it in its cell, the number of that, its whole text as the front end has it
    (None where that is not known)."""

    above: tuple[str, ...] = ("",)
    number: int = 0
    raw: str | None = None

    def body(self, shell: Any, cell: str) -> str:
        """The text of Python, each line where it stands in the cell."""
        code: str = shell.transform_cell(cell)
        # IPython removes empty lines at the start, but not while its debugger runs.
        gap = _empty_lines(cell) - _empty_lines(code)
        return "".join(f"# {visible(line)}".rstrip("# ") + "\n" for line in self.above) + "\n" * gap + code

    def edited(self, cell: str) -> Place:
        """The same with another body."""
        return self if self.raw is None else replace(self, raw="\n".join([*self.above, cell]))


def place_of(shell: Any, cell: str) -> Place:
    """Where the body stands that runs now."""
    raw = raw_cell(shell)
    above = lines_above(raw, cell)
    return Place(tuple(raw.split("\n")[:above]), _number(shell), raw) if above else Place(number=_number(shell))


def run(shell: Any, cell: str, place: Place | None = None) -> list[str]:
    """Execute a cell's body in the user's namespace. The names of the functions it defines, in order.
    place: where it stands, if not in the cell that runs now.

    Raises what the body raises, with a traceback that begins in the body.
    """
    place = place or place_of(shell, cell)
    body = place.body(shell, cell)
    name = shell.compile.cache(body, place.number, raw_code=body if place.raw is None else place.raw)
    remember(name, body)
    tree = _parsed(shell, body, name)
    if _is_running() and _awaits(shell, tree):
        raise UsageError("%%grad cannot await in its cell: await in a cell of its own, and use the result here")
    defined = functions(tree)
    quiet = shell.displayhook.semicolon_at_end_of_expression(body)
    nodes = _interactive(tree.body, "none" if quiet else shell.ast_node_interactivity)
    _execute(shell, nodes, name)
    return defined


def remember(name: str, body: str) -> None:
    """Let a text be found under a file's name. IPython splits where Python does not (at form feeds, U+2028, …), which
    would move the lines below."""
    lines = [line + "\n" for line in re.split("\r\n|\r|\n", body.removesuffix("\n"))]
    linecache.cache[name] = (len(body), None, lines, name)


def _empty_lines(text: str) -> int:
    """How many lines at the start of a text are empty."""
    return text[:len(text) - len(text.lstrip())].count("\n")


def _number(shell: Any) -> int:
    """The number of the cell that runs. (The shell's own counter is already one further, since IPython 9.16.)"""
    number = getattr(getattr(shell.displayhook, "exec_result", None), "execution_count", None)
    return int(shell.execution_count if number is None else number)


def raw_cell(shell: Any) -> str:
    """The whole cell as the front end sent it; in a terminal, as it was typed."""
    try:
        return str(shell.get_parent()["content"]["code"])
    except (AttributeError, KeyError, TypeError):
        history = getattr(shell.history_manager, "input_hist_raw", None) or [""]
        return str(history[-1])


def lines_above(raw: str, cell: str) -> int:
    """How many lines of the whole cell stand above the magic's body; 0 where the body is not the end of that cell.

    >>> lines_above("\\n%%time\\n%%grad\\ndef f(x):\\n    return x\\n", "def f(x):\\n    return x\\n")
    3
    >>> lines_above("run()", "def f(x):\\n    return x\\n")
    0
    """
    whole, part = ([line.strip() for line in text.rstrip().split("\n")] for text in (raw, cell))
    above = len(whole) - len(part)
    return above if above > 0 and whole[above:] == part else 0


def functions(tree: ast.Module) -> list[str]:
    """The functions that a cell defines at its top level: by def, or a lambda given a name. Defs come last.
    `_` is the template of a rule.

    >>> functions(ast.parse("def f(x):\\n    def g(): pass\\nif f:\\n    def h(x): pass\\nk = lambda x: x"))
    ['k', 'f', 'h']
    """
    defs, lambdas = [], []
    for node in inner_statements(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            defs += [node.name] if node.name != "_" else []
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            lambdas += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [*lambdas, *defs]


def inner_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a cell in the order of the text, each block before what is in it; not those inside of
    functions and classes."""
    todo: list[ast.AST] = list(reversed(tree.body))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, BLOCKS) or isinstance(node, (ast.ExceptHandler, ast.match_case)):
            todo.extend(reversed([child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]))


def _parsed(shell: Any, body: str, name: str) -> ast.Module:
    try:
        tree = shell.compile.ast_parse(body, filename=name)
    except (SyntaxError, ValueError, TypeError, OverflowError, MemoryError) as error:
        _fail(shell, error)
    return shell.transform_ast(tree)  # type: ignore[no-any-return]


def _fail(shell: Any, error: Exception) -> None:
    """Show an error of the compiler as IPython does, and tell it that the cell has failed."""
    result = getattr(shell.displayhook, "exec_result", None)
    if result is None:
        raise error
    shell.showsyntaxerror()
    result.error_in_exec = error
    raise FailedError from error


def _interactive(body: list[ast.stmt], interactivity: str) -> list[tuple[ast.stmt, str]]:
    """Each statement with the mode to compile it in: `single` shows its value. The rules are IPython's."""
    if interactivity == "last_expr_or_assign" and body and isinstance(body[-1], ASSIGNMENTS):
        targets = body[-1].targets if isinstance(body[-1], ast.Assign) else [body[-1].target]
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            shown = ast.Expr(ast.Name(targets[0].id, ast.Load()))
            body = [*body, ast.fix_missing_locations(ast.copy_location(shown, body[-1]))]
    if interactivity.startswith("last_expr"):
        interactivity = "last" if body and isinstance(body[-1], ast.Expr) else "none"
    first = {"none": len(body), "last": len(body) - 1, "all": 0}[interactivity]
    return [(node, "single" if place >= first else "exec") for place, node in enumerate(body)]


def _execute(shell: Any, nodes: list[tuple[ast.stmt, str]], name: str) -> None:
    __tracebackhide__ = True
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if shell.autoawait else 0
    for node, mode in nodes:
        module = ast.Interactive([node]) if mode == "single" else ast.Module([node], [])
        try:
            with shell.compile.extra_flags(flags):
                code = shell.compile(module, name, mode)
        except (SyntaxError, ValueError, TypeError, OverflowError, MemoryError) as error:
            _fail(shell, error)
        _step(shell, code)


def _step(shell: Any, code: types.CodeType) -> None:
    """Run one statement's code. What it raises is shown by IPython from here on, as if this were its own cell."""
    __tracebackhide__ = True
    try:
        if code.co_flags & inspect.CO_COROUTINE:
            shell.loop_runner(eval(code, shell.user_global_ns, shell.user_ns))
        else:
            exec(code, shell.user_global_ns, shell.user_ns)
    except BaseException as error:
        begin_after(_step, error, shell)
        raise


def _awaits(shell: Any, tree: ast.Module) -> bool:
    """Whether a cell awaits at its top level. A kernel is in its loop already, and cannot wait for it in a magic."""
    flags = shell.compile.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        return bool(compile(tree, "cell", "exec", flags, dont_inherit=True).co_flags & inspect.CO_COROUTINE)
    except (SyntaxError, ValueError, TypeError, OverflowError, MemoryError):
        return False                               # said when the statement's turn comes


def _is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def begin_after(ours: Any, error: BaseException, shell: Any) -> None:
    """Let IPython show the traceback of `error` without what leads to the user's code: the frames up to that of the
    function `ours`, and those of asyncio and of this package that follow."""
    def first(trace: types.TracebackType | None) -> types.TracebackType | None:
        found = False
        while trace is not None and not (found and not _machinery(trace.tb_frame)):
            found = found or trace.tb_frame.f_code is ours.__code__
            trace = trace.tb_next
        return trace

    _render(error, shell, first)


def begin_in(functions: Sequence[types.FunctionType], error: BaseException, shell: Any) -> None:
    """Let IPython show the traceback of `error` from the first frame on that is of one of these functions."""
    def first(trace: types.TracebackType | None) -> types.TracebackType | None:
        codes = [function.__code__ for function in functions]
        while trace is not None and trace.tb_frame.f_code not in codes:
            trace = trace.tb_next
        return trace

    _render(error, shell, first)


Select: TypeAlias = "Callable[[types.TracebackType | None], types.TracebackType | None]"


def _render(error: BaseException, shell: Any, first: Select) -> None:
    """Make IPython ask us for the traceback of `error` (it looks for this attribute)."""
    def rendered() -> list[str]:
        trace = first(error.__traceback__) or error.__traceback__
        lines: list[str] = shell.InteractiveTB.structured_traceback(type(error), error, trace, tb_offset=0)
        return lines

    try:
        error._render_traceback_ = rendered  # type: ignore[attr-defined]
    except Exception:                              # an exception that takes no attributes: the traceback is longer
        pass


def _machinery(frame: types.FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith((f"{__package__}.", "asyncio.", "IPython.core.async_"))
