"""Which assignments are judged, and by which of the true cotangents."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.cotangents import Assigned, Version
from tangent_nb.notebook.grade import Grader, by_line


def graded(assigned: str, *versions: float) -> str:
    """The marks for assignments like `3:1.0 4+2.0` (line 3 sets 1.0; line 4 adds, which makes 2.0)."""
    made = []
    for one in assigned.split():
        line, _, value = one.replace("+", ":+").partition(":")
        made.append(Assigned(int(line), "bx", float(value.strip("+")), "+" in value, False))
    known = [Version(value, [(1, value)] if value else []) for value in versions]
    return "".join({True: "y", False: "n", None: "-"}[one.right] for one in Grader().variable(made, known))


@pytest.mark.parametrize("assigned, versions, marks", [
    ("3:2.0", (2.0,), "y"), ("3:1.0", (2.0,), "n"),
    ("3:1.0 4+2.0", (2.0,), "-y"), ("3:1.0 4+3.0", (2.0,), "-n"),
    ("3:1.0 4:2.0", (2.0,), "-y"),
    ("3:0.0 5+1.0 5+2.0", (2.0,), "--y"), ("3:0.0 5+1.0 5+3.0", (2.0,), "--n"),               # a sum in a loop
    ("3:1.0 5+2.0 5+4.0", (1.0, 2.0, 4.0), "yyy"), ("3:1.0 5+3.0 5+5.0", (1.0, 2.0, 4.0), "ynn"),  # x = x + … in a loop
    ("3:1.0 5:1.5 6+2.0 5:3.5 6+4.0", (1.0, 2.0, 4.0), "y-y-y"),
    ("3:1.0 5:1.5 6+2.5 5:3.5 6+4.0", (1.0, 2.0, 4.0), "y-n-y"),
    ("3:1.0 4+2.0", (2.0, 7.0), "-y"),              # the second one has another name
    ("3:4.0", (1.0, 2.0, 4.0), "y"), ("3:5.0", (1.0, 2.0, 4.0), "-"), ("3:1.0 5:5.0", (1.0, 2.0, 4.0), "y-"),
    ("3:5.0", (2.0, 2.0, 2.0), "n"), ("3:2.0", (2.0, 2.0, 2.0), "y"), ("3:2.0 5:2.0 5:2.0", (2.0, 2.0, 2.0), "yyy"),
    ("3:2.0 4:0.0", (2.0, 0.0), "yy"), ("3:2.0", (2.0, 0.0), "y"), ("3:1.0", (2.0, 0.0), "n"), ("3:0.0", (0.0,), "y"),
])
def test_readings(assigned: str, versions: tuple[float, ...], marks: str) -> None:
    assert graded(assigned, *versions) == marks


def test_pieces_that_cannot_fit() -> None:
    whole = [Version(np.ones(3), [(1, np.ones(3))])]

    def first(value: Any) -> Any:
        return Grader().variable([Assigned(3, "bx", value, False, False), Assigned(4, "bx", np.zeros(3), True, False)],
                                 whole)[0]

    assert first(1.0).right is None and first(np.ones(1)).right is None and first("s").right is None
    assert first(np.ones(2)).right is False and first(np.ones((2, 3))).right is False


def test_one_verdict_for_a_line() -> None:
    known = [Version(value, [(1, value)]) for value in (1.0, 2.0, 3.0)]
    made = [Assigned(line, "bx", value, False, False) for line, value in ((5, 1.0), (5, 7.0), (5, 8.0))]
    [one] = by_line(Grader().variable(made, known))
    assert (one.right, one.found, one.expected) == (False, 7.0, 2.0)
