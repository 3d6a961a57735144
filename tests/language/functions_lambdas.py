"""Lambdas."""
from __future__ import annotations

import numpy as np
from corpus import A, B, add, section

section("functions_lambdas")


def lambda_named(x):
    square = lambda t: t * t
    return square(x) * square(x + 1.0)


add(lambda_named, A)


def lambda_called_at_once(x, y):
    return (lambda a, b: a * b + np.sin(a))(x * y, y)


add(lambda_called_at_once, A, B)


def lambda_two_on_a_line(x):
    f, g = lambda t: t * x, lambda t: t + x
    return f(g(2.0)) + 3.0 * g(f(x))


add(lambda_two_on_a_line, A)


def lambda_same_text_twice(x, y):
    f = [lambda t: t * x, lambda t: t * x, lambda t: t * y]
    return f[0](2.0) + f[1](x) * f[2](x)


add(lambda_same_text_twice, A, B)


def lambda_with_default(x, y):
    shifted = lambda t, c=2.0 * y: t * t + c
    return shifted(x) * shifted(y, 0.5) + shifted(c=x, t=1.5)


add(lambda_with_default, A, B)


def lambda_curried(x, y):
    plane = lambda a: lambda b: a * b + a * x
    return plane(x)(y) * plane(y)(2.0)


add(lambda_curried, A, B)


def lambda_conditional(x):
    leaky = lambda t: t if t > 0.0 else 0.1 * t
    return leaky(x) * leaky(x - 2.0) + leaky(3.0 * x)


add(lambda_conditional, A)
