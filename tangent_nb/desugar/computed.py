"""Attributes of objects that are known only when they are read, and which a property may compute.

Needs an evaluated object. Promises that its class is asked when the text runs, where a class that the text sees
computes an attribute of this name: others hold it, and are not asked. So is one with the name of an attribute of
arrays, where a class holds one of this name.

    shape.area              →        area = rt.computed("area")
                                     area(shape)
"""
from __future__ import annotations

import inspect
import types
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import gast
import numpy as np

from ..analyse.codes import ATTRIBUTE, stores_in
from ..analyse.flow import bound_by
from ..analyse.objects import with_objects
from ..runtime.containers import is_named, is_record
from ..syntax.blocks import statements
from ..syntax.building import constant, library, load
from ..syntax.nodes import attributes_assigned, is_literal, nodes_of, parameter_names, writes
from ..syntax.program import MISSING
from . import objects
from .state import State
from .values import is_foreign


def asked(desugar: State, tree: gast.FunctionDef) -> None:
    """Write, before it is judged what carries a derivative, that `obj.size` is asked of the object, where a class holds
    one of this name and the object may be of one."""
    desugar.stored = desugar.stored | attributes_assigned(tree.body)       # which are variables, or parts
    shared = {node.attr for node in nodes_of(tree, gast.Attribute)
              if hasattr(np.ndarray, node.attr) and not node.attr.startswith("__")}           # those are Python's own
    names = {name for name in shared if any(name in known for known in _names(desugar, True))}
    if names and (names := names - desugar.stored):
        Asked(desugar, names, _told(desugar, tree)).generic_visit(tree)


class Asked(gast.NodeTransformer):
    """Writes attributes of these names as calls of what reads them, but for those of `told`."""

    def __init__(self, desugar: State, names: set[str], told: set[str]) -> None:
        self.desugar, self.names, self.told = desugar, names, told

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        self.generic_visit(node)
        if node.attr not in self.names or not isinstance(node.ctx, gast.Load) or is_literal(node.value) \
                or self.desugar.object(node.value) is not MISSING:
            return node
        if getattr(node.value, "id", "") in self.told:
            node.of_array = True
            return node
        made = _call(library("rt.computed(n)", n=constant(node.attr)), node.value, node, self.desugar)
        made.computed = node.attr
        return made

    def visit_Call(self, node: gast.Call) -> gast.expr:
        if isinstance(node.func, gast.Attribute):
            node.func.value = self.visit(node.func.value)
            node.args, node.keywords = list(map(self.visit, node.args)), list(map(self.visit, node.keywords))
            return node
        return self.generic_visit(node)


def read(desugar: State, node: gast.Call) -> gast.expr | None:
    """What `asked` wrote, for an object that is known here, or not."""
    if not hasattr(node, "computed"):
        return None
    return desugar.expr(gast.copy_location(gast.Attribute(node.args[0], node.computed, gast.Load()), node))


def attribute(desugar: State, node: gast.Attribute) -> gast.expr | None:
    """`obj.name` as a call of what reads it; None where it is known that nothing is computed."""
    shared = hasattr(np.ndarray, node.attr)
    if desugar.out is None or hasattr(node, "of_array") \
            or not any(node.attr in names for names in _names(desugar, shared)) \
            or not desugar.carries(node.value) or shared and objects.is_number(desugar, node.value) \
            or objects.value_of(desugar, node.value) is not None \
            or node.attr in desugar.stored:
        return None
    reader = load(desugar.kept(library("rt.computed(n)", n=constant(node.attr)), node.attr))
    return _call(reader, node.value, node, desugar)


def _call(reader: gast.expr, obj: gast.expr, node: gast.Attribute, desugar: State) -> Any:
    made = called(reader, obj, node, desugar)
    made.attribute = node.attr
    return made


def called(reader: gast.expr, obj: gast.expr, node: gast.Attribute, desugar: State) -> Any:
    """A call of what reads an attribute. getters: the properties in sight that may be what is read."""
    made = gast.copy_location(gast.Call(reader, [obj], []), node)
    made.of_object = True
    made.getters = tuple(dict.fromkeys(one for seen in _names(desugar, False) for one in seen.get(node.attr, ())))
    return made


def _told(desugar: State, tree: Any) -> set[str]:
    """The names that hold arrays or numbers for certain: NumPy makes them."""
    body = tree.body
    found = with_objects(desugar.scope, body, (), parameter_names(tree)).untold
    others = {name for stmt in statements(body) if not isinstance(stmt, gast.Assign) for name in bound_by(stmt)}
    others |= {name for node in nodes_of(body, gast.comprehension, gast.NamedExpr) for name in writes(node.target)}
    return writes(body) - found - others


def _names(desugar: State, held: bool) -> Iterator[Mapping[str, list[Any]]]:
    """The properties of the classes that a text sees, and those that stand in it, by their names, with what computes
    them; held: and what their objects hold."""
    space = desugar.captured.namespace
    yield _in_sight(desugar, space.globals, space.cells.values(), held)
    for fn in desugar.stack:
        yield _in_sight(desugar, fn.__globals__, fn.__closure__ or (), held)


def _in_sight(desugar: State, names: Mapping[str, Any], cells: Collection[types.CellType],
              held: bool) -> Mapping[str, list[Any]]:
    """The same of globals and cells, and of what the modules among these define."""
    key = id(names), tuple(map(id, cells)), held
    if key not in desugar.computed:
        values = [*names.values(), *(cell.cell_contents for cell in cells if cell != types.CellType())]
        values += [one for value in values if isinstance(value, types.ModuleType) and not is_foreign(value.__name__)
                   for one in vars(value).values()
                   if isinstance(one, type) and one.__module__.partition(".")[0] == value.__name__.partition(".")[0]]
        kinds = dict.fromkeys(kind for value in values if isinstance(value, type) and not is_foreign(value.__module__)
                              and (is_record(value) or is_named(value)) for kind in value.__mro__[:-1])
        known: dict[str, list[Any]] = {}
        for kind in kinds:
            for name, computes in _members(kind, held):
                known.setdefault(name, []).extend(computes)
        desugar.computed[key] = known
    return desugar.computed[key]


def _members(kind: Any, held: bool) -> Iterator[tuple[str, list[Any]]]:
    """The names of the properties of a class, with what computes them; held: and those that its methods assign, of its
    slots, and its fields."""
    for name, one in vars(kind).items():
        if isinstance(one, property):
            yield name, [one.fget]
        elif held and isinstance(one, types.FunctionType):
            yield from ((stored, []) for stored in sorted(stores_in(one.__code__, ATTRIBUTE)))
        elif held and inspect.isdatadescriptor(one) and not isinstance(one, types.GetSetDescriptorType):
            yield name, []
    yield from ((name, []) for name in vars(kind).get("__dataclass_fields__", ()) if held)
