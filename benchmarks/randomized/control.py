"""A reaction and diffusion, controlled by seven numbers, and its gradient by equation 8 of the paper.

    φ_{t+1} = M φ_t + Δt C_t φ_t        L = 1/T Σ_t |φ_t − target_t|²        C a Fourier series in x and t, of θ

The steps are linear in φ and known, so that the backward sweep reads ∂L/∂φ_t, by which each step is begun, and φ_t,
with which C_t is multiplied, and C_t is computed again. Equation 8 keeps a sample of both, drawn independently. The
second is what a sampled tape draws by itself. The first is no activation that meets a weight: `by_equation_8` has both
sweeps by hand, of the same samples.
"""
from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import tangent_nb as tnb
from tangent_nb.runtime.kept_samples import sample, unsample

from .memory import between
from .results import Results
from .training import told

BOTH = (0, 1)


def source_of(theta, x, t):
    s, c = np.sin(np.pi * t), np.cos(np.pi * t)
    return (theta[0] + theta[1] * s + theta[2] * c + (theta[3] * s + theta[4] * c) * np.sin(2 * np.pi * x)
            + (theta[5] * s + theta[6] * c) * np.cos(2 * np.pi * x))


def controlled(theta, phi, mode, x, L, steps, dt):
    start, loss = phi, 0.0
    for t in range(steps):
        C = source_of(theta, x, t * dt)
        phi = phi + L @ phi + phi @ L + dt * np.einsum("i,ij->ij", C, phi)
        gap = phi - (start + np.sin(np.pi * (t + 1) * dt) * mode)
        loss = loss + np.sum(gap * gap) / steps
    return loss


def by_equation_8(theta: Any, phi: Any, mode: Any, x: Any, L: Any, steps: int, dt: float, stream: np.random.Generator,
                  fraction: float) -> Any:
    """The gradient, with samples of ∂L/∂φ and of φ; and the bytes allocated between the sweeps."""
    start, kept = phi, []
    for t in range(steps):
        C = source_of(theta, x, t * dt)
        old = sample(phi, stream, fraction=fraction, axis=BOTH)
        phi = phi + L @ phi + phi @ L + dt * C[:, None] * phi
        slope = 2 / steps * (phi - (start + np.sin(np.pi * (t + 1) * dt) * mode))
        kept.append((old, sample(slope, stream, fraction=fraction, axis=BOTH)))
    alive = tracemalloc.get_traced_memory()[0] if tracemalloc.is_tracing() else 0
    bphi, btheta = np.zeros_like(phi), np.zeros(7)
    for t in reversed(range(steps)):
        old, slope = kept.pop()
        bphi = bphi + unsample(slope)
        s, c = np.sin(np.pi * t * dt), np.cos(np.pi * t * dt)
        bC = dt * np.sum(bphi * unsample(old), axis=1)
        total, sine, cosine = np.sum(bC), bC @ np.sin(2 * np.pi * x), bC @ np.cos(2 * np.pi * x)
        btheta += np.array([total, total * s, total * c, sine * s, sine * c, cosine * s, cosine * c])
        bphi = bphi + L @ bphi + bphi @ L + dt * source_of(theta, x, t * dt)[:, None] * bphi
    return btheta, alive


def problem(n: int, end: float) -> tuple[Any, ...]:
    """θ, of which the first keeps φ nearly steady, and what else `controlled` takes, on n×n numbers."""
    dx = 1 / (n + 1)
    dt = dx * dx                                           # D Δt/Δx² = 1/4
    x = dx * np.arange(1, n + 1)
    sine = np.sin(np.pi * x)
    L = 0.25 * (np.diag(np.full(n - 1, 1.0), 1) + np.diag(np.full(n - 1, 1.0), -1) - 2 * np.eye(n))
    theta = np.array([np.pi ** 2 / 2, 0, 0, 0, 0, 0, 0])
    return theta, np.outer(sine, sine), 0.25 * np.outer(np.sin(2 * np.pi * x), sine), x, L, int(end / dt), dt


def gradients(args: tuple[Any, ...], seed: int) -> dict[str, tuple[Callable[[Any], Any], int]]:
    """Of each way a function of θ that gives the gradient, and the bytes that are kept."""
    def tapes(**given: Any) -> tuple[Callable[[Any], Any], int]:
        df = tnb.grad(controlled, **given)
        return lambda theta: df(theta, *args[1:]), between(df, *args)[0]

    def equation(fraction: float) -> tuple[Callable[[Any], Any], int]:
        stream = np.random.default_rng(seed)
        tracemalloc.start()
        alive = by_equation_8(*args, stream, fraction)[1]
        tracemalloc.stop()
        return lambda theta: by_equation_8(theta, *args[1:], stream, fraction)[0], alive

    return {"exact": tapes(), "φ sampled, 0.1": tapes(tape=tnb.Sampled(0.1, axis=BOTH, seed=seed)),
            "equation 8, 0.1": equation(0.1), "equation 8, 0.01": equation(0.01)}


def grown(seed: int = 0) -> list[dict[str, Any]]:
    """The bytes that one more step keeps, on grids of several sizes."""
    rows = []
    for n in (16, 32, 64):
        few, more = (gradients((*problem(n, 1.0)[:5], steps, 1e-4), seed) for steps in (20, 40))
        rows += [{"n": n, "way": way, "bytes": (more[way][1] - few[way][1]) / 20} for way in few]
    return rows


def run(seeds: int, quick: bool) -> None:
    """Optimize θ by Adam, from the same random start for all ways."""
    kept, steps = Results("pde", quick), 5 if quick else 60
    args = problem(16, 0.1 if quick else 1.0)
    sizes = Results("pde_bytes", quick)
    for row in [] if sizes.rows else grown():
        sizes.add(row)
    for row in sizes.rows:
        print(f"{row['n']}x{row['n']:<6}{row['way']:<20}{row['bytes']:>12,.0f} bytes a step")
    for seed in range(min(seeds, 3)):
        ways = ("exact", "φ sampled, 0.1", "equation 8, 0.1", "equation 8, 0.01")
        if all(kept.find(way=way, seed=seed) for way in ways):
            continue
        for way, (gradient, alive) in gradients(args, seed).items():
            if kept.find(way=way, seed=seed) is None:
                told(f"pde: seed {seed + 1}, {way}")
                kept.add({"way": way, "seed": seed, "bytes": alive, **optimized(args, gradient, seed, steps)})
                told(f"    {alive:,} bytes, loss {kept.rows[-1]['loss'][0]:.4f} to {kept.rows[-1]['loss'][-1]:.4f}")


def optimized(args: tuple[Any, ...], gradient: Callable[[Any], Any], seed: int, steps: int) -> dict[str, Any]:
    """The losses on the way."""
    theta = args[0] + np.random.default_rng(seed).uniform(-0.5, 0.5, 7) * (np.arange(7) > 0)
    mean, square, at, losses = np.zeros(7), np.zeros(7), [], []
    for step in range(1, steps + 1):
        at.append(step - 1)
        losses.append(float(controlled(theta, *args[1:])))
        g = gradient(theta)
        mean, square = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g * g
        theta = theta - 0.1 * mean / (1 - 0.9 ** step) / (np.sqrt(square / (1 - 0.999 ** step)) + 1e-8)
    return {"step": [*at, steps], "loss": [*losses, float(controlled(theta, *args[1:]))]}
