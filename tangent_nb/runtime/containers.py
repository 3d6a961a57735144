"""Containers: what holds numbers, arrays and containers, taken apart into its parts and put together again.

Parts go by the key or the name that they are read by. Lists, tuples (named ones too), dicts, dataclasses, namespaces,
`functools.partial` and the plain objects of a user's classes are known; `register_container` makes another class known.
"""
from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import math
import operator as op
import reprlib
import sys
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from inspect import getattr_static
from typing import Any

import numpy as np

from ..errors import ArgumentError, TangentError
from . import interpolated
from .attributes import own_dict

NUMBERS = (float, int, complex, np.ndarray, np.generic)
AS_THE_USERS = (interpolated.__name__,)                    # modules of ours whose texts are differentiated
HEAP = 1 << 9          # of a class that a class statement made
DICT = vars(types.FunctionType)["__dict__"]
OWN_WAY = ("__array__", object.__getattribute__.__name__, *(f"__{one.__name__}__" for one in (
    op.getitem, iter, getattr, op.add, op.mul, op.sub, op.truediv, op.matmul, op.pow, op.neg, op.pos, op.abs, round,
    math.trunc, math.floor, math.ceil)))

AS_HELD = sorted(Sequence.__abstractmethods__ | Collection.__abstractmethods__ | {"__bool__", OWN_WAY[1]})
OWN_WAYS, HELD = dict.fromkeys(OWN_WAY), dict.fromkeys(AS_HELD)
OF_DICTS = dict.fromkeys([name for name in (*vars(dict), *OWN_WAY, *AS_HELD, "__missing__")
                          if name == OWN_WAY[1] or name not in vars(object) and name != "__getattr__"])
ONE: Any = collections.namedtuple("ONE", "x")


@dataclass(frozen=True)
class Kind:
    """How the containers of a class come apart. parts: by key or name; build: another one, like the first, of other
    parts; by_name: parts are attributes; by_key: they are read by `x[key]`."""

    parts: Callable[[Any], dict[Any, Any]]
    build: Callable[[Any, Mapping[Any, Any]], Any]
    by_name: bool = False
    by_key: bool = True


def _sequence(x: Any, parts: Mapping[Any, Any]) -> Any:
    if isinstance(x, tuple):
        return x._make(parts.values()) if hasattr(x, "_make") else tuple(parts.values())
    return list(parts.values())


def _mapping(x: Any, parts: Mapping[Any, Any]) -> Any:
    if type(x) is dict:
        return dict(parts)
    new = x.copy()                                         # keeps what a subclass adds: the factory of a defaultdict
    new.clear()
    new.update(parts)
    return new


def _result(x: Any, parts: Mapping[Any, Any]) -> Any:
    cls: Any = type(x)
    new = cls.__new__(cls)
    new.update(parts)
    return new


def _attributes(x: Any) -> dict[Any, Any]:
    cls: Any = type(x)
    held = {}
    for name, slot in _slots(cls).items():
        try:
            held[name] = slot.__get__(x)
        except AttributeError:                             # nothing is there yet
            continue
    return {**held, **own_dict(x)}


@functools.lru_cache(1000)
def _slots(cls: Any) -> dict[str, Any]:
    """What stores the attributes of an object that are not in its dict, whatever a class below puts before them."""
    return {name: found for base in reversed(cls.__mro__) for name, found in vars(base).items()
            if isinstance(found, types.MemberDescriptorType) and not name.endswith("__")}


def _object(x: Any, parts: Mapping[Any, Any]) -> Any:
    """Another object of the class, made without running its code;
    a method of its own that it holds becomes that of the other."""
    made = types.SimpleNamespace if isinstance(x, types.SimpleNamespace) else object
    cls: Any = type(x)
    new = made.__new__(cls)
    slots = _slots(cls)
    for name, part in parts.items():
        own = isinstance(part, types.MethodType) and part.__self__ is x
        held = types.MethodType(part.__func__, new) if own else part
        if name in slots and name not in own_dict(x):
            slots[name].__set__(new, held)
        else:
            new.__dict__[name] = held
    return new


def made_of(cls: Any, /, **parts: Any) -> Any:
    """An object of a class that has these attributes: what its `__init__` does was done beforehand.

    >>> class Line: pass
    >>> made_of(Line, slope=2.0).slope
    2.0
    """
    slots, new = _slots(cls), object.__new__(cls)
    for name, part in parts.items():
        slots[name].__set__(new, part) if name in slots else new.__dict__.__setitem__(name, part)
    return new


def _bound(x: Any) -> dict[Any, Any]:
    return {**dict(enumerate(x.args)), **x.keywords}


def _partial(x: Any, parts: Mapping[Any, Any]) -> Any:
    count = len(x.args)
    return functools.partial(x.func, *(parts[i] for i in range(count)), **{key: parts[key] for key in x.keywords})


SEQUENCE = Kind(lambda x: dict(enumerate(x)), _sequence)
NAMED = Kind(lambda x: dict(zip(x._fields, x, strict=True)), _sequence, by_name=True)
MAPPING = Kind(dict, _mapping)
RESULT = Kind(dict, _result, by_name=True)                 # of a solver of SciPy: a dict whose items are attributes
OBJECT = Kind(_attributes, _object, by_name=True, by_key=False)
PARTIAL = Kind(_bound, _partial, by_key=False)             # a function, and what it is bound to
REGISTERED: set[type] = set()
_KINDS: dict[type, Kind | None] = {}                       # of these, and of the classes that nobody can change


def register_container(cls: type, flatten: Callable[[Any], dict[str, Any]],
                       unflatten: Callable[[Any, dict[str, Any]], Any]) -> None:
    """Make a class known as a container, so that derivatives are taken for what its objects hold.

    cls: the class itself, without its subclasses. flatten: gives the parts of an object by the names, or keys, that
    they are read by. unflatten: gives an object like the first argument that holds the parts of the second: gradients
    have the class too.

    >>> class Grid:
    ...     def __init__(self, values): self.values = values
    ...     def __iter__(self): return iter(self.values)
    >>> register_container(Grid, lambda grid: {"values": grid.values}, lambda grid, parts: Grid(parts["values"]))
    >>> list(kind_of(Grid([1.0])).parts(Grid([1.0])))
    ['values']
    """
    if not isinstance(cls, type):
        raise TangentError(f"register_container takes a class, not {cls!r}")
    REGISTERED.add(cls)
    _KINDS[cls] = Kind(flatten, lambda x, parts: unflatten(x, dict(parts)), by_name=True)


def kind_of(x: Any) -> Kind | None:
    """How a container comes apart; None for what is none.

    >>> kind_of((1.0, 2.0)) is SEQUENCE, kind_of(1.0)
    (True, None)
    """
    cls = type(x)
    if cls in _KINDS:
        return _KINDS[cls]
    found = _kind_of(x, cls)
    if not cls.__flags__ & HEAP:
        _KINDS[cls] = found
    return found


def _kind_of(x: Any, cls: type) -> Kind | None:
    if isinstance(x, (tuple, list)):
        return NAMED if is_named(cls) else SEQUENCE if cls in (tuple, list) else None
    if isinstance(x, dict):
        return RESULT if cls.__module__.startswith("scipy.") else MAPPING if _is_dict(cls) else None
    if cls is functools.partial:
        return PARTIAL
    return OBJECT if is_record(cls) else None


def is_named(cls: type) -> bool:
    """A class of named tuples, whose items are read as those of any tuple are.

    >>> from collections import namedtuple
    >>> is_named(namedtuple("Point", "x y")), is_named(tuple)
    (True, False)
    """
    if not issubclass(cls, tuple) or not hasattr(cls, "_fields"):
        return False
    own = [vars(base) for base in cls.__mro__ if base.__flags__ & HEAP]
    return _reads_fields(cls) and (all(map(HELD.keys().isdisjoint, own)) or all(
        getattr(cls, name, None) is getattr(tuple, name, None) for name in AS_HELD))


@functools.lru_cache(1000)
def _reads_fields(cls: Any) -> bool:
    """The attributes of a named tuple are its items, one after the other, and it is made as named tuples are."""
    probe: Any = tuple.__new__(cls, range(len(cls._fields)))
    read: list[Any] = [getattr_static(cls, name, None) for name in cls._fields]
    made = [[getattr(getattr(kind, name, None), "__code__", None) for name in ("_make", "_replace", "_asdict")]
            for kind in (cls, ONE)]
    return all(type(one) is type(vars(ONE)["x"]) and one.__get__(probe) == i for i, one in enumerate(read)) \
        and made[0] == made[1]


def _is_dict(cls: type) -> bool:
    """The objects of a class of dicts are read, and changed, as those of Python's library are."""
    own = [base for base in cls.__mro__[:-1] if base.__flags__ & HEAP and not is_of(base.__module__)]
    return all(OF_DICTS.keys().isdisjoint(vars(base)) for base in own)


@functools.lru_cache(1000)
def is_of(module: str | None, libraries: tuple[str, ...] = ()) -> bool:
    """A module, by its name, is one of Python's standard library, or of one of these.

    >>> is_of("collections.abc"), is_of("numpy.linalg", ("numpy",)), is_of("__main__"), is_of(None)
    (True, True, False, False)
    """
    top = (module or "").partition(".")[0]
    return top in sys.stdlib_module_names and top != "__main__" or top in libraries


def is_record(cls: type) -> bool:
    """The objects of a class are nothing but what they hold: a namespace, or a class that a user wrote in Python.

    >>> is_record(types.SimpleNamespace), is_record(np.ndarray), is_record(str)
    (True, False, False)
    """
    if cls is types.SimpleNamespace:
        return True
    if not cls.__flags__ & HEAP or issubclass(cls, (*NUMBERS, str, bytes, BaseException, type, types.ModuleType)) \
            or is_of(cls.__module__, ("numpy", "tangent_nb")):
        return False
    own = list(map(vars, cls.__mro__[:-1]))
    return cls.__new__ is object.__new__ and all(map(OWN_WAYS.keys().isdisjoint, own)) \
        and all("__dict__" not in one or isinstance(one["__dict__"], type(DICT)) for one in own)


def is_generated_method(method: Any) -> bool:
    """The method was written by `dataclass`, which leaves those that a class has itself;
    its `__repr__` stands in a function that ends recursion.

    >>> is_generated_method(dataclasses.make_dataclass("Point", ["x"]).__init__), is_generated_method(len)
    (True, False)
    """
    return isinstance(method, types.FunctionType) \
        and method.__code__.co_filename in ("<string>", dataclasses.__file__, reprlib.__file__)


def is_own_container(x: Any) -> bool:
    """Something that is read, or computes, in its own way: neither a container that is known nor a constant.

    >>> is_own_container({1.0}), is_own_container("text"), is_own_container(np.ones(2))
    (True, False, False)
    """
    if isinstance(x, (*NUMBERS, str, bytes)) or kind_of(x) is not None:
        return False
    return hasattr(x, "__iter__") or own_way(x) in OWN_WAY or bool(own_way(x)) and holds_floats(_attributes(x))


def own_way(x: Any) -> str:
    """The method, or what else is written in a class, by which its objects are read, made or computed with in a way of
    their own; empty where there is none.

    >>> class Shifted(dict):
    ...     def __getitem__(self, key): return super().__getitem__(key) + 1.0
    >>> own_way(Shifted()), own_way({})
    ('__getitem__', '')
    """
    if isinstance(x, (type, types.ModuleType, BaseException, enum.Enum)):
        return ""
    names = OF_DICTS if isinstance(x, dict) else (*OWN_WAY, object.__new__.__name__, "__dict__")
    own = [base for base in type(x).__mro__[:-1] if base.__flags__ & HEAP and not is_of(base.__module__)]
    return next((name for name in names for base in own
                 if name in vars(base) and not isinstance(vars(base)[name], types.GetSetDescriptorType)), "")


def holds_floats(x: Any, depth: int = 4) -> bool:
    """A container holds floating numbers, or may do so further inside than is looked."""
    kind = kind_of(x)
    if kind is None:
        return isinstance(x, (float, complex)) or isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "fc"
    return depth == 0 or any(holds_floats(part, depth - 1) for part in kind.parts(x).values())


def unknown(x: Any) -> str:
    """What is no container that is known, why, and what to use."""
    way = own_way(x)
    why = f", since its class has {article(way)} of its own" if way else ""
    return f"{described(x)}, which is not known as a container{why}: a list or a dict, or tnb.register_container"


def holds_number(x: Any) -> bool:
    """A leaf that a gradient has a number for: no text, truth value, function or None.

    >>> holds_number(2), holds_number("text"), holds_number(True)
    (True, False, False)
    """
    if isinstance(x, (bool, np.bool_)) or not isinstance(x, NUMBERS) and not hasattr(x, "__array__"):
        return False
    return not hasattr(x, "dtype") or x.dtype.kind in "fciub"


def depth_of(x: Any) -> float:
    """How deep numbers lie in a value: 0 for a number or an array, 1 for a list of these;
    infinite where it is not known.

    >>> depth_of(1.0), depth_of([(1.0, 2.0), 3.0]), depth_of(print)
    (0, 2, inf)
    """
    if x is None or isinstance(x, (*NUMBERS, str)):
        return 0
    kind = kind_of(x)
    if kind is None or callable(x):
        return 1 if isinstance(x, range) else math.inf
    return 1 + max(map(depth_of, kind.parts(x).values()), default=0)


def part_text(key: Any, kind: Kind) -> str:
    """How a part is written after its container, for messages: `.w`, `['w']`, `[0]`."""
    return f".{key}" if kind.by_name else f"[{key!r}]"


def key_in(x: Any, index: Any) -> Any:
    """The key of the part that `x[index]` reads; refused where the class reads it in its own way."""
    kind = kind_of(x)
    if kind is SEQUENCE or kind is NAMED:
        number = range(len(x))[index]
        return x._fields[number] if kind is NAMED else number
    if kind is None or not kind.by_key or index not in kind.parts(x):
        there = f"it has {list(kind.parts(x))}" if kind is not None and kind.by_key \
            else "use a dict, a list or an array"
        raise ArgumentError(f"{described(x)} is read by [{index!r}], which is not a part of it: {there}")
    return index


def in_class(cls: type, name: str) -> Any:
    """What a class has by a name, itself or from its bases, as it is stored there; None where it has nothing.

    >>> in_class(bool, "real") is vars(int)["real"], in_class(bool, "w")
    (True, None)
    """
    for base in cls.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


def has_part(x: Any, name: str) -> bool:
    """`x.name` is a part of x, not a constant of its class; refused where it is computed, by a property or a method."""
    kind = kind_of(x)
    if kind is PARTIAL and name in ("args", "keywords"):
        return True
    if kind is None or not kind.by_name:
        raise ArgumentError(f"{described(x)} is read by .{name}, which is not differentiated: "
                            "use an object that holds it")
    there = name in kind.parts(x)
    found = in_class(type(x), name)
    own = kind is not OBJECT or isinstance(found, types.MemberDescriptorType)
    if own and there:
        return True
    if hasattr(type(found), "__get__") or found is None and not there and hasattr(type(x), "__getattr__"):
        raise ArgumentError(f".{name} of {described(x)} is computed when it is read: call a function of what it holds")
    return there and name in own_dict(x)


@functools.cache
def names_outside(code: types.CodeType) -> tuple[str, ...]:
    """The names that a function, and those in it, may read outside: of variables, and of attributes."""
    inside = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return tuple(sorted({*code.co_names, *(name for one in inside for name in names_outside(one))}))


def held_by(function: Any) -> dict[str, Any]:
    """What the cells of a function hold, by their names; those that hold nothing yet are left out."""
    cells = getattr(function, "__closure__", None) or ()
    return {name: cell.cell_contents
            for name, cell in zip(function.__code__.co_freevars, cells) if cell != types.CellType()} if cells else {}


def described(x: Any) -> str:
    """How messages call a value: `a dict`, `an array`, `None`."""
    if x is None:
        return "None"
    if isinstance(x, np.ndarray):
        return "an array"
    return article(type(x).__name__)


def article(name: str) -> str:
    """A noun with its article."""
    return f"an {name}" if name.strip("_")[:1] in "aeiouAEIOU" else f"a {name}"
