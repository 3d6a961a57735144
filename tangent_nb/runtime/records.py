"""Reading and exchanging parts of containers: the transposes of `p["w"]` and `p.w`, and stores as new containers."""
from __future__ import annotations

import dataclasses
import functools
import types
from inspect import getattr_static
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .checks import differentiable
from .containers import (
    MAPPING,
    NAMED,
    OBJECT,
    PARTIAL,
    SEQUENCE,
    described,
    has_part,
    holds_number,
    is_generated_method,
    is_own_container,
    key_in,
    kind_of,
    part_text,
    unknown,
)
from .indexing import add_at, index_like
from .persistent import PersistentArray
from .structure import add_grad, rebuild, zeros_like
from .versions import added, versioned
from .waiting import refuse_use, waits


def record(x: Any, name: str) -> Any:
    """An argument that a derivative is taken for, which may be a container;
    refused what has no derivative, with its place.

    >>> record({"w": np.ones(2), "n": 3, "title": "text"}, "p")["n"]
    3
    >>> record({"w": [1.0, np.arange(3)]}, "p")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: p['w'][1] is an array of int64, which has no derivative: pass ...
    """
    if kind_of(x) is None:
        return differentiable(x, names=(name,))
    _check_record(x, name, ())
    return x


def items(x: Any, name: str) -> Any:
    """Like `record`, for a text that computes with each item: refused where an item is a container.

    >>> items((1.0, 2), "p")
    (1.0, 2)
    """
    kind = kind_of(x)
    for key, part in kind.parts(x).items() if kind is not None else ():
        if kind_of(part) is not None:
            what = f"{name}{part_text(key, kind)} is {described(part)}"  # type: ignore[arg-type]
            raise ArgumentError(f"{what}, and is used as an array, or as a number: "
                                f"unpack it, or annotate {name} as a container ({name}: {type(x).__name__})")
    return record(x, name)


def _check_record(x: Any, name: str, around: tuple[int, ...]) -> None:
    kind = kind_of(x)
    if kind is None:
        if isinstance(x, (np.ndarray, np.complexfloating, complex)) and (holds_number(x) or type(x) is not np.ndarray):
            differentiable(x, names=(name,))
        elif isinstance(x, PersistentArray):
            versioned(x, name)
        elif is_own_container(x):
            raise ArgumentError(f"{name} is {unknown(x)}")
        return
    if id(x) in around:
        raise ArgumentError(f"{name} is one of the containers that it is in: "
                            "a container that holds itself has no gradient")
    for key, part in kind.parts(x).items():
        if part.__class__ is not float:
            _check_record(part, name + part_text(key, kind), (*around, id(x)))


def add_item(b: Any, index: Any, g: Any) -> Any:
    """The cotangent `b` of a container, or an array, with `g` added to the part `b[index]`; `b` itself stays as it is.

    >>> add_item({"w": 1.0, "b": 2.0}, "w", 5.0)
    {'w': 6.0, 'b': 2.0}
    >>> add_item((1.0, 2.0, 3.0), slice(1, None), (1.0, 1.0))
    (1.0, 3.0, 4.0)
    """
    if isinstance(b, np.ndarray):
        new = b.copy()
        add_at(new, index, g)
        return new
    if isinstance(b, PersistentArray):
        return added(b, index, g)
    if isinstance(b, (float, np.generic)):                 # x[None] of a number
        return b + index_like(g, b, index)
    if isinstance(index, slice) and kind_of(b) in (SEQUENCE, NAMED):
        parts = list(b)
        parts[index] = [add_grad(part, more) for part, more in zip(b[index], g, strict=True)]
        return rebuild(b, parts)
    if type(b) is list and type(index) is int:
        items: list[Any] = b.copy()
        items[index] = add_grad(b[index], g)
        return items
    key = key_in(b, index)
    return exchanged(b, key, add_grad(kind_of(b).parts(b)[key], g))  # type: ignore[union-attr]


def add_field(b: Any, name: str, g: Any) -> Any:
    """The cotangent `b` of an object with `g` added to the part `b.name`; what its class holds is a constant.

    >>> from types import SimpleNamespace as Record
    >>> add_field(Record(w=1.0, b=2.0), "w", 5.0)
    namespace(w=6.0, b=2.0)
    """
    return exchanged(b, name, add_grad(getattr(b, name), g)) if has_part(b, name) else b


def field(x: Any, name: str) -> Any:
    """The part `x.name`, of an object or of its tangent.

    >>> from types import SimpleNamespace as Record
    >>> field(Record(w=1.0), "w")
    1.0
    """
    if has_part(x, name):
        found = getattr(x, name)
        return refuse_use(found) if waits(found) else found
    if not hasattr(type(x), name):
        raise AttributeError(f"{type(x).__name__!r} object has no attribute {name!r}")         # as Python says
    return 0.0


def field_like(g: Any, x: Any, name: str) -> Any:
    """Zeros with the structure of `x`, with `g` for the part `x.name`.

    >>> from types import SimpleNamespace as Record
    >>> field_like(3.0, Record(w=1.0, b=2.0), "w")
    namespace(w=3.0, b=0.0)
    """
    return add_field(zeros_like(x), name, g)


def with_item(x: Any, index: Any, v: Any) -> Any:
    """The list or dict `x` with `v` for the item `x[index]`, an old one or a new one: what `x[index] = v` makes of it.

    >>> with_item({"w": 1.0}, "b", 2.0), with_item([1.0, 2.0], -1, 5.0)
    ({'w': 1.0, 'b': 2.0}, [1.0, 5.0])
    """
    kind = kind_of(x)
    if kind is MAPPING:
        return exchanged(x, index, v)
    if isinstance(x, tuple):
        raise TypeError(f"{type(x).__name__!r} object does not support item assignment")       # as Python does
    if kind is not SEQUENCE or isinstance(index, slice):
        raise ArgumentError(f"an item of {described(x)} is set, [{index!r}], which is not differentiated: "
                            "use a dict, or a list")
    return exchanged(x, key_in(x, index), v)


def without_item(g: Any, x: Any, index: Any) -> Any:
    """The cotangent of `x` from that of `with_item(x, index, v)`: zero for the item that was there,
    nothing for a new one.

    >>> without_item({"w": 5.0, "b": 6.0}, {"w": 1.0}, "b"), without_item([5.0, 6.0], [1.0, 2.0], 0)
    ({'w': 5.0}, [0.0, 6.0])
    """
    if isinstance(x, dict) and index not in x:
        kept = dict(MAPPING.parts(g))
        kept.pop(index, None)
        return MAPPING.build(g, kept)
    key = key_in(x, index)
    return exchanged(g, key, zeros_like(kind_of(x).parts(x)[key]))  # type: ignore[union-attr]


def with_field(x: Any, name: str, v: Any) -> Any:
    """The object `x` with `v` for the part `x.name`, an old one or a new one: what `x.name = v` makes of it.

    >>> from types import SimpleNamespace as Record
    >>> with_field(Record(w=1.0), "b", 2.0)
    namespace(w=1.0, b=2.0)
    """
    if kind_of(x) is not OBJECT and (kind_of(x) is None or not has_part(x, name)):
        raise ArgumentError(
            f"an attribute of {described(x)} is set, .{name}, which is not differentiated: use a plain object")
    found = getattr_static(type(x), name, None)
    if isinstance(x, tuple) or getattr(getattr(type(x), "__dataclass_params__", None), "frozen", False):
        raise AttributeError(f"cannot assign to field {name!r}")       # as Python does
    if any(isinstance(vars(kind).get("__setattr__"), types.FunctionType) for kind in type(x).__mro__):
        raise ArgumentError(
            f"{described(x)} sets attributes in its own way, which is not differentiated: use a plain object")
    if kind_of(x) is OBJECT and hasattr(type(found), "__set__") and not isinstance(found, types.MemberDescriptorType):
        raise ArgumentError(f".{name} of {described(x)} is a property, which is not differentiated: "
                            "set what it stands for")
    return exchanged(x, name, v)


def exchanged(x: Any, name: Any, v: Any) -> Any:
    """A cotangent, or a tangent, with `v` for its part `x.name`, or `x[name]`, an old one or a new one.

    Also where the class lets nobody assign.

    >>> from collections import namedtuple
    >>> exchanged(namedtuple("Line", "slope start")(1.0, 2.0), "start", 5.0)
    Line(slope=1.0, start=5.0)
    """
    if type(x) is list:
        new = x.copy()
        new[name] = v
        return new
    kind = kind_of(x)
    assert kind is not None
    if kind is PARTIAL:                                    # its parts are read through .args and .keywords
        given = {"args": x.args, "keywords": x.keywords, name: v}
        return functools.partial(x.func, *given["args"], **given["keywords"])
    return kind.build(x, {**kind.parts(x), name: v})


def without_field(g: Any, x: Any, name: str) -> Any:
    """The cotangent of `x` from that of `with_field(x, name, v)`.

    >>> from types import SimpleNamespace as Record
    >>> without_field(Record(w=5.0, b=6.0), Record(w=1.0), "b")
    namespace(w=5.0)
    """
    kind, known = kind_of(x), kind_of(g)
    assert kind is not None and known is not None
    before, parts = kind.parts(x), dict(known.parts(g))
    if name in before:
        parts[name] = zeros_like(before[name])
    else:
        parts.pop(name, None)
    return known.build(g, parts)


def replaced(x: Any, name: str, v: Any) -> Any:
    """A named tuple or dataclass with another value for one of its fields; refused where making one runs code.

    >>> from collections import namedtuple
    >>> replaced(namedtuple("Line", "slope start")(1.0, 2.0), "start", 5.0)
    Line(slope=1.0, start=5.0)
    """
    kind = type(x)
    own = dataclasses.is_dataclass(kind) \
        and not (is_generated_method(kind.__init__) and all(one.init for one in dataclasses.fields(kind)))
    if own or hasattr(kind, "__post_init__"):
        code = "__post_init__" if hasattr(kind, "__post_init__") else "__init__"
        raise ArgumentError(f"{described(x)} runs code when it is made, {code}, which is not differentiated")
    if not (kind_of(x) is NAMED or dataclasses.is_dataclass(x) or isinstance(x, SimpleNamespace)) \
            or name not in kind_of(x).parts(x):  # type: ignore[union-attr]
        raise ArgumentError(f"{described(x)} has no field {name} to be replaced")
    return exchanged(x, name, v)


def check_array(x: Any, name: str) -> None:
    """Refuses a container whose attribute or method would be taken for that of an array.

    >>> check_array({"w": 1.0}, "p.size")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: p.size is taken for that of an array, and belongs to a dict: give the field ...
    """
    if kind_of(x) is not None and kind_of(x) is not SEQUENCE:
        raise ArgumentError(f"{name} is taken for that of an array, and belongs to {described(x)}: "
                            "give the field another name")


def of_array(x: Any, name: str) -> Any:
    """The value itself, if `check_array` does not refuse it.

    >>> of_array(2.0, "p[k].size")
    2.0
    """
    check_array(x, name)
    return x


def namespace(x: Any) -> Any:
    """An object with what a dict holds as its attributes: `types.SimpleNamespace(**x)`.

    >>> namespace({"rate": 2.0}).rate
    2.0
    """
    return SimpleNamespace(**x)


def named_items(v: Any, x: Any) -> Any:
    """The cotangent of a dict from that of `namespace(x)`.

    >>> named_items(namespace({"rate": 2.0}), {"rate": 3.0})
    {'rate': 2.0}
    """
    kind = kind_of(x)
    found = {key: getattr(v, key) for key in x}
    return found if kind is None else kind.build(x, found)
