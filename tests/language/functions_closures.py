"""Closures: nested definitions, cells that carry derivatives, nonlocal writes."""
from __future__ import annotations

import numpy as np
from corpus import M23, V2, V3, V4, A, B, C, add, section

section("functions_closures")


def closure_over_argument(x):
    def scale(y):
        return x * y
    return scale(3.0) * scale(x) + scale(-0.5)


add(closure_over_argument, A)


def closure_two_cells(x, y):
    def mix(t):
        return t * x + np.sin(y) * t * t
    return mix(0.3) * mix(x)


add(closure_two_cells, A, B)


def closure_over_array(w):
    def weighted(i):
        return w[i] * w[0] * (i + 1)
    total = 0.0
    for i in range(3):
        total = total + weighted(i)
    return total


add(closure_over_array, V3)


def raise_to(n):
    def power(x):
        out = 1.0
        for _ in range(n):
            out = out * x
        return out
    return power


def closure_from_factory(x):
    cube = raise_to(3)
    return cube(x) + raise_to(2)(2.0 * x) * x


add(closure_from_factory, A)


def line_with(slope, intercept):
    def line(t):
        return slope * t + intercept
    return line


def closure_captures_active_values(a, b):
    line = line_with(a * a, a * b)
    return line(2.0) * line(-0.5) + line(b)


add(closure_captures_active_values, A, B)


def closure_two_of_one_factory(a, b):
    steep, flat = line_with(3.0 * a, b), line_with(0.1, a)
    return steep(flat(b)) - flat(steep(0.4)) * a


add(closure_two_of_one_factory, A, B)


def bound_later(x):
    def g(t):
        return t * k
    k = x * x
    return g(3.0) + g(x)


add(bound_later, A)


def bound_again_between_calls(x):
    def squared():
        return a * a
    a = x
    first = squared()
    a = np.sin(2.5 * x)
    return first + squared() * x


add(bound_again_between_calls, A)


def closures_of_a_loop_see_the_last(x):
    functions = []
    for i in range(1, 4):
        def scaled(t):
            return t * i * x
        functions.append(scaled)
    return functions[0](x) + functions[1](2.0) * functions[2](x)


add(closures_of_a_loop_see_the_last, A)


def closures_with_bound_defaults(x):
    functions = []
    for i in range(1, 4):
        def scaled(t, i=i, a=x * i):
            return t * i + a * t
        functions.append(scaled)
    return functions[0](x) + functions[1](2.0) * functions[2](x)


add(closures_with_bound_defaults, A)


def nested_recursion(x, n):
    def power(k):
        if k == 0:
            return 1.0
        return x * power(k - 1) + 0.1 * k
    return power(n) * power(1)


add(nested_recursion, A, 4)


def nested_mutual_recursion(x, y):
    def ping(v, n):
        return v if n == 0 else pong(v * x, n - 1)

    def pong(v, n):
        return v if n == 0 else ping(np.sin(v) + y, n - 1)
    return ping(1.5, 5)


add(nested_mutual_recursion, A, B)


def two_levels(x, y):
    def outer(a):
        def inner(b):
            return a * b * x + y
        return inner(a + 1.0) * inner(y)
    return outer(x) + outer(0.5 * y)


add(two_levels, A, B)


def three_levels_returned(x):
    def first(a):
        def second(b):
            def third(c):
                return a * b + b * c * x
            return third
        return second
    return first(x)(2.0)(x * x) + first(1.0)(x)(0.3)


add(three_levels_returned, A)


def nested_with_loop(x, n):
    def horner(coefficients):
        value = 0.0
        for c in coefficients:
            value = value * x + c
        return value
    return horner([1.0, -2.0, 0.5]) * horner([0.3, x, n])


add(nested_with_loop, A, 2)


def nested_with_early_return(x):
    def reach(limit):
        value = x
        for k in range(10):
            if value > limit:
                return value * k
            value = value * 1.6 + x
        return value
    return reach(2.0) + reach(6.0) * x


add(nested_with_early_return, A)


def defined_in_a_branch(x, y):
    if x > 0.0:
        def activation(t):
            return np.tanh(t * y)
    else:
        def activation(t):
            return t + y
    return activation(x) * activation(0.5)


add(defined_in_a_branch, A, B)
add(defined_in_a_branch, B, A, name="defined_in_the_other_branch")


def defined_again_in_a_loop(x):
    value = x
    for i in range(3):
        def step(t):
            return t * x + i * 0.2
        value = step(value) * step(0.5)
    return value


add(defined_again_in_a_loop, A)


def argument_overwritten_after_capture(x):
    def squared():
        return x * x
    x = np.sin(x) + 2.0 * x
    return squared() * x


add(argument_overwritten_after_capture, A)


def closure_appends_to_a_list(x):
    history = []

    def record(v):
        history.append(v * x)
        return v * v
    y = record(record(x) + 0.5)
    return history[0] * y + history[1]


add(closure_appends_to_a_list, A)


def closure_with_memo(x, n):
    memo = {0: x, 1: x * x}

    def term(k):
        if k not in memo:
            memo[k] = term(k - 1) * x + term(k - 2)
        return memo[k]
    return term(n) + memo[2] * 0.5


add(closure_with_memo, A, 5)


def closure_newton(x):
    def residual(t):
        return t * t * t - x

    def slope(t):
        return 3.0 * t * t
    t = 1.0
    for _ in range(4):
        t = t - residual(t) / slope(t)
    return t * t


add(closure_newton, 1.7)


def closure_runge_kutta(k, w):
    def rhs(t, y):
        return -k * y + np.sin(w * t)
    y, h = np.array([1.0, 0.5]), 0.2
    for i in range(3):
        t = i * h
        k1 = rhs(t, y)
        k2 = rhs(t + h / 2.0, y + h * k1 / 2.0)
        y = y + h * k2
    return np.sum(y * np.array([1.0, -2.0]))


add(closure_runge_kutta, A, C)


def closure_layer(w, b, x):
    def layer(h):
        return np.tanh(w @ h + b)
    h = layer(x)
    return np.sum(h * layer(x * 0.5) * np.array([1.0, 3.0]))


add(closure_layer, M23, V2, V3)


def closure_line_search(x, direction):
    def loss(p):
        return np.sum(p ** 4 - p * p) + p[0] * p[3]

    def along(t):
        return loss(x + t * direction)
    return along(0.1) - 2.0 * along(-0.3)


add(closure_line_search, V4, np.array([1.0, 0.5, -0.5, 2.0]))


def closure_never_called(x):
    def spare(t):
        return t / 0.0
    return x * x if spare is not None else x


add(closure_never_called, A)


def given_back_as_it_is(p):
    return lambda: p


def body_is_a_parameter(x):
    return given_back_as_it_is(x)() * x


add(body_is_a_parameter, A)


def hides_its_parameter(p):
    return lambda p: p * p


def parameter_hidden_by_another(x):
    return hides_its_parameter(x)(3.0) * x


add(parameter_hidden_by_another, A)


def hides_by_keyword(p):
    return lambda *, p: p * 2.0


def parameter_hidden_and_given_by_name(x):
    return hides_by_keyword(x)(p=3.0 * x)


add(parameter_hidden_and_given_by_name, A)


def called_with_others(fn, *args):
    def inner(fn, *args):
        return fn(*args) * args[0]
    return inner(fn, 2.0 * args[0]) + fn(args[0])


def stars_hidden_by_others(x):
    return called_with_others(np.sin, x)


add(stars_hidden_by_others, A)


def items_named_as_a_parameter(p):
    q = [p * 2.0 for p in (1.0, 2.0)]
    return lambda t: t * q[1] + p


def parameter_hidden_in_a_comprehension(x):
    return items_named_as_a_parameter(x)(x) * x


add(parameter_hidden_in_a_comprehension, A)


# --------------------------------------------------- names that comprehensions in a nested function bind for themselves
def a_comprehension_of_a_nested_function_names_a_later_variable(x, w):
    def inner(a):
        for _ in range(2):
            if a > 30.0:
                return a
            a = a * w
        return a + sum([0.8 for _ in (a, 3.0) for b in (0.8, w)]) + len([b for b in (1.0, 2.0)])

    y = inner(x)
    b = 3.0
    return y * b * inner(w)


add(a_comprehension_of_a_nested_function_names_a_later_variable, A, 1.3)


def _maker(value):
    items = value * 2.0

    def run(items_1, value_1=items):
        value = items_1 * value_1
        return value + items

    return run


def a_maker_whose_function_numbers_its_names(value, items):
    run = _maker(value)
    return run(items) * run(value, items)


add(a_maker_whose_function_numbers_its_names, A, 1.3)
