"""The Earth, its coordinates, its weather, and small formulas of engineers."""
from __future__ import annotations

import cmath
import collections
import contextlib
import functools
import itertools
import logging
import math
import operator
import warnings
from collections.abc import Iterator, Mapping
from enum import Flag, auto
from functools import cached_property, singledispatch
from typing import NamedTuple, overload

import numpy as np
from corpus import M23, P3, V3, V4, V5, A, add, section
from scipy import ndimage, sparse, spatial, special
from scipy.interpolate import PchipInterpolator, RegularGridInterpolator

section("real_geodesy")

logger = logging.getLogger(__name__)


class Ellipsoid(NamedTuple):
    """Semi-major axis, flattening."""

    a: float
    f: float

    @property
    def b(self):
        return self.a * (1 - self.f)

    @property
    def e2(self):
        return self.f * (2 - self.f)


WGS84 = Ellipsoid(6.378137, 1 / 298.257223563)


def geodetic_to_ecef(lat, lon, h, ell=WGS84):
    n = ell.a / np.sqrt(1 - ell.e2 * np.sin(lat) ** 2)
    r = (n + h) * np.cos(lat)
    return r * np.cos(lon), r * np.sin(lon), (n * (1 - ell.e2) + h) * np.sin(lat)


def slant_range(lat, lon, h):
    station = np.array(geodetic_to_ecef(0.8, 0.1, 0.0))
    target = np.array(geodetic_to_ecef(lat, lon, h))
    return np.sqrt(np.sum((target - station) ** 2))


add(slant_range, 0.85, 0.2, 0.3, notes="objects")


def ecef_to_geodetic(x, y, z):
    p = np.hypot(x, y)
    lat = np.arctan2(z, p * (1 - WGS84.e2))
    for _ in range(5):
        n = WGS84.a / np.sqrt(1 - WGS84.e2 * np.sin(lat) ** 2)
        h = p / np.cos(lat) - n
        lat = np.arctan2(z, p * (1 - WGS84.e2 * n / (n + h)))
    return lat, np.arctan2(y, x), h


def height_of(x, y, z):
    lat, lon, h = ecef_to_geodetic(x, y, z)
    return h * lat + lon


add(height_of, 3.8, 0.9, 5.1, notes="objects", holomorphic=False)


def haversine(lat1, lon1, lat2, lon2, *, radius=6.371):
    dlat, dlon = lat2 - lat1, lon2 - lon1
    a = math.sin(dlat / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin(dlon / 2) ** 2
    return 2 * radius * math.asin(math.sqrt(a))


def route_length(points):
    return sum(haversine(*p, *q) for p, q in zip(points[:-1], points[1:]))


add(route_length, np.array([[0.8, 0.1], [0.9, 0.3], [0.7, 0.5]]), notes="stars lists")


class VincentyError(ArithmeticError):
    """Points that are nearly antipodal."""


def vincenty(lat1, lon1, lat2, lon2, ell=WGS84, eps=1e-13, limit=100):
    U1, U2 = math.atan((1 - ell.f) * math.tan(lat1)), math.atan((1 - ell.f) * math.tan(lat2))
    s1, c1, s2, c2 = math.sin(U1), math.cos(U1), math.sin(U2), math.cos(U2)
    L = lam = lon2 - lon1
    for _ in range(limit):
        sl, cl = math.sin(lam), math.cos(lam)
        ss = math.hypot(c2 * sl, c1 * s2 - s1 * c2 * cl)
        if ss < 1e-15:
            return 0.0
        cs = s1 * s2 + c1 * c2 * cl
        sigma = math.atan2(ss, cs)
        sa = c1 * c2 * sl / ss
        c2a = 1 - sa * sa
        c2sm = cs - 2 * s1 * s2 / c2a if c2a else 0.0
        C = ell.f / 16 * c2a * (4 + ell.f * (4 - 3 * c2a))
        previous, lam = lam, L + (1 - C) * ell.f * sa * (
            sigma + C * ss * (c2sm + C * cs * (-1 + 2 * c2sm ** 2)))
        if abs(lam - previous) < eps:
            break
    else:
        raise VincentyError(f"no convergence from ({lat1}, {lon1})")
    u2 = c2a * (ell.a ** 2 - ell.b ** 2) / ell.b ** 2
    return ell.b * (1 + u2 / 4) * (sigma - C * ss * c2sm)


def geodesic(lat, lon):
    return vincenty(0.7, 0.1, lat, lon)


add(geodesic, 0.9, 0.6, notes="unreached objects", holomorphic=False, orders=1)


def mercator(lat, lon, ell=WGS84):
    e = math.sqrt(ell.e2)
    s = e * np.sin(lat)
    return ell.a * lon, ell.a * np.log(np.tan(np.pi / 4 + lat / 2) * ((1 - s) / (1 + s)) ** (e / 2))


def map_area(lats, lons):
    x, y = mercator(lats, lons)
    return 0.5 * np.abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


add(map_area, np.array([0.1, 0.2, 0.6]), np.array([0.0, 0.5, 0.3]), notes="constants", holomorphic=False)


def clenshaw(coefficients, angle):
    u0 = u1 = 0.0
    c = 2 * np.cos(2 * angle)
    for a in reversed(coefficients):
        u0, u1 = a + c * u0 - u1, u0
    return u0 * np.sin(2 * angle)


def krueger(lat, n):
    alpha = [n / 2 - 2 * n ** 2 / 3, 13 * n ** 2 / 48, 61 * n ** 3 / 240]
    return lat + clenshaw(alpha, lat)


add(krueger, 0.8, 0.02, notes="lists")


class Dms:
    """Degrees, minutes, seconds; knows arithmetic and formatting."""

    def __init__(self, degrees, minutes=0, seconds=0.0):
        self.value = degrees + minutes / 60 + seconds / 3600

    @cached_property
    def radians(self):
        return self.value * math.pi / 180

    def __add__(self, other):
        return Dms(self.value + (other.value if isinstance(other, Dms) else other))

    __radd__ = __add__

    def __format__(self, spec):
        return format(self.value, spec)

    def __lt__(self, other):
        return self.value < other.value


def bearing_sum(seconds, extra):
    total = sum([Dms(12, 30, seconds), Dms(extra)], start=Dms(0))
    logger.info(f"the sum is {total:.3f}")
    return math.sin(total.radians)


add(bearing_sum, 27.5, 11.0, notes="objects unreached lists")


def isa_pressure(h, layers=((0.0, -6.5), (11.0, 0.0), (20.0, 1.0))):
    t, p = 288.15, 1.0
    for k, (base, lapse) in enumerate(layers):
        top = layers[k + 1][0] if k + 1 < len(layers) else math.inf
        dh = min(h, top) - base
        if lapse == 0:
            p *= math.exp(-34.163 * dh / t)
        else:
            p *= (1 + lapse * dh / t) ** (-34.163 / lapse)
            t += lapse * dh
        if h <= top:
            return p
    raise ValueError(h)


def pressure_ratio(h1, h2):
    return isa_pressure(h1) / isa_pressure(h2)


add(pressure_ratio, 14.2, 3.1, notes="unreached lists", holomorphic=False)


def magnus(t, over="water"):
    a, b = {"water": (17.62, 243.12), "ice": (22.46, 272.62)}[over]
    return 6.112 * np.exp(a * t / (b + t))


def dew_point(t, rh):
    g = np.log(rh * magnus(t) / 6.112)
    return 243.12 * g / (17.62 - g)


add(dew_point, 21.0, 0.6, notes="lists")


def heat_index(t, r, coefficients=np.array([[0.5, -0.2, 0.05], [0.1, 0.3, 0.0], [-0.02, 0.0, 0.0]])):
    return np.polynomial.polynomial.polyval2d(t, r, coefficients)


def comfort(t, r):
    return sum(c * t ** i * r ** j for (i, j), c in np.ndenumerate(M23))


add(comfort, 0.8, 0.6, notes="lists library")


def interpolated_height(heights, t):
    """A monotone curve through stations."""
    return PchipInterpolator(np.arange(5.0), V5)(t) * heights


add(interpolated_height, 1.2, 2.4, notes="rules", holomorphic=False)


def dem_height(x, y):
    z = (np.arange(12.0).reshape(3, 4) % 5) ** 2
    surface = RegularGridInterpolator((np.arange(3.0), np.arange(4.0)), z)
    return surface(np.array([[x, y], [1.5, y]])).sum()


add(dem_height, 0.4, 2.3, notes="rules constants", holomorphic=False)


def terrain_slope(dem, cell):
    gy, gx = np.gradient(dem, cell)
    return np.arctan(np.sqrt(gx ** 2 + gy ** 2 + 1e-6)).mean()


add(terrain_slope, np.array([[1.0, 1.2, 1.9], [0.8, 1.3, 2.1], [0.7, 1.5, 2.0]]), 0.5, notes="constants")


def smoothed_terrain(dem):
    low = ndimage.uniform_filter(dem, size=3, mode="nearest")
    shifted = ndimage.correlate(dem, np.array([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]]))
    return np.sum(low * shifted)


add(smoothed_terrain, np.array([[1.0, 1.2, 1.9], [0.8, 1.3, 2.1], [0.7, 1.5, 2.0]]), notes="rules", holomorphic=False)


def network_operator(n):
    rows, cols = np.array([0, 1, 1, 2, 3]), np.array([0, 0, 2, 1, 2])
    return sparse.csr_matrix((np.ones(5) * 0.5, (rows, cols)), shape=(4, n))


def levelling(heights):
    G = network_operator(len(heights))
    misclosure = G @ heights - np.array([0.1, 0.3, -0.2, 0.4])
    return misclosure @ misclosure


add(levelling, V3, notes="rules constants", holomorphic=False)


def station_distances(points):
    d = spatial.distance.pdist(points)
    return np.sum(d ** 2 / (1 + d))


add(station_distances, np.array([[0.0, 0.1], [1.0, 0.3], [0.4, 0.9]]), notes="rules", holomorphic=False)


def gravity_harmonics(r, theta, c):
    p = [np.ones_like(theta), theta, 0.5 * (3 * theta ** 2 - 1), 0.5 * (5 * theta ** 3 - 3 * theta)]
    return sum(ck * pk / r ** (k + 1) for k, (ck, pk) in enumerate(zip(c, p)))


def potential(r, lat, c):
    return gravity_harmonics(r, np.sin(lat), c) * special.jv(1, r)


add(potential, 1.3, 0.6, V4, notes="lists rules", holomorphic=False)


@singledispatch
def length_of(value):
    raise TypeError(f"no length of {type(value)}")


@length_of.register
def _(value: float):
    return value * value


@length_of.register
def _(value: list):
    return sum(length_of(v) for v in value)


def dispatched(a, b):
    return length_of(a) * length_of([b, a * b])


add(dispatched, A, 1.3, notes="values", holomorphic=False)


class Effects(Flag):
    """What is corrected."""

    NONE = 0
    TILT = auto()
    DRIFT = auto()
    TIDE = auto()


def corrected(reading, t, effects=Effects.TILT | Effects.TIDE):
    if Effects.TILT in effects:
        reading = reading * math.cos(0.1)
    if effects & Effects.DRIFT:
        reading = reading - 0.3 * t
    if effects & Effects.TIDE:
        reading = reading + 0.2 * math.sin(t)
    return reading


def gravimeter(reading, t):
    return corrected(reading, t) * corrected(reading, t, Effects.DRIFT) + corrected(t, t, Effects.NONE)


add(gravimeter, 1.4, 0.8, notes="values")


class Table(Mapping):
    """Numbers by name, which cannot be changed."""

    def __init__(self, **values):
        self._values = values

    def __getitem__(self, key):
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self):
        return len(self._values)


STEEL = Table(E=2.1, nu=0.3, rho=7.85)


def beam_deflection(load, length, material=STEEL):
    inertia = 0.1 ** 4 / 12
    return load * length ** 3 / (48 * material["E"] * inertia * 1e4) * (1 + material["nu"])


add(beam_deflection, 1.2, 2.0, wrt=(0, 1), notes="objects")


def colebrook(reynolds, roughness):
    x = -2 * np.log10(roughness / 3.7 + 5.74 / reynolds ** 0.9)
    for _ in range(8):
        x = -2 * np.log10(roughness / 3.7 + 2.51 * x / reynolds)
    return x ** -2


def friction_factor(reynolds, roughness):
    """Laminar, turbulent, and what is between, blended."""
    re = reynolds * 1e3
    laminar, turbulent = 64 / re, colebrook(re, roughness)
    regimes = [(re < 2000, lambda: laminar), (re > 4000, lambda: turbulent)]
    for applies, value in regimes:
        if applies:
            return value()
    w = (re - 2000) / 2000
    return (1 - w) * laminar + w * turbulent


def pipe_losses(reynolds, roughness):
    return 100 * (friction_factor(reynolds, roughness) + friction_factor(reynolds / 30, roughness))


add(pipe_losses, 45.0, 0.002, notes="values")


def impedance(r, l, c, omega=1.3):
    z = r + 1j * (omega * l - 1 / (omega * c))
    return abs(z) ** 2


add(impedance, 0.7, 0.4, 0.9, wrt=(0, 1, 2), notes="constants", holomorphic=False)


def phase(x):
    return cmath.phase(complex(x, 1.0)) if False else math.atan2(1.0, x)


add(phase, 0.7, notes="unreached", holomorphic=False)


def truss_forces(angle, load):
    nodes = collections.OrderedDict(a=(0.0, 0.0), b=(1.0, 0.0), c=(0.5, 0.5 * math.tan(angle)))
    bars = list(itertools.combinations(nodes, 2))
    lengths = {bar: math.dist(*(nodes[n] for n in bar)) for bar in bars}
    return sum(load * v for v in lengths.values())


add(truss_forces, 0.6, 1.3, notes="lists library stars", holomorphic=False)


def section_modulus(width, height):
    parts = [{"w": width, "h": height, "y": height / 2}, {"w": 0.2, "h": 0.5 * height, "y": height * 1.25}]
    area = sum(p["w"] * p["h"] for p in parts)
    centroid = sum(p["w"] * p["h"] * p["y"] for p in parts) / area
    inertia = sum(p["w"] * p["h"] ** 3 / 12 + p["w"] * p["h"] * (p["y"] - centroid) ** 2 for p in parts)
    return inertia / max(centroid, 1.5 * height - centroid)


add(section_modulus, 0.5, 0.8, notes="lists", holomorphic=False)


@contextlib.contextmanager
def strict_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def guarded_log(x):
    with strict_warnings():
        y = np.log(x)
    return np.sum(y * y)


add(guarded_log, P3, notes="control unreached")


def unit_converter(*factors, **named):
    table = dict(named, base=1.0)
    for k, f in enumerate(factors):
        table[f"u{k}"] = f
    return lambda value, unit="base": value * table[unit]


def converted(x, factor):
    to = unit_converter(2.0, factor, km=factor * 3.0)
    return to(x) * to(x, "u1") + to(x, unit="km")


add(converted, A, 1.3, notes="stars values lists", holomorphic=False)


def forwarding(fn, *args, times=1, **kwargs):
    for _ in range(times):
        args = (fn(*args, **kwargs), *args[1:])
    return args[0]


def damped(x, rate, *, limit=2.0):
    return x - rate * (x - limit)


def forwarded(x, rate):
    return forwarding(damped, x, rate, times=3, limit=1.5) * forwarding(operator.mul, x, rate)


add(forwarded, A, 0.3, notes="stars values library")


@overload
def mean_of(values: list) -> float: ...


@overload
def mean_of(*values: float) -> float: ...


def mean_of(*values):
    if len(values) == 1 and isinstance(values[0], (list, tuple)):
        values = tuple(values[0])
    return math.fsum(values) / len(values) if all(isinstance(v, int) for v in values) else sum(values) / len(values)


def averages(a, b):
    return mean_of(a, b, a * b) * mean_of([a, b])


add(averages, A, 1.3, notes="stars library lists")


def memo_table(x, cache={}):
    if "weights" not in cache:
        cache["weights"] = [1.0, 0.5, 0.25]
    return sum(w * x ** k for k, w in enumerate(cache["weights"], 1))


def cached_series(x):
    return memo_table(x) * memo_table(x * x)


add(cached_series, 0.6, notes="control lists")


def tide(t, constituents=(("M2", 1.2, 0.3), ("S2", 0.5, 1.1), ("K1", 0.3, -0.4))):
    amplitudes = {name: a for name, a, _ in constituents}
    phases = {name: p for name, _, p in constituents}
    speeds = functools.reduce(lambda d, kv: d | {kv[0]: kv[1]}, zip(("M2", "S2", "K1"), (1.4, 1.5, 0.7)), {})
    return sum(amplitudes[n] * np.cos(speeds[n] * t - phases[n]) for n in amplitudes)


def tidal_range(t1, t2):
    return (tide(t1) - tide(t2)) ** 2


add(tidal_range, 0.7, 2.9, notes="lists library")


def pad_to(x, width, mode="constant", **kwargs):
    missing = width - len(x)
    left = missing // 2
    return np.pad(x, (left, missing - left), mode=mode, **kwargs)


def padded_products(x):
    widths = [len(x) + k for k in range(2, 5, 2)]
    return sum(np.sum(pad_to(x, w, constant_values=0.5)[1:] * pad_to(x, w, mode="wrap")[:-1]) for w in widths)


add(padded_products, V3, notes="constants stars")
