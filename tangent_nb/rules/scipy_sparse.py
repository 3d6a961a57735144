"""Sparse matrices of SciPy that are constants, times arrays, and systems of equations with them.

What is linear has its transpose for a derivative: M. Giles, "Collected matrix derivative results for forward and
reverse mode algorithmic differentiation" (2008), section 2.3.1.
"""
from __future__ import annotations

import inspect
from typing import Any

from scipy import sparse
from scipy.sparse import linalg

from .. import runtime as rt
from . import infer
from .table import linear, nondifferentiable, register_closed, register_operator, rule

fn: Any
BASE: Any = next(one for one in sparse.csr_matrix.__mro__ if one.__name__ == "_spbase")         # of all of them
OBJECT: dict[str, Any] = {"receiver": True, "nondiff": ["A"], "refused": ["A"]}
ARRAY: dict[str, Any] = {"spec": infer.arrays}

# ------------------------------------------------------------------ products


def precise(text: str, x: str = "x") -> dict[str, Any]:
    """A cotangent in the dtype of its variable."""
    return {x: [(lambda s: s[x].dtype == "f8", text), f"rt.cast({text}, {x})"]}


register_operator(BASE, "MatMult", rule(None, "y = sparse_matmul(A, x)", pull=precise("A.T @ g"), push={"x": "A @ g"},
                                        **OBJECT, **ARRAY))
register_operator(BASE, "MatMult", rule(None, "y = matmul_sparse(x, A)", pull=precise("g @ A.T"), push={"x": "g @ A"},
                                        **OBJECT, **ARRAY), left=False)
register_operator(sparse.spmatrix, "Mult", rule(
    None, "y = sparse_product(A, x)", pull=precise("A.T @ rt.of_vector(g, x)"), push={"x": "A @ rt.of_vector(g, x)"},
    **OBJECT, **ARRAY))
rule(BASE.dot, "y = scipy.sparse.csr_matrix.dot(A, other)", pull=precise("A.T @ rt.of_vector(g, other)", "other"),
     push={"other": "A @ rt.of_vector(g, other)"}, note="of any sparse matrix or array, as @ is", **OBJECT, **ARRAY)
linear(rt.of_vector, "y = rt.of_vector(v, x)", nondiff=["x"], pull={"v": "g"}, memory="alias", spec=infer.like("v"))
rule(linalg.spsolve, "y = scipy.sparse.linalg.spsolve(A, b, permc_spec=None, use_umfpack=True)",
     nondiff=["A", "permc_spec", "use_umfpack"], refused=["A"], pull={
         "b": "rt.cast(np.reshape(scipy.sparse.linalg.spsolve(A.T, g, permc_spec, use_umfpack), np.shape(b)), b)"},
     push={"b": "np.reshape(scipy.sparse.linalg.spsolve(A, g, permc_spec, use_umfpack), np.shape(y))"}, **ARRAY)
rule(linalg.expm_multiply, "y = scipy.sparse.linalg.expm_multiply(A, B)", nondiff=["A"], refused=["A"],
     pull={"B": "rt.cast(scipy.sparse.linalg.expm_multiply(A.T, g), B)"},
     push={"B": "scipy.sparse.linalg.expm_multiply(A, g)"}, **ARRAY)

register_closed(BASE, "Add Sub MatMult", "Mult Div")

# ------------------------------------------------------------------ matrices that are made, and made of others
MADE: dict[str, Any] = {"because": "a sparse matrix", "breaks": "", "memory": "alias"}
for fn in sorted({getattr(cls, name) for cls in vars(sparse).values() if isinstance(cls, type) and issubclass(cls, BASE)
                  for name in ("transpose", "tocsr", "tocsc", "tocoo", "copy")}, key=lambda fn: fn.__qualname__):
    nondifferentiable(fn, f"B = scipy.sparse.csr_matrix.{fn.__name__}(A)", receiver=True, makes="same", **MADE)
nondifferentiable(BASE.T, "B = scipy.sparse.csr_matrix.T(A)", receiver=True, makes="same", **MADE)


for name in sorted(vars(sparse)):
    if name.startswith(("issparse", "isspmatrix")):
        nondifferentiable(getattr(sparse, name), f"y = scipy.sparse.{name}(x)", because="a truth value", breaks="",
                          spec=infer.anything)


def maker(fn: Any, makes: Any) -> None:
    """A function, or a class, that makes a sparse matrix of constants."""
    names = [one.name for one in inspect.signature(fn).parameters.values()
             if one.kind in (one.POSITIONAL_OR_KEYWORD, one.POSITIONAL_ONLY)]
    written = ", ".join(name if i == 0 else f"{name}=None" for i, name in enumerate(names))
    others = [one.name for one in inspect.signature(fn).parameters.values() if one.kind is one.KEYWORD_ONLY]
    written += "".join([", *" * bool(others), *(f", {name}=None" for name in others)])
    nondifferentiable(fn, f"S = scipy.sparse.{fn.__name__}({written})", refused=[*names, *others], makes=makes,
                      passes=frozenset(names), **MADE,
                      remedies=dict.fromkeys(names, "an array, which is dense, made by np.diag, or by a store"))


for name in ("csr", "csc", "coo", "dia", "bsr", "lil", "dok"):
    for kind in ("matrix", "array"):
        maker(getattr(sparse, f"{name}_{kind}"), getattr(sparse, f"{name}_{kind}"))
for name in ("diags", "eye", "identity", "spdiags"):
    maker(getattr(sparse, name), sparse.dia_matrix)
for name in ("diags_array", "eye_array"):
    maker(getattr(sparse, name), sparse.dia_array)
for name in ("kron", "kronsum", "hstack", "vstack", "bmat", "block_diag", "tril", "triu"):
    maker(getattr(sparse, name), BASE)
