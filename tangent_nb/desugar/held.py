"""Lists, tuples and dicts under which arrays change, as variables: one for each item. Then each array has one name.

Scalar replacement, as of objects (`attributes.py`): an item that is stored is a variable that is bound again, and the
array in it is what that variable holds. `under.py` says which containers these are: the text says how many items they
have, and nothing takes them for values.

Needs a text in which the places of the displays are known. Promises objects of the classes `list`,
`tuple` and `dict` in their stead.

    state = [u, x * y]                state_0 = u
    state[0][1:] += state[1][:-1]  →  state_1 = x * y
    for a in state:                   state_0[1:] += state_1[:-1]
        a *= 2.0                      a = state_0
                                      a *= 2.0
                                      …
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..analyse.activity import dict_view
from ..rules import lookup
from ..syntax.building import assign, clone, constant, load, store, tuple_of
from ..syntax.nodes import is_literal, literal, nodes_in, walk
from . import attributes, objects
from .objects import escaped
from .scopes import substituted
from .state import State
from .values import ObjectValue

FEW = 8                # items of a list that a comprehension over a range makes, trips of a loop over its places


def display(desugar: State, node: Any) -> Any:
    """The object that stands for a display, evaluated item by item."""
    base, place = desugar.places[desugar.key(node)], desugar.key(node)
    if isinstance(node, gast.Dict) and not all(key is not None and is_literal(key) for key in node.keys):
        raise objects.EscapeError(escaped(desugar, node, ObjectValue(dict, "")), ObjectValue(dict, "", place=place))
    if isinstance(node, gast.Dict):
        names = [repr(literal(key)) for key in node.keys]
        items = desugar.operands(node.values)
    elif isinstance(node, gast.Call):
        names, items = [repr(k.arg) for k in node.keywords], desugar.operands([k.value for k in node.keywords])
    else:
        items = desugar.operands(node.elts)
        names = [str(i) for i in range(len(items))]
    if len(set(names)) < len(names):
        raise objects.EscapeError(escaped(desugar, node, ObjectValue(list, "")), ObjectValue(list, "", place=place))
    kind = dict if isinstance(node, (gast.Dict, gast.Call)) else list if isinstance(node, gast.List) else tuple
    return attributes.built(desugar, kind, dict(zip(names, items, strict=True)), base, place)


class Shown:
    """Stands, among the classes that a text was written again for, for dicts that are written down, and for what stars
    take: a loop over one names attributes by its items."""


def shown(desugar: State, node: Any) -> Any:
    """The object that stands for such a dict, or for what a star takes; None where it stays."""
    place = desugar.key(node)
    if Shown not in desugar.whole or place is None or place in desugar.whole \
            or not all(isinstance(key, gast.Constant) and isinstance(key.value, str)
                       for key in getattr(node, "keys", [])):
        return None
    desugar.places.setdefault(place, "items")
    return display(desugar, node)


def by_keywords(desugar: State, node: Any) -> bool:
    """`dict(u=x, v=y)`."""
    return isinstance(node, gast.Call) and desugar.scope.builtin(node) == "dict" and not node.args \
        and bool(node.keywords) and all(k.arg is not None for k in node.keywords)


def comprehension(desugar: State, node: Any) -> Any:
    """`[A[i] for i in range(3)]`, item by item."""
    base, place, one = desugar.places[desugar.key(node)], desugar.key(node), node.generators[0]
    items: list[Any] = []
    for i in indices(desugar, one.iter) or ():
        shell: Any = substituted([gast.Expr(clone(node.elt))], {one.target.id: constant(i)})[0]
        new = desugar.expr(folded(shell.value))
        items.append(new if is_literal(new) or isinstance(new, gast.Name) and new.id in desugar.objects
                     else load(desugar.kept(new, "item")))
    return attributes.built(desugar, list, {str(i): item for i, item in enumerate(items)}, base, place)


def counts(desugar: State, node: gast.ListComp) -> bool:
    """A comprehension over a range that is written down."""
    return indices(desugar, node.generators[0].iter) is not None and len(node.generators) == 1 \
        and not node.generators[0].ifs and isinstance(node.generators[0].target, gast.Name) \
        and not any(isinstance(part, (gast.Lambda, gast.GeneratorExp, gast.NamedExpr)) for part in nodes_in(node.elt))


def indices(desugar: State, node: Any) -> range | None:
    """`range(3)`, of numbers that are written down, and few."""
    if desugar.scope.builtin(node) != "range" or not 1 <= len(node.args) <= 3 or node.keywords:
        return None
    bounds: list[Any] = [literal(arg) if is_literal(arg) else None for arg in node.args]
    if not all(type(one) is int for one in bounds) or len(bounds) == 3 and not bounds[2]:
        return None
    found = range(*bounds)
    return found if len(found) <= FEW else None


def counted(desugar: State, stmt: Any) -> tuple[list[Any], ObjectValue] | None:
    """The indices of a loop whose body takes items of what is known by them, and that container."""
    if not desugar.places or not isinstance(stmt.target, gast.Name):
        return None
    if isinstance(stmt.iter, (gast.Tuple, gast.List)) \
            and all(isinstance(item, gast.Constant) for item in stmt.iter.elts):
        items = list(stmt.iter.elts)
    else:
        found = indices(desugar, _with_lengths(desugar, stmt.iter))
        if found is None:
            return None
        items = [constant(i) for i in found]
    for part in nodes_in(gast.Module(stmt.body, [])):
        if isinstance(part, gast.Subscript) \
                and any(isinstance(n, gast.Name) and n.id == stmt.target.id for n in nodes_in(part.slice)):
            value = _held_at(desugar, part.value)
            if value is not None:
                return items, value
    return None


def _held_at(desugar: State, node: Any) -> ObjectValue | None:
    """The container on a path, whichever of its items is taken: `rows` of `rows[i][j]`."""
    while isinstance(node, gast.Subscript) and container(desugar, node) is None:
        node = node.value
    return container(desugar, node)


def _with_lengths(desugar: State, node: Any) -> Any:
    """`range(2)` for `range(len(state))`."""
    node = clone(node)
    for i, arg in enumerate(node.args if isinstance(node, gast.Call) else ()):
        if isinstance(arg, gast.Call) and desugar.object(arg.func) is len and len(arg.args) == 1 \
                and (value := container(desugar, arg.args[0])) is not None:
            node.args[i] = constant(len(value.attributes))
    return node


def container(desugar: State, node: Any) -> ObjectValue | None:
    """The container that a path is, before it is evaluated: `state`, `self.parts`, `d["u"]`."""
    value = objects.value_at(desugar, node)
    return value if value is not None and value.place is not None else None


def folded(node: Any) -> Any:
    """An expression with the sums of numbers in its indices computed: `L[1 + 1]` as `L[2]`."""
    for part in nodes_in(node):
        if isinstance(part, gast.Subscript):
            part.slice = objects.number(part.slice)
    return node


def variable(desugar: State, node: Any) -> str | None:
    """The variable of an item, `state[0]`; None where it is none, or holds a container itself."""
    if not isinstance(node, gast.Subscript):
        return None
    value = container(desugar, node.value)
    key = None if value is None else objects.item(value, node.slice)
    name = None if value is None or key is None else value.attributes.get(key)
    return None if name is None or name in desugar.objects or name in desugar.functions else name


def spelled(desugar: State, node: Any) -> Any:
    """An evaluated value with the containers in it written down as they are now."""
    value = objects.value_of(desugar, node) if isinstance(node, gast.Name) else None
    if value is not None and value.place is not None:
        items = [spelled(desugar, load(value.attributes[name])) for name in value.attributes]
        if value.kind is dict:
            return gast.Dict(keys(value), items)
        return gast.List(items, gast.Load()) if value.kind is list else gast.Tuple(items, gast.Load())
    if isinstance(node, (gast.Tuple, gast.List)):
        node.elts = [spelled(desugar, item) for item in node.elts]
    return node


def read_by_items(desugar: State, stmt: gast.stmt) -> None:
    """A statement that reads a container as a value: it has to be one."""
    for part in nodes_in(stmt) if not getattr(stmt, "defines", "") else ():
        value = desugar.objects.get(part.id) \
            if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load) else None
        if value is not None and value.place is not None:
            raise escaped(desugar, part, value)


def given(desugar: State, node: gast.Call) -> gast.Call:
    """A call that only reads what it is given, of items instead of the container.
    A list in what it gives back would have to stay that list."""
    row = lookup(desugar.object(node.func))
    if row is not None:
        for arg in node.args if row.memory != "fresh" else ():
            for one in _within(desugar, arg):
                raise escaped(desugar, node, one)
        node.args = [spelled(desugar, arg) for arg in node.args]
    return node


def _within(desugar: State, node: Any) -> Iterator[ObjectValue]:
    """The lists and dicts in a container, or in a display of containers."""
    value = objects.value_of(desugar, node) if isinstance(node, gast.Name) else None
    items: list[Any] = [load(name) for name in value.attributes.values()] if value is not None \
        and value.place is not None else list(node.elts) if isinstance(node, (gast.Tuple, gast.List)) else []
    for item in items:
        held = objects.value_of(desugar, item) if isinstance(item, gast.Name) else None
        if held is not None and held.place is not None and held.kind is not tuple:
            yield held
        yield from _within(desugar, item)


def _buffers(desugar: State, target: Any, value: Any) -> bool:
    """`old, new = new, old` in a loop, of containers that have one name each: what they hold changes places."""
    names = [one.id if isinstance(one, gast.Name) else "" for one in [*target.elts, *value.elts]]
    held: list[Any] = [desugar.objects.get(name) for name in names]
    half = len(target.elts)
    if not desugar.nested() or sorted(names[:half]) != sorted(names[half:]) or len(set(names[:half])) < half \
            or any(one is None or one.place is None or one.kind is not held[0].kind
                   or list(one.attributes) != list(held[0].attributes) or one.holders != {name}
                   or any(v in desugar.objects or v in desugar.functions for v in one.attributes.values())
                   for one, name in zip(held, names, strict=True)):
        return False
    pairs = [(to.attributes[key], of.attributes[key]) for to, of in zip(held[:half], held[half:], strict=True)
             for key in to.attributes]
    desugar.emit(assign(tuple_of([store(to) for to, _ in pairs], write=True), tuple_of([load(of) for _, of in pairs])))
    return True


def exchanged(desugar: State, stmt: gast.Assign) -> bool:
    """`state[0], state[1] = state[1], state[0]`: as the variables."""
    target, value = stmt.targets[0], stmt.value
    if len(stmt.targets) != 1 or not isinstance(target, gast.Tuple) or not isinstance(value, gast.Tuple) \
            or len(target.elts) != len(value.elts):
        return False
    if _buffers(desugar, target, value):
        return True
    new = [one.id if isinstance(one, gast.Name) and one.id not in desugar.objects else variable(desugar, one)
           for one in target.elts]
    known = [variable(desugar, one) for one in target.elts]
    if None in new or not any(known) or any(isinstance(part, gast.NamedExpr) for part in nodes_in(value)):
        return False
    values = [variable(desugar, one) for one in value.elts]
    items = [load(name) if name is not None else one for name, one in zip(values, value.elts, strict=True)]
    if any(objects.value_at(desugar, one) or objects.made_by(desugar, one) for one in items):
        return False
    held = [container(desugar, one.value) for one in target.elts if isinstance(one, gast.Subscript)]
    if any(one is None or one.kind is tuple for one in held):
        return False
    stmt.targets = [gast.copy_location(
        gast.Tuple([gast.Name(name, gast.Store(), None, None) for name in new], gast.Store()), target)]
    stmt.value = gast.copy_location(gast.Tuple(desugar.operands(items), gast.Load()), value)
    desugar.emit(stmt)
    return True


def copy(desugar: State, kind: type, value: ObjectValue) -> Any:
    """Another container of the same items: `state.copy()`, `dict(d)`, `list(state)` and `tuple(state)`."""
    return attributes.built(desugar, kind, {name: objects.held(desugar, variable)
                                            for name, variable in value.attributes.items()}, value.base, value.place)


def taken_apart(desugar: State, stmt: gast.Assign) -> bool:
    """`a, b = state`, written one by one."""
    target: Any = stmt.targets[0]
    items: Any = stmt.value
    if not desugar.places or len(stmt.targets) != 1 or len(target.elts) != len(items.elts):
        return False
    names = [one.id if isinstance(one, gast.Name) else "" for one in [*target.elts, *items.elts]]
    if not all(names) or len(set(names)) < len(names) or set(names[:len(target.elts)]) & set(desugar.objects):
        return False
    for one, item in zip(target.elts, items.elts, strict=True):
        desugar.statement(desugar.placed(gast.copy_location(gast.Assign([one], item, None), stmt)))
    return True


def repeats(desugar: State, node: gast.BinOp) -> bool:
    """`[0.0] * 3`, of literals: no name is needed for what is the same."""
    left: Any = node.left
    # `[[0.0]] * 3` is one list three times
    return isinstance(node.op, gast.Mult) and isinstance(left, (gast.List, gast.Tuple)) \
        and desugar.key(left) in desugar.places and all(map(is_literal, left.elts)) and is_literal(node.right) \
        and type(literal(node.right)) is int and not any(isinstance(part, gast.List) for part in walk(left.elts))


def repeated(node: Any) -> Any:
    """The display of all items of `[0.0] * 3`."""
    node.left.elts = [clone(item) for _ in range(literal(node.right)) for item in node.left.elts]
    return node.left


def views(desugar: State, node: Any) -> tuple[list[Any], ObjectValue] | None:
    """The items of `d.items()`, `d.keys()` and `d.values()`."""
    value = container(desugar, node.func.value) if dict_view(node) else None
    if value is None or value.kind is not dict:
        return None
    what, known, items = node.func.attr, keys(value), objects.items(desugar, value)
    pairs = [tuple_of(pair) for pair in zip(known, items, strict=True)]
    return known if what == "keys" else items if what == "values" else pairs, value


def keys(value: ObjectValue) -> list[Any]:
    """The keys of a dict, as literals."""
    return [gast.parse(key, mode="eval").body for key in value.attributes]
