"""Containers: comprehensions and generator expressions, and the builtins that take them."""
import numpy as np
from corpus import M23, M33, P3, V3, V4, W3, A, B, C, add, section

section("containers")


def comp_range(x, n):
    terms = [x ** k / (k + 1) for k in range(n)]
    return sum(terms) * terms[-1]


add(comp_range, A, 4)


def comp_filter(v):
    return sum([a * a for a in v if a > 0.0]) * v[1]


add(comp_filter, V4)


def comp_two_filters(x):
    terms = [x ** k * k for k in range(10) if k % 2 if k > 2]
    return sum(terms) * len(terms)


add(comp_two_filters, A)


def comp_ternary(v):
    parts = [a if a > 0.0 else 0.1 * a * a for a in v]
    return sum(p * p for p in parts)


add(comp_ternary, V4, holomorphic=False)


def comp_two_fors(v, w):
    products = [a * b * (i + 1) for i, a in enumerate(v) for b in w]
    return sum(products) * products[5]


add(comp_two_fors, V3, W3)


def comp_inner_depends_on_outer(x):
    terms = [x ** i * j for i in range(4) for j in range(i) if i + j != 3]
    return sum(terms)


add(comp_inner_depends_on_outer, A)


def comp_nested(x, y):
    table = [[x * i + y * j for j in range(3)] for i in range(2)]
    return table[0][1] * table[1][2] - table[1][0] * table[0][2]


add(comp_nested, A, B)


def comp_transposed(m):
    columns = [[row[j] for row in m] for j in range(3)]
    return columns[0][1] * columns[2][0] + sum(columns[1]) ** 2


add(comp_transposed, M23)


def comp_flattened(x, y):
    rows = [[x, y], [x * y], []]
    flat = [a for row in rows for a in row]
    return flat[0] * flat[1] + 2.0 * flat[2] * len(flat)


add(comp_flattened, A, B)


def comp_zip(v, w):
    return max([a * b for a, b in zip(v, w)]) + sum([a / (1.0 + b * b) for a, b in zip(v, w)])


add(comp_zip, V3, W3, holomorphic=False)


def comp_enumerate_start(v):
    return np.sum(np.array([i * a * a for i, a in enumerate(v, start=1)]))


add(comp_enumerate_start, V3)


def comp_reversed(x, y):
    values = [x, y, x * y]
    back = [a * k for k, a in enumerate(reversed(values))]
    return back[1] * back[2] + x


add(comp_reversed, A, B)


def comp_rows(m):
    norms = [np.sqrt(np.sum(row ** 2)) for row in m]
    return norms[0] * norms[1] ** 2


add(comp_rows, M23)


def comp_shadows_a_local(x, y):
    a = x * y
    doubled = [a * 2.0 for a in (x, y, x * x)]
    return a * doubled[0] + doubled[2] * doubled[1]


add(comp_shadows_a_local, A, B)


def comp_shadows_a_parameter(x, v):
    squares = [x * x for x in v]
    return x * squares[0] + squares[1]


add(comp_shadows_a_parameter, A, V3)


def comp_first_iterable_is_outside(x):
    v = [x, x * x, 3.0]
    w = [v * 2.0 for v in v]
    return w[0] * w[1] + len(v) * x


add(comp_first_iterable_is_outside, A)


def comp_walrus(v):
    parts = [s for a in v if (s := np.sin(a)) > -0.5]
    return sum(parts) * s


add(comp_walrus, V4)


def comp_running_total(v):
    total = 0.0
    totals = [total := total * 0.5 + a for a in v]
    return totals[0] * totals[2] + total ** 2


add(comp_running_total, V4)


def comp_of_arrays(m, v):
    images = [np.tanh(row * v) for row in m]
    return np.sum(images[0] * images[1])


add(comp_of_arrays, M23, V3)


def comp_to_array(x, n):
    grid = np.array([[x ** i * j for j in range(1, n)] for i in range(n)])
    return np.sum(grid * grid) + grid[2, 1]


add(comp_to_array, A, 3)


def comp_to_stack(v):
    features = np.stack([v ** k for k in range(1, 4)], axis=1)
    return np.sum(features @ np.array([1.0, -0.5, 0.2]) * v)


add(comp_to_stack, V3)


def comp_to_concatenate(v):
    blocks = np.concatenate([v * k for k in range(1, 4) if k != 2])
    return np.sum(blocks[1:] * blocks[:-1])


add(comp_to_concatenate, V3)


def comp_dict(x, y):
    powers = {k: x ** k * y for k in range(1, 4)}
    return powers[1] * powers[3] + powers[2]


add(comp_dict, A, B)


def comp_dict_items(x, y):
    prices = {"tea": x, "milk": y}
    taxed = {name + "!": 1.2 * p * p for name, p in prices.items() if name != "sugar"}
    return taxed["tea!"] - taxed["milk!"] * prices["tea"]


add(comp_dict_items, A, B)


def comp_dict_inverted(x):
    index = {"a": 1, "b": 3}
    names = {k: name for name, k in index.items()}
    return x ** index[names[3]] * len(names) + x


add(comp_dict_inverted, A)


def comp_set(x, n):
    degrees = {k * k % 7 for k in range(n)}
    return sum(x ** d for d in sorted(degrees)) + x * len(degrees)


add(comp_set, A, 6)


def gen_sum(v, w):
    return sum(a * b * b for a, b in zip(v, w)) ** 2


add(gen_sum, V3, W3)


def gen_sum_start(v, x):
    return sum((a * x for a in v), x * x) * x


add(gen_sum_start, V3, A)


def sum_of_lists(x, y):
    joined = sum([[x, y], [x * y]], [])
    return joined[0] * joined[2] + joined[1]


add(sum_of_lists, A, B)


def gen_max_min(v):
    return max(a * a for a in v) * 2.0 + min(np.sin(a) for a in v)


add(gen_max_min, V3, holomorphic=False)


def max_key(x, y, z):
    values = [x, y, z]
    far = max(values, key=lambda t: (t - 1.0) ** 2)
    near = min(values, key=lambda t: abs(t))
    return far ** 2 + 3.0 * near + x * y * z


add(max_key, A, B, C, holomorphic=False)


def max_default(v):
    big = [a for a in v if a > 100.0]
    return max(big, default=v[0] * v[1]) + max(v[0], v[2], v[1])


add(max_default, V3, holomorphic=False)


def max_of_pairs(x, y):
    best = max([(1, x), (3, y * x), (2, y)])
    name, value = min([("b", x), ("a", x * y * y)])
    return best[0] * best[1] + value ** 2


add(max_of_pairs, A, B)


def gen_any_all(v):
    scale = 2.0 if any(a < -1.0 for a in v) else 5.0
    if all(a < 2.0 for a in v):
        scale = scale * v[0]
    return scale * np.sum(v * v)


add(gen_any_all, V3)


def gen_list_tuple(x, n):
    values = list(x * k for k in range(n))
    squares = tuple(a * a + x for a in values)
    return values[1] * squares[2] + squares[-1]


add(gen_list_tuple, A, 4)


def gen_dict(x, y):
    table = dict((name, value * value) for name, value in (("a", x), ("b", y)))
    other = dict(a=y, c=x * y)
    return table["a"] * other["c"] + table["b"] * other["a"]


add(gen_dict, A, B)


def gen_array(v):
    return np.sum(np.array(list(np.exp(a) * i for i, a in enumerate(v))) * v)


add(gen_array, V3)


def gen_sorted(x, y, z):
    low, middle, high = sorted(t * t for t in (x, y, z))
    return low + 2.0 * middle * high


add(gen_sorted, A, B, C, holomorphic=False)


def gen_kept_in_a_name(v):
    squares = (a * a for a in v)
    first = next(squares)
    return first * sum(squares)


add(gen_kept_in_a_name, V3)


def gen_of_gen(v):
    shifted = (a + i for i, a in enumerate(v))
    return sum(s * s * s for s in shifted)


add(gen_of_gen, V3)


def gen_join(x):
    word = "".join(c for c in "a1b2c3" if c.isdigit())
    return x ** int(word[0]) * len(word) + x ** len("-".join(["a", "b"]))


add(gen_join, A)


def sorted_reverse(x, y, z):
    order = sorted([x, y, z], reverse=True)
    return order[0] * order[1] + 3.0 * order[2]


add(sorted_reverse, A, B, C, holomorphic=False)


def sorted_by_constant_key(x, y):
    items = sorted([("b", x * y), ("c", y), ("a", x)], key=lambda pair: pair[0])
    return items[0][1] * items[1][1] + items[2][1]


add(sorted_by_constant_key, A, B)


def sorted_indices(v):
    order = sorted(range(len(v)), key=lambda i: v[i])
    s = 0.0
    for rank, i in enumerate(order):
        s = s * 0.5 + (rank + 1) * v[i] ** 2
    return s


add(sorted_indices, V4, holomorphic=False)


def zip_star(x, y):
    points = [(x, y), (y, x * y), (2.0, x)]
    firsts, seconds = zip(*points)
    return firsts[0] * seconds[1] + seconds[2] * firsts[1]


add(zip_star, A, B)


def zip_star_rows(m):
    columns = [sum(c) for c in zip(*m)]
    return columns[0] * columns[1] + columns[2] ** 2


add(zip_star_rows, M33)


def zip_strict_and_three(v, w, p):
    s = 0.0
    for a, b, c in zip(v, w, p, strict=True):
        s = s + a * b ** 2 * c
    return s


add(zip_strict_and_three, V3, W3, P3)
