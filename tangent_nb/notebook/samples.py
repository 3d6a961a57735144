"""Where a text keeps samples and reads them, for the marks beside the lines, and what is chosen of the tape.

Needs texts in which `sampling` has written. Promises marks of lines that stand there: of each stage where something is
sampled, and of no other. js/src/samples.ts checks what it is told.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..runtime.sampled import METHODS, SHARES, Sampled
from ..syntax.program import Emitted
from .options import UNCHECKED, OptionError, Options
from .tape import WHERE, parse_tape, same_tape, written
from .tokens import visible

KEEPS = {"sample": "sampled", "pack_bits": "signs"}
READS = {"unsample": "sampled", "drawn": "sampled", "unpack_bits": "signs"}
LONGEST = 60                                       # characters of the name of an array
Mark: TypeAlias = "tuple[int, int, bool]"          # the row, the site, whether it is kept there
Site: TypeAlias = "tuple[str, str, float, str]"    # the array, the kind, the fraction (0 where it is not known), how

IN_WORDS = {"with_replacement": "places drawn with replacement", "without_replacement": "different places drawn",
            "rademacher": "projected on random signs", "paths": "trips drawn with replacement"}
SHARED = {"batch": "the same for all rows", "none": "others for each row"}


def chosen(text: str, options: Options) -> str | None:
    """The tape of other options than before, as they have it; OptionError where there is none for them, or the text
    asks for none."""
    if not text:
        return None
    try:
        tape = same_tape(text)
    except ValueError as error:
        raise OptionError(str(error)) from None
    if options.mode != "reverse":
        raise OptionError(f"{WHERE}, and forward mode keeps nothing for a backward sweep: choose the exact tape first")
    if options.compile == "numba":
        raise OptionError(f"{WHERE}, and Numba draws no samples: choose the exact tape first")
    if options.check:
        raise OptionError(UNCHECKED + "run the cell without it")
    return tape


def told(texts: Sequence[Emitted], tape: str) -> dict[str, Any]:
    """tape: as it is written, "" for the exact one; fraction, k, method, share: of it; rest: what else it asks for;
    sites: of each array that is kept so its name, how, the fraction, and that in words; stages: of each stage in which
    there are marks its place, and the marks."""
    sampled = parse_tape(tape or None)
    sites: dict[Site, int] = {}
    known: dict[int, list[Mark]] = {}
    stages = []
    for place, emitted in enumerate(texts):
        if sampled is not None and "rt.sample(" in emitted.text:
            marks = known.get(id(emitted))
            if marks is None:
                marks = known[id(emitted)] = sorted(set(_marks(emitted, sampled, sites)))
            stages.append([place, [list(mark) for mark in marks]])
    return {"tape": tape, **_settings(sampled), "sites": [list(site) for site in sites], "stages": stages}


def _settings(tape: Sampled | None) -> dict[str, Any]:
    """What the page offers to choose."""
    if tape is None:
        return {"fraction": None, "k": None, "method": METHODS[0], "share": SHARES[0], "rest": ""}
    usual = Sampled(0.5)
    rest = written(Sampled(0.5, axis=tape.axis, at=tape.at, relu_bits=tape.relu_bits, inputs=tape.inputs,
                           seed=tape.seed)).removeprefix(written(usual))
    return {"fraction": None if tape.fraction is None else float(tape.fraction),
            "k": None if tape.k is None else int(tape.k), "method": tape.method, "share": tape.share, "rest": rest}


@dataclass
class _Kept:
    """A place in a text where something is kept. holder: the name, or the list, that has it."""

    row: int
    site: Site
    holder: str


def _marks(emitted: Emitted, tape: Sampled, sites: dict[Site, int]) -> Iterator[Mark]:
    for function in ast.parse(emitted.text).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        kept = list(_kept(function, tape))
        holders = {one.holder: one.site for one in kept}
        lists = dict(_taken_back(function))
        for one in kept:
            yield one.row, sites.setdefault(one.site, len(sites)), True
        for node in ast.walk(function):
            if (kind := _called(node, READS)) is not None:
                name = ast.unparse(node.args[0])                       # type: ignore[attr-defined]
                site = holders.get(lists.get(name, name)) or _unknown(name, kind, sites)
                yield node.lineno - 1, sites.setdefault(site, len(sites)), False       # type: ignore[attr-defined]


def _kept(function: ast.FunctionDef, tape: Sampled) -> Iterator[_Kept]:
    """Where a function keeps samples: under a name, on a list, or in what it gives to its second half."""
    for stmt in ast.walk(function):
        if not isinstance(stmt, (ast.Assign, ast.Expr, ast.Return)) or stmt.value is None:
            continue
        for node in ast.walk(stmt.value):
            kind = _called(node, KEEPS)
            if kind is None:
                continue
            holder = ast.unparse(stmt.targets[0]) if isinstance(stmt, ast.Assign) else \
                ast.unparse(stmt.value.func.value) if isinstance(stmt.value, ast.Call) and isinstance(
                    stmt.value.func, ast.Attribute) else ""
            value = ast.unparse(node.args[0])                          # type: ignore[attr-defined]
            yield _Kept(node.lineno - 1, _site(node, kind, value, tape), holder)       # type: ignore[attr-defined]


def _taken_back(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The names that are bound to what a list gives back."""
    for stmt in ast.walk(function):
        if isinstance(stmt, ast.Assign) and isinstance(stmt.value, ast.Call) \
                and isinstance(stmt.value.func, ast.Attribute) and stmt.value.func.attr == "pop":
            yield ast.unparse(stmt.targets[0]), ast.unparse(stmt.value.func.value)


def _called(node: ast.AST, names: Mapping[str, str]) -> str | None:
    """What a call of one of our helpers stands for."""
    if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Attribute) \
            and isinstance(node.func.value, ast.Name) and node.func.value.id == "rt":
        return names.get(node.func.attr)
    return None


def _site(call: Any, kind: str, value: str, tape: Sampled) -> Site:
    name = visible(value if len(value) <= LONGEST else f"{value[:LONGEST]}…")
    if kind == "signs":
        return name, kind, 1.0, "one bit of each number, exact"
    given = {one.arg: ast.literal_eval(one.value) for one in call.keywords}
    own = Sampled(**{"fraction": None, "k": None, **given})            # what is not written there is as usual
    much = f"{own.fraction:.4g}" if own.fraction is not None else f"{own.k} numbers"
    axis = "the last axis" if own.axis == -1 else f"{'axis' if isinstance(own.axis, int) else 'axes'} {own.axis}"
    how = f"{much} of {axis}, {IN_WORDS[own.method]}, {SHARED[own.share]}"
    return name, kind, float(own.fraction or 0.0), how


def _unknown(name: str, kind: str, sites: Mapping[Site, int]) -> Site:
    """What is read of what another function has kept: the only array of that name, else one of which that is all that
    is known."""
    found = [site for site in sites if site[1] == kind and site[0] in (name, name.removesuffix("_sampled"))]
    return found[0] if len(found) == 1 else (visible(name[:LONGEST]), kind, 1.0 if kind == "signs" else 0.0, "")
