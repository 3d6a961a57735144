"""What a sampled tape is asked for: by `tape=Sampled(…)`, and by `with sampled(…)` around some lines."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import TracebackType
from typing import Any

import numpy as np

from ..errors import TangentError

PATHS = "paths"
METHODS = ("with_replacement", "without_replacement", "rademacher", PATHS)
SHARES = ("batch", "none")
OPERATIONS = ("matmul", "convolve")
OF_ARRAYS = ("share", "axis", "at", "relu_bits", "inputs")
OWN = ("fraction", "k", "method", "share", "axis")          # what a line may have of its own


@dataclass(frozen=True)
class Sampled:
    """A tape on which the activations that are saved for the cotangents of weights are sampled: the gradient is right
    on average, and takes less memory.

    fraction: how much is kept of each activation, along `axis`; k: how many numbers instead. method:
    `"with_replacement"`, `"without_replacement"` (of which fraction 1.0 is the exact gradient), `"rademacher"`, random
    projections, or `"paths"`: of the trips of a loop that adds up a gradient so many are kept, and all of these; so in
    functions that are called, with other trips for each call, and on JAX where a call is not traced. share:
    `"batch"`, one sample for all that lie along the other axes, or `"none"`, one for each of these. axis: an axis, or a
    tuple of axes that are sampled as one. at: which operations, `"matmul"` (@, np.dot, np.einsum, …) and `"convolve"`.
    relu_bits: slopes of which there are few, as of np.maximum(x, 0), are kept as bits. inputs: what the caller holds
    anyway is sampled too, as in the paper. seed: an int, or a Generator; from it the samples of all calls are drawn,
    one after another, so that no two calls have the same. On JAX a call may be given a key for all its samples instead,
    `df(w, x, key=jax.random.key(0))`, and where it is traced it has to be.
    Raises TangentError for what is no such choice.
    Source: D. Oktay, N. McGreivy, J. Aduol, A. Beatson and R. P. Adams, "Randomized Automatic Differentiation", ICLR
    2021, sections 3 and 4.

    >>> import numpy as np
    >>> from tangent_nb import grad
    >>> def loss(w, x): return np.sum(np.tanh(x @ w))
    >>> dloss = grad(loss, tape=Sampled(0.5, method="without_replacement", seed=0))
    >>> dloss(np.zeros((4, 1)), np.ones((3, 4)))
    array([[6.],
           [0.],
           [6.],
           [0.]])
    """

    fraction: float | None = None
    k: int | None = None
    method: str = "with_replacement"
    share: str = "batch"
    axis: int | tuple[int, ...] = -1
    at: Sequence[str] = OPERATIONS
    relu_bits: bool = True
    inputs: bool = True
    seed: int | np.random.Generator | None = None

    def __post_init__(self) -> None:
        _checked(self.fraction, self.k, self.method, self.share, self.axis)
        if self.fraction is None and self.k is None:
            raise TangentError("Sampled is given how much to keep: fraction=0.1, or k=30")
        at = (self.at,) if isinstance(self.at, str) else tuple(self.at)
        if unknown := [one for one in at if one not in OPERATIONS]:
            raise TangentError(f"at names operations, {_listed(OPERATIONS)}, not {unknown[0]!r}")
        object.__setattr__(self, "at", at)
        usual = {one.name: one.default for one in fields(Sampled)}
        if self.method == PATHS and (own := [one for one in OF_ARRAYS if getattr(self, one) != usual[one]]):
            raise TangentError("method='paths' draws trips of loops, whose arrays are kept whole: "
                               f"leave {own[0]} out")
        if not (self.seed is None or isinstance(self.seed, (int, np.integer, np.random.Generator))
                and not isinstance(self.seed, bool)) or isinstance(self.seed, (int, np.integer)) and self.seed < 0:
            raise TangentError("seed is an int that is not negative, or a Generator, np.random.default_rng(0), "
                               f"not {self.seed!r}")

    def begun(self) -> Sampled:
        """The same with the stream that it draws from."""
        return replace(self, seed=np.random.default_rng(self.seed))

    def with_own(self, own: Mapping[str, Any]) -> Sampled:
        """The same with what some lines have of their own."""
        if own.get("k") is not None:
            return replace(self, **{"fraction": None, **own})
        return replace(self, **{"k": None, **own}) if own.get("fraction") is not None else replace(self, **own)

    def settings(self) -> dict[str, Any]:
        """What is written where something is sampled: what is not as usual."""
        usual = {one.name: one.default for one in fields(Sampled)}
        return {name: value for name in OWN if (value := getattr(self, name)) != usual[name]}


class sampled:
    """`with sampled(fraction=0.5):` has other samples of what the lines in the block save; exact=True has none. Without
    `tape=Sampled(…)`, and in a plain call, it does nothing.

    >>> with sampled(fraction=0.5):
    ...     y = 2.0
    """

    def __init__(self, fraction: float | None = None, *, k: int | None = None, method: str | None = None,
                 share: str | None = None, axis: int | tuple[int, ...] | None = None, exact: bool = False) -> None:
        _checked(fraction, k, method or METHODS[0], share or SHARES[0], -1 if axis is None else axis)
        given = {"fraction": fraction, "k": k, "method": method, "share": share, "axis": axis}
        self.own = {name: value for name, value in given.items() if value is not None}
        if method == PATHS:
            raise TangentError("paths are drawn where the whole tape has them, tape=Sampled(k=…, method='paths'): "
                               "leave method out here")
        self.exact = bool(exact)
        if self.exact and self.own:
            raise TangentError(f"exact=True keeps all numbers: leave {next(iter(self.own))} out")

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        return None


def _checked(fraction: Any, k: Any, method: Any, share: Any, axis: Any) -> None:
    """Refuse what is no way to sample."""
    if fraction is not None and k is not None:
        raise TangentError("give fraction or k, not both: k is the number that fraction stands for")
    if fraction is not None and (isinstance(fraction, bool) or not isinstance(fraction, (int, float, np.floating))
                                 or not 0 < fraction <= 1):
        raise TangentError(f"fraction is a number above 0 and at most 1, not {fraction!r}")
    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1):
        raise TangentError(f"k is a whole number from 1 on, not {k!r}")
    if method not in METHODS:
        raise TangentError(f"method is {_listed(METHODS)}, not {method!r}")
    if share not in SHARES:
        raise TangentError(f"share is {_listed(SHARES)} (the same sample for the whole batch, or another for each of "
                           f"its rows), not {share!r}")
    if method == "rademacher" and share == "none":
        raise TangentError("a projection of its own for each row (share='none') takes more memory than the tape: "
                           "share='batch'")
    axes = axis if isinstance(axis, tuple) else (axis,)
    if not axes or any(isinstance(a, bool) or not isinstance(a, (int, np.integer)) for a in axes):
        raise TangentError(f"axis is an int, or a tuple of them, not {axis!r}")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:-1])) + f" or {names[-1]!r}"
