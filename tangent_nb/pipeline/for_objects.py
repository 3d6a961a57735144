"""Objects whose methods a text calls, and of which it knows nothing until it runs: they have texts of their own.

Needs the text of a derivative that is right for all arguments, and its primal in the core language. Promises that it
asks first for the text for objects that are made as its arguments are, where it calls methods of them; where there is
none, and for functions, modules and numbers, it runs itself.

    def df_dx(x, model):
        if (other := rt.for_objects(versions, x=x, model=model)) is not None:  # guard
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
from ..syntax.nodes import nodes_of, parameter_names, root_name
from ..syntax.program import Captured
from .dress import passed_on
from .reached import words
from .request import Function, Request


def ask_first(function: Function, captured: Captured, request: Request, reached: Iterable[Refusal]) -> None:
    """Let a derivative ask for a text for the objects that it is given. reached: places that it refuses when it reaches
    them, and another text may not."""
    versions = request.beside
    if versions is None:
        return
    lacking = {name for one in reached if one.lacks for name in words(one)}
    versions.of = called_objects(captured, request.wrt, lacking)
    if not versions.of:
        return
    versions.functions = _that_reach(captured, versions.of, lacking)
    known, other = function.names.new("versions"), function.names.new("other")
    function.structures[known] = versions
    others = {part.name for part in request.parts}
    found = call("%rt.for_objects", known, **{name: load(name) for name in parameter_names(captured.tree)
                                              if name not in others})
    test = gast.Compare(gast.NamedExpr(store(other), found), [gast.IsNot()], [gast.Constant(None, None)])
    leave = mark(gast.Return(passed_on(load(other), function.tree.args)), role="guard", origin=None)
    function.tree.body.insert(0, mark(gast.If(test, [leave], []), role="guard", origin=None, note="guard"))


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
