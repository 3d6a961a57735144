"""Somebody's backward pass, run as often as it takes to judge it: with right values after some of its assignments, and
with holes in the places of lines that raise."""
from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from typing import Any

from ..tracing.statements import Statement, base, of_function
from .cotangents import Record, definition_of, recorded
from .options import OptionError
from .rerun import Calls
from .verdicts import Again

PATIENCE = 50                                      # times as many statements as at the first arguments


class Attempt:
    """A backward pass, and how it is called for the arguments of `f`."""

    def __init__(self, function: types.FunctionType, f: types.FunctionType) -> None:
        self.function, self.f = function, f
        self.node = definition_of(function)
        self.lines = of_function(self.node)
        self.most: int | None = None               # statements in a run
        self.without: list[str] = []               # parameters of `f` that it has not

    def at(self, bound: inspect.BoundArguments) -> tuple[Calls, Again]:
        """How to call it at some arguments, and how to run it again there."""
        calls = Calls(self.function, (), self._arguments(bound))

        def again(repairs: Mapping[int, Any], holes: Mapping[int, Exception] | None = None) -> Record:
            function = self.with_holes(holes) if holes else self.function
            return recorded(function, lambda: calls(function), repairs, lines=self.lines, most=self.most)

        return calls, again

    def first(self, calls: Calls) -> Record:
        """The first run, whose output is shown."""
        record = recorded(self.function, lambda: calls(self.function, shown=True), lines=self.lines)
        self.most = PATIENCE * (record.steps + 1)
        return record

    def _arguments(self, bound: inspect.BoundArguments) -> dict[str, Any]:
        """The arguments of `f` that the backward pass has parameters for."""
        found = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            if name in bound.arguments and parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
                found[name] = bound.arguments[name]
            elif parameter.default is parameter.empty:
                raise OptionError(f"{self.function.__name__} has a parameter {name}, which {self.f.__name__} has not: "
                                  f"give it parameters of {self.f.__name__} ({', '.join(bound.arguments)}), or a "
                                  "default")
        self.without = [name for name in bound.arguments if name not in found]
        return found

    def raised_at(self, error: Exception) -> Statement | None:
        """The statement of the backward pass that raised."""
        found, trace = None, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.function.__code__.co_filename \
                    and trace.tb_frame.f_code.co_name == self.function.__name__:
                found = self.lines.get(trace.tb_lineno)
            trace = trace.tb_next
        return found

    def fillable(self, error: Exception) -> Statement | None:
        """The statement that raised, if it is an assignment in whose place a hole may stand."""
        found = self.raised_at(error)
        if found is None or found.repeats or found.shares or not found.stores or self.function.__closure__ is not None:
            return None
        simple = [node for node in ast.walk(self.node) if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign))]
        return found if any(node.lineno == found.first for node in simple) else None

    def with_holes(self, lines: Collection[int]) -> types.FunctionType:
        """The backward pass with `...` assigned where these lines begin."""
        node = deepcopy(self.node)
        assert isinstance(node, ast.FunctionDef)
        node.decorator_list = []
        module = ast.fix_missing_locations(ast.Module([_Holes(lines).visit(node)], []))
        scope: dict[str, Any] = {}
        exec(compile(module, self.function.__code__.co_filename, "exec", dont_inherit=True), scope)
        made = types.FunctionType(scope[node.name].__code__, self.function.__globals__, node.name,
                                  self.function.__defaults__)
        made.__kwdefaults__ = self.function.__kwdefaults__
        return made

    def is_empty(self, line: int) -> bool:
        """What is assigned there, or added, is a blank: `...`, or underscores alone."""
        value = self.lines[line].value if line in self.lines else None
        if isinstance(value, ast.BinOp) and any(ast.unparse(value.left) == ast.unparse(target)
                                                for target in self.lines[line].stores):
            value = value.right
        return is_blank(value)

    def bound(self, statement: Statement) -> list[str]:
        """The names that a statement assigns to, in whole or in part."""
        changed = [read.args[0] for read in statement.reads
                   if statement.is_effect and isinstance(read, ast.Call) and read.args]
        return [name for target in (*statement.stores, *changed) if (name := base(target))]

    def lines_for(self, name: str) -> list[int]:
        """The lines that assign to a name."""
        return sorted({one.first for one in self.lines.values() if name in self.bound(one)})

    def answer(self, name: str) -> str:
        """The text of the statements that assign to a name."""
        lines = set(self.lines_for(name))
        return _texts(node for node in ast.walk(self.node) if isinstance(node, ast.stmt) and node.lineno in lines)

    def answer_returned(self) -> str:
        """The text of its return statements."""
        return _texts(self.returns())

    def returns(self) -> list[ast.Return]:
        """Its return statements."""
        return [node for node in ast.walk(self.node) if isinstance(node, ast.Return)]


def is_blank(node: ast.expr | None) -> bool:
    """A blank that the reader is to fill: `...`, or a name of underscores."""
    return isinstance(node, ast.Constant) and node.value is ... \
        or isinstance(node, ast.Name) and not node.id.strip("_")


class _Holes(ast.NodeTransformer):
    def __init__(self, lines: Collection[int]) -> None:
        self.lines = lines

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or node.lineno not in self.lines:
            return super().generic_visit(node)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {base(one) for target in targets for one in ast.walk(target) if isinstance(one, ast.expr)} - {""}
        stores = [ast.Name(name, ast.Store()) for name in sorted(names)]
        return ast.copy_location(ast.Assign([*stores], ast.Constant(...)), node)


def _texts(nodes: Iterable[ast.stmt]) -> str:
    return "\n".join(ast.unparse(node) for node in sorted(nodes, key=lambda node: node.lineno)
                     if not getattr(node, "body", None))
