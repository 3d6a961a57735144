"""The graph of a run, for the page: where its nodes stand, what stands in them, and on the edges; js/src/graph.ts draws
it, and checks what it is told.

Needs a function and example arguments. The function runs without being seen. All texts are plain.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..errors import TangentError
from ..tracing.elementary.drawing import plan, printed
from ..tracing.elementary.formulas import short
from ..tracing.elementary.graph import Edge, Graph, Node, graph_of
from ..tracing.elementary.program import Run, recorded
from ..tracing.elementary.sheet import sheet
from .lines import Place
from .options import OptionError
from .rerun import Calls
from .tokens import visible

if TYPE_CHECKING:
    from .session import Take

MOST = 300                                         # nodes that are drawn
OPERATIONS = 800                                   # that are followed, to be folded
DIGITS = 3
LONGEST = 400                                      # characters of what is said of a node


def unfit(has_arguments: bool) -> str:
    """Why the graph of a derivative cannot be drawn; "" where it can."""
    if not has_arguments:
        return "the graph is of a run at arguments: %%grad --at \"x=…\""
    if find_spec("igraph") is None:
        return "the graph is laid out by igraph, which is not installed: pip install 'tangent_nb[graph]'"
    return ""


class Told(dict[str, Any]):
    """What the page is told of a graph; with it what its other levels are drawn from."""

    def __init__(self, made: Graph, adjoints: Mapping[int, Any], keys: Mapping[Place, int], **told: Any) -> None:
        super().__init__(told)
        self.made, self.adjoints, self.places = made, adjoints, keys


def told(take: Take, keys: Mapping[Place, int]) -> Told:
    """title, note; opened: every operation, folded: each call as one; None for what is too large, or the same again;
    calls: how many there are.

    keys: the rows of the page's left pane by the user's lines. OptionError: it cannot be drawn."""
    if reason := unfit(take.at is not None):
        raise OptionError(reason)
    assert take.at is not None
    wrt = take.derived.derivation.wrt

    def run(*args: Any, **kwargs: Any) -> tuple[Graph, dict[int, Any]]:
        found = recorded(take.f, args, kwargs, wrt, None, OPERATIONS)
        made = graph_of(found, DIGITS)
        return made, _adjoints(found, made)

    try:
        made, adjoints = Calls(take.f, take.at.args, take.at.kwargs)(run)
    except TangentError as error:
        raise OptionError(f"the graph is not drawn: {' '.join(str(error).split())}") from error
    folded = made.folded() if any(one.calls for one in made.nodes) else None
    note = ""
    if len(made.nodes) > MOST:
        if folded is None or len(folded.nodes) > MOST:
            count = f"{len(made.nodes)} values" if folded is None \
                else f"{len(made.nodes)} values, {len(folded.nodes)} with each call as one"
            raise OptionError(f"the graph is not drawn: it has {count}, and more than {MOST} cannot be read. Take "
                              "arguments for which loops make fewer trips, or put what repeats into a function")
        note = f"{len(made.nodes)} values are too many to be drawn one by one: each call is one here"
    return Told(made, adjoints, keys, title=visible(made.title[:LONGEST]), note=note, calls=len(made.calls),
                opened=None if note else _drawn(made, made, adjoints, keys),
                folded=None if folded is None else _drawn(folded, made, adjoints, keys))


def partly(told: Mapping[str, Any], calls: Collection[int]) -> dict[str, Any]:
    """A level of a graph that was told, with these calls as one operation each, by their numbers; what runs in them,
    and is not opened either, does not count. OptionError: it cannot be drawn."""
    assert isinstance(told, Told)
    known = told.made.calls
    graph = told.made.without(call for number, call in enumerate(known) if number in calls)
    if len(graph.nodes) > MOST:
        raise OptionError(f"with this call opened there are {len(graph.nodes)} values, and more than {MOST} cannot be "
                          "read")
    return _drawn(graph, told.made, told.adjoints, told.places)


def _adjoints(run: Run, made: Graph) -> dict[int, Any]:
    """The derivatives of the result by the values, by their places; none where the result is no number."""
    with suppress(TangentError):
        return dict(made.adjoints())
    with suppress(TangentError):                   # arrays are on the way: a reverse sweep has what they get
        return {made.result: 1.0, **{line.place: line.value for line in sheet(run, "reverse").derivative}}
    return {}


def _drawn(graph: Graph, full: Graph, adjoints: Mapping[int, Any], keys: Mapping[Place, int]) -> dict[str, Any]:
    """A level. Nodes are `[x, y, width, the two lines, kind, tint, call, what is said, keys, is a folded call, the
    call's number]`, of the call that it is or that it runs in, -1 outside of all; edges `[source, target, points,
    partial, what is said]`, with the indices of nodes. full: the graph with nothing folded."""
    planned = plan(graph)
    numbers = {call: at for at, call in enumerate(full.calls)}
    number = {one.place: at for at, one in enumerate(graph.nodes)}
    nodes = []
    for one in graph.nodes:
        (x, y), lines = planned.layout.centres[one.place], planned.texts[one.place]
        kind = "result" if one.place == graph.result else "value" if one.operation else "input"
        called = one.calls[-1].name if one.calls else ""
        folded = one.operation != full.node[one.place].operation
        call = full.node[one.place].calls[len(one.calls)] if folded else one.calls[-1] if one.calls else None
        place = (one.origin.span.source.filename, one.origin.span.line) if one.origin is not None else None
        nodes.append([_round(x), _round(y), _round(planned.widths[one.place]), *map(_shown, lines), kind,
                      planned.tints.get(one.place, -1), visible(called), visible(_said(graph, one, adjoints)),
                      [keys[place]] if place is not None and place in keys else [],
                      folded, -1 if call is None else numbers[call]])
    edges = [[number[edge.source], number[edge.target], [[_round(x), _round(y)] for x, y in way], _shown(four(edge)),
              visible(f"∂{graph.node[edge.target].label}/∂{graph.node[edge.source].label} {_worded(edge)}")]
             for edge, way in zip(graph.edges, planned.layout.ways, strict=True)]
    return {"width": _round(planned.layout.width), "height": _round(planned.layout.height), "nodes": nodes,
            "edges": edges}


def _said(graph: Graph, one: Node, adjoints: Mapping[int, Any]) -> str:
    """What a node is, in words."""
    name = one.name or ("the result" if one.place == graph.result else "")
    made = f"{one.label} = {one.operation or one.name}"
    parts = [made if not one.operation or not name else f"{name}: {made}", f"value {_number(one.value)}"]
    if one.place in adjoints:
        parts.append(f"adjoint {_number(adjoints[one.place])}")
    if one.calls:
        parts.append(f"in {one.calls[-1].name}")
    if one.origin is not None:
        parts.append(f"line {one.origin.span.line}")
    parts += [f"by {graph.node[edge.source].label} {_worded(edge)}" for edge in graph.into[one.place]]
    text = ", ".join(parts)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _number(value: Any) -> str:
    return f"{float(value):.4g}" if isinstance(value, float) else short(value, DIGITS)


def four(edge: Edge) -> str:
    """A partial with four significant digits, that of arrays as its shape.

    >>> four(Edge(0, 1, 0.123456)), four(Edge(0, 1, -12345.6)), four(Edge(0, 1, None, (3, 4)))
    ('0.1235', '-1.235e+04', '3×4')
    """
    return f"{edge.partial:.4g}" if edge.partial is not None else "×".join(map(str, edge.shape)) or "?"


def _worded(edge: Edge) -> str:
    return f"= {four(edge)}" if edge.partial is not None else f"has shape {edge.shape}" if edge.shape else "is unknown"


def _shown(text: str) -> str:
    return visible(printed(text))


def _round(number: float) -> float:
    return round(number, 1)
