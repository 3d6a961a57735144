"""Arguments at which the rows of some modules of SciPy are taken: see `samples.py`."""
from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

interpolate: Any = import_module("scipy.interpolate")

X = np.array([-1.2, -0.7, 0.1, 0.5, 0.9, 1.6])
Y = np.array([0.3, -0.4, 1.2, 0.7, -0.2, 0.4])
PLANE = np.outer(Y, np.cos(X)) + X
SEVERAL = np.stack([Y, np.sin(X)])
TCK = interpolate.splrep(X, Y)
BOTH = interpolate.RectBivariateSpline(X, X, PLANE)
GRID = interpolate.RegularGridInterpolator((X, X), PLANE)
PIECES = [interpolate.CubicSpline(X, Y), interpolate.PchipInterpolator(X, Y), interpolate.CubicSpline(X, SEVERAL.T),
          interpolate.Akima1DInterpolator(X, SEVERAL, axis=1), interpolate.CubicSpline(X, Y)]
SPLINES = [interpolate.make_interp_spline(X, Y), interpolate.BSpline(*TCK),
           interpolate.make_interp_spline(X, SEVERAL.T), interpolate.make_interp_spline(X, SEVERAL, axis=1),
           interpolate.BSpline(*TCK)]
INTERPOLATORS = [interpolate.interp1d(X, Y), interpolate.interp1d(X, Y, kind="cubic"),
                 interpolate.interp1d(X, SEVERAL, kind="quadratic"), interpolate.interp1d(X, SEVERAL.T, axis=0),
                 interpolate.KroghInterpolator(X, Y), interpolate.interp1d(X, Y, "nearest")]
UNIVARIATE = interpolate.InterpolatedUnivariateSpline(X, Y)
SPARSE = import_module("scipy.sparse").csc_array(np.array([[4.0, 1.0, 0.0], [0.5, 3.0, 0.3], [0.0, 0.2, 2.0]]))
PIXELS = np.array([[[0.3, 1.2], [2.6, 1.7], [0.9, 3.4]], [[2.2, 0.6], [1.4, 3.3], [1.3, -0.4]]])
METRICS = ("euclidean", "sqeuclidean", "cityblock", "cosine", "minkowski", "chebyshev")
MODES = ("reflect", "constant", "nearest", "mirror", "wrap")
SHAPES = [(3,), (2, 3), (3,), (2, 3), ()]
NU: dict[str, Any] = {"x": SHAPES, "nu": [0, 1, 0, 1, 0]}

_OF_SEVERAL: dict[str, dict[str, Any]] = {
    "scipy.interpolate.PPoly.__call__": {"spline": PIECES, **NU},
    "scipy.interpolate.BSpline.__call__": {"spline": SPLINES, **NU},
    "scipy.interpolate.UnivariateSpline.__call__": {
        "spline": [UNIVARIATE, interpolate.UnivariateSpline(X, Y, s=0.1, ext=3)], "x": [(3,), (2, 3), ()],
        "nu": [0, 0, 1], "ext": [None, None, 3]},
    "scipy.interpolate.interp1d.__call__": {"spline": INTERPOLATORS, "x": SHAPES},
    "scipy.interpolate.BarycentricInterpolator.__call__": {
        "spline": [interpolate.BarycentricInterpolator(X, Y), interpolate.BarycentricInterpolator(X, SEVERAL.T)],
        "x": [(3,), (3,)]},
    "scipy.interpolate.BarycentricInterpolator.derivative": {
        "spline": [interpolate.BarycentricInterpolator(X, Y)], "x": [(3,), (4,)], "der": [1, 2]},
    "scipy.interpolate.KroghInterpolator.derivative": {
        "spline": [interpolate.KroghInterpolator(X, Y)], "x": [(3,), ()], "der": [1, 2]},
    "rt.slope_of": {"spline": INTERPOLATORS[:5], "x": SHAPES, "n": [1, 1, 2, 1, 2]},
    "rt.over_values": {"spline": PIECES[2:], "v": [(3, 2), (2, 3), (3,)], "x": [np.zeros(3), np.zeros(3), np.zeros(3)]},
    "rt.across_values": {"spline": PIECES[2:], "v": [(3,)] * 3, "x": [np.zeros(3)] * 3,
                         "y": [np.zeros((3, 2)), np.zeros((2, 3)), np.zeros(3)]},
    "scipy.interpolate.splev": {"tck": [TCK], "x": [(3,), (2, 3), ()], "der": [0, 1, 0], "ext": [0, 0, 3]},
    "scipy.interpolate.PPoly.integrate": {"spline": [PIECES[0], PIECES[0]], "a": [(), ()], "b": [(), ()],
                                          "extrapolate": [None, True]},
    "scipy.interpolate.BSpline.integrate": {"spline": [SPLINES[0], SPLINES[0]], "a": [(), ()], "b": [(), ()],
                                            "extrapolate": [None, True]},
    "scipy.interpolate.UnivariateSpline.integral": {"spline": [UNIVARIATE], "a": ["float"], "b": ["float"]},
    "scipy.interpolate.splint": {"tck": [TCK], "a": ["float"], "b": ["float"]},
    "scipy.interpolate.RectBivariateSpline.ev": {"spline": [BOTH], "dx": [0, 1, 0], "dy": [0, 0, 1]},
    "scipy.interpolate.RectBivariateSpline.__call__": {
        "spline": [BOTH], "x": [np.array([-0.3, 0.2, 0.7]), (2, 3), ()], "y": [np.array([-0.5, 0.6]), (2, 3), ()],
        "dx": [0, 0, 1], "dy": [0, 0, 0], "grid": [True, False, True]},
    "scipy.interpolate.bisplev": {
        "tck": [(*BOTH.tck, 3, 3)], "x": [np.array([-0.3, 0.2, 0.7]), "float", np.array([0.3])],
        "y": [np.array([-0.5, 0.6]), "float", np.array([-0.5, 0.6])], "dx": [0, 0, 1], "dy": [0, 0, 0]},
    "rt.at_order": {"spline": [UNIVARIATE, TCK, UNIVARIATE], "x": [(3,), (2, 3), ()], "n": [1, 3, 0],
                    "ext": [None, 0, 3]},
    "rt.on_plane": {
        "spline": [BOTH, (*BOTH.tck, 3, 3), BOTH], "x": [(3,), np.array([-0.3, 0.2, 0.7]), (2, 3)],
        "y": [(3,), np.array([-0.5, 0.6]), (2, 3)], "dx": [0, 1, 2], "dy": [0, 0, 2], "grid": [False, True, False],
        "ends": ["", "x", "xy"]},
    "rt.at_grid": {"v": [(2, 3), ()], "x": [np.zeros(2), 0.0], "y": [np.zeros(3), 0.0]},
    "scipy.interpolate.RegularGridInterpolator.__call__": {
        "f": [GRID], "xi": [(4, 2), (2, 3, 2), (2,), ((3,), (2, 1)), ["float", "float"]],
        "method": [None, None, "cubic", None, "linear"]},
    """scipy.spatial.distance.euclidean scipy.spatial.distance.sqeuclidean scipy.spatial.distance.cityblock""": {
        "u": [(3,), (4,)], "v": [(3,), (4,)], "w": [None, np.array([1.0, 0.5, 2.0, 0.3])]},
    "scipy.spatial.distance.chebyshev scipy.spatial.distance.cosine scipy.spatial.distance.correlation": {
        "u": [(3,), (4,)], "v": [(3,), (4,)]},
    "scipy.spatial.distance.minkowski": {"u": [(3,), (4,), (2,)], "v": [(3,), (4,), (2,)], "p": [2, 3.5, 1.5]},
    "scipy.spatial.distance.mahalanobis": {"u": [(3,)], "v": [(3,)], "VI": ["definite"]},
    "scipy.spatial.distance.seuclidean": {"u": [(3,)], "v": [(3,)], "V": ["positive3"]},
    "scipy.spatial.distance.cdist": {
        "XA": [(3, 2), (2, 3)], "XB": [(4, 2), (1, 3)],
        "metric": METRICS},
    "scipy.spatial.distance.pdist": {
        "X": [(3, 2), (2, 3)],
        "metric": METRICS},
    "scipy.spatial.distance.squareform": {"X": [(3,), (6,), (3, 3)], "checks": [True, True, False]},
    "rt.unsquareform": {"v": [(3, 3), (3,)], "X": [np.zeros(3), np.zeros((3, 3))]},
    "scipy.spatial.distance_matrix": {"x": [(3, 2), (2, 3)], "y": [(4, 2), (1, 3)], "p": [2.0, 1.5]},
    "scipy.fft.fft scipy.fft.ifft scipy.fft.rfft scipy.fft.irfft scipy.fftpack.fft scipy.fftpack.ifft": {
        "x": [(4,), (5,), (2, 3), (3, 2), (3,)], "n": [None, 3, None, 4, None], "axis": [-1, -1, 0, 0, 0],
        "norm": [None, "ortho", "forward", "backward", None]},
    "scipy.fft.fft2 scipy.fft.ifft2 scipy.fft.fftn scipy.fft.ifftn": {
        "x": [(4, 3), (3, 5), (2, 3, 4), (3, 4)], "s": [None, (4, 3), None, (2, 5)],
        "axes": [(-2, -1), (0, 1), (2, 0), (1, 0)], "norm": [None, "ortho", "forward", None]},
    "scipy.fft.fftshift scipy.fft.ifftshift": {"x": [(4,), (5,), (3, 4)], "axes": [None, 0, (0, 1)]},
    "scipy.fft.dct scipy.fft.idct scipy.fftpack.dct scipy.fftpack.idct": {
        "x": [(4,), (5,), (2, 3), (3, 2), (4,), (5,), (4, 3), (3,)], "type": [2, 2, 3, 1, 1, 4, 3, 2],
        "n": [None, 3, None, 4, None, None, 6, 5], "axis": [-1, -1, 0, 0, 0, -1, 0, -1],
        "norm": [None, "ortho", None, None, "ortho", None, "ortho", None]},
    "rt.dct_dx rt.idct_dx": {"v": [(4,), (3, 4), (3, 2)], "x": [(4,), (3, 4), (3, 2)], "type": [2, 1, 3],
                             "axis": [-1, 1, 0], "norm": [None, "forward", None]},
    "scipy.ndimage.correlate scipy.ndimage.convolve": {
        "input": [(5,), (4, 3), (2, 3), (4, 5)], "weights": [(3,), (2, 3), (3, 2), (3, 3)],
        "origin": [0, 0, (1, -1), 0], "mode": MODES, "cval": [0.0, 0.5, 0.0, 0.0]},
    "scipy.ndimage.correlate1d scipy.ndimage.convolve1d": {
        "input": [(5,), (4, 3), (2, 3)], "weights": [(3,), (2,), (3,)], "axis": [-1, 0, 1], "origin": [0, 0, 1],
        "mode": MODES, "cval": [0.0, 0.5, 0.0]},
    "scipy.ndimage.gaussian_filter": {
        "input": [(5,), (4, 3), (4, 3)], "sigma": [0.7, 0.5, (0.4, 0.8)], "order": [0, 1, (0, 1)],
        "mode": MODES, "cval": [0.0, 0.5, 0.0], "radius": [None, None, 2]},
    "scipy.ndimage.gaussian_filter1d": {
        "input": [(5,), (4, 3), (4, 3)], "sigma": [0.7, 0.5, 0.8], "order": [0, 1, 2], "axis": [-1, 0, 1],
        "mode": MODES, "cval": [0.0, 0.5, 0.0]},
    "scipy.ndimage.uniform_filter": {
        "input": [(5,), (4, 3), (4, 3)], "size": [3, 2, (4, 1)], "origin": [0, 0, (1, 0)],
        "mode": MODES, "cval": [0.0, 0.5, 0.0]},
    "scipy.ndimage.uniform_filter1d": {
        "input": [(5,), (4, 3), (4, 3)], "size": [3, 2, 4], "origin": [0, 0, 1], "axis": [-1, 0, 1],
        "mode": MODES, "cval": [0.0, 0.5, 0.0]},
    "scipy.ndimage.laplace": {"input": [(5,), (4, 3)], "mode": MODES},
    "scipy.ndimage.gaussian_laplace": {"input": [(5,), (4, 3)], "sigma": [0.6],
                                       "mode": MODES},
    "scipy.ndimage.sobel scipy.ndimage.prewitt": {
        "input": [(5,), (4, 3)], "axis": [-1, 0], "mode": MODES},
    "scipy.ndimage.map_coordinates": {
        "input": [(5,), (4, 5), (4, 5), (4, 5)],
        "coordinates": [np.array([[0.3, 2.6]]), PIXELS, PIXELS[:, 0], PIXELS], "order": [3, 1, 2, 4],
        "mode": ("constant", "nearest", "mirror", "reflect", "grid-wrap"), "prefilter": [True, True, True, False],
        "cval": [0.0, 0.5, 0.0, 0.0]},
    "scipy.ndimage.shift": {
        "input": [(5,), (4, 5), (4, 5)], "shift": [0.3, np.array([0.3, -1.2]), -0.6], "order": [3, 1, 2],
        "mode": ("constant", "nearest", "mirror", "reflect", "grid-wrap")},
    "scipy.ndimage.zoom": {
        "input": [(5,), (4, 5), (4, 3)], "zoom": [1.7, (2.0, 0.7), 1.3], "order": [3, 1, 2],
        "mode": ("constant", "nearest", "mirror", "reflect", "grid-wrap"), "grid_mode": [False, False, False]},
    "rt.shifted_places": {"image": [np.zeros((3, 4))], "shift": ["float", (2,)]},
    "rt.unshifted": {"v": [(2, 3, 4)], "shift": [0.0, np.zeros(2)]},
    "rt.unsampled": {"v": [(3, 2)], "places": [PIXELS], "nu": [None, (1, 0)], "how": [(3, "mirror", True)],
                     "image": [np.zeros((4, 5))]},
    "rt.resampled": {"image": [(4, 5)], "places": [PIXELS], "nu": [None, (1, 0)], "how": [(3, "nearest", True)]},
    "rt.sample_slopes": {"v": [(3, 2)], "image": [(4, 5)], "places": [PIXELS], "nu": [None, (1, 0)],
                         "how": [(3, "mirror", True)]},
    "rt.sample_tangent": {"v": [(2, 3, 2)], "image": [(4, 5)], "places": [PIXELS], "nu": [None, (1, 0)],
                          "how": [(3, "mirror", True)]},
    "rt.uncorrelated": {"v": [(4, 3)], "x": [np.zeros((4, 3))], "weights": [(3, 2)],
                        "how": [("correlate", "mirror", 0, None), ("convolve", "nearest", 0, None)]},
    "rt.weights_of": {"v": [(4, 3)], "x": [(4, 3)], "weights": [np.zeros((3, 2))],
                      "how": [("correlate", "mirror", 0, None), ("convolve", "constant", 0, None)], "cval": [0.0, 0.5]},
    "rt.correlated": {"x": [(4, 3), (4, 3)], "weights": [(3, 2), (3,)],
                      "how": [("correlate", "mirror", 0, None), ("convolve", "constant", 0, 1)], "cval": [0.0, 0.5]},
    "rt.filtered": {"x": [(4, 3)], "name": ["sobel"], "mode": ["mirror"], "given": [{"axis": 0}]},
    "rt.unfiltered": {"v": [(4, 3)], "x": [np.zeros((4, 3))], "name": ["sobel"], "mode": ["mirror"],
                      "given": [{"axis": 0}]},
    "scipy.sparse.csr_matrix.dot": {"A": [SPARSE, SPARSE], "other": [(3,), (3, 2)]},
    "scipy.sparse.linalg.spsolve": {"A": [SPARSE, SPARSE], "b": [(3,), (3, 2)]},
    "scipy.sparse.linalg.expm_multiply": {"A": [SPARSE, SPARSE], "B": [(3,), (3, 2)]},
    "rt.of_vector": {"v": [(3,)], "x": [np.zeros(3)]},
    "rt.grid_adjoint": {"f": [GRID], "xi": [(4, 2), ((3,), (3,))], "v": [(4,), (3,)]},
    "rt.grid_tangent": {"f": [GRID], "xi": [(4, 2), ((3,), (3,))], "v": [(4, 2), ((3,), (3,))]},
    "scipy.interpolate.interpn": {"points": [(X, X)], "values": [PLANE], "xi": [(4, 2), (2,)],
                                  "bounds_error": [True, False], "fill_value": [0.0, 0.0]},
}
OF_SCIPY = {name: samples for names, samples in _OF_SEVERAL.items() for name in names.split()}
