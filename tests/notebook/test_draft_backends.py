"""Drafts on JAX and Numba: written as they are derived there, compiled by nobody before they are applied."""
from __future__ import annotations

from typing import Any

import pytest

from .test_draft import Open, written

LOSS = """def half(t):
    return t / 2

def loss(x, w):
    h = np.tanh(x @ w)
    return np.mean(half(h) * h) * 1.0
"""
NUMBA_LATER = "Numba compiles it when it is applied, and may refuse it then"


@pytest.fixture
def opened(shell: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    shell.run("X, W = np.ones((4, 3)), np.eye(3) / 2")
    return lambda options: Open(shell, f"%%grad {options}\n{LOSS}", monkeypatch)


def applied(one: Open, text: str) -> str:
    answer = one.editor.apply(one.session, text)
    assert not answer["failed"], answer["text"]
    return one.session.refusal


def agrees(one: Open, x: Any, w: Any) -> bool:
    """What is defined is what the text says."""
    moved = w.copy()
    moved[1, 2] += 1e-6
    expected = (one.shell["loss"](x, moved) - one.shell["loss"](x, w)) / 1e-6
    return abs(float(one.shell["dloss_dw"](x, w)[1, 2]) - expected) < 1e-4


@pytest.mark.parametrize("options, words", [
    ("-b jax -w w", "jnp.exp(h)"), ('-b jax -w w --at "x=X, w=W"', "jnp.exp(h)"), ("-c jit -w w", "@jax.jit")])
def test_jax(opened: Any, options: str, words: str) -> None:
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True):
        one = opened(options)
        text = LOSS.replace("np.tanh(x @ w)", "np.tanh(x @ w)\n    h = np.exp(h)")
        assert words in one.text(text)
        assert one.draft(text)["state"]["options"]["backend"] in ("jax", "jit")
        refused = one.draft(LOSS.replace("    return np.mean", "    try:\n        h = h * 2\n    except ValueError:\n"
                                                               "        pass\n    return np.mean"))
        assert refused["state"] is None
        assert refused["faults"][0]["line"] == 6 and "try is not written for JAX" in refused["faults"][0]["text"]
        assert applied(one, text) == "" and agrees(one, one.shell["X"], one.shell["W"])


def test_a_draft_is_not_compiled_and_what_is_applied_is(opened: Any) -> None:
    numba = pytest.importorskip("numba")
    one = opened('-c numba -w w --at "x=X, w=W"')
    compiled: list[Any] = []
    with numba.core.event.install_listener("numba:compile", heard(compiled)):
        text = LOSS.replace("* 1.0", "* 7.5")
        found = one.draft(text)
        assert "@numba.njit" in written(found) and "7.5" in written(found) and NUMBA_LATER in found["state"]["notes"]
        assert compiled == []
        assert applied(one, text) == ""
        assert compiled != []
    assert NUMBA_LATER not in one.session.state()["notes"]
    assert agrees(one, one.shell["X"], one.shell["W"])


def heard(compiled: list[Any]) -> Any:
    from numba.core.event import Listener

    class Heard(Listener):
        def on_start(self, event: Any) -> None:
            compiled.append(event)

        def on_end(self, event: Any) -> None:
            pass

    return Heard()


def test_what_numba_refuses_is_said_when_it_is_applied(opened: Any) -> None:
    pytest.importorskip("numba")
    one = opened('-c numba -w w --at "x=X, w=W"')
    text = LOSS.replace("    return np.mean", "    try:\n        h = h * 2\n    except ValueError:\n"
                                              "        pass\n    return np.mean")
    assert one.draft(text)["state"] is not None
    assert "loss is defined, its derivative is not" in (said := applied(one, text)) and "Numba does not compile" in said
    assert one.shell.run("loss(X, W)").ok


def test_without_arguments_numba_waits_for_those_of_a_call(opened: Any) -> None:
    pytest.importorskip("numba")
    one = opened("-c numba -w w")
    found = one.draft(LOSS)
    assert [note for note in found["state"]["notes"] if "compiled for the arguments of each call" in note]
    assert NUMBA_LATER not in found["state"]["notes"]
    text = LOSS.replace("* 1.0", "* 7.5")
    assert applied(one, text) == "" and agrees(one, one.shell["X"], one.shell["W"])
