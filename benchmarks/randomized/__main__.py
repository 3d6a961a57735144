"""The command: see the package's docstring."""
from __future__ import annotations

import argparse

import benchmarks.randomized as package

from . import control, memory, noise, plotting, sweep
from .data import coarse, mnist, small
from .memory import IMAGE
from .networks import (
    convolution,
    convolution_scores,
    dense,
    dense_scores,
    dense_start,
    few_channels,
    recurrent,
    recurrent_scores,
    recurrent_start,
)
from .training import Network, Way, run

TENTH = {"fraction": 0.1}
DENSE = Network("dense", dense, dense_start, dense_scores, (
    Way("exact, 150", 150), Way("exact, 22", 22), Way("exact, 9", 9),
    Way("sampled, different", 150, {**TENTH, "share": "none"}), Way("sampled, same", 150, TENTH),
    Way("projected", 150, {**TENTH, "method": "rademacher"})),
    tried=(3e-4, 1e-3, 3e-3), steps=800, each=20)
OF_IMAGES = {**TENTH, "axis": IMAGE}
CONVOLUTION = Network("conv", convolution, few_channels, convolution_scores, (
    Way("exact, 150", 150), Way("exact, 20", 20), Way("sampled, different", 150, {**OF_IMAGES, "share": "none"}),
    Way("sampled, same", 150, OF_IMAGES), Way("projected", 150, {**OF_IMAGES, "method": "rademacher"})),
    tried=(1e-3, 3e-3, 1e-2), steps=150, each=15)
RECURRENT = Network("rnn", recurrent, recurrent_start, recurrent_scores, (
    Way("exact, 150", 150), Way("exact, 21", 21), Way("sampled, different", 150, {**TENTH, "share": "none"}),
    Way("sampled, same", 150, TENTH), Way("projected", 150, {**TENTH, "method": "rademacher"})),
    tried=(3e-4, 1e-3), steps=300, each=20)
PARTS = {
    "memory": lambda given: memory.run(given.quick),
    "sweep": lambda given: sweep.run(given.quick),
    "noise": lambda given: noise.run(given.quick),
    "dense": lambda given: run(DENSE, mnist(), given.seeds, given.quick),
    "conv": lambda given: run(CONVOLUTION, coarse(), given.seeds, given.quick),
    "rnn": lambda given: run(RECURRENT, small(), given.seeds, given.quick),
    "pde": lambda given: control.run(given.seeds, given.quick),
    "plots": lambda given: plotting.run(given.quick),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.randomized", description=package.__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps, small sizes, results of their own")
    parser.add_argument("--seeds", type=int, default=5, help="how often each way is trained (default: 5; pde: 3)")
    given = parser.parse_args()
    if unknown := [part for part in given.parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}: {', '.join(PARTS)}")
    for part in PARTS:
        if part in given.parts or not given.parts:
            PARTS[part](given)


if __name__ == "__main__":
    main()
