"""What an object stores itself, whatever its class answers."""
from __future__ import annotations

from typing import Any


def own_dict(x: Any) -> Any:
    """The attributes in the dict of an object, `vars(x)`; none where it has no dict, though its `__getattr__` may
    answer that it has one.

    >>> class Slotted:
    ...     __slots__ = ("w",)
    ...     def __getattr__(self, name): return 7.0
    >>> own_dict(Slotted()), list(own_dict(type("Plain", (), {})()))
    ({}, [])
    """
    return x.__dict__ if type(x).__dictoffset__ else {}
