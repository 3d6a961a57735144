"""From options to a derived function: which parameters are taken, in which mode, with which passes."""
from __future__ import annotations

import inspect
import types
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import tangent_nb

from ..api import later, named, refused_at_once
from ..errors import Refusal, RefusedError, TangentError
from ..every import EVERY, every
from ..pipeline.request import keeping
from ..syntax.program import Derivation
from .noting import noting
from .options import Options, Wrt
from .tape import parse_tape


@dataclass(frozen=True)
class Derived:
    """A derived function; whether its gradient is bare (not in a tuple); what was decided on the way: sentences."""

    function: types.FunctionType
    bare: bool = True
    notes: tuple[str, ...] = ()

    @property
    def derivation(self) -> Derivation:
        """What is known of it."""
        known: Derivation = self.function.__tangent_nb__  # type: ignore[attr-defined]
        return known

    def gradients(self, result: Any) -> tuple[Any, ...]:
        """One gradient for each parameter, from what the function returned."""
        return (result,) if self.bare else tuple(result)


def added(f: Any, df: Any) -> list[str]:
    """The parameters that a derivative has and its function has not, in order: tangents, or the seed."""
    known = inspect.signature(f).parameters
    return [name for name in inspect.signature(df).parameters if name not in known]


def derive(f: Any, options: Options, bound: inspect.BoundArguments | None = None, *,
           specialized: bool = True) -> Derived:
    """The derivative of `f` as the options ask for it. Raises TangentError where it is refused. specialized: for the
    arguments given, which otherwise serve to tell what can have a derivative."""
    if options.wrt != EVERY:
        return _finished(Derived(_derived(f, options.wrt, options, bound if specialized else None),
                                 not isinstance(options.wrt, tuple)), options)
    return _finished(_every(f, options, bound, specialized), options)


def report(f: Any, options: Options, bound: inspect.BoundArguments | None = None) -> str:
    """What `--dry-run` says: all that is refused, or that nothing is. The derivative is made and let go."""
    try:
        found = derive(f, options, bound)
    except RefusedError as error:
        return refused_at_once(error)
    except TangentError as error:
        return str(error)
    return later(found.derivation) or f"nothing in {getattr(f, '__name__', 'this function')} is refused"


def _finished(derived: Derived, options: Options) -> Derived:
    """The derivative as it is bound, which notes what serves its calls; with `--nan` the watched one. What it refuses
    when it is reached is told."""
    if places := derived.derivation.lacks:
        note = f"{derived.function.__name__} has a text for the arguments of each call alone, give --at: " \
               f"{_lines(places)} (%grad --dry-run says why)"
        derived = replace(derived, notes=(*derived.notes, note))
    elif derived.derivation.later is not None:
        note = f"{derived.function.__name__} is compiled for the arguments of each call: --at shows the text for some"
        derived = replace(derived, notes=(*derived.notes, note))
    if places := derived.derivation.reached:
        note = f"refused when reached: {_lines(places)} (%grad --dry-run says why)"
        derived = replace(derived, notes=(*derived.notes, note))
    derived = replace(derived, function=noting(derived.function))
    if not options.nan:
        return derived
    note = f"{derived.function.__name__} is watched: it stops at the first line that makes a NaN or an Inf"
    watched = cast(types.FunctionType, tangent_nb.watch(derived.function))
    return replace(derived, function=watched, notes=(*derived.notes, note))


def _lines(places: Sequence[Refusal]) -> str:
    return ", ".join(dict.fromkeys(f"line {one.span.line}" for one in places if one.span is not None))


def _derived(f: Any, wrt: Wrt, options: Options, bound: inspect.BoundArguments | None) -> types.FunctionType:
    like = None if bound is None or options.backend != "numpy" else bound.args      # only NumPy's texts are specialized
    with keeping():                                        # to be shown when the reader points at a line
        function = named(f, "grad" if options.mode == "reverse" else "jvp", wrt, options.name or "",
                         optimized=options.optimized, like=like, backend=options.backend, compile=options.compile,
                         tape=_tape(options))
    return cast(types.FunctionType, function)


def _tape(options: Options) -> Any:
    """The sampled tape, where the derivative that is chosen saves something that can be sampled."""
    saves = options.mode == "reverse" and options.compile != "numba"
    return parse_tape(options.tape) if saves else None


def _every(f: Any, options: Options, bound: inspect.BoundArguments | None, specialized: bool) -> Derived:
    """With respect to every parameter that can have a derivative; the note says which were left out, and why."""
    like = bound if specialized else None
    function, names, left_out = every(f, lambda names: _derived(f, names, options, like),
                                      None if bound is None else bound.arguments)
    left = [f"{name} ({reason})" for name, reason in left_out.items()]
    note = f"with respect to every parameter that can have a derivative: {', '.join(names)}"
    return Derived(function, False, (note + (f"; left out: {', '.join(left)}" if left else ""),))
