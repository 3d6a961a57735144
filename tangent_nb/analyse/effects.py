"""What calls do besides computing a value: which are pure, which leave their arguments alone.

A call is *pure* if it may be left out, repeated or moved: rows of the table, and some of the standard library. It is
*clean* if it changes none of its arguments, no global and no cell; a clean call may still print or draw random numbers.
"""
from __future__ import annotations

import builtins
import dataclasses
import functools
import inspect
import math
import operator
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gast
import numpy as np

from .. import runtime
from ..rules import DRAWING, effects_of, lookup, lookup_method, may_only_compute, method_row
from ..runtime.containers import is_generated_method
from ..syntax.blocks import statements
from ..syntax.nodes import nodes_of, parameter_names, root_name, starred_parameters, walk, writes
from ..syntax.program import MISSING, Captured
from .callables import Called, Known, Names
from .derived import derived_from
from .displays import generator, is_partial, makes_container, names_made
from .draws import draws, makes_generator, writes_given
from .flow import bound_by
from .implicit import MADE, implicit_calls
from .libraries import is_user_class
from .objects import may_do_more
from .resolve import Scope


@functools.cache
def _place_of_out(fn: Any) -> int | None:
    """Where `out` stands among the positional parameters of a function of NumPy."""
    if isinstance(fn, np.ufunc):
        return fn.nin
    try:
        parameters = inspect.signature(fn).parameters
    except (TypeError, ValueError):
        return None
    if "out" not in parameters or parameters["out"].kind is inspect.Parameter.KEYWORD_ONLY:
        return None
    return list(parameters).index("out")


def written_to(node: gast.Call, fn: Any) -> gast.expr | None:
    """`c` of `np.add(a, b, out=c)`, `np.add(a, b, c)` and `x.cumsum(out=c)`: what a call of NumPy writes its result
    to."""
    of_numpy = isinstance(fn, np.ufunc) or isinstance(getattr(fn, "__self__", None), np.ufunc) \
        or (getattr(fn, "__module__", None) or "").split(".")[0] == "numpy" and callable(fn)
    if not of_numpy and not (fn is MISSING and isinstance(node.func, gast.Attribute)):
        return None
    found = next((k.value for k in node.keywords if k.arg == "out"), None)
    place = _place_of_out(fn) if of_numpy and found is None and type(fn).__hash__ is not None else None
    if place is not None and len(node.args) > place:
        found = node.args[place]
    return None if isinstance(found, gast.Constant) and found.value is None else found


def method_takes_out(name: str) -> bool:
    """A method of arrays that writes to what `out` says, as NumPy's function of its name does.

    >>> method_takes_out("cumsum"), method_takes_out("ravel"), method_takes_out("conj")
    (True, False, False)
    """
    fn = getattr(np, name, None)
    return lookup_method(name) is not None and not isinstance(fn, np.ufunc) and _place_of_out(fn) is not None


def changed_by_numpy(node: gast.Call, fn: Any) -> gast.expr | None:
    """What a call of NumPy changes in place, whatever the table says of its value."""
    for k in node.keywords:
        if (k.arg == "overwrite_input" or fn is np.nan_to_num and k.arg == "copy") and not (
                isinstance(k.value, gast.Constant) and k.value.value is (k.arg == "copy")):
            return node.args[0] if node.args else k.value
    if fn is np.nan_to_num and len(node.args) > 1:
        return node.args[0]
    return written_to(node, fn)


def is_pure_function(fn: object) -> bool:
    """A function known not to do anything but compute."""
    rule = lookup(fn)
    if rule is not None:
        return rule.pure
    module = getattr(fn, "__module__", None)
    if module == builtins.__name__ and (row := effects_of(fn)) is not None:
        return row.owner is None and row.pure
    return isinstance(fn, types.BuiltinFunctionType) and module == math.__name__


def changes_nothing(fn: Any, clean: Callable[[Any], bool]) -> bool:
    """A call of this very object changes nothing that it is given, that it is bound to, or that it finds outside; False
    where that is not known. clean: the same of a function of the user, from its text."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    if isinstance(fn, functools._lru_cache_wrapper):       # it changes nothing but the time that is taken
        fn = fn.__wrapped__
    if isinstance(fn, np.vectorize):
        return changes_nothing(fn.pyfunc, clean)
    if draws(fn) or is_pure_function(fn) or is_clean_function(fn) or reads_clock(fn) or makes_generator(fn):
        return True
    if isinstance(fn, (np.ufunc, operator.itemgetter, operator.attrgetter)):
        return True
    if isinstance(fn, type):
        return _only_makes(fn, clean)
    if isinstance(fn, types.BuiltinFunctionType) and (row := effects_of(fn)) is not None and row.owner is None:
        return row.pure and not row.calls
    if isinstance(fn, types.MethodType):
        fn = fn.__func__
    if isinstance(fn, types.FunctionType):
        row = effects_of(fn)
        return clean(fn) if row is None else row.pure
    owner = getattr(fn, "__self__", None)
    if owner is not None and not isinstance(owner, (types.ModuleType, type)):
        row = method_row(type(owner), fn.__name__)
        return row is not None and row.pure
    call = inspect.getattr_static(type(fn), "__call__", None)
    return isinstance(call, types.FunctionType) and clean(call)


class Making(NamedTuple):
    """A function in the making of an object of a class, its first argument, which is new."""

    fn: Any
    cls: type

    def called(self, node: Any, first: str, scope: Scope) -> Any:
        """What a call in its text calls on the object, which has this name there; MISSING for other calls."""
        func = node.func
        if isinstance(func, gast.Attribute) and scope.builtin(func.value) == "super" and not func.value.args:
            owner = next((kind for kind in self.cls.__mro__ if self.fn in vars(kind).values()), self.cls)
            behind = self.cls.__mro__[self.cls.__mro__.index(owner) + 1:]
            return next((vars(kind)[func.attr] for kind in behind if func.attr in vars(kind)), None)
        if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name) and func.value.id == first:
            return inspect.getattr_static(self.cls, func.attr, None)
        return scope.value(func) if node.args and isinstance(node.args[0], gast.Name) and node.args[0].id == first \
            else MISSING


def _only_makes(cls: Any, clean: Callable[[Any], bool]) -> bool:
    """A call of a class makes an object, and changes nothing else;
    nor do its methods, which operators and names that arrays have call too."""
    if cls.__module__ in ("builtins", "numpy"):
        return True
    if (row := effects_of(cls)) is not None and row.owner is None and not is_user_class(cls):
        return row.pure and not row.calls
    held = [one for kind in cls.__mro__ if is_user_class(kind)
            for one in vars(kind).values() if getattr(one, "fset", one) is not None]
    slots = (types.MemberDescriptorType, types.GetSetDescriptorType)
    if type(cls).__call__ is not type.__call__ \
            or any(hasattr(type(one), "__set__") and not isinstance(one, slots) for one in held):
        return False                                       # or to assign an attribute runs code
    init, store = inspect.getattr_static(cls, "__init__"), inspect.getattr_static(cls, "__setattr__")
    steps = [inspect.getattr_static(cls, "__new__"), init]
    if (made := generator(cls)) is not None:
        steps += [inspect.getattr_static(cls, "__post_init__", init)]
        if not all(changes_nothing(one.default_factory, clean) for one in dataclasses.fields(made)
                   if one.default_factory is not dataclasses.MISSING):
            return False
    written = [one.__func__ if isinstance(one, staticmethod) else one
               for one in steps if not is_generated_method(getattr(one, "__func__", one))]
    written += [getattr(one, "fget", one) for one in held
                if isinstance(one, property) or isinstance(one, types.FunctionType) and not is_generated_method(one)]
    return (not isinstance(store, types.FunctionType) or is_generated_method(store)) and all(
        _makes(Making(one, cls), clean) for one in written) and all(
        clean(_of_class(one, cls)) for one in held if isinstance(one, (staticmethod, classmethod)) and one not in steps)


def _of_class(method: Any, cls: type) -> Any:
    """The function of a class method, with the class that it is given; of a static method as it is."""
    fn = method.__func__
    if isinstance(method, staticmethod) or not isinstance(fn, types.FunctionType) or not fn.__code__.co_argcount:
        return fn
    return Known(fn, ((fn.__code__.co_varnames[0], (cls,)),))


def _makes(step: Making, clean: Callable[[Any], bool]) -> bool:
    """A step in the making of an object changes nothing but this."""
    if isinstance(step.fn, types.FunctionType):
        return clean(step)
    return getattr(getattr(step.fn, "__objclass__", getattr(step.fn, "__self__", None)), "__module__", "") == "builtins"


def reads_clock(fn: Any) -> bool:
    """It gives the time, whatever it is given."""
    row = effects_of(fn)
    return row is not None and row.outside == "clock"


def is_clean_function(fn: Any) -> bool:
    """It changes nothing but what is printed."""
    row = effects_of(fn)
    return row is not None and row.outside == "text"


def only_tells(fn: Any) -> bool:
    """It returns None, and is there for what it says: `print`, `logging.info`."""
    row = effects_of(fn)
    return row is not None and is_clean_function(fn) and row.gives == "nothing"


def is_pure(node: gast.AST, scope: Scope) -> bool:
    """Evaluating the expression twice, or never, makes no difference (but for exceptions)."""
    if may_do_more(node, scope):
        return False
    for part in nodes_of(node, gast.Call, gast.Await, gast.Yield, gast.YieldFrom, gast.NamedExpr):
        if not isinstance(part, gast.Call) or not all(_computes(one, scope) for one in called_back(part, scope)):
            return False
        operation = scope.operation(part)
        pure = operation.kind == "rule" and operation.rule is not None and operation.rule.pure
        if not pure and not is_pure_function(scope.value(part.func)):
            return False
    return True


def may_refuse(node: gast.AST, scope: Scope) -> bool:
    """A call in the expression may be there for the error that it raises."""
    rules = (scope.operation(part).rule for part in nodes_of(node, gast.Call))
    return any(rule is not None and rule.refuses for rule in rules)


# what they make calls no more than they are given
READERS = (operator.itemgetter, operator.attrgetter, functools.cmp_to_key)


def is_reader(node: gast.expr, scope: Scope) -> bool:
    """`operator.itemgetter(1)`: what is made is known, whatever it is used for."""
    return isinstance(node, gast.Call) and any(scope.value(node.func) is one for one in READERS)


def called_back(node: gast.Call, scope: Scope) -> list[gast.expr]:
    """What a call is given to call itself: the first argument of `map`, a key."""
    row = scope.effects(node)
    if is_partial(node) or row.owner is not None:
        return [k.value for k in node.keywords if k.arg == "key"]
    places = [name for name, one in row.signature.parameters.items()
              if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    called = [arg for name, arg in zip(places if row.calls else (), node.args) if name in row.calls]
    return [*called, *(k.value for k in node.keywords if k.arg in row.calls or k.arg == "key")]


def _computes(node: gast.expr, scope: Scope) -> bool:
    """What is called back is no function, or does nothing but compute."""
    fn = scope.value(node)
    if fn is MISSING:
        # what a lambda does is asked for with the rest
        return isinstance(node, (gast.Lambda, gast.Constant)) or is_reader(node, scope)
    return not callable(fn) or isinstance(fn, type) or is_pure_function(fn)


def opaque_calls(node: gast.AST, scope: Scope, clean: Callable[[Any], bool]) -> bool:
    """There are calls in `node` that may change what they are given."""
    return any(isinstance(part, gast.Call) and is_opaque(part, scope, clean) for part in walk(node))


def is_opaque(node: gast.Call, scope: Scope, clean: Callable[[Any], bool], names: Names | None = None) -> bool:
    """A call, those inside of it left out, may change what it is given. names: what the names of the text stand for."""
    if isinstance(node.func, gast.Call) and scope.value(node.func.func) is runtime.clean:
        return False                                       # it is asked when it runs
    if hasattr(node, "method"):                            # `obj.name()`, which asks the object when it runs
        return not may_only_compute(node.method)
    if hasattr(node, "getters"):                           # it reads an attribute, which one of these may compute
        return not all(changes_nothing(one, clean) for one in node.getters)
    fn, operation = scope.value(node.func), scope.operation(node)
    known = [scope.value(one) for one in called_back(node, scope)]
    if changed_by_numpy(node, fn) is not None or not all(changes_nothing(one, clean) for one in known if callable(one)):
        return True
    if operation.kind == "rule" and operation.rule is not None and operation.rule.refuses and not operation.rule.pure \
            and not stores_as_variable(fn):
        return True                                        # a helper that stores something outside
    row = scope.effects(node)
    if isinstance(fn, types.BuiltinFunctionType) and row.owner is None and row.calls and row.pure:
        return not all(scope.value(one) is not MISSING or _computes(one, scope) for one in called_back(node, scope))
    if operation.kind == "rule" or operation.kind == "container" and is_partial(node):
        return False
    text = fn.__wrapped__ if isinstance(fn, functools._lru_cache_wrapper) else fn
    if getattr(node, "draws", False) or changes_nothing(fn, lambda one: clean(one) or one is text and clean(
            Called(text, node, scope, names))):
        return False
    if fn is MISSING and _is_nowhere(node.func, scope):
        return False                                       # to call it raises a NameError
    if fn is MISSING and names is not None and (values := names.of(node.func)) is not None:
        return not all(value is None or changes_nothing(value, clean) for value in values)
    if isinstance(fn, types.FunctionType) and (fn.__module__ or "").split(".")[0] == "numpy":
        return False
    by_name = fn is MISSING and isinstance(node.func, gast.Attribute)
    return not (by_name and (_is_clean_method(node.func, scope) or _cuts_text(node)))


def _is_nowhere(func: Any, scope: Scope) -> bool:
    """A path from a name that nothing has bound in its module, which has been imported to its end: what could not be
    imported there."""
    name, around = root_name(func), scope.namespace
    module = sys.modules.get(around.globals.get("__name__", ""))
    return name is not None and name not in scope.local and name not in around.cells \
        and around.lookup(name) is MISSING and module is not None and vars(module) is around.globals \
        and module.__name__ != "__main__" and not getattr(module.__spec__, "_initializing", False)


def _is_clean_method(func: gast.Attribute, scope: Scope) -> bool:
    base = scope.value(func.value)
    made = scope.value(func.value.func) if isinstance(func.value, gast.Call) else MISSING
    if isinstance(base, DRAWING) or makes_generator(made):
        return not writes_given(func.attr)
    return may_only_compute(func.attr)


def _cuts_text(node: gast.Call) -> bool:
    """`s.partition("=")`; `x.partition(k)` changes an array."""
    return node.func.attr == "partition" and len(node.args) == 1 and isinstance(node.args[0], gast.Constant) \
        and isinstance(node.args[0].value, str)


def stores_as_variable(fn: Any) -> bool:
    """A helper of what is assigned to an attribute, and judged there."""
    return fn is not MISSING and (row := lookup(fn)) is not None and row.judged


def first_change(captured: Captured, clean: Callable[[Any], bool], making: Making | None = None,
                 names: Names | None = None, plain: frozenset[str] = frozenset()) -> Any:
    """Where a function may change something that it is given, or a global; in the making of an object anything but it.
    clean: of what it calls; names: what those of its text are; plain: parameters that are numbers, texts or None."""
    tree = captured.tree
    scope = Scope.of(captured)
    parameters, bound = parameter_names(tree), writes(tree.body)
    new = _fresh_locals(captured, scope) | plain - _bound_anew(tree.body)          # with all that they hold
    stars = set(starred_parameters(tree))
    own = stars - bound | names_made(tree.body, set(parameters) - stars, lambda value, found: (
        _is_new(value, scope) or makes_container(value, scope, found | stars)))
    made = parameters[0] if making is not None and parameters and parameters[0] not in bound else ""
    for node in walk(tree.body):
        if isinstance(node, (gast.Global, gast.Nonlocal, gast.Delete, gast.FunctionDef, gast.ClassDef)) \
                or isinstance(node, gast.Lambda) and not own.isdisjoint(writes(node.args)):
            return node
        if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
            if not (isinstance(node.value, gast.Name) and (
                    node.value.id in own if isinstance(node, gast.Subscript) else node.value.id == made)):
                return node
        if isinstance(node, gast.AugAssign) and root_name(node.target) not in new:
            return node
        if isinstance(node, gast.Call) and not stores_as_variable(scope.value(node.func)):
            base = node.func.value if isinstance(node.func, gast.Attribute) else None
            step = making.called(node, made, scope) if making is not None and made else MISSING
            if step is not MISSING:
                if not _makes(Making(step, making.cls), clean):      # type: ignore[union-attr]
                    return node
                continue
            if isinstance(fn := derived_from(tree, node.func, scope), types.FunctionType) and clean(fn):
                continue                                   # a derivative changes no more than its function
            if getattr(node, "of_object", False) and root_name(node.args[0]) in plain - _bound_anew(tree.body):
                continue                                   # a method of a text or a number
            changed = [base, *node.args[:1]] if base is not None and node.func.attr == "add_at" else [base]
            ours = any(isinstance(one, gast.Name) and one.id in own for one in changed)
            if not ours and is_opaque(node, scope, clean, names):
                return node
    return next((node for node, one, found in implicit_calls(tree.body, scope) if one is not MADE
                 and not all(map(clean, found))), None)


def _fresh_locals(captured: Captured, scope: Scope) -> set[str]:
    """Locals that are never anything but new values: they may be changed in place."""
    return names_made(captured.tree.body, parameter_names(captured.tree), lambda value, _: _is_new(value, scope))


def _bound_anew(body: Sequence[gast.stmt]) -> set[str]:
    """The names that are bound other than by `x += v`."""
    return {name for stmt in statements(body) if not isinstance(stmt, gast.AugAssign) for name in bound_by(stmt)} \
        | {name for node in nodes_of(body, gast.comprehension, gast.NamedExpr)
           for name in writes(node.target)}


def _is_new(node: gast.expr, scope: Scope) -> bool:
    if isinstance(node, (gast.Constant, gast.Compare)):
        return True
    if isinstance(node, gast.List):
        return all(_is_new(item, scope) for item in node.elts)
    if isinstance(node, gast.IfExp):
        return _is_new(node.body, scope) and _is_new(node.orelse, scope)
    if isinstance(node, gast.Call) and makes_generator(scope.value(node.func)):
        return True
    if isinstance(node, gast.Call) and scope.value(node.func) is runtime.repeated:
        return _is_new(node.args[0], scope)
    operation = scope.operation(node)
    return operation.kind == "rule" and operation.rule is not None and operation.memory == "fresh"


