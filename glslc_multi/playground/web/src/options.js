// The options of one target, as its table has them.

import {make} from "../../../report/explain/shown.js";
import {change, state, watch} from "./state.js";

// A flag is the name of its option with dashes.
const flagOf = option => `--${option.name.replaceAll("_", "-")}`;

export function makeOptions(parent, options) {
  const details = make(parent, "details", undefined, {class: "options"});
  make(details, "summary", "options");
  const inputs = options.map(option => [option, control(details, option)]);
  const show = () => inputs.forEach(([option, input]) => {
    const value = state.options[flagOf(option)] ?? option.default;
    if (input.type === "checkbox") input.checked = value === true || value === "true";
    else input.value = value;
  });
  watch(changed => { if (changed.includes("options")) show(); });
  show();
}

function control(parent, option) {
  const label = make(parent, "label", undefined, {title: option.help});
  const input = option.choices.length ? make(label, "select") : make(label, "input");
  if (typeof option.default === "boolean") input.type = "checkbox";
  for (const choice of option.choices) make(input, "option", choice, {value: choice});
  label.append(` ${flagOf(option)}`);
  input.addEventListener("change", () => {
    const value = input.type === "checkbox" ? input.checked : input.value, options = {...state.options};
    if (String(value) === String(option.default)) delete options[flagOf(option)];
    else options[flagOf(option)] = value;
    change({options});
  });
  return input;
}
