"""Reading gast trees: the nodes below a node, the names in a tree, what a part is taken of, literals and parameters."""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import gast

_NO_CHILDREN = frozenset({"ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment"})


@cache
def child_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold nodes, operators and contexts left out."""
    if kind is gast.Constant:
        return ()
    return tuple(field for field in kind._fields if field not in _NO_CHILDREN)  # type: ignore[attr-defined]


# `_children` written out for the classes that most nodes have: most of the time of a derivation is spent in going over
# trees
_BELOW: Mapping[type, Callable[[Any], list[Any]]] = {
    gast.Constant: lambda node: [],
    gast.Name: lambda node: [] if node.annotation is None else [node.annotation],
    gast.Attribute: lambda node: [node.value],
    gast.Subscript: lambda node: [node.value, node.slice],
    gast.Call: lambda node: [node.func, *node.args, *node.keywords],
    gast.keyword: lambda node: [node.value],
    gast.BinOp: lambda node: [node.left, node.right],
    gast.UnaryOp: lambda node: [node.operand],
    gast.BoolOp: lambda node: [*node.values],
    gast.Compare: lambda node: [node.left, *node.comparators],
    gast.IfExp: lambda node: [node.test, node.body, node.orelse],
    gast.Tuple: lambda node: [*node.elts],
    gast.List: lambda node: [*node.elts],
    gast.Expr: lambda node: [node.value],
    gast.Return: lambda node: [node.value] if node.value is not None else [],
    gast.Slice: lambda node: [part for part in (node.lower, node.upper, node.step) if part is not None],
    gast.Assign: lambda node: [*node.targets, node.value],
    gast.AugAssign: lambda node: [node.target, node.value],
    gast.If: lambda node: [node.test, *node.body, *node.orelse],
    gast.While: lambda node: [node.test, *node.body, *node.orelse],
    gast.For: lambda node: [node.target, node.iter, *node.body, *node.orelse],
    gast.Module: lambda node: [*node.body],
    gast.FunctionDef: lambda node: [node.args, *node.body, *_present(
        [*node.decorator_list, node.returns, *(getattr(node, "type_params", None) or ())])],
    gast.arguments: lambda node: _present([*node.args, *node.posonlyargs, node.vararg, *node.kwonlyargs,
                                           *node.kw_defaults, node.kwarg, *node.defaults]),
}


def _present(nodes: list[Any]) -> list[Any]:
    return [node for node in nodes if node is not None]


LEAVES = frozenset({gast.Name, gast.Constant})             # below a name there is an annotation, as a parameter


def children(node: Any) -> list[Any]:
    """The nodes right below, operators and contexts left out, in the order of the text."""
    below = _BELOW.get(node.__class__, _children)
    return below(node)


def _children(node: Any) -> list[Any]:
    found: list[Any] = []
    values = node.__dict__
    for field in child_fields(node.__class__):
        value = values.get(field)
        if isinstance(value, gast.AST):
            found.append(value)
        elif value.__class__ is list:
            found += [item for item in value if isinstance(item, gast.AST)]
    return found


def walk(node: Any) -> Iterator[gast.AST]:
    """All nodes but operators and contexts, parents first, in the order of the text."""
    stack: list[Any] = node[::-1] if isinstance(node, list) else [node]
    while stack:
        top = stack.pop()
        yield top
        kind = top.__class__
        if kind is gast.Attribute:                         # the commonest are written out once more
            stack.append(top.value)
        elif kind is gast.BinOp:
            stack.append(top.right)
            stack.append(top.left)
        elif kind not in LEAVES:
            stack += _BELOW.get(kind, _children)(top)[::-1]


def nodes_of(node: Any, *kinds: type) -> list[Any]:
    """The nodes of some classes in a tree, as `walk` meets them, which takes longer."""
    found = []
    stack: list[Any] = node[::-1] if isinstance(node, list) else [node]
    while stack:
        top = stack.pop()
        kind = top.__class__
        if kind in kinds:
            found.append(top)
        if kind is gast.Attribute:
            stack.append(top.value)
        elif kind is gast.BinOp:
            stack.append(top.right)
            stack.append(top.left)
        elif kind not in LEAVES:
            stack += _BELOW.get(kind, _children)(top)[::-1]
    return found


def nodes_in(node: gast.AST) -> Iterator[Any]:
    """All nodes but operators and contexts, in the order of `gast.walk`, which takes twice as long."""
    found = [node]
    for one in found:                                      # grows while it is gone over
        if one.__class__ is not gast.Constant and (one.__class__ is not gast.Name or one.annotation is not None):
            found += _BELOW.get(one.__class__, _children)(one)
        yield one


def name_nodes(node: Any) -> list[gast.Name]:
    """The names in a tree, in no order."""
    found: list[Any] = []
    stack: list[Any] = list(node) if isinstance(node, (list, tuple)) else [node]
    while stack:
        top = stack.pop()
        if top.__class__ is gast.Name:
            found.append(top)
        elif top.__class__ is not gast.Constant:
            stack += _BELOW.get(top.__class__, _children)(top)
    return found


def read_and_bound(node: Any) -> tuple[set[str], set[str]]:
    """The names read anywhere in a tree, and those bound there (parameters among them): asked for more often than
    anything else."""
    read: set[str] = set()
    bound: set[str] = set()
    stack: list[Any] = list(node) if node.__class__ is list or node.__class__ is tuple else [node]
    while stack:
        top = stack.pop()
        kind = top.__class__
        if kind is gast.Name:
            if top.ctx.__class__ is gast.Load:
                read.add(top.id)
            else:
                bound.add(top.id)
        elif kind is gast.Attribute:
            stack.append(top.value)
        elif kind is gast.Call:
            stack.append(top.func)
            stack += top.args
            stack += top.keywords
        elif kind is gast.BinOp:
            stack.append(top.left)
            stack.append(top.right)
        elif kind is not gast.Constant:
            stack += _BELOW.get(kind, _children)(top)
    return read, bound


def reads(node: Any) -> set[str]:
    """The names read anywhere in a tree."""
    return read_and_bound(node)[0]


def writes(node: Any) -> set[str]:
    """The names bound anywhere in a tree (parameters among them)."""
    return read_and_bound(node)[1]


def names_in(node: Any) -> set[str]:
    """The names read or bound anywhere in a tree."""
    read, bound = read_and_bound(node)
    return read | bound if bound else read


def target_names(target: gast.expr) -> list[str]:
    """The names that an assignment to `target` rebinds, in order (none for a subscript or attribute)."""
    if isinstance(target, gast.Name):
        return [target.id]
    if isinstance(target, (gast.Tuple, gast.List)):
        return [name for item in target.elts for name in target_names(item)]
    return []


def flat(targets: Iterable[Any]) -> Iterator[Any]:
    """The targets, those in tuples and lists one by one."""
    for target in targets:
        yield from flat(target.elts) if isinstance(target, (gast.Tuple, gast.List)) else [target]


def stores(targets: Iterable[Any]) -> bool:
    """Some of the targets is a part of something."""
    return any(isinstance(one.value if isinstance(one, gast.Starred) else one, (gast.Subscript, gast.Attribute))
               for one in flat(targets))


def given_by(node: Any) -> list[Any]:
    """The expressions of which the value of another may be one, or a part, or which it holds."""
    if isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)):
        return [node.value]
    if isinstance(node, gast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, (gast.BoolOp, gast.Dict)):
        return list(node.values)
    return list(node.elts) if isinstance(node, (gast.Tuple, gast.List, gast.Set)) else []


VIEWS: set[str] = set()   # methods of arrays whose result is the array under other indices: the table of rules fills it


def taken_of(node: Any) -> Any:
    """What a part is taken of: `A` for `A[i]`, `A.T` and `A.reshape(-1)`;
    None where it is the call of anything else, or no part."""
    if isinstance(node, gast.Call):
        return node.func.value if isinstance(node.func, gast.Attribute) and node.func.attr in VIEWS else None
    return node.value if isinstance(node, (gast.Subscript, gast.Attribute)) else None


def root_name(node: gast.AST) -> str | None:
    """`A` for `A[i]`, `A[i][j]`, `A.T[i]` and `A.reshape(-1)[i]`."""
    while (inner := taken_of(node)) is not None:
        node = inner
    return node.id if isinstance(node, gast.Name) else None


def attributes_assigned(node: Any) -> set[str]:
    """The names of the attributes that are assigned, or deleted, anywhere in a tree, or in statements."""
    return {part.attr for part in nodes_of(node, gast.Attribute) if not isinstance(part.ctx, gast.Load)}


def dotted(node: gast.AST) -> str | None:
    """`np.linalg.norm`; None for what is not a name."""
    if isinstance(node, gast.Name):
        return str(node.id)
    base = dotted(node.value) if isinstance(node, gast.Attribute) else None
    return None if base is None else f"{base}.{node.attr}"


def is_atom(node: gast.AST) -> bool:
    """A name, a literal or the negation of a literal."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, (gast.USub, gast.UAdd)):
        node = node.operand
        return isinstance(node, gast.Constant)
    return isinstance(node, (gast.Name, gast.Constant))


def truths(test: Any) -> list[Any]:
    """The expressions of which a test asks whether they are true: `a` and `b > 0` of `not a or b > 0`."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return truths(test.operand)
    return [one for part in test.values for one in truths(part)] if isinstance(test, gast.BoolOp) else [test]


_NO_VALUE = object()


def _number_or_text(node: gast.AST) -> Any:
    """The value of what most literals are, without a text in between; None for others."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) and isinstance(node.operand, gast.Constant):
        value = node.operand.value
        return -value if type(value) in (int, float) and value == value else None
    if isinstance(node, gast.Constant) and type(node.value) in (int, float, bool, str) and node.value == node.value:
        return node.value
    return None


def literal(node: gast.AST, default: Any = _NO_VALUE) -> Any:
    """The value of a literal expression, or `default` (ValueError without one)."""
    value = _number_or_text(node)
    if value is not None or isinstance(node, gast.Constant) and node.value is None:
        return value
    if isinstance(node, gast.Tuple) and is_literal(node):
        return tuple(literal(item) for item in node.elts)
    try:
        return ast.literal_eval(unparse(node))
    except (ValueError, SyntaxError, TypeError):
        if default is _NO_VALUE:
            raise ValueError("not a literal") from None
        return default


def is_literal(node: gast.AST) -> bool:
    kind = node.__class__
    if kind is gast.Constant:
        return True
    if kind is gast.Name or kind is gast.BinOp or kind is gast.Call:       # what most others are
        return False
    if isinstance(node, gast.UnaryOp):
        return isinstance(node.op, (gast.USub, gast.UAdd)) and isinstance(node.operand, gast.Constant) \
            and type(node.operand.value) in (int, float, complex)
    if isinstance(node, (gast.Tuple, gast.List)):
        return all(is_literal(item) for item in node.elts)
    return False


def unparse(node: gast.AST) -> str:
    """Text of a tree for comparing and for messages; `emit` makes the text that users read."""
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(node)))


def key(node: Any) -> Any:
    """A hashable that is equal for equal trees (positions, contexts and marks left out)."""
    kind = node.__class__
    if kind is gast.Name and node.annotation is None:
        return ("Name", node.id)
    if kind is list:
        return tuple([key(item) for item in node])
    if kind is gast.Constant:
        return (type(node.value).__name__, repr(node.value))
    if kind in _CONTEXTS:
        return None
    if isinstance(node, gast.AST):
        values = node.__dict__
        return (kind.__name__, *[key(values.get(field)) for field in kind._fields])
    return node


_CONTEXTS = frozenset({gast.Load, gast.Store, gast.Param})


def parameter_names(tree: gast.FunctionDef) -> list[str]:
    """The names of the parameters, in order: positional ones, keyword-only ones, those with stars."""
    args = tree.args
    return [*(a.id for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]), *starred_parameters(tree)]


def starred_parameters(tree: gast.FunctionDef) -> list[str]:
    """The names of `*rest` and `**options`, as far as there are such parameters."""
    return [a.id for a in (tree.args.vararg, tree.args.kwarg) if a is not None]


def body_without_docstring(tree: gast.FunctionDef) -> list[gast.stmt]:
    first = tree.body[0] if tree.body else None
    if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant) and isinstance(first.value.value, str):
        return list(tree.body[1:])
    return list(tree.body)
