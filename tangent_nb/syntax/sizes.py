"""Sizes of axes that are no numbers: that of an argument, whatever it is, and what follows from it.

A shape that is known is a tuple of ints and `Size`s. A size is a sum: `4*m + 1`. Two that are equal are the same number
whenever the text runs; two others may be. What an operation takes for granted of its operands can be noted
(`meeting`): the matrices of `x @ w` meet in one size, and where the examples agree, `x: f8[n, k], w: f8[k, m]` is what
a text may ask for; of `x[:, :3]` it may ask for `x: f8[n, k + 3]`.

    >>> n, k = size("n", 4), size("k", 3)
    >>> broadcast_sizes((n, k), (k,)), broadcast_sizes((n, 1), (n, k))
    ((n, k), (n, k))
    >>> total([n, n, -1]), product((n, k)), sliced(n, 1, total([n, -1]))
    (2*n - 1, k*n, n - 2)
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

LEAST = 2                      # of the size of an argument that is no number: 0 and 1 are numbers of their own


@dataclass(frozen=True)
class Symbol:
    """What a size is made of: an axis of an argument (`given`), or what is not known to be a sum of such. like: the
    number in the examples; equals: what it is there, as a sum."""

    name: Any
    like: int | None = field(default=None, compare=False)
    given: bool = field(default=False, compare=False)
    equals: Axis | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return str(self.name)


@dataclass(frozen=True)
class Size:
    """A sum of symbols, each as often as it says, and a number."""

    terms: tuple[tuple[Symbol, int], ...]
    number: int = 0

    @property
    def like(self) -> int | None:
        """The number in the examples."""
        found = self.number
        for symbol, times in self.terms:
            if symbol.like is None:
                return None
            found += times * symbol.like
        return found

    @property
    def lowest(self) -> int | None:
        """At least so much, where that is known; it may be less than nothing."""
        if not all(symbol.given and times > 0 for symbol, times in self.terms):
            return None
        return self.number + LEAST * sum(times for _, times in self.terms)

    def written(self, names: Mapping[Symbol, str]) -> str:
        """The sum, with other names for symbols."""
        parts = [("-" if times < 0 else "+", f"{'' if abs(times) == 1 else f'{abs(times)}*'}{names.get(one, str(one))}")
                 for one, times in self.terms]
        parts += [("-" if self.number < 0 else "+", str(abs(self.number)))] if self.number else []
        (sign, first), *rest = sorted(parts, key=lambda part: part[0] == "-")
        return ("-" if sign == "-" else "") + first + "".join(f" {sign} {one}" for sign, one in rest)

    def __repr__(self) -> str:
        return self.written({})


Axis: TypeAlias = "int | Size"
Axes: TypeAlias = "tuple[Axis, ...]"


def size(name: Any, like: int) -> Size:
    """That of an axis of an argument."""
    return Size(((Symbol(name, like, given=True), 1),))


def unsized(name: Any, like: int | None = None, equals: Axis | None = None) -> Size:
    """What is not known as a sum; the same wherever it has this name. like, equals: what it is in the examples."""
    return Size(((Symbol(name, like, equals=equals), 1),))


def total(sizes: Sequence[Axis], times: int = 1) -> Axis:
    """The sum, so many times."""
    number, terms = 0, dict[Symbol, int]()
    for one in sizes:
        number += times * (one.number if isinstance(one, Size) else one)
        for symbol, count in one.terms if isinstance(one, Size) else ():
            terms[symbol] = terms.get(symbol, 0) + times * count
    left = tuple((symbol, terms[symbol]) for symbol in sorted(terms, key=str) if terms[symbol])
    return Size(left, number) if left else number


def product(shape: Sequence[Axis]) -> Axis:
    """How many cells an array of this shape has."""
    number, others = 1, []
    for one in shape:
        if isinstance(one, int):
            number *= one
        else:
            others.append(one)
    if not others or number == 0:
        return number
    if len(others) == 1:
        return total(others, number)
    like = number
    for one in others:
        like *= one.like or 0
    names = sorted(str(one) if len(one.terms) == 1 and not one.number else f"({one})" for one in others)
    return unsized("*".join([*([str(number)] if number != 1 else []), *names]),
                   None if None in [one.like for one in others] else like)


def least(axis: Axis) -> int:
    """At least so much."""
    return axis if isinstance(axis, int) else max(axis.lowest or 0, 0)


def sliced(axis: Axis, lower: Axis, upper: Axis | None) -> Axis:
    """How long `a[lower:upper]` of an axis is; lower and upper are at least 0, or None for its end."""
    if all(isinstance(one, int) or one is None for one in (axis, lower, upper)):
        return len(range(*slice(lower, upper).indices(axis)))  # type: ignore[arg-type]
    end = axis if upper is None else upper
    long = total([end, total([lower], -1)])
    if _certainly(lower, end) and _certainly(end, axis):
        return long
    numbers = [_number(one) for one in (axis, lower, end)]
    if None in numbers:
        return unsized(("slice", axis, lower, upper))
    n, a, b = numbers
    if a <= b <= n and (met := _MET.get()) is not None and not _symbols(axis) & _symbols(long):  # type: ignore[operator]
        met.within(end, axis)                              # else they are known when the part meets another
        met.within(lower, end)
    return unsized(("slice", axis, lower, upper), len(range(*slice(a, b).indices(n))),  # type: ignore[arg-type]
                   long if a <= b <= n else None)  # type: ignore[operator]


def _symbols(axis: Axis) -> set[Symbol]:
    return {symbol for symbol, _ in axis.terms} if isinstance(axis, Size) else set()


def _certainly(one: Axis, other: Axis) -> bool:
    """The first is no more than the second."""
    rest = total([other, total([one], -1)])
    lowest = rest if isinstance(rest, int) else rest.lowest
    return lowest is not None and lowest >= 0


def is_axes(shape: Any) -> bool:
    """A tuple of sizes."""
    return isinstance(shape, tuple) and all(isinstance(one, (int, Size)) for one in shape)


def numbers(shape: Axes) -> tuple[int, ...] | None:
    """The shape as numbers; None where it holds others."""
    found = tuple([one for one in shape if isinstance(one, int)])
    return found if len(found) == len(shape) else None


def _number(axis: Axis) -> int | None:
    return axis.like if isinstance(axis, Size) else axis


def broadcast_sizes(a: Axes, b: Axes) -> Axes:
    """The shape of the broadcast of two; ValueError where there is none."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    extra = len(longer) - len(shorter)
    return (*longer[:extra], *map(_broadcast, longer[extra:], shorter))


def _broadcast(a: Axis, b: Axis) -> Axis:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if isinstance(a, int) and isinstance(b, int):
        meet(a, b)
        raise ValueError(f"sizes {a} and {b} do not broadcast")
    if _number(a) != 1 != _number(b):
        meet(a, b)
    first, second = (0 if one == 0 else least(one) for one in (a, b))
    if first > 1 or second > 1 or 0 in (a, b):
        return a if first > 1 or a == 0 else b             # the other is the same, or 1
    return unsized(("broadcast", frozenset([a, b])))


# small, since some functions make what they are asked about; in other orders, and other distances, each time
STAND_INS = ((5, 7, 11, 13, 17), (41, 31, 37, 23, 29), (19, 43, 5, 47, 11))


def computed(shape_of: Callable[[tuple[int, ...]], Sequence[int]], shape: Axes, name: Any = None) -> Axes | None:
    """The shape that follows from another, as NumPy computes it, of three stand-ins for each size that is no number;
    None where its rank is not the same for all sizes. name: of what is computed, for sizes that are no others; where
    there is none the shape is not known then.

    >>> import numpy as np
    >>> n, k = size("n", 4), size("k", 3)
    >>> computed(lambda shape: np.zeros(shape).T.shape, (n, k)), computed(lambda shape: (2, shape[0]), (n,))
    ((k, n), (2, n))
    >>> computed(lambda shape: np.zeros(shape).reshape(-1, 2).shape, (n, k))
    """
    if (known := numbers(shape)) is not None:
        try:
            return tuple(shape_of(known))
        except ValueError:
            if (met := _MET.get()) is not None:
                met.apart = True
            raise
    sizes = sorted({one for one in shape if isinstance(one, Size)}, key=str)
    if len(sizes) > len(STAND_INS[0]) or any(least(one) < LEAST for one in sizes):
        return None
    found: list[tuple[Axis, ...]] = []
    for numbers_of in STAND_INS:
        of = dict(zip(sizes, numbers_of, strict=False))
        back = {number: one for one, number in of.items()}
        try:
            made = shape_of(tuple([of[one] if isinstance(one, Size) else one for one in shape]))
        except ValueError:                                 # as it would be called with these: it needs the examples
            for one in sizes:
                meet(one, one.like or 0)
            return None
        found.append(tuple([back.get(int(n), int(n)) for n in made]))
    first = found[0]
    if all(other == first for other in found):
        return first
    if name is None or any(len(other) != len(first) for other in found):
        return None
    return tuple(axes[0] if len(set(axes)) == 1 else unsized((name, shape, i))
                 for i, axes in enumerate(zip(*found, strict=True)))


# ------------------------------------------------------------------ what has to be equal
@dataclass(eq=False)
class Met:
    """The sizes that have to be equal: what stands for a symbol. apart: some that have to be are not, in the examples:
    the function raises."""

    same: dict[Symbol, Axis] = field(default_factory=dict)
    apart: bool = False

    def of(self, axis: Axis) -> Axis:
        """A size, in what stands for its symbols."""
        while isinstance(axis, Size) and any(symbol in self.same for symbol, _ in axis.terms):
            axis = total([axis.number, *(total([self.same.get(symbol, Size(((symbol, 1),)))], times)
                                         for symbol, times in axis.terms)])
        return axis

    def note(self, a: Axis, b: Axis, *, always: bool = True) -> None:
        """Both have to be one number, if they are in the examples: one symbol of an argument is what the others say.
        always: else the function raises."""
        rest = self.of(total([_as_sum(a), total([_as_sum(b)], -1)]))
        self.apart |= always and (rest.like if isinstance(rest, Size) else rest) not in (None, 0)
        if not isinstance(rest, Size) or rest.like != 0 or not all(symbol.given for symbol, _ in rest.terms):
            return
        for symbol, times in reversed(rest.terms):
            others = total([rest, Size(((symbol, -times),))], -times)
            if abs(times) == 1 and least(others) >= LEAST:
                self.same[symbol] = others
                return

    def within(self, one: Axis, other: Axis) -> None:
        """The first is no more than the second in the examples, and may be taken for that: what is left of the second
        is a symbol of its own."""
        rest = self.of(total([_as_sum(other), total([_as_sum(one)], -1)]))
        if not isinstance(rest, Size) or rest.like is None or least(total([rest, 1])) \
                or not all(symbol.given for symbol, _ in rest.terms):
            return                                         # it is so for certain, or cannot be said
        for symbol, times in rest.terms:
            before = total([rest, Size(((symbol, -1),))], -1)
            left = size(str(rest), rest.like) if rest.like >= LEAST else rest.like
            if times == 1 and symbol not in self.same and least(made := total([before, left])) >= LEAST:
                self.same[symbol] = made
                return


def _as_sum(axis: Axis) -> Axis:
    """A size, in what its symbols are in the examples."""
    if not isinstance(axis, Size):
        return axis
    return total([axis.number, *(total([Size(((one, 1),)) if one.equals is None else _as_sum(one.equals)], times)
                                 for one, times in axis.terms)])


_MET: ContextVar[Met | None] = ContextVar("met", default=None)
NOTING: list[Met] = []         # in all threads: what was found before is not taken for an answer, while somebody notes


@contextmanager
def meeting() -> Iterator[Met]:
    """In this block it is noted which sizes meet."""
    met = Met()
    token = _MET.set(met)
    NOTING.append(met)
    try:
        yield met
    finally:
        NOTING.remove(met)
        _MET.reset(token)


def join_as_one(a: Axes, b: Axes) -> None:
    """Sizes of what a variable holds by two ways to a place: one number in the examples may be taken for one."""
    met = _MET.get()
    if met is not None and len(a) == len(b):
        for one, other in zip(a, b, strict=True):
            if one != other:
                met.note(one, other, always=False)


def meet(a: Axis, b: Axis) -> None:
    """An operation raises where the sizes are not equal."""
    met = _MET.get()
    if met is not None and a != b:
        met.note(a, b)
