"""Classes: methods, properties, inheritance, dataclasses, attributes that carry derivatives."""
from __future__ import annotations

import numbers
from types import SimpleNamespace

import numpy as np
from corpus import A, B, C, add, section

section("objects_classes")


class Point:
    """Attributes from active arguments."""

    def __init__(self, x, y):
        self.x = x
        self.y = y * x

    def norm2(self):
        return self.x * self.x + self.y * self.y

    def moved(self, dx, dy=0.5):
        return Point(self.x + dx, self.y * dy)


def method_call(a, b):
    return Point(a, b).norm2() * a


add(method_call, A, B)


def method_returns_object(a, b):
    p = Point(a, b).moved(b).moved(2.0, dy=a)
    return p.x * p.y + p.norm2()


add(method_returns_object, A, B)


def attribute_written(a, b):
    p = Point(a, b)
    p.x = p.x * p.y
    p.y = p.y + p.x
    return p.x * p.y


add(attribute_written, A, B)


def attribute_augmented(a, b):
    p = Point(a, b)
    p.x *= b
    p.x += p.y
    return p.x * p.norm2()


add(attribute_augmented, A, B)


def attribute_in_a_loop(a):
    p = Point(a, 1.0)
    for k in range(3):
        p.x = p.x * 0.9 + p.y * 0.1 * k
        p.y = p.y - 0.2 * p.x
    return p.x + 3.0 * p.y


add(attribute_in_a_loop, A)


def attribute_shared_by_two_names(a, b):
    p = Point(a, b)
    q = p
    q.x = b * b
    return p.x * q.y + p.norm2()


add(attribute_shared_by_two_names, A, B)


def attribute_added_later(a):
    p = Point(a, 2.0)
    p.label, p.mass = "first", a * a
    return p.mass * p.norm2() * len(p.label)


add(attribute_added_later, A)


class Circle:
    """Properties, class attributes, class and static methods."""

    density = 1.7

    def __init__(self, radius):
        self._radius = radius

    @property
    def area(self):
        return np.pi * self._radius ** 2

    @property
    def radius(self):
        return self._radius

    @radius.setter
    def radius(self, value):
        self._radius = 0.5 * value

    @classmethod
    def of_diameter(cls, d):
        return cls(d / 2.0)

    @staticmethod
    def ring(inner, outer):
        return Circle(outer).area - Circle(inner).area

    def weight(self):
        return self.density * self.area


def property_read(r):
    return Circle(r).area * Circle(r * r).radius


add(property_read, A)


def property_written(r):
    c = Circle(r)
    c.radius = r * r
    return c.area + c.radius * r


add(property_written, A)


def class_attribute_read(r):
    return Circle(r).weight() * Circle.density + r


add(class_attribute_read, A)


def class_method(d):
    return Circle.of_diameter(d).area * d


add(class_method, A)


def static_method(a, b):
    return Circle.ring(a, b) * Circle(b).ring(0.1, a)


add(static_method, A, C)


def instance_attribute_hides_class(r):
    c = Circle(r)
    before = c.weight()
    c.density = r * r
    return before + c.weight() * 2.0


add(instance_attribute_hides_class, A)


class Shape:
    """A base that calls what its children define."""

    def __init__(self, scale):
        self.scale = scale

    def area(self):
        raise NotImplementedError

    def cost(self, price):
        return self.area() * price * self.scale


class Square(Shape):
    """Its own __init__ on top of the base's."""

    def __init__(self, side):
        super().__init__(side * 0.5)
        self.side = side

    def area(self):
        return self.side * self.side


class Frame(Square):
    """Overrides and extends."""

    def area(self):
        return super().area() - self.scale

    def cost(self, price):
        return Shape.cost(self, price) + price


def inheritance(side, price):
    return Square(side).cost(price) * price


add(inheritance, C, A)


def inheritance_super(side, price):
    frame = Frame(side)
    return frame.cost(price) - frame.area()


add(inheritance_super, C, A)


def inheritance_many_shapes(side):
    total = 0.0
    for k, shape in enumerate([Square(side), Frame(2.0 * side), Square(side * side)]):
        total = total + shape.cost(1.0 + k)
    return total


add(inheritance_many_shapes, C)


class Logged:
    """A mixin."""

    def cost(self, price):
        return 1.1 * super().cost(price)


class LoggedSquare(Logged, Square):
    """Two bases."""


def inheritance_mixin(side, price):
    return LoggedSquare(side).cost(price) * (2.0 if isinstance(LoggedSquare(side), Shape) else 0.0)


add(inheritance_mixin, C, A)


def attribute_by_name(x, y):
    p = Point(x, y)
    setattr(p, "x", getattr(p, "y") * x)
    return getattr(p, "x") * getattr(p, "z", y)


add(attribute_by_name, A, B)


def nested_attributes(x, y):
    outer = SimpleNamespace(inner=Point(x, y), factor=y)
    outer.inner.x = outer.inner.x * outer.factor
    return outer.inner.norm2() * outer.factor


add(nested_attributes, A, B)


def object_changed_by_a_helper(x, y):
    def double(point):
        point.x = point.x * 2.0 * y
    p = Point(x, y)
    double(p)
    double(p)
    return p.x * p.y


add(object_changed_by_a_helper, A, B)


class Area:
    """A property, and a number of the class."""

    factor = 4.0

    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side * self.side


class Doubled(Area):
    """Reads what the class above has."""

    @property
    def area(self):
        return super().area * 2.0 * super().factor


def property_of_the_class_above(x, y):
    return Doubled(x).area * y


add(property_of_the_class_above, A, B)


class Counted:
    """Of a dimension that is checked against an abstract class of numbers."""

    def __init__(self, dim, scale):
        if dim is not None and not isinstance(dim, numbers.Integral):
            raise TypeError(f"{dim} is no number of dimensions")
        self.dim, self.scale = dim, scale


def class_of_a_number_that_is_abstract(x):
    return Counted(3, x).scale * Counted(None, x * x).scale * (2.0 if isinstance(x, numbers.Integral) else 3.0)


add(class_of_a_number_that_is_abstract, A, holomorphic=False)
