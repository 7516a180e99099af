// One archive of the modules of wheels, compiled by the very Python that will run them:
// `node pack.mjs OUT WHEEL...`. The browser compiles nothing, and downloads less: modules leave their
// docstrings here, and what a browser cannot use is left out: tests, the language server, the built page, texts for readers.

import {readFileSync, writeFileSync} from "node:fs";
import {loadPyodide} from "pyodide";

const PACK = `
import ast, importlib.util, io, marshal, re, tarfile, zipfile
from compression import zstd

LEFT_OUT = re.compile(r"/tests?/|/playground/(site|web)/|^glslc_multi/lsp/|[.]md$|/RECORD$|/$")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

def packed(wheels):
    """The same wheels make the same archive: it has no times."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as out:
        for data in wheels:
            with zipfile.ZipFile(io.BytesIO(data.to_py())) as wheel:
                for name in sorted(name for name in wheel.namelist() if not LEFT_OUT.search(name)):
                    add(out, name, wheel.read(name))
    return zstd.compress(made.getvalue(), 19)

def add(out, name, content):
    if name.endswith(".py"):
        name, content = name + "c", compiled(name, content)
    about = tarfile.TarInfo(name)
    about.size = len(content)
    out.addfile(about, io.BytesIO(content))

def compiled(name, source):
    """A module that is never compared with its source (PEP 552)."""
    code = compile(without_docstrings(ast.parse(source)), name, "exec", dont_inherit=True)
    unchecked = (1).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(source) + marshal.dumps(code)

def without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first, *others = node.body
            node.body = others or [ast.copy_location(ast.Pass(), first)]
    return tree

packed
`;

const [out, ...wheels] = process.argv.slice(2);
const python = await loadPyodide();
const packed = python.runPython(PACK);
writeFileSync(out, packed(wheels.map(wheel => new Uint8Array(readFileSync(wheel)))).toJs());
process.exit(0);
