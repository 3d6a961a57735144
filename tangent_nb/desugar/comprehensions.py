"""Comprehensions, and what else goes over items, as loops.

    [v * w for v in x if v > 0]      →      items = []
                                            for v in x:
                                                if v > 0:
                                                    items.append(v * w)
"""
from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from ..syntax.nodes import assign, call, clone, constant, library, load, statement, store, subscript, tuple_of
from . import functions, lists
from .scopes import COMPREHENSIONS, own, renamed, targets
from .state import State
from .values import Meaning

WHOLE = (sum, max, min, list, tuple, sorted, set, frozenset, dict, math.fsum, math.prod, np.array, np.asarray, np.stack, np.vstack, np.hstack,
         np.concatenate, np.column_stack, np.sum, np.mean, np.prod, np.max, np.min)


def unrolls(desugar: State, node: Any) -> bool:
    """A comprehension has to be a loop: what it makes carries a derivative, or it binds a name of the function."""
    if any(isinstance(part, gast.NamedExpr) for part in gast.walk(node)):
        return True
    if isinstance(node, gast.SetComp):
        return False
    made = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
    if desugar.carries(node):
        return True
    return any(isinstance(part, gast.Call) and isinstance(part.func, gast.Name) and part.func.id in desugar.functions
               and reads_varied(desugar, part.func.id) for one in made for part in own(one))


def reads_varied(desugar: State, name: str) -> bool:
    """A local function is bound to something that carries a derivative."""
    return any(desugar.carries(one) for one in desugar.functions[name].bound)


def unroll(desugar: State, node: Any, name: str = "") -> gast.Name:
    """Emit the loops of a comprehension; the name of what they make."""
    node = _apart(desugar, node)
    first = desugar.expr(node.generators[0].iter)
    result = name or desugar.temporary("items")
    if isinstance(node, gast.DictComp):
        desugar.emit(assign(result, gast.Dict([], [])))
        put: gast.stmt = gast.Assign([subscript(result, node.key, write=True)], node.value, None)
    else:
        desugar.emit(assign(result, gast.List([], gast.Load())))
        put = gast.Expr(gast.Call(gast.Attribute(load(result), "append", gast.Load()), [node.elt], []))
    node.generators[0].iter = first
    desugar.statement(desugar.placed(nested(node.generators, [put])))
    return load(result)


def nested(generators: Sequence[Any], body: list[gast.stmt]) -> gast.stmt:
    """The loops and branches of a comprehension around a body."""
    for one in reversed(generators):
        for test in reversed(one.ifs):
            body = [gast.If(test, body, [])]
        body = [gast.For(one.target, one.iter, body, [], None)]
    return body[0]


def _apart(desugar: State, node: Any) -> Any:
    """The comprehension with names of its own for its variables, where the function has these names too."""
    mine = targets(node)
    inner = {id(part) for part in gast.walk(node)}
    others = {part.id for part in gast.walk(desugar.tree) if isinstance(part, gast.Name) and id(part) not in inner} | set(desugar.local)
    others |= {name for one in [*node.generators[1:], *_elements(node)] for part in gast.walk(one) if isinstance(part, COMPREHENSIONS)
               for name in targets(part)}
    taken = {name: desugar.temporary(name) for name in sorted(mine & others)}
    desugar.local.update(mine - others)
    first = node.generators[0].iter
    node.generators[0].iter = constant(None)
    renamed(node, taken)
    node.generators[0].iter = first
    return node


def _elements(node: Any) -> list[Any]:
    return [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]


# ---------------------------------------------------------------------- what is gone over
def generator(desugar: State, node: Any) -> gast.GeneratorExp | None:
    """`map(f, xs)`, `filter(f, xs)` and such as generator expressions."""
    if isinstance(node, gast.GeneratorExp):
        return node
    if not isinstance(node, gast.Call) or node.keywords or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    fn = desugar.object(node.func)
    if fn is builtins.map and len(node.args) > 1:
        values = [gast.Name(desugar.names.new("v"), gast.Load(), None, None) for _ in node.args[1:]]
        goes = node.args[1] if len(values) == 1 else gast.Call(gast.Name("zip", gast.Load(), None, None), node.args[1:], [])
        if len(values) > 1 and desugar.object(load("zip")) is not zip:
            return None
        target = store(values[0].id) if len(values) == 1 else tuple_of([store(v.id) for v in values], write=True)
        return _generated(desugar, node, gast.Call(node.args[0], list(values), []), target, goes, [])
    if fn is builtins.filter and len(node.args) == 2:
        name = desugar.names.new("v")
        nothing = isinstance(node.args[0], gast.Constant) and node.args[0].value is None
        test = load(name) if nothing else gast.Call(node.args[0], [load(name)], [])
        return _generated(desugar, node, load(name), store(name), node.args[1], [test])
    if fn is itertools.starmap and len(node.args) == 2:
        name = desugar.names.new("v")
        return _generated(desugar, node, gast.Call(node.args[0], [gast.Starred(load(name), gast.Load())], []), store(name), node.args[1], [])
    return None


def _generated(desugar: State, like: Any, elt: gast.expr, target: gast.expr, goes: gast.expr, ifs: list[gast.expr]) -> gast.GeneratorExp:
    made = gast.GeneratorExp(elt, [gast.comprehension(target, goes, ifs, 0)])
    for part in gast.walk(made):
        if isinstance(part, gast.expr) and getattr(part, "lineno", None) is None:
            gast.copy_location(part, like)
    return made


def as_list(desugar: State, node: Any) -> gast.ListComp | None:
    """What is gone over once, from the first item to the last, as a list."""
    one = generator(desugar, node)
    if one is None:
        return None
    made = gast.ListComp(one.elt, one.generators)
    return made if unrolls(desugar, made) else None


def iterable(desugar: State, node: Any) -> Any:
    """What a loop goes over."""
    made = as_list(desugar, node)
    if made is not None:
        return unroll(desugar, made)
    other = rewritten_iterable(desugar, node)
    return desugar.expr(node if other is None else other)


def rewritten_iterable(desugar: State, node: Any) -> Any:
    """The iterators of itertools over sequences, in other words."""
    if not isinstance(node, gast.Call) or any(isinstance(a, gast.Starred) for a in node.args) \
            or not desugar.carries(node):
        return None
    fn, args = desugar.object(node.func), node.args
    if fn is itertools.chain and not node.keywords:
        return gast.List([gast.Starred(arg, gast.Load()) for arg in args], gast.Load())
    if fn is itertools.pairwise and len(args) == 1:
        name = load(desugar.kept(desugar.expr(call("%list", args[0])), "items"))
        return call("%zip", name, subscript(clone(name), gast.Slice(constant(1), None, None)))
    if fn is itertools.islice and len(args) in (2, 3, 4) and not node.keywords:
        bounds = [None, args[1], None] if len(args) == 2 else [*args[1:], *[None] * (4 - len(args))]
        bounds = [None if isinstance(b, gast.Constant) and b.value is None else b for b in bounds]
        return subscript(call("%list", args[0]), gast.Slice(*bounds))
    if fn is itertools.product and len(args) > 1 and not node.keywords:
        names = [desugar.names.new("v") for _ in args]
        gens = [gast.comprehension(store(n), arg, [], 0) for n, arg in zip(names, [load(desugar.kept(desugar.expr(call("%list", a)), "items"))
                                                                                 for a in args], strict=True)]
        return gast.ListComp(tuple_of([load(n) for n in names]), gens)
    if fn is itertools.accumulate:
        return accumulated(desugar, node)
    return None


def direct(desugar: State, stmt: gast.For) -> bool:
    """`for y in (g(v) for v in xs if c):` as a loop over xs, which evaluates an item when it is its turn."""
    one = generator(desugar, stmt.iter)
    if one is None or len(one.generators) != 1 or stmt.orelse or not unrolls(desugar, one):
        return False
    one = _apart(desugar, one)
    body: list[gast.stmt] = [gast.Assign([stmt.target], one.elt, None), *stmt.body]
    for test in reversed(one.generators[0].ifs):
        body = [gast.If(test, body, [])]
    new = desugar.placed(gast.copy_location(gast.For(one.generators[0].target, one.generators[0].iter, body, [], None), stmt))
    desugar.statement(new)
    return True


# ---------------------------------------------------------------------- calls that go over items
def consumed(desugar: State, node: gast.Call) -> Meaning | None:
    """A call of something that takes all items of a generator."""
    fn = desugar.object(node.func)
    if fn is functools.reduce and len(node.args) in (2, 3) and not node.keywords:
        return Meaning(lambda: reduced(desugar, node)) if _carries(desugar, node) else None
    if fn is zip and len(node.args) == 1 and isinstance(node.args[0], gast.Starred) and not node.keywords:
        rows = node.args[0].value
        if not desugar.carries(rows):
            return None
        return Meaning(lambda: desugar.expr(desugar.placed(library("rt.columns(x)", x=rows))), hoists=desugar.hoists(rows))
    if any(fn is one for one in (zip, enumerate, reversed)) and node.args and not any(isinstance(a, gast.Starred) for a in node.args):
        found = [as_list(desugar, arg) or (rewritten_iterable(desugar, arg) if _is_iterator(desugar, arg) else None) for arg in node.args]
        if any(one is not None for one in found):
            args = [arg if one is None else one for arg, one in zip(node.args, found, strict=True)]
            return Meaning(lambda: desugar.expr(desugar.placed(gast.copy_location(gast.Call(node.func, args, node.keywords), node))))
        return None
    if fn is next and node.args and generator(desugar, node.args[0]) is not None:
        one = generator(desugar, node.args[0])
        return Meaning(lambda: _next(desugar, one, node)) if unrolls(desugar, one) else None
    if isinstance(fn, operator.itemgetter):
        return None
    plain = _operator_call(desugar, node, fn)
    if plain is not None:
        return Meaning(plain, hoists=False)
    if not node.args or not any(fn is one for one in WHOLE):
        return None
    first = node.args[0]
    made = as_list(desugar, first)
    if made is None:
        other = rewritten_iterable(desugar, first) if isinstance(first, gast.Call) and desugar.object(first.func) in ITERATORS else None
        return Meaning(lambda: _again(desugar, node, other)) if other is not None else None
    return Meaning(lambda: _whole(desugar, node, made, fn))


def _is_iterator(desugar: State, node: Any) -> bool:
    return isinstance(node, gast.Call) and any(desugar.object(node.func) is one for one in ITERATORS)


ITERATORS = (itertools.chain, itertools.pairwise, itertools.islice, itertools.product, itertools.accumulate)
OPERATORS = {operator.add: gast.Add, operator.sub: gast.Sub, operator.mul: gast.Mult, operator.truediv: gast.Div, operator.pow: gast.Pow,
             operator.matmul: gast.MatMult, operator.mod: gast.Mod, operator.floordiv: gast.FloorDiv}


def _operator_call(desugar: State, node: gast.Call, fn: Any) -> Callable[[], Any] | None:
    """`operator.mul(a, b)` is `a * b`."""
    try:
        kind = OPERATORS.get(fn)
    except TypeError:
        return None
    if kind is not None and len(node.args) == 2 and not node.keywords and not any(isinstance(a, gast.Starred) for a in node.args):
        return lambda: desugar.expr(gast.copy_location(gast.BinOp(node.args[0], kind(), node.args[1]), node))
    if fn is operator.neg and len(node.args) == 1:
        return lambda: desugar.expr(gast.copy_location(gast.UnaryOp(gast.USub(), node.args[0]), node))
    if fn is operator.getitem and len(node.args) == 2:
        return lambda: desugar.expr(gast.copy_location(gast.Subscript(node.args[0], node.args[1], gast.Load()), node))
    return None


def _carries(desugar: State, node: gast.Call) -> bool:
    bound = functions.bound_to(desugar, node.args[0])
    return any(desugar.carries(arg) for arg in [*node.args[1:], *bound])


def _again(desugar: State, node: gast.Call, first: Any) -> Any:
    return desugar.expr(desugar.placed(gast.copy_location(gast.Call(node.func, [first, *node.args[1:]], node.keywords), node)))


def _whole(desugar: State, node: gast.Call, made: gast.ListComp, fn: Any) -> Any:
    name = unroll(desugar, made)
    if fn is list:
        return name
    return desugar.expr(gast.copy_location(gast.Call(node.func, [name, *node.args[1:]], node.keywords), node))


def reduced(desugar: State, node: gast.Call) -> gast.expr:
    """`functools.reduce(f, xs, start)`."""
    f, items = node.args[0], node.args[1]
    f = functions.steady(desugar, f)
    name = desugar.temporary("value")
    item = desugar.temporary("item")
    if len(node.args) == 3:
        source = desugar.expr(items)
        desugar.statement(desugar.placed(assign(name, node.args[2])))
    else:
        kept = desugar.kept(desugar.expr(desugar.placed(call("%list", items))), "items")
        desugar.emit(assign(name, subscript(kept, constant(0))))
        source = subscript(kept, gast.Slice(constant(1), None, None))
    step = assign(name, gast.Call(f, [load(name), load(item)], []))
    desugar.statement(desugar.placed(gast.For(store(item), source, [step], [], None)))
    return load(name)


def accumulated(desugar: State, node: gast.Call) -> Any:
    """`itertools.accumulate(xs, f, initial=v)` as a list."""
    start = next((k.value for k in node.keywords if k.arg == "initial"), None)
    f = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "func"), None)
    if f is not None:
        f = functions.steady(desugar, f)
    kept = desugar.kept(desugar.expr(desugar.placed(call("%list", node.args[0]))), "items")
    result, value, item = desugar.temporary("values"), desugar.temporary("value"), desugar.temporary("item")
    desugar.statement(desugar.placed(assign(value, subscript(kept, constant(0)) if start is None else start)))
    desugar.emit(assign(result, gast.List([load(value)], gast.Load())))
    step = gast.BinOp(load(value), gast.Add(), load(item)) if f is None else gast.Call(f, [load(value), load(item)], [])
    source = subscript(kept, gast.Slice(constant(1), None, None)) if start is None else load(kept)
    put = statement("VALUES.append(VALUE)", VALUES=result, VALUE=value)
    desugar.statement(desugar.placed(gast.For(store(item), source, [assign(value, step), put], [], None)))
    return load(result)


def _next(desugar: State, one: Any, node: gast.Call) -> gast.expr:
    """`next((v for v in xs if c), default)`."""
    one = _apart(desugar, one)
    result = desugar.temporary("found")
    if len(one.generators) != 1:
        return gast.Call(node.func, [one, *node.args[1:]], [])
    desugar.statement(desugar.placed(assign(result, node.args[1] if len(node.args) > 1 else constant(None))))
    body: list[gast.stmt] = [assign(result, one.elt), gast.Break()]
    for test in reversed(one.generators[0].ifs):
        body = [gast.If(test, body, [])]
    stop: list[gast.stmt] = [] if len(node.args) > 1 else [statement("raise StopIteration")]
    desugar.statement(desugar.placed(gast.For(one.generators[0].target, one.generators[0].iter, body, stop, None)))
    return load(result)


def joined(desugar: State, node: Any) -> Any:
    """`[a, *xs, b]`."""
    if isinstance(node, gast.Set):
        return node
    result = desugar.temporary("items")
    desugar.emit(assign(result, gast.List([], gast.Load())))
    for item in node.elts:
        if isinstance(item, gast.Starred):
            lists.extend(desugar, result, item.value)
        else:
            desugar.statement(desugar.placed(lists.append(result, item)))
    return call("%tuple", result) if isinstance(node, gast.Tuple) else load(result)
