"""Draws of random numbers by what is differentiated, and where draws cannot be constants."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb

from .case import REVERSE, Case


def by_parameters(name: str, call: str, remedy: str, typed: str = "") -> Case:
    """A draw from a distribution that depends on x."""
    source = call.partition("(")[0]
    program = f"import random\nrng = np.random.default_rng(0)\n\ndef f(x):\n    return x * np.sum({call})\n"
    return Case(f"drawn_by_{name}", program, f"""\
cannot differentiate f
  cell 1, line 5, column 23
    return x * np.sum({call})
                      {"^" * len(call)}
  why: what {source} draws has no derivative by what it is drawn from
  instead: {remedy}
""", typed and f"def f(x):\n    rng = np.random.default_rng(0)\n    return x * np.sum({typed})\n")


CASES = [
    by_parameters("normal", "rng.normal(x, 1.0)", "loc + scale * rng.standard_normal(size)",
                  "x + 1.0 * rng.standard_normal(2)"),
    by_parameters("uniform", "rng.uniform(0.0, x)", "low + (high - low) * rng.random(size)",
                  "0.0 + (x - 0.0) * rng.random(2)"),
    by_parameters("exponential", "rng.exponential(x)", "scale * rng.standard_exponential(size)",
                  "x * rng.standard_exponential(2)"),
    by_parameters("lognormal", "rng.lognormal(x)", "np.exp(mean + sigma * rng.standard_normal(size))",
                  "np.exp(x + 0.5 * rng.standard_normal(2))"),
    by_parameters("multivariate_normal", "rng.multivariate_normal([x, x], np.eye(2))",
                  "mean + np.linalg.cholesky(cov) @ rng.standard_normal(len(mean))",
                  "np.array([x, x]) + np.linalg.cholesky(np.eye(2)) @ rng.standard_normal(2)"),
    by_parameters("laplace", "rng.laplace(x)", "loc + scale * rng.laplace(size=size)", "x + 1.0 * rng.laplace(size=2)"),
    by_parameters("gumbel", "rng.gumbel(x)", "loc + scale * rng.gumbel(size=size)", "x + 1.0 * rng.gumbel(size=2)"),
    by_parameters("gauss", "random.gauss(x, 1.0)", "mu + sigma * random.gauss(0.0, 1.0)"),
    by_parameters("uniform_of_python", "random.uniform(0.0, x)", "a + (b - a) * random.random()"),
    by_parameters("choice_of_python", "random.choice([x, 2.0])", "x[random.randrange(len(x))]"),
    by_parameters("shuffle_of_python", "random.shuffle([x, 2.0])",
                  "order = random.sample(range(len(x)), len(x)), and x[order]"),
    by_parameters("gamma", "rng.gamma(x)", "a distribution whose parameters are constants, "
                  "and arithmetic with what is drawn", "x * rng.gamma(2.0)"),
    by_parameters("permutation", "rng.permutation([x, 2.0])", "x[rng.permutation(len(x))]",
                  "np.array([x, 2.0])[rng.permutation(2)]"),
    by_parameters("choice", "rng.choice([x, 2.0])", "x[rng.choice(len(x), size)]",
                  "np.array([x, 2.0])[rng.choice(2, 1)]"),
    Case("shuffled", """\
def f(x):
    x = np.array([x, 2.0 * x])
    rng = np.random.default_rng(0)
    rng.shuffle(x)
    return x[0]
""", """\
cannot differentiate f
  cell 1, line 4, column 5
    rng.shuffle(x)
    ^^^^^^^^^^^^^^
  why: what rng.shuffle draws has no derivative by what it is drawn from
  instead: x = x[rng.permutation(len(x))]
""", """\
def f(x):
    x = np.array([x, 2.0 * x])
    rng = np.random.default_rng(0)
    x = x[rng.permutation(len(x))]
    return x[0]
"""),
    Case("draw_of_a_parameter_by_x", """\
def f(x, rng):
    return rng.normal(x)
""", """\
cannot differentiate normal
  cell 1, line 2, column 5
    return rng.normal(x)
    ^^^^^^^^^^^^^^^^^^^^
  why: what it draws has no derivative by what it is drawn from.
  instead: arithmetic with numbers that are drawn without it: x + rng.standard_normal()
""", """\
def f(x):
    rng = np.random.default_rng(0)
    return x + rng.standard_normal()
""", at=(2.0, np.random.default_rng(0)), modes=(REVERSE,)),
    Case("no_generator", """\
def f(x, rng):
    return x * rng.normal()
""", """\
rng is taken for a generator of random numbers, and is a dict: pass what it gives as an argument
  cell 1, line 1, column 10
    def f(x, rng):
             ^^^
""", at=(2.0, {}), modes=(REVERSE,)),
    Case("draws_of_compiled_code", """\
def f(x, rng):
    return x * rng.normal()
""", """\
cannot differentiate f
  cell 1, line 2, column 16
    return x * rng.normal()
               ^^^^^^^^^^
  why: compiled code would draw once, and keep the numbers
  instead: draw them outside, and pass them as an argument
""", """\
def f(x, noise=0.3):
    return x * noise
""", keywords={"backend": "jax", "compile": "jit"}),
    Case("matrix_of_other_draws_in_each_column", """\
def f(x):
    return x * np.random.default_rng().normal()
""", """\
the function draws other numbers in each call, so that the columns would be of different functions: \
give the generator a seed, np.random.default_rng(0), or pass one as an argument
""", """\
def f(x):
    return x * np.random.default_rng(0).normal()
""", derive=lambda f: tnb.jacobian(f)(np.array([1.0, 2.0])), modes=(REVERSE,)),
    Case("method_of_an_object_outside", """\
known = [1.0, 2.0]

def f(x):
    return known.index(x) * x
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return known.index(x) * x
           ^^^^^^^^^^^^^^
  why: the method .index of a list has no derivative rule
  instead: a function of NumPy, or one of your own, that computes the same
""", """\
known = np.array([1.0, 2.0])

def f(x):
    return np.argmin(np.abs(known - x)) * x
"""),
]
