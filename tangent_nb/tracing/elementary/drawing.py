"""A graph as a drawing in SVG: no script, all text escaped, colours of the theme it stands in."""
from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from .formulas import Notation, Symbol, short, width
from .graph import partial_text
from .layout import Layout, Point, layout

if TYPE_CHECKING:
    from .graph import Edge, Graph, Node

LETTER, BOX, ROW, GAP, MARGIN, ABOVE = 7.3, 44.0, 74.0, 86.0, 14.0, 44.0
WIDEST = 30                                        # letters of a line in a node
TINTS = 4                                          # of the calls of functions
LIGHT = {"paper": "#ffffff", "soft": "#f6f8fa", "ink": "#1f2328", "dim": "#5f6771", "line": "#8c959f",
         "edge": "#0b62d6", "t0": "#e6f1fb", "t1": "#fdefe3", "t2": "#e4f5ee", "t3": "#f8eaf2"}
DARK = {"paper": "#161a1f", "soft": "#1b2026", "ink": "#dde3ea", "dim": "#98a2ae", "line": "#6b7683", "edge": "#7cc0ff",
        "t0": "#15304a", "t1": "#45301c", "t2": "#163b30", "t3": "#42253a"}
THEME = {"paper": "jp-layout-color0", "soft": "jp-layout-color1", "ink": "jp-content-font-color1",
         "dim": "jp-content-font-color2"}
MINUS = re.compile(r"(?<![\w-])-(?=[\d∞])|(?<= )-(?= )")
UNSEEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069\u200e\u200f]")


@dataclass(frozen=True)
class Plan:
    """What stands where. texts: the two lines in each node, by its place; widths: of the nodes; tints: which of the
    colours of calls those in calls have."""

    texts: Mapping[int, tuple[str, str]]
    widths: Mapping[int, float]
    layout: Layout
    tints: Mapping[int, int]


def plan(graph: Graph) -> Plan:
    """Lay a graph out; TangentError where igraph is not installed."""
    texts = {one.place: _lines(graph, one) for one in graph.nodes}
    widths = {place: max(map(_wide, lines)) + 22.0 for place, lines in texts.items()}
    gap = max([GAP, *(_wide(partial_text(edge, graph.digits)) + 50.0 for edge in graph.edges)])
    placed = layout(widths, [(edge.source, edge.target) for edge in graph.edges], row=ROW, gap=gap, margin=MARGIN,
                    above=ABOVE)
    numbers = {call: place for place, call in enumerate(dict.fromkeys(call for one in graph.nodes
                                                                      for call in one.calls[-1:]))}
    return Plan(texts, widths, placed, {one.place: numbers[one.calls[-1]] % TINTS for one in graph.nodes if one.calls})


def svg(graph: Graph) -> str:
    """The drawing as a text."""
    planned = plan(graph)
    texts, widths, placed = planned.texts, planned.widths, planned.layout
    w, h = placed.width, placed.height + 14.0
    arrow = f"tnb-arrow-{zlib.crc32(repr((graph.title, texts)).encode('utf-8', 'replace')):08x}"
    edges = [_edge(graph, edge, way, arrow) for edge, way in zip(graph.edges, placed.ways, strict=True)]
    nodes = []
    for one in graph.nodes:
        tint = f" t{planned.tints[one.place]}" if one.calls else ""
        nodes.append(_node(graph, one, placed.centres[one.place], widths[one.place], texts[one.place], tint))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" class="tnb-graph" role="img" style="max-width: none" '
            f'width="{w:.0f}" height="{h:.0f}" '
            f'viewBox="0 0 {w:.0f} {h:.0f}">'
            f"<title>{_text(graph.title)}</title><style>{_style()}</style>"
            f'<defs><marker id="{arrow}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto-start-reverse"><path class="tip" fill="#8c959f" d="M0 0.6 L8 4 L0 7.4 z"/></marker></defs>'
            f'<rect class="paper" width="{w:.0f}" height="{h:.0f}" fill="#ffffff"/>'
            f'<text class="caption" x="{MARGIN:.0f}" y="{h - 10:.0f}" fill="#5f6771" font-size="12" '
            f'font-family="sans-serif">{_text(_short(graph.title, 110))}</text>'
            f"{''.join(line for line, _ in edges)}{''.join(nodes)}{''.join(label for _, label in edges)}</svg>")


def _lines(graph: Graph, one: Node) -> tuple[str, str]:
    """What stands in a node: how the value is computed, and what it is."""
    value = short(one.value, graph.digits)
    symbol = Notation(lambda name: None, graph.digits).symbol
    if not one.operation:
        return f"{one.label} = {symbol(Symbol(one.name))}", value
    name = symbol(Symbol(one.name)) if one.name else ""
    if one.place == graph.result:
        taken = {node.name for node in graph.nodes}
        name = "y" if "y" not in taken else "result"
    return _short(f"{one.label} = {one.operation}", WIDEST), _short(f"{name} = {value}" if name else value, WIDEST)


def _wide(text: str) -> float:
    """About how wide a line is."""
    return LETTER * width(text) - 2.6 * sum(one in "₀₁₂₃₄₅₆₇₈₉₋" for one in text)


def _node(graph: Graph, one: Node, centre: Point, wide: float, lines: Sequence[str], tint: str) -> str:
    (x, y), half = centre, wide / 2.0
    kind = "result" if one.place == graph.result else "input" if not one.operation else "value"
    fill = {"input": "#f6f8fa"}.get(kind, "#ffffff")
    called = f"in {one.calls[-1].name}" if one.calls else ""
    title = "\n".join(filter(None, (
        f"{one.label} = {one.operation or one.name} = {short(one.value, graph.digits)}", called, one.where)))
    line = "" if one.origin is None else f' data-line="{one.origin.span.line}"'
    parts = [f'<g class="node {kind}{tint}" data-place="{one.place}"{line}><title>{_text(title)}</title>',
             f'<rect x="{x - half:.1f}" y="{y - BOX / 2:.1f}" width="{wide:.1f}" height="{BOX:.0f}" rx="9" '
             f'fill="{fill}" stroke="#8c959f" stroke-width="{2.2 if kind == "result" else 1.2}"/>',
             f'<text class="how" x="{x:.1f}" y="{y - 4:.1f}" text-anchor="middle" fill="#1f2328" font-size="13.5" '
             f'font-family="sans-serif">{_label(lines[0])}</text>',
             f'<text class="what" x="{x:.1f}" y="{y + 14:.1f}" text-anchor="middle" fill="#5f6771" font-size="12.5" '
             f'font-family="sans-serif">{_label(lines[1])}</text>']
    if called:
        parts.append(f'<text class="call" x="{x - half + 6:.1f}" y="{y - BOX / 2 - 5:.1f}" fill="#5f6771" '
                     f'font-size="11" font-family="sans-serif">{_text(called)}</text>')
    return "".join([*parts, "</g>"])


def _edge(graph: Graph, edge: Edge, way: Sequence[Point], arrow: str) -> tuple[str, str]:
    """An edge, and what stands on it: in the middle of its last stretch, which no other edge shares."""
    path = f"M{way[0][0]:.1f} {way[0][1]:.1f}"
    for place in range(0, len(way) - 1, 2):
        (a, b), (c, d) = way[place], way[place + 1]
        bend = (c - a) / 2.4
        path += f" C{a + bend:.1f} {b:.1f} {c - bend:.1f} {d:.1f} {c:.1f} {d:.1f}"
        if place + 2 < len(way):
            path += f" L{way[place + 2][0]:.1f} {way[place + 2][1]:.1f}"
    (a, b), (c, d) = way[-2], way[-1]
    x, y = a + (c - a) * 0.44, b + (d - b) * 0.40
    source, target = graph.node[edge.source], graph.node[edge.target]
    text = partial_text(edge, graph.digits)
    said = f"= {text}" if edge.partial is not None else f"has shape {edge.shape}"
    title = f"∂{target.label}/∂{source.label} {said if edge.weight else 'was not drawn'}"
    left = "" if edge.weight else ' stroke-dasharray="2 4" stroke-opacity="0.7"'
    line = (f'<path class="edge" d="{path}" fill="none" stroke="#8c959f" stroke-width="1.3"{left} '
            f'marker-end="url(#{arrow})"><title>{_text(title)}</title></path>')
    label = (f'<text class="partial" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="#0b62d6" stroke="#ffffff" '
             f'stroke-width="5" stroke-linejoin="round" paint-order="stroke" font-size="12.5" font-weight="600" '
             f'font-family="sans-serif">{_label(text)}<title>{_text(title)}</title></text>')
    return line, label


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most - 1] + "…"


def _text(text: str) -> str:
    """Text as it may stand in a drawing: escaped, and without what nobody sees."""
    return escape(UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text))


def _label(text: str) -> str:
    """The same for what is seen, with signs as long as they are in print."""
    return _text(printed(text))


def printed(text: str) -> str:
    """A text with signs as long as they are in print."""
    return MINUS.sub("−", text)


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--g-{name}: " + (f"var(--{THEME[name]}, {colour});" if name in THEME else f"{colour};")
                    for name, colour in colours.items())


def _style() -> str:
    """The colours: the theme's, or else light and dark ones. Readers without styles have the attributes."""
    tints = " ".join(f".tnb-graph .t{n} rect {{ fill: var(--g-t{n}); }}" for n in range(TINTS))
    return (f".tnb-graph {{ {_variables(LIGHT)} }} "
            f"@media (prefers-color-scheme: dark) {{ .tnb-graph {{ {_variables(DARK)} }} }} "
            f'[data-jp-theme-light="false"] .tnb-graph {{ {_variables(DARK)} }} '
            f'[data-jp-theme-light="true"] .tnb-graph {{ {_variables(LIGHT)} }} '
            ".tnb-graph text { font-family: var(--jp-ui-font-family, system-ui, sans-serif); } "
            ".tnb-graph .paper { fill: var(--g-paper); } .tnb-graph .caption, .tnb-graph .call, .tnb-graph .what "
            "{ fill: var(--g-dim); } .tnb-graph .how { fill: var(--g-ink); } "
            ".tnb-graph .node rect { fill: var(--g-paper); stroke: var(--g-line); } "
            ".tnb-graph .input rect { fill: var(--g-soft); } .tnb-graph .result rect { stroke: var(--g-ink); } "
            f"{tints} .tnb-graph .edge {{ stroke: var(--g-line); }} .tnb-graph .tip {{ fill: var(--g-line); }} "
            ".tnb-graph .partial { fill: var(--g-edge); stroke: var(--g-paper); } "
            ".tnb-graph .node:hover rect { stroke: var(--g-edge); stroke-width: 2.2; }")
