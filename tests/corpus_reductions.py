"""The part of the corpus about reductions, order statistics, running operations,
and elementwise functions with several parts."""
from __future__ import annotations

import numpy as np
from corpus import M23, V3, A, add, op, section

section("reductions")
N5 = np.array([0.3, np.nan, -1.2, 2.0, np.nan])
M33 = np.array([[0.3, -1.2, 0.6], [0.7, -0.1, 2.0], [-0.4, 0.9, 1.1]])
KNOWN = np.array([[True, True, False], [True, False, True], [True, True, True]])
MASK = np.array([True, False, True])
W3 = np.array([0.7, 1.9, 0.4])
KINKED = {"holomorphic": False}

# ---------------------------------------------------------------- elementwise
op("sinc", "np.sinc(x)", _details=KINKED, x=V3)
op("sinc_at_0", "np.sinc(x) * x + np.sinc(0.2 * x)", _details=KINKED, x=np.array([0.0, 1e-3, 2.5]))
op("bessel_i0", "np.i0(x)", _details=KINKED, x=V3)
op("nan_to_num", "np.nan_to_num(x, nan=2.0) * y", _details={"smooth": False, "holomorphic": False}, x=N5,
   y=np.arange(5.0))
op("ldexp", "np.ldexp(x, 3)", _details=KINKED, x=V3)
op("float_power", "np.float_power(np.abs(x), 2.5)", _details=KINKED, x=V3)
op("modf", "np.modf(x)[0] * x + np.modf(x)[1] * x * x", _details=KINKED, x=V3)
op("frexp", "np.frexp(x)[0] * x", _details=KINKED, x=V3)
op("divmod_parts", "np.divmod(x, y)[1] * y + np.divmod(x, y)[0] * x", _details=KINKED,
   x=np.array([3.7, -2.2, 5.1]), y=W3)
op("divmod_builtin", "divmod(x, y)[1] * y + divmod(x, y)[0] * x", "y * y", _details=KINKED, x=3.7, y=1.2)
op("unwrap", "np.unwrap(4.0 * x) * x", _details=KINKED, x=V3)
op("nextafter", "np.nextafter(x, 10.0) * x", _details={"holomorphic": False, "smooth": True}, x=V3)
op("angle_of_parts", "np.angle(x + 2j * x * x) * x", _details=KINKED, x=V3)


def modf_taken_apart(x):
    fraction, whole = np.modf(x * 3.0)
    mantissa, exponent = np.frexp(x)
    return np.sum(fraction * fraction * whole + mantissa * x + exponent)


add(modf_taken_apart, V3, holomorphic=False)

# ---------------------------------------------------------------- where=, initial=, dtype=
op("sum_where", "np.sum(x * x, axis=0, where=m)", x=M23, m=MASK)
op("sum_initial", "np.sum(x * x, axis=1, initial=2.0)", x=M23)
op("sum_dtype", "np.sum(x * x, axis=1, dtype=np.float64)", _details=KINKED, x=M23)
op("sum_of_integers_cut_off", "np.sum(10.3 * x, dtype=int) * x", _details=KINKED, x=V3)
op("ldexp_of_frexp", "np.ldexp(np.frexp(x)[0], np.frexp(x)[1]) * x",
   _details={"refused": True, "message": "np.ldexp has no derivative by its argument n"}, x=V3)
op("copysign_of_both", "np.copysign(x, y) * y", _details=KINKED, x=V3, y=V3[::-1])
op("sum_dtype_by_place", "np.sum(x * x, 1, float)", _details=KINKED, x=M23)
op("mean_where", "np.mean(x * x, axis=1, where=m, keepdims=True)", x=M23, m=MASK)
op("prod_where_initial", "np.prod(x, axis=1, where=m, initial=3.0)", x=M23, m=MASK)
op("prod_with_a_zero_where", "np.prod(x, where=m)", x=np.array([0.0, 2.0, 3.0]), m=MASK)
op("max_initial", "np.max(x, axis=0, initial=0.5)", _details=KINKED, x=M23)
op("min_where", "np.min(x, axis=1, where=m, initial=100.0)", _details=KINKED, x=M23, m=MASK)
op("var_where", "np.var(x, axis=1, where=m)", x=M23, m=MASK, _details=KINKED)
op("std_correction", "np.std(x, axis=1, correction=1)", x=M23, _details=KINKED)
op("var_dtype", "np.var(x, axis=1, dtype=np.float64, ddof=1)", x=M23, _details=KINKED)
op("method_sum_where", "x.sum(axis=0, where=m)", x=M23, m=MASK)

# ---------------------------------------------------------------- nan is left out
for name in ("nansum", "nanmean", "nanprod", "nanmax", "nanmin", "nanvar", "nanstd"):
    for rest in ("", ", axis=0", ", axis=1, keepdims=True"):
        op(f"{name}_{len(rest)}", f"np.{name}(np.where(k, x * x, np.nan){rest})", _details=KINKED, x=M33, k=KNOWN)
for name in ("nancumsum", "nancumprod"):
    op(name, f"np.{name}(np.where(k, x * x, np.nan), axis=1)", "np.nansum(y * y)", _details=KINKED, x=M33, k=KNOWN)
op("nanstd_of_proper_numbers", "np.nanstd(x, axis=1, ddof=1)", x=M23, _details=KINKED)
op("nanmean_of_proper_numbers", "np.nanmean(x, axis=1) * np.nanprod(x) + np.nansum(x) * np.nanmax(x)", x=M23,
   _details=KINKED)

# ---------------------------------------------------------------- running sums, differences, integrals
op("cumulative_sum", "np.cumulative_sum(x, axis=1)", x=M23)
op("cumulative_sum_with_first", "np.cumulative_sum(x, axis=0, include_initial=True)", x=M23)
op("cumulative_prod", "np.cumulative_prod(x)", x=V3)
op("cumulative_prod_with_first", "np.cumulative_prod(x, axis=1, include_initial=True)", x=M23)
op("cumsum_dtype", "np.cumsum(x * x, dtype=np.float64)", _details=KINKED, x=V3)
op("diff_prepend", "np.diff(x * x, prepend=s)", x=V3, s=A)
op("diff_both_ends", "np.diff(x * x, n=2, axis=0, prepend=y, append=s)", x=M23, s=A, y=np.ones((2, 3)))
op("diff_from_0", "np.diff(x * x, prepend=0.0)", x=V3)
op("diff_of_too_few", "np.sum(np.diff(x * x)) + np.sum(np.diff(x * x, n=2, axis=0)) + s * s", x=M23[:, :1], s=A)
op("diff_of_nothing", "np.sum(np.diff(x * x)) + np.sum(np.ediff1d(x * x, to_end=s)) + s * s", x=V3[:0], s=A)
op("ediff1d", "np.ediff1d(x * x)", x=M23)
op("ediff1d_to_1", "np.ediff1d(x * x, to_end=[1.0, 2.0], to_begin=0.5)", x=V3)
op("ediff1d_ends", "np.ediff1d(x * x, to_end=y, to_begin=s)", x=V3, y=V3[:2], s=A)
op("gradient", "np.gradient(x * x)", _details={"jax": False}, x=V3)
op("gradient_of_second_order", "np.gradient(x * x, 0.5, axis=1, edge_order=2)", x=M23, _details={"jax": False})
op("gradient_on_a_grid", "np.gradient(x * x, g, axis=0)", x=M23, g=np.array([0.0, 0.7]).tolist(),
   _details={"jax": False})
op("gradient_by_spacing", "np.gradient(x * x, h)", _details={"jax": False}, x=V3, h=0.5)
op("gradient_by_spacing_at_ends", "np.gradient(np.sin(x), h, edge_order=2)", _details={"jax": False}, x=V3, h=0.7)
op("gradient_both_axes_by_spacing", "np.gradient(x * x, h)[0] * np.gradient(x * x, h)[1]", _details={"jax": False},
   x=M23, h=0.5)
op("gradient_both_axes", "np.gradient(x * x)[0] * np.gradient(x * x)[1]", _details={"jax": False}, x=M23)
op("trapezoid", "np.trapezoid(x * x)", "y", x=V3)
op("trapezoid_dx", "np.trapezoid(x * x, dx=s, axis=0)", x=M23, s=A)
op("trapezoid_x", "np.trapezoid(x * x, x=y, axis=1)", x=M23, y=V3)
op("trapezoid_of_its_grid", "np.trapezoid(np.sin(x), x)", "y", x=np.sort(V3))
op("average", "np.average(x * x, axis=1)", x=M23)
op("average_weights", "np.average(x * x, axis=1, weights=w)", x=M23, w=W3)
op("average_weights_of_all", "np.average(x, weights=y * y)", "y * y", x=M23, y=M23 + 3.0)

# ---------------------------------------------------------------- order statistics
M43 = np.array([[0.3, -1.2, 0.6], [0.7, -0.1, 2.0], [-0.4, 0.9, 1.1], [1.6, 0.25, -0.8]])
op("median", "np.median(x * x)", "y * y", _details=KINKED, x=V3)
op("median_of_an_even_number", "np.median(x * x, axis=0)", _details=KINKED, x=M43)
op("median_of_all_axes", "np.median(x * x, axis=(0, 1), keepdims=True)", _details=KINKED, x=M43)
op("quantile", "np.quantile(x * x, 0.3, axis=-1)", _details=KINKED, x=M43)
op("quantiles", "np.quantile(x * x, [0.1, 0.5, 1.0], axis=0, keepdims=True)", _details=KINKED, x=M43)
op("quantile_by_another_method", "np.quantile(x * x, 0.3, axis=0, method='nearest')", _details=KINKED, x=M43)
op("quantile_by_hazen", "np.quantile(x * x, [0.3, 0.55], axis=0, method='hazen')",
   _details={**KINKED, "jax": False}, x=M43)
op("percentile", "np.percentile(x * x, 30.0, axis=0) + np.percentile(x, 100)", _details=KINKED, x=M43)
op("iqr", "np.subtract(*np.percentile(x, [75, 25]))", "y * y",
   _details={"may_refuse": True, "holomorphic": False}, x=V3)
op("nanmedian", "np.nanmedian(np.where(k, x * x, np.nan), axis=1)", _details=KINKED, x=M33, k=KNOWN)
op("nanquantile", "np.nanquantile(np.where(k, x * x, np.nan), [0.2, 0.7], axis=1)", _details=KINKED, x=M33, k=KNOWN)
op("nanpercentile", "np.nanpercentile(np.where(k, x * x, np.nan), 40, axis=1, keepdims=True)", _details=KINKED,
   x=M33, k=KNOWN)
op("median_of_ties", "np.median(x)", "y",
   {"smooth": False, "holomorphic": False, "expected": (np.array([0.0, 0.5, 0.5]),)}, x=np.array([1.0, 2.0, 2.0]))
op("quantile_of_equals", "np.quantile(x, 0.3)", "y",
   {"smooth": False, "holomorphic": False, "expected": (np.full(4, 0.25),)}, x=np.ones(4))
op("take_along_an_order", "np.take_along_axis(x * x, np.argsort(x, axis=1), axis=1) * w", _details=KINKED, x=M33, w=W3)
op("take_along_the_largest", "np.take_along_axis(x * x, np.expand_dims(np.argmax(x, axis=0), 0), axis=0)",
   _details=KINKED, x=M33)


def ranks_and_bins(x, w):
    places = np.searchsorted(np.sort(w), x, side="right")
    bins = np.digitize(x, [-1.0, 0.0, 1.0], right=True)
    first = np.lexsort((x, bins))
    return np.sum(x[first] * w * (places + bins)) + np.sum(x[np.argpartition(x, 1)[:2]])


add(ranks_and_bins, V3, W3, holomorphic=False, jax=False)

# ---------------------------------------------------------------- methods of ufuncs
NUMPY_ONLY = {"holomorphic": False, "jax": False}
op("add_reduce", "np.add.reduce(x * x)", _details=NUMPY_ONLY, x=M23)
op("add_reduce_axis", "np.add.reduce(x * x, axis=1, keepdims=True)", _details=NUMPY_ONLY, x=M23)
op("add_reduce_of_all", "np.add.reduce(x * x, axis=None)", _details=NUMPY_ONLY, x=M23)
op("multiply_reduce", "np.multiply.reduce(x, axis=-1)", _details=NUMPY_ONLY, x=M23)
op("maximum_reduce", "np.maximum.reduce(x) * np.minimum.reduce(x, axis=(0, 1))", _details=NUMPY_ONLY, x=M23)
op("logaddexp_reduce", "np.logaddexp.reduce(x * x)", _details=NUMPY_ONLY, x=M23)
op("logaddexp_reduce_far", "np.logaddexp.reduce(1000.0 * x)", "np.sum(y)", _details={**NUMPY_ONLY, "smooth": False,
   "expected": (np.array([0.0, 1000.0]),)}, x=np.array([0.1, 0.9]))
op("hypot_reduce", "np.hypot.reduce(x, axis=1)", _details=NUMPY_ONLY, x=M23)
op("add_accumulate", "np.add.accumulate(x * x, axis=1)", _details=NUMPY_ONLY, x=M23)
op("multiply_accumulate", "np.multiply.accumulate(x)", _details=NUMPY_ONLY, x=M23)
op("maximum_accumulate", "np.maximum.accumulate(x * x, axis=1)", _details=NUMPY_ONLY, x=M33)
op("minimum_accumulate", "np.minimum.accumulate(x * x)", _details=NUMPY_ONLY, x=V3)
op("maximum_accumulate_ties", "np.maximum.accumulate(x)", "y[2]", {**NUMPY_ONLY, "smooth": False,
   "expected": (np.array([0.25, 0.25, 0.5]),)}, x=np.ones(3))
for name in ("add", "subtract", "multiply", "maximum", "hypot", "arctan2"):
    op(f"{name}_outer", f"np.{name}.outer(x, y)", _details=NUMPY_ONLY, x=M23, y=W3)
op("divide_outer", "np.divide.outer(x, y) * np.power.outer(y, y)[0]", _details=NUMPY_ONLY, x=V3, y=W3)
op("subtract_outer_of_a_number", "np.subtract.outer(s, y) + np.multiply.outer(y, s)", _details=NUMPY_ONLY, s=A, y=W3)
op("subtract_reduce", "np.subtract.reduce(x)",
   _details={"refused": True, "message": "the first element counts otherwise"}, x=V3)


def pairwise(x, y):
    """Distances between all pairs, as users write them."""
    d = np.subtract.outer(x, y)
    return np.sum(np.sqrt(d * d + 1.0)) + np.logaddexp.reduce(np.add.reduce(d))


add(pairwise, V3, W3, holomorphic=False, jax=False)
