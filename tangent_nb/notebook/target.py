"""What magics have in common: how a shell gets them, and the functions they are about,
one that there is or one that the cell defines."""
from __future__ import annotations

import argparse
import types
from collections.abc import Callable
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import no_var_expand

from . import cell as cell_
from .options import OptionError


def register(shell: Any, name: str, kind: str, run: Callable[[str, Any], None], help: str,
             options: argparse.ArgumentParser) -> None:
    """Give a shell a magic. What `run` cannot do is said in one line, as other magics do."""
    @no_var_expand
    def magic(line: str, cell: str | None = None) -> None:
        __tracebackhide__ = True
        try:
            run(line, cell)
        except cell_.FailedError:
            return
        except OptionError as error:
            raise UsageError(str(error)) from None

    magic.__doc__ = help + options.format_help().partition("\n\n")[2]
    shell.register_magic_function(magic, kind, name)


def existing(shell: Any, expression: str | None, usage: str) -> Any:
    """What an expression on the magic's line means."""
    if expression is None:
        raise OptionError(f"give a function: {usage}")
    try:
        return eval(expression, shell.user_global_ns, shell.user_ns)
    except Exception as error:
        raise OptionError(f"{expression!r}: {type(error).__name__}: {error}") from error


def defined(shell: Any, cell: str, name: str | None, place: cell_.Place | None = None) -> Any:
    """The function of a cell, once the cell has run: the one of that name, or the last. place: where the cell's text
    stands, if not in the cell that runs now."""
    __tracebackhide__ = True
    namespace = shell.user_ns
    before = dict(namespace)
    found = cell_.run(shell, cell, place) or _new(before, namespace)
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
