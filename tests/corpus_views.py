"""The part of the corpus about views that calls make, and loops over the rows of arrays that change in place."""
from __future__ import annotations

import numpy as np
from corpus import M23, M33, V3, A, add, section

section("mutation")


# ---------------------------------------------------------------- views by calls
def raveled_and_stored(x, s):
    y = x * 1.0
    v = y.ravel()
    v[3] = s
    v += 1.0
    return np.sum(y * y * s)


add(raveled_and_stored, M23, A, jax=False)


def reshaped_buffer(x, s):
    buffer = np.zeros(6)
    grid = buffer.reshape(2, 3)
    grid[0] = x[0] * s
    grid[1, 1:] = x[1, :2]
    return np.sum(buffer ** 3)


add(reshaped_buffer, M23, A, jax=False)


def reshaped_cotangent_in_another_order(x, s):
    y = x * s
    v = np.reshape(y, -1)
    v[1:4] *= s
    turned = y.T
    return np.sum(turned * turned * np.arange(6.0).reshape(3, 2))


add(reshaped_cotangent_in_another_order, M23, A, jax=False)


def reshaped_argument(x, s):
    v = x.reshape(x.shape[0] * x.shape[1])
    v[0] = s
    w = x.reshape(len(x), -1)
    w[1] *= v[0]
    return np.sum(x * x)


add(reshaped_argument, M23, A, jax=False)


def reshaped_in_place_of_itself(x, s):
    y = x * s
    y.reshape(-1)[2] = s
    y.transpose()[1] *= s
    y.T[0][1] += s
    return np.sum(y * y)


add(reshaped_in_place_of_itself, M23, A, jax=False)


def view_read_before_and_after(x, s):
    y = x * s
    v = y.reshape(-1)
    before = v[0] * v[1]
    y[0] *= 2.0
    after = v[0] * v[1]
    v[0] = before
    return after * np.sum(v) + before * np.sum(y)


add(view_read_before_and_after, M23, A, jax=False)


def reshaped_anew_in_a_loop(x, s):
    y = x * s
    total = 0.0
    for i in range(3):
        v = y.reshape(-1)
        v[i] = s * i
        total = total + np.sum(y * y)
        y = y * 2.0
    return total


add(reshaped_anew_in_a_loop, M23, A, jax=False)


def raveled_while_it_is_small(x, s):
    y = x * s
    v = y.ravel()
    i = 0
    while i < 5 and v[i] < 0.6:
        v[i + 1] += v[i]
        i += 1
    return np.sum(y * y)


add(raveled_while_it_is_small, M23, A, jax=False)


def shape_that_does_not_fit(x, s):
    y = x * s
    try:
        v = y.reshape(4, 2)
        v[0] = s
    except ValueError:
        y[0] = s
    return np.sum(y * y)


add(shape_that_does_not_fit, M23, A, jax=False)


def diagonal_read_after_a_change(x, s):
    y = x * s
    d = y.diagonal()
    total = 0.0
    for k in range(2):
        y[k] *= s
        total += np.sum(d)
    return total


add(diagonal_read_after_a_change, M33, A)


def transposed_and_swapped(x, s):
    y = x * s
    turned = y.transpose()
    turned += s
    turned[0] -= turned[1]
    other = y.swapaxes(0, 1)
    other[1, 1] = s
    return np.sum(y * y)


add(transposed_and_swapped, M23, A, jax=False)


def turned_round(x, s):
    y = x * s
    r = np.flip(y, 0)
    r[0] = r[1] * s
    q = np.fliplr(y)
    q[:, 0] = y[:, 0]
    u = np.flipud(y)
    u[0] *= s
    return np.sum(y * y * x)


add(turned_round, M23, A, jax=False)


def axes_more_and_less(x, s):
    y = x[None] * s
    c = np.squeeze(y)
    c[0] = s * x[1]
    e = np.expand_dims(y, 0)
    e[0, 0, 1] *= x[0]
    d = y.squeeze(0)
    d *= s
    return np.sum(y ** 2)


add(axes_more_and_less, M23, A, jax=False)


def two_parts_at_once(x, s):
    y = x * s
    left, right = y[:, :1], y[:, 1:]
    left[0] = right[1, 0] * s
    right *= left
    return np.sum(y * y)


add(two_parts_at_once, M23, A, jax=False)


def argument_as_array(x, w):
    y = np.asarray(x)
    y[0] = 5.0
    v = w.ravel()
    v[1] = x[0] * x[1]
    return np.sum(y * x) * v[1] + np.sum(w)


add(argument_as_array, V3, M23, jax=False)


# ---------------------------------------------------------------- loops over rows
def rows_scaled(x, s):
    y = x * 1.0
    for row in y:
        row *= s
    return np.sum(y * y)


add(rows_scaled, M23, A)


def rows_filled(x, s):
    y = np.zeros((2, 3))
    for i, row in enumerate(y):
        row[0] = s * i
        row[1:] = x[i, 1:]
    return np.sum(y ** 3)


add(rows_filled, M23, A)


def rows_counted_from_one(x, s):
    y = x * s
    for i, row in enumerate(y, 1):
        row[i] = s * i
    return np.sum(y * y) * i


add(rows_counted_from_one, M23, A)


def rows_of_two(x, s):
    y = x * s
    z = np.zeros((2, 3))
    for a, b in zip(y, z):
        b[:] = a * s
        a[0] = b[1]
    return np.sum(y * z)


add(rows_of_two, M23, A)


def rows_with_numbers(x, w, s):
    y = x * s
    for row, v, k in zip(y, w, range(5)):
        row[k] = v * s
        row *= v
    return np.sum(y * y)


add(rows_with_numbers, M23, V3, A)


def rows_after_each_other(x, s):
    y = x * s
    for a, b in zip(y[:-1], y[1:]):
        b += a * s
    return np.sum(y ** 2)


add(rows_after_each_other, M33, A, jax=False)


def columns_changed(x, s):
    y = x * s
    for column in y.T:
        column *= s
        column[0] = 2.0 * column[1]
    return np.sum(y * y)


add(columns_changed, M23, A, jax=False)


def rows_of_the_caller(x, s):
    for row in x:
        row[:] = row - row.mean()
        row /= np.sqrt(np.sum(row ** 2) + s)
    return np.sum(x[0] * x[1])


add(rows_of_the_caller, M23, A, jax=False)


def rows_until(x, s):
    y = x * s
    for row in y:
        if row[0] > 0.5:
            break
        row *= s
    else:
        y[0] = 1.0
    return np.sum(y * y)


add(rows_until, M23, A)


def rows_of_an_expression(x, s):
    y = x * s
    for row in y * 2.0:
        row[0] = s
        y[1] += row
    return np.sum(y * y)


add(rows_of_an_expression, M23, A)


def rows_of_rows(x, s):
    y = x * s
    for row in y:
        for k, v in enumerate(row):
            row[k] = v * v * s
    return np.sum(y)


add(rows_of_rows, M23, A)


def rows_bound_anew(x, s):
    y = x * s
    for row in y:
        row[0] = s
        row = row * 2.0
        row[1] = 4.0
    return np.sum(y * y)


add(rows_bound_anew, M23, A)


def no_rows(x, s):
    y = x[2:] * s
    for row in y:
        row *= s
    return np.sum(y * y) + s


add(no_rows, M23, A)


def numbers_that_change_on_the_way(x, s):
    k = np.array([1.0, 2.0, 3.0])
    total = 0.0
    for v in k:
        k[1:] += 1.0
        total += v * s
    return total * x[0]


add(numbers_that_change_on_the_way, V3, A)


def places_that_change_on_the_way(x, s):
    k = np.array([0, 1, 2])
    total = 0.0
    for i, (v, a) in enumerate(zip(k, x)):
        k[2] = 1
        total += x[v] * a * s * i
    return total


add(places_that_change_on_the_way, V3, A)


def several_arrays(x, s):
    y, z = np.zeros(3), np.zeros(3)
    for a, k in ((y, 2.0), (z, s)):
        a += x[0] * k
        a[0] = s
    return np.sum(y * z * x[1])


add(several_arrays, M23, A)


# ---------------------------------------------------------------- a branch decides for which array a name stands
def branch_decides(x, s):
    if s > 0.0:
        y = x
    else:
        y = np.ones(3)
    x[::2] = s * x[1]
    y[1] *= s
    return np.sum(x * y)


add(branch_decides, V3, A, jax=False)
add(branch_decides, V3, -A, name="branch_decides_otherwise", jax=False)


def branch_decides_in_a_loop(x, s):
    y = x * s
    for k in range(3):
        z = y if x[k] > 0.5 else y * 1.0
        y[0] *= s
        y[1] *= z[0]
    return np.sum(y)


add(branch_decides_in_a_loop, V3, A)


def exchanged_for_good(x, s):
    y, z = x * s, x + s
    v = y[...]
    v[:] = v * x
    y, z = z, y
    z[1] *= s
    y[0] = z[0]
    return np.sum(v * y * z)


add(exchanged_for_good, V3, A)


def all_of_a_row(x, s):
    y = x * s
    row = y[-1]
    row[::-2] *= 2.0
    all_of_it = row[...]
    all_of_it[:] = s * all_of_it
    all_of_it[[0, 2]] *= row[1]
    return np.sum(y * y) + np.sum(all_of_it)


add(all_of_a_row, M33, A, jax=False)


def transposed_row_of_a_product(x, k):
    y = np.tanh(np.outer(x, x)) * 0.8
    column = y.T[-1 - k % 3]
    column -= np.max(column)
    return np.sum(y * x)


add(transposed_row_of_a_product, V3, 1, wrt=(0,), jax=False)


def exchange_and_all(x, k):
    x[k], x[(k + 1) % 3] = x[(k + 1) % 3], x[k]
    x[...] = x
    x[[2, 0, 2]] = x
    return np.sum(x * x)


add(exchange_and_all, V3, 1, wrt=(0,), jax=False)


def numbers_of_a_reshaped_array(x, s):
    total = 0.0
    for v, w in zip(x.reshape(3), x):
        x[0] *= w
        total += v * s
    return total + x[0]


add(numbers_of_a_reshaped_array, V3, A, jax=False)


def part_of_no_use(x, s):
    y = x * s
    v = y[-2]
    v *= v
    v -= v * v
    return np.sum(y * y)


add(part_of_no_use, V3, A)
add(part_of_no_use, M33, A, name="part_of_no_use_that_is_a_row")


def parts_put_together(x, s):
    joined = np.concatenate((x[1:], x[:1]))
    x[[0, 0, 1]] = s * joined
    x[:] = np.concatenate([x[:2], np.array([s])]) * x
    return np.sum(joined * joined * x)


add(parts_put_together, V3, A, jax=False)


def array_read_at_two_places(x, y):
    y[2][-2] += np.sum(x)
    return np.sum(x * y[1])


add(array_read_at_two_places, V3, M33, jax=False)


# ------------------------------------------------------------- views of a result that the adjoint of its own call reads
def view_of_a_tanh(x, s):
    t = np.tanh(np.outer(x, x))[:, 1]
    t *= s
    u = np.exp(x).reshape(-1)
    u[1:] -= t[:2]
    return np.sum(t * u)


add(view_of_a_tanh, V3, A)


def view_of_a_quotient_in_a_loop(x, s):
    total = 0.0
    for k in range(3):
        t = (x / (1.0 + x * x))[k]
        t /= s
        t[0] = x[k, 0] ** 2
        total += np.sum(t * t)
    return total


add(view_of_a_quotient_in_a_loop, M33, A)


def results_in_a_tuple(x, s):
    pair = (np.tanh(x), np.exp(x))
    pair[0][1] *= s
    second = pair[1]
    second += 1.0
    return np.sum(pair[0] * second)


add(results_in_a_tuple, M33, A)


def result_that_is_passed_on(x, s):
    y = np.exp(x)
    z = y.T
    w = np.tanh(z)
    z *= w
    y[0] = s
    return np.sum(z * x)


add(result_that_is_passed_on, M33, A, jax=False)


# ---------------------------------------------------------------- parts that are stored in the array they are of
def stored_in_itself(x, s):
    y = x * s
    y[0] = y[1]
    y[:, 0] = y[:, 1]
    y[1:, 0] = y[:-1, 0]
    y[0, ::-1] = y[0]
    y[:] = y.T
    y[0, :2] = y[1:, 0]
    y[1, 1:] = y[1, ::2]
    return np.sum(y * y)


add(stored_in_itself, M33, A)
