"""Items of dicts and lists from outside that functions store, and read again.

Each program is derived in every way, compared with differences, and what is left with what the function leaves."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced
from test_stored_outside import ATTRIBUTES, Programs, judge

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


class Items(Programs):
    """The same with items of dicts, of which two may be one, and attributes and items that may be missing."""

    def attribute(self) -> str:
        o = self.random.choice(self.objects)
        return self.random.choice([
            super().attribute(), f"{o}.{self.random.choice('de')}['{self.random.choice('uv')}']",
            f"TABLE['{self.random.choice('uv')}']", f"{o}.deep['in']['u']", f"{o}.parts[{self.random.randrange(2)}].p"])

    def value(self, depth: int = 0) -> str:
        o = self.random.choice(self.objects)
        if self.random.random() < 0.12:
            return self.random.choice([
                f"getattr({o}, 'late', 0.5)", f"{o}.d.get('w', 0.4)", f"{o}.late", f"{o}.e['w']", f"({o}.d['u'] * x)",
                f"look_up({o}.d)", f"sum({o}.e.values())", f"TABLE[{self.random.choice(['key', 'keys[0]'])}]"])
        return super().value(depth)

    def block(self, indent: str, depth: int = 0) -> list[str]:
        found = super().block("", depth)
        o, value = self.random.choice(self.objects), self.value(2)
        more = self.random.choice([
            [], [], [], [f"if not hasattr({o}, 'late'):", f"    {o}.late = {value}"], [f"{o}.late = {value}"],
            [f"if 'w' not in {o}.d:", f"    {o}.d['w'] = {value}"], [f"{o}.d['w'] = {value}"],
            [f"{o}.late = getattr({o}, 'late', 0.2) + {value}"], [f"if {o}.d['u'] > 0.3:", f"    z = z * {value}"],
            ["try:", f"    y = {o}.late * {value}", "except AttributeError:", f"    {o}.late = {value}"],
            ["try:", f"    z = {o}.d['w'] + {value}", "except KeyError:", f"    {o}.d['w'] = {value}"],
            [f"for i9 in range(len({o}.d)):", f"    y = y * {value}"],
            [f"if 'w' in {o}.e:", f"    y = y * {value}"],
            [f"{o}.e['u'], {o}.p = {o}.p, {value}"], [f"{o}.n += len(TABLE)"], [f"TABLE['w'] = {value}"]])
        place = self.random.randrange(len(found) + 1)
        while place < len(found) and found[place].startswith(" "):
            place += 1
        return [indent + line for line in [*found[:place], *more, *found[place:]]]

    def text(self) -> str:
        dicts = self.random.choice(["self.e = {'u': 0.9, 'v': 0.2}", "self.e = self.d", "self.e = TABLE"])
        parts = self.random.choice(["[Part(), Part()]", "[Part()] * 2"])
        made = super().text().replace(
            "def __init__(self): self.p, self.q, self.r, self.n = 0.3, 0.7, 1.1, 0\n",
            "def __init__(self):\n        self.p, self.q, self.r, self.n = 0.3, 0.7, 1.1, 0\n"
            f"        self.d = {{'u': 0.6, 'v': 0.8}}\n        {dicts}\n"
            f"        self.deep, self.parts = {{'in': self.d}}, {parts}\n")
        once = self.random.choice(ATTRIBUTES)
        before = "class Part:\n    p = 0.4\nTABLE = {'u': 0.5, 'v': 1.2}\nclass Thing:"
        return made.replace("class Thing:", before).replace(
            "def again(): shared.__init__()", "def again():\n    TABLE.clear()\n    TABLE.update(u=0.5, v=1.2)\n"
            "    vars(shared).clear()\n    shared.__init__()\nkey, keys = 'u', ['v']\n"
            f"def look_up(d): return d['u'] * {self.random.choice(['2.0', 'd[key]', f'shared.{once}'])}")


@pytest.mark.parametrize("seed", [pytest.param(k, marks=[pytest.mark.sampled(8)] * (k >= 40)) for k in range(400)])
def test_random_programs_with_items_are_right_or_refused(seed: int) -> None:
    judge(Items(seed), f"items {seed}")
