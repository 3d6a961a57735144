"""Test functions, line searches, penalties and bilevel problems; functions of functions."""
from __future__ import annotations

import abc
import copy
import functools
import inspect
import itertools
import math
import numbers
import operator
import types
import warnings
from dataclasses import asdict, dataclass, field, fields

import numpy as np
from corpus import M33, P3, V2, V3, V4, V5, W3, A, B, add, section
from scipy import optimize

import tangent_nb as tnb

section("real_optimisation")


class BenchFunc(abc.ABC):
    """Name, bounds, dimension; children evaluate."""

    bounds = (-5.0, 5.0)

    def __init__(self, dim=None):
        if dim is not None and not isinstance(dim, numbers.Integral):
            raise TypeError(f"dim must be an integer, not {type(dim).__name__}")
        if dim is not None and dim <= 0:
            raise ValueError("dim must be positive")
        self.dim = dim
        self.evaluations = 0

    def __call__(self, x):
        if self.dim is not None and len(x) != self.dim:
            raise ValueError(f"{type(self).__name__} has {self.dim} dimensions, {len(x)} given")
        self.evaluations += 1
        return self._evaluate(x)

    @abc.abstractmethod
    def _evaluate(self, x):
        ...


class Rastrigin(BenchFunc):
    """Many valleys."""

    bounds = (-5.12, 5.12)

    def __init__(self, dim, A=10.0):
        super().__init__(dim)
        self.A = A

    def _evaluate(self, x):
        return self.A * self.dim + np.sum(x ** 2 - self.A * np.cos(2 * np.pi * x))


class Ackley(BenchFunc):
    """One funnel."""

    a, b, c = 20.0, 0.2, 2 * np.pi

    def _evaluate(self, x):
        n = x.size
        return (-self.a * np.exp(-self.b * np.sqrt(np.sum(x ** 2) / n)) - np.exp(np.sum(np.cos(self.c * x)) / n)
                + self.a + np.e)


def rastrigin_value(x, height):
    return Rastrigin(3, A=height)(x)


add(rastrigin_value, V3, 8.0, notes="objects unreached values")


def suite(x):
    functions = [Rastrigin(3), Ackley(), Ackley(dim=3)]
    total = 0.0
    for fn in functions:
        total = total + fn(x) / (1 + fn.evaluations)
    return total


add(suite, V3, notes="objects unreached values")


def rosenbrock(x, a=1, b=100):
    x = np.asarray_chkfinite(x)
    return sum(b * (x[1:] - x[:-1] ** 2) ** 2 + (a - x[:-1]) ** 2)


add(rosenbrock, V4, wrt=(0,), notes="library")


def griewank(x):
    i = np.arange(1, x.shape[-1] + 1)
    return np.sum(x ** 2) / 4000 - np.prod(np.cos(x / np.sqrt(i))) + 1


add(griewank, V5, notes="constants")


def levy(x):
    w = [1 + (xi - 1) / 4 for xi in x]
    first = math.sin(math.pi * w[0]) ** 2
    middle = sum((wi - 1) ** 2 * (1 + 10 * math.sin(math.pi * wi + 1) ** 2) for wi in w[:-1])
    return first + middle + (w[-1] - 1) ** 2 * (1 + math.sin(2 * math.pi * w[-1]) ** 2)


add(levy, V4, notes="lists")


def himmelblau(p):
    x, y = p
    return (x ** 2 + y - 11) ** 2 + (x + y ** 2 - 7) ** 2


def beale(p):
    x, y = p
    return functools.reduce(operator.add, ((c - x + x * y ** k) ** 2 for k, c in enumerate((1.5, 2.25, 2.625), 1)))


PROBLEMS = {f.__name__: f for f in (himmelblau, beale)}


def named_problem(p, name="beale"):
    if name not in PROBLEMS:
        raise KeyError(f"{name} is none of {sorted(PROBLEMS)}")
    return PROBLEMS[name](p)


add(named_problem, V2, wrt=(0,), notes="values unreached library lists")


def shifted(shift, scale=1.0):
    def decorator(fn):
        @functools.wraps(fn)
        def wrapper(x, *args, **kwargs):
            return fn((x - shift) / scale, *args, **kwargs)
        return wrapper
    return decorator


@shifted(0.5, scale=2.0)
def quartic(x, power=4, *, offset=0.0):
    return np.sum(x ** power) + offset


def decorated_problem(x, c):
    return quartic(x) + quartic(x, 2, offset=c)


add(decorated_problem, V3, 0.3, notes="stars values library")


def gradient_descent(fn, x, rate=0.05, steps=3, projection=None):
    g = tnb.grad(fn)
    for _ in range(steps):
        x = x - rate * g(x)
        if projection:
            x = projection(x)
    return x


def descended(x):
    end = gradient_descent(beale, x)
    return np.sum(end ** 2)


add(descended, V2, notes="inner values", holomorphic=False)


def projected(x):
    def box(v):
        return np.clip(v, -1.0, 1.0)
    end = gradient_descent(himmelblau, x, rate=0.01, projection=box)
    return end[0] * end[1]


add(projected, np.array([0.3, -0.4]), notes="inner values", holomorphic=False)


def newton_minimise(theta, steps=2):
    def objective(x):
        return np.sum(np.cosh(x - theta)) + 0.1 * np.sum(x) ** 2
    x = np.zeros(2)
    for _ in range(steps):
        x = x - np.linalg.solve(tnb.hessian(objective)(x), tnb.grad(objective)(x))
    return x


def argmin_sum(theta):
    return np.sum(newton_minimise(theta) ** 2)


add(argmin_sum, V2, notes="inner", holomorphic=False)


def newton_scalar(f, x, n=4):
    df = tnb.grad(f)
    for _ in range(n):
        x = x - f(x) / df(x)
    return x


def cube(x):
    return x ** 3 - 2.0


def root_scaled(x0):
    return newton_scalar(cube, x0, n=2) ** 2


add(root_scaled, 1.5, notes="inner values", holomorphic=False)


def armijo(f, x, g, start=1.0, shrink=0.5, c=1e-4):
    t = start
    fx = f(x)
    descent = np.dot(g, g)
    for tries in range(30):
        if f(x - t * g) <= fx - c * t * descent:
            return t, tries
        t *= shrink
    raise RuntimeError(f"line search failed after {tries} trials")


def searched(x):
    def f(x):
        return np.sum(x ** 4) + np.sum(x ** 2)
    g = 4 * x ** 3 + 2 * x
    t, tries = armijo(f, x, g)
    return f(x - t * g) + tries


add(searched, V3, notes="unreached values", holomorphic=False)


@dataclass
class OptimizeResult:
    """What a solver gives back."""

    x: np.ndarray
    fun: float
    nit: int = 0
    message: str = ""
    history: list = field(default_factory=list)

    def __getitem__(self, key):
        return getattr(self, key)


def minimise(fun, x0, jac, *, maxiter=3, rate=0.1, callback=None):
    result = OptimizeResult(x0, fun(x0))
    for k in range(maxiter):
        result.x = result.x - rate * jac(result.x)
        result.fun = fun(result.x)
        result.nit = k + 1
        result.history.append(result.fun)
        if callback:
            callback(copy.copy(result))
    result.message = "done" if result.nit else "nothing to do"
    return result


def solver_result(x, rate):
    res = minimise(lambda v: np.sum(v ** 4), x, lambda v: 4 * v ** 3, rate=rate)
    return res["fun"] + sum(res.history) + res.nit


add(solver_result, V3, 0.05, notes="objects values lists")


@dataclass(frozen=True)
class Config:
    """Weights of a loss."""

    smooth: float = 0.1
    sparse: float = 0.01
    barrier: float = 0.05

    def __post_init__(self):
        for f in fields(self):
            if getattr(self, f.name) < 0:
                raise ValueError(f"{f.name} is negative")


def penalised(x, smooth):
    cfg = Config(smooth=smooth)
    terms = {
        "smooth": np.sum(np.diff(x) ** 2),
        "sparse": np.sum(np.sqrt(x ** 2 + 1e-3)),
        "barrier": -np.sum(np.log(2 - x)),
    }
    weights = asdict(cfg)
    return sum(weights[k] * v for k, v in terms.items())


add(penalised, V5, 0.3, notes="objects library lists unreached")


def augmented_lagrangian(x, multiplier, rho):
    def constraint(x):
        return np.sum(x ** 2) - 1
    lam = multiplier
    for _ in range(2):
        c = constraint(x)
        g = 2 * x - 1 + (lam + rho * c) * 2 * x
        x = x - 0.05 * g
        lam = lam + rho * constraint(x)
    return np.sum((x - 0.5) ** 2) + lam * constraint(x)


add(augmented_lagrangian, V3, 0.2, 1.5, notes="control")


def bfgs_update(H, s, y):
    rho = 1 / (y @ s)
    I = np.eye(len(s))
    V = I - rho * np.outer(s, y)
    return V @ H @ V.T + rho * np.outer(s, s)


def quasi_newton(x, target):
    grad = lambda v: np.sinh(v - target)
    H, g = np.eye(x.size), grad(x)
    for k in range(3):
        new = x - 0.8 * H @ g
        gn = grad(new)
        if (gn - g) @ (new - x) <= 0:
            warnings.warn(f"curvature condition fails in step {k}")
            break
        H = bfgs_update(H, new - x, gn - g)
        x, g = new, gn
    return np.sum(x ** 2)


add(quasi_newton, V3, W3, notes="unreached values")


def conjugate_gradient(A_, b, x=None, iterations=2):
    x = np.zeros_like(b) if x is None else x
    r = b - A_ @ x
    p = r
    rs = r @ r
    for _ in range(iterations):
        Ap = A_ @ p
        alpha = rs / (p @ Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        rs, beta = r @ r, (r @ r) / rs
        p = r + beta * p
    return x


def cg_quadratic(b, shift):
    spd = M33 @ M33.T + shift * np.eye(3)
    x = conjugate_gradient(spd, b)
    return 0.5 * x @ spd @ x - b @ x


add(cg_quadratic, V3, 0.8, notes="control")


def golden(f, a, b, n=60):
    phi = (math.sqrt(5) - 1) / 2
    c, d = b - phi * (b - a), a + phi * (b - a)
    for _ in range(n):
        if f(c) < f(d):
            b, d = d, c
            c = b - phi * (b - a)
        else:
            a, c = c, d
            d = a + phi * (b - a)
    return (a + b) / 2


def golden_value(p):
    """The minimum is found by comparisons: its value moves, the place is a constant of the interval."""
    x = golden(lambda t: (t - 0.3) ** 2 + 0.1 * t, 0.0, 1.0)
    return (x - p) ** 2 + p


add(golden_value, 0.7, notes="values control")


def implicit_minimum(theta):
    sol = optimize.minimize(lambda x: (x[0] - theta) ** 2 + 0.1 * x[0] ** 4, np.array([0.1]), method="BFGS",
                            options={"gtol": 1e-12})
    return sol.x[0] ** 2


add(implicit_minimum, 0.8, notes="rules values", holomorphic=False, orders=1, tol=1e-6)


def implicit_root(a, b):
    res = optimize.root(lambda x: np.array([x[0] ** 2 + a * x[1] - 1, x[1] - b * np.cos(x[0])]), np.array([0.5, 0.5]),
                        tol=1e-13)
    assert res.success, res.message
    return np.sum(res.x ** 2)


add(implicit_root, 0.3, 0.6, notes="rules unreached", holomorphic=False, orders=1)


def assignment_cost(costs):
    best = min(itertools.permutations(range(3)), key=lambda p: sum(M33[i, j] for i, j in enumerate(p)))
    return sum(costs[i, j] ** 2 for i, j in enumerate(best))


add(assignment_cost, M33.T.copy(), notes="library constants")


def knapsack_relaxed(values, budget):
    sizes = [1, 2, 3, 2]
    order = sorted(range(len(sizes)), key=lambda k: -sizes[k])
    total, left = 0.0, budget
    for k in order:
        if left <= 0:
            break
        share = min(1.0, left / sizes[k])
        total += share * values[k]
        left -= share * sizes[k]
    return total


add(knapsack_relaxed, V4, 4.5, notes="lists constants", holomorphic=False)


def softmin_path(costs, gamma):
    """A dynamic programme with soft minima."""
    n, m = costs.shape
    R = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i, j in itertools.product(range(n), range(m)):
        if i == j == 0:
            R[1][1] = costs[0, 0]
            continue
        candidates = [R[a][b] for a, b in ((i, j + 1), (i + 1, j), (i, j)) if a > 0 and b > 0]
        R[i + 1][j + 1] = costs[i, j] - gamma * np.log(sum(np.exp(-c / gamma) for c in candidates))
    return R[n][m]


add(softmin_path, M33 ** 2, 0.5, notes="lists library")


def sinkhorn(costs, eps, rounds=4):
    K = np.exp(-costs / eps)
    n, m = K.shape
    r, c = np.full(n, 1 / n), np.full(m, 1 / m)
    v = np.ones(m)
    for _ in range(rounds):
        u = r / (K @ v)
        v = c / (K.T @ u)
    plan = u[:, None] * K * v
    return np.sum(plan * costs)


add(sinkhorn, M33 ** 2, 0.7, wrt=(0, 1), notes="constants")


class Parameter:
    """A leaf with a name and a transform."""

    def __init__(self, value, name=None, positive=False):
        self._value = value
        self.name = name
        self.positive = positive

    @property
    def value(self):
        return np.exp(self._value) if self.positive else self._value

    def __repr__(self):
        return f"Parameter({self.name})"


class Model:
    """Finds its parameters by asking its attributes."""

    def __init__(self, slope, width):
        self.slope = Parameter(slope, "slope")
        self.width = Parameter(width, "width", positive=True)
        self.title = "a model"

    def loss(self, x):
        return np.sum((self.slope.value * x) ** 2) / self.width.value + np.log(self.width.value)


def transformed(slope, width):
    model = Model(slope, width)
    return model.loss(V3) + 0.1 * model.slope.value ** 2


add(transformed, A, B, notes="objects")


def parameter_sum(slope, width):
    model = Model(slope, width)
    return sum(p.value ** 2 for p in vars(model).values() if isinstance(p, Parameter))


add(parameter_sum, A, B, notes="objects library")

MATH = types.SimpleNamespace(np=np, math=math)


def backend_loss(x, backend=math):
    xp = backend
    return xp.exp(-x * x) * xp.cos(x)


def both_backends(x):
    return backend_loss(x) * backend_loss(x, backend=np) + MATH.np.sin(x)


add(both_backends, A, notes="values")


def partial_problem(x, y):
    fixed = functools.partial(quartic, power=2)
    fns = [fixed, functools.partial(fixed, offset=y), quartic]
    return sum(f(x * k) for k, f in enumerate(fns, start=1))


add(partial_problem, V3, 0.4, notes="values stars library")


def compose(*fns):
    return functools.reduce(lambda f, g: lambda x: g(f(x)), fns)


def composed(x):
    chain = compose(np.sin, np.square, lambda t: t + 1, np.sqrt)
    return np.sum(chain(x))


add(composed, V3, notes="values stars library")


def vectorised_hinge(x, knot):
    hinge = np.vectorize(lambda v: v - knot if v > knot else 0.1 * v)
    return np.sum(hinge(x) ** 2)


add(vectorised_hinge, V5, 0.1, notes="library", holomorphic=False)


def table_loss(a, b):
    grid = np.fromfunction(lambda i, j: a * i + b * j * i, (3, 2))
    return np.sum(np.tanh(grid))


add(table_loss, A, B, notes="library")


def row_losses(m, scale):
    norms = np.apply_along_axis(lambda row: scale * np.log1p(np.sum(row ** 2)), 1, m)
    return np.sum(norms ** 2)


add(row_losses, M33, 0.7, notes="library")


def sorted_by_attrgetter(a, b):
    points = [types.SimpleNamespace(cost=a * a, weight=1.0), types.SimpleNamespace(cost=b * b, weight=0.5)]
    costs = list(map(operator.attrgetter("cost"), points))
    return sum(c * p.weight for c, p in zip(costs, points))


add(sorted_by_attrgetter, A, B, notes="library objects")


def starmapped(xs, ys):
    return sum(itertools.starmap(lambda p, q: p * q * q, zip(xs, ys))) + max(filter(lambda v: v < 1.0, xs))


add(starmapped, V3, W3, notes="library", holomorphic=False)


def optional_jacobian(x, problem=beale):
    jac = getattr(problem, "jacobian", None)
    value = problem(x)
    if jac is not None:
        return value + np.sum(jac(x))
    if hasattr(problem, "__name__") and inspect.isfunction(problem):
        return value * 2.0
    return value


add(optional_jacobian, V2, wrt=(0,), notes="library unreached values")


def scale_rows(matrix, factors):
    for row, factor in zip(matrix, factors):
        row *= factor
    return matrix


def preconditioned(m, f):
    fresh = scale_rows(m.copy(), f)
    fresh = scale_rows(fresh, f)
    return np.sum(fresh @ m)


add(preconditioned, M33, P3, notes="ownership")


def swap_and_scale(buffer, i, j):
    buffer[[i, j]] = buffer[[j, i]]
    buffer[i:j] *= 2.0
    return buffer


def shuffled(x):
    work = swap_and_scale(np.array(x, copy=True), 0, 2)
    return np.sum(work * swap_and_scale(work.copy(), 1, 2))


add(shuffled, V3, notes="ownership")


def gauss_eliminate(matrix, rhs):
    a, b = matrix.astype(float).copy(), rhs.copy()
    n = len(b)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(a[k:, k])))
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
            b[[k, pivot]] = b[[pivot, k]]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in reversed(range(n)):
        x[i] = (b[i] - a[i, i + 1:] @ x[i + 1:]) / a[i, i]
    return x


def eliminated(m, v):
    return np.sum(gauss_eliminate(m, v) ** 2)


add(eliminated, M33, V3, notes="ownership constants", holomorphic=False)


def accumulate_into(target, updates, rate=0.5):
    target += rate * updates
    np.add.at(target, [0, 0, 1], updates[:3])
    return target


def scattered(x):
    return np.sum(accumulate_into(np.zeros(3), x) ** 2 * accumulate_into(x * 1.0, x))


add(scattered, V3, notes="ownership")


def insertion_sort(values):
    for i in range(1, len(values)):
        j = i
        while j > 0 and values[j - 1] > values[j]:
            values[j - 1], values[j] = values[j], values[j - 1]
            j -= 1
    return values


def ordered_weights(x):
    ordered = insertion_sort([v * v for v in x])
    return sum(v * k for k, v in enumerate(ordered))


add(ordered_weights, V4, notes="ownership lists")
