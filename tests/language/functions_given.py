"""What helpers are given and give back: lists for arrays, texts, whole numbers, arrays that change."""
from __future__ import annotations

import numpy as np
from corpus import V3, add, section

section("functions_given")


# ------------------------------------------------------------------ places that are cut to whole numbers
def looked_up(table, at):
    cell = at.astype(int)
    rest = at - cell
    return table[cell] * (1.0 - rest) + table[cell + 1] * rest


def table_of_cells(x):
    table = np.sin(np.arange(8.0) * x[0])
    return np.sum(looked_up(table, np.array([0.5, 2.25, 4.75]) * x[1]))


def histogram_of_weights(x):
    bins = np.floor(np.abs(x) * 2.0).astype("int64") % 3
    total = np.zeros(3)
    for i in range(len(x)):
        total[bins[i]] += x[i] ** 2
    return total @ np.array([1.0, 2.0, 3.0])


def whole_by_array(x):
    k = np.array(np.abs(x), dtype=int) % 3
    return np.sum(x[k] * x) + np.sum(x[np.asarray(x * x, np.int32) % 3])


add(table_of_cells, V3, notes="cast to int")
add(histogram_of_weights, V3, notes="cast to int")
add(whole_by_array, V3, notes="cast to int")


# ------------------------------------------------------------------ lists for arrays
def unit(v):
    length = np.linalg.norm(v)
    if length == 0.0:
        return v
    return np.asarray(v) / length


def spread(v):
    n = len(v)
    return np.linalg.norm(v) ** 2 / n if n > 1 else 0.0


def list_as_vector(x):
    a, b = unit([x[0], x[1], 1.0]), unit((x[2], 0.5, x[0]))
    return np.dot(a, b) + spread([x[0], 2.0 * x[1]])


def bent(v):
    if len(v) > 9:
        return v
    return np.arctan(v) + np.log1p(v) - np.square(v)


def list_of_measures(x):
    return np.sum(bent([abs(x[0]), x[1] ** 2, 0.5]))


add(list_as_vector, V3, notes="a list where the callee takes a vector")
add(list_of_measures, V3, notes="a list where the callee takes a vector")


# ------------------------------------------------------------------ arrays that change and are given back
def descended(p, slope):
    p -= 0.1 * slope
    return p


def descended_in_a_loop(x):
    p = np.array([x[0], x[1] * 2.0])
    for _ in range(3):
        p = descended(p, np.cos(p) + x[2])
    return np.sum(p * p)


class Momentum:
    def __init__(self, rate):
        self.rate, self.v = rate, None

    def update(self, p, slope):
        if self.v is None:
            self.v = np.zeros_like(p)
        self.v = 0.5 * self.v - self.rate * slope
        p += self.v
        return p


def momentum_that_gives_back(x):
    method = Momentum(x[0])
    p = x[1:] * 2.0
    for k in range(3):
        p = method.update(p, p ** 3 - k)
    return p[0] * p[1]


def handed_in_turn(x):
    here = np.array([x[0], 2.0])
    for k in range(3):
        there = here
        there *= np.sin(x[:2]) + k
        here = there
    return np.sum(here)


def weights_of(kind, n):
    if isinstance(kind, str):
        kind = np.zeros(n)
    else:
        kind = np.array(kind)
    return kind


def weights_of_either(x):
    total = 0.0
    for kind in ("zeros", [1.0, 2.0, 0.5]):
        w = weights_of(kind, 3)
        w += x
        total += np.sum(w * w * x)
    return total


add(descended_in_a_loop, V3, notes="given back, changed")
add(momentum_that_gives_back, V3, notes="given back, changed")
add(handed_in_turn, V3, notes="two names in turn")
add(weights_of_either, V3, notes="bound anew on every path")


# ------------------------------------------------------------------ order by chance, counts, texts
def ordered(n, seed):
    np.random.seed(seed)
    order = np.arange(n)
    np.random.shuffle(order)
    return order


def in_random_order(x):
    total = x[0]
    for i in ordered(3, 7):
        total = np.sin(total + x[i])
    return total


def shuffled_rows(x):
    rng = np.random.default_rng(3)
    pairs = np.arange(6).reshape(3, 2)
    rng.shuffle(pairs)
    return np.sum(pairs[0] * x[:2]) * x[2]


def payments(rate, years, each):
    found = [rate / each] * (years * each)
    found[-1] += 1.0
    return found


def bond(x):
    return sum(v / (1.0 + x[1] ** 2) ** t for t, v in enumerate(payments(x[0], 2, 2), start=1))


def fixed(x):
    return np.sum(x) * sum(payments(0.5, 2, 2))


def sign_of(kind):
    kind = kind.lower()
    return 1.0 if kind == "call" else -1.0


def sign_of_a_kind(x):
    kind = "Put"
    return sign_of(kind) * np.sum(x ** 3)


add(in_random_order, V3, notes="random")
add(shuffled_rows, V3, notes="random")
add(bond, V3, notes="repeated")
add(fixed, V3, notes="repeated")
add(sign_of_a_kind, V3, notes="a method of a text")
