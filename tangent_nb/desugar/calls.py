"""Calls of functions that are known, with all that they are bound to and given; the others under a name.

Needs a call, or an attribute, of the text. Promises, where it is sugar, what it means: a call of a function without an
environment, of one that is specialized (`specialise.py`), or the body in its place (`inlining.py`).

    model.loss(x)              →      loss(model, x)
    table[name](x)             →      function = table[name]
                                      function(x)
"""
from __future__ import annotations

import collections
import functools
import types
from typing import Any

import gast
import numpy as np

from .. import runtime
from ..analyse.draws import of_generator
from ..analyse.fence.words import of_closure
from ..analyse.libraries import is_library, is_ours
from ..errors import KEYS, RefusedError
from ..rules import lookup_method, may_only_compute, method_row
from ..syntax.building import call, clone, constant, library, load
from ..syntax.nodes import names_in, root_name
from ..syntax.program import MISSING
from . import (
    arguments,
    as_objects,
    changing,
    consumers,
    derivatives,
    functions,
    generators,
    inlining,
    lazy,
    lifting,
    objects,
    specialise,
    yielding,
)
from .arguments import starred
from .stars import of_unknown
from .state import State
from .values import FunctionValue, has_row, is_cached, member_of

DISPATCH = getattr(functools.singledispatch(len), "__code__")  # noqa: B009


def meaning(desugar: State, node: Any) -> Any:
    """What to write for a call, where it is sugar."""
    node.args = [item for arg in node.args for item in _given(arg)]
    found = lazy.asked(desugar, node) or consumers.gone_over(desugar, node) \
        or consumers.consumed(desugar, node)
    if found is not None:
        return found
    if node.keywords and len(node.args) == 1 and not isinstance(node.args[0], gast.Starred) \
            and desugar.object(node.func) is dict:         # dict(d, k=v) is {**dict(d), "k": v}
        keys = [None, *(k.arg and constant(k.arg) for k in node.keywords)]
        return desugar.expr(desugar.placed(gast.copy_location(gast.Dict(keys, [
            call("%dict", node.args[0]), *(k.value for k in node.keywords)]), node)))
    if isinstance(node.func, gast.Call) and desugar.object(node.func.func) is runtime.clean:
        if not _carries(desugar, node):
            return None                                    # in a text of ours: it is asked when it runs
        node.func = node.func.args[0]                      # what had no derivative there has one here
    if not isinstance(node.func, (gast.Name, gast.Attribute)):
        node.func = functions.operand(desugar, node.func)
    func, outside = node.func, desugar.object(node.func)
    if (made := derivatives.kept(desugar, node)) is not None:
        return made
    by_name = desugar.namespace.resolve(func, desugar.local) is outside \
        and getattr(func, "id", "") not in desugar.functions
    if is_cached(outside) and not starred(node) and not _carries(desugar, node):
        return None                                        # the same object each time
    if getattr(func, "made", False) or of_generator(outside) or by_name and _stays(outside, node):
        return None
    if (drawn := generators.called(desugar, node)) is not None:
        return drawn
    if getattr(outside, "__code__", None) is DISPATCH and node.args and not starred(node):
        return _when_called(desugar, node, outside)
    if not by_name and getattr(func, "id", "") not in desugar.functions and has_row(outside):
        desugar.assume(func, outside)                      # NumPy behind an object: `backend.np.sin`
        node.func = gast.copy_location(desugar.cell(outside, getattr(func, "attr", "function")), func)
        return None
    value = FunctionValue(outside, func) if by_name and isinstance(outside, types.FunctionType) \
        else functions.value_of(desugar, func)
    if value is not None:
        return _finished(desugar, value, *arguments.evaluated(desugar, node), node)
    if isinstance(func, gast.Lambda) or derivatives.derives(desugar, func):
        raise _cannot(desugar, node)
    if outside is MISSING and isinstance(func, gast.Attribute) and _is_method_of_an_object(desugar, node) \
            and not starred(node) and not hasattr(node, "draws"):
        return _when_called(desugar, node)
    if outside is MISSING and starred(node) and (found := _bound(desugar, node)) is not None:
        return found
    if not isinstance(func, (gast.Name, gast.Attribute)) and not starred(node) \
            and (_carries(desugar, node) or names_in(func) & desugar.varied):
        return _when_called(desugar, node)
    return None


def _given(arg: Any) -> list[gast.expr]:
    """The arguments of one: those that `*[x, y]` writes down."""
    return [item for one in arg.value.elts for item in _given(one)] \
        if isinstance(arg, gast.Starred) and isinstance(arg.value, (gast.List, gast.Tuple)) else [arg]


def _stays(fn: Any, node: gast.Call) -> bool:
    """A function that is not looked into, by its own name."""
    return not starred(node) if has_row(fn) else isinstance(fn, types.FunctionType) and (is_library(fn) or is_ours(fn))


def _is_method_of_an_object(desugar: State, node: gast.Call) -> bool:
    """`obj.name` may be a method of a class of the user: no array, number, container or text has one of this name; what
    carries a derivative is no text, nor is what is given that, unless it is formatted."""
    func: Any = node.func
    kinds = (np.ndarray, list, dict, tuple, set, float, collections.deque)
    if any(hasattr(kind, func.attr) for kind in kinds) or _is_of_text(desugar, node) \
            or func.attr in ("_replace", "_asdict") or lookup_method(func.attr) is not None:
        return False
    if isinstance(func.value, gast.Call | gast.Subscript) and root_name(func.value) not in desugar.local:
        made = desugar.object(getattr(func.value, "func", func.value))
        return _carries(desugar, node) and not (made is not MISSING and is_library(made))
    return root_name(func.value) in desugar.local and (not may_only_compute(func.attr) or _carries(desugar, node))


def _is_of_text(desugar: State, node: gast.Call) -> bool:
    """`obj.name` is a method of a text, as far as is known: which takes no numbers that carry a derivative, unless it
    writes them."""
    func: Any = node.func
    row = method_row(str, func.attr)
    return row is not None and not desugar.carries(func.value) and (row.text or not _carries(desugar, node))


def _carries(desugar: State, node: gast.Call) -> bool:
    return any(desugar.carries(arg) for arg in [node.func, *node.args, *(k.value for k in node.keywords)])


def _bound(desugar: State, node: gast.Call) -> gast.expr | None:
    """The function bound to what it is given, where that has stars: `fn(x, **options)`, `obj.name(*pair)`."""
    func: Any = node.func
    if not _carries(desugar, node) and all(k.arg is not None for k in node.keywords):
        return None
    if isinstance(func, gast.Attribute) and not _is_method_of_an_object(desugar, node) or hasattr(node, "draws"):
        return None
    first = library("rt.method(n)", n=constant(func.attr)) if isinstance(func, gast.Attribute) else func
    with desugar.before() as done:
        done.append(desugar.next(func.value if isinstance(func, gast.Attribute) else func))
        args, keywords = arguments.evaluated(desugar, node)
    if isinstance(func, gast.Attribute):
        args = [done[0], *args]
    else:
        first = done[0]
    if not isinstance(first, gast.Name):
        first = load(desugar.kept(first, getattr(func, "attr", "function")))
    return gast.copy_location(of_unknown(desugar, first, args, keywords), node)


def _when_called(desugar: State, node: gast.Call, dispatching: Any = None) -> gast.expr:
    """`table[name](x)`, the function under a name; `obj.name(x)` as a call of `rt.method("name")`,
    which asks the object when it is called. dispatching: a function that asks its first argument which one it is."""
    func: Any = node.func
    method = isinstance(func, gast.Attribute) and dispatching is None
    if dispatching is not None:
        desugar.assume(func, dispatching)
        node.args = [desugar.named(one, "argument") for one in node.args]
        func = library("rt.dispatched(f, x)", f=clone(func), x=clone(node.args[0]))
    first, *args = desugar.operands([func.value if method else func, *node.args, *(k.value for k in node.keywords)])
    if method:
        args.insert(0, first)
        first = load(desugar.kept(library("rt.method(n)", n=constant(func.attr)), func.attr))
    elif not isinstance(first, gast.Name):
        first = load(desugar.kept(first, "function"))
    count = len(args) - len(node.keywords)
    keywords = [gast.keyword(k.arg, v) for k, v in zip(node.keywords, args[count:], strict=True)]
    made = gast.copy_location(gast.Call(first, args[:count], keywords), node)
    if method:
        made.of_object, made.method = True, func.attr
    return made


def attribute(desugar: State, node: gast.Attribute) -> Any:
    """`obj.prop`, where the object is known, is a call of what computes it."""
    base = objects.outside(desugar, node.value)
    found = None if base is None else member_of(base.kind, node.attr)
    if base is None or found is None or found[0] != "property" \
            or node.attr in getattr(desugar.object(node.value), "__dict__", {}):
        return None
    desugar.assume_member(node.value, base.kind, "__class__", base.kind)
    if desugar.inlines(found[1]):
        return inlining.inline(desugar, found[1], [node.value], {})
    return FunctionValue(found[1], desugar.cell(found[1], node.attr), (node.value,)).call([], [])


def write(desugar: State, node: gast.Call) -> gast.expr:
    """A call of a function that is known, in the core language."""
    value = functions.value_of(desugar, node.func)
    if value is None:
        raise _cannot(desugar, node)
    return _finished(desugar, value, *arguments.evaluated(desugar, node), node)


def _cannot(desugar: State, node: gast.Call) -> RefusedError:
    if derivatives.derives(desugar, node.func):
        return desugar.refused(node.func, *of_closure(desugar.object(node.func.func),
                                                      desugar.text(node.func.args[0], "a function")))
    if isinstance(node.func, gast.Lambda) and lifting.in_place(desugar, node.func):
        why = "this lambda calls a function that changes variables of the function around it"
        return desugar.refused(node.func, why, "a function with a name in place of the lambda: def g(...):")
    known = functions.value_of(desugar, node.func) if isinstance(node.func, gast.Name) else None
    if known is not None and yielding.text(desugar, known.fn) is not None:
        why = "a generator is started here, and what takes its items is not known beforehand"
        return desugar.refused(node.func, why,
                               "a loop over it where it is started; or a list of all its items: list(...)")
    if known is not None and known.fn in desugar.stack:
        why = "this function calls itself, and changes variables of the function around it"
        return desugar.refused(node.func, why, "pass what it changes as an argument, and return it; or a loop")
    if arguments.starred(node):
        return desugar.refused(node, arguments.STARRED, arguments.ONE_BY_ONE, unknown=KEYS)
    return desugar.refused(node.func, "this function changes variables of the function around it, and what it does is "
                           "not known beforehand", "pass what it changes as an argument, and return it")


def _finished(desugar: State, value: FunctionValue, args: list[Any], keywords: list[Any], like: Any) -> gast.expr:
    """A call of a function value with evaluated arguments."""
    if value.fn in (max, min) and any(isinstance(a, gast.Starred) for a in args):
        return desugar.expr(desugar.placed(gast.Call(value.func, [gast.List(args, gast.Load())], keywords)))
    fn = value.fn
    args, keywords = arguments.spread(desugar, value, args, keywords)
    node = gast.copy_location(value.call(args, keywords), like)
    if fn is MISSING:                                      # a derivative
        node.args = [as_objects.given(desugar, one) for one in node.args]
        node.keywords = [gast.keyword(k.arg, as_objects.given(desugar, k.value)) for k in node.keywords]
    owner = desugar.object(value.first[0]) if value.first else MISSING
    of_class = isinstance(owner, type) and fn is not MISSING
    makes = objects.factory(desugar, types.MethodType(fn, owner) if of_class else fn) is not None
    if value.in_place or makes or getattr(like, "wanted", False) and functions.gives(desugar, fn):
        if not desugar.inlines(fn):
            raise _cannot(desugar, like)
        return _inlined(desugar, value, node, like)
    if has_row(fn) or not isinstance(fn, types.FunctionType) \
            or fn not in desugar.texts.made and (is_library(fn) or is_ours(fn)):
        return derivatives.as_values(desugar, node)
    given = [*node.args, *(k.value for k in node.keywords)]
    changes_given = any(root_name(arg) in desugar.local or desugar.carries(arg) for arg in given) \
        and not starred(node) and desugar.inlines(fn) and changing.changes_given(desugar, fn)
    takes_objects = any(functions.holds_objects(desugar, one) for one in given)
    stars = any(isinstance(a, gast.Starred) for a in node.args)
    if changes_given or takes_objects and desugar.inlines(fn) and not stars \
            or desugar.texts.shares(fn) and not starred(node) and desugar.inlines(fn):
        return _inlined(desugar, value, node, like)
    derivatives.as_values(desugar, node)
    try:
        unit = desugar.texts.unit(fn)
    except RefusedError:
        return node
    if arguments.raises(desugar, value, args, keywords):
        return constant(0.0)
    shape = specialise.shape_of(desugar, unit, node)
    if shape is None:
        return node
    _assume(desugar, value, like)
    return specialise.specialized(desugar, fn, unit, shape)


def _inlined(desugar: State, value: FunctionValue, node: gast.Call, like: Any) -> gast.expr:
    """The body of a function in the place of its call."""
    _assume(desugar, value, like)
    return inlining.inline(desugar, value.fn, node.args, {k.arg: k.value for k in node.keywords}, around=value.in_place)


def _assume(desugar: State, value: FunctionValue, like: Any) -> None:
    """A function that was called by its name, which stands in the text no more, is what it is now."""
    if value.func is like.func:
        desugar.assume(value.func, value.fn)
