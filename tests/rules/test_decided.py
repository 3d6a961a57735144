"""Conditions in the texts of rows, of arguments that are written down: decided as Python does, or not at all."""
import gast
import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.differentiate.partials import _truth

CONDITIONS = ["None is None", "None is not None", "1.0 is None", "1.0 is not None", "'ortho' is not None", "2 == 2",
              "2 != 2", "2 == 3", "2 != 3", "'a' in ('a', 'b')", "'c' in ('a', 'b')", "'a' not in ('a', 'b')",
              "'c' not in ('a', 'b')", "None is not None and 2 == 2", "None is not None or 2 == 2", "True", "False"]
OPEN = ["n is None", "n is not None", "1 < 2", "2 >= 3", "1 < 2 < 3", "2 == 2 != 3", "n == 2",
        "None is not None or n == 2"]


@pytest.mark.parametrize("text", CONDITIONS)
def test_as_python_decides(text):
    assert _truth(gast.parse(text, mode="eval").body) is eval(text.replace(" is not None", " != None").replace(
        " is None", " == None"))


@pytest.mark.parametrize("text", OPEN)
def test_not_decided(text):
    assert _truth(gast.parse(text, mode="eval").body) is None


@pytest.mark.parametrize("norm", ["", ", norm=None", ", norm='ortho'", ", 3", ", 1"])
@pytest.mark.parametrize("module", ["fft", "fftpack"])
@pytest.mark.parametrize("name", ["dct", "idct"])
def test_a_cosine_transform_in_both_modes(name, module, norm):
    """Those of scipy.fftpack divide by nothing: the adjoint was that of scipy.fft, which does."""
    fn = getattr(pytest.importorskip(f"scipy.{module}"), name)
    x, v = np.array([0.3, 0.5, -0.2, 0.7]), np.array([1.0, 0.5, -0.4, 0.2])
    calls = {"": lambda x: np.sum(np.sin(fn(x))), ", norm=None": lambda x: np.sum(np.sin(fn(x, norm=None))),
             ", norm='ortho'": lambda x: np.sum(np.sin(fn(x, norm="ortho"))), ", 3": lambda x: np.sum(np.sin(fn(x, 3))),
             ", 1": lambda x: np.sum(np.sin(fn(x, 1)))}
    f = calls[norm]
    slope = (f(x + 1e-6 * v) - f(x - 1e-6 * v)) / 2e-6
    assert tnb.grad(f)(x) @ v == pytest.approx(slope, rel=1e-6)
    assert tnb.jvp(f)(x, v) == pytest.approx(slope, rel=1e-6)
