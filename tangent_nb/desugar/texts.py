"""The texts of one derivation as they were written, or made on the way.

Needs a way to find the text of a function. Promises a `Unit` for each function: one of the user is captured; one that
is made here (a nested function that is lifted out, or one specialized for the functions that it is given) has no file,
and stands for a text that is known here alone.

    fn = texts.make(captured, {})          texts.unit(fn).captured is that text, fn its function
"""
from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast

from ..analyse.fence.namespaces import Place
from ..analyse.fence.outside import reached, reads_variable, variables_shared
from ..analyse.libraries import of_library
from ..analyse.resolve import Scope
from ..emit import is_generated
from ..syntax.nodes import nodes_of, reads, writes
from ..syntax.program import Captured, keeping_all
from .assignment import mark_unsure
from .concatenations import written_out
from .decorators import undecorated
from .given_back import without_casts
from .globals_assigned import as_attributes
from .keys import by_keys
from .keywords import by_name
from .own_containers import copied, own_options
from .values import FunctionValue
from .wrapped import at_calls

MOST = 200             # calls of functions that share variables of modules


@dataclass(frozen=True)
class Unit:
    """A text before it is desugared, with the names in it that are functions for certain."""

    captured: Captured
    functions: Mapping[str, FunctionValue] = field(default_factory=dict)


@dataclass
class Texts:
    """Gives the text of each function of one derivation as it was written. capture: finds the text of a function of the
    user; made: the functions that are made here; specialized: those for certain arguments, by these; counts: how many
    of them each text has; whole: gives the texts as they run, where what `capture` gives has places left out; caching:
    the functions that are called by way of a cache; generators: the texts of generators, that can be
    put in the places of loops; derived: the function that the derivation is of; sharing: how many calls were said to
    share variables."""

    capture: Callable[[Any], Captured]
    made: dict[Any, Unit] = field(default_factory=dict)
    specialized: dict[Any, Any] = field(default_factory=dict)
    counts: dict[Any, int] = field(default_factory=dict)
    captured: dict[Any, Unit] = field(default_factory=dict)
    whole: Texts | None = None
    caching: set[Any] = field(default_factory=set)
    generators: dict[Any, Unit | None] = field(default_factory=dict)
    derived: Any = None
    sharing: int = 0

    def __post_init__(self) -> None:
        if self.whole is not None:
            self.caching = self.whole.caching

    @cached_property
    def variables(self) -> set[Place]:
        """The variables of modules, the attributes of objects there, and the items of dicts, that one function assigns,
        and another reads."""
        return variables_shared(reached([self.derived]), self.capture)

    def shares(self, fn: Any) -> bool:
        """A function, or one that it reaches, reads or assigns one of them. A decorator of a library is none; of many
        calls only the first are said to."""
        if not self.variables or of_library(fn.__globals__.get("__name__")) or self.sharing > MOST:
            return False
        functions, found = reached([fn]), False
        if fn in self.made:                                # a text of ours: what it says
            captured = self.made[fn].captured
            names = {*reads(captured.tree.body), *(node.attr for node in nodes_of(captured.tree, gast.Attribute))}
            functions = reached([captured.namespace.lookup(name) for name in sorted(names)])
            found = any(name in names for _, _, name in self.variables)
        found = found or any(reads_variable(one, place) for one in functions for place in self.variables)
        self.sharing += found
        return found

    def unit_as_run(self, fn: Any) -> Unit:
        """The text of a function as it runs where it is called as it is: with what is left out of that which is
        differentiated."""
        return (self if self.whole is None or fn in self.made else self.whole).unit(fn)

    def unit(self, fn: Any) -> Unit:
        """The text of a function as it was written; of a derivative for examples that for all arguments."""
        if fn not in self.made and fn not in self.captured:
            whole = keeping_all(fn)
            self.captured[fn] = self.unit_of(self.capture(getattr(whole, "__tangent_general__", whole)))
        found = self.made[fn] if fn in self.made else self.captured[fn]
        return replace(found, captured=replace(found.captured, caches=True)) if fn in self.caching else found

    def unit_of(self, captured: Captured, wrt: tuple[str, ...] | None = None) -> Unit:
        """A text, its nested functions without decorators, with what it joins by `np.r_` and `np.c_` as
        concatenations, the keywords that are known by name, the keys of dicts as such, and without casts. wrt: what is
        differentiated, where that is known."""
        shared = {name for kind, module, name in self.variables
                  if kind == "name" and module == id(captured.namespace.globals)}
        captured = without_casts(as_attributes(captured, shared))
        tree = at_calls(undecorated(captured.tree, captured, self.capture), captured.namespace)
        tree = written_out(tree, captured)
        tree = copied(tree if wrt is None else own_options(tree, captured.namespace), captured.namespace)
        tree = by_name(tree, captured.namespace)
        tree = by_keys(tree, captured.namespace, wrt)
        if not is_generated(captured.fn.__code__.co_filename):
            mark_unsure(tree, Scope(captured.namespace, writes(tree)))
        return Unit(captured if tree is captured.tree else replace(captured, tree=tree))

    def make(self, captured: Captured, functions: Mapping[str, FunctionValue]) -> types.FunctionType:
        """A function that stands for a text of ours, and sees what that sees."""
        cells = captured.namespace.cells
        fn = types.FunctionType(_stub.__code__.replace(co_name=captured.name, co_freevars=tuple(cells)),
                                captured.namespace.globals, captured.name, None, tuple(cells.values()))
        self.made[fn] = Unit(replace(captured, fn=fn), functions)
        return fn


def _stub(*args: Any, **keywords: Any) -> Any:
    raise AssertionError("a function of a derivation stands in its text")
