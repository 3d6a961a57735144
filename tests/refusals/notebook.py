"""What the notebook refuses by itself."""
from __future__ import annotations

import tangent_nb as tnb
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
    Case("no_parameter_that_can_in_a_call", """\
def f(n: int, m, i, k, g, a=np.arange(3), t=None, p=tnb.PersistentArray(np.arange(3)), *rest, **more):
    s = 0.0
    for j in range(m):
        s = s + a[i] + np.zeros(k)[0]
    return g(s) * n
""", """\
cannot differentiate f: no parameter can have a derivative
  n: its annotation says int
  m: it is used as a count in range
  i: it is used as an index
  k: it is used as the size of what zeros makes
  g: it is used as a function
  a: its values are int64
  t: its value is None
  p: its values are int64
  rest: it collects arguments
  more: it collects arguments
""", derive=lambda f: tnb.grad(f, "*")),
    Case("hessian_of_all", """\
def f(x, y):
    return x * y
""", """\
a Jacobian, and a Hessian, is by one parameter, and wrt is '*': its index or its name
""", derive=lambda f: tnb.hessian(f, "*")),
]
