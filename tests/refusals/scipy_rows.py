"""What rules for SciPy refuse: before, and when the derivative runs."""
from __future__ import annotations

import numpy as np

from .case import Case

CASES = [
    Case("frozen_distribution", """\
from scipy import stats
def f(x):
    return stats.norm(1.0, scale=2.0).pdf(x)
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return stats.norm(1.0, scale=2.0).pdf(x)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the method .pdf has no derivative rule
  instead: stats.norm.pdf(x, 1.0, scale=2.0)
""", """\
from scipy import stats
def f(x):
    return stats.norm.pdf(x, 1.0, scale=2.0)
"""),
    Case("method_of_a_frozen_distribution", """\
from scipy import stats
f = stats.norm(1.0, scale=2.0).pdf
""", """\
cannot differentiate pdf
  why: it is a method of a frozen distribution: the parameters of the distribution are hidden arguments.
  instead: write a function that names them: def f(x): return scipy.stats.norm.pdf(x, ...)
""", """\
import scipy.stats
def f(x): return scipy.stats.norm.pdf(x, loc=1.0, scale=2.0)
"""),
    Case("method_of_a_distribution_without_a_rule", """\
from scipy import stats
f = stats.norm.expect
""", """\
cannot differentiate expect
  why: it is a method of a distribution of SciPy's, and has no derivative rule.
  instead: write a def that uses functions of NumPy.
"""),
    Case("shape_of_a_distribution_function", """\
from scipy import stats
def f(x):
    return stats.gamma.cdf(2.0, x)
""", """\
cannot differentiate f
  cell 1, line 3, column 33
    return stats.gamma.cdf(2.0, x)
                                ^
  why: scipy.stats.gamma.cdf has no derivative by its argument a
  instead: tnb.stop_gradient(x), if it is meant as a constant
"""),
    Case("sparse_matrix_times_a_number", """\
from scipy.sparse import eye
S = eye(3)
def f(x):
    return np.sum(S * x)
""", """\
a sparse matrix times a number is sparse, and not differentiated: multiply the number with what the matrix is applied to
  cell 1, line 4, column 5
    return np.sum(S * x)
    ^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.sparse import eye
S = eye(3)
def f(x):
    return np.sum(S @ (x * np.ones(3)))
""", at=(2.0,)),
    Case("factors_of_another_mode", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.qr(x)[1])
""", """\
scipy.linalg.qr is differentiated where it gives both factors, of a matrix with no more columns than rows: \
pass mode='economic'
  cell 1, line 3, column 5
    return np.sum(scipy.linalg.qr(x)[1])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.qr(x, mode="economic")[1])
""", at=(np.array([[1.3], [0.5]]),), typed_at=(np.array([[1.3], [0.5]]),)),
    Case("polynomial_made_of_what_is_differentiated", """\
def f(x):
    p = np.poly1d([1.0, x])
    return p(2.0)
""", """\
cannot differentiate f
  cell 1, line 2, column 19
    p = np.poly1d([1.0, x])
                  ^^^^^^^^
  why: np.poly1d has no derivative by its argument c_or_r
  instead: np.polyval(c, x), and np.polymul and np.polyder of the coefficients
""", """\
def f(x):
    return np.polyval(np.array([1.0, x]), 2.0)
"""),
    Case("image_in_another_mode", """\
from scipy.ndimage import map_coordinates
def f(x):
    return map_coordinates(np.arange(5.0), [x], mode="wrap")[0]
""", """\
an interpolation with mode='wrap' is not differentiated: take 'constant', 'nearest', 'mirror', 'reflect' or 'grid-wrap'
  cell 1, line 3, column 5
    return map_coordinates(np.arange(5.0), [x], mode="wrap")[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.ndimage import map_coordinates
def f(x):
    return map_coordinates(np.arange(5.0), [x], mode="mirror")[0]
""", at=(np.array([1.3]),), typed_at=(np.array([1.3]),)),
    Case("filter_over_a_negative_number", """\
from scipy.ndimage import uniform_filter
def f(x):
    return np.sum(uniform_filter(x, size=-1))
""", """\
scipy.ndimage.uniform_filter over -1 elements is not differentiated: give it sizes that are not negative
  cell 1, line 3, column 5
    return np.sum(uniform_filter(x, size=-1))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.ndimage import uniform_filter
def f(x):
    return np.sum(uniform_filter(x, size=1))
""", modes=("reverse",), at=(np.ones(3),), typed_at=(np.ones(3),)),
    Case("another_metric", """\
from scipy.spatial.distance import cdist
def f(x):
    return np.sum(cdist(x, x, "canberra"))
""", """\
distances with metric='canberra' are not differentiated: take 'euclidean', 'sqeuclidean', 'cityblock', 'cosine', \
'minkowski' or 'chebyshev'
  cell 1, line 3, column 5
    return np.sum(cdist(x, x, "canberra"))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.spatial.distance import cdist
def f(x):
    return np.sum(cdist(x, x, "cityblock"))
""", at=(np.array([[1.3, 0.5], [0.2, 0.7]]),), typed_at=(np.array([[1.3, 0.5], [0.2, 0.7]]),)),
    Case("interpolator_of_values_that_are_not_finite", """\
from scipy.interpolate import interp1d

def f(x, y):
    return interp1d([0.0, 1.0, 2.0, 3.0], x * y)(0.5)
""", """\
the values of an interpolator are not all finite: leave out their nodes
  cell 1, line 4, column 5
    return interp1d([0.0, 1.0, 2.0, 3.0], x * y)(0.5)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.interpolate import interp1d

def f(x, y):
    return interp1d([0.0, 1.0, 2.0], x * y[:3])(0.5)
""", at=(2.0, np.array([1.0, 3.0, 2.0, np.nan])), typed_at=(2.0, np.array([1.0, 3.0, 2.0, np.nan]))),
    Case("interpolator_of_another_method", """\
from scipy.interpolate import RegularGridInterpolator
grid = RegularGridInterpolator([np.arange(5.0)], np.arange(5.0) ** 2)
def f(x):
    return grid(x, method="pchip")[0]
""", """\
a RegularGridInterpolator with method='pchip' is not differentiated: take 'linear', 'slinear', 'cubic' or 'quintic'
  cell 1, line 4, column 5
    return grid(x, method="pchip")[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.interpolate import RegularGridInterpolator
grid = RegularGridInterpolator([np.arange(5.0)], np.arange(5.0) ** 2)
def f(x):
    return grid(x, method="cubic")[0]
""", at=(np.array([1.3]),), typed_at=(np.array([1.3]),)),
    Case("interpolator_made_of_what_is_differentiated", """\
from scipy.interpolate import interp1d
def f(x):
    return interp1d(np.arange(4.0), x, axis=0)(1.5)
""", """\
cannot differentiate f
  cell 1, line 3, column 37
    return interp1d(np.arange(4.0), x, axis=0)(1.5)
                                    ^
  why: scipy.interpolate.interp1d has no derivative by its argument y
  instead: splines of unit vectors, made of constants, times the values: \
scipy.interpolate.interp1d(x, np.eye(n))(t) @ y
""", """\
from scipy.interpolate import interp1d
def f(x):
    return interp1d(np.arange(4.0), np.eye(4), axis=0)(1.5) @ x
""", at=(np.arange(4.0),), typed_at=(np.arange(4.0),)),
    Case("cho_factor", """\
import scipy.linalg
def f(x):
    return scipy.linalg.cho_factor(x * np.eye(2), overwrite_a=True)[0][0, 0]
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return scipy.linalg.cho_factor(x * np.eye(2), overwrite_a=True)[0][0, 0]
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: scipy.linalg.cho_factor is not differentiated: it leaves in a triangle what was there before
  instead: scipy.linalg.solve(a, b, assume_a='pos'), or scipy.linalg.cholesky
""", """\
import scipy.linalg
def f(x):
    return scipy.linalg.cholesky(x * np.eye(2))[0, 0]
"""),
    Case("solve_of_a_band", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.solve(x, np.ones(2), assume_a='banded'))
""", """\
scipy.linalg.solve of matrices assumed to be banded is not differentiated: leave assume_a out, or pass 'gen', \
'sym' or 'pos'
  cell 1, line 3, column 5
    return np.sum(scipy.linalg.solve(x, np.ones(2), assume_a='banded'))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.solve(x, np.ones(2)))
""", at=(np.eye(2),), typed_at=(np.eye(2),)),
    Case("conjugate_transpose", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.solve_triangular(np.eye(2), x, trans='C'))
""", """\
equations with the conjugate transpose are not differentiated: pass trans=1, which is the same for real matrices
  cell 1, line 3, column 5
    return np.sum(scipy.linalg.solve_triangular(np.eye(2), x, trans='C'))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.solve_triangular(np.eye(2), x, trans=1))
""", modes=("reverse",), at=(np.ones(2),), typed_at=(np.ones(2),)),
    Case("stack_of_triangles_and_a_vector", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.solve_triangular(np.ones((2, 2, 2)) * x, np.ones(2)))
""", """\
equations of a stack of matrices with one vector are not differentiated: pass b[:, np.newaxis], and take [..., 0]
  cell 1, line 3, column 5
    return np.sum(scipy.linalg.solve_triangular(np.ones((2, 2, 2)) * x, np.ones(2)))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.solve_triangular(np.ones((2, 2, 2)) * x, np.ones(2)[:, np.newaxis])[..., 0])
""", at=(2.0,)),
    Case("toeplitz_of_a_matrix", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.toeplitz(x))
""", """\
scipy.linalg.toeplitz of an array of shape (2, 3) is not differentiated: pass vectors, of shape (n,)
  cell 1, line 3, column 5
    return np.sum(scipy.linalg.toeplitz(x))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", modes=("reverse",), at=(np.ones((2, 3)),)),
    Case("block_diag_of_stacks", """\
import scipy.linalg
def f(x):
    return np.sum(scipy.linalg.block_diag(x, x))
""", """\
scipy.linalg.block_diag of stacks of matrices is not differentiated: pass matrices, and loop over the stack
  cell 1, line 3, column 5
    return np.sum(scipy.linalg.block_diag(x, x))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(np.ones((2, 3, 3)),)),
    Case("normal_of_one_variance", """\
from scipy import stats
def f(x):
    return stats.multivariate_normal.logpdf(x, np.zeros(2), 2.0)
""", """\
scipy.stats.multivariate_normal of x of shape (2,) and cov of shape () is not differentiated: \
pass x of shape (..., n) and cov of shape (n, n)
  cell 1, line 3, column 5
    return stats.multivariate_normal.logpdf(x, np.zeros(2), 2.0)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy import stats
def f(x):
    return stats.multivariate_normal.logpdf(x, np.zeros(2), 2.0 * np.eye(2))
""", at=(np.ones(2),), typed_at=(np.ones(2),)),
]
