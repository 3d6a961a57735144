"""Programs of whose loops trips are drawn: functions that are called, branches, loops in loops, containers."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

XS, TWO = np.array([0.3, -0.8, 1.1]), np.array([0.3, -0.8])
ROWS = np.array([[0.3, 1.0], [-0.2, 0.5], [0.9, 0.1]])


# ------------------------------------------------------------------ functions that are called
def inner(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = np.tanh(w * x)
        total += np.exp(h * v) * h
    return total


def twice(w: Any, v: Any, xs: Any) -> Any:
    a, b = inner(w, v, xs), inner(v, w, xs)
    return np.sqrt(a * a + b * b)


def middle(w: Any, v: Any, xs: Any) -> Any:
    return np.sin(inner(w, v, xs)) * w


def nested_calls(w: Any, v: Any, xs: Any) -> Any:
    return middle(w, v, xs) + middle(v, w, xs) ** 2


def one_after_another(w: Any, v: Any, xs: Any) -> Any:
    """The paths of the second call lie behind those of the first."""
    return inner(inner(w, v, xs), v, xs)


def called_in_a_loop(w: Any, v: Any, xs: Any) -> Any:
    h = w
    for _ in range(2):
        h = np.tanh(h * inner(v, 0.5, xs))
    return h


def called_in_a_drawn_loop(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = np.tanh(w * x)
        total += inner(w, v * h, xs)
    return total * total


def loop_in_loop(w: Any, v: Any, xs: Any) -> Any:
    h = w
    for _ in range(2):
        s = 0.0
        for x in xs:
            r = np.sin(v * x)
            s += np.exp(r) * r
        h = np.tanh(h * s)
    return h


def loop_in_a_call_in_a_loop(w: Any, v: Any, xs: Any) -> Any:
    h = w
    for _ in range(2):
        h = np.sin(h) * loop_in_loop(w, v, xs)
    return h


def while_around(w: Any, v: Any, xs: Any) -> Any:
    h, i = w, 0
    while i < 2:
        s = 0.0
        for x in xs:
            r = np.sin(v * x)
            s += np.exp(r) * r
        h = np.tanh(h * s)
        i += 1
    return h


def calls_itself(w: Any, v: Any, xs: Any, n: int = 2) -> Any:
    if n <= 0:
        return w
    s = 0.0
    for x in xs:
        r = np.sin(v * x)
        s += np.exp(r) * r
    return calls_itself(w, v, xs, n - 1) * s


class Model:
    def __init__(self, w: Any) -> None:
        self.w = w

    def loss(self, v: Any, xs: Any) -> Any:
        return inner(self.w, v, xs)


def method(w: Any, v: Any, xs: Any) -> Any:
    return Model(w).loss(v, xs) ** 2


def closure(w: Any, v: Any, xs: Any) -> Any:
    def g(u: Any) -> Any:
        t = 0.0
        for x in xs:
            h = np.sin(u * x)
            t += np.exp(h * v) * h
        return t
    return g(w) * g(v)


def branch(w: Any, v: Any, xs: Any) -> Any:
    if v > 0:
        total = 0.0
        for x in xs:
            h = np.tanh(w * x)
            total += np.exp(h) * h
    else:
        total = v * w
    return np.sqrt(total + 5.0)


def branch_in_a_call(w: Any, v: Any, xs: Any) -> Any:
    return branch(w, v, xs) * branch(w, -v, xs)


# ------------------------------------------------------------------ what a trip does
def left_early(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = np.tanh(w * x)
        total += np.exp(h) * h
        if total > -0.1:
            break
    else:
        total = total * v
    return total ** 2


def left_early_in_calls(w: Any, v: Any, xs: Any) -> Any:
    return left_early(w, v, xs) * left_early(w + 1.0, v, xs)


def returned_early(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = np.tanh(w * x)
        total += np.exp(h) * h
        if total > 100.0:
            return total
    return total ** 2


def left_of_a_range(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    for i in range(len(xs)):
        if i > 1:
            break
        h = np.tanh(w * xs[i])
        total += np.exp(h) * h
    return total ** 2


def branches_deep(w: Any, v: Any, xs: Any) -> Any:
    total, product = 0.0, w
    for x in xs:
        if x > 0:
            product = product * np.cos(x)
            if x > 0.5:
                h = np.tanh(w * x)
                total += np.exp(h) * h * product
            else:
                total += np.sin(w * x) ** 2
        else:
            h = np.exp(w * x)
            total += h * h
    return total ** 2


def left_out(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        h = np.tanh(w * x)
        total += np.exp(h) * h
    return total ** 2


def with_errors_ignored(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    with np.errstate(all="ignore"):
        for x in xs:
            with np.errstate(over="ignore"):
                h = np.tanh(w * x)
                total += np.exp(h) * h
    return total ** 2


def tried(w: Any, v: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        try:
            h = np.tanh(w * x)
            total += np.exp(h) * h
        except ZeroDivisionError:
            total += w
    return total ** 2


def functions(w: Any, v: Any, xs: Any) -> Any:
    """The gradient of a list of functions is one of what they hold."""
    fs = [lambda u: inner(u, v, xs), lambda u: inner(u, w, xs)]
    t = 1.0
    for f in fs:
        t = t * f(w)
    return t


CALLED: dict[str, tuple[Callable[..., Any], Any]] = {
    "twice": (twice, XS), "nested": (nested_calls, XS), "chain": (one_after_another, TWO),
    "in a loop": (called_in_a_loop, TWO), "in a drawn loop": (called_in_a_drawn_loop, XS),
    "loop in loop": (loop_in_loop, TWO), "loop in call in loop": (loop_in_a_call_in_a_loop, TWO),
    "while": (while_around, TWO), "itself": (calls_itself, TWO), "method": (method, XS), "closure": (closure, XS),
    "branch": (branch, XS), "branch in a call": (branch_in_a_call, XS), "left early": (left_early, XS),
    "left early in calls": (left_early_in_calls, XS), "returned early": (returned_early, XS),
    "left of a range": (left_of_a_range, XS), "branches": (branches_deep, XS), "left out": (left_out, XS),
    "with": (with_errors_ignored, XS), "try": (tried, XS), "functions": (functions, TWO)}


# ------------------------------------------------------------------ containers
def in_a_dict(p: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = np.tanh(p["w"] * x + p["b"])
        total += np.exp(h) * h
    return total ** 2


def in_a_tuple(p: Any, xs: Any) -> Any:
    w, b = p
    total = 0.0
    for x in xs:
        h = np.tanh(w * x + b)
        total += np.exp(h) * h
    return total ** 2


def layers(ps: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = x
        for p in ps:
            h = np.tanh(p["w"] * h + p["b"])
        total += np.exp(h) * h
    return total ** 2


def weights(ws: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = x
        for w in ws:
            h = np.tanh(w * h)
        total += np.exp(h) * h
    return total ** 2


def dict_items(p: Any, xs: Any) -> Any:
    total = 0.0
    for x in xs:
        h = x
        for _, w in p.items():
            h = np.tanh(h * w)
        total += np.exp(h) * h
    return total ** 2


def predicted(p: Any, x: Any) -> Any:
    return np.tanh(p["w"] @ x + p["b"])


def matrices(p: Any, rows: Any) -> Any:
    total = 0.0
    for row in rows:
        h = predicted(p, row)
        total += np.sum(h * h)
    return np.sqrt(total)


DICT = {"w": 0.7, "b": 0.2}
HELD: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "dict": (in_a_dict, (DICT, XS)), "tuple": (in_a_tuple, ((0.7, 0.2), XS)), "list": (in_a_tuple, ([0.7, 0.2], XS)),
    "list of dicts": (layers, ([DICT, {"w": 0.5, "b": 0.1}], TWO)), "list of weights": (weights, ([0.7, 0.2], XS)),
    "items": (dict_items, (DICT, XS)),
    "matrices": (matrices, ({"w": np.array([[0.3, 0.2], [0.1, -0.4]]), "b": np.array([0.1, 0.2])}, ROWS))}
