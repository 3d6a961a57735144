"""Iterators that a name holds: generator expressions, `map`, `filter`, `iter(x)`, those of itertools.

Needs a name that is bound once. Promises the iterator in the place of the name where it is gone over once, as a whole;
else the list that it goes over, and the place in it. What an item computes is computed when it is asked for, as Python
does.

    squares = (v * v for v in x)                 items = list(x)
    first = next(squares)                        place = 0
    return first * sum(squares)         →        if place == len(items):
                                                     raise StopIteration
                                                 item = items[place]
                                                 …
"""
from __future__ import annotations

import builtins
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from ..syntax.building import assign, call, clone, constant, load, statement, subscript
from ..syntax.nodes import children, name_nodes, names_in, nodes_in, walk, writes
from . import comprehensions, functions, iterators, yielding
from .comprehensions import takes_all
from .scopes import COMPREHENSIONS, FUNCTIONS, bindings, changed, substituted
from .state import State


def is_lazy(desugar: State, node: Any) -> bool:
    """An expression makes an iterator, whose items are computed when they are asked for."""
    if isinstance(node, gast.GeneratorExp):
        return True
    if not isinstance(node, gast.Call) or any(isinstance(a, gast.Starred) for a in node.args):
        return False
    return bool(node.args and desugar.scope.builtin(node)) and desugar.scope.effects(node).gives == "iterator" \
        or iterators.maker_of(desugar, node) is not None or yielding.started(desugar, node) is not None


def _bound_once(desugar: State, stmt: Any) -> str | None:
    """The name that a statement binds to an iterator, where nothing else binds it, and no function inside reads it."""
    if desugar.stack or not (isinstance(stmt, gast.Assign) and len(stmt.targets) == 1
                             and isinstance(stmt.targets[0], gast.Name)):
        return None
    name = stmt.targets[0].id
    if not is_lazy(desugar, stmt.value) or name in desugar.functions:
        return None
    nodes = bindings(desugar.tree).get(name, [])
    if len(nodes) != 1 or not isinstance(nodes[0], gast.Assign):  # not by a walrus, whose value is read where it stands
        return None
    inside = [part for part in nodes_in(desugar.tree) if isinstance(part, FUNCTIONS) and part is not desugar.tree]
    return None if any(name in names_in(one) for one in inside) else name


# ---------------------------------------------------------------------- gone over once
def moved(desugar: State, stmt: Any, later: Sequence[gast.stmt]) -> bool:
    """Put an iterator in the place where it is gone over, once, in the statements after it;
    what it goes over is evaluated here."""
    name = _bound_once(desugar, stmt)
    if name is None:
        return False
    if isinstance(stmt.value, gast.Call) and names_in(stmt.value.func) & writes(list(later)):
        return False                                       # the function, or the object of a method, is that of now
    carries = desugar.carries(stmt.value) or iterators.yields(desugar, stmt.value) \
        or any(comprehensions.is_endless(desugar, part) for part in nodes_in(stmt.value))
    around = read_once(desugar, later, name)
    if around is None or _reads(desugar.tree.body, name) != 1 or not carries and not isinstance(around, gast.For):
        return False
    for part in nodes_in(stmt.value):
        part.kept = True
    substituted(list(later), {name: fixed(desugar, stmt.value, writes(list(later)))})
    return True


def _reads(body: Sequence[gast.stmt], name: str) -> int:
    return sum(one.id == name and isinstance(one.ctx, gast.Load) for one in name_nodes(list(body)))


def read_once(desugar: State, body: Sequence[gast.stmt], name: str) -> Any:
    """What goes over all that a name holds, where statements read it once, and run at most once; else None."""
    around = _once(body, name)
    return around if around is not None and _takes(desugar, around) and _reads(body, name) == 1 else None


def _takes(desugar: State, parent: Any) -> bool:
    """What stands around a name goes over it from the first to the last item, and keeps it nowhere."""
    if isinstance(parent, (gast.For, gast.comprehension, gast.Starred)):
        return True
    if not isinstance(parent, gast.Call):
        return isinstance(parent, gast.Assign) and isinstance(parent.targets[0], (gast.Tuple, gast.List)) \
            and len(parent.targets) == 1
    row = desugar.scope.effects(parent)
    return takes_all(desugar.object(parent.func)) or bool(desugar.scope.builtin(parent)) \
        and (row.gives == "iterator" or row.stops) or iterators.maker_of(desugar, parent) is not None


def _once(body: Sequence[gast.stmt], name: str) -> Any:
    """What stands around a name that is read in statements which run at most once each."""
    todo: list[Any] = list(body)
    for node in todo:                                      # grows while it is gone over
        parts = [] if isinstance(node, (gast.While, *FUNCTIONS)) \
            else [node.iter, *node.orelse] if isinstance(node, gast.For) \
            else [node.generators[0].iter] if isinstance(node, COMPREHENSIONS) else children(node)
        for part in parts:
            if isinstance(part, gast.Name) and part.id == name and isinstance(part.ctx, gast.Load):
                return node.generators[0] if isinstance(node, COMPREHENSIONS) else node
        todo += parts
    return None


def fixed(desugar: State, node: Any, bound: set[str]) -> Any:
    """An iterator whose operands are evaluated here: those that the statements after it may bind anew are kept under
    names."""
    if isinstance(node, gast.GeneratorExp):
        node = comprehensions.apart(desugar, node)
        node.generators[0].iter = _operand(desugar, node.generators[0].iter, bound)
        return node
    fn = desugar.object(node.func)
    if fn is iter and len(node.args) == 1:
        return _operand(desugar, node.args[0], bound)
    pools = 0 if not desugar.scope.effects(node).at_once else len(node.args) if fn is itertools.product else 1
    node.args = [load(iterators.again(desugar, arg)) if i < pools else _operand(desugar, arg, bound)
                 for i, arg in enumerate(node.args)]
    for keyword in node.keywords:
        keyword.value = _operand(desugar, keyword.value, bound)
    return node


def _operand(desugar: State, node: Any, bound: set[str]) -> Any:
    if is_lazy(desugar, node) or isinstance(node, gast.Call) and desugar.object(node.func) is range:
        return fixed(desugar, node, bound)
    if isinstance(node, gast.Constant) or functions.is_value(desugar, node) \
            or isinstance(node, gast.Name) and node.id not in bound:
        return node
    name = desugar.kept(desugar.expr(node), "items")
    if desugar.carries(node):
        desugar.varied.add(name)
    return load(name)


# ---------------------------------------------------------------------- gone over in parts
@dataclass(frozen=True)
class Iterator:
    """The list that is gone over, the place in it, and an item: what it computes of a part of the list.
    target: None where it is that part."""

    items: str
    place: str
    target: Any = None
    item: Any = None


def started(desugar: State, stmt: Any) -> bool:
    """Bind the list that an iterator goes over, and the place in it,
    where all that reads its name can be written so."""
    name = _bound_once(desugar, stmt)
    if name is None:
        return False
    value = stmt.value
    if iterators.yields(desugar, value):
        return False                                       # items that nobody asks for may raise, and have no end
    one: Any = comprehensions.generator(desugar, value)
    if one is None and not value.args:
        return False
    first = one.generators[0].iter if one is not None else value.args[0]
    simple = len(one.generators) == 1 and not one.generators[0].ifs if one is not None else \
        desugar.object(value.func) is iter and len(value.args) == 1
    sliced = isinstance(first, gast.Subscript) and isinstance(first.slice, gast.Slice)
    shown = sliced or isinstance(first, (gast.List, gast.Tuple))       # it has an end, and nobody else takes from it
    if not simple or not shown and not (isinstance(first, gast.Name) and desugar.carries(value)) \
            or names_in(first) & changed(desugar.tree.body) or not _all_known(desugar, name):
        return False
    target = item = None
    if one is not None:
        one = comprehensions.apart(desugar, one)
        target, item = one.generators[0].target, one.elt
    source = desugar.expr(desugar.placed(call("%list", first)))
    items = desugar.kept(source, "items")
    desugar.varied.add(items)
    desugar.iterators[name] = Iterator(items, desugar.kept(constant(0), "place"), target, item)
    return True


def _all_known(desugar: State, name: str) -> bool:
    """All that reads the name asks for the next item, goes over it in a loop, or takes all that is left."""
    fine: set[int] = set()
    for node in nodes_in(desugar.tree):
        if isinstance(node, gast.For):
            fine.add(id(node.iter))
        elif isinstance(node, gast.Call) and node.args and not node.keywords and (
                desugar.object(node.func) is next and len(node.args) < 3
                or len(node.args) == 1 and takes_all(desugar.object(node.func))):
            fine.add(id(node.args[0]))
    within = {id(part) for node in nodes_in(desugar.tree) if isinstance(node, (*COMPREHENSIONS, gast.Lambda))
              for part in nodes_in(node)}
    return all(id(part) in fine and id(part) not in within for part in nodes_in(desugar.tree)
               if isinstance(part, gast.Name) and part.id == name and isinstance(part.ctx, gast.Load))


def asked(desugar: State, node: gast.Call) -> Any:
    """`next(it)`, `next(it, default)`, and `sum(it)` or such, of an iterator that a name holds."""
    first = node.args[0] if node.args else None
    if not isinstance(first, gast.Name) or first.id not in desugar.iterators:
        return None
    it = desugar.iterators[first.id]
    return _next(desugar, it, node) if desugar.object(node.func) is builtins.next else _rest(desugar, it, node)


def _more(it: Iterator) -> gast.stmt:
    return assign(it.place, gast.BinOp(load(it.place), gast.Add(), constant(1)))


def _next(desugar: State, it: Iterator, node: gast.Call) -> gast.expr:
    name = desugar.temporary("item")
    desugar.varied.add(name)
    item = subscript(it.items, load(it.place))
    taken: list[gast.stmt] = [assign(name, item), _more(it)] if it.target is None else \
        [gast.Assign([clone(it.target)], item, None), _more(it), assign(name, clone(it.item))]
    left = gast.Compare(load(it.place), [gast.Lt()], [call("%len", it.items)])
    if len(node.args) == 1:
        made = [gast.If(gast.UnaryOp(gast.Not(), left), [statement("raise StopIteration")], []), *taken]
    else:
        made = [gast.If(left, taken, [assign(name, desugar.named(node.args[1], "default"))])]
    for one in made:
        desugar.statement(desugar.placed(one))
    return load(name)


def _left(it: Iterator) -> gast.expr:
    return subscript(it.items, gast.Slice(load(it.place), None, None))


def _rest(desugar: State, it: Iterator, node: gast.Call) -> gast.expr:
    """What is left of it, as a list."""
    rest: gast.expr = _left(it)
    if it.target is not None:
        rest = comprehensions.unroll(
            desugar, desugar.placed(gast.ListComp(clone(it.item), [gast.comprehension(clone(it.target), rest, [], 0)])))
    made = desugar.kept(desugar.placed(gast.Call(node.func, [rest], [])), "value")
    desugar.varied.add(made)
    desugar.emit(assign(it.place, call("%len", it.items)))
    return load(made)


def loop(desugar: State, stmt: gast.For) -> bool:
    """A loop over what is left of an iterator that a name holds."""
    node: Any = stmt.iter
    if not isinstance(node, gast.Name) or node.id not in desugar.iterators:
        return False
    it = desugar.iterators[node.id]
    target = stmt.target if it.target is None else clone(it.target)
    item: list[gast.stmt] = [] if it.target is None else [gast.Assign([stmt.target], clone(it.item), None)]
    if any(isinstance(part, gast.Name) and part.id == node.id for part in walk(stmt.body)):   # the body takes items too
        left = gast.Compare(load(it.place), [gast.Lt()], [call("%len", it.items)])
        taken = gast.Assign([target], subscript(it.items, load(it.place)), None)
        new: Any = gast.While(left, [taken, _more(it), *item, *stmt.body], stmt.orelse)
    else:
        new = gast.For(target, _left(it), [_more(it), *item, *stmt.body], stmt.orelse, None)
    desugar.statement(desugar.placed(gast.copy_location(new, stmt)))
    return True
