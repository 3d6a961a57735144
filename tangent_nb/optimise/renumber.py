"""Names that are numbered anew: where the variable that had a name first is gone, `total_1` is `total`.

Needs a function after the passes that leave variables out. Promises the same statements. Only names change that were
made here, are bound here, and are not seen by a function inside, in the order of their numbers; none is given one that
the user has written, that is the cotangent of such a one, or that means something outside.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x):
...     return np.log(np.sum(np.exp(x + 1.0)))
>>> stages = tnb.stages(tnb.grad(f, like=(np.ones(3),)))
>>> print(difference(stages["rematerialise"], stages["renumber"]))
-     total_1 = np.sum(exp)
+     total = np.sum(exp)
-     return 1.0 / total_1 * exp
+     return 1.0 / total * exp
"""
from __future__ import annotations

import builtins
import re
from collections.abc import Collection
from typing import Any

import gast

from ..analyse.flow import bound_in
from ..syntax.blocks import statements
from ..syntax.names import Names
from ..syntax.nodes import child_fields, name_nodes, names_in, parameter_names
from .facts import Facts
from .places import BLOCKS
from .trees import NAMES, rewritten

NUMBERED = re.compile(r"(.+?)_(\d+)((?:_saved)?)")


def renumber(tree: gast.FunctionDef, facts: Facts, names: Names, temporaries: set[str], kept: Collection[str]) -> None:
    """Give lower numbers to names, or none. kept: those that others know."""
    plan = _plan(tree, facts, names, kept)
    if not plan:
        return
    for stmt in statements(tree.body):
        _rename(stmt, plan)
    temporaries |= {plan[name] for name in temporaries & plan.keys()}
    facts.renamed |= plan
    facts.forget_names()


def _plan(tree: gast.FunctionDef, facts: Facts, names: Names, kept: Collection[str]) -> dict[str, str]:
    """The new name of each that changes."""
    present = {node.id for node in name_nodes(tree.body)} | {*parameter_names(tree)}
    written = names.used - names.made
    written |= {mark + name for name in written for mark in "bd"}
    plan: dict[str, str] = {}
    nested = [stmt for stmt in statements(tree.body) if isinstance(stmt, gast.FunctionDef)]
    held = names_in(nested) | {stmt.name for stmt in nested} | {*kept}     # what functions in it see, they see by name
    found = [(int(match[2]), name, match) for name in names.made & bound_in(*tree.body) - held
             if (match := NUMBERED.fullmatch(name)) is not None]
    for number, name, match in sorted(found, key=lambda one: one[:2]):
        for new in [match[1] + match[3], *(f"{match[1]}_{k}{match[3]}" for k in range(1, number))]:
            if new not in present and new not in written and new in facts.scope.local and not hasattr(builtins, new):
                plan[name] = new
                present = present - {name} | {new}
                break
    return plan


def _rename(stmt: Any, plan: dict[str, str]) -> None:
    """Other names in one statement, its blocks left out."""
    def change(node: Any) -> Any:
        if node.id not in plan:
            return node
        return gast.copy_location(gast.Name(plan[node.id], node.ctx, node.annotation, node.type_comment), node)

    fields = child_fields(stmt.__class__)
    for field, value in list(stmt.__dict__.items()):
        if field in fields:
            if field not in BLOCKS and isinstance(value, gast.AST):
                setattr(stmt, field, rewritten(value, change, NAMES))
            elif field not in BLOCKS and isinstance(value, list):
                setattr(stmt, field, [rewritten(one, change, NAMES) if isinstance(one, gast.AST) else one
                                      for one in value])
        elif isinstance(value, str) and field != "role":
            setattr(stmt, field, plan.get(value, value))
        elif isinstance(value, (tuple, frozenset, set)) and all(isinstance(one, str) for one in value):
            setattr(stmt, field, type(value)(plan.get(one, one) for one in value))
