"""NaN, Inf and overflow in a line that is recorded, with what the line was made from."""
from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from .finite import leaves
from .snapshots import UNBOUND, Parts, Shown, bad, is_array, of_array, of_leaf, parts_of
from .statements import Statement, base
from .tracked import Node, path_of
from .values import Lookup, names_in, operands

OVERFLOW = "overflow"                              # as NumPy calls it
MOST = 10_000                                      # parts of a list that are looked through


class Inputs:
    """What a statement has read, found after it has run: what it has bound anew, or changed, is taken as it was."""

    def __init__(self, statement: Statement, lookup: Lookup, nodes: Mapping[str, Node], step: int) -> None:
        self.statement, self.lookup, self.nodes, self.step = statement, lookup, nodes, step

    def values(self) -> dict[str, Shown]:
        """The parts of the expression that have a name, and constants that are not finite."""
        found: dict[str, Shown] = {}
        for read in self.statement.reads:
            for one in operands(read, self.lookup):
                known = [name for name in sorted(names_in([ast.parse(one.text, mode="eval")])) if name in self.nodes] \
                    if one.text[:1].isidentifier() else []
                if any(self._changed(name) for name in known):
                    found.update({name: self.nodes[name].at(self.step - 1, MOST) for name in known})
                else:
                    found[one.text] = shown(one.value)
            for name in names_in([read]) & self.nodes.keys():      # what has no value any more: `del`, `xs.pop()`
                if self._changed(name):
                    found[name] = self.nodes[name].at(self.step - 1, MOST)
        return {name: value for name, value in found.items() if value is not UNBOUND}

    def _changed(self, name: str) -> bool:
        todo = [self.nodes[name]]
        while todo:
            node = todo.pop()
            if node.times and node.times[-1] == self.step:
                return True
            if node.children is not None and len(node.children) <= MOST:
                todo += node.children.values()
        return any(base(target) == name for target in self.statement.stores)


def shown(value: Any) -> Shown:
    """What is kept of a value that is not followed."""
    if is_array(value):
        return of_array(value)
    parts = parts_of(value)
    if parts is None:
        return of_leaf(value)
    kept = tuple(of_array(np.asarray(leaf)) if isinstance(leaf, np.ndarray) else leaf for _, leaf in leaves(value))
    return Parts(type(value).__name__, len(parts), None, len(kept), kept)


def flaws_of(changed: Iterable[Node], step: int, inputs: Inputs,
             raised: Collection[str]) -> tuple[list[tuple[str, str, Shown, tuple[tuple[str, Shown], ...]]], bool]:
    """Of what a step has changed: what became NaN or Inf, though nothing that was read is so, as kind, name, value and
    inputs; and whether the inputs were looked at."""
    wrong = []
    for node in changed:
        kept = node.kept[-1]
        nans, infs = (0, 0) if isinstance(kept, Parts) else bad(kept)
        if nans or infs:
            old = bad(node.own_at(step - 1))
            if nans > old[0] or infs > old[1]:
                wrong.append((node, nans, infs))
    if not wrong and OVERFLOW not in raised:
        return [], False
    read = inputs.values()
    known = [bad(value) for value in read.values()]
    read_nan, read_inf = any(nans for nans, _ in known), any(infs for _, infs in known)
    found = []
    for node, nans, infs in wrong:
        kind = "NaN" if nans and not read_nan else "Inf" if infs and not read_nan and not read_inf else ""
        if kind:
            kind = OVERFLOW if kind == "Inf" and OVERFLOW in raised else kind
            found.append((kind, path_of(node), node.kept[-1], tuple(read.items())))
    if not found and not wrong and OVERFLOW in raised:
        names = ", ".join(map(ast.unparse, inputs.statement.stores))
        found.append((f"{OVERFLOW} within the line", names, UNBOUND, tuple(read.items())))
    return found, True
