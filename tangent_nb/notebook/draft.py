"""The derivative of a text that is being written: the text is read, and nothing of it runs.

Needs a text and where it stands. Promises what the page shows of it: the state of the derivative, or the places where
it cannot be derived; never an error, whatever the text is.
"""
from __future__ import annotations

import ast
import inspect
import linecache
import types
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from ..backends.at_once import when_called
from ..capture.find import NoTextError, find
from ..emit import forget, passing
from ..errors import Refusal, RefusedError, TangentError, as_written
from ..every import unfit
from ..pipeline import Fronts, sharing
from ..syntax.program import MISSING, Derivation
from .cell import Place, functions, remember
from .derive import Derived, derive
from .options import OptionError, Options
from .session import missing
from .state import RAW, Choice, Status, keys_of, state, texts_of
from .tokens import visible, visible_lines
from .unrun import Unrun
from .view import KINDS, View
from .wire import packed

MOST_CHARACTERS = 1_000_000
MOST_FAULTS = 50
EDITING = "apply or discard what is written first"


@dataclass(frozen=True)
class Source:
    """A text that can be edited. text: as it is now; place: where it stands; label: of its cell; function: the name of
    the function that is derived, None for the last one."""

    text: str
    place: Place
    label: str
    function: str | None = None

    @property
    def first(self) -> int:
        """The number of its first line in the cell."""
        return len(self.place.above) + 1

    def edited(self, text: str) -> Source:
        """The same with another text."""
        return replace(self, text=text, place=self.place.edited(text))


@dataclass(frozen=True)
class Fault:
    """Why there is no derivative, and where: the line of the text from 1, the columns in characters, the end
    exclusive."""

    line: int
    column: int
    end: int
    text: str

    def data(self, lines: Sequence[str]) -> dict[str, Any]:
        """As it travels: columns in units of UTF-16, as JavaScript counts. lines: of the text."""
        line = lines[min(self.line, len(lines)) - 1]
        start, end = (len(line[:column].encode("utf-16-le", "surrogatepass")) // 2
                      for column in (self.column, self.end))
        return {"line": min(self.line, len(lines)), "column": start, "end": max(end, start + 1),
                "text": visible_lines(self.text)}


class Drafts:
    """The drafts of one widget: what the one before had is let go."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._paths: set[str] = set()

    def derive(self, source: Source, options: Options, at: inspect.BoundArguments | None) -> dict[str, Any]:
        """What the page is told of a text. at: arguments of the function before the text was edited."""
        forget(self._paths)
        filename = f"<{source.label}, in the editor>"
        try:
            with passing() as self._paths, when_called():
                return _answer(self._shell, source, options, at, filename)
        finally:
            linecache.cache.pop(filename, None)


def _answer(shell: Any, source: Source, options: Options, at: inspect.BoundArguments | None,
            filename: str) -> dict[str, Any]:
    lines = source.text.split("\n")
    try:
        unrun, name = _read(shell, source, filename)
        f = unrun.function(name)
        if type(f) is not types.FunctionType:
            raise OptionError(f"{name} is no function")
        bound = given(f, at)
        shown, derivation = _state(f, options, bound, [*unrun.notes(name), *_lost(at, bound), *_later(options, bound)])
        faults = list(_unknown(unrun, name, source))
        return {"state": shown, "faults": [fault.data(lines) for fault in faults[:MOST_FAULTS]],
                "lines": lines_of(derivation, filename, source)}
    except SyntaxError as error:
        faults = [_syntax(error, source, lines)]
    except RefusedError as error:
        faults = list(_refused(error, source, filename, _head(source, lines)))
    except (TangentError, OptionError) as error:
        faults = [replace(_head(source, lines), text=str(error))]
    except KeyboardInterrupt:
        faults = [replace(_head(source, lines), text="interrupted")]
    except (RecursionError, MemoryError, OverflowError):
        faults = [replace(_head(source, lines), text="it is nested too deeply, or too long, for Python")]
    except Exception as error:                             # the text stays, whatever happens
        faults = [replace(_head(source, lines), text=f"no derivative: {type(error).__name__}: {error}"[:2000])]
    return {"state": None, "faults": [fault.data(lines) for fault in faults[:MOST_FAULTS]], "lines": []}


def lines_of(derivation: Derivation, filename: str, source: Source) -> list[int]:
    """For each row of the left pane the line of the text that it is; 0 for those of other texts."""
    keys = keys_of(derivation)
    found = {key: number - source.first + 1 for (name, number), key in keys.items() if name == filename}
    return [max(0, found.get(key, 0)) for key in range(len(keys))]


def _read(shell: Any, source: Source, filename: str) -> tuple[Unrun, str]:
    """What the text would bind, and the function that is derived."""
    if len(source.text) > MOST_CHARACTERS:
        raise OptionError("the text is too long to be derived while it is written")
    body = source.place.body(shell, source.text)
    try:
        with warnings.catch_warnings():                    # of what is half written there are many
            warnings.simplefilter("ignore")
            tree = ast.parse(body, filename)
    except ValueError as error:                            # a null byte
        raise OptionError(f"Python cannot read it: {error}") from error
    remember(filename, body)
    unrun = Unrun(tree, filename, shell.user_ns, shell.compile.flags)
    found = [name for name in functions(tree) if name in unrun.written]
    name = source.function or (found[-1] if found else "")
    if not name and source.text.lstrip().startswith("%%"):
        raise OptionError(f"what {source.text.split()[0]} makes of it is not known before it is applied")
    if not name:
        raise OptionError("there is no function in it yet: write one with def")
    if unrun.function(name) is MISSING:
        raise OptionError(f"there is no function {name} in it")
    return unrun, name


def given(f: Any, at: inspect.BoundArguments | None) -> inspect.BoundArguments | None:
    """The arguments by name for another function; None where it takes others."""
    if at is None:
        return None
    signature = inspect.signature(f)
    by_name, known = signature.bind_partial(), dict(at.arguments)
    for name, parameter in signature.parameters.items():
        if name in known:
            by_name.arguments[name] = known[name]
        elif parameter.default is parameter.empty and parameter.kind not in (
                parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            return None
    by_name.apply_defaults()
    return by_name


def _lost(at: inspect.BoundArguments | None, bound: inspect.BoundArguments | None) -> Iterator[str]:
    if at is not None and bound is None:
        yield "the arguments of --at are not those of the function as it is written: this is the text for all arguments"


def _later(options: Options, bound: inspect.BoundArguments | None) -> Iterator[str]:
    if options.compile == "numba" and bound is not None:
        yield "Numba compiles it when it is applied, and may refuse it then"


def _state(f: types.FunctionType, options: Options, bound: inspect.BoundArguments | None,
           notes: Sequence[str]) -> tuple[dict[str, Any], Derivation]:
    """The state of a page, and what it is of. The function does not run: there are no values. Of the stages it has
    those that one looks at while writing: each one more is a text to be written, coloured and sent. Nor has it the text
    to which that for the examples passes others on."""
    start = perf_counter()
    with sharing(Fronts(), glance=True):
        derived = derive(f, replace(options, check=False, nan=False, trace=False, step=False, present=False), bound)
    milliseconds = round(1e3 * (perf_counter() - start), 1)
    known = replace(derived.derivation, stages=tuple(
        stage for place, stage in enumerate(derived.derivation.stages)
        if place in (0, len(derived.derivation.stages) - 1) or stage.name == RAW))
    return packed(state(_view(derived, notes), known, texts_of(known), Choice.of(known),
                        unfit(f, None if bound is None else bound.arguments), missing(),
                        status=Status(milliseconds), still=EDITING)), known


def _view(derived: Derived, notes: Sequence[str]) -> View:
    known = derived.derivation
    return View(derived.function.__name__, ((KINDS.get(known.kind, "derivative of"), known.primal.name),),
                notes=(*derived.notes, *notes))


def _head(source: Source, lines: Sequence[str]) -> Fault:
    """The head of the function that is derived, as far as it can be found in a text that may be wrong; else the first
    line."""
    heads = [(number, line) for number, line in enumerate(lines, 1) if line.lstrip().startswith(("def ", "async def "))]
    wanted = [one for one in heads if source.function is None or f"def {source.function}(" in one[1]]
    number, line = (wanted or heads or [(1, lines[0])])[-1]
    return Fault(number, len(line) - len(line.lstrip()), len(line.rstrip()), "")


def _syntax(error: SyntaxError, source: Source, lines: Sequence[str]) -> Fault:
    number = min(max((error.lineno or source.first) - source.first + 1, 1), len(lines))
    line = lines[number - 1]
    start = min(max((error.offset or 1) - 1, 0), len(line))
    end = error.end_offset - 1 if error.end_lineno == error.lineno and error.end_offset else start + 1
    return Fault(number, start, min(max(end, start + 1), max(len(line), start + 1)), f"{error.msg}")


def _unknown(unrun: Unrun, name: str, source: Source) -> Iterator[Fault]:
    """Names that nothing binds yet. The derivative is there: it looks them up when it is called."""
    for node in unrun.unknown(name):
        line = linecache.getline(unrun.filename, node.lineno).encode("utf-8", "surrogatepass")
        ends = node.col_offset, node.end_col_offset or 0
        start, end = (len(line[:byte].decode("utf-8", "replace")) for byte in ends)
        yield Fault(node.lineno - source.first + 1, start, end, f"{node.id} is not known, in the notebook or here")


def _refused(error: RefusedError, source: Source, filename: str, head: Fault) -> Iterator[Fault]:
    for one in error.refusals:
        remedy = f"\ninstead: {as_written(one.remedy, one.span)}" if one.remedy else ""
        yield _placed(one, as_written(one.why, one.span) + remedy, source, filename, head)


def _placed(one: Refusal, words: str, source: Source, filename: str, head: Fault) -> Fault:
    span = one.span
    if span is None:
        return replace(head, text=words)
    number = span.line - source.first + 1
    if span.source.filename != filename or number < 1:
        return replace(head, text=f"{visible(span.source.label)}, line {span.line}: {words}")
    end = span.end_column if span.end_line == span.line else len(span.source.line(span.line))
    return Fault(number, span.column, max(end, span.column + 1), words)


def source_of(shell: Any, f: Any) -> Source | str:
    """The text of a function of the notebook; where it cannot be edited, why not."""
    code = getattr(f, "__code__", None)
    if type(f) is not types.FunctionType or code is None:
        return "what is derived here is no function of the notebook"
    number = getattr(shell.compile, "_filename_map", {}).get(code.co_filename)
    if f.__globals__ is not shell.user_ns or number is None:
        return f"{f.__name__} is not of a cell of this notebook: edit it where it is"
    try:
        text, definition = find(code, f.__globals__)
    except NoTextError:
        return f"the text of {f.__name__} is not what was run any more"
    node = definition.node
    if isinstance(node, ast.Lambda) or node.col_offset != 0:
        return f"{f.__name__} is not a def at the margin of a cell: edit the cell"
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    place = Place(text.lines[:first - 1], number)
    return Source("\n".join(text.lines[first - 1:node.end_lineno]), place, text.label, f.__name__)
