"""What NumPy says of results: shapes and dtypes of functions that depend on shapes, dtypes and constants alone.

A function is called on small arrays, with three numbers for each size that is none. What follows from all three is the
shape: a number, a size, or a size and a number. Where the calls fail, or differ in another way, nothing is known.

    >>> import numpy as np
    >>> from tangent_nb.syntax.sizes import size
    >>> from tangent_nb.syntax.spec import Spec
    >>> x = Spec("array", (size("n", 4), size("k", 3)), "f8")
    >>> as_computed(np.diff, "x", axis=-1)({"x": x}, {}).shape, as_computed(np.linalg.eigvalsh, "x")({"x": x}, {}).kind
    ((n, k - 1), 'unknown')
"""
from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..syntax import spec as sp
from ..syntax.sizes import LEAST, STAND_INS, Axes, Axis, Size, least, total
from ..syntax.spec import Spec
from .infer import UNSURE, Args, Constants, Infer, constant, number

MOST = 4096                    # answers that are kept
CELLS = 10 ** 6                # of an array that is made to find out
ARRAY = Spec("array")


def as_computed(function: Callable[..., Any], *names: str, otherwise: Spec = sp.UNKNOWN, **defaults: Any) -> Infer:
    """The spec of `function(*names, **defaults)`. names: of the arguments that are arrays, or floats; otherwise: what
    is known of it in any case."""
    def infer(args: Args, constants: Constants) -> Spec:
        given = [args.get(name, sp.UNKNOWN) for name in names]
        values = {name: constant(name, args, constants, default) for name, default in defaults.items()}
        others = args.keys() - {*names, *defaults}
        if any(value is UNSURE for value in values.values()) or not all(map(_is_known, given)) \
                or any(args[name].kind != "none" for name in others):
            return otherwise
        try:
            found = _found(function, tuple(given), tuple(sorted(values.items())))
        except TypeError:                                  # a constant that is no key
            return otherwise
        return otherwise if found == sp.UNKNOWN else found
    return infer


def _is_known(spec: Spec) -> bool:
    """It can be stood in for."""
    if spec.kind == "float" or spec.kind == "scalar" and isinstance(spec.dtype, str):
        return True
    return spec.kind == "array" and isinstance(spec.shape, tuple) and isinstance(spec.dtype, str) \
        and spec.dtype[0] in "fcib" and all(isinstance(one, int) or least(one) >= LEAST for one in spec.shape)


@lru_cache(maxsize=MOST)
def _found(function: Callable[..., Any], given: tuple[Spec, ...], values: tuple[tuple[str, Any], ...]) -> Spec:
    sizes = sorted({one for spec in given for one in spec.shape or () if isinstance(one, Size)}, key=str)
    if len(sizes) > len(STAND_INS[0]):
        return sp.UNKNOWN
    made: list[Any] = []
    for numbers in STAND_INS if sizes else STAND_INS[:1]:
        of = dict(zip(sizes, numbers, strict=False))
        arrays = [_stand_in(spec, of) for spec in given]
        if sum(np.size(one) for one in arrays) > CELLS:
            return sp.UNKNOWN
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                made.append((of, function(*arrays, **dict(values))))
        except Exception:                                  # it may be called with others
            return sp.UNKNOWN
    return _spec([of for of, _ in made], [one for _, one in made])


def _stand_in(spec: Spec, of: dict[Size, int]) -> Any:
    """An array of ones; where it may be a matrix, one that can be inverted, and has a square root."""
    if spec.kind != "array":
        return 0.5 if spec.kind == "float" else np.dtype(str(spec.dtype)).type(1)
    assert isinstance(spec.shape, tuple)
    shape = tuple([of[one] if isinstance(one, Size) else one for one in spec.shape])
    if len(shape) > 1 and shape[-1] == shape[-2]:
        return np.broadcast_to(np.diag(np.arange(2, shape[-1] + 2)), shape).astype(str(spec.dtype))
    return np.ones(shape, str(spec.dtype))


def _spec(sizes: Sequence[dict[Size, int]], found: Sequence[Any]) -> Spec:
    if all(type(one) is tuple for one in found):
        return Spec("tuple", items=tuple(_spec(sizes, parts) for parts in zip(*found, strict=True)))
    if all(type(one) is float for one in found):
        return sp.FLOAT
    if not all(isinstance(one, (np.ndarray, np.generic)) for one in found) or len({one.ndim for one in found}) > 1:
        return sp.UNKNOWN
    axes = [_axis(sizes, numbers) for numbers in zip(*(one.shape for one in found), strict=True)]
    kind = "array" if all(isinstance(one, np.ndarray) for one in found) else "scalar"
    known: Axes | None = None if None in axes else tuple(one for one in axes if one is not None)
    return number(known, found[0].dtype.str[1:], kind)


def _axis(sizes: Sequence[dict[Size, int]], numbers: Sequence[int]) -> Axis | None:
    """A size that is the same function of others in all cases."""
    if len(set(numbers)) == 1 and (len(numbers) > 1 or not sizes[0]):
        return numbers[0]
    for one in sizes[0]:
        left = {number - of[one] for number, of in zip(numbers, sizes, strict=True)}
        if len(left) == 1:
            return total([one, left.pop()])
    return None
