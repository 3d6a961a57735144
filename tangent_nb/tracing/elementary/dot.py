"""A graph as text for Graphviz."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .formulas import short
from .graph import partial_text

if TYPE_CHECKING:
    from .graph import Graph, Node
    from .recorder import Call


def dot(graph: Graph) -> str:
    """The text, with a cluster for each call that is opened."""
    lines = ["digraph {", "  rankdir=LR", f"  label={_quoted(graph.title)}", '  node [shape=box, style=rounded]']
    lines += _block(graph, graph.nodes, 0, "  ")
    lines += [f"  v{edge.source} -> v{edge.target} [label={_quoted(partial_text(edge, graph.digits))}"
              f"{'' if edge.weight else ', style=dotted'}]" for edge in graph.edges]
    return "\n".join([*lines, "}"]) + "\n"


def _block(graph: Graph, nodes: Sequence[Node], depth: int, indent: str) -> Iterator[str]:
    inner: dict[Call, list[Node]] = {}
    for one in nodes:
        if len(one.calls) > depth:
            inner.setdefault(one.calls[depth], []).append(one)
            continue
        made = one.operation or one.name
        text = f"{one.label} = {made}\n{f'{one.name} = ' if one.operation and one.name else ''}" \
               f"{short(one.value, graph.digits)}"
        bold = ", penwidth=2" if one.place == graph.result else ""
        yield f"{indent}v{one.place} [label={_quoted(text)}, tooltip={_quoted(one.where or one.name)}{bold}]"
    for call, members in inner.items():
        yield f"{indent}subgraph cluster_{call.number} {{"
        yield f"{indent}  label={_quoted(call.name)}"
        yield from _block(graph, members, depth + 1, indent + "  ")
        yield f"{indent}}}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "")
    return f'"{escaped}"'
