"""The names that `%%grad` binds in the user's namespace: only those that are free, or that it bound itself."""
from __future__ import annotations

import types
from collections.abc import MutableMapping
from typing import Any

from ..runtime.containers import described
from .options import OptionError


class Names:
    """Which derivative each name was bound to, and what that is the derivative of."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[types.FunctionType, types.FunctionType]] = {}

    def bind(self, namespace: MutableMapping[str, Any], name: str, derivative: types.FunctionType,
             primal: types.FunctionType) -> None:
        """Bind a derivative; refuse where the name is the user's."""
        if name in namespace and not self._ours(namespace, name):
            raise OptionError(f"{name} is a name of yours already ({described(namespace[name])}): "
                              f"bind the derivative to another one with -n NAME")
        namespace[name] = derivative
        self._made[name] = derivative, primal

    def drop(self, namespace: MutableMapping[str, Any], primal: Any) -> list[str]:
        """Unbind the derivatives of an earlier function of the same name, which was another than `primal`."""
        stale = [name for name, (_, of) in self._made.items() if self._ours(namespace, name)
                 and of.__name__ == getattr(primal, "__name__", None) and not same(of, primal)]
        for name in stale:
            del namespace[name], self._made[name]
        return stale

    def _ours(self, namespace: MutableMapping[str, Any], name: str) -> bool:
        return name in namespace and name in self._made and namespace[name] is self._made[name][0]


def same(a: types.FunctionType, b: Any) -> bool:
    """Whether two functions do the same: a cell that is run again makes a new function of the same text."""
    if type(a) is not types.FunctionType or type(b) is not types.FunctionType:
        return a is b
    one, other = a.__code__, b.__code__
    return (one.co_code, one.co_consts, one.co_names) == (other.co_code, other.co_consts, other.co_names)
