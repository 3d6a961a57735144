"""Where a parameter stands for its keys: items of it are read by what going over it there gives.

Needs the text of a function. Promises places of parameters that are not bound anew; elsewhere the same parameter may be
something else, as behind `isinstance(p, dict)`.

    names = sorted(p)             here: k is an item of what `sorted(p)` gives, and p[k] is read by it
    for k in names:
        s = s + p[k]
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

import gast

from ..analyse.activity import COMPREHENSIONS, dict_view, gone_over
from ..analyse.resolve import Scope
from ..rules.effects import Effects, method_row
from ..syntax.nodes import nodes_in, parameter_names, unparse

Places = frozenset[int]                                    # the ids of nodes
NOWHERE: Places = frozenset()


def read_by_own_items(tree: gast.FunctionDef, names: Collection[str], scope: Scope) -> Places:
    """The places of the parameters among these names where they stand for their keys."""
    inside = {id(node) for one in nodes_in(tree) if isinstance(one, gast.Lambda) for node in nodes_in(one)}
    nodes = [node for node in nodes_in(tree) if id(node) not in inside]        # whose parameters are other variables
    bound = Counter(node.id for node in nodes if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load))
    given = [name for name in parameter_names(tree) if name in names and bound[name] == 1]
    return NOWHERE.union(*(_Flow(name, nodes, bound, scope).read_by_items() for name in given))


class _Flow:
    """Where the items of one parameter go. items: the names that hold nothing but one of them, with the places of the
    parameter that they come from; holders: those of what gives them when it is gone over."""

    def __init__(self, name: str, nodes: list[Any], bound: Counter[str], scope: Scope) -> None:
        self.name, self.nodes, self.scope = name, nodes, scope
        self.items: dict[str, Places] = {}
        self.holders: dict[str, Places] = {}
        before = None
        while before != (self.items, self.holders):
            before = dict(self.items), dict(self.holders)
            for found, items in ((self.items, True), (self.holders, False)):
                given = list(self._given(items=items))
                times = Counter(name for name, _ in given)
                for name, places in given:
                    if times[name] == bound[name]:
                        found[name] = found.get(name, NOWHERE) | places

    def read_by_items(self) -> Places:
        return NOWHERE.union(*(self._item(node.slice) for node in self.nodes if isinstance(node, gast.Subscript)
                               and self._is_parameter(node.value)))

    def _given(self, *, items: bool) -> Iterator[tuple[str, Places]]:
        """What is bound to an item, or to what gives them, as many times as it is."""
        for node in self.nodes:
            if isinstance(node, gast.Assign) and (found := (self._item if items else self._gives)(node.value)):
                yield from ((target.id, found) for target in node.targets if isinstance(target, gast.Name))
            if isinstance(node, gast.Assign) and (found := self._gives(node.value)):
                parts = [part for target in node.targets for part in getattr(target, "elts", ())]
                names = parts if items else [part.value for part in parts if isinstance(part, gast.Starred)]
                yield from ((part.id, found) for part in names if isinstance(part, gast.Name))
            elif items and isinstance(node, (gast.For, gast.comprehension)):
                for target, source, whole in gone_over(node.target, node.iter, self.scope):
                    if whole and isinstance(target, gast.Name) and (found := self._gives(source)):
                        yield target.id, found

    def _gives(self, node: Any) -> Places:
        """Going over it gives items of the parameter, as they are, at these places."""
        if isinstance(node, gast.Name):
            return frozenset([id(node)]) if node.id == self.name else self.holders.get(node.id, NOWHERE)
        if isinstance(node, COMPREHENSIONS):
            item = node.key if isinstance(node, gast.DictComp) else node.elt
            own = [self._gives(one.iter) for one in node.generators if unparse(one.target) == unparse(item)]
            return own[-1] if own else self._item(item)
        if not isinstance(node, gast.Call):
            return NOWHERE
        if dict_view(node) == "keys":
            return self._gives(node.func.value)
        row = self.scope.effects(node)
        return NOWHERE.union(*map(self._gives, given_to(node, row, row.passes)))

    def _item(self, node: Any) -> Places:
        if isinstance(node, gast.Name):
            return self.items.get(node.id, NOWHERE)
        if isinstance(node, gast.Subscript):
            return NOWHERE if isinstance(node.slice, gast.Slice) or self._is_parameter(node.value) \
                else self._gives(node.value)
        if not isinstance(node, gast.Call):
            return NOWHERE
        of_list = method_row(list, node.func.attr) if isinstance(node.func, gast.Attribute) else None
        if of_list is not None:
            return self._gives(node.func.value) if of_list.gives == "item" else NOWHERE
        row = self.scope.effects(node)
        one = row.gives == "item" and len(node.args) == 1 and all(keyword.arg in row.calls for keyword in node.keywords)
        return self._gives(node.args[0]) if one else NOWHERE

    def _is_parameter(self, node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id == self.name


def given_to(node: gast.Call, row: Effects, names: Collection[str]) -> list[Any]:
    """The arguments of a call that these parameters of a row get."""
    if not names:
        return []
    try:
        found = row.signature.bind(*node.args, **{k.arg: k.value for k in node.keywords if k.arg is not None}).arguments
    except TypeError:
        return []
    return [one for name in found.keys() & names
            for one in (found[name] if isinstance(found[name], tuple) else (found[name],))]
