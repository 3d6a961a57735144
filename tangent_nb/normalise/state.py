"""What the two halves of `Lowering` share: its settings, the names that it makes, the statements that it emits."""
from __future__ import annotations

import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.activity import Varied
from ..analyse.masks import Mask
from ..analyse.nested import Nested
from ..analyse.resolve import Scope
from ..runtime.containers import NUMBERS
from ..syntax.building import assign, load, mark
from ..syntax.names import Names
from ..syntax.nodes import nodes_of, root_name, truths, walk
from ..syntax.parts import Part, part_of
from ..syntax.program import Captured, Namespace

Callee = Callable[[Any], "Captured | None"]


@dataclass
class State(ABC):
    """What one lowering knows, and the statements that it has made.

    varied: the names that may carry a derivative; mutated: those through which something may be changed in place;
    callee: the captured function behind a function value; inline: the short ones are put in place; reverse: what only
    reverse mode needs is made too (conditions that are kept, trip counts); result: a name for what is returned;
    shared: with a name, those that may have its memory, or parts of it, where something is changed in place;
    containers: the names of lists, dicts and objects that the function makes and stores in; by_place: the lists among
    them that get items in place; doubtful: those that may be
    containers, or arrays; made_lists: those that stand for lists only; perhaps_lists: the parameters that may be
    some; nested: at which depths the others hold lists, outside: what the caller gives may; collected: those that
    stand for what can be gone
    over beforehand; arrays: the parameters that are arrays for certain, and stay; looked_into: what of objects is read;
    parameters: of the function; in_turn: names of ours that keep what several targets get until it is stored;
    asked_once: lists and dicts from outside get items, whatever names they have here.
    """

    scope: Scope
    names: Names
    varied: set[str]
    callee: Callee
    inline: bool
    reverse: bool
    mutated: set[str]
    result: str
    nested: Nested
    outside: Nested
    shared: Mapping[str, set[str]] = field(default_factory=dict)
    containers: set[str] = field(default_factory=set)
    by_place: set[str] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    made_lists: set[str] = field(default_factory=set)
    perhaps_lists: set[str] = field(default_factory=set)
    collected: set[str] = field(default_factory=set)
    arrays: frozenset[str] = frozenset()
    looked_into: list[tuple[set[str], str, str]] = field(default_factory=list)
    parameters: frozenset[str] = frozenset()
    temporaries: set[str] = field(default_factory=set)
    in_turn: frozenset[str] = frozenset()
    asked_once: bool = False
    inlined: list[Any] = field(default_factory=list)
    called: list[Any] = field(default_factory=list)
    memory: dict[str, frozenset[str]] = field(default_factory=dict)     # of temporaries: whose memory they may share
    definitions: dict[str, gast.expr] = field(default_factory=dict)
    lists: dict[str, str] = field(default_factory=dict)   # the lists of which arrays are made that are stored in others
    out: list[gast.stmt] = field(default_factory=list)
    origin: Any = None
    # those that were made, with the names that they bind
    branches: dict[int, tuple[gast.If, set[str]]] = field(default_factory=dict)
    masks: tuple[Mask, ...] = ()
    stack: tuple[Any, ...] = ()
    calls: Part = ()                               # in whose place the body of a callee stands
    cells: dict[str, Any] = field(default_factory=dict)
    is_varied: Varied = field(init=False)

    def __post_init__(self) -> None:
        self.is_varied = Varied(self.varied, self.scope)

    def asks_again(self, node: gast.expr) -> bool:
        """What may hold other items when the backward sweep asks it, or whether two names are of one object: it may
        have copies."""
        if any(isinstance(op, (gast.Is, gast.IsNot)) and not isinstance(one, gast.Constant)
               for part in nodes_of(node, gast.Compare) for op, one in zip(part.ops, part.comparators, strict=True)):
            return True
        return self.asked_once and any(self.may_grow(one) for one in truths(node)) or self.asked_once and any(
            isinstance(part, (gast.Subscript, gast.Attribute)) and root_name(part) not in self.varied
            or isinstance(part, gast.Compare) and any(isinstance(op, (gast.In, gast.NotIn)) for op in part.ops)
            or self.scope.builtin(part) == "len" and root_name(part.args[0]) not in self.varied for part in walk(node))

    def may_grow(self, node: gast.expr) -> bool:
        """A name of what the function is given, or finds outside, and what may be a list or dict that gets items."""
        if not self.asked_once or not isinstance(node, gast.Name) or node.id in self.varied:
            return False
        given = node.id in self.parameters or node.id not in self.scope.local
        return given and not isinstance(self.scope.value(node), (*NUMBERS, str, type(None), types.FunctionType))

    @abstractmethod
    def statement(self, stmt: gast.stmt) -> None:
        """Lower a statement: one of the body, or of a callee that is put in the place of its call."""

    def emit(self, stmt: gast.stmt, **marks: Any) -> None:
        if self.masks:
            marks["masks"] = self.masks
        mark(stmt, origin=self.origin, role="forward", **marks)
        stmt.part = part_of(stmt, self.calls)
        self.out.append(stmt)

    def apart(self, lower: Callable[[], None]) -> list[gast.stmt]:
        """What is emitted while something is lowered: for a block of its own."""
        saved, self.out, origin = self.out, [], self.origin
        lower()
        done, self.out, self.origin = self.out, saved, origin
        return done

    def active(self, node: gast.expr) -> bool:
        return self.is_varied.of(node)

    def temporary(self, base: str) -> str:
        name = self.names.new(base)
        self.temporaries.add(name)
        self.scope.local.add(name)
        return name

    def kept(self, base: str, value: gast.expr, **marks: Any) -> gast.Name:
        """A temporary that holds a value."""
        name = self.temporary(base)
        self.emit(assign(name, value), **marks)
        return load(name)

    def cell(self, name: str, value: Any) -> str:
        """A name for what a function put in place of its call sees under a name of ours."""
        known = self.scope.namespace.cells
        for one in (name, *self.cells):
            if one in known and one not in self.scope.local and self.scope.namespace.lookup(one) is value:
                return one
        new = self.names.new(name)
        self.cells[new] = value
        self.scope = replace(self.scope,
                             namespace=Namespace(self.scope.namespace.globals, {**known, new: types.CellType(value)}))
        self.is_varied = Varied(self.varied, self.scope)
        return new
