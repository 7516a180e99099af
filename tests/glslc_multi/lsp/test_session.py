"""Sessions with the server through a real client, over real shaders: sampled here, complete on demand (`edits.py`)."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra 'lsp' is not installed")

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.glslc_multi.lsp.client import editor, real_shaders
from tests.glslc_multi.lsp.edits import REQUESTS, Campaign, problems
from tests.glslc_multi.lsp.test_navigate import shader
from tests.shared_data import PROJECT_ROOT

START = lsp.Position(0, 0)
URI = "file:///shaders/a.frag"


#: Of the real shaders, each so many is opened; all of them with GLSLC_MULTI_ALL_SHADERS=1.
STEP = 1 if os.environ.get("GLSLC_MULTI_ALL_SHADERS") else 8


def test_every_real_shader_opens_and_answers() -> None:
    with editor({"targets": ["agal"]}) as session:
        rng = random.Random(3)
        for path in real_shaders()[::STEP]:
            uri, text = path.resolve().as_uri(), path.read_text(encoding="utf-8")
            session.open(uri, text)
            place = lsp.Position(rng.randrange(text.count("\n") + 1), rng.randrange(40))
            for method, make in rng.sample(REQUESTS, 4):
                try:
                    assert not list(problems(session.ask(method, make(uri, place, rng)), text)), (method, place)
                except JsonRpcException as refusal:
                    assert method in (lsp.TEXT_DOCUMENT_RENAME, lsp.TEXT_DOCUMENT_PREPARE_RENAME), refusal
            severities = {each.severity for each in session.diagnosed(uri) if each.source == "glslc-multi"}
            # Those of real3 want versions and options that their manifest names.
            if path.parent.name != "real3":
                assert lsp.DiagnosticSeverity.Error not in severities, path.name
            session.close(uri)
        assert session.logged == []


@pytest.mark.thorough
def test_random_edits() -> None:
    with editor({"targets": ["agal"]}) as session:
        campaign = Campaign(session, random.Random(11))
        campaign.run(real_shaders(), 150)
    assert campaign.findings == []


def test_an_internal_mistake_is_a_log_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault planted into the server is seen by the tests above."""
    fault = "import glslc_multi.lsp.outline as o\ndef fail(analysis): raise ValueError('planted')\no.outline = fail\n"
    (tmp_path / "sitecustomize.py").write_text(fault)
    # It is loaded before the folder of the project is where Python looks for modules.
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{PROJECT_ROOT}")
    with editor() as session:
        document = session.open(URI, "void main() {}")
        assert not session.ask(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lsp.DocumentSymbolParams(document))
        session.wait_until(lambda: session.logged)
        assert "planted" in session.logged[0]


def test_costs_arrive_in_the_background_and_those_of_old_texts_do_not() -> None:
    able = lsp.ClientCapabilities(
        workspace=lsp.WorkspaceClientCapabilities(
            code_lens=lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        )
    )
    with editor({"targets": ["agal", "pica200"]}, capabilities=able) as session:
        document = session.open(URI, shader("varying vec2 v;", "gl_FragColor = vec4(sin(v.x));"))
        wanted = lsp.CodeLensParams(document)
        session.wait_until(lambda: "not on pica200" in str(_titles(session.ask(lsp.TEXT_DOCUMENT_CODE_LENS, wanted))))
        titles = _titles(session.ask(lsp.TEXT_DOCUMENT_CODE_LENS, wanted))
        assert titles[0] == "fits on agal" and titles[1].startswith("not on pica200")
        session.wait_until(lambda: any(each.source == "glslc-multi pica200" for each in session.diagnostics[URI]))
        assert "lens" in session.refreshed
        session.change(URI, shader("varying vec2 v;", "gl_FragColor = vec4(v, 0, 1);"))
        assert _titles(session.ask(lsp.TEXT_DOCUMENT_CODE_LENS, wanted)) == ["compiling for agal, pica200 …"]
        session.wait_until(
            lambda: _titles(session.ask(lsp.TEXT_DOCUMENT_CODE_LENS, wanted)) == ["fits on agal, pica200"]
        )


def _titles(found: list[lsp.CodeLens]) -> list[str]:
    return [each.command.title for each in found if each.command is not None]


def test_refusals_are_answers_and_settings_change() -> None:
    with editor() as session:
        document = session.open(URI, "#ifdef BROKEN\nx\n#endif\n" + shader("", "gl_FragColor = vec4(sin(1.0));"))
        assert session.diagnosed(URI) == []
        for _ in range(100):
            with pytest.raises(JsonRpcException, match="no name"):
                session.ask(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameParams(document, lsp.Position(0, 0), "x"))
        session.diagnostics.clear()
        settings = {"glslcMulti": {"macros": {"BROKEN": "1"}, "targets": ["nowhere"]}}
        session.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings))
        assert session.diagnosed(URI)
        assert session.shown == ["glslc-multi: targets: there is no 'nowhere'"]
        assert session.abilities.position_encoding == lsp.PositionEncodingKind.Utf16


def test_a_saved_include_is_read_anew(tmp_path: Path) -> None:
    part, main = tmp_path / "part.glsl", tmp_path / "a.frag"
    part.write_text("float f() { return 1.0; }\n")
    text = '#extension GL_GOOGLE_include_directive : require\nprecision highp float;\n#include "part.glsl"\n'
    with editor() as session:
        uri = main.as_uri()
        session.open(uri, f"{text}void main() {{ gl_FragColor = vec4(f()); }}\n")
        assert session.diagnosed(uri) == []
        session.diagnostics.clear()
        part.write_text("float g() { return 1.0; }\n")
        saved = lsp.FileEvent(part.as_uri(), lsp.FileChangeType.Changed)
        session.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([saved]))
        assert [each.code for each in session.diagnosed(uri)] != []
