"""Calls of NumPy with `out=`, as stores.

Needs a call that writes its result to an array. Promises the call without, its result stored in the array after a check
that NumPy would take it: NumPy computes as if all operands were read before. The value of the call is the array itself.

    np.add(a, b, out=c)                  →      add = np.add(a, b)
                                                rt.check_out(c, add, "c")
                                                c[...] = add
    np.divide(a, b, out=c, where=m)      →      where = rt.selection(c, m)
                                                divide = np.divide(rt.selected(a, where), rt.selected(b, where))
                                                rt.check_cast(c, divide, "c")
                                                c[where] = divide
    np.add(a, b, out=np.empty(3))    →   an array that a call gives has a name first
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from ..analyse.effects import method_takes_out, written_to
from ..syntax.building import clone, constant, library, load
from ..syntax.nodes import literal
from ..syntax.program import MISSING
from .arguments import starred
from .in_place_calls import guard, is_array, said, steady, stored, target, variable
from .state import State

BROADCAST = (np.clip, np.outer)       # as ufuncs, the result may be spread to the array
CAST = (np.concatenate, np.stack)     # the others compute in the dtype of the array, which has to be that of the result


def called(desugar: State, node: gast.Call) -> Any:
    """A call with `out=`, as an expression: the array that it writes to."""
    found = _taken_apart(desugar, node)
    if found is None or not isinstance(found[1], (gast.Name, gast.Call)):
        return None
    return _written(desugar, node, *found)


def statement(desugar: State, stmt: gast.Expr) -> bool:
    """The same as a statement, which may write to a part of an array."""
    found = _taken_apart(desugar, stmt.value)
    return found is not None and _written(desugar, stmt.value, *found) is not None


def assigned(desugar: State, stmt: gast.Assign) -> bool:
    """`c = np.add(a, b, out=c)`, where c is that array already."""
    name: Any = stmt.targets[0]
    found = _taken_apart(desugar, stmt.value) if len(stmt.targets) == 1 and isinstance(name, gast.Name) else None
    if found is None or not isinstance(found[1], gast.Name) or found[1].id != name.id:
        return False
    return _written(desugar, stmt.value, *found) is not None


def _taken_apart(desugar: State, node: Any) -> tuple[gast.Call, Any, Any] | None:
    """The call without `out` and `where`, the array, and the mask."""
    if not isinstance(node, gast.Call) or starred(node):
        return None
    fn: Any = desugar.object(node.func)
    out = written_to(node, fn)
    if out is None:
        return None
    if fn is MISSING:                                      # x.cumsum(out=c)
        func = node.func
        if not isinstance(func, gast.Attribute) or not method_takes_out(func.attr) \
                or variable(desugar, func.value) is None:
            return None
    args, rest = [a for a in node.args if a is not out], [k for k in node.keywords if k.arg != "out"]
    out_by_place = len(args) < len(node.args)
    if isinstance(out, gast.Tuple):
        if not isinstance(fn, np.ufunc) or len(out.elts) != 1 or out_by_place:
            return None
        out = out.elts[0]
    array, mask = target(desugar, out) or (out if isinstance(out, gast.Call) else None), None
    if isinstance(fn, np.ufunc):
        if fn.nout != 1 or len(args) != fn.nin:
            return None
        mask = next((k.value for k in rest if k.arg == "where"), None)
        rest = [k for k in rest if k.arg != "where"]
        mask = None if mask is None or literal(mask, 0) is True else mask
        if mask is not None and (fn.signature is not None or not isinstance(array, (gast.Name, gast.Call))):
            return None
    if array is None:
        return None
    while out_by_place and args and isinstance(args[-1], gast.Constant) and args[-1].value is None \
            and not isinstance(fn, np.ufunc):
        args = args[:-1]     # np.mean(x, 0, None, c): what stands before `out` is not given
    new = gast.copy_location(gast.Call(node.func, args, rest), node)
    return new, array, mask


def _written(desugar: State, node: Any, new: gast.Call, array: Any, mask: Any) -> gast.expr:
    fn: Any = desugar.object(node.func)
    base = new.func.attr if isinstance(new.func, gast.Attribute) else getattr(fn, "__name__", "value")
    if isinstance(array, gast.Call):
        *new.args, array = steady(desugar, [*new.args, array], "out")
    if mask is not None:
        *operands, mask = steady(desugar, [*new.args, mask])
        where = desugar.kept(library("rt.selection(x, m)", x=clone(array), m=mask), "where")
        new.args = [one if isinstance(one, gast.Constant)
                    else load(desugar.kept(library("rt.selected(x, m)", x=one, m=where), "part")) for one in operands]
        value = load(desugar.kept(desugar.placed(new), base))
        guard(desugar, library("rt.check_cast(x, v, n)", v=clone(value), **said(array)))
        stored(desugar, array, value, load(where))
        return load(array.id)
    if fn is MISSING and not is_array(desugar, new.func.value):
        guard(desugar, library("rt.check_target(x, n)", **said(new.func.value)))
    value = load(desugar.kept(desugar.expr(new), base))
    spread = isinstance(fn, np.ufunc) and fn.signature is None or any(fn is one for one in BROADCAST)
    cast = isinstance(fn, np.ufunc) or any(fn is one for one in CAST)
    guard(desugar, library("rt.check_out(x, v, n)" if spread else "rt.check_out(x, v, n, exact=True)" if cast
                           else "rt.check_out(x, v, n, 'no', exact=True)", v=clone(value), **said(array)))
    stored(desugar, array, value)
    return load(array.id) if isinstance(array, gast.Name) else constant(None)


