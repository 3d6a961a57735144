"""What users write inside a function to change its gradient."""
from __future__ import annotations

from types import TracebackType
from typing import Any

from .structure import zeros_like


def stop_gradient(x: Any) -> Any:
    """`x` itself, taken as a constant by every derivative.

    >>> stop_gradient(2.0)
    2.0
    """
    return x


class insert_grad_of:
    """`with insert_grad_of(y) as by:` puts the block into the backward pass, where `by` is the cotangent of `y`.

    y: a variable of the function, a number or an array. In a plain call of the function the block runs with a zero
    cotangent.
    Source: B. van Merriënboer et al., "Tangent: Automatic differentiation using source-code transformation for
    dynamically typed array programming" (2018), section 3.1 and Listing 4.

    >>> with insert_grad_of(2.0) as by:
    ...     by = 3.0 * by
    >>> by
    0.0
    """

    def __init__(self, y: Any) -> None:
        self.zero = zeros_like(y)

    def __enter__(self) -> Any:
        return self.zero

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        return None
