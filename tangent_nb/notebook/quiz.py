"""`%%quiz f`: the backward pass that a cell writes by hand, compared with the true one, line by line."""
from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from typing import Any

from IPython.display import display

from ..errors import TangentError
from ..every import EVERY
from . import at as at_
from . import cell as cell_
from . import target as target_
from .answer import answer
from .cotangents import Record, recorded
from .derive import derive
from .options import OptionError, Options, Wrt
from .quiz_options import QuizOptions, parse, parser
from .rerun import Calls
from .shown import Shown
from .target import defined, existing
from .truth import Truth
from .view import Message, View, view

HELP = """\
Check a backward pass that you have written by hand.

    %%quiz f --at "x=2.0"     runs the cell, and takes the function that it defines last

The function gets the arguments of `f` that it has parameters for. What it assigns to `bx` is compared with the true
cotangent of the variable `x` of `f`, in the order of its lines; what it returns, with the gradients. The first line
that is wrong is named, with the value found and the value expected.

    %%quiz loss --at "x=X, w=W"
    def dloss(x, w):
        h = np.tanh(np.dot(x, w))
        bh = 2.0 * h
        bz = bh * (1.0 - h * h)
        bw = np.dot(x.T, bz)
        return bw

"""
# which keep cotangents' names
READABLE = ("inlining", "recompute", "unbroadcast", "first_write", "constant_folding", "dead_code")


class Quiz:
    """The magic of one shell."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def __call__(self, line: str, cell: str) -> None:
        """Run the magic."""
        __tracebackhide__ = True
        options = parse(line)
        attempt = defined(self.shell, cell, options.function)
        f = existing(self.shell, options.target, "%%quiz f")
        if attempt is f or type(attempt) is not types.FunctionType:
            raise OptionError(f"the backward pass is to be a function of its own, beside {options.target}")
        shown, error = self._answer(f, attempt, options)
        if shown is not None:
            display(Shown(shown))  # type: ignore[no-untyped-call]
        if error is not None:
            cell_.begin_in((attempt,), error, self.shell)
            raise error

    def _answer(self, f: Any, attempt: types.FunctionType,
                options: QuizOptions) -> tuple[View | Message | None, Exception | None]:
        """What is to be shown, and what the attempt raised."""
        namespace = self.shell.user_ns
        try:
            bound = at_.evaluate(options.at, f, namespace)
            truth = Truth.of(f, bound)
            wanted = _wanted(f, truth, options.wrt)
            solution = _solution(f, truth, bound) if options.solution else None
        except TangentError as error:
            return Message(str(error)), None
        except OptionError:
            raise
        except Exception as error:                 # without its traceback, which would show the derivative
            return Message(f"{options.target} or its derivative fails at these arguments: "
                           f"{type(error).__name__}: {error}"), None
        arguments = _arguments(attempt, f, bound)
        calls = Calls(attempt, (), arguments)
        record = recorded(attempt, lambda: calls(attempt, shown=True))
        if record.error is not None and not record.assigned:
            return None, record.error

        def again(repairs: Mapping[int, Any]) -> Record:
            return recorded(attempt, lambda: calls(attempt), repairs)

        return answer(attempt.__name__, truth, record, options, wanted, solution, again), record.error


def _arguments(attempt: types.FunctionType, f: Any, bound: inspect.BoundArguments) -> dict[str, Any]:
    """The arguments of `f` that the backward pass has parameters for."""
    found = {}
    for name, parameter in inspect.signature(attempt).parameters.items():
        if name in bound.arguments and parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            found[name] = bound.arguments[name]
        elif parameter.default is parameter.empty:
            raise OptionError(f"{attempt.__name__} has a parameter {name}, which {f.__name__} has not: "
                              f"give it parameters of {f.__name__} ({', '.join(bound.arguments)}), or a default")
    return found


def _wanted(f: Any, truth: Truth, wrt: Wrt) -> tuple[str, ...]:
    """The parameters whose gradients are to be returned, in order; none where the names that are returned say it."""
    if wrt == EVERY:
        return ()
    parameters = list(inspect.signature(f).parameters)
    names = []
    for one in wrt if isinstance(wrt, tuple) else (wrt,):
        name = parameters[one] if isinstance(one, int) and -len(parameters) <= one < len(parameters) else str(one)
        if name not in truth.gradients:
            raise OptionError(f"-w {name}: {f.__name__} has no gradient with respect to it here; "
                              f"there is one for {', '.join(truth.gradients)}")
        names.append(name)
    return tuple(names)


def _solution(f: Any, truth: Truth, bound: inspect.BoundArguments) -> View:
    """The true derivative beside the function."""
    shown = derive(f, Options(wrt=tuple(truth.gradients), passes=READABLE), bound)
    return view(shown.function.__name__, shown.derivation, every_pass=False)


def register(shell: Any) -> None:
    """Give a shell the magic."""
    target_.register(shell, "quiz", "cell", Quiz(shell), HELP, parser())
