"""Names of arrays that are read before their memory changes, and not after it: a copy of their own is as good.

    above = v[i]           item = v[i]
                     →     above = rt.copy(item)
    v += x                 v += x                      # only an adjoint reads above now, and what it was before

Nothing may change what such a name stands for, and nothing else may come to share its memory: then the primal cannot
tell the copy from the array.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import gast

from ..syntax.spec import Spec
from .aliases import Aliases
from .flow import Facts, access
from .graph import Node
from .identity import identified
from .sharing import sources


def read_before(names: Collection[str], aliases: Aliases, changed: Mapping[int, Collection[str]],
                live: Facts) -> set[int]:
    """The assignments, by their ids, that may give these names copies instead. changed: the names whose memory each
    node changes; live: the names that are read later."""
    nodes = [node for node in aliases.graph.nodes if node.index in aliases.before]
    touched = {name for found in changed.values() for name in found}
    found: set[int] = set()
    compared = identified(aliases.graph.body, aliases.scope)
    for name in sorted(set(names) - touched - compared):
        made = [node for node in nodes if name in access(node).define]
        shared = [node for node in made
                  if any(other in touched for other, _ in aliases.after[node.index].partners(name))]
        if all(_is_alone(node, name, aliases, changed, live) for node in nodes) \
                and all(_gives_array(node, name, aliases) for node in made):
            found |= {id(node.stmt) for node in shared}
    return found


def _gives_array(node: Node, name: str, aliases: Aliases) -> bool:
    """The node binds the name alone, to an array or a number."""
    stmt: Any = node.stmt
    return node.kind == "stmt" and isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 \
        and isinstance(stmt.targets[0], gast.Name) and aliases.kinds.after(stmt).get(name, Spec()).is_number


def _is_alone(node: Node, name: str, aliases: Aliases, changed: Mapping[int, Collection[str]], live: Facts) -> bool:
    """The node neither changes memory of the name that is read afterwards, nor gives its memory to something else."""
    used = name in access(node).use
    pairs = aliases.before[node.index]
    partners = {other for other, _ in pairs.partners(name)} if changed.get(node.index) else set()
    if not partners.isdisjoint(changed.get(node.index, ())) and (
            name in live.after(node.stmt) or used and not isinstance(node.stmt, (gast.Assign, gast.AugAssign))):
        return False
    if node.kind == "test" and isinstance(node.stmt, (gast.If, gast.While)):
        return True
    return not used or node.kind == "stmt" and _only_reads(node.stmt, name, aliases.kinds.at(node), aliases)


def _only_reads(stmt: Any, name: str, env: Mapping[str, Spec], aliases: Aliases) -> bool:
    """A simple statement computes with what the name stands for."""
    if not isinstance(stmt, (gast.Assign, gast.AugAssign)):
        return False
    if isinstance(stmt, gast.AugAssign):
        target = stmt.target
        return isinstance(target, gast.Name) and target.id != name and env.get(target.id, Spec()).is_number
    return name not in {other for other, _ in sources(stmt.value, env, aliases.scope)}
