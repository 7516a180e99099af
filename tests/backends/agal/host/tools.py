"""Compilers and clients of others: Haxe (Debian), Royale's compiler of ActionScript, Ruffle and OpenFL (npm).

A test that needs what is missing here is skipped, and says what.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.backends.agal.host.declarations import write_declarations
from tests.backends.agal.independent.reader import HERE as OPENFL_HERE

HERE = Path(__file__).parent
CLIENT = HERE / "client"
ROYALE = HERE / "node_modules" / "@apache-royale" / "royale-js" / "royale-asjs"
RUFFLE = HERE / "node_modules" / "@ruffle-rs" / "ruffle"
OPENFL = OPENFL_HERE / "node_modules" / "openfl"
_PATIENCE = 120
#: The language's own classes; Royale's are meant for browsers, but these are the same.
_CORE = ROYALE / "frameworks" / "libs" / "air" / "airglobal.swc"
_CONFIGURATION = "<royale-config><target-player>11.7</target-player><swf-version>20</swf-version></royale-config>"


def need(**found: object) -> None:
    """Skip the test unless all of these are here."""
    missing = [name.replace("_", " ") for name, is_here in found.items() if not is_here]
    if missing:
        pytest.skip(f"needs {', '.join(missing)} (.ci/packages, and `npm install --prefix {HERE.name}`)")


def need_haxe() -> None:
    need(haxe=shutil.which("haxe"))


def need_openfl() -> None:
    need(npm_openfl=OPENFL.is_dir())


def need_royale() -> None:
    need(java=shutil.which("java"), npm_royale=_CORE.is_file())


def need_ruffle() -> None:
    need(npm_ruffle=RUFFLE.is_dir())


def haxe(folder: Path, *arguments: str) -> str:
    """Run Haxe on the classes of a folder; what it prints."""
    return _run(["haxe", "-cp", str(folder), "-D", "no-deprecation-warnings", *arguments], folder)


def swf(folder: Path, main: str, *libraries: str) -> Path:
    """The classes of a folder as an SWF, with libraries of `client/`, and declarations of what the player has."""
    declared = folder.with_name(f"{folder.name}_declared")
    write_declarations((CLIENT / "flash.txt").read_text(encoding="utf-8"), declared)
    for library in libraries:
        write_declarations((CLIENT / f"{library}.txt").read_text(encoding="utf-8"), folder)
    (folder / "config.xml").write_text(_CONFIGURATION, encoding="utf-8")
    known = declared.with_suffix(".swc")
    _royale(folder, "compc", _CORE, f"-include-sources={declared}", f"-source-path={declared}", f"-output={known}")
    _royale(folder, "mxmlc", f"{_CORE},{known}", "-source-path=.", "-output=client.swf", f"{main}.as")
    return folder / "client.swf"


def _royale(folder: Path, tool: str, libraries: str | Path, *arguments: str) -> None:
    jar = str(ROYALE / "lib" / f"{tool}.jar")
    java = ["java", f"-Droyalelib={ROYALE / 'frameworks'}", "-jar", jar, "-load-config=config.xml"]
    printed = _run([*java, f"-external-library-path={libraries}", *arguments], folder)
    assert "Error" not in printed and "Warning" not in printed, printed


def recorded(folder: Path, main: str) -> str:
    """What a client's class prints of its calls, run on the recording device."""
    return haxe(folder, "-cp", str(CLIENT / "recording"), "-D", "openfl", "--main", main, "--interp")


def _run(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


class _Handler(SimpleHTTPRequestHandler):
    extensions_map: Mapping[str, str] = {**SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}  # type: ignore[assignment]

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of a folder's files; browsers load wasm from none else."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
