// Wheels with their modules compiled, by the very Python that will run them: `node compile-packages.mjs OUT WHEEL...`.
// The browser then compiles nothing, and downloads less. Tests of libraries and the built page are left out.

import {readFileSync, writeFileSync} from "node:fs";
import {basename, join} from "node:path";
import {loadPyodide} from "pyodide";

const COMPILE = `
import io, py_compile, re, zipfile

LEFT_OUT = re.compile(r"/tests?/|/playground/(site|web)/")

def compiled(data):
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data.to_py())) as wheel, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name in sorted(wheel.namelist()):
            if LEFT_OUT.search(name) or name.endswith("/"):
                continue
            content = wheel.read(name)
            if name.endswith(".py"):
                with open("module.py", "wb") as file:
                    file.write(content)
                mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
                py_compile.compile("module.py", "module.pyc", dfile=name, doraise=True, invalidation_mode=mode)
                name += "c"
                with open("module.pyc", "rb") as file:
                    content = file.read()
            # The same input is the same file.
            out.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()

compiled
`;

const [folder, ...wheels] = process.argv.slice(2);
const python = await loadPyodide();
const compiled = python.runPython(COMPILE);
for (const wheel of wheels) {
  const made = compiled(new Uint8Array(readFileSync(wheel)));
  writeFileSync(join(folder, basename(wheel)), made.toJs());
}
process.exit(0);
