"""Filters, controllers and robots: state that is carried along, matrices that are made by helpers."""
from __future__ import annotations

import collections
import copy
import enum
import functools
import logging
import math
import warnings
from typing import Any, NamedTuple

import numpy as np
from corpus import M33, P3, V2, V3, V4, V5, W3, A, B, C, add, section
from numpy import dot, eye, zeros
from numpy.linalg import inv

import tangent_nb as tnb

section("real_estimation")

logger = logging.getLogger("estimation")
ZS = np.array([0.3, 0.8, 1.1, 1.9])


class KalmanFilter(object):
    """In the manner of textbooks: everything is an attribute."""

    def __init__(self, dim_x, dim_z, dim_u=0):
        if dim_x < 1:
            raise ValueError("dim_x must be 1 or greater")
        if dim_z < 1:
            raise ValueError("dim_z must be 1 or greater")
        self.dim_x = dim_x
        self.x = zeros(dim_x)
        self.P = eye(dim_x)
        self.Q = eye(dim_x)
        self.F = eye(dim_x)
        self.H = zeros((dim_z, dim_x))
        self.R = eye(dim_z)
        self.K = None
        self.y = None
        self.log_likelihood = 0.0
        self._I = eye(dim_x)

    def predict(self):
        self.x = dot(self.F, self.x)
        self.P = dot(self.F, self.P).dot(self.F.T) + self.Q

    def update(self, z):
        if z is None:
            return
        self.y = z - dot(self.H, self.x)
        pht = dot(self.P, self.H.T)
        S = dot(self.H, pht) + self.R
        self.K = pht.dot(inv(S))
        self.x = self.x + dot(self.K, self.y)
        ikh = self._I - dot(self.K, self.H)
        self.P = dot(dot(ikh, self.P), ikh.T) + dot(dot(self.K, self.R), self.K.T)
        self.log_likelihood += -0.5 * (self.y @ inv(S) @ self.y + np.log(np.linalg.det(2 * np.pi * S)))


def tracker(q, r, dt):
    kf = KalmanFilter(dim_x=2, dim_z=1)
    kf.F = np.array([[1.0, dt], [0.0, 1.0]])
    kf.H = np.array([[1.0, 0.0]])
    kf.Q = q * np.array([[dt ** 4 / 4, dt ** 3 / 2], [dt ** 3 / 2, dt ** 2]])
    kf.R *= r
    for z in ZS:
        kf.predict()
        kf.update(np.array([z]))
    return kf.log_likelihood


add(tracker, 0.4, 0.5, 0.3, notes="objects unreached ownership")


class EKF:
    """With the Jacobian by differentiation."""

    def __init__(self, x0, P0, f, h, Q, R):
        self.x, self.P = x0.copy(), P0.copy()
        self.f, self.h = f, h
        self.Q, self.R = Q, R

    def step(self, z):
        F = tnb.jacobian(self.f)(self.x)
        self.x = self.f(self.x)
        self.P = F @ self.P @ F.T + self.Q
        H = tnb.grad(self.h)(self.x)
        s = H @ self.P @ H + self.R
        k = self.P @ H / s
        self.x = self.x + k * (z - self.h(self.x))
        self.P = self.P - np.outer(k, H @ self.P)


def pendulum(x):
    return np.array([x[0] + 0.1 * x[1], x[1] - 0.1 * np.sin(x[0])])


def height(x):
    return np.cos(x[0]) + 0.1 * x[1] ** 2


def ekf_estimate(x0, r):
    ekf = EKF(x0, np.eye(2), pendulum, height, 0.01 * np.eye(2), r)
    for z in (0.9, 0.7):
        ekf.step(z)
    return ekf.x[0] * ekf.x[1] + ekf.P[0, 1]


add(ekf_estimate, V2, 0.2, notes="inner objects values", holomorphic=False)


def sigma_points(x, P, kappa=1.0):
    n = x.size
    root = np.linalg.cholesky((n + kappa) * P)
    points = [x]
    for k in range(n):
        points.append(x + root[:, k])
        points.append(x - root[:, k])
    weights = np.full(2 * n + 1, 0.5 / (n + kappa))
    weights[0] = kappa / (n + kappa)
    return np.array(points), weights


def unscented_mean(x, scale):
    pts, w = sigma_points(x, scale * (np.eye(2) + 0.2))
    moved = np.apply_along_axis(pendulum, 1, pts)
    mean = w @ moved
    centred = moved - mean
    return np.sum(centred.T * w @ centred) + mean[0]


add(unscented_mean, V2, 0.3, notes="library lists constants")


class PID:
    """A controller with limits on its integral."""

    def __init__(self, kp, ki=0.0, kd=0.0, *, limits=(-np.inf, np.inf), dt=0.1):
        assert dt > 0, f"dt is {dt}"
        self.kp, self.ki, self.kd = kp, ki, kd
        self.low, self.high = limits
        self.dt = dt
        self.reset()

    def reset(self):
        self.integral = 0.0
        self.last_error = None

    def __call__(self, error):
        self.integral += error * self.dt
        if self.integral > self.high:
            self.integral = self.high
        elif self.integral < self.low:
            self.integral = self.low
        slope = 0.0 if self.last_error is None else (error - self.last_error) / self.dt
        self.last_error = error
        return self.kp * error + self.ki * self.integral + self.kd * slope


def closed_loop(kp, ki, kd):
    pid = PID(kp, ki, kd, limits=(-0.15, 0.15))
    y = v = cost = 0.0
    for _ in range(6):
        u = pid(1.0 - y)
        v += pid.dt * (u - 0.5 * v)
        y += pid.dt * v
        cost += (1.0 - y) ** 2 + 0.01 * u ** 2
    return cost


add(closed_loop, 1.5, 0.4, 0.2, notes="objects unreached values")


class SaturatedPID(PID):
    """The output is bounded smoothly."""

    bound = 2.0

    def __call__(self, error):
        raw = super().__call__(error)
        return self.bound * np.tanh(raw / self.bound)


def closed_loop_saturated(kp, ki):
    pid = SaturatedPID(kp, ki, dt=0.2)
    y = 0.0
    history = []
    for k in range(5):
        y = y + 0.2 * (pid(np.sin(k) - y) - y)
        history.append(y)
    return np.sum(np.square(history))


add(closed_loop_saturated, 1.8, 0.7, notes="objects lists values")


def dh_matrix(theta, d, a, alpha):
    ct, st = np.cos(theta), np.sin(theta)
    ca, sa = np.cos(alpha), np.sin(alpha)
    return np.array([
        [ct, -st * ca, st * sa, a * ct],
        [st, ct * ca, -ct * sa, a * st],
        [0.0, sa, ca, d],
        [0.0, 0.0, 0.0, 1.0],
    ])


class Link(NamedTuple):
    """One row of a table."""

    d: float
    a: float
    alpha: float
    prismatic: bool = False


ARM = [Link(0.3, 0.0, np.pi / 2), Link(0.0, 0.8, 0.0), Link(d=0.1, a=0.6, alpha=-0.3)]


def forward_kinematics(q, links=ARM):
    if len(q) != len(links):
        raise ValueError(f"{len(q)} joints given, {len(links)} expected")
    T = np.eye(4)
    for angle, link in zip(q, links):
        T = T @ dh_matrix(angle, link.d, link.a, link.alpha)
    return T


def reach_error(q, target):
    position = forward_kinematics(q)[:3, 3]
    return np.linalg.norm(position - target) ** 2


add(reach_error, V3, np.array([0.9, 0.4, 0.5]), notes="unreached lists", holomorphic=False)


def inverse_kinematics(q, target, iterations=3, damping=0.1):
    for _ in range(iterations):
        def position(q):
            return forward_kinematics(q)[:3, 3]
        J = tnb.jacobian(position)(q)
        error = target - position(q)
        q = q + J.T @ np.linalg.solve(J @ J.T + damping * np.eye(3), error)
    return q


def ik_solution(target):
    return np.sum(inverse_kinematics(np.array([0.3, 0.4, -0.5]), target) ** 2)


add(ik_solution, np.array([0.9, 0.4, 0.5]), notes="inner", holomorphic=False)


class Quaternion:
    """With operators."""

    __slots__ = ("w", "v")

    def __init__(self, w, v):
        self.w = w
        self.v = v

    @classmethod
    def from_axis_angle(cls, axis, angle):
        return cls(np.cos(angle / 2), np.sin(angle / 2) * axis)

    @property
    def conjugate(self):
        return Quaternion(self.w, -self.v)

    def __mul__(self, other):
        if isinstance(other, Quaternion):
            return Quaternion(self.w * other.w - self.v @ other.v,
                              self.w * other.v + other.w * self.v + np.cross(self.v, other.v))
        return Quaternion(self.w * other, self.v * other)

    def rotate(self, p):
        return (self * Quaternion(0.0, p) * self.conjugate).v


def rotated_point(axis, angle, p):
    axis = axis / np.sqrt(axis @ axis)
    q = Quaternion.from_axis_angle(axis, angle)
    return q.rotate((q * q).rotate(p))


add(rotated_point, V3, 0.7, W3, notes="objects library")


def skew(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def exp_so3(w):
    theta = np.sqrt(w @ w)
    if theta < 1e-8:
        return np.eye(3) + skew(w)
    K = skew(w / theta)
    return np.eye(3) + np.sin(theta) * K + (1 - np.cos(theta)) * K @ K


def attitude_error(w, b):
    R = functools.reduce(np.matmul, (exp_so3(s * w) for s in (1.0, -0.5, 0.3)))
    return np.trace(R @ skew(b)) + R[0, 1]


add(attitude_error, V3, W3, notes="library control")


class Mode(enum.IntEnum):
    """Of a vehicle."""

    CRUISE = 0
    BRAKE = 1
    TURN = 2


def vehicle_input(mode, gains):
    table = {
        Mode.CRUISE: lambda s: gains[0] * (1.0 - s[3]),
        Mode.BRAKE: lambda s: -gains[1] * s[3],
        Mode.TURN: lambda s: gains[2] * np.cos(s[2]),
    }
    return table[mode]


def bicycle(state, accel, steer, dt=0.1, wheelbase=0.5):
    x, y, yaw, v = state
    return np.array([x + v * np.cos(yaw) * dt, y + v * np.sin(yaw) * dt, yaw + v / wheelbase * np.tan(steer) * dt,
                     v + accel * dt])


def drive(gains, steer):
    state = np.array([0.0, 0.1, 0.2, 0.5])
    for mode in (Mode.CRUISE, Mode.TURN, Mode.CRUISE, Mode.BRAKE):
        accel = vehicle_input(mode, gains)(state)
        state = bicycle(state, accel, steer)
    return np.sum(state ** 2)


add(drive, P3, 0.2, notes="values lists")


def riccati_iteration(A_, B_, Q, R, steps=5):
    P = Q
    for _ in range(steps):
        K = np.linalg.solve(R + B_.T @ P @ B_, B_.T @ P @ A_)
        P = Q + A_.T @ P @ (A_ - B_ @ K)
    return P, K


def lqr_cost(dt, weight):
    system = {"A_": np.array([[1.0, dt], [0.0, 1.0]]), "B_": np.array([[0.5 * dt * dt], [dt]])}
    P, K = riccati_iteration(**system, Q=np.diag([1.0, 0.1]), R=weight * np.eye(1))
    return np.trace(P) + K[0, 1]


add(lqr_cost, 0.3, 0.5, notes="stars")


class StateSpace:
    """Holds matrices; composes with others."""

    def __init__(self, A, B, C):
        self.A, self.B, self.C = np.atleast_2d(A), np.atleast_2d(B), np.atleast_2d(C)
        n = self.A.shape[0]
        if self.A.shape != (n, n):
            raise ValueError(f"A must be square, is {self.A.shape}")
        self.order = n

    def __matmul__(self, other):
        top = np.hstack([other.A, np.zeros((other.order, self.order))])
        low = np.hstack([self.B @ other.C, self.A])
        return StateSpace(np.vstack([top, low]), np.vstack([other.B, np.zeros((self.order, 1))]),
                          np.hstack([np.zeros((1, other.order)), self.C]))

    def impulse(self, n):
        x = self.B
        out = []
        for _ in range(n):
            out.append((self.C @ x).item() if False else (self.C @ x)[0, 0])
            x = self.A @ x
        return out


def series_response(a, b):
    first = StateSpace([[a]], [[1.0]], [[0.7]])
    second = StateSpace(np.array([[0.5, b], [-b, 0.5]]), [[1.0], [0.0]], [[0.3, 0.9]])
    return sum(h * h for h in (second @ first).impulse(5))


add(series_response, 0.6, 0.4, notes="objects constants unreached lists")


def bode_gain(num, den, omega=(0.1, 1.0, 10.0)):
    s = 1j * np.asarray(omega)
    h = np.polyval(num, s) / np.polyval(den, s)
    return 20 * np.log10(np.abs(h))


def gain_margin(num, den):
    return np.sum(bode_gain(num, den) * V3)


add(gain_margin, np.array([1.0, 0.5]), np.array([1.0, 0.4, 2.0]), notes="constants", holomorphic=False)


class ParticleFilter:
    """Weights in log space; draws are given."""

    def __init__(self, particles, seed=0):
        self.particles = particles
        self.logw = np.zeros(len(particles))
        self.rng = np.random.default_rng(seed)
        self.resampled = 0

    def move(self, drift, noise):
        self.particles = self.particles + drift + noise * self.rng.normal(size=self.particles.shape)

    def weigh(self, z, sigma):
        self.logw = self.logw - 0.5 * ((z - self.particles) / sigma) ** 2 - np.log(sigma)
        self.logw = self.logw - np.max(self.logw)

    @property
    def weights(self):
        w = np.exp(self.logw)
        return w / w.sum()

    def neff(self):
        return 1.0 / np.sum(self.weights ** 2)


def particle_mean(drift, sigma):
    pf = ParticleFilter(np.linspace(-1, 1, 7))
    for z in ZS[:3]:
        pf.move(drift, 0.05)
        pf.weigh(z, sigma)
        if pf.neff() < 1.0:
            pf.resampled += 1
            logger.info("resampling (%d)", pf.resampled)
    return pf.weights @ pf.particles


add(particle_mean, 0.4, 0.6, notes="objects unreached", holomorphic=False)


def allan_variance(rate, tau):
    theta = np.cumsum(rate)
    m = int(round(tau))
    d = theta[2 * m:] - 2 * theta[m:-m] + theta[:-2 * m]
    return np.sum(d ** 2) / (2 * m ** 2 * len(d))


add(allan_variance, np.array([0.3, -0.2, 0.5, 0.1, -0.4, 0.6, 0.2]), 2.0, wrt=(0,), notes="constants")


def complementary(gyro, acc, alpha=0.9, dt=0.1):
    angle = acc[0]
    out = np.empty_like(acc)
    for k, (g, a) in enumerate(zip(gyro, acc, strict=True)):
        angle = alpha * (angle + g * dt) + (1 - alpha) * a
        out[k] = angle
    return out


def tilt_estimate(gyro, acc):
    return np.sum(complementary(gyro, acc) ** 3)


add(tilt_estimate, V5, V5[::-1].copy(), notes="lists")


def unpack_state(state, **sizes):
    parts, start = {}, 0
    for name, size in sizes.items():
        parts[name] = state[start:start + size]
        start += size
    if start != len(state):
        raise ValueError(f"{len(state) - start} numbers are left over")
    return parts


def rigid_body_rate(state, inertia):
    s = unpack_state(state, omega=3, angle=2)
    torque = np.cross(s["omega"], inertia * s["omega"])
    return np.concatenate([-torque / inertia, np.array([s["angle"][1], -np.sin(s["angle"][0])])])


add(rigid_body_rate, V5, P3, notes="stars unreached")


class Limiter:
    """A descriptor that keeps what it is given in its bounds."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, objtype=None):
        return getattr(obj, self.slot)

    def __set__(self, obj, value):
        setattr(obj, self.slot, np.clip(value, self.low, self.high))


class Motor:
    """Its current is limited by the descriptor."""

    current = Limiter(-1.0, 1.0)

    def __init__(self, constant):
        self.constant = constant
        self.current = 0.0

    def torque(self, command):
        self.current = command
        return self.constant * self.current


def motor_torque(command, constant):
    motor = Motor(constant)
    return motor.torque(command) * motor.torque(0.5 * command)


add(motor_torque, 0.8, 1.4, notes="values objects")


def waypoint_cost(path, obstacles=((0.5, 0.5, 0.2), (-0.3, 0.8, 0.1))):
    smooth = np.sum(np.diff(path, axis=0) ** 2)
    clearance = 0.0
    for ox, oy, r in obstacles:
        d = np.hypot(path[:, 0] - ox, path[:, 1] - oy) - r
        clearance = clearance + np.sum(np.exp(-4.0 * d))
    return smooth + 0.1 * clearance


add(waypoint_cost, np.array([[0.0, 0.0], [0.4, 0.1], [0.7, 0.9], [1.0, 1.0]]), wrt=(0,), notes="lists")


def spline_trajectory(waypoints, t):
    """Cubic Hermite pieces with slopes by differences."""
    slopes = [0.0] + [(b - a) / 2 for a, b in zip(waypoints, waypoints[2:])] + [0.0]
    k = min(int(t), len(waypoints) - 2)
    s = t - k
    h = [2 * s ** 3 - 3 * s ** 2 + 1, s ** 3 - 2 * s ** 2 + s, -2 * s ** 3 + 3 * s ** 2, s ** 3 - s ** 2]
    return sum(c * v for c, v in zip(h, (waypoints[k], slopes[k], waypoints[k + 1], slopes[k + 1]), strict=True))


add(spline_trajectory, V5, 2.3, notes="lists constants", holomorphic=False)


def measurement_model(kind, **params: Any):
    models = {"range": lambda x: np.sqrt(x @ x + params["offset"]), "bearing": lambda x: np.arctan2(x[1], x[0])}
    if kind not in models:
        raise KeyError(kind)
    return models[kind]


def innovation(x, offset):
    h_range = measurement_model("range", offset=offset)
    h_bearing = measurement_model("bearing")
    return (1.0 - h_range(x)) ** 2 + (0.3 - h_bearing(x)) ** 2


add(innovation, V2, 0.5, notes="values stars unreached", holomorphic=False)


def delayed_loop(gain, delay=2):
    buffer = collections.deque([0.0] * delay, maxlen=delay)
    y = 0.0
    for _ in range(6):
        oldest = buffer[0]
        buffer.append(1.0 - y)
        y = 0.7 * y + gain * oldest
    return y


add(delayed_loop, 0.4, notes="lists library")


def gauss_newton(theta, ts, ys):
    def residual(theta):
        return theta[0] * np.exp(-theta[1] * ts) - ys
    for _ in range(2):
        J = tnb.jacobian(residual)(theta)
        theta = theta - np.linalg.solve(J.T @ J + 0.1 * np.eye(2), J.T @ residual(theta))
    return theta


def fitted_decay(ys):
    return gauss_newton(np.array([1.0, 0.5]), np.array([0.0, 0.5, 1.0, 1.5]), ys)[1]


add(fitted_decay, np.array([1.1, 0.8, 0.5, 0.45]), notes="inner", holomorphic=False)


def normalise_in_place(weights):
    weights /= weights.sum()
    weights **= 2
    return weights


def resample_weights(w):
    fresh = normalise_in_place(w.copy())
    other = normalise_in_place(np.array(w) + 1.0)
    return np.sum(fresh * other * V4)


add(resample_weights, np.array([0.3, 0.9, 1.4, 0.6]), notes="ownership")


def fill_covariance(out, variances, correlation):
    n = len(variances)
    for i in range(n):
        for j in range(n):
            out[i, j] = np.sqrt(variances[i] * variances[j]) * correlation ** abs(i - j)
    return out


def covariance_logdet(variances, correlation):
    cov = fill_covariance(np.empty((3, 3)), variances, correlation)
    return np.linalg.slogdet(cov)[1] + cov[0, 2]


add(covariance_logdet, P3, 0.4, notes="ownership", holomorphic=False)


def swing_up(theta, omega, gains):
    """An energy controller that switches near the top."""
    total = 0.0
    for step in range(5):
        energy = 0.5 * omega ** 2 - math.cos(theta)
        near_top = math.cos(theta) < -0.9
        if near_top:
            warnings.warn(f"balancing at step {step}")
            u = -gains[0] * theta - gains[1] * omega
        else:
            u = gains[2] * (1 - energy) * omega
        omega += 0.1 * (u - math.sin(theta))
        theta += 0.1 * omega
        total += u * u
    return total + theta


add(swing_up, A, -B, P3, notes="unreached lists")


def tuned_copy(base, **changes):
    other = copy.copy(base)
    for name, value in changes.items():
        if not hasattr(other, name):
            raise AttributeError(f"{type(base).__name__} has no {name}")
        setattr(other, name, value)
    return other


def retuned(kp, ki):
    base = PID(kp, 0.1)
    fast = tuned_copy(base, ki=ki)
    return base(0.5) * fast(0.5) + fast(0.2)


add(retuned, C, 0.4, notes="library stars objects")


def rts_smoother(xs, ps, q):
    smooth = [xs[-1]]
    for x, p in zip(reversed(xs[:-1]), reversed(ps[:-1])):
        gain = p / (p + q)
        smooth.insert(0, x + gain * (smooth[0] - x))
    return smooth


def smoothed(q, r):
    x, p, xs, ps = 0.0, 1.0, [], []
    for z in ZS:
        p = p + q
        k = p / (p + r)
        x, p = x + k * (z - x), (1 - k) * p
        xs.append(x)
        ps.append(p)
    return sum(s * w for s, w in zip(rts_smoother(xs, ps, q), (1.0, -2.0, 0.5, 3.0)))


add(smoothed, 0.3, 0.6, notes="lists")


def stereo_depth(points, baseline, rotation=None):
    rotation = M33 if rotation is None else rotation
    camera = (rotation @ points.T).T + 3.0
    u = camera[:, 0] / camera[:, 2]
    shifted = camera - np.array([1.0, 0.0, 0.0]) * baseline
    disparity = u - shifted[:, 0] / shifted[:, 2]
    if np.any(np.abs(disparity) < np.finfo(float).eps):
        raise ZeroDivisionError("a point at infinity")
    return np.mean(baseline / disparity)


add(stereo_depth, np.array([[0.1, 0.4, 0.8], [-0.3, 0.2, 1.0]]), 0.2, wrt=(0, 1), notes="unreached library")
