"""The records that stages pass on: where text came from, what names mean, what was captured and emitted."""
from __future__ import annotations

import builtins
import functools
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ..compiled import uncompiled
from .memo import uncollected
from .partners import Partners

if TYPE_CHECKING:
    from ..errors import Refusal


@dataclass(frozen=True)
class SourceFile:
    """A file, or a notebook cell. `label` is how messages call it (`"cell 3"`, `"model.py"`)."""

    filename: str
    label: str
    lines: tuple[str, ...]

    def line(self, number: int) -> str:
        """Line `number` (from 1), without its newline; empty where there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True)
class Span:
    """A range of text: lines from 1, columns from 0 in characters, the end exclusive."""

    source: SourceFile
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def text(self) -> str:
        """The text of the range; lines after the first keep their indentation."""
        lines = [self.source.line(n) for n in range(self.line, self.end_line + 1)]
        if self.line == self.end_line:
            return lines[0][self.column:self.end_column]
        return "\n".join([lines[0][self.column:], *lines[1:-1], lines[-1][:self.end_column]])


@dataclass(frozen=True)
class Origin:
    """The user's statement that a piece of generated code comes from, or a part of it.
    statement: the whole, where it is a part; sampled: what `with sampled(…)` around it asks for."""

    span: Span
    statement: Span | None = None
    sampled: Any = None

    @property
    def text(self) -> str:
        """The statement's own text, for comments: its first line, whole where it is one line."""
        lines = (self.statement or self.span).text.splitlines() or [""]
        return lines[0] if len(lines) == 1 else " ".join(line.strip() for line in lines)


def source_at(node: Any, stmt: Any) -> SourceFile | None:
    """The text that a node in a statement is of, where one of them knows: a body that stands in the place of a call may
    be of another file or cell than the function around it."""
    if hasattr(node, "source"):
        return node.source  # type: ignore[no-any-return]
    line, origin = getattr(node, "lineno", 0), getattr(stmt, "origin", None)
    for one in origin if isinstance(origin, tuple) else [origin]:
        if one is not None and one.span.line <= line <= one.span.end_line:
            return one.span.source  # type: ignore[no-any-return]
    return None


class Missing:
    """The value of a name that is not bound."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


@dataclass(frozen=True)
class Namespace:
    """The names a function sees besides its own: closure cells, then globals, then builtins, all live."""

    globals: dict[str, Any]
    cells: Mapping[str, types.CellType] = field(default_factory=dict)

    def lookup(self, name: str) -> Any:
        """What `name` is bound to now, or MISSING."""
        if name in self.cells:
            try:
                return uncompiled(self.cells[name].cell_contents)
            except ValueError:
                return MISSING
        if name in self.globals:
            return uncompiled(self.globals[name])
        scope = self.globals.get("__builtins__", builtins)
        scope = scope if isinstance(scope, dict) else vars(scope)
        return scope.get(name, MISSING)

    def resolve(self, node: gast.AST, local: frozenset[str] | set[str] = frozenset()) -> Any:
        """The object that a dotted name means now, or MISSING: only modules and classes are looked into,
        and ufuncs (`np.add.reduce`)."""
        if isinstance(node, gast.Name):
            return MISSING if node.id in local else self.lookup(node.id)
        if isinstance(node, gast.Attribute):
            base = self.resolve(node.value, local)
            if isinstance(base, (types.ModuleType, type)):
                return named_in(base, node.attr)
            if is_holder(base, node.attr):
                return member(base, node.attr)
        return MISSING


def named_in(base: Any, name: str) -> Any:
    """What a module or a class has by a name; MISSING where it has none, or code of the user's gives it: a descriptor
    of his own, or a property of a metaclass."""
    if isinstance(base, type):
        found = uncompiled(inspect.getattr_static(base, name, None))
        above = inspect.getattr_static(type(base), name, None) if type(base) is not type else None
        if isinstance(above, property) or isinstance(getattr(type(found), "__get__", None), types.FunctionType):
            return MISSING
    return uncompiled(getattr(base, name, MISSING))


def is_holder(base: Any, name: str) -> bool:
    """An object of a library with a method that gives a value: a ufunc, one of SciPy's distributions.
    `np.add.at` gives none."""
    known = isinstance(base, np.ufunc) and name != "at" or type(base).__module__.startswith("scipy.stats.")
    return known and not name.startswith("_") and callable(getattr(base, name, None))


def member(base: Any, name: str) -> Any:
    """An attribute; a method of a ufunc or of a distribution is the same object each time.

    >>> member(np.add, "reduce") is member(np.add, "reduce"), np.add.reduce is np.add.reduce
    (True, False)
    """
    return _method(_by_name(base), name) if is_holder(base, name) else getattr(base, name)


def _by_name(base: Any) -> Any:
    """The distribution of `scipy.stats` that one is a copy of, as each frozen one holds a copy."""
    if isinstance(base, np.ufunc):
        return base
    named = getattr(sys.modules.get("scipy.stats"), str(getattr(base, "name", "")), None)
    said = [tuple(getattr(one, name, None) for name in ("a", "b", "shapes", "badvalue", "xtol"))
            for one in (named, base)]                      # in a tuple NaN is itself
    alike = type(named) is type(base) and said[0] == said[1]
    return named if alike else base


def same_each_time(fn: Any) -> Any:
    """A method of a ufunc or of a distribution that something holds, as `member` gives it; anything else as it is.

    >>> reduce = np.add.reduce
    >>> reduce is member(np.add, "reduce"), same_each_time(reduce) is member(np.add, "reduce")
    (False, True)
    """
    if type(fn) is types.MethodType or type(fn) is types.BuiltinMethodType:
        return member(fn.__self__, fn.__name__) if is_holder(fn.__self__, fn.__name__) else fn
    return fn


@functools.cache
def _method(base: Any, name: str) -> Any:
    return getattr(base, name)


@dataclass(frozen=True)
class Region:
    """What of a function is computed again in the backward sweep. results: the names that it gives; step: of a loop,
    the function that is one step of it; item: the name of what the loop goes over, "" for a `while`; steps, memory: the
    arguments of its states, as they stand in the loop; constants: what a step reads besides; draws: what it draws
    random numbers from."""

    results: tuple[str, ...]
    step: Any = None
    item: str = ""
    steps: Any = None
    memory: Any = None
    constants: tuple[str, ...] = ()
    draws: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Captured:
    """A function as its text.

    tree: a gast FunctionDef (a lambda becomes one with a single return); every statement has `origin: Origin`, every
    node of a position `lineno`, `col_offset`, … as in the file. defaults, kwdefaults: the objects, evaluated once by
    Python. ours: the names in the namespace that are not the user's; assumed: functions that are called by a path
    through objects, as they were; caches: what it gives is kept, and given again (`functools.cache`); region: it is
    a part of a text that is computed again (`tnb.checkpoint`).
    """

    fn: types.FunctionType
    name: str
    tree: gast.FunctionDef
    source: SourceFile
    namespace: Namespace
    defaults: tuple[Any, ...] | None = None
    kwdefaults: dict[str, Any] | None = None
    ours: frozenset[str] = frozenset()
    assumed: tuple[tuple[str, Any], ...] = ()
    caches: bool = False
    region: Region | None = None


@dataclass(frozen=True)
class Drawing:
    """What a statement keeps of a value for the backward sweep, or reads of that. name: of the value; kept: it is kept
    there; how: the `Sampled` that it was drawn by, None of signs, which are exact."""

    name: str
    kept: bool
    how: Any = None


@dataclass(frozen=True)
class Line:
    """One line of generated text. number from 1; role:
    `"signature" "guard" "forward" "backward" "inserted" "comment" "return"` or `"blank"`; origins: the spans of the
    user's text it comes from; tape: which save on a list it makes or takes back, by number, None for other lines;
    drawn: of what it keeps samples, or reads them, said of the first line of a statement."""

    number: int
    role: str
    origins: tuple[Origin, ...] = ()
    tape: int | None = None
    drawn: tuple[Drawing, ...] = ()


@dataclass(frozen=True)
class Term:
    """A stretch of generated text, and the expressions of the user's that caused it (`syntax/parts.py`): lines from 1,
    columns from 0 in characters, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    part: tuple[Span, ...]


@dataclass(frozen=True)
class Emitted:
    """Generated text, with what is known of each of its lines, and of stretches in them, those around others first."""

    text: str
    lines: tuple[Line, ...]
    functions: tuple[str, ...]
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Environment:
    """What a generated function is linked to: live globals, cells by name, the defaults of its parameters."""

    globals: dict[str, Any]
    cells: Mapping[str, types.CellType] = field(default_factory=dict)
    defaults: tuple[Any, ...] | None = None
    kwdefaults: dict[str, Any] | None = None
    doc: str | None = None


@dataclass(frozen=True)
class Stage:
    """What one stage, or one pass, made of the program: its name, a line on what it does,
    and what writes the text after it."""

    name: str
    summary: str
    write: Callable[[], Emitted] = field(repr=False)

    @cached_property
    @uncollected()
    def emitted(self) -> Emitted:
        """The text with what is known of its lines, written when it is first asked for."""
        return self.write()

    def again(self) -> Emitted:
        """What writes the text of a stage behind this one that changes nothing."""
        return self.emitted

    @property
    def text(self) -> str:
        """The text."""
        return self.emitted.text


@dataclass(frozen=True)
class Derivation:
    """What is known of a derived function; it carries this as its attribute `__tangent_nb__`.

    kind: `"grad" "value_and_grad" "vjp" "jvp" "forward" "backward"`; wrt: the parameters differentiated, in order;
    passes: those applied, in order; versions: texts by the signature that they are specialized for; cotangents: in
    reverse mode, the variable that holds the cotangent of each variable of the primal that has one; partners: by the
    names of the functions, which of their variables holds the derivative of which, temporaries too; backend: the
    library that it runs on; changes: the parameters whose arrays the function, and its derivative, change in place;
    reached: the places that it refuses when it reaches them; lacks: why there is no text for all arguments, and those
    of a call are needed; later: what has the texts for these; beside: what has those that are better for some
    arguments, for which this one asks first; compiled: by "jit" or "numba", else ""; problems: those that its functions
    posed, by their names, where they are kept to be shown; asked: the request that it answers; recomputes: something is
    computed again in it, and keeping_all gives the derivative in which nothing is.
    """

    kind: str
    mode: str
    primal: Captured
    wrt: tuple[str, ...]
    passes: tuple[str, ...]
    emitted: Emitted
    stages: tuple[Stage, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    cotangents: Mapping[str, str] = field(default_factory=dict)
    partners: Mapping[str, Partners] = field(default_factory=dict)
    backend: str = "numpy"
    changes: tuple[str, ...] = ()
    reached: tuple[Refusal, ...] = ()
    lacks: tuple[Refusal, ...] = ()
    later: Any = None
    beside: Any = None
    compiled: str = ""
    problems: Mapping[str, Any] = field(default_factory=dict, repr=False)
    asked: Any = field(default=None, repr=False)
    recomputes: bool = False
    keeping_all: Callable[[], Any] | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Only the text travels: the primal and the stages hold the namespace that the function was defined in."""
        return _travelled, (self.kind, self.mode, self.wrt, self.passes, self.emitted.text, self.emitted.functions,
                            self.cotangents, self.partners)


def _travelled(kind: str, mode: str, wrt: tuple[str, ...], passes: tuple[str, ...], text: str,
               functions: tuple[str, ...], cotangents: Mapping[str, str],
               partners: Mapping[str, Partners]) -> Derivation:
    primal: Any = None
    return Derivation(kind, mode, primal, wrt, passes, Emitted(text, (), functions), (), cotangents=cotangents,
                      partners=partners)


def keeping_all(fn: Any) -> Any:
    """Of a derivative in which something is computed again the one that keeps all; else the function itself."""
    known = getattr(fn, "__tangent_nb__", None)
    return known.keeping_all() if isinstance(known, Derivation) and known.keeping_all is not None else fn
