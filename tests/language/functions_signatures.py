"""Parameters and arguments of every kind, stars, defaults, recursion."""
from __future__ import annotations

import numpy as np
from corpus import M23, V3, A, B, add, section

section("functions_signatures")

RATE = 0.4


def with_rate(x, rate=RATE * 2.0):
    return x * rate + x * x


def default_evaluated_once(x):
    return with_rate(x) * with_rate(x, x) + RATE


add(default_evaluated_once, A, holomorphic=False)


def activated(x, f=np.tanh):
    return f(x) * x


def default_function(x):
    return activated(x) + activated(x, np.exp) * activated(x, f=lambda t: t * x)


add(default_function, A, holomorphic=False)


def remember(x, seen=[]):
    seen.append(1)
    del seen[:-3]
    return x * x * len(seen[:1])


def default_mutable(x):
    return remember(x) * remember(x + 1.0)


add(default_mutable, A)


def normal(x, mean=None, width=None):
    if mean is None:
        mean = 0.5 * x
    width = 1.0 if width is None else width
    return np.exp(-((x - mean) / width) ** 2)


def default_none(x, w):
    return normal(x) + normal(x, w) * normal(x, width=w)


add(default_none, A, B)


def default_in_entry(x, scale=2.5, *, offset=0.5):
    return scale * x * x + offset * x


add(default_in_entry, A, wrt=(0,))


def default_from_active(x):
    def shifted(t, by=x * x, factor=3.0):
        return factor * (t + by) * by
    return shifted(0.5) + shifted(x, factor=x)


add(default_from_active, A)


def total_of(*values):
    total = 0.0
    for k, v in enumerate(values):
        total = total + v * v * (k + 1)
    return total


def args_summed(x, y):
    return total_of(x) * total_of(y, x, 2.0) + total_of()


add(args_summed, A, B)


def first_and_rest(first, *rest):
    return first * sum(rest) + len(rest) * first


def args_after_one(x, y):
    return first_and_rest(x, y, x * y) - first_and_rest(y)


add(args_after_one, A, B)


def indexed_args(*values):
    return values[0] * values[-1] + values[1]


def args_indexed(x, y):
    return indexed_args(x, y, x * x) + indexed_args(y, x)


add(args_indexed, A, B)


def forwarded(*args, **kwargs):
    return with_rate(*args, **kwargs) * 2.0


def args_forwarded(x, y):
    return forwarded(x) * forwarded(x, y) + forwarded(y, rate=x)


add(args_forwarded, A, B, holomorphic=False)


def energy(**terms):
    return terms["kinetic"] ** 2 * terms["mass"] - terms["potential"]


def kwargs_by_key(x, y):
    return energy(mass=x, potential=x * y, kinetic=y) * x


add(kwargs_by_key, A, B)


def kwargs_iterated(x, y):
    def weighted(**parts):
        total = 0.0
        for name, value in parts.items():
            total = total + len(name) * value * value
        return total
    return weighted(a=x, long=y, longer=x * y)


add(kwargs_iterated, A, B)


def kwargs_with_get(x):
    def spring(position, **options):
        k = options.get("stiffness", 2.0)
        return 0.5 * k * position ** 2 + options.pop("offset", x)
    return spring(x) * spring(0.5, stiffness=x, offset=1.0)


add(kwargs_with_get, A)


def keyword_only(x, *, power, scale=1.5):
    return scale * x ** power


def calls_keyword_only(x, y):
    return keyword_only(x, power=3) + keyword_only(y, scale=x, power=2)


add(calls_keyword_only, A, B)


def positional_only(a, b, /, c=0.5):
    return a * b + c * a * a


def calls_positional_only(x, y):
    return positional_only(x, y) * positional_only(y, 2.0, c=x)


add(calls_positional_only, A, B)


def entry_positional_only(x, y, /):
    return np.sin(x * y) * y


add(entry_positional_only, A, B)


def every_kind(a, /, b, *rest, c=2.0, **more):
    return a * b + sum(rest) * c + more.get("d", 0.1) * b


def calls_every_kind(x, y):
    return every_kind(x, y, x * x, y * y, c=x, d=y) * every_kind(y, x)


add(calls_every_kind, A, B)


def three(a, b, c):
    return a * b - c * c * a


def star_tuple(x, y):
    point = (x, y, x * y)
    return three(*point) + three(*point[::-1])


add(star_tuple, A, B)


def star_list_grown(x, y):
    values = [x]
    values.append(y)
    return three(*values, c=x + y) * three(2.0, *values)


add(star_list_grown, A, B)


def star_array(x):
    return three(*x) * three(*(x * x))


add(star_array, V3)


def star_mapping(x, y):
    options = {"c": x, "a": y}
    return three(b=x * y, **options) + three(**{**options, "b": 2.0})


add(star_mapping, A, B)


def star_of_a_result(x, y):
    def swap(a, b):
        return b * a, a, b
    return three(*swap(x, y)) * x


add(star_of_a_result, A, B)


def star_two_stars(x, y):
    left, right = (x,), [y, x + y]
    return three(*left, *right) + three(*right, *left)


add(star_two_stars, A, B)


def star_in_maximum(x, y):
    values = (x * y, x, y)
    return max(*values) * 3.0 + min(*values, -0.5) * x


add(star_in_maximum, A, B)


def entry_with_rest(x, *rest):
    out = x
    for r in rest:
        out = out * x + r
    return out


add(entry_with_rest, A, 2, 3, wrt=(0,))
add(entry_with_rest, A, B, 2.5, 0.3, wrt=(0, 2), name="entry_with_rest_by_one_of_them")
add(entry_with_rest, A, wrt=(0,), name="entry_with_rest_of_nothing")


def entry_passes_its_rest_on(x, *rest, scale=2.0):
    return three(x, *rest) * scale + first_and_rest(x, *rest)


add(entry_passes_its_rest_on, A, B, 1.4)


def entry_is_recursive(x, *rest):
    return x * entry_is_recursive(rest[0] + x, *rest[1:]) if rest else np.sin(x)


add(entry_is_recursive, A, B, 0.4)


def entry_reads_of_its_rest(x, *rest):
    first, *others = rest
    return first * x * len(rest) + max(others) * sum(rest) + rest[-1]


add(entry_reads_of_its_rest, A, B, 0.4, 1.9)


def entry_with_unused_options(x, *rest, **options):
    return x * x * len(rest) + x * len(options)


add(entry_with_unused_options, A, 3, wrt=(0,))


def zipped_rows(m):
    columns = zip(*m)
    return sum(a * b * (k + 1) for k, (a, b) in enumerate(columns))


add(zipped_rows, M23)
