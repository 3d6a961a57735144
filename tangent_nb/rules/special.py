"""Elementwise functions with a result in parts, special functions, and those that name the numbers of the machine."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import runtime as rt
from ..syntax import spec as sp
from ..syntax.spec import Spec
from . import infer, when
from .arithmetic import Y_POLE
from .computed import as_computed
from .table import elementwise, nondifferentiable, rule, unsupported

fn: Any
elementwise(np.sinc, "y = np.sinc(x)", x="g * rt.sinc_derivative(1, x)", spec=as_computed(np.sinc, "x"))
elementwise(rt.sinc_derivative, "y = rt.sinc_derivative(n, x)", x="g * rt.sinc_derivative(n + 1, x)", nondiff=["n"],
            spec=infer.anything)
elementwise(np.i0, "y = np.i0(x)", x="g * rt.i0_derivative(1, x)", spec=as_computed(np.i0, "x"), infinite="large")
elementwise(rt.i0_derivative, "y = rt.i0_derivative(n, x)", x="g * rt.i0_derivative(n + 1, x)", nondiff=["n"],
            spec=infer.anything, infinite="large")

elementwise(np.nan_to_num, "y = np.nan_to_num(x, *, nan=0.0, posinf=None, neginf=None)", x="rt.mask(g, np.isfinite(x))",
            spec=as_computed(np.nan_to_num, "x"), breaks="jump", note="what stands in for NaN and infinity has slope 0")
elementwise(np.ldexp, "y = np.ldexp(x, n)", x="np.ldexp(g, n)", nondiff=["n"], spec=infer.anything)
elementwise(np.nextafter, "y = np.nextafter(x1, x2)", x1="g", x2="rt.zeros_like(y)", spec=infer.floats,
            domain={"x2": (2.0, 3.0)}, note="x1, but for a rounding error")
elementwise(np.unwrap, "y = np.unwrap(x, discont=None, axis=-1, *, period=6.283185307179586)", x="g",
            nondiff=["discont"], spec=infer.arrays, breaks="jump", note="x plus whole periods: piecewise a shift")

RADIANS, UNIT = when.left_out("deg"), "math.degrees(1.0) ** bool(deg)"
rule(np.angle, "y = np.angle(x, deg=False)", diagonal=True, spec=infer.anything, breaks="jump",
     pull={"x": [(RADIANS, "rt.ratio(-1j * g, x)"), f"rt.ratio(-1j * g, x) * {UNIT}"]},
     push={"x": [(RADIANS, "np.imag(rt.ratio(g, x))"), f"np.imag(rt.ratio(g, x)) * {UNIT}"]},
     note="zero for real numbers, and at 0; complex cotangents are of holomorphic functions: not conjugated")


def _pair(args: Any, constants: Any) -> Spec:
    part = sp.floating(infer.floats(args, constants))
    return Spec("tuple", items=(part, part))


PARTS: dict[str, Any] = {"spec": _pair}
rule(np.modf, "y = np.modf(x)", pull={"x": [(when.is_array("x"), "g[0]"), "rt.unbroadcast(g[0], x)"]},
     push={"x": "(g, rt.zeros_like(g))"}, breaks="jump", **PARTS)
rule(np.frexp, "y = np.frexp(x)", pull={"x": [(when.is_array("x"), "np.ldexp(g[0], -rt.stop_gradient(y[1]))"),
                 "rt.unbroadcast(np.ldexp(g[0], -rt.stop_gradient(y[1])), x)"]},
     push={"x": "(np.ldexp(g, -rt.stop_gradient(y[1])), rt.zeros_like(g))"},
     breaks="jump", **{**PARTS, "spec": infer.anything})
for fn in (np.divmod, divmod):
    rule(fn, f"z = {'np.' if fn is np.divmod else ''}divmod(x, y)", spec=_pair if fn is np.divmod else infer.anything,
         breaks="jump", infinite=Y_POLE, pull={"x": "rt.unbroadcast(g[1], x)", "y": "rt.unbroadcast(-g[1] * z[0], y)"},
         push={"x": "(rt.zeros_like(z[0]), rt.broadcast_to_like(g, z[0]))", "y": "(rt.zeros_like(z[0]), -g * z[0])"})
nondifferentiable(np.spacing, "y = np.spacing(x)", zero=True, spec=infer.floats, because="piecewise constant")
for fn in (np.isreal, np.iscomplex, np.isneginf, np.isposinf, np.isnat):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x)", because="a truth value", spec=infer.anything)
for fn in (np.isrealobj, np.isscalar):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x)", because="a truth value", spec=infer.anything, breaks="")
for fn in (np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift, np.gcd, np.lcm):
    nondifferentiable(fn, f"z = np.{fn.__name__}(x, y)", because="integer valued", spec=infer.anything)
for fn in (np.bitwise_not, np.bitwise_count):
    nondifferentiable(fn, f"y = np.{fn.__name__}(x)", because="integer valued", spec=infer.anything)
unsupported(np.real_if_close, "np.real_if_close", because="whether its result is real depends on the values",
            instead="np.real")
unsupported(np.sort_complex, "np.sort_complex", because="complex numbers have no order that can be differentiated",
            instead="np.sort(np.real(z))")
