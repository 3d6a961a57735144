"""The page: complete, escaped, without script."""
from __future__ import annotations

import base64
import hashlib
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from handmade import defined, derived, loss
from hostile import TEXTS, program

from tangent_nb.notebook import page
from tangent_nb.notebook.lines import COLOURS, Row, Section
from tangent_nb.notebook.page import ELEMENTS, Markup, element, html, standalone, style_of
from tangent_nb.notebook.shown import show
from tangent_nb.notebook.style import DIM, GROUPS, LINKS, PATTERNS, SIGNS, STYLE, TOKENS
from tangent_nb.notebook.tokens import CLASSES, visible
from tangent_nb.notebook.view import Message, Table, View, view


class Reader(HTMLParser):
    """The tags, classes and attributes of a page, the text of its code, and whether it is well formed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.classes: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.code: list[str] = []                  # the text of each line, without what stands behind it
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "li":                            # ends where the next begins, or the list
            assert self.open[-1] == "ol"
            self.code.append("")
        else:
            self.open.append(tag)
        for key, value in attrs:
            self.attributes.add(key)
            if key == "class":
                self.classes.update((value or "").split())

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)
        if "ol" in self.open and self.open[-1] not in ("small", "em"):
            self.code[-1] += data


def shown(text: str = "") -> View:
    f, df = loss()
    if text:
        f = defined(program(text), "f")
        df = derived(f, "def df_dx(x):\n    bx = x + x  # 4 backward\n    return bx\n", ("x",))
    table = Table(text, (text, "b"), ((text, "1\n2"), ("3", "4")), (True, False))
    return view(df.__name__, df.__tangent_nb__, every_pass=True, tables=[table], notes=[text], problem=text)


def test_both_panes_are_there_as_they_are() -> None:
    seen = shown()
    reader = Reader(html(seen))
    lines = [row.text for section in (*seen.left, *seen.right) for row in section.rows]
    assert reader.code == lines
    text = "".join(reader.texts)
    for label, value in seen.facts:
        assert label in text and value in text


def test_folded_lines_are_all_there() -> None:
    f = defined("def f(x):\n    return x * x\n", "f")
    seen = show(f, at={"x": 2.0})._view
    assert isinstance(seen, View)
    text, folded = html(seen), next(section for section in seen.right if section.folded)
    assert f"<summary>{folded.title}, {len(folded.rows)} lines</summary>" in text
    assert "open" not in re.findall(r"<details[^>]*>", text)[0] and "def _df_dx_general" in "".join(Reader(text).texts)


def test_linked_lines_share_a_class_and_a_number() -> None:
    text = html(shown())
    assert len(re.findall(r"<li class=a>", text)) == 6
    assert len(LINKS) * len(PATTERNS) == COLOURS == len(GROUPS) and "→3 ←9–11" in "".join(Reader(text).texts)


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_stay_texts(name: str) -> None:
    for text in (html(shown(TEXTS[name])), standalone(shown(TEXTS[name])), html(Message(TEXTS[name], (TEXTS[name],)))):
        reader = Reader(re.sub(r"<!doctype html>|<meta [^>]*>", "", text))
        assert set(reader.tags) <= ELEMENTS | {"html", "head", "body", "title"}
        assert reader.attributes <= {"class", "role", "aria-label", "lang", "align", "valign", "style", "start"}
        assert set(re.findall(r"<[^>]* style='([^']*)'", text)) <= {"vertical-align:top"}
        assert all(one.startswith("tnb-") for one in reader.classes - {"mathjax_ignore", "tex2jax_ignore", *GROUPS})
        assert reader.tags.count("style") == 1 and style_of(Markup(text)) in text
        text.encode("utf-8")
        if name != "long":
            assert all(visible(line) in "".join(reader.texts) for line in TEXTS[name].split("\n") if line)


def test_classes_are_an_allow_list() -> None:
    bad = '"><script>'
    row = Row(1, ((bad, "x"), ("k", "y"), ("m", "1")))
    text = page._section(Section("t", (row,)))
    assert "script" not in text and "<li>x<b>y</b>1</ol>" in text
    assert '<ol start=' not in text and '<ol start=7>' in page._section(Section('t', (replace(row, number=7),)))
    assert set(Reader(html(shown())).tags) >= set(TOKENS.values())
    assert set(TOKENS) < set(CLASSES) and all(f"pre {tag}{{" in STYLE for tag in TOKENS.values())


def test_mathematics_is_told_to_leave_texts_alone() -> None:
    assert "mathjax_ignore" not in html(shown()) and "\\n" not in html(shown())
    for text in ("costs $5 and $6", "\\(x\\)"):
        assert "class='tnb-view mathjax_ignore tex2jax_ignore'" in html(replace(shown(), notes=(text,)))


def test_only_known_elements_are_made() -> None:
    with pytest.raises(ValueError):
        element("script", "", "x")
    assert element("span", "", "<", Markup("<b>"), title='"') == "<span title='&quot;'>&lt;<b></span>"


def test_the_style_touches_nothing_else() -> None:
    depth = 0
    for place, character in enumerate(STYLE):
        depth += (character == "{") - (character == "}")
        assert depth > 0 or place < STYLE.index("{") or place == len(STYLE) - 1, "all stands in the rule of a view"
    assert depth == 0 and STYLE.startswith(".tnb-view.tnb-view.tnb-view{") and "&" not in STYLE and ":root" not in STYLE


def test_a_view_has_the_rules_that_it_needs() -> None:
    whole, bare = shown(), replace(shown(), tables=(), notes=(), problem="")
    for view_ in (whole, bare):
        text = html(view_)
        reader, style = Reader(text), style_of(text)
        named = re.findall(r"(?<=\.)(?:tnb-\w+|[a-x]\b)(?=[^{}]*\{)", style)
        assert set(named) <= reader.classes
        for name in reader.classes:
            assert (f".{name}{{" in style) == (f".{name}{{" in STYLE), name
        assert ("em{" in style) == ("em" in reader.tags) and ("summary{" in style) == ("summary" in reader.tags)
    assert len(style_of(html(bare))) < 0.6 * len(STYLE)
    assert "<" not in STYLE and "url(" not in STYLE and "@import" not in STYLE


def luminance(colour: str) -> float:
    colour = colour.lstrip("#")
    colour = "".join(c * 2 for c in colour) if len(colour) == 3 else colour
    parts = [int(colour[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, paper: str, part: float = 0.09) -> str:
    """A colour that lets the one behind it through: by itself the tint of a linked line."""
    return "#" + "".join(f"{round(part * int(colour[i:i + 2], 16) + (1 - part) * int(paper[i:i + 2], 16)):02x}"
                         for i in (1, 3, 5))


@pytest.mark.parametrize("paper, ink", [("#ffffff", "#212121"), ("#111111", "#e0e0e0")])     # JupyterLab's
def test_contrast(paper: str, ink: str) -> None:
    papers = [paper, *(mixed(link, paper) for link in LINKS)]
    for behind in papers:
        assert contrast(mixed(ink, behind, DIM), behind) >= 4.5, behind
    for _, *colours in SIGNS.values():
        assert contrast(colours[paper == "#111111"], paper) >= 4.5, colours
    for link in LINKS:
        assert contrast(link, paper) >= 3.0, link


def test_a_standalone_page_allows_its_own_style_alone() -> None:
    text = standalone(shown())
    digest = base64.b64encode(hashlib.sha256(style_of(Markup(text)).encode()).digest()).decode()
    assert f"default-src &#x27;none&#x27;; style-src &#x27;sha256-{digest}&#x27;" in text
    assert text.startswith("<!doctype html>") and " style=" not in text and "<script" not in text
    assert standalone(Message("why")).count("why") == 1
