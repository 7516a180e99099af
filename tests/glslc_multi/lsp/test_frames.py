"""What a client can send that is no message: the session goes on, and whoever asked gets an answer."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from queue import Queue
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra 'lsp' is not installed")

from glslc_multi.lsp import frames
from glslc_multi.lsp.document import LARGEST
from glslc_multi.lsp.frames import Frames
from tests.shared_data import PROJECT_ROOT

URI = "file:///a.frag"
TEXT = "precision mediump float;\nvoid main() { gl_FragColor = vec4(1.0); }\n"
PLACE = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 16}}


def frame(content: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(content) + content


class Client:
    """The server in a process, bytes in, messages out."""

    def __init__(self) -> None:
        words = [sys.executable, "-m", "glslc_multi", "lsp"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT_ROOT)
        self.messages: Queue[dict[str, Any]] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.ask(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})
        self.open(URI, TEXT)

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            if line.startswith(b"Content-Length: "):
                size = int(line.split()[1])
                while self.process.stdout.readline().strip():
                    pass
                self.messages.put(json.loads(self.process.stdout.read(size)))

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send(frame(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()))

    def open(self, uri: str, text: str) -> None:
        self.tell(
            "textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "glsl", "version": 1, "text": text}}
        )

    def ask(self, number: Any, method: str, params: Any) -> dict[str, Any]:
        self.send(frame(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()))
        return self.answer(number)

    def answer(self, number: Any) -> dict[str, Any]:
        """The answer to a request, and before it anything else."""
        while True:
            message = self.messages.get(timeout=60)
            if message.get("id") == number and "method" not in message:
                return message

    def told(self, method: str, uri: str) -> dict[str, Any]:
        while True:
            message = self.messages.get(timeout=60)
            if message.get("method") == method and message["params"]["uri"] == uri:
                params: dict[str, Any] = message["params"]
                return params


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.process.kill()
    client.process.wait()


def is_well(client: Client) -> bool:
    return "main" in json.dumps(client.ask(99, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"])


SENT = {
    "a frame of 1 TB that is not there": b"Content-Length: 1000000000000\r\n\r\n",
    "a frame of 1 TB that begins": b"Content-Length: 1000000000000\r\n\r\n"
    + b'{"jsonrpc": "2.0", "method": "x"}' * 10_000,
    "more digits than a number has": b"Content-Length: " + b"9" * 6000 + b"\r\n\r\n",
    "no JSON": frame(b"{"),
    "no UTF-8": frame(b'"\xff"'),
    "no object": frame(b"[1, 2]") + frame(b"null") + frame(b"5") + frame(b'"x"'),
    "no version": frame(b'{"id": 3, "method": "textDocument/hover"}'),
    "nested without end": frame(b"[" * 200_000),
    "a surrogate alone": frame(json.dumps({"jsonrpc": "2.0", "method": "\ud800"}).encode()),
    "a notification of something else": frame(b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": 5}'),
}


@pytest.mark.parametrize("name", SENT)
def test_what_is_no_message_does_not_end_the_session(name: str, client: Client) -> None:
    client.send(SENT[name])
    assert is_well(client)


WRONG: dict[str, Any] = {
    "none": None,
    "a number": 5,
    "a list": [1],
    "empty": {},
    "no place": {"textDocument": {"uri": URI}},
    "no name": {**PLACE, "textDocument": {}},
    "a place that is a text": {**PLACE, "position": "here"},
    "a line that is a text": {**PLACE, "position": {"line": "x", "character": 0}},
    "a line before the first one": {**PLACE, "position": {"line": -1, "character": 0}},
}


@pytest.mark.parametrize("method", ["hover", "definition", "completion", "rename", "prepareRename", "signatureHelp"])
@pytest.mark.parametrize("params", WRONG.values(), ids=list(WRONG))
def test_wrong_parameters_are_an_error(params: Any, method: str, client: Client) -> None:
    error = client.ask(7, f"textDocument/{method}", params)["error"]
    assert (error["code"], method in error["message"]) == (-32602, True)
    assert is_well(client)


def test_numbers_of_requests_may_be_texts(client: Client) -> None:
    assert client.ask("seven", "textDocument/hover", {})["error"]["code"] == -32602
    assert client.ask("eight", "no/such/method", {})["error"]["code"] == -32601


def test_a_place_behind_the_end_is_no_error(client: Client) -> None:
    assert client.ask(8, "textDocument/hover", {**PLACE, "position": {"line": 999, "character": 999}})["result"] is None


def test_a_text_with_a_surrogate_alone_is_a_text(client: Client) -> None:
    uri = "file:///surrogate.frag"
    client.open(uri, TEXT.replace("main() {", "main() { /* \ud800 \udc00\ud800 */ undefined_name;"))
    (found,) = client.told("textDocument/publishDiagnostics", uri)["diagnostics"]
    assert "undefined_name" in found["message"]
    assert found["range"]["start"] == {"line": 1, "character": 25}
    place = {"textDocument": {"uri": uri}, "position": found["range"]["start"]}
    assert "result" in client.ask(9, "textDocument/hover", place)
    wanted = {**place, "options": {"tabSize": 4, "insertSpaces": True}}
    assert "result" in client.ask(10, "textDocument/formatting", wanted)


@pytest.mark.parametrize("text", ["float f() { return 1.0; }\n", "\n", "// comment\n", "(" * 80])
def test_a_text_of_5_megabytes_keeps_nobody_waiting(text: str, client: Client) -> None:
    uri = "file:///large.frag"
    client.open(uri, text * (5_000_000 // len(text)))
    (found,) = client.told("textDocument/publishDiagnostics", uri)["diagnostics"]
    assert f"more than {LARGEST} get no help here" in found["message"]
    for method in ("hover", "completion", "definition"):
        assert "result" in client.ask(11, f"textDocument/{method}", {**PLACE, "textDocument": {"uri": uri}})
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": TEXT}]}
    client.tell("textDocument/didChange", change)
    assert client.told("textDocument/publishDiagnostics", uri)["diagnostics"] == []
    assert is_well(client)


def test_a_frame_that_is_too_large_is_passed_over_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the pieces end in which it is read."""
    monkeypatch.setattr(frames, "LARGEST_FRAME", 10)
    for size in range(65_500, 65_580):
        read = Frames(io.BytesIO(frame(b"x" * size) + frame(b"next")))
        assert read.readline() == b"Content-Length: %d\r\n" % size
        assert read.readline() == b"\r\n"
        assert not read.read(size).startswith(b"x")
        assert (read.readline(), read.readline(), read.read(4)) == (b"Content-Length: 4\r\n", b"\r\n", b"next")
        assert read.readline() == b""
