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
from .derive import Derived
from .names import Names
from .options import OptionError, Options, parse, parser
from .session import Session, Take
from .shown import Shown, arguments, seen
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
                expression = target or options.function or ""
                self._derive(self._existing(expression), options, lambda: self._existing(expression))
            else:
                f = self._defined(options, cell)
                self._derive(f, options, lambda: self.shell.user_ns.get(f.__name__))
        except cell_.FailedError:
            return
        except OptionError as error:
            raise UsageError(str(error)) from None

    def _existing(self, expression: str) -> Any:
        """The function given to `%grad`."""
        if not expression:
            raise OptionError("give a function: %grad f")
        try:
            return eval(expression, self.shell.user_global_ns, self.shell.user_ns)
        except Exception as error:
            raise OptionError(f"{expression!r}: {type(error).__name__}: {error}") from error

    def _defined(self, options: Options, cell: str) -> Any:
        """The function of the cell, once the cell has run."""
        __tracebackhide__ = True
        namespace = self.shell.user_ns
        before = dict(namespace)
        defined = cell_.run(self.shell, cell) or _new(before, namespace)
        if options.function is not None:
            if options.function not in namespace:
                raise OptionError(f"-f {options.function}: there is no such function; "
                                  f"the cell defines {', '.join(defined) or 'none'}")
            return namespace[options.function]
        bound = [name for name in defined if name in namespace]
        if not bound:
            raise OptionError("the cell defines no function; write one with def, or name one with -f NAME")
        return namespace[bound[-1]]

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
            return seen(fn, derived, chosen, bound, [f"bound to {chosen.name}"] if chosen.name else [])

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
            cell_.begin_in((f, take.derived.function), take.error, self.shell)
            raise take.error


def _display(shown: Shown) -> None:
    display(shown)  # type: ignore[no-untyped-call]


def _new(before: dict[str, Any], namespace: dict[str, Any]) -> list[str]:
    """The functions that a cell has made in another way than by its own def, as under another magic."""
    return [name for name, value in namespace.items()
            if type(value) is types.FunctionType and before.get(name) is not value and not name.startswith("_")]


def register(shell: Any) -> Grad:
    """Give a shell the magics."""
    grad = Grad(shell)

    @no_var_expand
    def magic(line: str, cell: str | None = None) -> None:
        __tracebackhide__ = True
        grad(line, cell)

    magic.__doc__ = HELP + _options()
    shell.register_magic_function(magic, "line_cell", "grad")
    return grad


def _options() -> str:
    return parser("%%grad").format_help().partition("\n\n")[2]
