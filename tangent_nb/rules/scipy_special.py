"""SciPy's special functions. Formulas: DLMF, by the sections that stand with the rows.

Orders and shape parameters in which a function has no derivative in closed form (the order of a Bessel function, the
first argument of the incomplete gamma function) are refused where they are differentiated.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scipy import special

from .. import runtime as rt
from . import infer, when
from .jax_column import same
from .table import Template, elementwise, nondifferentiable, rule, unsupported

fn: Any
POSITIVE, UNIT = {"x": (0.5, 3.0)}, {"x": (0.1, 0.9)}
SQRT_PI, SQRT_2PI = "math.sqrt(math.pi)", "math.sqrt(2.0 * math.pi)"
FLOATS: dict[str, Any] = {"spec": infer.floats}
ANY: dict[str, Any] = {"spec": infer.anything}


def both(texts: Mapping[str, Template]) -> dict[str, Any]:
    """One text for both modes."""
    return {"pull": texts, "push": texts}


def of_one(name: str, x: Any, /, **details: Any) -> None:
    """A ufunc of one number."""
    elementwise(getattr(special, name), f"y = scipy.special.{name}(x)", x=x, **{**FLOATS, **details})


def of_order(name: str, text: str, order: str = "v", /, **details: Any) -> None:
    """A ufunc of an order, in which it is not differentiated, and of a number."""
    fn = getattr(special, name)
    rule(fn, f"y = scipy.special.{name}({order}, x)", diagonal=True, pull={"x": text}, push={"x": text},
         nondiff=[order], refused=[order], **{"spec": infer.anything, **details})


# ------------------------------------------------------------------ the gamma function (DLMF 5)
of_one("gamma", "g * (y * special.digamma(x))", domain=POSITIVE, infinite="pole")
for name in ("gammaln", "loggamma"):
    of_one(name, "g * special.digamma(x)", domain=POSITIVE, infinite="pole")
of_one("rgamma", "-g * (y * special.digamma(x))", domain=POSITIVE,
       note="its derivative at a pole of gamma comes out as NaN")
of_one("digamma", "g * special.polygamma(1, x)", domain=POSITIVE, infinite="pole")
rule(special.polygamma, "y = scipy.special.polygamma(n, x)", diagonal=True,
     pull={"x": "g * special.polygamma(n + 1, x)"},
     push={"x": "g * special.polygamma(n + 1, x)"}, nondiff=["n"], refused=["n"], **ANY, infinite="pole")
rule(special.multigammaln, "y = scipy.special.multigammaln(a, d)", nondiff=["d"], diagonal=True, **ANY,
     **both({"a": "g * np.sum(special.digamma(np.subtract.outer(a, 0.5 * np.arange(d))), axis=-1)"}), infinite="pole")
elementwise(special.beta, "y = scipy.special.beta(a, b)", a="g * (y * (special.digamma(a) - special.digamma(a + b)))",
            b="g * (y * (special.digamma(b) - special.digamma(a + b)))", domain={"x": (0.5, 3.0)}, **ANY,
            infinite="pole")
elementwise(special.betaln, "y = scipy.special.betaln(a, b)", a="g * (special.digamma(a) - special.digamma(a + b))",
            b="g * (special.digamma(b) - special.digamma(a + b))", domain={"x": (0.5, 3.0)}, **ANY, infinite="pole")
elementwise(special.binom, "y = scipy.special.binom(n, k)",
            n="g * (y * (special.digamma(n + 1.0) - special.digamma(n - k + 1.0)))",
            k="g * (y * (special.digamma(n - k + 1.0) - special.digamma(k + 1.0)))",
            domain={"n": (3.0, 5.0), "k": (1.0, 2.0)}, **ANY)
elementwise(special.poch, "y = scipy.special.poch(z, m)", z="g * (y * (special.digamma(z + m) - special.digamma(z)))",
            m="g * (y * special.digamma(z + m))", domain={"x": (0.5, 3.0)}, **ANY, infinite="pole")

GAMMA_DENSITY = "np.exp(special.xlogy(a - 1.0, {0}) - {0} - special.gammaln(a))"
BETA_DENSITY = "np.exp(special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b))"
for name, sign in (("gammainc", ""), ("gammaincc", "-")):
    of_order(name, f"{sign}g * {GAMMA_DENSITY.format('x')}", "a")
for name, sign in (("gammaincinv", ""), ("gammainccinv", "-")):
    of_order(name, f"{sign}g / {GAMMA_DENSITY.format('y')}", "a",
             domain=UNIT, infinite="pole")
for name, sign in (("betainc", ""), ("betaincc", "-")):
    if hasattr(special, name):
        text = f"{sign}g * {BETA_DENSITY}"
        rule(getattr(special, name), f"y = scipy.special.{name}(a, b, x)", diagonal=True, pull={"x": text},
             push={"x": text}, nondiff=["a", "b"], refused=["a", "b"], domain={"x": (0.1, 0.9)}, **ANY)

# ------------------------------------------------------------------ error functions (DLMF 7)
of_one("erf", f"g * (2.0 / {SQRT_PI} * np.exp(-x * x))")
of_one("erfc", f"-g * (2.0 / {SQRT_PI} * np.exp(-x * x))")
of_one("erfi", f"g * (2.0 / {SQRT_PI} * np.exp(x * x))", infinite="large")
of_one("erfinv", f"g * ({SQRT_PI} / 2.0 * np.exp(y * y))", domain={"x": (-0.9, 0.9)}, infinite="pole")
of_one("erfcinv", f"-g * ({SQRT_PI} / 2.0 * np.exp(y * y))", domain={"x": (0.1, 1.9)}, infinite="pole")
of_one("ndtr", f"g * np.exp(-0.5 * x * x) / {SQRT_2PI}")
of_one("log_ndtr", "g * (math.sqrt(2.0 / math.pi) / special.erfcx(np.maximum(-x / math.sqrt(2.0), -26.0)))",
       note="far to the right, where erfcx overflows, its derivative comes out as 1e-294")
of_one("ndtri", f"g * {SQRT_2PI} * np.exp(0.5 * y * y)", domain=UNIT, infinite="pole")
for name in ("erfcx", "dawsn"):
    grows = "large" if name == "erfcx" else ""
    of_one(name, f"g * rt.{name}_derivative(1, x)", note="far from 0 by its asymptotic series", infinite=grows)
    elementwise(getattr(rt, f"{name}_derivative"), f"y = rt.{name}_derivative(n, x)",
                x=f"g * rt.{name}_derivative(n + 1, x)", nondiff=["n"], **ANY, infinite=grows)

# ------------------------------------------------------------------ logistic functions, entropies and losses
of_one("expit", "g * (y * special.expit(-x))")
of_one("logit", "g / (x * (1.0 - x))", domain=UNIT, infinite="pole")
of_one("log_expit", "g * special.expit(-x)")
if hasattr(special, "softplus"):
    elementwise(special.softplus, "y = scipy.special.softplus(x)", x="g * special.expit(x)", **FLOATS)
elementwise(special.xlogy, "z = scipy.special.xlogy(x, y)", x="special.xlogy(g, y)", y="g * rt.ratio(x, y)",
            domain=POSITIVE, **ANY, infinite="pole")
elementwise(special.xlog1py, "z = scipy.special.xlog1py(x, y)", x="special.xlog1py(g, y)", y="g * rt.ratio(x, 1.0 + y)",
            domain=POSITIVE, **ANY, infinite="pole")
of_one("entr", "-g - special.xlogy(g, x)", domain=POSITIVE, infinite="pole")
elementwise(special.rel_entr, "z = scipy.special.rel_entr(x, y)", x="g + special.xlogy(g, x / y)", y="-g * (x / y)",
            domain=POSITIVE, **ANY, infinite="pole")
elementwise(special.kl_div, "z = scipy.special.kl_div(x, y)", x="special.xlogy(g, x / y)", y="g * (1.0 - x / y)",
            domain=POSITIVE, **ANY, infinite="pole")
elementwise(special.huber, "y = scipy.special.huber(delta, r)", delta="g * np.maximum(np.abs(r) - delta, 0.0)",
            r="g * np.clip(r, np.negative(delta), delta)", domain={"delta": (0.9, 1.0), "r": (-2.0, 2.0)},
            infinite={"delta": "pole"}, **ANY)
elementwise(special.pseudo_huber, "y = scipy.special.pseudo_huber(delta, r)",
            delta="g * (2.0 * y / delta - r * (r / delta) / np.hypot(1.0, r / delta))",
            r="g * r / np.hypot(1.0, r / delta)", domain={"x": (0.5, 2.0)}, **ANY)

WEIGHT = "np.exp(a - rt.unreduce(y, a, axis, keepdims))"
ALONE, B = when.left_out("b"), "(1.0 if b is None else b)"
SPREAD = f"rt.unreduce({{}}, np.multiply(a, {B}), axis, keepdims)"
WEIGHED = f"np.exp(np.subtract(a, {SPREAD.format('y')}))"
rule(special.logsumexp, "y = scipy.special.logsumexp(a, axis=None, b=None, keepdims=False)", **ANY,
     pull={"a": [(when.left_out("b", "keepdims"), f"rt.unreduce(g, a, axis, keepdims) * {WEIGHT}"),
                 (ALONE, f"rt.unbroadcast(rt.unreduce(g, a, axis, keepdims) * {WEIGHT}, a)"),  # a number gets an axis
                 f"rt.unbroadcast({SPREAD.format('g')} * np.multiply({WEIGHED}, {B}), a)"],
           "b": f"rt.unbroadcast({SPREAD.format('g')} * {WEIGHED}, b)"},
     push={"a": [(ALONE, f"np.sum(g * {WEIGHT}, axis=axis, keepdims=keepdims)"),
                 f"np.sum(g * np.multiply({WEIGHED}, {B}), axis=axis, keepdims=keepdims)"],
           "b": f"np.sum(g * {WEIGHED}, axis=axis, keepdims=keepdims)"}, note="without return_sign=")
rule(special.softmax, "y = scipy.special.softmax(x, axis=None)", **ANY,
     **both({"x": "y * (g - np.sum(g * y, axis=axis, keepdims=True))"}))
rule(special.log_softmax, "y = scipy.special.log_softmax(x, axis=None)", **ANY,
     pull={"x": "g - np.exp(y) * np.sum(g, axis=axis, keepdims=True)"},
     push={"x": "g - np.sum(np.exp(y) * g, axis=axis, keepdims=True)"})

# ------------------------------------------------------------------ Bessel functions (DLMF 10.6, 10.29)
of_one("j0", "-g * special.j1(x)")
of_one("j1", "g * (0.5 * (special.j0(x) - special.jv(2, x)))")
of_one("y0", "-g * special.y1(x)", domain=POSITIVE, infinite="pole")
of_one("y1", "g * (0.5 * (special.y0(x) - special.yv(2, x)))", domain=POSITIVE, infinite="pole")
of_one("i0", "g * special.i1(x)", infinite="large")
of_one("i1", "g * (0.5 * (special.i0(x) + special.iv(2, x)))", infinite="large")
of_one("i0e", "g * (special.i1e(x) - np.sign(x) * y)", breaks="kink")
of_one("i1e", "g * (0.5 * (special.i0e(x) + special.ive(2, x)) - np.sign(x) * y)", breaks="kink")
of_one("k0", "-g * special.k1(x)", domain=POSITIVE, infinite="pole")
of_one("k1", "-g * (0.5 * (special.k0(x) + special.kv(2, x)))", domain=POSITIVE, infinite="pole")
of_one("k0e", "g * (y - special.k1e(x))", domain=POSITIVE, infinite="pole")
of_one("k1e", "g * (y - 0.5 * (special.k0e(x) + special.kve(2, x)))", domain=POSITIVE, infinite="pole")
INFINITE = {"yv": "pole", "kv": "pole", "kve": "pole", "iv": "large"}
for name, text in (("jv", "g * (0.5 * (special.jv(v - 1, x) - special.jv(v + 1, x)))"),
                   ("yv", "g * (0.5 * (special.yv(v - 1, x) - special.yv(v + 1, x)))"),
                   ("iv", "g * (0.5 * (special.iv(v - 1, x) + special.iv(v + 1, x)))"),
                   ("kv", "-g * (0.5 * (special.kv(v - 1, x) + special.kv(v + 1, x)))"),
                   ("ive", "g * (0.5 * (special.ive(v - 1, x) + special.ive(v + 1, x)) - np.sign(x) * y)"),
                   ("kve", "g * (y - 0.5 * (special.kve(v - 1, x) + special.kve(v + 1, x)))")):
    of_order(name, text, breaks="kink" if name == "ive" else "", infinite=INFINITE.get(name, ""))
for name, text in (("yn", "g * (0.5 * (special.yv(n - 1, x) - special.yv(n + 1, x)))"),
                   ("kn", "-g * (0.5 * (special.kv(n - 1, x) + special.kv(n + 1, x)))")):
    of_order(name, text, "n", infinite="pole")

# ------------------------------------------------------------------ exponential integrals, and what NumPy has too
of_one("expi", "g * np.exp(x) / x", domain=POSITIVE, infinite="pole")
of_one("exp1", "-g * np.exp(-x) / x", domain=POSITIVE, infinite="pole")
of_order("expn", "-g * special.expn(n - 1, x)", "n", infinite="pole")
elementwise(special.zeta, "y = scipy.special.zeta(x, q=1.0)", x="g * rt.zeta_derivative(1, x, q)",
            q="-g * (x * special.zeta(x + 1.0, q))", domain={"x": (1.5, 4.0), "q": (0.5, 3.0)}, infinite="pole", **ANY)
of_one("exp2", "g * (y * math.log(2.0))", infinite="large")
of_one("exp10", "g * (y * math.log(10.0))", infinite="large")
of_one("expm1", "g * np.exp(x)", infinite="large")
of_one("cosm1", "-g * np.sin(x)")
of_one("log1p", "g / (1.0 + x)", domain=POSITIVE, infinite="pole")
of_one("cbrt", "g / (3.0 * y * y)", domain=POSITIVE)
of_one("sindg", "g * (math.pi / 180.0 * special.cosdg(x))")
of_one("cosdg", "-g * (math.pi / 180.0 * special.sindg(x))")

# --------------------------------------------- hypergeometric functions (DLMF 13.3.15, 15.5.1), and those that they are
rule(special.hyp1f1, "y = scipy.special.hyp1f1(a, b, x)", diagonal=True, nondiff=["a", "b"], refused=["a", "b"], **ANY,
     **both({"x": "g * (np.divide(a, b) * special.hyp1f1(np.add(a, 1.0), np.add(b, 1.0), x))"}), infinite="large")
rule(special.hyp2f1, "y = scipy.special.hyp2f1(a, b, c, z)", diagonal=True, nondiff=["a", "b", "c"],
     refused=["a", "b", "c"], **ANY,
     **both({"z": "g * (np.multiply(a, b) / c * special.hyp2f1(np.add(a, 1.0), np.add(b, 1.0), np.add(c, 1.0), z))"}),
     infinite="pole")
of_one("ellipk", "g * (math.pi / 8.0 * special.hyp2f1(1.5, 1.5, 2.0, x))", domain={"x": (-0.9, 0.9)},
       note="DLMF 19.5.1", infinite="pole")
of_one("ellipe", "-g * (math.pi / 8.0 * special.hyp2f1(0.5, 1.5, 2.0, x))", domain={"x": (-0.9, 0.9)},
       note="DLMF 19.5.2")
of_one("spence", "-g * special.hyp2f1(1.0, 1.0, 2.0, 1.0 - x)", domain=POSITIVE, note="DLMF 25.12.2")

nondifferentiable(special.gammasgn, "y = scipy.special.gammasgn(x)", zero=True, because="piecewise constant", **FLOATS)
for name in ("comb", "perm", "factorial", "factorial2"):
    unsupported(getattr(special, name), f"scipy.special.{name}", because="it is of integers",
                instead="scipy.special.gamma, or binom and poch")

same("""
    beta betainc betaln digamma entr erf erfc erfinv exp1 expi expit expn gamma gammainc gammaincc gammaln i0 i0e i1 i1e
    kl_div log_softmax logit logsumexp ndtr ndtri poch polygamma rel_entr softmax xlog1py xlogy
    zeta""", special, "jax.scipy.special", wide=True)
