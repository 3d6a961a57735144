"""SciPy's distributions: densities, distribution functions and their inverses, in closed form.

A distribution is written down in its standard form, of z = (x - loc) / scale. Shape parameters in which a function has
no derivative in closed form (those of the distribution functions of gamma, beta, chi2 and t) are refused where they are
differentiated. Outside of the support derivatives are 0, also where the logarithm of the density is -inf.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scipy import stats

from .. import runtime as rt
from ..syntax.program import member
from . import infer, when
from .table import Template, linear, nondifferentiable, rule

ANY: dict[str, Any] = {"spec": infer.anything}
ZERO = "0.0 * g"
SQRT_2PI = "math.sqrt(2.0 * math.pi)"
# the normal density over the distribution function at -t; erfcx overflows below -26, where this is 0
RATIO = "math.sqrt(2.0 / math.pi) / special.erfcx(np.maximum({0} / math.sqrt(2.0), -26.0))"
PER_SCALE = (" / scale", " * scale")
# x that is data may be a list
PLACES: list[tuple[Any, str, str, str]] = [
    (when.left_out("loc", "scale"), "{0}", "", ""),
    (when.both(when.left_out("scale"), when.is_real("x")), "({0} - loc)", "", ""),
    (when.left_out("scale"), "np.subtract({0}, loc)", "", ""),
    (when.both(when.left_out("loc"), when.is_real("x")), "({0} / scale)", *PER_SCALE),
    (when.left_out("loc"), "np.divide({0}, scale)", *PER_SCALE),
    (when.is_real("x"), "(({0} - loc) / scale)", *PER_SCALE), (None, "(np.subtract({0}, loc) / scale)", *PER_SCALE)]


@dataclass(frozen=True)
class Standard:
    """A distribution with loc 0 and scale 1, in texts: `{z}` is the argument,
    `{u}` the argument where it is in the support, else a place there.

    fall: minus the slope of the logarithm of the density, none where the density is constant; exponent, per: the
    density is exp(exponent) / per; shapes: the partials of the logarithm of the density in the shape parameters;
    steady: those of the density, where `y *` the former is not known on the edge of the support; below: how a quantile
    grows with a shape parameter; outside: the condition for not being in the support, and the place; lower, upper: the
    density over the distribution function, and over the survival function, if exp(exponent - y) would cancel; breaks:
    by function, what happens at places that `edges` move.
    """

    fall: str
    exponent: str
    domain: Mapping[str, tuple[float, float]]
    per: str = ""
    shapes: Mapping[str, str] = field(default_factory=dict)
    steady: Mapping[str, str] = field(default_factory=dict)
    below: Mapping[str, str] = field(default_factory=dict)
    outside: tuple[str, str] | None = None
    lower: str = ""
    upper: str = ""
    breaks: Mapping[str, str] = field(default_factory=dict)
    edges: tuple[str, ...] = ("x", "loc")

    def density(self, over: str = "") -> str:
        """The density, or what it is over the function that has the logarithm `over`."""
        if not self.exponent:
            return f"np.exp(-{over})" if over else "1.0"
        exponent = self.exponent + (f" - {over}" if over else "")
        return f"np.exp({exponent})" + (f" / {self.per}" if self.per else "")

    def methods(self) -> Iterator[tuple[str, dict[str, str], bool]]:
        """The functions, with the texts of their partials, and whether these may be undefined outside of the
        support."""
        yield "logpdf", \
            {**self._moved("-", self.fall, f"g * ({{z}} * {self.fall} - 1.0) / scale" if self.fall else "-g / scale"),
             **{one: f"g * ({text})" for one, text in self.shapes.items()}}, True
        density = {one: f"y * ({text})" for one, text in self.shapes.items()}
        yield "pdf", {**self._moved("-", self.fall and f"y * {self.fall}", f"g * (y * ({{z}} * "
                                    f"{self.fall} - 1.0)) / scale" if self.fall else "-g * y / scale"),
                      **{one: f"g * ({text})" for one, text in {**density, **self.steady}.items()}}, False
        over = f"np.where({self.outside[0]}, 0.0, y)" if self.outside else "y"
        for name, sign, ratio in (("cdf", "", self.density()), ("sf", "-", self.density()),
                                  ("logcdf", "", self.lower or self.density(over)),
                                  ("logsf", "-", self.upper or self.density(over))):
            other = "" if sign else "-"
            yield name, {**self._moved(sign, ratio, f"{other}g * ({{z}} * {ratio}) / scale"),
                         **{one: f"{other}g * ({text} * {ratio})" for one, text in self.below.items()}}, True
        for name, sign in (("ppf", ""), ("isf", "-")):
            yield name, {"q": f"{sign}g / ({self.density()}){{times}}", "loc": "g", "scale": "g * {z}",
                         **{one: f"g * ({text}){{times}}" for one, text in self.below.items()}}, False

    @staticmethod
    def _moved(sign: str, slope: str, scale: str) -> dict[str, str]:
        """The partials in x, in loc, and in the scale; without a slope the former are 0."""
        other = "" if sign else "-"
        x, loc = (f"{sign}g * ({slope}){{per}}", f"{other}g * ({slope}){{per}}") if slope else (ZERO, ZERO)
        return {"x": x, "loc": loc, "scale": scale}


def placed(text: str, of: str, place: str, mask: str) -> Template:
    """A text of z as texts of the arguments, shorter where loc or scale is left out;
    mask: the condition under which it is 0."""
    found: list[Any] = []
    for given, z, per, times in PLACES:
        parts = {"z": z.format(of), "per": per, "times": times}
        parts["u"] = place.format(**parts)
        one = text.format(**parts)
        one = f"np.where({mask.format(**parts)}, 0.0, {one})" if mask else one
        found.append(one if given is None else (given, one))
    return found


UNBOUNDED = ("logpdf", "logpmf", "logcdf", "logsf", "ppf", "isf")  # at the ends of the support, or of the probabilities


def family(name: str, parameters: tuple[str, ...], standard: Standard) -> None:
    """The rows of a distribution, with its shape parameters."""
    outside, place = standard.outside or ("", "{z}")
    for method, texts, masked in standard.methods():
        x = "q" if "q" in texts else "x"
        partials = {one: placed(text, "y" if x == "q" else "x", f"np.where({outside}, {place}, {{z}})" if outside
                                else place, outside if masked and text != ZERO else "") for one, text in texts.items()}
        refused = [one for one in parameters if one not in partials]
        moving = dict.fromkeys(standard.edges, standard.breaks[method]) if method in standard.breaks else {}
        domain = {"loc": (-0.1, 0.1), "scale": (0.8, 1.2), "q": (0.1, 0.9), **standard.domain}
        rule(member(getattr(stats, name), method),
             f"y = scipy.stats.{name}.{method}({', '.join([x, *parameters, 'loc=0', 'scale=1'])})",
             pull=partials, push=partials, nondiff=refused, refused=refused, diagonal=True, breaks=moving,
             domain={one: bounds for one, bounds in domain.items() if one in ("loc", "scale", x, *partials)},
             infinite="pole" if method in UNBOUNDED else "", **ANY)


# ------------------------------------------------------------------ on the whole line
family("norm", (), Standard("{z}", "-0.5 * {z} * {z}", {"x": (-2.0, 2.0)}, per=SQRT_2PI, lower=RATIO.format("-{z}"),
                            upper=RATIO.format("{z}")))
family("laplace", (), Standard("np.sign({z})", "-np.abs({z})", {"x": (0.2, 2.0)}, per="2.0",
                               breaks=dict.fromkeys(("pdf", "logpdf"), "kink")))
family("t", ("df",), Standard(
    "(df + 1.0) * {z} / (df + {z} * {z})", "-0.5 * (df + 1.0) * np.log1p({z} * {z} / df)",
    {"x": (-2.0, 2.0), "df": (1.5, 4.0)}, per="(np.sqrt(df) * special.beta(0.5 * df, 0.5))",
    shapes={"df": "0.5 * (special.digamma(0.5 * (df + 1.0)) - special.digamma(0.5 * df) - np.log1p({z} * {z} / df) + "
                  "1.0 - (df + 1.0) / (df + {z} * {z}))"}))

# ------------------------------------------------------------------ on positive numbers
POSITIVE = ("{z} <= 0.0", "1.0")
AT_0: dict[str, Any] = {"breaks": {"pdf": "jump", "logpdf": "jump", "cdf": "kink", "sf": "kink", "logcdf": "jump",
                                   "logsf": "kink"}}
family("expon", (), Standard("1.0", "-np.abs({z})", {"x": (0.5, 3.0)}, outside=("{z} < 0.0", "1.0"), **AT_0))
family("gamma", ("a",), Standard(
    "(1.0 - rt.ratio(a - 1.0, {z}))", "special.xlogy(a - 1.0, {u}) - {u} - special.gammaln(a)",
    {"x": (0.5, 3.0), "a": (1.5, 3.0)}, outside=POSITIVE, shapes={"a": "np.log({u}) - special.digamma(a)"},
    steady={"a": "special.xlogy(y, np.abs({z})) - y * special.digamma(a)"}, **AT_0))
family("chi2", ("df",), Standard(
    "(0.5 - rt.ratio(0.5 * df - 1.0, {z}))", "special.xlogy(0.5 * df - 1.0, "
    "0.5 * {u}) - 0.5 * {u} - special.gammaln(0.5 * df)", {"x": (0.5, 3.0), "df": (2.5, 5.0)}, per="2.0",
    outside=POSITIVE, shapes={"df": "0.5 * (np.log(0.5 * {u}) - special.digamma(0.5 * df))"},
    steady={"df": "0.5 * (special.xlogy(y, 0.5 * np.abs({z})) - y * special.digamma(0.5 * df))"}, **AT_0))
family("lognorm", ("s",), Standard(
    "((1.0 + np.log({u}) / (s * s)) / {u})", "-0.5 * (np.log({u}) / s) ** 2", {"x": (0.5, 3.0), "s": (0.5, 1.5)},
    per=f"({SQRT_2PI} * s * {{u}})", outside=POSITIVE, shapes={"s": "((np.log({u}) / s) ** 2 - 1.0) / s"},
    below={"s": "{u} * np.log({u}) / s"},
    lower=RATIO.format("-np.log({u}) / s") + " / (s * {u})", upper=RATIO.format("np.log({u}) / s") + " / (s * {u})"))

# ------------------------------------------------------------------ on intervals
AT_BOTH: dict[str, Any] = {"breaks": {**AT_0["breaks"], "logsf": "jump"}, "edges": ("x", "loc", "scale")}
# the density is constant; what of the distribution functions depends on x is z, or 1 - z
family("uniform", (),
       Standard("", "", {"x": (0.2, 0.7)}, outside=("np.logical_or({z} < 0.0, {z} > 1.0)", "0.5"), **AT_BOTH))
family("beta", ("a", "b"), Standard(
    "(rt.ratio(b - 1.0, 1.0 - {z}) - rt.ratio(a - 1.0, {z}))",
    "special.xlogy(a - 1.0, {u}) + special.xlog1py(b - 1.0, -{u}) - special.betaln(a, b)",
    {"x": (0.3, 0.6), "a": (1.5, 3.0), "b": (1.5, 3.0)}, outside=("np.logical_or({z} <= 0.0, {z} >= 1.0)", "0.5"),
    shapes={"a": "np.log({u}) - special.digamma(a) + special.digamma(a + b)",
            "b": "np.log1p(-{u}) - special.digamma(b) + special.digamma(a + b)"},
    steady={"a": "special.xlogy(y, np.abs({z})) - y * (special.digamma(a) - special.digamma(a + b))",
            "b": "special.xlogy(y, np.abs(1.0 - {z})) - y * (special.digamma(b) - special.digamma(a + b))"}, **AT_BOTH))

# ------------------------------------------------------------------ of integers
HERE = [(when.left_out("loc"), "k"), (None, "np.subtract(k, loc)")]            # k may be a list


def counting(name: str, parameters: str, by: str, drawn: tuple[float, float], texts: Mapping[str, str]) -> None:
    """The rows of a distribution of integers, in the parameter `by`, from texts of `{k}`."""
    for method, text in texts.items():
        partial: list[Any] = [text.format(k=k) if given is None else (given, text.format(k=k)) for given, k in HERE]
        rest = [one for one in ("k", *parameters.split(", "), "loc") if one != by]
        rule(member(getattr(stats, name), method), f"y = scipy.stats.{name}.{method}(k, {parameters}, loc=0)",
             pull={by: partial}, push={by: partial}, nondiff=rest, refused=rest, diagonal=True, domain={by: drawn},
             infinite="pole" if method in UNBOUNDED else "", **ANY)


NO_INTEGER = "np.logical_or(np.less({k}, 0.0), np.not_equal({k}, np.floor({k})))"
counting("poisson", "mu", "mu", (0.5, 3.0), {
    "pmf": "g * (stats.poisson.pmf(np.subtract({k}, 1.0), mu) - y)",
    "logpmf": f"np.where({NO_INTEGER}, 0.0, g * (np.divide({{k}}, np.where(np.equal({{k}}, 0.0), 1.0, mu)) - 1.0))",
    "cdf": "-g * stats.poisson.pmf(np.floor({k}), mu)", "sf": "g * stats.poisson.pmf(np.floor({k}), mu)"})
FEWER = "stats.binom.pmf({0}, np.maximum(n - 1, 0), p)"
LOGS = ("g * (np.divide({{k}}, np.where(np.equal({{k}}, 0.0), 1.0, p)) - np.subtract({0}, "
        "{{k}}) / np.where(np.equal({{k}}, {0}), 1.0, 1.0 - p))")
counting("binom", "n, p", "p", (0.2, 0.8), {
    "pmf": f"g * (n * ({FEWER.format('np.subtract({k}, 1.0)')} - {FEWER.format('{k}')}))",
    "logpmf": f"np.where(np.logical_or({NO_INTEGER}, np.greater({{k}}, n)), 0.0, {LOGS.format('n')})",
    "cdf": f"-g * (n * {FEWER.format('np.floor({k})')})", "sf": f"g * (n * {FEWER.format('np.floor({k})')})"})
counting("bernoulli", "p", "p", (0.2, 0.8), {
    "pmf": "g * (1.0 * np.equal({k}, 1.0) - np.equal({k}, 0.0))", "logpmf":
        f"np.where(np.logical_and(np.not_equal({{k}}, 0.0), np.not_equal({{k}}, 1.0)), 0.0, {LOGS.format('1.0')})"})

# ------------------------------------------------------------------ of several variables
ROWS = "np.reshape({0}, (-1, np.shape(x)[-1]))"


AWAY: list[tuple[Any, str]] = [(when.is_none("mean"), "x"), (when.is_real("mean"), "x - mean"),
                               (None, "rt.deviation(x, mean)")]      # what is not differentiated by may be None


def normal(method: str, seed: str, factor: str) -> None:
    """The density of the multivariate normal distribution, or its logarithm: J. Magnus and H. Neudecker, "Matrix
    Differential Calculus" (2019), section 15.3."""
    matrix = "rt.covariance(cov, x)"
    pull: dict[str, list[Any]] = {"x": [], "mean": [], "cov": []}
    push: dict[str, list[Any]] = {"x": [], "mean": [], "cov": []}
    for given, away in AWAY:
        whitened = f"np.linalg.solve({matrix}, {ROWS.format(away)}.T).T"
        seeded = f"np.reshape({seed}, (-1, 1)) * {whitened}"
        for texts, found in (
                (pull, {"x": f"rt.unbroadcast(-np.reshape({seeded}, np.shape(x)), x)",
                        "mean": f"rt.unbroadcast(np.sum({seeded}, axis=0), mean)",
                        "cov": (f"rt.unbroadcast(rt.folded(0.5 * (({seeded}).T @ {whitened} - np.sum({seed}) * "
                                f"np.linalg.inv({matrix}))), cov)")}),
                (push, {"x": f"-{factor}np.reshape(np.sum({whitened} * {ROWS.format('g')}, axis=1), np.shape(y))",
                        "mean": f"{factor}np.reshape({whitened} @ g, np.shape(y))",
                        "cov": (f"{factor}(0.5 * np.reshape(np.sum({whitened} * ({whitened} @ rt.symmetric(g)), "
                                f"axis=1) - np.trace(np.linalg.solve({matrix}, rt.symmetric(g))), np.shape(y)))")})):
            for one, text in found.items():
                texts[one].append(text if given is None else (given, text))
    rule(member(stats.multivariate_normal, method),
         f"y = scipy.stats.multivariate_normal.{method}(x, mean=None, cov=1)", pull=pull, push=push,
         note="of the lower triangle of cov, a matrix, which alone is read", **ANY)


normal("logpdf", "g", "")
normal("pdf", "g * y", "y * ")
linear(rt.covariance, "y = rt.covariance(cov, x)", nondiff=["x"], pull={"cov": "rt.folded(g)"}, **ANY)
rule(rt.deviation, "y = rt.deviation(x, mean)", pull={"x": "g", "mean": "-g"}, diagonal=True,
     push={"x": "rt.broadcast_to_like(g, y)", "mean": "rt.broadcast_to_like(-g, y)"}, memory="alias", **ANY)
for method, seed, factor in (("logpdf", "g", ""), ("pdf", "g * y", "y * ")):
    slope = "(special.digamma(alpha) - special.digamma(np.sum(alpha)))"
    rule(member(stats.dirichlet, method), f"y = scipy.stats.dirichlet.{method}(x, alpha)", nondiff=["x"], refused=["x"],
         **ANY,
         pull={"alpha": f"rt.unbroadcast(rt.log_parts(x, alpha) @ np.ravel({seed}) - np.sum({seed}) * {slope}, alpha)"},
         push={"alpha": f"{factor}(np.reshape(g @ rt.log_parts(x, alpha), np.shape(y)) - np.sum(g * {slope}))"})
nondifferentiable(rt.log_parts, "y = rt.log_parts(x, alpha)", because="of constants", breaks="", **ANY)
