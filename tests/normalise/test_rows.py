"""Loops over arrays that change, as loops over indices."""
from __future__ import annotations

import inspect
import textwrap

import gast
import pytest

from tangent_nb.analyse.resolve import Scope
from tangent_nb.capture import capture
from tangent_nb.normalise.rows import over_rows
from tangent_nb.syntax.names import Names
from tangent_nb.syntax.nodes import names_in, unparse, writes
from tangent_nb.syntax.spec import Spec


def rows(A):
    for row in A:
        row[0] = 1.0


def rows_after(A):
    for k in range(len(A)):
        row = A[k]
        row[0] = 1.0


def counted(A):
    for i, row in enumerate(A):
        row[i] = 1.0


def counted_after(A):
    for i in range(len(A)):
        row = A[i]
        row[i] = 1.0


def together(A, B):
    for a, b in zip(A, B[1:]):
        a[0] = b[0]


def together_after(A, B):
    items = B[1:]
    for k in range(min(len(A), len(items))):
        a = A[k]
        b = items[k]
        a[0] = b[0]


def display(A, B):
    for v, n in ((A, 1.0), (B, 2.0)):
        v += n


def display_after(A, B):
    v = A
    n = 1.0
    v += n
    v = B
    n = 2.0
    v += n


def only_read(A, B):
    for row in A:
        B[0] = row[0]


@pytest.mark.parametrize(("before", "after"), [
    (rows, rows_after), (counted, counted_after), (together, together_after), (display, display_after),
    (only_read, only_read)])
def test_rows(before, after):
    captured = capture(before)
    array = Spec("array", (2, 3), "f8")
    scope = Scope(captured.namespace, writes(captured.tree) | {"A", "B"})
    new = over_rows(captured.tree.body, Names(names_in(captured.tree)), scope, {"A": array, "B": array})
    text = unparse(gast.Module(new, [])).replace("%", "")
    wanted = textwrap.dedent("\n".join(inspect.getsource(after).splitlines()[1:]))
    assert text.split() == wanted.split()
