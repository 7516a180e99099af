// What is wrong, as a list: the place, the message, the help, and a button for the fix.

import {make} from "../../../report/explain/shown.js";
import {change, fileNamed, shader, stagesShown} from "./state.js";
import {editsInWords, editsOf} from "./places.js";

export function makeProblems(place, editor, ask) {
  const heading = make(place, "h2", "", {"aria-live": "polite"});
  const list = make(place, "ul");
  return {
    show(diagnostics, error) {
      const {name, text} = shader();
      heading.textContent = error ?? inWords(diagnostics);
      place.dataset.errors = Boolean(error) || diagnostics.some(each => each.severity === "error");
      list.replaceChildren(...diagnostics.map(each => item(each, name, text, editor, ask)));
    },
  };
}

function inWords(diagnostics) {
  if (!diagnostics.length) return "No mistakes.";
  const errors = diagnostics.filter(each => each.severity === "error").length;
  const warnings = diagnostics.filter(each => each.severity === "warning").length;
  const counts = [[errors, "error"], [warnings, "warning"]].filter(([count]) => count);
  return counts.map(([count, what]) => `${count} ${what}${count > 1 ? "s" : ""}`).join(", ");
}

function item(diagnostic, name, text, editor, ask) {
  const element = document.createElement("li");
  element.className = diagnostic.severity;
  const here = diagnostic.physical_file === name, stage = stagesShown()[fileNamed(diagnostic.physical_file)];
  const where = diagnostic.file ? `${here ? "" : `${diagnostic.file}:`}${diagnostic.line}:${diagnostic.column}` : "";
  if (stage && diagnostic.line) make(element, "button", where, {class: "place", "aria-label": `go to line ${diagnostic.line}`})
    .addEventListener("click", () => {
      if (!here) change({stage});
      editor.go(diagnostic.line, diagnostic.column);
    });
  else if (where) make(element, "span", where);
  make(element, "span", ` ${diagnostic.severity}: ${diagnostic.message} `, {class: "message"});
  const code = make(element, "button", diagnostic.code, {class: "code", "aria-label": `what ${diagnostic.code} means`});
  code.addEventListener("click", () => explain(element, diagnostic.code, ask));
  if (diagnostic.help) make(element, "p", diagnostic.help);
  const edits = editsOf(diagnostic, name, text);
  if (edits.length) make(element, "button", `Fix: ${editsInWords(edits, text)}`, {class: "fix"})
    .addEventListener("click", () => editor.apply(diagnostic, name));
  return element;
}

async function explain(element, code, ask) {
  const open = element.querySelector("pre");
  if (open) return open.remove();
  make(element, "pre", (await ask({ask: "message", code})).text ?? "", {tabindex: 0});
}
