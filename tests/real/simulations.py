"""Differential equations, epidemics, games and particles."""
from __future__ import annotations

import copy
import dataclasses
import functools
import itertools
import logging
import math
import random
import time
import typing
import warnings
from collections import defaultdict, namedtuple
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from typing import Generic, Protocol, TypeVar

import numpy as np
from corpus import M33, P3, V2, V3, V4, V5, W3, A, B, add, section
from scipy.integrate import odeint, solve_ivp

import tangent_nb as tnb

section("real_simulations")

log = logging.getLogger(__name__)
T = TypeVar("T")


class ButcherTableau:
    """Coefficients of an explicit method, checked."""

    def __init__(self, a, b, c):
        self.a = [list(row) for row in a]
        self.b = np.asarray(b)
        self.c = np.asarray(c)
        if len(self.a) != len(self.b):
            raise ValueError(f"{len(self.a)} rows, {len(self.b)} weights")
        assert np.isclose(self.b.sum(), 1.0)

    @property
    def stages(self):
        return len(self.b)


RK4 = ButcherTableau([[], [0.5], [0, 0.5], [0, 0, 1]], [1 / 6, 1 / 3, 1 / 3, 1 / 6], [0, 0.5, 0.5, 1])
HEUN = ButcherTableau(a=[[], [1]], b=[0.5, 0.5], c=[0, 1])


class Integrator:
    """Counts what it calls."""

    nfev = 0

    def __init__(self, fun, tableau=RK4):
        self.fun = fun
        self.tableau = tableau

    def rhs(self, t, y):
        self.nfev += 1
        return self.fun(t, y)

    def step(self, t, y, h):
        k = []
        for row, c in zip(self.tableau.a, self.tableau.c):
            yi = y
            for aij, kj in zip(row, k):
                yi = yi + h * aij * kj
            k.append(self.rhs(t + c * h, yi))
        return y + h * sum(b * ki for b, ki in zip(self.tableau.b, k))


def duffing(y0, damping):
    def fun(t, y):
        return np.array([y[1], -damping * y[1] + y[0] - y[0] ** 3 + 0.3 * np.cos(t)])
    solver = Integrator(fun)
    y = y0
    for n in range(3):
        y = solver.step(0.1 * n, y, 0.1)
    return y[0] * y[1] + solver.nfev * y[0]


add(duffing, V2, 0.3, notes="objects values lists unreached")


def rk_step(f, t, y, h, args=(), **options):
    order = options.get("order", 2)
    k1 = f(t, y, *args)
    if order == 1:
        return y + h * k1
    k2 = f(t + h / 2, y + h / 2 * k1, *args)
    return y + h * k2


def lotka_volterra(t, y, alpha, beta, delta=0.7, gamma=0.5):
    prey, predator = y
    return np.array([alpha * prey - beta * prey * predator, delta * prey * predator - gamma * predator])


def population(alpha, beta):
    y = np.array([1.0, 0.6])
    for t in np.arange(0.0, 0.5, 0.1):
        y = rk_step(lotka_volterra, t, y, 0.1, args=(alpha, beta), order=2)
    return np.sum(y ** 2)


add(population, 0.9, 0.6, notes="stars values")


def seir(y, t, N, beta, sigma, gamma):
    S, E, I, R = y
    return [-beta * S * I / N, beta * S * I / N - sigma * E, sigma * E - gamma * I, gamma * I]


def peak_infected(beta, sigma, gamma):
    t = np.linspace(0, 4, 6)
    result = odeint(seir, [0.9, 0.05, 0.05, 0.0], t, args=(1.0, beta, sigma, gamma), rtol=1e-10, atol=1e-12)
    S, E, I, R = result.T
    return np.sum(I ** 2) + S[-1]


add(peak_infected, 1.2, 0.5, 0.3, notes="rules lists stars", holomorphic=False, orders=1)


def logistic_growth(r, K):
    sol = solve_ivp(lambda t, y: r * y * (1 - y / K), (0.0, 2.0), np.array([0.1, 0.5]), rtol=1e-10, atol=1e-12)
    if not sol.success:
        raise RuntimeError(sol.message)
    return np.sum(sol.y[:, -1] ** 2)


add(logistic_growth, 0.9, 1.4, notes="rules unreached", holomorphic=False, orders=1)

Compartments = namedtuple("Compartments", "S I R", defaults=(0.0,))


def sir_step(state, beta, gamma, dt):
    infected = beta * state.S * state.I * dt
    recovered = gamma * state.I * dt
    return state._replace(S=state.S - infected, I=state.I + infected - recovered, R=state.R + recovered)


def epidemic(beta, gamma):
    state = Compartments(0.95, 0.05)
    history = [state]
    while len(history) < 6:
        history.append(sir_step(history[-1], beta, gamma, dt=0.5))
    return sum(s.I for s in history) + history[-1].R


add(epidemic, 1.1, 0.4, notes="lists objects")


@dataclasses.dataclass
class AgeGroup:
    """One row of a population."""

    name: str
    size: float
    infected: float = 0.01
    contacts: dict = dataclasses.field(default_factory=dict)

    @property
    def prevalence(self):
        return self.infected / self.size


def age_structured(beta, young_old):
    groups = [AgeGroup("young", 0.6), AgeGroup("old", 0.4, infected=0.02)]
    contact = {"young": {"young": 1.0, "old": young_old}, "old": {"young": young_old, "old": 0.5}}
    for _ in range(3):
        pressure = {g.name: sum(contact[g.name][h.name] * h.prevalence for h in groups) for g in groups}
        groups = [dataclasses.replace(g, infected=g.infected + beta * pressure[g.name] * (g.size - g.infected))
                  for g in groups]
    return sum(g.infected for g in groups)


add(age_structured, 0.5, 0.3, notes="objects lists library")


class Particle:
    """Bounces in a box."""

    def __init__(self, pos, vel, mass=1.0):
        self.pos = np.asarray(pos)
        self.vel = np.asarray(vel)
        self.mass = mass
        self.hits = 0

    def accelerate(self, force, dt):
        self.vel = self.vel + force / self.mass * dt

    def move(self, dt, restitution=0.9):
        self.pos = self.pos + self.vel * dt
        below = self.pos < 0
        if below.any():
            self.hits += int(below.sum())
            self.pos = np.where(below, -self.pos, self.pos)
            self.vel = np.where(below, -restitution * self.vel, self.vel)


def bouncing(speed, gravity):
    ball = Particle(np.array([0.3, 0.2]), np.array([0.5, -1.0]) * speed)
    for _ in range(4):
        ball.accelerate(np.array([0.0, -1.0]) * gravity, 0.1)
        ball.move(0.1)
    return ball.pos @ ball.vel + ball.hits


add(bouncing, 0.9, 1.5, notes="objects constants", holomorphic=False)


class Spring:
    """Between two particles."""

    def __init__(self, a, b, stiffness, rest=1.0):
        self.a, self.b = a, b
        self.stiffness, self.rest = stiffness, rest

    def force(self):
        d = self.b.pos - self.a.pos
        length = np.sqrt(d @ d)
        return self.stiffness * (length - self.rest) * d / length


def two_body_spring(stiffness, mass):
    p, q = Particle([0.8, 0.6], np.zeros(2), mass), Particle([0.1, 0.2], np.zeros(2))
    spring = Spring(p, q, stiffness)
    for _ in range(2):
        f = spring.force()
        p.accelerate(f, 0.1)
        q.accelerate(-f, 0.1)
        for body in (p, q):
            body.move(0.0)
    return p.vel @ p.vel + q.vel @ q.vel


add(two_body_spring, 1.3, 0.8, notes="objects", holomorphic=False)


def verlet(pos, old, forces, dt, out=None):
    if out is None:
        out = np.empty_like(pos)
    out[:] = 2 * pos - old + forces * dt ** 2
    return out


def rope(stiffness):
    pos = np.array([[0.0, 0.0], [0.5, 0.1], [1.1, 0.0]])
    old = pos.copy()
    for _ in range(3):
        d = np.diff(pos, axis=0)
        length = np.sqrt((d ** 2).sum(axis=1, keepdims=True))
        tension = stiffness * (length - 0.4) * d / length
        f = np.zeros_like(pos)
        f[:-1] += tension
        f[1:] -= tension
        f[:, 1] -= 1.0
        pos, old = verlet(pos, old, f, 0.1), pos
    return np.sum(pos ** 3)


add(rope, 2.0, notes="ownership")


def flock_middle(positions, velocities, strength):
    velocities -= strength * (positions - positions.mean(axis=0))


def flock_match(positions, velocities, distance, strength):
    sep = positions[:, None, :] - positions[None, :, :]
    near = (sep ** 2).sum(axis=-1) < distance ** 2
    relative = velocities[:, None, :] - velocities[None, :, :]
    relative[~near] = 0
    velocities -= strength * relative.mean(axis=1)


def boids(positions, params):
    positions = positions.copy()
    velocities = np.full_like(positions, 0.1)
    for _ in range(2):
        flock_middle(positions, velocities, params[0])
        flock_match(positions, velocities, 0.9, params[1])
        positions += velocities
    return np.sum(positions ** 2)


add(boids, np.array([[0.0, 0.3], [0.5, -0.2], [1.4, 0.8]]), np.array([0.1, 0.3]), notes="ownership constants")


def heat_step(u, alpha, dx, dt, boundary="periodic"):
    if boundary == "periodic":
        lap = np.roll(u, 1) + np.roll(u, -1) - 2 * u
    elif boundary == "fixed":
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
    else:
        raise NotImplementedError(f"boundary {boundary!r}")
    return u + alpha * dt / dx ** 2 * lap


def heat(u, alpha):
    for kind in ("periodic", "fixed", "periodic"):
        u = heat_step(u, alpha, 0.5, 0.1, boundary=kind)
    return np.sum(u ** 2)


add(heat, V5, 0.7, notes="unreached constants")


def burgers(u, nu, steps=3, dx=0.2, dt=0.02):
    n = len(u)
    right = [(i + 1) % n for i in range(n)]
    left = [(i - 1) % n for i in range(n)]
    for _ in range(steps):
        flux = 0.5 * u ** 2
        u = u - dt / (2 * dx) * (flux[right] - flux[left]) + nu * dt / dx ** 2 * (u[right] - 2 * u + u[left])
    return u


def burgers_energy(u, nu):
    return np.sum(burgers(u, nu) ** 2)


add(burgers_energy, V5, 0.3, notes="constants lists")


def reaction_diffusion(feed, kill):
    u, v = np.ones((3, 3)), np.zeros((3, 3))
    u[1, 1], v[1, 1] = 0.5, 0.25
    lap = lambda z: sum(np.roll(z, s, axis=a) for s, a in itertools.product((1, -1), (0, 1))) - 4 * z
    for _ in range(3):
        uvv = u * v * v
        u += 0.1 * lap(u) - uvv + feed * (1 - u)
        v += 0.05 * lap(v) + uvv - (feed + kill) * v
    return np.sum(u * v)


add(reaction_diffusion, 0.05, 0.06, notes="library ownership")


class Grid(Generic[T]):
    """Cells of anything, with neighbours."""

    def __init__(self, rows: list[list[T]]):
        self.rows = rows

    def __getitem__(self, key):
        i, j = key
        return self.rows[i % len(self.rows)][j % len(self.rows[0])]

    def neighbours(self, i, j):
        return [self[i + di, j + dj] for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0))]


def sandpile(a, b):
    grid = Grid([[a, b, 0.1], [0.3, a * b, 0.2]])
    total = 0.0
    for i in range(2):
        for j in range(3):
            total += (grid[i, j] - sum(grid.neighbours(i, j)) / 4) ** 2
    return total


add(sandpile, A, B, notes="objects lists")


def double_pendulum(state, m=1.0, g=9.8):
    t1, t2, w1, w2 = state
    d = t1 - t2
    den = 3 - math.cos(2 * d)
    a1 = (-3 * g * math.sin(t1) - g * math.sin(t1 - 2 * t2) - 2 * math.sin(d)
          * (w2 ** 2 + w1 ** 2 * math.cos(d))) / den
    a2 = 2 * math.sin(d) * (2 * w1 ** 2 + 2 * g * math.cos(t1) + w2 ** 2 * math.cos(d)) / den
    return [w1, w2, a1 / m, a2 / m]


def euler_list(state, derivative, dt):
    return [s + dt * d for s, d in zip(state, derivative(state), strict=True)]


def chaos(t1, t2):
    state = [t1, t2, 0.0, 0.1]
    for _ in range(4):
        state = euler_list(state, double_pendulum, 0.02)
    return math.cos(state[0]) * state[3]


add(chaos, 0.5, -0.3, notes="lists values")


def harmonic(omega, steps=8):
    """With the Hamiltonian in a closure and its derivatives by differentiation."""
    def hamiltonian(q, p):
        return 0.5 * p ** 2 + 0.5 * omega ** 2 * q ** 2 + 0.1 * q ** 4
    dq, dp = tnb.grad(hamiltonian, wrt=0), tnb.grad(hamiltonian, wrt=1)
    q, p = 0.8, 0.1
    for _ in range(steps):
        p = p - 0.1 * dq(q, p)
        q = q + 0.1 * dp(q, p)
    return q * p


add(harmonic, 1.3, wrt=(0,), notes="inner values", holomorphic=False)


class Potential(Protocol):
    """What gives an energy."""

    def energy(self, x): ...


class Morse:
    """A well."""

    def __init__(self, depth, width):
        self.depth, self.width = depth, width

    def energy(self, x):
        return self.depth * (1 - np.exp(-self.width * (x - 1))) ** 2


def force_of(potential: Potential, x):
    return -tnb.grad(lambda r: potential.energy(r))(x)


def oscillation(depth, width):
    well = Morse(depth, width)
    x, v = 1.2, 0.0
    for _ in range(3):
        v = v + 0.05 * force_of(well, x)
        x = x + 0.05 * v
    return x


add(oscillation, 1.5, 0.9, notes="inner objects", holomorphic=False)


def langevin(x, temperature, seed=5):
    rng = random.Random(seed)
    for _ in range(4):
        x = x - 0.1 * x ** 3 + math.sqrt(0.2 * temperature) * rng.gauss(0.0, 1.0)
    return x * x


add(langevin, 0.7, 0.4, wrt=(0, 1), notes="library")


class Event(Exception):
    """Ends a flight, with where and when."""

    def __init__(self, position, when):
        super().__init__("landed")
        self.position, self.when = position, when


def fly(speed, angle, drag):
    x = y = 0.0
    vx, vy = speed * math.cos(angle), speed * math.sin(angle)
    for k in itertools.count():
        x, y = x + 0.1 * vx, y + 0.1 * vy
        vx, vy = vx - 0.1 * drag * vx, vy - 0.1 * (1.0 + drag * vy)
        if y < 0:
            raise Event(x + vx * y, k)


def landing(speed, angle):
    try:
        fly(speed, angle, 0.2)
    except Event as event:
        return event.position ** 2
    return 0.0


add(landing, 1.0, 0.8, notes="control", holomorphic=False)


@contextmanager
def timed(name):
    start = time.perf_counter()
    try:
        yield
    finally:
        log.debug("%s took %.1f s", name, time.perf_counter() - start)


def profiled(x, n=3, verbose=False):
    with timed("loop") if verbose else nullcontext():
        for k in range(n):
            x = x - 0.1 * np.sin(x) * (k + 1)
    with suppress(ZeroDivisionError):
        x = x / n
    return np.sum(x)


add(profiled, V3, wrt=(0,), notes="control unreached")

STEP_COUNT = 0


def counted_step(x, rate):
    global STEP_COUNT
    STEP_COUNT += 1
    return x + rate * (1 - x)


def relaxation(x, rate):
    for _ in range(3):
        x = counted_step(x, rate)
    return x * x


add(relaxation, 0.4, 0.3, notes="control")


def make_accumulator(start):
    total = start

    def add_up(value):
        nonlocal total
        total = total + value * value
        return total
    return add_up


def accumulated(a, b):
    acc = make_accumulator(a)
    acc(b)
    acc(a * b)
    return acc(0.5) * a


add(accumulated, A, B, notes="control values")


@functools.lru_cache(maxsize=64)
def stencil(order):
    offsets = np.arange(-order, order + 1)
    V = np.vander(offsets, increasing=True).T.astype(float)
    rhs = np.zeros(len(offsets))
    rhs[2] = 2.0
    return np.linalg.solve(V, rhs)


def wave_energy(u, c):
    coefficients = stencil(1)
    accel = c ** 2 * np.convolve(u, coefficients, mode="same")
    return np.sum((u + 0.01 * accel) ** 2)


add(wave_energy, V5, 1.3, notes="control constants")


def trajectory(x, v, steps):
    for _ in range(steps):
        v = v - 0.1 * x
        x = x + 0.1 * v
        yield x, v


def action(x, v):
    total = 0.0
    for q, p in trajectory(x, v, 4):
        total += 0.5 * p * p - 0.5 * q * q
    return total


add(action, A, B, notes="control")


def collision_groups(positions, radius):
    grid = defaultdict(list)
    for k, p in enumerate(positions):
        grid[tuple((p // radius).astype(int))].append(k)
    return {cell: members for cell, members in grid.items() if len(members) > 1}


def overlap_penalty(positions, radius):
    total = 0.0
    for members in collision_groups(positions, 1.0).values():
        for i, j in itertools.combinations(members, 2):
            gap = np.linalg.norm(positions[i] - positions[j])
            total = total + np.maximum(radius - gap, 0.0) ** 2
    return total


add(overlap_penalty, np.array([[0.1, 0.2], [0.4, 0.5], [1.3, 0.4], [0.6, 0.1]]), 0.8, notes="constants lists library",
    holomorphic=False)


class World:
    """Everything of a game, advanced by ticks."""

    gravity = -1.0

    def __init__(self, *bodies, dt=0.1, **settings):
        self.bodies = bodies
        self.dt = dt
        self.settings = {"drag": 0.0} | settings
        self.time = 0.0

    def tick(self):
        drag = self.settings["drag"]
        for body in self.bodies:
            body.vel = body.vel + self.dt * (np.array([0.0, self.gravity]) - drag * body.vel)
            body.pos = body.pos + self.dt * body.vel
        self.time += self.dt

    def energy(self):
        return sum(0.5 * b.mass * (b.vel @ b.vel) - self.gravity * b.mass * b.pos[1] for b in self.bodies)


def game(drag, mass):
    world = World(Particle(V2, V2, mass), Particle(-V2, np.ones(2)), drag=drag)
    for _ in range(3):
        world.tick()
    return world.energy() * world.time


add(game, 0.2, 1.4, notes="objects stars")


def snapshots(x, rate):
    states = []
    current = {"x": x, "age": 0}
    for _ in range(3):
        current["x"] = current["x"] * (1 - rate)
        current["age"] += 1
        states.append(copy.deepcopy(current))
    return sum(s["x"] * s["age"] for s in states)


add(snapshots, 0.9, 0.2, notes="library lists")


def fixed_point(g, x0, tol=1e-14, maxiter=200, callback=None):
    x = x0
    for k in range(maxiter):
        new = g(x)
        if callback is not None:
            callback(k, new)
        if np.max(np.abs(new - x)) < tol:
            return new
        x = new
    warnings.warn("fixed_point did not converge", RuntimeWarning, stacklevel=2)
    return x


def equilibrium(w, b):
    h = fixed_point(lambda h: np.tanh(0.3 * w @ h + b), np.zeros(3))
    return np.sum(h ** 2)


add(equilibrium, M33, W3, notes="values unreached", orders=1, holomorphic=False)


def safe_ratio(a, b):
    try:
        if b == 0:
            raise ZeroDivisionError(f"{a} / {b}")
        return a / b
    except ZeroDivisionError:
        log.exception("replaced")
        return 0.0
    finally:
        log.debug("done")


def reproduction_number(beta, gamma):
    return safe_ratio(beta, gamma) * safe_ratio(beta ** 2, 1 + gamma)


add(reproduction_number, 0.8, 0.3, notes="control unreached")


def stacked_contexts(x, factor):
    with ExitStack() as stack:
        stack.callback(log.debug, "closed")
        y = x * factor
        y = np.sin(y) * x
    return np.sum(y)


add(stacked_contexts, V3, 0.9, notes="control")


def markov_reward(policy, discount, states=typing.get_args(typing.Literal["cold", "warm", "hot"])):
    probs = np.exp(policy) / np.sum(np.exp(policy), axis=1, keepdims=True)
    rewards = np.array([len(s) * 0.1 for s in states])
    return np.linalg.solve(np.eye(len(states)) - discount * probs, rewards)[0]


add(markov_reward, M33, 0.8, wrt=(0, 1), notes="library constants")


def levels(x):
    return x[0] * P3[0] + V4[1] * x[1]


add(levels, V2, notes="constants")
