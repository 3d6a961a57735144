"""What the texts of a row say of zeros and poles: whether a pull or push leaves elements out, and what a partial divides by."""
from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from .libraries import IN_ROWS, LIBRARIES
from .table import Rule, lookup

# calls in texts that give every element something where they are given something for each; with any other call a text may leave elements out
SPREADING = frozenset("""
    rt.unreduce rt.unbroadcast rt.broadcast_to_like rt.reduce_like rt.reshape_like rt.untranspose rt.copy rt.cast rt.count rt.relist rt.rearray
    rt.unarray rt.unroll rt.untile rt.unrepeat rt.unstack rt.unconcatenate rt.unvstack rt.unhstack rt.uncolumn_stack rt.unsum rt.uncumsum
    rt.dot_dx rt.dot_dy rt.matmul_dx rt.matmul_dy rt.inner_dx rt.inner_dy rt.outer_dx rt.outer_dy rt.kron_dx rt.kron_dy rt.tensordot_dx
    rt.tensordot_dy rt.solve rt.apply rt.outer_last rt.inverse_transpose rt.cofactor rt.ratio rt.power_dx rt.power_dy rt.sign rt.polygamma
    rt.check_seed rt.check_tangent rt.raised rt.real_only rt.centered rt.others rt.through rt.slope_of_norm rt.norm_slope rt.add_grad
    np.full_like np.transpose np.swapaxes np.moveaxis np.matrix_transpose np.reshape np.ravel np.squeeze np.expand_dims np.flip np.roll np.rot90
    np.sum np.mean np.cumsum np.broadcast_to np.outer np.dot np.matmul np.asarray np.array np.real np.conj np.multiply np.subtract np.add
    np.divide np.power np.exp np.exp2 np.expm1 np.log np.sqrt np.sin np.cos np.sinh np.cosh np.hypot np.sign np.copysign np.square np.cbrt
    np.floor_divide np.trunc np.ldexp np.stack np.concatenate np.size np.ndim np.shape np.linalg.solve np.linalg.inv
    math.exp math.log math.sqrt math.sin math.cos math.sinh math.cosh math.hypot math.copysign math.trunc float sum list tuple round g.reshape
    """.split())
ZEROS = ("np.zeros", "np.zeros_like", "rt.zeros_like", "np.eye", "np.identity", "np.tri", "np.tril", "np.triu", "np.diag", "rt.mask", "np.where",
         "np.heaviside")
PRODUCTS = frozenset("""
    operator.mul np.multiply operator.matmul np.matmul np.linalg.matmul np.dot np.inner np.vdot np.outer np.linalg.outer np.tensordot
    np.linalg.tensordot np.kron np.convolve np.correlate np.vecdot np.linalg.vecdot np.matvec np.vecmat np.einsum np.average
    rt.dot_dx rt.dot_dy rt.matmul_dx rt.matmul_dy rt.inner_dx rt.inner_dy rt.outer_dx rt.outer_dy rt.kron_dx rt.kron_dy
    rt.tensordot_dx rt.tensordot_dy rt.einsum rt.einsum_dx rt.einsum_dy rt.einsum_dz rt.einsum_da rt.einsum_db rt.einsum_dc
    """.split())
MIXED = frozenset("""
    np.cross np.linalg.cross rt.cross np.linalg.multi_dot rt.multi_dot_along np.prod np.nanprod np.multiply.reduce
    rt.others_along
    """.split())
SHAPES = ("rt.count", "np.size", "np.ndim", "np.shape", "len")
POLE, LARGE, DATA = 1, 2, 3       # a factor may be infinite: at some arguments; at large ones, where it overflows; where the data are not finite
LEVELS = {"": 0, "pole": POLE, "large": LARGE}
NOT_A_NUMBER = (".isnan", ".isfinite", ".isinf", ".isneginf", ".isposinf", "np.nan", "np.ma.")


@functools.cache
def _calls(text: str) -> frozenset[str]:
    return frozenset(ast.unparse(node.func) for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Call))


@functools.cache
def leaves_out(text: str) -> bool:
    """What comes out for an element may be exactly 0 by a text, whatever comes in for the others.

    >>> leaves_out("rt.unbroadcast(np.triu(g, k), x)"), leaves_out("g * np.cos(x)")
    (True, False)
    """
    return not _calls(text) <= SPREADING or isinstance(ast.parse(text, mode="eval").body, (ast.Tuple, ast.IfExp, ast.Subscript))


def unbounded(rule: Rule, text: str, literals: Collection[str] = ()) -> int:
    """Where a partial may be infinite, or NaN, by its text: at a pole, at large arguments, nowhere (0). literals: the arguments that are written
    down, and not 0.

    >>> import operator
    >>> quotient = lookup(operator.truediv)
    >>> [unbounded(quotient, text) for text in ("g / (2.0 * y)", "g / (1.0 + x * x)", "g / x.size")], unbounded(quotient, "g / y", ["y"])
    ([1, 0, 0], 0)
    """
    if any(not names <= set(literals) for names in _divisors(text)):
        return POLE
    where = infinite(rule, literals)
    return where if where == LARGE or rule.result in read_in(text) else 0


def first(levels: Iterable[int]) -> int:
    """The least of what is not 0."""
    return min(filter(None, levels), default=0)


def infinite(rule: Rule, literals: Collection[str] = ()) -> int:
    """Where the value of a function may be infinite."""
    found = rule.infinite
    return LEVELS[found] if isinstance(found, str) else first(LEVELS[where] for name, where in found.items() if name not in literals)


@functools.cache
def read_in(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name))


@functools.cache
def _divisors(text: str) -> tuple[frozenset[str], ...]:
    """Of each divisor in a text that may be 0, and of each argument of a function that may have a pole there, the names that it reads."""
    found = []
    for node in ast.walk(ast.parse(text, mode="eval")):
        for divisor in _of(node):
            names = frozenset(_values(divisor))
            if names and not _positive(divisor):
                found.append(names)
    return tuple(found)


def _of(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv)):
        yield node.right
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        rule = lookup(_called(node.func))
        if rule is not None and infinite(rule) == POLE:
            places = rule.params if isinstance(rule.infinite, str) else rule.infinite
            yield from (arg for name, arg in zip(rule.params, node.args) if name in places)


def _called(node: ast.expr) -> Any:
    """What a dotted name in a text stands for; None for a method."""
    if isinstance(node, ast.Attribute):
        return getattr(_called(node.value), node.attr, None)
    return LIBRARIES[node.id] if isinstance(node, ast.Name) and node.id in IN_ROWS else None


def _values(node: ast.AST) -> Iterator[str]:
    """The names whose values an expression reads, rather than their shapes."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call):
        if ast.unparse(node.func) not in SHAPES:
            for arg in [*node.args, *(k.value for k in node.keywords)]:
                yield from _values(arg)
    elif not (isinstance(node, ast.Attribute) and node.attr in ("size", "shape", "ndim", "pi", "e")):
        for part in ast.iter_child_nodes(node):
            yield from _values(part)


def _positive(node: ast.expr) -> bool:
    """More than 0 for real numbers, as it is written: `1.0 + x * x`."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and node.value > 0
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("np.hypot", "math.hypot") and any(map(_positive, node.args))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return any(_positive(a) and (_positive(b) or _square(b)) for a, b in ((node.left, node.right), (node.right, node.left)))
    return False


def _square(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("np.exp", "math.exp")
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right)


def is_slope(fn: object) -> bool:
    """A helper whose values are slopes that are constant almost everywhere, 0 on one side of a kink: `rt.greater`."""
    row = lookup(fn)
    return row is not None and row.zero and row.name.startswith("rt.") and row.breaks == "jump"


def makes_zeros(rule: Rule) -> bool:
    """A function that puts exact zeros beside what it is given."""
    return rule.name in ZEROS


def multiplies(rule: Rule) -> bool:
    """A function that computes products of its arguments' elements, and sums of these with no other weights."""
    return rule.name in PRODUCTS


def mixes(rule: Rule) -> bool:
    """A function that computes sums of products with other weights, or whose factors stand in one argument."""
    return rule.name in MIXED


def parts_read(rule: Rule) -> set[int]:
    """The parts of the result whose cotangents the pulls of a row read, one by one: `g[1]`."""
    return {node.slice.value for choices in rule.pull.values() for choice in choices for node in ast.walk(choice.expr)
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "g"
            and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)}


def asks_for_nan(rule: Rule) -> bool:
    """A function that is called where NaN is expected."""
    return rule.name.startswith("np.nan") or rule.name.endswith(NOT_A_NUMBER)
