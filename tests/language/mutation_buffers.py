"""Mutation: buffers that change places, and parts of arrays without a derivative that change."""
import numpy as np
from corpus import A, B, add, section

section("mutation_buffers")
U = np.array([0.3, 0.6, -0.2, 0.9])


def buffers_change_places(u, c):
    new, old = np.empty(4), np.empty(4)
    old[:] = u
    for _ in range(3):
        new[1:] = old[1:] * old[:-1] + c
        new[0] = old[0] * old[-1]
        old, new = new, old
    return np.sum(old * old)


add(buffers_change_places, U, A)


def three_buffers_rotate(u, c):
    a = u.copy()
    b = u * 2.0
    d = np.zeros(4)
    for _ in range(4):
        d[1:-1] = c * a[1:-1] * a[2:] - b[1:-1] * b[:-2]
        a, b, d = d, a, b
    return np.sum(a * b)


add(three_buffers_rotate, U, A)


def buffers_in_straight_code(u, c):
    a = u * 1.0
    b = np.zeros(4)
    b[0] = a[1] * c
    a, b = b, a
    b[1] = a[0] * b[2] * c
    a[2] = b[1] * b[1]
    a, b = b, a
    a[3] = b[2] * a[1]
    return np.sum(a * a * b) + np.sum(a*b)


add(buffers_in_straight_code, U, A)


def buffers_in_branches(u, c):
    a = u * 1.0
    b = np.ones(4)
    for i in range(3):
        if i % 2:
            a, b = b, a
        b[i] = a[i] * a[i + 1] * c
        a += b * a
    return np.sum(a * b)


add(buffers_in_branches, U, A)


def buffers_in_a_while(u, c):
    a = u * 1.0
    b = np.zeros(4)
    i = 0
    while i < 3:
        b[:] = a * a * c
        b[i] = a[i+1]
        a, b = b, a
        i += 1
    b[0] = 3.0
    return np.sum(a * a)


add(buffers_in_a_while, U, A)


def buffers_changed_on_both_sides(u, c):
    best = u * 1.0
    cur = u * 2.0
    for i in range(3):
        cur[i] = best[i + 1] * cur[i] * c
        if i == 1:
            best, cur = cur, best
        best[0] = cur[2] * best[0]
    return np.sum(best * cur)


add(buffers_changed_on_both_sides, U, A)


def buffer_made_anew(u, c):
    a = u * 1.0
    for i in range(3):
        new = np.empty(4)
        new[:] = a * a[::-1] * c
        new[i] *= a[i]
        a = new
    return np.sum(a)


add(buffer_made_anew, U, A)


def buffers_and_a_record(u, c):
    prev = np.zeros(4)
    out = np.zeros((3, 4))
    cur = u * 1.0
    for t in range(3):
        nxt = cur * prev + c
        out[t] = nxt * nxt
        prev, cur = cur, nxt
        prev[t] = cur[t] * prev[t]
    return np.sum(out * out)


add(buffers_and_a_record, U, A)


def row_of_constants(u, c):
    p = np.ones(4)
    row = p[1:3]
    y = row * u[1:3]
    p[1] = 5.0
    return np.sum(y * y * p[1:3])


add(row_of_constants, U, A)


def one_of_two_constants(u, c):
    p = np.ones(4)
    q = np.full(4, 2.0)
    for i in range(3):
        u = u * (p if i % 2 else q)
        p[i] = 3.0
        q[i+1] = 0.5
    return np.sum(u)*c


add(one_of_two_constants, U, A)


def part_of_constants(x):
    p = np.ones(4)
    y = p[1:3] * x[1:3]
    p[1] = 5.0
    return np.sum(y * y * p[1:3])


add(part_of_constants, U)


def transposed_constants(x):
    p = np.ones(4)
    y = p.T * x
    p[1] = 5.0
    return np.sum(y * y * p)


add(transposed_constants, U)


def parts_of_constants_in_a_loop(x):
    p = np.ones(4)
    t = 0.0
    for i in range(3):
        t = t + np.sum(p[i:i+2] * x[i:i+2])
        p[i+1] = i*3.0
    return t*t


add(parts_of_constants_in_a_loop, U)


def reshaped_constants(x):
    p = np.ones(4)
    for i in range(3):
        x = p.reshape(4) * x
        p[i+1] = i*3.0+2
    return np.sum(x)


add(reshaped_constants, U)


def rows_and_columns_of_constants(x):
    p = np.ones((4,4))
    for i in range(3):
        x = np.dot(p[i], x) * x + p[:, i]*np.sin(x)
        p[i] = i*3.0+2
        p[:,i+1] += 1.0
    return np.sum(x)


add(rows_and_columns_of_constants, U)


def selected_constants(x):
    p = np.ones(4)
    a = 2.0
    for i in range(3):
        x = np.where(p[1:3] > 0, x[1:3], 2.0).sum() * x / (p[1]+1.0)
        p[1:3] = -1.0*a
    return np.sum(x)


add(selected_constants, U, holomorphic=False)


def part_of_constants_in_a_helper(u, c):
    def h(w, x):
        t = w * x
        for _ in range(2):
            t = t * x * w
        return t
    p = np.ones(4)
    y = h(p[1:3], u[1:3])
    p[1] = 5.0
    return np.sum(y * y * p[1:3]) * c


add(part_of_constants_in_a_helper, U, A)


def buffer_of_objects(u, c):
    old, new = [u * 1.0, c], [np.zeros(4), 0.0]
    for i in range(3):
        new[1] = old[1] * c
        new[0] = old[0] * new[1]
        old, new = new, old
    return np.sum(old[0]) + old[1]


add(buffer_of_objects, U, B)


def buffers_with_out(u, c):
    old, new = u * 1.0, np.empty(4)
    for i in range(3):
        np.multiply(old, old[::-1], out=new)
        np.add(new, c, out=new)
        old, new = new, old
        new.fill(c)
    return np.sum(old * new)


add(buffers_with_out, U, A)
