"""One derivation for all functions of one code: a lambda, a closure or an object that is made anew for each call is
derived once.

Needs a function whose derivative is known, and another with the same code, globals and defaults, in whose cells (and
attributes, where it is an object with a method) there is the same function, class or module, or other data of the same
type. A derivative reads data when it runs, as Python does: the text for the one is the text for the other. What is in a
container or another object may change its kind meanwhile, and is not looked at: functions that see one are derived
each. Promises the functions of that text in the cells of the other one.

    def make(k): return lambda t: t * k      →      that of make(2.0), its cells exchanged, is that of make(3.0)
"""
from __future__ import annotations

import inspect
import sys
import types
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .containers import HEAP, NUMBERS, names_outside

EMPTY = types.CellType()
SHAPES = 8             # environments of one code for which derivatives are kept
CODES = 256


@dataclass
class Environment:
    """What a function runs in. owner: the object whose method it is; parts: what has to be the same; derived: the
    derivatives for functions of such environments, each with that of the function that it was made for."""

    fn: types.FunctionType
    owner: Any
    parts: tuple[Any, ...]
    derived: dict[Any, tuple[Environment, Any]] = field(default_factory=dict)

    def fits(self, other: Environment) -> bool:
        """A derivative for the other environment is one for this."""
        return len(self.parts) == len(other.parts) and all(a is b for a, b in zip(self.parts, other.parts))


_KNOWN: OrderedDict[int, list[Environment]] = OrderedDict()


def _part_of(value: Any) -> Any:
    """What has to be the same of a value: of data the type."""
    is_data = value is None or isinstance(value, NUMBERS) or isinstance(value, str)
    return type(value) if is_data and not type(value).__flags__ & HEAP else value


def _stays(part: Any) -> bool:
    """A part is a class (that of data too), a function of Python or C, or a module: its kind does not change."""
    return part is EMPTY or isinstance(part, types.ModuleType) or callable(part) and not type(part).__flags__ & HEAP


def _named_parts(values: Mapping[str, Any]) -> list[Any]:
    return [part for name in sorted(values) for part in (sys.intern(name), values[name])]


def forget_environments() -> None:
    """A derivative was found to be of what is no more: the next one is derived anew."""
    _KNOWN.clear()


def known_environment(fn: Any) -> Environment | None:
    """The environment that stands for that of a function, with its derivatives;
    None where it is not known what it runs in."""
    found = environment_of(fn)
    if found is None:
        return None
    alike = _KNOWN.setdefault(id(found.fn.__code__), [])
    _KNOWN.move_to_end(id(found.fn.__code__))
    while len(_KNOWN) > CODES:
        _KNOWN.popitem(last=False)
    for one in alike:
        if one.fits(found):
            return one
    alike.append(found)
    del alike[:-SHAPES]
    return found


def environment_of(fn: Any) -> Environment | None:
    """What a function, a method of an object or an object that can be called runs in; None where that is not known."""
    owner: Any = None
    plain = fn
    if type(fn) is types.MethodType:
        owner, plain = fn.__self__, fn.__func__
    elif type(fn) is not types.FunctionType:
        owner, plain = fn, inspect.getattr_static(type(fn), "__call__", None)
    if type(plain) is not types.FunctionType or plain.__dict__:
        return None
    cells = [EMPTY if cell == EMPTY else _part_of(cell.cell_contents) for cell in plain.__closure__ or ()]
    outside = [_part_of(plain.__globals__.get(name, EMPTY)) for name in names_outside(plain.__code__)]
    if not all(map(_stays, [*cells, *outside, *map(_part_of, plain.__defaults__ or ()),
                            *map(_part_of, (plain.__kwdefaults__ or {}).values())])):
        return None
    defaults = *(plain.__defaults__ or ()), EMPTY, *_named_parts(plain.__kwdefaults__ or {}), EMPTY
    parts = (plain.__code__, plain.__globals__, *defaults, *cells, *outside)
    if owner is None:
        return Environment(plain, None, parts)
    kind = type(owner)
    own = {name for one in kind.__mro__[:-1] for name in vars(one)}
    if "__getattribute__" in own or "__slots__" in own or not hasattr(owner, "__dict__") or not kind.__flags__ & HEAP:
        return None
    own_parts = {name: _part_of(value) for name, value in vars(owner).items()}
    return Environment(plain, owner, (*parts, kind, *_named_parts(own_parts))) \
        if all(map(_stays, own_parts.values())) else None


def relinked(made: Any, known: Environment, fn: Any) -> Any:
    """Derivatives that were made in one environment for a function in another: what they read in its cells is read in
    those of the other."""
    now = environment_of(fn)
    if now is None or now.fn is known.fn and now.owner is known.owner:
        return made
    cells = {id(a): b for a, b in zip(known.fn.__closure__ or (), now.fn.__closure__ or ())}
    return _Relinked(cells, known.owner, now.owner).of(made)


class _Relinked:
    """Functions of one text in other cells."""

    def __init__(self, cells: dict[int, types.CellType], owner: Any, now: Any) -> None:
        self.cells, self.owner, self.now = dict(cells), owner, now
        self.kept: list[Any] = []                          # what `cells` names by its id

    def of(self, made: Any) -> Any:
        if type(made) is tuple:
            return tuple(map(self.of, made))
        return self._function(made, made.__code__.co_filename) if type(made) is types.FunctionType else made

    def _function(self, made: types.FunctionType, file: str) -> types.FunctionType:
        closure = tuple(self._cell(cell, file) for cell in made.__closure__ or ())
        new = types.FunctionType(made.__code__, made.__globals__, made.__name__, made.__defaults__, closure)
        new.__kwdefaults__, new.__module__, new.__qualname__, new.__doc__ = made.__kwdefaults__, made.__module__, \
            made.__qualname__, made.__doc__
        new.__dict__.update(made.__dict__)
        return new

    def _cell(self, cell: types.CellType, file: str) -> types.CellType:
        if id(cell) not in self.cells and cell != EMPTY:
            self.kept.append(cell)
            value = cell.cell_contents
            if self.owner is not None and value is self.owner:
                self.cells[id(cell)] = types.CellType(self.now)
            elif type(value) is types.FunctionType and value.__code__.co_filename == file:
                new = self.cells[id(cell)] = types.CellType()
                new.cell_contents = self._function(value, file)
        return self.cells.get(id(cell), cell)
