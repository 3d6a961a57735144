"""What a build asks of a problem, and has it do: its guards of constants, a second result,
what its backward sweep changes.

Needs a `Problem`. Promises answers that hold for it as it is.

    value_aux = f(x)      →      value, aux = value_aux          take_aux, for has_aux=True
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gast

from ..analyse.flow import mutation
from ..differentiate import Problem
from ..optimise import changed_in_place
from ..syntax.blocks import statements
from ..syntax.building import clone, load, mark, origin_of, store, tuple_of
from ..syntax.closure import closure
from ..syntax.nodes import writes
from ..syntax.spec import UNKNOWN
from .constants import PLACES, constant_check, constant_checks


def is_pair(value: Any) -> bool:
    return isinstance(value, gast.Tuple) and len(value.elts) == 2


def constant_guards(problem: Problem) -> list[gast.stmt]:
    """The checks of the parameters and the variables outside that meet a derivative and have none,
    and of those that are its indices."""
    matrices = {node.id for node in problem.constants if isinstance(node, gast.Name) and hasattr(node, "matrix")}
    return [*constant_checks(list(map(clone, problem.constants)), matrices),
            *([constant_check(list(map(clone, problem.places)), check=PLACES)] if problem.places else [])]


def take_aux(problem: Problem) -> None:
    """`f` returns `(value, aux)`: only the value is differentiated."""
    value, problem.aux = problem.names.new("value"), problem.names.new("aux")
    problem.scope.local.update((value, problem.aux))
    target = tuple_of([store(value), store(problem.aux)], write=True)
    origin = origin_of(problem.body[-1]) if problem.body else None
    problem.body.append(mark(gast.Assign([target], load(problem.result), None), origin=origin, role="forward"))
    problem.result = value
    problem.analyse()


def undone(backward: Sequence[gast.stmt]) -> set[str]:
    """The names whose objects the backward sweep changes."""
    return changed_in_place(backward) | {
        m[1] for s in statements(backward) if (m := mutation(s)) is not None and not hasattr(s, "tape")}


def floating(problem: Problem, derivatives: Mapping[str, str]) -> frozenset[str]:
    """The names that carry a derivative, with their cotangents or tangents: floats, where they are numbers."""
    varied = problem.activity.varied.where_bound(problem.body)
    return frozenset([*varied, *problem.wrt, *derivatives.values()])


def perhaps_none(problem: Problem) -> bool:
    """Whether the result, or what it is a copy of, is perhaps None or a text on a path where it does not depend on what
    is differentiated."""
    def constant(name: str, varied: Any, specs: Any) -> bool:
        return name not in varied and specs.get(name, UNKNOWN).kind in ("unknown", "none", "str", "other")

    bound = [(stmt, name) for stmt in statements(problem.body) for name in writes(stmt)]
    origins = closure({problem.result}, lambda found: {
        stmt.value.id for stmt, name in bound
        if name in found and isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Name)})
    return any(name in origins and constant(name, problem.activity.varied.after(stmt), problem.kinds.after(stmt))
               for stmt, name in bound) \
        or any(name in origins and constant(name, problem.wrt, problem.specs) for name in problem.parameters)
