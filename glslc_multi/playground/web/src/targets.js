// A button for every target: where the shader fits, and by how much it misses elsewhere. It opens and closes the pane.

import {make} from "../../../report/explain/shown.js";
import {change, state, watch} from "./state.js";

export function makeTargets(parent, targets) {
  const buttons = new Map();
  for (const {name, description} of targets) {
    const button = make(parent, "button", undefined, {class: "target", title: description, "data-target": name});
    make(button, "b", name);
    make(button, "span", "…");
    button.addEventListener("click", () => toggle(name));
    buttons.set(name, button);
  }
  const show = () => buttons.forEach((button, name) => button.setAttribute("aria-pressed", state.panes.includes(name)));
  watch(changed => { if (changed.includes("panes")) show(); });
  show();
  return {
    show(name, answer) {
      const button = buttons.get(name);
      button.dataset.fits = answer.fits;
      button.lastChild.textContent = fitInWords(answer);
    },
    wait: () => buttons.forEach(button => button.setAttribute("data-fits", "unknown")),
  };
}

function toggle(name) {
  const open = state.panes.includes(name);
  const panes = open ? state.panes.filter(other => other !== name) : [...state.panes, name];
  change({panes, focus: open && state.focus === name ? panes[0] ?? "" : open ? state.focus : name});
}

// "23 of 64 instructions, misses by 2 temporaries" and the like.
export function fitInWords({fits, uses, remark}) {
  if (fits === undefined) return "…";
  if (fits) return uses.length ? `fits: ${uses.map(part).join(", ")}` : "fits";
  return uses.length ? uses.map(use => `${part(use)}, misses by ${use.excess}`).join("; ") : `no: ${remark}`;
}

const part = ({need, limit, what}) => `${need} of ${limit} ${what}`;
