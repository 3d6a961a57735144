"""Draws by a generator of random numbers that a variable holds: whether it is one is asked when the function runs.

    rng.normal(size=3)          rt.check_generator(rng, "rng")      first in the function, where rng stays what it is
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.draws import DRAWS, makes_generator, writes_given
from ..rules import lookup_method
from ..syntax.building import clone, constant, library, mark
from ..syntax.nodes import dotted, given_by, nodes_in, parameter_names
from ..syntax.program import MISSING
from .arguments import starred
from .scopes import bindings
from .state import State


def called(desugar: State, node: gast.Call) -> Any:
    """A draw of what a variable, or an attribute, holds, by no argument that is differentiated."""
    func: Any = node.func
    name = dotted(func.value) if isinstance(func, gast.Attribute) else None
    if name is None or func.attr not in DRAWS or lookup_method(func.attr) is not None or hasattr(node, "draws") \
            or starred(node):
        return None
    root = name.partition(".")[0]
    if desugar.scope.value(func.value) is not MISSING or root not in desugar.local and "." not in name:
        return None
    given = [*node.args, *(k.value for k in node.keywords)]
    if any(map(desugar.carries, given)) or desugar.wrt is not None and desugar.carries(func.value):
        return None
    check = gast.Expr(library("rt.check_generator(g, n)", g=clone(func.value), n=constant(name)))
    mark(check, role="guard", note="guard")
    if _is_known_first(desugar, root):
        desugar.generators.setdefault(name, check)
    else:
        desugar.emit(check)
    args = desugar.operands(given)
    keywords = [gast.keyword(k.arg, v) for k, v in zip(node.keywords, args[len(node.args):], strict=True)]
    made = gast.copy_location(gast.Call(clone(func), args[:len(node.args)], keywords), node)
    made.draws = True
    return made


def _is_known_first(desugar: State, root: str) -> bool:
    """What the function begins with is what draws, or no generator: it is given, or seen outside,
    and only generators are put in its place."""
    if desugar.stack:
        return False
    others = [one for one in bindings(desugar.tree).get(root, []) if not isinstance(one, gast.Name)]
    return (root not in desugar.local or root in parameter_names(desugar.tree)) \
        and all(isinstance(one, gast.Assign) and isinstance(one.targets[0], gast.Name)
                and _is_generator(desugar, one.value, root) for one in others)


def _is_generator(desugar: State, node: Any, name: str) -> bool:
    """`np.random.default_rng(seed)`, or that where the variable holds None."""
    if isinstance(node, (gast.IfExp, gast.BoolOp)):
        return all(_is_generator(desugar, part, name) for part in given_by(node))
    return isinstance(node, gast.Name) and node.id == name \
        or isinstance(node, gast.Call) and makes_generator(desugar.object(node.func))


def find(desugar: State, tree: gast.FunctionDef) -> None:
    """Mark the draws of generators of random numbers that the function makes: they change nothing else."""
    for name, nodes in desugar.binders.items():
        one = nodes[0] if len(nodes) == 1 else None
        if not (isinstance(one, gast.Assign) and isinstance(one.value, gast.Call)
                and makes_generator(desugar.object(one.value.func))):
            continue
        for part in nodes_in(tree):
            func = part.func if isinstance(part, gast.Call) else None
            if isinstance(func, gast.Attribute) and getattr(func.value, "id", "") == name:
                part.draws = not writes_given(func.attr)
