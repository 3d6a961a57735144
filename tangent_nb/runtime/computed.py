"""Attributes of objects whose class is known when they are read: what a property computes, or what the object holds.

    computed("area")(shape)        shape.area, by the function of the property where the class has one
"""
from __future__ import annotations

import functools
import inspect
import linecache
import types
from collections.abc import Callable
from typing import Any, TypeGuard, TypeVar

import numpy as np

from ..errors import TangentError
from .containers import described, has_part, kind_of, names_outside
from .records import field

Kind = TypeVar("Kind")


class computed:
    """`computed(name)(obj)` is `obj.name`, where a property of the class may compute it.

    >>> class Square:
    ...     side = 3.0
    ...     @property
    ...     def area(self): return self.side ** 2
    >>> computed("area")(Square()), computed("side")(Square())
    (9.0, 3.0)
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, obj: Any) -> Any:
        return getattr(obj, self.name)

    def function_of(self, obj: Any) -> Any:
        """The function with a text that reads the attribute of an object."""
        found = inspect.getattr_static(type(obj), self.name, None)
        kind = kind_of(obj)
        if kind is not None and works_as(found, property) and isinstance(found.fget, types.FunctionType):
            return found.fget
        return _reader(self.name, kind is not None and kind.by_name and hasattr(np.ndarray, self.name))


    def checked(self, obj: Any, clean: Callable[[Any], Any]) -> Any:
        """The same function, if `clean` takes it for one that changes nothing, and so the properties that it may
        read."""
        fn, found, kind = self.function_of(obj), inspect.getattr_static(type(obj), self.name, None), kind_of(obj)
        if kind is not None and kind.by_name and not works_as(found, property):
            has_part(obj, self.name)                       # or it is refused
        check_getters(obj, fn, clean)
        return clean(fn)


def check_getters(obj: Any, fn: Any, clean: Callable[[Any], Any]) -> None:
    """The same of the properties of an object that a function may read, by their names.

    >>> class Square:
    ...     @property
    ...     def area(self): return self.side ** 2
    >>> check_getters(Square(), lambda square: square.area, lambda fn: print(fn.__name__))
    area
    """
    todo, seen = [fn], set[int]()
    while todo:
        one = todo.pop()
        for name in names_outside(one.__code__) if isinstance(one, types.FunctionType) else ():
            for found in (vars(kind).get(name) for kind in type(obj).__mro__):
                if isinstance(found, property) and id(found) not in seen:
                    seen.add(id(found))
                    clean(found.fget)
                    todo.append(found.fget)


@functools.lru_cache(1000)
def _reader(name: str, by_name: bool) -> Any:
    """A function that reads an attribute which the object, or its class, holds; with a text. by_name: which says that
    it is none of an array."""
    place, value = f"<.{name} of {'an object' if by_name else 'a value'}>", f"obj.{name}"
    read = f"field(obj, {name!r})" if by_name else value
    text = f"def {name}_of(obj):\n    return {read}\n"
    linecache.cache[place] = len(text), None, text.splitlines(True), place
    scope: dict[str, Any] = {"field": field}
    exec(compile(text, place, "exec"), scope)
    return scope[f"{name}_of"]


def property_above(cls: type, x: Any, name: str) -> Any:
    """What `super().name` finds in a method of a class, as the function of the property.

    >>> class Square:
    ...     @property
    ...     def area(self): return self.side ** 2
    >>> class Half(Square):
    ...     @property
    ...     def area(self): return super().area / 2.0
    >>> property_above(Half, Half(), "area") is Square.area.fget
    True
    """
    found = found_above(cls, x, name)
    if not works_as(found, property) or not isinstance(found.fget, types.FunctionType):
        raise TangentError(f"super().{name} of {described(x)} is no property: read it as self.{name}, or of the class "
                           "that has it")
    return found.fget


def works_as(found: Any, kind: type[Kind]) -> TypeGuard[Kind]:
    """What a class holds is a property, or another of Python's descriptors, whose class reads and sets it as these do.

    >>> class Doubled(property):
    ...     def __get__(self, obj, kind=None): return 2.0 * super().__get__(obj, kind)
    >>> works_as(property(abs), property), works_as(Doubled(abs), property), works_as(abs, property)
    (True, False, False)
    """
    return isinstance(found, kind) and all(
        getattr(type(found), name, None) is getattr(kind, name, None) for name in ("__get__", "__set__", "__delete__"))


def found_above(cls: type, x: Any, name: str) -> Any:
    """What the classes of an object after `cls` say about a name; None where they say nothing.

    >>> found_above(bool, True, "real") is vars(int)["real"], found_above(str, True, "real")
    (True, None)
    """
    kinds = type(x).__mro__
    return next((vars(kind)[name] for kind in kinds[kinds.index(cls) + 1:] if name in vars(kind)), None) \
        if cls in kinds else None
