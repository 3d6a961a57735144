"""Runs the programs of a derivation as functions.

A call of the derivative of another function runs that function's own program; one of a function that is derived when it
is called runs the function. Nothing else of the text is exchanged.
"""
from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast

sys.path.insert(0, str(Path(__file__).resolve().parent))
from interpreter import Frame, Interpreter
from ops import Op

from tangent_nb import runtime as rt

Observer = Callable[[Any, Frame], Callable[[int, str, Frame], None] | None]
Watcher = Callable[[Op, Any, list[Any], dict[str, Any]], Any]


def _pulled(fn: Any, *args: Any, active: Any, closure: bool = False, **keywords: Any) -> tuple[Any, None]:
    return fn(*args, **keywords), None


def _pushed(fn: Any, *args: Any, active: Any, closure: bool = False, **keywords: Any) -> Any:
    return fn(*args, **keywords)


INSTEAD: dict[int, Callable[..., Any]] = {id(rt.pullback): _pulled, id(rt.own_pullback): _pulled,
                                          id(rt.pushforward): _pushed}


class Machine:
    """The programs of one derivation. observer: gives, for the program and the frame of a call,
    what is called at its points."""

    def __init__(self, derived: Any, observer: Observer | None = None, watcher: Watcher | None = None) -> None:
        self.derived, self.observer, self.watcher = derived, observer, watcher
        self.functions: dict[Any, Callable[..., Any]] = {}

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """The value of the function itself."""
        with rt.gathering() as stored:                     # the forward sweep is all that there is
            value = self.run(self.derived.main, args, keywords)
        rt.settle(stored)
        return value

    def run(self, program: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        def outside(name: str) -> Any:
            return self.outside(program, name)

        frame = Frame(binder(program)(*args, **keywords), outside, program.local)
        if program.guards.items:
            Interpreter(outside, program.local, None, self.called).block(program.guards, frame)
        observe = None if self.observer is None else self.observer(program, frame)
        left = Interpreter(outside, program.local, observe, self.called).block(program.block, frame)
        return left[1] if left is not None else None

    def outside(self, program: Any, name: str) -> Any:
        """What a name means that is no variable."""
        if name in self.derived.called:
            return self._function(name, self.derived.called[name], self.derived.pairs)
        value = program.outside(name)
        if isinstance(value, types.FunctionType) and (made := self.derived.made(value)) is not None:
            return self._function(value, made, False)
        return value

    def _function(self, key: Any, program: Any, pair: bool) -> Callable[..., Any]:
        if key not in self.functions:
            def called(*args: Any, **keywords: Any) -> Any:
                value = self.run(program, args, keywords)
                return (value, None) if pair else value
            called.__name__ = program.name
            self.functions[key] = called
        return self.functions[key]

    def called(self, op: Op, fn: Any, args: list[Any], keywords: dict[str, Any]) -> Any:
        fn = INSTEAD.get(id(fn), fn)
        if fn is rt.clean and getattr(args[0], "func", args[0]) in self.functions.values():
            return args[0]                                 # its text has been judged with the rest
        if self.watcher is not None:
            return self.watcher(op, fn, args, keywords)
        return fn(*args, **keywords)


def binder(program: Any) -> Callable[..., dict[str, Any]]:
    """A function with the parameters of a program, which gives them by name."""
    known: Callable[..., dict[str, Any]] | None = getattr(program, "binder", None)
    if known is not None:
        return known
    stub = gast.FunctionDef("bind", program.head, [gast.Pass()], [], None, None, [])
    tree: Any = gast.gast_to_ast(stub)
    for arg in ast.walk(tree.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    if program.defaults is not None or program.kwdefaults is not None:
        tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
        tree.args.kw_defaults = [None if one is None else ast.Constant(None) for one in tree.args.kw_defaults]
    tree.body = [ast.Return(ast.Call(ast.Name("locals", ast.Load()), [], []))]
    scope = Frame({}, program.outside, frozenset())
    exec(compile(ast.fix_missing_locations(ast.Module([tree], [])), "<parameters>", "exec", dont_inherit=True), scope)
    made = scope["bind"]
    if program.defaults is not None or program.kwdefaults is not None:
        made.__defaults__, made.__kwdefaults__ = program.defaults, program.kwdefaults
    made.__globals__["locals"] = locals
    program.binder = made
    return made  # type: ignore[no-any-return]
