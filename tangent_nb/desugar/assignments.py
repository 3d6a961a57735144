"""Assignments in the core language.

Needs an assignment of the text. Promises assignments of one value each where functions,
objects or stars are on one of the sides; others stay.

    first, *rest = xs          →        items = %list(xs)
                                        first = items[0]
                                        rest = items[1:]
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.activity import dict_view, varied_names
from ..errors import RefusedError
from ..runtime.containers import is_named
from ..syntax.building import call, clone, constant, library, load, store, subscript
from ..syntax.nodes import dotted, is_atom, name_nodes, names_in, nodes_in, root_name, walk, writes
from . import (
    arguments,
    attributes,
    by_name,
    comprehensions,
    containers,
    definitions,
    deques,
    dicts,
    functions,
    held,
    lazy,
    lists,
    methods,
    objects,
    outs,
    purity,
    rows,
    sequences,
    sources,
    stores_in_turn,
    unrolling,
)
from .expressions import CHANGES, Expressions
from .in_place_calls import MAKERS
from .operators import BINARY
from .scopes import COMPREHENSIONS, binds

RUNNING = (gast.Call, gast.NamedExpr, gast.IfExp, gast.BoolOp, gast.Attribute, *COMPREHENSIONS)   # what may run code
SIGNS: dict[type, str] = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.Pow: "**",
                          gast.MatMult: "@", gast.Mod: "%", gast.FloorDiv: "//", gast.BitOr: "|", gast.BitAnd: "&",
                          gast.BitXor: "^", gast.LShift: "<<", gast.RShift: ">>"}


def _stores(desugar: Expressions, body: list[gast.stmt], target: Any) -> bool:
    """Statements change a part of something in place that they have not made; a view at the target shows that."""
    index = target.slice if isinstance(target, gast.Subscript) else None
    if index is None or isinstance(index, gast.Slice) or getattr(index, "value", None) is ...:
        return False
    parts: Any = list(nodes_in(gast.Module(body, [])))
    made = {target.id for stmt in parts if isinstance(stmt, gast.Assign)
            for target in stmt.targets if isinstance(target, gast.Name)
            and isinstance(stmt.value, gast.Call) and any(desugar.object(stmt.value.func) is maker for maker in MAKERS)}
    return any(isinstance(part, gast.Subscript) and not isinstance(part.ctx, gast.Load) and root_name(part) not in made
               or getattr(part, "attr", "") == "add_at" for part in parts)


def _is_idle(stmt: Any) -> bool:
    """`x = x`, as what a body in the place of its call gives back may be."""
    return len(stmt.targets) == 1 and isinstance(stmt.targets[0], gast.Name) and isinstance(stmt.value, gast.Name) \
        and stmt.targets[0].id == stmt.value.id


class Assignments(Expressions):
    """What assignments are in the core language."""

    def emit(self, stmt: gast.stmt) -> None:
        """Write a statement; a name of an object that gets another value is none from here on."""
        if self.places:
            held.read_by_items(self, stmt)
        self.emitted.pop(id(stmt), None)                   # it may be written a second time, in other words
        bound = binds(stmt, self.emitted)
        bound_here = bound & set(self.objects)
        for name in sorted(bound_here):
            if not isinstance(stmt, gast.Assign) or self.nested(name):
                raise objects.escaped(self, self.place, self.objects[name])
        if isinstance(stmt, gast.Assign):
            rows.named(self, stmt)
            target = stmt.targets[0]
            made = containers.of(self, stmt.value) if getattr(target, "id", "") in self.temporaries else None
            if made is not None:
                self.makes(target.id, made)                # what a name of ours holds another may hold too
        super().emit(stmt)
        self.emitted[id(stmt)] = stmt, bound
        for part in name_nodes(stmt) if self.plain else ():
            if part.id in self.plain and part.id not in self.objects:
                part.plain = True                          # it may be an object from a later statement on
        self.numbers -= bound
        self.nones -= bound
        self.given_values |= bound
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                and not self.nested(stmt.targets[0].id):
            self.plain.add(stmt.targets[0].id)
            if isinstance(stmt.value, gast.Constant) and stmt.value.value is None and len(stmt.targets) == 1:
                self.nones.add(stmt.targets[0].id)
        if isinstance(stmt, gast.Assign) or self.stack:    # of a text that stands in this one all are new
            self.varied |= varied_names(gast.Module([stmt], []), self.varied, self.scope)
        for name in bound_here:
            self.objects.pop(name).holders.discard(name)
            self.local.add(name)

    def _assign(self, stmt: gast.Assign) -> None:
        if isinstance(stmt.targets[0], gast.Name) and stmt.targets[0].id in self.block_only:
            self.levels.setdefault(stmt.targets[0].id, self.depth)
        if any(taken(self, stmt) for taken in (definitions.define, lazy.started, deques.made, outs.assigned)):
            return
        target = stmt.targets[0]
        stmt.value = dicts.from_keys(self, stmt.value) or stmt.value
        if self.places and held.exchanged(self, stmt) or stores_in_turn.written(self, stmt):
            return
        parts = [one.value for one in stmt.targets if isinstance(one, gast.Subscript)] if len(stmt.targets) > 1 else []
        if any(held.container(self, part) for part in parts):
            stmt.value = self.expr(stmt.value)             # `state[0] = state[1] = v`
            self._one_by_one(stmt)
            return
        if len(stmt.targets) == 1 and isinstance(target, gast.Name) and not by_name.maps(self, one := stmt.value) \
                and isinstance(one, gast.ListComp | gast.SetComp | gast.DictComp) and self.key(one) not in self.places \
                and target.id not in names_in(one) and comprehensions.unrolls(self, one):
            comprehensions.unroll(self, stmt.value, target.id)
            return
        if len(stmt.targets) == 1 and (self._pairwise(stmt) or isinstance(target, gast.Subscript) and self._changed(
                target.value, "__setitem__", target.slice, stmt.value)):
            return
        if len(stmt.targets) == 1 and hasattr(target, "elts"):
            stmt.value = sources.unpacked(self, stmt.value, target.elts) or stmt.value
        if isinstance(target, gast.Name) and len(stmt.targets) == 1 and lists.pops(self, stmt.value):
            self.emit(stmt)
            return
        is_single = isinstance(target, gast.Name) and target.id in self.single
        stmt.value = functions.operand(self, stmt.value) if is_single else self.expr(stmt.value)
        if is_single and definitions.bind(self, stmt):
            return
        if isinstance(target, gast.Name) and len(stmt.targets) == 1 and isinstance(stmt.value, gast.Name) \
                and stmt.value.id in self.objects and attributes.rebind(self, target.id, self.objects[stmt.value.id]):
            return
        if self._part(stmt) or _is_idle(stmt) and target.id not in self.doubtful:
            return
        items = unrolling.unpacked(self, stmt.value) if isinstance(target, (gast.Tuple, gast.List)) else None
        if items is not None:
            stmt.value = gast.Tuple(items, gast.Load())
            if held.taken_apart(self, stmt) or stores_in_turn.written(self, stmt):
                return
            if len(stmt.targets) == 1 and self._pairwise(stmt):
                return
        if any(isinstance(node, gast.Starred) and isinstance(node.ctx, gast.Store) for node in walk(stmt.targets)):
            self._starred(stmt)
            return
        value = stmt.value
        if isinstance(value, gast.Call) and dict_view(value) and self.carries(value.func.value) \
                and isinstance(target, gast.Name):
            view, pairs = self.text(value, f"….{value.func.attr}()"), value.func.attr == "items"
            raise self.refused(value, f"{view} is kept under a name, and changes when the dict does",
                               f"for k, v in {view}: where they are needed" if pairs else f"list({view})")
        if (len(stmt.targets) > 1 or isinstance(target, (gast.Tuple, gast.List))) and any(
                isinstance(part, RUNNING) or hasattr(part, "unsure") for one in stmt.targets for part in nodes_in(one)):
            self._one_by_one(stmt)
            return
        with self.before(stmt.value) as values:
            stmt.targets = [self._target(one) for one in stmt.targets]
        stmt.value = values[0]
        self.emit(stmt)

    def _changed(self, base: gast.expr, method: str, *args: gast.expr) -> bool:
        """A statement that changes a container which is made anew, by the method that it calls."""
        call = gast.Call(gast.Attribute(base, method, gast.Load()), list(args), [])
        return containers.changed(self, call, CHANGES) is not None

    def _one_by_one(self, stmt: gast.Assign) -> None:
        """`x[place(x)], y = a, b`: Python computes the value, then the place of each target in turn."""
        target = stmt.targets[0]
        if len(stmt.targets) > 1:
            value = self.kept(stmt.value, "value")
            parts = [(one, value) for one in stmt.targets]
        else:
            parts = [(one, self.temporary("item")) for one in target.elts]
            self.emit(gast.Assign([gast.Tuple([store(name) for _, name in parts], gast.Store())], stmt.value, None))
        for one, name in parts:
            self.statement(self.placed(gast.copy_location(gast.Assign([one], load(name), None), stmt)))

    def _pairwise(self, stmt: gast.Assign) -> bool:
        """`a, b = f(x), g(x)`, where functions or objects are made, and `self.a, self.b = a, b`."""
        target, value = stmt.targets[0], stmt.value
        if not isinstance(target, (gast.Tuple, gast.List)) or any(isinstance(one, gast.Starred) for one in target.elts):
            return False
        written = any(isinstance(one, gast.Attribute) and objects.value_at(self, one.value) is not None
                      for one in target.elts)
        kind = self.objects[value.id].kind if isinstance(value, gast.Name) and value.id in self.objects else object
        if isinstance(value, gast.Name) and is_named(kind):
            fields = objects.fields_of(kind)
            value = gast.Tuple([gast.Attribute(load(value.id), name, gast.Load()) for name in fields], gast.Load())
        elif functions.given(self, value):
            stmt.value = value = functions.operand(self, value)
            if not isinstance(value, gast.Tuple):
                return False
        elif written and not isinstance(value, (gast.Tuple, gast.List)):
            names = [self.temporary("item") for _ in target.elts]
            self.statement(self.placed(gast.Assign([gast.Tuple([store(n) for n in names], gast.Store())], value, None)))
            value = gast.Tuple([load(n) for n in names], gast.Load())
        elif not isinstance(value, (gast.Tuple, gast.List)):
            return False
        if len(value.elts) != len(target.elts) or any(isinstance(one, gast.Starred) for one in value.elts):
            return False
        read = names_in(value)
        if not (written or any(containers.changes_by_methods(self, one) for one, _ in containers.pairs(stmt))):
            with self.before():
                value.elts, _ = arguments.evaluated(self, gast.Call(load("%tuple"), value.elts, []))
                made = bool(self.made)
            if not made and not any(functions.is_value(self, one) or objects.value_of(self, one) for one in value.elts):
                return False
        items = list(value.elts)
        if len(items) > 1:
            bound_names = {n.id for one in target.elts for n in nodes_in(one) if isinstance(n, gast.Name)}
            read |= names_in(value)
            known = [self.functions[name] for name in read if name in self.functions]
            simple = all(isinstance(one, gast.Name) for one in target.elts) and not any(one.in_place for one in known) \
                and bound_names.isdisjoint(read) \
                and bound_names.isdisjoint(n for one in known for part in one.bound for n in names_in(part))
            if not simple:
                items = [one if functions.is_value(self, one) or isinstance(one, gast.Constant)
                         else self._kept_value(one) for one in items]
        for one, item in zip(target.elts, items, strict=True):
            self.statement(self.placed(gast.copy_location(gast.Assign([one], item, None), stmt)))
        return True

    def _kept_value(self, node: Any) -> Any:
        new = self.expr(node)
        if isinstance(new, gast.Name) and new.id in self.objects:
            return load(attributes.snapshot(self, self.objects[new.id]).prefix)
        return load(self.kept(new, "value"))

    def _part(self, stmt: gast.Assign) -> bool:
        """`obj.name = value` and `obj[i] = value` for an object that is made here."""
        target = stmt.targets[0]
        if len(stmt.targets) != 1 or not isinstance(target, (gast.Attribute, gast.Subscript)):
            return False
        with self.before(stmt.value) as values:
            target.value = self.next(target.value)
            value = objects.value_of(self, target.value)
            if value is None or value.path is not None:
                stmt.value = values[0]
                return isinstance(target, gast.Attribute) and attributes.is_set(self, value, target, values[0])
            index = self.next(target.slice) if isinstance(target, gast.Subscript) else None
        if index is not None and value.kind not in (list, tuple, dict):
            return methods.stored(self, target.value, value, index, values[0])
        where = target.attr if index is None else objects.item(value, index)
        if where is None or index is not None and value.kind is tuple:
            raise objects.escaped(self, stmt, value)
        attributes.write(self, value, where, values[0])
        return True

    def _starred(self, stmt: gast.Assign) -> None:
        """`a, *b, c = xs`."""
        value = stmt.value
        if len(stmt.targets) > 1:
            value = load(self.kept(value, "items"))
        for target in stmt.targets:
            stars = [i for i, one in enumerate(getattr(target, "elts", [])) if isinstance(one, gast.Starred)]
            if len(stars) != 1:
                self.emit(gast.Assign([self._target(target)], clone(value), None))
                continue
            items, star = self.kept(call("%list", value), "items"), stars[0]
            after = len(target.elts) - star - 1
            if not (isinstance(value, (gast.List, gast.Tuple)) and len(value.elts) >= len(target.elts) - 1) \
                    and len(target.elts) > 1:
                check = library("rt.check_enough(xs, n)", xs=load(items), n=constant(len(target.elts) - 1))
                self.emit(self.placed(gast.Expr(check)))
            for i, one in enumerate(target.elts):
                if i == star:
                    upper = constant(-after) if after else None
                    part = subscript(items, gast.Slice(constant(star) if star else None, upper, None))
                    self.statement(gast.Assign([one.value], part, None))
                else:
                    self.statement(
                        gast.Assign([one], subscript(items, constant(i if i < star else i - len(target.elts))), None))

    def _target(self, target: Any) -> Any:
        if isinstance(target, (gast.Tuple, gast.List)):
            target.elts = [self._target(one) for one in target.elts]
        elif isinstance(target, gast.Subscript):
            target.value = self.next(target.value)
            with self.before(*([target.value] if isinstance(target.value, gast.Name) else [])) as names:
                target.slice = self.next(target.slice)
            target.value = names[0] if names else target.value
        elif isinstance(target, gast.Attribute):
            target.value = self.next(target.value)
        return target

    def _augassign(self, stmt: gast.AugAssign) -> None:
        plain = not (isinstance(stmt.target, gast.Name) and stmt.target.id in self.objects)
        if plain and (self._changed(stmt.target, f"__i{BINARY[type(stmt.op).__name__]}__", stmt.value)
                      or lists.augmented(self, stmt)):
            return
        if isinstance(stmt.target, gast.Attribute):
            base = self.expr(stmt.target.value)
            value = objects.value_of(self, base)
            if value is not None and value.path is None and stmt.target.attr in value.attributes:
                if objects.frozen(value.kind) or issubclass(value.kind, tuple):
                    raise self._unsettable(stmt, stmt.target.value, "attributes")
                attributes.changes(self, value)
                stmt.target = gast.copy_location(store(value.attributes[stmt.target.attr]), stmt.target)
            elif value is not None and value.path is None:
                self._by_parts(stmt, base)
                return
            elif dotted(stmt.target) is not None and not purity.known_to_compute(self, stmt.value):
                stores_in_turn.in_steps(self, stmt, stmt.target)
                return
        elif isinstance(stmt.target, gast.Name) and stmt.target.id in self.objects:
            if self.objects[stmt.target.id].kind is list:
                self._extended(stmt)
                return
            if methods.changed_in_place(self, stmt):
                return
            new = gast.Assign([stmt.target], gast.BinOp(load(stmt.target.id), stmt.op, stmt.value), None)
            self.statement(self.placed(gast.copy_location(new, stmt)))
            return
        known = held.variable(self, stmt.target)
        if known is not None and (of := held.container(self, stmt.target.value)) is not None and of.kind is tuple:
            raise self._unsettable(stmt, stmt.target.value, "items")
        with self.before():
            stmt.target = self._target(stmt.target) if known is None else gast.copy_location(store(known), stmt.target)
        written = stmt.value
        if isinstance(stmt.target, gast.Subscript) and not purity.computes(self, stmt.value, ()):
            stmt.target.slice = stores_in_turn.kept_index(self, stmt.target.slice)       # the place is found first
        if self.attempts and isinstance(stmt.target, gast.Subscript) and not is_atom(stmt.value) \
                and not any(isinstance(node, gast.Slice) for node in nodes_in(stmt.target.slice)):
            self._check_part(stmt.target)
        with self.before():
            stmt.value = self.next(stmt.value)
            made = self.made
        if names_in(stmt.target) & writes(made) or _stores(self, made, stmt.target):
            raise self._changes(stmt, written)
        self.emit(stmt)

    def _by_parts(self, stmt: gast.AugAssign, base: gast.expr) -> None:
        """`t = obj.n; t += v; obj.n = t` for `obj.n += v`, where the object has no n of its own."""
        target: Any = stmt.target
        read = gast.copy_location(gast.Attribute(base, target.attr, gast.Load()), target)
        name = self.kept(self.expr(read), target.attr)
        for one in (gast.AugAssign(store(name), stmt.op, stmt.value),
                    gast.Assign([gast.Attribute(clone(base), target.attr, gast.Store())], load(name), None)):
            self.statement(self.placed(gast.copy_location(one, stmt)))

    def _check_part(self, target: gast.Subscript) -> None:
        """`a[i] += v` reads a[i] before v is computed: whether there is one is asked first."""
        target.slice = stores_in_turn.kept_index(self, target.slice)
        read = library("rt.check_part(x, i)", x=clone(target.value), i=clone(target.slice))
        self.emit(self.placed(gast.Expr(read)))

    def _extended(self, stmt: gast.AugAssign) -> None:
        """`items += [a]` changes the list, whatever its names are."""
        name = stmt.target.id
        put = gast.Expr(gast.Call(gast.Attribute(load(name), "extend", gast.Load()), [stmt.value], []))
        if not isinstance(stmt.op, gast.Add) or not sequences.changed(self, self.placed(gast.copy_location(put, stmt))):
            raise objects.escaped(self, stmt, self.objects[name])

    def _changes(self, stmt: gast.AugAssign, written: gast.expr) -> RefusedError:
        target, value = self.text(stmt.target, "a"), self.text(written, "...")
        is_atom = isinstance(written, (gast.Call, gast.Subscript, gast.Attribute))
        why = f"{value} changes {target}, and Python computes with the value that {target} had before"
        value = value if is_atom else f"({value})"
        return self.refused(stmt, why,
                            f"two statements: old = {target}, then {target} = old {SIGNS[type(stmt.op)]} {value}")

    def _unsettable(self, stmt: gast.AugAssign, of: Any, parts: str) -> RefusedError:
        """What `t[0] += v` adds to is changed where it stands, and then t cannot be given it."""
        target, sign = self.text(stmt.target, "v"), SIGNS[type(stmt.op)]
        return self.refused(stmt, f"the {parts} of {self.text(of, 'it')} cannot be set: Python would change {target}, "
                            "and raise an error then", "the array under a name of its own: "
                            f"v = {target}, then v {sign}= {self.text(stmt.value, '...')}")

    def _annassign(self, stmt: gast.AnnAssign) -> None:
        if stmt.value is not None:
            new = gast.copy_location(gast.Assign([stmt.target], stmt.value, None), stmt)
            new.origin = self.origin
            self._assign(new)
