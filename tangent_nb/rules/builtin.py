"""Python's builtins and the `math` module, whose functions take numbers and have Python's poles."""
from __future__ import annotations

import builtins
import math
from collections.abc import Mapping

import numpy as np

from ..syntax.spec import Spec
from . import infer, when
from .breaking import by_key
from .sharing import started
from .table import elementwise, linear, nondifferentiable, rule, unsupported

POSITIVE, UNIT = {"x": (0.5, 2.0)}, {"x": (-0.9, 0.9)}


def _math(name: str, x: str, domain: Mapping[str, tuple[float, float]] | None = None, breaks: str = "") -> None:
    elementwise(getattr(math, name), f"y = math.{name}(x)", x=x, spec=infer.pyfloat, domain=domain or {}, breaks=breaks)


_math("exp", "g * y")
_math("expm1", "g * math.exp(x)")
elementwise(math.log, "y = math.log(x, base=None)", x=[(when.left_out("base"), "g / x"), "g / (x * math.log(base))"],
            base="-g * y / (base * math.log(base))", spec=infer.pyfloat, domain={"x": (0.5, 2.0), "base": (2.0, 3.0)})
_math("log2", "g / (x * math.log(2.0))", POSITIVE)
_math("log10", "g / (x * math.log(10.0))", POSITIVE)
_math("log1p", "g / (1.0 + x)", POSITIVE)
_math("sqrt", "np.divide(g, 2.0 * y)", POSITIVE)
_math("sin", "g * math.cos(x)")
_math("cos", "-g * math.sin(x)")
_math("tan", "g * (1.0 + y * y)")
_math("asin", "np.divide(g, math.sqrt((1.0 - x) * (1.0 + x)))", UNIT)
_math("acos", "np.divide(-g, math.sqrt((1.0 - x) * (1.0 + x)))", UNIT)
_math("atan", "g / (1.0 + x * x)")
_math("sinh", "g * math.cosh(x)")
_math("cosh", "g * math.sinh(x)")
_math("tanh", "g * (1.0 - y * y)")
_math("asinh", "g / math.hypot(x, 1.0)")
_math("acosh", "np.divide(g, math.sqrt(x - 1.0) * math.sqrt(x + 1.0))", {"x": (1.5, 3.0)})
_math("atanh", "g / ((1.0 - x) * (1.0 + x))", UNIT)
TWO_OVER_SQRT_PI = 2.0 / math.sqrt(math.pi)                # a number, since these stand in loops
_math("erf", f"g * ({TWO_OVER_SQRT_PI} * math.exp(-x * x))")
_math("erfc", f"-g * ({TWO_OVER_SQRT_PI} * math.exp(-x * x))")
_math("fabs", "g * np.sign(x)", breaks="kink")
_math("degrees", "g * (180.0 / math.pi)")
_math("radians", "g * (math.pi / 180.0)")
_math("exp2", "g * (y * math.log(2.0))")
_math("cbrt", "np.divide(g, 3.0 * y * y)", POSITIVE)
elementwise(math.pow, "z = math.pow(x, y)", x="rt.power_dx(g, x, y)", y="rt.power_dy(g, x, y, z)", spec=infer.pyfloat,
            domain=POSITIVE)
elementwise(
    math.atan2, "y = math.atan2(x1, x2)", x1="np.divide(g * np.divide(x2, math.hypot(x1, x2)), math.hypot(x1, x2))",
    x2="np.divide(-g * np.divide(x1, math.hypot(x1, x2)), math.hypot(x1, x2))", spec=infer.pyfloat, breaks="jump")
elementwise(math.hypot, "y = math.hypot(x1, x2)", takes_more=True, x1="g * rt.ratio(x1, y)", x2="g * rt.ratio(x2, y)",
            spec=infer.pyfloat)
elementwise(math.fmod, "z = math.fmod(x, y)", x="g", y="-g * np.trunc(x / y)", spec=infer.pyfloat, breaks="jump",
            domain={"x": (2.1, 2.9), "y": (1.0, 1.4)})
CONSTANT = "piecewise constant"
for name in ("floor", "ceil", "trunc"):
    nondifferentiable(getattr(math, name), f"y = math.{name}(x)", zero=True, because=CONSTANT, spec=infer.integer)
for name in ("isnan", "isinf", "isfinite"):
    nondifferentiable(getattr(math, name), f"y = math.{name}(x)", because="a truth value",
                      spec=infer.some("bool", "b1"))
nondifferentiable(math.isclose, "z = math.isclose(x, y, *, rel_tol=1e-09, abs_tol=0.0)", because="a truth value",
                  spec=infer.some("bool", "b1"))
for name, form in (("factorial", "x"), ("gcd", "x, y=None"), ("comb", "n, k"), ("isqrt", "n")):
    nondifferentiable(getattr(math, name), f"y = math.{name}({form})", because="integer valued", spec=infer.integer)
_math("gamma", "g * y * rt.polygamma(0, x)", POSITIVE)
_math("lgamma", "g * rt.polygamma(0, x)", POSITIVE)
elementwise(math.copysign, "z = math.copysign(x, y)", x="g * (np.sign(x) * math.copysign(1.0, y))",
            y="rt.zeros_like(g)", spec=infer.pyfloat, breaks="jump", spreads=True)
elementwise(math.remainder, "z = math.remainder(x, y)", x="g", y="-g * np.rint((x - z) / y)", spec=infer.pyfloat,
            breaks="jump", domain={"x": (2.1, 2.4), "y": (1.0, 1.2)})
linear(math.fsum, "y = math.fsum(x)", pull={"x": "rt.unsum(g, x)"}, spec=infer.pyfloat)
AWAY = "(np.asarray(p) - np.asarray(q))"
rule(math.dist, "y = math.dist(p, q)", spec=infer.pyfloat,
     pull={"p": f"rt.unarray(rt.ratio(g, y) * {AWAY}, p)", "q": f"rt.unarray(-rt.ratio(g, y) * {AWAY}, q)"},
     push={"p": f"float(rt.ratio(np.sum(np.asarray(g) * {AWAY}), y))",
           "q": f"float(-rt.ratio(np.sum(np.asarray(g) * {AWAY}), y))"})
for name, instead in (("prod", "a loop"), ("modf", "x - math.floor(x)"),
                      ("frexp", "math.log2"), ("ldexp", "x * 2 ** n")):
    unsupported(getattr(math, name), f"math.{name}", because="it has no rule yet", instead=instead)

def _joins(specs: Mapping[str, Spec]) -> bool:
    return "start" in specs and specs["start"].kind in ("list", "tuple")


SLOPE = (when.is_real("x"), "g * np.sign(x)")
rule(abs, "y = abs(x)", diagonal=True, pull={"x": [SLOPE, "g * rt.sign(x)"]},
     push={"x": [SLOPE, "np.real(g * rt.sign(x))"]}, spec=infer.absolute, breaks="kink")
rule(float, "y = float(x)", diagonal=True, pull={"x": "g"}, push={"x": "float(np.sum(g))"}, spec=infer.pyfloat)
rule(None, "y = float(x)", method="item", diagonal=True, pull={"x": "g"}, push={"x": "float(np.sum(g))"},
     spec=infer.anything)
rule(np.ndarray.tolist, "y = np.ndarray.tolist(x)", method="tolist", pull={"x": "rt.rearray(g, x)"},
     push={"x": "rt.unarray(g, y)"}, spec=infer.anything)
elementwise(pow, "z = pow(x, y)", x="rt.power_dx(g, x, y)", y="rt.power_dy(g, x, y, z)", spec=infer.power,
            domain={"x": (0.5, 2.0)})
SUM = rule(builtins.sum, "y = sum(x, start=0)", pull={"x": "rt.unsum(g, x)", "start": "rt.unbroadcast(g, start)"},
     push={"x": [(_joins, "sum(g, rt.zeros_like(start))"), "sum(g)"], "start": "rt.broadcast_to_like(g, y)"},
     spec=infer.anything, spreads=True, memory="alias", shares=started)
rule(max, "z = max(x, y)", pull={"x": "rt.mask(g, not y > x)", "y": "rt.mask(g, y > x)"},
     push={"x": "rt.mask(g, not y > x)", "y": "rt.mask(g, y > x)"}, spec=infer.one_of, memory="alias", diagonal=True,
     breaks=by_key, note="a branch, as in Python: the first of two equals")
rule(min, "z = min(x, y)", pull={"x": "rt.mask(g, not y < x)", "y": "rt.mask(g, y < x)"},
     push={"x": "rt.mask(g, not y < x)", "y": "rt.mask(g, y < x)"}, spec=infer.one_of, memory="alias", diagonal=True,
     breaks=by_key)
MAX_OF, MIN_OF = (rule(None, f"y = {name}(x, *, key=None, default=None)", refused=["default"],
                       pull={"x": f"rt.unchosen(g, x, rt.chosen(x, {name}, key))"},
                       push={"x": f"rt.choice(g, x, rt.chosen(x, {name}, key))"}, spec=infer.anything, memory="alias",
                       breaks=by_key, note="the first of equals, as in Python") for name in ("max", "min"))
rule(sorted, "y = sorted(x, *, key=None, reverse=False)", pull={"x": "rt.unordered(g, x, rt.ordered(x, key, reverse))"},
     push={"x": "rt.taken(g, rt.ordered(x, key, reverse))"}, memory="alias", spec=infer.some("list"), breaks=by_key)
linear(list, "y = list(x)", pull={"x": "rt.relist(g, x)"}, memory="alias", spec=infer.some("list"), spreads=True)
nondifferentiable(len, "y = len(x)", because="integer valued", spec=infer.length, breaks="")
nondifferentiable(int, "y = int(x)", because="integer valued", spec=infer.integer)
nondifferentiable(bool, "y = bool(x)", because="a truth value", spec=infer.some("bool", "b1"))
nondifferentiable(round, "y = round(x, ndigits=None)", zero=True, because=CONSTANT, spec=infer.anything)
nondifferentiable(isinstance, "y = isinstance(x, kind)", because="a truth value",
                  spec=infer.some("bool", "b1"), breaks="")
nondifferentiable(hasattr, "y = hasattr(x, name)", because="a truth value", spec=infer.some("bool", "b1"), breaks="")
nondifferentiable(callable, "y = callable(x)", because="a truth value", spec=infer.some("bool", "b1"), breaks="")
nondifferentiable(range, "y = range(start, stop=None, step=None)", because="integer valued", spec=infer.some("range"))
nondifferentiable(str, "y = str(x)", because="text", spec=infer.some("str"))
nondifferentiable(repr, "y = repr(x)", because="text", spec=infer.some("str"))
nondifferentiable(format, "y = format(x, spec='')", because="text", spec=infer.some("str"))
nondifferentiable(type, "y = type(x)", because="a type", spec=infer.some("other"), breaks="")
unsupported(complex, "complex", because="a complex number is made of two", instead="x + 1j * y")
