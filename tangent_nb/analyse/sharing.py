"""Whose memory the value of an expression may share, and how; whether two places of a container may hold one thing.

The second is asked only where parts of parts are stored: there the container that gets the part must have no other
place and no other name.

    [row] * n,  [row, row],  rows.append(rows[0])      rows that are one
    list(rows), rows + more, max(rows)                 a row, or rows, that have another place
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from .. import runtime
from ..rules import (
    FIELD,
    GET,
    KEYS,
    MAX_OF,
    MIN_OF,
    REPLACED,
    SUM,
    WITH_APPENDED,
    WITH_FIELD,
    WITH_INNER,
    WITH_ITEM,
    Effects,
    Rule,
)
from ..syntax.nodes import given_by, reads, target_names
from ..syntax.spec import Spec
from .displays import items
from .kinds import Env, index_parts, spec_of
from .resolve import Operation, Scope
from .returned import shared_arguments

CALLER = "<caller>"
Held = set[tuple[str, str]]


def put(item: gast.expr, env: Env, scope: Scope) -> str:
    """How a new container is related to what it is made of."""
    return "keeps" if is_leaf(spec_of(item, env, scope)) else "holds"


def is_leaf(spec: Spec) -> bool:
    """A number or an array for certain. What is only taken for one, as a parameter that is not differentiated,
    has a dtype of its own."""
    own = isinstance(spec.dtype, frozenset) and not all(isinstance(one, str) for one in spec.dtype)
    return spec.is_number and (spec.is_scalar or not own)


def sources(node: gast.expr, env: Env, scope: Scope) -> Held:
    """The names that the value of an expression may share memory with, and how."""
    if spec_of(node, env, scope).is_immutable:
        return set()
    if isinstance(node, gast.Name):
        return {(node.id if node.id in scope.local else CALLER, "whole")}
    if isinstance(node, gast.Call) and (known := shared_arguments(node)) is not None:
        taken = [(arg, how) for arg, how in known if how == "any" or not is_leaf(spec_of(arg, env, scope))]
        found = {(name, "view") for arg, _ in taken for name, _ in sources(arg, env, scope)}
        contains = node.returned.contains and not node.returned.apart
        alone = not (node.returned.outside or contains or any(how == "parts" for _, how in taken))
        return found if alone else found | {(CALLER, "view")}      # of a container two places may hold one thing
    operands = _operands(node, env, scope)
    if operands is None:
        found = {(name if name in scope.local else CALLER, "view") for name in reads(node)
                 if name not in scope.local or not env.get(name, Spec()).is_immutable}
        operation = scope.operation(node)
        anybody = operation.kind in ("function", "dynamic", "unknown") or operation.rule is KEYS
        return found | {(CALLER, "view")} if anybody else found
    return {(name, _shared(relation, how)) for operand, relation in operands
            for name, how in sources(operand, env, scope)}


def _shared(relation: str, how: str) -> str:
    """How a value shares memory with a name, where it is so related to an operand that shares it how."""
    if relation == "of":
        return "mixed" if how == "mixed" else "of"
    if relation == "view":
        return "view" if how in ("whole", "view") else "mixed"
    return relation or how


def _operands(node: Any, env: Env, scope: Scope) -> list[tuple[gast.expr, str]] | None:
    """The expressions whose memory a value may share, with how it is related to each: `""` where it may be that itself;
    None where it may be any memory that there is."""
    # joined, or repeated, where one is a list
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)):
        lists = any(spec_of(one, env, scope).kind in ("list", "tuple") for one in (node.left, node.right))
        return [(node.left, "share"), (node.right, "share")] if lists else []
    if isinstance(node, (gast.Constant, gast.Compare, gast.JoinedStr, gast.UnaryOp)) or isinstance(node, gast.BinOp) \
            and (not isinstance(node.op, gast.BitOr)
                 or any(spec_of(one, env, scope).is_number for one in (node.left, node.right))):
        return []
    if isinstance(node, (gast.ListComp, gast.DictComp)) and is_new(node, env, scope):
        return []
    row, operation = scope.effects(node), scope.operation(node)
    if row.gives == "iterator" and row.keeps and not row.calls:            # items of these, or parts
        return [(arg, how) for arg in node.args for how in ("holds", "share")]
    if operation.kind == "container":
        return [(item, put(item, env, scope)) for item in items(node)]
    if operation.kind == "select":
        return [(part, "") for part in given_by(node)]
    if isinstance(node, gast.Subscript) and (base := spec_of(node.value, env, scope)).kind not in ("array", "numeric"):
        return [(node.value, "share" if isinstance(node.slice, gast.Slice) and base.kind == "list" else "of")]
    if isinstance(node, gast.Subscript) \
            and any(spec_of(part, env, scope).kind in ("array", "list") or isinstance(part, gast.Compare)
                    for part in index_parts(node.slice) if not isinstance(part, gast.Slice)):
        return []                                          # an index array copies
    if operation.kind == "rule" and operation.rule is not None:
        return _of_row(node, operation, operation.rule, row, env, scope)
    places = operation.kind == "unknown" and operation.fn is np.where          # of a condition alone: where it holds
    return [] if places else None


def _of_row(node: gast.expr, operation: Operation, rule: Rule, row: Effects, env: Env,
            scope: Scope) -> list[tuple[gast.expr, str]] | None:
    """Of what has a row in the table."""
    args = list(operation.args.values())
    if operation.memory == "fresh":
        return []
    if rule is KEYS:                                       # may be objects of anybody
        return None
    if rule.fn is runtime.bound or rule.fn is runtime.differentiable and len(args) == 1:       # as it is
        return [(args[0], "")]
    if rule.fn is runtime.method_of or rule.fn is runtime.with_residuals:
        return [(operation.args["x"], "holds")]
    if rule.fn is runtime.bind:                            # it takes the items, as every call does
        return [(args[0], "view"), (args[1], "share"), (args[2], "share")]
    if rule.fn is runtime.derivative_of:                   # it holds what that holds
        return [(operation.args["x"], "")]
    if rule in (WITH_ITEM, WITH_INNER, WITH_APPENDED, WITH_FIELD, REPLACED):     # holds what it held, and the new part
        return [(args[0], ""), (args[2], put(args[2], env, scope))]
    if rule.fn is runtime.merged:                          # of `|` a new dict of the items of both
        return [(args[0], "share" if isinstance(node, gast.BinOp) else ""), (args[1], "share")]
    if rule is SUM:                                        # lists, joined to the start, or the start itself
        return [*([] if is_leaf(spec_of(args[1], env, scope)) else [(args[0], "share")]), (args[1], "")]
    if rule in (GET, MAX_OF, MIN_OF, FIELD):               # a part, or what stands for it
        return [(args[0], "of"), *((one, "") for one in args[1:])]
    if row.gives == "item" and not row.keeps:              # one of them
        return [(one, "") for one in args]
    if is_copy(row):                                       # of the same items
        return [(arg, "keeps" if put(arg, env, scope) == "keeps" else "share")
                for given, arg in zip(row.signature.parameters, args) if given in row.keeps]
    if not rule.supported:     # known to be refused with a derivative, and not by its arguments
        return None
    if operation.memory == "view":
        return [(arg, "view") for arg in args[:1]]
    active = rule.active_params or operation.args
    return [(arg, "view") for name, arg in operation.args.items() if name in active or name in rule.passes]


def is_copy(row: Effects) -> bool:
    """`list(xs)` and such: a container of the same items, which is new."""
    return bool(row.keeps) and row.gives == "new"


def put_together(node: Any, env: Env, scope: Scope) -> list[tuple[gast.expr, str]]:
    """What a value puts together, with how it is related to that; without for what it is itself."""
    operation = scope.operation(node)
    if operation.kind == "container":
        return [(item, put(item, env, scope)) for item in items(node)]
    if operation.kind != "rule" or operation.rule is None:
        return [(node, "")] if isinstance(node, gast.Name) else []
    if operation.rule in (WITH_ITEM, WITH_INNER, WITH_APPENDED, WITH_FIELD):
        x, _, v = operation.args.values()
        return [(x, ""), (v, put(v, env, scope))]
    kept = operation.rule.fn is runtime.merged or scope.effects(node).keeps
    return [(arg, "share") for arg in operation.args.values()] if kept else []


def repeated(node: Any, env: Env, scope: Scope) -> set[str]:
    """`[row] * n`, and a comprehension whose items may be one thing."""
    if isinstance(node, (gast.ListComp, gast.DictComp)):
        return set() if is_new(node, env, scope) else {"share"}
    operation = scope.operation(node)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
        sides = [node.left, node.right]
    elif operation.kind == "rule" and operation.rule is not None and operation.rule.fn is runtime.repeated:
        sides = [operation.args["x"]]
    else:
        return set()
    specs = [spec for spec in (spec_of(side, env, scope) for side in sides) if spec.kind in ("list", "tuple")]
    parts = [part for spec in specs for part in (spec.items if spec.items is not None else (Spec(),))]
    return {"keeps" if part.is_number else "share" for part in parts if not part.is_immutable}


def shallow(node: Any, env: Env, scope: Scope, deep: bool) -> Held:
    """What a value has in common with its operands where these are containers: a copy, one of them.
    deep: a sum of their items."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "copy":
        operands = [node.func.value]
    elif isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult)) and deep:
        operands = [node.left, node.right]             # lists of lists, joined or repeated
        if any(spec_of(one, env, scope).is_number for one in operands):
            return set()
    elif (row := scope.effects(node)).advances and not row.keeps and row.gives != "plain":  # an item, or a sum of items
        operands = node.args
    else:
        return set()
    return {(name, "share") for one in operands if not spec_of(one, env, scope).is_number
            for name in reads(one) & scope.local}


def is_new(node: Any, env: Env, scope: Scope) -> bool:
    """Each value of an expression is a number, or an array or a container that was made for it alone."""
    if isinstance(node, (gast.List, gast.Tuple, gast.Dict)):
        return all(is_new(one, env, scope) for one in given_by(node))
    if isinstance(node, (gast.ListComp, gast.DictComp)):
        inside = {**env, **{name: Spec() for part in node.generators for name in target_names(part.target)}}
        return is_new(node.elt if isinstance(node, gast.ListComp) else node.value, inside, scope)
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult) \
            and any(isinstance(one, gast.List) for one in (node.left, node.right)):
        items = [item for one in (node.left, node.right) if isinstance(one, gast.List) for item in one.elts]
        return all(_is_number(item, env, scope) for item in items)             # the rest is how often
    if isinstance(node, gast.BinOp):
        return is_new(node.left, env, scope) and is_new(node.right, env, scope)
    if isinstance(node, gast.Call) and (operation := scope.operation(node)).kind == "rule":
        return operation.memory == "fresh"
    return _is_number(node, env, scope)


def _is_number(node: Any, env: Env, scope: Scope) -> bool:
    """No container, and no array."""
    if isinstance(node, gast.Attribute):
        return spec_of(node, env, scope).is_immutable
    if isinstance(node, gast.Name):
        return node.id in scope.local and env.get(node.id, Spec()).is_immutable
    return isinstance(node, (gast.Constant, gast.Compare)) \
        or isinstance(node, gast.UnaryOp) and _is_number(node.operand, env, scope)
