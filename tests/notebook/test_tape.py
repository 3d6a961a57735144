"""`%%grad --tape sampled:0.1`: a sampled tape in a cell, and what becomes of it when another choice is made."""
from __future__ import annotations

import pytest

from tangent_nb import Sampled
from tangent_nb.notebook.derive import derive
from tangent_nb.notebook.options import make, parse
from tangent_nb.notebook.tape import parse_tape


@pytest.mark.parametrize("text, tape", [
    ("sampled:0.1", Sampled(0.1)),
    ("sampled: 0.25 , share=none", Sampled(0.25, share="none")),
    ("sampled:k=30,method=rademacher,seed=0", Sampled(k=30, method="rademacher", seed=0)),
    ("sampled:fraction=1,relu_bits=False,axis=0", Sampled(1, relu_bits=False, axis=0)),
])
def test_as_it_is_written(text: str, tape: Sampled) -> None:
    assert parse_tape(text) == tape
    assert parse(f"--tape '{text}'")[0].tape == text


def test_there_is_none_by_default() -> None:
    assert parse_tape(None) is None and parse("")[0].tape is None


NAMESPACE = """
import numpy as np
def loss(w, x):
    return np.sum(np.maximum(x @ w, 0.0))
"""


def test_the_derivative_of_a_cell() -> None:
    import linecache

    name = "<cell of a sampled tape>"
    linecache.cache[name] = len(NAMESPACE), None, NAMESPACE.splitlines(True), name
    scope: dict[str, object] = {"__name__": "cell"}
    exec(compile(NAMESPACE, name, "exec"), scope)
    derived = derive(scope["loss"], make(tape="sampled:0.5"))
    assert "rt.sample(x, stream, fraction=0.5)" in derived.derivation.emitted.text
    assert "rt.sample(" not in derive(scope["loss"], make(mode="forward")).derivation.emitted.text
