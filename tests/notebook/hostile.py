"""Texts that would do something if a page, a terminal or a template took them for its own language."""
from __future__ import annotations

MARK = "window.HIT=1"
# Each is the text of a comment or of a string; all together stand in one function, which is legal Python.
TEXTS = {
    "closing tags": f"</code></pre></style><script>{MARK}</script>",
    "image": f"<img src=q onerror={MARK}>",
    "drawing": f"<svg/onload={MARK}>",
    "attribute": f"' \" onmouseover={MARK} style='position:fixed;inset:0' x=\"",
    "entities": f"&lt;script&gt;{MARK}&#60;/script&#62; &amp;amp;",
    "templates": "{{ constructor }} {% raw %} ${" + MARK + "} `",
    "comment": f"<!-- --!> ]]> <script>{MARK}</script>",
    "line separators": f"a\u2028{MARK}\u2029b\x85c\x0bd\x0ce",
    "directions": "start \u202e dne \u2066 isolate \u200f mark",
    "terminal": f"\x1b[31mred\x1b]8;;javascript:{MARK}\x07link \x9b5m \x08\x08\x7f",
    "homoglyphs": "ﬀ а е \u00ad soft \ufeff",
    "lone surrogate": "\ud800 \udfff",
    "style": "}} .jp-Notebook{display:none} @import url(//q.example/x.css); </style>",
    "address": f"javascript:{MARK} https://q.example/?<script> data:text/html,<b>",
    "mathematics": r"$\href{javascript:x}{y}$ \(\unicode{x}\) $$\require{html}$$",
    "markdown": f"![x](x){{onerror={MARK}}} [a](javascript:{MARK}) ***",
    "prototype": "__proto__ constructor toString",
    "widget": 'application/vnd.jupyter.widget-view+json {"model_id": "x"}',
    "clobbering": "<form name=jupyterapp><input name=commands><a id=document>",
    "long": "A" * 20_000,
    "tabs": "a\tb\t\tc",
}


def program(text: str) -> str:
    """A function that holds a text in a comment, in its docstring and in a string."""
    comment = text.translate({ord(c): " " for c in "\n\r\x0c\x00"})
    plain = comment.replace("\\", "/").encode("utf-8", "replace").decode()
    string = repr(text)
    doc = plain.replace('"', "'")
    return f'def f(x):\n    """{doc} """\n    s = {string}  # {plain}\n    return x * x\n'
