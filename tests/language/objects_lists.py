"""Objects in lists and tuples: of known and unknown length, shared, changed, chosen; methods as values;
functions that make objects."""
from __future__ import annotations

import functools
from types import SimpleNamespace

import numpy as np
from corpus import V3, A, B, C, add, section

section("objects_lists")


class Point:
    """Two numbers; one method changes them."""

    def __init__(self, x, y=1.0):
        self.x, self.y = x, y

    def size(self):
        return self.x * self.x + self.y

    def push(self, by):
        self.x = self.x + by

    def moved(self, by):
        return Point(self.x + by, self.y * by)

    def __add__(self, other):
        return Point(self.x + other.x, self.y * other.y)


class Flat(Point):
    """Another size."""

    def size(self):
        return self.x * 3.0 - self.y


class Box:
    """Points that are added one by one."""

    def __init__(self, *points):
        self.points = list(points)

    def add(self, point):
        self.points.append(point)
        return self

    def total(self):
        return sum(p.size() for p in self.points)


class Chain:
    """Layers that are made in a loop over parameters."""

    def __init__(self, slopes, shift):
        self.layers = [Point(w * 2.0, shift) for w in slopes]

    def __call__(self, z):
        for k, layer in enumerate(self.layers):
            z = layer.size() * z + k
        return z


class Layers:
    """An empty list that is filled later."""

    def __init__(self):
        self.layers = []

    def add(self, layer):
        self.layers.append(layer)
        return self

    def __call__(self, z):
        for layer in self.layers:
            z = layer.size() * z
        return z


class Summary:
    """Calls a comprehension whose variable has the name of an argument."""

    def __init__(self, a):
        self.a = a

    def scaled(self, k):
        return self.a * sum([v * k for v in (1.0, 2.0)])

    def shifted(self, k):
        return self.a + (lambda v: v * k)(2.0)


def same_object_twice(x, w):
    p = Point(x, w)
    both = [p, p]
    both[0].push(w)
    return both[1].size() * both[0].x


add(same_object_twice, A, B)


def second_list_of_the_same(x, w):
    points = [Point(x), Point(w)]
    others = list(points)
    others.append(Point(x * w))
    others[0].push(1.0)
    return sum(p.size() for p in points) + len(points) * others[2].x + len(others) * x


add(second_list_of_the_same, A, B)


def second_name_of_the_list(x, w):
    points = [Point(x), Point(w)]
    again = points
    again.append(Point(x * w))
    again += [Flat(x)]
    return sum(p.size() for p in points) * len(points)


add(second_name_of_the_list, A, B)


def items_exchanged(x, w):
    points = [Point(x), Point(w)]
    points[0], points[1] = points[1], points[0]
    return points[0].x * 3.0 + points[-1].x


add(items_exchanged, A, B)


def added_to_a_box(x, w):
    box = Box(Point(x), Flat(w)).add(Point(x * w))
    return box.total() * len(box.points)


add(added_to_a_box, A, B)


def empty_list_filled(x, w):
    net = Layers()
    net.add(Point(x, w)).add(Flat(w))
    net.add(Point(x * w))
    return net(w)


add(empty_list_filled, A, B)


def zipped_and_paired(x, w):
    points = [Point(x), Point(w)]
    total = 0.0
    for p, k in zip(points, [x, 3.0]):
        total += p.size() * k
    for k, (p, q) in enumerate(zip(points, points[1:])):
        total += p.x * q.x * (k + 1)
    return total


add(zipped_and_paired, A, B)


def nested_lists(x, w):
    rows = [[Point(x), Flat(w)], (Point(x * w), Point(2.0))]
    return sum(p.size() * q.x for p, q in rows)


add(nested_lists, A, B)


def chosen_by_class(x, w):
    points = (Point(x), Flat(w), Flat(x))
    return sum(p.size() for p in points if isinstance(p, Flat)) * x


add(chosen_by_class, A, B)


def returned_from_the_loop(x, w):
    total = 0.0
    for p in [Point(x), Point(w), Point(x * w)]:
        if p.x > 1.0:
            return p.size() * x
        total = total + p.x
    return total


add(returned_from_the_loop, A, C)


def list_made_in_a_loop(x, w):
    total = 0.0
    for v in np.array([1.0, 2.0]):
        points = [Point(v * x), Point(w * v)]
        for p in points:
            total = total + p.size()
        points[0].push(w)
        total = total * points[0].x
    return total


add(list_made_in_a_loop, A, B)


def reduced_by_methods(x, w):
    return functools.reduce(lambda a, p: a * p.size(), [Point(x), Point(w)], 1.0)


add(reduced_by_methods, A, B)


def length_at_run_time(v, w):
    points = [Point(a * 2.0, w) for a in v]
    total = 0.0
    for p, q in zip(points, points[1:]):
        total += p.size() * q.x
    for p in reversed(points):
        total = total * 0.5 + p.x
    return total + points[-1].size() * len(points)


add(length_at_run_time, V3, A)


def length_at_run_time_in_a_class(v, w):
    chain = Chain(v, w)
    return chain(w) * chain(0.5)


add(length_at_run_time_in_a_class, V3, A)


def objects_of_objects(v, w):
    points = [Flat(a, w) for a in v]
    others = [Point(p.size(), p.x) for p in points]
    return sum(q.size() * q.x for q in others)


add(objects_of_objects, V3, A)


def function_attribute_in_a_list(v, w):
    points = [Point(a, np.sin) for a in v]
    return sum(p.y(p.x) for p in points) * w


add(function_attribute_in_a_list, V3, A)


def best_of_a_list(v, w):
    points = [Point(a, w) for a in v]
    best = points[0]
    for p in points[1:]:
        if p.x > best.x:
            best = p
    return best.size()


add(best_of_a_list, V3, A, holomorphic=False)


def exchanged_in_a_loop(x, w):
    p, q = Point(x), Point(w)
    for _ in range(3):
        p, q = q, p.moved(w)
    return p.size() * 2.0 + q.size()


add(exchanged_in_a_loop, A, B)


def chosen_object(x, w):
    p = Point(x) if w > 0.5 else Point(w)
    q = Point(w)
    if x > 0.2:
        q = Point(x * w)
    return p.size() * q.x


add(chosen_object, A, B, holomorphic=False)


def kept_before_the_loop(x, w):
    p = Point(x)
    first, hold = p, [p]
    for v in np.array([1.0, 2.0]):
        q = Point(v * w, x)
        p = q
    return p.size() + first.x * x + hold[0].x


add(kept_before_the_loop, A, B)


def variable_becomes_a_number(x, w):
    p = Point(x)
    q = p
    p = p.x * w
    q.y = p
    return p * q.size()


add(variable_becomes_a_number, A, B)

FIXED = Point(5.0)


def variable_becomes_a_global(x):
    p = Point(x)
    a = p.x * p.x
    p = FIXED
    return a * p.x


add(variable_becomes_a_global, A)


def function_attribute_replaced(x, w):
    p = Point(np.sin)
    y = p.x(x)
    p.x = np.cos
    y = y * p.x(w)
    p.x = w
    return y * p.x


add(function_attribute_replaced, A, B)


def maker(x, w):
    def make(v):
        return Point(v, w)
    return make(x).size() * make(w * x).x


add(maker, A, B)


def maker_that_counts(x, w):
    n = 0

    def make(v):
        nonlocal n
        n += 1
        return Point(v, n)
    points = [make(x), make(w)]
    return points[0].size() + points[1].size() * n


add(maker_that_counts, A, B)


def namespaces(x, w):
    p = SimpleNamespace(a=x, b=w)
    q = SimpleNamespace(p=p, c=x * w)
    q.p.a = q.p.a * q.c
    p.b += q.c
    return p.a * q.p.b


add(namespaces, A, B)


def name_of_a_scope_inside(x, w):
    v = x * 2.0
    return Summary(w).scaled(v) * Summary(x).shifted(v)


add(name_of_a_scope_inside, A, B)


def sum_without_a_start(x, w):
    total = functools.reduce(lambda p, q: p + q, [Point(x), Point(w), Point(2.0)])
    return total.size()


add(sum_without_a_start, A, B)


class Sum:
    """Changes itself where it is added to."""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Sum(self.value + other.value)

    def __iadd__(self, other):
        self.value = self.value + 2.0 * other.value
        return self


def added_in_place(x, w):
    p = Sum(x)
    q = p
    p += Sum(w * x)
    return q.value * (p + q).value


add(added_in_place, A, B)


def changed_by_a_closure(x, w):
    p = Point(x)

    def bump():
        p.push(w)
        return p.x
    y = p.x * bump() + p.x
    parts = [p.x, bump(), p.x]
    return y * parts[0] * parts[1] + parts[2]


add(changed_by_a_closure, A, B)


def paired_with_values(x, w):
    v, total = w, 0.0
    for p, k in zip([Point(x), Point(w)], [v, v * 2.0]):
        v = v + 1.0
        k = k * p.x
        total += k * v
    return total


add(paired_with_values, A, B)
