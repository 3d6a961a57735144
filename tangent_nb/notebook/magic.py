"""`%%grad` and `%grad`: run a cell, or take a function, and show the derivative."""
from __future__ import annotations

import types
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import no_var_expand
from IPython.display import display

from ..errors import TangentError
from . import cell as cell_
from .derive import Derived, derive
from .names import Names
from .options import OptionError, Options, parse, parser
from .shown import Shown, arguments, seen
from .view import Message

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
            f = self._existing(options, target) if cell is None else self._defined(options, cell)
            self._derive(f, options)
        except cell_.FailedError:
            return
        except OptionError as error:
            raise UsageError(str(error)) from None

    def _existing(self, options: Options, target: str | None) -> Any:
        """The function given to `%grad`."""
        expression = target or options.function
        if expression is None:
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

    def _derive(self, f: Any, options: Options) -> None:
        namespace = self.shell.user_ns
        try:
            bound = arguments(f, options.at, namespace)
            derived = derive(f, options, bound)
        except TangentError as error:
            stale = ", ".join(self.names.drop(namespace, f))
            _display(Shown(Message(str(error), (f"{stale}: of the function as it was before, and gone",) if stale else ())))
            return
        name = options.name or derived.function.__name__
        self.names.bind(namespace, name, derived.function, f)
        self._show(f, derived, options, bound, [f"bound to {name}"] if options.name else [])

    def _show(self, f: types.FunctionType, derived: Derived, options: Options, bound: Any, notes: list[str]) -> None:
        """Display the derivative; also where a call of it, for the values, raises."""
        if options.quiet:
            return
        try:
            _display(Shown(seen(f, derived, options, bound, notes), derived.function))
        except Exception as error:
            _display(Shown(seen(f, derived, options, None, notes), derived.function))
            cell_.begin_in((f, derived.function), error, self.shell)
            raise


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
