"""Control flow: loops with `else`, nested breaks, loop variables, zero trips, assignments of all forms."""
import numpy as np
from corpus import M23, M33, V3, V4, V5, A, B, C, add, section

section("control_flow")


def for_else_taken(x, limit):
    for k in range(4):
        x = x * x + 0.3
        if x > limit:
            break
    else:
        x = np.sin(x) * k
    return x * 2.0


add(for_else_taken, A, 5.0, wrt=(0,))
add(for_else_taken, A, 0.75, wrt=(0,), name="for_else_broken")


def while_else_taken(x, n):
    k = 0
    while k < n:
        k += 1
        if k == 5:
            break
        x = x * np.cos(x)
    else:
        x = x + k * x * x
    return x


add(while_else_taken, A, 3)
add(while_else_taken, A, 9, name="while_else_broken")


def loops_with_else_nested(m):
    s = 1.0
    for row in m:
        for a in row:
            if a < -1.0:
                break
            s = s * a
        else:
            s = s * 10.0
            continue
        s = s + row[2]
    else:
        s = s * m[0, 0]
    return s


add(loops_with_else_nested, M23)


def continue_in_nested_loops(m):
    s = 0.0
    for i, row in enumerate(m):
        if i == 1:
            continue
        for j, a in enumerate(row):
            if j == i:
                continue
            s = s * 0.5 + a * a * (j + 1)
    return s


add(continue_in_nested_loops, M33)


def break_inner_only(x):
    s = 0.0
    for i in range(3):
        y = x
        while True:
            y = y * 1.5 + 0.1 * i
            if y > 2.0:
                break
        s = s + y * (i + 1)
    return s


add(break_inner_only, A, holomorphic=False)


def break_through_a_flag(m, limit):
    s, found = 0.0, False
    for i in range(3):
        for j in range(3):
            if m[i, j] * (i + j) > limit:
                found = True
                break
            s = s + m[i, j] * m[j, i] * (i + 2 * j)
        if found:
            s = s * m[i, j]
            break
    return s


add(break_through_a_flag, M33, 2.0, wrt=(0,))


def while_true_break_continue(x):
    k, s = 0, 0.0
    while True:
        k += 1
        if k % 2:
            continue
        if k > 7:
            break
        s = s * x + k
    return s * k * x


add(while_true_break_continue, A)


def loop_variable_after_the_loop(v):
    s = 0.0
    for i, a in enumerate(v):
        s = s + a * i
        if s < -0.5:
            break
    return s * a * (i + 1) + a


add(loop_variable_after_the_loop, V4)


def loop_variable_rebound(x):
    s = 0.0
    for i in range(4):
        i = i * 2 + 1
        s = s + x ** i / i
    return s * i


add(loop_variable_rebound, A)


def loop_variable_is_a_name_in_use(x, v):
    s = 0.0
    for x in v:
        s = s * 0.3 + x * x
    return s + x


add(loop_variable_is_a_name_in_use, A, V3, wrt=(1,))


def loop_over_targets(x, n):
    values = [0.0] * 4
    for values[1] in (x, x * x, n * x):
        values[2] += values[1] * values[1]
    return values[2] + values[1]


add(loop_over_targets, A, 3)


def zero_trips_keep_the_values(x, n):
    last = x * 3.0
    for k in range(n):
        last = x ** k
    while n > 0:
        last, n = last * x, n - 1
    return last * x


add(zero_trips_keep_the_values, A, 0)
add(zero_trips_keep_the_values, A, 2, name="zero_trips_not")


def loop_over_list_that_grows(x):
    values = [x]
    for a in values:
        if len(values) < 5:
            values.append(a * x + 0.5)
    return values[-1] * values[2]


add(loop_over_list_that_grows, A)


def loop_over_string_and_digits(x):
    s = 0.0
    for c in "a3b1":
        s = s * x + (int(c) if c.isdigit() else ord(c) - 96)
    return s * x


add(loop_over_string_and_digits, A)


def loop_over_float_steps(x):
    s, t = 0.0, 0.0
    while t < 0.95:
        s += np.exp(-t * x) * 0.1
        t += 0.1
    return s * x


add(loop_over_float_steps, A)


def loop_downwards_in_steps(v):
    s = 1.0
    for i in range(len(v) - 1, -1, -2):
        s = s * v[i] + i
    for i in np.arange(0, len(v), 2):
        s = s + v[i] ** 2
    return s


add(loop_downwards_in_steps, V5)


def loop_over_linspace(x):
    s = 0.0
    for t in np.linspace(0.1, 0.9, 4):
        s = s * t + np.sin(x * t)
    return s


add(loop_over_linspace, A)


def loop_over_index_array(v):
    s = 0.0
    for i in np.array([2, 0, 2]):
        s = s * v[i] + i
    for i, j in [(0, 1), (1, 2)]:
        s = s + v[i] * v[j] ** 2
    return s


add(loop_over_index_array, V3)


def loop_over_ndindex(m):
    s = 0.0
    for i, j in np.ndindex(2, 3):
        s = s * 0.9 + m[i, j] ** 2 * (i - j)
    return s


add(loop_over_ndindex, M23)


def loop_over_ndenumerate(m):
    s = 0.0
    for (i, j), a in np.ndenumerate(m):
        s = s + a * a * (2 * i + j + 1)
    return s


add(loop_over_ndenumerate, M23)


def loop_over_flat_and_columns(m):
    s = 0.0
    for a in m.flat:
        s = s * 0.5 + a * a
    for column in m.T:
        s = s + column[0] * column[1]
    return s


add(loop_over_flat_and_columns, M23)


def loop_updates_array_and_scalar(v, n):
    v = v.copy()
    s = 0.0
    for k in range(n):
        v[k % 3] = v[k % 3] * v[(k + 1) % 3] + 0.1 * k
        s += v[k % 3]
        v = v + s * 0.1
    return s * v[0]


add(loop_updates_array_and_scalar, V3, 4)


def assign_chained_to_parts(x, y):
    v = np.zeros(3)
    values = [0.0, 0.0]
    v[0] = values[1] = a = x * y
    v[1:] = values[0] = b = y * y
    return v[0] * values[0] + a * b + v[2] * values[1]


add(assign_chained_to_parts, A, B)


def assign_swaps(x, y, z):
    x, y, z = y, z * x, x
    for _ in range(3):
        x, y = y, x + 0.5 * y
        z, x = x * z, z
    return x * y + z


add(assign_swaps, A, B, C)


def assign_in_order(v):
    v = v * 1.0
    i = 0
    i, v[i] = 2, v[1] * v[2]
    v[i], i = v[0] ** 2, 1
    return v[0] + 2.0 * v[i] * v[2]


add(assign_in_order, V3)


def augmented_of_all_kinds(x, n):
    y = x
    y += 2.0
    y *= x
    y -= x / 3.0
    y /= 1.0 + x
    y **= 2
    n //= 2
    n %= 4
    n <<= 1
    n |= 1
    n ^= 2
    n &= 7
    n >>= 1
    return y * n + y


add(augmented_of_all_kinds, A, 13)


def augmented_matrix_product(m, v):
    a = m.copy()
    a @= m * 0.5
    w = v @ a
    w -= v
    return np.sum(w * w)


add(augmented_matrix_product, M33, V3)


def augmented_floor_and_remainder(x, y):
    y //= 0.5
    x *= y
    x %= 1.7
    return x * x


add(augmented_floor_and_remainder, A, 2.2, wrt=(0,))


def annotated(x: float, n: int = 2) -> float:
    y: float = x * x
    z: float
    z = y * n
    values: list[float] = [y, z]
    return values[0] * values[1] + x


add(annotated, A)


def deleted_names(x, y):
    t = x * y
    u = t * t
    del t
    t = u + y
    del u, y
    return t * x


add(deleted_names, A, B)


STEP_SIZE, COEFFICIENTS = 0.25, {"drag": 0.3, "powers": [1, 2, 3]}


def globals_read(x):
    for k in COEFFICIENTS["powers"]:
        x = x - STEP_SIZE * COEFFICIENTS["drag"] * x ** k
    return x


add(globals_read, A)


# ------------------------------------------------------- a name bound in a branch, and again in a loop that may not run
def bound_in_a_branch_then_in_a_loop(x, w):
    if x > 0.1:
        a = np.sin(x)
        x = a * a
    for t in (x, w):
        a = np.sin(t) * 3.0
        x = x * a
    return np.sin(x) * np.sin(w)


add(bound_in_a_branch_then_in_a_loop, A, 1.3)


def bound_in_a_branch_then_in_a_while(x, w):
    if x > 0.1:
        a = np.sin(x)
        x = np.exp(a * w)
    while w < 4.0:
        a = w * 2.0
        w = a * a
    return x * w


add(bound_in_a_branch_then_in_a_while, A, 1.3)


def bound_in_a_branch_then_in_a_branch_of_a_loop(x, w):
    if x > 0.1:
        a = np.sin(x)
        x = a * a
    for t in (x, w):
        if t > 0.1:
            a = np.sin(t) * 3.0
            x = x * a
    return np.sin(x) * np.sin(w)


add(bound_in_a_branch_then_in_a_branch_of_a_loop, A, 1.3)


def bound_in_two_branches_of_an_iteration(x, w):
    for _ in range(2):
        if x > 0.1:
            a = np.sin(x)
            x = a * a
        if w > 0:
            a = w * 1.1
            w = a * a
        a = w * x
        x = x + np.exp(a * 0.1)
    return np.sin(x) * np.sin(w)


add(bound_in_two_branches_of_an_iteration, A, 1.3)


def bound_in_a_branch_then_in_an_inner_loop(x, w):
    for _ in range(2):
        if x > 0.1:
            a = np.sin(x)
            x = np.exp(a * w)
        for _ in range(2):
            a = w * 1.1
            w = a * a * 0.3
        a = w * x
        x = x + np.exp(a * 0.1)
    return x * w


add(bound_in_a_branch_then_in_an_inner_loop, A, 1.3)


def bound_in_the_branches_of_a_branch(x, w):
    for _ in range(3):
        if w > 0.1:
            if x > 0.1:
                a = np.sin(x)
                x = a * a
            if x > 0.05:
                a = w * 1.1
                w = a * a * 0.2
            a = w * x
            x = x + np.exp(a * 0.1)
    return np.sin(x) * np.sin(w)


add(bound_in_the_branches_of_a_branch, A, 1.3)


def bound_in_a_try_then_in_a_loop(x, w):
    try:
        a = np.sin(x)
        x = np.sin(w)
        if a > 10.0:
            raise KeyError
        w = x * w
    except KeyError:
        x = w
    for t in (x, w):
        a = np.sin(t) * 100.0
    return np.sin(x) * np.sin(w)


add(bound_in_a_try_then_in_a_loop, A, 1.3)
