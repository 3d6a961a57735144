"""Lists of objects of one class, of which only the running program knows the length, as lists of what the objects hold.

Scalar replacement (`attributes.py`) of what is in a list: right where nothing changes the objects,
since each is copied.

Needs a list that is made here, to which objects of one class are appended. Promises tuples of their attributes in it;
where a loop or an index takes an item, an object whose attributes are variables again.

    layers = [Line(a, b) for a, b in p]           layers = []
    for layer in layers:                          for a, b in p:
        x = layer.at(x)                 →             layers.append((a, b))
                                                  for line_slope, line_offset in layers:
                                                      x = line_slope * x + line_offset
"""
from __future__ import annotations

from typing import Any

import gast

from ..syntax.building import load, store, tuple_of
from ..syntax.nodes import name_nodes, nodes_in
from . import objects
from .objects import escaped
from .parts import append
from .state import State
from .values import FunctionValue, ObjectValue, Rows


def put(desugar: State, name: str, value: ObjectValue) -> None:
    """`items.append(obj)`."""
    if not can_be_put(desugar, name, value):
        raise escaped(desugar, desugar.place, value)
    known: dict[str, FunctionValue] = {a: desugar.functions[v]
                                       for a, v in value.attributes.items() if v in desugar.functions}
    held = [a for a in value.attributes if a not in known]
    rows = desugar.rows.setdefault(name, Rows(value.kind, tuple(held), known))
    if rows.kind is not value.kind or rows.held != tuple(held) or rows.known != known:
        raise escaped(desugar, desugar.place, value)
    desugar.fixed.add(value.kind)
    stmt: Any = append(name, _together([load(value.attributes[a]) for a in held]))
    stmt.value.func.value.rows = True
    desugar.statement(desugar.placed(stmt))


def can_be_put(desugar: State, name: str, value: ObjectValue) -> bool:
    """An object is nothing but values that are numbers, arrays or such, and is not changed;
    the list is made here and has one name."""
    if value.path is not None or value.merged or value.kind in desugar.written \
            or issubclass(value.kind, (list, tuple)) \
            or not (name in desugar.once or name in desugar.temporaries) or name not in desugar.local:
        return False
    known = [desugar.functions[v] for v in value.attributes.values() if v in desugar.functions]
    return not any(v in desugar.objects for v in value.attributes.values()) and not any(one.bound for one in known) \
        and len(known) < len(value.attributes)


def _together(nodes: list[Any]) -> Any:
    return nodes[0] if len(nodes) == 1 else tuple_of(nodes, write=isinstance(nodes[0].ctx, gast.Store))


def of(desugar: State, node: Any) -> Rows | None:
    """The list of objects that an evaluated expression means."""
    if isinstance(node, gast.Name):
        return desugar.rows.get(node.id)
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Slice):
        return of(desugar, node.value)
    if isinstance(node, gast.Call) and len(node.args) == 1 and not node.keywords \
            and any(desugar.object(node.func) is fn for fn in (list, tuple, reversed)):
        return of(desugar, node.args[0])
    return None


def allow(node: Any) -> None:
    """What is read here are rows."""
    for part in name_nodes(node):
        part.rows = True


def named(desugar: State, stmt: gast.Assign) -> None:
    """`self.layers = list(layers)`: another list of the same rows."""
    rows = of(desugar, stmt.value)
    target = stmt.targets[0]
    if rows is None or len(stmt.targets) > 1 or not isinstance(target, gast.Name):
        return
    if desugar.nested(target.id):
        raise escaped(desugar, stmt, ObjectValue(rows.kind, ""))
    allow(stmt.value)
    desugar.rows[target.id] = rows


def targets(desugar: State, target: Any, source: Any, found: dict[str, ObjectValue]) -> Any:
    """The target of a loop, with the attributes in the place of an object; found: these objects, by name."""
    rows = of(desugar, source)
    if rows is not None:
        if not isinstance(target, gast.Name) or target.id not in desugar.loop_only or target.id in desugar.objects:
            raise escaped(desugar, desugar.place, ObjectValue(rows.kind, ""))
        allow(source)
        found[target.id] = value = item(desugar, rows)
        value.holders.add(target.id)
        return _together([store(value.attributes[a]) for a in rows.held])
    if isinstance(source, gast.Call) and isinstance(target, gast.Tuple) \
            and not any(isinstance(a, gast.Starred) for a in source.args):
        fn = desugar.object(source.func)
        if fn is enumerate and len(target.elts) == 2 and source.args:
            target.elts[1] = targets(desugar, target.elts[1], source.args[0], found)
        elif fn is zip and len(target.elts) == len(source.args):
            target.elts = [targets(desugar, one, arg, found) for one, arg in zip(target.elts, source.args, strict=True)]
        elif fn is reversed and len(source.args) == 1:
            return targets(desugar, target, source.args[0], found)
    return target


def item(desugar: State, rows: Rows) -> ObjectValue:
    """An object for an item of the list, with variables for what it holds."""
    name = desugar.names.new(rows.kind.__name__[:1].lower() + rows.kind.__name__[1:])
    value = ObjectValue(rows.kind, name, born=desugar.out)
    desugar.objects[name] = value
    for attribute in rows.held:
        value.attributes[attribute] = desugar.temporary(f"{name}_{attribute}")
    for attribute, fn in rows.known.items():
        value.attributes[attribute] = desugar.names.new(f"{name}_{attribute}")
        desugar.functions[value.attributes[attribute]] = fn
    value.holders.add(name)
    desugar.varied.update(value.attributes[a] for a in rows.held)
    return value


def taken(desugar: State, node: gast.Subscript) -> gast.expr | None:
    """`layers[i]`, evaluated: the object."""
    rows = of(desugar, node.value)
    if rows is None or isinstance(node.slice, gast.Slice):
        return None
    allow(node.value)
    value = item(desugar, rows)
    desugar.emit(gast.Assign([_together([store(value.attributes[a]) for a in rows.held])], node, None))
    return load(value.prefix)


def refuse(desugar: State, body: list[gast.stmt]) -> None:
    """Such a list is read as a value somewhere."""
    for part in nodes_in(gast.Module(body, [])) if desugar.rows else ():
        if isinstance(part, gast.Name) and part.id in desugar.rows and isinstance(part.ctx, gast.Load) \
                and not getattr(part, "rows", False):
            raise objects.escaped(desugar, part, ObjectValue(desugar.rows[part.id].kind, ""))
