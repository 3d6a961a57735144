"""What is differentiated, function by function, as the table of rules says it: for users,
for docs/supported.md and for messages."""
from __future__ import annotations

import builtins
import difflib
import importlib
import inspect
import math
import sys
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .libraries import ROWS_OF
from .row import Rule
from .table import fill, lookup, lookup_method, rows

MODULES: Mapping[str, Any] = {"np": np, "np.linalg": np.linalg, "np.fft": np.fft, "math": math, "builtins": builtins}
SECTIONS = (*MODULES, *ROWS_OF, "methods", "operators")  # SciPy's where SciPy is
IN_PLACE: Mapping[str, tuple[Any, str]] = {              # statements: written as stores before there are rules for them
    "np.copyto": (np.copyto, "(dst, src, where=True)"), "np.fill_diagonal": (np.fill_diagonal, "(a, val)"),
    "np.place": (np.place, "(arr, mask, vals)"),
    "np.put": (np.put, "(a, ind, v)"), "np.put_along_axis": (np.put_along_axis, "(arr, indices, values, axis)"),
    "np.putmask": (np.putmask, "(a, mask, values)")}


@dataclass(frozen=True)
class Line:
    """One function. status: `"both modes"`, `"constant"` (no derivative flows through it), or `"refused"`; domain:
    where the tests draw its arguments, if not everywhere; note: the convention at edges, or why."""

    name: str
    signature: str
    status: str
    domain: str
    note: str


def supported(where: str = "np") -> None:
    """Print what is differentiated of a module, or of one function: `"np"`, `"np.linalg"`, `"np.sin"`,
    `"methods"`, `"operators"`.

    Both modes are those of the table: reverse and forward. Raises ValueError for a name that it does not have,
    ImportError for a part of SciPy where SciPy is not installed.

    >>> supported("np.linalg.det")
    np.linalg.det(x)                    both modes   by cofactors, which a singular matrix has too
    >>> supported("math.floor")
    math.floor(x)                       constant     piecewise constant: its derivative is zero
    """
    module = next((one for one in ROWS_OF if where == one or where.startswith(one + ".")), None)
    known = section(module) if module is not None else every_line()
    found = [line for line in known if line.name == where] or section(where)
    if not found:
        near = nearest(where)
        raise ValueError(f"{where} is no part of the table: ask for {', '.join(SECTIONS)}, or a function"
                         + (f" such as {near}" if near else ""))
    for line in found:
        print(f"{line.name + line.signature:35} {line.status:12} {line.note}".rstrip())


def section(name: str) -> list[Line]:
    """The lines of a module, of the methods of arrays, or of the operators."""
    if name == "methods":
        bound = {f".{one}": lookup_method(one) for one in dir(np.ndarray) if not one.startswith("_")}
        return [_line(one, rule, bound=True) for one, rule in bound.items() if rule is not None]
    if name == "operators":
        return [_line(rule.name, rule) for rule in rows() if rule.name.startswith("operator.")]
    known = [_line(full, rule) for full, fn in functions(name) if (rule := lookup(fn)) is not None]
    stores = [Line(full, signature, "both modes", "", "a statement, which stores in an array")
              for full, (_, signature) in IN_PLACE.items() if name == "np"]
    return sorted([*known, *stores], key=lambda line: line.name)


def every_line() -> Iterator[Line]:
    """All lines, section by section, of what is imported."""
    for name in SECTIONS:
        if name not in ROWS_OF or name in sys.modules:
            yield from section(name)


def functions(module: str) -> Iterator[tuple[str, Any]]:
    """The public functions of a module, by the names that users write; modules, classes and other values are none."""
    if module in ROWS_OF:
        fill(module)
    holder = importlib.import_module(module) if module in ROWS_OF else MODULES.get(module)
    for name in sorted(dir(holder)) if holder is not None else ():
        value = getattr(holder, name, None)
        if name.startswith("_") or not callable(value) or isinstance(value, types.ModuleType) \
                or isinstance(value, type) and lookup(value) is None:
            continue
        yield (name if module == "builtins" else f"{module}.{name}"), value
    if module in ROWS_OF:                                  # the methods of its objects, such as distributions
        yield from {rule.name: (rule.name, rule.fn) for rule in rows()
                    if rule.name.startswith(module + ".") and rule.name.count(".") > 2}.values()


def _line(name: str, rule: Rule, *, bound: bool = False) -> Line:
    parameters = list(rule.signature.parameters.values())[1 if bound else 0:]
    attribute = bound and not callable(getattr(np.ndarray, name[1:], None))
    signature = "" if attribute else str(inspect.Signature(parameters))
    if not rule.supported:
        return Line(name, "", "refused", "", f"{rule.because}: {rule.instead}" if rule.instead else rule.because)
    if rule.pull or rule.push:
        fixed = [one for one in rule.active_params if one not in rule.pull or one not in rule.push]
        return Line(name, signature, "one mode" if fixed else "both modes", _domain(rule), rule.note)
    return Line(name, signature, "constant", "",
                f"{rule.because}: its derivative is zero" if rule.zero else rule.because)


def _domain(rule: Rule) -> str:
    """`"-0.9 < x < 0.9"`, of the arguments that are drawn from an interval."""
    return ", ".join(f"{low:g} < {one} < {high:g}" for one, (low, high) in rule.domain.items())


def nearest(name: str) -> str:
    """The function that is differentiated whose name is the most like this one, or an empty text.

    >>> nearest("statistics.mean"), nearest("np.linalg.slove"), nearest("numpy.zzz")
    ('np.mean', 'np.linalg.solve', '')
    """
    known: dict[str, str] = {}
    several = ROWS_OF if name.startswith("scipy.") else ()
    for module in (*MODULES, *[one for one in several if one in sys.modules]):
        for full, fn in functions(module):
            rule = lookup(fn)
            if rule is not None and rule.supported and rule.pull:
                known.setdefault(full.rpartition(".")[2], full)
    found = difflib.get_close_matches(name.rpartition(".")[2], known, n=1, cutoff=0.75)
    return known[found[0]] if found else ""
