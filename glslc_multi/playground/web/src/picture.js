// What the shaders draw: by WebGL on this computer, and by the machine code of each open target on its simulator.

import {make} from "../../../report/explain/shown.js";
import {change, question, shader, state} from "./state.js";
import {drawScene} from "./webgl.js";

// Of the pictures, in pixels.
const SIZE = 112;
const NONE = "What machine code draws is not shown here: ";
const KEPT = "Machine code drew these when the page was built: its simulators need numpy, which the page does not have.";
const NOT_KEPT = `${NONE}the simulators need numpy, which the page does not have. It has pictures of the examples as they `
  + "are, with the settings that it opened with; glslc-multi playground draws yours.";

// `kept` finds the picture of a target for a page that never has simulators; there is none where a server should have them.
export function makePictures(place, ask, pictures, kept) {
  const row = make(place, "div", undefined, {class: "pictures"});
  const bar = make(row, "div", undefined, {class: "choice"});
  make(bar, "h2", "Picture");
  const mesh = make(make(bar, "label", "of a "), "select");
  for (const name of Object.keys(pictures.meshes)) make(mesh, "option", name, {value: name});
  mesh.addEventListener("change", () => change({mesh: mesh.value}));
  const note = make(bar, "p", "", {class: "note"});
  const own = figure(row, "WebGL"), canvas = make(own.frame, "canvas", undefined, {width: SIZE, height: SIZE, role: "img", "aria-label": "drawn by WebGL"});
  const made = new Map();
  let last = "";

  return async function show(current, signal) {
    mesh.value = state.mesh;
    const isPair = shader("vertex").text.trim() && shader("fragment").text.trim();
    row.classList.toggle("absent", !isPair);
    if (!isPair) {
      note.textContent = "A picture needs a vertex and a fragment shader.";
      last = "";
      return;
    }
    const asked = {vertex: question("vertex"), fragment: question("fragment"), size: SIZE, mesh: state.mesh};
    const scene = await ask({ask: "scene", ...asked}, signal);
    if (!current()) return;
    own.say(scene.texts ? drawScene(canvas, scene, pictures, state.mesh) : reason(scene));
    forget(name => !state.panes.includes(name));
    const key = JSON.stringify(asked);
    if (key !== last) note.textContent = "";
    for (const target of state.panes) {
      if (key === last && made.has(target)) continue;
      const drawn = await ask({ask: "picture", target, ...asked}, signal);
      const answer = drawn.absent ? kept && await kept(target) : drawn;
      if (!current()) return;
      if (drawn.absent) note.textContent = answer ? KEPT : kept ? NOT_KEPT : NONE + drawn.absent;
      if (!answer) return forget(() => true);
      if (!made.has(target)) made.set(target, figure(row, target));
      showPicture(made.get(target), target, answer);
    }
    last = key;
  };

  function forget(isOld) {
    for (const [name, {element}] of made) if (isOld(name)) { element.remove(); made.delete(name); }
  }
}

function showPicture({frame, say}, target, answer) {
  frame.replaceChildren();
  if (answer.picture) {
    const facts = {src: `data:image/png;base64,${answer.picture}`, width: SIZE, height: SIZE};
    make(frame, "img", undefined, {...facts, alt: `drawn by the machine code of ${target} on its simulator`});
  }
  say(answer.picture ? (answer.diagnostics ?? []).map(each => each.message).join("; ") : reason(answer));
}

const reason = answer => answer.error ?? answer.diagnostics?.find(each => each.severity === "error")?.message ?? "";

function figure(row, title) {
  const element = make(row, "figure"), frame = make(element, "div", undefined, {class: "frame"});
  make(element, "figcaption", title);
  const about = make(element, "small");
  return {element, frame, say: text => { about.textContent = text; }};
}
