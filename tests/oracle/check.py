"""Asserts what is claimed, of the values at hand. Imports no analysis: claims are records,
and what they mean is said here once more.

- a kind, shape and dtype of a value; a symbol of a shape stands for one shape in a whole call, one of a size for one
  number
- a name is bound, or is not, or its value is not read again (it is taken away, and the program must do the same)
- two names have no memory in common
- the value of a name is not changed in place
- a value does not depend on what is differentiated: it is the same, bit by bit, where that is moved by a hair
"""
from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from interpreter import Frame
from machine import Machine
from values import World, difference, floats, frozen, memory, sharing

HAIR = 1e-7
CHANGES = " changes with what is differentiated"
NUMBERS = (bool, int, float, complex, np.generic)
MOST = 12                          # claims that do not hold: more say nothing new


class Checker:
    """The claims of one derivation, asked in one run, and with what is differentiated moved in another.
    false: those that do not hold."""

    def __init__(self, derived: Any) -> None:
        self.derived, self.asserted = derived, 0
        self.false: list[str] = []
        self.trace: list[tuple[str, int, str, dict[str, list[Any]]]] = []

    def observer(self, program: Any, frame: Frame) -> Callable[[int, str, Frame], None] | None:
        """Asserts all that one run shows."""
        if program.claims is None:
            return None
        claims, symbols = program.claims, Symbols()
        for name, kind in claims.parameters.items():
            if name in frame:
                symbols.given(name, kind, frame[name])
        contents: dict[str, Any] = {}

        def observe(number: int, when: str, frame: Frame) -> None:
            at = claims.at(number, when)
            self._kinds(program, number, when, at, frame, symbols)
            self._names(program, number, when, at, frame)
            if when == "after":
                self._kept(program, number, frame, contents)
                if at.still:
                    held = {name: list(floats(frame[name])) for name in sorted(at.still & frame.keys())}
                    self.trace.append((program.name, number, when, held))
            if at.apart is not None:
                self._apart(program, number, when, at.apart, frame)
        return observe

    def _say(self, program: Any, number: int, when: str, text: str) -> None:
        if len(self.false) < MOST:
            self.false.append(f"{program.name}, {when} statement {number}: {text}")

    def _kinds(self, program: Any, number: int, when: str, at: Any, frame: Frame, symbols: Symbols) -> None:
        for name, kind in at.kinds.items():
            if name in frame:
                self.asserted += 1
                if why := symbols.unlike(kind, frame[name]):
                    self._say(program, number, when, f"{name} is {why}, claimed {kind}")

    def _names(self, program: Any, number: int, when: str, at: Any, frame: Frame) -> None:
        self.asserted += len(at.bound) + len(at.unbound)
        for name in at.bound:
            if name not in frame:
                self._say(program, number, when, f"{name} is not bound")
        for name in at.unbound:
            if name in frame:
                self._say(program, number, when, f"{name} is bound")

    def _kept(self, program: Any, number: int, frame: Frame, contents: dict[str, Any]) -> None:
        """A name that is not bound anew, and whose value nothing is claimed to change, has the same value: of an array
        its numbers, of a container which things it holds."""
        for name in program.claims.kept & frame.keys():
            value = frame[name]
            if not isinstance(value, (np.ndarray, list, dict, set)):
                contents.pop(name, None)
                continue
            now, before = inside(value), contents.get(name)
            contents[name] = value, now
            if before is not None and before[0] is value:
                self.asserted += 1
                if found := difference(before[1], now, 0.0):
                    self._say(program, number, "after", f"{name} has changed: {found}")

    def _apart(self, program: Any, number: int, when: str, apart: Any, frame: Frame) -> None:
        held = {name: found for name in sorted(apart.linked & frame.keys()) if (found := memory(frame[name]))}
        names = list(held)
        for i, one in enumerate(names):
            for other in names[i + 1:]:
                if frozenset((one, other)) not in apart.shared:
                    self.asserted += 1
                    if sharing(held[one], held[other]):
                        self._say(program, number, when, f"{one} and {other} have memory in common")

    @staticmethod
    def watcher(op: Any, fn: Any, args: list[Any], keywords: dict[str, Any]) -> Any:
        """What memory holds that nothing has written is the same in each run."""
        value = fn(*args, **keywords)
        if (fn is np.empty or fn is np.empty_like) and value.dtype.kind in "fciub":
            value.fill(1)
        return value

    # ------------------------------------------------------------------ moved by a hair
    def perturbed(self, given: Callable[[], Sequence[Any]], world: World) -> None:
        """Run again with what is differentiated moved, and names taken away that are not read again. What changes one
        way only stands at a jump, where a comparison holds that would not a hair further on."""
        before = len(self.false)
        self._perturbed(given, world, 1.0)
        if ahead := self.false[before:]:
            del self.false[before:]
            self._perturbed(given, world, -1.0)
            back = {one.partition(CHANGES)[0] for one in self.false[before:]}
            self.false[before:] = [one for one in ahead if CHANGES not in one or one.partition(CHANGES)[0] in back]

    def _perturbed(self, given: Callable[[], Sequence[Any]], world: World, sign: float) -> None:
        args = list(given())
        places = [i for i, name in enumerate(parameters(self.derived.main)) if name in self.derived.wrt]
        rng = np.random.default_rng(11)
        for i in places:
            if i < len(args):
                args[i] = moved(args[i], rng, sign)
        left, off = iter(self.trace), []

        def observer(program: Any, frame: Frame) -> Callable[[int, str, Frame], None] | None:
            if program.claims is None:
                return None

            def observe(number: int, when: str, frame: Frame) -> None:
                at = program.claims.at(number, when)
                for name in (at.dead - program.claims.partial) & frame.keys():
                    del frame[name]
                if when != "after" or not at.still or off:
                    return
                base = next(left, None)
                if base is None or base[:3] != (program.name, number, when):
                    off.append(number)                     # control went another way: there is nothing to compare
                    return
                for name, values in base[3].items():
                    if name in frame:
                        self.asserted += 1
                        now = list(floats(frame[name]))
                        if found := difference([frozen(one) for one in values], [frozen(one) for one in now], 0.0):
                            self._say(program, number, when, f"{name}{CHANGES}: {found}")
            return observe

        try:
            Machine(self.derived, observer, self.watcher)(*args)
        except Exception as error:
            if isinstance(error, NameError):
                self.false.append(f"a name that is not read again is read: {error}")
        world.restore()


def parameters(program: Any) -> list[str]:
    """The names of the parameters, in order."""
    head = program.head
    return [one.id
            for one in [*head.posonlyargs, *head.args, *([head.vararg] if head.vararg else []), *head.kwonlyargs]]


def moved(value: Any, rng: np.random.Generator, sign: float) -> Any:
    """A value with its floating numbers moved by a hair, each by another one, all up or down."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value + sign * (HAIR * (1.0 + np.abs(value)) * rng.uniform(0.5, 1.0, value.shape)).astype(value.dtype)
    if isinstance(value, (float, np.floating)):
        return type(value)(value + sign * HAIR * (1.0 + abs(value)) * rng.uniform(0.5, 1.0))
    if type(value) in (list, tuple):
        return type(value)(moved(one, rng, sign) for one in value)
    return {key: moved(one, rng, sign) for key, one in value.items()} if type(value) is dict else value


def inside(value: Any) -> Any:
    """What is directly in an array or a container."""
    if isinstance(value, np.ndarray):
        return frozen(value)
    if isinstance(value, dict):
        return [part for key, one in value.items() for part in (repr(key), id(one))]
    return [id(one) for one in value]


# ------------------------------------------------------------------ kinds
class Symbols:
    """What the symbols of shapes and dtypes stand for in one call."""

    def __init__(self) -> None:
        self.shapes: dict[Any, Any] = {}
        self.sizes: dict[Any, int] = {}
        self.dtypes: dict[Any, Any] = {}
        self.doubtful: set[Any] = set()

    def given(self, name: str, kind: Any, value: Any) -> None:
        """A parameter: its own symbol stands for what is given.
        One that is taken for a number and is none says nothing of others."""
        if not isinstance(value, (*NUMBERS, np.ndarray)):
            self.doubtful |= {("dtype of", name), name}
            return
        for leaf in kind.shape if isinstance(kind.shape, frozenset) else ():
            self.shapes[frozenset([leaf])] = np.shape(value)
        if isinstance(kind.shape, tuple):
            self._shape(kind.shape, np.shape(value))

    def unlike(self, kind: Any, value: Any) -> str:
        """What a value is, where it is not as claimed; empty where it is."""
        if isinstance(kind.dtype, frozenset) and kind.dtype & self.doubtful:
            return ""
        own = isinstance(kind.dtype, frozenset) and not all(isinstance(one, str) for one in kind.dtype)
        if kind.kind == "numeric" and own and self.doubtful and not isinstance(value, (*NUMBERS, np.ndarray)):
            return ""     # made of what is taken for a number, as the parameter that is none
        test = KINDS.get(kind.kind)
        if test is not None and not test(value):
            return f"a {type(value).__name__}"
        if kind.value is not None and not self._size(kind.value, value):
            return f"{value}"
        if kind.items is not None and kind.kind in ("tuple", "list"):
            if len(value) != len(kind.items):
                return f"of length {len(value)}"
            parts = [self.unlike(one, item) for one, item in zip(kind.items, value, strict=True)]
            return next((f"at {i} {why}" for i, why in enumerate(parts) if why), "")
        if kind.kind in ("items", "versions") or not isinstance(value, (*NUMBERS, np.ndarray)):
            return ""
        return self._shape(kind.shape, np.shape(value)) or self._dtype(kind.dtype, value)

    def _shape(self, claimed: Any, shape: tuple[int, ...]) -> str:
        if claimed is None:
            return ""
        if isinstance(claimed, tuple):
            fits = len(claimed) == len(shape) and all(map(self._size, claimed, shape))
            return "" if fits else f"of shape {shape}"
        parts = [one if is_shape(one) else self.shapes.get(frozenset([one])) for one in claimed]
        if None not in parts and len(parts) > 1:
            try:
                due = np.broadcast_shapes(*parts)
            except ValueError:
                return f"of shape {shape} where {parts} do not fit"
        else:
            due = self.shapes.setdefault(claimed, shape)
        return "" if due == shape else f"of shape {shape}, not {due} as before"

    def _size(self, claimed: Any, number: int) -> bool:
        """A size is this number, as it was before; one symbol of it may be met for the first time."""
        if isinstance(claimed, int):
            return claimed == number
        left, new = number - claimed.number, []
        for symbol, times in claimed.terms:
            if symbol in self.sizes:
                left -= times * self.sizes[symbol]
            else:
                new.append((symbol, times))
        if len(new) == 1 and left % new[0][1] == 0:
            self.sizes[new[0][0]] = left // new[0][1]
            return not new[0][0].given or left // new[0][1] > 1
        return left == 0 or len(new) > 1

    def _dtype(self, claimed: Any, value: Any) -> str:
        found = dtype_of(value)
        if isinstance(claimed, str):
            return "" if found == claimed or {found, claimed} <= {"weak", "f8"} and np.ndim(value) == 0 \
                and not isinstance(value, np.ndarray) else f"of dtype {found}"
        if not isinstance(claimed, frozenset):
            return ""
        if found == "weak" or found[0] in "biu":           # a symbol stands for what computing makes of integers, too
            found = "f8"
        due = self.dtypes.setdefault(claimed, found)
        return "" if due == found else f"of dtype {found}, not {due} as before"


def is_shape(leaf: Any) -> bool:
    """A leaf that is no symbol."""
    return isinstance(leaf, tuple) and all(isinstance(n, int) for n in leaf)


def dtype_of(value: Any) -> str:
    """As a character code; `weak` of Python's own floats and ints."""
    if isinstance(value, (bool, np.bool_)):
        return "b1"
    return value.dtype.str[1:] if isinstance(value, (np.ndarray, np.generic)) else "weak"


KINDS: dict[str, Callable[[Any], bool]] = {
    "float": lambda v: type(v) is float, "int": lambda v: type(v) is int,
    "bool": lambda v: isinstance(v, (bool, np.bool_)), "scalar": lambda v: isinstance(v, NUMBERS),
    "array": lambda v: isinstance(v, np.ndarray), "numeric": lambda v: isinstance(v, (*NUMBERS, np.ndarray)),
    "tuple": lambda v: isinstance(v, tuple), "list": lambda v: isinstance(v, list),
    "str": lambda v: isinstance(v, str), "none": lambda v: v is None, "ellipsis": lambda v: v is ...,
    # `list(reversed(range(n)))`
    "range": lambda v: isinstance(v, range) or isinstance(v, list) and all(type(one) is int for one in v),
    "function": callable, "module": lambda v: isinstance(v, types.ModuleType)}
