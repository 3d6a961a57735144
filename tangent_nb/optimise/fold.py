"""Folding: a temporary that is read once stands where it is read,
and what is added to a cotangent is gathered in one statement.

Needs statements with their roles. Promises the same values in the same order: nothing between definition and use binds
or changes what the definition reads, and what the forward sweep computes by a call stays in the forward sweep.

>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, y, z):
...     s = x * y + z
...     return s * x
>>> stages = tnb.stages(tnb.grad(f, like=(1.0, 2.0, 3.0)))
>>> print(difference(stages["constant_folding"], stages["copy_propagation"]))
+     s = x * y + z
-     product = x * y
-     s = product + z
-     bs = bf * x
+     bs = 1.0 * x
-     bx = bf * s
-     bx = bx + bproduct * y
+     bx = 1.0 * s + bs * y
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from operator import is_not
from typing import Any

import gast

from ..syntax.blocks import attempted, blocks, is_compound, statements
from ..syntax.building import substitute
from ..syntax.nodes import child_fields, reads, unparse, walk
from .facts import Facts
from .places import BLOCKS, END, Blocks, Places, Uses
from .sharing import sharing
from .trees import NAMES, rewritten

LONGEST = 72                   # characters of an expression of the backward pass that takes another one in


def fold(tree: gast.FunctionDef, facts: Facts, changed: set[str], temporary: Callable[[str], bool], of_block: Blocks, *,
         attempted: bool = False) -> bool:
    """Put one round of single reads in place; True where another may find more.
    attempted: the function may be called in a `try`."""
    return _Fold(tree, facts, changed, temporary, of_block, attempted).run()


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
        self.done = self.waits = False                     # waits: for what stood between, or changed

    def run(self) -> bool:
        self._block(self.tree.body)
        return self.done and self.waits

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
        if not self.temporary(name) or self.count[name] != 1 or self.definitions[name] != 1 or hasattr(stmt, "cut"):
            return False
        if name in self.changed:
            self.waits = True
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
        held = id(stmt) in self.held and getattr(stmt, "role", "") == "forward"
        if here == END or self.reader.get(name) is not places.stmts[here] or places.bound(guard, place) < here \
                or held and not places.is_next(place, here) \
                or self._meets_change(guard, places.updated_between(place, here)):
            self.waits = True
            return False
        other = places.stmts[here]
        if other is None or not self._insert(other, name, stmt):
            return False
        places.replaced(here, name, guard)
        return True

    def _meets_change(self, guard: Iterable[str], updated: Iterable[str]) -> bool:
        """Some of the names share memory with what is changed."""
        memory = {self.share.name(one) for one in guard} if updated else ()
        return any(self.share.name(one) in memory for one in updated)

    def _insert(self, other: Any, name: str, stmt: Any) -> bool:
        field, new = _exchanged(other, name, stmt.value)
        if field not in ("value", "iter") and not (field == "test" and not isinstance(other, gast.While)):
            if field not in ("target", "targets") or _calls(stmt.value) or not _in_index(other, name):
                return False
            setattr(other, field, new)
            return True
        backward = getattr(other, "role", "") != "forward"
        whole = new is stmt.value
        if whole and isinstance(other, gast.For) and getattr(other, "role", "") == "backward":
            return False
        if getattr(stmt, "role", "") == "forward" and backward and _calls(stmt.value):
            return False                               # computed in the forward pass, where the user computes it
        self._is_movable(other)
        if backward and not whole and _is_long(new):
            return False
        setattr(other, field, new)
        return True


def _exchanged(stmt: gast.stmt, name: str, value: gast.expr) -> tuple[str, Any]:
    """The field of a statement, its blocks left out, that reads a name once, and what it holds where a value stands
    there; what is not on the way to it is the same. Nothing where the name stands for what is caught."""
    def change(node: gast.Name) -> gast.expr:
        return value if node.id == name and isinstance(node.ctx, gast.Load) else node

    for field in child_fields(stmt.__class__):
        if field not in BLOCKS or not is_compound(stmt):
            old: Any = getattr(stmt, field, None)
            new: Any = [rewritten(one, change, NAMES) for one in old] if isinstance(old, list) \
                else rewritten(old, change, NAMES) if isinstance(old, gast.AST) else old
            if new is not old and (not isinstance(old, list) or any(map(is_not, new, old))):
                return field, new
    return "", None


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
