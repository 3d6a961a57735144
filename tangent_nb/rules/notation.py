"""How mathematics writes functions: a root for `np.sqrt`, bars for `np.abs`. What is not here is written as a call."""
from __future__ import annotations

from collections.abc import Mapping

SHAPES: Mapping[str, tuple[str, ...]] = {
    "quotient": ("np.divide", "np.true_divide", "operator.truediv"),
    "root": ("np.sqrt", "math.sqrt"),
    "exponential": ("np.exp", "math.exp"),
    "size": ("np.abs", "np.absolute", "np.fabs", "math.fabs", "abs"),
    "matrices": ("np.dot", "np.matmul", "operator.matmul"),
    "outer": ("np.outer",),
    "sum": ("np.add", "operator.add"),
    "difference": ("np.subtract", "operator.sub"),
    "product": ("np.multiply", "operator.mul"),
    "power": ("np.power", "np.float_power", "math.pow", "operator.pow", "pow"),
    "negative": ("np.negative", "operator.neg"),
}
NOTATION: Mapping[str, str] = {name: shape for shape, names in SHAPES.items() for name in names}
TRANSPOSED = frozenset(["T", "mT"])                        # attributes
NUMBERS: Mapping[str, str] = {"math.pi": "π", "np.pi": "π", "np.inf": "∞", "math.inf": "∞", "math.e": "e", "np.e": "e"}


def notation(name: str, arguments: int) -> str:
    """The shape of a call with so many arguments and none by name; empty where it is written as a call.

    >>> notation("np.sqrt", 1), notation("np.dot", 2), notation("np.dot", 3), notation("np.sin", 1)
    ('root', 'matrices', '', '')
    """
    shape = NOTATION.get(name, "")
    return shape if arguments == (1 if shape in ("root", "exponential", "size", "negative") else 2) else ""
