"""`%%quiz f`: the backward pass that a cell writes by hand, compared with the true one, line by line; `%quiz f` poses
it."""
from __future__ import annotations

import inspect
import types
import weakref
from collections.abc import Mapping
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from ..errors import TangentError
from . import at as at_
from . import cell as cell_
from . import target as target_
from .options import OptionError
from .quiz_options import QuizOptions, parse, parser
from .quiz_report import QuizReport
from .quiz_sheet import Sheet, fails
from .quiz_shown import QuizShown
from .shown import Shown
from .target import defined, existing
from .view import Message

HELP = """\
Check a backward pass that you have written by hand.

    %%quiz f --at "x=2.0"     runs the cell, and takes the function that it defines last

The function gets the arguments of `f` that it has parameters for. What it assigns to `bx` is compared with the true
cotangent of the variable `x` of `f`, in the order of its lines; what it returns, with the gradients. The first line
that is wrong is named, with the value found and the value expected. It is tried at other arguments, too.

A teacher poses a quiz with its rules, and cells that begin with `%%quiz loss` answer it, blanks being `...`:

    %quiz loss --at "x=X, w=W" --points bh=1,bw=2,return=1 -w w --no-solutions
    %quiz loss --hint bw      the next hint for bw, which costs a part of its points

`tnb.quiz_report("loss")` gives the points.

    %%quiz loss --at "x=X, w=W"
    def dloss(x, w):
        h = np.tanh(np.dot(x, w))
        bh = 2.0 * h
        bz = bh * (1.0 - h * h)
        bw = np.dot(x.T, bz)
        return bw

"""
_QUIZZES: weakref.WeakKeyDictionary[Any, Quiz] = weakref.WeakKeyDictionary()


class Quiz:
    """The magic of one shell. sheets: the quizzes by what stands for their function."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.sheets: dict[str, Sheet] = {}
        self.last = ""

    def __call__(self, line: str, cell: str | None) -> None:
        """Run the magic."""
        __tracebackhide__ = True
        options = parse(line)
        if cell is None:
            self._line(options, line)
            return
        attempt = defined(self.shell, cell, options.function)
        sheet = self._sheet(options, line, attempt)
        if isinstance(sheet, Message):
            display(Shown(sheet))  # type: ignore[no-untyped-call]
            return
        error = sheet.judge(attempt, solution=options.solution)
        if sheet.view is not None:
            display(QuizShown(sheet))  # type: ignore[no-untyped-call]
        sheet.refresh()
        if error is not None:
            cell_.begin_in((attempt,), error, self.shell)
            raise error

    def _line(self, options: QuizOptions, line: str) -> None:
        """Pose a quiz; or a hint or a solution is asked for."""
        sheet: Sheet | Message | None = self.sheets.get(options.target)
        if options.hint or options.show:
            if not isinstance(sheet, Sheet):
                raise OptionError(f"there is no quiz on {options.target} yet: pose it, %quiz {options.target} --at …")
            print(sheet.hint(options.hint) if options.hint else sheet.show(options.show))
            sheet.refresh()
            return
        sheet = self._posed(options, existing(self.shell, options.target, "%quiz f"), True)
        display(Shown(sheet) if isinstance(sheet, Message) else QuizShown(sheet, posed=True))  # type: ignore[no-untyped-call]

    def _sheet(self, options: QuizOptions, line: str, attempt: Any) -> Sheet | Message:
        """The quiz that a cell answers."""
        known = self.sheets.get(options.target)
        self.last = options.target
        if known is not None and known.posed:
            if set(line.split()) - {options.target, "-f", "--function", options.function, "--solution"}:
                raise OptionError(f"the quiz on {options.target} has its rules from %quiz {options.target}: "
                                  f"leave the options out, but -f")
            f: Any = known.f
        else:
            f = existing(self.shell, options.target, "%%quiz f")
        if attempt is f or type(attempt) is not types.FunctionType:
            raise OptionError(f"the backward pass is to be a function of its own, beside {options.target}")
        if known is not None and known.posed:
            if options.solution and not known.options.solutions:
                raise OptionError("this quiz shows no solutions (--no-solutions)")
            return known
        return self._posed(options, f, False)

    def _posed(self, options: QuizOptions, f: Any, posed: bool) -> Sheet | Message:
        """The quiz with these rules: the one that there is, with its hints and tries, or a new one."""
        self.last = options.target
        if not options.at:
            wanted = ", ".join(f"{name}=…" for name in inspect.signature(f).parameters)
            raise OptionError(f'%%quiz needs arguments to run at: --at "{wanted}"')
        known = self.sheets.get(options.target)
        try:
            bound = at_.evaluate(options.at, f, self.shell.user_ns)
            sheet = Sheet(f, options.rules, bound, posed)
        except OptionError:
            raise
        except Exception as error:
            return Message(fails(options.target, error))
        if known is not None and known.is_for(f, options.rules) and known.posed == posed:
            sheet.take_over(known)
        self.sheets[options.target] = sheet
        return sheet


def quiz_report(quiz: str | None = None) -> QuizReport:
    """What came of a quiz of this notebook: points, and a verdict for each blank.

    quiz: what stands behind `%%quiz`, None for the last one. A quiz that was posed and not answered is empty. Works
    without a page: in nbclient, papermill, nbgrader, otter-grader. TangentError: there is no such quiz, or no notebook.

    Marking that carries an error forward, so that one slip costs once: the usage of examination boards, as in the
    marking principles of the Joint Council for Qualifications ("error carried forward", "follow through").
    """
    found: Mapping[str, Sheet] = {}
    shell = get_ipython()
    if shell is not None and shell in _QUIZZES:
        found = _QUIZZES[shell].sheets
        quiz = _QUIZZES[shell].last if quiz is None else quiz
    if quiz is None or quiz not in found:
        there = ", ".join(found) or "none: answer one with %%quiz f, or pose one with %quiz f"
        raise TangentError(f"there is no quiz on {quiz or 'anything'} in this notebook; there is {there}")
    return found[quiz].report


def register(shell: Any) -> None:
    """Give a shell the magic."""
    _QUIZZES[shell] = quiz = Quiz(shell)
    target_.register(shell, "quiz", "line_cell", quiz, HELP, parser())
