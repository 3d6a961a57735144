"""The part of the corpus about dicts that a function makes, goes over by their keys, and passes on as keywords."""
from __future__ import annotations

import numpy as np
from corpus import V3, W3, add, section

section("dicts")


def keys_listed(x, u):
    e = {"a": x, "b": u}
    items = list(e)
    return np.sum(e[items[0]] * e["b"])


def keys_sorted(x, u):
    e = {"b": x, "a": u}
    total = 0.0
    for i, k in enumerate(sorted(e)):
        total = total + (i + 1) * np.sum(e[k] * u)
    return total


def keys_beside_others(x, u):
    e = {"a": x, "b": u}
    total = 0.0
    for k, w in zip(e, [x, u]):
        total = total + np.sum(e[k] * w)
    for i, k in enumerate(e):
        total = total + i * np.sum(e[k] * u)
    for k in reversed(e):
        total = total * np.sum(e[k] * u)
    return total


def keys_taken_apart(x, u):
    e = dict(a=x, b=u)  # noqa: C408
    first, second = e
    both = [*e]
    return np.sum(e[first] * e[second] * e[both[1]]) + np.sum(e[min(e)] * e[max(e)])


def keys_chosen(x, u):
    e = {"a": x, "b": u}
    total = np.sum(e["a"])
    names = [k for k in e if k != "b"]
    for k in names:
        total = total + np.sum(e[k] * u)
    return total


def keys_of_a_dict_that_changes(x, u):
    e = {"a": x, "b": u}
    e["a"] = x * u
    names = tuple(e)
    e[names[1]] = x * x
    return np.sum(e[names[0]] * e["b"]) + len(list(e))


def keys_of_a_dict_that_grows(x, u):
    e = {}
    for i in range(3):
        e[str(i)] = x[i] * u
    total = 0.0
    for k in sorted(e, reverse=True):
        total = total * 0.5 + np.sum(e[k])
    return total


def keys_in_sums(x, u):
    e = {"a": x, "b": u}
    return sum(np.sum(e[k] * u) for k in e) + sum([np.sum(e[k] * u) for k in sorted(e)])


def keys_beside_another_one_of_a_comprehension(x, u):
    e = {"a": x, "b": u}
    flat = [v for e in [[x, u]] for v in e]
    both = [list(e) for e in [[x, u]]]
    return np.sum(flat[0] * both[0][1] * e["a"]) + sum(np.sum(e[k]) for e in [{"a": x}] for k in e)


def _product(a, b):
    return np.sum(a * b)


def keywords_of_a_dict(x, u):
    d = {"a": x, "b": x}
    first = _product(**d)
    d["b"] = u
    return first + _product(**d)


add(keywords_of_a_dict, V3, W3)
for function in (keys_listed, keys_sorted, keys_beside_others, keys_taken_apart, keys_chosen,
                 keys_of_a_dict_that_changes, keys_of_a_dict_that_grows, keys_in_sums,
                 keys_beside_another_one_of_a_comprehension):
    add(function, V3, W3)
