"""How arguments are made: the classes of objects, and of what they hold, for which a text is specialized.

Needs arguments. Promises whether they are made as a text takes it. What such a text does with a method, it does as the
class says: an object that holds something else by that name is not made so.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .attributes import own_dict
from .containers import kind_of


@dataclass(frozen=True)
class Structure:
    """How a value is made. kind: its class; parts: how what it holds is made, by attribute (as text), key or index;
    each: how all items of a list or tuple are made, of whatever length; keys: those of all that a dict or a list holds,
    in order; members: the names that its class has to mean, and that it may not hold itself; value: the function,
    class, module or text that it is."""

    kind: type
    parts: tuple[tuple[Any, Structure], ...] = ()
    each: Structure | None = None
    members: frozenset[str] = frozenset()
    value: Any = None
    keys: tuple[Any, ...] | None = None

    @property
    def by_key(self) -> bool:
        """It is a list, a tuple or a dict of Python, whose parts are items."""
        return self.kind.__module__ == "builtins"

    def __str__(self) -> str:
        if self.value is not None:
            return repr(self.value) if self.kind is str else str(getattr(self.value, "__name__", "function"))
        name = self.kind.__name__
        if self.each is not None:
            return f"{name} of {self.each}"
        if self.keys is not None and not self.parts:
            return f"{name} of {', '.join(map(str, self.keys))}" if self.kind is dict else f"{name} of {len(self.keys)}"
        held = ", ".join(f"{key}: {one}" for key, one in self.parts)
        return f"{name}({held})" if held else name


def alike(x: Any, structure: Structure) -> bool:
    """A value is made in this way.

    >>> floats = Structure(list, each=Structure(float))
    >>> alike([1.0, 2.0], floats), alike([], floats), alike([1.0, None], floats), alike((1.0,), floats)
    (True, True, False, False)
    """
    if type(x) is not structure.kind:
        return False
    if structure.value is not None and x is not structure.value and (type(x) is not str or x != structure.value):
        return False
    items: Any = x
    if structure.keys is not None and tuple(items if structure.kind is dict else range(len(items))) != structure.keys:
        return False
    held = own_dict(x)
    if any(name in held for name in structure.members):
        return False
    if structure.each is not None and not all(alike(one, structure.each) for one in items):
        return False
    return all(alike(part_at(x, key), one) for key, one in structure.parts)


def part_at(x: Any, key: Any) -> Any:
    """What a value holds under an attribute, a key or an index; None where it holds nothing there."""
    kind = kind_of(x)
    return None if kind is None else kind.parts(x).get(key)
