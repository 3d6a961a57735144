"""`%%grad` and `%grad`: run a cell, or take a function, and show the derivative."""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import no_var_expand
from IPython.display import display

from ..errors import TangentError
from . import cell as cell_
from .derive import Derived, report
from .names import Names
from .options import OptionError, Options, parse, parser
from .session import Session, Take
from .shown import Shown, arguments, seen
from .target import defined, existing
from .view import Message, View

HELP = """\
Show the derivative of a function beside its source, and bind it to the name it has there.

    %%grad [options]          runs the cell, and takes the function that it defines last
    %grad f [options]         takes a function that there is

The derivative of `f` with respect to `x` is the function `df_dx`, in forward mode `tf_dx`. A name of yours is never
overwritten.

    %%grad -w w,b --at "x=X, w=W, b=B"
    def loss(x, w, b):
        return np.sum(np.tanh(np.dot(x, w) + b))

"""


class Grad:
    """The magic of one shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.names = Names()

    def __call__(self, line: str, cell: str | None = None) -> None:
        """Run the magic; what it cannot do it says in one line, as other magics do."""
        try:
            options, target = parse(line, "%grad" if cell is None else "%%grad")
            if cell is None:
                expression = target or options.function
                self._derive(existing(self.shell, expression, "%grad f"), options, lambda: existing(self.shell, expression, "%grad f"))
            else:
                f = defined(self.shell, cell, options.function)
                self._derive(f, options, lambda: self.shell.user_ns.get(f.__name__))
        except cell_.FailedError:
            return
        except OptionError as error:
            raise UsageError(str(error)) from None

    def _derive(self, f: Any, options: Options, find: Callable[[], Any]) -> None:
        namespace = self.shell.user_ns

        def at(fn: Any) -> inspect.BoundArguments | None:
            return arguments(fn, options.at, namespace)

        def found() -> Any:
            try:
                return find()
            except OptionError:
                return None

        def see(fn: types.FunctionType, derived: Derived, chosen: Options, bound: inspect.BoundArguments | None) -> View:
            renamed = chosen.name and chosen.name != derived.function.__name__
            return seen(fn, derived, chosen, bound, [f"bound to {chosen.name}"] if renamed else [])

        if options.dry_run:
            _display(Shown(Message(report(f, options, at(f)))))
            return
        try:
            take = Take(f, options, at(f), see)
        except TangentError as error:
            stale = ", ".join(self.names.drop(namespace, f))
            _display(Shown(Message(str(error), (f"{stale}: of the function as it was before, and gone",) if stale else ())))
            return
        session = Session(take, namespace, self.names, found, at)
        session.use()
        if options.quiet:
            return
        _display(Shown(session, static=options.static))
        if take.error is not None:
            cell_.begin_in((f, inspect.unwrap(take.derived.function)), take.error, self.shell)
            raise take.error


def _display(shown: Shown) -> None:
    display(shown)  # type: ignore[no-untyped-call]


def register(shell: Any) -> Grad:
    """Give a shell the magics."""
    grad = Grad(shell)

    @no_var_expand
    def magic(line: str, cell: str | None = None) -> None:
        __tracebackhide__ = True
        grad(line, cell)

    magic.__doc__ = HELP + parser("%%grad").format_help().partition("\n\n")[2]
    shell.register_magic_function(magic, "line_cell", "grad")
    return grad
