"""Parts of arrays: what an expression takes of a variable, by indices and by functions that move no number.

Needs an expression as the user wrote it. Promises the same part by indices, `.T`, and the methods in `VIEWS`, or None
where it is no part of a variable, or not for certain a view. `reshape` and `ravel` give views of arrays whose memory
allows it: that is checked where they are used.

    np.flipud(A)[0]      →      A[::-1][0]
    np.transpose(A)      →      A.T
    np.ravel(A)          →      A.ravel()
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.flow import mutation
from ..analyse.kinds import Env, index_parts, is_basic, spec_of
from ..analyse.resolve import Operation, Scope
from ..rules import methods_named
from ..syntax.blocks import statements
from ..syntax.building import clone, constant
from ..syntax.nodes import literal, nodes_of, root_name, taken_of, walk

LATER = (gast.Lambda, gast.FunctionDef, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def as_part(node: Any, env: Env, scope: Scope, *, strict: bool = True) -> gast.expr | None:
    """A name; a part of an array by basic indices and methods; None for anything else.
    strict: what functions get is an array for certain."""
    if isinstance(node, gast.Name):
        return node
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        base = as_part(node.value, env, scope, strict=strict) if spec_of(node.value, env, scope).is_number else None
        if base is None:
            return None
        if isinstance(node, gast.Attribute):
            return gast.Attribute(base, "T", gast.Load()) if node.attr == "T" else None
        return gast.Subscript(base, node.slice, node.ctx) if _is_view(node, env, scope) else None
    operation = scope.operation(node) if isinstance(node, gast.Call) else None
    if operation is None or operation.kind != "rule" or operation.rule is None or operation.memory != "view":
        return None
    x, *args = operation.args.values()
    spec = spec_of(x, env, scope)
    allowed = spec.is_number and not spec.is_scalar and (not strict or is_method(node, operation)) \
        or spec.kind == "array"
    base = as_part(x, env, scope, strict=strict) if allowed else None
    if base is None or not all(map(is_simple, args)):
        return None
    return _moved(base, operation, spec.dims)


def is_method(node: gast.Call, operation: Operation) -> bool:
    """`x.ravel()`, which only an array has, and not `np.ravel(x)`."""
    return isinstance(node.func, gast.Attribute) and node.func.value is operation.args.get("x")


def unsure(node: Any, env: Env, scope: Scope) -> gast.expr | None:
    """What a function of NumPy gets that may be no array: `A[0]` in `np.transpose(A[0])[1:]`."""
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return unsure(node.value, env, scope)
    if not isinstance(node, gast.Call):
        return None
    operation = scope.operation(node)
    x = operation.args["x"]
    sure = is_method(node, operation) or spec_of(x, env, scope).kind == "array"
    return unsure(x, env, scope) if sure else as_part(x, env, scope, strict=False)


def _moved(base: gast.expr, operation: Operation, rank: int | None) -> gast.expr | None:
    """`np.flipud(base)` and such, by an index or a method."""
    args = dict(list(operation.args.items())[1:])
    fn = operation.rule.fn if operation.rule is not None else None
    axis = literal(args["axis"], "unknown") if "axis" in args else None
    if fn is np.reshape:
        shape = args["shape"]
        order = literal(args.get("order", constant("C")), None)
        return _method(base, "reshape", shape.elts if isinstance(shape, gast.Tuple) else [shape]) \
            if order == "C" else None
    if fn is np.ravel or fn is np.squeeze:
        return _method(base, fn.__name__, list(args.values())) if len(args) < 2 else None
    if fn is np.diagonal or fn is np.diag and rank == 2:
        return _method(base, "diagonal", list(args.values()))
    if fn is np.transpose and (not args or rank == 2):
        axes = literal(args.get("axes", constant(None)), "unknown")
        return gast.Attribute(base, "T", gast.Load()) if axes in (None, (1, 0)) else None
    if fn is np.transpose:
        axes = args["axes"]
        return _method(base, "transpose", axes.elts if isinstance(axes, gast.Tuple) else [axes])
    if fn is np.matrix_transpose:
        return gast.Attribute(base, "T", gast.Load()) if rank == 2 \
            else _method(base, "swapaxes", [constant(-1), constant(-2)])
    if fn is np.swapaxes:
        return _method(base, "swapaxes", list(args.values()))
    if fn is np.moveaxis and rank is not None:
        order = _moved_axes(literal(args["source"], None), literal(args["destination"], None), rank)
        return None if order is None else _method(base, "transpose", [constant(k) for k in order])
    if fn is np.flipud or fn is np.flip and axis == 0:
        return _at(base, [BACKWARD])
    if fn is np.fliplr or fn is np.flip and isinstance(axis, int) and axis > 0:
        return _at(base, [*[WHOLE] * (axis if isinstance(axis, int) else 1), BACKWARD])
    if fn is np.flip and (axis == -1 or axis is None and rank):
        return _at(base, [constant(...), BACKWARD] if axis == -1 and rank != 1
                   else [BACKWARD] * (rank if axis is None and rank else 1))
    if fn is np.expand_dims and type(axis) is int and axis >= -1:
        return _at(base, [*([WHOLE] * axis if axis >= 0 else [constant(...)]), constant(None)])
    needed = next((axes for one, axes in SAME if fn is one), None)
    return base if needed is not None and (rank or 0) >= needed and not args else None


# with so many axes
SAME = ((np.asarray, 0), (np.asanyarray, 0), (np.atleast_1d, 1), (np.atleast_2d, 2), (np.atleast_3d, 3))
WHOLE = gast.Slice(None, None, None)
BACKWARD = gast.Slice(None, None, constant(-1))


def _method(base: gast.expr, name: str, args: Sequence[gast.expr]) -> gast.expr:
    return gast.Call(gast.Attribute(base, name, gast.Load()), [clone(arg) for arg in args], [])


def _at(base: gast.expr, index: Sequence[gast.expr]) -> gast.expr:
    parts = [clone(one) for one in index]
    return gast.Subscript(base, gast.Tuple(parts, gast.Load()) if len(parts) > 1 else parts[0], gast.Load())


def _moved_axes(source: Any, destination: Any, rank: int) -> list[int] | None:
    """The order of the axes after `np.moveaxis`."""
    if type(source) is not int or type(destination) is not int \
            or not (-rank <= source < rank and -rank <= destination < rank):
        return None
    order = [k for k in range(rank) if k != source % rank]
    order.insert(destination % rank, source % rank)
    return order


def may_copy(part: gast.expr) -> bool:
    """The part is reshaped: in some layouts of memory that is a copy."""
    return any(row.gives == "shares" for node in nodes_of(part, gast.Call)
               if taken_of(node) is not None for row in methods_named(node.func.attr))


def may_fail(part: gast.expr) -> bool:
    """The part is taken by a method, whose arguments may not fit the array."""
    return any(isinstance(node, gast.Call) for node in walk(part))


def is_path(node: gast.expr, env: Env, scope: Scope) -> bool:
    """A name; a part of an array by basic indices, its transpose, or a view by one of the methods `VIEWS`."""
    if isinstance(node, gast.Name):
        return True
    if isinstance(node, gast.Call):
        inner = taken_of(node)                             # NumPy lets nobody change a diagonal
        return inner is not None and not node.keywords and as_part(node, env, scope) is not None \
            and is_path(inner, env, scope) and getattr(node.func, "attr", "") != "diagonal"
    if not isinstance(node, (gast.Attribute, gast.Subscript)) or not spec_of(node.value, env, scope).is_number \
            or not is_path(node.value, env, scope):
        return False
    return node.attr == "T" if isinstance(node, gast.Attribute) else _is_view(node, env, scope)


def _is_view(node: gast.Subscript, env: Env, scope: Scope) -> bool:
    """The index takes a part by numbers and slices; `[None]` of a number would be a new array."""
    return is_simple(node.slice) and is_basic(node.slice, env, scope) and (
        spec_of(node.value, env, scope).kind == "array" or isinstance(node.value, gast.Name) or is_all(node.slice)
        or not all(map(is_filler, index_parts(node.slice))))


def joined(node: gast.Subscript, env: Env, scope: Scope) -> gast.Subscript:
    """A part of an array, by one index if that is the same part."""
    return composed(node, functools.partial(is_basic, env=env, scope=scope)) \
        if is_path(node.value, env, scope) else node


def part_targets(stmt: Any) -> list[gast.Subscript]:
    """The parts that a statement assigns, or adds to."""
    targets = stmt.targets if isinstance(stmt, gast.Assign) \
        else [stmt.target] if isinstance(stmt, gast.AugAssign) else []
    return [part for target in targets if target.__class__ is not gast.Name
            for part in nodes_of(target, gast.Subscript) if not isinstance(part.ctx, gast.Load)]


def changed_names(body: Sequence[gast.stmt]) -> set[str]:
    """The names through which something is changed in place."""
    found: set[str] = set()
    for stmt in statements(body):
        found |= {root_name(part) or "" for part in part_targets(stmt)}
        if isinstance(stmt, gast.AugAssign) and not hasattr(stmt, "counts"):
            found.add(root_name(stmt.target) or "")
        changed = mutation(stmt)
        if changed is not None:
            found.add(changed[1])
    return found - {""}


def composed(node: gast.Subscript, basic: Callable[[gast.expr], bool]) -> gast.Subscript:
    """`A[i][j]` as `A[i, j]`, `A[:, j][i]` as `A[i, j]`: one index, where that is the same part. basic: of an index.

    >>> from tangent_nb.syntax.building import expr
    >>> from tangent_nb.syntax.nodes import unparse
    >>> texts = "A[i][j]", "A[:, j][1:]", "A[1:][i]", "A[i][j, None]"
    >>> [unparse(composed(expr(text), lambda index: True)) for text in texts]
    ['A[i, j]', 'A[1:, j]', 'A[1:][i]', 'A[i][j, None]']
    >>> [unparse(composed(expr(text), lambda index: True)) for text in ("A[...][i]", "A[1:][...]", "A[i][...]")]
    ['A[i]', 'A[1:]', 'A[i][...]']
    """
    if not isinstance(node.value, gast.Subscript):
        return node
    inner = composed(node.value, basic)
    outer, last = index_parts(inner.slice), index_parts(node.slice)
    if is_all(inner.slice):
        return composed(gast.Subscript(inner.value, node.slice, node.ctx), basic)
    if is_all(node.slice) and any(isinstance(one, gast.Slice) for one in outer):
        return gast.Subscript(inner.value, inner.slice, node.ctx)
    whole = [i for i, one in enumerate(outer) if _is_whole(one)]
    if not basic(inner.slice) or not basic(node.slice) or any(map(is_filler, [*outer, *last])) \
            or len(last) > len(whole) > 0 or any(isinstance(one, gast.Slice) and not _is_whole(one) for one in outer):
        return gast.Subscript(inner, node.slice, node.ctx)
    parts = list(outer)
    for place, one in zip(whole, last, strict=False):
        parts[place] = one
    parts += [] if whole else last
    return gast.Subscript(inner.value, gast.Tuple(parts, gast.Load()) if len(parts) > 1 else parts[0], node.ctx)


def is_all(index: gast.expr) -> bool:
    """The index of `A[...]`: of a number it would give a new array."""
    return isinstance(index, gast.Constant) and index.value is ...


def without_all(part: Any) -> Any:
    """`A[i]` of `A[i][...]`, of which it is checked that it is an array."""
    while isinstance(part, gast.Subscript) and is_all(part.slice) and not isinstance(part.value, gast.Name):
        part = part.value
    return part


def _is_whole(part: gast.expr) -> bool:
    return isinstance(part, gast.Slice) and part.lower is part.upper is part.step is None


def is_filler(part: gast.expr) -> bool:
    """`None` or `...`, which stand for other axes than their own."""
    return isinstance(part, gast.Constant) and not isinstance(part.value, int)


def axes_taken(path: gast.expr) -> int:
    """How many axes of an array a part of it does not have: 2 for `A[:, j][i]`."""
    return sum(1 for node in nodes_of(path, gast.Subscript) for one in index_parts(node.slice)
               if not isinstance(one, gast.Slice) and not is_filler(one))


def is_row(path: gast.expr) -> bool:
    """`A.T[j]`: what is transposed has rows for every sign that the text gives."""
    return axes_taken(path) == 1 and any(isinstance(node, gast.Attribute) for node in walk(path))


def is_simple(index: gast.expr) -> bool:
    """An index of names and numbers."""
    return not any(isinstance(n, (gast.Call, gast.Subscript, gast.Attribute, gast.NamedExpr, gast.IfExp, *LATER))
                   for n in walk(index))
