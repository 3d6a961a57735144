"""Which variable holds the cotangent of which: by the rules that made it, whatever it is called after the passes."""
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook.cotangents import recorded

X = np.array([0.3, 0.7, 1.1])


def log_sum_exp(x):
    return np.log(np.sum(np.exp(x + 1.0)))


def two_layers(x):
    h = np.tanh(x * 2.0 + 1.0)
    return np.sum(np.tanh(h * 3.0 + x) * x)


def takes_names(x):
    bsin = x * 2.0
    product = np.sin(bsin) * np.sin(x * x)
    return np.sum(product * bsin + np.sin(product))


def layer(z):
    scaled = z * 2.0
    return np.tanh(scaled * scaled)


def calls(x):
    for _ in range(2):
        x = x * 0.9
    return np.sum(layer(x) * x)


def repeated(z, n):
    for _ in range(n):
        scaled = z * 2.0
        z = np.tanh(scaled * scaled)
    return z


def calls_both(x):
    return np.sum(repeated(x, 2) * repeated(x * 0.5, 3))


def in_loop(x):
    for _ in range(3):
        x = x - 0.1 * np.sin(x * x + 1.0) * np.cos(x + 2.0)
    return np.sum(x * x)


def cotangents(f: Any, **keywords: Any) -> dict[str, list[Any]]:
    """All that the cotangent of each variable that has one is assigned, by the names of the normal form."""
    df = tnb.grad(f, like=(X,), **keywords)
    derivation = df.__tangent_nb__
    record = recorded(df, lambda: df(X.copy()))
    owners = derivation.partners[df.__name__].owners({one.name for one in record.assigned})
    found: dict[str, list[Any]] = {}
    for one in record.assigned:
        if one.name in owners:
            found.setdefault(owners[one.name], []).append(one.value)
    return found


@pytest.mark.parametrize("passes", [True, "+reuse", ("renumber",), ("copy_propagation", "renumber")])
@pytest.mark.parametrize("f", [log_sum_exp, two_layers, takes_names, in_loop, calls, calls_both])
def test_what_a_variable_is_the_cotangent_of_has_that_cotangent(f: Any, passes: Any) -> None:
    """A text after passes computes of each what the text without any does."""
    raw, ours = cotangents(f, optimized=False), cotangents(f, optimized=passes)
    assert set(ours) <= set(raw)
    for name, values in ours.items():
        assert any(np.allclose(np.sum(values[-1]), np.sum(one)) for one in raw[name]), name


def test_a_name_that_was_numbered_anew() -> None:
    """`btotal` is the cotangent of the second sum, since that of the first has no line any more."""
    df = tnb.grad(two_layers, like=(X,))
    partners = df.__tangent_nb__.partners[df.__name__]
    assert "btotal_1" not in tnb.source(df)
    assert partners.owners({"btotal"}) == {"btotal": "total_1"} and partners.owners({"btotal"}, renamed=False) == {
        "btotal": "total"}
    assert partners.pairs({"total", "btotal"}) == {}


def test_both_halves_of_split_motion_of_what_is_called() -> None:
    derivation = tnb.grad(calls_both).__tangent_nb__
    halves = [derivation.partners[one] for one in derivation.emitted.functions if "repeated" in one]
    assert len(halves) == 2 and halves[0] is halves[1] and halves[0].made["scaled"] == "bscaled"


def test_they_travel_with_the_text() -> None:
    derivation = tnb.grad(two_layers).__tangent_nb__
    again = pickle.loads(pickle.dumps(derivation))
    assert again.partners == derivation.partners and again.cotangents == derivation.cotangents
