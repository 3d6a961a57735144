"""What the widget's page is told: plain data, texts as tokens, never markup.

Needs a derivation, and what was chosen on the page. Promises an object of JSON of the form in js/src/state.ts; the page
checks it again. Lines of text stand in one table, since most are the same from stage to stage.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..backends import BACKENDS, COMPILERS
from ..optimise import PASSES
from ..syntax.memo import uncollected
from ..syntax.program import Captured, Derivation, Emitted, Stage
from . import samples
from .folds import count_of, folds_of
from .lines import (
    ARROWS,
    Function,
    Place,
    coloured,
    functions_of,
    groups_of,
    links_of,
    name_of,
    owner_of,
    primal_tokens,
    title_of,
)
from .terms import Expressions, margins, terms
from .tokens import Token, tokenized, visible, visible_lines
from .view import Table, View

VERSION = 1
# what compiles is for the page one more backend, behind the one that it is for
CHOICES = tuple(one for backend in BACKENDS
                for one in (backend, *(name for name, of in COMPILERS.items() if of == backend)))
Lines: TypeAlias = dict[tuple[Token, ...], int]    # the table of lines, each with its place there
NO_TEXTS: Mapping[str, Any] = {"names": [], "ran": -1, "here": False, "timed": "there is no kernel to time it"}
ELSEWHERE = {"costs": "lines were measured of the derivative that was saved: other choices need the notebook",
             "graph": "the graph is of the derivative that was saved: other choices need the notebook",
             "spread": "the spread was measured of the derivative that was saved: other choices need the notebook"}
RAW = "differentiate"                              # the stage whose text no pass has touched
PARTS = {"capture": "yours", "normalise": "normal form", RAW: "derivative", **dict.fromkeys(PASSES, "passes")}


@dataclass(frozen=True)
class Choice:
    """What can be chosen on the page. backend: one of CHOICES; tape: as `--tape` has it, "" for the exact one."""

    wrt: tuple[str, ...]
    mode: str
    backend: str
    passes: tuple[str, ...]
    tape: str = ""

    @staticmethod
    def of(derivation: Derivation) -> Choice:
        """What a derivation was made with."""
        return Choice(derivation.wrt, derivation.mode, derivation.compiled or derivation.backend, derivation.passes)


@dataclass(frozen=True)
class Status:
    """What is said below the panes. milliseconds: to derive; check: the result of `--check`;
    good: whether that was right."""

    milliseconds: float | None = None
    check: str = ""
    good: bool | None = None


@dataclass(frozen=True)
class Texts:
    """What a page shows of a derivation, whatever else is so: the lines of all texts, the user's, those of the stages,
    and which expression each part is of. emitted: of the stages that have rows, by their places; keys: the rows of the
    user's lines."""

    emitted: Mapping[int, Emitted]
    primal: Sequence[Mapping[str, Any]]
    stages: Sequence[Mapping[str, Any]]
    lines: Sequence[Sequence[Sequence[str]]]
    spans: Sequence[Any]
    parts: Sequence[Sequence[int]]
    keys: Mapping[Place, int]
    count: int

    @property
    def rows(self) -> int:
        """Of all stages together."""
        return sum(len(stage["rows"]) for stage in self.stages)


@uncollected()
def texts_of(derivation: Derivation, *, whole: bool = True) -> Texts:
    """The texts of a derivation. whole: those of all stages; else that of the last, and what passes do is left out."""
    lines: Lines = {}
    stages = derivation.stages or (Stage("emit", "the text that runs", lambda: derivation.emitted),)
    seen = [stage for stage in stages if whole or PARTS.get(stage.name) != "passes"]
    texts = [stage.emitted for stage in seen]
    functions = functions_of(derivation.primal, texts)
    groups = groups_of(functions, texts)
    keys = _keys(functions)
    expressions = Expressions(keys, margins(functions))
    rows = {id(emitted): _rows(emitted, groups, keys, lines, expressions)
            for emitted in (_different(texts) if whole else texts[-1:])}
    own = texts[-2].functions if len(texts) > 1 else None         # what is linked to them is called by them
    shown = [_stage(stage, rows[id(stage.emitted)], own if stage is stages[-1] else None)
             if whole or stage is stages[-1] else _unwritten(stage) for stage in stages]
    primal = _primal(derivation.primal, functions, groups, lines)
    emitted = dict(enumerate(texts)) if whole else {len(stages) - 1: texts[-1]}
    return Texts(emitted, primal, shown, [[list(token) for token in tokens] for tokens in lines],
                 expressions.stretches(), [list(part) for part in expressions.parts], keys, count_of(texts[-1], own))


def state(view: View, derivation: Derivation, texts: Texts, choice: Choice, unfit: Mapping[str, str],
          missing: Mapping[str, str], *, bound: str = "", status: Status | None = None, stale: str = "",
          refusal: str = "", present: bool = False, still: str = "", steps: bool = False,
          served: Mapping[str, Any] = NO_TEXTS, unedited: str = "", edited: bool = False, cell: str = "",
          tools: Mapping[str, str] = ELSEWHERE) -> dict[str, Any]:
    """The whole state. unfit: why a parameter cannot have a derivative, "" where it can; missing: the same for each
    backend; present: it is shown as it is presented, first; still: why it cannot be stepped through; steps: it is at
    once; served: the texts that calls have made; unedited, edited: as still and steps, for the editor; cell: that it
    is an output of; tools: why its lines cannot be measured, and its graph not be drawn."""
    status = status or Status()
    names = [stage["name"] for stage in texts.stages]
    return {
        "version": VERSION,
        "name": visible(view.name),
        "title": visible(f"{view.facts[0][0]} {view.facts[0][1]} with respect to {', '.join(derivation.wrt)}"),
        "primal": texts.primal,
        "stages": texts.stages,
        "raw": names.index(RAW) if RAW in names else len(names) - 1,
        "final": len(names) - 1,
        "options": {
            "wrt": [{"name": name, "on": name in choice.wrt, "reason": reason} for name, reason in unfit.items()],
            "mode": choice.mode,
            "backend": choice.backend,
            "backends": [{"name": name, "reason": missing.get(name, "")} for name in CHOICES],
            "passes": [{"name": name, "summary": summary, "on": name in choice.passes}
                       for name, summary in PASSES.items()],
        },
        "samples": samples.told(texts.emitted, choice.tape),
        "bound": visible(bound),
        "status": {"lines": texts.count, "passes": len(choice.passes), "ms": status.milliseconds,
                   "check": status.check, "good": status.good},
        "stale": visible(stale),
        "tables": [table_state(table) for table in view.tables],
        "notes": [visible(note) for note in view.notes],
        "problem": visible_lines(view.problem),
        "refusal": visible_lines(refusal),
        "guilty": _guilty(view, derivation, texts.keys),
        "present": present,
        "spans": texts.spans,
        "parts": texts.parts,
        "partners": [[visible(name), visible(own)] for name, own in derivation.cotangents.items()],
        "step": {"reason": visible(still), "open": steps},
        "texts": dict(served),
        "edit": {"reason": visible(unedited), "open": edited, "cell": visible(cell)},
        "tools": {name: visible(reason) for name, reason in tools.items()},
        "lines": texts.lines,
    }


def keys_of(derivation: Derivation) -> dict[Place, int]:
    """The rows of the left pane by the user's lines."""
    texts = [stage.emitted for stage in derivation.stages] or [derivation.emitted]
    return _keys(functions_of(derivation.primal, texts))


def _keys(functions: Sequence[Function]) -> dict[Place, int]:
    return {(source.filename, number): key for key, (source, number) in enumerate(
        (source, number) for source, numbers in functions for number in numbers)}


def _guilty(view: View, derivation: Derivation, keys: Mapping[Place, int]) -> dict[str, Any]:
    """The rows of the user's text, and those of the last stage, that made a NaN or an Inf, and which."""
    if view.guilty is None:
        return {"text": "", "primal": [], "rows": []}
    places = view.guilty.places(derivation.emitted)
    return {"text": visible(view.guilty.text), "primal": [keys[place] for place in places if place in keys],
            "rows": [view.guilty.line - 1]}


def _primal(
        primal: Captured, functions: Sequence[Function], groups: Mapping[Place, int],
        lines: Lines) -> list[dict[str, Any]]:
    sections = []
    own = functions_of(primal, [])[0]
    for source, numbers in functions:
        title = title_of(primal) if source.filename == primal.source.filename else source.label
        name = primal.name if (source, numbers) == own else name_of(source, numbers)
        if len(functions) > 1 and name:
            title = f"{owner_of(source, numbers)}{name} · {title}"
        rows = [[number, lines.setdefault(tuple(tokens), len(lines)), groups.get((source.filename, number), -1)]
                for number, tokens in zip(numbers, primal_tokens(source, numbers))]
        owner = "" if (source, numbers) == own else name
        sections.append({"title": visible(title), "name": visible(owner), "rows": rows})
    return sections


def _different(texts: Sequence[Emitted]) -> Iterable[Emitted]:
    """The texts, each once: a pass that changes nothing leaves the one before."""
    return {id(emitted): emitted for emitted in texts}.values()


def _stage(stage: Stage, rows: list[list[Any]], own: Collection[str] | None) -> dict[str, Any]:
    emitted = stage.emitted
    count = count_of(emitted, own)
    called = count_of(emitted) - count
    summary = f"{stage.summary}; {called} more lines are in what it calls" if called else stage.summary
    folds = [[fold.start, fold.end, visible(fold.title), fold.within] for fold in folds_of(emitted)]
    return {"name": stage.name, "part": PARTS.get(stage.name, "text"), "summary": summary,
            "count": count, "rows": rows, "folds": folds}


def _unwritten(stage: Stage) -> dict[str, Any]:
    return {"name": stage.name, "part": PARTS.get(stage.name, "text"), "summary": stage.summary, "count": -1,
            "rows": [], "folds": []}


def _rows(emitted: Emitted, groups: Mapping[Place, int], keys: Mapping[Place, int], lines: Lines,
          expressions: Expressions) -> list[list[Any]]:
    links, stretches, colours = links_of(emitted), terms(emitted, expressions), coloured(emitted, groups)
    rows = []
    for line, tokens in zip(emitted.lines, tokenized(emitted.text.split("\n")[:len(emitted.lines)])):
        places = [place for place in links[line.number] if place in keys]
        arrow = ARROWS.get(line.role, "→") if places and line.role != "comment" else ""
        rows.append([lines.setdefault(tuple(tokens), len(lines)), colours.get(line.number, -1) if places else -1, arrow,
                     [keys[place] for place in places] if line.role != "comment" else [],
                     [number for stretch in stretches.get(line.number, []) for number in stretch]])
    return rows


def table_state(table: Table) -> dict[str, Any]:
    return {"title": visible(table.title), "head": [visible(cell) for cell in table.head],
            "rows": [[visible_lines(cell) for cell in row] for row in table.rows],
            "marks": [table.mark(place) for place in range(len(table.rows))]}
