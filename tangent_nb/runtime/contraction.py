"""np.einsum, and the cotangents of its operands: each is an np.einsum of the others with the cotangent of the
result."""
from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cast, unbroadcast


def einsum(subscripts: str, x: Any, y: Any = None, z: Any = None, a: Any = None, b: Any = None, c: Any = None) -> Any:
    """`np.einsum` of one to six operands.

    >>> float(einsum("i,i->", np.ones(2), np.ones(2)))
    2.0
    """
    operands = [one for one in (x, y, z, a, b, c) if one is not None]
    return np.einsum(subscripts, *operands, optimize=len(operands) > 2)


def _of_operand(which: int, name: str) -> Callable[..., Any]:
    def uneinsum(g: Any, subscripts: str, *operands: Any) -> Any:
        """The cotangent of one of the operands of `np.einsum`."""
        return _uneinsum(g, which, subscripts, *operands)

    uneinsum.__name__ = f"einsum_d{name}"
    return uneinsum


einsum_dx, einsum_dy, einsum_dz, einsum_da, einsum_db, einsum_dc = map(_of_operand, range(6), "xyzabc")


def _uneinsum(g: Any, which: int, subscripts: str, *given: Any) -> Any:
    """The cotangent of the operand number `which`.

    >>> _uneinsum(1.0, 0, "ii", np.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    >>> _uneinsum(1.0, 3, "i,,,i", np.array([1.0, 2.0]), 3.0, 1.0, np.zeros(2))
    array([3., 6.])
    """
    operands = [np.asarray(a) for a in given if a is not None]
    inputs, output = _letters(subscripts, [a.ndim for a in operands])
    wanted = operands[which]
    size = {letter: n for letters, a in zip(inputs, operands) for letter, n in zip(letters, a.shape) if n != 1}
    unique = "".join(dict.fromkeys(inputs[which]))
    rest = [(letters, a) for i, (letters, a) in enumerate(zip(inputs, operands)) if i != which]
    terms: list[tuple[str, Any]] = [(output, np.asarray(g)), *rest]
    known = "".join(letters for letters, _ in terms)
    # a letter that is in the wanted operand alone was summed over: its cotangent is the same all along
    terms += [(letter, np.ones(size.get(letter, 1), wanted.dtype)) for letter in unique if letter not in known]
    out = np.einsum(",".join(letters for letters, _ in terms) + "->" + unique, *[a for _, a in terms],
                    optimize=len(terms) > 2)
    if unique != inputs[which]:                    # a repeated letter reads a diagonal
        out = _on_diagonals(out, unique, inputs[which], size)
    return unbroadcast(out, wanted) if wanted.ndim else cast(out[()], given[which])


def _on_diagonals(values: Any, unique: str, letters: str, size: Mapping[str, int]) -> Any:
    """Zeros with an axis for each of `letters`, and `values` where equal letters have equal indices."""
    full = np.zeros([size.get(letter, 1) for letter in letters], values.dtype)
    grid = dict(zip(unique, np.ogrid[tuple(slice(size.get(letter, 1)) for letter in unique)]))
    full[tuple(grid[letter] for letter in letters)] = values
    return full


def _letters(subscripts: str, ranks: list[int]) -> tuple[list[str], str]:
    """The subscripts of the operands and of the result, without ellipses and with the result's written out."""
    if not isinstance(subscripts, str):
        raise ArgumentError("np.einsum is differentiated with its subscripts as a string: np.einsum('ij,jk->ik', a, b)")
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    free = [letter for letter in string.ascii_letters if letter not in left]
    most = max(rank - len(part) + 3 if "..." in part else 0 for part, rank in zip(inputs, ranks))
    wild = "".join(free[:most])
    full = []
    for part, rank in zip(inputs, ranks):
        n = rank - len(part) + 3
        full.append(part.replace("...", wild[len(wild) - n:] if n else "") if "..." in part else part)
    if not arrow:
        named = "".join(full)
        output = wild + "".join(sorted(c for c in set(named) if named.count(c) == 1 and c not in wild))
    return full, output.replace("...", wild)
