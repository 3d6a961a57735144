"""Nonlocal writes, and cells that several functions share."""
from __future__ import annotations

from corpus import V3, A, B, add, section

section("functions_nonlocal")


def nonlocal_total(x):
    total = 0.0

    def push(v):
        nonlocal total
        total = total + v * x
    push(x)
    push(2.0)
    push(x * x)
    return total * x


add(nonlocal_total, A)


def make_average():
    total, count = 0.0, 0

    def average(v):
        nonlocal total, count
        total = total + v
        count = count + 1
        return total / count
    return average


def nonlocal_running_average(xs):
    average = make_average()
    out = 0.0
    for k, v in enumerate(xs):
        out = out * 0.5 + average(v * v) * (k + 1)
    return out


add(nonlocal_running_average, V3)


def nonlocal_state_machine(x, y):
    position, velocity = x, y

    def step(dt):
        nonlocal position, velocity
        velocity = velocity - position * dt
        position = position + velocity * dt
    for _ in range(4):
        step(0.1)
    return position * velocity + 2.0 * position


add(nonlocal_state_machine, A, B)


def nonlocal_augmented(x):
    energy = 0.5 * x

    def spend(amount):
        nonlocal energy
        energy *= 1.0 - amount * x
        energy += amount
        return energy
    first = spend(0.2)
    return first * spend(x * 0.1) * energy


add(nonlocal_augmented, A)


def nonlocal_two_levels(x):
    level = x

    def outer(a):
        def inner(b):
            nonlocal level
            level = level * b + a
            return level
        return inner(a) + inner(0.5)
    return outer(x * x) * level


add(nonlocal_two_levels, A)


def closures_sharing_a_cell(x, y):
    def account(balance):
        def deposit(amount):
            nonlocal balance
            balance = balance + amount * y

        def read():
            return balance * balance
        return deposit, read
    deposit, read = account(x)
    deposit(0.5)
    deposit(x)
    return read() * x


add(closures_sharing_a_cell, A, B)


def two_accounts_do_not_mix(x, y):
    def account(balance):
        def add_to(amount):
            nonlocal balance
            balance = balance * 1.1 + amount
            return balance
        return add_to
    first, second = account(x), account(y * y)
    first(0.3)
    second(x)
    return first(y) * second(0.7)


add(two_accounts_do_not_mix, A, B)


# -------------------------------------------------------------- defaults of functions that assign variables around them
def a_default_is_evaluated_where_the_function_is_defined(x, w):
    v = w

    def inner(a, t=x * v, *, q=v * 2.0, z=3.0):
        nonlocal v
        v = v * t * q + z
        return a * v

    w = w * 2.0
    return inner(w) * inner(x, q=w) + inner(a=x, t=v) + inner(t=x, a=inner(w)) + inner(w, x, z=w)


add(a_default_is_evaluated_where_the_function_is_defined, A, 1.3)


def a_default_of_a_function_defined_in_a_loop(x, w):
    v = w
    for _ in range(3):
        def inner(a, t=v):
            nonlocal v
            v = a * t
            t = t * 2.0
            return t

        x = inner(x) + v + inner(x)
    return v * x


add(a_default_of_a_function_defined_in_a_loop, A, 1.3)


def a_default_that_prints_in_a_function_never_called(x, w):
    v = w

    def inner(a, t=print(end="")):
        nonlocal v
        v = a
        return t

    return v * x


add(a_default_that_prints_in_a_function_never_called, A, 1.3)


# ------------------------------------------------------------- functions that call one that assigns variables around it
def a_function_that_calls_one_that_assigns(x, w):
    s = x

    def grow(t):
        nonlocal s
        s = s * t
        return s

    def twice(t):
        return grow(t) * 2.0

    again = lambda t: twice(t) + 1.0
    return s + twice(w) * s + s * again(x) * s


add(a_function_that_calls_one_that_assigns, A, 1.3)


def a_function_defined_before_the_one_that_it_calls(x, w):
    s = x

    def first(t):
        return second(t) * s

    def second(t):
        nonlocal s
        s = s * t
        return s

    return first(w) * s + s * first(x)


add(a_function_defined_before_the_one_that_it_calls, A, 1.3)


def a_function_inside_of_one_that_calls_one_that_assigns(x, w):
    s = x

    def grow(t):
        nonlocal s
        s = s * t
        return s

    def outer(t):
        def inner(u):
            return grow(u) * t

        return inner(w) * s

    return s + outer(w) * s


add(a_function_inside_of_one_that_calls_one_that_assigns, A, 1.3)


def a_function_that_calls_one_that_grows_a_list(x, w):
    items = [x]

    def push(t):
        items.append(t)
        return t

    def twice(t):
        return push(t) * push(t * 2.0)

    return twice(w) + sum(items) * items[-1]


add(a_function_that_calls_one_that_grows_a_list, A, 1.3)
