"""Link: from text to the functions it defines, as if each had been written where its names live.

Needs an `Emitted` and for each of its functions an `Environment`. Promises plain Python functions whose code lies in a
real file and is exactly the text. Names that an environment has cells for, and the functions of the text itself, are
free variables; all others are globals of the function's own environment, which is never written to.
"""
from __future__ import annotations

import ast
import linecache
import sys
import types
import warnings
import weakref
from collections.abc import Collection, Mapping
from typing import Any

from ..syntax.parameters import bare
from ..syntax.program import Derivation, Emitted, Environment
from .folder import write


def link(emitted: Emitted, environments: Mapping[str, Environment], *, name: str, main: Collection[str] = (),
         tree: ast.Module | None = None) -> dict[str, Any]:
    """The functions of `emitted`, by name. `name` is that of the file; main: functions that no other of them calls:
    where one reads such a name, it means something of the user's; tree: the text, where it has been parsed.

    >>> text = "def f(x):\\n    return g(x) + k\\n\\n\\ndef g(x):\\n    return x * 2\\n"
    >>> functions = link(Emitted(text, (), ("f", "g")), {"f": Environment({"k": 1}), "g": Environment({})}, name="f")
    >>> functions["f"](3)
    7
    """
    tree = ast.parse(emitted.text) if tree is None else tree
    path = write(name, emitted.text)
    definitions: dict[str, Any] = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    siblings = {name: types.CellType() for name in definitions}
    called = {name: cell for name, cell in siblings.items() if name not in main}
    scopes = {name: {**called, **environments[name].cells} for name in definitions}
    codes = _codes(definitions, scopes, path)
    functions: dict[str, Any] = {}
    for name, node in definitions.items():
        code, environment = codes[name], environments[name]
        closure = tuple(scopes[name][free] for free in code.co_freevars)
        defaults = _defaults(node, environment)
        function = types.FunctionType(code, environment.globals, name, defaults, closure)
        function.__kwdefaults__ = _kwdefaults(node, environment)
        function.__module__ = environment.globals.get("__name__", "__main__")
        function.__qualname__ = name
        function.__doc__ = environment.doc if environment.doc is not None else ast.get_docstring(node, clean=False)
        siblings[name].cell_contents = functions[name] = _decorated(function, node.decorator_list, scopes[name],
                                                                    environment)
    _LINKED.setdefault(path, weakref.WeakSet()).update(one for one in functions.values()
                                                       if isinstance(one, types.FunctionType))
    return functions


_LINKED: dict[str, weakref.WeakSet[Any]] = {}         # the same text, derived again, is in the same file


def function_at(path: str, code: types.CodeType | None = None) -> Any:
    """A function of a generated file that lives, the one of this code or else one that was asked for;
    None where there is none."""
    functions = sorted(_LINKED.get(path, ()),
                       key=lambda one: (one.__code__ is not code, not hasattr(one, "__tangent_nb__")))
    return functions[0] if functions else None


def forget(paths: set[str]) -> None:
    """Let texts go that were only looked at (`folder.passing`)."""
    for path in paths:
        linecache.cache.pop(path, None)
        _LINKED.pop(path, None)
    paths.clear()


def derivation_at(code: types.CodeType) -> Derivation | None:
    """The derivation whose text code is of, where that is generated and lives."""
    return next((known for one in (function_at(code.co_filename, code), function_at(code.co_filename))
                 if isinstance(known := getattr(one, "__tangent_nb__", None), Derivation)), None)


def _decorated(function: Any, decorators: list[ast.expr], cells: Mapping[str, types.CellType],
               environment: Environment) -> Any:
    """The function as its decorators make it, the names in them looked up as those in it."""
    for node in reversed(decorators):
        code = compile(ast.Expression(node), function.__code__.co_filename, "eval", dont_inherit=True)
        names = {name: cells[name].cell_contents for name in code.co_names if name in cells}
        function = eval(code, environment.globals, names)(function)
    return function


def _codes(definitions: Mapping[str, ast.FunctionDef], scopes: Mapping[str, Mapping[str, Any]],
           path: str) -> dict[str, types.CodeType]:
    """The code of each definition, compiled inside of a function of its own whose parameters are its free variables."""
    where: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
    factories: list[ast.stmt] = []
    for name, node in definitions.items():
        arguments = ast.arguments([], [ast.arg(free, None, **where) for free in scopes[name]], None, [], [], None, [])
        inner = ast.copy_location(ast.FunctionDef(node.name, bare(node.args), node.body, [], None), node)
        factory = ast.FunctionDef("factory", arguments, [inner], [], None, **where)
        if sys.version_info >= (3, 12):
            inner.type_params = factory.type_params = []
        factories.append(factory)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)     # `3 is None`, where the user wrote a name for the number
        module = compile(ast.Module(factories, []), path, "exec", dont_inherit=True)
    outer = [const for const in module.co_consts if isinstance(const, types.CodeType)]
    inner_codes = (next(const for const in code.co_consts if isinstance(const, types.CodeType)) for code in outer)
    return {name: _renamed(code, name) for name, code in zip(definitions, inner_codes, strict=True)}


def _renamed(code: types.CodeType, qualname: str) -> types.CodeType:
    """The code with the name it would have in a module."""
    consts = tuple(_renamed(const, f"{qualname}.<locals>.{const.co_name}") if isinstance(const, types.CodeType)
                   else const for const in code.co_consts)
    return code.replace(co_qualname=qualname, co_consts=consts)


def _defaults(node: ast.FunctionDef, environment: Environment) -> tuple[Any, ...] | None:
    """The defaults given, or else those of the text, which then are literals."""
    if environment.defaults is not None:
        if len(environment.defaults) > len(node.args.posonlyargs) + len(node.args.args):
            raise RuntimeError(f"{node.name} has fewer parameters than defaults")
        return environment.defaults
    return tuple(map(_value, node.args.defaults)) or None


def _kwdefaults(node: ast.FunctionDef, environment: Environment) -> dict[str, Any] | None:
    if environment.kwdefaults is not None:
        return dict(environment.kwdefaults)
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return {arg.arg: _value(default) for arg, default in pairs if default is not None} or None


def _value(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise RuntimeError(f"the default {ast.unparse(node)!r} is no literal: give it in the environment") from error
