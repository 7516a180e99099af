// The passes one by one: the code as each left it, with what is new in it.

import {make, showStep} from "../../../report/explain/shown.js";

// Target -> the step that was looked at last, by its name: after an edit the same one is shown.
const lookedAt = new Map();

export function showSteps(body, answer, name) {
  if (!answer.steps.length) return make(body, "p", "There are no passes.", {class: "empty"});
  const bar = make(body, "div", undefined, {class: "bar"});
  const back = make(bar, "button", "‹", {"aria-label": "step before"});
  const choice = make(bar, "select", undefined, {"aria-label": `pass of ${name}`});
  const on = make(bar, "button", "›", {"aria-label": "next step"});
  const place = make(bar, "span");
  const step = make(body, "div", undefined, {class: "step reveals", tabindex: 0, role: "region", "aria-label": "the code after this pass"});
  answer.steps.forEach(([title], number) => make(choice, "option", title, {value: number}));
  const show = number => {
    choice.value = number;
    back.disabled = number === 0;
    on.disabled = number === answer.steps.length - 1;
    place.textContent = `${number + 1} of ${answer.steps.length}`;
    lookedAt.set(name, answer.steps[number][0]);
    showStep(step, answer, number);
  };
  back.addEventListener("click", () => show(Number(choice.value) - 1));
  on.addEventListener("click", () => show(Number(choice.value) + 1));
  choice.addEventListener("change", () => show(Number(choice.value)));
  show(Math.max(0, answer.steps.findIndex(([title]) => title === lookedAt.get(name))));
}
