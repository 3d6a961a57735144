"""What NumPy's functions that change an array in place ask of it, and the places that they write to, as indices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import unbroadcast

ORDER = "biufc"     # a Python number fits an array of its own kind, or of a later one


def check_target(a: Any, name: str) -> None:
    """Refuses what is no array, where a call changes it in place as an array.

    >>> check_target([2.0, 1.0], "values")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: values is changed in place as an array, and is a list: make it an array, ...
    """
    if type(a) is not np.ndarray:
        raise ArgumentError(f"{name} is changed in place as an array, and is a {type(a).__name__}: "
                            "make it an array, np.array(...)")


def check_pieces(x: Any, name: str) -> None:
    """Refuses a number, where the pieces of a function are stored where conditions say.

    >>> check_pieces(np.ones(2), "x")
    """
    if np.ndim(x) == 0:
        raise ArgumentError(f"np.piecewise is differentiated for arrays, and {name} is a number: "
                            f"write f({name}) if c else g({name})")


def check_out(a: Any, v: Any, name: str, casting: str = "same_kind", exact: bool = False) -> None:
    """Refuses an array that NumPy would not take as `out=` for the value `v`; exact: its shape has to be that of `v`.

    >>> check_out(np.zeros(2, int), np.ones(2), "a")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a is an array of int64, and a value of float64 does not fit into it: make it an ...
    """
    check_target(a, name)
    given = np.shape(v)
    if given != a.shape and (exact or not broadcasts(given, a.shape)):
        raise ArgumentError(
            f"{name} has shape {a.shape}, and a value of shape {given} is written to it: they have to fit")
    check_cast(a, v, name, casting)


def broadcasts(given: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """What has one shape is broadcast to another."""
    return len(given) <= len(shape) and all(m in (1, n) for m, n in zip(reversed(given), reversed(shape)))


def check_cast(a: Any, v: Any, name: str, casting: str = "same_kind") -> None:
    """Refuses an array into which NumPy would not cast the value `v`; casting "no": its dtype has to be that of `v`.

    >>> check_cast(np.zeros(2, np.float32), np.ones(2), "a")
    """
    check_target(a, name)
    dtype = np.asarray(v).dtype
    if not isinstance(v, (np.ndarray, np.generic)) and dtype.kind in ORDER and np.ndim(v) == 0 \
            and casting in ("same_kind", "safe"):
        fits = a.dtype.kind in ORDER and ORDER.index(dtype.kind) <= ORDER.index(a.dtype.kind)
    else:
        fits = np.can_cast(dtype, a.dtype, casting)        # type: ignore[arg-type]
    if not fits:
        raise ArgumentError(f"{name} is an array of {a.dtype}, and a value of {dtype} does not fit into it: "
                            f"make it an array of {dtype}")


def check_scalar(a: Any, v: Any, name: str) -> None:
    """Refuses to fill an array with what is not one number.

    >>> check_scalar(np.zeros(2), 1.5, "a")
    """
    check_target(a, name)
    if np.ndim(v) != 0:
        raise ArgumentError(f"{name}.fill takes one number, and is given something of shape {np.shape(v)}: "
                            f"write {name}[...] = ...")


def check_values(v: Any, where: Any, name: str) -> None:
    """Refuses other than one value, or as many as there are places: NumPy would repeat them, or leave some out.

    >>> check_values([1.0, 2.0], np.array([True, False, True]), "a")
    """
    if isinstance(where, tuple):
        places = np.shape(where[0])
    else:
        places = (int(np.count_nonzero(where)),) if where.dtype == bool else where.shape
    if np.size(v) != 1 and np.shape(v) != places:
        raise ArgumentError(f"values of shape {np.shape(v)} are put to places of shape {places} in {name}, "
                            "which would repeat some, or leave some out: give one value, or one for each place")


def flat_index(a: Any, places: Any) -> tuple[Any, ...]:
    """The index of places that are counted through the whole array, as `np.put` counts them.

    >>> flat_index(np.zeros((2, 3)), [1, -1])
    (array([0, 1]), array([1, 2]))
    """
    places = np.atleast_1d(places)
    if a.ndim == 0:
        raise ArgumentError("np.put changes an array without dimensions: write a = ...")
    if places.dtype.kind not in "iu":
        raise ArgumentError(f"places in an array are integers, and these are of {places.dtype}: "
                            "a mask is an index, a[mask] = ...")
    if np.any((places < -a.size) | (places >= a.size)):
        raise IndexError(f"a place is out of bounds for an array of {a.size} items")
    return tuple(np.unravel_index(np.where(places < 0, places + a.size, places), a.shape))


def mask_index(a: Any, mask: Any) -> Any:
    """The mask of `np.place`: of the shape of `a`, true where it is not zero.

    >>> mask_index(np.zeros(3), [1, 0, 2])
    array([ True, False,  True])
    """
    mask = np.array(mask, bool)                            # it may change afterwards
    if mask.size != a.size:
        raise ArgumentError(f"the mask has shape {mask.shape}, the array {a.shape}: they must be the same")
    return mask.reshape(a.shape)


def selection(a: Any, mask: Any) -> Any:
    """The mask of `where=`: truth values, spread to the shape of `a`.

    >>> selection(np.zeros((2, 2)), [True, False])
    array([[ True, False],
           [ True, False]])
    """
    given = getattr(mask, "dtype", None)
    mask = np.asarray(mask)
    if mask.dtype != bool and (given is not None or not np.isin(mask, (0, 1)).all()):
        raise ArgumentError(f"where= takes truth values, and is given {mask.dtype}: write mask != 0")
    if not broadcasts(mask.shape, np.shape(a)):
        raise ArgumentError(f"the mask has shape {mask.shape}, the array {np.shape(a)}: they have to fit")
    return np.array(np.broadcast_to(mask.astype(bool), np.shape(a)))


def diagonal_index(a: Any) -> tuple[Any, ...]:
    """The index of the diagonal, as `np.fill_diagonal` takes it.

    >>> diagonal_index(np.zeros((3, 2)))
    (array([0, 1]), array([0, 1]))
    """
    if a.ndim < 2 or a.ndim > 2 and len(set(a.shape)) > 1:
        raise ArgumentError(f"an array of shape {a.shape} has no diagonal to be filled: "
                            "it needs two dimensions, or more of one length")
    return tuple([np.arange(min(a.shape))] * a.ndim)


def index_along(a: Any, indices: Any, axis: int | None) -> tuple[Any, ...]:
    """The index of `np.put_along_axis`: integers along one axis, all places along the others; without an axis, those
    of the flat array.

    >>> index_along(np.zeros((2, 3)), [[2], [0]], 1)
    (array([[0],
           [1]]), array([[2],
           [0]]))
    >>> index_along(np.zeros((2, 3)), [4, -1], None)
    (array([1, 1]), array([1, 2]))
    """
    indices = np.array(indices)                            # they may change afterwards
    if axis is None and indices.ndim == 1:
        return tuple(np.unravel_index(np.arange(a.size)[indices], a.shape))
    if axis is None or indices.dtype.kind not in "iu" or indices.ndim != a.ndim:
        raise ArgumentError(
            "put_along_axis takes an axis, and an array of integers with as many dimensions as the array")
    axis = range(a.ndim)[axis]
    return tuple(indices if k == axis else np.arange(n).reshape([-1 if j == k else 1 for j in range(a.ndim)])
                 for k, n in enumerate(a.shape))


def selected(x: Any, mask: Any) -> Any:
    """The items of `x`, spread to the shape of a mask, where that is true; a number stays one.

    >>> selected(np.array([1.0, 2.0]), np.array([True, False])), selected(2.0, np.array([True, False]))
    (array([1.]), 2.0)
    """
    mask = np.asarray(mask)
    if np.ndim(x) == 0:
        return x[()] if isinstance(x, np.ndarray) else x
    return np.broadcast_to(x, mask.shape)[mask]


def unselected(g: Any, x: Any, mask: Any) -> Any:
    """The transpose of `selected`.

    >>> unselected(np.array([3.0]), np.array([1.0, 2.0]), np.array([True, False]))
    array([3., 0.])
    """
    mask = np.asarray(mask)
    if np.ndim(x) == 0:
        return unbroadcast(g, x)
    b = np.zeros(mask.shape, np.asarray(g).dtype)
    b[mask] = g
    return unbroadcast(b, x)
