"""An editor without a window: the language server in a process of its own, spoken to through pygls's client."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

pytest.importorskip("pygls", reason="the extra 'lsp' is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.shared_data import PROJECT_ROOT, shared_root

_Answer = TypeVar("_Answer")
_SUFFIXES = (".vert", ".frag", ".geom")


def real_shaders() -> list[Path]:
    """The shaders of real projects, where the shared data are, and the examples."""
    folders = [PROJECT_ROOT / "examples" / "shaders", *(shared_root() / "corpus").glob("real*")]
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in _SUFFIXES]


class Editor:
    """One session; every method waits for the answer."""

    def __init__(self, settings: Mapping[str, Any], capabilities: lsp.ClientCapabilities | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self.client = LanguageClient("tests", "1")
        self.diagnostics: dict[str, list[lsp.Diagnostic]] = {}
        #: What the server has logged: internal errors, above all.
        self.logged: list[str] = []
        self.shown: list[str] = []
        self.refreshed: list[str] = []
        self._versions: dict[str, int] = {}
        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._take(params))
        self.client.feature(lsp.WINDOW_LOG_MESSAGE)(lambda params: self.logged.append(params.message))
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda params: self.shown.append(params.message))
        self.client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)(lambda _: self.refreshed.append("lens"))
        self.client.feature(lsp.WORKSPACE_INLAY_HINT_REFRESH)(lambda _: self.refreshed.append("hint"))
        self.wait(self.client.start_io(sys.executable, "-m", "glslc_multi", "lsp", cwd=PROJECT_ROOT))
        started = lsp.InitializeParams(capabilities or lsp.ClientCapabilities(), initialization_options=settings)
        self.abilities = self.wait(self.client.initialize_async(started)).capabilities
        self.client.initialized(lsp.InitializedParams())

    def _take(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.diagnostics[params.uri] = list(params.diagnostics)

    def wait(self, answer: Coroutine[Any, Any, _Answer]) -> _Answer:
        return self._loop.run_until_complete(asyncio.wait_for(answer, 20))

    def wait_until(self, holds: Any, seconds: float = 60.0) -> None:
        """Let the server speak until something holds."""
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, "the server does not say it"
            self._loop.run_until_complete(asyncio.sleep(0.01))

    def open(self, uri: str, text: str) -> lsp.TextDocumentIdentifier:
        self._versions[uri] = 1
        item = lsp.TextDocumentItem(uri, "glsl", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return lsp.TextDocumentIdentifier(uri)

    def change(self, uri: str, text: str) -> None:
        self._versions[uri] += 1
        self.diagnostics.pop(uri, None)
        document = lsp.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def diagnosed(self, uri: str) -> list[lsp.Diagnostic]:
        """The diagnostics of a text, once they are there."""
        self.wait_until(lambda: uri in self.diagnostics)
        return self.diagnostics[uri]

    def ask(self, method: str, params: Any) -> Any:
        """The answer to a request."""

        async def answer() -> Any:
            return await self.client.protocol.send_request_async(method, params)

        return self.wait(answer())

    async def _hang_up(self) -> None:
        await self.client.stop()  # type: ignore[no-untyped-call]

    def stop(self) -> None:
        try:
            self.wait(self.client.shutdown_async(None))
            self.client.exit(None)
            self.wait(self._hang_up())
        finally:
            self._loop.close()


@contextmanager
def editor(settings: Mapping[str, Any] | None = None, **facts: Any) -> Iterator[Editor]:
    """A session that ends, whatever happens."""
    session = Editor(settings or {}, **facts)
    try:
        yield session
    finally:
        session.stop()
