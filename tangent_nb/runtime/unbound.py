"""Names that are not bound where they are read."""
from __future__ import annotations

from typing import Any


class _Unbound:
    """What stands in the text of a derivative for a variable that Python has not bound;
    there is one such object in each process."""

    def __repr__(self) -> str:
        return "UNBOUND"

    def __reduce__(self) -> str:
        return "UNBOUND"


UNBOUND = _Unbound()


def bound(value: Any, name: str, outside: bool = False) -> Any:
    """The value of a variable, as `y` reads it; where it is not bound, the exception that Python raises, with its
    words. outside: of the function around.

    >>> bound(2.0, "y")
    2.0
    >>> bound(UNBOUND, "y")
    Traceback (most recent call last):
    UnboundLocalError: ...'y'...
    """
    if value is not UNBOUND:
        return value
    if outside:
        raise NameError(f"cannot access free variable '{name}' where it is not associated with a "
                        "value in enclosing scope", name=name)
    raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
