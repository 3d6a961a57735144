"""What carries a derivative: where it may go, statement by statement, and where it would be lost or changed."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import gast

from ...errors import KIND
from ...rules import may_change, methods_named
from ...syntax.blocks import inserts
from ...syntax.closure import Groups, closure
from ...syntax.nodes import (
    flat,
    nodes_in,
    nodes_of,
    parameter_names,
    reads,
    root_name,
    stores,
    target_names,
    walk,
    writes,
)
from ..activity import COMPREHENSIONS, Varied, loop_bindings, over_own_keys, seen_by, sources, varied_names, views
from ..attempts import catches
from ..effects import opaque_calls
from ..flow import mutation
from ..managers import entered, is_insertion, lets_through, suppressed
from ..one_memory import roots, with_others
from ..receivers import kind_of
from ..records import updated_dict
from .calls import check_call, check_opaque, check_refused
from .operators import check_index, check_operation
from .state import Check
from .steady import check_steady
from .texts import find_texts
from .trees import as_read, augmented, carrying, expressions, reached, targets
from .words import INSIDE, words


def check_derivatives(check: Check, body: list[gast.stmt]) -> None:
    """Refuse what would lose a derivative, or have none; but not what meets one only because it is made by something
    that is refused: one cause is told once."""
    every, check.scope = _varied(check, body), replace(check.scope, stops=True)
    stopped = _varied(check, body)
    _check(check, body, stopped)
    if stopped != every and check.captured.fn not in check.fence.refused:
        check.scope = replace(check.scope, stops=False)
        _check(check, body, every)


def _check(check: Check, body: list[gast.stmt], varied: set[str]) -> None:
    """varied: what may carry a derivative."""
    check.varied = varied
    check.is_varied = Varied(check.varied, check.scope)
    _stores(check, body)
    _find_facts(check, body)
    _messages(check, body)
    for stmt in reached(body):
        if isinstance(stmt, gast.For):
            _grown(check, stmt)
        if isinstance(stmt, gast.AugAssign):
            if check.active(stmt.target_read if hasattr(stmt, "target_read") else as_read(stmt.target)) \
                    or check.active(stmt.value):
                check_operation(check, augmented(stmt), stmt)
        if isinstance(stmt, gast.FunctionDef):
            _nested(check, stmt)
        if isinstance(stmt, gast.With) and not inserts(stmt):
            _managers(check, stmt)
        for node in [*expressions(stmt),
                     *(_entered(check, stmt) if isinstance(stmt, gast.With) and not inserts(stmt) else [])]:
            called = {id(part.func) for part in nodes_of(node, gast.Call)
                      if not (isinstance(part.func, gast.Call) and kind_of(part.func, check.scope) is not None)}
            _find_harmless(check, node)
            inside = {id(inner) for part in walk(node) if isinstance(part, INSIDE)
                      for inner in walk(part) if inner is not part}
            for part in walk(node):
                if isinstance(part, gast.expr) and id(part) not in called and id(part) not in inside:
                    _one(check, part)
    if check.fence.steady:
        check_steady(check, body)


def _varied(check: Check, body: list[gast.stmt]) -> set[str]:
    """What may carry a derivative, perhaps as it changes by another name: that of a view, or of the row of a loop."""
    found = varied_names(check.tree, check.wrt, check.scope)
    changed = {mutated[1] for stmt in reached(body) if (mutated := mutation(stmt)) is not None}
    changed |= {root_name(target) or "" for stmt in reached(body) for target in flat(targets(stmt))
                if isinstance(stmt, gast.AugAssign) or not isinstance(target, gast.Name)}
    same = Groups(_links(check, body)).members() if changed else {}
    if not same:
        return found
    return closure(found, lambda now: varied_names(check.tree, now | with_others(now & changed, same), check.scope))


def _links(check: Check, body: list[gast.stmt]) -> Iterator[set[str]]:
    """Names of one memory, as far as it may carry a derivative: what only holds others does not change with them."""
    for stmt in reached(body):
        given: list[tuple[list[str], Any]] = []
        if isinstance(stmt, gast.Assign):
            given = [(target_names(target), stmt.value) for target in stmt.targets]
        elif isinstance(stmt, gast.For) and not over_own_keys(stmt):
            given = list(loop_bindings(stmt.target, stmt.iter, check.scope))
        for names, value in given:
            if not isinstance(value, (gast.Tuple, gast.List, gast.Dict, gast.Set)):
                yield {*names, *(roots(value, check.scope) & sources(value, check.scope))} & check.scope.local


def _find_facts(check: Check, body: list[gast.stmt]) -> None:
    """Find which nodes carry a derivative, and where nodes stand."""
    check.alone = {id(stmt.value) for stmt in reached(body) if isinstance(stmt, (gast.Assign, gast.Expr, gast.Return))}
    check.looped = {id(node) for stmt in reached(body) if isinstance(stmt, gast.For)
                    for _, node in views(stmt.target, stmt.iter, check.scope)}
    check.said = {id(stmt.value) for stmt in reached(body) if isinstance(stmt, gast.Expr)}
    find_texts(check, body)
    check.carrying = {id(node) for stmt in reached(body) if isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Return))
                      and stmt.value is not None for node in carrying(stmt.value, check.scope)}
    check.carrying |= {id(node) for stmt in reached(body) if isinstance(stmt, gast.For)
                       for node in carrying(stmt.iter, check.scope)}


def _grown(check: Check, stmt: Any) -> None:
    """A loop must not change what it goes over; how long a range is, is asked once."""
    if check.scope.builtin(stmt.iter) == "range":
        return
    grown = {changed[1]
             for inner in reached(stmt.body) if (changed := mutation(inner)) is not None and changed[0] != "add_at"}
    if not over_own_keys(stmt):                            # a loop over what is active goes over places
        stored = {root_name(part) for inner in reached(stmt.body) for target in targets(inner)
                  for part in nodes_of(target, gast.Subscript) if not isinstance(part.ctx, gast.Load)}
        backward = {name for part in walk(stmt.iter) if part is not stmt.iter and isinstance(part, gast.Call)
                    and check.scope.value(part.func) is reversed for name in reads(part)}
        grown |= {name for name in stored & check.made
                  if name is not None and (name not in check.varied or name in backward)}
    if grown & reads(stmt.iter):
        name = sorted(grown & reads(stmt.iter))[0]
        check.refuse(stmt, f"the loop goes over {name}, and changes it",
                     f"a copy on a line before, items = {name}[:], and a loop over items; or while")


def _stores(check: Check, body: list[gast.stmt]) -> None:
    """Refuse to store in containers that the function has not made itself, if their parts are differentiated."""
    for stmt in reached(body):
        for target in flat(targets(stmt)) if isinstance(stmt, (gast.Assign, gast.AugAssign)) else ():
            name = root_name(target) or ""
            for part in walk(target) if isinstance(target, gast.Subscript) else ():
                if isinstance(part, gast.Subscript):
                    check_index(check, part)
            if isinstance(target, gast.Name) or not check.active(stmt.value) and name not in check.varied:
                continue
            if name in check.made and isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Slice):
                check.refuse(target, f"a slice of the list {name} is assigned",
                             f"a new list: {name} = {name}[:i] + ...")
            elif name not in check.made and isinstance(target, gast.Subscript) \
                    and isinstance(target.slice, gast.Constant) \
                    and isinstance(target.slice.value, str) and name in check.scope.local:
                check.refuse(target, f"an item of the dict {name} is set, and others may hold it: "
                             "only a dict that the function makes may be changed",
                             f"another dict: {name} = {{**{name}, {target.slice.value!r}: ...}}")
        if isinstance(stmt, gast.Expr) and isinstance(stmt.value, gast.Call) \
                and isinstance(stmt.value.func, gast.Attribute) \
                and not (stmt.value.func.attr == "append" or stmt.value.func.attr == "pop") \
                and may_change(stmt.value.func.attr) \
                and root_name(stmt.value.func) in (check.varied | check.made) & check.scope.local \
                and (root_name(stmt.value.func) in check.varied or any(map(check.active, stmt.value.args))) \
                and updated_dict(stmt, check.made) is None:
            check.told.add(id(stmt.value))
            given = root_name(stmt.value.func) in parameter_names(check.tree)
            check.refuse(stmt, *_changes(stmt.value, check.text(stmt.value.func.value)), unknown=KIND if given else "")


INSTEAD: dict[object, Callable[[str], str]] = {
    list.sort: lambda name: f"{name} = np.sort({name}), or of a list {name} = sorted({name})",
    list.reverse: lambda name: f"{name} = {name}[::-1]", dict.update: lambda name: f"{name} = {{**{name}, ...}}",
    dict.setdefault: lambda name: f"{name} = {{...: ..., **{name}}}",
    list.clear: lambda name: f"a new variable, not {name}"}


def _changes(call: gast.Call, name: str) -> tuple[str, str]:
    """Why a method that changes a container is refused, and what makes another container under its name,
    or in its place."""
    method = call.func.attr
    other = next((INSTEAD[row.fn](name) for row in methods_named(method) if row.fn in INSTEAD),
                 f"a list that is made new: {name} = [...]")
    return f".{method} changes {name} in place, and others may hold it too", other


def _nested(check: Check, stmt: Any) -> None:
    """A function that stays in the text: what it computes must not depend on what is differentiated,
    but through its arguments."""
    if any(isinstance(node, (gast.Yield, gast.YieldFrom, gast.Await)) for node in nodes_in(stmt)):
        check.refuse(stmt, f"the nested function {stmt.name} is a generator (it yields)",
                     "collect the values in a list, and return them")
    elif any(isinstance(node, (gast.Nonlocal, gast.Global)) for node in nodes_in(stmt)):
        check.refuse(stmt,
                     f"the function {stmt.name} assigns variables of the function around it, and is used as a value",
                     f"call {stmt.name} by its name, or let it return the new values")
    elif not hasattr(stmt, "refused") and (taken := sorted(seen_by(stmt) & check.varied - {stmt.name})):
        check.refuse(stmt, f"the function {stmt.name} reads {taken[0]}, which is differentiated, "
                     "and it is used as a value in a way that is not known beforehand",
                     f"pass {taken[0]} as an argument, or call {stmt.name} by its name")


def _kept(check: Check, node: Any) -> None:
    """A comprehension or lambda that stays in the text."""
    for part in nodes_in(node):
        if isinstance(part, gast.NamedExpr):
            if id(node) not in check.told:
                check.refuse(part, ":= assigns a variable inside of a lambda or a comprehension",
                             "a def, or a loop, with an assignment")
        if isinstance(part, gast.comprehension) and stores([part.target]):
            check.refuse(part.target, f"{check.text(part.target)} stores in something, inside of an expression",
                         "a loop: for ... in ...:, and what is computed in its body")
    if isinstance(node, gast.Lambda):
        if id(node) not in check.harmless and not hasattr(node, "refused") \
                and (taken := sorted(seen_by(node) & check.varied)):
            check.refuse(node, f"this lambda reads {taken[0]}, which is differentiated, and where it is called is "
                         "not known beforehand", "call it by its name, or pass it to a function of your own")
    elif id(node) not in check.harmless and check.active(node):
        why, remedy = words(node)
        if isinstance(node, gast.GeneratorExp):
            text = check.text(node)
            remedy = f"a list: [{text[1:-1] if text.startswith('(') else text}]"
        check.refuse(node, why, remedy)
    _inside(check, node)


def _inside(check: Check, node: Any) -> None:
    """What stays as it is, and carries no derivative: none may be lost in it, nor put into something by it."""
    saved = check.is_varied
    taken = writes(node.args) if isinstance(node, gast.Lambda) and id(node) in check.harmless else set()
    made = [(target_names(part.target), part.iter) for part in nodes_in(node) if isinstance(part, gast.comprehension)]
    check.is_varied = Varied(closure(check.varied | taken, lambda found: {
        name for names, given in made if Varied(found, check.scope).of(given) for name in names}), check.scope)
    lost = not isinstance(node, gast.Lambda) and id(node) not in check.harmless and not check.active(node)
    for part in nodes_in(node):
        operation = check.scope.operation(part) if isinstance(part, gast.Call) else None
        if operation is not None:
            check_opaque(check, part)
        if lost and operation is not None and operation.kind == "rule" and operation.rule is not None:
            check_refused(check, part, operation.rule, operation.args)
        if lost and isinstance(part, gast.Subscript):
            check_index(check, part)
    check.is_varied = saved


def _entered(check: Check, stmt: Any) -> Iterator[gast.expr]:
    """The expressions of managers; of those that are known what they are made of."""
    for item in stmt.items:
        node = item.context_expr
        known = isinstance(node, gast.Call) \
            and (lets_through(node, check.scope) or suppressed(node, check.scope) is not None)
        yield from [*node.args, *(keyword.value for keyword in node.keywords)] if known else [node]


def _managers(check: Check, stmt: Any) -> None:
    for item in stmt.items:
        node = item.context_expr
        if entered(node, check.scope) is None and (check.active(node) or any(
                check.active(part) for part in walk(node) if isinstance(part, gast.expr))):
            if is_insertion(item, check.scope):
                continue                                   # refused as a statement
            check.told.update(id(part) for part in walk(node))
            name = check.differentiated(node)
            check.refuse(node, f"what this with does with {name} cannot be seen here, and {name} is differentiated",
                         f"tnb.stop_gradient({name}), if it is meant as a constant")


def _find_harmless(check: Check, node: Any) -> None:
    """The lambdas that only decide an order."""
    for part in walk(node):
        operation = check.scope.operation(part) if isinstance(part, gast.Call) else None
        if operation is not None and operation.kind == "rule" and operation.rule is not None:
            check.harmless.update(id(arg) for name, arg in operation.args.items()
                                  if name in operation.rule.nondiff and name == "key")


def _messages(check: Check, body: list[gast.stmt]) -> None:
    """What asserts say is for who sees the error: comprehensions in it stay as they are,
    and no handler computes with it."""
    for stmt in reached(body):
        if isinstance(stmt, gast.Assert) and stmt.msg is not None \
                and not opaque_calls(stmt.msg, check.scope, check.fence.is_clean):
            check.harmless.update(id(part) for part in walk(stmt.msg) if isinstance(part, COMPREHENSIONS))
        for handler in getattr(stmt, "handlers", ()):
            if handler.name is not None and catches(handler, [AssertionError], check.scope):
                _said(check, stmt, handler)


def _said(check: Check, stmt: Any, handler: Any) -> None:
    """Refuse to compute with what an assert says, where that may be a number that is differentiated."""
    read = next((node for node in nodes_of(handler.body, gast.Attribute) if node.attr == "args"
                 and isinstance(node.value, gast.Name) and node.value.id == handler.name.id), None)
    if read is not None and any(check.active(part) for inner in reached(stmt.body) for node in expressions(inner)
                                for part in walk(node) if isinstance(part, gast.expr)):
        check.refuse(read,
                     f"{check.text(read)} may hold what an assert says, which may be a number that is differentiated",
                     "the number in a variable of its own, before the assert")


def _one(check: Check, node: Any) -> None:
    if isinstance(node, INSIDE):
        _kept(check, node)
    elif isinstance(node, gast.Starred) and id(node) not in check.told and check.active(node):
        check.refuse(node, *words(node))
    elif isinstance(node, gast.Call):
        check_call(check, node)
    elif isinstance(node, gast.Subscript):
        check_index(check, node)
    elif isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Dict, gast.Set)):
        check_operation(check, node, node)
