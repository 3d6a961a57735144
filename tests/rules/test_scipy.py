"""SciPy's rows at their edges: shorter texts, tails, the edges of supports, what is read of a matrix,
and what is refused when called."""
import math
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles
from test_rows import DERIVED, cases, evaluate, holding, slope

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError

linalg, signal, special, stats = (pytest.importorskip(f"scipy.{name}")
                                  for name in ("linalg", "signal", "special", "stats"))
PLACED = [rule for rule in DERIVED if rule.name.startswith("scipy.stats.") and "scale" in rule.signature.parameters]
A = np.array


@pytest.mark.parametrize("rule", PLACED, ids=lambda rule: rule.name)
def test_texts_without_loc_or_scale_are_right(rule):
    for loc, scale in [(0, 1), (0.1, 1), (0, 1.25)]:
        args = {**list(cases(rule))[2], "loc": loc, "scale": scale}
        y = rule.fn(*args.values())
        for name, choices in rule.pull.items():
            found = [evaluate(text, rule, args, y, 0.7) for text in holding(choices, rule, args, y)]
            assert len(found) >= 2 or name in ("loc", "scale")
            for one in found:
                np.testing.assert_allclose(one, found[-1], rtol=1e-13,
                                           err_msg=f"{rule.name} in {name} at {loc}, {scale}")


@pytest.mark.parametrize("got, wanted", [
    (lambda: slope(tnb.rules.lookup(special.log_ndtr), "x", -1e8), 1e8),
    (lambda: derivative(lambda x: stats.norm.logcdf(x), -1e8), 1e8),
    (lambda: derivative(lambda x: stats.norm.logcdf(x), -40.0), 40.024968847207),     # 40 + 1 / 40 - 2 / 40**3 + ...
    (lambda: derivative(lambda x: stats.norm.logsf(x), 1e8), -1e8),
    (lambda: derivative(lambda x: stats.norm.logcdf(x), 50.0), 0.0),
    (lambda: derivative(lambda x: stats.norm.logpdf(x), -40.0), 40.0),
    (lambda: derivative(lambda x: stats.norm.pdf(x), 1e3), 0.0),
    (lambda: derivative(lambda x: stats.expon.logsf(x), 1e4), -1.0),
    (lambda: derivative(lambda x: stats.lognorm.logcdf(x, 0.5), 1e-9), 82941262271.27658),
    (lambda: derivative(lambda x: stats.t.logpdf(x, 3.0), 1e100), -4e-100),
    # special functions where their texts have 0 / 0, and far out
    (lambda: derivative(lambda x: special.sici(x)[0], 0.0), 1.0),
    (lambda: derivative(lambda x: special.sici(x)[0], 1e8), math.sin(1e8) / 1e8),
    (lambda: derivative(lambda x: special.shichi(x)[0], 0.0), 1.0),
    (lambda: derivative(lambda x: special.exprel(x), 0.0), 0.5),
    (lambda: derivative(lambda x: special.exprel(x), -1e8), 1e-16),
    (lambda: derivative(lambda lmbda: special.boxcox(math.e, lmbda), 0.0), 0.5),
    (lambda: derivative(lambda x: np.imag(special.wofz(x)), 1e8), -1e-16 / math.sqrt(math.pi)),
    (lambda: derivative(lambda x: special.spherical_jn(1, x), 0.0), 1.0 / 3.0),
    (lambda: derivative(lambda x: special.eval_legendre(2, x), 1.0), 3.0),
    (lambda: derivative(lambda x: special.eval_legendre(0, x), 0.5), 0.0),
    (lambda: derivative(tnb.grad(lambda x: special.eval_legendre(0, x)), 0.5), 0.0),
    (lambda: derivative(tnb.grad(lambda x: special.eval_chebyt(1, x)), 0.5), 0.0),
    (lambda: derivative(lambda x: special.eval_hermite(0, x), 0.5), 0.0),
    (lambda: derivative(lambda x: np.real(special.lambertw(x)), 0.0), 1.0),
    (lambda: derivative(lambda m: special.ellipkinc(0.5 * math.pi, m), 0.0), math.pi / 8.0),
    (lambda: derivative(lambda m: special.ellipeinc(0.5 * math.pi, m), 0.0), -math.pi / 8.0),
    (lambda: derivative(lambda m: special.ellipkinc(-7.0, m), 0.3), -2.402366103703197),
    (lambda: derivative(lambda x: special.zeta(x), 0.0), -0.5 * math.log(2.0 * math.pi)),
    (lambda: derivative(lambda x: special.zeta(x), 2.0), -0.9375482543158438),
    # outside of the support, and on its edge
    (lambda: derivative(lambda x: stats.gamma.pdf(x, 2.5), -1.0), 0.0),
    (lambda: derivative(lambda x: stats.gamma.logpdf(x, 2.5), -1.0), 0.0),
    (lambda: derivative(lambda x: stats.gamma.logcdf(x, 2.5), -1.0), 0.0),
    (lambda: derivative(lambda x: stats.gamma.pdf(x, 1.0), 0.0), -1.0),
    (lambda: derivative(lambda a: stats.gamma.pdf(-1.0, a), 2.5), 0.0),
    (lambda: derivative(lambda a: stats.gamma.logpdf(-1.0, a), 2.5), 0.0),
    (lambda: derivative(lambda x: stats.beta.pdf(x, 1.0, 3.0), 0.0), -6.0),
    (lambda: derivative(lambda x: stats.beta.logpdf(x, 2.0, 3.0), 2.0), 0.0),
    (lambda: derivative(lambda b: stats.beta.pdf(2.0, 2.0, b), 3.0), 0.0),
    (lambda: derivative(lambda x: stats.expon.pdf(x), 0.0), -1.0),
    (lambda: derivative(lambda x: stats.expon.cdf(x), -1e4), 0.0),
    (lambda: derivative(lambda s: stats.uniform.pdf(1.0, 0.0, s), 2.0), -0.25),
    (lambda: derivative(lambda s: stats.uniform.logpdf(1.0, 0.0, s), 0.5), 0.0),
    (lambda: derivative(lambda x: stats.lognorm.pdf(x, 0.5), 0.0), 0.0),
    (lambda: derivative(lambda s: stats.lognorm.cdf(-1.0, s), 0.5), 0.0),
    # integers
    (lambda: derivative(lambda m: stats.poisson.pmf(1, m), 0.0), 1.0),
    (lambda: derivative(lambda m: stats.poisson.pmf(0.5, m), 2.0), 0.0),
    (lambda: derivative(lambda m: stats.poisson.logpmf(0, m), 0.0), -1.0),
    (lambda: derivative(lambda m: stats.poisson.logpmf(-1, m), 2.0), 0.0),
    (lambda: derivative(lambda m: stats.poisson.cdf(1.5, m), 2.0), -2.0 * math.exp(-2.0)),
    (lambda: derivative(lambda p: stats.binom.pmf(1, 2, p), 0.0), 2.0),
    (lambda: derivative(lambda p: stats.binom.pmf(0, 0, p), 0.5), 0.0),
    (lambda: derivative(lambda p: stats.binom.logpmf(0, 3, p), 0.0), -3.0),
])
def test_tails_and_edges(got, wanted):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(got(), wanted, rtol=1e-11, atol=1e-250)


def derivative(f, x):
    return tnb.grad(f)(x)


def test_one_triangle_is_read_and_has_the_derivative():
    a = A([[4.0, 1.0], [7.0, 3.0]])
    upper = tnb.grad(lambda a: np.sum(linalg.cholesky(a)))(a)
    assert upper[1, 0] == 0.0 and upper[0, 1] != 0.0
    np.testing.assert_allclose(tnb.grad(lambda a: np.sum(linalg.cholesky(a, lower=True)))(a.T), upper.T)
    back = tnb.grad(lambda a: np.sum(linalg.solve(a, np.ones(2), assume_a="pos")))(a)
    assert back[1, 0] == 0.0 and back[0, 1] != 0.0


@pytest.mark.parametrize("f, x, text", [
    (lambda x: np.sum(linalg.solve(x, np.ones(2), assume_a="tridiagonal")), np.eye(2), "assumed to be tridiagonal"),
    (lambda x: np.sum(linalg.toeplitz(x)), np.ones((2, 3)), r"of shape \(2, 3\) is not differentiated"),
    (lambda x: np.sum(linalg.block_diag(x, x)), np.ones((2, 3, 3)), "stacks of matrices"),
    (lambda x: np.sum(stats.multivariate_normal.logpdf(x, np.zeros(2), 2.0)), np.ones(2), r"cov of shape \(\)"),
    (lambda x: np.sum(np.real(linalg.sqrtm(x))), -np.eye(2), "complex numbers")])
def test_what_is_refused_when_called(f, x, text):
    with pytest.raises(ArgumentError, match=text):
        tnb.grad(f)(x)


def test_distances_where_points_coincide_and_at_ties():
    distance = pytest.importorskip("scipy.spatial.distance")
    x = A([[1.0, 2.0], [1.0, 2.0], [0.0, 0.5]])
    for metric in ("euclidean", "sqeuclidean", "cityblock", "minkowski", "chebyshev"):
        both = tnb.grad(lambda x: np.sum(distance.pdist(x, metric)))(x)
        np.testing.assert_allclose(both, tnb.grad(lambda x: 0.5 * np.sum(distance.cdist(x, x, metric)))(x))
        np.testing.assert_allclose(both[0], both[1])
    assert np.array_equal(tnb.grad(lambda u: distance.euclidean(u, np.ones(2)))(np.ones(2)), [0.0, 0.0])
    assert np.array_equal(tnb.grad(lambda u: distance.chebyshev(u, np.zeros(2)))(np.ones(2)), [0.5, 0.5])
    assert tnb.grad(lambda x: np.sum(distance.cdist(x, x)))(np.zeros((0, 2))).shape == (0, 2)
    assert tnb.grad(lambda x: np.sum(distance.squareform(x)))(np.zeros(0)).shape == (0,)
    assert np.array_equal(tnb.grad(lambda x: np.sum(distance.squareform(x, checks=False)))(np.ones((2, 2))),
                          [[0.0, 1.0], [0.0, 0.0]])


def test_the_function_that_optimisers_are_tried_on():
    optimize = pytest.importorskip("scipy.optimize")
    x = A([1.3, 0.7, 0.8, 1.9])

    def f(x):
        return optimize.rosen(x)

    def df(x):
        return np.sum(optimize.rosen_der(x) * x)
    np.testing.assert_allclose(tnb.grad(f)(x), optimize.rosen_der(x))
    np.testing.assert_allclose(tnb.hessian(f)(x), optimize.rosen_hess(x))
    np.testing.assert_allclose(tnb.grad(df)(x), optimize.rosen_der(x) + optimize.rosen_hess_prod(x, x))
    np.testing.assert_allclose(tnb.jvp(df)(x, x), tnb.grad(df)(x) @ x)
    with pytest.raises(tnb.errors.RefusedError, match="no derivative by its argument x"):
        tnb.grad(lambda x: np.sum(optimize.rosen_hess_prod(x, np.ones(4))))


@pytest.mark.parametrize("name", ["continuous", "discrete"])
def test_riccati_equations(name):
    rng = np.random.default_rng(0)
    args, wrt = (rng.normal(size=(3, 3)) / 2.0, rng.normal(size=(3, 2)), np.eye(3), 1.5 * np.eye(2)), tuple("abqr")
    known = {"np": np, "linalg": linalg, "weights": rng.normal(size=(3, 3)), "__name__": "f"}
    call = f"linalg.solve_{name}_are(a, b, q, r)"
    f = oracles.sourced(f"def f(a, b, q, r):\n    return np.sum(np.sin({call}) * weights)\n", known, f"<{call}>")["f"]
    along = tuple(rng.normal(size=one.shape) for one in args)
    along = (*along[:2], *(one + one.T for one in along[2:]))
    oracle, h = tnb.grad(f, wrt=wrt), 1e-5

    def at(t):
        return [one + t * v for one, v in zip(args, along)]
    slope = (f(*at(h)) - f(*at(-h))) / (2 * h)
    found = sum(np.sum(one * v) for one, v in zip(oracle(*args), along))
    np.testing.assert_allclose(found, slope, rtol=1e-7)
    np.testing.assert_allclose(tnb.jvp(f, wrt=wrt)(*args, *along), slope, rtol=1e-7)
    bent = [(one - two) / (2 * h) for one, two in zip(oracle(*at(h)), oracle(*at(-h)))]
    for one, two in zip(tnb.jvp(oracle, wrt=wrt)(*args, *along), bent):
        np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)
    assert [one.dtype for one in oracle(*[one.astype(np.float32) for one in args])] == [np.float32] * 4


def test_empty_arrays_and_lists():
    assert tnb.grad(lambda x: np.sum(stats.gamma.logpdf(x, 2.0)))(np.zeros(0)).shape == (0,)
    assert tnb.grad(lambda x: np.sum(signal.lfilter([1.0, 2.0], [1.0, 0.5], x)))(np.ones(3)).shape == (3,)
    assert tnb.grad(lambda p: np.sum(stats.bernoulli.logpmf([0, 1, 2], p)[:2]))(0.25) == pytest.approx(4.0 - 4.0 / 3.0)
    assert tnb.grad(lambda p: stats.bernoulli.pmf([0, 1, 2], p)[0])(0.25) == -1.0


@pytest.mark.parametrize("call", [
    "linalg.cho_solve((linalg.cholesky(A, lower=True), True), b)", "linalg.cho_solve((linalg.cholesky(A), False), b)",
    "linalg.cho_solve(linalg.cho_factor(A), b)", "linalg.cho_solve(linalg.cho_factor(A, lower=True), b)",
    "linalg.lu_solve(linalg.lu_factor(A), b)",
    "factors = linalg.cho_factor(A); linalg.cho_solve(factors, b)",
    "c, lower = linalg.cho_factor(A, True); linalg.cho_solve((c, lower), b)",
    "c, _ = linalg.cho_factor(A, lower=True); (c ** 2 + c[0]) @ b"])
@pytest.mark.parametrize("b", [np.array([0.5, -1.0, 2.0]), np.array([[0.5, 1.0], [-1.0, 0.3], [2.0, 0.7]])],
                         ids=["vector", "matrix"])
def test_solving_by_factors(call, b):
    *before, last = call.split("; ")
    text = "".join(f"    {one}\n" for one in [*before, f"return np.sum(np.sin({last}))"])
    f = oracles.sourced(f"def f(A, b):\n{text}",
                        {"np": np, "linalg": linalg, "__name__": "f"}, f"<{call}>")["f"]
    root = np.array([[2.0, 0.3, 0.1], [0.4, 1.5, -0.6], [0.2, 0.7, 1.8]])
    matrix, h = root @ root.T, 1e-6
    along = root + root.T                                  # of a symmetric matrix any triangle may be read
    dA, db = tnb.grad(f, wrt=("A", "b"))(matrix, b)
    np.testing.assert_allclose(np.sum(dA * along),
                               (f(matrix + h * along, b) - f(matrix - h * along, b)) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(np.sum(db * b), (f(matrix, b + h * b) - f(matrix, b - h * b)) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(tnb.jvp(f)(matrix, b, along), np.sum(dA * along), rtol=1e-10)


@pytest.mark.parametrize(("imports", "call", "text"), [
    ("import scipy.special as sc", "sc.gammaln(x)", "sc.digamma(x)"),
    ("from scipy.special import gammaln", "gammaln(x)", "special.digamma(x)"),
    ("import scipy.linalg as sla", "sla.solve_triangular(x, x, lower=True)", " sla.solve_triangular(x, "),
    ("import scipy", "scipy.linalg.solve_triangular(x, x, lower=True)", " scipy.linalg.solve_triangular(x, "),
])
def test_libraries_are_called_as_the_user_calls_them(imports, call, text):
    names = {"np": np, "__name__": "names"}
    exec(imports, names)
    f = oracles.sourced(f"def f(x):\n    return np.sum(np.sin({call}))\n", names, f"<{imports}; {call}>")["f"]
    derivative = tnb.grad(f)
    body = tnb.source(derivative).partition("# backward")[2] or tnb.source(derivative)
    assert text in body
    derivative(np.array([[1.5, 0.2], [0.3, 2.0]]))
