// The words of a program: address, text, bits. The one that is pointed at shows its fields below.

import {make, showWord} from "../../../report/explain/shown.js";

export function showWords(body, answer, name) {
  if (!answer.words.length) return make(body, "p", "There are no words.", {class: "empty"});
  const list = make(body, "div", undefined, {class: "lines words reveals", role: "listbox", "aria-label": `machine code of ${name}`});
  const bits = make(body, "div", undefined, {class: "bits", "aria-label": "bits of the word", role: "region"});
  const rows = answer.words.map((word, number) => row(list, word, answer.keys[number], answer.frame[number]));
  let chosen = -1;
  const choose = number => {
    if (number === chosen || number < 0) return;
    rows[chosen]?.setAttribute("aria-selected", "false");
    rows[number].setAttribute("aria-selected", "true");
    for (const each of rows) each.tabIndex = -1;
    rows[number].tabIndex = 0;
    chosen = number;
    showWord(bits, answer.words[number], answer.formats);
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

function row(list, [address, text, parts], keys, part) {
  const lines = keys ? `line ${keys.split(" ").map(key => key.replace(/^0:/, "")).join(", ")}` : part ?? "no line";
  const facts = {role: "option", "aria-label": `${address} ${text}, ${lines}`, title: lines, "aria-selected": "false", tabindex: -1};
  const element = make(list, "div", undefined, keys ? {...facts, "data-k": keys} : facts);
  make(element, "b", address);
  make(element, "code", text);
  make(element, "u", parts[0][1]);
  return element;
}
