"""Classes that extend tuple, list and named tuples, with ways of their own: right or refused."""
from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError


class Pair(NamedTuple):
    a: float
    b: float


class Called(tuple):
    def __call__(self, x):
        a, b = self
        return x * self[0] + b * x * x + a * len(self)


class Sevens(Pair):
    def __getitem__(self, i):
        return 7.0

    def __call__(self, x):
        return x * self[0] + self.a * x


class Others(Pair):
    def __iter__(self):
        return iter((5.0, 6.0))


class Longer(Pair):
    def __len__(self):
        return 5


class Adding(tuple):
    def __add__(self, other):
        return other * 3.0

    def __radd__(self, other):
        return other * 4.0

    def __mul__(self, other):
        return other * self[0]

    __rmul__ = __mul__


class AddingList(list):
    __add__, __radd__ = Adding.__add__, Adding.__radd__


called, sevens, others = Called((2.0, 3.0)), Sevens(2.0, 3.0), Others(2.0, 3.0)
adding, adding_list = Adding((2.0, 3.0)), AddingList([2.0])


def object_outside_is_called(x):
    return called(x)


def object_that_is_given_is_called(x, p=called):
    return p(x) * p[1]


def named_object_outside_is_called(x):
    return sevens(x) + sevens[1] * x


def items_of_an_object_outside(x):
    a, b = others
    return a * x + b


def named_with_items_of_its_own(x):
    p = Sevens(x, 2.0 * x)
    return p[0] * x + p.a


def named_unpacked(x):
    a, b = Others(x, 2.0 * x)
    return a * x + b


def named_gone_over(x):
    total = 0.0
    for q in Others(x, 2.0 * x):
        total = total + q * x
    return total


def named_counted(x):
    p = Longer(x, 2.0 * x)
    return len(p) * x


def named_given_with_another_item(x, p=others):
    return p._replace(a=x * x)[0] + p.b * x


def tuple_added(x):
    return adding + x


def tuple_added_to(x):
    return x + adding


def tuple_multiplied(x):
    return adding * x


def tuple_added_in_place(x):
    y = x
    y += adding
    return y


def list_added(x):
    return adding_list + x


RIGHT = [object_outside_is_called, object_that_is_given_is_called, named_object_outside_is_called,
         items_of_an_object_outside]
EITHER = [named_with_items_of_its_own, named_unpacked, named_gone_over, named_counted, named_given_with_another_item,
          tuple_added, tuple_added_to, tuple_multiplied, tuple_added_in_place, list_added]


@pytest.mark.parametrize("f", RIGHT + EITHER, ids=lambda f: f.__name__)
def test_a_class_that_extends_tuple_is_right_or_refused(f: Any) -> None:
    want = (f(2.0 + 1e-6) - f(2.0 - 1e-6)) / 2e-6
    for derive in (lambda: tnb.grad(f)(2.0), lambda: tnb.jvp(f)(2.0, dx=1.0)):
        try:
            got = derive()
        except TangentError:
            assert f in EITHER
        else:
            assert abs(got - want) < 1e-5
