"use strict";
// All that comes from one line of the source lights up together; a click holds it, Escape lets go.
const data = JSON.parse(document.getElementById("data").textContent);
let held = null;

function make(parent, tag, text, facts) {
  const element = parent.appendChild(document.createElement(tag));
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(facts || {})) element.setAttribute(name, value);
  return element;
}

function light(from) {
  for (const element of document.querySelectorAll(".lit")) element.classList.remove("lit");
  if (!from || !from.dataset.k) return;
  const own = from.closest("section"), keys = from.dataset.k.split(" ");
  // All lines that lead here; of other code, what comes from the innermost of them.
  const wanted = [`[data-k~="${keys[0]}"]`, ...keys.map(key => `#source [data-k="${key}"]`)];
  for (const element of document.querySelectorAll(wanted.join())) element.classList.add("lit");
  for (const pane of document.querySelectorAll("#source, #code, #step"))
    if (!own || !own.contains(pane)) reveal(pane, pane.querySelector(".lit"));
}

// Scrolls only the pane, never the page.
function reveal(pane, element) {
  if (!element) return;
  const outer = pane.getBoundingClientRect(), inner = element.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    pane.scrollTop += inner.top - outer.top - pane.clientHeight / 3;
}

function point(event) {
  const element = event.target.closest ? event.target.closest("[data-k], [data-w]") : null;
  if (held) return;
  light(element);
  if (element && element.dataset.w !== undefined) showWord(Number(element.dataset.w));
}

function hold(element) {
  if (held) held.classList.remove("hold");
  held = null;
  light(element);
  if (!element) return;
  if (element.dataset.w !== undefined) showWord(Number(element.dataset.w));
  held = element;
  held.classList.add("hold");
}

document.addEventListener("mouseover", point);
document.addEventListener("focusin", point);
document.addEventListener("click", event => {
  const element = event.target.closest("[data-k], [data-w]");
  if (element) hold(element === held ? null : element);
});
document.addEventListener("keydown", event => { if (event.key === "Escape") hold(null); });

function showWord(number) {
  const [address, text, parts] = data.words[number], place = document.getElementById("word");
  place.replaceChildren();
  make(place, "code", `${address}  ${text}`);
  for (const [format, hex, values] of parts) showPart(place, data.formats[format], hex, values);
}

function showPart(place, format, hex, values) {
  make(place, "h3", `${format.name}, ${format.size} bits: ${hex}`);
  const bits = BigInt("0x" + hex).toString(2).padStart(format.size, "0");
  const owner = new Array(format.size).fill(-1);
  format.fields.forEach(([, low, width], index) => owner.fill(index, low, low + width));
  const row = Math.min(32, format.size);
  for (let high = format.size - 1; high >= 0; high -= high % row + 1) {
    const line = make(place, "div", undefined, {class: "bitrow"});
    for (let start = high, last = high - high % row; start >= last;) {
      let end = start;
      while (end > last && owner[end - 1] === owner[start]) end--;
      const width = start - end + 1, index = owner[start];
      const digits = bits.slice(format.size - 1 - start, format.size - end);
      const cell = make(line, "span", digits, {style: `flex:${width};--hue:${hue(index)}`});
      if (index < 0) cell.className = "free";
      else cell.title = `${format.fields[index][0]} = ${values[index]}`;
      start = end - 1;
    }
  }
  const table = make(place, "table");
  format.fields.forEach(([name, low, width, doc], index) => {
    const line = make(table, "tr"), first = make(line, "td");
    make(first, "span", undefined, {class: "swatch", style: `--hue:${hue(index)}`});
    first.append(name);
    make(line, "td", width > 1 ? `${low + width - 1}:${low}` : `${low}`);
    make(line, "td", `${values[index]}`);
    make(line, "td", doc);
  });
}

function hue(index) { return (index * 137.5 + 200) % 360; }

function showStep(number) {
  const [, lines] = data.steps[number], place = document.getElementById("step");
  const before = new Map();
  if (number) for (const line of data.steps[number - 1][1]) before.set(line, (before.get(line) || 0) + 1);
  place.replaceChildren();
  for (const line of lines) {
    const [text, keys] = data.lines[line], left = before.get(line) || 0;
    before.set(line, left - 1);
    const element = make(place, "div", text || " ", {class: number && left <= 0 ? "new" : "old"});
    if (keys) element.dataset.k = keys;
  }
  document.querySelectorAll("#names button").forEach((button, index) => button.classList.toggle("on", index === number));
  if (held) light(held);
}

data.steps.forEach(([name], number) => {
  make(document.getElementById("names"), "button", name).addEventListener("click", () => showStep(number));
});
if (data.steps.length) showStep(0);
if (data.words.length) showWord(0);
