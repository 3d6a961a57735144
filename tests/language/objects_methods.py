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
