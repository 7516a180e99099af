"""The static folder of the playground, behind a server of static files, for tests in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.shared_data import PROJECT_ROOT

BUILT = PROJECT_ROOT / "build" / "playground"
_SOURCES = PROJECT_ROOT / "glslc_multi" / "playground"
_MADE = ("node_modules", "site", "__pycache__")


def built_folder() -> Path:
    """The folder; the test is skipped where it is missing or older than its sources."""
    if not (BUILT / "service-worker.js").is_file():
        pytest.skip("the playground is not built: make playground, which needs npm")
    made = (BUILT / "service-worker.js").stat().st_mtime
    sources = (path for path in _SOURCES.rglob("*") if path.is_file() and not set(_MADE) & set(path.parts))
    if newer := [path.name for path in sources if path.stat().st_mtime > made]:
        pytest.skip(f"the playground was built before {newer[0]} was changed: make playground")
    return BUILT


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def static_server(folder: Path) -> Iterator[str]:
    """The address of a server of the folder, on the loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
