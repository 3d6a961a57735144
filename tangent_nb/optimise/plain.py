"""Calls of helpers as NumPy writes them, where it is known what they are given.

Needs a call, and the specs of its arguments. Promises the same value: of the cotangents of operands of `np.einsum`
products of matrices where these are such, else an einsum; of `np.array([a, b])` the list of its items, where a and b
are numbers; the call itself where a size may be 1, an index is repeated, or a shape is not known.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(A, B, L, x):
...     return np.sum(np.einsum("ij,jk->ik", A, B)) + np.sum(np.einsum("kij,nkj->nki", L, x))
>>> like = np.ones((2, 3)), np.ones((3, 4)), np.ones((2, 3, 4)), np.ones((5, 2, 4))
>>> stages = tnb.stages(tnb.grad(f, (0, 3), optimized=["first_write", "constant_folding"], like=like))
>>> print(difference(stages["first_write"], stages["constant_folding"]))
-     bx = rt.einsum_dy(beinsum_1, 'kij,nkj->nki', L, x)
+     bx = (beinsum_1.transpose(1, 0, 2) @ L).transpose(1, 0, 2)
-     bA = rt.einsum_dx(beinsum, 'ij,jk->ik', A, B)
+     bA = beinsum @ B.T
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gast

from ..syntax.building import constant, expr, library, negative
from ..syntax.nodes import dotted, is_literal, literal
from ..syntax.sizes import Axis
from ..syntax.spec import Spec

PREFIX = "%rt.einsum_d"
OPERANDS = "xyzabc"


class Term(NamedTuple):
    """An array, with a letter for each axis."""

    letters: str
    tree: gast.expr


def may_be_plain(name: str) -> bool:
    """A function of this name is one of these."""
    return name == "divide" or name == "unarray" or name == "unstack" or name == "count" or name == "centered" \
        or name.startswith(PREFIX.rpartition(".")[2])


def as_numpy(node: Any, spec_of: Callable[[gast.expr], Spec]) -> gast.expr:
    """A call as NumPy writes it; the call itself where that is not known. spec_of: of an argument."""
    function, specs = dotted(node.func) or "", [spec_of(arg) for arg in node.args]
    if function.startswith(PREFIX):
        return _plain_einsum(node, specs)
    if function == "%rt.unarray" and _is_of_numbers(*specs):
        return library("list(g)", g=node.args[0]) if specs[1].kind == "list" else library("tuple(g)", g=node.args[0])
    if function == "%rt.unstack" and len(specs) == 2 and _is_of_rows(*specs):
        return library("list(g)", g=node.args[0]) if specs[1].kind == "list" else library("tuple(g)", g=node.args[0])
    if function == "%rt.count" or function == "%rt.centered":
        return _along(node, function, specs[0]) if len(specs) == 2 and not node.keywords else node
    if function == "%np.divide" and len(specs) == 2 and any(map(_is_of_numpy, specs)) \
            and all(one.is_number for one in specs):
        return gast.BinOp(node.args[0], gast.Div(), node.args[1])
    return node


def _along(node: Any, function: str, x: Spec) -> gast.expr:
    """How long an axis is, or an array less its means along it."""
    axis = literal(node.args[1], None)
    if not x.is_made or x.rank is None or str(x.dtype)[0] != "f" or not isinstance(node.args[0], gast.Name) \
            or type(axis) is not int or not -x.rank <= axis < x.rank:
        return node
    if function == "%rt.centered":
        return library("x - np.mean(x, axis=0)" if axis % x.rank == 0 else "x - np.mean(x, axis=k, keepdims=True)",
                       x=node.args[0], k=node.args[1])
    return library("len(x)", len="%len", x=node.args[0]) if axis % x.rank == 0 \
        else library("x.shape[k]", x=node.args[0], k=node.args[1])


def shorter(node: gast.BinOp) -> gast.expr | None:
    """`-(a @ b)` for `a @ -b`."""
    factors = (negative(node.left), negative(node.right)) if isinstance(node.op, gast.MatMult) else (None, None)
    if factors == (None, None):
        return None
    made = gast.BinOp(factors[0] or node.left, node.op, factors[1] or node.right)
    return made if all(factors) else gast.UnaryOp(gast.USub(), made)


def _plain_einsum(node: gast.Call, specs: Sequence[Spec]) -> gast.expr:
    """The cotangent of an operand of an einsum."""
    subscripts = literal(node.args[1], None) if len(node.args) > 2 and is_literal(node.args[1]) else None
    if not isinstance(subscripts, str) or "->" not in subscripts or "." in subscripts or node.keywords:
        return node
    given, result = subscripts.replace(" ", "").split("->")
    letters = [result, *given.split(",")]
    shapes = [spec for place, spec in enumerate(specs) if place != 1]
    which = 1 + OPERANDS.index(str(dotted(node.func)).removeprefix(PREFIX))
    if len(letters) != len(shapes) or not _agree(letters, shapes) or any(len({*one}) < len(one) for one in letters):
        return node
    trees = [arg for place, arg in enumerate(node.args) if place != 1]
    terms = [Term(*one) for place, one in enumerate(zip(letters, trees, strict=True)) if place != which]
    wanted = letters[which]
    if not wanted or not {*wanted} <= {letter for term in terms for letter in term.letters}:
        return node
    return _scaled(terms, wanted)


def _agree(letters: Sequence[str], specs: Sequence[Spec]) -> bool:
    """All are arrays of double precision, and each letter is one size, which is not 1."""
    sizes: dict[str, Axis] = {}
    for one, spec in zip(letters, specs, strict=True):
        if spec.shape == () and spec.kind in ("float", "scalar") and not one:
            continue
        if spec.kind != "array" or spec.dtype != "f8" or not isinstance(spec.shape, tuple) \
                or len(spec.shape) != len(one) or any(sizes.setdefault(letter, size) != size or size == 1
                                                      for letter, size in zip(one, spec.shape, strict=True)):
            return False
    return True


def _scaled(terms: Sequence[Term], wanted: str) -> gast.expr:
    """The product of the terms; those that are numbers are factors."""
    numbers = [term.tree for term in terms if not term.letters]
    arrays = [term for term in terms if term.letters]
    found = _product(arrays, wanted)
    for number in numbers:
        if not (is_literal(number) and literal(number) == 1.0):
            found = gast.BinOp(number, gast.Mult(), found)
    return found


def _product(terms: Sequence[Term], wanted: str) -> gast.expr:
    if len(terms) == 1 and sorted(terms[0].letters) == sorted(wanted):
        return _turned(terms[0], wanted)
    if len(terms) == 2 and (found := _matrices(terms[0], terms[1], wanted)) is not None:
        return found
    if len(terms) == 2 and sorted(wanted) == sorted(terms[0].letters + terms[1].letters) and len(wanted) == 2 \
            and len(terms[0].letters) == 1:
        a, b = sorted(terms, key=lambda term: wanted.index(term.letters))
        return library("np.outer(a, b)", a=a.tree, b=b.tree)
    made: Any = library("np.einsum(s)", s=constant(",".join(one.letters for one in terms) + "->" + wanted))
    made.args += [one.tree for one in terms]
    if len(terms) > 2:
        made.keywords.append(gast.keyword("optimize", constant(True)))
    return made


def _matrices(a: Term, b: Term, wanted: str) -> gast.expr | None:
    """`a @ b`, for each index of a batch: the letters of both, which stay, come first."""
    both = {*a.letters} & {*b.letters}
    summed, batch = both - {*wanted}, "".join(letter for letter in wanted if letter in both)
    free = [[letter for letter in one.letters if letter not in both] for one in (a, b)]
    if len(summed) != 1 or any(len(one) > 1 or not {*one} <= {*wanted} for one in free) or len(batch) > 1:
        return None
    if batch and not all(free):
        return None
    order = "".join(letter for letter in wanted if letter not in batch)
    if order != "".join(free[0] + free[1]):                # the other product is transposed
        a, b, free = b, a, free[::-1]
        if order != "".join(free[0] + free[1]):
            return None
    (over,) = summed
    made = gast.BinOp(_turned(a, batch + "".join(free[0]) + over), gast.MatMult(),
                      _turned(b, batch + over + "".join(free[1])))
    return _turned(Term(batch + order, made), wanted)


def _turned(term: Term, wanted: str) -> gast.expr:
    """An array with its axes in another order."""
    if term.letters == wanted:
        return term.tree
    if len(wanted) == 2:
        return expr("x.T", x=term.tree)
    axes = ", ".join(str(term.letters.index(letter)) for letter in wanted)
    return expr(f"x.transpose({axes})", x=term.tree)


def _is_of_numbers(g: Spec, x: Spec) -> bool:
    """The cotangent of an array that is made of a list of numbers of double precision."""
    return g.kind == "array" and g.dtype == "f8" and isinstance(g.shape, tuple) and len(g.shape) == 1 \
        and x.kind in ("list", "tuple") and bool(x.items) \
        and all(one.kind == "float" or one.kind == "scalar" and one.dtype == "f8" for one in x.items or ())


def _is_of_rows(g: Spec, x: Spec) -> bool:
    """The cotangent of arrays of double precision that are put one upon the other."""
    return g.kind == "array" and g.dtype == "f8" and x.kind in ("list", "tuple") and bool(x.items) \
        and all(one.kind == "array" and one.dtype == "f8" and isinstance(one.shape, tuple) for one in x.items or ())


def _is_of_numpy(spec: Spec) -> bool:
    """It is a number or an array of NumPy, which is divided by zero without an error."""
    return spec.is_number and isinstance(spec.dtype, str) and spec.dtype != "weak" and spec.kind != "float"
