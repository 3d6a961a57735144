"""Recursion, and functions with several results."""
from __future__ import annotations

import numpy as np
from corpus import V2, V3, V4, W3, A, B, C, add, section

section("functions_recursion")


def horner(c, x):
    if len(c) == 0:
        return 0.0
    return c[0] + x * horner(c[1:], x)


def recursion_on_slices(c, x):
    return horner(c, x) * x


add(recursion_on_slices, V4, A)


def tree_sum(x):
    if x.shape[0] == 1:
        return x[0] * x[0]
    half = x.shape[0] // 2
    return np.sin(tree_sum(x[:half])) + 1.5 * tree_sum(x[half:])


add(tree_sum, V4, name="recursion_divide_and_conquer")


def nested_sum(tree, scale):
    if isinstance(tree, (tuple, list)):
        return sum(nested_sum(t, scale * 0.5) for t in tree)
    return tree * tree * scale


def recursion_on_nested_tuples(x, y):
    return nested_sum((x, (y, [x * y, 2.0]), y), x)


add(recursion_on_nested_tuples, A, B)


def evaluate(expression, env):
    match expression:
        case ("add", left, right):
            return evaluate(left, env) + evaluate(right, env)
        case ("mul", left, right):
            return evaluate(left, env) * evaluate(right, env)
        case ("sin", inner):
            return np.sin(evaluate(inner, env))
        case str(name):
            return env[name]
    return expression


def recursion_interpreter(x, y):
    return evaluate(("add", ("mul", "x", ("sin", "y")), ("mul", "y", 3.0)), {"x": x, "y": y}) * x


add(recursion_interpreter, A, B)


def legendre(n, x):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    return ((2 * n - 1) * x * legendre(n - 1, x) - (n - 1) * legendre(n - 2, x)) / n


def recursion_legendre(x):
    return legendre(4, x) + 0.5 * legendre(3, x) * x


add(recursion_legendre, A)


def geometric_mean(a, g, n):
    return a if n == 0 else geometric_mean(0.5 * (a + g), np.sqrt(a * g), n - 1)


def recursion_tail(a, g):
    return geometric_mean(a, g, 4) * a


add(recursion_tail, A, C)


def fraction(x, depth=0):
    return x if depth >= 5 else depth + 1.0 + x / fraction(x, depth + 1)


def recursion_with_default(x):
    return fraction(x) * fraction(x, 3)


add(recursion_with_default, A)


def simpson(f, a, b, depth):
    m = 0.5 * (a + b)
    if depth == 0:
        return (b - a) / 6.0 * (f(a) + 4.0 * f(m) + f(b))
    return simpson(f, a, m, depth - 1) + simpson(f, m, b, depth - 1)


def recursion_with_function(k, top):
    return simpson(lambda t: np.exp(-k * t * t), 0.0, top, 2)


add(recursion_with_function, A, C)


def descend(x, n, trail):
    trail.append(x * n)
    if n > 0:
        descend(x * x, n - 1, trail)
    return trail


def recursion_filling_a_list(x):
    trail = descend(x, 3, [])
    return trail[0] * trail[1] + trail[2]


add(recursion_filling_a_list, A)


def collatz_like(x, n):
    if n == 1:
        return x
    return even_step(x, n) if n % 2 == 0 else odd_step(x, n)


def even_step(x, n):
    return collatz_like(x * 0.5 + 1.0, n // 2)


def odd_step(x, n):
    return collatz_like(np.sin(x), 3 * n + 1) * 1.5


add(collatz_like, A, 5, name="recursion_of_three")


def several_results(x):
    low, *middle, high = split_up(x)
    return low * high + sum(middle) * low


def split_up(x):
    return x, x * x, np.sin(x), x + 2.0


add(several_results, A)


def mixed_results(v, w):
    def both(a, *, axis=None):
        return np.sum(a, axis=axis), {"mean": np.mean(a), "size": a.size}
    total, info = both(v * w, axis=0)
    return total * info["mean"] * info["size"]


add(mixed_results, V3, W3)


def recursion_on_a_dictionary(w):
    def loss(node):
        own = node["value"] ** 2
        return own + 0.5 * sum(loss(child) * (k + 1) for k, child in enumerate(node.get("children", [])))
    leaf = {"value": w[0] * w[1]}
    return loss({"value": w[0], "children": [leaf, {"value": w[1], "children": [leaf]}]})


add(recursion_on_a_dictionary, V2)
