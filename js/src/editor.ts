/** The editor: CodeMirror, in the widget's looks. A bundle of its own, that the page imports when it is first asked for. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import type { Extension, Range } from "@codemirror/state";
import { Compartment, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import type { DecorationSet } from "@codemirror/view";
import { Decoration, EditorView, gutterLineClass, GutterMarker, highlightSpecialChars, keymap, gutter, MatchDecorator, ViewPlugin, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { element, set } from "./dom";
import type { Fault, Marks, Writing, Written } from "./writing";

const ASIDE = 8;                                   // characters that the gutters are wide, and what stays free
const MOST_INDENT = 4;

const NONE: Marks = { faults: [], groups: new Map(), hot: new Set() };

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword, tags.bool, tags.null], class: "tnb-k" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className), tags.meta], class: "tnb-f" },
  { tag: tags.number, class: "tnb-m" },
  { tag: [tags.string, tags.special(tags.string), tags.escape], class: "tnb-s" },
  { tag: tags.comment, class: "tnb-c" },
]);

const setMarks = StateEffect.define<Marks>();

const marks = StateField.define<Marks>({
  create: () => NONE,
  update(now, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    return transaction.docChanged ? moved(now, transaction.startState, transaction.state, (at) => transaction.changes.mapPos(at)) : now;
  },
});

/** Marks of a text that has changed since: they stay at their lines until the next answer. */
function moved(now: Marks, before: EditorState, after: EditorState, map: (at: number) => number): Marks {
  const line = (number: number): number => number > before.doc.lines ? after.doc.lines : after.doc.lineAt(map(before.doc.line(number).to)).number;
  return { faults: now.faults.map((fault) => ({ ...fault, line: line(fault.line) })),
    groups: new Map([...now.groups].map(([number, group]) => [line(number), group])), hot: new Set([...now.hot].map(line)) };
}

/** Carets under the place, and why. */
class Said extends WidgetType {
  /** before: blanks, as far as the place; length: of the line. */
  constructor(private readonly fault: Fault, private readonly before: string, private readonly length: number) {
    super();
  }

  override eq(other: Said): boolean {
    return this.before === other.before && this.length === other.length && this.fault.text === other.fault.text && this.fault.column === other.fault.column
      && this.fault.end === other.fault.end;
  }

  toDOM(view: EditorView): HTMLElement {
    const { column, end, text } = this.fault;
    const fits = Math.floor(view.scrollDOM.clientWidth / view.defaultCharacterWidth) - ASIDE;
    const carets = set(element("div", "carets", this.before, element("b", [], "^".repeat(Math.max(1, end - column)))), { "aria-hidden": true });
    const below = (view.lineWrapping ? this.length : column) < fits;           // else in a line that is broken, or off to the side
    const said = element("div", "fault", ...below ? [carets] : [], ...text.split("\n").map((line) => element("div", "why", line)));
    said.style.setProperty("--tnb-indent", `${below ? Math.min(column, MOST_INDENT) : 0}ch`);
    return said;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The text before the carets, as blanks: what is a tab there is one here. */
function blanks(text: string): string {
  return text.replace(/[^\t]/g, " ");
}

function decorated(state: EditorState): DecorationSet {
  const { faults, hot } = state.field(marks);
  const found: Range<Decoration>[] = [];
  for (const number of hot) {
    if (number <= state.doc.lines) found.push(Decoration.line({ class: "tnb-hot" }).range(state.doc.line(number).from));
  }
  for (const fault of faults) {
    const line = state.doc.line(Math.min(Math.max(1, fault.line), state.doc.lines));
    const from = Math.min(line.to, line.from + fault.column);
    const to = Math.min(line.to, Math.max(from, line.from + fault.end));
    if (to > from) found.push(Decoration.mark({ class: "tnb-wrong" }).range(from, to));
    found.push(Decoration.widget({ widget: new Said(fault, blanks(line.text.slice(0, fault.column)), line.length), block: true, side: 1 }).range(line.to));
  }
  return Decoration.set(found, true);
}

class Colour extends GutterMarker {
  override elementClass: string;

  constructor(private readonly group: number) {
    super();
    this.elementClass = `tnb-g${group}`;
  }

  override eq(other: Colour): boolean {
    return this.group === other.group;
  }

  override toDOM(): Node {
    return element("span", "link");
  }
}

class Numbered extends GutterMarker {
  constructor(private readonly number: number) {
    super();
  }

  override eq(other: Numbered): boolean {
    return this.number === other.number;
  }

  override toDOM(): Node {
    return document.createTextNode(String(this.number));
  }
}

/** The numbers of the lines in their cell, in a column as wide as the last of them. */
function numbered(first: number): Extension {
  const last = ({ state }: EditorView): Numbered => new Numbered(state.doc.lines + first - 1);
  return gutter({ class: "cm-lineNumbers", initialSpacer: last,
    updateSpacer: (spacer, { view, docChanged }) => docChanged ? last(view) : spacer,
    lineMarker: (seen, block) => new Numbered(seen.state.doc.lineAt(block.from).number + first - 1),
    lineMarkerChange: ({ docChanged }) => docChanged });
}

class Hot extends GutterMarker {
  override elementClass = "tnb-hot";
}

const HOT = new Hot();

function lit(state: EditorState): RangeSet<GutterMarker> {
  const lines = [...state.field(marks).hot].filter((one) => one <= state.doc.lines).sort((a, b) => a - b);
  return RangeSet.of(lines.map((one) => HOT.range(state.doc.line(one).from)));
}

/** Names that Python has, coloured as in the other pane. */
function builtins(names: ReadonlySet<string>): Extension {
  const finder = new MatchDecorator({ regexp: /(?<![.\w])[A-Za-z_]\w*/g,
    decoration: ([name]) => names.has(name) ? Decoration.mark({ class: "tnb-b" }) : null });
  return ViewPlugin.define((view) => {
    const plugin = { seen: finder.createDeco(view), update: (update: Parameters<typeof finder.updateDeco>[0]): void => {
      plugin.seen = finder.updateDeco(update, plugin.seen);
    } };
    return plugin;
  }, { decorations: (plugin) => plugin.seen });
}

export function write(writing: Writing): Written {
  const wrapping = new Compartment();
  const done = (act: () => void) => (): boolean => {
    act();
    return true;
  };
  let told: number | null = null;
  const tell = (line: number | null): void => {
    if (line === told) return;
    told = line;
    writing.line(line);
  };
  const atCursor = (view: EditorView): number | null => view.hasFocus ? view.state.doc.lineAt(view.state.selection.main.head).number : null;
  const view = new EditorView({
    parent: writing.parent,
    state: EditorState.create({
      doc: writing.text,
      extensions: [
        numbered(writing.first),
        gutter({ class: "tnb-colours", lineMarker: (seen, block) => {
          const group = seen.state.field(marks).groups.get(seen.state.doc.lineAt(block.from).number) ?? -1;
          return group < 0 ? null : new Colour(group);
        }, lineMarkerChange: (update) => update.startState.field(marks) !== update.state.field(marks) }),
        history(), highlightSpecialChars(), indentOnInput(), bracketMatching(), indentUnit.of("    "),
        pythonLanguage, syntaxHighlighting(COLOURS), builtins(writing.builtins),
        marks, EditorView.decorations.compute([marks], decorated), gutterLineClass.compute([marks], lit),
        wrapping.of([]),
        EditorView.contentAttributes.of({ "aria-label": writing.label, "data-lm-suppress-shortcuts": "true", spellcheck: "false" }),
        keymap.of([
          { key: "Mod-Enter", run: done(writing.apply), preventDefault: true },
          { key: "Escape", run: done(writing.leave) },
          ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) writing.changed();
          if (update.docChanged || update.selectionSet || update.focusChanged) tell(atCursor(update.view));
        }),
        EditorView.domEventHandlers({
          mousemove: (event, seen) => {
            const at = seen.posAtCoords({ x: event.clientX, y: event.clientY });
            tell(at === null ? null : seen.state.doc.lineAt(at).number);
          },
          mouseleave: (_, seen) => { tell(atCursor(seen)); },
        }),
      ],
    }),
  });
  // What is typed is not for the notebook around.
  for (const kind of ["keydown", "keypress", "keyup", "paste", "copy", "cut"] as const) {
    view.dom.addEventListener(kind, (event) => { event.stopPropagation(); });
  }
  return {
    text: () => view.state.doc.toString(),
    mark: (all) => { view.dispatch({ effects: setMarks.of(all) }); },
    wrap: (on) => { view.dispatch({ effects: wrapping.reconfigure(on ? EditorView.lineWrapping : []) }); },
    focus: (first) => {
      view.focus();
      if (first === undefined) return;
      const line = view.state.doc.line(Math.min(Math.max(1, first), view.state.doc.lines));
      view.dispatch({ selection: { anchor: line.to }, scrollIntoView: true });
    },
    destroy: () => { view.destroy(); },
  };
}
