"""Calls that go over all items of something.

Needs a call such as `sum(v * w for v in x)`. Promises the same over a list, and of `functools.reduce` and `operator`
the loops and operators that they stand for.

    reduce(f, xs, v)      →      value = v
                                 for item in xs:
                                     value = f(value, item)
    sum(rows, [])         →      the items of all rows, appended to a new list
    max(xs, default=v)    →      max(items) if items else v
    sorted(x, key=f)      →      places = rt.ordered(x, key=f)          where f may not be the same, going backward
                                 rt.taken(x, places)
"""
from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import gast

from .. import runtime
from ..analyse.activity import dict_view
from ..analyse.effects import is_pure_function
from ..rules import effects_of, operator_of
from ..syntax.building import assign, call, constant, library, load, statement, store, subscript, tuple_of
from ..syntax.nodes import is_atom, names_in, nodes_in, writes
from . import containers, functions, iterators, purity, sources
from .comprehensions import apart, generator, is_endless, nested, takes_all, unrolls
from .purity import MORE, computes
from .scopes import free
from .state import State
from .templates import template


def consumed(desugar: State, node: gast.Call) -> Any:
    """A call of something that takes all items of a generator."""
    fn = desugar.object(node.func)
    if takes_all(fn) and not any(isinstance(arg, gast.Starred) for arg in node.args):
        count, given = len(node.args), iterators.in_order(desugar, [*node.args, *(k.value for k in node.keywords)])
        node.args = given[:count]
        for keyword, value in zip(node.keywords, given[count:], strict=True):
            keyword.value = value
        if node.args and (pairs := _pairs_of(desugar, node.args[0], node)) is not None:
            node.args[0] = pairs
    if fn is functools.reduce and len(node.args) in (2, 3) and not node.keywords:
        carrying = map(desugar.carries, [*node.args[1:], *functions.bound_to(desugar, node.args[0])])
        return reduced(desugar, node) if any(carrying) else None
    if fn is zip and len(node.args) == 1 and isinstance(node.args[0], gast.Starred) and not node.keywords:
        rows = node.args[0].value
        if not desugar.carries(rows):
            return None
        return desugar.expr(desugar.placed(library("rt.columns(x)", x=rows)))
    if any(fn is one for one in (zip, enumerate, reversed)) and node.args \
            and not any(isinstance(a, gast.Starred) for a in node.args):
        if any(iterators.yields(desugar, arg) for arg in node.args):
            return None                                    # known where it is gone over
        if fn is zip and not node.keywords and any(is_endless(desugar, arg) for arg in node.args):
            return desugar.placed(iterators.zipped(desugar, node))
        iterators.one_by_one(desugar, *(node.args if len(node.args) > 1 and fn is zip else ()))
        args = [load(iterators.sequence(desugar, arg)) if iterators.is_listed(desugar, arg) else arg
                for arg in node.args]
        return None if args == node.args else _over(desugar, node, args)
    if fn is list and len(node.args) == 1 and isinstance(node.args[0], gast.Call) and not node.keywords \
            and desugar.carries(node) \
            and (desugar.object(node.args[0].func) is enumerate or desugar.object(node.args[0].func) is zip) \
            and not any(isinstance(a, gast.Starred) for a in node.args[0].args) and node.args[0].args:
        return _pairs(desugar, node.args[0])
    if fn is sum and len(node.args) == 2 and not node.keywords and containers.kind(desugar, node.args[1]) is list \
            and desugar.carries(node):
        return _flat(desugar, node)
    if (fn is max or fn is min) and len(node.args) == 1 and [k.arg for k in node.keywords] == ["default"] \
            and desugar.carries(node.keywords[0].value):
        return _or_default(desugar, node)
    if fn is not sorted and node.args and iterators.yields(desugar, node.args[0]) and not all(
            purity.reads_given(desugar, k.value) for k in node.keywords if k.arg == "key"):
        raise desugar.refused(node.args[0], MORE, "a list, if all items may be computed first: [...]")
    if _asked_once(desugar, node):
        if fn is not sorted and not all(computes(desugar, k.value, ()) for k in node.keywords if k.arg == "key"):
            iterators.one_by_one(desugar, node.args[0])
        return _placed(desugar, node, iterators.sequence(desugar, node.args[0]))
    if fn is dict and (made := _made_dict(desugar, node)) is not None:
        return desugar.expr(desugar.placed(gast.copy_location(made, node)))
    if fn is OrderedDict and (made := _ordered_dict(desugar, node)) is not None:
        return desugar.expr(desugar.placed(gast.copy_location(made, node)))
    if fn is next and node.args and (one := generator(desugar, node.args[0]) or sources.items(desugar, node.args[0])):
        return _next(desugar, one, node) if unrolls(desugar, one) else None
    if (plain := _operator_call(desugar, node, fn)) is not None:
        return plain
    if not node.args or not takes_all(fn):
        return None
    made = iterators.listed(desugar, node.args[0])
    if made is None or fn is list and isinstance(made, gast.Name):
        return made
    return _over(desugar, node, [made, *node.args[1:]])


def gone_over(desugar: State, node: gast.Call) -> Any:
    """A list of what a loop of ours goes over, where that carries a derivative: it was taken for a constant before."""
    if desugar.object(node.func) is not runtime.recorded:
        return None
    over = node.args[0]
    if desugar.wrt is None or hasattr(node, "partly") or not desugar.carries(over):
        return None
    if isinstance(over, gast.Call) and _only_iterates(desugar, over, True):
        found = _items_of(desugar, over)
    elif dict_view(over) == "items":
        found = _pairs_in(desugar, over)
    else:
        found = desugar.placed(gast.copy_location(call("%list", over), over))
    return desugar.expr(found)


def _pairs_of(desugar: State, node: Any, call: gast.Call) -> gast.expr | None:
    """`d.items()` where a call takes all of them at once: a list of pairs, whose keys carry nothing. `zip(xs, ys)` and
    the like where one is chosen, or all are put in order: a list of what they give."""
    fn = desugar.object(call.func)
    row = effects_of(fn)
    if row is not None and "key" in row.calls and len(call.args) == 1 and _only_iterates(desugar, node, fn is sorted):
        return _items_of(desugar, node)
    if dict_view(node) != "items" or hasattr(node, "in_turn") or not desugar.carries(node.func.value):
        return None
    return _pairs_in(desugar, node)


def _pairs_in(desugar: State, node: Any) -> gast.expr:
    """A list of `d.items()`."""
    key, value = desugar.names.new("key"), desugar.names.new("value")
    over = gast.comprehension(tuple_of([store(key), store(value)], write=True), node, [], 0)
    return desugar.placed(gast.copy_location(gast.ListComp(tuple_of([load(key), load(value)]), [over]), node))


def _only_iterates(desugar: State, node: Any, whole: bool) -> bool:
    """`zip(xs, ys)`, `enumerate(xs)` or `reversed(xs)`, which carry a derivative. whole: all items are taken before
    anything else is done; else none is computed when it is its turn."""
    row = effects_of(desugar.object(node.func)) if isinstance(node, gast.Call) else None
    return row is not None and row.gives == "iterator" and not row.calls and row.fn.__module__ == "builtins" \
        and bool(node.args) and not any(isinstance(arg, gast.Starred) for arg in node.args) \
        and not any(k.arg == "strict" for k in node.keywords) \
        and desugar.carries(node) \
        and (whole or not any(iterators.yields(desugar, arg) for arg in node.args))


def _items_of(desugar: State, node: gast.Call) -> gast.expr:
    """A list of what such a call gives, one by one."""
    fn = desugar.object(node.func)
    single = fn is not zip and fn is not enumerate
    names = [desugar.names.new("item") for _ in range(1 if single else 2 if fn is enumerate else len(node.args))]
    one: Any = store(names[0]) if single else tuple_of(map(store, names), write=True)
    item: Any = load(names[0]) if single else tuple_of(map(load, names))
    return desugar.placed(gast.copy_location(gast.ListComp(item, [gast.comprehension(one, node, [], 0)]), node))


def _operator_call(desugar: State, node: gast.Call, fn: Any) -> gast.expr | None:
    """`operator.mul(a, b)` is `a * b`."""
    kind = getattr(gast, operator_of(fn), None)
    if kind is None or node.keywords or any(isinstance(a, gast.Starred) for a in node.args):
        return None
    made: Any = None
    if issubclass(kind, gast.unaryop) and len(node.args) == 1:
        made = gast.UnaryOp(kind(), node.args[0])
    elif len(node.args) == 2 and not issubclass(kind, gast.unaryop):
        left, right = node.args
        made = gast.BinOp(left, kind(), right) if issubclass(kind, gast.operator) \
            else gast.Subscript(left, right, gast.Load())
    return None if made is None else desugar.expr(gast.copy_location(made, node))


def _ordered_dict(desugar: State, node: gast.Call) -> gast.expr | None:
    """`OrderedDict(pairs, a=x)`: an empty one that gets the items of a dict."""
    if not (node.args or node.keywords) or not desugar.carries(node) or len(node.args) > 1 \
            or any(isinstance(arg, gast.Starred) for arg in node.args):
        return None
    empty = gast.copy_location(gast.Call(node.func, [], []), node)
    items = gast.copy_location(gast.Call(load("%dict"), node.args, node.keywords), node)
    return library("rt.merged(x, y)", x=empty, y=_made_dict(desugar, items) or items)


def _made_dict(desugar: State, node: gast.Call) -> gast.expr | None:
    """`dict(zip(names, x))`, `dict(a=x)` and such as dicts that are written out."""
    if any(k.arg is None for k in node.keywords) or len(node.args) > 1 or not desugar.carries(node):
        return None
    first: Any = node.args[0] if node.args else gast.List([], gast.Load())
    named: list[Any] = [gast.Dict([constant(k.arg) for k in node.keywords], [k.value for k in node.keywords])] \
        if node.keywords else []
    if isinstance(first, (gast.List, gast.Tuple)):
        if not all(isinstance(one, (gast.List, gast.Tuple)) and len(one.elts) == 2 and not any(
                isinstance(part, gast.Starred) for part in one.elts) for one in first.elts):
            return None
        made: gast.expr = gast.Dict([*(one.elts[0] for one in first.elts), *(k for one in named for k in one.keys)],
                                    [*(one.elts[1] for one in first.elts), *(v for one in named for v in one.values)])
        return made
    if isinstance(first, (gast.GeneratorExp, gast.ListComp)) and isinstance(first.elt, gast.Tuple) \
            and len(first.elt.elts) == 2:
        made = gast.DictComp(*first.elt.elts, first.generators)
    elif isinstance(first, gast.Call) and any(desugar.object(first.func) is one for one in (zip, enumerate)):
        key, value = desugar.names.new("key"), desugar.names.new("value")
        made = gast.DictComp(load(key), load(value),
                             [gast.comprehension(tuple_of([store(key), store(value)], write=True), first, [], 0)])
    elif named and not isinstance(first, gast.Starred):    # a dict, or pairs
        return library("rt.merged(x, y)", x=gast.Call(load("%dict"), [first], []), y=named[0])
    else:
        return None
    return gast.BinOp(made, gast.BitOr(), named[0]) if named else made


def _over(desugar: State, node: gast.Call, args: list[gast.expr]) -> Any:
    """The same call over lists."""
    return desugar.expr(desugar.placed(gast.copy_location(gast.Call(node.func, args, node.keywords), node)))


def reduced(desugar: State, node: gast.Call) -> gast.expr:
    """`functools.reduce(f, xs, start)`."""
    f, items = node.args[0], node.args[1]
    if iterators.yields(desugar, items):
        return sources.reduced(desugar, functions.steady(desugar, f), items, node.args[2:])
    if not computes(desugar, f, ()):
        iterators.one_by_one(desugar, items)
    f = functions.steady(desugar, f)
    name = desugar.temporary("value")
    item = desugar.temporary("item")
    if len(node.args) == 3:
        source = load(iterators.sequence(desugar, items)) if iterators.is_listed(desugar, items) \
            else desugar.expr(items)
        desugar.statement(desugar.placed(assign(name, node.args[2])))
    else:
        kept = iterators.sequence(desugar, items)
        if not (isinstance(items, (gast.List, gast.Tuple)) and items.elts):
            desugar.emit(desugar.placed(gast.Expr(library("rt.check_some(xs)", xs=load(kept)))))
        desugar.emit(assign(name, subscript(kept, constant(0))))
        source = subscript(kept, gast.Slice(constant(1), None, None))
    step = assign(name, gast.Call(f, [load(name), load(item)], []))
    desugar.statement(desugar.placed(gast.For(store(item), source, [step], [], None)))
    return load(name)


def _next(desugar: State, one: Any, node: gast.Call) -> gast.expr:
    """`next((v for v in xs if c), default)`."""
    one = apart(desugar, one)
    if len(one.generators) != 1:
        return gast.Call(node.func, [one, *node.args[1:]], [])
    found = desugar.temporary("found")
    loop: Any = nested(one.generators, [assign(found, one.elt), gast.Break()])
    loop.orelse = [] if len(node.args) > 1 else [statement("raise StopIteration")]
    default = node.args[1] if len(node.args) > 1 else constant(None)
    return template(desugar, "found = default\nloop\nfound", found=found, default=default, loop=[loop])


# ---------------------------------------------------------------------- as a whole
def _pairs(desugar: State, node: gast.Call) -> gast.expr:
    """`list(zip(xs, ys))`, `list(enumerate(xs))`: the pairs one by one."""
    return desugar.expr(_items_of(desugar, node))


def _flat(desugar: State, node: gast.Call) -> gast.expr:
    """`sum(rows, [])`: the items of all rows, one after the other."""
    some = isinstance(node.args[0], gast.List) and bool(node.args[0].elts)
    if not some and not isinstance(node.args[1], gast.List):                   # of no rows it is the start itself
        return template(desugar, """
            rows, items = list(given), start
            if len(rows) > 0:
                items = start[:]
                for row in rows:
                    for item in row:
                        items.append(item)
            items""", given=node.args[0], start=node.args[1])
    return template(desugar, """
        rows = given
        items = start[:]
        for row in rows:
            for item in row:
                items.append(item)
        items""", given=node.args[0], start=node.args[1])


def _or_default(desugar: State, node: gast.Call) -> gast.expr:
    """`max(xs, default=v)`: v only where there is nothing to choose from, but evaluated in any case."""
    items = template(desugar, "items = list(xs)\nitems", xs=node.args[0])
    default = desugar.expr(node.keywords[0].value)
    default = default if is_atom(default) else load(desugar.kept(default, "default"))
    return desugar.expr(template(desugar, "best(items) if items else default", best=node.func, items=items,
                                 default=default))


def strict(desugar: State, stmt: gast.For) -> None:
    """`for a, b in zip(xs, ys, strict=True):` compares the lengths when the items are at an end,
    which a loop left by `break` never asks."""
    node = stmt.iter
    counted = isinstance(node, gast.Call) and desugar.object(node.func) is enumerate and bool(node.args)
    pairs = node.args[0] if counted else node
    if not isinstance(pairs, gast.Call) or desugar.object(pairs.func) is not zip or not desugar.carries(pairs) \
            or [(k.arg, getattr(k.value, "value", None)) for k in pairs.keywords] != [("strict", True)] \
            or any(isinstance(arg, gast.Starred) or iterators.is_listed(desugar, arg) for arg in pairs.args) \
            or writes([stmt.target, *stmt.body]) & names_in(pairs.args):
        return
    args = [arg if isinstance(arg, gast.Name) else load(desugar.kept(desugar.expr(arg), "items")) for arg in pairs.args]
    check = gast.Expr(library("rt.check_lengths(x)", x=gast.Tuple([load(arg.id) for arg in args], gast.Load())))
    made = gast.copy_location(gast.Call(pairs.func, args, []), pairs)
    stmt.iter = gast.copy_location(gast.Call(node.func, [made, *node.args[1:]], node.keywords), node) \
        if counted else made
    stmt.orelse = [desugar.placed(check), *stmt.orelse]


# ---------------------------------------------------------------------- by keys
def _asked_once(desugar: State, node: gast.Call) -> bool:
    """The key of a call must not be asked again going backward."""
    fn = desugar.object(node.func)
    row = desugar.scope.effects(node)
    return "key" in row.calls and row.exhausts and len(node.args) == 1 and not isinstance(node.args[0], gast.Starred) \
        and all(k.arg == "key" or k.arg == "reverse" and fn is sorted for k in node.keywords) \
        and desugar.carries(node.args[0]) and unsteady(desugar, node.keywords, names_in(node.args[0]))


def unsteady(desugar: State, keywords: Sequence[gast.keyword], names: set[str]) -> bool:
    """There is a key, which may not be the same later. names: of what it is a key for;
    `max(d, key=d.get)` asks what it goes over."""
    key: Any = next((k.value for k in keywords if k.arg == "key"), None)
    if key is None or isinstance(key, gast.Attribute) and names_in(key) <= names:
        return False
    if isinstance(key, gast.Lambda):
        return bool(free(key) & desugar.local) or any(
            isinstance(one, gast.Call) and not is_pure_function(desugar.object(one.func)) for one in nodes_in(key.body))
    return bool(names_in(key) & desugar.local)


def _placed(desugar: State, node: gast.Call, name: str) -> gast.expr:
    """The items of the list `name` that a call gives."""
    if desugar.object(node.func) is sorted:
        return ordered(desugar, name, node.keywords)
    place = library("rt.chosen(x, best)", x=name, best=node.func)
    place.keywords = node.keywords
    return subscript(name, load(desugar.kept(desugar.expr(desugar.placed(place)), "place")))


def ordered(desugar: State, name: str, keywords: list[gast.keyword]) -> gast.expr:
    """The items of the list `name` in the order of their keys."""
    places = library("rt.ordered(x)", x=name)
    places.keywords = keywords
    return library("rt.taken(x, places)", x=name, places=desugar.kept(desugar.expr(desugar.placed(places)), "places"))
