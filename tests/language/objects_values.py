"""Objects by other ways than their names: attributes by names that are computed, copies, what shows them as dicts and
texts, enumerations, attributes that a class gives, functions that ask for the class of what they are given."""
import copy
import enum
import functools
import math
import types
from dataclasses import asdict, astuple, dataclass, fields

import numpy as np
from corpus import V3, add, section

section("objects_values")


class Pair:
    """Two numbers."""

    def __init__(self, a, b):
        self.a, self.b = a, b

    def product(self):
        return self.a * self.b


class Held:
    """A pair, an array and a list."""

    def __init__(self, pair, xs):
        self.pair, self.xs, self.log = pair, xs, []

    def put(self, v):
        self.log.append(v)

    def total(self):
        return sum(self.log) + self.pair.product() + np.sum(self.xs)


class Named:
    """Attributes by the names of its class."""

    names = ("first", "second")

    def __init__(self, *values):
        for name, value in zip(self.names, values):
            setattr(self, name, value)

    def all(self):
        return [getattr(self, name) for name in self.names]


class Keywords:
    """Attributes by keywords."""

    def __init__(self, **given):
        for name, value in given.items():
            setattr(self, "_" + name, value)
        if not hasattr(self, "_z"):
            self._z = 1.5

    def __getitem__(self, name):
        return getattr(self, "_" + name)


class Updated:
    """Attributes by one call."""

    def __init__(self, **given):
        self.__dict__.update(given)


class Gates:
    """Attributes by letters."""

    def __init__(self, w):
        for gate, scale in zip("zr", (1.0, 0.7)):
            setattr(self, f"w{gate}", w * scale)


def attributes_by_names_of_the_class(v):
    named = Named(v[0], v[1])
    return named.first * named.second ** 2 * sum(named.all())


add(attributes_by_names_of_the_class, V3, holomorphic=False)


def attributes_by_keywords(v):
    one = Keywords(x=v[0], y=v[1])
    one._x = one._x * 2
    return one["x"] * one["y"] * one._z * Updated(a=v[2]).a


add(attributes_by_keywords, V3, holomorphic=False)


def attributes_by_letters(v):
    gates = Gates(v)
    return np.sum(gates.wz * gates.wr)


add(attributes_by_letters, V3, holomorphic=False)


def copied_object(v):
    p = Pair(v[0], v[1])
    q = copy.copy(p)
    q.a = v[2]
    return p.product() * q.product()


add(copied_object, V3, holomorphic=False)


def copied_object_shares(v):
    p = Held(Pair(v[0], v[1]), v)
    q = copy.copy(p)
    q.pair.a = v[2] * 2
    q.put(v[1])
    return p.total() * q.total()


add(copied_object_shares, V3, holomorphic=False)


def copied_array_is_one(v):
    p = Pair(v * 2, v)
    q = copy.copy(p)
    q.a[0] = 0.0
    return np.sum(p.product() * q.product())


add(copied_array_is_one, V3, holomorphic=False)


def copied_deep(v):
    one = Pair(v[0], v[1])
    p = Pair(one, one)
    q = copy.deepcopy(p)
    q.a.a = v[2]
    return q.b.product() * p.a.product()


add(copied_deep, V3, holomorphic=False)


class Doubling(Pair):
    """Says how it is copied."""

    def __copy__(self):
        return Doubling(self.a * 2, self.b)


def copied_as_its_class_says(v):
    p = Doubling(v[0], v[1])
    return copy.copy(p).product() * p.product()


add(copied_as_its_class_says, V3, holomorphic=False)


@dataclass
class Inner:
    """Two numbers."""

    x: float
    y: float = 2.0


@dataclass
class Outer:
    """One of them, and an array."""

    inner: Inner
    w: np.ndarray


def as_dict_and_tuple(v):
    one = Outer(Inner(v[0], v[1]), v * 2)
    d = asdict(one)
    (a, b), w = astuple(one)
    one.inner.x = v[2]
    return d["inner"]["x"] * np.sum(d["w"]) * d["inner"]["y"] * a * b * np.sum(w) * one.inner.x


add(as_dict_and_tuple, V3, holomorphic=False)


def fields_one_by_one(v):
    one, total = Inner(v[0], v[1]), 0.0
    for f in fields(one):
        total = total + getattr(one, f.name) ** 2
    return total * sum(getattr(one, f.name) for f in fields(one)) * sum(vars(one).values())


add(fields_one_by_one, V3, holomorphic=False)


def attributes_as_a_dict(v):
    p, total = Pair(v[0], v[1]), 0.0
    for name, x in vars(p).items():
        total = total + (x if name == "a" else x * x)
    for name in p.__dict__:
        total = total * getattr(p, name)
    q = Pair(**vars(p))
    q.a = 3.0
    return total * len(vars(p)) * q.product() + sum({**vars(q), "c": v[2]}.values())


add(attributes_as_a_dict, V3, holomorphic=False)


def attributes_under_a_name(v):
    p = Pair(v[0], v[1])
    d = vars(p)
    p.a = v[2]
    return d["a"] * p.b


add(attributes_under_a_name, V3, holomorphic=False)


class Effects(enum.Flag):
    """What is corrected."""

    NONE = 0
    TILT = enum.auto()
    DRIFT = enum.auto()


def corrected(r, t, effects=Effects.TILT | Effects.DRIFT):
    if Effects.TILT in effects:
        r = r * math.cos(0.1)
    if effects & Effects.DRIFT:
        r = r - 0.3 * t
    return r * 2 if not effects else r


def flags(v):
    return corrected(v[0], v[1]) * corrected(v[0], v[1], Effects.DRIFT) + corrected(v[1], v[1], Effects.NONE)


add(flags, V3, holomorphic=False)


class Activation(enum.Enum):
    """Names for functions."""

    TANH = "tanh"
    LOGISTIC = "logistic"

    def apply(self, z):
        return np.tanh(z) if self is Activation.TANH else 1 / (1 + np.exp(-z))


def members_of_an_enumeration(v):
    z = v * 2
    for kind in Activation:
        z = z + kind.apply(z)
    return np.sum(Activation("tanh").apply(z) * Activation["LOGISTIC"].apply(v))


add(members_of_an_enumeration, V3, holomorphic=False)


@functools.singledispatch
def length_of(value):
    raise TypeError(value)


@length_of.register
def _(value: float):
    return value * value


@length_of.register
def _(value: list):
    return sum(length_of(one) for one in value)


@length_of.register(np.ndarray)
def _(value):
    return np.sum(value)


def dispatched_by_class(v):
    return length_of(v) * length_of([v, v * 2])


add(dispatched_by_class, V3, holomorphic=False)

BACKEND = types.SimpleNamespace(np=np, math=math)


def library_behind_an_object(v):
    return np.sum(BACKEND.np.sin(v))


add(library_behind_an_object, V3, holomorphic=False)


class Counting:
    """Counts from what its class says."""

    calls = 0

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        self.calls += 1
        return self.w * x


def counted_from_the_class(v):
    one, total = Counting(v[0]), 0.0
    for i in range(3):
        total = total + one.calls * v[2]
        if i != 1:
            total = total + one(v[1])
    return total * one.calls


add(counted_from_the_class, V3, holomorphic=False)


class Angle:
    """Knows how it is written."""

    def __init__(self, value):
        self.value = value

    def __format__(self, spec):
        return format(self.value, spec)

    def __str__(self):
        return f"<{self.value}>"

    def __repr__(self):
        return f"Angle({self.value})"


def objects_as_texts(v):
    angle = Angle(v[0])
    print(angle, end="")
    text = f"{angle:.3f} {angle!s} {angle!r}" + str(angle) + repr(angle) + format(angle, ".1f")
    if v[0] > 100:
        raise ValueError(f"no {angle}")
    return math.sin(angle.value) * (len(text) > 20)


add(objects_as_texts, V3, holomorphic=False)


class Twice:
    """One of two classes."""

    k = 2.0

    def at(self, x):
        return self.k * x


class Squared(Twice):
    """The other one."""

    def at(self, x):
        return super().at(x) * x


def classes_as_values(v):
    return sum(one().at(v[0]) for one in (Twice, Squared))


add(classes_as_values, V3, holomorphic=False)


def list_of_objects_of_two_classes(v):
    made = [kind() for kind in (Twice, Squared)]
    total = 0.0
    for kind in [Squared, Twice]:
        total += kind().at(v[1])
    return sum(one.at(v[0]) for one in made) * total


add(list_of_objects_of_two_classes, V3, holomorphic=False)
