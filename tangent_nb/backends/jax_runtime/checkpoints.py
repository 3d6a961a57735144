"""What is computed again, where a compiler would see that it has been computed before."""
from __future__ import annotations

from typing import Any

import jax

from ...runtime import checkpoints
from .arguments import copy


def barrier(*values: Any) -> Any:
    """The values, which XLA takes for others: what is computed of them is computed again, as by `jax.checkpoint`
    (`jax.lax.optimization_barrier`). One value for one, a tuple for more."""
    arrays = [one for one in values if isinstance(one, jax.Array)]
    fresh = iter(jax.lax.optimization_barrier(arrays))  # type: ignore[no-untyped-call]
    found = tuple(next(fresh) if isinstance(one, jax.Array) else one for one in values)
    return found if len(found) > 1 else found[0]


class Snapshots(checkpoints.Snapshots):
    """The states of a loop that are kept, by the same schedule. Arrays of JAX never change, so that a state is no copy;
    what is traced is written out, step by step, and XLA takes what is computed again for something else.

    >>> saved = Snapshots(range(3), memory=1); x = 1.0
    >>> for t in saved.steps:
    ...     saved.keep(x)
    ...     x = 2.0 * x
    >>> list(saved.backward(lambda t, x: 2.0 * x))
    [(2, 4.0), (1, 2.0), (0, 1.0)]
    """

    def __init__(self, steps: Any = None, memory: Any = None, *, again: bool = False) -> None:
        super().__init__(copy(steps) if again else steps, memory)
        self.again = again

    def _copied(self, state: tuple[Any, ...]) -> checkpoints.State:
        return checkpoints.State(self.count, tuple(map(copy, state)), [])

    def _begun(self, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        leaves, tree = jax.tree_util.tree_flatten(parts)
        places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]
        if places:
            for i, leaf in zip(places, jax.lax.optimization_barrier(  # type: ignore[no-untyped-call]
                    [leaves[i] for i in places]), strict=True):
                leaves[i] = leaf
        found: tuple[Any, ...] = jax.tree_util.tree_unflatten(tree, leaves)
        return found
