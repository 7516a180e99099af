"""Builds the page: `python -m glslc_multi.playground.build OUT` makes the static folder OUT, `--page` only the page.

In: `web/`, what npm installs there, and wheels.  Out: `site/`, the page as `glslc-multi playground` serves it; and OUT,
the page with the compiler in it, which any server of static files can serve.  npm and pip load what is missing.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from glslc_multi.playground import SITE
from glslc_multi.playground.drawn import drawn_data
from glslc_multi.playground.licences import licences_page
from glslc_multi.playground.scene import pictures_data
from glslc_multi.playground.session import answer

WEB = SITE.parent / "web"
PROJECT = WEB.resolve().parents[2]
_ENTRIES = ("src/main.js", "src/worker.js", "src/service-worker.js", "src/main.css")
_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PACKAGES = "packages.tar.zst"
#: Node shows the line that failed, and lines of Pyodide are longer than any screen.
_LONGEST_REASON = 3_000
_USAGE = "usage: python -m glslc_multi.playground.build OUT | --page"


def main(words: Sequence[str]) -> None:
    """What the command line says."""
    if len(words) != 1:
        sys.exit(_USAGE)
    if shutil.which("npm") is None or shutil.which("node") is None:
        sys.exit("npm and node are needed to build the playground")
    with TemporaryDirectory() as place:
        work = Path(place)
        wheels = [] if words[0] == "--page" else load_wheels(work)
        build_page(work, wheels)
        if wheels:
            build_static(Path(words[0]), work, wheels)


def build_page(work: Path, wheels: Sequence[Path]) -> None:
    """`site/`: the bundle, and the data that it reads."""
    install()
    shutil.rmtree(SITE, ignore_errors=True)
    bundle = ["--bundle", "--format=esm", "--minify", "--legal-comments=none", f"--metafile={work / 'inputs.json'}"]
    run(["node_modules/.bin/esbuild", *_ENTRIES, *bundle, f"--outdir={SITE}"], WEB)
    for name in ("index.html", "icon.svg"):
        shutil.copy(WEB / name, SITE)
    inputs = json.loads((work / "inputs.json").read_text())["inputs"]
    (SITE / "licences.html").write_text(licences_page(WEB, inputs, wheels), encoding="utf-8")
    _write_json(SITE / "facts.json", json.loads(answer('{"ask": "describe"}')))
    _write_json(SITE / "examples.json", _examples())
    _write_json(SITE / "pictures.json", pictures_data())


def build_static(out: Path, work: Path, wheels: Sequence[Path]) -> None:
    """The page with Pyodide and the wheels, and with a service worker that knows all files."""
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(SITE, out)
    (out / "pyodide").mkdir()
    pyodide = WEB / "node_modules" / "pyodide"
    for name in _PYODIDE:
        shutil.copy(pyodide / name, out / "pyodide")
    # Of the packages that others build for Pyodide none is loaded.
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    (out / "pyodide" / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))
    run(["node", "pack.mjs", str((out / PACKAGES).resolve()), *map(str, wheels)], WEB)
    _write_json(out / "config.json", {"engine": "worker", "packages": PACKAGES})
    _write_json(out / "drawn.json", drawn_data(_examples()))
    # The service worker learns the names of the files, and a number that changes with what is in them.
    worker = out / "service-worker.js"
    total = hashlib.sha256()
    names = [path.relative_to(out).as_posix() for path in _files(out)]
    for name in names:
        total.update(name.encode() + b"\0" + (out / name).read_bytes())
    kept = {"version": total.hexdigest()[:16], "files": ["./", *(name for name in names if name != worker.name)]}
    worker.write_text(f"self.KEPT={json.dumps(kept)};\n{worker.read_text(encoding='utf-8')}", encoding="utf-8")
    size = sum(path.stat().st_size for path in _files(out))
    print(f"{out}: {size / 1e6:.1f} MB")


def install() -> None:
    """What `package.json` names, unless it is there."""
    stamp = WEB / "node_modules" / "installed"
    wanted = (WEB / "package.json").read_text(encoding="utf-8")
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], WEB)
    stamp.write_text(wanted, encoding="utf-8")


def load_wheels(work: Path) -> list[Path]:
    """Our own, and those that it needs."""
    needed = [name for name in metadata.requires("glslc-multi") or () if "extra ==" not in name]
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run([*pip, "wheel", "--no-deps", "--wheel-dir", str(work), str(PROJECT)], PROJECT)
    run([*pip, "download", "--no-deps", "--only-binary=:all:", "--dest", str(work), *needed], PROJECT)
    return sorted(work.glob("*.whl"))


def _examples() -> dict[str, dict[str, str]]:
    """Name -> stage -> text."""
    stages = {".vert": "vertex", ".frag": "fragment"}
    examples: dict[str, dict[str, str]] = {}
    for path in sorted((PROJECT / "examples" / "shaders").iterdir()):
        if path.suffix in stages:
            examples.setdefault(path.stem, {})[stages[path.suffix]] = path.read_text(encoding="utf-8")
    return examples


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")


def run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:2])} failed:\n{(done.stdout + done.stderr)[-_LONGEST_REASON:]}")


if __name__ == "__main__":
    main(sys.argv[1:])
