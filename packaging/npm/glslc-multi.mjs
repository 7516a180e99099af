#!/usr/bin/env node
// The command glslc-multi where no Python is installed: Pyodide runs the compiler, which sees the files of this computer.

import {readFileSync, readdirSync, realpathSync, statSync} from "node:fs";
import {loadPyodide} from "pyodide";

const MODULES = "/lib/glslc-multi";
// First on the path is the folder of the user, who may have modules of any name.
const RUN = `
import sys
sys.path[0] = "${MODULES}"
from glslc_multi.cache.system import variables
from glslc_multi.entry import run

def run_words(words):
    status = run(list(words), variables())
    sys.stdout.flush()
    sys.stderr.flush()
    return status

run_words
`;
// Inside, these are Python's own.
const KEPT = new Set(["dev", "lib", "proc"]);
const isWindows = process.platform === "win32";
// Inside, a path of Windows begins with its drive: C:\a is /C:/a.
const inside = path => path.replace(/^[A-Za-z]:(?=[\\/])/, "/$&").replaceAll("\\", "/");

// What is mounted: the folders at the top of the disk, or the drive.
function folders() {
  if (isWindows) return [process.cwd().slice(0, 3)];
  const names = readdirSync("/").filter(name => !KEPT.has(name));
  return names.map(name => `/${name}`).filter(path => statSync(path, {throwIfNoEntry: false})?.isDirectory());
}

try {
  const python = await loadPyodide({env: {...process.env, GLSLC_MULTI_CACHE: "off"}});
  const packages = readFileSync(new URL("packages.tar.zst", import.meta.url));
  python.unpackArchive(new Uint8Array(packages), "zstdtar", {extractDir: MODULES});
  const {FS} = python;
  for (const folder of folders()) {
    FS.mkdirTree(inside(folder));
    FS.mount(FS.filesystems.NODEFS, {root: realpathSync(folder)}, inside(folder));
  }
  FS.chdir(inside(process.cwd()));
  const words = process.argv.slice(2).map(word => (isWindows && /^[A-Za-z]:[\\/]/.test(word) ? inside(word) : word));
  process.exitCode = python.runPython(RUN)(words);
} catch (problem) {
  // Node would show the line that failed, and Pyodide has all of its code in one.
  console.error(`glslc-multi: ${problem.message}`);
  process.exitCode = 70;
}
