"""A page of its own that works without a notebook: the widget's page with the states of what can be chosen on it.

It loads nothing and sends nothing: its policy names its one style and its one script by their hashes.
"""
from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .helpers import called, explained
from .page import digest, document, html, style_of
from .stepping import stored
from .wire import packed

if TYPE_CHECKING:
    from .session import Session

STATIC = Path(__file__).parent.parent / "static"


def exported(session: Session) -> str:
    """The page. Where scripts do not run it shows the derivative as it was."""
    state = session.state()
    variants = session.variants()
    used = {name for one in (state, *variants.values()) for line in one["lines"] for name in called(line)}
    data: dict[str, Any] = {"state": packed(state), "helpers": {name: explained(name) for name in sorted(used)},
                            "variants": {_key(key): packed(one) for key, one in variants.items()}}
    if session.has_recording or session.take.options.step:
        data["recording"] = stored(session.recording(), session.keys, lambda part: len(_embedded(part)))
    data["measured"] = session.measures()
    script, style = ((STATIC / name).read_text(encoding="utf-8") for name in ("page.js", "widget.css"))
    still = html(session.take.view, alone=True)
    policy = (f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)} {digest(style_of(still))}; "
              "img-src data:; base-uri 'none'; form-action 'none'")
    return document(state["name"], policy, f'<main id="tnb-root"><noscript>{still}</noscript></main>\n'
                    f'<script type="application/json" id="tnb-state">{_embedded(data)}</script>\n'
                    f'<script>{script}</script>', f"<style>{style}</style>\n")


def _key(key: tuple[Any, ...]) -> str:
    """As JSON.stringify writes it."""
    return json.dumps(key, ensure_ascii=False, separators=(",", ":"))


def _embedded(data: Any) -> str:
    """JSON in which nothing ends the script that holds it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").replace(
        "\u2028", "\\u2028").replace("\u2029", "\\u2029")
