// What the page shows, in one object; whoever shows a part of it watches.

export const STAGES = ["vertex", "fragment", "geometry"];
export const SUFFIX = {vertex: "vert", fragment: "frag", geometry: "geom"};

export const state = {
  stage: "fragment",
  // Stage -> {name, text}.
  shaders: Object.fromEntries(STAGES.map(stage => [stage, {name: `shader.${SUFFIX[stage]}`, text: ""}])),
  // Targets that have a pane, in order; the one whose costs stand beside the source; the open tab of each.
  panes: ["agal", "pica200", "adreno", "theia", "vc4"],
  focus: "agal",
  tabs: {},
  // As on the command line.
  level: "2",
  std: "",
  defines: "",
  options: {},
  flags: "",
  mesh: "sphere",
  // Whether the vertex shader and the other one are compiled together.
  linked: false,
};

const watchers = [];

// `show(changed)` is called after every change, with the names of what changed.
export function watch(show) { watchers.push(show); }

export function change(parts) {
  Object.assign(state, parts);
  for (const show of watchers) show(Object.keys(parts));
}

export const shader = (stage = state.stage) => state.shaders[stage];

export function setText(stage, text) {
  change({shaders: {...state.shaders, [stage]: {...state.shaders[stage], text}}});
}

// The settings as words of a command line.
export function flags() {
  const words = [`-O${state.level}`];
  if (state.std) words.push("--std", state.std);
  for (const define of state.defines.split(/\s+/).filter(Boolean)) words.push(quoted(`-D${define}`));
  for (const [flag, value] of Object.entries(state.options)) words.push(...optionWords(flag, value));
  return [...words, state.flags].join(" ").trim();
}

function optionWords(flag, value) {
  if (typeof value === "boolean") return [value ? flag : flag.replace("--", "--no-")];
  return [`${flag}=${quoted(String(value))}`];
}

function quoted(word) { return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`; }

// The stages that are compiled together; [] where they are not, or one of them is missing.
export function pair() {
  const has = stage => Boolean(shader(stage).text.trim());
  const second = state.stage === "geometry" ? "geometry" : ["fragment", "geometry"].find(has);
  return state.linked && second && has("vertex") && has(second) ? ["vertex", second] : [];
}

// The shaders that the panes show, in the order in which keys of lines number their files.
export const stagesShown = () => (pair().length ? pair() : [state.stage]);

// The number of the editor's file in keys, and that of a file by its name; -1 is another file.
export const ownFile = () => stagesShown().indexOf(state.stage);
export const fileNamed = name => stagesShown().findIndex(stage => shader(stage).name === name);

// What the compiler is asked about what the panes show.
export function asked() {
  const [first, second] = stagesShown();
  return {...question(first), ...(second ? {second: question(second)} : {})};
}

// What the compiler is asked about one stage.
export function question(stage = state.stage) {
  const {name, text} = shader(stage);
  return {stage, name, text, flags: flags()};
}
