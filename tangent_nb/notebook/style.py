"""The style of the static view: every rule is scoped by the class `tnb-view`; nothing outside of it is touched.

Each notebook keeps it with each view, so it is short: a view has the rules that it needs and no others (`style_for`),
and all that can be is left as the page around has it, its colours first of all. The rules stand inside of the rule of
the view, whose class is written three times: so they are stronger than those of the page.

The six link colours can be told apart by readers with any of the common colour-vision deficiencies, have a contrast of
at least 3 to light and dark backgrounds, and are never the only cue: line numbers stand beside the user's lines.
"""
from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_lowercase

LINKS = ("#0072b2", "#d55e00", "#009e73", "#c2578f", "#9a7d0a", "#78716c")
PATTERNS = ("solid", "double", "dashed", "dotted")  # where there are more lines than colours

GROUPS = ascii_lowercase[:len(LINKS) * len(PATTERNS)]          # the class of the lines of a group, a letter

TOKENS = {"k": "b", "c": "i"}                      # what looks different, also where the style is taken away
DIM = 0.72                                         # of the ink, where a text is beside the point
SIGNS = {"yes": ("jp-success-color0", "#00755b", "#3ecf9f"), "no": ("jp-error-color0", "#c0392b", "#ff8a7a")}


def _sign(name: str) -> str:
    variable, light, dark = SIGNS[name]
    return f"color-scheme: light dark; color: var(--{variable}, light-dark({light}, {dark})); font-weight: 600;"


VIEW = """margin: 4px 0; border: 1px solid #8886; border-radius: 6px; overflow: hidden;
font: 13px/1.4 var(--jp-ui-font-family, system-ui);"""

RULES = f"""
p {{ margin: 0; padding: 6px 12px; }}
.tnb-panes, .tnb-panes tbody {{ display: block; margin: 0; border: 0; }}
.tnb-panes tr {{ display: flex; flex-wrap: wrap; padding: 0; border: 0; background: none; }}
.tnb-pane {{ flex: 5 1 26em; min-width: 0; max-width: none; padding: 6px 0 8px; border: 0; outline: 1px solid #8885;
  white-space: normal; }}
.tnb-pane + td {{ flex-grow: 6; }}
summary {{ padding: 0 12px; cursor: pointer; }}
small {{ padding: 0 12px; opacity: {DIM}; font-size: 12px; }}
pre {{ margin: 0; padding: 0; border: 0; background: none; color: inherit; white-space: pre-wrap;
  font: 13px/1.6 var(--jp-code-font-family, monospace); word-break: normal; overflow-wrap: anywhere; }}
ol {{ margin: 0; padding: 0 0 0 5ch; }}
li {{ display: flow-root list-item; padding: 0 0 0 8.5ch; border-left: 5px var(--d, solid) var(--c, #0000);
  text-indent: -8ch; background: color-mix(in srgb, var(--c, #0000) 9%, #0000); }}
li::marker {{ color: #777; font-size: 11px; }}
li small {{ float: right; text-indent: 0; }}
pre b {{ color: var(--jp-mirror-editor-keyword-color); }}
pre i {{ opacity: {DIM}; }}
em {{ {_sign("no")} }}
.tnb-table {{ margin: 0 12px 8px; border-collapse: collapse; border: 0; font-size: 12.5px; }}
.tnb-table :is(tr, th, td) {{ padding: 2px 18px 2px 0; border: 0; background: none; text-align: left;
  vertical-align: top; max-width: none; }}
.tnb-table th {{ opacity: {DIM}; font-weight: 400; }}
.tnb-block {{ border-top: 1px solid #8885; overflow-x: auto; }}
.tnb-cell {{ width: max-content; max-width: 80ch; font-size: 12.5px; line-height: 1.5; }}
.tnb-table:has(td:nth-child(8)) * {{ white-space: pre; overflow-wrap: normal; }}
.tnb-table:has(td:nth-child(8)) td:nth-child(4) {{ padding-right: 34px; }}
.tnb-message {{ padding: 10px 14px; border-left: 5px solid var(--jp-error-color0, #c0392b); }}
.tnb-yes {{ {_sign("yes")} }}
.tnb-no {{ {_sign("no")} }}
{" ".join(f".{GROUPS[len(LINKS) * at + place]} {{ --c: {colour}; {f'--d: {style};' if at else ''} }}"
          for at, style in enumerate(PATTERNS) for place, colour in enumerate(LINKS))}
"""


def _small(rule: str) -> str:
    return re.sub(r"\s*([{}:;,])\s*", r"\1", re.sub(r"\s+", " ", rule)).replace(";}", "}").strip()


def _rules(text: str) -> list[tuple[frozenset[str], frozenset[str], str]]:
    """Each rule with the classes and the elements that it is for."""
    found = []
    for selector, held in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        head = re.sub(r"\s*([,>+])\s*", r"\1", re.sub(r"\s+", " ", selector)).strip()
        named = re.sub(r":[\w-]+\([^()]*(\([^()]*\))*\)|::?[\w-]+", "", head)         # not what is in brackets
        found.append((frozenset(re.findall(r"(?<=\.)[\w-]+", named)),
                      frozenset(re.findall(r"(?:^|(?<=[ ,>+]))[a-z]+", named)), head + _small(f"{{{held}}}")))
    return found


_ALWAYS = _rules(RULES)


def style_for(content: str) -> str:
    """The rules for a view. content: its markup.

    >>> style_for("<p>text</p>").partition("system-ui);")[2]
    'p{margin:0;padding:6px 12px}}'
    """
    classes = {one for group in re.findall(r"<[a-z]+ class=(?:'([^']*)'|([\w-]+))", content)
               for one in "".join(group).split()}
    return _style(frozenset(classes), frozenset(re.findall(r"<([a-z]+)[ >]", content)))


@lru_cache(64)
def _style(classes: frozenset[str], elements: frozenset[str]) -> str:
    rules = "".join(rule for held, tags, rule in _ALWAYS if held <= classes and tags <= elements)
    return f".tnb-view.tnb-view.tnb-view{{{_small(VIEW)}{rules}}}"


STYLE = _style(*(frozenset(one for rule in _ALWAYS for one in rule[part]) for part in (0, 1)))      # all of it
