"""Calls of functions that are known, with all that they are bound to and given.

A function that is given functions, or any number of arguments, is specialized for them: the functions stand in its text by name, and the
arguments have names of their own. N. Jones, C. Gomard, P. Sestoft, "Partial Evaluation and Automatic Program Generation" (1993), chapter 4.

    def twice(g, t):                  def twice(t, *, g_w):
        return g(g(t))        →           return g(g(t, w=g_w), w=g_w)
    twice(lambda v: v * w, x)         twice(x, g_w=w)
"""
from __future__ import annotations

import collections
import inspect
import types
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from ..analyse.fence import is_library
from ..errors import Refusal, RefusedError
from ..rules import lookup, lookup_method
from ..syntax.nodes import assign, clone, constant, library, load, parameter, root_name, store, tuple_of
from ..syntax.program import MISSING, Namespace
from . import comprehensions, functions, inlining, objects
from .reader import Unit
from .scopes import FUNCTIONS, bindings
from .values import FunctionValue, Meaning, has_row, is_cached, is_callable_value, is_user_object, member_of

if TYPE_CHECKING:
    from .statements import Desugar


def meaning(desugar: Desugar, node: Any) -> Meaning | None:
    """What to write for a call, where it is sugar."""
    found = comprehensions.consumed(desugar, node)
    if found is not None:
        return found
    func = node.func
    if isinstance(func, gast.Lambda) or isinstance(func, gast.Name) and func.id in desugar.functions and not getattr(func, "made", False) \
            or isinstance(func, gast.Call) and functions.is_value(desugar, func):
        return Meaning(lambda: write(desugar, node), hoists=_hoists(desugar, node))
    value = desugar.object(func) if isinstance(func, (gast.Name, gast.Attribute)) else MISSING
    if getattr(func, "made", False):
        return None
    if value is not MISSING and isinstance(func, gast.Attribute) and is_callable_value(value) \
            and desugar.namespace.resolve(func, desugar.local) is MISSING and (has_row(value) or isinstance(value, types.FunctionType)):
        return Meaning(lambda: write(desugar, node), hoists=_hoists(desugar, node))
    if isinstance(value, types.FunctionType) and not has_row(value):
        if of_library(value) or not specializes(desugar, value, node) and not any(objects._mentions(desugar, a) for a in [
                *node.args, *(k.value for k in node.keywords)]):
            return None
        return Meaning(lambda: write(desugar, node), hoists=_hoists(desugar, node))
    if has_row(value):
        return Meaning(lambda: write(desugar, node)) if _starred(node) else None
    if is_callable_value(value) and not isinstance(value, type) and (is_user_object(value) or is_cached(value) or not callable_builtin(value)) \
            or value is MISSING and functions.method_value(desugar, func) is not None:
        return Meaning(lambda: write(desugar, node), hoists=_hoists(desugar, node))
    if value is MISSING and isinstance(func, gast.Attribute) and is_method_of_an_object(desugar, func) and not _starred(node):
        return Meaning(lambda: _method_when_called(desugar, node))
    if not isinstance(func, (gast.Name, gast.Attribute)) and not _starred(node) and _carries(desugar, node):
        return Meaning(lambda: _function_when_called(desugar, node))
    return None


def is_method_of_an_object(desugar: Desugar, func: gast.Attribute) -> bool:
    """`obj.name` may be a method of a class of the user: no array, number, container or text has one of this name."""
    if any(hasattr(kind, func.attr) for kind in (np.ndarray, list, dict, tuple, str, set, float, collections.deque)) \
            or func.attr in ("_replace", "_asdict") or lookup_method(func.attr) is not None:
        return False
    root = root_name(func.value)
    if root is None or root not in desugar.local:
        return False
    return desugar.carries(func.value) or any(desugar.carries(arg) for arg in ast_arguments(desugar, func))


def ast_arguments(desugar: Desugar, func: gast.Attribute) -> list[gast.expr]:
    """The arguments of the call whose function this is."""
    for node in gast.walk(desugar.tree):
        if isinstance(node, gast.Call) and node.func is func:
            return [*node.args, *(k.value for k in node.keywords)]
    return []


def _carries(desugar: Desugar, node: gast.Call) -> bool:
    return any(desugar.carries(arg) for arg in [node.func, *node.args, *(k.value for k in node.keywords)])


def _method_when_called(desugar: Desugar, node: gast.Call) -> gast.expr:
    """`obj.name(x)` as a call of `rt.method("name")`, which asks the object when it is called."""
    func: Any = node.func
    base, *args = desugar.operands([func.value, *node.args, *(k.value for k in node.keywords)])
    name = desugar.kept(library("rt.method(n)", n=constant(func.attr)), func.attr)
    count = len(node.args)
    keywords = [gast.keyword(k.arg, v) for k, v in zip(node.keywords, args[count:], strict=True)]
    made = gast.copy_location(gast.Call(load(name), [base, *args[:count]], keywords), node)
    made.of_object = True
    return made


def _function_when_called(desugar: Desugar, node: gast.Call) -> gast.expr:
    """`table[name](x)`: the function under a name, and its call."""
    func, *args = desugar.operands([node.func, *node.args, *(k.value for k in node.keywords)])
    count = len(node.args)
    if not isinstance(func, gast.Name):
        func = load(desugar.kept(func, "function"))
    keywords = [gast.keyword(k.arg, v) for k, v in zip(node.keywords, args[count:], strict=True)]
    return gast.copy_location(gast.Call(func, args[:count], keywords), node)


def of_library(fn: types.FunctionType) -> bool:
    """A function whose text is not looked into."""
    return is_library(fn) or (fn.__module__ or "").partition(".")[0] == "tangent_nb"


def callable_builtin(value: Any) -> bool:
    return isinstance(value, (types.BuiltinFunctionType, types.FunctionType))


def _starred(node: gast.Call) -> bool:
    return any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)


def _hoists(desugar: Desugar, node: gast.Call) -> bool:
    """A star in the call, or a lambda with defaults, needs statements before it."""
    if isinstance(node.func, gast.Name) and node.func.id in desugar.functions and desugar.functions[node.func.id].in_place:
        return True
    return any(isinstance(a, gast.Starred) and not isinstance(a.value, (gast.Tuple, gast.List)) for a in node.args) \
        or any(isinstance(part, gast.Lambda) and (part.args.defaults or part.args.kw_defaults) for part in gast.walk(node)) \
        or any(isinstance(part, gast.Call) and part is not node and functions.is_value(desugar, part) for part in gast.walk(node))


def attribute(desugar: Desugar, node: gast.Attribute) -> Meaning | None:
    """`obj.prop`, where the object is known, is a call of what computes it."""
    base = desugar.object(node.value)
    if base is MISSING or isinstance(base, (types.ModuleType, type)) or not is_user_object(base) \
            or node.attr in getattr(base, "__dict__", {}):
        return None
    found = member_of(type(base), node.attr)
    if found is None or found[0] != "property":
        return None

    def made() -> gast.expr:
        desugar.assume(gast.Attribute(clone(node.value), "__class__", gast.Load()), type(base))
        if inlining.inlines(desugar, found[1]):
            return inlining.inline(desugar, found[1], [node.value], {})
        return FunctionValue(found[1], desugar.cell(found[1], node.attr), (node.value,)).call([], [])

    return Meaning(made)


def write(desugar: Desugar, node: gast.Call) -> gast.expr:
    value = functions.value_of(desugar, node.func)
    if value is None:
        raise _cannot(desugar, node)
    args, keywords = evaluated(desugar, node)
    return finished(desugar, value, args, keywords, node)


def _cannot(desugar: Desugar, node: gast.Call) -> RefusedError:
    return RefusedError(desugar.captured.name, [Refusal(functions.span(desugar, node.func), "this function cannot be read where it stands",
                                                        "define it outside")])


def evaluated(desugar: Desugar, node: gast.Call) -> tuple[list[Any], list[Any]]:
    """The arguments of a call in the core language; functions among them stay as they are."""
    nodes: list[Any] = [*node.args, *(k.value for k in node.keywords)]
    kept = {i: one for i, one in enumerate(nodes) if functions.is_value(desugar, one)}
    stars = {i for i, one in enumerate(nodes) if isinstance(one, gast.Starred)}
    plain = [one.value if i in stars else constant(None) if i in kept else one for i, one in enumerate(nodes)]
    done = desugar.operands(plain)
    for i, one in enumerate(done):
        nodes[i] = kept[i] if i in kept else gast.Starred(one, gast.Load()) if i in stars else one
    count = len(node.args)
    return nodes[:count], [gast.keyword(k.arg, v) for k, v in zip(node.keywords, nodes[count:], strict=True)]


def finished(desugar: Desugar, value: FunctionValue, args: list[Any], keywords: list[Any], like: Any) -> gast.expr:
    """A call of a function value with evaluated arguments."""
    if value.fn in (max, min) and any(isinstance(a, gast.Starred) for a in args):
        return desugar.expr(desugar._at(gast.Call(value.func, [gast.List(args, gast.Load())], keywords)))
    args = spread(desugar, value, args, keywords)
    if value.in_place:
        if not inlining.inlines(desugar, value.fn) or any(k.arg is None for k in keywords):
            raise _cannot(desugar, like)
        return inlining.inline(desugar, value.fn, args, {k.arg: k.value for k in keywords}, around=True)
    node = value.call(args, keywords)
    gast.copy_location(node, like)
    fn = value.fn
    if any(isinstance(one, gast.Name) and one.id in desugar.objects for one in [*node.args, *(k.value for k in node.keywords)]) \
            and not has_row(fn) and inlining.inlines(desugar, fn) and not any(isinstance(a, gast.Starred) for a in node.args):
        return inlining.inline(desugar, fn, node.args, {k.arg: k.value for k in node.keywords})
    if has_row(fn) or not isinstance(fn, types.FunctionType) or fn not in desugar.reader.made and of_library(fn):
        return node
    try:
        unit = desugar.reader.unit(fn)
    except RefusedError:
        return node
    shape = shape_of(desugar, unit, node)
    return node if shape is None else specialized(desugar, fn, unit, shape)


def spread(desugar: Desugar, value: FunctionValue, args: list[Any], keywords: list[Any]) -> list[Any]:
    """Arguments with a star, one by one, where their number is known."""
    done: list[Any] = []
    for i, arg in enumerate(args):
        if not isinstance(arg, gast.Starred):
            done.append(arg)
        elif isinstance(arg.value, (gast.Tuple, gast.List)):
            done.extend(arg.value.elts)
        else:
            count = _missing(desugar, value, len(done) + len(args) - i - 1, keywords)
            if count is None or any(isinstance(other, gast.Starred) for other in args[i + 1:]):
                done.append(arg)
                continue
            names = [desugar.temporary("argument") for _ in range(count)]
            target = tuple_of(map(store, names), write=True)
            desugar.emit(gast.Assign([target], arg.value, None))
            done.extend(map(load, names))
    return done


def _missing(desugar: Desugar, value: FunctionValue, given: int, keywords: list[Any]) -> int | None:
    """How many positional arguments a star has to stand for; None where that is not certain."""
    rule = lookup(value.fn) if has_row(value.fn) else None
    if rule is not None:
        required = [p for p in rule.signature.parameters.values() if p.default is inspect.Parameter.empty]
        return len(required) - given - len(value.first) if len(required) == len(rule.signature.parameters) or rule.fn is not None else None
    try:
        tree = desugar.reader.unit(value.fn).captured.tree
    except RefusedError:
        return None
    if tree.args.vararg is not None or tree.args.defaults:
        return None
    names = {k.arg for k in keywords} | {k for k, _ in value.keywords}
    positional = [a.id for a in [*tree.args.posonlyargs, *tree.args.args] if a.id not in names]
    return max(len(positional) - given - len(value.first), 0)


MOST = 30              # texts of one function, each for other functions that it is given


@dataclass(frozen=True)
class Shape:
    """What a call gives that its callee is specialized for. plain: the arguments that stay, by parameter; known: parameters that are
    functions; extra: the arguments that its star takes, whole: one tuple of them; named: the keywords that its two stars take."""

    plain: dict[str, Any]
    known: dict[str, FunctionValue]
    extra: list[Any] = field(default_factory=list)
    whole: Any = None
    named: dict[str, Any] = field(default_factory=dict)


def specializes(desugar: Desugar, fn: Any, node: gast.Call) -> bool:
    """A function is given functions, stars, or more than it has names for."""
    try:
        tree = desugar.reader.unit(fn).captured.tree
    except RefusedError:
        return False
    if tree.args.vararg is not None or tree.args.kwarg is not None or _starred(node):
        return True
    return any(functions.is_value(desugar, arg) for arg in [*node.args, *(k.value for k in node.keywords)]) \
        or bool(_default_functions(desugar, fn, node))


def _default_functions(desugar: Desugar, fn: Any, node: gast.Call) -> dict[str, Any]:
    """The parameters of a function that are left to a default that is a function."""
    unit = desugar.reader.unit(fn)
    args = unit.captured.tree.args
    positional = [a.id for a in [*args.posonlyargs, *args.args]]
    defaults = {**dict(zip(positional[::-1], (unit.captured.defaults or ())[::-1], strict=False)), **(unit.captured.kwdefaults or {})}
    given = set(positional[:len(node.args)]) | {k.arg for k in node.keywords}
    if any(k.arg is None for k in node.keywords) or any(isinstance(a, gast.Starred) for a in node.args):
        return {}
    return {name: value for name, value in defaults.items() if name not in given and is_callable_value(value)}


def shape_of(desugar: Desugar, unit: Unit, node: gast.Call) -> Shape | None:
    """How a call fills the parameters of a function; None where it can stay as it is."""
    args = unit.captured.tree.args
    positional = [a.id for a in [*args.posonlyargs, *args.args]]
    plain: dict[str, Any] = {}
    extra: list[Any] = []
    whole: Any = None
    rest = list(node.args)
    for name in positional:
        if rest and not isinstance(rest[0], gast.Starred):
            plain[name] = rest.pop(0)
        else:
            break
    if any(isinstance(one, gast.Starred) for one in rest):
        if args.vararg is None or len(plain) < len(positional):
            return None
        whole = rest[0].value if len(rest) == 1 else gast.Tuple(rest, gast.Load())
    elif rest and args.vararg is None:
        return None
    else:
        extra = rest
    named: dict[str, Any] = {}
    own_names = {a.id for a in [*args.args, *args.kwonlyargs]}
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in plain:
            return None
        if keyword.arg in own_names:
            plain[keyword.arg] = keyword.value
        elif args.kwarg is not None:
            named[keyword.arg] = keyword.value
        else:
            return None
    known: dict[str, FunctionValue] = {}
    for name, arg in list(plain.items()):
        if functions.is_value(desugar, arg) and only_called(unit.captured.tree, name):
            value = functions.value_of(desugar, arg)
            if value is not None:
                known[name] = value
                del plain[name]
    for name, default in _default_functions(desugar, unit.captured.fn, node).items() if unit.captured.fn not in desugar.reader.made else ():
        if only_called(unit.captured.tree, name):
            value = functions.of_object(desugar, default, desugar.cell(default, name))
            if value is not None:
                known[name] = value
    if not known and args.vararg is None and args.kwarg is None:
        return None
    return Shape(plain, known, extra, whole, named)


def only_called(tree: gast.FunctionDef, name: str) -> bool:
    """A parameter is never bound anew, and only called, passed on, or compared with None."""
    if len(bindings(tree).get(name, [])) != 1:
        return False
    fine: set[int] = set()
    for node in gast.walk(gast.Module(tree.body, [])):
        if isinstance(node, gast.Call):
            fine.add(id(node.func))
            fine.update(id(arg) for arg in [*node.args, *(k.value for k in node.keywords)])
        if isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (gast.Is, gast.IsNot)) \
                and isinstance(node.comparators[0], gast.Constant) and node.comparators[0].value is None:
            fine.add(id(node.left))
    return all(id(node) in fine for node in gast.walk(gast.Module(tree.body, [])) if isinstance(node, gast.Name) and node.id == name)


def specialized(desugar: Desugar, fn: Any, unit: Unit, shape: Shape) -> gast.expr:
    """The call of a function that is specialized for the functions and the number of arguments that it is given."""
    key = (fn, tuple((name, shape.known[name].shape) for name in sorted(shape.known)),
           len(shape.extra) if shape.whole is None else -1, tuple(sorted(shape.named)))
    bound = {name: [*one.first, *(v for _, v in one.keywords)] for name, one in shape.known.items()}
    known = desugar.reader.specialized.get(key)
    if known is None:
        known = _specialize(desugar, fn, unit, shape)
        desugar.reader.specialized[key] = known
    new, names, extras, keywords = known
    args = unit.captured.tree.args
    call_args = [shape.plain[a.id] for a in args.posonlyargs if a.id in shape.plain]
    pairs = {name: v for name, v in shape.plain.items() if name not in {a.id for a in args.posonlyargs}}
    call_args += [pairs.pop(a.id) for a in _leading(args.args, pairs)]
    given = [gast.keyword(name, v) for name, v in pairs.items()]
    if shape.whole is not None:
        given.append(gast.keyword(extras[0], desugar.expr(desugar._at(gast.Call(load("%tuple"), [shape.whole], [])))
                                  if not isinstance(shape.whole, gast.Tuple) else desugar.expr(shape.whole)))
    else:
        given += [gast.keyword(name, v) for name, v in zip(extras, shape.extra, strict=True)]
    given += [gast.keyword(keywords[name], v) for name, v in shape.named.items()]
    for name, exprs in bound.items():
        given += [gast.keyword(param, clone(v)) for param, v in zip(names[name], exprs, strict=True)]
    func = desugar.cell(new, new.__name__)
    func.made = True
    return gast.Call(func, call_args, given)


def _leading(params: Sequence[Any], given: dict[str, Any]) -> list[Any]:
    found = []
    for one in params:
        if one.id not in given:
            break
        found.append(one)
    return found


def _specialize(desugar: Desugar, fn: Any, unit: Unit, shape: Shape) -> tuple[Any, dict[str, list[str]], list[str], dict[str, str]]:
    captured = unit.captured
    written = captured.source.filename, captured.tree.lineno, captured.name
    desugar.reader.counts[written] = desugar.reader.counts.get(written, 0) + 1
    if desugar.reader.counts[written] > MOST:
        why = f"{captured.name} is given another function in each of its calls"
        raise RefusedError(captured.name, [Refusal(functions.span(desugar, desugar.place), why, "a loop, or numbers in place of functions")])
    tree = clone(captured.tree)
    taken = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)} | set(captured.namespace.cells)
    from ..syntax.names import Names
    names = Names(taken)
    args = tree.args
    defaults = dict(zip([a.id for a in [*args.posonlyargs, *args.args]][::-1], (captured.defaults or ())[::-1], strict=False))
    inside = dict(unit.functions)
    cells = dict(captured.namespace.cells)
    params: dict[str, list[str]] = {}
    for name, value in shape.known.items():
        first = [names.new(f"{name}_{i}") for i in range(len(value.first))]
        keyed = [names.new(f"{name}_{k}") for k, _ in value.keywords]
        params[name] = [*first, *keyed]
        cells[name] = types.CellType(value.fn)
        inside[name] = FunctionValue(value.fn, load(name), tuple(map(load, first)),
                                     tuple((k, load(p)) for (k, _), p in zip(value.keywords, keyed, strict=True)), value.params)
        tree.body = _settled(tree.body, name)
    args.posonlyargs = [a for a in args.posonlyargs if a.id not in shape.known]
    args.args = [a for a in args.args if a.id not in shape.known]
    kwonly = [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if a.id not in shape.known]
    positional = [a.id for a in [*args.posonlyargs, *args.args]]
    kept_defaults = [defaults[name] for name in positional if name in defaults]
    args.defaults = args.defaults[len(args.defaults) - len(kept_defaults):] if kept_defaults else []
    args.kwonlyargs, args.kw_defaults = [a for a, _ in kwonly], [d for _, d in kwonly]
    extras: list[str] = []
    before: list[gast.stmt] = []
    if args.vararg is not None:
        star = args.vararg.id
        if shape.whole is not None:
            extras = [star]
        else:
            extras = [names.new(f"{star}_{i + 1}") for i in range(len(shape.extra))]
            _splice(tree, star, extras)
            if _read(tree, star):
                before.append(assign(star, tuple_of(map(load, extras))))
    named: dict[str, str] = {}
    if args.kwarg is not None:
        stars = args.kwarg.id
        named = {name: name if name not in taken else names.new(name) for name in shape.named}
        _splice_keywords(tree, stars, named)
        if _read(tree, stars):
            keys: list[Any] = [constant(name) for name in named]
            before.append(assign(stars, gast.Dict(keys, [load(v) for v in named.values()])))
    args.vararg = args.kwarg = None
    more = [*extras, *named.values(), *(p for one in params.values() for p in one)]
    args.kwonlyargs += [parameter(name) for name in more]
    args.kw_defaults += [None] * len(more)
    for stmt in before:
        gast.copy_location(stmt, tree)
        stmt.origin = getattr(tree, "origin", None)
        for part in gast.walk(stmt):
            gast.copy_location(part, tree)
    tree.body = [*before, *tree.body]
    made = replace(captured, tree=tree, namespace=Namespace(captured.namespace.globals, cells), ours=captured.ours | set(shape.known),
                   defaults=tuple(kept_defaults) or None,
                   kwdefaults={k: v for k, v in (captured.kwdefaults or {}).items() if k not in shape.known} or None)
    return desugar.reader.make(made, inside), params, extras, named


def _settled(body: list[gast.stmt], name: str) -> list[gast.stmt]:
    """`g is None` is known where g is a function."""
    for node in gast.walk(gast.Module(body, [])):
        for key, value in list(node.__dict__.items()):
            for i, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(part, gast.Compare) and isinstance(part.left, gast.Name) and part.left.id == name:
                    known = gast.copy_location(gast.Constant(isinstance(part.ops[0], gast.IsNot), None), part)
                    if i is None:
                        setattr(node, key, known)
                    else:
                        value[i] = known
    return body


def _read(tree: gast.FunctionDef, name: str) -> bool:
    return any(isinstance(node, gast.Name) and node.id == name for node in gast.walk(gast.Module(tree.body, [])))


def _splice(tree: gast.FunctionDef, star: str, names: list[str]) -> None:
    """`f(*args)` with the arguments by name."""
    for node in gast.walk(gast.Module(tree.body, [])):
        for key in ("args", "elts"):
            items = getattr(node, key, None)
            if isinstance(items, list):
                done: list[Any] = []
                for item in items:
                    if isinstance(item, gast.Starred) and isinstance(item.value, gast.Name) and item.value.id == star:
                        done += [gast.copy_location(load(name), item) for name in names]
                    else:
                        done.append(item)
                setattr(node, key, done)


def _splice_keywords(tree: gast.FunctionDef, stars: str, names: dict[str, str]) -> None:
    for node in gast.walk(gast.Module(tree.body, [])):
        if isinstance(node, gast.Call):
            done: list[Any] = []
            for keyword in node.keywords:
                if keyword.arg is None and isinstance(keyword.value, gast.Name) and keyword.value.id == stars:
                    done += [gast.keyword(name, gast.copy_location(load(own), keyword.value)) for name, own in names.items()]
                else:
                    done.append(keyword)
            node.keywords = done


__all__ = ["FUNCTIONS", "attribute", "meaning"]
