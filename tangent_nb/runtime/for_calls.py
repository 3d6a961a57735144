"""Texts that are made when they are first needed: for arguments that are made as those of a call are.

Needs what makes one. Promises the function for the arguments of a call: the one that was made for such arguments
before, or a new one. Which of them serves is decided by calls; what a text says is not.
"""
from __future__ import annotations

import threading
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .alike import Structure, alike
from .constants import PLAIN
from .containers import MAPPING, SEQUENCE, kind_of
from .fits import classes_of, fits
from .helpers import Helper

LIVE = 8               # texts that are kept: the one that served least lately goes, and would come back the same
REMEMBERED = 4096      # classes, dtypes and shapes of arguments whose text is known at a glance
MISSING = object()

Structures = tuple[tuple[str, Structure], ...]


@dataclass(frozen=True, eq=False)
class Made:
    """A text. structures: how objects among its arguments are made, by parameter; numbers, sizes: the parameters that
    are numbers and arrays, and how these are made; function: None where there is none but the one for all
    arguments."""

    structures: Structures
    function: Callable[..., Any] | None
    numbers: tuple[str, ...] = ()
    sizes: str = ""

    def serves(self, arguments: Mapping[str, Any]) -> bool:
        """The arguments are made so."""
        return all(alike(arguments[name], structure) for name, structure in self.structures) \
            and (not self.sizes or self.fits(arguments))


    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """The numbers and arrays are made so."""
        return arguments.keys() >= set(self.numbers) and fits(self.sizes, *[arguments[name] for name in self.numbers])


NOTHING = Made((), None)


@dataclass
class Versions:
    """The texts of one derivative. make: gives one for arguments, by name; it is given these texts too, which serve
    others. text: that for all arguments, where there is one; taken: what that takes for granted; of: the parameters
    whose objects have texts of their own beside that; functions: those whose functions have some too; parameters: all,
    in order; by_class: numbers and arrays have such texts; known: what serves them, by their classes, dtypes and
    shapes; ran: what served the last call, None where that was the text for all; MISSING before the first."""

    make: Callable[[Mapping[str, Any], Versions], Made | None]
    made: list[Made] = field(default_factory=list)
    text: str = ""
    taken: tuple[Helper, ...] = ()
    of: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    by_class: bool = False
    lock: Any = field(default_factory=threading.RLock)
    known: dict[tuple[Any, ...], Callable[..., Any] | None] = field(default_factory=dict)
    ran: Any = MISSING

    @property
    def asked(self) -> bool:
        """The text for all arguments asks for these first."""
        return bool(self.of) or self.by_class

    def made_for(self, arguments: Mapping[str, Any], objects: bool | None = None) -> Made | None:
        """The function for arguments, with how those are made that it relies on; None where it cannot be made now.
        objects: whether there are some among them, whose structures are asked; None where all texts are asked."""
        one = self._known(arguments, objects)
        if one is None:
            with self.lock:                                # another thread may have made it meanwhile
                one = self._known(arguments, objects) or self.make(arguments, self)
                if one is not None and (one.structures or one.sizes):          # else it would serve all
                    self.first(one)
        elif one is not self.made[0]:
            self.first(one)
        return one

    def _known(self, arguments: Mapping[str, Any], objects: bool | None) -> Made | None:
        return next((one for one in self.made
                     if objects in (None, bool(one.structures)) and one.serves(arguments)), None)

    def first(self, one: Made) -> None:
        """Keep a text, as the first that is asked."""
        with self.lock:
            self.made = [one, *(other for other in self.made if other is not one)]
            if len(self.made) > LIVE:
                self.made.pop()
                self.known.clear()

    def found(self, key: tuple[Any, ...], arguments: Mapping[str, Any]) -> Callable[..., Any] | None:
        """The function for arguments, remembered where it is known by their classes, dtypes and shapes."""
        if any(_holds_object(arguments[name]) for name in self.of) \
                or any(callable(arguments[name]) for name in self.functions):
            one = self.made_for(arguments, True)
            if one is not None and one.function is not None:
                return one.function
        if not self.by_class:
            return None
        plain = {name: value for name, value in arguments.items() if not self.text or is_plain(value)}
        full = self.text and len(self.made) >= LIVE and self._known(plain, False) is None      # more help nobody
        one = NOTHING if full else self.made_for(plain, False)
        if one is not None and len(plain) == len(arguments):
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            self.known[key] = one.function
        return None if one is None else one.function

    def __reduce__(self) -> tuple[Any, ...]:
        """Those that were made travel; others can be made where the text of the function is found."""
        return Versions, (self.make, self.made, self.text, self.taken, self.of, self.functions, self.parameters,
                          self.by_class)


def made_for(versions: Versions, /, *arguments: Any) -> Callable[..., Any] | None:
    """The function for arguments that are made as these are; None where the text that asks serves them.

    >>> import types
    >>> made = Versions(lambda given, versions: Made((("f", Structure(type(given["f"]))),), len),
    ...                 of=("f",), parameters=("f",))
    >>> model = types.SimpleNamespace(w=2.0)
    >>> made_for(made, model), made_for(made, abs), made_for(made, [model])
    (<built-in function len>, None, <built-in function len>)
    """
    key = classes_of(arguments)
    function: Any = versions.known.get(key, MISSING)
    if function is MISSING:
        function = versions.found(key, dict(zip(versions.parameters, arguments, strict=True)))
    versions.ran = function
    return function                                        # type: ignore[no-any-return]


def for_all(function: types.FunctionType) -> types.FunctionType:
    """A function whose own text runs, whatever it is called with: it asks for no other.

    >>> def of(versions):
    ...     return lambda x: made_for(versions, x) or "its own text"
    >>> for_all(of(Versions(lambda given, versions: Made((), abs), parameters=("x",), by_class=True)))(2.0)
    'its own text'
    """
    cells = tuple(types.CellType(Versions(lambda given, versions: None, parameters=cell.cell_contents.parameters))
                  if isinstance(cell.cell_contents, Versions) else cell for cell in function.__closure__ or ())
    made = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__,
                              cells or None)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__dict__.update(function.__dict__)
    return made


def is_plain(x: Any) -> bool:
    """It is an array, or what is known of it is its class.

    >>> is_plain(1), is_plain(np.ones(2)), is_plain("a text"), is_plain([1])
    (True, True, True, False)
    """
    return x.__class__ in PLAIN or x.__class__ is np.ndarray


def _holds_object(x: Any) -> bool:
    held = kind_of(x)
    if held is SEQUENCE or held is MAPPING:
        return any(map(_holds_object, held.parts(x).values()))
    return held is not None


def version(versions: Versions, /, **arguments: Any) -> Callable[..., Any]:
    """The function for arguments: the text that serves them.

    >>> made = Versions(lambda given, versions: Made((("x", Structure(type(given["x"]))),), type(given["x"])))
    >>> version(made, x=2.0)("3"), version(made, x=2)("3"), len(made.made)
    (3.0, 3, 2)
    """
    one = versions.made_for(arguments)
    assert one is not None and one.function is not None
    versions.ran = one.function
    return one.function
