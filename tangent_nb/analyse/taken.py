"""Items that may be keys: what only stands for something that was taken from a container.

Whether `name` carries a derivative in `for name, v in pairs` nobody knows before the items are there. As an index, or
as a key, it must not; that is asked when it runs (`rt.as_key`). A number that is computed, or a parameter, is refused
beforehand.

    for name, v in pairs:              name: an item
        total += weights[name] * v     weights[rt.as_key(name)]
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from ..rules import FIELD, GET, lookup_method
from ..syntax.nodes import name_nodes, nodes_of, walk
from .flow import mutation
from .resolve import Scope


def items_only(tree: Any, parameters: Iterable[str]) -> set[str]:
    """The names that are bound to nothing but items: by loops, by taking something apart, by an index, or by `pop`."""
    items: list[Any] = []
    for node in walk(tree):
        if isinstance(node, (gast.For, gast.comprehension)):
            items.append(node.target)
        elif isinstance(node, gast.Assign):
            items += [target for target in node.targets
                      if isinstance(target, (gast.Tuple, gast.List)) or isinstance(node.value, gast.Subscript)
                      or (mutation(node) or ("",))[0] == "pop"]
    taken = {id(name): name.id for target in items for name in name_nodes(target)
             if not isinstance(name.ctx, gast.Load)}
    others = {node.id for node in walk(tree) if isinstance(node, gast.Name)
              and not isinstance(node.ctx, gast.Load) and id(node) not in taken}
    return set(taken.values()) - others - set(parameters)


def is_item(node: gast.expr, items: set[str]) -> bool:
    """Only items, parts of something, and what an object gives that is known when it runs, are in an index or a
    key."""
    if isinstance(node, gast.Name):
        return node.id in items
    if isinstance(node, (gast.Tuple, gast.List)):
        return all(is_item(one, items) for one in node.elts)
    if isinstance(node, gast.BinOp):
        return is_item(node.left, items) and is_item(node.right, items)
    return isinstance(node, (gast.Subscript, gast.Constant)) or hasattr(node, "of_object")


def taken_as_keys(body: list[Any], parameters: Iterable[str],
                  active: Callable[[gast.expr], bool]) -> list[gast.expr]:
    """The indices and keys that may carry a derivative, and are items."""
    found = [part for node in nodes_of(body, gast.Subscript, gast.Dict, gast.Call)
             for part in keys_of(node) if active(part) and (not isinstance(node, gast.Call) or active(node.func.value))]
    items = items_only(body, parameters) if found else set()
    return [part for part in found if is_item(part, items)]


def keys_of(node: Any) -> Iterator[gast.expr]:
    """The indices of a part, the keys of a dict as it is written, and the one that `get` looks for; no slices."""
    parts: list[Any]
    if isinstance(node, gast.Dict):
        parts = [key for key in node.keys if key is not None]
    elif isinstance(node, gast.Call):
        asks = isinstance(node.func, gast.Attribute) and lookup_method(node.func.attr) is GET
        parts = node.args[:1] if asks else []
    else:
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    return (part for part in parts if not isinstance(part, gast.Slice))


def is_field(node: gast.expr, scope: Scope) -> bool:
    """`p["n"]` or `p.n`: an int of a record."""
    return isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) \
        and isinstance(node.slice.value, str) \
        or isinstance(node, gast.Attribute) and scope.operation(node).rule is FIELD
