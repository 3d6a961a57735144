"""Products, and linear algebra.

Formulas: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation"
(2008).
"""
from __future__ import annotations

import numpy as np

from . import infer, when
from .computed import ARRAY, as_computed
from .table import linear, rule

linear(np.dot, "z = np.dot(x, y)", method="dot", spec=infer.dot, numeric=True, pull={
    "x": [(when.ranks(x=2, y=2), "np.dot(g, y.T)"), (when.ranks(x=1, y=2), "np.dot(g, y.T)"),
          (when.ranks(x=1, y=1), "g * y"), (when.ranks(x=2, y=1), "np.outer(g, y)"), "rt.dot_dx(g, x, y)"],
    "y": [(when.ranks(x=2, y=2), "np.dot(x.T, g)"), (when.ranks(x=2, y=1), "np.dot(x.T, g)"),
          (when.ranks(x=1, y=1), "g * x"), (when.ranks(x=1, y=2), "np.outer(x, g)"), "rt.dot_dy(g, x, y)"]},
       spreads=True, multiplies="elements", drawn=frozenset("xy"))
linear(np.inner, "z = np.inner(x, y)", spec=infer.inner, pull={
    "x": [(when.ranks(x=1, y=1), "g * y"), "rt.inner_dx(g, x, y)"],
    "y": [(when.ranks(x=1, y=1), "g * x"), "rt.inner_dy(g, x, y)"]}, multiplies="elements")
linear(np.outer, "z = np.outer(x, y)", spec=infer.outer, pull={
    "x": [(when.ranks(x=1, y=1), "np.dot(g, y)"), "rt.outer_dx(g, x, y)"],
    "y": [(when.ranks(x=1, y=1), "np.dot(x, g)"), "rt.outer_dy(g, x, y)"]}, spreads=True, multiplies="elements")
linear(np.vdot, "z = np.vdot(x, y)", spec=infer.some("scalar"), pull={
    "x": [(when.both(when.ranks(x=1, y=1), when.is_real("x")), "g * y"),
          "rt.unbroadcast(np.reshape(g * np.ravel(rt.real_only(y)), np.shape(x)), x)"],
    "y": [(when.both(when.ranks(x=1, y=1), when.is_real("x")), "g * x"),
          "rt.unbroadcast(np.reshape(g * np.ravel(rt.real_only(x)), np.shape(y)), y)"]}, multiplies="elements")
linear(np.tensordot, "z = np.tensordot(x, y, axes=2)",
       spec=as_computed(np.tensordot, "x", "y", axes=2, otherwise=ARRAY),
       pull={"x": "rt.tensordot_dx(g, x, y, axes)", "y": "rt.tensordot_dy(g, x, y, axes)"}, multiplies="elements")
linear(np.kron, "z = np.kron(x, y)", spec=as_computed(np.kron, "x", "y"),
       pull={"x": "rt.kron_dx(g, x, y)", "y": "rt.kron_dy(g, x, y)"}, multiplies="elements")

rule(np.linalg.inv, "y = np.linalg.inv(x)", spec=infer.mixed("x"), pull={
    "x": [(when.ranks(x=2), "-(y.T @ g @ y.T)"), "-(np.swapaxes(y, -1, -2) @ g @ np.swapaxes(y, -1, -2))"]},
     push={"x": "-(y @ g @ y)"}, spreads=True)
rule(np.linalg.det, "y = np.linalg.det(x)", spec=infer.of_square, pull={
    "x": [(when.ranks(x=2), "g * rt.cofactor(x)"), "np.expand_dims(g, (-2, -1)) * rt.cofactor(x)"]},
     push={"x": "np.sum(g * rt.cofactor(x), axis=(-2, -1))"}, note="by cofactors, which a singular matrix has too")
rule(np.linalg.solve, "y = np.linalg.solve(a, b)", spec=infer.solved, pull={
    "a": [
        (when.ranks(a=2, b=1), "-np.outer(np.linalg.solve(a.T, g), y)"),
        (when.ranks(a=2, b=2), "-(np.linalg.solve(a.T, g) @ y.T)"),
        "rt.unbroadcast(-rt.outer_last(rt.solve(np.swapaxes(a, -1, -2), g, np.ndim(b) == 1), y, np.ndim(b) == 1), a)"],
    "b": [(when.ranks(a=2, b=1), "np.linalg.solve(a.T, g)"), (when.ranks(a=2, b=2), "np.linalg.solve(a.T, g)"),
          "rt.unbroadcast(rt.solve(np.swapaxes(a, -1, -2), g, np.ndim(b) == 1), b)"]},
     push={"a": "-rt.solve(a, rt.apply(g, y, np.ndim(b) == 1), np.ndim(b) == 1)",
           "b": "rt.solve(a, g, np.ndim(b) == 1)"}, spreads=True)
