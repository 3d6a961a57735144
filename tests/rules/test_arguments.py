"""Calls as people write them: arguments by NumPy's names, at NumPy's places,
and those that the cases of a row do not draw."""
import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

scipy = pytest.importorskip("scipy")
linalg, special, integrate, distance, ndimage = (pytest.importorskip(f"scipy.{name}") for name in (
    "linalg", "special", "integrate", "spatial.distance", "ndimage"))
V, W = np.array([0.3, 0.7, 1.2, 0.9]), np.array([1.0, 2.0, 0.5, 1.5])
R, M = np.arange(1.0, 13.0).reshape(3, 4) / 7.0, np.array([[2.3, 0.4, 0.9], [0.2, 3.1, 0.7], [0.8, 0.5, 4.2]])
KNOWN = {"np": np, "math": math, "linalg": linalg, "special": special, "integrate": integrate,
         "distance": distance, "ndimage": ndimage, "V": V, "METRIC": "cityblock",
         "POLY": np.poly1d([0.3, -1.0, 0.5, 2.0]),
         "SERIES": np.polynomial.Chebyshev([0.3, -1.0, 0.5, 2.0], [0.0, 2.0]),
         "W": W, "R": R,
         "M": M, "nodes": np.array([0.1, 0.5, 1.0, 1.6]), "__name__": "arguments"}
CALLS = [
    ("x.sum((0, 1)) * x.std((0,)) * x.max((0, 1), keepdims=True)", R),
    ("np.sum(a=x * x, axis=0)", R), ("np.max(x, 0, None, True)", R), ("np.clip(a=x, a_min=0.5, a_max=1.0)", V),
    ("np.clip(x, min=0.5, max=1.0)", V), ("np.clip(W, min=x)", V), ("np.clip(x, max=[0.2, 0.8, 1.0, 2.0])", V),
    ("x.ravel('F') * np.arange(12.0)", R), ("x.flatten(order='F') * np.arange(12.0)", R),
    ("x.reshape(4, 3, order='F') * np.arange(3.0)", R), ("x.copy('F') * x", R), ("np.asarray(x, order='F') * x", R),
    ("np.array(x, copy=True, order='F') * x", R), ("x.astype(float, copy=False) * x", R),
    ("np.array(x, copy=False) * x", R), ("np.array([x[0], x[1]], ndmin=3)", V),
    ("np.full_like(x, x[0], dtype=float) * W", V), ("np.zeros_like(x, shape=(2, 2), order='C') + x[0]", V),
    ("np.ndarray((2, 0)).sum() + x", V), ("np.empty_like(x, order='F').shape[0] * x", V),
    ("np.linspace(start=x[0], stop=x[1], num=5)", V), ("np.linspace(x[0], 2.0, 5, retstep=True)[1]", V),
    ("np.histogram([0.5, 1.5, 2.5, 9.0], 3, (0, 3), weights=x)[0]", V),
    ("np.histogram(W, bins=[0, 1, 2], weights=list(x))[0]", V), ("special.logsumexp(W, b=x)", V),
    ("special.logsumexp(x, 0, [1.0, 2.0, 0.5, 1.5])", V), ("special.spence(x) + special.cosm1(x)", V),
    ("special.ellipe(x) * special.ellipk(x)", 0.5 * V), ("special.ellipk(x - 3.0) + special.ellipe(x - 3.0)", V),
    ("math.dist([x[0], 1.0], [2.0, x[1]])", V), ("math.dist(x, W)", V), ("math.log(x[0], 2)", V),
    ("math.log(2.0, x[1])", V), ("np.angle(x + 1j, deg=True)", V), ("np.angle(x + 1j, True)", V),
    ("np.cov(x, aweights=[1.0, 2.0, 0.5, 1.5], fweights=[1, 2, 1, 3])", R), ("np.cov(x, aweights=W, ddof=0)", R),
    ("np.polyfit(W, x, 2, w=[1.0, 2.0, 0.5, 1.5])", V), ("np.polyfit(x, W, 1, w=W)", V),
    ("np.pad(x, 2, constant_values=x[0])", V),
    ("np.pad(x, ((1, 2), (0, 1)), constant_values=((x[0, 0], 1.0), (2.0, x[1, 1])))", R),
    ("np.pad(x, 2, 'linear_ramp', end_values=x[0])", V),
    ("np.sum(x, initial=x[0])", V), ("np.prod(x, axis=1, initial=x[0, 0])", R), ("np.max(W, initial=4.0 * x[0])", V),
    ("np.min(x, axis=0, initial=x[0, 0] + 0.7)", R), ("np.add.reduce(x, initial=x[0, 0])", R),
    ("np.linalg.qr(x, mode='r')", M[:, :2]), ("np.linalg.qr(x, 'complete')[0]", M),
    ("np.linalg.pinv(x + x.T, hermitian=True)", M), ("integrate.simpson(x, dx=0.5)", V),
    ("integrate.simpson(x, x=nodes)", V), ("integrate.simpson(W, dx=x[0])", V), ("integrate.simpson(x, axis=0)", R),
    ("np.real(np.arcsinh(x + 0.5j))", V), ("np.imag(np.arcsinh(1j * x))", 0.5 * V),
    ("np.abs(np.interp(x, nodes, V + 1j * W))", 0.9 * V), ("np.imag(np.interp(W, nodes, x * (1.0 + 1j * x)))", V),
    ("np.abs(np.interp(W, x, V + 1j * W))", np.array([0.1, 0.6, 1.1, 1.7])),
    ("np.real(linalg.expm(1j * x)) + np.imag(linalg.cosm(x + 1j))", 0.3 * M),
    ("np.abs(linalg.det(x + 1j * np.eye(3)))", M), ("np.real(linalg.sqrtm(x + 1j)) * np.imag(linalg.logm(x + 1j))", M),
    ("np.imag(linalg.solve_triangular(x + 1j, W[:3]))", M),
    ("np.unique(x)", V), ("np.unique(x, return_inverse=True)[0] * W", V), ("np.unique(x, axis=1)", R),
    ("np.unique(x, return_index=True, return_counts=True)[0]", R), ("np.unique(np.stack([x, x]), axis=0)", V),
    ("np.unique([x[0], x[1], x[0]])", V), ("np.unique(x, False, True)[1] * x", V),
    ("POLY(x)", V), ("np.poly1d([1.0, 2.0, 3.0])(x)", V), ("(POLY * POLY + 2.0 * POLY)(x)", V), ("POLY.deriv()(x)", V),
    ("POLY.integ()(x) + (POLY ** 2)(x)", V), ("SERIES(x)", V), ("np.polynomial.Polynomial([1.0, 2.0, 3.0])(x)", V),
    ("(SERIES - 1.0)(x) + SERIES.deriv(2)(x)", V), ("POLY([x[0], 2.0])", V),
    ("ndimage.map_coordinates(x, [[0.3, 1.2, 1.7], [0.6, 2.2, 1.1]], order=1)", R),
    ("ndimage.map_coordinates(M, x, mode='nearest')", 1.3 * R[:2]),
    ("ndimage.shift(x, (0.3, -0.6), mode='reflect')", R),
    ("ndimage.map_coordinates(M, [x, x * x], cval=2.0)", V), ("ndimage.shift(M, x, order=2, mode='grid-wrap')", V[:2]),
    ("ndimage.shift(M, x[0], mode='mirror')", V), ("ndimage.zoom(x, 1.5)", R), ("ndimage.zoom(x, (1, 2), order=1)", R),
    ("ndimage.map_coordinates(x, x[:2] + 0.4, mode='mirror', prefilter=False)", R),
    ("ndimage.gaussian_filter(x, 0.8)", R), ("ndimage.gaussian_filter(x, sigma=[0.5, 1.0], mode='nearest')", R),
    ("ndimage.gaussian_filter(x, 0.8, order=[1, 0], mode=['wrap', 'mirror'])", R), ("ndimage.sobel(x)", R),
    ("ndimage.gaussian_filter(x, 0.8, mode=METRIC[:0] + 'mirror')", R), ("ndimage.convolve(x, M, mode='wrap')", R),
    ("ndimage.correlate(M, x, cval=2.0, mode='constant')", R[:2, :2]), ("ndimage.convolve1d(x, V[:3], axis=0)", R),
    ("ndimage.convolve(x, M, mode='constant', origin=1)", R), ("ndimage.uniform_filter(x, 3)", R),
    ("ndimage.uniform_filter1d(x, 4, mode='mirror')", R), ("ndimage.laplace(x) + ndimage.prewitt(x, axis=0)", R),
    ("ndimage.gaussian_laplace(x, sigma=0.7, mode='mirror')", R), ("ndimage.correlate1d(W, x, mode='nearest')", V[:3]),
    ("ndimage.uniform_filter(x, size=(3, 1), origin=(1, 0))", R),
    ("distance.cdist(x, 0.3 * M.T[:2, [0, 1, 2, 0]], metric='minkowski', p=3)", R),
    ("distance.cdist(x, x[:2] ** 2)", R),
    ("distance.cdist(x, 0.3 * R[:2], METRIC)", R + np.sin(R)), ("distance.pdist(x, 'minkowski', p=1.5)", R + np.sin(R)),
    ("distance.squareform(distance.pdist(x, 'cosine'))", M), ("distance.squareform(x)", V[:3]),
    ("distance.squareform(x + x.T, checks=False)", M), ("distance.euclidean([1.0, 2.0, 0.5, 1.5], x)", V),
    ("distance.cosine(x, W) + distance.correlation(x, W) + distance.euclidean(x, W, w=x)", V),
    ("distance.minkowski(x, W, 3.0) + distance.chebyshev(x, W) + distance.cityblock(u=x, v=W)", V),
    ("distance.mahalanobis(x, W[:3], M @ M.T) + distance.seuclidean(x, W[:3], V[:3])", V[:3]),
]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("call", "x"), CALLS, ids=[call for call, _ in CALLS])
def test_both_modes_and_second_order(call, x):
    f = sourced(f"def f(x):\n    return np.sum(np.sin({call}))\n", KNOWN, f"<{call}>")["f"]
    along, h = np.cos(1.0 + np.arange(x.size)).reshape(x.shape), 1e-5
    slope = (f(x + h * along) - f(x - h * along)) / (2 * h)
    for optimized in (True, False):
        assert np.sum(tnb.grad(f, optimized=optimized)(x) * along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
        assert tnb.jvp(f, optimized=optimized)(x, along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
    df = tnb.grad(f)
    bent = (df(x + h * along) - df(x - h * along)) / (2 * h)
    np.testing.assert_allclose(tnb.jvp(df)(x, along), bent, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(tnb.vjp(df)(x, along), bent, rtol=1e-5, atol=1e-6)


def test_a_copy_that_is_none_is_a_view():
    def f(x):
        y = x * 1.0
        z = np.array(y, copy=True)
        z[0] = 5.0
        return np.sum(y * z)
    np.testing.assert_allclose(tnb.grad(f)(V), np.array([5.0, *2.0 * V[1:]]))


@pytest.mark.parametrize("call", ["np.fft.fftn(x, axes=(0, 0))", "np.fft.ifft2(x, s=(2, 5))",
                                  "np.fft.ifftn(x, axes=(1, 0, 1))"])
def test_an_axis_is_transformed_as_often_as_it_is_named(call):
    config = pytest.importorskip("jax").config
    before = config.jax_enable_x64
    config.update("jax_enable_x64", True)
    try:
        f = sourced(f"def f(x):\n    return np.sum(np.abs({call}) ** 2 * np.real({call}))\n", KNOWN, f"<{call}>")["f"]
        np.testing.assert_allclose(tnb.grad(f, backend="jax")(R), tnb.grad(f)(R), rtol=1e-10)
    finally:
        config.update("jax_enable_x64", before)            # other tests are about single precision
