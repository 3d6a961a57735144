"""SciPy's distances between vectors, and between the rows of matrices.

A distance that is a norm of the difference has the slopes of that norm; so the convention at its kinks: 0 where two
points coincide, shared at ties. That of the cosine is the part of one unit vector that stands upright on the other.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scipy import spatial
from scipy.spatial import distance

from .. import runtime as rt
from . import infer, when
from .table import Template, linear, nondifferentiable, rule

ANY: dict[str, Any] = {"spec": infer.anything}
PLAIN = when.left_out("w")


def between(name: str, u: Template, v: Template, others: str = "", *, by: Mapping[str, Template] | None = None,
            **details: Any) -> None:
    """A distance of two vectors. u, v: what is summed with a tangent, times the cotangent; by: the same by others."""
    partials = {"u": u, "v": v, **(by or {})}
    rest = [one.partition("=")[0] for one in others.split(", ") if one and one.partition("=")[0] not in partials]
    rule(getattr(distance, name), f"y = scipy.spatial.distance.{name}(u, v{', ' * bool(others)}{others})",
         nondiff=rest, refused=rest, pull={one: each(text, "rt.unbroadcast(g * {}, " + one + ")")
                                           for one, text in partials.items()},
         push={one: each(text, "np.sum(g * {})") for one, text in partials.items()}, **{**ANY, **details})


def each(template: Template, pattern: str) -> Template:
    """A pattern of each text."""
    if isinstance(template, str):
        return pattern.format(template)
    return [pattern.format(one) if isinstance(one, str) else (one[0], pattern.format(one[1])) for one in template]


def sides(plain: str, weighed: str = "") -> dict[str, Any]:
    """The slope by u, which by v is the negative: without weights, and with them."""
    return {side: [(PLAIN, sign + plain), sign + weighed] if weighed else sign + plain
            for side, sign in (("u", ""), ("v", "-"))}


W, SIZE = "({0} if w is None else w * {0})", "np.abs(u - v)"
between("euclidean", **sides("rt.ratio(u - v, y)", "rt.ratio(" + W.format("(u - v)") + ", y)"), others="w=None",
        by={"w": "rt.ratio(0.5 * (u - v) ** 2, y)"}, note="slope 0 where u is v")
between("sqeuclidean", **sides("(2.0 * (u - v))", "(2.0 * " + W.format("(u - v)") + ")"), others="w=None",
        by={"w": "(u - v) ** 2"})
between("cityblock", **sides("rt.sign(u - v)", W.format("rt.sign(u - v)")), others="w=None", by={"w": SIZE},
        breaks="kink")
between("chebyshev", **sides("rt.norm_slope(u - v, np.inf)"), breaks="kink", note="shared at ties; without w=")
between("minkowski", **sides("rt.norm_slope(u - v, p)"), others="p=2", breaks="kink", note="without w=")
between("mahalanobis", **sides("rt.ratio(0.5 * (VI + np.transpose(VI)) @ (u - v), y)"), others="VI",
        by={"VI": "rt.ratio(0.5 * np.outer(u - v, u - v), y)"}, note="slope 0 where u is v")
between("seuclidean", **sides("rt.ratio((u - v) / V, y)"), others="V", infinite="pole",
        by={"V": "(-rt.ratio(0.5 * ((u - v) / V) ** 2, y))"}, note="slope 0 where u is v")
UPRIGHT = "(((1.0 - y) * ({0} / np.linalg.norm({0})) - {1} / np.linalg.norm({1})) / np.linalg.norm({0}))"
between("cosine", UPRIGHT.format("u", "v"), UPRIGHT.format("v", "u"), note="without w=")
between("correlation", UPRIGHT.format("(u - np.mean(u))", "(v - np.mean(v))"),
        UPRIGHT.format("(v - np.mean(v))", "(u - np.mean(u))"), note="without w=")

# ------------------------------------------------------------------ of all pairs of rows
APART = "(np.expand_dims({0}, 1) - {1})"
UNIT = "({0} / np.linalg.norm({0}, axis=1, keepdims=True))"
OTHERWISE = "rt.norm_slope({0}, rt.order_of(metric, p), -1)"
PAIRS = "scipy.spatial.distance.squareform({}, checks=False)"


def chosen(euclidean: str, squared: str, cosine: str, otherwise: str) -> str:
    """A text for each metric."""
    return f"({euclidean}) if metric == 'euclidean' else ({squared}) if metric == 'sqeuclidean' else ({cosine}) " \
           f"if metric == 'cosine' else ({otherwise})"


def pulled(a: str, b: str, g: str, y: str) -> str:
    """The cotangent of the rows of one matrix, from those of their distances to the rows of another."""
    apart, total = APART.format(a, b), "np.sum(np.expand_dims({}, -1) * {}, axis=1)"
    upright = f"(np.sum({g} * (1.0 - {y}), axis=1, keepdims=True) * {UNIT.format(a)} - {g} @ {UNIT.format(b)})"
    return chosen(total.format(f"rt.ratio({g}, {y})", apart), total.format(f"2.0 * {g}", apart),
                  f"{upright} / np.linalg.norm({a}, axis=1, keepdims=True)",
                  total.format(g, OTHERWISE.format(apart)))


def pushed(a: str, b: str, along: str, y: str, turned: str) -> str:
    """The tangent of the distances, from the differences of the tangents of the rows."""
    apart, total = APART.format(a, b), "np.sum({} * " + along + ", axis=-1)"
    return chosen(f"rt.ratio({total.format(apart)}, {y})", f"2.0 * {total.format(apart)}", turned,
                  total.format(OTHERWISE.format(apart)))


TURNED = "({0} - {1} * np.sum({1} * {0}, axis=1, keepdims=True)) / np.linalg.norm({2}, axis=1, keepdims=True)"
OF_A, OF_B, OF_X = (f"({TURNED.format('g', UNIT.format(one), one)})" for one in ("XA", "XB", "X"))
METRICS = "euclidean, sqeuclidean, cityblock, cosine, minkowski and chebyshev"
PULL_B = pulled("XB", "XA", "np.transpose(g)", "np.transpose(y)")
rule(distance.cdist, "y = scipy.spatial.distance.cdist(XA, XB, metric='euclidean', *, p=2.0)", nondiff=["metric", "p"],
     refused=["p"], note=METRICS, breaks="kink", **ANY,
     pull={"XA": f"rt.unbroadcast({pulled('XA', 'XB', 'g', 'y')}, XA)", "XB": f"rt.unbroadcast({PULL_B}, XB)"},
     push={"XA": pushed("XA", "XB", "np.expand_dims(g, 1)", "y", f"-({OF_A} @ np.transpose({UNIT.format('XB')}))"),
           "XB": pushed("XA", "XB", "(-g)", "y", f"-({UNIT.format('XA')} @ np.transpose({OF_B}))")})
OF_BOTH = f"-({OF_X} @ np.transpose({UNIT.format('X')}) + {UNIT.format('X')} @ np.transpose({OF_X}))"
WHOLE = PAIRS.format(pushed("X", "X", APART.format("g", "g"), PAIRS.format("y"), OF_BOTH))
rule(distance.pdist, "y = scipy.spatial.distance.pdist(X, metric='euclidean', *, p=2.0)", nondiff=["metric", "p"],
     refused=["p"], note=METRICS, breaks="kink", **ANY,
     pull={"X": f"rt.unbroadcast({pulled('X', 'X', PAIRS.format('g'), PAIRS.format('y'))}, X)"}, push={"X": WHOLE})
nondifferentiable(rt.order_of, "y = rt.order_of(metric, p)", because="an order", breaks="", refuses=True,
                  **ANY)
linear(distance.squareform, "Y = scipy.spatial.distance.squareform(X, force='no', checks=True)",
       nondiff=["force", "checks"], pull={"X": "rt.unsquareform(g, X)"}, note="of a matrix the part above the diagonal",
       **ANY)
linear(rt.unsquareform, "y = rt.unsquareform(v, X)", nondiff=["X"], **ANY,
       pull={"v": "rt.unbroadcast(scipy.spatial.distance.squareform(g, checks=False), v)"})
SLOPES = "rt.norm_slope(np.expand_dims(x, 1) - y, p, -1)"
rule(spatial.distance_matrix, "z = scipy.spatial.distance_matrix(x, y, p=2.0, threshold=1000000)", **ANY,
     nondiff=["p", "threshold"], refused=["p"], breaks="kink", pull={
         "x": f"rt.unbroadcast(np.sum(np.expand_dims(g, -1) * {SLOPES}, axis=1), x)",
         "y": f"rt.unbroadcast(-np.sum(np.expand_dims(g, -1) * {SLOPES}, axis=0), y)"},
     push={"x": f"np.sum(np.expand_dims(g, 1) * {SLOPES}, axis=-1)", "y": f"-np.sum(g * {SLOPES}, axis=-1)"})
