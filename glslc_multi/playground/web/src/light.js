// What comes from one line lights up everywhere: words of all panes, steps, graphs, bars, and the line itself.
// A click holds it, Escape lets go.

import {change, ownFile, stagesShown, state} from "./state.js";

let held = null, lightEditor = () => {}, revealLine = () => {};

export function useEditor(light, reveal) { [lightEditor, revealLine] = [light, reveal]; }

// Listens to everything below `root` that has lines, as `data-k`.
export function followPointer(root) {
  root.addEventListener("mouseover", event => point(event.target.closest("[data-k]")));
  root.addEventListener("focusin", event => point(event.target.closest("[data-k]")));
  root.addEventListener("mouseleave", () => { if (!held) light([]); });
  root.addEventListener("click", event => {
    const element = event.target.closest("[data-k]");
    if (element) hold(element === held ? null : element);
  });
  document.addEventListener("keydown", event => { if (event.key === "Escape") hold(null); });
}

// The words of a line of the source, by its number; 0 is no line.
export function lightLine(line) {
  if (!held) light(line ? [`${ownFile()}:${line}`] : []);
}

// After panes were filled anew.
export function lightAgain() {
  if (held && !held.isConnected) held = null;
  if (!held) light([]);
}

function point(element) {
  if (!held && element) light(element.dataset.k.split(" "), element);
}

function hold(element) {
  held?.classList.remove("hold");
  held = element;
  if (!element) return light([]);
  held.classList.add("hold");
  const keys = element.dataset.k.split(" "), stage = stagesShown()[Number(keys[0].split(":")[0])];
  // What comes from the other shader of a linked pair is held there.
  if (stage && stage !== state.stage) change({stage});
  light(keys, element);
  const line = linesOf(keys)[0];
  if (line) revealLine(line);
}

function light(keys, from) {
  for (const element of document.querySelectorAll("[data-k].lit")) element.classList.remove("lit");
  lightEditor(linesOf(keys));
  // Of other code, what comes from the innermost of several lines.
  if (!keys.length || !keys[0]) return;
  for (const element of document.querySelectorAll(`[data-k~="${CSS.escape(keys[0])}"]`)) element.classList.add("lit");
  for (const list of document.querySelectorAll(".reveals"))
    if (!from || !list.contains(from)) reveal(list, list.querySelector(".lit"));
}

// Lines of the shader in the editor; other files are not there.
const linesOf = keys => keys.map(key => key.split(":").map(Number)).filter(([file]) => file === ownFile()).map(([, line]) => line);

// Scrolls only the list, never the page.
function reveal(list, element) {
  if (!element) return;
  const outer = list.getBoundingClientRect(), inner = element.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - list.clientHeight / 3;
}
