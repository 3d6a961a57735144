"""Containers: lists and tuples in lists, in dicts and from helpers, which NumPy takes for arrays; items that are
no numbers."""

import numpy as np
from corpus import A, B, add, section

section("containers")


def appended(x, y):
    points = []
    for i in range(3):
        points.append([x * i, y + i])
    total = 0.0
    for p in points:
        total += np.linalg.norm(p)
    return total


def apart(p, q):
    return np.linalg.norm(np.subtract(p, q))


def path_length(x, y):
    points = [(x, 1.0), (2.0, y), (x * y, 0.0)]
    return sum(apart(p, q) for p, q in zip(points, points[1:]))


def by_key(x, y):
    sides = {"a": [x, 1.0], "b": [2.0, y]}
    for k, v in sides.items():
        x = x * np.prod(v) + np.max(sides[k])
    return x * np.linalg.norm(sides["a"]) * np.exp(sides["b"]).sum()


def both(x, y):
    return [x, x * y], (y, 2.0)


def from_helper(x, y):
    a, b = both(x, y)
    return np.linalg.norm(a) * np.tanh(b).sum() + np.square(both(y, x)[0]).sum()


def longest(x, y):
    best = None
    for p in [[x, 1.0], [2.0, y], [x, x]]:
        if best is None or np.linalg.norm(p) > np.linalg.norm(best):
            best = p
    return best[0] * np.hypot(best, 1.0).sum()


def either(x, y):
    a = (x, 1.0) if x > 0 else np.array([2.0, y])
    return np.linalg.norm(a) * np.tanh(a).sum() * y


def worked_off(x, y):
    found = []
    open_ = [[x, y]]
    while open_:
        p = open_.pop()
        found.append(np.sum(np.exp(p)))
        if len(found) < 3:
            open_.append([p[1] * x, p[0]])
    return np.prod(found)


def rates(x, y):
    rows = [[x, 1.0], [2.0, y]]
    m = np.array(rows)
    s = 0.0
    for r in rows:
        s = s + (m - r).sum() * np.add(m[0], r).prod() + np.dot(m, r).sum() + np.cumsum(r)[0] * np.sort(r)[1]
    return s


def some_are_texts(x, y):
    total = 1.0
    for one in [x, 2.0, "+", y, None, x]:
        if isinstance(one, str):
            total = total * y
        elif one is not None:
            total = total * one
    return total


for _function in (appended, path_length, by_key, from_helper, longest, either, worked_off, rates, some_are_texts):
    add(_function, A, B, name=f"as_arrays_{_function.__name__}", holomorphic=False)
