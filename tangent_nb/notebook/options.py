"""What `%%grad`, `%grad` and `show` can be told, and how it is read."""
from __future__ import annotations

import argparse
import difflib
import keyword
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeAlias

from ..backends import BACKENDS, COMPILERS
from ..every import EVERY
from ..optimise import PASSES, USUAL
from .tape import parse_tape

Wrt: TypeAlias = "int | str | tuple[int | str, ...]"

MODES = ("reverse", "forward")


UNCHECKED = "--check compares with differences, and a sampled gradient is right on average alone: "


class OptionError(ValueError):
    """An option that cannot be followed; the message says which, and what is possible."""


@dataclass(frozen=True)
class Options:
    """The options of one derivative.

    function: the name, None for the last definition of the cell; wrt: as in `grad`, or EVERY; passes: None for all;
    name: what to call the derivative, None for the name that its function gives it; at: arguments as text; static: a
    page without script; nan: the derivative is watched; backend: one of BACKENDS; dry_run: only what is refused is
    shown; compile: one of COMPILERS, or None; export: the Python file that the derivative is written into, or None;
    present: large type, and the backward lines one at a time; step: a run is gone through on the page;
    trace: the table of the elementary operations is shown; tape_report: that of the values that are saved;
    edit: the source is edited on the page at once; tape: a sampled tape, `"sampled:0.1"`.
    """

    function: str | None = None
    wrt: Wrt = 0
    mode: str = "reverse"
    passes: tuple[str, ...] | None = None
    name: str | None = None
    at: str | None = None
    check: bool = False
    quiet: bool = False
    static: bool = False
    nan: bool = False
    backend: str = "numpy"
    dry_run: bool = False
    compile: str | None = None
    export: str | None = None
    present: bool = False
    step: bool = False
    trace: bool = False
    tape_report: bool = False
    edit: bool = False
    tape: str | None = None

    @property
    def optimized(self) -> bool | tuple[str, ...]:
        """The argument `optimized` of `grad`."""
        return True if self.passes is None else self.passes or False


class _Parser(argparse.ArgumentParser):
    """A parser that raises."""

    def error(self, message: str) -> NoReturn:
        raise OptionError(message)


def empty_parser(magic: str) -> argparse.ArgumentParser:
    """A parser of a magic's line, which raises OptionError, without options yet."""
    return _Parser(prog=magic, add_help=False, allow_abbrev=False,
                   formatter_class=lambda prog: argparse.RawTextHelpFormatter(prog, max_help_position=28, width=110))


def parser(magic: str) -> argparse.ArgumentParser:
    """The options of the magic `%%grad`, or of `%grad`, which takes a function first."""
    result = empty_parser(magic)
    if magic == "%grad":
        result.add_argument("target", nargs="?", metavar="f", help="the function, or an expression for it")
    result.add_argument("-f", "--function", metavar="NAME",
                        help="which function of the cell (default: the one defined last)")
    result.add_argument("-w", "--wrt", metavar="x,w1", default="0",
                        help="with respect to which parameters: names or positions (default: the first);\n"
                             "`-w x` gives the bare gradient, `-w x,w1` a tuple, `-w '*'` all that can have one")
    result.add_argument("-m", "--mode", metavar="MODE", default="reverse",
                        help="reverse (default): the gradient; forward: the tangent along given directions")
    result.add_argument("-b", "--backend", metavar="LIBRARY", default="numpy",
                        help="numpy (default), or jax: the same on jax.numpy")
    result.add_argument("-c", "--compile", metavar="jit|numba",
                        help="compile the derivative: with jax.jit (implies -b jax), or with Numba,\n"
                             "for the arguments of each call (--at shows the text for some)")
    result.add_argument("--raw", action="store_true", help="without any optimization pass")
    result.add_argument("-O", "--passes", metavar="pass,…",
                        help=f"with these passes alone, of {', '.join(PASSES)}; +reuse: with all and this one")
    result.add_argument("--tape", metavar="sampled:0.1",
                        help="save samples: an unbiased gradient in less memory, of a fraction of the activations;\n"
                             "sampled:k=30,method=rademacher,share=batch,seed=0: as tnb.Sampled has it")
    result.add_argument("-n", "--name", metavar="NAME",
                        help="call the derivative so (default: df_dx)")
    result.add_argument("--at", metavar='"x=2.0, n=3"',
                        help="arguments, evaluated where your names live: specializes the derivative for them,\n"
                             "and shows the value and the derivative there")
    result.add_argument("--check", action="store_true",
                        help="with --at: compare with finite differences, and forward with reverse mode")
    result.add_argument("--trace", action="store_true",
                        help="with --at: the elementary operations there, beside their adjoints (-m forward: tangents)")
    result.add_argument("--tape-report", action="store_true",
                        help="with --at: the values that are saved for the backward sweep there, with their bytes")
    result.add_argument("--static", action="store_true", help="a page without script instead of the widget")
    result.add_argument("--present", action="store_true", help="large type, and the backward lines one at a time: "
                        "space, right arrow\nor a click reveals the next, Escape leaves")
    result.add_argument("--nan", action="store_true", help="the derivative stops at the first line that makes a NaN or "
                        "an Inf, and shows its inputs;\n"
                        "with --at it runs there")
    result.add_argument("--step", action="store_true",
                        help="with --at: go through a run of the derivative, line by line")
    result.add_argument("--edit", action="store_true",
                        help="edit the source on the page: the derivative follows, nothing runs before you apply it")
    result.add_argument("--dry-run", action="store_true", help="derive nothing: list all places that are refused")
    result.add_argument("-e", "--export", metavar="FILE.py",
                        help="write the derivative into a Python file that needs NumPy alone")
    result.add_argument("-q", "--quiet", action="store_true", help="show nothing")
    return result


def parse(line: str, magic: str = "%%grad") -> tuple[Options, str | None]:
    """The options of a magic's line, and the function given to `%grad`.

    >>> parse("-w x,w1 --at 'x=2.0, n=3'")[0].wrt
    ('x', 'w1')
    >>> parse("model.loss --raw", "%grad")[1]
    'model.loss'
    """
    given = vars(read(line, parser(magic)))
    target = given.pop("target", None)
    return make(**given), target


def read(line: str, parser: argparse.ArgumentParser) -> argparse.Namespace:
    """What stands on the line of a magic."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError as error:
        raise OptionError(f"a quote is not closed in {line.strip()!r}") from error
    found, unknown = parser.parse_known_args(words)
    if unknown:
        before = words[words.index(unknown[0]) - 1]
        if before.endswith(",") and before not in unknown:                     # `--at x, w`
            raise OptionError(f"{before} {unknown[0]} has a blank: put it in quotes, or leave the blank out")
        raise OptionError(_unknown(unknown[0], parser))
    return found


def make(*, wrt: Wrt = 0, raw: bool = False, passes: str | Iterable[str] | None = None, **given: Any) -> Options:
    """Options from values that come from outside: each is checked here."""
    one = Options(**given)
    for what, chosen, known in (("mode", one.mode, MODES), ("backend", one.backend, BACKENDS)):
        if chosen not in known:
            raise OptionError(f"the {what} is {' or '.join(known)}, not {chosen!r}{_meant(chosen, known)}")
    if one.compile not in (None, *COMPILERS):
        raise OptionError(f"-c is {' or '.join(COMPILERS)}, not {one.compile!r}")
    if one.compile and one.backend not in ("numpy", COMPILERS[one.compile]):
        raise OptionError(f"-c {one.compile} is for -b {COMPILERS[one.compile]}: leave -b {one.backend} out")
    no_lines(one.compile, one.nan)
    try:
        tape = parse_tape(one.tape)
    except ValueError as error:
        raise OptionError(str(error)) from None
    if tape is not None and (one.mode != "reverse" or one.compile == "numba"):
        raise OptionError("--tape is for reverse mode on NumPy or JAX: leave it out, or -m and -c")
    if tape is not None and one.check:
        raise OptionError(UNCHECKED + "leave --tape out")
    if one.present and one.static:
        raise OptionError("--present reveals lines by script, --static is a page without: leave one of them out")
    if one.edit and one.static:
        raise OptionError("--edit edits by script, --static is a page without: leave one of them out")
    if one.step and one.at is None:
        raise OptionError('--step needs arguments to run at: --at "x=2.0"')
    if one.step and (one.compile or one.backend != "numpy"):
        raise OptionError("--step follows the lines of a derivative on NumPy that is not compiled: leave -b and -c out")
    if raw and passes is not None:
        raise OptionError("--raw is without passes, -O names passes: give one of them")
    if one.name is not None and (not one.name.isidentifier() or keyword.iskeyword(one.name)):
        raise OptionError(f"{one.name!r} is not a name that can be bound")
    if one.export is not None and not one.export.endswith(".py"):
        raise OptionError(f"--export takes a Python file, not {one.export!r}: a name that ends in .py")
    if one.check and one.at is None:
        raise OptionError('--check needs arguments to check at: --at "x=2.0"')
    if one.trace and one.at is None:
        raise OptionError('--trace needs arguments to run with: --at "x=2.0"')
    if one.tape_report and one.at is None:
        raise OptionError('--tape-report needs arguments to run with: --at "x=2.0"')
    return replace(one, wrt=parse_wrt(wrt), passes=() if raw else parse_passes(passes),
                   backend=COMPILERS[one.compile] if one.compile else one.backend)


def no_lines(compile: str | None, nan: bool) -> None:
    """Refuse to follow the lines of compiled code."""
    if compile and nan:
        raise OptionError("--nan follows the lines of a derivative, and a compiled one runs none: leave -c out")


def parse_wrt(wrt: Wrt) -> Wrt:
    """Parameters from text: a single one as itself, several as a tuple.

    >>> parse_wrt("x"), parse_wrt("x, 1"), parse_wrt("x,"), parse_wrt("*")
    ('x', ('x', 1), ('x',), '*')
    """
    if isinstance(wrt, tuple):
        return tuple(one for each in wrt for one in _flat(parse_wrt(each)))
    if not isinstance(wrt, str):
        return wrt
    parts = [part.strip() for part in wrt.split(",")]
    several = len(parts) > 1
    if several and not parts[-1]:
        parts.pop()
    for part in parts:
        if not (part.isidentifier() or _is_index(part) or (part == EVERY and not several)):
            raise OptionError(f"{part!r} is neither the name nor the position of a parameter")
    found: list[int | str] = [int(part) if _is_index(part) else part for part in parts]
    return tuple(found) if several else found[0]


def _flat(wrt: Wrt) -> tuple[int | str, ...]:
    return wrt if isinstance(wrt, tuple) else (wrt,)


def _is_index(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def parse_passes(passes: str | Iterable[str] | None) -> tuple[str, ...] | None:
    """Names of passes, each one known. Case, and `_` or blanks for `-`, do not matter. `+` before a name:
    all that are on, and it."""
    if passes is None:
        return None
    given = [name.strip() for name in (passes.split(",") if isinstance(passes, str) else passes)]
    known = {_plain(name): name for name in PASSES}
    added = [name[1:] for name in given if name.startswith("+")]       # beside those that are on
    given = [*USUAL, *added, *(name for name in given if not name.startswith("+"))] if added else given
    for name in [*filter(None, given), *(name for name in added if not name)]:
        if _plain(name) not in known:
            raise OptionError(f"there is no pass {name!r}{_meant(name, PASSES)}; "
                              f"there are {', '.join(PASSES)}")
    chosen = {known[_plain(name)] for name in given if name}
    return tuple(name for name in PASSES if name in chosen)


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(" ", "-")


def _unknown(word: str, parser: argparse.ArgumentParser) -> str:
    flags = [flag for action in parser._actions for flag in action.option_strings]
    return f"{word!r} is not understood{_meant(word, flags)}; {parser.prog}? lists the options"


def _meant(word: str, possible: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(possible), 1)
    return f" (did you mean {close[0]}?)" if close else ""
