"""The functions that a magic is about: one that there is, and one that its cell defines."""
from __future__ import annotations

import types
from typing import Any

from . import cell as cell_
from .options import OptionError


def existing(shell: Any, expression: str | None, usage: str) -> Any:
    """What an expression on the magic's line means."""
    if expression is None:
        raise OptionError(f"give a function: {usage}")
    try:
        return eval(expression, shell.user_global_ns, shell.user_ns)
    except Exception as error:
        raise OptionError(f"{expression!r}: {type(error).__name__}: {error}") from error


def defined(shell: Any, cell: str, name: str | None) -> Any:
    """The function of a cell, once the cell has run: the one of that name, or the last."""
    __tracebackhide__ = True
    namespace = shell.user_ns
    before = dict(namespace)
    found = cell_.run(shell, cell) or _new(before, namespace)
    if name is not None:
        if name not in namespace:
            raise OptionError(f"-f {name}: there is no such function; the cell defines {', '.join(found) or 'none'}")
        return namespace[name]
    bound = [one for one in found if one in namespace]
    if not bound:
        raise OptionError("the cell defines no function; write one with def, or name one with -f NAME")
    return namespace[bound[-1]]


def _new(before: dict[str, Any], namespace: dict[str, Any]) -> list[str]:
    """The functions that a cell has made in another way than by its own def, as under another magic."""
    return [name for name, value in namespace.items()
            if type(value) is types.FunctionType and before.get(name) is not value and not name.startswith("_")]
