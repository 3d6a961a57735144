"""Folding: a temporary that is read once stands where it is read,
and what is added to a cotangent is gathered in one statement.

Needs statements with their roles. Promises the same values in the same order: nothing between definition and use binds
or changes what the definition reads, and what the forward sweep computes by a call stays in the forward sweep.

    product = x * y             →      s = x * y + z
    s = product + z
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from ..syntax.blocks import attempted, blocks, is_compound, statements
from ..syntax.building import clone, substitute
from ..syntax.nodes import child_fields, reads, unparse, walk
from .facts import Facts
from .places import BLOCKS, END, Blocks, Places, Uses
from .sharing import sharing

LONGEST = 72                   # characters of an expression of the backward pass that takes another one in


def fold(tree: gast.FunctionDef, facts: Facts, changed: set[str], temporary: Callable[[str], bool], of_block: Blocks, *,
         attempted: bool = False) -> bool:
    """Put one round of single reads in place; True where there was one.
    attempted: the function may be called in a `try`."""
    return _Fold(tree, facts, changed, temporary, of_block, attempted).run()


class Spot(NamedTuple):
    """Where a name is read: in this field of this statement, as this item of a node, or as one of its items."""

    stmt: gast.stmt
    field: str
    parent: Any
    item: str
    number: int | None

    def put(self, value: gast.expr) -> gast.expr:
        """Let another tree stand there; what stood there."""
        old: gast.expr
        if self.number is None:
            old = getattr(self.parent, self.item)
            setattr(self.parent, self.item, value)
        else:
            items = getattr(self.parent, self.item)
            old, items[self.number] = items[self.number], value
        return old


class _Fold:
    """One round. count, definitions: how many times each name is read, and bound; reader: the statement that reads it
    last; held: what is not moved past anything that may raise."""

    def __init__(self, tree: gast.FunctionDef, facts: Facts, changed: set[str], temporary: Callable[[str], bool],
                 of_block: Blocks, whole: bool) -> None:
        self.tree, self.facts, self.changed, self.temporary, self.of_block = tree, facts, changed, temporary, of_block
        self.uses = of_block.uses
        self.share = sharing(tree.body if changed else [], facts.scope)
        self.count: Counter[str] = Counter()
        self.definitions: Counter[str] = Counter()
        self.reader: dict[str, gast.stmt] = {}
        self.movable: dict[int, bool] = {}
        self.held = {id(stmt) for stmt in (statements(tree.body) if whole else attempted(tree.body))}
        for stmt in statements(tree.body):
            read, bound = self.uses.named(stmt)
            self.reader.update(dict.fromkeys(read, stmt))
            self.count.update(read)
            self.definitions.update(bound)
            if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
                self.count[stmt.target.id] += 1
        self.copied: set[int] = set()
        self.done = False

    def run(self) -> bool:
        self._block(self.tree.body)
        return self.done

    def _copy(self, stmt: Any) -> None:
        """Let a statement have trees of its own, in which others may be put: what it had may stand in the text after
        another pass too."""
        if id(stmt) in self.copied:
            return
        self.copied.add(id(stmt))
        for field in child_fields(stmt.__class__):
            if field not in BLOCKS:
                setattr(stmt, field, clone(getattr(stmt, field)))

    def _block(self, body: list[gast.stmt]) -> None:
        places = self.of_block(body)
        for place, stmt in places.each():
            for block in blocks(stmt):
                self._block(block)
                self.uses.forget(stmt)
            if self._may_move(stmt) and self._put(places, place, stmt):
                places.take_out(place)
                self.done = True
        body[:] = places.rest()

    def _may_move(self, stmt: Any) -> bool:
        if not (isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)) or hasattr(stmt, "zero") \
                or hasattr(stmt, "tape"):
            return False
        name = stmt.targets[0].id
        if not self.temporary(name) or self.count[name] != 1 or self.definitions[name] != 1 or name in self.changed \
                or hasattr(stmt, "cut"):
            return False
        if isinstance(stmt.value, gast.List) and not stmt.value.elts \
                or isinstance(stmt.value, gast.Dict) and not stmt.value.keys:
            return False
        return self._is_movable(stmt)

    def _is_movable(self, stmt: Any) -> bool:
        """The value may be computed later. What is put into a statement may be too, so that this is found once."""
        if id(stmt) not in self.movable:
            value = getattr(stmt, "value", None)
            self.movable[id(stmt)] = isinstance(value, gast.AST) and self.facts.movable(value)
        return self.movable[id(stmt)]

    def _put(self, places: Places, place: int, stmt: Any) -> bool:
        """Put a value where its name is read, if nothing in between changes what it reads."""
        name = stmt.targets[0].id
        guard = self.uses(stmt).mentions - {name}
        here = places.mentioned(name, place)
        if here == END or self.reader.get(name) is not places.stmts[here] or places.bound(guard, place) < here:
            return False
        if id(stmt) in self.held and getattr(stmt, "role", "") == "forward" and not places.is_next(place, here):
            return False
        memory = {self.share.name(one) for one in guard}
        if any(self.share.name(one) in memory for one in places.updated_between(place, here)):
            return False
        other = places.stmts[here]
        if other is None or not self._insert(_spot(other, name), name, stmt):
            return False
        places.replaced(here, name, guard)
        return True

    def _insert(self, spot: Spot, name: str, stmt: Any) -> bool:
        other: Any = spot.stmt
        value = stmt.value
        if spot.field not in ("value", "iter") and not (spot.field == "test" and not isinstance(other, gast.While)):
            if spot.field not in ("target", "targets") or _calls(value) or not _in_index(other, name):
                return False
            self._copy(other)
            _spot(other, name).put(value)
            return True
        backward = getattr(other, "role", "") != "forward"
        whole = spot.parent is other
        if whole and isinstance(other, gast.For) and getattr(other, "role", "") == "backward":
            return False
        if getattr(stmt, "role", "") == "forward" and backward and _calls(value):
            return False                               # computed in the forward pass, where the user computes it
        self._is_movable(other)
        if whole:
            spot.put(value)
            return True
        if backward:
            read = spot.put(value)
            is_long = _is_long(getattr(other, spot.field))
            spot.put(read)
            if is_long:
                return False
        self._copy(other)
        _spot(other, name).put(value)
        self.facts.forget(getattr(other, spot.field))
        return True


def _spot(stmt: gast.stmt, name: str) -> Spot:
    """Where a statement, its blocks left out, reads a name that it reads once."""
    inner = BLOCKS if is_compound(stmt) else ()
    todo = [(field, stmt, field, i) for field, i in _slots(stmt) if field not in inner]
    todo += [("handlers", handler, "type", None) for handler in getattr(stmt, "handlers", ())
             if handler.type is not None]
    while True:
        field, parent, item, number = todo.pop()
        node = getattr(parent, item)
        node = node if number is None else node[number]
        if not isinstance(node, gast.Name):
            todo += [(field, node, part, i) for part, i in _slots(node)]
        elif node.id == name and isinstance(node.ctx, gast.Load):
            return Spot(stmt, field, parent, item, number)


def _slots(node: Any) -> list[tuple[str, int | None]]:
    """The places right below a node: the fields that hold a tree,
    with the number of an item where a field holds several."""
    found: list[tuple[str, int | None]] = []
    for name in child_fields(node.__class__):
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [(name, i) for i, item in enumerate(value) if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST):
            found.append((name, None))
    return found


def _calls(node: gast.expr) -> bool:
    return any(isinstance(n, gast.Call) for n in walk(node))


def _in_index(stmt: Any, name: str) -> bool:
    """The name is read in an index of what the statement assigns to."""
    return any(isinstance(part, gast.Subscript) and name in reads(part.slice)
               for target in getattr(stmt, "targets", [getattr(stmt, "target", None)]) for part in walk(target))


def gather(body: list[gast.stmt], facts: Facts, changed: set[str], of_block: Blocks) -> None:
    """`bx = c` and then `bx = bx + d` in one statement: `bx = c + d`."""
    for stmt in body:
        for block in blocks(stmt):
            gather(block, facts, changed, of_block)
            of_block.uses.forget(stmt)
    places = of_block(body)
    for place, stmt in places.each():
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and getattr(stmt, "role", "") \
                == "backward" and not hasattr(stmt, "zero") and not hasattr(stmt, "tape") and not hasattr(stmt, "cut"):
            name, guard = stmt.targets[0].id, of_block.uses.access(stmt).use
            here = places.mentioned(name, place)
            if here != END and getattr(places.stmts[here], "adds", None) == name \
                    and here <= places.bound(guard, place) and not guard & changed \
                    and facts.pure(stmt.value) and _takes(places.stmts[here], name, stmt, of_block.uses):
                places.take_out(place)
                places.refresh(here)
    body[:] = places.rest()


def _takes(other: Any, name: str, stmt: Any, uses: Uses) -> bool:
    if getattr(other, "adds", None) != name or name in uses(other).updated or not isinstance(other.value, gast.BinOp):
        return False
    node, terms = other.value, []
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)) and not (
            isinstance(node.left, gast.Name) and node.left.id == name):
        terms.append(node)
        node = node.left
    if not (isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub))
            and isinstance(node.left, gast.Name)):
        return False
    if sum(isinstance(n, gast.Name) and n.id == name for n in walk(other.value)) != 1:
        return False
    new = substitute(other.value, {name: stmt.value})
    if _is_long(new) or reads(stmt.value) & {name} and not hasattr(stmt, "adds"):
        return False
    other.value = new
    return True


def _is_long(tree: gast.expr) -> bool:
    """The text has more than LONGEST characters; it is written where what stands in it does not say so: parentheses,
    and long operators."""
    least = most = 0
    for node in walk(tree):
        kind, more = node.__class__, 0
        if kind is gast.Name:
            least += len(node.id)
        elif kind is gast.Attribute:
            least, more = least + len(node.attr) + 1, 2
        elif kind is gast.BinOp:
            least, more = least + 3, 3                     # an operator with the spaces around it
        elif kind is gast.Call:
            least += 2 + 2 * max(0, len(node.args) + len(node.keywords) - 1)
        else:
            least, more = least + 1, 5 if kind is gast.UnaryOp else 5 + len(repr(node.value)) if kind is gast.Constant \
                else LONGEST
        most += more
        if least > LONGEST:
            return True
    return least + most > LONGEST and len(unparse(tree)) > LONGEST
