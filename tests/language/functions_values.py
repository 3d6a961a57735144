"""Functions as values: lambdas, arguments, results, tables and lists of functions."""
from __future__ import annotations

from functools import partial

import numpy as np
from corpus import M33, V2, V3, W3, A, B, C, add, section

section("functions_values")


def compose(f, g):
    return lambda t: f(g(t))


def compose_two(x):
    return compose(np.sin, np.exp)(x) * compose(lambda t: t * t, np.cos)(x)


add(compose_two, A)


def compose_with_itself(x, k):
    double = lambda t: k * t + 0.1 * t * t
    four = compose(double, double)
    return compose(four, four)(x)


add(compose_with_itself, A, 1.2)


def compose_all(*functions):
    def chained(value):
        for f in functions:
            value = f(value)
        return value
    return chained


def compose_many(x, w):
    return compose_all(np.sin, lambda t: t * w, np.exp, lambda t: t + x)(x)


add(compose_many, A, B)


def apply_twice(f, value):
    return f(f(value))


def apply_twice_named(x):
    def grow(t):
        return t * t + 0.3
    return apply_twice(grow, x) + apply_twice(np.sin, x)


add(apply_twice_named, A)


def apply_twice_closure(x, w):
    return apply_twice(lambda t: np.tanh(w * t + x), x)


add(apply_twice_closure, A, C)


def iterate(f, value, n):
    for _ in range(n):
        value = f(value)
    return value


def iterate_map(x, r):
    return iterate(lambda t: r * t * (1.0 - t), x, 5)


add(iterate_map, 0.3, 3.2)


def fixed_point(g, start, tolerance=1e-13):
    old, new = start, g(start)
    while abs(new - old) > tolerance:
        old, new = new, g(new)
    return new


def fixed_point_of_closure(x):
    return fixed_point(lambda t: 0.5 * (t + x / t), 1.0) * x


add(fixed_point_of_closure, C, tol=1e-9)


def integrate(f, a, b, n=8):
    h = (b - a) / n
    inner = 0.0
    for k in range(1, n):
        inner = inner + f(a + k * h)
    return h * (0.5 * f(a) + inner + 0.5 * f(b))


def integrate_with_parameter(k, top):
    return integrate(lambda t: np.exp(-k * t) * t, 0.0, top)


add(integrate_with_parameter, A, C)


def slope(f, at, h=1e-2):
    return (f(at + h) - f(at - h)) / (2.0 * h)


def slope_of_closure(x, w):
    return slope(lambda t: np.sin(w * t) * t, x) * w


add(slope_of_closure, A, B)


def relu(t):
    return t if t > 0.0 else 0.0


def softplus(t):
    return np.log(1.0 + np.exp(t))


ACTIVATIONS = {"relu": relu, "softplus": softplus, "tanh": np.tanh, "none": lambda t: t}


def table_by_name(x, name):
    return ACTIVATIONS[name](x) * x + ACTIVATIONS["softplus"](2.0 * x)


add(table_by_name, A, "relu", holomorphic=False)
add(table_by_name, A, "tanh", name="table_by_another_name")


def table_in_the_call(x, name):
    return {"relu": relu, "square": lambda t: t * t, "sin": np.sin}[name](x) * 3.0


add(table_in_the_call, A, "square")


def table_of_closures(x, y, key):
    moves = {"up": lambda t: t + x, "turn": lambda t: t * y, "both": lambda t: t * x - y}
    return moves[key](x) * moves["turn"](2.0) + moves["both"](y)


add(table_of_closures, A, B, "up")


def table_with_fallback(x, name):
    f = ACTIVATIONS.get(name, np.sin)
    return f(x) * f(0.5 * x)


add(table_with_fallback, A, "unknown")


def table_iterated(x):
    total = 0.0
    for k, (name, f) in enumerate(ACTIVATIONS.items()):
        total = total + f(x * (k + 1)) * len(name)
    return total


add(table_iterated, A, holomorphic=False)

FUNCTIONS = [np.sin, np.exp, lambda t: t * t + 1.0]


def list_iterated(x):
    for f in FUNCTIONS:
        x = f(x) * 0.7
    return x


add(list_iterated, A)


def list_indexed(x, i):
    return FUNCTIONS[i](x) * FUNCTIONS[i - 1](x)


add(list_indexed, A, 2)


def list_built_here(x, w):
    steps = [lambda t: t * w, np.tanh]
    steps.append(lambda t: t + x)
    for step in steps:
        x = step(x)
    return x * w


add(list_built_here, A, B)


def list_in_a_comprehension(x, w):
    scalers = [lambda t, k=k: t * w * k for k in (1.0, 2.0, 4.0)]
    return sum(f(x) * (i + 1) for i, f in enumerate(scalers)) * scalers[1](x)


add(list_in_a_comprehension, A, B)


def zipped_with_values(x):
    total = 0.0
    for f, v in zip((np.sin, np.cos, np.exp), x):
        total = total + f(v) * v
    return total


add(zipped_with_values, V3)


def chosen_by_expression(x, flag):
    return (np.sin if flag else np.cos)(x) * (np.exp if x > 0.0 else np.tanh)(x)


add(chosen_by_expression, A, True)


def chosen_by_statement(x, kind):
    if kind == "soft":
        act = softplus
    elif kind == "hard":
        act = relu
    else:
        act = np.tanh
    return act(x) * act(x + 1.0)


add(chosen_by_statement, A, "soft")
add(chosen_by_statement, A, "hard", name="chosen_by_another_statement")


def pick(kind):
    if kind == "sin":
        return np.sin
    return lambda t: t * t * t


def chosen_by_a_function(x):
    return pick("sin")(x) * pick("cube")(x)


add(chosen_by_a_function, A)


def rebound_function(x):
    f = np.sin
    y = f(x)
    f = np.exp
    y = y * f(x)
    f = lambda t, g=f: g(t) + t * y
    return f(x)


add(rebound_function, A)


def argument_by_keyword(x, activation=np.tanh):
    return fold_with(values=x, combine=lambda a, b: a * b + activation(a), start=0.5)


def fold_with(combine, values, start):
    out = start
    for v in values:
        out = combine(out, v)
    return out


add(argument_by_keyword, V3, holomorphic=False)


def function_as_an_argument(x, act):
    return np.sum(act(x) * act(x * x))


add(function_as_an_argument, V3, np.sin)
add(function_as_an_argument, W3, softplus, name="user_function_as_an_argument")


def number_or_function(rate, t):
    return rate(t) if callable(rate) else rate


def schedule(x):
    return number_or_function(x, 0.5) * number_or_function(lambda t: t * x * x, 2.0)


add(schedule, A)


def passed_to_itself(x, n):
    power = lambda self, k: 1.0 if k == 0 else x * self(self, k - 1)
    return power(power, n) + power(power, 2)


add(passed_to_itself, A, 4)


def method_of_array_as_value(x):
    total, mean = (x * x).sum, (x * W3).mean
    return total() * mean()


add(method_of_array_as_value, V3)


def function_by_attribute_name(x, name):
    return getattr(np, name)(x) * x


add(function_by_attribute_name, A, "cos")


def damping(t):
    return t * damping.rate


damping.rate = 1.75


def function_with_attribute(x):
    return damping(x) * damping(x * x) / damping.rate


add(function_with_attribute, A, holomorphic=False)


def pair_of_functions(a):
    return (lambda t: t * a), (lambda t: t + a * a)


def results_are_functions(x, y):
    times, plus = pair_of_functions(x)
    return times(plus(y)) - pair_of_functions(y)[1](x) * 2.0


add(results_are_functions, A, B)


def vector_field(x, k):
    field = lambda p: np.array([p[1], -k * p[0]])
    for _ in range(3):
        middle = x + 0.05 * field(x)
        x = x + 0.1 * field(middle)
    return x[0] * x[1]


add(vector_field, V2, C)


def operator_as_function(x):
    laplace = lambda v: M33 @ v
    shift = lambda f, s: lambda v: f(v) + s * v
    return np.dot(x, shift(shift(laplace, 2.0), x[0])(x))


add(operator_as_function, V3)


def used_by_name(table, x):
    return table["scale"](x) * table["wave"](x)


def table_passed_on(x, w):
    return used_by_name({"scale": lambda t: t * w, "wave": np.sin}, x)


add(table_passed_on, A, B)


def one_after_the_other(functions, value):
    for f in functions:
        value = f(value)
    return value


def list_passed_on(x, w):
    return one_after_the_other([lambda t: t * w, np.sin, lambda t: t + x], x)


add(list_passed_on, A, B)


def list_with_defaults_of_a_loop(x, w):
    functions, c = [], x
    for k in range(3):
        functions.append(lambda t, c=c: t * c + k)
        c = c * w
        k = 0
    return functions[0](w) + functions[2](x) + functions[1](2.0, c=w)


def list_with_defaults(x, w):
    functions, c = [], x
    for _ in range(3):
        functions.append(lambda t, c=c: t * c)
        c = c * w
    return functions[0](w) + functions[2](x) + functions[1](2.0, c=w)


add(list_with_defaults_of_a_loop, A, B)
add(list_with_defaults, A, B)


def maker(c):
    if c > 0.0:
        return lambda t: t * c
    return lambda t: t + c * c


def made_by_another_function(x, w):
    f = maker(w) if x > 0.0 else maker(x)
    return f(x) * maker(x)(w)


add(made_by_another_function, A, B)


def function_or_another(x, w):
    f = None
    f = f or (lambda t: t * w)
    g = np.sin if x < 0.0 else (lambda t: t + w)
    return f(x) * g(w)


add(function_or_another, A, B)


def functions_of_functions(x, w):
    pair = [lambda t: t * w, np.sin]
    outer = [lambda t: pair[0](t) + pair[1](t) * x, lambda f, t: f(t) * f(x)]
    return outer[0](x) * outer[1](pair[0], w)


add(functions_of_functions, A, B)


def folded_in_a_loop(x, w):
    f = lambda t: t * w
    for _ in range(3):
        f = lambda t, g=f: g(t) + t * x
    return f(x)


add(folded_in_a_loop, A, B)


def recursive_in_a_tuple(x, w):
    def even(n):
        return w if n == 0 else odd(n - 1) * x

    def odd(n):
        return x if n == 0 else even(n - 1) * w
    both = even, odd
    return both[0](3) + both[1](2)


add(recursive_in_a_tuple, A, B)


def taken_from_a_list(x, w):
    functions = [lambda t: t * w]
    functions.append(lambda t: t + x)
    functions[0] = lambda t: t * t * w
    last = functions.pop()
    return last(x) * functions.pop()(w)


add(taken_from_a_list, A, B)


def bound_to_positions(a, b, c=1.0):
    return a * a * b + c ** 3


def partials_in_a_list(x, w):
    terms = [partial(bound_to_positions, x), partial(bound_to_positions, w, c=x), partial(lambda a, b: a * b * w, x)]
    return terms[0](w) * terms[1](2.0) + terms[1](0.5, c=w) * terms[2](x)


add(partials_in_a_list, A, B)


def arrays_bound(x, w):
    functions = [lambda t: np.sum(x * t), lambda t: x * np.dot(x, x) * t, np.cumsum]
    return functions[0](w) * np.sum(functions[1](w) * functions[2](x))


add(arrays_bound, V3, B)


def names_of_ours(x, w):
    functools, partial_1, function = x, w * x, 2.0
    functions = [lambda t: t * functools * partial_1 + function]
    return functions[0](w)


add(names_of_ours, A, B)


def seen_when_it_is_called(x, w):
    n = 3
    functions = [lambda t: t * n]
    n = 5
    return functions[0](x) * w


add(seen_when_it_is_called, A, B)


def kept_until_the_backward_pass(x, w):
    n = 0
    functions = [lambda t: t * t * n + 1.0]
    for i in range(3):
        n = i + 1
        x = functions[0](x)
    return x * w


add(kept_until_the_backward_pass, A, B)
