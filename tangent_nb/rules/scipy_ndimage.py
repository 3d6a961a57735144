"""SciPy's filters of images, linear in the image, and in the weights where these are given.

A correlation with a kernel has the convolution for its transpose, and what stands beyond an edge is folded back to
where it comes from. A filter with a symmetric kernel is its own transpose where the array goes on periodically, with
zeros or reflected about its edge: G. Strang, "The discrete cosine transform" (1999), has the symmetric matrices.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scipy import ndimage

from .. import runtime as rt
from ..syntax.spec import UNKNOWN, Spec
from . import infer
from .infer import cotangent
from .table import linear, nondifferentiable, rule, unsupported

ANY: dict[str, Any] = {"spec": infer.anything}
OWN, TURNED = "mode in ('reflect', 'constant', 'wrap')", "mode in ('constant', 'wrap')"


def _image(args: Mapping[str, Spec], constants: Mapping[str, Any]) -> Spec:
    """An array as the image is."""
    x = args["input"]
    return x if x.kind == "array" and x.dtype in ("f4", "f8") else UNKNOWN


# ------------------------------------------------------------------ weights that are given
for name, other in (("correlate", "convolve"), ("convolve", "correlate")):
    for one, axis, place in (("", "", "None"), ("1d", ", axis", "axis")):
        how = f"('{name}', mode, origin, {place})"
        call = f"scipy.ndimage.{name}{one}"
        rule(getattr(ndimage, name + one), f"y = {call}(input, weights{', axis=-1' * bool(one)}, *, mode='reflect', "
             "cval=0.0, origin=0)", nondiff=["axis"] * bool(one), spec=_image, pull={
                 "input": f"scipy.ndimage.{other}{one}(g, weights{axis}, mode=mode, origin=origin) if {TURNED} "
                          f"else rt.uncorrelated(g, input, weights, {how})",
                 "weights": f"rt.weights_of(g, input, weights, {how}, cval)"}, push={
                 "input": f"{call}(g, weights{axis}, mode=mode, origin=origin)",
                 "weights": f"{call}(input, g{axis}, mode=mode, cval=cval, origin=origin)"})
linear(rt.uncorrelated, "y = rt.uncorrelated(v, x, weights, how)", nondiff=["x", "how"], spec=cotangent("x"), pull={
    "v": "rt.unbroadcast(rt.correlated(g, weights, how), v)", "weights": "rt.weights_of(v, g, weights, how)"})
rule(rt.weights_of, "y = rt.weights_of(v, x, weights, how, cval=0.0)", nondiff=["weights", "how", "cval"],
     spec=cotangent("weights"), pull={"v": "rt.unbroadcast(rt.correlated(x, g, how, cval), v)",
                                      "x": "rt.uncorrelated(v, x, g, how)"},
     push={"v": "rt.weights_of(g, x, weights, how, cval)", "x": "rt.weights_of(v, g, weights, how)"})
rule(rt.correlated, "y = rt.correlated(x, weights, how, cval=0.0)", nondiff=["how", "cval"], **ANY,
     pull={"x": "rt.uncorrelated(g, x, weights, how)", "weights": "rt.weights_of(g, x, weights, how, cval)"},
     push={"x": "rt.correlated(g, weights, how)", "weights": "rt.correlated(x, g, how, cval)"})


# ------------------------------------------------------------------ kernels of SciPy's own
def image_filter(name: str, before: str, after: str, own: str, refused: str = "") -> None:
    """A filter with a kernel of its own. before, after: its arguments before `output=`, and behind it; own: when it is
    its own transpose."""
    arguments = [one for one in f"{before}, {after}".split(", ") if one]
    names = [one.partition("=")[0] for one in arguments]
    given = "{" + ", ".join(f"'{one}': {one}" for one in names) + "}"
    passed = ", ".join(f"{one}={one}" for one in [*names, "mode"])
    call = f"scipy.ndimage.{name}(g, {passed})"
    general = f"rt.unfiltered(g, '{name}', mode, {given}, input)"
    written = ", ".join(["input", *filter(None, before.split(", ")), "*", "mode='reflect'", "cval=0.0",
                         *filter(None, after.split(", "))])
    rule(getattr(ndimage, name), f"y = scipy.ndimage.{name}({written})", nondiff=names, refused=refused.split(),
         pull={"input": f"{call} if {own} else {general}" if own else general}, push={"input": call}, spec=_image)


image_filter("gaussian_filter", "sigma, order=0", "truncate=4.0, radius=None", f"order == 0 and {OWN}", "sigma")
image_filter("gaussian_filter1d", "sigma, axis=-1, order=0", "truncate=4.0, radius=None", f"order == 0 and {OWN}",
             "sigma")
image_filter("uniform_filter", "size=3", "origin=0", f"size in (3, 5, 7, 9) and origin == 0 and {OWN}")
image_filter("uniform_filter1d", "size, axis=-1", "origin=0", f"size in (3, 5, 7, 9) and origin == 0 and {OWN}")
image_filter("laplace", "", "", OWN)
image_filter("gaussian_laplace", "sigma", "", OWN, "sigma")
for name in ("sobel", "prewitt"):
    image_filter(name, "axis=-1", "", "")
linear(rt.filtered, "y = rt.filtered(x, name, mode, given)", nondiff=["name", "mode", "given"], **ANY,
       pull={"x": "rt.unfiltered(g, name, mode, given, x)"})
linear(rt.unfiltered, "y = rt.unfiltered(v, name, mode, given, x)", nondiff=["name", "mode", "given", "x"],
       spec=cotangent("x"), pull={"v": "rt.unbroadcast(rt.filtered(g, name, mode, given), v)"})

# ------------------------------------------------------------------ images between their pixels
HOW = "(order, mode, prefilter)"
SETTINGS = "*, order=3, mode='constant', cval=0.0, prefilter=True"
AGAIN = "order=order, mode=mode, prefilter=prefilter"
BREAKS: dict[str, Any] = {"breaks": "kink", **ANY}
EDGES = "constant, nearest, mirror, reflect and grid-wrap; at a pixel where a slope jumps that to the right"
rule(ndimage.map_coordinates, f"y = scipy.ndimage.map_coordinates(input, coordinates, {SETTINGS})", note=EDGES,
     breaks="jump", **ANY, pull={
         "input": f"rt.unsampled(g, coordinates, None, {HOW}, input)",
         "coordinates": f"rt.sample_slopes(g, input, coordinates, None, {HOW})"},
     push={"input": f"scipy.ndimage.map_coordinates(g, coordinates, {AGAIN})",
           "coordinates": f"rt.sample_tangent(g, input, coordinates, None, {HOW})"})
PLACES = "rt.shifted_places(input, shift)"
rule(ndimage.shift, f"y = scipy.ndimage.shift(input, shift, {SETTINGS})", note=EDGES, breaks="jump", spec=_image, pull={
    "input": f"rt.unsampled(g, {PLACES}, None, {HOW}, input)",
    "shift": f"rt.unshifted(rt.sample_slopes(g, input, {PLACES}, None, {HOW}), shift)"},
     push={"input": f"scipy.ndimage.shift(g, shift, {AGAIN})",
           "shift": f"rt.sample_tangent(rt.shifted_places(input, g) - rt.shifted_places(input, 0.0), input, {PLACES}, "
                    f"None, {HOW})"})
rule(ndimage.zoom, f"y = scipy.ndimage.zoom(input, zoom, {SETTINGS}, grid_mode=False)", nondiff=["zoom"],
     refused=["zoom"], note=EDGES, **ANY,
     pull={"input": f"rt.unsampled(g, rt.zoomed_places(input, y, grid_mode), None, {HOW}, input)"},
     push={"input": f"scipy.ndimage.zoom(g, zoom, {AGAIN}, grid_mode=grid_mode)"})
rule(rt.shifted_places, "y = rt.shifted_places(image, shift)", nondiff=["image"], spec=infer.arrays,
     pull={"shift": "rt.unshifted(g, shift)"},
     push={"shift": "rt.shifted_places(image, g) - rt.shifted_places(image, 0.0)"})
linear(rt.unshifted, "y = rt.unshifted(v, shift)", nondiff=["shift"], spec=cotangent("shift"),
       pull={"v": "rt.unbroadcast(rt.shifted_places(v[0], g) - rt.shifted_places(v[0], 0.0), v)"})
nondifferentiable(rt.zoomed_places, "z = rt.zoomed_places(image, y, grid_mode=False)", because="places", breaks="",
                  **ANY)
rule(rt.unsampled, "z = rt.unsampled(v, places, nu, how, image)", nondiff=["nu", "how", "image"], **BREAKS, pull={
    "v": "rt.unbroadcast(rt.resampled(g, places, nu, how), v)", "places": "rt.sample_slopes(v, g, places, nu, how)"},
     push={"v": "rt.unsampled(g, places, nu, how, image)",
           "places": "rt.unsampled_along(v, g, places, nu, how, image)"})
rule(rt.resampled, "y = rt.resampled(image, places, nu, how)", nondiff=["nu", "how"], **BREAKS, pull={
    "image": "rt.unsampled(g, places, nu, how, image)", "places": "rt.sample_slopes(g, image, places, nu, how)"},
     push={"image": "rt.resampled(g, places, nu, how)", "places": "rt.sample_tangent(g, image, places, nu, how)"})
rule(rt.sample_slopes, "z = rt.sample_slopes(v, image, places, nu, how)", nondiff=["nu", "how"], **BREAKS, pull={
    "v": "rt.unbroadcast(rt.sample_tangent(g, image, places, nu, how), v)",
    "image": "rt.unsampled_along(v, g, places, nu, how, image)",
    "places": "rt.sample_second(v, image, places, g, nu, how)"}, push={
    "v": "rt.sample_slopes(g, image, places, nu, how)", "image": "rt.sample_slopes(v, g, places, nu, how)",
    "places": "rt.sample_second(v, image, places, g, nu, how)"})
rule(rt.sample_tangent, "y = rt.sample_tangent(v, image, places, nu, how)", nondiff=["nu", "how"], **BREAKS, pull={
    "v": "rt.unbroadcast(rt.sample_slopes(g, image, places, nu, how), v)",
    "image": "rt.unsampled_along(g, v, places, nu, how, image)",
    "places": "rt.sample_second(g, image, places, v, nu, how)"}, push={
    "v": "rt.sample_tangent(g, image, places, nu, how)", "image": "rt.sample_tangent(v, g, places, nu, how)",
    "places": "rt.sample_tangent_second(v, image, places, g, nu, how)"})
for name in ("sample_second", "sample_tangent_second", "unsampled_along"):
    unsupported(getattr(rt, name), f"rt.{name}", because="an image between its pixels is differentiated twice",
                instead="differences of the second derivative")
