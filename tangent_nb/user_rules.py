"""Rules of the user's own: the adjoint and the tangent of a function, as templates.

B. van Merriënboer et al., "Tangent" (2018), section 3.2: a template names cotangents or tangents `d[x]`,
and is put into the generated code.
"""
from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

import gast
import numpy as np

from .api import jvp, vjp
from .capture import capture
from .errors import Refusal, RefusedError, TangentError
from .optimise.trees import rewritten
from .rules import Rule, lookup
from .rules.table import check_names, choices, register
from .syntax.building import load, substitute
from .syntax.nodes import body_without_docstring, parameter_names, reads, unparse, walk
from .syntax.program import Captured

Template = Callable[..., Any]


def adjoint(fn: Callable[..., Any]) -> Callable[[Template], Template]:
    """Decorates the template of a function's adjoint. Its first parameter is the result, the others are those of `fn`:

    >>> def cube(x): return x * x * x
    >>> @adjoint(cube)
    ... def _(y, x):
    ...     d[x] = d[y] * 3.0 * x * x
    >>> vjp(cube)(2.0, 1.0)
    12.0

    `d[x]` is the cotangent of x; parameters without one are refused where they carry a derivative. The texts may name
    the result, the parameters, `np`, `math` and builtins. Raises RefusedError where the template says anything else.
    """
    return lambda template: _register(fn, template, "pull")


def tangent(fn: Callable[..., Any]) -> Callable[[Template], Template]:
    """Decorates the template of a function's tangent, `d[y]` from the tangents `d[x]` of its parameters,
    as a sum of terms.

    >>> def fourth(x): return x ** 4
    >>> @tangent(fourth)
    ... def _(y, x):
    ...     d[y] = d[x] * 4.0 * x ** 3
    >>> jvp(fourth)(1.0, 1.0)
    4.0
    """
    return lambda template: _register(fn, template, "push")


def non_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Declares that the result of `fn` is a constant to every derivative; also a decorator.

    >>> @non_differentiable
    ... def bucket(x): return x // 1.0
    >>> vjp(lambda x: x * bucket(x))(2.5, 1.0)
    2.0
    """
    signature = _signature(fn)
    register(Rule(fn, fn.__name__, "y", signature, nondiff=frozenset(signature.parameters), zero=True, pure=False,
                  memory="alias", because="it was declared non-differentiable"))
    return fn


def check_rule(fn: Callable[..., Any], *args: Any, wrt: int | str | tuple[int | str, ...] = 0,
               tol: float = 1e-6) -> None:
    """Compare the rules of a function with each other and with central differences, along one direction, at `args`.

    Raises AssertionError where they differ by more than `tol`, relative;
    a function without a tangent is compared with differences alone.

    >>> check_rule(np.tanh, np.array([0.3, -1.0]))
    """
    places = wrt if isinstance(wrt, tuple) else (wrt,)
    names = list(_signature(fn).parameters)
    indices = [names.index(p) if isinstance(p, str) else int(p) % len(names) for p in places]
    rng = np.random.default_rng(0)
    value = fn(*args)
    seed = rng.standard_normal(np.shape(value))[()]
    direction = [rng.standard_normal(np.shape(args[i]))[()] for i in indices]
    pull = vjp(fn, tuple(indices))
    gradient = pull(*args, **{list(inspect.signature(pull).parameters)[-1]: seed})
    reverse = sum(float(np.sum(g * v)) for g, v in zip(gradient, direction, strict=True))

    def moved(t: float) -> float:
        new = list(args)
        for i, v in zip(indices, direction, strict=True):
            new[i] = args[i] + t * v
        return float(np.sum(fn(*new) * seed))

    step = 1e-5
    found = {"differences": (8.0 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12.0 * step)}
    rule = lookup(fn)
    if rule is None or all(rule.push.get(n) for n in rule.active_params):
        push = jvp(fn, tuple(indices))
        tangents = list(inspect.signature(push).parameters)[-len(indices):]
        found["forward mode"] = float(np.sum(push(*args, **dict(zip(tangents, direction, strict=True))) * seed))
    for what, other in found.items():
        if not abs(reverse - other) <= tol * (1.0 + abs(reverse)):
            raise AssertionError(f"along one direction reverse mode gives {reverse!r}, {what} {other!r}")


def _signature(fn: Any) -> inspect.Signature:
    rule = lookup(fn)
    if rule is not None and rule.supported and not isinstance(fn, types.FunctionType):
        return rule.signature
    try:
        return inspect.signature(fn)
    except (TypeError, ValueError):
        name = getattr(fn, "__name__", type(fn).__name__)
        raise TangentError(f"it is not known how {name} is called: give a rule to a def that calls it") from None


def _register(fn: Any, template: Template, side: str) -> Template:
    captured = replace(capture(template), name=getattr(fn, "__name__", "it"))
    texts = _texts(captured, fn, side)
    signature = _signature(fn)
    old = lookup(fn)
    if old is None or not old.by_user:
        old = Rule(fn, getattr(fn, "__name__", "it"), parameter_names(captured.tree)[0], signature, diagonal=True,
                   memory="alias", pure=False, by_user=True)
    if old.result != parameter_names(captured.tree)[0]:
        raise TangentError(
            f"the result is called {old.result!r} in the other template of {old.name}: use the same name")
    allowed = {old.result, "g", *signature.parameters}
    parsed = {name: choices(text) for name, text in texts.items()}
    for found in parsed.values():
        check_names(found, allowed)
    rule = replace(old, pull=parsed) if side == "pull" else replace(old, push=parsed)
    named = {*rule.pull, *rule.push}
    register(replace(rule, nondiff=frozenset(signature.parameters) - named,
                     refused=frozenset(signature.parameters) - named))
    return template


def _texts(captured: Captured, fn: Any, side: str) -> dict[str, str]:
    """The texts of a template, by parameter."""
    result, *parameters = parameter_names(captured.tree)
    wanted = list(_signature(fn).parameters)
    if parameters != wanted:
        result = result if result not in wanted \
            else next(name for name in ("y", "z", "result", "out") if name not in wanted)
        _refuse(captured, captured.tree, f"the template takes {', '.join(parameter_names(captured.tree))}, "
                f"and {captured.name} takes {', '.join(wanted)}",
                f"the result first, then the parameters of the function: def _({', '.join([result, *wanted])})")
    assigned = f"d[{parameters[0] if parameters and side == 'pull' else result}] = ..."
    local: dict[str, gast.expr] = {}
    texts: dict[str, str] = {}
    for stmt in body_without_docstring(captured.tree):
        if not isinstance(stmt, gast.Assign) or len(stmt.targets) != 1:
            _refuse(captured, stmt, "a template holds assignments only", assigned)
        target, value = stmt.targets[0], substitute(stmt.value, local)
        if isinstance(target, gast.Name):
            local[target.id] = value
            continue
        name = _derivative(target)
        if name is None:
            raise _refused(captured, stmt, "a template assigns d[x] and names of its own", assigned)
        _names(captured, stmt, value, {result, *parameters})
        if side == "pull":
            texts[name] = unparse(_with_g(value, result, captured, stmt))
        elif name != result:
            _refuse(captured, stmt, f"a tangent assigns d[{result}], the tangent of the result", f"d[{result}] = ...")
        else:
            for parameter in parameters:
                term = _term(value, parameter)
                if term is not None:
                    texts[parameter] = unparse(_with_g(term, parameter, captured, stmt))
    if not texts:
        _refuse(captured, captured.tree, "the template assigns no derivative", assigned)
    return texts


def _derivative(node: gast.AST) -> str | None:
    """`x` of `d[x]`."""
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == "d" \
            and isinstance(node.slice, gast.Name):
        return str(node.slice.id)
    return None


def _with_g(node: Any, name: str, captured: Captured, stmt: gast.stmt) -> Any:
    """`g` for `d[name]`; any other `d[…]` is refused."""
    def changed(one: Any) -> Any:
        found = _derivative(one)
        if found not in (None, name):
            _refuse(captured, stmt, f"d[{found}] is not known here, only d[{name}] is", f"d[{name}]")
        return one if found is None else load("g")

    return rewritten(node, changed, frozenset({gast.Subscript}))


def _term(node: gast.expr, parameter: str) -> gast.expr | None:
    """The sum of the terms with `d[parameter]`."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)):
        left, right = _term(node.left, parameter), _term(node.right, parameter)
        if right is not None and isinstance(node.op, gast.Sub):
            right = gast.UnaryOp(gast.USub(), right)
        if left is None or right is None:
            return left if right is None else right
        return gast.BinOp(left, gast.Add(), right)
    return substitute(node, {}) if any(_derivative(n) == parameter for n in walk(node)) else None


def _names(captured: Captured, stmt: gast.stmt, value: gast.expr, allowed: set[str]) -> None:
    libraries = {"np": np, "math": math}
    for name in sorted(reads(value) - allowed - {"d"}):
        found = captured.namespace.lookup(name)
        if not (name in libraries and found is libraries[name]) \
                and not isinstance(found, (types.BuiltinFunctionType, type)):
            _refuse(captured, stmt, f"the template reads {name}, which is neither the result nor a parameter",
                    f"its value, or {name} as a parameter of the function: a template reads only these, np and math")


def _refuse(captured: Captured, node: Any, why: str, remedy: str) -> NoReturn:
    raise _refused(captured, node, why, remedy)


def _refused(captured: Captured, node: Any, why: str, remedy: str) -> RefusedError:
    return RefusedError(captured.name, [Refusal.at(node, why, remedy)])


_decorators: tuple[Any, ...] = (adjoint, tangent, non_differentiable)
for _decorator in _decorators:
    _decorator.__tangent_nb__ = "decorator"
