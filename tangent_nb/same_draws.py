"""The same random numbers for each column of a matrix: the draws of a function are constants, drawn once.

Needs a function and its arguments. Promises that what it draws by (`np.random`, `random`, generators that it is given
or sees) stands, before each call but the first, where it stood before the first; and a TangentError where the columns
would be of different draws all the same.
"""
from __future__ import annotations

import copy
import functools
import inspect
import random
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from .analyse.draws import makes_generator
from .errors import TangentError
from .rules import DRAWING
from .runtime.containers import held_by, kind_of, names_outside


class SameDraws:
    """What a call of `fn` draws by, and where it stands.

    >>> rng = np.random.default_rng(0)
    >>> same = SameDraws(lambda x: x * rng.normal(), (2.0,))
    >>> first = rng.normal()
    >>> same.rewind()
    >>> rng.normal() == first
    True
    """

    def __init__(self, fn: Any, *given: Any) -> None:
        seen: set[int] = set()
        self.found = list({id(one): one for value in given for one in _held(value, seen)}.values())
        self.hidden = False
        todo = [fn]
        while todo:
            one = todo.pop()
            if isinstance(one, functools.partial):
                todo += [one.func, *one.args, *one.keywords.values()]
            plain = one.__func__ if isinstance(one, types.MethodType) else one
            if not isinstance(plain, types.FunctionType) or id(one) in seen:
                continue
            seen.add(id(one))
            for value in _seen_by(plain, _owner(one)):
                if _draws(value):
                    self.hidden = True
                todo.append(value)
                self.found += [held for held in _held(value, seen) if all(held is not known for known in self.found)]
        if self.hidden:
            self.found += [np.random.mtrand._rand, random._inst]
        self.found = [one for one in self.found if not isinstance(one, random.SystemRandom)]     # which stands nowhere
        self.states = [_state(one) for one in self.found]

    def rewind(self) -> None:
        """Each stands again where it stood."""
        for one, state in zip(self.found, self.states, strict=True):
            _restore(one, state)

    def check(self, first: Any, again: Any) -> None:
        """Refuses what is another number when it is computed again: drawn by what is made anew in each call."""
        if not np.array_equal(first, again, equal_nan=np.asarray(first).dtype.kind in "fc"):
            raise TangentError("the function draws other numbers in each call, "
                               "so that the columns would be of different functions: "
                               "give the generator a seed, np.random.default_rng(0), or pass one as an argument")


def _seen_by(fn: types.FunctionType, owner: Any) -> Iterator[Any]:
    """What a function sees: its object, globals, cells and defaults,
    and the attributes of these that its text names."""
    names = names_outside(fn.__code__)
    values = [fn.__globals__[name] for name in names if name in fn.__globals__]
    values += held_by(fn).values()
    values += [owner, *(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values()]
    for value in values:
        yield value
        todo, depth = [value], 0
        while todo and depth < 3:                          # np.random.normal, config.rng, net.noise.rng
            todo = [found for one in todo if not isinstance(one, np.ndarray)
                    for name in names if (found := inspect.getattr_static(one, name, None)) is not None]
            yield from todo
            depth += 1


def _draws(value: Any) -> bool:
    """Something that draws, or makes what draws."""
    return value is np.random or value is random or isinstance(value, DRAWING) \
        or isinstance(_owner(value), DRAWING) or makes_generator(value)


def _held(value: Any, seen: set[int]) -> Iterator[Any]:
    """The generators in an argument. seen: the containers that were looked into."""
    if isinstance(value, DRAWING):
        yield value
    elif isinstance(_owner(value), DRAWING):
        yield _owner(value)
    elif (kind := kind_of(value)) is not None and id(value) not in seen:
        seen.add(id(value))
        for part in kind.parts(value).values():
            yield from _held(part, seen)


def _owner(value: Any) -> Any:
    return value.__self__ if type(value) in (types.MethodType, types.BuiltinMethodType) else None


def _state(one: Any) -> Any:
    if isinstance(one, np.random.Generator):
        return copy.deepcopy(one.bit_generator.state)
    return one.get_state() if isinstance(one, np.random.RandomState) else one.getstate()


def _restore(one: Any, state: Any) -> None:
    if isinstance(one, np.random.Generator):
        one.bit_generator.state = copy.deepcopy(state)
    elif isinstance(one, np.random.RandomState):
        one.set_state(state)
    else:
        one.setstate(state)
