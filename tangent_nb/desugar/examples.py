"""How example arguments are made: the objects in them whose classes keep what they are given.

Needs a value. Promises its structure, if there is such an object in it.

    Model([Layer(w), Layer(v)])      →      Model(layers: list of Layer)
"""
from __future__ import annotations

import functools
import sys
import types
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..analyse.libraries import is_user_class
from ..runtime.alike import Structure
from ..runtime.checks import differentiable
from ..runtime.containers import MAPPING, SEQUENCE, kind_of
from ..runtime.persistent import PersistentArray
from ..syntax.spec import Spec
from .objects import constructs
from .values import is_callable_value, is_user_object

DEEPEST = 8            # objects in objects that are looked at
LONGEST = 1000         # items of one list


def structure_of(value: Any, depth: int = DEEPEST, *, lasting: bool = False) -> Structure | None:
    """How an object, a function, or a container of these is made;
    None for numbers, arrays, and what holds something whose class is not known to keep what it is given. lasting: but
    for texts, and functions that may be made anew for each call.

    >>> structure_of(1.0) is None, str(structure_of({"a": 1.0}))
    (True, 'dict of a')
    """
    if lasting and (isinstance(value, str) or isinstance(value, types.FunctionType) and not _is_of_module(value)):
        return None
    if isinstance(value, (types.FunctionType, np.ufunc)) and is_callable_value(value) \
            or isinstance(value, (types.ModuleType, str)) or isinstance(value, type) and is_user_class(value):
        return Structure(type(value), value=value)
    held = kind_of(value)
    if held is None or depth == 0 or type(value) is functools.partial or len(parts := held.parts(value)) > LONGEST:
        return None
    found = {key: structure_of(part, depth - 1, lasting=lasting) for key, part in parts.items()}
    if held is SEQUENCE:
        each = functools.reduce(joined, found.values()) if found else None
        return replace(_made(value, found), parts=(), each=each) if each is not None else _made(value, found)
    if is_user_object(value) and constructs(type(value)):
        return Structure(type(value), tuple((key, one) for key, one in found.items() if one is not None))
    return _made(value, found) if held is MAPPING and type(value) is dict else None


def specs_of(arguments: Iterable[tuple[str, Any]], wrt: Collection[str]) -> tuple[tuple[str, Spec], ...]:
    """What arguments say, by parameter: the kind of numbers, the shape and dtype of arrays.

    >>> [(name, str(spec.kind)) for name, spec in specs_of([("x", 2), ("n", 2), ("p", "a text")], ["x"])]
    [('x', 'float'), ('n', 'int')]
    """
    known = []
    for parameter, value in arguments:
        if isinstance(value, PersistentArray):             # the text for any shape is the one for it
            continue
        spec = Spec.of(differentiable(value) if parameter in wrt and kind_of(value) is None else value)
        if spec.kind == "array" and str(spec.dtype)[0] not in "biufc":     # of texts, dates, objects, records
            continue
        if spec.kind in ("float", "int", "bool", "array") and not (spec.kind == "bool" and not isinstance(value, bool)):
            known.append((parameter, spec.sized(parameter)))
    return tuple(known)


def _is_of_module(fn: types.FunctionType) -> bool:
    """A function is what its module has under its name."""
    return getattr(sys.modules.get(fn.__module__ or ""), fn.__name__, None) is fn


def joined(one: Structure | None, other: Structure | None) -> Structure | None:
    """What holds of both."""
    if one is None or other is None or one == other:
        return one if one == other else None
    if one.kind is not other.kind or one.value is not other.value and (one.kind is not str or one.value != other.value):
        return None
    others = dict(other.parts)
    parts = tuple((key, both) for key, part in one.parts if (both := joined(part, others.get(key))) is not None)
    each, keys = joined(one.each, other.each), one.keys if one.keys == other.keys else None
    known = parts or each is not None or keys is not None or not one.by_key
    return Structure(one.kind, parts, each, keys=keys) if known else None


def _made(value: Any, found: Mapping[Any, Structure | None]) -> Structure:
    """How a container is made, with its keys where it is one of Python's."""
    keys = tuple(found) if type(value).__module__ == "builtins" else None
    return Structure(type(value), tuple((key, one) for key, one in found.items() if one is not None), keys=keys)
