"""Functions of NumPy that carry no derivative: truth values, places, texts, dtypes, sets, bits, dates, files.

Those in place of which a program goes on with something constant pass;
the others are refused where a derivative would go through them.
"""
from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from . import infer
from .table import nondifferentiable, unsupported


def _there(name: str) -> Any:
    return getattr(np, name, None)


for name, arguments in {
        "isfortran": "a",
        "iterable": "y", "array_equiv": "a1, a2", "isin": "element, test_elements, assume_unique=False, invert=False",
        "shares_memory": "a, b", "may_share_memory": "a, b"}.items():
    nondifferentiable(_there(name), f"y = np.{name}({arguments})", because="a truth value", spec=infer.anything,
                      breaks="jump" if name in ("array_equiv", "isin") else "")

for name, arguments in {
        "argwhere": "x", "unravel_index": "indices, shape, order='C'", "diag_indices_from": "arr",
        "ravel_multi_index": "multi_index, dims, mode='raise', order='C'", "tril_indices_from": "arr, k=0",
        "triu_indices_from": "arr, k=0",
        "diag_indices": "n, ndim=2", "tril_indices": "n, k=0, m=None", "triu_indices": "n, k=0, m=None"}.items():
    nondifferentiable(_there(name), f"y = np.{name}({arguments})", because="places", spec=infer.anything,
                      breaks="jump" if name == "argwhere" else "")

LAYOUT = "max_line_width=None, precision=None, suppress_small=None"
for name, arguments in {
        "array2string": f"x, {LAYOUT}, separator=' ', prefix=''", "array_repr": f"arr, {LAYOUT}",
        "array_str": f"a, {LAYOUT}", "base_repr": "number, base=2, padding=0", "binary_repr": "num, width=None",
        "format_float_positional": "x, precision=None, unique=True, fractional=True, trim='k', sign=False",
        "format_float_scientific": "x, precision=None, unique=True, trim='k', sign=False"}.items():
    nondifferentiable(_there(name), f"y = np.{name}({arguments})", because="text", spec=infer.some("str"), breaks="")

for name, arguments in {
        "result_type": "a, b=None, c=None, d=None", "promote_types": "type1, type2",
        "can_cast": "from_, to, casting='safe'", "common_type": "a, b=None, c=None, d=None", "min_scalar_type": "a",
        "issubdtype": "arg1, arg2", "isdtype": "dtype, kind", "finfo": "dtype", "iinfo": "type"}.items():
    nondifferentiable(_there(name), f"y = np.{name}({arguments})", because="about a dtype",
                      spec=infer.anything, breaks="")
nondifferentiable(np.broadcast_shapes, "y = np.broadcast_shapes(a, b=None, c=None, d=None)", because="a shape",
                  spec=infer.some("tuple"))

for name in ("bartlett", "blackman", "hamming", "hanning"):
    nondifferentiable(_there(name), f"y = np.{name}(M)", because="it depends on a length only",
                      spec=infer.some("array"), refused=["M"])
nondifferentiable(np.kaiser, "y = np.kaiser(M, beta)", because="its shape parameter is taken as a constant",
                  spec=infer.some("array"), refused=["M", "beta"])


REASONS = {
    "how long its result is depends on the numbers": (
        "a mask, as x[np.isin(x, y)], or tnb.stop_gradient of what is only counted", """
        intersect1d setdiff1d setxor1d union1d unique_all unique_counts unique_inverse unique_values"""),
    "it takes integers and truth values, which have no derivative": (
        "tnb.stop_gradient of what is only counted, or np.logical_and", """
        packbits unpackbits"""),
    "it is of dates, which have no derivative": ("the numbers of days, computed outside of the function", """
        busday_count busday_offset is_busday datetime_as_string datetime_data"""),
    "it counts": ("a smooth function of the distances to the edges, or tnb.stop_gradient of the values",
                  "histogram2d histogramdd"),
    "it calls a function that cannot be seen": ("the function itself, in a loop", "frompyfunc mask_indices"),
}
for because, (instead, names) in REASONS.items():
    for name in names.split():
        unsupported(_there(name), f"np.{name}", because=because, instead=instead)

for because, instead, names in (
        ("it reads a file", "read it outside of the function, and pass the array as an argument",
         "load loadtxt genfromtxt fromregex fromfile"),
        ("it writes a file", "return the array, and write it outside of the function; or write tnb.stop_gradient(x)",
         "save savetxt savez savez_compressed")):
    for name in names.split():
        unsupported(_there(name), f"np.{name}", because=because, instead=instead, pure=False)

unsupported(np.histogram_bin_edges, "np.histogram_bin_edges", because="how many edges there are depends on the numbers",
            instead="np.linspace(np.min(x), np.max(x), n + 1)", memory="alias")
unsupported(np.trim_zeros, "np.trim_zeros", because="how long its result is depends on the numbers",
            instead="a slice: x[i:j]", memory="alias")
for name in ("asmatrix", "bmat", "matrix"):
    unsupported(_there(name), f"np.{name}", because="a matrix has other operators than an array",
                instead="np.atleast_2d or np.block, and @", memory="alias")
for name in ("frombuffer", "fromstring", "from_dlpack", "fromiter", "nditer", "nested_iters"):
    unsupported(_there(name), f"np.{name}", because="it reads memory, or an iterator, that cannot be seen",
                memory="alias", instead="np.array of a list, or a loop over the indices")

for because, instead, names in (
        ("it is about how NumPy runs", "a call of it outside of the function", """
        get_include get_printoptions getbufsize geterr geterrcall info printoptions set_printoptions setbufsize seterr
        seterrcall show_config show_runtime test linalg.test fft.test"""),
        ("it gives text, or a plan of indices", "a call of it outside of the function",
         "einsum_path mintypecode typename")):
    for name in names.split():
        unsupported(attrgetter(name)(np), f"np.{name}", because=because, instead=instead, pure=False)
unsupported(np.ix_, "np.ix_", because="it gives indices, which have no derivative",
            instead="A[np.asarray(i)[:, None], j]", memory="alias")
