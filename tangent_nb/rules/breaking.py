"""Which calls have a kink or a jump, where only some do: the `breaks` of rows."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..syntax.nodes import is_literal, literal


def by_order(args: Mapping[str, Any]) -> str:
    """Norms: sums of absolute values, extremes and single singular values have kinks.

    >>> from tangent_nb.syntax.nodes import constant
    >>> by_order({}), by_order({"ord": constant("fro")}), by_order({"ord": constant(1)})
    ('', '', 'kink')
    """
    return _unless(args, "ord", (None, "fro"))


def by_mode(args: Mapping[str, Any]) -> str:
    """np.pad: extremes and medians have kinks."""
    return _unless(args, "mode", ("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "mean"))


def by_ends(args: Mapping[str, Any]) -> Mapping[str, str]:
    """np.interp: at the nodes, which the values there do not move; at the ends a jump to what stands there instead."""
    return dict.fromkeys(("x", "xp"), "jump" if args.keys() & {"left", "right"} else "kink")


def _unless(args: Mapping[str, Any], name: str, smooth: tuple[Any, ...]) -> str:
    return "" if name not in args or is_literal(args[name]) and literal(args[name]) in smooth else "kink"
