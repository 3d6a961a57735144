"""The names that `%%grad` binds in the user's namespace: only those that are free, or that it bound itself."""
from __future__ import annotations

import types
from collections.abc import MutableMapping
from typing import Any

from .options import OptionError


class Names:
    """Which derivative each name was bound to, and what that is the derivative of."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[types.FunctionType, types.FunctionType]] = {}

    def bind(self, namespace: MutableMapping[str, Any], name: str, derivative: types.FunctionType,
             primal: types.FunctionType) -> None:
        """Bind a derivative; refuse where the name is the user's."""
        if name in namespace and not self._ours(namespace, name):
            raise OptionError(f"{name} is a name of yours already ({_kind(namespace[name])}): "
                              f"bind the derivative to another one with -n NAME")
        namespace[name] = derivative
        self._made[name] = derivative, primal

    def drop(self, namespace: MutableMapping[str, Any], primal: Any) -> list[str]:
        """Unbind the derivatives of an earlier function of the same name: they are not those of `primal`."""
        stale = [name for name, (_, of) in self._made.items() if self._ours(namespace, name) and of is not primal
                 and of.__name__ == getattr(primal, "__name__", None)]
        for name in stale:
            del namespace[name], self._made[name]
        return stale

    def _ours(self, namespace: MutableMapping[str, Any], name: str) -> bool:
        return name in namespace and name in self._made and namespace[name] is self._made[name][0]


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}" if not isinstance(value, types.FunctionType) else "a function"
