"""What the functions of NumPy and SciPy are on JAX: a column of the rows.

A function that is not named here is refused there. Each that is has a row; none is named twice. The texts name
functions of `jax.numpy` (`jnp`), of `jax.scipy.special` and of the runtime (`rt`); `backends/` writes them, and alone
imports JAX.

What differs, and how it is handled:

| NumPy | JAX | here |
|---|---|---|
| an index outside raises | the nearest element is read, nothing is written | `rt.within` raises |
| `a[i] = v` with an index twice: the last stays | any of them stays | `rt.updated` |
| `a[i] += v` with an index twice: added once | added each time | `rt.updated` |
| `a += v` keeps the shape and dtype of `a` | a new array | `rt.iadd` and its like |
| float64, int64 arrays | cut to 32 bits without x64 | refused when called: `rt.arrays`,
`rt.differentiable`, `rt.check_x64` |
| small integers become float64 | float32 | refused when called: `rt.arrays`; their types are not named |
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

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from .. import runtime as rt
from .table import lookup, lookup_method


@dataclass(frozen=True)
class OnJax:
    """One function. call: what is called there, `""` if it is refused; instead: the remedy that the refusal names.

    wide: truth values become integers first, of which NumPy makes floats of 64 bits and JAX of 32; floats_only:
    integers are refused when it is called; takes_lists: no list in a call is made an array; reads_order: `order` says
    which items are read, not how an array is kept; demands: what compiled code has to know the numbers of the arguments
    for; known: its value is known when code is compiled.
    """

    fn: object = None
    call: str = ""
    instead: str = ""
    wide: bool = False
    floats_only: bool = False
    takes_lists: bool = False
    reads_order: bool = False
    demands: str = ""
    known: bool = False

    @property
    def not_taken(self) -> frozenset[str]:
        """The arguments that JAX does not take: they say how NumPy keeps an array."""
        return OF_MEMORY - {"order"} if self.reads_order else OF_MEMORY


OF_MEMORY = frozenset(["order", "subok", "casting", "copy", "hermitian"])
REFUSED = OnJax()
RANDOM = OnJax(instead="draw the numbers outside, and pass them as an argument")
_COLUMN: dict[int, OnJax] = {}
_CALLED: dict[str, OnJax] = {}
_OF_ARRAYS: dict[str, OnJax] = {}


def on_jax(fn: object) -> OnJax:
    """What a function or type is on JAX.

    >>> on_jax(np.fix).call, on_jax(np.take).call, on_jax(np.sin).wide, on_jax(np.spacing).call
    ('jnp.trunc', 'rt.take', True, '')
    """
    lookup(fn)                                             # which fills the rows of an optional library
    found = _COLUMN.get(id(fn), REFUSED)
    return RANDOM if found is REFUSED and str(getattr(fn, "__module__", "")).startswith("numpy.random") else found


def on_jax_by_call(call: str) -> OnJax:
    """The function whose calls become calls of this one: of `"jnp.sin"` that of np.sin."""
    return _CALLED.get(call, REFUSED)


def of_jax_arrays(name: str) -> OnJax:
    """A method or an attribute of an ndarray, as arrays of JAX have it."""
    return _OF_ARRAYS.get(name, REFUSED)


def every_on_jax() -> Iterator[OnJax]:
    """The whole column."""
    return iter(_COLUMN.values())


def column(fn: Any, call: str, **facts: Any) -> None:
    """Say what a function is on JAX."""
    if id(fn) in _COLUMN:
        raise ValueError(f"{call}: the function is named twice")
    if call and lookup(fn) is None and not isinstance(fn, type):
        raise ValueError(f"{call}: the function has no row")
    _COLUMN[id(fn)] = OnJax(fn, call, **facts)
    if call:
        _CALLED.setdefault(call, _COLUMN[id(fn)])


def same(names: str, module: Any = np, to: str = "jnp", **facts: Any) -> None:
    """Functions of a module that have the same names on JAX."""
    for name in names.split():
        column(attrgetter(name)(module), f"{to}.{name}", **facts)


def renamed(calls: Mapping[str, str], **facts: Any) -> None:
    """Functions of NumPy, and what is called for them."""
    for name, call in calls.items():
        column(attrgetter(name)(np), call, **facts)


# Of several names of one function that which stands here is written.
same("""
    absolute add all allclose amax amin any append arange argmax argmin argsort array_equal array_split atleast_1d
    atleast_2d atleast_3d bartlett bitwise_and bitwise_count bitwise_not bitwise_or bitwise_xor blackman bool_
    broadcast_arrays broadcast_to ceil clip column_stack complex128 compress concatenate conj convolve copy correlate
    count_nonzero cross cumprod deg2rad diag diag_indices diag_indices_from diagflat diagonal diff divmod dsplit dstack
    ediff1d einsum empty empty_like equal expand_dims extract eye fabs finfo flip fliplr flipud float16 float32 float64
    float_power floor fmax fmin frexp full full_like gcd geomspace greater greater_equal hamming hanning hsplit hstack
    identity iinfo imag indices int64 isclose iscomplex iscomplexobj isfinite isinf isnan isneginf isposinf isreal
    isrealobj isscalar kaiser lcm left_shift less less_equal lexsort linspace logical_and logical_not logical_or
    logical_xor logspace matrix_transpose matvec max maximum meshgrid min minimum modf moveaxis multiply nan_to_num
    nanargmax nanargmin nanmax nanmin negative nextafter not_equal ones ones_like polyadd polyder polymul polysub
    polyval positive ptp rad2deg real resize right_shift roll rollaxis rot90 round searchsorted select sign signbit
    sort split squeeze stack subtract swapaxes take_along_axis tensordot tile trace transpose tri tril tril_indices
    tril_indices_from triu triu_indices triu_indices_from trunc unstack unwrap vander vdot vecdot vecmat vsplit vstack
    where zeros zeros_like fft.fftfreq fft.fftshift fft.ifftshift fft.rfftfreq linalg.cross linalg.diagonal
    linalg.matmul linalg.matrix_rank linalg.matrix_transpose linalg.multi_dot linalg.outer linalg.tensordot
    linalg.trace linalg.vecdot""")
same("""
    angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh average cbrt copysign corrcoef cos cosh cov cumsum
    cumulative_prod cumulative_sum degrees divide dot exp exp2 expm1 heaviside hypot i0 inner interp kron ldexp log
    log10 log1p log2 logaddexp logaddexp2 matmul mean median nancumprod nancumsum nanmean nanmedian nanpercentile
    nanprod nanquantile nanstd nansum nanvar outer percentile polyfit polyint prod quantile radians rint sin sinc sinh
    sqrt square std sum tan tanh trapezoid var fft.fft fft.hfft fft.ifft fft.ihfft fft.irfft fft.irfft2 fft.irfftn
    fft.rfft fft.rfft2 fft.rfftn linalg.cond linalg.det linalg.inv linalg.lstsq linalg.matrix_norm linalg.matrix_power
    linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensorinv
    linalg.tensorsolve linalg.vector_norm""", wide=True)
same("array asarray block", takes_lists=True)
same("ravel reshape", reads_order=True)
same("ndim shape size", known=True)
for _name in ("digitize", "flatnonzero", "nonzero", "unique"):
    same(_name, demands=f"the shape of the result of np.{_name}")
same("fmod reciprocal", floats_only=True)
renamed({"around": "jnp.round", "asanyarray": "jnp.asarray", "fix": "jnp.trunc", "pad": "rt.pad"})
renamed({"floor_divide": "rt.floor_divide", "mod": "rt.remainder", "power": "rt.power", "repeat": "rt.repeat",
         "take": "rt.take"})
renamed({"fft.fft2": "rt.fft2", "fft.fftn": "rt.fftn", "fft.ifft2": "rt.ifft2", "fft.ifftn": "rt.ifftn",
         "linalg.cholesky": "rt.cholesky", "linalg.eigh": "rt.eigh", "linalg.eigvalsh": "rt.eigvalsh"}, wide=True)
column(rt.array_of_list, "jnp.asarray")
column(operator.floordiv, "rt.floor_divide")
column(operator.mod, "rt.remainder")
column(operator.pow, "rt.power")
column(np.bincount, "", instead="a loop, or backend='numpy'")
column(np.ascontiguousarray, "", instead="np.asarray")
column(np.ndarray.flatten, "jnp.ravel", reads_order=True)

# What Python computes with values is computed when code is compiled; len and isinstance ask for none.
for _fn in (float, int, bool, round, max, min, sorted, any, all, str, repr, format, complex):
    column(_fn, "", demands=f"{_fn.__name__}(...), a number of Python,")
for _set in (set, frozenset):
    column(_set, "", demands=f"{_set.__name__}(...)")
column(range, "", demands="the number of steps")
column(len, "", known=True)
column(isinstance, "", known=True)
column(hasattr, "", known=True)

for _name in """
        T all any argmax argmin argsort astype clip conj copy cumprod cumsum diagonal dot dtype flatten imag item mT max
        mean min ndim prod ravel real reshape round shape size squeeze std sum swapaxes take tolist trace transpose
        var""".split():
    _row = lookup_method(_name)
    assert _row is not None, f"the method {_name} has no row"
    _known = on_jax(_row.fn)
    _OF_ARRAYS[_name] = OnJax(_row.fn, _known.call if _known.call.startswith("rt.") else _name, wide=_known.wide,
                              demands=f".{_name}()" if _name in ("item", "tolist") else "")
