"""Names of users that tangent_nb, NumPy, Python or other versions of it use too."""
from __future__ import annotations

import builtins
import math

import numpy as np
from corpus import M23, V2, V3, W3, A, B, C, add, section

section("names_variables")


def cotangent_names(x, bx, by):
    def bf(b):
        return b * bx
    by_ = bf(x) * by
    bbx = bf(by_) + x
    return bbx * by_


add(cotangent_names, A, B, C)


def tangent_names(x, dx):
    def dy(t):
        return t * dx
    dt, ddx = dy(x), dx * dx
    return dt * ddx + dy(ddx)


add(tangent_names, A, B)


def generated_names(rt, helpers, tape):
    def _forward(residuals):
        return residuals * rt
    x_saved = [rt, helpers]
    condition = _forward(tape) * x_saved[1]
    return condition * x_saved[0]


add(generated_names, A, B, C)


def temporaries(sin, product, total):
    difference = sin - product
    call, call_1 = np.sin(sin), difference * total
    result = (lambda value: value * call)(call_1)
    return result + total


add(temporaries, A, B, C)


def short_names(t, _t, __t):
    _ = t * _t
    __ = _ * __t
    ___ = [_ * k for _ in (1.0, 2.0) for k in (__, t)]
    return sum(___) + _


add(short_names, A, B, C)


def stack_names(x, _stack, stack):
    pop = lambda push: push * _stack
    for _push in range(2):
        stack = pop(stack) + x * _push
    return stack * _stack


add(stack_names, A, B, C)


def np_is_a_number(x, np):
    def scaled(y):
        return y * np
    return scaled(x) * scaled(np)


add(np_is_a_number, A, B)


def np_local_in_a_helper(x):
    def helper(np):
        return np * np
    return helper(np.sin(x)) * x


add(np_local_in_a_helper, A)


def own_name_as_variable(x):
    def own_name_as_variable(y):
        return y * y * x
    return own_name_as_variable(x) + own_name_as_variable(2.0)


add(own_name_as_variable, A)


def derivative_name(x):
    dderivative_name_dx = lambda y: y * x
    vderivative_name_dx, tderivative_name_dx = dderivative_name_dx(x), 2.0 * x
    return vderivative_name_dx * tderivative_name_dx


add(derivative_name, A)


def soft_keywords(match, case, type):
    def _(match):
        return match * type
    print = case * _(match)
    match = print + type
    return match * case


add(soft_keywords, A, B, C)


def old_keywords(exec, nonlocals, async_):
    asynchronous, reduce = exec * async_, nonlocals * exec
    unicode = [reduce * k for k in (1.0, async_)]
    return unicode[0] * unicode[1] + asynchronous


add(old_keywords, A, B, C)


def greek(θ, σ2):
    μ = lambda ξ: θ * ξ
    return μ(σ2) * np.exp(-μ(0.5) ** 2 / σ2)


add(greek, A, C)


def composed_letters(naïve, größe):
    Δx = größe - naïve
    été = {"Δ": Δx * größe}
    return été["Δ"] * naïve


add(composed_letters, A, B)


def compatibility_letters(ﬁeld, ℌ):
    field_2 = field * ℌ
    return field_2 * H * field


add(compatibility_letters, A, B)


def sum_is_a_number(x, max):
    sum = 0.0
    for abs in x:
        sum = sum + abs * abs * max
    return sum * max


add(sum_is_a_number, V3, A)


def list_is_a_variable(x):
    list = [x, x * x]
    dict = {0: list[1], 1: list[0]}
    tuple = (dict[0], 2.0)
    return tuple[0] * tuple[1] + dict[1]


add(list_is_a_variable, A)


def range_is_a_function(x):
    def range(n):
        return (1.0, 2.0 * n)
    total = 0.0
    for v in range(x):
        total = total + v * v
    return total


add(range_is_a_function, A)


def len_is_a_function(x):
    def len(v):
        return np.sqrt(np.sum(v * v))
    return len(x) * len(x * W3)


add(len_is_a_function, V3)


def sum(values):
    total = 1.0
    for v in values:
        total = total * v
    return total


def global_hides_a_builtin(x, y):
    return sum([x, y, 2.0]) * x + builtins.sum([x, y])


add(global_hides_a_builtin, A, B)


def builtin_given_another_name(x):
    largest, total = max, builtins.sum
    return largest(x) * total(x)


add(builtin_given_another_name, V3)

s, e = np.sin, np.exp


def aliases_of_functions(x):
    dot = np.dot
    c = math.cos
    return s(x) * e(x) * c(x) + dot(x, 2.0)


add(aliases_of_functions, A)

linalg = np.linalg


def alias_of_a_module(m, v):
    la, xp = linalg, np
    gram = m.T @ m + xp.eye(3)
    return xp.sum(la.solve(gram, v)) + la.norm(m) * v[0]


add(alias_of_a_module, M23, V3, holomorphic=False)


def local_hides_a_global(x):
    s = x * x
    W3 = s + 1.0
    return s * W3


add(local_hides_a_global, A)


def parameter_hides_a_function(s, e):
    return s * e + (lambda s: s * e)(e)


add(parameter_hides_a_function, A, B)


def comprehension_variable(x, k):
    squares = [k * k for k in x]
    return squares[0] * k + squares[1] * squares[2]


add(comprehension_variable, V3, A)


def loop_variable_survives(x):
    for k in range(3):
        v = x[k] * k
    return v * k + x[0]


add(loop_variable_survives, V3)


def name_of_two_types(x):
    v = [x, x * 2.0]
    v = v[0] * v[1]
    v = np.array([v, x])
    v = np.sum(v * V2)
    return v * x


add(name_of_two_types, A)


def walrus_names(x):
    if (y := x * x) > 0.1:
        return y * (z := np.sin(y)) + z
    return y


add(walrus_names, A)


def underscored_numbers(x_1, x_2, x__1):
    x = x_1 * x_2
    x_3 = x * x__1
    x_1 = x_3 + x
    return x_1 * x_3


add(underscored_numbers, A, B, C)


def annotated_names(float: float, int: np.ndarray) -> float:
    str: list = [float * float, int]
    return str[0] * np.sum(str[1] * int)


add(annotated_names, A, V3)

TOTAL = 0


def global_counter(x):
    global TOTAL
    TOTAL = TOTAL + 1
    return x * x * (2.0 if TOTAL > 0 else 1.0)


add(global_counter, A)


def global_assigned_from_active(x):
    global LAST
    LAST = x * x
    return LAST * x


add(global_assigned_from_active, A)


def deleted_name(x):
    y = x * x
    z = y * x
    del y
    y = z + x
    return y * z


add(deleted_name, A)


def __dunder_name__(__x__, __y):
    __z__ = __x__ * __y
    return __z__ * __y


add(__dunder_name__, A, B)


class __Private:
    """Names that Python mangles."""

    def __init__(self, value):
        self.__value = value

    def twice(self):
        return self.__value * 2.0


Private = __Private


def mangled_names(x):
    return Private(x * x).twice() * x


add(mangled_names, A)
