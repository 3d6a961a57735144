"""How long deriving takes. Prints a table of milliseconds of processor time: of importing, of the first derivation of a
process, of some programs; then how it grows: seconds by length, with the exponent e of seconds = c · lengthᵉ.

Needs nothing; with SciPy the first derivation is measured beside it too. With `--quick` the table of growth is left
out. The programs of growing length are also what tests/test_scale.py derives, at lengths that take no time.
"""
from __future__ import annotations

import itertools
import linecache
import math
import platform
import statistics
import subprocess
import sys
import time
import types
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

import tangent_nb as tnb

from .simulation import simulate

IMPORTS = 5                    # of each kind, in fresh interpreters
DERIVATIONS = 9                # of each short program
SCIPY = "scipy.special, scipy.stats, scipy.linalg, scipy.signal, scipy.optimize, scipy.integrate"
LENGTHS = (100, 200, 400, 800, 1600)
HELPERS = (10, 20, 40, 80)
DEPTHS = (5, 10, 20, 40)
LOOPS = (5, 10, 20)
_numbers = itertools.count()


def square(x):
    return x * x


def logsumexp(x):
    return np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


def logsoftmax(logits):
    return logits - logsumexp(logits)


def softmax_xent(logits, y):
    return -np.sum(logsoftmax(logits) * y, axis=-1)


def mlp(x, w1, b1, wout, bout, label):
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, wout) + bout
    loss = np.mean(softmax_xent(out, label))
    return loss


def heat(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def lstm(w, u, b, xs, h, c, target):
    size = h.shape[1]
    for x in xs:
        z = np.dot(x, w) + np.dot(h, u) + b
        i = sigmoid(z[:, :size])
        f = sigmoid(z[:, size:2 * size])
        o = sigmoid(z[:, 2 * size:3 * size])
        g = np.tanh(z[:, 3 * size:])
        c = f * c + i * g
        h = o * np.tanh(c)
    return np.mean((h - target) ** 2)


class Layer:
    """A layer with its weights, as classes with methods hold them."""

    def __init__(self, w, b, slope=0.1):
        self.w, self.b, self.slope = w, b, slope

    @property
    def penalty(self):
        return 1e-3 * np.sum(self.w * self.w)

    def activate(self, z):
        return np.where(z > 0.0, z, self.slope * z)

    def forward(self, x):
        return self.activate(np.dot(x, self.w) + self.b)


class Network:
    """Layers, and a loss over them."""

    def __init__(self, w1, b1, w2, b2):
        self.layers = [Layer(w1, b1), Layer(w2, b2, slope=1.0)]

    def predict(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def loss(self, x, y):
        error = self.predict(x) - y
        return np.mean(error * error) + sum(layer.penalty for layer in self.layers)


def network(w1, b1, w2, b2, x, y):
    return Network(w1, b1, w2, b2).loss(x, y)


def function(lines: Sequence[str]) -> Callable[..., Any]:
    """The function `f` of a program."""
    name = f"<deriving-{next(_numbers)}>"
    text = "".join(line + "\n" for line in lines)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(text, name, "exec"), space)
    made: Callable[..., Any] = space["f"]
    return made


def _value(i: int, x: str) -> str:
    return (f"np.sin({x}) * y", f"{x} + y * {x}", f"{x} / (1.0 + {x} * {x})")[i % 3]


def new_names(n: int) -> Callable[..., Any]:
    """n statements, each of which makes a variable."""
    rows = [f"    v{i} = {_value(i, f'v{i - 1}' if i else 'x')}" for i in range(n)]
    return function(["def f(x, y):", *rows, f"    return np.sum(v{n - 1})"])


def one_name(n: int) -> Callable[..., Any]:
    """n statements that overwrite one variable."""
    return function(["def f(x, y):", *(f"    x = {_value(i, 'x')}" for i in range(n)), "    return np.sum(x)"])


def in_a_loop(n: int) -> Callable[..., Any]:
    """A loop of n statements."""
    rows = [f"        x = {_value(i, 'x')}" for i in range(n)]
    return function(["def f(x, y):", "    for i in range(3):", *rows, "    return np.sum(x)"])


def loops(n: int) -> Callable[..., Any]:
    """n / 2 loops of one statement, one behind the other."""
    rows = [row for i in range(n // 2) for row in ("    for i in range(2):", f"        x = {_value(i, 'x')}")]
    return function(["def f(x, y):", *rows, "    return np.sum(x)"])


def branches(n: int) -> Callable[..., Any]:
    """n / 3 branches, one behind the other."""
    rows = [row for i in range(n // 3)
            for row in (f"    if y > {i}.0:", f"        x = {_value(i, 'x')}", "    else:", "        x = x * y")]
    return function(["def f(x, y):", *rows, "    return np.sum(x)"])


def updates(n: int) -> Callable[..., Any]:
    """n changes of parts of an array."""
    rows = [f"    a[{i % 10}] = np.sum(x) * {i}.0" if i % 2 else f"    a[{i % 10}] += x[{i}] * a[{(i + 1) % 10}]"
            for i in range(n)]
    return function(["def f(x):", "    a = np.zeros(10)", *rows, "    return np.sum(a)"])


def _helper(i: int, inner: str) -> list[str]:
    return [f"def h{i}(t):", "    if np.sum(t) > 1.0:", f"        t = t * {i}.0", f"    return np.sin({inner})"]


def chain(n: int) -> Callable[..., Any]:
    """n helpers, each of which calls the next one."""
    rows = [row for i in range(n) for row in _helper(i, f"h{i + 1}(t)" if i < n - 1 else "t")]
    return function([*rows, "def f(x):", "    return np.sum(h0(x) * x)"])


def fan(n: int) -> Callable[..., Any]:
    """n helpers, all called by one function."""
    rows = [row for i in range(n) for row in _helper(i, "t")]
    return function([*rows, "def f(x):", "    s = x", *(f"    s = s + h{i}(x)" for i in range(n)),
                     "    return np.sum(s)"])


def _nested(n: int, head: Callable[[int, str], list[str]]) -> Callable[..., Any]:
    rows = [row for i in range(n) for row in [*head(i, "    " * (i + 1)), "    " * (i + 2) + "x = np.sin(x) * y"]]
    return function(["def f(x, y):", *rows, "    return np.sum(x)"])


def nested_branches(n: int) -> Callable[..., Any]:
    """Branches, n deep."""
    return _nested(n, lambda i, indent: [f"{indent}if y > {i}.0:"])


def nested_loops(n: int) -> Callable[..., Any]:
    """Loops, n deep: Python allows 20."""
    return _nested(n, lambda i, indent: [f"{indent}for i{i} in range(1):"])


def nested_whiles(n: int) -> Callable[..., Any]:
    """`while`, n deep."""
    return _nested(n, lambda i, indent: [f"{indent}j{i} = 0", f"{indent}while j{i} < 1:", f"{indent}    j{i} += 1"])


def terms(n: int) -> Callable[..., Any]:
    """One expression of n terms, each the left side of the next."""
    return function(["def f(x):", f"    return np.sum({' + '.join(['x'] * n)})"])


def display(n: int) -> Callable[..., Any]:
    """A list display of n items."""
    return function(["def f(x):", f"    a = [{', '.join(f'x * {i}.0' for i in range(n))}]",
                     "    return np.sum(np.array(a))"])


def elifs(n: int) -> Callable[..., Any]:
    """One `if` of n arms."""
    arms = [row for i in range(n)
            for row in (f"    {'elif' if i else 'if'} n == {i}:", f"        y = {_value(i, 'x').replace('y', '0.5')}")]
    return function(["def f(x, n):", *arms, "    else:", "        y = x", "    return np.sum(y)"])


SHORT: dict[str, tuple[Callable[..., Any], int | tuple[int, ...]]] = {
    "x * x": (square, 0), "multilayer perceptron": (mlp, (1, 2, 3, 4)), "heat equation": (heat, (0, 1)),
    "LSTM": (lstm, (0, 1, 2)), "two classes with methods": (network, (0, 1, 2, 3)),
    "a simulation of 167 lines": (simulate, (0, 1))}
LONG: dict[str, Callable[[], Callable[..., Any]]] = {
    "300 statements": lambda: new_names(300), "3,000 statements": lambda: new_names(3000),
    "a sum of 2,500 terms": lambda: terms(2500), "an if of 2,500 arms": lambda: elifs(2500)}
PROGRAMS: dict[Callable[[int], Callable[..., Any]], tuple[int, ...]] = {
    new_names: LENGTHS, one_name: LENGTHS, in_a_loop: LENGTHS, loops: LENGTHS, branches: LENGTHS, updates: LENGTHS,
    terms: LENGTHS, display: LENGTHS, elifs: LENGTHS, chain: HELPERS, fan: HELPERS, nested_branches: DEPTHS,
    nested_loops: LOOPS, nested_whiles: LOOPS}


def derive_time(f: Callable[..., Any], wrt: int | tuple[int, ...] = 0) -> float:
    """Seconds of processor time that `grad` takes, of a new function object with the code of `f`."""
    fresh = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    start = time.process_time()
    tnb.grad(fresh, wrt=wrt)
    return time.process_time() - start


def import_time(module: str, after: str = "") -> float:
    """Seconds of processor time that an import takes in a fresh interpreter, after others."""
    return _in_fresh(f"{after}\nimport time\nstart = time.process_time()\nimport {module}\n"
                     "print(time.process_time() - start)")


def first_time(after: str = "") -> float:
    """Seconds of processor time that the first derivation of a process takes, that of the perceptron, after imports."""
    return _in_fresh(f"{after}\nfrom benchmarks import deriving\n"
                     "print(deriving.derive_time(deriving.mlp, (1, 2, 3, 4)))")


def _in_fresh(program: str) -> float:
    return float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


def exponent(lengths: Sequence[int], seconds: Sequence[float]) -> float:
    """The slope of the straight line through the logarithms."""
    slope, _ = np.polyfit([math.log(n) for n in lengths], [math.log(s) for s in seconds], 1)
    return float(slope)


def _row(what: str, seconds: Sequence[float]) -> None:
    print(f"{what:<48}{1e3 * statistics.median(seconds):10.1f}{1e3 * min(seconds):10.1f}", flush=True)


def programs() -> None:
    """Print how long importing takes, the first derivation, and some programs."""
    print(f"{'milliseconds of the processor':<48}{'median':>10}{'least':>10}")
    _row("import numpy", [import_time("numpy") for _ in range(IMPORTS)])
    _row("import tangent_nb, after numpy", [import_time("tangent_nb", "import numpy") for _ in range(IMPORTS)])
    _row("the first derivation of a process", [first_time() for _ in range(IMPORTS)])
    if find_spec("scipy") is not None:
        _row("  where SciPy is loaded", [first_time(f"import {SCIPY}") for _ in range(IMPORTS)])
        _row("  where scipy.special is loaded", [first_time("import scipy.special") for _ in range(IMPORTS)])
    derive_time(mlp)
    for name, (f, wrt) in SHORT.items():
        _row(name, [derive_time(f, wrt) for _ in range(DERIVATIONS)])
    for name, made in LONG.items():
        _row(name, [derive_time(made())])


def growth() -> None:
    """Print how the time grows with the length."""
    for program, lengths in PROGRAMS.items():
        seconds = [derive_time(program(n)) for n in lengths]
        cells = "".join(f"{f'{n}: {s:.2f}':>14}" for n, s in zip(lengths, seconds, strict=True))
        print(f"{program.__name__:<16}{f'e = {exponent(lengths, seconds):.2f}':>10}{cells}", flush=True)


def main() -> None:
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.system()} {platform.machine()}\n")
    programs()
    if "--quick" not in sys.argv[1:]:
        print()
        growth()


if __name__ == "__main__":
    main()
