"""Whether two places of a container may hold one thing, and what a new container has in common with those that it is made of.

Asked only where parts of parts are stored: there the container that gets the part must have no other place and no other name.

    [row] * n,  [row, row],  rows.append(rows[0])      rows that are one
    list(rows), rows + more, max(rows)                 a row, or rows, that have another place
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import gast

from .. import runtime
from ..rules import WITH_APPENDED, WITH_FIELD, WITH_INNER, WITH_ITEM
from ..syntax.nodes import reads, walk
from ..syntax.spec import Spec
from .displays import items
from .kinds import Env, spec_of
from .resolve import Scope

if TYPE_CHECKING:
    from .aliases import Aliases, Pairs

Held = set[tuple[str, str]]


def common(aliases: Aliases, pairs: Pairs, groups: Iterable[Held]) -> set[str]:
    """How things that are put together have something in common; groups: of each, the names that it shares memory with, and how."""
    found: set[str] = set()
    seen: dict[str, str] = {}
    for group in groups:
        closed = aliases.closure(pairs, group)
        for name, how in sorted(closed):
            if name in seen:
                found.add("keeps" if "keeps" in (how, seen[name]) else "share")
        for name, how in sorted(closed):
            if seen.get(name, "keeps") == "keeps":
                seen[name] = how
        found |= {how for name, own in group if own != "keeps" for a, b, how in pairs if a == b == name}
    return found


def within(aliases: Aliases, pairs: Pairs, value: Any, env: Env) -> set[str]:
    """How two places of a value may hold one thing."""
    found: set[str] = set()
    for node in walk(value):
        if isinstance(node, gast.expr) and not isinstance(getattr(node, "ctx", gast.Load()), gast.Store):
            found |= common(aliases, pairs, [{(name, how or own) for name, own in aliases.sources(part, env)}
                                             for part, how in _operands(node, env, aliases)])
            found |= _repeated(node, env, aliases)
    return found


def _operands(node: Any, env: Env, aliases: Aliases) -> list[tuple[gast.expr, str]]:
    """What a value puts together, with how it is related to that; without for what it is itself."""
    operation = aliases.scope.operation(node)
    if operation.kind == "container":
        return [(item, aliases.put(item, env)) for item in items(node)]
    if operation.kind != "rule" or operation.rule is None:
        return [(node, "")] if isinstance(node, gast.Name) else []
    if operation.rule in (WITH_ITEM, WITH_INNER, WITH_APPENDED, WITH_FIELD):
        x, _, v = operation.args.values()
        return [(x, ""), (v, aliases.put(v, env))]
    kept = operation.rule.fn is runtime.merged or aliases.scope.effects(node).keeps
    return [(arg, "share") for arg in operation.args.values()] if kept else []


def _repeated(node: Any, env: Env, aliases: Aliases) -> set[str]:
    """`[row] * n`, and a comprehension whose items may be one thing."""
    if isinstance(node, (gast.ListComp, gast.DictComp)):
        return set() if is_new(node.elt if isinstance(node, gast.ListComp) else node.value, env, aliases.scope) else {"share"}
    operation = aliases.scope.operation(node)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
        sides = [node.left, node.right]
    elif operation.kind == "rule" and operation.rule is not None and operation.rule.fn is runtime.repeated:
        sides = [operation.args["x"]]
    else:
        return set()
    specs = [spec for spec in (spec_of(side, env, aliases.scope) for side in sides) if spec.kind in ("list", "tuple")]
    parts = [part for spec in specs for part in (spec.items if spec.items is not None else (Spec(),))]
    return {"keeps" if part.is_number else "share" for part in parts if not part.is_immutable}


def shallow(node: Any, env: Env, scope: Scope, deep: bool) -> Held:
    """What a value has in common with its operands where these are containers: a copy, one of them. deep: a sum of their items."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "copy":
        operands = [node.func.value]
    elif isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)) and deep:
        operands = [node.left, node.right]             # lists of lists, joined or repeated
        if any(spec_of(one, env, scope).is_number for one in operands):
            return set()
    elif (row := scope.effects(node)).advances and not row.keeps and row.gives != "plain":     # an item, or a sum of items
        operands = node.args
    else:
        return set()
    return {(name, "share") for one in operands if not spec_of(one, env, scope).is_number for name in reads(one) & scope.local}


def is_new(node: Any, env: Env, scope: Scope) -> bool:
    """Each value of an expression is a number, or a container that was made for it alone."""
    if isinstance(node, (gast.List, gast.Tuple)):
        return all(is_new(one, env, scope) for one in node.elts)
    if isinstance(node, gast.Dict):
        return all(is_new(one, env, scope) for one in node.values)
    if isinstance(node, gast.ListComp):
        return is_new(node.elt, env, scope)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult) and any(isinstance(one, gast.List) for one in (node.left, node.right)):
        items = [item for one in (node.left, node.right) if isinstance(one, gast.List) for item in one.elts]
        return all(_is_number(item, env, scope) for item in items)             # the rest is how often
    if isinstance(node, gast.BinOp):
        return is_new(node.left, env, scope) and is_new(node.right, env, scope)
    return _is_number(node, env, scope)


def _is_number(node: Any, env: Env, scope: Scope) -> bool:
    """No container, and no array."""
    if isinstance(node, gast.Attribute):
        return spec_of(node, env, scope).is_immutable
    if isinstance(node, gast.Name):
        return node.id in scope.local and env.get(node.id, Spec()).is_immutable
    return isinstance(node, (gast.Constant, gast.Compare)) or isinstance(node, gast.UnaryOp) and _is_number(node.operand, env, scope)
