"""What compiled functions read from outside: they would keep what that is when they are compiled.

Needs the functions of one text, the main one first. Promises the names of values that the main function reads beside
its parameters, which it can be given as arguments, and refusals where another one reads such a value, or an attribute.

    def df_dx(x): return x * scale      →      scale
"""
from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax.blocks import statements
from ..syntax.building import origin_of
from ..syntax.nodes import dotted, parameter_names, walk, writes
from ..syntax.program import MISSING


def read_outside(texts: Sequence[tuple[gast.FunctionDef, Scope]]) -> tuple[tuple[str, ...], list[Refusal]]:
    """The names that the main function reads from outside, and what is refused in all of them."""
    names = {tree.name for tree, _ in texts}
    found: set[str] = set()
    refusals: list[Refusal] = []
    for place, (tree, scope) in enumerate(texts):
        for name, stmt in values_read(tree, scope, names):
            if not place and "." not in name:
                found.add(name)
            else:
                refusals.append(kept(stmt, name))
    return tuple(sorted(found)), list(dict.fromkeys(refusals))


def values_read(tree: gast.FunctionDef, scope: Scope, siblings: Collection[str]) -> list[tuple[str, gast.stmt]]:
    """The values from outside that a function reads, and where."""
    own = {*parameter_names(tree), *writes(tree.body), *siblings}
    return [(name, stmt) for stmt in statements(tree.body) for name in _read(stmt, scope, own)]


def _read(stmt: gast.stmt, scope: Scope, own: Collection[str]) -> list[str]:
    """The values from outside that a statement reads: names, and attributes."""
    found = []
    for node in own_nodes(stmt):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id not in own \
                and not node.id.startswith("%") and is_value(scope, node.id):
            found.append(node.id)
        elif isinstance(node, gast.Attribute) and not (dotted(node) or "%").startswith("%"):
            value = value_of(scope, node)
            if value is not MISSING and not callable(value) and not hasattr(value, "__spec__") \
                    and not is_constant(value_of(scope, node.value)):
                found.append(dotted(node) or "")
    return found


def kept(stmt: gast.stmt, name: str) -> Refusal:
    """Why a value from outside is refused."""
    why = f"{name} is read from outside, and compiled code would keep what it is now"
    return Refusal(getattr(origin_of(stmt), "span", None), why, "pass it as an argument")


def own_nodes(stmt: Any) -> Iterator[Any]:
    """The nodes of a statement, without those of the statements in it."""
    for name in stmt._fields:
        if name not in ("body", "orelse"):
            value = getattr(stmt, name, None)
            if isinstance(value, (gast.AST, list)):
                yield from walk(value)


def is_constant(module: Any) -> bool:
    """What a module holds is what it was: `math.pi`, `np.pi`."""
    return module is math or module is np


def value_of(scope: Scope, node: gast.AST) -> Any:
    """What a dotted name means outside; of our own names only those in `math`."""
    name = dotted(node) or ""
    if name.startswith("%"):
        return getattr(math, name.removeprefix("%math."), MISSING)
    return scope.value(node)


def is_value(scope: Scope, name: str) -> bool:
    """The name means a value outside, not a function, class or module."""
    value = scope.namespace.lookup(name)
    return value is MISSING or not (callable(value) or hasattr(value, "__spec__"))
