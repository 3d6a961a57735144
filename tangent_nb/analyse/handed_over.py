"""Arrays that one name hands over to another, which changes them: a copy of its own is as good.

    q = p                  q = rt.copy(p)
    q -= g           →     q -= g                    # nobody reads p now before it is bound again
    p = q                  p = q

Wherever the memory changes, nothing else that has it may be read afterwards, nor may the caller have it: then the
primal cannot tell the copy from the array.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import gast

from ..syntax.spec import Spec
from .aliases import Aliases
from .flow import Facts, access
from .identity import identified
from .sharing import CALLER


def handed_over(names: Collection[str], aliases: Aliases, changed: Mapping[int, Collection[str]],
                live: Facts) -> set[int]:
    """The assignments `q = p`, by their ids, that may give these names copies instead. changed: the names whose memory
    each node changes; live: the names that are read later."""
    nodes = [node for node in aliases.graph.nodes if node.index in aliases.before]
    seen = {name for node in nodes for name in changed.get(node.index, ())
            if _is_seen(node, name, aliases, live)}
    compared = identified(aliases.graph.body, aliases.scope)
    found: set[int] = set()
    for name in sorted(set(names) - compared):
        related = next(iter(aliases.classes([name])))
        if related.isdisjoint(seen | compared):
            found |= {id(node.stmt) for node in nodes
                      if name in access(node).define and _passes_on(node, name, aliases)}
    return found


def _is_seen(node: Any, name: str, aliases: Aliases, live: Facts) -> bool:
    """What a node changes is read afterwards by another name, or by the caller."""
    others = {other for other, _ in aliases.before[node.index].partners(name)} - {name}
    return CALLER in others or not others.isdisjoint(live.after(node.stmt))


def _passes_on(node: Any, name: str, aliases: Aliases) -> bool:
    """The node gives an array, or a number, another name."""
    stmt = node.stmt
    return node.kind == "stmt" and isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 \
        and isinstance(stmt.targets[0], gast.Name) and isinstance(stmt.value, gast.Name) \
        and aliases.kinds.after(stmt).get(name, Spec()).is_number
