"""What only values can tell: raised when the derivative is called."""
from __future__ import annotations

import numpy as np

from .case import REVERSE, Case

CASES = [
    Case("vector_output", """\
def f(x):
    return x * 2.0
""", """\
the function returned an array of shape (3,); a gradient needs a single number (a scalar): use vjp with a seed, or jacobian; or return its sum
""", modes=(REVERSE,), at=(np.array([1., 1., 1.]),)),
    Case("tuple_output", """\
def f(x):
    return x * 2.0, x
""", """\
the function returned a tuple; a gradient needs a single number (a scalar): use vjp with a seed of its structure
""", modes=(REVERSE,), at=(2.0,)),
    Case("integer_output", """\
def f(x):
    return int(x)
""", """\
the function returned an int, which is not differentiable: return a float or an array of floats
""", modes=(REVERSE,), at=(2.0,)),
    Case("integer_array", """\
def f(x):
    return np.sum(x * x)
""", """\
the argument is an array of int64, which has no derivative: pass x.astype(float)
""", modes=(REVERSE,), at=(np.array([1, 2]),)),
    Case("complex_number", """\
def f(x):
    return abs(x * x)
""", """\
the argument is complex: pass its real and imaginary part, z.real and z.imag
""", modes=(REVERSE,), at=((1+2j),)),
    Case("complex_array", """\
def f(x):
    return np.sum(np.abs(x))
""", """\
the argument is an array of complex128, which has no derivative: pass its real and imaginary part, z.real and z.imag
""", modes=(REVERSE,), at=(np.array([1.+2.j]),)),
]
