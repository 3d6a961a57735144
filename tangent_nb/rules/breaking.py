"""Which calls have a kink or a jump, where only some do: the `breaks` of rows."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..syntax.nodes import dotted, is_literal, literal


def by_order(args: Mapping[str, Any]) -> str:
    """Norms of vectors and matrices: sums of absolute values, extremes and single singular values have kinks.

    >>> from tangent_nb.syntax.nodes import constant
    >>> by_order({}), by_order({"ord": constant("fro")}), by_order({"ord": constant(1)})
    ('', '', 'kink')
    """
    if "ord" not in args or _is(args["ord"], None, "fro"):
        return ""
    return by_vector_order(args) if not _is(args["ord"], 2) or _is_int(args.get("axis")) else "kink"


def by_vector_order(args: Mapping[str, Any]) -> str:
    """Norms of vectors: of an order above 1 there is none but at 0.

    >>> from tangent_nb.syntax.nodes import constant
    >>> by_vector_order({"ord": constant(2)}), by_vector_order({"ord": constant(1)})
    ('', 'kink')
    """
    order = literal(args["ord"]) if "ord" in args and is_literal(args["ord"]) else 2 if "ord" not in args else None
    return "" if isinstance(order, (int, float)) and order > 1 else "kink"


def by_mode(args: Mapping[str, Any]) -> str:
    """np.pad: extremes and medians have kinks."""
    return "" if "mode" not in args or _is(args["mode"], "constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean") else "kink"


def by_mode_of_slope(args: Mapping[str, Any]) -> Mapping[str, str]:
    """The derivatives of np.pad, in the array."""
    return {"x": "jump" if by_mode(args) else ""}


def by_ends(args: Mapping[str, Any]) -> Mapping[str, str]:
    """np.interp: at the nodes, which the values there do not move; at the ends a jump to what stands there instead."""
    return dict.fromkeys(("x", "xp"), "jump" if args.keys() & {"left", "right"} else "kink")


def by_vectors(args: Mapping[str, Any]) -> Mapping[int, str] | str:
    """np.linalg.svd: values have kinks where they meet, vectors jump there, and with their signs."""
    return "kink" if "compute_uv" in args and _is(args["compute_uv"], False) else {0: "jump", 1: "kink", 2: "jump"}


def is_floating(dtype: Any) -> bool:
    """A dtype in which numbers stay as they are, for certain: none given, or a floating one by name.

    >>> from tangent_nb.syntax.nodes import constant, expr
    >>> [is_floating(one) for one in (None, expr("np.float32"), constant("f8"), expr("int"), expr("fixed"), expr("x.dtype"))]
    [True, True, True, False, False, False]
    """
    if dtype is None or _is(dtype, None):
        return True
    if is_literal(dtype):
        return isinstance(literal(dtype), str) and np.dtype(literal(dtype)).kind in "fc"
    name = (dotted(dtype) or "").rpartition(".")[2]
    return name in ("float", "complex") or isinstance(meant := getattr(np, name, None), type) and issubclass(meant, np.inexact)


def _is(node: Any, *values: Any) -> bool:
    return is_literal(node) and literal(node) in values


def _is_int(node: Any) -> bool:
    return node is not None and is_literal(node) and isinstance(literal(node), int)
