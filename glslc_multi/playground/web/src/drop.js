// Files that are dropped on the page: shaders as they are, machine code as the GLSL that the compiler reads it as.

import {SUFFIX, change, state} from "./state.js";

const suffixOf = name => name.slice(name.lastIndexOf("."));
const asText = async file => new TextDecoder().decode(await file.arrayBuffer());
const asBase64 = async file => {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
};

// `facts` say which suffixes shaders and binaries have; a map beside a binary has its name and `.json`.
export function takeDrops(element, facts, ask, say) {
  const toggle = is => element.classList.toggle("dropping", is);
  element.addEventListener("dragover", event => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    toggle(true);
  });
  element.addEventListener("dragleave", event => { if (!element.contains(event.relatedTarget)) toggle(false); });
  element.addEventListener("drop", async event => {
    toggle(false);
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    await open([...event.dataTransfer.files]);
  });

  async function open(files) {
    const shaders = {}, maps = new Map();
    for (const file of files.filter(each => suffixOf(each.name) === ".json")) maps.set(file.name, await asText(file));
    for (const file of files) {
      const {name} = file, suffix = suffixOf(name);
      if (facts.suffixes[suffix]) shaders[facts.suffixes[suffix]] = {name, text: await asText(file)};
      else if (facts.binaries.includes(suffix)) {
        say(`Reading ${name} ...`);
        const found = await ask({ask: "open", name, bytes: await asBase64(file), map: maps.get(`${name}.json`)});
        const problem = found.error ?? found.diagnostics?.[0]?.message;
        if (problem) return say(`${name}: ${problem}`);
        shaders[found.stage] = {name: `${name.replace(/\.[^.]*$/, "")}.${SUFFIX[found.stage]}`, text: found.text};
      }
    }
    const stages = Object.keys(shaders);
    if (!stages.length) return say(`None of these is a shader: ${[...Object.keys(facts.suffixes), ...facts.binaries].join(" ")}`);
    say("");
    change({shaders: {...state.shaders, ...shaders}, stage: stages[0]});
  }
}
