// Shaders to begin with: the project's examples, or the files of the folder that is served.

import {make} from "../../../report/explain/shown.js";
import {STAGES, SUFFIX, change, shader, state, watch} from "./state.js";

// Name -> {stage: text}.
export function makeExamples(select, examples, opened) {
  make(select, "option", "choose …", {value: ""});
  for (const name of Object.keys(examples)) make(select, "option", name.replaceAll("_", " "), {value: name});
  select.addEventListener("change", () => {
    if (select.value) open(select.value, examples[select.value]);
    opened();
  });
  watch(() => { select.value = exampleShown(examples); });
  return name => open(name, examples[name]);
}

// The example that is shown as it is; "" where there is none.
export function exampleShown(examples) {
  const isShown = ([, texts]) => STAGES.every(stage => (texts[stage] ?? "") === shader(stage).text);
  return Object.entries(examples).find(isShown)?.[0] ?? "";
}

function open(name, texts) {
  const shaders = {};
  for (const stage of STAGES) shaders[stage] = {name: `${name}.${SUFFIX[stage]}`, text: texts[stage] ?? ""};
  change({shaders, stage: texts[state.stage] ? state.stage : Object.keys(texts)[0]});
}

// Files of the folder, read from the server, and read again when they change.
export async function makeFiles(select, stageOf, opened) {
  const opening = new Map();
  const list = async () => {
    const chosen = select.value;
    const {files} = await (await fetch("files")).json();
    select.replaceChildren();
    make(select, "option", "choose …", {value: ""});
    for (const name of files) make(select, "option", name, {value: name});
    select.value = files.includes(chosen) ? chosen : "";
    return files;
  };
  const read = async name => {
    const found = await fetch(`files/${name.split("/").map(encodeURIComponent).join("/")}`);
    if (!found.ok) return;
    const text = await found.text(), stage = stageOf(name);
    opening.set(stage, {name, text});
    change({shaders: {...state.shaders, [stage]: {name, text}}});
    opened();
  };
  select.addEventListener("change", async () => {
    if (!select.value) return;
    change({stage: stageOf(select.value)});
    for (const name of partners(select.value, await list())) await read(name);
  });
  const changes = new EventSource("changes");
  changes.onmessage = async ({data}) => {
    await list();
    for (const name of JSON.parse(data))
      for (const [stage, {name: own, text}] of opening)
        // What was edited here is not overwritten.
        if (name === own && state.shaders[stage].name === own && state.shaders[stage].text === text) await read(name);
    change({shaders: {...state.shaders}});
  };
  return {names: await list(), open: async name => {
    select.value = name;
    select.dispatchEvent(new Event("change"));
  }};
}

// The file itself, and those of the same name of other stages.
function partners(name, files) {
  const stem = name.replace(/\.[^.]*$/, "");
  return [name, ...files.filter(other => other !== name && other.replace(/\.[^.]*$/, "") === stem)];
}
