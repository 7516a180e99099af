// The panes: one for each target that is open, side by side.

import {make} from "../../../report/explain/shown.js";
import {makePane} from "./pane.js";
import {change, state, watch} from "./state.js";

export function makePanes(parent, targets) {
  const known = new Map(targets.map(target => [target.name, target])), panes = new Map(), last = new Map();

  function show() {
    for (const [name, pane] of panes)
      if (!state.panes.includes(name)) {
        pane.element.remove();
        panes.delete(name);
      }
    for (const name of state.panes.filter(name => known.has(name))) {
      if (!panes.has(name)) {
        panes.set(name, makePane(known.get(name)));
        if (last.has(name)) panes.get(name).code(last.get(name));
      }
      parent.append(panes.get(name).element);
    }
    for (const [name, pane] of panes) pane.focus(name === state.focus);
    parent.dataset.count = panes.size;
    empty.hidden = panes.size > 0;
  }

  const empty = make(parent, "p", "Choose a target above to see its code.", {class: "empty"});
  watch(changed => { if (changed.some(name => ["panes", "focus"].includes(name))) show(); });
  show();
  return {
    code(name, answer) {
      last.set(name, answer);
      panes.get(name)?.code(answer);
    },
    inside: (name, answer) => panes.get(name)?.inside(answer),
    costsOf: name => last.get(name),
  };
}

export function focusPane(name) { change({focus: name}); }
