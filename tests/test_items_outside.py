"""Items of dicts and lists from outside that functions store, and read again.

Each program is derived in every way, compared with differences, and what is left with what the function leaves."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

ASKED = {
    "a test of an item": "if p[k] > 1.0: y = y * np.sin(x)\n    cache['z'] = x * 1.0",
    "a key that is there later": "if 'w' in p: y = y * np.sin(x)\n    cache['w'] = x * 1.0",
    "a dict that is not empty": "if not p: y = y * np.sin(x)\n    cache['w'] = x * 1.0",
    "what is gone over": "for v in q: y = y * np.cos(x) * v\n    log.append(x)",
    "a test of the last item": "if q[-1] > 0.9: y = y * np.sin(x)\n    log.append(x)",
    "how many there are": "for i in range(len(q)): y = y * np.cos(x) * q[i]\n    log.append(x)",
    "as many as an item says": "for i in range(int(p[k])): y = y * np.cos(x)\n    cache['z'] = 1.0 * x",
    "how many keys there are": "for i in range(len(p) + 1): y = y * np.cos(x)\n    cache['w'] = 1.0 * x",
    "a loop that makes it longer": "n = 0\n    "
                                   "while len(q) < 3 and n < 9: y = y * np.cos(x); n += 1; log.append(x * 1.0)",
    "by what it calls": "for i in range(len(q)): y = y * np.cos(x)\n    y = put(y)",
}


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("name", ASKED)
def test_the_backward_sweep_asks_nothing_of_what_has_got_items_since(name: str, raw: bool) -> None:
    text = "import numpy as np\ndef put(v): log.append(v); return v\ndef f(x, p, q, k):\n    y = x\n" \
        f"    {ASKED[name]}\n" \
        "    return y * x\n"
    cache: dict[str, Any] = {}
    log: list[Any] = []
    f = sourced(text, {"cache": cache, "log": log}, f"<asked {name} {raw}>")["f"]

    def anew(g: Any, x: Any) -> Any:
        cache.clear()
        cache["z"], log[:] = 2.0, [1.0]
        return g(x, cache, log, "z")

    slope = (anew(f, 0.7 + 1e-6) - anew(f, 0.7 - 1e-6)) / 2e-6
    assert anew(tnb.grad(f, "x", optimized=not raw), 0.7) == pytest.approx(slope, rel=1e-6)
