"""Views of an item of what has no name, `np.linalg.eigh(A)[0]` or `{"a": v}["a"]`, that change.

Each program is right in every mode, or refused.
"""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_memory import POINT, judge

pytestmark = pytest.mark.sampled(3)

HELPERS = """\
def held(t):
    for i in range(1):
        t = t * 2.0
    return {'a': t}
def zero(v):
    v[0] = 5.0
"""
ITEMS = {
    "eigh": "np.linalg.eigh(np.diag(x))[0]", "svd": "np.linalg.svd(np.diag(x))[1]",
    "split": "np.split(x * 2.0, [3])[0]",
    "display": "{'a': x * 2.0}['a']", "nested": "{'b': {'a': x * 2.0}}['b']['a']", "merged": "{**{'a': x * 2.0}}['a']",
    "union": "({'a': x * 2.0} | {'b': 1.0})['a']", "dict": "dict([('a', x * 2.0)])['a']",
    "values": "list({'a': x * 2.0}.values())[0]", "einsum": "np.einsum('i,j->ij', x, x)[0]",
    "pinv": "np.linalg.pinv(np.diag(x * x) + 1.0)[0]", "meshgrid": "np.meshgrid(x, x)[0][0]",
    "function": "held(x)['a']", "lambda": "(lambda: {'a': x * 2.0})()['a']", "sorted": "sorted([x * 2.0], key=len)[0]",
}
CHANGES = {
    "store": "z = y[:2]; z[0] = 5.0; return np.sum(y * y)", "product": "z = y[:2]; z *= x[:2]; return np.sum(y * y)",
    "fill": "z = y[:2]; z.fill(2.0); return np.sum(y * y)",
    "out": "z = y[:2]; np.multiply(z, 2.0, out=z); return np.sum(y * y)",
    "view of a view": "z = y[1:]; v = z[:1]; v[0] = 5.0; return np.sum(y * z[0])",
    "argument": "zero(y[:2]); return np.sum(y * y)", "whole": "z = y; z[0] = 5.0; return np.sum(y * y)",
    "owner": "z = y[:2]; y[0] = 5.0; return np.sum(z * z)",
    "owner added to": "z = y[:2]; y += 1.0; return np.sum(z * z)",
    "loop": "for k in range(2):;     r = y[k:];     r *= r[0]; return np.sum(y * x)",
    "branch": "z = y if x[0] > 0.0 else y[:2]; z[0] = 5.0; return np.sum(y * y)",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("item", ITEMS)
def test_views_of_items_that_change(item: str, change: str) -> None:
    body = CHANGES[change].replace("; ", "\n    ")
    judge(f"{HELPERS}def f(x):\n    y = {ITEMS[item]}\n    {body}\n", POINT, refused=True)
