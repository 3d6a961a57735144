"""What rows say of memory is what NumPy does: a result that is said to be new shares nothing with any argument,
however that lies in memory."""
from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

from tangent_nb.rules.row import Rule
from tangent_nb.rules.table import rows

COUNT = np.arange(1.0, 37.0).reshape(6, 6)
GIVEN = {
    "in the order of C": COUNT[:3, :3].copy(), "of Fortran": np.asfortranarray(COUNT[:3, :3]),
    "with strides": COUNT[::2, ::2], "of integers": np.arange(1, 10).reshape(3, 3),
    "of float32": COUNT[:3, :3].astype(np.float32), "without dimensions": np.array(2.5),
    "of one axis": np.array([0.3, 0.5, 0.9]), "of few integers": np.array([3, 1, 2]),
    "of one number": np.array([[0.5]]), "in a list": [np.array([0.1, 0.2]), np.array([0.3, 0.4])],
    "of complex numbers": COUNT[:3, :3] + 0j, "of truth values": np.array([True, False]),
}
OTHERS: dict[str, list[Any]] = {
    "shape": [-1, (9,), (3, 3), (3,)], "axis": [0], "decimals": [0], "n": [0, 1], "indices_or_sections": [1, 3],
    "repeats": [1], "reps": [1], "pad_width": [0], "q": [0.5], "k": [0, 1], "a_max": [100.0], "axis1": [0],
    "axis2": [1], "source": [0], "destination": [0], "condition": [True], "subscripts": ["ij->ji", "ii->i", "i->i"],
    "m": [0, 1], "index": [0, slice(None)], "indices": [0, slice(None)], "order": ["C", "F"], "dtype": [float, int]}
CHOSEN = ("order", "n", "axis", "k", "m", "decimals", "dtype")          # given where they have a default, too
# over no axis, of an array without dimensions, it is that array
LEFT_OUT = ("np.fft.fftn", "np.fft.ifftn", "scipy.fft.fftn", "scipy.fft.ifftn")
ROWS = [row for row in rows() if callable(row.fn) and row.supported and row.name.startswith(("np.", "x.", "scipy."))
        and row.memory == "fresh"]


def calls(row: Rule, given: Any) -> Any:
    """Arguments, by position and by name, of which those that a row differentiates are what is given."""
    parameters = list(row.signature.parameters.values())
    choices: list[list[Any]] = []
    for one in parameters:
        if one.default is one.empty:
            choices.append([given] if one.name in row.active_params else OTHERS.get(one.name, [given, 0, 1]))
        else:
            choices.append([None,
                            *([(one.name, value) for value in OTHERS.get(one.name, [])] if one.name in CHOSEN else [])])
    for chosen in itertools.islice(itertools.product(*choices), 40):
        pairs = list(zip(parameters, chosen, strict=True))
        yield [value for one, value in pairs if one.default is one.empty], \
            dict(v for one, v in pairs if one.default is not one.empty and v)


def arrays(value: Any) -> list[Any]:
    if isinstance(value, np.ndarray):
        return [value]
    return [part for one in value for part in arrays(one)] if isinstance(value, (tuple, list)) else []


@pytest.mark.parametrize("given", GIVEN)
def test_what_is_said_to_be_new_is(given: str) -> None:
    shared, asked = set(), 0
    for row in ROWS:
        for args, keywords in calls(row, GIVEN[given]):
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    value = row.fn(*args, **keywords)  # type: ignore[operator]
            except Exception:                              # it takes no such arguments
                continue
            asked += 1
            if any(np.shares_memory(a, b) for a in arrays(value) for b in arrays(GIVEN[given]) if a.size and b.size):
                shared.add(row.name)
    assert shared <= set(LEFT_OUT) and asked > 20
