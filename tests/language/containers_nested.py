"""Containers: lists in lists and dicts whose parts are set."""

import numpy as np
from corpus import A, B, add, section

section("containers")
V = np.array([0.5, -0.8, 1.2, 0.3])
M = np.array([[2.0, 1.0], [1.0, 3.0]])


def cond_store(x, y):
    t = [[0.0] * 2 for _ in range(3)]
    for k in range(6):
        i, j = (k // 2, k % 2)
        if k % 3:
            t[i][j] = x * k + (t[i - 1][j] if i else y)
        elif t[i][j] < 1.0:
            t[i][j] += x * y
    return t[2][1] * t[1][0] + t[0][0]


add(cond_store, A,B, name="nested_cond_store", holomorphic=False)


def while_store(x, y):
    t = [[x, 0.0], [0.0, y]]
    k = 0
    while t[0][1] < 3.0:
        t[0][1] += t[0][0] * t[1][1]
        t[1][0] -= x
        k += 1
        if k > 9:
            break
    return t[0][1] * t[1][0] * k


add(while_store, A,B, name="nested_while_store", holomorphic=False)


def array_cells(v):
    t = [[v * 0.0 for _ in range(2)] for _ in range(2)]
    t[0][0] = v
    t[0][1] = np.sin(v)
    t[1][1] = t[0][0] * t[0][1]
    t[1][0] = t[1][1] + t[0][1]
    return np.sum(t[1][0] * t[1][1])


add(array_cells, V, name="nested_array_cells", holomorphic=False)


def array_cell_aug(v):
    t = [[v * 1.0, v * 2.0]]
    t[0][0] += v
    t[0][1] *= t[0][0]
    return np.sum(t[0][0] * t[0][1])


add(array_cell_aug, V, name="nested_array_cell_aug", holomorphic=False)


def grow_rows(x, y):
    t = []
    for i in range(3):
        t.append([])
        for j in range(i + 1):
            t[i].append(x * (j + 1) if j in (0, i) else t[i - 1][j - 1] + t[i - 1][j])
    return t[2][1] * t[1][1] * y


add(grow_rows, A,B, name="nested_grow_rows", holomorphic=False)


def grow_rows_neg(x, y):
    t = []
    for i in range(3):
        t.append([y])
        t[-1].append(x * i)
        t[-1][0] *= x
    return t[2][1] * t[1][0] * t[0][0]


add(grow_rows_neg, A,B, name="nested_grow_rows_neg", holomorphic=False)


def floyd(x, y):
    inf = 1000000000.0
    d = [[0.0, x, inf], [inf, 0.0, y], [x * y, inf, 0.0]]
    for k in range(3):
        for i in range(3):
            for j in range(3):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d[0][2] * d[2][1] + d[1][0] ** 2


add(floyd, A,B, name="nested_floyd", holomorphic=False)


def gauss(m):
    n = 2
    a = [[m[i][j] for j in range(n)] for i in range(n)]
    b = [1.0, 2.0]
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] -= f * a[k][j]
            b[i] -= f * b[k]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i][j] * x[j]
        x[i] = s / a[i][i]
    return x[0] * x[1]


add(gauss, M, name="nested_gauss", holomorphic=False)


def matmul_lists(m):
    a = [list(r) for r in m]
    c = [[0.0] * 2 for _ in range(2)]
    for i in range(2):
        for j in range(2):
            for k in range(2):
                c[i][j] += a[i][k] * a[k][j]
    return c[0][1] * c[1][1]


add(matmul_lists, M, name="nested_matmul_lists", holomorphic=False)


def tuple_swap_inner(x, y):
    t = [[x, y], [y * y, x * x]]
    t[0][0], t[1][1] = (t[1][1], t[0][0])
    t[0][1], t[1][0] = (t[1][0] * x, t[0][1] * y)
    return t[0][0] * t[0][1] + t[1][0] * t[1][1] ** 2


add(tuple_swap_inner, A,B, name="nested_tuple_swap_inner", holomorphic=False)


def chain_assign(x, y):
    t = [[x, y], [y * y, x * x]]
    t[0][0] = t[1][1] = z = x * y * x
    return t[0][0] * t[0][1] + t[1][0] * t[1][1] ** 2 * z


add(chain_assign, A,B, name="nested_chain_assign", holomorphic=False)


def isinst(x, y):
    a = [x, [y]]
    s = 0.0
    for q in a:
        if isinstance(q, list):
            s = s + q[0] * x
        else:
            s = s + q
    a[1].append(s)
    return s * a[1][1]


add(isinst, A,B, name="nested_isinst", holomorphic=False)


def closure_store(x, y):
    t = [[0.0] * 2 for _ in range(2)]

    def put(i, v):
        t[i][0] = v
    put(0, x * y)
    put(1, t[0][0] * x)
    return t[1][0] * t[0][0]


add(closure_store, A,B, name="nested_closure_store", holomorphic=False)


def try_rows(x, y):
    t = [[x, y], [1.0, 2.0]]
    try:
        t[0][0] = x * y
        t[0].append(x)
        t[5][0] = y
    except IndexError:
        t[1][0] = t[0][0] * t[0][2]
    return t[1][0] * t[0][1]


add(try_rows, A,B, name="nested_try_rows", holomorphic=False)


def mixed_inner_const(x, y):
    a = [[1.0], [3.0], [2.0]]
    a[0].append(5.0)
    a[1][0] = 4.0
    a[2].append(x)
    return x * len(a[0]) + a[0][-1] * y * a[2][1] * a[1][0]


add(mixed_inner_const, A,B, name="nested_mixed_inner_const", holomorphic=False)


def graph_list(x, y):
    adj = [[] for _ in range(3)]
    for i, j in ((0, 1), (1, 2), (0, 2)):
        adj[i].append(j)
        adj[j].append(i)
    val = [x, y, x * y]
    s = 0.0
    for i in range(3):
        for j in adj[i]:
            s = s + val[i] * val[j] ** 2
    return s


add(graph_list, A,B, name="nested_graph_list", holomorphic=False)


def items_of_row(x, y):
    t = [[x, y], [y, x * y]]
    s = 0.0
    for row in t:
        for k, v in enumerate(row):
            s = s + v * v * k
    t[0][0] = s
    for row in t:
        s = s * x + sum(row)
    return s


add(items_of_row, A,B, name="nested_items_of_row", holomorphic=False)


def row_var_dead(x, y):
    t = [[x, y], [y, x * y]]
    s = 0.0
    for i in range(2):
        row = t[i]
        s = s + row[0] * row[1]
        t[i][0] = s * x
    return s * t[0][0] * t[1][0]


add(row_var_dead, A,B, name="nested_row_var_dead", holomorphic=False)


def record_rows(x, y):
    t = [{'m': x, 'v': 0.0}, {'m': y, 'v': 1.0}]
    for k in range(3):
        for i in range(2):
            t[i]['v'] += t[i]['m'] * 0.1 - t[1 - i]['v'] * x
    return t[0]['v'] * t[1]['v']


add(record_rows, A,B, name="nested_record_rows", holomorphic=False)


def hist_arrays(x, y):
    h = {'p': []}
    w = np.array([1.0, 2.0]) * x
    for k in range(3):
        w = w * y + x
        h['p'].append(w)
    return np.sum(np.array(h['p'])) * h['p'][1][0]


add(hist_arrays, A,B, name="nested_hist_arrays", holomorphic=False)


def hist_arrays_copy(x, y):
    h = {'p': []}
    w = np.array([1.0, 2.0]) * x
    for k in range(3):
        w *= y
        h['p'].append(w.copy())
    return np.sum(np.array(h['p'])) * h['p'][1][0]


add(hist_arrays_copy, A,B, name="nested_hist_arrays_copy", holomorphic=False)


def knap(x, y):
    w = [1, 2, 3]
    v = [x, y, x * y * 2]
    best = [[0.0] * 6 for _ in range(4)]
    for i in range(1, 4):
        for c in range(6):
            best[i][c] = best[i - 1][c]
            if c >= w[i - 1]:
                best[i][c] = max(best[i][c], best[i - 1][c - w[i - 1]] + v[i - 1])
    return best[3][5]


add(knap, A,B, name="nested_knap", holomorphic=False)


def hmm(x, y):
    tr = [[x, 1 - x], [1 - y / 2, y / 2]]
    e = [0.3, 0.6]
    al = [[0.0] * 2 for _ in range(4)]
    al[0] = [0.5 * x, 0.5]
    for t in range(1, 4):
        for j in range(2):
            al[t][j] = e[j] * sum((al[t - 1][i] * tr[i][j] for i in range(2)))
    return sum(al[3])


add(hmm, A,B, name="nested_hmm", holomorphic=False)


def list_store(x, y):
    a = [x, 3.0, y]
    s = 0.0
    for u in list(a):
        s = s + u * u
        a[2] = s
    return s * a[-1] * y


add(list_store, A,B, name="nested_list_store", holomorphic=False)


def zip_both(x, y):
    a = [1.0, 3.0, x]
    b = [x, y, x]
    s = 0.0
    for u, v in zip(a, b):
        s = s + u * v
        a[2] = s
        b[1] = s * x
    return s * a[-1] * y


add(zip_both, A,B, name="nested_zip_both", holomorphic=False)


def while_pop(x, y):
    a = [x, y, x * y]
    s = 1.0
    while a:
        v = a.pop()
        s = s * v + len(a)
        if len(a) == 1:
            a.insert(0, x)
            a = a[:1]
    return s


add(while_pop, A,B, name="nested_while_pop", holomorphic=False)


def gen_sum(x, y):
    a = [[x, y], [1.0, 2.0]]
    s = sum((sum(r) for r in a))
    a[0][0] = s
    return sum((v * v for r in a for v in r))


add(gen_sum, A,B, name="nested_gen_sum", holomorphic=False)


def by_slice(x, y):
    t = (x, x * y, y * y)
    part = slice(1, None)
    u = t[part]
    return u[0] * u[1] + sum(u) * u[-2]


add(by_slice, A,B, name="tuple_by_slice", holomorphic=False)


def by_slices(x, y):
    t = [x, x * y, y * y]
    s = 0.0
    for part in (np.s_[1:], np.s_[::-1], np.s_[:2]):
        u = t[part]
        s += sum(u) * u[0] * u[-1]
    return s


add(by_slices, A,B, name="list_by_slices", holomorphic=False)
