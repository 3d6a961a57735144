"""How many bytes a gradient keeps between its two sweeps, with all activations and with samples of them, beside what
the paper accounts (D. Oktay et al., "Randomized Automatic Differentiation", ICLR 2021, appendix A).

Measured is what `tracemalloc` counts when the first line of the backward sweep begins: all that the forward sweep has
made and holds, and the input, which is held anyway. Beside it stands the most that the whole call holds at once, with
what both sweeps need for a moment. Nothing is timed.

    python -m benchmarks.randomized.memory [--quick]
"""
from __future__ import annotations

import argparse
import gc
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import tangent_nb as tnb

FRACTION = 0.1


def cross_entropy(z, y):
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[np.arange(len(y)), y])


def dense(w1, b1, w2, b2, w3, b3, w4, b4, x, y):
    h = np.maximum(x @ w1 + b1, 0.0)
    h = np.maximum(h @ w2 + b2, 0.0)
    h = np.maximum(h @ w3 + b3, 0.0)
    return cross_entropy(h @ w4 + b4, y)


def convolved(x, w, b):
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (2, 2), (2, 2))), (5, 5), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w) + b


def pooled(h):
    n, c, rows, columns = h.shape
    return np.mean(np.reshape(h, (n, c, rows // 2, 2, columns // 2, 2)), axis=(3, 5))


def images(w1, b1, w2, b2, w3, b3, w4, b4, w5, b5, x, y):
    h = np.maximum(convolved(x, w1, b1), 0.0)
    h = pooled(np.maximum(convolved(h, w2, b2), 0.0))
    h = np.maximum(convolved(h, w3, b3), 0.0)
    h = pooled(np.maximum(convolved(h, w4, b4), 0.0))
    return cross_entropy(np.reshape(h, (len(x), -1)) @ w5 + b5, y)


def recurrent(wi, wh, b, wo, bo, h, xs, y):
    for t in range(len(xs)):
        h = np.maximum(xs[t] @ wi + h @ wh + b, 0.0)
    return cross_entropy(h @ wo + bo, y)


class Case(NamedTuple):
    """One network. accounted: bytes of a row as the paper counts them, exact and sampled; axis: what is sampled."""

    function: Callable[..., Any]
    arguments: Callable[[bool], list[Any]]
    accounted: tuple[float, float]
    axis: Any = -1


def weights(rng: Any, *shapes: tuple[int, ...]) -> list[Any]:
    """Weights of such shapes, each with a bias."""
    found = []
    for shape in shapes:
        scale = np.sqrt(2.0 / (shape[0] if len(shape) == 2 else np.prod(shape[1:])))
        bias = (shape[-1],) if len(shape) == 2 else (shape[0], 1, 1)
        found += [(scale * rng.standard_normal(shape)).astype("f4"), np.zeros(bias, "f4")]
    return found


def of_dense(quick: bool) -> list[Any]:
    rng, rows = np.random.default_rng(0), 500 if quick else 5000
    return [*weights(rng, (784, 300), (300, 300), (300, 300), (300, 10)), rng.random((rows, 784), "f4"),
            rng.integers(10, size=rows)]


def of_images(quick: bool) -> list[Any]:
    rng, rows = np.random.default_rng(0), 2 if quick else 20
    return [*weights(rng, (16, 3, 5, 5), (32, 16, 5, 5), (32, 32, 5, 5), (32, 32, 5, 5), (2048, 10)),
            rng.random((rows, 3, 32, 32), "f4"), rng.integers(10, size=rows)]


def of_recurrent(quick: bool) -> list[Any]:
    rng, rows = np.random.default_rng(0), 10 if quick else 100
    wi, _ = weights(rng, (1, 100))
    wo, bo = weights(rng, (100, 10))
    return [0.001 * wi, np.eye(100, dtype="f4"), np.zeros(100, "f4"), wo, bo, np.zeros((rows, 100), "f4"),
            rng.random((784, rows, 1), "f4"), rng.integers(10, size=rows)]


CASES = {
    "dense, 784-300-300-300-10": Case(dense, of_dense, (6776.0, 828.5)),
    "convolutions on 3x32x32": Case(images, of_images, (151592.0, 19560.0), (1, 2, 3)),
    "recurrent, 784 steps of 100": Case(recurrent, of_recurrent, (317176.0, 44376.0)),
}
METHODS = {
    "exact": None,
    "same sample": {"method": "with_replacement"},
    "different samples": {"method": "with_replacement", "share": "none"},
    "projected": {"method": "rademacher"},
}


def measured(df: Callable[..., Any], args: list[Any]) -> tuple[int, int]:
    """The bytes that are there when the backward sweep begins, and the most in the whole call."""
    lines = df.__tangent_nb__.emitted.lines  # type: ignore[attr-defined]
    first = min(line.number for line in lines if line.role == "backward")
    found = [0]

    def local(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and frame.f_lineno >= first and not found[0]:
            found[0] = tracemalloc.get_traced_memory()[0]
        return local

    def watch(frame: FrameType, event: str, _: Any) -> Any:
        return local if frame.f_code is df.__code__ else None

    gc.collect()
    tracemalloc.start()
    sys.settrace(watch)
    try:
        df(*args)
    finally:
        sys.settrace(None)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return found[0], peak


def bytes_of(case: Case, method: dict[str, Any] | None, args: list[Any]) -> tuple[float, float, int]:
    """Bytes of a row that are kept, without and with the input; the most in a call."""
    tape = None if method is None else tnb.Sampled(FRACTION, axis=case.axis, seed=0, **method)
    df = tnb.grad(case.function, tuple(range(len(args) - 2 - (case.function is recurrent))), tape=tape, like=args)
    rows = len(args[-1])
    df(*args)                                              # what is imported, or remembered, is there
    kept, peak = measured(df, args)
    held = 0 if tape is not None else args[-2].nbytes      # of which a sample takes the place
    return kept / rows, (kept + held) / rows, peak


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small batches")
    quick = parser.parse_args().quick
    for name, case in CASES.items():
        args = case.arguments(quick)
        print(f"\n{name}, a batch of {len(args[-1])}; the paper accounts {case.accounted[0]:.0f} and "
              f"{case.accounted[1]:.1f} bytes of a row, a ratio of {case.accounted[0] / case.accounted[1]:.2f}")
        exact: tuple[float, float, int] | None = None
        for method, how in METHODS.items():
            kept, whole, peak = bytes_of(case, how, args)
            exact = exact or (kept, whole, peak)
            ratios = "" if how is None else f"   {exact[1] / whole:5.2f} times less; of a call {exact[2] / peak:.2f}"
            print(f"  {method:18} {whole:10.1f} bytes of a row, {peak / 1e6:8.2f} MB at most{ratios}", flush=True)


if __name__ == "__main__":
    main()
