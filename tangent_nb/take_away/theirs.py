"""The texts of functions and classes that are not ours: as they were written, or as they were generated.

Needs a function or a class. Promises its text at the left margin, and what each name means there now. A text is taken
only where it is what runs: compiling it again gives the code at hand.
"""
from __future__ import annotations

import ast
import builtins
import enum
import importlib.util
import linecache
import sys
import sysconfig
import textwrap
import types
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..capture.find import NoTextError, find, read
from ..compiled import uncompiled
from ..emit.literals import same
from ..runtime.containers import is_generated_method
from ..runtime.for_calls import Versions
from ..runtime.helpers import Helper
from .ours import Library, is_ours
from .reads import bound_by

MISSING = object()


class NoWayError(Exception):
    """Something cannot be written: the message says why, remedy what to do instead; what: its name; reader: what reads
    it."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.remedy = remedy
        self.what = self.reader = ""


@dataclass(frozen=True)
class Sight:
    """What a function sees outside of itself: cells, then globals, then builtins."""

    globals: dict[str, Any]
    cells: dict[str, types.CellType]

    @classmethod
    def of(cls, fn: types.FunctionType) -> Sight:
        return cls(fn.__globals__, dict(zip(fn.__code__.co_freevars, fn.__closure__ or ())))

    def value(self, name: str) -> Any:
        """What a name means now; MISSING where it means nothing."""
        if name in self.cells:
            cell = self.cells[name]
            return MISSING if cell == types.CellType() else uncompiled(cell.cell_contents)
        if name in self.globals:
            return uncompiled(self.globals[name])
        return getattr(builtins, name, MISSING)

    def where(self, name: str) -> tuple[int, str]:
        """The variable itself: the same for all who see it."""
        return (id(self.cells[name]), "") if name in self.cells else (id(self.globals), name)

    def is_builtin(self, name: str) -> bool:
        return name not in self.cells and name not in self.globals and hasattr(builtins, name)


@dataclass(frozen=True)
class Written:
    """A text, and its tree. name: what it defines, "" for an expression; node: of the text, by its positions."""

    text: str
    node: Any
    name: str


def function_text(fn: types.FunctionType, *, decorated: bool = False) -> Written:
    """The text of a function. decorated: with what stands above it."""
    try:
        source, one = find(fn.__code__, fn.__globals__)
    except NoTextError as error:
        changed = str(error) == "changed"
        raise NoWayError("its file has changed since it was defined" if changed else "it has no source text",
                         "run its definition again" if changed else "put it in a file or in a notebook cell") from None
    node: Any = one.node
    if isinstance(node, ast.Lambda):
        text = ast.get_source_segment("\n".join(source.lines), node) or ast.unparse(node)
        text = text if "\n" not in text else ast.unparse(node)
        return Written(text, ast.parse(text, mode="eval").body, "")
    around = {name for one in ast.walk(node) if isinstance(one, ast.Nonlocal) for name in one.names}
    if not around.isdisjoint(fn.__code__.co_freevars):
        raise NoWayError("it assigns a variable of the function around it (nonlocal)", "let it return the value")
    if "__class__" in fn.__code__.co_freevars:
        raise NoWayError("it is a method that calls super()", "call the function of the other class by its name")
    if one.owner is not None and any(name.startswith("__") and not name.endswith("__") for name in _private(node)):
        raise NoWayError("it reads names that Python changes inside of a class (__x)", "call them _x")
    return _at_the_margin(source.lines, node, min([node.lineno, *(d.lineno for d in node.decorator_list)])
                          if decorated else node.lineno)


def _private(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute):
            yield one.attr


def _at_the_margin(lines: tuple[str, ...], node: Any, first: int) -> Written:
    """The lines of a definition, without their indentation; written anew where that would change what they say."""
    taken = list(lines[first - 1:node.end_lineno])
    text = textwrap.dedent("\n".join(taken)) + "\n"
    wanted = node if first < node.lineno or not node.decorator_list else _undecorated(node)
    try:
        again = ast.parse(text).body
    except SyntaxError:                                    # it shares its line with something else
        again = []
    if len(again) != 1 or not same(again[0], wanted):
        text = ast.unparse(wanted) + "\n"
        again = ast.parse(text).body
    return Written(text, again[0], node.name)


def _undecorated(node: Any) -> Any:
    fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
    return ast.copy_location(type(node)(**{**fields, "decorator_list": []}), node)


def class_text(cls: type) -> tuple[Written, dict[str, Any]]:
    """The text of a class, with its decorators, and the globals that it sees."""
    methods = [one for member in vars(cls).values() if (one := _function(member)) is not None
               and not is_generated_method(one) and one.__module__ == cls.__module__]
    home = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    scope: dict[str, Any] = methods[0].__globals__ if methods else home
    for filename in [methods[0].__code__.co_filename] if methods else _files(cls):
        try:
            lines = read(filename, scope).source.lines
        except NoTextError:
            continue
        found = [node for name, node in _classes(ast.parse("\n".join(lines))) if name == cls.__qualname__]
        for node in reversed(found):
            if _is_text_of(node, cls, methods):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                return _at_the_margin(lines, node, first), scope
    raise NoWayError("its source text is not found, or is not what was run",
                     "run its definition again, in a file or in a notebook cell")


def _files(cls: type) -> list[str]:
    """Where the text of a class without methods may stand: its module, or the cells of a notebook."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return [file] if file else [name for name in reversed(linecache.cache) if name.startswith("<")
                                or "ipykernel" in name]


def _function(member: Any) -> types.FunctionType | None:
    """The function that a member of a class is, or is made of."""
    for one in (member, getattr(member, "__func__", None), getattr(member, "fget", None),
                getattr(member, "func", None)):
        if isinstance(one, types.FunctionType):
            return one
    return None


def _classes(tree: ast.AST, around: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield around + node.name, node
            yield from _classes(node, f"{around}{node.name}.")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _classes(node, f"{around}{node.name}.<locals>.")
        else:
            yield from _classes(node, around)


def _is_text_of(node: ast.ClassDef, cls: type, methods: list[types.FunctionType]) -> bool:
    """The class was made of this text: each of its methods stands in it, as it runs."""
    for fn in methods:
        try:
            one = find(fn.__code__, fn.__globals__)[1].node
        except NoTextError:
            return False
        if not node.lineno <= one.lineno <= (node.end_lineno or 0):
            return False
    bases = [ast.unparse(one).rpartition(".")[2] for one in node.bases]
    if bases != [one.__name__ for one in cls.__bases__ if one is not object]:
        return False
    private = issubclass(cls, enum.Enum)                   # what the library puts there begins with an underscore
    held = {name for name, one in vars(cls).items() if not isinstance(one, types.MemberDescriptorType)}
    live = {name for name in {*held, *vars(cls).get("__annotations__", ())} if not _is_special(name, private)}
    return live == {name for name in bound_by(node.body) if not _is_special(name, private)}


def _is_special(name: str, private: bool) -> bool:
    return name.startswith("__") and name.endswith("__") or private and name.startswith("_") \
        or name.startswith("_abc_")


@cache
def _library_folders() -> tuple[str, ...]:
    return tuple({sysconfig.get_path(name) for name in ("purelib", "platlib")})


@cache
def is_library(module: str) -> bool:
    """A module that whoever has the file can import: of Python's own library, or of an installed package."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return top != "__main__"
    if is_ours(module) or top not in sys.modules:
        return False
    spec = importlib.util.find_spec(top) if getattr(sys.modules[top], "__spec__", None) is not None else None
    return spec is not None and str(spec.origin).startswith(_library_folders())


def imported(value: Any, name: str) -> Library | None:
    """How a file imports a module, or a function, class or other value of a library."""
    if isinstance(value, types.ModuleType):
        return Library(value.__name__) if is_library(value.__name__) else None
    called = getattr(value, "__name__", name)
    called = called if isinstance(called, str) else name
    module = getattr(value, "__module__", None)
    homes = [module] if isinstance(module, str) and is_library(module) else []
    if not homes and not isinstance(value, (type, types.FunctionType)) and callable(value):
        homes = [one for one in sorted(sys.modules, key=lambda one: (one.count("."), one))
                 if is_library(one) and "._" not in f".{one}"]
    for one in homes:
        held = vars(sys.modules[one]) if isinstance(sys.modules.get(one), types.ModuleType) else {}
        for short in dict.fromkeys([called, name]):
            if held.get(short) is value:
                return _public(value, short) or Library(one, short)
    return None


def _public(value: Any, short: str) -> Library | None:
    """The shortest public module that has a value: `numpy`, where it stands in `numpy._core`."""
    for module in sorted((one for one in sys.modules if "._" not in f".{one}" and is_library(one)),
                         key=lambda one: (one.count("."), one)):
        if isinstance(sys.modules[module], types.ModuleType) and vars(sys.modules[module]).get(short) is value:
            top = str(getattr(value, "__module__", "") or module).partition(".")[0]
            if module.partition(".")[0] == top:
                return Library(module, short)
    return None


def without_checks(text: str, sight: Sight, own: Collection[str] = ()) -> str:
    """A generated text that asks neither whether functions are as they were, nor for texts for other arguments: here
    they cannot change, and there are none."""
    tree: Any = ast.parse(text).body[0]
    lines = text.split("\n")
    for stmt in reversed(tree.body):
        names = {node.id for node in ast.walk(stmt.test if isinstance(stmt, ast.If) else stmt)
                 if isinstance(node, ast.Name)}
        if isinstance(stmt, (ast.If, ast.Expr)) and any(asks(sight.value(name)) for name in names - set(own)):
            del lines[stmt.lineno - 1:stmt.end_lineno]
            if len(tree.body) == 1:
                lines.insert(stmt.lineno - 1, "    pass")
    return "\n".join(lines)


def asks(value: Any) -> bool:
    """What a derivative holds to ask whether it is the right one."""
    return isinstance(value, Versions) or isinstance(value, tuple) and bool(value) and all(
        isinstance(one, Helper) for one in value)


def span_of(text: str, node: Any) -> tuple[int, int]:
    """Where a node stands in a text, in characters."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def at(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)

