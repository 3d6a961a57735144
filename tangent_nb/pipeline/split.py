"""Split motion: a joint derivative cut into a forward and a backward function.

Needs a derivative whose first backward statement has the mark `cut`. Promises two functions: what the second reads of
the first are the residuals, and the second may run any number of times. Where they are to own their data, they are
copies, and hold the variables outside that the second reads: what the caller changes between the two sweeps changes
nothing.

    def df_dx(x):               def df_dx_forward(x):        def df_dx_backward(residuals, seed):
        y = np.sin(x)               y = np.sin(x)                x = residuals
        by = seed           →       return y, x                  by = seed
        bx = by * np.cos(x)                                      bx = by * np.cos(x)
        return bx                                                return bx
"""
from __future__ import annotations

import types
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import gast

from ..analyse.flow import definite, liveness, memory_changed, mutation, statement_access
from ..analyse.graph import Graph
from ..analyse.kinds import Env
from ..analyse.one_memory import one_memory, with_others
from ..analyse.passed_on import numbers_live
from ..analyse.resolve import Scope
from ..analyse.unbound import nothing
from ..optimise import changed_in_place, copied, is_fresh
from ..runtime.containers import kind_of
from ..syntax.blocks import is_compound, own_targets, statements
from ..syntax.building import (
    assign,
    call,
    constant,
    definition,
    library,
    load,
    mark,
    origin_of,
    parameter,
    statement,
    store,
    substitute,
    tuple_of,
)
from ..syntax.closure import closure
from ..syntax.names import Names
from ..syntax.nodes import dotted, parameter_names, reads, root_name, target_names, unparse, walk, writes
from ..syntax.program import MISSING
from ..syntax.spec import Spec
from .request import Function


def _own_seed(second: Sequence[gast.stmt], seed: str) -> list[gast.stmt]:
    """A copy of a seed that is changed in place: whoever calls may have it as the cotangent of something else too."""
    return [mark(assign(seed, copied(load(seed))), role="backward", origin=None)] \
        if seed in changed_in_place(second) else []


def cut(function: Function, result: str, seed: str, backward: str, env: Env, *, owned: bool = False,
        called: bool = False) -> tuple[Function, Function]:
    """The two functions of split motion: what the second reads of the first are the residuals. env: the specs where it
    is cut; owned: the residuals own their data; called: by a function whose residuals hold these, and copy them."""
    body = function.tree.body
    place = next(i for i, s in enumerate(body) if hasattr(s, "cut"))
    first, second = body[:place], body[place + isinstance(body[place], gast.Pass):]
    graph = Graph(second)
    defined = {s.name for s in statements(first) if isinstance(s, gast.FunctionDef)}
    local = {n for s in statements(first) for n in writes(s)} | defined | set(parameter_names(function.tree))
    live = sorted((liveness(graph).before(second[0])) & local)
    names = function.names
    outside = _keep_outside(second, function, local | writes(second)) if owned else {}
    second = [*_own_seed(second, seed), *second]
    residuals = names.new("residuals")
    graph = Graph(first)
    bound = definite(graph, parameter_names(function.tree)).at(graph.exit)
    unsure = [n for n in live if n not in bound]
    stacks = {m[1] for stmt in statements(second) if (m := mutation(stmt)) is not None and not hasattr(stmt, "tape")}
    start = {**nothing(unsure, first, function.scope), **{n: gast.List([], gast.Load()) for n in unsure if n in stacks}}
    first = [*[mark(assign(n, value), role="forward", origin=None) for n, value in start.items()], *first]
    kept: dict[str, gast.expr] = {n: load(n) for n in live} | outside
    check: list[gast.stmt] = []
    known = kept | {n: library("rt.copy(x)", x=value) for n, value in outside.items()}
    again = _called_again(second, function.scope, local | writes(second), known) \
        if owned and function.scope is not None else None
    reading = names.new("reading") if again is not None else ""
    if again is not None:
        kept[reading] = again[0]
        check.append(mark(gast.Expr(library("rt.check_reading(x)", x=reading)), role="guard", origin=again[1],
                          note="guard"))
    for new, value in outside.items():
        if isinstance(value, gast.Name) and function.scope is not None and function.scope.value(value) is MISSING:
            read = statement("try:\n    NEW = VALUE\nexcept NameError:\n    NEW = NOTHING", NEW=new, VALUE=value,
                             NOTHING=library("rt.UNBOUND"))
            first.append(mark(read, role="forward", origin=None))
            kept[new] = load(new)
    given: list[gast.expr] = [load(result), *kept.values()]
    if function.scope is not None:
        first += _apart(first, second, live, function.scope, env)
    if owned and not called and function.scope is not None:
        own = _own(function.tree, first, function.scope, result)
        given = [one if n == reading or n in own and (i == 0 or n != result) or env.get(n, Spec()).is_immutable
                 else copied(one) for i, (n, one) in enumerate(zip([result, *kept], given, strict=True))]
    first.append(mark(gast.Return(tuple_of([given[0], tuple_of(given[1:])])), role="return", origin=None))
    if kept:
        target = tuple_of([store(n) for n in kept], write=True)
        second = [mark(gast.Assign([target], load(residuals), None), role="backward", origin=None), *check,
                  *_own_copies(first, second, live, seed, stacks, function.scope), *second]
    forward_tree = definition(function.tree.name, function.tree.args, first)
    args = gast.arguments([parameter(residuals), parameter(seed)], [], None, [], [], None, [])
    backward_tree = definition(backward, args, second)
    fwd = Function(forward_tree, function.captured, Names(names.used), function.helpers)
    fwd.scope, fwd.specs, fwd.floating = function.scope, function.specs, function.floating
    fwd.partners = function.partners
    bwd = Function(backward_tree, function.captured, Names(names.used), [], defaults=False, scope=function.scope,
                   floating=function.floating | {seed}, partners=function.partners)
    specs = tuple(Spec() if n in unsure else env.get(n, Spec()) for n in kept)
    bwd.specs, fwd.second = {residuals: Spec("tuple", items=specs), seed: env.get(result, Spec())}, bwd
    return fwd, bwd


def _apart(first: Sequence[gast.stmt], second: Sequence[gast.stmt], live: Sequence[str], scope: Scope,
           env: Env) -> list[gast.stmt]:
    """Checks that a residual of which the second function restores a part is none that is read after that under
    another name: it is a copy that changes there."""
    after = numbers_live(Graph(second), scope).after
    restored = [(stmt, name) for stmt in statements(second) if not is_compound(stmt)
                for name in sorted(memory_changed(stmt) & set(live))]
    shared = one_memory(first, scope, views=True) if restored else {}
    pairs = {(other, name): None for stmt, name in restored
             for other in sorted(with_others({name}, shared) & set(live) & set(after(stmt)) - {name})
             if not (env.get(other, Spec()).is_immutable or _in_a_list(stmt, name, other, env))}
    return [mark(gast.Expr(library("rt.check_kept(v, x, n)", v=other, x=name, n=constant(other))), role="forward",
                 origin=None, note="guard") for other, name in pairs]


def _in_a_list(stmt: gast.stmt, name: str, other: str, env: Env) -> bool:
    """A place of a list is restored: an array that is, or was, in it stays as it is."""
    place = stmt.targets[0] if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 else None
    return isinstance(place, gast.Subscript) and isinstance(place.value, gast.Name) \
        and env.get(name, Spec()).kind == "list" and env.get(other, Spec()).is_number


def _own_copies(first: Sequence[gast.stmt], second: Sequence[gast.stmt], live: Sequence[str], seed: str,
                stacks: set[str], scope: Scope | None) -> list[gast.stmt]:
    """The backward sweep runs any number of times: of what it changes of the residuals, and of the seed,
    it takes a copy. stacks: its lists."""
    changed = changed_in_place(second) - {stmt.tape[0] for stmt in second if hasattr(stmt, "tape")}
    copies = {n: library("rt.copy(x)", x=n)
              for n in [*(n for n in live if n in changed), *([seed] if seed in changed else [])]}
    grown = nothing(sorted((stacks - changed) & set(live)), first, scope)     # what may not be bound is no list there
    copies |= {n: call("%list", n) if isinstance(value, gast.Constant) else library("rt.copy(x)", x=n)
               for n, value in grown.items()}
    return [mark(assign(n, value), role="backward", origin=None) for n, value in copies.items()]


def _keep_outside(body: Sequence[gast.stmt], function: Function, local: Collection[str]) -> dict[str, gast.expr]:
    """Put names of ours in the place of the variables outside that statements read: globals, variables of closures, and
    what these hold. What they stand for, by these names."""
    scope, written = function.scope, reads(function.captured.tree)
    kept: dict[str, tuple[str, gast.expr]] = {}

    def exchanged(node: Any) -> Any:
        if isinstance(node, list):
            return [exchanged(one) for one in node]
        if not isinstance(node, gast.AST) or isinstance(node, gast.stmt) and getattr(node, "role", "") == "inserted":
            return node
        path = dotted(node) \
            if isinstance(node, (gast.Name, gast.Attribute)) and isinstance(node.ctx, gast.Load) else None
        root = (path or "%").partition(".")[0]
        if path is not None and not root.startswith("%") and root not in local and scope is not None:
            value = scope.value(node)
            if _is_data(value) or value is MISSING and isinstance(node, gast.Name) and root in written:
                new, _ = kept.setdefault(path, ("", node))
                kept[path] = new or function.names.new(path.rpartition(".")[2]), node
                return load(kept[path][0])
            if isinstance(node, gast.Name):
                return node
        for name, value in list(vars(node).items()):
            if name in node._fields:
                setattr(node, name, exchanged(value))
        return node

    for stmt in body:
        exchanged(stmt)
    if scope is not None:
        scope.local.update(new for new, _ in kept.values())
    return dict(kept.values())


def _called_again(body: Sequence[gast.stmt], scope: Scope, bound: set[str],
                  known: Mapping[str, gast.expr]) -> tuple[gast.expr, Any] | None:
    """`rt.reading(rhs)` of what the second half calls again, as the adjoints of solvers do with what they are given,
    and the statement of the user's that calls the first of these. bound: the names that have a value where it is cut
    only as far as they are known; known: what stands for names of the second half there."""
    asked: dict[str, gast.expr] = {}
    origin = None
    for stmt in statements(body):
        if hasattr(stmt, "reruns"):
            asked[stmt.reruns] = load(stmt.reruns)
            origin = origin or origin_of(stmt)
        for node in walk(stmt) if not is_compound(stmt) else ():
            rule = scope.operation(node).rule if isinstance(node, gast.Call) else None
            for name in rule.called if rule is not None else ():
                given = scope.operation(node).args[name]
                if not (reads(given) & bound) - known.keys():
                    asked[unparse(given)] = substitute(given, known)
                else:                                      # what loops take off their lists
                    asked.update({one: known[one] for one in _made_of(given, body) if one in known})
                origin = origin or origin_of(stmt)
    if not asked:
        return None
    return call("%rt.reading", *asked.values()), origin


def _made_of(node: gast.expr, body: Sequence[gast.stmt]) -> set[str]:
    """The names that an expression reads, and those that these are made of in statements."""
    return closure(reads(node),
                   lambda found: {name for stmt in statements(body) if isinstance(stmt, gast.Assign)
                                  and not found.isdisjoint(writes(stmt.targets)) for name in reads(stmt.value)})


def _is_data(value: Any) -> bool:
    """What a variable outside means is no library, class or function."""
    if value is MISSING or isinstance(value, (types.ModuleType, type)):
        return False
    return not callable(value) or kind_of(value) is not None


def _own(tree: gast.FunctionDef, body: Sequence[gast.stmt], scope: Scope, result: str) -> set[str]:
    """The names that stand for new arrays and numbers, and for lists of these,
    which neither the caller nor the result holds."""
    given: dict[str, list[Any]] = {name: [None] for name in parameter_names(tree)}
    for stmt in statements(body):
        grown = mutation(stmt)
        if grown is not None:
            given.setdefault(grown[1], []).extend(stmt.value.args if isinstance(stmt, gast.Expr) else ())
        if is_compound(stmt):
            bound: dict[str, Any] = dict.fromkeys(own_targets(stmt))
        else:
            whole = isinstance(stmt, gast.Assign) and all(isinstance(target, gast.Name) for target in stmt.targets) \
                and grown is None
            bound = dict.fromkeys(statement_access(stmt).define, stmt.value if whole else None)
        for name, value in bound.items():
            given.setdefault(name, []).append(value)
    stored = {root_name(target) for stmt in statements(body) if isinstance(stmt, gast.Assign) for target in stmt.targets
              if isinstance(target, gast.Subscript)}
    fresh = {name
             for name, values in given.items() if all(value is not None and is_fresh(value, scope) for value in values)
             and not (name in stored and any(isinstance(value, (gast.List, gast.Dict)) for value in values))}
    found = set(given)
    while shared := {name for name in found - fresh if name == result
                     or not all(value is not None and (is_fresh(value, scope) or isinstance(value, gast.Name)
                                                       and value.id in found - {result}) for value in given[name])}:
        found -= shared
    return found


def keep_given(tree: gast.FunctionDef, given: Collection[str], scope: Scope) -> None:
    """Let the backward sweep of joint motion restore copies: the caller's arrays stay as the function leaves them."""
    if not given:
        return
    place = next((i for i, stmt in enumerate(tree.body) if getattr(stmt, "role", "") == "backward"), len(tree.body))
    own = {stmt.targets[0].id for stmt in tree.body[:place]
           if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) and is_fresh(stmt.value, scope)}
    own -= {name for stmt in statements(tree.body[:place]) if isinstance(stmt, gast.Assign)
            and not is_fresh(stmt.value, scope) for target in stmt.targets for name in target_names(target)}
    changed = changed_in_place(tree.body[place:]) & set(given) - own
    tree.body[place:place] = [mark(assign(name, library("rt.copy(x)", x=name)), role="backward", origin=None)
                              for name in sorted(changed)]
