"""Control flow: the algorithms of a course in numerical methods, as they are written there."""
import math

import numpy as np
from corpus import M33, P3, V3, V4, V5, W3, A, B, C, add, section

section("control_flow")


def newton_until_converged(a):
    x = 1.0
    for _ in range(50):
        step = (x ** 3 - a) / (3.0 * x * x)
        x = x - step
        if abs(step) < 1e-13:
            break
    else:
        raise RuntimeError("no convergence")
    return x * x


add(newton_until_converged, A, holomorphic=False)


def secant_method(a):
    x0, x1 = 0.5, 1.5
    f0 = math.cos(x0) - a * x0
    while abs(x1 - x0) > 1e-12:
        f1 = math.cos(x1) - a * x1
        if f1 == f0:
            break
        x0, x1, f0 = x1, x1 - f1 * (x1 - x0) / (f1 - f0), f1
    return x1


add(secant_method, A, holomorphic=False)


def bisection_then_newton(a):
    low, high = 0.0, 3.0
    while high - low > 0.1:
        middle = (low + high) / 2
        if middle * middle * middle < a:
            low = middle
        else:
            high = middle
    x = low
    for _ in range(6):
        x = x - (x ** 3 - a) / (3 * x ** 2)
    return x


add(bisection_then_newton, C, holomorphic=False)


def runge_kutta(x, rate, n):
    h, t = 1.0 / n, 0.0
    for _ in range(n):
        k1 = -rate * x + t
        k2 = -rate * (x + 0.5 * h * k1) + t + 0.5 * h
        k3 = -rate * (x + 0.5 * h * k2) + t + 0.5 * h
        k4 = -rate * (x + h * k3) + t + h
        x += h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
        t += h
    return x


add(runge_kutta, A, 1.4, 4)


def runge_kutta_systems(x0, v0):
    y, h = [x0, v0], 0.2
    for _ in range(3):
        k1 = [y[1], -math.sin(y[0])]
        z = [a + h / 2 * k for a, k in zip(y, k1)]
        k2 = [z[1], -math.sin(z[0])]
        y = [a + h * k for a, k in zip(y, k2)]
    return y[0] * y[1]


add(runge_kutta_systems, A, B)


def adaptive_step(x):
    t, h, y = 0.0, 0.5, x
    while t < 1.0:
        h = min(h, 1.0 - t)
        full = y + h * y * (1.0 - y)
        half = y + 0.5 * h * y * (1.0 - y)
        half = half + 0.5 * h * half * (1.0 - half)
        if abs(full - half) > 0.02:
            h = h / 2
            continue
        y, t = 2.0 * half - full, t + h
    return y


add(adaptive_step, 0.3, holomorphic=False)


def bouncing_ball(height, loss):
    y, v, bounces = height, 0.0, 0
    for _ in range(40):
        v -= 9.81 * 0.05
        y += v * 0.05
        if y < 0.0:
            y, v = -loss * y, -loss * v
            bounces += 1
            if bounces == 2:
                break
    return y + 0.1 * v * bounces


add(bouncing_ball, 1.03, A, holomorphic=False)


def simpson(a, b, n):
    h = (b - a) / n
    s = math.exp(-a * a) + math.exp(-b * b)
    for k in range(1, n):
        s += (4 if k % 2 else 2) * math.exp(-(a + k * h) ** 2)
    return s * h / 3


add(simpson, B, A, 6)


def romberg(b):
    table = [[0.5 * b * (1.0 + math.cos(b))]]
    for k in range(1, 4):
        h = b / 2 ** k
        middle = sum(math.cos((2 * i + 1) * h) for i in range(2 ** (k - 1)))
        row = [0.5 * table[-1][0] + h * middle]
        for j in range(1, k + 1):
            row.append(row[-1] + (row[-1] - table[-1][j - 1]) / (4 ** j - 1))
        table.append(row)
    return table[-1][-1] * b


add(romberg, A)


def kahan_sum(v):
    total = carry = 0.0
    for a in v:
        y = a * a - carry
        t = total + y
        carry = (t - total) - y
        total = t
    return total * v[0]


add(kahan_sum, V4)


def horner_with_derivative(c, x):
    p, dp = c[-1], 0.0
    for a in c[-2::-1]:
        dp = dp * x + p
        p = p * x + a
    return p * dp


add(horner_with_derivative, V4, A)


def binary_search_table(x, ys):
    xs = [0.0, 0.4, 0.9, 1.3, 2.0]
    low, high = 0, len(xs) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if xs[middle] <= x else (low, middle)
    t = (x - xs[low]) / (xs[high] - xs[low])
    return (1 - t) * ys[low] + t * ys[high] ** 2


add(binary_search_table, A, V5)


def euclid_exponent(x, m, n):
    while n:
        m, n = n, m % n
        x = x * math.cos(x * m)
    return x ** m


add(euclid_exponent, A, 18, 12)


def collatz_branches(x, n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
            x = x * 0.5 + 0.2
        else:
            n = 3 * n + 1
            x = x * x + 0.1
        steps += 1
    return x * steps


add(collatz_branches, A, 6)


def collatz_of_floats(x):
    steps = 0
    while x > 1.0 and steps < 20:
        if int(x) % 2 == 0:
            x /= 2.0
        else:
            x = 1.3 * x + 0.4
        steps += 1
    return x * x * steps


add(collatz_of_floats, 5.3, holomorphic=False)


def fast_power(x, n):
    result = 1.0
    while n > 0:
        if n & 1:
            result *= x
        x *= x
        n >>= 1
    return result


add(fast_power, A, 13)


def time_warping(v, w):
    n, m = len(v), len(w)
    d = [[math.inf] * (m + 1) for _ in range(n + 1)]
    d[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d[i][j] = (v[i - 1] - w[j - 1]) ** 2 + min(d[i - 1][j], d[i][j - 1], d[i - 1][j - 1])
    return d[n][m]


add(time_warping, 1.07 * V4, W3, holomorphic=False)        # at V4 two ways are equally long


def soft_time_warping(v, w):
    d = np.full((4, 4), 50.0)
    d[0, 0] = 0.0
    for i in range(1, 4):
        for j in range(1, 4):
            before = np.array([d[i - 1, j], d[i, j - 1], d[i - 1, j - 1]])
            d[i, j] = (v[i - 1] - w[j - 1]) ** 2 - np.log(np.sum(np.exp(-before)))
    return d[3, 3]


add(soft_time_warping, V3, W3)


def lu_by_lists(m):
    n = len(m)
    a = [[m[i, j] for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            a[i][k] /= a[k][k]
            for j in range(k + 1, n):
                a[i][j] -= a[i][k] * a[k][j]
    determinant = 1.0
    for k in range(n):
        determinant *= a[k][k]
    return determinant + a[2][1] * a[1][0]


add(lu_by_lists, M33)


def elimination_with_pivots(m, b):
    a, y = m.copy(), b.copy()
    for k in range(3):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        if p != k:
            a[[k, p]], y[[k, p]] = a[[p, k]], y[[p, k]]
        for i in range(k + 1, 3):
            factor = a[i, k] / a[k, k]
            a[i] -= factor * a[k]
            y[i] -= factor * y[k]
    for k in reversed(range(3)):
        y[k] = (y[k] - a[k, k + 1:] @ y[k + 1:]) / a[k, k]
    return np.sum(y * y)


add(elimination_with_pivots, M33[::-1] + 0.2, V3, holomorphic=False)


def power_iteration(m):
    v, last = np.array([1.0, 0.5, 0.2]), 0.0
    for _ in range(200):
        w = m.T @ m @ v
        size = np.sqrt(w @ w)
        v = w / size
        if abs(size - last) < 1e-13:
            break
        last = size
    return size


add(power_iteration, M33, holomorphic=False)


def life_with_masks(v, alive):
    for _ in range(2):
        neighbours = np.roll(alive, 1) + np.roll(alive, -1)
        born = (alive == 0) & (neighbours == 1)
        alive = np.where(born, 1, alive * (neighbours > 0))
        v = v * alive + np.sin(v) * born
    return np.sum(v * v)


add(life_with_masks, V5, np.array([0, 1, 1, 0, 0]))


def viterbi_forward(scores, moves):
    best = [scores[0, s] for s in range(3)]
    back = []
    for t in range(1, 3):
        choice = [max(range(3), key=lambda p: best[p] + moves[p, s]) for s in range(3)]
        best = [best[choice[s]] + moves[choice[s], s] + scores[t, s] for s in range(3)]
        back.append(choice)
    return max(best) ** 2 + len(back)


add(viterbi_forward, M33, M33.T * 0.4, holomorphic=False)


def hidden_markov_forward(p, emission):
    moves = [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.2, 0.2, 0.6]]
    alpha = [p[s] * emission[s] for s in range(3)]
    likelihood = 0.0
    for k in range(3):
        scale = sum(alpha)
        likelihood += math.log(scale)
        alpha = [sum(a * row[s] for a, row in zip(alpha, moves)) / scale * emission[s] ** k for s in range(3)]
    return likelihood


add(hidden_markov_forward, P3, np.array([0.9, 0.2, 0.4]))


def gradient_descent_with_momentum(x, y):
    velocity, losses = 0.0, []
    for k in range(10):
        slope = 2.0 * (x - y) + 0.4 * x ** 3
        velocity = 0.6 * velocity - 0.1 * slope
        x += velocity
        losses.append((x - y) ** 2 + 0.1 * x ** 4)
        if k > 2 and losses[-1] > losses[-2]:
            break
    return losses[-1]


add(gradient_descent_with_momentum, A, B, holomorphic=False)


def arithmetic_geometric_mean(a, b):
    while abs(a - b) > 1e-14:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return a


add(arithmetic_geometric_mean, 1.9, A, holomorphic=False)


def series_until_small(x):
    term = total = 1.0
    k = 1
    while abs(term) > 1e-16:
        term *= x / k
        total += term
        k += 1
    return total


add(series_until_small, A, holomorphic=False)


def continued_fraction(x, n):
    value = x
    for k in range(n, 0, -1):
        value = k + x / value
    return x / value


add(continued_fraction, A, 5)
