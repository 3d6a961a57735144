"""The keys of dicts that are parameters: where items are read by what going over the parameter gives, it is a dict, and
what it gives carries no derivative."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

pytestmark = pytest.mark.sampled(3)

HELPERS = """\
import numpy as np
def reg(p):
    s = 0.0
    for k in sorted(p):
        s = s + np.sum(p[k] ** 2)
    return s
def reg2(p):
    return sum(np.sum(p[k] ** 2) for k in list(p))
def turned(x, order):
    return [x[order[i]] for i in list(order)]
"""
RIGHT = {
    "a loop over sorted keys": """
    s = 0.0
    for k in sorted(params):
        s = s + np.sum(params[k] ** 2)
    return s * np.sum(x)""",
    "names in a comprehension": """
    names = [k for k in params]
    return sum(np.sum(params[k] ** 2) for k in names) * np.sum(x)""",
    "a dict made of the keys": """
    new = {}
    for k in params:
        new[k] = params[k] * 2.0
    return np.sum(new["w"] * x) + np.sum(new["b"])""",
    "joined in the order of the keys": """
    flat = np.concatenate([params[k].ravel() for k in sorted(params)])
    return np.sum(flat ** 2) * np.sum(x)""",
    "zipped in a comprehension": """
    new = {k: params[k] - 0.1 * g for (k, g) in zip(params, [x, x])}
    return np.sum(new["w"] * new["b"])""",
    "numbered": """
    for i, k in enumerate(params):
        x = x + i * params[k]
    return np.sum(x)""",
    "a tuple of the keys": """
    ks = tuple(params)
    return np.sum(params[ks[0]] * x) + np.sum(params[ks[1]])""",
    "the longest key": """
    m = max(params, key=lambda k: len(k))
    return np.sum(params[m] * x)""",
    "texts in a list": """
    keys = ["w", "b"]
    a = [params[k] for k in keys]
    return np.sum(a[0] * x + a[1])""",
    "a dict that takes up another": """
    d = {}
    d.update(params)
    return np.sum(d["w"] * x + d["b"])""",
    "a function that sorts": """
    return reg(params) * np.sum(x)""",
    "a function that lists": """
    return reg2(params) * np.sum(x)""",
    "numbered in order": """
    for i, k in enumerate(sorted(params)):
        x = np.tanh(x * params[k] + i)
    return np.sum(x)""",
    "first and last": """
    ks = sorted(params, reverse=True)
    return np.sum(params[ks[0]] * x) + np.sum(params[ks[-1]] ** 2)""",
    "first and rest": """
    first, *rest = params
    s = np.sum(params[first] ** 2)
    for k in rest:
        s = s + np.sum(params[k])
    return s * np.sum(x)""",
    "twice": """
    return sum(np.sum(params[a] * params[b]) for a in params for b in params) * np.sum(x)""",
    "the first of a list": """
    k0 = list(params)[0]
    return np.sum(params[k0] * x)""",
    "the least": """
    k0 = min(params)
    return np.sum(params[k0] * x)""",
    "in a list": """
    out = []
    for k in params:
        out.append(params[k] * x)
    return np.sum(np.stack(out))""",
    "gradients by key": """
    grads = {k: x for k in params}
    new = {k: params[k] - 0.1 * grads[k] for k in params}
    return sum([np.sum(v ** 2) for v in new.values()])""",
    "sizes": """
    sizes = [params[k].size for k in sorted(params)]
    flat = np.hstack([params[k] for k in sorted(params)])
    return np.sum(flat ** 2) / sum(sizes) * np.sum(x)""",
    "taken one by one": """
    it = sorted(params)
    while it:
        k = it.pop()
        x = x + params[k]
    return np.sum(x ** 2)""",
    "in an order of its own": """
    order = sorted(params, key=lambda k: -len(k))
    s = x
    for k in order: s = s * params[k]
    return np.sum(s)""",
    "backwards": """
    for k in reversed(list(params)):
        x = np.sin(x * params[k])
    return np.sum(x)""",
    "with numbers": """
    for k, g in zip(sorted(params), [2.0, 3.0]):
        x = x + g * params[k]
    return np.sum(x ** 2)""",
}
OTHERWISE = {                                              # the parameter is no dict, or its name means something else
    "places in an order": """
    return sum([np.sum(v * params["w"]) for v in turned(x, [1, 0, 2])])""",
    "a list of the items": """
    y = [v for v in x]
    s = 0.0
    for v in range(3):
        s = s + y[v] * x[v]
    return s + np.sum(params["b"])""",
    "a name with two meanings": """
    s = sum([k for k in x])
    for k in range(3):
        s = s + x[k] * params["w"][k]
    return s""",
    "a function of the same name": """
    def sorted(p):
        return ["w"]
    for k in sorted(params):
        x = x * params[k]
    return np.sum(x)""",
    "another dict": """
    def inner(params):
        return sum([np.sum(params[k]) for k in list(params)])
    return inner({"w": x}) * np.sum(params["b"])""",
    "shapes in a comprehension": """
    sizes = [params[k].size for k in params.keys()]
    shapes = {k: params[k].shape[0] for k in sorted(params)}
    return np.sum(params["w"] * x) / sum(sizes) * shapes["b"]""",
}
X = np.array([1.0, 2.0, 3.0])


def params() -> dict[str, Any]:
    return {"w": np.array([0.5, 1.5, 2.5]), "b": np.array([0.1, 0.2, 0.3])}


def differences(f: Any) -> tuple[dict[str, Any], Any]:
    def along(key: str, step: Any) -> Any:
        p = params()
        return f({**p, key: p[key] + step}, X)

    steps = np.eye(3) * 1e-6
    return {key: np.array([(along(key, s) - along(key, -s)) / 2e-6 for s in steps]) for key in params()}, \
        np.array([(f(params(), X + s) - f(params(), X - s)) / 2e-6 for s in steps])


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("body", [*RIGHT.values(), *OTHERWISE.values()], ids=[*RIGHT, *OTHERWISE])
def test_what_goes_over_a_parameter_by_its_own_items(body: str, optimized: bool) -> None:
    f = sourced(f"{HELPERS}def f(params, x):{body}\n")["f"]
    want, want_x = differences(f)
    got, got_x = tnb.grad(f, (0, 1), optimized=optimized)(params(), X.copy())
    assert got.keys() == want.keys()
    for key in want:
        np.testing.assert_allclose(got[key], want[key], rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(got_x, want_x, rtol=1e-6, atol=1e-7)
    change = tnb.jvp(f, (0, 1), optimized=optimized)(params(), X.copy(), params(), X)
    np.testing.assert_allclose(change, sum(np.sum(want[k] * params()[k]) for k in want) + np.sum(want_x * X), rtol=1e-6,
                               atol=1e-7)


def test_what_is_neither_a_dict_nor_whole_numbers_is_refused() -> None:
    f = sourced(f"{HELPERS}def f(x, p):\n    return reg2(p) * np.sum(x)\n")["f"]
    np.testing.assert_allclose(tnb.grad(f)(X, [1, 0]), np.ones(3))
    with pytest.raises(tnb.errors.ArgumentError, match="is gone over, and read by the items"):
        tnb.grad(f, "p")(X, [1.5, 0.5])


TREES = """\
import numpy as np
def of_trees(p):
    if isinstance(p, dict):
        return sum([of_trees(p[k]) for k in sorted(p)])
    if isinstance(p, list):
        return sum([of_trees(v) for v in p])
    return np.sum(p ** 2)
def of_dicts_or_others(p):
    s = 0.0
    if isinstance(p, dict):
        for k in p.keys():
            s = s + np.sum(p[k] ** 2)
    else:
        for v in list(p):
            s = s + np.sum(v ** 2)
    return s
def called(p):
    return of_dicts_or_others(p) * 1.0
"""


@pytest.mark.parametrize("name", ["of_trees", "of_dicts_or_others", "called"])
@pytest.mark.parametrize("made", [lambda a, b: {"a": a, "b": b}, lambda a, b: [a, b]], ids=["dict", "list"])
def test_where_it_is_no_dict_it_is_gone_over_as_it_is(name: str, made: Any) -> None:
    got = tnb.grad(sourced(TREES)[name])(made(X, 2.0 * X))
    for one, want in zip(got.values() if isinstance(got, dict) else got, (2.0 * X, 4.0 * X), strict=True):
        np.testing.assert_allclose(one, want)
