"""Equations of state, kinetics, properties and spectra."""
from __future__ import annotations

import functools
import itertools
import math
import warnings
from collections import ChainMap, Counter, namedtuple
from dataclasses import astuple, dataclass
from types import MappingProxyType, SimpleNamespace

import numpy as np
from corpus import M33, P3, V3, V4, W3, A, add, section
from scipy import constants, integrate, linalg, optimize
from scipy.special import exp1, lambertw, wofz, xlogy

import tangent_nb as tnb

section("real_chemistry")

R = 8.314e-3


class Component:
    """Critical constants with a lazily made alpha."""

    registry = {}

    def __init__(self, name, Tc, Pc, omega):
        self.name, self.Tc, self.Pc, self.omega = name, Tc, Pc, omega
        Component.registry[name] = self

    @functools.cached_property
    def m(self):
        return 0.37464 + 1.54226 * self.omega - 0.26992 * self.omega ** 2

    def alpha(self, T):
        return (1 + self.m * (1 - np.sqrt(T / self.Tc))) ** 2


METHANE = Component("methane", 1.906, 4.6, 0.011)
ETHANE = Component("ethane", 3.053, 4.88, 0.099)


class CubicEOS:
    """A family of equations of state: children give constants."""

    OmegaA = OmegaB = 0.0
    u = w = 0

    def __init__(self, component):
        self.c = component

    def a(self, T):
        return self.OmegaA * self.c.Tc ** 2 / self.c.Pc * self.c.alpha(T)

    @property
    def b(self):
        return self.OmegaB * self.c.Tc / self.c.Pc

    def pressure(self, T, V):
        b = self.b
        return T / (V - b) - self.a(T) / (V ** 2 + self.u * b * V + self.w * b ** 2)


class VanDerWaals(CubicEOS):
    """The oldest."""

    OmegaA, OmegaB = 27 / 64, 1 / 8

    def a(self, T):
        return self.OmegaA * self.c.Tc ** 2 / self.c.Pc


class PengRobinson(CubicEOS):
    """The usual one."""

    OmegaA, OmegaB = 0.45724, 0.0778
    u, w = 2, -1


def pressures(T, V):
    eos = [cls(METHANE) for cls in (VanDerWaals, PengRobinson)]
    return sum(e.pressure(T, V) ** 2 for e in eos)


add(pressures, 2.1, 1.3, notes="objects values")


def compressibility(A_, B_):
    """The largest root, by Newton from the gas side."""
    z = 1.0 + 0 * A_
    for k in range(100):
        f = z ** 3 - (1 - B_) * z ** 2 + (A_ - 3 * B_ ** 2 - 2 * B_) * z - (A_ * B_ - B_ ** 2 - B_ ** 3)
        df = 3 * z ** 2 - 2 * (1 - B_) * z + (A_ - 3 * B_ ** 2 - 2 * B_)
        new = z - f / df
        if abs(new - z) < 1e-15:
            return new
        z = new
    warnings.warn(f"no root after {k + 1} steps")
    return z


def fugacity(A_, B_):
    z = compressibility(A_, B_)
    s = math.sqrt(2)
    return z - 1 - np.log(z - B_) - A_ / (2 * s * B_) * np.log((z + (1 + s) * B_) / (z + (1 - s) * B_))


add(fugacity, 0.2, 0.05, notes="unreached control", orders=1)


@dataclass(frozen=True)
class Antoine:
    """Three numbers of a fluid."""

    A: float
    B: float
    C: float

    def __call__(self, T):
        return 10 ** (self.A - self.B / (T + self.C))


def raoult_pressure(T, x):
    fluids = (Antoine(1.2, 0.9, 0.3), Antoine(A=0.8, B=1.1, C=0.1))
    psat = [f(T) for f in fluids]
    return x * psat[0] + (1 - x) * psat[1] + astuple(fluids[0])[1] * x


add(raoult_pressure, 1.1, 0.3, notes="objects values library")


def wilson(x, lam):
    x = np.asarray(x)
    s = lam @ x
    lngamma = 1 - np.log(s) - (x / s) @ lam
    return np.exp(lngamma)


def excess_gibbs(x1, lam12, lam21):
    lam = np.array([[1.0, lam12], [lam21, 1.0]])
    x = [x1, 1.0 - x1]
    gamma = wilson(x, lam)
    return sum(xi * np.log(g) for xi, g in zip(x, gamma, strict=True))


add(excess_gibbs, 0.3, 0.7, 0.4, notes="lists")

Reaction = namedtuple("Reaction", ["reactants", "products", "k"])


def rates(conc, reactions):
    out = np.zeros(len(conc))
    for rx in reactions:
        speed = rx.k
        for species, order in rx.reactants.items():
            speed = speed * conc[species] ** order
        for species, n in rx.reactants.items():
            out[species] -= n * speed
        for species, n in rx.products.items():
            out[species] += n * speed
    return out


def batch_reactor(c0, k1, k2):
    network = [Reaction({0: 1, 1: 1}, {2: 1}, k1), Reaction({2: 1}, {0: 1, 1: 1}, k2)]
    c = c0
    for _ in range(4):
        c = c + 0.1 * rates(c, network)
    return c[2] - c[0] * c[1]


add(batch_reactor, np.array([1.0, 0.7, 0.1]), 0.8, 0.3, notes="lists objects")


def arrhenius(T, A0=1.0, Ea=0.5, n=0, Tref=None):
    factor = 1 if Tref is None else (T / Tref) ** n
    return A0 * factor * math.exp(-Ea / T)


DEFAULTS = {"A0": 2.0, "Ea": 0.4}
SLOW = {**DEFAULTS, "Ea": 0.9}


def selectivity(T, n):
    fast = arrhenius(T, **DEFAULTS)
    slow = arrhenius(T, **SLOW, n=n, Tref=1.2)
    return fast / (fast + slow)


add(selectivity, 0.9, 0.5, notes="stars")


def parse_formula(text):
    counts = Counter()
    symbol = ""
    for ch in text + "A":
        if ch.isupper():
            if symbol:
                counts[symbol[0]] += int(symbol[1:] or 1)
            symbol = ch
        else:
            symbol += ch
    return counts


WEIGHTS = {"C": 12.011, "H": 1.008, "O": 15.999}


def molar_mass(text):
    return sum(WEIGHTS[el] * n for el, n in parse_formula(text).items())


def mass_fraction(x):
    m = [molar_mass(f) for f in ("CH4", "C2H6O")]
    return x * m[0] / (x * m[0] + (1 - x) * m[1])


add(mass_fraction, 0.4, notes="constants library")


def shomate(T, coeffs):
    a, b, c, d, e = coeffs
    return a + b * T + c * T ** 2 + d * T ** 3 + e / T ** 2


def enthalpy(T, coeffs):
    value, error = integrate.quad(lambda t: shomate(t, coeffs), 0.3, T)
    if error > 1e-6:
        warnings.warn("the integral is rough")
    return value


add(enthalpy, 0.9, np.array([1.0, 0.5, -0.3, 0.2, 0.01]), notes="rules unreached values", holomorphic=False)


def adiabatic_flame(h0, coeffs):
    def balance(T):
        return shomate(T, coeffs) * T - h0
    return optimize.brentq(balance, 0.3, 1.2, xtol=1e-14, rtol=1e-14)


add(adiabatic_flame, 3.0, np.array([3.0, 1.0, -0.02, 0.01, 0.02]), notes="rules values", holomorphic=False, orders=1)


def lennard_jones(r, epsilon=1.0, sigma=1.0, cutoff=2.5):
    sr6 = (sigma / r) ** 6
    shift = (sigma / cutoff) ** 6
    return np.where(r < cutoff, 4 * epsilon * (sr6 ** 2 - sr6 - shift ** 2 + shift), 0.0)


def cluster_energy(positions, epsilon, sigma):
    i, j = np.triu_indices(len(positions), k=1)
    r = np.sqrt(np.sum((positions[i] - positions[j]) ** 2, axis=-1))
    return lennard_jones(r, epsilon, sigma).sum()


SITES = np.array([[0.0, 0.0, 0.0], [1.1, 0.1, 0.0], [0.4, 1.0, 0.2], [2.1, 2.2, 0.3]])
add(cluster_energy, SITES, 0.9, 1.05, notes="constants")


def forces(positions, epsilon):
    def energy(p):
        return cluster_energy(p, epsilon, 1.0)
    return -tnb.grad(energy)(positions)


def relaxation_step(positions, epsilon):
    f = forces(positions, epsilon)
    return np.sum((positions + 0.01 * f)[0] * f[1])


add(relaxation_step, SITES, 0.9, notes="inner constants", holomorphic=False)


class Thermostat:
    """Rescales velocities of a gas and counts."""

    def __init__(self, target, tau):
        self.target, self.tau = target, tau
        self.calls = 0

    def scale(self, velocities):
        self.calls += 1
        temperature = np.mean(velocities ** 2)
        return np.sqrt(1 + self.tau * (self.target / temperature - 1))

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.calls = 0
        return False


def thermalised(v, tau):
    with Thermostat(1.0, tau) as bath:
        for _ in range(3):
            v = v * bath.scale(v)
        total = np.sum(v ** 3) / bath.calls
    return total


add(thermalised, V4, 0.3, notes="objects control stars")


def huckel(beta, bonds=((0, 1), (1, 2), (2, 3))):
    n = 1 + max(itertools.chain.from_iterable(bonds))
    H = np.zeros((n, n))
    for k, (i, j) in enumerate(bonds):
        H[i, j] = H[j, i] = beta[k]
    levels = linalg.eigvalsh(H)
    return 2 * np.sum(levels[: n // 2])


add(huckel, np.array([-1.0, -0.8, -1.1]), wrt=(0,), notes="rules lists library", holomorphic=False)


def slater_overlap(z1, z2, d):
    p = 0.5 * (z1 + z2) * d
    if abs(z1 - z2) < 1e-12:
        return math.exp(-p) * (1 + p + p * p / 3)
    return (z1 * z2) ** 1.5 * math.exp(-p) * (1 + p)


add(slater_overlap, 1.2, 0.9, 1.4, notes="constants")


def voigt(x, sigma, gamma):
    z = (x + 1j * gamma) / (sigma * np.sqrt(2))
    return np.real(wofz(z)) / (sigma * np.sqrt(2 * np.pi))


def spectrum_misfit(center, sigma, gamma):
    x = np.linspace(-1.0, 1.0, 5)
    return np.sum((voigt(x - center, sigma, gamma) - 0.4) ** 2)


add(spectrum_misfit, 0.1, 0.5, 0.3, notes="rules", holomorphic=False)


def mixing_entropy(x):
    x = x / x.sum()
    return -xlogy(x, x).sum()


add(mixing_entropy, P3, notes="rules")


def diode_current(v, i0, rs):
    """The implicit equation of a cell, solved with Lambert's function."""
    return np.real(lambertw(i0 * rs * np.exp(v + i0 * rs))) / rs - i0


add(diode_current, 0.7, 0.2, 0.5, notes="rules", holomorphic=False)


def theis_drawdown(t, transmissivity, storage):
    u = storage / (4 * transmissivity * t)
    return np.sum(exp1(u)) / (4 * np.pi * transmissivity)


add(theis_drawdown, np.array([0.5, 1.0, 2.0]), 0.7, 0.3, wrt=(0, 1, 2), notes="rules", holomorphic=False)


def settings(**overrides):
    return SimpleNamespace(**ChainMap(overrides, {"rate": 0.5, "order": 2, "volume": 1.0}))


def cstr_outlet(feed, rate):
    s = settings(rate=rate)
    c = feed
    for _ in range(20):
        c = c - (feed - c - s.rate * s.volume * c ** s.order) / (-1 - s.order * s.rate * s.volume * c ** (s.order - 1))
    return c


add(cstr_outlet, 1.2, 0.6, notes="stars library objects")

CONSTANTS = MappingProxyType({"kB": constants.k / 1e-23, "h": constants.h / 1e-34})


def partition_function(theta_rot, theta_vib, T=2.0):
    rot = T / theta_rot
    vib = 1 / (1 - np.exp(-theta_vib / T))
    return np.log(rot * vib) * CONSTANTS["kB"] / CONSTANTS["h"]


add(partition_function, 0.3, 1.7, wrt=(0, 1), notes="library")


def distillation(x, alpha, stages=4):
    def equilibrium(x):
        return alpha * x / (1 + (alpha - 1) * x)
    for n in range(stages):
        if x > 0.999:
            raise StopIteration(f"pure after {n} stages")
        x = equilibrium(x)
    return x


add(distillation, 0.2, 1.6, wrt=(0, 1), notes="unreached control")


def titration(volumes, pka, c0=0.1):
    h = 10.0 ** -pka
    result = []
    for v in volumes:
        fraction = v / (1.0 + v)
        result.append(fraction * h / (c0 + h) + math.log1p(v))
    return np.asarray(result)


def titration_curve(pka, scale):
    return np.sum(titration([scale * k for k in (0.2, 0.5, 0.9)], pka) ** 2)


add(titration_curve, 1.4, 0.8, notes="lists", holomorphic=False)


def balance_residual(flows, streams=("feed", "top", "bottom")):
    named = dict(zip(streams, flows))
    tops = {k: v * 0.9 for k, v in named.items() if k != "feed"}
    return (named["feed"] - sum(tops.values())) ** 2 + named["top"] * tops["bottom"]


add(balance_residual, V3, wrt=(0,), notes="lists")


def polymer_moments(p, orders=range(3)):
    chain = np.arange(1, 12)
    weights = (1 - p) * p ** (chain - 1)
    mu0, mu1, mu2 = (np.sum(chain ** k * weights) for k in orders)
    return mu2 * mu0 / mu1 ** 2


add(polymer_moments, 0.6, wrt=(0,), notes="lists constants")


def diffusion_matrix(n, d):
    main = np.full(n, -2.0)
    off = np.ones(n - 1)
    return d * (np.diag(main) + np.diag(off, 1) + np.diag(off, -1))


def catalyst_profile(d, k):
    n = 5
    lhs = diffusion_matrix(n, d) - k * np.eye(n)
    rhs = np.zeros(n)
    rhs[0], rhs[-1] = -d, -d
    c = linalg.solve(lhs, rhs)
    return k * np.sum(c) / n


add(catalyst_profile, 3.0, 0.4, notes="rules ownership", holomorphic=False)


def propagated(k, t):
    K = np.array([[-k[0], 0.0, k[2]], [k[0], -k[1], 0.0], [0.0, k[1], -k[2]]])
    return linalg.expm(K * t) @ np.array([1.0, 0.0, 0.0])


add(propagated, P3, 0.8, notes="rules", holomorphic=False)


def fit_isotherm(qmax, kl, data=((0.1, 0.2), (0.5, 0.6), (1.0, 0.8))):
    residuals = []
    for p, q in data:
        model = qmax * kl * p / (1 + kl * p)
        residuals.append(q - model)
    return np.sqrt(sum(r * r for r in residuals) / len(residuals))


add(fit_isotherm, 1.1, 1.9, wrt=(0, 1), notes="lists")


def uniform_mixture(props, x):
    """A mixing rule for each property, by name."""
    rules = {"Tc": np.dot, "omega": np.dot, "V": lambda x, v: np.sum(x * np.cbrt(v)) ** 3}
    mixed = {name: rule(x, props[name]) for name, rule in rules.items()}
    return mixed["Tc"] * mixed["omega"] / mixed["V"]


def mixture_number(x):
    return uniform_mixture({"Tc": np.array([1.9, 3.1, 3.7]), "omega": W3, "V": P3}, x)


add(mixture_number, np.array([0.2, 0.3, 0.5]), notes="values lists", holomorphic=False)


def activity_jacobian(x):
    def activities(x):
        return x * np.exp(M33 @ x)
    J = tnb.jacobian(activities)(x)
    return np.linalg.det(J)


add(activity_jacobian, V3, notes="inner", holomorphic=False)
_ = A
