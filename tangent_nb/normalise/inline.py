"""Short callees in place of their calls.

Needs a call of a function of the user with a text of a few assignments and a `return`. Promises the same value, with
the callee's variables under new names.

>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def square(t):
...     return t * t
>>> def f(x):
...     return square(x) + 1.0
>>> without, alone = (tnb.stages(tnb.grad(f, optimized=passes)) for passes in ((), "inlining"))
>>> print(difference(without["normalise"], alone["normalise"]))
-     square_1, square_residuals = _square_fwd(x)
+     square_1 = x * x
"""
from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from ..analyse.arguments import bind, defaults_of
from ..syntax.building import clone, constant, has_literal, load, origin_of, rename_stores, substitute
from ..syntax.nodes import body_without_docstring, parameter_names, reads, target_names, walk, writes
from ..syntax.parts import calls_of, place_of
from ..syntax.program import Captured

if TYPE_CHECKING:
    from .expressions import Expressions

LONGEST = 8            # statements
DEEPEST = 6            # calls within calls


def inlinable(lowering: Expressions, node: gast.Call) -> tuple[Captured, dict[str, gast.expr]] | None:
    """The callee and its arguments, where it can be put in place."""
    if not lowering.inline or len(lowering.stack) >= DEEPEST:
        return None
    operation = lowering.scope.operation(node)
    if operation.kind != "function" or operation.fn in lowering.stack:
        return None
    captured = lowering.callee(operation.fn)
    if captured is None or captured.region is not None \
            or captured.namespace.globals is not lowering.scope.namespace.globals:
        return None
    if captured.caches and lowering.mutated:
        return None                                        # it gives one object each time
    assumed = {path.partition(".")[0] for path, _ in captured.assumed}
    if assumed & captured.ours:
        return None                                        # it checks itself what it takes for granted
    body = body_without_docstring(captured.tree)
    outer = reads(body) | assumed
    here = lowering.scope.namespace.cells
    if any(cell is not here.get(name)
           for name, cell in captured.namespace.cells.items() if name in outer and name not in captured.ours):
        return None
    if not body or len(body) > LONGEST or not isinstance(body[-1], gast.Return) or body[-1].value is None:
        return None
    if not all(isinstance(s, gast.Assign) and all(target_names(t) and not _has_parts(t) for t in s.targets)
               for s in body[:-1]):
        return None
    bound = _bound_all(captured, node)
    locals_ = writes(captured.tree)
    outer -= locals_
    if bound is None or (outer - captured.ours) & lowering.scope.local \
            or outer & lowering.mutated \
            or any(a in lowering.mutated - lowering.containers for v in bound.values() for a in reads(v)):
        return None
    return captured, bound


def inlined(lowering: Expressions, node: gast.expr, name: str) -> bool:
    """Put the body of a short callee in the place of its call, its value under `name`."""
    found = inlinable(lowering, node) if isinstance(node, gast.Call) else None
    if found is None:
        return False
    captured, bound = found
    lowering.inlined.append(captured.fn)
    outer, stack, calls = lowering.origin, lowering.stack, lowering.calls
    body = clone(body_without_docstring(captured.tree))
    assigned = {n for s in body for n in writes(s)}
    trees: dict[str, gast.expr] = {}
    for parameter, arg in bound.items():
        atom = lowering.value(arg)
        if isinstance(arg, (gast.List, gast.Tuple)) and isinstance(atom, gast.Name):
            lowering.made_lists.add(atom.id)               # an array, where the callee computes with it as with one
        elif isinstance(atom, gast.Name):
            lowering.nested.holds(atom.id, lowering.nested.of(arg))
        if parameter in assigned or (isinstance(atom, gast.Name) and atom.id == name and len(body) > 1):
            new = lowering.temporary(parameter)
            lowering.assign(new, atom)
            trees[parameter] = load(new)
        else:
            trees[parameter] = atom
    for outer_name in sorted(reads(body) & captured.ours - assigned - set(bound)):
        trees[outer_name] = load(lowering.cell(outer_name, captured.namespace.lookup(outer_name)))
    lowering.stack = (*stack, captured.fn)
    lowering.calls = (*place_of(node, outer), *calls_of(node), *calls)
    renamed = {n: trees[n].id if n in trees else lowering.temporary(n) for n in sorted(assigned)}
    for stmt in body:
        rename_stores(stmt, renamed)
        trees.update({n: load(new) for n, new in renamed.items()})
        lowering.origin = origin_of(stmt)
        if isinstance(stmt, gast.Return):
            lowering.assign(name, substitute(stmt.value, trees))
        else:
            stmt.value = substitute(stmt.value, trees)
            lowering.statement(stmt)
    lowering.origin, lowering.stack, lowering.calls = outer, stack, calls
    return True


def _has_parts(target: gast.expr) -> bool:
    return any(isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)) for node in walk(target))


def _bound_all(captured: Captured, node: gast.Call) -> dict[str, gast.expr] | None:
    """The arguments of a call by parameter, defaults that are literals among them."""
    bound = bind(captured, node)
    if bound is None:
        return None
    defaults = defaults_of(captured)
    for name in parameter_names(captured.tree):
        if name not in bound:
            if name not in defaults or not has_literal(defaults[name]):
                return None
            bound[name] = constant(defaults[name])
    return bound
