"""The functions that a text would define, made without running any of it.

Needs the tree of a cell's text, and the namespace that it would run in. Promises functions whose code is that of the
text, and a namespace of their own: what the user has there now, and what the text binds as far as that can be read:
functions and lambdas with a name, literals, imports of modules that are loaded. No decorator, default, import or class
body runs; what would take that has the value that the notebook has for it, or none, and is named in a note.
"""
from __future__ import annotations

import ast
import builtins
import dis
import sys
import types
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import gast

from ..rules import lookup
from ..syntax.program import MISSING, Namespace
from .cell import inner_statements

Def: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"


@dataclass(frozen=True)
class Written:
    """A def or a named lambda of the text, with its code."""

    name: str
    node: Def
    code: types.CodeType


@dataclass
class Unrun:
    """What a text would bind. live: the namespace it would run in, which is only read; flags: of the compiler."""

    tree: ast.Module
    filename: str
    live: Mapping[str, Any]
    flags: int = 0
    written: dict[str, Written] = field(default_factory=dict)          # the last one of each name
    bound: dict[str, Any] = field(default_factory=dict)                # the rest; MISSING what cannot be read
    lines: dict[str, int] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)                   # names of numbers and texts written down

    def __post_init__(self) -> None:
        for stmt in inner_statements(self.tree):
            self._take(stmt)

    @cached_property
    def namespace(self) -> dict[str, Any]:
        """The names as the functions see them. It is that of the notebook itself where the text adds nothing to it that
        they read."""
        scope: Any = self.live
        if not any(self._is_new(name) for name in self._read(self.written)):
            return scope  # type: ignore[no-any-return]
        scope = dict(self.live)
        for name, value in scope.items():          # what the notebook's functions call is what the text says, too
            if type(value) is types.FunctionType and value.__globals__ is self.live and not value.__dict__ \
                    and lookup(value) is None:
                scope[name] = _in(scope, value)
        scope.update({name: value for name, value in self.bound.items() if value is not MISSING})
        return scope  # type: ignore[no-any-return]

    def function(self, name: str) -> Any:
        """The function of a name; MISSING where there is none."""
        self._fill()
        return self._made.get(name, self.namespace.get(name, MISSING))

    def notes(self, name: str) -> list[str]:
        """What is not as it will be when the text has run, of that which a function reads."""
        found = []
        for one in self._reached(name):
            node = self.written[one].node
            if not isinstance(node, ast.Lambda):
                found += [(decorator.lineno, f"@{_short(decorator)} has not run: {one} is shown without it")
                          for decorator in node.decorator_list]
            found += [(node.lineno, f"the default of {parameter} has not run: it is not known")
                      for parameter in self._unknown_defaults(one)]
        for one in sorted(self._read(self._reached(name))):
            if self.bound.get(one) is MISSING and one not in self.written:
                known = "it is what it is in the notebook" if one in self.live else "it is not known"
                found.append((self.lines[one], f"what gives {one} has not run: {known}"))
        return [f"line {line}: {said}" for line, said in sorted(found, key=lambda one: one[0])]

    def unknown(self, name: str) -> list[ast.Name]:
        """The names that a function reads, and those of the text that it calls, which nothing binds: neither the text
        nor the notebook, nor Python."""
        scope = {**self.namespace, **self.written, **self.bound}
        found = []
        for one in self._reached(name):
            names = {read for read in _globals(self.written[one].code)
                     if read not in scope and not hasattr(builtins, read)}
            found += [node for node in ast.walk(self.written[one].node)
                      if isinstance(node, ast.Name) and node.id in names] if names else []
        return found

    @cached_property
    def _made(self) -> dict[str, types.FunctionType]:
        return {name: self._function(one) for name, one in self.written.items()}

    def _fill(self) -> None:
        if self.namespace is not self.live:
            self.namespace.update(self._made)

    def _function(self, one: Written) -> types.FunctionType:
        given = _defaults(one.node, self)
        positional = [value for name, value in given.items() if name not in _keyword_only(one.node)]
        after = next((at for at in range(len(positional), 0, -1) if positional[at - 1] is MISSING), 0)
        made = types.FunctionType(one.code, self.namespace, one.code.co_name, tuple(positional[after:]) or None)
        made.__kwdefaults__ = {name: value for name, value in given.items()
                               if name in _keyword_only(one.node) and value is not MISSING} or None
        made.__annotations__ = {arg.arg: ast.unparse(arg.annotation) for arg in _parameters(one.node.args)
                                if arg.annotation is not None}
        return made

    def _unknown_defaults(self, name: str) -> list[str]:
        return [parameter for parameter, value in _defaults(self.written[name].node, self).items() if value is MISSING]

    def value_of(self, node: ast.expr) -> Any:
        """What an expression gives, where that is known without running it: a literal, a name; else MISSING."""
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            pass
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self.written:
            return MISSING
        return Namespace({**self.live, **self.bound}).resolve(gast.ast_to_gast(node))

    def _is_new(self, name: str) -> bool:
        if name in self.written:
            return True
        value = self.bound.get(name, MISSING)
        now = self.live.get(name, MISSING)
        same = name in self.constants and type(value) is type(now) and repr(value) == repr(now)
        return value is not MISSING and value is not now and not same

    def _read(self, names: Any) -> set[str]:
        """The names that functions of the text look up outside."""
        found = {read for name in names for read in _globals(self.written[name].code)}
        return {name for name in found if name in self.written or name in self.bound}

    def _reached(self, name: str) -> list[str]:
        """A function of the text, and those of it that it may call."""
        found, todo = [], [name]
        while todo:
            one = todo.pop()
            if one in self.written and one not in found:
                found.append(one)
                todo += sorted(self._read([one]), reverse=True)
        return found

    def _take(self, stmt: ast.stmt) -> None:
        if isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._define(stmt.name, stmt)
        elif isinstance(stmt, (ast.Import, ast.ImportFrom)):
            for name, value in _imported(stmt):
                self._bind(name, value, stmt)
        elif isinstance(stmt, (ast.Assign, ast.AnnAssign)) and stmt.value is not None \
                and all(isinstance(target, ast.Name) for target in _targets(stmt)):
            for target in _targets(stmt):
                assert isinstance(target, ast.Name)
                if isinstance(stmt.value, ast.Lambda):
                    self._define(target.id, stmt.value)
                else:
                    self._bind(target.id, self.value_of(stmt.value), stmt)
                    self.constants |= {target.id} if isinstance(stmt.value, ast.Constant) else set()
        elif isinstance(stmt, ast.ClassDef):
            self._bind(stmt.name, MISSING, stmt)
        else:
            for name in _stored(stmt):
                self._bind(name, MISSING, stmt)

    def _bind(self, name: str, value: Any, stmt: ast.stmt) -> None:
        self.written.pop(name, None)
        self.constants.discard(name)
        self.bound[name], self.lines[name] = value, stmt.lineno

    def _define(self, name: str, node: Def) -> None:
        self.bound.pop(name, None)
        self.written[name] = Written(name, node, _code(node, self.filename, self.flags))
        self.lines[name] = node.lineno


def _code(node: Def, filename: str, flags: int) -> types.CodeType:
    """The code of a definition, which is compiled in its module alone, and does not run."""
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    outer = ast.Module([ast.copy_location(ast.Expr(node), node) if isinstance(node, ast.Lambda) else node], [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        todo = [compile(outer, filename, "exec", flags, dont_inherit=True)]
    while todo:
        code = todo.pop(0)
        inside = [one for one in code.co_consts if isinstance(one, types.CodeType)]
        # the last of its name: lambdas in defaults come before
        found = [one for one in inside if one.co_name == name]
        if found:
            return found[-1]
        todo += inside
    raise AssertionError("a definition has a code")


def _globals(code: types.CodeType) -> set[str]:
    """The names that a code, and those inside of it, look up among the globals."""
    found = {one.argval for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return found.union(*(_globals(one) for one in code.co_consts if isinstance(one, types.CodeType)))


def _in(scope: dict[str, Any], function: types.FunctionType) -> types.FunctionType:
    """A function as it would be among other globals."""
    made = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__, made.__annotations__ = function.__kwdefaults__, function.__annotations__
    made.__module__, made.__qualname__, made.__doc__ = function.__module__, function.__qualname__, function.__doc__
    return made


def _parameters(args: ast.arguments) -> list[ast.arg]:
    return [*args.posonlyargs, *args.args, *filter(None, [args.vararg]), *args.kwonlyargs, *filter(None, [args.kwarg])]


def _keyword_only(node: Def) -> set[str]:
    return {arg.arg for arg in node.args.kwonlyargs}


def _defaults(node: Def, unrun: Unrun) -> dict[str, Any]:
    """The defaults by parameter; MISSING where one would have to run."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    pairs = [*zip(positional[len(positional) - len(args.defaults):], args.defaults, strict=True),
             *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return {arg.arg: unrun.value_of(default) for arg, default in pairs if default is not None}


def _targets(stmt: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]


def _stored(stmt: ast.stmt) -> Iterator[str]:
    """The names that a statement binds itself."""
    todo: list[ast.AST] = [stmt]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            yield node.name
        if not isinstance(node, ast.Lambda):
            todo += [child for child in ast.iter_child_nodes(node) if node is stmt or not isinstance(child, ast.stmt)]


def _imported(stmt: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Any]]:
    """The names that an import binds, with what they will be where the module is loaded already."""
    for alias in stmt.names:
        if isinstance(stmt, ast.Import):
            loaded = _loaded(alias.name)
            first = alias.name.partition(".")[0]
            yield alias.asname or first, loaded if alias.asname or loaded is MISSING else _loaded(first)
        elif alias.name != "*":
            module = _loaded(stmt.module or "") if not stmt.level else MISSING
            inside = vars(module).get(alias.name, MISSING) if module is not MISSING else MISSING
            yield alias.asname or alias.name, _loaded(f"{stmt.module}.{alias.name}") \
                if inside is MISSING and module is not MISSING else inside


def _loaded(name: str) -> Any:
    module = sys.modules.get(name)
    return module if isinstance(module, types.ModuleType) else MISSING


def _short(node: ast.expr, most: int = 40) -> str:
    text = ast.unparse(node)
    return text if len(text) <= most else f"{text[:most]}…"
