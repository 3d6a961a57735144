"""The true backward pass at some arguments: what a hand-written one is judged by."""
from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from ..every import EVERY, leaves
from . import at as at_
from .cotangents import Version, recorded, steps, versions
from .derive import derive
from .options import Options, Wrt
from .rerun import Calls


@dataclass(frozen=True)
class Truth:
    """What is known of the true backward pass at the arguments: the cotangents of each variable, one for each value
    that it takes; the gradients; variables: all names that the function binds; steps: the cotangents of values without
    a name, by their expressions."""

    name: str
    where: str
    cotangents: Mapping[str, Sequence[Version]]
    gradients: Mapping[str, Any]
    variables: frozenset[str]
    steps: Mapping[str, Sequence[Version]] = field(default_factory=dict)

    @classmethod
    def of(cls, f: types.FunctionType, bound: inspect.BoundArguments) -> Truth:
        """Run the raw adjoint, with respect to all that can have a derivative."""
        try:
            return cls._with_respect_to(EVERY, f, bound)
        except TypeError:                          # a count that is not used as one openly, and became a float
            floats = tuple(name for name, value in bound.arguments.items() if leaves(value) and type(value) is not int)
            return cls._with_respect_to(floats, f, bound)

    @classmethod
    def _with_respect_to(cls, wrt: Wrt, f: types.FunctionType, bound: inspect.BoundArguments) -> Truth:
        derived = derive(f, Options(wrt=wrt, passes=()), bound, specialized=False)
        derivation = derived.derivation
        calls = Calls(f, bound.args, bound.kwargs)
        record = recorded(derived.function, lambda: calls(derived.function))
        tree = derivation.primal.tree
        variables = {node.id
                     for node in gast.walk(tree) if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}
        if record.error is not None:
            raise record.error
        where = ", ".join(f"{name}={at_.short(value)}" for name, value in bound.arguments.items())
        return cls(f.__name__, where, versions(derivation, record.assigned),
                   dict(zip(derivation.wrt, derived.gradients(record.returned))), frozenset(variables),
                   steps(derivation, record.assigned))

    @property
    def largest(self) -> float:
        """The size of the largest finite cotangent."""
        values = [leaf for found in self.cotangents.values() for one in found for leaf in leaves(one.value)]
        return max((float(np.max(np.abs(leaf), where=np.isfinite(leaf), initial=0.0)) for leaf in values), default=0.0)
