// The state in the part of the address after "#": whoever opens the link sees what its sender saw.
// It is JSON, compressed, in letters that addresses may have.

import {STAGES, state} from "./state.js";

const KEPT = ["stage", "shaders", "panes", "focus", "tabs", "level", "std", "defines", "options", "flags", "mesh", "linked"];
// Longer links, and those that hold more, are none of ours.
const LONGEST = 200_000, LARGEST = 4_000_000;

export async function write() {
  const kept = Object.fromEntries(KEPT.map(key => [key, state[key]]));
  const packed = await pass(new TextEncoder().encode(JSON.stringify(kept)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The parts of a state that a link has; {} where it is damaged.
export async function read(fragment) {
  if (!fragment || fragment.length > LONGEST) return {};
  try {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), each => each.charCodeAt(0));
    const text = new TextDecoder().decode(await pass(bytes, new DecompressionStream("deflate-raw")));
    return checked(JSON.parse(text));
  } catch {
    return {};
  }
}

async function pass(bytes, through) {
  const parts = [];
  let size = 0;
  for await (const part of chunks(new Blob([bytes]).stream().pipeThrough(through))) {
    size += part.length;
    if (size > LARGEST) throw new RangeError("the link holds too much");
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function* chunks(stream) {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

// Links come from anywhere: only what has the type of our own state is taken.
function checked(found) {
  const parts = {};
  for (const key of KEPT) if (sameKind(found[key], state[key])) parts[key] = found[key];
  if (parts.stage && !STAGES.includes(parts.stage)) delete parts.stage;
  if (parts.panes && !parts.panes.every(isText)) delete parts.panes;
  if (parts.tabs && !Object.values(parts.tabs).every(isText)) delete parts.tabs;
  if (parts.options && !Object.values(parts.options).every(each => isText(each) || typeof each === "boolean"))
    delete parts.options;
  if (parts.shaders) {
    const given = STAGES.filter(stage => isText(found.shaders[stage]?.name) && isText(found.shaders[stage]?.text));
    const own = given.map(stage => [stage, {name: found.shaders[stage].name, text: found.shaders[stage].text}]);
    parts.shaders = {...state.shaders, ...Object.fromEntries(own)};
  }
  return parts;
}

const isText = value => typeof value === "string";
const kind = value => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);
const sameKind = (one, other) => kind(one) === kind(other);
