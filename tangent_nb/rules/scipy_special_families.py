"""SciPy's special functions, the second part: spherical Bessel functions, orthogonal polynomials, elliptic integrals,
functions with several results, distribution functions, and those of complex values. Formulas: DLMF, by the sections
that stand with the rows.

What is complex has the derivative of a holomorphic function, as everywhere. Degrees, orders and shape parameters are
refused where they are differentiated.
"""
from __future__ import annotations

from typing import Any

from scipy import special

from .. import runtime as rt
from . import when
from .jax_column import same
from .scipy_special import ANY, BETA_DENSITY, POSITIVE, SQRT_2PI, SQRT_PI, UNIT, both, of_one, of_order
from .table import Template, elementwise, nondifferentiable, rule


def of_degree(name: str, arguments: str, text: Template, x: str = "x", /, **details: Any) -> None:
    """A function of a number, and of degrees and parameters in which it is not differentiated."""
    fn = getattr(special, name, None)
    others = [one.partition("=")[0].strip() for one in arguments.split(",")]
    others.remove(x)
    if fn is not None:
        rule(fn, f"y = scipy.special.{name}({arguments})", diagonal=True, nondiff=others, refused=others,
             **both({x: text}), **{**ANY, **details})


# ------------------------------------------------------------------ spherical Bessel functions (DLMF 10.51)
for name, sign, above in (("jn", "", "-"), ("yn", "", "-"), ("in", "", "+"), ("kn", "-", "+")):
    of = f"special.spherical_{name}"                      # below 0 there is none, and the factor n is 0
    second = f"{sign}g * (n * {of}(abs(n - 1), z, True) {above} (n + 1) * {of}(n + 1, z, True)) / (2 * n + 1)"
    of_degree(f"spherical_{name}", "n, z, derivative=False", [
        (when.left_out("derivative"), f"g * {of}(n, z, True)"),
        (f"{second} if derivative else g * {of}(n, z, True)")], "z",
        infinite={"jn": "", "in": "large"}.get(name, "pole"))

# ------------------------------------------------------------------ orthogonal polynomials (DLMF 18.9.15 to 18.9.27)
of_degree("eval_legendre", "n, x", "g * (0.5 * (n + 1) * special.eval_jacobi(n - 1, 1.0, 1.0, x))")
of_degree("eval_chebyt", "n, x", "g * (n * special.eval_chebyu(n - 1, x))")
of_degree("eval_chebyu", "n, x", "g * (2.0 * special.eval_gegenbauer(rt.degree_below(n), 2.0, x))")
of_degree("eval_chebyc", "n, x", "g * (n * special.eval_chebys(n - 1, x))")
of_degree("eval_chebys", "n, x", "g * special.eval_gegenbauer(rt.degree_below(n), 2.0, 0.5 * x)")
of_degree("eval_sh_legendre", "n, x", "g * ((n + 1) * special.eval_jacobi(n - 1, 1.0, 1.0, 2.0 * x - 1.0))",
          domain=UNIT)
of_degree("eval_sh_chebyt", "n, x", "g * (2.0 * n * special.eval_sh_chebyu(n - 1, x))",
          domain=UNIT)
of_degree("eval_sh_chebyu", "n, x", "g * (4.0 * special.eval_gegenbauer(rt.degree_below(n), 2.0, 2.0 * x - 1.0))",
          domain=UNIT)
of_degree("eval_jacobi", "n, alpha, beta, x", "g * (0.5 * (n + np.add(alpha, beta) + 1) * special.eval_jacobi("
          "rt.degree_below(n), np.add(alpha, 1.0), np.add(beta, 1.0), x))")
of_degree("eval_gegenbauer", "n, alpha, x",
          "g * (2.0 * alpha * special.eval_gegenbauer(rt.degree_below(n), np.add(alpha, 1.0), x))")
of_degree("eval_hermite", "n, x", "g * (2.0 * n * special.eval_hermite(np.maximum(n - 1, 0), x))")
of_degree("eval_hermitenorm", "n, x", "g * (n * special.eval_hermitenorm(np.maximum(n - 1, 0), x))")
of_degree("eval_laguerre", "n, x", "-g * special.eval_genlaguerre(n - 1, 1.0, x)")
of_degree("eval_genlaguerre", "n, alpha, x",
          "-g * special.eval_genlaguerre(rt.degree_below(n), np.add(alpha, 1.0), x)")
nondifferentiable(rt.degree_below, "y = rt.degree_below(n)", because="a degree", breaks="", **ANY)
of_degree("assoc_laguerre", "x, n, k=0.0", "-g * special.eval_genlaguerre(rt.degree_below(n), np.add(k, 1.0), x)")

# ------------------------------------------------------------------ elliptic integrals (DLMF 19.2, 19.25)
BELOW = "(1.0 - m * np.sin(phi) ** 2)"
elementwise(special.ellipkinc, "y = scipy.special.ellipkinc(phi, m)", phi=f"g / np.sqrt{BELOW}", **ANY,
            m="g * (0.5 * rt.elliptic_integral(1, 1.5, phi, m))", domain={"phi": (-1.4, 4.4), "m": (-0.9, 0.9)},
            infinite="pole")
elementwise(special.ellipeinc, "y = scipy.special.ellipeinc(phi, m)", phi=f"g * np.sqrt{BELOW}", **ANY,
            m="-g * (0.5 * rt.elliptic_integral(1, 0.5, phi, m))", domain={"phi": (-1.4, 4.4), "m": (-0.9, 0.9)})
elementwise(rt.elliptic_integral, "y = rt.elliptic_integral(n, s, phi, m)", nondiff=["n", "s"], **ANY,
            phi=f"g * (np.sin(phi) ** (2 * n) / {BELOW} ** s)",
            m="g * (s * rt.elliptic_integral(n + 1, s + 1.0, phi, m))", infinite="pole",
            domain={"phi": (-1.4, 4.4), "m": (-0.9, 0.9)})
of_one("ellipkm1", "-g * (math.pi / 8.0 * special.hyp2f1(0.5, 0.5, 2.0, 1.0 - x) / x)", domain={"x": (0.1, 1.9)},
       infinite="pole", note="DLMF 19.5.1 and 15.8.1")
rule(special.ellipj, "y = scipy.special.ellipj(u, m)", nondiff=["m"], refused=["m"], **ANY,
     note="DLMF 22.13",
     pull={"u": "rt.unbroadcast(g[0] * y[1] * y[2] - g[1] * y[0] * y[2] - g[2] * (m * y[0] * y[1]) + g[3] * y[2], u)"},
     push={"u": "(g * y[1] * y[2], -g * y[0] * y[2], -g * (m * y[0] * y[1]), g * y[2])"})

# ------------------------------------------------------------------ integrals and functions with several results
def of_several(name: str, *slopes: str, **details: Any) -> None:
    """A ufunc of one number with several results, each with its slope."""
    rule(getattr(special, name), f"y = scipy.special.{name}(x)", **{**ANY, **details},
         pull={"x": f"rt.unbroadcast({' + '.join(f'g[{i}] * {slope}' for i, slope in enumerate(slopes))}, x)"},
         push={"x": f"({', '.join(f'g * {slope}' for slope in slopes)})"})


FAR = {"x": (0.5, 3.0)}
of_several("sici", "special.spherical_jn(0, x)", "rt.ratio(np.cos(x), x)", infinite="pole",
           note="DLMF 6.2; the slope of Ci at its pole comes out as 0")
of_several("shichi", "special.spherical_in(0, x)", "rt.ratio(np.cosh(x), x)", infinite="large",
           note="DLMF 6.2; the slope of Chi at its pole comes out as 0")
of_several("fresnel", "np.sin(0.5 * math.pi * x * x)", "np.cos(0.5 * math.pi * x * x)", note="DLMF 7.2")
of_several("airy", "y[1]", "(x * y[0])", "y[3]", "(x * y[2])", infinite="large", note="DLMF 9.2")
of_several("itj0y0", "special.j0(x)", "special.y0(x)", infinite="pole")
of_several("iti0k0", "special.i0(x)", "special.k0(x)", infinite="pole")
of_one("itstruve0", "g * special.struve(0, x)", domain=FAR)
of_one("it2struve0", "-g * special.struve(0, x) / x", domain=FAR, infinite="pole")
of_one("itmodstruve0", "g * special.modstruve(0, x)", domain=FAR, infinite="large")
for name, above in (("struve", "-"), ("modstruve", "+")):
    of_order(name, f"g * (0.5 * (special.{name}(v - 1, x) {above} special.{name}(v + 1, x) + np.power(0.5 * x, v) "
             f"* special.rgamma(np.add(v, 1.5)) / {SQRT_PI}))", infinite="pole", note="DLMF 11.4.23 to 11.4.28")
for name in ("ber", "bei", "ker", "kei"):
    grows = "pole" if name[0] == "k" else "large"
    other = f"-special.{name[0]}ei(x)" if name[1:] == "er" else f"special.{name[0]}er(x)"
    of_one(name, f"g * special.{name}p(x)", domain=FAR, infinite=grows, note="DLMF 10.61")
    of_one(f"{name}p", f"g * ({other} - y / x)", domain=FAR, infinite="pole")

# ------------------------------------------------------------------ Bessel functions by the orders of their derivatives
for name in ("jvp", "yvp", "ivp", "kvp", "h1vp", "h2vp"):
    of_degree(name, "v, z, n=1", f"g * special.{name}(v, z, n + 1)", "z", infinite={"jvp": "", "ivp": "large"}.get(
        name, "pole"))
for name in ("hankel1", "hankel2"):
    of_degree(name, "v, z", f"g * (0.5 * (special.{name}(v - 1, z) - special.{name}(v + 1, z)))", "z", infinite="pole")
    turn = "-" if name == "hankel1" else "+"
    of_degree(f"{name}e", "v, z", f"g * (0.5 * (special.{name}e(v - 1, z) - special.{name}e(v + 1, z)) {turn} 1j * y)",
              "z", infinite="pole")
of_one("exprel", "g * rt.exprel_derivative(1, x)", infinite="large")
elementwise(rt.exprel_derivative, "y = rt.exprel_derivative(n, x)", x="g * rt.exprel_derivative(n + 1, x)",
            nondiff=["n"], infinite="large", **ANY)
of_degree("hyp0f1", "v, z", "g * (special.hyp0f1(np.add(v, 1.0), z) / v)", "z", note="DLMF 16.3.1")
of_degree("hyperu", "a, b, x", "-g * (a * special.hyperu(np.add(a, 1.0), np.add(b, 1.0), x))", infinite="pole",
          note="DLMF 13.3.22")

# ------------------------------------------------------------------ powers
SLOPE = "{0} * {0} * rt.exprel_derivative(1, lmbda * {0})"              # of the quotient, by lmbda, also at 0
POLE: dict[str, Any] = {**ANY, "infinite": "pole"}
elementwise(special.boxcox, "y = scipy.special.boxcox(x, lmbda)", x="g / x ** (1.0 - lmbda)", **POLE, domain=POSITIVE,
            lmbda=f"g * ({SLOPE.format('np.log(x)')})")
elementwise(special.boxcox1p, "y = scipy.special.boxcox1p(x, lmbda)", x="g / (1.0 + x) ** (1.0 - lmbda)", **POLE,
            lmbda=f"g * ({SLOPE.format('np.log1p(x)')})", domain=POSITIVE)
elementwise(special.inv_boxcox, "x = scipy.special.inv_boxcox(y, lmbda)", y="g * x ** (1.0 - lmbda)", **POLE,
            lmbda=f"-g * ({SLOPE.format('np.log(x)')} * x ** (1.0 - lmbda))", domain={"y": (-0.5, 0.5)})
elementwise(special.inv_boxcox1p, "x = scipy.special.inv_boxcox1p(y, lmbda)", y="g * (1.0 + x) ** (1.0 - lmbda)",
            lmbda=f"-g * ({SLOPE.format('np.log1p(x)')} * (1.0 + x) ** (1.0 - lmbda))", domain={"y": (-0.5, 0.5)},
            **POLE)
elementwise(special.powm1, "z = scipy.special.powm1(x, y)", x="rt.power_dx(g, x, y)", y="rt.power_dy(g, x, y, x ** y)",
            domain=POSITIVE, **POLE)
of_one("tandg", "g * (math.pi / 180.0 * (1.0 + y * y))", domain={"x": (-50.0, 50.0)}, infinite="pole")
of_one("cotdg", "-g * (math.pi / 180.0 * (1.0 + y * y))", domain={"x": (20.0, 160.0)}, infinite="pole")
elementwise(special.radian, "y = scipy.special.radian(d, m, s)", d="g * (math.pi / 180.0)", m="g * (math.pi / 10800.0)",
            s="g * (math.pi / 648000.0)", **ANY)

# ------------------------------------------------------------------ distribution functions, and their inverses
CHI2 = "(0.5 * np.exp(special.xlogy(0.5 * v - 1.0, 0.5 * {0}) - 0.5 * {0} - special.gammaln(0.5 * v)))"
of_degree("chdtr", "v, x", f"g * {CHI2.format('x')}", domain=POSITIVE, infinite="pole")
of_degree("chdtrc", "v, x", f"-g * {CHI2.format('x')}", domain=POSITIVE, infinite="pole")
of_degree("chdtri", "v, p", f"-g / {CHI2.format('y')}", "p", domain={"p": (0.1, 0.9)}, infinite="pole")
STUDENT = ("(np.exp(special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df) - 0.5 * (df + 1.0) * np.log1p({0} * "
           "{0} / df)) / np.sqrt(math.pi * df))")
of_degree("stdtr", "df, t", f"g * {STUDENT.format('t')}", "t")
of_degree("stdtrit", "df, p", f"g / {STUDENT.format('y')}", "p", domain={"p": (0.1, 0.9)}, infinite="pole")
FISHER = ("(dfn / dfd * np.exp(special.xlogy(0.5 * dfn - 1.0, dfn / dfd * x) - 0.5 * (dfn + dfd) * np.log1p("
          "dfn / dfd * x) - special.betaln(0.5 * dfn, 0.5 * dfd)))")
of_degree("fdtr", "dfn, dfd, x", f"g * {FISHER}", domain=POSITIVE, infinite="pole")
of_degree("fdtrc", "dfn, dfd, x", f"-g * {FISHER}", domain=POSITIVE, infinite="pole")
GAMMA = "np.exp(special.xlogy(b - 1.0, a * x) - a * x - special.gammaln(b))"
for name, sign in (("gdtr", ""), ("gdtrc", "-")):
    texts = {"a": f"{sign}g * (x * {GAMMA})", "x": f"{sign}g * (a * {GAMMA})"}
    rule(getattr(special, name), f"y = scipy.special.{name}(a, b, x)", diagonal=True, nondiff=["b"], refused=["b"],
         **both(texts), domain={"a": (0.5, 2.0), "x": (0.5, 3.0)}, **POLE)
POISSON = "np.exp(special.xlogy(np.floor(k), m) - m - special.gammaln(np.floor(k) + 1.0))"
OF_COUNTS: dict[str, Any] = {"infinite": "pole", "breaks": {"k": "jump"}}
of_degree("pdtr", "k, m", f"-g * {POISSON}", "m", domain={"m": (0.5, 3.0)}, **OF_COUNTS)
of_degree("pdtrc", "k, m", f"g * {POISSON}", "m", domain={"m": (0.5, 3.0)}, **OF_COUNTS)
DENSITY = "np.exp(special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b))"
for name, sign in (("betaincinv", ""), ("betainccinv", "-")):
    rule(getattr(special, name), f"x = scipy.special.{name}(a, b, y)", diagonal=True, nondiff=["a", "b"],
         refused=["a", "b"], **both({"y": f"{sign}g / {BETA_DENSITY}"}), domain={"y": (0.1, 0.9)}, **POLE)
of_one("ndtri_exp", f"g * {SQRT_2PI} * np.exp(0.5 * y * y + x)", domain={"x": (-3.0, -0.1)}, infinite="pole")
elementwise(special.owens_t, "y = scipy.special.owens_t(h, a)", **ANY,
            h=f"-g * (0.5 * np.exp(-0.5 * h * h) * special.erf(a * h / math.sqrt(2.0)) / {SQRT_2PI})",
            a="g * (np.exp(-0.5 * h * h * (1.0 + a * a)) / (2.0 * math.pi * (1.0 + a * a)))")

# ------------------------------------------------------------------ complex values
elementwise(special.wofz, "y = scipy.special.wofz(x)", x="g * rt.wofz_derivative(1, x)", note="DLMF 7.10.2", **ANY)
elementwise(rt.wofz_derivative, "y = rt.wofz_derivative(n, x)", nondiff=["n"], x="g * rt.wofz_derivative(n + 1, x)",
            **ANY)
PLACE = "(x + 1j * gamma) / (math.sqrt(2.0) * sigma)"
VOIGT, ALONG = f"rt.wofz_derivative(1, {PLACE})", f"(2.0 * {SQRT_PI} * sigma * sigma)"
elementwise(special.voigt_profile, "y = scipy.special.voigt_profile(x, sigma, gamma)", domain={
    "x": (-2.0, 2.0), "sigma": (0.5, 2.0), "gamma": (0.5, 2.0)}, x=f"g * np.real({VOIGT}) / {ALONG}",
            sigma=f"-g * (y + np.real({PLACE} * {VOIGT}) / ({SQRT_2PI} * sigma)) / sigma",
            gamma=f"-g * np.imag({VOIGT}) / {ALONG}", infinite="pole", note="not where sigma is 0", **ANY)
of_degree("lambertw", "z, k=0, tol=1e-8", "g / (z + np.exp(y))", "z", domain={"z": (0.5, 3.0)}, infinite="pole",
          note="DLMF 4.13.4; complex, as its value is")
elementwise(special.wrightomega, "y = scipy.special.wrightomega(z)", z="g * (y / (1.0 + y))", infinite="pole",
            breaks="jump", note="Corless and Jeffrey (2002)", **ANY)
elementwise(special.zetac, "y = scipy.special.zetac(x)", x="g * rt.zeta_derivative(1, x, 1.0)",
            domain={"x": (1.5, 4.0)}, **POLE)
rule(rt.zeta_derivative, "y = rt.zeta_derivative(n, x, q)", diagonal=True, nondiff=["n"], **POLE,
     domain={"x": (1.5, 4.0), "q": (0.5, 3.0)}, **both({
         "x": "g * rt.zeta_derivative(n + 1, x, q)",
         "q": "-g * (n * rt.zeta_derivative(n - 1, x + 1.0, q) + x * rt.zeta_derivative(n, x + 1.0, q))"}))

same("fresnel owens_t", special, "jax.scipy.special", wide=True)
