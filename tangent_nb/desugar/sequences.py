"""Lists and tuples that hold objects, as variables: one for each item, as for the attributes of an object.

Needs a list or tuple of which the text says how many items it has. Promises an object of the class `list` or `tuple`,
whose attributes "0", "1", … are its items. One whose length is decided when the function runs is no such sequence
(`rows.py`).

    p = [Line(a, b), x]           line_slope = a
    p[0].slope + p[1]      →      line_offset = b
                                  items_1 = x
                                  line_slope + items_1
"""
from __future__ import annotations

from typing import Any

import gast

from ..rules import method_row
from ..syntax.building import load
from ..syntax.nodes import is_literal, literal, names_in
from . import arguments, attributes, comprehensions, functions, held, objects, rows
from .objects import escaped, sequence
from .state import State
from .values import ObjectValue


class Empty:
    """Stands, among the classes that a text was written again for,
    for empty lists: objects are appended to one of them."""


def display(desugar: State, node: Any) -> Any:
    """`[a, *bs]` and `(a, b)`; None where none of the items, which are evaluated then, is an object."""
    if desugar.places and desugar.key(node) in desugar.places:
        return held.display(desugar, node)
    if isinstance(node, gast.Dict):
        return held.shown(desugar, node)
    if hasattr(node, "star") and (items := held.shown(desugar, node)) is not None:
        return items
    kind = list if isinstance(node, gast.List) else tuple
    if kind in desugar.whole:
        return None
    if not node.elts:
        return attributes.built(desugar, kind, {}) if kind is list and Empty in desugar.whole else None
    stars = [item for item in node.elts if isinstance(item, gast.Starred)]
    if stars and not any(names_in(star) & desugar.objects.keys() for star in stars):
        return None
    node.elts, _ = arguments.evaluated(desugar, gast.Call(load("%list"), list(node.elts), []))
    plain = any(isinstance(item, gast.Starred) for item in node.elts) \
        or not any(objects.value_of(desugar, item) for item in node.elts)
    return None if plain else made(desugar, kind, node.elts)


def made(desugar: State, kind: type, items: list[Any], like: ObjectValue | None = None) -> Any:
    """A list or tuple of evaluated items. like: what they are items of."""
    if like is not None and like.place is not None:
        return attributes.built(desugar, kind, {str(i): item for i, item in enumerate(items)}, like.base, like.place)
    if kind in desugar.whole or not any(isinstance(item, gast.Name) and item.id in desugar.objects for item in items):
        return gast.List(items, gast.Load()) if kind is list else gast.Tuple(items, gast.Load())
    return attributes.built(desugar, kind, {str(i): item for i, item in enumerate(items)})


def place(value: ObjectValue, index: Any) -> int | slice | None:
    """What an index that is written down takes of a sequence."""
    if isinstance(index, gast.Slice):
        bounds = [index.lower, index.upper, index.step]
        if any(one is not None and not (is_literal(one) and isinstance(literal(one), (int, type(None))))
               for one in bounds):
            return None
        return slice(*(None if one is None else literal(one) for one in bounds))
    found = objects.item(value, index)
    return None if found is None else int(found)


def subscript(desugar: State, value: ObjectValue, index: Any) -> Any:
    """`items[0]`, `items[1:]`; None where that is not known."""
    if value.kind is dict:
        key = objects.item(value, index)
        return objects.held(desugar, value.attributes[key]) if key is not None and key in value.attributes else None
    where, items = place(value, index), objects.items(desugar, value)
    if where is None:
        return None
    return made(desugar, value.kind, apart(desugar, items[where]), value) if isinstance(where, slice) else items[where]


def apart(desugar: State, items: list[Any]) -> list[Any]:
    """Items as they are now: variables may get other values."""
    return [steady(desugar, item) for item in items]


def steady(desugar: State, item: Any) -> Any:
    """The same of one."""
    is_object = isinstance(item, gast.Name) and item.id in desugar.objects
    stays = is_object or is_literal(item) or functions.is_value(desugar, item)
    return item if stays else load(desugar.kept(desugar.expr(item), "item"))


def operator(desugar: State, node: gast.BinOp) -> Any:
    """`items + [c]` and `[a, b] * 2`, evaluated; None where that is not known."""
    left, right = sequence(desugar, node.left), sequence(desugar, node.right)
    if isinstance(node.op, gast.Mult) and left is not None and is_literal(node.right) \
            and type(literal(node.right)) is int:
        return made(desugar, left.kind,
                    apart(desugar, objects.items(desugar, left)) * max(literal(node.right), 0), left)
    if not isinstance(node.op, gast.Add) or left is None and right is None:
        return None
    found = [known_items(desugar, one) for one in (node.left, node.right)]
    kinds = {one.kind if one is not None else type(side) for one, side in ((left, node.left), (right, node.right))}
    items = [item for one in found if one is not None for item in one]
    if None in found or not (kinds <= {list, gast.List} or kinds <= {tuple, gast.Tuple}):
        return None
    return made(desugar, list if kinds <= {list, gast.List} else tuple, apart(desugar, items), left or right)


def changed(desugar: State, stmt: gast.Expr) -> bool:
    """`items.append(a)` and `items.extend([a, b])`, as statements."""
    node: Any = stmt.value
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and len(node.args) == 1
            and (row := method_row(list, node.func.attr)) is not None and row.fills and not node.keywords):
        return False
    base = desugar.expr(node.func.value)
    value, new = sequence(desugar, base), node.args[0]
    with desugar.before(*([] if isinstance(base, gast.Name) else [base])) as kept:
        if not comprehensions.is_lazy(desugar, new):
            new = node.args[0] = desugar.next(new)
    node.func.value = kept[0] if kept else base
    if value is None or value.kind is not list:
        one = objects.value_of(desugar, new)
        if node.func.attr == "append" and one is not None and isinstance(base, gast.Name) \
                and (desugar.nested() or base.id in desugar.rows) and rows.can_be_put(desugar, base.id, one):
            rows.put(desugar, base.id, one)
            return True
        if one is not None and one.path is None and one.place is None and Empty not in desugar.whole \
                and list not in desugar.whole and objects.value_of(desugar, base) is None:
            raise objects.EscapeError(escaped(desugar, stmt, one), ObjectValue(Empty, ""))
        return False
    items = [new] if node.func.attr == "append" else known_items(desugar, new)
    if desugar.nested() or items is None:
        raise escaped(desugar, stmt, value)
    for item in apart(desugar, items):
        attributes.write(desugar, value, str(len(value.attributes)), item)
    return True


def known_items(desugar: State, node: Any) -> list[Any] | None:
    """The items of an evaluated list or tuple."""
    value = sequence(desugar, node)
    if value is not None:
        return objects.items(desugar, value)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult) and isinstance(node.left, gast.List) \
            and is_literal(node.right) and type(literal(node.right)) is int \
            and all(isinstance(one, (gast.Name, gast.Constant)) for one in node.left.elts):
        return list(node.left.elts) * literal(node.right) if literal(node.right) * len(node.left.elts) < 20 else None
    return list(node.elts) if isinstance(node, (gast.List, gast.Tuple)) \
        and not any(isinstance(e, gast.Starred) for e in node.elts) else None
