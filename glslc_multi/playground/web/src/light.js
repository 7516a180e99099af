// What comes from one line lights up everywhere: words of all panes, steps, graphs, bars, and the line itself.
// A click holds it, Escape lets go.

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
  if (!held) light(line ? [`0:${line}`] : []);
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
  light(element.dataset.k.split(" "), element);
  const line = linesOf(element.dataset.k.split(" "))[0];
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

// Lines of the shader itself; other files are not in the editor.
const linesOf = keys => keys.filter(key => key.startsWith("0:")).map(key => Number(key.slice(2)));

// Scrolls only the list, never the page.
function reveal(list, element) {
  if (!element) return;
  const outer = list.getBoundingClientRect(), inner = element.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - list.clientHeight / 3;
}
