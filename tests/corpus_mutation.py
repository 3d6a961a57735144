"""The part of the corpus about arrays that change in place: through other names, as views,
and as arguments of the caller."""
from __future__ import annotations

import functools

import numpy as np
from corpus import M33, P3, V3, V3P, W3, A, add, section

import tangent_nb as tnb

section("mutation")


# ---------------------------------------------------------------- arguments
def argument_written(x):
    x[0] = x[1] * x[1]
    return np.sum(x * x)


add(argument_written, V3, jax=False)


def argument_updated(x):
    x += 1.0
    x[1:] *= x[:-1]
    x = np.tanh(x)
    x[0] = x[1] * 3.0
    return np.sum(x * x)


add(argument_updated, V3, jax=False)


def argument_number_updated(x):
    x += 1.0
    x *= x
    return x


add(argument_number_updated, A)


def argument_buffer(x, out):
    out[0] = x * x
    out[1:] *= x
    return out.sum() * x


add(argument_buffer, A, V3, jax=False)
add(argument_buffer, A, V3, name="argument_buffer_constant", wrt=(0,), jax=False)


def argument_in_a_loop(u, k):
    for _ in range(3):
        u[1:-1] += k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u ** 2)


add(argument_in_a_loop, np.array([0.3, 1.1, -0.4, 0.9, 0.2]), A, jax=False)


def argument_under_a_branch(x, s):
    if s > 0.0:
        x[1] = s * x[0]
    else:
        x *= s
    return np.prod(x)


add(argument_under_a_branch, V3, A, jax=False)
add(argument_under_a_branch, V3, -A, name="argument_under_another_branch", jax=False)


def argument_alias(x):
    y = x
    y[0] *= 2.0
    tail = x[1:]
    tail += x[0]
    return np.sum(x * y)


add(argument_alias, V3, jax=False)


def argument_returned(x):
    x[0] = x[1] * x[2]
    return x


add(argument_returned, V3, jax=False)


def argument_cleared(x, work):
    work[0] = x[0]
    y = x * work[0]
    work[...] = 0.0
    work += 1.0
    x = x * 2.0
    x[0] = 5.0
    for i in range(2):
        work[i] = x[i + 1]
    return np.sum(y)


add(argument_cleared, V3, W3, jax=False)
add(argument_cleared, V3, W3, name="argument_cleared_constant", wrt=(0,), jax=False)


# ---------------------------------------------------------------- another name
def alias_written(x):
    y = x * 1.0
    z = y
    z[0] = 5.0
    y[1] = x[0] * x[1]
    return np.sum(y * z)


add(alias_written, V3)


def alias_updated(x):
    y = np.sin(x) * np.ones(3)
    z = y
    z += x
    y *= z[0]
    return np.sum(z)


add(alias_updated, V3)


def alias_of_alias(x):
    y = x * 1.0
    z = y
    w = z
    w[0] = y[1] * z[2]
    z = np.cos(y)
    z[1] = w[0]
    return np.sum(z * y) + w[1]


add(alias_of_alias, V3)


def alias_of_what_is_written_into(x):
    y = np.zeros(3)
    z = np.add(x, 1.0, out=y)
    z[0] = 5.0
    return np.sum(y * x)


add(alias_of_what_is_written_into, V3)


def alias_of_a_dict(x):
    d = {"a": x}
    e = d
    d["a"] = x * x
    return e["a"] * x


add(alias_of_a_dict, A)


def alias_in_a_loop(x):
    a, b = x * 1.0, x * 2.0
    for i in range(3):
        now = a
        now[i] = b[i] * now[0]
        a, b = b, a
    return np.sum(a * a) + np.sum(b)


add(alias_in_a_loop, V3)


def alias_of_a_number(x):
    y = x
    y += 1.0
    return x * y


add(alias_of_a_number, A)


# ---------------------------------------------------------------- views
def view_written(x):
    y = x * 1.0
    v = y[1:]
    v[0] = 5.0 * x[0]
    return np.sum(y * y)


add(view_written, V3, jax=False)


def view_updated(x):
    y = x * 1.0
    v = y[1:]
    v *= 2.0
    return y.sum() * x[0]


add(view_updated, V3)


def view_read_after_the_change(x):
    y = x * 1.0
    v = y[1:]
    y[1] = x[0] * x[2]
    return np.sum(v) * y[0]


add(view_read_after_the_change, V3)


def view_backwards(x):
    y = x * 1.0
    v = y[::-1]
    v[0] = x[0] * x[0]
    v[1:] += y[:2]
    return np.sum(y * np.arange(3.0))


add(view_backwards, V3, jax=False)


def view_transposed(m):
    a = m * 1.0
    b = a.T
    b[0, 1] = a[0, 0] * a[1, 1]
    a.T[2, :] *= a[0]
    return np.sum(a * np.arange(9.0).reshape(3, 3))


add(view_transposed, M33, jax=False)


def view_of_a_view(m):
    a = m * 1.0
    b = a[1:]
    c = b[:, ::2]
    c += a[0, 0]
    c[0, 1] = 5.0 * a[0, 1]
    a[1:][0][2] = a[0, 2] ** 3
    return np.sum(a * np.arange(9.0).reshape(3, 3))


add(view_of_a_view, M33, jax=False)


def view_rows(m, v):
    a = m * 1.0
    for i in range(3):
        row = a[i]
        row[0] = v[i] * row[1]
        row += v
    return np.sum(a * a)


add(view_rows, M33, V3)


def view_columns(m, v):
    a = m * 1.0
    for j in range(3):
        column = a[:, j]
        for k in range(3):
            column[k] = column[k] * v[j] + k
    return np.sum(a * a)


add(view_columns, M33, V3)


def view_whose_index_moves(x):
    y = x * 1.0
    i = 1
    v = y[i:]
    i = 2
    v[0] = x[0] * i
    i -= 1
    v[i] *= x[1]
    return np.sum(y * np.arange(3.0))


add(view_whose_index_moves, V3, jax=False)


def view_under_a_branch(m, s):
    a = m * 1.0
    if s > 0.0:
        row = a[0]
        row *= s
    else:
        row = a[1]
        row[1] = s
    a[2] = a[0] * a[1]
    return np.sum(a)


add(view_under_a_branch, M33, A)
add(view_under_a_branch, M33, -A, name="view_under_another_branch")


def view_elimination(m, b):
    a = m * 1.0
    y = b * 1.0
    for k in range(3):
        pivot = a[k]
        for i in range(k + 1, 3):
            row = a[i]
            factor = row[k] / pivot[k]
            row -= factor * pivot
            y[i] -= factor * y[k]
    return np.sum(a * a) + np.sum(y)


add(view_elimination, M33 + 3.0 * np.eye(3), V3)


def parts_of_parts(x):
    h = np.zeros((2, 2))
    h[0][1] = x * x
    h[1][:] = x
    h[1][0] += h[0][1]
    return np.sum(h * h)


add(parts_of_parts, A)


def number_of_an_array(x):
    total = x[0]
    total += x[1] * x[2]
    x = x * total
    return np.sum(x)


add(number_of_an_array, V3)


def view_that_grows_old(x):
    y = x * 1.0
    v = y[1:]
    y = y * 2.0
    v = v * 3.0
    return np.sum(v * y[1:])


add(view_that_grows_old, V3)


def views_of_two(x, w):
    y, z = x * 1.0, w * 1.0
    for t in range(3):
        a = y[t:]
        b = z[:t + 1]
        a[0] += b[0] * w[t]
        b *= x[t]
    return np.sum(y) * np.sum(z)


add(views_of_two, V3, W3, jax=False)


# ---------------------------------------------------------------- not known beforehand
def view_of_either(x):
    y, z = x * 1.0, x * 2.0
    v = y if x[0] > 0.0 else z
    v[0] = x[1] * x[1]
    return np.sum(y * z)


add(view_of_either, V3)


def view_of_another_array_now(x):
    y = x * 1.0
    v = y[1:]
    y = x * 2.0
    y[0] = 1.0
    v[0] = x[0]
    w = v
    v = y[1:]
    v[1] = w[0]
    return np.sum(v * w) + y[0]


add(view_of_another_array_now, V3, may_refuse=True)


def view_of_what_may_be_a_row(m, v):
    a = m * 1.0
    for i in range(3):
        row = a[i]
        row *= v[i]
    return np.sum(a * a)


add(view_of_what_may_be_a_row, M33, V3)


def number_moved_on(x):
    y = x * 1.0
    for i in range(1, 3):
        key = y[i]
        y[i] = y[i - 1] * key
        y[0] = key
    return np.sum(y * np.arange(1.0, 4.0))


add(number_moved_on, V3)


# ---------------------------------------------------------------- functions that change what they are given
def _step(u, k):
    u[1:-1] += k * (u[2:] - u[:-2])


def helper_steps(x, k):
    u = x * 1.0
    for _ in range(3):
        _step(u, k)
    return np.sum(u * u)


add(helper_steps, np.array([0.3, 1.1, -0.4, 0.9, 0.2]), A)


def helper_steps_in_the_argument(u, k):
    _step(u, k)
    _step(u[1:], k * k)
    return np.sum(u ** 2)


add(helper_steps_in_the_argument, np.array([0.3, 1.1, -0.4, 0.9, 0.2]), A, jax=False)


def _put(a, i, v):
    row = a[i]
    row[0] = v
    row[1:] *= v
    if v > 0.0:
        return row[1]
    row[1] = 5.0
    return v


def helper_puts(x):
    a = np.ones((3, 3)) * x
    total = 0.0
    for i in range(3):
        total = total + _put(a, i, x * i - 0.5)
    return total * np.sum(a)


add(helper_puts, A)
add(helper_puts, -A, name="helper_puts_elsewhere")


def _twice(a, k):
    _step(a, k)
    _step(a, 2.0 * k)


def helper_of_a_helper(x, k):
    u = x * 2.0
    _twice(u, k)
    return np.prod(u)


add(helper_of_a_helper, V3, A)


def helper_inside(x):
    a = np.ones((3, 3)) * x

    def change(row, k):
        row[k] = x * x
        row += k

    for i in range(3):
        change(a[i], i)
    return np.sum(a * a)


add(helper_inside, A)


def _push(pile, v):
    pile.append(v * v)


def helper_appends(x):
    pile = [x]
    for i in range(3):
        _push(pile, x + i)
    return sum(pile) * pile[1]


add(helper_appends, A)


def _slope(y, k):
    dy = np.empty_like(y)
    dy[0] = -k * y[0]
    dy[1:] = k * y[:-1]
    return dy


def helper_makes(y, k):
    y = y * 1.0
    for _ in range(3):
        a = _slope(y, k)
        y += 0.1 * a
    return np.sum(y * y)


add(helper_makes, V3, A)


def constant_divided(x):
    y = np.ones(3)
    y /= np.mean(x)
    z = np.full(3, 2.0)
    z **= x[0] * x[0]
    return np.sum(y * z * np.array([1.1, -0.6, 0.8]))


add(constant_divided, np.array([1.7, 2.2, 1.4]))


def view_added_at(x):
    tail = x[-2:]
    np.add.at(tail, [1, 0], x[1:] * 2.0)
    return np.sum(x * tail[0])


add(view_added_at, V3, jax=False)


def view_of_a_view_read_too_late(x, i):
    a = np.ones((3, 3))
    y = a[i if i < 2 else 0][::-1]
    a += np.outer(x, x)
    return np.sum(y * x)


add(view_of_a_view_read_too_late, V3, 1, wrt=(0,), refused=True, message="y is, or holds, a view")


def view_by_an_argument(m, i, j):
    a = m * 1.0
    row = a[i]
    row[j - 1:] += a[0, 0]
    column = a.T[j][::-1]
    column *= row
    return np.sum(a * a)


add(view_by_an_argument, M33, 1, 2, wrt=(0,), jax=False)


# ---------------------------------------------------------------- arrays that change hands
def arguments_exchanged(x, y):
    y[1:] = x[:-1] * x[0]
    x, y = y, x
    y[1:] = y[::2]
    return np.sum(x * np.array([1.1, -0.6, 0.8])) + np.sum(y * y)


add(arguments_exchanged, V3, W3, jax=False)


def arguments_exchanged_in_a_loop(x, y):
    for i in range(3):
        y[...] = x * y[i]
        x, y = y, x
    return np.sum(x * x * y)


add(arguments_exchanged_in_a_loop, V3, W3, jax=False)


def argument_under_a_local_name(x):
    y = np.zeros_like(x)
    y, x = x, y
    a = y[:]
    a[:-1] = a[1:] * y[0]
    return np.sum(y * a) + np.sum(x)


add(argument_under_a_local_name, V3, jax=False)


def argument_after_a_fresh_array(x, y):
    x = np.array([1.1, -0.6, 0.8])
    y, x = x, y
    x[2:] /= 3.0
    return np.sum(x * y)


add(argument_after_a_fresh_array, V3, W3, jax=False)


def buffers_exchanged(x):
    a, b = x * 1.0, np.cos(x)
    for i in range(3):
        b[...] = a * b[i]
        b[1:] *= a[:-1]
        a, b = b, a
    return np.sum(a * b)


add(buffers_exchanged, V3)


def constants_exchanged(x):
    c, d = np.ones(3), np.ones(3) * 2.0
    y = np.sum(c[::-1] * x[0] * x)
    c, d = d, c
    d[1:] = 0.5
    y += np.sum(c[::-1] * x[0] * x)
    d, c = c, d
    d[0] = 7.0
    c *= 2.0
    return y + np.sum(c * x)


add(constants_exchanged, V3)


# -------------------------------------------------------------- parts of what has no derivative, read before it changes
def constant_part(x):
    c = np.ones(3)
    y = np.sum(c[1:] * x[1:] * x[0])
    c[1:] = 0.5
    return y + np.sum(c * x)


add(constant_part, V3)


def constant_part_of_a_part(x):
    c = np.ones((3, 3))
    y = 0.0
    for i in range(3):
        y += np.dot(c[i], x) * x[0] + np.dot(c.T[i], x * x)
        c[i] *= i
        c.T[i] += 2.0
    return y


add(constant_part_of_a_part, V3, jax=False)


def constant_views(x):
    c = np.ones(3)
    y = np.sum(c.reshape(3) * x * x[0]) + np.sum(np.broadcast_to(c, (2, 3)) * x * x[1]) + np.sum(c.real * x * x)
    y += np.sum(np.squeeze(c) * x * x) + np.sum(np.atleast_2d(c)[0] * x * x[2])
    c[1:] = 0.5
    return y + np.sum(c * x)


add(constant_views, V3, orders=1)


def constant_of_either(x):
    c, d = np.ones(3), np.full(3, 2.0)
    y = np.sum((c if len(c) > 2 else d) * x * x[0]) + np.sum([c, d][0] * x * x[1])
    c[1:] = 0.5
    d += 1.0
    return y + np.sum(c * x)


add(constant_of_either, V3, orders=1)


def rest_of(c, k):
    return c[k:]


def constant_part_from_a_helper(x):
    c = np.ones(3)
    y = np.sum(rest_of(c, 1) * x[1:] * x[0])
    c[1:] = 0.5
    return y + np.sum(c * x)


add(constant_part_from_a_helper, V3, orders=1)


def index_that_changes(x):
    k = np.array([0, 1, 2])
    y = np.sum(x[k[1:]] * x[0])
    k[1:] = 0
    return y + np.sum(x[k] * x)


add(index_that_changes, V3)


def change_in_an_enumeration(m):
    for j, t in enumerate(np.array([1.1, -0.6, 0.8])):
        m[j] *= 0.7 * t + j
        m[m > -50.0] += t
    return np.sum(m * m)


add(change_in_an_enumeration, M33, jax=False)


def number_beside_columns(x):
    y = np.cos(x)
    column = y[:, None]
    y = np.sum(column * column[::-1], axis=1)
    t = y[2]
    t *= 0.7 * x[0]
    return np.sum(y) * t


add(number_beside_columns, V3)


def bound_after_a_trip(x):
    z = np.zeros(3)
    t = 0.0
    for i in range(3):
        y = x * (i + 1.0)
        t = t + np.sum(y * y)
        z[0] = t
        z = y
    return t + np.sum(z)


add(bound_after_a_trip, V3)


def negative_and_new_axes(A):
    A = A * 1.0
    r = A[-1]
    r[-1] *= A[0, 0]
    A[:, ::2][1] = A[0, 1]
    A[..., 0][2] = A[1, 1]
    A[None][0][1] *= 2.0
    return np.sum(A * A)


add(negative_and_new_axes, M33, jax=False)


def views_of_three_axes(A):
    A = A * 1.0
    for i in range(3):
        B = A[:, i]
        B[i] = A[i, 0] * 2.0
        B[:, 1] *= A[0, 0, 0]
        C = A[:, :, i]
        C[1] += C[0]
        D = A[i][1:, None]
        D += A[0, 0, 1]
        E = A[i].T
        E[0] = E[1] * E[2]
    return np.sum(A * A)


add(views_of_three_axes, np.arange(27.0).reshape(3, 3, 3) / 9.0 + 0.2, jax=False)


def view_in_a_while(x):
    y = x * 1.0
    i = 0
    while i < 3:
        v = y[i:]
        if i == 1:
            i += 1
            v[0] = x[1] * v[1]
            continue
        v *= 1.0 + x[0]
        i += 1
        if y[0] > 100.0:
            break
    return np.sum(y * y)


add(view_in_a_while, V3, jax=False)


def overlapping_calls(x):
    y = x * 1.0
    np.copyto(y, y[::-1] * x)
    y[...] = y[::-1]
    y[1:] += y[:-1]
    np.add.at(y, [0, 0, 1], y[[2, 1, 0]])
    return np.sum(y * np.arange(1.0, 4.0))


add(overlapping_calls, V3)


def overlapping_places(x):
    i = np.array([2, 0])
    x = x * 1.0
    x[i] = x[:2]
    x[x > 5.0] = x[0]
    return np.sum(x * x) + x[0]


add(overlapping_places, V3)


def overlapping_places_of_several_axes(x):
    A = np.outer(x, x)
    i = np.array([0, 1])
    A[:, [2, 0, 1]] = A
    A[i, 1:] = A[1:, :2]
    A[i, i] = A[0, :2]
    A[A > 5.0, ...] = A[1, 1]
    return np.sum(A * x)


add(overlapping_places_of_several_axes, V3)


def view_as_a_default(x):
    y = x * 1.0
    def g(v=y[1:]):
        return np.sum(v * v)
    y[1] = x[0]
    return g()


add(view_as_a_default, V3)


def view_in_a_comprehension(x):
    y = x * 1.0
    v = y[1:]
    y[1] = x[0] * x[0]
    return sum([v[i] * v[i] for i in range(2)]) + np.sum(v)


add(view_in_a_comprehension, V3)


def copies_saved(x):
    out = []
    y = x * 1.0
    for i in range(3):
        y[i] = y[i] * x[0]
        out.append(y.copy())
    return sum(np.sum(o * o) for o in out)


add(copies_saved, V3)


def add_into(u, v):
    np.add(u, v, u)


def out_by_position_in_a_helper(x):
    y = x * 1.0
    add_into(y, x)
    return np.sum(y * y)


add(out_by_position_in_a_helper, V3)


def argument_or_another(x, w):
    w[0] = x[0] * x[1]
    if x[0] > 0:
        w = w * x
    w[1] = x[2]
    return np.sum(w * w)


add(argument_or_another, V3, W3, jax=False)


def borders_of_rows(A):
    big = np.zeros((A.shape[0] + 2, A.shape[1]))
    big[1:-1] = A
    big[0], big[-1] = big[1], big[-2]
    return np.sum(big ** 3)


add(borders_of_rows, M33, jax=False)


def swapped_numbers(x):
    y = x * 1.0
    y[0], y[-1] = y[-1], y[0]
    y[[0, 1]] = y[[1, 0]]
    return np.sum(y * np.arange(3.0)) * y[0]


add(swapped_numbers, V3)


def buffers_through_a_name(x):
    a = x * 1.0
    b = np.zeros(3)
    for i in range(3):
        b[1:] = a[:-1] * x[1:]
        b[0] += a[2]
        t = a
        a = b
        b = t
    return np.sum(a * b)


add(buffers_through_a_name, V3)


def arguments_through_a_name(x, y):
    for i in range(3):
        x[1:] = y[:-1] * x[0]
        t = x
        x = y
        y = t
    return np.sum(x * y)


add(arguments_through_a_name, V3, W3, jax=False)


def three_buffers(x):
    a, b, c = x * 1.0, x * 2.0, np.ones(3)
    for i in range(4):
        c[1:] = a[1:] * b[:-1]
        t = c
        c = b
        b = a
        a = t
    return np.sum(a * b * c)


add(three_buffers, V3)


def added_at_a_view(x):
    tail = x[::-1][1:]
    np.add.at(tail, [1, 0], x[-2:])
    return np.sum(x * x) * tail[0]


add(added_at_a_view, V3, jax=False)


def added_at_parts(A):
    A = A * 1.0
    row = A.T[1]
    np.add.at(row, [0, 0, 2], A[0])
    np.subtract.at(A[1:], ([0, 1], [1, 1]), row[:2])
    for i in range(3):
        r = A[i]
        np.add.at(r, i, r[0] * r[1])
    return np.sum(A * A * A)


add(added_at_parts, M33, jax=False)


def stored_from_a_list_of_parts(x):
    y = x.copy()
    for r in [-0.72, y[1]]:
        y[y < 0.9] = x[0] * r
    return np.sum(y * y)


add(stored_from_a_list_of_parts, V3)


def rows_exchange_numbers(A):
    A = A * 1.0
    for i in range(2):
        a, b = A[i], A[i + 1]
        a[0], b[0] = b[0], a[0]
        t = A[i].copy()
        A[i] = A[i + 1]
        A[i + 1] = t
    return np.sum(A * np.arange(9.0).reshape(3, 3) * A[0])


add(rows_exchange_numbers, M33)


def either_but_not_the_one(x):
    y = x * 1.0
    w = x * 2.0
    s = 0.0
    for i in range(3):
        t = y[1:] if i == 0 else w[:2]
        s = s + np.sum(t * t * t)
        if i == 1:
            y[2] = 5.0 * x[1]
    return s + np.sum(y)


add(either_but_not_the_one, V3)


# ---------------------------------------------------------------- containers of arrays
def state_in_a_list(x, w):
    state = [x * 1.0, w * 2.0]
    for _ in range(3):
        state[0][1:] += state[1][:-1] * 0.5
        state[1] *= state[0]
        state[0] = state[0] * w
    return np.sum(state[0] * state[1])


add(state_in_a_list, V3, W3)


def state_in_a_dict(x, w):
    state = {"u": x * 1.0, "v": w * 1.0}
    state["w"] = np.zeros(3)
    for key, value in state.items():
        value[0] += w[1] * len(key)
    for key in ("u", "v"):
        state[key][1:] *= x[0]
    state["w"] += state["u"] * state["v"]
    return np.sum(state["w"] * x)


add(state_in_a_dict, V3, W3)


def buffers_in_a_list(x, w):
    line = [x * 1.0, np.zeros(3)]
    for _ in range(3):
        line[1][1:] = line[0][:-1] * w[0]
        line[0], line[1] = line[1], line[0]
    for k in range(4):
        line[(k + 1) % 2][1:] += line[k % 2][:-1] * w[1]
    return np.sum(line[0] * x + line[1])


add(buffers_in_a_list, V3, W3)


def lists_of_buffers(x, w):
    old, new = [x * 1.0, w * 1.0], [np.zeros(3), np.zeros(3)]
    for _ in range(3):
        new[0][1:] = old[0][:-1] * w[0]
        new[1][:] = old[1] * x
        old, new = new, old
    return np.sum(old[0] + old[1] * new[0])


add(lists_of_buffers, V3, W3)


def parts_in_a_list(A):
    B = A * 1.0
    parts = [B[0], B[:, 1], B.T]
    parts[0][1:] *= A[1, :-1]
    parts[1][2] = parts[0][0] * A[2, 2]
    parts[2][0][1] += B[0, 1]
    rows = [B[i] for i in range(3)]
    for i, row in enumerate(rows):
        row[i] *= A[0, i]
    return np.sum(B * A)


add(parts_in_a_list, M33, jax=False)


def one_array_twice(x, w):
    u = x * 1.0
    held = [u, u, (u[1:],)]
    held[0][0] = w[0]
    held[1] += w * x[0]
    held[2][0][1] *= 2.0
    return np.sum(held[0] * held[1]) + u[2]


add(one_array_twice, V3, W3, jax=False)


def copies_of_lists(x, w):
    state = [x * 1.0, w * 1.0]
    same, other, third = state, state[:], state.copy()
    other[0] = state[1] * 2.0
    same[0][0] = w[2]
    third[1][1] = x[0]
    return np.sum(other[0] * state[1] * other[1] * third[0])


add(copies_of_lists, V3, W3)


def item_of_a_loop(x, w):
    params, grads = [x * 1.0, w * 1.0], [w * w, x * x]
    means = [np.zeros_like(p) for p in params]
    for _ in range(2):
        for k, p in enumerate(params):
            means[k] += grads[k] * p
            p -= 0.1 * means[k]
    return np.sum(params[0] * params[1])


add(item_of_a_loop, V3, W3)


def stepped(state, dt):
    state[0] += dt * state[1]
    state[1] -= dt * np.sin(state[0])
    return state


def list_in_a_helper(x, w):
    state = [x * 1.0, w * 1.0]
    for _ in range(3):
        state = stepped(state, 0.1 * x[0])
    return np.sum(np.stack(state) * x[1])


add(list_in_a_helper, V3, W3)


class Layers:
    """Weights in a list, and their velocities in a dict."""

    def __init__(self, a, b):
        self.weights, self.speeds = [a, b], {"a": 0.0 * a, "b": 0.0 * b}

    def step(self, g):
        self.speeds["a"] += g * self.weights[1]
        self.weights[0] -= self.speeds["a"]
        for w in self.weights:
            w[1:] *= g[0]


def containers_in_an_object(x, w):
    layers = Layers(x * 1.0, w * 1.0)
    layers.step(w)
    layers.step(x)
    return np.sum(layers.weights[0] * layers.weights[1] ** 2)


add(containers_in_an_object, V3, W3)


def arrays_of_arrays(x, w):
    grid = [[np.zeros(3) for _ in range(2)] for _ in range(2)]
    for i in range(2):
        for j in range(2):
            grid[i][j][i] = x[i] * w[j]
            grid[i][j] += w * j
    return np.sum(grid[0][1] * grid[1][1] + grid[1][0])


add(arrays_of_arrays, V3, W3)


def row_with_two_places(x, y):
    row = [0.0] * 3
    rows = [row, row, [1.0] * 3]
    rows[0][1] = x * y
    rows[1][2] = x
    row[0] = y
    table = [[0.0] * 2] * 2
    for i in range(2):
        table[i][i] += x * (i + 1)
    return rows[1][1] * rows[0][2] + sum(row) + table[1][0] * table[0][1]


add(row_with_two_places, A, A)


def value_before_the_store(x, w):
    u = x * 1.0
    state = [u, w * 1.0]
    for _ in range(2):
        u = u * 2.0
        state[0][0] += u[1]
    return np.sum(u * state[0])


add(value_before_the_store, V3, W3)


# ---------------------------------------------------------------- versions of arrays
def lattice(x, n):
    r = np.zeros(3)
    for _ in range(n):
        x = tnb.append(x, r)
        for _ in range(2):
            y = np.sin(x[-1]) + x[-2]
            x = tnb.setitem(x, -1, y)
    return np.mean(x * x)


add(lattice, M33, 3)


def pushed_and_popped(x):
    for i in range(3):
        x = tnb.append(x, x[i] * x[-1])
    while len(x) > 3:
        v = x[-1] * x[-2]
        x = tnb.setitem(tnb.pop(x), -1, v)
    return np.sum(x * x)


add(pushed_and_popped, M33)


def old_versions_read(x, w):
    kept = []
    for i in range(3):
        kept.append(x)
        x = tnb.setitem(x, i, np.tanh(x[i - 1]) * w)
    left, right = tnb.append(x, w), tnb.append(kept[1], x[0])
    return np.sum(left * right) + sum(np.sum(old[0] * x[1]) for old in kept)


add(old_versions_read, M33, V3)


def items_set(x):
    x = tnb.setitem(x, (slice(None), 0), x[:, 1] ** 2)
    x = tnb.setitem(x, [0, 2, 0], x[[1, 1, 2]] * x[0])
    x = tnb.setitem(x, np.array([True, False, True]), x[1] * 3.0)
    x = tnb.setitem(x, (1, 2), x[0, 0])
    x = tnb.setitem(x, slice(1, None), 2.0 * x[:-1])
    return np.sum(x ** 2)


add(items_set, M33)


def made_persistent(x):
    y = tnb.PersistentArray(x * 2.0)
    for i in range(3):
        y = tnb.append(y, y[i] * x[i])
    return np.sum(np.asarray(y) ** 2) + np.sum(y[[0, 0, 3]] * y[1])


add(made_persistent, M33, jax=False)


def numbers_pushed(x):
    stack = np.zeros(0)
    for i in range(3):
        stack = tnb.append(stack, x[i] * x[0])
    while len(stack) > 1:
        stack = tnb.setitem(tnb.pop(stack), -1, stack[-1] * stack[-2])
    return stack[0]


add(numbers_pushed, V3)


def appended_in_a_helper(x):
    for i in range(2):
        x, n = pushed(x, x[i] * 0.5)
        x = x if n > 100 else tnb.setitem(x, 0, x[-1] * n)
    return np.sum(x ** 2)


def pushed(stack, v):
    stack = tnb.append(stack, v)
    for k in range(2):
        stack = tnb.setitem(stack, -1, np.tanh(stack[-1]) + stack[k])
    return stack, len(stack)


add(appended_in_a_helper, M33)


def history_that_is_constant(w, hist):
    hist = tnb.append(hist, w)
    hist = tnb.setitem(hist, 0, hist[-1] * hist[1])
    return np.sum(hist * hist)


add(history_that_is_constant, V3, M33, wrt=(0,))


def stores_in_item(x):
    items = [x, x]
    d = {"a": items}
    d["a"][0] = x * x
    return d["a"][0] * items[0]


add(stores_in_item, A)


def rows_that_are_one(x):
    rows = [[x, 1.0]] * 3
    rows[0][1] = x * x
    return rows[2][1]


add(rows_that_are_one, A)


def written_in_a_container(x):
    y = x * 1.0
    pair = [y for _ in x]
    y[0] = 5.0
    return np.sum(pair[0] * x)


add(written_in_a_container, V3, refused=True, message="pair is, or holds, a view")
# ----------------------------------------------------- names that pass an array on, stacks of copies, updates of no use
def array_passed_on(x):
    y = x * 1.0
    old = y
    y = np.sin(y)
    old[0] = y[1]
    z = old
    z[1] *= y[0]
    return np.sum(y * z)


add(array_passed_on, V3)


def three_buffers_passed_on(x):
    a, b, c = x * 1.0, x * x, np.sin(x)
    for i in range(4):
        t = a
        a = b
        b = c
        c = t
        a[i % 3] = b[0] * c[1]
        c *= a
    return np.sum(a * b * c)


add(three_buffers_passed_on, V3)


def popped_copies_changed(x):
    pile = []
    y = x * 1.0
    for i in range(3):
        pile.append(y * 2.0)
        y[i] *= y[1]
        pile.append(x[0] * y[1])
    s = 0.0
    for _ in range(3):
        q = pile.pop()
        v = pile.pop()
        v[1] = q * v[0]
        s = s + np.sum(v * v)
    return s


add(popped_copies_changed, V3, jax=False)


def rows_or_numbers_added_to(y):
    y = y * 1.0
    k = 0
    t = y[k]
    k = 1
    t *= y[k]
    t += y[2]
    return np.sum(y * y * y)


add(rows_or_numbers_added_to, V3)
add(rows_or_numbers_added_to, M33, name="rows_added_to")


# ---------------------------------------------------------------- the place after the value
def place_that_a_call_changes(x):
    def next_place():
        x[0] = x[0] * 2.0
        return 1

    y = np.zeros(3)
    x[next_place()] = x[0] * 3.0
    y[next_place()] = x[next_place()] = x[0] * x[1]
    x[0], y[next_place() + 1] = x[1], x[0]
    return np.sum(y * y) + np.sum(x)


add(place_that_a_call_changes, V3, jax=False)


# ---------------------------------------------------------------- copies of ours that stand for the array itself
def _doubled(v, n):
    if n == 0:
        return v * 1.0
    return _doubled(v * 2.0, n - 1)


def _itself(v, n):
    if n == 0:
        return v
    return _itself(v, n - 1)


def new_array_of_a_call(x):
    for k in range(3):
        v = _doubled(x, k)
        x[0] = x[1] * 3.0 * v[0]
    return np.sum(v ** 3 + x)


add(new_array_of_a_call, V3, orders=1, jax=False,
    notes="second order is refused: what a call keeps may be its argument")


def argument_of_a_call_back(x):
    v = _itself(x, 2)
    x[0] = x[1] * 3.0
    return np.sum(v ** 3 + x)


add(argument_of_a_call_back, V3, refused=True, message="v is, or holds, a view")


def parts_exchanged_by_calls(x):
    A = np.outer(x, x)
    A[0], A[1] = _itself(A[1], 1), _itself(A[0], 1)
    return np.sum(A[0] * x)


add(parts_exchanged_by_calls, V3, refused=True, message="is, or holds, a view")


def transposed_by_einsum(x):
    A = np.outer(x, x)
    v = np.einsum("ij->ji", A).copy()
    v[0] = x
    return np.sum(A * v) + np.einsum("ij->", A)


add(transposed_by_einsum, V3)


# ---------------------------------------------------------------- what may be found outside
def _weighted(w, x):
    return np.sum(w * x)


BY_WEIGHTS = functools.partial(_weighted, np.array([0.5, -1.0, 2.0]))


def argument_beside_a_partial(x):
    x[0] = x[1] * x[2]
    return BY_WEIGHTS(x) * x[0]


add(argument_beside_a_partial, V3, jax=False)


def places_where_it_holds(x):
    i = np.where(x > 0.0)[0]
    x[i] = np.sqrt(x[i])
    return np.sum(x * x * x)


add(places_where_it_holds, V3, jax=False)


def view_of_itself(x, w):
    y = x.copy()
    s = 0.0
    for _ in range(3):
        t = y * 2.0
        y[0] = 7.0
        y = y[:, None] * w[None, :3]
        s = s + np.sum(t * w[0]) + np.sum(y * w[1])
        y = y[:, 0]
    return s


add(view_of_itself, V3, np.array([0.3, -0.4, 0.8]), wrt=(0, 1), orders=1)


def constants_reduced_where_a_mask_of_them_says(x, A):
    y = np.full(3, 0.7)
    s = A[:, -2]
    A[...] = np.outer(x, y)
    y[np.abs(y) > 0.41] -= 0.7
    return np.sum(s * np.array([1.1, -0.6, 0.8]))


add(constants_reduced_where_a_mask_of_them_says, V3, M33, wrt=(0, 1), jax=False)


REVERSED = np.array([[0.5, 1.5, -0.7], [0.3, 0.9, 1.1], [-0.4, 0.6, 0.8]])


def one_of_two_values_added_backwards(x, B, n):
    y = np.copy(x)
    y[::-1] += np.where(n > 1, y * 0.33, np.maximum(B[:, 2], y[0]))
    return np.sum(y * np.array([1.1, -0.6, 0.8]))


add(one_of_two_values_added_backwards, np.array([0.5, 1.5, -0.7]), REVERSED, 1, wrt=(0, 1))
add(one_of_two_values_added_backwards, np.array([0.5, 1.5, -0.7]), REVERSED, 2, wrt=(0, 1),
    name="one_of_two_values_added_backwards_2")


def diffusion(u, k):
    u = u.copy()
    for _ in range(3):
        u[1:] += k * (u[:-1] - u[1:])
    return np.sum(u * u)


add(diffusion, M33, 0.3, wrt=(0, 1))
add(diffusion, M33, np.array([0.1, 0.2, -0.3]), wrt=(0, 1), name="diffusion_of_rates")


def growing_rows(x):
    y = np.ones(1)
    for i in range(3):
        z = np.zeros(i + 2)
        z[:-1] = 2.0 * y
        z[1:] += y
        z[0] += x[i] ** 2
        y = z
    return np.sum(y * y)


add(growing_rows, V3)


def rotating_buffers(x, w):
    a, b, c = x.copy(), w.copy(), np.zeros(3)
    for _ in range(4):
        c[1:-1] = 2.0 * b[1:-1] - a[1:-1] + w[0] * (b[2:] - 2.0 * b[1:-1] + b[:-2])
        a, b, c = b, c, a
    return np.sum(b * b) + a[1]


add(rotating_buffers, V3, np.array([0.3, -0.4, 0.8]), wrt=(0, 1))


def rows_that_feed_each_other(A, x):
    A = A * 1.0
    for row in A:
        row -= x * row[0]
        x = x * row
    return np.sum(A) * np.sum(x)


add(rows_that_feed_each_other, M33, V3)


def buffers_in_a_dict(x, w):
    d = {"a": x * 1.0, "b": [w * 1.0, x * w]}
    for i in range(3):
        d["b"][0][1:] += d["a"][:-1]
        d["b"][0], d["b"][1] = d["b"][1], d["b"][0]
        d["a"] *= d["b"][0]
    return np.sum(d["a"] * d["b"][1])


add(buffers_in_a_dict, V3, W3)


def numbers_and_the_array_they_are_of(x, w):
    s = 0.0
    for i in range(3):
        t = x[i]
        t *= 2.0
        y = x * w
        y[i] += t
        s = s + np.sum(y * y)
        x = y / 2.0
    return s


add(numbers_and_the_array_they_are_of, V3, W3)


def stack_of_arrays_taken_apart(x, w):
    st = []
    y = x * 1.0
    while len(st) < 4:
        st.append(y * w)
        y[len(st) % 3] += np.sum(st[-1])
    s = 0.0
    while st:
        v = st.pop()
        v[0] *= 2.0
        s = s + np.sum(v * y)
    return s


add(stack_of_arrays_taken_apart, V3, W3, jax=False)


def places_from_a_stack(x, w):
    idx = [0, 2, 1]
    y = x * w
    while idx:
        y[idx.pop()] *= y[1] + w[0]
    return np.prod(y)


add(places_from_a_stack, V3, W3)


def stored_by_lists(x, w):
    A = np.zeros((3, 3))
    y = x * 1.0
    for i in range(3):
        y[:] = [y[1], w[i] - y[0], y[2] * y[0]]
        A[i] = [1.0, y[0], w[i]]
        A[i, :2] = y[1], 2.0
        A[-1 - i % 2, 1:] = [w[i], A[i % 2, 0]]
    A[:2, 1:] = [[y[0], 3.0], w[:2]]
    return np.sum(A * A) + np.sum(y)


add(stored_by_lists, V3, W3)


def stored_with_names_by_turns(x, w):
    y = x * w
    items, y[1:] = [y[0], y[1]], np.array([w[0] * y[2], 1.0])
    items.append(y[1])
    return items[0] * items[2] + np.sum(y * y)


add(stored_with_names_by_turns, V3, W3)


def numbers_of_a_constant_exchanged(x, w):
    order = np.arange(9.0).reshape(3, 3)
    order[0, 1], order[1, 2] = order[1, 2], order[0, 1]
    order[2], order[1, 0] = order[0] * 2.0, order[2, 1]
    middle, order[0, 0] = order[1, 1], 5.0
    return np.sum(order @ x * w) * middle


add(numbers_of_a_constant_exchanged, V3, W3)


def aliased_before_what_has_no_rule(x, s):
    y = x * 1.0
    same = y
    same[0] = s
    return np.sum(np.apply_over_axes(np.sum, y, 0)) * 1.0


add(aliased_before_what_has_no_rule, V3, A, refused=True, message="apply_over_axes")


def _shaded(v):
    w = 0.5
    return np.cos(v) * w


def changed_by_what_a_call_gives_with_it(s, u):
    s = s * 1.0
    s *= s @ _shaded(u)
    p = s @ _shaded(u)
    s *= p
    return np.sum(s)


def changed_after_a_call_beside_it(s, u):
    s = s * 1.0
    q, r = s * u, s * _shaded(u)
    s += u
    return np.sum(q * r * s)


def changed_in_a_loop_after_a_call_beside_it(s, u):
    s = s * 1.0
    q = 0.0
    for _ in range(3):
        q = q + s @ _shaded(u)
        s += u
        s -= s * _shaded(s)
    return q * np.sum(s)


def changed_after_a_call_beside_it_as_an_item(s, u):
    s = s * 1.0
    d = {"a": s}
    r = d["a"] * _shaded(u)
    s *= r
    return np.sum(s * r)


def _doubled_or_curved(v):
    if v[0] > 0:
        return v * 2.0
    return np.sin(v)


def changed_by_an_item_of_a_display_of_it(s, u):
    s = s * 1.0
    for _ in range(2):
        s += _doubled_or_curved([s, s][0])
        s *= (u if u[0] > 9 else [s, s][0])
    return np.sum(s * s)


add(changed_by_an_item_of_a_display_of_it, V3, W3)
add(changed_by_what_a_call_gives_with_it, V3, W3)
add(changed_after_a_call_beside_it, V3, W3)
add(changed_in_a_loop_after_a_call_beside_it, V3, W3)
add(changed_after_a_call_beside_it_as_an_item, V3, W3, refused=True, message="another variable")


def condition_of_a_parameter_bound_in_between(s, u):
    s = np.where(u > 0, s * s, s) * 0.5
    y = s * s
    u = s * 0.5
    y = np.where(u > 0, s * y, s)
    return np.sum(s * s * np.cos(y) * s * s)


def condition_of_a_parameter_bound_in_a_branch(x, u):
    y = x * 1.0
    y = np.where(u > 0.1, y * y, y)
    z = y * y
    if x[0] > 0:
        u = -u
    y = np.where(u > 0.1, y * z, y)
    return np.sum(y)


def condition_of_an_array_changed_through_a_view(x, u):
    u = u * 1.0
    v = u[:2]
    y = np.where(u > 0, x * x, x)
    z = y * y
    v[0] = -1.0
    w = np.where(u > 0, y * z, y)
    return np.sum(w)


def condition_negated_under_its_own_name(x, u):
    c = u > 0
    y = x * x
    z = np.where(c, y, x)
    c = np.logical_not(z > 0.5)
    w = np.where(c, z * z, x)
    return np.sum(w * z)


add(condition_of_a_parameter_bound_in_between, V3, W3)
add(condition_of_a_parameter_bound_in_a_branch, V3, W3)
add(condition_of_an_array_changed_through_a_view, V3, W3, jax=False)
add(condition_negated_under_its_own_name, V3, W3)


# ---------------------------------------------------------------- changed by a part of itself
def divided_by_its_first(x, u):
    y = x * 1.0
    y /= y[0]
    y **= y[1]
    return np.sum(y * u)


def divided_by_a_view_of_itself(x, u):
    y = x * 1.0
    y /= y[:1]
    first = y[-1:]
    y /= first
    y **= y[::-1]
    return np.sum(y * u)


def divided_by_itself_turned_round(x, u):
    y = x * 1.0
    y /= y[::-1]
    y *= np.asarray(y)
    y /= y.reshape(-1) * 2.0
    return np.sum(y * u)


def rows_divided_by_rows(x, u):
    A = np.outer(x, u)
    A /= A[0]
    A[1] /= A[2]
    A[2] **= A[0, 0]
    A /= A.T
    return np.sum(A * A * u)


def divided_by_its_items_in_a_loop(x, u):
    y = x * 1.0
    for k in range(3):
        y /= y[k]
        y *= y[0]
        y += y[1] * u
    return np.sum(y * u)


def divided_by_its_item_under_its_name(x, u):
    y = x * 1.0
    y = y / y[0]
    y[...] = y / y[1]
    y[...] = y ** y[0]
    last = y[-1:]
    y = y / last
    return np.sum(y * u)


def divided_by_one_of_two(x, u):
    y = x * 1.0
    y /= y[0] if u[0] > 0 else y[1:2]
    y /= (y if u[0] < 0 else u)
    return np.sum(y * u)


def _autocorrelation(x):
    f = np.fft.fft(x - np.mean(x), n=8)
    found = np.fft.ifft(f * np.conjugate(f))[:len(x)].real
    found /= found[0]
    return found


def autocorrelations(x, u):
    """As emcee estimates the time of a chain."""
    return np.sum(_autocorrelation(x) * u)


for function in (divided_by_its_first, divided_by_a_view_of_itself, divided_by_itself_turned_round,
                 rows_divided_by_rows, divided_by_its_items_in_a_loop, divided_by_its_item_under_its_name,
                 divided_by_one_of_two):
    add(function, V3P, P3)
add(autocorrelations, V3P, W3, holomorphic=False, orders=1)


def _first_two(fn, row):
    return [fn(row[1]), row[0] * 1.5]


def places_of_what_is_gone_over(x):
    """Two places were taken for one, of a tuple."""
    t = np.sum(np.array([v for v in _first_two(np.sin, x)]))  # noqa: C416
    y = x
    tail = y[::2]
    y[1:] += tail
    for _ in range(1):
        y[:2] += (y)[[2, 0]]
    return np.sum(tail * np.array([0.9, -1.3])) - t


add(places_of_what_is_gone_over, V3, refused=True, message="another variable")


def unit_unless_there_is_room(x, out=None):
    if out is None:
        return np.sum(x / np.sqrt(np.dot(x, x)) * np.array([1.1, -0.6, 0.8]))
    out[...] = x
    out /= np.sqrt(np.dot(out, out))
    return np.sum(out * np.array([1.1, -0.6, 0.8]))


add(unit_unless_there_is_room, V3)
add(unit_unless_there_is_room, V3, np.zeros(3), wrt=(0,), name="unit_where_there_is_room", orders=1, jax=False)
