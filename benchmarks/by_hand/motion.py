"""What moves, and functions that are called: Runge and Kutta's method, particles, a recursion."""
from __future__ import annotations

import numpy as np

from .program import Program, normal, positive


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


# ------------------------------------------------------------------ Runge and Kutta, a vector of parameters
def lorenz(y, p):
    return np.array([p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]])


def orbit(y, p, dt, steps):
    for _ in range(steps):
        a = lorenz(y, p)
        b = lorenz(y + 0.5 * dt * a, p)
        c = lorenz(y + 0.5 * dt * b, p)
        d = lorenz(y + dt * c, p)
        y = y + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return np.sum(y * y)


def orbit_by_hand(y, p, dt, steps):
    def pulled(y, g):
        by = np.array([g[1] * (p[1] - y[2]) - p[0] * g[0] + g[2] * y[1], p[0] * g[0] - g[1] + g[2] * y[0],
                       -g[1] * y[0] - p[2] * g[2]])
        return by, np.array([g[0] * (y[1] - y[0]), g[1] * y[0], -g[2] * y[2]])

    tape, half = [], 0.5 * dt
    for _ in range(steps):
        a = lorenz(y, p)
        y1 = y + half * a
        b = lorenz(y1, p)
        y2 = y + half * b
        c = lorenz(y2, p)
        y3 = y + dt * c
        tape.append((y, y1, y2, y3))
        y = y + dt / 6.0 * (a + 2.0 * (b + c) + lorenz(y3, p))
    by, bp = 2.0 * y, np.zeros_like(p)
    for y, y1, y2, y3 in reversed(tape):
        sixth = dt / 6.0 * by
        by3, bp3 = pulled(y3, sixth)
        by2, bp2 = pulled(y2, 2.0 * sixth + dt * by3)
        by1, bp1 = pulled(y1, 2.0 * sixth + half * by2)
        by0, bp0 = pulled(y, sixth + half * by1)
        by = by + by0 + by1 + by2 + by3
        bp += bp0 + bp1 + bp2 + bp3
    return by, bp


# ------------------------------------------------------------------ all pairs, by broadcasting
def attraction(x, m):
    apart = x[:, None, :] - x[None, :, :]
    far = np.sqrt(np.sum(apart ** 2, axis=-1) + 0.01)
    return -0.5 * np.sum(m[:, None] * m[None, :] / far)


def attraction_by_hand(x, m):
    apart = x[:, None, :] - x
    near = np.einsum("ijk,ijk->ij", apart, apart)
    near += 0.01
    np.sqrt(near, near)
    np.reciprocal(near, near)
    bm = -(near @ m)
    near **= 3
    near *= m
    near *= m[:, None]
    return np.einsum("ij,ijk->ik", near, apart), bm


# ------------------------------------------------------------------ a function that calls itself
def power(a, n):
    if n == 1:
        return a
    half = power(a, n // 2)
    full = half @ half
    return full @ a if n % 2 else full


def walks(a, n):
    """How many walks of n steps there are, in a graph."""
    return np.sum(power(a, n))


def walks_by_hand(a, n):
    tape, at = [], a
    for bit in bin(n)[3:]:
        full = at @ at
        tape.append((at, full if bit == "1" else None))
        at = full @ a if bit == "1" else full
    g, ba = np.ones_like(a), np.zeros_like(a)
    for half, full in reversed(tape):
        if full is not None:
            ba += full.T @ g
            g = g @ a.T
        g = g @ half.T + half.T @ g
    ba += g
    return (ba,)


PROGRAMS = (
    Program(predators, predators_by_hand, lambda n: (positive(2, n), positive(4), 0.01, 20), (0, 1), (10, 1000)),
    Program(orbit, orbit_by_hand, lambda n: (normal(3), np.array([10.0, 28.0, 8.0 / 3.0]), 0.01, n), (0, 1), (50,)),
    Program(attraction, attraction_by_hand, lambda n: (normal(n, 3), positive(n)), (0, 1), (10, 300)),
    Program(walks, walks_by_hand, lambda n: (np.abs(normal(n, n)) / n, 13), (0,), (10, 128)),
)
