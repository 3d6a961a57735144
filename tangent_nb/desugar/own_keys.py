"""Parameters that can only be dicts: items of them are read by what going over them gives.

Needs the text of a function. Promises names of parameters that it does not bind anew.

    names = sorted(p)
    for k in names:               k is an item of what `sorted(p)` gives, and p[k] is read by it
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


def read_by_own_items(tree: gast.FunctionDef, names: Collection[str], scope: Scope) -> set[str]:
    """The parameters among these names that can only be dicts."""
    inside = {id(node) for one in nodes_in(tree) if isinstance(one, gast.Lambda) for node in nodes_in(one)}
    nodes = [node for node in nodes_in(tree) if id(node) not in inside]        # whose parameters are other variables
    bound = Counter(node.id for node in nodes if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load))
    given = [name for name in parameter_names(tree) if name in names and bound[name] == 1]
    return {name for name in given if _Flow(name, nodes, bound, scope).reads_by_items()}


class _Flow:
    """Where the items of one parameter go. items: the names that hold nothing but one of them; holders: those of what
    gives them when it is gone over."""

    def __init__(self, name: str, nodes: list[Any], bound: Counter[str], scope: Scope) -> None:
        self.name, self.nodes, self.scope = name, nodes, scope
        self.items: set[str] = set()
        self.holders = {name}
        before = -1
        while before < len(self.items) + len(self.holders):
            before = len(self.items) + len(self.holders)
            for found, names in ((self.items, self._given(items=True)), (self.holders, self._given(items=False))):
                found |= {name for name, times in Counter(names).items() if times == bound[name]}

    def reads_by_items(self) -> bool:
        return any(self._is_parameter(node.value) and self._is_item(node.slice) if isinstance(node, gast.Subscript) else
                   dict_view(node) and self._is_parameter(node.func.value) for node in self.nodes)

    def _given(self, *, items: bool) -> Iterator[str]:
        """What is bound to an item, or to what gives them, as many times as it is."""
        for node in self.nodes:
            if isinstance(node, gast.Assign) and (self._is_item if items else self._gives)(node.value):
                yield from (target.id for target in node.targets if isinstance(target, gast.Name))
            elif isinstance(node, gast.Assign) and self._gives(node.value):
                parts = [part for target in node.targets for part in getattr(target, "elts", ())]
                yield from (part.id for part in parts if items and isinstance(part, gast.Name))
                yield from (part.value.id for part in parts
                            if not items and isinstance(part, gast.Starred) and isinstance(part.value, gast.Name))
            elif items and isinstance(node, (gast.For, gast.comprehension)):
                for target, source, whole in gone_over(node.target, node.iter, self.scope):
                    if whole and isinstance(target, gast.Name) and self._gives(source):
                        yield target.id

    def _gives(self, node: Any) -> bool:
        """Going over it gives items of the parameter, as they are."""
        if isinstance(node, gast.Name):
            return node.id in self.holders
        if isinstance(node, COMPREHENSIONS):
            item = node.key if isinstance(node, gast.DictComp) else node.elt
            own = [self._gives(one.iter) for one in node.generators if unparse(one.target) == unparse(item)]
            return own[-1] if own else self._is_item(item)
        if not isinstance(node, gast.Call):
            return False
        if dict_view(node) == "keys":
            return self._gives(node.func.value)
        row = self.scope.effects(node)
        return any(map(self._gives, given_to(node, row, row.passes)))

    def _is_item(self, node: Any) -> bool:
        if isinstance(node, gast.Name):
            return node.id in self.items
        if isinstance(node, gast.Subscript):
            return not isinstance(node.slice, gast.Slice) and not self._is_parameter(node.value) \
                and self._gives(node.value)
        if not isinstance(node, gast.Call):
            return False
        of_list = method_row(list, node.func.attr) if isinstance(node.func, gast.Attribute) else None
        if of_list is not None:
            return of_list.gives == "item" and self._gives(node.func.value)
        row = self.scope.effects(node)
        return row is not None and row.gives == "item" and len(node.args) == 1 and self._gives(node.args[0]) \
            and all(keyword.arg in row.calls for keyword in node.keywords)

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
