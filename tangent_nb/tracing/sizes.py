"""Cotangents that vanish, and such as explode: the first line of a backward sweep that makes one."""
from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

from .recording import RETURN, Flaw, Moment, Recording
from .snapshots import UNBOUND, Shown, size_of
from .values import names_in


def vanishing(recording: Recording, tiny: float) -> Flaw | None:
    """The first cotangent below `tiny` throughout that was made of one that is not."""
    return _first(recording, "vanishing", lambda size: size < tiny)


def exploding(recording: Recording, huge: float) -> Flaw | None:
    """The first cotangent with a number above `huge` that was made of such as have none."""
    return _first(recording, "exploding", lambda size: size > huge)


def _first(recording: Recording, kind: str, wrong: Callable[[float], bool]) -> Flaw | None:
    for moment in recording:
        if moment.sweep != "backward" or moment.kind != "line" or not moment.site.generated:
            continue
        cotangents = {*moment.pairs.values(), *([RETURN] if moment.depth == 0 else [])}
        for node in {one.variable: None for one in recording.columns.changed[moment.step]}:
            if node.owner != moment.call.number or node.name not in cotangents:
                continue
            value = node.at(moment.step)
            size = size_of(value)
            if size is None or not wrong(size):
                continue
            inputs = _read(moment, _names(moment.text))
            sizes = [found for name, one in inputs if name in cotangents and (found := size_of(one)) is not None]
            if sizes and not any(map(wrong, sizes)):
                return Flaw(moment, kind, node.name, value, tuple(inputs))
    return None


def _read(moment: Moment, names: frozenset[str]) -> list[tuple[str, Shown]]:
    """What a line has read, as it was before."""
    found = [(name, moment.call.nodes[name].at(moment.step - 1)) for name in sorted(names) if name in moment.call.nodes]
    return [(name, value) for name, value in found if value is not UNBOUND]


@cache
def _names(text: str) -> frozenset[str]:
    """The names that a line of code reads."""
    try:
        tree = ast.parse(text)
    except SyntaxError:                            # the head of a loop
        return frozenset()
    changed = [node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign)]
    reads = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return names_in([*reads, *changed])
