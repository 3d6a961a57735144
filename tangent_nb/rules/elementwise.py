"""NumPy's elementwise functions of one and two numbers.

Formulas: DLMF chapter 4. A divisor that may be a Python float is divided by with np.divide, which has NumPy's pole (inf
and a warning) as the primal has; a NumPy result such as `y` divides so by itself.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import runtime as rt
from . import infer, when
from .breaking import by_cut
from .computed import as_computed
from .table import elementwise, nondifferentiable, rule

fn: Any
ARRAY = when.is_array("x")     # which divides as NumPy does
POSITIVE, UNIT = {"x": (0.5, 2.0)}, {"x": (-0.9, 0.9)}

elementwise(np.exp, "y = np.exp(x)", x="g * y", spec=infer.floats, infinite="large")
elementwise(np.exp2, "y = np.exp2(x)", x="g * (y * math.log(2.0))", spec=infer.floats, infinite="large")
elementwise(np.expm1, "y = np.expm1(x)", x="g * np.exp(x)", spec=infer.floats,
            note="y + 1 would cancel for x far below 0", infinite="large")
for fn, divisor in ((np.log, "x"), (np.log2, "x * math.log(2.0)"), (np.log10, "x * math.log(10.0)"),
                    (np.log1p, "1.0 + x")):
    elementwise(fn, f"y = np.{fn.__name__}(x)", x=[(ARRAY, f"g / ({divisor})"), f"np.divide(g, {divisor})"],
                spec=infer.floats, breaks=by_cut, domain=POSITIVE, infinite="pole")
elementwise(np.sqrt, "y = np.sqrt(x)", x="g / (2.0 * y)", spec=infer.floats, breaks=by_cut, domain=POSITIVE)
elementwise(np.cbrt, "y = np.cbrt(x)", x="g / (3.0 * y * y)", spec=infer.floats, domain=POSITIVE)
elementwise(np.square, "y = np.square(x)", x="2.0 * g * x", spec=infer.ufunc)
elementwise(np.reciprocal, "y = np.reciprocal(x)", x="-(g * y) / x", spec=infer.ufunc, domain=POSITIVE,
            infinite="pole")

elementwise(np.sin, "y = np.sin(x)", x="g * np.cos(x)", spec=infer.floats)
elementwise(np.cos, "y = np.cos(x)", x="-g * np.sin(x)", spec=infer.floats)
elementwise(np.tan, "y = np.tan(x)", x="g * (1.0 + y * y)", spec=infer.floats)
elementwise(np.arcsin, "y = np.arcsin(x)", also=[np.asin], x="g / np.sqrt((1.0 - x) * (1.0 + x))", spec=infer.floats,
            breaks=by_cut, domain=UNIT, note="not 1 - x * x, which cancels near 1")
elementwise(np.arccos, "y = np.arccos(x)", also=[np.acos], x="-g / np.sqrt((1.0 - x) * (1.0 + x))", spec=infer.floats,
            breaks=by_cut, domain=UNIT)
elementwise(np.arctan, "y = np.arctan(x)", also=[np.atan], x="g / (1.0 + x * x)", spec=infer.floats, breaks=by_cut)
elementwise(np.sinh, "y = np.sinh(x)", x="g * np.cosh(x)", spec=infer.floats, infinite="large")
elementwise(np.cosh, "y = np.cosh(x)", x="g * np.sinh(x)", spec=infer.floats, infinite="large")
elementwise(np.tanh, "y = np.tanh(x)", x="g * (1.0 - y * y)", spec=infer.floats)
elementwise(np.arcsinh, "y = np.arcsinh(x)", also=[np.asinh], breaks=by_cut, spec=infer.floats,
            x=[(when.is_real("x"), "g / np.hypot(x, 1.0)"), "g / rt.root_above_1(x)"])
elementwise(rt.root_above_1, "y = rt.root_above_1(x)", x="g * x / y", spec=infer.floats, breaks=by_cut)
elementwise(np.arccosh, "y = np.arccosh(x)", also=[np.acosh], x="g / (np.sqrt(x - 1.0) * np.sqrt(x + 1.0))",
            spec=infer.floats, breaks=by_cut, domain={"x": (1.5, 3.0)})
elementwise(np.arctanh, "y = np.arctanh(x)", also=[np.atanh], x="np.divide(g, (1.0 - x) * (1.0 + x))",
            spec=infer.floats, breaks=by_cut, domain=UNIT, infinite="pole")
elementwise(np.degrees, "y = np.degrees(x)", also=[np.rad2deg], x="g * (180.0 / math.pi)", spec=infer.floats)
elementwise(np.radians, "y = np.radians(x)", also=[np.deg2rad], x="g * (math.pi / 180.0)", spec=infer.floats)

SLOPE = (when.is_real("x"), "g * np.sign(x)")
rule(np.abs, "y = np.abs(x)", also=[np.absolute, np.fabs], diagonal=True, pull={"x": [SLOPE, "g * rt.sign(x)"]},
     push={"x": [SLOPE, "np.real(g * rt.sign(x))"]}, spec=as_computed(np.abs, "x"), breaks="kink")

# not x1 * x1 + x2 * x2, which under- and overflows where the slope does not
elementwise(np.arctan2, "y = np.arctan2(x1, x2)", also=[np.atan2],
            x1="np.divide(g * np.divide(x2, np.hypot(x1, x2)), np.hypot(x1, x2))",
            x2="np.divide(-g * np.divide(x1, np.hypot(x1, x2)), np.hypot(x1, x2))", spec=infer.floats, breaks="jump",
            domain=POSITIVE, note="jumps by 2 pi where x1 is 0 and x2 negative")
elementwise(np.hypot, "y = np.hypot(x1, x2)", x1="g * rt.ratio(x1, y)", x2="g * rt.ratio(x2, y)", spec=infer.floats)
# not x1 - y, which cancels where both are large
elementwise(np.logaddexp, "y = np.logaddexp(x1, x2)", x1="g * np.exp(-np.logaddexp(0.0, x2 - x1))",
            x2="g * np.exp(-np.logaddexp(0.0, x1 - x2))", spec=infer.floats)
elementwise(np.logaddexp2, "y = np.logaddexp2(x1, x2)", x1="g * np.exp2(-np.logaddexp2(0.0, x2 - x1))",
            x2="g * np.exp2(-np.logaddexp2(0.0, x1 - x2))", spec=infer.floats)
elementwise(np.maximum, "y = np.maximum(x1, x2)", x1="g * rt.greater(x1, x2)", x2="g * rt.greater(x2, x1)",
            spec=infer.ufunc, breaks="kink")
elementwise(np.minimum, "y = np.minimum(x1, x2)", x1="g * rt.greater(x2, x1)", x2="g * rt.greater(x1, x2)",
            spec=infer.ufunc, breaks="kink")
for fn, text in ((np.fmax, "g * rt.greater({0}, np.where(np.isnan({1}), -np.inf, {1}))"),      # a NaN is not chosen
                 (np.fmin, "g * rt.greater(np.where(np.isnan({1}), np.inf, {1}), {0})")):
    elementwise(fn, f"y = np.{fn.__name__}(x1, x2)", x1=text.format("x1", "x2"), x2=text.format("x2", "x1"),
                spec=infer.ufunc, breaks="kink")
elementwise(np.copysign, "y = np.copysign(x1, x2)", x1="g * (np.sign(x1) * np.copysign(1.0, x2))",
            x2="rt.zeros_like(y)", spec=infer.floats, breaks="jump", spreads=True)

CONSTANT = "piecewise constant"
nondifferentiable(np.sign, "y = np.sign(x)", zero=True, spec=infer.ufunc, because=CONSTANT, spreads=True)
for fn in (np.floor, np.ceil, np.trunc, np.rint):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x)", zero=True, spec=as_computed(fn, "x"),
                      because=CONSTANT, spreads=True)
nondifferentiable(np.fix, "y = np.fix(x)", zero=True, spec=as_computed(np.fix, "x"), because=CONSTANT)
nondifferentiable(np.round, "y = np.round(x, decimals=0)", also=[np.around], method="round", zero=True,
                  because=CONSTANT,
                  spec=infer.mixed("x"))
nondifferentiable(np.heaviside, "y = np.heaviside(x1, x2)", zero=True, spec=infer.floats, because=CONSTANT,
                  refused=["x2"], zeros=True)

for fn in (np.isnan, np.isinf, np.isfinite, np.signbit, np.logical_not):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x)", because="a truth value", spec=infer.comparison)
for fn in (np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal, np.logical_and, np.logical_or,
           np.logical_xor):
    nondifferentiable(fn, f"z = np.{fn.__name__}(x, y)", because="a truth value", spec=infer.comparison)
nondifferentiable(np.isclose, "z = np.isclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False)", because="a truth value",
                  spec=infer.comparison)
nondifferentiable(np.allclose, "z = np.allclose(x, y, rtol=1e-05, atol=1e-08, equal_nan=False)",
                  because="a truth value",
                  spec=infer.some("bool", "b1"))
nondifferentiable(np.array_equal, "z = np.array_equal(x, y)", because="a truth value", spec=infer.some("bool", "b1"))

SQUARED_HYPOT = elementwise(None, "y = squared_hypot(x1, x2)", x1="g * (2.0 * x1)", x2="g * (2.0 * x2)",
                            spec=infer.floats,
                            note="the expression np.hypot(x1, x2) ** 2, which is smooth at 0, where its parts are not")
SIGMOID = elementwise(None, "y = sigmoid(x)", x="g * (y * (1.0 - y))", spec=infer.floats,
                      note="the expression 1 / (1 + np.exp(-x)), whose parts overflow where it does not")
LOGISTIC = elementwise(None, "y = logistic(a, x)", a="g / (1.0 + np.exp(x))", x="-g * y / (1.0 + np.exp(-x))",
                       spec=infer.ufunc,
                       note="the expression a / (1 + np.exp(x)), whose parts overflow where it does not")
