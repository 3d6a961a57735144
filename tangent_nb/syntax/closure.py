"""Sets that grow until nothing is new: what some things lead to, and what belongs together."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def closure(start: Iterable[Item], more: Callable[[set[Item]], Iterable[Item]]) -> set[Item]:
    """The least set that holds some things, and with them what `more` gives of it.

    >>> sorted(closure({1}, lambda found: {2 * n for n in found if n < 10}))
    [1, 2, 4, 8, 16]
    """
    found = set(start)
    while new := set(more(found)) - found:
        found |= new
    return found


class Groups:
    """Names that belong together, directly or through others.

    >>> groups = Groups([["a", "b"], ["c", "d"]])
    >>> groups.join(["b", "c", "e"])
    >>> groups.name("d") == groups.name("a"), sorted(groups.members()["e"]), "f" in groups.members()
    (True, ['a', 'b', 'c', 'd', 'e'], False)
    """

    def __init__(self, links: Iterable[Iterable[str]] = ()) -> None:
        self._above: dict[str, str] = {}                   # towards the name that stands for the group
        for names in links:
            self.join(names)

    def join(self, names: Iterable[str]) -> None:
        """Let names belong together, with all that belong to them already."""
        tops = [self.name(name) for name in names]
        for top in tops[1:]:
            if top != tops[0]:
                self._above[top] = tops[0]

    def name(self, name: str) -> str:
        """The name that stands for all that belong together with a name."""
        path = []
        while name in self._above:
            path.append(name)
            name = self._above[name]
        for one in path:
            self._above[one] = name
        return name

    def members(self) -> dict[str, set[str]]:
        """Of each name that belongs together with another its group."""
        groups: dict[str, set[str]] = {}
        for name in [*self._above, *self._above.values()]:
            groups.setdefault(self.name(name), set()).add(name)
        return {name: group for group in groups.values() for name in group}
