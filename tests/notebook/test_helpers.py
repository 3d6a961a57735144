"""What is said of the helpers of generated code: of each of them, and as it stands there."""
from __future__ import annotations

import ast

import pytest

from tangent_nb import runtime
from tangent_nb.notebook.helpers import called, example, explained, first_sentence, known, without_docstring


def text(lines: list[list[list[str]]]) -> str:
    return "\n".join("".join(part for _, part in line) for line in lines)


def test_each_is_a_sentence_and_its_own_text() -> None:
    assert len(known()) > 500
    for name in known():
        found = explained(name)
        assert found["says"], name
        code = text(found["code"])
        if code and "    ..." not in code.split("\n"):
            assert isinstance(ast.parse(code).body[0], (ast.FunctionDef, ast.ClassDef)), name


def test_its_example_gives_what_it_says() -> None:
    found = text(explained("reduce_like")["example"])
    assert found.startswith(">>> ") and "reduce_like(" in found
    assert text(explained("add_grad")["code"]).startswith("def add_grad(")
    assert '"""' not in text(explained("unreduce")["code"])


@pytest.mark.parametrize("name", ["np", "_dtype", "__class__", "no such", "TangentError.__init__", "MODULES", ""])
def test_what_is_no_helper_is_not_explained(name: str) -> None:
    assert name not in known()
    with pytest.raises(KeyError):
        explained(name)


def test_parts_of_docstrings() -> None:
    assert first_sentence("") == "" and first_sentence("One. Two.") == "One."
    assert first_sentence("Ends at e.g. nothing, i.e. here. Not there.") == "Ends at e.g. nothing, i.e. here."
    assert example("No example.") == []
    assert example(">>> import os\n>>> x = 1\n>>> x\n1\n>>> x + 1\n2\n") == [">>> x = 1", ">>> x", "1"]
    assert example(">>> 1 / 0\nTraceback (most recent call last):\n    ...\nZeroDivisionError: by zero\n") == []
    assert without_docstring('@cache\ndef f(x):\n    """Text."""\n    return x\n') == ["def f(x):", "    return x"]
    assert without_docstring('def f():\n    """Text."""\n') == ['def f():', '    """Text."""']


def test_the_helpers_of_a_line() -> None:
    line = [("", "x = rt.share(y) + "), ("f", "rt.cut"), ("", "(sqrt.unreduce(z), rt.none_of_ours)")]
    assert called(line) == {"share", "cut"}
    assert {"share", "cut"} <= set(vars(runtime))
