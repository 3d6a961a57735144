"""Random programs with generators: what they yield, what reads and changes it, and how loops over them are left.

`program(seed)` is the text of a module with a function `f(x)` of an array of three numbers; `judged(seed)` says what
became of its derivatives: "ok", "refused", "raises" (as the function itself does), or what is wrong.
"""
from __future__ import annotations

import contextlib
import io
import linecache
import random
import sys
from typing import Any

import numpy as np

import tangent_nb as tnb
from tangent_nb.errors import TangentError

HEAD = """
import itertools
import numpy as np

class Box:
    def __init__(self, k=1.5):
        self.k, self.seen = k, []

    def up(self, by=0.5):
        self.k = self.k + by

    def walk(self, a):
        for i in range(3):
            self.up(0.25)
            yield a[i] * self.k

    def scaled(self, a):
        for v in a:
            yield v * self.k

    def __iter__(self):
        for i in range(2):
            yield self.k + i

def bump():
    G[0] = G[0] + 0.5

def poke(y):
    y[1] = y[1] * 1.5

def scale(v):
    return v * G[0]

def count():
    k = 0
    while True:
        yield k
        k += 1

def squares(xs):
    for v in xs:
        yield v * v
"""


class Writer:
    def __init__(self, seed: int) -> None:
        self.random, self.lines = random.Random(seed), [HEAD]
        self.made: list[str] = []

    def one(self, *of: str) -> str:
        return self.random.choice(of)

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    # ------------------------------------------------------------------ generators
    def generator(self, name: str) -> None:
        lines = [f"def {name}(a, o, n=3):"]
        lines += ["    " + self.one("a = a * 1.0", "a = np.sin(a)", "b = a.copy()", "total = 0.0", "buf = np.zeros(3)",
                                    "pass") for _ in range(2)]
        lines.insert(1, "    b, total, buf, i = a, 0.0, np.zeros(3), 0")
        body = self.block(2, in_loop=False, depth=0)
        if not any("yield" in line for line in body):
            body.append("yield a[0]")
        self.lines.append("\n".join(lines + ["    " + line for line in body]) + "\n")
        self.made.append(name)

    def block(self, n: int, *, in_loop: bool, depth: int) -> list[str]:
        found: list[str] = []
        for _ in range(n):
            found += self.statement(in_loop=in_loop, depth=depth)
        return found

    def statement(self, *, in_loop: bool, depth: int) -> list[str]:
        kind = self.random.randrange(14)
        if kind < 4:
            return [self.yielded()]
        if kind < 6 and depth < 2:
            head = self.one("for i in range(n):", "for i, w in enumerate(b):", "while np.sum(abs(a)) > 0.4 and i < 4:")
            step = ["a = a * 0.6", "i = i + 1"] if head[0] == "w" else []
            inner = [*step, *self.block(2, in_loop=True, depth=depth + 1), self.yielded()]
            return [head, *["    " + line for line in inner]]
        if kind == 6:
            test = self.one("np.sum(a) > 1.1", "i == 1", "total > 2.0", "n > 2", "a[0] < a[1]")
            leave = ["return", "yield a[1]", "total = total + 1.0", *(["break", "continue"] if in_loop else [])]
            return [f"if {test}:", f"    {self.one(*leave)}"]
        if kind == 7 and self.made:
            return [f"yield from {self.one(*self.made)}(a, o, 2)"]
        if kind == 8 and depth < 2:
            ends = self.one("finally:|    print('end', i)", "finally:|    total = 0.0", "except ValueError:|    pass")
            inner = self.block(1, in_loop=in_loop, depth=depth + 1)
            return ["try:", *["    " + line for line in inner], *ends.split("|")]
        return [self.effect("a")]

    def yielded(self) -> str:
        return "yield " + self.one("a[0]", "a", "np.sum(a)", "a * G[0]", "b[1] * o.k", "buf", "total", "b",
                                   "scale(a[2])", "a[i % 3]", "a[0] * 2.0 + total")

    def effect(self, y: str) -> str:
        return self.one(f"{y} = np.sin({y}) * 1.1", f"{y}[0] = {y}[0] * 0.7", "bump()", "o.up()", f"poke({y})",
                        "G[0] = G[0] * 1.2", "print('g', len(LOG))", "LOG.append(1)", "o.k = o.k * 1.1",
                        "np.multiply(b, 1.1, out=b)" if y == "a" else "np.multiply(y, 1.1, out=y)",
                        "buf[i % 3] = a[0]" if y == "a" else "out.append(s)", "b += 0.1" if y == "a" else "y *= 1.1",
                        f"{y} = {y} + 0.1 * G[0]", "total += 0.3" if y == "a" else "s = s * 1.01",
                        "total = total + a[1]" if y == "a" else "s = s + o.k")

    # ------------------------------------------------------------------ loops
    def call(self) -> str:
        name = self.one(*self.made)
        return self.one(f"{name}(y, box)", f"{name}(x, box, 2)", f"{name}(y * 2.0, box)", f"{name}(y, o)",
                        "box.walk(y)", "o.walk(y)", "o.scaled(y)", f"squares({name}(y, box))",
                        "squares(np.sum(v) for v in y)")

    def source(self) -> tuple[str, str]:
        """A target and what is gone over."""
        call = self.call()
        return self.random.choice([
            ("v", call), ("v", call), ("v", call), ("i, v", f"enumerate({call})"), ("v, w", f"zip({call}, y)"),
            ("w, v", f"zip(range(2), {call})"), ("w, v", f"zip([1.0, 2.0, 3.0], {call})"),
            ("v", f"itertools.islice({call}, 2)"),
            ("v", f"itertools.chain({call}, {self.call()})"),
            ("v, w", f"zip({call}, count())"), ("v", f"(np.sum(u) * o.k for u in {call})"),
            ("v", f"itertools.takewhile(lambda u: np.sum(u) < 3.0, {call})"), ("v", f"map(scale, {call})"),
            ("w, v", f"itertools.pairwise({call})"), ("v", f"itertools.accumulate({call})"), ("v", "o"), ("v", "box")])

    def body(self, depth: int) -> list[str]:
        found = [self.one("s = s + np.sum(v) * 0.5", "s = s + np.sum(v) * np.sum(y)", "s = s * 0.9 + np.sum(v * v)",
                          "s = s + np.sum(v) * o.k * G[0]")]
        for _ in range(self.random.randrange(3)):
            kind = self.random.randrange(8)
            if kind < 3:
                found.append(self.effect("y"))
            elif kind == 3 and depth < 1:
                found += self.loop(depth + 1)
            elif kind == 4:
                test = self.one("s > 2.0", "len(out) > 1", "np.sum(v) > 1.0", "y[0] < 0.3")
                leave = self.one("break", "continue", "return s * 2.0", "s = s + 1.0", "out.append(s)")
                found += [f"if {test}:", f"    {leave}"]
            elif kind == 5:
                found.append(self.one("out.append(v)", "out.append(np.sum(v))", "out += [np.sum(v)]"))
            elif kind == 6:
                leave = self.one("continue", "break", "return s", "pass")
                found.append(leave if self.chance(0.3) else "print('f', len(out))")
            else:
                found.append(self.one("v = v * 2.0", "o = Box(0.7)", "x = x * 1.1", "y = x * 0.9"))
        return found

    def loop(self, depth: int) -> list[str]:
        target, over = self.source()
        found = [f"for {target} in {over}:", *["    " + line for line in self.body(depth)]]
        if self.chance(0.2):
            found += ["else:", "    s = s * 1.5"]
        return found

    def main(self) -> None:
        found = ["y, s, out, o = x * 1.0, 0.0, [], Box(1.2)"]
        for _ in range(1 + self.random.randrange(2)):
            call = self.call()
            if self.chance(0.65):
                found += self.loop(0)
            else:
                found += self.one(
                    f"s = s + sum(np.sum(v) for v in {call})",
                    f"g = {call}|{self.effect('y')}|s = s + sum(np.sum(v) * o.k for v in g)",
                    f"s = s + np.sum(np.array([np.sum(v) for v in {call}]) ** 2)",
                    f"vs = list({call})|s = s + np.sum(vs[0]) * np.sum(vs[-1])",
                    f"s = s + max(np.sum(v) for v in {call})", f"a, *c = {call}|s = s + np.sum(a)",
                    f"s = s + np.sum(next({call}))",
                    f"s = s + np.sum([np.sum(v) * G[0] for v in {call}])").split("|")
            if self.chance(0.3):
                found.append(self.effect("y"))
        found.append("return s + np.sum(y) * 0.1 + o.k + box.k + G[0] + sum(np.sum(v) for v in out)")
        self.lines.append("\n".join(["def f(x):", *["    " + line for line in found]]))


def program(seed: int) -> str:
    """The text of a random program."""
    writer = Writer(seed)
    for name in ("first", "second")[:1 + writer.random.randrange(2)]:
        writer.generator(name)
    writer.main()
    return "\n".join(writer.lines) + "\n"


def loaded(text: str, name: str) -> dict[str, Any]:
    """The module of a text."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": name}
    exec(compile(text, name, "exec"), space)
    space.update(G=np.array([2.0]), LOG=[], box=space["Box"]() if "Box" in space else None)
    return space


X = np.array([0.3, 0.8, 0.5])


def judged(seed: int) -> str:
    """What becomes of the derivatives of a random program."""
    return compared(loaded(program(seed), f"<yielding {seed}>"))


def compared(space: dict[str, Any]) -> str:
    """What becomes of the derivatives of the function of a module."""

    def run(call: Any) -> tuple[Any, str, Any]:
        space["G"][:] = 2.0
        space["LOG"].clear()
        if space["box"] is not None:
            space["box"].__init__()
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            value = call()
        held = float(np.sum(getattr(space["box"], "k", 0.0)))
        return value, said.getvalue(), (float(space["G"][0]), len(space["LOG"]), held)

    def slopes(h: float) -> Any:
        return np.array([(run(lambda: space["f"](X + h * e))[0] - run(lambda: space["f"](X - h * e))[0]) / 2 / h
                         for e in np.eye(3)])

    try:
        value, said, state = run(lambda: space["f"](X.copy()))
        expected, again = slopes(1e-6), slopes(3e-7)
    except Exception as error:
        value, said, state, expected, again = error, "", None, None, None
    if expected is not None and not np.allclose(expected, again, rtol=1e-4, atol=1e-5):
        return "kink"
    found = set()
    for way in ("grad", "raw", "jvp"):
        try:
            if way == "jvp":
                made = tnb.jvp(space["f"])
                got = np.array([run(lambda e=e: made(X.copy(), dx=e))[0] for e in np.eye(3)])
                _, words, after = run(lambda: made(X.copy(), dx=np.eye(3)[0]))
                number = value
            else:
                both = tnb.value_and_grad(space["f"], optimized=way == "grad")
                (number, got), words, after = run(lambda: both(X.copy()))
        except TangentError:
            found.add("refused")
            continue
        except Exception as error:
            found.add("raises" if type(error) is type(value) and str(error) == str(value)
                      else f"{way}: crashed, {type(error).__name__}: {error}")
            continue
        if expected is None:
            found.add(f"{way}: does not raise {value!r}")
        elif not np.allclose(number, value, rtol=1e-9) or not np.allclose(got, expected, rtol=1e-4, atol=1e-5):
            found.add(f"{way}: {number} and {got} in place of {value} and {expected}")
        elif words != said or not np.allclose(after, state):
            found.add(f"{way}: {words!r} {after} in place of {said!r} {state}")
        else:
            found.add("ok")
    wrong = [one for one in found if one not in ("ok", "refused", "raises")]
    return "; ".join(sorted(wrong)) or "/".join(sorted(found))


if __name__ == "__main__":
    import signal
    from collections import Counter

    def late(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    tally: Counter[str] = Counter()
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        signal.alarm(40)
        try:
            result = judged(seed)
        except TimeoutError:
            result = "endless"
        tally[result if len(result) < 20 else "WRONG"] += 1
        if len(result) > 19:
            print(seed, result, flush=True)
    print(tally)
