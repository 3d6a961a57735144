"""New names that clash with nothing, chosen the same way every time."""
from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable


class Names:
    """The names in use in one function.

    >>> names = Names(["x", "bx"])
    >>> names.new("bx"), names.new("bx"), names.new("y")
    ('bx_1', 'bx_2', 'y')
    """

    def __init__(self, used: Iterable[str]) -> None:
        self.used = set(used)

    def new(self, base: str) -> str:
        """`base` itself where it is free, else with the first free number."""
        base = base if base.isidentifier() and not keyword.iskeyword(base) else "value"
        name, count = base, 0
        while name in self.used or hasattr(builtins, name):
            count += 1
            name = f"{base}_{count}"
        self.used.add(name)
        return name

    def numbered(self, base: str) -> str:
        """`base_1`, `base_2`, …: for versions of a variable."""
        count = 1
        while f"{base}_{count}" in self.used:
            count += 1
        self.used.add(f"{base}_{count}")
        return f"{base}_{count}"
