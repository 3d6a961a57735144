"""Sums, means, products and extremes.

`dtype=`, `where=` and `initial=` have texts of their own, behind the plain ones: what is left out gets exactly 0, and
what `dtype=` makes integers of has no derivative.
"""
from __future__ import annotations

import ast
from typing import Any

import numpy as np

from . import infer, when
from .computed import ARRAY, as_computed
from .row import Rule
from .table import nondifferentiable, rule

fn: Any
SPREAD = "rt.unreduce(g, x, axis, keepdims)"
PLAIN = when.left_out("where", "dtype", "initial", "correction")
ONLY = "rt.included(x, where)"
COMBINING = frozenset(
    """np.sum np.mean np.prod np.max np.min np.dot np.vdot np.inner np.outer np.linalg.norm operator.matmul""".split())


def combines(rule: Rule) -> bool:
    """A sum, a product or an extreme of the items of an array, which no number has."""
    return rule.name in COMBINING


class _Untyped(ast.NodeTransformer):
    """A text for calls without `dtype=`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.func) == "rt.through":
            return node.args[0]
        node.keywords = [k for k in node.keywords if k.arg != "dtype"]
        return node


def forms(*texts: Any) -> list[Any]:
    """The texts, the last of them, which holds for all arguments, first without `dtype`."""
    *plain, full = texts
    return [*plain, (when.left_out("dtype"), ast.unparse(_Untyped().visit(ast.parse(full, mode="eval")))), full]


START = {"initial": "rt.unbroadcast(rt.through(g, dtype), initial)"}
START_ALONG = {"initial": "rt.through(rt.broadcast_to_like(g, y), dtype)"}
rule(np.sum, "y = np.sum(x, axis=None, dtype=None, *, keepdims=False, initial=0, where=True)", method="sum",
     spec=infer.reduction(infer.summed), of_lists=True, numeric=True,
     pull={**START, "x": forms((when.both(when.whole(), PLAIN), "np.full_like(x, g)"), (PLAIN, SPREAD),
                 f"rt.mask(rt.unreduce(rt.through(g, dtype), x, axis, keepdims), {ONLY})")},
     push={**START_ALONG, "x": forms((PLAIN, "np.sum(g, axis=axis, keepdims=keepdims)"),
                 "rt.through(np.sum(g, axis=axis, dtype=dtype, keepdims=keepdims, where=where), dtype)")}, spreads=True)
MEAN = "rt.unreduce(rt.through(g, dtype) / rt.count(x, axis, where=where, keepdims=keepdims), x, axis, keepdims)"
rule(np.mean, "y = np.mean(x, axis=None, dtype=None, *, keepdims=False, where=True)", method="mean",
     spec=infer.reduction(infer.averaged), of_lists=True, numeric=True,
     pull={"x": forms((when.both(when.whole(), PLAIN), "np.full_like(x, g / x.size)"),
                      (PLAIN, "rt.unreduce(g / rt.count(x, axis), x, axis, keepdims)"), f"rt.mask({MEAN}, {ONLY})")},
     push={"x": forms((PLAIN, "np.mean(g, axis=axis, keepdims=keepdims)"), "rt.through(np.mean(g, axis=axis, "
                      "dtype=dtype, keepdims=keepdims, where=where), dtype)")}, spreads=True)

OF_START = "rt.share_of_start(x, y, axis, keepdims, initial, where)"
EXTREME = {"pull": {"x": f"{SPREAD} * rt.share(x, y, axis, keepdims, initial, where)",
                    "initial": f"rt.unbroadcast(g * {OF_START}, initial)"},
           "push": {"x": "np.sum(g * rt.share(x, y, axis, keepdims, initial, where), axis=axis, keepdims=keepdims)",
                    "initial": f"g * {OF_START}"}}
for fn in (np.max, np.min):
    rule(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False, initial=None, where=True)",
         also=[np.amax if fn is np.max else np.amin], method=fn.__name__, spec=infer.reduction(), breaks="kink",
         **EXTREME)  # type: ignore[arg-type]
rule(np.ptp, "y = np.ptp(x, axis=None, *, keepdims=False)", spec=infer.reduction(), breaks="kink",
     pull={"x": f"{SPREAD} * (rt.share(x, np.max(x, axis=axis), axis) - rt.share(x, np.min(x, axis=axis), axis))"},
     push={"x": "np.sum(g * (rt.share(x, np.max(x, axis=axis), axis) - rt.share(x, np.min(x, axis=axis), axis)), "
                "axis=axis, keepdims=keepdims)"})

FACTORS = f"rt.others(np.where({ONLY}, x, 1.0), axis)"
START_OF = "(1.0 if initial is None else initial)"
REST = "np.prod(x, axis=axis, dtype=dtype, keepdims=keepdims, where=where)"
PRODUCT_START = {"initial": f"rt.unbroadcast(rt.through(g, dtype) * {REST}, initial)"}
PRODUCT_START_ALONG = {"initial": f"rt.through(g, dtype) * {REST}"}
rule(np.prod, "y = np.prod(x, axis=None, dtype=None, *, keepdims=False, initial=1, where=True)", method="prod",
     spec=infer.reduction(infer.summed),
     pull={**PRODUCT_START, "x": forms(
         (PLAIN, f"{SPREAD} * rt.others(x, axis)"),
         f"rt.mask(rt.unreduce(rt.through(g, dtype) * {START_OF}, x, axis, keepdims) * {FACTORS}, {ONLY})")},
     push={**PRODUCT_START_ALONG,
           "x": forms((PLAIN, "np.sum(g * rt.others(x, axis), axis=axis, keepdims=keepdims)"), "rt.through(np.sum(g * "
                      f"{FACTORS}, axis=axis, dtype=dtype, keepdims=keepdims, where=where) * {START_OF}, dtype)")},
     note="also with zeros", multiplies="mixed")

DEVIATION = "y = np.{}(x, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True, correction=0)"
COUNT, LOST = "rt.count(x, axis, ddof)", "rt.count(x, axis, ddof + correction, where, {})"
CENTERED = "rt.centered(x, axis, where)"
ALL = when.both(when.whole(), when.left_out("ddof", "correction", "keepdims"), PLAIN)
rule(np.var, DEVIATION.format("var"), method="var", spec=infer.reduction(infer.averaged), pull={"x": forms(
    (ALL, "2.0 * g / x.size * (x - np.mean(x))"),
    (PLAIN, f"rt.unreduce(2.0 * g / {COUNT}, x, axis, keepdims) * rt.centered(x, axis)"),
    f"rt.unreduce(rt.through(2.0 * g, dtype) / {LOST.format('keepdims')}, x, axis, keepdims) * {CENTERED}")},
     push={"x": forms((PLAIN, f"np.sum(2.0 * rt.centered(x, axis) * g, axis=axis, keepdims=keepdims) / {COUNT}"),
                      f"rt.through(np.sum(2.0 * {CENTERED} * g, axis=axis, dtype=dtype, "
                      f"keepdims=keepdims) / {LOST.format('keepdims')}, dtype)")},
     note="from the centered values, which do not cancel for a large mean")
rule(np.std, DEVIATION.format("std"), method="std", spec=infer.reduction(infer.averaged), pull={"x": forms(
    (ALL, "rt.ratio(g, y) / x.size * (x - np.mean(x))"),
    (PLAIN, f"rt.unreduce(rt.ratio(g, y) / {COUNT}, x, axis, keepdims) * rt.centered(x, axis)"),
    f"rt.unreduce(rt.through(rt.ratio(g, y), dtype) / {LOST.format('keepdims')}, x, axis, keepdims) * {CENTERED}")},
     push={"x": forms((PLAIN, f"rt.ratio(np.sum(rt.centered(x, axis) * g, axis=axis, keepdims=keepdims), y) / {COUNT}"),
                      f"rt.through(rt.ratio(np.sum({CENTERED} * g, axis=axis, dtype=dtype, keepdims=keepdims), "
                      f"y) / {LOST.format('keepdims')}, dtype)")},
     note="slope 0 where all values are equal, as for a norm at 0")

for fn in (np.nanargmax, np.nanargmin):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False)", because="integer valued",
                      spec=infer.anything)
for fn in (np.argmax, np.argmin):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False)", method=fn.__name__,
                      because="integer valued", spec=infer.reduction(lambda dtype: "i8"))
nondifferentiable(np.argsort, "y = np.argsort(x, axis=-1, kind=None, *, stable=None)", method="argsort",
                  because="integer valued", spec=as_computed(np.argsort, "x", axis=-1, otherwise=ARRAY))
for fn in (np.all, np.any):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x, axis=None, *, keepdims=False, where=True)", method=fn.__name__,
                      because="a truth value", spec=infer.reduction(lambda dtype: "b1"))
nondifferentiable(np.count_nonzero, "y = np.count_nonzero(x, axis=None, *, keepdims=False)", because="integer valued",
                  spec=infer.anything)
