"""Loops over numbers and over the items of arrays, `while`, `if` in a loop, arrays that grow."""
from __future__ import annotations

import math

import numpy as np

from ..lattice import lattice_in_place
from .program import Program, normal, positive


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


# ------------------------------------------------------------------ `while`, whose partial derivative is 1
def counting(x, limit):
    while x < limit:
        x = x + 1.0
    return x


def counting_by_hand(x, limit):
    return (1.0,)


# ------------------------------------------------------------------ `while` over numbers, with a tape
def paid_off(debt, rate, payment):
    interest = 0.0
    while debt > payment:
        owed = rate * debt
        interest = interest + owed
        debt = debt + owed - payment
    return interest + debt


def paid_off_by_hand(debt, rate, payment):
    tape = []
    while debt > payment:
        tape.append(debt)
        debt = debt + rate * debt - payment
    bdebt, brate, bpayment = 1.0, 0.0, 0.0
    for debt in reversed(tape):
        bpayment -= bdebt
        bowed = 1.0 + bdebt
        brate += bowed * debt
        bdebt += bowed * rate
    return bdebt, brate, bpayment


# ------------------------------------------------------------------ `if` in a loop
def damped(x, n):
    for _ in range(n):
        if np.sum(x) > 1.0:
            x = x / 2.0
        else:
            x = x + 0.1 * np.sin(x)
    return np.sum(x)


def damped_by_hand(x, n):
    tape = []
    for _ in range(n):
        if x.sum() > 1.0:
            tape.append(None)
            x = x / 2.0
        else:
            tape.append(x)
            x = x + 0.1 * np.sin(x)
    bx = np.ones_like(x)
    for x in reversed(tape):
        if x is None:
            bx /= 2.0
        else:
            bx += 0.1 * bx * np.cos(x)
    return (bx,)


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


# ------------------------------------------------------------------ its items, in a loop
def rosenbrock_loop(x):
    total = 0.0
    for i in range(len(x) - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def rosenbrock_loop_by_hand(x):
    g = np.zeros_like(x)
    for i in range(len(x) - 1):
        head = x[i]
        d = 200.0 * (x[i + 1] - head * head)
        g[i] -= 2.0 * (d * head + 1.0 - head)
        g[i + 1] = d
    return (g,)


# ------------------------------------------------------------------ items of arrays in a loop, functions of `math`
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


# ------------------------------------------------------------------ an array that grows (Listing 8): linear
def lattice_by_hand(x, n):
    rows, columns = x.shape
    return (np.full_like(x, 1.0 / ((rows + n) * columns)),)


PROGRAMS = (
    Program(logistic, logistic_by_hand, lambda n: (0.3, 3.7, n), (0, 1), (1000,)),
    Program(counting, counting_by_hand, lambda n: (0.5, float(n)), (0,), (1000,),
            apart="by hand it is the number 1"),
    Program(paid_off, paid_off_by_hand, lambda n: (100.0, 1.0 / n, 150.0 / n), (0, 1, 2), (1000,)),
    Program(damped, damped_by_hand, lambda n: (0.3 * positive(n), 100), (0,), (10, 1000)),
    Program(rosenbrock, rosenbrock_by_hand, lambda n: (normal(n),), (0,), (10, 10_000)),
    Program(rosenbrock_loop, rosenbrock_loop_by_hand, lambda n: (normal(n),), (0,), (200,)),
    Program(options, options_by_hand, lambda n: (*(positive(n, seed=i) for i in range(3)), 0.03, 0.2), (0, 3, 4),
            (200,)),
    Program(lattice_in_place, lattice_by_hand, lambda n: (normal(1, 200), n), (0,), (20, 100),
            apart="by hand it is one number, for each item"),
)
