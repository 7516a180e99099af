// What the machine code of the examples draws, kept since the page was built: for where there are no simulators.

import {exampleShown} from "./examples.js";
import {flags, state} from "./state.js";

// A function from a target to its kept picture; undefined where shaders or settings are not those of an example.
export function keptPictures(examples) {
  let loaded;
  return async function find(target) {
    // Without the file, as without the network before all is kept, there are no such pictures.
    loaded ??= fetch("drawn.json").then(found => found.json()).catch(() => ({settings: {}, answers: {}}));
    const {settings, answers} = await loaded;
    const isUsual = flags() === settings.flags && state.mesh === settings.mesh;
    return isUsual ? answers[exampleShown(examples)]?.[target] : undefined;
  };
}
