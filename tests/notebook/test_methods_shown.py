"""Methods whose bodies stand in the place of their calls: they are shown in the left pane, and linked line by line."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.stepping import overview

from .conftest import Shell
from .test_state import text, told

LAYER = """
class Base:
    def norm(self):
        return np.sum(self.w ** 2)


class Layer(Base):
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        h = self.act(self.w * x)
        return h + self.b

    @property
    def size(self):
        return np.sum(self.w) + self.b

    @staticmethod
    def act(v):
        return np.tanh(v)

    def both(self, x):
        return np.sum(self(x)) + self.norm()


class Matrix(Layer):
    def __matmul__(self, x):
        return self.w * x + self.b
"""
# What is called, and which methods stand in its place.
CALLS = [
    ("np.sum(layer(x))", ["Layer.__call__", "Layer.act"]), ("layer.norm() * np.sum(x)", ["Base.norm"]),
    ("np.sum(layer.act(x))", ["Layer.act"]), ("layer.size * np.sum(x)", ["Layer.size"]),
    ("layer.both(x)", ["Base.norm", "Layer.__call__", "Layer.act", "Layer.both"]),
]
OPERATORS = [("np.sum(matrix @ x)", ["Matrix.__matmul__"])]        # objects with these are known outside only


@pytest.fixture
def notebook(shell: Shell) -> Shell:
    shell.run(LAYER)
    shell.run("layer, x = Layer(np.array([1.5, -0.5]), 0.25), np.array([0.5, 2.0])\nmatrix = Matrix(x, 1.0)")
    return shell


def shown_of(notebook: Shell, call: str, *, given: bool = False) -> dict[str, Any]:
    """given: the object comes as an argument, as an example of which the text is for; else it is outside."""
    notebook.run(f"def f({'layer, ' if given else ''}x):\n    return {call}\n")
    return told(notebook["f"], "x", **({"like": (notebook["layer"], notebook["x"])} if given else {}))


@pytest.mark.parametrize(("call", "methods", "given"), [
    (*call, given) for calls, given in ((CALLS, False), (CALLS, True), (OPERATORS, False)) for call in calls])
def test_methods_are_sections_that_lines_lead_to(notebook: Shell, call: str, methods: list[str], given: bool) -> None:
    found = shown_of(notebook, call, given=given)
    sections = found["primal"]
    assert [section["title"].split(" · ")[0] for section in sections] == ["f", *methods]
    rows = [row for section in sections for row in section["rows"]]
    met = {key for *_, origins, _ in found["stages"][found["final"]]["rows"] for key in origins}
    returns = [key for key, (_, line, _) in enumerate(rows) if text(found, line).strip().startswith("return")]
    assert met >= set(returns)                             # of each method, and of the function itself


def test_what_stands_in_the_place_of_a_call_has_the_colour_of_its_line(notebook: Shell) -> None:
    found = shown_of(notebook, "np.sum(layer.act(x)) * 2.0")
    rows = [row for section in found["primal"] for row in section["rows"]]
    colour = {text(found, line).strip(): group for _, line, group in rows}
    derived = {text(found, line).strip(): group for line, group, *_ in found["stages"][found["final"]]["rows"]}
    assert derived["tanh = np.tanh(x)"] == colour["return np.tanh(v)"] != colour["return np.sum(layer.act(x)) * 2.0"]
    assert derived["# Grad of: return np.sum(layer.act(x)) * 2.0"] == colour["return np.sum(layer.act(x)) * 2.0"]


def test_expressions_know_the_calls_in_whose_place_they_stand(notebook: Shell) -> None:
    found = shown_of(notebook, "layer.both(x)")
    rows = [row for section in found["primal"] for row in section["rows"]]

    def of(number: int) -> str:
        return " ".join(text(found, rows[key][1])[start:end] for key, start, end in found["spans"][number])

    chains = {tuple(map(of, part)) for part in found["parts"]}
    assert ("np.tanh(v)", "self.act(self.w * x)", "self(x)", "layer.both(x)") in chains
    assert ("self.w * x", "self(x)", "layer.both(x)") in chains     # the argument is no part of what `act` does
    assert ("self.w ** 2", "self.norm()", "layer.both(x)") in chains


def test_a_page_without_script_has_the_methods(notebook: Shell) -> None:
    notebook.run("def f(x):\n    return layer.norm() * np.sum(layer.act(x))\n")
    printed = repr(show(notebook["f"]))
    assert "return np.tanh(v)" in printed and "return np.sum(self.w ** 2)" in printed
    gradient = tnb.grad(notebook["f"])(notebook["x"])
    assert np.allclose(gradient, 2.5 * (1.0 - np.tanh(notebook["x"]) ** 2))


def test_a_step_is_at_the_line_of_the_method_and_at_the_call(notebook: Shell) -> None:
    notebook.run("def f(x):\n    y = layer.act(x)\n    return np.sum(y)\n")
    session = show(notebook["f"], at="x=x")._shown
    found = overview(session.recording(), session.keys)               # type: ignore[union-attr]
    state = session.state()                                           # type: ignore[union-attr]
    rows = [row for section in state["primal"] for row in section["rows"]]
    at = {words: [text(state, rows[key][1]).strip() for key in keys] for _, keys, words, _ in found["sites"]}
    assert at["y = np.tanh(x)"] == ["return np.tanh(v)", "y = layer.act(x)"]
