"""What the notebook refuses by itself."""
from __future__ import annotations

from tangent_nb.notebook import cotangents, derive
from tangent_nb.notebook.options import make

from .case import Case

scope = {}
exec("def untold(x):\n    return x\n", scope)
untold = scope["untold"]


def every(f):
    """As `%%grad -w "*"` derives."""
    return derive.derive(f, make(wrt="*"))

CASES = [
    Case("no_text_to_step_through", """\
def f(x):
    return x
""", """\
the text of untold is not to be found: run its definition again
""", derive=lambda f: cotangents.recorded(untold, lambda: untold(2.0))),
    Case("no_parameter_that_can", """\
def f(n: int, label="a"):
    return n * 2.0
""", """\
cannot differentiate f: no parameter can have a derivative
  n: its annotation says int
  label: its value is a str
""", derive=every),
]
