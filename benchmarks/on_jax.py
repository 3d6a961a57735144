"""How long gradients take on JAX: ours, of functions on NumPy,
beside `jax.jit(jax.grad(f))` of the same functions on `jax.numpy`.

Needs JAX; runs on its first device, a GPU where it sees one. Prints microseconds a call in single precision (the median
of 30 batches, after each of which the device is waited for), how long the first call takes, in seconds, and how far the
gradients are from those of NumPy in double precision (the largest of ‖ours − NumPy‖ / ‖NumPy‖). `--small` takes sizes
that a processor computes in no time.
"""
from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import tangent_nb as tnb

BATCHES = 30
SECONDS = 0.02                 # of a batch
SMALL = "--small" in sys.argv[1:]


def mlp(x, w1, b1, w2, b2, w3, b3, target):
    h = np.tanh(np.dot(x, w1) + b1)
    h = np.tanh(np.dot(h, w2) + b2)
    logits = np.dot(h, w3) + b3
    logits = logits - np.max(logits, axis=-1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(logits), axis=-1)) - np.sum(logits * target, axis=-1))


def mlp_jax(x, w1, b1, w2, b2, w3, b3, target):
    h = jnp.tanh(jnp.dot(x, w1) + b1)
    h = jnp.tanh(jnp.dot(h, w2) + b2)
    logits = jnp.dot(h, w3) + b3
    logits = logits - jnp.max(logits, axis=-1, keepdims=True)
    return jnp.mean(jnp.log(jnp.sum(jnp.exp(logits), axis=-1)) - jnp.sum(logits * target, axis=-1))


def attention(x, wq, wk, wv, wo):
    heads, width = wq.shape[1], wq.shape[2]
    q = np.einsum("btd,dhe->bhte", x, wq)
    k = np.einsum("btd,dhe->bhte", x, wk)
    v = np.einsum("btd,dhe->bhte", x, wv)
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / width ** 0.5
    scores = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = scores / np.sum(scores, axis=-1, keepdims=True)
    mixed = np.transpose(np.matmul(weights, v), (0, 2, 1, 3)).reshape(x.shape[0], x.shape[1], heads * width)
    return np.mean((np.matmul(mixed, wo) - x) ** 2)


def attention_jax(x, wq, wk, wv, wo):
    heads, width = wq.shape[1], wq.shape[2]
    q = jnp.einsum("btd,dhe->bhte", x, wq)
    k = jnp.einsum("btd,dhe->bhte", x, wk)
    v = jnp.einsum("btd,dhe->bhte", x, wv)
    scores = jnp.matmul(q, jnp.swapaxes(k, -1, -2)) / width ** 0.5
    scores = jnp.exp(scores - jnp.max(scores, axis=-1, keepdims=True))
    weights = scores / jnp.sum(scores, axis=-1, keepdims=True)
    mixed = jnp.transpose(jnp.matmul(weights, v), (0, 2, 1, 3)).reshape(x.shape[0], x.shape[1], heads * width)
    return jnp.mean((jnp.matmul(mixed, wo) - x) ** 2)


def stencil(u, k, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1])
    return np.sum(u * u)


def stencil_jax(u, k, steps):
    for _ in range(steps):
        u = u.at[1:-1, 1:-1].add(k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]))
    return jnp.sum(u * u)


def programs() -> list[tuple[str, Callable[..., Any], Callable[..., Any], tuple[int, ...], tuple[Any, ...]]]:
    """A description, the function on NumPy and on `jax.numpy`, the places of what is differentiated, the arguments."""
    draw = np.random.default_rng(0)
    rows, wide, classes = (64, 64, 10) if SMALL else (4096, 2048, 1000)
    batch, length, model, heads = (2, 16, 32, 4) if SMALL else (8, 1024, 1024, 16)
    side, steps = (64, 5) if SMALL else (4096, 20)

    def normal(*shape: int) -> np.ndarray:
        return (draw.normal(size=shape) / shape[0] ** 0.5).astype(np.float32)

    layers = (normal(wide, wide), normal(wide), normal(wide, wide), normal(wide), normal(wide, classes),
              normal(classes))
    target = np.eye(classes, dtype=np.float32)[draw.integers(classes, size=rows)]
    projections = tuple(normal(model, heads, model // heads) for _ in range(3))
    x = draw.normal(size=(batch, length, model)).astype(np.float32)
    return [
        (f"MLP, {rows} rows, 3 layers, {wide} wide", mlp, mlp_jax, (1, 2, 3, 4, 5, 6),
         (normal(rows, wide), *layers, target)),
        (f"attention, {batch} × {length} × {model}, {heads} heads", attention, attention_jax, (1, 2, 3, 4),
         (x, *projections, normal(model, model))),
        (f"stencil, {side} × {side}, {steps} steps", stencil, stencil_jax, (0, 1),
         (draw.normal(size=(side, side)).astype(np.float32), np.float32(0.1), steps)),
    ]


def microseconds(gradient: Callable[..., Any], args: Sequence[Any]) -> float:
    """Of one call: the median of batches of calls, after each of which the device is waited for."""
    start = time.perf_counter()
    jax.block_until_ready(gradient(*args))
    calls = max(1, int(SECONDS / (time.perf_counter() - start)))
    taken = []
    for _ in range(BATCHES):
        start = time.perf_counter()
        jax.block_until_ready([gradient(*args) for _ in range(calls)])
        taken.append((time.perf_counter() - start) / calls)
    return statistics.median(taken) * 1e6


def distance(got: Sequence[Any], want: Sequence[Any]) -> float:
    return max(float(np.linalg.norm(np.asarray(g, float) - w) / np.linalg.norm(w))
               for g, w in zip(got, want, strict=True))


def compare(description: str, ours: Callable[..., Any], theirs: Callable[..., Any], wrt: tuple[int, ...],
            args: tuple[Any, ...]) -> None:
    """Print the lines of one program: the gradient of JAX, and both of ours."""
    static = tuple(place for place, value in enumerate(args) if isinstance(value, int))
    held = [value if place in static else jax.device_put(value) for place, value in enumerate(args)]
    want = tnb.grad(ours, wrt)(*(value if place in static else np.asarray(value, float)
                                 for place, value in enumerate(args)))
    makers: dict[str, Callable[[], Callable[..., Any]]] = {
        "jax.jit(jax.grad(f))": lambda: jax.jit(jax.grad(theirs, wrt), static_argnums=static),
        'grad(f, backend="jax", compile="jit")': lambda: tnb.grad(ours, wrt, backend="jax", compile="jit"),
        'grad(f, backend="jax")': lambda: tnb.grad(ours, wrt, backend="jax"),
    }
    least = None
    for name, make in makers.items():
        start = time.perf_counter()
        gradient = make()
        got = jax.block_until_ready(gradient(*held))
        first = time.perf_counter() - start
        each = microseconds(gradient, held)
        least = least or each
        print(f"| {description} | `{name}` | {each:,.0f} | {each / least:.2f} | {first:.2f} | "
              f"{distance(got, want):.0e} |", flush=True)


def main() -> None:
    kind = jax.devices()[0].device_kind
    print(f"{kind}, Python {platform.python_version()}, NumPy {np.__version__}, JAX "
          f"{jax.__version__}, single precision\n")
    print("| gradient | | µs a call | beside jax.grad | first call, s | from NumPy |\n|---|---|---|---|---|---|")
    for program in programs():
        compare(*program)


if __name__ == "__main__":
    main()
