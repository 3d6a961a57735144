"""Control flow: branches, early returns, conditional expressions, walrus, comparisons, `and` and `or`."""
import numpy as np
from corpus import M23, V3, V4, A, B, C, add, section

section("control_flow")


def branch_ladder(x):
    if x < -1.0:
        y = x * x
    elif x < 0.0:
        y = np.exp(x)
    elif x < 1.0:
        y = np.sin(x) + x
    else:
        y = 3.0 * x
    return y * x


for _k, _x in enumerate((B, -0.4, A, C)):
    add(branch_ladder, _x, name=f"branch_ladder_{_k}")


def branch_on_array(v):
    if np.any(v < -1.0) and not np.all(v > 0.0):
        scale = v[0]
    else:
        scale = 1.0
    return np.sum(v * v) * scale


add(branch_on_array, V3)


def branch_on_none(x, y=None):
    if y is None:
        y = x * x
    return y * x


add(branch_on_none, A)
add(branch_on_none, A, B, name="branch_on_none_given")


def branch_on_string(x, method):
    if method == "midpoint":
        slope = np.cos(0.5 * x)
    elif method in ("euler", "explicit"):
        slope = np.cos(x)
    else:
        raise ValueError(f"unknown method {method!r}")
    return slope * x


add(branch_on_string, A, "midpoint")
add(branch_on_string, A, "explicit", name="branch_on_string_member")


def branch_on_kind(x):
    if isinstance(x, np.ndarray):
        return np.sum(x * x)
    elif isinstance(x, (int, float)):
        return x ** 3
    return 0.0


add(branch_on_kind, A, holomorphic=False)
add(branch_on_kind, V3, name="branch_on_kind_array", holomorphic=False)


def branch_on_shape(a):
    if a.ndim == 2 and a.shape[0] < a.shape[1]:
        a = a.T
    return np.sum(a[0] * a[-1]) * len(a)


add(branch_on_shape, M23)


def branch_chained_comparison(x, y):
    s = 0.0
    for k in range(4):
        if 0.5 < x * k <= 1.5 < 2.0:
            s = s + x * y
        elif y < k != 3:
            s = s + y * y * k
    return s


add(branch_chained_comparison, A, B)


def branch_binds_other_kinds(x, n):
    if n > 2:
        out = [x, x * x]
    else:
        out = (x, 1.0)
    return out[0] * out[1] + len(out) * x


add(branch_binds_other_kinds, A, 3)
add(branch_binds_other_kinds, A, 1, name="branch_binds_other_kinds_not")


def branch_none_until_found(v):
    found = None
    for a in v:
        if found is None and a < 0.0:
            found = a
        elif found is not None:
            found = found * a
    return found ** 2 if found is not None else 0.0


add(branch_none_until_found, V4)


def return_in_branches(x):
    if x > 1.0:
        return x * x
    if x > 0.0:
        y = np.sin(x)
        return y * x
    return -x


for _k, _x in enumerate((C, A, B)):
    add(return_in_branches, _x, name=f"return_in_branches_{_k}")


def return_in_nested_loops(m, limit):
    total = 0.0
    for i in range(2):
        for j in range(3):
            total = total + m[i, j] ** 2 * (i + 1)
            if total > limit:
                return total * m[i, j]
        total = total * m[i, 0]
    return total + m[0, 1]


add(return_in_nested_loops, M23, 1.0, wrt=(0,))
add(return_in_nested_loops, M23, 1.6, wrt=(0,), name="return_in_nested_loops_second")
add(return_in_nested_loops, M23, 1e9, wrt=(0,), name="return_in_nested_loops_never")


def return_from_while_true(x):
    k = 0
    while True:
        x = x * x + 0.1
        k += 1
        if k == 3:
            return x * k


add(return_from_while_true, A)


def return_container_item(x, y):
    for pair in [(x, 1), (y, 2), (x * y, 3)]:
        value, k = pair
        if k == 2:
            return value * x
    return 0.0


add(return_container_item, A, B)


def ternary_nested(x, y):
    s = x if y > 0 else y if x > 1.0 else x * y
    t = (s if s < -0.5 else x) * (2.0 if x > 0 else 3.0)
    return s * t


add(ternary_nested, A, B)


def ternary_in_call_and_index(v, k):
    a = np.sin(v[0] if k > 0 else v[1])
    b = v[2 if k > 5 else 1]
    return a * b + (np.sum if k else np.max)(v * v)


add(ternary_in_call_and_index, V3, 1)


def walrus_in_if(x):
    if (y := np.sin(x)) > 0.1 and (z := y * x) > 0.2:
        return y * z
    return y


add(walrus_in_if, A)


def walrus_in_while(x):
    k = 0
    while (x := x * 0.5 + 0.1 * x * x) > 0.05:
        k += 1
    return x * k + x ** 2


add(walrus_in_while, C, holomorphic=False)


def walrus_in_call(x):
    y = np.exp(t := x * x) * t
    return y + (u := t + 1.0) * u


add(walrus_in_call, A)


def walrus_order(x, y):
    s = x + (x := x * y) * 2.0
    return s * x


add(walrus_order, A, B)


def or_gives_a_value(x, y):
    a = 0.0 or x
    b = y or 1.0
    c = None or [] or x * y
    return a * b + c


add(or_gives_a_value, A, B)


def and_gives_a_value(x, n):
    y = n and x * x
    z = n > 2 and x or x ** 3
    return (y or x) * z


add(and_gives_a_value, A, 3)
add(and_gives_a_value, A, 0, name="and_gives_a_value_zero")


def short_circuit_guards(v, k):
    s = 0.0
    while k < len(v) and v[k] > -5.0:
        if k == 0 or v[k] / v[k - 1] < 0.0:
            s = s + v[k] ** 2
        k += 1
    return s * v[-1]


add(short_circuit_guards, V4, 0, holomorphic=False)


def not_and_parentheses(x, y):
    outside = not (0.0 < x < 1.0 or y > 0.0)
    if not outside and not y > 2.0:
        return x * y
    return x


add(not_and_parentheses, A, B)


def flags_kept(x, n):
    done, rising = False, x > 0.0
    for k in range(n):
        done = done or k == 2
        rising &= k < 2
        x = x * (1.5 if rising else 0.5)
        if done and not rising:
            x = x * x
    return x


add(flags_kept, A, 4)


def sign_by_hand(x, y):
    s = (x > y) - (x < y)
    return s * x * x + y * (s + 2)


add(sign_by_hand, A, B)


def identity_of_a_sentinel(x, y):
    missing = object()
    table = {"a": x}
    value = table.get("b", missing)
    if value is missing:
        value = y * x
    return value * table["a"]


add(identity_of_a_sentinel, A, B)


def piecewise_by_elements(v):
    out = np.zeros_like(v)
    for i, a in enumerate(v):
        if abs(a) <= 0.8:
            out[i] = 0.5 * a * a
        elif a > 0:
            out[i] = 0.8 * (a - 0.4)
        else:
            out[i] = -0.8 * a * a
    return np.sum(out * out)


add(piecewise_by_elements, V4, holomorphic=False)
