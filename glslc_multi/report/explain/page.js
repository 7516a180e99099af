// All that comes from one line of the source lights up together; a click holds it, Escape lets go.
const data = JSON.parse(document.getElementById("data").textContent);
let held = null;

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
  if (element && element.dataset.w !== undefined) inspect(Number(element.dataset.w));
}

function hold(element) {
  if (held) held.classList.remove("hold");
  held = null;
  light(element);
  if (!element) return;
  if (element.dataset.w !== undefined) inspect(Number(element.dataset.w));
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

function inspect(number) {
  showWord(document.getElementById("word"), data.words[number], data.formats);
}

function select(number) {
  showStep(document.getElementById("step"), data, number);
  document.querySelectorAll("#names button").forEach((button, index) => button.classList.toggle("on", index === number));
  if (held) light(held);
}

data.steps.forEach(([name], number) => {
  make(document.getElementById("names"), "button", name).addEventListener("click", () => select(number));
});
if (data.steps.length) select(0);
if (data.words.length) inspect(0);
