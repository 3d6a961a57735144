"""Each helper that rules write says in its docstring how it is written in NumPy, or in plain Python."""
import inspect
import re
from pathlib import Path

import pytest

import tangent_nb
from tangent_nb import runtime as rt

TEXTS = "".join(path.read_text() for path in (Path(tangent_nb.__file__).parent / "rules").glob("*.py"))
NAMES = sorted(set(re.findall(r"\brt\.(\w+)\(", TEXTS)))
HELPERS = [name for name in NAMES if inspect.isfunction(getattr(rt, name, None))]


def test_there_are_helpers():
    assert len(HELPERS) > 300 and "unbroadcast" in HELPERS


@pytest.mark.parametrize("name", HELPERS)
def test_the_docstring_of_a_helper_has_its_form(name):
    assert re.search(r"`[^`]+`", getattr(rt, name).__doc__ or ""), f"rt.{name}: what would one write in NumPy?"
