"""What goes over items that are known, once for each of them.

Needs a loop, a comprehension, or a call that takes all items of what is known (`sequences.py`). Promises its body for
each item, one after the other, as Python would evaluate them.

    for layer in (f, g):               x = f_slope * x + f_offset
        x = layer.at(x)        →       x = g_slope * x + g_offset
    sum(p.x for p in (f, g))           0 + f_x + g_x
"""
from __future__ import annotations

import builtins
import functools
import itertools
from collections.abc import Iterator
from typing import Any

import gast

from ..analyse.leaving import always_leaves, escapes_block
from ..runtime.containers import is_named
from ..syntax.building import assign, clone, constant, load, tuple_of
from ..syntax.nodes import is_literal, literal, names_in, walk, writes
from ..syntax.program import MISSING
from . import attributes, by_name, comprehensions, copies, functions, held, inlining, objects, yielding
from .objects import escaped, sequence
from .scopes import substituted
from .sequences import apart, known_items, made, steady
from .state import State
from .values import ObjectValue, member_of
from .yielding import MOST

TAKING = (list, tuple, sum, len, min, max, any, all, sorted, set, builtins.bool, functools.reduce)


def pinned(desugar: State, node: Any) -> Any:
    """`map(make(w), xs)` with the function under a name, since Python evaluates it once;
    None where it may be evaluated for each item."""
    if not isinstance(node, gast.Call):
        return None
    fn = desugar.object(node.func)
    if (fn is map or fn is filter or fn is itertools.starmap) and node.args and not _stands(desugar, node.args[0]):
        return lambda: _copy(node, args=[functions.steady(desugar, node.args[0]), *node.args[1:]])
    if not (comprehensions.takes_all(fn) or desugar.scope.effects(node).gives == "iterator"):
        return None
    found = [pinned(desugar, arg) for arg in node.args]
    if not any(found):
        return None
    return lambda: _copy(node, args=[arg if one is None else one() for arg, one in zip(node.args, found, strict=True)])


def _stands(desugar: State, node: Any) -> bool:
    """An expression means the same wherever it stands."""
    return isinstance(node, (gast.Name, gast.Lambda, gast.Constant, gast.Starred)) \
        or desugar.object(node) is not MISSING


def _copy(node: Any, **fields: Any) -> Any:
    return gast.copy_location(type(node)(**{**{field: getattr(node, field) for field in node._fields}, **fields}), node)


def iterated(desugar: State, node: Any) -> tuple[list[Any] | None, Any, list[ObjectValue]]:
    """The items that a loop goes over, where they are known and objects are among them; the iterable, evaluated where
    that computes none of its items; the sequences that it is made of."""
    places = list(_evaluated_first(desugar, node))
    done = desugar.operands([owner[i] for owner, i in places])
    for (owner, i), new in zip(places, done, strict=True):
        owner[i] = new
    if not places:
        node = node if _stays(desugar, node) else desugar.expr(node)
    return _known(desugar, node)


def _evaluated_first(desugar: State, node: Any) -> Iterator[tuple[list[Any], int]]:
    """Where the operands stand in `zip(a, b)` and such."""
    for i, one in enumerate(node.args) if _combines(desugar, node) else ():
        if _combines(desugar, one):
            yield from _evaluated_first(desugar, one)
        elif not _stays(desugar, one):
            yield node.args, i


def _stays(desugar: State, node: Any) -> bool:
    """What computes its items in turn, or shows those of a dict that is known, is not evaluated."""
    return comprehensions.is_lazy(desugar, node) or held.views(desugar, node) is not None \
        or copies.views(desugar, node) is not None \
        or isinstance(node, gast.Call) and yielding.started(desugar, node) is not None


def _combines(desugar: State, node: Any) -> bool:
    """`enumerate(items)`, `zip(items, others)`, `reversed(items)`: the items are those of the operands."""
    if not isinstance(node, gast.Call) or not node.args or any(isinstance(a, gast.Starred) for a in node.args):
        return False
    fn = desugar.object(node.func)
    return fn in (reversed, iter) and len(node.args) == 1 and not node.keywords or fn is zip and not node.keywords \
        or fn is enumerate and len(node.args) + len(node.keywords) <= 2


def _known(desugar: State, node: Any) -> tuple[list[Any] | None, Any, list[ObjectValue]]:
    if _combines(desugar, node):
        return _combined(desugar, node, desugar.object(node.func))
    seen = held.views(desugar, node)
    if (shown := copies.views(desugar, node)) is not None:
        return shown, node, []
    return (seen[0], node, [seen[1]]) if seen is not None else _over(desugar, node)


def _over(desugar: State, new: Any) -> tuple[list[Any] | None, Any, list[ObjectValue]]:
    if isinstance(new, gast.Tuple | gast.List) and new.elts and list not in desugar.whole \
            and all(objects.constructs(kind := desugar.object(one)) and kind not in desugar.whole for one in new.elts):
        return list(new.elts), new, []                     # classes, of which objects are made
    value = objects.value_of(desugar, new)
    if value is None or value.path is not None:
        return None, new, []
    if value.kind in (list, tuple):
        return objects.items(desugar, value), new, [value]
    if value.kind is dict:
        return held.keys(value), new, [value]
    if is_named(value.kind):
        return [load(value.attributes[name]) for name in objects.fields_of(value.kind)], new, []
    found = member_of(value.kind, "__iter__")
    shown = None if found is None else yielding.attributes_shown(found[1])
    if shown is not None:
        return [desugar.expr(gast.Attribute(clone(new), name, gast.Load())) for name in shown], new, []
    if yielding.started(desugar, new) is not None:
        return None, new, []
    if found is None or found[0] != "method" or not desugar.inlines(found[1]):
        raise escaped(desugar, desugar.place, value)
    result = inlining.inline(desugar, found[1], [new], {})
    if isinstance(result, gast.Call) and desugar.object(result.func) is iter and len(result.args) == 1 \
            and not result.keywords:
        result = result.args[0]
    elif objects.value_of(desugar, result) is not None and sequence(desugar, result) is None:
        raise escaped(desugar, desugar.place, value)       # an iterator of its own
    return _over(desugar, result)


def _combined(desugar: State, node: gast.Call, fn: Any) -> tuple[list[Any] | None, Any, list[ObjectValue]]:
    """`enumerate(items)`, `zip(items, others)`, `reversed(items)`."""
    nodes = [*node.args, *(k.value for k in node.keywords)]
    found = [_known(desugar, one) for one in nodes]
    goes = [value for _, _, more in found for value in more]
    lists = [items if items is not None else known_items(desugar, one) for items, one, _ in found]
    if lists[0] is not None and any(items is not None for items, _, _ in found):
        lists = [items if items is None or one[0] is not None else apart(desugar, items)
                 for items, one in zip(lists, found, strict=True)]
    new = gast.copy_location(gast.Call(node.func, [one for _, one, _ in found[:len(node.args)]], [
        gast.keyword(k.arg, one) for k, (_, one, _) in zip(node.keywords, found[len(node.args):], strict=True)]), node)
    if lists[0] is None or not any(items is not None for items, _, _ in found):
        return None, new, goes
    if fn is enumerate:
        start = nodes[1] if len(nodes) > 1 else constant(0)
        if not is_literal(start) or type(literal(start)) is not int or any(k.arg != "start" for k in node.keywords):
            return None, new, goes
        return [tuple_of([constant(literal(start) + i), item]) for i, item in enumerate(lists[0])], new, goes
    if fn is zip:
        known = [items for items in lists if items is not None]
        if len(known) < len(lists):
            return None, new, goes
        return [tuple_of(list(row)) for row in zip(*known, strict=False)], new, goes
    return lists[0][::-1] if fn is reversed else lists[0], new, goes


def unpacked(desugar: State, node: Any) -> list[Any] | None:
    """The items that an evaluated object, which is made here, is unpacked to."""
    value = objects.value_of(desugar, node)
    return None if value is None or value.path is not None else _over(desugar, node)[0]


# ---------------------------------------------------------------------- loops
def loop(desugar: State, stmt: gast.For) -> bool:
    """`for item in items:`, with its body once for each item."""
    indices = held.counted(desugar, stmt)
    goes: list[ObjectValue] = []
    items: list[Any] | None
    named = False
    if indices is not None:
        items, stands = indices
    else:
        items, stmt.iter, goes = iterated(desugar, stmt.iter)
        if items is None and (named := by_name.asks(desugar, stmt.body, stmt.target)):
            items = by_name.displayed(desugar, stmt.iter)
        if items is None:
            return False
        stands = goes[0] if goes else ObjectValue(list, "")
    size = sum(1 for one in stmt.body for _ in gast.walk(one))
    if stmt.orelse or escapes_block(stmt.body) & {"break", "continue"} or size * len(items) > MOST \
            or _keeps(desugar, stmt.body, names_in(stmt.target)):
        raise escaped(desugar, stmt, stands)
    before = [_state(desugar, value) for value in goes]
    for item in items:
        body = [clone(one) for one in stmt.body]
        given = bound_to(desugar, stmt.target, item)
        if given is None:
            raise escaped(desugar, stmt, stands)
        inside = {name: value
                  for name, value in given.items() if name in desugar.loop_only and _is_steady(desugar, value)}
        kept = {name for name, value in given.items() if name not in inside and (
            named and _is_steady(desugar, value) or isinstance(desugar.object(value), type)
            or stands.place is not None and isinstance(value, gast.Constant))
                and name not in {n for one in body for n in writes(one)}}
        for name, value in given.items():
            if name not in inside:
                bound = desugar.placed(gast.copy_location(assign(name, clone(value)), stmt))
                bound.item = stands.place is not None
                desugar.statement(bound)
        for one in substituted(body, inside | {name: given[name] for name in kept}):
            desugar.statement(held.folded(one) if stands.place is not None else one)
        if [_state(desugar, value) for value in goes] != before:
            raise escaped(desugar, stmt, stands)           # Python's loop would see the new items
        if always_leaves(stmt.body):
            break
    return True


def _is_steady(desugar: State, node: Any) -> bool:
    """What stands for one value, whatever happens: a literal, an object, a function."""
    return is_literal(node) or isinstance(node, gast.Name) \
        and (node.id in desugar.objects or node.id in desugar.functions or node.id in desugar.cells) \
        or isinstance(desugar.object(node), type)


def _state(desugar: State, value: ObjectValue) -> list[Any]:
    return [(name, id(desugar.objects.get(variable))) for name, variable in value.attributes.items()]


def _keeps(desugar: State, body: list[Any], names: set[str]) -> bool:
    """A function in the body may read the loop's variables later, when they have other values."""
    late = (gast.Lambda, gast.GeneratorExp)
    return any(isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef))
               or isinstance(node, gast.Assign) and isinstance(node.value, late)
               or isinstance(node, late) and names & names_in(node) and not _consumed(desugar, node, body)
               for node in walk(body))


def _consumed(desugar: State, node: Any, body: list[Any]) -> bool:
    """A generator is the only argument of a builtin that takes all its items."""
    return isinstance(node, gast.GeneratorExp) and any(
        (row := desugar.scope.effects(part)).iterates and row.gives != "iterator" and part.args[:1] == [node]
        for part in walk(body))


def bound_to(desugar: State, target: Any, item: Any) -> dict[str, Any] | None:
    """What the names of a target are bound to; None where that is not known."""
    if isinstance(target, gast.Name):
        return {target.id: item}
    if not isinstance(target, (gast.Tuple, gast.List)) or any(isinstance(one, gast.Starred) for one in target.elts):
        return None
    items = known_items(desugar, item)
    if items is None and isinstance(item, gast.Name) and item.id in desugar.objects:
        items = _over(desugar, item)[0]
    if items is None or len(items) != len(target.elts):
        return None
    found: dict[str, Any] = {}
    for one, inner in zip(target.elts, items, strict=True):
        more = bound_to(desugar, one, inner)
        if more is None or set(more) & set(found):
            return None
        found.update(more)
    return found


# ---------------------------------------------------------------------- comprehensions, and what takes all items
def comprehension(desugar: State, node: Any) -> Any:
    """`[f(item) for item in items]`; None where it goes over what is not known."""
    found = _elements(desugar, node)
    if found is None:
        return None
    items = [steady(desugar, desugar.expr(one)) for one in found]
    place = desugar.key(node)
    if place in desugar.places:
        return attributes.built(desugar, list, {str(i): item for i, item in enumerate(items)},
                                desugar.places[place], place)
    return gast.copy_location(made(desugar, list, items), node)


def mapping(desugar: State, node: Any) -> Any:
    """`{name: getattr(p, name) for name in names}` over known items, where it names attributes, or a loop over it
    does."""
    place = desugar.key(node)
    if held.Shown not in desugar.whole and not by_name.maps(desugar, node) or place is None or place in desugar.whole:
        return None
    one = gast.copy_location(gast.ListComp(gast.Tuple([node.key, node.value], gast.Load()), node.generators), node)
    found, pairs = _elements(desugar, one), {}
    for pair in found if found is not None else ():
        key = desugar.expr(pair.elts[0])
        if not isinstance(key, gast.Constant) or not isinstance(key.value, str):
            raise escaped(desugar, node, ObjectValue(dict, "", place=place))
        pairs[repr(key.value)] = steady(desugar, desugar.expr(pair.elts[1]))
    return None if found is None else attributes.built(desugar, dict, pairs, "items", place)


def _elements(desugar: State, node: Any) -> Iterator[Any] | None:
    """The items of a comprehension one after the other, each to be evaluated before the next is asked for; None where
    it goes over what is not known, which is evaluated then."""
    first = node.generators[0]
    items, first.iter, goes = iterated(desugar, first.iter)
    if items is None and by_name.asks(desugar, [node.elt, *first.ifs], first.target):
        items = by_name.displayed(desugar, first.iter)
    return None if items is None else _each(desugar, node, items, goes)


def _each(desugar: State, node: Any, items: list[Any], goes: list[ObjectValue]) -> Iterator[Any]:
    first, rest = node.generators[0], node.generators[1:]
    stands = goes[0] if goes else ObjectValue(list, "")
    size = sum(1 for _ in gast.walk(node))
    if _keeps(desugar, [node.elt], names_in(first.target)) or len(items) * size > MOST \
            or any(isinstance(n, gast.NamedExpr) for n in walk(node)):
        raise escaped(desugar, node, stands)
    before = [_state(desugar, value) for value in goes]
    for item in items:
        given = bound_to(desugar, first.target, item)
        if given is None:
            raise escaped(desugar, node, stands)
        given = {name: value if _is_steady(desugar, value) else _item(desugar, value, name, stands)
                 for name, value in given.items()}
        inner = gast.ListComp(clone(node.elt), [clone(one) for one in rest]) if rest else clone(node.elt)
        shell = substituted([gast.Expr(gast.Tuple([*map(clone, first.ifs), inner], gast.Load()))], given)[0]
        tests, inner = shell.value.elts[:-1], shell.value.elts[-1]
        kept: Any = True
        for test in tests:
            kept = objects.truth(desugar, desugar.expr(test))
            if kept is None:
                raise escaped(desugar, node, stands)
            if not kept:
                break
        if not kept:
            continue
        if rest:
            more = _elements(desugar, inner)
            if more is None:
                raise escaped(desugar, node, stands)
            yield from more
        else:
            yield inner
        if [_state(desugar, value) for value in goes] != before:
            raise escaped(desugar, node, stands)


def _item(desugar: State, value: Any, name: str, stands: ObjectValue) -> gast.expr:
    """A name for an item; of containers under which arrays change it is marked."""
    kept = load(desugar.kept(value, name))
    if stands.place is not None and desugar.out:
        desugar.out[-1].item = True
    return kept


def called(desugar: State, node: gast.Call) -> Any:
    """`sum(items)`, `len(items)`, `list(items)` and such, over items that are known."""
    fn = desugar.object(node.func)
    which = 1 if fn is functools.reduce else 0
    if not any(fn is one for one in TAKING) or len(node.args) <= which \
            or len(node.args) > 1 and fn not in (sum, functools.reduce) \
            or any(isinstance(a, gast.Starred) for a in node.args) or list in desugar.whole or tuple in desugar.whole:
        return None
    f = node.args[0] if which else None
    arg = node.args[which]
    value = objects.value_at(desugar, arg) if fn is len or fn is bool else None
    if value is not None and not issubclass(value.kind, list | tuple | dict):
        return None                                        # its class says how long it is
    found: Any
    one = arg if isinstance(arg, gast.ListComp) else comprehensions.generator(desugar, arg)
    if one is not None:
        found = _elements(desugar, one)
        node.args[which] = one                             # what it goes over is evaluated
    else:
        found, arg, goes = iterated(desugar, arg)
        if (fn is list or fn is tuple) and goes and goes[0].place is not None \
                and objects.value_of(desugar, arg) is goes[0]:
            found = None                                   # a copy, as that of a dict
        node.args[which] = arg
        found = known_items(desugar, arg) if found is None and f is not None and isinstance(arg, gast.BinOp) else found
    if found is None or fn is bool:
        return None
    if fn is sum or f is not None:
        return _folded(desugar, node, fn, f and functions.steady(desugar, f), found)
    items = found if isinstance(found, list) else [steady(desugar, desugar.expr(item)) for item in found]
    if fn is len:
        return constant(len(items))
    if fn is list or fn is tuple:
        return made(desugar, fn, apart(desugar, items))
    node.args[0] = gast.List(items, gast.Load())
    return None


def _folded(desugar: State, node: gast.Call, fn: Any, f: Any, found: Any) -> Any:
    """`sum(items, start)` and `reduce(f, items, start)`."""
    given = node.args[1 if fn is sum else 2:] + [k.value for k in node.keywords]
    value = steady(desugar, desugar.expr(given[0])) if given else constant(0) if fn is sum else None
    for item in found:
        if value is None:
            value = steady(desugar, desugar.expr(item))
            continue
        step = gast.BinOp(value, gast.Add(), item) if fn is sum else gast.Call(f, [value, item], [])
        value = steady(desugar, desugar.expr(desugar.placed(gast.copy_location(step, node))))
    if value is None:
        raise desugar.refused(node, "reduce has no items here, and no start: Python raises an error",
                              "a start, as the third argument")
    return value

