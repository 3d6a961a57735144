"""Kernels over tables and bodies: dynamic programming, graphs, particles, chains."""
import numpy as np
from kernels.collect import kernel

D = np.array([[0.5, 2.1, 9.0, 4.3], [1.7, 0.6, 3.2, 9.5], [9.1, 0.9, 0.4, 1.1], [2.6, 9.3, 5.2, 0.7]])
S = np.sin(np.arange(20.0) * 1.3).reshape(4, 5)
V = np.array([0.4, -0.7, 1.1, 0.3, 0.9])
POSITIONS = np.array([[0.1, 0.7, -0.4], [1.2, -0.3, 0.5], [-0.8, 0.9, 1.4], [0.3, -1.1, -0.9]])
MASSES = np.array([1.0, 0.7, 1.4, 0.5])


def floyd_warshall(d):
    d = d.copy()
    for k in range(len(d)):
        d = np.minimum(d, d[:, k][:, None] + d[k, :][None, :])
    return np.sum(d * d)


kernel(floyd_warshall, D, holomorphic=False)


def floyd_warshall_in_place(d):
    d = d.copy()
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            d[i, :] = np.minimum(d[i, :], d[i, k] + d[k, :])
    return np.sum(d * d)


kernel(floyd_warshall_in_place, D, holomorphic=False)


def floyd_warshall_out(d):
    d = d.copy()
    for k in range(len(d)):
        np.minimum(d, d[:, k, None] + d[None, k, :], out=d)
    return np.sum(d * d)


kernel(floyd_warshall_out, D, holomorphic=False)


def floyd_warshall_branches(d):
    d = d.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return np.sum(d * d)


kernel(floyd_warshall_branches, D, holomorphic=False)


def bellman_ford(w):
    n = len(w)
    dist = np.full(n, 100.0)
    dist[0] = 0.0
    for _ in range(n - 1):
        for i in range(n):
            for j in range(n):
                dist[j] = min(dist[j], dist[i] + w[i, j])
    return np.sum(dist * dist)


kernel(bellman_ford, D, holomorphic=False)


def nussinov(score):
    n = len(score)
    table = np.zeros((n, n))
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            table[i, j] = max(table[i, j], table[i + 1, j - 1] + score[i, j])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table[0, -1] + np.sum(table)


kernel(nussinov, D * 0.3, holomorphic=False)


def smith_waterman_soft(s, gap):
    n, m = s.shape
    h = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            a, b, c = h[i - 1, j - 1] + s[i - 1, j - 1], h[i - 1, j] - gap, h[i, j - 1] - gap
            h[i, j] = np.log(1.0 + np.exp(a) + np.exp(b) + np.exp(c))
    return np.log(np.sum(np.exp(h)))


kernel(smith_waterman_soft, S, 0.4)


def smith_waterman_rows(s, gap):
    before = np.zeros(s.shape[1] + 1)
    now = np.zeros(s.shape[1] + 1)
    best = 0.0
    for i in range(len(s)):
        now[0] = 0.0
        for j in range(1, len(now)):
            now[j] = max(0.0, before[j - 1] + s[i, j - 1], before[j] - gap, now[j - 1] - gap)
            best = max(best, now[j])
        before, now = now, before
    return best * best


kernel(smith_waterman_rows, S, 0.4, holomorphic=False)


def time_warping(x, y):
    n, m = len(x), len(y)
    cost = np.full((n + 1, m + 1), 1e3)
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            best = min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
            cost[i + 1, j + 1] = (x[i] - y[j]) ** 2 + best
    return cost[n, m]


kernel(time_warping, V, V[::-1] * 0.8 + 0.1, holomorphic=False)


def viterbi_forward(start, move, emit):
    n = len(start)
    alpha = np.zeros((len(emit), n))
    alpha[0] = start * emit[0]
    for t in range(1, len(emit)):
        for j in range(n):
            for i in range(n):
                alpha[t, j] += alpha[t - 1, i] * move[i, j]
            alpha[t, j] *= emit[t, j]
    return np.log(np.sum(alpha[-1]))


kernel(viterbi_forward, MASSES, np.abs(D) + 0.3, np.abs(S.T) + 0.2)


def knapsack(values):
    weights = [1, 2, 2, 3, 1]
    table = np.zeros(7)
    for k in range(len(weights)):
        for c in range(6, weights[k] - 1, -1):
            table[c] = max(table[c], table[c - weights[k]] + values[k])
    return table[-1] * table[-1] + np.sum(table)


kernel(knapsack, V, holomorphic=False)


def binomial_option(price, strike, rate, steps):
    up = np.exp(0.3 * np.sqrt(1.0 / steps))
    p = (np.exp(rate / steps) - 1.0 / up) / (up - 1.0 / up)
    value = np.zeros(steps + 1)
    for i in range(steps + 1):
        value[i] = max(0.0, price * up ** (2 * i - steps) - strike)
    for n in range(steps, 0, -1):
        for i in range(n):
            value[i] = np.exp(-rate / steps) * (p * value[i + 1] + (1.0 - p) * value[i])
    return value[0]


kernel(binomial_option, 10.0, 9.5, 0.05, 5, holomorphic=False)


def n_body(pos, vel, mass, dt, steps):
    pos, vel = pos.copy(), vel.copy()
    n = len(mass)
    for _ in range(steps):
        acc = np.zeros_like(pos)
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = pos[j] - pos[i]
                    acc[i] += mass[j] * d / (np.sum(d * d) + 0.01) ** 1.5
        vel += dt * acc
        pos += dt * vel
    return np.sum(pos * vel)


kernel(n_body, POSITIONS, POSITIONS[::-1] * 0.2, MASSES, 0.05, 2)


def n_body_pairs(pos, mass):
    n = len(mass)
    force = np.zeros((n, 3))
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            d = pos[i] - pos[j]
            r2 = np.dot(d, d) + 0.1
            f = mass[i] * mass[j] / r2 * d
            force[i] -= f
            force[j] += f
            energy -= mass[i] * mass[j] / np.sqrt(r2)
    return np.sum(force * force) + energy


kernel(n_body_pairs, POSITIONS, MASSES)


def verlet(pos, vel, dt, steps):
    x, v = np.array(pos), np.array(vel)
    path = np.empty((steps, len(x)))
    a = -np.sin(x)
    for t in range(steps):
        x += v * dt + 0.5 * a * dt * dt
        new = -np.sin(x)
        v += 0.5 * (a + new) * dt
        a = new
        path[t] = x
    return np.sum(path * path)


kernel(verlet, V, V[::-1] * 0.5, 0.1, 4)


def runge_kutta(y, k, dt, steps):
    def slope(y):
        dy = np.empty_like(y)
        dy[0] = -k[0] * y[0] + k[1] * y[1] * y[2]
        dy[1] = k[0] * y[0] - k[1] * y[1] * y[2] - k[2] * y[1] ** 2
        dy[2] = k[2] * y[1] ** 2
        return dy

    y = y.copy()
    for _ in range(steps):
        a = slope(y)
        b = slope(y + 0.5 * dt * a)
        c = slope(y + 0.5 * dt * b)
        d = slope(y + dt * c)
        y += dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return np.sum(y * y * y)


kernel(runge_kutta, np.array([1.0, 0.4, 0.2]), np.array([0.4, 0.7, 1.1]), 0.1, 3)


def ising_mean_field(h, coupling, sweeps):
    m = np.zeros_like(h)
    for _ in range(sweeps):
        for i in range(len(h)):
            total = h[i]
            if i > 0:
                total += coupling * m[i - 1]
            if i < len(h) - 1:
                total += coupling * m[i + 1]
            m[i] = np.tanh(total)
    return np.sum(m * m)


kernel(ising_mean_field, V, 0.6, 3)


def page_rank(links, damping, steps):
    n = len(links)
    move = links.copy()
    for j in range(n):
        move[:, j] /= np.sum(move[:, j])
    rank = np.full(n, 1.0 / n)
    for _ in range(steps):
        rank[:] = damping * (move @ rank) + (1.0 - damping) / n
    return np.sum(rank * np.arange(n))


kernel(page_rank, D + 0.5, 0.85, 4)


def bubble_sort(x):
    y = x.copy()
    n = len(y)
    for i in range(n):
        for j in range(n - 1 - i):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return np.sum(y * np.arange(n))


kernel(bubble_sort, V, holomorphic=False)


def insertion_sort(x):
    y = x.copy()
    for i in range(1, len(y)):
        key = y[i]
        j = i - 1
        while j >= 0 and y[j] > key:
            y[j + 1] = y[j]
            j -= 1
        y[j + 1] = key
    return np.sum(y * y * np.arange(len(y)))


kernel(insertion_sort, V, holomorphic=False)


def horner_table(c, x):
    d = c.copy()
    n = len(d)
    for k in range(n - 1):
        for i in range(n - 2, k - 1, -1):
            d[i] += x * d[i + 1]
    return np.sum(d * d)


kernel(horner_table, V, 0.7)


def neville(xs, ys, x):
    p = ys.copy()
    n = len(xs)
    for k in range(1, n):
        for i in range(n - k):
            p[i] = ((x - xs[i + k]) * p[i] + (xs[i] - x) * p[i + 1]) / (xs[i] - xs[i + k])
    return p[0]


kernel(neville, np.array([0.0, 0.5, 1.1, 1.9, 2.5]), V, 0.8)


def cubic_spline(x, y):
    n = len(x) - 1
    h = np.diff(x)
    alpha, low, mu, z, c = np.zeros(n), np.ones(n + 1), np.zeros(n + 1), np.zeros(n + 1), np.zeros(n + 1)
    for i in range(1, n):
        alpha[i] = 3.0 * (y[i + 1] - y[i]) / h[i] - 3.0 * (y[i] - y[i - 1]) / h[i - 1]
    for i in range(1, n):
        low[i] = 2.0 * (x[i + 1] - x[i - 1]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / low[i]
        z[i] = (alpha[i] - h[i - 1] * z[i - 1]) / low[i]
    for j in range(n - 1, -1, -1):
        c[j] = z[j] - mu[j] * c[j + 1]
    return np.sum(c * c)


kernel(cubic_spline, np.array([0.0, 0.5, 1.1, 1.9, 2.5]), V)


def mandelbrot_distance(cr, ci, steps):
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    for _ in range(steps):
        t = zr * zr - zi * zi + cr
        zi *= 2.0 * zr
        zi += ci
        zr[:] = t
    return np.sum(zr * zr + zi * zi)


kernel(mandelbrot_distance, V * 0.3, V[::-1] * 0.2, 4)
