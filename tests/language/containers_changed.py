"""Containers: lists that are cut, joined and changed while they are used."""
from collections import defaultdict

import numpy as np
from corpus import A, B, add, section

section("containers")
V = np.array([0.5, -0.8, 1.2, 0.3])
M = np.array([[2.0, 1.0], [1.0, 3.0]])


def del_cond(x, y):
    a = [x, y, x * y]
    if x < y:
        del a[0]
    else:
        a[1:] = []
    return a[0] * a[-1]


add(del_cond, A,B, name="nested_del_cond", holomorphic=False)


def del_neg_loop(x, y):
    a = [x, y, x * y, y * y, x * x]
    while len(a) > 2:
        del a[-2]
    return a[0] * a[1]


add(del_neg_loop, A,B, name="nested_del_neg_loop", holomorphic=False)


def del_err(x, y):
    a = [x, y]
    try:
        del a[5]
    except IndexError:
        a.append(x * y)
    return a[-1] * a[0]


add(del_err, A,B, name="nested_del_err", holomorphic=False)


def slice_tuple(x, y):
    a = [x, y, x * y]
    t = (y, y * y)
    a[1:2] = t
    a[3:] = []
    return a[0] * a[1] + a[2]


add(slice_tuple, A,B, name="nested_slice_tuple", holomorphic=False)


def slice_array(v):
    a = [1.0, 2.0, 3.0]
    a[1:2] = v
    return sum(((k + 1) * u * u for k, u in enumerate(a)))


add(slice_array, V, name="nested_slice_array", holomorphic=False)


def slice_order(x, y):
    a = [1.0, 2.0, 3.0]
    log = []

    def f(k):
        log.append(k)
        return k
    a[f(1):f(2)] = [x * f(3), y]
    return a[1] * a[2] * (log[0] * 100 + log[1] * 10 + log[2])


add(slice_order, A,B, name="nested_slice_order", holomorphic=False)


def pop_mid(x, y):
    a = [x, y, x * y, 2.0]
    b = a.pop(1) * a.pop(-1) + a.pop(0)
    return b * a[0]


add(pop_mid, A,B, name="nested_pop_mid", holomorphic=False)


def pop_order(x, y):
    a = [x, y, x * y, 2.0]
    return a[0] * a.pop(0) + a[0] * len(a)


add(pop_order, A,B, name="nested_pop_order", holomorphic=False)


def tuple_aug(x, y):
    t = (x,)
    u = t
    t += (y,)
    t *= 2
    return len(u) * t[3] * t[0]


add(tuple_aug, A,B, name="nested_tuple_aug", holomorphic=False)


def setdefault_val(x, y):
    d = {'a': x}
    u = d.setdefault('a', y * y) * d.setdefault('b', x * y)
    d['a'] = y
    return u * d['b'] * d['a']


add(setdefault_val, A,B, name="nested_setdefault_val", holomorphic=False)


def dd_read(x, y):
    d = defaultdict(list)
    n = len(d['q'])
    d['q'].append(x * y)
    return d['q'][0] * (n + 1) * len(d) + len(d['z']) * x


add(dd_read, A,B, name="nested_dd_read", holomorphic=False)


def dict_list_over(x, y):
    d = {'a': [x], 'b': [y]}
    s = 0.0
    for k in d:
        d[k].append(x * y)
        s = s + sum(d[k])
    return s


add(dict_list_over, A,B, name="nested_dict_list_over", holomorphic=False)


def dict_of_dicts_set(x, y):
    d = {"a": {"u": x}, "b": {}}
    d["b"]["v"] = x * y
    d["b"]["v"] *= d["a"]["u"]
    d["c"] = {"z": y}
    d["c"]["z"] = d["b"]["v"] ** 2
    return d["c"]["z"] * d["a"]["u"]


add(dict_of_dicts_set, A, B)


def cube(x, y):
    c = [[[0.0] * 2 for _ in range(2)] for _ in range(2)]
    for i in range(2):
        for j in range(2):
            for k in range(2):
                c[i][j][k] = x ** (i + 1) * y + (c[i - 1][j][k] if i else 0.0)
    return c[1][1][0] * c[0][1][1]


add(cube, A, B)


def leaves_moved(x, y):
    d = [[x, y], [x * y, 1.0]]
    for _ in range(3):
        d[0][1] = d[1][0]
        d[1][0] = d[0][0] * x
        d[0][0] = d[0][1]
    return d[0][0] * d[1][0] + d[0][1]


add(leaves_moved, A, B)


def truth_of_a_list_that_changes(v):
    kept, s = [], 1.0
    for a in v:
        if kept:
            s = s * a + kept[-1]
        else:
            kept.append(a * a)
    return s


add(truth_of_a_list_that_changes, V)


def truth_or_more(v):
    kept, s = [], 1.0
    for a in v:
        if not kept or kept[-1] < a:
            kept.append(a * a)
        else:
            s = s * kept[-1] * a
    return s + len(kept) * sum(kept)


add(truth_or_more, V, holomorphic=False)


def insertion_sort(x, y):
    a = [x, y, x * y, 0.2]
    for i in range(1, 4):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a[0] + 2 * a[1] + 3 * a[2] ** 2 + 4 * a[3]


add(insertion_sort, A, B, holomorphic=False)


def zip_strict_and_a_default(v, w):
    s = 0.0
    for a, b in zip(v, w, strict=True):
        if b > 2.5:
            continue
        s = s + a * b * b
    return s + max([a for a in w if a > 9.0], default=v[0] * s)


add(zip_strict_and_a_default, V, np.array([2.0, 1.0, 0.5, 3.0]), holomorphic=False)


def zip_strict_of_expressions(v, w):
    y = sum([a * b for a, b in zip(v, w * 2.0, strict=True)])
    for i, (a, b) in enumerate(zip(v[1:], list(w)[1:], strict=True), start=1):
        y = y + a * b * i
    try:
        y = y * sum([a * b for a, b in zip(v, w[1:], strict=True)])
    except ValueError:
        y = y + v[0]
    return y


add(zip_strict_of_expressions, V, np.array([2.0, 1.0, 0.5, 3.0]), holomorphic=False)


def dict_under_two_names(x):
    d = {"a": x}
    e = d
    d["a"] = x * x
    return e["a"] * x


add(dict_under_two_names, A)


def out_under_two_names(v):
    y = np.zeros(4)
    z = np.add(v, 1.0, out=y)
    z[0] = 5.0
    return np.sum(y * v)


add(out_under_two_names, V)
