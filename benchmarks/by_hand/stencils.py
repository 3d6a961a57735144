"""Grids: changed in place, or made anew for each step; by slices and by items; a convolution."""
from __future__ import annotations

import numpy as np

from ..deriving import heat
from .program import Program, normal, positive


# ------------------------------------------------------------------ a line, in place
def heat_by_hand(u, k, steps):
    u, tape = u.copy(), []
    for _ in range(steps):
        bent = u[2:] - 2.0 * u[1:-1] + u[:-2]
        tape.append(bent)
        u[1:-1] += k * bent
    bu, bk = 2.0 * u, 0.0
    for bent in reversed(tape):
        bk += np.vdot(bu[1:-1], bent)
        g = k * bu[1:-1]
        bu[2:] += g
        bu[:-2] += g
        bu[1:-1] -= 2.0 * g
    return bu, bk


# ------------------------------------------------------------------ a plane, in place
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


# ------------------------------------------------------------------ a plane without edges, in whole arrays
def fisher(u, spread, rate, steps):
    for _ in range(steps):
        near = np.roll(u, 1, axis=0) + np.roll(u, -1, axis=0) + np.roll(u, 1, axis=1) + np.roll(u, -1, axis=1) - 4.0 * u
        u = u + spread * near + rate * u * (1.0 - u)
    return np.mean(u * u)


def fisher_by_hand(u, spread, rate, steps):
    def around(v):
        near = np.roll(v, 1, axis=0)
        near += np.roll(v, -1, axis=0)
        near += np.roll(v, 1, axis=1)
        near += np.roll(v, -1, axis=1)
        near -= 4.0 * v
        return near

    tape = []
    for _ in range(steps):
        near = around(u)
        tape.append((u, near))
        u = u + spread * near + rate * u * (1.0 - u)
    bu, bspread, brate = 2.0 / u.size * u, 0.0, 0.0
    for u, near in reversed(tape):
        bspread += np.vdot(bu, near)
        brate += np.vdot(bu, u * (1.0 - u))
        bu = bu * (1.0 + rate * (1.0 - 2.0 * u)) + spread * around(bu)
    return bu, bspread, brate


# ------------------------------------------------------------------ items in place, each from those that are new
def seidel(u, steps):
    u = u.copy()
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.2 * (u[i, j] + u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return np.sum(u * u)


def seidel_by_hand(u, steps):
    u = u.copy()
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.2 * (u[i, j] + u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    bu = 2.0 * u
    for _ in range(steps):
        for i in range(n - 2, 0, -1):
            for j in range(m - 2, 0, -1):
                g = 0.2 * bu[i, j]
                bu[i, j] = g
                bu[i - 1, j] += g
                bu[i + 1, j] += g
                bu[i, j - 1] += g
                bu[i, j + 1] += g
    return (bu,)


# ------------------------------------------------------------------ a convolution, by a loop over the kernel
def convolved(x, w, target):
    out = np.zeros(len(x) - len(w) + 1)
    for j in range(len(w)):
        out += w[j] * x[j:j + len(out)]
    return np.sum((out - target) ** 2)


def convolved_by_hand(x, w, target):
    n = len(x) - len(w) + 1
    out = np.zeros(n)
    for j in range(len(w)):
        out += w[j] * x[j:j + n]
    g = 2.0 * (out - target)
    bx, bw = np.zeros_like(x), np.empty_like(w)
    for j in range(len(w)):
        bw[j] = np.vdot(g, x[j:j + n])
        bx[j:j + n] += w[j] * g
    return bx, bw


PROGRAMS = (
    Program(heat, heat_by_hand, lambda n: (positive(n), 0.1, 50), (0, 1), (100, 10_000)),
    Program(reaction, reaction_by_hand, lambda n: (0.1 * positive(n, n), 0.1, 0.2, 20), (0, 1, 2), (64, 256)),
    Program(fisher, fisher_by_hand, lambda n: (0.1 * positive(n, n), 0.1, 0.2, 20), (0, 1, 2), (64, 256)),
    Program(seidel, seidel_by_hand, lambda n: (positive(n, n), 3), (0,), (20,)),
    Program(convolved, convolved_by_hand, lambda n: (normal(n + 4), normal(5), normal(n)), (0, 1), (100, 10_000)),
)
