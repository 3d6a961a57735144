"""Kernels on matrices: factorizations, solvers, products, as loops and slices."""
import numpy as np
from kernels.collect import kernel

A = np.array([[4.0, 1.0, -0.5, 0.3], [1.0, 3.5, 0.7, -0.2], [-0.5, 0.7, 5.0, 0.6], [0.3, -0.2, 0.6, 2.8]])
G = np.array([[1.2, -0.4, 0.7, 0.2], [0.3, 1.5, -0.6, 0.9], [-0.8, 0.5, 1.1, 0.4], [0.6, 0.1, -0.3, 1.7]])
B = np.array([0.7, -1.2, 0.4, 0.9])
C = np.array([-0.3, 0.8, 1.1, 0.5])


def lu_loops(a):
    a = a.copy()
    n = len(a)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]
    return np.sum(a * a)


kernel(lu_loops, A)


def lu_slices(a):
    lower = np.eye(len(a))
    upper = a.copy()
    for k in range(len(a) - 1):
        lower[k + 1:, k] = upper[k + 1:, k] / upper[k, k]
        upper[k + 1:, k:] -= np.outer(lower[k + 1:, k], upper[k, k:])
    return np.sum(lower * lower) + np.sum(upper ** 3)


kernel(lu_slices, A)


def lu_pivots(a, b):
    a, b = a.copy(), b.copy()
    n = len(a)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        a[[k, p]] = a[[p, k]]
        b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            m = a[i, k] / a[k, k]
            a[i, k:] -= m * a[k, k:]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1:] @ x[i + 1:]) / a[i, i]
    return np.sum(x * x)


kernel(lu_pivots, G[::-1].copy(), B, holomorphic=False)


def cholesky_loops(a):
    n = len(a)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(a[i, i] - s)
            else:
                low[i, j] = (a[i, j] - s) / low[j, j]
    return np.sum(low * low * low)


kernel(cholesky_loops, A)


def cholesky_in_place(a):
    a = a.copy()
    n = a.shape[0]
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, n):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])
    return np.sum(np.tril(a) ** 2)


kernel(cholesky_in_place, A)


def forward_substitution(low, b):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = b[i]
        for j in range(i):
            x[i] -= low[i, j] * x[j]
        x[i] /= low[i, i]
    return np.sum(x * x)


kernel(forward_substitution, A, B)


def back_substitution(up, b):
    x = b.copy()
    for i in reversed(range(len(b))):
        x[i] = x[i] / up[i, i]
        x[:i] -= up[:i, i] * x[i]
    return np.sum(x ** 3)


kernel(back_substitution, A, B)


def thomas(a, b, c, d):
    n = len(d)
    b, d = b.copy(), d.copy()
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x = np.empty(n)
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return np.sum(x * x)


kernel(thomas, np.array([0.4, -0.3, 0.6]), np.array([2.0, 2.5, 3.0, 2.2]), np.array([0.5, 0.2, -0.7]), B)


def gram_schmidt(a):
    q = a.copy()
    m, n = q.shape
    r = np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(np.dot(q[:, k], q[:, k]))
        q[:, k] /= r[k, k]
        for j in range(k + 1, n):
            r[k, j] = np.dot(q[:, k], q[:, j])
            q[:, j] -= q[:, k] * r[k, j]
    return np.sum(r * r * r) + np.sum(q[0] * q[1])


kernel(gram_schmidt, G)


def householder(a):
    r = a.copy()
    m, n = r.shape
    for k in range(n):
        v = r[k:, k].copy()
        v[0] += np.sign(v[0]) * np.sqrt(np.sum(v * v))
        v /= np.sqrt(np.sum(v * v))
        r[k:, k:] -= 2.0 * np.outer(v, v @ r[k:, k:])
    return np.sum(r ** 3)


kernel(householder, G[:, :3], holomorphic=False)


def givens(a):
    r = a.copy()
    n = r.shape[1]
    for j in range(n):
        for i in range(len(r) - 1, j, -1):
            h = np.sqrt(r[i - 1, j] ** 2 + r[i, j] ** 2)
            c, s = r[i - 1, j] / h, r[i, j] / h
            upper = c * r[i - 1] + s * r[i]
            r[i] = c * r[i] - s * r[i - 1]
            r[i - 1] = upper
    return np.sum(np.abs(np.diag(r)) ** 3)


kernel(givens, G[:, :3], holomorphic=False)


def power_iteration(a, x, steps):
    x = x / np.sqrt(np.sum(x * x))
    y = np.empty_like(x)
    for _ in range(steps):
        np.dot(a, x, out=y)
        x[:] = y / np.sqrt(np.sum(y * y))
    return x @ a @ x


kernel(power_iteration, A, B, 5)


def conjugate_gradient(a, b, steps):
    x = np.zeros_like(b)
    r = b.copy()
    p = b.copy()
    rs = np.dot(r, r)
    for _ in range(steps):
        ap = np.dot(a, p)
        alpha = rs / np.dot(p, ap)
        x += alpha * p
        r -= alpha * ap
        new = np.dot(r, r)
        p *= new / rs
        p += r
        rs = new
    return np.sum(x * x)


kernel(conjugate_gradient, A, B, 3)


def durbin(r):
    n = len(r)
    y = np.zeros(n)
    z = np.zeros(n)
    y[0] = -r[0]
    beta, alpha = 1.0, -r[0]
    for k in range(1, n):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[k - 1::-1], y[:k])) / beta
        z[:k] = y[:k] + alpha * y[k - 1::-1]
        y[:k] = z[:k]
        y[k] = alpha
    return np.sum(y * y)


kernel(durbin, np.array([0.3, -0.2, 0.15, 0.1, -0.05]))


def trmm(alpha, a, b):
    b = b.copy()
    m, n = b.shape
    for i in range(m):
        for j in range(n):
            b[i, j] += np.dot(a[i + 1:, i], b[i + 1:, j])
    b *= alpha
    return np.sum(b * b)


kernel(trmm, 1.3, A, G)


def trmm_in_argument(alpha, a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1:, i], b[i + 1:, j])
    b *= alpha
    return np.sum(b * b)


kernel(trmm_in_argument, 1.3, A, G)


def syrk(alpha, beta, c, a):
    c = c.copy()
    n, m = a.shape
    for i in range(n):
        c[i, :i + 1] *= beta
        for k in range(m):
            c[i, :i + 1] += alpha * a[i, k] * a[:i + 1, k]
    return np.sum(c * c)


kernel(syrk, 1.5, 1.2, A, G)


def gemver(alpha, beta, a, u, v, x, y, z):
    a = a + np.outer(u, v)
    x = x.copy()
    x += beta * np.dot(y, a) + z
    w = np.zeros_like(x)
    w += alpha * np.dot(a, x)
    return np.sum(w * w)


kernel(gemver, 1.5, 1.2, A, B, C, B * 0.3, C * 0.7, B - C)


def gemver_in_place(alpha, beta, a, u, v, x, y, z):
    w = np.zeros(len(x))
    own = np.empty_like(a)
    np.add(a, np.outer(u, v), out=own)
    t = np.copy(x)
    for i in range(len(x)):
        for j in range(len(x)):
            t[i] += beta * own[j, i] * y[j]
    np.add(t, z, t)
    for i in range(len(x)):
        for j in range(len(x)):
            w[i] += alpha * own[i, j] * t[j]
    return np.sum(w * w)


kernel(gemver_in_place, 1.5, 1.2, A, B, C, B * 0.3, C * 0.7, B - C)


def gesummv(alpha, beta, a, b, x):
    n = len(x)
    tmp, y = np.zeros(n), np.zeros(n)
    for i in range(n):
        for j in range(n):
            tmp[i] += a[i, j] * x[j]
            y[i] += b[i, j] * x[j]
        y[i] = alpha * tmp[i] + beta * y[i]
    return np.sum(y * y)


kernel(gesummv, 1.5, 1.2, A, G, B)


def atax(a, x):
    m, n = a.shape
    y = np.zeros(n)
    tmp = np.zeros(m)
    for i in range(m):
        for j in range(n):
            tmp[i] += a[i, j] * x[j]
        for j in range(n):
            y[j] += a[i, j] * tmp[i]
    return np.sum(y * y)


kernel(atax, G[:3], B)


def bicg(a, p, r):
    n, m = a.shape
    s, q = np.zeros(m), np.zeros(n)
    for i in range(n):
        s += r[i] * a[i]
        q[i] = a[i] @ p
    return np.sum(s * s) + np.sum(q * q * q)


kernel(bicg, G[:3], B, C[:3])


def mvt(x1, x2, y1, y2, a):
    x1, x2 = x1.copy(), x2.copy()
    n = len(x1)
    for i in range(n):
        for j in range(n):
            x1[i] += a[i, j] * y1[j]
            x2[i] += a[j, i] * y2[j]
    return np.sum(x1 * x2)


kernel(mvt, B, C, B * 2.0, C - B, A)


def covariance(data):
    data = data.copy()
    m = len(data)
    n = data.shape[1]
    data -= np.mean(data, axis=0)
    cov = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            cov[i, j] = np.sum(data[:, i] * data[:, j]) / (m - 1.0)
            cov[j, i] = cov[i, j]
    return np.sum(cov * cov)


kernel(covariance, G)


def correlation(data):
    data = np.array(data)
    m, n = data.shape
    mean = np.zeros(n)
    np.mean(data, axis=0, out=mean)
    spread = np.std(data, axis=0)
    spread[spread <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(m) * spread
    corr = np.eye(n)
    for i in range(n - 1):
        corr[i + 1:, i] = corr[i, i + 1:] = data[:, i] @ data[:, i + 1:]
    return np.sum(corr ** 3)


kernel(correlation, G, holomorphic=False)


def gauss_jordan(a):
    n = len(a)
    w = np.zeros((n, 2 * n))
    w[:, :n] = a
    w[:, n:] = np.eye(n)
    for k in range(n):
        w[k] /= w[k, k]
        for i in range(n):
            if i != k:
                w[i] -= w[i, k] * w[k]
    return np.sum(w[:, n:] ** 2)


kernel(gauss_jordan, A)


def matmul_loops(a, b):
    n, m, p = a.shape[0], a.shape[1], b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                c[i, j] += a[i, k] * b[k, j]
    return np.sum(c * c)


kernel(matmul_loops, G[:3], A[:, :2])


def scale_rows(a, s):
    a = a.copy()
    for i in range(len(s)):
        row = a[i]
        row *= s[i]
    return np.sum(a * a)


kernel(scale_rows, A, B)
