"""The texts of our own modules: where a helper stands, and what it reads.

Needs a module of `runtime/`, or one that it imports. Promises the statement that binds a name there, and what each
name means in it, as its imports say: the text is read, and not what it has made, so that what a helper remembers
between calls is not taken away with it. What `plain.py` has under the name of a helper stands in its place.
"""
from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import sys
from dataclasses import dataclass
from typing import Any

from .. import runtime

PACKAGE = __name__.partition(".")[0]
AGAIN = f"{PACKAGE}.take_away.plain"                       # what stands in the place of others
ERRORS = f"{PACKAGE}.errors"
ALONE = (runtime.__name__, ERRORS, f"{PACKAGE}.compiled", AGAIN)       # modules whose texts need no others of ours


@dataclass(frozen=True)
class Place:
    """A name of a module of ours that a statement of it binds."""

    module: str
    name: str


@dataclass(frozen=True)
class Library:
    """A module that a file may import, or what it imports from there."""

    module: str
    attribute: str = ""

    @property
    def is_builtin(self) -> bool:
        """A name that needs no import. (The module of these names does.)"""
        return self.module == "builtins" and bool(self.attribute)


@dataclass(frozen=True)
class OurModule:
    """A module of ours itself, of which attributes are read."""

    module: str


Meaning = Place | Library | OurModule


@dataclass(frozen=True)
class Text:
    """A module, parsed. bound: the statement of each name that it binds itself; imported: what the others mean; more:
    the statements that bind nothing, and change what the names in them mean."""

    bound: dict[str, ast.stmt]
    imported: dict[str, Meaning]
    more: tuple[ast.stmt, ...]
    lines: tuple[str, ...]


@functools.cache
def text_of(module: str) -> Text:
    """The text of a module of ours."""
    source = inspect.getsource(importlib.import_module(module))
    bound: dict[str, ast.stmt] = {}
    imported: dict[str, Meaning] = {}
    more: list[ast.stmt] = []
    for stmt in ast.parse(source).body:
        if isinstance(stmt, (ast.FunctionDef, ast.ClassDef)):
            bound[stmt.name] = stmt
        elif isinstance(stmt, (ast.Assign, ast.AnnAssign)):
            targets = stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]
            bound.update((node.id, stmt) for one in targets for node in ast.walk(one) if isinstance(node, ast.Name))
        elif isinstance(stmt, ast.Import):
            imported.update((one.asname or one.name.partition(".")[0],
                             Library(one.name if one.asname else one.name.partition(".")[0])) for one in stmt.names)
        elif isinstance(stmt, ast.ImportFrom):
            imported.update(_from(stmt, module))
        elif isinstance(stmt, ast.For):
            more.append(stmt)
    return Text(bound, imported, tuple(more), tuple(source.splitlines()))


def _from(stmt: ast.ImportFrom, module: str) -> dict[str, Meaning]:
    """What `from … import …` binds in a module."""
    if not stmt.level:
        return {one.asname or one.name: Library(stmt.module or "", one.name) for one in stmt.names}
    package = module if hasattr(sys.modules[module], "__path__") else module.rpartition(".")[0]
    base = ".".join(filter(None, [*package.split(".")[:len(package.split(".")) - stmt.level + 1], stmt.module]))
    found: dict[str, Meaning] = {}
    for one in stmt.names:
        inner = f"{base}.{one.name}"
        found[one.asname or one.name] = OurModule(inner) if inner in sys.modules and not hasattr(
            sys.modules[base], "__file__") or inner in sys.modules and one.name not in text_of(base).bound \
            else home(base, one.name)
    return found


def home(module: str, name: str) -> Place:
    """The module whose statement binds a name, where another one imports it from there."""
    text = text_of(module)
    if name not in text.bound and isinstance(found := text.imported.get(name), Place):
        return found
    return Place(module, name)


def means(module: str, name: str) -> Meaning | None:
    """What a name means in a module of ours; None for a builtin."""
    text = text_of(module)
    found: Meaning | None = None
    if name in text.bound:
        found = Place(module, name)
    elif name in text.imported:
        found = text.imported[name]
    elif not hasattr(builtins, name):
        raise RuntimeError(f"{name} means nothing in {module}")
    return again(found) if isinstance(found, Place) else found


def again(place: Place) -> Place:
    """What stands in the place of a helper in a file of its own: what `plain.py` has by the name, else itself."""
    return Place(AGAIN, place.name) if place.name in text_of(AGAIN).bound else place


def is_ours(module: Any) -> bool:
    """A module of this package, by its name."""
    return isinstance(module, str) and module.partition(".")[0] == PACKAGE


def place_of(value: Any) -> Place | None:
    """Where a function or class of ours stands."""
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    if not isinstance(module, str) or not is_ours(module) or not isinstance(name, str) or module not in sys.modules:
        return None
    if vars(sys.modules[module]).get(name) is not value:
        return None
    return again(home(module, name)) if stands_alone(module) else Place(module, name)


def stands_alone(module: str) -> bool:
    """A module of which texts can be taken away."""
    return module.startswith(ALONE)


def helper(name: str) -> Place:
    """A name of `rt`: that of the module which has it."""
    value = getattr(runtime, name)
    for module in runtime.MODULES:
        if name in text_of(module.__name__).bound and vars(module).get(name) is value:
            return again(Place(module.__name__, name))
    return again(Place(ERRORS, name))
