"""What calls do to the objects they are given, beside computing a value: one row for each builtin and each method of
Python's and NumPy's types.

    method(list, "append(self, x)", changes="self", holds="x", gives="nothing")
    function(zip, "zip(*xs)", iterates="xs", keeps="xs", gives="iterator")

A row is found by the object itself, never by a name in a text: `effects_of(list.append)`, `effects_of([].append)`,
`effects_of(zip)`. Where an object is not known but the name of its method is, `methods_named` gives the rows of all
types that have one of that name. Functions with a rule of differentiation have columns there; `effects_of` reads them.
`tests/rules/test_effects.py` runs each row, and compares.
"""
from __future__ import annotations

import inspect
import random
import types
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from .row import Rule
from .table import lookup

WORDS = ("gives", "outside", "returns")                    # columns of one word; the others name arguments


@dataclass(frozen=True)
class Effects:
    """One row. An argument goes by its name in the row's signature; of a method the first one is the receiver, `self`.

    owner: the type whose method it is, None for a function; written: name and arguments.

    changes: arguments that it changes in place (an iterator is changed where it is advanced by one).
    holds, keeps: arguments to which what is changed, or the result, refers afterwards; those to whose items it does. Of
    a star, its arguments. passes: arguments over whose items, one by one, who goes over the result goes, all or some of
    them: of `sorted`, not of `zip`.
    iterates: arguments gone over; stops: perhaps not up to the end: by `any`; at_once: by an iterator, when it is made.
    calls: arguments that it calls, or that what it gives calls.
    gives: `"new"`: a value in memory of its own (what it contains, `holds` and `keeps` say); `"plain"`: a number, text,
    class or range of Python, which refers to nothing that was given; `"nothing"`: None; `"item"`: something that the
    first argument contains, or another argument (or, by a slice, what `keeps` says); `"view"`: memory of the first
    argument is read and written through it; `"shares"`: a view or new, as the memory lies; `"iterator"`: an iterator,
    which does its work, calls too, as it is gone over; `"self"`: the first argument.
    returns: the argument that it gives back as it is, where that is another one than the first.
    text: what it gives is a text.
    finds: it looks for an item that is, or equals, another argument, or asks whether two arguments are one object.
    shape_only: arguments of which nothing but lengths, shapes and dtypes is read, no number.
    outside: what lies outside of its arguments that it reads or writes: `"text"`, `"files"`, the `"clock"`, the
    `"names"` of its caller or of a module, what `"code"` in a text does, all (`"process"`).
    draws: it draws random numbers, which advances the generator.
    (What NumPy's `out=` is given is changed too, wherever a function has it; rows do not repeat that.)
    """

    owner: type | None
    written: str
    fn: Any
    changes: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()
    keeps: frozenset[str] = frozenset()
    passes: frozenset[str] = frozenset()
    iterates: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    shape_only: frozenset[str] = frozenset()
    gives: str = "new"
    returns: str = ""
    outside: str = ""
    draws: bool = False
    stops: bool = False
    at_once: bool = False
    text: bool = False
    finds: bool = False

    @cached_property
    def name(self) -> str:
        return self.written.partition("(")[0]

    @cached_property
    def signature(self) -> inspect.Signature:
        """Of the arguments by their names in the row."""
        return inspect.signature(eval(f"lambda {self.written.partition('(')[2][:-1] or 'self' * self.attribute}: None"))

    @property
    def pure(self) -> bool:
        """It may be left out, repeated and moved, if what it calls, and what the operators of its arguments do,
        may be."""
        return not self.changes and not self.outside and not self.draws

    @cached_property
    def changes_first(self) -> bool:
        """It changes its first argument, of a method the receiver, and not only by drawing a number from it."""
        return next(iter(self.signature.parameters), "") in self.changes

    @cached_property
    def measures(self) -> bool:
        """Of its first argument nothing but lengths, shapes and dtypes is read: `len`, `np.zeros_like`."""
        return next(iter(self.signature.parameters), "") in self.shape_only

    @cached_property
    def passes_first(self) -> bool:
        """What it gives are the items of its first argument: of `list`, of `sorted`."""
        return next(iter(self.signature.parameters), "") in self.passes

    @property
    def copies(self) -> bool:
        """A new container of the items of its first argument, as they are now: `list`, `sorted`."""
        return self.passes_first and self.gives == "new"

    @property
    def exhausts(self) -> bool:
        """It goes over its argument, up to the end, before it returns."""
        return bool(self.iterates) and self.gives != "iterator" and not self.stops

    @property
    def advances(self) -> bool:
        """A function that takes items of what it is given, before it returns: where that is an iterator,
        they are gone."""
        return self.owner is None \
            and (bool(self.iterates) and self.gives != "iterator" or bool(self.changes) and self.gives == "item")

    @property
    def of_items(self) -> bool:
        """What it gives is an item of what it goes over, or holds such items,
        and nothing that another function computes."""
        return self.owner is None and bool(self.iterates or self.changes) \
            and (bool(self.keeps) or self.gives == "item") and self.calls <= {"key"}

    @property
    def reaches_first(self) -> bool:
        """What it gives may be of the memory of its first argument, or contain what that contains."""
        return self.gives not in ("new", "plain", "nothing") or next(iter(self.signature.parameters), "") in self.keeps

    @property
    def fills(self) -> bool:
        """It changes its first argument, which refers to others, or to their items, afterwards."""
        return self.changes_first and bool(self.holds or self.keeps)

    @property
    def attribute(self) -> bool:
        """An attribute that is read, `x.shape`, and not a method."""
        return not callable(self.fn)


_FUNCTIONS: dict[Any, Effects] = {}
_METHODS: dict[str, dict[type, Effects]] = {}
_OF_RULES: dict[int, tuple[Rule, Effects]] = {}     # by identity: rules are compared by what they say, and have no hash

# What these hold never changes: of their methods only those have rows that do more than compute.
UNCHANGING = (str, bytes, int, float, complex, bool, tuple, frozenset, range, slice, type(None), np.generic)
DRAWING = (np.random.Generator, np.random.RandomState, random.Random)


def function(fn: Any, written: str, **facts: Any) -> Effects:
    """Add the row of a function. Arguments are named one after the other: `holds="key x"`."""
    row = _FUNCTIONS[_known_by(fn)] = _row(None, fn, written, facts)     # the row keeps alive what is found by it
    return row


def _known_by(fn: Any) -> Any:
    """The identity of a function; of a class method, which Python makes anew each time, the class and the name."""
    owner = getattr(fn, "__self__", None) if type(fn) is types.BuiltinMethodType else None
    return (id(owner), fn.__name__) if isinstance(owner, type) else id(fn)


def method(owner: type, written: str, **facts: Any) -> None:
    """Add the row of a method or an attribute of a type, where this version of Python or NumPy has it."""
    name = written.partition("(")[0]
    if hasattr(owner, name):
        row = _METHODS.setdefault(name, {})[owner] = _row(owner, getattr(owner, name), written, facts)
        if isinstance(row.fn, types.FunctionType):         # which does not say whose it is
            _FUNCTIONS[id(row.fn)] = row


def _row(owner: type | None, fn: Any, written: str, facts: dict[str, Any]) -> Effects:
    columns: dict[str, Any] = {column: frozenset(fact.split()) if isinstance(fact, str) and column not in WORDS
                                       else fact for column, fact in facts.items()}
    return Effects(owner, written, fn, **columns)


def effect_rows() -> tuple[Effects, ...]:
    """All rows that are written down."""
    return (*_FUNCTIONS.values(), *(row for rows in _METHODS.values() for row in rows.values()))


def method_row(kind: type, name: str) -> Effects | None:
    """The row of a method of a type, or of the type that it has it from;
    None for one that is not known, or that a subclass wrote anew.

    >>> method_row(list, "append").holds, method_row(type("Mine", (list,), {}), "append").holds
    (frozenset({'x'}), frozenset({'x'}))
    >>> method_row(type("Mine", (list,), {"append": print}), "append"), method_row(bool, "bit_length").pure
    (None, True)
    """
    for base in kind.__mro__:
        if name in vars(base):
            return _METHODS.get(name, {}).get(base) or _of_kind(base, name)
    return None


@cache
def _of_kind(kind: type, name: str) -> Effects | None:
    """The row of a method that no row is written for, where its type says what it does."""
    draws = kind in DRAWING and not name.startswith("_")
    unchanging = kind in UNCHANGING or issubclass(kind, np.generic) and kind is not np.void
    return Effects(kind, f"{name}(self, *args, **options)", getattr(kind, name), draws=draws) \
        if draws or unchanging else None


def methods_named(name: str) -> tuple[Effects, ...]:
    """The rows of all types with a method or an attribute of that name: what may be meant where the object is not
    known.

    >>> [row.owner.__name__ for row in methods_named("popleft")], any(row.changes for row in methods_named("partition"))
    (['deque'], True)
    """
    rows = _METHODS.get(name, {})
    rest: list[type] = [kind for kind in (*UNCHANGING, *DRAWING) if name in vars(kind) and kind not in rows]
    return (*rows.values(), *filter(None, (_of_kind(kind, name) for kind in rest)))


def may_change(name: str) -> bool:
    """A method of that name, of some type, changes its object."""
    return any(row.changes_first for row in methods_named(name))


def may_draw(name: str) -> bool:
    """A method of that name, of some type, draws random numbers.

    >>> may_draw("normal"), may_draw("append")
    (True, False)
    """
    return any(row.draws for row in methods_named(name))


def may_fill(name: str) -> bool:
    """A method of that name, of some type, puts what it is given, or items of that, into its object."""
    return any(row.fills for row in methods_named(name))


def may_only_compute(name: str) -> bool:
    """The methods of that name, of whatever type that has one, change nothing."""
    rows = methods_named(name)
    return bool(rows) and all(row.pure for row in rows)


def effects_of(fn: Any) -> Effects | None:
    """The row of a function, of a method of a type and of one that is bound to its object; None where it is not known.

    >>> effects_of([].append) is effects_of(list.append), effects_of(sorted).keeps, effects_of(effects_of)
    (True, frozenset({'xs'}), None)
    """
    found = _FUNCTIONS.get(_known_by(fn))
    if found is not None:
        return found
    rule = lookup(fn)
    if rule is not None:
        return _of_rule(rule)
    owner, bound = getattr(fn, "__objclass__", None), getattr(fn, "__self__", None)
    if owner is None and bound is not None and not isinstance(bound, types.ModuleType):
        owner = bound if isinstance(bound, type) else type(bound)
        if isinstance(fn, types.MethodType) and inspect.getattr_static(owner, fn.__name__, None) is not fn.__func__:
            return None
    name = getattr(fn, "__name__", "")                     # a partial method has none
    return method_row(owner, name) if isinstance(owner, type) else None


def _of_rule(rule: Rule) -> Effects:
    """What the columns of a rule say."""
    if id(rule) not in _OF_RULES:
        gives = {"fresh": "new", "view": "shares" if rule.shares else "view"}.get(rule.memory, "shares")
        outside = "" if rule.pure else "process"
        row = Effects(None, f"{rule.name}{rule.signature}", rule.fn, gives=gives, outside=outside,
                      shape_only=rule.shape_only, text=rule.result_spec({}, {}).kind == "str")
        _OF_RULES[id(rule)] = rule, row
    return _OF_RULES[id(rule)][1]
