"""All that a file has to hold: what a derivative reads, what that reads, and so on.

Needs derivatives. Promises the units of the file, each with what its names mean there; NoWayError, with the path on
which it was met, where something cannot be written.
"""
from __future__ import annotations

import ast
import builtins
import collections
import functools
import sys
import types
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .. import runtime
from ..emit import is_generated
from .our_texts import our_code
from .ours import ERRORS, Library, OurModule, Place, again, helper, is_ours, means, place_of, stands_alone, text_of
from .prune import can_be_absent, pruner
from .theirs import MISSING, NoWayError, Sight, class_text, function_text, imported, span_of, without_checks
from .units import DERIVATIVE, FUNCTIONS, HELPERS, OBJECTS, VALUES, Code, Meant, Ref, Space, Unit, Value
from .values import inner_objects, is_literal, needs

AT_RUN = "it takes derivatives of functions that are known only when it is called, which needs tangent_nb"
BEFORE = "export it for such arguments, like=(...), or call functions by their names"



class World:
    """absent: names of ours that are asked for, and never made; see `prune`."""

    def __init__(self, absent: Collection[Place] = ()) -> None:
        self.pruner = pruner(frozenset(absent))
        self.units: list[Unit] = []
        self.present: set[Place] = set()
        self.frozen: set[str] = set()                      # variables whose values are written
        self._known: dict[Any, Any] = {}
        self._waiting: collections.deque[tuple[Code, Any]] = collections.deque()
        self._reading: tuple[Unit, str] | None = None
        self._readers: dict[Unit, tuple[Unit, str] | None] = {}

    # ------------------------------------------------------------------ what is taken

    def function(self, fn: types.FunctionType, name: str, text: str = "", meant: Mapping[str, Meant] = {}) -> Ref:
        """A function of the user's, or one that was generated. text: what it is to be, where that is not its own;
        meant: what names in that mean."""
        known = self._known.get(("function", id(fn)))
        if known is not None:
            return known  # type: ignore[no-any-return]
        generated = is_generated(fn.__code__.co_filename)
        written = function_text(fn)
        name = name if name.isidentifier() else written.name or "function"         # a lambda has none
        sight = Sight.of(fn)
        if not text:
            text = written.text if written.name else f"{name} = {written.text}\n"
            text = without_checks(text, sight) if generated else text
        unit = Code.of(DERIVATIVE if generated else FUNCTIONS, text, (name,))
        unit.meant.update(meant)
        ref = self._known["function", id(fn)] = self._add(unit, fn, name)
        node: Any = unit.tree.body[0]
        if written.name and name != node.name:
            start = text.index("def ", sum(len(line) + 1 for line in text.split("\n")[:node.lineno - 1])) + 4
            unit.edits.append((start, start + len(node.name), ref))
        self._defaults(unit, node.value if isinstance(node, ast.Assign) else node, fn, name)
        self._waiting.append((unit, sight))
        return ref

    def decorated(self, value: Any, inner: types.FunctionType, name: str) -> Ref:
        """What the decorators that stand above a function have made of it."""
        written = function_text(inner, decorated=True)
        if not getattr(written.node, "decorator_list", []):
            raise NoWayError(f"it is an object of class {type(value).__name__} around a function",
                             "write the decorator above the function (@), or call the function itself")
        generated = is_generated(inner.__code__.co_filename)
        unit = Code.of(DERIVATIVE if generated else FUNCTIONS, written.text, (written.name,))
        ref = self._known["object", id(value)] = self._add(unit, value, written.name)
        self._defaults(unit, unit.tree.body[0], inner, written.name)
        self._waiting.append((unit, Sight.of(inner)))
        return ref

    def of_class(self, cls: type, name: str) -> Ref:
        """A class of the user's."""
        if cls.__bases__ == (tuple,) and hasattr(cls, "_fields"):
            made = f"{cls.__name__} = collections.namedtuple({cls.__name__!r}, {list(cls._fields)!r})\n"
            if getattr(cls, "_field_defaults", None) or "__annotations__" in vars(cls):
                written, home = class_text(cls)
                made = written.text
        else:
            written, home = class_text(cls)
            made = written.text
        unit = Code.of(FUNCTIONS, made, (cls.__name__,))
        ref = self._known["object", id(cls)] = self._add(unit, cls, cls.__name__)
        if made.startswith(f"{cls.__name__} = "):
            unit.meant["collections"] = Library("collections")
            return ref
        node: Any = next(one for one in unit.tree.body if isinstance(one, ast.ClassDef))
        self._class_values(unit, node, cls)
        self._waiting.append((unit, Sight(home, {})))
        return ref

    def ours(self, place: Place) -> Ref:
        """A helper, or what else a module of ours defines."""
        if not stands_alone(place.module) or place.name not in text_of(place.module).bound:
            raise NoWayError(f"it calls {place.name} of tangent_nb, which needs tangent_nb",
                             "derive outside of the function, and call the derivative in it")
        if can_be_absent(place) and place in self.pruner.absent:
            self.present.add(place)
        stmt = text_of(place.module).bound[place.name]
        ref = self._known.get(stmt)
        if ref is None:
            if _holds_derivers(place):
                raise NoWayError(AT_RUN, BEFORE)
            unit = our_code(self.pruner, place, stmt)
            ref = self._known[stmt] = self._add(unit, None, place.name)
            self._waiting.append((unit, place.module))
        return Ref(ref.unit, place.name)

    def value(self, value: Any, name: str, where: Any, section: int = VALUES) -> Ref:
        """A value that a variable holds: where says which one that is."""
        known = self._known.get(("variable", where)) or self._known.get(("held", id(value)))
        if known is not None:
            return known  # type: ignore[no-any-return]
        unit = Value(section, (name,), value)
        ref = self._known["variable", where] = self._add(unit, value, name)
        if next(inner_objects(value), None) is not None:
            self._known["held", id(value)] = ref
        self._parts(unit, value)
        return ref

    def _parts(self, unit: Value, value: Any) -> None:
        for key, need in needs(value):
            if isinstance(need, Library):
                unit.parts[key] = need
            else:
                unit.parts[key] = self.of(need.value, need.name, (), ("part", key)) or Library("builtins", need.name)

    def error(self, name: str) -> Ref:
        """A class of errors of ours."""
        return self.ours(again(Place(ERRORS, name)))

    def helper(self, name: str) -> Ref:
        """A helper of `rt`."""
        return self.ours(helper(name))

    # ------------------------------------------------------------------ what a name means

    def of(self, value: Any, name: str, path: Sequence[str], where: Any) -> Meant | None:
        """What has to be in the file for a value that is read under a name, None where Python has it."""
        if getattr(builtins, name, MISSING) is value:
            return None
        key = ("object", id(value))
        if key in self._known:
            return self._known[key]  # type: ignore[no-any-return]
        if isinstance(value, types.ModuleType):
            found: Any = imported(value, name)
            return found if found is not None else self.space(value, name, path)
        if (place := place_of(value)) is not None:
            return self.ours(place)
        if is_ours(getattr(value, "__module__", None)) and isinstance(value, types.FunctionType):
            raise NoWayError(AT_RUN, BEFORE)
        if not is_literal(value) and (library := imported(value, name)) is not None:
            return library
        if isinstance(value, types.FunctionType):
            return self.function(value, name)
        if isinstance(value, type):
            return self.of_class(value, name)
        inner = getattr(value, "__wrapped__", None)
        if isinstance(inner, types.FunctionType) and not isinstance(value, types.MethodType):
            return self.decorated(value, inner, name)
        return self.value(value, name, ("object", id(value)) if where is None else where)

    def space(self, module: Any, name: str, path: Sequence[str]) -> Ref:
        """A module that cannot be imported, of which an attribute is read."""
        if not path:
            raise NoWayError("it is a module that is used as a value, or of which variables are assigned (global)",
                             "read what is needed of it by its name, and return what would be assigned")
        key = ("space", id(module))
        if key not in self._known:
            section = HELPERS if module is runtime else OBJECTS
            self._known[key] = Ref(self._add(Space(section, (name,), module), module, name).unit, name)
        ref: Ref = self._known[key]
        unit: Any = ref.unit
        first, rest = path[0], path[1:]
        if first not in unit.held:
            if module is runtime:
                unit.held[first] = self.helper(first)
            else:
                value = getattr(module, first)
                found = self.of(value, first, rest, (id(vars(module)), first))
                unit.held[first] = found if found is not None else Library("builtins", first)
        elif rest and isinstance(held := getattr(module, first, None), types.ModuleType):
            self.of(held, first, rest, None)
        return ref

    # ------------------------------------------------------------------ the texts, one after the other

    def resolve(self) -> None:
        """Find what all names in all texts mean, and which values hold what a variable holds."""
        self._resolve()
        held = {id(unit.value): Ref(unit, unit.names[0]) for unit in self.units if isinstance(unit, Value)}
        for unit in self.units:
            if isinstance(unit, Value):
                for one in list(inner_objects(unit.value))[1:]:
                    if id(one) in held:
                        unit.parts[id(one)] = held[id(one)]
                if unit.section == VALUES and any(isinstance(one, Ref) for one in unit.parts.values()):
                    unit.section = OBJECTS

    def _resolve(self) -> None:
        while self._waiting:
            unit, sight = self._waiting.popleft()
            for one in unit.reads:
                known = unit.meant.get(one.name)
                is_space = isinstance(known, Ref) and isinstance(known.unit, Space)
                if one.name not in unit.names and (one.path or is_space or one.name not in unit.meant):
                    self._reading = unit, ".".join([one.name, *one.path])
                    self._read(unit, sight, one)

    def way(self) -> tuple[str, str]:
        """What of the user's, or of the derivative, was read last, and where: from there a helper may have been."""
        while self._reading is not None and self._reading[0].section == HELPERS:
            self._reading = self._readers.get(self._reading[0])
        return ("", "") if self._reading is None else (self._reading[1], self._reading[0].names[0])

    def reader_of(self, unit: Unit) -> str:
        """The name of what reads a value."""
        found = self._readers.get(unit)
        return "" if found is None else found[0].names[0]

    def _read(self, unit: Code, sight: Any, one: Any) -> None:
        if isinstance(sight, str):
            self._read_of_ours(unit, sight, one.name, one.path)
            return
        value = sight.value(one.name)
        if value is MISSING:
            if one.noted or self._is_own(unit, one.name):
                return
            raise NoWayError(f"{one.name}, which {unit.names[0]} reads, is not defined", f"define {one.name}")
        if one.noted:
            library = imported(value, one.name)
            if library is not None:
                unit.meant.setdefault(one.name, library)
            return
        unit.meant[one.name] = self._named(unit, one, value, sight)

    def _named(self, unit: Code, one: Any, value: Any, sight: Sight) -> Meant | None:
        if sight.is_builtin(one.name):
            return None
        found = self.of(value, one.name, one.path, sight.where(one.name))
        if isinstance(found, Ref) and isinstance(found.unit, Value):
            self.frozen.add(one.name)
        return found

    def _is_own(self, unit: Code, name: str) -> bool:
        return name in unit.names

    def _read_of_ours(self, unit: Code, module: str, name: str, path: Sequence[str]) -> None:
        if name in unit.names and name not in text_of(module).imported:
            return
        found = means(module, name)
        if isinstance(found, Place):
            unit.meant[name] = self.ours(found)
        elif isinstance(found, OurModule):
            unit.meant[name] = self.space(sys.modules[found.module], name, path)
        else:
            unit.meant[name] = found

    # ------------------------------------------------------------------ what stands in texts as it was evaluated

    def _defaults(self, unit: Code, node: Any, fn: types.FunctionType, name: str) -> None:
        """The defaults of a function: the objects that it has, where the text does not say them for certain."""
        args = node.args
        positional = [*args.posonlyargs, *args.args]
        given = fn.__defaults__ or ()
        pairs = list(zip(positional[len(positional) - len(given):], args.defaults[len(args.defaults) - len(given):],
                         given))
        held = fn.__kwdefaults__ or {}
        pairs += [(arg, default, held[arg.arg]) for arg, default in zip(args.kwonlyargs, args.kw_defaults)
                  if default is not None and arg.arg in held]
        for arg, default, value in pairs:
            self._written(unit, default, value, f"_{name.strip('_')}_{arg.arg}")

    def _written(self, unit: Code, node: ast.expr, value: Any, name: str) -> None:
        """Let a text hold a value where it has an expression that gave it once."""
        try:
            if is_literal(value) and repr(ast.literal_eval(node)) == repr(value):
                return
        except ValueError:
            pass
        start, end = span_of(unit.text, node)
        called = getattr(value, "__name__", name)
        called = called if isinstance(called, str) and called.isidentifier() else name
        found = self.of(value, called if callable(value) else name, (), ("default", id(unit), name))
        if found is None:
            unit.edits.append((start, end, called))
        else:
            ref = found if isinstance(found, Ref) else self._kept(value, found, name)
            unit.edits.append((start, end, ref))
            unit.early.add(ref)
        inside = {one for one in unit.reads if one.early and start <= span_of(unit.text, one.node)[0] < end}
        unit.reads = [one for one in unit.reads if one not in inside]

    def _kept(self, value: Any, library: Library, name: str) -> Ref:
        unit = Value(VALUES, (name,), value, {id(value): library})
        return self._add(unit, value, name)

    def _class_values(self, unit: Code, node: ast.ClassDef, cls: type) -> None:
        """What a class holds now, where its text says another thing, or computes it."""
        for stmt in node.body:
            target = stmt.targets[0] if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 else \
                stmt.target if isinstance(stmt, ast.AnnAssign) else None
            value = getattr(stmt, "value", None)
            if not isinstance(target, ast.Name) or value is None or target.id not in vars(cls):
                continue
            now = vars(cls)[target.id]
            if hasattr(type(now), "__get__") and not is_literal(now) or isinstance(value, ast.Call) \
                    and isinstance(now, (type(None), int, float, str)) and hasattr(cls, "__dataclass_fields__") \
                    or "enum" in {base.__module__ for base in cls.__mro__}:
                continue
            self._written(unit, value, now, f"_{cls.__name__}_{target.id}")

    def _add(self, unit: Any, value: Any, name: str) -> Ref:
        unit.alive = value                                 # kept, so that its id stays its own
        self.units.append(unit)
        self._readers[unit] = self._reading
        return Ref(unit, name)


def collected(build: Any) -> World:
    """The world that `build` fills, without what cannot happen in it: what is absent is guessed, and what the rest
    names all the same is present the next time."""
    absent = set(_may_be_absent())
    while True:
        world = World(absent)
        try:
            build(world)
            world.resolve()
        except NoWayError as error:
            error.what, error.reader = world.way()
            raise
        if not world.present:
            return world
        absent -= world.present


@functools.cache
def _may_be_absent() -> frozenset[Place]:
    return frozenset(place for module in [*runtime.MODULES, sys.modules[ERRORS]]
                     for name in text_of(module.__name__).bound
                     if can_be_absent(place := Place(module.__name__, name)) and not _is_error(place))


def _is_error(place: Place) -> bool:
    value = vars(sys.modules[place.module]).get(place.name)
    return isinstance(value, type) and issubclass(value, BaseException)


def _holds_derivers(place: Place) -> bool:
    """What a name of ours holds was put there by who derives functions."""
    stmt: Any = text_of(place.module).bound[place.name]
    held = vars(sys.modules[place.module]).get(place.name) if isinstance(stmt, (ast.Assign, ast.AnnAssign)) else None
    if not isinstance(held, (dict, set, list)):
        return False
    inside = [*held, *(held.values() if isinstance(held, dict) else ())]
    homes = [getattr(getattr(one, "func", one), "__module__", None) for one in inside]
    return any(is_ours(home) and not stands_alone(str(home)) for home in homes)
