// One target: where the shader fits, and tabs for its words, passes, pressure, graphs, values and text.

import {make} from "../../../report/explain/shown.js";
import {lightAgain} from "./light.js";
import {makeOptions} from "./options.js";
import {change, fileNamed, state, watch} from "./state.js";
import {showSteps} from "./steps.js";
import {fitInWords} from "./targets.js";
import {showWords} from "./words.js";

// Tab -> its title; those that only `inside` fills wait for it.
const TABS = {
  code: "Code", steps: "Passes", pressure: "Pressure", graphs: "Graph", values: "Values", text: "Assembly",
};
const INSIDE = ["steps", "pressure", "graphs"];

export function makePane({name, description, options}) {
  const element = document.createElement("section");
  element.className = "pane";
  element.dataset.target = name;
  element.setAttribute("aria-label", `${name}: ${description}`);
  const head = make(element, "header");
  const title = make(head, "h2", name), fit = make(head, "p", "…", {class: "fit"});
  const costs = make(head, "button", "costs", {title: `costs of ${name} beside the source`});
  costs.addEventListener("click", () => change({focus: name}));
  const close = make(head, "button", "×", {"aria-label": `close ${name}`});
  close.addEventListener("click", () => change({panes: state.panes.filter(other => other !== name)}));
  const numbers = make(element, "p", "", {class: "numbers"});
  if (options.length) makeOptions(element, options);
  const tabs = makeTabs(element, name);
  title.title = description;

  const shown = {code: null, inside: null};

  function show() {
    const tab = state.tabs[name] ?? "code";
    tabs.choose(tab);
    const answer = INSIDE.includes(tab) ? shown.inside : shown.code;
    tabs.body.replaceChildren();
    if (!shown.code) return;
    if (!shown.code.fits) showRefusal(tabs.body, shown.code);
    else if (!answer) make(tabs.body, "p", "…", {class: "empty"});
    else if (answer.error) make(tabs.body, "p", answer.error, {class: "empty"});
    else if (tab === "code") showWords(tabs.body, answer, name);
    else showStages(tabs.body, answer.stages, name, SHOW[tab]);
    lightAgain();
  }

  watch(changed => { if (changed.includes("tabs") && element.isConnected) show(); });
  return {
    element,
    focus: is => {
      costs.setAttribute("aria-pressed", is);
      element.classList.toggle("focus", is);
    },
    code(answer) {
      // A proof that comes later changes no code.
      const same = JSON.stringify(shown.code?.stages) === JSON.stringify(answer.stages);
      Object.assign(shown, {code: answer, inside: same ? shown.inside : null});
      element.dataset.fits = answer.fits;
      fit.textContent = answer.error ?? fitInWords(answer);
      numbers.textContent = numbers.title = answer.numbers ?? "";
      show();
    },
    inside(answer) {
      shown.inside = answer;
      show();
    },
  };
}

// Each stage of a linked pair has its name above it.
function showStages(body, stages, name, show) {
  for (const stage of stages) {
    if (stages.length > 1) make(body, "h3", stage.stage, {class: "stage"});
    show(body, stage, stages.length > 1 ? `${name}, ${stage.stage}` : name);
  }
}

const SHOW = {
  steps: showSteps,
  pressure: (body, {pressure}) => {
    if (!pressure) return make(body, "p", "No registers are kept here.", {class: "empty"});
    make(body, "p", `Components of registers in use around each instruction: at most ${pressure.most}.`);
    drawing(body, pressure.picture, `register pressure, at most ${pressure.most} components`);
  },
  graphs: (body, {graphs}) => {
    if (!graphs.length) make(body, "p", "Control goes straight through: there is one block.", {class: "empty"});
    for (const [title, picture] of graphs) {
      make(body, "h4", title);
      drawing(body, picture, `flow graph: ${title}`);
    }
  },
  values: (body, {values}) => {
    const table = make(make(body, "div", undefined, {class: "wide"}), "table"), head = make(make(table, "thead"), "tr");
    for (const column of values.columns) make(head, "th", column, {scope: "col"});
    for (const row of values.rows) {
      const line = make(table, "tr");
      for (const cell of row) make(line, "td", cell);
    }
  },
  text: (body, {assembly}, name) => make(body, "pre", assembly, {tabindex: 0, "aria-label": `assembly text of ${name}`}),
};

// The session's pictures are SVG whose texts are escaped.
function drawing(body, text, label) {
  const place = make(body, "div", undefined, {class: "wide", tabindex: 0, role: "img", "aria-label": label});
  place.append(document.importNode(new DOMParser().parseFromString(text, "text/html").body.firstChild, true));
}

function showRefusal(body, {diagnostics}) {
  const list = make(body, "ul", undefined, {class: "refusal"});
  for (const {message, help, code, line, physical_file} of diagnostics.filter(each => each.severity === "error")) {
    const file = line ? fileNamed(physical_file) : -1;
    const item = make(list, "li", undefined, file < 0 ? {} : {"data-k": `${file}:${line}`, tabindex: 0});
    make(item, "span", message);
    make(item, "small", ` ${code}${line ? `, line ${line}` : ""}`);
    if (help) make(item, "p", help);
  }
}

function makeTabs(element, name) {
  const list = make(element, "div", undefined, {role: "tablist", "aria-label": `what to show of ${name}`});
  const body = make(element, "div", undefined, {class: "body", role: "tabpanel", id: `body-${name}`});
  const buttons = Object.entries(TABS).map(([tab, title]) => {
    const button = make(list, "button", title, {role: "tab", "data-tab": tab, "aria-controls": body.id, id: `tab-${name}-${tab}`});
    button.addEventListener("click", () => change({tabs: {...state.tabs, [name]: tab}}));
    return button;
  });
  list.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key], place = buttons.indexOf(document.activeElement);
    if (!step || place < 0) return;
    const next = buttons[(place + step + buttons.length) % buttons.length];
    next.click();
    next.focus();
  });
  return {
    body,
    choose(tab) {
      body.setAttribute("aria-labelledby", `tab-${name}-${tab}`);
      for (const button of buttons) {
        button.setAttribute("aria-selected", button.dataset.tab === tab);
        button.tabIndex = button.dataset.tab === tab ? 0 : -1;
      }
    },
  };
}
