"""Containers: items that Python computes when it is their turn, and keys that are asked once."""
import itertools
import math

import numpy as np
from corpus import A, C, add, section

section("containers")
V = np.array([0.5, -0.8, 1.2, 0.3])


def zip_of_generators(x, y):
    k, s = 1.0, 0.0
    for a, b in zip((v * k for v in (x, y, x * y)), (w + k for w in (y, x, x))):
        k = k * 2.0 + x
        s = s + a * b
    return s


add(zip_of_generators, A, C, name="in_turn_zip", holomorphic=False)


def enumerated_generator(x, y):
    k, s = 1.0, 0.0
    for i, a in enumerate((v * k for v in (x, y, x * y) if v > 0.0), 2):
        k = k * 2.0 + x
        s = s + a * i
    return s


add(enumerated_generator, A, C, name="in_turn_enumerate", holomorphic=False)


def enumerated_map(x, y):
    rows = [x]
    for i, a in enumerate(map(lambda v: v * rows[-1], (x, y, x * y))):
        rows = [*rows, a + i]
    return rows[-1] * rows[1]


add(enumerated_map, A, C, name="in_turn_map", holomorphic=False)


def generator_with_else(x, y):
    k, s = 1.0, 0.0
    for a in (v * k for v in (x, y, x * y)):
        k = k + a
        s = s + a
    else:
        s = s * k
    return s


add(generator_with_else, A, C, name="in_turn_else", holomorphic=False)


def generator_of_two_loops(x, y):
    k, s = 1.0, 0.0
    for a in (v * k * w for v in (x, y) for w in (x, 2.0)):
        if a > 3.0:
            continue
        k = k * 1.5 + x
        s = s + a
    return s


add(generator_of_two_loops, A, C, name="in_turn_two_loops", holomorphic=False)


def generator_named(x, y):
    h = x
    g = (v * h for v in (x, y, x * y))
    for a, b in zip(g, (y, x, x)):
        h = a + b * h
    return h * x


add(generator_named, A, C, name="in_turn_named", holomorphic=False)


def numbers_named(x, y):
    k, s = 1, 0.0
    g = (i * k for i in range(1, 4))
    for j in g:
        k = k + j
        s = s * y + x * j
    return s


add(numbers_named, A, C, name="in_turn_of_numbers", holomorphic=False)


def none_after_the_end(x, y):
    s = x
    for i, v in enumerate(math.log(q) for q in (x, y, 3.0, x - y)):
        if i == 2 or v > 5.0:
            break
        s = s + v * y
    return s


add(none_after_the_end, A, C, name="in_turn_none_after_the_end", holomorphic=False)


def none_after_the_shorter(x, y):
    s = 0.0
    for a, b in zip((y, x), (math.sqrt(q) for q in (x, y, x - y))):
        s = s + a * b
    return s


add(none_after_the_shorter, A, C, name="in_turn_none_after_the_shorter", holomorphic=False)


def stops_by_itself(x, y):
    k, s = 1.0, 0.0
    for a in itertools.takewhile(lambda v: v * k < 9.0, (x, y, x * y, x + y)):
        k = k * 1.5 + x
        s = s + a * k
    return s


add(stops_by_itself, A, C, name="in_turn_takewhile", holomorphic=False)


def key_binds_what_the_value_reads(x, y):
    d = {(k := i + 1): x * k + y for i in range(3)}
    return d[1] * d[3] * k


add(key_binds_what_the_value_reads, A, C, name="in_turn_key_and_value", holomorphic=False)


def order_by_weights(x, y):
    w = [3, 1, 2]
    o = sorted([(0, x), (1, y), (2, x * y)], key=lambda t: w[t[0]])
    w[0] = -3
    return o[0][1] ** 2 + o[1][1] * w[0]


add(order_by_weights, A, C, name="key_asked_once_sorted", holomorphic=False)


def best_by_a_sign(x, y):
    c = 1.0
    m = max([x, y, x * y], key=lambda v: v * c)
    c = -1.0
    n = max((v * v for v in (x, y, x * y)), key=lambda v: v * c)
    return m * m * n * c


add(best_by_a_sign, A, C, name="key_asked_once_max", holomorphic=False)


def order_changes_in_a_loop(v):
    s, w = 0.0, [1, -1]
    for _ in range(3):
        w[0] = -w[0]
        a = sorted(v, key=lambda q: q * w[0])
        s = s * v[0] + a[0] * a[1] ** 2
    return s


add(order_changes_in_a_loop, V, name="key_asked_once_in_a_loop", holomorphic=False)


def sorted_in_place(x, y):
    a, c = [x, y, x * y], [1]
    a.sort(key=lambda v: v * c[-1])
    c.append(-1)
    a.sort(key=lambda v: v * c[-1])
    return a[0] * a[0] + a[1]


add(sorted_in_place, A, C, name="key_asked_once_sort", holomorphic=False)


def values_of_before(x, y):
    d = {"p": x, "q": y}
    s = 1.0
    for v in list(d.values()):
        s = s * v + x
        d["q"] += s
    return s * d["q"]


add(values_of_before, A, C, name="in_turn_values_of_before", holomorphic=False)


def items_of_before(x, y):
    d = {"p": x, "q": y}
    s = 1.0
    for i, (k, v) in enumerate(list(d.items())):
        s = s * v + i
        d["q"] = s * x
        d[k + k] = v
    return s * d["q"] * d["qq"]


add(items_of_before, A, C, name="in_turn_items_of_before", holomorphic=False)


def values_of_now(x, y):
    d = {"p": x, "q": y}
    s = 1.0
    for v in d.values():
        s = s * v + x
        d["q"] = s * y
    return s * d["q"]


add(values_of_now, A, C, name="in_turn_values_of_now", holomorphic=False)
