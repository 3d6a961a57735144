"""Calls: those with a row, of functions of the user, of classes, and the rest, which is let through where no derivative is at stake."""
from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from typing import Any

import gast

from ... import runtime
from ...errors import RefusedError
from ...rules import Rule
from ...syntax.nodes import parameter_names, reads, starred_parameters, unparse, writes
from ...syntax.program import MISSING
from ..displays import is_partial
from ..effects import is_pure, opaque_calls
from ..flow import inner_append, mutation
from ..libraries import is_library, is_user_class
from ..records import updated_dict
from ..resolve import STARRED, Operation, Scope, bind, is_formatted
from .state import Check
from .statements import is_inner
from .texts import from_text
from .trees import expressions
from .words import WORDS

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
    if id(node) in check.said and updated_dict(gast.Expr(node), check.made) is not None:
        return
    if operation.kind == "container" and is_partial(node) and check.active(node.args[0]):
        check.refuse(node, "functools.partial binds a function that carries a derivative itself, and is not known beforehand",
                     "a lambda that calls it: lambda t: g(x, t)")
        return
    if operation.kind in ("container", "replaced") or id(node) in check.looped or fn is sorted and id(node.args[0]) in check.looped:
        return
    if operation.kind == "each" or fn is runtime.check_helpers or fn is runtime.insert_grad_of:
        return
    grown = inner_append(gast.Expr(node))
    if grown is not None and is_inner(check, grown) and id(node) in check.said:
        return
    if _appends(node, check.scope):
        if id(node) not in check.alone:
            check.refuse(node, f"a list changes (.{node.func.attr}) inside of an expression", "a line of its own for it")
        return
    if operation.kind == "rule" and operation.rule is not None:
        _with_rule(check, node, operation.rule, operation.args, active)
        return
    if operation.kind == "function":
        _of_user(check, node, operation.fn, args, active)
        return
    strict = [keyword.value for keyword in node.keywords if keyword.arg == "strict"]
    if fn is zip and active and any(not isinstance(value, gast.Constant) or value.value for value in strict):
        check.refuse(node, "zip(strict=True) also compares lengths, which is not done where items are differentiated",
                     "zip, and an assert of the lengths")
        return
    if is_formatted(node):
        return
    if operation.kind == "dynamic" and (active or check.active(node.func)):
        if id(node) in check.said and any(_memory(check, arg) for arg in args):
            check.refuse(node, "what is called is known when it is called, may change what it is given, and its result is not used",
                         "return the new value instead, and assign it")
        return                                             # it is judged when it is called
    if any(fn is one for one in HIDDEN):
        check.refuse(node, *_hidden(fn))
        return
    if fn is print and active and id(node) not in check.said:
        check.refuse(node, "print returns None, and its result is used", "print(...) on a line of its own")
        return
    if active and (fn is set or fn is frozenset):
        check.refuse(node, WORDS["SetComp"][0], "a list or a tuple")
        return
    if active and isinstance(fn, type) and issubclass(fn, BaseException):
        check.refuse(node, "an exception is made of something that is differentiated, and may be read where it is caught",
                     "a text of it: f'...', and the number in a variable of its own")
        return
    if active and isinstance(fn, type) and is_user_class(fn):
        _object(check, node, fn)
        return
    harmless = not opaque_calls(node, check.scope, check.fence.is_clean)
    if active and not (harmless and _is_statement_or_plain(node, fn)):
        check.refuse(node, operation.why or "this call is not known", _instead(operation))
    elif not harmless and any(_memory(check, arg) for arg in args):
        _opaque(check, node)


def _with_rule(check: Check, node: gast.Call, rule: Rule, args: Mapping[str, Any], active: bool) -> None:
    """A call of what has a row in the table. args: by parameter."""
    if not rule.supported and active:
        check.refuse(node, f"{rule.name} is not differentiated: {rule.because}", rule.instead)
    side = rule.push if check.fence.mode == "forward" else rule.pull
    for name in rule.active_params:
        if rule.supported and name not in side and name in args and check.active(args[name]):
            what, word = ("tangent", "adjoint") if check.fence.mode == "forward" else ("adjoint", "tangent")
            check.refuse(node, f"{rule.name} has a rule for its {word}, and none for its {what}", f"@tnb.{what} too")
    settings = set() if rule.name.startswith("rt.") or not rule.active_params \
        else rule.nondiff - {"key", rule.params[0]}
    if "key" in args and rule.name in ("sorted", "max", "min") and not _is_pure_key(check, args["key"]):
        check.refuse(args["key"], "the key is asked again in the backward pass, and it may do more than compute",
                     "a key that only computes, or the keys in a list first")
    for name in sorted(rule.refused | settings):
        if name in args and check.active(args[name]):
            func = node.func
            if name in settings and isinstance(func, gast.Attribute) and args.get(rule.params[0]) is func.value:
                base = unparse(func.value)
                check.refuse(node, f"{base}.{func.attr}(...) is taken for a method of an array, since it is not known beforehand what {base} is",
                             f"np.{func.attr}(...), with numpy imported under a name outside")
                return
            check.refuse(args[name], f"{rule.name} is not differentiated by its argument {name}",
                         "tnb.stop_gradient(...) around it, if it is meant as a constant")


def _of_user(check: Check, node: gast.Call, fn: Any, args: list[gast.expr], active: bool) -> None:
    """A call of a function of the user."""
    if active:
        _callee(check, node, fn)
        if id(node) not in check.carrying and not check.fence.is_clean(fn):
            check.refuse(node, f"{getattr(fn, '__name__', 'it')} may change what it is given, and its result is not used "
                         "for its value", "return the new value instead, and assign it")
    elif opaque_calls(gast.Call(node.func, [], []), check.scope, check.fence.is_clean) and any(_memory(check, arg) for arg in args):
        _opaque(check, node)


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
    return all(is_pure(part, Scope(captured.namespace, writes(captured.tree))) for stmt in captured.tree.body for part in expressions(stmt))


def _object(check: Check, node: gast.Call, cls: type) -> None:
    """An object that stays one, and is none of what is a container."""
    use = check.fence.uses.get((check.captured.fn, cls))
    if not _takes(cls, node):
        check.refuse(node, f"{cls.__name__} does not take these arguments", "a call that Python accepts")
    elif use is None:
        check.refuse(node, f"an object of class {cls.__name__} is made here, which is not differentiated as a value",
                     "numbers, arrays, or an object of a plain dataclass or a named tuple")
    elif use not in check.fence.refusals:
        check.fence.refusals.append(use)


def _opaque(check: Check, node: gast.Call) -> None:
    fn = check.scope.value(node.func)
    if "random" in f"{getattr(fn, '__module__', '')}.{getattr(fn, '__qualname__', '')}".lower():
        check.refuse(node, "this call draws random numbers, and changes what the next one draws",
                     "draw outside, and pass the numbers as an argument")
        return
    check.refuse(node, "this call may change what it is given, and its text does not say so",
                 "call it outside, and pass the result as an argument")


def _memory(check: Check, node: gast.expr) -> bool:
    """The argument may be something that a call can change."""
    if isinstance(node, (gast.Constant, gast.BinOp, gast.Compare, gast.JoinedStr)):
        return False
    if isinstance(check.scope.value(node), types.FunctionType):
        return False                                       # a function by its name
    operation = check.scope.operation(node)
    if operation.kind == "rule" and operation.rule is not None and operation.rule.memory == "fresh":
        return False
    return bool(reads(node))


def _is_statement_or_plain(node: gast.Call, fn: Any) -> bool:
    return fn is print or fn in (zip, enumerate, reversed, list, tuple) if isinstance(fn, type) or fn is print else False


def _resolved(check: Check, node: gast.Call) -> Operation:
    operation = check.scope.operation(node)
    if operation.kind == "function" and is_library(operation.fn):
        return Operation("unknown", fn=operation.fn, why=f"{operation.fn.__module__}.{operation.fn.__name__} has no rule")
    return operation


def _callee(check: Check, node: gast.Call, fn: Any) -> None:
    try:
        captured = check.fence.capture(fn)
    except RefusedError as error:
        first = error.refusals[0]
        check.refuse(node, f"{getattr(fn, '__name__', 'it')} is called, and {first.why}", first.remedy)
        check.fence.refusals.extend(r for r in error.refusals if r.span is not None and r not in check.fence.refusals)
        return
    if starred_parameters(captured.tree) and any(check.active(arg) for arg in [*node.args, *(k.value for k in node.keywords)]):
        check.refuse(node, f"{captured.name} takes any number of arguments (* or **), and is called in a way that is not known beforehand",
                     "name the parameters")
        return
    parameters = parameter_names(captured.tree)
    active = [name for name, arg in (bind(captured, node) or {}).items() if check.active(arg)]
    check.fence.ask(captured, tuple(name for name in parameters if name in active))


def _hidden(fn: Any) -> tuple[str, str]:
    """Why a call of one of HIDDEN is refused, and the remedy."""
    if fn in (eval, exec, compile, __import__):
        return f"{fn.__name__} runs what cannot be seen here", "its text as a statement or an expression of the function"
    if fn is super:
        return "what super() means here is not known beforehand", "the method by its class: Base.method(self, ...)"
    return f"{fn.__name__} reaches variables by their names, which cannot be seen here", "the variables or attributes themselves: x, obj.x"


def _instead(operation: Operation) -> str:
    """What to write for a call without a rule."""
    if operation.why.endswith("from outside of the function"):
        return "return the value, and keep it where the function is called"
    if operation.why == STARRED:
        return "the arguments one by one"
    if "not called so" in operation.why:
        return "a call of this form, and its result assigned"
    return "a function of NumPy, or one of your own; or a rule for it: @tnb.adjoint"


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
