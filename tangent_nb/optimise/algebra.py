"""Products and sums of products, as they are written by hand.

Needs terms that hold floating numbers for certain, and are pure. Promises the same values but for rounding: the numbers
in a product become one, in front; two terms of a sum with the same factors and signs become one.

    0.5 * s * b + b * (s * 0.5)  →  s * b            b * 0.5 * (4.0 * c) / 8.0  →  0.25 * b * c
    u + u                        →  2.0 * u

>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x):
...     return x * x * 0.5 * x
>>> stages = tnb.stages(tnb.grad(f, like=(1.0,)))
>>> print(difference(stages["first_write"], stages["constant_folding"]))
-     bx = bx + bproduct * x + bproduct * x
+     bx = bx + 2.0 * bproduct * x
"""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import Any, NamedTuple

import gast

from ..syntax.building import constant, negative
from ..syntax.nodes import key, literal

MOST = 6                       # terms of a sum that are looked at


class Product(NamedTuple):
    """A number, times factors, by divisors. numbers: how many there were."""

    number: float
    factors: list[gast.expr]
    divisors: list[gast.expr]
    numbers: int


class Known(NamedTuple):
    """What is asked of an expression: it is floating, evaluating it once for twice makes no difference, and it is an
    int of Python."""

    floating: Callable[[gast.expr], bool]
    pure: Callable[[gast.AST], bool]
    integer: Callable[[gast.expr], bool]


def collected(node: gast.BinOp, known: Known) -> gast.expr | None:
    """A product with the numbers in it as one; None where there are no two."""
    if not isinstance(node.op, (gast.Mult, gast.Div)):
        return None
    product = _product(node)
    if product.numbers < 2 or not (product.factors or product.divisors) or product.number == 0.0 \
            or not math.isfinite(product.number) or not all(map(known.floating, product.factors)):
        return None
    return _written(product, known)


def joined(node: gast.BinOp, known: Known) -> gast.expr | None:
    """A sum in which the last term has been joined with one before it; None where none is like it."""
    if not isinstance(node.op, (gast.Add, gast.Sub)) or not known.pure(node.right) or not known.floating(node.right):
        return None
    last = _product(node.right)
    if not last.factors:
        return None
    for one, put in _terms(node):
        product = _product(one)
        if product.number * last.number > 0.0 and _of(product) == _of(last) and all(map(known.floating, last.factors)):
            number = product.number + last.number
            return put(_written(product._replace(number=number), known)) if math.isfinite(number) else None
    return None


def _terms(node: Any) -> Iterator[tuple[gast.expr, Callable[[gast.expr], gast.expr]]]:
    """The terms before the last that have its sign, and for each what gives the sum with another one in its place, and
    without the last."""
    sign, left = type(node.op), node.left
    around: list[Any] = []                                 # the sums on the way to a term, outermost first

    def put(new: gast.expr, around: list[Any]) -> gast.expr:
        return reduce(lambda made, one: gast.BinOp(made, one.op, one.right), reversed(around), new)

    for _ in range(MOST):
        if not isinstance(left, gast.BinOp) or not isinstance(left.op, (gast.Add, gast.Sub)):
            break
        if isinstance(left.op, sign):
            yield left.right, partial(_with_last, left, put=partial(put, around=[*around]))
        around.append(left)
        left = left.left
    if sign is gast.Add:
        yield left, partial(put, around=[*around])


def _with_last(node: gast.BinOp, new: gast.expr, put: Callable[[gast.expr], gast.expr]) -> gast.expr:
    return put(gast.BinOp(node.left, node.op, new))


def _product(node: Any) -> Product:
    """An expression as a product, of itself where it is none."""
    if isinstance(value := literal(node, None) if isinstance(node, gast.Constant) else None, float):
        return Product(value, [], [], 1)
    if (operand := negative(node)) is not None:
        inner = _product(operand)
        return inner._replace(number=-inner.number)
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        left, right = _product(node.left), _product(node.right)
        if isinstance(node.op, gast.Mult):
            return Product(left.number * right.number, [*left.factors, *right.factors],
                           [*left.divisors, *right.divisors], left.numbers + right.numbers)
        if right.numbers and not right.divisors and right.number:
            return Product(left.number / right.number, left.factors, [*left.divisors, *right.factors],
                           left.numbers + right.numbers)
        return left._replace(divisors=[*left.divisors, node.right])
    return Product(1.0, [node], [], 0)


def _of(product: Product) -> tuple[Counter[Any], Counter[Any]]:
    return Counter(map(key, product.factors)), Counter(map(key, product.divisors))


def _written(product: Product, known: Known) -> gast.expr:
    """A product as an expression, with the number in front, over sizes: a number takes less time than an array. Others
    keep their order, in which they do not overflow, and are promoted as they are."""
    def times(one: gast.expr, other: gast.expr) -> gast.expr:
        return gast.BinOp(one, gast.Mult(), other)

    def over(one: gast.expr, other: gast.expr) -> gast.expr:
        return gast.BinOp(one, gast.Div(), other)

    if product.number < 0.0:
        return gast.UnaryOp(gast.USub(), _written(product._replace(number=-product.number), known))
    first = product.number != 1.0 or not product.factors
    below = [one for one in product.divisors if known.integer(one)] if first else []
    factors = [reduce(over, below, constant(product.number)), *product.factors] if first else product.factors
    return reduce(over, [one for one in product.divisors if one not in below], reduce(times, factors))
