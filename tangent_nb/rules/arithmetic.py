"""Operators, and the NumPy functions that are the same."""
from __future__ import annotations

import operator

import numpy as np

from . import infer, when
from .breaking import by_cut
from .row import Rule
from .table import Template, elementwise, linear, nondifferentiable, rule

Y_POLE = {"y": "pole"}
PRODUCTS, POWERS = ("operator.mul", "np.multiply"), ("operator.pow", "np.power", "np.square", "pow")     # of elements


def is_product(rule: Rule) -> bool:
    """The product of two arguments' elements."""
    return rule.name in PRODUCTS


def is_power(rule: Rule) -> bool:
    """A power of the first argument's elements: the square, where nothing says which."""
    return rule.name in POWERS


elementwise(operator.add, "z = operator.add(x, y)", operator="Add", x="g", y="g", spec=infer.operator, joins="all")
elementwise(operator.sub, "z = operator.sub(x, y)", operator="Sub", x="g", y="-g", spec=infer.operator, numeric=True)
elementwise(operator.mul, "z = operator.mul(x, y)", operator="Mult", x="g * y", y="g * x", spec=infer.operator,
            multiplies="elements", joins="one")
elementwise(operator.truediv, "z = operator.truediv(x, y)", operator="Div", x="g / y", y="-g * z / y",
            spec=infer.true_division, numeric=True, domain={"y": (0.5, 2.0)}, infinite=Y_POLE)
elementwise(operator.mod, "z = operator.mod(x, y)", operator="Mod", x="g", y="-g * (x // y)",
            spec=infer.operator, breaks="jump", domain={"x": (2.1, 2.9), "y": (1.0, 1.4)}, infinite=Y_POLE)
elementwise(operator.pow, "z = operator.pow(x, y)", operator="Pow", x="rt.power_dx(g, x, y)",
            y="rt.power_dy(g, x, y, z)",
            spec=infer.power, numeric=True, breaks=by_cut, domain={"x": (0.5, 2.0)},
            note="a literal exponent has a text of its own: power_texts")
elementwise(operator.neg, "y = operator.neg(x)", operator="USub", x="-g", spec=infer.operator, numeric=True)
elementwise(operator.pos, "y = operator.pos(x)", operator="UAdd", x="g", spec=infer.operator)
nondifferentiable(operator.floordiv, "z = operator.floordiv(x, y)", operator="FloorDiv", zero=True, spec=infer.operator,
                  because="piecewise constant", infinite=Y_POLE)

MATMUL_DX: Template = [(when.ranks(x=2, y=2), "g @ y.T"), (when.ranks(x=1, y=2), "g @ y.T"),
                       (when.ranks(x=1, y=1), "g * y"),
             (when.ranks(x=2, y=1), "np.outer(g, y)"), "rt.matmul_dx(g, x, y)"]
MATMUL_DY: Template = [(when.ranks(x=2, y=2), "x.T @ g"), (when.ranks(x=2, y=1), "x.T @ g"),
                       (when.ranks(x=1, y=1), "g * x"),
             (when.ranks(x=1, y=2), "np.outer(x, g)"), "rt.matmul_dy(g, x, y)"]
rule(operator.matmul, "z = operator.matmul(x, y)", operator="MatMult", pull={"x": MATMUL_DX, "y": MATMUL_DY},
     push={"x": "g @ y", "y": "x @ g"}, spec=infer.matmul, numeric=True, multiplies="elements", drawn=frozenset("xy"))
linear(np.matmul, "z = np.matmul(x, y)", pull={"x": MATMUL_DX, "y": MATMUL_DY}, spec=infer.matmul, numeric=True,
       spreads=True, multiplies="elements")

elementwise(np.add, "z = np.add(x, y)", x="g", y="g", spec=infer.ufunc)
elementwise(np.subtract, "z = np.subtract(x, y)", x="g", y="-g", spec=infer.ufunc)
elementwise(np.multiply, "z = np.multiply(x, y)", x="g * y", y="g * x", spec=infer.ufunc, multiplies="elements")
ARRAY = when.is_array("y")     # which divides as NumPy does
elementwise(np.divide, "z = np.divide(x, y)", also=[np.true_divide], x=[(ARRAY, "g / y"), "np.divide(g, y)"],
            y=[(ARRAY, "-g * z / y"), "np.divide(-g * z, y)"],
            spec=infer.floats, domain={"y": (0.5, 2.0)}, note="np.divide: NumPy's pole also for Python floats",
            infinite=Y_POLE)
elementwise(np.mod, "z = np.mod(x, y)", also=[np.remainder], x="g", y="-g * np.floor_divide(x, y)", spec=infer.ufunc,
            breaks="jump", domain={"x": (2.1, 2.9), "y": (1.0, 1.4)}, infinite=Y_POLE)
elementwise(np.fmod, "z = np.fmod(x, y)", x="g", y="-g * np.trunc(np.divide(x, y))", spec=infer.ufunc,
            breaks="jump", domain={"x": (2.1, 2.9), "y": (1.0, 1.4)}, infinite=Y_POLE)
elementwise(np.power, "z = np.power(x, y)", also=[np.float_power], x="rt.power_dx(g, x, y)",
            y="rt.power_dy(g, x, y, z)",
            spec=infer.ufunc, breaks=by_cut, domain={"x": (0.5, 2.0)}, infinite={"x": "pole"})
elementwise(np.negative, "y = np.negative(x)", x="-g", spec=infer.ufunc)
elementwise(np.positive, "y = np.positive(x)", x="g", spec=infer.ufunc)
nondifferentiable(np.floor_divide, "z = np.floor_divide(x, y)", zero=True, spec=infer.ufunc,
                  because="piecewise constant", infinite=Y_POLE, spreads=True)


def power_texts(exponent: float) -> str | None:
    """The pull (and push) text of `x` in `x ** exponent` for a literal exponent, None where the derivative is zero.

    No text has a pole where the derivative has none: `x ** 2.0` is flat in its third derivative at 0. A negative power
    is taken by NumPy, which has a pole where Python raises.

    >>> [power_texts(n) for n in (0, 1, 2, 3.0)]
    [None, 'g', 'g * (2.0 * x)', 'g * (3.0 * x ** 2)']
    >>> power_texts(0.5), power_texts(-1)
    ('g * (0.5 * np.power(x, -0.5))', '-g * np.power(x, -2.0)')
    """
    if exponent == 0:
        return None
    if exponent == 1:
        return "g"
    if exponent == 2:
        return "g * (2.0 * x)"
    n = float(exponent)
    less = n - 1.0
    if less < 0.0:
        factor = "-g" if n == -1.0 else f"g * ({n!r}" if n > 0 else f"-g * ({-n!r}"
        return f"-g * np.power(x, {less!r})" if n == -1.0 else f"{factor} * np.power(x, {less!r}))"
    return f"g * ({n!r} * x ** {int(less) if less == int(less) and less < 1e9 else less!r})"
