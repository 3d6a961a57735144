"""What may come in and go out of a derivative: found when it is called."""
from __future__ import annotations

import warnings

import numpy as np

import tangent_nb as tnb

from .case import REVERSE, Case


def quietly(f, x):
    """The gradient, where NumPy warns of what it will no longer take."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tnb.grad(f)(x)



CASES = [
    Case("integer_array_in_wrt", """\
def f(x):
    return np.sum(x * x)
""", """\
x is an array of int64, which has no derivative: pass x.astype(float)
  cell 1, line 1, column 7
    def f(x):
          ^
""", """\
def f(x):
    return np.sum(x * x)
""", at=(np.array([1, 2]),), typed_at=(np.array([1.0, 2.0]),)),
    Case("integer_number_in_wrt", """\
def f(x):
    return x * x
""", """\
x is a number of int64, which has no derivative: pass a float, float(x)
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=(np.int64(3),)),
    Case("second_integer_array_in_wrt", """\
def f(x, n):
    return x * np.sum(n)
""", """\
n is an array of int64, which has no derivative: pass n.astype(float)
  cell 1, line 1, column 10
    def f(x, n):
             ^
""", at=(2.0, np.array([1, 2])), wrt=(0, 1)),
    Case("bool_in_wrt", """\
def f(x):
    return x * 2.0
""", """\
x is a bool, which has no derivative: pass a float, float(x)
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=(True,)),
    Case("bool_array_in_wrt", """\
def f(x):
    return np.sum(x * 2.0)
""", """\
x is an array of bool, which has no derivative: pass x.astype(float)
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=(np.array([True, False]),)),
    Case("complex_in_wrt", """\
def f(x):
    return abs(x)
""", """\
x is complex: pass its real and imaginary part, x.real and x.imag
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=(1j,)),
    Case("complex_array_in_wrt", """\
def f(x):
    return np.sum(np.abs(x))
""", """\
x is an array of complex128, which has no derivative: pass its real and imaginary part, x.real and x.imag
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=(np.array([1j]),)),
    Case("matrix_in_wrt", """\
def f(x):
    return np.sum(x * 2.0)
""", """\
x is a MaskedArray, which does not compute like an array: pass np.asarray(x)
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=(np.ma.array([1.0, 2.0]),)),
    Case("text_in_wrt", """\
def f(x):
    return x * 2.0
""", """\
x is a str, not a number: pass a float or an array of floats
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=("2",)),
    Case("none_in_wrt", """\
def f(x):
    return x * 2.0
""", """\
x is None, not a number: pass a float or an array of floats
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=(None,)),
    Case("list_in_wrt", """\
def f(x):
    return np.sum(x * 2.0)
""", """\
x is a list, and is used as an array, or as a number: pass np.array(x, float), unpack it (a, b = x), \
or annotate the parameter as a container
  cell 1, line 1, column 7
    def f(x):
          ^
""", at=([1.0, 2.0],)),
    Case("array_returned", """\
def f(x):
    return x * 2.0
""", """\
the function returned an array of shape (3,); a gradient needs a single number (a scalar): use vjp with a seed, \
or jacobian; or return its sum
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(x * 2.0)
""", modes=(REVERSE,), at=(np.ones(3),), typed_at=(np.ones(3),)),
    Case("tuple_returned", """\
def f(x):
    return x * 2.0, x
""", """\
the function returned a tuple; a gradient needs a single number (a scalar): use vjp with a seed of its structure
  cell 1, line 2, column 5
    return x * 2.0, x
    ^^^^^^^^^^^^^^^^^
""", modes=(REVERSE,), at=(2.0,)),
    Case("int_returned", """\
def f(x):
    return int(x)
""", """\
the function returned an int, which is not differentiable: return a float or an array of floats
  cell 1, line 2, column 5
    return int(x)
    ^^^^^^^^^^^^^
""", """\
def f(x):
    return float(x)
""", at=(2.0,)),
    Case("integer_array_returned", """\
def f(x):
    return np.argmax(x)
""", """\
the function returned a number of int64, which is not differentiable: return a float or an array of floats
  cell 1, line 2, column 5
    return np.argmax(x)
    ^^^^^^^^^^^^^^^^^^^
""", modes=(REVERSE,), at=(np.ones(2),)),
    Case("bool_returned", """\
def f(x):
    return x > 0.0
""", """\
the function returned a bool, which is not differentiable: return a float or an array of floats
  cell 1, line 2, column 5
    return x > 0.0
    ^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("none_returned_on_a_path", """\
def f(x):
    nothing = None
    y = x
    if x > 1.0:
        y = nothing
    return y
""", """\
the function returned None, which is not differentiable: return a float or an array of floats
  cell 1, line 6, column 5
    return y
    ^^^^^^^^
""", """\
def f(x):
    nothing = 0.0
    y = x
    if x > 1.0:
        y = nothing
    return y
""", at=(2.0,)),
    Case("text_returned", """\
def f(x):
    return 'a' * int(x)
""", """\
the function returned a str, which is not differentiable: return a float or an array of floats
  cell 1, line 2, column 5
    return 'a' * int(x)
    ^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("none_returned_by_a_helper", """\
def h(x):
    return None
def f(x):
    return h(x)
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    return h(x)
    ^^^^^^^^^^^
  why: it returns None
  instead: return a number or an array
""", at=(2.0,)),
    Case("seed_of_another_shape", """\
def f(x):
    return x * 2.0
""", """\
the seed has shape (2,), the result has shape (3,): they must be the same
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f)(np.ones(3), np.ones(2))),
    Case("seed_of_text", """\
def f(x):
    return x * 2.0
""", """\
the seed is None, the result is an array of shape (3,): pass a seed of its shape
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f)(np.ones(3), None)),
    Case("seed_of_text_for_a_number", """\
def f(x):
    return x * 2.0
""", """\
the seed is a str, the result is a number: pass a seed of its shape
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f)(2.0, "1")),
    Case("seed_of_complex_numbers", """\
def f(x):
    return x * 2.0
""", """\
the seed is of complex128, the result of float64: pass a seed of floats
  cell 1, line 2, column 5
    return x * 2.0
    ^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f)(np.ones(3), np.ones(3) * 1j)),
    Case("seed_for_a_tuple", """\
def f(x):
    return x * 2.0, x
""", """\
the result is a tuple of 2: pass a seed for each, as a tuple
  cell 1, line 2, column 5
    return x * 2.0, x
    ^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f)(2.0, 1.0)),
    Case("seed_for_a_dict", """\
def f(x):
    return {"a": x * 2.0}
""", """\
the seed has not the keys of the result: pass a dict with ['a']
  cell 1, line 2, column 5
    return {"a": x * 2.0}
    ^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f)(2.0, {"b": 1.0})),
    Case("seed_for_an_object", """\
import types
def f(x):
    return types.SimpleNamespace(a=x * 2.0)
""", """\
the seed has not the parts of the result: pass a SimpleNamespace with ['a']
  cell 1, line 3, column 5
    return types.SimpleNamespace(a=x * 2.0)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", derive=lambda f: tnb.vjp(f)(2.0, {"b": 1.0})),
    Case("tangent_of_another_shape", """\
def f(x):
    return x * 2.0
""", """\
the tangent has shape (2,), the argument has shape (3,): they must be the same
  cell 1, line 1, column 7
    def f(x):
          ^
""", derive=lambda f: tnb.jvp(f)(np.ones(3), np.ones(2))),
    Case("tangent_of_a_dict", """\
def f(p):
    return p["a"] * 2.0
""", """\
the tangent has not the keys of the argument: pass a dict with ['a']
  cell 1, line 1, column 7
    def f(p):
          ^
""", derive=lambda f: tnb.jvp(f)({"a": 1.0}, {"b": 1.0})),
    Case("integers_stored_into", """\
def f(x, n):
    p = np.zeros_like(n)
    p[0] = x * 2.0
    return p[0] * x
""", """\
p is an array of int64, and a value with a derivative is stored in it: make it an array of floats
  cell 1, line 3, column 5
    p[0] = x * 2.0
    ^^^^^^^^^^^^^^
""", """\
def f(x):
    p = np.zeros(2)
    p[0] = x * 2.0
    return p[0] * x
""", at=(2.0, np.array([1, 2]))),
    Case("list_stored_into", """\
def f(x, b):
    b = b * 2
    b[0] = x * x
    return np.sum(b) * b[2]
""", """\
b is a list, and a value with a derivative is stored in it as in an array: make it an array, np.array(...)
  cell 1, line 3, column 5
    b[0] = x * x
    ^^^^^^^^^^^^
""", """\
def f(x, b):
    b = np.array(b * 2)
    b[0] = x * x
    return np.sum(b) * b[2]
""", modes=(REVERSE,), at=(2.0, [1.0, 2.0]), typed_at=(2.0, [1.0, 2.0])),
    Case("slice_of_a_list_stored_into", """\
def f(x, b):
    b = b + b
    b[0:2] = x, x * x
    return np.sum(b) * b[1]
""", """\
b is a list, and a value with a derivative is stored in it as in an array: make it an array, np.array(...)
  cell 1, line 3, column 5
    b[0:2] = x, x * x
    ^^^^^^^^^^^^^^^^^
""", """\
def f(x, b):
    b = np.array(b + b)
    b[0:2] = x, x * x
    return np.sum(b) * b[1]
""", at=(2.0, [1.0, 2.0]), typed_at=(2.0, [1.0, 2.0])),
    Case("array_of_objects_that_holds_an_array", """\
def f(x):
    held, y = np.full(2, None), np.ones(3)
    held[0] = y
    y[0] = 5.0
    return np.sum(held[0] * x)
""", """\
held is an array of objects, which holds what is stored in it, and no copy: make it a list, or an array of floats
  cell 1, line 3, column 5
    held[0] = y
    ^^^^^^^^^^^
""", """\
def f(x):
    held, y = [None, None], np.ones(3)
    held[0] = y.copy()
    y[0] = 5.0
    return np.sum(held[0] * x)
""", at=(np.ones(3),)),
    Case("place_in_an_array_without_dimensions", """\
def f(x):
    y = np.array(x)
    np.put(y, 0, x * x)
    return y * x
""", """\
np.put changes an array without dimensions: write a = ...
  cell 1, line 3, column 5
    np.put(y, 0, x * x)
    ^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    y = np.array(x)
    y = x * x
    return y * x
""", at=(2.0,), typed_at=(2.0,)),
    Case("swallowed_by_a_manager", """\
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return True
quiet = Quiet()
def f(x):
    y = x
    with quiet:
        y = y * x
        if y > 1.0:
            raise ValueError("large")
    return y
""", """\
a context manager (with) has swallowed an exception: what was done before it is not known; write try and except, \
or contextlib.suppress
  cell 1, line 9, column 5
    with quiet:
    ^^^^^^^^^^
""", """\
def f(x):
    y = x
    try:
        y = y * x
        if y > 1.0:
            raise ValueError("large")
    except ValueError:
        pass
    return y
""", at=(2.0,)),
    Case("errstate_that_raises", """\
def f(x):
    y = x * 1.0
    with np.errstate(all="raise"):
        try:
            y[0] += x[1] / x[0]
        except FloatingPointError:
            y[0] = 0.0
    return np.sum(y)
""", """\
np.errstate makes NumPy raise errors, and an array is changed in place inside of a try: write y = y + ..., \
or change it outside of the try
  cell 1, line 5, column 13
    y[0] += x[1] / x[0]
    ^^^^^^^^^^^^^^^^^^^
""", at=(np.ones(2),)),
    Case("helper_defined_anew", """\
def h(t):
    return t * 2.0
def f(x):
    return h(x) * x
""", """\
h has been defined anew since this derivative was made: derive again
  cell 1, line 3, column 1
    def f(x):
    ^^^^^^^^^
""", at=(2.0,), after="def h(t):\n    return t * 3.0\n"),
    Case("object_exchanged_for_another", """\
class Doubling:
    def act(self, x):
        return x * 2.0
class Tripling:
    def act(self, x):
        return x * 3.0
model = Doubling()
def f(x):
    return model.act(x) * x
""", """\
model.act is Tripling.act now, and was Doubling.act when this derivative was made: derive again
  cell 1, line 8, column 1
    def f(x):
    ^^^^^^^^^
""", at=(2.0,), after="model = Tripling()\n"),
    Case("cotangent_of_another_shape", """\
def f(x):
    y = x * 2.0
    with tnb.insert_grad_of(y) as by:
        by = np.sum(by)
    return np.sum(y * x)
""", """\
the cotangent under insert_grad_of has shape (), the variable has shape (2,): they must be the same
  cell 1, line 3, column 5
    with tnb.insert_grad_of(y) as by:
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", modes=(REVERSE,), at=(np.ones(2),)),
    Case("norm_of_complex_numbers", """\
def f(x):
    return np.var(np.array([x, x * 1j]))
""", """\
this function of complex numbers is not differentiated: use z.real, z.imag and np.abs(z)
  cell 1, line 2, column 5
    return np.var(np.array([x, x * 1j]))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("order_of_complex_numbers", """\
def f(x):
    return np.max(np.array([x * 1j, x])).real
""", """\
this function of complex numbers is not differentiated: use z.real, z.imag and np.abs(z)
  cell 1, line 2, column 5
    return np.max(np.array([x * 1j, x])).real
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("pad_in_another_mode", """\
def f(x, mode="empty"):
    return np.sum(np.pad(x, 1, mode=mode))
""", """\
np.pad with mode='empty' is not differentiated: use another mode, as 'constant', 'edge' or 'reflect', or np.concatenate
  cell 1, line 2, column 5
    return np.sum(np.pad(x, 1, mode=mode))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.pad(x, 1, mode="constant") * 2.0)
""", at=(np.ones(3),)),
    Case("vectors_of_a_repeated_eigenvalue", """\
def f(x):
    values, vectors = np.linalg.eigh(x)
    return np.sum(vectors * np.exp(values) @ vectors.T)
""", """\
the eigenvalue 1.0 is repeated, and its eigenvectors have no derivative: use np.linalg.eigvalsh, or trace, \
det and inv of the matrix
  cell 1, line 2, column 5
    values, vectors = np.linalg.eigh(x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.exp(np.linalg.eigvalsh(x)))
""", at=(np.eye(2),), typed_at=(np.eye(2) + np.diag([0.5, 0.0]),)),
    Case("repeated_eigenvalue", """\
def f(x):
    return np.sum(np.linalg.eigvals(x).real)
""", """\
the eigenvalue 1.0 is repeated, and has no derivative: use np.trace, np.linalg.det or matrix_power, \
or np.linalg.eigh of a symmetric matrix
  cell 1, line 2, column 5
    return np.sum(np.linalg.eigvals(x).real)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.trace(x)
""", at=(np.eye(2),), typed_at=(np.eye(2),)),
    Case("repeated_root", """\
def f(x):
    return np.sum(np.abs(np.roots(x)))
""", """\
the root -1.0 is repeated, and has no derivative: use np.polyval, or @tnb.adjoint
  cell 1, line 2, column 5
    return np.sum(np.abs(np.roots(x)))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.polyval(x, 2.0) ** 2
""", at=(np.array([1.0, 2.0, 1.0]),), typed_at=(np.array([1.0, 2.0, 1.0]),)),
    Case("root_at_infinity", """\
def f(x):
    return np.sum(np.abs(np.roots(x)))
""", """\
the leading coefficient of np.roots is 0, by which its roots have no derivative: leave it out
  cell 1, line 2, column 5
    return np.sum(np.abs(np.roots(x)))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.abs(np.roots(x[1:])))
""", at=(np.array([0.0, 1.0, 2.0]),), typed_at=(np.array([0.0, 1.0, 2.0]),)),
    Case("eigenvalues_of_a_complex_matrix", """\
def f(x):
    return np.sum(np.abs(np.linalg.eig(1j * x)[0]))
""", """\
this function of complex numbers is not differentiated: use z.real, z.imag and np.abs(z)
  cell 1, line 2, column 5
    return np.sum(np.abs(np.linalg.eig(1j * x)[0]))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(np.diag([1.0, 2.0]),)),
    Case("vectors_of_a_repeated_singular_value", """\
def f(x):
    return np.linalg.svd(x).U[0, 0] * 2.0
""", """\
the singular value 1.0 is repeated, and its singular vectors have no derivative: use np.linalg.svdvals, \
or a matrix of full rank
  cell 1, line 2, column 5
    return np.linalg.svd(x).U[0, 0] * 2.0
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.linalg.svdvals(x) ** 2)
""", at=(np.eye(2),), typed_at=(np.eye(2) + np.diag([0.5, 0.0]),)),
    Case("svd_of_more_vectors_than_values", """\
def f(x):
    return np.sum(np.linalg.svd(x).U ** 3)
""", """\
np.linalg.svd of matrices that are not square has singular vectors that nothing determines: pass full_matrices=False
  cell 1, line 2, column 5
    return np.sum(np.linalg.svd(x).U ** 3)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.linalg.svd(x, full_matrices=False).U ** 3)
""", at=(np.array([[1.0, 2.0], [0.5, -1.0], [0.3, 0.4]]),),
         typed_at=(np.array([[1.0, 2.0], [0.5, -1.0], [0.3, 0.4]]),)),
    Case("qr_of_a_wide_matrix", """\
def f(x):
    return np.sum(np.linalg.qr(x).R ** 2)
""", """\
np.linalg.qr is differentiated for matrices with no more columns than rows, in the mode 'reduced': \
take the first columns, np.linalg.qr(a[:, :len(a)])
  cell 1, line 2, column 5
    return np.sum(np.linalg.qr(x).R ** 2)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.linalg.qr(x[:, :len(x)]).R ** 2)
""", at=(np.array([[1.0, 2.0, 0.5], [-1.0, 0.3, 0.4]]),), typed_at=(np.array([[1.0, 2.0, 0.5], [-1.0, 0.3, 0.4]]),)),
    Case("qr_of_a_matrix_of_lower_rank", """\
def f(x):
    return np.sum(np.linalg.qr(x).R)
""", """\
np.linalg.qr of a matrix that is not of full rank has no derivative: use np.linalg.svdvals, or np.linalg.pinv
  cell 1, line 2, column 5
    return np.sum(np.linalg.qr(x).R)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.linalg.svdvals(x))
""", at=(np.zeros((2, 2)),), typed_at=(np.array([[1.0, 2.0], [0.5, -1.0]]),)),
    Case("svd_with_a_variable", """\
def f(x, wanted):
    return np.sum(np.linalg.svd(x, compute_uv=wanted) ** 3)
""", """\
np.linalg.svd is called with a compute_uv that is a variable: write np.linalg.svdvals(a), or compute_uv=False
  cell 1, line 2, column 5
    return np.sum(np.linalg.svd(x, compute_uv=wanted) ** 3)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x, wanted):
    return np.sum(np.linalg.svdvals(x) ** 3)
""", at=(np.array([[1.0, 2.0], [0.5, -1.0]]), False), typed_at=(np.array([[1.0, 2.0], [0.5, -1.0]]), False)),
    Case("cross_of_two_components", """\
def f(x):
    return np.sum(np.cross(x, np.array([1.0, 2.0])))
""", """\
np.cross of vectors of two components is not differentiated: give them a third one, 0.0
  cell 1, line 2, column 5
    return np.sum(np.cross(x, np.array([1.0, 2.0])))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.sum(np.cross(np.append(x, 0.0), np.array([1.0, 2.0, 0.0])))
""", derive=lambda f: quietly(f, np.array([3.0, 4.0])), typed_at=(np.array([3.0, 4.0]),)),
    Case("einsum_of_lists_with_a_constant", """\
def f(x):
    order = [0]
    return np.einsum(np.ones(3), order, x, order)
""", """\
np.einsum is differentiated with its subscripts as a string: np.einsum('ij,jk->ik', a, b)
  cell 1, line 3, column 5
    return np.einsum(np.ones(3), order, x, order)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x):
    return np.einsum("i,i->", np.ones(3), x * np.ones(3))
""", modes=(REVERSE,), at=(np.ones(3),)),
]
