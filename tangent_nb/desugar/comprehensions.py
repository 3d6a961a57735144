"""Comprehensions as loops.

    [v * w for v in x if v > 0]      →      items = []
                                            for v in x:
                                                if v > 0:
                                                    items.append(v * w)
"""
from __future__ import annotations

import builtins
import itertools
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.activity import varied_names
from ..analyse.effects import is_pure_function
from ..rules import effects_of
from ..syntax.building import assign, call, clone, constant, load, store, subscript, tuple_of
from ..syntax.nodes import names_in, nodes_in, stores
from . import objects, parts, yielding
from .purity import computes
from .scopes import COMPREHENSIONS, located, own, renamed, targets
from .state import State
from .values import Container

ENDLESS, FINITE = "it goes on for ever, and all its items are asked for", \
    "as many as are needed, islice(..., n); or a loop that breaks"


def takes_all(fn: Any) -> bool:
    """A function that goes over all items of what it is given: `sum`, `list`."""
    row = effects_of(fn)
    return fn is np.sum or row is not None and row.owner is None and row.exhausts and "fn" not in row.calls


def unrolls(desugar: State, node: Any) -> bool:
    """A comprehension has to be a loop: what it makes carries a derivative, or it binds a name of the function, or
    stores in something."""
    if any(isinstance(part, gast.NamedExpr) for part in nodes_in(node)):
        return True
    if isinstance(node, gast.SetComp):
        return False
    if any(yielding.started(desugar, one.iter) is not None for one in node.generators):
        return True
    if any(stores([one.target]) for one in node.generators):
        return True
    if isinstance(node, gast.ListComp) and objects.made_by(desugar, node.elt) is not None:
        return True
    calls = [part for one in _elements(node) for part in own(one) if isinstance(part, gast.Call)]
    called = [desugar.functions.get(getattr(one, "id", "")) for call in calls for one in (call.func, *call.args[:1])]
    return desugar.carries(node) or any(desugar.carries(one) or getattr(one, "id", "") in desugar.objects
                                        for fn in called if fn is not None for one in fn.bound)


def is_endless(desugar: State, node: Any) -> bool:
    """`count()`, `cycle(xs)`, `repeat(v)`."""
    if not isinstance(node, gast.Call):
        return False
    fn = desugar.object(node.func)
    return fn is itertools.count or fn is itertools.cycle \
        or fn is itertools.repeat and len(node.args) == 1 and not node.keywords


def is_lazy(desugar: State, node: Any) -> bool:
    """Its items are computed when they are asked for."""
    return isinstance(node, gast.GeneratorExp) \
        or isinstance(node, gast.Call) and desugar.scope.effects(node).gives == "iterator"


def unroll(desugar: State, node: Any, name: str = "") -> gast.Name:
    """Emit the loops of a comprehension; the name of what they make."""
    for one in node.generators:
        if is_endless(desugar, one.iter):
            raise desugar.refused(one.iter, ENDLESS, FINITE)
    carries = desugar.carries(node)
    node = apart(desugar, node)
    first = node.generators[0].iter
    first = first if _in_turn(desugar, node, name) or _starts(desugar, first) or _of_rows(desugar, first) \
        else desugar.expr(first)
    result = name or desugar.temporary("items")
    if not name:
        desugar.once.add(result)
        desugar.makes(result, Container(dict if isinstance(node, gast.DictComp) else list))
        desugar.varied.update({result} if carries else ())
    if isinstance(node, gast.DictComp):
        desugar.emit(assign(result, gast.Dict([], [])))
        key, first_key = _key(desugar, node.key)
        body: list[gast.stmt] = [*first_key, gast.Assign([subscript(result, key, write=True)], node.value, None)]
    else:
        start = gast.List([], gast.Load())
        start.comprehension = node
        desugar.emit(assign(result, start))
        body = [parts.append(result, node.elt)]
    node.generators[0].iter = first
    loop = nested(node.generators, body)
    if carries:                                            # its variables too, for the comprehensions in it
        desugar.varied |= varied_names(gast.Module([loop], []), desugar.varied, desugar.scope)
    desugar.statement(desugar.placed(loop))
    return load(result)


def _starts(desugar: State, node: Any) -> bool:
    """A generator is started in what is gone over, whose items are computed when they are asked for."""
    return any(yielding.started(desugar, part) is not None for part in nodes_in(node) if isinstance(part, gast.Call)) \
        or yielding.started(desugar, node) is not None


def _of_rows(desugar: State, node: Any) -> bool:
    """A generator goes over a list of objects, whose variables its items read."""
    one = generator(desugar, node)
    return one is not None and any(isinstance(part, gast.Name) and part.id in desugar.rows for part in nodes_in(one))


def _in_turn(desugar: State, node: Any, name: str) -> bool:
    """What a comprehension goes over may have to be computed item by item: its own items bind names,
    or do more than compute."""
    first = node.generators[0].iter
    inside = [part for one in [*_elements(node), *(test for goes in node.generators for test in goes.ifs)]
              for part in nodes_in(one)]
    return name not in names_in(first) and any(generator(desugar, part) is not None for part in nodes_in(first)) \
        and any(isinstance(part, gast.NamedExpr)
                or isinstance(part, gast.Call) and not is_pure_function(desugar.object(part.func)) for part in inside)


def _key(desugar: State, node: Any) -> tuple[gast.expr, list[gast.stmt]]:
    """The key of a dict comprehension, which is evaluated before the value: under a name where that could be told
    apart."""
    if not any(isinstance(part, (gast.Call, gast.NamedExpr)) for part in nodes_in(node)):
        return node, []
    name = desugar.temporary("key")
    return load(name), [assign(name, node)]


def nested(generators: Sequence[Any], body: list[gast.stmt]) -> gast.stmt:
    """The loops and branches of a comprehension around a body."""
    for one in reversed(generators):
        for test in reversed(one.ifs):
            body = [gast.If(test, body, [])]
        body = [gast.For(one.target, one.iter, body, [], None)]
    return body[0]


def apart(desugar: State, node: Any) -> Any:
    """The comprehension with names of its own for its variables, where the function has these names too."""
    mine = targets(node)
    inner = {id(part) for part in nodes_in(node)} - {id(part) for part in nodes_in(node.generators[0].iter)}
    others = {part.id for part in nodes_in(desugar.tree) if isinstance(part, gast.Name) and id(part) not in inner} \
        | set(desugar.local)
    others |= {name for one in [*node.generators[1:], *_elements(node)]
               for part in nodes_in(one) if isinstance(part, COMPREHENSIONS) for name in targets(part)}
    taken = {name: desugar.temporary(name) for name in sorted(mine & others)}
    desugar.local.update(mine - others)
    own_names(node, taken)
    made = desugar.structures.names
    made.update((taken[name], made[name]) for name in taken.keys() & made.keys())
    desugar.loop_only |= targets(node)
    return node


def _elements(node: Any) -> list[Any]:
    return [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]


def generator(desugar: State, node: Any) -> gast.GeneratorExp | None:
    """`map(f, xs)`, `filter(f, xs)` and such as generator expressions, and `zip(...)` and `enumerate(...)` of one."""
    if isinstance(node, gast.GeneratorExp):
        return node
    fn = desugar.object(node.func) if isinstance(node, gast.Call) and node.args else None
    if fn is None or any(isinstance(a, gast.Starred) for a in node.args) or node.keywords and fn is not enumerate:
        return None
    if fn is zip or fn is enumerate:
        if any(yielding.started(desugar, one) is not None for one in node.args):
            return None                                    # what is beside it is computed when it is its turn
        return _side_by_side(desugar, node, node.args if fn is zip else node.args[:1])
    if fn is builtins.map and len(node.args) > 1:
        names = [desugar.names.new("v") for _ in node.args[1:]]
        pairs = "zip" if desugar.object(load("zip")) is zip else "%zip"
        goes = node.args[1] if len(names) == 1 else gast.Call(load(pairs), node.args[1:], [])
        target = store(names[0]) if len(names) == 1 else tuple_of(map(store, names), write=True)
        return _generated(node, gast.Call(node.args[0], list(map(load, names)), []), target, goes, [])
    if fn is builtins.filter and len(node.args) == 2:
        name = desugar.names.new("v")
        nothing = isinstance(node.args[0], gast.Constant) and node.args[0].value is None
        test = load(name) if nothing else gast.Call(node.args[0], [load(name)], [])
        return _generated(node, load(name), store(name), node.args[1], [test])
    if fn is itertools.starmap and len(node.args) == 2:
        name = desugar.names.new("v")
        return _generated(node, gast.Call(node.args[0], [gast.Starred(load(name), gast.Load())], []), store(name),
                          node.args[1], [])
    return None


def _side_by_side(desugar: State, node: gast.Call, goes: list[Any]) -> gast.GeneratorExp | None:
    """`enumerate(v * k for v in xs)` as `((i, v * k) for i, v in enumerate(xs))`;
    the last item of one may be computed in vain."""
    found = [generator(desugar, one) for one in goes]
    if not any(found) or any(one is not None and (len(one.generators) > 1 or one.generators[0].ifs) for one in found) \
            or any(one is not None and not computes(desugar, one.elt, ()) for one in found[:-1]):
        return None
    places = [desugar.names.new("i")] if desugar.object(node.func) is enumerate else []
    bound: list[Any] = [*map(store, places)]
    items: list[Any] = [*map(load, places)]
    first: list[Any] = []
    for i, one in enumerate(found):
        if one is None:
            name = desugar.names.new("v")
            one = gast.GeneratorExp(load(name), [gast.comprehension(store(name), goes[i], [], 0)])
        else:
            others = targets(one) & names_in([*goes[:i], *goes[i + 1:], *bound])
            one = own_names(clone(one), {name: desugar.names.new(name) for name in others}) if others else one
        bound.append(one.generators[0].target)
        items.append(one.elt)
        first.append(one.generators[0].iter)
    over = gast.Call(node.func, [*first, *node.args[len(goes):]], node.keywords)
    return _generated(node, tuple_of(items), tuple_of(bound, write=True), gast.copy_location(over, node), [])


def own_names(node: Any, taken: dict[str, str]) -> Any:
    """The comprehension with other names for its variables; what it goes over first is around it."""
    first = node.generators[0].iter
    node.generators[0].iter = constant(None)
    renamed(node, taken)
    node.generators[0].iter = first
    return node


def _generated(like: Any, elt: gast.expr, target: gast.expr, goes: gast.expr,
               ifs: list[gast.expr]) -> gast.GeneratorExp:
    return located(gast.GeneratorExp(elt, [gast.comprehension(target, goes, ifs, 0)]), like)


def as_list(desugar: State, node: Any) -> gast.ListComp | None:
    """What is gone over once, from the first item to the last, as a list."""
    one = generator(desugar, node)
    if one is None:
        return None
    made = gast.ListComp(one.elt, one.generators)
    return made if unrolls(desugar, made) else None


def joined(desugar: State, node: Any) -> Any:
    """`[a, *xs, b]`."""
    if isinstance(node, gast.Set):
        return node
    result = desugar.temporary("items")
    desugar.makes(result, Container(list))
    desugar.varied.update({result} if desugar.carries(node) else ())
    desugar.statement(desugar.placed(assign(result, gast.List([], gast.Load()))))
    for item in node.elts:
        if isinstance(item, gast.Starred):
            parts.extend(desugar, load(result), item.value)
        else:
            desugar.statement(desugar.placed(parts.append(result, item)))
    return desugar.expr(desugar.placed(call("%tuple", result) if isinstance(node, gast.Tuple) else load(result)))
