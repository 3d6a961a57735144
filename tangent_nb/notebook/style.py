"""The style of the static view: every rule is scoped by the class `tnb-view`; nothing outside of it is touched.

In the end the class is written twice, so that these rules are stronger than those of the pages they stand in.

Colours are the theme's (JupyterLab's and VS Code's variables), with a light and a dark set for pages without a theme.
The six link colours can be told apart by readers with any of the common colour-vision deficiencies, have a contrast of
at least 3 to both backgrounds, and are never the only cue: line numbers stand beside them.
"""
from __future__ import annotations

import re

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


def _variables(colours: dict[str, str]) -> str:
    """Each colour as the theme has it, or else as given here."""
    rules = []
    for name, colour in colours.items():
        value = colour
        for variable in reversed(THEME[name]):
            value = f"var(--{variable}, {value})"
        rules.append(f"--tnb-{name}: {value};")
    return " ".join(rules)


RULES = f"""
.tnb-view {{ {_variables(LIGHT)}
  --tnb-mono: var(--jp-code-font-family, ui-monospace, "SF Mono", Menlo, Consolas, monospace);
  container-type: inline-size; margin: 4px 0;
  border: 1px solid var(--tnb-rule); border-radius: 6px; overflow: hidden;
  background: var(--tnb-paper); color: var(--tnb-ink);
  font: 13px/1.45 var(--jp-ui-font-family, system-ui, -apple-system, "Segoe UI", sans-serif); }}
@media (prefers-color-scheme: dark) {{ .tnb-view {{ {_variables(DARK)} }} }}
.tnb-view .tnb-header {{ display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: baseline; padding: 7px 12px;
  border-bottom: 1px solid var(--tnb-rule); background: var(--tnb-soft); }}
.tnb-view .tnb-header .tnb-name {{ font: 600 13px var(--tnb-mono); }}
.tnb-view .tnb-label {{ color: var(--tnb-dim); }}
.tnb-view .tnb-value {{ font: 12.5px var(--tnb-mono); overflow-wrap: anywhere; }}
.tnb-view table.tnb-panes {{ display: block; margin: 0; border: 0; color: inherit; font-size: 13px; }}
.tnb-view .tnb-panes tbody {{ display: block; padding: 0; border: 0; }}
.tnb-view .tnb-panes tr {{ display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); padding: 0; border: 0;
  background: none; }}
.tnb-view .tnb-panes td.tnb-pane {{ display: block; max-width: none; min-width: 0; padding: 6px 0 10px; border: 0;
  text-align: left; white-space: normal; }}
.tnb-view .tnb-panes td.tnb-pane + td.tnb-pane {{ border-left: 1px solid var(--tnb-rule); }}
.tnb-view .tnb-section + .tnb-section {{ margin-top: 10px; }}
.tnb-view .tnb-title {{ padding: 0 12px 4px; color: var(--tnb-dim); font-size: 12px; }}
.tnb-view summary.tnb-title {{ cursor: pointer; }}
.tnb-view pre {{ margin: 0; padding: 0; border: 0; background: none; color: inherit; overflow: visible;
  font: 13px/1.6 var(--tnb-mono); word-break: normal; }}
.tnb-view .tnb-code > span {{ --tnb-link: transparent; display: grid; grid-template-columns: max-content minmax(0, 1fr);
  border-left: 5px solid var(--tnb-link); padding-right: 10px; white-space: pre;
  background: color-mix(in srgb, var(--tnb-link) 9%, transparent); }}
.tnb-view .tnb-behind > span {{ grid-template-columns: max-content minmax(0, 1fr) fit-content(30%); }}
.tnb-view .tnb-code small {{ min-width: 2.4em; padding: 0 8px 0 6px; color: var(--tnb-dim); user-select: none; \
font-size: 11.5px;
  line-height: 1.81; }}
.tnb-view .tnb-code small + span + small {{ min-width: 0; padding: 0; text-align: right; white-space: pre-wrap; }}
.tnb-view .tnb-code > span > span {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
{" ".join(f".tnb-view .tnb-code > {level} > span {{ padding-left: {4 * i + 4}ch; text-indent: -{4 * i + 4}ch; }}"
          for i, level in [(1, "span"), *((i, f".tnb-i{i}") for i in range(DEEPEST + 1) if i != 1)])}
.tnb-view .tnb-block {{ padding: 8px 0; border-top: 1px solid var(--tnb-rule); overflow-x: auto; }}
.tnb-view table.tnb-table {{ margin: 0 12px; border-collapse: collapse; border: 0; font-size: 12.5px; color: inherit; }}
.tnb-view .tnb-table tr, .tnb-view .tnb-table tr:nth-child(even) {{ background: none; padding: 0; border: 0; }}
.tnb-view .tnb-table th, .tnb-view .tnb-table td {{ padding: 2px 18px 2px 0; border: 0; text-align: left; \
vertical-align: top;
  color: inherit; max-width: none; white-space: pre-wrap; }}
.tnb-view .tnb-table thead {{ border: 0; }}
.tnb-view .tnb-table th {{ color: var(--tnb-dim); font-weight: 400; }}
.tnb-view .tnb-cell {{ width: max-content; max-width: 80ch; font: 12.5px/1.5 var(--tnb-mono); \
white-space: pre-wrap; overflow-wrap: anywhere; }}
.tnb-view .tnb-table:has(td:nth-child(8)) * {{ white-space: pre; overflow-wrap: normal; }}
.tnb-view .tnb-table:has(td:nth-child(8)) td:nth-child(4) {{ padding-right: 34px; }}
.tnb-view .tnb-note {{ margin: 0; padding: 5px 12px; color: var(--tnb-dim); font-size: 12.5px;
  border-top: 1px solid var(--tnb-rule); }}
.tnb-view .tnb-message {{ padding: 10px 14px; white-space: pre-wrap; overflow-wrap: anywhere;
  border-left: 5px solid var(--tnb-no); }}
{" ".join(f".tnb-view .tnb-{kind} {{ color: var(--tnb-{kind}); }}" for kind in "kfbms")}
.tnb-view .tnb-c {{ color: var(--tnb-c); font-style: italic; }}
.tnb-view .tnb-yes {{ color: var(--tnb-yes); font-weight: 600; }}
.tnb-view .tnb-no {{ color: var(--tnb-no); font-weight: 600; }}
{" ".join(f".tnb-view .tnb-g{len(LINKS) * at + place} {{ --tnb-link: {colour}; border-left-style: {style}; }}"
          for at, style in enumerate(PATTERNS) for place, colour in enumerate(LINKS))}
@container (max-width: 800px) {{ .tnb-view .tnb-cell {{ max-width: 56ch; }} }}
@container (max-width: 640px) {{ .tnb-view .tnb-panes tr {{ grid-template-columns: minmax(0, 1fr); }}
  .tnb-view .tnb-panes td.tnb-pane + td.tnb-pane {{ border-left: 0; border-top: 1px solid var(--tnb-rule); }} }}
"""

STYLE = re.sub(r"\s*([{};])\s*", r"\1", re.sub(r"\s+", " ", RULES.replace(".tnb-view", ".tnb-view.tnb-view"))).strip()
