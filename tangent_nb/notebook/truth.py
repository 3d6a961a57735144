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
from .derive import Derived, derive
from .options import Options, Wrt
from .rerun import Calls

PATIENCE = 20                                      # times as many statements as at the first arguments


@dataclass(frozen=True)
class Truth:
    """What is known of the true backward pass at the arguments: the cotangents of each variable, one for each value
    that it takes; the gradients; variables: all names that the function binds; steps: the cotangents of values without
    a name, by their expressions. derived: the raw adjoint; ran: how many of its statements."""

    name: str
    where: str
    cotangents: Mapping[str, Sequence[Version]]
    gradients: Mapping[str, Any]
    variables: frozenset[str]
    steps: Mapping[str, Sequence[Version]] = field(default_factory=dict)
    derived: Derived | None = field(default=None, repr=False)
    ran: int = 0

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
        return cls._run(derive(f, Options(wrt=wrt, passes=()), bound, specialized=False), f, bound)

    def at(self, f: types.FunctionType, bound: inspect.BoundArguments) -> Truth:
        """The same adjoint at other arguments. TooLongError where it takes many more steps there."""
        assert self.derived is not None
        return self._run(self.derived, f, bound, PATIENCE * (self.ran + 1))

    @classmethod
    def _run(cls, derived: Derived, f: types.FunctionType, bound: inspect.BoundArguments,
             most: int | None = None) -> Truth:
        derivation = derived.derivation
        calls = Calls(f, bound.args, bound.kwargs)
        record = recorded(derived.function, lambda: calls(derived.function), most=most)
        tree = derivation.primal.tree
        variables = {node.id
                     for node in gast.walk(tree) if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)}
        if record.error is not None:
            raise record.error
        where = ", ".join(f"{name}={at_.short(value)}" for name, value in bound.arguments.items())
        return cls(f.__name__, where, versions(derivation, record.assigned),
                   dict(zip(derivation.wrt, derived.gradients(record.returned))), frozenset(variables),
                   steps(derivation, record.assigned), derived, record.steps)

    def versions(self, variable: str) -> Sequence[Version]:
        """The cotangents of a variable, or of a step; none where nothing comes back to it."""
        return self.cotangents.get(variable) or self.steps.get(variable) or ()

    @property
    def is_finite(self) -> bool:
        """No NaN and no Inf is in it."""
        values = [*self.gradients.values(), *(one.value for found in self.cotangents.values() for one in found)]
        return all(bool(np.isfinite(leaf).all()) for value in values for leaf in leaves(value))

    @property
    def largest(self) -> float:
        """The size of the largest finite cotangent."""
        values = [leaf for found in self.cotangents.values() for one in found for leaf in leaves(one.value)]
        return max((float(np.max(np.abs(leaf), where=np.isfinite(leaf), initial=0.0)) for leaf in values), default=0.0)
