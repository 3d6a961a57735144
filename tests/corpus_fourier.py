"""The part of the corpus about Fourier transforms."""
from __future__ import annotations

import functools

import corpus
import numpy as np
from corpus import M23, M33, T223, V3, V4, V5, section

section("fft")
add = functools.partial(corpus.add, holomorphic=False)


def op(name, expression, _reduce="np.sum(np.abs(y) ** 2 * np.real(y))", **arguments):
    """An entry that is one expression, whose result may be complex."""
    corpus.op(name, expression, _reduce, _details={"holomorphic": False}, **arguments)


for transform in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    op(transform, f"np.fft.{transform}(x)", x=V4)
    op(f"{transform}_odd", f"np.fft.{transform}(x, norm='ortho')", x=V5)
    op(f"{transform}_longer", f"np.fft.{transform}(x, 7, norm='forward')", x=V5)
    op(f"{transform}_shorter", f"np.fft.{transform}(x, n=3, axis=0)", x=V5)
    op(f"{transform}_rows", f"np.fft.{transform}(x, axis=0, norm='backward')", x=M33)
for transform in ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"):
    op(transform, f"np.fft.{transform}(x)", x=M23)
    op(f"{transform}_of_three", f"np.fft.{transform}(x, axes=(2, 0), norm='ortho')", x=T223)
    op(f"{transform}_resized", f"np.fft.{transform}(x, s=(4, 2), axes=(0, 1), norm='forward')", x=M33)
op("fftshift", "np.fft.fftshift(x * x) * w", x=V5, w=V5[::-1].copy())
op("ifftshift", "np.fft.ifftshift(x * x, axes=1)", x=M23)


def power_spectrum(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * np.arange(4.0))


def phase(x):
    spectrum = np.fft.rfft(x)
    return np.sum(spectrum.real ** 3 + spectrum.imag ** 2 * spectrum.real)


def convolved(x, kernel):
    return np.sum(np.fft.irfft(np.fft.rfft(x, 8) * np.fft.rfft(kernel, 8), 8)[:6] ** 3)


def derivative_by_spectrum(x):
    k = 2j * np.pi * np.fft.fftfreq(5)
    return np.sum(np.real(np.fft.ifft(k * np.fft.fft(x))) ** 4)


def back_and_forth(x):
    return np.sum(np.real(np.fft.ifft(np.fft.fft(x, axis=0) * np.exp(1j * x), axis=0)) ** 3)


def conjugated(x):
    spectrum = np.fft.fft2(x)
    return np.sum((spectrum * np.conj(spectrum)).real ** 2) + np.sum(np.abs(np.fft.ifft2(np.conj(spectrum) * x)))


add(power_spectrum, V4)
add(phase, V5)
add(convolved, V4, V3)
add(derivative_by_spectrum, V5)
add(back_and_forth, M23)
add(conjugated, M33)
