"""The text of a file: names that do not meet, what is read early above what reads it, sections with headings.

Needs a world. Promises a text that parses, in which each name means what it meant where it came from: what asks for a
name that another thing has already is changed where it stands, helpers before the user's.
"""
from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..syntax.names import Names
from .our_texts import written
from .ours import Library
from .reads import bound_by, reads
from .theirs import NoWayError, span_of
from .units import DERIVATIVE, FUNCTIONS, HELPERS, OBJECTS, VALUES, Code, Meant, Ref, Space, Unit, Value
from .values import Writer
from .world import World

HEADINGS = {VALUES: "what is read from outside, as it was when this file was written", DERIVATIVE: "the derivative",
            FUNCTIONS: "what the function calls", HELPERS: "helpers", OBJECTS: "objects from outside, as they were"}


class Layout:
    """The names of a file, and its text. roots: what it is for; arrays: what lies beside it, None where nothing may."""

    def __init__(self, world: World, roots: Sequence[Ref], arrays: dict[str, Any] | None) -> None:
        self.world = world
        self.roots = roots
        self.arrays = arrays
        self.held: dict[int, str] = {}                     # what was written already, and where
        self.memory: list[tuple[str, Any]] = []
        self.names: dict[Meant, str] = {}
        self.aliases: dict[Meant, list[str]] = {}
        self.imports: dict[str, Library] = {}
        units = world.units
        self.codes = [unit for unit in units if isinstance(unit, Code)]
        used = {word for unit in self.codes for word in re.findall(r"[^\W\d]\w*", unit.text)}
        self.python = {name for unit in self.codes for name, meant in unit.meant.items() if meant is None} \
            | {one.name for unit in self.codes for one in unit.reads if one.name not in unit.meant
               and hasattr(builtins, one.name)}
        self.taken = Names(used | set(dir(builtins)))
        self.given: dict[str, Meant] = {}
        self.apart: dict[tuple[Unit, str], str] = {}
        self.beside = self._take("_ARRAYS", Library("builtins", "_ARRAYS"))
        self._allocate(sorted(units, key=lambda unit: (unit.section == HELPERS, unit not in {r.unit for r in roots})))
        for unit in self.codes:
            self._keep_apart(unit)

    # ------------------------------------------------------------------ names

    def _allocate(self, units: Sequence[Unit]) -> None:
        for helpers in (False, True):
            some = [unit for unit in units if (unit.section == HELPERS) is helpers]
            for unit in some:
                for name in unit.names:
                    self.names[Ref(unit, name)] = self._take(name, Ref(unit, name))
            for unit in some:
                for name, meant in self._asked(unit):
                    if isinstance(meant, Library) and not meant.is_builtin:
                        self._import(name, meant)
                    elif isinstance(meant, Ref) and meant in self.names and self.names[meant] != name \
                            and name not in self.given and name not in self.python:
                        self.given[name] = meant
                        self.aliases.setdefault(meant, []).append(name)

    def _keep_apart(self, unit: Code) -> None:
        """Another name for what would meet a variable of a text, were it written there under its own."""
        words = set(re.findall(r"[^\W\d]\w*", unit.text))
        for name, meant in [*unit.meant.items()]:
            if meant is not None and (new := self.called(name, meant)) != name and new in words:
                alias = name if name not in self.given and name not in self.python else self.taken.new(name)
                self.given[alias] = meant
                self.aliases.setdefault(meant, []).append(alias)
                if alias != name:
                    self.apart[unit, name] = alias

    def _asked(self, unit: Unit) -> Iterator[tuple[str, Meant]]:
        if isinstance(unit, Code):
            yield from ((name, meant) for name, meant in unit.meant.items() if meant is not None)
            yield from (((one.attribute or "np"), one) for one in unit.early if isinstance(one, Library))
        elif isinstance(unit, Value):
            for meant in unit.parts.values():
                if isinstance(meant, Library):
                    short = "np" if meant.module == "numpy" and not meant.attribute else \
                        meant.attribute or meant.module.rpartition(".")[2]
                    yield short, meant
        elif isinstance(unit, Space):
            yield from ((name, meant) for name, meant in unit.held.items() if isinstance(meant, Library))
            yield "SimpleNamespace", Library("types", "SimpleNamespace")

    def _take(self, name: str, meant: Meant) -> str:
        free = name not in self.given and name not in self.python
        chosen = name if free else self.taken.new(name)
        self.given[chosen] = meant
        return chosen

    def _import(self, name: str, library: Library) -> None:
        if self.given.get(name) == library:
            return
        if name in self.given or name in self.python:
            if library in self.names:
                return
            name = self.taken.new(name)
        self.given[name] = library
        self.names.setdefault(library, name)
        self.imports[name] = library

    def called(self, name: str, meant: Meant | None) -> str:
        """What the file calls what a text calls by a name."""
        if meant is None or self.given.get(name) == meant:
            return name
        return meant.attribute if isinstance(meant, Library) and meant.is_builtin else self.names[meant]

    # ------------------------------------------------------------------ texts

    def text(self) -> str:
        """All sections, without the head of the file."""
        parts: list[str] = []
        section, before = -1, True
        for unit in self._in_order():
            lines = [self._unit_text(unit).rstrip("\n")]
            lines += [f"{alias} = {self.names[Ref(unit, name)]}" for name in unit.names
                      for alias in self.aliases.get(Ref(unit, name), ())]
            short = not isinstance(unit, Code) or not isinstance(unit.tree.body[0], (ast.FunctionDef, ast.ClassDef))
            if unit.section != section:
                section = unit.section
                parts.append(f"\n\n# {'-' * 20} {HEADINGS[section]} {'-' * max(3, 94 - len(HEADINGS[section]))}\n")
                parts.append("\n" if short else "\n\n")
            else:
                parts.append("" if short and before else "\n\n")
            parts.append("\n".join(lines) + "\n")
            before = short
        return "".join(parts)

    def imported(self) -> list[str]:
        """The imports, and other names for what Python has or what is imported."""
        others = [f"{alias} = {self.called('', meant)}" for meant, aliases in self.aliases.items()
                  if isinstance(meant, Library) for alias in aliases]
        return [*import_lines(self.imports), *([""] if others else []), *others]

    def _in_order(self) -> list[Unit]:
        """The units, section by section, each after what it reads when it is defined."""
        done: dict[Unit, None] = {}
        seen: set[tuple[Unit, bool]] = set()
        begun: set[Unit] = set()                           # what is put in when all that it needs is

        def put(unit: Unit, deep: bool) -> None:
            if (unit, deep) in seen or unit in begun:
                return
            seen.add((unit, deep))
            begun.add(unit)
            for meant, early in unit.needs():
                if isinstance(meant, Ref) and (early or deep):
                    put(meant.unit, deep or not isinstance(unit, Space))
            begun.discard(unit)
            done.setdefault(unit)

        first = {ref.unit for ref in self.roots}
        for section in HEADINGS:
            some = [unit for unit in self.world.units if unit.section == section]
            for unit in sorted(some, key=lambda unit: (isinstance(unit, Space), unit not in first)):
                put(unit, False)
        return list(done)

    def _unit_text(self, unit: Unit) -> str:
        if isinstance(unit, Code):
            return self._code_text(unit)
        name = self.names[Ref(unit, unit.names[0])]
        if isinstance(unit, Space):
            keywords = [ast.keyword(key, ast.Name(self.called(key, one), ast.Load())) for key, one in
                        sorted(unit.held.items())]
            value: ast.expr = ast.Call(ast.Name(self.called("SimpleNamespace", Library("types", "SimpleNamespace"))),
                                       [], keywords)
        else:
            assert isinstance(unit, Value)
            value = self._value(unit)
        return written(ast.Assign([ast.Name(name, ast.Store())], value))

    def _value(self, unit: Value) -> ast.expr:
        def name_of(key: Any) -> str:
            meant = unit.parts[key]
            return meant.attribute if isinstance(meant, Library) and meant.is_builtin else self.names[meant]

        shared = {id(one.value): self.names[Ref(one, one.names[0])] for one in self.world.units
                  if isinstance(one, Value) and one is not unit}
        writer = Writer(name_of, shared, self.arrays, self.beside, self.held, self.memory)
        try:
            return writer.expression(unit.value, self.names[Ref(unit, unit.names[0])])
        except NoWayError as error:
            error.what, error.reader = unit.names[0], self.world.reader_of(unit)
            raise

    def _code_text(self, unit: Code) -> str:
        assigned = {name for node in ast.walk(unit.tree) if isinstance(node, ast.Global) for name in node.names}
        edits: dict[tuple[int, int], str] = {
            (start, end): new if isinstance(new, str) else self.names[new] for start, end, new in unit.edits}
        for one in unit.reads:
            own = Ref(unit, one.name) if one.name in unit.names and one.name not in unit.meant else None
            new = self.apart.get((unit, one.name)) or self.called(one.name, own or unit.meant.get(one.name))
            if new != one.name and one.name in assigned:
                raise NoWayError(f"it assigns {one.name} (global), and two variables have this name",
                                 "call them by two names")
            if new != one.name:
                edits[span_of(unit.text, one.node)] = new
        edits.update(self._definitions(unit, edits))
        text = unit.text
        for (start, end), new in sorted(edits.items(), reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def _definitions(self, unit: Code, edits: dict[tuple[int, int], str]) -> dict[tuple[int, int], str]:
        """The names behind `def` and `class`, where the file calls them otherwise; values under names of the text."""
        found: dict[tuple[int, int], str] = {}
        for node in unit.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                new = self.names[Ref(unit, node.name if node.name in unit.names else unit.names[0])]
                line = sum(len(one) + 1 for one in unit.text.split("\n")[:node.lineno - 1])
                match = re.compile(rf"(?:def|class)\s+({node.name})\b").search(unit.text, line)
                assert match is not None
                if new != node.name:
                    found[match.span(1)] = new
        return found


def unresolved(text: str) -> set[str]:
    """The names that a text reads, and nobody binds: an error of ours."""
    tree = ast.parse(text)
    return {one.name for one in reads(tree) if not one.noted} - bound_by(tree.body) - set(dir(builtins)) - {"__file__"}


def import_lines(imports: dict[str, Library]) -> Iterable[str]:
    """The imports of a file: those of Python's own library first."""
    found: set[tuple[bool, bool, str]] = set()
    named: dict[str, set[str]] = {}
    for name, one in imports.items():
        if one.attribute:
            named.setdefault(one.module, set()).add(one.attribute if one.attribute == name
                                                    else f"{one.attribute} as {name}")
        else:
            inside = "." in one.module and name == one.module.partition(".")[0]
            found.add((not _is_pythons(one.module), False, f"import {one.module}" if inside or one.module == name
                       else f"import {one.module} as {name}"))
    found |= {(not _is_pythons(module), True, f"from {module} import {', '.join(sorted(names))}")
              for module, names in named.items()}
    pythons = [line for library, _, line in sorted(found) if not library]
    others = [line for library, _, line in sorted(found) if library]
    return [*pythons, *([""] if pythons and others else []), *others]


def _is_pythons(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names
