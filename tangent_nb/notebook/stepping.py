"""A recorded run, and what the page is told of it: first an overview, then, piece by piece, what is so after each step.

A recording of 100,000 steps is not sent as a whole: the page asks for the steps around the one that it shows. The
values of a piece stand in one list, each once. js/src/recording.ts checks all of it again.
"""
from __future__ import annotations

import inspect
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tracing import Call, Flaw, Recording
from ..tracing.record import record
from ..tracing.recording import RETURN
from ..tracing.sites import Site
from ..tracing.snapshots import UNBOUND, Other, Parts, Shown, described
from ..tracing.tracked import Node
from .at import directions
from .derive import added
from .lines import Place, main_places
from .options import OptionError, Options
from .rerun import Calls
from .tokens import visible, visible_lines

if TYPE_CHECKING:
    from .session import Take

PIECE = 100                                        # steps that are sent together
CELLS = 64                                         # numbers of an array that is drawn
TOP = 24                                           # items of a saved list that are drawn
MOST_ROWS = 60                                     # variables
LONGEST = 160                                      # characters of a value
SWEEPS = ("", "forward", "backward")
ELSEWHERE = "the run is of the derivative that was saved: other choices need the notebook"
STORED = 200_000                                   # characters of JSON that an exported page may carry


def recorded(take: Take) -> Recording:
    """A run of the derivative at the example arguments; in forward mode along the first parameter. What it prints is
    not shown, and no random number is used up."""
    if reason := unfit(take.options, take.at is not None):
        raise OptionError(reason)
    assert take.at is not None
    given = along_first(take)

    def run(*args: Any, **kwargs: Any) -> Recording:
        return record(take.derived.function, args, {**kwargs, **given})

    calls = Calls(take.f, take.at.args, take.at.kwargs)
    return calls(run)                              # type: ignore[no-any-return]


def along_first(take: Take, at: inspect.BoundArguments | None = None) -> Mapping[str, Any]:
    """What a derivative takes besides the example arguments, or others: in forward mode the tangents along the first
    parameter."""
    at = at or take.at
    names = added(take.f, take.derived.function)
    return directions(take.derived.derivation.wrt, names, at)[0][1] if names and at is not None else {}


def unfit(options: Options, has_arguments: bool) -> str:
    """Why a derivative cannot be stepped through; "" where it can."""
    if not has_arguments:
        return "stepping needs arguments: %%grad --at \"x=…\""
    if options.compile or options.backend != "numpy":
        return "stepping follows the lines of a derivative on NumPy that is not compiled"
    return ""


def overview(recording: Recording, keys: Mapping[Place, int]) -> dict[str, Any]:
    """Where each step is. keys: the rows of the page's left pane by the user's lines."""
    columns = recording.columns
    moments = list(recording)
    main = main_places(recording.derivation.emitted)

    def rows(site: Site) -> list[int]:
        """Of a body that stands in the place of a call its own line too."""
        places = [(user.filename, user.line) for user in site.users]
        if site.filename == recording.filename and (own := main.get(site.line)) is not None and own not in places:
            places = [own, *places]
        return [keys[place] for place in places if place in keys]

    bad = recording.first_bad() or recording.first_vanishing() or recording.first_exploding()
    return {
        "steps": len(recording),
        "piece": PIECE,
        "sites": [[site.line - 1 if site.filename == recording.filename else -1,
                   rows(site),
                   visible(site.text[:LONGEST]), site.role == "guard"] for site in columns.sites],
        "site": list(columns.site_of),
        "call": list(columns.call_of),
        "kind": list(columns.kinds),
        "sweep": [SWEEPS.index(one.sweep) if one.sweep in SWEEPS else 0 for one in moments],
        "calls": [[visible(call.function), call.depth, call.at if call.caller is not None else -1]
                  for call in recording.calls],
        "notes": [visible(note[:400]) for note in recording.notes()],
        "flaw": None if bad is None else _flaw(bad),
    }


def _flaw(flaw: Flaw) -> dict[str, Any]:
    return {"step": flaw.step, "title": visible(f"{flaw.name or 'a value'}: {flaw.kind}"),
            "text": visible_lines(str(flaw))[:2000]}


def piece(recording: Recording, number: int) -> dict[str, Any]:
    """The steps of a piece, each with the variables of the function that runs, and the values of all of them."""
    values = _Values()
    steps = range(number * PIECE, min(len(recording), (number + 1) * PIECE))
    moments = [_moment(recording, step, values) for step in steps]
    return {"piece": number, "moments": moments, "values": values.known}


def stored(recording: Recording, keys: Mapping[Place, int], size: Any) -> dict[str, Any] | None:
    """All of a recording, for a page without a kernel; None where it is too large for that. size: of JSON."""
    head, pieces = overview(recording, keys), []
    total = size(head)
    for number in range(math.ceil(len(recording) / PIECE)):
        pieces.append(piece(recording, number))
        total += size(pieces[-1])
        if total > STORED:
            return None
    return {"overview": head, "pieces": pieces}


class _Values:
    """The values of a piece, each once."""

    def __init__(self) -> None:
        self.known: list[list[Any]] = []
        self._places: dict[tuple[int, int], int] = {}
        self._saved: dict[int, bool] = {}

    def place(self, node: Node, step: int) -> int:
        """The number of what a variable holds after a step; -1 where it holds nothing."""
        if node.own_at(step) is UNBOUND:
            return -1
        return self._put((id(node), _changed_last(node, step)), node.at(step, TOP))

    def is_saved(self, node: Node) -> bool:
        """A list that grows or shrinks."""
        if id(node) not in self._saved:
            lengths = {one.length for one in node.kept if isinstance(one, Parts) and one.kind == "list"}
            self._saved[id(node)] = len(lengths) > 1 and node.name != RETURN
        return self._saved[id(node)]

    def _put(self, key: tuple[int, int], kept: Shown) -> int:
        if key not in self._places:
            self._places[key] = len(self.known)
            self.known.append(sent(kept))
        return self._places[key]


def sent(kept: Shown) -> list[Any]:
    """A value for the page: a line of text, its shape, the numbers to draw.

    >>> sent(np.array([1.0, np.nan])), sent(2.5), sent(Parts("list", 3))
    (['(2,) float64', [2], [1.0, 'NaN']], ['2.5', [], []], ['list of 3', [], []])
    """
    if isinstance(kept, np.ndarray) and kept.ndim and kept.size:
        text = described(kept)
        if text.startswith("["):
            text = f"{kept.shape} {kept.dtype}"
        return [visible(text[:LONGEST]), [int(one) for one in kept.shape], _numbers(kept)]
    text = described(kept)
    return [visible(text if len(text) <= LONGEST else text[:LONGEST] + "…"), [], []]


def _numbers(kept: Any) -> list[float | str]:
    if kept.dtype.kind not in "biuf" or kept.size > CELLS:
        return []
    return [one if math.isfinite(one) else "NaN" if one != one else "Inf" if one > 0 else "-Inf"
            for one in map(float, kept.ravel().tolist())]


def _moment(recording: Recording, step: int, values: _Values) -> list[Any]:
    """Rows `[name, cotangent's name, value, its cotangent's, which have changed, when they change next]`, and the saved
    lists `[name, length, grown, values of the last items]`."""
    call = recording.calls[recording.columns.call_of[step]]
    changed = {id(node.variable) for node in recording.columns.changed[step]}
    pairs = recording.pairs(call)
    rows, stacks = [], []
    for name, other in _variables(call, pairs):
        node, cotangent = call.nodes.get(name), call.nodes.get(other)
        if node is not None and not other and _is_cotangent(recording, node):
            node, cotangent = None, node
        if node is not None and values.is_saved(node):
            if node.own_at(step) is not UNBOUND:
                stacks.append(_stack(node, step, values))
            continue
        places = [values.place(one, step) if one is not None else -1 for one in (node, cotangent)]
        if max(places) < 0 or _is_nothing(node, step) and places[1] < 0:
            continue
        both = [one for one in (node, cotangent) if one is not None]
        marks = sum(1 << at for at, one in enumerate((node, cotangent)) if one is not None and id(one) in changed)
        rows.append([visible(name), visible(other), *places, marks, _next(both, step)])
    return [rows[:MOST_ROWS], stacks[:MOST_ROWS]]


def _variables(call: Call, pairs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The variables of a call, each with its cotangent."""
    cotangents = set(pairs.values())
    for name in call.nodes:
        if name not in cotangents:
            yield name, pairs.get(name, "")


def _is_cotangent(recording: Recording, node: Node) -> bool:
    """A cotangent of a value that has no name (any more): it is made in the backward sweep, and is named as one."""
    return node.name.startswith("b") and recording.derivation.mode == "reverse" and bool(node.times) \
        and recording[node.times[0]].sweep == "backward" and recording.columns.sites[recording[0].call.site].generated


def _is_nothing(node: Node | None, step: int) -> bool:
    """A function, a module or None: no value that is worth a row."""
    if node is None:
        return True
    kept = node.own_at(step)
    return kept is None or kept is UNBOUND or isinstance(kept, Other) and kept.text.startswith(("function", "module"))


def _stack(node: Node, step: int, values: _Values) -> list[Any]:
    own = node.own_at(step)
    length = own.length if isinstance(own, Parts) else 0
    followed = own.followed if isinstance(own, Parts) else 0
    children = node.children or {}
    items = [values.place(children[at], step) for at in range(max(0, followed - TOP), followed) if at in children]
    return [visible(node.name), length, node.grown(step), items, _next([node], step)]


def _next(nodes: Sequence[Node], step: int) -> int:
    """The next step at which one of some variables changes; -1 where none does."""
    found = []
    for node in nodes:
        todo = [node]
        while todo:
            one = todo.pop()
            place = bisect_right(one.times, step)
            found += one.times[place:place + 1]
            if one.children is not None and len(one.children) <= CELLS:
                todo += one.children.values()
    return min(found, default=-1)


def _changed_last(node: Node, step: int) -> int:
    """When what is sent of a variable has changed last."""
    latest, todo = 0, [node]
    while todo:
        one = todo.pop()
        place = bisect_right(one.times, step)
        own = one.kept[place - 1] if place else UNBOUND
        latest = max(latest, one.times[place - 1] if place else 0)
        if isinstance(own, Parts) and one.children is not None:
            names = range(own.followed) if own.names is None else own.names
            todo += [one.children[name] for name in names[max(0, own.followed - TOP):]]
    return latest
