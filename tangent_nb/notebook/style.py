"""The style of the static view: every rule is scoped by the class `tnb-view`; nothing outside of it is touched.

Each notebook keeps it with each view, so a view has the rules that it needs and no others (`style_for`). They stand
inside of the rule of the view, whose class is written twice: so they are stronger than those of the page around.

Colours are the theme's (JupyterLab's and VS Code's variables), with a light and a dark set for pages without a theme.
The six link colours can be told apart by readers with any of the common colour-vision deficiencies, have a contrast of
at least 3 to both backgrounds, and are never the only cue: line numbers stand beside them.
"""
from __future__ import annotations

import re
from functools import lru_cache

LINKS = ("#0072b2", "#d55e00", "#009e73", "#c2578f", "#9a7d0a", "#78716c")
PATTERNS = ("solid", "double", "dashed", "dotted")  # where there are more lines than colours

DEEPEST = 10                                       # levels of indentation that wrapped lines keep

LIGHT = {"paper": "#fff", "soft": "#f6f8fa", "ink": "#1f2328", "dim": "#5f6771", "rule": "#dfe3e8", "k": "#a626a4",
         "f": "#0b62d6", "b": "#0b62d6", "m": "#8a5f00", "s": "#a3343d", "c": "#5f6973", "yes": "#00755b",
         "no": "#c0392b"}
DARK = {"paper": "#161a1f", "soft": "#1b2026", "ink": "#dde3ea", "dim": "#8b96a3", "rule": "#2a3139", "k": "#d597f5",
        "f": "#7cc0ff", "b": "#7cc0ff", "m": "#e0b36a", "s": "#f2a3a3", "c": "#8b96a3", "yes": "#3ecf9f",
        "no": "#ff8a7a"}
THEME = {"paper": ("jp-layout-color0", "vscode-editor-background"),
         "soft": ("jp-layout-color1", "vscode-editorWidget-background"),
         "ink": ("jp-content-font-color1", "vscode-editor-foreground"),
         "dim": ("jp-content-font-color2", "vscode-descriptionForeground"),
         "rule": ("jp-border-color2", "vscode-panel-border"),
         "k": ("jp-mirror-editor-keyword-color",), "f": ("jp-mirror-editor-def-color",),
         "b": ("jp-mirror-editor-builtin-color",), "m": ("jp-mirror-editor-number-color",),
         "s": ("jp-mirror-editor-string-color",), "c": ("jp-content-font-color2", "vscode-descriptionForeground"),
         "yes": ("jp-success-color0",), "no": ("jp-error-color0",)}


# What is coloured: elements that look like the text around them where the style is taken away, or as they are printed
TOKENS = {"k": "b", "f": "dfn", "b": "abbr", "m": "bdi", "s": "samp", "c": "i"}
PLAIN = dict.fromkeys(("b", "dfn", "samp"), "font: inherit;")


def _variable(name: str) -> str:
    """A colour as the theme has it, or else as given here."""
    value = f"light-dark({LIGHT[name]},{DARK[name]})"
    for variable in reversed(THEME[name]):
        value = f"var(--{variable},{value})"
    return f"--tnb-{name}:{value};"


VIEW = """color-scheme: light dark; --tnb-mono: var(--jp-code-font-family, ui-monospace, Menlo, Consolas, monospace);
container-type: inline-size; margin: 4px 0; border: 1px solid var(--tnb-rule); border-radius: 6px; overflow: hidden;
background: var(--tnb-paper); color: var(--tnb-ink); font: 13px/1.45 var(--jp-ui-font-family, system-ui, sans-serif);"""

RULES = f"""
.tnb-header {{ display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: baseline; padding: 7px 12px;
  border-bottom: 1px solid var(--tnb-rule); background: var(--tnb-soft); }}
.tnb-header b {{ font: 600 13px var(--tnb-mono); }}
.tnb-header small {{ color: var(--tnb-dim); font-size: 13px; }}
.tnb-header q {{ quotes: none; color: var(--tnb-ink); font: 12.5px var(--tnb-mono); overflow-wrap: anywhere; }}
.tnb-panes {{ display: block; margin: 0; border: 0; color: inherit; font-size: 13px; }}
.tnb-panes tbody {{ display: block; padding: 0; border: 0; }}
.tnb-panes tr {{ display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); padding: 0; border: 0;
  background: none; }}
.tnb-pane {{ display: block; max-width: none; min-width: 0; padding: 6px 0 10px; border: 0; white-space: normal; }}
.tnb-pane, .tnb-table * {{ text-align: left; }}
.tnb-pane + .tnb-pane {{ border-left: 1px solid var(--tnb-rule); }}
.tnb-section + .tnb-section {{ margin-top: 10px; }}
.tnb-title {{ padding: 0 12px 4px; color: var(--tnb-dim); font-size: 12px; }}
summary.tnb-title {{ cursor: pointer; }}
pre {{ margin: 0; padding: 0; border: 0; background: none; color: inherit; overflow: visible;
  font: 13px/1.6 var(--tnb-mono); word-break: normal; }}
.tnb-code br {{ display: none; }}
.tnb-code > span {{ display: grid; grid-template-columns: max-content minmax(0, 1fr); padding-right: 10px;
  border-left: 5px var(--tnb-dash, solid) var(--tnb-link, transparent);
  background: color-mix(in srgb, var(--tnb-link, transparent) 9%, transparent); }}
.tnb-behind > span {{ grid-template-columns: max-content minmax(0, 1fr) fit-content(30%); }}
.tnb-code small {{ min-width: 2.4em; padding: 0 8px 0 6px; color: var(--tnb-dim); user-select: none;
  font-size: 11.5px; line-height: 1.81; }}
.tnb-code span + small {{ min-width: 0; padding: 0; text-align: right; white-space: pre-wrap; }}
.tnb-code span span {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
{" ".join(f".tnb-code > {level} > span {{ padding-left: {4 * i + 4}ch; text-indent: -{4 * i + 4}ch; }}"
          for i, level in [(1, "span"), *((i, f".tnb-i{i}") for i in range(DEEPEST + 1) if i != 1)])}
.tnb-block {{ padding: 8px 0; border-top: 1px solid var(--tnb-rule); overflow-x: auto; }}
.tnb-table {{ margin: 0 12px; border-collapse: collapse; border: 0; font-size: 12.5px; color: inherit; }}
.tnb-table tr, .tnb-table tr:nth-child(even) {{ background: none; padding: 0; border: 0; }}
.tnb-table th, .tnb-table td {{ padding: 2px 18px 2px 0; border: 0; vertical-align: top;
  color: inherit; max-width: none; white-space: pre-wrap; }}
.tnb-table thead {{ border: 0; }}
.tnb-table th {{ color: var(--tnb-dim); font-weight: 400; }}
.tnb-cell {{ width: max-content; max-width: 80ch; font: 12.5px/1.5 var(--tnb-mono); white-space: pre-wrap;
  overflow-wrap: anywhere; }}
.tnb-table:has(td:nth-child(8)) * {{ white-space: pre; overflow-wrap: normal; }}
.tnb-table:has(td:nth-child(8)) td:nth-child(4) {{ padding-right: 34px; }}
.tnb-note {{ margin: 0; padding: 5px 12px; color: var(--tnb-dim); font-size: 12.5px;
  border-top: 1px solid var(--tnb-rule); }}
.tnb-message {{ padding: 10px 14px; white-space: pre-wrap; overflow-wrap: anywhere;
  border-left: 5px solid var(--tnb-no); }}
{" ".join(f".tnb-code {tag} {{ color: var(--tnb-{kind}); {PLAIN.get(tag, '')} }}" for kind, tag in TOKENS.items())}
.tnb-yes {{ color: var(--tnb-yes); font-weight: 600; }}
.tnb-no {{ color: var(--tnb-no); font-weight: 600; }}
{" ".join(f".tnb-g{len(LINKS) * at + place} {{ --tnb-link: {colour}; {f'--tnb-dash: {style};' if at else ''} }}"
          for at, style in enumerate(PATTERNS) for place, colour in enumerate(LINKS))}
"""
NARROW = ((800, ".tnb-cell { max-width: 56ch; }"), (640, ".tnb-panes tr { grid-template-columns: minmax(0, 1fr); }"),
          (640, ".tnb-pane + .tnb-pane { border-left: 0; border-top: 1px solid var(--tnb-rule); }"))


ASKED = frozenset(TOKENS.values()) | {"summary"}     # elements whose rules are for them alone


def _small(rule: str) -> str:
    return re.sub(r"\s*([{}:;,])\s*", r"\1", re.sub(r"\s+", " ", rule)).replace(";}", "}").strip()


def _rules(text: str) -> list[tuple[frozenset[str], frozenset[str], str]]:
    """Each rule with the classes and the coloured elements that it is for."""
    found = []
    for selector, held in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        head = selector.replace(" :", ":").strip()
        rule = re.sub(r"\s*([,>+])\s*", r"\1", re.sub(r"\s+", " ", head)) + _small(f"{{{held}}}")
        found.append((frozenset(re.findall(r"tnb-[\w-]+", head)),
                      frozenset(re.findall(r"(?<= )[a-z]+$|^summary", head)) & ASKED, rule))
    return found


_ALWAYS = _rules(RULES)
_NARROW = [(width, rule) for width, text in NARROW for rule in _rules(text)]


def style_for(content: str) -> str:
    """The rules for a view. content: its markup.

    >>> style_for("<p class=tnb-note>text</p>").partition("pre{")[2].partition("}")[2]
    '.tnb-note{margin:0;padding:5px 12px;color:var(--tnb-dim);font-size:12.5px;border-top:1px solid var(--tnb-rule)}}'
    """
    return _style(frozenset(re.findall(r"tnb-[\w-]+", content)), frozenset(re.findall(r"<([a-z]+)[ >]", content)))


@lru_cache(64)
def _style(classes: frozenset[str], elements: frozenset[str]) -> str:
    def needed(one: tuple[frozenset[str], frozenset[str], str]) -> bool:
        return one[0] <= classes and one[1] <= elements

    rules = "".join(rule[2] for rule in _ALWAYS if needed(rule))
    for width in dict(NARROW):
        narrow = "".join(rule[2] for at, rule in _NARROW if at == width and needed(rule))
        rules += f"@container (max-width:{width}px){{{narrow}}}" if narrow else ""
    view = _small(VIEW)
    colours = "".join(_variable(name) for name in THEME if re.search(rf"--tnb-{name}\b", view + rules))
    return f".tnb-view.tnb-view{{{colours}{view}{rules}}}"


STYLE = _style(frozenset(one for rule in (*_ALWAYS, *(rule for _, rule in _NARROW)) for one in rule[0]),
               ASKED)                               # all of it
