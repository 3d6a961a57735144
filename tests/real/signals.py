"""Windows, filters, spectra, images and sound."""
from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import math
import operator
import warnings
from collections.abc import Iterable, Sequence

import numpy as np
import scipy.signal as sg
from corpus import M33, M44, V3, V4, V5, A, add, section
from numpy.fft import irfft, rfft
from numpy.lib.stride_tricks import sliding_window_view
from scipy import ndimage

import tangent_nb as tnb

section("real_signals")

log = logging.getLogger(__name__)
X8 = np.array([0.3, -0.8, 1.2, 0.5, -0.4, 0.9, -1.1, 0.2])
PI2 = 2 * np.pi


def is_power2(num):
    num = int(num)
    return num != 0 and ((num & (num - 1)) == 0)


def window(name, n, sym=True):
    if n < 1:
        return np.array([])
    if n == 1:
        return np.ones(1)
    m = n - 1 if sym else n
    k = np.arange(n)
    shapes = {"hann": (0.5, 0.5), "hamming": (0.54, 0.46), "blackman": (0.42, 0.5, 0.08)}
    try:
        coeffs = shapes[name]
    except KeyError as error:
        raise ValueError(f"Unknown window type: {name}") from error
    return sum((-1) ** i * a * np.cos(PI2 * i * k / m) for i, a in enumerate(coeffs))


def spectral_power(x, name="hann"):
    w = window(name, len(x), sym=False)
    spectrum = rfft(x * w)
    return np.sum(np.abs(spectrum) ** 2 * np.arange(len(spectrum)))


add(spectral_power, X8, wrt=(0,), notes="constants unreached", holomorphic=False)


class Biquad:
    """Direct form II transposed."""

    def __init__(self, b0, b1, b2, a1, a2):
        self.b0, self.b1, self.b2 = b0, b1, b2
        self.a1, self.a2 = a1, a2
        self.z1 = self.z2 = 0.0

    @classmethod
    def lowpass(cls, freq, q=0.707):
        w0 = PI2 * freq
        alpha = np.sin(w0) / (2 * q)
        c = np.cos(w0)
        a0 = 1 + alpha
        return cls((1 - c) / 2 / a0, (1 - c) / a0, (1 - c) / 2 / a0, -2 * c / a0, (1 - alpha) / a0)

    def process(self, x):
        y = self.b0 * x + self.z1
        self.z1 = self.b1 * x - self.a1 * y + self.z2
        self.z2 = self.b2 * x - self.a2 * y
        return y


def filtered_energy(freq, q):
    biquad = Biquad.lowpass(freq, q)
    return sum(biquad.process(x) ** 2 for x in X8)


add(filtered_energy, 0.1, 0.8, notes="objects control")


class FilterChain:
    """Stages one after the other."""

    def __init__(self, stages: Iterable[Biquad] = ()):
        self.stages = list(stages)

    def append(self, stage):
        self.stages.append(stage)
        return self

    def __call__(self, signal):
        out = []
        for sample in signal:
            for stage in self.stages:
                sample = stage.process(sample)
            out.append(sample)
        return np.array(out)


def chain_output(freq, gain):
    chain = FilterChain([Biquad.lowpass(freq)]).append(Biquad(gain, 0.1, 0.0, -0.2, 0.1))
    return np.sum(chain(X8) * np.cos(np.arange(8)))


add(chain_output, 0.15, 1.2, notes="objects values lists")


def frame(x, size, hop):
    count = 1 + (len(x) - size) // hop
    index = np.arange(size)[None, :] + hop * np.arange(count)[:, None]
    return x[index]


def stft_loss(x):
    padded = np.pad(x, 2, mode="reflect")
    frames = frame(padded, 4, 2) * window("hamming", 4)
    mag = np.abs(np.fft.rfft(frames, axis=-1))
    return np.sum(np.log1p(mag))


add(stft_loss, X8, notes="constants", holomorphic=False)


def overlap_add(frames, hop):
    n, size = frames.shape
    out = np.zeros(hop * (n - 1) + size)
    for k, f in enumerate(frames):
        out[k * hop:k * hop + size] += f
    return out


def resynthesised(x, gain):
    frames = frame(x, 4, 2) * gain
    return np.sum(overlap_add(frames, 2) ** 2)


add(resynthesised, X8, V4, notes="constants ownership")


def fir_filter(x, taps):
    if not is_power2(len(x)):
        raise ValueError(f"length {len(x)} is no power of two")
    size = 2 * len(x)
    return irfft(rfft(x, size) * rfft(taps, size), size)[: len(x)]


def fir_output(x, taps):
    return np.sum(fir_filter(x, taps) ** 3)


add(fir_output, X8, V3, notes="unreached constants", holomorphic=False)


def moving_average(x, width):
    kernel = np.ones(width) / width
    return np.convolve(x, kernel, mode="valid")


def detrended(x):
    n = len(x)
    t = np.arange(n, dtype=float)
    A_ = np.vstack([t, np.ones(n)]).T
    coef = np.linalg.lstsq(A_, x, rcond=None)[0]
    return x - A_ @ coef


def roughness(x):
    return np.sum(moving_average(detrended(x), 3) ** 2)


add(roughness, X8, notes="constants", holomorphic=False)


def db(x, ref=1.0, floor=None):
    level = 20 * np.log10(np.maximum(np.abs(x), np.finfo(float).tiny) / ref)
    return level if floor is None else np.maximum(level, floor)


def compressor(x, threshold, ratio):
    level = db(x, floor=-60.0)
    over = level - threshold
    gain = np.where(over > 0, -over * (1 - 1 / ratio), 0.0)
    return x * 10 ** (gain / 20)


def loudness(x, threshold, ratio):
    return np.sqrt(np.mean(compressor(x, threshold, ratio) ** 2))


add(loudness, X8, -6.0, 3.0, notes="constants library", holomorphic=False)


def karplus_strong(excitation, damping, n=12):
    buffer = list(excitation)
    out = []
    for _ in range(n):
        first = buffer.pop(0)
        out.append(first)
        buffer.append(damping * 0.5 * (first + buffer[0]))
    return out


def plucked(excitation, damping):
    return sum(s * s * k for k, s in enumerate(karplus_strong(excitation, damping)))


add(plucked, V4, 0.95, notes="lists")


def fm_synth(freqs, index, t=None):
    t = np.linspace(0, 1, 6, endpoint=False) if t is None else t
    carrier, modulator = freqs
    return np.sin(PI2 * carrier * t + index * np.sin(PI2 * modulator * t))


def synth_distance(freqs, index):
    target = fm_synth((0.5, 1.5), 0.8)
    return np.mean((fm_synth(freqs, index) - target) ** 2)


add(synth_distance, np.array([0.6, 1.2]), 0.5, notes="lists stars")


def gaussian_kernel1d(sigma, truncate=3.0):
    radius = int(truncate * 1.0 + 0.5)
    x = np.arange(-radius, radius + 1)
    phi = np.exp(-0.5 / sigma ** 2 * x ** 2)
    return phi / phi.sum()


def blurred(image, sigma):
    k = gaussian_kernel1d(sigma)
    r = len(k) // 2
    padded = np.pad(image, r, mode="edge")
    rows = sum(w * padded[:, i:i + image.shape[1]] for i, w in enumerate(k))
    return sum(w * rows[i:i + image.shape[0]] for i, w in enumerate(k))


def blur_energy(image, sigma):
    return np.sum(blurred(image, sigma) ** 2)


add(blur_energy, M44, 0.8, notes="constants lists")


def sobel_magnitude(image):
    gx = ndimage.sobel(image, axis=0, mode="reflect")
    gy = ndimage.sobel(image, axis=1, mode="reflect")
    return np.mean(np.sqrt(gx ** 2 + gy ** 2 + 1e-3))


add(sobel_magnitude, M44, notes="rules", holomorphic=False)


def image_pyramid(image, levels=2):
    pyramid = [image]
    for _ in range(levels):
        smooth = ndimage.gaussian_filter(pyramid[-1], 0.7)
        pyramid.append(smooth[::2, ::2])
    return pyramid


def pyramid_sum(image):
    return sum(np.sum(level ** 2) * 4 ** k for k, level in enumerate(image_pyramid(image)))


add(pyramid_sum, M44, notes="rules lists", holomorphic=False)


def butter_step(x, cutoff=0.3):
    b, a = sg.butter(2, cutoff)
    return sg.lfilter(b, a, x)


def filtered_peak(x):
    return np.sum(butter_step(x) ** 2)


add(filtered_peak, X8, notes="rules constants", holomorphic=False)


def autocorrelation(x, max_lag=3):
    x = x - np.mean(x)
    full = np.correlate(x, x, mode="full")
    half = full[full.size // 2:]
    return half[: max_lag + 1] / half[0]


add(autocorrelation, X8, wrt=(0,), notes="constants", holomorphic=False)


def levinson(r, order):
    a = [1.0]
    error = r[0]
    for i in range(1, order + 1):
        acc = sum(a[j] * r[i - j] for j in range(i))
        k = -acc / error
        a = [x + k * y for x, y in zip(a + [0.0], [0.0] + a[::-1])]
        error = error * (1 - k * k)
    return a, error


def prediction_error(x):
    r = [np.dot(x[: len(x) - k], x[k:]) + (0.1 if k == 0 else 0.0) for k in range(3)]
    coeffs, error = levinson(r, 2)
    return error + coeffs[-1] ** 2


add(prediction_error, X8, notes="lists")


def goertzel(x, k):
    w = PI2 * k / len(x)
    s1 = s2 = 0.0
    for sample in x:
        s0 = sample + 2 * math.cos(w) * s1 - s2
        s2, s1 = s1, s0
    return s1 * s1 + s2 * s2 - 2 * math.cos(w) * s1 * s2


add(goertzel, X8, 2, wrt=(0,), notes="constants")


def lms(x, desired, mu, taps=3):
    w = np.zeros(taps)
    errors = []
    for window_, d in zip(sliding_window_view(x, taps), desired):
        e = d - w @ window_
        w = w + mu * e * window_
        errors.append(e)
    return w, np.array(errors)


def adaptive_error(x, mu):
    w, errors = lms(x, np.roll(x, 1)[2:], mu)
    return np.sum(errors ** 2) + w[0]


add(adaptive_error, X8, 0.2, notes="lists")


class Wavelet:
    """Coefficients by class; analysis by recursion."""

    low: Sequence[float] = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.high = [(-1) ** k * c for k, c in enumerate(reversed(cls.low))]

    def split(self, x):
        pairs = x.reshape(-1, 2)
        return pairs @ np.array(self.low), pairs @ np.array(self.high)

    def decompose(self, x, level):
        if level == 0 or len(x) % 2:
            return [x]
        approx, detail = self.split(x)
        return self.decompose(approx, level - 1) + [detail]


class Haar(Wavelet):
    """The shortest."""

    low = (2 ** -0.5, 2 ** -0.5)


def shrunk(x, threshold):
    parts = Haar().decompose(x, 2)
    return sum(np.sum(np.sign(p) * np.maximum(np.abs(p) - threshold, 0.0)) for p in parts)


add(shrunk, X8, 0.1, notes="objects lists", holomorphic=False)


def bilinear_sample(image, x, y):
    x0, y0 = int(np.floor(x)), int(np.floor(y))
    fx, fy = x - x0, y - y0
    x1, y1 = min(x0 + 1, image.shape[1] - 1), min(y0 + 1, image.shape[0] - 1)
    top = image[y0, x0] * (1 - fx) + image[y0, x1] * fx
    bottom = image[y1, x0] * (1 - fx) + image[y1, x1] * fx
    return top * (1 - fy) + bottom * fy


def warped(image, dx, dy):
    points = itertools.product((0.6, 1.7), (0.2, 1.4))
    return sum(bilinear_sample(image, px + dx, py + dy) for px, py in points)


add(warped, M44, 0.1, 0.25, notes="library constants", holomorphic=False)


def non_local(patchy, h):
    weights = np.empty((len(patchy), len(patchy)))
    for i, j in itertools.product(range(len(patchy)), repeat=2):
        weights[i, j] = np.exp(-np.sum((patchy[i] - patchy[j]) ** 2) / h ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ patchy


def denoised(image, h):
    return np.sum(non_local(image, h) ** 3)


add(denoised, M44, 1.1, notes="library ownership")


@contextlib.contextmanager
def gain_staging(scale):
    log.debug("gain is %s", scale)
    yield lambda x: x * scale
    log.debug("gain is back")


def staged(x, scale):
    with gain_staging(scale) as louder:
        y = louder(np.tanh(louder(x)))
    return np.sum(y)


add(staged, X8, 1.3, notes="control values unreached")


def samples(x, step):
    for k in range(0, len(x), step):
        yield x[k] * x[k]


def decimated(x, scale):
    return sum(samples(x * scale, 2)) + max(samples(x, 3)) * scale


add(decimated, X8, 0.7, notes="control", holomorphic=False)


def chirp_phase(coeffs, t):
    frequency = np.poly1d([1.0, 0.5])
    return np.polyval(coeffs, t) * frequency(0.5)


def chirp_energy(coeffs):
    t = np.linspace(0, 1, 5)
    return np.sum(np.sin(chirp_phase(coeffs, t)) ** 2)


add(chirp_energy, V3, notes="library")


def pole_zero_gain(poles, zeros, w):
    z = np.exp(1j * w)
    num = functools.reduce(operator.mul, (z - q for q in zeros), 1.0)
    den = functools.reduce(operator.mul, (z - p for p in poles), 1.0)
    return np.abs(num / den)


def response(p, q, w):
    return pole_zero_gain([p, -0.5 * p], [q], w)


add(response, 0.4, -0.3, 0.9, notes="library lists", holomorphic=False)


def peak_interpolated(x):
    """The vertex of a parabola through the largest sample and its neighbours."""
    k = int(np.argmax(x[1:-1])) + 1
    a, b, c = x[k - 1:k + 2]
    denominator = a - 2 * b + c
    if denominator == 0:
        warnings.warn("a flat peak")
        return b
    return b - 0.125 * (a - c) ** 2 / denominator


add(peak_interpolated, X8, notes="constants unreached", holomorphic=False)


def total_variation(image, *, isotropic=True, eps=1e-2):
    dx, dy = np.diff(image, axis=0)[:, :-1], np.diff(image, axis=1)[:-1, :]
    return np.sum(np.sqrt(dx ** 2 + dy ** 2 + eps)) if isotropic else np.sum(np.abs(dx)) + np.sum(np.abs(dy))


def tv_descent(image, weight):
    def objective(u):
        return np.sum((u - image) ** 2) + weight * total_variation(u)
    u = image
    for _ in range(2):
        u = u - 0.1 * tnb.grad(objective)(u)
    return np.sum(u * M44.T)


add(tv_descent, M44, 0.4, notes="inner", holomorphic=False)


def sinc_resample(x, ratio):
    n = np.arange(len(x))
    positions = [k * ratio for k in range(4)]
    return np.array([np.sum(x * np.sinc(p - n)) for p in positions])


def resampled(x, ratio):
    return np.sum(sinc_resample(x, ratio) ** 2)


add(resampled, V5, 0.83, notes="lists", holomorphic=False)


def envelope(x, attack, release):
    state = 0.0
    trace = np.zeros_like(x)
    for i, s in enumerate(np.abs(x)):
        coefficient = attack if s > state else release
        state = coefficient * state + (1 - coefficient) * s
        trace[i] = state
    return trace


def envelope_area(x, attack, release):
    return np.trapezoid(envelope(x, attack, release), dx=0.1)


add(envelope_area, X8, 0.3, 0.9, notes="ownership control", holomorphic=False)


def homography(points, h):
    H = np.append(h, 1.0).reshape(3, 3)
    homogeneous = np.column_stack([points, np.ones(len(points))])
    mapped = homogeneous @ H.T
    return mapped[:, :2] / mapped[:, 2:]


def registration_error(h):
    pts = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.7, 0.8]])
    return np.sum((homography(pts, h) - pts[::-1]) ** 2)


add(registration_error, M33.ravel()[:8] * 0.5, notes="constants")
_ = A
