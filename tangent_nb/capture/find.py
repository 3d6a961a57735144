"""The text of a file or cell, and in it the definition that a code object was compiled from.

The text is read through `linecache`, where IPython, doctest and the prompt put theirs. A definition is accepted only if
compiling it again gives the code at hand: a file edited after the function was defined is never taken for its source.
"""
from __future__ import annotations
import __future__

import ast
import dis
import inspect
import linecache
import os
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ..syntax.deep import deep
from ..syntax.nodes import children
from ..syntax.parameters import bare
from ..syntax.program import SourceFile

Node: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"

KEPT = 64                                          # parsed files that are remembered
FUTURE = 0
for _feature in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _feature).compiler_flag


@dataclass(frozen=True)
class Definition:
    """One def or lambda of a text. name: its own, or the variable that a lambda is assigned to (None without one);
    owner: the class it is written in; trees: what was made of it, which others get copies of."""

    node: Node
    name: str | None
    owner: str | None
    trees: list[Any] = field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True)
class Text:
    """A parsed text, its definitions by the name and first line that their code carries, and the names it imports.
    found: those of codes that were asked for, by the id of the code."""

    source: SourceFile
    imports: tuple[str, ...]
    definitions: dict[tuple[str, int], list[Definition]]
    found: dict[int, tuple[types.CodeType, Definition]] = field(default_factory=dict)


class NoTextError(Exception):
    """There is no text, or not the text that the code was compiled from."""


_TEXTS: dict[str, tuple[tuple[str, ...], Text]] = {}


def find(code: types.CodeType, scope: dict[str, Any]) -> tuple[SourceFile, Definition]:
    """The definition that `code` was compiled from; NoTextError where it cannot be found for certain."""
    text = _text(code, scope)
    known = text.found.get(id(code))
    if known is None:
        known = text.found[id(code)] = code, _found(code, text)        # kept alive, so that its id stays its own
    return text.source, known[1]


def _found(code: types.CodeType, text: Text) -> Definition:
    matches = _matches(code, text, text.definitions.get((code.co_name, code.co_firstlineno), []))
    if not matches:     # `%autoreload` compiles what was edited by itself, as if it stood in line 1
        moved = [one for (name, _), found in text.definitions.items() if name == code.co_name for one in found]
        matches = _matches(code, text, moved) if code.co_firstlineno == 1 else []
    if not matches:
        raise NoTextError("changed" if text.source.filename == code.co_filename else "none")
    exact = [one for again, one in matches if list(again.co_positions()) == list(code.co_positions())]
    return (exact or [one for _, one in matches])[0]


def _text(code: types.CodeType, scope: dict[str, Any]) -> Text:
    """The text under the name of the file that the code names; where there is none, that of the module: code that
    cloudpickle brings from another process names no file."""
    try:
        return read(code.co_filename, scope)
    except NoTextError as error:
        file = scope.get("__file__")
        if str(error) != "none" or not isinstance(file, str) or file == code.co_filename:
            raise
        return read(file, scope)


def _matches(code: types.CodeType, text: Text, candidates: list[Definition]) -> list[tuple[types.CodeType, Definition]]:
    """The definitions that give the code when they are compiled again, with the code that they give."""
    matches = []
    for one in candidates:
        for imports in dict.fromkeys([(), text.imports]):  # cells are compiled statement by statement, files as a whole
            again = recompile(code, one, imports)
            if again is not None and same_code(code, again, _asserts(one.node)):
                matches.append((again, one))
                break
    return matches


def read(filename: str, scope: dict[str, Any]) -> Text:
    """The text under a file name, parsed; read again when the file changed."""
    linecache.checkcache(filename)
    try:
        lines = tuple(linecache.getlines(filename, scope))
    except Exception as error:                     # a loader in `scope` may do anything
        raise NoTextError("none") from error
    if not lines:
        raise NoTextError("none")
    known = _TEXTS.pop(filename, None)
    if known is None or known[0] != lines:
        flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        try:
            tree = compile("".join(lines), filename, "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise NoTextError("changed") from error
        source = SourceFile(filename, label(filename), tuple(line.rstrip("\n") for line in lines))
        known = lines, Text(source, _imports(tree), index(tree))
    elif (now := _cell_label(filename)) not in ("", known[1].source.label):        # the same cell, run again
        known = lines, replace(known[1], source=replace(known[1].source, label=now))
    _TEXTS[filename] = known                       # the last used comes last
    while len(_TEXTS) > KEPT:
        del _TEXTS[next(iter(_TEXTS))]
    return known[1]


def index(tree: ast.AST) -> dict[tuple[str, int], list[Definition]]:
    """All definitions of a tree, by name and first line (of the first decorator, where there is one).

    >>> [(key, one.name) for key, [one] in index(ast.parse("def f(): pass\\ng = lambda x: x")).items()]
    [(('f', 1), 'f'), (('<lambda>', 2), 'g')]
    """
    found: dict[tuple[str, int], list[Definition]] = {}
    names: dict[ast.AST, str] = {}
    todo: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while todo:
        node, owner = todo.pop()
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[-1] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and node.value is not None:
                names[node.value] = target.id
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.setdefault((node.name, line), []).append(Definition(node, node.name, owner))
        elif isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(Definition(node, names.get(node), owner))
        elif isinstance(node, ast.ClassDef):
            owner = node.name
        todo += [(child, owner) for child in reversed(children(node))]
    return found


def recompile(code: types.CodeType, one: Definition, imports: tuple[str, ...]) -> types.CodeType | None:
    """The code of one definition alone, compiled where the names that are free in `code` are free too.

    imports: what the text imports, since Python compiles calls of functions of modules in another way than methods.
    """
    where: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}

    def function(name: str, args: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
        node = ast.FunctionDef(name, args, body, [], None, **where)
        if sys.version_info >= (3, 12):
            node.type_params = []
        return node

    inner: ast.stmt
    if isinstance(one.node, ast.Lambda):
        inner = ast.Expr(ast.copy_location(ast.Lambda(bare(one.node.args), one.node.body), one.node), **where)
    else:
        inner = function(one.node.name, bare(one.node.args), one.node.body)
        if isinstance(one.node, ast.AsyncFunctionDef):
            inner = ast.copy_location(ast.AsyncFunctionDef(**{name: getattr(inner, name) for name in inner._fields
                                                              if hasattr(inner, name)}), inner)
    free = ast.arguments([], [ast.arg(name, None, **where) for name in code.co_freevars], None, [], [], None, [])
    outer: ast.FunctionDef | ast.ClassDef = function("factory", free, [inner])
    if code.co_name not in code.co_freevars and isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
        outer.body.insert(0, ast.Global([code.co_name], **where))          # as where a function calls itself
    if one.owner is not None:                      # where names such as __x are renamed
        outer = ast.ClassDef(one.owner, [], [], [outer], [], **where)
        if sys.version_info >= (3, 12):
            outer.type_params = []
    body: list[ast.stmt] = [outer]
    if imports:
        body.insert(0, ast.Import([ast.alias(name, None, **where) for name in imports], **where))
    try:
        with deep(body):
            result: types.CodeType = compile(ast.Module(body, []), code.co_filename, "exec", code.co_flags & FUTURE,
                                             dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for _ in range(2 if one.owner is None else 3):
        inside = next(_codes(result), None)
        if inside is None:
            return None
        result = inside
    return result


def _imports(tree: ast.AST) -> tuple[str, ...]:
    """The names that imports bind in the module itself."""
    names: dict[str, None] = {}
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name.partition(".")[0], None)
                         for alias in node.names if alias.name != "*")
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            todo.extend(ast.iter_child_nodes(node))
    return tuple(sorted(names))


def same_code(code: types.CodeType, again: types.CodeType, asserts: frozenset[int] = frozenset()) -> bool:
    """Both do the same: instructions, names and constants, whatever their positions.

    pytest rewrites the asserts of test modules. Only there the lines of `asserts` are left out of the comparison.
    """
    if _signature(code) != _signature(again):
        return False
    if any(name.startswith("@py") for name in (*code.co_names, *code.co_varnames)):
        return _listing(code, asserts) == _listing(again, asserts)
    if (code.co_code, code.co_names, code.co_varnames, code.co_cellvars) != \
            (again.co_code, again.co_names, again.co_varnames, again.co_cellvars):
        return False
    if len(code.co_consts) != len(again.co_consts) or _constants(code) != _constants(again):
        return False
    return all(same_code(a, b, asserts) for a, b in zip(_codes(code), _codes(again), strict=True))


def _signature(code: types.CodeType) -> tuple[object, ...]:
    return (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
            code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS), code.co_freevars)


def _asserts(node: ast.AST) -> frozenset[int]:
    """The lines of the assert statements in a definition."""
    return frozenset(line for one in ast.walk(node) if isinstance(one, ast.Assert)
                     for line in range(one.lineno, (one.end_lineno or one.lineno) + 1))


def _listing(code: types.CodeType, without: frozenset[int]) -> list[Any]:
    """The instructions of the lines that are not in `without`, with what they name; jumps without their distance."""
    listing: list[Any] = []
    line = code.co_firstlineno
    starts = dict(dis.findlinestarts(code))
    for instruction in dis.get_instructions(code):
        line = starts.get(instruction.offset) or line
        if line in without or instruction.opname in ("EXTENDED_ARG", "CACHE"):
            continue
        jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
        value = instruction.argval
        if isinstance(value, types.CodeType):
            value = _listing(value, without)
        listing.append((instruction.opname, None if jumps else repr(value)))
    return listing


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    return (const for const in code.co_consts if isinstance(const, types.CodeType))


def _constants(code: types.CodeType) -> list[tuple[type, str]]:
    """Constants so that they compare by type and sign too (1 is not 1.0); names of scopes without their path."""
    def text(const: object) -> str:
        if isinstance(const, frozenset):
            return repr(sorted(map(repr, const)))
        return repr(const.rpartition(".<locals>.")[2] if isinstance(const, str) else const)

    return [(type(const), text(const)) for const in code.co_consts if not isinstance(const, types.CodeType)]


def label(filename: str) -> str:
    """What messages call a file.

    >>> label("<ipython-input-3-0123abcd>"), label("<stdin>"), label("<doctest intro.md[2]>")
    ('cell In[3]', 'the prompt', 'doctest intro.md[2]')
    """
    if found := _cell_label(filename):
        return found
    if match := re.match(r"<ipython-input-(\d+)-", filename):
        return f"cell In[{match[1]}]"
    if filename.startswith("<ipython-input") or re.search(r"[\\/]ipykernel_\d+[\\/]", filename):
        return "a notebook cell"
    if re.match(r"<(python-input|stdin)", filename):
        return "the prompt"
    if filename.startswith("<") and filename.endswith(">"):
        return filename[1:-1]
    if match := re.search(r"[\\/]tangent_nb-[^\\/]*[\\/]\d+-[^\\/]+[\\/](\w+)_[0-9a-f]{12}\.py$", filename):
        return f"{match[1]} (generated)"
    try:
        relative = os.path.relpath(filename)
    except (ValueError, OSError):                  # another drive; no working directory
        relative = os.pardir
    return (_as_imported(filename) if relative.startswith(os.pardir) else relative).replace(os.sep, "/")


def _cell_label(filename: str) -> str:
    """What a cell that the shell has run is called, by the number that it had last; empty where none has that name."""
    shell = _shell()
    number = None if shell is None else getattr(getattr(shell, "compile", None), "_filename_map", {}).get(filename)
    return "" if number is None else f"cell In[{number}]"


def _as_imported(filename: str) -> str:
    """The file of a module from where Python looks for it: of several `utils.py` the name says nothing."""
    starts = [start for one in sys.path if filename.startswith(start := os.path.join(one, "")) and one]
    return filename.removeprefix(max(starts, key=len)) if starts else os.path.basename(filename)


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    try:
        return ipython.get_ipython() if ipython is not None else None
    except Exception:                              # an IPython that is half imported
        return None
