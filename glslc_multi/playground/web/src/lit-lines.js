// The lines of the source that light up.

import {StateEffect, StateField} from "@codemirror/state";
import {Decoration, EditorView} from "@codemirror/view";

// An effect that sets which lines do, by their numbers.
export const lightLines = StateEffect.define();

const LIT = Decoration.line({class: "lit"});

export const litLines = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(lightLines)) value = decorated(transaction.state.doc, effect.value);
    return value;
  },
  provide: field => EditorView.decorations.from(field),
});

function decorated(text, lines) {
  const known = [...new Set(lines)].filter(line => line > 0 && line <= text.lines).sort((one, other) => one - other);
  return Decoration.set(known.map(line => LIT.range(text.line(line).from)));
}
