"""Attributes that are assigned of objects that others hold: counters, flags, what a layer keeps.

Needs the texts that are differentiated, and the places where they assign such attributes. Promises to refuse them
where one of these texts reads an attribute of that name otherwise than as a variable
(`desugar/stored_outside.py`): else the forward sweep leaves the object as the function itself leaves it, and the
backward sweep asks nothing of it.

    def fun(self, x):
        self.calls += 1                  the forward sweep counts too, once
        return np.sum(x * x)
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast

from ... import runtime
from ...rules import lookup
from ...syntax.nodes import name_nodes, nodes_of, root_name, unparse, walk, writes
from ...syntax.paths import is_entry, path_of, read_whole
from ...syntax.program import MISSING, Captured
from ..resolve import Scope
from .outside import called_again

if TYPE_CHECKING:
    from . import Fence


def check(fence: Fence) -> None:
    """Refuse what may be read again."""
    if not fence.set_outside and not fence.grown:
        return
    again = [text for one in fence.met for text in called_again(one, fence.followed_again)]
    texts = [*fence.met, *again]
    read = {name for text in texts for name in _read(text)}
    globals_read = {name for text in texts for name in _names(text)}
    for text in fence.met if fence.grown else ():
        text.tree.asked_once = True
    whole = {name for text in fence.met for name in _whole(text)} if fence.grown else set()
    for one, stmt in fence.grown:
        path = unparse(stmt.value.args[0])
        stmt.outside = True
        is_dict = Scope.of(one.captured).value(stmt.value.func) is runtime.set_later
        if _last(stmt.value.args[0]) in (whole if is_dict and not again else read | globals_read) or fence.steady \
                or one.captured.fn in _functions(again):
            one.refuse(stmt, f"{path} comes from outside, and is changed and read here, or where this is called",
                       "a list or dict of this function, which it returns")
    for one, target in fence.set_outside:
        stmt = _statement(one.tree, target)
        called = any(isinstance(node, gast.Call) for node in walk(target))       # by what it is asked for again
        of = Scope.of(one.captured).value(target.value)
        sure = {path.partition(".")[0] for path, _ in one.captured.assumed}     # what the check of helpers asks
        known = read if of is not MISSING and not isinstance(of, types.ModuleType) \
            and root_name(target) in sure else read | globals_read
        counts = stmt is not None and not called and target.attr not in known and not fence.steady \
            and one.captured.fn not in _functions(again)
        if counts and not isinstance(stmt.value, gast.Constant):
            stmt.outside = True
        elif not counts and isinstance(of, types.ModuleType):
            one.refuse(target, f"the global variable {target.attr} is assigned, and read where the backward pass would "
                       "read it as it is then", f"pass {target.attr} as an argument, and return the new value")
        elif not counts:
            one.refuse(target,
                       f"an attribute is assigned, of an object that others may hold too: {one.text(target.value)}",
                       "make the object in this function, or keep the value in a variable, and return it")


def _last(node: Any) -> Any:
    """The name by which a path ends: of an attribute or a variable, or the key of an item."""
    return node.slice.value if is_entry(node) else getattr(node, "attr", getattr(node, "id", None))


def _whole(text: Captured) -> Iterator[Any]:
    """The names by which a text may read dicts otherwise than by items that are written down."""
    scope = Scope.of(text)
    stored = {id(part) for node in nodes_of(text.tree, gast.Call)
              if getattr(scope.value(node.func), "__module__", "") == runtime.stored_outside.__name__
              for part in node.args[:1]}
    local = writes(text.tree)
    for node in read_whole(text.tree):
        if id(node) not in stored and not (isinstance(node, gast.Name) and node.id in local):
            yield _last(node)


def grows(stmt: gast.stmt, scope: Scope) -> bool:
    """A statement changes a list or a dict from outside."""
    fn = scope.value(stmt.value.func) if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) else None
    return getattr(fn, "__module__", "") == runtime.stored_outside.__name__ and (rule := lookup(fn)) is not None \
        and not rule.pure


def _statement(tree: gast.AST, target: gast.Attribute) -> Any:
    """The assignment of one target that this is."""
    return next((stmt for stmt in nodes_of(tree, gast.AugAssign, gast.Assign)
                 if (stmt.targets if isinstance(stmt, gast.Assign) else [stmt.target]) == [target]), None)


def _read(text: Captured) -> set[str]:
    """The names of the attributes that a text may read."""
    scope = Scope.of(text)
    calls = nodes_of(text.tree, gast.Call)
    called = {id(node.func) for node in calls}             # what is stored is no function
    grown = {id(node) for stmt in nodes_of(text.tree, gast.Expr) if grows(stmt, scope)
             for node in walk(stmt.value.args[0])}
    taken = _taken(text, scope)
    attributes = {node.attr for node in nodes_of(text.tree, gast.Attribute)
                  if isinstance(node.ctx, gast.Load) and path_of(node) not in taken and not hasattr(node, "taken")
                  and id(node) not in called | grown}
    texts = {arg.value for node in calls if (rule := lookup(scope.value(node.func))) is None or not rule.refuses
             for arg in node.args if isinstance(arg, gast.Constant) and isinstance(arg.value, str)}     # of getattr
    return attributes | texts


def _taken(text: Captured, scope: Scope) -> set[str]:
    """The paths of which a text has variables."""
    calls = nodes_of(text.tree, gast.Call)
    return {node.args[2].value for node in calls if scope.value(node.func) is runtime.check_taken} | {
        node.args[1].value for node in calls if scope.value(node.func) is runtime.check_taken_items}


def _names(text: Captured) -> set[str]:
    """The names of the variables of modules that a text may read."""
    scope = Scope.of(text)
    taken = _taken(text, scope)
    grown = {id(node) for stmt in walk(text.tree) if isinstance(stmt, gast.Expr) and grows(stmt, scope)
             for node in walk(stmt.value.args[0])}
    return {node.id for node in name_nodes(text.tree)
            if isinstance(node.ctx, gast.Load) and id(node) not in grown and node.id not in taken
            } - writes(text.tree)


def _functions(texts: list[Captured]) -> set[Any]:
    return {text.fn for text in texts}
