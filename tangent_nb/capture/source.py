"""Capture: from a function to its text as a tree, with the names it sees.

Needs a function whose text Python can still find: in a file, a notebook cell, at the prompt. Promises a `Captured`, or
a RefusedError that says why not; no other error, whatever it is given.
"""
from __future__ import annotations

import functools
import inspect
import linecache
import math
import types
from typing import Any, NoReturn

import gast
import numpy as np

from ..compiled import uncompiled
from ..errors import Refusal, RefusedError
from ..rules import table
from ..syntax.nodes import nodes_of
from ..syntax.program import Captured, Namespace, Span
from .find import NoTextError, find
from .tree import to_gast

OURS = "__tangent_nb__"
C_FUNCTIONS = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, np.ufunc)


def capture(f: object) -> Captured:
    """The text of `f` as a tree, and its live namespace.

    >>> import textwrap
    >>> capture(textwrap.dedent).tree.args.args[0].id
    'text'
    """
    f = uncompiled(f)
    if table.lookup(f) is not None:
        return _library(f)
    if type(f) is types.FunctionType:
        return own_text(f)
    return _refuse_callable(f)


def generator_text(f: types.FunctionType) -> Captured:
    """The text of a generator, which is no function of its arguments.

    >>> import contextlib
    >>> generator_text(contextlib.redirect_stdout.__mro__[1].__enter__).name
    '__enter__'
    """
    return own_text(f, yields=True)


def own_text(f: types.FunctionType, *, yields: bool = False) -> Captured:
    """The text of a function of the user, also where it has a row, and `capture` gives a def that calls it.
    yields: it may be a generator."""
    code = f.__code__
    namespace = Namespace(f.__globals__, dict(zip(code.co_freevars, f.__closure__ or ())))
    try:
        source, definition = find(code, f.__globals__)
    except NoTextError as error:
        _refuse_kind(code, None, yields)
        _refuse_text(code, changed=str(error) == "changed")
    tree = to_gast(definition, source)
    _refuse_kind(code, tree.origin.span, yields)
    if hasattr(f, "__tangent_nb__") and isinstance(first := tree.body[0], gast.If) \
            and any(node.func.attr == "made_for" for node in nodes_of(first.test, gast.Call)
                    if isinstance(node.func, gast.Attribute)):             # there are others: this is that for all
        del tree.body[0]
    return Captured(f, tree.name, tree, source, namespace, f.__defaults__, f.__kwdefaults__)


def _refuse(name: str, span: Span | None, why: str, remedy: str) -> NoReturn:
    raise RefusedError(name, [Refusal(span, why, remedy)])


def _refuse_text(code: types.CodeType, changed: bool) -> NoReturn:
    if changed:
        _refuse(code.co_name, None, f"its text, {code.co_filename} from line {code.co_firstlineno}, "
                "is not what was run: the file has changed since (or a tool rewrote the code).",
                "run the definition again: run the cell, or reload the module.")
    _refuse(code.co_name, None, "it has no source text: it was defined by exec or eval, or its file is gone.",
            "put it in a file or in a notebook cell.")


def _refuse_kind(code: types.CodeType, span: Span | None, yields: bool) -> None:
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        _refuse(code.co_name, span, "it is a coroutine (async def): its result is not a value but something to await.",
                "write a plain def, and await outside of it.")
    if code.co_flags & inspect.CO_GENERATOR and not yields:
        _refuse(code.co_name, span, "it is a generator (it yields): it stops and goes on as its caller wishes.",
                "collect the values in a list, and return them.")


def hasattr_safely(value: object, name: str) -> bool:
    """`hasattr`, False also where the object answers with an error."""
    try:
        return hasattr(value, name)
    except Exception:
        return False


def _name(f: object) -> str:
    """What messages call a callable."""
    try:
        name = getattr(f, "__name__", None)
    except Exception:
        name = None
    return name if isinstance(name, str) and type(name) is str else type(f).__name__


def _refuse_callable(f: object) -> NoReturn:
    """Say for each kind of object that is not a plain function what to write instead."""
    name, kind = _name(f), type(f).__name__
    if issubclass(type(f), functools.partial):
        _refuse("functools.partial", None, "it is a functools.partial, which has no text of its own.",
                "write a def or a lambda that calls the function with these arguments.")
    method: Any = f
    if type(f) in (types.MethodType, types.BuiltinMethodType) \
            and isinstance(method.__self__, (np.random.Generator, np.random.RandomState)):
        _refuse(name, None, "what it draws has no derivative by what it is drawn from.",
                "arithmetic with numbers that are drawn without it: x + rng.standard_normal()")
    if type(f) is types.MethodType and type(method.__self__).__module__.startswith("scipy.stats."):
        frozen = getattr(method.__self__, "dist", getattr(method.__self__, "_dist", None))
        if frozen is not None:
            dist = getattr(frozen, "name", type(frozen).__name__.removesuffix("_gen"))
            _refuse(name, None,
                    "it is a method of a frozen distribution: the parameters of the distribution are hidden arguments.",
                    f"write a function that names them: def f(x): return scipy.stats.{dist}.{name}(x, ...)")
        _refuse(name, None, "it is a method of a distribution of SciPy's, and has no derivative rule.",
                "write a def that uses functions of NumPy.")
    if type(f) is types.MethodType:
        _refuse(name, None, "it is a bound method: the object it belongs to is a hidden argument.",
                f"write a function that calls it: def f(x): return obj.{name}(x)")
    if issubclass(type(f), type):
        _refuse(name, None, "it is a class, not a function.",
                f"write a function that uses it: def f(x): return {name}(x)")
    if hasattr_safely(f, "py_func"):
        _refuse(name, None, "it is compiled (by Numba).", f"differentiate the Python function: {name}.py_func")
    if not callable(f):
        _refuse(kind, None, f"it is not a function but a value of type {kind}.",
                "pass the function itself, not its result.")
    if hasattr_safely(f, "__wrapped__") and type(f).__module__ != "numpy":
        _refuse(name, None, "it is wrapped by a decorator, which may do anything before and after.",
                "differentiate the undecorated function (its __wrapped__), or leave the decorator out.")
    if issubclass(type(f), np.vectorize):
        _refuse(name, None, "it is called by np.vectorize, one item at a time.",
                "write a loop over the items, or call the function itself if it takes arrays.")
    if issubclass(type(f), C_FUNCTIONS) or type(f).__module__ == "numpy":
        _refuse(name, None, f"{name} is written in C and has no derivative rule.",
                "write a def that uses functions of NumPy, or give it a rule: @tnb.adjoint")
    _refuse(name, None, f"it is an object of class {kind} that can be called, not a function.",
            "write a def that calls it.")


def _library(f: Any) -> Captured:
    """A function with a row of its own, as a function that calls it and nothing else."""
    rule = table.lookup(f)
    assert rule is not None
    if not rule.supported:
        _refuse(rule.name, None, rule.because, rule.instead)
    if not rule.active_params and rule.because:
        _refuse(rule.name, None, f"{rule.name} has no derivative: {rule.because}.", "a function with real values.")
    empty = inspect.Parameter.empty
    params = [name for name, parameter in rule.signature.parameters.items() if parameter.default is empty]
    if rule.receiver and rule.fn is not f:                 # an object that is called, under the name that the row has
        return _calling(f, params[0], params[1:])
    if not params:
        _refuse(rule.name, None, f"it is not known how {rule.name} is called.", "write a def that calls it.")
    short = rule.name.rpartition(".")[2]
    scope: dict[str, Any] = {"__name__": __name__}
    root, _, rest = rule.name.partition(".")
    library: Any = {"np": np, "math": math}.get(root)
    called = rule.name
    found = library
    for part in rest.split("."):
        found = getattr(found, part, None)
    if library is not None and found is f:
        scope[root] = library
    else:
        called = rule.name.replace(".", "_") + ("_" if rule.name in (short, *params) else "")
        scope[called] = f
    return _calling(f, called, params, short, scope)


def _calling(f: Any, called: str, params: list[str], short: str = "f", scope: dict[str, Any] | None = None) -> Captured:
    """`def short(params): return called(params)`."""
    scope = {"__name__": __name__, called: f} if scope is None else scope
    text = f"def {short}({', '.join(params)}):\n    return {called}({', '.join(params)})\n"
    filename = f"<tangent_nb {called}({', '.join(params)})>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, "exec", dont_inherit=True), scope)
    return own_text(scope[short])
