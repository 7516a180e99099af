// How many words each line costs on one target, in a column beside the source.

import {StateEffect, StateField} from "@codemirror/state";
import {GutterMarker, gutter} from "@codemirror/view";

// An effect that sets {target, lines: {line: words}}.
export const costs = StateEffect.define();

const field = StateField.define({
  create: () => ({target: "", lines: {}}),
  update: (value, transaction) => transaction.effects.reduce((found, each) => (each.is(costs) ? each.value : found), value),
});

class Cost extends GutterMarker {
  constructor(words, share, target) {
    super();
    Object.assign(this, {words, share, target});
  }
  eq(other) { return other.words === this.words && other.share === this.share && other.target === this.target; }
  toDOM() {
    const element = document.createElement("i");
    element.textContent = this.words;
    element.title = `${this.words} words of ${this.target}`;
    element.style.setProperty("--share", this.share.toFixed(2));
    return element;
  }
}

export const costGutter = [field, gutter({
  class: "costs",
  lineMarker(view, line) {
    const {target, lines} = view.state.field(field);
    const words = lines[view.state.doc.lineAt(line.from).number];
    return words ? new Cost(words, words / Math.max(...Object.values(lines)), target) : null;
  },
  lineMarkerChange: update => update.startState.field(field) !== update.state.field(field),
  initialSpacer: () => new Cost(1000, 0, ""),
})];
