"""Methods as functions; objects that hold objects."""
from __future__ import annotations

import numpy as np
from corpus import M23, V3, A, B, C, add, section

section("objects_methods")


class Line:
    """A straight line."""

    def __init__(self, slope, shift):
        self.slope, self.shift = slope, shift

    def at(self, t):
        return self.slope * t + self.shift

    def tilt(self, by):
        self.slope = self.slope + by

    @classmethod
    def through(cls, x0, y0, x1, y1):
        slope = (y1 - y0) / (x1 - x0)
        return cls(slope, y0 - slope * x0)


def method_as_value(x, v):
    line = Line(x, v)
    tilt, at = line.tilt, line.at
    tilt(x * v)
    return at(0.5) * x


add(method_as_value, A, B)


def method_passed(x, a):
    def twice(f, t):
        return f(f(t))
    return twice(Line(a, x).at, x)


add(method_passed, A, B)


def method_of_the_class(x, a):
    return Line.at(Line(a, x), 2.0) * Line.at(t=x, self=Line(x, a))


add(method_of_the_class, A, B)


def method_mapped(v, a):
    return sum(map(Line(a, 0.2).at, v)) * Line.through(0.0, a, 1.0, a * a).at(0.3)


add(method_mapped, V3, C)


def method_table(x, a, kind):
    line = Line(a, x)
    return {"at": line.at, "square": lambda t: line.at(t) ** 2}[kind](x) * line.slope


add(method_table, A, B, "square")


class Chained:
    """Methods that return self."""

    def __init__(self, value):
        self.value = value

    def add(self, v):
        self.value = self.value + v
        return self

    def times(self, v):
        self.value = self.value * v
        return self


def chained_methods(x, y):
    return Chained(x).add(y).times(x).add(2.0).times(y).value


add(chained_methods, A, B)


class Cached:
    """A value computed at the first reading."""

    def __init__(self, a):
        self.a, self._gram = a, None

    @property
    def gram(self):
        if self._gram is None:
            self._gram = self.a.T @ self.a
        return self._gram


def cached_property_by_hand(m, v):
    c = Cached(m)
    return np.dot(v, c.gram @ v) + np.sum(c.gram[0] * v)


add(cached_property_by_hand, M23, V3)


class Node:
    """A tree of objects."""

    def __init__(self, value, *children):
        self.value, self.children = value, children

    def total(self, depth=1):
        return self.value * depth + sum(child.total(depth + 1) for child in self.children) * self.value


def tree_of_objects(x, y):
    return Node(x, Node(y, Node(x * y)), Node(2.0 * x)).total()


add(tree_of_objects, A, B)


def linked_list(x, y):
    node = None
    for v in (x, y, x * y):
        node = {"value": v, "next": node}
    total = 0.0
    while node is not None:
        total = total * 0.5 + node["value"] ** 2
        node = node["next"]
    return total


add(linked_list, A, B)


class Stack:
    """A calculator."""

    def __init__(self):
        self.items = []

    def push(self, *values):
        self.items.extend(values)

    def apply(self, f):
        b, a = self.items.pop(), self.items.pop()
        self.items.append(f(a, b))


def stack_machine(x, y):
    s = Stack()
    s.push(x, y, x * x)
    s.apply(lambda a, b: a * b)
    s.apply(lambda a, b: a - 2.0 * b)
    return s.items[-1] * len(s.items)


add(stack_machine, A, B)


# ---------------------------------------------------------------- methods that change their object, between reads of it
class Gauge:
    def __init__(self, level, gain=2.0):
        self.level, self.gain = level, gain

    def raised(self, t):
        self.level = self.level * t
        return self.level

    def __neg__(self):
        self.level = self.level * 2.0
        return self.gain

    def __lt__(self, other):
        self.level = self.level * other
        return self.level < 1.0

    def __getitem__(self, i):
        self.level = self.level + i
        return self.level


def a_bound_method_called_twice(x, w):
    gauge = Gauge(x)
    raised = gauge.raised
    return raised(w) * raised(x) + gauge.level


add(a_bound_method_called_twice, A, 1.3)


def a_bound_method_between_reads(x, w):
    gauge = Gauge(x, w)
    raised = gauge.raised
    values = [gauge.level, raised(w), gauge.level]
    return values[0] * values[1] + values[2] * raised(x) * gauge.level


add(a_bound_method_between_reads, A, 1.3)


def a_bound_method_in_a_branch_not_taken(x, w):
    gauge = Gauge(x, w)
    raised = gauge.raised
    first = raised(w) if x > 50.0 else gauge.gain
    second = x > 50.0 and raised(3.0) > 1.0
    return gauge.level * first + second


add(a_bound_method_in_a_branch_not_taken, A, 1.3)


def a_nested_function_that_calls_a_method_between_reads(x, w):
    gauge = Gauge(x)

    def inner(t):
        return gauge.raised(t)

    return gauge.level * inner(w) * gauge.level + inner(x) * gauge.level


add(a_nested_function_that_calls_a_method_between_reads, A, 1.3)


def _raise(gauge, w):
    gauge.level = gauge.level * w
    return gauge.gain


def a_function_given_the_object_between_reads(x, w):
    gauge = Gauge(x, w)
    return gauge.level * _raise(gauge, w) + gauge.level * _raise(gauge, x) + gauge.level


add(a_function_given_the_object_between_reads, A, 1.3)


def a_nested_function_given_the_object_in_a_branch(x, w):
    gauge = Gauge(x, w)

    def inner(one):
        one.level = one.level * w
        return one.level

    first = inner(gauge) if x > 50.0 else gauge.gain
    return gauge.level * first * inner(gauge) * gauge.level


add(a_nested_function_given_the_object_in_a_branch, A, 1.3)


def operators_that_change_the_object_between_reads(x, w):
    gauge = Gauge(x, w)
    first = gauge.level * -gauge + gauge.level
    second = gauge.level * (gauge < w) + gauge.level
    return first * second + gauge.level * gauge[2] + gauge.level


add(operators_that_change_the_object_between_reads, A, 1.3)


def a_lambda_called_at_once_that_reads_an_object(x, w):
    gauge = Gauge(x, w)
    return (lambda w: gauge.gain * w)(x) * (lambda t, k=w: gauge.level * t * k)(x) * (lambda t: gauge.raised(t))(w) \
        * gauge.level


add(a_lambda_called_at_once_that_reads_an_object, A, 1.3)


# ------------------------------------------------------------------ names of ours beside names that a method reads
items = 3.0
value = 0.5


class Reader:
    """Its methods read globals, and make functions that name their parameters as the caller names its variables."""

    def __init__(self, k):
        self.k = k

    def read(self, t):
        return t * items * value + self.k

    def applied(self, k):
        inner = lambda t: t * k
        return inner(2.0) + self.k


def a_method_that_reads_globals_named_as_ours(t, w):
    reader = Reader(w)
    first = (t := t * 2.0) * reader.read(t) if t > 0 else reader.k
    return first + sum([v * reader.read(v) for v in (t, w)]) * reader.read(w)


add(a_method_that_reads_globals_named_as_ours, A, 1.3)


def a_method_whose_lambda_names_our_variable(t, w):
    return Reader(w).applied(t) * t


add(a_method_whose_lambda_names_our_variable, A, 1.3)


class Shape:
    """Something with an area, which its subclasses ask for by `super(Class, self)`."""

    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side

    @property
    def edge(self):
        return self.side * 3.0


class Room(Shape):
    def __init__(self, side, height):
        super(Room, self).__init__(side * side)
        self.height = height

    def area(self):
        return super(Room, self).area() * self.height

    @property
    def edge(self):
        return super(Room, self).edge + self.height


class Hall(Room):
    def area(self):
        return super(Room, self).area() + super(Hall, self).area() * super().area()


def super_with_a_name(x, a):
    return Room(x, a).area() * Room(a, x).edge


add(super_with_a_name, A, B)


def super_past_a_class(x, a):
    return Hall(x, a * x).area()


add(super_past_a_class, A, B)


def method_of_the_type(x, a):
    shape = Room(x, a)
    return type(shape).area(shape) * x


add(method_of_the_type, A, B)
