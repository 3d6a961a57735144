"""One way out, and the same results: the text before and after, run side by side."""
from __future__ import annotations

import itertools

import gast
import pytest

from tangent_nb.analyse.resolve import Scope
from tangent_nb.normalise import single_exit
from tangent_nb.syntax.blocks import statements
from tangent_nb.syntax.names import Names
from tangent_nb.syntax.nodes import names_in, unparse, writes
from tangent_nb.syntax.program import Namespace

PROGRAMS = [
    "def f(a, b, n):\n    if a > 1:\n        return b\n    return a\n",
    ("def f(a, b, n):\n    for i in range(n):\n        if i == a:\n            return i\n"
     "        b = b + i\n    return b\n"),
    "def f(a, b, n):\n    for i in range(n):\n        if i == a:\n            continue\n"
    "        if i > b:\n            break\n        a = a + 2\n    return a\n",
    "def f(a, b, n):\n    for i in range(n):\n        for j in range(i):\n            if i + j == a:\n"
    "                return i\n            if j == b:\n                break\n            b = b + 1\n"
    "        else:\n            a = a - 1\n    else:\n        a = a + 10\n    return a + b\n",
    "def f(a, b, n):\n    while True:\n        a = a + 1\n        if a > b + n:\n            break\n    return a\n",
    "def f(a, b, n):\n    i = 0\n    while i < n:\n        i = i + 1\n        if i == b:\n            continue\n"
    "        a = a + i\n        if a > 9:\n            return a\n    else:\n        b = 7\n    return a + b\n",
    "def f(a, b, n):\n    if a > b:\n        if a > 2:\n            return 1\n        a = 5\n"
    "    elif n > 1:\n        return 2\n    return a + b\n",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_same_results_and_one_exit(text):
    tree = gast.parse(text).body[0]
    body = single_exit(tree.body, Names(names_in(tree)), "result", Scope(Namespace({}), writes(tree)))
    assert sum(isinstance(s, gast.Return) for s in statements(body)) == 1 and isinstance(body[-1], gast.Return)
    assert not any(isinstance(s, gast.Continue) or isinstance(s, (gast.For, gast.While)) and s.orelse
                   for s in statements(body))
    tree.body = body
    before, after = {}, {}
    exec(text, before)
    exec(unparse(tree), after)
    for args in itertools.product(range(-1, 4), range(4), range(4)):
        assert before["f"](*args) == after["f"](*args), (unparse(tree), args)
