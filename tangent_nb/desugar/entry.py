"""What can be called, and is no plain function, as the text of one.

    model.loss          the method's own text, in which `self` is the object
    partial(f, 2.0)     def f(x): return f_(2.0, x)
    @wraps(f) …         def f(x, y): return wrapper(x, y)
"""
from __future__ import annotations

import functools
import inspect
import linecache
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..syntax.building import clone
from ..syntax.program import Captured, Namespace, is_holder
from .values import has_row, is_cached, is_user_object, member_of


def entry(f: Any, capture: Callable[[Any], Captured]) -> Captured:
    """The text of what is differentiated; RefusedError where there is none."""
    if has_row(f):
        return capture(f)
    if isinstance(f, types.MethodType) and isinstance(f.__func__, types.FunctionType) \
            and not is_holder(f.__self__, f.__name__):
        return _of_object(f.__self__, f.__func__, capture) or _calling(f, f.__name__, capture)
    if isinstance(f, types.FunctionType):
        return _calling(f, f.__name__, capture) if _hides_another(f) else capture(f)
    if isinstance(f, functools.partial):
        inner = f.func
        while isinstance(inner, functools.partial):
            inner = inner.func
        return _calling(f, getattr(inner, "__name__", "function"), capture)
    if is_cached(f):
        return entry(f.__wrapped__, capture)
    found = member_of(type(f), "__call__") if is_user_object(f) else None
    if found is not None and found[0] == "method":
        made = _of_object(f, found[1], capture) or _calling(f, "call", capture)
        return replace(made, name=_plain(type(f).__name__))
    return capture(f)


def _hides_another(f: types.FunctionType) -> bool:
    """A decorator's function, which passes on what it gets to the one that it says it wraps."""
    return bool(f.__code__.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)) and hasattr(f, "__wrapped__")


def _plain(name: str) -> str:
    return name if name.isidentifier() else "function"


def _of_object(owner: Any, method: types.FunctionType, capture: Callable[[Any], Captured]) -> Captured | None:
    """A method, its first parameter the object that it belongs to; None where that has no name."""
    if not method.__code__.co_argcount or _hides_another(method):
        return None
    captured = capture(method)
    tree = clone(captured.tree)
    args = tree.args
    first = (args.posonlyargs or args.args).pop(0)
    cells = {**captured.namespace.cells, first.id: types.CellType(owner)}
    return replace(captured, tree=tree, namespace=Namespace(captured.namespace.globals, cells))


def _calling(f: Any, name: str, capture: Callable[[Any], Captured]) -> Captured:
    """A function with the signature of `f` that calls it."""
    empty = inspect.Parameter.empty
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return capture(f)
    fixed = dict(f.keywords) if isinstance(f, functools.partial) else {}
    parameters = [p for p in parameters if p.name not in fixed]
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return capture(f)
    called = f"{_plain(name)}_" if isinstance(f, functools.partial) else "wrapped"
    while called == _plain(name) or any(p.name == called for p in parameters):
        called += "_"
    defaults = {f"default_{i}": p.default for i, p in enumerate(parameters) if p.default is not empty}
    shown = inspect.Signature([p.replace(annotation=empty, default=empty if p.default is empty
                                         else _Written(f"default_{i}")) for i, p in enumerate(parameters)])
    given = [f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else p.name for p in parameters]
    short = _plain(name)
    text = f"def {short}({str(shown)[1:-1]}):\n    return {called}({', '.join(given)})\n"
    filename = f"<tangent_nb {text.splitlines()[0][4:-1]}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = "" if isinstance(f, functools.partial) else getattr(f, "__module__", None)    # of partials Python's
    scope: dict[str, Any] = {"__name__": module or "__main__", called: f, **defaults}
    exec(compile(text, filename, "exec", dont_inherit=True), scope)
    return capture(scope[short])


class _Written(str):
    """A name in the place of a default."""

    __repr__ = str.__str__
