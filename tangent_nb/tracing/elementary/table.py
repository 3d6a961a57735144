"""`trace_table`: the evaluation trace of a run beside its tangent or adjoint trace, as in the textbooks."""
from __future__ import annotations

import ast
import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ...asked import Wrt
from ...errors import TangentError
from .formulas import BAR, DOT, LaTeX, Notation, Symbol, UnwrittenError, short, width
from .program import recorded
from .sheet import Line, Sheet, sheet

MOST = 200                                         # operations, where nothing is said
LONGEST = 64                                       # formula in plain text
HEADS = {"reverse": ("forward primal trace", "reverse adjoint trace, from below"),
         "forward": ("forward primal trace", "forward tangent trace")}


def trace_table(f: Callable[..., Any], *args: Any, wrt: Wrt = 0, mode: str = "reverse", tangents: Any = None,
                digits: int = 3, rows: int = MOST) -> TraceTable:
    """What a function computes at some arguments, one elementary operation in a row, beside its derivative.

    f: a function that returns a number (in forward mode, an array too). args: where it runs, once; branches are shown
    as they were taken, loops as often as they ran, and calls of functions that are differentiated are opened. wrt: as
    in `grad`. mode: `"reverse"`, with the adjoints of the values on the right, to be read from below, where each row
    adds what comes back through the operation on its left; or `"forward"`, with their tangents. tangents: in forward
    mode those of the arguments in wrt, one or a tuple of them; where none are given, 1 for the first and 0 for the
    others. digits: of the numbers. rows: how many operations there may be.

    The formulas are the statements of the raw derivative of this run, and the numbers are what they have computed.
    `print` shows text; `latex()`, `markdown()` and a notebook have their own forms. Raises TangentError for what cannot
    be written down, RefusedError for what is not differentiated.

    >>> import numpy as np
    >>> def f(x1, x2):
    ...     a, b, c = np.log(x1), x1 * x2, np.sin(x2)
    ...     return a + b - c
    >>> print(trace_table(f, 2, 5, mode="forward", wrt=(0, 1), tangents=(1.0, 0.0)))
    f at x1 = 2, x2 = 5
    forward primal trace                        forward tangent trace
    v₋₁ = x₁                        = 2         v̇₋₁ = ẋ₁                                  = 1
    v₀  = x₂                        = 5         v̇₀  = ẋ₂                                  = 0
    v₁  = ln v₋₁   = ln 2           = 0.693     v̇₁  = v̇₋₁/v₋₁             = 1/2           = 0.5
    v₂  = v₋₁ × v₀ = 2 × 5          = 10        v̇₂  = v̇₋₁ × v₀ + v̇₀ × v₋₁ = 1 × 5 + 0 × 2 = 5
    v₃  = sin v₀   = sin 5          = -0.959    v̇₃  = v̇₀ × cos v₀         = 0 × cos 5     = 0
    v₄  = v₁ + v₂  = 0.693 + 10     = 10.693    v̇₄  = v̇₁ + v̇₂             = 0.5 + 5       = 5.5
    v₅  = v₄ - v₃  = 10.693 + 0.959 = 11.652    v̇₅  = v̇₄ - v̇₃             = 5.5 - 0       = 5.5
    y   = v₅                        = 11.652    ẏ   = v̇₅                                  = 5.5

    Source: A. G. Baydin, B. A. Pearlmutter, A. A. Radul and J. M. Siskind, "Automatic differentiation in machine
    learning: a survey" (2018), Tables 2 and 3.
    """
    return traced(f, args, {}, wrt=wrt, mode=mode, tangents=tangents, digits=digits, rows=rows)


def traced(f: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any], *, wrt: Wrt = 0,
           mode: str = "reverse", tangents: Any = None, digits: int = 3, rows: int = MOST) -> TraceTable:
    """`trace_table` for arguments that are given by name, too."""
    if mode not in HEADS:
        raise TangentError(f"mode is 'reverse' or 'forward', not {mode!r}")
    if mode == "reverse" and tangents is not None:
        raise TangentError("tangents are for mode='forward': in reverse mode the adjoint of the result is 1")
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 17:
        raise TangentError(f"digits is a number from 0 to 17, not {digits!r}")
    along = "first" if mode == "forward" and tangents is None else tangents
    return TraceTable(sheet(recorded(f, args, keywords, wrt, along, rows), mode), digits)


class TraceTable:
    """Two traces side by side. value: what the function has returned; derivative: in forward mode its tangent, in
    reverse mode the gradients, by the paths of the arguments. `latex()`, `markdown()`, `print`."""

    def __init__(self, made: Sheet, digits: int) -> None:
        self.sheet, self.digits = made, digits
        self.mode = made.mode
        self.title = made.run.where(digits)
        self.value = made.values[made.run.result]
        paths = [path for path, _ in made.run.inputs]
        self.derivative = made.found if made.mode == "forward" else dict(zip(paths, made.found, strict=True))

    def __len__(self) -> int:
        """How many elementary operations there are."""
        return len(self.sheet.primal)

    @property
    def heads(self) -> tuple[str, str]:
        """What stands above the two sides."""
        return HEADS[self.mode]

    def lines(self) -> tuple[list[str], list[str]]:
        """The two sides as text, a line for each row, the signs of equality below each other."""
        rows = self.rows()
        left, right = (_aligned([list(map(_cut, row[side])) for row in rows]) for side in (0, 1))
        return left, right

    def cells(self) -> list[tuple[str, ...]]:
        """The rows in eight columns, four for each side, with the signs of equality."""
        return [tuple(f"= {_cut(one)}" if one and place % 4 else _cut(one) for place, one in enumerate([*left, *right]))
                for left, right in self.rows()]

    def __str__(self) -> str:
        blocks = [[head, *block] for head, block in zip(self.heads, self.lines())]
        most = max(map(width, blocks[0])) + 4
        lines = [self.title, *(left + " " * (most - width(left)) + right for left, right in zip(*blocks))]
        return "\n".join(one.rstrip() for one in lines)

    __repr__ = __str__

    def rows(self, notation: type[Notation] = Notation) -> list[tuple[list[str], list[str]]]:
        """The rows: on each side what stands between the signs of equality, empty where nothing does."""
        return list(_Rows(self.sheet, notation, self.digits).rows())

    def latex(self) -> str:
        """A `tabular` that needs no package, for a LaTeX document."""
        lines = [r"\begin{tabular}{ll}", r"\hline", r" & ".join(one.capitalize() for one in self.heads) + r" \\",
                 r"\hline"]
        lines += [f"{_math(left)} & {_math(right)} \\\\" for left, right in self.rows(LaTeX)]
        return "\n".join([*lines, r"\hline", r"\end{tabular}"])

    def markdown(self) -> str:
        """A table for Markdown, with its formulas in dollars."""
        lines = ["| " + " | ".join(one.capitalize() for one in self.heads) + " |", "|:--|:--|"]
        lines += [f"| {_math(left)} | {_math(right)} |".replace("\\|", "\\vert ") for left, right in self.rows(LaTeX)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        style = 'style="text-align: left; white-space: nowrap"'
        apart = style[:-1] + '; padding-left: 32px"'           # the other side
        heads = "".join(f'<th colspan="4" {given}>{html.escape(head)}</th>'
                        for given, head in zip((style, apart), self.heads))
        rows = ["".join(f"<td {apart if place == 4 else style}>{html.escape(cell)}</td>"
                        for place, cell in enumerate(row)) for row in self.cells()]
        return ('<div style="overflow-x: auto" tabindex="0" role="region" aria-label="trace table">'
                f"<table><caption {style}>{html.escape(self.title)}</caption><thead><tr>{heads}</tr></thead>"
                f"<tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table></div>")


def joined(side: Sequence[str]) -> str:
    """One side of a row as a line."""
    return " = ".join(one for one in side if one)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST - 1] + "…"


def _math(side: Sequence[str]) -> str:
    return f"${joined(side)}$" if any(side) else ""


def _aligned(sides: Sequence[Sequence[str]]) -> list[str]:
    """Lines whose signs of equality stand below each other. The last, the value, follows what there is."""
    columns = list(zip_longest(*sides, fillvalue=""))
    widths = [max((width(one) for one in column), default=0) for column in columns]
    lines = []
    for side in sides:
        text = ""
        for place, (one, most) in enumerate(zip(side, widths)):
            sign = "" if not place else " = " if one else "   "
            text += "" if not most else sign + one + " " * (most - width(one))
        lines.append(text)
    return lines


class _Rows:
    """Writes the rows of a sheet in one notation."""

    def __init__(self, made: Sheet, notation: type[Notation], digits: int) -> None:
        self.sheet, self.run = made, made.run
        self.over = DOT if made.mode == "forward" else BAR
        self.notation = notation(made.symbol, digits)
        taken = {path for path, _ in made.run.inputs}
        self.output = Symbol("y" if "y" not in taken else made.run.name)

    def _of(self, place: int, over: str = "") -> Symbol:
        return Symbol("v", place - len(self.run.inputs) + 1, over)

    def _value(self, value: Any) -> str:
        return self.notation.value(short(value, self.notation.digits))

    def rows(self) -> Iterator[tuple[list[str], list[str]]]:
        write = self.notation.symbol
        for place, (path, value) in enumerate(self.run.inputs):
            left = [write(self._of(place)), write(Symbol(path)), "", self._value(value)]
            yield left, self._of_input(place, path)
        groups = self._groups()
        for line in self.sheet.primal:
            yield from zip_longest([self._primal(line)], groups.get(line.place, []), fillvalue=["", "", "", ""])
        result = self.run.result
        left = [write(self.output), write(self._of(result)), "", self._value(self.sheet.values[result])]
        over = Symbol(self.output.name, None, self.over)
        if self.sheet.mode == "forward":
            yield left, [write(over), write(self._of(result, DOT)), "", self._value(self.sheet.found)]
        else:
            seed = next((one for one in self.sheet.derivative if one.place == result), None)
            value = self._value(1.0 if seed is None else seed.value)
            yield left, [write(self._of(result, BAR)), write(over), "", value]

    def _of_input(self, place: int, path: str) -> list[str]:
        write = self.notation.symbol
        over = Symbol(path, None, self.over)
        if self.sheet.mode == "forward":
            return [write(self._of(place, DOT)), write(over), "", self._value(self.run.tangents[place])]
        return [write(over), write(self._of(place, BAR)), "", self._value(self.sheet.found[place])]

    def _groups(self) -> dict[int, list[list[str]]]:
        """The lines of derivatives that stand beside each operation."""
        groups: dict[int, list[list[str]]] = {}
        for line in self.sheet.derivative:
            if self.sheet.mode == "forward":
                groups.setdefault(line.place, []).append(self._tangent(line))
            elif line.source is not None:
                groups.setdefault(line.source, []).insert(0, self._adjoint(line))
        return groups

    def _numbers(self, line: Line) -> str:
        """The formula with numbers in it; empty where that says nothing more."""
        try:
            text = "" if line.formula is None else self.notation.formula(line.formula, line.read)
        except UnwrittenError:
            return ""
        return "" if text == self._value(line.value) else text

    def _primal(self, line: Line) -> list[str]:
        formula = self.notation.formula(line.formula) if line.formula is not None else ""
        return [self.notation.symbol(self._of(line.place)), formula, self._numbers(line), self._value(line.value)]

    def _tangent(self, line: Line) -> list[str]:
        formula = self.notation.formula(line.formula) if line.formula is not None else ""
        return [self.notation.formula(line.target), formula, self._numbers(line), self._value(line.value)]

    def _adjoint(self, line: Line) -> list[str]:
        assert line.formula is not None and line.source is not None
        target = self.notation.formula(line.target)
        source = self._of(line.source, BAR)
        before = f"{target} + " if line.adds else ""
        partial = self.notation.partial(self._of(line.source), self._of(line.place))
        return [target, f"{before}{self.notation.symbol(source)} {partial}", before + self._partial(line.formula),
                self._value(line.value)]

    def _partial(self, formula: ast.expr) -> str:
        """What an adjoint is multiplied by, also where that is 1 or -1."""
        times = self.notation.times
        match formula:
            case ast.Name():
                return f"{self.notation.formula(formula)}{times}1"
            case ast.UnaryOp(op=ast.USub(), operand=ast.Name() as inner):
                return f"{self.notation.formula(inner)}{times}(-1)"
        return self.notation.formula(formula)
