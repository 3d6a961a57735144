"""Texts that are better than that for all arguments: it asks for them first.

Needs the text of a derivative that is right for all arguments, and its primal in the core language. Promises that it
asks first for the text for arguments that are made as its own are, where there may be a better one: it calls methods
of objects of which it knows nothing until it runs, or helpers that ask for shapes, dtypes and classes. Where there is
none, it runs itself.

    def df_dx(x, model):
        if (other := rt.made_for(versions, x, model)) is not None:  # guard
            return other(x, model)
        …
"""
from __future__ import annotations

from collections.abc import Iterable

import gast

from ..analyse.activity import varied_names
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax.building import call, load, mark, store
from ..syntax.nodes import dotted, nodes_of, parameter_names, root_name
from ..syntax.program import Captured
from .dress import passed_on
from .reached import words
from .request import Function, Request


def ask_first(function: Function, captured: Captured, request: Request, reached: Iterable[Refusal]) -> None:
    """Let a derivative ask for a text for the arguments that it is given. reached: places that it refuses when it
    reaches them, and another text may not."""
    versions = request.beside
    if versions is None:
        return
    lacking = {name for one in reached if one.lacks for name in words(one)}
    versions.of = called_objects(captured, request.wrt, lacking)
    versions.functions = _that_reach(captured, versions.of, lacking) if versions.of else ()
    versions.by_class = request.by_class and _asks_for_classes(function)
    if not versions.asked:
        return
    others = {part.name for part in request.parts}
    versions.parameters = tuple(name for name in parameter_names(captured.tree) if name not in others)
    known, other = function.names.new("versions"), function.names.new("other")
    function.structures[known] = versions
    found = call("%rt.made_for", known, *map(load, versions.parameters))
    test = gast.Compare(gast.NamedExpr(store(other), found), [gast.IsNot()], [gast.Constant(None, None)])
    leave = mark(gast.Return(passed_on(load(other), function.tree.args)), role="guard", origin=None)
    asking = mark(gast.If(test, [leave], []), role="guard", origin=None, note="guard")
    function.tree.body.insert(0, asking)


def _asks_for_classes(function: Function) -> bool:
    """It calls helpers behind its guards, or functions in place of operators."""
    return any((dotted(node.func) or "").startswith(("%rt.", "%np.divide")) for stmt in function.tree.body
               if getattr(stmt, "role", "") != "guard" for node in nodes_of(stmt, gast.Call))


def unguarded(text: str) -> list[str]:
    """The lines of a text that compute something.

    >>> unguarded("def df_dx(x):\\n    x = rt.differentiable(x)  # guard\\n    return 2.0 * x\\n")
    ['    return 2.0 * x']
    """
    return [line for line in text.splitlines()
            if not line.startswith("def ") and not line.endswith("# guard") and "return other(" not in line]


def called_objects(captured: Captured, wrt: tuple[str, ...], lacking: set[str]) -> tuple[str, ...]:
    """The parameters of which something is called that is known only when it runs, or of which more would have to be
    known: lacking, of these or what is made of them."""
    tree, scope = captured.tree, Scope.of(captured)
    called = lacking | {root_name(base) or "" for node in nodes_of(tree.body, gast.Call)
              if scope.operation(node).kind == "dynamic" or hasattr(node, "of_object")
              for base in [node.func, *(node.args[:1] if hasattr(node, "of_object") else ())]}
    return _that_reach(captured, [name for name in parameter_names(tree) if name not in wrt], called)


def _that_reach(captured: Captured, parameters: Iterable[str], names: set[str]) -> tuple[str, ...]:
    """The parameters on which some of these names depend."""
    scope = Scope.of(captured)
    return tuple(one for one in parameters if names and not names.isdisjoint(varied_names(captured.tree, [one], scope)))
