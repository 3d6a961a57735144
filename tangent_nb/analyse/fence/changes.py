"""What one text changes outside: variables that it binds, and arrays, containers and objects that it changes in place.

Needs the text in the core language. Promises that it leaves alone all else that it reaches; what the functions change
that it calls is asked of their texts (`outside.py`).

    K[i] = v, K.fill(0.0)             K                 r = rows[0]; r += 1.0       what rows holds
    given()[0] = v                    all               self.k[i] = v               of an object, its k
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import gast

from ...syntax.blocks import statements
from ...syntax.building import substitute
from ...syntax.nodes import body_without_docstring, nodes_of, root_name, target_names, walk, writes
from ...syntax.program import Captured
from ..changed import CHANGED, changed_at
from ..effects import is_opaque
from ..implicit import objects_in
from ..resolve import Scope
from ..returned import STATEMENTS, UNKNOWN, Belonging
from .namespaces import Place, changes_by_name, of_module
from .places import held, known, memory, name_of_changed, places_of

if TYPE_CHECKING:
    from . import Fence

ANYTHING: Place = ("name", 0, "")                          # some variable of some module, whose name nobody sees
ASSIGNED = "<assigned>"                                    # an attribute of it


class Changed(NamedTuple):
    """What a text changes outside. places: with the names there; given: the parameters of whose arguments it may change
    something; own: what it changes of the first one, as expressions; all: it may change whatever it reaches."""

    places: list[tuple[Place, str]]
    given: frozenset[str] = frozenset()
    own: Sequence[Any] = ()
    all: bool = False


def changes_of(captured: Captured, fence: Fence) -> Changed:
    """The names outside of a text that it binds, and what it changes in place: the expressions say where, and of
    variables of its own what they may share memory with."""
    scope, body = Scope.of(captured), body_without_docstring(captured.tree)
    bound = {name for node in nodes_of(captured.tree, gast.Global, gast.Nonlocal) for name in node.names}
    places = [(place, name) for name in sorted(bound) for place in places_of(captured, name)]
    if changes_by_name(captured, fence.is_clean):
        places.append((ANYTHING, ""))
    places += [(one, node.attr) for node in nodes_of(captured.tree, gast.Attribute)
               if not isinstance(node.ctx, gast.Load) and (place := of_module(node, scope)) is not None
               for one in (place, *memory(scope.value(node)))]
    if not all(isinstance(stmt, (*STATEMENTS, gast.Global, gast.Nonlocal)) for stmt in statements(body)) \
            or any(isinstance(node, UNKNOWN) for node in walk(body)):
        return Changed(places, all=True)
    outer: dict[str, Any] = {}
    text = Belonging(captured, fence.returned_at, body, results=False, outer=outer)
    lambdas = {name for node in nodes_of(body, gast.Lambda) for name in writes(node.args)}
    inner = scope.local | lambdas | {
        name for node in nodes_of(body, gast.comprehension) for name in target_names(node.target)}
    first, own = (text.parameters or [""])[0], []
    taken = {stmt.targets[0].id: stmt.value for stmt in statements(body) if hasattr(stmt, "taken")}

    def change(one: Any, how: str) -> None:
        """What changes in place, or is an object that gets another attribute."""
        root = root_name(one)
        if root in taken:                                  # the attribute that the variable stands for
            change(taken[root] if isinstance(one, gast.Name) else substitute(one, taken), how)
        elif root == first and how is CHANGED:
            own.append(one)
        elif root is None or root in inner:
            text.whole.join([how, *(name for name, _ in text.links(one))])
        else:
            value = known(one, scope)
            places.extend((place, name_of_changed(one, scope)) for place in (
                held(value) if how is CHANGED else memory(value)))

    for node in walk(body):
        if isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load):
            change(node.value, ASSIGNED)
            continue
        held_by = [node.func] if isinstance(node, gast.Call) and not isinstance(node.func, gast.Attribute) \
            and is_opaque(node, scope, fence.is_clean) else []                 # f of `f = A.fill`
        for one in [*held_by, *changed_at(node, scope, fence.is_clean, fence.changed_by)]:
            if root_name(one) in lambdas:
                return Changed(places, all=True)
            change(one, CHANGED)
    given, text.parameters = frozenset(text.parameters), [*text.parameters, *sorted(outer)]
    found = text.returned([CHANGED])
    places += [(place, path.rpartition(".")[2]) for path in sorted(outer.keys() & found.given.keys())
               for place in held(outer[path])]
    assigned = text.returned([ASSIGNED]).given.keys()
    places += [(place, path.rpartition(".")[2]) for path in sorted(outer.keys() & assigned)
               for one in objects_in(outer[path]) for place in memory(one)]
    if first in found.given:                               # by another name
        own.append(gast.Name(first, gast.Load(), None, None))
    changed = {*found.given, first} if own else {*found.given}
    return Changed(places, given & changed, own, found.outside)
