"""Parts of arrays by calls, as indices and methods."""
from __future__ import annotations

import numpy as np
import pytest

from tangent_nb.analyse.resolve import Scope
from tangent_nb.capture import capture
from tangent_nb.normalise.parts import as_part
from tangent_nb.syntax.building import expr
from tangent_nb.syntax.nodes import unparse
from tangent_nb.syntax.spec import Spec


def known(A):
    return np.sum(A)


@pytest.mark.parametrize(("text", "part"), [
    ("np.transpose(A)", "A.T"), ("A.transpose()", "A.T"), ("A.transpose(1, 0)", "A.T"), ("np.ravel(A)", "A.ravel()"),
    ("np.reshape(A, (3, -1))", "A.reshape(3, -1)"), ("A.reshape(n)", "A.reshape(n)"), ("np.flipud(A)[0]", "A[::-1][0]"),
    ("np.flip(A)", "A[::-1, ::-1]"),
    ("np.fliplr(A)", "A[:, ::-1]"), ("np.flip(A, 1)", "A[:, ::-1]"), ("np.expand_dims(A, 1)", "A[:, None]"),
    ("np.moveaxis(A, 0, -1)", "A.transpose(1, 0)"),
    ("np.atleast_2d(A)", "A"), ("np.asarray(A)", "A"), ("np.diag(A)", "A.diagonal()"),
    ("A.swapaxes(0, 1)", "A.swapaxes(0, 1)"), ("A.reshape(3, 2, order='F')", None), ("A.flatten()", None),
    ("np.atleast_3d(A)", None), ("A[[0, 1]]", None), ("A.sum()", None), ("np.sin(A)", None), ("A.reshape(f(n))", None)])
def test_part(text, part):
    scope = Scope(capture(known).namespace, {"A", "n"})
    found = as_part(expr(text), {"A": Spec("array", (2, 3), "f8"), "n": Spec("int")}, scope)
    assert (None if found is None else unparse(found)) == part
