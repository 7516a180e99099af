"""`glslc-multi playground`: only files of the folder are read, only pages from here are answered, changes are told."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from glslc_multi import playground
from glslc_multi.cli.main import main
from glslc_multi.playground import SITE
from glslc_multi.playground.folder import MOST_FILES, Folder, changed
from glslc_multi.playground.guard import Guard
from tests.browser import WEBGL, browser
from tests.glslc_multi.playground.server import SHADER, Served, fill, serving

INCLUDE = "#extension GL_GOOGLE_include_directive : require\nprecision mediump float;\n"


# ---------------------------------------------------------------------------------------------- the folder
def test_shaders_of_the_folder_are_listed(tmp_path: Path) -> None:
    folder = Folder(fill(tmp_path).resolve())
    assert folder.names() == ["a.frag", "inside.frag", "sub/b c.frag", "sub/\u00e4#?.vert"]
    assert folder.read("sub/b c.frag") == folder.read("inside.frag") == SHADER


@pytest.mark.parametrize(
    "name",
    [
        "../secret.frag", "sub/../../secret.frag", "link.frag", "linked/secret.frag", "../shaders2/secret.frag",
        "/etc/passwd", "notes.txt", "none.frag", "", ".", "sub", "a.frag\0", "circle.frag", "x" * 10_000,
        "..\\secret.frag", "%2e%2e/secret.frag", "\ud800.frag",
    ],
)  # fmt: skip
def test_nothing_else_is_read(name: str, tmp_path: Path) -> None:
    folder = Folder(fill(tmp_path).resolve())
    assert folder.read(name) is None
    assert folder.read(str(tmp_path / "secret.frag")) is None


def test_changes_are_seen_and_links_out_are_not(tmp_path: Path) -> None:
    place = fill(tmp_path)
    folder = Folder(place.resolve())
    before = folder.states()
    assert "common.glsl" in before and "link.glsl" not in before and "link.frag" not in before
    (place / "a.frag").write_text(SHADER + "\n")
    (place / "new.vert").write_text(SHADER)
    (place / "common.glsl").unlink()
    (tmp_path / "secret.frag").write_text("changed")
    assert changed(before, folder.states()) == ["a.frag", "common.glsl", "inside.frag", "new.vert"]


def test_what_is_no_regular_file_or_has_no_text_as_its_name_is_left_out(tmp_path: Path) -> None:
    place = fill(tmp_path)
    folder = Folder(place.resolve())
    names, states = folder.names(), folder.states()
    os.mkfifo(place / "pipe.frag")
    (place / "piped.frag").symlink_to(place / "pipe.frag")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(place / "socket.frag"))
    (place / "folder.frag").mkdir()
    for name in (b"\xff.frag", b"sub/\xe4.vert", b"\xff.glsl"):
        Path(os.fsdecode(bytes(place) + b"/" + name)).write_text(SHADER, encoding="utf-8")
    Path(os.fsdecode(bytes(place) + b"/\xfe")).mkdir()
    Path(os.fsdecode(bytes(place) + b"/\xfe/a.frag")).write_text(SHADER, encoding="utf-8")
    assert folder.names() == names and folder.states() == states
    # A writer that never comes is not waited for.
    assert [folder.read(name) for name in ("pipe.frag", "piped.frag", "socket.frag", "folder.frag")] == [None] * 4


def test_a_name_that_is_no_text_stops_no_answer(tmp_path: Path) -> None:
    place, page = fill(tmp_path), tmp_path / "page"
    page.mkdir()
    (page / "index.html").touch()
    shader = Path(os.fsdecode(bytes(place) + b"/\xff.frag"))
    shader.write_text(SHADER, encoding="utf-8")
    with serving(shader, page) as found:
        assert json.loads(found.get("/files")[1])["files"] == Folder(place.resolve()).names()
        assert found.get("/files/%FF.frag")[0] == found.get("/files/%ED%A0%80.frag")[0] == 404
        assert json.loads(found.get("/config.json")[1]) == {"engine": "server"}


def test_a_huge_folder_is_not_listed_whole(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 5):
        (tmp_path / f"{number}.frag").touch()
    assert len(Folder(tmp_path.resolve()).names()) == MOST_FILES


# ---------------------------------------------------------------------------------------------- the server
@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    page = tmp_path_factory.mktemp("page")
    (page / "index.html").write_text("<!DOCTYPE html>\n")
    with serving(fill(tmp_path_factory.mktemp("place")), page) as found:
        yield found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With the real page."""
    with serving(fill(tmp_path_factory.mktemp("place")), SITE) as found:
        yield found


def test_the_page_and_the_files(served: Served) -> None:
    assert served.get("/")[1].startswith("<!DOCTYPE html>")
    assert json.loads(served.get("/config.json")[1]) == {"engine": "server"}
    assert json.loads(served.get("/files")[1])["files"] == Folder(served.folder.resolve()).names()
    assert served.get("/files/sub/b%20c.frag") == (200, SHADER)
    assert served.get("/files/sub/%C3%A4%23%3F.vert") == (200, SHADER)


@pytest.mark.parametrize(
    "path",
    [
        "/files/../secret.frag", "/files/%2e%2e/secret.frag", "/files/..%2fsecret.frag",
        "/files/sub/..%2f../secret.frag",
        "/files/%252e%252e/secret.frag", "/files/link.frag", "/files/linked/secret.frag", "/files//etc/passwd",
        "/files/%2fetc%2fpasswd", "/files/notes.txt", "/files/..%5csecret.frag", "/files/a.frag%00",
        "/../secret.frag", "/%2e%2e/secret.frag", "/..%2f..%2fpyproject.toml", "/../web/package.json", "/../served.py",
        "/..%2fserved.py", "//etc/passwd", "/files/../../shaders2/secret.frag",
    ],
)  # fmt: skip
def test_no_path_leads_out(served: Served, path: str) -> None:
    status, text = served.get(path)
    assert status in (400, 403, 404), text
    assert "0.123" not in text and "root:" not in text


@pytest.mark.parametrize("name", ["../secret.frag", "link.glsl", "linked/secret.frag", "/etc/passwd", "none.glsl"])
def test_no_include_leads_out(served: Served, name: str) -> None:
    for directive in (f'"{name}"', f"<{name}>"):
        text = f"{INCLUDE}#include {directive}\nvoid main() {{ gl_FragColor = vec4(1.0); }}\n"
        for flags in ("", f"-I {served.folder.parent}", "-I /", "-I .."):
            question = {"ask": "check", "text": text, "name": "a.frag", "stage": "fragment", "flags": flags}
            status, found = served.ask(question)
            codes = [each["code"] for each in json.loads(found)["diagnostics"]]
            assert status == 200 and codes in ([["E0144"], ["E0155"]] if name == "none.glsl" else [["E0155"]])
            assert "0.123" not in found and "root:" not in found


def test_an_include_inside_is_found(served: Served) -> None:
    text = f'{INCLUDE}#include "common.glsl"\nuniform vec4 u; void main() {{ gl_FragColor = twice(u); }}\n'
    question = {"ask": "check", "text": text, "name": "sub/x.frag", "stage": "fragment", "flags": ""}
    assert json.loads(served.ask(question)[1]) == {"diagnostics": []}


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"}, {"Host": "evil.example:{port}"}, {"Host": "127.0.0.1"}, {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1:{port}.evil.example"}, {"Host": ""}, {"Origin": "http://evil.example"},
        {"Origin": "null"}, {"Origin": "https://127.0.0.1:{port}"}, {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost:{port}"}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
    ],
)  # fmt: skip
def test_other_pages_are_not_answered(served: Served, headers: dict[str, str]) -> None:
    given = {name: value.format(port=served.port) for name, value in headers.items()}
    for path in ("/", "/files", "/files/a.frag", "/config.json", "/changes"):
        assert served.get(path, **given)[0] in (400, 403), path
    assert served.ask({"ask": "describe"}, **given)[0] in (400, 403)


def test_of_two_names_of_the_host_neither_counts() -> None:
    """The server of the tests refuses them itself: the guard does not rely on it."""
    answered: list[int] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("it came through")

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        answered.append(message.get("status", 0))

    hosts = [(b"host", b"127.0.0.1:80"), (b"host", b"evil.example")]
    asyncio.run(Guard(app, 80)({"type": "http", "method": "GET", "path": "/", "headers": hosts}, receive, send))
    assert answered[0] == 403


def test_our_own_page_is_answered(served: Served) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        own = f"{host}:{served.port}"
        assert served.ask({"ask": "describe"}, Host=own, Origin=f"http://{own}", Sec_Fetch_Site="same-origin")[0] == 200


def test_questions_are_json_and_not_endless(served: Served) -> None:
    assert served.get("/session", "POST", '{"ask": "describe"}', Content_Type="text/plain")[0] == 415
    assert served.get("/session", "POST", '{"ask": "describe"}')[0] == 415
    assert served.get("/session")[0] in (404, 405)
    assert served.ask({"ask": "x" * (5 << 20)})[0] == 413
    assert json.loads(served.ask({"ask": "nothing"})[1])["error"].startswith("a request asks for one of")


def test_only_the_loopback_is_listened_on(served: Served) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # No packet is sent: this finds the address that other computers would use.
            probe.connect(("192.0.2.1", 9))
            address = probe.getsockname()[0]
        except OSError:
            pytest.skip("this computer has no other address")
    if address.startswith("127."):
        pytest.skip("this computer has no other address")
    with pytest.raises(OSError), socket.create_connection((address, served.port), timeout=5):
        pass


def test_changes_are_told(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request("GET", "/changes")
    answer = connection.getresponse()
    assert answer.getheader("content-type", "").startswith("text/event-stream")
    assert answer.readline() == b": watching\n"
    (served.folder / "sub" / "b c.frag").write_text(SHADER + "// changed\n")
    while not (line := answer.readline()).startswith(b"data"):
        pass
    assert json.loads(line.partition(b":")[2]) == ["sub/b c.frag"]
    connection.close()
    (served.folder / "sub" / "b c.frag").write_text(SHADER)


def test_in_a_browser_files_are_chosen_drawn_and_read_again(built: Served) -> None:
    """What was edited in the page is not overwritten."""
    vertex = (
        "attribute vec4 a_position;\nuniform mat4 u_matrix;\nvoid main() { gl_Position = u_matrix * a_position; }\n"
    )
    source = "[...document.querySelectorAll('.cm-line')].map(e => e.textContent).join('\\n')"
    picture = "document.querySelector('.pictures img')?.src"
    (built.folder / "pair.vert").write_text(vertex)
    with browser(*WEBGL) as window:
        window.open(f"http://127.0.0.1:{built.port}/")
        window.wait_for("document.querySelector('#files').options.length > 1")
        (built.folder / "pair.frag").write_text(SHADER)
        window.wait_for("[...document.querySelector('#files').options].some(each => each.value === 'pair.frag')")
        window.run("const files = document.querySelector('#files'); files.value = 'pair.frag';"
                   "files.dispatchEvent(new Event('change'))")  # fmt: skip
        assert window.wait_for(f"{source} === arguments[0]", SHADER)
        before = window.wait_for(picture)
        assert before.startswith("data:image/png;base64,")
        # Saved by another editor: read again, and drawn again.
        (built.folder / "pair.frag").write_text(SHADER.replace("= u_tint", "= 0.25 * u_tint"))
        assert window.wait_for(f"{source}.includes('0.25 * u_tint')")
        assert window.wait_for(f"{picture} && {picture} !== arguments[0]", before)
        # Edited here, and saved by another editor: what was edited here stays.
        window.click(".cm-content")
        window.type("/")
        (built.folder / "pair.frag").write_text(SHADER)
        (built.folder / "later.frag").write_text(SHADER)
        window.wait_for("[...document.querySelector('#files').options].some(each => each.value === 'later.frag')")
        assert "/" in window.run(f"return {source}") and "0.25 * u_tint" in window.run(f"return {source}")
        assert window.problems() == []
    for name in ("pair.vert", "pair.frag", "later.frag"):
        (built.folder / name).unlink()


def test_without_numpy_the_page_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['numpy'] = None\n")
    with serving(fill(tmp_path), SITE, tmp_path) as found, browser(*WEBGL) as window:
        window.open(f"http://127.0.0.1:{found.port}/")
        window.wait_for("document.querySelector('#examples').options.length > 1")
        window.run("const examples = document.querySelector('#examples'); examples.value = '09_phong';"
                   "examples.dispatchEvent(new Event('change'))")  # fmt: skip
        note = "document.querySelector('.pictures .note').textContent"
        assert window.wait_for(f"{note}.endsWith(arguments[0])", "numpy: pip install 'glslc-multi[run]'")
        assert window.wait_for("document.getElementById('results').getAttribute('aria-busy') === 'false'")
        assert window.run("return document.querySelectorAll('.pictures img').length") == 0
        assert window.problems() == []


# --------------------------------------------------------------------------------------------- the command
def test_mistakes_of_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["playground", "none"]) == 2
    assert "'none'" in capsys.readouterr().err
    assert main(["playground", "--port", "70000"]) == 2
    assert "option '--port' takes a number from 0 to 65535, found '70000' [E0907]" in capsys.readouterr().err


def test_a_port_that_is_taken(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("<!DOCTYPE html>\n")
    monkeypatch.setattr(playground, "SITE", tmp_path)
    assert main(["playground", str(tmp_path), "--port", str(served.port)]) == 2
    error = capsys.readouterr().err
    assert f"port {served.port} cannot be listened on: address already in use [E0957]" in error
    assert "help: --port 0 takes a free one" in error


def test_a_missing_package_and_a_missing_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glslc_multi.playground.command.find_spec", lambda name: None)
    assert main(["playground", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "the playground needs starlette, which is not installed [E0955]" in error
    assert "help: pip install 'glslc-multi[playground]'" in error
    monkeypatch.undo()
    monkeypatch.setattr("glslc_multi.playground.command.find_spec", lambda name: True)
    monkeypatch.setattr("glslc_multi.playground.SITE", tmp_path)
    assert main(["playground", str(tmp_path)]) == 2
    assert "the page of the playground has not been built [E0956]" in capsys.readouterr().err
