"""Containers: lists that are changed in place, joined, cut, sorted and shared."""
import numpy as np
from corpus import M23, V3, W3, A, B, C, add, section

section("containers")


def list_append_in_loop(x, n):
    powers = []
    for k in range(n):
        powers.append(x ** k / (k + 1.0))
    s = 0.0
    for p in powers:
        s = s * x + p
    return s


add(list_append_in_loop, A, 4)
add(list_append_in_loop, A, 2, name="list_append_twice")


def list_append_in_branches(x, y):
    terms = []
    for k in range(5):
        if k % 2 == 0:
            terms.append(x ** k)
        else:
            terms.append(y * k)
    return terms[1] * terms[2] + terms[3] * terms[4] - terms[0]


add(list_append_in_branches, A, B)


def list_append_some(v):
    kept = []
    for a in v:
        if a > 0.0:
            kept.append(a * a * len(kept) + a)
    return sum(kept) * kept[-1]


add(list_append_some, np.array([0.8, -0.3, 1.4, 0.5]), holomorphic=False)


def list_extend(x, y):
    values = [x]
    values.extend([x * y, y])
    values.extend((np.sin(y),))
    return values[0] * values[1] + 3.0 * values[2] * values[3]


add(list_extend, A, B)


def list_extend_array(v, x):
    values = [x]
    values.extend(v)
    s = 0.0
    for k, a in enumerate(values):
        s = s + (k + 1) * a * a
    return s


add(list_extend_array, V3, A)


def list_insert(x, y):
    values = [x * x, y]
    values.insert(0, np.cos(x))
    values.insert(2, x * y)
    values.insert(-1, 2.0 * y)
    return values[0] + 2.0 * values[1] * values[2] + values[3] * values[4]


add(list_insert, A, B)


def list_pop(x, y):
    values = [x, x * y, y * y, np.exp(x)]
    last = values.pop()
    first = values.pop(0)
    return last * first + 3.0 * values[0] - values[1] * len(values)


add(list_pop, A, B)


def list_pop_until_empty(x, n):
    todo = [x * k for k in range(1, n)]
    s = 1.0
    while todo:
        s = s * todo.pop() + x
    return s


add(list_pop_until_empty, A, 4)


def list_remove(x, y):
    values = [x, y, x * y]
    values.remove(y)
    return values[0] + 2.0 * values[1] * values[0]


add(list_remove, A, B)


def list_reverse(v):
    values = list(v)
    values.reverse()
    s = 0.0
    for a in values:
        s = s * 0.5 + a * a
    return s


add(list_reverse, V3)


def list_sort(x, y, z):
    values = [x * x, y, z]
    values.sort()
    return values[0] + 2.0 * values[1] ** 2 + 3.0 * values[2] ** 3


add(list_sort, A, B, C, holomorphic=False)


def list_sort_by_key(x, y, z):
    values = [x, y, z]
    values.sort(key=lambda t: -t * t)
    return values[0] + 2.0 * values[1] ** 2 + 3.0 * values[2] ** 3


add(list_sort_by_key, A, B, C, holomorphic=False)


def list_sort_pairs(x, y):
    pairs = [(3, x * y), (1, x * x), (2, np.sin(y))]
    pairs.sort()
    s = 0.0
    for weight, value in pairs:
        s = s * 0.5 + weight * value
    return s


add(list_sort_pairs, A, B)


def list_clear(x):
    values = [x, x * x]
    s = values[0] * values[1]
    values.clear()
    values.append(s * x)
    return values[0] + len(values) * x


add(list_clear, A)


def list_copy_is_another(x, y):
    first = [x, y]
    second = first.copy()
    second[0] = x * y
    first.append(y * y)
    return first[0] * second[0] + first[2] * len(second)


add(list_copy_is_another, A, B)


def list_alias_is_the_same(x, y):
    first = [x, y]
    second = first
    second[0] = x * y
    second.append(np.sin(x))
    return first[0] * first[2] + second[1]


add(list_alias_is_the_same, A, B)


def list_index_and_count(x):
    names = ["a", "b", "c", "b"]
    return x ** names.index("c") * names.count("b") + x


add(list_index_and_count, A)


def list_concatenated(x, y):
    values = [x, y] + [x * y] + 2 * [y * y, 1.0]
    s = 0.0
    for a in values:
        s = s * x + a
    return s


add(list_concatenated, A, B)


def list_augmented(x, y):
    values = [x]
    other = values
    values += [y, x * y]
    other *= 2
    return values[1] * values[2] + values[3] ** 3 * len(other)


add(list_augmented, A, B)


def list_slices(x, y):
    values = [x, y, x * y, x + y, x * x]
    head, tail, odd = values[:2], values[-2:], values[1::2]
    back = values[::-1]
    return head[0] * tail[1] + 2.0 * odd[1] * head[1] + back[2] * tail[0]


add(list_slices, A, B)


def list_slice_assigned(x, y):
    values = [1.0, 2.0, 3.0, 4.0]
    values[1:3] = [x, x * y, y]
    values[::4] = [y * y, x * x]
    return values[0] + 2.0 * values[1] * values[2] - values[3] * values[4]


add(list_slice_assigned, A, B)


def list_items_deleted(x, y):
    values = [x, y, x * x, y * y, x * y]
    del values[0]
    del values[-2:]
    return values[0] * 3.0 + values[1] * len(values)


add(list_items_deleted, A, B)


def list_items_swapped(x, y):
    values = [x, y, x * y]
    values[0], values[2] = values[2], values[0]
    values[1], values[0] = values[0] * 2.0, values[1]
    return values[0] + values[1] * values[2] ** 2


add(list_items_swapped, A, B)


def list_item_augmented(x, y):
    values = [x, y, 1.0]
    for k in range(3):
        values[k] *= x
        values[-1] += values[k] * y
    values[0] **= 2
    return values[0] + values[1] * values[2]


add(list_item_augmented, A, B)


def list_of_lists(x, y):
    grid = [[0.0, x], [y, 1.0]]
    for i in range(2):
        for j in range(2):
            grid[i][j] += x * (i + 1) - y * j
    return grid[0][0] * grid[1][1] - grid[0][1] * grid[1][0]


add(list_of_lists, A, B)


def list_rows_shared(x, y):
    rows = [[x, y]] * 3
    rows[0][1] = x * y
    return rows[2][1] * rows[1][0] + rows[0][1]


add(list_rows_shared, A, B)


def list_inner_appended(x, n):
    groups = [[], []]
    for k in range(n):
        groups[k % 2].append(x ** (k + 1))
    return sum(groups[0]) * sum(groups[1])


add(list_inner_appended, A, 5)


def list_then_array(x, y):
    rows = []
    for k in range(3):
        rows.append([x * k, y ** k])
    a = np.array(rows)
    return np.sum(a * a) + a[2, 0] * a[1, 1]


add(list_then_array, A, B)


def list_then_stack(v, n):
    states = [v]
    for _ in range(n):
        states.append(np.sin(states[-1]) * 0.9)
    path = np.stack(states)
    return np.sum(path[-1] * path[0]) + np.mean(path ** 2)


add(list_then_stack, V3, 3)


def list_then_concatenate(v, w):
    parts = [v[:2], w * v[0]]
    parts.append(v * w)
    joined = np.concatenate(parts)
    return np.sum(joined * np.arange(1.0, joined.size + 1.0) * joined)


add(list_then_concatenate, V3, W3)


def list_of_arrays_changed(v, w):
    layers = [v, w, v * w]
    for k in range(3):
        layers[k] = np.tanh(layers[k]) * (k + 1.0)
    layers[0] += layers[2]
    return np.sum(layers[0] * layers[1])


add(list_of_arrays_changed, V3, W3, notes="layers[0] is a fresh array when it is added to")


def list_argument(values):
    s = 0.0
    for k, a in enumerate(values):
        s = s + a ** (k + 1)
    return s * values[0] + len(values)


add(list_argument, [0.7, -1.3, 2.1], wrt=(0,), orders=1)


def list_of_arrays_argument(params, v):
    w, b = params
    return np.sum(np.tanh(w @ v + b) ** 2)


add(list_of_arrays_argument, [M23, np.array([0.3, -0.2])], V3, wrt=(0, 1), orders=1)


def list_of_pairs_argument(layers, v):
    for w, b in layers:
        v = np.tanh(w @ v + b)
    return np.sum(v * v)


add(list_of_pairs_argument, [(M23, np.array([0.3, -0.2])), (M23.T * 0.7, W3)], V3, wrt=(0,), orders=1)


def list_of_array(v):
    values = list(v * v)
    values[1] = values[0] * values[2]
    return values[0] + 2.0 * values[1] + len(values)


add(list_of_array, V3)


def list_items_shifted(x, n):
    window = [x, x * x, 1.0]
    for k in range(n):
        window = window[1:] + [window[0] * window[1] + k * x]
    return window[0] + 2.0 * window[1] * window[2]


add(list_items_shifted, A, 4)


def list_truth(x):
    found = []
    if not found:
        found.append(x * x)
    if found and found[0] > 0.1:
        found.append(np.sin(x))
    return found[-1] * found[0]


add(list_truth, A)


def tolist_slices(v):
    values = v.tolist()
    values[0:2] = values[1], values[0] * values[0]
    values[1:1] = [v[2] * 3.0]
    values[-1:] = [1.5, values[0]]
    values[len(values):] = [values[2] ** 2]
    return values[0] * values[1] * values[2] + values[4] * values[5] * values[0]


def tolist_changed(v):
    values = v.tolist()
    values.insert(1, values[0] * values[2])
    values += [values[1], 2.0]
    values.sort()
    values.reverse()
    del values[1]
    values.remove(2.0)
    first = values.pop(0)
    values[0] *= values[1]
    return first * values[0] + 3.0 * values[1] * values[2]


def tolist_rows(m):
    rows = m.tolist()
    rows[0] = 5.0
    rows.append([m[0, 1], 1.0])
    rows[1][0] = rows[1][1] * rows[2][0]
    rows[1].append(rows[0] * m[0, 0])
    return rows[0] * rows[1][0] * rows[1][1] * rows[1][3] + rows[2][0]


def tolist_rows_exchanged(m):
    rows = m.tolist()
    rows[0], rows[1] = rows[1], rows[0]
    rows[1:] = [[rows[0][1] * 2.0, 3.0]]
    return rows[0][0] * rows[1][0] ** 2


def tolist_of_a_number(v):
    number = v[0].tolist()
    number += 1.0
    number *= 2
    return number * number


add(tolist_slices, V3)
add(tolist_changed, V3, holomorphic=False)
add(tolist_of_a_number, V3)
add(tolist_rows, M23)
add(tolist_rows_exchanged, M23)
