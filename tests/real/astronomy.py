"""Orbits, distances, coordinates and light: as packages of astronomy are written."""
from __future__ import annotations

import functools
import logging
import math
import warnings
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
from corpus import V3, A, add, section

section("real_astronomy")

log = logging.getLogger(__name__)
GM_SUN = 1.327
TWO_PI = 2.0 * math.pi


class UnboundOrbitError(Exception):
    """An orbit that does not close."""


def _require_bound(ecc):
    if ecc < 0 or ecc >= 1:
        raise UnboundOrbitError(f"Orbit is not bound: ecc = {ecc}")


def eccentric_anomaly(mean, ecc, tol=1e-13, max_iter=50):
    _require_bound(ecc)
    guess = mean + ecc * math.sin(mean)
    for count in range(max_iter):
        delta = (guess - ecc * math.sin(guess) - mean) / (1.0 - ecc * math.cos(guess))
        guess -= delta
        if abs(delta) < tol:
            break
    else:
        warnings.warn(f"no convergence after {max_iter} steps: {delta}")
    return guess


def radius_at(mean, ecc):
    """The distance from the focus, in semi-major axes."""
    return 1.0 - ecc * math.cos(eccentric_anomaly(mean, ecc))


add(radius_at, 1.1, 0.3, notes="unreached")


class Orbit:
    """Elements, and what follows from them."""

    G = 1.3
    names = ("a", "e", "omega")

    def __init__(self, a, e, omega=0.0):
        self.a = a
        self.e = e
        self.omega = omega

    @property
    def p(self):
        return self.a * (1 - self.e ** 2)

    @property
    def period(self):
        return 2 * np.pi * np.sqrt(self.a ** 3 / self.G)

    @classmethod
    def circular(cls, a):
        return cls(a, 0.0)

    @staticmethod
    def wrap(angle):
        return np.mod(angle, 2 * np.pi)

    def radius(self, nu):
        return self.p / (1 + self.e * np.cos(nu))

    def position(self, nu):
        r = self.radius(nu)
        theta = self.wrap(nu + self.omega)
        return np.array([r * np.cos(theta), r * np.sin(theta), 0.0])


def orbit_position(a, e, nu):
    here = Orbit(a, e, omega=0.4).position(nu)
    return here[0] * here[1] + Orbit.circular(a).period


add(orbit_position, 1.4, 0.2, 0.9, holomorphic=False, notes="objects")


class HyperbolicOrbit(Orbit):
    """The same with e > 1."""

    def __init__(self, a, e, **kwargs):
        if np.any(e <= 1):
            raise ValueError(f"a hyperbola has e > 1, not {e!r}")
        super().__init__(a, e, **kwargs)

    @property
    def p(self):
        return self.a * (self.e ** 2 - 1)

    def excess(self):
        return np.sqrt(self.G / self.a)


def flyby_speed(a, e):
    orbit = HyperbolicOrbit(a, e, omega=0.1)
    r = orbit.radius(0.3)
    return np.sqrt(orbit.excess() ** 2 + 2 * orbit.G / r)


add(flyby_speed, 1.2, 1.7, notes="objects unreached stars")

PlanetData = namedtuple("PlanetData", "mass radius tilt")
PLANETS = {"earth": PlanetData(1.0, 1.0, 0.409), "mars": PlanetData(0.107, 0.532, 0.44)}


def surface_gravity(x, name="mars"):
    planet = PLANETS[name]
    scaled = planet._replace(radius=planet.radius * x)
    return scaled.mass / scaled.radius ** 2 * math.cos(scaled.tilt)


add(surface_gravity, 1.2, wrt=(0,), notes="objects library")


def rotation(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    if axis == "x":
        return np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    elif axis == "z":
        return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    raise ValueError("axis must be 'x' or 'z', got %r" % axis)


def orbital_to_ecliptic(node, inclination, peri):
    matrices = [rotation(ax, -ang) for ax, ang in zip("zxz", (node, inclination, peri), strict=True)]
    full = functools.reduce(np.dot, matrices)
    return full @ np.array([1.0, 0.5, -0.2])


add(orbital_to_ecliptic, 0.4, 0.8, -0.3, notes="library lists unreached")


@dataclass
class FlatLCDM:
    """A flat universe."""

    H0: float
    Om0: float
    nodes: int = 24
    cache: dict = field(default_factory=dict)

    @property
    def Ode0(self):
        return 1.0 - self.Om0

    def efunc(self, z):
        return np.sqrt(self.Om0 * (1 + z) ** 3 + self.Ode0)

    def comoving(self, z):
        if "quad" not in self.cache:
            self.cache["quad"] = np.polynomial.legendre.leggauss(self.nodes)
        t, w = self.cache["quad"]
        grid = 0.5 * z * (t + 1)
        return 299.792 / self.H0 * 0.5 * z * np.sum(w / self.efunc(grid))

    def distmod(self, z):
        return 5 * np.log10((1 + z) * self.comoving(z)) + 25


def distance_modulus(H0, Om0, z):
    return FlatLCDM(H0, Om0).distmod(z)


add(distance_modulus, 0.7, 0.31, 0.8, notes="objects")


class Cosmology:
    """Density parameters with lazily made tables."""

    _tables = None
    instances = 0

    def __init__(self, om, ol):
        self.om, self.ol = om, ol
        self._age = None
        Cosmology.instances += 1

    @property
    def ok(self):
        return 1.0 - self.om - self.ol

    @property
    def age(self):
        if self._age is None:
            a = np.linspace(0.01, 1.0, 40)
            self._age = np.trapezoid(1.0 / np.sqrt(self.om / a + self.ok + self.ol * a * a), a)
        return self._age


def age_ratio(om, ol):
    cosmo = Cosmology(om, ol)
    return cosmo.age * cosmo.ok + cosmo.age ** 2


add(age_ratio, 0.3, 0.6, notes="objects")


def planck(wavelength, temperature):
    with np.errstate(over="ignore"):
        return wavelength ** -5 / np.expm1(1.4388 / (wavelength * temperature))


def color_index(temperature):
    bands = dict(B=0.44, V=0.55)
    flux = {name: planck(lam, temperature) for name, lam in bands.items()}
    log.debug("fluxes %s", flux)
    return -2.5 * np.log10(flux["B"] / flux["V"])


add(color_index, 2.2, notes="unreached lists")


def julian_centuries(jd):
    return (jd - 2451545.0) / 36525.0


def mean_obliquity(jd, dps=(84381.448, -46.8150, -0.00059, 0.001813)):
    t = julian_centuries(jd)
    return sum(c * t ** k for k, c in enumerate(dps)) / 3600.0


def sidereal_tilt(days):
    return np.tan(np.radians(mean_obliquity(2451545.0 + days * 1000.0)))


add(sidereal_tilt, 3.5, notes="lists")


def airmass(altitude_deg):
    if np.any(np.asarray(altitude_deg) < 0):
        raise ValueError(f"below the horizon: {altitude_deg}")
    h = np.deg2rad(altitude_deg)
    return 1.0 / (np.sin(h) + 0.50572 * (altitude_deg + 6.07995) ** -1.6364)


add(airmass, np.array([35.0, 60.0, 81.0]), notes="unreached constants")


def spherical_to_cartesian(lon, lat, r=1.0):
    x = r * np.cos(lat) * np.cos(lon)
    y = r * np.cos(lat) * np.sin(lon)
    return np.stack(np.broadcast_arrays(x, y, r * np.sin(lat)), axis=-1)


def angular_separation(lon1, lat1, lon2, lat2):
    u, v = map(spherical_to_cartesian, (lon1, lon2), (lat1, lat2))
    cross = np.cross(u, v)
    return np.arctan2(np.sqrt(np.sum(cross * cross)), np.dot(u, v))


add(angular_separation, 0.2, 0.4, 0.9, -0.1, notes="library")


class Star:
    """A star of a cluster."""

    __slots__ = ("lum", "mass", "temperature")

    def __init__(self, mass, temperature):
        self.mass = mass
        self.temperature = temperature
        self.lum = mass ** 3.5

    def radius(self):
        return np.sqrt(self.lum) / self.temperature ** 2


def cluster_light(mass, temperature):
    star = Star(mass, temperature)
    twin = Star(0.5 * mass, temperature * 0.9)
    return star.lum / star.radius() + twin.lum * twin.radius()


add(cluster_light, 1.3, 1.1, notes="objects")


def nfw_profile(r, rs, rho0=1.0, *, truncate=None):
    x = r / rs
    rho = rho0 / (x * (1 + x) ** 2)
    if truncate is not None:
        rho = np.where(r < truncate, rho, 0.0)
    return rho


def halo_mass(rs, conc):
    kwargs = {"rho0": conc ** 2, "truncate": 4.0}
    r = np.geomspace(0.05, 5.0, 30)
    return np.trapezoid(4 * np.pi * r ** 2 * nfw_profile(r, rs, **kwargs), r)


add(halo_mass, 0.8, 1.5, notes="stars constants")


def n_body_acceleration(pos, mass, eps=0.1):
    n = pos.shape[0]
    acc = np.zeros_like(pos)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            d = pos[j] - pos[i]
            acc[i] += mass[j] * d / (d @ d + eps ** 2) ** 1.5
    return acc


def leapfrog(pos, vel, mass, dt, steps):
    pos, vel = pos.copy(), vel.copy()
    acc = n_body_acceleration(pos, mass)
    for _ in range(steps):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = n_body_acceleration(pos, mass)
        vel += 0.5 * dt * acc
    return pos, vel


POS = np.array([[0.0, 0.1], [1.0, 0.2], [-0.7, 0.9]])
VEL = np.array([[0.1, -0.2], [0.0, 0.6], [-0.3, 0.1]])


def three_body_energy(pos, vel, mass):
    pos, vel = leapfrog(pos, vel, mass, dt=0.05, steps=3)
    kinetic = 0.5 * np.sum(mass[:, None] * vel ** 2)
    pairs = [(i, j) for i in range(len(mass)) for j in range(i)]
    potential = -sum(mass[i] * mass[j] / np.sqrt(np.sum((pos[i] - pos[j]) ** 2)) for i, j in pairs)
    return kinetic + potential


add(three_body_energy, POS, VEL, np.array([1.0, 0.6, 0.3]), notes="lists ownership")


@functools.lru_cache(maxsize=None)
def legendre_weights(n):
    return np.polynomial.legendre.leggauss(n)


def limb_darkened_flux(u1, u2):
    t, w = legendre_weights(12)
    mu = 0.5 * (t + 1)
    intensity = 1 - u1 * (1 - mu) - u2 * (1 - mu) ** 2
    return np.sum(w * intensity * mu)


add(limb_darkened_flux, 0.4, 0.25, notes="control")


def transit_depth(k, b, t, dur):
    """A trapezoid in time."""
    z = np.sqrt(b ** 2 + ((t / dur) * (1 + k)) ** 2)
    inside = z < 1 - k
    touching = (z < 1 + k) & ~inside
    flux = np.ones_like(t)
    flux[inside] = 1 - k ** 2
    flux[touching] = 1 - k ** 2 * (1 + k - z[touching]) / (2 * k)
    return flux


def transit_chi2(k, b):
    t = np.array([-1.2, -0.95, -0.4, 0.1, 0.85, 1.3])
    return np.sum((transit_depth(k, b, t, 1.05) - 0.99) ** 2) * 1e3


add(transit_chi2, 0.12, 0.3, notes="constants ownership", holomorphic=False)


class EphemerisError(ValueError):
    """Out of range, with the limits."""

    def __init__(self, t, lo, hi):
        super().__init__(f"{t} outside of [{lo}, {hi}]")
        self.limits = (lo, hi)


def chebyshev(coeffs, x):
    b1 = b2 = 0.0
    for c in coeffs[:0:-1]:
        b1, b2 = 2 * x * b1 - b2 + c, b1
    return x * b1 - b2 + coeffs[0]


class Ephemeris:
    """Chebyshev segments."""

    def __init__(self, segments, span):
        self.segments = segments
        self.span = span

    def __getitem__(self, index):
        return self.segments[index]

    def __len__(self):
        return len(self.segments)

    def __call__(self, t):
        lo, hi = 0.0, self.span * len(self)
        if not lo <= t <= hi:
            raise EphemerisError(t, lo, hi)
        index = min(int(t // self.span), len(self) - 1)
        local = 2 * (t - index * self.span) / self.span - 1
        return chebyshev(self[index], local)


MOON = Ephemeris([np.array([1.0, 0.3, -0.2, 0.05]), np.array([0.9, -0.3, 0.1, 0.02])], span=2.0)


def moon_distance(t, scale):
    return scale / MOON(t) ** 2 + MOON(t + 1.7)


add(moon_distance, 0.9, 1.3, notes="objects unreached constants values", holomorphic=False)


def light_time(position, velocity, c=3.0):
    """Iterates until the light of then is seen now."""
    tau, previous = 0.0, math.inf
    iterations = 0
    while abs(tau - previous) > 1e-14 and iterations < 60:
        previous = tau
        retarded = position - velocity * tau
        tau = np.sqrt(retarded @ retarded) / c
        iterations += 1
    if iterations == 60:
        log.warning("light time did not settle: %g", tau)
    return tau


add(light_time, np.array([1.0, 0.4, -0.7]), np.array([0.2, -0.1, 0.15]), notes="unreached", orders=1)


def sersic(radius, re, n):
    bn = 1.9992 * n - 0.3271
    return np.exp(-bn * ((radius / re) ** (1.0 / n) - 1.0))


MODELS = {
    "sersic": sersic,
    "exponential": lambda r, re, _n: np.exp(-1.678 * (r / re - 1)),
    "plummer": lambda r, re, _n: (1 + (r / re) ** 2) ** -2,
}


def galaxy(re, n, components=("sersic", "plummer")):
    r = np.linspace(0.1, 2.0, 8)
    total = np.zeros(r.shape)
    for name in components:
        try:
            model = MODELS[name]
        except KeyError:
            raise ValueError(f"unknown model {name!r}; choose from {sorted(MODELS)}") from None
        total = total + model(r, re, n)
    return np.sum(total * r)


add(galaxy, 0.9, 2.2, wrt=(0, 1), notes="values unreached")


def aberration(direction, beta):
    direction = np.atleast_1d(direction).astype(float) if np.isrealobj(direction) else direction
    gamma = 1 / np.sqrt(1 - beta @ beta)
    along = direction @ beta
    return (direction / gamma + beta * (1 + gamma * along / (gamma + 1))) / (1 + along)


add(aberration, np.array([0.6, 0.8, 0.0]), np.array([0.1, -0.2, 0.05]), notes="constants")


def precession_matrix(t):
    zeta, z, theta = (np.radians(sum(a * t ** (k + 1) for k, a in enumerate(row)))
                      for row in ((0.64, 0.08), (0.64, 0.3), (0.55, -0.12)))
    return rotation("z", -z) @ rotation("x", theta) @ rotation("z", -zeta)


def precessed(t, vector):
    return precession_matrix(t) @ vector


add(precessed, 0.7, V3, notes="lists control")


def saha_fraction(temperature, density, energies=(0.0, 1.1, 1.9), **options):
    degeneracy = options.pop("degeneracy", (2, 1, 2))
    if options:
        raise TypeError(f"unknown options: {', '.join(options)}")
    levels = [g * math.exp(-e / temperature) for g, e in zip(degeneracy, energies, strict=True)]
    z = sum(levels)
    return levels[1] / z * temperature ** 1.5 / density


add(saha_fraction, 1.2, 0.8, wrt=(0, 1), notes="stars lists unreached")


def roche_potential(x, q):
    """On the line between two stars."""
    r1, r2 = np.abs(x), np.abs(x - 1)
    return -1 / r1 - q / r2 - 0.5 * (1 + q) * (x - q / (1 + q)) ** 2


def l1_point(q):
    x = 0.6
    for _ in range(30):
        f = -1 / x ** 2 + q / (1 - x) ** 2 + (1 + q) * x - q
        df = 2 / x ** 3 + 2 * q / (1 - x) ** 3 + (1 + q)
        step = f / df
        x = x - step
        if np.abs(step) < 1e-15:
            return x
    return x


def roche_at_l1(q):
    x = l1_point(q)
    return roche_potential(x, q) * x


add(roche_at_l1, 0.4, notes="control", holomorphic=False)


def extinction_curve(wavelength, rv=3.1):
    x = 1.0 / np.asarray(wavelength)
    y = x - 1.82
    a = np.polyval([0.32999, -0.7753, 0.01979, 0.72085, -0.02427, -0.50447, 0.17699, 1.0], y)
    b = np.polyval([-2.09002, 5.3026, -0.62251, -5.38434, 1.07233, 2.28305, 1.41338, 0.0], y)
    return a + b / rv


add(extinction_curve, np.array([0.44, 0.55, 0.64]), A + 2.5, notes="constants")
