"""Sparse matrices of SciPy that are constants: products, equations, matrices that are made here, or held by an object;
and what stays refused."""
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import RefusedError, TangentError

sparse, linalg = (pytest.importorskip(f"scipy.{name}") for name in ("sparse", "sparse.linalg"))
D = np.array([[4.0, 1.0, 0.0], [0.5, 3.0, 0.3], [0.0, 0.2, 2.0]])


def _written(program):
    path = Path(tempfile.mkdtemp()) / "program.py"
    path.write_text(program)
    return path


class Model:
    def __init__(self):
        self.S = sparse.csr_matrix(D)

    def applied(self, x):
        return self.S @ x


KNOWN = {"np": np, "sparse": sparse, "linalg": linalg, "D": D, "S": sparse.csr_matrix(D), "A": sparse.csc_array(D),
         "TALL": sparse.coo_array(D[:, :2]), "MODEL": Model(), "HALF": 0.5, "__name__": "sparse_products"}
CALLS = [
    "S @ x", "x @ S", "S * x", "S.dot(x)", "S.T @ x", "A.T @ x + A @ x", "x @ (A @ x)", "TALL.T @ x", "x @ TALL",
    "S @ np.stack([x, x * x], axis=1)", "np.stack([x, x * x]) @ A", "S @ [x[0], x[1], 1.0]", "S.tocsc() @ x",
    "(2.0 * S) @ x", "(S + S.T) @ x", "(S @ A) @ x", "(HALF * S / 3) @ x", "S.transpose().copy() @ x",
    "sparse.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(3, 3)) @ x", "sparse.csr_matrix(D) @ x", "S @ (S @ x)",
    "sparse.kron(sparse.eye(1), S) @ x", "MODEL.S @ x", "MODEL.applied(x)", "linalg.spsolve(A, x)",
    "linalg.spsolve(S.tocsc(), np.stack([x, x * x], axis=1))", "linalg.expm_multiply(0.1 * S, x)",
]


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.sampled(6)
@pytest.mark.parametrize("call", CALLS)
def test_both_modes_and_second_order(call):
    f = sourced(f"def f(x):\n    return np.sum(np.sin({call}))\n", KNOWN, f"<{call}>")["f"]
    x, along, h = np.array([0.3, 0.7, 1.2]), np.array([0.4, -0.3, 0.5]), 1e-5
    slope = (f(x + h * along) - f(x - h * along)) / (2 * h)
    for optimized in (True, False):
        assert np.sum(tnb.grad(f, optimized=optimized)(x) * along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
        assert tnb.jvp(f, optimized=optimized)(x, along) == pytest.approx(slope, rel=1e-6, abs=1e-7)
    df = tnb.grad(f)
    bent = (df(x + h * along) - df(x - h * along)) / (2 * h)
    np.testing.assert_allclose(tnb.jvp(df)(x, along), bent, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(tnb.vjp(df)(x, along), bent, rtol=1e-5, atol=1e-6)


def test_the_text_is_what_one_writes():
    L = sparse.diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(3, 3))

    def f(x):
        y = L @ x
        return np.sum(y * y)
    assert "bx = rt.cast(L.T @ by, x)" in tnb.source(tnb.grad(f))
    assert "bx = L.T @ by" in tnb.source(tnb.grad(f, like=(np.ones(3),)))
    assert tnb.grad(f)(np.ones(3, np.float32)).dtype == np.float32


def test_a_matrix_that_is_made_in_turn():
    def f(x):
        M = sparse.eye(3)
        for k in range(3):
            M = sparse.diags([1.0 + k, 2.0, 0.5 * k])
            x = M @ x
        return np.sum(x * x)
    x, h = np.array([0.3, 0.7, 1.2]), 1e-6
    found = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(tnb.grad(f)(x), found, atol=1e-8)


@pytest.mark.parametrize("other", [sparse.csr_matrix(2.0 * D), 2.0 * D], ids=["sparse", "dense"])
def test_another_one_by_the_same_name_is_refused(other):
    f = sourced("def f(x):\n    return np.sum(S @ x)\n", dict(KNOWN), "<rebound sparse>")["f"]
    df = tnb.grad(f)
    df(np.ones(3))
    f.__globals__["S"] = other
    with pytest.raises(TangentError, match="S .* this derivative was made: derive again"):
        df(np.ones(3))


@pytest.mark.parametrize(("call", "text"), [
    ("(x[0] * S) @ x", "S is a csr_matrix, and meets what is differentiated"),
    ("S.multiply(x)", "multiply of a csr_matrix has no derivative rule"),
    ("sparse.csr_matrix((x, ([0, 1, 2], [0, 1, 2]))) @ D", "no derivative by its argument arg1"),
    ("S * x[0]", "a sparse matrix times a number"), ("S + x", "S is a csr_matrix"), ("A * x", "A is a csc_array"),
    ("linalg.spsolve(sparse.csc_array(D) * x[0], D[0])", "csc_array"),
])
def test_what_is_refused(call, text):
    f = sourced(f"def f(x):\n    return np.sum({call})\n", KNOWN, f"<refused {call}>")["f"]
    with pytest.raises((RefusedError, TangentError), match=text):
        tnb.grad(f)(np.ones(3))


def stepped(x, S):
    return x - 0.1 * (S @ x)


def stepped_often(x, S):
    for _ in range(S.shape[0]):
        x = stepped(x, S)
    return x


def made():
    return sparse.csr_matrix(D)


def by_one_made_by_a_helper(x):
    G = made()
    return G @ x - x @ G


GIVEN = ["S @ x", "x @ S", "x * (x @ (S @ x))", "S.T @ x", "stepped_often(x, S)", "S @ np.stack([x, x * x], axis=1)",
         "np.stack([x, x * x]) @ S", "S @ [x[0], x[1], 1.0]"]


@pytest.mark.parametrize("text", GIVEN)
@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array", "coo_array"])
def test_one_that_is_given_and_stands_in_products(text, kind):
    """What is dense gives the same."""
    given, x, along = getattr(sparse, kind)(D), np.array([0.3, 0.7, 1.2]), np.array([0.4, -0.3, 0.5])
    f = sourced(f"def f(x, S):\n    return np.sum(np.sin({text}))\n", {"np": np, "stepped_often": stepped_often},
                f"<given {text}>")["f"]
    for optimized in (True, False):
        np.testing.assert_allclose(tnb.grad(f, optimized=optimized)(x, given), tnb.grad(f)(x, D), rtol=1e-12)
        assert tnb.jvp(f, optimized=optimized)(x, given, dx=along) == pytest.approx(tnb.jvp(f)(x, D, dx=along))
    if "often" not in text:                                # second derivatives of calls are refused of sparse matrices
        df = tnb.grad(f)
        np.testing.assert_allclose(tnb.jvp(df)(x, given, dx=along), tnb.jvp(df)(x, D, dx=along), rtol=1e-10)
        np.testing.assert_allclose(tnb.vjp(df)(x, given, seed=along), tnb.jvp(df)(x, D, dx=along), rtol=1e-10)


def test_one_that_a_helper_makes():
    def f(x):
        return np.sum(np.sin(by_one_made_by_a_helper(x)))
    x, h = np.array([0.3, 0.7, 1.2]), 1e-6
    slopes = [(f(x + h * one) - f(x - h * one)) / (2 * h) for one in np.eye(3)]
    np.testing.assert_allclose(tnb.grad(f)(x), slopes, rtol=1e-7)


@pytest.mark.parametrize("f", [
    lambda x, S: np.sum(S * x), lambda x, S: np.sum(S @ x) + S.sum() * x[0], lambda x, S: np.sum(2.0 * S @ x),
    lambda x, S: np.sum(S @ S @ x), lambda x, S: np.sum(S.T * x)])
def test_one_that_is_given_and_stands_elsewhere_is_refused(f):
    with pytest.raises(TangentError, match=r"pass S.toarray\(\)"):
        tnb.grad(f)(np.ones(3), KNOWN["S"])


@pytest.mark.parametrize("text", ["G * (x * x)", "G.dot(x * x)", "G @ (x * x)"])
def test_the_text_does_not_depend_on_what_was_derived_before(text):
    """The rows of `scipy.sparse` are filled when something of it is met."""
    program = ("import numpy as np, sys\nfrom scipy import sparse\nimport tangent_nb as tnb\n"
               "H = sparse.eye(3)\nK = sparse.csr_matrix(np.eye(3))\n"
               "def made():\n    return K.copy()\n"
               f"def f(x):\n    G = made()\n    return np.sum({text})\n"
               "if len(sys.argv) > 1:\n    tnb.grad(lambda x: np.sum(H @ x))\n"
               "print(tnb.source(tnb.grad(f)), tnb.source(tnb.jvp(f)), tnb.grad(f)(np.arange(3.0)))\n")
    told = [subprocess.run([sys.executable, "-c", f"exec(compile(open({str(path)!r}).read(), {str(path)!r}, 'exec'))",
                            *more], capture_output=True, text=True, check=True).stdout
            for path in [_written(program)] for more in ([], ["first"])]
    assert told[0] == told[1]
    assert told[0].endswith("[0. 2. 4.]\n")
