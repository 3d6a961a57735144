"""What is known of one text while it is written anew, and what every part of the stage does with it.

Needs a text as it was written. Promises names that are free in it, statements in the order in which they are emitted,
each with the place of the user's statement that it stands for, and what a name or a path means before the program runs.
The walk itself is in the classes that follow (`Expressions`, `Assignments`, `Desugar`); the methods without a body are
theirs, so that the modules between need to know `State` alone.

    desugar.emit(assign(desugar.temporary("value"), node))          value = …        after what was emitted before
"""
from __future__ import annotations

import types
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gast

from ..analyse.activity import Varied, varied_names
from ..analyse.gone_over import varied_through
from ..analyse.libraries import unsettled
from ..analyse.resolve import Scope
from ..errors import Refusal, RefusedError
from ..rules import effects_of
from ..syntax.building import INTERNAL, assign, clone, constant, has_literal, load
from ..syntax.names import Names
from ..syntax.nodes import children, dotted, names_in, nodes_in, nodes_of, parameter_names, reads
from ..syntax.program import MISSING, Namespace, Span, source_at
from . import values
from .scopes import bindings, bound, everything, stand, substituted
from .structures import Known, Spelled
from .texts import Texts, Unit
from .values import Container, FunctionValue, Held, ObjectValue, Rows, imported, module_of, object_of

DEEPEST = 24           # bodies, each in the place of a call in the one before
OTHERS, YIELDS = (gast.Await, gast.Global, gast.ClassDef), (gast.Yield, gast.YieldFrom)        # what no body holds


class CannotHoistError(Exception):
    """An expression would need statements before it, in a place where none can stand."""


@dataclass
class Pending:
    """Operands that are evaluated, while the next one is: out: where statements go;
    start: how many there were when it began."""

    out: list[gast.stmt] | None
    nodes: list[Any]
    start: int = 0


class State(ABC):
    """State of one text.

    Of its names: functions, objects: those that are functions, or objects made here, for certain; holds: those of
    containers that the function makes, shared: of what something else may hold too,
    lengths: how many items deques keep, in variables; iterators: those of iterators that
    are gone over in parts; once, single: those bound once, and of these the ones that are only called or returned;
    loop_only: those that loops bind, and nothing outside of these loops reads; block_only: those that one block binds
    and reads; assigned: those that only assignments bind; defined: the statements that bind functions; doubtful,
    unsure_inside: those that may not be bound somewhere, and where a function inside reads them; temporaries: those
    that hold an operand; defaults: what their parameters are where they are not given. generators: the checks of
    parameters that draw random numbers. Of what is around: cells: what the text sees besides, by names of ours;
    assumed: the functions that are called by a path through objects, as they were; whole: the classes whose objects
    stay objects; places: of the displays that are variables. Of the walk: out: where statements go, None where none
    can stand; rows: lists of objects; apart: objects that are the copies that one name holds; fixed, written: classes
    of which objects are copied, or changed; alone: parameters of these that hold an object of the caller;
    given_values: names that were given values; numbers, nones, plain: names that hold a number, None, no object that
    is made here, where the walk is; over: what the loops around go over, by names; attempts: how many `try` are
    around; levels: how deep the bodies are that stand in places of calls, by their variables; stack, selves: the
    functions whose bodies are written.
    """

    def __init__(self, texts: Texts, unit: Unit, wrt: tuple[str, ...] | None,
                 kept: frozenset[Any] = frozenset()) -> None:
        self.texts, self.captured = texts, unit.captured
        self.tree: gast.FunctionDef = unit.captured.tree
        self.functions: dict[str, FunctionValue] = dict(unit.functions)
        self.wrt = wrt
        self.whole = kept
        self.places = {key: base for one in kept if isinstance(one, Held)
                       for key, base in one.places if key not in kept}
        self.cells: dict[str, Any] = {}
        self.assumed: dict[str, Any] = {}
        self.out: list[gast.stmt] | None = []
        self.pending: list[Pending] = []
        self.evaluated: dict[int, gast.expr] = {}              # expressions that are in the core language, by their ids
        # statements that are written, by their ids, with what they bind
        self.emitted: dict[int, tuple[gast.stmt, set[str]]] = {}
        self.origin: Any = None
        self.at: Any = None
        self.place: Any = None
        self.defined: dict[str, Any] = {}
        self.objects: dict[str, ObjectValue] = {}
        self.iterators: dict[str, Any] = {}
        self.once: set[str] = set()
        self.loop_only: set[str] = set()
        self.block_only: set[str] = set()
        self.assigned: set[str] = set()
        self.stack: list[Any] = []
        self.single: set[str] = set()
        self.selves: list[Any] = []
        self.depth = self.attempts = 0
        self.rows: dict[str, Rows] = {}
        self.apart: set[str] = set()
        self.fixed: set[type] = set()
        self.written: set[type] = set()
        self.alone: set[str] = set()
        self.numbers: set[str] = set()
        self.plain, self.nones = set[str](), set[str]()
        self.given_values: set[str] = set()
        self.levels: dict[str, int] = {}
        self.defaults: dict[str, list[tuple[str, Any]]] = {}
        self.called: set[int] = set()
        self.refusals: list[Refusal] = []
        self.lost: set[str] = set()
        self.binders: Mapping[str, list[Any]] = {}         # the nodes that bind each name, before anything is written
        self.holds: dict[str, Container] = {}
        self.shared: set[str] = set()
        self.lengths: dict[str, str] = {}
        self.over: list[set[str]] = []
        self.temporaries: set[str] = set()
        self.in_turn: set[str] = set()
        self.generators: dict[str, gast.stmt] = {}
        self.doubtful: set[str] = set()
        self.unsure_inside: set[str] = set()
        self.structures = Known()
        self.computed: dict[Any, Mapping[str, list[Any]]] = {}      # properties that a text sees, by its namespace
        self.stored: set[str] = set()                      # attributes that the texts assign which stand here

    def begin(self) -> None:
        """Find out what the names of the text are, on a copy of it."""
        tree = self.tree = clone(self.tree)
        self.local = bound(tree)
        self.doubtful = {node.id for node in nodes_in(tree) if hasattr(node, "unsure")}
        self.unsure_inside = set(getattr(tree, "unsure_inside", ()))
        self.names = Names(names_in(tree) | set(INTERNAL) | set(self.captured.namespace.cells) | everything(tree))
        self.namespace = self.captured.namespace
        binders = bindings(tree)
        self._imports(binders)
        self.binders = bindings(tree) if self._modules(binders) else binders
        self.scope = Scope(self.namespace, self.local)
        self.find_members(tree)
        self.varied = varied_names(tree, parameter_names(tree), self.scope) if self.wrt is None \
            else varied_through(tree, self.wrt, self.scope)
        self.find_structures(tree)

    # ------------------------------------------------------------------ the walk
    @abstractmethod
    def statement(self, stmt: Any) -> None:
        """Emit a statement in the core language."""

    @abstractmethod
    def expr(self, node: Any) -> Any:
        """The expression in the core language; what has to run before it is emitted."""

    @abstractmethod
    def find_members(self, tree: gast.FunctionDef) -> None:
        """Find draws of generators that the function makes, and what is asked of objects by the name of an attribute
        of arrays."""

    @abstractmethod
    def next(self, node: Any) -> Any:
        """The same for the next of the operands that are pending."""

    @abstractmethod
    def operands(self, nodes: Sequence[Any]) -> list[Any]:
        """The same for operands, in Python's order."""

    @contextmanager
    def before(self, *evaluated: Any) -> Iterator[list[Any]]:
        """What is evaluated and stands in no statement yet, while others are evaluated by `next`."""
        self.pending.append(Pending(self.out, list(evaluated), len(self.out or ())))
        try:
            yield self.pending[-1].nodes
        finally:
            self.pending.pop()

    @property
    def made(self) -> list[gast.stmt]:
        """The statements that were emitted for what is evaluated now."""
        return (self.out or [])[self.pending[-1].start:]

    # ------------------------------------------------------------------ names
    def _imports(self, binders: Mapping[str, list[Any]]) -> None:
        """What is imported inside of the function, and bound by nothing else, is known."""
        found: dict[str, Any] = {}
        for name, nodes in binders.items():
            if name not in self.doubtful and nodes \
                    and all(isinstance(node, (gast.Import, gast.ImportFrom)) for node in nodes):
                values = [imported(node, name, self.namespace.globals) for node in nodes]
                if values[0] is not MISSING and all(value is values[0] for value in values):
                    found[name] = values[0]
        self.imported = found
        self.local -= set(found)
        for name, value in found.items():
            self.see(name, value)

    def _modules(self, binders: Mapping[str, list[Any]]) -> bool:
        """Another name for a module outside, bound once, is that module by its own name; whether there was one."""
        found: dict[str, gast.expr] = {}
        for name, nodes in binders.items():
            one = nodes[0] if len(nodes) == 1 else None
            if isinstance(one, gast.Assign) and isinstance(self.object(one.value), types.ModuleType):
                found[name] = one.value
        names: Any = [stmt for stmt in self.tree.body if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1]
        for stmt in names:
            target, value = stmt.targets[0], stmt.value
            if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) \
                    and len(target.elts) == len(value.elts) \
                    and all(isinstance(one, gast.Name) and len(binders[one.id]) == 1 for one in target.elts) \
                    and all(isinstance(self.object(one), types.ModuleType) for one in value.elts):
                found.update({one.id: source for one, source in zip(target.elts, value.elts, strict=True)})
        if found:
            self.tree.body = substituted(self.tree.body, found)
        return bool(found)

    def find_structures(self, tree: gast.FunctionDef) -> None:
        """Find out what is known of what arguments hold, and write it where a text has to know it."""
        if self.structures:
            self.structures.find(tree, self.scope)
            Spelled(self.structures, self.scope, self._module).generic_visit(tree)

    def _module(self, value: Any, base: str) -> gast.expr:
        """A name for a module, or a class: the user's, where there is one."""
        found = (name for name, one in self.namespace.globals.items() if one is value)
        name = next(found, "")
        return load(name) if name and name not in self.local and name not in self.namespace.cells \
            else self.cell(value, base)

    def see(self, name: str, value: Any) -> None:
        """Let the text see a value under a name of ours that is not local."""
        self.cells[name] = value
        self.share(name, types.CellType(value))

    def share(self, name: str, cell: types.CellType) -> Any:
        """Let the text see a cell of another function under a name; what it holds."""
        self.namespace = Namespace(self.namespace.globals, {**self.namespace.cells, name: cell})
        self.scope = Scope(self.namespace, self.local)
        return cell

    def cell(self, value: Any, base: str) -> gast.Name:
        """A name of ours for a value."""
        for name, known in self.cells.items():
            if known is value:
                return load(name)
        name = self.names.new(base)
        self.see(name, value)
        return load(name)

    def known(self, value: Any, base: str) -> gast.expr:
        """A value that is there now: a literal, or a name of ours."""
        return constant(value) if has_literal(value) else self.cell(value, base)

    def temporary(self, base: str) -> str:
        """A new local name."""
        name = self.names.new(base)
        self.local.add(name)
        return name

    def kept(self, value: gast.expr, base: str) -> str:
        """A name for a value."""
        name = self.temporary(base)
        self.temporaries.add(name)
        self.emit(assign(name, value))
        return name

    def makes(self, name: str, made: Container) -> None:
        """A name of ours holds a container, whatever is put into it; another name may hold it too."""
        self.holds[name] = made
        self.shared.add(name)

    def empty_list(self, base: str) -> str:
        """A name of ours for a new list, to which items are appended."""
        name = self.temporary(base)
        self.makes(name, Container(list))
        self.emit(assign(name, gast.List([], gast.Load())))
        return name

    def named(self, node: Any, base: str) -> gast.expr:
        """An operand that is evaluated here and may be read again: a name for it; a number or a text stays."""
        return node if isinstance(node, gast.Constant) else load(self.kept(self.expr(node), base))

    # ------------------------------------------------------------------ meanings
    def object(self, node: gast.AST) -> Any:
        """The object outside of the function that an expression means now, or MISSING."""
        return object_of(node, self.namespace, self.local)

    @property
    def modules(self) -> set[str]:
        """The names in the text that stand for modules."""
        return {name for name in reads(self.tree) if isinstance(self.object(load(name)), types.ModuleType)}

    def assume(self, node: gast.AST, fn: Any) -> None:
        """The text takes it that a path through objects means a function, as it does now."""
        name = dotted(node)
        if name is not None and not (isinstance(fn, types.FunctionType) and fn in self.texts.made):
            self.assumed[name] = fn

    def unsettled(self, node: gast.expr) -> tuple[gast.expr, Any] | None:
        """The part of a path that may come to mean another object, with what it means now."""
        return unsettled(node, self.namespace, self.captured.ours | self.cells.keys())

    def assume_member(self, path: Any, kind: type, name: str, fn: Any) -> None:
        """The same of a member of the class of an object; of one among the arguments, that the class is as it was."""
        if self.structures.object_at(path, name) is not None:
            self.assume(self.cell(kind, kind.__name__), kind)
        else:
            self.assume(gast.Attribute(clone(path), name, gast.Load()), fn)

    def carries(self, node: gast.expr) -> bool:
        """The value of an expression may carry a derivative."""
        return Varied(self.varied | values.whole_in(node, self.objects, self.varied), self.scope).of(
            values.with_variables(node, self.objects))

    def inlines(self, fn: Any, *, again: bool = False) -> bool:
        """The body of a function can stand in the place of its call; again: within itself, for another object."""
        if not isinstance(fn, types.FunctionType) or self.stack.count(fn) and not again:
            return False
        try:
            return self.can_stand(fn) and not nodes_of(self.texts.unit(fn).captured.tree, *OTHERS, *YIELDS)
        except RefusedError:
            return False

    def can_stand(self, fn: Any, tree: Any = None) -> bool:
        """A text of a function, where there is one, can stand here."""
        if len(self.stack) >= DEEPEST or self.out is None or effects_of(fn) is not None:
            return False
        if fn not in self.texts.made and fn.__globals__ is not self.namespace.globals \
                and module_of(fn.__globals__) is None:
            return False                                   # what it sees could not be read anew from here
        return tree is None or not nodes_of(tree, *OTHERS)

    # ------------------------------------------------------------------ statements
    def emit(self, stmt: gast.stmt) -> None:
        """Write a statement, which is in the core language, after those before it."""
        if self.out is None:
            raise CannotHoistError
        self.out.append(self.placed(stmt))

    def placed(self, node: Any) -> Any:
        """The statement or expression with the place of the user's statement wherever it has none."""
        found = [node]
        for part in found:                                 # grows while it is gone over
            if id(part) in self.emitted or self.evaluated.get(id(part)) is part:
                continue                                   # placed when it was written
            found += children(part)
            if self.place is not None and isinstance(part, (gast.stmt, gast.expr)):
                stand(part, self.place)
            if "origin" not in part.__dict__ and isinstance(part, gast.stmt):
                part.origin = self.origin
        return node

    def nested(self, name: str = "") -> bool:
        """What is written now stands in a branch or a loop; name: in one of the body that the variable belongs to."""
        return self.depth > self.levels.get(name, 1)

    # ------------------------------------------------------------------ refusals
    def key(self, node: Any) -> tuple[str, int, int] | None:
        """Where a node stands, of whatever text it is."""
        if getattr(node, "lineno", None) is None:
            return None
        return getattr(node, "source", self.captured.source).filename, node.lineno, node.col_offset

    def span(self, node: Any) -> Span | None:
        """The place of a node in the text."""
        line = getattr(node, "lineno", None)
        if line is None:
            return None
        source = source_at(node, self.place) or self.captured.source
        return Span(source, line, node.col_offset, getattr(node, "end_lineno", None) or line,
                    getattr(node, "end_col_offset", None) or node.col_offset)

    @property
    def here(self) -> Any:
        """The expression that is written in other words now, for refusals; the statement where it is none."""
        return self.place if self.at is None else self.at

    def text(self, node: Any, other: str) -> str:
        """What the user wrote at a node, for messages; other: what stands for it where that is long,
        or not the user's."""
        span = self.span(node)
        text = "" if span is None else span.text
        return text if text and len(text) < 50 and "\n" not in text else other

    def refused(self, node: Any, why: str, remedy: str, *, unknown: str = "") -> RefusedError:
        """The refusal of what stands at a node. unknown: it is not known how that is made."""
        span = self.span(node) or self.span(self.place)
        return RefusedError(self.captured.name, [Refusal(span, why, remedy, unknown=unknown)])
