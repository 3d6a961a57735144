"""Completion after the magics, through IPython's own completer."""
from __future__ import annotations

from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter

import tangent_nb

CELL = "\ndef loss(x, w1, *, b=(1, 2)):\n    return x\n"


def completed(shell: Any, line: str, below: str = "") -> list[str]:
    """The lines that the completions make of `line`."""
    with provisionalcompleter():
        found = list(shell.ip.Completer.completions(line + below, len(line)))
    return [line[:one.start] + one.text for one in found]


@pytest.fixture(params=["jedi", "plain"])
def shells(shell: Any, request: pytest.FixtureRequest) -> Any:
    shell.ip.Completer.use_jedi = request.param == "jedi"
    shell.run("def model(inputs, weights):\n    return inputs\n")
    return shell


def test_flags(shells: Any) -> None:
    assert "%%grad --raw" in completed(shells, "%%grad --r", CELL)
    found = completed(shells, "%%grad -w x --", CELL)
    assert {"%%grad -w x --check", "%%grad -w x --at"} <= set(found) and "%%grad -w x --wrt" not in found
    assert "%%grad --raw" in completed(shells, "%%grad ", CELL)
    assert "%grad f --mode" in completed(shells, "%grad f --m")


def test_modes_and_passes(shells: Any) -> None:
    assert completed(shells, "%%grad -m f", CELL)[0] == "%%grad -m forward"
    for name in tangent_nb.PASSES:
        assert f"%%grad -O {name}" in completed(shells, f"%%grad -O {name[:-1]}", CELL)
        assert f"%%grad -O a,{name}" in completed(shells, f"%%grad -O a,{name[:-1]}", CELL)


def test_parameters(shells: Any) -> None:
    assert {"%%grad -w x", "%%grad -w w1", "%%grad -w b"} <= set(completed(shells, "%%grad -w ", CELL))
    assert completed(shells, "%%grad -w x,w", CELL)[0] == "%%grad -w x,w1"
    assert completed(shells, "%grad model -w we")[0] == "%grad model -w weights"
    assert completed(shells, "%%grad -f model -w inp", CELL)[0] == "%%grad -f model -w inputs"
    assert completed(shells, '%%grad --at "w', CELL)[0] == '%%grad --at "w1='
    assert completed(shells, '%%grad --at "x=1.0, w', CELL)[0] == '%%grad --at "x=1.0, w1='


def test_functions(shells: Any) -> None:
    assert completed(shells, "%%grad -f lo", CELL)[0] == "%%grad -f loss"
    assert completed(shells, "%grad mo")[0] == "%grad model"


def test_quiz(shells: Any) -> None:
    assert completed(shells, "%%quiz mo", CELL)[0] == "%%quiz model"
    assert "%%quiz model --prefix" in completed(shells, "%%quiz model --pre", CELL)
    assert {"%%quiz model --at", "%%quiz model --solution"} <= set(completed(shells, "%%quiz model ", CELL))
    assert completed(shells, '%%quiz model --at "w', CELL)[0] == '%%quiz model --at "weights='
    assert completed(shells, '%%quiz model -f loss --at "w', CELL)[0] == '%%quiz model -f loss --at "weights='
    assert completed(shells, "%%quiz model -w inp", CELL)[0] == "%%quiz model -w inputs"


def test_nan(shells: Any) -> None:
    assert "%%grad --nan" in completed(shells, "%%grad --n", CELL)
