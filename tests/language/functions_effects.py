"""Functions that are called for what they do, or give no derivative: validators, messages, counts, places,
objects of settings."""
from __future__ import annotations

import decimal
from dataclasses import dataclass

import numpy as np
from corpus import V3, A, add, section

if not dataclass:                                          # as a library that is not installed
    import symbols

section("functions_effects")


class DimensionError(ValueError):
    pass


class CodedError(Exception):
    def __init__(self, message, code=3):
        super().__init__(message)
        self.code = code


def check_vector(a):
    """Raises unless `a` is a vector."""
    if a.ndim != 1:
        raise DimensionError(f"a vector, not {a.shape}")


def check_pair(a, b, name):
    for label, one in zip(["a", "b"], [a, b]):
        if not isinstance(one, (list, np.ndarray)):
            raise TypeError(f"{label} must be an array. Got {type(one)}")
    a, b = np.copy(a), np.copy(b)
    for one in [a, b]:
        if one.shape[-1] != 3:
            raise CodedError(f"{name}: {one.shape}", code=4)
    if a.shape != b.shape:
        raise ValueError(f"{a.shape} and {b.shape}")
    return None


def check_sign(x):
    if np.any(x < -100.0):
        return
    assert x.ndim == 1, "a vector"


def checked_vector(x):
    check_vector(x)
    check_sign(x)
    return np.sum(x * x)


add(checked_vector, V3)


def checked_pair(x):
    nothing = check_pair(x, 2.0 * x, "pair")
    check_pair(x, x, name="same")
    return np.sum(x * x * x) if nothing is None else np.sum(x)


add(checked_pair, V3)


def checked_in_a_condition(x):
    def inner(t):
        if t.size > 100:
            raise ValueError("too many")
    inner(x)
    if check_vector(x) is None:
        return np.sum(np.sin(x))
    return np.sum(x)


add(checked_in_a_condition, V3)


def first_above(a, bound):
    for i, v in enumerate(a):
        if v > bound:
            return i
    return -1


def order_of(a):
    return sorted(range(len(a)), key=lambda i: a[i])


def large(a):
    return np.where(a > 0.1)[0]


def shape_and_count(a):
    shape = a.shape
    return shape, len(a)


def places(x):
    shape, count = shape_and_count(x)
    y = (2.0 * x).reshape(shape)
    total = y[first_above(x, 0.0)] * count
    for weight, i in enumerate(order_of(x)):
        total = total + weight * x[i] ** 2
    return total + np.sum(np.exp(x[large(x)]))


add(places, V3)


def size_name(a):
    return "many" if len(a) > 2 else "few"


def depth(a, n):
    return 0 if n == 0 else 1 + depth(a, n - 1)


def names_and_depths(x):
    scale = 2.0 if size_name(x) == "many" else 3.0
    return np.sum(scale * x) * depth(x, 3)


add(names_and_depths, V3)


@dataclass
class Ellipsoid:
    """Settings, made by an `__init__` of its own, or by name."""

    major: float
    minor: float
    flattening: float

    models = {"wgs": {"major": 6.4, "minor": 6.3}, "unit": {"major": 1.0, "minor": 0.5}}

    def __init__(self, major, minor=0.5):
        self.major = major
        self.set_minor(minor)

    def set_minor(self, minor):
        self.minor = minor
        self.flattening = (self.major - minor) / self.major

    @classmethod
    def named(cls, name):
        return cls(cls.models[name]["major"], minor=cls.models[name]["minor"])


def with_settings(x, ellipsoid=None):
    if ellipsoid is None:
        ellipsoid = Ellipsoid.named("wgs")
    return np.cos(x) * ellipsoid.major ** 2 * (1.0 - ellipsoid.flattening)


add(with_settings, A)


def with_own_init(x):
    made = Ellipsoid(2.0 * x)
    return made.flattening * made.major


add(with_own_init, A)


def options_of(n, **options):
    options["power"] = n
    return sum(options.values())


def with_options(x, n=2):
    return x ** options_of(n, more=1) + x


add(with_options, A)


def shaped(a, ndim, writeable=False, contiguous=True):
    reqs = ["W"] if writeable else []
    if contiguous:
        reqs += ["C"]
    arr = np.require(a, requirements=reqs)
    if arr.ndim < ndim:
        arr = np.reshape(arr, arr.shape + (1,) * (ndim - arr.ndim))
    return arr


def with_shapes(x, v):
    return np.sum(shaped(x, 2) * shaped(v, 2)) * x[0]


add(with_shapes, V3, V3, wrt=(0,))


def half_up(a):
    return int(decimal.Decimal(float(a)).quantize(decimal.Decimal("1"), rounding=decimal.ROUND_HALF_UP))


def with_decimals(x, a):
    return np.sum(x[:half_up(a)] * x[0])


add(with_decimals, V3, A, wrt=(0,))


def length(v):
    total = 0
    for one in v:
        total += one * one
    if isinstance(total, str):
        return symbols.sqrt(total)
    return np.sqrt(total)


def with_library_that_is_not_there(x, v):
    return x * length(v)


add(with_library_that_is_not_there, A, V3, wrt=(0,))


class Sphere:
    models = {"unit": {"radius": 2.0, "square": 0.5}}

    def __init__(self, radius, square, name=""):
        self.radius, self.factor, self.name = radius, np.sqrt(square), name

    @classmethod
    def from_name(cls, name):
        return cls(cls.models[name]["radius"], cls.models[name]["square"], name=name)


def along(a, sphere=None):
    if sphere is None:
        sphere = Sphere.from_name("unit")
    return a * sphere.radius * sphere.factor


def between(a, b, sphere=None):
    return along(b, sphere) - along(a, sphere)


def with_objects_of_helpers(x):
    return between(0.5, x) * x


add(with_objects_of_helpers, A)


CURVES = {"A": lambda f, **options: f * options.get("scale", 2.0), "B": lambda f, **options: f * f}


def curve(f, kind="A", **options):
    if isinstance(kind, str):
        kind = kind.upper()
    return CURVES[kind](f, **options)


def with_texts_that_helpers_ask(x, kinds="ab", **options):
    f = np.array([x, 2.0 * x])
    return np.sum(np.stack([curve(f, kind=kind, **options) for kind in kinds], axis=0))


add(with_texts_that_helpers_ask, A)
