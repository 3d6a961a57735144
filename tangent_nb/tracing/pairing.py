"""Which variable holds the derivative of which: `bh` that of `h`."""
from __future__ import annotations

from collections.abc import Collection

from ..syntax.program import Derivation


def partner(derivation: Derivation, name: str, bound: Collection[str]) -> str | None:
    """The variable that holds the cotangent of `name` in a text of a derivative, in forward mode its tangent; None
    where there is none. bound: the names that the text binds.

    The user's variables have theirs by what the derivation says. A temporary, and a variable of another function, has
    the name behind a `b`, or a `d` in forward mode, where that is no variable that has a cotangent itself.
    """
    if name in derivation.cotangents:
        return derivation.cotangents[name] if derivation.cotangents[name] in bound else None
    found = f"{'d' if derivation.mode == 'forward' else 'b'}{name}"
    known = derivation.cotangents.values()
    taken = found in derivation.cotangents or found in known or name in known
    return found if found in bound and not taken else None


def pairs(derivation: Derivation, bound: Collection[str]) -> dict[str, str]:
    """The variables of a text that have one, with it.

    >>> import numpy as np
    >>> import tangent_nb as tnb
    >>> df = tnb.grad(lambda x: np.sum(np.sin(x) * x))
    >>> pairs(tnb.api.derivation(df), ["x", "bx", "sin", "bsin", "n"])
    {'x': 'bx', 'sin': 'bsin'}
    """
    return {name: found for name in bound if (found := partner(derivation, name, bound)) is not None}
