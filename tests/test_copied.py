"""What `copy.copy` and `copy.deepcopy` give has the derivative of what was copied, and memory of its own."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

RIGHT = {
    "a number": "s = copy.copy(x[0])\n    s = s * x[1]\n    return deepcopy(s) * x[2]",
    "an array that changes": "y = deepcopy(x)\n    y[0] = 2.0 * y[1]\n    return np.sum(y * x)",
    "of an array that changes": "y = x * 1.0\n    z = copy.copy(y)\n    z *= 2.0\n    y += z\n    return np.sum(y * z)",
    "a container": "d = {'a': x, 'b': [x * 2.0]}\n    e = deepcopy(d)\n    return np.sum(d['a'] * e['a'] * e['b'][0])",
    "an iteration": "last = copy.copy(x)\n    for _ in range(3):\n        new = np.sin(last) + x\n"
                    "        last = copy.copy(new)\n    return np.sum(last)",
    "limits of a dtype": "return np.sum(x * x) if np.sum(x) > np.finfo(x.dtype).eps else np.sum(x) / np.iinfo(int).max",
    "limits that are not there": "s = np.sum(x)\n    try:\n        t = np.finfo(s.type).eps\n"
                                 "    except AttributeError:\n        t = 1e-9\n    return s * s if s > t else s",
    "two parts, the first changes then": "a = [x * 2.0, x[0]]\n    b = deepcopy(a)\n    a[0][0] = 0.0\n"
                                         "    return np.sum(b[0]) * b[1]",
    "parts of parts": "a = [(x * 2.0, x * 3.0), {'a': x * 5.0}]\n    b = deepcopy(a)\n    a[0][0][1] = 0.0\n"
                      "    b[1]['a'][2] = 7.0\n    return np.sum(b[0][0]) * np.sum(a[1]['a'])",
    "asdict": "p = Pair(x * 2.0, x * 3.0)\n    d = asdict(p)\n    p.u[0] = 0.0\n    return np.sum(d['u'] * d['w'])",
    "astuple": "p = Pair(x * 2.0, x * 3.0)\n    d = astuple(p)\n    p.u[0] = 0.0\n    return np.sum(d[0] * d[1])",
    "asdict that changes": "p = Pair(x * 2.0, x * 3.0)\n    d = asdict(p)\n    d['u'][0] = 0.0\n    return np.sum(p.u)",
}
HEAD = """
import copy
from copy import deepcopy
from dataclasses import asdict, astuple, dataclass
import numpy as np
@dataclass
class Pair:
    u: object
    w: object
"""
UNKNOWN = {                                                # right or refused
    "an argument": "y = copy.copy(x)\n    y[0] = 2.0 * y[1]\n    return np.sum(y * x)",
    "the same items": "L = [x * 1.0, x * 2.0]\n    M = copy.copy(L)\n    M[0] *= x\n"
                      "    return np.sum(L[0] * M[0] * M[1])",
    "other items": "L = [x * 1.0, x * 2.0]\n    M = deepcopy(L)\n    M[0] *= x\n    return np.sum(L[0] * M[0] * M[1])",
    "a dict": "d = {'a': x}\n    e = copy.copy(d)\n    e['a'] = e['a'] * 2.0\n    return np.sum(d['a'] * e['a'])",
}
X = np.array([0.7, 1.3, 2.1])


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("name", [*RIGHT, *UNKNOWN])
def test_copies(name: str, optimized: bool) -> None:
    body = (RIGHT | UNKNOWN)[name]
    f = sourced(f"{HEAD}def f(x):\n    {body}\n")["f"]
    want = np.array([(f(X + step) - f(X - step)) / 2e-6 for step in 1e-6 * np.eye(3)])
    try:
        got = tnb.grad(f, optimized=optimized)(X.copy())
        change = tnb.jvp(f, optimized=optimized)(X.copy(), np.ones(3))
    except TangentError:
        assert name in UNKNOWN
        return
    np.testing.assert_allclose(got, want, rtol=1e-6)
    np.testing.assert_allclose(change, np.sum(want), rtol=1e-6)
