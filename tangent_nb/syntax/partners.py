"""Which variable of a function holds the derivative of which: `bh` the cotangent of `h`, in forward mode `dh` its
tangent.

The rules that made the function say so; no name is read. A pass that numbers names anew (`total_1` is `total` where
that one is gone) is followed, so that `btotal` is the cotangent of the sum that it is of.
"""
from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Partners:
    """Of one function. made: the variables that were differentiated, with their cotangents, by the names that they had
    before the passes; renamed: what some are called after them.

    >>> partners = Partners({"x": "bx", "total": "btotal", "total_1": "btotal_1"}, {"total_1": "total"})
    >>> partners.pairs(["x", "bx", "total", "btotal_1"])
    {'x': 'bx', 'total': 'btotal_1'}
    >>> partners.owners({"bx", "btotal", "btotal_1"})
    {'bx': 'x', 'btotal': 'total', 'btotal_1': 'total_1'}
    """

    made: Mapping[str, str] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)

    def pairs(self, bound: Collection[str]) -> dict[str, str]:
        """The variables of the last text that have a cotangent there, with it. bound: the names that it binds, in the
        order in which they are to be told."""
        found = {self._now(name): self._now(own) for name, own in self.made.items()}
        return {name: found[name] for name in bound if name in found and found[name] in bound}

    def owners(self, bound: Container[str], *, renamed: bool = True) -> dict[str, str]:
        """The cotangents that a text binds, with the variables whose they are, by the names that those had before the
        passes: they may be in no text any more. renamed: the text is one after the names were numbered anew."""
        found = {self._now(own) if renamed else own: name for name, own in self.made.items()}
        return {own: name for own, name in found.items() if own in bound}

    def _now(self, name: str) -> str:
        """What a variable is called in the last text; "" of one that is gone, whose name another has now."""
        return self.renamed.get(name, "" if name in self.renamed.values() else name)


NONE = Partners()
