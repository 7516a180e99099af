// All that comes from one line of the source lights up together; a click holds it, Escape lets go.
const stages = JSON.parse(document.getElementById("data").textContent);
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
  inspect(element);
}

function hold(element) {
  if (held) held.classList.remove("hold");
  held = null;
  light(element);
  if (!element) return;
  inspect(element);
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

// The bits of a word.
function inspect(element) {
  if (!element || element.dataset.w === undefined) return;
  const {words, formats} = stages[element.closest("[data-stage]").dataset.stage];
  showWord(document.getElementById("word"), words[element.dataset.w], formats);
}

function select(button, stage, number) {
  showStep(document.getElementById("step"), stage, number);
  for (const each of document.querySelectorAll("#names button")) each.classList.toggle("on", each === button);
  if (held) light(held);
}

for (const stage of stages) {
  if (stages.length > 1 && stage.steps.length) make(document.getElementById("names"), "h3", stage.stage);
  stage.steps.forEach(([name], number) => {
    const button = make(document.getElementById("names"), "button", name);
    button.addEventListener("click", () => select(button, stage, number));
  });
}
document.querySelector("#names button")?.click();
inspect(document.querySelector("[data-w]"));
