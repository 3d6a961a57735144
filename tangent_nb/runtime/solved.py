"""What is solved: a function of the user, with its parameters as one vector,
and its derivatives by the unknown and by them."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import TangentError
from .checks import real_only
from .containers import described, holds_number, kind_of
from .dynamic import check_steady, followed, pull, pullback_along, push
from .remembered import carries
from .structure import zeros_like


def vector_of(v: Any, x: Any, counts: Callable[[Any], bool] = carries) -> Any:
    """The parts of `v` for the numbers in `x` that count, in one vector."""
    kind = kind_of(x)
    if kind is None:
        return np.ravel(np.asarray(real_only(v), float)) if counts(x) else np.zeros(0)
    of_v = kind.parts(v)
    return np.concatenate([np.zeros(0), *(vector_of(of_v[key], part, counts) for key, part in kind.parts(x).items())])


def shaped(vector: Any, x: Any, counts: Callable[[Any], bool] = carries) -> Any:
    """The inverse of `vector_of`: the form of `x`, with zeros for what does not count,
    and None for what is no number."""
    kind = kind_of(x)
    if kind is not None:
        made, start = {}, 0
        for key, part in kind.parts(x).items():
            size = vector_of(part, part, counts).size
            made[key] = shaped(vector[start:start + size], part, counts)
            start += size
        return kind.build(x, made)
    if not counts(x):
        return zeros_like(x) if holds_number(x) else None
    if isinstance(x, np.ndarray):
        return np.reshape(vector, x.shape).astype(x.dtype if x.dtype.kind == "f" else float)
    return x.dtype.type(vector[0]) if isinstance(x, np.floating) else float(vector[0])


class Solved:
    """A function `fun(*at, *args)` that is solved for `at[place]`, the unknown, and its parameters: the numbers in
    `args` and in what a `functools.partial` binds, which is what a nested function becomes that reads something
    differentiated."""

    def __init__(self, fun: Any, args: Any, place: int = 0, by: Callable[[Any], Any] | None = None) -> None:
        args = args if isinstance(args, tuple) else (args,)
        self.given, self.fun, self.args, self.place = fun, fun if by is None else by(fun), args, place
        self.steady = ""
        self.bound = type(fun) is functools.partial
        self.places = [i for i, arg in enumerate(args) if carries(arg)]

    def __call__(self, *at: Any) -> Any:
        value = self.fun(*at, *self.args)
        return vector_of(value, value, holds_number)

    def pull(self, seed: Any, *at: Any, unknown: bool = True) -> tuple[Any, Any]:
        """The cotangents of the unknown and of the parameters, as vectors;
        unknown: that of the unknown is asked for."""
        active = [self.place] * unknown + [len(at) + i for i in self.places]
        if not active and not self.bound:
            return None, np.zeros(0)
        with followed(self.steady):
            value, back = pull(self.fun, *at, *self.args, active=active, closure=self.bound)
            found = back(shaped(seed, value, holds_number))
        several = list(found) if self.bound + len(active) > 1 else [found]
        own = vector_of(several.pop(0), self.fun) if self.bound else np.zeros(0)
        state = vector_of(several.pop(0), at[self.place]) if unknown else None
        return state, np.concatenate([own,
                                      *(vector_of(b, self.args[i]) for i, b in zip(self.places, several, strict=True))])

    def push(self, *at: Any, unknown: Any = None, fun: Any = None, args: Any = None) -> Any:
        """The tangent of the value, as a vector, from those of the unknown, of what is bound and of the arguments."""
        active: list[int] = [] if unknown is None else [self.place]
        tangents: list[Any] = [] if unknown is None else [unknown]
        if args is not None:
            given = args if isinstance(args, tuple) else (args,)
            active += [len(at) + i for i in self.places]
            tangents += [given[i] for i in self.places]
        own = [] if fun is None else [closure_of(fun if self.bound else None, self.given)]
        if not active and not own:
            return np.zeros(self(*at).size)
        with followed(self.steady):
            value, tangent = push(self.fun, *at, *self.args, active=active, tangents=[*own, *tangents],
                                  closure=bool(own))
        return vector_of(tangent, value, holds_number)

    def pull_along(self, seed: Any, along: Any, *at: Any, unknown: Any, params: Any) -> tuple[Any, Any]:
        """How what `pull` gives changes where the seed changes by `along`,
        and the unknown and the parameters by these vectors."""
        value = self.fun(*at, *self.args)
        moved = self.of_args(params, self.args)
        tangents = [shaped(unknown, at[self.place]), *(moved[i] for i in self.places)]
        with followed(self.steady):
            found = pullback_along(self.fun, *at, *self.args, active=[self.place, *(len(at) + i for i in self.places)],
                                   closure=self.bound, seed=shaped(seed, value, holds_number),
                                   seed_tangent=shaped(along, value, holds_number),
                                   tangents=[*([self.of_bound(params)] if self.bound else []), *tangents])[1]
        several = list(found)
        own = vector_of(several.pop(0), self.fun) if self.bound else np.zeros(0)
        state = vector_of(several.pop(0), at[self.place])
        return state, np.concatenate([own,
                                      *(vector_of(b, self.args[i]) for i, b in zip(self.places, several, strict=True))])

    def check_steady(self, count: int, unknown: bool = True, *, steady: str = "once") -> None:
        """Refuses a function of `count` arguments and the parameters which may jump, or have a kink,
        where these and the unknown move it."""
        self.steady = max(steady, self.steady)
        active = [self.place] * unknown + [count + i for i in self.places]
        check_steady(self.fun, [0.0] * count + [*self.args], active, steady, self.bound)

    def params(self, fun: Any, args: Any) -> Any:
        """The vector of the parameters, of tangents or cotangents of what is bound and of the arguments;
        zeros for None."""
        own = vector_of(zeros_like(self.given) if fun is None else fun, self.given) if self.bound else np.zeros(0)
        given = zeros_like(self.args) if args is None else args if isinstance(args, tuple) else (args,)
        return np.concatenate([own, *(vector_of(given[i], self.args[i]) for i in self.places)])

    def jacobian(self, x: Any) -> Any:
        """The derivative of the values by the unknown."""
        value, back = pull(self.fun, x, *self.args, active=(0,))
        size = vector_of(value, value, holds_number).size
        return np.array([vector_of(back(shaped(row, value, holds_number)), x)
                         for row in np.eye(size)]).reshape(size, np.size(x))

    def of_bound(self, vector: Any) -> Any:
        """The cotangent of what is solved."""
        if not self.bound:
            return None
        return shaped(vector[:vector_of(self.given, self.given).size], self.given)

    def of_args(self, vector: Any, args: Any) -> Any:
        """The cotangent of `args`."""
        size = vector_of(self.fun, self.fun).size if self.bound else 0
        return shaped(vector[size:], args)


def closure_of(b: Any, fun: Any) -> Any:
    """The cotangent of what is solved, `b`: of what a function is bound to."""
    if b is None:
        raise TangentError(f"what is solved is {described(fun)}, which holds something that is differentiated: "
                           "a function that takes it as an argument, and args=(...)")
    return b


# ------------------------------------------------------------------ differential equations
class Cotangents(NamedTuple):
    """The cotangents of what a solver was given, by the names of its arguments; None for those that it has not."""

    fun: Any
    args: Any
    y0: Any = None
    t: Any = None
    t_span: Any = None
    t_eval: Any = None
    a: Any = None
    b: Any = None


def with_parts(zeros: Any, **parts: Any) -> Any:
    """The tangent, or the cotangent, of a result of SciPy, with these parts."""
    kind = kind_of(zeros)
    assert kind is not None
    return kind.build(zeros, {**kind.parts(zeros), **parts})
