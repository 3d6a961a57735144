"""The function that an expression means for certain, and what it is bound to.

Needs an expression of the text. Promises with `is_value` that the function is known, evaluating nothing; with
`value_of` the function, after emitting what it is bound to.

    lambda t: t * w            a function of its own (`lifting.py`), bound to w
    model.loss                 a function that is there (`existing.py`), bound to model
    partial(g, a + 1)          what g means, bound to `argument`, after                argument = a + 1
    tnb.grad(lambda t: t * w)  `derivative`, bound to w, after                         derivative = tnb.grad(function)
    scaled(w)                  what scaled returns, after its body (`inlining.py`)
"""
from __future__ import annotations

import functools
import operator
import types
from dataclasses import replace
from typing import Any

import gast

from ..analyse.libraries import is_user_class
from ..syntax.building import assign, clone, load, parameter, tuple_of
from ..syntax.nodes import is_literal, literal
from . import derivatives, objects
from .existing import method_of, of_argument, of_object
from .lifting import can_be_lifted, lift
from .mapped import vectorized
from .scopes import bindings, bound, free, located, own, shares
from .state import State
from .values import FunctionValue, has_row, is_callable_value, object_of


def value_of(desugar: State, node: Any) -> FunctionValue | None:
    """The function that an expression means for certain; what it is bound to is evaluated here."""
    node = getter(desugar, node) or node
    if isinstance(node, gast.Lambda):
        name = desugar.names.new("function")
        if not can_be_lifted(node):
            return None
        lift(desugar, {name: node})
        value = desugar.functions.pop(name, None)
        for temporary, default in desugar.defaults.get(name, []):
            desugar.statement(desugar.placed(assign(temporary, default)))
        return value
    if isinstance(node, gast.Name) and node.id in desugar.functions:
        return desugar.functions[node.id]
    if isinstance(node, (gast.Name, gast.Attribute)):
        if (fn := desugar.structures.function_at(node)) is not None:
            return of_argument(desugar, fn, node)
        value = desugar.object(node)
        return of_object(desugar, value, node) if is_callable_value(value) else method_of(desugar, node)
    if given(desugar, node):
        return value_of(desugar, operand(desugar, node))
    if isinstance(node, gast.Call) and desugar.object(node.func) is functools.partial and node.args \
            and not any(isinstance(a, gast.Starred) for a in node.args) and all(k.arg for k in node.keywords):
        base = value_of(desugar, node.args[0])
        if base is None:
            return None
        first = tuple(_fixed(desugar, arg) for arg in node.args[1:])
        keywords = tuple((k.arg, _fixed(desugar, k.value)) for k in node.keywords)
        kept = tuple((k, v) for k, v in base.keywords if k not in {name for name, _ in keywords})
        return replace(base, first=(*base.first, *first), keywords=(*kept, *keywords), itself=None)
    return derivatives.value_of(desugar, node) if derivatives.derives(desugar, node) else None


def namespace_of(desugar: State, node: Any) -> FunctionValue | None:
    """The module, or the class of the user, that an expression means: what is read of it is known."""
    value = desugar.object(node)
    if not isinstance(value, types.ModuleType) and not (isinstance(value, type) and is_user_class(value)):
        return None
    part = desugar.unsettled(node) if desugar.namespace.resolve(node, desugar.local) is value else (node, value)
    if part is not None:
        desugar.assume(*part)
    return FunctionValue(value, node)


def operand(desugar: State, node: Any) -> Any:
    """An expression in the core language that is called, or given to what calls it."""
    node.wanted = True
    return node if isinstance(node, gast.Lambda) or derivatives.derives(desugar, node) else desugar.expr(node)


def is_value(desugar: State, node: Any) -> bool:
    """`value_of` would know the function; nothing is evaluated."""
    if isinstance(node, gast.Lambda):
        return can_be_lifted(node)
    if getter(desugar, node) is not None or isinstance(node, gast.Name) and node.id in desugar.functions:
        return True
    if isinstance(node, (gast.Name, gast.Attribute)):
        return desugar.structures.function_at(node) is not None or is_callable_value(desugar.object(node)) \
            or method_of(desugar, node) is not None
    if given(desugar, node) or derivatives.derives(desugar, node):
        return True
    return isinstance(node, gast.Call) and desugar.object(node.func) is functools.partial and bool(node.args) \
        and is_value(desugar, node.args[0])


def getter(desugar: State, node: Any) -> gast.expr | None:
    """`operator.itemgetter(1)` as `lambda item: item[1]`, `operator.attrgetter("w")` as `lambda item: item.w`; and
    what `np.vectorize` makes of a function whose text is known."""
    if (made := vectorized(desugar, node)) is not None:
        given: Any = node.args[0] if isinstance(node, gast.Call) else None
        return made if given is None or is_value(desugar, given) else None
    fn = desugar.object(node.func) if isinstance(node, gast.Call) else None
    if fn not in (operator.itemgetter, operator.attrgetter) or node.keywords or not node.args \
            or not all(map(is_literal, node.args)):
        return None
    if fn is operator.itemgetter:
        parts: list[gast.expr] = [gast.Subscript(load("item"), clone(arg), gast.Load()) for arg in node.args]
    elif all(isinstance(literal(arg), str) for arg in node.args):
        parts = [functools.reduce(lambda base, name: gast.Attribute(base, name, gast.Load()), literal(arg).split("."),
                                  load("item")) for arg in node.args]
    else:
        return None
    args = gast.arguments([parameter("item")], [], None, [], [], None, [])
    return located(gast.Lambda(args, parts[0] if len(parts) == 1 else tuple_of(parts)), node)


def holds_objects(desugar: State, node: Any) -> bool:
    """An evaluated expression is an object that is made here, or a function that is bound to one."""
    known = None if not isinstance(node, (gast.Name, gast.Attribute)) or objects.value_of(desugar, node) is not None \
        else value_of(desugar, node)
    return any(isinstance(one, gast.Name) and one.id in desugar.objects
               for one in ([node] if known is None else known.bound))


def holds_copy(desugar: State, value: FunctionValue) -> bool:
    """A function is bound to an object of which a name holds a copy, and may get another one."""
    held = [desugar.objects.get(one.id) for one in value.bound if isinstance(one, gast.Name)]
    return any(one is not None and one.prefix in desugar.apart for one in held)


def given(desugar: State, node: Any) -> bool:
    """A call of a function that gives functions."""
    if not isinstance(node, gast.Call) or getattr(node.func, "made", False) \
            or any(isinstance(a, gast.Starred) for a in node.args) or not all(k.arg for k in node.keywords):
        return False
    known = desugar.functions.get(getattr(node.func, "id", ""))
    return gives(desugar, desugar.object(node.func) if known is None else known.fn)


def gives(desugar: State, fn: Any) -> bool:
    """The text of a function ends by returning a function that it defines, or a derivative of one,
    or a tuple in which there are such functions."""
    if has_row(fn) or derivatives.is_operator(fn) or not desugar.inlines(fn):
        return False
    captured = desugar.texts.unit(fn).captured
    tree = captured.tree
    returns = [part for part in own(tree.body) if isinstance(part, gast.Return)]
    value: Any = returns[0].value if len(returns) == 1 and tree.body[-1] is returns[0] else None
    return any(_is_defined_in(tree, one) or isinstance(one, gast.Call) and derivatives.is_operator(
        object_of(one.func, captured.namespace, bound(tree)))
        for one in (value.elts if isinstance(value, gast.Tuple) else [value]))


def _is_defined_in(tree: gast.FunctionDef, value: Any) -> bool:
    """An expression is a lambda, or the name of a function that a text defines."""
    if isinstance(value, gast.Lambda):
        return can_be_lifted(value)
    nodes = bindings(tree).get(value.id, []) if isinstance(value, gast.Name) else []
    one = nodes[0] if len(nodes) == 1 else None
    return isinstance(one, gast.FunctionDef) and not one.decorator_list and (can_be_lifted(one) or shares(one)) \
        or isinstance(one, gast.Assign) and isinstance(one.value, gast.Lambda)


def _fixed(desugar: State, node: Any) -> gast.expr:
    """An argument that is evaluated now, for calls later."""
    new = operand(desugar, node)
    if is_literal(new) or is_value(desugar, new):
        return new
    return load(desugar.kept(new, "argument"))


def steady(desugar: State, node: Any) -> gast.expr:
    """A function that is called again and again, under a name where it is not known."""
    node = operand(desugar, node)
    if isinstance(node, gast.Name) and node.id in desugar.objects:
        return node
    value = value_of(desugar, node)
    if value is None:
        return load(desugar.kept(desugar.expr(node), "function"))
    name = desugar.names.new("function")
    desugar.functions[name] = value
    return load(name)


def bound_to(desugar: State, node: Any) -> list[gast.expr]:
    """What a function reads besides its arguments."""
    if isinstance(node, gast.Lambda):
        return [load(name) for name in sorted(free(node) & desugar.local)]
    if isinstance(node, gast.Name) and node.id in desugar.functions:
        return list(desugar.functions[node.id].bound)
    return []
