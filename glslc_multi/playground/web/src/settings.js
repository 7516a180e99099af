// The settings that all targets share, and the command line that means the same.

import {make} from "../../../report/explain/shown.js";
import {commandLine} from "./compile.js";
import {change, state, watch} from "./state.js";

export function makeSettings(form, facts) {
  const inputs = {
    level: choice(form, "-O", "effort: 0, 1, 2, 3, or s for the smallest code", facts.levels.map(level => [level, level])),
    std: choice(form, "--std", "GLSL of a source without #version", [["", "by #version"], ...facts.standards.map(each => [each, each])]),
    defines: field(form, "-D", "macros, as QUALITY=2 FOG", "NAME=VALUE …"),
    flags: field(form, "more", "other flags, as -fprecise or --compat", "-fprecise …"),
  };
  for (const [name, input] of Object.entries(inputs))
    input.addEventListener("input", () => change({[name]: input.value}));
  const command = make(form, "code", "", {class: "command", "aria-label": "the same on a command line"});
  const show = () => {
    for (const [name, input] of Object.entries(inputs)) if (input.value !== state[name]) input.value = state[name];
    command.textContent = commandLine(state.focus || "all");
  };
  form.addEventListener("submit", event => event.preventDefault());
  watch(show);
  show();
}

function choice(form, name, about, options) {
  const select = make(labelled(form, name, about), "select");
  for (const [value, text] of options) make(select, "option", text, {value});
  return select;
}

function field(form, name, about, example) {
  return make(labelled(form, name, about), "input", undefined, {placeholder: example, spellcheck: "false", autocomplete: "off"});
}

function labelled(form, name, about) {
  const label = make(form, "label", undefined, {title: about});
  make(label, "span", name);
  return label;
}
