"""Kernels on signals and images: transforms, convolutions, recurrences, networks."""
import numpy as np
from kernels.collect import kernel

X = np.array([0.4, -0.7, 1.1, 0.3, 0.9, -0.2, 0.6, 0.1])
IMAGE = np.sin(np.arange(20.0)).reshape(4, 5)
MASK = np.array([[0.5, -0.2, 0.3], [0.1, 0.8, -0.4]])


def prefix_sums(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]
    return np.sum(y * y)


kernel(prefix_sums, X)


def prefix_sums_doubling(x):
    y = x.copy()
    step = 1
    while step < len(y):
        y[step:] += y[:-step]
        step *= 2
    return np.sum(y ** 3)


kernel(prefix_sums_doubling, X)


def prefix_sums_tree(x):
    y = x.copy()
    n = len(y)
    d = 1
    while d < n:
        y[2 * d - 1::2 * d] += y[d - 1::2 * d]
        d *= 2
    y[n - 1] = 0.0
    while d > 1:
        d //= 2
        t = y[d - 1::2 * d].copy()
        y[d - 1::2 * d] = y[2 * d - 1::2 * d]
        y[2 * d - 1::2 * d] += t
    return np.sum(y * np.arange(n))


kernel(prefix_sums_tree, X)


def cumulative_product(x):
    y = np.ones(len(x) + 1)
    for i in range(len(x)):
        y[i + 1] = y[i] * (1.0 + x[i])
    return np.sum(y)


kernel(cumulative_product, X)


def cumulative_product_in_place(x, w):
    y = x + 2.0
    for i in range(1, len(y)):
        y[i] *= y[i - 1]
        y[i] /= w
    return np.sum(y)


kernel(cumulative_product_in_place, X, 1.7)


def recursive_filter(x, a, b):
    y = np.zeros_like(x)
    for n in range(len(x)):
        y[n] = b * x[n]
        if n > 0:
            y[n] += a * y[n - 1]
        if n > 1:
            y[n] -= 0.5 * a * a * y[n - 2]
    return np.sum(y * y)


kernel(recursive_filter, X, 0.6, 1.2)


def deriche_rows(image, alpha):
    y = np.empty_like(image)
    z = np.empty_like(image)
    k = (1.0 - np.exp(-alpha)) ** 2
    for i in range(image.shape[0]):
        before = 0.0
        for j in range(image.shape[1]):
            y[i, j] = k * image[i, j] + np.exp(-alpha) * before
            before = y[i, j]
        after = 0.0
        for j in range(image.shape[1] - 1, -1, -1):
            z[i, j] = k * image[i, j] + np.exp(-alpha) * after
            after = z[i, j]
    np.add(y, z, out=y)
    return np.sum(y * y)


kernel(deriche_rows, IMAGE, 0.5)


def convolution(image, mask):
    h, w = mask.shape
    rows, columns = image.shape[0] - h + 1, image.shape[1] - w + 1
    out = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            for a in range(h):
                for b in range(w):
                    out[i, j] += image[i + a, j + b] * mask[a, b]
    return np.sum(out * out)


kernel(convolution, IMAGE, MASK)


def convolution_shifts(image, mask):
    h, w = mask.shape
    out = np.zeros((image.shape[0] - h + 1, image.shape[1] - w + 1))
    for a in range(h):
        for b in range(w):
            out += image[a:a + out.shape[0], b:b + out.shape[1]] * mask[a, b]
    return np.sum(np.tanh(out))


kernel(convolution_shifts, IMAGE, MASK)


def im2col(image, mask):
    h, w = mask.shape
    rows, columns = image.shape[0] - h + 1, image.shape[1] - w + 1
    patches = np.empty((rows * columns, h * w))
    k = 0
    for i in range(rows):
        for j in range(columns):
            patches[k] = image[i:i + h, j:j + w].reshape(-1)
            k += 1
    out = np.dot(patches, mask.ravel()).reshape(rows, columns)
    return np.sum(out ** 3)


kernel(im2col, IMAGE, MASK)


def max_pool(image):
    rows, columns = image.shape[0] // 2, image.shape[1] // 2
    out = np.full((rows, columns), -10.0)
    for i in range(rows):
        for j in range(columns):
            for a in range(2):
                for b in range(2):
                    out[i, j] = max(out[i, j], image[2 * i + a, 2 * j + b])
    return np.sum(out * out)


kernel(max_pool, IMAGE, holomorphic=False)


def pad_and_blur(image):
    big = np.zeros((image.shape[0] + 2, image.shape[1] + 2))
    big[1:-1, 1:-1] = image
    big[0], big[-1] = big[1], big[-2]
    big[:, 0] = big[:, 1]
    big[:, -1] = big[:, -2]
    out = np.zeros_like(image)
    for di in (-1, 0, 1):
        for dj in (-1, 0, 1):
            out += big[1 + di:1 + di + image.shape[0], 1 + dj:1 + dj + image.shape[1]] / 9.0
    return np.sum(out * image)


kernel(pad_and_blur, IMAGE)


def fft(re, im):
    n = len(re)
    re, im = re.copy(), im.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            re[i], re[j] = re[j], re[i]
            im[i], im[j] = im[j], im[i]
    size = 2
    while size <= n:
        half = size // 2
        for start in range(0, n, size):
            for k in range(half):
                c, s = np.cos(-2.0 * np.pi * k / size), np.sin(-2.0 * np.pi * k / size)
                p, q = start + k, start + k + half
                tr = c * re[q] - s * im[q]
                ti = c * im[q] + s * re[q]
                re[q] = re[p] - tr
                im[q] = im[p] - ti
                re[p] += tr
                im[p] += ti
        size *= 2
    return np.sum((re * re + im * im) * np.arange(n))


kernel(fft, X, X[::-1] * 0.6)


def haar(x):
    y = x.copy()
    n = len(y)
    while n > 1:
        half = n // 2
        a = (y[0:n:2] + y[1:n:2]) / np.sqrt(2.0)
        d = (y[0:n:2] - y[1:n:2]) / np.sqrt(2.0)
        y[:half] = a
        y[half:n] = d
        n = half
    return np.sum(y ** 3)


kernel(haar, X)


def lifting(x):
    y = x.copy()
    y[1::2] -= y[0::2]
    y[0::2] += 0.5 * y[1::2]
    y[1:-1:2] -= 0.25 * y[2::2]
    return np.sum(y ** 3)


kernel(lifting, X)


def rnn(x, w, u, b):
    h = np.zeros((len(x) + 1, len(b)))
    for t in range(len(x)):
        h[t + 1] = np.tanh(w @ h[t] + u * x[t] + b)
    return np.sum(h[1:] * h[1:])


kernel(rnn, X[:4], MASK[:, :2] * 0.7, np.array([0.4, -0.9]), np.array([0.1, 0.3]))


def gru(x, w, u):
    n = len(u)
    h = np.zeros(n)
    out = np.empty((len(x), n))
    for t in range(len(x)):
        z = 1.0 / (1.0 + np.exp(-(w @ h + u * x[t])))
        h *= 1.0 - z
        h += z * np.tanh(u * x[t] + h)
        out[t, :] = h
    return np.sum(out[-1] * out[0])


kernel(gru, X[:4], MASK[:, :2], np.array([0.4, -0.9]))


def softmax_in_place(x):
    y = x.copy()
    y -= np.max(y, axis=1, keepdims=True)
    np.exp(y, out=y)
    y /= np.sum(y, axis=1, keepdims=True)
    return np.sum(y * y * np.arange(5.0))


kernel(softmax_in_place, IMAGE, holomorphic=False)


def mlp(x, w1, w2, b):
    h = np.empty((len(x), w1.shape[1]))
    np.dot(x, w1, out=h)
    h += b
    np.maximum(h, 0.0, out=h)
    out = h @ w2
    np.tanh(out, out)
    return np.mean(out * out)


kernel(mlp, IMAGE[:, :2], MASK, MASK.T, np.array([0.1, 0.2, -0.1]), holomorphic=False)


def adam(x, target, steps):
    m, v = np.zeros_like(x), np.zeros_like(x)
    x = x.copy()
    for t in range(1, steps + 1):
        g = 2.0 * (x - target)
        m *= 0.9
        m += 0.1 * g
        v *= 0.99
        v += 0.01 * g * g
        x -= 0.1 * (m / (1.0 - 0.9 ** t)) / (np.sqrt(v / (1.0 - 0.99 ** t)) + 1e-3)
    return np.sum(x * x)


kernel(adam, X[:4], X[4:], 3)


def histogram(x, weights):
    where = np.array([0, 2, 1, 2, 0, 3, 3, 3])
    bins = np.zeros(4)
    np.add.at(bins, where, weights * x)
    count = np.zeros(4)
    np.add.at(count, where, 1.0)
    bins /= count
    return np.sum(bins * bins)


kernel(histogram, X, X[::-1] + 2.0)


def histogram_loops(x, weights):
    bins = np.zeros(5)
    for k in range(len(x)):
        place = 2.0 + 1.2 * x[k]
        i = int(place)
        part = place - i
        bins[i] += (1.0 - part) * weights[k]
        bins[i + 1] += part * weights[k]
    return np.sum(bins * bins)


kernel(histogram_loops, X, X + 2.0, holomorphic=False)


def scatter_forces(x, edges):
    force = np.zeros_like(x)
    d = x[edges[:, 1]] - x[edges[:, 0]]
    np.add.at(force, edges[:, 0], d ** 3)
    np.subtract.at(force, edges[:, 1], d ** 3)
    return np.sum(force * force)


kernel(scatter_forces, X, np.array([[0, 1], [1, 2], [0, 2], [5, 7], [7, 5]]))


def median_filter(x):
    y = np.zeros(len(x) - 2)
    window = np.zeros(3)
    for i in range(len(y)):
        np.copyto(window, x[i:i + 3])
        window.sort()
        y[i] = window[1]
    return np.sum(y * y)


kernel(median_filter, X, holomorphic=False)


def trimmed_mean(x):
    y = x * x
    y.sort()
    y[:2].fill(0.0)
    y[-2:] = 0.0
    return np.sum(y) / 4.0


kernel(trimmed_mean, X, holomorphic=False)
