"""Derivatives that a function takes of functions, by `tnb.grad` and its like, or as a derivative that runs takes them.

Needs an expression that takes a derivative. Promises the derivative as a function value: of the function without its
environment, bound to what the function is bound to; where it is known only then which function that is, an operation
that gives such a function (`rt.derivative_of`), through which derivatives flow to what the function is bound to. So the
derivative of a derivative goes through what the inner one is given, and through what its function closes over.

    tnb.grad(lambda t: t * w)(x)          →  derivative = rt.derivative_of(function, tnb.grad);  derivative(x, w=w)
    tnb.grad(bond.price)(y)               →  derivative = rt.derivative_of(price, tnb.grad, 1);  derivative(bond, y)
    tnb.grad(table[name])(x)              →  derivative = rt.derivative_of(table[name], tnb.grad);  derivative(x)
    v, back = rt.pullback(f, x, active=(0,))
        →  forward, backward = rt.halves(f, (1, ()), (0,))
           v, residuals = forward(x);  back = rt.with_residuals(backward, residuals)
    v, dv = rt.pushforward(f, x, active=(0,), tangents=(dx,))
        →  tangent = rt.along_call(f, (1, ()), (0,));  v, dv = tangent(x, dx)
"""
from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from .. import runtime as rt
from ..errors import RefusedError
from ..runtime.remembered import OPERATORS, PULLBACKS
from ..syntax.building import clone, constant, library, load, tuple_of
from ..syntax.nodes import literal, parameter_names, root_name
from ..syntax.program import MISSING
from . import as_objects, functions, objects
from .scopes import free
from .state import State
from .values import FunctionValue, has_row

SETTINGS = frozenset(("wrt", "optimized", "has_aux"))      # of what is taken when the function runs


def is_operator(fn: Any) -> bool:
    """`tnb.grad` or its like."""
    return isinstance(fn, types.FunctionType) and fn in OPERATORS


def derives(desugar: State, node: Any) -> bool:
    """`tnb.grad(g)` of a function that is bound to what carries a derivative, or to variables of the text."""
    return isinstance(node, gast.Call) and is_operator(desugar.object(node.func)) and len(node.args) > 0 \
        and (_may_carry(desugar, node.args[0]) or _is_bound(desugar, node.args[0])) \
        and not any(isinstance(a, gast.Starred) for a in node.args) and all(k.arg for k in node.keywords)


def _may_carry(desugar: State, node: Any) -> bool:
    """It carries a derivative, or is read from a variable of ours, of which that is not known: the target of a
    comprehension."""
    root = root_name(node)
    return desugar.carries(node) or root in desugar.local and root not in desugar.functions \
        and root not in desugar.binders and root not in parameter_names(desugar.tree)


def _is_bound(desugar: State, node: Any) -> bool:
    """A function by its name, which reads variables of the text: those of the moment in which it is called; an object
    that the text makes, or its method."""
    if isinstance(node, gast.Lambda):
        return not free(node).isdisjoint(desugar.objects)
    if isinstance(node, gast.Attribute):
        return objects.value_at(desugar, node.value) is not None
    return isinstance(node, gast.Name) and (node.id in desugar.objects or node.id in desugar.functions
                                            and len(desugar.functions[node.id].bound) > 0)


def value_of(desugar: State, node: gast.Call) -> FunctionValue | None:
    """The derivative of a function without its environment, bound to that."""
    given = operand(desugar, node.args[0])
    base = functions.value_of(desugar, given)
    known = None if base is None or base.in_place else _known(desugar, node, base)
    if known is None and not isinstance(given, gast.Attribute):
        given = desugar.expr(given)
    if known is None and _may_carry(desugar, node.args[0]) and {k.arg for k in node.keywords} <= SETTINGS:
        return FunctionValue(MISSING, load(desugar.kept(taken(desugar, node, given), "derivative")))
    return known


def operand(desugar: State, node: Any) -> Any:
    """The function, evaluated as far as it is not known: of a method the object."""
    known = objects.value_at(desugar, node.value) if isinstance(node, gast.Attribute) else None
    if isinstance(node, gast.Attribute) and desugar.object(node) is MISSING \
            and (known is None or node.attr not in known.attributes):
        return gast.copy_location(gast.Attribute(desugar.expr(node.value), node.attr, gast.Load()), node)
    found = functions.operand(desugar, node)
    return gast.copy_location(gast.Attribute(found, "__call__", gast.Load()), node) \
        if isinstance(found, gast.Name) and found.id in desugar.objects else found             # which is called


def _known(desugar: State, node: gast.Call, base: FunctionValue) -> FunctionValue | None:
    """The derivative of a function that is known; None where that cannot be said."""
    kind = OPERATORS[desugar.object(node.func)]
    base = replace(base, params=base.params or _positional(desugar, base.fn))
    wrt = next((k.value for k in node.keywords if k.arg == "wrt"), node.args[1] if len(node.args) > 1 else constant(0))
    others = {k.arg: k.value for k in node.keywords if k.arg != "wrt"}
    places = _places(wrt, base)
    if places is None and (kind == "tangents" or base.first or any(k in base.params for k, _ in base.keywords)):
        return None
    more = () if not kind else ("seed",) if kind == "seed" else tuple(f"d{name}" for name in places or ())
    if {*base.params, *base.more, *(name for name, _ in base.keywords)} & set(more) \
            or not as_objects.can_be_given(desugar, base):
        return None
    func: Any = base.func
    if base.fn is not MISSING:                             # not by the name of the closure, which is bound
        func = load(desugar.names.new(getattr(base.fn, "__name__", "function")))
        desugar.see(func.id, base.fn)
    given: list[gast.expr] = [wrt] if len(node.args) > 1 or len(others) < len(node.keywords) else []
    if places is not None and list(places) != list(base.params[:1]) * (not given) \
            and (not given or not _counts(wrt, places, base)):
        names: list[Any] = list(map(constant, places))
        given = [tuple_of(names) if isinstance(literal(wrt), tuple) else names[0]]
    settings = [gast.keyword(k, desugar.expr(v)) for k, v in others.items()]
    if others.keys() <= SETTINGS:
        made: Any = library("rt.derivative_of(f)", f=clone(func))
        made.args += [clone(node.func), *map(desugar.expr, given)]
    else:
        made = gast.Call(clone(node.func), [clone(func), *map(desugar.expr, given)], [])
    made.keywords = settings
    made = gast.copy_location(made, node)
    return FunctionValue(MISSING, load(desugar.kept(made, "derivative")), base.first, base.keywords, base.params,
                         more=(*base.more, *more))


def kept(desugar: State, node: gast.Call) -> Any:
    """A derivative that is a value here: what it is taken of becomes a value that is bound to what it reads."""
    if not derives(desugar, node) or not _may_carry(desugar, node.args[0]) \
            or not {k.arg for k in node.keywords} <= SETTINGS:
        return None
    given = operand(desugar, node.args[0])
    return taken(desugar, node, desugar.expr(given) if derives(desugar, given) else given)


def as_values(desugar: State, node: gast.Call) -> gast.Call:
    """A call to which derivatives are given that are values."""
    for i, arg in enumerate(node.args):
        node.args[i] = _as_value(desugar, arg)
    for keyword in node.keywords:
        keyword.value = _as_value(desugar, keyword.value)
    return node


def _as_value(desugar: State, node: Any) -> Any:
    if not derives(desugar, node) or (made := kept(desugar, node)) is None:
        return node
    return load(desugar.kept(made, "derivative"))


def taken(desugar: State, node: gast.Call, given: Any) -> gast.Call:
    """`tnb.grad(f)` as an operation on f, which is evaluated."""
    if isinstance(given, gast.Attribute) and given.attr == "__call__":
        given = given.value
    if isinstance(given, gast.Attribute) and desugar.object(given) is MISSING:
        given = library("rt.method_of(x, n)", x=given.value, n=constant(given.attr))
    made: Any = library("rt.derivative_of(f)", f=given)
    made.args += [clone(node.func), *map(desugar.expr, node.args[1:])]
    made.keywords = [gast.keyword(k.arg, desugar.expr(k.value)) for k in node.keywords]
    return gast.copy_location(made, node)


def _positional(desugar: State, fn: Any) -> tuple[str, ...]:
    """The parameters of a function that may be given by position; none where its text is not known."""
    if fn is MISSING or has_row(fn):
        return ()
    try:
        args = desugar.texts.unit(fn).captured.tree.args
    except RefusedError:
        return ()
    return tuple(one.id for one in [*args.posonlyargs, *args.args]) if args.vararg is None else ()


def _places(wrt: Any, base: FunctionValue) -> tuple[str, ...] | None:
    """The parameters, or parts of something, that `wrt` names: it counts those that the function is not bound to. None
    where that cannot be said."""
    found = literal(wrt, None)
    bound = {name for name, _ in base.keywords}
    free = [one for one in base.params[len(base.first):] if one not in bound]
    places: list[str] = []
    for one in found if isinstance(found, tuple) else (found,):
        if type(one) is int and 0 <= one < len(free):
            places.append(free[one])
        elif isinstance(one, str) and one not in bound and one not in base.params[:len(base.first)] and one != "*":
            places.append(one)
        else:
            return None
    return tuple(places)


def _counts(wrt: Any, places: Sequence[str], base: FunctionValue) -> bool:
    """The function without its environment has what `wrt` says at the same places."""
    found = literal(wrt, None)
    said = found if isinstance(found, tuple) else (found,)
    return all(one == place or type(one) is int and base.params[one] == place
               for one, place in zip(said, places, strict=True))


# ------------------------------------------------------------------ what derivatives take when they run
def called(desugar: State, node: gast.Call) -> Any:
    """What to write for `tnb.pullback`, and for a call of generated code that takes a derivative when it runs."""
    fn = desugar.object(node.func)
    pulls = fn is rt.pullback or fn is rt.own_pullback
    if any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
        return None
    if isinstance(fn, types.FunctionType) and fn in PULLBACKS:
        return _pullback(desugar, node)
    if not pulls and fn is not rt.pushforward:
        return None
    settings: dict[Any, Any] = {k.arg: k.value for k in node.keywords if k.arg in ("active", "closure", "tangents")}
    keywords = [k for k in node.keywords if k.arg not in settings]
    tangents: list[gast.expr] = settings["tangents"].elts if "tangents" in settings else []
    given = [*node.args, *(k.value for k in keywords), *tangents]
    carries = any(map(desugar.carries, given))
    if not pulls and not carries:
        return None
    closure, count, first = "closure" in settings, len(node.args) - 1, desugar.carries(node.args[0])
    func, *operands = desugar.operands(given)
    shape = tuple_of([constant(count), tuple_of([constant(k.arg) for k in keywords])])
    by_name = [gast.keyword(k.arg, value) for k, value in zip(keywords, operands[count:], strict=False)]
    args = [*([clone(func)] if closure or first else []), *operands[:count]]
    made: Any = library("rt.halves(f, s)" if pulls else "rt.along_call(f, s)", f=func, s=shape)
    owned = [constant(fn is rt.own_pullback)] if pulls else []
    made.args += [settings["active"], constant(closure), constant(closure or first), *owned,
                  clone(operands[0]) if count else constant(None)]
    if pulls:
        return _pulled(desugar, made, gast.Call(load(""), args, by_name), carries)
    tangent = load(desugar.kept(made, "tangent"))
    return desugar.placed(gast.Call(tangent, [*args, *operands[count + len(keywords):]], by_name))


def _pulled(desugar: State, made: Any, call: Any, carries: bool) -> gast.expr:
    """The value, and the function of the seed, which may carry a derivative where what was given does not."""
    pair = desugar.kept(made, "halves")
    forward = load(desugar.kept(library("h[0]", h=pair), "forward"))
    backward = load(desugar.kept(library("h[1]", h=pair), "backward"))
    names = gast.Dict([constant(k.arg) for k in call.keywords], [k.value for k in call.keywords])
    call = gast.Call(forward, call.args, call.keywords) if carries \
        else library("rt.applied(f, a, k)", f=forward, a=tuple_of(call.args), k=names)
    found = desugar.kept(call, "found")
    value = load(desugar.kept(library("y[0]", y=found), "value"))
    residuals = load(desugar.kept(library("y[1]", y=found), "residuals"))
    return desugar.placed(tuple_of([value, library("rt.with_residuals(b, r)", b=backward, r=residuals)]))


def _pullback(desugar: State, node: gast.Call) -> gast.expr | None:
    """`tnb.pullback(f, x)`: its data is its own, and what carries a derivative carries it on."""
    wrt = next((k.value for k in node.keywords if k.arg == "wrt"), constant(0))
    places = literal(wrt, None)
    several, counts = isinstance(places, tuple), range(len(node.args) - 1)
    if any(k.arg != "wrt" for k in node.keywords) or several and len(places) < 2 \
            or not all(type(one) is int and one in counts for one in (places if several else (places,))):
        return None
    func, *args = desugar.operands(node.args)
    first, active = desugar.carries(func), places if several else (places,)
    args = [load(desugar.kept(library("rt.record(x, n)", x=one, n=constant(desugar.text(one, "x"))), "argument"))
            if i in active else one for i, one in enumerate(args)]
    if first:
        func = load(desugar.kept(library("rt.copy(f)", f=func), "function"))
    made: Any = library("rt.halves(f, s)", f=func, s=tuple_of([constant(len(args)), tuple_of([])]))
    made.args += [tuple_of(list(map(constant, active))), constant(False), constant(first), constant(True)]
    return _pulled(desugar, made, gast.Call(load(""), [*([clone(func)] if first else []), *args], []),
                   any(map(desugar.carries, node.args)))
