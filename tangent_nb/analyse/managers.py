"""What is known of a context manager before it runs: whether it lets exceptions through,
and what else `with` would be."""
from __future__ import annotations

from typing import Any

import gast

from .. import runtime
from ..syntax.nodes import is_literal, literal
from ..syntax.program import MISSING
from .resolve import Scope

THROUGH = {("numpy", "errstate"), ("numpy", "printoptions"), ("warnings", "catch_warnings"), ("_io", "open"),
           ("io", "open"), ("contextlib", "nullcontext"), ("contextlib", "closing"), ("contextlib", "redirect_stdout"),
           ("contextlib", "redirect_stderr"), ("_decimal", "localcontext"), ("decimal", "localcontext"),
           ("tempfile", "TemporaryDirectory"), ("tempfile", "TemporaryFile"), ("tempfile", "NamedTemporaryFile")}
LOCKS = {("_thread", "lock"), ("_thread", "RLock"), ("threading", "Condition")}


def _name(value: Any) -> tuple[Any, Any]:
    return getattr(value, "__module__", None), getattr(value, "__qualname__", None)


def called(node: gast.expr, scope: Scope) -> tuple[Any, Any]:
    """Module and name of the function that a manager is made by; None for both where that is not known."""
    value = scope.value(node.func) if isinstance(node, gast.Call) else MISSING
    return (None, None) if value is MISSING else _name(value)


def lets_through(node: gast.expr, scope: Scope) -> bool:
    """The manager swallows no exception, for certain."""
    value = scope.value(node)
    return called(node, scope) in THROUGH or value is not MISSING and _name(type(value)) in LOCKS


def suppressed(node: gast.expr, scope: Scope) -> list[gast.expr] | None:
    """The exceptions that `contextlib.suppress(A, B)` swallows; None for other managers."""
    return list(node.args) if called(node, scope) == ("contextlib", "suppress") and not node.keywords else None


def entered(node: gast.expr, scope: Scope) -> gast.expr | None:
    """`x` for `contextlib.nullcontext(x)`; None for other managers."""
    if called(node, scope) != ("contextlib", "nullcontext") or len(node.args) + len(node.keywords) > 1:
        return None
    given: list[gast.expr] = [*node.args, *(keyword.value for keyword in node.keywords)]
    return given[0] if given else gast.Constant(None, None)


def is_repeatable(node: gast.expr, scope: Scope) -> bool:
    """`np.errstate(…)` of literals: the backward pass may stand in it too,
    unless that makes it raise where the function does not."""
    return called(node, scope) == ("numpy", "errstate") \
        and all(is_literal(keyword.value) for keyword in node.keywords) and not raises_errors(node)


def raises_errors(node: Any) -> bool:
    """`np.errstate(all="raise")`, and the like."""
    return isinstance(node, gast.Call) \
        and any(is_literal(keyword.value) and literal(keyword.value) == "raise" for keyword in node.keywords)


def is_insertion(item: Any, scope: Scope) -> bool:
    """`insert_grad_of(y) as by`, whatever it is called."""
    called = item.context_expr
    return isinstance(called, gast.Call) and scope.value(called.func) is runtime.insert_grad_of
