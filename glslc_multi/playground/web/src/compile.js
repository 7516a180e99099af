// Keeps what is shown in step with what is written: after every change it asks anew, for what is seen first.

import {asked, flags, shader, stagesShown, state, watch} from "./state.js";

// A pause in typing, in milliseconds.
const PAUSE = 120;
// From the last answer until code is compared with its source.
const REST = 1500;
const MATTERS = ["stage", "shaders", "panes", "tabs", "level", "std", "defines", "options", "flags", "mesh", "linked"];

// `shown` is told: busy(is), problems(list, failed, error), code(target, answer), inside(target, answer), picture(current, signal).
export function keepCompiled(askEngine, targets, shown) {
  let run = 0, timer, restTimer, last = "", stop = new AbortController();
  const inside = new Map();

  async function compileAll(own, signal) {
    const current = () => own === run;
    const ask = question => askEngine(question, signal);
    const question = asked();
    const found = await ask({ask: "check", ...question});
    if (!current()) return;
    const problems = found.diagnostics ?? [], failed = found.error ?? problems.some(each => each.severity === "error");
    shown.problems(problems, failed, found.error);
    if (failed) return;
    for (const target of inOrder(targets)) {
      const answer = await ask({ask: "code", target, ...question});
      if (!current()) return;
      shown.code(target, answer);
      if (answer.fits && state.panes.includes(target) && isInside(target)) {
        await lookInside(ask, target, question, current);
        if (!current()) return;
      }
    }
    await shown.picture(current, signal);
    if (current()) restTimer = setTimeout(() => proveAll(ask, question, current), REST);
  }

  async function proveAll(ask, question, current) {
    for (const target of inOrder(targets).filter(name => state.panes.includes(name))) {
      const answer = await ask({ask: "code", target, proven: true, ...question});
      if (!current()) return;
      shown.code(target, answer);
    }
  }

  async function lookInside(ask, target, question, current) {
    const key = JSON.stringify(question);
    const known = inside.get(target);
    const answer = known?.key === key ? known.answer : await ask({ask: "inside", target, ...question});
    if (!current()) return;
    inside.set(target, {key, answer});
    shown.inside(target, answer);
  }

  function start(pause) {
    run++;
    clearTimeout(timer);
    clearTimeout(restTimer);
    // What was asked before is of no use.
    stop.abort();
    stop = new AbortController();
    const own = run;
    last = JSON.stringify(asked());
    shown.busy(true);
    timer = setTimeout(async () => {
      await compileAll(own, stop.signal);
      if (own === run) shown.busy(false);
    }, pause);
  }

  watch(changed => {
    // From one shader of a linked pair to the other nothing is compiled anew.
    if (changed.join() === "stage" && JSON.stringify(asked()) === last) return;
    if (changed.some(name => MATTERS.includes(name))) start(changed.includes("shaders") ? PAUSE : 0);
  });
  start(0);
}

// What the code tab does not show.
const isInside = target => ["steps", "pressure", "graphs"].includes(state.tabs[target]);

// The one whose costs stand beside the source, those that are seen, the others.
function inOrder(targets) {
  const seen = [state.focus, ...state.panes.filter(name => name !== state.focus)];
  return [...new Set([...seen.filter(name => targets.includes(name)), ...targets])];
}

// What `glslc-multi` would be told for the same.
export function commandLine(target) {
  const names = stagesShown().map(stage => shader(stage).name);
  return ["glslc-multi", ...(names.length > 1 ? ["link"] : []), ...names, "--target", target, flags()].join(" ");
}
