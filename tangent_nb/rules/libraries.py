"""What the libraries' names in rows and in generated text stand for.
SciPy's are imported where a text names them: it is optional."""
from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .. import runtime

IN_ROWS = ("np", "rt", "math", "special", "stats", "scipy")            # what the texts of rows may name
LATE: Mapping[str, str] = {"special": "scipy.special", "stats": "scipy.stats", "scipy": "scipy"}
ROWS_OF: Mapping[str, str] = {  # the rows of optional modules, filled once these are imported
    "scipy.special": "scipy_special_families", "scipy.fft": "scipy_fft", "scipy.fftpack": "scipy_fft",
    "scipy.linalg": "scipy_linalg", "scipy.signal": "scipy_signal",
    "scipy.interpolate": "scipy_interpolate", "scipy.ndimage": "scipy_ndimage", "scipy.sparse": "scipy_sparse",
    "scipy.sparse.linalg": "scipy_sparse", "scipy.spatial": "scipy_spatial", "scipy.spatial.distance": "scipy_spatial",
    "scipy.stats": "scipy_stats", "scipy.integrate": "scipy_solvers", "scipy.optimize": "scipy_solvers",
}


class Libraries(Mapping[str, Any]):
    """Modules and builtins by the names that generated text gives them.

    >>> LIBRARIES["math"].pi, "special" in LIBRARIES, float(LIBRARIES["special"].expit(0.0))
    (3.14159..., True, 0.5)
    """

    def __init__(self, known: Mapping[str, Any]) -> None:
        self.known = known

    def __getitem__(self, name: str) -> Any:
        return self.known[name] if name in self.known else importlib.import_module(LATE[name])

    def __contains__(self, name: object) -> bool:
        return name in self.known or name in LATE

    def __iter__(self) -> Iterator[str]:
        yield from self.known
        yield from LATE

    def __len__(self) -> int:
        return len(self.known) + len(LATE)

    def with_(self, **others: Any) -> Libraries:
        """The same with other modules under these names."""
        return Libraries({**self.known, **others})


LIBRARIES = Libraries({
    "np": np, "rt": runtime, "math": math, "functools": functools, **{one.__name__: one for one in (
        bool, dict, enumerate, float, isinstance, len, list, max, min, range, reversed, slice, sorted, sum, tuple,
        zip)}})
