"""Cotangents by name as a function computes them: the true ones from the raw adjoint,
and those of somebody's own backward pass."""
from __future__ import annotations

import ast
import copy
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from ..capture.find import NoTextError
from ..capture.find import find as text_of
from ..errors import TangentError
from ..syntax.partners import NONE
from ..syntax.program import Derivation
from ..tracing import Activation, Listener, Statement, Step, run
from ..tracing.statements import Lines, base, of_function, same
from ..tracing.values import copied, names_in


@dataclass(frozen=True)
class Assigned:
    """One assignment to a variable, or to a part of it: the variable's value after it. adds: to what the variable held
    before; part: only a part was assigned; reads: the names in its statement."""

    line: int
    name: str
    value: Any
    adds: bool
    part: bool
    reads: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Record:
    """What a function has assigned, in order, and returned. returns: the expression after `return`, and its line;
    error: what it raised; adding: the lines that add to a variable, by its name; steps: how many statements ran."""

    assigned: tuple[Assigned, ...]
    returned: Any = None
    returns: tuple[ast.expr, int] | None = None
    error: Exception | None = None
    adding: Mapping[str, Sequence[int]] = field(default_factory=dict)
    steps: int = 0


@dataclass
class Version:
    """The cotangent of one of the values that a variable takes.
    parts: what each of the user's lines contributes, by its number."""

    value: Any
    parts: list[tuple[int, Any]] = field(default_factory=list)


class TooLongError(Exception):
    """A run that was to end by itself has not."""


def recorded(function: types.FunctionType, call: Callable[[], Any], repairs: Mapping[int, Any] | None = None, *,
             lines: Lines | None = None, most: int | None = None) -> Record:
    """What `function` assigns in the first call of it that `call` makes, until it raises. repairs: what a variable gets
    instead after an assignment, by the place of that in the record; recorded is what was assigned. lines: the
    function's statements, where its code has no text of its own; most: so many statements are run, and no more.

    >>> def f(a):
    ...     b = a
    ...     b += 1.0
    ...     return b * 2.0
    >>> [(one.name, one.value, one.adds) for one in recorded(f, lambda: f(1.0)).assigned]
    [('b', 1.0, False), ('b', 2.0, True)]
    """
    lines = lines_of(function) if lines is None else lines
    recorder = _Recorder(repairs or {}, most)
    error = None

    def follow(frame: types.FrameType, caller: Activation | None) -> Lines | None:
        first = frame.f_code is function.__code__ and not recorder.started
        recorder.started = recorder.started or first
        return lines if first else None

    try:
        run(call, follow, recorder)
    except Exception as raised:
        error = raised
    adding: dict[str, list[int]] = {}
    for statement in {id(one): one for one in lines.values()}.values():
        for target in (*statement.stores, *_given(statement)):
            if not isinstance(target, ast.Name) or _adds(statement, target):
                adding.setdefault(base(target), []).append(statement.first)
    return Record(tuple(recorder.assigned), recorder.returned, recorder.returns, error, adding, recorder.steps)


def lines_of(function: types.FunctionType) -> Lines:
    """The statements of a function by line."""
    return of_function(definition_of(function))


def definition_of(function: types.FunctionType) -> ast.FunctionDef | ast.Lambda:
    """The definition of a function in its text."""
    try:
        _, definition = text_of(function.__code__, function.__globals__)
    except NoTextError as error:
        raise TangentError(f"the text of {function.__name__} is not to be found: run its definition again") from error
    assert isinstance(definition.node, (ast.FunctionDef, ast.Lambda))
    return definition.node


class _Recorder(Listener):
    def __init__(self, repairs: Mapping[int, Any], most: int | None) -> None:
        self.started = False
        self.steps, self.most = 0, most
        self.repairs = repairs
        self.assigned: list[Assigned] = []
        self.returned: Any = None
        self.returns: tuple[ast.expr, int] | None = None

    def began(self, step: Step) -> None:
        self.steps += 1
        if self.most is not None and self.steps > self.most:
            raise TooLongError

    def ended(self, step: Step, returned: Any) -> None:
        local, statement = step.activation.frame.f_locals, step.statement
        targets = () if statement.repeats else (*statement.stores, *_given(statement))
        for target in targets:
            name = base(target)
            if name in local:
                self.assigned.append(Assigned(statement.first, name, copied(local[name]), _adds(statement, target),
                                              not isinstance(target, ast.Name), names_in(statement.reads)))
                if len(self.assigned) - 1 in self.repairs:         # a frame takes over what its trace function changes
                    local[name] = copied(self.repairs[len(self.assigned) - 1])
        if returned is not None and statement.value is not None:
            self.returned, self.returns = copied(returned), (statement.value, statement.first)


def _given(statement: Statement) -> Iterator[ast.expr]:
    """What a call that is made for its effect may change: `np.add.at(b, i, g)`."""
    for read in statement.reads if statement.is_effect else ():
        if isinstance(read, ast.Call) and read.args and base(read.args[0]):
            yield ast.Subscript(ast.Name(base(read.args[0]), ast.Load()), ast.Constant(...), ast.Load())


def _adds(statement: Statement, target: ast.expr) -> bool:
    """A statement adds to its target: `x += g`, `x = x + g`, `x = g - (…) + x`; `rt.add_grad(x, g)`."""
    if statement.is_effect:
        return True
    todo = [] if statement.value is None else [statement.value]
    while todo:
        node = todo.pop()
        if same(node, target):
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            todo += [node.left, node.right] if isinstance(node.op, ast.Add) else [node.left]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_grad":
            todo += node.args[:1]
    return False


def versions(derivation: Derivation, assigned: Sequence[Assigned]) -> dict[str, list[Version]]:
    """For each variable of the primal the cotangents of its values,
    in the order in which the raw adjoint completes them.

    A cotangent starts with an assignment that does not add to it, and is complete where the next one starts. One
    without parts is zero: nothing comes back to that value.
    """
    return {variable: _of(derivation, assigned, cotangent) for variable, cotangent in derivation.cotangents.items()}


def _of(derivation: Derivation, assigned: Sequence[Assigned], name: str) -> list[Version]:
    found: list[Version] = []
    for one in assigned:
        if one.name == name:
            _continue(found, one, _origin(derivation, one.line))
    return found


def steps(derivation: Derivation, assigned: Sequence[Assigned]) -> dict[str, list[Version]]:
    """The cotangents of values that have no name in the primal, by the expressions that they are: of
    `h = np.tanh(np.dot(x, w))` that of `np.dot(x, w)`."""
    known = set(derivation.cotangents.values())
    ours = {one.name for one in assigned} - known
    texts: dict[str, ast.expr] = {}
    definition = ast.parse(derivation.emitted.text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            texts.setdefault(node.targets[0].id, node.value)
    found: dict[str, list[Version]] = {}
    partners = derivation.partners.get(definition.name, NONE).pairs({*texts, *ours})
    temporaries = {name: value for name, value in texts.items()
                   if name not in derivation.cotangents and partners.get(name) in ours}
    for name, value in temporaries.items():
        found.setdefault(ast.unparse(_written_out(value, temporaries)),
                         []).extend(_of(derivation, assigned, partners[name]))
    return found


def _written_out(node: ast.expr, temporaries: Mapping[str, ast.expr]) -> ast.expr:
    """An expression with what the temporaries in it are."""
    class Written(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            value = temporaries.get(name.id)
            return name if value is None \
                else _written_out(value, {one: known for one, known in temporaries.items() if one != name.id})

    return cast(ast.expr, Written().visit(copy.deepcopy(node)))


def _continue(found: list[Version], one: Assigned, origin: int) -> None:
    if found and one.adds:
        part = _minus(one.value, found[-1].value)
        found[-1].value = one.value
        found[-1].parts.append((origin, part))
    else:
        found.append(Version(one.value, [(origin, one.value)] if _is_nonzero(one.value) else []))


def _is_nonzero(value: Any) -> bool:
    return not isinstance(value, (float, np.ndarray, np.generic)) or bool(np.any(np.asarray(value) != 0))


def _minus(a: Any, b: Any) -> Any:
    try:
        return a - b
    except (TypeError, ValueError):                # containers
        return None


def _origin(derivation: Derivation, line: int) -> int:
    """The user's line that a generated line comes from; 0 where there is none, or it stands in another file."""
    origins = derivation.emitted.lines[line - 1].origins
    spans = [one.span for one in origins if one is not None and one.span.source == derivation.primal.source]
    return spans[0].line if spans else 0
