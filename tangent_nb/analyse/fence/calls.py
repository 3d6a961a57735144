"""Calls: those with a row, of functions of the user, of classes, and the rest,
which is let through where no derivative is at stake."""
from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import gast
import numpy as np

from ... import runtime
from ...errors import KEYS, KIND, Refusal, RefusedError
from ...rules import DRAWING, Rule, nearest
from ...rules.breaking import by_key
from ...runtime.remembered import OPERATORS
from ...syntax.nodes import attributes_assigned, parameter_names, starred_parameters
from ...syntax.program import MISSING
from ..activity import PASSED_ON
from ..arguments import bind
from ..displays import is_partial
from ..draws import makes_generator, of_generator, without_parameters
from ..effects import changed_by_numpy, changes_nothing, is_opaque, is_pure, only_tells
from ..flow import inner_append, mutation
from ..leaving import refused_always
from ..libraries import full_name, is_library, is_ours, is_user_class
from ..records import updated_dict
from ..resolve import STARRED, Operation, Scope, is_formatted
from ..taken import keys_of
from .changes import told_by
from .nesting import depths_given
from .operators import check_key, is_object
from .places import is_memory, method_outside
from .state import Check
from .statements import is_inner
from .texts import from_text
from .trees import expressions
from .words import WORDS, hidden, of_closure

HIDDEN = (eval, exec, compile, globals, locals, vars, setattr, delattr, super, __import__)


def check_call(check: Check, node: gast.Call) -> None:
    """Refuse a call that has no derivative where one is asked for, or that may change what it is given."""
    operation = _resolved(check, node)
    receiver = [node.func.value] if isinstance(node.func, gast.Attribute) and operation.fn is None else []
    args = [*receiver, *node.args, *(k.value for k in node.keywords)]
    active = any(check.active(arg) for arg in args)
    fn = check.scope.value(node.func)
    if from_text(check, node, operation, fn):
        return
    if changed_by_numpy(node, fn) is not None:
        check.refuse(node, "this call writes into an array that it is given, which is not known to be a variable, "
                     "or a row or a slice of one", "a store of its value: c[...] = ...")
        return
    if isinstance(fn, type) and is_user_class(fn) and hasattr(fn, "__del__") and id(node) not in check.said:
        check.refuse(node, f"{fn.__name__}.__del__ runs when Python lets go of this object, and the derivative may do "
                     "that at another time", "a method that is called where its effect is wanted")
        return
    if id(node) in check.said and updated_dict(gast.Expr(node), check.made) is not None:
        return
    if fn is functools.partial and active and operation.kind == "unknown" \
            or operation.kind == "container" and (is_partial(node) or check.scope.effects(node).calls) \
            and check.active(node.args[0]):
        _partial(check, node)
        return
    if operation.kind in ("container", "replaced") or id(node) in check.looped \
            or fn is sorted and any(id(arg) in check.looped for arg in node.args[:1]):
        return
    if isinstance(node.func, gast.Attribute) and check.scope.value(getattr(node.func.value, "func", node)) is super:
        return                                             # super() itself says why
    if operation.kind == "each" or any(
            fn is one for one in (runtime.check_helpers, runtime.check_constants, runtime.check_matrices,
                                  runtime.insert_grad_of)):
        return
    grown = inner_append(gast.Expr(node))
    if grown is not None and is_inner(check, grown) and id(node) in check.said:
        return
    if _appends(node, check.scope):
        if id(node) not in check.alone:
            _grows(check, node)
        return
    if operation.kind == "rule" and operation.rule is not None:
        _with_rule(check, node, operation.rule, operation.args, active)
        return
    if operation.kind == "function":
        _of_user(check, node, operation.fn, args, active)
        return
    if is_formatted(node):
        return
    if active and _draws(check, node, fn):
        return
    if operation.kind == "dynamic" and (active or check.active(node.func) or hasattr(node, "of_object")):
        if id(node) in check.said and any(is_memory(check.scope, arg, check.plain) for arg in args):
            called = check.text(node.func).partition("(")[0]
            check.refuse(node, f"{called} is known only when the function runs: it may change its arguments, "
                         "and its result is not used", f"let {called} return the new value, and assign it",
                         unknown=KIND)
        return                                             # it is judged when it is called
    _of_others(check, node, operation, fn, args, active)


def _of_others(check: Check, node: gast.Call, operation: Operation, fn: Any, args: list[gast.expr],
               active: bool) -> None:
    """A call of what has no row and is no function of the user."""
    if isinstance(fn, types.BuiltinFunctionType) and not changes_nothing(fn, check.fence.is_clean):
        check.fence.changing.append((check, node, fn))     # G.fill under a name of its own
    if (words := _hopeless(check, node, fn, active)) is not None:
        check.refuse(node, *words)
        return
    if active and isinstance(fn, type) and is_user_class(fn):
        _object(check, node, fn)
        return
    harmless = not is_opaque(node, check.scope, check.fence.is_clean, check.names)
    if active and not (harmless and (only_tells(fn) or any(fn is one for one in PASSED_ON))):
        if (use := _object_with_method(check, node)) is not None:
            check.fence.refusals += [use] if use not in check.fence.refusals else []
        elif id(node) not in check.told \
                and not (operation.why == STARRED and any(k.arg is None for k in node.keywords)):  # said before
            check.refuse(node, operation.why, _instead(check, node, operation),
                         unknown=KEYS if operation.why == STARRED else KIND if _is_method(check, node) else "")
            check.told.update(id(arg) for arg in node.args if isinstance(arg, gast.Starred))
    elif not harmless and isinstance(fn, functools._lru_cache_wrapper):
        check.fence.changing.append((check, node, fn))     # it takes what has a hash, and no array, list or dict has
    elif not harmless and any(is_memory(check.scope, arg, check.plain) for arg in args):
        _opaque(check, node)


def _is_method(check: Check, node: gast.Call) -> bool:
    """A method of what nobody knows beforehand."""
    return isinstance(node.func, gast.Attribute) and check.scope.value(node.func.value) is MISSING


def _hopeless(check: Check, node: gast.Call, fn: Any, active: bool) -> tuple[str, str] | None:
    """Why a call of a builtin, or of an exception, is refused, and the remedy."""
    if any(fn is one for one in HIDDEN):
        return hidden(fn)
    strict = [keyword.value for keyword in node.keywords if keyword.arg == "strict"]
    if fn is zip and active and any(not isinstance(value, gast.Constant) or value.value for value in strict):
        return "zip(strict=True) also compares lengths, which is not done where items are differentiated", \
            "zip without strict, and an assert that the lengths are the same"
    if only_tells(fn) and active and id(node) not in check.said:
        return f"{fn.__name__} returns None, and its result is used", f"{fn.__name__}(...) on a line of its own"
    if active and (fn is set or fn is frozenset):
        return WORDS["SetComp"][0], "a list or a tuple"
    if active and isinstance(fn, type) and issubclass(fn, BaseException):
        return "an exception is made of something that is differentiated, and may be read where it is caught", \
            f"a text in the exception, {check.text(node.func)}(f'...'), and the number in a variable of its own"
    return None


def _with_rule(check: Check, node: gast.Call, rule: Rule, args: Mapping[str, Any], active: bool) -> None:
    """A call of what has a row in the table. args: by parameter."""
    for key in keys_of(node) if isinstance(node.func, gast.Attribute) and check.active(node.func.value) else ():
        check_key(check, key)
    if not rule.supported and active:
        check.refuse(node, f"{rule.name} is not differentiated: {rule.because}", rule.instead)
    if active and "dtype" in args and is_object(check, args["dtype"]):
        check.refuse(node, "this makes an array of objects, whose items compute in their own way",
                     "a list, or an array of floats")
    side = rule.push if check.fence.mode == "forward" else rule.pull
    for name in rule.active_params:
        if rule.supported and name not in side and name in args and check.active(args[name]):
            what, word = ("tangent", "adjoint") if check.fence.mode == "forward" else ("adjoint", "tangent")
            mode = "forward" if check.fence.mode == "forward" else "reverse"
            check.refuse(node, f"{mode} mode needs the {what} of {rule.name}, and it has a rule for its {word} only",
                         f"a rule for its {what} too: @tnb.{what}({rule.name})")
    settings = set() if rule.name.startswith("rt.") or not rule.active_params \
        else rule.nondiff - {"key", rule.params[0]}
    if "key" in args and rule.breaks is by_key and not _is_pure_key(check, args["key"]):
        check.told.add(id(args["key"]))
        check.refuse(args["key"], "the derivative may call this key again, and it may do more than compute its result",
                     "a key that only computes: no print, no list that grows, no assignment")
    check_refused(check, node, rule, args, settings)


def check_refused(check: Check, node: gast.Call, rule: Rule, args: Mapping[str, Any],
                  settings: AbstractSet[str] = frozenset()) -> None:
    """Refuse a call by the arguments of which its row has no derivative. settings: more of them."""
    for name in sorted(rule.refused | settings):
        if name in args and check.active(args[name]):
            func = node.func
            if name in settings and isinstance(func, gast.Attribute) and args.get(rule.params[0]) is func.value:
                base = check.text(func.value)
                check.refuse(node, f"{base}.{func.attr}(...) is taken for a method of an array, "
                             f"since it is not known beforehand what {base} is",
                             f"np.{func.attr}(...), with numpy imported under a name outside", unknown=KIND)
                return
            check.refuse(args[name], f"{rule.name} has no derivative by its argument {name}", rule.remedies.get(name)
                         or f"tnb.stop_gradient({check.text(args[name])}), if it is meant as a constant")


def _of_user(check: Check, node: gast.Call, fn: Any, args: list[gast.expr], active: bool) -> None:
    """A call of a function of the user."""
    if active and is_ours(fn):
        given = next((arg for arg in args if check.active(arg)), node)
        check.refuse(node, *of_closure(fn, check.text(given)))
    elif active and (hasattr(node, "inert") or id(node) in check.said and check.fence.is_clean(fn)):
        node.inert = True
        check.fence.throwing.append((check, node, fn))
    elif active:
        _callee(check, node, fn)
        if id(node) not in check.carrying and not check.fence.is_clean(fn):
            check.fence.lost.append((check, node, fn))
    elif fn not in OPERATORS and is_opaque(node, check.scope, check.fence.is_clean, check.names):
        if any(is_memory(check.scope, arg, check.plain) for arg in check.fence.changed_by(node, fn)):
            _opaque(check, node)
        elif not is_ours(fn):                              # to make a derivative changes nothing of the user's
            check.fence.changing.append((check, node, fn))


def _is_pure_key(check: Check, node: Any) -> bool:
    """The key of `sorted`, `max` or `min` is a function that only computes."""
    if isinstance(node, gast.Lambda):
        return is_pure(node.body, check.scope)
    fn = check.scope.value(node)
    if fn is MISSING or isinstance(node, gast.Constant):
        return isinstance(node, (gast.Constant, gast.Call)) or isinstance(node, gast.Attribute) and node.attr == "get"
    if not isinstance(fn, types.FunctionType):
        return True
    try:
        captured = check.fence.capture(fn)
    except RefusedError:
        return False
    return all(is_pure(part, Scope.of(captured)) for stmt in captured.tree.body for part in expressions(stmt)) \
        and not attributes_assigned(captured.tree.body)


def _object(check: Check, node: gast.Call, cls: type) -> None:
    """An object that stays one, and is none of what is a container."""
    use = check.fence.uses.get((check.captured.fn, cls))
    if not _takes(cls, node):
        check.refuse(node, f"{cls.__name__} does not take these arguments: Python would raise a TypeError here",
                     f"the arguments that {cls.__name__} takes")
    elif use is None:
        check.refuse(node, f"objects of class {cls.__name__} are not differentiated, and this one is made "
                     "of something that is", "numbers, arrays, or an object of a plain dataclass or a named tuple")
    elif use not in check.fence.refusals:
        check.fence.refusals.append(use)


def _partial(check: Check, node: gast.Call) -> None:
    called = check.text(node.args[0]) if node.args else "nothing"
    if check.scope.value(node.func) is not functools.partial:
        check.refuse(node, f"{called} is called where a key is missing, and depends on what is differentiated",
                     "a dict, and d.setdefault(key, ...) where a key may be missing")
        return
    check.refuse(node, f"functools.partial is given {called}, and what that is, is known only when the function runs",
                 f"a lambda that calls it: lambda t: {called}(..., t)")


def check_opaque(check: Check, node: gast.Call) -> None:
    """Refuse a call that may change what carries a derivative, or put it into something, inside of an expression that
    stays as it is."""
    given = map(check.active, [getattr(node.func, "value", node), *node.args, *(k.value for k in node.keywords)])
    if is_opaque(node, check.scope, check.fence.is_clean) and any(given):
        _grows(check, node) if _appends(node, check.scope) else _opaque(check, node)


def _grows(check: Check, node: gast.Call) -> None:
    check.refuse(node, f".{node.func.attr} changes a list in the middle of an expression",
                 f"{check.text(node)} on a line of its own")


def _opaque(check: Check, node: gast.Call) -> None:
    fn = check.scope.value(node.func)
    own = method_outside(node, check.scope)
    given = [*node.args, *(k.value for k in node.keywords)]
    if own is not None and not any(is_memory(check.scope, one, check.plain) for one in given):
        check.fence.changing.append((check, node, own))    # CACHE.update(n=1)
        return
    if fn is functools.partial:
        bound = check.scope.value(node.args[0]) if node.args else None
        if not isinstance(bound, types.FunctionType) or not check.fence.is_clean(bound):
            _partial(check, node)
        return
    base = node.func.value if isinstance(node.func, gast.Attribute) else None
    changed = "its arguments" if base is None or isinstance(check.scope.value(base), types.ModuleType) \
        else check.text(base)
    check.refuse(node, f"{check.text(node.func)} may change {changed}, {told_by(check.fence, fn)}",
                 "call it outside of the function, and pass its result as an argument",
                 unknown=KIND if check.scope.operation(node).kind == "dynamic" else "")


def _resolved(check: Check, node: gast.Call) -> Operation:
    operation = check.scope.operation(node)
    if operation.kind == "function" and is_library(operation.fn):
        return Operation("unknown", fn=operation.fn,
                         why=f"{full_name(operation.fn)} has no derivative rule")
    return operation


def _draws(check: Check, node: gast.Call, fn: Any) -> bool:
    """A draw from a distribution that depends on what is differentiated, or one that writes into it."""
    base = node.func.value if isinstance(node.func, gast.Attribute) else None
    made = isinstance(base, gast.Call) and makes_generator(check.scope.value(base.func))
    if not (of_generator(fn) or hasattr(node, "draws") or made or isinstance(check.scope.value(base), DRAWING)):
        return False
    check.refuse(node, f"what {check.text(node.func)} draws has no derivative by what it is drawn from",
                 without_parameters(node.func, check.text(base or node.func), getattr(fn, "__self__", None)))
    return True


def _callee(check: Check, node: gast.Call, fn: Any) -> None:
    try:
        captured = (check.fence.differentiated or check.fence.capture)(fn)
    except RefusedError as error:
        first = error.refusals[0]
        if first.span is None or first.span != check.span(node):
            check.refuse(node, f"{getattr(fn, '__name__', 'it')} is called, and {first.why}", first.remedy)
        check.fence.refusals.extend(r for r in error.refusals if r.span is not None and r not in check.fence.refusals)
        return
    if (place := refused_always(captured.tree.body)) is not None:
        check.fence.refused.add(fn)
        check.refuse(node, f"{captured.name} is called, and {place.why}", place.remedy, place)
        return
    if starred_parameters(captured.tree) \
            and any(check.active(arg) for arg in [*node.args, *(k.value for k in node.keywords)]):
        check.refuse(node, f"{captured.name} takes any number of arguments (* or **), and how many are given here is "
                     "not known beforehand", f"names for the parameters of {captured.name}")
        return
    parameters = parameter_names(captured.tree)
    bound = bind(captured, node)
    active = [name for name, arg in (bound or {}).items() if check.active(arg)]
    depths = depths_given(captured, bound, check.nesting) if check.fence.steady else ()
    check.fence.ask(captured, tuple(name for name in parameters if name in active), depths)


def _object_with_method(check: Check, node: gast.Call) -> Refusal | None:
    """Why an object is none here, of the class whose method this call seems to be."""
    if not isinstance(node.func, gast.Attribute) or check.scope.value(node.func) is not MISSING \
            or hasattr(np.ndarray, node.func.attr):
        return None
    return next((use for (fn, cls), use in check.fence.uses.items()
                 if fn is check.captured.fn and hasattr(cls, node.func.attr)), None)


def _instead(check: Check, node: gast.Call, operation: Operation) -> str:
    """What to write for a call without a rule."""
    if isinstance(node.func, gast.Attribute) and check.scope.value(node.func) is MISSING and "method" in operation.why:
        return _unfrozen(check, node.func, node) or "a function of NumPy, or one of your own, that computes the same"
    if " meant?" in operation.why:
        return operation.why.partition(": is ")[2].removesuffix(" meant?")
    if operation.why.endswith("from outside of the function"):
        return "return the value, and keep it where the function is called"
    if operation.why == STARRED:
        return "the arguments one by one"
    if "not called so" in operation.why:
        return "a call of this form, and its result assigned"
    near = nearest(f"{getattr(operation.fn, '__module__', '')}.{getattr(operation.fn, '__name__', '')}")
    return f"{near or 'a function of NumPy'}, or one of your own; or a rule for it: @tnb.adjoint"


def _unfrozen(check: Check, method: gast.Attribute, node: gast.Call) -> str:
    """The call of a distribution of SciPy that is the same as one of the distribution with its parameters,
    which is made here."""
    made = method.value
    if not isinstance(made, gast.Call) or not type(check.scope.value(made.func)).__module__.startswith("scipy.stats."):
        return ""
    given = [*map(check.text, [*node.args, *made.args]),
             *[f"{one.arg}={check.text(one.value)}" for one in [*node.keywords, *made.keywords]]]
    return f"{check.text(made.func)}.{method.attr}({', '.join(given)})"


def _takes(cls: type, node: gast.Call) -> bool:
    """A class can be called so, as far as that is written down."""
    if any(isinstance(arg, gast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
        return True
    try:
        signature = inspect.signature(cls)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*node.args, **{k.arg: k.value for k in node.keywords})
    except TypeError:
        return False
    return True


def _appends(node: gast.Call, scope: Scope) -> bool:
    func = node.func
    return isinstance(func, gast.Attribute) and (
        mutation(gast.Expr(node)) is not None and isinstance(func.value, gast.Name) and func.value.id in scope.local
        or func.attr == "add_at" and scope.value(func) is runtime.add_at)
