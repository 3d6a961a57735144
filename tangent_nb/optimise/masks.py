"""Masks: `rt.mask(v, c)`, which is v where c holds, and exactly 0 elsewhere.

Needs a mask, and what is known of its value. Promises one mask where a product is masked, or an array that is masked
already, and a choice between two numbers where the value is one everywhere.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x):
...     c = x > 0.0
...     return np.sum(np.where(c, -np.where(c, np.sqrt(x), 0.0), 0.0))
>>> stages = tnb.stages(tnb.grad(f, like=(np.ones(3),)))
>>> print(difference(stages["first_write"], stages["constant_folding"]))
-     bwhere_1 = np.full_like(where_1, bf)
+     bwhere_1 = np.full_like(x, bf)
-     bnegative = rt.mask(bwhere_1, c)
+     bnegative = np.where(c, bf, 0.0)
-     bwhere = rt.mask(-bnegative, c)
+     bwhere = -bnegative
-     bsqrt = rt.mask(rt.mask(bwhere, c), c)
+     bsqrt = bwhere
>>> stages = tnb.stages(tnb.grad(lambda x, y: max(x, y), like=(1.0, 2.0)))      # of numbers of Python
>>> print(difference(stages["first_write"], stages["constant_folding"]))
-     bx = rt.mask(bfunction, not y > x)
+     bx = bfunction if not y > x else 0.0
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import gast

from ..syntax.building import constant, library, negative
from ..syntax.nodes import dotted, is_atom, is_literal, key, literal, nodes_of
from ..syntax.spec import Spec

Conditions = Mapping[Any, gast.expr]           # by their keys
Source = tuple[gast.expr, gast.expr]           # what is masked, and by what


class Folding(Protocol):
    """What is known where a statement is folded. masks: of names, the conditions by which their arrays are masked;
    sources: what is masked there."""

    @property
    def masks(self) -> Any: ...

    @property
    def sources(self) -> Any: ...

    def spec(self, node: gast.expr) -> Spec:
        """What is known of a value."""

    def number(self, node: gast.expr) -> bool:
        """It is a number."""

    def value_everywhere(self, node: Any) -> gast.expr | None:
        """The one value that an array holds."""

    def folded_within(self, node: gast.expr) -> Any:
        """The tree with its parts folded."""

    def meaning(self, node: gast.expr) -> Any:
        """What a name stands for all along the function, else the tree."""


def folded_mask(node: Any, fold: Folding) -> gast.expr:
    """A mask of a product masks its factors; of one value everywhere, it chooses between that and 0."""
    value, condition = masked(node) or node.args
    if dotted(node.func) != "%rt.mask":
        return node
    if key(condition) in masked_by(value, fold.masks.values):
        return value
    if fold.spec(value).kind == "float" and fold.spec(condition).kind == "bool":
        return gast.IfExp(condition, value, constant(0.0))
    factors = _unmasked(value, key(condition), fold)
    factors = value if factors is value else fold.folded_within(factors)
    whole, c = fold.spec(value), fold.spec(condition)
    one = factors if fold.number(factors) else fold.value_everywhere(factors)
    if one is not None and is_atom(one) and whole.shape is not None and whole.shape == c.shape \
            and whole.dtype == "f8" and c.kind == "array":
        return library("np.where(c, v, z)", c=condition, v=one, z=constant(0.0))
    if factors is value or whole.shape is None or fold.spec(factors).shape != whole.shape:
        return node
    return library("rt.mask(v, c)", v=factors, c=condition)


def joined_masks(node: gast.BinOp, fold: Folding) -> gast.expr | None:
    """`np.where(c, a, b)` for `a + rt.mask(b, not c)`, where a is exactly 0 if c does not hold."""
    found = masked(node.right) if isinstance(node.op, gast.Add) else None
    if found is None:
        return None
    for condition in masked_by(node.left, fold.masks.values).values():
        whole, c = fold.spec(node.left), fold.spec(condition)
        if _opposite(condition, found[1], fold) and c.kind == "array" and whole.is_number and whole.dtype == "f8" \
                and whole.shape and whole.shape == c.shape == fold.spec(found[0]).shape:
            return folded_choice(library("np.where(c, a, b)", c=condition, a=node.left, b=found[0]), fold)
    return None


def folded_choice(node: Any, fold: Folding) -> gast.expr:
    """`np.where(c, a, b)` for `np.where(c, rt.mask(a, c), rt.mask(b, not c))`."""
    condition, a, b = node.args
    one, other = _unmasked(a, key(condition), fold), b
    by = [found[1] for node in nodes_of(b, gast.Call, gast.Name)
          if (found := masked(node) or fold.sources.values.get(getattr(node, "id", ""))) is not None]
    for mask in by:
        if _opposite(condition, mask, fold):
            other = _unmasked(other, key(mask), fold)
    shapes = {fold.spec(value).shape for value in (a, b, one, other)}
    if (one is a and other is b) or len(shapes) > 1 or None in shapes:
        return node
    return library("np.where(c, a, b)", c=condition, a=one, b=other)


def _opposite(a: gast.expr, b: gast.expr, fold: Folding) -> bool:
    """One of two conditions is that the other does not hold."""
    for one, other in ((a, b), (b, a)):
        meant = fold.meaning(one)
        if isinstance(meant, gast.Call) and dotted(meant.func) == "%np.logical_not" and len(meant.args) == 1 \
                and key(meant.args[0]) == key(other):
            return True
    return False


def _unmasked(node: Any, condition: Any, fold: Folding) -> Any:
    """A product whose factors are not masked, by a condition that masks the product."""
    source = fold.sources.values.get(node.id) if isinstance(node, gast.Name) else None
    if source is not None and key(source[1]) == condition and fold.spec(source[0]).is_number:
        return source[0]
    if (found := masked(node)) is not None and key(found[1]) == condition:
        inner = found[0]
        return _unmasked(inner, condition, fold) if fold.spec(inner).is_number else node
    if (operand := negative(node)) is not None:
        inner = _unmasked(operand, condition, fold)
        return node if inner is operand else gast.UnaryOp(gast.USub(), inner)
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, (gast.Mult, gast.Div)):
        return node
    left = _unmasked(node.left, condition, fold)
    right = _unmasked(node.right, condition, fold) if isinstance(node.op, gast.Mult) else node.right
    return node if left is node.left and right is node.right else gast.BinOp(left, node.op, right)


def masked(node: Any) -> tuple[gast.expr, gast.expr] | None:
    """Value and condition of `rt.mask(v, c)`, and of `np.where(c, v, 0.0)`."""
    name = dotted(node.func) if isinstance(node, gast.Call) else None
    if name == "%rt.mask" and len(node.args) == 2:
        return node.args[0], node.args[1]
    if name == "%np.where" and len(node.args) == 3 and is_literal(node.args[2]) \
            and isinstance(zero := literal(node.args[2]), float) and zero == 0.0:
        return node.args[1], node.args[0]
    return None


def masked_by(node: Any, known: Mapping[str, Conditions]) -> Conditions:
    """The conditions where an array is exactly 0 if they do not hold. known: those of names."""
    if isinstance(node, gast.Name):
        return known.get(node.id, {})
    if (operand := negative(node)) is not None:
        return masked_by(operand, known)
    if (found := masked(node)) is None:
        return {}
    return {**masked_by(found[0], known), key(found[1]): found[1]}
