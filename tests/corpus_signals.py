"""The part of the corpus about polynomials, fits, convolution, interpolation and covariance."""
from __future__ import annotations

import numpy as np
from corpus import M23, M33, V2, V3, V4, V5, W3, A, B, add, op, section

section("signals")

op("signals_vander", "np.vander(x, 4) @ y", x=V3, y=V4)
op("signals_vander_increasing", "np.vander(x, increasing=True) ** 2", x=V3)
op("signals_polyval", "np.polyval(p, x) * x", p=V4, x=W3)
op("signals_polyval_list", "np.polyval([a, 2.0, a * b], x)", a=A, b=B, x=M23)
op("signals_polyval_number", "np.polyval(p, a) * a", p=V3, a=A)
op("signals_polyder", "np.polyder(p * p) * np.polyder(p, 1)", p=V4)
op("signals_polyint", "np.polyint(p * p, 2)", p=V3)
op("signals_polyint_constant", "np.polyint(p * p, 1, 3.0)", p=V3)
op("signals_polyadd", "np.polyadd(p, q) * np.polysub(q, p * p)", p=V4, q=V2)
op("signals_polymul", "np.polymul(p, q * q)", p=V4, q=V2)
op("signals_polyfit", "np.polyfit(x, y * y, 1)", _details={"holomorphic": False}, x=V5, y=V5[::-1] + 0.3)
op("signals_polyfit_columns", "np.polyfit(x, y, 2)", _details={"holomorphic": False}, x=V4,
   y=np.column_stack([V4[::-1], V4 ** 2 + 0.1]))
op("signals_roots", "np.real(np.roots(p * p) ** 2)", _details={"jax": False, "holomorphic": False}, p=V3)
op("signals_roots_real", "np.roots(np.concatenate([np.ones(1), p, np.zeros(1)]))", p=np.array([-3.0, 1.0]),
   _details={"jax": False, "holomorphic": False})
op("signals_convolve", "np.convolve(x, y) ** 3", x=V4, y=W3)
op("signals_convolve_same", "np.convolve(x * x, y, 'same') * x", x=V4, y=V2)
op("signals_convolve_valid", "np.convolve(x, y, mode='valid') ** 3", x=V2, y=V5)
op("signals_correlate", "np.correlate(x, y) ** 3", _details={"holomorphic": False}, x=V5, y=W3)
op("signals_correlate_same", "np.correlate(x, y, 'same') ** 3", _details={"holomorphic": False}, x=V2, y=V5[:4])
op("signals_correlate_full", "np.correlate(x, x * x, 'full') ** 3", _details={"holomorphic": False}, x=V3)
op("signals_interp", "np.interp(x, xp, fp * fp) * x", _details={"holomorphic": False}, x=V4,
   xp=np.array([-0.7, 0.1, 0.9]), fp=W3)
op("signals_interp_sides", "np.interp(a * x, np.array([-0.7, 0.1, 0.9]), fp * fp, left=2.0, right=3.0) * x",
   _details={"holomorphic": False}, x=V4, a=A, fp=W3)
op("signals_interp_number", "np.interp(a, [0.0, 1.0], [b, a * b])", _details={"holomorphic": False}, a=A, b=B)
op("signals_cov", "np.cov(x) ** 2", _details={"holomorphic": False}, x=M33)
op("signals_cov_pair", "np.cov(x, x * y)[0, 1]", _details={"holomorphic": False}, x=V3, y=W3)
op("signals_cov_columns", "np.cov(x, rowvar=False, bias=True) ** 2", _details={"holomorphic": False}, x=M23)
op("signals_variance", "np.cov(x, ddof=0) ** 2", _details={"holomorphic": False}, x=V5)
op("signals_corrcoef", "np.corrcoef(x) ** 3", _details={"holomorphic": False}, x=M33)
op("signals_corrcoef_pair", "np.corrcoef(x, x * y)[0, 1] * x", _details={"holomorphic": False}, x=V3, y=W3)
op("signals_bincount", "np.bincount(np.array([0, 2, 2, 1]), x * x) ** 2",
   _details={"jax": False, "holomorphic": False}, x=V4)
op("signals_logspace", "np.logspace(a, b, 4) * b", a=A, b=B)
op("signals_geomspace", "np.geomspace(a, b * b, 4) * b", _details={"holomorphic": False}, a=A, b=B)
op("signals_full", "np.full((2, 3), x, dtype=float) * M + np.full(3, a)".replace("M", "y"), x=V3, y=M23, a=A)
op("signals_windows", "np.hamming(4) * x + np.kaiser(4, 2.0) * np.tri(4) @ x", x=V4)


def signals_smoothing(x):
    kernel = np.array([0.25, 0.5, 0.25])
    for _ in range(3):
        x = np.convolve(x * x, kernel, "same")
    return np.sum(x)


def signals_kernel_list(x, w):
    return np.sum(np.convolve(x, [w, 1.0 - w], "valid") ** 2) \
        + np.sum(np.polyval([w, 2.0], x[np.triu_indices(2)[1]]) ** 2)


def signals_table(x, table):
    return np.sum(np.interp(x ** 2, np.linspace(0.0, 2.0, 5), table) ** 2)


add(signals_smoothing, V5)
add(signals_table, V4, V5, holomorphic=False)
add(signals_kernel_list, V5, A)
