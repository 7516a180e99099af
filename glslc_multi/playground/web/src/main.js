// The page: what is shown where, and who tells whom.

import {keepCompiled} from "./compile.js";
import {makeEditor} from "./editor.js";
import {openEngine} from "./engine.js";
import {takeDrops} from "./drop.js";
import {makeExamples, makeFiles} from "./examples.js";
import {keptPictures} from "./kept.js";
import {followPointer, lightLine, useEditor} from "./light.js";
import * as link from "./link.js";
import {keepOffline} from "./offline.js";
import {makePanes} from "./panes.js";
import {makePictures} from "./picture.js";
import {makeProblems} from "./problems.js";
import {makeSettings} from "./settings.js";
import {STAGES, change, ownFile, pair, setText, shader, state, watch} from "./state.js";
import {makeTargets} from "./targets.js";
import {makeTheme} from "./theme.js";

let lastLink = "", linkTimer, found = {list: []};
const FIRST = "09_phong";
const at = id => document.getElementById(id);
const say = text => { at("status").textContent = text; };
const load = async name => (await fetch(name)).json();

makeTheme(at("theme"));
const [config, facts, examples, pictures] = await Promise.all(
  ["config.json", "facts.json", "examples.json", "pictures.json"].map(load));
// The compiler is being loaded while the page is built.
const engine = openEngine(config, say);
const ask = async (question, signal) => (await engine)(question, signal);

const panesOnPhone = matchMedia("(max-width: 700px)").matches ? {panes: ["agal"]} : {};
const fromLink = await link.read(location.hash.slice(1));
change({...panesOnPhone, ...fromLink});

const names = facts.targets.map(target => target.name);
const editor = makeEditor(at("editor"), facts.words, {
  changed: text => { if (!editor.isQuiet()) setText(state.stage, text); },
  line: number => { lightLine(number); tellCosts(number); },
  point: number => lightLine(number || editorLine()),
  fix: () => editor.applyHere(shader().name),
});
const editorLine = () => editor.view.state.doc.lineAt(editor.view.state.selection.main.head).number;
useEditor(editor.light, editor.reveal);

const targets = makeTargets(at("targets"), facts.targets);
const panes = makePanes(at("panes"), facts.targets);
const problems = makeProblems(at("problems"), editor, ask);
const showPictures = makePictures(at("picture"), ask, pictures, config.engine === "worker" && keptPictures(examples));
followPointer(at("results"));
takeDrops(document.body, facts, ask, say);
makeSettings(at("settings"), facts);
makeStages(at("stages"));

const showEditor = () => editor.load(shader().text, shader().name);
watch(changed => { if (changed.some(name => ["stage", "shaders"].includes(name))) showEditor(); });
watch(changed => { if (changed.includes("stage")) showProblems(); });
watch(changed => { if (changed.some(name => ["focus", "stage"].includes(name))) showCosts(); });
watch(keepLink);

const openExample = makeExamples(at("examples"), examples, () => editor.view.focus());
if (config.engine === "server") await openFolder();
else if (!fromLink.shaders) openExample(FIRST);
showEditor();

addEventListener("hashchange", async () => {
  if (location.hash.slice(1) !== lastLink) change(await link.read(location.hash.slice(1)));
});
at("share").addEventListener("click", share);

try {
  await engine;
  say("");
} catch (problem) {
  say(`The compiler could not be loaded: ${problem.message}`);
}

let first = true;
keepCompiled(ask, names, {
  busy: is => at("results").setAttribute("aria-busy", is),
  problems(list, failed, error) {
    found = {list, error};
    showProblems();
    stale(failed);
    if (failed) targets.wait();
  },
  code(target, answer) {
    stale(false);
    targets.show(target, answer);
    panes.code(target, answer);
    if (target === state.focus) showCosts();
    if (first) {
      first = false;
      performance.mark("first result");
    }
  },
  inside: (target, answer) => panes.inside(target, answer),
  async picture(current, signal) {
    await showPictures(current, signal);
    if (current() && config.engine === "worker" && !document.documentElement.dataset.offline) keepOffline(say);
  },
});

// ------------------------------------------------------------------------------------------------ parts
function makeStages(list) {
  const buttons = STAGES.map(stage => {
    const button = document.createElement("button");
    button.textContent = stage;
    button.addEventListener("click", () => change({stage}));
    list.append(button);
    return button;
  });
  const linked = at("linked");
  linked.addEventListener("click", () => change({linked: !state.linked}));
  watch(show);
  show();

  function show() {
    buttons.forEach((button, number) => {
      button.setAttribute("aria-pressed", STAGES[number] === state.stage);
      button.classList.toggle("paired", pair().includes(STAGES[number]));
    });
    linked.setAttribute("aria-pressed", state.linked);
  }
}

// Code and pictures are those of an earlier text while this one has mistakes.
function stale(is) {
  for (const id of ["panes", "picture"]) at(id).classList.toggle("stale", is);
}

// What is wrong with the shaders, in the list and in the editor's text.
function showProblems() {
  problems.show(found.list, found.error);
  editor.mark(found.list, shader().name);
}

// The lines of the shader itself that cost words on the target in focus.
function linesOf(target) {
  const costs = Object.entries(panes.costsOf(target)?.costs ?? {});
  const lines = costs.map(([key, words]) => [...key.split(":").map(Number), words]);
  return Object.fromEntries(lines.filter(([file]) => file === ownFile()).map(([, line, words]) => [line, words]));
}

function showCosts() { editor.showCosts({target: state.focus, lines: linesOf(state.focus)}); }

// What the line of the cursor costs on the open targets, for those who do not see the column.
function tellCosts(line) {
  const costs = state.panes.map(name => [name, linesOf(name)[line]]).filter(([, words]) => words);
  at("line").textContent = `line ${line}: ${costs.map(([name, words]) => `${name} ${words}`).join(", ") || "no code"}`;
}

async function openFolder() {
  at("files-label").hidden = false;
  const stageOf = name => facts.suffixes[name.slice(name.lastIndexOf("."))] ?? "fragment";
  const files = await makeFiles(at("files"), stageOf, () => {});
  if (!fromLink.shaders) await (files.names.length ? files.open(config.file ?? files.names[0]) : openExample(FIRST));
}


function keepLink() {
  clearTimeout(linkTimer);
  linkTimer = setTimeout(async () => {
    lastLink = await link.write();
    history.replaceState(null, "", `#${lastLink}`);
  }, 250);
}

async function share() {
  lastLink = await link.write();
  history.replaceState(null, "", `#${lastLink}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
  } catch {
    say("The link is in the address bar.");
  }
}
