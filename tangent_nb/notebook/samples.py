"""Where a text keeps samples and reads them, for the marks beside the lines, and what is chosen of the tape.

Needs texts in which `sampling` has written. Promises marks of lines that stand there: of each stage where something is
sampled, and of no other. js/src/samples.ts checks what it is told.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ..runtime.sampled import METHODS, PATHS, SHARES, Sampled
from ..syntax.program import Drawing, Emitted
from .options import UNCHECKED, OptionError, Options
from .tape import WHERE, parse_tape, same_tape, written
from .tokens import visible

LONGEST = 60                                       # characters of the name of an array
Mark: TypeAlias = "tuple[int, int, bool]"          # the row, the site, whether it is kept there
Site: TypeAlias = "tuple[str, str, float, str]"    # the array, the kind, the fraction (0 where it is not known), how

IN_WORDS = {"with_replacement": "places drawn with replacement", "without_replacement": "different places drawn",
            "rademacher": "projected on random signs", "paths": "drawn with replacement"}
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


def told(texts: Mapping[int, Emitted], tape: str) -> dict[str, Any]:
    """texts: of stages, by their places. tape: as it is written, "" for the exact one; fraction, k, method, share: of
    it; rest: what else it asks for; sites: of each array that is kept so its name, how, the fraction, and that in
    words; stages: of each stage in which there are marks its place, and the marks."""
    sampled = parse_tape(tape or None)
    sites: dict[Site, int] = {}
    known: dict[int, list[Mark]] = {}
    stages = []
    for place, emitted in texts.items():
        if any(line.drawn for line in emitted.lines):
            marks = known.get(id(emitted))
            if marks is None:
                marks = known[id(emitted)] = sorted(set(_marks(emitted, sites)))
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


def _marks(emitted: Emitted, sites: dict[Site, int]) -> Iterator[Mark]:
    for line in emitted.lines:
        for one in line.drawn:
            yield line.number - 1, sites.setdefault(_site(one), len(sites)), one.kept


def _site(one: Drawing) -> Site:
    name, how = visible(one.name if len(one.name) <= LONGEST else f"{one.name[:LONGEST]}…"), one.how
    if how is None:
        return name, "signs", 1.0, "one bit of each number, exact"
    much = f"{how.fraction:.4g}" if how.fraction is not None else f"{how.k} numbers"
    axis = "the last axis" if how.axis == -1 else f"{'axis' if isinstance(how.axis, int) else 'axes'} {how.axis}"
    words = f"{much} of {axis}, {IN_WORDS[how.method]}, {SHARED[how.share]}"
    if how.method == PATHS:
        words = f"{much if how.fraction is not None else how.k} of the trips, {IN_WORDS[PATHS]}"
    return name, "sampled", float(how.fraction or 0.0), words
