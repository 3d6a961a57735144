"""The first line that goes wrong, found by one command."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.tracing.costs import costs


def network(x: Any, ws: Any, scale: Any) -> Any:
    h = x
    for i in range(12):
        z = h @ ws[i]
        h = np.tanh(z) * np.sqrt(scale[i])
    return np.sum(h * h)


def arguments() -> Any:
    draw = np.random.default_rng(1).normal
    return draw(size=(8, 16)), draw(size=(12, 16, 16)) / 4.0, np.ones(12)


def test_a_seeded_nan_in_a_network_of_12_layers_is_found_by_one_command() -> None:
    x, ws, scale = arguments()
    scale[7] = -1.0
    flaw = tnb.step(tnb.grad(network, "ws"), x, ws, scale).first_bad()
    assert flaw is not None and flaw.kind == "NaN" and flaw.moment.sweep == "forward"
    assert flaw.moment["i"] == 7
    assert "np.sqrt(scale[i])" in str(flaw) and "scale[i]  -1.0" in str(flaw)
    assert any("h = np.tanh(z) * np.sqrt(scale[i])" == user.text for user in flaw.moment.users)


def test_one_that_the_backward_sweep_makes() -> None:
    x, ws, scale = arguments()
    scale[4] = 0.0
    flaw = tnb.step(tnb.grad(network, "scale"), x, ws, scale).first_bad()
    assert flaw is not None and flaw.kind in ("NaN", "Inf") and flaw.moment.sweep == "backward"
    assert flaw.moment["i"] == 4 and "np.sqrt(scale[i])" in flaw.moment.users[0].text


def test_where_all_is_well() -> None:
    recording = tnb.step(tnb.grad(network, "ws"), *arguments())
    assert recording.flaws() == [] and recording.first_bad() is None
    assert recording.first_vanishing() is None and recording.first_exploding() is None


def test_what_is_infinite_on_purpose_is_handed_on() -> None:
    mask = np.array([0.0, -np.inf])
    assert tnb.step(tnb.grad(masked), np.ones(2), mask).first_bad() is None


def masked(x: Any, mask: Any) -> Any:
    best = -np.inf
    z = x + mask
    best = np.maximum(best, np.max(z))
    e = np.exp(z - best)
    return np.sum(e)


def test_overflow() -> None:
    flaw = tnb.step(tnb.grad(powers), np.array([800.0])).first_bad()
    assert flaw is not None and flaw.kind == "overflow" and "np.exp(x)" in flaw.moment.users[0].text
    hidden = tnb.step(tnb.grad(sigmoid), np.array([-800.0, 1.0])).flaws()
    assert hidden and hidden[0].kind.startswith("overflow")


def powers(x: Any) -> Any:
    y = np.exp(x)
    return np.sum(y)


def sigmoid(x: Any) -> Any:
    return np.sum(1.0 / (1.0 + np.exp(-x)))


def test_vanishing_and_exploding_cotangents() -> None:
    flaw = tnb.step(tnb.grad(relus), np.array([1.0, 2.0]), np.array([-5.0, -5.0])).first_vanishing()
    assert flaw is not None and flaw.kind == "vanishing" and not np.any(flaw.value)
    assert "np.maximum" in flaw.moment.users[0].text and any(np.any(value) for _, value in flaw.inputs)
    flaw = tnb.step(tnb.grad(steep), np.array([1.0, 2.0])).first_exploding()
    assert flaw is not None and flaw.kind == "exploding" and np.max(flaw.value) > 1e12
    assert "1e15" in flaw.moment.users[0].text


def relus(x: Any, b: Any) -> Any:
    z = np.sin(x) * x + b
    h = np.maximum(z, 0.0)
    y = h * 3.0
    return np.sum(y * y + y)


def steep(x: Any) -> Any:
    y = np.sin(x) * 1e15
    z = np.tanh(y) + y
    return np.sum(z)


def test_time_and_bytes_of_lines() -> None:
    found = costs(tnb.grad(uneven), np.ones(200_000), 3)
    by_text = {cost.site.text: cost for cost in found}
    assert all(cost.seconds >= 0.0 and cost.runs > 0 for cost in found)
    most = max(found, key=lambda cost: cost.bytes)
    assert most.bytes >= 200_000 * 8
    loops = [cost for text, cost in by_text.items() if text.startswith("small = small")]
    assert loops and loops[0].runs == 3
    with pytest.raises(TangentError, match="at least one run"):
        costs(tnb.grad(uneven), np.ones(2), 3, repeats=0)
    with pytest.raises(ZeroDivisionError):
        costs(tnb.grad(divides), 1.0, 0)


def uneven(x: Any, n: int) -> Any:
    small = 1.0
    for _ in range(n):
        small = small + 0.5
    y = np.sin(x) * small
    return np.sum(y * y)


def divides(x: Any, n: int) -> Any:
    return x * x * (1 // n)
