"""New names that clash with nothing, chosen the same way every time."""
from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

PRIVATE = re.compile(r"_{0,2}[A-Z][A-Za-z0-9]*__(?=[A-Za-z])")     # of `net__Net__w`, for `net.__w` in a class Net


class Names:
    """The names in use in one function. made: those that were given out here.

    >>> names = Names(["x", "bx"])
    >>> names.new("bx"), names.new("bx"), names.new("y")
    ('bx_1', 'bx_2', 'y')
    """

    def __init__(self, used: Iterable[str]) -> None:
        self.used = set(used)
        self.made: set[str] = set()

    @property
    def used(self) -> set[str]:
        """The names that are taken; only ever grows, unless it is set anew."""
        return self._used

    @used.setter
    def used(self, used: set[str]) -> None:
        self._used = used
        self._next: dict[str, int] = {}                  # of a base: all numbers below are taken

    def copy(self) -> Names:
        """Names of their own that know what these know."""
        other = Names(self._used)
        other.made, other._next = set(self.made), dict(self._next)
        return other

    def new(self, base: str) -> str:
        """`base` itself where it is free, else with the first free number."""
        if "__" in base:
            base = PRIVATE.sub(lambda match: "_" if match.start() else "", base)
        base = base if base.isidentifier() and not keyword.iskeyword(base) else "value"
        if base in self._used or hasattr(builtins, base):
            return self.numbered(base)
        self._used.add(base)
        self.made.add(base)
        return base

    def numbered(self, base: str) -> str:
        """`base_1`, `base_2`, …: for versions of a variable."""
        count = self._next.get(base, 1)
        while (name := f"{base}_{count}") in self._used or hasattr(builtins, name):
            count += 1
        self._next[base] = count + 1
        self._used.add(name)
        self.made.add(name)
        return name
