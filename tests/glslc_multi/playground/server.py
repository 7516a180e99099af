"""The command for a folder of shaders, as a server of its own."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from glslc_multi.compiler.records import dataclass
from tests.shared_data import PROJECT_ROOT

SECRET = "void main() { gl_FragColor = vec4(0.123); }\n"
SHADER = "precision mediump float;\nuniform vec4 u_tint;\nvoid main() { gl_FragColor = u_tint; }\n"


def fill(place: Path) -> Path:
    """A folder of shaders beside what nobody is to see, with links that lead there."""
    folder = place / "shaders"
    (folder / "sub").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (place / "secret.frag").write_text(SECRET)
    (place / "other").mkdir()
    (place / "other" / "secret.frag").write_text(SECRET)
    (place / "shaders2").mkdir()
    (place / "shaders2" / "secret.frag").write_text(SECRET)
    for name in ("a.frag", "sub/b c.frag", "sub/\u00e4#?.vert", ".hidden/c.frag"):
        (folder / name).write_text(SHADER)
    (folder / "common.glsl").write_text("vec4 twice(vec4 x) { return x * 2.0; }\n")
    (folder / "notes.txt").write_text(SECRET)
    (folder / "link.frag").symlink_to(place / "secret.frag")
    (folder / "link.glsl").symlink_to(place / "secret.frag")
    (folder / "linked").symlink_to(place / "other")
    (folder / "inside.frag").symlink_to(folder / "a.frag")
    (folder / "circle.frag").symlink_to(folder / "circle.frag")
    return folder


#: The command with a page of the test's choice.
_COMMAND = """
import sys
from pathlib import Path
import glslc_multi.playground as playground
from glslc_multi.cli.main import main
playground.SITE = Path(sys.argv.pop(1))
sys.exit(main(sys.argv[1:]))
"""


@dataclass(frozen=True, slots=True)
class Served:
    port: int
    folder: Path
    process: subprocess.Popen[str]

    def get(self, path: str, method: str = "GET", body: str = "", **headers: str) -> tuple[int, str]:
        """Status and text of an answer; the path is sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        usual = {"Host": f"127.0.0.1:{self.port}"}
        sent = {**usual, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {**sent, **({"Content-Length": str(len(body.encode()))} if body else {})}.items():
            connection.putheader(name, value)
        connection.endheaders(body.encode() if body else None)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode()
        connection.close()
        return found

    def ask(self, question: Mapping[str, object], **headers: str) -> tuple[int, str]:
        return self.get("/session", "POST", json.dumps(question), **{"Content_Type": "application/json", **headers})


@contextmanager
def serving(folder: Path, page: Path, *paths: Path) -> Iterator[Served]:
    """The command for a folder or a file, until the end; `paths` are the first where Python looks for modules."""
    pytest.importorskip("starlette", reason="starlette and uvicorn are not installed: the extra playground")
    pytest.importorskip("uvicorn", reason="starlette and uvicorn are not installed: the extra playground")
    if not (page / "index.html").is_file():
        pytest.skip("the page of the playground is not built: make playground, which needs npm")
    command = [sys.executable, "-P", "-c", _COMMAND, str(page), "playground", str(folder), "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (*paths, PROJECT_ROOT)))}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder if folder.is_dir() else folder.parent
    ) as server:
        assert server.stdout is not None
        found = re.match(r"http://127\.0\.0\.1:(\d+)/ has the shaders of ", server.stdout.readline())
        assert found
        try:
            yield Served(int(found[1]), folder, server)
        finally:
            if server.poll() is None:
                server.send_signal(signal.SIGINT)
                assert server.wait(20) in (0, 130, -signal.SIGINT)
