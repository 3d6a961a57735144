"""Dataclasses, namedtuples, slots, namespaces: objects that hold values."""
from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from corpus import M23, V2, V3, W3, A, B, C, add, section

section("objects_records")


@dataclass
class Body:
    """A dataclass with defaults and a method."""

    mass: float
    speed: float = 2.0
    history: list = field(default_factory=list)

    def kinetic(self):
        return 0.5 * self.mass * self.speed ** 2


def dataclass_made_here(m, v):
    return Body(m, v).kinetic() * m + Body(speed=m, mass=v).kinetic()


add(dataclass_made_here, A, B)


def dataclass_default(m):
    body = Body(m)
    body.speed = body.speed * m
    return body.kinetic()


add(dataclass_default, A)


def dataclass_list_field(m):
    body = Body(m)
    for _ in range(3):
        body.history.append(body.kinetic())
        body.speed = 0.5 * body.speed + m
    return body.history[0] * body.history[2] + body.history[1]


add(dataclass_list_field, A)


@dataclass(frozen=True)
class Parameters:
    """A frozen dataclass with a computed property."""

    a: float
    b: float = 0.3

    @property
    def ratio(self):
        return self.a / self.b


def dataclass_replaced(x, y):
    first = Parameters(x)
    second = replace(first, b=x * y)
    return first.ratio * second.ratio + second.b


add(dataclass_replaced, A, B)


@dataclass
class Normalised:
    """A field computed after the others."""

    values: np.ndarray

    def __post_init__(self):
        self.norm = np.sqrt(np.sum(self.values ** 2))
        self.values = self.values / self.norm


def dataclass_post_init(v):
    n = Normalised(v)
    return n.values[0] * n.values[1] * n.norm


add(dataclass_post_init, V3)

Pair = namedtuple("Pair", ["left", "right"])


def namedtuple_fields(x, y):
    pair = Pair(x * y, right=y)
    return pair.left * pair[1] + pair.right ** 2


add(namedtuple_fields, A, B)


def namedtuple_unpacked_and_replaced(x, y):
    pair = Pair(x, y)._replace(left=x * x)
    left, right = pair
    return left * right + sum(pair)


add(namedtuple_unpacked_and_replaced, A, B)


class State(NamedTuple):
    """A NamedTuple with a default and a method."""

    position: float
    velocity: float = 1.0

    def step(self, dt):
        return State(self.position + dt * self.velocity, self.velocity - dt * self.position)


def namedtuple_state(x):
    state = State(x)
    for _ in range(3):
        state = state.step(0.1)
    return state.position * state.velocity


add(namedtuple_state, A)


class Slim:
    """No dictionary."""

    __slots__ = ("left", "right")

    def __init__(self, left, right):
        self.left, self.right = left, right


def slots_written(x, y):
    s = Slim(x, y)
    s.left, s.right = s.right * x, s.left + y
    return s.left * s.right


add(slots_written, A, B)


def namespace_object(x, w):
    params = SimpleNamespace(w=w, b=0.5 * x)
    params.w = params.w * 2.0
    return np.tanh(params.w * x + params.b)


add(namespace_object, A, B)


def class_defined_inside(x, k):
    class Spring:
        def __init__(self, stiffness):
            self.stiffness = stiffness

        def energy(self, stretch):
            return 0.5 * self.stiffness * stretch ** 2 + x * stretch
    return Spring(k).energy(x) + Spring(x).energy(0.5)


add(class_defined_inside, A, C)


def array_attribute_written(v):
    n = SimpleNamespace(values=v * 2.0)
    n.values[1] = n.values[0] * n.values[2]
    return np.sum(n.values ** 2)


add(array_attribute_written, V3)


def matrix_attribute(m, v):
    model = SimpleNamespace(w=m, scale=v[0])
    return np.sum((model.w @ v) ** 2) * model.scale + np.sum(model.w.T @ V2)


add(matrix_attribute, M23, V3)


def pair_of_arrays(v, w):
    both = Pair(v * w, v - w)
    return np.dot(*both) + np.sum(both.left ** 2) * both.right[0]


add(pair_of_arrays, V3, W3)


body = Body(100.0)                                         # of these names none is what the functions below call so


def parameter_of_a_lambda_named_as_an_object(k):
    body = Body(k)
    energy = lambda body: body.mass ** 2 * body.speed
    return energy(body)


def parameter_after_the_object_is_bound_again(k):
    body = Body(k)
    body = Body(body.mass * 2.0, k)
    return (lambda *body: body[0].kinetic())(body) + sorted([3.0, 1.0], key=lambda body: -body)[0] * body.mass


def comprehension_over_the_name_of_an_object(k):
    body = Body(k)
    total = sum([body * 2.0 for body in (1.0, 2.0)])
    return body.mass ** 2 * total + {body: k for body in (1, 2)}[1] * body.kinetic()


add(parameter_of_a_lambda_named_as_an_object, A)
add(parameter_after_the_object_is_bound_again, A)
add(comprehension_over_the_name_of_an_object, A)


class Falling(Body):
    """A class below a dataclass that is none itself: the generated `__init__` is that of its base,
    and so are the defaults."""

    speed = 7.0

    def power(self, k):
        return self.kinetic() * k


class Weighed(Falling):
    """It gets a `__post_init__`, which the `__init__` that was generated before it does not call."""

    def __post_init__(self):
        self.mass = 100.0


class Thrown(Body):
    """It calls the generated `__init__` itself."""

    def __init__(self, speed):
        self.start = speed * speed
        super().__init__(speed=speed, mass=3.0)


@dataclass(init=False)
class Drifting(Body):
    """Its new field is none of the `__init__` that it has."""

    wind: float = 9.0


def below_a_dataclass(m, k):
    return Falling(m).power(k) + Falling(speed=m, mass=k).kinetic()


def post_init_that_is_not_called(m):
    return Weighed(m).kinetic() * Weighed(m).mass


def generated_init_above(m):
    thrown = Thrown(m)
    return thrown.start * thrown.kinetic()


def init_of_the_class_above(m, k):
    return Drifting(m, k).kinetic() * Drifting(m).wind


def list_below_a_dataclass(xs):
    bodies = [Falling(x, xs[0]) for x in xs]
    return sum(body.power(body.mass) for body in bodies)


add(below_a_dataclass, A, B)
add(post_init_that_is_not_called, A)
add(generated_init_above, A)
add(init_of_the_class_above, A, B)
add(list_below_a_dataclass, V3)
