"""Which names of NumPy mean the same in `jax.numpy`, and what becomes of the others.

A function that stands in no list here is refused. What differs, and how it is handled:

| NumPy | JAX | here |
|---|---|---|
| an index outside raises | the nearest element is read, nothing is written | `rt.within` raises |
| `a[i] = v` with an index twice: the last stays | any of them stays | `rt.updated` |
| `a[i] += v` with an index twice: added once | added each time | `rt.updated` |
| `a += v` keeps the shape and dtype of `a` | a new array | `rt.iadd` and its like |
| float64, int64 arrays | cut to 32 bits without x64 | refused when called: `rt.arrays`, `rt.differentiable`, `rt.check_x64` |
| small integers become float64 | float32 | refused when called: `rt.arrays`; their types are in no list |
| truth values become float64 | float32 | `rt.wide` makes integers of them first |
| `x // 0`, `x % 0` of integers is 0 | -1, x | `rt.floor_divide`, `rt.remainder` |
| integers to negative powers raise | a number | `rt.power` raises |
| `np.take` raises outside | NaN | `rt.take` |
| `np.reciprocal` of integers is an integer | a float | refused when called: `rt.floats` |
| lists are arrays | lists are refused | `jnp.array(...)` around them |
| numbers of Python raise at poles | infinity in compiled code | refused when called: `rt.no_numbers` |
| float32 and int64 make float64 | float32 | JAX's; gradients have the dtype of their argument in both |
| a singular matrix raises | infinity or NaN | JAX's |
| one triangle of a symmetric matrix is read | both are | `rt.cholesky`, `rt.eigh`, `rt.eigvalsh` read one |
| an axis is transformed as often as it is named | refused | `rt.fftn` and its like |
| vectors of repeated eigenvalues are refused | they have a cotangent of 0 or NaN | NaN |
"""
from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

# Of several names of one function the first is written.
SAME = """
    absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    abs acos acosh add all allclose amax amin angle any append arange argmax argmin argsort around array array_equal array_split asarray asin
    asinh atan atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett bitwise_and bitwise_count bitwise_not bitwise_or bitwise_xor
    blackman block bool_ broadcast_arrays broadcast_to cbrt ceil clip column_stack complex128 compress concatenate conj conjugate convolve
    copy copysign corrcoef correlate cos cosh count_nonzero cov cross cumprod cumsum cumulative_prod cumulative_sum deg2rad degrees diag
    diag_indices diag_indices_from diagflat diagonal diff digitize divide divmod dot dsplit dstack e ediff1d einsum empty empty_like equal
    euler_gamma exp exp2 expand_dims expm1 extract eye fabs fft.fft fft.fftfreq fft.fftshift fft.hfft fft.ifft
    fft.ifftshift fft.ihfft fft.irfft fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftfreq fft.rfftn finfo flatnonzero flip fliplr
    flipud float16 float32 float64 float_power floor fmax fmin frexp full full_like gcd geomspace greater greater_equal hamming hanning
    heaviside hsplit hstack hypot i0 identity imag indices inf inner int64 interp invert isclose iscomplex iscomplexobj isfinite isinf isnan
    isneginf isposinf isreal isrealobj isscalar kaiser kron lcm ldexp left_shift less less_equal lexsort linalg.cond linalg.cross linalg.det
    linalg.diagonal linalg.inv linalg.lstsq linalg.matmul linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose
    linalg.multi_dot linalg.norm linalg.outer linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensordot
    linalg.tensorinv linalg.tensorsolve linalg.trace linalg.vecdot linalg.vector_norm linspace log log10 log1p log2 logaddexp logaddexp2
    logical_and logical_not logical_or logical_xor logspace matmul matrix_transpose matvec max maximum mean median meshgrid min minimum modf
    moveaxis multiply nan nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod
    nanquantile nanstd nansum nanvar ndim negative newaxis nextafter nonzero not_equal ones ones_like outer pad percentile pi polyadd polyder
    polyfit polyint polymul polysub polyval positive prod ptp quantile rad2deg radians ravel real reshape resize right_shift rint roll
    rollaxis rot90 round s_ searchsorted select shape sign signbit sin sinc sinh size sort split sqrt square squeeze stack std subtract sum
    swapaxes take_along_axis tan tanh tensordot tile trace transpose trapezoid tri tril tril_indices tril_indices_from triu triu_indices
    triu_indices_from true_divide trunc unique unstack unwrap vander var vdot vecdot vecmat vsplit vstack where zeros zeros_like
""".split()
RENAMED: Mapping[str, str] = {"asanyarray": "asarray", "fix": "trunc", "true_divide": "divide", "around": "round", "conjugate": "conj",
                              "abs": "abs", "float_power": "float_power"}
HELPED: Mapping[str, str] = {"take": "take", "repeat": "repeat", "floor_divide": "floor_divide", "mod": "remainder",
                             "remainder": "remainder", "power": "power", "linalg.cholesky": "cholesky", "linalg.eigh": "eigh",
                             "linalg.eigvalsh": "eigvalsh", "fft.fft2": "fft2", "fft.fftn": "fftn",
                             "fft.ifft2": "ifft2", "fft.ifftn": "ifftn"}
SCIPY: Mapping[str, str] = {name: name for name in """
    beta betainc betaln digamma entr erf erfc erfinv exp1 expi expit expn gamma gammainc gammaincc gammaln i0 i0e i1 i1e kl_div
    log_softmax logit logsumexp ndtr ndtri poch polygamma rel_entr softmax xlog1py xlogy zeta
""".split()} | {"psi": "digamma"}                              # of scipy.special, by their names in jax.scipy.special
FLOATS_ONLY = frozenset(["reciprocal", "fmod"])
WIDENED = frozenset("""
    angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh average cbrt copysign corrcoef cos cosh cov cumsum cumulative_prod
    cumulative_sum degrees divide dot exp exp2 expm1 fft.fft fft.fft2 fft.fftn fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ihfft fft.irfft
    fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn heaviside hypot i0 inner interp kron ldexp linalg.cholesky linalg.cond linalg.det
    linalg.eigh linalg.eigvalsh linalg.inv linalg.lstsq linalg.matrix_norm linalg.matrix_power linalg.norm linalg.pinv linalg.qr
    linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensorinv linalg.tensorsolve linalg.vector_norm log log10 log1p log2
    logaddexp logaddexp2 matmul mean median nancumprod nancumsum nanmean nanmedian nanpercentile nanprod nanquantile nanstd nansum nanvar
    outer percentile polyfit polyint prod quantile radians rint sin sinc sinh sqrt square std sum tan tanh trapezoid var
""".split())
KEYWORDS: Mapping[str, Mapping[str, str]] = {"clip": {"a_min": "min", "a_max": "max"}}
QUANTILES = ("linear", "lower", "higher", "midpoint", "nearest")
WIDE = frozenset(["float64", "int64", "complex128"])
INSTEAD: Mapping[str, str] = {"random": "draw the numbers outside, and pass them as an argument", "ascontiguousarray": "np.asarray",
                              "bincount": "a loop, or backend='numpy'"}
# Arguments that are sequences by themselves, or are no arrays: no list in them is made an array.
NO_ARRAYS = frozenset("""shape axis axes axis1 axis2 source destination reps repeats pad_width subscripts dtype order mode k offset n
    M N UPLO axes bias blocks correction ddof decimals deg edge_order endpoint include_initial increasing indexing indices_or_sections
    keepdims kind kth m method n new_shape norm num obj ord period rowvar s shift sparse start stat_length""".split())
# What says how NumPy keeps an array: JAX takes none of these, but the order in which elements are read.
OF_MEMORY = frozenset(["order", "subok", "casting", "copy", "hermitian"])
ORDERED = frozenset(["ravel", "reshape"])
OF_ARRAYS = frozenset(["arrays", "choicelist", "choices", "condlist"])
NEW = frozenset(["array", "asarray"])                   # they take lists

ATTRIBUTES = frozenset(["T", "mT", "shape", "size", "ndim", "dtype", "real", "imag"])
METHODS = frozenset("""all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal dot flatten item max mean min prod
    ravel reshape round squeeze std sum swapaxes take trace transpose var tolist""".split())


def object_of(name: str) -> Any:
    """What a dotted name means in NumPy, or in SciPy where it begins with that."""
    if name.startswith("scipy.special."):
        return getattr(importlib.import_module("scipy.special"), name.rpartition(".")[2])
    value: Any = np
    for part in name.split("."):
        value = getattr(value, part)
    return value


@cache
def by_identity() -> Mapping[int, str]:
    """The names of NumPy's functions and types, by their `id`; the first name in the lists where there are several."""
    found: dict[int, str] = {}
    for name in [*SAME, *RENAMED, *HELPED, *FLOATS_ONLY]:
        value = object_of(name)
        if callable(value):
            found.setdefault(id(value), name)
    return found


def name_of(value: Any) -> str | None:
    """The name of a function or type of NumPy, or of `scipy.special`, that is in a list.

    >>> name_of(np.linalg.norm), name_of(np.random.rand), name_of(np.arccos)
    ('linalg.norm', None, 'arccos')
    """
    short = getattr(value, "__name__", "")
    if short in SCIPY and value is getattr(sys.modules.get("scipy.special"), short, None):
        return f"scipy.special.{SCIPY[short]}"
    return by_identity().get(id(value))


def is_scipy(name: str) -> bool:
    return name.startswith("scipy.")
