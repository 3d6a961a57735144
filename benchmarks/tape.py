"""How many bytes of saved values are alive between the two sweeps of a gradient, and how many an expert would save.

Counted are the numbers on the tapes (the lists `*_saved` of the generated code) when the backward sweep begins: arrays
with the memory that they hold, each once, numbers with 8 bytes. Nothing is timed. Beside it stands what an expert would
save for the same adjoint: the values of which a partial derivative, a test or an index reads the numbers, and none for
shapes, sums, copies and first writes.

    python -m benchmarks.tape [--quick]
"""
from __future__ import annotations

import argparse
import gc
import re
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

import tangent_nb as tnb


def heat(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return np.sum(u * u)


def heat_view(u, k, steps):
    u = u.copy()
    inside = u[1:-1, 1:-1]
    for _ in range(steps):
        inside += k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * inside)
    return np.sum(u * u)


def heat_buffers(u, k, steps):
    u = u.copy()
    v = u.copy()
    for _ in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + k \
            * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        u, v = v, u
    return np.sum(u * u)


def heat_of_u(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        c = k * np.exp(-u[1:-1, 1:-1])
        u[1:-1, 1:-1] += c * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
    return np.sum(u * u)


def heat_loops(u, k, steps):
    n, m = u.shape
    for _ in range(steps):
        v = np.zeros((n, m))
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = u[i, j] + k * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - 4 * u[i, j])
        u = v
    return np.sum(u * u)


def jacobi(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2]) + k
    return np.sum(u * u)


def seidel(u, k, steps):
    u = u.copy()
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1]) + k
    return np.sum(u * u)


def fdtd(e, k, steps):
    e = e.copy()
    h = np.zeros_like(e)
    for _ in range(steps):
        h[:-1] += k * (e[1:] - e[:-1])
        e[1:] += k * (h[1:] - h[:-1])
    return np.sum(e * e)


def lu(A, k, steps):
    A = A.copy()
    n = len(A)
    for j in range(n - 1):
        A[j + 1:, j] /= A[j, j]
        A[j + 1:, j + 1:] -= np.outer(A[j + 1:, j], A[j, j + 1:])
    return np.sum(np.log(np.abs(np.diag(A))))


def thomas(d, k, steps):
    n = len(d)
    d = d.copy()
    b = np.full(n, 4.0)
    for i in range(1, n):
        w = k / b[i - 1]
        b[i] -= w * k
        d[i] -= w * d[i - 1]
    x = np.zeros(n)
    x[n - 1] = d[n - 1] / b[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - k * x[i + 1]) / b[i]
    return np.sum(x * x)


def floyd_warshall(D, k, steps):
    D = D.copy()
    for j in range(len(D)):
        D[:] = np.minimum(D, D[:, j:j + 1] + D[j:j + 1, :])
    return np.sum(D)


class Case(NamedTuple):
    """bytes: what an expert saves, for n×n (or n) numbers and some steps; reason: what that is."""

    function: Callable[..., Any]
    wrt: str | tuple[str, ...]
    small: bool
    flat: bool
    bytes: Callable[[int, int], int]
    reason: str


def inside(n: int, steps: int) -> int:
    return steps * (n - 2) ** 2 * 8


def nothing(n: int, steps: int) -> int:
    return 0


def whole(n: int, steps: int) -> int:
    return steps * n * n * 8


LINEAR = "linear in u: no number"
LAPLACIAN = "the Laplacian of each step, which k multiplies"
U = "u of each step, of which the Laplacian is computed again"
CASES = (
    Case(heat, "u", False, False, nothing, LINEAR),
    Case(heat, ("u", "k"), False, False, inside, LAPLACIAN),
    Case(heat_view, "u", False, False, nothing, LINEAR),
    Case(heat_view, ("u", "k"), False, False, inside, LAPLACIAN),
    Case(heat_buffers, "u", False, False, nothing, LINEAR),
    Case(heat_buffers, ("u", "k"), False, False, whole, U),
    Case(heat_of_u, ("u", "k"), False, False, lambda n, steps: 3 * inside(n, steps),
         "u inside, the Laplacian, and k exp(-u), of each step"),
    Case(heat_loops, "u", True, False, nothing, LINEAR),
    Case(heat_loops, ("u", "k"), True, False, whole, U),
    Case(jacobi, ("u", "k"), False, False, nothing, "linear in u and k: no number"),
    Case(seidel, ("u", "k"), True, False, nothing, "linear in u and k: no number"),
    Case(fdtd, "e", False, False, nothing, "linear in e: no number"),
    Case(fdtd, ("e", "k"), False, False, lambda n, steps: 2 * steps * (n - 1) * n * 8,
         "the two differences of each step"),
    Case(lu, "A", False, False, lambda n, _: 8 * (sum(i + i * i + 1 for i in range(1, n))),
         "of each step the column, and the rest, which later steps overwrite, with the pivot"),
    Case(thomas, ("d", "k"), False, True, lambda n, _: 8 * (5 * n),
         "d, b and x, which are not overwritten again, w, and the old b and d"),
    Case(floyd_warshall, "D", False, False, lambda n, _: 2 * n * n * n * 8,
         "D and the sums of each step, which the minimum compares"),
)


def tape_bytes(df: Callable[..., Any], *args: Any) -> int:
    """The bytes on the tapes of a gradient when its backward sweep begins."""
    text = tnb.source(df)
    turn = next(i for i, line in enumerate(text.split("\n"), 1) if line.strip() == "# backward")
    name = re.match(r"def (\w+)", text).group(1)           # type: ignore[union-attr]
    found: list[int] = []

    def lines(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and frame.f_lineno > turn and not found:
            memory: dict[int, int] = {}
            numbers = sum(_held(value, memory) for variable, value in frame.f_locals.items()
                          if isinstance(value, list) and re.search(r"_saved(_\d+)?$", variable))
            found.append(numbers + sum(memory.values()))
        return lines

    before = sys.gettrace()
    sys.settrace(lambda frame, event, _: lines if frame.f_code.co_name == name else None)
    try:
        df(*args)
    finally:
        sys.settrace(before)
    return found[0]


def _held(value: Any, memory: dict[int, int]) -> int:
    """The bytes of the numbers that a value holds; those of arrays by the address of their memory."""
    if isinstance(value, np.ndarray):
        while isinstance(value.base, np.ndarray):
            value = value.base
        if 0 not in value.strides or value.size <= 1:
            memory[value.__array_interface__["data"][0]] = value.nbytes
        return 0
    if isinstance(value, (list, tuple)):
        return sum(_held(item, memory) for item in value)
    return 8 if isinstance(value, (int, float, np.generic)) else 0


def arguments(case: Case, n: int, steps: int) -> tuple[Any, ...]:
    """A point at which all of them are smooth."""
    start = np.random.default_rng(0).standard_normal(n if case.flat else (n, n))
    if case.function is lu:
        start += 2.0 * n * np.eye(n)
    return abs(start) if case.function is floyd_warshall else start, 0.1, steps


def measured(n: int, steps: int, cases: Iterable[Case] = CASES) -> Iterator[tuple[Case, int, int]]:
    """Each case with the bytes that are saved, and those that an expert saves."""
    for case in cases:
        size, trips = (max(n // 4, 4), max(steps // 20, 2)) if case.small else (n, steps)
        df = tnb.grad(case.function, wrt=case.wrt)
        yield case, tape_bytes(df, *arguments(case, size, trips)), case.bytes(size, trips)


def peak(case: Case, n: int, steps: int) -> int:
    """The most bytes that the gradient has allocated at once."""
    df, args = tnb.grad(case.function, wrt=case.wrt), arguments(case, n, steps)
    gc.collect()
    tracemalloc.start()
    try:
        df(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description="The bytes that gradients of programs that change arrays save.")
    parser.add_argument("--quick", action="store_true", help="a 16x16 grid, 20 steps")
    given = parser.parse_args()
    n, steps = (16, 20) if given.quick else (64, 200)
    print(f"NumPy {np.__version__}, {n}x{n} numbers, {steps} steps (plain loops: {n // 4}x{n // 4}, {steps // 20})\n")
    print(f"{'function':<16}{'wrt':<8}{'bytes saved':>14}{'an expert':>14}{'peak':>14}   an expert saves")
    for case, saved, expert in measured(n, steps):
        size, trips = (n // 4, steps // 20) if case.small else (n, steps)
        wrt = case.wrt if isinstance(case.wrt, str) else ", ".join(case.wrt)
        print(f"{case.function.__name__:<16}{wrt:<8}{saved:>14,}{expert:>14,}{peak(case, size, trips):>14,}   "
              f"{case.reason}")


if __name__ == "__main__":
    main()
