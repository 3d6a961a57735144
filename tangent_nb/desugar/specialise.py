"""Functions for the calls that they are given to.

A function that is given functions, or any number of arguments, is specialized for them: the functions stand in its text
by name, and the arguments have names of their own. N. Jones, C. Gomard, P. Sestoft, "Partial Evaluation and Automatic
Program Generation" (1993), chapter 4.

Needs a call with evaluated arguments. Promises a call of a text made for it, the same one for all calls of one shape.

    def twice(g, t):                  def twice(t, *, g_w):
        return g(g(t))        →           return g(g(t, w=g_w), w=g_w)
    twice(lambda v: v * w, x)         twice(x, g_w=w)
"""
from __future__ import annotations

import itertools
import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.arguments import defaults_of
from ..analyse.resolve import Scope
from ..syntax.building import assign, clone, constant, load, mark, parameter, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import body_without_docstring, names_in, nodes_in
from ..syntax.program import MISSING, Captured, Namespace
from . import arguments, existing, functions
from .keywords import by_name, only_read
from .own_containers import own_options
from .purity import in_turn
from .scopes import Visible, bindings, bound, located, substituted, visible
from .state import State
from .texts import Unit
from .values import FunctionValue, is_callable_value, is_user_object

MOST = 30              # texts of one function, each for other functions that it is given


@dataclass(frozen=True)
class Shape:
    """What a call gives that its callee is specialized for. plain: the arguments that stay, by parameter; known:
    parameters that are functions; extra: the arguments that its star takes, whole: one tuple of them; named: the
    keywords that its two stars take, more: one dict of others; order: all of them as Python evaluates them."""

    plain: dict[str, Any]
    known: dict[str, FunctionValue]
    extra: list[Any] = field(default_factory=list)
    whole: Any = None
    named: dict[str, Any] = field(default_factory=dict)
    more: Any = None
    order: tuple[Any, ...] = ()


def shape_of(desugar: State, unit: Unit, node: gast.Call) -> Shape | None:
    """How a call fills the parameters of a function; None where it can stay as it is."""
    args = unit.captured.tree.args
    more = next((k.value for k in node.keywords if k.arg is None), None)
    if more is not None and args.kwarg is None:
        return None
    by_name = {k.arg: k.value for k in node.keywords if k.arg is not None}
    try:
        given = arguments.signature(unit.captured).bind_partial(*node.args, **by_name)
    except TypeError:
        return None
    plain = given.arguments
    extra = list(plain.pop(args.vararg.id, ())) if args.vararg is not None else []
    named = plain.pop(args.kwarg.id, {}) if args.kwarg is not None else {}
    if more is not None:
        more, named = arguments.together(named, more), {}
    if any(isinstance(one, gast.Starred) for one in plain.values()):
        return None
    whole: Any = None
    if any(isinstance(one, gast.Starred) for one in extra):
        whole = extra[0].value if len(extra) == 1 else gast.Tuple(extra, gast.Load())
    known: dict[str, FunctionValue] = {}
    for name, arg in list(plain.items()):
        value = _class_value(desugar, unit, name, arg) \
            or (functions.value_of(desugar, arg) if _takes(unit, name, desugar.object(arg)) else None)
        if value is not None and value.fn is not MISSING:
            known[name] = value
            del plain[name]
    left = defaults_of(unit.captured).items() if unit.captured.fn not in desugar.texts.made and whole is None else ()
    for name, default in left:
        if name not in plain and name not in known and is_callable_value(default) \
                and _takes(unit, name, default):
            value = existing.of_object(desugar, default, desugar.cell(default, name))
            if value is not None:
                known[name] = value
    if not known and args.vararg is None and args.kwarg is None:
        return None
    return Shape(plain, known, extra, whole, named, more, (*node.args, *(k.value for k in node.keywords)))


def _class_value(desugar: State, unit: Unit, name: str, arg: gast.expr) -> FunctionValue | None:
    """A class of the user, or a module, for a parameter that makes its objects, or reads its attributes."""
    value = functions.namespace_of(desugar, arg)
    return value if value is not None and _only_called(unit.captured.tree, name, attributes=True) else None


def _takes(unit: Unit, name: str, value: Any) -> bool:
    """A parameter can be a function that is known; of an object that can be called, what calls it may need the rest."""
    bound_to = {part.id for fn in unit.functions.values() for part in fn.bound if isinstance(part, gast.Name)}
    return _only_called(unit.captured.tree, name, passed=not is_user_object(value)) \
        and not (is_user_object(value) and name in bound_to)


def _only_called(tree: gast.FunctionDef, name: str, *, attributes: bool = False, passed: bool = True) -> bool:
    """A parameter is never bound anew, and only called, or compared with None; attributes: or its attributes are read;
    passed: or it is passed on."""
    if len(bindings(tree).get(name, [])) != 1:
        return False
    fine: set[int] = set()
    for node in nodes_in(gast.Module(tree.body, [])):
        if isinstance(node, gast.Call):
            fine.add(id(node.func))
            fine.update(id(arg) for arg in [*node.args, *(k.value for k in node.keywords)] if passed)
        if isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (gast.Is, gast.IsNot)) \
                and isinstance(node.comparators[0], gast.Constant) and node.comparators[0].value is None:
            fine.add(id(node.left))
        if attributes and isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load):
            fine.add(id(node.value))
    return all(id(node) in fine for node in visible(tree.body, name))


def specialized(desugar: State, fn: Any, unit: Unit, shape: Shape) -> gast.expr:
    """The call of a function that is specialized for the functions and the number of arguments that it is given."""
    key = (fn, unit.captured.caches, tuple((name, shape.known[name].shape) for name in sorted(shape.known)),
           len(shape.extra) if shape.whole is None else -1, tuple(sorted(shape.named)), shape.more is not None)
    bound = {name: [*one.first, *(v for _, v in one.keywords)] for name, one in shape.known.items()}
    known = desugar.texts.specialized.get(key)
    if known is None:
        known = _specialize(desugar, fn, unit, shape)
        desugar.texts.specialized[key] = known
    new, names, extras, keywords = known
    args = unit.captured.tree.args
    pairs = dict(shape.plain)
    by_place = [a.id for a in [*args.posonlyargs, *args.args] if a.id not in shape.known]
    call_args = [pairs.pop(name) for name in itertools.takewhile(shape.plain.__contains__, by_place)]
    given = [gast.keyword(name, v) for name, v in pairs.items()]
    if shape.whole is not None:
        given.append(gast.keyword(extras[0], desugar.expr(desugar.placed(gast.Call(load("%tuple"), [shape.whole], [])))
                                  if not isinstance(shape.whole, gast.Tuple) else desugar.expr(shape.whole)))
    else:
        given += [gast.keyword(name, v) for name, v in zip(extras, shape.extra, strict=True)]
    given += [gast.keyword(keywords[name], v) for name, v in shape.named.items()]
    given += [] if shape.more is None else [gast.keyword(args.kwarg.id, desugar.expr(desugar.placed(shape.more)))]
    kept = in_turn(desugar, shape.order, [*call_args, *(one.value for one in given)])
    call_args = [kept.get(id(one), one) for one in call_args]
    given = [gast.keyword(one.arg, kept.get(id(one.value), one.value)) for one in given]
    for name, exprs in bound.items():
        given += [gast.keyword(param, clone(v)) for param, v in zip(names[name], exprs, strict=True)]
    func = desugar.cell(new, new.__name__)
    func.made = True
    return gast.Call(func, call_args, given)


def _specialize(desugar: State, fn: Any, unit: Unit,
                shape: Shape) -> tuple[Any, dict[str, list[str]], list[str], dict[str, str]]:
    captured = unit.captured
    written = captured.source.filename, captured.tree.lineno, captured.name
    desugar.texts.counts[written] = desugar.texts.counts.get(written, 0) + 1
    if desugar.texts.counts[written] > MOST:
        why = f"{captured.name} calls itself with a new function each time, without an end that is known beforehand"
        raise desugar.refused(desugar.here, why,
                              "a loop in place of the calls of itself, or numbers in place of the functions")
    tree = clone(captured.tree)
    if shape.more is not None:
        tree = own_options(tree, captured.namespace)
    taken = {n.id for n in nodes_in(tree) if isinstance(n, gast.Name)} | set(captured.namespace.cells)
    names = Names(taken)
    args = tree.args
    defaults = defaults_of(captured)
    inside, cells, params = dict(unit.functions), dict(captured.namespace.cells), dict[str, list[str]]()
    renamed = {name: known_as for name, value in shape.known.items() if (known_as := _name_of(unit, value)) is not None}
    for name, value in shape.known.items():
        first = [names.new(f"{name}_{i}") for i in range(len(value.first))]
        keyed = [names.new(f"{name}_{k}") for k, _ in value.keywords]
        params[name] = [*first, *keyed]
        if name not in renamed:
            cells[name] = types.CellType(value.fn)
            inside[name] = FunctionValue(value.fn, load(name), tuple(map(load, first)),
                                         tuple((k, load(p)) for (k, _), p in zip(value.keywords, keyed, strict=True)),
                                         value.params)
    kept_defaults = _leave_out(args, shape.known, defaults)
    known: dict[str, Any] = dict.fromkeys(shape.known)
    shown: list[tuple[str, gast.expr]] = []                # what stars take, where it is read as a whole
    extras: list[str] = []
    if args.vararg is not None and shape.whole is not None:
        extras = [args.vararg.id]
    elif args.vararg is not None:
        extras = [names.new(f"{args.vararg.id}_{i + 1}") for i in range(len(shape.extra))]
        known.update({args.vararg.id: extras} if len(bindings(tree)[args.vararg.id]) == 1 else {})
        shown.append((args.vararg.id, tuple_of(map(load, extras))))
    named: dict[str, str] = {}
    if args.kwarg is not None and shape.more is not None:
        named = {args.kwarg.id: args.kwarg.id}
    elif args.kwarg is not None:
        named = {name: name if name not in taken else names.new(name) for name in shape.named}
        known.update({args.kwarg.id: named} if only_read(captured.tree, args.kwarg.id, Scope.of(captured)) else {})
        keys: list[Any] = [constant(name) for name in named]
        shown.append((args.kwarg.id, gast.Dict(keys, [load(v) for v in named.values()])))
    given = _Given(known)
    tree.body = substituted([given.visit(stmt) for stmt in tree.body], renamed)
    before = [assign(name, value) for name, value in shown if visible(tree.body, name)]
    args.vararg = args.kwarg = None
    more = [*extras, *named.values(), *(p for one in params.values() for p in one)]
    args.kwonlyargs += [parameter(name) for name in more]
    args.kw_defaults += [None] * len(more)
    for stmt in before:
        located(stmt, tree).origin = getattr(tree, "origin", None)
    tree.body = [*before, *tree.body]
    tree = by_name(tree, captured.namespace)
    made = replace(captured, tree=tree, namespace=Namespace(captured.namespace.globals, cells),
                   ours=captured.ours | set(shape.known), defaults=tuple(kept_defaults) or None,
                   kwdefaults={k: v for k, v in (captured.kwdefaults or {}).items() if k not in shape.known} or None)
    return desugar.texts.make(made, inside), params, extras, named


def _leave_out(args: gast.arguments, known: Collection[str], defaults: Mapping[str, Any]) -> list[Any]:
    """Takes the parameters that are known out of ``args``; the values that the others have by default."""
    args.posonlyargs = [a for a in args.posonlyargs if a.id not in known]
    args.args = [a for a in args.args if a.id not in known]
    kwonly = [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if a.id not in known]
    kept = [defaults[a.id] for a in [*args.posonlyargs, *args.args] if a.id in defaults]
    args.defaults = args.defaults[len(args.defaults) - len(kept):] if kept else []
    args.kwonlyargs, args.kw_defaults = [a for a, _ in kwonly], [d for _, d in kwonly]
    return kept


def _name_of(unit: Unit, value: FunctionValue) -> gast.expr | None:
    """The name by which a text knows a module that it is given, where the caller calls it by the same one."""
    name = value.func.id if isinstance(value.func, gast.Name) and isinstance(value.fn, types.ModuleType) else None
    captured = unit.captured
    known = name is not None and name not in bound(captured.tree) and captured.namespace.lookup(name) is value.fn
    return load(name) if known and name is not None else None


def opened(captured: Captured, tree: gast.FunctionDef, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by parameter, each that a star takes under a name of its own, which stands in the text
    where the star is passed on. What is read of a star as a whole is made of them there."""
    names = Names(names_in(tree) | set(captured.namespace.cells))
    known: dict[str, Any] = {}
    single: dict[str, Any] = {}
    whole: dict[str, Any] = {}
    for star in filter(None, (tree.args.vararg, tree.args.kwarg)):
        value = given[star.id]
        if isinstance(value, gast.Tuple) and value.elts and len(bindings(tree)[star.id]) == 1 \
                and not any(isinstance(item, gast.Starred) for item in value.elts):
            extras = [names.new(f"{star.id}_{i + 1}") for i in range(len(value.elts))]
            single.update(zip(extras, value.elts, strict=True))
            known[star.id], whole[star.id] = extras, tuple_of(map(load, extras))
        elif isinstance(value, gast.Dict) and None not in value.keys:
            named = {key.value: names.new(key.value) for key in value.keys}
            single.update(zip(named.values(), value.values, strict=True))
            known.update({star.id: named} if only_read(captured.tree, star.id, Scope.of(captured)) else {})
            whole[star.id] = gast.Dict(value.keys, list(map(load, named.values())))
        elif star is tree.args.kwarg:
            tree.body = own_options(tree, captured.namespace).body
    passed_on = _Given(known)
    tree.body = [passed_on.visit(stmt) for stmt in tree.body]
    before = [located(assign(name, mark(value, star=True)), tree) for name, value in whole.items()
              if visible(tree.body, name)]
    tree.args.vararg, tree.args.kwarg = (
        None if star is None or star.id in whole else star for star in (tree.args.vararg, tree.args.kwarg))
    tree.body = [*before, *body_without_docstring(tree)]
    tree.body = by_name(tree, captured.namespace).body
    return {**{name: value for name, value in given.items() if name not in whole}, **single}


class _Given(Visible):
    """What is known of parameters: `g is None` where g is a function,
    `f(*args)` and `f(**kwargs)` with the arguments by name."""

    def visit_Compare(self, node: gast.Compare) -> gast.expr:
        if isinstance(node.left, gast.Name) and self.names.get(node.left.id, node) is None:
            return gast.copy_location(gast.Constant(isinstance(node.ops[0], gast.IsNot), None), node)
        return self.generic_visit(node)

    def _of(self, name: Any, kind: type) -> Any:
        found = self.names.get(name.id) if isinstance(name, gast.Name) else None
        return found if isinstance(found, kind) else None

    def _spliced(self, items: list[Any]) -> list[Any]:
        done: list[Any] = []
        for item in items:
            names = self._of(item.value, list) if isinstance(item, gast.Starred) else None
            done += [self.visit(item)] if names is None else [gast.copy_location(load(name), item) for name in names]
        return done

    def visit_Call(self, node: gast.Call) -> gast.Call:
        node.func, node.args = self.visit(node.func), self._spliced(node.args)
        keywords, node.keywords = node.keywords, []
        for keyword in keywords:
            names = self._of(keyword.value, dict) if keyword.arg is None else None
            node.keywords += [self.visit(keyword)] if names is None else \
                [gast.keyword(name, gast.copy_location(load(own), keyword.value)) for name, own in names.items()]
        return node

    def visit_Tuple(self, node: Any) -> Any:
        node.elts = self._spliced(node.elts)
        return node

    visit_List = visit_Set = visit_Tuple
