"""How the time of deriving grows with the program. Prints a table of seconds by length, with the exponent e of seconds = c · lengthᵉ.

Needs nothing. The programs are also what tests/test_scale.py derives, at lengths that take no time.
"""
from __future__ import annotations

import itertools
import linecache
import math
import platform
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tangent_nb as tnb

LENGTHS = (100, 200, 400, 800, 1600)
HELPERS = (10, 20, 40, 80)
DEPTHS = (5, 10, 20, 40)
LOOPS = (5, 10, 20)
_numbers = itertools.count()


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
    rows = [row for i in range(n // 3) for row in (f"    if y > {i}.0:", f"        x = {_value(i, 'x')}", "    else:", "        x = x * y")]
    return function(["def f(x, y):", *rows, "    return np.sum(x)"])


def updates(n: int) -> Callable[..., Any]:
    """n changes of parts of an array."""
    rows = [f"    a[{i % 10}] = np.sum(x) * {i}.0" if i % 2 else f"    a[{i % 10}] += x[{i}] * a[{(i + 1) % 10}]" for i in range(n)]
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
    return function([*rows, "def f(x):", "    s = x", *(f"    s = s + h{i}(x)" for i in range(n)), "    return np.sum(s)"])


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
    return function(["def f(x):", f"    a = [{', '.join(f'x * {i}.0' for i in range(n))}]", "    return np.sum(np.array(a))"])


PROGRAMS: dict[Callable[[int], Callable[..., Any]], tuple[int, ...]] = {
    new_names: LENGTHS, one_name: LENGTHS, in_a_loop: LENGTHS, loops: LENGTHS, branches: LENGTHS, updates: LENGTHS, terms: LENGTHS,
    display: LENGTHS, chain: HELPERS, fan: HELPERS, nested_branches: DEPTHS, nested_loops: LOOPS, nested_whiles: LOOPS}


def derive_time(f: Callable[..., Any]) -> float:
    """Seconds of processor time that `grad` takes."""
    start = time.process_time()
    tnb.grad(f)
    return time.process_time() - start


def exponent(lengths: Sequence[int], seconds: Sequence[float]) -> float:
    """The slope of the straight line through the logarithms."""
    slope, _ = np.polyfit([math.log(n) for n in lengths], [math.log(s) for s in seconds], 1)
    return float(slope)


def main() -> None:
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.system()} {platform.machine()}\n")
    derive_time(new_names(3))
    for program, lengths in PROGRAMS.items():
        seconds = [derive_time(program(n)) for n in lengths]
        cells = "".join(f"{f'{n}: {s:.2f}':>14}" for n, s in zip(lengths, seconds, strict=True))
        print(f"{program.__name__:<16}{f'e = {exponent(lengths, seconds):.2f}':>10}{cells}", flush=True)


if __name__ == "__main__":
    main()
