"""`%%grad` and `%grad`: run a cell, or take a function, and show the derivative."""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

from IPython.display import display

from ..errors import TangentError
from ..take_away import export
from . import cell as cell_
from . import target as target_
from .derive import Derived, report
from .draft import Source, source_of
from .editor import Editor
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

    def __call__(self, line: str, cell: str | None) -> None:
        """Run the magic."""
        __tracebackhide__ = True
        options, target = parse(line, "%grad" if cell is None else "%%grad")
        if cell is None:
            expression = target or options.function
            f = existing(self.shell, expression, "%grad f")
            self._derive(f, options, lambda: existing(self.shell, expression, "%grad f"), source_of(self.shell, f))
        else:
            place = cell_.place_of(self.shell, cell)
            f = defined(self.shell, cell, options.function, place)
            self._derive(f, options, lambda: self.shell.user_ns.get(f.__name__),
                         Source(cell, place, f"cell In[{place.number}]", options.function))

    def _derive(self, f: Any, options: Options, find: Callable[[], Any], source: Source | str) -> None:
        namespace = self.shell.user_ns

        def at(fn: Any) -> inspect.BoundArguments | None:
            return arguments(fn, options.at, namespace)

        def found() -> Any:
            try:
                return find()
            except OptionError:
                return None

        def see(fn: types.FunctionType, derived: Derived, chosen: Options,
                bound: inspect.BoundArguments | None) -> View:
            renamed = chosen.name and chosen.name != derived.function.__name__
            return seen(fn, derived, chosen, bound, [f"bound to {chosen.name}"] if renamed else [])

        if options.dry_run:
            display(Shown(Message(report(f, options, at(f)))))  # type: ignore[no-untyped-call]
            return
        try:
            take = Take(f, options, at(f), see)
        except TangentError as error:
            stale = ", ".join(self.names.drop(namespace, f))
            gone = (f"{stale}: of the function as it was before, and gone",) if stale else ()
            display(Shown(Message(str(error), gone)))  # type: ignore[no-untyped-call]
            return
        session = Session(take, namespace, self.names, found, at)
        session.editor = Editor(self.shell, source)
        session.use()
        if options.export is not None:
            try:
                export(inspect.unwrap(take.derived.function), options.export)
            except OSError as error:
                raise OptionError(f"--export: {error}") from error
        if options.quiet:
            return
        display(Shown(session, static=options.static))  # type: ignore[no-untyped-call]
        if take.error is not None:
            cell_.begin_in((f, inspect.unwrap(take.derived.function)), take.error, self.shell)
            raise take.error


def register(shell: Any) -> None:
    """Give a shell the magics."""
    target_.register(shell, "grad", "line_cell", Grad(shell), HELP, parser("%%grad"))
