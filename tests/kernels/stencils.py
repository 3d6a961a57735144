"""Kernels on grids: relaxation, heat, waves, advection."""
import numpy as np
from kernels.collect import kernel

LINE = np.array([0.4, -0.7, 1.1, 0.3, 0.9, -0.2, 0.6, 0.1])
GRID = np.sin(np.arange(30.0) * 0.7).reshape(5, 6)
SPEED = 0.3 + 0.1 * np.cos(np.arange(30.0)).reshape(5, 6)


def jacobi_1d(a, steps):
    a = a.copy()
    b = np.zeros_like(a)
    b[0], b[-1] = a[0], a[-1]
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return np.sum(a * a)


kernel(jacobi_1d, LINE, 4)


def jacobi_1d_in_arguments(a, b, steps):
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return np.sum(a * b)


kernel(jacobi_1d_in_arguments, LINE, LINE[::-1] * 0.5, 3)


def jacobi_2d(a, steps):
    a = a.copy()
    b = a.copy()
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
    return np.sum(a * a)


kernel(jacobi_2d, GRID, 3)


def jacobi_loops(u, f, steps):
    old = u.copy()
    rows, columns = u.shape
    for _ in range(steps):
        new = old.copy()
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                new[i, j] = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1] - f[i, j])
        old = new
    return np.sum(old * old)


kernel(jacobi_loops, GRID, SPEED, 2)


def heat_2d(u, alpha, dt, steps):
    u = np.array(u)
    for _ in range(steps):
        lap = np.zeros_like(u)
        lap[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        u += alpha * dt * lap
        u[0, :] = u[1, :]
        u[-1, :] = u[-2, :]
    return np.sum(u * u)


kernel(heat_2d, GRID, SPEED, 0.2, 4)


def heat_3d(a, steps):
    a = a.copy()
    b = np.zeros_like(a)
    b[...] = a
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = (0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
                               + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
                               + a[1:-1, 1:-1, 1:-1])
        a[...] = b
    return np.sum(a ** 3)


kernel(heat_3d, np.cos(np.arange(48.0)).reshape(3, 4, 4), 3)


def gauss_seidel_2d(a, steps):
    a = a.copy()
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                a[i, j] = (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j - 1] + a[i, j] + a[i, j + 1]
                           + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]) / 9.0
    return np.sum(a * a)


kernel(gauss_seidel_2d, GRID, 2)


def gauss_seidel_rows(a, steps):
    a = a.copy()
    n, m = a.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            a[i, 1:-1] += a[i - 1, 1:-1] + a[i + 1, 1:-1] + a[i, 2:]
            for j in range(1, m - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 5.0
    return np.sum(a * a)


kernel(gauss_seidel_rows, GRID, 2)


def red_black_sor(u, f, omega, sweeps):
    u = u.copy()
    n, m = u.shape
    for _ in range(sweeps):
        for colour in (0, 1):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, m - 1, 2):
                    r = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j] - f[i, j]
                    u[i, j] += omega * r / 4.0
    return np.sum(u * u)


kernel(red_black_sor, GRID, SPEED, 1.3, 2)


def red_black_slices(u, f, sweeps):
    u = u.copy()
    for _ in range(sweeps):
        for i, j in ((1, 1), (2, 2), (1, 2), (2, 1)):
            u[i:-1:2, j:-1:2] = 0.25 * (u[i - 1:-2:2, j:-1:2] + u[i + 1::2, j:-1:2] + u[i:-1:2, j - 1:-2:2]
                                        + u[i:-1:2, j + 1::2] - f[i:-1:2, j:-1:2])
    return np.sum(u * u)


kernel(red_black_slices, np.sin(np.arange(49.0)).reshape(7, 7), np.cos(np.arange(49.0)).reshape(7, 7), 2)


def fdtd_2d(ex, ey, hz, fict):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for t in range(len(fict)):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return np.sum(hz * hz) + np.sum(ex * ey)


kernel(fdtd_2d, GRID, GRID * 0.4, SPEED, np.array([0.5, -0.4, 0.8]))


def fdtd_2d_in_arguments(ex, ey, hz, fict):
    for t in range(len(fict)):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return np.sum(hz * hz)


kernel(fdtd_2d_in_arguments, GRID, GRID * 0.4, SPEED, np.array([0.5, -0.4, 0.8]))


def adi(u, steps):
    n = u.shape[0]
    u = u.copy()
    v, p, q = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    a, b, c, d, f = -0.4, 1.8, -0.4, -0.3, -0.3
    for _ in range(steps):
        v[0, 1:-1] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = v[0, 1:-1]
        for j in range(1, n - 1):
            p[1:-1, j] = -c / (a * p[1:-1, j - 1] + b)
            q[1:-1, j] = (-d * u[j, :-2] + (1.0 + 2.0 * d) * u[j, 1:-1] - f * u[j, 2:] - a * q[1:-1, j - 1]) \
                / (a * p[1:-1, j - 1] + b)
        v[-1, 1:-1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1:-1] = p[1:-1, j] * v[j + 1, 1:-1] + q[1:-1, j]
        u[1:-1, 0] = 1.0
        p[1:-1, 0] = 0.0
        q[1:-1, 0] = u[1:-1, 0]
        for j in range(1, n - 1):
            p[1:-1, j] = -f / (d * p[1:-1, j - 1] + b)
            q[1:-1, j] = (-a * v[:-2, j] + (1.0 + 2.0 * a) * v[1:-1, j] - c * v[2:, j] - d * q[1:-1, j - 1]) \
                / (d * p[1:-1, j - 1] + b)
        u[1:-1, -1] = 1.0
        for j in range(n - 2, 0, -1):
            u[1:-1, j] = p[1:-1, j] * u[1:-1, j + 1] + q[1:-1, j]
    return np.sum(u * u)


kernel(adi, np.sin(np.arange(25.0)).reshape(5, 5), 2)


def upwind(u, c, steps):
    new = np.empty(len(u))
    old = np.empty(len(u))
    old[:] = u
    for _ in range(steps):
        new[1:] = old[1:] - c * (old[1:] - old[:-1])
        new[0] = old[0] - c * (old[0] - old[-1])
        old, new = new, old
    return np.sum(old * old * old)


kernel(upwind, LINE, 0.4, 5)


def upwind_loops(u, c, steps):
    u = u.copy()
    n = len(u)
    for _ in range(steps):
        flux = np.zeros(n + 1)
        for i in range(n + 1):
            if c > 0:
                flux[i] = c * u[i - 1]
            else:
                flux[i] = c * u[i % n]
        for i in range(n):
            u[i] -= flux[i + 1] - flux[i]
    return np.sum(u * u)


kernel(upwind_loops, LINE, 0.4, 3)


def leapfrog(u, c, dt, steps):
    before = u.copy()
    now = u.copy()
    after = np.zeros_like(u)
    for _ in range(steps):
        after[1:-1] = 2.0 * now[1:-1] - before[1:-1] + (c[1:-1] * dt) ** 2 * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        before, now, after = now, after, before
    return np.sum(now * now)


kernel(leapfrog, LINE, np.linspace(0.5, 1.5, 8), 0.6, 5)


def leapfrog_copies(u, c, steps):
    before, now = u.copy(), u.copy()
    record = np.zeros((steps, len(u)))
    for t in range(steps):
        after = np.zeros_like(u)
        after[1:-1] = 2.0 * now[1:-1] - before[1:-1] + c * (now[2:] - 2.0 * now[1:-1] + now[:-2])
        record[t] = after
        before, now = now, after
    return np.sum(record * record)


kernel(leapfrog_copies, LINE, 0.3, 4)


def burgers(u, nu, dt, steps):
    u = u.copy()
    n = len(u)
    for _ in range(steps):
        un = u.copy()
        for i in range(1, n - 1):
            u[i] = un[i] - un[i] * dt * (un[i] - un[i - 1]) + nu * dt * (un[i + 1] - 2.0 * un[i] + un[i - 1])
        u[0] = un[0] - un[0] * dt * (un[0] - un[-2])
        u[-1] = u[0]
    return np.sum(u ** 2)


kernel(burgers, LINE, 0.07, 0.2, 3)


def smooth(u, f, sweeps):
    for _ in range(sweeps):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + f[1:-1])


def residual(u, f):
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] - 2.0 * u[1:-1] + u[:-2] + u[2:]
    return r


def v_cycle(u, f):
    smooth(u, f, 2)
    r = residual(u, f)
    if len(u) > 3:
        coarse = np.zeros(len(u) // 2 + 1)
        v_cycle(coarse, 4.0 * r[::2])
        u[::2] += coarse
        u[1::2] += 0.5 * (coarse[:-1] + coarse[1:])
    smooth(u, f, 1)


def multigrid(f, cycles):
    u = np.zeros_like(f)
    for _ in range(cycles):
        v_cycle(u, f)
    return np.sum(u * u)


kernel(multigrid, np.sin(np.arange(9.0)), 2)


def smoothed(u, f, sweeps):
    u = u.copy()
    for _ in range(sweeps):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + f[1:-1])
    return u


def v_cycle_of_values(u, f):
    u = smoothed(u, f, 2)
    if len(u) > 3:
        r = residual(u, f)
        coarse = v_cycle_of_values(np.zeros(len(u) // 2 + 1), 4.0 * r[::2])
        u[::2] += coarse
        u[1::2] += 0.5 * (coarse[:-1] + coarse[1:])
    return smoothed(u, f, 1)


def multigrid_of_values(f, cycles):
    u = np.zeros_like(f)
    for _ in range(cycles):
        u = v_cycle_of_values(u, f)
    return np.sum(u * u)


kernel(multigrid_of_values, np.sin(np.arange(9.0)), 2)


def shallow_water(h, u, dt, steps):
    h, u = h.copy(), u.copy()
    for _ in range(steps):
        u[1:-1] -= dt * 9.81 * (h[2:] - h[:-2]) / 2.0
        np.multiply(u, 0.99, out=u)
        flux = h * u
        h[1:-1] -= dt * (flux[2:] - flux[:-2]) / 2.0
        h[0] = h[1]
        h[-1] = h[-2]
    return np.sum(h * h) + np.sum(u)


kernel(shallow_water, 1.0 + 0.1 * LINE, LINE * 0.2, 0.05, 4)


def life_of_reactants(u, v, steps):
    u, v = u.copy(), v.copy()
    for _ in range(steps):
        lu = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4.0 * u
        lv = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1) - 4.0 * v
        uvv = u * v * v
        u += 0.16 * lu - uvv + 0.06 * (1.0 - u)
        v += 0.08 * lv + uvv - 0.122 * v
    return np.sum(u * v)


kernel(life_of_reactants, GRID, SPEED, 3)
