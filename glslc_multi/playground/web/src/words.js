// The words of a program: address, text, bits. The one that is pointed at shows its fields below.

import {make, showWord} from "../../../report/explain/shown.js";

export function showWords(body, {stages, files, sources}, name) {
  if (!stages.some(stage => stage.words.length)) return make(body, "p", "There are no words.", {class: "empty"});
  const list = make(body, "div", undefined, {class: "lines words reveals", role: "listbox", "aria-label": `machine code of ${name}`});
  const bits = make(body, "div", undefined, {class: "bits", "aria-label": "bits of the word", role: "region"});
  const rows = [], shown = [];
  for (const stage of stages) {
    const part = stages.length > 1 ? make(list, "div", undefined, {class: "part", role: "group", "aria-label": stage.stage}) : list;
    if (stages.length > 1) make(part, "h3", stage.stage, {class: "stage", role: "presentation"});
    stage.words.forEach((word, number) => {
      const keys = stage.keys[number], lines = keys ? linesInWords(keys, files, sources) : stage.frame[number] ?? "no line";
      rows.push(row(part, word, keys, lines, stage.samplers[number]));
      shown.push([word, stage.formats]);
    });
  }
  let chosen = -1;
  const choose = number => {
    if (number === chosen || number < 0) return;
    rows[chosen]?.setAttribute("aria-selected", "false");
    rows[number].setAttribute("aria-selected", "true");
    for (const each of rows) each.tabIndex = -1;
    rows[number].tabIndex = 0;
    chosen = number;
    showWord(bits, ...shown[number]);
  };
  list.addEventListener("mouseover", event => choose(rows.indexOf(event.target.closest("[role=option]"))));
  list.addEventListener("focusin", event => choose(rows.indexOf(event.target.closest("[role=option]"))));
  list.addEventListener("keydown", event => {
    const to = {ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: rows.length - 1}[event.key];
    if (event.key === "Enter" || event.key === " ") event.target.click();
    if (to !== undefined || event.key === " ") event.preventDefault();
    rows[to]?.focus();
  });
  choose(0);
}

// "line 3, light.glsl:2": the only shader needs no name.
function linesInWords(keys, files, sources) {
  const places = keys.split(" ").map(key => key.split(":"));
  return `line ${places.map(([file, line]) => (sources === 1 && file === "0" ? line : `${files[file]}:${line}`)).join(", ")}`;
}

function row(list, [address, text, parts], keys, lines, samplers) {
  const facts = {role: "option", "aria-label": `${address} ${text}, ${lines}`, title: lines, "aria-selected": "false", tabindex: -1};
  const element = make(list, "div", undefined, keys ? {...facts, "data-k": keys} : facts);
  make(element, "b", address);
  const code = make(element, "code", text);
  if (samplers) make(code, "span", ` ; ${samplers}`, {class: "g-comment"});
  make(element, "u", parts[0][1]);
  return element;
}
