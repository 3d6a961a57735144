"""Objects that move: particles, worlds, tanks; counters and settings that are globals."""
from __future__ import annotations

import collections
import functools
import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from corpus import V3, V4, A, B, C, add, section

section("objects_simulations")


class Particle:
    """Position and velocity."""

    def __init__(self, position, velocity, mass=1.0):
        self.position, self.velocity, self.mass = position, velocity, mass

    def push(self, force, dt):
        self.velocity = self.velocity + dt * force / self.mass
        self.position = self.position + dt * self.velocity

    def energy(self):
        return 0.5 * self.mass * self.velocity ** 2 + self.position ** 4


def particle_in_a_well(x, v, m):
    p = Particle(x, v, m)
    for _ in range(5):
        p.push(-4.0 * p.position ** 3, 0.05)
    return p.energy() * p.position


add(particle_in_a_well, A, B, C)


def two_particles(x, k):
    left, right = Particle(x, 0.0), Particle(2.0, -0.5, mass=k)
    for _ in range(4):
        stretch = right.position - left.position - 1.0
        left.push(k * stretch, 0.1)
        right.push(-k * stretch, 0.1)
    return left.energy() - right.energy() * left.position


add(two_particles, A, C)


def chain_of_particles(xs, k):
    beads = [Particle(x, 0.1 * i) for i, x in enumerate(xs)]
    for _ in range(3):
        for i in range(1, len(beads)):
            beads[i].push(k * (beads[i - 1].position - beads[i].position), 0.1)
    return sum(bead.energy() * (i + 1) for i, bead in enumerate(beads))


add(chain_of_particles, V4, A)


def particle_with_arrays(r, v):
    p = Particle(r, v, 1.5)
    for _ in range(4):
        p.push(-p.position / np.sum(p.position ** 2) ** 1.5, 0.05)
    return np.sum(p.position * p.velocity) + p.position[0]


add(particle_with_arrays, np.array([1.0, 0.4]), np.array([-0.3, 0.9]))


class World:
    """Objects inside an object."""

    def __init__(self, gravity, *bodies):
        self.gravity, self.bodies, self.time = gravity, bodies, 0.0

    def step(self, dt):
        for body in self.bodies:
            body.push(-self.gravity * body.mass, dt)
        self.time += dt

    def total(self):
        return sum(body.energy() for body in self.bodies) * self.time


def world_of_bodies(g, x, v):
    world = World(g, Particle(x, v), Particle(v, 1.0, 2.0))
    while world.time < 0.25:
        world.step(0.1)
    return world.total()


add(world_of_bodies, C, A, B)


class Counter:
    """Counts calls; the count decides nothing."""

    def __init__(self):
        self.count = 0

    def tick(self):
        self.count += 1
        return self


def counter_object(x):
    counter = Counter()
    y = x
    while y < 10.0:
        y = y * (1.5 + x)
        counter.tick().tick()
    return y * counter.count


add(counter_object, A)

CALLS = Counter()


def counter_global(x):
    CALLS.tick()
    return x * x * (1.0 if CALLS.count > 0 else 0.0)


add(counter_global, A)


class Settings:
    """Plain attributes of a global object."""

    rate = 0.3
    steps = 3
    weights = np.array([1.0, -0.5, 2.0])


SETTINGS = Settings()


def settings_global(x):
    for _ in range(SETTINGS.steps):
        x = x - SETTINGS.rate * x * x * Settings.weights
    return np.sum(x * SETTINGS.weights)


add(settings_global, V3)


@dataclass
class Tank:
    """A level that flows."""

    level: float
    area: float = 2.0

    def drain(self, valve, dt):
        flow = valve * np.sqrt(self.level)
        self.level = self.level - dt * flow / self.area
        return flow


def tanks_in_series(top, valve):
    first, second = Tank(top), Tank(0.5, area=1.0)
    for _ in range(4):
        second.level += 0.1 * first.drain(valve, 0.1)
        second.drain(valve * 0.5, 0.1)
    return first.level * second.level


add(tanks_in_series, C, A)


def register(hooks, hook):
    hooks.append(hook)


class Layers:
    def __init__(self):
        self.layers = []
        self.named = {}

    def add(self, w, activation, name=None):
        self.layers.append((w, activation))
        self.named[name] = activation

    def run(self, x):
        for w, activation in self.layers:
            x = activation(w * x)
        return x


def squared(t):
    return t * t


def functions_stored_by_helpers(x, w):
    layers, hooks = Layers(), []
    layers.add(w, np.tanh, "first")
    layers.add(2.0, squared)
    layers.add(x, lambda t: t * w)
    register(hooks, np.sin)
    register(hooks, squared)
    y = layers.run(x) * layers.named["first"](w)
    for hook in hooks:
        y = hook(y) + x
    return y


add(functions_stored_by_helpers, A, B)


class Clock:
    def __init__(self, steps):
        self.steps, self.time = steps, 0.0

    def __iter__(self):
        return self

    def __next__(self):
        if self.steps == 0:
            raise StopIteration
        self.steps -= 1
        self.time += 0.5
        return 0.1 * self.time


def clocked_until_it_is_late(x, w):
    clock = Clock(6)
    y = x
    for dt in clock:
        y = y + dt * np.sin(w * y) * clock.time
        if clock.time > 1.0:
            break
    for dt, scale in zip(clock, [y, w]):
        y = y * scale + dt
    return y * clock.time


add(clocked_until_it_is_late, A, B)


def runs_of_equal_items(x, w):
    y = 0.0
    for k, run in itertools.groupby([1, 1, 2, 3, 3, 3]):
        y = y + k * x ** len(list(run)) * w
    return y


add(runs_of_equal_items, A, B)


def step_that_may_not_be_bound(x, n):
    for i in range(n):
        if i > 0:
            try:
                x = x + 0.1 * step
            except NameError:
                x = x * x
        if i > 1:
            step = np.sin(x)
    return x * step


add(step_that_may_not_be_bound, A, 5)


def total_after_del(x, n):
    total = x * x
    for i in range(n):
        try:
            total = total + x
        except UnboundLocalError:
            total = x * 3.0
        if i == 1:
            del total
    return total


add(total_after_del, A, 4)


def copies_of_each_other(x, n):
    old = x * np.array([1.0, 2.0, 3.0])
    for _ in range(n):
        new = old.copy()
        new[1:] = old[1:] * old[:-1]
        old = new.copy()
    return np.sum(old)


add(copies_of_each_other, A, 3)


class Meter:
    """Shows a level that its reading changes."""

    def __init__(self, level):
        self.level = level

    def up(self, v):
        self.level = self.level * 1.1 + v * 0.1
        return self.level


def pair_of_a_method_and_a_function_that_changes_the_first(x, y):
    s = x
    meter = Meter(y)
    items = [x, y, x * y]

    def bump():
        nonlocal s
        s = s * 1.2 + 0.1
        return s
    s, t = meter.up(y), max([bump() * q for q in items[:2]])
    return s * 3.0 + t + meter.level


add(pair_of_a_method_and_a_function_that_changes_the_first, A, B)


def pair_of_a_method_and_a_function_that_reads_the_first(x, y):
    s = x
    meter = Meter(y)

    def twice():
        return s * 2.0
    s, t = meter.up(x), twice()
    return s * 3.0 + t * meter.level


add(pair_of_a_method_and_a_function_that_reads_the_first, A, B)


def chain_that_stops_before_a_method_is_called(x, y):
    meter = Meter(x)
    count = 0.0

    def push(one):
        nonlocal count
        count = count + one.level
        return count
    if y < 0.0 < push(meter):
        count = count * 2.0
    if 0.0 < meter.level < (y := y * 2.0) < push(meter) + 10.0:
        count = count + x * y
    return count * x + y


add(chain_that_stops_before_a_method_is_called, A, B)


class Keeps:
    """Holds a function that reads what it was made of."""

    def __init__(self, w):
        self.times = lambda t: t * w


def a_function_of_an_object_reads_what_it_was_made_of(x):
    w = x * 2.0
    keeps = Keeps(w)
    w = w * 3.0
    return keeps.times(x) + w


add(a_function_of_an_object_reads_what_it_was_made_of, A)


def a_function_of_the_trip_before(x, n):
    def times(w):
        return lambda t: t * w
    h, w, y = times(x), x, 0.0
    for i in range(n):
        y = y + h(x)
        w = w * (i + 1.0)
        g = times(w)
        w = w + 1.0
        y = y + g(w)
        h = times(w)
    return y


add(a_function_of_the_trip_before, A, 3)


class Gauge:
    """Each reading changes what it holds."""

    def __init__(self, level):
        self.level = level

    def read(self, t):
        self.level = self.level * 2.0
        return self.level * t

    def copy(self, t):
        return Gauge(self.level * t)


def gauges_exchanged(a, b):
    p, q = Gauge(a), Gauge(b * a)
    for _ in range(3):
        p, q = q, p
    p, q = q, p
    return p.level + 3.0 * q.level


add(gauges_exchanged, A, B)


def gauges_read_in_turn(a, b):
    p = Gauge(a)
    values = [a, b * a, b]
    total = Gauge(values.pop()).read(values.pop()) + values[-1] * p.copy(p.read(a)).read(p.read(b))
    return total * getattr(p, "level") + getattr(p, "missing", p.read(1.0)) * p.level


add(gauges_read_in_turn, A, B)


def gauges_stored_in_pairs(a, b):
    p = Gauge(a)
    parts = [Gauge(a * b), Gauge(2.0 * b)]
    parts[0], parts[1] = parts[1], p
    parts[0].level = parts[1].level * a
    level, q = p.read(b), p
    q.level, values = level * 2.0, [p.level, a]
    return parts[0].level + parts[1].level * 3.0 + values[0] * values[1]


add(gauges_stored_in_pairs, A, B)


def _three(a, b, c):
    return a * b - c


def _first_and_last(*args):
    return args[0] * 2.0 + args[-1] * len(args)


def stars_of_a_list_that_a_later_argument_shortens(x, y):
    items = [x, y]
    return _three(*items, items.pop()) * items[-1]


add(stars_of_a_list_that_a_later_argument_shortens, A, B)


def stars_of_a_list_that_a_later_argument_lengthens(x, y):
    items = [x, y]

    def push():
        items.append(x * 2.0)
        return items[-1]
    return _three(*items, push()) * _first_and_last(*items, push()) * items[-1] + _first_and_last(*items)


add(stars_of_a_list_that_a_later_argument_lengthens, A, B)


def called_on(function, t):
    return function(t)


def kept_and_called_on(function, t):
    functions = [function]
    return functions[0](t)


def multiples(w):
    return lambda t: t * w


def functions_of_what_a_later_argument_changes(x, w):
    first = called_on(functools.partial(np.multiply, w), (w := w * 2.0))
    second = called_on(multiples(w), (w := w + x))
    keeps = Keeps(w)
    third = called_on(keeps.times, sum([v * 2.0 for v in [x, w]]))
    return first + second * third + kept_and_called_on(multiples(sum([v * x for v in [x, w]])), w)


add(functions_of_what_a_later_argument_changes, A, B)


def queue_by_places(x, n):
    queue = [x, x * 2.0]
    for i in range(len(queue) + n):
        first = queue.pop(0)
        queue.insert(len(queue), first * x)
    return queue[0] + queue[1] * x


add(queue_by_places, A, 2)


def window_of_either(x, n):
    if n > 2:
        window = collections.deque([x], maxlen=2)
    else:
        window = collections.deque([x, x * 3.0], maxlen=2)
    window.append(x * x)
    window.append(x * x * x)
    return window.popleft() * 2.0 + window.pop()


add(window_of_either, A, 3)


def sum_of_lists_that_is_sorted(x, n):
    values = [x]
    for i in range(n):
        values = values + [values[-1] * x]
        if i == 1:
            values.reverse()
    values.sort(key=lambda v: -np.sum(v))
    return values[0] * values[1]


add(sum_of_lists_that_is_sorted, A, 3)


def items_that_end_early(x):
    values = [x, x * 2.0, x * 3.0]
    items = [values.pop(0) * v for v in values]
    return items[0] * len(items)


add(items_that_end_early, A)


def reversed_before_a_change(x):
    values = [x, x * 2.0, x * 3.0]
    backwards = reversed(values)
    values.pop(0)
    for v in backwards:
        x = x + v
    return x


add(reversed_before_a_change, A)


class Shop:
    def __init__(self, price):
        self.price = price

    def served(self, k):
        queue = [self.price, 2.0 * k]
        queue.insert(0, k * self.price)
        sold = {"first": queue.pop(1)}
        value = sold.pop("first")
        line = collections.deque([value], maxlen=2)
        line.append(k)
        line.append(value * k)
        return line.popleft() * value + queue[0]


def queues_in_a_method(x, n):
    shop = Shop(x)
    total = x
    for _ in range(n):
        total = total + shop.served(total * x)
    return total


add(queues_in_a_method, A, 2)


def what_is_joined_is_changed_before(x):
    values = [x, x * 2.0, x * x]
    values.insert(len(values), values.pop() * 3.0)
    first = values.index(values.pop(0) * 0.0 + x * 2.0)
    prices = {"a": x, "b": x * 2.0}
    prices |= {"c": prices.pop("a")}
    more = prices | {"d": prices.pop("b")}
    return sum(more.values()) * len(more) + values[0] * (first + 1)


add(what_is_joined_is_changed_before, np.array(1.3))


def the_place_and_the_key_change_what_is_read(x, w):
    values = [x, w * 2.0, x * w]
    item = values[0 if values.pop(0) > 100.0 else 1]
    prices = {1: x, 2: w}
    price = prices.get(int(prices.pop(1) * 0.0) + 1, w)
    values.remove(values.pop(0) * 0.0 + x * w)
    return item * price + len(values)


add(the_place_and_the_key_change_what_is_read, np.array(1.3), np.array(0.7), wrt=(0, 1))


def taken_before_the_dict_grows(x):
    prices = {1: x, 2: x * 2.0}
    more = {**prices, 7: prices.setdefault(8, x) * 2.0}
    return sum(more.values()) * len(more) + len(prices) * x


add(taken_before_the_dict_grows, np.array(1.3))


class Pair(NamedTuple):
    first: float
    second: float

    def scaled(self, w):
        return self.first * w


PAIR = Pair(2.0, 3.0)


def item_of_a_pair_after_its_method(x):
    return PAIR.scaled(x) + PAIR[1] * x * PAIR[-2]


add(item_of_a_pair_after_its_method, A)


def function_made_once_for_all_items(x, w):
    scale = x

    def doubled():
        nonlocal scale
        scale = scale * 2.0
        return lambda v: v * scale

    total = sum(map(doubled(), [x, w, x * w]))
    for i, v in enumerate(filter(lambda v: v > 0.0, map(doubled(), [x, w]))):
        total = total + v * i
    return total * scale


add(function_made_once_for_all_items, np.array(1.3), np.array(0.7), wrt=(0, 1))
