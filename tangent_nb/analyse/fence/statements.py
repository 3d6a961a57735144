"""The statements and expressions themselves, whatever they compute: those of the allow-list,
in forms that the later stages know."""
from __future__ import annotations

import types
from typing import Any

import gast

from ...errors import KEYS
from ...syntax.blocks import blocks
from ...syntax.nodes import children, flat, nodes_of, root_name, taken_of, walk, writes
from ..leaving import always_leaves, escapes_block
from ..managers import is_insertion
from . import stored_outside
from .state import Check
from .trees import expressions, reachable, targets
from .words import EXPRESSIONS, INSERTION, INSIDE, STATEMENTS, words


def check_statements(check: Check, body: list[gast.stmt]) -> None:
    """Refuse what is not in the language, or not in this form."""
    for stmt in reachable(body):
        if not isinstance(stmt, STATEMENTS):
            check.refuse(stmt, *_words(check, stmt))
            continue
        if isinstance(stmt, gast.With):
            stmt.inserts = len(stmt.items) == 1 and is_insertion(stmt.items[0], check.scope)
            if stmt.inserts:
                _insertion(check, stmt)
                continue
            _with(check, stmt)
        if isinstance(stmt, gast.FunctionDef):
            continue
        if isinstance(stmt, gast.Try):
            _try(check, stmt)
        if stored_outside.grows(stmt, check.scope):
            check.fence.grown.append((check, stmt))
        for target in flat(targets(stmt)):
            _target(check, target)
        for node in [*expressions(stmt), *(item.context_expr for item in getattr(stmt, "items", ()))]:
            _expression(check, node)
        for block in blocks(stmt):
            check_statements(check, block)


def _words(check: Check, stmt: gast.stmt) -> tuple[str, str]:
    """Why a statement is refused, and the remedy."""
    if isinstance(stmt, gast.Delete):
        return _deleted(check, stmt)
    if not isinstance(stmt, (gast.Global, gast.Nonlocal)):
        return words(stmt)
    assigned = [name for name in stmt.names if name in writes(check.tree.body)]
    kind = type(stmt).__name__.lower()
    if not assigned:
        return f"{stmt.names[0]} is declared {kind}, and is only read", \
            f"leave the line out: what is read needs no {kind}"
    return f"the {kind} variable {assigned[0]} is assigned, and who else reads it cannot be seen here", \
        "return the value, and assign it where the function is called"


def _deleted(check: Check, stmt: gast.Delete) -> tuple[str, str]:
    target = next(one for one in stmt.targets if not isinstance(one, gast.Name))
    whole = check.text(target.value)
    if isinstance(target, gast.Attribute):
        return f"del takes an attribute from {whole}, which others may hold", \
            f"leave the line out, and do not read {check.text(target)} after it"
    return f"del takes a part from {whole}, and the parts behind it move", \
        f"a new list or array without it: {whole} = {whole}[1:]"


def _try(check: Check, stmt: Any) -> None:
    left = escapes_block(stmt.finalbody)
    if left or always_leaves(stmt.finalbody):
        check.refuse(stmt.finalbody[0],
                     f"finally leaves by {sorted(left or {'raise'})[0]}, whatever was raised or returned before it",
                     "finally for what has to be done on every way, and the rest after it")


def _with(check: Check, stmt: Any) -> None:
    for item in stmt.items:
        target = item.optional_vars
        if is_insertion(item, check.scope):
            check.refuse(stmt, *INSERTION)
        if target is not None \
                and not all(isinstance(part, (gast.Name, gast.Tuple, gast.List)) for part in walk(target)):
            check.refuse(target,
                         f"as {check.text(target)} assigns a part of something, which is not differentiated in with",
                         f"as value, and {check.text(target)} = value on the next line")


def _insertion(check: Check, stmt: Any) -> None:
    item = stmt.items[0]
    call = item.context_expr
    if len(stmt.items) != 1 or len(call.args) != 1 or not isinstance(call.args[0], gast.Name) or call.keywords \
            or not isinstance(item.optional_vars, gast.Name):
        check.refuse(stmt, *INSERTION)
        return
    if check.fence.mode == "forward":
        check.refuse(stmt, "the code under insert_grad_of changes a cotangent, and forward mode has none",
                     "reverse mode: tnb.grad or tnb.vjp")
    elsewhere = _names_elsewhere(check, stmt)
    for inner in stmt.body:
        _inserted(check, [inner])
        if clash := sorted((writes(inner) - {item.optional_vars.id}) & elsewhere):
            check.refuse(inner, f"the code under insert_grad_of assigns {clash[0]}, which the function uses too",
                         f"another name than {clash[0]}")
        if left := sorted(escapes_block([inner])):
            check.refuse(inner,
                         f"the code under insert_grad_of runs in the backward pass, and {left[0]} would leave it",
                         "if and else around what is left out")


def _inserted(check: Check, body: list[gast.stmt]) -> None:
    """Inserted code stays as it is: only what the later stages know may be in it."""
    for stmt in body:
        loop = isinstance(stmt, (gast.For, gast.While)) and stmt.orelse
        if loop or not isinstance(stmt, STATEMENTS) or isinstance(stmt, (gast.With, gast.Try)):
            name = "else of a loop" if loop else type(stmt).__name__.lower()
            check.refuse(stmt, f"{name} is not possible in the code under insert_grad_of",
                         "assignments, if, loops without else, and calls")
        elif not isinstance(stmt, gast.FunctionDef):
            for block in blocks(stmt):
                _inserted(check, block)


def _names_elsewhere(check: Check, block: Any) -> set[str]:
    inner = {id(n) for n in walk(block)}
    return {n.id for n in nodes_of(check.tree, gast.Name) if id(n) not in inner}


def _target(check: Check, target: Any) -> None:
    if isinstance(target, gast.Starred):
        check.refuse(target, *words(target))
    elif isinstance(target, gast.Attribute):
        if not (isinstance(target.value, gast.Name) and target.value.id in check.made):
            check.fence.set_outside.append((check, target))
    elif isinstance(target, gast.Subscript):
        if isinstance(target.value, gast.Subscript) and is_inner(check, target.value):
            _expression(check, target.value)
        elif not isinstance(target.value, gast.Name) and not _is_path(check, target.value):
            name = next((part.id for part in nodes_of(target.value, gast.Name)
                         if part.id in check.scope.local), "A")
            check.refuse(target,
                         f"{check.text(target.value)} is changed, which may be a copy or the memory of something else",
                         f"an index of the array itself: {name}[...] = v")
        elif (name := root_name(target)) not in check.scope.local:
            check.refuse(target,
                         f"{name} is a variable from outside of the function, and is changed: others may read it",
                         f"a copy under a new name, own = {name}.copy(), and change that")
        _expression(check, target.slice)


def _is_path(check: Check, node: Any) -> bool:
    """A part of an array by indices, its transpose, or what a method gives that moves no number."""
    while isinstance(node, gast.Subscript) \
            or taken_of(node) is not None and (isinstance(node, gast.Call) or node.attr == "T"):
        node = taken_of(node)
    return isinstance(node, gast.Name) and node.id not in check.made \
        and not isinstance(check.scope.value(node), types.ModuleType)


def is_inner(check: Check, node: Any) -> bool:
    """A part, by keys, of a list or dict that the function makes itself."""
    while isinstance(node, gast.Subscript) and not isinstance(node.slice, (gast.Slice, gast.Tuple)):
        node = node.value
    return isinstance(node, gast.Name) and node.id in check.made


def _expression(check: Check, node: Any) -> None:
    if isinstance(node, INSIDE):
        return                                             # it stays as it is, and is judged as a whole
    if not isinstance(node, EXPRESSIONS):
        if isinstance(node, gast.expr):
            check.refuse(node, *words(node))
            return
    if isinstance(node, gast.Call):
        for keyword in node.keywords:
            if keyword.arg is None:
                check.refuse(keyword.value, "which keywords ** passes is known only when the function runs: "
                             f"**{check.text(keyword.value)}", "the keywords one by one: a=..., b=...", unknown=KEYS)
    for child in children(node):
        _expression(check, child)
