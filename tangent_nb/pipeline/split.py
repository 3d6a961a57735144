"""Split motion: a joint derivative cut into a forward and a backward function.

Needs a derivative whose first backward statement has the mark `cut`. Promises two functions: what the second reads of the first are the
residuals, and the second may run any number of times.

    def df_dx(x):               def df_dx_forward(x):        def df_dx_backward(residuals, seed):
        y = np.sin(x)               y = np.sin(x)                x = residuals
        by = seed           →       return y, x                  by = seed
        bx = by * np.cos(x)                                      bx = by * np.cos(x)
        return bx                                                return bx
"""
from __future__ import annotations

from collections.abc import Collection

import gast

from ..analyse.flow import definite, liveness, mutation
from ..analyse.graph import Graph
from ..analyse.kinds import Env
from ..analyse.resolve import Scope
from ..optimise import is_fresh, updated_in
from ..syntax.names import Names
from ..syntax.nodes import assign, call, library, load, mark, parameter, parameter_names, statements, store, target_names, tuple_of, writes
from ..syntax.spec import Spec
from .request import Function


def cut(function: Function, result: str, seed: str, backward: str, env: Env) -> tuple[Function, Function]:
    """The two functions of split motion: what the second reads of the first are the residuals. env: the specs where it is cut."""
    body = function.tree.body
    place = next(i for i, s in enumerate(body) if hasattr(s, "cut"))
    first, second = body[:place], body[place:]
    if isinstance(second[0], gast.Pass):
        second = second[1:]
    graph = Graph(second)
    defined = {s.name for s in statements(first) if isinstance(s, gast.FunctionDef)}
    local = {n for s in statements(first) for n in writes(s)} | defined | set(parameter_names(function.tree))
    live = sorted((liveness(graph).before(second[0])) & local)
    names = function.names
    residuals = names.new("residuals")
    value = tuple_of([load(n) for n in live])
    graph = Graph(first)
    bound = definite(graph, parameter_names(function.tree)).at(graph.exit)
    unsure = [n for n in live if n not in bound]
    stacks = {m[1] for stmt in statements(second) if (m := mutation(stmt)) is not None and not hasattr(stmt, "tape")}
    nothing = {n: gast.List([], gast.Load()) if n in stacks else gast.Constant(None, None) for n in unsure}
    first = [*[mark(assign(n, value_), role="forward", origin=None) for n, value_ in nothing.items()], *first,
             mark(gast.Return(tuple_of([load(result), value])), role="return", origin=None)]
    if live:
        target = tuple_of([store(n) for n in live], write=True)
        changed = {n for stmt in second for n in updated_in(stmt)} - {stmt.tape[0] for stmt in second if hasattr(stmt, "tape")}
        copied = [mark(assign(n, library("rt.copy(x)", x=n)), role="backward", origin=None) for n in live if n in changed]
        if seed in changed:
            copied.append(mark(assign(seed, library("rt.copy(x)", x=seed)), role="backward", origin=None))
        copied += [mark(assign(n, call("%list", n)), role="backward", origin=None) for n in live if n in stacks - changed]
        second = [mark(gast.Assign([target], load(residuals), None), role="backward", origin=None), *copied, *second]
    forward_tree = gast.FunctionDef(function.tree.name, function.tree.args, first, [], None, None, [])
    args = gast.arguments([parameter(residuals), parameter(seed)], [], None, [], [], None, [])
    backward_tree = gast.FunctionDef(backward, args, second, [], None, None, [])
    fwd = Function(forward_tree, function.captured, Names(names.used), function.helpers)
    fwd.scope, fwd.specs, fwd.floating = function.scope, function.specs, function.floating
    bwd = Function(backward_tree, function.captured, Names(names.used), [], defaults=False, scope=function.scope,
                   floating=function.floating | {seed})
    kept = tuple(Spec() if n in unsure else env.get(n, Spec()) for n in live)
    bwd.specs = {residuals: Spec("tuple", items=kept), seed: env.get(result, Spec())}
    return fwd, bwd


def keep_given(tree: gast.FunctionDef, given: Collection[str], scope: Scope) -> None:
    """Let the backward sweep of joint motion restore copies: the caller's arrays stay as the function leaves them."""
    place = next((i for i, stmt in enumerate(tree.body) if getattr(stmt, "role", "") == "backward"), len(tree.body))
    own = {stmt.targets[0].id for stmt in tree.body[:place]
           if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and is_fresh(stmt.value, scope)}
    own -= {name for stmt in statements(tree.body[:place]) if isinstance(stmt, gast.Assign) and not is_fresh(stmt.value, scope)
            for target in stmt.targets for name in target_names(target)}
    changed = {n for stmt in tree.body[place:] for n in updated_in(stmt)} & set(given) - own
    tree.body[place:place] = [mark(assign(name, library("rt.copy(x)", x=name)), role="backward", origin=None) for name in sorted(changed)]
