"""What gradients keep between their sweeps for one more image: measured, beside what the paper accounts for.

Measured is what Python and NumPy have allocated in a call when the backward sweep begins, by tracemalloc: at two sizes
of the batch, and their difference by the difference of the sizes, so that what does not grow with the batch (weights,
lists, keys of samples) does not count. In a gradient both sweeps are one function; in split motion the first function
gives what the second needs. What the caller holds, the batch, counts in none of them; the paper counts it.
"""
from __future__ import annotations

import gc
import linecache
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

import tangent_nb as tnb

from .networks import convolution, convolution_start, dense, dense_start, recurrent, recurrent_start
from .results import Results
from .training import told

IMAGE = (1, 2, 3)                                          # channels, rows and columns are sampled as one


class Case(NamedTuple):
    """paper: bytes of an image, exact and sampled, as its appendix A adds them up. sizes: of two batches."""

    name: str
    loss: Callable[..., Any]
    start: Callable[[np.random.Generator], Any]
    image: tuple[int, ...]
    axis: int | tuple[int, ...]
    paper: tuple[float, float]
    sizes: tuple[int, int]


CASES = (
    Case("dense", dense, dense_start, (784,), -1, (6776, 828.5), (200, 400)),
    Case("convolution", convolution, convolution_start, (3, 32, 32), IMAGE, (151592, 19560), (8, 16)),
    Case("recurrent, 784 steps", recurrent, recurrent_start, (784,), -1, (317176, 44376), (32, 64)),
)
WAYS: dict[str, dict[str, Any] | None] = {
    "exact": None, "same": {"fraction": 0.1}, "same, not the input": {"fraction": 0.1, "inputs": False},
    "different": {"fraction": 0.1, "share": "none"}, "projected": {"fraction": 0.1, "method": "rademacher"}}
FEW = ("exact", "same")                                    # the bytes of the others are those of "same"


LARGE = ((CASES[0], 5000, WAYS), (CASES[1], 20, FEW), (CASES[2], 100, FEW))        # whole calls


def arguments(case: Case, batch: int) -> tuple[Any, ...]:
    """First weights, random images, random labels."""
    rng = np.random.default_rng(batch)
    return case.start(rng), rng.random((batch, *case.image), np.float32), rng.integers(0, 10, batch)


def tape(case: Case, way: str) -> dict[str, Any]:
    """What grad is given."""
    asked = WAYS[way]
    return {} if asked is None else {"tape": tnb.Sampled(**asked, axis=case.axis, seed=0)}


def between(df: Callable[..., Any], *args: Any) -> tuple[int, int]:
    """What a gradient has allocated when its backward sweep begins, and the most at any time."""
    found: list[int] = []

    def lines(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line" and not found and frame.f_lineno > turn(frame):
            found.append(tracemalloc.get_traced_memory()[0])
        return lines

    before = sys.gettrace()
    try:
        for _ in range(2):                                 # the first call makes the text that the second runs
            found.clear()
            gc.collect()
            tracemalloc.start()
            sys.settrace(lambda frame, event, _: lines if frame.f_code.co_name == df.__name__ else None)
            df(*args)
            sys.settrace(before)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return found[0], peak
    finally:
        sys.settrace(before)
        tracemalloc.stop()


def turn(frame: FrameType) -> float:
    """The line where the backward sweep begins, of the text that runs."""
    text = linecache.getlines(frame.f_code.co_filename)
    return next((i for i, line in enumerate(text, 1) if line.strip() == "# backward"), np.inf)


def handed_over(forward: Callable[..., Any], *args: Any) -> int:
    """What is alive of a call of the first function of split motion while its result is held."""
    forward(*args)
    gc.collect()
    tracemalloc.start()
    try:
        result = forward(*args)
        gc.collect()
        alive = tracemalloc.get_traced_memory()[0]
        del result
        return alive
    finally:
        tracemalloc.stop()


def per_image(case: Case, way: str) -> dict[str, float]:
    """Bytes for one more image, in a gradient and in split motion, and the gradient's peak."""
    small, large = ([*between(tnb.grad(case.loss, **tape(case, way)), *args),
                     handed_over(tnb.autodiff(case.loss, motion="split", **tape(case, way))[0], *args)]
                    for args in (arguments(case, size) for size in case.sizes))
    each = [(b - a) / (case.sizes[1] - case.sizes[0]) for a, b in zip(small, large)]
    return dict(zip(("gradient", "peak", "split"), each))


def run(quick: bool) -> None:
    """Measure what is not kept yet, and print the table."""
    kept = Results("memory", quick)
    for case in CASES:
        if quick:
            case = case._replace(sizes=(8, 16))
        for way in WAYS if case.name == "dense" else FEW:
            if kept.find(case=case.name, way=way, batch=None) is None:
                told(f"memory: {case.name}, {way}")
                kept.add({"case": case.name, "way": way, "sizes": case.sizes, **per_image(case, way)})
    for case, batch, ways in () if quick else LARGE:
        for way in ways:
            if kept.find(case=case.name, way=way, batch=batch) is None:
                told(f"memory: {case.name}, a batch of {batch:,}, {way}")
                saved, peak = between(tnb.grad(case.loss, **tape(case, way)), *arguments(case, batch))
                kept.add({"case": case.name, "way": way, "batch": batch, "saved": saved, "peak": peak})
    print(table(kept), table_of_large(kept), sep="\n\n")


def table(kept: Results) -> str:
    """Bytes for an image, as Markdown."""
    lines = ["| network | tape | a gradient keeps | split motion hands over | and the batch | the paper |",
             "|---|---|---|---|---|---|"]
    for case in CASES:
        batch = 4 * int(np.prod(case.image))
        for way in WAYS:
            if (row := kept.find(case=case.name, way=way, batch=None)) is not None:
                paper = f"{case.paper[way != 'exact']:,.10g}" if way != "same, not the input" else ""
                lines.append(f"| {case.name} | {way} | {row['gradient']:,.0f} | {row['split']:,.0f} | {batch:,} "
                             f"| {paper} |")
    return "\n".join(lines)


def table_of_large(kept: Results) -> str:
    """What a gradient keeps, and the most that its call holds, in megabytes, as Markdown."""
    lines = ["| network | batch | tape | a gradient keeps | the peak of the call |", "|---|---|---|---|---|"]
    lines += [f"| {row['case']} | {row['batch']:,} | {row['way']} | {row['saved'] / 1e6:.2f} "
              f"| {row['peak'] / 1e6:.1f} |" for row in kept.rows if "batch" in row]
    return "\n".join(lines)
