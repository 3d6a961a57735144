"""Attributes that are assigned of objects that others hold: counters, flags, what a layer keeps.

Needs the texts that are differentiated, and the places where they assign such attributes. Promises to refuse them
where one of these texts reads an attribute of that name otherwise than as a variable (`desugar/counters.py`): else the
forward sweep leaves the object as the function itself leaves it, and the backward sweep asks nothing of it.

    def fun(self, x):
        self.calls += 1                  the forward sweep counts too, once
        return np.sum(x * x)
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from ... import runtime
from ...rules import lookup
from ...syntax.nodes import dotted, reads, walk, writes
from ...syntax.program import Captured
from ..resolve import Scope
from .outside import called_again

if TYPE_CHECKING:
    from . import Fence

def check(fence: Fence) -> None:
    """Refuse what may be read again."""
    if not fence.set_outside:
        return
    again = [text for one in fence.met for text in called_again(one, fence.capture)]
    read = {name for text in [*fence.met, *again] for name in _read(text)}
    for one, target in fence.set_outside:
        stmt = _statement(one.tree, target)
        counts = stmt is not None and dotted(target) is not None and target.attr not in read and not fence.steady \
            and one.captured.fn not in _functions(again)
        if not counts:
            one.refuse(target,
                       f"an attribute is assigned, of an object that others may hold too: {one.text(target.value)}",
                       "make the object in this function, or keep the value in a variable, and return it")


def _statement(tree: gast.AST, target: gast.Attribute) -> Any:
    """The assignment of one target that this is."""
    return next((stmt for stmt in walk(tree) if isinstance(stmt, gast.AugAssign) and stmt.target is target
                 or isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and stmt.targets[0] is target), None)


def _read(text: Captured) -> set[str]:
    """The names of the attributes, and of the variables of modules, that a text may read."""
    scope = Scope.of(text)
    calls = [node for node in walk(text.tree) if isinstance(node, gast.Call)]
    called = {id(node.func) for node in calls}             # what is stored is no function
    taken = {node.args[2].value for node in calls if scope.value(node.func) is runtime.check_taken}
    attributes = {node.attr for node in walk(text.tree) if isinstance(node, gast.Attribute)
                  and isinstance(node.ctx, gast.Load) and dotted(node) not in taken and id(node) not in called}
    texts = {arg.value for node in calls if (rule := lookup(scope.value(node.func))) is None or not rule.refuses
             for arg in node.args if isinstance(arg, gast.Constant) and isinstance(arg.value, str)}     # of getattr
    return reads(text.tree) - writes(text.tree) | attributes | texts


def _functions(texts: list[Captured]) -> set[Any]:
    return {text.fn for text in texts}
