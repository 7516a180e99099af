// The editor: GLSL with its problems, the cost of each line beside it, and the lines that light up.

import {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
import {bracketMatching, indentUnit} from "@codemirror/language";
import {lintGutter, lintKeymap, setDiagnostics} from "@codemirror/lint";
import {highlightSelectionMatches, searchKeymap} from "@codemirror/search";
import {Compartment, EditorState} from "@codemirror/state";
import {EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers} from "@codemirror/view";
import {costGutter, costs} from "./costs.js";
import {glsl} from "./language.js";
import {lightLines, litLines} from "./lit-lines.js";
import {editsInWords, editsOf, placesOf} from "./places.js";

// `told` hears of changed(text), line(number) where the cursor is, and point(number) where the pointer is.
export function makeEditor(parent, words, told) {
  const label = new Compartment();
  const view = new EditorView({parent, state: EditorState.create({extensions: extensions(words, label, told)})});
  let quiet = false, problems = [], checked = "";

  return {
    view,
    // Another text, which is no change of the user's.
    load(text, name) {
      if (view.state.doc.toString() !== text) {
        quiet = true;
        view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}, selection: {anchor: 0}});
        quiet = false;
      }
      view.dispatch({effects: label.reconfigure(EditorView.contentAttributes.of({"aria-label": `GLSL, ${name}`}))});
    },
    isQuiet: () => quiet,
    // The problems of a file under the words that they are about.
    mark(diagnostics, name) {
      problems = diagnostics.filter(each => each.physical_file === name);
      checked = view.state.doc.toString();
      const place = placesOf(checked);
      const take = each => this.apply(each, name);
      view.dispatch(setDiagnostics(view.state, problems.map(each => marked(each, name, checked, place, take))));
    },
    // A fix is of the text that was checked, and of no other.
    apply(diagnostic, name) {
      const text = view.state.doc.toString(), changes = editsOf(diagnostic, name, text);
      if (changes.length && text === checked) view.dispatch({changes, userEvent: "input.fix"});
      view.focus();
    },
    // The first fix of what is wrong in the cursor's line.
    applyHere(name) {
      const line = view.state.doc.lineAt(view.state.selection.main.head).number;
      const found = problems.find(each => each.line === line && each.fixes.length);
      if (found) this.apply(found, name);
      return Boolean(found);
    },
    go(line, column = 1) {
      const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      const anchor = Math.min(found.from + column - 1, found.to);
      view.dispatch({selection: {anchor}, effects: EditorView.scrollIntoView(anchor, {y: "center"})});
      view.focus();
    },
    showCosts: found => view.dispatch({effects: costs.of(found)}),
    light: lines => view.dispatch({effects: lightLines.of(lines)}),
    reveal: line => {
      if (line <= view.state.doc.lines)
        view.dispatch({effects: EditorView.scrollIntoView(view.state.doc.line(line).from, {y: "nearest", yMargin: 30})});
    },
  };
}

function extensions(words, label, told) {
  return [
    lineNumbers(), costGutter, lintGutter(), litLines, highlightSpecialChars(), history(), drawSelection(),
    bracketMatching(), highlightActiveLine(), highlightSelectionMatches(), indentUnit.of("    "), glsl(words),
    label.of([]),
    keymap.of([{key: "Mod-.", run: () => told.fix()}, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
    EditorView.updateListener.of(update => {
      if (update.docChanged) told.changed(update.state.doc.toString());
      if (update.selectionSet || update.focusChanged)
        told.line(update.state.doc.lineAt(update.state.selection.main.head).number);
    }),
    EditorView.domEventHandlers({
      mousemove: (event, view) => {
        const place = view.posAtCoords({x: event.clientX, y: event.clientY}, false);
        told.point(view.state.doc.lineAt(place).number);
      },
      mouseleave: () => told.point(0),
    }),
  ];
}

function marked(diagnostic, name, text, place, take) {
  const from = place(diagnostic.start_byte), edits = editsOf(diagnostic, name, text);
  return {
    from,
    to: Math.max(place(diagnostic.end_byte), from),
    severity: diagnostic.severity === "note" ? "info" : diagnostic.severity,
    source: diagnostic.code,
    message: [diagnostic.message, ...(diagnostic.help ? [`help: ${diagnostic.help}`] : [])].join("\n"),
    actions: edits.length ? [{name: editsInWords(edits, text), apply: () => take(diagnostic)}] : [],
  };
}
