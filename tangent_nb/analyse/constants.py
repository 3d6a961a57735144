"""Constants that meet a derivative: where those come from of which it is not known what they are.

    def f(x, w, n):                    rt.check_constants(w)  # guard
        return np.sum(x[:n] * w)   →   …

Needs a body in normal form. Promises the parameters, and the statements whose value, may be of a kind with operators of
its own, and are an operand of an operation through which a derivative flows; what is known beforehand, of variables
outside, is refused then. n above is only a place, and may be what it likes.
"""
from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..rules import may_fill, method_row
from ..runtime.constants import again, asked_again, kind_shown, met, remedy
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.nodes import LEAVES, children, dotted, given_by, root_name, target_names, unparse, walk, writes
from ..syntax.program import MISSING
from .activity import COMPREHENSIONS, Varied, loop_bindings, names_given, operands
from .collected import collected, is_collected
from .draws import draws, makes_generator
from .flow import mutation
from .libraries import of_library
from .objects import is_shape
from .receivers import of_operator
from .resolve import Scope

EMPTY = (gast.Tuple, gast.List, gast.Set, gast.Dict)         # as displays may be


@dataclass
class Found:
    """parameters: to be checked first of all; matrices: the names among them that stand in matrix products with what
    carries a derivative, and nowhere else; made: the names to be checked after a statement that binds them; read:
    the expressions to be checked before a statement; outside: the variables outside, which may be something else by the
    time of a call; refused: those that are known to compute in a way of their own, with the statement, the text and the
    value."""

    parameters: list[str] = field(default_factory=list)
    matrices: set[str] = field(default_factory=set)
    made: dict[int, list[str]] = field(default_factory=dict)
    read: dict[int, list[gast.expr]] = field(default_factory=dict)
    outside: dict[str, gast.expr] = field(default_factory=dict)
    refused: list[tuple[gast.stmt, str, Any]] = field(default_factory=list)


def unknown(body: Sequence[gast.stmt], parameters: Iterable[str], varied: set[str], scope: Scope,
            places: bool, sweeps: bool = False, arrays: Iterable[str] = ()) -> Found:
    """What has to be checked. parameters: those of which nothing is known for certain; varied: the names that carry a
    derivative; places: the indices, axes and shapes of what carries one, and not what meets it: an object with an
    `__index__` of its own may count its calls, and what is given there is read again in the derivative; sweeps: loops
    are gone over again, backward, and their bounds are places too; those that are compared with lengths always are;
    arrays: the parameters that are arrays for certain."""
    search = _Search(scope, Varied(varied, scope), set(parameters), places)
    search.sweeps = sweeps
    search.collected = collected(body, (), scope) | set(arrays)
    for stmt in statements(body):
        search.learn(stmt)
    for stmt in statements(body):
        if getattr(stmt, "role", "") != "guard":
            search.place(stmt) if places else search.meet(stmt)
    if not places:
        search.found.matrices |= _matrices(body, search)
    return search.found


def _matrices(body: Sequence[gast.stmt], search: _Search) -> set[str]:
    """The names that are read as matrices that are multiplied with what carries a derivative, or for their shapes, in
    all places: products with sparse matrices are products of matrices too."""
    nodes, allowed = list(walk(body)), set[int]()
    for node in nodes:
        operation = search.scope.operation(node) if isinstance(node, gast.Call) else None
        if operation is not None and operation.kind == "function":
            allowed |= set(map(id, node.args))             # its own derivative asks
        if operation is not None and (rule := operation.rule) is not None:
            allowed |= set(map(id, node.args if rule.fn is runtime.check_matrices
                               else [operation.args.get(name) for name in rule.matrices]))
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult):
            allowed |= {id(one) for one, other in ((node.left, node.right), (node.right, node.left))
                        if search.varied.of(other)}
        elif isinstance(node, gast.Attribute) and node.attr == "shape":
            allowed.add(id(node.value))
    turned = [(stmt.targets[0].id, stmt.value.value) for stmt in statements(body)
              if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)
              and isinstance(stmt.value, gast.Attribute) and stmt.value.attr == "T"]
    allowed |= {id(of) for _, of in turned}
    names = [node for node in nodes if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)]
    found = {node.id for node in names if id(node) in allowed} - {node.id for node in names if id(node) not in allowed}
    while lost := {of.id for name, of in turned if isinstance(of, gast.Name) and of.id in found and name not in found}:
        found -= lost
    return found


class _Search:
    def __init__(self, scope: Scope, varied: Varied, parameters: set[str], places: bool) -> None:
        self.met, self.check = (asked_again, runtime.check_places) if places else (met, runtime.check_constants)
        self.scope, self.varied, self.parameters = scope, varied, parameters
        self.found = Found()
        # of a name: the statements that bind it, with the values
        self.bound: dict[str, list[tuple[gast.stmt, Any]]] = {}
        self.seen: set[str] = set()
        self.checked: set[str] = set()                             # in the text of a derivative
        self.stmt: Any = None
        self.collected: set[str] = set()
        self.sweeps = False

    def learn(self, stmt: Any) -> None:
        """Note what a statement binds."""
        given: list[tuple[Iterable[str], Any]] = []
        if isinstance(stmt, gast.Assign):
            given = [(names_given(target), stmt.value) for target in stmt.targets]
        elif isinstance(stmt, gast.AugAssign):
            given = [(names_given(stmt.target), stmt.value)]
        elif isinstance(stmt, gast.For):
            given = list(loop_bindings(stmt.target, stmt.iter, self.scope)) \
                if is_collected(stmt.iter, self.collected, self.scope) \
                or self.varied.of(stmt.iter) else [(target_names(stmt.target), None)]  # items that nobody has seen yet
        elif isinstance(stmt, gast.With):
            given = [(target_names(item.optional_vars), None) for item in stmt.items if item.optional_vars is not None]
        elif isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call):
            if self.scope.value(stmt.value.func) is self.check:
                self.checked.update(map(unparse, stmt.value.args))
            if isinstance(stmt.value.func, gast.Attribute) \
                    and (mutation(stmt) is not None or may_fill(stmt.value.func.attr)):
                given = [({root_name(stmt.value.func) or ""}, arg) for arg in stmt.value.args]
        for names, value in given:
            for name in names:
                self.bound.setdefault(name, []).append((stmt, value))

    # ------------------------------------------------------------------ where constants meet a derivative
    def meet(self, stmt: Any) -> None:
        self.stmt = stmt
        for tree in own_expressions(stmt) if is_compound(stmt) \
                else [getattr(stmt, "value", None), getattr(stmt, "test", None)]:
            for node in _own(tree):
                if isinstance(node, gast.expr) and node.__class__ not in LEAVES:
                    self._operands(self._met(node), isinstance(node, gast.Compare))
        if isinstance(stmt, gast.AugAssign):
            self._operands([stmt.target if isinstance(stmt.target, gast.Name) else stmt.target.value, stmt.value])
        self._put(stmt)
        for target in stmt.targets if isinstance(stmt, gast.Assign) else ():
            if isinstance(target, gast.Name) and target.id in self.varied.varied and not hasattr(stmt, "pair") \
                    and not self.varied.of(stmt.value) and self.origin(stmt.value):
                self._check(stmt, target.id)

    def place(self, stmt: Any) -> None:
        """The indices, axes and shapes of what carries a derivative, where it is read and where it is stored in; and
        the bounds of loops that the backward sweep goes over again."""
        self.stmt = stmt
        if isinstance(stmt, gast.For) and not self.varied.varied.isdisjoint(writes(stmt.body)):
            self._read(bound for node in walk(stmt.iter) if isinstance(node, gast.Call)
                       and self.scope.value(node.func) is range for bound in node.args
                       if self.sweeps or isinstance(bound, gast.Call))
        targets = getattr(stmt, "targets", [getattr(stmt, "target", None)])
        for tree in [*own_expressions(stmt)] if is_compound(stmt) else [getattr(stmt, "value", None), *targets]:
            for node in _own(tree):
                operation = self.scope.operation(node) \
                    if isinstance(node, gast.expr) and node.__class__ not in LEAVES else None
                if operation is not None and operation.rule is not None and (
                        root_name(node) in self.varied.varied if isinstance(node, gast.Subscript) else
                        any(map(self.varied.of, operands(operation, node, self.scope)))):
                    own = operation.rule.params[0] if operation.rule.receiver else ""
                    self._read(part for name, arg in operation.args.items()
                               if name not in (own, *operation.rule.active_params) for part in _places(arg))

    def _read(self, nodes: Iterable[Any], compared: bool = False) -> None:
        """The constants among some expressions are read here, again where they are not only compared."""
        for node in nodes:
            if not self.varied.of(node) and self.origin(node) and not compared:
                self.found.read.setdefault(id(self.stmt), []).append(node)

    def _put(self, stmt: Any) -> None:
        """What is put into a container that carries a derivative is an operand where it is read."""
        changed = mutation(stmt)
        into = changed[1] if changed is not None else getattr(stmt, "stores", None)
        if into in self.varied.varied and isinstance(stmt.value, gast.Call):
            self._read(stmt.value.args)

    def _met(self, node: Any) -> Sequence[Any]:
        """The operands that an operation computes with."""
        if isinstance(node, gast.Compare):
            plain = all(not isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops)
            return [node.left, *node.comparators] if plain else []
        operation = self.scope.operation(node)
        if isinstance(node, gast.BinOp) and not (operation.rule is not None and operation.rule.receiver):
            return [node.left, node.right]                 # also where a number has no derivative through it, as `//`
        if operation.kind in ("container", "select", "replaced", "rule"):
            computes = operation.rule is not None and isinstance(operation.rule.fn, np.ufunc)
            return [*operation.args.values()] if computes else operands(operation, node, self.scope)
        return []

    def _operands(self, nodes: Sequence[Any], compared: bool = False) -> None:
        given = [node for node in nodes if node is not None]
        if len(given) < len(nodes) or any(map(self.varied.of, given)):
            self._read(given, compared)

    # ------------------------------------------------------------------ where they come from
    def origin(self, node: Any) -> bool:
        """Note where a constant comes from; whether that is this very expression,
        so that its value has to be checked."""
        if isinstance(node, gast.Name):
            self._name(node)
            return False
        if (value := self.scope.value(node)) is not MISSING:
            self._known(node, value)
            return False
        if isinstance(node, gast.Subscript) and root_name(node) not in self.scope.local:
            return True     # an item of a variable outside: of that itself nothing is asked
        parts = self._parts(node)
        found = [self.origin(part) for part in parts or ()]            # of each part, whatever the first is
        return parts is None or any(found)

    def _parts(self, node: Any) -> Sequence[Any] | None:
        """The parts that decide what kind of value an expression has; None where nobody knows."""
        if isinstance(node, (gast.Constant, gast.JoinedStr, gast.Lambda)):
            return []
        if isinstance(node, gast.Attribute):
            row = method_row(np.ndarray, node.attr)
            is_view = row is not None and row.attribute and row.gives in ("view", "shares")            # `x.T`, `x.real`
            return [] if is_shape(node.attr) else [node.value] if is_view else None
        if isinstance(node, gast.BinOp):
            return [node.left, node.right] if of_operator(node, self.scope) is None else []
        if isinstance(node, gast.UnaryOp):
            return [] if isinstance(node.op, gast.Not) else [node.operand]
        if isinstance(node, gast.Compare):
            return [] if any(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in node.ops) \
                else [node.left, *node.comparators]
        return self._given(node) if isinstance(node, gast.Call) \
            else given_by(node) or ([] if isinstance(node, EMPTY) else None)

    def _given(self, node: Any) -> Sequence[Any] | None:
        if (changed := mutation(gast.Expr(node))) is not None and changed[0] == "pop":
            return [node.func.value]
        fn = self.scope.value(node.func)
        row, operation = self.scope.effects(node), self.scope.operation(node)
        if fn is slice or row.gives == "plain":
            return []
        if draws(fn) or makes_generator(fn) or getattr(node, "draws", False):
            return []
        args = [*node.args, *(k.value for k in node.keywords)]
        if row.of_items:
            return args
        if operation.rule is not None and operation.rule.exact:
            return self._made_array(node)
        if operation.kind == "rule" and operation.rule is not None and operation.rule.supported:
            if operation.rule.makes is not None:
                return None
            if operation.rule.name.startswith("rt."):
                return args
            if not operation.rule.active_params or operation.rule.diagonal or operation.memory == "view":
                return [operation.args[name] for name in operation.rule.active_params if name in operation.args]
        return None

    def _made_array(self, node: gast.Call) -> Sequence[Any] | None:
        """The same of an array that is made, of no class of its own: one of objects where they are not numbers."""
        others = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg != "copy"}
        if len(node.args) != 1 or not others.keys() <= {"dtype"}:
            return None
        if others:
            return [] if self.scope.value(others["dtype"]) in (float, int, np.float64, np.float32) else None
        return [] if self._asks_nothing(node.args[0]) else None

    def _asks_nothing(self, node: Any) -> bool:
        """Nothing is to be checked of what an expression is made of."""
        found, seen = self.found, self.seen
        self.found, self.seen = Found(), set(seen)
        asked = self.origin(node) or self.found != Found()
        self.found, self.seen = found, seen
        return not asked

    def _name(self, node: Any) -> None:
        name = node.id
        if name not in self.scope.local:
            if (value := self.scope.value(node)) is not MISSING:
                self._known(node, value)
            return
        if name in self.seen or name in self.varied.varied or name in self.checked:
            return
        self.seen.add(name)
        if name in self.parameters:
            self.found.parameters.append(name)
        here = self.stmt
        for stmt, value in self.bound.get(name, ()):
            self.stmt = stmt
            if value is None or self.origin(value):
                self._check(stmt, name)
        self.stmt = here

    def _check(self, stmt: gast.stmt, name: str) -> None:
        if name in self.checked:
            return
        names = self.found.made.setdefault(id(stmt), [])
        if name not in names:
            names.append(name)

    def _known(self, node: gast.expr, value: Any) -> None:
        if (found := self.met(value)) is not None:
            self.found.refused.append((self.stmt, dotted(node) or "it", found))
        elif not callable(value) and not _of_library(node, self.scope) and (text := unparse(node)) not in self.checked:
            self.found.outside[text] = node


def _own(tree: Any) -> Iterator[Any]:
    """The nodes of an expression, but those that are computed again and again, or later, under names of their own:
    nothing in them carries a derivative on."""
    todo = [tree] if isinstance(tree, gast.AST) else []
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (gast.Lambda, *COMPREHENSIONS)):
            todo += children(node)[::-1]


def _of_library(node: gast.expr, scope: Scope) -> bool:
    """An attribute of a module that nobody changes: `np.pi`, `np.newaxis`."""
    top = scope.value(node.value) if isinstance(node, gast.Attribute) else None
    return isinstance(top, types.ModuleType) and of_library(top.__name__)


def _places(index: Any) -> list[Any]:
    """What an index is made of."""
    if isinstance(index, gast.Tuple):
        return [part for item in index.elts for part in _places(item)]
    return [part for part in (index.lower, index.upper, index.step) if part is not None] \
        if isinstance(index, gast.Slice) else [index]


def why(text: str, value: Any) -> tuple[str, str]:
    """Why a variable outside is refused, and what to write instead."""
    if asked_again(value) is not None:
        reason, _, instead = again(value, text).partition(": pass ")
        return f"{text} is {reason}", f"{instead}, taken outside of the function"
    reason, _, instead = remedy(value, text).partition(": pass ")
    return f"{text} is {kind_shown(value)}, and meets what is differentiated: {reason}", instead

