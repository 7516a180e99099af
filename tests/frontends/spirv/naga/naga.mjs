// naga's command, IN.wgsl OUT.spv, of the WebAssembly that npm has.
import { readFileSync, writeFileSync } from "node:fs";
import * as naga from "naga-wasm";

const [source, result] = process.argv.slice(2);
try {
  const module = naga.parseWgsl(readFileSync(source, "utf8"));
  writeFileSync(result, naga.writeSpirv(module, naga.validate(module), { flags: { debug: true } }));
} catch (error) {
  console.error(`error: ${error}`);
  process.exit(1);
}
