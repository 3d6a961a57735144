"""A number that is read from a text has no derivative: wherever the text is of what is differentiated,
that is refused."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from refusals.case import run

from tangent_nb.errors import RefusedError

LOST = {
    "np.fromstring": "return np.fromstring(', '.join(str(v) for v in x), sep=',').sum()",
    "np.array": "return np.array([str(v) for v in x], float).sum()",
    "np.loadtxt": "return np.sum(np.loadtxt(io.StringIO('\\n'.join(str(v) for v in x))))",
    "np.fromiter": "return np.sum(np.fromiter((f'{v}' for v in x), float))",
    "astype": "return np.sum(x.astype(str).astype(float))",
    "dtype": "return np.sum(np.array(x, dtype='U20').astype(float))",
    "json": "return json.loads(str(x[0])) * 2",
    "list in json": "return json.loads(f'[{x[0]}, 2.0]')[0] * x[1]",
    "literal_eval": "return ast.literal_eval(str(x[0])) * 2.0",
    "Decimal": "return np.float64(Decimal(str(x[0])) * 2)",
    "map": "return np.sum(list(map(float, ','.join(map(str, x)).split(','))))",
    "re": "return float(re.sub('a', '', str(x[0]))) * 2",
    "comprehension": "return sum(float(s) for s in [str(v) for v in x])",
    "list": "out = [str(v) for v in x]\n    return float(out[0]) * 2",
    "append": "out = []\n    for v in x:\n        out.append(str(v))\n    return float(out[0]) * 2",
    "update": "out = {}\n    out.update(a=str(x[0]))\n    return float(out['a']) * 2",
    "function": "return float(label(x[0])) * 2",
    "lambda": "g = lambda v: str(v)\n    return float(g(x[0])) * 2",
    "inner function": "def g():\n        t = f'{x[0]}'\n        return t.strip()\n    return float(g()) * 2",
    "list of a function": "return float(words(x)[0]) * x[1]",
    "gone over": "total = 0.0\n    for w in words(x):\n        total = total + float(w)\n    return total * x[0]",
    "array of texts": "return np.sum(np.array(words(x), dtype=float)) * x[0]",
    "through another": "return float(deeper(x)[0]) * x[1]",
    "by keys": "return float(table(x)['a']) * x[1]",
    "dict display": "return float(shown(x[0])['s']) * x[1]",
    "static method": "return float(Words.of(x)[0]) * x[1]",
    "inner list": "def g(y):\n        return [str(v) for v in y]\n    return float(g(x)[0]) * x[1]",
    "lambda of a list": "return float((lambda y: [str(v) for v in y])(x)[0]) * x[1]",
}
KEPT = {
    "keys": "m = {f'w{i}': x[i] for i in range(len(x))}\n    return sum(m[f'w{i}'] ** 2 for i in range(3))",
    "counts": ("names = [str(i) for i in range(len(x))]\n    k = [int(n) for n in names]\n"
               "    return x[k[1]] * 2 + len(names)"),
    "shown": "print(', '.join(f'{v:.2f}' for v in x).upper(), len(label(x[0])))\n    return x[0] * 3",
    "shape": "w = len(str(np.shape(x)))\n    return x[0] * w",
    "json of another": "return x[0] * json.loads('[2.0, 3.0]')[1] * np.sum(np.array(['1', '2'], float))",
    "words counted": "return np.sum(x ** 2) if len(words(x)) > 1 else x[0]",
    "a number beside a text": "y, t = both(x[0])\n    return square(y) * len(x)",
    "a number of a record": "return square(both(x)[0][1]) + float(record(x[0])['y']) * x[1]",
    "text with a number": "pair = [x[0] * 2, 'two']\n    return pair[0] ** 2",
}
HEAD = "import ast\nimport io\nimport json\nimport re\nfrom decimal import Decimal\n\n\n" \
    "def label(v):\n    return str(v)\n\n\ndef words(x):\n    return [str(v) for v in x]\n\n\n" \
    "def deeper(x):\n    return words(x)\n\n\n" \
    "def table(x):\n    return {k: str(v) for k, v in zip('abc', x)}\n\n\n" \
    "def shown(v):\n    return {'s': str(v), 'kind': 'text'}\n\n\n" \
    "class Words:\n    @staticmethod\n    def of(x):\n        return [str(v) for v in x]\n\n\n" \
    "def square(y):\n    return y * y\n\n\n" \
    "def both(v):\n    return v * 2.0, f'{v}'\n\n\ndef record(v):\n    return {'y': v * 2.0, 's': f'{v}'}\n\n\n" \
    "def f(x):\n    "


def _made(body: str) -> Any:
    return run(HEAD + body)["f"]


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("body", LOST.values(), ids=LOST)
def test_a_number_of_a_text_is_refused(body: str, mode: str) -> None:
    f = _made(body)
    with pytest.raises(RefusedError, match="a number is read from a text"):
        tnb.autodiff(f, mode=mode)


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_texts_that_give_no_number_stay(body: str) -> None:
    f = _made(body)
    x = np.array([1.25, 2.5, 3.75])
    due = [(f(x + step) - f(x - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(tnb.grad(f)(x), due, atol=1e-5)
