"""Programs whose runs are written down, and drawn."""
import numpy as np


def survey(x1, x2):
    a, b, c = np.log(x1), x1 * x2, np.sin(x2)
    return a + b - c


def halved(t):
    if t > 1.0:
        t = t / 2.0
    return t


def loop(x, n):
    for _ in range(n):
        x = halved(x) * x
    return x
