"""The part of the corpus about lists of numbers that NumPy's functions are given: each takes one for an array."""
from __future__ import annotations

import numpy as np
from corpus import V2, V3, V3P, A, add, section

section("lists")


def summed(x):
    pile = []
    for v in x:
        pile.append(v * v)
    return np.sum(pile) * np.mean(pile)


def products(x):
    pile = []
    for v in x:
        pile.append(v * v)
    return np.dot(pile, pile) + np.vdot(pile, x) + np.inner(x, pile) + np.sum(np.outer(pile, pile)) \
        + np.sum(np.kron(x, pile))


def elementwise(x):
    pile = []
    for v in x:
        pile.append(v * x[0])
    return np.sum(np.exp(pile) * np.square(pile)) + np.sum(np.negative(pile)) + np.sum(np.add(pile, pile)) \
        + np.sum(np.unwrap(pile))


def reduced(x):
    pile = []
    for v in x:
        pile.append(v * x[0])
    return np.prod(pile) + np.var(pile) + np.std(pile) + np.linalg.norm(pile) + np.median(pile) \
        + np.average(pile, weights=pile) + np.ptp(pile)


def running(x):
    pile = [x[0]]
    for k in range(2):
        pile.append(pile[k] * x[k + 1])
    return np.sum(np.cumsum(pile) * np.cumprod(pile)) + np.sum(np.diff(pile) ** 2) + np.trapezoid(pile)


def rearranged(x):
    pile = []
    for v in x:
        pile.append(v * v)
    once = np.flip(pile) * np.roll(pile, 1) * np.reshape(pile, (3,)) * np.transpose(pile)
    more = np.sum(np.tile(pile, 2)) + np.sum(np.repeat(pile, 2) * np.arange(6.0)) + np.take(pile, 1) ** 2 \
        + np.sum(np.pad(pile, 1))
    return np.sum(once) + more


def of_signals(x):
    pile = []
    for v in x:
        pile.append(v * v + 1.0)
    return np.polyval(pile, x[0]) + np.sum(np.convolve(pile, pile)) + np.sum(np.cross(pile, x)) \
        + np.interp(0.3, [0.0, 0.5, 1.0], pile)


def by_another_name(s):
    pile = []
    same = pile
    same.append(s)
    same.append(s * s)
    return np.sin(pile)[0] * np.cumsum(pile)[1]


def rows(x):
    pile = []
    for k in range(2):
        pile.append(x * x[k])
    return np.sum(np.exp(pile)) + np.sum(np.dot(pile, x)) + np.sum(np.cumsum(pile, axis=0) ** 2)


def read_behind_a_pop(x):
    """What is last after a pop is another kind of thing than before."""
    pile = [x * x, 2.0]
    pile.pop()
    return np.sum((pile[-1] * 3.0 * np.array([1.0, 2.0])) ** 2)


add(summed, V3, name="lists_summed")
add(read_behind_a_pop, V2, name="lists_read_behind_a_pop")
for function in (products, elementwise, reduced, running, rearranged, of_signals, rows):
    add(function, V3P, name=f"lists_{function.__name__}", holomorphic=False)
add(by_another_name, A, name="lists_by_another_name")


def _taken(pile, i):
    return pile[i]


def _replaced(pile, i, v):
    pile[i] = v
    return pile


def exchanged_in_what_grew(x):
    pile = [x, x[::-1]]
    pile.append(np.sin(_taken(pile, 0)) * x)
    _replaced(pile, 0, x)
    if x[0] > 9:
        x = x * 1.0
    return np.sum(x + np.sin(sum(pile))) * np.sum(pile[2])


def exchanged_and_grown_in_a_loop(x):
    pile = [x, x * x]
    for k in range(3):
        pile.append(_taken(pile, k) * x)
        _replaced(pile, 0, pile[k] * x)
        pile.append(pile[0])
    return np.sum(pile[0] * pile[2] * pile[-1])


def defaults_of_lambdas_in_lambdas(x):
    def again(t, n=2, c=x):
        return t if n == 0 else again(t * c, n - 1)

    first = lambda t, c=x: t * c + x  # noqa: E731
    second = lambda t, c=x[::-1]: t * c + first(x)  # noqa: E731
    return np.sum(second(x) * again(x))


add(exchanged_in_what_grew, V3P, orders=1)
add(exchanged_and_grown_in_a_loop, V3P, orders=1)
add(defaults_of_lambdas_in_lambdas, V3P)
