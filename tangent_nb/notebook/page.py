"""A view as HTML: static, without script, every text escaped; and as a page of its own.

All markup is made by `element`; a text that is not `Markup` is escaped. Code stands in `pre`, which MathJax leaves alone.
"""
from __future__ import annotations

import base64
import hashlib
from html import escape

from .lines import Row, Section
from .style import STYLE
from .tokens import CLASSES, visible, visible_lines
from .view import Message, Table, View

ELEMENTS = frozenset(("div", "span", "pre", "code", "table", "thead", "tbody", "tr", "th", "td", "style", "strong", "p"))


class Markup(str):
    """HTML that was made here."""

    __slots__ = ()


def element(name: str, css: str = "", *content: str, **attributes: str) -> Markup:
    """One element. `css` lists classes without their prefix.

    >>> element("span", "n", "<b>")
    '<span class="tnb-n">&lt;b&gt;</span>'
    """
    if name not in ELEMENTS:
        raise ValueError(f"no element {name!r} is made here")
    classes = " ".join(f"tnb-{one}" for one in css.split())
    given = {"class": classes, **attributes} if css else attributes
    head = "".join(f' {key.replace("_", "-")}="{escape(value)}"' for key, value in given.items())
    return Markup(f"<{name}{head}>{joined(*content)}</{name}>")


def joined(*content: str) -> Markup:
    """Texts, escaped, and markup, as one."""
    return Markup("".join(one if isinstance(one, Markup) else escape(one) for one in content))


def html(shown: View | Message) -> Markup:
    """The part of a page that shows a view, its style included."""
    style = element("style", "", Markup(STYLE))
    if isinstance(shown, Message):
        notes = [element("p", "note", visible(note)) for note in shown.notes]
        return element("div", "view refused", style, element("pre", "message", visible_lines(shown.text)), *notes,
                       role="group", aria_label="refused")
    problem = [element("pre", "message", visible_lines(shown.problem))] if shown.problem else []
    return element(
        "div", "view", style, _header(shown),
        element("div", "panes", element("div", "pane", *map(_section, shown.left)),
                element("div", "pane", _section(shown.right))),
        *map(_table, shown.tables), *problem, *(element("p", "note", visible(note)) for note in shown.notes),
        role="group", aria_label=f"{shown.name}, {' '.join(shown.facts[0])}")


def standalone(shown: View | Message) -> str:
    """A whole page that runs nothing and loads nothing."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    title = "refused" if isinstance(shown, Message) else shown.name
    return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
            f'<meta name="viewport" content="width=device-width">\n<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(visible(title))}</title>\n</head>\n<body>\n{html(shown)}\n</body>\n</html>\n")


def _header(shown: View) -> Markup:
    facts = [element("span", "fact", element("span", "label", f"{label} "), element("code", "value", visible(value)))
             for label, value in shown.facts]
    return element("div", "header", element("code", "name", visible(shown.name)), *facts)


def _section(section: Section) -> Markup:
    numbers = max((len(str(row.number)) for row in section.rows), default=1)
    links = max((len(visible(row.links)) for row in section.rows), default=0)
    rows = [_row(row, numbers, links, section.behind) for row in section.rows]
    title = [element("div", "title", visible(section.title))] if section.title else []
    return element("div", "section", *title,
                   element("pre", "code behind" if section.behind else "code", *rows))


def _row(row: Row, numbers: int, links: int, behind: bool) -> Markup:
    """A line; its number and links are set off, so that it reads without the style too."""
    tokens = [element("span", kind, text) if kind in CLASSES else joined(text) for kind, text in row.tokens]
    number = element("span", "number", f"{row.number:>{numbers}} ")
    text = element("code", "text", *tokens)
    if behind:
        parts = [number, text, element("span", "links", f"  {visible(row.links)}" if row.links else "")]
    else:
        parts = [number, element("span", "links", f"{visible(row.links):<{links}} "), text]
    return element("span", "line" + ("" if row.group is None else f" linked g{int(row.group)}"), *parts, "\n")


def _table(table: Table) -> Markup:
    head = element("tr", "", *(element("th", "", visible(cell)) for cell in table.head))
    rows = []
    for place, row in enumerate(table.rows):
        mark = table.mark(place)
        cells = [element("td", "", element("code", "", visible_lines(cell))) for cell in row]
        if mark is not None:
            cells.append(element("td", "", element("span", "yes" if mark else "no", "✓ agrees" if mark else "✗ differs")))
        rows.append(element("tr", "", *cells))
    heads = [element("thead", "", head)] if any(table.head) else []
    return element("div", "block", element("div", "title", visible(table.title)),
                   element("table", "table", *heads, element("tbody", "", *rows)))
