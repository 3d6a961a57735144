"""Containers: dictionaries, sets of keys, counters; and algorithms on containers."""
from collections import Counter, defaultdict

import numpy as np
from corpus import M23, P3, V3, V4, V5, W3, A, B, C, add, section

section("containers")


def dict_written(x, y):
    state = {"position": x, "velocity": y}
    for _ in range(3):
        state["velocity"] -= 0.1 * state["position"] * x
        state["position"] += 0.1 * state["velocity"]
    return state["position"] ** 2 + state["velocity"]


add(dict_written, A, B)


def dict_grown(x):
    cache = {}
    cache[0], cache[1] = 1.0, x
    for k in range(2, 6):
        cache[k] = 2.0 * x * cache[k - 1] - cache[k - 2]
    return cache[5] + cache[3] * len(cache)


add(dict_grown, A)


def dict_accumulated(v):
    totals = {}
    for k, a in enumerate(v):
        key = "even" if k % 2 == 0 else "odd"
        totals[key] = totals.get(key, 1.0) * a + k
    return totals["even"] * totals["odd"]


add(dict_accumulated, V5)


def dict_setdefault(v):
    groups = {}
    for k, a in enumerate(v):
        groups.setdefault(k % 3, []).append(a * a)
    return sum(groups[0]) * sum(groups[1]) + groups[2][0]


add(dict_setdefault, V5)


def dict_get_missing(x, y):
    table = {"a": x * y}
    return table.get("a", 5.0) * 2.0 + table.get("b", x) * table.get("b", y) + (table.get("c") is None) * x


add(dict_get_missing, A, B)


def dict_update(x, y):
    options = {"rate": 0.1, "scale": x}
    options.update({"rate": y, "steps": 3})
    options.update(scale=options["scale"] * x)
    return options["rate"] * options["scale"] ** options["steps"]


add(dict_update, A, B)


def dict_pop(x, y):
    table = {"a": x, "b": x * y, "c": y}
    b = table.pop("b")
    missing = table.pop("z", y * y)
    name, last = table.popitem()
    return b * missing + last * len(table) + table["a"]


add(dict_pop, A, B)


def dict_items_loop(x, y):
    weights = {"a": x, "b": y, "c": x * y}
    s = 0.0
    for name, w in weights.items():
        s = s * x + w * (1.0 if name == "a" else 2.0)
    return s


add(dict_items_loop, A, B)


def dict_values_and_keys(x, y):
    table = {2: x, 3: y}
    s = sum(table.values()) * sum(k * table[k] ** 2 for k in table)
    for key in table.keys():
        s = s + key * table[key]
    return s + max(table) * x


add(dict_values_and_keys, A, B)


def dict_merged(x, y):
    defaults = {"a": x, "b": 2.0}
    chosen = {"b": y, "c": x * y}
    both = defaults | chosen
    also = {**chosen, **defaults, "d": y * y}
    defaults |= {"a": y}
    return both["a"] * both["b"] + also["b"] * also["d"] * both["c"] + defaults["a"]


add(dict_merged, A, B)


def dict_deleted(x, y):
    table = {"a": x * y, "b": y}
    value = table["a"]
    del table["a"]
    if "a" not in table and "b" in table:
        table["a"] = value * value
    return table["a"] * table["b"]


add(dict_deleted, A, B)


def dict_copy(x, y):
    first = {"a": x, "b": y}
    second = dict(first)
    third = first.copy()
    second["a"] = x * y
    third["b"] += x
    return first["a"] * second["a"] + third["b"] * first["b"]


add(dict_copy, A, B)


def dict_of_arrays(m, v):
    params = {"w": m, "b": v[:2]}
    h = np.tanh(params["w"] @ v + params["b"])
    params["w"] = params["w"] * 0.5
    return np.sum(h * h) + np.sum(params["w"] ** 2)


add(dict_of_arrays, M23, V3)


def dict_of_dicts(x, y):
    model = {"first": {"w": x, "b": 0.5}, "second": {"w": y, "b": x}}
    model["first"]["b"] = model["second"]["w"] * x
    h = 1.0
    for name in ("first", "second"):
        layer = model[name]
        h = np.tanh(layer["w"] * h + layer["b"])
    return h * model["first"]["b"]


add(dict_of_dicts, A, B)


def dict_of_lists(v):
    series = {"low": [], "high": []}
    for a in v:
        series["high" if a > 0.0 else "low"].append(a)
    low, high = np.array(series["low"]), np.array(series["high"])
    return np.sum(low ** 2) * np.mean(high)


add(dict_of_lists, V5)


def dict_tuple_keys(x):
    cells = {(0, 0): x}
    for i in range(3):
        cells[i + 1, 0] = cells[i, 0] * x + i
        cells[i, 1] = cells[i + 1, 0] - cells[(i, 0)]
    return cells[2, 1] * cells[3, 0]


add(dict_tuple_keys, A)


def dict_int_table(x, n):
    memo = {1: 1}
    for k in range(2, n):
        memo[k] = memo[k - 1] * k
    return sum(x ** k / memo[k] for k in memo)


add(dict_int_table, A, 6)


def defaultdict_sums(v, w):
    bins = defaultdict(float)
    for a, b in zip(v, w):
        bins[int(a > 0.0)] += a * b
    return bins[1] * 2.0 + bins[0] ** 2 + bins["empty"]


add(defaultdict_sums, V3, W3)


def defaultdict_lists(x, y):
    edges = defaultdict(list)
    for a, b, weight in (("s", "m", x), ("m", "t", y), ("s", "t", x * y)):
        edges[a].append((b, weight))
    return sum(w * w for _, w in edges["s"]) * edges["m"][0][1]


add(defaultdict_lists, A, B)


def counter_of_ints(x):
    counts = Counter([1, 2, 2, 3, 3, 3])
    counts[1] += 4
    return sum(c * x ** k for k, c in sorted(counts.items())) + x * counts[9]


add(counter_of_ints, A)


def set_of_keys(x, y):
    seen = set()
    s = 0.0
    for k, value in ((1, x), (2, y), (1, x * y), (3, y * y)):
        if k in seen:
            s = s * value
        seen.add(k)
        s = s + value
    return s * len(seen | {7}) + x * len(seen & {1, 9})


add(set_of_keys, A, B)


def horner_coefficients(c, x):
    result = 0.0
    for a in reversed(c):
        result = result * x + a
    return result


add(horner_coefficients, [0.5, -1.2, 0.8, 2.0], A, wrt=(0, 1), orders=1)


def polynomial_product(x, y):
    p, q = [1.0, x, y], [y, -x]
    product = [0.0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product[1] * product[2] + product[0] - product[3]


add(polynomial_product, A, B)


def polynomial_derivative(x, y):
    p = [x, y, x * y, 2.0]
    dp = [k * a for k, a in enumerate(p)][1:]
    return sum(a * y ** k for k, a in enumerate(dp))


add(polynomial_derivative, A, B)


def divided_differences(xs, ys):
    n, table = len(xs), list(ys)
    for k in range(1, n):
        for i in range(n - 1, k - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (xs[i] - xs[i - k])
    return table[-1] * table[1]


add(divided_differences, np.array([0.0, 0.7, 1.9]), V3)


def binomial_tree(price, up):
    values = [max(price * up ** (2 * k - 3) - 0.6, 0.0) for k in range(4)]
    while len(values) > 1:
        values = [0.5 * (a + b) * 0.98 for a, b in zip(values, values[1:])]
    return values[0]


add(binomial_tree, A, 1.2, holomorphic=False)


def knapsack_table(v):
    weights, best = [1, 3, 2], [0.0] * 6
    for w, value in zip(weights, v):
        for room in range(5, w - 1, -1):
            best[room] = max(best[room], best[room - w] + value)
    return best[5] ** 2 + best[2]


add(knapsack_table, P3, holomorphic=False)


def path_costs(m):
    cost = [[0.0] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            before = [cost[i - 1][j]] if i else []
            if j:
                before.append(cost[i][j - 1])
            cost[i][j] = m[i, j] ** 2 + min(before, default=0.0)
    return cost[-1][-1]


add(path_costs, M23, holomorphic=False)


def recurrence_by_memo(x):
    memo = {0: x, 1: 1.0}
    todo = [5]
    while todo:
        k = todo[-1]
        missing = [j for j in (k - 1, k - 2) if j not in memo]
        if missing:
            todo.extend(missing)
        else:
            memo[todo.pop()] = memo[k - 1] * x + memo[k - 2]
    return memo[5]


add(recurrence_by_memo, A)


def run_length_groups(v):
    groups = []
    for a in v:
        if groups and (groups[-1][0] > 0.0) == (a > 0.0):
            groups[-1].append(a)
        else:
            groups.append([a])
    return sum(sum(g) ** 2 * len(g) for g in groups)


add(run_length_groups, np.array([0.3, 1.2, -0.4, -0.9, 0.8]))


def interpolation_table(x, y, z):
    table = [(0.0, x), (1.0, y), (2.0, x * y)]
    for (x0, y0), (x1, y1) in zip(table, table[1:]):
        if x0 <= z < x1:
            return y0 + (y1 - y0) * (z - x0) / (x1 - x0)
    return table[-1][1]


add(interpolation_table, A, B, 1.4)


def matrix_of_lists(x, y):
    a = [[1.0, x], [y, 2.0]]
    b = [[a[j][i] for j in range(2)] for i in range(2)]
    c = [[sum(a[i][k] * b[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
    return c[0][0] * c[1][1] - c[0][1] * x


add(matrix_of_lists, A, B)


def history_kept(x, n):
    history = {"x": [x], "loss": []}
    for _ in range(n):
        x = x - 0.1 * (4.0 * x ** 3 - C)
        history["x"].append(x)
        history["loss"].append(x ** 4 - C * x)
    return history["loss"][-1] - history["loss"][0] + history["x"][1]


add(history_kept, A, 4)


def sparse_matrix(v):
    entries = {(0, 1): 2.0, (1, 0): v[3], (2, 2): -1.0, (0, 0): v[2]}
    out = [0.0] * 3
    for (i, j), a in entries.items():
        out[i] += a * v[j]
    return out[0] * out[1] + out[2]


add(sparse_matrix, V4)


def array_items_to_dict(v, names):
    params = dict(zip(names, v))
    return params["a"] * params["c"] ** 2 + params["b"] * len(params)


add(array_items_to_dict, V3, ("a", "b", "c"))


def sum_beside_a_dict_of_the_same_values(x, w):
    total = x
    terms = {"x": x, "w": w}
    total += terms["w"]
    total += terms["x"] * total
    return total * terms["w"]


add(sum_beside_a_dict_of_the_same_values, A, B)


def dict_popped_in_a_loop(x, y):
    table = {"a": x, "b": y}
    for i in range(3):
        if "a" in table:
            table["b"] = table["b"] * table.pop("a")
        table.setdefault("c", x * y)
        table["a"] = table["c"] * i
    return table["b"] * table["a"] + table["c"]


add(dict_popped_in_a_loop, A, B)


def dict_emptied(x, y):
    table = {"a": x, "b": y, "c": x * y}
    s = x
    while table:
        name, value = table.popitem()
        s = s * value + len(name)
    return s


add(dict_emptied, A, B)


def dict_read_before_it_is_popped(x, y):
    table = {"a": x, "b": y}
    s = table["a"] + table.pop("a") * table.pop("b")
    return s * x + len(table)


add(dict_read_before_it_is_popped, A, B)


def dict_items_deleted_in_a_loop(x, y):
    table = {"a": x, "b": y, "ab": x * y}
    for name in list(table.keys()):
        if len(name) == 1:
            table["sum"] = table.get("sum", 1.0) * table[name]
            del table[name]
    return table["sum"] * table["ab"] + sum(table.values())


add(dict_items_deleted_in_a_loop, A, B)


def dict_from_keys(x, y):
    table = dict.fromkeys("abc", x * y)
    table["a"] = table["a"] * 2.0
    return table["a"] * table["b"] + sum(table.values())


add(dict_from_keys, A, B)


def dict_of_pairs_and_names(x, y):
    table = dict(a=x)
    table |= dict([("p", y), ("q", x)], r=x * y)
    return table["r"] * table["p"] + table["a"] * table["q"]


add(dict_of_pairs_and_names, A, B)


def set_discards(v):
    seen = set()
    s = 0.0
    for i in range(6):
        k = i % 4
        if k in seen:
            s = s + v[0] * k
        seen.add(k)
        if i == 2:
            seen.discard(1)
    return s + len(seen) * v[1] ** 2


add(set_discards, V3)
