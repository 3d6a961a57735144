"""A view as HTML: static, without script, every text escaped; and as a page of its own.

All markup is made by `element` and `_row`; a text that is not `Markup` is escaped. MathJax is told to leave it alone.
Every notebook keeps a view with each derivative, so its lines are those of a list, whose numbers the browser writes,
and little has an element of its own; the end of a line would be one of the notebook's file, so there are none.
"""
from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from html import escape

from .lines import Row, Section
from .style import GROUPS, TOKENS, style_for
from .tokens import visible, visible_lines
from .view import Message, Table, View

ELEMENTS = frozenset(("details", "summary", "div", "span", "small", "pre", "ol", "li", "em", "table", "thead", "tbody",
                      "tr", "th", "td", "style", "p", *TOKENS.values()))
MATHS = re.compile(r"[$\\]")


class Markup(str):
    """HTML that was made here."""

    __slots__ = ()


def element(name: str, css: str = "", *content: str, **attributes: str) -> Markup:
    """One element. `css` lists classes without their prefix.

    >>> element("span", "n", "<b>"), element("p", "a b", role="note")
    ('<span class=tnb-n>&lt;b&gt;</span>', "<p class='tnb-a tnb-b' role=note></p>")
    """
    if name not in ELEMENTS:
        raise ValueError(f"no element {name!r} is made here")
    classes = " ".join(f"tnb-{one}" for one in css.split())
    if name == "div" and css.startswith("view") and any(map(MATHS.search, content)):
        classes += " mathjax_ignore tex2jax_ignore"
    given = {"class": classes, **attributes} if css else attributes
    head = "".join(f" {key.replace('_', '-')}={_quoted(value)}" for key, value in given.items())
    return Markup(f"<{name}{head}>{joined(*content)}</{name}>")


def _quoted(value: str) -> str:
    """Between quotes that JSON need not escape, or none."""
    return value if re.fullmatch(r"[\w-]+", value, re.ASCII) else f"'{escape(value)}'"


def joined(*content: str) -> Markup:
    """Texts, escaped, and markup, as one."""
    return Markup("".join(one if isinstance(one, Markup) else escape(one) for one in content))


def html(shown: View | Message, *, alone: bool = False) -> Markup:
    """The part of a page that shows a view, its style included.

    GitHub, and JupyterLab in notebooks that are not trusted, take the style away. Then the panes still stand side by
    side, in a table; `alone`: in a page whose style holds, which forbids the attributes that see to that.
    """
    if isinstance(shown, Message):
        notes = [element("p", "", visible(note)) for note in shown.notes]
        return _styled("view refused", "refused", element("pre", "message", visible_lines(shown.text)), *notes)
    problem = [element("pre", "message", visible_lines(shown.problem))] if shown.problem else []
    panes = [element("table", "panes", element("tbody", "", element(
        "tr", "", _pane(shown.left, alone), _pane(shown.right, alone))), role="presentation")] \
        if shown.left or shown.right else []
    return _styled("view", f"{shown.name}, {' '.join(shown.facts[0])}", _header(shown), *panes,
                   *map(_table, shown.tables), *problem, *(element("p", "", visible(note)) for note in shown.notes))


def _styled(css: str, label: str, *content: str) -> Markup:
    inside = joined(*content)
    return element("div", css, element("style", "", Markup(style_for(inside))), inside, role="group", aria_label=label)


def style_of(view: Markup) -> str:
    """The style that a view has."""
    return view.partition("<style>")[2].partition("</style>")[0]


def standalone(shown: View | Message) -> str:
    """A whole page that runs nothing and loads nothing."""
    title = "refused" if isinstance(shown, Message) else shown.name
    view = html(shown, alone=True)
    return document(visible(title), f"default-src 'none'; style-src {digest(style_of(view))}", view)


def document(title: str, policy: str, body: str, head: str = "") -> str:
    """A page, of markup, with what browsers are to allow it."""
    return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
            f'<meta name="viewport" content="width=device-width">\n<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(title)}</title>\n{head}</head>\n<body>\n{body}\n</body>\n</html>\n")


def digest(text: str) -> str:
    """How a policy names a style or a script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _header(shown: View) -> Markup:
    facts = ", ".join(f"{label} {value}" for label, value in shown.facts)
    return element("p", "", element("b", "", visible(shown.name)), visible(f": {facts}"))


def _pane(sections: Sequence[Section], alone: bool) -> Markup:
    unstyled = {} if alone else {"valign": "top", "style": "vertical-align:top"}
    return element("td", "pane", element("div", "", *map(_section, sections), align="left"), **unstyled)


def _section(section: Section) -> Markup:
    first = section.rows[0].number if section.rows else 1
    start = {} if first == 1 else {"start": str(first)}
    code = element("pre", "", element("ol", "", *(_row(row, section.behind) for row in section.rows), **start))
    if section.folded:
        title = f"{section.title}, {len(section.rows)} lines"
        return element("details", "", element("summary", "", visible(title)), code)
    return joined(*([element("small", "", visible(section.title))] if section.title else []), code)


def _row(row: Row, links: bool) -> Markup:
    """An item of a list, which ends where the next begins; its class tells the group. links: to be named behind it."""
    css = "" if row.group is None else f" class={GROUPS[int(row.group)]}"
    tokens = [element(TOKENS[kind], "", text) if kind in TOKENS else joined(text) for kind, text in row.tokens]
    behind = [element("small", "", f" {visible(row.links)}")] if links and row.links else []
    mark = [element("em", "", f"  ◀ {visible(row.mark)}")] if row.mark else []
    return joined(Markup(f"<li{css}>"), *tokens, *behind, *mark)


def _table(table: Table) -> Markup:
    head = element("tr", "", *(element("th", "", visible(cell)) for cell in table.head))
    rows = []
    for place, row in enumerate(table.rows):
        mark = table.mark(place)
        cells = [element("td", "", element("pre", "cell", visible_lines(cell))) for cell in row]
        if mark is not None:
            cells.append(element("td", "",
                                 element("span", "yes" if mark else "no", "✓ agrees" if mark else "✗ differs")))
        rows.append(element("tr", "", *cells))
    heads = [element("thead", "", head)] if any(table.head) else []
    return element("div", "block", element("p", "", visible(table.title)),
                   element("table", "table", *heads, element("tbody", "", *rows)))
