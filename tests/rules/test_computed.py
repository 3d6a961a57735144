"""What is said of results is what NumPy gives, for all sizes."""
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.rules import table
from tangent_nb.rules.computed import as_computed
from tangent_nb.syntax.sizes import Size, size
from tangent_nb.syntax.spec import Spec, broadcast, join

NAMES = "nkmp"
ROWS = sorted({row.name: row for row in table._ROWS.values() if getattr(row.spec, "__qualname__", "").startswith(
    "as_computed")}.items())
UNEQUAL = ("np.interp", "np.cross", "np.linalg.cross", "np.tensordot")         # sizes that have to be others


def valued(axis, of):
    """A size in numbers."""
    if not isinstance(axis, Size):
        return axis
    return sum(times * of[Size(((symbol, 1),))] for symbol, times in axis.terms) + axis.number


def arrays(shapes, numbers):
    made = []
    for shape in shapes:
        one = np.ones([numbers[k] for k in shape])
        if one.ndim > 1 and one.shape[-1] == one.shape[-2]:
            one = one + np.diag(np.arange(2.0, one.shape[-1] + 2))
        made.append(one)
    return made


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[name for name, _ in ROWS])
def test_specs_are_those_of_other_sizes_too(name, row):
    """shapes: of arguments, by which sizes are the same."""
    required = [one.name for one in row.signature.parameters.values()
                if one.default is one.empty and one.kind is not one.KEYWORD_ONLY]
    known = 0
    for shapes in itertools.product([(), (0,), (0, 1), (1, 1), (0, 1, 2)][:9 // len(required)], repeat=len(required)):
        specs = {one: Spec("array", tuple(size(NAMES[k], 4 + k) for k in shape), "f8") if shape else Spec("float")
                 for one, shape in zip(required, shapes, strict=True)}
        spec = row.spec(specs, {})
        parts = spec.items if spec.kind == "tuple" else (spec,)
        if spec.kind == "unknown" or any(part.kind == "array" and part.shape is None for part in parts):
            continue
        known += 1
        for numbers in ((2, 3, 4), (6, 2, 5), (4, 4, 4)):
            given = [array if shape else 0.5 for shape, array in zip(shapes, arrays(shapes, numbers), strict=True)]
            found = row.fn(*given)
            of = {size(NAMES[k], 4 + k): number for k, number in enumerate(numbers)}
            for part, one in zip(parts, found if spec.kind == "tuple" else [found], strict=True):
                assert np.shape(one) == tuple(valued(axis, of) for axis in part.shape)
                assert np.asarray(one).dtype.str[1:] == (part.dtype if part.dtype != "weak" else "f8")
    assert known or name in UNEQUAL


def test_what_is_not_the_same_function_of_sizes_is_not_known():
    x, y = (Spec("array", (size(name, 4),), "f8") for name in "nk")
    assert as_computed(np.convolve, "x", "y", mode="same")({"x": x, "y": y}, {}).shape is None
    assert as_computed(np.trace, "x")({"x": x}, {}) == Spec()
    assert as_computed(np.diff, "x", n=1)({"x": x}, {"n": 2}).shape == (Size(x.shape[0].terms, -2),)
    assert as_computed(np.diff, "x", n=1)({"x": x, "n": Spec("int")}, {}) == Spec()


def test_how_many_axes_a_part_has_is_known_without_its_lengths():
    one, two = Spec("array", None, "f8", axes=1), Spec("array", (size("n", 4), size("k", 3)), "f8")
    assert broadcast(one, two).dims == 2 and broadcast(one, Spec("array", None, "f8")).dims is None
    assert join(one, Spec("array", (size("n", 4),), "f8")).dims == 1 and join(one, two).dims is None
    assert one.like(shape=None).dims is None and one.like(dtype="f4").dims == 1


@pytest.mark.parametrize("body", [
    "y = np.zeros(len(x) - 1)\n    for i in range(len(y)):\n        y[i] = np.dot(x[i:i + len(w)], w)\n"
    "    return np.sum(y * y)",
    "s = 0.0\n    for i in range(3):\n        s = s + np.sum(x[i:] * x[i:][::-1]) * w[0]\n    return s",
    "s = 0.0\n    for i in range(2):\n        part = x[i:i + 2]\n"
    "        s = s + part[0] * part[-1] * np.dot(part, w)\n    return s",
    "s = 0.0\n    for i in range(2):\n        s = s + np.sum(np.dot(np.array(x[i:i + 2], ndmin=2), w))\n    return s",
    "y = x\n    for i in range(2):\n        y = y[1:] * w[0]\n        y[0] = y[0] * 2.0\n    return np.sum(y)"])
def test_programs_with_parts_whose_lengths_nobody_knows(body):
    f = sourced(f"def f(x, w):\n    {body}\n", {"np": np})["f"]
    x, w = np.array([0.5, -1.0, 2.0, 0.3, 1.1]), np.array([0.7, -0.2])
    for details in ({}, {"like": (x, w)}):
        for one, other in zip(tnb.grad(f, (0, 1), **details)(x.copy(), w.copy()),
                              tnb.grad(f, (0, 1), optimized=False)(x.copy(), w.copy()), strict=True):
            assert np.allclose(one, other, rtol=1e-13)
