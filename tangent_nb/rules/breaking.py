"""Which calls have a kink or a jump, where only some do: the `breaks` of rows."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import gast
import numpy as np

from ..syntax.nodes import dotted, is_literal, literal, walk

COMPLEX = frozenset([
    "complex", "complex64", "complex128", "csingle", "cdouble", "fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft",
    "rfft2", "rfftn", "ihfft", "eig", "eigvals", "roots", "sqrtm", "logm", "hilbert"])


def by_order(args: Mapping[str, Any], moving: Collection[str] = ()) -> str:
    """Norms of vectors and matrices: sums of absolute values, extremes and single singular values have kinks.

    >>> from tangent_nb.syntax.building import constant
    >>> by_order({}), by_order({"ord": constant("fro")}), by_order({"ord": constant(1)})
    ('', '', 'kink')
    """
    if "ord" not in args or _is(args["ord"], None, "fro"):
        return ""
    return by_vector_order(args) if not _is(args["ord"], 2) or _is_int(args.get("axis")) else "kink"


def by_vector_order(args: Mapping[str, Any], moving: Collection[str] = ()) -> str:
    """Norms of vectors: of an order above 1 there is none but at 0; that of order 0 is a count.

    >>> from tangent_nb.syntax.building import constant, expr
    >>> orders = constant(2), constant(1), expr("np.inf"), constant(0), expr("order")
    >>> [by_vector_order({"ord": one}) for one in orders]
    ['', 'kink', 'kink', 'jump', 'jump']
    """
    if "ord" in args and not is_literal(args["ord"]):
        size = args["ord"].operand if isinstance(args["ord"], gast.UnaryOp) else args["ord"]
        return "kink" if (dotted(size) or "").endswith("inf") else "jump"
    order = literal(args["ord"]) if "ord" in args else 2
    if not isinstance(order, (int, float)):
        return "kink"
    return "" if order > 1 else "kink" if order else "jump"


def by_mode(args: Mapping[str, Any], moving: Collection[str] = ()) -> str:
    """np.pad: extremes and medians have kinks."""
    return "" if "mode" not in args \
        or _is(args["mode"], "constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean") else "kink"


def by_mode_of_slope(args: Mapping[str, Any], moving: Collection[str] = ()) -> Mapping[str, str]:
    """The derivatives of np.pad, in the array."""
    return {"x": "jump" if by_mode(args) else ""}


def by_ends(args: Mapping[str, Any], moving: Collection[str] = ()) -> Mapping[str, str]:
    """np.interp: at the nodes, which the values there do not move; at the ends a jump to what stands there instead."""
    return dict.fromkeys(("x", "xp"), "jump" if args.keys() & {"left", "right"} else "kink")


def by_vectors(args: Mapping[str, Any], moving: Collection[str] = ()) -> Mapping[int, str] | str:
    """np.linalg.svd: values have kinks where they meet, vectors jump there, and with their signs."""
    return "kink" if "compute_uv" in args and _is(args["compute_uv"], False) else {0: "jump", 1: "kink", 2: "jump"}


def by_key(args: Mapping[str, Any], moving: Collection[str] = ()) -> str:
    """max, min and sorted: of numbers a kink; by a key something else is chosen, and jumps.
    So are tuples, which no text tells.

    >>> from tangent_nb.syntax.building import expr
    >>> by_key({"x": expr("y")}), by_key({"x": expr("y"), "key": expr("abs")})
    ('kink', 'jump')
    """
    return "jump" if "key" in args and not _is(args["key"], None) else "kink"


def by_cut(args: Mapping[str, Any], moving: Collection[str] = ()) -> str:
    """Roots, logarithms and inverse functions: of complex numbers they jump at a branch cut (DLMF, section 4.2),
    of real ones they do not.

    >>> from tangent_nb.syntax.building import expr
    >>> by_cut({"x": expr("x - 1j")}), by_cut({"x": expr("x")}), by_cut({"x": expr("x - 1j"), "y": expr("2")})
    ('jump', '', '')
    """
    if "y" in args and is_literal(args["y"]) and isinstance(literal(args["y"]), int):
        return ""
    return "jump" if any(map(makes_complex, walk(args["x"]))) else ""


def makes_complex(node: Any) -> bool:
    """A number or a call that is complex, or may be."""
    if isinstance(node, gast.Constant):
        return isinstance(node.value, complex)
    name = (dotted(node) or "").rpartition(".")[2] if isinstance(node, (gast.Name, gast.Attribute)) else ""
    return name in COMPLEX


def by_memory(args: Mapping[str, Any], moving: Collection[str] = ()) -> Mapping[str, str]:
    """np.full_like, np.insert: what is put in is cut to an integer in an array of integers,
    which one that moves is not."""
    base, value = ("a", "fill_value") if "fill_value" in args else ("x", "values")
    known = base in moving or "dtype" in args and not _is(args["dtype"], None) and is_floating(args["dtype"])
    return {base: "", value: "" if known else "jump"}


def is_floating(dtype: Any) -> bool:
    """A dtype in which numbers stay as they are, for certain: none given, or a floating one by name.

    >>> from tangent_nb.syntax.building import constant, expr
    >>> dtypes = None, expr("np.float32"), constant("f8"), expr("int"), expr("fixed"), expr("x.dtype")
    >>> [is_floating(one) for one in dtypes]
    [True, True, True, False, False, False]
    """
    if dtype is None or _is(dtype, None):
        return True
    if is_literal(dtype):
        return isinstance(literal(dtype), str) and np.dtype(literal(dtype)).kind in "fc"
    name = (dotted(dtype) or "").rpartition(".")[2]
    return name in ("float", "complex") \
        or isinstance(meant := getattr(np, name, None), type) and issubclass(meant, np.inexact)


def _is(node: Any, *values: Any) -> bool:
    return is_literal(node) and literal(node) in values


def _is_int(node: Any) -> bool:
    return node is not None and is_literal(node) and isinstance(literal(node), int)
