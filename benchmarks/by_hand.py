"""How long gradients take, beside those that are written by hand: of the text for all arguments, and of what a call of
`tnb.grad(f)` runs, the text for arguments of such classes, ranks and equal sizes as its own.

Prints for each program and size microseconds of the gradient by hand, the ratios of the two to it (medians of rounds in
which all take turns), and how many lines the text for the arguments has. Each gradient by hand is compared with ours
first. `--quick` measures the first size of each program alone, with fewer rounds. `OPENBLAS_NUM_THREADS=1` keeps other
work on the machine out of the figures.
"""
from __future__ import annotations

import math
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tangent_nb as tnb

from .deriving import lstm, mlp

ROUNDS, QUICK = 41, 11
LEAST = 2e-3                   # seconds that one round of a gradient takes at least


def normal(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape)


# ------------------------------------------------------------------ a perceptron: np.dot, tanh, softmax
def mlp_arguments(n: int) -> tuple[Any, ...]:
    return normal(n, n), normal(n, n), normal(n), normal(n, 10), normal(10), np.eye(10)[np.arange(n) % 10]


def mlp_by_hand(x, w1, b1, wout, bout, label):
    h = np.tanh(x @ w1 + b1)
    out = h @ wout + bout
    e = np.exp(out - out.max(axis=1, keepdims=True))
    g = (e / e.sum(axis=1, keepdims=True) - label) / len(x)
    bz = (g @ wout.T) * (1.0 - h * h)
    return x.T @ bz, bz.sum(axis=0), h.T @ g, g.sum(axis=0)


# ------------------------------------------------------------------ an LSTM: a loop, slices, a tape
def lstm_arguments(n: int) -> tuple[Any, ...]:
    return (0.3 * normal(n, 4 * n), 0.3 * normal(n, 4 * n), normal(4 * n), normal(10, 8, n), normal(8, n), normal(8, n),
            normal(8, n))


def lstm_by_hand(w, u, b, xs, h, c, target):
    n, tape = h.shape[1], []
    for x in xs:
        z = x @ w + h @ u + b
        gates = 1.0 / (1.0 + np.exp(-z[:, :3 * n]))
        g = np.tanh(z[:, 3 * n:])
        i, f, o = gates[:, :n], gates[:, n:2 * n], gates[:, 2 * n:]
        before = c
        c = f * c + i * g
        t = np.tanh(c)
        tape.append((x, h, before, i, f, o, g, t))
        h = o * t
    bw, bu, bb, bc = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b), np.zeros_like(c)
    bh = 2.0 / h.size * (h - target)
    bz = np.empty((len(h), 4 * n))
    for x, h, before, i, f, o, g, t in reversed(tape):
        bc = bc + bh * o * (1.0 - t * t)
        bz[:, :n] = bc * g * i * (1.0 - i)
        bz[:, n:2 * n] = bc * before * f * (1.0 - f)
        bz[:, 2 * n:3 * n] = bh * t * o * (1.0 - o)
        bz[:, 3 * n:] = bc * i * (1.0 - g * g)
        bw += x.T @ bz
        bu += h.T @ bz
        bb += bz.sum(axis=0)
        bh, bc = bz @ u.T, bc * f
    return bw, bu, bb


# ------------------------------------------------------------------ slices of one array
def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def rosenbrock_by_hand(x):
    head = x[:-1]
    d = 200.0 * (x[1:] - head * head)
    g = np.zeros_like(x)
    g[:-1] = -2.0 * d * head - 2.0 * (1.0 - head)
    g[1:] += d
    return (g,)


# ------------------------------------------------------------------ numbers in a loop
def logistic(x, r, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def logistic_by_hand(x, r, n):
    tape = []
    for _ in range(n):
        tape.append(x)
        x = r * x * (1.0 - x)
    bx, br = 1.0, 0.0
    for x in reversed(tape):
        br += bx * x * (1.0 - x)
        bx *= r * (1.0 - 2.0 * x)
    return bx, br


# ------------------------------------------------------------------ items of arrays in a loop
def options(spot, strike, years, rate, volatility):
    total = 0.0
    for i in range(len(spot)):
        spread = volatility * math.sqrt(years[i])
        d = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread
        total = total + spot[i] * math.erf(d) - strike[i] * math.exp(-rate * years[i]) * math.erf(d - spread)
    return total


def options_by_hand(spot, strike, years, rate, volatility):
    bspot, brate, bvolatility = np.empty_like(spot), 0.0, 0.0
    slope = 2.0 / math.sqrt(math.pi)
    for i in range(len(spot)):
        s, k, t = spot[i], strike[i], years[i]
        root = math.sqrt(t)
        spread = volatility * root
        d = (math.log(s / k) + (rate + 0.5 * volatility * volatility) * t) / spread
        discounted, less = k * math.exp(-rate * t), math.erf(d - spread)
        bless = -discounted * slope * math.exp(-(d - spread) ** 2)
        bd = s * slope * math.exp(-d * d) + bless
        bspot[i] = math.erf(d) + bd / spread / s
        brate += discounted * t * less + bd / spread * t
        bvolatility += bd / spread * t * volatility - (bless + bd * d / spread) * root
    return bspot, brate, bvolatility


# ------------------------------------------------------------------ a stencil in place
def reaction(u, alpha, rate, steps):
    u = u.copy()
    for _ in range(steps):
        c = u[1:-1, 1:-1]
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * c
        u[1:-1, 1:-1] = c + alpha * near + rate * c * (1.0 - c)
    return np.sum(u * u)


def reaction_by_hand(u, alpha, rate, steps):
    u, tape = u.copy(), []
    for _ in range(steps):
        c = u[1:-1, 1:-1].copy()
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * c
        u[1:-1, 1:-1] = c + alpha * near + rate * c * (1.0 - c)
        tape.append((c, near))
    bu, balpha, brate = 2.0 * u, 0.0, 0.0
    for c, near in reversed(tape):
        g = bu[1:-1, 1:-1].copy()
        balpha += np.vdot(g, near)
        brate += np.vdot(g, c * (1.0 - c))
        spread = alpha * g
        bu[1:-1, 1:-1] = g * (1.0 + rate * (1.0 - 2.0 * c)) - 4.0 * spread
        bu[:-2, 1:-1] += spread
        bu[2:, 1:-1] += spread
        bu[1:-1, :-2] += spread
        bu[1:-1, 2:] += spread
    return bu, balpha, brate


# ------------------------------------------------------------------ a function that is called
def slope(y, k):
    """Two species that feed on each other."""
    grown = k[0] * y[0] - k[1] * y[0] * y[1]
    eaten = k[2] * y[0] * y[1] - k[3] * y[1]
    return np.stack((grown, eaten))


def predators(y, k, dt, steps):
    for _ in range(steps):
        a = slope(y, k)
        b = slope(y + 0.5 * dt * a, k)
        y = y + dt * b
    return np.sum(y * y)


def predators_by_hand(y, k, dt, steps):
    def pulled(y, g):
        both = y[0] * y[1]
        by = np.stack((g[0] * (k[0] - k[1] * y[1]) + g[1] * k[2] * y[1],
                       g[1] * (k[2] * y[0] - k[3]) - g[0] * k[1] * y[0]))
        return by, np.array([np.vdot(g[0], y[0]), -np.vdot(g[0], both), np.vdot(g[1], both), -np.vdot(g[1], y[1])])

    tape = []
    for _ in range(steps):
        middle = y + 0.5 * dt * slope(y, k)
        tape.append((y, middle))
        y = y + dt * slope(middle, k)
    by, bk = 2.0 * y, np.zeros_like(k)
    for y, middle in reversed(tape):
        bmiddle, bk_b = pulled(middle, dt * by)
        bagain, bk_a = pulled(y, 0.5 * dt * bmiddle)
        by = by + bmiddle + bagain
        bk += bk_a + bk_b
    return by, bk


@dataclass(frozen=True)
class Program:
    """primal: the function; by_hand: its gradient in `wrt`, as a tuple; arguments: of a size; sizes: which ones."""

    primal: Callable[..., Any]
    by_hand: Callable[..., tuple[Any, ...]]
    arguments: Callable[[int], tuple[Any, ...]]
    wrt: tuple[int, ...]
    sizes: tuple[int, ...]


def positive(*shape: int) -> Any:
    return 1.0 + 0.1 * np.abs(normal(*shape))


PROGRAMS = (
    Program(mlp, mlp_by_hand, mlp_arguments, (1, 2, 3, 4), (10, 128, 500)),
    Program(lstm, lstm_by_hand, lstm_arguments, (0, 1, 2), (16, 64)),
    Program(rosenbrock, rosenbrock_by_hand, lambda n: (normal(n),), (0,), (10, 10_000)),
    Program(logistic, logistic_by_hand, lambda n: (0.3, 3.7, n), (0, 1), (1000,)),
    Program(options, options_by_hand, lambda n: (positive(n), positive(n), positive(n), 0.03, 0.2), (0, 3, 4), (200,)),
    Program(reaction, reaction_by_hand, lambda n: (0.1 * positive(n, n), 0.1, 0.2, 20), (0, 1, 2), (64, 256)),
    Program(predators, predators_by_hand, lambda n: (positive(2, n), positive(4), 0.01, 20), (0, 1), (10, 1000)),
)


def seconds(call: Callable[[], Any], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times


def same(ours: Any, by_hand: Any) -> bool:
    """All parts of two gradients are equal, to rounding."""
    return len(ours) == len(by_hand) and all(np.allclose(a, b, rtol=1e-7, atol=1e-9)
                                             for a, b in zip(ours, by_hand, strict=True))


def lines(text: str) -> int:
    """Lines of code."""
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in text.splitlines())


def measured(program: Program, size: int, rounds: int) -> tuple[float, float, float, int]:
    """Seconds by hand, the ratios of both texts to it, and the lines of the one for the arguments."""
    arguments = program.arguments(size)
    general = tnb.grad(program.primal, wrt=program.wrt, optimized=tnb.PASSES)
    special = tnb.grad(program.primal, wrt=program.wrt)
    calls = [lambda f=f: f(*arguments) for f in (program.by_hand, general, special)]
    expected = calls[0]()
    for call in calls[1:]:
        if not same(call(), expected):
            raise AssertionError(f"{program.primal.__name__}: another gradient than by hand")
    times = [max(1, round(LEAST / max(seconds(call, 1), 1e-9))) for call in calls]
    taken = [[seconds(call, n) for call, n in zip(calls, times, strict=True)] for _ in range(rounds)]
    by_hand = statistics.median(row[0] for row in taken)
    ratios = [statistics.median(row[i] / row[0] for row in taken) for i in (1, 2)]
    return by_hand, ratios[0], ratios[1], lines(next(iter(tnb.versions(special).values())))


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.system()} {platform.machine()}\n")
    print(f"{'program':<14}{'size':>8}{'by hand, µs':>14}{'for all':>10}{'a call':>14}{'lines':>8}")
    found = []
    for program in PROGRAMS:
        for size in program.sizes[:1] if quick else program.sizes:
            by_hand, general, special, count = measured(program, size, QUICK if quick else ROUNDS)
            found.append((general, special))
            print(f"{program.primal.__name__:<14}{size:>8}{1e6 * by_hand:>14.1f}{general:>10.2f}{special:>14.2f}"
                  f"{count:>8}", flush=True)
    means = [math.exp(statistics.fmean(map(math.log, column))) for column in zip(*found, strict=True)]
    print(f"{'geometric mean':<36}{means[0]:>10.2f}{means[1]:>14.2f}")


if __name__ == "__main__":
    main()
