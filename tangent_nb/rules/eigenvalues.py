"""Eigenvalues and eigenvectors of matrices that need not be symmetric, where the eigenvalues are simple.

For `A V = V diag(w)` and `P = V^-1 dA V`: `dw = diag(P)`, and `dV = V (gaps * P)` up to a multiple of each column
(Giles 2008, section 3.1). That multiple follows from how LAPACK's geev scales the columns: to length 1, the largest
component of a complex one real.
"""
from __future__ import annotations

import numpy as np

from .. import runtime as rt
from . import infer
from .table import rule


def pull_of_vectors(vectors: str, bv: str, w: str) -> str:
    """The text of `gP @ V.mT`, for the cotangent `bv` of the eigenvectors."""
    return (f"(rt.gaps({w}, rt.unscaled({bv}, {vectors})) * ({vectors}.mT @ rt.unscaled({bv}, "
            f"{vectors}))) @ {vectors}.mT")


def push_of_vectors(vectors: str, w: str) -> str:
    return f"rt.scaled({vectors} @ (rt.gaps({w}, {moved(vectors)}) * {moved(vectors)}), {vectors})"


def moved(vectors: str) -> str:
    """The text of `P`."""
    return f"np.linalg.solve({vectors}, g @ {vectors})"


def matrix(vectors: str, inner: str) -> str:
    return f"rt.cast(np.linalg.solve({vectors}.mT, {inner}), x)"


V, FOUND = "rt.simple_vectors(x, y)", "rt.eigenvectors(x, y)"
rule(np.linalg.eig, "y = np.linalg.eig(x)", spec=infer.anything, breaks="jump",
     pull={"x": matrix(V, f"np.expand_dims(g[0], -1) * {V}.mT + {pull_of_vectors(V, 'g[1]', 'y[0]')}")},
     push={"x": f"rt.relist((np.linalg.diagonal({moved(V)}), {push_of_vectors(V, 'y[0]')}), y)"},
     note="of real matrices whose eigenvalues are simple")
rule(np.linalg.eigvals, "y = np.linalg.eigvals(x)", spec=infer.anything, breaks="jump",
     pull={"x": matrix(FOUND, f"np.expand_dims(g, -1) * {FOUND}.mT")},
     push={"x": f"np.linalg.diagonal({moved(FOUND)})"}, note="of real matrices whose eigenvalues are simple")

# --- what their derivatives call
rule(rt.simple_vectors, "v = rt.simple_vectors(x, e)", nondiff=["x"],
     pull={"e": "rt.relist((rt.zeros_like(e[0]), g), e)"}, push={"e": "g[1]"}, spec=infer.anything)
rule(rt.eigenvectors, "y = rt.eigenvectors(x, w)", nondiff=["w"], spec=infer.anything,
     pull={"x": matrix("y", pull_of_vectors("y", "g", "w"))}, push={"x": push_of_vectors("y", "w")})
rule(rt.scaled, "y = rt.scaled(u, v)", spec=infer.anything,
     pull={"u": "rt.unscaled(g, v)", "v": "rt.scaled_dv(g, u, v)"},
     push={"u": "rt.scaled(g, v)", "v": "rt.scaled_along(g, u, v)"})
rule(rt.unscaled, "y = rt.unscaled(u, v)", spec=infer.anything,      # the two are each other's transpose in u
     pull={"u": "rt.scaled(g, v)", "v": "rt.scaled_dv(u, g, v)"},
     push={"u": "rt.unscaled(g, v)", "v": "rt.unscaled_along(g, u, v)"})
for name, transpose in (("scaled_dv", "rt.scaled_along(g, u, v)"), ("scaled_along", "rt.scaled_dv(g, u, v)"),
                        ("unscaled_along", "rt.scaled_dv(u, g, v)")):
    rule(getattr(rt, name), f"y = rt.{name}(w, u, v)", nondiff=["u", "v"], refused=["u", "v"], spec=infer.anything,
         pull={"w": transpose}, push={"w": f"rt.{name}(g, u, v)"}, note="eigenvectors are differentiated twice")
