"""Texts that are made when they are first needed: for arguments that are made as those of a call are.

Needs what makes one. Promises the function for the arguments of a call: the one that was made for such arguments
before, or a new one. Which of them serves is decided by calls; what a text says is not.
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .alike import Structure, alike
from .containers import MAPPING, SEQUENCE, kind_of

LIVE = 8               # texts that are kept: the one that served least lately goes, and would come back the same

Structures = tuple[tuple[str, Structure], ...]
Made = tuple[Structures, Callable[..., Any] | None]


@dataclass
class Versions:
    """The texts of one derivative. make: gives one for arguments, by name, with how those are made that it relies
    on; it is given these texts too, which serve others. None for a function: there is none but the one for all
    arguments; of: the parameters whose objects have texts of their own beside that; functions: those whose functions
    have some too."""

    make: Callable[[Mapping[str, Any], Versions], Made]
    made: list[Made] = field(default_factory=list)
    of: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    lock: Any = field(default_factory=threading.RLock)

    def made_for(self, arguments: Mapping[str, Any]) -> Made:
        """The function for arguments, with how those are made that it relies on."""
        one = self._known(arguments)
        if one is None:
            with self.lock:                                # another thread may have made it meanwhile
                one = self._known(arguments) or self.make(arguments, self)
                if one[0] or one[1] is not None:           # else it would serve all
                    self.first(one)
        elif one is not self.made[0]:
            self.first(one)
        return one

    def _known(self, arguments: Mapping[str, Any]) -> Made | None:
        return next((one for one in self.made
                     if all(alike(arguments[name], structure) for name, structure in one[0])), None)

    def first(self, one: Made) -> None:
        """Keep a text, as the first that is asked."""
        with self.lock:
            self.made = [one, *(other for other in self.made if other is not one)][:LIVE]

    def __reduce__(self) -> tuple[Any, ...]:
        """Those that were made travel; others can be made where the text of the function is found."""
        return Versions, (self.make,), {"made": self.made, "of": self.of, "functions": self.functions}


def for_objects(versions: Versions, /, **arguments: Any) -> Callable[..., Any] | None:
    """The function for objects whose methods are called, where arguments are such objects, or hold some, or are
    functions that have a text of their own; None where none is, or there is no other text for them.

    >>> import types
    >>> made = Versions(lambda given, versions: ((("f", Structure(type(given["f"]))),), len), of=("f",))
    >>> model = types.SimpleNamespace(w=2.0)
    >>> for_objects(made, f=model), for_objects(made, f=abs), for_objects(made, f=[model])
    (<built-in function len>, None, <built-in function len>)
    """
    known = any(_holds_object(arguments[name]) for name in versions.of) \
        or any(callable(arguments[name]) for name in versions.functions)
    return versions.made_for(arguments)[1] if known else None


def _holds_object(x: Any) -> bool:
    held = kind_of(x)
    if held is SEQUENCE or held is MAPPING:
        return any(map(_holds_object, held.parts(x).values()))
    return held is not None


def version(versions: Versions, /, **arguments: Any) -> Callable[..., Any]:
    """The function for arguments: the text that serves them.

    >>> made = Versions(lambda given, versions: ((("x", Structure(type(given["x"]))),), type(given["x"])))
    >>> version(made, x=2.0)("3"), version(made, x=2)("3"), len(made.made)
    (3.0, 3, 2)
    """
    fn = versions.made_for(arguments)[1]
    assert fn is not None
    return fn
