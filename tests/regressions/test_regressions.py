"""Programs on which a derivative was once wrong, or a crash: each stays here, with what is expected of it."""
from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles
from oracles import Unsuitable, gap, inner

import tangent_nb as tnb
from tangent_nb.errors import TangentError

PROGRAMS = sorted(Path(__file__).resolve().parent.glob("*.txt"))


def read(path: Path) -> tuple[str, str, str]:
    """The text, the arguments, and the expectation."""
    text = path.read_text(encoding="utf-8")
    head = dict(re.findall(r"^# (args|expect|found): (.*)$", text, re.M))
    return text, head["args"], head["expect"]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_regression(path: Path) -> None:
    text, where, expect = read(path)
    f = oracles.sourced(text)["f"]

    def args() -> tuple:
        return eval(where, {"np": np})
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if expect.startswith("refused"):
            with pytest.raises(TangentError, match=expect[len("refused"):].strip()):
                tnb.grad(f)(*args())
            return
        wrt = tuple(i for i, a in enumerate(args()) if isinstance(a, (float, np.ndarray)))
        direction = tuple(oracles.like(args()[i], np.random.default_rng(i)) for i in wrt)
        value, gradient = tnb.value_and_grad(f, wrt=wrt)(*args())
        assert gap(value, f(*args())) == 0.0
        slope = inner(gradient, direction)[0]
        try:
            assert gap(gradient, oracles.complex_gradient(f, args(), wrt)) < 1e-9
        except Unsuitable:
            measured = oracles.directional(f, args(), wrt, direction)
            assert gap(slope, measured.value) < max(1e-7, 10 * measured.error)
        assert gap(tnb.grad(f, wrt=wrt, optimized=False)(*args()), gradient) < 1e-10
        assert gap(tnb.jvp(f, wrt=wrt)(*args(), *direction), slope) < 1e-10
        pull = tnb.pullback(f, *args(), wrt=wrt)[1]
        assert gap(pull(1.0), gradient) < 1e-10 and gap(pull(1.0), gradient) < 1e-10
