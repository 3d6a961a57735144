"""The names that a derivative makes avoid those of every function of its text, in all modes, raw and optimized."""
from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

PROGRAMS = '''
# variables_of_the_function
def g(t):
    u = t * t
    return np.sin(u) * u
def f(x):
    _g_fwd = x * 2.0
    _g_bwd = x * 3.0
    g_residuals = 2.0
    for i in range(2):
        x = g(x) * _g_fwd + _g_bwd
    return x * g_residuals

# variables_of_a_function_that_it_calls
def g(t):
    u = t * t
    return np.sin(u) * u
def h(t):
    _g_fwd = _g_tan = t * 2.0
    _g_bwd = _h_fwd = t * 3.0
    for i in range(2):
        t = g(t) * _g_fwd + _g_tan
    return t * _g_bwd * _h_fwd
def f(x):
    return g(x) * h(x)

# a_function_with_the_name_of_a_tangent
def dt(t):
    return t * t * t
def g(t):
    return dt(t) * t
def f(x):
    return g(x) * x

# a_function_with_the_name_of_half_a_derivative
def g(t):
    u = t * t
    return np.sin(u) * u
def _g_fwd(t):
    return t + 1.0
def h(t):
    s = _g_fwd(t)
    return g(s) * g(t)
def f(x):
    return g(x) * h(x)

# a_function_with_the_name_of_the_derivative
def df_dx(x):
    return 100.0 * x
def g(x):
    return df_dx(x) * 0.01 * x
def f(x):
    return g(x) * x

# what_a_function_that_it_calls_reads_outside
_h_fwd = _h_bwd = dx_1 = f_value = 3.0
def g(t):
    return t * t * dx_1 + f_value
def h(t):
    return g(t) * _h_fwd * _h_bwd
def f(x):
    dx = f = x * 2.0
    return h(x) * dx * f
'''
EACH = [text.partition("\n")[::2] for text in re.split(r"^\n# ", PROGRAMS, flags=re.MULTILINE)[1:]]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("text", [text for _, text in EACH], ids=[name for name, _ in EACH])
def test_made_names_avoid_every_name_in_sight(text: str, optimized: bool) -> None:
    f = sourced(text)["f"]
    x, h = 0.7, 1e-6
    want = (f(x + h) - f(x - h)) / (2.0 * h)
    gradient = tnb.grad(f, optimized=optimized)
    np.testing.assert_allclose(gradient(x), want, rtol=1e-6)
    tangent = tnb.jvp(f, optimized=optimized)
    np.testing.assert_allclose(tangent(x, dx=1.0), want, rtol=1e-6)
    forward, backward = tnb.autodiff(f, motion="split", optimized=optimized)
    value, residuals = forward(x)
    np.testing.assert_allclose((value, backward(residuals, 1.0)), (f(x), want), rtol=1e-6)
    curvature = (gradient(x + h) - gradient(x - h)) / (2.0 * h)
    np.testing.assert_allclose(tnb.grad(gradient, optimized=optimized)(x), curvature, rtol=1e-6)
    np.testing.assert_allclose(tnb.vjp(tangent, wrt="x", optimized=optimized)(x, dx=1.0, seed=1.0),
                               curvature, rtol=1e-6)
