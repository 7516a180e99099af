"""`glslc-multi playground [FOLDER]`: the playground for the shaders of a folder, in a browser of this computer."""

from __future__ import annotations

import argparse
import socket
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from glslc_multi.cli.parser import new_parser, parse_or_help, refuse_value
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM, write_text

_USAGE = "glslc-multi playground [options] [FOLDER | SHADER]"
_DESCRIPTION = """\
Serve a page that shows shaders as machine code of all targets, and what they draw on simulators.
It has the files of a folder, and reads them again when they change; it writes none.
Only browsers of this computer are answered."""
_EPILOG = "Example: glslc-multi playground shaders --open"
_PACKAGES = ("starlette", "uvicorn")
_LOOPBACK = "127.0.0.1"
_PORT = 8642
#: At a time; each page has one that waits for changes.
_MOST_REQUESTS = 100


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Serve, until interrupted."""
    found = parse_or_help(build_parser(), arguments, sink)
    if found is None:
        return
    path = Path(found.path)
    for package in _PACKAGES:
        if find_spec(package) is None:
            sink.report(usage.NO_PLAYGROUND_EXTRA, help="pip install 'glslc-multi[playground]'", package=package)
            break
    if not path.exists():
        sink.report(usage.FILE_NOT_FOUND, path=str(path))
    sink.raise_if_errors()
    from glslc_multi.playground import SITE

    if not (SITE / "index.html").is_file():
        sink.report(usage.PAGE_NOT_BUILT, help="run make playground in a copy of the project")
        sink.raise_if_errors()
    with _listen(found.port, sink) as listener:
        _serve(path, SITE, listener, found.open, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options of the subcommand."""
    del arguments
    parser = new_parser("glslc-multi playground", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("path", nargs="?", default=".", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument(
        "--port", type=_port, default=_PORT, metavar="N", help=f"where to listen, 0 for any free port ({_PORT})"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    return parser


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:6]) < 1 << 16):
        refuse_value("--port", "a number from 0 to 65535", text)
    return int(text)


def _listen(port: int, sink: DiagnosticSink) -> socket.socket:
    """A socket of the loopback: nobody else's computer reaches it."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_LOOPBACK, port))
        # Who comes before the server has started waits.
        listener.listen()
    except OSError as error:
        listener.close()
        reason = (error.strerror or "unknown reason").lower()
        sink.report(usage.PORT_TAKEN, help="--port 0 takes a free one", port=port, reason=reason)
        sink.raise_if_errors()
    return listener


def _serve(path: Path, page: Path, listener: socket.socket, opened: bool, sink: DiagnosticSink) -> None:
    import uvicorn

    from glslc_multi.playground.folder import Folder
    from glslc_multi.playground.served import make_application

    root, first = (path.resolve(), None) if path.is_dir() else (path.parent.resolve(), path.name)
    port = listener.getsockname()[1]
    application = make_application(Folder(root), page, port, first)
    address = f"http://{_LOOPBACK}:{port}/"
    write_text(STANDARD_STREAM, f"{address} has the shaders of {root}; Ctrl-C ends it\n", sink)
    if opened:
        import webbrowser

        webbrowser.open(address)
    # Whoever waits for changes waits for ever: the end does not wait for them.
    config = uvicorn.Config(
        application,
        log_level="warning",
        lifespan="on",
        ws="none",
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        limit_concurrency=_MOST_REQUESTS,
    )
    uvicorn.Server(config).run(sockets=[listener])
