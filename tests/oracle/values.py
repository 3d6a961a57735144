"""Values side by side: structures with their types, what they share, what is left of the world after a call."""
from __future__ import annotations

import collections
import random
import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

TOLERANCE = 1e-12     # of values that the normal form computes in another way, such as 1 / (1 + np.exp(-z))
ATOMS = (type(None), bool, int, str, bytes, type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType,
         np.dtype, range, slice, np.ufunc)
DEPTH = 12


def frozen(value: Any, depth: int = 0) -> Any:
    """A copy of all that can be seen of a value, whose parts are compared by `difference`."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return np.array(value, copy=True, order="K", subok=False)
    if isinstance(value, (*ATOMS, float, complex, np.generic)) or depth > DEPTH:
        return value
    if isinstance(value, np.random.Generator):
        return Frozen(type(value), str(value.bit_generator.state))
    if isinstance(value, (np.random.RandomState, random.Random)):
        return Frozen(type(value),
                      str(value.get_state() if isinstance(value, np.random.RandomState) else value.getstate()))
    if isinstance(value, Mapping):
        return Frozen(type(value), [(frozen(k, depth + 1), frozen(v, depth + 1)) for k, v in value.items()])
    if isinstance(value, (list, tuple, collections.deque, np.ndarray)):
        return Frozen(type(value), [frozen(one, depth + 1) for one in value])
    if isinstance(value, (set, frozenset)):
        return Frozen(type(value), sorted(map(repr, value)))
    if isinstance(value, BaseException):
        return Frozen(type(value), str(value))
    fields = getattr(value, "__dict__", None)
    slots = [name for kind in type(value).__mro__ if isinstance(kind.__dict__.get("__slots__"), (tuple, list))
             for name in kind.__slots__]
    if isinstance(fields, dict) and not callable(value) or slots:
        found = {**(fields or {}), **{name: getattr(value, name) for name in slots if hasattr(value, name)}}
        return Frozen(type(value), [(name, frozen(one, depth + 1)) for name, one in found.items()])
    return Frozen(type(value), None)


class Frozen:
    """What is seen of a container or an object."""

    __slots__ = ("kind", "parts")

    def __init__(self, kind: type, parts: Any) -> None:
        self.kind, self.parts = kind, parts

    def __repr__(self) -> str:
        return f"{self.kind.__name__}({self.parts!r})"


def difference(a: Any, b: Any, tolerance: float = TOLERANCE, place: str = "") -> str:
    """Where two frozen values differ, with both; empty where they do not."""
    if type(a) is not type(b):
        return f"{place or 'the value'}: {_told(a)} and {_told(b)}"
    if isinstance(a, Frozen):
        if a.kind is not b.kind:
            return f"{place or 'the value'}: {a.kind.__name__} and {b.kind.__name__}"
        return difference(a.parts, b.parts, tolerance, place)
    if isinstance(a, (list, tuple)):
        if len(a) != len(b):
            return f"{place or 'the value'}: {len(a)} and {len(b)} parts"
        return next((one for i, (p, q) in enumerate(zip(a, b, strict=True))
                     if (one := difference(p, q, tolerance, f"{place}[{i}]"))), "")
    if isinstance(a, (np.ndarray, np.generic)):
        if np.shape(a) != np.shape(b) or a.dtype != b.dtype:
            return f"{place or 'the value'}: {_told(a)} and {_told(b)}"
        return "" if _near(a, b, tolerance) else f"{place or 'the value'}: {a!r} and {b!r}"
    if isinstance(a, (float, complex)):
        return "" if _near(np.asarray(a), np.asarray(b), tolerance) else f"{place or 'the value'}: {a!r} and {b!r}"
    if isinstance(a, (type, types.FunctionType, types.BuiltinFunctionType)):
        return "" if a is b or getattr(a, "__name__", 0) == getattr(b, "__name__", 1) \
            else f"{place or 'the value'}: {a!r} and {b!r}"
    return "" if a is b or a == b else f"{place or 'the value'}: {a!r} and {b!r}"


def _near(a: Any, b: Any, tolerance: float) -> bool:
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    if a.tobytes() == b.tobytes():
        return True
    if not tolerance:
        return False
    tolerance = max(tolerance, 64.0 * float(np.finfo(a.dtype).eps))
    with np.errstate(all="ignore"):
        size = np.abs(np.where(np.isfinite(b), b, 0.0))
        near = np.abs(a - b) <= tolerance * (1.0 + np.max(size, initial=0.0))
        return bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))))


def _told(value: Any) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{type(value).__name__} {value.dtype} {np.shape(value)}"
    return repr(value) if isinstance(value, Frozen) else f"{type(value).__name__} {value!r}"


def floats(value: Any) -> Iterator[Any]:
    """The floating numbers and arrays in a value, copied."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        if value.dtype.kind in "fc":
            yield value.copy()
    elif isinstance(value, (float, complex, np.floating, np.complexfloating)):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from floats(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from floats(one)


# ------------------------------------------------------------------ what values share
def memory(value: Any, found: dict[int, Any] | None = None, depth: int = 0) -> dict[int, Any]:
    """What of a value may be changed: its arrays and containers, by id."""
    found = {} if found is None else found
    if id(value) in found or depth > DEPTH:
        return found
    if isinstance(value, np.ndarray):
        found[id(value)] = value
    elif isinstance(value, (list, dict, set, collections.deque, tuple)):
        if not isinstance(value, tuple):
            found[id(value)] = value
        for one in value.values() if isinstance(value, dict) else value:
            memory(one, found, depth + 1)
    elif not isinstance(value, (*ATOMS, float, complex, np.generic)) and not callable(value) \
            and hasattr(value, "__dict__"):
        found[id(value)] = value
        for one in vars(value).values():
            memory(one, found, depth + 1)
    return found


def sharing(a: dict[int, Any], b: dict[int, Any]) -> bool:
    """Two values have memory in common."""
    if not a.keys().isdisjoint(b):
        return True
    arrays = [one for one in b.values() if isinstance(one, np.ndarray)]
    return any(np.shares_memory(one, other) for one in a.values() if isinstance(one, np.ndarray) for other in arrays
               if np.may_share_memory(one, other))


# ------------------------------------------------------------------ the world outside
class World:
    """The variables outside that a function and those that it calls may read,
    and the states of the two global generators."""

    def __init__(self, fn: Any) -> None:
        self.places: dict[tuple[int, str], tuple[Any, Any]] = {}
        self._visit(fn, set())
        self.before = self.now()
        self.values = {key: self._value(*place) for key, place in self.places.items()}
        self.states = np.random.get_state(), random.getstate()

    def _visit(self, fn: Any, seen: set[int]) -> None:
        fn = getattr(fn, "__func__", fn)
        if not isinstance(fn, types.FunctionType) or id(fn) in seen:
            return
        seen.add(id(fn))
        codes, names = [fn.__code__], set()
        while codes:
            code = codes.pop()
            names |= set(code.co_names)
            codes += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        for name in sorted(names & fn.__globals__.keys()):
            self._place(fn.__globals__, name, fn.__globals__[name], seen)
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
            try:
                self._place(cell, name, cell.cell_contents, seen)
            except ValueError:
                continue
        for i, one in enumerate(fn.__defaults__ or ()):
            self._place(fn.__defaults__, str(i), one, seen)

    def _place(self, holder: Any, name: str, value: Any, seen: set[int]) -> None:
        if isinstance(value, types.FunctionType):
            self._visit(value, seen)
        elif isinstance(value, type):
            if value.__module__ not in ("builtins", "numpy"):
                for one in list(vars(value).values()):
                    self._visit(one, seen)
        elif not isinstance(value, (types.ModuleType, np.ufunc, types.BuiltinFunctionType)):
            self.places[id(holder), name] = holder, name

    @staticmethod
    def _value(holder: Any, name: str) -> Any:
        if isinstance(holder, dict):
            return holder.get(name)
        return holder[int(name)] if isinstance(holder, tuple) else holder.cell_contents

    def now(self) -> dict[str, Any]:
        """What the variables hold."""
        return {name: frozen(self._value(holder, name)) for holder, name in self.places.values()}

    def drawn(self) -> str:
        """The states of the generators."""
        return repr(np.random.get_state()) + repr(random.getstate())

    def restore(self) -> None:
        """As it was in the beginning."""
        np.random.set_state(self.states[0])
        random.setstate(self.states[1])
        if not difference(list(self.now().items()), list(self.before.items()), 0.0):
            return
        for key, (holder, name) in self.places.items():
            _restore(self.values[key], self.before[name])
            if isinstance(holder, dict):
                holder[name] = self.values[key]
            elif isinstance(holder, types.CellType):
                holder.cell_contents = self.values[key]


def _restore(value: Any, kept: Any) -> None:
    """Bring the parts of a value back."""
    if isinstance(value, np.ndarray) and isinstance(kept, np.ndarray):
        if value.flags.writeable:
            value[...] = kept
    elif isinstance(value, list):
        value[:] = [_thawed(one) for one in kept.parts]
    elif isinstance(value, dict):
        before = {key: _thawed(one) for key, one in kept.parts if not isinstance(key, Frozen)}
        value.clear()
        value.update(before)
    elif isinstance(kept, Frozen) and isinstance(getattr(value, "__dict__", None), dict) and kept.parts \
            and isinstance(kept.parts, list):
        for name, one in kept.parts:
            setattr(value, name, _thawed(one))


def _thawed(kept: Any) -> Any:
    if isinstance(kept, np.ndarray):
        return kept.copy()
    if not isinstance(kept, Frozen):
        return kept
    if kept.kind in (list, tuple):
        return kept.kind(map(_thawed, kept.parts))
    if kept.kind is dict:
        return {_thawed(key): _thawed(one) for key, one in kept.parts}
    return kept
