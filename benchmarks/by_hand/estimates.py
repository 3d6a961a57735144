"""What statisticians write: likelihoods, filters, regression; einsum, solve, cumulative sums."""
from __future__ import annotations

import math

import numpy as np

from .program import Program, normal, positive


# ------------------------------------------------------------------ logistic regression, row by row
def regression(w, b, x, y):
    loss = 0.0
    for i in range(len(x)):
        loss += np.log1p(np.exp(-y[i] * (np.dot(x[i], w) + b)))
    return loss / len(x)


def regression_by_hand(w, b, x, y):
    bw, bb = np.zeros_like(w), 0.0
    for row, label in zip(x, y):
        s = -label / (1.0 + math.exp(label * (np.dot(row, w) + b)))
        bw += s * row
        bb += s
    return bw / len(x), bb / len(x)


# ------------------------------------------------------------------ its training, and the slope in the rate of it
def trained(rate, w, x, y, steps):
    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-(x @ w)))
        w = w - rate * (x.T @ (p - y)) / len(y)
    p = 1.0 / (1.0 + np.exp(-(x @ w)))
    return -np.mean(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))


def trained_by_hand(rate, w, x, y, steps):
    n, tape = len(y), []
    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-(x @ w)))
        slope = x.T @ (p - y)
        slope /= n
        tape.append((p, slope))
        w = w - rate * slope
    p = 1.0 / (1.0 + np.exp(-(x @ w)))
    brate, bw = 0.0, x.T @ ((p - y) / n)
    for p, slope in reversed(tape):
        brate -= np.vdot(slope, bw)
        bz = x @ bw
        bz *= p
        bz *= 1.0 - p
        bw -= rate / n * (x.T @ bz)
    return brate, bw


# ------------------------------------------------------------------ a mixture of Gaussians, with full covariances
def mixture(weights, means, logs, lower, x):
    k, d = means.shape
    rows, columns = np.tril_indices(d, -1)
    factor = np.zeros((k, d, d))
    factor[:, rows, columns] = lower
    centred = x[:, None, :] - means
    y = np.exp(logs) * centred + np.einsum("kij,nkj->nki", factor, centred)
    inner = weights + np.sum(logs, axis=1) - 0.5 * np.sum(y ** 2, axis=2)
    top = np.max(inner, axis=1, keepdims=True)
    fit = np.log(np.sum(np.exp(inner - top), axis=1)) + top[:, 0]
    return np.sum(fit) - len(x) * np.log(np.sum(np.exp(weights)))


def mixture_by_hand(weights, means, logs, lower, x):
    k, d = means.shape
    rows, columns = np.tril_indices(d, -1)
    places = np.arange(d)
    factor = np.zeros((k, d, d))
    factor[:, rows, columns] = lower
    scales = np.exp(logs)
    factor[:, places, places] = scales
    centred = x - means[:, None, :]
    y = centred @ factor.transpose(0, 2, 1)
    share = -0.5 * np.einsum("knd,knd->kn", y, y)
    share += (weights + logs.sum(axis=1))[:, None]
    share -= share.max(axis=0)
    np.exp(share, share)
    share /= share.sum(axis=0)
    y *= share[:, :, None]
    bfactor = -(y.transpose(0, 2, 1) @ centred)
    bmeans = (y.sum(axis=1)[:, None, :] @ factor)[:, 0]
    total, e = share.sum(axis=1), np.exp(weights)
    return (total - len(x) / e.sum() * e, bmeans, total[:, None] + bfactor[:, places, places] * scales,
            bfactor[:, rows, columns])


def mixture_arguments(n):
    return normal(5), normal(5, 4), 0.3 * normal(5, 4), 0.3 * normal(5, 6), normal(n, 4)


# ------------------------------------------------------------------ a quadratic form by einsum
def quadratic(x, a):
    return np.einsum("i,ij,j->", x, a, x)


def quadratic_by_hand(x, a):
    return a @ x + x @ a, np.outer(x, x)


# ------------------------------------------------------------------ cumulative sums
def annuity(rates, payments):
    return np.sum(payments * np.exp(-np.cumsum(rates)))


def annuity_by_hand(rates, payments):
    discount = np.exp(-np.cumsum(rates))
    return -np.cumsum((payments * discount)[::-1])[::-1], discount


# ------------------------------------------------------------------ a Kalman filter and its likelihood
def kalman(f, q, r, h, zs, x, p):
    total = 0.0
    for z in zs:
        x = f @ x
        p = f @ p @ f.T + q
        hp = h @ p
        s = hp @ h.T + r
        error = z - h @ x
        gain = np.linalg.solve(s, hp).T
        total = total + error @ np.linalg.solve(s, error) + np.log(np.linalg.det(s))
        x = x + gain @ error
        p = p - gain @ hp
    return total


def kalman_by_hand(f, q, r, h, zs, x, p):
    tape = []
    for z in zs:
        before = x, p
        x = f @ x
        fp = f @ p
        p = fp @ f.T + q
        hp = h @ p
        inverse = np.linalg.inv(hp @ h.T + r)
        error = z - h @ x
        gain = (inverse @ hp).T
        x = x + gain @ error
        p = p - gain @ hp
        tape.append((*before, fp, hp, inverse, error, gain))
    bf, bq, br, bx, bp = np.zeros_like(f), np.zeros_like(q), np.zeros_like(r), np.zeros_like(x), np.zeros_like(p)
    for x, p, fp, hp, inverse, error, gain in reversed(tape):
        u, w = inverse.T @ error, inverse @ error
        bgain = np.outer(bx, error) - bp @ hp.T
        bsolved = inverse.T @ bgain.T
        bs = inverse.T - np.outer(u, w) - bsolved @ gain
        bhp = bsolved - gain.T @ bp + bs @ h
        br += bs
        bx = bx - h.T @ (gain.T @ bx + u + w)
        bp = bp + h.T @ bhp
        bq += bp
        bfp = bp @ f
        bf += bfp @ p.T + bp.T @ fp + np.outer(bx, x)
        bx, bp = f.T @ bx, f.T @ bfp
    return bf, bq, br


def kalman_arguments(n):
    size, seen = 4, 2
    return (0.3 * normal(size, size), np.eye(size), np.eye(seen), normal(seen, size), normal(n, seen), np.zeros(size),
            np.eye(size))


# ------------------------------------------------------------------ the likelihood of a Gaussian process
def process(length, noise, x, y):
    covariance = np.exp(-0.5 * (x[:, None] - x[None, :]) ** 2 / length ** 2) + noise * np.eye(len(x))
    return 0.5 * (y @ np.linalg.solve(covariance, y) + np.linalg.slogdet(covariance)[1])


def process_by_hand(length, noise, x, y):
    apart = np.subtract.outer(x, x)
    apart *= apart
    near = np.exp(-0.5 / length ** 2 * apart)
    covariance = near.copy()
    covariance.flat[::len(x) + 1] += noise
    g = np.linalg.inv(covariance)
    alpha = g @ y
    g -= np.outer(alpha, alpha)
    g *= 0.5
    bnoise = np.trace(g)
    g *= near
    return np.vdot(g, apart) / length ** 3, bnoise


PROGRAMS = (
    Program(regression, regression_by_hand, lambda n: (normal(10), 0.1, normal(n, 10), np.sign(normal(n))), (0, 1),
            (200,)),
    Program(trained, trained_by_hand,
            lambda n: (0.5, normal(10), normal(n, 10), (normal(n) > 0.0).astype(float), 20), (0, 1), (50, 2000)),
    Program(mixture, mixture_by_hand, mixture_arguments, (0, 1, 2, 3), (50, 5000)),
    Program(quadratic, quadratic_by_hand, lambda n: (normal(n), normal(n, n)), (0, 1), (10, 300)),
    Program(annuity, annuity_by_hand, lambda n: (0.01 * positive(n), positive(n, seed=1)), (0, 1), (10, 10_000)),
    Program(kalman, kalman_by_hand, kalman_arguments, (0, 1, 2), (50,)),
    Program(process, process_by_hand, lambda n: (0.7, 0.3, normal(n), normal(n, seed=1)), (0, 1), (20, 200)),
)
