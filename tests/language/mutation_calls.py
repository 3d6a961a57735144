"""Mutation: calls that change an array in place: methods, functions that put values somewhere, `out=`."""
import numpy as np
from corpus import A, add, section

section("mutation_calls")
V = np.array([0.5, -0.8, 1.2, 0.3])
W = np.array([1.5, 0.4, -0.6, 2.0])
P = np.array([0.7, 1.9, 0.4, 1.1])
M = np.array([[2.0, 1.0, -0.4], [1.0, 3.0, 0.6], [0.3, -0.2, 1.7]])
K = np.array([1.0, 2.0, 3.0, 4.0])


# ---------------------------------------------------------------- methods
def sort_method(v):
    y = v * 2.0
    y.sort()
    return np.sum(y * K)


add(sort_method, V, holomorphic=False)


def sort_rows(m):
    y = m * m
    y.sort(axis=0)
    return np.sum(y * M)


add(sort_rows, M, holomorphic=False)


def sort_kind(v):
    y = np.sin(v)
    y.sort(kind="stable")
    return y[0] * 2.0 + y[-1]


add(sort_kind, V, holomorphic=False)


def sort_part(v):
    y = v * v
    y[1:].sort()
    return np.sum(y * K)


add(sort_part, V, holomorphic=False)


def sort_row_of_loop(m):
    y = np.zeros((3, 3))
    y[...] = m * m
    for i in range(3):
        y[i].sort()
    return np.sum(y * M)


add(sort_row_of_loop, M, holomorphic=False)


def sort_twice(v, w):
    y = v * w
    total = 0.0
    for _ in range(2):
        y.sort()
        total += np.sum(y * K)
        y *= -1.5
    return total


add(sort_twice, V, W, holomorphic=False)


def sort_indices(v):
    k = np.array([3, 0, 2])
    k.sort()
    return np.sum(v[k] * K[:3])


add(sort_indices, V)


def partition_method(v):
    y = v * v
    y.partition(1)
    return np.sum(y[:2]) * 3.0 + y[1]


add(partition_method, V, holomorphic=False)


def partition_constant(v):
    c = np.array([3.0, 1.0, 2.0, 0.5])
    for _ in range(2):
        v = v * c
        c.partition(2)
    return np.sum(v * K)


add(partition_constant, V)


def fill_number(v):
    y = v * v
    y.fill(2.0)
    return np.sum(y * v)


add(fill_number, V)


def fill_active(v):
    y = np.empty(4)
    total = 0.0
    for i in range(3):
        y.fill(v[i])
        y[i] *= 2.0
        total = total + np.sum(y * v)
    return total


add(fill_active, V)


def fill_row(m):
    y = m * 2.0
    y[1].fill(m[0, 0])
    y[:, 2].fill(0.0)
    return np.sum(y * m)


add(fill_row, M)


class Buffer:
    def __init__(self, n):
        self.data = np.zeros(n)

    def put(self, v):
        np.multiply(v, v, out=self.data)
        self.data.sort()


def fill_attribute(v):
    box = Buffer(4)
    box.put(v)
    box.data[0] += 1.0
    return np.sum(box.data * v)


add(fill_attribute, V, holomorphic=False)


# ---------------------------------------------------------------- functions that put values somewhere
def copyto_whole(v):
    y = np.zeros(4)
    np.copyto(y, v * v)
    return np.sum(y * v)


add(copyto_whole, V)


def copyto_loop(v, w):
    old, new = np.zeros(4), np.zeros(4)
    np.copyto(old, v)
    for _ in range(3):
        new[1:] = old[:-1] * w[1:]
        new[0] = old[-1]
        np.copyto(old, new)
    return np.sum(old * v)


add(copyto_loop, V, W)


def copyto_shift(v):
    y = v * 1.0
    np.copyto(y[1:], y[:-1])
    return np.sum(y * K)


add(copyto_shift, V)


def copyto_where(v, w):
    y = v * v
    np.copyto(y, w * v, where=w > 0.5)
    return np.sum(y * K)


add(copyto_where, V, W, holomorphic=False)


def copyto_broadcast(v):
    y = np.ones((2, 4))
    np.copyto(y, v, where=[True, False, True, True])
    return np.sum(y * y * K)


add(copyto_broadcast, V)


def put_places(v):
    y = v * v
    np.put(y, [2, -4], v[1:3])
    return np.sum(y * K)


add(put_places, V)


def put_twice(v):
    y = np.zeros(4)
    np.put(y, [1, 1, 0], v[:3])
    return np.sum(y * K)


add(put_twice, V)


def put_matrix(m, v):
    y = m * m
    y.put([1, 5, -1], v[:3])
    np.put(y, 0, v[3])
    return np.sum(y * M)


add(put_matrix, M, V)


def put_loop(v):
    y = np.zeros(4)
    for i in range(4):
        np.put(y, [i, 3 - i], v[i] * y[i] + v[i])
    return np.sum(y * K)


add(put_loop, V)


def along_axis(m):
    y = m * m
    k = np.argmax(M, axis=1)[:, None]
    np.put_along_axis(y, k, m[:, :1], 1)
    return np.sum(y * M)


add(along_axis, M, holomorphic=False)


def diagonal_number(m):
    y = m * m
    np.fill_diagonal(y, 1.0)
    return np.sum(y * m)


add(diagonal_number, M)


def diagonal_values(m, v):
    y = np.zeros((3, 3))
    for i in range(2):
        np.fill_diagonal(y, v[:3] * (i + 1))
        m = m @ y
    return np.sum(m)


add(diagonal_values, M, V)


def diagonal_constant(v):
    c = np.zeros((4, 4))
    for i in range(3):
        np.fill_diagonal(c, i + 1.0)
        v = c @ v * v
    return np.sum(v)


add(diagonal_constant, V)


def place_one(v):
    y = v * v
    np.place(y, V > 0.4, v[0])
    return np.sum(y * K)


add(place_one, V)


def place_each(v):
    y = v * v
    np.place(y, [1, 0, 2, 0], v[2:])
    return np.sum(y * K)


add(place_each, V)


def putmask_values(v, w):
    y = v * v
    np.putmask(y, V > 0.4, w)
    np.putmask(y, [0, 0, 0, 1], 3.0)
    return np.sum(y * K * v)


add(putmask_values, V, W)


# ---------------------------------------------------------------- out=
def out_keyword(v, w):
    y = np.empty(4)
    np.multiply(v, w, out=y)
    np.add(y, v, out=y)
    return np.sum(y * y)


add(out_keyword, V, W)


def out_that_a_call_gives(v, w):
    y = np.sqrt(v * v, out=np.zeros_like(v), where=w > 0.5)
    return np.sum(y * np.multiply(v, w, out=np.full(4, 2.0))) + np.sum(np.cumsum(y, out=np.empty(4)) * v)


add(out_that_a_call_gives, V, W)


def out_positional(v):
    y = np.zeros(4)
    np.sin(v, y)
    np.multiply(y, v, y)
    return np.sum(y * K)


add(out_positional, V)


def out_tuple(v):
    y = np.zeros(4)
    np.exp(v, out=(y,))
    return np.sum(y * v)


add(out_tuple, V)


def out_named_again(v):
    y = np.zeros(4)
    for _ in range(3):
        y = np.add(y, v * v, out=y)
        np.sqrt(y, out=y)
    return np.sum(y)


add(out_named_again, V)


def out_value(v):
    y = np.zeros(4)
    return np.sum(np.multiply(v, v, out=y)) * np.sum(y * K)


add(out_value, V)


def out_value_changed(v, w):
    y = np.zeros(4)
    return np.sum(np.multiply(v, v, out=y) + np.add(y, w, out=y))


add(out_value_changed, V, W)


def out_part(v):
    y = np.ones((2, 4))
    np.multiply(v, v, out=y[1])
    np.add(y[0, 1:], v[1:], out=y[0, :3])
    return np.sum(y * y)


add(out_part, V)


def out_overlap(v):
    y = v * v
    np.add(y[1:], y[:-1], out=y[1:])
    np.multiply(y[:-1], y[1:], out=y[1:])
    return np.sum(y * K)


add(out_overlap, V)


def out_where(v, w):
    y = v * 1.0
    np.divide(w, v, out=y, where=V > 0.4)
    return np.sum(y * K)


add(out_where, V, W)


def out_where_pole(v, w):
    d = np.array([1.0, 0.0, 2.0, 0.0]) * v
    y = np.zeros(4)
    np.divide(w, d, out=y, where=d != 0)
    np.log(y, out=y, where=y > 0)
    return np.sum(y * K)


add(out_where_pole, V, W, holomorphic=False)


def out_where_broadcast(a, v):
    y = np.ones((2, 4))
    for _ in range(2):
        np.multiply(a, v, out=y, where=[True, True, False, True])
        np.add(y, 0.5, out=y, where=True)
    return np.sum(y * y)


add(out_where_broadcast, A, V)


def out_dot(m, v):
    y = np.zeros(3)
    for _ in range(2):
        np.dot(m, v[:3] + y, out=y)
    z = np.empty((3, 3))
    np.matmul(m, m, out=z)
    np.outer(y, y, out=z)
    return np.sum(z * M) + y[0]


add(out_dot, M, V)


def out_reductions(m):
    y = np.zeros(3)
    np.sum(m * m, axis=0, out=y)
    z = np.zeros(3)
    np.cumsum(y, out=z)
    np.mean(m, 1, None, y)
    return np.sum(y * z)


add(out_reductions, M)


def out_method(m):
    y, z = np.zeros(3), np.zeros(3)
    w = m * m
    w.sum(axis=1, out=y)
    y.cumsum(out=z)
    np.clip(z, 0.5, 4.0, out=z)
    np.take(z, [2, 0, 0], out=y)
    return np.sum(y * z)


add(out_method, M, holomorphic=False)


def out_compressed(v):
    y = np.zeros(2)
    v.compress(np.array([True, False, False, True]), out=y)
    return np.sum(y * y)


add(out_compressed, V)


def out_joined(v, w):
    y = np.zeros(8)
    np.concatenate([v, w * v], out=y)
    z = np.zeros((2, 4))
    np.stack([w, v], out=z)
    return np.sum(y * y) + np.sum(z * K)


add(out_joined, V, W)


def out_constant(v):
    c = np.zeros(4)
    for _ in range(3):
        np.add(c, K, c)
        v = v * c
    return np.sum(v)


add(out_constant, V)


def out_branch(v, a):
    y = v * v
    if a > 0:
        np.multiply(y, a, out=y)
    else:
        y.fill(a)
    np.add(v, 1.0, out=None)
    return np.sum(y * K)


add(out_branch, V, A)


def out_narrow(v):
    y = np.zeros(4, np.float32)
    np.multiply(v, v, out=y)
    return np.sum(y * v)


add(out_narrow, V, holomorphic=False, smooth=True, tol=1e-3)


# ---------------------------------------------------------------- ufunc.at
def add_at(v, w):
    y = v * v
    np.add.at(y, [0, 2, 0, 1], w)
    return np.sum(y * y * K)


add(add_at, V, W)


def add_at_loop(v):
    y = np.zeros(3)
    k = np.array([0, 2, 2, 1])
    for i in range(3):
        np.add.at(y, k, v * y[i] + v)
    return np.sum(y * y)


add(add_at_loop, V)


def subtract_at(v, w):
    y = np.zeros((2, 2))
    np.subtract.at(y, ([0, 0, 1], [1, 1, 0]), v[:3] * w[0])
    np.add.at(y, np.s_[0], w[2])
    return np.sum(y * y)


add(subtract_at, V, W)


def add_at_itself(v):
    y = v * v
    np.add.at(y, [0, 0, 1], y[1:])
    return np.sum(y * K)


add(add_at_itself, V)


# ---------------------------------------------------------------- lists
def list_sort_reverse(v):
    y = [v[0], v[1], v[2] * v[3]]
    y.sort()
    y.reverse()
    return y[0] * 2.0 + y[1]


add(list_sort_reverse, V, holomorphic=False)


def list_of_constants(v):
    k = [2, 0, 3]
    total = 0.0
    for _ in range(2):
        total = total + v[k[0]] * v[k[1]]
        k.sort()
        k.reverse()
    return total


add(list_of_constants, V)
