"""Hints for one blank of a quiz, from the general to the particular, made from the rules and the true derivative.

Nothing is made before it is asked for, and nothing of it is kept where a page could read it.
"""
from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import gast
import numpy as np

from ..capture import capture
from ..every import leaves
from ..rules import Rule, lookup, lookup_method, lookup_operator
from ..rules.arithmetic import is_power, is_product, power_texts
from ..rules.libraries import IN_ROWS
from ..syntax.nodes import writes
from ..syntax.program import MISSING
from ..tracing.statements import base
from .compare import kind
from .derive import Derived, derive
from .options import Options
from .quiz_options import RETURN, QuizOptions
from .truth import Truth
from .verdicts import variable_of

# which keep cotangents' names
READABLE = ("inlining", "recompute", "unbroadcast", "first_write", "constant_folding", "dead_code")
LEVELS = 5
HOLE = "□"


@dataclass(frozen=True)
class Use:
    """One use of a variable. line: where; rule: of what reads it, None for what has none; argument: of that rule; call:
    how it is called, in the letters of the rule; text: what comes back; words: of what has no rule."""

    line: int
    rule: Rule | None = None
    argument: str = ""
    call: str = ""
    text: str = ""
    words: str = ""


class Hints:
    """What can be said of the cotangents of one function at some arguments."""

    def __init__(self, f: types.FunctionType, bound: inspect.BoundArguments, truth: Truth, options: QuizOptions,
                 wanted: tuple[str, ...]) -> None:
        self.f, self.bound, self.truth, self.options, self.wanted = f, bound, truth, options, wanted

    def ladder(self, name: str) -> list[str]:
        """The hints for a blank: the rule of calculus; the formula of the rule; the names in the answer; its shape and
        dtype; the form of the expression."""
        lines = self.lines(name)
        found = [self._calculus(name), self._formula(name), _names(lines), self._shape(name),
                 "the form of the answer:\n" + "\n".join(_form(line) for line in lines) if lines else ""]
        return [one for one in found if one]

    def solution(self, name: str) -> str:
        """The lines of the true derivative that make a cotangent, in the names of the quiz."""
        return "\n".join(map(ast.unparse, self.lines(name))) or "the derivative has no line for it"

    @cached_property
    def derived(self) -> Derived:
        """The true derivative, as a reader would write it."""
        return derive(self.f, Options(wrt=tuple(self.truth.gradients), passes=READABLE), self.bound)

    @cached_property
    def _text(self) -> ast.FunctionDef:
        definition = ast.parse(self.derived.derivation.emitted.text).body[0]
        assert isinstance(definition, ast.FunctionDef)
        return definition

    def lines(self, name: str) -> list[ast.stmt]:
        """The statements of the true derivative that assign to a cotangent, temporaries written out."""
        if name == RETURN:
            given = self.wanted or tuple(self.truth.gradients)
            names = ", ".join(self._ours.get(self._cotangent(one), f"{self.options.prefix}{one}") for one in given)
            return ast.parse(f"return {names}").body
        theirs = self._cotangent(variable_of(name, self.truth, self.options))
        return [self._written(node) for node in ast.walk(self._text)
                if isinstance(node, (ast.Assign, ast.AugAssign)) and theirs in _targets(node) and not _is_idle(node)]

    def _cotangent(self, variable: str) -> str:
        """What holds the cotangent of a variable or a step, in the true derivative."""
        known = self.derived.derivation.cotangents.get(variable)
        if known is not None:
            return known
        return next((f"b{name}" for name, value in self._temporaries.items()
                     if ast.unparse(self._expanded(value, {})) == variable), "")

    @cached_property
    def _user(self) -> frozenset[str]:
        return self.truth.variables | set(self.bound.arguments)

    @cached_property
    def _temporaries(self) -> Mapping[str, ast.expr]:
        """Names of ours that are bound once, with what they are."""
        found: dict[str, list[ast.expr]] = {}
        for node in ast.walk(self._text):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, []).append(node.value)
        kept = self._user | {theirs for variable, theirs in self.derived.derivation.cotangents.items()
                             if variable in self._user}
        return {name: values[0] for name, values in found.items() if name not in kept and len(values) == 1}

    @cached_property
    def _ours(self) -> Mapping[str, str]:
        """The names of the quiz for the cotangents of the derivative."""
        options = self.options
        found = {theirs: f"{options.prefix}{variable}" for variable, theirs in
                 self.derived.derivation.cotangents.items() if variable in self._user}
        return found | {self._cotangent(of): name for name, of in options.names.items() if self._cotangent(of)}

    def _expanded(self, node: Any, names: Mapping[str, str]) -> Any:
        """An expression with what temporaries are, and other names for some."""
        temporaries = self._temporaries

        class Written(ast.NodeTransformer):
            def visit_Name(self, name: ast.Name) -> Any:
                if name.id in names:
                    return ast.Name(names[name.id], name.ctx)
                value = temporaries.get(name.id) if isinstance(name.ctx, ast.Load) else None
                return name if value is None else self.visit(deepcopy(value))

        return _Plain().visit(Written().visit(deepcopy(node)))

    def _written(self, node: ast.stmt) -> ast.stmt:
        made: ast.stmt = ast.fix_missing_locations(self._expanded(node, self._ours))
        return made

    def _shape(self, name: str) -> str:
        if name == RETURN:
            return "shapes: " + ", ".join(f"{one} {_kind(self.truth.gradients[one])}" for one in
                                          self.wanted or self.truth.gradients)
        versions = self.truth.versions(variable_of(name, self.truth, self.options))
        return f"{name} is {_kind(versions[-1].value)} here" if versions else ""

    def _calculus(self, name: str) -> str:
        """Where the value is used, and which rule of calculus brings something back from there."""
        if name == RETURN:
            return "return the gradients" + (f" of {', '.join(self.wanted)}, in this order" if self.wanted else "")
        variable = variable_of(name, self.truth, self.options)
        uses = sorted(self._uses(variable), key=lambda one: one.line)
        said = [f"in line {line}, {text}" for line, text in dict.fromkeys((one.line, _calculus(one)) for one in uses)]
        if not said:
            return f"{self.f.__name__} reads {variable} nowhere"
        more = f". Add up what comes back from these {len(said)}" if len(said) > 1 else ""
        return f"{variable} is read {'; '.join(said)}{more}"

    def _formula(self, name: str) -> str:
        """The rows of what reads it."""
        uses = self._uses(variable_of(name, self.truth, self.options))
        return "\n".join(dict.fromkeys(said for one in uses if (said := self._row(one))))

    def _row(self, use: Use) -> str:
        if use.rule is None or not use.text:
            return ""
        result = use.rule.result
        return f"{result} = {use.call}: where g comes back to {result}, {use.text} comes back to {use.argument} " \
               "(the letters are those of the rule)"

    def _uses(self, variable: str) -> Iterator[Use]:
        """Where a variable or a step is read, with the rule of what reads it."""
        captured = capture(self.f)
        local = writes(captured.tree)
        for parent in gast.walk(captured.tree):
            for node in gast.iter_child_nodes(parent):
                if _is_read(node, variable):
                    yield self._use(parent, node, getattr(node, "lineno", 0), captured, local)

    def _use(self, parent: Any, node: Any, line: int, captured: Any, local: Any) -> Use:
        if isinstance(parent, (gast.BinOp, gast.AugAssign)):
            rule = lookup_operator(type(parent.op).__name__)
            given = [getattr(parent, "left", None) or parent.target, getattr(parent, "right", None) or parent.value]
        elif isinstance(parent, gast.UnaryOp):
            rule, given = lookup_operator(type(parent.op).__name__), [parent.operand]
        elif isinstance(parent, gast.Call) and any(one is node for one in parent.args):
            fn = captured.namespace.resolve(parent.func, local)
            rule, given = None if fn is MISSING else lookup(fn), parent.args
        elif isinstance(parent, gast.Attribute):
            rule, given = lookup_method(parent.attr), [node]
        else:
            return Use(line, words=_without_rule(parent))
        place = next(at for at, one in enumerate(given) if one is node)
        if rule is None or place >= len(rule.params) or rule.params[place] not in rule.pull:
            return Use(line, words=_without_rule(parent))
        letters = rule.params[:len(given)]
        call = f"{rule.name}({', '.join(letters)})"
        if isinstance(parent, (gast.BinOp, gast.AugAssign)):
            call = gast.unparse(gast.BinOp(_name(letters[0]), parent.op, _name(letters[1])))
        elif isinstance(parent, gast.UnaryOp):
            call = gast.unparse(gast.UnaryOp(parent.op, _name(letters[0])))
        choices = [choice.text for choice in rule.pull[letters[place]]]
        text = next((one for one in choices if "rt." not in one), choices[-1])
        if is_power(rule) and place == 0 and isinstance(given[-1], gast.Constant):
            text = power_texts(given[-1].value) or "0"
            call = call.replace(f" {letters[-1]}", f" {given[-1].value}")
        return Use(line, rule, letters[place], call, text)


def _name(letter: str) -> Any:
    return gast.Name(letter, gast.Load(), None, None)


def _without_rule(parent: Any) -> str:
    """What happens to a value where no rule reads it."""
    if isinstance(parent, gast.Return):
        return "it is returned: 1 comes back"
    if isinstance(parent, gast.Subscript):
        return "a part of it is read: what comes back belongs to that part"
    return "it is handed on"


class _Plain(ast.NodeTransformer):
    """Without factors that are 1."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, ast.Constant) and one.value == 1.0:
                    return other
        return node


def _is_read(node: Any, variable: str) -> bool:
    if isinstance(node, gast.Name):
        return node.id == variable and isinstance(node.ctx, gast.Load)
    return isinstance(node, gast.expr) and not isinstance(node, gast.Constant) and gast.unparse(node) == variable


def _calculus(use: Use) -> str:
    """The rule of calculus, in words."""
    rule = use.rule
    if rule is None:
        return use.words
    if rule.adds:
        return "the sum rule"
    if is_product(rule):
        return "the product rule"
    if is_power(rule):
        return "the power rule"
    if rule.multiplies and not rule.diagonal:
        return f"the product rule, for a product of matrices ({_reader(use)})"
    if rule.diagonal:
        return f"the chain rule, through {_reader(use)}, element by element"
    return f"the chain rule, through {_reader(use)}"


def _reader(use: Use) -> str:
    """What reads it: the function, or the sign of the operator."""
    assert use.rule is not None
    sign = "".join(one for one in use.call if not one.isalnum() and one not in " _")
    return use.rule.name if use.call.startswith(use.rule.name) else f"the operator {sign}"


def _targets(node: ast.Assign | ast.AugAssign) -> set[str]:
    return {base(target) for target in (node.targets if isinstance(node, ast.Assign) else [node.target])} - {""}


def _is_idle(node: ast.stmt) -> bool:
    """`bx = bx`."""
    return isinstance(node, ast.Assign) and len(node.targets) == 1 \
        and ast.unparse(node.targets[0]) == ast.unparse(node.value)


def _read(lines: Sequence[ast.stmt]) -> Iterator[ast.Name]:
    for line in lines:
        called = {id(one) for call in ast.walk(line) if isinstance(call, ast.Call) for one in ast.walk(call.func)
                  if not isinstance(call.func, ast.Attribute) or isinstance(one, ast.Name) and one.id in IN_ROWS}
        for node in ast.walk(line):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called:
                yield node


def _names(lines: list[ast.stmt]) -> str:
    names = dict.fromkeys(name.id for name in _read(lines))
    return f"what stands in the answer: {', '.join(names)}" if names else \
        "no name stands in the answer" * bool(lines)


def _form(line: ast.stmt) -> str:
    """A statement with holes in the places of names and numbers."""
    made = deepcopy(line)
    for name in list(_read([made])):
        name.id = HOLE
    for node in ast.walk(made):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            node.value = _Hole()  # type: ignore[assignment]
    return ast.unparse(made)


class _Hole:
    def __repr__(self) -> str:
        return HOLE


def _kind(value: Any) -> str:
    dtypes = sorted({str(np.asarray(leaf).dtype) for leaf in leaves(value)})
    return f"{kind(value)}, {', '.join(dtypes)}" if isinstance(value, (np.ndarray, np.generic)) else kind(value)
