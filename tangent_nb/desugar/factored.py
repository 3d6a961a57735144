"""Equations that are solved by the factors of their matrix, where the factors are differentiated.

Needs a call of SciPy's `cho_solve` whose tuple is written out, or one of what `cho_factor` or `lu_factor` gives. Promises calls of what has
derivatives by a matrix:

    cho_solve((L, True), b)          →      scipy.linalg.solve_triangular(L, scipy.linalg.solve_triangular(L, b, lower=True), 1, True)
    cho_solve(cho_factor(A), b)      →      scipy.linalg.solve(A, b, assume_a="pos")
    lu_solve(lu_factor(A), b)        →      scipy.linalg.solve(A, b)
"""
from __future__ import annotations

from typing import Any

import gast

from ..rules import lookup
from ..syntax.nodes import clone, is_literal, library, literal
from .in_place_calls import steady
from .state import State


def called(desugar: State, node: gast.Call) -> Any:
    """What to write for `cho_solve`, or `lu_solve`, of factors that are differentiated."""
    if len(node.args) != 2 or node.keywords or not desugar.carries(node.args[0]):
        return None
    factors = node.args[0]
    if _is(desugar, node, "lu_solve") and _is(desugar, factors, "lu_factor") and len(factors.args) == 1 and not factors.keywords:
        return _by_matrix(desugar, node, factors, "None")
    if not _is(desugar, node, "cho_solve"):
        return None
    if isinstance(factors, gast.Tuple) and len(factors.elts) == 2 and is_literal(factors.elts[1]) and type(literal(factors.elts[1])) is bool:
        return _by_triangles(desugar, node, factors.elts[0], literal(factors.elts[1]))
    if _is(desugar, factors, "cho_factor") and len(factors.args) == 1 and all(k.arg == "lower" for k in factors.keywords):
        return _by_matrix(desugar, node, factors, "'pos'")
    return None


def _is(desugar: State, node: Any, name: str) -> bool:
    """A call of a function of `scipy.linalg`."""
    fn = desugar.object(node.func) if isinstance(node, gast.Call) else None
    row = lookup(fn) if getattr(fn, "__name__", "") == name else None
    return row is not None and row.name == f"scipy.linalg.{name}"


def _by_triangles(desugar: State, node: gast.Call, factor: gast.expr, lower: bool) -> gast.expr:
    c, b = steady(desugar, [factor, node.args[1]], "factor")
    inner, outer = ("lower=True", "1, True") if lower else ("1", "")
    first = library(f"scipy.linalg.solve_triangular(c, b, {inner})", c=c, b=b)
    return desugar.placed(library(f"scipy.linalg.solve_triangular(c, b, {outer})", c=clone(c), b=first))


def _by_matrix(desugar: State, node: gast.Call, factors: Any, assumed: str) -> gast.expr:
    a, b = desugar.operands([factors.args[0], node.args[1]])
    solved: Any = library(f"scipy.linalg.solve(a, b, assume_a={assumed})", a=a, b=b)
    solved.keywords = [*factors.keywords, *solved.keywords] if assumed != "None" else []
    return desugar.placed(solved)
